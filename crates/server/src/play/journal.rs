//! One line in the log for every transition and every failure of a mind. Never a brief, a view, a key or a seed.

use crate::play::House;
use crate::settings::Journal;
use engine::erased::AnyGame;
use engine::game::Logged;
use engine::id::{GameId, Inner, Seat, Seq};
use serde_json::{Value, json};
use std::io::Write as _;

/// The actor if no role acts, or none that may be named.
const SYSTEM: &str = "SYSTEM";

/// Logs every change of status among these rows of one commit.
pub fn transitions(house: &House, game: GameId, rows: &[Logged]) {
    let Some(last) = rows.last() else { return };
    let mut spoke = None;
    for row in rows {
        // What follows from a speech or a vote is its speaker's doing, whoever asked for it.
        spoke = row.role.or(spoke);
        if let Some((from, to)) = row.transition {
            let event = row.cause.event.unwrap_or(row.name);
            let line = || {
                json!({
                    "type": "transition", "game_id": game.to_string(), "from": from, "to": to, "event": event,
                    "actor": spoke.or(row.cause.role).unwrap_or(SYSTEM),
                    "checkpoint_id": Inner::Checkpoint.name(game, last.mark.seq.0),
                })
            };
            write(house, line, || format!("{game}  {from} -> {to}  ({event})"));
        }
    }
}

/// A mind that gave nothing usable.
pub struct MindFailed<'a> {
    pub seat: Seat,
    pub code: &'a str,
    pub attempt: u32,
    /// The event of the checkpoint at which the turn is taken up again.
    pub checkpoint: Option<Seq>,
    /// What the provider answered, if that was the reason, with a sentence of ours about it. Other reasons may quote what was said.
    pub answered: Option<(u16, &'a str)>,
}

impl MindFailed<'_> {
    pub fn log(&self, house: &House, game: &dyn AnyGame) {
        let actor = game.role(self.seat).unwrap_or(SYSTEM);
        let MindFailed { code, attempt, .. } = self;
        let pretty = || format!("{}  {code} by {actor} in {}, attempt {attempt}", game.id(), game.status());
        write(house, || self.line(game), pretty);
    }

    pub fn line(&self, game: &dyn AnyGame) -> Value {
        let checkpoint = self.checkpoint.map(|seq| Inner::Checkpoint.name(game.id(), seq.0));
        let mut line = json!({
            "type": "error", "game_id": game.id().to_string(), "status": game.status(),
            "actor_role_id": game.role(self.seat).unwrap_or(SYSTEM), "error_code": self.code, "attempt": self.attempt,
            "checkpoint_id": checkpoint,
        });
        for (name, number) in game.place() {
            line[name] = number.into();
        }
        if let Some((status, reason)) = self.answered {
            (line["http_status"], line["reason"]) = (status.into(), reason.into());
        }
        line
    }
}

fn write(house: &House, line: impl FnOnce() -> Value, pretty: impl FnOnce() -> String) {
    let line = match &house.settings.journal {
        Journal::Json => line().to_string(),
        Journal::Pretty => pretty(),
        Journal::Silent => return,
        Journal::Kept(lines) => return lines.lock().expect("no holder panics").push(line()),
    };
    // Standard output may be closed: a log that cannot be written must not stop a game.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
