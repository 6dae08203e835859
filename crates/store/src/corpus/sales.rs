//! What is for sale: columns that follow from an argument's standing, consent and record, filled by the decision in
//! `commons::ledger::selling` whenever one of these changes.

use crate::verify::{Bad, bad};
use crate::{Db, StoreError};
use commons::ledger::selling::{Record, Words, is_for_sale};
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};

/// Where an attack stands in the market.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    None,
    /// It was used where it counts.
    Tried,
    NeverTried,
}

impl Section {
    /// As it is stored.
    pub(crate) fn number(self) -> i64 {
        match self {
            Section::None => 0,
            Section::Tried => 1,
            Section::NeverTried => 2,
        }
    }
}

/// Whether an account or a guest of ours has said an argument `a`, or its author has put it up: then only its author releases it.
pub(crate) const OURS: &str =
    "(a.put_up = 1 or exists (select 1 from spoken k where k.argument = a.n and coalesce(k.by_house, 0) = 0)
    or exists (select 1 from argument_stats w where w.argument = a.n and (w.listed = 1 or w.wanted_at is not null)))";

/// What is known of the words of `a`; read by [`words`].
pub(crate) const WORDS: &str = "a.readable, a.aired or (a.opened and a.author is not null), a.put_up";

/// Reads [`WORDS`] from this column on.
pub(crate) fn words(row: &SqlRow<'_>, from: usize) -> rusqlite::Result<Words> {
    Ok(Words { is_readable: row.get(from)?, is_aired: row.get(from + 1)?, is_put_up: row.get(from + 2)? })
}

/// An attack on one character.
const ATTACK: &str = "s.n, s.uses, s.trials, s.moved > 0, s.listed, s.sold, s.section, a.side = 'attack'";

struct Attack {
    n: i64,
    stored: (bool, i64),
    decided: (bool, i64),
}

impl Attack {
    fn read(db: &Db, row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        let listed: bool = row.get(4)?;
        let record = Record {
            uses: row.get::<_, i64>(1)? as u64,
            trials: row.get::<_, i64>(2)? as u64,
            has_moved: row.get(3)?,
            is_put_up: listed,
        };
        let sold = row.get(7)? && is_for_sale(db.terms(), words(row, 8)?, record);
        let section = match (sold && listed, record.uses) {
            (false, _) => Section::None,
            (true, 0) => Section::NeverTried,
            (true, _) => Section::Tried,
        };
        Ok(Attack { n: row.get(0)?, stored: (row.get(5)?, row.get(6)?), decided: (sold, section.number()) })
    }
}

/// A defense by one character in one case.
const DEFENSE: &str =
    "c.n, coalesce(s.uses, 0), coalesce(s.trials, 0), coalesce(s.proved, 0) > 0, c.sold, a.side = 'defense'";
const DEFENSES: &str = "from case_defenses c join arguments a on a.n = c.argument
     left join defense_stats s on s.lineage = c.lineage and s.character_id = c.character_id";

/// The number of the row, whether it is marked as for sale, and whether it is.
fn defense(db: &Db, row: &SqlRow<'_>) -> rusqlite::Result<(i64, bool, bool)> {
    let words = words(row, 6)?;
    let record = Record {
        uses: row.get::<_, i64>(1)? as u64,
        trials: row.get::<_, i64>(2)? as u64,
        has_moved: row.get(3)?,
        is_put_up: words.is_put_up,
    };
    Ok((row.get(0)?, row.get(4)?, row.get(5)? && is_for_sale(db.terms(), words, record)))
}

/// Decides anew on one row of statistics.
pub(crate) fn of_stat(db: &Db, stat: i64) -> Result<(), StoreError> {
    attacks(db, "s.n = ?1", stat)
}

/// Decides anew on everything that an argument stands in.
pub(crate) fn of_argument(db: &Db, argument: i64) -> Result<(), StoreError> {
    attacks(db, "s.argument = ?1", argument)?;
    let sql = format!("select {DEFENSE}, {WORDS} {DEFENSES} where c.argument = ?1");
    defenses(db, &sql, params![argument])
}

