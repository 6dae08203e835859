//! The archive of a case: attacks that were tried on a character, the most effective first.

use crate::{Db, GameNo, StoreError};
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeSet;

/// Most rows that are read in search of useful attacks of different lineages: near-duplicates stand close together.
const READ_MAX: i64 = 2_000;

/// An attack with its words, for a player who pays to read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archived {
    pub hash: String,
    pub text: String,
    /// What it is about.
    pub label: String,
    /// How well it works, in ten-thousandths.
    pub effectiveness_e4: i64,
    /// How often it was used.
    pub uses: i64,
    /// In how many of these uses it worked.
    pub worked: i64,
}

/// The attacks on a character of a case that rank highest, among those that are for sale and that `is_of_use` accepts. None shares a lineage
/// with `not_hashes`, and no two share one.
pub fn top(
    db: &Db,
    case_id: &str,
    character_id: &str,
    not_hashes: &[String],
    is_of_use: impl Fn(&str) -> bool,
    limit: usize,
) -> Result<Vec<Archived>, StoreError> {
    let mut passed_over = lineages(db, not_hashes)?;
    let mut query = db.prepare_cached(
        "select a.lineage, s.arg_hash, a.text, a.label, s.effectiveness_e4, s.uses, s.worked
         from argument_stats s indexed by stats_by_case cross join arguments a on a.n = s.argument
         where s.case_id = ?1 and s.target_character = ?2 and s.uses > 0 and s.sold = 1
         order by s.low_e4 desc, s.effectiveness_e4 desc limit ?3",
    )?;
    let mut rows = query.query(params![case_id, character_id, READ_MAX])?;
    let mut found = Vec::with_capacity(limit);
    while found.len() < limit
        && let Some(row) = rows.next()?
    {
        let text: String = row.get(2)?;
        if is_of_use(&text) && passed_over.insert(row.get(0)?) {
            found.push(Archived {
                hash: row.get(1)?,
                text,
                label: row.get(3)?,
                effectiveness_e4: row.get(4)?,
                uses: row.get(5)?,
                worked: row.get(6)?,
            });
        }
    }
    Ok(found)
}

/// The hashes of the attacks that were made in a game.
pub fn attacks_of(db: &Db, game: GameNo) -> Result<Vec<String>, StoreError> {
    let mut query = db.prepare_cached(
        "select a.hash from spoken s join arguments a on a.n = s.argument where s.game = ?1 and a.side = 'attack'",
    )?;
    Ok(query.query_map(params![game.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

fn lineages(db: &Db, hashes: &[String]) -> Result<BTreeSet<i64>, StoreError> {
    let mut query = db.prepare_cached("select lineage from arguments where hash = ?1")?;
    let mut found = BTreeSet::new();
    for hash in hashes {
        found.extend(query.query_row(params![hash], |row| row.get::<_, i64>(0)).optional()?);
    }
    Ok(found)
}
