//! What must hold of every kind: random play against the contract, for the tests of the kinds and for `moot simulate`.
//!
//! Each law plays one game that follows from a number and says what broke, or nothing.

use crate::chain::Hash;
use crate::chance::{Draw, Seed};
use crate::game::{Command, Game, Logged, Progress, Recorded, heard};
use crate::id::{AccountId, GameId, Seat};
use crate::parts::transcript::Entry;
use crate::roster::{Holder, TableCommand, Terms};
use crate::rules::{Actor, Offer, Refused, Rules, Shape, Viewer};
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use uuid::Uuid;

/// No game may take more commands than this.
const COMMANDS_MAX: usize = 200_000;
/// How often a random player tries something that is likely to be refused, in percent.
const MISCHIEF_PERCENT: usize = 20;

/// For how many of the latest entries the laws compare how they were heard.
const READINGS_MAX: usize = 6;
/// One command in this many is one that no turn announces, where the kind has any.
const UNANNOUNCED_ONE_IN: usize = 5;

/// What a kind keeps from whom, so that a law can vary it.
pub trait Secrets: Rules {
    /// Another body that `viewer` must not be able to tell from this one before it is opened, if there is one.
    fn twin(state: &Self::State, actor: Actor, body: &Value, viewer: Viewer) -> Option<Value>;

    /// A command that is accepted now although no turn announces it, because it rests on something that the rules do not know.
    fn unannounced(_state: &Self::State, _draw: &mut Draw) -> Option<(Actor, Value)> {
        None
    }
}

/// A game with its log.
pub struct Played<R: Rules> {
    pub game: Game<R>,
    pub log: Vec<Logged>,
    now: Timestamp,
}

impl<R: Rules> Clone for Played<R> {
    fn clone(&self) -> Self {
        Played { game: self.game.clone(), log: self.log.clone(), now: self.now }
    }
}

impl<R: Rules> Played<R> {
    /// A game that follows from a number, with its seats taken and started.
    pub fn start(number: u64, options: &Value, seats: usize) -> Result<Self, String> {
        Self::start_with(number, options, seats, holder::<R>)
    }

    /// The same with the house in every seat.
    pub fn start_house(number: u64, options: &Value, seats: usize) -> Result<Self, String> {
        Self::start_with(number, options, seats, |_, _, _| Holder::House)
    }

    fn start_with(
        number: u64,
        options: &Value,
        seats: usize,
        holder: impl Fn(&Game<R>, usize, u64) -> Holder,
    ) -> Result<Self, String> {
        let id = GameId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | u128::from(number)));
        let setup = R::setup(options).map_err(|refusal| format!("setup: {refusal}"))?;
        let now = Timestamp(1_800_000_000_000);
        let (game, first) = Game::found(id, Seed::chosen(&number.to_string()), setup, Terms::default(), now);
        let mut played = Played { game, log: vec![first], now };
        for index in 0..seats {
            let name = Arc::from(format!("Player {}", index + 1));
            let holder = holder(&played.game, index, 0);
            played.command(Actor::Host, &Command::Table(TableCommand::Sit { name, holder }))?;
        }
        if played.game.progress() == Progress::Table {
            played.command(Actor::Host, &Command::Table(TableCommand::Start))?;
        }
        Ok(played)
    }

    fn command(&mut self, actor: Actor, command: &Command<R::Act>) -> Result<(), String> {
        self.now = Timestamp(self.now.0 + 250);
        let rows = self.game.apply(actor, command, self.now).map_err(|refused| refused.sentence)?;
        self.log.extend(rows);
        Ok(())
    }

    /// Sends a body as a client would.
    pub fn send(&mut self, actor: Actor, body: &Value) -> Result<(), Refused> {
        self.now = Timestamp(self.now.0 + 250);
        let act = R::act(body)?;
        let rows = self.game.apply(actor, &Command::Act(act), self.now)?;
        self.log.extend(rows);
        Ok(())
    }

    /// The transcript so far.
    pub fn said(&self) -> Vec<Entry> {
        entries(&self.log)
    }

    /// The same game with only the rows of its log from `row` on.
    pub fn since(&self, row: usize) -> Self {
        Played { game: self.game.clone(), log: self.log[row..].to_vec(), now: self.now }
    }

    /// Everything this viewer can get at, on every channel, as bytes.
    pub fn channels(&self, viewer: Viewer) -> Vec<u8> {
        let said = entries(&self.log);
        let mut bytes = serde_json::to_vec(&self.game.view(viewer, &said)).expect("a view serialises");
        bytes.extend(self.told(viewer));
        let read = heard(viewer, &said);
        // Only the latest: this runs at every step of a game.
        let readings: Vec<_> = read.iter().rev().take(READINGS_MAX).map(|entry| self.game.heard(entry)).collect();
        bytes.extend(format!("{read:?} {readings:?}").into_bytes());
        bytes.extend(format!("{:?} {:?}", self.game.turns(), self.game.result()).into_bytes());
        bytes
    }

    /// What this viewer is told of every row by now, and the rows that are open.
    fn told(&self, viewer: Viewer) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in &self.log {
            let event: Recorded<R> = serde_json::from_slice(&row.body).expect("our own row reads back");
            let told = self.game.tell(&event, row.mark, viewer);
            serde_json::to_writer(&mut bytes, &told).expect("a message serialises");
            if self.game.opens(&event) {
                bytes.extend_from_slice(&row.body);
            }
        }
        bytes
    }
}

