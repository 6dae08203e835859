//! A corpus of any size, filled as fast as the database takes it, for `moot bench` to look things up in.

use crate::corpus::{Event, arguments};
use crate::sqlite;
use crate::{Db, StoreError};
use commons::corpus::hash::ArgHash;
use commons::corpus::lesson::Effect;
use commons::corpus::novelty::LastLanded;
use commons::corpus::stats::{Counters, JuryShift, Use};
use engine::chance::Draw;
use engine::facts::{Fate, Manner};
use engine::time::Timestamp;
use rusqlite::params;
use std::path::Path;
use std::time::{Duration, Instant};

/// When the first argument was used, in milliseconds since 1970.
const START: i64 = 1_800_000_000_000;
/// Uses and defenses of one argument, on average.
const USES: usize = 10;
/// Against how many arguments the same words are used in defense, on average.
const REUSED: usize = 10;

/// One meeting in `RIVALRY` is between an attack that is past its best and the defense that beats it; there are `RIVALS` such pairs.
const RIVALRY: usize = 50;
const RIVALS: usize = 200;

#[derive(Clone, Debug)]
pub struct Size {
    /// Uses of arguments, and as many defenses.
    pub events: usize,
    /// The characters, each with its case.
    pub pairs: Vec<(String, String)>,
}

impl Size {
    pub fn arguments(&self) -> usize {
        (self.events / USES).max(1)
    }

    /// Draws an argument's number, from 1. A few are used a lot: the most popular one has a share of several percent.
    pub fn popular(&self, draw: &mut Draw) -> usize {
        let u = (draw.bits() >> 11) as f64 / (1u64 << 53) as f64;
        1 + (self.arguments() as f64 * u.powi(4)) as usize
    }

    /// An attack that is nearly always beaten, if this is such a meeting, and the number of the defense that beats it.
    fn rivals(&self, draw: &mut Draw) -> Option<(usize, usize)> {
        let rival = draw.below(RIVALS.min(self.arguments()));
        draw.odds(1, RIVALRY).then_some((self.arguments() - rival, rival))
    }

    /// The case and the character an argument is against.
    pub fn pair(&self, argument: usize) -> &(String, String) {
        &self.pairs[argument % self.pairs.len()]
    }
}

fn words(kind: &str, n: usize) -> String {
    let text = "the paper was worth what the king said it was worth, until the day he said something else, and on that day every \
                servant in the kingdom knew before the holders of the notes had found a chair to sit down on";
    format!("{kind} {n}: {text} {n}.")
}

/// Fills a new database.
pub fn fill(directory: &Path, size: &Size, draw: &mut Draw) -> Result<(), StoreError> {
    let db = sqlite::open_bench(&directory.join(crate::FILE))?;
    sqlite::migrate(&db, sqlite::no_outcome)?;
    // If the machine fails, this database is not missed.
    db.execute_batch("pragma synchronous = off; pragma cache_size = -262144; begin immediate")?;
    accounts(&db, size)?;
    let hashes = texts(&db, size, "attack", size.arguments(), 0)?;
    let defenses = texts(&db, size, "defense", (size.events / REUSED).max(1), size.arguments())?;
    uses(&db, size, &hashes, draw)?;
    defend(&db, size, &hashes, &defenses, draw)?;
    arguments::rebuild(&db)?;
    db.execute_batch("commit; pragma wal_checkpoint(truncate)")?;
    Ok(())
}

/// One author for a hundred arguments.
fn accounts(db: &Db, size: &Size) -> Result<(), StoreError> {
    let mut insert = db.prepare(
        "insert into accounts (id, email, username, password, is_admin, created_at) values (?1, ?2, ?2, '', 0, 0)",
    )?;
    for n in 0..=size.arguments() / 100 {
        insert.execute(params![author(n), format!("author-{n}")])?;
    }
    Ok(())
}

fn author(n: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(n as u128 + 1)
}

fn texts(db: &Db, size: &Size, side: &str, count: usize, before: usize) -> Result<Vec<String>, StoreError> {
    let mut insert = db.prepare(
        "insert into arguments (n, hash, text, side, author, label, status, reasons, lineage, created_at, aired, put_up)
         values (?1, ?2, ?3, ?4, ?5, 'what the paper was worth', 'clear', '[]', ?1, ?6, 1, 1)",
    )?;
    let mut hashes = Vec::with_capacity(count);
    for n in 1..=count {
        let text = words(side, n);
        let hash = ArgHash::of(&text).expect("it has words").to_string();
        let author = author(n % (size.arguments() / 100 + 1));
        insert.execute(params![(before + n) as i64, hash, text, side, author, START])?;
        hashes.push(hash);
    }
    Ok(hashes)
}

/// A random outcome of one use, as a trial may produce it.
fn outcome(draw: &mut Draw) -> Effect {
    let triggered = draw.odds(2, 5);
    let verdict = triggered.then(|| *draw.pick(&Fate::ALL));
    let ia_change = draw.below(12) as i32 - 2;
    Effect { jury_shift: draw.below(13) as i32 - 4, triggered, verdict, ia_change }
}

