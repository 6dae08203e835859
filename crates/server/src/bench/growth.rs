//! Whether an action costs the same in a long game as in a short one, in a large database as in an empty one, and among many games as
//! among few.

use super::games::{SEATS, seated, seated_after, step};
use super::tables::{Scratch, block_on};
use super::{Measure, Row};
use crate::play::live::{self, Table};
use crate::play::{House, change, records};
use crate::problem::Problem;
use crate::settings::Settings;
use engine::erased::AnyGame;
use engine::id::{GameId, Seat};
use engine::roster::{Holder, TableCommand};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use store::{Commit, Store};

pub(super) const ROWS: [(&str, Measure); 3] = [("length", length), ("games", games), ("live", live_games)];

/// Players who act at the same time.
const PLAYERS: usize = 10;
/// Each side is measured this often, in turn, and the middle one counts: the disk is not equally fast all the time.
const ROUNDS: usize = 5;
const EVENTS_LONG: u64 = 10_000;
const GAMES_FEW: usize = 10;
const GAMES_STORED: usize = 100_000;
const GAMES_LIVE: usize = 1_000;
/// What counts as flat.
const AT_LEAST: f64 = 0.9;
/// Actions in each round: a game of eight seats has 184.
const ACTIONS: usize = 1_600;
/// Commits that are handed to the writer before they are waited for.
const AT_ONCE: usize = 500;

/// Games that are played in rounds.
struct Played {
    house: House,
    tables: Vec<Arc<Table>>,
}

fn length() -> anyhow::Result<Row> {
    let scratch = Scratch::new("length")?;
    let store = records::open(&scratch.0)?;
    block_on(async {
        let rounds = |from: usize| from..from + ROUNDS * GAMES_FEW;
        let short = Played::found(&store, rounds(0), |number| Ok(seated(number)?.0)).await?;
        let long = Played::found(&store, rounds(ROUNDS * GAMES_FEW), |number| Ok(drawn_out(number)?)).await?;
        let (few, many) = alternate(&short, &long, |round, played| {
            played.tables[round * GAMES_FEW..(round + 1) * GAMES_FEW].to_vec()
        })
        .await?;
        let against = format!("the same in games of 10 events; here they have {EVENTS_LONG}");
        Ok(Row::rate("length", "actions/s", many, few, against, AT_LEAST))
    })
}

fn games() -> anyhow::Result<Row> {
    let (empty, full) = (Scratch::new("few")?, Scratch::new("many")?);
    let (one, other) = (records::open(&empty.0)?, records::open(&full.0)?);
    block_on(async {
        let numbers = 0..ROUNDS * GAMES_FEW;
        let found = |number: usize| Ok(seated(number)?.0);
        let few = Played::found(&one, numbers.clone(), found).await?;
        fill(&other, numbers.end..numbers.end + GAMES_STORED, found).await?;
        let many = Played::found(&other, numbers, found).await?;
        let of_round =
            |round: usize, played: &Played| played.tables[round * GAMES_FEW..(round + 1) * GAMES_FEW].to_vec();
        let (few, many) = alternate(&few, &many, of_round).await?;
        let against = format!("the same with 10 games in the database; here are {GAMES_STORED}");
        Ok(Row::rate("games", "actions/s", many, few, against, AT_LEAST))
    })
}

fn live_games() -> anyhow::Result<Row> {
    let scratch = Scratch::new("live")?;
    let store = records::open(&scratch.0)?;
    block_on(async {
        let found = |number: usize| Ok(seated(number)?.0);
        let few = Played::found(&store, 0..ROUNDS * GAMES_FEW, found).await?;
        let begin = ROUNDS * GAMES_FEW;
        let many = Played::found(&store, begin..begin + GAMES_LIVE, found).await?;
        let of_round = |round: usize, played: &Played| match played.tables.len() {
            GAMES_LIVE => played.tables.clone(),
            _ => played.tables[round * GAMES_FEW..(round + 1) * GAMES_FEW].to_vec(),
        };
        let (few, many) = alternate(&few, &many, of_round).await?;
        let against = format!("the same among 10 games; here are {GAMES_LIVE}");
        Ok(Row::rate("live", "actions/s", many, few, against, AT_LEAST))
    })
}

impl Played {
    /// Stores these games and takes them into memory.
    async fn found(
        store: &Store,
        numbers: std::ops::Range<usize>,
        make: impl Fn(usize) -> anyhow::Result<Commit>,
    ) -> anyhow::Result<Self> {
        let house = House::new(store.clone(), Settings::default(), |_, _, _| ());
        let mut tables = Vec::new();
        for id in fill(store, numbers, make).await? {
            tables.push(live::table(&house, id).await.map_err(refused)?);
        }
        Ok(Played { house, tables })
    }

    /// Plays [`ACTIONS`] actions in these games, one after the other in turn, and returns how many that are in a second.
    async fn round(&self, tables: Vec<Arc<Table>>) -> anyhow::Result<f64> {
        let (tables, next) = (Arc::new(tables), Arc::new(AtomicUsize::new(0)));
        let started = Instant::now();
        let players: Vec<_> = (0..PLAYERS)
            .map(|_| {
                let (house, tables, next) = (self.house.clone(), tables.clone(), next.clone());
                tokio::spawn(async move {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= ACTIONS {
                            return Ok::<(), Problem>(());
                        }
                        let table = &tables[number % tables.len()];
                        change(&house, table, None, |game, _| Ok((step(game)?.unwrap_or_default(), ()))).await?;
                    }
                })
            })
            .collect();
        for player in players {
            player.await?.map_err(refused)?;
        }
        Ok(ACTIONS as f64 / started.elapsed().as_secs_f64())
    }
}

/// Plays the rounds of both in turn; returns the middle rate of each.
async fn alternate(
    one: &Played,
    other: &Played,
    of_round: impl Fn(usize, &Played) -> Vec<Arc<Table>>,
) -> anyhow::Result<(f64, f64)> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        ones.push(one.round(of_round(round, one)).await?);
        others.push(other.round(of_round(round, other)).await?);
    }
    Ok((middle(ones), middle(others)))
}

fn middle(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

async fn fill(
    store: &Store,
    numbers: std::ops::Range<usize>,
    make: impl Fn(usize) -> anyhow::Result<Commit>,
) -> anyhow::Result<Vec<GameId>> {
    let mut ids = Vec::with_capacity(numbers.len());
    let mut waiting = Vec::new();
    for number in numbers {
        let commit = make(number)?;
        ids.push(commit.id);
        waiting.push(store.commit_later(commit)?);
        if waiting.len() == AT_ONCE {
            futures_util::future::try_join_all(waiting.drain(..)).await?;
        }
    }
    for stored in futures_util::future::try_join_all(waiting).await? {
        stored?;
    }
    Ok(ids)
}

/// A game in which players came and left until its log was long.
fn drawn_out(number: usize) -> Result<Commit, store::StoreError> {
    let (commit, _) = seated_after(number, |game: &mut dyn AnyGame, now| {
        let mut rows = Vec::new();
        while game.mark().seq.0 + (SEATS as u64) < EVENTS_LONG {
            let sit = TableCommand::Sit { name: "A guest".into(), holder: Holder::Open };
            rows.extend(game.table(sit, now)?);
            rows.extend(game.table(TableCommand::Leave { seat: Seat(0) }, now)?);
        }
        Ok(rows)
    })?;
    Ok(commit)
}

fn refused(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!(problem.detail)
}
