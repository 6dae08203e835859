//! The Tribunal.
//!
//! A player puts a historical figure on trial before twelve jurors. Up to eight **exchanges**: the prosecutor attacks one of the
//! characters, the accused answers, and the bench rules how many jurors that moves and whether the answer made an **extraordinary
//! claim**. If it did, the burden shifts: the accused must prove it from the record, withdraw it, or stand on it, and the bench rules
//! again. Seven jurors condemn or acquit; else the jury is hung. The accused remembers across trials what was struck and what was
//! proved, so the same attack meets better answers each time.
//!
//! Instead of attacking, the prosecutor may look into the **archive** of attacks that worked: that costs IA and uses up the exchange,
//! and nobody else is shown what it found.
//!
//! A trial is closed unless the player opens it: only the three seats are shown the words; what came of them is public.

mod archive;
mod bench;
mod boast;
mod brief;
pub mod docket;
mod drafts;
mod facts;
mod filed;
mod hearing;
mod house;
mod jury;
mod labels;
mod mind;
mod owned;
mod panel;
mod refusal;
mod replay;
mod rules;
mod state;
mod view;
mod words;

pub use drafts::is_house_line;
pub use hearing::makes_a_point;
pub use labels::label_in;
pub use mind::intern;
pub use refusal::Refusal;
pub use state::{Closed, Commitment, Consultation, Defense, Exchange, Memory, Phase, Remembered, Ruling, State};
pub use view::View;
pub use words::{
    ATTACK_LEN, Act, Archived, Claim, EXCHANGES_MAX, Event, FOUND_MAX, Found, HOUSE_SEATS, JURORS, LEAN_MAX, Note,
    REASONS_LEN_MAX, Role, SEATS, SHIFT_MAX, Setup, TEXT_LEN_MAX, Verdict,
};

use engine::chance::Draw;
use engine::facts::{Fact, HouseLine};
use engine::game::Hall;
use engine::id::Seat;
use engine::needs::{Meeting, Need, Supply};
use engine::parts::lines::LineId;
use engine::parts::transcript::{Entry, Line, SeenBy};
use engine::rates::Rates;
use engine::roster::Lang;
use engine::rules::{
    Actor, Alarm, Brief, Call, Lean, Mark, Meta, MindKey, Moment, OptionSpec, Point, Rules, Seating, Sent, Standing,
    Told, Turn, Viewer, Words,
};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

pub struct Tribunal;

impl Rules for Tribunal {
    const META: Meta = Meta {
        title: "the Tribunal",
        view_quotes: true,
        words: Words::Kept,
        options: &[
            crate::docket::CASE,
            OptionSpec {
                name: "opponent",
                about: "Against whom: `house`, or `player` to leave the accused's seat to somebody else.",
                json: "string",
                accepts: |value| matches!(value.as_str(), Some("house" | "player")),
                expected: "house or player",
                own_words: false,
                only_here: true,
            },
            OptionSpec {
                name: "open",
                about: "Whether everybody may read what is said. Not to be confused with the `open` of the answer and of a \
                        game's metadata: that says whether the table has open seats.",
                json: "boolean",
                accepts: Value::is_boolean,
                expected: "true or false",
                own_words: false,
                only_here: false,
            },
            OptionSpec {
                name: "exchanges",
                about: "How many exchanges there are at most, 1 to 8.",
                json: "integer",
                accepts: |value| value.as_u64().is_some_and(|n| (1..=EXCHANGES_MAX as u64).contains(&n)),
                expected: "a whole number from 1 to 8",
                own_words: false,
                only_here: false,
            },
        ],
        solo: true,
        // Anybody may look through an open seat, but not everybody may read a closed trial.
        open_seats: false,
        house_names: |lang| match lang {
            Lang::En => &["The bench"],
            Lang::Ko => &["재판부"],
        },
        panel: Some(Role::Bench.seat()),
        paid: Some(Role::Prosecutor.seat()),
        replay: Told::Each,
        demo: |_| (SEATS - HOUSE_SEATS, json!({"open": true})),
        matched: Some(|_, case_id| json!({"case_id": case_id})),
        ..Meta::new("tribunal", 1)
    };

    type Setup = Setup;
    type State = State;
    type Act = Act;
    type Event = Event;
    type Refusal = Refusal;
    type View = View;

    fn setup(options: &Value) -> Result<Setup, Refusal> {
        words::setup(options)
    }

    fn seating(_setup: &Setup) -> Seating {
        Seating {
            seats_min: SEATS,
            seats_max: SEATS,
            starts_when_full: true,
            accounts_only: false,
            house_seats: HOUSE_SEATS,
        }
    }

