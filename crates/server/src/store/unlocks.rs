//! What accounts buy: the words of attacks and defences, and packs of them. Debit, royalties, unlock and totals are one transaction;
//! what one owns is free.

use super::ledger::{HOUSE, Moved, Payment, Reason, TransferNo, day, pay};
use super::{GameNo, StoreError};
use commons::ledger::price::text_price;
use commons::ledger::purse::{Paid, Short};
use commons::ledger::royalty::{PAID_A_DAY_BY_ONE_BUYER_MAX, divided, pack_share, text_share, within_cap};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeSet;
use uuid::Uuid;

/// What can be bought, and what is counted as having been. Stored by its word, so that is for life.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ware {
    /// The words of an attack.
    Attack,
    /// The words of a defence.
    Defense,
    /// A pack of defences.
    Pack,
    /// A look into the archive during a trial.
    Consult,
}

impl Ware {
    /// All of them.
    pub const ALL: [Ware; 4] = [Ware::Attack, Ware::Defense, Ware::Pack, Ware::Consult];

    /// As it is stored, and as clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Ware::Attack => "attack",
            Ware::Defense => "defense",
            Ware::Pack => "pack",
            Ware::Consult => "dossier_consult",
        }
    }

    /// The ware of that name.
    pub fn named(word: &str) -> Option<Ware> {
        Ware::ALL.into_iter().find(|ware| ware.word() == word)
    }

    /// Why it is paid.
    pub fn price_reason(self) -> Reason {
        match self {
            Ware::Attack => Reason::UnlockAttack,
            Ware::Defense => Reason::UnlockDefense,
            Ware::Pack => Reason::UnlockPack,
            Ware::Consult => Reason::Consult,
        }
    }

    /// Why its authors are paid; a look into the archive is a service of the house.
    pub fn royalty_reason(self) -> Option<Reason> {
        match self {
            Ware::Attack => Some(Reason::RoyaltyAttack),
            Ware::Defense => Some(Reason::RoyaltyDefense),
            Ware::Pack => Some(Reason::RoyaltyPack),
            Ware::Consult => None,
        }
    }
}

/// What somebody wants to buy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The words of an attack, as it stands in the archive of a case.
    Attack {
        /// Its hash.
        hash: String,
        /// The case.
        case_id: String,
        /// Against whom.
        character_id: String,
    },
    /// The words of a defence.
    Defense {
        /// Its hash.
        hash: String,
        /// By whom it was given.
        character_id: String,
    },
    /// A pack.
    Pack {
        /// Its id.
        id: String,
    },
}

impl Wanted {
    /// What kind of thing.
    pub fn ware(&self) -> Ware {
        match self {
            Wanted::Attack { .. } => Ware::Attack,
            Wanted::Defense { .. } => Ware::Defense,
            Wanted::Pack { .. } => Ware::Pack,
        }
    }

    /// Its name.
    pub fn target(&self) -> &str {
        match self {
            Wanted::Attack { hash, .. } | Wanted::Defense { hash, .. } => hash,
            Wanted::Pack { id } => id,
        }
    }
}

/// Somebody buys something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Who.
    pub buyer: AccountId,
    /// What.
    pub wanted: Wanted,
    /// The price it saw; nothing if any will do.
    pub price_seen: Option<u64>,
    /// When.
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
        /// What its authors were paid.
        author_share: u64,
    },
    /// It was the buyer's before, or always: nothing changed.
    Owned,
    /// The buyer has too little.
    Short(Short),
    /// It costs something else by now.
    PriceChanged(u64),
    /// There is no such thing, or it is not for sale.
    Unknown,
}

/// Something that is for sale.
struct Offer {
    price: u64,
    case_id: String,
    character_id: String,
    shares: Vec<Share>,
}

/// Whose work it is, by lineage, and its weight in a pack.
struct Share {
    lineage: i64,
    asset: &'static str,
    weight: u64,
    /// Everybody can read it in an open trial: then nobody is paid for it.
    opened: bool,
    stat: Option<i64>,
}

