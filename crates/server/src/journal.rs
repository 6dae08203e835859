//! One line in the log for every transition and every failure of a mind. Never a brief, a view, a key or a seed.

use crate::house::{House, Journal};
use engine::game::Logged;
use engine::id::{GameId, Inner, Seat};
use serde_json::{Value, json};
use std::io::Write as _;

/// Tells of every change of status among these rows of one commit.
pub fn transitions(house: &House, game: GameId, rows: &[Logged]) {
    let Some(last) = rows.last() else { return };
    for row in rows {
        if let Some((from, to)) = row.transition {
            let actor = row.line.as_ref().and_then(|line| line.seat).map_or("SYSTEM".to_owned(), seat_name);
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

/// Tells of a mind that failed.
pub fn mind_failed(house: &House, game: GameId, status: &str, seat: Seat, code: &str, attempt: u32, checkpoint: u64) {
    let line = || {
        json!({
            "type": "error", "game_id": game.to_string(), "status": status, "actor_role_id": seat_name(seat),
            "error_code": code, "attempt": attempt, "checkpoint_id": Inner::Checkpoint.name(game, checkpoint),
        })
    };
    write(house, line, || format!("{game}  {code} by {} in {status}, attempt {attempt}", seat_name(seat)));
}

fn seat_name(seat: Seat) -> String {
    format!("seat_{}", seat.0)
}

fn write(house: &House, line: impl FnOnce() -> Value, pretty: impl FnOnce() -> String) {
    let line = match &house.settings.journal {
        Journal::Json => line().to_string(),
        Journal::Pretty => pretty(),
        Journal::Silent => return,
        Journal::Kept(lines) => return lines.lock().expect("no holder panics").push(line()),
    };
    // Nobody may be reading: a log that cannot be written must not stop a game.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
