//! The contract every kind of game fulfils, and the words it is written in.
//!
//! One way in (`decide`), one way to record (`evolve`), one way out (`view`, `message`, `line`). A rule in `evolve` or a
//! decision in `view` is a bug.

use crate::chance::{Chance, Draw};
use crate::game::Hall;
use crate::id::{GameId, Seat, Seq};
use crate::needs::{Meeting, Need, Supply};
use crate::parts::lines::LineId;
use crate::parts::transcript::{Entry, Line, SeenBy};
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
    /// Why not, in order of precedence.
    type Refusal: Refuse;
    /// What one viewer may know.
    type View: Serialize;

    /// Reads the options of a new game. Unknown ones are ignored.
    fn setup(options: &Value) -> Result<Self::Setup, Self::Refusal>;
    /// How many seats such a game has.
    fn seating(setup: &Self::Setup) -> Seating;
    /// The state at the very start, before the opening events.
    fn begin(setup: &Self::Setup, seats: usize) -> Self::State;
    /// What happens at the start, deals included.
    fn opening(_state: &Self::State, _moment: &Moment<'_>) -> Vec<Self::Event> {
        vec![]
    }

    /// Reads an act off a JSON body. Only a body without a recognisable act is refused here; fields are checked last, in `decide`.
    fn act(body: &Value) -> Result<Self::Act, Self::Refusal>;
    /// Whether what the act addresses (a round, an issue) exists and is open: asked before who is asking.
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
    /// What has to be looked up before this body is decided on; nothing for most acts. Only for what could be accepted now.
    fn needs(_state: &Self::State, _actor: Actor, _body: &Value) -> Option<Need> {
        None
    }
    /// The body with what was looked up, and without what nobody but the house may put there.
    fn supplied<'a>(body: &'a Value, _supply: Option<&Supply>) -> Cow<'a, Value> {
        Cow::Borrowed(body)
    }
    /// An act that a seat may try now though it is not announced, as an example; whether it can be paid is found out by trying.
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
    /// What this seat is, as the house's own log may name it now; nothing where naming it would tell a secret.
    fn role(_state: &Self::State, _seat: Seat) -> Option<&'static str> {
        None
    }
    /// Whether it is over.
    fn is_over(state: &Self::State) -> bool;
    /// Who is awaited and what they may do: announced is what is enforced. In the order in which they are best heard.
    fn turns(state: &Self::State) -> Vec<Turn>;
    /// What the clock will do if nothing happens for so long.
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

    /// The models by which the house hears speeches, and decides by what it heard, by their hash; nothing where it hears none.
    fn ear() -> Option<&'static str> {
        None
    }
    /// Whether the part of the game that this line of the transcript belongs to, a phase or an exchange, goes on.
    fn goes_on(_state: &Self::State, _line: &Line) -> bool {
        false
    }
    /// The points that the house hears in this speech, taken by itself; nothing if it is none that anybody weighs.
    fn heard(_hall: &Hall<'_, Self>, _entry: &Entry) -> Option<Vec<Point>> {
        None
    }
    /// What was sent to bring this event about, if somebody sent it and it is not yet done in `state`: so a finished game is played again.
    fn sent(_state: &Self::State, _event: &Self::Event) -> Option<Sent> {
        None
    }
    /// Which way this seat now wants them to lean who weigh what is said: 1 up, -1 down, 0 where that is not for the house to say.
    fn wants(_state: &Self::State, _seat: Seat) -> i32 {
        0
    }
    /// How those who weigh what they hear lean by now, as the house hears it: jurors, whoever holds the lever, countries.
    fn leans(_hall: &Hall<'_, Self>, _key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        vec![]
    }

    /// What a mind in this seat is told besides its view: the same for the whole game.
    fn brief(_hall: &Hall<'_, Self>, _seat: Seat) -> Brief {
        Brief::default()
    }
    /// How a language model may be asked to play this seat's turn; nothing if the turn is none of its business.
    fn call(_state: &Self::State, _seat: Seat) -> Option<Call> {
        None
    }
    /// The lines of its minds that stand in this text, whatever was filled into them.
    fn lines_in(_text: &str) -> Vec<LineId> {
        vec![]
    }
    /// What the acts of a panel of minds come to; nothing if they do not agree on what they are about.
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
    /// The case that a table was made for, by its id and its title, if one was named.
    fn case_wanted(_setup: &Self::Setup) -> Option<(String, String)> {
        None
    }
    /// What there is to play: seats, roles, limits and cases, as the API tells it.
    fn about() -> Value {
        json!({})
    }
    /// The score as the API tells it, from the public view.
    fn scoreboard(_view: &Value) -> Value {
        json!({"scores": []})
    }
    /// What a finished game is reviewed by, from its result; nothing where there is no review.
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
    /// The options of a new game that are its own, besides those that every kind has.
    pub options: &'static [OptionSpec],
    /// Whether a table is made for its creator, who sits down first while house minds take the rest.
    pub solo: bool,
    /// Whether a seat may be taken without any credential, so that anybody plays it and looks through it.
    pub open_seats: bool,
    /// The names of those who sit in the house's own seats from the founding on; nobody else may take them.
    pub house_names: fn(Lang) -> &'static [&'static str],
    /// What plays a turn for which nothing usable came from a mind.
    pub failed_mind: FailedMind,
    /// The seat that several language models play together, if there is one: their acts are brought together by [`Rules::panel`].
    pub panel: Option<Seat>,
    /// The seat that is paid for what its words achieve, if there is one. Its host is a party to the game.
    pub paid: Option<Seat>,
    /// Who is told what moved a finished game.
    pub influence: Told,
    /// Whose words the replay of a finished game shows.
    pub replay: Told,
    /// How the API's call to move a table on is read.
    pub advance: Advance,
    /// Whether an act for a seat that is not there goes to the rules, which refuse it in their own words.
    pub strangers: bool,
    /// How long house minds think at a table that is made on a page, in milliseconds.
    pub pace_ms: u32,
    /// The options of a table for one player and house minds, as "Play now" makes it.
    pub play_now: fn() -> Value,
    /// The options of a table that plays itself, with how many house minds sit there; a few more or less, as it is drawn.
    pub demo: fn(&mut Draw) -> (usize, Value),
    /// The options of a rated table that matchmaking makes, for a language and a case if one is wanted; nothing if it makes none.
    pub matched: Option<fn(Lang, Option<&str>) -> Value>,
}

