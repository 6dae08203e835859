//! The shelf: packs of defences that are for sale, what is in them for whoever has bought them, and what an account has unlocked.

use super::StoreError;
use super::cases::{WRITTEN_IN, read_language, read_mode};
use super::unlocks::{Ware, words};
use commons::corpus::hash::ArgHash;
use engine::id::AccountId;
use engine::roster::Lang;
use engine::rules::Mode;
use engine::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use serde_json::Value;
use std::collections::BTreeSet;

/// Most packs on one page: a character has one or a few.
pub const PACKS_MAX: usize = 100;

/// A pack of defences.
#[derive(Clone, PartialEq, Debug)]
pub struct Pack {
    /// Its id.
    pub id: String,
    /// Whose defences they are.
    pub character: String,
    /// In which case.
    pub case_id: String,
    /// What it is called.
    pub name: String,
    /// What it says of itself.
    pub description: String,
    /// Which edition it is, and whether somebody named or described it.
    pub metadata: Value,
    /// What it costs.
    pub price: u64,
    /// How many defences it has.
    pub defenses: i64,
    /// How many of them are in Korean.
    pub korean: i64,
    /// How well they did on average when they were chosen, in ten-thousandths.
    pub effectiveness_e4: i64,
    /// What the intern of whoever buys it is tagged with.
    pub tag: String,
    /// Whether whoever looks has bought it.
    pub owned: bool,
    /// Since when it is for sale.
    pub created_at: Timestamp,
}

/// The columns of a pack; the account that looks is the first value.
const PACK: &str = "p.pack_id, p.character_id, p.case_id, p.name, p.description, p.price_ia,
    (select count(*) from pack_defenses d join arguments a on a.hash = d.defense_hash and a.status in ('clear', 'approved')
        and a.text != '' where d.pack_id = p.pack_id),
    coalesce((select cast(round(avg(d.effectiveness_e4)) as integer) from pack_defenses d where d.pack_id = p.pack_id), 0),
    coalesce(p.pack_metadata ->> '$.tag', p.pack_id || ':1'), exists (select 1 from corpus_unlocks o
        where o.player_id = ?1 and o.unlock_type = 'pack' and o.unlock_target = p.pack_id), p.created_at,
    (select count(*) from pack_defenses d join arguments a on a.hash = d.defense_hash and a.status in ('clear', 'approved')
        and a.text glob '*[가-힣]*' where d.pack_id = p.pack_id), p.pack_metadata";

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

