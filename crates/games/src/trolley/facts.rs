//! What the corpus of arguments learns from a round: what was said for whom, and which argument moved the lever.

use super::Trolley;
use super::state::{State, Step};
use super::words::{Event, Role};
use engine::facts::{Fact, Side};
use engine::id::{Seat, Seq};
use engine::rules::Rules as _;

pub(super) fn facts(state: &State, event: &Event) -> Vec<Fact> {
    match event {
        Event::Argued { seat, role, step, text, .. } => vec![Fact::Said {
            by: *seat,
            label: label(*role, *step).into(),
            case_id: Trolley::META.name.into(),
            target: role.word().into(),
            side: Side::Attack,
            text: text.clone(),
            public: true,
            offered: false,
        }],
        // A round that the host ended tells nothing about the arguments made in it.
        Event::RoundResolved { forced: true, .. } => vec![],
        Event::RoundResolved { forced: false, decisive, .. } => {
            let weighed = |(speech, _): &(Seq, Seat)| Fact::Weighed {
                speech: *speech,
                moved: i32::from(Some(*speech) == *decisive),
                forced: false,
                fate: None,
                brought: 0,
            };
            state.arguments.iter().map(weighed).collect()
        }
        Event::RoundOpened { .. }
        | Event::PhaseOpened { .. }
        | Event::DecisionAwaited { .. }
        | Event::GameCompleted { .. } => vec![],
    }
}

/// The role and the phase in which something was said, spelled out: no argument should cost an allocation for it.
fn label(role: Role, step: Step) -> &'static str {
    match (role, step) {
        (Role::Operator, Step::First) => "operator, phase_1",
        (Role::Operator, Step::Second) => "operator, phase_2",
        (Role::Operator, Step::Third) => "operator, phase_3",
        (Role::Majority, Step::First) => "majority, phase_1",
        (Role::Majority, Step::Second) => "majority, phase_2",
        (Role::Majority, Step::Third) => "majority, phase_3",
        (Role::Minority, Step::First) => "minority, phase_1",
        (Role::Minority, Step::Second) => "minority, phase_2",
        (Role::Minority, Step::Third) => "minority, phase_3",
    }
}
