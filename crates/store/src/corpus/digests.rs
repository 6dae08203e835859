//! Digests: public figures of a case that quote none of its words, counted once a day and kept as JSON.

use crate::corpus::burden;
use crate::ledger::day;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{Score, TenThousandths, interval};
use commons::corpus::stats::{JuryShift, Use};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many rows each table of a digest has at most.
const ROWS_MAX: usize = 10;
/// With fewer uses than this, a figure says too little for a table of the best.
const USES_MIN: i64 = 3;
/// A trend of more days than this is shown in weeks.
const DAYS_MAX: usize = 60;
/// Most weeks in a trend: the newest.
const WEEKS_MAX: usize = 104;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What was counted of a case. Stored as JSON: fields may be added, never changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Digest {
    /// Trials in which something was argued.
    pub trials: u64,
    /// Attacks that were weighed.
    pub uses: u64,
    /// What was tried most.
    pub vectors: Vec<Vector>,
    /// Who defended how often, the busiest first.
    pub defenders: Vec<Defender>,
    /// The attacks that do best.
    pub attacks: Vec<Best>,
    /// The defenses that do best.
    pub defenses: Vec<Best>,
    /// How many days one point of the trend covers: one or seven.
    pub step_days: u64,
    /// From the first day to the last, without gaps.
    pub trend: Vec<Point>,
}

/// A way to attack a character.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vector {
    /// What it is about; never the text.
    pub label: String,
    pub character_id: String,
    /// How often it was tried, in all its variants.
    pub uses: u64,
    /// Whether its title has changed hands.
    #[serde(default)]
    pub taken: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Defender {
    pub character_id: String,
    /// Defenses that were given.
    pub defenses: u64,
    /// Those that were proved.
    pub proved: u64,
}

/// An attack or a defense that does well.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Best {
    /// What it is about; never the text.
    pub label: String,
    /// Against whom, or by whom.
    pub character_id: String,
    pub effectiveness_e4: i64,
    /// How often it was used.
    pub uses: u64,
    /// In how many of these uses it worked.
    #[serde(default)]
    pub worked: u64,
    /// Whether its title has changed hands.
    #[serde(default)]
    pub taken: bool,
}

impl Best {
    /// The ends of the interval around the share of uses that worked.
    pub fn interval(&self) -> (TenThousandths, TenThousandths) {
        interval(self.worked, self.uses)
    }
}

/// A day or a week.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Its first day, counted from the first of January 1970.
    pub day: i64,
    /// Attacks that were weighed.
    pub uses: u64,
    /// How well they went on average, in ten-thousandths; none if there were no uses.
    pub mean_e4: Option<i64>,
}

/// Counts these cases, each given with the characters charged in it. Reads only, row by row.
pub fn count(db: &Db, cases: &[(String, Vec<String>)]) -> Result<Vec<(String, Digest)>, StoreError> {
    let mut days = by_day(db)?;
    let mut trials = trials(db)?;
    let mut defenders = defenders(db)?;
    let mut digests = Vec::new();
    for (case, characters) in cases {
        let days = days.remove(case).unwrap_or_default();
        let (step_days, trend) = trend(&days);
        let mut defenders = defenders.remove(case).unwrap_or_default();
        defenders.retain(|one| characters.contains(&one.character_id));
        defenders.sort_by_key(|one| (Reverse(one.defenses), one.character_id.clone()));
        let digest = Digest {
            trials: trials.remove(case).unwrap_or(0),
            uses: days.values().map(|(uses, _)| uses).sum(),
            vectors: vectors(db, case)?,
            defenders,
            attacks: attacks(db, case)?,
            defenses: defenses(db, case, characters)?,
            step_days,
            trend,
        };
        digests.push((case.clone(), digest));
    }
    Ok(digests)
}

/// By day: uses, and the sum of how well they went, in ten-thousandths.
type Days = BTreeMap<i64, (u64, i64)>;

fn by_day(db: &Db) -> Result<BTreeMap<String, Days>, StoreError> {
    let mut cases: BTreeMap<String, Days> = BTreeMap::new();
    let mut query = db.prepare(
        "select case_id, created_at, jury_shift, triggered_extraordinary, burden_verdict from argument_events where counted = 1",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let verdict = row.get_ref(4)?.as_str_or_null().ok().flatten().and_then(burden);
        let jury_shift = JuryShift::new(row.get(2)?).map_err(|wrong| StoreError::Broken(wrong.to_string()))?;
        let at = Timestamp(row.get(1)?);
        let used = Use { jury_shift, triggered: row.get(3)?, verdict, ia_change: 0, at };
        let case = row.get_ref(0)?.as_str().unwrap_or_default();
        // Looked up before it is copied: there are few cases and many rows.
        if !cases.contains_key(case) {
            cases.insert(case.to_owned(), Days::new());
        }
        let Some(days) = cases.get_mut(case) else { continue };
        let (uses, sum) = days.entry(day(at)).or_default();
        *uses += 1;
        *sum += Score::of_use(&used).stored().0;
    }
    Ok(cases)
}

