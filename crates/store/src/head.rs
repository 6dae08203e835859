//! The newest transaction, also kept in a small file beside the database. SQLite cannot tell a database whose write-ahead log was removed
//! from one that was never written to: this can.

use crate::{Db, StoreError, commit_link};
use engine::chain::Hash;
use rusqlite::{OptionalExtension as _, params};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The name of the file in the data directory.
const FILE: &str = "moot.head";

/// The number and the hash of a transaction.
pub(crate) type Head = (i64, Hash);

/// Where the newest transaction is kept.
pub(crate) struct HeadFile(File);

impl HeadFile {
    pub(crate) fn open(directory: &Path) -> std::io::Result<Self> {
        File::options().create(true).truncate(false).write(true).open(directory.join(FILE)).map(HeadFile)
    }

    /// Writes down a transaction that is on disk. It is not flushed: after a power cut the file may be older than the database, which is
    /// no contradiction. For the same reason a write that fails does no harm.
    pub(crate) fn note(&self, (n, hash): Head) {
        let _ = self.0.write_all_at(format!("{n:020} {hash}\n").as_bytes(), 0);
    }
}

/// Adds the row of this transaction, which changes what `heads` names. The one before it is read in the same transaction: a command may
/// have written beside this process.
pub(crate) fn add(db: &Db, heads: &[u8]) -> Result<Head, StoreError> {
    let (last, previous) = newest(db)?;
    let (n, hash) = (last + 1, commit_link(previous, last + 1, heads));
    let mut insert = db.prepare_cached("insert or fail into commits (n, heads, hash) values (?1, ?2, ?3)")?;
    insert.execute(params![n, heads, hash.0])?;
    Ok((n, hash))
}

/// The newest transaction of a database.
pub(crate) fn newest(db: &Db) -> Result<Head, StoreError> {
    let mut query = db.prepare_cached("select n, hash from commits order by n desc limit 1")?;
    let found = query.query_row([], |row| Ok((row.get(0)?, Hash(row.get(1)?)))).optional()?;
    Ok(found.unwrap_or((0, Hash::default())))
}

/// Fails if the database does not hold the transaction that the file beside it names.
pub(crate) fn check(directory: &Path, db: &Db) -> Result<(), StoreError> {
    let path = directory.join(FILE);
    // A file that is missing or unreadable names nothing: an old database, a copy, or a power cut.
    let noted = std::fs::read_to_string(&path).unwrap_or_default();
    let Some((n, hash)) = noted.trim_end().split_once(' ') else { return Ok(()) };
    let Ok(n) = n.parse::<i64>() else { return Ok(()) };
    let mut query = db.prepare("select hash from commits where n = ?1")?;
    let stored = query.query_row(params![n], |row| Ok(Hash(row.get(0)?))).optional()?;
    if n == 0 || stored.is_some_and(|stored| stored.to_string() == hash) {
        return Ok(());
    }
    let path = path.display();
    let what = match stored {
        Some(_) => format!("transaction {n} is not the one that {path} names"),
        None => format!("the newest transaction is {}, but {path} names {n}", newest(db)?.0),
    };
    Err(StoreError::Broken(format!(
        "{what}: its write-ahead log (moot.db-wal) was removed, or another copy was put in its place. Put back what is missing. If you \
         restored a backup or began anew on purpose, delete {path} and try again"
    )))
}
