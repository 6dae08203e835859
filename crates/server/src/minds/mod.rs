//! What moves games without a request: minds, alarms and turn limits. All of them act through the write path, as commands.
//!
//! A game that needs driving has one task. It sleeps until the next thing is due, does it like any other caller, and ends when nothing more
//! is due. So no two minds think for one seat at once. A language model may think for long: meanwhile the game goes on, and an answer to an
//! older version is thrown away.

mod anthropic;
pub mod demo;
mod guard;
pub mod helper;
mod model;
mod novelty;
mod openai;
pub mod prompt;
pub(crate) mod wire;

use crate::play;
use crate::play::House;
use crate::play::journal::MindFailed;
use crate::play::live::{HEARD_MAX, Shown, Table};
use crate::problem::{Answer, Problem};
use crate::settings::minds::{Choice, Model};
use engine::erased::AnyGame;
use engine::game::{Logged, Progress};
use engine::id::{Seat, Seq};
use engine::roster::TableCommand;
use engine::rules::{Actor, Call, FailedMind};
use engine::time::Timestamp;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use model::Running;
use prompt::Refused;
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Code, Failure};

/// How often a mind is asked for the same turn.
const ATTEMPTS_MAX: u32 = 3;
/// How often a model may be overtaken by the game before a house mind speaks for it; otherwise it might never get a word in.
const OVERTAKEN_MAX: u32 = 2;
/// How long a demo table plays on unwatched; then it stops until it is looked at again.
const UNWATCHED: Duration = Duration::from_secs(90);

/// What is due next.
enum Due {
    /// A mind plays its seat.
    Mind(Seat),
    /// A house mind plays one turn for a seat that let its time run out.
    StandIn(Seat),
    /// The clock's own act.
    Alarm(Value),
}

impl Due {
    fn seat(&self) -> Option<Seat> {
        match self {
            Due::Mind(seat) | Due::StandIn(seat) => Some(*seat),
            Due::Alarm(_) => None,
        }
    }
}

/// The house's `Driver`: wakes this game, and asks the helper about what was just said in it.
pub fn drive_on(house: &House, table: &Arc<Table>, rows: &[Logged]) {
    wake(house, table);
    helper::ask(house, table, rows);
}

/// Makes sure that a task drives this game if it needs one.
pub fn wake(house: &House, table: &Arc<Table>) {
    if next(house, table).is_some() && table.start_driving() {
        let (house, table) = (house.clone(), table.clone());
        tokio::spawn(async move {
            if AssertUnwindSafe(drive(&house, &table)).catch_unwind().await.is_err() {
                // A panic costs one step, not the game: another task takes over after a while.
                table.show_typing(None);
                tokio::time::sleep(house.settings.minds.retry).await;
                table.stop_driving();
                wake(&house, &table);
            }
        });
    }
}

/// Performs an alarm that is due at once and has not rung yet: nobody is refused for being quicker than the clock.
pub async fn catch_up(house: &House, table: &Arc<Table>) -> Answer<()> {
    let shown = table.shown();
    let owed = shown.game.alarm().filter(|alarm| alarm.after_s == 0 && shown.game.progress() == Progress::Playing);
    match owed {
        Some(alarm) => perform(house, table, Due::Alarm(alarm.act)).await.map(drop),
        None => Ok(()),
    }
}

/// What has been tried for the turn that is due.
#[derive(Default)]
struct Tried {
    version: Seq,
    attempts: u32,
    refused: Vec<Refused>,
    /// How often in a row a model was overtaken, across versions.
    overtaken: u32,
}

impl Tried {
    /// A new version is a new turn; only `overtaken` is kept.
    fn at(&mut self, version: Seq) {
        if self.version != version {
            *self = Tried { version, overtaken: self.overtaken, ..Tried::default() };
        }
    }
}

