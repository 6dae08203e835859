//! The contract that every kind of game implements, and the types it is written in.
//!
//! One way in (`decide`), one way to record (`evolve`), one way out (`view`, `message`, `line`). A rule in `evolve` or a
//! decision in `view` is a bug.

use crate::chance::{Chance, Draw};
use crate::facts::{Fact, HouseLine};
use crate::game::Hall;
use crate::id::{GameId, Seat, Seq};
use crate::needs::{Meeting, Need, Supply};
use crate::parts::lines::LineId;
use crate::parts::transcript::{Entry, Line, SeenBy};
use crate::rates::Rates;
use crate::reference::Reference;
use crate::roster::Lang;
use crate::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;

/// One kind of game.
pub trait Rules: Sized + Send + Sync + 'static {
    /// What the kind is called, and what it asks of the house around it.
    const META: Meta;

    /// The kind's own options, chosen when a game is created.
    type Setup: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// What is known between events: cursors, counts, ids. No speech, so it does not grow with the game's length.
    type State: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// What a seat, the host or the clock may ask for.
    type Act;
    /// What happened, once and for ever.
    type Event: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// Why an act is refused, in order of precedence.
    type Refusal: Refuse;
    /// What one viewer may know.
    type View: Serialize;

    /// Reads the options of a new game. Unknown ones are ignored.
    fn setup(options: &Value) -> Result<Self::Setup, Self::Refusal>;
    /// How many seats such a game has.
    fn seating(setup: &Self::Setup) -> Seating;
    /// The state at the very start, before the opening events.
    fn begin(setup: &Self::Setup, seats: usize, rates: Rates) -> Self::State;
    /// What happens at the start, deals included.
    fn opening(_state: &Self::State, _moment: &Moment<'_>) -> Vec<Self::Event> {
        vec![]
    }

    /// Reads an act off a JSON body. Only a body without a recognisable act is refused here; fields are checked last, in `decide`.
    fn act(body: &Value) -> Result<Self::Act, Self::Refusal>;
    /// Whether what the act addresses (a round, an issue) exists and is open. Checked before the caller is.
    fn locate(_state: &Self::State, _act: &Self::Act, _moment: &Moment<'_>) -> Result<(), Self::Refusal> {
        Ok(())
    }
    /// The rulebook: pure, total, no clock but the moment, no chance but the moment's.
    fn decide(
        state: &Self::State,
        actor: Actor,
        act: &Self::Act,
        moment: &Moment<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// What has to be looked up before this body is decided on; none for most acts, and none for a body that would be refused anyway.
    fn needs(_state: &Self::State, _actor: Actor, _body: &Value) -> Option<Need> {
        None
    }
    /// The body with what was looked up, and without fields that only the house may set.
    fn supplied<'a>(body: &'a Value, _supply: Option<&Supply>) -> Cow<'a, Value> {
        Cow::Borrowed(body)
    }
    /// An example of an act that a seat may try now although no turn announces it: only trying shows whether the account can pay.
    fn also(_state: &Self::State, _seat: Seat) -> Option<Value> {
        None
    }
    /// Whether this body, sent by this seat, meets an argument with words that should be new.
    fn meets(_state: &Self::State, _seat: Seat, _body: &Value) -> Option<Meeting> {
        None
    }
    /// Records an event. Cannot fail, and gives the same result for ever.
    fn evolve(state: &mut Self::State, event: &Self::Event, mark: Mark);

    /// What happened, in a word: `argument`, `round_resolved`, ...
    fn name(event: &Self::Event) -> &'static str;
    /// Where the game stands, as clients read it.
    fn status(state: &Self::State) -> &'static str;
    /// The role of this seat for the server's log, which only its operator reads.
    fn role(_state: &Self::State, _seat: Seat) -> Option<&'static str> {
        None
    }
    /// What the server's log says of an act that changes the status.
    fn cause(state: &Self::State, actor: Actor, _act: &Self::Act) -> Cause {
        Cause { event: None, role: actor.seat().and_then(|seat| Self::role(state, seat)) }
    }
    /// Where the game stands, in numbers that log lines name, such as the round.
    fn place(_state: &Self::State) -> Vec<(&'static str, u64)> {
        vec![]
    }
    /// Whether this completes a speech, so that the game can be taken up again after it though its status is the same.
    fn is_boundary(_state: &Self::State, _event: &Self::Event) -> bool {
        false
    }
    fn is_over(state: &Self::State) -> bool;
    /// Who is awaited and what they may do. `decide` enforces what is announced here. In the order in which they should speak.
    fn turns(state: &Self::State) -> Vec<Turn>;
    /// What the clock will do if nothing happens for a while.
    fn alarm(_state: &Self::State) -> Option<Alarm> {
        None
    }

    /// What this viewer may know now.
    fn view(hall: &Hall<'_, Self>, viewer: Viewer) -> Self::View;
    /// What has to be looked up to show this viewer its view in full.
    fn view_needs(_state: &Self::State, _viewer: Viewer) -> Option<Need> {
        None
    }
    /// Adds what was looked up to a view. What is added is the viewer's alone.
    fn enrich(_view: &mut Self::View, _hall: &Hall<'_, Self>, _supply: &Supply) {}
    /// What this viewer is told when the event happens: a function of the event, so that a resumed stream repeats it to the byte.
    fn message(event: &Self::Event, hall: &Hall<'_, Self>, mark: Mark, viewer: Viewer) -> Option<Map<String, Value>>;
    /// Whether everything in the event may be shown to everybody by now.
    fn is_open(_state: &Self::State, _event: &Self::Event) -> bool {
        true
    }
    /// The event as a line of the transcript. `state` is as it was right after the event.
    fn line(state: &Self::State, event: &Self::Event, hall: &Hall<'_, Self>) -> Option<Line>;
    /// The result of a finished game.
    fn result(hall: &Hall<'_, Self>) -> Value;
    /// What a finished game brought each seat.
    fn standings(_hall: &Hall<'_, Self>) -> Vec<Standing> {
        vec![]
    }
    /// What the corpus of arguments learns from the event. `state` is as it was right after it.
    fn facts(_state: &Self::State, _event: &Self::Event) -> Vec<Fact> {
        vec![]
    }

    /// The hash of the models by which the house hears speeches and decides on them; none if it hears none.
    fn ear() -> Option<&'static str> {
        None
    }
    /// Whether the phase or exchange that this line of the transcript belongs to is still going on.
    fn goes_on(_state: &Self::State, _line: &Line) -> bool {
        false
    }
    /// The points that the house hears in this speech, taken by itself; none if nobody weighs it.
    fn heard(_hall: &Hall<'_, Self>, _entry: &Entry) -> Option<Vec<Point>> {
        None
    }
    /// The command that led to this event, unless there was none or `state` is already past it. Sending these plays a finished game again.
    fn sent(_state: &Self::State, _event: &Self::Event) -> Option<Sent> {
        None
    }
    /// Which way this seat now wants its hearers to lean: 1 up, -1 down, 0 where the house cannot say.
    fn wants(_state: &Self::State, _seat: Seat) -> i32 {
        0
    }
    /// How the hearers who weigh speeches lean by now, as the house hears it: jurors, the operator of the lever, countries.
    fn leans(_hall: &Hall<'_, Self>, _key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        vec![]
    }

    /// What a mind in this seat is told in this turn besides its view.
    fn brief(_hall: &Hall<'_, Self>, _seat: Seat) -> Brief {
        Brief::default()
    }
    /// How a language model may be asked to play this seat's turn; none if no model may play it.
    fn call(_state: &Self::State, _seat: Seat) -> Option<Call> {
        None
    }
    /// The lines of its house minds that occur in this text, whatever was filled into their slots.
    fn lines_in(_text: &str) -> Vec<LineId> {
        vec![]
    }
    /// What its house minds may say, where words are kept for other games.
    fn house_lines() -> Vec<HouseLine> {
        vec![]
    }
    /// The tables of content by which a new game is played, for the database to keep.
    fn references() -> Vec<Reference> {
        vec![]
    }
    /// Takes in the tables that a database has kept, of this kind and of others.
    fn know(_kept: &[Reference]) {}
    /// Merges the acts of a panel of minds into one; none if they do not fit together.
    fn panel(_lang: Lang, _acts: &[Value]) -> Option<Value> {
        None
    }
    /// Whether a table wants an adviser of the house.
    fn wants_advice(_state: &Self::State) -> bool {
        false
    }
    /// What an adviser of the house is asked about what was just said, where a table wants one.
    fn advice(_state: &Self::State, _said: &[Entry]) -> Option<Advice> {
        None
    }
    /// The id and title of the case that a table was made for, if one was named.
    fn case_wanted(_setup: &Self::Setup) -> Option<(String, String)> {
        None
    }
    /// Seats, roles, limits and cases, as the API tells them.
    fn about() -> Value {
        json!({})
    }
    /// The score as the API tells it, from the public view.
    fn scoreboard(_view: &Value) -> Value {
        json!({"scores": []})
    }
    /// The review of a finished game, made from its result; none if the kind has no review.
    fn review(_result: &Value) -> Option<Value> {
        None
    }
    /// How opinions moved in an event, as the review tells it.
    fn movements(_event: &Self::Event) -> Vec<Value> {
        vec![]
    }
    /// The house mind: what it would send now, as the body of an act. It sees what its seat sees, and no seed.
    fn mind(hall: &Hall<'_, Self>, said: &[Entry], seat: Seat, key: MindKey) -> Value;
}

/// What a kind is called, and what it asks of the house around it. The house acts on this without knowing which kind it is.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// Its name, as in `game_type`.
    pub name: &'static str,
    /// What it is called in an English sentence, with its article.
    pub title: &'static str,
    /// Logs record it; a log made under another version is refused, never reinterpreted.
    pub version: u32,
    /// Whether `view` quotes the transcript, so that it has to be loaded first.
    pub view_quotes: bool,
    /// Whether house minds take their turns in the order of `turns`, and wait for people who come before them.
    pub in_turn: bool,
    /// What becomes of the words that are said.
    pub words: Words,
    /// Its own options of a new game, besides those that every kind has.
    pub options: &'static [OptionSpec],
    /// Whether a table is made for its creator, who sits down first while house minds take the rest.
    pub solo: bool,
    /// Whether a seat may be taken without any credential, so that anybody may play it and see its view.
    pub open_seats: bool,
    /// The names in the seats that are the house's from the founding on; no player may use them.
    pub house_names: fn(Lang) -> &'static [&'static str],
    /// What happens to a turn for which a mind sent nothing usable.
    pub failed_mind: FailedMind,
    /// The seat that several language models play together, if there is one; [`Rules::panel`] merges their acts.
    pub panel: Option<Seat>,
    /// The seat that is paid for what its words achieve, if there is one. The host of such a game is a party to it.
    pub paid: Option<Seat>,
    /// Who is told what moved a finished game.
    pub influence: Told,
    /// Whose words the replay of a finished game shows.
    pub replay: Told,
    /// How the API's call to move a table on is read.
    pub advance: Advance,
    /// Whether an act for a seat that does not exist goes to the rules, which refuse it in their own words.
    pub strangers: bool,
    /// How long house minds think at a table that is made on a page, in milliseconds.
    pub pace_ms: u32,
    /// The options that a table made over the API has if they are not given.
    pub api_options: fn() -> Value,
    /// The options of a table for one player and house minds, as "Play now" makes it.
    pub play_now: fn() -> Value,
    /// The options of a table that plays itself, and how many house minds sit there, which may be drawn.
    pub demo: fn(&mut Draw) -> (usize, Value),
    /// The options of a rated table that matchmaking makes, for a language and a case if one is wanted; none if it makes no tables of this
    /// kind.
    pub matched: Option<fn(Lang, Option<&str>) -> Value>,
}

impl Meta {
    /// A kind with nothing special: words are counted, anybody may sit, everybody is told everything.
    pub const fn new(name: &'static str, version: u32) -> Meta {
        Meta {
            name,
            title: name,
            version,
            view_quotes: false,
            in_turn: false,
            words: Words::Counted,
            options: &[],
            solo: false,
            open_seats: true,
            house_names: |_| &[],
            failed_mind: FailedMind::StandsIn,
            panel: None,
            paid: None,
            influence: Told::Everybody,
            replay: Told::Everybody,
            advance: Advance::Host,
            strangers: false,
            pace_ms: 1_500,
            api_options: || json!({}),
            play_now: || json!({}),
            demo: |_| (2, Value::Null),
            matched: None,
        }
    }
}

/// An option of a new game.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    pub name: &'static str,
    /// What it is for, as the API document tells it.
    pub about: &'static str,
    /// Its type in JSON: `integer`, `boolean` or `string`.
    pub json: &'static str,
    /// Whether the option may have this value.
    pub accepts: fn(&Value) -> bool,
    /// What the value must be, to complete a sentence: `true or false`.
    pub expected: &'static str,
    /// Whether the rules check it and refuse it in their own words.
    pub own_words: bool,
    /// Whether a game of a kind that does not have it is refused. Otherwise a valid value is ignored there.
    pub only_here: bool,
}

/// What happens to a turn for which a mind sent nothing usable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailedMind {
    StandsIn,
    /// Nobody plays it: the rules are told and pass over it.
    IsPassedOver,
}

