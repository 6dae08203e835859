//! Authors: what the accounts here have written, and how that has done.

use super::StoreError;
use super::verify::Bad;
use engine::id::AccountId;
use rusqlite::{Connection, OptionalExtension as _, params};

/// An author's figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// Its account's name.
    pub alias: String,
    /// Attacks and defences it wrote that may be read.
    pub arguments: i64,
    /// How often they were used where it counts.
    pub uses: i64,
    /// How often they did what they are for: attacks that landed, defences that were proved.
    pub lands: i64,
    /// What it was paid for them, and for titles it took, in IA.
    pub royalties: i64,
    /// Titles it took and still holds.
    pub thrones: i64,
}

/// Along an index: nothing is counted here, whatever the corpus holds.
const PAGE: &str = "select name, arguments, uses, lands, royalties, thrones from author_stats
     where name is not null and (arguments > 0 or royalties > 0 or thrones > 0)
     order by royalties desc, lands desc, uses desc, name limit ?2 offset ?1";

/// Those who were paid most first, then those whose arguments did most; so many, after so many.
pub fn page(db: &Connection, after: usize, limit: usize) -> Result<Vec<Author>, StoreError> {
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

/// What the figures follow from, counted anew.
const COUNTED: &str = "with written as (
         select a.author, count(*) arguments,
             sum(coalesce((select sum(s.uses) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                 + coalesce((select sum(d.uses) from defense_stats d where d.lineage = a.n and a.side = 'defence'), 0)) uses,
             sum(coalesce((select sum(s.trap_lands) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                 + coalesce((select sum(d.proved) from defense_stats d where d.lineage = a.n and a.side = 'defence'), 0)) lands
         from arguments a where a.author is not null and a.status in ('clear', 'approved') and a.text != ''
         group by a.author),
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

/// Holds everybody's figures against what was written, used, paid and taken.
pub(super) fn check(db: &Connection) -> Result<(), Bad> {
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
    use super::super::sqlite::{in_memory, plan};
    use super::*;

    #[test]
    fn a_page_of_authors_is_read_along_an_index_and_counts_nothing() {
        assert_eq!(plan(&in_memory(), PAGE), ["SCAN author_stats USING INDEX authors_ranked"]);
    }
}
