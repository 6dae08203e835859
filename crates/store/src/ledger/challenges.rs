//! When titles change hands: what the nightly job looks for, and what it writes.
//!
//! An attack that has come to do badly loses its title to a defense that beats it again and again, and a defense to such an attack. Only
//! meetings that count and that came after the title last changed hands are considered: otherwise two rivals that beat each other would
//! take turns forever, and a second run would find a second winner. [`due`] only reads; [`hand_over`] checks again before it writes, so
//! that two nodes at once change a title once.

use crate::corpus::{authors, burden};
use crate::ledger::thrones::{Asset, Title};
use crate::ledger::unlocks::same_owner;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{Score, Track};
use commons::ledger::terms::{CHALLENGE_OPPONENTS_MIN, CHALLENGE_USES_MIN};
use commons::ledger::throne::{Challenge, has_fallen, rank};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// An argument that takes a title.
struct Challenger {
    /// The first of its lineage.
    lineage: i64,
    hash: String,
    /// None is the house.
    author: Option<AccountId>,
    shown: Challenge,
    /// The meeting that completed it: a row of `defense_corpus`.
    trigger: i64,
}

/// Who holds a title, how well its argument does, and the newest meeting when the title last changed hands.
struct Held {
    holder: Option<AccountId>,
    hash: String,
    effectiveness_e4: i64,
    seen: i64,
}

/// The titles that change hands now. Reads only, one pair of attack and defense after another, and keeps only the fallen titles in memory.
pub fn due(db: &Db) -> Result<Vec<Title>, StoreError> {
    let mut fallen: BTreeSet<Title> = BTreeSet::new();
    let mut pairs = db.prepare(
        "select lineage, attack_lineage from defense_corpus indexed by defense_by_pair where counted = 1
         group by lineage, attack_lineage having count(*) >= ?1",
    )?;
    let mut rows = pairs.query(params![CHALLENGE_USES_MIN as i64])?;
    while let Some(row) = rows.next()? {
        let (defense, attack): (i64, i64) = (row.get(0)?, row.get(1)?);
        for (case_id, character_id) in places(db, defense, attack)? {
            let title =
                |asset, lineage| Title { case_id: case_id.clone(), character_id: character_id.clone(), asset, lineage };
            for title in [title(Asset::Attack, attack), title(Asset::Defense, defense)] {
                if !fallen.contains(&title) && standing(db, &title)?.is_some_and(has_fallen) {
                    fallen.insert(title);
                }
            }
        }
    }
    let mut due = Vec::new();
    for title in fallen {
        if winner(db, &title)?.is_some() {
            due.push(title);
        }
    }
    Ok(due)
}

