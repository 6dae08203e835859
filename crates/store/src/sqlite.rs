//! Opening SQLite the way a log needs it: WAL, synchronous=FULL, migrations by number.

use crate::db::Basis;
use crate::games::{self, standings};
use crate::people::accounts;
use crate::{Db, OutcomeOf, StoreError, corpus, ledger};
use commons::standings::Outcome;
use engine::chance::Seed;
use engine::id::GameId;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const MIGRATIONS: [&str; 16] = [
    include_str!("migrations/0001_foundation.sql"),
    include_str!("migrations/0002_standings.sql"),
    include_str!("migrations/0003_minds.sql"),
    include_str!("migrations/0004_corpus.sql"),
    include_str!("migrations/0005_market.sql"),
    include_str!("migrations/0006_economy.sql"),
    include_str!("migrations/0007_authors.sql"),
    include_str!("migrations/0008_names.sql"),
    include_str!("migrations/0009_hearing.sql"),
    include_str!("migrations/0010_influence.sql"),
    include_str!("migrations/0011_projections.sql"),
    include_str!("migrations/0012_guards.sql"),
    include_str!("migrations/0013_trust.sql"),
    include_str!("migrations/0014_pages.sql"),
    include_str!("migrations/0015_honest_market.sql"),
    include_str!("migrations/0016_reference_tables.sql"),
];
/// The migration that adds the results tables: games that are already over are recorded then.
const STANDINGS: usize = 2;
/// The migration that adds the ledger: existing accounts get the welcome bonus too.
const ECONOMY: usize = 6;
/// The migration that adds the keys of names: existing accounts keep their names, even if two look alike.
const NAMES: usize = 8;
/// The migration after which commits name the answers to idempotent requests, and each person is welcomed once: the answers that are there
/// are named then, and the owners of accounts remembered.
const TRUST: usize = 13;
/// The migration after which words are found by what takes them over and sold by what became of them: all of it is worked out then.
const CREDIT: usize = 15;
/// How long to wait for a lock that a backup or a reader holds.
const BUSY: Duration = Duration::from_secs(10);
/// Pages in the write-ahead log before they are moved into the database: 64 MB. Most of them are written many times over until then, and
/// moved once.
const LOG_PAGES: usize = 16_000;
/// Prepared statements kept per connection.
const STATEMENTS_MAX: usize = 64;

pub(crate) fn open_writer(path: &Path, basis: &Arc<Basis>) -> Result<Db, StoreError> {
    let connection = Connection::open(path)?;
    settle(&connection)?;
    connection.execute_batch(&format!(
        "pragma journal_mode = wal;
         pragma synchronous = full;
         pragma foreign_keys = on;
         pragma temp_store = memory;
         pragma cache_size = -65536;
         pragma wal_autocheckpoint = {LOG_PAGES};",
    ))?;
    let db = Db(connection, Arc::clone(basis));
    let (journal, synchronous) = durability(&db)?;
    if journal != "wal" || synchronous != 2 {
        return Err(StoreError::Broken(format!("journal_mode is {journal} and synchronous {synchronous}")));
    }
    Ok(db)
}

/// A database for `moot bench`, under the usual terms.
pub(crate) fn open_bench(path: &Path) -> Result<Db, StoreError> {
    open_writer(path, &Basis::new(Default::default(), Arc::default()))
}

pub(crate) fn open_reader(path: &Path, basis: &Arc<Basis>) -> Result<Db, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|error| StoreError::Broken(format!("cannot open {}: {error}", path.display())))?;
    settle(&connection)?;
    Ok(Db(connection, Arc::clone(basis)))
}

/// The settings of every connection. Query plans must not depend on parameter values: otherwise a cached statement is planned again each
/// time it is used, which costs more than running it.
fn settle(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

pub(crate) fn durability(db: &Db) -> rusqlite::Result<(String, i64)> {
    let journal = db.query_row("pragma journal_mode", [], |row| row.get(0))?;
    let synchronous = db.query_row("pragma synchronous", [], |row| row.get(0))?;
    Ok((journal, synchronous))
}

/// Brings a database up to date, in one transaction: it is at the new schema or untouched.
pub(crate) fn migrate(db: &Db, outcome: OutcomeOf) -> Result<(), StoreError> {
    let have = schema_version(db)?;
    if have == MIGRATIONS.len() {
        return Ok(());
    }
    if have > MIGRATIONS.len() {
        return Err(unfit(have));
    }
    db.execute_batch("begin immediate")?;
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(have) {
        db.execute_batch(sql)?;
        match index + 1 {
            STANDINGS => standings::record_finished(db, outcome)?,
            ECONOMY => ledger::welcome_all(db)?,
            CREDIT => corpus::recredit::all(db)?,
            NAMES => accounts::fold_all(db)?,
            TRUST => {
                games::name_answers(db)?;
                ledger::greet_all(db)?;
            }
            _ => {}
        }
    }
    db.execute_batch(&format!("pragma user_version = {}; commit", MIGRATIONS.len()))?;
    Ok(())
}

pub(crate) fn check_version(db: &Db) -> Result<(), StoreError> {
    let have = schema_version(db)?;
    if have == MIGRATIONS.len() { Ok(()) } else { Err(unfit(have)) }
}

fn unfit(have: usize) -> StoreError {
    let needed = MIGRATIONS.len();
    let remedy = if have < needed {
        "start the server with it once, which brings it up to date"
    } else {
        "it was made by a newer Moot; use that one"
    };
    StoreError::Broken(format!("the database has schema {have} and this program needs {needed}: {remedy}"))
}

fn schema_version(db: &Db) -> rusqlite::Result<usize> {
    db.query_row("pragma user_version", [], |row| row.get::<_, i64>(0)).map(|version| version as usize)
}

pub(crate) fn backup(from: &Db, to: &Path) -> Result<(), StoreError> {
    let mut copy = Connection::open(to)?;
    let backup = rusqlite::backup::Backup::new(&from.0, &mut copy)?;
    // All pages in one step: a reader sees one moment of a WAL database, whatever is written meanwhile.
    match backup.step(-1)? {
        rusqlite::backup::StepResult::Done => Ok(()),
        other => Err(StoreError::Broken(format!("the backup stopped: {other:?}"))),
    }
}

/// For new databases, which have no finished games to migrate.
pub(crate) fn no_outcome(kind: &str, _: GameId, _: Seed, _: &[u8]) -> Result<Outcome, String> {
    Err(format!("nobody says what a game of {kind} brought"))
}

/// An empty database with every table, for tests.
#[cfg(test)]
pub(crate) fn in_memory() -> Db {
    let db =
        Db(Connection::open_in_memory().expect("a database in memory"), Basis::new(Default::default(), Arc::default()));
    migrate(&db, no_outcome).expect("the schema");
    db
}

/// The query plan of a statement, line by line: tests check that it uses its index.
#[cfg(test)]
pub(crate) fn plan(db: &Db, sql: &str) -> Vec<String> {
    let mut query = db.prepare(&format!("explain query plan {sql}")).expect("it is sound");
    let mut rows = query.raw_query();
    let mut lines = Vec::new();
    while let Some(row) = rows.next().expect("a plan") {
        lines.push(row.get(3).expect("a line"));
    }
    lines
}
