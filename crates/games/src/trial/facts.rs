//! What the corpus of arguments learns from a trial: what counsel said, and how many jurors found for them.

use super::state::State;
use super::words::{Event, Role, Verdict};
use engine::facts::{Fact, Side};
use engine::id::Seq;

pub(super) fn facts(state: &State, event: &Event) -> Vec<Fact> {
    match event {
        Event::Spoke { seat, role, text, .. } => {
            let (Some(case), Some(side)) = (&state.case, side(*role)) else { return vec![] };
            vec![Fact::Said {
                by: *seat,
                label: case.title.clone().into(),
                case_id: format!("trial:{}", case.case_id).into(),
                target: role.word().into(),
                side,
                text: text.clone(),
                public: true,
                offered: false,
            }]
        }
        // At the count and not at the end: the jury's finding is known, and a judge who never speaks must not undo it.
        Event::VotesCounted { votes, .. } => {
            let moved = |role: Role| -> i32 {
                let vote = |verdict: Verdict| if verdict.winner() == role { 1 } else { -1 };
                votes.iter().map(|(_, verdict)| vote(*verdict)).sum()
            };
            let weighed = |(speech, role): &(Seq, Role)| Fact::Weighed {
                speech: *speech,
                moved: moved(*role),
                forced: false,
                fate: None,
                brought: 0,
            };
            state.speeches.iter().map(weighed).collect()
        }
        Event::CourtOpened { .. }
        | Event::RoundOpened { .. }
        | Event::PhaseOpened { .. }
        | Event::VoteSealed { .. }
        | Event::Ended { .. } => vec![],
    }
}

fn side(role: Role) -> Option<Side> {
    match role {
        Role::Prosecutor => Some(Side::Attack),
        Role::Defense => Some(Side::Defense),
        Role::Judge | Role::Juror => None,
    }
}
