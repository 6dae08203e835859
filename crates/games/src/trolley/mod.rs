//! Trolley Problem Arena.
//!
//! A trolley runs towards a fork. One player, the **operator**, holds the lever; of the others a **majority** stands on one branch and a
//! **minority** on the other: max(1, ⌊(n-2)/2⌋) of n players are the minority. In each of three debate phases the players on the tracks
//! make one argument each; then the operator decides whom to save. Survivors score a point, the lost and the operator none. The roles
//! rotate: after exactly n rounds everyone has been operator, majority and minority, and the game is over.

mod facts;
mod hearing;
mod house;
mod mind;
mod replay;
mod rules;
mod state;
mod view;
mod words;

pub use hearing::subject;
pub use state::{Outcome, Phase, Roles, State, Step};
pub use view::{AgentView, CoverageView, View};
pub use words::{Act, Decision, Event, PLAYERS_MAX, PLAYERS_MIN, REASON_LEN_MAX, Refusal, Role, Setup, TEXT_LEN_MAX};

use crate::lines::Lines;
use engine::facts::Fact;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::lines::LineId;
use engine::parts::transcript::{Entry, Line, SeenBy};
use engine::rates::Rates;
use engine::rules::{
    Actor, Alarm, Brief, Call, Lean, Mark, Meta, MindKey, Moment, OptionSpec, Point, Rules, Seating, Sent, Standing,
    Turn, Viewer,
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

pub struct Trolley;

/// Players at a "Play now" table and at a rated one.
const TABLE_PLAYERS: usize = 5;
/// How long a resolved round stays on show, in seconds: at a table for one player, at one that plays itself, and at a rated one, which
/// nobody hosts.
const PLAY_NOW_ADVANCE_S: u32 = 12;
/// At tables made over the API: the six steps of an agent do not move a table on.
const API_ADVANCE_S: u32 = 5;
const DEMO_ADVANCE_S: u32 = 9;
const MATCHED_ADVANCE_S: u32 = 10;

impl Rules for Trolley {
    const META: Meta = Meta {
        title: "the trolley",
        options: &[
            OptionSpec {
                name: "min_players",
                about: "From how many players on it may start, 3 to 50.",
                json: "integer",
                accepts: Value::is_u64,
                expected: "a whole number",
                own_words: true,
                only_here: false,
            },
            OptionSpec {
                name: "auto_advance_s",
                about: "The next round starts by itself after so many seconds.",
                json: "integer",
                accepts: Value::is_u64,
                expected: "a whole number",
                own_words: true,
                only_here: false,
            },
        ],
        strangers: true,
        api_options: || json!({"auto_advance_s": API_ADVANCE_S}),
        play_now: || json!({"min_players": TABLE_PLAYERS, "auto_advance_s": PLAY_NOW_ADVANCE_S}),
        demo: |draw| {
            let players = 4 + draw.below(4);
            (players, json!({"min_players": players, "auto_advance_s": DEMO_ADVANCE_S}))
        },
        matched: Some(|_, _| json!({"min_players": TABLE_PLAYERS, "auto_advance_s": MATCHED_ADVANCE_S})),
        ..Meta::new("trolley", 1)
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

    fn seating(setup: &Setup) -> Seating {
        Seating {
            seats_min: usize::from(setup.min_players),
            seats_max: PLAYERS_MAX,
            starts_when_full: false,
            accounts_only: false,
            house_seats: 0,
        }
    }

    fn begin(setup: &Setup, seats: usize, _rates: Rates) -> State {
        State::new(setup, seats)
    }

    fn opening(state: &State, moment: &Moment<'_>) -> Vec<Event> {
        vec![rules::open_round(state, moment)]
    }

    fn act(body: &Value) -> Result<Act, Refusal> {
        words::act(body)
    }

    fn locate(state: &State, act: &Act, moment: &Moment<'_>) -> Result<(), Refusal> {
        rules::locate(state, act, moment)
    }

    fn decide(state: &State, actor: Actor, act: &Act, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
        rules::decide(state, actor, act, moment)
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

    fn role(state: &State, seat: Seat) -> Option<&'static str> {
        state.roles.of(seat).map(Role::word)
    }

    fn is_over(state: &State) -> bool {
        matches!(state.phase, Phase::Completed(_))
    }

    fn turns(state: &State) -> Vec<Turn> {
        rules::turns(state)
    }

    fn alarm(state: &State) -> Option<Alarm> {
        let after_s = state.auto_advance_s?;
        matches!(state.phase, Phase::Resolved(_))
            .then(|| Alarm { after_s, act: json!({"type": "advance", "action": "next_phase"}) })
    }

    fn view(hall: &Hall<'_, Self>, viewer: Viewer) -> View {
        view::view(hall, viewer)
    }

    fn message(event: &Event, hall: &Hall<'_, Self>, mark: Mark, _viewer: Viewer) -> Option<Map<String, Value>> {
        Some(view::tell(event, hall, mark))
    }

    /// Nothing in this kind is sealed.
    fn is_open(_state: &State, _event: &Event) -> bool {
        true
    }

    fn line(_state: &State, event: &Event, hall: &Hall<'_, Self>) -> Option<Line> {
        Some(view::line(event, hall))
    }

    fn result(hall: &Hall<'_, Self>) -> Value {
        view::result(hall)
    }

    fn standings(hall: &Hall<'_, Self>) -> Vec<Standing> {
        view::standings(hall)
    }

    fn ear() -> Option<&'static str> {
        Some(hearing::models())
    }

    fn lines_in(text: &str) -> Vec<LineId> {
        static LINES: LazyLock<Lines> = LazyLock::new(|| Lines::of(&house::FILES));
        LINES.ids_in(text)
    }

    fn goes_on(state: &State, line: &Line) -> bool {
        line.round == Some(state.round) && line.phase.as_deref() == state.phase.word()
    }

    fn heard(hall: &Hall<'_, Self>, entry: &Entry) -> Option<Vec<Point>> {
        mind::heard(hall, entry)
    }

    fn sent(state: &State, event: &Event) -> Option<Sent> {
        replay::sent(state, event)
    }

    fn wants(state: &State, seat: Seat) -> i32 {
        match state.roles.of(seat) {
            Some(Role::Majority) => 1,
            Some(Role::Minority) => -1,
            Some(Role::Operator) | None => 0,
        }
    }

    fn leans(hall: &Hall<'_, Self>, key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        replay::leans(hall, key)
    }

    /// Everything is public, and all of it is in the view.
    fn brief(_hall: &Hall<'_, Self>, _seat: Seat) -> Brief {
        Brief::default()
    }

    /// An argument may be watched while it is written; the operator's decision may not.
    fn call(state: &State, seat: Seat) -> Option<Call> {
        let role = state.roles.of(seat)?;
        let heard_by = if role == Role::Operator { SeenBy::NOBODY } else { SeenBy::All };
        Some(Call { role: role.word(), heard_by })
    }

    fn facts(state: &State, event: &Event) -> Vec<Fact> {
        facts::facts(state, event)
    }

    fn about() -> Value {
        json!({
            "seats": {"min": PLAYERS_MIN, "max": PLAYERS_MAX},
            "roles": ["operator", "majority", "minority"],
            "limits": {"text_len_max": TEXT_LEN_MAX, "reason_len_max": REASON_LEN_MAX},
        })
    }

    fn scoreboard(view: &Value) -> Value {
        let points = |one: &Value| view["scores"][one["agent_id"].as_str().unwrap_or_default()].clone();
        let score = |one: &Value| json!({"agent_id": one["agent_id"], "display_name": one["display_name"], "score": points(one)});
        let scores: Vec<Value> = view["coverage"].as_array().into_iter().flatten().map(score).collect();
        json!({"scores": scores, "coverage": view["coverage"]})
    }

    fn mind(hall: &Hall<'_, Self>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
        mind::speak(hall, said, seat, key)
    }
}

/// Arguments are public as they land and there is nothing else to hide between players.
impl engine::laws::Secrets for Trolley {
    fn twin(_state: &State, _actor: Actor, _body: &Value, _viewer: Viewer) -> Option<Value> {
        None
    }
}
