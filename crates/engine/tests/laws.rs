//! The laws, checked on a kind made for the purpose, a sealed ballot: sound, it passes; each flaw planted in it is found.

use engine::facts::{Fact, Side};
use engine::game::Hall;
use engine::id::Seat;
use engine::laws::{self, Secrets};
use engine::parts::lines::LineId;
use engine::parts::seatset::SeatSet;
use engine::parts::transcript::{Entry, Line};
use engine::rates::Rates;
use engine::rules::{
    Actor, Alarm, Brief, Call, Fault, FieldSpec, Lean, Mark, Meta, MindKey, Moment, Offer, Point, Refuse, Rules,
    Seating, Sent, Shape, Standing, Turn, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is wrong with the kind, by number: const generics cannot carry an enum.
const SOUND: u8 = 0;
const LEAKS_IN_VIEW: u8 = 1;
const LEAKS_IN_MESSAGE: u8 = 2;
const READS_A_CLOCK: u8 = 3;
const FORGETS_A_DRAW: u8 = 4;
const REFUSES_WHAT_IT_ANNOUNCES: u8 = 5;
const LEARNS_FROM_OUTSIDE: u8 = 6;

/// Three seats vote yes or no, face down; then the votes are counted and a die is thrown for a prize.
struct Ballot<const FLAW: u8>;

#[derive(Clone, Serialize, Deserialize)]
struct State {
    voted: SeatSet,
    yes: u32,
    counted: Option<u32>,
    prize: u64,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    VoteSealed { seat: Seat, yes: bool },
    VotesCounted { yes: u32, prize: u64 },
}

#[derive(Debug, thiserror::Error)]
#[error("not now")]
struct NotNow;

impl Refuse for NotNow {
    fn code(&self) -> &'static str {
        "NOT_NOW"
    }
    fn fault(&self) -> Fault {
        Fault::Broken
    }
}

static OUTSIDE: AtomicU64 = AtomicU64::new(0);

impl<const FLAW: u8> Rules for Ballot<FLAW> {
    const META: Meta = Meta::new("ballot", 1);
    type Setup = ();
    type State = State;
    type Act = Option<bool>;
    type Event = Event;
    type Refusal = NotNow;
    type View = Value;

