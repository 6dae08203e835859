//! Replays every log and checks what is stored beside it: chains, snapshots, transcripts, checkpoints, results, the corpus and the ledger.
//!
//! Every column of the log, its transcript, checkpoints, results and snapshot is either part of a hash or recomputed here, so a changed
//! byte in any of them is found and named.

mod corpus;
mod ledger;
mod texts;

pub use ledger::check as check_ledger;

use crate::corpus::{cases, sales};
use crate::games::{Row, answers_of, influences, progress_number, tombstone_seal};
use crate::reference;
use crate::{ANSWER, Db, GameNo, HEAD_BYTES, StoreError, TOMBSTONE, commit_link, read_heads, sqlite};
use commons::corpus::lesson::Lesson;
use commons::standings::Outcome;
use engine::chain::Hash;
use engine::chance::Seed;
use engine::game::{Logged, Progress};
use engine::id::GameId;
use engine::rules::Mark;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Rows, params};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// Most readers at once: more would only wait for the disk.
const READERS_MAX: usize = 8;
/// How often the readers try to begin on the same snapshot before one goes on alone. Beginning takes less time than a commit.
const TRIES_MAX: usize = 50;
/// A read transaction starts with the first row that is read, not with `begin`.
const BEGIN: &str = "begin; select 1 from games limit 1";

#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    pub games: u64,
    pub events: u64,
    /// Removed games accepted by their tombstones.
    pub forgotten: u64,
}

/// The first row that is not what it should be.
#[derive(Clone, Debug)]
pub struct Bad {
    pub table: &'static str,
    pub game: Option<String>,
    pub row: Option<u64>,
    pub what: String,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table)?;
        if let Some(game) = &self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Something wrong with a row that belongs to no game.
pub(crate) fn bad(table: &'static str, row: i64, what: impl Into<String>) -> Bad {
    Bad { table, game: None, row: u64::try_from(row).ok(), what: what.into() }
}

impl From<rusqlite::Error> for Bad {
    fn from(error: rusqlite::Error) -> Self {
        Bad { table: "database", game: None, row: None, what: error.to_string() }
    }
}

impl From<StoreError> for Bad {
    fn from(error: StoreError) -> Self {
        Bad { table: "database", game: None, row: None, what: error.to_string() }
    }
}

/// Checks one game, or everything. `progress` is called now and then with the number of events so far.
///
/// Games are dealt out to as many readers as there are cores, up to a limit. The first bad game is named, whichever reader finds it.
pub fn verify(db: &Db, only: Option<GameId>, replay: &Replay, mut progress: impl FnMut(u64)) -> Result<Checked, Bad> {
    let others = begin(db, if only.is_some() { 0 } else { readers() - 1 })?;
    let (heads, answers) = commits(db)?;
    let round = Round {
        heads,
        answers,
        tombstones: tombstones(db)?,
        games: games(db, only)?,
        next: AtomicUsize::new(0),
        first_bad: AtomicUsize::new(usize::MAX),
        events: AtomicU64::new(0),
        replay,
    };
    if round.games.is_empty()
        && let Some(id) = only
    {
        return Err(Bad { table: "games", game: Some(id.to_string()), row: None, what: "unknown game".into() });
    }
    let checked = check_games(db, others, &round, &mut progress)?;
    if only.is_none() {
        nothing_missing(db, &round.heads, checked)?;
        corpus::check_counters(db)?;
        texts::check(db)?;
        ledger::check(db)?;
        influences::check(db)?;
        cases::check(db)?;
        sales::check(db)?;
        reference::check(db)?;
    }
    db.execute_batch("rollback")?;
    Ok(checked)
}

/// Lets SQLite check every page of the file, and every index against its table.
pub fn integrity(db: &Db) -> Result<(), Bad> {
    let found: String = db.query_row("pragma integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Bad { table: "database", game: None, row: None, what: found }) }
}

/// How many readers check games in parallel.
fn readers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(READERS_MAX))
}