/// One author's part of a price.
struct Royalty {
    to: AccountId,
    lineage: i64,
    amount: u64,
    stat: Option<i64>,
}

/// Buys something, all of it or nothing.
pub fn buy(db: &Connection, order: &Order) -> Result<Bought, StoreError> {
    let (ware, target) = (order.wanted.ware(), order.wanted.target());
    if owns(db, order.buyer, ware, target)? {
        return Ok(Bought::Owned);
    }
    let Some(offer) = offer(db, &order.wanted)? else { return Ok(Bought::Unknown) };
    if order.price_seen.is_some_and(|seen| seen != offer.price) {
        return Ok(Bought::PriceChanged(offer.price));
    }
    let (transfer, paid) = match charge(db, order, ware, &offer)? {
        Ok(charged) => charged,
        Err(short) => return Ok(Bought::Short(short)),
    };
    let royalties = royalties(db, order, ware, &offer, paid.plain())?;
    let author_share = royalties.iter().map(|royalty| royalty.amount).sum();
    let unlock = Unlock {
        player: order.buyer,
        ware,
        target,
        paid: paid.amount,
        author_share,
        transfer,
        case_id: &offer.case_id,
        character_id: &offer.character_id,
        game: None,
        at: order.at,
    };
    let unlock = unlock.insert(db)?;
    for royalty in &royalties {
        royalty.pay(db, ware, unlock, order.at)?;
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

type Charged = Result<(Option<TransferNo>, Paid), Short>;

fn charge(db: &Connection, order: &Order, ware: Ware, offer: &Offer) -> Result<Charged, StoreError> {
    if offer.price == 0 {
        return Ok(Ok((None, Paid { amount: 0, bonus: 0 })));
    }
    let target = order.wanted.target();
    let payment = Payment {
        payer: order.buyer,
        payee: HOUSE,
        amount: offer.price,
        bonus: 0,
        reason: ware.price_reason(),
        reference: target.to_owned(),
        key: format!("{}:{target}:{}", ware.price_reason().word(), order.buyer),
        at: order.at,
    };
    match pay(db, &payment)? {
        Moved::Now(transfer, paid) => Ok(Ok((Some(transfer), paid))),
        Moved::Short(short) => Ok(Err(short)),
        Moved::Before(n) => Err(StoreError::Broken(format!("transfer {} paid for what is not owned", n.0))),
    }
}

/// What something costs, if it is for sale.
pub fn price(db: &Connection, wanted: &Wanted) -> Result<Option<u64>, StoreError> {
    Ok(offer(db, wanted)?.map(|offer| offer.price))
}

fn offer(db: &Connection, wanted: &Wanted) -> Result<Option<Offer>, StoreError> {
    match wanted {
        Wanted::Attack { hash, case_id, character_id } => attack_offer(db, hash, case_id, character_id),
        Wanted::Defense { hash, character_id } => defense_offer(db, hash, character_id),
        Wanted::Pack { id } => pack_offer(db, id),
    }
}

/// What was only reported from outside, and what its author has taken back unused, is not for sale.
fn attack_offer(db: &Connection, hash: &str, case: &str, character: &str) -> Result<Option<Offer>, StoreError> {
    let mut query = db.prepare_cached(
        "select s.effectiveness_e4, a.lineage, a.opened, s.n from argument_stats s join arguments a on a.n = s.argument
         where s.arg_hash = ?1 and s.case_id = ?2 and s.target_character = ?3
             and a.side = 'attack' and a.status in ('clear', 'approved') and a.text != '' and (s.uses > 0 or s.listed = 1)",
    )?;
    let found = query.query_row(params![hash, case, character], |row| {
        let share =
            Share { lineage: row.get(1)?, asset: "attack", weight: 1, opened: row.get(2)?, stat: Some(row.get(3)?) };
        Ok(Offer {
            price: text_price(row.get(0)?),
            case_id: case.to_owned(),
            character_id: character.to_owned(),
            shares: vec![share],
        })
    });
    Ok(found.optional()?)
}

/// What was only reported by somebody whom nobody trusts is not for sale.
fn defense_offer(db: &Connection, hash: &str, character: &str) -> Result<Option<Offer>, StoreError> {
    let mut query = db.prepare_cached(
        "select coalesce(s.effectiveness_e4, 5000), a.lineage, a.opened, d.case_id
         from arguments a join defense_corpus d on d.defense_hash = a.hash and d.character_id = ?2
         left join defense_stats s on s.lineage = a.lineage and s.character_id = ?2
         where a.hash = ?1 and a.side = 'defence' and a.status in ('clear', 'approved') and a.text != ''
             and (d.external = 0 or d.counted = 1)
         order by d.id limit 1",
    )?;
    let found = query.query_row(params![hash, character], |row| {
        let share = Share { lineage: row.get(1)?, asset: "defense", weight: 1, opened: row.get(2)?, stat: None };
        Ok(Offer {
            price: text_price(row.get(0)?),
            case_id: row.get(3)?,
            character_id: character.to_owned(),
            shares: vec![share],
        })
    });
    Ok(found.optional()?)
}

/// What a moderator has rejected since, or went with its game, is neither read nor paid for.
fn pack_offer(db: &Connection, id: &str) -> Result<Option<Offer>, StoreError> {
    let mut query =
        db.prepare_cached("select price_ia, case_id, character_id from character_packs where pack_id = ?1")?;
    let found = query.query_row(params![id], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((price, case_id, character_id)) = found else { return Ok(None) };
    let mut query = db.prepare_cached(
        "select p.lineage, sum(p.effectiveness_e4), min(a.opened) from pack_defenses p
         join arguments a on a.hash = p.defense_hash and a.status in ('clear', 'approved') and a.text != ''
         where p.pack_id = ?1 group by p.lineage order by min(p.position)",
    )?;
    let rows = query.query_map(params![id], |row| {
        Ok(Share {
            lineage: row.get(0)?,
            asset: "defense",
            weight: row.get::<_, i64>(1)? as u64,
            opened: row.get(2)?,
            stat: None,
        })
    })?;
    let shares: Vec<Share> = rows.collect::<Result<_, _>>()?;
    if shares.is_empty() {
        return Ok(None);
    }
    Ok(Some(Offer { price: price as u64, case_id, character_id, shares }))
}

/// Who is paid how much of the plain part of a price.
fn royalties(
    db: &Connection,
    order: &Order,
    ware: Ware,
    offer: &Offer,
    plain: u64,
) -> Result<Vec<Royalty>, StoreError> {
    let pool = match ware {
        Ware::Attack | Ware::Defense => text_share(plain),
        Ware::Pack => pack_share(plain),
        Ware::Consult => 0,
    };
    let weights: Vec<u64> = offer.shares.iter().map(|share| share.weight).collect();
    let mut royalties = Vec::new();
    for (share, part) in offer.shares.iter().zip(divided(pool, &weights)) {
        let champion = champion(db, &offer.case_id, &offer.character_id, share.asset, share.lineage)?;
        let Some(to) = champion.filter(|_| !share.opened && part > 0) else { continue };
        if same_owner(db, to, order.buyer)? || paid_enough(db, order.buyer, to, order.at)? {
            continue;
        }
        let amount = within_cap(part, royalty_total(db, share.lineage, to)?);
        if amount > 0 {
            royalties.push(Royalty { to, lineage: share.lineage, amount, stat: share.stat });
        }
    }
    Ok(royalties)
}

/// Who is paid for an argument: whoever holds its title, and as long as nobody has taken it, whoever said it first. Nobody if that is
/// the house, a guest, or somebody who is gone.
pub fn champion(
    db: &Connection,
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
    let holder = match taken {
        Some(champion) => champion,
        None => db
            .prepare_cached("select author from arguments where n = ?1")?
            .query_row(params![lineage], |row| row.get(0))
            .optional()?
            .flatten(),
    };
    let Some(holder) = holder else { return Ok(None) };
    let mut query = db.prepare_cached("select 1 from accounts where id = ?1 and deleted_at is null")?;
    Ok(query.exists(params![holder])?.then_some(AccountId(holder)))
}

/// Whether two accounts are one person's, as far as their addresses tell. Addresses are not proved, so this stops carelessness, not zeal.
pub fn same_owner(db: &Connection, one: AccountId, other: AccountId) -> Result<bool, StoreError> {
    if one == other {
        return Ok(true);
    }
    let mut query = db.prepare_cached("select email from accounts where id = ?1")?;
    let mut owner = |account: AccountId| -> Result<Option<String>, StoreError> {
        let email: Option<String> = query.query_row(params![account.0], |row| row.get(0)).optional()?;
        Ok(email.map(|email| letter_box(&email)))
    };
    let one = owner(one)?;
    Ok(one.is_some() && one == owner(other)?)
}

/// One name for all spellings of an address: case, quotes, what follows a plus sign and a dot at the end do not count, nor do dots where
/// the host ignores them.
fn letter_box(email: &str) -> String {
    const DOTLESS: [&str; 2] = ["gmail.com", "googlemail.com"];
    let email = email.to_lowercase().replace('"', "");
    let Some((name, host)) = email.rsplit_once('@') else { return email };
    let (name, host) = (name.split('+').next().unwrap_or(name), host.trim_end_matches('.'));
    if DOTLESS.contains(&host) {
        return format!("{}@{}", name.replace('.', ""), DOTLESS[0]);
    }
    format!("{name}@{host}")
}

fn paid_enough(db: &Connection, buyer: AccountId, author: AccountId, at: Timestamp) -> Result<bool, StoreError> {
    let mut query =
        db.prepare_cached("select purchases from royalty_days where buyer = ?1 and author = ?2 and day = ?3")?;
    let purchases: Option<i64> = query.query_row(params![buyer.0, author.0, day(at)], |row| row.get(0)).optional()?;
    Ok(purchases.unwrap_or(0) as u64 >= PAID_A_DAY_BY_ONE_BUYER_MAX)
}

/// What an argument, with all its variants, has brought somebody so far.
pub fn royalty_total(db: &Connection, lineage: i64, champion: AccountId) -> Result<u64, StoreError> {
    let mut query = db.prepare_cached("select paid from royalty_totals where lineage = ?1 and champion = ?2")?;
    let paid: Option<i64> = query.query_row(params![lineage, champion.0], |row| row.get(0)).optional()?;
    Ok(paid.unwrap_or(0) as u64)
}

impl Royalty {
    fn pay(&self, db: &Connection, ware: Ware, unlock: i64, at: Timestamp) -> Result<(), StoreError> {
        let Some(reason) = ware.royalty_reason() else { return Ok(()) };
        let payment = Payment {
            payer: HOUSE,
            payee: self.to,
            amount: self.amount,
            bonus: 0,
            reason,
            reference: unlock.to_string(),
            key: format!("royalty:{unlock}:{}", self.lineage),
            at,
        };
        let Moved::Now(transfer, _) = pay(db, &payment)? else {
            return Err(StoreError::Broken(format!("the royalty of unlock {unlock} was paid before")));
        };
        db.prepare_cached(
            "insert into royalty_payouts (recipient_id, source_unlock_id, source_type, amount_ia, paid_at, lineage, transfer)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![self.to.0, unlock, ware.word(), self.amount as i64, at.0, self.lineage, transfer.0])?;
        db.prepare_cached(
            "insert into royalty_totals (lineage, champion, paid) values (?1, ?2, ?3)
             on conflict (lineage, champion) do update set paid = paid + ?3",
        )?
        .execute(params![self.lineage, self.to.0, self.amount as i64])?;
        if let Some(stat) = self.stat {
            db.prepare_cached("update argument_stats set royalty_paid_total = royalty_paid_total + ?2 where n = ?1")?
                .execute(params![stat, self.amount as i64])?;
        }
        Ok(())
    }
}

/// Something bought, as it is kept.
pub(super) struct Unlock<'a> {
    pub(super) player: AccountId,
    pub(super) ware: Ware,
    pub(super) target: &'a str,
    pub(super) paid: u64,
    pub(super) author_share: u64,
    pub(super) transfer: Option<TransferNo>,
    pub(super) case_id: &'a str,
    pub(super) character_id: &'a str,
    pub(super) game: Option<GameNo>,
    pub(super) at: Timestamp,
}

impl Unlock<'_> {
    pub(super) fn insert(&self, db: &Connection) -> Result<i64, StoreError> {
        db.prepare_cached(
            "insert into corpus_unlocks (player_id, unlock_type, unlock_target, paid_ia, author_share, house_share, unlocked_at,
                 transfer, case_id, character_id, game)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
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
        ])?;
        Ok(db.last_insert_rowid())
    }
}