    fn setup(_: &Value) -> Result<(), NotNow> {
        Ok(())
    }
    fn seating(_: &()) -> Seating {
        Seating { seats_min: 3, seats_max: 3, starts_when_full: true, accounts_only: false, house_seats: 0 }
    }
    fn begin(_: &(), _: usize, _: Rates) -> State {
        State { voted: SeatSet::default(), yes: 0, counted: None, prize: 0 }
    }
    fn opening(_: &State, _: &Moment<'_>) -> Vec<Event> {
        vec![]
    }
    fn act(body: &Value) -> Result<Option<bool>, NotNow> {
        Ok(body.get("vote").and_then(Value::as_str).and_then(|word| match word {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }))
    }
    fn locate(_: &State, _: &Option<bool>, _: &Moment<'_>) -> Result<(), NotNow> {
        Ok(())
    }
    fn decide(state: &State, actor: Actor, act: &Option<bool>, moment: &Moment<'_>) -> Result<Vec<Event>, NotNow> {
        let (Actor::Seat(seat), Some(yes)) = (actor, *act) else { return Err(NotNow) };
        if seat.index() > 2 || state.voted.has(seat) || (FLAW == REFUSES_WHAT_IT_ANNOUNCES && seat == Seat(1)) {
            return Err(NotNow);
        }
        let mut events = vec![Event::VoteSealed { seat, yes }];
        if state.voted.len() == 2 {
            let prize = moment.chance.draw("prize", 0).below(6) as u64;
            events.push(Event::VotesCounted { yes: state.yes + u32::from(yes), prize });
        }
        Ok(events)
    }
    fn evolve(state: &mut State, event: &Event, _: Mark) {
        match event {
            Event::VoteSealed { seat, yes } => {
                state.voted.add(*seat);
                state.yes += u32::from(*yes);
            }
            Event::VotesCounted { yes, prize } => {
                state.counted = Some(*yes);
                state.prize = match FLAW {
                    READS_A_CLOCK => std::time::SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_nanos() as u64,
                    FORGETS_A_DRAW => OUTSIDE.fetch_add(1, Ordering::Relaxed),
                    _ => *prize,
                };
            }
        }
    }
    fn name(event: &Event) -> &'static str {
        match event {
            Event::VoteSealed { .. } => "vote_submitted",
            Event::VotesCounted { .. } => "votes_counted",
        }
    }
    fn status(state: &State) -> &'static str {
        if state.counted.is_some() { "end" } else { "voting" }
    }
    fn role(_: &State, _: Seat) -> Option<&'static str> {
        None
    }
    fn is_over(state: &State) -> bool {
        state.counted.is_some()
    }
    fn turns(state: &State) -> Vec<Turn> {
        let choice = Shape::Choice(vec!["yes".into(), "no".into()]);
        let offer = Offer { action: "vote", fields: vec![FieldSpec { name: "vote", shape: choice, required: true }] };
        (0..3)
            .map(Seat)
            .filter(|seat| state.counted.is_none() && !state.voted.has(*seat))
            .map(|seat| Turn { who: Actor::Seat(seat), offers: vec![offer.clone()] })
            .collect()
    }
    fn alarm(_: &State) -> Option<Alarm> {
        None
    }
    fn view(hall: &Hall<'_, Self>, _: Viewer) -> Value {
        let state = hall.state;
        let shown = if FLAW == LEAKS_IN_VIEW { state.map(|s| s.yes) } else { state.and_then(|s| s.counted) };
        json!({"voted": state.map(|s| s.voted.len()), "yes": shown})
    }
    fn message(event: &Event, _: &Hall<'_, Self>, _: Mark, viewer: Viewer) -> Option<Map<String, Value>> {
        let told = match event {
            Event::VoteSealed { seat, yes } if FLAW == LEAKS_IN_MESSAGE || viewer == Viewer::Seat(*seat) => {
                json!({"type": "vote_submitted", "seat": seat, "yes": yes})
            }
            Event::VoteSealed { seat, .. } => json!({"type": "vote_submitted", "seat": seat}),
            Event::VotesCounted { yes, .. } => json!({"type": "votes_counted", "yes": yes}),
        };
        told.as_object().cloned()
    }
    fn is_open(state: &State, event: &Event) -> bool {
        match event {
            Event::VoteSealed { .. } => state.counted.is_some(),
            Event::VotesCounted { .. } => true,
        }
    }
    fn line(_: &State, _: &Event, _: &Hall<'_, Self>) -> Option<Line> {
        None
    }
    fn result(hall: &Hall<'_, Self>) -> Value {
        json!(hall.state.and_then(|state| state.counted))
    }
    fn standings(_hall: &Hall<'_, Self>) -> Vec<Standing> {
        vec![]
    }
    fn facts(_: &State, event: &Event) -> Vec<Fact> {
        let said = |by: Seat, text: &str| Fact::Said {
            by,
            label: "a vote".into(),
            case_id: "ballot".into(),
            target: "all".into(),
            side: Side::Attack,
            text: text.into(),
            public: true,
            offered: false,
        };
        match event {
            Event::VoteSealed { seat, yes } => vec![said(*seat, if *yes { "yes" } else { "no" })],
            Event::VotesCounted { .. } if FLAW == LEARNS_FROM_OUTSIDE => {
                vec![said(Seat(0), &OUTSIDE.fetch_add(1, Ordering::Relaxed).to_string())]
            }
            Event::VotesCounted { .. } => vec![],
        }
    }

    fn ear() -> Option<&'static str> {
        None
    }

    fn goes_on(_: &State, _: &Line) -> bool {
        false
    }

    fn heard(_: &Hall<'_, Self>, _: &Entry) -> Option<Vec<Point>> {
        None
    }

    fn sent(_: &State, _: &Event) -> Option<Sent> {
        None
    }

    fn wants(_: &State, _: Seat) -> i32 {
        0
    }

    fn leans(_: &Hall<'_, Self>, _: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
        vec![]
    }

    fn brief(_: &Hall<'_, Self>, _: Seat) -> Brief {
        Brief::default()
    }

    fn call(_: &State, _: Seat) -> Option<Call> {
        None
    }

    fn lines_in(_: &str) -> Vec<LineId> {
        vec![]
    }

    fn mind(_: &Hall<'_, Self>, _: &[Entry], _: Seat, mut key: MindKey) -> Value {
        json!({"type": "vote", "vote": if key.turn.odds(1, 2) { "yes" } else { "no" }})
    }
}

