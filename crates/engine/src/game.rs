//! One play-through of one kind: the log's growing end, the roster, and the state that follows from the log.

use crate::chain::{Chain, Hash};
use crate::chance::{Chance, Seed};
use crate::facts::Fact;
use crate::id::{GameId, Seat, Seq};
use crate::needs::Supply;
use crate::parts::lines::{self, Known};
use crate::parts::transcript::{Entry, Line, SeenBy};
use crate::roster::{Charter, Roster, TableCommand, TableEvent, TableRefusal, Terms};
use crate::rules::{Actor, Cause, Ears, Mark, MindKey, Moment, Point, Refused, Rules, Standing, Turn, Viewer};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// The format of snapshots. A snapshot in another format is rebuilt from the log.
const SNAPSHOT_FORMAT: u32 = 1;

/// Typical sizes in bytes when serialized, so that one allocation is usually enough.
const EVENT_BYTES: usize = 384;
const SNAPSHOT_BYTES: usize = 768;
const SNAPSHOT_BYTES_PER_SEAT: usize = 160;

pub struct Game<R: Rules> {
    pub id: GameId,
    pub(crate) seed: Seed,
    pub(crate) charter: Arc<Charter<R::Setup>>,
    created_at: Timestamp,
    pub(crate) roster: Arc<Roster>,
    pub(crate) stage: Stage<R::State>,
    pub(crate) mark: Mark,
    chain: Chain,
    /// The hearing models in use now, if they were replaced after the founding.
    replaced: Option<Replaced>,
}

/// The hearing models, by hash, that replaced those in the charter, and the event since which they are in use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Replaced {
    ear: String,
    since: Seq,
}

/// How far it has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage<S> {
    /// Seats are being filled.
    Table,
    /// It is being played, or has been.
    Play(S),
    Expired,
}

/// What a row of the log holds. The tags are stored and must never change.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", bound(serialize = "", deserialize = ""))]
pub enum Recorded<R: Rules> {
    Created(Charter<R::Setup>),
    Table(TableEvent),
    Play(R::Event),
}

impl<R: Rules> Recorded<R> {
    /// What happened, in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Recorded::Created(_) => "game_created",
            Recorded::Table(event) => event.name(),
            Recorded::Play(event) => R::name(event),
        }
    }
}

/// A request to a game, before it is decided.
pub enum Command<A> {
    Table(TableCommand),
    Act(A),
    /// An act that a house mind plays for a seat whose time ran out.
    StandIn(A),
}

/// A row of the log with everything that is stored beside it.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    pub mark: Mark,
    /// What happened, in a word.
    pub name: &'static str,
    /// The exact bytes that are stored and hashed.
    pub body: Vec<u8>,
    /// Its link in the chain.
    pub hash: Hash,
    /// Its line in the transcript.
    pub line: Option<Line>,
    /// The role of the seat whose line it is. For the server's log only: the line may be hidden.
    pub role: Option<&'static str>,
    /// What it follows from, as the server's log tells it; empty when it is replayed.
    pub cause: Cause,
    /// The status before and after, if it changed.
    pub transition: Option<(&'static str, &'static str)>,
    /// Whether a game can be taken up again after the commit that holds it: its status changed, or a speech was completed.
    pub is_safe: bool,
    /// What the corpus learns from it.
    pub facts: Vec<Fact>,
}

/// Everything about a game but its seed, not yet limited to what one viewer may see.
pub struct Hall<'a, R: Rules> {
    pub id: GameId,
    pub setup: &'a R::Setup,
    pub terms: &'a Terms,
    pub created_at: Timestamp,
    pub roster: &'a Roster,
    /// The state, once it has started.
    pub state: Option<&'a R::State>,
    pub status: &'static str,
    pub mark: Mark,
    /// The part of the transcript that this viewer may see; empty in the views of kinds that do not quote it.
    pub said: &'a [Entry],
    /// The lines of the house that the players know from earlier games; told to house minds only.
    pub known: &'a Known,
}

impl<R: Rules> Hall<'_, R> {
    /// The public id of the agent in this seat.
    pub fn agent_id(&self, seat: Seat) -> String {
        self.roster.agent_id(self.id, seat)
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
struct SnapshotOut<'a, R: Rules> {
    format: u32,
    seq: Seq,
    at: Timestamp,
    created_at: Timestamp,
    head: Hash,
    charter: &'a Charter<R::Setup>,
    roster: &'a Roster,
    stage: &'a Stage<R::State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: &'a Option<Replaced>,
}

