//! What the corpus of arguments learns from a trial: every attack and defense, and what came of them.

use super::drafts::is_house_line;
use super::state::{Closed, State};
use super::words::{Event, Role};
use engine::facts::{Fact, Fate, Side};

pub(super) fn facts(state: &State, event: &Event) -> Vec<Fact> {
    let case_id = || state.case.as_ref().map(|case| case.case_id.clone()).unwrap_or_default();
    match event {
        Event::Argued { character, label, text, .. } => vec![Fact::Said {
            by: Role::Prosecutor.seat(),
            label: label.clone().into(),
            case_id: case_id().into(),
            target: character.clone().into(),
            side: Side::Attack,
            text: text.clone(),
            public: state.open,
            offered: is_house_line(text),
        }],
        // A claim may be given up without a word, and there is nothing to learn from no words.
        Event::Substantiated { text, .. } if text.is_empty() => vec![],
        Event::Substantiated { character, label, text, .. } => vec![Fact::Said {
            by: Role::Accused.seat(),
            label: label.clone().into(),
            case_id: case_id().into(),
            target: character.clone().into(),
            side: Side::Defense,
            text: text.clone(),
            public: state.open,
            offered: is_house_line(text),
        }],
        Event::Consulted { price, found, .. } => vec![Fact::Shown {
            by: Role::Prosecutor.seat(),
            price: *price,
            hashes: found.iter().map(|one| one.arg_hash.clone()).collect(),
            case_id: case_id(),
        }],
        // In an exchange that went to the archive nothing was said.
        Event::ExchangeClosed { exchange, .. } if state.consultation(*exchange).is_some() => vec![],
        Event::ExchangeClosed { triggered, verdict, .. } => {
            state.closed.last().map_or(vec![], |closed| weighed(state, closed, *triggered, *verdict))
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

fn weighed(state: &State, closed: &Closed, triggered: bool, verdict: Option<Fate>) -> Vec<Fact> {
    let attack = closed.heard.attack;
    let (moved, brought) = (i32::from(closed.shift), closed.ia_change);
    let mut facts = vec![Fact::Weighed { speech: attack, moved, forced: triggered, fate: verdict, brought }];
    let claim = closed.heard.ruling.as_ref().and_then(|ruling| state.commitments.get(usize::from(ruling.claim?)));
    if let (Some(defense), Some(fate)) = (&closed.heard.defense, verdict)
        && let Some(speech) = defense.speech
    {
        facts.push(Fact::Met {
            argument: attack,
            speech,
            manner: defense.mode,
            fate,
            claim: claim.map(|made| made.key.clone()).unwrap_or_default(),
            cited: defense.evidence.clone(),
            angle: defense.angle.clone(),
            varies: defense.inspired_by.clone(),
        });
    }
    facts
}
