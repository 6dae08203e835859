//! Whether the corpus has learnt what the logs taught, all of it and once: the part of `verify` that looks at arguments.

use super::corpus::burden;
use super::verify::{Bad, Listed};
use crate::corpus::Lesson;
use commons::corpus::novelty::LastLanded;
use commons::corpus::stats::{Counters, JuryShift, Use};
use engine::id::AccountId;
use engine::rules::Burden;
use engine::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeMap;

/// Holds what one game's log teaches against what is stored of it.
pub(super) fn check_game(db: &Connection, listed: &Listed, lessons: &[(Timestamp, Lesson)]) -> Result<(), Bad> {
    let since: i64 = db.query_row("select coalesce(max(game), 0) from corpus_since", [], |row| row.get(0))?;
    let lessons = if listed.no.0 > since { lessons } else { &[] };
    let mut said = BTreeMap::new();
    let mut uses = BTreeMap::new();
    let mut defences = BTreeMap::new();
    let mut consulted = BTreeMap::new();
    for (at, lesson) in lessons {
        match lesson {
            Lesson::Said { seq, text, case_id, target, player_id, account, .. } => {
                said.insert(seq.0, (text.hash.to_string(), case_id, target, player_id, account));
            }
            Lesson::Weighed { speech, outcome, counted } => {
                uses.insert(speech.0, (*at, outcome, *counted));
            }
            Lesson::Defended { attack, speech, defence, .. } => {
                defences.insert(speech.0, (*at, attack.0, defence));
            }
            Lesson::Consulted { seq, payer, price, .. } => {
                consulted.insert(seq.0, format!("{} {price} {}", payer.0.simple(), at.0));
            }
        }
    }
    let spoken =
        |seq: u64| said.get(&seq).map(|(hash, case, target, player, _)| format!("{hash} {case} {target} {player}"));
    let named: i64 = db.query_row("select coalesce(max(game), 0) from economy_since", [], |row| row.get(0))?;
    let by = |account: &Option<AccountId>| {
        let account = account.filter(|_| listed.no.0 > named);
        account.map(|account| account.0.simple().to_string()).unwrap_or_default()
    };
    let expected =
        said.iter().map(|(seq, (.., account))| (*seq, format!("{} {}", spoken(*seq).unwrap_or_default(), by(account))));
    let expected = expected.collect();
    compare(
        db,
        listed,
        "spoken",
        "select seq, hash || ' ' || case_id || ' ' || target || ' ' || player_id || ' '
             || case when game > (select max(game) from economy_since) then lower(hex(coalesce(account, x''))) else '' end
         from spoken join arguments on n = argument where game = ?1",
        &expected,
    )?;
    compare(
        db,
        listed,
        "corpus_unlocks",
        "select cast(substr(unlock_target, instr(unlock_target, '#') + 1) as integer),
             lower(hex(player_id)) || ' ' || paid_ia || ' ' || unlocked_at
         from corpus_unlocks where game = ?1",
        &consulted,
    )?;
    let used = |(seq, (at, outcome, counted)): (&u64, &(Timestamp, &crate::corpus::Outcome, bool))| {
        let verdict = outcome.verdict.map_or("", Burden::word);
        let (shift, triggered, ia) = (outcome.jury_shift, i32::from(outcome.triggered), outcome.ia_change);
        (
            *seq,
            format!(
                "{} {shift} {triggered} {verdict} {ia} {} {} {}",
                spoken(*seq).unwrap_or_default(),
                at.0,
                listed.id,
                i32::from(*counted)
            ),
        )
    };
    let expected = uses.iter().filter(|(seq, _)| said.contains_key(seq)).map(used).collect();
    compare(
        db,
        listed,
        "argument_events",
        "select seq, arg_hash || ' ' || case_id || ' ' || target_character || ' ' || player_id || ' ' || jury_shift || ' '
             || triggered_extraordinary || ' ' || coalesce(burden_verdict, '') || ' ' || ia_change || ' ' || created_at || ' '
             || trial_id || ' ' || counted
         from argument_events where game = ?1 and external = 0",
        &expected,
    )?;
    let hash = |seq: &u64| said.get(seq).map_or("", |(hash, ..)| hash.as_str());
    let given = |(seq, (at, attack, defence)): (&u64, &(Timestamp, u64, &crate::corpus::Defence))| {
        let (mode, outcome, cited) = (defence.mode.word(), defence.outcome.word(), defence.cited.join(","));
        let (angle, varied) = (defence.angle.as_deref().unwrap_or(""), defence.inspired_by.as_deref().unwrap_or(""));
        (*seq, format!("{} {} {mode} {outcome} {cited} {angle} {varied} {}", hash(seq), hash(attack), at.0))
    };
    let both = |(seq, (_, attack, _)): &(&u64, &(Timestamp, u64, &crate::corpus::Defence))| {
        said.contains_key(seq) && said.contains_key(attack)
    };
    let expected = defences.iter().filter(both).map(given).collect();
    compare(
        db,
        listed,
        "defense_corpus",
        "select seq, defense_hash || ' ' || argument_hash || ' ' || mode || ' ' || outcome || ' ' || cited_evidence || ' '
             || coalesce(angle, '') || ' ' || coalesce(inspired_by, '') || ' ' || created_at
         from defense_corpus where game = ?1 and external = 0",
        &expected,
    )
}

