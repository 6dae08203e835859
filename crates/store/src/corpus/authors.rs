//! Authors: what accounts have written, and how well it has done. The figures are updated with every change they depend on, so that the
//! list of authors need not count.

use crate::verify::Bad;
use crate::{Db, StoreError};
use engine::facts::Side;
use engine::id::AccountId;
use rusqlite::{OptionalExtension as _, params};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    pub alias: String,
    /// Attacks and defenses it wrote that may be read.
    pub arguments: i64,
    /// How often they were used where it counts.
    pub uses: i64,
    /// How often they succeeded: attacks that landed, defenses that were proved.
    pub lands: i64,
    /// What it was paid for them, and for titles it took, in IA.
    pub royalties: i64,
    /// Titles it took and still holds.
    pub thrones: i64,
}

/// Read along an index, so that nothing is counted, however large the corpus.
const PAGE: &str = "select name, arguments, uses, lands, royalties, thrones from author_stats
     where name is not null and (arguments > 0 or royalties > 0 or thrones > 0)
     order by lands desc, uses desc, royalties desc, name limit ?2 offset ?1";

/// The next `limit` authors after the first `after`: those whose arguments succeeded most where it counts come first. What buyers paid
/// decides only between equals, since friends can buy from each other.
pub fn page(db: &Db, after: usize, limit: usize) -> Result<Vec<Author>, StoreError> {
    let mut query = db.prepare_cached(PAGE)?;
    let rows = query.query_map(params![after as i64, limit as i64], |row| {
        Ok(Author {
            alias: row.get(0)?,
            arguments: row.get(1)?,
            uses: row.get(2)?,
            lands: row.get(3)?,
            royalties: row.get(4)?,
            thrones: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The row of an account, made if there is none.
fn row(db: &Db, account: AccountId) -> Result<(), StoreError> {
    db.prepare_cached(
        "insert or ignore into author_stats (account, name)
         values (?1, (select username from accounts where id = ?1 and deleted_at is null))",
    )?
    .execute(params![account.0])?;
    Ok(())
}

/// Adds an argument to the figures of an account.
pub(crate) fn enter(db: &Db, account: AccountId, argument: i64, side: Side) -> Result<(), StoreError> {
    row(db, account)?;
    add(db, account, 1, deeds(db, argument, side)?)
}

pub(crate) fn withdraw(db: &Db, account: AccountId, argument: i64, side: Side) -> Result<(), StoreError> {
    let (uses, lands) = deeds(db, argument, side)?;
    add(db, account, -1, (-uses, -lands))
}

fn add(db: &Db, account: AccountId, arguments: i64, (uses, lands): (i64, i64)) -> Result<(), StoreError> {
    db.prepare_cached(
        "update author_stats set arguments = arguments + ?2, uses = uses + ?3, lands = lands + ?4 where account = ?1",
    )?
    .execute(params![account.0, arguments, uses, lands])?;
    Ok(())
}

/// Uses and lands of an argument so far. An attack has its own; for defenses, those of all variants count for the first of them.
fn deeds(db: &Db, argument: i64, side: Side) -> Result<(i64, i64), StoreError> {
    let sql = match side {
        Side::Attack => {
            "select coalesce(sum(uses), 0), coalesce(sum(trap_lands), 0) from argument_stats where argument = ?1"
        }
        Side::Defense => {
            "select coalesce(sum(uses), 0), coalesce(sum(proved), 0) from defense_stats where lineage = ?1"
        }
    };
    Ok(db.prepare_cached(sql)?.query_row(params![argument], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Counts one more use of an attack, given by its row of statistics.
pub(crate) fn attacked(db: &Db, stat: i64, landed: bool) -> Result<(), StoreError> {
    db.prepare_cached(
        "update author_stats set uses = uses + 1, lands = lands + ?2 where account = (
             select a.credited from argument_stats s join arguments a on a.n = s.argument
             where s.n = ?1 and a.side = 'attack')",
    )?
    .execute(params![stat, landed])?;
    Ok(())
}

/// Counts one more use of a defense of this lineage.
pub(crate) fn defended(db: &Db, lineage: i64, proved: bool) -> Result<(), StoreError> {
    db.prepare_cached(
        "update author_stats set uses = uses + 1, lands = lands + ?2
         where account = (select credited from arguments where n = ?1 and side = 'defense')",
    )?
    .execute(params![lineage, proved])?;
    Ok(())
}

/// Adds a royalty to the figures of an account.
pub(crate) fn paid(db: &Db, account: AccountId, amount: u64) -> Result<(), StoreError> {
    let mut update = db.prepare_cached("update author_stats set royalties = royalties + ?2 where account = ?1")?;
    if update.execute(params![account.0, amount as i64])? == 0 {
        row(db, account)?;
        update.execute(params![account.0, amount as i64])?;
    }
    Ok(())
}

/// Counts a title that went from one account to another; none is the house.
pub(crate) fn crowned(db: &Db, from: Option<AccountId>, to: Option<AccountId>) -> Result<(), StoreError> {
    let mut update = db.prepare_cached("update author_stats set thrones = thrones + ?2 where account = ?1")?;
    if let Some(from) = from {
        update.execute(params![from.0, -1])?;
    }
    if let Some(to) = to {
        row(db, to)?;
        update.execute(params![to.0, 1])?;
    }
    Ok(())
}

/// Removes the name of a deleted account from its figures.
pub(crate) fn unname(db: &Db, account: AccountId) -> Result<(), StoreError> {
    db.execute("update author_stats set name = null where account = ?1", params![account.0])?;
    Ok(())
}

/// Recounts all figures.
pub(crate) fn rebuild(db: &Db) -> Result<(), StoreError> {
    db.execute_batch("delete from author_stats")?;
    db.execute_batch(&format!(
        "insert into author_stats (account, name, arguments, uses, lands, royalties, thrones)
         {COUNTED} select * from counted"
    ))?;
    Ok(())
}

/// The figures, counted from what they follow from.
const COUNTED: &str = "with written as (
         select a.author, count(*) arguments,
             sum(coalesce((select sum(s.uses) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                 + coalesce((select sum(d.uses) from defense_stats d where d.lineage = a.n and a.side = 'defense'), 0)) uses,
             sum(coalesce((select sum(s.trap_lands) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                 + coalesce((select sum(d.proved) from defense_stats d where d.lineage = a.n and a.side = 'defense'), 0)) lands
         from arguments a where a.credited is not null group by a.author),
     paid as (select recipient_id, sum(amount_ia) royalties from royalty_payouts group by recipient_id),
     held as (select champion, count(*) thrones from thrones where champion is not null group by champion),
     somebody as (select author account from written union select recipient_id from paid union select champion from held),
     counted as (select o.account, u.username, coalesce(w.arguments, 0), coalesce(w.uses, 0), coalesce(w.lands, 0),
             coalesce(p.royalties, 0), coalesce(h.thrones, 0)
         from somebody o left join accounts u on u.id = o.account and u.deleted_at is null
         left join written w on w.author = o.account left join paid p on p.recipient_id = o.account
         left join held h on h.champion = o.account),
     kept as (select account, name, arguments, uses, lands, royalties, thrones from author_stats
         where arguments != 0 or uses != 0 or lands != 0 or royalties != 0 or thrones != 0)";

/// Checks all figures against what was written, used, paid and taken.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    let wrong = format!(
        "{COUNTED} select account from (select * from counted except select * from kept)
         union select account from (select * from kept except select * from counted) limit 1"
    );
    let found = db.query_row(&wrong, [], |row| row.get(0)).optional()?.map(AccountId);
    match found {
        Some(account) => {
            let what = format!("the figures of {account} are not what its words did and brought");
            Err(Bad { table: "author_stats", game: None, row: None, what })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{in_memory, plan};

    #[test]
    fn a_page_of_authors_is_read_along_an_index_and_counts_nothing() {
        assert_eq!(plan(&in_memory(), PAGE), ["SCAN author_stats USING INDEX authors_ranked"]);
    }
}
