//! The rulebook of the trolley: who may do what, when, and what follows.

use super::state::{Phase, Roles, State, Step};
use super::words::{Act, Advance, Decision, Event, REASON_LEN_MAX, Refusal, Role, TEXT_LEN_MAX};
use engine::id::{Inner, Seat, Seq};
use engine::parts::field::Field;
use engine::parts::seatset::SeatSet;
use engine::parts::text;
use engine::rules::{Actor, FieldSpec, Moment, Offer, Shape, Turn};

/// Whether the round an act names exists and is still open.
pub(super) fn locate(state: &State, act: &Act, moment: &Moment<'_>) -> Result<(), Refusal> {
    let round_id = match act {
        Act::Argue { round_id, .. } | Act::Decide { round_id, .. } => round_id,
        Act::Advance { .. } => return Ok(()),
    };
    let round = match round_id {
        Field::Missing => u64::from(state.round),
        Field::Wrong(_) => return Err(Refusal::RoundNotFound),
        Field::Given(id) => Inner::Round.number(moment.game, id).ok_or(Refusal::RoundNotFound)?,
    };
    let present = u64::from(state.round);
    if round == 0 || round > present {
        Err(Refusal::RoundNotFound)
    } else if round < present || matches!(state.phase, Phase::Completed(_)) {
        Err(Refusal::RoundResolved)
    } else {
        Ok(())
    }
}

pub(super) fn decide(state: &State, actor: Actor, act: &Act, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    match act {
        Act::Argue { text, .. } => argue(state, actor, text),
        Act::Decide { decision, reason, decisive_argument_id, .. } => {
            pull(state, actor, decision, reason, decisive_argument_id, moment)
        }
        Act::Advance { action } => advance(state, actor, action, moment),
    }
}

fn argue(state: &State, actor: Actor, text: &Field<String>) -> Result<Vec<Event>, Refusal> {
    let (seat, role) = match actor {
        Actor::Seat(seat) => match state.roles.of(seat) {
            Some(role @ (Role::Majority | Role::Minority)) => (seat, role),
            Some(Role::Operator) | None => return Err(Refusal::NotOnATrack),
        },
        Actor::Host | Actor::Clock => return Err(Refusal::NotOnATrack),
    };
    let Phase::Debate { step, argued } = state.phase else { return Err(Refusal::NotDebating) };
    if argued.has(seat) {
        return Err(Refusal::AlreadyArgued);
    }
    let text = text.required("text", "a string of 1 to 500 characters").map_err(Refusal::Body)?;
    let text = text::checked("text", text, 1..=TEXT_LEN_MAX).map_err(Refusal::Body)?;
    let mut events = vec![Event::Argued { round: state.round, step, seat, role, text }];
    if argued.len() + 1 == state.roles.on_tracks() {
        events.push(after(state.round, step));
    }
    Ok(events)
}

fn pull(
    state: &State,
    actor: Actor,
    decision: &Field<String>,
    reason: &Field<String>,
    decisive: &Field<String>,
    moment: &Moment<'_>,
) -> Result<Vec<Event>, Refusal> {
    if actor != Actor::Seat(state.roles.operator) {
        return Err(Refusal::NotOperator);
    }
    if state.phase != Phase::AwaitingDecision {
        return Err(Refusal::NotDeciding);
    }
    let Field::Given(decision) = decision else { return Err(Refusal::BadDecision) };
    let decision = Decision::ALL.into_iter().find(|known| known.word() == decision).ok_or(Refusal::BadDecision)?;
    let reason = match reason.optional("reason", "a string of up to 500 characters").map_err(Refusal::Body)? {
        Some(reason) if !reason.trim().is_empty() => {
            Some(text::checked("reason", reason, 1..=REASON_LEN_MAX).map_err(Refusal::Body)?)
        }
        Some(_) | None => None,
    };
    let decisive = match decisive.optional("decisive_argument_id", "the id of an argument").map_err(Refusal::Body)? {
        Some(id) if !id.is_empty() => {
            let seq = Inner::Argument.number(moment.game, id).map(Seq).ok_or(Refusal::NoSuchArgument)?;
            let made = state.arguments.iter().any(|(argument, _)| *argument == seq);
            Some(if made { seq } else { return Err(Refusal::NoSuchArgument) })
        }
        Some(_) | None => None,
    };
    Ok(resolve(state, decision, false, reason, decisive))
}