/// How the API's call to move a table on is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// As an act of the host, `advance`, which is answered at once.
    Host,
    /// As an event with a payload, sent by the caller's own seat, and answered once the seats that it calls on have spoken.
    Event,
}

/// Who is told something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// The same to everybody.
    Everybody,
    /// Each viewer is told what it may hear itself.
    Each,
    Seat(Seat),
}

/// What becomes of the words that are said in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// They are counted, and nothing else.
    Counted,
    /// They are kept: they may be listed, sold and recalled, and what they achieve is paid for if the house refereed the game.
    Kept,
}

/// A question to an adviser of the house: a language model that plays no seat. Nobody waits for the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The file of the prompt, under the kind's own folder.
    pub prompt: &'static str,
    /// What is asked, as data.
    pub input: Value,
    /// The type of the clock's act that delivers the answer.
    pub act: &'static str,
    /// The fields of the input that the act repeats.
    pub repeats: &'static [&'static str],
}

/// How many seats a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// How many must be taken before it may start.
    pub seats_min: usize,
    /// How many there are at most.
    pub seats_max: usize,
    /// Whether it starts by itself once all are taken, and in no other way.
    pub starts_when_full: bool,
    /// Whether every seat that no house mind plays must be an account's.
    pub accounts_only: bool,
    /// How many, counted from the first, are the house's from the founding on.
    pub house_seats: usize,
}