impl<const FLAW: u8> Secrets for Ballot<FLAW> {
    fn twin(state: &State, actor: Actor, body: &Value, viewer: Viewer) -> Option<Value> {
        let Actor::Seat(seat) = actor else { return None };
        // The last vote is counted at once, so there is nothing left to hide in it.
        let hidden = viewer != Viewer::Seat(seat) && state.voted.len() < 2;
        let other = if body["vote"] == "yes" { "no" } else { "yes" };
        hidden.then(|| json!({"type": "vote", "vote": other}))
    }
}

fn replays<const FLAW: u8>() -> Result<(), String> {
    (0..200).try_for_each(|number| laws::replay::<Ballot<FLAW>>(number, &Value::Null, 3).map(drop))
}

fn keeps_secrets<const FLAW: u8>() -> Result<(), String> {
    (0..200).try_for_each(|number| laws::non_interference::<Ballot<FLAW>>(number, &Value::Null, 3))
}

#[test]
fn a_sound_sealed_ballot_passes_every_law() {
    assert_eq!(replays::<SOUND>(), Ok(()));
    assert_eq!(keeps_secrets::<SOUND>(), Ok(()));
}

#[test]
fn a_view_that_counts_sealed_votes_is_found() {
    let found = keeps_secrets::<LEAKS_IN_VIEW>().expect_err("the leak must be found");
    assert!(found.contains("can tell what was sealed"), "{found}");
}

#[test]
fn a_message_that_carries_a_sealed_vote_is_found() {
    let found = keeps_secrets::<LEAKS_IN_MESSAGE>().expect_err("the leak must be found");
    assert!(found.contains("can tell what was sealed"), "{found}");
}

#[test]
fn a_clock_read_in_evolve_is_found() {
    let found = replays::<READS_A_CLOCK>().expect_err("the clock must be found");
    assert!(found.contains("replayed state differs"), "{found}");
}

#[test]
fn a_draw_that_is_not_in_its_event_is_found() {
    let found = replays::<FORGETS_A_DRAW>().expect_err("the draw must be found");
    assert!(found.contains("replayed state differs"), "{found}");
}

#[test]
fn a_fact_that_does_not_follow_from_the_log_is_found() {
    let found = replays::<LEARNS_FROM_OUTSIDE>().expect_err("the fact must be found");
    assert!(found.contains("replays as"), "{found}");
}

#[test]
fn a_row_carries_what_the_corpus_learns_from_it() {
    let played = laws::replay::<Ballot<SOUND>>(1, &Value::Null, 3).expect("sound");
    let learned: Vec<usize> = played.log.iter().map(|row| row.facts.len()).filter(|facts| *facts > 0).collect();
    assert_eq!(learned, [1, 1, 1], "one for each of three votes, none for sitting down or for the count");
}

#[test]
fn an_announced_action_that_is_refused_is_found() {
    let found = replays::<REFUSES_WHAT_IT_ANNOUNCES>().expect_err("the refusal must be found");
    assert!(found.contains("announced but refused"), "{found}");
}
