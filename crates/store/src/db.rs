//! One connection to the database. Code outside this crate can hold one and hand it to the functions here; only they can run SQL on it.

use rusqlite::{CachedStatement, Connection, Params, Result, Row, Statement};

/// A connection, in the middle of a read or a transaction.
pub struct Db(pub(crate) Connection);

impl Db {
    /// The connection itself, for tests that inspect or corrupt tables.
    #[cfg(feature = "raw")]
    pub fn raw(&self) -> &Connection {
        &self.0
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        self.0.prepare(sql)
    }

    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<CachedStatement<'_>> {
        self.0.prepare_cached(sql)
    }

    pub(crate) fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize> {
        self.0.execute(sql, parameters)
    }

    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.0.execute_batch(sql)
    }

    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.0.query_row(sql, parameters, read)
    }

    pub(crate) fn last_insert_rowid(&self) -> i64 {
        self.0.last_insert_rowid()
    }
}