/// Rows by their event, and what stands in them.
fn compare(
    db: &Connection,
    listed: &Listed,
    table: &'static str,
    sql: &str,
    expected: &BTreeMap<u64, String>,
) -> Result<(), Bad> {
    let mut query = db.prepare_cached(sql)?;
    let rows = query.query_map(params![listed.no.0], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
    let stored: BTreeMap<u64, String> = rows.collect::<Result<_, _>>()?;
    if stored == *expected {
        return Ok(());
    }
    let wrong = expected
        .iter()
        .find(|(seq, row)| stored.get(seq) != Some(row))
        .or_else(|| stored.iter().find(|(seq, _)| !expected.contains_key(seq)));
    let what = match wrong {
        Some((seq, _)) if !stored.contains_key(seq) => "it is missing",
        Some((seq, _)) if !expected.contains_key(seq) => "no event teaches it",
        Some(_) | None => "it is not what the log teaches",
    };
    Err(listed.bad(table, wrong.map(|(seq, _)| *seq), what))
}

/// Holds every counter against the events it counts.
pub(super) fn check_counters(db: &Connection) -> Result<(), Bad> {
    let bad = |table, row: i64, what: &str| Bad { table, game: None, row: Some(row as u64), what: what.into() };
    let mut counted: BTreeMap<i64, (Counters, LastLanded)> = BTreeMap::new();
    let mut uncounted: BTreeMap<i64, i64> = BTreeMap::new();
    let mut query = db.prepare(
        "select id, stat, jury_shift, triggered_extraordinary, burden_verdict, ia_change, created_at, counted,
             external
         from argument_events order by id",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if !row.get::<_, bool>(7)? {
            // Our own games that count for nothing are no report of anybody's.
            *uncounted.entry(row.get(1)?).or_default() += row.get::<_, i64>(8)?;
            continue;
        }
        let jury_shift = JuryShift::new(row.get(2)?).map_err(|wrong| bad("argument_events", id, &wrong.to_string()))?;
        let used = Use {
            jury_shift,
            triggered: row.get(3)?,
            verdict: row.get::<_, Option<String>>(4)?.as_deref().and_then(burden),
            ia_change: row.get(5)?,
            at: Timestamp(row.get(6)?),
        };
        let (counters, landed) = counted.entry(row.get(1)?).or_default();
        counters.fold(&used);
        landed.fold(&used);
    }
    let mut query = db.prepare(
        "select n, uses, trap_triggers, trap_lands, trap_misses, total_ia_won, jury_shift_sum, last_used_at, landed_ago,
             external_uses
         from argument_stats",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let n: i64 = row.get(0)?;
        let number = |column: usize| row.get::<_, i64>(column).map(|value| value as u64);
        let stored = Counters {
            uses: number(1)?,
            trap_triggers: number(2)?,
            trap_lands: number(3)?,
            trap_misses: number(4)?,
            total_ia_won: number(5)?,
            jury_shift_sum: row.get(6)?,
            last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
        };
        let landed_ago: Option<i64> = row.get(8)?;
        let (counters, landed) = counted.remove(&n).unwrap_or_default();
        if counters != stored || landed.trials_ago().map(|ago| ago as i64) != landed_ago {
            return Err(bad("argument_stats", n, "it does not count what the events say"));
        }
        if uncounted.remove(&n).unwrap_or_default() != row.get::<_, i64>(9)? {
            return Err(bad("argument_stats", n, "it does not count what was reported"));
        }
    }
    if let Some(n) = counted.keys().chain(uncounted.keys()).next() {
        return Err(bad("argument_stats", *n, "it is missing"));
    }
    let unfit: Option<i64> = db
        .query_row(
            "select s.n from argument_stats s left join arguments a on a.n = s.argument where s.listed = 1
             and (a.n is null or a.status not in ('clear', 'approved') or a.author is null or a.text = '' or s.listed_at is null)
             limit 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(n) = unfit {
        return Err(bad("argument_stats", n, "it is listed and may not be"));
    }
    let strays: i64 = db.query_row(
        "select count(*) from argument_events where game is not null and game not in (select n from games)",
        [],
        |row| row.get(0),
    )?;
    if strays > 0 {
        return Err(bad("argument_events", strays, "so many rows belong to no game"));
    }
    let wrong: Option<i64> = db
        .query_row(
            "select s.lineage from defense_stats s left join (
                 select lineage, character_id, count(*) uses, sum(outcome = 'proved') proved from defense_corpus
                 where counted = 1 group by lineage, character_id) d
             on d.lineage = s.lineage and d.character_id = s.character_id
             where coalesce(d.uses, 0) != s.uses or coalesce(d.proved, 0) != s.proved limit 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(lineage) = wrong {
        return Err(bad("defense_stats", lineage, "it does not count what the defences say"));
    }
    let astray: Option<i64> = db
        .query_row(
            "select d.id from defense_corpus d join arguments a on a.hash = d.inspired_by where d.lineage != a.lineage limit 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    match astray {
        Some(row) => {
            Err(bad("defense_corpus", row, "it counts for another lineage than that of the defence it varies"))
        }
        None => Ok(()),
    }
}
