//! Whether the money adds up: the part of `verify` that looks at the ledger, what was bought and who was paid.

use super::{Bad, bad};
use crate::corpus::burden;
use crate::corpus::{arguments, authors};
use crate::ledger::{HOUSE, TRANSFER, Transfer, TransferNo, day, terms};
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{Score, Track};
use commons::ledger::purse::{Paid, Purse};
use commons::ledger::royalty::share_of;
use commons::ledger::sale::return_ms;
use commons::ledger::terms::Terms;
use commons::ledger::ware::{Reason, Ware};
use engine::chain::Hash;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::params;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Checks every balance against the transfers, every purchase against its payment, every royalty against its purchase, and every author's
/// figures against all of it.
pub fn check(db: &Db) -> Result<(), Bad> {
    let terms = every_terms(db)?;
    balances(db)?;
    awards(db, &terms)?;
    purchases(db)?;
    returns(db, &terms)?;
    royalties(db, &terms)?;
    royalty_days(db, &terms)?;
    packs(db, &terms)?;
    titles(db)?;
    arguments::check(db)?;
    authors::check(db)
}

/// All terms that were ever in force, by name, with those of the time before they were kept.
struct EveryTerms {
    by_name: BTreeMap<String, Terms>,
    first: Terms,
}

impl EveryTerms {
    /// Those that a row names; none if it names unknown ones.
    fn of(&self, name: Option<&str>) -> Option<&Terms> {
        match name {
            Some(name) => self.by_name.get(name),
            None => Some(&self.first),
        }
    }

    /// The most that a limit ever was.
    fn most(&self, limit: impl Fn(&Terms) -> u64) -> u64 {
        self.by_name.values().chain([&self.first]).map(limit).max().unwrap_or(0)
    }
}

fn every_terms(db: &Db) -> Result<EveryTerms, Bad> {
    let by_name = terms::all(db)?;
    match by_name.iter().find(|(name, terms)| **name != terms.hash()) {
        Some((name, _)) => {
            Err(Bad { table: "terms", game: None, row: None, what: format!("{name} is not their hash") })
        }
        None => Ok(EveryTerms { by_name, first: Terms::default() }),
    }
}

