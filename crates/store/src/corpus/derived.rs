//! What follows from the events of the corpus: effectiveness and decay, worked out for all of it at once, by the nightly job.

use crate::corpus::burden;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{Score, Track};
use commons::corpus::stats::{JuryShift, Use};
use engine::time::Timestamp;
use rusqlite::params;
use std::collections::HashMap;

/// Most derived rows of each table that are written in one transaction: few enough that other writes do not wait long, many enough that
/// pages which all of them touch are written once.
const WRITTEN_AT_ONCE: usize = 20_000;

/// What a derived row should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Derived {
    effectiveness: i64,
    slope: i64,
    change: i64,
    recent: i64,
    low: i64,
    high: i64,
}

impl Derived {
    fn of(track: &Track) -> Self {
        let standing = track.standing();
        Derived {
            effectiveness: standing.effectiveness.0,
            slope: standing.decay_slope.0,
            change: standing.recent_change.0,
            recent: standing.recent_uses as i64,
            low: standing.low.0,
            high: standing.high.0,
        }
    }
}

/// What a recomputation found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recomputed {
    pub events: u64,
    /// Rows of statistics looked at.
    pub rows: u64,
    /// Rows that had to be changed.
    pub changed: u64,
}

/// What is to be changed, worked out from one snapshot of the database.
pub struct Changes {
    stats: Vec<(i64, Derived)>,
    defenses: Vec<(i64, String, i64)>,
    /// Rows of the cases' archives, written in their own order, so that neighbours share pages.
    cases: Vec<CaseRow>,
    pub found: Recomputed,
}

/// Folds every event in order and compares with what is stored. Reads only; [`write`] writes.
pub fn derive(db: &Db) -> Result<Changes, StoreError> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut found = Recomputed::default();
    let mut query = db.prepare(
        "select stat, jury_shift, triggered_extraordinary, burden_verdict, counted from argument_events order by id",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        found.events += 1;
        if !row.get::<_, bool>(4)? {
            continue;
        }
        let stat = row.get::<_, i64>(0)? as usize;
        if tracks.len() <= stat {
            tracks.resize(stat + 1, Track::default());
        }
        let verdict = row.get_ref(3)?.as_str_or_null().ok().flatten().and_then(burden);
        let jury_shift = JuryShift::new(row.get(1)?).map_err(|wrong| StoreError::Broken(wrong.to_string()))?;
        // Neither the time nor the money is part of a score.
        let used = Use { jury_shift, triggered: row.get(2)?, verdict, ia_change: 0, at: Timestamp(0) };
        tracks[stat].fold(Score::of_use(&used));
    }
    let mut stats = Vec::new();
    let mut query = db.prepare(
        "select n, effectiveness_e4, decay_slope_e4, recent_change_e4, recent_uses, low_e4, high_e4 from argument_stats",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        found.rows += 1;
        let n: i64 = row.get(0)?;
        let stored = Derived {
            effectiveness: row.get(1)?,
            slope: row.get(2)?,
            change: row.get(3)?,
            recent: row.get(4)?,
            low: row.get(5)?,
            high: row.get(6)?,
        };
        let derived = Derived::of(&tracks.get(n as usize).copied().unwrap_or_default());
        if stored != derived {
            stats.push((n, derived));
        }
    }
    let (defenses, cases) = derive_defenses(db, &mut found)?;
    found.changed = (stats.len() + defenses.len() + cases.len()) as u64;
    Ok(Changes { stats, defenses, cases, found })
}

/// A row of an archive with its effectiveness and the lower end of its interval.
type CaseRow = (i64, i64, i64);
/// Changed defenses by lineage and character, and changed rows of the archives.
type ChangedDefenses = (Vec<(i64, String, i64)>, Vec<CaseRow>);

