//! Verifying a database, against replaying the same logs in memory.

use super::tables::{Scratch, block_on};
use super::{Row, games};
use crate::play::{commit, records};
use anyhow::Context as _;
use engine::chance::Seed;
use engine::erased::AnyGame;
use engine::id::{GameId, Seq};
use std::sync::Arc;
use std::time::Instant;
use store::GameStored;
use store::Row as EventRow;
use store::Store;

const GAMES: usize = 400;

pub(super) fn verify() -> anyhow::Result<Row> {
    let scratch = Scratch::new("verify")?;
    let store = records::open(&scratch.0)?;
    let ids = block_on(fill(store.clone()))?;
    let db = Store::open_to_read(&scratch.0)?;
    let logs = ids.iter().map(|id| log(&db, *id)).collect::<anyhow::Result<Vec<_>>>()?;
    let started = Instant::now();
    let mut events = 0u64;
    for (id, seed, rows) in &logs {
        let kind = ::games::catalog::KINDS[0];
        let first = rows.first().context("an empty log")?;
        let (mut game, _) = (kind.replay_first)(*id, *seed, first.mark.at, &first.body, first.hash)?;
        for row in &rows[1..] {
            game.replay(row.mark, row.body.clone(), row.hash)?;
        }
        std::hint::black_box(game.snapshot());
        events += rows.len() as u64;
    }
    let replay = events as f64 / started.elapsed().as_secs_f64();
    let started = Instant::now();
    let checked = records::verify(&db, ::games::catalog::CATALOG, None, |_| ())
        .map_err(|bad| anyhow::anyhow!(bad.to_string()))?;
    let verify = checked.events as f64 / started.elapsed().as_secs_f64();
    anyhow::ensure!(checked.events == events, "verify and replay saw different logs");
    Ok(Row::rate("verify", "events/s", verify, replay, "in-process replay of the same log", 0.5))
}

async fn fill(store: Store) -> anyhow::Result<Vec<GameId>> {
    let mut ids = Vec::new();
    for number in 0..GAMES {
        let (founded, mut game) = games::seated(number)?;
        let no = store.commit(founded).await?;
        let mut waiting = Vec::new();
        while let Some(rows) = games::step(game.as_mut())? {
            waiting.push(store.commit(commit(game.as_ref(), Ok(no), Arc::new(rows), None, false)));
        }
        futures_util::future::try_join_all(waiting).await?;
        ids.push(game.id());
    }
    Ok(ids)
}

type Log = (GameId, Seed, Vec<EventRow>);

fn log(db: &store::Db, id: GameId) -> anyhow::Result<Log> {
    let stored = GameStored::find(db, id)?.context("a stored game")?;
    Ok((id, stored.seed, EventRow::after(db, stored.no, Seq(0), usize::MAX >> 1)?))
}

/// A game in the middle of play, with the commit that stores it.
pub(super) fn halfway(number: usize) -> anyhow::Result<(store::Commit, Box<dyn AnyGame>)> {
    let (founded, mut game) = games::seated(number)?;
    let mut rows = founded.rows.to_vec();
    for _ in 0..60 {
        rows.extend(games::step(game.as_mut())?.unwrap_or_default());
    }
    let commit = commit(game.as_ref(), founded.game, Arc::new(rows), None, false);
    Ok((commit, game))
}