/// Days, or weeks if there are many, from the first to the last.
fn trend(days: &Days) -> (u64, Vec<Point>) {
    let (Some((first, _)), Some((last, _))) = (days.first_key_value(), days.last_key_value()) else {
        return (1, vec![]);
    };
    let step = if (last - first) as usize >= DAYS_MAX { 7 } else { 1 };
    let newest = (last - first) / step;
    let oldest = (newest + 1 - WEEKS_MAX as i64).max(0);
    let point = |number: i64| {
        let from = first + number * step;
        let (uses, sum) = days.range(from..from + step).fold((0, 0), |all, (_, one)| (all.0 + one.0, all.1 + one.1));
        Point { day: from, uses, mean_e4: (uses > 0).then(|| sum / uses as i64) }
    };
    (step as u64, (oldest..=newest).map(point).collect())
}

/// Our own trials by what was said in them, others by what trusted keys report.
fn trials(db: &Db) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut trials: BTreeMap<String, u64> = BTreeMap::new();
    // In the order of the table, where all of a game stands together: a trial is about one case.
    let mut query = db.prepare("select game, case_id from spoken order by game, seq")?;
    let mut rows = query.query([])?;
    let mut before = None;
    while let Some(row) = rows.next()? {
        let game: i64 = row.get(0)?;
        if before != Some(game) {
            before = Some(game);
            let case = row.get_ref(1)?.as_str().unwrap_or_default();
            match trials.get_mut(case) {
                Some(trials) => *trials += 1,
                None => drop(trials.insert(case.to_owned(), 1)),
            }
        }
    }
    let mut query = db.prepare(
        "select case_id, count(distinct key || trial_id) from argument_events indexed by argument_events_outside
         where external = 1 and counted = 1 group by case_id",
    )?;
    for row in query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))? {
        let (case, elsewhere) = row?;
        *trials.entry(case).or_default() += elsewhere as u64;
    }
    Ok(trials)
}

fn defenders(db: &Db) -> Result<BTreeMap<String, Vec<Defender>>, StoreError> {
    let mut cases: BTreeMap<String, Vec<Defender>> = BTreeMap::new();
    let mut query = db.prepare("select case_id, character_id, outcome from defense_corpus where counted = 1")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (case, character) = (row.get_ref(0)?.as_str().unwrap_or_default(), row.get_ref(1)?);
        let character = character.as_str().unwrap_or_default();
        let proved = u64::from(row.get_ref(2)?.as_str() == Ok("proved"));
        if !cases.contains_key(case) {
            cases.insert(case.to_owned(), vec![]);
        }
        let Some(defenders) = cases.get_mut(case) else { continue };
        match defenders.iter_mut().find(|one| one.character_id == character) {
            Some(one) => {
                one.defenses += 1;
                one.proved += proved;
            }
            None => defenders.push(Defender { character_id: character.to_owned(), defenses: 1, proved }),
        }
    }
    Ok(cases)
}

/// Whether a title has changed hands.
const TAKEN: &str = "exists (select 1 from thrones t where t.case_id = ?1 and t.character_id = s.target_character \
    and t.asset_type = 'attack' and t.lineage = a.lineage)";

