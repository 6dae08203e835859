//! Whether the corpus has learnt what the logs taught, all of it and once: the part of `verify` that looks at arguments.

use crate::Db;
use crate::corpus::{UNNAMED, burden};
use crate::ledger::meetings;
use crate::verify::{Bad, Listed};
use commons::corpus::lesson::{Defense, Effect, Lesson, Opponents};
use commons::corpus::novelty::LastLanded;
use commons::corpus::stats::{Counters, JuryShift, Use};
use engine::facts::Fate;
use engine::id::{AccountId, Seq};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};
use std::collections::BTreeMap;

/// Checks what is stored of one game against what its log teaches.
pub(crate) fn check_game(db: &Db, listed: &Listed, lessons: &[(Timestamp, Lesson)]) -> Result<(), Bad> {
    let mut since = db.prepare_cached("select coalesce(max(game), 0) from corpus_since")?;
    let since: i64 = since.query_row([], |row| row.get(0))?;
    let taught = Taught::of(if listed.no.0 > since { lessons } else { &[] });
    spoken(db, listed, &taught)?;
    consulted(db, listed, &taught)?;
    used(db, listed, &taught)?;
    defended(db, listed, &taught)
}

/// What a log teaches, by the event that it is about.
#[derive(Default)]
struct Taught<'a> {
    said: BTreeMap<i64, Said<'a>>,
    uses: BTreeMap<i64, (Timestamp, &'a Effect, Opponents)>,
    defenses: BTreeMap<i64, (Timestamp, Seq, &'a Defense, Opponents)>,
    consulted: BTreeMap<i64, (Timestamp, AccountId, u32)>,
}

struct Said<'a> {
    hash: String,
    case_id: &'a str,
    target: &'a str,
    player_id: &'a str,
    account: Option<AccountId>,
    is_house: bool,
}

impl<'a> Taught<'a> {
    fn of(lessons: &'a [(Timestamp, Lesson)]) -> Self {
        let mut taught = Taught::default();
        for (at, lesson) in lessons {
            match lesson {
                Lesson::Said { seq, text, case_id, target, player_id, account, is_house, .. } => {
                    let (hash, account, is_house) = (text.hash.to_string(), *account, *is_house);
                    let said = Said { hash, case_id, target, player_id, account, is_house };
                    taught.said.insert(number(*seq), said);
                }
                Lesson::Weighed { speech, effect, opponents } => {
                    taught.uses.insert(number(*speech), (*at, effect, *opponents));
                }
                Lesson::Defended { attack, speech, defense, opponents } => {
                    taught.defenses.insert(number(*speech), (*at, *attack, defense, *opponents));
                }
                Lesson::Consulted { seq, payer, price, .. } => {
                    taught.consulted.insert(number(*seq), (*at, *payer, *price));
                }
            }
        }
        // What came of something that was never said is not kept.
        taught.uses.retain(|speech, _| taught.said.contains_key(speech));
        taught.defenses.retain(|speech, (_, attack, ..)| {
            taught.said.contains_key(speech) && taught.said.contains_key(&number(*attack))
        });
        taught
    }
}

/// The number of an event as the database has it.
fn number(seq: Seq) -> i64 {
    seq.0 as i64
}

fn spoken(db: &Db, listed: &Listed, taught: &Taught<'_>) -> Result<(), Bad> {
    let mut named = db.prepare_cached("select coalesce(max(game), 0) from economy_since")?;
    let named: i64 = named.query_row([], |row| row.get(0))?;
    compare(
        db,
        listed,
        "spoken",
        "select seq, hash, case_id, target, player_id,
             case when game > (select max(game) from economy_since) then coalesce(account, x'') else x'' end, by_house
         from spoken cross join arguments on n = argument where game = ?1 order by seq",
        &taught.said,
        |_, said, row| {
            let account = said.account.filter(|_| listed.no.0 > named);
            let account = account.as_ref().map_or(&[][..], |account| account.0.as_bytes());
            Ok(row.get_ref(1)?.as_str().ok() == Some(said.hash.as_str())
                && row.get_ref(2)?.as_str().ok() == Some(said.case_id)
                && row.get_ref(3)?.as_str().ok() == Some(said.target)
                && row.get_ref(4)?.as_str().ok() == Some(said.player_id)
                && row.get_ref(5)?.as_blob().ok() == Some(account)
                && row.get::<_, Option<bool>>(6)?.is_none_or(|by_house| by_house == said.is_house))
        },
    )
}

fn consulted(db: &Db, listed: &Listed, taught: &Taught<'_>) -> Result<(), Bad> {
    compare(
        db,
        listed,
        "corpus_unlocks",
        "select cast(substr(unlock_target, instr(unlock_target, '#') + 1) as integer) seq, player_id, paid_ia, unlocked_at
         from corpus_unlocks where game = ?1 order by seq",
        &taught.consulted,
        |_, (at, payer, price), row| {
            Ok(row.get_ref(1)?.as_blob().ok() == Some(&payer.0.as_bytes()[..])
                && row.get_ref(2)?.as_i64().ok() == Some(i64::from(*price))
                && row.get_ref(3)?.as_i64().ok() == Some(at.0))
        },
    )
}