/// The transcript that a log gives.
pub fn entries(log: &[Logged]) -> Vec<Entry> {
    log.iter()
        .filter_map(|row| {
            let line = row.line.clone()?;
            Some(Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line })
        })
        .collect()
}

fn holder<R: Rules>(game: &Game<R>, index: usize, world: u64) -> Holder {
    let number = (index as u64) << 8 | world;
    let account = AccountId(Uuid::from_u128(u128::from(number)));
    match index % 3 {
        _ if R::seating(&game.charter.setup).accounts_only => Holder::Account(account),
        0 => Holder::Open,
        1 => Holder::Token(Hash::of(&number.to_le_bytes())),
        _ => Holder::Account(account),
    }
}

/// Plays to the end at random, mischief included; `look` is called after every accepted command.
pub fn play<R: Secrets>(
    played: &mut Played<R>,
    draw: &mut Draw,
    mut look: impl FnMut(&Played<R>) -> Result<(), String>,
) -> Result<(), String> {
    for _ in 0..COMMANDS_MAX {
        if played.game.progress() == Progress::Over {
            return Ok(());
        }
        if draw.odds(MISCHIEF_PERCENT, 100) {
            mischief(played, draw)?;
        }
        let (actor, body) = next_command(played, draw).ok_or("nobody is awaited in a game that is not over")?;
        let announced = played.send(actor, &body);
        announced.map_err(|refused| format!("announced but refused: {actor:?} {body}: {}", refused.sentence))?;
        look(played)?;
    }
    Err(format!("not over after {COMMANDS_MAX} commands"))
}

/// Law: the log replays to the same bytes, and so does the snapshot; what is announced is accepted; the game ends.
pub fn replay<R: Secrets>(number: u64, options: &Value, seats: usize) -> Result<Played<R>, String> {
    let mut draw = Draw::from_number(number);
    let mut played = Played::<R>::start(number, options, seats)?;
    play(&mut played, &mut draw, |_| Ok(()))?;
    let live = played.game.snapshot();
    let first = played.log.first().ok_or("an empty log")?;
    let seed = played.game.seed;
    let (mut again, _) = Game::<R>::replay_first(played.game.id, seed, first.mark.at, &first.body, first.hash)
        .map_err(|corrupt| corrupt.to_string())?;
    for row in &played.log[1..] {
        let replayed = again.replay(row.mark, row.body.clone(), row.hash).map_err(|corrupt| corrupt.to_string())?;
        // Only what is recorded comes back: what led to it is told once, when it happens.
        let replayed = Logged { cause: row.cause, ..replayed };
        if replayed != *row {
            return Err(format!("row {} replays as {replayed:?}, was {row:?}", row.mark.seq));
        }
    }
    if again.snapshot() != live {
        return Err("the replayed state differs from the live one".into());
    }
    let loaded = Game::<R>::load(played.game.id, seed, &live).map_err(|corrupt| corrupt.to_string())?;
    if loaded.snapshot() != live {
        return Err("a snapshot does not read back to the same bytes".into());
    }
    Ok(played)
}

