//! The store: one small interface over one embedded database. SQL lives here and nowhere else.
//!
//! There is one writer. It puts all waiting commits into one transaction: every acknowledged command is on disk, without an fsync for each.

pub mod bench;
pub mod corpus;
mod db;
pub mod games;
mod head;
pub mod ledger;
pub mod people;
pub mod reference;
mod sqlite;
pub mod verify;
mod writer;

pub use db::Db;
pub use games::{GameFilter, GameListed, GameStored, Row};
pub use people::accounts::{Account, ApiKey};
pub use people::agents::Agent;
pub use writer::{Commit, Committed, FirstAnswer, NewGame};

use commons::corpus::credit::HouseLines;
use commons::ledger::purse::Short;
use commons::ledger::terms::Terms;
use commons::standings::Outcome;
use db::Basis;
use engine::chain::Hash;
use engine::chance::Seed;
use engine::id::GameId;
use engine::reference::Reference;
use engine::time::Timestamp;
use head::HeadFile;
use ledger::terms;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// Most idle read connections kept in the pool.
const READERS_MAX: usize = 8;
/// The name of the database file in the data directory.
const FILE: &str = "moot.db";

/// The number of a game within this database; everywhere else a game goes by its [`GameId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameNo(pub i64);

/// Works out the results of a finished game from its kind, id, seed and snapshot. Needed once, to migrate a database that is older than the
/// results table; the store itself does not know the rules.
pub type OutcomeOf = fn(&str, GameId, Seed, &[u8]) -> Result<Outcome, String>;

/// Why a read or a write failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Another commit to the same game came first: load the game again and retry.
    #[error("the game has moved on")]
    Conflict,
    /// Something that must be unique is taken.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// The payer has too little.
    #[error("{0}")]
    Short(Short),
    /// Writes fail, reads still work.
    #[error("the disk is full")]
    Full,
    #[error("the server is stopping")]
    Stopping,
    /// The database file is damaged.
    #[error("database: {0}")]
    Damaged(String),
    /// Anything else: a fault of the program or of the database file.
    #[error("database: {0}")]
    Broken(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => StoreError::Damaged(error.to_string()),
            _ => StoreError::Broken(error.to_string()),
        }
    }
}

/// What a database is opened with.
#[derive(Debug, Default)]
pub struct Opening {
    /// The terms from now on; if left out, those in force.
    pub terms: Option<Terms>,
    /// What minds of the house may say.
    pub house_lines: Arc<HouseLines>,
    /// The tables of content by which new games are played.
    pub references: Vec<Reference>,
}

/// The database of one data directory.
#[derive(Clone)]
pub struct Store {
    path: Arc<PathBuf>,
    basis: Arc<Basis>,
    writer: writer::Writer,
    readers: Arc<Mutex<Vec<Db>>>,
}

impl Store {
    /// Opens the database in this directory, creating and migrating it as needed. If the terms are others than before, what is for sale is
    /// decided anew.
    pub fn open(directory: &Path, outcome: OutcomeOf, open: Opening) -> Result<Self, StoreError> {
        Self::open_watched(directory, outcome, open, || {})
    }

    /// The same, calling `before_commit` on the writer's thread right before each COMMIT, where tests can hold it up.
    pub fn open_watched(
        directory: &Path,
        outcome: OutcomeOf,
        open: Opening,
        before_commit: impl Fn() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let path = directory.join(FILE);
        let Opening { terms, house_lines, references } = open;
        let db = sqlite::open_writer(&path, &Basis::new(Terms::default(), house_lines))?;
        sqlite::migrate(&db, outcome)?;
        head::check(directory, &db)?;
        reference::keep(&db, &references)?;
        let db = terms::adopt(db, terms)?;
        let basis = db.basis();
        let file = HeadFile::open(directory).map_err(|error| StoreError::Broken(error.to_string()))?;
        let writer = writer::Writer::start(db, file, before_commit)?;
        Ok(Store { path: Arc::new(path), basis, writer, readers: Arc::default() })
    }

    /// The terms that things are sold under.
    pub fn terms(&self) -> &Terms {
        self.basis.terms()
    }

    /// Opens the database read-only, even while a server is running. Its schema must be the current one.
    pub fn open_to_read(directory: &Path) -> Result<Db, StoreError> {
        let db = sqlite::open_reader(&directory.join(FILE), &Basis::new(Terms::default(), Arc::default()))?;
        sqlite::check_version(&db)?;
        head::check(directory, &db)?;
        terms::in_force(db)
    }

    /// Stores what one command changed, all of it or nothing. Answers once it is on disk.
    pub async fn commit(&self, commit: Commit) -> Result<GameNo, StoreError> {
        self.commit_later(commit)?.await.map_err(|_| StoreError::Stopping)?
    }

