//! What accounts buy: the words of attacks and defenses, and packs of them. Debit, shares and unlock are one transaction; what a buyer owns
//! already is free. A purchase may be given back for a while (`returns.rs`), and its authors are paid after that.

use crate::corpus::arguments;
use crate::ledger::{HOUSE, Moved, Payment, TransferNo, day, owned, pay, pay_from, purse};
use crate::{Db, GameNo, StoreError};
use commons::ledger::owner::is_same;
use commons::ledger::price::text_price;
use commons::ledger::purse::{Paid, Purse, Short};
use commons::ledger::reading::Claim;
use commons::ledger::sale::{self, Before, Champion, Offer, Sale, Share, return_ms, sell};
use commons::ledger::ware::{Reason, Ware};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeSet;
use uuid::Uuid;

/// What a buyer wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The words of an attack, as it stands in the archive of a case.
    Attack {
        hash: String,
        case_id: String,
        character_id: String,
    },
    /// The words of a defense.
    Defense {
        hash: String,
        /// The character that gave it.
        character_id: String,
    },
    Pack {
        id: String,
    },
}

impl Wanted {
    pub fn ware(&self) -> Ware {
        match self {
            Wanted::Attack { .. } => Ware::Attack,
            Wanted::Defense { .. } => Ware::Defense,
            Wanted::Pack { .. } => Ware::Pack,
        }
    }

