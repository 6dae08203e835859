//! What moves games by itself: house minds, alarms and turn limits. All of it comes back in at the top, as commands.
//!
//! A game that needs driving has one task. It sleeps until the next thing is due, does it through the write path like
//! anybody else, and ends when nothing more is due.

pub mod demo;

use crate::house::House;
use crate::journal;
use crate::live::{HEARD_MAX, Table};
use crate::play;
use crate::problem::Answer;
use engine::erased::AnyGame;
use engine::game::{Logged, Progress};
use engine::id::Seat;
use engine::roster::TableCommand;
use engine::rules::Actor;
use engine::time::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How long to wait after a mind was refused before it is asked again.
const RETRY_MS: i64 = 5_000;
/// How often a mind is asked for the same turn.
const ATTEMPTS_MAX: u32 = 3;
/// A demo table nobody has looked at for so long stops playing until somebody does.
const UNWATCHED_MS: i64 = 90_000;

/// What is due next.
enum Due {
    /// A house mind plays its seat.
    Mind(Seat),
    /// A house mind plays one turn for a seat that let its time run out.
    StandIn(Seat),
    /// The clock's own act.
    Alarm(Value),
}

/// Makes sure that somebody drives this game if it needs it.
pub fn wake(house: &House, table: &Arc<Table>) {
    if next(house, table).is_some() && table.start_driving() {
        let (house, table) = (house.clone(), table.clone());
        tokio::spawn(async move { drive(&house, &table).await });
    }
}

async fn drive(house: &House, table: &Arc<Table>) {
    let mut stopping = house.stopping.subscribe();
    let mut attempt = 0;
    let mut wait_ms = 0;
    loop {
        let Some((at, due)) = next(house, table) else {
            table.stop_driving();
            // Something may have changed between the look and the flag.
            if next(house, table).is_some() && table.start_driving() {
                continue;
            }
            return;
        };
        let sleep_ms = (at.0 - house.now().0).max(wait_ms).max(0) as u64;
        if sleep_ms > 0 {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(sleep_ms)) => {}
                () = table.moved.notified() => { wait_ms = 0; continue }
                _ = stopping.changed() => return,
            }
        }
        if house.is_stopping() {
            return;
        }
        let seat = match &due {
            Due::Mind(seat) | Due::StandIn(seat) => Some(*seat),
            Due::Alarm(_) => None,
        };
        let version = table.shown().game.mark().seq;
        match perform(house, table, due).await {
            Ok(()) => (attempt, wait_ms) = (0, 0),
            // The game moved on while the mind thought: what it would have said is out of date.
            Err(_) if table.shown().game.mark().seq != version => {}
            Err(problem) => {
                attempt += 1;
                wait_ms = RETRY_MS;
                tracing::warn!(game = %table.id, detail = problem.detail, "a step was refused");
                if let Some(seat) = seat {
                    journal::mind_failed(house, table.shown().game.as_ref(), seat, "AI_REJECTED", attempt, version.0);
                }
                if attempt >= ATTEMPTS_MAX && give_up(house, table).await.is_ok() {
                    (attempt, wait_ms) = (0, 0);
                }
            }
        }
    }
}

/// Tells the rules that nothing usable comes from the mind they called on; kinds that know no such thing refuse it.
async fn give_up(house: &House, table: &Arc<Table>) -> Answer<()> {
    let failed = json!({"type": "MIND_FAILED"});
    let told = play::change(house, table, None, |game, now| Ok((play::act(game, Actor::Clock, &failed, now)?, ())));
    told.await.map(drop)
}

/// What is due next in this game, and when.
fn next(house: &House, table: &Table) -> Option<(Timestamp, Due)> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    if game.progress() != Progress::Playing {
        return None;
    }
    let now = house.now();
    if game.terms().demo && table.seen_at(now).0.max(house.visited_at().0) + UNWATCHED_MS < now.0 {
        return None;
    }
    let alarm = game.alarm();
    let anyone_but_people = game.roster().iter().any(|(_, seat)| seat.house);
    if alarm.is_none() && !anyone_but_people && game.terms().turn_limit_s.is_none() {
        return None;
    }
    let since = game.mark().at;
    // After a restart the silent get their full time again.
    let since_start = since.max(house.started_at);
    let alarm = alarm.map(|alarm| (since.plus_s(alarm.after_s), Due::Alarm(alarm.act)));
    let awaited = awaited(game);
    let may_speak = if game.in_turn() { awaited.len().min(1) } else { awaited.len() };
    let minds: Vec<Seat> = awaited[..may_speak].iter().copied().filter(|seat| game.roster().is_house(*seat)).collect();
    let mind = (!minds.is_empty()).then(|| {
        // Not always the same seat first: whose turn it is among several follows the version.
        let seat = minds[game.mark().seq.0 as usize % minds.len()];
        (Timestamp(since.0 + i64::from(game.terms().pace_ms)), Due::Mind(seat))
    });
    let silent = awaited.into_iter().find(|seat| !game.roster().is_house(*seat));
    let limit =
        game.terms().turn_limit_s.zip(silent).map(|(limit_s, seat)| (since_start.plus_s(limit_s), Due::StandIn(seat)));
    [alarm, mind, limit].into_iter().flatten().min_by_key(|(at, _)| *at)
}

fn awaited(game: &dyn AnyGame) -> Vec<Seat> {
    let seat = |actor| match actor {
        Actor::Seat(seat) => Some(seat),
        Actor::Host | Actor::Clock => None,
    };
    game.turns().into_iter().filter_map(|turn| seat(turn.who)).collect()
}

/// Hands every seat over that let its time run out: they were all awaited as long.
fn hand_the_silent(game: &mut dyn AnyGame, now: Timestamp) -> Answer<Vec<Logged>> {
    let silent: Vec<Seat> = awaited(game).into_iter().filter(|seat| !game.roster().is_house(*seat)).collect();
    let mut rows = Vec::new();
    for seat in silent {
        rows.extend(game.table(TableCommand::Hand { seat, by_host: true }, now)?);
    }
    Ok(rows)
}

async fn perform(house: &House, table: &Arc<Table>, due: Due) -> Answer<()> {
    let shown = table.shown();
    let version = shown.game.mark().seq;
    let (body, stand_in, actor) = match due {
        Due::Alarm(act) => (act, None, Actor::Clock),
        Due::Mind(seat) => {
            (shown.game.mind(seat, &table.said(house, &shown, HEARD_MAX).await?), None, Actor::Seat(seat))
        }
        Due::StandIn(seat) => {
            (shown.game.mind(seat, &table.said(house, &shown, HEARD_MAX).await?), Some(seat), Actor::Seat(seat))
        }
    };
    let answer = play::change(house, table, None, |game, now| {
        if game.mark().seq != version {
            // Late for an older version: discarded, and looked at afresh.
            return Ok((vec![], Value::Null));
        }
        let rows = match stand_in {
            // Where results count, nobody lets a house mind win for it: whoever is silent has left.
            Some(_) if game.terms().rated => hand_the_silent(game, now)?,
            Some(seat) => game.stand_in(seat, &body, now)?,
            None => play::act(game, actor, &body, now)?,
        };
        Ok((rows, json!({})))
    });
    answer.await.map(drop)
}