/// By lineage and character; characters by number, so that no name is copied a million times.
fn derive_defenses(db: &Db, found: &mut Recomputed) -> Result<ChangedDefenses, StoreError> {
    let mut characters: HashMap<String, u32> = HashMap::new();
    let mut tracks: HashMap<(i64, u32), Track> = HashMap::new();
    let mut query =
        db.prepare("select lineage, character_id, outcome from defense_corpus where counted = 1 order by id")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        found.events += 1;
        let Some(outcome) = burden(row.get_ref(2)?.as_str().unwrap_or_default()) else { continue };
        let name = row.get_ref(1)?.as_str().unwrap_or_default();
        let character = match characters.get(name) {
            Some(character) => *character,
            None => {
                let next = characters.len() as u32;
                characters.insert(name.to_owned(), next);
                next
            }
        };
        tracks.entry((row.get(0)?, character)).or_default().fold(Score::of_defense(outcome));
    }
    let derived = |lineage: i64, name: &str| {
        let track = characters.get(name).and_then(|character| tracks.get(&(lineage, *character)));
        track.copied().unwrap_or_default().standing()
    };
    let mut changed = Vec::new();
    let mut query = db.prepare("select lineage, character_id, effectiveness_e4 from defense_stats")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        found.rows += 1;
        let (lineage, name): (i64, &str) = (row.get(0)?, row.get_ref(1)?.as_str().unwrap_or_default());
        let effectiveness = derived(lineage, name).effectiveness.0;
        if row.get::<_, i64>(2)? != effectiveness {
            changed.push((lineage, name.to_owned(), effectiveness));
        }
    }
    let mut cases = Vec::new();
    let mut query =
        db.prepare("select n, lineage, character_id, effectiveness_e4, low_e4 from case_defenses order by n")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let standing = derived(row.get(1)?, row.get_ref(2)?.as_str().unwrap_or_default());
        let (effectiveness, low) = (standing.effectiveness.0, standing.low.0);
        if (row.get::<_, i64>(3)?, row.get::<_, i64>(4)?) != (effectiveness, low) {
            cases.push((row.get(0)?, effectiveness, low));
        }
    }
    Ok((changed, cases))
}

/// Splits changes into parts, one transaction each, so that other writes do not wait long.
pub fn parts(changes: Changes) -> impl Iterator<Item = Changes> {
    let Changes { stats, defenses, cases, found } = changes;
    let (mut stats, mut defenses, mut cases) = (stats.into_iter(), defenses.into_iter(), cases.into_iter());
    std::iter::from_fn(move || {
        let part = Changes {
            stats: stats.by_ref().take(WRITTEN_AT_ONCE).collect(),
            defenses: defenses.by_ref().take(WRITTEN_AT_ONCE).collect(),
            cases: cases.by_ref().take(WRITTEN_AT_ONCE).collect(),
            found,
        };
        let is_empty = part.stats.is_empty() && part.defenses.is_empty() && part.cases.is_empty();
        (!is_empty).then_some(part)
    })
}

/// Writes derived values. Two nodes that do so at once write the same.
pub fn write(db: &Db, part: &Changes) -> Result<(), StoreError> {
    let mut update = db.prepare_cached(
        "update argument_stats set effectiveness_e4 = ?2, decay_slope_e4 = ?3, recent_change_e4 = ?4, recent_uses = ?5,
             low_e4 = ?6, high_e4 = ?7 where n = ?1",
    )?;
    for (n, derived) in &part.stats {
        let Derived { effectiveness, slope, change, recent, low, high } = derived;
        update.execute(params![n, effectiveness, slope, change, recent, low, high])?;
    }
    let mut update =
        db.prepare_cached("update defense_stats set effectiveness_e4 = ?3 where lineage = ?1 and character_id = ?2")?;
    for (lineage, character, effectiveness) in &part.defenses {
        update.execute(params![lineage, character, effectiveness])?;
    }
    let mut update = db.prepare_cached("update case_defenses set effectiveness_e4 = ?2, low_e4 = ?3 where n = ?1")?;
    for (n, effectiveness, low) in &part.cases {
        update.execute(params![n, effectiveness, low])?;
    }
    Ok(())
}
