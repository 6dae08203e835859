//! Looking up defenses that were given, by the argument they met, their character and their outcome.

use crate::corpus::burden;
use crate::{Db, StoreError};
use commons::corpus::hash::ArgHash;
use engine::facts::Fate;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Against this argument and its near-duplicates.
    pub attack: Option<ArgHash>,
    /// Given by this character.
    pub character: Option<String>,
    pub outcome: Option<Fate>,
    /// Also those reported with a key that the operator does not trust.
    pub uncounted: bool,
    pub limit: usize,
}

/// A defense that was given, with how well it and its near-duplicates do.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// Its number in the log.
    pub id: i64,
    pub defense_hash: String,
    /// The argument it met.
    pub argument_hash: String,
    pub case_id: String,
    pub character_id: String,
    pub mode: String,
    pub outcome: Fate,
    /// What it is about.
    pub label: String,
    /// Its words; empty if they were removed.
    pub full_text: String,
    /// The evidence it rests on.
    pub cited_evidence: String,
    pub trial_id: String,
    /// The account that wrote it; none if it was reported from outside.
    pub author: Option<AccountId>,
    /// The account that gave it in a game of ours.
    pub speaker: Option<AccountId>,
    /// Whether it was reported from outside.
    pub external: bool,
    pub counted: bool,
    pub created_at: Timestamp,
    /// How often this defense or a near-duplicate was given by this character.
    pub uses: i64,
    /// How often it was proved.
    pub proved: i64,
    /// Its proved rate as a moving average, in ten-thousandths.
    pub effectiveness_e4: i64,
}

/// The wanted defenses, newest first.
pub fn given(db: &Db, wanted: &Wanted) -> Result<Vec<Given>, StoreError> {
    let mut lineage = None;
    if let Some(hash) = &wanted.attack {
        let mut query = db.prepare_cached("select lineage from arguments where hash = ?1")?;
        lineage = query.query_row([hash.to_string()], |row| row.get::<_, i64>(0)).optional()?;
        if lineage.is_none() {
            return Ok(vec![]);
        }
    }
    let terms = [
        lineage.map(|_| "d.attack_lineage = ?1"),
        wanted.character.as_ref().map(|_| "d.character_id = ?2"),
        wanted.outcome.map(|_| "d.outcome = ?3"),
        (!wanted.uncounted).then_some("(d.external = 0 or d.counted = 1)"),
    ];
    let terms: Vec<&str> = terms.into_iter().flatten().collect();
    let terms = if terms.is_empty() { String::new() } else { format!("where {}", terms.join(" and ")) };
    let sql = format!(
        "select d.id, d.defense_hash, d.argument_hash, d.case_id, d.character_id, d.mode, d.outcome, coalesce(a.label, ''),
             d.full_text, d.cited_evidence, d.trial_id, d.author_id, d.external, d.counted, d.created_at,
             coalesce(s.uses, 0), coalesce(s.proved, 0), coalesce(s.effectiveness_e4, 5000), k.account
         from defense_corpus d left join spoken k on k.game = d.game and k.seq = d.seq left join arguments a on a.hash = d.defense_hash
         left join defense_stats s on s.lineage = d.lineage and s.character_id = d.character_id
         {terms} order by d.id desc limit ?4"
    );
    let mut query = db.prepare_cached(&sql)?;
    let outcome = wanted.outcome.map(Fate::word);
    let rows = query.query_map(params![lineage, wanted.character, outcome, wanted.limit as i64], Given::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Given {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        let author: Option<String> = row.get(11)?;
        let external: bool = row.get(12)?;
        let ours = author.filter(|_| !external).and_then(|author| author.parse().ok());
        Ok(Given {
            id: row.get(0)?,
            defense_hash: row.get(1)?,
            argument_hash: row.get(2)?,
            case_id: row.get(3)?,
            character_id: row.get(4)?,
            mode: row.get(5)?,
            outcome: burden(row.get_ref(6)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            label: row.get(7)?,
            full_text: row.get(8)?,
            cited_evidence: row.get(9)?,
            trial_id: row.get(10)?,
            author: ours.map(AccountId),
            speaker: row.get::<_, Option<Uuid>>(18)?.map(AccountId),
            external,
            counted: row.get(13)?,
            created_at: Timestamp(row.get(14)?),
            uses: row.get(15)?,
            proved: row.get(16)?,
            effectiveness_e4: row.get(17)?,
        })
    }
}