/// Whether something is somebody's: bought, written, said in a game of its own, or in a pack that was bought.
pub fn owns(db: &Connection, account: AccountId, ware: Ware, target: &str) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached(
        "select 1 from corpus_unlocks where player_id = ?1 and unlock_type = ?2 and unlock_target = ?3",
    )?;
    if query.exists(params![account.0, ware.word(), target])? {
        return Ok(true);
    }
    match ware {
        Ware::Attack => Ok(is_author(db, account, target)? || has_said(db, account, target)?),
        Ware::Defense => {
            Ok(is_author(db, account, target)? || has_said(db, account, target)? || in_a_pack_of(db, account, target)?)
        }
        Ware::Pack | Ware::Consult => Ok(false),
    }
}

/// The words, for whoever owns them; what a moderator has rejected is read by its author alone.
pub fn words(db: &Connection, account: AccountId, ware: Ware, hash: &str) -> Result<Option<String>, StoreError> {
    if !owns(db, account, ware, hash)? {
        return Ok(None);
    }
    let mut query = db.prepare_cached(
        "select text from arguments where hash = ?1 and text != '' and (status in ('clear', 'approved') or author = ?2)",
    )?;
    Ok(query.query_row(params![hash, account.0], |row| row.get(0)).optional()?)
}

