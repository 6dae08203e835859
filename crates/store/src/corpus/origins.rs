//! Whose words a new text is made of: looked up in everything that was said before, on both sides.

use crate::corpus::arguments::side_word;
use crate::{Db, StoreError};
use commons::corpus::credit::{Rows, Taken};
use commons::corpus::hash::Normal;
use commons::corpus::lesson::Text;
use commons::corpus::similarity::Comparable;
use engine::facts::Side;
use engine::id::AccountId;
use rusqlite::params;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Most older texts that are looked at for one row of words: those that came first. A row that more have is a commonplace.
const HITS_MAX: i64 = 200;
/// Most older texts that are compared in full: those that share most of the rows they are found by.
const COMPARED_MAX: usize = 50;

/// What was found for a new text.
pub(crate) struct Found {
    /// The older argument that it takes over.
    pub(crate) origin: Option<i64>,
    /// The lineage that it joins; none if it begins one.
    pub(crate) lineage: Option<i64>,
    /// Its author; none if most of it is another's, or nobody's.
    pub(crate) author: Option<AccountId>,
}

/// Looks up whose words a text is made of. Near-duplicates on the same side, and texts of which an older one on the same side makes up at least
/// half, are of its lineage. Words of others are not the sender's work on either side.
pub(crate) fn find(db: &Db, n: i64, text: &Text, side: Side, sender: Option<AccountId>) -> Result<Found, StoreError> {
    let kin = kin(db, n, text, side)?;
    let older = match &text.rows {
        Some(rows) => older(db, n, rows)?,
        None => None,
    };
    let joined = older.as_ref().filter(|older| older.side == side_word(side) && older.taken == Taken::Mostly);
    let lineage = kin.as_ref().or(joined).map(|older| older.lineage);
    let mine = |older: &Older| older.author.is_some() && older.author == sender;
    let author = sender.filter(|_| [&older, &kin].into_iter().flatten().all(mine));
    let origin = older.or(kin).map(|older| older.n);
    Ok(Found { origin, lineage, author })
}

/// Whether a text that is not known yet would be its sender's own work.
pub(crate) fn is_own(db: &Db, text: &Text, sender: AccountId) -> Result<bool, StoreError> {
    let is_the_houses = text.rows.as_ref().is_some_and(|rows| !db.house_lines().in_text(rows).is_empty());
    Ok(!is_the_houses && find(db, i64::MAX, text, Side::Attack, Some(sender))?.author.is_some())
}

/// Stores the numbers by which a text is found.
pub(crate) fn sign(db: &Db, n: i64, text: &Text) -> Result<(), StoreError> {
    let mut insert =
        db.prepare_cached("insert or ignore into argument_signatures (element, argument) values (?1, ?2)")?;
    for element in text.elements() {
        insert.execute(params![element, n])?;
    }
    Ok(())
}

/// An argument that was said before.
struct Older {
    n: i64,
    lineage: i64,
    side: String,
    author: Option<AccountId>,
    text: String,
    taken: Taken,
}

fn read(db: &Db, n: i64) -> Result<Older, StoreError> {
    let mut query = db.prepare_cached("select lineage, side, author, text from arguments where n = ?1")?;
    Ok(query.query_row(params![n], |row| {
        Ok(Older {
            n,
            lineage: row.get(0)?,
            side: row.get(1)?,
            author: row.get::<_, Option<Uuid>>(2)?.map(AccountId),
            text: row.get(3)?,
            taken: Taken::Mostly,
        })
    })?)
}

/// How many of these numbers each older argument is found by.
fn hits(db: &Db, before: i64, elements: impl Iterator<Item = i64>) -> Result<BTreeMap<i64, usize>, StoreError> {
    let mut found: BTreeMap<i64, usize> = BTreeMap::new();
    let mut query =
        db.prepare_cached("select argument from argument_signatures where element = ?1 and argument < ?2 limit ?3")?;
    for element in elements {
        let mut rows = query.query(params![element, before, HITS_MAX])?;
        while let Some(row) = rows.next()? {
            *found.entry(row.get(0)?).or_default() += 1;
        }
    }
    Ok(found)
}

/// The first argument on the same side that this text is a near-duplicate of.
fn kin(db: &Db, n: i64, text: &Text, side: Side) -> Result<Option<Older>, StoreError> {
    if text.signature.is_empty() {
        return Ok(None);
    }
    let Ok(normal) = Normal::of(&text.text) else { return Ok(None) };
    let own = Comparable::of(&normal);
    for (near, _) in hits(db, n, text.signature.iter().copied())? {
        let older = read(db, near)?;
        let is_kin = |older: &Older| Normal::of(&older.text).is_ok_and(|other| own.is_kin(&Comparable::of(&other)));
        if older.side == side_word(side) && is_kin(&older) {
            return Ok(Some(older));
        }
    }
    Ok(None)
}

/// The older argument that this text takes most from: the one that makes up most of it, and the oldest of equal ones.
fn older(db: &Db, n: i64, rows: &Rows) -> Result<Option<Older>, StoreError> {
    let mut near: Vec<(i64, usize)> = hits(db, n, rows.all())?.into_iter().collect();
    near.sort_by_key(|(older, hits)| (Reverse(*hits), *older));
    let mut best: Option<(usize, Older)> = None;
    for (near, _) in near.into_iter().take(COMPARED_MAX) {
        let mut older = read(db, near)?;
        let theirs = Rows::of(&older.text);
        let Some(taken) = rows.taken(&theirs) else { continue };
        older.taken = taken;
        let shared = rows.shared(&theirs);
        let is_better = |(most, first): &(usize, Older)| (shared, Reverse(older.n)) > (*most, Reverse(first.n));
        if best.as_ref().is_none_or(is_better) {
            best = Some((shared, older));
        }
    }
    Ok(best.map(|(_, older)| older))
}
