//! A shop for `moot bench`: accounts with enough IA, texts for sale, and purchases in a bare loop.

use crate::corpus::arguments;
use crate::ledger;
use crate::ledger::unlocks::{self, Bought, Order, Wanted};
use crate::sqlite;
use crate::{Account, Db, StoreError};
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::params;
use std::path::Path;
use std::time::{Duration, Instant};
use uuid::Uuid;

pub const TEXTS: usize = 4_000;
const AUTHORS: usize = 64;
/// What every account is granted besides its welcome bonus, which is spent first.
const PURSE_IA: u64 = 1_000_000;
/// Purchases in one transaction of the bare loop.
pub const GROUP: usize = 256;

const AT: Timestamp = Timestamp(1_800_000_000_000);

/// A made-up hash for a text, from its number.
pub fn hash(text: usize) -> String {
    format!("{text:064x}")
}

pub fn buyer(number: usize) -> AccountId {
    AccountId(Uuid::from_u128(number as u128 + 1_000_000))
}

pub fn furnish(db: &Db, buyers: usize) -> Result<(), StoreError> {
    let author = |number: usize| AccountId(Uuid::from_u128((number % AUTHORS) as u128 + 1));
    for account in (0..AUTHORS).map(author).chain((0..buyers).map(buyer)) {
        let account = Account {
            id: account,
            email: format!("{account}@example.org"),
            username: account.to_string(),
            password: String::new(),
            is_admin: false,
            created_at: AT,
        };
        account.insert(db)?;
        ledger::grant(db, account.id, PURSE_IA, false, "", &account.id.to_string(), AT)?;
    }
    for text in 0..TEXTS {
        let n = text as i64 + 1;
        db.prepare_cached(
            "insert into arguments (n, hash, text, side, author, label, status, reasons, lineage, created_at, aired)
             values (?1, ?2, ?3, 'attack', ?4, 'a label', 'clear', '[]', ?1, 0, 1)",
        )?
        .execute(params![
            n,
            hash(text),
            format!("These are the words of text {text}, and nobody reads them."),
            author(text).0
        ])?;
        db.prepare_cached(
            "insert into argument_stats (arg_hash, case_id, target_character, argument, effectiveness_e4, uses, trials, moved)
             values (?1, 'john_law', 'law', ?2, 6250, 2, 2, 1)",
        )?
        .execute(params![hash(text), n])?;
    }
    arguments::rebuild(db)
}

/// Purchases per second of a loop that does nothing else.
pub fn best_loop(path: &Path, buyers: usize, time: Duration) -> Result<f64, StoreError> {
    let db = sqlite::open_bench(&path.join("loop.db"))?;
    sqlite::migrate(&db, sqlite::no_outcome)?;
    db.execute_batch("begin immediate")?;
    furnish(&db, buyers)?;
    db.execute_batch("commit")?;
    let started = Instant::now();
    let mut bought = 0_usize;
    while started.elapsed() < time {
        db.execute_batch("begin immediate")?;
        for _ in 0..GROUP {
            let wanted = Wanted::Attack {
                hash: hash(bought / buyers % TEXTS),
                case_id: "john_law".into(),
                character_id: "law".into(),
            };
            let order = Order { buyer: buyer(bought % buyers), wanted, price_seen: Some(10), at: AT };
            let done = unlocks::buy(&db, &order)?;
            if !matches!(done, Bought::Now { .. }) {
                return Err(StoreError::Broken(format!("{done:?}")));
            }
            bought += 1;
        }
        db.execute_batch("commit")?;
    }
    Ok(bought as f64 / started.elapsed().as_secs_f64())
}
