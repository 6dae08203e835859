//! When titles change hands: what the nightly job looks for, and what it writes.
//!
//! An attack that has come to do badly loses its title to a defense that beats it again and again, and a defense to such an attack. A
//! defense is known by what it stands on, its claim and the evidence cited, and not by its wording: the house words none twice. The house
//! itself goes by the claim alone, since it does not cite the same twice either while it can cite something else. Only meetings that count and that came after the title last changed hands are considered: otherwise two rivals that beat each other would
//! take turns forever, and a second run would find a second winner. [`due`] only reads; [`hand_over`] checks again before it writes, so
//! that two nodes at once change a title once.

use crate::corpus::{authors, burden};
use crate::ledger::thrones::{Asset, Title};
use crate::ledger::unlocks::same_owner;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{Score, Track};
use commons::ledger::throne::{Challenge, has_fallen, rank};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, Row, params};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What challenges a title.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rival {
    /// An attack, by its lineage.
    Attack(i64),
    /// A defense, by what it stands on: the claim, and the evidence cited.
    Stand(String, String),
    /// Everything that the house says for one claim, but for what an account stood on first.
    House(String),
}

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
    for (asset, pairs) in [
        (
            Asset::Attack,
            "select attack_lineage, case_id, character_id from defense_corpus indexed by defense_against
             where counted = 1 group by attack_lineage, case_id, character_id, claim having count(*) >= ?1",
        ),
        (
            Asset::Defense,
            "select lineage, case_id, character_id from defense_corpus indexed by defense_by_pair
             where counted = 1 group by lineage, attack_lineage, case_id, character_id having count(*) >= ?1",
        ),
    ] {
        let mut pairs = db.prepare(pairs)?;
        let mut rows = pairs.query(params![db.terms().challenge_uses_min as i64])?;
        while let Some(row) = rows.next()? {
            let title = Title { lineage: row.get(0)?, case_id: row.get(1)?, character_id: row.get(2)?, asset };
            if !fallen.contains(&title) && standing(db, &title)?.is_some_and(|held| has_fallen(db.terms(), held)) {
                fallen.insert(title);
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
    let terms = db.terms();
    let Some(held) = held(db, title)?.filter(|held| has_fallen(terms, held.effectiveness_e4)) else { return Ok(None) };
    let mut challengers: Vec<(i64, Rival, Meetings)> = Vec::new();
    for (rival, met) in meetings(db, title, held.seen)? {
        let standing = met.track.standing();
        // Who they were is counted last, because it is the most expensive to find out.
        let shown = Challenge {
            effectiveness_e4: standing.effectiveness.0,
            uses: standing.uses,
            opponents: terms.challenge_opponents_min,
        };
        if let Some(lineage) = lineage(db, title, &rival)?
            && shown.takes(terms, held.effectiveness_e4)
        {
            challengers.push((lineage, rival, met));
        }
    }
    challengers.sort_by_key(|(lineage, _, met)| {
        let standing = met.track.standing();
        rank(standing.effectiveness.0, standing.uses, *lineage)
    });
    for (lineage, rival, met) in challengers {
        let Some((hash, author)) = first(db, lineage)? else { continue };
        if holds(db, held.holder, author)? {
            continue;
        }
        let standing = met.track.standing();
        let shown = Challenge {
            effectiveness_e4: standing.effectiveness.0,
            uses: standing.uses,
            opponents: opponents(db, title, &rival, author, held.seen)?,
        };
        if shown.takes(terms, held.effectiveness_e4) {
            return Ok(Some((held, Challenger { lineage, hash, author, shown, trigger: met.last })));
        }
    }
    Ok(None)
}

/// The lineage that a challenger goes by: its own, or that of the defense which proved what it stands on first. None if none ever did.
fn lineage(db: &Db, title: &Title, rival: &Rival) -> Result<Option<i64>, StoreError> {
    let (claim, cited) = match rival {
        Rival::Attack(lineage) => return Ok(Some(*lineage)),
        Rival::Stand(claim, cited) => (claim, Some(cited)),
        Rival::House(claim) => (claim, None),
    };
    let mut query = db.prepare_cached(&format!(
        "select d.lineage from defense_corpus d indexed by defense_by_stand
         where d.case_id = ?1 and d.character_id = ?2 and d.claim = ?3 and d.counted = 1 and d.outcome = 'proved'
             and (d.cited_evidence = ?4 or (?4 is null and {BY_HOUSE}))
         order by d.id limit 1"
    ))?;
    Ok(query.query_row(params![title.case_id, title.character_id, claim, cited], |row| row.get(0)).optional()?)
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

/// How a challenger did against one title, and the row of their last meeting.
#[derive(Clone, Copy, Default)]
struct Meetings {
    track: Track,
    last: i64,
}

/// Whether a mind of the house gave this defense.
const BY_HOUSE: &str = "exists (select 1 from spoken k where k.game = d.game and k.seq = d.seq and k.by_house = 1)";

/// The columns of a meeting by which a challenger is known.
fn rival_columns(asset: Asset) -> &'static str {
    match asset {
        Asset::Attack => "claim, cited_evidence",
        Asset::Defense => "attack_lineage",
    }
}

/// The column of a meeting that names what is challenged.
fn own_column(asset: Asset) -> &'static str {
    match asset {
        Asset::Attack => "attack_lineage",
        Asset::Defense => "lineage",
    }
}

impl Rival {
    fn read(row: &Row<'_>, asset: Asset) -> rusqlite::Result<Rival> {
        Ok(match asset {
            Asset::Attack => Rival::Stand(row.get(2)?, row.get(3)?),
            Asset::Defense => Rival::Attack(row.get(2)?),
        })
    }
}

/// How each argument that met it often enough did against it alone.
fn meetings(db: &Db, title: &Title, seen: i64) -> Result<BTreeMap<Rival, Meetings>, StoreError> {
    let (own, rivals) = (own_column(title.asset), rival_columns(title.asset));
    let sql = format!(
        "select d.id, d.outcome, {rivals}, {BY_HOUSE} from defense_corpus d
         where d.{own} = ?1 and d.case_id = ?2 and d.character_id = ?3 and d.counted = 1 and d.id > ?4 order by d.id"
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query(params![title.lineage, title.case_id, title.character_id, seen])?;
    let mut met: BTreeMap<Rival, Meetings> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let Some(outcome) = burden(row.get_ref(1)?.as_str().unwrap_or_default()) else { continue };
        let score = match title.asset {
            Asset::Attack => Score::of_defense(outcome),
            Asset::Defense => Score::against_defense(outcome),
        };
        let rival = Rival::read(row, title.asset)?;
        let house = match &rival {
            Rival::Stand(claim, _) if row.get(4)? && is_the_houses(db, title, &rival)? => {
                Some(Rival::House(claim.clone()))
            }
            Rival::Stand(..) | Rival::Attack(_) | Rival::House(_) => None,
        };
        for rival in [rival].into_iter().chain(house) {
            let one = met.entry(rival).or_default();
            one.track.fold(score);
            one.last = row.get(0)?;
        }
    }
    met.retain(|_, one| one.track.standing().uses >= db.terms().challenge_uses_min);
    Ok(met)
}

/// Whether no account stood on this first.
fn is_the_houses(db: &Db, title: &Title, rival: &Rival) -> Result<bool, StoreError> {
    let Some(lineage) = lineage(db, title, rival)? else { return Ok(true) };
    Ok(first(db, lineage)?.is_none_or(|(_, author)| author.is_none()))
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

/// A meeting: who was challenged, and who challenged.
struct Sides {
    opponent: Opponent,
    /// The account that used the challenger in a game of ours.
    user: Option<Uuid>,
}

/// Against how many different opponents a challenger was used, counted up to what a title takes. Its own author is none, under any account,
/// and two accounts of one owner are one opponent. The house is one opponent, or as many as used the challenger against it: to beat it, one
/// need not find others who lose.
fn opponents(db: &Db, title: &Title, rival: &Rival, author: Option<AccountId>, seen: i64) -> Result<u64, StoreError> {
    let enough = db.terms().challenge_opponents_min;
    let met = sides(db, title, rival, seen)?;
    // Counting stops as soon as there are enough.
    let mut people: Vec<AccountId> = author.into_iter().collect();
    let mut others = 0;
    for opponent in met.iter().map(|sides| &sides.opponent).collect::<BTreeSet<_>>() {
        let account = match opponent {
            Opponent::House | Opponent::Elsewhere(..) => None,
            Opponent::Account(account) => Some(AccountId(*account)),
            Opponent::Unnamed(key) => owner(db, *key)?,
        };
        if account.is_none() || is_new(db, &mut people, account)? {
            others += 1;
        }
        if others >= enough {
            return Ok(others);
        }
    }
    let against_house = met.iter().filter(|sides| sides.opponent == Opponent::House);
    let users: BTreeSet<Uuid> = against_house.filter_map(|sides| sides.user).collect();
    let mut owners: Vec<AccountId> = Vec::new();
    for user in users {
        is_new(db, &mut owners, Some(AccountId(user)))?;
        if owners.len() as u64 >= enough {
            break;
        }
    }
    // The house is among the others already, as one.
    let more = (owners.len() as u64).saturating_sub(1);
    Ok((others + more).min(enough))
}

/// Notes the owner of an account; false if it is among these.
fn is_new(db: &Db, people: &mut Vec<AccountId>, account: Option<AccountId>) -> Result<bool, StoreError> {
    let Some(account) = account else { return Ok(false) };
    for other in people.iter() {
        if same_owner(db, account, *other)? {
            return Ok(false);
        }
    }
    people.push(account);
    Ok(true)
}

/// The different pairs of opponent and user in the meetings of a title with a challenger.
fn sides(db: &Db, title: &Title, rival: &Rival, seen: i64) -> Result<Vec<Sides>, StoreError> {
    // The player who made the attack, and the one who answered it.
    const ATTACKED: &str = "(select k.account from spoken k join arguments a on a.n = k.argument
         where k.game = d.game and a.hash = d.argument_hash order by k.seq limit 1)";
    const DEFENDED: &str = "(select k.account from spoken k where k.game = d.game and k.seq = d.seq)";
    const ATTACKER_ELSEWHERE: &str = "(select e.player_id from argument_events e indexed by argument_events_outside
         where e.external = 1 and e.trial_id = d.trial_id and e.arg_hash = d.argument_hash and e.key is d.key
         order by e.id limit 1)";
    let (opponent, user, name) = match title.asset {
        Asset::Attack => (ATTACKED, DEFENDED, ATTACKER_ELSEWHERE),
        Asset::Defense => (DEFENDED, ATTACKED, "d.author_id"),
    };
    let own = own_column(title.asset);
    let met = match rival {
        Rival::Attack(_) => "d.attack_lineage = ?6 and ?7 is null",
        Rival::Stand(..) => "d.claim = ?6 and d.cited_evidence = ?7",
        Rival::House(_) => "d.claim = ?6 and ?7 is null and ",
    };
    let by_house = if matches!(rival, Rival::House(_)) { BY_HOUSE } else { "" };
    let sql = format!(
        "select distinct d.external, case when d.external = 0 then {opponent} end, d.key,
             case when d.external = 1 then {name} end, case when d.external = 0 then {user} end
         from defense_corpus d where d.{own} = ?1 and d.case_id = ?2 and d.character_id = ?3
             and d.counted = ?4 and d.id > ?5 and {met}{by_house}"
    );
    let mut query = db.prepare_cached(&sql)?;
    let (one, other): (Value, Value) = match rival {
        Rival::Attack(lineage) => (Value::Integer(*lineage), Value::Null),
        Rival::Stand(claim, cited) => (Value::Text(claim.clone()), Value::Text(cited.clone())),
        Rival::House(claim) => (Value::Text(claim.clone()), Value::Null),
    };
    let rows =
        query.query_map(params![title.lineage, title.case_id, title.character_id, true, seen, one, other], |row| {
            let (key, name): (Option<Uuid>, Option<String>) = (row.get(2)?, row.get(3)?);
            let opponent = match (row.get::<_, bool>(0)?, row.get(1)?, name) {
                (false, Some(account), _) => Opponent::Account(account),
                (false, None, _) => Opponent::House,
                (true, _, Some(name)) => Opponent::Elsewhere(key, name),
                (true, _, None) => Opponent::Unnamed(key),
            };
            Ok(Sides { opponent, user: row.get(4)? })
        })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn owner(db: &Db, key: Option<Uuid>) -> Result<Option<AccountId>, StoreError> {
    let mut query = db.prepare_cached("select account from api_keys where id = ?1")?;
    Ok(query.query_row(params![key], |row| row.get(0)).optional()?.map(AccountId))
}