/// The chain over all transfers, no account below zero at any moment, and every balance.
fn balances(db: &Db) -> Result<(), Bad> {
    let mut purses: BTreeMap<Uuid, Purse> = BTreeMap::new();
    let mut house = 0_i64;
    let (mut last, mut previous) = (0, Hash::default());
    let mut query = db.prepare(&format!("select {TRANSFER}, hash from transfers order by n"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let transfer = Transfer::read(row).map_err(|_| bad("transfers", last + 1, "it cannot be read"))?;
        let n = transfer.n.0;
        let link = transfer.link(previous);
        if n != last + 1 {
            return Err(bad("transfers", last + 1, "it is missing"));
        }
        if row.get::<_, [u8; 32]>(9)? != link.0 {
            return Err(bad("transfers", n, "its hash does not follow from it"));
        }
        let mut bonus = transfer.bonus;
        if transfer.payer == HOUSE {
            house -= transfer.amount as i64;
        } else {
            let purse = purses.entry(transfer.payer.0).or_default();
            let before = *purse;
            let paid = purse.pay(transfer.amount);
            let paid = paid.map_err(|_| bad("transfers", n, "it was paid with more than there was"))?;
            // Reversals that were made before schema 13 came out of the bonus first, like everything else.
            if paid.bonus != transfer.bonus {
                *purse = before;
                if given_back(db, purse, &transfer)? != Some(transfer.bonus) {
                    return Err(bad("transfers", n, "the bonus was not spent first"));
                }
            }
            bonus = 0;
        }
        if transfer.payee == HOUSE {
            house += transfer.amount as i64;
        } else {
            purses.entry(transfer.payee.0).or_default().receive(transfer.amount, bonus);
        }
        (last, previous) = (n, link);
    }
    let held: i64 = purses.values().map(|purse| purse.balance() as i64).sum();
    if house + held != 0 {
        return Err(bad("transfers", last, "the sum over all accounts is not nought"));
    }
    let mut query = db.prepare("select account, balance, bonus from balances")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (account, balance, bonus): (Uuid, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let right = if account == HOUSE.0 {
            (balance, bonus) == (house, 0)
        } else {
            Purse::of(balance, bonus) == Some(purses.remove(&account).unwrap_or_default())
        };
        if !right {
            let what = format!("the balance of {} is not what was paid", AccountId(account));
            return Err(Bad { table: "balances", game: None, row: None, what });
        }
    }
    match purses.into_iter().find(|(_, purse)| *purse != Purse::default()) {
        Some((account, _)) => {
            let what = format!("the balance of {} is missing", AccountId(account));
            Err(Bad { table: "balances", game: None, row: None, what })
        }
        None => Ok(()),
    }
}

/// How much of a reversal comes out of the bonus; none if the transfer is no reversal.
fn given_back(db: &Db, purse: &mut Purse, transfer: &Transfer) -> Result<Option<u64>, Bad> {
    if transfer.reason != Reason::Reversal {
        return Ok(None);
    }
    let Ok(wrong) = transfer.reference.parse() else { return Ok(None) };
    let Some(wrong) = crate::ledger::transfer(db, TransferNo(wrong))? else { return Ok(None) };
    let given = Paid { amount: wrong.amount, bonus: wrong.bonus };
    Ok(purse.give_back(given).ok().map(|paid| paid.bonus))
}

/// What was earned and lost in play: for an event that counts, not more than it claims, and within the limits.
fn awards(db: &Db, terms: &EveryTerms) -> Result<(), Bad> {
    let (a_day, an_hour) = (terms.most(|terms| terms.earned_a_day_max), terms.most(|terms| terms.earned_an_hour_max));
    let mut query = db.prepare(
        "select t.n, t.payer, t.payee, t.amount, t.reason, t.at, e.ia_change, s.account from transfers t
         left join games g on g.id = unhex(replace(substr(t.reference, 1, instr(t.reference, '#') - 1), '-', ''))
         left join argument_events e on e.game = g.n and e.seq = cast(substr(t.reference, instr(t.reference, '#') + 1) as integer)
             and e.counted = 1
         left join spoken s on s.game = e.game and s.seq = e.seq
         where t.reason in ('award', 'forfeit') order by t.n",
    )?;
    let mut rows = query.query([])?;
    let mut days: BTreeMap<(Uuid, i64), u64> = BTreeMap::new();
    let mut earned: BTreeMap<Uuid, u64> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (n, amount): (i64, i64) = (row.get(0)?, row.get(3)?);
        let won = row.get_ref(4)?.as_str().is_ok_and(|reason| reason == Reason::Award.word());
        let account: Uuid = if won { row.get(2)? } else { row.get(1)? };
        let claimed: Option<i64> = row.get(6)?;
        let claimed = claimed.map_or(0, |claimed| if won { claimed } else { -claimed });
        if amount > claimed {
            return Err(bad("transfers", n, "no event of a game brings so much"));
        }
        // A removed game leaves what came of it, but not who spoke.
        if row.get::<_, Option<Uuid>>(7)?.is_some_and(|spoke| spoke != account) {
            return Err(bad("transfers", n, "somebody else has earned it"));
        }
        if won {
            let today = days.entry((account, day(Timestamp(row.get(5)?)))).or_default();
            *today += amount as u64;
            *earned.entry(account).or_default() += amount as u64;
            if *today > a_day {
                return Err(bad("transfers", n, "a day brought more than it may"));
            }
        }
    }
    let mut query = db.prepare("select account, sum(amount) from awards group by account")?;
    let mut rows = query.query([])?;
    let mut kept: BTreeMap<Uuid, u64> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        kept.insert(row.get(0)?, row.get::<_, i64>(1)? as u64);
    }
    if kept != earned {
        return Err(Bad { table: "awards", game: None, row: None, what: "they are not what was paid".into() });
    }
    let hurried = "select min(lineage) from awards where hour > 0 group by account, hour having sum(amount) > ?1";
    match first(db, hurried, params![an_hour as i64])? {
        Some(lineage) => Err(bad("awards", lineage, "an hour brought more than it may")),
        None => Ok(()),
    }
}

/// Every purchase with its payment, and every payment with its purchase.
fn purchases(db: &Db) -> Result<(), Bad> {
    for ware in Ware::ALL {
        let reason = ware.price_reason().word();
        let unpaid = "select u.id from corpus_unlocks u left join transfers t on t.n = u.transfer
             where u.unlock_type = ?1 and not (u.paid_ia = 0 and u.transfer is null)
                 and (t.n is null or t.reason != ?2 or t.payer != u.player_id or t.payee != ?3 or t.amount != u.paid_ia
                     or t.reference != u.unlock_target)";
        if let Some(id) = first(db, unpaid, params![ware.word(), reason, HOUSE.0])? {
            return Err(bad("corpus_unlocks", id, "it was not paid so"));
        }
        let ungranted = "select n from transfers t where t.reason = ?1
             and not exists (select 1 from corpus_unlocks u where u.unlock_type = ?2 and u.transfer = t.n)";
        if let Some(n) = first(db, ungranted, params![reason, ware.word()])? {
            return Err(bad("transfers", n, "nothing was granted for it"));
        }
    }
    Ok(())
}

