//! The rows of arguments, one for each text. Every change that other rows depend on goes through here, so that all that follows from it
//! changes in the same transaction: who is credited, whether its words may be read, who owns them, and what it is sorted by. `verify`
//! recomputes all of it.

use crate::corpus::{authors, cases, sales};
use crate::verify::{Bad, bad};
use crate::{Db, StoreError};
use commons::corpus::moderation::{Standing, credited};
use commons::ledger::reading::Claim;
use commons::ledger::selling::Words;
use engine::facts::Side;
use engine::id::AccountId;
use rusqlite::{OptionalExtension as _, params};
use uuid::Uuid;

/// The part of a row that other rows depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Argument {
    n: i64,
    pub(crate) side: Side,
    pub(crate) author: Option<AccountId>,
    is_readable: bool,
    lineage: i64,
    is_aired: bool,
    is_put_up: bool,
}

const ARGUMENT: &str = "n, side, author, status, text != '', lineage, aired or (opened and author is not null), put_up";

impl Argument {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let standing = Standing::named(row.get_ref(3)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?;
        let has_words: bool = row.get(4)?;
        Ok(Argument {
            n: row.get(0)?,
            side: side(row.get_ref(1)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
            author: row.get::<_, Option<Uuid>>(2)?.map(AccountId),
            is_readable: has_words && standing.is_readable(),
            lineage: row.get(5)?,
            is_aired: row.get(6)?,
            is_put_up: row.get(7)?,
        })
    }

    fn find(db: &Db, n: i64) -> Result<Option<Self>, StoreError> {
        let sql = format!("select {ARGUMENT} from arguments where n = ?1");
        Ok(db.prepare_cached(&sql)?.query_row(params![n], Self::read).optional()?)
    }

    /// Whether the words may leave the games they were said in.
    fn is_released(&self) -> bool {
        let Argument { is_readable, is_aired, is_put_up, .. } = *self;
        Words { is_readable, is_aired, is_put_up }.may_leave()
    }

    /// The account in whose figures it counts.
    fn credited(&self) -> Option<AccountId> {
        credited(self.author, self.is_readable)
    }
}

/// A side as it is stored.
pub(crate) fn side_word(side: Side) -> &'static str {
    match side {
        Side::Attack => "attack",
        Side::Defense => "defense",
    }
}

fn side(word: &str) -> Option<Side> {
    [Side::Attack, Side::Defense].into_iter().find(|side| side_word(*side) == word)
}

/// Changes or inserts the row of an argument, and updates all that follows from it.
pub(crate) fn change<T>(db: &Db, n: i64, change: impl FnOnce(&Db) -> Result<T, StoreError>) -> Result<T, StoreError> {
    let before = Argument::find(db, n)?;
    let done = change(db)?;
    if let Some(after) = Argument::find(db, n)? {
        follow(db, before, after)?;
    }
    Ok(done)
}

/// Updates what follows from a row that was `before` and is now `after`.
fn follow(db: &Db, before: Option<Argument>, after: Argument) -> Result<(), StoreError> {
    if before == Some(after) {
        return Ok(());
    }
    let n = after.n;
    let (old, new) = (before.and_then(|before| before.credited()), after.credited());
    let released = after.is_released();
    let is_same = |before: Argument| before.is_readable == after.is_readable && before.is_released() == released;
    if !before.is_some_and(is_same) || old != new {
        db.prepare_cached("update arguments set readable = ?2, credited = ?3, released = ?4 where n = ?1")?
            .execute(params![n, after.is_readable, new.map(|account| account.0), released])?;
    }
    let old_side = before.map_or(after.side, |before| before.side);
    if (old, old_side) != (new, after.side) {
        if let Some(account) = old {
            authors::withdraw(db, account, n, old_side)?;
        }
        if let Some(account) = new {
            authors::enter(db, account, n, after.side)?;
        }
    }
    let author = before.and_then(|before| before.author);
    if author != after.author {
        if let Some(author) = author {
            disown(db, author, n, Claim::Wrote)?;
        }
        if let Some(author) = after.author {
            own(db, author, n, Claim::Wrote)?;
        }
        if before.is_some() {
            cases::sign(db, n)?;
        }
    }
    if before.is_some_and(|before| before.lineage != after.lineage) {
        cases::join_lineage(db, n, after.lineage)?;
    }
    if before.is_some() { sales::of_argument(db, n) } else { Ok(()) }
}