/// Where an attack and a defense met often enough.
fn places(db: &Db, defense: i64, attack: i64) -> Result<Vec<(String, String)>, StoreError> {
    let mut query = db.prepare_cached(
        "select case_id, character_id from defense_corpus indexed by defense_by_pair
         where lineage = ?1 and attack_lineage = ?2 and counted = 1
         group by case_id, character_id having count(*) >= ?3",
    )?;
    let rows =
        query.query_map(params![defense, attack, CHALLENGE_USES_MIN as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How well it does by now, by the best of its variants; none if it was never used where that counts.
fn standing(db: &Db, title: &Title) -> Result<Option<i64>, StoreError> {
    let found = match title.asset {
        Asset::Attack => db
            .prepare_cached(
                "select max(s.effectiveness_e4) from arguments a cross join argument_stats s on s.argument = a.n
                 where a.lineage = ?1 and s.case_id = ?2 and s.target_character = ?3 and s.uses > 0",
            )?
            .query_row(params![title.lineage, title.case_id, title.character_id], |row| row.get(0))?,
        Asset::Defense => db
            .prepare_cached(
                "select effectiveness_e4 from defense_stats where lineage = ?1 and character_id = ?2 and uses > 0",
            )?
            .query_row(params![title.lineage, title.character_id], |row| row.get(0))
            .optional()?,
    };
    Ok(found)
}

/// Hands a title over if it is due: writes the public event and the title. Returns the number of the event.
pub fn hand_over(db: &Db, title: &Title, at: Timestamp) -> Result<Option<i64>, StoreError> {
    let Some((held, challenger)) = winner(db, title)? else { return Ok(None) };
    let new = challenger.author.map(|author| author.0);
    db.prepare_cached(
        "insert into throne_events (case_id, target_character, asset_type, asset_hash, previous_champion, new_champion,
             trigger_event_id, created_at, lineage, challenger_hash, challenger_lineage, effectiveness_e4, challenger_e4,
             challenger_uses)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        title.case_id,
        title.character_id,
        title.asset.word(),
        held.hash,
        held.holder.map(|holder| holder.0),
        new,
        challenger.trigger,
        at.0,
        title.lineage,
        challenger.hash,
        challenger.lineage,
        held.effectiveness_e4,
        challenger.shown.effectiveness_e4,
        challenger.shown.uses as i64,
    ])?;
    let event = db.last_insert_rowid();
    crown(db, title, challenger.author, at)?;
    Ok(Some(event))
}

/// Gives a title to an account; none is the house. Only meetings after this moment change it again.
pub fn crown(db: &Db, title: &Title, champion: Option<AccountId>, at: Timestamp) -> Result<(), StoreError> {
    authors::crowned(db, titled(db, title)?, champion)?;
    db.prepare_cached(
        "insert into thrones (case_id, character_id, asset_type, lineage, champion, since, seen)
         values (?1, ?2, ?3, ?4, ?5, ?6, (select coalesce(max(id), 0) from defense_corpus))
         on conflict (case_id, character_id, asset_type, lineage)
             do update set champion = excluded.champion, since = excluded.since, seen = excluded.seen",
    )?
    .execute(params![
        title.case_id,
        title.character_id,
        title.asset.word(),
        title.lineage,
        champion.map(|champion| champion.0),
        at.0
    ])?;
    Ok(())
}

/// The account that last took a title; none if it was never taken, or the house took it.
fn titled(db: &Db, title: &Title) -> Result<Option<AccountId>, StoreError> {
    let mut query = db.prepare_cached(
        "select champion from thrones where case_id = ?1 and character_id = ?2 and asset_type = ?3 and lineage = ?4",
    )?;
    let values = params![title.case_id, title.character_id, title.asset.word(), title.lineage];
    let champion: Option<Option<Uuid>> = query.query_row(values, |row| row.get(0)).optional()?;
    Ok(champion.flatten().map(AccountId))
}

/// Marks the statistics of every variant with the holder of its title, including variants that are newer than the last change.
pub fn mark(db: &Db) -> Result<usize, StoreError> {
    let marked = db.execute(
        "update argument_stats set current_champion_id = t.champion
         from thrones t join arguments a on a.lineage = t.lineage
         where t.asset_type = 'attack' and argument_stats.argument = a.n and argument_stats.case_id = t.case_id
             and argument_stats.target_character = t.character_id and argument_stats.current_champion_id is not t.champion",
        [],
    )?;
    Ok(marked)
}

/// What takes this title now: the first challenger in rank that has enough to show. Its champion cannot, under this account or another: a
/// player who could hand a title to a second account would start again below the royalty cap.
fn winner(db: &Db, title: &Title) -> Result<Option<(Held, Challenger)>, StoreError> {
    let Some(held) = held(db, title)?.filter(|held| has_fallen(held.effectiveness_e4)) else { return Ok(None) };
    let mut challengers: Vec<(i64, Track, i64)> = tracks(db, title, held.seen)?
        .into_iter()
        .map(|(lineage, (track, trigger))| (lineage, track, trigger))
        .collect();
    challengers.sort_by_key(|(lineage, track, _)| {
        let standing = track.standing();
        rank(standing.effectiveness.0, standing.uses, *lineage)
    });
    for (lineage, track, trigger) in challengers {
        let standing = track.standing();
        let mut shown = Challenge {
            effectiveness_e4: standing.effectiveness.0,
            uses: standing.uses,
            // Counted last, because it is the most expensive to find out.
            opponents: CHALLENGE_OPPONENTS_MIN,
        };
        if !shown.takes(held.effectiveness_e4) {
            continue;
        }
        let Some((hash, author)) = first(db, lineage)? else { continue };
        if holds(db, held.holder, author)? {
            continue;
        }
        shown.opponents = opponents(db, title, lineage, author, held.seen)?;
        if shown.takes(held.effectiveness_e4) {
            return Ok(Some((held, Challenger { lineage, hash, author, shown, trigger })));
        }
    }
    Ok(None)
}

/// Whether the challenger's author holds the title already.
fn holds(db: &Db, holder: Option<AccountId>, author: Option<AccountId>) -> Result<bool, StoreError> {
    match (holder, author) {
        (Some(holder), Some(author)) => same_owner(db, holder, author),
        (None, None) => Ok(true),
        (Some(_), None) | (None, Some(_)) => Ok(false),
    }
}

fn held(db: &Db, title: &Title) -> Result<Option<Held>, StoreError> {
    let Some(effectiveness_e4) = standing(db, title)? else { return Ok(None) };
    let mut query = db.prepare_cached(
        "select a.hash, case when t.since is null then a.author else t.champion end, coalesce(t.seen, 0)
         from arguments a left join thrones t
             on t.lineage = a.n and t.case_id = ?2 and t.character_id = ?3 and t.asset_type = ?4
         where a.n = ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        let holder = row.get::<_, Option<Uuid>>(1)?.map(AccountId);
        Ok(Held { hash: row.get(0)?, holder, effectiveness_e4, seen: row.get(2)? })
    };
    let found =
        query.query_row(params![title.lineage, title.case_id, title.character_id, title.asset.word()], read).optional();
    Ok(found?)
}

/// How each argument that met it often enough did against it alone, and the row of their last meeting.
fn tracks(db: &Db, title: &Title, seen: i64) -> Result<BTreeMap<i64, (Track, i64)>, StoreError> {
    let (own, other) = columns(title.asset);
    let met = format!("{own} = ?1 and case_id = ?2 and character_id = ?3 and counted = 1 and id > ?4");
    let sql = format!(
        "select {other}, outcome, id from defense_corpus where {met}
             and {other} in (select {other} from defense_corpus where {met} group by {other} having count(*) >= ?5)
         order by id"
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows =
        query.query(params![title.lineage, title.case_id, title.character_id, seen, CHALLENGE_USES_MIN as i64])?;
    let mut tracks: BTreeMap<i64, (Track, i64)> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let Some(outcome) = burden(row.get_ref(1)?.as_str().unwrap_or_default()) else { continue };
        let score = match title.asset {
            Asset::Attack => Score::of_defense(outcome),
            Asset::Defense => Score::against_defense(outcome),
        };
        let (track, last) = tracks.entry(row.get(0)?).or_default();
        track.fold(score);
        *last = row.get(2)?;
    }
    Ok(tracks)
}

/// The columns of a meeting that name what is challenged and what challenges it.
fn columns(asset: Asset) -> (&'static str, &'static str) {
    match asset {
        Asset::Attack => ("attack_lineage", "lineage"),
        Asset::Defense => ("lineage", "attack_lineage"),
    }
}

/// The hash and author of the first of a lineage; none if it was rejected, was removed with its game, or is a deleted account's, because
/// then it takes nothing.
fn first(db: &Db, lineage: i64) -> Result<Option<(String, Option<AccountId>)>, StoreError> {
    let mut query = db.prepare_cached(
        "select a.hash, a.author from arguments a left join accounts u on u.id = a.author
         where a.n = ?1 and a.status != 'rejected' and (a.author is null or (u.id is not null and u.deleted_at is null))",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Option<Uuid>>(1)?.map(AccountId)));
    Ok(query.query_row(params![lineage], read).optional()?)
}

/// A player that a challenger met.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Opponent {
    /// Minds of the house, and guests: all of them count as one.
    House,
    /// An account of ours.
    Account(Uuid),
    /// A player of an outside game: the key that reports it, and the name it gives.
    Elsewhere(Option<Uuid>, String),
    /// A player of an outside game whom the key does not name.
    Unnamed(Option<Uuid>),
}

/// Against how many different opponents a challenger was used, counted up to [`CHALLENGE_OPPONENTS_MIN`]. Its own author is none, under any
/// account, and two accounts of one owner are one opponent.
fn opponents(db: &Db, title: &Title, challenger: i64, author: Option<AccountId>, seen: i64) -> Result<u64, StoreError> {
    let (own, other) = columns(title.asset);
    // The player who made the attack, or the one who answered it.
    let (account, name) = match title.asset {
        Asset::Attack => (
            "(select k.account from spoken k join arguments a on a.n = k.argument
              where k.game = d.game and a.hash = d.argument_hash order by k.seq limit 1)",
            "(select e.player_id from argument_events e indexed by argument_events_outside
              where e.external = 1 and e.trial_id = d.trial_id and e.arg_hash = d.argument_hash and e.key is d.key
              order by e.id limit 1)",
        ),
        Asset::Defense => ("(select k.account from spoken k where k.game = d.game and k.seq = d.seq)", "d.author_id"),
    };
    let sql = format!(
        "select distinct d.external, case when d.external = 0 then {account} end, d.key,
             case when d.external = 1 then {name} end
         from defense_corpus d where d.{own} = ?1 and d.{other} = ?2 and d.case_id = ?3 and d.character_id = ?4
             and d.counted = 1 and d.id > ?5"
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query(params![title.lineage, challenger, title.case_id, title.character_id, seen])?;
    let mut met = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let (key, name): (Option<Uuid>, Option<String>) = (row.get(2)?, row.get(3)?);
        met.insert(match (row.get::<_, bool>(0)?, row.get(1)?, name) {
            (false, Some(account), _) => Opponent::Account(account),
            (false, None, _) => Opponent::House,
            (true, _, Some(name)) => Opponent::Elsewhere(key, name),
            (true, _, None) => Opponent::Unnamed(key),
        });
    }
    // Counting stops as soon as there are enough.
    let mut people: Vec<AccountId> = author.into_iter().collect();
    let mut others = 0;
    for opponent in met {
        let account = match opponent {
            Opponent::House | Opponent::Elsewhere(..) => None,
            Opponent::Account(account) => Some(AccountId(account)),
            Opponent::Unnamed(key) => owner(db, key)?,
        };
        if let Some(account) = account {
            let mut known = false;
            for other in &people {
                known = known || same_owner(db, account, *other)?;
            }
            if known {
                continue;
            }
            people.push(account);
        }
        others += 1;
        if others == CHALLENGE_OPPONENTS_MIN {
            break;
        }
    }
    Ok(others)
}

fn owner(db: &Db, key: Option<Uuid>) -> Result<Option<AccountId>, StoreError> {
    let mut query = db.prepare_cached("select account from api_keys where id = ?1")?;
    Ok(query.query_row(params![key], |row| row.get(0)).optional()?.map(AccountId))
}