/// Every purchase that was given back: in time, to the one who bought it, in full, and its authors were not paid.
fn returns(db: &Db, terms: &EveryTerms) -> Result<(), Bad> {
    // The terms at that moment decided, which may be later ones than those it was sold under.
    let most = terms.most(|terms| return_ms(terms) as u64) as i64;
    let unfounded = "select r.unlock from returned r left join corpus_unlocks u on u.id = r.unlock
         where u.player_id is not r.account or r.at - u.unlocked_at >= ?1";
    if let Some(n) = first(db, unfounded, params![most])? {
        return Err(bad("returned", n, "the account had not bought it just before"));
    }
    let unpaid = "select r.unlock from returned r join corpus_unlocks u on u.id = r.unlock
         left join transfers t on t.n = r.transfer left join transfers p on p.n = u.transfer
         where not (u.paid_ia = 0 and r.transfer is null)
             and (t.n is null or t.reason != 'returned' or t.payer != ?1 or t.payee != r.account or t.amount != u.paid_ia
                 or t.bonus != p.bonus)";
    if let Some(n) = first(db, unpaid, params![HOUSE.0])? {
        return Err(bad("returned", n, "it was not paid back so"));
    }
    let stray = "select n from transfers t where t.reason = 'returned' and not exists (select 1 from returned r where r.transfer = t.n)";
    match first(db, stray, params![])? {
        Some(n) => Err(bad("transfers", n, "nothing was given back for it")),
        None => Ok(()),
    }
}

/// Every share with its purchase, every payout with its share and its transfer, and nobody beyond the cap.
fn royalties(db: &Db, terms: &EveryTerms) -> Result<(), Bad> {
    let unfounded = "select p.payout_id from royalty_payouts p
         left join corpus_unlocks u on u.id = p.source_unlock_id left join transfers t on t.n = p.transfer
         left join royalty_shares s on s.unlock = p.source_unlock_id and s.lineage = p.lineage
         where u.id is null or u.unlock_type != p.source_type or t.n is null or t.payer != ?1 or t.payee != p.recipient_id
             or t.amount != p.amount_ia or t.reference != cast(u.id as text) or p.recipient_id = u.player_id
             or s.fate is not 'paid' or s.recipient != p.recipient_id or s.amount != p.amount_ia or p.terms is not u.terms
             or t.reason != case p.source_type when 'attack' then 'royalty_attack' when 'defense' then 'royalty_defense'
                 else 'royalty_pack' end";
    if let Some(id) = first(db, unfounded, params![HOUSE.0])? {
        return Err(bad("royalty_payouts", id, "no purchase pays it so"));
    }
    let unpaid = "select s.unlock from royalty_shares s where s.fate not in ('due', 'paid', 'returned', 'lapsed')
             or (s.fate = 'paid') != exists (select 1 from royalty_payouts p where p.source_unlock_id = s.unlock and p.lineage = s.lineage)
             or (s.fate = 'returned') != exists (select 1 from returned r where r.unlock = s.unlock and s.fate not in ('paid', 'lapsed'))";
    if let Some(id) = first(db, unpaid, params![])? {
        return Err(bad("royalty_shares", id, "what became of it is not what was paid"));
    }
    let undivided = "select u.id from corpus_unlocks u left join
         (select unlock, sum(amount) shares from royalty_shares group by unlock) s on s.unlock = u.id
         where u.author_share != coalesce(s.shares, 0)";
    if let Some(id) = first(db, undivided, params![])? {
        return Err(bad("corpus_unlocks", id, "its authors' shares are not what it says"));
    }
    let mut query = db.prepare(
        "select u.id, u.unlock_type, u.terms, u.author_share, coalesce(t.amount - t.bonus, 0)
         from corpus_unlocks u left join transfers t on t.n = u.transfer",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (id, name): (i64, Option<String>) = (row.get(0)?, row.get(2)?);
        let Some(terms) = terms.of(name.as_deref()) else {
            return Err(bad("corpus_unlocks", id, "it was sold under terms that were never in force"));
        };
        let ware = Ware::named(row.get_ref(1)?.as_str().unwrap_or_default());
        let ware = ware.ok_or_else(|| bad("corpus_unlocks", id, "there is no such ware"))?;
        if row.get::<_, i64>(3)? as u64 > share_of(terms, ware, row.get::<_, i64>(4)? as u64) {
            return Err(bad("corpus_unlocks", id, "its authors' share is too large"));
        }
    }
    let stray = "select n from transfers t where t.reason in ('royalty_attack', 'royalty_defense', 'royalty_pack')
         and not exists (select 1 from royalty_payouts p where p.transfer = t.n)";
    if let Some(n) = first(db, stray, params![])? {
        return Err(bad("transfers", n, "no payout names it"));
    }
    let cap = terms.most(|terms| terms.cap_ia);
    let mut paid: BTreeMap<(i64, Uuid), i64> = BTreeMap::new();
    let mut query =
        db.prepare("select lineage, recipient_id, sum(amount_ia) from royalty_payouts group by lineage, recipient_id")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (lineage, sum): (i64, i64) = (row.get(0)?, row.get(2)?);
        if sum as u64 > cap {
            return Err(bad("royalty_payouts", lineage, "this argument has brought more than its cap"));
        }
        paid.insert((lineage, row.get(1)?), sum);
    }
    let mut query = db.prepare("select lineage, champion, paid from royalty_totals")?;
    let mut rows = query.query([])?;
    let mut totals: BTreeMap<(i64, Uuid), i64> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        totals.insert((row.get(0)?, row.get(1)?), row.get(2)?);
    }
    if totals != paid {
        return Err(Bad { table: "royalty_totals", game: None, row: None, what: "they are not what was paid".into() });
    }
    let mistold = "select s.n from argument_stats s left join (
             select u.unlock_target hash, u.case_id, u.character_id, sum(p.amount_ia) paid
             from royalty_payouts p join corpus_unlocks u on u.id = p.source_unlock_id
             where u.unlock_type = 'attack' group by u.unlock_target, u.case_id, u.character_id) p
         on p.hash = s.arg_hash and p.case_id = s.case_id and p.character_id = s.target_character
         where s.royalty_paid_total != coalesce(p.paid, 0)";
    match first(db, mistold, params![])? {
        Some(n) => Err(bad("argument_stats", n, "its royalties are not what was paid")),
        None => Ok(()),
    }
}

