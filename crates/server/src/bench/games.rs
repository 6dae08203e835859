//! Games of eight seats that play themselves with fixed words, for rows that write and replay many of them.

use crate::play::commit;
use engine::chance::Seed;
use engine::erased::{AnyGame, Founding};
use engine::game::{Logged, Progress};
use engine::id::{GameId, Seat};
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Refused};
use engine::time::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use store::{Commit, NewGame, StoreError};
use uuid::Uuid;

pub const SEATS: usize = 8;

fn refused(refused: Refused) -> StoreError {
    StoreError::Broken(refused.sentence)
}

/// A started game of eight, and the commit that stores it.
pub fn seated(number: usize) -> Result<(Commit, Box<dyn AnyGame>), StoreError> {
    seated_after(number, |_, _| Ok(vec![]))
}

/// The same after something else has happened at the table.
pub fn seated_after(
    number: usize,
    before: impl FnOnce(&mut dyn AnyGame, Timestamp) -> Result<Vec<Logged>, Refused>,
) -> Result<(Commit, Box<dyn AnyGame>), StoreError> {
    let kind = games::catalog::KINDS[0];
    let id = GameId(Uuid::from_u128(number as u128 + 1));
    let seed = Seed::chosen(&number.to_string());
    let now = Timestamp(1_800_000_000_000);
    let terms = Terms { open: true, ..Terms::default() };
    let founding = Founding { id, seed, options: &json!({"min_players": SEATS}), terms, now };
    let (mut game, first) = (kind.found)(founding).map_err(refused)?;
    let mut rows = vec![first];
    rows.extend(before(game.as_mut(), now).map_err(refused)?);
    for seat in 0..SEATS {
        let sit = TableCommand::Sit { name: format!("Player {seat}").into(), holder: Holder::Open };
        rows.extend(game.table(sit, now).map_err(refused)?);
    }
    rows.extend(game.table(TableCommand::Start, now).map_err(refused)?);
    let new =
        NewGame { id, kind: kind.meta.name, rules: kind.meta.version, seed: seed.0, unlisted: false, demo: false };
    Ok((commit(game.as_ref(), Err(new), Arc::new(rows), None, false), game))
}

/// The next action of a game, with 200 characters where there is text; nothing once it is over.
pub fn step(game: &mut dyn AnyGame) -> Result<Option<Vec<Logged>>, StoreError> {
    if game.progress() == Progress::Over {
        return Ok(None);
    }
    let now = Timestamp(game.mark().at.0 + 1);
    let turns = game.turns();
    let seat = turns.iter().find_map(|turn| match turn.who {
        Actor::Seat(seat) => Some((seat, turn.offers[0].action)),
        Actor::Host | Actor::Clock => None,
    });
    let (actor, body): (Actor, Value) = match seat {
        Some((seat, "decision")) => (Actor::Seat(seat), json!({"type": "decision", "decision": "save_minority"})),
        Some((seat, _)) => (Actor::Seat(seat), json!({"type": "argument", "text": text(seat)})),
        None => (Actor::Host, json!({"type": "advance", "action": "next_phase"})),
    };
    game.act(actor, &body, now).map(Some).map_err(refused)
}

fn text(seat: Seat) -> String {
    format!(
        "{:<199}.",
        format!("Seat {} speaks for all who stand with it, and asks for time and a fair hearing", seat.0)
    )
}