impl Meta {
    /// A kind with nothing of its own: words are counted, anybody may sit, everybody is told everything.
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
    /// Whether this value may stand there.
    pub accepts: fn(&Value) -> bool,
    /// What must stand there, to complete a sentence: `true or false`.
    pub expected: &'static str,
    /// Whether the rules check it by themselves and refuse it in their own words.
    pub own_words: bool,
    /// Whether it is refused where a kind is played that does not have it. Otherwise it is ignored there.
    pub only_here: bool,
}

/// What plays a turn for which nothing usable came from a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailedMind {
    StandsIn,
    /// Nobody: the rules are told, and pass it over.
    IsPassedOver,
}

/// How the API's call to move a table on is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// As an act of the host, `advance`, which is answered at once.
    Host,
    /// As an event with a payload, sent by the caller's own seat, and answered once those have spoken whom it calls on.
    Event,
}

/// Who is told something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// The same to everybody.
    Everybody,
    /// To each what it may hear itself.
    Each,
    Seat(Seat),
}

/// What becomes of the words that are said in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// They are counted, and nothing else.
    Counted,
    /// They are kept: they may be listed, sold and recalled, and what came of them is paid, if the game was refereed by the house.
    Kept,
}

/// A question to an adviser of the house: a language model that plays no seat. Nobody waits for the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The file of the prompt, under the kind's own folder.
    pub prompt: &'static str,
    /// What is asked, as data.
    pub input: Value,
    /// The type of the clock's act that brings the answer.
    pub act: &'static str,
    /// The fields of the input that the act repeats.
    pub repeats: &'static [&'static str],
}

/// How many seats a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// From how many on it may start.
    pub seats_min: usize,
    /// How many it can take.
    pub seats_max: usize,
    /// Whether it starts by itself, and only so, when all of them are taken.
    pub starts_when_full: bool,
    /// Whether every seat that no house mind plays must be an account's.
    pub accounts_only: bool,
    /// How many, from the first on, are the house's from the founding on.
    pub house_seats: usize,
}

/// What a finished game brought one seat: the facts that leaderboards and ratings are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub seat: Seat,
    /// What it was, as clients read it.
    pub role: &'static str,
    pub points: u32,
    /// Whether that was winning.
    pub won: bool,
    /// Its place among those who played against each other, best first; nothing if it played against nobody.
    pub rank: Option<u32>,
}

/// What was sent in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Sent {
    /// A seat, the host who moves a table on, or the clock.
    pub actor: Actor,
    /// As [`Rules::act`] reads it, so that it can be sent again.
    pub body: Value,
    /// If it decides on what was heard, the field of the body that says how.
    pub weighs: Option<&'static str>,
}

impl Sent {
    /// Sent by an actor, deciding nothing.
    pub fn by(actor: Actor, body: Value) -> Sent {
        Sent { actor, body, weighs: None }
    }

    /// Sent by an actor who decided on what was heard: `weighs` is the field of the body that says how.
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
    /// How much; zero is the middle.
    pub value: i32,
}