/// Begins to read one snapshot of the database, whatever a running server writes meanwhile: on this connection, and on up to `others_max`
/// others. If they find no common snapshot, or there is no file to open again, this connection reads alone.
fn begin(db: &Db, others_max: usize) -> Result<Vec<Db>, Bad> {
    let path = db.0.path().filter(|path| !path.is_empty()).map(PathBuf::from);
    let basis = db.basis();
    let opened = path
        .into_iter()
        .flat_map(|path| (0..others_max).map_while(|_| sqlite::open_reader(&path, &basis).ok()).collect::<Vec<_>>());
    let others: Vec<Db> = opened.collect();
    for _ in 0..TRIES_MAX {
        let before = others.iter().map(version).collect::<Result<Vec<i64>, _>>()?;
        db.execute_batch(BEGIN)?;
        others.iter().try_for_each(|other| other.execute_batch(BEGIN))?;
        // Nobody wrote between the first look and the last, so what all of them began to read in between is the same.
        if before == others.iter().map(version).collect::<Result<Vec<i64>, _>>()? {
            return Ok(others);
        }
        others.iter().chain([db]).try_for_each(|one| one.execute_batch("rollback"))?;
    }
    db.execute_batch(BEGIN)?;
    Ok(vec![])
}

/// A number that changes whenever another connection has written.
fn version(db: &Db) -> rusqlite::Result<i64> {
    db.query_row("pragma data_version", [], |row| row.get(0))
}

/// The games to be checked, and how far all readers together have come.
struct Round<'a> {
    heads: Heads,
    answers: Answers,
    tombstones: BTreeMap<GameNo, (u64, Hash)>,
    games: Vec<Listed>,
    /// The next game that no reader has taken.
    next: AtomicUsize,
    /// The first one that is bad, as far as is known.
    first_bad: AtomicUsize,
    events: AtomicU64,
    replay: &'a Replay,
}

/// What a reader found: how much is good, and where it came upon something bad.
type Found = (Checked, Option<(usize, Bad)>);

fn check_games(db: &Db, others: Vec<Db>, round: &Round<'_>, progress: &mut dyn FnMut(u64)) -> Result<Checked, Bad> {
    let found: Vec<Found> = std::thread::scope(|scope| {
        let beside = |other: Db| scope.spawn(move || round.check(&other, &mut |_| ()));
        let beside: Vec<_> = others.into_iter().map(beside).collect();
        let own = round.check(db, progress);
        let join = |reader: ScopedJoinHandle<'_, Found>| reader.join().unwrap_or_else(|panic| resume_unwind(panic));
        [own].into_iter().chain(beside.into_iter().map(join)).collect()
    });
    let mut sum = Checked::default();
    let mut first: Option<(usize, Bad)> = None;
    for (checked, bad) in found {
        sum.games += checked.games;
        sum.events += checked.events;
        sum.forgotten += checked.forgotten;
        first = [first, bad].into_iter().flatten().min_by_key(|(place, _)| *place);
    }
    match first {
        Some((_, bad)) => Err(bad),
        None => Ok(sum),
    }
}