/// Law: two games that differ only in what a viewer may not see give that viewer the same bytes at every step.
pub fn non_interference<R: Secrets>(number: u64, options: &Value, seats: usize) -> Result<(), String> {
    let mut draw = Draw::from_number(number);
    let viewer = match draw.below(seats + 1) {
        0 => Viewer::Spectator,
        seat => Viewer::Seat(Seat::at(seat - 1)),
    };
    let mut ours = Played::<R>::start(number, options, seats)?;
    let mut theirs = ours.clone();
    let mut sealed: Vec<Vec<u8>> = Vec::new();
    let mut statuses = BTreeSet::new();
    let mut seen = 0;
    for _ in 0..COMMANDS_MAX {
        // Each step compares only the rows that it added. Older rows are compared again when a status may have opened them: where something
        // sealed differs, at every change of status; where only seed and credentials differ, the first time a status is seen.
        let moved = ours.log[seen..].iter().any(|row| row.transition.is_some());
        let new_status = statuses.insert(ours.game.status());
        let new = ours.since(seen);
        let step = new.channels(viewer);
        let whole = if moved || new_status { ours.told(viewer) } else { vec![] };
        let same = |same: bool, what: &str| {
            let told_apart = || format!("{viewer:?} can tell {what} at event {}", ours.game.mark().seq);
            if same { Ok(()) } else { Err(told_apart()) }
        };
        // Until something is sealed, the two are the same game.
        if !sealed.is_empty() {
            let new_same = theirs.since(seen).channels(viewer) == step;
            same(new_same && (!moved || theirs.told(viewer) == whole), "what was sealed")?;
        }
        let new_same = elsewhere(&new).channels(viewer) == step;
        let all_same = !new_status || elsewhere(&ours).told(viewer) == whole;
        same(new_same && all_same, "the seed or other people's credentials")?;
        seen = ours.log.len();
        if ours.game.progress() == Progress::Over {
            return Ok(());
        }
        let (actor, body) = next_command(&ours, &mut draw).ok_or("nobody is awaited in a game that is not over")?;
        let state = ours.game.state().ok_or("not started")?;
        let twin = R::twin(state, actor, &body, viewer).filter(|_| draw.odds(1, 2));
        let accepted = ours.send(actor, &body);
        if accepted.is_ok() != theirs.send(actor, twin.as_ref().unwrap_or(&body)).is_ok() {
            return Err(format!("accepted in one world only: {body}"));
        }
        if twin.is_some() {
            sealed.push(ours.log[seen].body.clone());
        }
        if sealed.iter().any(|body| ours.game.is_open(body).unwrap_or(true)) {
            return Ok(());
        }
    }
    Err(format!("not over after {COMMANDS_MAX} commands"))
}

/// The same game in a world with another seed and other credentials.
fn elsewhere<R: Rules>(played: &Played<R>) -> Played<R> {
    let mut other = played.clone();
    let roster = Arc::make_mut(&mut other.game.roster);
    roster.with_holders(|index| holder(&played.game, index, 1));
    other.game.seed = Seed::chosen("elsewhere");
    for row in &mut other.log {
        if let Some(body) = rewrite_holder(&row.body) {
            row.body = body;
        }
    }
    other
}