/// What the corpus of arguments learns from an event. It follows from the log like everything else, so replay yields it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Somebody said something that may be used again.
    Said {
        by: Seat,
        /// What it is about, in a few neutral words.
        label: String,
        case_id: String,
        /// Against or for whom.
        target: String,
        /// On which side of the argument.
        side: Side,
        text: String,
        /// Whether everybody can read them where they were said.
        public: bool,
        /// Whether they are a line that the house offers to its players: then they are nobody's own.
        offered: bool,
    },
    /// What came of something said.
    Weighed {
        /// The event that said it.
        speech: Seq,
        /// How many of those who weigh what is said it moved, net.
        moved: i32,
        /// Whether it forced a claim that had to be made good.
        forced: bool,
        /// What became of that claim, if there was one.
        fate: Option<Fate>,
        /// What it brought its speaker, in IA.
        brought: i32,
    },
    /// What came of meeting an argument with another.
    Met {
        /// The event that said the argument.
        argument: Seq,
        /// The event that met it.
        speech: Seq,
        /// How it was met.
        manner: Manner,
        /// What became of that.
        fate: Fate,
        /// The evidence it rests on, by id.
        cited: Vec<String>,
        /// The angle of the house's own that it takes.
        angle: Option<String>,
        /// The earlier answer that it varies, by hash.
        varies: Option<String>,
    },
    /// Somebody was shown arguments from other games.
    Shown {
        /// The seat that asked, and so pays.
        by: Seat,
        /// What it costs, in IA.
        price: u32,
        /// What was shown, by hash.
        hashes: Vec<String>,
        /// The case that it was for.
        case_id: String,
    },
}

/// On which side of an argument somebody speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Puts an argument forward.
    Attack,
    Defense,
}

/// How somebody makes good a claim that was called into question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    Prove,
    /// By giving it up.
    Withdraw,
    /// By standing on it without evidence.
    Defend,
}

impl Manner {
    pub const ALL: [Manner; 3] = [Manner::Prove, Manner::Withdraw, Manner::Defend];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Manner::Prove => "prove",
            Manner::Withdraw => "withdraw",
            Manner::Defend => "defend",
        }
    }
}

/// What became of a claim that was called into question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    Proved,
    /// It was given up.
    Withdrawn,
    Failed,
}

impl Fate {
    pub const ALL: [Fate; 3] = [Fate::Proved, Fate::Withdrawn, Fate::Failed];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Proved => "proved",
            Fate::Withdrawn => "withdrawn",
            Fate::Failed => "failed",
        }
    }

    /// Whether the attack that brought it about has landed.
    pub fn landed(self) -> bool {
        match self {
            Fate::Proved => false,
            Fate::Withdrawn | Fate::Failed => true,
        }
    }
}

/// Who asks. Who sits in a seat is the roster's business, never the rules'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// Whoever plays this seat.
    Seat(Seat),
    /// Whoever runs the table.
    Host,
    Clock,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Viewer {
    /// Anyone: sees what is public.
    Spectator,
    /// Whoever plays this seat.
    Seat(Seat),
}

/// The circumstances of one decision.
pub struct Moment<'a> {
    /// The game, for ids derived from it.
    pub game: GameId,
    /// The time, passed in.
    pub now: Timestamp,
    pub chance: Chance<'a>,
    /// Whether what is said is heard.
    pub ears: Ears,
    /// Whether the house holds the seat that acts.
    pub house: bool,
}

/// Whether what is said is heard. They are only ever closed where a finished game is played again without a speech.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ears {
    /// In every game that is being played.
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
    /// A body that would be accepted.
    pub fn example(&self) -> Value {
        let mut body = Map::new();
        body.insert("type".into(), self.action.into());
        for field in self.fields.iter().filter(|field| field.required) {
            body.insert(field.name.into(), field.shape.example());
        }
        Value::Object(body)
    }
}

/// A field of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldSpec {
    pub name: &'static str,
    /// What it may hold.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
}

/// What a field may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Text of so many characters.
    Text { len_min: usize, len_max: usize },
    /// One of these words.
    Choice(Vec<String>),
}

impl Shape {
    fn example(&self) -> Value {
        match self {
            Shape::Text { len_max, .. } => json!(format!("Up to {len_max} characters of your own.")),
            Shape::Choice(words) => json!(words.first()),
        }
    }
}

/// What the clock will do.
#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    /// After so many seconds without an event.
    pub after_s: u32,
    /// The body of the clock's act.
    pub act: Value,
}

/// A reason to say no, with a sentence for a person (`Display`) and a stable code for a program.
pub trait Refuse: fmt::Display + fmt::Debug {
    fn code(&self) -> &'static str;
    /// What sort of mistake it is.
    fn fault(&self) -> Fault;
}

/// What sort of mistake a refusal is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Against the rules, or a wrong body.
    Broken,
    /// What it addresses does not exist.
    Unknown,
    /// Whoever asks must be an account.
    NoAccount,
    /// Somebody else's to do.
    NotYours,
    /// Too late or too early: the world is not as the caller thought.
    Conflict,
}

/// A refusal with its kind forgotten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub code: &'static str,
    /// What sort of mistake.
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
    /// Sentences that it is told and must not read out.
    pub private: Vec<String>,
    /// Facts and limits that it is told and must not state in any words.
    pub secret: Vec<String>,
    /// What it remembers for this turn of other people's words, by heading.
    pub recalled: Vec<(&'static str, Vec<String>)>,
    /// Fields that a mind may add to an action, by its name. They follow from what it alone was told, so no turn announces them.
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
    /// What the seat is just now: chooses the words of the prompt.
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