impl Round<'_> {
    /// Takes one game after the other, until there is none left or one is bad. They are taken in order, so every game before a bad one has
    /// been taken already.
    fn check(&self, db: &Db, progress: &mut dyn FnMut(u64)) -> Found {
        let mut checked = Checked::default();
        loop {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = self.games.get(place).filter(|_| place < self.first_bad.load(Ordering::Relaxed)) else {
                return (checked, None);
            };
            if let Err(bad) = self.check_one(db, game, &mut checked) {
                self.first_bad.fetch_min(place, Ordering::Relaxed);
                return (checked, Some((place, bad)));
            }
            progress(self.events.load(Ordering::Relaxed));
        }
    }

    fn check_one(&self, db: &Db, game: &Listed, checked: &mut Checked) -> Result<(), Bad> {
        let Some(boundaries) = self.heads.get(&game.no) else {
            return Err(game.bad("commits", None, "no commit names this game"));
        };
        match self.tombstones.get(&game.no) {
            Some(end) => {
                let seal = tombstone_seal(db, game.no)?;
                if !boundaries.ends_with(&[*end, (TOMBSTONE, seal)]) {
                    return Err(game.bad("tombstones", Some(game.no.0 as u64), "it is not what the commits say of it"));
                }
                checked.forgotten += 1;
            }
            None => {
                let events = check_game(db, game, boundaries, self.replay)?;
                check_answers(db, game, self.answers.get(&game.no).map_or(&[], Vec::as_slice))?;
                checked.events += events;
                checked.games += 1;
                self.events.fetch_add(events, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Where the commits of each game ended.
type Heads = BTreeMap<GameNo, Vec<(u64, Hash)>>;
/// The seals of the first answers that were given in each game.
type Answers = BTreeMap<GameNo, Vec<Hash>>;

/// The chain over all transactions: where it says the commits of each game ended, and which answers it names.
fn commits(db: &Db) -> Result<(Heads, Answers), Bad> {
    let (mut heads, mut answers) = (Heads::new(), Answers::new());
    let mut last = Hash::default();
    let mut expected = 1;
    let mut query = db.prepare("select n, heads, hash from commits order by n")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (n, named, hash): (i64, Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let bad = |what: &str| Bad { table: "commits", game: None, row: Some(n as u64), what: what.into() };
        if n != expected {
            return Err(bad(&format!("row {expected} is missing")));
        }
        last = commit_link(last, n, &named);
        if last.0[..] != hash[..] {
            return Err(bad("its hash does not continue the chain"));
        }
        if named.len() % HEAD_BYTES != 0 {
            return Err(bad("its heads cannot be read"));
        }
        for (game, seq, head) in read_heads(&named) {
            match seq {
                ANSWER => answers.entry(game).or_default().push(head),
                _ => heads.entry(game).or_default().push((seq, head)),
            }
        }
        expected += 1;
    }
    Ok((heads, answers))
}

fn tombstones(db: &Db) -> Result<BTreeMap<GameNo, (u64, Hash)>, Bad> {
    let mut query = db.prepare("select game, seq, head from tombstones")?;
    let mut rows = query.query([])?;
    let mut tombstones = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let game: i64 = row.get(0)?;
        let end = row.get::<_, i64>(1).and_then(|seq| Ok((seq as u64, Hash(row.get(2)?))));
        tombstones.insert(GameNo(game), end.map_err(|error| unreadable("tombstones", game, &error))?);
    }
    Ok(tombstones)
}

fn unreadable(table: &'static str, row: i64, error: &rusqlite::Error) -> Bad {
    Bad { table, game: None, row: Some(row as u64), what: error.to_string() }
}

/// A row of `games`.
pub struct Listed {
    pub no: GameNo,
    pub id: GameId,
    pub kind: String,
    /// The version of its rules.
    pub rules: u32,
    pub seed: Seed,
    /// When it was founded, in milliseconds.
    pub created_at: i64,
    /// 1 if it is reached by link only.
    pub unlisted: i64,
    /// 1 if it plays itself.
    pub demo: i64,
}

impl Listed {
    /// Something wrong with a row of this game.
    pub fn bad(&self, table: &'static str, row: Option<u64>, what: impl Into<String>) -> Bad {
        Bad { table, game: Some(self.id.to_string()), row, what: what.into() }
    }
}

fn games(db: &Db, only: Option<GameId>) -> Result<Vec<Listed>, Bad> {
    let mut query = db.prepare(
        "select n, id, kind, rules, seed, created_at, unlisted, demo from games where ?1 is null or id = ?1 order by n",
    )?;
    let mut rows = query.query(params![only.map(|id| id.0)])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        let no: i64 = row.get(0)?;
        games.push(read_listed(row, GameNo(no)).map_err(|error| unreadable("games", no, &error))?);
    }
    Ok(games)
}

fn read_listed(row: &rusqlite::Row<'_>, no: GameNo) -> rusqlite::Result<Listed> {
    Ok(Listed {
        no,
        id: GameId(row.get(1)?),
        kind: row.get(2)?,
        rules: row.get(3)?,
        seed: Seed(row.get(4)?),
        created_at: row.get(5)?,
        unlisted: row.get(6)?,
        demo: row.get(7)?,
    })
}

/// One row of a log, replayed.
pub struct Step<'a> {
    /// What the rules make of the row.
    pub logged: &'a Logged,
    /// The game's status after it.
    pub status: &'static str,
    /// Its state after it, as it is stored.
    pub snapshot: &'a dyn Fn() -> Vec<u8>,
}

/// What a whole log comes to.
pub struct Replayed {
    /// The number and time of its last event.
    pub mark: Mark,
    /// The status after it.
    pub status: &'static str,
    /// How far the game has come.
    pub progress: Progress,
    /// What the game brought to accounts.
    pub outcome: Outcome,
    /// What the corpus learns from it, with the times of the events.
    pub lessons: Vec<(Timestamp, Lesson)>,
}

/// Replays the log of a game by its rules, handing every step over to be compared. The store itself does not know the rules.
pub type Replay = dyn Fn(
        &Listed,
        &mut dyn Iterator<Item = Result<Row, Bad>>,
        &mut dyn FnMut(Step<'_>) -> Result<(), Bad>,
    ) -> Result<Replayed, Bad>
    + Sync;

fn check_game(db: &Db, listed: &Listed, boundaries: &[(u64, Hash)], replay: &Replay) -> Result<u64, Bad> {
    let mut events = db.prepare_cached("select seq, at, body, hash from events where game = ?1 order by seq")?;
    let mut said = db.prepare_cached(
        "select seq, at, name, seat, round, phase, content, metadata, seen_by from transcript_entries
         where game = ?1 order by seq",
    )?;
    let mut points = db.prepare_cached("select seq, at, status from checkpoints where game = ?1 order by seq")?;
    let mut events = events.query(params![listed.no.0])?;
    let mut said = said.query(params![listed.no.0])?;
    let mut points = points.query(params![listed.no.0])?;

    let mut boundaries = boundaries.iter().peekable();
    let mut is_safe = false;
    let mut count = 0;
    let mut kept = kept_snapshot(db, listed)?;
    let is_kept = kept.is_some();
    let mut compare = |Step { logged, status, snapshot }: Step<'_>| {
        count += 1;
        if let Some((_, body)) = kept.take_if(|(seq, _)| *seq == logged.mark.seq.0)
            && body != snapshot()
        {
            return Err(listed.bad("snapshots", None, "it is not what the log replays to"));
        }
        is_safe |= logged.is_safe;
        check_line(&mut said, listed, logged)?;
        if let Some((seq, head)) = boundaries.next_if(|(seq, _)| *seq == logged.mark.seq.0) {
            if *head != logged.hash {
                return Err(listed.bad("events", Some(*seq), "the commits name another hash for it"));
            }
            if is_safe {
                check_point(&mut points, listed, logged.mark, status)?;
            }
            is_safe = false;
        }
        Ok(())
    };
    let mut rows = std::iter::from_fn(|| next_event(&mut events, listed).transpose());
    let replayed = replay(listed, &mut rows, &mut compare)?;
    if let Some((seq, _)) = boundaries.next() {
        return Err(listed.bad("events", Some(*seq), "it was committed and is missing"));
    }
    for (table, rows) in [("transcript_entries", &mut said), ("checkpoints", &mut points)] {
        if let Some(row) = rows.next()? {
            return Err(listed.bad(table, row.get::<_, i64>(0).ok().map(|n| n as u64), "no event tells of it"));
        }
    }
    match kept {
        Some((seq, _)) => {
            return Err(listed.bad("snapshots", None, format!("it was taken after event {seq}, which is not there")));
        }
        None if !is_kept => return Err(listed.bad("snapshots", None, "it is missing")),
        None => {}
    }
    check_state(db, listed, &replayed)?;
    check_results(db, listed, &replayed.outcome)?;
    corpus::check_game(db, listed, &replayed.lessons)?;
    Ok(count)
}

fn next_event(rows: &mut Rows<'_>, listed: &Listed) -> Result<Option<Row>, Bad> {
    let Some(row) = rows.next()? else { return Ok(None) };
    let seq = row.get::<_, i64>(0).ok().map(|n| n as u64);
    Row::read(row).map(Some).map_err(|error| listed.bad("events", seq, error.to_string()))
}

fn check_line(said: &mut Rows<'_>, listed: &Listed, logged: &Logged) -> Result<(), Bad> {
    let Some(line) = &logged.line else { return Ok(()) };
    let seq = logged.mark.seq.0;
    let missing = || listed.bad("transcript_entries", Some(seq), "it is missing");
    let row = said.next()?.ok_or_else(missing)?;
    // Compared as stored, column by column, so that not even the spelling of a JSON value may change.
    let same = row.get_ref(0)?.as_i64().ok() == Some(seq as i64)
        && row.get_ref(1)?.as_i64().ok() == Some(logged.mark.at.0)
        && row.get_ref(2)?.as_str().ok() == Some(logged.name)
        && row.get_ref(3)?.as_i64_or_null().ok() == Some(line.seat.map(|seat| i64::from(seat.0)))
        && row.get_ref(4)?.as_i64_or_null().ok() == Some(line.round.map(i64::from))
        && row.get_ref(5)?.as_str_or_null().ok() == Some(line.phase.as_deref())
        && row.get_ref(6)?.as_str_or_null().ok() == Some(line.text.as_deref())
        && row.get_ref(7)?.as_str_or_null().ok() == Some(line.payload.as_ref().map(ToString::to_string).as_deref())
        && row.get_ref(8)?.as_str().ok() == serde_json::to_string(&line.seen_by).ok().as_deref();
    if same { Ok(()) } else { Err(listed.bad("transcript_entries", Some(seq), "it is not what the log says")) }
}

fn check_point(points: &mut Rows<'_>, listed: &Listed, mark: Mark, status: &str) -> Result<(), Bad> {
    let seq = mark.seq.0;
    let row = points.next()?.ok_or_else(|| listed.bad("checkpoints", Some(seq), "it is missing"))?;
    let same = row.get_ref(0)?.as_i64().ok() == Some(seq as i64)
        && row.get_ref(1)?.as_i64().ok() == Some(mark.at.0)
        && row.get_ref(2)?.as_str().ok() == Some(status);
    if same { Ok(()) } else { Err(listed.bad("checkpoints", Some(seq), "it is not what the log says")) }
}

/// The snapshot of a game, with the event after which it was taken.
fn kept_snapshot(db: &Db, listed: &Listed) -> Result<Option<(u64, Vec<u8>)>, Bad> {
    let mut query = db.prepare_cached("select seq, body from snapshots where game = ?1")?;
    let kept = query.query_row(params![listed.no.0], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?))).optional();
    kept.map_err(|error| listed.bad("snapshots", None, error.to_string()))
}