/// Records that an account owns words, and why.
pub(crate) fn own(db: &Db, account: AccountId, argument: i64, claim: Claim) -> Result<(), StoreError> {
    db.prepare_cached("insert or ignore into words_owned (account, argument, claim) values (?1, ?2, ?3)")?
        .execute(params![account.0, argument, claim.word()])?;
    Ok(())
}

fn disown(db: &Db, account: AccountId, argument: i64, claim: Claim) -> Result<(), StoreError> {
    db.prepare_cached("delete from words_owned where account = ?1 and argument = ?2 and claim = ?3")?
        .execute(params![account.0, argument, claim.word()])?;
    Ok(())
}

/// Takes back what accounts own only because they said it in a game that is removed now; call it while `spoken` still has the game.
pub(crate) fn disown_said(db: &Db, game: i64) -> Result<(), StoreError> {
    db.execute(
        "delete from words_owned where claim = 'said' and (account, argument) in (
             select k.account, k.argument from spoken k where k.game = ?1 and k.account is not null
             except select o.account, o.argument from spoken o where o.game != ?1 and o.account is not null)",
        params![game],
    )?;
    Ok(())
}

/// Takes back what an account owned only by a purchase that it has given back.
pub(crate) fn disown_returned(db: &Db, account: AccountId) -> Result<(), StoreError> {
    db.prepare_cached(&format!(
        "delete from words_owned where account = ?1 and claim in ('bought', 'packed')
             and (argument, claim) not in (select argument, claim from ({OWNED}) where account = ?1)"
    ))?
    .execute(params![account.0])?;
    Ok(())
}

/// All that accounts own, from what was written, said and bought.
const OWNED: &str = "select author as account, n as argument, 'wrote' as claim from arguments where author is not null
     union select account, argument, 'said' from spoken where account is not null
     union select u.player_id, a.n, 'bought' from unlocks_kept u join arguments a on a.hash = u.unlock_target
         where u.unlock_type in ('attack', 'defense')
     union select u.player_id, a.n, 'packed' from unlocks_kept u
         join pack_defenses p on u.unlock_type = 'pack' and u.unlock_target = p.pack_id
         join arguments a on a.hash = p.defense_hash";

/// Recomputes everything that follows from the rows of arguments and from what was said and bought.
pub(crate) fn rebuild(db: &Db) -> Result<(), StoreError> {
    let mut all = db.prepare(&format!("select {ARGUMENT} from arguments order by n"))?;
    let mut update =
        db.prepare_cached("update arguments set readable = ?2, credited = ?3, released = ?4 where n = ?1")?;
    let all: Vec<Argument> = all.query_map([], Argument::read)?.collect::<Result<_, _>>()?;
    for one in all {
        let credited = one.credited().map(|account| account.0);
        update.execute(params![one.n, one.is_readable, credited, one.is_released()])?;
    }
    db.execute_batch(&format!(
        "delete from words_owned; insert or ignore into words_owned (account, argument, claim) {OWNED}"
    ))?;
    cases::rebuild(db)?;
    sales::of_all(db)?;
    authors::rebuild(db)
}

/// Checks what follows from the rows against them.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    let mut query =
        db.prepare(&format!("select {ARGUMENT}, readable, credited, released from arguments order by n"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let n: i64 = row.get(0)?;
        let one = Argument::read(row).map_err(|_| bad("arguments", n, "it cannot be read"))?;
        let stored = (row.get::<_, bool>(8)?, row.get::<_, Option<Uuid>>(9)?.map(AccountId), row.get::<_, bool>(10)?);
        if stored != (one.is_readable, one.credited(), one.is_released()) {
            return Err(bad("arguments", n, "who may read it does not follow from it"));
        }
    }
    let wrong = format!(
        "select argument from (select * from ({OWNED}) except select account, argument, claim from words_owned)
         union select argument from (select account, argument, claim from words_owned except select * from ({OWNED}))
         limit 1"
    );
    match db.query_row(&wrong, [], |row| row.get(0)).optional()? {
        Some(n) => Err(bad("words_owned", n, "those who own it did not write, say or buy it")),
        None => Ok(()),
    }
}