/// A digest shows labels only, so arguments with the same label are shown as one way to attack, here and below.
fn vectors(db: &Db, case: &str) -> Result<Vec<Vector>, StoreError> {
    let sql = format!(
        "select f.label, s.target_character, sum(s.uses), max({TAKEN}) from argument_stats s join arguments a on a.n = s.argument
         join arguments f on f.n = a.lineage
         where s.case_id = ?1 and s.uses > 0 and a.side = 'attack' and f.readable = 1
         group by f.label, s.target_character order by 3 desc, min(a.lineage) limit ?2"
    );
    let mut query = db.prepare(&sql)?;
    let rows = query.query_map(params![case, ROWS_MAX as i64], |row| {
        let uses: i64 = row.get(2)?;
        Ok(Vector { label: row.get(0)?, character_id: row.get(1)?, uses: uses as u64, taken: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How well several arguments do together, weighted by their uses; halves are rounded up.
const TOGETHER: &str = "(2 * sum(s.effectiveness_e4 * s.uses) + sum(s.uses)) / (2 * sum(s.uses))";

fn attacks(db: &Db, case: &str) -> Result<Vec<Best>, StoreError> {
    let sql = format!(
        "select f.label, s.target_character, {TOGETHER}, sum(s.uses), max({TAKEN}), sum(s.worked)
         from argument_stats s join arguments a on a.n = s.argument join arguments f on f.n = a.lineage
         where s.case_id = ?1 and s.uses > 0 and a.side = 'attack' and f.readable = 1
         group by f.label, s.target_character having sum(s.uses) >= ?2 order by min(a.lineage)"
    );
    let mut query = db.prepare(&sql)?;
    let found = query.query_map(params![case, USES_MIN], read_best)?.collect::<Result<_, _>>()?;
    Ok(ranked(found))
}

/// The best of these: those whose share of uses that worked is certain to be high.
fn ranked(mut found: Vec<Best>) -> Vec<Best> {
    found.sort_by_key(|best| Reverse((best.interval().0, best.uses)));
    found.truncate(ROWS_MAX);
    found
}

fn defenses(db: &Db, case: &str, characters: &[String]) -> Result<Vec<Best>, StoreError> {
    // Each variant has its own row, with the figures of all of them.
    let sql = format!(
        "select s.label, s.character_id, {TOGETHER}, sum(s.uses), max(s.taken), sum(s.proved) from (
             select distinct a.label, d.character_id, d.effectiveness_e4, d.uses, d.proved, d.lineage,
                 exists (select 1 from thrones t where t.case_id = ?1 and t.character_id = d.character_id
                     and t.asset_type = 'defense' and t.lineage = d.lineage) as taken
             from case_defenses d indexed by defenses_by_effectiveness join arguments a on a.n = d.lineage
             where d.case_id = ?1 and d.uses > 0 and a.readable = 1) s
         group by s.label, s.character_id having sum(s.uses) >= ?2 order by min(s.lineage)"
    );
    let mut query = db.prepare(&sql)?;
    let mut found: Vec<Best> = query.query_map(params![case, USES_MIN], read_best)?.collect::<Result<_, _>>()?;
    found.retain(|best| characters.contains(&best.character_id));
    Ok(ranked(found))
}

fn read_best(row: &rusqlite::Row<'_>) -> rusqlite::Result<Best> {
    let uses: i64 = row.get(3)?;
    Ok(Best {
        label: row.get(0)?,
        character_id: row.get(1)?,
        effectiveness_e4: row.get(2)?,
        uses: uses as u64,
        taken: row.get(4)?,
        worked: row.get::<_, i64>(5)? as u64,
    })
}

/// Keeps digests, leaving those that did not change as they are. Returns how many were written.
pub fn keep(db: &Db, digests: &[(String, Digest)], at: Timestamp) -> Result<usize, StoreError> {
    let mut changed = 0;
    for (case, digest) in digests {
        let body = serde_json::to_string(digest).map_err(|error| StoreError::Broken(error.to_string()))?;
        changed += db
            .prepare_cached(
                "insert into case_digests (case_id, body, made_at) values (?1, ?2, ?3)
                 on conflict (case_id) do update set body = excluded.body, made_at = excluded.made_at
                     where body != excluded.body",
            )?
            .execute(params![case, body, at.0])?;
    }
    Ok(changed)
}

/// When the digest of a case was made.
pub fn made_at(db: &Db, case: &str) -> Result<Option<Timestamp>, StoreError> {
    let mut query = db.prepare_cached("select made_at from case_digests where case_id = ?1")?;
    Ok(query.query_row(params![case], |row| Ok(Timestamp(row.get(0)?))).optional()?)
}

/// The digest of a case, and when it was made.
pub fn read(db: &Db, case: &str) -> Result<Option<(Digest, Timestamp)>, StoreError> {
    let mut query = db.prepare_cached("select body, made_at from case_digests where case_id = ?1")?;
    let found: Option<(String, i64)> =
        query.query_row(params![case], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((body, at)) = found else { return Ok(None) };
    let digest = serde_json::from_str(&body).map_err(|error| StoreError::Broken(error.to_string()))?;
    Ok(Some((digest, Timestamp(at))))
}

/// The moment at which a day begins.
pub fn moment(day: i64) -> Timestamp {
    Timestamp(day * DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_has_no_gaps_and_a_long_one_is_told_by_weeks() {
        let short: Days = [(100, (2, 12_000)), (103, (1, 5_000))].into();
        let (step, points) = trend(&short);
        let told: Vec<_> = points.iter().map(|point| (point.day, point.uses, point.mean_e4)).collect();
        assert_eq!(
            (step, told),
            (1, vec![(100, 2, Some(6_000)), (101, 0, None), (102, 0, None), (103, 1, Some(5_000))])
        );
        let long: Days = (0..1_000).map(|day| (day, (1, day))).collect();
        let (step, points) = trend(&long);
        assert_eq!((step, points.len()), (7, WEEKS_MAX));
        let last = points.last().expect("points");
        assert_eq!((last.day, last.uses, last.mean_e4), (994, 6, Some(996)));
        assert_eq!(trend(&Days::new()), (1, vec![]));
    }
}
