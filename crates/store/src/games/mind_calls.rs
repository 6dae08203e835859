//! What language models were asked, what they answered and what that cost.

use crate::{Db, GameNo, StoreError};
use engine::chain::Hash;
use engine::id::{Seat, Seq};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use std::fmt;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// The error of a call that was under way when the program stopped.
pub const CUT: &str = "AI_CUT";

/// Millionths of a dollar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Micros(pub i64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// The tokens that a call used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    pub read: u32,
    /// Read from the provider's cache.
    pub cached: u32,
    pub written: u32,
}

/// A call that begins.
#[derive(Clone, Debug)]
pub struct Begun {
    pub game: GameNo,
    pub seat: Seat,
    pub seq: Seq,
    /// The game's status at the time.
    pub status: String,
    /// From 1, within the turn.
    pub attempt: u32,
    pub mind: String,
    /// The version of the prompt's words.
    pub prompt_version: String,
    /// The stable part of the prompt.
    pub prompt: String,
    /// The part that changes, refusals included.
    pub turn: String,
    /// The most it can cost: booked when it begins; what it does not need is given back. In a [`Trace`] that has ended, what it did cost.
    pub most: Micros,
    pub started_at: Timestamp,
}

/// How a call ended.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// What the model said, whole or in part.
    pub output: String,
    /// What went wrong, as a code.
    pub error: Option<String>,
    /// The same in a sentence.
    pub reason: Option<String>,
    pub tokens: Tokens,
    pub latency_ms: i64,
    pub cost: Micros,
}

/// A call as it is kept.
#[derive(Clone, Debug)]
pub struct Trace {
    pub id: i64,
    pub begun: Begun,
    /// How it ended; nothing while it is under way.
    pub ended: Option<Ended>,
}

/// What a game's calls come to: all that its host is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    pub calls: i64,
    /// How many of them failed.
    pub failed: i64,
    /// Read, cached and written.
    pub tokens: [i64; 3],
    pub cost: Micros,
}

/// An account or a network whose tables a call is made for, and the most that may cost in one day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payer {
    pub key: [u8; 32],
    pub limit: Micros,
}

/// The limits that a call must keep to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    pub game: Micros,
    pub day: Micros,
    pub payers: Vec<Payer>,
}

/// Which limit a call would pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    Game,
    /// Of the account or network with this limit.
    Payer(Micros),
    Day,
}

/// Records that a call begins and books the most it can cost, or says which limit that would pass. There is one writer, so no
/// limit is passed, however many calls are under way; and a crash leaves what was booked.
pub fn begin(db: &Db, call: &Begun, budget: &Budget) -> Result<Result<i64, Over>, StoreError> {
    if sum(db, call.game)?.cost.0 + call.most.0 > budget.game.0 {
        return Ok(Err(Over::Game));
    }
    for payer in &budget.payers {
        if spent_by(db, payer, call.started_at)?.0 + call.most.0 > payer.limit.0 {
            return Ok(Err(Over::Payer(payer.limit)));
        }
    }
    if spent_on_day(db, call.started_at)?.0 + call.most.0 > budget.day.0 {
        return Ok(Err(Over::Day));
    }
    book(db, call.started_at, call.most.0, &budget.payers)?;
    let hash = Hash::of(call.prompt.as_bytes()).0;
    db.prepare_cached("insert or ignore into mind_prompts (hash, words) values (?1, ?2)")?
        .execute(params![hash, call.prompt])?;
    db.prepare_cached(
        "insert into mind_calls (game, seat, seq, status, attempt, mind, prompt_version, prompt, turn, started_at,
             cost_micros)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        call.game.0,
        call.seat.0,
        call.seq.0,
        call.status,
        call.attempt,
        call.mind,
        call.prompt_version,
        hash,
        call.turn,
        call.started_at.0,
        call.most.0
    ])?;
    Ok(Ok(db.last_insert_rowid()))
}

/// Adds to what a day has cost, in all and for these payers.
fn book(db: &Db, at: Timestamp, micros: i64, payers: &[Payer]) -> Result<(), StoreError> {
    for payer in payers {
        db.prepare_cached(
            "insert into mind_payers (day, payer, cost_micros) values (?1, ?2, ?3)
             on conflict (day, payer) do update set cost_micros = cost_micros + excluded.cost_micros",
        )?
        .execute(params![day(at), payer.key, micros])?;
    }
    db.prepare_cached(
        "insert into mind_days (day, cost_micros) values (?1, ?2)
         on conflict (day) do update set cost_micros = cost_micros + excluded.cost_micros",
    )?
    .execute(params![day(at), micros])?;
    Ok(())
}