#[derive(Deserialize)]
#[serde(bound = "")]
struct SnapshotIn<R: Rules> {
    format: u32,
    seq: Seq,
    at: Timestamp,
    created_at: Timestamp,
    head: Hash,
    charter: Charter<R::Setup>,
    roster: Roster,
    stage: Stage<R::State>,
    #[serde(default)]
    replaced: Option<Replaced>,
}

/// A log or snapshot that cannot be what this game wrote.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Corrupt {
    /// Not JSON of the right shape.
    #[error("its body cannot be read: {0}")]
    Unreadable(String),
    /// A row is missing or out of place.
    #[error("event {expected} was expected, {found} was found")]
    Gap { expected: Seq, found: Seq },
    #[error("its hash does not continue the chain")]
    Hash,
    /// Made by rules this program does not have.
    #[error("it was made by version {found} of the rules; this program has version {known}")]
    Version { found: u32, known: u32 },
    /// Snapshots can be rebuilt from the log.
    #[error("the snapshot has format {found}; this program reads {SNAPSHOT_FORMAT}")]
    Format { found: u32 },
    /// The log must begin with the creation.
    #[error("the log does not begin with the creation of a {0} game")]
    NoCreation(&'static str),
}

impl<R: Rules> Clone for Game<R> {
    fn clone(&self) -> Self {
        Game {
            id: self.id,
            seed: self.seed,
            charter: self.charter.clone(),
            created_at: self.created_at,
            roster: self.roster.clone(),
            stage: self.stage.clone(),
            mark: self.mark,
            chain: self.chain.clone(),
            replaced: self.replaced.clone(),
        }
    }
}

/// Coming into being: founded, loaded or replayed.
impl<R: Rules> Game<R> {
    /// Founds a game and returns it with its first row.
    pub fn found(id: GameId, seed: Seed, setup: R::Setup, terms: Terms, now: Timestamp) -> (Self, Logged) {
        let ear = R::ear().map(str::to_owned);
        let charter = Charter { kind: R::META.name.to_owned(), rules: R::META.version, setup, terms, ear };
        let mut game = Self::blank(id, seed, charter.clone(), now);
        let logged = game.record(Recorded::Created(charter), now);
        (game, logged)
    }

    pub(crate) fn blank(id: GameId, seed: Seed, charter: Charter<R::Setup>, created_at: Timestamp) -> Self {
        Game {
            id,
            chain: Chain::begin(id, &seed),
            seed,
            charter: Arc::new(charter),
            created_at,
            roster: Arc::default(),
            stage: Stage::Table,
            mark: Mark::default(),
            replaced: None,
        }
    }