/// For how many purchases of each buyer each author had a share on each day.
fn royalty_days(db: &Db, terms: &EveryTerms) -> Result<(), Bad> {
    let most = terms.most(|terms| terms.paid_a_day_by_one_buyer_max);
    let mut paid: BTreeMap<(Uuid, Uuid, i64), i64> = BTreeMap::new();
    let mut query = db.prepare(
        "select distinct u.id, u.player_id, s.recipient, u.unlocked_at from royalty_shares s
         join corpus_unlocks u on u.id = s.unlock",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        *paid.entry((row.get(1)?, row.get(2)?, day(Timestamp(row.get(3)?)))).or_default() += 1;
    }
    let wrong = |(buyer, author, day): &(Uuid, Uuid, i64), what: &str| {
        let what =
            format!("the purchases of {} that paid {} on day {day} {what}", AccountId(*buyer), AccountId(*author));
        Bad { table: "royalty_days", game: None, row: None, what }
    };
    let mut query = db.prepare("select buyer, author, day, purchases from royalty_days order by buyer, author, day")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let key = (row.get(0)?, row.get(1)?, row.get(2)?);
        let purchases: i64 = row.get(3)?;
        if paid.remove(&key) != Some(purchases) {
            return Err(wrong(&key, "are not what was paid"));
        }
        if purchases as u64 > most {
            return Err(wrong(&key, "are more than may pay"));
        }
    }
    match paid.keys().next() {
        Some(key) => Err(wrong(key, "are missing")),
        None => Ok(()),
    }
}

/// A row of `pack_defenses`.
struct Packed {
    pack: String,
    position: i64,
    hash: String,
    lineage: i64,
    weight: i64,
    /// The case and character of the pack; none if there is no such pack.
    of: Option<(String, String)>,
}

