//! One connection to the database. Code outside this crate can hold one and hand it to the functions here; only they can run SQL on it.

use commons::corpus::credit::HouseLines;
use commons::ledger::terms::Terms;
use rusqlite::{CachedStatement, Connection, Params, Result, Row, Statement};
use std::sync::Arc;

/// What decisions about words and money rest on besides what is stored.
#[derive(Debug)]
pub(crate) struct Basis {
    terms: Terms,
    /// The name of these terms.
    terms_hash: String,
    house_lines: Arc<HouseLines>,
}

impl Basis {
    pub(crate) fn new(terms: Terms, house_lines: Arc<HouseLines>) -> Arc<Self> {
        Arc::new(Basis { terms_hash: terms.hash(), terms, house_lines })
    }

    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// A connection, in the middle of a read or a transaction.
pub struct Db(pub(crate) Connection, pub(crate) Arc<Basis>);

impl Db {
    /// The connection itself, for tests that inspect or corrupt tables.
    #[cfg(feature = "raw")]
    pub fn raw(&self) -> &Connection {
        &self.0
    }

    /// The terms that things are sold under now.
    pub fn terms(&self) -> &Terms {
        &self.1.terms
    }

    pub(crate) fn terms_hash(&self) -> &str {
        &self.1.terms_hash
    }

    pub(crate) fn basis(&self) -> Arc<Basis> {
        Arc::clone(&self.1)
    }

    /// The same connection under other terms.
    pub(crate) fn under(self, terms: Terms) -> Db {
        let basis = Basis::new(terms, Arc::clone(&self.1.house_lines));
        Db(self.0, basis)
    }

    pub(crate) fn house_lines(&self) -> &HouseLines {
        &self.1.house_lines
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