async fn drive(house: &House, table: &Arc<Table>) {
    let mut stopping = house.stopping.subscribe();
    let mut tried = Tried::default();
    // Before this moment no mind is asked again for the same version.
    let mut not_before = Instant::now();
    loop {
        let Some((at, due)) = next(house, table) else {
            table.stop_driving();
            // Something may have changed between the look and the flag.
            if next(house, table).is_some() && table.start_driving() {
                continue;
            }
            return;
        };
        tried.at(table.shown().game.mark().seq);
        let (at, due) = match due {
            // While a mind has to wait, the clock does not.
            Due::Mind(seat) if tried.attempts > 0 && at < not_before => {
                let other = next_but_minds(house, table).filter(|(at, _)| *at < not_before);
                other.unwrap_or((not_before, Due::Mind(seat)))
            }
            due => (at, due),
        };
        let pause = at.saturating_duration_since(Instant::now());
        if !pause.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = table.moved.notified() => continue,
                _ = stopping.changed() => return,
            }
        }
        if house.is_stopping() {
            return;
        }
        let version = table.shown().game.mark().seq;
        tried.at(version);
        let seat = due.seat();
        let done = match due {
            Due::Mind(seat) => mind(house, table, seat, &mut tried).await,
            Due::StandIn(_) | Due::Alarm(_) => perform(house, table, due).await.map(drop).map_err(refused),
        };
        let Err(failure) = done else { continue };
        if table.shown().game.mark().seq != version {
            // The game moved on while the mind thought: what it would have said is out of date.
            continue;
        }
        tried.attempts += 1;
        tracing::warn!(game = %table.id, code = failure.code.word(), attempt = tried.attempts, "a driver step failed");
        if let Some(seat) = seat {
            let shown = table.shown();
            failed(house, table, shown.game.as_ref(), seat, &failure, tried.attempts).await;
        }
        // A mind that was told what was wrong may try again at once, but not for ever.
        let told = failure.code == Code::Rejected && !tried.refused.is_empty() && tried.attempts < ATTEMPTS_MAX;
        let wait = if told { Duration::ZERO } else { failure.retry_after.unwrap_or(house.settings.minds.retry) };
        not_before = Instant::now() + wait.min(FAR);
        if tried.attempts >= ATTEMPTS_MAX {
            tried.refused.clear();
            // If not even that is accepted, it is tried again after a while.
            let _ = give_up(house, table, seat).await;
        }
    }
}

/// Logs that a mind gave nothing usable, and where its turn will be taken up again.
async fn failed(house: &House, table: &Table, game: &dyn AnyGame, seat: Seat, failure: &Failure, attempt: u32) {
    let no = table.no;
    let checkpoint = house.store.read(move |db| store::games::last_checkpoint(db, no)).await.ok().flatten();
    let answered = failure.http_status.map(|status| (status, failure.reason.as_str()));
    MindFailed { seat, code: failure.code.word(), attempt, checkpoint, answered }.log(house, game);
}

/// A refusal by the rules, as any other failure of a mind.
fn refused(problem: Problem) -> Failure {
    Failure::new(Code::Rejected, problem.detail)
}

/// Plays the turn of a seat that a mind has: by its model if it has one that may be asked, else by the house mind.
async fn mind(house: &House, table: &Arc<Table>, seat: Seat, tried: &mut Tried) -> Result<(), Failure> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    let asked = match (house.settings.minds.of(game, seat), game.call(seat)) {
        (Choice::Model(model), Some(call)) if tried.overtaken < OVERTAKEN_MAX => Some((model, call)),
        _ => None,
    };
    let Some((model, call)) = asked else {
        tried.overtaken = 0;
        return perform(house, table, Due::Mind(seat)).await.map(drop).map_err(refused);
    };
    match think(house, table, (seat, call, &model), tried).await {
        Err(failure) if failure.code.is_final() => {
            tracing::warn!(game = %table.id, reason = failure.reason, "a house mind plays instead of the model");
            failed(house, table, game, seat, &failure, tried.attempts + 1).await;
            perform(house, table, Due::Mind(seat)).await.map(drop).map_err(refused)
        }
        thought => thought,
    }
}

