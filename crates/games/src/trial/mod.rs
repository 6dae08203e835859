//! Mock Trial.
//!
//! Six seats and one case. At the start the roles are dealt and a case is drawn; both are public. Everyone makes an **opening**; in three
//! **argument** rounds everyone speaks once a round: prosecution and defense make their case, the judge asks or sums up, jurors say which
//! way they lean. In the **rebuttal** prosecution and defense speak once more. Then the three jurors **vote**, and nobody sees a vote
//! before the third is in. Two votes of three decide, the judge pronounces the **verdict**, and the trial is over: 200 points to the
//! winning team, 50 to the losing one, 100 to the judge. A juror belongs to the team it voted for. A seat that has no part in a phase may
//! act all the same: that is a pass, and changes nothing.

pub mod docket;
mod facts;
mod hearing;
mod house;
mod jury;
mod mind;
mod plain;
mod replay;
mod rules;
mod state;
mod view;
mod words;

pub use state::{Count, Phase, State};
pub use view::{ParticipantView, View};
pub use words::{Act, Event, ROUNDS, Refusal, Role, SEATS, Setup, TEXT_LEN_MAX, Verdict};

use docket::Case;
use engine::facts::Fact;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::lines::LineId;
use engine::parts::transcript::{Entry, Line, SeenBy};
use engine::rates::Rates;
use engine::roster::Lang;
use engine::rules::{
    Actor, Alarm, Brief, Call, Lean, Mark, Meta, MindKey, Moment, Point, Rules, Seating, Sent, Standing, Turn, Viewer,
};
use serde_json::{Map, Value, json};

pub struct Trial;

impl Rules for Trial {
    const META: Meta = Meta {
        title: "the trial",
        view_quotes: true,
        in_turn: true,
        options: &[crate::docket::CASE],
        // Speeches in court follow one another, and a reader should be able to keep up.
        pace_ms: 3_500,
        demo: |_| (SEATS, json!({})),
        matched: Some(|_, _| json!({})),
        ..Meta::new("trial", 1)
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
        Seating { seats_min: SEATS, seats_max: SEATS, starts_when_full: true, accounts_only: true, house_seats: 0 }
    }

    fn begin(setup: &Setup, _seats: usize, _rates: Rates) -> State {
        State::new(setup)
    }

    fn opening(state: &State, moment: &Moment<'_>) -> Vec<Event> {
        vec![rules::open_court(state, moment)]
    }

    fn act(body: &Value) -> Result<Act, Refusal> {
        words::act(body)
    }

    /// There is only one place to act in: the present phase.
    fn locate(_state: &State, _act: &Act, _moment: &Moment<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn decide(state: &State, actor: Actor, act: &Act, _moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
        rules::decide(state, actor, act)
    }

    fn evolve(state: &mut State, event: &Event, mark: Mark) {
        state.evolve(event, mark);
    }

    fn name(event: &Event) -> &'static str {
        event.name()
    }