/// What a finished game brought one seat: the facts that leaderboards and ratings are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub seat: Seat,
    /// Its role, as clients read it.
    pub role: &'static str,
    pub points: u32,
    pub won: bool,
    /// Its place among those who played against each other, from 1 for the best; none if it played against nobody.
    pub rank: Option<u32>,
}

/// What was sent in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Sent {
    /// A seat, the host who moves a table on, or the clock.
    pub actor: Actor,
    /// As [`Rules::act`] reads it, so that it can be sent again.
    pub body: Value,
    /// The field of the body that holds the decision, if the actor decided on what was heard.
    pub weighs: Option<&'static str>,
}

impl Sent {
    /// An act that decides nothing on what was heard.
    pub fn by(actor: Actor, body: Value) -> Sent {
        Sent { actor, body, weighs: None }
    }

    /// A decision on what was heard: `weighs` is the field of the body that holds it.
    pub fn weighing(actor: Actor, weighs: &'static str, body: Value) -> Sent {
        Sent { actor, body, weighs: Some(weighs) }
    }
}

/// A point that was heard in a speech.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// In a few words of the game's language.
    pub point: String,
    /// How it is taken: `asserts`, `denies`, `concedes`, ...
    pub stance: &'static str,
    /// Whom that helps, as clients read it.
    pub helps: Option<&'static str>,
}

