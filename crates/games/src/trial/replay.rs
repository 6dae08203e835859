//! A trial played again: what was sent, and how the jurors lean.

use super::Trial;
use super::mind::Room;
use super::words::{Event, Role};
use engine::game::Hall;
use engine::id::Seat;
use engine::rules::{Actor, Lean, MindKey, Sent};
use serde_json::json;

/// The act that brings an event about.
pub(super) fn sent(event: &Event) -> Option<Sent> {
    match event {
        Event::Spoke { seat, text, .. } => Some(Sent::by(Actor::Seat(*seat), json!({"type": "speak", "text": text}))),
        Event::VoteSealed { seat, verdict, reason } => {
            let body = json!({"type": "vote", "verdict": verdict.word(), "reason": reason});
            Some(Sent::weighing(Actor::Seat(*seat), "verdict", body))
        }
        Event::CourtOpened { .. }
        | Event::RoundOpened { .. }
        | Event::PhaseOpened { .. }
        | Event::VotesCounted { .. }
        | Event::Ended { .. } => None,
    }
}

/// How sure each house juror is of guilt (positive) or innocence, in hundredths.
pub(super) fn leans(hall: &Hall<'_, Trial>, key: &dyn Fn(Seat) -> MindKey) -> Vec<Lean> {
    let Some(room) = Room::of(hall, hall.said) else { return vec![] };
    let jurors = hall.roster.iter().map(|(seat, _)| seat);
    let jurors = jurors.filter(|seat| room.state.role(*seat) == Some(Role::Juror) && hall.roster.is_house(*seat));
    jurors
        .map(|seat| Lean { who: hall.agent_id(seat), on: String::new(), value: room.belief(&mut key(seat).persona) })
        .collect()
}
