//! A game with its rules forgotten: JSON in, JSON out. The edge between typed kinds and everything around them.

use crate::chain::{Chain, Hash};
use crate::chance::{Draw, Seed};
use crate::facts::HouseLine;
use crate::game::{Command, Corrupt, Game, Logged, Progress, heard};
use crate::id::{GameId, Seat};
use crate::influence::{Find, influence};
use crate::needs::{Meeting, Need, Supply};
use crate::parts::lines::LineId;
use crate::parts::transcript::Entry;
use crate::reference::Reference;
use crate::roster::{Lang, Roster, TableCommand, Terms};
use crate::rules::{
    Actor, Advice, Alarm, Brief, Call, Mark, Meta, Point, Refused, Rules, Seating, Standing, Turn, Viewer,
};
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::any::Any;
use std::borrow::Cow;

/// A game just read or founded, with its first row.
pub type Born<E> = Result<(Box<dyn AnyGame>, Logged), E>;

pub type Load = fn(GameId, Seed, &[u8]) -> Result<Box<dyn AnyGame>, Corrupt>;

/// One kind of game, as the functions that the house calls.
#[derive(Clone, Copy)]
pub struct Kind {
    /// What it is called, and what it asks of the house.
    pub meta: &'static Meta,
    /// Founds a game of it with the kind's own options in JSON.
    pub found: fn(Founding<'_>) -> Born<Refused>,
    pub load: Load,
    /// Reads the first row of a log.
    pub replay_first: fn(GameId, Seed, Timestamp, &[u8], Hash) -> Born<Corrupt>,
    /// How many seats a game with these options has.
    pub seating: fn(&Value) -> Result<Seating, Refused>,
    /// Merges the acts of a panel of minds into one.
    pub panel: fn(Lang, &[Value]) -> Option<Value>,
    /// Seats, roles, limits and cases, as the API tells them.
    pub about: fn() -> Value,
    /// The score as the API tells it, from the public view.
    pub scoreboard: fn(&Value) -> Value,
    /// What each speech of a finished game moved, from its log.
    pub influence: Find,
    /// The lines of its house minds that occur in a text.
    pub lines_in: fn(&str) -> Vec<LineId>,
    /// What its house minds may say, where words are kept for other games.
    pub house_lines: fn() -> Vec<HouseLine>,
    /// The tables of content by which a new game is played.
    pub references: fn() -> Vec<Reference>,
    /// Takes in the tables that a database has kept.
    pub know: fn(&[Reference]),
}

/// What a new game starts from.
pub struct Founding<'a> {
    pub id: GameId,
    pub seed: Seed,
    /// The kind's own options; others are ignored.
    pub options: &'a Value,
    pub terms: Terms,
    pub now: Timestamp,
}

pub const fn kind<R: Rules>() -> Kind {
    Kind {
        meta: &R::META,
        found: |founding| {
            let setup = R::setup(founding.options)?;
            let (game, logged) = Game::<R>::found(founding.id, founding.seed, setup, founding.terms, founding.now);
            Ok((Box::new(game), logged))
        },
        load: |id, seed, snapshot| Ok(Box::new(Game::<R>::load(id, seed, snapshot)?)),
        replay_first: |id, seed, at, body, hash| {
            let (game, logged) = Game::<R>::replay_first(id, seed, at, body, hash)?;
            Ok((Box::new(game), logged))
        },
        seating: |options| Ok(R::seating(&R::setup(options)?)),
        panel: R::panel,
        about: R::about,
        scoreboard: R::scoreboard,
        influence: influence::<R>,
        lines_in: R::lines_in,
        house_lines: R::house_lines,
        references: R::references,
        know: R::know,
    }
}

