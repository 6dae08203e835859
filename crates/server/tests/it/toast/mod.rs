//! A kind of game for tests only: two seats each give one toast, and the longer one wins. It shows what adding a kind takes.

use engine::game::Hall;
use engine::id::Seat;
use engine::laws::Secrets;
use engine::parts::transcript::{Entry, Line};
use engine::rates::Rates;
use engine::rules::{
    Actor, Fault, FieldSpec, Mark, Meta, MindKey, Moment, Offer, Refuse, Rules, Seating, Shape, Turn, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub struct Toast;

/// The length of each toast in characters, by seat.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    lengths: [Option<usize>; 2],
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    Toasted { seat: Seat, text: String },
}

#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("Give one toast of 1 to 200 characters: {{\"type\": \"toast\", \"text\": \"...\"}}.")]
    NoToast,
    #[error("You have given your toast.")]
    Twice,
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NoToast => "NO_TOAST",
            Refusal::Twice => "ALREADY_ACTED",
        }
    }
    fn fault(&self) -> Fault {
        Fault::Broken
    }
}

impl Rules for Toast {
    const META: Meta = Meta { demo: |_| (2, json!({})), ..Meta::new("toast", 1) };
    type Setup = ();
    type State = State;
    type Act = Option<String>;
    type Event = Event;
    type Refusal = Refusal;
    type View = Value;

    fn setup(_: &Value) -> Result<(), Refusal> {
        Ok(())
    }
    fn seating(_: &()) -> Seating {
        Seating { seats_min: 2, seats_max: 2, starts_when_full: true, accounts_only: false, house_seats: 0 }
    }
    fn begin(_: &(), _: usize, _: Rates) -> State {
        State::default()
    }
    fn act(body: &Value) -> Result<Option<String>, Refusal> {
        let text = body["text"].as_str().filter(|text| (1..=200).contains(&text.chars().count()));
        Ok(text.map(str::to_owned))
    }
    fn decide(state: &State, actor: Actor, act: &Option<String>, _: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
        match (actor, act) {
            (Actor::Seat(seat), _) if state.lengths.get(seat.index()) != Some(&None) => Err(Refusal::Twice),
            (Actor::Seat(seat), Some(text)) => Ok(vec![Event::Toasted { seat, text: text.clone() }]),
            (Actor::Seat(_) | Actor::Host | Actor::Clock, _) => Err(Refusal::NoToast),
        }
    }
    fn evolve(state: &mut State, Event::Toasted { seat, text }: &Event, _: Mark) {
        state.lengths[seat.index()] = Some(text.chars().count());
    }
    fn name(_: &Event) -> &'static str {
        "toasted"
    }
    fn status(state: &State) -> &'static str {
        if Self::is_over(state) { "drunk" } else { "toasting" }
    }
    fn is_over(state: &State) -> bool {
        state.lengths.iter().all(Option::is_some)
    }
    fn turns(state: &State) -> Vec<Turn> {
        let text = FieldSpec { name: "text", shape: Shape::Text { len_min: 1, len_max: 200 }, required: true };
        let offer = Offer { action: "toast", fields: vec![text] };
        let awaited = (0..2).map(Seat).filter(|seat| state.lengths[seat.index()].is_none());
        awaited.map(|seat| Turn { who: Actor::Seat(seat), offers: vec![offer.clone()] }).collect()
    }
    fn view(hall: &Hall<'_, Self>, _: Viewer) -> Value {
        let length = |seat: u16| hall.state.and_then(|state| state.lengths[usize::from(seat)]);
        let guest = |seat: u16| json!({"agent_id": hall.agent_id(Seat(seat)), "length": length(seat)});
        let guests: Vec<Value> = (0..hall.roster.len() as u16).map(guest).collect();
        json!({
            "game_id": hall.id.to_string(), "game_type": Self::META.name, "status": hall.status, "version": hall.mark.seq.0,
            "guests": guests,
        })
    }
    fn message(
        Event::Toasted { seat, text }: &Event,
        hall: &Hall<'_, Self>,
        _: Mark,
        _: Viewer,
    ) -> Option<Map<String, Value>> {
        json!({"type": "toasted", "agent_id": hall.agent_id(*seat), "text": text}).as_object().cloned()
    }
    fn line(_: &State, Event::Toasted { seat, text }: &Event, _: &Hall<'_, Self>) -> Option<Line> {
        Some(Line { seat: Some(*seat), text: Some(text.clone()), payload: None, ..Line::event(Value::Null) })
    }
    fn result(hall: &Hall<'_, Self>) -> Value {
        let longest = hall.state.and_then(|state| (0..2).max_by_key(|seat| state.lengths[*seat]));
        json!({"winner": longest.map(|seat| hall.agent_id(Seat(seat as u16)))})
    }
    fn mind(_: &Hall<'_, Self>, _: &[Entry], seat: Seat, _: MindKey) -> Value {
        json!({"type": "toast", "text": format!("To all who sit here, says seat {}.", seat.0)})
    }
}

/// Nothing is secret.
impl Secrets for Toast {
    fn twin(_: &State, _: Actor, _: &Value, _: Viewer) -> Option<Value> {
        None
    }
}
