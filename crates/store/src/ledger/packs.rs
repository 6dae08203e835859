//! Packs: the proved defenses of a character that do best, bound together and sold as one.

use crate::corpus::cases::{WRITTEN_IN, read_language, read_mode};
use crate::ledger::thrones::Asset;
use crate::{Db, StoreError};
use commons::ledger::price::pack_price;
use engine::facts::Manner;
use engine::id::AccountId;
use engine::roster::Lang;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A pack to be made.
#[derive(Clone, Debug)]
pub struct NewPack {
    pub case_id: String,
    pub character_id: String,
    /// What it is called; if left out, each reader sees the usual name in their language.
    pub name: Option<String>,
    /// What is in it; if left out, each reader sees the usual description in their language.
    pub description: Option<String>,
    /// What it costs; if left out, the usual price.
    pub price: Option<u64>,
    /// The usual name and description, from case, character, edition and number of defenses.
    pub usual_words: fn(&str, &str, i64, usize) -> (String, String),
    /// The account that made it; none if the house did.
    pub curator: Option<AccountId>,
    pub at: Timestamp,
}

/// A pack that was made. Stored as the answer to a request: fields may be added, never changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    pub pack_id: String,
    /// The tag it gives to its owner's intern.
    pub tag: String,
    /// Which of this character's packs it is, from 1.
    pub edition: i64,
    /// What it is called.
    pub name: String,
    pub price_ia: u64,
    /// How many defenses are in it.
    pub defenses: usize,
    /// Whether it was there already: the same defenses are bound once.
    pub made_before: bool,
}

/// A defense that may go into a pack.
struct Proved {
    lineage: i64,
    hash: String,
    effectiveness_e4: i64,
}

/// Makes a pack of the best proved defenses, or finds the one that has exactly these in it; none if none was ever proved.
pub fn make(db: &Db, pack: &NewPack) -> Result<Option<Made>, StoreError> {
    let proved = best(db, &pack.case_id, &pack.character_id)?;
    if proved.is_empty() {
        return Ok(None);
    }
    match bound_before(db, pack, &proved)? {
        Some(made) => Ok(Some(made)),
        None => bind(db, pack, &proved).map(Some),
    }
}

