//! The helper: an outside opinion on how the last message moves stances. Off unless the table wants it, never waited for, ignored
//! when it is late or invalid, and cut to the bounds of the rules.

use super::stance::{ACCEPTANCE_STEP_MAX, FIRMNESS_STEP_MAX};
use super::state::{Floor, Phase, State};
use super::view::stance_view;
use super::words::{Choice, Event, Issue, Move, Role};
use engine::parts::transcript::Entry;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Longest reason, in characters.
const REASON_LEN_MAX: usize = 120;

/// What a helper answers.
#[derive(Deserialize)]
struct Answer {
    role_id: Role,
    /// The message it is about, counted from 1.
    message: u32,
    changed: bool,
    #[serde(default)]
    deltas: BTreeMap<String, Delta>,
    #[serde(default)]
    reasons: Vec<String>,
}

#[derive(Deserialize)]
struct Delta {
    #[serde(default)]
    acceptance: BTreeMap<Choice, f64>,
    #[serde(default)]
    firmness: f64,
}

/// What a helper is asked after a message: who spoke, what, and where that role stands. Nothing if no helper is wanted or nothing was
/// said. `said` includes private talks: the helper belongs to the house, and its answer can only move stances.
pub fn helper_input(state: &State, said: &[Entry]) -> Option<Value> {
    if !state.helper {
        return None;
    }
    let last = said.iter().rev().find(|entry| matches!(entry.name.as_ref(), "talk" | "debate"))?;
    let role = state.role(last.line.seat?)?;
    let (round, issues) = match &state.phase {
        Phase::Debate { floor, .. } | Phase::Positions(floor) => (3, vec![floor.issue]),
        _ => (2, Issue::ALL.to_vec()),
    };
    let stances: BTreeMap<String, Value> = issues
        .iter()
        .filter_map(|issue| Some((issue.0.to_string(), json!(stance_view(state.stance(role, *issue)?, *issue)))))
        .collect();
    Some(json!({
        "role_id": role, "message": state.messages, "round": round,
        "issue_id": if round == 3 { json!(issues[0]) } else { Value::Null },
        "last_committed_message": last.line.text, "current_stance_snapshot": stances,
    }))
}

/// The event that follows from a helper's answer, even if nothing moves: whether something moved is a secret. Nothing if the answer is
/// not wanted, late or invalid.
pub(super) fn weighed(state: &State, result: &Value) -> Option<Event> {
    // A safe boundary: the message is committed and nobody is speaking.
    if !state.helper || state.called.is_some() {
        return None;
    }
    let answer = Answer::deserialize(result).ok().filter(|answer| answer.message == state.messages)?;
    let one = |(issue, delta): (&String, &Delta)| {
        let issue = Issue::ALL.into_iter().find(|known| known.0.to_string() == *issue)?;
        may_move(state, answer.role_id, issue).then_some(())?;
        bounded(state, answer.role_id, issue, delta, &answer.reasons)
    };
    let moves = answer.deltas.iter().filter(|_| answer.changed).filter_map(one).collect();
    Some(Event::Weighed { pushes: vec![], met: vec![], moves })
}

/// Whether the last message may move this role: in private both participants, on any issue; in the debate only the last speaker, on
/// the issue under debate.
fn may_move(state: &State, role: Role, issue: Issue) -> bool {
    let spoke = |floor: &Floor, round: u8, cursor: u8| {
        let queues = floor.queues.iter().take(usize::from(round) - 1).flatten();
        let here = floor.queues[usize::from(round) - 1].iter().take(usize::from(cursor));
        floor.issue == issue && queues.chain(here).last() == Some(&role)
    };
    match &state.phase {
        Phase::Talking | Phase::SelectTalk2 | Phase::Round2WrapUp => {
            state.human == Some(role) || state.talk().is_some_and(|talk| talk.partner == role)
        }
        Phase::Debate { floor, round, cursor } => spoke(floor, *round, *cursor),
        Phase::Positions(floor) => spoke(floor, 2, u8::MAX),
        Phase::Calling
        | Phase::RoleSelection
        | Phase::Round1Setup
        | Phase::Round1Openings { .. }
        | Phase::Round2Setup
        | Phase::SelectTalk1
        | Phase::Round3Setup
        | Phase::IssueIntro(_)
        | Phase::Proposing(_)
        | Phase::Voting { .. }
        | Phase::Resolution { .. }
        | Phase::Review => false,
    }
}

/// What is left of a delta within the bounds of one message, rules and helper together; nothing on a red line.
fn bounded(state: &State, role: Role, issue: Issue, delta: &Delta, reasons: &[String]) -> Option<Move> {
    let stance = state.stance(role, issue)?;
    let before = || state.moved.iter().filter(move |made| made.role == role && made.issue == issue);
    let hundredths =
        |value: f64| if value.is_finite() { (value * 100.0).round().clamp(-100.0, 100.0) as i32 } else { 0 };
    let step = |(option, wanted): (&Choice, &f64)| {
        let value = i32::from(stance.of(*option).filter(|_| option.issue == issue)?);
        let spent: i32 = before()
            .flat_map(|made| &made.acceptance)
            .filter(|(moved, _)| moved == option)
            .map(|(_, by)| i32::from(*by))
            .sum();
        let total = (spent + hundredths(*wanted)).clamp(-ACCEPTANCE_STEP_MAX, ACCEPTANCE_STEP_MAX);
        let by = (value + total - spent).clamp(0, 100) - value;
        (by != 0).then_some((*option, by as i8))
    };
    let acceptance: Vec<(Choice, i8)> = delta.acceptance.iter().filter_map(step).collect();
    let spent: i32 = before().map(|made| i32::from(made.firmness)).sum();
    let total = (spent + hundredths(delta.firmness)).clamp(-FIRMNESS_STEP_MAX, FIRMNESS_STEP_MAX);
    let firmness = (i32::from(stance.firmness) + total - spent).clamp(5, 95) - i32::from(stance.firmness);
    if acceptance.is_empty() && firmness == 0 {
        return None;
    }
    let reason: String = format!("helper: {}", reasons.join("; ")).chars().take(REASON_LEN_MAX).collect();
    Some(Move { role, issue, acceptance, firmness: firmness as i8, reason })
}
