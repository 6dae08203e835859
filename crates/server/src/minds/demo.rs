//! Demo tables, which play themselves at a watchable pace while there are visitors, and the rounds that look after all tables.

use super::wake;
use crate::play::House;
use crate::play::disk;
use crate::play::live;
use crate::play::seats::house_names;
use crate::play::{self, Plan};
use crate::problem::Answer;
use crate::settings::minds::Choice;
use engine::chance::Draw;
use engine::erased::Kind;
use engine::game::Progress;
use engine::id::GameId;
use engine::roster::{Lang, TableCommand, Terms};
use engine::time::Timestamp;
use games::{at_progress, old_demos};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use store::GameFilter;
use store::games;

/// How often the house looks after its tables.
const ROUNDS: Duration = Duration::from_secs(4);
/// How long house minds at demo tables think.
const PACE_MS: u32 = 3_500;
/// How long a finished demo game stays before the next one opens.
const ENCORE_MS: i64 = 20_000;
/// Finished demo games that are kept.
const KEPT_MAX: usize = 200;
/// How many tables one round closes or removes at most.
const CLEARED_MAX: usize = 50;
/// How long a table that was closed unplayed is kept, so that its link still says what became of it.
const CLOSED_KEPT_MS: i64 = 24 * HOUR_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const MINUTE_MS: i64 = 60 * 1000;
/// After this long without a visitor, no new demo game is opened.
const UNVISITED: Duration = Duration::from_secs(10 * 60);

/// Looks after the tables until the server stops: resumes, opens demos, expires, sweeps.
pub async fn keep(house: House) {
    let mut stopping = house.stopping.subscribe();
    if let Err(problem) = resume(&house).await {
        tracing::error!(detail = problem.detail, "could not resume games");
    }
    loop {
        if let Err(problem) = round(&house).await {
            tracing::error!(detail = problem.detail, "looking after the tables failed");
        }
        tokio::select! {
            () = tokio::time::sleep(ROUNDS) => {}
            _ = stopping.changed() => return,
        }
    }
}

/// Wakes every game that was being played when the server stopped.
async fn resume(house: &House) -> Answer<()> {
    for (id, _) in house.store.read(|db| at_progress(db, Progress::Playing)).await? {
        match live::table(house, id).await {
            Ok(table) => wake(house, &table),
            Err(problem) => tracing::error!(game = %id, detail = problem.detail, "a game cannot be resumed"),
        }
    }
    Ok(())
}

pub async fn round(house: &House) -> Answer<()> {
    disk::measure(house);
    clear_tables(house).await?;
    if house.settings.demo_tables > 0 && house.visited_at().elapsed() < UNVISITED {
        demos(house).await?;
    }
    house.tables.sweep();
    house.limits.sweep();
    Ok(())
}

/// Closes tables that have waited too long, and removes those that were closed a day ago: nothing was played there. One that fails does
/// not keep the others.
async fn clear_tables(house: &House) -> Answer<()> {
    let (now, limits) = (house.now(), &house.settings.limits);
    let before = |ms: i64| Timestamp(now.0 - ms);
    let idle = before(i64::from(limits.table_waits_hours) * HOUR_MS);
    let empty = before(i64::from(limits.empty_table_waits_minutes) * MINUTE_MS);
    for id in house.store.read(move |db| games::idle_tables(db, idle, empty, CLEARED_MAX)).await? {
        let expired = async {
            let table = live::table(house, id).await?;
            play::change(house, &table, None, |game, now| Ok((game.table(TableCommand::Expire, now)?, json!({})))).await
        };
        if let Err(problem) = expired.await {
            tracing::warn!(game = %id, detail = problem.detail, "an idle table could not be closed");
        }
    }
    let closed = before(CLOSED_KEPT_MS);
    for id in house.store.read(move |db| games::ended_as(db, "expired", closed, CLEARED_MAX)).await? {
        remove(house, id, "expired").await?;
    }
    Ok(())
}

async fn demos(house: &House) -> Answer<()> {
    let now = house.now();
    let newest = GameFilter { demo: Some(true), limit: house.settings.demo_tables * 2, ..GameFilter::default() };
    let newest = house.store.read(move |db| games::list(db, &newest)).await?;
    let mut on_show: Vec<String> = Vec::new();
    for game in &newest {
        if !game.over || (0..ENCORE_MS).contains(&(now.0 - game.at.0)) {
            on_show.push(game.kind.clone());
        }
        if !game.over {
            let table = live::table_unseen(house, game.id).await?;
            wake(house, &table);
        }
    }
    for _ in on_show.len()..house.settings.demo_tables {
        // The kind that is shown least.
        let shown = |kind: &Kind| on_show.iter().filter(|shown| *shown == kind.meta.name).count();
        let kind = house.settings.catalog.iter().min_by_key(shown).expect("there are kinds");
        open(house, kind).await?;
        on_show.push(kind.meta.name.to_owned());
    }
    for old in house.store.read(|db| old_demos(db, KEPT_MAX)).await? {
        remove(house, old, "retention").await?;
    }
    Ok(())
}

async fn open(house: &House, kind: Kind) -> Answer<()> {
    let now = house.now();
    let mut draw = Draw::from_number(now.0 as u64 ^ house.tables.len() as u64);
    let lang = if draw.odds(1, 3) { Lang::Ko } else { Lang::En };
    // Tables that play themselves for spectators must not cost anything.
    let mind = Some(Arc::from(Choice::House.to_string()));
    let terms = Terms { demo: true, pace_ms: PACE_MS, lang, mind, ..Terms::default() };
    let (seats, mut options) = (kind.meta.demo)(&mut draw);
    options["lang"] = json!(lang);
    let fill = TableCommand::Fill { names: house_names(lang, seats, &mut draw) };
    // A table that starts when it is full needs no command to start.
    let starts_when_full = (kind.seating)(&options)?.starts_when_full;
    let start = (!starts_when_full).then_some(TableCommand::Start);
    let then = [fill].into_iter().chain(start).collect();
    play::found(house, Plan { kind, options: &options, terms, seed: None, opened_from: None, then }).await?;
    Ok(())
}

/// Removes a game from the store and from memory, leaving its tombstone.
pub async fn remove(house: &House, id: GameId, reason: &'static str) -> Answer<bool> {
    let now = house.now();
    let removed = house.store.forget(id, reason.to_owned(), now).await?;
    house.tables.drop(id);
    Ok(removed)
}
