//! Titles: who is paid for what in a case, what is famous there, and every change of hands. Never a text.

use crate::corpus::cases::read_mode;
use crate::{Db, StoreError};
use engine::facts::Manner;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{Row as SqlRow, params};
use std::collections::BTreeSet;
use uuid::Uuid;

/// How many attacks and defenses of a character stand in the hall, besides those whose title has changed hands.
pub const HALL_MAX: usize = 5;
/// Most rows that are read in search of that many different lineages.
const READ_MAX: i64 = 200;
/// Most titles that an account is shown in each list: held, won and lost.
const TOLD_MAX: i64 = 50;

/// What a title is for. Stored by its word, which must never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asset {
    Attack,
    Defense,
}

impl Asset {
    pub const ALL: [Asset; 2] = [Asset::Attack, Asset::Defense];

    /// As it is stored, and as clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Asset::Attack => "attack",
            Asset::Defense => "defense",
        }
    }

    fn read(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Asset> {
        let word = row.get_ref(column)?.as_str()?;
        Asset::ALL.into_iter().find(|asset| asset.word() == word).ok_or(rusqlite::Error::InvalidQuery)
    }
}

/// A title: one argument, with all its variants, against or by one character in one case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Title {
    pub case_id: String,
    pub character_id: String,
    /// For an attack on them, or for a defense of theirs.
    pub asset: Asset,
    /// The first of its near-duplicates.
    pub lineage: i64,
}

/// A player as shown to others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alias {
    /// Minds of the house, and guests.
    House,
    /// A deleted account.
    Deleted,
    /// An account, by its name.
    Player(String),
}

impl Alias {
    /// From an account and its name; the name is null if the account is deleted.
    fn read(row: &SqlRow<'_>, account: usize, name: usize) -> rusqlite::Result<Alias> {
        let account: Option<Uuid> = row.get(account)?;
        let name: Option<String> = row.get(name)?;
        Ok(match (account, name) {
            (None, _) => Alias::House,
            (Some(_), None) => Alias::Deleted,
            (Some(_), Some(name)) => Alias::Player(name),
        })
    }

    /// The name; none for the house and deleted accounts.
    pub fn name(&self) -> Option<&str> {
        match self {
            Alias::Player(name) => Some(name),
            Alias::House | Alias::Deleted => None,
        }
    }

    /// As clients read it.
    pub fn word(&self) -> &'static str {
        match self {
            Alias::Player(_) => "player",
            Alias::House => "house",
            Alias::Deleted => "deleted",
        }
    }
}

/// A title as it stands in the hall.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reign {
    pub title: Title,
    /// The hash of the first of its lineage.
    pub hash: String,
    /// What it is about.
    pub label: String,
    /// In ten-thousandths, by the best of its variants.
    pub effectiveness_e4: i64,
    /// How often all its variants were used.
    pub uses: i64,
    /// In how many of these uses it worked.
    pub worked: i64,
    /// Who is paid for it.
    pub champion: Alias,
    pub since: Timestamp,
    /// Whether it has changed hands.
    pub taken: bool,
    /// How it was given, if it is a defense that was given in these words.
    pub mode: Option<Manner>,
}

/// What is famous in a case, character by character: what does best, and every title that has changed hands.
pub fn hall(db: &Db, case_id: &str, characters: &[String]) -> Result<Vec<Reign>, StoreError> {
    let mut hall = Vec::new();
    for character in characters {
        for asset in Asset::ALL {
            let mut lineages = taken(db, case_id, character, asset)?;
            lineages.extend(best(db, case_id, character, asset)?);
            let mut reigns = Vec::new();
            for lineage in lineages {
                let title = Title { case_id: case_id.to_owned(), character_id: character.clone(), asset, lineage };
                reigns.extend(reign(db, title)?);
            }
            reigns.sort_by_key(|reign| (std::cmp::Reverse(reign.effectiveness_e4), reign.title.lineage));
            hall.extend(reigns);
        }
    }
    Ok(hall)
}

