//! The one writer: a thread that takes all waiting changes into one transaction, and answers when it is on disk.

use crate::games::{influences, standings};
use crate::head::{self, HeadFile};
use crate::ledger::unlocks;
use crate::{Db, GameNo, StoreError, corpus, ledger, push_head};
use commons::corpus::lesson::Lesson;
use commons::standings::Outcome;
use engine::chain::Hash;
use engine::game::{Logged, Progress};
use engine::id::{AccountId, GameId};
use engine::time::Timestamp;
use rusqlite::params;
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

/// Most changes in one transaction: large enough that the fsync costs each next to nothing, small enough to answer soon.
const GROUP_MAX: usize = 512;

/// What one command changed, stored together or not at all, with what the corpus learns and the ledger charges.
pub struct Commit {
    pub id: GameId,
    /// Which game, or what is needed to create it.
    pub game: Result<GameNo, NewGame>,
    /// The new rows of the log.
    pub rows: Arc<Vec<Logged>>,
    /// The state they lead to, if it is to be stored.
    pub snapshot: Option<Vec<u8>>,
    /// The game's status after them.
    pub status: &'static str,
    pub progress: Progress,
    /// The hash of the last row.
    pub head: Hash,
    /// Accounts that sat down in it.
    pub seated: Vec<AccountId>,
    /// The results, if this commit ends the game.
    pub outcome: Option<Outcome>,
    /// What the corpus learns from it.
    pub lessons: Vec<Lesson>,
    /// The answer to remember, if the request was idempotent.
    pub once: Option<FirstAnswer>,
}

/// A game that is not in the database yet.
pub struct NewGame {
    pub id: GameId,
    pub kind: &'static str,
    /// The version of its rules.
    pub rules: u32,
    pub seed: [u8; 32],
    /// Reached by link only.
    pub unlisted: bool,
    pub demo: bool,
}

/// An answer to give again if the same request comes again.
pub struct FirstAnswer {
    pub caller: [u8; 32],
    pub key: String,
    /// The hash of what was asked.
    pub request: [u8; 32],
    pub answer: Vec<u8>,
}

impl FirstAnswer {
    /// A hash over all of it, for the commits.
    pub(crate) fn seal(&self) -> Hash {
        let mut bytes = Vec::with_capacity(72 + self.key.len() + self.answer.len());
        bytes.extend_from_slice(&self.caller);
        bytes.extend_from_slice(&self.request);
        bytes.extend_from_slice(&(self.key.len() as u64).to_le_bytes());
        bytes.extend_from_slice(self.key.as_bytes());
        bytes.extend_from_slice(&self.answer);
        Hash::of(&bytes)
    }
}

/// Tells the caller, once it is known whether the transaction is on disk.
type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Makes a change and says whether it succeeded; called with an error if the transaction has failed already.
type Change = Box<dyn FnOnce(Result<(&Db, &mut Vec<u8>), StoreError>) -> (bool, Answer) + Send>;

pub type Committed = Result<GameNo, StoreError>;

enum Job {
    Commit(Box<Commit>, oneshot::Sender<Committed>),
    Run(Change),
    Clean(oneshot::Sender<Result<(), StoreError>>),
    Stop(oneshot::Sender<()>),
}

#[derive(Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    pub(crate) fn start(
        db: Db,
        head_file: HeadFile,
        before_commit: impl Fn() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel();
        head_file.note(head::newest(&db)?);
        std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || WriterThread { db, head_file, before_commit: Box::new(before_commit) }.work(&jobs))
            .map_err(|error| StoreError::Broken(error.to_string()))?;
        Ok(Writer { queue })
    }

    pub(crate) fn commit(&self, commit: Commit) -> Result<oneshot::Receiver<Committed>, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Job::Commit(Box::new(commit), answer)).map_err(|_| StoreError::Stopping)?;
        Ok(answered)
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Db, &mut Vec<u8>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let change: Change = Box::new(move |opened| {
            let done = opened.and_then(|(db, heads)| change(db, heads));
            // The caller may have gone away; the change stands all the same.
            (done.is_ok(), Box::new(move |committed| drop(answer.send(committed.and(done)))))
        });
        self.queue.send(Job::Run(change)).map_err(|_| StoreError::Stopping)?;
        answered.await.map_err(|_| StoreError::Stopping)?
    }

    /// Moves the write-ahead log into the database and empties it.
    pub(crate) async fn clean(&self) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Job::Clean(answer)).map_err(|_| StoreError::Stopping)?;
        answered.await.map_err(|_| StoreError::Stopping)?
    }

    pub(crate) async fn stop(&self) {
        let (answer, answered) = oneshot::channel();
        if self.queue.send(Job::Stop(answer)).is_ok() {
            let _ = answered.await;
        }
    }
}

