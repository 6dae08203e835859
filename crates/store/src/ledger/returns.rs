//! Purchases that are given back, and the royalties of those that no longer can be.

use crate::corpus::{arguments, authors};
use crate::ledger::{HOUSE, Moved, Payment, TransferNo, day, is_gone, pay};
use crate::{Db, StoreError};
use commons::ledger::sale::{NotReturned, Purchase, give_back};
use commons::ledger::ware::{Reason, Ware};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

/// What comes of giving a purchase back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// The buyer has this much IA back.
    Now(u64),
    /// It was given back, or taken back by the operator, before.
    Before,
    /// The account has not bought this.
    Unknown,
    Not(NotReturned),
}

/// A purchase as it was made.
struct Bought {
    id: i64,
    ware: Ware,
    target: String,
    paid: u64,
    transfer: Option<i64>,
    at: Timestamp,
    is_returned: bool,
}

impl Bought {
    fn find(db: &Db, account: AccountId, id: i64) -> Result<Option<Bought>, StoreError> {
        let mut query = db.prepare_cached(
            "select u.unlock_type, u.unlock_target, u.paid_ia, u.transfer, u.unlocked_at,
                 exists (select 1 from returned r where r.unlock = u.id)
             from corpus_unlocks u where u.id = ?1 and u.player_id = ?2 and u.unlock_type in ('attack', 'defense', 'pack')",
        )?;
        let read = |row: &SqlRow<'_>| {
            Ok(Bought {
                id,
                ware: Ware::named(row.get_ref(0)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
                target: row.get(1)?,
                paid: row.get::<_, i64>(2)? as u64,
                transfer: row.get(3)?,
                at: Timestamp(row.get(4)?),
                is_returned: row.get(5)?,
            })
        };
        Ok(query.query_row(params![id, account.0], read).optional()?)
    }

    /// Whether the buyer has said the words since, or others that are made of them.
    fn is_used(&self, db: &Db, account: AccountId) -> Result<bool, StoreError> {
        let words = match self.ware {
            Ware::Pack => {
                "select a.n from pack_defenses p join arguments a on a.hash = p.defense_hash where p.pack_id = ?2"
            }
            Ware::Attack | Ware::Defense | Ware::Consult => "select n from arguments where hash = ?2",
        };
        let sql = format!(
            "with words as ({words}) select 1 from spoken k join events e on e.game = k.game and e.seq = k.seq
             join arguments a on a.n = k.argument
             where k.account = ?1 and e.at >= ?3
                 and (a.n in words or a.origin in words or a.lineage in (select lineage from arguments where n in words))"
        );
        Ok(db.prepare_cached(&sql)?.exists(params![account.0, self.target, self.at.0])?)
    }

    /// Whether the operator has taken the payment back already.
    fn is_reversed(&self, db: &Db) -> Result<bool, StoreError> {
        let Some(transfer) = self.transfer else { return Ok(false) };
        let mut query = db.prepare_cached("select 1 from transfers where key = ?1")?;
        Ok(query.exists(params![format!("reversal:{transfer}")])?)
    }
}

/// Gives a purchase back, all of it or nothing: the price returns as it was paid, the words are no longer owned, and no author is paid.
pub fn give(db: &Db, account: AccountId, unlock: i64, at: Timestamp) -> Result<Returned, StoreError> {
    let Some(bought) = Bought::find(db, account, unlock)? else { return Ok(Returned::Unknown) };
    if bought.is_returned || bought.is_reversed(db)? {
        return Ok(Returned::Before);
    }
    let mut query = db.prepare_cached("select count(*) from returned where account = ?1 and at >= ?2")?;
    let today: i64 =
        query.query_row(params![account.0, day(at) * commons::ledger::meeting::DAY_MS], |row| row.get(0))?;
    let purchase =
        Purchase { age_ms: at.0 - bought.at.0, is_used: bought.is_used(db, account)?, returned_today: today as u64 };
    if let Err(why) = give_back(db.terms(), purchase) {
        return Ok(Returned::Not(why));
    }
    let transfer = refund(db, account, &bought, at)?;
    db.prepare_cached("insert into returned (unlock, account, transfer, at) values (?1, ?2, ?3, ?4)")?
        .execute(params![bought.id, account.0, transfer.map(|transfer| transfer.0), at.0])?;
    db.prepare_cached("update royalty_shares set fate = 'returned' where unlock = ?1 and fate = 'due'")?
        .execute(params![bought.id])?;
    arguments::disown_returned(db, account)?;
    Ok(Returned::Now(bought.paid))
}