/// Decides anew on all variants of a defense by a character.
pub(crate) fn of_defense(db: &Db, lineage: i64, character: &str) -> Result<(), StoreError> {
    let sql = format!("select {DEFENSE}, {WORDS} {DEFENSES} where c.lineage = ?1 and c.character_id = ?2");
    defenses(db, &sql, params![lineage, character])
}

/// Decides anew on everything: after other terms were set, or a migration.
pub(crate) fn of_all(db: &Db) -> Result<(), StoreError> {
    attacks(db, "?1 = 0", 0)?;
    defenses(db, &format!("select {DEFENSE}, {WORDS} {DEFENSES}"), params![])
}

fn attacks(db: &Db, which: &str, value: i64) -> Result<(), StoreError> {
    let sql =
        format!("select {ATTACK}, {WORDS} from argument_stats s join arguments a on a.n = s.argument where {which}");
    let mut query = db.prepare_cached(&sql)?;
    let found = query.query_map(params![value], |row| Attack::read(db, row))?;
    let changed: Vec<Attack> =
        found.filter(|one| one.as_ref().map_or(true, |one| one.stored != one.decided)).collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached("update argument_stats set sold = ?2, section = ?3 where n = ?1")?;
    for one in changed {
        update.execute(params![one.n, one.decided.0, one.decided.1])?;
    }
    Ok(())
}

fn defenses(db: &Db, sql: &str, values: impl rusqlite::Params) -> Result<(), StoreError> {
    let mut query = db.prepare_cached(sql)?;
    let found: Vec<(i64, bool, bool)> = query.query_map(values, |row| defense(db, row))?.collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached("update case_defenses set sold = ?2 where n = ?1")?;
    for (n, _, sold) in found.into_iter().filter(|(_, stored, decided)| stored != decided) {
        update.execute(params![n, sold])?;
    }
    Ok(())
}

/// Checks what is marked as for sale against what it follows from.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    let mut query =
        db.prepare(&format!("select {ATTACK}, {WORDS} from argument_stats s join arguments a on a.n = s.argument"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let one = Attack::read(db, row)?;
        if one.stored != one.decided {
            return Err(bad("argument_stats", one.n, "whether it is for sale does not follow from what became of it"));
        }
    }
    let mut query = db.prepare(&format!("select {DEFENSE}, {WORDS} {DEFENSES}"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (n, stored, decided) = defense(db, row)?;
        if stored != decided {
            return Err(bad("case_defenses", n, "whether it is for sale does not follow from what became of it"));
        }
    }
    // Where trials and consent come from.
    for (table, wrong, what) in [
        (
            "argument_stats",
            "select s.n from argument_stats s where s.trials !=
                 (select count(distinct e.trial_id) from argument_events e where e.stat = s.n and e.counted = 1)",
            "it does not count the trials it was used in",
        ),
        (
            "defense_stats",
            "select s.lineage from defense_stats s where s.trials !=
                 (select count(distinct d.trial_id) from defense_corpus d where d.lineage = s.lineage
                      and d.character_id = s.character_id and d.counted = 1)",
            "it does not count the trials it was given in",
        ),
        (
            "arguments",
            // A report of what somebody of ours said before does not air it; what it aired stays so, whoever says it later.
            "select n from (
                 select a.n, a.aired, a.of_house = 1 or exists (select 1 from spoken k where k.argument = a.n and k.by_house = 1) as house,
                     exists (select 1 from argument_events e where e.arg_hash = a.hash and e.external = 1 and e.counted = 1)
                         or exists (select 1 from defense_corpus d where d.defense_hash = a.hash and d.external = 1 and d.counted = 1)
                         as reported,
                     OURS as ours
                 from arguments a where a.text != ''
             ) where (aired = 0 and (house or (reported and not ours))) or (aired = 1 and not house and not reported)",
            "whether the house or a trusted report says it does not follow from what was said",
        ),
    ] {
        let sql = format!("{} limit 1", wrong.replace("OURS", OURS));
        let found: Option<i64> = db.query_row(&sql, [], |row| row.get(0)).optional()?;
        if let Some(n) = found {
            return Err(bad(table, n, what));
        }
    }
    Ok(())
}
