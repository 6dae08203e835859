//! One line in the log for every transition and every failure of a mind. Never a brief, a view, a key or a seed.

use crate::play::House;
use crate::settings::Journal;
use engine::erased::AnyGame;
use engine::game::Logged;
use engine::id::{GameId, Inner, Seat};
use serde_json::{Value, json};
use std::io::Write as _;

/// The actor if no role acts, or none that may be named.
const SYSTEM: &str = "SYSTEM";

/// Logs every change of status among these rows of one commit.
pub fn transitions(house: &House, game: GameId, rows: &[Logged]) {
    let Some(last) = rows.last() else { return };
    let mut actor = SYSTEM;
    for row in rows {
        // What follows automatically from a public act is its actor's doing.
        actor = row.role.unwrap_or(actor);
        if let Some((from, to)) = row.transition {
            let line = || {
                json!({
                    "type": "transition", "game_id": game.to_string(), "from": from, "to": to,
                    "event": row.name, "actor": actor, "checkpoint_id": Inner::Checkpoint.name(game, last.mark.seq.0),
                })
            };
            write(house, line, || format!("{game}  {from} -> {to}  ({})", row.name));
        }
    }
}

pub fn mind_failed(house: &House, game: &dyn AnyGame, seat: Seat, code: &str, attempt: u32, checkpoint: u64) {
    let line = || failure(game, seat, code, attempt, checkpoint);
    let actor = game.role(seat).unwrap_or(SYSTEM);
    write(house, line, || format!("{}  {code} by {actor} in {}, attempt {attempt}", game.id(), game.status()));
}

pub fn failure(game: &dyn AnyGame, seat: Seat, code: &str, attempt: u32, checkpoint: u64) -> Value {
    json!({
        "type": "error", "game_id": game.id().to_string(), "status": game.status(), "actor_role_id": game.role(seat).unwrap_or(SYSTEM),
        "error_code": code, "attempt": attempt, "checkpoint_id": Inner::Checkpoint.name(game.id(), checkpoint),
    })
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