/// How a hearer leans.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lean {
    /// Who: an agent's id, or a juror's number or a country where those have no seat.
    pub who: String,
    /// On what, where there is more than one thing: a round, an issue.
    pub on: String,
    /// How far; zero is the middle.
    pub value: i32,
}

/// Who asks. Who sits in a seat is the roster's business, never the rules'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// The player of this seat, or the house mind that plays it.
    Seat(Seat),
    /// The caller who runs the table.
    Host,
    Clock,
}

impl Actor {
    pub fn seat(self) -> Option<Seat> {
        match self {
            Actor::Seat(seat) => Some(seat),
            Actor::Host | Actor::Clock => None,
        }
    }
}

/// What a change of status follows from, as the server's log tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cause {
    /// The name of what was asked for; none where what happened is named instead.
    pub event: Option<&'static str>,
    /// The role of the seat that asked; none for the host, the clock and the house.
    pub role: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Viewer {
    /// Anyone: sees what is public.
    Spectator,
    /// The player of this seat, or the house mind that plays it.
    Seat(Seat),
}

/// The circumstances of one decision.
pub struct Moment<'a> {
    /// The game, for ids derived from it.
    pub game: GameId,
    /// The time, passed in.
    pub now: Timestamp,
    pub chance: Chance<'a>,
    pub ears: Ears,
    /// Whether a house mind plays the acting seat now.
    pub house: bool,
}

