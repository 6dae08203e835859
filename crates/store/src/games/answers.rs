//! First answers to requests that concern no game, so that a request that is sent twice takes effect once.

use crate::games::Answered;
use crate::{Db, StoreError};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};

/// A request that must take effect once, however often it is sent.
#[derive(Clone)]
pub struct Once {
    /// A hash that stands for the caller.
    pub caller: [u8; 32],
    /// The caller's own key for this request.
    pub key: String,
    /// The hash of what is asked.
    pub request: [u8; 32],
}

/// What was answered before to a request with the same key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Earlier {
    Same(Vec<u8>),
    /// The key was used for another request.
    Other,
}

pub fn earlier(db: &Db, once: &Once) -> Result<Option<Earlier>, StoreError> {
    let mut query = db.prepare_cached("select request, answer from outside_answers where caller = ?1 and key = ?2")?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: Option<Answered> = query.query_row(params![once.caller, once.key], read).optional()?;
    Ok(found.map(|(request, answer)| if request == once.request { Earlier::Same(answer) } else { Earlier::Other }))
}

/// Keeps an answer for the next time.
pub fn remember(db: &Db, once: &Once, answer: &[u8], at: Timestamp) -> Result<(), StoreError> {
    db.prepare_cached(
        "insert into outside_answers (caller, key, request, answer, created_at) values (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![once.caller, once.key, once.request, answer, at.0])?;
    Ok(())
}
