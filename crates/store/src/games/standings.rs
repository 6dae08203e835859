//! The results of finished games, and the totals and ratings that follow from them.
//!
//! Results are stored with the last event of their game. Totals and ratings are derived from them in the same transaction, so that no page
//! has to add anything up.

use crate::games::progress_number;
use crate::{Agent, Db, GameNo, OutcomeOf, StoreError};
use commons::standings::{Earned, Outcome, Strength, rated};
use engine::chance::Seed;
use engine::game::Progress;
use engine::id::{AccountId, AgentId, GameId};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

/// How many of an agent's results are looked at to find games that may be listed.
const LOOKED_AT_MAX: i64 = 100;

/// Records the results of a game, with all that follows from them.
pub(crate) fn record(db: &Db, game: GameNo, outcome: &Outcome) -> Result<(), StoreError> {
    let mut insert = db.prepare_cached(
        "insert into results (game, seat, agent, account, kind, role, points, won, rank, rated, at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let mut add = db.prepare_cached(
        "insert into totals (agent, kind, role, rated, games, wins, points) values (?1, ?2, ?3, ?4, 1, ?5, ?6)
         on conflict do update set games = games + 1, wins = wins + ?5, points = points + ?6",
    )?;
    let Outcome { kind, rated, at, earned } = outcome;
    for one in earned {
        let Earned { seat, agent, account, role, points, won, rank, left: _ } = one;
        insert.execute(params![game.0, seat.0, agent.0, account.0, kind, role, points, won, rank, rated, at.0])?;
        add.execute(params![agent.0, kind, role, rated, won, points])?;
    }
    if *rated { rate(db, game, outcome) } else { Ok(()) }
}

/// Rates those who played against each other; the others only count the game.
fn rate(db: &Db, game: GameNo, outcome: &Outcome) -> Result<(), StoreError> {
    let Outcome { kind, at, earned, .. } = outcome;
    let mut find = db.prepare_cached("select mu, sigma from ratings where agent = ?1 and kind = ?2")?;
    let mut before = Vec::with_capacity(earned.len());
    for one in earned {
        let known = find
            .query_row(params![one.agent.0, kind], |row| Ok(Strength { mu: row.get(0)?, sigma: row.get(1)? }))
            .optional()?;
        before.push(known.unwrap_or_default());
    }
    let mut step = db.prepare_cached(
        "insert into rating_steps (agent, kind, at, game, mu, sigma) values (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut upsert = db.prepare_cached(
        "insert into ratings (agent, kind, mu, sigma, games, wins, points) values (?1, ?2, ?3, ?4, 1, ?5, ?6)
         on conflict do update set mu = ?3, sigma = ?4, games = games + 1, wins = wins + ?5, points = points + ?6",
    )?;
    for ((one, before), after) in earned.iter().zip(&before).zip(rated(earned, &before)) {
        if let Some(Strength { mu, sigma }) = after {
            step.execute(params![one.agent.0, kind, at.0, game.0, mu, sigma])?;
        }
        let Strength { mu, sigma } = after.unwrap_or(*before);
        upsert.execute(params![one.agent.0, kind, mu, sigma, one.won, one.points])?;
    }
    Ok(())
}

/// Records the results of games that were over before there was a table for them.
pub(crate) fn record_finished(db: &Db, outcome: OutcomeOf) -> Result<(), StoreError> {
    let mut query = db.prepare(
        "select n, id, kind, seed, body from games join game_state on game_state.game = games.n
         where progress = ?1 order by n",
    )?;
    let mut rows = query.query(params![progress_number(Progress::Over)])?;
    while let Some(row) = rows.next()? {
        let (no, id, kind): (i64, Uuid, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (seed, body): ([u8; 32], Vec<u8>) = (row.get(3)?, row.get(4)?);
        let brought = outcome(&kind, GameId(id), Seed(seed), &body);
        let brought = brought.map_err(|what| StoreError::Broken(format!("game {id}: {what}")))?;
        record(db, GameNo(no), &brought)?;
    }
    Ok(())
}

/// Where a page of the leaderboard begins: after this one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// How many come before, this one included.
    pub rank: u64,
    pub score: f64,
    pub points: i64,
    pub agent: AgentId,
}

impl Place {
    pub const TOP: Place = Place { rank: 0, score: f64::INFINITY, points: i64::MAX, agent: AgentId(Uuid::max()) };
}

/// An agent on the leaderboard of a kind. Only rated games count here.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    pub place: Place,
    pub name: String,
    pub owner: String,
    pub rating: Rating,
}

/// A rating in one kind, and the rated games it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    pub kind: String,
    /// The most likely strength.
    pub mu: f64,
    /// How far that may be off.
    pub sigma: f64,
    pub games: i64,
    pub wins: i64,
    pub points: i64,
}

impl Rating {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Rating {
            kind: row.get("kind")?,
            mu: row.get("mu")?,
            sigma: row.get("sigma")?,
            games: row.get("games")?,
            wins: row.get("wins")?,
            points: row.get("points")?,
        })
    }

    /// A cautious estimate of the strength, by which the leaderboard is sorted.
    pub fn score(&self) -> f64 {
        self.mu - 3.0 * self.sigma
    }
}

