//! What a trial needs to know from outside it: attacks that worked, what came of defenses, and what its prosecutor owns.

use super::state::{Phase, State};
use super::words::{ATTACK_LEN, FOUND_MAX, Found, Role};
use engine::id::Seat;
use engine::needs::{Argument, Meeting, Need, Supply};
use engine::rules::{Actor, Viewer};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The `type` of a look into the archive.
const CONSULT: &str = "consult";
/// The `type` of the clock's act that makes the accused remember.
const RECALL: &str = "recall";

pub(super) fn needs(state: &State, actor: Actor, body: &Value) -> Option<Need> {
    match (actor, body["type"].as_str()?) {
        (Actor::Seat(seat), CONSULT) => {
            let case = state.case.as_ref().filter(|_| attacks(state, seat))?;
            // A seat that is not awaited or names nobody is refused by the rules, in their own words.
            let target = state.character(body["character_id"].as_str()?)?.id.clone();
            Some(Need::Arguments {
                case_id: case.case_id.clone(),
                target,
                besides: state.consulted.iter().flat_map(|look| look.shown.iter().cloned()).collect(),
                lang: state.lang,
                len: ATTACK_LEN,
                most: FOUND_MAX,
                price: state.rates.consult_ia,
            })
        }
        (Actor::Clock, RECALL) => {
            let heard = attacked(state)?;
            Some(Need::Answers { argument: heard.attack, target: heard.character.clone() })
        }
        (Actor::Seat(_) | Actor::Host | Actor::Clock, _) => None,
    }
}

/// Puts in what was looked up. What the sender itself says was found is thrown away.
pub(super) fn supplied<'a>(body: &'a Value, supply: Option<&Supply>) -> Cow<'a, Value> {
    match (body["type"].as_str(), supply) {
        (Some(RECALL), Some(Supply::Answers(known))) => {
            let proved: Vec<Value> = known.proved.iter().map(|(id, text)| json!({"id": id, "text": text})).collect();
            Cow::Owned(json!({"type": RECALL, "struck": known.failed, "proved": proved, "angles_used": known.angles}))
        }
        (Some(CONSULT), _) => {
            let mut act = body.clone();
            if let Some(fields) = act.as_object_mut() {
                fields.remove("found");
            }
            if let Some(Supply::Arguments(arguments)) = supply {
                act["found"] = arguments.iter().map(|one| json!(found(one))).collect();
            }
            Cow::Owned(act)
        }
        (Some(_) | None, _) => Cow::Borrowed(body),
    }
}

fn found(one: &Argument) -> Found {
    Found {
        arg_hash: one.hash.clone(),
        text: one.text.clone(),
        label: one.label.clone(),
        effectiveness_e4: one.effectiveness_e4,
        uses: one.uses,
        worked: Some(one.worked),
    }
}

/// A look into the archive, as an example.
pub(super) fn offered(state: &State, seat: Seat) -> Option<Value> {
    let character = &state.case.as_ref().filter(|_| attacks(state, seat))?.characters.first()?.id;
    Some(json!({"type": CONSULT, "character_id": character, "price_ia": state.rates.consult_ia}))
}

fn attacks(state: &State, seat: Seat) -> bool {
    Role::of(seat) == Some(Role::Prosecutor) && state.phase == Phase::Attack
}

/// A defense of the accused, with or without evidence. A line of the house's own names its angle.
pub(super) fn meets(state: &State, seat: Seat, body: &Value) -> Option<Meeting> {
    let heard = attacked(state).filter(|_| Role::of(seat) == Some(Role::Accused))?;
    let own_line = body["angle"].is_string();
    if !own_line && !matches!(body["type"].as_str(), Some("prove" | "defend")) {
        return None;
    }
    Some(Meeting {
        argument: heard.attack,
        target: heard.character.clone(),
        text: body["text"].as_str()?.to_owned(),
        own_line,
        instead: json!({"type": "withdraw"}),
    })
}

/// The attack that is being met.
fn attacked(state: &State) -> Option<&super::state::Exchange> {
    match &state.phase {
        Phase::Recall(heard) | Phase::Answer(heard, _) | Phase::Burden(heard, _) => Some(heard),
        Phase::Dealing
        | Phase::Attack
        | Phase::Ruling(..)
        | Phase::BurdenRuling(_)
        | Phase::Closing(_)
        | Phase::End(_) => None,
    }
}

/// What the prosecutor's player owns about those who are charged, while its intern has something to draft.
pub(super) fn view_needs(state: &State, viewer: Viewer) -> Option<Need> {
    let case = state.case.as_ref().filter(|_| matches!(state.phase, Phase::Attack))?;
    (viewer == Viewer::Seat(Role::Prosecutor.seat())).then(|| Need::Owned {
        case_id: case.case_id.clone(),
        targets: case.characters.iter().map(|one| one.id.clone()).collect(),
    })
}
