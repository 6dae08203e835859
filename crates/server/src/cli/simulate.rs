//! `moot simulate`: whole games in process, with house minds.

use anyhow::bail;
use clap::Args;
use engine::chance::{Draw, Seed};
use engine::erased::{AnyGame, Founding, Kind};
use engine::game::{Logged, Progress};
use engine::id::GameId;
use engine::laws::entries;
use engine::roster::{Lang, TableCommand, Terms};
use engine::rules::Actor;
use engine::time::Timestamp;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use uuid::Uuid;

/// How much of a game the minds remember, as on the server.
const HEARD_MAX: usize = crate::play::live::HEARD_MAX;
const ACTIONS_MAX: usize = 100_000;

#[derive(Args)]
pub(super) struct Simulate {
    /// Which kind of game
    kind: String,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// What all chance follows from
    #[arg(long, default_value = "moot")]
    seed: String,
    /// Only games in this language; without it every other game is Korean
    #[arg(long, value_parser = spoken)]
    lang: Option<Lang>,
    /// A directory with content of your own: trial/*.json and tribunal/*.json are cases
    #[arg(long, env = "MOOT_BRIEFS")]
    briefs: Option<std::path::PathBuf>,
}

pub(super) fn run(simulate: &Simulate) -> anyhow::Result<()> {
    if let Some(directory) = &simulate.briefs {
        crate::briefs::add(directory)?;
    }
    let Some(kind) = games::catalog::by_name(&simulate.kind) else {
        let known: Vec<&str> = games::catalog::KINDS.iter().map(|kind| kind.meta.name).collect();
        bail!("there is no kind of game called {:?}; there is: {}", simulate.kind, known.join(", "));
    };
    let bar = ProgressBar::new(simulate.games);
    let started = Instant::now();
    let mut actions = 0;
    let mut results: BTreeMap<String, u64> = BTreeMap::new();
    let (mut speeches, mut again) = (0, 0);
    for number in 0..simulate.games {
        let lang = simulate.lang.unwrap_or(if number.is_multiple_of(2) { Lang::En } else { Lang::Ko });
        let played = one(kind, lang, &format!("{} {number}", simulate.seed), number);
        let (game, log, acts) =
            played.map_err(|broken| anyhow::anyhow!("game {number} of seed {:?}: {broken}", simulate.seed))?;
        check(kind, &game, &log)
            .map_err(|broken| anyhow::anyhow!("game {number} of seed {:?}: {broken}", simulate.seed))?;
        actions += acts;
        count(game.game.as_ref(), &log, &mut results);
        let said = said(game.game.as_ref(), &log);
        speeches += said.len();
        again += said.len() - said.iter().collect::<BTreeSet<_>>().len();
        bar.inc(1);
    }
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64().max(0.000_001);
    println!(
        "{} games, {actions} actions in {seconds:.2} s: {:.0} games/s, {:.0} actions/s",
        simulate.games,
        simulate.games as f64 / seconds,
        actions as f64 / seconds
    );
    println!("{speeches} speeches, {again} of them said before in their game, whatever names stood in them");
    let all: u64 = results.values().sum();
    for (result, times) in &results {
        println!("{times:>8}  {:>5.1}%  {result}", *times as f64 * 100.0 / all as f64);
    }
    Ok(())
}

fn spoken(word: &str) -> Result<Lang, String> {
    serde_json::from_value(json!(word)).map_err(|_| "a language is en or ko".to_owned())
}

type Simulated = (Finished, Vec<Logged>, u64);

/// A finished game and the seed it had.
struct Finished {
    game: Box<dyn AnyGame>,
    seed: Seed,
}

/// Plays one game of a kind between house minds, checks that its log replays, and returns how many acts it took.
pub fn play(kind: Kind, lang: Lang, seed: &str, number: u64) -> Result<u64, String> {
    let (finished, log, acts) = one(kind, lang, seed, number)?;
    check(kind, &finished, &log)?;
    Ok(acts)
}