fn advance(state: &State, actor: Actor, action: &Field<String>, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    if let Actor::Seat(_) = actor {
        return Err(Refusal::NotHost);
    }
    let Field::Given(action) = action else { return Err(Refusal::BadAdvance) };
    let action = Advance::ALL.into_iter().find(|known| known.word() == action).ok_or(Refusal::BadAdvance)?;
    let cannot = |instead| Err(Refusal::CannotAdvance { action: action.word(), instead });
    match (state.phase, action) {
        (Phase::Debate { step, .. }, Advance::NextPhase) => Ok(vec![after(state.round, step)]),
        (Phase::Debate { .. }, Advance::ForceDecision) => Ok(vec![Event::DecisionAwaited { round: state.round }]),
        (Phase::Debate { .. }, Advance::ResolveRound) => {
            cannot("a round is resolved from the decision phase; use force_decision first.")
        }
        (Phase::AwaitingDecision, Advance::ResolveRound) => {
            Ok(resolve(state, Decision::SaveMajority, true, None, None))
        }
        (Phase::AwaitingDecision, Advance::NextPhase | Advance::ForceDecision) => {
            cannot("the operator is asked to decide; wait, or use resolve_round.")
        }
        (Phase::Resolved(_), Advance::NextPhase) => Ok(vec![open_round(state, moment)]),
        (Phase::Resolved(_), Advance::ForceDecision | Advance::ResolveRound) => {
            cannot("the round is over; use next_phase to start the next one.")
        }
        (Phase::Dealing | Phase::Completed(_), Advance::NextPhase | Advance::ForceDecision | Advance::ResolveRound) => {
            cannot("the game is over.")
        }
    }
}

fn after(round: u32, step: Step) -> Event {
    match step.next() {
        Some(step) => Event::PhaseOpened { round, step },
        None => Event::DecisionAwaited { round },
    }
}

fn resolve(
    state: &State,
    decision: Decision,
    forced: bool,
    reason: Option<String>,
    decisive: Option<Seq>,
) -> Vec<Event> {
    let Roles { operator, majority, minority } = state.roles;
    let (survivors, lost) = match decision {
        Decision::SaveMajority => (majority, minority),
        Decision::SaveMinority => (minority, majority),
    };
    let mut events = vec![Event::RoundResolved {
        round: state.round,
        operator,
        decision,
        forced,
        reason,
        decisive,
        survivors,
        lost,
    }];
    // The rotation completes everyone's coverage in round n and not before.
    if state.resolved + 1 == u32::from(state.seats) {
        events.push(Event::GameCompleted { rounds: state.round });
    }
    events
}

/// The roles of the next round. The rotation is dealt once for the whole game: everyone moves one place on each round,
/// so in n rounds each of n players has stood in every place.
pub(super) fn open_round(state: &State, moment: &Moment<'_>) -> Event {
    let seats = usize::from(state.seats);
    let mut places: Vec<Seat> = (0..seats).map(Seat::at).collect();
    moment.chance.draw("rotation", 0).shuffle(&mut places);
    places.rotate_left(state.round as usize % seats);
    let few = minority_size(seats);
    Event::RoundOpened {
        round: state.round + 1,
        operator: places[0],
        minority: places[1..=few].iter().copied().collect::<SeatSet>(),
        majority: places[few + 1..].iter().copied().collect::<SeatSet>(),
    }
}

/// How many of this many players are the minority.
pub(super) fn minority_size(seats: usize) -> usize {
    ((seats - 2) / 2).max(1)
}

/// Who is awaited, and with what.
pub(super) fn turns(state: &State) -> Vec<Turn> {
    match state.phase {
        Phase::Debate { argued, .. } => {
            let on_tracks = (0..usize::from(state.seats)).map(Seat::at).filter(|seat| *seat != state.roles.operator);
            let waiting = on_tracks.filter(|seat| !argued.has(*seat));
            let mut turns: Vec<Turn> =
                waiting.map(|seat| Turn { who: Actor::Seat(seat), offers: vec![argument_offer()] }).collect();
            turns.push(host_turn(&[Advance::NextPhase, Advance::ForceDecision]));
            turns
        }
        Phase::AwaitingDecision => vec![
            Turn { who: Actor::Seat(state.roles.operator), offers: vec![decision_offer()] },
            host_turn(&[Advance::ResolveRound]),
        ],
        Phase::Resolved(_) => vec![host_turn(&[Advance::NextPhase])],
        Phase::Dealing | Phase::Completed(_) => vec![],
    }
}

fn argument_offer() -> Offer {
    let shape = Shape::Text { len_min: 1, len_max: TEXT_LEN_MAX };
    Offer { action: "argument", fields: vec![FieldSpec { name: "text", shape, required: true }] }
}

fn decision_offer() -> Offer {
    let choice = Shape::Choice(Decision::ALL.iter().map(|decision| decision.word().to_owned()).collect());
    let reason = Shape::Text { len_min: 0, len_max: REASON_LEN_MAX };
    Offer {
        action: "decision",
        fields: vec![
            FieldSpec { name: "decision", shape: choice, required: true },
            FieldSpec { name: "reason", shape: reason, required: false },
        ],
    }
}

fn host_turn(steps: &[Advance]) -> Turn {
    let choice = Shape::Choice(steps.iter().map(|step| step.word().to_owned()).collect());
    let fields = vec![FieldSpec { name: "action", shape: choice, required: true }];
    Turn { who: Actor::Host, offers: vec![Offer { action: "advance", fields }] }
}
