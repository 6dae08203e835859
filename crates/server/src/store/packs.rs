//! Making packs: the proved defences of a character that do best, bound together and sold as one.

use super::StoreError;
use super::thrones::Asset;
use crate::packs::usual_words;
use commons::ledger::price::{PACK_IA, text_price};
use engine::id::AccountId;
use engine::roster::Lang;
use engine::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// How many defences are in a pack at most; with so many the house makes one by itself.
pub const PACK_SIZE: usize = 20;
/// The house makes the next edition when fewer than this many of the present best are in the last one.
const SAME_MIN: usize = PACK_SIZE / 2;

/// A pack to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPack {
    /// From which case.
    pub case_id: String,
    /// Whose defences.
    pub character_id: String,
    /// What it is called; left out, it is named in the language of whoever reads it.
    pub name: Option<String>,
    /// What is in it; left out, it is said in the language of whoever reads it.
    pub description: Option<String>,
    /// What it costs; left out, the usual price.
    pub price: Option<u64>,
    /// Who made it; nobody if the house did by itself.
    pub curator: Option<AccountId>,
    /// When.
    pub at: Timestamp,
}

/// A pack that was made. Stored as the answer to a request: changed by adding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// Its id.
    pub pack_id: String,
    /// What the intern of whoever owns it is tagged with.
    pub tag: String,
    /// Which of this character's packs.
    pub edition: i64,
    /// What it is called.
    pub name: String,
    /// What it costs.
    pub price_ia: u64,
    /// How many defences are in it.
    pub defenses: usize,
    /// Whether it was there already: the same defences are bound once.
    pub made_before: bool,
}

/// A defence that may go into a pack.
struct Proved {
    lineage: i64,
    hash: String,
    effectiveness_e4: i64,
}

/// Makes a pack of the best there are, or finds the one that has just these in it; nothing if none was ever proved.
pub fn make(db: &Connection, pack: &NewPack) -> Result<Option<Made>, StoreError> {
    let proved = best(db, &pack.case_id, &pack.character_id)?;
    if proved.is_empty() {
        return Ok(None);
    }
    match bound_before(db, pack, &proved)? {
        Some(made) => Ok(Some(made)),
        None => bind(db, pack, &proved).map(Some),
    }
}