/// Makes the next edition if enough of it is new; the house does this by itself, in the nightly job.
pub fn make_if_due(db: &Db, pack: &NewPack) -> Result<Option<Made>, StoreError> {
    let proved = best(db, &pack.case_id, &pack.character_id)?;
    if (proved.len() as u64) < db.terms().pack_size {
        return Ok(None);
    }
    let mut query = db.prepare_cached(
        "select lineage from pack_defenses where pack_id =
             (select pack_id from character_packs where case_id = ?1 and character_id = ?2 order by rowid desc limit 1)",
    )?;
    let last: BTreeSet<i64> =
        query.query_map(params![pack.case_id, pack.character_id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if proved.iter().filter(|one| last.contains(&one.lineage)).count() as u64 >= db.terms().pack_same_min {
        return Ok(None);
    }
    if bound_before(db, pack, &proved)?.is_some() {
        return Ok(None);
    }
    bind(db, pack, &proved).map(Some)
}

/// The edition that has these defenses and no others, in any order.
fn bound_before(db: &Db, pack: &NewPack, proved: &[Proved]) -> Result<Option<Made>, StoreError> {
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

/// The best defenses that were proved where it counts, one of each lineage, in words that are for sale and were not said in an open game.
fn best(db: &Db, case_id: &str, character_id: &str) -> Result<Vec<Proved>, StoreError> {
    let mut order = db.prepare_cached(
        "select lineage, effectiveness_e4 from case_defenses indexed by defenses_by_rank
         where case_id = ?1 and character_id = ?2 and proved > 0 and sold = 1 order by low_e4 desc, n desc",
    )?;
    let mut words = db.prepare_cached(
        "select a.hash from defense_corpus d indexed by defense_by_pair cross join arguments a on a.hash = d.defense_hash
         where d.lineage = ?1 and d.counted = 1 and d.case_id = ?2 and d.character_id = ?3 and d.outcome = 'proved'
             and a.side = 'defense' and a.released = 1 and a.opened = 0
         order by d.id limit 1",
    )?;
    let mut rows = order.query(params![case_id, character_id])?;
    let mut found: Vec<Proved> = Vec::new();
    while let Some(row) = rows.next()?
        && (found.len() as u64) < db.terms().pack_size
    {
        let lineage: i64 = row.get(0)?;
        if found.iter().any(|one| one.lineage == lineage) {
            continue;
        }
        let hash: Option<String> =
            words.query_row(params![lineage, case_id, character_id], |row| row.get(0)).optional()?;
        // The same words count for two lineages if they were once said as a variation of another defense.
        if let Some(hash) = hash.filter(|hash| !found.iter().any(|one| one.hash == *hash)) {
            found.push(Proved { lineage, hash, effectiveness_e4: row.get(1)? });
        }
    }
    Ok(found)
}

fn bind(db: &Db, pack: &NewPack, proved: &[Proved]) -> Result<Made, StoreError> {
    let price = pack.price.unwrap_or_else(|| pack_price(db.terms(), proved.iter().map(|one| one.effectiveness_e4)));
    let before: i64 = db.query_row(
        "select count(*) from character_packs where character_id = ?1",
        params![pack.character_id],
        |row| row.get(0),
    )?;
    let edition = before + 1;
    let base = format!("{}_{}_pack", pack.character_id, Asset::Defense.word());
    let pack_id = if edition == 1 { base.clone() } else { format!("{base}_{edition}") };
    let tag = format!("{base}:{edition}");
    let (usual_name, usual_description) = (pack.usual_words)(&pack.case_id, &pack.character_id, edition, proved.len());
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

/// Most packs on one page: a character has one or a few.
pub const PACKS_MAX: usize = 100;

/// A pack of defenses.
#[derive(Clone, PartialEq, Debug)]
pub struct Pack {
    pub id: String,
    /// Whose defenses they are.
    pub character: String,
    pub case_id: String,
    /// What it is called.
    pub name: String,
    pub description: String,
    /// Its edition, and whether its name and description are the usual ones.
    pub metadata: Value,
    pub price: u64,
    /// How many of its defenses may still be read.
    pub defenses: i64,
    /// How many of them are in Korean.
    pub korean: i64,
    /// How well they did on average when they were chosen, in ten-thousandths.
    pub effectiveness_e4: i64,
    /// The tag it gives to its owner's intern.
    pub tag: String,
    /// Whether the viewer has bought it.
    pub owned: bool,
    /// Since when it is for sale.
    pub created_at: Timestamp,
}

/// The columns of a pack; the viewer is the first parameter.
const PACK: &str = "p.pack_id, p.character_id, p.case_id, p.name, p.description, p.price_ia,
    (select count(*) from pack_defenses d join arguments a on a.hash = d.defense_hash and a.readable = 1 where d.pack_id = p.pack_id),
    coalesce((select cast(round(avg(d.effectiveness_e4)) as integer) from pack_defenses d where d.pack_id = p.pack_id), 0),
    coalesce(p.pack_metadata ->> '$.tag', p.pack_id || ':1'), exists (select 1 from unlocks_kept o
        where o.player_id = ?1 and o.unlock_type = 'pack' and o.unlock_target = p.pack_id), p.created_at,
    (select count(*) from pack_defenses d join arguments a on a.hash = d.defense_hash and a.readable = 1
        and a.text glob '*[가-힣]*' where d.pack_id = p.pack_id), p.pack_metadata";

/// A pack is withdrawn while words in it may not leave their game, as when their author has taken them back; who bought it keeps it.
const SHOWN: &str = "(not exists (select 1 from pack_defenses d join arguments a on a.hash = d.defense_hash
        where d.pack_id = p.pack_id and a.readable = 1 and a.released = 0)
    or exists (select 1 from unlocks_kept o
        where o.player_id = ?1 and o.unlock_type = 'pack' and o.unlock_target = p.pack_id))";

impl Pack {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Pack {
            id: row.get(0)?,
            character: row.get(1)?,
            case_id: row.get(2)?,
            name: row.get(3)?,
            description: row.get(4)?,
            price: row.get::<_, i64>(5)? as u64,
            defenses: row.get(6)?,
            effectiveness_e4: row.get(7)?,
            tag: row.get(8)?,
            owned: row.get(9)?,
            created_at: Timestamp(row.get(10)?),
            korean: row.get(11)?,
            metadata: read_metadata(row, 12)?,
        })
    }
}

