//! The moderators' queue: words that were flagged, and what moderators decided about them.

use crate::corpus::{arguments, sales};
use crate::{Db, StoreError};
use commons::corpus::moderation::{Decision, Reason, Standing};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};

/// Words that wait for a moderator.
#[derive(Clone, PartialEq, Debug)]
pub struct Flagged {
    pub n: i64,
    pub hash: String,
    pub text: String,
    /// What they are called.
    pub label: String,
    pub side: String,
    /// Why they were flagged.
    pub reasons: Vec<Reason>,
    /// Their author's name, if an account wrote them.
    pub author: Option<String>,
    /// Whether their author waits for them to be listed.
    pub wanted: bool,
    pub created_at: Timestamp,
}

/// Flagged words with a higher number than `after`, oldest first.
pub fn queue(db: &Db, after: i64, limit: usize) -> Result<Vec<Flagged>, StoreError> {
    let mut query = db.prepare_cached(
        "select a.n, a.hash, a.text, a.label, a.side, a.reasons, u.username, a.created_at,
             exists (select 1 from argument_stats s where s.argument = a.n and s.wanted_at is not null)
         from arguments a left join accounts u on u.id = a.author and u.deleted_at is null
         where a.status = 'flagged' and a.n > ?1 order by a.n limit ?2",
    )?;
    let mut rows = query.query(params![after, limit as i64])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let reasons: String = row.get(5)?;
        found.push(Flagged {
            n: row.get(0)?,
            hash: row.get(1)?,
            text: row.get(2)?,
            label: row.get(3)?,
            side: row.get(4)?,
            reasons: read_reasons(&reasons)?,
            author: row.get(6)?,
            created_at: Timestamp(row.get(7)?),
            wanted: row.get(8)?,
        });
    }
    Ok(found)
}

/// What came of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    /// The decision stands, and this many listings changed with it.
    Done(usize),
    /// There are no such words.
    Unknown,
    /// There is nothing to decide: only statistics are kept of them, or the words are gone.
    NothingToDecide,
}

/// Decides about some words. If they are approved, listings that waited are listed; if not, none of their listings stays.
pub fn decide(
    db: &Db,
    hash: &str,
    decision: Decision,
    note: &str,
    moderator: AccountId,
    at: Timestamp,
) -> Result<Decided, StoreError> {
    let mut query = db.prepare_cached("select n, status = 'counted' or text = '' from arguments where hash = ?1")?;
    let known: Option<(i64, bool)> = query.query_row(params![hash], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let n = match known {
        None => return Ok(Decided::Unknown),
        Some((_, true)) => return Ok(Decided::NothingToDecide),
        Some((n, false)) => n,
    };
    set_standing(db, n, decision.standing())?;
    db.execute(
        "insert into decisions (argument, decision, note, moderator, created_at) values (?1, ?2, ?3, ?4, ?5)",
        params![n, decision.standing().word(), note, moderator.0, at.0],
    )?;
    let changed = match decision {
        Decision::Approve => list_wanted(db, n, at)?,
        // The author is told, so the wish to list them is kept.
        Decision::Reject => db.execute(
            "update argument_stats set listed = 0, wanted_at = coalesce(wanted_at, ?2), listed_at = null
             where argument = ?1 and (listed = 1 or wanted_at is not null)",
            params![n, at.0],
        )?,
    };
    sales::of_argument(db, n)?;
    Ok(Decided::Done(changed))
}

fn set_standing(db: &Db, n: i64, standing: Standing) -> Result<(), StoreError> {
    arguments::change(db, n, |db| {
        db.prepare_cached("update arguments set status = ?2 where n = ?1")?.execute(params![n, standing.word()])?;
        Ok(())
    })
}

fn list_wanted(db: &Db, argument: i64, at: Timestamp) -> Result<usize, StoreError> {
    let sql = "update argument_stats set listed = 1, listed_at = ?2, wanted_at = null
               where argument = ?1 and wanted_at is not null";
    Ok(db.prepare_cached(sql)?.execute(params![argument, at.0])?)
}

/// Words that wait only for the moderation service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unchecked {
    pub n: i64,
    pub text: String,
}

/// The reasons of such words, as they are stored.
const UNCHECKED: &str = r#"[{"code":"unchecked"}]"#;

/// The newest of them before this number.
pub fn unchecked(db: &Db, before: i64, limit: usize) -> Result<Vec<Unchecked>, StoreError> {
    let mut query = db.prepare_cached(
        "select n, text from arguments indexed by arguments_flagged
         where status = 'flagged' and reasons = ?1 and text != '' and n < ?2 order by n desc limit ?3",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok(Unchecked { n: row.get(0)?, text: row.get(1)? });
    Ok(query.query_map(params![UNCHECKED, before, limit as i64], read)?.collect::<Result<_, _>>()?)
}

/// Clears words that the moderation service has nothing against, and lists them where their author wants that. What a moderator decided
/// meanwhile stands, and so do other reasons.
pub fn release(db: &Db, n: i64, at: Timestamp) -> Result<(), StoreError> {
    let changed = arguments::change(db, n, |db| {
        let sql = "update arguments set status = ?3, reasons = '[]' where n = ?1 and status = ?4 and reasons = ?2";
        let (clear, flagged) = (Standing::Clear.word(), Standing::Flagged.word());
        Ok(db.prepare_cached(sql)?.execute(params![n, UNCHECKED, clear, flagged])?)
    })?;
    if changed > 0 {
        list_wanted(db, n, at)?;
        sales::of_argument(db, n)?;
    }
    Ok(())
}

/// Makes words wait for a moderator after all. What a moderator decided before stands.
pub fn flag(db: &Db, n: i64, reasons: &[Reason], at: Timestamp) -> Result<(), StoreError> {
    let reasons = serde_json::to_string(reasons).expect("reasons are plain values");
    let changed = arguments::change(db, n, |db| {
        let sql = "update arguments set status = ?4, reasons = ?2
                   where n = ?1 and (status = ?5 or status = ?4 and reasons = ?3)";
        let (flagged, clear) = (Standing::Flagged.word(), Standing::Clear.word());
        Ok(db.prepare_cached(sql)?.execute(params![n, reasons, UNCHECKED, flagged, clear])?)
    })?;
    if changed > 0 {
        let sql = "update argument_stats set listed = 0, listed_at = null, wanted_at = coalesce(wanted_at, ?2)
                   where argument = ?1 and listed = 1";
        db.prepare_cached(sql)?.execute(params![n, at.0])?;
        sales::of_argument(db, n)?;
    }
    Ok(())
}

/// What the last moderator said about it.
pub(crate) fn last_note(db: &Db, argument: i64) -> Result<String, StoreError> {
    let mut query = db.prepare_cached("select note from decisions where argument = ?1 order by n desc limit 1")?;
    Ok(query.query_row(params![argument], |row| row.get(0)).optional()?.unwrap_or_default())
}

pub(crate) fn read_reasons(text: &str) -> Result<Vec<Reason>, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Broken(format!("arguments.reasons: {error}")))
}
