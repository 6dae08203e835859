//! People: accounts, sessions, API keys, reports. Secrets are stored as hashes only.

use crate::{Db, StoreError};
use commons::names::folded;
use engine::id::{AccountId, GameId};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use std::collections::BTreeMap;
use uuid::Uuid;

/// How many reports are listed at once.
const REPORTS_MAX: i64 = 200;

#[derive(Clone, Debug)]
pub struct Account {
    pub id: AccountId,
    /// How it signs in.
    pub email: String,
    /// How others see it.
    pub username: String,
    /// The password's hash, with its parameters.
    pub password: String,
    /// Whether it may moderate.
    pub is_admin: bool,
    pub created_at: Timestamp,
}

/// What a key may do besides playing. The stored words must never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Play,
    /// Report to the corpus what happened in games elsewhere.
    Corpus,
}

impl Scope {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Play => "play",
            Scope::Corpus => "corpus",
        }
    }

    pub fn named(word: &str) -> Option<Scope> {
        [Scope::Play, Scope::Corpus].into_iter().find(|scope| scope.word() == word)
    }

    /// As it is stored: empty for `Play`, since keys that are older than scopes have none.
    fn stored(self) -> &'static str {
        match self {
            Scope::Play => "",
            Scope::Corpus => "corpus",
        }
    }

    fn read(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Scope> {
        Ok(if row.get_ref(column)?.as_str()? == Scope::Corpus.stored() { Scope::Corpus } else { Scope::Play })
    }
}

/// The key that a request came with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyUsed {
    pub id: Uuid,
    /// What it may do besides playing.
    pub scope: Scope,
    /// Whether the operator trusts what it reports.
    pub trusted: bool,
}

/// A key as its owner sees it listed, without the secret.
#[derive(Clone, Debug)]
pub struct ApiKey {
    pub id: Uuid,
    /// What its owner calls it.
    pub label: String,
    pub hint: String,
    pub created_at: Timestamp,
    /// What it may do besides playing.
    pub scope: Scope,
    /// Whether the operator trusts what it reports.
    pub trusted: bool,
}

/// A complaint about a game, for the moderators.
#[derive(Clone, Debug)]
pub struct Report {
    pub n: i64,
    pub game_id: GameId,
    /// An agent or an entry of the transcript.
    pub target: String,
    pub reason: String,
    pub created_at: Timestamp,
}

const ACCOUNT: &str = "id, email, username, password, is_admin, created_at";

impl Account {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Account {
            id: AccountId(row.get(0)?),
            email: row.get(1)?,
            username: row.get(2)?,
            password: row.get(3)?,
            is_admin: row.get(4)?,
            created_at: Timestamp(row.get(5)?),
        })
    }

    /// Adds it and pays its welcome bonus, once a person. Email and username must be free, and no other username may look like it.
    pub fn insert(&self, db: &Db) -> Result<(), StoreError> {
        let taken = |column: &str, value: &str| {
            db.query_row(&format!("select 1 from accounts where {column} = ?1"), params![value], |_| Ok(()))
                .optional()
                .map(|found| found.is_some())
        };
        if taken("email", &self.email)? {
            return Err(StoreError::Taken("This email address"));
        }
        let key = folded(&self.username);
        if taken("username", &self.username)? || taken("name_key", &key)? {
            return Err(StoreError::Taken("This username"));
        }
        db.execute(
            "insert into accounts (id, email, username, password, is_admin, created_at, name_key)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![self.id.0, self.email, self.username, self.password, self.is_admin, self.created_at.0, key],
        )?;
        crate::ledger::welcome(db, self.id, &self.email, self.created_at)
    }

    pub fn by_email(db: &Db, email: &str) -> Result<Option<Self>, StoreError> {
        let sql = format!("select {ACCOUNT} from accounts where email = ?1 and deleted_at is null");
        Ok(db.prepare_cached(&sql)?.query_row(params![email], Self::read).optional()?)
    }

    /// The account with exactly this name, else the one whose name looks like it.
    pub fn by_username(db: &Db, username: &str) -> Result<Option<Self>, StoreError> {
        let sql = format!(
            "select {ACCOUNT} from accounts where (username = ?1 or name_key = ?2) and deleted_at is null
             order by username != ?1, name_clash limit 1"
        );
        Ok(db.prepare_cached(&sql)?.query_row(params![username, folded(username)], Self::read).optional()?)
    }

    /// The account whose live session has this hash.
    pub fn by_session(db: &Db, hash: &[u8; 32], now: Timestamp) -> Result<Option<Self>, StoreError> {
        let sql = format!(
            "select {ACCOUNT} from accounts where deleted_at is null
             and id = (select account from sessions where hash = ?1 and expires_at > ?2)"
        );
        Ok(db.prepare_cached(&sql)?.query_row(params![hash, now.0], Self::read).optional()?)
    }

    /// The account whose key has this hash, and what that key may do.
    pub fn by_api_key(db: &Db, hash: &[u8; 32]) -> Result<Option<(Self, KeyUsed)>, StoreError> {
        let mut query = db.prepare_cached(
            "select account, id, scope, trusted from api_keys where hash = ?1 and revoked_at is null",
        )?;
        let key = |row: &SqlRow<'_>| {
            let used = KeyUsed { id: row.get(1)?, scope: Scope::read(row, 2)?, trusted: row.get(3)? };
            Ok((row.get::<_, Uuid>(0)?, used))
        };
        let Some((account, used)) = query.query_row(params![hash], key).optional()? else { return Ok(None) };
        let sql = format!("select {ACCOUNT} from accounts where id = ?1 and deleted_at is null");
        let account = db.prepare_cached(&sql)?.query_row(params![account], Self::read).optional()?;
        Ok(account.map(|account| (account, used)))
    }
}