/// Lets a model think about its turn while the game may go on without it.
async fn think(
    house: &House,
    table: &Arc<Table>,
    (seat, call, model): (Seat, Call, &Model),
    tried: &mut Tried,
) -> Result<(), Failure> {
    let shown = table.shown();
    let version = shown.game.mark().seq;
    let attempt = tried.attempts + 1;
    let mut panel = Vec::new();
    for _ in 0..judges(house, shown.game.as_ref(), seat) {
        let begun = Running::begin(house, table, &shown, (seat, call, model), attempt, &tried.refused).await;
        match begun.map_err(refused)? {
            Ok(judge) => panel.push(judge),
            Err(failure) => {
                // A panel sits in full or not at all.
                for judge in panel {
                    judge.end(Some((failure.code.word(), &failure.reason))).await.map_err(refused)?;
                }
                return Err(failure);
            }
        }
    }
    let mut stopping = house.stopping.subscribe();
    let other = next_but_minds(house, table);
    let other_due = other.as_ref().map_or(FAR, |(at, _)| at.saturating_duration_since(Instant::now()));
    let thoughts = tokio::select! {
        thoughts = join_all(panel.iter_mut().map(Running::ask)) => Some(thoughts),
        () = table.moved_past(version) => None,
        () = tokio::time::sleep(other_due) => None,
        _ = stopping.changed() => None,
    };
    let Some(thoughts) = thoughts else {
        return overtaken(house, table, (panel, version), tried, other).await;
    };
    let sent = match agreed(house, table, &shown, &panel, &thoughts).await {
        Ok(body) => send(house, table, version, Actor::Seat(seat), &body).await.map_err(refused),
        Err(failure) => Err(failure),
    };
    if matches!(sent, Ok(false)) {
        return overtaken(house, table, (panel, version), tried, other).await;
    }
    tried.overtaken = 0;
    for (judge, thought) in panel.into_iter().zip(&thoughts) {
        // A judge's own failure, or else the refusal of what they agreed on.
        let failure = thought.as_ref().err().or(sent.as_ref().err());
        let said = judge.end(failure.map(|failure| (failure.code.word(), failure.reason.as_str()))).await;
        let output = said.map_err(refused)?;
        if let Some(Failure { code: Code::Rejected, reason, quoted, .. }) = failure
            && !output.trim().is_empty()
        {
            tried.refused.push(Refused { output, reason: reason.clone(), quoted: quoted.clone() });
        }
    }
    sent.map(drop)
}

/// How many models are asked: where the kind has a panel, several play its seat together.
fn judges(house: &House, game: &dyn AnyGame, seat: Seat) -> usize {
    if game.meta().panel == Some(seat) { house.settings.minds.judges } else { 1 }
}

/// What the models come to: the act of the only one, or the ruling of a panel of which more than half have answered.
async fn agreed(
    house: &House,
    table: &Table,
    shown: &Shown,
    asked: &[Running],
    thoughts: &[Result<Value, Failure>],
) -> Result<Value, Failure> {
    let game = shown.game.as_ref();
    let Some(first) = asked.first() else { return Err(Failure::new(Code::Empty, "Nobody was asked.")) };
    let sound: Vec<Value> = thoughts.iter().filter_map(|thought| thought.as_ref().ok().cloned()).collect();
    if sound.len() * 2 <= thoughts.len() {
        let failure = thoughts.iter().find_map(|thought| thought.as_ref().err().cloned());
        return Err(failure.unwrap_or_else(|| Failure::new(Code::Empty, "Too few have answered.")));
    }
    let body = match <[Value; 1]>::try_from(sound) {
        Ok([one]) => one,
        Err(several) => panel(house, game, &several)
            .ok_or_else(|| Failure::new(Code::Rejected, "The judges did not rule on the same thing."))?,
    };
    if let Some(failure) =
        novelty::rehashed(house, table, game, first.seat, &body).await.map_err(|e| refused(e.into()))?
    {
        return Err(failure);
    }
    // All on a panel have the same prompt.
    match first.guard.recited(&body) {
        Some(reason) => Err(Failure::new(Code::Rejected, reason)),
        None => Ok(body),
    }
}

