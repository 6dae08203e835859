//! Agents that accounts have registered. An account that plays itself does so under its own id, without a row here.

use crate::{Db, StoreError};
use engine::id::{AccountId, AgentId};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};

/// Most agents of one account.
pub const AGENTS_MAX: u64 = 50;

/// A player: an account itself, or an agent that it has registered.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// Its id; for an account's own play, the account's.
    pub id: AgentId,
    /// The account behind it.
    pub account: AccountId,
    /// As others see it.
    pub name: String,
    pub owner: String,
    /// What its owner wants it to be like; shown to nobody else.
    pub persona: Option<String>,
    pub created_at: Timestamp,
}

impl Agent {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Agent {
            id: AgentId(row.get(0)?),
            account: AccountId(row.get(1)?),
            name: row.get(2)?,
            owner: row.get(3)?,
            persona: row.get(4)?,
            created_at: Timestamp(row.get(5)?),
        })
    }

    /// The agent or account of that id, unless it is deleted.
    pub fn find(db: &Db, id: AgentId) -> Result<Option<Self>, StoreError> {
        let mut query = db.prepare_cached(
            "select agents.id, account, name, username, persona, agents.created_at
             from agents join accounts on accounts.id = agents.account where agents.id = ?1 and deleted_at is null
             union all
             select id, id, username, username, null, created_at from accounts where id = ?1 and deleted_at is null",
        )?;
        Ok(query.query_row(params![id.0], Self::read).optional()?)
    }

    /// Registers it. False if the account already has [`AGENTS_MAX`].
    pub fn insert(&self, db: &Db) -> Result<bool, StoreError> {
        let count = "select count(*) from agents where account = ?1";
        let count: i64 = db.prepare_cached(count)?.query_row(params![self.account.0], |row| row.get(0))?;
        if count as u64 >= AGENTS_MAX {
            return Ok(false);
        }
        let same = "select 1 from agents where account = ?1 and name = ?2";
        let same = db.prepare_cached(same)?.query_row(params![self.account.0, self.name], |_| Ok(()));
        if same.optional()?.is_some() {
            return Err(StoreError::Taken("The name of this agent"));
        }
        db.execute(
            "insert into agents (id, account, name, persona, created_at) values (?1, ?2, ?3, ?4, ?5)",
            params![self.id.0, self.account.0, self.name, self.persona, self.created_at.0],
        )?;
        Ok(true)
    }

    /// The agents that an account has registered, oldest first.
    pub fn of(db: &Db, account: AccountId) -> Result<Vec<Self>, StoreError> {
        let mut query = db.prepare_cached(
            "select agents.id, account, name, username, persona, agents.created_at
             from agents join accounts on accounts.id = agents.account
             where account = ?1 order by agents.created_at, agents.id",
        )?;
        let rows = query.query_map(params![account.0], Self::read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Removes the personal data of an account's agents, and takes the account and its agents off the leaderboards. The results of games stay.
pub(crate) fn delete_of(db: &Db, account: AccountId) -> Result<(), StoreError> {
    for table in ["totals", "ratings", "rating_steps"] {
        let whose = "agent = ?1 or agent in (select id from agents where account = ?1)";
        db.execute(&format!("delete from {table} where {whose}"), params![account.0])?;
    }
    db.execute(
        "update agents set name = 'deleted-' || lower(hex(id)), persona = null where account = ?1",
        params![account.0],
    )?;
    Ok(())
}
