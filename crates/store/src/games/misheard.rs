//! Speeches whose authors say that the house misheard them; the operator writes new examples from these.

use crate::{Db, GameNo, StoreError};
use engine::id::{GameId, Seq};
use engine::time::Timestamp;
use rusqlite::params;

/// Most that are listed: the newest.
const LISTED_MAX: usize = 1000;

/// A speech that was misheard.
pub struct Misheard {
    pub game_id: GameId,
    /// Its kind: `trial`, `trolley` and so on.
    pub kind: String,
    /// The event by which it was made.
    pub seq: Seq,
    /// Its words, as they were said.
    pub text: String,
    /// The points that were heard in it, in JSON.
    pub heard: String,
}

/// Keeps how a speech was heard when its author said that it was misheard; the first time counts.
pub fn keep(db: &Db, game: GameNo, seq: Seq, heard: &str, now: Timestamp) -> Result<(), StoreError> {
    let mut insert =
        db.prepare_cached("insert or ignore into misheard (game, seq, heard, at) values (?1, ?2, ?3, ?4)")?;
    insert.execute(params![game.0, seq.0, heard, now.0])?;
    Ok(())
}

/// The speeches of a game that were reported as misheard, by their events.
pub fn of_game(db: &Db, game: GameNo) -> Result<Vec<u64>, StoreError> {
    let mut query = db.prepare_cached("select seq from misheard where game = ?1 order by seq")?;
    let rows = query.query_map(params![game.0], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The misheard speeches of all games, newest first, at most `LISTED_MAX`.
pub fn all(db: &Db) -> Result<Vec<Misheard>, StoreError> {
    let mut query = db.prepare_cached(
        "select games.id, games.kind, seq, content, heard
         from misheard join transcript_entries using (game, seq) join games on games.n = game
         where content is not null order by misheard.at desc, game, seq limit ?1",
    )?;
    let rows = query.query_map(params![LISTED_MAX], |row| {
        Ok(Misheard {
            game_id: GameId(row.get(0)?),
            kind: row.get(1)?,
            seq: Seq(row.get(2)?),
            text: row.get(3)?,
            heard: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
