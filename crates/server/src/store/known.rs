//! Lines of the house that an account has heard in its last games, so that the next one does not begin with them.

use super::games::transcript;
use super::{GameNo, StoreError};
use engine::chance::Seed;
use engine::erased::Kind;
use engine::id::{AccountId, GameId};
use engine::parts::lines::LineId;
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::collections::BTreeSet;

/// So many games of a kind are remembered,
const GAMES: usize = 20;
/// among the last so many of all kinds,
const LOOKED_AT: usize = 400;
/// and so much of each.
const ENTRIES: usize = 400;

/// The lines of this kind's house minds that an account has heard in its last games, each once and in order.
pub fn lines_known(connection: &Connection, account: AccountId, kind: Kind) -> Result<Vec<LineId>, StoreError> {
    let mut query = connection.prepare_cached(
        "select games.n, id, seed, body from (select game from players where account = ?1 order by game desc limit ?3) played
         join games on games.n = played.game join game_state on game_state.game = games.n
         where kind = ?2 order by games.n desc limit ?4",
    )?;
    let rows = query.query_map(params![account.0, kind.name, LOOKED_AT as i64, GAMES as i64], |row| {
        Ok((GameNo(row.get(0)?), GameId(row.get(1)?), Seed(row.get(2)?), row.get::<_, Vec<u8>>(3)?))
    })?;
    let mut known = BTreeSet::new();
    for row in rows {
        let (no, id, seed, snapshot) = row?;
        // A game of rules that this program no longer has was heard in other words.
        let Ok(game) = (kind.load)(id, seed, &snapshot) else { continue };
        let seats: Vec<Viewer> = game.roster().seats_of(account).map(Viewer::Seat).collect();
        let heard = |entry: &Entry| seats.iter().any(|seat| entry.line.seen_by.includes(*seat));
        for entry in transcript(connection, no, ENTRIES)?.iter().filter(|entry| heard(entry)) {
            let texts = entry.line.payload.as_ref().map(texts_in).unwrap_or_default();
            known.extend(entry.line.text.as_deref().into_iter().chain(texts).flat_map(kind.lines_in));
        }
    }
    Ok(known.into_iter().collect())
}

/// Every text that stands somewhere in a value: a decision is told with its reason.
fn texts_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().flat_map(texts_in).collect(),
        Value::Object(all) => all.values().flat_map(texts_in).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => vec![],
    }
}