/// Sets a new password and ends every session.
pub fn set_password(db: &Db, account: AccountId, password: &str) -> Result<(), StoreError> {
    db.execute("update accounts set password = ?2 where id = ?1", params![account.0, password])?;
    db.execute("delete from sessions where account = ?1", params![account.0])?;
    Ok(())
}

/// Makes it a "deleted user": its games stay, its personal data goes.
pub fn delete_account(db: &Db, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
    let gone = format!("deleted-{}", account);
    db.execute(
        "update accounts set email = ?2, username = ?2, name_key = null, password = '', deleted_at = ?3 where id = ?1",
        params![account.0, gone, now.0],
    )?;
    db.execute("delete from sessions where account = ?1", params![account.0])?;
    db.execute("delete from api_keys where account = ?1", params![account.0])?;
    crate::corpus::listings::withdraw_all(db, account)?;
    crate::corpus::cases::unsign(db, account)?;
    crate::corpus::authors::unname(db, account)?;
    crate::ledger::close(db, account, now)?;
    crate::people::agents::delete_of(db, account)
}

/// Fills the name keys of accounts that are older than the column. Where names look alike, the oldest account comes first.
pub(crate) fn fold_all(db: &Db) -> Result<(), StoreError> {
    let mut query = db.prepare("select id, username from accounts where deleted_at is null order by created_at, id")?;
    let accounts = query.query_map([], |row| Ok((row.get::<_, Uuid>(0)?, row.get::<_, String>(1)?)))?;
    let mut seen: BTreeMap<String, i64> = BTreeMap::new();
    for account in accounts.collect::<Result<Vec<_>, _>>()? {
        let key = folded(&account.1);
        let clash = seen.entry(key.clone()).or_default();
        db.execute(
            "update accounts set name_key = ?2, name_clash = ?3 where id = ?1",
            params![account.0, key, *clash],
        )?;
        *clash += 1;
    }
    Ok(())
}

pub fn open_session(
    db: &Db,
    hash: &[u8; 32],
    account: AccountId,
    now: Timestamp,
    until: Timestamp,
) -> Result<(), StoreError> {
    db.execute("delete from sessions where expires_at < ?1", params![now.0])?;
    db.execute(
        "insert into sessions (hash, account, created_at, expires_at) values (?1, ?2, ?3, ?4)",
        params![hash, account.0, now.0, until.0],
    )?;
    Ok(())
}

pub fn close_session(db: &Db, hash: &[u8; 32]) -> Result<(), StoreError> {
    db.execute("delete from sessions where hash = ?1", params![hash])?;
    Ok(())
}

