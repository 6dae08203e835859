//! The terms in force, and those before them: what was sold names the terms it was sold under.

use crate::corpus::sales;
use crate::{Db, StoreError};
use commons::ledger::terms::Terms;
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeMap;

/// Puts these terms in force, or keeps those that are. If they are others than before, what is for sale is decided anew.
pub(crate) fn adopt(db: Db, terms: Option<Terms>) -> Result<Db, StoreError> {
    let current = current(&db)?;
    let db = db.under(terms.or(current.clone()).unwrap_or_default());
    if current.as_ref() == Some(db.terms()) {
        return Ok(db);
    }
    db.execute_batch("begin immediate")?;
    let body = String::from_utf8(db.terms().bytes()).map_err(|error| StoreError::Broken(error.to_string()))?;
    db.execute("insert into terms (hash, body) values (?1, ?2)", params![db.terms_hash(), body])?;
    sales::of_all(&db)?;
    db.execute_batch("commit")?;
    Ok(db)
}

/// A reader under the terms in force.
pub(crate) fn in_force(db: Db) -> Result<Db, StoreError> {
    let terms = current(&db)?.unwrap_or_default();
    Ok(db.under(terms))
}

fn current(db: &Db) -> Result<Option<Terms>, StoreError> {
    let mut query = db.prepare("select body from terms order by n desc limit 1")?;
    let body: Option<String> = query.query_row([], |row| row.get(0)).optional()?;
    body.map(|body| read(&body)).transpose()
}

/// All terms that were ever in force, by name.
pub(crate) fn all(db: &Db) -> Result<BTreeMap<String, Terms>, StoreError> {
    let mut query = db.prepare("select hash, body from terms order by n")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    rows.map(|row| row.map_err(StoreError::from).and_then(|(hash, body)| Ok((hash, read(&body)?)))).collect()
}

fn read(body: &str) -> Result<Terms, StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::Broken(format!("terms: {error}")))
}