fn read_metadata(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Value> {
    let text: Option<String> = row.get(column)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// The packs, newest first: all of them, or those of one case.
pub fn packs(db: &Connection, viewer: Option<AccountId>, case_id: Option<&str>) -> Result<Vec<Pack>, StoreError> {
    let sql = format!(
        "select {PACK} from character_packs p where ?2 is null or p.case_id = ?2 order by p.created_at desc, p.pack_id limit ?3"
    );
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![viewer.map(|viewer| viewer.0), case_id, PACKS_MAX as i64], Pack::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One pack.
pub fn pack(db: &Connection, viewer: Option<AccountId>, id: &str) -> Result<Option<Pack>, StoreError> {
    let sql = format!("select {PACK} from character_packs p where p.pack_id = ?2");
    let mut query = db.prepare_cached(&sql)?;
    Ok(query.query_row(params![viewer.map(|viewer| viewer.0), id], Pack::read).optional()?)
}

/// A defence in a pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Its name.
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
    pub mode: Option<Mode>,
    /// The language of its words, as far as their letters tell.
    pub written_in: Option<Lang>,
    /// Its words, for whoever owns them; nothing either if they were removed.
    pub text: Option<String>,
    /// The facts it cites, for the same.
    pub evidence: Option<String>,
}

/// What is in a pack, in its order.
pub fn contents(db: &Connection, viewer: Option<AccountId>, pack: &Pack) -> Result<Vec<Packed>, StoreError> {
    let sql = format!(
        "select p.defense_hash, coalesce(a.label, ''), p.effectiveness_e4, coalesce(s.uses, 0), coalesce(s.proved, 0),
             nullif(a.text, ''), (select d.cited_evidence from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = p.defense_hash and d.character_id = ?2 and d.outcome = 'proved' order by d.id limit 1),
             ?4 or a.author = ?3 or exists (select 1 from spoken k where k.account = ?3 and k.argument = a.n)
             or exists (select 1 from corpus_unlocks o
                 where o.player_id = ?3 and o.unlock_type = 'defense' and o.unlock_target = p.defense_hash)
             or exists (select 1 from pack_defenses q join corpus_unlocks o on o.player_id = ?3 and o.unlock_type = 'pack'
                 and o.unlock_target = q.pack_id where q.defense_hash = p.defense_hash),
             (select d.mode from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = p.defense_hash and d.character_id = ?2 and d.outcome = 'proved' order by d.id limit 1), {WRITTEN_IN}
         from pack_defenses p left join arguments a on a.hash = p.defense_hash and a.status in ('clear', 'approved')
         left join defense_stats s on s.lineage = p.lineage and s.character_id = ?2
         where p.pack_id = ?1 order by p.position"
    );
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![pack.id, pack.character, viewer.map(|one| one.0), pack.owned], |row| {
        let readable: bool = row.get::<_, Option<bool>>(7)?.unwrap_or(false);
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

/// What the interns of an account are tagged with, in the order in which the packs were bought.
pub fn intern_tags(db: &Connection, account: AccountId) -> Result<Vec<String>, StoreError> {
    let mut query = db.prepare_cached(
        "select coalesce(p.pack_metadata ->> '$.tag', p.pack_id || ':1') from corpus_unlocks o
         join character_packs p on p.pack_id = o.unlock_target where o.player_id = ?1 and o.unlock_type = 'pack' order by o.id",
    )?;
    Ok(query.query_map(params![account.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// What an intern may draw on besides the record, against one character.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Material {
    /// The words of attacks, the most effective first.
    pub attacks: Vec<String>,
    /// The labels and cited facts of defences that were proved, the most effective first, no two of them the same.
    pub defenses: Vec<(String, Vec<String>)>,
}

/// Most attacks, and most defences, an intern looks through.
const MATERIAL_MAX: i64 = 50;

/// What an account owns against a character, and what it owns of that character's: bought, or written by itself.
pub fn material(db: &Connection, account: AccountId, case_id: &str, character: &str) -> Result<Material, StoreError> {
    // Whoever listed what it also bought would have it twice.
    let mut query = db.prepare_cached(
        "select a.text, s.effectiveness_e4 as worth, s.n from corpus_unlocks o
         join argument_stats s on s.arg_hash = o.unlock_target and s.case_id = ?2 and s.target_character = ?3
         join arguments a on a.n = s.argument
         where o.player_id = ?1 and o.unlock_type = 'attack' and a.text != '' and a.status in ('clear', 'approved')
         union
         select a.text, s.effectiveness_e4, s.n from arguments a
         join argument_stats s on s.argument = a.n and s.case_id = ?2 and s.target_character = ?3
         where a.author = ?1 and a.side = 'attack' and a.text != '' and a.status in ('clear', 'approved')
         order by worth desc, 3 limit ?4",
    )?;
    let attacks = query.query_map(params![account.0, case_id, character, MATERIAL_MAX], |row| row.get(0))?;
    let attacks = attacks.collect::<Result<_, _>>()?;
    Ok(Material { attacks, defenses: defenses_owned(db, account, case_id, character)? })
}

/// Near-duplicates are one defence; so are two that an intern would speak of in the same words.
fn defenses_owned(
    db: &Connection,
    account: AccountId,
    case_id: &str,
    character: &str,
) -> Result<Vec<(String, Vec<String>)>, StoreError> {
    let mut query = db.prepare_cached(
        "with mine (hash, worth) as (
             select p.defense_hash, p.effectiveness_e4 from corpus_unlocks o
             join character_packs k on k.pack_id = o.unlock_target and k.case_id = ?2 and k.character_id = ?3
             join pack_defenses p on p.pack_id = k.pack_id where o.player_id = ?1 and o.unlock_type = 'pack'
             union all
             select c.defense_hash, c.effectiveness_e4 from corpus_unlocks o
             join case_defenses c on c.defense_hash = o.unlock_target and c.case_id = ?2 and c.character_id = ?3
             where o.player_id = ?1 and o.unlock_type = 'defense'
             union all
             select c.defense_hash, c.effectiveness_e4 from arguments a
             join case_defenses c on c.argument = a.n and c.case_id = ?2 and c.character_id = ?3
             where a.author = ?1 and a.side = 'defence')
         select a.label, (select d.cited_evidence from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = m.hash and d.character_id = ?3 and d.outcome = 'proved' order by d.id limit 1) as cited,
             max(m.worth)
         from mine m join arguments a on a.hash = m.hash and a.text != '' and a.status in ('clear', 'approved')
         group by a.lineage having cited is not null order by max(m.worth) desc, a.lineage limit ?4",
    )?;
    let mut rows = query.query(params![account.0, case_id, character, MATERIAL_MAX])?;
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let cited: String = row.get(1)?;
        let defense = (row.get(0)?, cited.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect());
        if !found.contains(&defense) {
            found.push(defense);
        }
    }
    Ok(found)
}

/// Something an account has paid for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unlocked {
    /// Its number.
    pub id: i64,
    /// What kind of thing.
    pub ware: Ware,
    /// Its hash or its pack's id.
    pub target: String,
    /// What it is called.
    pub label: String,
    /// The case.
    pub case_id: String,
    /// The character.
    pub character: String,
    /// What it cost.
    pub paid: u64,
    /// Of a pack, which edition it is, and whether somebody named it.
    pub metadata: Value,
    /// When.
    pub at: Timestamp,
    /// The words, if it is one text and they are still there.
    pub text: Option<String>,
}

/// What an account has unlocked, newest first, before this number. Looks into the archive are moves of a game and stand there.
pub fn unlocked(db: &Connection, account: AccountId, before: i64, limit: usize) -> Result<Vec<Unlocked>, StoreError> {
    let mut query = db.prepare_cached(
        "select o.id, o.unlock_type, o.unlock_target, coalesce(p.name, a.label, ''), o.case_id, o.character_id, o.paid_ia,
             o.unlocked_at, case when a.status in ('clear', 'approved') or a.author = ?1 then nullif(a.text, '') end, p.pack_metadata
         from corpus_unlocks o left join arguments a on a.hash = o.unlock_target and o.unlock_type in ('attack', 'defense')
         left join character_packs p on p.pack_id = o.unlock_target and o.unlock_type = 'pack'
         where o.player_id = ?1 and o.unlock_type in ('attack', 'defense', 'pack') and o.id < ?2 order by o.id desc limit ?3",
    )?;
    let rows = query.query_map(params![account.0, before, limit as i64], |row| {
        Ok(Unlocked {
            id: row.get(0)?,
            ware: Ware::named(row.get_ref(1)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            target: row.get(2)?,
            label: row.get(3)?,
            case_id: row.get(4)?,
            character: row.get(5)?,
            paid: row.get::<_, i64>(6)? as u64,
            at: Timestamp(row.get(7)?),
            text: row.get(8)?,
            metadata: read_metadata(row, 9)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Of words by these names, those that an account may read: bought or its own, and not rejected since but for their author.
pub fn owned_among(db: &Connection, account: AccountId, hashes: &[ArgHash]) -> Result<BTreeSet<ArgHash>, StoreError> {
    let mut side = db.prepare_cached("select side = 'attack' from arguments where hash = ?1")?;
    let mut owned = BTreeSet::new();
    for hash in hashes {
        let name = hash.to_string();
        let attack: Option<bool> = side.query_row(params![name], |row| row.get(0)).optional()?;
        let ware = attack.map(|attack| if attack { Ware::Attack } else { Ware::Defense });
        if let Some(ware) = ware
            && words(db, account, ware, &name)?.is_some()
        {
            owned.insert(*hash);
        }
    }
    Ok(owned)
}

/// What an account was ever paid for its work, and for how many purchases.
pub fn royalties(db: &Connection, account: AccountId) -> Result<(u64, u64), StoreError> {
    let mut query = db.prepare_cached(
        "select coalesce(sum(amount_ia), 0), count(distinct source_unlock_id) from royalty_payouts where recipient_id = ?1",
    )?;
    let read = |row: &SqlRow<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64));
    Ok(query.query_row(params![account.0], read)?)
}