    /// What is stored beside the log. Replaying the log gives the same bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let snapshot = SnapshotOut::<R> {
            format: SNAPSHOT_FORMAT,
            seq: self.mark.seq,
            at: self.mark.at,
            created_at: self.created_at,
            head: self.chain.head(),
            charter: &self.charter,
            roster: &self.roster,
            stage: &self.stage,
            replaced: &self.replaced,
        };
        let room = SNAPSHOT_BYTES + SNAPSHOT_BYTES_PER_SEAT * self.roster.len();
        to_bytes(&snapshot, room)
    }

    pub fn load(id: GameId, seed: Seed, snapshot: &[u8]) -> Result<Self, Corrupt> {
        let stored: SnapshotIn<R> = serde_json::from_slice(snapshot).map_err(unreadable)?;
        if stored.format != SNAPSHOT_FORMAT {
            return Err(Corrupt::Format { found: stored.format });
        }
        check_version::<R>(&stored.charter)?;
        Ok(Game {
            id,
            chain: Chain::after(stored.head, &seed),
            seed,
            charter: Arc::new(stored.charter),
            created_at: stored.created_at,
            roster: Arc::new(stored.roster),
            stage: stored.stage,
            mark: Mark { seq: stored.seq, at: stored.at },
            replaced: stored.replaced,
        })
    }

    /// A game from the first row of its log; continue with [`Game::replay`].
    pub fn replay_first(
        id: GameId,
        seed: Seed,
        at: Timestamp,
        body: &[u8],
        hash: Hash,
    ) -> Result<(Self, Logged), Corrupt> {
        // The version is checked before the rest is parsed: another version may have another shape.
        let probe: Value = serde_json::from_slice(body).map_err(unreadable)?;
        let created = probe.get("created").ok_or(Corrupt::NoCreation(R::META.name))?;
        let found = created.get("rules").and_then(Value::as_u64).unwrap_or(0) as u32;
        if found != R::META.version {
            return Err(Corrupt::Version { found, known: R::META.version });
        }
        let Recorded::<R>::Created(charter) = serde_json::from_slice(body).map_err(unreadable)? else {
            return Err(Corrupt::NoCreation(R::META.name));
        };
        if charter.kind != R::META.name {
            return Err(Corrupt::NoCreation(R::META.name));
        }
        let mut game = Self::blank(id, seed, charter, at);
        let logged = game.replay(Mark { seq: Seq(1), at }, body.to_vec(), hash)?;
        Ok((game, logged))
    }

    /// Records the next row of a stored log after checking that it belongs here.
    pub fn replay(&mut self, mark: Mark, body: Vec<u8>, hash: Hash) -> Result<Logged, Corrupt> {
        let expected = self.mark.seq.next();
        if mark.seq != expected {
            return Err(Corrupt::Gap { expected, found: mark.seq });
        }
        if self.chain.clone().link(mark.seq, mark.at, &body) != hash {
            return Err(Corrupt::Hash);
        }
        let recorded: Recorded<R> = serde_json::from_slice(&body).map_err(unreadable)?;
        Ok(self.record_bytes(&recorded, mark.at, body))
    }
}

fn to_bytes(value: &impl Serialize, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(room);
    serde_json::to_writer(&mut bytes, value).expect("our own values have string keys only and nothing that fails");
    bytes
}

fn unreadable(error: serde_json::Error) -> Corrupt {
    Corrupt::Unreadable(error.to_string())
}

fn check_version<R: Rules>(charter: &Charter<R::Setup>) -> Result<(), Corrupt> {
    if charter.rules == R::META.version {
        Ok(())
    } else {
        Err(Corrupt::Version { found: charter.rules, known: R::META.version })
    }
}

/// The one way in.
impl<R: Rules> Game<R> {
    /// Decides a command and records what follows from it, or refuses it and changes nothing.
    pub fn apply(&mut self, actor: Actor, command: &Command<R::Act>, now: Timestamp) -> Result<Vec<Logged>, Refused> {
        self.apply_to(actor, command, now, Ears::Open)
    }

    /// The same, but with closed ears nobody hears what is said.
    pub(crate) fn apply_to(
        &mut self,
        actor: Actor,
        command: &Command<R::Act>,
        now: Timestamp,
        ears: Ears,
    ) -> Result<Vec<Logged>, Refused> {
        let now = now.max(self.mark.at);
        let house = matches!(actor, Actor::Seat(seat) if self.roster.is_house(seat));
        let moment = Moment { ears, house, ..self.moment(now) };
        let cause = match (command, self.state()) {
            (Command::Act(act) | Command::StandIn(act), Some(state)) => R::cause(state, actor, act),
            (Command::Table(_), _) | (_, None) => Cause::default(),
        };
        let events = match command {
            Command::Table(command) => self.decide_table(command, now)?,
            Command::Act(act) => self.decide_act(actor, act, &moment)?,
            Command::StandIn(act) => self.decide_stand_in(actor, act, &moment)?,
        };
        let changed = self.rules_changed().into_iter();
        Ok(changed.chain(events).map(|event| Logged { cause, ..self.record(event, now) }).collect())
    }

    /// The event to record first if the program's hearing models are no longer those of this game, which goes on with the new ones.
    fn rules_changed(&self) -> Option<Recorded<R>> {
        let ear = R::ear().filter(|ear| self.progress() == Progress::Playing && self.ear().0 != Some(*ear))?;
        Some(Recorded::Table(TableEvent::RulesChanged { ear: ear.to_owned() }))
    }

    /// The hash of the hearing models in use now, and the event since which they are.
    fn ear(&self) -> (Option<&str>, Seq) {
        match &self.replaced {
            Some(Replaced { ear, since }) => (Some(ear), *since),
            None => (self.charter.ear.as_deref(), Seq(0)),
        }
    }

