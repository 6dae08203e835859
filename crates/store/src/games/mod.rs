//! Reading games, their logs and transcripts; and removing a game, the one exception to append-only.

pub mod answers;
pub mod influences;
pub mod mind_calls;
pub mod misheard;
pub mod standings;

use crate::{ANSWER, Db, FirstAnswer, GameNo, StoreError, corpus, head, push_head};
use engine::chain::Hash;
use engine::chance::Seed;
use engine::game::Progress;
use engine::id::{AccountId, GameId, Seat, Seq};
use engine::parts::transcript::{Entry, Line};
use engine::rules::Mark;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use std::borrow::Cow;
use uuid::Uuid;

/// A game as it is stored.
pub struct GameStored {
    pub no: GameNo,
    pub kind: String,
    pub seed: Seed,
    /// The state after one of its last events.
    pub snapshot: Vec<u8>,
    /// What happened since.
    pub rows: Vec<Row>,
}

/// A row of the log as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number and time.
    pub mark: Mark,
    pub body: Vec<u8>,
    pub hash: Hash,
}

/// A game in a list.
#[derive(Clone, Debug)]
pub struct GameListed {
    /// Its number, for the next page.
    pub no: GameNo,
    pub id: GameId,
    pub kind: String,
    pub status: String,
    pub created_at: Timestamp,
    /// When something last happened.
    pub at: Timestamp,
    /// Whether it plays itself.
    pub demo: bool,
    /// Whether nothing more happens in it.
    pub over: bool,
}

/// Which games to list, newest first.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub status: Option<String>,
    pub progress: Option<Progress>,
    pub kind: Option<String>,
    /// Only those that play themselves, or only the others.
    pub demo: Option<bool>,
    /// Only older than this one.
    pub before: Option<GameNo>,
    pub limit: usize,
}

pub(crate) fn progress_number(progress: Progress) -> i64 {
    match progress {
        Progress::Table => 0,
        Progress::Playing => 1,
        Progress::Over => 2,
    }
}

impl GameStored {
    /// The game of that id, unless it is unknown or was removed.
    pub fn find(db: &Db, id: GameId) -> Result<Option<Self>, StoreError> {
        let mut query = db.prepare_cached(
            "select games.n, kind, seed, body, seq from games join snapshots on snapshots.game = games.n where id = ?1",
        )?;
        let found = query.query_row(params![id.0], |row| {
            let stored = GameStored {
                no: GameNo(row.get(0)?),
                kind: row.get(1)?,
                seed: Seed(row.get(2)?),
                snapshot: row.get(3)?,
                rows: vec![],
            };
            Ok((stored, Seq(row.get(4)?)))
        });
        let Some((stored, seq)) = found.optional()? else { return Ok(None) };
        let rows = Row::after(db, stored.no, seq, usize::MAX >> 1)?;
        Ok(Some(GameStored { rows, ..stored }))
    }
}

impl Row {
    /// The rows of a game after this one, in order.
    pub fn after(db: &Db, game: GameNo, seq: Seq, limit: usize) -> Result<Vec<Self>, StoreError> {
        let mut query = db.prepare_cached(
            "select seq, at, body, hash from events where game = ?1 and seq > ?2 order by seq limit ?3",
        )?;
        let rows = query.query_map(params![game.0, seq.0, limit as i64], Self::read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(crate) fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Row {
            mark: Mark { seq: Seq(row.get(0)?), at: Timestamp(row.get(1)?) },
            body: row.get(2)?,
            hash: Hash(row.get(3)?),
        })
    }
}

/// The last entries of a game's transcript, oldest first.
pub fn transcript(db: &Db, game: GameNo, limit: usize) -> Result<Vec<Entry>, StoreError> {
    let mut query = db.prepare_cached(
        "select seq, at, name, seat, round, phase, content, metadata, seen_by from transcript_entries
         where game = ?1 order by seq desc limit ?2",
    )?;
    let rows = query.query_map(params![game.0, limit as i64], read_entry)?;
    let mut entries: Vec<Entry> = rows.collect::<Result<_, _>>()?;
    entries.reverse();
    Ok(entries)
}

/// The last point at which a game can be taken up again.
pub fn last_checkpoint(db: &Db, game: GameNo) -> Result<Option<Seq>, StoreError> {
    let mut query = db.prepare_cached("select seq from checkpoints where game = ?1 order by seq desc limit 1")?;
    Ok(query.query_row(params![game.0], |row| row.get::<_, i64>(0)).optional()?.map(|seq| Seq(seq as u64)))
}