fn one(kind: Kind, lang: Lang, seed: &str, number: u64) -> Result<Simulated, String> {
    let seed = Seed::chosen(seed);
    let id = GameId(Uuid::from_u128(u128::from(number) + 1));
    let mut now = Timestamp(1_800_000_000_000);
    let mut draw = Draw::from_number(number);
    let options = json!({"min_players": 3 + draw.below(6), "auto_advance_s": 0, "lang": lang});
    let founding = Founding { id, seed, options: &options, terms: Terms { lang, ..Terms::default() }, now };
    let (mut game, first) = (kind.found)(founding).map_err(|refused| refused.sentence)?;
    let mut log = vec![first];
    let names = crate::play::seats::house_names(lang, game.seating().seats_min, &mut draw);
    log.extend(game.table(TableCommand::Fill { names }, now).map_err(|refused| refused.sentence)?);
    if game.progress() == Progress::Table {
        log.extend(game.table(TableCommand::Start, now).map_err(|refused| refused.sentence)?);
    }
    let mut acts = 0;
    while game.progress() != Progress::Over {
        now = Timestamp(now.0 + 1000);
        let (actor, body) = step(game.as_ref(), &log)?;
        let rows = game.act(actor, &body, now).map_err(|refused| format!("{actor:?} {body}: {}", refused.sentence))?;
        log.extend(rows);
        acts += 1;
        if acts > ACTIONS_MAX as u64 {
            return Err(format!("not over after {ACTIONS_MAX} actions"));
        }
    }
    Ok((Finished { game, seed }, log, acts))
}

fn step(game: &dyn AnyGame, log: &[Logged]) -> Result<(Actor, Value), String> {
    let seat = game.turns().into_iter().find_map(|turn| match turn.who {
        Actor::Seat(seat) => Some(seat),
        Actor::Host | Actor::Clock => None,
    });
    match (seat, game.alarm()) {
        (Some(seat), _) => {
            let heard = entries(&log[log.len().saturating_sub(HEARD_MAX)..]);
            Ok((Actor::Seat(seat), game.mind(seat, &heard)))
        }
        (None, Some(alarm)) => Ok((Actor::Clock, alarm.act)),
        (None, None) => Err("nobody is awaited in a game that is not over".into()),
    }
}

/// The log must replay to the same bytes.
fn check(kind: Kind, played: &Finished, log: &[Logged]) -> Result<(), String> {
    let first = log.first().ok_or("an empty log")?;
    let id = played.game.id();
    let (mut again, _) = (kind.replay_first)(id, played.seed, first.mark.at, &first.body, first.hash)
        .map_err(|corrupt| corrupt.to_string())?;
    for row in &log[1..] {
        again.replay(row.mark, row.body.clone(), row.hash).map_err(|corrupt| corrupt.to_string())?;
    }
    if again.snapshot() == played.game.snapshot() { Ok(()) } else { Err("the log replays to another state".into()) }
}

/// What seats said in a game, without the names of those who sat there.
fn said(game: &dyn AnyGame, log: &[Logged]) -> Vec<String> {
    let lines = log.iter().filter_map(|row| row.line.as_ref()).filter(|line| line.seat.is_some());
    let nameless = |text: &String| {
        let mut text = text.clone();
        for (seat, _) in game.roster().iter() {
            text = text.replace(game.roster().name(seat), "{}");
        }
        text
    };
    lines.filter_map(|line| line.text.as_ref()).map(nameless).collect()
}

/// Counts decisions and verdicts over all games.
fn count(game: &dyn AnyGame, log: &[Logged], results: &mut BTreeMap<String, u64>) {
    if let Some(verdict) = game.result().as_ref().and_then(|result| result.get("verdict")).and_then(Value::as_str) {
        *results.entry(verdict.to_owned()).or_default() += 1;
    }
    if let Some(adopted) = game.result().as_ref().and_then(|result| result.get("adopted")).and_then(Value::as_u64) {
        *results.entry(format!("{adopted} of 4 issues adopted")).or_default() += 1;
    }
    let payloads = log.iter().filter_map(|row| row.line.as_ref()).filter_map(|line| line.payload.as_ref());
    for decision in payloads.filter_map(|payload| payload.get("decision")).filter_map(Value::as_str) {
        *results.entry(decision.to_owned()).or_default() += 1;
    }
}
