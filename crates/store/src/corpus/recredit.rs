//! What a database that is older than the rules of credit and sale is brought up to: whose words each argument is, what was counted of it,
//! and what is for sale.

use crate::corpus::{arguments, burden, derived, listings, origins};
use crate::{Db, StoreError};
use commons::corpus::credit::Rows;
use commons::corpus::lesson::Text;
use commons::corpus::moderation::Standing;
use commons::corpus::stats::{Counters, JuryShift, Use};
use engine::facts::Side;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::params;
use std::collections::BTreeMap;
use uuid::Uuid;

pub(crate) fn all(db: &Db) -> Result<(), StoreError> {
    db.execute_batch(
        "update arguments set put_up = 1 where author is not null and exists (select 1 from argument_stats s
             where s.argument = arguments.n and (s.listed = 1 or s.wanted_at is not null));
         update arguments set aired = 1 where
             put_up = 0 and not exists (select 1 from spoken k where k.argument = n and coalesce(k.by_house, 0) = 0)
             and (exists (select 1 from argument_events e where e.arg_hash = hash and e.external = 1 and e.counted = 1)
             or exists (select 1 from defense_corpus d where d.defense_hash = hash and d.external = 1 and d.counted = 1));
         update argument_stats set trials = (select count(distinct e.trial_id) from argument_events e
             where e.stat = argument_stats.n and e.counted = 1);
         update defense_stats set trials = (select count(distinct d.trial_id) from defense_corpus d
             where d.lineage = defense_stats.lineage and d.character_id = defense_stats.character_id and d.counted = 1)",
    )?;
    count(db)?;
    credit(db)?;
    for part in derived::parts(derived::derive(db)?) {
        derived::write(db, &part)?;
    }
    arguments::rebuild(db)
}

/// An argument as it was kept so far.
struct Kept {
    n: i64,
    text: String,
    side: String,
    author: Option<AccountId>,
}

/// Goes through all arguments in the order in which they came, and takes from their senders what was another's, or the house's.
fn credit(db: &Db) -> Result<(), StoreError> {
    let mut query =
        db.prepare("select n, text, side, author from arguments where text != '' and status != ?1 order by n")?;
    let rows = query.query_map(params![Standing::Counted.word()], |row| {
        let author = row.get::<_, Option<Uuid>>(3)?.map(AccountId);
        Ok(Kept { n: row.get(0)?, text: row.get(1)?, side: row.get(2)?, author })
    })?;
    let all: Vec<Kept> = rows.collect::<Result<_, _>>()?;
    for kept in all {
        let Some(text) = Text::of(&kept.text) else { continue };
        origins::sign(db, kept.n, &text)?;
        let side = if kept.side == "attack" { Side::Attack } else { Side::Defense };
        let found = origins::find(db, kept.n, &text, side, kept.author)?;
        let lines = db.house_lines().in_text(&Rows::of(&kept.text));
        let of_house = lines.iter().any(|line| Text::of(&line.text).is_some_and(|line| line.hash == text.hash));
        let author = found.author.filter(|_| lines.is_empty());
        arguments::change(db, kept.n, |db| {
            db.prepare_cached(
                "update arguments set author = ?2, origin = ?3, of_house = ?4, aired = max(aired, ?4) where n = ?1",
            )?
            .execute(params![kept.n, author.map(|author| author.0), found.origin, of_house])?;
            Ok(())
        })?;
        if kept.author.is_some() && author.is_none() {
            listings::withdraw(db, kept.n)?;
        }
    }
    Ok(())
}

/// Counts uses that worked, and those that moved somebody.
fn count(db: &Db) -> Result<(), StoreError> {
    let mut counted: BTreeMap<i64, Counters> = BTreeMap::new();
    let mut query = db.prepare(
        "select stat, jury_shift, triggered_extraordinary, burden_verdict from argument_events where counted = 1",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let used = Use {
            jury_shift: JuryShift::new(row.get(1)?).map_err(|wrong| StoreError::Broken(wrong.to_string()))?,
            triggered: row.get(2)?,
            verdict: row.get_ref(3)?.as_str_or_null().ok().flatten().and_then(burden),
            ia_change: 0,
            at: Timestamp(0),
        };
        counted.entry(row.get(0)?).or_default().fold(&used);
    }
    let mut update = db.prepare_cached("update argument_stats set worked = ?2, moved = ?3 where n = ?1")?;
    for (n, Counters { worked, moved, .. }) in counted {
        update.execute(params![n, worked as i64, moved as i64])?;
    }
    Ok(())
}