fn panel(house: &House, game: &dyn AnyGame, acts: &[Value]) -> Option<Value> {
    let kind = house.settings.catalog.by_name(game.kind())?;
    (kind.panel)(game.terms().lang, acts)
}

/// The game went on without the models that were thinking; if something else is due, it is done now.
async fn overtaken(
    house: &House,
    table: &Arc<Table>,
    (panel, version): (Vec<Running>, Seq),
    tried: &mut Tried,
    other: Option<(Instant, Due)>,
) -> Result<(), Failure> {
    tried.overtaken += 1;
    for judge in panel {
        judge.end(Some(("AI_OVERTAKEN", "The game had moved on."))).await.map_err(refused)?;
    }
    match other {
        // Only what was due in this version: the next one has its own time.
        Some((at, due)) if at <= Instant::now() && table.shown().game.mark().seq == version => {
            perform(house, table, due).await.map(drop).map_err(refused)
        }
        Some(_) | None => Ok(()),
    }
}

/// Longer than any call of a model.
const FAR: Duration = Duration::from_secs(60 * 60);

/// What happens when nothing usable comes from a mind. Where the kind says so, its turn is passed over; elsewhere the house mind plays it,
/// as for any player who is silent too long, and if not even that is accepted it is passed over too.
async fn give_up(house: &House, table: &Arc<Table>, seat: Option<Seat>) -> Answer<bool> {
    let shown = table.shown();
    let failed = json!({"type": "MIND_FAILED"});
    let passed_over = || send(house, table, shown.game.mark().seq, Actor::Clock, &failed);
    match (shown.game.meta().failed_mind, seat) {
        (FailedMind::IsPassedOver, _) | (_, None) => passed_over().await,
        (FailedMind::StandsIn, Some(seat)) => match perform(house, table, Due::StandIn(seat)).await {
            Ok(done) => Ok(done),
            Err(_) => passed_over().await,
        },
    }
}

/// What is due next in this game, and when: by the clock that runs evenly, whatever happens to the one that tells the time.
fn next(house: &House, table: &Table) -> Option<(Instant, Due)> {
    dues(house, table)?.into_iter().flatten().min_by_key(|(at, _)| *at)
}

/// The same, without the turn of a mind.
fn next_but_minds(house: &House, table: &Table) -> Option<(Instant, Due)> {
    let [alarm, _, limit] = dues(house, table)?;
    [alarm, limit].into_iter().flatten().min_by_key(|(at, _)| *at)
}

/// The next alarm, the next turn of a mind and the next turn limit.
fn dues(house: &House, table: &Table) -> Option<[Option<(Instant, Due)>; 3]> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    if game.progress() != Progress::Playing {
        return None;
    }
    if game.terms().demo && table.seen_at().max(house.visited_at()).elapsed() > UNWATCHED {
        return None;
    }
    let alarm = game.alarm();
    let anyone_but_people = game.roster().iter().any(|(_, seat)| seat.house);
    if alarm.is_none() && !anyone_but_people && game.terms().turn_limit_s.is_none() {
        return None;
    }
    let since = shown.since;
    // After a restart silent seats get their full time again.
    let since_start = since.max(house.started_at);
    let alarm = alarm.map(|alarm| (after_s(since, alarm.after_s), Due::Alarm(alarm.act)));
    let awaited = awaited(game);
    let may_speak = if game.meta().in_turn { awaited.len().min(1) } else { awaited.len() };
    let minds: Vec<Seat> = awaited[..may_speak].iter().copied().filter(|seat| game.roster().is_house(*seat)).collect();
    let mind = (!minds.is_empty()).then(|| {
        // Not always the same seat first: the version decides which of several goes.
        let seat = minds[game.mark().seq.0 as usize % minds.len()];
        (since + Duration::from_millis(game.terms().pace_ms.into()), Due::Mind(seat))
    });
    let silent = awaited.into_iter().find(|seat| !game.roster().is_house(*seat));
    let limit = game
        .terms()
        .turn_limit_s
        .zip(silent)
        .map(|(limit_s, seat)| (after_s(since_start, limit_s), Due::StandIn(seat)));
    Some([alarm, mind, limit])
}