/// The query behind a page of the leaderboard; public so that tests can check its plan.
pub const LEADERBOARD: &str =
    "select agent, kind, mu, sigma, games, wins, points, score, username, coalesce(agents.name, username) as name
         from ratings left join agents on agents.id = ratings.agent
             left join accounts on accounts.id = coalesce(agents.account, ratings.agent)
         where kind = ?1 and (score, points, agent) < (?2, ?3, ?4) and username is not null and deleted_at is null
         order by score desc, points desc, agent desc limit ?5";

/// Who comes after this place in a kind, best first. Deleted accounts are left out.
pub fn leaderboard(db: &Db, kind: &str, after: Place, limit: usize) -> Result<Vec<Ranked>, StoreError> {
    let mut query = db.prepare_cached(LEADERBOARD)?;
    let mut rank = after.rank;
    let rows = query.query_map(params![kind, after.score, after.points, after.agent.0, limit as i64], |row| {
        rank += 1;
        let rating = Rating::read(row)?;
        let agent = AgentId(row.get("agent")?);
        let place = Place { rank, score: row.get("score")?, points: rating.points, agent };
        Ok(Ranked { place, name: row.get("name")?, owner: row.get("username")?, rating })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// An agent's ratings, one for each kind.
pub fn ratings(db: &Db, agent: AgentId) -> Result<Vec<Rating>, StoreError> {
    let mut query =
        db.prepare_cached("select kind, mu, sigma, games, wins, points from ratings where agent = ?1 order by kind")?;
    let rows = query.query_map(params![agent.0], Rating::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What an agent has done in one role of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Total {
    pub kind: String,
    pub role: String,
    /// In rated games, or in the others.
    pub rated: bool,
    pub games: i64,
    pub wins: i64,
    pub points: i64,
}

/// An agent's totals, by kind and role.
pub fn totals(db: &Db, agent: AgentId) -> Result<Vec<Total>, StoreError> {
    let mut query = db.prepare_cached(
        "select kind, role, rated, games, wins, points from totals where agent = ?1 order by kind, role, rated desc",
    )?;
    let rows = query.query_map(params![agent.0], |row| {
        Ok(Total {
            kind: row.get(0)?,
            role: row.get(1)?,
            rated: row.get(2)?,
            games: row.get(3)?,
            wins: row.get(4)?,
            points: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A game that an agent has played to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    pub game: GameId,
    pub kind: String,
    pub role: String,
    pub points: i64,
    pub won: bool,
    pub rank: Option<i64>,
    /// Whether it counts for ratings.
    pub rated: bool,
    pub at: Timestamp,
}

/// An agent's last games, newest first. Unlisted ones are left out: they are reached by link only.
pub fn last_games(db: &Db, agent: AgentId, limit: usize) -> Result<Vec<PlayedGame>, StoreError> {
    let mut query = db.prepare_cached(
        "select id, played.kind, role, points, won, rank, rated, at
         from (select * from results where agent = ?1 order by at desc, game desc limit ?2) as played
             join games on games.n = played.game
         where unlisted = 0 order by at desc, game desc limit ?3",
    )?;
    let rows = query.query_map(params![agent.0, LOOKED_AT_MAX, limit as i64], |row| {
        Ok(PlayedGame {
            game: GameId(row.get(0)?),
            kind: row.get(1)?,
            role: row.get(2)?,
            points: row.get(3)?,
            won: row.get(4)?,
            rank: row.get(5)?,
            rated: row.get(6)?,
            at: Timestamp(row.get(7)?),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The last steps of an agent's rating in a kind, oldest first: mu and sigma after each game.
pub fn steps(db: &Db, agent: AgentId, kind: &str, limit: usize) -> Result<Vec<(f64, f64)>, StoreError> {
    let mut query = db.prepare_cached(
        "select mu, sigma from rating_steps where agent = ?1 and kind = ?2 order by at desc, game desc limit ?3",
    )?;
    let rows = query.query_map(params![agent.0, kind, limit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut steps: Vec<(f64, f64)> = rows.collect::<Result<_, _>>()?;
    steps.reverse();
    Ok(steps)
}

/// An agent with what it has done, for one page or answer.
pub struct Profile {
    pub agent: Agent,
    /// One for each kind it has played rated games of.
    pub ratings: Vec<Rating>,
    /// By kind and role.
    pub totals: Vec<Total>,
    pub games: Vec<PlayedGame>,
}

impl Profile {
    /// What this agent has done, with at most `games_max` of its last games.
    pub fn read(db: &Db, agent: Agent, games_max: usize) -> Result<Self, StoreError> {
        let games = if games_max == 0 { vec![] } else { last_games(db, agent.id, games_max)? };
        let (ratings, totals) = (ratings(db, agent.id)?, totals(db, agent.id)?);
        Ok(Profile { agent, ratings, totals, games })
    }

    /// An account's own play, none if it was deleted, and its agents', all without their games.
    pub fn of_account(db: &Db, account: AccountId) -> Result<(Option<Self>, Vec<Self>), StoreError> {
        let own = Agent::find(db, AgentId(account.0))?;
        let own = own.map(|own| Self::read(db, own, 0)).transpose()?;
        let agents = Agent::of(db, account)?.into_iter().map(|agent| Self::read(db, agent, 0));
        Ok((own, agents.collect::<Result<_, _>>()?))
    }
}
