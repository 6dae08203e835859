//! The rules alone: decide, evolve, event bytes and hash chain, in process on one core.

use super::{MEASURE_MS, Row};
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Progress};
use engine::id::{AccountId, GameId, Seat};
use engine::laws::entries;
use engine::parts::field::Field;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Refused, Rules as _};
use engine::time::Timestamp;
use games::trial::{self, Trial};
use games::trolley::{Act, Phase, Trolley};
use serde_json::json;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Steps per second of TextArena 0.7.4's negotiation game on a comparable machine.
const TEXTARENA_STEPS_PER_S: f64 = 21_000.0;
/// Actions per second of boardgame.io 0.50.2 on a comparable machine.
const BOARDGAME_IO_ACTIONS_PER_S: f64 = 5_400.0;
/// How much of one core a trial between house minds may take, in milliseconds.
const TRIAL_MS: f64 = 2.0;
/// Players at a table of the benchmarks.
pub(super) const SEATS: usize = 8;

pub(super) fn trolley() -> anyhow::Result<Row> {
    let argue = Command::Act(Act::Argue { round_id: Field::Missing, text: Field::Given(argument()) });
    let decide = Command::Act(Act::Decide {
        round_id: Field::Missing,
        decision: Field::Given("save_majority".into()),
        reason: Field::Missing,
        decisive_argument_id: Field::Missing,
    });
    let next = Command::Act(Act::Advance { action: Field::Given("next_phase".into()) });
    let started = Instant::now();
    let mut actions = 0u64;
    let mut number = 0;
    while started.elapsed() < Duration::from_millis(MEASURE_MS) {
        number += 1;
        let mut game = seated(number)?;
        let mut now = Timestamp(1_800_000_000_000);
        while game.progress() != Progress::Over {
            now = Timestamp(now.0 + 1);
            let state = game.state().ok_or_else(|| anyhow::anyhow!("not started"))?;
            let (actor, command) = match state.phase {
                Phase::Debate { argued, .. } => {
                    let silent =
                        (0..SEATS).map(Seat::at).find(|seat| *seat != state.roles.operator && !argued.has(*seat));
                    (Actor::Seat(silent.ok_or_else(|| anyhow::anyhow!("a phase without a silent seat"))?), &argue)
                }
                Phase::AwaitingDecision => (Actor::Seat(state.roles.operator), &decide),
                Phase::Resolved(_) | Phase::Dealing | Phase::Completed(_) => (Actor::Host, &next),
            };
            std::hint::black_box(game.apply(actor, command, now).map_err(|refused| anyhow::anyhow!(refused.sentence))?);
            actions += 1;
        }
    }
    let rate = actions as f64 / started.elapsed().as_secs_f64();
    Ok(Row::rate(
        "rules",
        "actions/s",
        rate,
        TEXTARENA_STEPS_PER_S,
        "TextArena 0.7.4 negotiation steps/s (constant)",
        50.0,
    ))
}