/// A game whose kind the caller need not know.
pub trait AnyGame: Any + Send + Sync {
    fn id(&self) -> GameId;
    /// What its kind is called, and what it asks of the house.
    fn meta(&self) -> &'static Meta;
    fn kind(&self) -> &'static str {
        self.meta().name
    }
    fn status(&self) -> &'static str;
    fn progress(&self) -> Progress;
    fn mark(&self) -> Mark;
    fn created_at(&self) -> Timestamp;
    /// The end of its hash chain.
    fn chain(&self) -> &Chain;
    fn roster(&self) -> &Roster;
    fn terms(&self) -> &Terms;
    fn seating(&self) -> Seating;
    /// The role of a seat, as the server's log names it.
    fn role(&self, seat: Seat) -> Option<&'static str>;
    /// Where the game stands, in numbers that log lines name.
    fn place(&self) -> Vec<(&'static str, u64)>;
    /// The id and title of the case that it was made for, if one was named.
    fn case_wanted(&self) -> Option<(String, String)>;
    /// Whether the table wants an adviser now.
    fn wants_advice(&self) -> bool;
    /// What an adviser of the house is asked about what was just said, if the table wants one.
    fn advice(&self, said: &[Entry]) -> Option<Advice>;
    fn turns(&self) -> Vec<Turn>;
    /// What the clock will do if nothing happens for a while.
    fn alarm(&self) -> Option<Alarm>;
    /// What this viewer may know, as JSON bytes, with what was looked up for it.
    fn view(&self, viewer: Viewer, said: &[Entry], supply: Option<&Supply>) -> Vec<u8>;
    /// What has to be looked up to show this viewer its view in full.
    fn view_needs(&self, viewer: Viewer) -> Option<Need>;
    /// What has to be looked up before this body is decided on.
    fn needs(&self, actor: Actor, body: &Value) -> Option<Need>;
    /// The body with what was looked up, and without fields that only the house may set.
    fn supplied<'a>(&self, body: &'a Value, supply: Option<&Supply>) -> Cow<'a, Value>;
    /// An example of an act that a seat may try now although no turn announces it.
    fn also(&self, seat: Seat) -> Option<Value>;
    /// Whether this body, sent by this seat, meets an argument with words that should be new.
    fn meets(&self, seat: Seat, body: &Value) -> Option<Meeting>;
    /// What this viewer is told of an event.
    fn message(&self, mark: Mark, body: &[u8], viewer: Viewer) -> Result<Option<Map<String, Value>>, Corrupt>;
    /// Whether a row may be shown whole.
    fn is_open(&self, body: &[u8]) -> Result<bool, Corrupt>;
    /// The result, once it is over.
    fn result(&self) -> Option<Value>;
    /// What it brought each seat, once it is over.
    fn standings(&self) -> Vec<Standing>;
    /// The review of a finished game.
    fn review(&self) -> Option<Value>;
    /// How opinions moved in a row of its log.
    fn movements(&self, body: &[u8]) -> Result<Vec<Value>, Corrupt>;
    /// What is stored beside the log.
    fn snapshot(&self) -> Vec<u8>;
    /// What a mind in this seat is told in this turn besides its view.
    fn brief(&self, seat: Seat, said: &[Entry]) -> Brief;
    /// How a language model may be asked to play this seat's turn.
    fn call(&self, seat: Seat) -> Option<Call>;
    /// What the names of house minds that sit down now are drawn from.
    fn company(&self) -> Draw;
    /// What a house mind would send for this seat now.
    fn mind(&self, seat: Seat, said: &[Entry]) -> Value;
    /// The points that the house hears in this speech, once the phase it was made in is over.
    fn heard(&self, entry: &Entry) -> Option<Vec<Point>>;
    /// Whether the program still has the hearing models that it used last.
    fn is_heard_as_before(&self) -> bool;

    /// Whether what the body addresses exists. Checked before the caller is.
    fn locate(&self, body: &Value, now: Timestamp) -> Result<(), Refused>;
    fn act(&mut self, actor: Actor, body: &Value, now: Timestamp) -> Result<Vec<Logged>, Refused>;
    /// Plays an act for a seat whose time ran out.
    fn stand_in(&mut self, seat: Seat, body: &Value, now: Timestamp) -> Result<Vec<Logged>, Refused>;
    fn table(&mut self, command: TableCommand, now: Timestamp) -> Result<Vec<Logged>, Refused>;
    /// Records the next row of a stored log.
    fn replay(&mut self, mark: Mark, body: Vec<u8>, hash: Hash) -> Result<Logged, Corrupt>;
    /// A copy of the game.
    fn boxed(&self) -> Box<dyn AnyGame>;
}

impl<R: Rules> Game<R> {
    /// The typed game behind the trait object; panics if it is of another kind. Only for code that is found by the kind's name, such as its
    /// face.
    pub fn of(game: &dyn AnyGame) -> &Game<R> {
        let any: &dyn Any = game;
        any.downcast_ref().expect("a game is only handed to what belongs to its own kind")
    }
}