    fn begin(setup: &Setup, _seats: usize, rates: Rates) -> State {
        State::new(setup, rates)
    }

    fn opening(state: &State, moment: &Moment<'_>) -> Vec<Event> {
        vec![rules::open_court(state, moment)]
    }

    fn act(body: &Value) -> Result<Act, Refusal> {
        words::act(body)
    }

    /// There is only one place to act in: the present exchange.
    fn locate(_state: &State, _act: &Act, _moment: &Moment<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn decide(state: &State, actor: Actor, act: &Act, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
        rules::decide(state, actor, act, moment.house)
    }

    fn evolve(state: &mut State, event: &Event, mark: Mark) {
        state.evolve(event, mark);
    }

    fn name(event: &Event) -> &'static str {
        event.name()
    }

    fn status(state: &State) -> &'static str {
        state.phase.status()
    }

    fn is_over(state: &State) -> bool {
        matches!(state.phase, Phase::End(_))
    }

    fn turns(state: &State) -> Vec<Turn> {
        rules::turns(state)
    }

    fn needs(state: &State, actor: Actor, body: &Value) -> Option<Need> {
        archive::needs(state, actor, body)
    }

    fn supplied<'a>(body: &'a Value, supply: Option<&Supply>) -> Cow<'a, Value> {
        archive::supplied(body, supply)
    }

    fn also(state: &State, seat: Seat) -> Option<Value> {
        archive::offered(state, seat)
    }

    fn meets(state: &State, seat: Seat, body: &Value) -> Option<Meeting> {
        archive::meets(state, seat, body)
    }

    fn view_needs(state: &State, viewer: Viewer) -> Option<Need> {
        archive::view_needs(state, viewer)
    }

    fn enrich(view: &mut View, hall: &Hall<'_, Self>, supply: &Supply) {
        if let (Supply::Owned(owned), Some(state)) = (supply, hall.state) {
            view.draft_from(hall.setup.lang, state.exchanges_over(), owned);
        }
    }

    /// The accused remembers at once; what the corpus knows is looked up for it.
    fn alarm(state: &State) -> Option<Alarm> {
        matches!(state.phase, Phase::Recall(_)).then(|| Alarm { after_s: 0, act: json!({"type": "recall"}) })
    }

    fn view(hall: &Hall<'_, Self>, viewer: Viewer) -> View {
        view::view(hall, viewer)
    }

    fn message(event: &Event, _hall: &Hall<'_, Self>, _mark: Mark, viewer: Viewer) -> Option<Map<String, Value>> {
        view::tell(event, viewer)
    }

    /// Words of a closed trial, what the archive showed and what the accused remembers stay closed for ever.
    fn is_open(_state: &State, event: &Event) -> bool {
        event.is_public()
    }

    fn line(state: &State, event: &Event, _hall: &Hall<'_, Self>) -> Option<Line> {
        view::line(state, event)
    }

    fn result(hall: &Hall<'_, Self>) -> Value {
        view::result(hall)
    }

    fn standings(hall: &Hall<'_, Self>) -> Vec<Standing> {
        view::standings(hall)
    }

    /// Seats do not change roles, and everybody knows them.
    fn role(_state: &State, seat: Seat) -> Option<&'static str> {
        Role::of(seat).map(Role::word)
    }

    fn ear() -> Option<&'static str> {
        Some(hearing::models())
    }

    fn lines_in(text: &str) -> Vec<LineId> {
        docket::docket().lines_in(text)
    }

    fn house_lines() -> Vec<HouseLine> {
        docket::docket().spoken_lines().collect()
    }

    fn goes_on(state: &State, line: &Line) -> bool {
        state.phase.heard().is_some() && line.round == Some(u32::from(state.exchange()))
    }

    fn heard(hall: &Hall<'_, Self>, entry: &Entry) -> Option<Vec<Point>> {
        bench::heard(hall.state?, entry)
    }

    fn sent(state: &State, event: &Event) -> Option<Sent> {
        replay::sent(state, event)
    }

    fn wants(_: &State, seat: Seat) -> i32 {
        match Role::of(seat) {
            Some(Role::Prosecutor) => 1,
            Some(Role::Accused) => -1,
            Some(Role::Bench) | None => 0,
        }
    }

    fn leans(hall: &Hall<'_, Self>, _key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        hall.state.map_or(vec![], replay::leans)
    }

    fn brief(hall: &Hall<'_, Self>, seat: Seat) -> Brief {
        brief::brief(hall, seat)
    }

    /// In a closed trial only the three seats hear what is said; nobody watches a ruling being written.
    fn call(state: &State, seat: Seat) -> Option<Call> {
        let role = Role::of(seat)?;
        let heard_by = match role {
            Role::Bench => SeenBy::NOBODY,
            Role::Prosecutor | Role::Accused => view::readers(state.open),
        };
        Some(Call { role: role.word(), heard_by })
    }

    fn facts(state: &State, event: &Event) -> Vec<Fact> {
        facts::facts(state, event)
    }

    fn panel(lang: Lang, acts: &[Value]) -> Option<Value> {
        panel::panel(lang, acts)
    }

    fn case_wanted(setup: &Setup) -> Option<(String, String)> {
        let case = docket::docket().case(setup.lang, setup.case_id.as_deref()?)?;
        Some((case.case_id.clone(), case.title.clone()))
    }

    fn about() -> Value {
        let cases = |lang| -> Value {
            let person = |one: &docket::Character| json!({"id": one.id, "name": one.name});
            let case = |case: &docket::Case| {
                let people: Vec<Value> = case.characters.iter().map(person).collect();
                json!({"case_id": case.case_id, "title": case.title, "characters": people})
            };
            docket::docket().cases(lang).iter().map(|one| case(one)).collect()
        };
        json!({
            "seats": {"min": SEATS, "max": SEATS, "players": 1},
            "roles": Role::ALL.map(Role::word),
            "limits": {
                "text_len_min": ATTACK_LEN.start(), "text_len_max": TEXT_LEN_MAX, "exchanges": EXCHANGES_MAX,
            },
            "cases": {"en": cases(Lang::En), "ko": cases(Lang::Ko)},
        })
    }

    fn scoreboard(view: &Value) -> Value {
        json!({
            "scores": [], "jurors": view["jurors"], "condemn": view["condemn"], "acquit": view["acquit"],
            "undecided": view["undecided"], "ia_won": view["ia_won"], "verdict": view["result"]["verdict"],
        })
    }

    fn mind(hall: &Hall<'_, Self>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
        mind::speak(hall, said, seat, key)
    }
}