    fn decide_act(&self, actor: Actor, act: &R::Act, moment: &Moment<'_>) -> Result<Vec<Recorded<R>>, Refused> {
        let state = self.playing()?;
        R::locate(state, act, moment)?;
        let events = R::decide(state, actor, act, moment)?;
        Ok(events.into_iter().map(Recorded::Play).collect())
    }

    fn decide_stand_in(&self, actor: Actor, act: &R::Act, moment: &Moment<'_>) -> Result<Vec<Recorded<R>>, Refused> {
        let Actor::Seat(seat) = actor else { return Err(TableRefusal::NoSuchSeat.into()) };
        let mut events = vec![Recorded::Table(TableEvent::TurnExpired { seat })];
        events.extend(self.decide_act(actor, act, moment)?);
        Ok(events)
    }

    /// Whether what an act addresses exists. Checked before the caller is.
    pub fn locate(&self, act: &R::Act, now: Timestamp) -> Result<(), Refused> {
        match &self.stage {
            Stage::Play(state) => Ok(R::locate(state, act, &self.moment(now))?),
            Stage::Table | Stage::Expired => Ok(()),
        }
    }

    pub(crate) fn playing(&self) -> Result<&R::State, TableRefusal> {
        match &self.stage {
            Stage::Table => Err(TableRefusal::NotStarted),
            Stage::Expired => Err(TableRefusal::Expired),
            Stage::Play(state) => Ok(state),
        }
    }

    pub(crate) fn moment(&self, now: Timestamp) -> Moment<'_> {
        Moment { game: self.id, now, chance: Chance(&self.seed), ears: Ears::Open, house: false }
    }
}

/// The one way to record.
impl<R: Rules> Game<R> {
    pub(crate) fn record(&mut self, event: Recorded<R>, at: Timestamp) -> Logged {
        let body = to_bytes(&event, EVENT_BYTES);
        self.record_bytes(&event, at, body)
    }

    fn record_bytes(&mut self, event: &Recorded<R>, at: Timestamp, body: Vec<u8>) -> Logged {
        let before = self.status();
        let mark = Mark { seq: self.mark.seq.next(), at };
        let hash = self.chain.link(mark.seq, at, &body);
        match event {
            Recorded::Created(_) => {}
            Recorded::Table(event) => self.evolve_table(event, mark.seq),
            Recorded::Play(event) => {
                if let Stage::Play(state) = &mut self.stage {
                    R::evolve(state, event, mark);
                }
            }
        }
        self.mark = mark;
        let after = self.status();
        let transition = (before != after).then_some((before, after));
        let is_completed = match (event, &self.stage) {
            (Recorded::Play(event), Stage::Play(state)) => R::is_boundary(state, event),
            _ => false,
        };
        let line = self.line(event);
        Logged {
            mark,
            name: event.name(),
            role: line.as_ref().and_then(|line| self.role(line.seat?)),
            cause: Cause::default(),
            line,
            body,
            hash,
            is_safe: transition.is_some() || is_completed,
            transition,
            facts: self.facts(event),
        }
    }

    fn evolve_table(&mut self, event: &TableEvent, seq: Seq) {
        Arc::make_mut(&mut self.roster).evolve(event, seq);
        match event {
            TableEvent::Started => {
                self.stage = Stage::Play(R::begin(&self.charter.setup, self.roster.len(), self.charter.terms.rates))
            }
            TableEvent::TableExpired => self.stage = Stage::Expired,
            TableEvent::RulesChanged { ear } => self.replaced = Some(Replaced { ear: ear.clone(), since: seq }),
            TableEvent::SeatTaken { .. }
            | TableEvent::LinesKnown { .. }
            | TableEvent::SeatLeft { .. }
            | TableEvent::SeatHanded { .. }
            | TableEvent::SeatTakenBack { .. }
            | TableEvent::TurnExpired { .. } => {}
        }
    }

    fn facts(&self, event: &Recorded<R>) -> Vec<Fact> {
        match (event, &self.stage) {
            (Recorded::Play(event), Stage::Play(state)) => R::facts(state, event),
            (Recorded::Created(_) | Recorded::Table(_) | Recorded::Play(_), _) => vec![],
        }
    }

