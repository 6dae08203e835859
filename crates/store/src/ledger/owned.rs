//! What an account owns: what it has unlocked, the words it may read, and what its intern may draw on.

use crate::ledger::packs::read_metadata;
use crate::{Db, StoreError};
use commons::corpus::hash::ArgHash;
use commons::ledger::reading::{Claim, may_read};
use commons::ledger::ware::Ware;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{Row as SqlRow, params};
use serde_json::Value;
use std::collections::BTreeSet;

/// Why an account owns the words of this hash; no claim if it does not.
fn claims(db: &Db, account: AccountId, hash: &str) -> Result<Vec<Claim>, StoreError> {
    let mut query = db.prepare_cached(
        "select w.claim from arguments a join words_owned w on w.argument = a.n and w.account = ?2 where a.hash = ?1",
    )?;
    let rows = query.query_map(params![hash, account.0], |row| {
        Claim::named(row.get_ref(0)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether an account owns a ware already, so that it need not buy it.
pub fn owns(db: &Db, account: AccountId, ware: Ware, target: &str) -> Result<bool, StoreError> {
    match ware {
        Ware::Attack | Ware::Defense => Ok(!claims(db, account, target)?.is_empty()),
        Ware::Pack | Ware::Consult => {
            let mut query = db.prepare_cached(
                "select 1 from unlocks_kept where player_id = ?1 and unlock_type = ?2 and unlock_target = ?3",
            )?;
            Ok(query.exists(params![account.0, ware.word(), target])?)
        }
    }
}

/// The words of this hash, if the account may read them.
pub fn words(db: &Db, account: AccountId, hash: &str) -> Result<Option<String>, StoreError> {
    let mut query = db.prepare_cached(
        "select w.claim, a.readable, a.text from arguments a join words_owned w on w.argument = a.n and w.account = ?2
         where a.hash = ?1 and a.text != ''",
    )?;
    let mut rows = query.query(params![hash, account.0])?;
    let (mut claims, mut is_readable, mut text) = (Vec::new(), false, None);
    while let Some(row) = rows.next()? {
        claims.extend(Claim::named(row.get_ref(0)?.as_str().unwrap_or_default()));
        is_readable = row.get(1)?;
        text = text.or(row.get(2)?);
    }
    Ok(text.filter(|_| may_read(&claims, is_readable)))
}

/// Those of these words that an account may read.
pub fn owned_among(db: &Db, account: AccountId, hashes: &[ArgHash]) -> Result<BTreeSet<ArgHash>, StoreError> {
    let mut owned = BTreeSet::new();
    for hash in hashes {
        if words(db, account, &hash.to_string())?.is_some() {
            owned.insert(*hash);
        }
    }
    Ok(owned)
}

/// Something an account has paid for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unlocked {
    pub id: i64,
    pub ware: Ware,
    /// Its hash or its pack's id.
    pub target: String,
    /// What it is called.
    pub label: String,
    pub case_id: String,
    pub character: String,
    pub paid: u64,
    /// For a pack: its edition, and whether its name and description are the usual ones.
    pub metadata: Value,
    pub at: Timestamp,
    /// The words, if it is one text and they are still there.
    pub text: Option<String>,
}

/// What an account has unlocked, newest first, before this number. Looks into the archive are left out: they are moves of a game, and shown
/// there.
pub fn unlocked(db: &Db, account: AccountId, before: i64, limit: usize) -> Result<Vec<Unlocked>, StoreError> {
    let mut query = db.prepare_cached(
        "select o.id, o.unlock_type, o.unlock_target, coalesce(p.name, a.label, ''), o.case_id, o.character_id, o.paid_ia,
             o.unlocked_at, p.pack_metadata
         from unlocks_kept o left join arguments a on a.hash = o.unlock_target and o.unlock_type in ('attack', 'defense')
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
            text: None,
            metadata: read_metadata(row, 8)?,
        })
    })?;
    let mut found: Vec<Unlocked> = rows.collect::<Result<_, _>>()?;
    for one in found.iter_mut().filter(|one| one.ware != Ware::Pack) {
        one.text = words(db, account, &one.target)?;
    }
    Ok(found)
}

/// What an account was ever paid for its work, and for how many purchases.
pub fn royalties(db: &Db, account: AccountId) -> Result<(u64, u64), StoreError> {
    let mut query = db.prepare_cached(
        "select coalesce(sum(amount_ia), 0), count(distinct source_unlock_id) from royalty_payouts where recipient_id = ?1",
    )?;
    let read = |row: &SqlRow<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64));
    Ok(query.query_row(params![account.0], read)?)
}

/// What an intern may draw on besides the record, against one character.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Material {
    /// The words of attacks, the most effective first.
    pub attacks: Vec<String>,
    /// The labels and cited facts of defenses that were proved, the most effective first, no two of them the same.
    pub defenses: Vec<(String, Vec<String>)>,
}

/// Most attacks, and most defenses, an intern looks through.
const MATERIAL_MAX: i64 = 50;

/// The attacks on a character and the defenses of that character that an account owns: bought, or its own.
pub fn material(db: &Db, account: AccountId, case_id: &str, character: &str) -> Result<Material, StoreError> {
    // `union`, so that an attack both bought and written by the account is there once.
    let mut query = db.prepare_cached(
        "select a.text, s.effectiveness_e4 as worth, s.n from unlocks_kept o
         join argument_stats s on s.arg_hash = o.unlock_target and s.case_id = ?2 and s.target_character = ?3
         join arguments a on a.n = s.argument
         where o.player_id = ?1 and o.unlock_type = 'attack' and a.readable = 1
         union
         select a.text, s.effectiveness_e4, s.n from arguments a
         join argument_stats s on s.argument = a.n and s.case_id = ?2 and s.target_character = ?3
         where a.author = ?1 and a.side = 'attack' and a.readable = 1
         order by worth desc, 3 limit ?4",
    )?;
    let attacks = query.query_map(params![account.0, case_id, character, MATERIAL_MAX], |row| row.get(0))?;
    let attacks = attacks.collect::<Result<_, _>>()?;
    Ok(Material { attacks, defenses: defenses_owned(db, account, case_id, character)? })
}

/// Near-duplicates are one defense; so are two that an intern would speak of in the same words.
fn defenses_owned(
    db: &Db,
    account: AccountId,
    case_id: &str,
    character: &str,
) -> Result<Vec<(String, Vec<String>)>, StoreError> {
    let mut query = db.prepare_cached(
        "with mine (hash, worth) as (
             select p.defense_hash, p.effectiveness_e4 from unlocks_kept o
             join character_packs k on k.pack_id = o.unlock_target and k.case_id = ?2 and k.character_id = ?3
             join pack_defenses p on p.pack_id = k.pack_id where o.player_id = ?1 and o.unlock_type = 'pack'
             union all
             select c.defense_hash, c.effectiveness_e4 from unlocks_kept o
             join case_defenses c on c.defense_hash = o.unlock_target and c.case_id = ?2 and c.character_id = ?3
             where o.player_id = ?1 and o.unlock_type = 'defense'
             union all
             select c.defense_hash, c.effectiveness_e4 from arguments a
             join case_defenses c on c.argument = a.n and c.case_id = ?2 and c.character_id = ?3
             where a.author = ?1 and a.side = 'defense')
         select a.label, (select d.cited_evidence from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = m.hash and d.character_id = ?3 and d.outcome = 'proved' order by d.id limit 1) as cited,
             max(m.worth)
         from mine m join arguments a on a.hash = m.hash and a.readable = 1
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