pub fn add_api_key(db: &Db, key: &ApiKey, account: AccountId, hash: &[u8; 32]) -> Result<(), StoreError> {
    db.execute(
        "insert into api_keys (id, account, hash, label, hint, created_at, scope, trusted)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![key.id, account.0, hash, key.label, key.hint, key.created_at.0, key.scope.stored(), key.trusted],
    )?;
    Ok(())
}

/// The keys of an account that still work, newest first.
pub fn api_keys(db: &Db, account: AccountId) -> Result<Vec<ApiKey>, StoreError> {
    let mut query = db.prepare_cached(
        "select id, label, hint, created_at, scope, trusted from api_keys
         where account = ?1 and revoked_at is null order by created_at desc, id",
    )?;
    let rows = query.query_map(params![account.0], |row| {
        Ok(ApiKey {
            id: row.get(0)?,
            label: row.get(1)?,
            hint: row.get(2)?,
            created_at: Timestamp(row.get(3)?),
            scope: Scope::read(row, 4)?,
            trusted: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A key that may report to the corpus, for the operator, who decides which to trust.
pub struct Reporter {
    pub id: Uuid,
    pub owner: String,
    /// What its owner calls it.
    pub label: String,
    /// Whether what it reports counts.
    pub trusted: bool,
}

/// The keys that may report to the corpus, oldest first.
pub fn reporters(db: &Db) -> Result<Vec<Reporter>, StoreError> {
    let mut query = db.prepare(
        "select k.id, a.username, k.label, k.trusted from api_keys k join accounts a on a.id = k.account
         where k.scope = 'corpus' and k.revoked_at is null order by k.created_at, k.id",
    )?;
    let rows = query.query_map([], |row| {
        Ok(Reporter { id: row.get(0)?, owner: row.get(1)?, label: row.get(2)?, trusted: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Sets whether a key that may report to the corpus is trusted. False if there is no such key.
pub fn trust_key(db: &Db, key: Uuid, trusted: bool) -> Result<bool, StoreError> {
    let changed = db.execute(
        "update api_keys set trusted = ?2 where id = ?1 and scope = 'corpus' and revoked_at is null",
        params![key, trusted],
    )?;
    Ok(changed > 0)
}

/// Revokes a key. False if the account has no such key.
pub fn revoke_api_key(db: &Db, account: AccountId, key: Uuid, now: Timestamp) -> Result<bool, StoreError> {
    let changed = db.execute(
        "update api_keys set revoked_at = ?3 where account = ?1 and id = ?2 and revoked_at is null",
        params![account.0, key, now.0],
    )?;
    Ok(changed > 0)
}

/// Revokes every key of an account.
pub fn revoke_api_keys(db: &Db, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
    let sql = "update api_keys set revoked_at = ?2 where account = ?1 and revoked_at is null";
    db.execute(sql, params![account.0, now.0])?;
    Ok(())
}

/// Puts a report into the moderators' queue.
pub fn add_report(
    db: &Db,
    game_id: GameId,
    target: &str,
    reason: &str,
    reporter: Option<AccountId>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    db.execute(
        "insert into reports (game_id, target, reason, reporter, created_at) values (?1, ?2, ?3, ?4, ?5)",
        params![game_id.0, target, reason, reporter.map(|account| account.0), now.0],
    )?;
    Ok(db.last_insert_rowid())
}

/// Reports nobody has resolved, oldest first.
pub fn open_reports(db: &Db) -> Result<Vec<Report>, StoreError> {
    let mut query = db.prepare_cached(
        "select n, game_id, target, reason, created_at from reports where resolved_at is null order by n limit ?1",
    )?;
    let rows = query.query_map(params![REPORTS_MAX], |row| {
        Ok(Report {
            n: row.get(0)?,
            game_id: GameId(row.get(1)?),
            target: row.get(2)?,
            reason: row.get(3)?,
            created_at: Timestamp(row.get(4)?),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Resolves a report. False if no such report is open.
pub fn resolve_report(db: &Db, n: i64, resolution: &str, now: Timestamp) -> Result<bool, StoreError> {
    let changed = db.execute(
        "update reports set resolved_at = ?2, resolution = ?3 where n = ?1 and resolved_at is null",
        params![n, now.0, resolution],
    )?;
    Ok(changed > 0)
}