/// The thirty actions of a trial, speeches of 200 characters.
pub(super) fn trial() -> anyhow::Result<Row> {
    let speak = Command::Act(trial::Act::Speak { text: Field::Given(argument()) });
    let vote = Command::Act(trial::Act::Vote { verdict: Field::Given("GUILTY".into()), reason: Field::Missing });
    let setup = Trial::setup(&json!({"case_id": "case_001"}))?;
    let started = Instant::now();
    let mut actions = 0u64;
    let mut number = 0;
    while started.elapsed() < Duration::from_millis(MEASURE_MS) {
        number += 1;
        let mut now = Timestamp(1_800_000_000_000);
        let id = GameId(Uuid::from_u128(number));
        let (mut game, _) = Game::<Trial>::found(id, Seed::chosen("bench"), setup.clone(), Terms::default(), now);
        for seat in 0..trial::SEATS {
            let holder = Holder::Account(AccountId(Uuid::from_u128(seat as u128)));
            let sit = Command::Table(TableCommand::Sit { name: format!("Player {seat}").into(), holder });
            game.apply(Actor::Host, &sit, now).map_err(|refused| anyhow::anyhow!(refused.sentence))?;
        }
        while let Some(state) = game.state().filter(|state| !Trial::is_over(state)) {
            now = Timestamp(now.0 + 1);
            let submitted = state.phase.submitted();
            let seat = state.parties().find(|seat| !submitted.has(*seat));
            let seat = seat.ok_or_else(|| anyhow::anyhow!("a phase without anyone awaited"))?;
            let voting = matches!(state.phase, trial::Phase::JuryVote { .. });
            let command = if voting { &vote } else { &speak };
            let rows = game.apply(Actor::Seat(seat), command, now);
            std::hint::black_box(rows.map_err(|refused| anyhow::anyhow!(refused.sentence))?);
            actions += 1;
        }
    }
    let rate = actions as f64 / started.elapsed().as_secs_f64();
    let against = "boardgame.io 0.50.2, the same thirty actions a game (constant)";
    Ok(Row::rate("trial", "actions/s", rate, BOARDGAME_IO_ACTIONS_PER_S, against, 50.0))
}

/// A whole trial between house minds: everything that is said is heard, weighed and answered. One in each language, in turn.
pub(super) fn minds() -> anyhow::Result<Row> {
    let setups = ["en", "ko"].map(|lang| Trial::setup(&json!({"lang": lang})));
    let started = Instant::now();
    let mut trials = 0u32;
    while started.elapsed() < Duration::from_millis(MEASURE_MS) {
        let setup = setups[trials as usize % setups.len()].clone()?;
        trials += 1;
        let now = Timestamp(1_800_000_000_000);
        let (id, seed) = (GameId(Uuid::from_u128(trials.into())), Seed::chosen(&trials.to_string()));
        let (mut game, _) = Game::<Trial>::found(id, seed, setup, Terms::default(), now);
        let names = (0..trial::SEATS).map(|seat| format!("House {seat}").into()).collect();
        let refused = |refused: Refused| anyhow::anyhow!(refused.sentence);
        let mut log = game.apply(Actor::Host, &Command::Table(TableCommand::Fill { names }), now).map_err(refused)?;
        while game.progress() != Progress::Over {
            let Some(Actor::Seat(seat)) = game.turns().first().map(|turn| turn.who) else {
                anyhow::bail!("nobody is awaited")
            };
            let body = game.mind(seat, &entries(&log));
            log.extend(game.apply(Actor::Seat(seat), &Command::Act(Trial::act(&body)?), now).map_err(refused)?);
        }
    }
    let ms = started.elapsed().as_secs_f64() * 1_000.0 / f64::from(trials);
    Ok(Row::cost("minds", "ms/trial", ms, TRIAL_MS, "what thirty actions between house minds may take (constant)", 1.0))
}

/// An argument of 200 characters.
pub(super) fn argument() -> String {
    let text =
        "The lever is heavy, but so is every name on either track, and nobody here asked to be a number in your sum. ";
    text.chars().cycle().take(199).chain(['.']).collect()
}

fn seated(number: u128) -> anyhow::Result<Game<Trolley>> {
    let now = Timestamp(1_800_000_000_000);
    let setup = Trolley::setup(&json!({}))?;
    let (mut game, _) =
        Game::found(GameId(Uuid::from_u128(number)), Seed::chosen("bench"), setup, Terms::default(), now);
    let mut table = |command| -> anyhow::Result<Vec<Logged>> {
        game.apply(Actor::Host, &Command::Table(command), now).map_err(|refused| anyhow::anyhow!(refused.sentence))
    };
    for seat in 0..SEATS {
        table(TableCommand::Sit { name: format!("Player {seat}").into(), holder: Holder::Open })?;
    }
    table(TableCommand::Start)?;
    Ok(game)
}