fn is_author(db: &Connection, account: AccountId, hash: &str) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select 1 from arguments where hash = ?1 and author = ?2")?;
    Ok(query.exists(params![hash, account.0])?)
}

/// Whoever has said words has them, also those of a draft that are the house's: nobody pays to read what stands in its own transcript.
fn has_said(db: &Connection, account: AccountId, hash: &str) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached(
        "select 1 from arguments a join spoken k on k.argument = a.n and k.account = ?2 where a.hash = ?1",
    )?;
    Ok(query.exists(params![hash, account.0])?)
}

fn in_a_pack_of(db: &Connection, account: AccountId, hash: &str) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached(
        "select 1 from pack_defenses p join corpus_unlocks u on u.unlock_type = 'pack' and u.unlock_target = p.pack_id
         where p.defense_hash = ?1 and u.player_id = ?2",
    )?;
    Ok(query.exists(params![hash, account.0])?)
}

/// Charges a look into the archive during a trial, in the commit of the move. The writer has made sure that there is enough.
pub fn charge_consult(
    db: &Connection,
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

#[cfg(test)]
mod tests {
    use super::letter_box;

    #[test]
    fn all_spellings_of_an_address_are_one_letter_box() {
        for spelling in ["mal@evil.org", "MAL+x@EVIL.org", "mal@evil.org.", "\"mal\"@evil.org"] {
            assert_eq!(letter_box(spelling), "mal@evil.org");
        }
        assert_eq!(letter_box("m.a.l@googlemail.com"), letter_box("mal+1@gmail.com"));
        assert_ne!(letter_box("m.al@evil.org"), letter_box("mal@evil.org"));
    }
}
