//! What moved the verdict: a finished game played again without one of its speeches.
//!
//! Everything that was sent is sent again in its order, with the same seed, and house minds that weigh what they heard weigh it anew. The
//! speech that is left out is still made, so that the order of the game holds, but nobody hears it.

use crate::chance::Seed;
use crate::game::{Command, Corrupt, Game, Logged, Progress, Recorded, heard};
use crate::id::{GameId, Seat, Seq};
use crate::parts::transcript::Entry;
use crate::roster::TableEvent;
use crate::rules::{Actor, Ears, Lean, Mark, Rules, Sent, Viewer};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How many commands at most bring a game back to what was sent next, or to its end.
const CATCH_UP_MAX: usize = 12;
const FINISH_MAX: usize = 400;
/// What one hearer counts in a lift.
const HUNDRED: i32 = 100;

/// How much of a game is done anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// House minds that weigh or vote do so anew, having heard everything but this speech.
    Revote,
    /// Seats that the house played also speak anew.
    Replay,
}

impl Level {
    /// The cheapest first.
    pub const ALL: [Level; 2] = [Level::Revote, Level::Replay];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Level::Revote => "revote",
            Level::Replay => "replay",
        }
    }
}

/// What each speech of a finished game moved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Influence {
    pub level: Level,
    /// How the game ended.
    pub outcome: Value,
    /// In the order in which they were made.
    pub speeches: Vec<Without>,
}

/// What would have been different without a speech.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Without {
    /// The speech, by its event.
    pub speech: Seq,
    /// The seat that made it, a person's or the house's.
    pub by: Seat,
    /// How the game would have ended, if otherwise.
    pub outcome: Option<Value>,
    /// What would have been decided otherwise.
    pub decisions: Vec<Changed>,
    /// Who would have leaned otherwise.
    pub leans: Vec<Moved>,
    /// A hundred for each hearer that it brought to its speaker's side, or from the other side to the middle; minus a hundred for each that
    /// it drove the other way.
    pub lift: i32,
    /// The first act of a person that no longer fitted, by its event.
    pub diverged_at: Option<Seq>,
}

/// A decision that would have been different.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Changed {
    /// The seat that decided, always one of the house.
    pub by: Seat,
    /// Which one of its decisions, from 1.
    pub number: usize,
    /// What it was; none if the seat would have been asked only without the speech.
    pub with: Option<Value>,
    /// What it would have been; none if the seat would not have been asked.
    pub without: Option<Value>,
}

/// A leaning that would have been different.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// Whose, and on what.
    pub lean: Lean,
    /// What it would have been.
    pub without: i32,
}

impl Moved {
    /// Whether the speech moved this hearer to another side or the middle: 1 if up, -1 if down, 0 if it stayed on its side.
    fn turned(&self) -> i32 {
        (self.lean.value.signum() - self.without.signum()).signum()
    }
}

/// Why it is not known what moved a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// It is not over.
    GoesOn,
    /// No house mind weighed anything in it.
    Unheard,
    /// The house would no longer decide as it did: the minds were others, or have changed since.
    Otherwise,
    /// It is too long to be played again so often.
    TooLong,
    /// The log cannot be read.
    #[serde(skip)]
    Corrupt(Corrupt),
}

/// A row of a log: its number and time, and its bytes.
pub type Row = (Mark, Vec<u8>);

/// Finds what each speech of a finished game moved.
pub type Find = fn(GameId, Seed, &[Row], Level) -> Result<Influence, Unknown>;

/// What each speech of a finished game moved, from its log.
pub fn influence<R: Rules>(id: GameId, seed: Seed, log: &[Row], level: Level) -> Result<Influence, Unknown> {
    let unreadable = |error: serde_json::Error| Unknown::Corrupt(Corrupt::Unreadable(error.to_string()));
    let rows = log.iter().map(|(mark, body)| Ok((*mark, serde_json::from_slice(body).map_err(unreadable)?)));
    let log: Log<R> = Log { id, seed, rows: rows.collect::<Result<_, Unknown>>()? };
    let recorded = log.recorded()?;
    if !log.was_heard_by(R::ear()) {
        return Err(Unknown::Otherwise);
    }
    let again = log.played(None, Level::Revote)?;
    if again.leans.is_empty() {
        return Err(Unknown::Unheard);
    }
    if again.decisions != recorded.decisions || again.game.result() != Some(recorded.outcome.clone()) {
        return Err(Unknown::Otherwise);
    }
    let base = if level == Level::Revote { again } else { log.played(None, level)? };
    let without = |said: &Said| Ok(base.compared(&log.played(Some(said.speech), level)?, said));
    let speeches = recorded.speeches.iter().map(without).collect::<Result<_, Unknown>>()?;
    Ok(Influence { level, outcome: recorded.outcome, speeches })
}