    pub fn target(&self) -> &str {
        match self {
            Wanted::Attack { hash, .. } | Wanted::Defense { hash, .. } => hash,
            Wanted::Pack { id } => id,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    pub buyer: AccountId,
    pub wanted: Wanted,
    /// The price the buyer saw; none if any will do.
    pub price_seen: Option<u64>,
    pub at: Timestamp,
}

/// What comes of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bought {
    /// It is the buyer's now.
    Now {
        /// The number of the unlock.
        unlock: i64,
        /// What was paid, and how much of it was a bonus.
        paid: Paid,
        /// What its authors are paid, unless it is given back.
        author_share: u64,
    },
    /// It was the buyer's before, or always: nothing changed.
    Owned,
    /// The buyer has too little.
    Short(Short),
    /// The buyer has bought it before, and given it back.
    GivenBack,
    /// It costs this by now.
    PriceChanged(u64),
    /// There is no such thing, or it is not for sale.
    Unknown,
}

/// Something that is for sale, and where it is from.
struct Found {
    /// The words that are sold, by their numbers.
    arguments: Vec<i64>,
    price: u64,
    case_id: String,
    character_id: String,
    works: Vec<Work>,
}

/// One lineage's part in what is sold.
struct Work {
    lineage: i64,
    asset: &'static str,
    weight: u64,
    opened: bool,
}

/// Buys something, all of it or nothing.
pub fn buy(db: &Db, order: &Order) -> Result<Bought, StoreError> {
    let (ware, target) = (order.wanted.ware(), order.wanted.target());
    let before = before(db, order)?;
    let found = if before == Before::Nothing { found(db, &order.wanted)? } else { None };
    let offer = found.as_ref().map(|found| offer(db, order, found)).transpose()?;
    let buyers = purse(db, order.buyer)?;
    let sale = sell(db.terms(), ware, before, offer.as_ref(), order.price_seen, buyers);
    let (paid, royalties, found) = match (sale, found) {
        (Sale::Sold { paid, royalties }, Some(found)) => (paid, royalties, found),
        (Sale::Owned, _) => return Ok(Bought::Owned),
        (Sale::GivenBack, _) => return Ok(Bought::GivenBack),
        (Sale::PriceChanged(price), _) => return Ok(Bought::PriceChanged(price)),
        (Sale::Short(short), _) => return Ok(Bought::Short(short)),
        (Sale::Unknown | Sale::Sold { .. }, _) => return Ok(Bought::Unknown),
    };
    let author_share = royalties.iter().map(|royalty| royalty.amount).sum();
    let unlock = Unlock {
        player: order.buyer,
        ware,
        target,
        paid: paid.amount,
        author_share,
        transfer: charge(db, order, ware, paid, buyers)?,
        case_id: &found.case_id,
        character_id: &found.character_id,
        game: None,
        at: order.at,
    };
    let unlock = unlock.insert(db)?;
    let claim = if ware == Ware::Pack { Claim::Packed } else { Claim::Bought };
    for argument in &found.arguments {
        arguments::own(db, order.buyer, *argument, claim)?;
    }
    let due_at = order.at.0 + return_ms(db.terms());
    for royalty in &royalties {
        db.prepare_cached(
            "insert into royalty_shares (unlock, lineage, recipient, amount, due_at, fate) values (?1, ?2, ?3, ?4, ?5, 'due')",
        )?
        .execute(params![unlock, royalty.lineage, royalty.to.0, royalty.amount as i64, due_at])?;
    }
    let authors: BTreeSet<Uuid> = royalties.iter().map(|royalty| royalty.to.0).collect();
    for author in authors {
        db.prepare_cached(
            "insert into royalty_days (buyer, author, day, purchases) values (?1, ?2, ?3, 1)
             on conflict (buyer, author, day) do update set purchases = purchases + 1",
        )?
        .execute(params![order.buyer.0, author, day(order.at)])?;
    }
    Ok(Bought::Now { unlock, paid, author_share })
}

/// How the buyer stands to what it wants.
fn before(db: &Db, order: &Order) -> Result<Before, StoreError> {
    let (ware, target) = (order.wanted.ware(), order.wanted.target());
    if owned::owns(db, order.buyer, ware, target)? {
        return Ok(Before::Owned);
    }
    let mut query = db.prepare_cached(
        "select 1 from corpus_unlocks u join returned r on r.unlock = u.id
         where u.player_id = ?1 and u.unlock_type = ?2 and u.unlock_target = ?3",
    )?;
    let is_given_back = query.exists(params![order.buyer.0, ware.word(), target])?;
    Ok(if is_given_back { Before::GivenBack } else { Before::Nothing })
}

/// Takes the price; there is no transfer if it is zero.
fn charge(db: &Db, order: &Order, ware: Ware, paid: Paid, buyers: Purse) -> Result<Option<TransferNo>, StoreError> {
    if paid.amount == 0 {
        return Ok(None);
    }
    let target = order.wanted.target();
    let payment = Payment {
        payer: order.buyer,
        payee: HOUSE,
        amount: paid.amount,
        bonus: 0,
        reason: ware.price_reason(),
        reference: target.to_owned(),
        key: format!("{}:{target}:{}", ware.price_reason().word(), order.buyer),
        at: order.at,
    };
    match pay_from(db, &payment, buyers)? {
        Moved::Now(transfer, really) if really == paid => Ok(Some(transfer)),
        Moved::Now(n, _) => Err(StoreError::Broken(format!("transfer {} is not what was decided", n.0))),
        Moved::Before(n) => Err(StoreError::Broken(format!("transfer {} paid for what is not owned", n.0))),
        Moved::Short(short) => Err(StoreError::Broken(short.to_string())),
    }
}

/// What is offered to this buyer, with what each author who would be paid has used of the limits.
fn offer(db: &Db, order: &Order, found: &Found) -> Result<Offer, StoreError> {
    let mut shares = Vec::with_capacity(found.works.len());
    for work in &found.works {
        let account = champion(db, &found.case_id, &found.character_id, work.asset, work.lineage)?;
        let champion = match account {
            Some(account) => Some(Champion {
                account,
                is_buyer: same_owner(db, account, order.buyer)?,
                purchases_today: purchases_on(db, order.buyer, account, day(order.at))?,
                paid_before: royalty_total(db, work.lineage, account)?,
            }),
            None => None,
        };
        shares.push(Share { lineage: work.lineage, weight: work.weight, opened: work.opened, champion });
    }
    Ok(Offer { price: found.price, shares })
}

/// What something costs, if it is for sale.
pub fn price(db: &Db, wanted: &Wanted) -> Result<Option<u64>, StoreError> {
    Ok(found(db, wanted)?.map(|found| found.price))
}

fn found(db: &Db, wanted: &Wanted) -> Result<Option<Found>, StoreError> {
    match wanted {
        Wanted::Attack { hash, case_id, character_id } => attack_offer(db, hash, case_id, character_id),
        Wanted::Defense { hash, character_id } => defense_offer(db, hash, character_id),
        Wanted::Pack { id } => pack_offer(db, id),
    }
}

fn attack_offer(db: &Db, hash: &str, case: &str, character: &str) -> Result<Option<Found>, StoreError> {
    let mut query = db.prepare_cached(
        "select s.effectiveness_e4, s.uses, a.lineage, a.opened, a.n from argument_stats s join arguments a on a.n = s.argument
         where s.arg_hash = ?1 and s.case_id = ?2 and s.target_character = ?3 and s.sold = 1",
    )?;
    let found = query.query_row(params![hash, case, character], |row| {
        Ok(Found {
            arguments: vec![row.get(4)?],
            price: text_price(db.terms(), row.get(0)?, row.get(1)?),
            case_id: case.to_owned(),
            character_id: character.to_owned(),
            works: vec![Work { lineage: row.get(2)?, asset: "attack", weight: 1, opened: row.get(3)? }],
        })
    });
    Ok(found.optional()?)
}

fn defense_offer(db: &Db, hash: &str, character: &str) -> Result<Option<Found>, StoreError> {
    let mut query = db.prepare_cached(
        "select c.effectiveness_e4, c.uses, c.lineage, a.opened, c.case_id, a.n
         from arguments a join case_defenses c on c.argument = a.n and c.character_id = ?2
         where a.hash = ?1 and c.sold = 1 order by c.n limit 1",
    )?;
    let found = query.query_row(params![hash, character], |row| {
        Ok(Found {
            arguments: vec![row.get(5)?],
            price: text_price(db.terms(), row.get(0)?, row.get(1)?),
            case_id: row.get(4)?,
            character_id: character.to_owned(),
            works: vec![Work { lineage: row.get(2)?, asset: "defense", weight: 1, opened: row.get(3)? }],
        })
    });
    Ok(found.optional()?)
}

/// Defenses that were rejected since, or removed with their game, are neither read nor paid for. Where words may not leave their game any
/// more, the pack is not for sale.
fn pack_offer(db: &Db, id: &str) -> Result<Option<Found>, StoreError> {
    let mut withdrawn = db.prepare_cached(
        "select 1 from pack_defenses p join arguments a on a.hash = p.defense_hash
         where p.pack_id = ?1 and a.readable = 1 and a.released = 0",
    )?;
    if withdrawn.exists(params![id])? {
        return Ok(None);
    }
    let mut query =
        db.prepare_cached("select price_ia, case_id, character_id from character_packs where pack_id = ?1")?;
    let found = query.query_row(params![id], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((price, case_id, character_id)) = found else { return Ok(None) };
    let mut query = db.prepare_cached(
        "select p.lineage, sum(p.effectiveness_e4), min(a.opened) from pack_defenses p
         join arguments a on a.hash = p.defense_hash and a.released = 1
         where p.pack_id = ?1 group by p.lineage order by min(p.position)",
    )?;
    let rows = query.query_map(params![id], |row| {
        Ok(Work { lineage: row.get(0)?, asset: "defense", weight: row.get::<_, i64>(1)? as u64, opened: row.get(2)? })
    })?;
    let works: Vec<Work> = rows.collect::<Result<_, _>>()?;
    if works.is_empty() {
        return Ok(None);
    }
    let mut query = db.prepare_cached(
        "select a.n from pack_defenses p join arguments a on a.hash = p.defense_hash where p.pack_id = ?1",
    )?;
    let arguments = query.query_map(params![id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(Some(Found { arguments, price: price as u64, case_id, character_id, works }))
}

/// Who is paid for an argument.
pub fn champion(
    db: &Db,
    case_id: &str,
    character_id: &str,
    asset: &str,
    lineage: i64,
) -> Result<Option<AccountId>, StoreError> {
    let mut query = db.prepare_cached(
        "select champion from thrones where case_id = ?1 and character_id = ?2 and asset_type = ?3 and lineage = ?4",
    )?;
    let taken: Option<Option<Uuid>> =
        query.query_row(params![case_id, character_id, asset, lineage], |row| row.get(0)).optional()?;
    // One query for the account (the author, if the title was never taken) and whether it still exists.
    let sql = match taken {
        Some(_) => "select id, deleted_at is null from accounts where id = ?1 and ?2 is not null",
        None => "select u.id, u.deleted_at is null from arguments a join accounts u on u.id = a.author where a.n = ?2",
    };
    let holder: Option<(Uuid, bool)> = db
        .prepare_cached(sql)?
        .query_row(params![taken.flatten(), lineage], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let author = holder.map(|(account, _)| AccountId(account)).filter(|_| taken.is_none());
    let is_there = |_: AccountId| holder.is_some_and(|(_, is_there)| is_there);
    Ok(sale::champion(taken.map(|taken| taken.map(AccountId)), author, is_there))
}

/// Whether two accounts are one person's, as far as their email addresses tell.
pub fn same_owner(db: &Db, one: AccountId, other: AccountId) -> Result<bool, StoreError> {
    if one == other {
        return Ok(true);
    }
    let mut query =
        db.prepare_cached("select a.email, b.email from accounts a join accounts b on b.id = ?2 where a.id = ?1")?;
    let emails: Option<(String, String)> =
        query.query_row(params![one.0, other.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(emails.is_some_and(|(one, other)| is_same(&one, &other)))
}

/// For how many purchases of a buyer an author was paid on a day.
fn purchases_on(db: &Db, buyer: AccountId, author: AccountId, day: i64) -> Result<u64, StoreError> {
    let mut query =
        db.prepare_cached("select purchases from royalty_days where buyer = ?1 and author = ?2 and day = ?3")?;
    let purchases: Option<i64> = query.query_row(params![buyer.0, author.0, day], |row| row.get(0)).optional()?;
    Ok(purchases.unwrap_or(0) as u64)
}

/// What an argument, with all its variants, has brought a champion so far, with what is due to it.
fn royalty_total(db: &Db, lineage: i64, champion: AccountId) -> Result<u64, StoreError> {
    let mut query = db.prepare_cached("select paid from royalty_totals where lineage = ?1 and champion = ?2")?;
    let paid: Option<i64> = query.query_row(params![lineage, champion.0], |row| row.get(0)).optional()?;
    let mut query = db.prepare_cached(
        "select coalesce(sum(amount), 0) from royalty_shares where recipient = ?2 and fate = 'due' and lineage = ?1",
    )?;
    let due: i64 = query.query_row(params![lineage, champion.0], |row| row.get(0))?;
    Ok((paid.unwrap_or(0) + due) as u64)
}

/// Something bought, as it is kept.
pub(crate) struct Unlock<'a> {
    pub(crate) player: AccountId,
    pub(crate) ware: Ware,
    pub(crate) target: &'a str,
    pub(crate) paid: u64,
    pub(crate) author_share: u64,
    pub(crate) transfer: Option<TransferNo>,
    pub(crate) case_id: &'a str,
    pub(crate) character_id: &'a str,
    pub(crate) game: Option<GameNo>,
    pub(crate) at: Timestamp,
}

impl Unlock<'_> {
    pub(crate) fn insert(&self, db: &Db) -> Result<i64, StoreError> {
        db.prepare_cached(
            "insert into corpus_unlocks (player_id, unlock_type, unlock_target, paid_ia, author_share, house_share, unlocked_at,
                 transfer, case_id, character_id, game, terms)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            self.player.0,
            self.ware.word(),
            self.target,
            self.paid as i64,
            self.author_share as i64,
            (self.paid - self.author_share) as i64,
            self.at.0,
            self.transfer.map(|transfer| transfer.0),
            self.case_id,
            self.character_id,
            self.game.map(|game| game.0),
            db.terms_hash(),
        ])?;
        Ok(db.last_insert_rowid())
    }
}

/// Charges a look into the archive during a trial, in the commit of the move. The writer has made sure that there is enough.
pub fn charge_consult(
    db: &Db,
    payer: AccountId,
    price: u64,
    reference: &str,
    (game, case_id): (GameNo, &str),
    at: Timestamp,
) -> Result<(), StoreError> {
    let payment = Payment {
        payer,
        payee: HOUSE,
        amount: price,
        bonus: 0,
        reason: Reason::Consult,
        reference: reference.to_owned(),
        key: format!("consult:{reference}"),
        at,
    };
    match pay(db, &payment)? {
        Moved::Now(transfer, paid) => {
            let unlock = Unlock {
                player: payer,
                ware: Ware::Consult,
                target: reference,
                paid: paid.amount,
                author_share: 0,
                transfer: Some(transfer),
                case_id,
                character_id: "",
                game: Some(game),
                at,
            };
            unlock.insert(db).map(drop)
        }
        Moved::Before(_) => Ok(()),
        Moved::Short(short) => Err(StoreError::Broken(short.to_string())),
    }
}