/// Makes the next edition if there is enough that is new; the house's own work.
pub fn make_if_due(db: &Connection, pack: &NewPack) -> Result<Option<Made>, StoreError> {
    let proved = best(db, &pack.case_id, &pack.character_id)?;
    if proved.len() < PACK_SIZE {
        return Ok(None);
    }
    let mut query = db.prepare_cached(
        "select lineage from pack_defenses where pack_id =
             (select pack_id from character_packs where case_id = ?1 and character_id = ?2 order by rowid desc limit 1)",
    )?;
    let last: BTreeSet<i64> =
        query.query_map(params![pack.case_id, pack.character_id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if proved.iter().filter(|one| last.contains(&one.lineage)).count() >= SAME_MIN {
        return Ok(None);
    }
    if bound_before(db, pack, &proved)?.is_some() {
        return Ok(None);
    }
    bind(db, pack, &proved).map(Some)
}

/// The edition that has these defences and no others, in whatever order they were then.
fn bound_before(db: &Connection, pack: &NewPack, proved: &[Proved]) -> Result<Option<Made>, StoreError> {
    let wanted: BTreeSet<&str> = proved.iter().map(|one| one.hash.as_str()).collect();
    let mut packs = db.prepare_cached(
        "select pack_id, name, price_ia, coalesce(pack_metadata ->> '$.tag', pack_id || ':1'),
             coalesce(pack_metadata ->> '$.edition', 1)
         from character_packs where case_id = ?1 and character_id = ?2 order by rowid",
    )?;
    let mut inside = db.prepare_cached("select defense_hash from pack_defenses where pack_id = ?1")?;
    let mut rows = packs.query(params![pack.case_id, pack.character_id])?;
    while let Some(row) = rows.next()? {
        let pack_id: String = row.get(0)?;
        let hashes: Vec<String> = inside.query_map(params![pack_id], |row| row.get(0))?.collect::<Result<_, _>>()?;
        if hashes.len() != proved.len() || !hashes.iter().all(|hash| wanted.contains(hash.as_str())) {
            continue;
        }
        return Ok(Some(Made {
            name: row.get(1)?,
            price_ia: row.get::<_, i64>(2)? as u64,
            tag: row.get(3)?,
            edition: row.get(4)?,
            defenses: hashes.len(),
            made_before: true,
            pack_id,
        }));
    }
    Ok(None)
}

/// The best that were proved where it counts, one of each lineage, in words that may be read and that nobody can read elsewhere.
fn best(db: &Connection, case_id: &str, character_id: &str) -> Result<Vec<Proved>, StoreError> {
    let mut order = db.prepare_cached(
        "select lineage, effectiveness_e4 from case_defenses indexed by defenses_by_effectiveness
         where case_id = ?1 and character_id = ?2 and proved > 0 order by effectiveness_e4 desc, n desc",
    )?;
    let mut words = db.prepare_cached(
        "select a.hash from defense_corpus d indexed by defense_by_pair cross join arguments a on a.hash = d.defense_hash
         where d.lineage = ?1 and d.counted = 1 and d.case_id = ?2 and d.character_id = ?3 and d.outcome = 'proved'
             and a.side = 'defence' and a.status in ('clear', 'approved') and a.text != '' and a.opened = 0
         order by d.id limit 1",
    )?;
    let mut rows = order.query(params![case_id, character_id])?;
    let mut found: Vec<Proved> = Vec::new();
    while let Some(row) = rows.next()?
        && found.len() < PACK_SIZE
    {
        let lineage: i64 = row.get(0)?;
        if found.iter().any(|one| one.lineage == lineage) {
            continue;
        }
        let hash: Option<String> =
            words.query_row(params![lineage, case_id, character_id], |row| row.get(0)).optional()?;
        // The same words count for two lineages if they were once said as a variation of somebody else's.
        if let Some(hash) = hash.filter(|hash| !found.iter().any(|one| one.hash == *hash)) {
            found.push(Proved { lineage, hash, effectiveness_e4: row.get(1)? });
        }
    }
    Ok(found)
}

/// What a pack costs if nothing is said: never more than its defences cost one by one.
fn usual_price(proved: &[Proved]) -> u64 {
    PACK_IA.min(proved.iter().map(|one| text_price(one.effectiveness_e4)).sum())
}

fn bind(db: &Connection, pack: &NewPack, proved: &[Proved]) -> Result<Made, StoreError> {
    let price = pack.price.unwrap_or_else(|| usual_price(proved));
    let before: i64 = db.query_row(
        "select count(*) from character_packs where character_id = ?1",
        params![pack.character_id],
        |row| row.get(0),
    )?;
    let edition = before + 1;
    let base = format!("{}_{}_pack", pack.character_id, Asset::Defense.word());
    let pack_id = if edition == 1 { base.clone() } else { format!("{base}_{edition}") };
    let tag = format!("{base}:{edition}");
    let (usual_name, usual_description) =
        usual_words(Lang::En, &pack.case_id, &pack.character_id, edition, proved.len());
    let name = pack.name.clone().unwrap_or(usual_name);
    let metadata = json!({
        "tag": tag, "edition": edition, "usual_name": pack.name.is_none(), "usual_description": pack.description.is_none(),
    });
    db.prepare_cached(
        "insert into character_packs (pack_id, character_id, case_id, name, description, price_ia, curator_id, pack_metadata,
             created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        pack_id,
        pack.character_id,
        pack.case_id,
        name,
        pack.description.as_ref().unwrap_or(&usual_description),
        price as i64,
        pack.curator.map(|curator| curator.0),
        metadata.to_string(),
        pack.at.0,
    ])?;
    let mut insert = db.prepare_cached(
        "insert into pack_defenses (pack_id, position, defense_hash, lineage, effectiveness_e4) values (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (place, one) in proved.iter().enumerate() {
        insert.execute(params![pack_id, place as i64 + 1, one.hash, one.lineage, one.effectiveness_e4])?;
    }
    Ok(Made { pack_id, tag, edition, name, price_ia: price, defenses: proved.len(), made_before: false })
}