    fn line(&self, event: &Recorded<R>) -> Option<Line> {
        match event {
            Recorded::Created(_) => None,
            Recorded::Table(TableEvent::LinesKnown { lines }) => {
                Some(Line { seen_by: SeenBy::NOBODY, ..Line::event(json!(lines)) })
            }
            Recorded::Table(event) => Some(Line::event(Value::Object(self.tell_table(event, self.mark.seq)?))),
            Recorded::Play(event) => match &self.stage {
                Stage::Play(state) => R::line(state, event, &self.hall(&[])),
                Stage::Table | Stage::Expired => None,
            },
        }
    }
}

impl<R: Rules> Game<R> {
    /// Where it stands, as clients read it.
    pub fn status(&self) -> &'static str {
        match &self.stage {
            Stage::Play(state) => R::status(state),
            Stage::Expired => "expired",
            Stage::Table if self.roster.len() >= R::seating(&self.charter.setup).seats_min => "ready_to_start",
            Stage::Table => "waiting_for_agents",
        }
    }

    pub fn progress(&self) -> Progress {
        match &self.stage {
            Stage::Table => Progress::Table,
            Stage::Play(state) if !R::is_over(state) => Progress::Playing,
            Stage::Play(_) | Stage::Expired => Progress::Over,
        }
    }

    /// Number and time of its last event.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The end of its hash chain.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    pub fn charter(&self) -> &Charter<R::Setup> {
        &self.charter
    }

    /// The state, once it has started.
    pub fn state(&self) -> Option<&R::State> {
        match &self.stage {
            Stage::Play(state) => Some(state),
            Stage::Table | Stage::Expired => None,
        }
    }

    /// The role of this seat, as the server's log names it.
    pub fn role(&self, seat: Seat) -> Option<&'static str> {
        R::role(self.state()?, seat)
    }

    /// Where the game stands, in numbers that log lines name.
    pub fn place(&self) -> Vec<(&'static str, u64)> {
        self.state().map(R::place).unwrap_or_default()
    }

    /// Who is awaited, and with what.
    pub fn turns(&self) -> Vec<Turn> {
        self.state().map(R::turns).unwrap_or_default()
    }

    /// Everything but the seed. `said` must be what the viewer may see.
    pub fn hall<'a>(&'a self, said: &'a [Entry]) -> Hall<'a, R> {
        Hall {
            id: self.id,
            setup: &self.charter.setup,
            terms: &self.charter.terms,
            created_at: self.created_at,
            roster: &self.roster,
            state: self.state(),
            status: self.status(),
            mark: self.mark,
            said,
            known: &lines::NOTHING,
        }
    }

    /// What this viewer may know.
    pub fn view(&self, viewer: Viewer, said: &[Entry]) -> R::View {
        R::view(&self.hall(&heard(viewer, said)), viewer)
    }

    /// The same with what was looked up for this viewer.
    pub fn view_supplied(&self, viewer: Viewer, said: &[Entry], supply: &Supply) -> R::View {
        let said = heard(viewer, said);
        let hall = self.hall(&said);
        let mut view = R::view(&hall, viewer);
        R::enrich(&mut view, &hall, supply);
        view
    }

    /// What this viewer is told of the event in this row when it happens.
    pub fn message(&self, mark: Mark, body: &[u8], viewer: Viewer) -> Result<Option<Map<String, Value>>, Corrupt> {
        Ok(self.tell(&serde_json::from_slice(body).map_err(unreadable)?, mark, viewer))
    }

    /// The play event in a row of the log; none for the creation and for table events.
    pub fn event(body: &[u8]) -> Result<Option<R::Event>, Corrupt> {
        Ok(match serde_json::from_slice(body).map_err(unreadable)? {
            Recorded::<R>::Play(event) => Some(event),
            Recorded::Created(_) | Recorded::Table(_) => None,
        })
    }

    /// [`Game::message`] for an event that is already parsed.
    pub(crate) fn tell(&self, event: &Recorded<R>, mark: Mark, viewer: Viewer) -> Option<Map<String, Value>> {
        let told = match event {
            Recorded::Created(_) => {
                let mut told = Map::new();
                told.insert("type".into(), "game_created".into());
                told.insert("game_type".into(), R::META.name.into());
                Some(told)
            }
            Recorded::Table(event) => self.tell_table(event, mark.seq),
            Recorded::Play(event) => R::message(event, &self.hall(&[]), mark, viewer),
        };
        told.map(|mut told| {
            told.insert("seq".into(), mark.seq.0.into());
            told.insert("at".into(), mark.at.to_string().into());
            told
        })
    }

    /// Whether the whole row may be shown to everybody by now.
    pub fn is_open(&self, body: &[u8]) -> Result<bool, Corrupt> {
        Ok(self.opens(&serde_json::from_slice(body).map_err(unreadable)?))
    }

    /// [`Game::is_open`] for an event that is already parsed.
    pub(crate) fn opens(&self, event: &Recorded<R>) -> bool {
        match event {
            // These name credentials, or what an account has heard elsewhere, which are never opened.
            Recorded::Created(_) | Recorded::Table(TableEvent::SeatTaken { .. } | TableEvent::LinesKnown { .. }) => {
                false
            }
            Recorded::Table(_) => true,
            Recorded::Play(event) => self.state().is_some_and(|state| R::is_open(state, event)),
        }
    }

    /// The result, once it is over.
    pub fn result(&self) -> Option<Value> {
        let state = self.state()?;
        R::is_over(state).then(|| R::result(&self.hall(&[])))
    }

    /// What it brought each seat, once it is over.
    pub fn standings(&self) -> Vec<Standing> {
        match self.state() {
            Some(state) if R::is_over(state) => R::standings(&self.hall(&[])),
            Some(_) | None => vec![],
        }
    }

    /// What a house mind would send for this seat now. `said` is the whole transcript, including entries that nobody may see.
    pub fn mind(&self, seat: Seat, said: &[Entry]) -> Value {
        let (heard, known) = (heard(Viewer::Seat(seat), said), Known::read(said));
        R::mind(&Hall { known: &known, ..self.hall(&heard) }, &heard, seat, self.mind_key(seat, said))
    }

    /// What the mind in this seat draws from in this turn.
    pub(crate) fn mind_key(&self, seat: Seat, said: &[Entry]) -> MindKey {
        let chance = Chance(&self.seed);
        MindKey {
            persona: chance.draw("mind persona", u64::from(seat.0)),
            turn: chance.draw(&format!("mind turn {}", occasion(seat, said)), u64::from(seat.0)),
        }
    }
}