fn taken(db: &Db, case_id: &str, character: &str, asset: Asset) -> Result<BTreeSet<i64>, StoreError> {
    let mut query =
        db.prepare_cached("select lineage from thrones where case_id = ?1 and character_id = ?2 and asset_type = ?3")?;
    let rows = query.query_map(params![case_id, character, asset.word()], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What does best, by its lineage; only what moderation let through.
fn best(db: &Db, case_id: &str, character: &str, asset: Asset) -> Result<Vec<i64>, StoreError> {
    let sql = match asset {
        Asset::Attack => {
            "select a.lineage from argument_stats s indexed by stats_by_case join arguments a on a.n = s.argument
             where s.case_id = ?1 and s.target_character = ?2 and s.uses > 0 and a.side = 'attack'
                 and a.readable = 1
             order by s.low_e4 desc, s.effectiveness_e4 desc limit ?3"
        }
        Asset::Defense => {
            "select d.lineage from case_defenses d indexed by defenses_by_rank join arguments a on a.n = d.lineage
             where d.case_id = ?1 and d.character_id = ?2 and d.uses > 0 and a.readable = 1
             order by d.low_e4 desc, d.n desc limit ?3"
        }
    };
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(params![case_id, character, READ_MAX])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()?
        && found.len() < HALL_MAX
    {
        let lineage = row.get(0)?;
        if !found.contains(&lineage) {
            found.push(lineage);
        }
    }
    Ok(found)
}

/// One title as it stands; none if there is no such argument.
pub fn reign(db: &Db, title: Title) -> Result<Option<Reign>, StoreError> {
    let figures = match title.asset {
        Asset::Attack => {
            "null, (select max(s.effectiveness_e4) from arguments v cross join argument_stats s on s.argument = v.n
                 where v.lineage = a.n and s.case_id = ?2 and s.target_character = ?3 and s.uses > 0),
             (select sum(s.uses) from arguments v cross join argument_stats s on s.argument = v.n
                 where v.lineage = a.n and s.case_id = ?2 and s.target_character = ?3),
             (select sum(s.worked) from arguments v cross join argument_stats s on s.argument = v.n
                 where v.lineage = a.n and s.case_id = ?2 and s.target_character = ?3)"
        }
        Asset::Defense => {
            "(select d.mode from defense_corpus d indexed by defense_by_hash where d.defense_hash = a.hash and d.character_id = ?3
                 and (d.external = 0 or d.counted = 1) order by d.outcome, d.id limit 1),
             (select effectiveness_e4 from defense_stats where lineage = a.n and character_id = ?3),
             (select uses from defense_stats where lineage = a.n and character_id = ?3),
             (select proved from defense_stats where lineage = a.n and character_id = ?3)"
        }
    };
    let sql = format!(
        "select a.hash, a.label, coalesce(t.since, a.created_at), t.since is not null,
             case when t.since is null then a.author else t.champion end, u.username, {figures}
         from arguments a
         left join thrones t on t.lineage = a.n and t.case_id = ?2 and t.character_id = ?3 and t.asset_type = ?4
         left join accounts u on u.id = case when t.since is null then a.author else t.champion end and u.deleted_at is null
         where a.n = ?1"
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query(params![title.lineage, title.case_id, title.character_id, title.asset.word()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(Reign {
        hash: row.get(0)?,
        label: row.get(1)?,
        since: Timestamp(row.get(2)?),
        taken: row.get(3)?,
        champion: Alias::read(row, 4, 5)?,
        mode: read_mode(row, 6)?,
        effectiveness_e4: row.get::<_, Option<i64>>(7)?.unwrap_or(5_000),
        uses: row.get::<_, Option<i64>>(8)?.unwrap_or(0),
        worked: row.get::<_, Option<i64>>(9)?.unwrap_or(0),
        title,
    }))
}

/// A title that changed hands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub id: i64,
    pub title: Title,
    /// The hash of what it is for.
    pub hash: String,
    /// What that is about.
    pub label: String,
    pub previous: Alias,
    /// Who has it now.
    pub new: Alias,
    /// The hash of what took it.
    pub challenger_hash: String,
    /// What that is about.
    pub challenger_label: String,
    /// How well it did by then, in ten-thousandths.
    pub effectiveness_e4: i64,
    /// How well what took it did against it.
    pub challenger_e4: i64,
    /// In how many uses.
    pub challenger_uses: i64,
    /// The meeting that completed it: a row of `defense_corpus`.
    pub trigger_event_id: i64,
    pub at: Timestamp,
}

const CHANGE: &str = "select e.id, e.case_id, e.target_character, e.asset_type, e.lineage, e.asset_hash, coalesce(a.label, ''), \
    e.previous_champion, p.username, e.new_champion, n.username, e.challenger_hash, coalesce(c.label, ''), e.effectiveness_e4, \
    e.challenger_e4, e.challenger_uses, e.trigger_event_id, e.created_at \
    from throne_events e left join arguments a on a.n = e.lineage left join arguments c on c.n = e.challenger_lineage \
    left join accounts p on p.id = e.previous_champion and p.deleted_at is null \
    left join accounts n on n.id = e.new_champion and n.deleted_at is null";

impl Change {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Change {
            id: row.get(0)?,
            title: Title {
                case_id: row.get(1)?,
                character_id: row.get(2)?,
                asset: Asset::read(row, 3)?,
                lineage: row.get(4)?,
            },
            hash: row.get(5)?,
            label: row.get(6)?,
            previous: Alias::read(row, 7, 8)?,
            new: Alias::read(row, 9, 10)?,
            challenger_hash: row.get(11)?,
            challenger_label: row.get(12)?,
            effectiveness_e4: row.get(13)?,
            challenger_e4: row.get(14)?,
            challenger_uses: row.get(15)?,
            trigger_event_id: row.get(16)?,
            at: Timestamp(row.get(17)?),
        })
    }
}