struct Log<R: Rules> {
    id: GameId,
    seed: Seed,
    rows: Vec<(Mark, Recorded<R>)>,
}

/// Decisions by seat, in their order.
type Decisions = BTreeMap<Seat, Vec<Value>>;

/// What the log itself says of the game.
struct Told {
    outcome: Value,
    decisions: Decisions,
    speeches: Vec<Said>,
}

/// A speech as it was made.
struct Said {
    speech: Seq,
    by: Seat,
    /// Which way its speaker wanted its hearers to lean.
    wants: i32,
}

impl<R: Rules> Log<R> {
    fn blank(&self) -> Result<Game<R>, Unknown> {
        match self.rows.first() {
            Some((mark, Recorded::Created(charter))) => Ok(Game::blank(self.id, self.seed, charter.clone(), mark.at)),
            Some(_) | None => Err(Unknown::Corrupt(Corrupt::NoCreation(R::META.name))),
        }
    }

    /// Whether these models, and no others, heard all of it.
    fn was_heard_by(&self, ear: Option<&str>) -> bool {
        self.rows.iter().all(|(_, event)| match event {
            Recorded::Created(charter) => charter.ear.as_deref() == ear,
            Recorded::Table(event) => !matches!(event, TableEvent::RulesChanged { .. }),
            Recorded::Play(_) => true,
        })
    }

    /// The game as it was: how it ended, what the house decided, and who said what.
    fn recorded(&self) -> Result<Told, Unknown> {
        let mut game = self.blank()?;
        let (mut decisions, mut speeches) = (Decisions::new(), Vec::new());
        for (mark, event) in &self.rows {
            let sent = match (event, game.state()) {
                (Recorded::Play(event), Some(state)) => R::sent(state, event),
                (Recorded::Created(_) | Recorded::Table(_) | Recorded::Play(_), _) => None,
            };
            let wants = |seat: Seat| game.state().map_or(0, |state| R::wants(state, seat));
            let wants = sent.as_ref().map_or(0, |sent| match sent.actor {
                Actor::Seat(seat) => wants(seat),
                Actor::Host | Actor::Clock => 0,
            });
            let row = game.record(clone_of(event), mark.at);
            let Some(Sent { actor: Actor::Seat(seat), body, weighs }) = sent else { continue };
            match weighs {
                Some(field) if game.roster().is_house(seat) => {
                    decisions.entry(seat).or_default().push(body[field].clone());
                }
                None if row.line.is_some_and(|line| line.text.is_some()) => {
                    speeches.push(Said { speech: mark.seq, by: seat, wants });
                }
                Some(_) | None => {}
            }
        }
        let outcome = game.result().ok_or(Unknown::GoesOn)?;
        Ok(Told { outcome, decisions, speeches })
    }

    /// The game played again, without the speech of this event if there is one.
    fn played(&self, without: Option<Seq>, level: Level) -> Result<Again<R>, Unknown> {
        let mut again = Again {
            game: self.blank()?,
            said: Vec::new(),
            decisions: Decisions::new(),
            leans: BTreeMap::new(),
            diverged_at: None,
        };
        for (mark, event) in &self.rows {
            match event {
                Recorded::Created(_) => {
                    again.game.record(clone_of(event), mark.at);
                }
                Recorded::Table(TableEvent::Started) => again.start(mark.at),
                Recorded::Table(_) => again.keep(vec![clone_of(event)], mark.at),
                Recorded::Play(event) => {
                    let sent = again.game.state().and_then(|state| R::sent(state, event));
                    if let Some(sent) = sent {
                        again.send(sent, *mark, without, level);
                    }
                }
            }
        }
        again.finish();
        Ok(again)
    }
}

/// A game that is being played again.
struct Again<R: Rules> {
    game: Game<R>,
    said: Vec<Entry>,
    decisions: Decisions,
    leans: BTreeMap<(String, String), i32>,
    diverged_at: Option<Seq>,
}

impl<R: Rules> Again<R> {
    fn keep(&mut self, events: Vec<Recorded<R>>, at: Timestamp) {
        let rows: Vec<Logged> = events.into_iter().map(|event| self.game.record(event, at)).collect();
        self.hear(rows);
    }

