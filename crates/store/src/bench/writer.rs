//! The writer's own statements in a bare loop, as the limit that `moot bench` compares the write path with.

use crate::writer::{Commit, store};
use crate::{GameNo, StoreError, commit_link, sqlite};
use engine::chain::Hash;
use rusqlite::params;
use std::time::{Duration, Instant};

/// Group sizes to try; the best one counts.
const GROUPS: [usize; 4] = [64, 128, 256, 512];

/// What the best loop reached.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Commits in one transaction.
    pub group: usize,
    pub actions_per_s: f64,
    pub rows_per_s: f64,
}

/// Writes what games write, as fast as the database takes it, with each group size in turn. `found` makes the commits of new games,
/// and `acts` everything that happens in them, in the order in which it is to be stored.
pub fn best_loop(
    time: Duration,
    found: impl Fn() -> Result<Vec<Commit>, StoreError>,
    acts: impl Fn(&[GameNo]) -> Result<Vec<Commit>, StoreError>,
) -> Result<Best, StoreError> {
    let mut best: Option<Best> = None;
    for group in GROUPS {
        let made = one_loop(group, time / GROUPS.len() as u32, &found, &acts)?;
        if best.is_none_or(|best| made.actions_per_s > best.actions_per_s) {
            best = Some(made);
        }
    }
    best.ok_or(StoreError::Stopping)
}

fn one_loop(
    group: usize,
    time: Duration,
    found: impl Fn() -> Result<Vec<Commit>, StoreError>,
    acts: impl Fn(&[GameNo]) -> Result<Vec<Commit>, StoreError>,
) -> Result<Best, StoreError> {
    let path = std::env::temp_dir().join(format!("moot-bench-loop-{}-{group}", std::process::id()));
    std::fs::create_dir_all(&path).map_err(|error| StoreError::Broken(error.to_string()))?;
    let db = sqlite::open_bench(&path.join("loop.db"))?;
    sqlite::migrate(&db, sqlite::no_outcome)?;
    db.execute_batch("begin immediate")?;
    let mut heads = Vec::new();
    let games: Vec<GameNo> =
        found()?.into_iter().map(|commit| store(&db, commit, &mut heads)).collect::<Result<_, _>>()?;
    db.execute_batch("commit")?;

    // What will be written is made beforehand, so that the loop only writes.
    let mut commits = acts(&games)?.into_iter().peekable();
    let (mut actions, mut rows, mut n, mut last) = (0u64, 0u64, 0, Hash::default());
    let started = Instant::now();
    while started.elapsed() < time && commits.peek().is_some() {
        heads.clear();
        db.execute_batch("begin immediate")?;
        for commit in commits.by_ref().take(group) {
            actions += 1;
            let moved = commit.rows.iter().any(|row| row.is_safe);
            rows += 2 * commit.rows.len() as u64 + 1 + u64::from(moved);
            store(&db, commit, &mut heads)?;
        }
        n += 1;
        last = commit_link(last, n, &heads);
        db.prepare_cached("insert into commits (n, heads, hash) values (?1, ?2, ?3)")?
            .execute(params![n, heads, last.0])?;
        db.execute_batch("commit")?;
    }
    let seconds = started.elapsed().as_secs_f64();
    drop(db);
    let _ = std::fs::remove_dir_all(&path);
    Ok(Best { group, actions_per_s: actions as f64 / seconds, rows_per_s: rows as f64 / seconds })
}