/// The changes in a case, or in all of them, newest first, before this number.
pub fn changes(db: &Db, case_id: Option<&str>, before: i64, limit: usize) -> Result<Vec<Change>, StoreError> {
    let case = if case_id.is_some() { "e.case_id = ?1 and" } else { "" };
    let sql = format!("{CHANGE} where {case} e.id < ?2 order by e.id desc limit ?3");
    let mut query = db.prepare_cached(&sql)?;
    Ok(query.query_map(params![case_id, before, limit as i64], Change::read)?.collect::<Result<_, _>>()?)
}

/// What an account holds, has won and has lost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reigns {
    /// Titles that it has taken and still holds. Titles of its own arguments that nobody took are not among them.
    pub held: Vec<Reign>,
    /// Titles it took, newest first.
    pub won: Vec<Change>,
    /// Titles that were taken from it, newest first.
    pub lost: Vec<Change>,
}

pub fn of_account(db: &Db, account: AccountId) -> Result<Reigns, StoreError> {
    let mut query = db.prepare_cached(
        "select case_id, character_id, asset_type, lineage from thrones where champion = ?1 order by since desc limit ?2",
    )?;
    let titles = query.query_map(params![account.0, TOLD_MAX], |row| {
        Ok(Title { case_id: row.get(0)?, character_id: row.get(1)?, asset: Asset::read(row, 2)?, lineage: row.get(3)? })
    })?;
    let mut held = Vec::new();
    for title in titles {
        held.extend(reign(db, title?)?);
    }
    let changes = |column: &str| -> Result<Vec<Change>, StoreError> {
        let sql = format!("{CHANGE} where e.{column} = ?1 order by e.id desc limit ?2");
        let mut query = db.prepare_cached(&sql)?;
        Ok(query.query_map(params![account.0, TOLD_MAX], Change::read)?.collect::<Result<_, _>>()?)
    };
    Ok(Reigns { held, won: changes("new_champion")?, lost: changes("previous_champion")? })
}