/// Pays the price back, the part that was a bonus as a bonus.
fn refund(db: &Db, account: AccountId, bought: &Bought, at: Timestamp) -> Result<Option<TransferNo>, StoreError> {
    let Some(transfer) = bought.transfer else { return Ok(None) };
    let mut query = db.prepare_cached("select bonus from transfers where n = ?1")?;
    let bonus: i64 = query.query_row(params![transfer], |row| row.get(0))?;
    let payment = Payment {
        payer: HOUSE,
        payee: account,
        amount: bought.paid,
        bonus: bonus as u64,
        reason: Reason::Returned,
        reference: bought.id.to_string(),
        key: format!("returned:{}", bought.id),
        at,
    };
    match pay(db, &payment)? {
        Moved::Now(n, _) => Ok(Some(n)),
        Moved::Before(n) => {
            Err(StoreError::Broken(format!("transfer {} paid for a purchase that was not returned", n.0)))
        }
        Moved::Short(short) => Err(StoreError::Broken(short.to_string())),
    }
}

/// An author's share of a purchase.
struct Share {
    unlock: i64,
    lineage: i64,
    recipient: AccountId,
    amount: u64,
    ware: Ware,
    target: String,
    case_id: String,
    character_id: String,
    terms: Option<String>,
}

/// Most shares that are paid in one transaction.
const PAID_AT_ONCE: i64 = 500;

/// Whether any royalty has fallen due.
pub fn is_due(db: &Db, at: Timestamp) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select 1 from royalty_shares where fate = 'due' and due_at <= ?1 limit 1")?;
    Ok(query.exists(params![at.0])?)
}

/// Pays the royalties that have fallen due: purchases that can no longer be given back. Says how many that were.
pub fn pay_due(db: &Db, at: Timestamp) -> Result<usize, StoreError> {
    let mut query = db.prepare_cached(
        "select s.unlock, s.lineage, s.recipient, s.amount, u.unlock_type, u.unlock_target, u.case_id, u.character_id, u.terms
         from royalty_shares s join corpus_unlocks u on u.id = s.unlock
         where s.fate = 'due' and s.due_at <= ?1 order by s.due_at, s.unlock, s.lineage limit ?2",
    )?;
    let rows = query.query_map(params![at.0, PAID_AT_ONCE], |row| {
        Ok(Share {
            unlock: row.get(0)?,
            lineage: row.get(1)?,
            recipient: AccountId(row.get::<_, Uuid>(2)?),
            amount: row.get::<_, i64>(3)? as u64,
            ware: Ware::named(row.get_ref(4)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            target: row.get(5)?,
            case_id: row.get(6)?,
            character_id: row.get(7)?,
            terms: row.get(8)?,
        })
    })?;
    let due: Vec<Share> = rows.collect::<Result<_, _>>()?;
    for share in &due {
        pay_share(db, share, at)?;
    }
    Ok(due.len())
}

fn pay_share(db: &Db, share: &Share, at: Timestamp) -> Result<(), StoreError> {
    // What would go to an account that is gone by now stays with the house.
    let gone = is_gone(db, share.recipient)?;
    let fate = if gone { "lapsed" } else { "paid" };
    db.prepare_cached("update royalty_shares set fate = ?3 where unlock = ?1 and lineage = ?2")?.execute(params![
        share.unlock,
        share.lineage,
        fate
    ])?;
    let Some(reason) = share.ware.royalty_reason().filter(|_| !gone) else { return Ok(()) };
    let Share { unlock, lineage, recipient, amount, .. } = *share;
    let payment = Payment {
        payer: HOUSE,
        payee: recipient,
        amount,
        bonus: 0,
        reason,
        reference: unlock.to_string(),
        key: format!("royalty:{unlock}:{lineage}"),
        at,
    };
    let Moved::Now(transfer, _) = pay(db, &payment)? else {
        return Err(StoreError::Broken(format!("the royalty of unlock {unlock} was paid before")));
    };
    db.prepare_cached(
        "insert into royalty_payouts (recipient_id, source_unlock_id, source_type, amount_ia, paid_at, lineage, transfer, terms)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![recipient.0, unlock, share.ware.word(), amount as i64, at.0, lineage, transfer.0, share.terms])?;
    db.prepare_cached(
        "insert into royalty_totals (lineage, champion, paid) values (?1, ?2, ?3)
         on conflict (lineage, champion) do update set paid = paid + ?3",
    )?
    .execute(params![lineage, recipient.0, amount as i64])?;
    if share.ware == Ware::Attack {
        db.prepare_cached(
            "update argument_stats set royalty_paid_total = royalty_paid_total + ?4
             where arg_hash = ?1 and case_id = ?2 and target_character = ?3",
        )?
        .execute(params![share.target, share.case_id, share.character_id, amount as i64])?;
    }
    authors::paid(db, recipient, amount)
}
