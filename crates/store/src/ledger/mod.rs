//! The ledger: who paid whom, how much, and why. Every transfer has both its ends in one row, is written once for its key, and is
//! refused if the payer has too little.

pub mod challenges;
pub mod meetings;
pub mod owned;
pub mod packs;
pub mod returns;
pub(crate) mod terms;
pub mod thrones;
pub mod unlocks;

use crate::ledger::thrones::Alias;
use crate::{Db, StoreError};
use commons::ledger::meeting::DAY_MS;
use commons::ledger::owner::mailbox;
use commons::ledger::play::{Before, Settled};
use commons::ledger::purse::{Paid, Purse, Short};
use commons::ledger::ware::Reason;
use engine::chain::Hash;
use engine::id::{AccountId, GameId};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

/// The account that mints and keeps what nobody else is paid.
pub const HOUSE: AccountId = AccountId(Uuid::nil());

const HOUR_MS: i64 = 60 * 60 * 1000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TransferNo(pub i64);

pub struct Payment {
    pub payer: AccountId,
    pub payee: AccountId,
    /// In IA; more than zero.
    pub amount: u64,
    /// How much of it arrives as a bonus if the house pays, or had come as a bonus if it is taken back. Whatever else a player pays
    /// comes out of the bonus first.
    pub bonus: u64,
    pub reason: Reason,
    /// What it is about.
    pub reference: String,
    /// The same key is never paid twice.
    pub key: String,
    pub at: Timestamp,
}

/// What comes of a payment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved {
    Now(TransferNo, Paid),
    /// It had been made before.
    Before(TransferNo),
    /// The payer has too little.
    Short(Short),
}

/// What an account has; an account nobody has paid has nothing.
pub fn purse(db: &Db, account: AccountId) -> Result<Purse, StoreError> {
    let mut query = db.prepare_cached("select balance, bonus from balances where account = ?1")?;
    let found = query.query_row(params![account.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (balance, bonus): (i64, i64) = found.unwrap_or_default();
    Purse::of(balance, bonus).ok_or_else(|| StoreError::Broken(format!("the balance of {account} cannot be")))
}

/// What the house has minted, less what came back.
pub fn house_balance(db: &Db) -> Result<i64, StoreError> {
    Ok(db.query_row("select balance from balances where account = ?1", params![HOUSE.0], |row| row.get(0))?)
}

/// What all accounts have between them.
pub fn circulation(db: &Db) -> Result<i64, StoreError> {
    let sql = "select coalesce(sum(balance), 0) from balances where account != ?1";
    Ok(db.query_row(sql, params![HOUSE.0], |row| row.get(0))?)
}

/// Makes a payment, unless it was made before or the payer has too little.
pub fn pay(db: &Db, payment: &Payment) -> Result<Moved, StoreError> {
    let purse = if payment.payer == HOUSE { Purse::default() } else { purse(db, payment.payer)? };
    pay_from(db, payment, purse)
}

/// The same from a purse that was read already; it is ignored if the house pays.
pub(crate) fn pay_from(db: &Db, payment: &Payment, mut payers: Purse) -> Result<Moved, StoreError> {
    let mut query = db.prepare_cached("select n from transfers where key = ?1")?;
    if let Some(n) = query.query_row(params![payment.key], |row| row.get(0)).optional()? {
        return Ok(Moved::Before(TransferNo(n)));
    }
    let paid = if payment.payer == HOUSE {
        Paid { amount: payment.amount, bonus: payment.bonus.min(payment.amount) }
    } else {
        let paid = match payment.reason {
            Reason::Reversal => payers.give_back(Paid { amount: payment.amount, bonus: payment.bonus }),
            _ => payers.pay(payment.amount),
        };
        match paid {
            Ok(paid) => {
                keep(db, payment.payer, payers)?;
                paid
            }
            Err(short) => return Ok(Moved::Short(short)),
        }
    };
    if payment.payee != HOUSE {
        let mut purse = purse(db, payment.payee)?;
        purse.receive(payment.amount, if payment.payer == HOUSE { paid.bonus } else { 0 });
        keep(db, payment.payee, purse)?;
    }
    let minted = match (payment.payer == HOUSE, payment.payee == HOUSE) {
        (true, false) => -(payment.amount as i64),
        (false, true) => payment.amount as i64,
        (true, true) | (false, false) => 0,
    };
    db.prepare_cached("update balances set balance = balance + ?2 where account = ?1")?
        .execute(params![HOUSE.0, minted])?;
    write(db, payment, paid).map(|n| Moved::Now(n, paid))
}

fn keep(db: &Db, account: AccountId, purse: Purse) -> Result<(), StoreError> {
    db.prepare_cached(
        "insert into balances (account, balance, bonus) values (?1, ?2, ?3)
         on conflict (account) do update set balance = ?2, bonus = ?3",
    )?
    .execute(params![account.0, purse.balance() as i64, purse.bonus() as i64])?;
    Ok(())
}

fn write(db: &Db, payment: &Payment, paid: Paid) -> Result<TransferNo, StoreError> {
    let mut query = db.prepare_cached("select n, hash from transfers order by n desc limit 1")?;
    let last: Option<(i64, [u8; 32])> = query.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (last, previous) = last.map_or((0, Hash::default()), |(n, hash)| (n, Hash(hash)));
    let row = Transfer {
        n: TransferNo(last + 1),
        payer: payment.payer,
        payee: payment.payee,
        amount: paid.amount,
        bonus: paid.bonus,
        reason: payment.reason,
        reference: payment.reference.clone(),
        key: payment.key.clone(),
        at: payment.at,
    };
    db.prepare_cached(
        "insert into transfers (n, payer, payee, amount, bonus, reason, reference, key, at, hash)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        row.n.0,
        row.payer.0,
        row.payee.0,
        row.amount as i64,
        row.bonus as i64,
        row.reason.word(),
        row.reference,
        row.key,
        row.at.0,
        row.link(previous).0
    ])?;
    Ok(row.n)
}

/// A transfer as it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    pub n: TransferNo,
    pub payer: AccountId,
    pub payee: AccountId,
    pub amount: u64,
    /// The part of it that is a bonus.
    pub bonus: u64,
    pub reason: Reason,
    /// What it is about.
    pub reference: String,
    pub key: String,
    pub at: Timestamp,
}

