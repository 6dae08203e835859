//! What the corpus of arguments learns from a trial: every attack and defence, and what came of them.

use super::state::{Closed, State};
use super::words::{Event, Role};
use engine::rules::{Burden, Fact, Side};

pub(super) fn facts(state: &State, event: &Event) -> Vec<Fact> {
    let case_id = || state.case.as_ref().map(|case| case.case_id.clone()).unwrap_or_default();
    match event {
        Event::Argued { character, label, text, .. } => vec![Fact::Said {
            by: Role::Prosecutor.seat(),
            label: label.clone(),
            case_id: case_id(),
            target: character.clone(),
            side: Side::Attack,
            text: text.clone(),
        }],
        // A claim may be given up without a word, and there is nothing to learn from no words.
        Event::Substantiated { text, .. } if text.is_empty() => vec![],
        Event::Substantiated { character, label, text, .. } => vec![Fact::Said {
            by: Role::Accused.seat(),
            label: label.clone(),
            case_id: case_id(),
            target: character.clone(),
            side: Side::Defence,
            text: text.clone(),
        }],
        Event::Consulted { price, found, .. } => vec![Fact::Consulted {
            by: Role::Prosecutor.seat(),
            price: *price,
            shown: found.iter().map(|one| one.arg_hash.clone()).collect(),
        }],
        // In an exchange that went to the archive nothing was said.
        Event::ExchangeClosed { exchange, .. } if state.consultation(*exchange).is_some() => vec![],
        Event::ExchangeClosed { triggered, verdict, .. } => {
            state.closed.last().map_or(vec![], |closed| weighed(closed, *triggered, *verdict))
        }
        Event::CourtOpened { .. }
        | Event::TrialOpened
        | Event::Recalled { .. }
        | Event::Answered { .. }
        | Event::Silent { .. }
        | Event::Ruled { .. }
        | Event::BurdenRuled { .. }
        | Event::Noted { .. }
        | Event::Ended { .. } => vec![],
    }
}

fn weighed(closed: &Closed, triggered: bool, verdict: Option<Burden>) -> Vec<Fact> {
    let attack = closed.heard.attack;
    let jury_shift = i32::from(closed.shift);
    let mut facts = vec![Fact::Weighed { speech: attack, jury_shift, triggered, verdict, ia_change: closed.ia_change }];
    if let (Some(defence), Some(outcome)) = (&closed.heard.defence, verdict)
        && let Some(speech) = defence.speech
    {
        facts.push(Fact::Defended {
            attack,
            speech,
            mode: defence.mode,
            outcome,
            cited: defence.evidence.clone(),
            angle: defence.angle.clone(),
            inspired_by: defence.inspired_by.clone(),
        });
    }
    facts
}