    fn hear(&mut self, rows: Vec<Logged>) {
        let entry =
            |row: Logged| Some(Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line: row.line? });
        self.said.extend(rows.into_iter().filter_map(entry));
    }

    fn start(&mut self, at: Timestamp) {
        let opening = self.game.start(self.game.roster().len(), at);
        self.keep(opening, at);
    }

    fn send(&mut self, sent: Sent, mark: Mark, without: Option<Seq>, level: Level) {
        let left_out = without == Some(mark.seq);
        let house = matches!(sent.actor, Actor::Seat(seat) if self.game.roster().is_house(seat));
        let anew = house && !left_out && (sent.weighs.is_some() || level == Level::Replay);
        for _ in 0..CATCH_UP_MAX {
            if sent.weighs.is_some() {
                self.lean();
            }
            let body = match sent.actor {
                Actor::Seat(seat) if anew => self.game.mind(seat, &self.said),
                Actor::Seat(_) | Actor::Host | Actor::Clock => sent.body.clone(),
            };
            if self.apply(sent.actor, &body, mark.at, left_out) {
                if let (Some(field), Actor::Seat(seat), true) = (sent.weighs, sent.actor, house) {
                    self.decisions.entry(seat).or_default().push(body[field].clone());
                }
                return;
            }
            // Another seat is awaited here than in the original game.
            let awaits_it = self.game.turns().iter().any(|turn| turn.who == sent.actor);
            if awaits_it || !self.step(mark.at) {
                break;
            }
        }
        if !house && sent.actor != Actor::Clock {
            self.diverged_at = self.diverged_at.or(Some(mark.seq));
        }
    }

    fn apply(&mut self, actor: Actor, body: &Value, at: Timestamp, left_out: bool) -> bool {
        let Ok(act) = R::act(body) else { return false };
        let ears = if left_out { Ears::Closed } else { Ears::Open };
        let Ok(rows) = self.game.apply_to(actor, &Command::Act(act), at, ears) else { return false };
        let before = self.said.len();
        self.hear(rows);
        if left_out {
            for entry in &mut self.said[before..] {
                entry.line.text = entry.line.text.take().map(|_| String::new());
            }
        }
        true
    }

    /// Plays the next turn with a house mind, also for a person's seat, or lets the clock act. False if nothing could be played.
    fn step(&mut self, at: Timestamp) -> bool {
        if self.game.progress() != Progress::Playing {
            return false;
        }
        let awaited = self.game.turns().into_iter().find_map(|turn| match turn.who {
            Actor::Seat(seat) => Some(seat),
            Actor::Host | Actor::Clock => None,
        });
        if let Some(seat) = awaited {
            self.lean();
            let body = self.game.mind(seat, &self.said);
            return self.apply(Actor::Seat(seat), &body, at, false);
        }
        let alarm = self.game.state().and_then(R::alarm);
        alarm.is_some_and(|alarm| self.apply(Actor::Clock, &alarm.act, at, false))
    }

    fn finish(&mut self) {
        let at = self.game.mark().at;
        for _ in 0..FINISH_MAX {
            if !self.step(at) {
                break;
            }
        }
        self.lean();
    }

    /// Records how everybody leans by now.
    fn lean(&mut self) {
        let said = heard(Viewer::Spectator, &self.said);
        for lean in R::leans(&self.game.hall(&said), &|seat| self.game.mind_key(seat, &self.said)) {
            self.leans.insert((lean.who, lean.on), lean.value);
        }
    }

    /// What is different in `other`, which was played without this speech.
    fn compared(&self, other: &Self, said: &Said) -> Without {
        let outcome = other.game.result().filter(|outcome| Some(outcome) != self.game.result().as_ref());
        let seats: BTreeSet<Seat> = self.decisions.keys().chain(other.decisions.keys()).copied().collect();
        let mut decisions = Vec::new();
        for seat in seats {
            let of = |again: &Self| again.decisions.get(&seat).cloned().unwrap_or_default();
            let (with, without) = (of(self), of(other));
            for place in 0..with.len().max(without.len()) {
                let (with, without) = (with.get(place).cloned(), without.get(place).cloned());
                if with != without {
                    decisions.push(Changed { by: seat, number: place + 1, with, without });
                }
            }
        }
        let moved = |((who, on), value): (&(String, String), &i32)| {
            let without = other.leans.get(&(who.clone(), on.clone())).copied().unwrap_or(*value);
            let lean = Lean { who: who.clone(), on: on.clone(), value: *value };
            (without != *value).then_some(Moved { lean, without })
        };
        let leans: Vec<Moved> = self.leans.iter().filter_map(moved).collect();
        let lift = leans.iter().map(|moved| HUNDRED * said.wants * moved.turned()).sum();
        Without { speech: said.speech, by: said.by, outcome, decisions, leans, lift, diverged_at: other.diverged_at }
    }
}

fn clone_of<R: Rules>(event: &Recorded<R>) -> Recorded<R> {
    match event {
        Recorded::Created(charter) => Recorded::Created(charter.clone()),
        Recorded::Table(event) => Recorded::Table(event.clone()),
        Recorded::Play(event) => Recorded::Play(event.clone()),
    }
}