fn used(db: &Db, listed: &Listed, taught: &Taught<'_>) -> Result<(), Bad> {
    let trial = listed.id.to_string();
    let met = meetings::decided(db, listed.no)?;
    compare(
        db,
        listed,
        "argument_events",
        "select seq, arg_hash, case_id, target_character, player_id, jury_shift, triggered_extraordinary,
             coalesce(burden_verdict, ''), ia_change, created_at, trial_id, counted
         from argument_events where game = ?1 and external = 0 order by seq",
        &taught.uses,
        |seq, (at, effect, opponents), row| {
            let said = &taught.said[&seq];
            Ok(row.get_ref(1)?.as_str().ok() == Some(said.hash.as_str())
                && row.get_ref(2)?.as_str().ok() == Some(said.case_id)
                && row.get_ref(3)?.as_str().ok() == Some(said.target)
                && row.get_ref(4)?.as_str().ok() == Some(said.player_id)
                && row.get_ref(5)?.as_i64().ok() == Some(i64::from(effect.jury_shift))
                && row.get_ref(6)?.as_i64().ok() == Some(i64::from(effect.triggered))
                && row.get_ref(7)?.as_str().ok() == Some(effect.verdict.map_or("", Fate::word))
                && row.get_ref(8)?.as_i64().ok() == Some(i64::from(effect.ia_change))
                && row.get_ref(9)?.as_i64().ok() == Some(at.0)
                && row.get_ref(10)?.as_str().ok() == Some(trial.as_str())
                && may_be(row.get_ref(11)?.as_i64().ok(), *opponents, met))
        },
    )
}

fn defended(db: &Db, listed: &Listed, taught: &Taught<'_>) -> Result<(), Bad> {
    let met = meetings::decided(db, listed.no)?;
    compare(
        db,
        listed,
        "defense_corpus",
        "select seq, defense_hash, argument_hash, mode, outcome, cited_evidence, coalesce(angle, ''), coalesce(inspired_by, ''),
             created_at, counted, claim
         from defense_corpus where game = ?1 and external = 0 order by seq",
        &taught.defenses,
        |seq, (at, attack, defense, opponents), row| {
            let cited = defense.cited.join(",");
            Ok(row.get_ref(1)?.as_str().ok() == Some(taught.said[&seq].hash.as_str())
                && row.get_ref(2)?.as_str().ok() == Some(taught.said[&number(*attack)].hash.as_str())
                && row.get_ref(3)?.as_str().ok() == Some(defense.mode.word())
                && row.get_ref(4)?.as_str().ok() == Some(defense.outcome.word())
                && row.get_ref(5)?.as_str().ok() == Some(cited.as_str())
                && row.get_ref(6)?.as_str().ok() == Some(defense.angle.as_deref().unwrap_or(""))
                && row.get_ref(7)?.as_str().ok() == Some(defense.inspired_by.as_deref().unwrap_or(""))
                && row.get_ref(8)?.as_i64().ok() == Some(at.0)
                && row.get_ref(10)?.as_str().is_ok_and(|claim| claim == defense.claim || claim.starts_with(UNNAMED))
                && may_be(row.get_ref(9)?.as_i64().ok(), *opponents, met))
        },
    )
}

/// Whether a use may be stored as counted (1) or not (0) between these opponents; `met` is what was decided about the game.
fn may_be(counted: Option<i64>, opponents: Opponents, met: Option<bool>) -> bool {
    match opponents {
        Opponents::Chosen => counted == Some(0),
        Opponents::House => counted == Some(1),
        // It also depended on how the speaker came by the words at that moment.
        Opponents::Strangers(..) => match met {
            Some(true) => matches!(counted, Some(0 | 1)),
            Some(false) => counted == Some(0),
            None => false,
        },
    }
}

/// Goes through the rows of a game and what they should be, both in the order of their events. A wrong or missing row is named before
/// one that is too many.
fn compare<T>(
    db: &Db,
    listed: &Listed,
    table: &'static str,
    sql: &str,
    expected: &BTreeMap<i64, T>,
    is_same: impl Fn(i64, &T, &Row<'_>) -> Result<bool, rusqlite::Error>,
) -> Result<(), Bad> {
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(params![listed.no.0])?;
    let mut expected = expected.iter().peekable();
    let mut surplus = None;
    let bad = |seq: i64, what: &str| Err(listed.bad(table, Some(seq as u64), what));
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        match expected.peek() {
            Some((wanted, _)) if **wanted < seq => return bad(**wanted, "it is missing"),
            Some((wanted, taught)) if **wanted == seq => {
                if !is_same(seq, taught, row)? {
                    return bad(seq, "it is not what the log teaches");
                }
                expected.next();
            }
            Some(_) | None => surplus = surplus.or(Some(seq)),
        }
    }
    match (expected.next(), surplus) {
        (Some((wanted, _)), _) => bad(*wanted, "it is missing"),
        (None, Some(seq)) => bad(seq, "no event teaches it"),
        (None, None) => Ok(()),
    }
}

/// Checks every counter against the events it counts.
pub(crate) fn check_counters(db: &Db) -> Result<(), Bad> {
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
            // Uncounted events of our own games are not reports from outside.
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
             external_uses, worked, moved
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
            worked: number(10)?,
            moved: number(11)?,
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
             and (a.n is null or a.readable = 0 or a.author is null or s.listed_at is null)
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
        return Err(bad("defense_stats", lineage, "it does not count what the defenses say"));
    }
    let astray: Option<i64> = db
        .query_row(
            "select d.id from defense_corpus d join arguments a on a.hash = d.defense_hash where d.lineage != a.lineage limit 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    match astray {
        Some(row) => Err(bad("defense_corpus", row, "it counts for another lineage than that of its words")),
        None => Ok(()),
    }
}