    /// The same without waiting: the answer arrives on the receiver.
    pub fn commit_later(&self, commit: Commit) -> Result<oneshot::Receiver<Committed>, StoreError> {
        self.writer.commit(commit)
    }

    /// Makes any other change, in the same queue as the commits.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Db) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(move |db, _| change(db)).await
    }

    /// Reads on a thread that may block.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Db) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        tokio::task::spawn_blocking(move || store.read_now(query))
            .await
            .map_err(|error| StoreError::Broken(error.to_string()))?
    }

    /// Reads on this thread; for look-ups by key that take microseconds.
    pub fn read_now<T>(&self, query: impl FnOnce(&Db) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let waiting = self.readers.lock().expect("no reader panics while it holds the pool").pop();
        let db = match waiting {
            Some(db) => db,
            None => sqlite::open_reader(&self.path, &self.basis)?,
        };
        let answer = query(&db);
        let mut readers = self.readers.lock().expect("no reader panics while it holds the pool");
        if readers.len() < READERS_MAX {
            readers.push(db);
        }
        answer
    }

    /// Keeps the answer to a request that changed nothing in its game.
    pub async fn remember(&self, game: GameNo, first: FirstAnswer) -> Result<(), StoreError> {
        self.writer.run(move |db, heads| games::remember(db, game, &first, heads)).await
    }

    /// Removes what was said and played in a game, leaving a tombstone. False if there is no such game.
    pub async fn forget(&self, id: GameId, reason: String, now: Timestamp) -> Result<bool, StoreError> {
        let forgotten = self.writer.run(move |db, heads| {
            let forgotten = games::forget(db, id, &reason, now)?;
            if let Some((game, seal)) = forgotten {
                push_head(heads, game, TOMBSTONE, &seal);
            }
            Ok(forgotten.is_some())
        });
        let forgotten = forgotten.await?;
        self.writer.clean().await?;
        Ok(forgotten)
    }

    /// The directory of the database.
    pub fn directory(&self) -> &Path {
        self.path.parent().expect("a file has a directory")
    }

    /// How many bytes the database takes up, with its write-ahead log.
    pub fn size(&self) -> u64 {
        let log = self.path.with_extension("db-wal");
        [self.path.as_path(), &log].iter().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(|db| Ok(db.query_row("select 1", [], |_| Ok(()))?)).await
    }

    /// Stops the writer after the changes already queued. The last connection to close checkpoints the write-ahead log.
    pub async fn stop(&self) {
        self.readers.lock().expect("no reader panics while it holds the pool").clear();
        self.writer.stop().await;
    }

    /// The journal mode and synchronous level of the writer's connection, as SQLite reports them.
    pub async fn durability(&self) -> Result<(String, i64), StoreError> {
        self.write(|db| Ok(sqlite::durability(db)?)).await
    }
}

/// Copies the database consistently into a new file, even while a server is running.
pub fn backup(directory: &Path, to: &Path) -> Result<(), StoreError> {
    let from = Store::open_to_read(directory)?;
    sqlite::backup(&from, to)
}

/// The hash of a `commits` row, chained to the row before it. `heads` says which games the transaction changed, and up to which event.
fn commit_link(previous: Hash, n: i64, heads: &[u8]) -> Hash {
    let mut row = Vec::with_capacity(40 + heads.len());
    row.extend_from_slice(&previous.0);
    row.extend_from_slice(&n.to_le_bytes());
    row.extend_from_slice(heads);
    Hash::of(&row)
}

/// In place of an event number in the last head of a removed game; the hash beside it covers what is left of the game.
const TOMBSTONE: u64 = u64::MAX;

/// In place of an event number where a commit names the first answer to a request; the hash beside it covers request and answer.
const ANSWER: u64 = u64::MAX - 1;

/// The bytes of one head in a `commits` row: game, event, hash.
const HEAD_BYTES: usize = 48;

fn push_head(heads: &mut Vec<u8>, game: GameNo, seq: u64, head: &Hash) {
    heads.extend_from_slice(&game.0.to_le_bytes());
    heads.extend_from_slice(&seq.to_le_bytes());
    heads.extend_from_slice(&head.0);
}

fn read_heads(heads: &[u8]) -> impl Iterator<Item = (GameNo, u64, Hash)> {
    heads.chunks_exact(HEAD_BYTES).map(|head| {
        let number = |from: usize| u64::from_le_bytes(head[from..from + 8].try_into().expect("eight bytes"));
        (GameNo(number(0) as i64), number(8), Hash(head[16..].try_into().expect("thirty-two bytes")))
    })
}