fn rewrite_holder(body: &[u8]) -> Option<Vec<u8>> {
    // Only rows around the play name holders, and most rows are the play's.
    body.starts_with(br#"{"table""#).then_some(())?;
    let mut row: Value = serde_json::from_slice(body).ok()?;
    let taken = row.pointer_mut("/table/holder")?;
    *taken = serde_json::to_value(Holder::Token(Hash::of(b"elsewhere"))).ok()?;
    serde_json::to_vec(&row).ok()
}

/// Law: a command that is refused changes nothing. Tried by the wrong actors, with wrong bodies, at the wrong time.
fn mischief<R: Secrets>(played: &mut Played<R>, draw: &mut Draw) -> Result<(), String> {
    let before = played.game.snapshot();
    let (actor, mut body) = next_command(played, draw).unwrap_or((Actor::Host, Value::Null));
    let actor = match draw.below(4) {
        0 => Actor::Seat(Seat::at(draw.below(SEATS_TRIED))),
        1 => Actor::Host,
        _ => actor,
    };
    if let Value::Object(fields) = &mut body {
        spoil(fields, draw);
    }
    let mut game = played.game.clone();
    let answer = R::act(&body).map_err(Refused::from).and_then(|act| game.apply(actor, &Command::Act(act), played.now));
    match answer {
        Ok(_) => Ok(()),
        Err(_) if game.snapshot() == before => Ok(()),
        Err(refused) => Err(format!("refused ({}) and yet changed something: {body}", refused.sentence)),
    }
}

const SEATS_TRIED: usize = 60;

fn spoil(fields: &mut Map<String, Value>, draw: &mut Draw) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = draw.pick(&names).clone();
    let junk = [Value::Null, Value::Bool(true), 7.into(), "".into(), "nonsense".into(), "x".repeat(9000).into()];
    fields.insert(name, draw.pick(&junk).clone());
}

/// Something to send: mostly what was announced, now and then what was not.
fn next_command<R: Secrets>(played: &Played<R>, draw: &mut Draw) -> Option<(Actor, Value)> {
    let unannounced = played.game.state().and_then(|state| R::unannounced(state, draw));
    match unannounced.filter(|_| draw.odds(1, UNANNOUNCED_ONE_IN)) {
        Some(command) => Some(command),
        None => random_command(played, draw),
    }
}

/// An awaited actor, with a random body that fits one of its offers.
pub fn random_command<R: Rules>(played: &Played<R>, draw: &mut Draw) -> Option<(Actor, Value)> {
    let turns = played.game.turns();
    let seats: Vec<_> = turns.iter().filter(|turn| matches!(turn.who, Actor::Seat(_))).collect();
    let others: Vec<_> = turns.iter().filter(|turn| !matches!(turn.who, Actor::Seat(_))).collect();
    // Hosts interfere now and then; seats do most of the playing.
    let turn = if seats.is_empty() || (!others.is_empty() && draw.odds(1, 40)) {
        if others.is_empty() { return None } else { *draw.pick(&others) }
    } else {
        *draw.pick(&seats)
    };
    Some((turn.who, random_body(draw.pick(&turn.offers), draw)))
}

fn random_body(offer: &Offer, draw: &mut Draw) -> Value {
    let mut body = Map::new();
    body.insert("type".into(), offer.action.into());
    for field in &offer.fields {
        if field.required || draw.odds(1, 3) {
            let value = match &field.shape {
                Shape::Text { len_min, len_max } => random_text(*len_min, *len_max, draw),
                Shape::Choice(words) => draw.pick(words).clone(),
            };
            body.insert(field.name.into(), value.into());
        }
    }
    Value::Object(body)
}

fn random_text(len_min: usize, len_max: usize, draw: &mut Draw) -> String {
    const LETTERS: [char; 7] = ['a', 'e', 'n', 't', 'Z', '판', '사'];
    const MARKS: [char; 5] = ['.', ',', '"', '\\', '🚋'];
    let longest = if draw.odds(1, 20) { len_max } else { len_max.min(60) };
    let len = len_min + draw.below(longest - len_min + 1);
    // It begins with a letter, because marks alone may not count as words; white space at the end would be trimmed.
    let one = |at: usize| match at {
        0 => *draw.pick(&LETTERS),
        _ if at + 1 < len && draw.odds(1, 6) => ' ',
        _ if draw.odds(5, 12) => *draw.pick(&MARKS),
        _ => *draw.pick(&LETTERS),
    };
    (0..len).map(one).collect()
}
