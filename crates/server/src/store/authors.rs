//! Authors: what the accounts here have written, and how that has done.

use super::StoreError;
use rusqlite::{Connection, params};

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

/// Those who were paid most first, then those whose arguments did most; so many, after so many.
pub fn page(db: &Connection, after: usize, limit: usize) -> Result<Vec<Author>, StoreError> {
    let mut query = db.prepare_cached(
        "with written as (
             select a.author, count(*) arguments,
                 sum(coalesce((select sum(s.uses) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                     + coalesce((select sum(d.uses) from defense_stats d where d.lineage = a.n and a.side = 'defence'), 0)) uses,
                 sum(coalesce((select sum(s.trap_lands) from argument_stats s where s.argument = a.n and a.side = 'attack'), 0)
                     + coalesce((select sum(d.proved) from defense_stats d where d.lineage = a.n and a.side = 'defence'), 0)) lands
             from arguments a where a.author is not null and a.status in ('clear', 'approved') and a.text != ''
             group by a.author),
         paid as (select recipient_id, sum(amount_ia) royalties from royalty_payouts group by recipient_id),
         held as (select champion, count(*) thrones from thrones where champion is not null group by champion)
         select u.username, coalesce(w.arguments, 0), coalesce(w.uses, 0), coalesce(w.lands, 0), coalesce(p.royalties, 0),
             coalesce(h.thrones, 0)
         from accounts u left join written w on w.author = u.id left join paid p on p.recipient_id = u.id
         left join held h on h.champion = u.id
         where u.deleted_at is null and (w.author is not null or p.recipient_id is not null or h.champion is not null)
         order by 5 desc, 4 desc, 3 desc, u.username limit ?2 offset ?1",
    )?;
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