fn uses(db: &Db, size: &Size, hashes: &[String], draw: &mut Draw) -> Result<(), StoreError> {
    let mut counted = vec![(Counters::default(), LastLanded::default()); size.arguments() + 1];
    let mut insert = db.prepare(
        "insert into argument_events (id, arg_hash, trial_id, player_id, case_id, target_character, jury_shift,
             triggered_extraordinary, burden_verdict, ia_change, created_at, external, counted, stat)
         values (?1, ?2, ?3, 'agent-5-0123456789ab', ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 1, ?11)",
    )?;
    for id in 1..=size.events {
        let (n, came) = match size.rivals(draw) {
            Some((n, _)) => (n, Effect { jury_shift: -3, triggered: false, verdict: None, ia_change: -2 }),
            None => (size.popular(draw), outcome(draw)),
        };
        let (case, character) = size.pair(n);
        let at = Timestamp(START + id as i64 * 1000);
        let trial = format!("01a1de9d-3abb-7128-91ca-{id:012x}");
        insert.execute(params![
            id as i64,
            hashes[n - 1],
            trial,
            case,
            character,
            came.jury_shift,
            came.triggered,
            came.verdict.map(Fate::word),
            came.ia_change,
            at.0,
            n as i64,
        ])?;
        let jury_shift = JuryShift::new(came.jury_shift.into()).expect("there are so many jurors");
        let used = Use { jury_shift, triggered: came.triggered, verdict: came.verdict, ia_change: came.ia_change, at };
        counted[n].0.fold(&used);
        counted[n].1.fold(&used);
    }
    stats(db, size, hashes, &counted)
}

/// Everything is listed, so that each event moves as many index entries as it ever can.
fn stats(db: &Db, size: &Size, hashes: &[String], counted: &[(Counters, LastLanded)]) -> Result<(), StoreError> {
    let mut insert = db.prepare(
        "insert into argument_stats (n, arg_hash, case_id, target_character, argument, listed, listed_at, uses, trap_triggers,
             trap_lands, trap_misses, total_ia_won, jury_shift_sum, last_used_at, landed_ago, worked, moved, trials)
         values (?1, ?2, ?3, ?4, ?1, 1, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?6)",
    )?;
    for n in 1..=size.arguments() {
        let (counters, landed) = &counted[n];
        let (case, character) = size.pair(n);
        insert.execute(params![
            n as i64,
            hashes[n - 1],
            case,
            character,
            START + n as i64,
            counters.uses as i64,
            counters.trap_triggers as i64,
            counters.trap_lands as i64,
            counters.trap_misses as i64,
            counters.total_ia_won as i64,
            counters.jury_shift_sum,
            counters.last_used_at.map(|at| at.0),
            landed.trials_ago().map(|ago| ago as i64),
            counters.worked as i64,
            counters.moved as i64,
        ])?;
    }
    Ok(())
}

fn defend(db: &Db, size: &Size, attacks: &[String], defenses: &[String], draw: &mut Draw) -> Result<(), StoreError> {
    let mut insert = db.prepare(
        "insert into defense_corpus (id, defense_hash, argument_hash, case_id, character_id, mode, full_text, outcome, trial_id,
             cited_evidence, created_at, external, counted, angle, attack_lineage, lineage, game, seq)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'E1,E4', ?10, 0, 1, ?11, ?12, ?13, ?1, 3)",
    )?;
    let mut said = db.prepare(
        "insert into spoken (game, seq, argument, case_id, target, player_id, account)
         values (?1, 2, ?2, ?3, ?4, 'agent-5-0123456789ab', ?5)",
    )?;
    for id in 1..=size.events {
        let (n, which, outcome) = match size.rivals(draw) {
            Some((n, which)) => (n, which % defenses.len(), Fate::Proved),
            None => (size.popular(draw), draw.below(defenses.len()), *draw.pick(&Fate::ALL)),
        };
        let (case, character) = size.pair(n);
        let angle = format!("temptation.A{}", draw.below(28));
        insert.execute(params![
            id as i64,
            defenses[which],
            attacks[n - 1],
            case,
            character,
            draw.pick(&Manner::ALL).word(),
            words("defense", which + 1),
            outcome.word(),
            format!("01a1de9d-3abb-7128-91ca-{id:012x}"),
            START + id as i64 * 1000,
            angle,
            n as i64,
            (size.arguments() + which + 1) as i64,
        ])?;
        let prosecutor = author(draw.below(size.arguments() / 100 + 1));
        said.execute(params![id as i64, n as i64, case, character, prosecutor])?;
    }
    db.execute_batch(
        "insert into defense_stats (lineage, character_id, uses, proved, trials)
         select lineage, character_id, count(*), sum(outcome = 'proved'), count(*) from defense_corpus group by lineage, character_id",
    )?;
    Ok(())
}

/// Counts this many uses in the open transaction, and says how long that took.
pub fn count_some(db: &Db, size: &Size, draw: &mut Draw, uses: usize) -> Result<Duration, StoreError> {
    let chosen: Vec<(i64, Effect)> = (0..uses).map(|_| (size.popular(draw) as i64, outcome(draw))).collect();
    let event = Event {
        trial_id: "another trial".into(),
        at: Timestamp(START + 2_000_000_000),
        external: false,
        counted: true,
        own: None,
        key: None,
    };
    let started = Instant::now();
    for (n, came) in &chosen {
        event.count(db, *n, came)?;
    }
    Ok(started.elapsed())
}