/// The state of the writer's thread.
struct WriterThread {
    db: Db,
    head_file: HeadFile,
    before_commit: Box<dyn Fn() + Send>,
}

impl WriterThread {
    fn work(mut self, jobs: &mpsc::Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut group = vec![first];
            while group.len() < GROUP_MAX
                && let Ok(job) = jobs.try_recv()
            {
                group.push(job);
            }
            let mut stopped = Vec::new();
            self.group(group, &mut stopped);
            if !stopped.is_empty() {
                drop(self);
                for answer in stopped {
                    let _ = answer.send(());
                }
                return;
            }
        }
    }

    fn group(&mut self, jobs: Vec<Job>, stopped: &mut Vec<oneshot::Sender<()>>) {
        let mut answers: Vec<Answer> = Vec::with_capacity(jobs.len());
        let mut heads = Vec::new();
        let mut wrote = false;
        let mut cleaned = Vec::new();
        let mut broken = self.db.execute_batch("begin immediate").err().map(StoreError::from);
        for job in jobs {
            match job {
                Job::Commit(commit, answer) => {
                    let done = match &broken {
                        Some(error) => Err(error.clone()),
                        None => store(&self.db, *commit, &mut heads),
                    };
                    // A conflict, or a payer with too little, is found before anything is written, so it leaves nothing behind; any other
                    // error spoils the group.
                    if let Err(error @ (StoreError::Full | StoreError::Broken(_))) = &done {
                        broken = Some(error.clone());
                    }
                    answers.push(Box::new(move |committed| drop(answer.send(committed.and(done)))));
                }
                Job::Run(change) => {
                    let before = self.db.0.total_changes();
                    let (well, answer) = match &broken {
                        Some(error) => change(Err(error.clone())),
                        None => run(&self.db, change, &mut heads),
                    };
                    wrote |= well && self.db.0.total_changes() != before;
                    answers.push(answer);
                }
                Job::Clean(answer) => cleaned.push(answer),
                Job::Stop(answer) => stopped.push(answer),
            }
            // SQLite itself undoes a whole transaction when the disk is full. Without one, what follows would be stored although its caller
            // is told otherwise.
            if broken.is_none() && self.db.0.is_autocommit() {
                broken = Some(StoreError::Full);
            }
        }
        let committed = match broken {
            Some(error) => Err(error),
            None if wrote || !heads.is_empty() => self.finish(&heads),
            None => self.db.execute_batch("commit").map_err(StoreError::from),
        };
        if committed.is_err() && !self.db.0.is_autocommit() {
            let _ = self.db.execute_batch("rollback");
        }
        answers.into_iter().for_each(|answer| answer(committed.clone()));
        for answer in cleaned {
            // What was removed must not live on in the write-ahead log.
            let done = self.db.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
            let _ = answer.send(done.map_err(StoreError::from));
        }
    }

    /// Numbers the transaction, and stores it.
    fn finish(&self, heads: &[u8]) -> Result<(), StoreError> {
        let head = head::add(&self.db, heads)?;
        (self.before_commit)();
        self.db.execute_batch("commit")?;
        self.head_file.note(head);
        Ok(())
    }
}

/// Runs a change that is not a commit in its own savepoint: if it fails, it alone is undone.
fn run(db: &Db, change: Change, heads: &mut Vec<u8>) -> (bool, Answer) {
    let opened = db.execute_batch("savepoint change");
    let before = heads.len();
    let (well, answer) = change(Ok((db, heads)));
    if !well {
        heads.truncate(before);
    }
    if opened.is_ok() {
        let undo = if well { "" } else { "rollback to change;" };
        let _ = db.execute_batch(&format!("{undo} release change"));
    }
    (well, answer)
}