/// Whether what is said is heard. Ears are closed only while a finished game is played again without a speech.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ears {
    /// As in every live game.
    Open,
    /// It is said, and nobody hears it.
    Closed,
}

/// The number and time of the event being recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    pub seq: Seq,
    pub at: Timestamp,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    pub who: Actor,
    pub offers: Vec<Offer>,
}

/// An action that would be accepted now.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// The `type` of the action.
    pub action: &'static str,
    /// Its fields, required ones first.
    pub fields: Vec<FieldSpec>,
}

impl Offer {
    /// A body that would be accepted. The number picks among choices, so that no choice is always the one that is shown.
    pub fn example(&self, number: u64) -> Value {
        let mut body = Map::new();
        body.insert("type".into(), self.action.into());
        for field in self.fields.iter().filter(|field| field.required) {
            body.insert(field.name.into(), field.shape.example(number));
        }
        Value::Object(body)
    }
}

/// A field of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldSpec {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
}

/// What a field may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Text, with its length limits in characters.
    Text { len_min: usize, len_max: usize },
    /// One of these words.
    Choice(Vec<String>),
}

impl Shape {
    fn example(&self, number: u64) -> Value {
        match self {
            Shape::Text { len_max, .. } => json!(format!("Up to {len_max} characters of your own.")),
            Shape::Choice(words) => json!(words.get(number as usize % words.len().max(1))),
        }
    }
}

/// What the clock will do.
#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    /// How many seconds must pass without an event.
    pub after_s: u32,
    /// The body of the clock's act.
    pub act: Value,
}

/// A reason to say no, with a sentence for a person (`Display`) and a stable code for a program.
pub trait Refuse: fmt::Display + fmt::Debug {
    fn code(&self) -> &'static str;
    fn fault(&self) -> Fault;
}

/// What sort of mistake a refusal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Against the rules, or a wrong body.
    Broken,
    /// What it addresses does not exist.
    Unknown,
    /// The caller must have an account.
    NoAccount,
    /// Only another seat may do it.
    NotYours,
    /// Too late or too early: the world is not as the caller thought.
    Conflict,
}

/// A refusal with its kind forgotten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub code: &'static str,
    pub fault: Fault,
    pub sentence: String,
}

impl<R: Refuse> From<R> for Refused {
    fn from(refusal: R) -> Self {
        Refused { code: refusal.code(), fault: refusal.fault(), sentence: refusal.to_string() }
    }
}

/// What a mind is told besides its seat's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Brief {
    /// Paragraphs for its part, such as the case.
    pub told: Vec<String>,
    /// The fields of the view that only repeat what it is told or has heard.
    pub told_of: &'static [&'static str],
    /// Sentences that it is told and must not read out.
    pub private: Vec<String>,
    /// Facts and limits that it is told and must not state in any words.
    pub secret: Vec<String>,
    /// What it remembers of other people's words for this turn, by heading.
    pub recalled: Vec<(&'static str, Vec<String>)>,
    /// Fields that a mind may add to an action, by the action's name. They follow from what it alone was told, so no turn announces them.
    pub may_add: Vec<(&'static str, FieldSpec)>,
}

impl Brief {
    /// These offers, with what a mind may add to them.
    pub fn widen(&self, offers: Vec<Offer>) -> Vec<Offer> {
        let widened = |mut offer: Offer| {
            let added = self.may_add.iter().filter(|(action, _)| *action == offer.action);
            offer.fields.extend(added.map(|(_, field)| FieldSpec { required: false, ..field.clone() }));
            offer
        };
        offers.into_iter().map(widened).collect()
    }
}

/// A turn that a language model may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The seat's role in this turn; selects the prompt.
    pub role: &'static str,
    /// Who will hear what it says, and so may watch it being written.
    pub heard_by: SeenBy,
}

/// What a house mind draws from: derived from the seed for its seat, and for its seat and turn. Never the seed.
pub struct MindKey {
    /// The same for the whole game: a character.
    pub persona: Draw,
    /// New for each turn.
    pub turn: Draw,
}
