//! The table that the trolley tests play at, with one line in a test for each command.

use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Recorded};
use engine::id::{GameId, Inner};
use engine::laws::{self};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Refused, Rules as _, Viewer};
use engine::time::Timestamp;
use games::trolley::{Act, Event, Roles, State, Trolley};
use serde_json::{Value, json};

pub(crate) const HOST: Actor = Actor::Host;
/// No game in these tests takes more commands: one that does not end fails instead of running forever.
const COMMANDS_MAX: usize = 2000;

/// A game, its rows and its transcript.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Game<Trolley>,
    pub(crate) log: Vec<Logged>,
    pub(crate) said: Vec<Entry>,
    pub(crate) now: Timestamp,
    commands: usize,
}

impl Table {
    /// A game with nobody seated, whose id and seed follow from `number`.
    pub(crate) fn laid(number: u64, options: &Value, terms: Terms) -> Self {
        let setup = Trolley::setup(options).expect("the options are good");
        let now = Timestamp(1_800_000_000_000);
        let (game, first) = Game::found(id(number), Seed::chosen(&number.to_string()), setup, terms, now);
        Table { game, said: laws::entries(std::slice::from_ref(&first)), log: vec![first], now, commands: 0 }
    }

    /// With this many seats taken, not started.
    pub(crate) fn seated(number: u64, seats: usize) -> Self {
        let mut table = Table::laid(number, &json!({}), Terms::default());
        (0..seats).for_each(|index| drop(table.sit(&name(index)).expect("there is room")));
        table
    }

    /// With this many seats taken, started.
    pub(crate) fn started(number: u64, seats: usize) -> Self {
        let mut table = Table::seated(number, seats);
        table.around(TableCommand::Start).expect("enough have sat down");
        table
    }

    /// Started, and advanced until it first has this status.
    pub(crate) fn at(status: &str, seats: usize) -> Self {
        let mut table = Table::started(1, seats);
        while table.game.status() != status {
            match table.game.status() {
                "awaiting_operator_decision" => drop(table.act(table.operator(), &decision("save_majority"))),
                _ => drop(table.host("next_phase")),
            }
        }
        table
    }

    pub(crate) fn commit(&mut self, actor: Actor, command: &Command<Act>) -> Result<Vec<Logged>, Refused> {
        self.now = Timestamp(self.now.0 + 1000);
        self.commands += 1;
        assert!(self.commands <= COMMANDS_MAX, "not over after {COMMANDS_MAX} commands: {}", self.game.status());
        let rows = self.game.apply(actor, command, self.now)?;
        self.said.extend(laws::entries(&rows));
        self.log.extend(rows.clone());
        Ok(rows)
    }

    /// Sends a table command; returns the names of its events, or the sentence that refuses it.
    pub(crate) fn around(&mut self, command: TableCommand) -> Result<Vec<&'static str>, String> {
        let rows = self.commit(HOST, &Command::Table(command)).map_err(|refused| refused.sentence)?;
        Ok(rows.iter().map(|row| row.name).collect())
    }

    pub(crate) fn sit(&mut self, name: &str) -> Result<Vec<&'static str>, String> {
        self.around(TableCommand::Sit { name: name.into(), holder: Holder::Open })
    }

    pub(crate) fn act(&mut self, actor: Actor, body: &Value) -> Result<Vec<Event>, Refused> {
        let rows = self.commit(actor, &Command::Act(Trolley::act(body)?))?;
        Ok(rows.iter().map(|row| play_event(row).expect("acts make play events only")).collect())
    }

    pub(crate) fn host(&mut self, action: &str) -> Result<Vec<Event>, Refused> {
        self.act(HOST, &advance(action))
    }

    /// The sentence that refuses this act. That a refusal changes nothing is checked here, and so for every refusal in these tests.
    pub(crate) fn refuses(&mut self, actor: Actor, body: &Value) -> String {
        let (before, rows) = (self.game.snapshot(), self.log.len());
        let refused = self.act(actor, body).expect_err(&format!("{actor:?} may not {body}"));
        assert_eq!(self.game.snapshot(), before, "refused and yet changed: {body}");
        assert_eq!(self.log.len(), rows, "refused and yet logged: {body}");
        refused.sentence
    }

    pub(crate) fn state(&self) -> &State {
        self.game.state().expect("it has started")
    }

    pub(crate) fn operator(&self) -> Actor {
        Actor::Seat(self.state().roles.operator)
    }

    /// Everyone on a track, the majority first.
    pub(crate) fn on_tracks(&self) -> Vec<Actor> {
        let Roles { majority, minority, .. } = self.state().roles;
        majority.iter().chain(minority.iter()).map(Actor::Seat).collect()
    }

    pub(crate) fn all_argue(&mut self) {
        for actor in self.on_tracks() {
            self.act(actor, &argument("Spare us.")).expect("nobody has argued in this phase");
        }
    }

    pub(crate) fn spectator(&self) -> Value {
        seen(self, Viewer::Spectator)
    }

    pub(crate) fn round_id(&self, round: u64) -> String {
        Inner::Round.name(self.game.id, round)
    }
}

pub(crate) fn id(number: u64) -> GameId {
    format!("01900000-0000-7000-8000-{number:012x}").parse().expect("a UUID")
}

pub(crate) fn name(index: usize) -> String {
    const NAMES: [&str; 8] = ["Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gil", "Hal"];
    NAMES.get(index).map_or_else(|| format!("Player {}", index + 1), |name| (*name).to_owned())
}

/// The event of a row, unless it belongs to the table around the play.
pub(crate) fn play_event(row: &Logged) -> Option<Event> {
    match serde_json::from_slice(&row.body).expect("our own row reads back") {
        Recorded::<Trolley>::Play(event) => Some(event),
        Recorded::Created(_) | Recorded::Table(_) => None,
    }
}

pub(crate) fn seen(table: &Table, viewer: Viewer) -> Value {
    serde_json::to_value(table.game.view(viewer, &table.said)).expect("a view serialises")
}

pub(crate) fn argument(text: &str) -> Value {
    json!({"type": "argument", "text": text})
}

pub(crate) fn decision(word: &str) -> Value {
    json!({"type": "decision", "decision": word})
}

pub(crate) fn advance(action: &str) -> Value {
    json!({"type": "advance", "action": action})
}

pub(crate) fn with(mut body: Value, field: &str, value: impl Into<Value>) -> Value {
    body[field] = value.into();
    body
}