fn after_s(since: Instant, seconds: u32) -> Instant {
    since + Duration::from_secs(seconds.into())
}

fn awaited(game: &dyn AnyGame) -> Vec<Seat> {
    let seat = |actor| match actor {
        Actor::Seat(seat) => Some(seat),
        Actor::Host | Actor::Clock => None,
    };
    game.turns().into_iter().filter_map(|turn| seat(turn.who)).collect()
}

/// Hands over every seat that let its time run out: all were awaited equally long.
fn hand_the_silent(game: &mut dyn AnyGame, now: Timestamp) -> Answer<Vec<Logged>> {
    let silent: Vec<Seat> = awaited(game).into_iter().filter(|seat| !game.roster().is_house(*seat)).collect();
    let mut rows = Vec::new();
    for seat in silent {
        rows.extend(game.table(TableCommand::Hand { seat, by_host: true }, now)?);
    }
    Ok(rows)
}

/// Does what is due, with a house mind where a mind is needed. False if the game had moved on.
async fn perform(house: &House, table: &Arc<Table>, due: Due) -> Answer<bool> {
    let shown = table.shown();
    let version = shown.game.mark().seq;
    match due {
        Due::Alarm(act) => send(house, table, version, Actor::Clock, &act).await,
        Due::Mind(seat) => {
            let body = shown.game.mind(seat, &table.said(house, &shown, HEARD_MAX).await?);
            let own_line = novelty::meets(shown.game.as_ref(), seat, &body).filter(|meeting| meeting.own_line);
            let Some(meeting) = own_line else { return send(house, table, version, Actor::Seat(seat), &body).await };
            // One such line at a time in the whole house, so that a line just said in another game is not said again.
            let _one = house.giving.lock().await;
            let body = novelty::still_fresh(house, table, meeting, body).await?;
            send(house, table, version, Actor::Seat(seat), &body).await
        }
        Due::StandIn(seat) => {
            let body = shown.game.mind(seat, &table.said(house, &shown, HEARD_MAX).await?);
            at_version(house, table, version, |game, now| {
                // Where results count, no house mind may win for a player: a silent one has left.
                let silent = !game.roster().is_house(seat);
                if game.terms().rated && silent {
                    hand_the_silent(game, now)
                } else {
                    Ok(game.stand_in(seat, &body, now)?)
                }
            })
            .await
        }
    }
}

/// Sends an act into the game, unless it has moved on.
async fn send(house: &House, table: &Arc<Table>, version: Seq, actor: Actor, body: &Value) -> Answer<bool> {
    let seat = match actor {
        Actor::Seat(seat) => Some(seat),
        Actor::Host | Actor::Clock => None,
    };
    let in_time = |game: &dyn AnyGame| game.mark().seq == version;
    let changed = play::change_knowing(
        house,
        table,
        None,
        |game, _| Ok(game.needs(actor, body).filter(|_| in_time(game)).map(|need| (seat, need))),
        |game, supply, now| {
            let in_time = in_time(game);
            let body = game.supplied(body, supply);
            Ok((if in_time { play::act(game, actor, &body, now)? } else { vec![] }, in_time))
        },
    );
    Ok(changed.await?.as_ref() == b"true")
}

/// Changes the game if it is still at this version, and says whether it was. A change that comes too late is discarded.
async fn at_version(
    house: &House,
    table: &Arc<Table>,
    version: Seq,
    decide: impl Fn(&mut dyn AnyGame, Timestamp) -> Answer<Vec<Logged>>,
) -> Answer<bool> {
    let changed = play::change(house, table, None, |game, now| {
        let in_time = game.mark().seq == version;
        Ok((if in_time { decide(game, now)? } else { vec![] }, in_time))
    });
    Ok(changed.await?.as_ref() == b"true")
}