/// The entries that come after this one, so that a reader can go on where it stopped.
pub fn transcript_after(db: &Db, game: GameNo, after: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
    let mut query = db.prepare_cached(
        "select seq, at, name, seat, round, phase, content, metadata, seen_by from transcript_entries
         where game = ?1 and seq > ?2 order by seq limit ?3",
    )?;
    let rows = query.query_map(params![game.0, after.0, limit as i64], read_entry)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The entries of a game with this name.
pub fn transcript_named(db: &Db, game: GameNo, name: &str) -> Result<Vec<Entry>, StoreError> {
    let mut query = db.prepare_cached(
        "select seq, at, name, seat, round, phase, content, metadata, seen_by from transcript_entries
         where game = ?1 and name = ?2 order by seq",
    )?;
    let rows = query.query_map(params![game.0, name], read_entry)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn read_entry(row: &SqlRow<'_>) -> rusqlite::Result<Entry> {
    let metadata: Option<String> = row.get(7)?;
    let seen_by: String = row.get(8)?;
    Ok(Entry {
        seq: Seq(row.get(0)?),
        at: Timestamp(row.get(1)?),
        name: Cow::Owned(row.get(2)?),
        line: Line {
            seat: row.get::<_, Option<u16>>(3)?.map(Seat),
            round: row.get(4)?,
            phase: row.get::<_, Option<String>>(5)?.map(Cow::Owned),
            text: row.get(6)?,
            payload: metadata.map(|text| read_json(7, &text)).transpose()?,
            seen_by: read_json(8, &seen_by)?,
        },
    })
}

fn read_json<T: serde::de::DeserializeOwned>(column: usize, text: &str) -> rusqlite::Result<T> {
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error));
    serde_json::from_str(text).map_err(wrong)
}