/// The columns that [`Transfer::read`] reads.
pub(crate) const TRANSFER: &str = "n, payer, payee, amount, bonus, reason, reference, key, at";

impl Transfer {
    pub(crate) fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Transfer {
            n: TransferNo(row.get(0)?),
            payer: AccountId(row.get(1)?),
            payee: AccountId(row.get(2)?),
            amount: row.get::<_, i64>(3)? as u64,
            bonus: row.get::<_, i64>(4)? as u64,
            reason: Reason::named(row.get_ref(5)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            reference: row.get(6)?,
            key: row.get(7)?,
            at: Timestamp(row.get(8)?),
        })
    }

    /// The hash over the row before and this one.
    pub(crate) fn link(&self, previous: Hash) -> Hash {
        let mut bytes = previous.0.to_vec();
        for number in [self.n.0, self.amount as i64, self.bonus as i64, self.at.0] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for account in [self.payer, self.payee] {
            bytes.extend_from_slice(account.0.as_bytes());
        }
        for text in [self.reason.word(), &self.reference, &self.key] {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        Hash::of(&bytes)
    }
}

/// What an account paid and was paid, newest first, before this number.
pub fn transfers_of(
    db: &Db,
    account: AccountId,
    before: TransferNo,
    limit: usize,
) -> Result<Vec<Transfer>, StoreError> {
    // One index for each end: read as many from both, and keep the newest.
    let sql = format!(
        "select * from (select {TRANSFER} from transfers where payer = ?1 and n < ?2 order by n desc limit ?3)
         union all
         select * from (select {TRANSFER} from transfers where payee = ?1 and n < ?2 order by n desc limit ?3)
         order by n desc limit ?3"
    );
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![account.0, before.0, limit as i64], Transfer::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A transfer as the operator sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posted {
    pub transfer: Transfer,
    pub payer: Alias,
    pub payee: Alias,
    /// Whether it was taken back.
    pub taken_back: bool,
}

/// The newest transfers of all accounts.
pub fn newest(db: &Db, limit: usize) -> Result<Vec<Posted>, StoreError> {
    let sql = format!(
        "select {TRANSFER}, (select username from accounts where id = t.payer and deleted_at is null),
             (select username from accounts where id = t.payee and deleted_at is null),
             exists (select 1 from transfers r where r.key = 'reversal:' || t.n)
         from transfers t order by n desc limit ?1"
    );
    let alias = |account: AccountId, name: Option<String>| match name {
        _ if account == HOUSE => Alias::House,
        Some(name) => Alias::Player(name),
        None => Alias::Deleted,
    };
    let mut query = db.prepare_cached(&sql)?;
    let rows = query.query_map(params![limit as i64], |row| {
        let transfer = Transfer::read(row)?;
        let (payer, payee) = (alias(transfer.payer, row.get(9)?), alias(transfer.payee, row.get(10)?));
        Ok(Posted { transfer, payer, payee, taken_back: row.get(11)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Posted {
    /// Whether it can still be taken back: only once, and a reversal never.
    pub fn may_be_taken_back(&self) -> bool {
        !self.taken_back && self.transfer.reason != Reason::Reversal
    }
}

/// What a game has earned an account so far, less what it cost. Looked up by the keys that [`settle`] pays under.
pub fn brought(db: &Db, account: AccountId, game: GameId) -> Result<i64, StoreError> {
    let mut sum = 0;
    for (reason, sign) in [(Reason::Award, 1), (Reason::Forfeit, -1)] {
        let mut query = db.prepare_cached(
            "select coalesce(sum(amount), 0) from transfers where key >= ?1 and key < ?2 and (payer = ?3 or payee = ?3)",
        )?;
        let key = format!("{}:{game}", reason.word());
        // The keys of all events of the game sort between these two.
        let (first, end) = (format!("{key}#"), format!("{key}$"));
        sum += sign * query.query_row(params![first, end, account.0], |row| row.get::<_, i64>(0))?;
    }
    Ok(sum)
}

pub fn transfer(db: &Db, n: TransferNo) -> Result<Option<Transfer>, StoreError> {
    let sql = format!("select {TRANSFER} from transfers where n = ?1");
    Ok(db.prepare_cached(&sql)?.query_row(params![n.0], Transfer::read).optional()?)
}

/// Gives a new account its bonus, unless a bonus was given to the same person before, as far as the address tells.
pub fn welcome(db: &Db, account: AccountId, email: &str, at: Timestamp) -> Result<(), StoreError> {
    if greet(db, email)? { pay_welcome(db, account, at) } else { Ok(()) }
}

/// Remembers who has been given the bonus; false if that was known already.
fn greet(db: &Db, email: &str) -> Result<bool, StoreError> {
    let person = Hash::of(format!("welcome {}", mailbox(email)).as_bytes());
    let mut insert = db.prepare_cached("insert or ignore into welcomed (person) values (?1)")?;
    Ok(insert.execute(params![person.0])? > 0)
}

/// Remembers the owners of all accounts, who were given the bonus before that was kept.
pub(crate) fn greet_all(db: &Db) -> Result<(), StoreError> {
    let mut query = db.prepare("select email from accounts where deleted_at is null")?;
    for email in query.query_map([], |row| row.get::<_, String>(0))? {
        greet(db, &email?)?;
    }
    Ok(())
}

fn pay_welcome(db: &Db, account: AccountId, at: Timestamp) -> Result<(), StoreError> {
    if db.terms().welcome_ia == 0 {
        return Ok(());
    }
    let payment = Payment {
        payer: HOUSE,
        payee: account,
        amount: db.terms().welcome_ia,
        bonus: db.terms().welcome_ia,
        reason: Reason::Welcome,
        reference: String::new(),
        key: format!("welcome:{account}"),
        at,
    };
    pay(db, &payment).map(drop)
}

/// Pays the welcome bonus to accounts that are older than the ledger.
pub(crate) fn welcome_all(db: &Db) -> Result<(), StoreError> {
    let mut query =
        db.prepare("select id, created_at from accounts where deleted_at is null order by created_at, id")?;
    let accounts = query.query_map([], |row| Ok((AccountId(row.get(0)?), Timestamp(row.get(1)?))))?;
    for account in accounts.collect::<Result<Vec<_>, _>>()? {
        pay_welcome(db, account.0, account.1)?;
    }
    Ok(())
}

/// Takes back what is left in the purse of an account that is deleted.
pub fn close(db: &Db, account: AccountId, at: Timestamp) -> Result<(), StoreError> {
    let left = purse(db, account)?.balance();
    if left == 0 {
        return Ok(());
    }
    let payment = Payment {
        payer: account,
        payee: HOUSE,
        amount: left,
        bonus: 0,
        reason: Reason::AccountClosed,
        reference: String::new(),
        key: format!("account_closed:{account}"),
        at,
    };
    pay(db, &payment).map(drop)
}

/// Settles what an exchange of a game brought or cost the account that argued.
pub fn settle(
    db: &Db,
    account: AccountId,
    lineage: i64,
    ia_change: i32,
    reference: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let before = Before {
        is_gone: is_gone(db, account)?,
        is_paid: is_awarded(db, account, lineage)?,
        earned_today: earned_in(db, account, "day", day(at))?,
        earned_this_hour: earned_in(db, account, "hour", hour(at))?,
        balance: purse(db, account)?.balance(),
    };
    let Some(settled) = commons::ledger::play::settle(db.terms(), ia_change, before) else { return Ok(()) };
    let (payer, payee, amount, reason) = match settled {
        Settled::Award(amount) => {
            db.prepare_cached("insert into awards (account, lineage, day, amount, hour) values (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![account.0, lineage, day(at), amount as i64, hour(at)])?;
            (HOUSE, account, amount, Reason::Award)
        }
        Settled::Forfeit(amount) => (account, HOUSE, amount, Reason::Forfeit),
    };
    let key = format!("{}:{reference}", reason.word());
    let payment = Payment { payer, payee, amount, bonus: 0, reason, reference: reference.to_owned(), key, at };
    pay(db, &payment).map(drop)
}

/// Whether an account was deleted.
fn is_gone(db: &Db, account: AccountId) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select 1 from accounts where id = ?1 and deleted_at is not null")?;
    Ok(query.exists(params![account.0])?)
}

/// Whether an argument has paid an account before.
fn is_awarded(db: &Db, account: AccountId, lineage: i64) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select 1 from awards where account = ?1 and lineage = ?2")?;
    Ok(query.exists(params![account.0, lineage])?)
}

/// What an account earned in play on a day or in an hour, by the column that names it.
fn earned_in(db: &Db, account: AccountId, column: &str, number: i64) -> Result<u64, StoreError> {
    let sql = format!("select coalesce(sum(amount), 0) from awards where account = ?1 and {column} = ?2");
    Ok(db.prepare_cached(&sql)?.query_row(params![account.0, number], |row| row.get::<_, i64>(0))? as u64)
}

/// The UTC day of a moment, counted from the first of January 1970.
pub(crate) fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

/// Its hour, counted likewise.
fn hour(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR_MS)
}

/// Grants IA to an account. The giver chooses the key, so that a grant that is sent twice is paid once.
pub fn grant(
    db: &Db,
    account: AccountId,
    amount: u64,
    bonus: bool,
    note: &str,
    key: &str,
    at: Timestamp,
) -> Result<Moved, StoreError> {
    let payment = Payment {
        payer: HOUSE,
        payee: account,
        amount,
        bonus: if bonus { amount } else { 0 },
        reason: Reason::Grant,
        reference: note.to_owned(),
        key: format!("grant:{key}"),
        at,
    };
    pay(db, &payment)
}

/// What comes of taking a transfer back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reversed {
    /// It is taken back by this one.
    Done(TransferNo),
    /// It was taken back before, by this one.
    Before(TransferNo),
    /// The payee has spent it.
    Short(Short),
    /// There is no such transfer.
    Unknown,
    /// It is a reversal itself.
    Reversal,
    /// The payer's account was deleted.
    Gone,
}

/// Takes a transfer back by a new one the other way round. What was read cannot be unread: an unlock stays.
pub fn reverse(db: &Db, n: TransferNo, at: Timestamp) -> Result<Reversed, StoreError> {
    let Some(wrong) = transfer(db, n)? else { return Ok(Reversed::Unknown) };
    if wrong.reason == Reason::Reversal {
        return Ok(Reversed::Reversal);
    }
    if is_gone(db, wrong.payer)? {
        return Ok(Reversed::Gone);
    }
    // A purchase that its buyer has given back was taken back by that.
    let given = "select r.transfer from returned r join corpus_unlocks u on u.id = r.unlock where u.transfer = ?1";
    if let Some(by) = db.prepare_cached(given)?.query_row(params![n.0], |row| row.get(0)).optional()? {
        return Ok(Reversed::Before(TransferNo(by)));
    }
    let payment = Payment {
        payer: wrong.payee,
        payee: wrong.payer,
        amount: wrong.amount,
        bonus: wrong.bonus,
        reason: Reason::Reversal,
        reference: n.0.to_string(),
        key: format!("reversal:{}", n.0),
        at,
    };
    Ok(match pay(db, &payment)? {
        Moved::Now(n, _) => Reversed::Done(n),
        Moved::Before(n) => Reversed::Before(n),
        Moved::Short(short) => Reversed::Short(short),
    })
}

/// What flowed for one reason: out of the house, and into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    pub reason: Reason,
    pub transfers: u64,
    /// What the house paid.
    pub minted: u64,
    /// What the house was paid.
    pub taken: u64,
}

/// What the house paid and was paid since a moment, by reason.
pub fn flows(db: &Db, since: Timestamp) -> Result<Vec<Flow>, StoreError> {
    let mut query = db.prepare(
        "select reason, count(*), coalesce(sum(case when payer = ?1 then amount end), 0),
             coalesce(sum(case when payee = ?1 then amount end), 0)
         from transfers where at >= ?2 group by reason order by reason",
    )?;
    let rows = query.query_map(params![HOUSE.0, since.0], |row| {
        Ok(Flow {
            reason: Reason::named(row.get_ref(0)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            transfers: row.get::<_, i64>(1)? as u64,
            minted: row.get::<_, i64>(2)? as u64,
            taken: row.get::<_, i64>(3)? as u64,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