impl<R: Rules> AnyGame for Game<R> {
    fn id(&self) -> GameId {
        self.id
    }
    fn meta(&self) -> &'static Meta {
        &R::META
    }
    fn status(&self) -> &'static str {
        Game::status(self)
    }
    fn progress(&self) -> Progress {
        Game::progress(self)
    }
    fn mark(&self) -> Mark {
        Game::mark(self)
    }
    fn created_at(&self) -> Timestamp {
        Game::created_at(self)
    }
    fn chain(&self) -> &Chain {
        Game::chain(self)
    }
    fn roster(&self) -> &Roster {
        Game::roster(self)
    }
    fn terms(&self) -> &Terms {
        &self.charter().terms
    }
    fn seating(&self) -> Seating {
        R::seating(&self.charter().setup)
    }
    fn place(&self) -> Vec<(&'static str, u64)> {
        Game::place(self)
    }
    fn role(&self, seat: Seat) -> Option<&'static str> {
        Game::role(self, seat)
    }
    fn case_wanted(&self) -> Option<(String, String)> {
        R::case_wanted(&self.charter().setup)
    }
    fn wants_advice(&self) -> bool {
        self.state().is_some_and(R::wants_advice)
    }
    fn advice(&self, said: &[Entry]) -> Option<Advice> {
        R::advice(self.state()?, said)
    }
    fn turns(&self) -> Vec<Turn> {
        Game::turns(self)
    }
    fn alarm(&self) -> Option<Alarm> {
        self.state().and_then(R::alarm)
    }
    fn view(&self, viewer: Viewer, said: &[Entry], supply: Option<&Supply>) -> Vec<u8> {
        let view = match supply {
            Some(supply) => self.view_supplied(viewer, said, supply),
            None => Game::view(self, viewer, said),
        };
        serde_json::to_vec(&view).expect("a view has string keys only")
    }
    fn view_needs(&self, viewer: Viewer) -> Option<Need> {
        R::view_needs(self.state()?, viewer)
    }
    fn needs(&self, actor: Actor, body: &Value) -> Option<Need> {
        R::needs(self.state()?, actor, body)
    }
    fn supplied<'a>(&self, body: &'a Value, supply: Option<&Supply>) -> Cow<'a, Value> {
        R::supplied(body, supply)
    }
    fn also(&self, seat: Seat) -> Option<Value> {
        R::also(self.state()?, seat)
    }
    fn meets(&self, seat: Seat, body: &Value) -> Option<Meeting> {
        R::meets(self.state()?, seat, body)
    }
    fn message(&self, mark: Mark, body: &[u8], viewer: Viewer) -> Result<Option<Map<String, Value>>, Corrupt> {
        Game::message(self, mark, body, viewer)
    }
    fn is_open(&self, body: &[u8]) -> Result<bool, Corrupt> {
        Game::is_open(self, body)
    }
    fn result(&self) -> Option<Value> {
        Game::result(self)
    }
    fn standings(&self) -> Vec<Standing> {
        Game::standings(self)
    }
    fn review(&self) -> Option<Value> {
        R::review(&Game::result(self)?)
    }
    fn movements(&self, body: &[u8]) -> Result<Vec<Value>, Corrupt> {
        Ok(Game::<R>::event(body)?.map_or(vec![], |event| R::movements(&event)))
    }
    fn snapshot(&self) -> Vec<u8> {
        Game::snapshot(self)
    }
    fn brief(&self, seat: Seat, said: &[Entry]) -> Brief {
        R::brief(&self.hall(&heard(Viewer::Seat(seat), said)), seat)
    }
    fn call(&self, seat: Seat) -> Option<Call> {
        self.state().and_then(|state| R::call(state, seat))
    }
    fn company(&self) -> Draw {
        Game::company(self)
    }
    fn mind(&self, seat: Seat, said: &[Entry]) -> Value {
        Game::mind(self, seat, said)
    }
    fn heard(&self, entry: &Entry) -> Option<Vec<Point>> {
        Game::heard(self, entry)
    }

    fn is_heard_as_before(&self) -> bool {
        Game::is_heard_as_before(self)
    }

    fn locate(&self, body: &Value, now: Timestamp) -> Result<(), Refused> {
        Game::locate(self, &R::act(body)?, now)
    }
    fn act(&mut self, actor: Actor, body: &Value, now: Timestamp) -> Result<Vec<Logged>, Refused> {
        self.apply(actor, &Command::Act(R::act(body)?), now)
    }
    fn stand_in(&mut self, seat: Seat, body: &Value, now: Timestamp) -> Result<Vec<Logged>, Refused> {
        self.apply(Actor::Seat(seat), &Command::StandIn(R::act(body)?), now)
    }
    fn table(&mut self, command: TableCommand, now: Timestamp) -> Result<Vec<Logged>, Refused> {
        self.apply(Actor::Host, &Command::Table(command), now)
    }
    fn replay(&mut self, mark: Mark, body: Vec<u8>, hash: Hash) -> Result<Logged, Corrupt> {
        Game::replay(self, mark, body, hash)
    }
    fn boxed(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}