pub(crate) fn read_metadata(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Value> {
    let text: Option<String> = row.get(column)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// The packs, newest first: all of them, or those of one case.
pub fn packs(db: &Db, viewer: Option<AccountId>, case_id: Option<&str>) -> Result<Vec<Pack>, StoreError> {
    let sql = format!(
        "select {PACK} from character_packs p where (?2 is null or p.case_id = ?2) and {SHOWN}
         order by p.created_at desc, p.pack_id limit ?3"
    );
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![viewer.map(|viewer| viewer.0), case_id, PACKS_MAX as i64], Pack::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn pack(db: &Db, viewer: Option<AccountId>, id: &str) -> Result<Option<Pack>, StoreError> {
    let sql = format!("select {PACK} from character_packs p where p.pack_id = ?2 and {SHOWN}");
    let mut query = db.prepare_cached(&sql)?;
    Ok(query.query_row(params![viewer.map(|viewer| viewer.0), id], Pack::read).optional()?)
}

/// A defense in a pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    pub hash: String,
    /// What it is about.
    pub label: String,
    /// How well it did when it was chosen, in ten-thousandths.
    pub effectiveness_e4: i64,
    /// How often it and its near-duplicates were given.
    pub uses: i64,
    /// How often they were proved.
    pub proved: i64,
    /// How it was given when it was proved.
    pub mode: Option<Manner>,
    /// The language of its words, as far as their letters tell.
    pub written_in: Option<Lang>,
    /// Its words, if the viewer owns them and they were not removed.
    pub text: Option<String>,
    /// The facts it cites, under the same conditions.
    pub evidence: Option<String>,
}

/// What is in a pack, in its order.
pub fn contents(db: &Db, viewer: Option<AccountId>, pack: &Pack) -> Result<Vec<Packed>, StoreError> {
    let sql = format!(
        "select p.defense_hash, coalesce(a.label, ''), p.effectiveness_e4, coalesce(s.uses, 0), coalesce(s.proved, 0),
             nullif(a.text, ''), (select d.cited_evidence from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = p.defense_hash and d.character_id = ?2 and d.outcome = 'proved' order by d.id limit 1),
             exists (select 1 from words_owned w where w.account = ?3 and w.argument = a.n),
             (select d.mode from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = p.defense_hash and d.character_id = ?2 and d.outcome = 'proved' order by d.id limit 1), {WRITTEN_IN}
         from pack_defenses p left join arguments a on a.hash = p.defense_hash and a.readable = 1
         left join defense_stats s on s.lineage = p.lineage and s.character_id = ?2
         where p.pack_id = ?1 order by p.position"
    );
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![pack.id, pack.character, viewer.map(|one| one.0)], |row| {
        let readable: bool = row.get(7)?;
        Ok(Packed {
            hash: row.get(0)?,
            label: row.get(1)?,
            effectiveness_e4: row.get(2)?,
            uses: row.get(3)?,
            proved: row.get(4)?,
            mode: read_mode(row, 8)?,
            written_in: read_language(row, 9)?,
            text: row.get::<_, Option<String>>(5)?.filter(|_| readable),
            evidence: row.get::<_, Option<String>>(6)?.filter(|_| readable),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The tags of an account's intern, in the order in which the packs were bought.
pub fn intern_tags(db: &Db, account: AccountId) -> Result<Vec<String>, StoreError> {
    let mut query = db.prepare_cached(
        "select coalesce(p.pack_metadata ->> '$.tag', p.pack_id || ':1') from unlocks_kept o
         join character_packs p on p.pack_id = o.unlock_target where o.player_id = ?1 and o.unlock_type = 'pack' order by o.id",
    )?;
    Ok(query.query_map(params![account.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
