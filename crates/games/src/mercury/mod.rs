//! The Mercury Game.
//!
//! One player in one of nine delegations negotiates on mercury with eight others, run by minds, under a Chair who only keeps
//! order. **Round 1**: everyone gives an opening statement. **Round 2**: the player talks with one or two delegations in private.
//! **Round 3**: four issues in order; each is debated in two rounds of speeches, then the Chair tables the option with the most support and
//! the six countries vote. Only unanimity adopts. Every delegation has a stance on every issue, which moves a little with what it hears.

mod cite;
pub mod content;
mod hearing;
mod helper;
mod mind;
pub mod reference;
mod refusal;
mod replay;
mod rules;
mod stance;
mod state;
mod turns;
mod view;
mod words;

pub use cite::{FalseCitation, excerpt_guard};
pub use hearing::subjects;
pub use refusal::Refusal;
pub use stance::{Push, Stance, YES};
pub use state::{Floor, Phase, Placement, State, Talk};
pub use view::{View, stance_moves};
pub use words::{Act, Choice, Event, Issue, Move, Resolved, Role, SEATS, Setup, TEXT_LEN_MAX, Vote};

use crate::lines::Lines;
use engine::facts::Fact;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::lines::LineId;
use engine::parts::transcript::{Entry, Line};
use engine::rates::Rates;
use engine::reference::Reference;
use engine::roster::Lang;
use engine::rules::{
    Actor, Advance, Advice, Alarm, Brief, Call, Cause, FailedMind, Lean, Mark, Meta, MindKey, Moment, OptionSpec,
    Point, Rules, Seating, Sent, Standing, Told, Turn, Viewer,
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

pub struct Mercury;

/// The name of a delegation, by its code.
pub fn name_of(lang: Lang, word: &str) -> &str {
    words::Role::named(word).map_or(word, |role| content::content(lang).name(role))
}

impl Rules for Mercury {
    const META: Meta = Meta {
        title: "the Mercury Game",
        view_quotes: true,
        options: &[OptionSpec {
            name: "helper",
            about: "Whether a language model may say how messages move stances; off if not given.",
            json: "boolean",
            accepts: Value::is_boolean,
            expected: "true or false",
            own_words: false,
            only_here: false,
        }],
        solo: true,
        failed_mind: FailedMind::IsPassedOver,
        advance: Advance::Event,
        // Only the player is told how the meeting moved stances.
        influence: Told::Seat(Seat(0)),
        demo: |_| (SEATS, json!({})),
        ..Meta::new("mercury", 1)
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
        Seating { seats_min: SEATS, seats_max: SEATS, starts_when_full: true, accounts_only: false, house_seats: 0 }
    }

    fn begin(setup: &Setup, _seats: usize, _rates: Rates) -> State {
        State::new(setup)
    }

    fn opening(_state: &State, _moment: &Moment<'_>) -> Vec<Event> {
        vec![Event::MeetingCalled]
    }

    fn act(body: &Value) -> Result<Act, Refusal> {
        words::act(body)
    }

    /// There is only one place to act in: the present state.
    fn locate(_state: &State, _act: &Act, _moment: &Moment<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn decide(state: &State, actor: Actor, act: &Act, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
        rules::decide(state, actor, act, moment)
    }

    fn evolve(state: &mut State, event: &Event, _mark: Mark) {
        state.evolve(event);
    }

    fn name(event: &Event) -> &'static str {
        event.name()
    }

    fn status(state: &State) -> &'static str {
        state.phase.status()
    }

    fn role(state: &State, seat: Seat) -> Option<&'static str> {
        state.role(seat).map(Role::word)
    }

    fn cause(state: &State, actor: Actor, act: &Act) -> Cause {
        words::cause(state, actor, act)
    }

    fn place(state: &State) -> Vec<(&'static str, u64)> {
        view::place(state)
    }

    /// Every speech and vote. Meetings without reference tables were held before this was so.
    fn is_boundary(state: &State, event: &Event) -> bool {
        state.tables.is_some() && event.is_turn()
    }

    fn is_over(state: &State) -> bool {
        state.phase == Phase::Review
    }

    fn turns(state: &State) -> Vec<Turn> {
        turns::turns(state)
    }

    fn alarm(_state: &State) -> Option<Alarm> {
        None
    }

    fn view(hall: &Hall<'_, Self>, viewer: Viewer) -> View {
        view::view(hall, viewer)
    }

    fn message(event: &Event, hall: &Hall<'_, Self>, _mark: Mark, viewer: Viewer) -> Option<Map<String, Value>> {
        view::tell(event, hall, viewer)
    }

    /// Private talks, the openings as they were drawn, and changes of stance stay closed for ever.
    fn is_open(_state: &State, event: &Event) -> bool {
        let inside = matches!(event, Event::OpeningsDrawn { .. } | Event::Weighed { .. } | Event::StanceMoved(_));
        !inside && event.private_with().is_none()
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

    fn ear() -> Option<&'static str> {
        Some(hearing::models())
    }

    fn references() -> Vec<Reference> {
        reference::in_use()
    }

    fn know(kept: &[Reference]) {
        reference::know(kept);
    }

    fn lines_in(text: &str) -> Vec<LineId> {
        static LINES: LazyLock<Lines> = LazyLock::new(|| Lines::of(&content::files()));
        LINES.ids_in(text)
    }

    fn goes_on(state: &State, line: &Line) -> bool {
        view::goes_on(state, line)
    }

    fn heard(hall: &Hall<'_, Self>, entry: &Entry) -> Option<Vec<Point>> {
        hearing::heard(hall.state?, entry)
    }

    fn sent(state: &State, event: &Event) -> Option<Sent> {
        replay::sent(state, event)
    }

    fn wants(_: &State, _: Seat) -> i32 {
        0
    }

    fn leans(hall: &Hall<'_, Self>, _key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        hall.state.map_or(vec![], replay::leans)
    }

    fn brief(hall: &Hall<'_, Self>, seat: Seat) -> Brief {
        let of_role = |state: &State| Some(state.content().brief_of(state, state.role(seat)?));
        hall.state.and_then(of_role).unwrap_or_default()
    }

    /// Only a delegation that is called on: never in the first round, and never the player's own seat.
    fn call(state: &State, seat: Seat) -> Option<Call> {
        let (role, _) = state.called.filter(|(role, _)| state.seat(*role) == seat)?;
        Some(Call { role: role.word(), heard_by: view::heard_by(state, role) })
    }

    /// Speeches of a meeting are moves in it, not arguments to be used again.
    fn facts(_state: &State, _event: &Event) -> Vec<Fact> {
        vec![]
    }

    fn wants_advice(state: &State) -> bool {
        state.helper
    }

    fn advice(state: &State, said: &[Entry]) -> Option<Advice> {
        let input = helper::helper_input(state, said)?;
        Some(Advice { prompt: "helper.md", input, act: "HELPER_RESULT", repeats: &["role_id", "message"] })
    }

    fn review(result: &Value) -> Option<Value> {
        Some(json!({"summary": {"adopted": result["adopted"], "of": Issue::ALL.len()}, "issues": result["issues"]}))
    }

    fn movements(event: &Event) -> Vec<Value> {
        view::stance_moves(event).iter().map(view::moved).collect()
    }

    fn about() -> Value {
        json!({
            "seats": {"min": SEATS, "max": SEATS, "players": 1},
            "roles": Role::ALL.map(Role::word),
            "limits": {"text_len_max": TEXT_LEN_MAX},
        })
    }

    fn scoreboard(view: &Value) -> Value {
        let votes = view["votes"].as_array();
        json!({
            "scores": [], "human_role_id": view["human_role_id"], "votes": view["votes"],
            "adopted": votes.into_iter().flatten().filter(|one| one["adopted"] == true).count(),
        })
    }

    fn mind(hall: &Hall<'_, Self>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
        mind::speak(hall, said, seat, key)
    }
}

/// What is said in a private talk is kept from everybody else for ever.
impl engine::laws::Secrets for Mercury {
    fn twin(state: &State, actor: Actor, body: &Value, viewer: Viewer) -> Option<Value> {
        let talk = state.talk().filter(|_| state.phase == Phase::Talking)?;
        let participant = matches!(viewer, Viewer::Seat(seat) if seat == Seat(0) || seat == state.seat(talk.partner));
        let field = match (actor, body.get("type")?.as_str()?) {
            (Actor::Seat(Seat(0)), "CONVO_MESSAGE") => "content",
            (Actor::Seat(_), "STATEMENT") => "text",
            _ => return None,
        };
        let mut twin = body.clone();
        // Different words that move nobody.
        twin[field] = "qwx ".repeat(3).trim().into();
        (!participant).then_some(twin)
    }
}