fn check_state(db: &Db, listed: &Listed, replayed: &Replayed) -> Result<(), Bad> {
    let mut query = db.prepare_cached("select seq, at, status, progress from game_state where game = ?1")?;
    let mut rows = query.query(params![listed.no.0])?;
    let row = rows.next()?.ok_or_else(|| listed.bad("game_state", None, "it is missing"))?;
    let mark = replayed.mark;
    let columns = row.get_ref(0)?.as_i64().ok() == Some(mark.seq.0 as i64)
        && row.get_ref(1)?.as_i64().ok() == Some(mark.at.0)
        && row.get_ref(2)?.as_str().ok() == Some(replayed.status)
        && row.get_ref(3)?.as_i64().ok() == Some(progress_number(replayed.progress));
    if columns { Ok(()) } else { Err(listed.bad("game_state", None, "it is not what the log says")) }
}

fn check_results(db: &Db, listed: &Listed, outcome: &Outcome) -> Result<(), Bad> {
    let mut query = db.prepare_cached(
        "select seat, agent, account, kind, role, points, won, rank, rated, at from results where game = ?1 order by seat",
    )?;
    let mut rows = query.query(params![listed.no.0])?;
    for one in &outcome.earned {
        let seat = u64::from(one.seat.0);
        let row = rows.next()?.ok_or_else(|| listed.bad("results", Some(seat), "it is missing"))?;
        let same = row.get_ref(0)?.as_i64().ok() == Some(seat as i64)
            && row.get_ref(1)?.as_blob().ok() == Some(one.agent.0.as_bytes())
            && row.get_ref(2)?.as_blob().ok() == Some(one.account.0.as_bytes())
            && row.get_ref(3)?.as_str().ok() == Some(outcome.kind)
            && row.get_ref(4)?.as_str().ok() == Some(one.role)
            && row.get_ref(5)?.as_i64().ok() == Some(i64::from(one.points))
            && row.get_ref(6)?.as_i64().ok() == Some(i64::from(one.won))
            && row.get_ref(7)?.as_i64_or_null().ok() == Some(one.rank.map(i64::from))
            && row.get_ref(8)?.as_i64().ok() == Some(i64::from(outcome.rated))
            && row.get_ref(9)?.as_i64().ok() == Some(outcome.at.0);
        if !same {
            return Err(listed.bad("results", Some(seat), "it is not what the game brought"));
        }
    }
    match rows.next()? {
        Some(row) => Err(listed.bad("results", row.get::<_, i64>(0).ok().map(|n| n as u64), "no game brought it")),
        None => Ok(()),
    }
}

