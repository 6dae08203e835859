//! What is kept: one small interface over one embedded database. SQL lives here and nowhere else.
//!
//! There is one writer. It takes every waiting commit into one transaction, so an acknowledged command is on disk and
//! throughput is not one fsync per command.

pub mod bench;
pub mod corpus;
mod db;
pub mod games;
pub mod ledger;
pub mod people;
mod sqlite;
pub mod verify;
mod writer;

pub use db::Db;
pub use games::{GameFilter, GameListed, GameStored, Row};
pub use people::accounts::{Account, ApiKey};
pub use people::agents::Agent;
pub use writer::{Commit, Committed, FirstAnswer, NewGame};

use commons::ledger::purse::Short;
use commons::standings::Outcome;
use engine::chain::Hash;
use engine::chance::Seed;
use engine::id::GameId;
use engine::time::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// How many readers wait in the pool.
const READERS_MAX: usize = 8;
/// The name of the database file in the data directory.
const FILE: &str = "moot.db";

/// The number of a game in the database; its id is for the world outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameNo(pub i64);

/// What a finished game brought, from its kind, id, seed and snapshot. Databases from before there were results ask for it once, when
/// they are migrated; the rules that know are not the store's.
pub type OutcomeOf = fn(&str, GameId, Seed, &[u8]) -> Result<Outcome, String>;

/// Why something could not be kept or read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Another writer got there first: load again and try again.
    #[error("the game has moved on")]
    Conflict,
    /// Something that must be unique is taken.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// The payer has too little.
    #[error("{0}")]
    Short(Short),
    /// No room on the disk: reads go on.
    #[error("the disk is full")]
    Full,
    /// The program is stopping.
    #[error("the server is stopping")]
    Stopping,
    /// Anything else is ours to mend.
    #[error("database: {0}")]
    Broken(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            _ => StoreError::Broken(error.to_string()),
        }
    }
}

/// The database of one data directory.
#[derive(Clone)]
pub struct Store {
    path: Arc<PathBuf>,
    writer: writer::Writer,
    readers: Arc<Mutex<Vec<Db>>>,
}

impl Store {
    /// Opens the database in this directory, creating and migrating it as needed.
    pub fn open(directory: &Path, outcome: OutcomeOf) -> Result<Self, StoreError> {
        Self::open_watched(directory, outcome, || {})
    }

    /// The same, calling `before_commit` on the writer's thread right before each COMMIT; tests hold it back there.
    pub fn open_watched(
        directory: &Path,
        outcome: OutcomeOf,
        before_commit: impl Fn() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let path = directory.join(FILE);
        let db = sqlite::open_writer(&path)?;
        sqlite::migrate(&db, outcome)?;
        let writer = writer::Writer::start(db, before_commit)?;
        Ok(Store { path: Arc::new(path), writer, readers: Arc::default() })
    }

    /// Opens it for reading only, beside a running server.
    pub fn open_to_read(directory: &Path) -> Result<Db, StoreError> {
        let db = sqlite::open_reader(&directory.join(FILE))?;
        sqlite::check_version(&db)?;
        Ok(db)
    }

    /// Stores what one command changed, all of it or nothing. Answers once it is on disk.
    pub async fn commit(&self, commit: Commit) -> Result<GameNo, StoreError> {
        self.commit_later(commit)?.await.map_err(|_| StoreError::Stopping)?
    }

    /// The same, for whoever wants to hold on to the answer while it is on its way.
    pub fn commit_later(&self, commit: Commit) -> Result<oneshot::Receiver<Committed>, StoreError> {
        self.writer.commit(commit)
    }

    /// Changes something that is no game, in the same queue.
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
            None => sqlite::open_reader(&self.path)?,
        };
        let answer = query(&db);
        let mut readers = self.readers.lock().expect("no reader panics while it holds the pool");
        if readers.len() < READERS_MAX {
            readers.push(db);
        }
        answer
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

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read(|db| Ok(db.query_row("select 1", [], |_| Ok(()))?)).await
    }

    /// Stops the writer after what is queued. The last connection to close folds the write-ahead log in.
    pub async fn stop(&self) {
        self.readers.lock().expect("no reader panics while it holds the pool").clear();
        self.writer.stop().await;
    }

    /// How the writer's connection is set: journal mode, synchronous level.
    pub async fn durability(&self) -> Result<(String, i64), StoreError> {
        self.write(|db| Ok(sqlite::durability(db)?)).await
    }
}

/// Copies the database consistently into a new file, also while a server runs.
pub fn backup(directory: &Path, to: &Path) -> Result<(), StoreError> {
    let from = Store::open_to_read(directory)?;
    sqlite::backup(&from, to)
}

/// Which games one transaction brought to which end, and the hash that chains it to the transactions before it.
fn commit_link(previous: Hash, n: i64, heads: &[u8]) -> Hash {
    let mut row = Vec::with_capacity(40 + heads.len());
    row.extend_from_slice(&previous.0);
    row.extend_from_slice(&n.to_le_bytes());
    row.extend_from_slice(heads);
    Hash::of(&row)
}

/// Stands for an event number in the last head of a removed game; its hash is over what is left of it.
const TOMBSTONE: u64 = u64::MAX;

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
