//! How a finished trial is replayed: what was sent, and how the jurors lean.

use super::state::{Phase, State};
use super::words::{Event, JURORS, Role};
use engine::rules::{Actor, Lean, Sent};
use serde_json::{Value, json};

/// What was sent to cause an event, unless the replay is already past it.
pub(super) fn sent(state: &State, event: &Event) -> Option<Sent> {
    let by = |role: Role, body: Value| Some(Sent::by(Actor::Seat(role.seat()), body));
    let bench = |weighs, body: Value| Some(Sent::weighing(Actor::Seat(Role::Bench.seat()), weighs, body));
    let clock = |body: Value| Some(Sent::by(Actor::Clock, body));
    match event {
        Event::TrialOpened => by(Role::Prosecutor, json!({"type": "open_trial"})),
        Event::Argued { character, text, .. } => {
            by(Role::Prosecutor, json!({"type": "argue", "character_id": character, "text": text}))
        }
        Event::Consulted { character, found, .. } => {
            by(Role::Prosecutor, json!({"type": "consult", "character_id": character, "found": found}))
        }
        Event::Recalled { memory } => {
            let mut body = json!(memory);
            body["type"] = "recall".into();
            clock(body)
        }
        Event::Answered { text, .. } => by(Role::Accused, json!({"type": "answer", "text": text})),
        Event::Silent { .. } => clock(json!({"type": "MIND_FAILED"})),
        Event::Ruled { shift, claim, reasons, passage, .. } if matches!(state.phase, Phase::Ruling(..)) => {
            let mut body = json!({
                "type": "rule", "jury_shift": shift, "extraordinary": claim.is_some(), "reasons": reasons,
                "passage": passage,
            });
            if let Some(claim) = claim {
                body["claim"] = claim.text.clone().into();
            }
            bench("jury_shift", body)
        }
        Event::Substantiated { mode, text, evidence, angle, inspired_by, .. } => {
            let body = json!({
                "type": mode.word(), "text": text, "evidence": evidence, "angle": angle, "inspired_by": inspired_by,
            });
            by(Role::Accused, body)
        }
        Event::BurdenRuled { verdict, reasons, .. } if matches!(state.phase, Phase::BurdenRuling(_)) => {
            bench("verdict", json!({"type": "rule_burden", "verdict": verdict.word(), "reasons": reasons}))
        }
        Event::CourtOpened { .. }
        | Event::Ruled { .. }
        | Event::BurdenRuled { .. }
        | Event::Noted { .. }
        | Event::ExchangeClosed { .. }
        | Event::Ended { .. } => None,
    }
}

/// How each juror leans, by its number: to condemn is positive.
pub(super) fn leans(state: &State) -> Vec<Lean> {
    let lean =
        |place: usize| Lean { who: (place + 1).to_string(), on: String::new(), value: state.jurors[place].into() };
    (0..JURORS).map(lean).collect()
}