    fn status(state: &State) -> &'static str {
        state.phase.word()
    }

    fn role(state: &State, seat: Seat) -> Option<&'static str> {
        state.role(seat).map(Role::word)
    }

    fn is_over(state: &State) -> bool {
        matches!(state.phase, Phase::End(_))
    }

    fn turns(state: &State) -> Vec<Turn> {
        rules::turns(state)
    }

    fn alarm(_state: &State) -> Option<Alarm> {
        None
    }

    fn view(hall: &Hall<'_, Self>, viewer: Viewer) -> View {
        view::view(hall, viewer)
    }

    fn message(event: &Event, hall: &Hall<'_, Self>, _mark: Mark, _viewer: Viewer) -> Option<Map<String, Value>> {
        Some(view::tell(event, hall))
    }

    /// A vote is sealed until the third one is in.
    fn is_open(state: &State, event: &Event) -> bool {
        match event {
            Event::VoteSealed { .. } => state.phase.count().is_some(),
            Event::CourtOpened { .. }
            | Event::Spoke { .. }
            | Event::RoundOpened { .. }
            | Event::PhaseOpened { .. }
            | Event::VotesCounted { .. }
            | Event::Ended { .. } => true,
        }
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
        docket::docket().lines_in(text)
    }

    fn goes_on(state: &State, line: &Line) -> bool {
        line.round == Some(u32::from(state.phase.round())) && line.phase.as_deref() == Some(state.phase.word())
    }

    fn heard(hall: &Hall<'_, Self>, entry: &Entry) -> Option<Vec<Point>> {
        mind::heard(hall, entry)
    }

    fn sent(_state: &State, event: &Event) -> Option<Sent> {
        replay::sent(event)
    }

    fn wants(state: &State, seat: Seat) -> i32 {
        match state.role(seat) {
            Some(Role::Prosecutor) => 1,
            Some(Role::Defense) => -1,
            Some(Role::Judge | Role::Juror) | None => 0,
        }
    }

    fn leans(hall: &Hall<'_, Self>, key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        replay::leans(hall, key)
    }

    fn brief(hall: &Hall<'_, Self>, _seat: Seat) -> Brief {
        let case = hall.state.and_then(|state| state.case.as_deref());
        Brief { told: case.map(Case::file).into_iter().collect(), told_of: &["case", "history"], ..Brief::default() }
    }

    /// Speeches are heard by everybody, a vote by nobody.
    fn call(state: &State, seat: Seat) -> Option<Call> {
        let heard_by = match state.phase {
            Phase::JuryVote { .. } => SeenBy::NOBODY,
            Phase::Dealing
            | Phase::Opening { .. }
            | Phase::Argument { .. }
            | Phase::Rebuttal { .. }
            | Phase::Verdict(_)
            | Phase::End(_) => SeenBy::All,
        };
        Some(Call { role: state.role(seat)?.word(), heard_by })
    }

    fn facts(state: &State, event: &Event) -> Vec<Fact> {
        facts::facts(state, event)
    }

    fn case_wanted(setup: &Setup) -> Option<(String, String)> {
        let case = docket::docket().case(setup.lang, setup.case_id.as_deref()?)?;
        Some((case.case_id.clone(), case.title.clone()))
    }

    fn about() -> Value {
        let cases = |lang| -> Value {
            let case = |case: &docket::Case| json!({"case_id": case.case_id, "title": case.title});
            docket::docket().cases(lang).iter().map(case).collect()
        };
        json!({
            "seats": {"min": SEATS, "max": SEATS},
            "roles": Role::SIX.map(Role::word),
            "limits": {"text_len_max": TEXT_LEN_MAX, "rounds": ROUNDS},
            "cases": {"en": cases(Lang::En), "ko": cases(Lang::Ko)},
        })
    }

    fn scoreboard(view: &Value) -> Value {
        let score = |one: &Value| {
            json!({
                "agent_id": one["id"], "display_name": one["name"], "role": one["role"], "score": one["points"],
            })
        };
        let scores: Vec<Value> = view["participants"].as_array().into_iter().flatten().map(score).collect();
        json!({"scores": scores, "verdict": view["result"]["verdict"]})
    }

    fn mind(hall: &Hall<'_, Self>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
        mind::speak(hall, said, seat, key)
    }
}

/// A juror's vote is kept secret from everybody else until the count.
impl engine::laws::Secrets for Trial {
    fn twin(_state: &State, actor: Actor, body: &Value, viewer: Viewer) -> Option<Value> {
        let verdict = body.get("verdict")?.as_str()?;
        let own = matches!((actor, viewer), (Actor::Seat(juror), Viewer::Seat(seat)) if juror == seat);
        let other = Verdict::ALL.into_iter().find(|known| known.word() != verdict)?;
        (!own).then(|| json!({"type": "vote", "verdict": other.word()}))
    }
}
