//! What the corpus of arguments learns from a round: what was said for whom, and which argument moved the lever.

use super::Trolley;
use super::state::State;
use super::words::Event;
use engine::facts::{Fact, Side};
use engine::id::{Seat, Seq};
use engine::rules::Rules as _;

pub(super) fn facts(state: &State, event: &Event) -> Vec<Fact> {
    match event {
        Event::Argued { seat, role, step, text, .. } => vec![Fact::Said {
            by: *seat,
            label: format!("{}, {}", role.word(), step.word()),
            case_id: Trolley::META.name.to_owned(),
            target: role.word().to_owned(),
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
