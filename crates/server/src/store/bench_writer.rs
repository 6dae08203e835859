//! The writer's own statements in a bare loop, as the limit that `moot bench` compares the write path with.

use super::writer::{Commit, NewGame, store};
use super::{GameNo, StoreError, commit_link, sqlite};
use engine::chain::Hash;
use engine::chance::Seed;
use engine::erased::{AnyGame, Founding};
use engine::game::{Logged, Progress};
use engine::id::{GameId, Seat};
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::Actor;
use engine::time::Timestamp;
use rusqlite::params;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Group sizes to try; the best one counts.
const GROUPS: [usize; 4] = [64, 128, 256, 512];
const GAMES: usize = 256;
const SEATS: usize = 8;

/// What the best loop reached.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Commits in one transaction.
    pub group: usize,
    /// Commands a second.
    pub actions_per_s: f64,
    /// Rows a second.
    pub rows_per_s: f64,
}

/// Writes what games write, as fast as the database takes it, with each group size in turn.
pub fn best_loop(time: Duration) -> Result<Best, StoreError> {
    let mut best: Option<Best> = None;
    for group in GROUPS {
        let found = one_loop(group, time / GROUPS.len() as u32)?;
        if best.is_none_or(|best| found.actions_per_s > best.actions_per_s) {
            best = Some(found);
        }
    }
    best.ok_or(StoreError::Stopping)
}

fn one_loop(group: usize, time: Duration) -> Result<Best, StoreError> {
    let path = std::env::temp_dir().join(format!("moot-bench-loop-{}-{group}", std::process::id()));
    std::fs::create_dir_all(&path).map_err(|error| StoreError::Broken(error.to_string()))?;
    let connection = sqlite::open_writer(&path.join("loop.db"))?;
    sqlite::migrate(&connection)?;
    let mut games: Vec<(GameNo, Box<dyn AnyGame>)> = Vec::new();
    connection.execute_batch("begin immediate")?;
    let mut heads = Vec::new();
    for number in 0..GAMES {
        let (commit, game) = seated(number)?;
        games.push((store(&connection, commit, &mut heads)?, game));
    }
    connection.execute_batch("commit")?;

    // What will be written is made beforehand, so that the loop only writes.
    let mut commits: Vec<Commit> = Vec::new();
    'rounds: loop {
        for (no, game) in &mut games {
            let Some(rows) = step(game.as_mut())? else { break 'rounds };
            commits.push(Commit::of(game.as_ref(), Ok(*no), Arc::new(rows), None));
        }
    }
    let (mut actions, mut rows, mut n, mut last) = (0u64, 0u64, 0, Hash::default());
    let started = Instant::now();
    let mut commits = commits.into_iter().peekable();
    while started.elapsed() < time && commits.peek().is_some() {
        heads.clear();
        connection.execute_batch("begin immediate")?;
        for commit in commits.by_ref().take(group) {
            actions += 1;
            let moved = commit.rows.iter().any(|row| row.transition.is_some());
            rows += 2 * commit.rows.len() as u64 + 1 + u64::from(moved);
            store(&connection, commit, &mut heads)?;
        }
        n += 1;
        last = commit_link(last, n, &heads);
        connection
            .prepare_cached("insert into commits (n, heads, hash) values (?1, ?2, ?3)")?
            .execute(params![n, heads, last.0])?;
        connection.execute_batch("commit")?;
    }
    let seconds = started.elapsed().as_secs_f64();
    drop(connection);
    let _ = std::fs::remove_dir_all(&path);
    Ok(Best { group, actions_per_s: actions as f64 / seconds, rows_per_s: rows as f64 / seconds })
}

fn refused(refused: engine::rules::Refused) -> StoreError {
    StoreError::Broken(refused.sentence)
}

/// A started game of eight, and the commit that stores it.
pub fn seated(number: usize) -> Result<(Commit, Box<dyn AnyGame>), StoreError> {
    let kind = games::catalog::KINDS[0];
    let id = GameId(Uuid::from_u128(number as u128 + 1));
    let seed = Seed::chosen(&number.to_string());
    let now = Timestamp(1_800_000_000_000);
    let terms = Terms { open: true, ..Terms::default() };
    let founding = Founding { id, seed, options: &json!({"min_players": SEATS}), terms, now };
    let (mut game, first) = (kind.found)(founding).map_err(refused)?;
    let mut rows = vec![first];
    for seat in 0..SEATS {
        let sit = TableCommand::Sit { name: format!("Player {seat}").into(), holder: Holder::Open };
        rows.extend(game.table(sit, now).map_err(refused)?);
    }
    rows.extend(game.table(TableCommand::Start, now).map_err(refused)?);
    let new = NewGame { id, kind: kind.name, rules: kind.version, seed: seed.0, unlisted: false, demo: false };
    Ok((Commit::of(game.as_ref(), Err(new), Arc::new(rows), None), game))
}

/// The next action of a game, with 200 characters where there is text; nothing once it is over.
pub fn step(game: &mut dyn AnyGame) -> Result<Option<Vec<Logged>>, StoreError> {
    if game.progress() == Progress::Over {
        return Ok(None);
    }
    let now = Timestamp(game.mark().at.0 + 1);
    let turns = game.turns();
    let seat = turns.iter().find_map(|turn| match turn.who {
        Actor::Seat(seat) => Some((seat, turn.offers[0].action)),
        Actor::Host | Actor::Clock => None,
    });
    let (actor, body): (Actor, Value) = match seat {
        Some((seat, "decision")) => (Actor::Seat(seat), json!({"type": "decision", "decision": "save_minority"})),
        Some((seat, _)) => (Actor::Seat(seat), json!({"type": "argument", "text": text(seat)})),
        None => (Actor::Host, json!({"type": "advance", "action": "next_phase"})),
    };
    game.act(actor, &body, now).map(Some).map_err(refused)
}

fn text(seat: Seat) -> String {
    format!(
        "{:<199}.",
        format!("Seat {} speaks for all who stand with it, and asks for time and a fair hearing", seat.0)
    )
}