/// Names a seat's turn by phase, round and how often the seat has spoken or acted so far. Not by event number: in a game that is played
/// again without a speech, one event more or less would change a mind's draws for no reason.
pub fn occasion(seat: Seat, said: &[Entry]) -> String {
    let latest = said.iter().rev().find(|entry| entry.line.phase.is_some()).map(|entry| &entry.line);
    let (phase, round) = latest.map_or((None, None), |line| (line.phase.as_deref(), line.round));
    let acts = said.iter().filter(|entry| entry.line.seat == Some(seat)).count();
    format!("{}/{}/{acts}", phase.unwrap_or_default(), round.unwrap_or_default())
}

/// How far a game has come, for lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    Table,
    Playing,
    Over,
}

impl<R: Rules> Game<R> {
    /// Whether the program still has the hearing models that this game used last.
    pub fn is_heard_as_before(&self) -> bool {
        self.ear().0 == R::ear()
    }

    /// The points that the house hears in this speech, once the phase it was made in is over; none if other models than the program's heard
    /// it.
    pub fn heard(&self, entry: &Entry) -> Option<Vec<Point>> {
        if !self.is_heard_as_before() || entry.seq < self.ear().1 {
            return None;
        }
        let goes_on = |state: &R::State| !R::is_over(state) && R::goes_on(state, &entry.line);
        if self.state().is_some_and(goes_on) { None } else { R::heard(&self.hall(&[]), entry) }
    }
}

/// The part of the transcript this viewer may see.
pub fn heard(viewer: Viewer, said: &[Entry]) -> Cow<'_, [Entry]> {
    if said.iter().all(|entry| entry.line.seen_by.includes(viewer)) {
        return Cow::Borrowed(said);
    }
    Cow::Owned(said.iter().filter(|entry| entry.line.seen_by.includes(viewer)).cloned().collect())
}
