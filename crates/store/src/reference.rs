//! Content by which games are played: tables of rows that are named by their hash and never change.

use crate::verify::{Bad, bad};
use crate::{Db, StoreError};
use engine::reference::Reference;
use engine::roster::Lang;
use rusqlite::params;

/// The tables there are: no statement is made of a name from anywhere else.
const TABLES: [&str; 4] = ["opening_variants", "ima_excerpts", "japan_scripts", "issue_definitions"];

/// Adds what is not kept yet, all of it or nothing.
pub(crate) fn keep(db: &Db, references: &[Reference]) -> Result<(), StoreError> {
    db.execute_batch("begin immediate")?;
    let kept = references.iter().try_for_each(|reference| keep_one(db, reference));
    db.execute_batch(if kept.is_ok() { "commit" } else { "rollback" })?;
    kept
}

fn keep_one(db: &Db, reference: &Reference) -> Result<(), StoreError> {
    let table = TABLES.iter().find(|table| **table == reference.table);
    let table = table.ok_or_else(|| StoreError::Broken(format!("there is no table {:?}", reference.table)))?;
    let name = reference.hash().to_string();
    if db.prepare(&format!("select 1 from {table} where reference = ?1 limit 1"))?.exists(params![name])? {
        return Ok(());
    }
    let mut insert =
        db.prepare(&format!("insert into {table} (reference, position, lang, body) values (?1, ?2, ?3, ?4)"))?;
    for (body, position) in reference.rows.iter().zip(1_i64..) {
        insert.execute(params![name, position, word(reference.lang), body])?;
    }
    Ok(())
}

/// Everything that is kept. What does not have the hash that it is named by is left out: it is not what any game was played by.
pub fn all(db: &Db) -> Result<Vec<Reference>, StoreError> {
    Ok(named(db)?.into_iter().filter(|(name, kept)| kept.hash().to_string() == *name).map(|(_, kept)| kept).collect())
}

/// Checks that every set of rows has the hash that it is named by.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    for (name, kept) in named(db).map_err(|error| bad("opening_variants", 0, error.to_string()))? {
        if kept.hash().to_string() != name {
            let table = TABLES.into_iter().find(|table| *table == kept.table).unwrap_or(TABLES[0]);
            return Err(bad(
                table,
                kept.rows.len() as i64,
                format!("the rows of {name} are not what games were played by"),
            ));
        }
    }
    Ok(())
}

fn named(db: &Db) -> Result<Vec<(String, Reference)>, StoreError> {
    let mut found: Vec<(String, Reference)> = Vec::new();
    for table in TABLES {
        let mut query =
            db.prepare_cached(&format!("select reference, lang, body from {table} order by reference, position"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (name, lang, body): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            match found.last_mut().filter(|(last, kept)| *last == name && kept.table == table) {
                Some((_, kept)) => kept.rows.push(body),
                None => {
                    let lang = if lang == word(Lang::Ko) { Lang::Ko } else { Lang::En };
                    found.push((name, Reference { table: table.to_owned(), lang, rows: vec![body] }));
                }
            }
        }
    }
    Ok(found)
}

fn word(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Ko => "ko",
    }
}