/// The words of a closed trial are kept from spectators for ever, what the archive showed from everybody but the prosecutor, and what
/// the accused remembers from everybody.
impl engine::laws::Secrets for Tribunal {
    fn twin(state: &State, actor: Actor, body: &Value, viewer: Viewer) -> Option<Value> {
        let mut twin = body.clone();
        match (actor, body.get("type")?.as_str()?) {
            (Actor::Clock, "recall") => {
                twin["struck"] = json!(["What fell once."]);
                return Some(twin);
            }
            (Actor::Seat(seat), "consult") => {
                let found = found(&mut Draw::from_number(body.to_string().len() as u64));
                twin["found"] = json!(found);
                return (viewer != Viewer::Seat(seat)).then_some(twin);
            }
            (Actor::Seat(_), "argue" | "answer" | "prove" | "withdraw" | "defend" | "rule" | "rule_burden") => {}
            _ => return None,
        }
        if state.open || viewer != Viewer::Spectator {
            return None;
        }
        // Equal words stay equal when reversed, so that a claim made twice is made twice in both worlds.
        let mut changed = false;
        for field in ["text", "claim", "reasons"] {
            if let Some(words) = body.get(field).and_then(Value::as_str) {
                twin[field] = words.chars().rev().collect::<String>().into();
                changed = true;
            }
        }
        changed.then_some(twin)
    }
    /// A look into the archive is not announced: the rules do not know whether it can be paid for, or what would be found.
    fn unannounced(state: &State, draw: &mut Draw) -> Option<(Actor, Value)> {
        let case = state.case.as_ref().filter(|_| matches!(state.phase, Phase::Attack))?;
        let character = &draw.pick(&case.characters).id;
        let body = json!({"type": "consult", "character_id": character, "found": found(draw)});
        Some((Actor::Seat(Role::Prosecutor.seat()), body))
    }
}

/// What an archive might hold: one to three attacks.
fn found(draw: &mut Draw) -> Vec<Found> {
    let found = |draw: &mut Draw| Found {
        arg_hash: format!("{:016x}", draw.bits()),
        text: format!("Archived words {:016x}.", draw.bits()),
        label: format!("archived label {:04x}", draw.bits() as u16),
        effectiveness_e4: draw.below(10_001) as u32,
        uses: draw.below(1_000) as u64,
        worked: None,
    };
    (0..=draw.below(FOUND_MAX)).map(|_| found(draw)).collect()
}