/// Every answer that the commits name is there as it was given, and no other.
fn check_answers(db: &Db, listed: &Listed, named: &[Hash]) -> Result<(), Bad> {
    let kept = answers_of(db, listed.no).map_err(|error| listed.bad("answers", None, error.to_string()))?;
    let mut kept: Vec<[u8; 32]> = kept.iter().map(|once| once.seal().0).collect();
    let mut named: Vec<[u8; 32]> = named.iter().map(|seal| seal.0).collect();
    kept.sort_unstable();
    named.sort_unstable();
    if kept == named {
        return Ok(());
    }
    let strange = kept.iter().filter(|seal| named.binary_search(seal).is_err()).count();
    let what = format!("{} were given, {} are kept, and {strange} of these are others", named.len(), kept.len());
    Err(listed.bad("answers", None, what))
}

/// There may be no stray rows besides the games that were checked, and no game that was committed may be missing.
fn nothing_missing(db: &Db, heads: &Heads, checked: Checked) -> Result<(), Bad> {
    for game in heads.keys() {
        let there: bool =
            db.query_row("select exists (select 1 from games where n = ?1)", params![game.0], |row| row.get(0))?;
        if !there {
            let what = format!("game number {} was committed and is missing", game.0);
            return Err(Bad { table: "games", game: None, row: Some(game.0 as u64), what });
        }
    }
    let events: i64 = db.query_row("select count(*) from events", [], |row| row.get(0))?;
    if events as u64 != checked.events {
        return Err(Bad { table: "events", game: None, row: None, what: "there are events of no game".into() });
    }
    let kept: i64 =
        db.query_row("select count(*) from results where game in (select game from tombstones)", [], |row| row.get(0))?;
    if kept > 0 {
        let what = format!("{kept} rows belong to removed games");
        return Err(Bad { table: "results", game: None, row: None, what });
    }
    for table in ["transcript_entries", "checkpoints", "game_state", "snapshots", "tombstones", "results", "answers"] {
        let strays = format!("select count(*) from {table} where game not in (select n from games)");
        let strays: i64 = db.query_row(&strays, [], |row| row.get(0))?;
        if strays > 0 {
            return Err(Bad { table, game: None, row: None, what: format!("{strays} rows belong to no game") });
        }
    }
    Ok(())
}
