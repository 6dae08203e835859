//! A game played again: what was sent, and how the operator leans.

use super::Trolley;
use super::mind::Room;
use super::state::{Phase, State};
use super::words::{Advance, Event};
use engine::game::Hall;
use engine::id::Seat;
use engine::rules::{Actor, Lean, MindKey, Sent};
use serde_json::json;

/// The act that brings an event about; `None` if the event has come about already.
pub(super) fn sent(state: &State, event: &Event) -> Option<Sent> {
    let advance = |action: Advance| Some(Sent::by(Actor::Host, json!({"type": "advance", "action": action.word()})));
    let debating = matches!(state.phase, Phase::Debate { .. });
    match event {
        Event::Argued { seat, text, .. } => {
            Some(Sent::by(Actor::Seat(*seat), json!({"type": "argument", "text": text})))
        }
        Event::RoundResolved { forced: true, .. } => advance(Advance::ResolveRound),
        // The decisive argument is left out: it does not change the state.
        Event::RoundResolved { operator, decision, reason, .. } => {
            let body = json!({"type": "decision", "decision": decision.word(), "reason": reason});
            Some(Sent::weighing(Actor::Seat(*operator), "decision", body))
        }
        Event::RoundOpened { round, .. } if state.round < *round => advance(Advance::NextPhase),
        Event::PhaseOpened { round, step } => match state.phase {
            Phase::Debate { step: now, .. } if state.round == *round && now < *step => advance(Advance::NextPhase),
            Phase::Dealing
            | Phase::Debate { .. }
            | Phase::AwaitingDecision
            | Phase::Resolved(_)
            | Phase::Completed(_) => None,
        },
        Event::DecisionAwaited { round } if state.round == *round && debating => advance(Advance::ForceDecision),
        Event::RoundOpened { .. } | Event::DecisionAwaited { .. } | Event::GameCompleted { .. } => None,
    }
}

/// How far a house operator that is about to decide leans to the many (positive) or the few.
pub(super) fn leans(hall: &Hall<'_, Trolley>, key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
    let Some(room) = Room::of(hall, hall.said) else { return vec![] };
    let operator = room.state.roles.operator;
    if room.state.phase != Phase::AwaitingDecision || !hall.roster.is_house(operator) {
        return vec![];
    }
    let on = room.state.round.to_string();
    vec![Lean { who: hall.agent_id(operator), on, value: room.balance(key(operator)) }]
}