/// Every pack with what is in it: places without a gap, one of each lineage, each proved by that character in
/// that case, at a weight that it had at some time; and royalties only for what is in the pack that was bought.
fn packs(db: &Db, terms: &EveryTerms) -> Result<(), Bad> {
    let size = terms.most(|terms| terms.pack_size);
    let empty = "select p.rowid from character_packs p where not exists (select 1 from pack_defenses d where d.pack_id = p.pack_id)";
    if let Some(row) = first(db, empty, params![])? {
        return Err(bad("character_packs", row, "there is nothing in it"));
    }
    let mut query = db.prepare(
        "select d.pack_id, d.position, d.defense_hash, d.lineage, d.effectiveness_e4, p.case_id, p.character_id
         from pack_defenses d left join character_packs p on p.pack_id = d.pack_id order by d.pack_id, d.position",
    )?;
    let mut rows = query.query([])?;
    let mut before: Vec<Packed> = Vec::new();
    while let Some(row) = rows.next()? {
        let case: Option<String> = row.get(5)?;
        let packed = Packed {
            pack: row.get(0)?,
            position: row.get(1)?,
            hash: row.get(2)?,
            lineage: row.get(3)?,
            weight: row.get(4)?,
            of: case.zip(row.get(6)?),
        };
        if before.first().is_some_and(|first| first.pack != packed.pack) {
            before.clear();
        }
        if let Some(what) = misplaced(&packed, &before, size).or(unproved(db, &packed)?) {
            let what = format!("{what} (in the pack {})", packed.pack);
            return Err(bad("pack_defenses", packed.position, what));
        }
        before.push(packed);
    }
    let stray = "select p.payout_id from royalty_payouts p join corpus_unlocks u on u.id = p.source_unlock_id
         where u.unlock_type = 'pack' and not exists (select 1 from pack_defenses d where d.pack_id = u.unlock_target
             and d.lineage = p.lineage)";
    match first(db, stray, params![])? {
        Some(id) => Err(bad("royalty_payouts", id, "the pack that paid it has no such argument")),
        None => Ok(()),
    }
}

/// What is wrong with its place among those before it.
fn misplaced(packed: &Packed, before: &[Packed], size: u64) -> Option<&'static str> {
    let place = before.len() as i64 + 1;
    if packed.position != place || place > size as i64 {
        Some("the places are not counted from one to the size of a pack")
    } else if before.iter().any(|one| one.lineage == packed.lineage) {
        Some("its lineage is in the pack before")
    } else {
        None
    }
}

/// What is wrong with what it claims to have done. The words may be gone; what came of them stays.
fn unproved(db: &Db, packed: &Packed) -> Result<Option<&'static str>, StoreError> {
    let Some((case, character)) = &packed.of else { return Ok(Some("there is no such pack")) };
    let mut query = db.prepare_cached(
        "select 1 from defense_corpus d join arguments a on a.hash = d.defense_hash and a.side = 'defense'
         where d.defense_hash = ?1 and d.lineage = ?2 and d.case_id = ?3 and d.character_id = ?4 and d.outcome = 'proved'
             and d.counted = 1",
    )?;
    if !query.exists(params![packed.hash, packed.lineage, case, character])? {
        return Ok(Some("it was never proved there"));
    }
    // Figures are derived from time to time, so the weight is the effectiveness after some of its uses, or before all of them.
    let mut query = db.prepare_cached(
        "select outcome from defense_corpus where lineage = ?1 and character_id = ?2 and counted = 1 order by id",
    )?;
    let mut rows = query.query(params![packed.lineage, character])?;
    let mut track = Track::default();
    while track.standing().effectiveness.0 != packed.weight {
        let Some(row) = rows.next()? else { return Ok(Some("it never did so well")) };
        let Some(outcome) = burden(row.get_ref(0)?.as_str().unwrap_or_default()) else { continue };
        track.fold(Score::of_defense(outcome));
    }
    Ok(None)
}

/// Every title with the change that brought it, and every change with its title.
fn titles(db: &Db) -> Result<(), Bad> {
    let newest = "select max(id) from throne_events group by case_id, target_character, asset_type, lineage";
    let unheld = format!(
        "select e.id from throne_events e left join thrones t on t.case_id = e.case_id and t.character_id = e.target_character
             and t.asset_type = e.asset_type and t.lineage = e.lineage
         where e.id in ({newest}) and (t.since is null or t.champion is not e.new_champion or t.since != e.created_at)"
    );
    if let Some(id) = first(db, &unheld, params![])? {
        return Err(bad("throne_events", id, "the title is not held by whoever took it"));
    }
    let untaken =
        "select t.lineage from thrones t where not exists (select 1 from throne_events e where e.case_id = t.case_id
         and e.target_character = t.character_id and e.asset_type = t.asset_type and e.lineage = t.lineage)";
    match first(db, untaken, params![])? {
        Some(lineage) => Err(bad("thrones", lineage, "nobody has taken this title")),
        None => Ok(()),
    }
}

fn first(db: &Db, sql: &str, parameters: impl rusqlite::Params) -> Result<Option<i64>, StoreError> {
    let mut query = db.prepare(&format!("{sql} limit 1"))?;
    let mut rows = query.query(parameters)?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}