pub(crate) fn store(db: &Db, commit: Commit, heads: &mut Vec<u8>) -> Result<GameNo, StoreError> {
    let first = commit.rows.first().ok_or_else(|| StoreError::Broken("a commit without events".into()))?;
    affordable(db, &commit.lessons)?;
    let game = match commit.game {
        Ok(game) => game,
        Err(new) => create(db, &new, first.mark.at.0)?,
    };
    // `or fail`, here and below: a one-row statement has nothing to undo, so SQLite need not copy pages before it.
    let mut insert =
        db.prepare_cached("insert or fail into events (game, seq, at, body, hash) values (?1, ?2, ?3, ?4, ?5)")?;
    for row in commit.rows.iter() {
        insert.execute(params![game.0, row.mark.seq.0, row.mark.at.0, row.body, row.hash.0]).map_err(conflict)?;
    }
    let mut insert = db.prepare_cached(
        "insert or fail into transcript_entries (game, seq, at, name, seat, round, phase, content, metadata, seen_by)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for row in commit.rows.iter() {
        if let Some(line) = &row.line {
            insert.execute(params![
                game.0,
                row.mark.seq.0,
                row.mark.at.0,
                row.name,
                line.seat.map(|seat| seat.0),
                line.round,
                line.phase,
                line.text,
                line.payload.as_ref().map(ToString::to_string),
                serde_json::to_string(&line.seen_by).expect("a set of seats serialises"),
            ])?;
        }
    }
    let last = commit.rows.last().expect("checked above").mark;
    if commit.rows.iter().any(|row| row.is_safe) {
        let mut insert =
            db.prepare_cached("insert or fail into checkpoints (game, seq, at, status) values (?1, ?2, ?3, ?4)")?;
        insert.execute(params![game.0, last.seq.0, last.at.0, commit.status])?;
    }
    let mut upsert = db.prepare_cached(
        "insert into game_state (game, seq, at, status, progress) values (?1, ?2, ?3, ?4, ?5)
         on conflict (game) do update set seq = ?2, at = ?3, status = ?4, progress = ?5",
    )?;
    let progress = crate::games::progress_number(commit.progress);
    upsert.execute(params![game.0, last.seq.0, last.at.0, commit.status, progress])?;
    if let Some(snapshot) = &commit.snapshot {
        db.prepare_cached(
            "insert into snapshots (game, seq, body) values (?1, ?2, ?3)
             on conflict (game) do update set seq = ?2, body = ?3",
        )?
        .execute(params![game.0, last.seq.0, snapshot])?;
    }
    for account in &commit.seated {
        db.prepare_cached("insert or ignore into players (account, game) values (?1, ?2)")?
            .execute(params![account.0, game.0])?;
    }
    if let Some(outcome) = &commit.outcome {
        standings::record(db, game, outcome)?;
    }
    corpus::learn(db, game, commit.id, &commit.lessons, last.at)?;
    charge(db, game, commit.id, &commit.lessons, last.at)?;
    if commit.outcome.is_some() {
        influences::expect(db, game)?;
    }
    if let Some(once) = &commit.once {
        crate::games::remember(db, game, once, heads)?;
    }
    push_head(heads, game, last.seq.0, &commit.head);
    Ok(game)
}

/// Whether the players who looked into the archive can pay for it. Checked before anything is written, so that a refusal leaves nothing
/// behind.
fn affordable(db: &Db, lessons: &[Lesson]) -> Result<(), StoreError> {
    for lesson in lessons {
        if let Lesson::Consulted { payer, price, .. } = lesson {
            ledger::purse(db, *payer)?.pay(u64::from(*price)).map_err(StoreError::Short)?;
        }
    }
    Ok(())
}

fn charge(db: &Db, game: GameNo, id: GameId, lessons: &[Lesson], at: Timestamp) -> Result<(), StoreError> {
    for lesson in lessons {
        if let Lesson::Consulted { seq, payer, price, case_id, .. } = lesson {
            let reference = format!("{id}#{}", seq.0);
            unlocks::charge_consult(db, *payer, u64::from(*price), &reference, (game, case_id), at)?;
        }
    }
    Ok(())
}

fn create(db: &Db, new: &NewGame, at: i64) -> Result<GameNo, StoreError> {
    let mut insert = db.prepare_cached(
        "insert or fail into games (id, kind, rules, seed, created_at, unlisted, demo) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![new.id.0, new.kind, new.rules, new.seed, at, new.unlisted, new.demo])?;
    Ok(GameNo(db.last_insert_rowid()))
}

fn conflict(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Conflict,
        _ => error.into(),
    }
}