/// Games that may be listed, newest first.
pub fn list(db: &Db, filter: &GameFilter) -> Result<Vec<GameListed>, StoreError> {
    let mut query = db.prepare_cached(
        "select n, id, kind, status, created_at, at, demo, progress from games join game_state on game_state.game = games.n
         where unlisted = 0 and n < ?1 and (?2 is null or status = ?2) and (?3 is null or progress = ?3)
           and (?4 is null or kind = ?4) and (?5 is null or demo = ?5)
         order by n desc limit ?6",
    )?;
    let rows = query.query_map(
        params![
            filter.before.map_or(i64::MAX, |no| no.0),
            filter.status,
            filter.progress.map(progress_number),
            filter.kind,
            filter.demo,
            filter.limit as i64,
        ],
        |row| {
            Ok(GameListed {
                no: GameNo(row.get(0)?),
                id: GameId(row.get(1)?),
                kind: row.get(2)?,
                status: row.get(3)?,
                created_at: Timestamp(row.get(4)?),
                at: Timestamp(row.get(5)?),
                demo: row.get(6)?,
                over: row.get::<_, i64>(7)? == progress_number(Progress::Over),
            })
        },
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The newest games an account has a seat in.
pub fn of_account(db: &Db, account: AccountId, limit: usize) -> Result<Vec<GameId>, StoreError> {
    let mut query = db.prepare_cached(
        "select id from players join games on games.n = players.game join game_state on game_state.game = games.n
         where account = ?1 order by n desc limit ?2",
    )?;
    let rows = query.query_map(params![account.0, limit as i64], |row| Ok(GameId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The newest games of a kind that an account had a seat in: `limit` of them, among its last `among` of all kinds.
pub fn of_account_and_kind(
    db: &Db,
    account: AccountId,
    kind: &str,
    among: usize,
    limit: usize,
) -> Result<Vec<GameId>, StoreError> {
    let mut query = db.prepare_cached(
        "select id from (select game from players where account = ?1 order by game desc limit ?3) played
         join games on games.n = played.game where kind = ?2 order by games.n desc limit ?4",
    )?;
    let rows = query.query_map(params![account.0, kind, among as i64, limit as i64], |row| Ok(GameId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Every game that is this far, listed or not, oldest first.
pub fn at_progress(db: &Db, progress: Progress) -> Result<Vec<(GameId, Timestamp)>, StoreError> {
    let mut query = db.prepare_cached(
        "select id, created_at from game_state join games on games.n = game_state.game where progress = ?1 order by n",
    )?;
    let rows = query.query_map(params![progress_number(progress)], |row| {
        Ok((GameId(row.get::<_, Uuid>(0)?), Timestamp(row.get(1)?)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Tables that have waited too long: since `idle_before`, or since `empty_before` where nobody ever sat down. At most `limit` of them.
pub fn idle_tables(
    db: &Db,
    idle_before: Timestamp,
    empty_before: Timestamp,
    limit: usize,
) -> Result<Vec<GameId>, StoreError> {
    // Nothing has happened since the founding, and no account sat down with it.
    let mut query = db.prepare_cached(
        "select id from game_state join games on games.n = game_state.game
         where progress = ?1 and (at < ?2 or at < ?3 and at = created_at
             and not exists (select 1 from players where players.game = games.n))
         order by n limit ?4",
    )?;
    let rows = query
        .query_map(params![progress_number(Progress::Table), idle_before.0, empty_before.0, limit as i64], |row| {
            Ok(GameId(row.get(0)?))
        })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Games with this status whose last event is older than `before`; at most `limit` of them.
pub fn ended_as(db: &Db, status: &str, before: Timestamp, limit: usize) -> Result<Vec<GameId>, StoreError> {
    let mut query = db.prepare_cached(
        "select id from game_state join games on games.n = game_state.game
         where progress = ?1 and status = ?2 and at < ?3 order by n limit ?4",
    )?;
    let rows = query.query_map(params![progress_number(Progress::Over), status, before.0, limit as i64], |row| {
        Ok(GameId(row.get(0)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The public tables of a kind that wait for players, oldest first.
pub fn waiting(db: &Db, kind: &str) -> Result<Vec<GameId>, StoreError> {
    let mut query = db.prepare_cached(
        "select id from game_state join games on games.n = game_state.game
         where progress = ?1 and kind = ?2 and unlisted = 0 order by n",
    )?;
    let rows = query.query_map(params![progress_number(Progress::Table), kind], |row| Ok(GameId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Keeps the answer to an idempotent request.
pub(crate) fn remember(db: &Db, game: GameNo, once: &FirstAnswer, heads: &mut Vec<u8>) -> Result<(), StoreError> {
    let mut insert =
        db.prepare_cached("insert into answers (game, caller, key, request, answer) values (?1, ?2, ?3, ?4, ?5)")?;
    insert.execute(params![game.0, once.caller, once.key, once.request, once.answer])?;
    push_head(heads, game, ANSWER, &once.seal());
    Ok(())
}

/// The answers that are kept for a game.
pub(crate) fn answers_of(db: &Db, game: GameNo) -> rusqlite::Result<Vec<FirstAnswer>> {
    let mut query = db.prepare_cached("select caller, key, request, answer from answers where game = ?1")?;
    let rows = query.query_map(params![game.0], |row| {
        Ok(FirstAnswer { caller: row.get(0)?, key: row.get(1)?, request: row.get(2)?, answer: row.get(3)? })
    })?;
    rows.collect()
}

/// Names every answer in a row of `commits`, one for each game; for a database that is older than the naming of answers.
pub(crate) fn name_answers(db: &Db) -> Result<(), StoreError> {
    let mut query = db.prepare("select distinct game from answers order by game")?;
    let games: Vec<i64> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for game in games.into_iter().map(GameNo) {
        let mut heads = Vec::new();
        answers_of(db, game)?.iter().for_each(|once| push_head(&mut heads, game, ANSWER, &once.seal()));
        head::add(db, &heads)?;
    }
    Ok(())
}

/// What was asked, by hash, and what was answered.
pub type Answered = ([u8; 32], Vec<u8>);

/// The first answer to a request under this key, with the hash of that request.
pub fn first_answer(db: &Db, game: GameNo, caller: &[u8; 32], key: &str) -> Result<Option<Answered>, StoreError> {
    let mut query =
        db.prepare_cached("select request, answer from answers where game = ?1 and caller = ?2 and key = ?3")?;
    let found = query.query_row(params![game.0, caller, key], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// Removes what was said and played in a game, leaving a tombstone that `verify` accepts. Returns the tombstone's seal, for the commits.
pub(crate) fn forget(db: &Db, id: GameId, reason: &str, now: Timestamp) -> Result<Option<(GameNo, Hash)>, StoreError> {
    let found: Option<(i64, u64, [u8; 32])> = db
        .query_row(
            "select n, events.seq, events.hash from games join events on events.game = games.n
             where id = ?1 order by events.seq desc limit 1",
            params![id.0],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((game, seq, head)) = found else { return Ok(None) };
    db.execute(
        "insert into tombstones (game, seq, head, reason, at) values (?1, ?2, ?3, ?4, ?5)",
        params![game, seq, head, reason, now.0],
    )?;
    // Removed on request means gone from the file, not only from the tables.
    db.execute_batch("pragma secure_delete = on")?;
    mind_calls::forget(db, GameNo(game))?;
    corpus::forget(db, GameNo(game))?;
    let tables = [
        "events",
        "transcript_entries",
        "misheard",
        "influences",
        "checkpoints",
        "game_state",
        "snapshots",
        "answers",
        "players",
        "results",
    ];
    for table in tables {
        db.execute(&format!("delete from {table} where game = ?1"), params![game])?;
    }
    db.execute_batch("pragma secure_delete = off")?;
    Ok(Some((GameNo(game), tombstone_seal(db, GameNo(game))?)))
}

/// A hash over all that is left of a removed game.
pub(crate) fn tombstone_seal(db: &Db, game: GameNo) -> Result<Hash, StoreError> {
    let mut query = db.prepare_cached(
        "select id, kind, rules, seed, created_at, unlisted, demo, seq, head, reason, at
         from games join tombstones on tombstones.game = games.n where n = ?1",
    )?;
    let left = query.query_row(params![game.0], |row| {
        (0..11).map(|column| Ok(format!("{:?}\n", row.get_ref(column)?))).collect::<rusqlite::Result<String>>()
    })?;
    Ok(Hash::of(left.as_bytes()))
}

/// Demo games that are over, beyond the newest `keep` of them.
pub fn old_demos(db: &Db, keep: usize) -> Result<Vec<GameId>, StoreError> {
    let mut query = db.prepare_cached(
        "select id from games join game_state on game_state.game = games.n
         where demo = 1 and progress = 2 order by n desc limit -1 offset ?1",
    )?;
    let rows = query.query_map(params![keep as i64], |row| Ok(GameId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