/// Records how it ended, and gives back what was booked and not needed, to the day it was booked on.
pub fn end(db: &Db, id: i64, ended: &Ended, payers: &[Payer]) -> Result<(), StoreError> {
    let mut query = db.prepare_cached("select started_at, cost_micros from mind_calls where id = ?1")?;
    let begun: Option<(i64, i64)> = query.query_row(params![id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    // The game may have been removed meanwhile, with its traces; the day keeps what was booked.
    let Some((started_at, booked)) = begun else { return Ok(()) };
    book(db, Timestamp(started_at), ended.cost.0 - booked, payers)?;
    db.prepare_cached(
        "update mind_calls set output = ?2, error = ?3, reason = ?4, tokens_read = ?5, tokens_cached = ?6,
             tokens_written = ?7, latency_ms = ?8, cost_micros = ?9 where id = ?1",
    )?
    .execute(params![
        id,
        ended.output,
        ended.error,
        ended.reason,
        ended.tokens.read,
        ended.tokens.cached,
        ended.tokens.written,
        ended.latency_ms,
        ended.cost.0
    ])?;
    Ok(())
}

/// Marks the calls that were under way when the program last stopped.
pub fn cut(db: &Db) -> Result<usize, StoreError> {
    let sql = "update mind_calls set output = '', error = ?1 where output is null";
    Ok(db.execute(sql, params![CUT])?)
}

/// Removes a game's calls, and the prompts that only they were made with.
pub fn forget(db: &Db, game: GameNo) -> Result<(), StoreError> {
    let mut query = db.prepare("select distinct prompt from mind_calls where game = ?1")?;
    let hashes: Vec<Vec<u8>> = query.query_map(params![game.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    db.execute("delete from mind_calls where game = ?1", params![game.0])?;
    for hash in hashes {
        let sql =
            "delete from mind_prompts where hash = ?1 and not exists (select 1 from mind_calls where prompt = ?1)";
        db.execute(sql, params![hash])?;
    }
    Ok(())
}

/// What the day of this moment has cost so far.
pub fn spent_on_day(db: &Db, at: Timestamp) -> Result<Micros, StoreError> {
    let mut query = db.prepare_cached("select cost_micros from mind_days where day = ?1")?;
    let spent = query.query_row(params![day(at)], |row| row.get(0)).optional()?;
    Ok(Micros(spent.unwrap_or(0)))
}

/// What the day of this moment has cost this payer so far.
fn spent_by(db: &Db, payer: &Payer, at: Timestamp) -> Result<Micros, StoreError> {
    let mut query = db.prepare_cached("select cost_micros from mind_payers where day = ?1 and payer = ?2")?;
    let spent = query.query_row(params![day(at), payer.key], |row| row.get(0)).optional()?;
    Ok(Micros(spent.unwrap_or(0)))
}

/// Forgets what payers spent on earlier days.
pub fn forget_payers(db: &Db, at: Timestamp) -> Result<(), StoreError> {
    db.execute("delete from mind_payers where day < ?1", params![day(at)])?;
    Ok(())
}

/// The day of a moment, in UTC.
pub fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

pub fn sum(db: &Db, game: GameNo) -> Result<Sum, StoreError> {
    let mut query = db.prepare_cached(
        "select count(*), count(error), coalesce(sum(tokens_read), 0), coalesce(sum(tokens_cached), 0),
             coalesce(sum(tokens_written), 0), coalesce(sum(cost_micros), 0) from mind_calls where game = ?1",
    )?;
    Ok(query.query_row(params![game.0], |row| {
        Ok(Sum {
            calls: row.get(0)?,
            failed: row.get(1)?,
            tokens: [row.get(2)?, row.get(3)?, row.get(4)?],
            cost: Micros(row.get(5)?),
        })
    })?)
}

/// A game's calls in order, after the one with this number.
pub fn after(db: &Db, game: GameNo, after: i64, limit: usize) -> Result<Vec<Trace>, StoreError> {
    let mut query = db.prepare_cached(
        "select id, seat, seq, status, attempt, mind, prompt_version, words, turn, started_at, output, error, reason,
             tokens_read, tokens_cached, tokens_written, latency_ms, cost_micros
         from mind_calls join mind_prompts on hash = prompt where game = ?1 and id > ?2 order by id limit ?3",
    )?;
    let rows = query.query_map(params![game.0, after, limit as i64], |row| read(row, game))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn read(row: &SqlRow<'_>, game: GameNo) -> rusqlite::Result<Trace> {
    let output: Option<String> = row.get(10)?;
    let ended = match output {
        None => None,
        Some(output) => Some(Ended {
            output,
            error: row.get(11)?,
            reason: row.get(12)?,
            tokens: Tokens { read: row.get(13)?, cached: row.get(14)?, written: row.get(15)? },
            latency_ms: row.get(16)?,
            cost: Micros(row.get(17)?),
        }),
    };
    Ok(Trace {
        id: row.get(0)?,
        begun: Begun {
            game,
            seat: Seat(row.get(1)?),
            seq: Seq(row.get(2)?),
            status: row.get(3)?,
            attempt: row.get(4)?,
            mind: row.get(5)?,
            prompt_version: row.get(6)?,
            prompt: row.get(7)?,
            turn: row.get(8)?,
            most: Micros(row.get(17)?),
            started_at: Timestamp(row.get(9)?),
        },
        ended,
    })
}
