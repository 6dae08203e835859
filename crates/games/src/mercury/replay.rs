//! How a finished meeting is replayed: what was sent, and how far each country is from a yes.

use super::stance::YES;
use super::state::{Phase, State};
use super::words::{Event, Role};
use engine::id::Seat;
use engine::rules::{Actor, Lean, Sent};
use serde_json::{Value, json};

/// What was sent to cause an event, unless the replay is already past it.
pub(super) fn sent(state: &State, event: &Event) -> Option<Sent> {
    let player = |body: Value| Some(Sent::by(Actor::Seat(Seat(0)), body));
    let step = || player(json!({"type": "ISSUE_DEBATE_STEP"}));
    let spoke = |role: Role, own: Value, text: &str| match state.human == Some(role) {
        true => player(own),
        false => Some(Sent::by(Actor::Seat(state.seat(role)), json!({"type": "STATEMENT", "text": text}))),
    };
    match event {
        Event::RoleConfirmed { role } => player(json!({"type": "ROLE_CONFIRMED", "human_role_id": role})),
        Event::Round1Opened => player(json!({"type": "ROUND_1_READY"})),
        Event::OpeningGiven { variant_id: Some(_), .. } => player(json!({"type": "ROUND_1_STEP"})),
        Event::OpeningGiven { text, .. } => player(json!({"type": "HUMAN_OPENING_STATEMENT", "text": text})),
        Event::Round2Opened => player(json!({"type": "ROUND_2_READY"})),
        Event::TalkOpened { talk } => {
            let action = if state.talks.is_empty() { "CONVO_1_SELECTED" } else { "CONVO_2_SELECTED" };
            player(json!({"type": action, "partner_role_id": talk.partner, "partner_starts": talk.partner_starts}))
        }
        Event::TalkSaid { role, text, .. } => spoke(*role, json!({"type": "CONVO_MESSAGE", "content": text}), text),
        Event::TalkClosed { .. } if state.phase == Phase::Talking => player(json!({"type": "CONVO_END_EARLY"})),
        Event::TalkSkipped => player(json!({"type": "CONVO_2_SKIPPED"})),
        Event::Round2Closed => player(json!({"type": "ROUND_2_WRAP_READY"})),
        Event::IssueOpened { floor } => player(json!({
            "type": "ROUND_3_START_ISSUE", "issue_id": floor.issue.0.to_string(),
            "human_placement": floor.placement.word(),
        })),
        Event::DebateOpened { .. } if matches!(state.phase, Phase::IssueIntro(_)) => {
            player(json!({"type": "ISSUE_INTRO_CONTINUE"}))
        }
        Event::Called { private: false, .. } if state.called.is_none() => step(),
        Event::DebateSaid { role, text } => spoke(*role, json!({"type": "HUMAN_DEBATE_MESSAGE", "text": text}), text),
        Event::DebateSkipped { failed: true, .. } | Event::TalkPassed { .. } => {
            Some(Sent::by(Actor::Clock, json!({"type": "MIND_FAILED"})))
        }
        Event::DebateSkipped { .. } => player(json!({"type": "HUMAN_DEBATE_SKIP"})),
        Event::Proposed { .. } if matches!(state.phase, Phase::Positions(_)) => step(),
        Event::Voted { role, vote } if state.human == Some(*role) => {
            Some(Sent::weighing(Actor::Seat(Seat(0)), "vote", json!({"type": "HUMAN_VOTE", "vote": vote})))
        }
        Event::Voted { .. } if matches!(state.phase, Phase::Voting { .. }) => step(),
        Event::IssueClosed { .. } | Event::ReviewOpened => player(json!({"type": "ISSUE_RESOLUTION_CONTINUE"})),
        Event::MeetingCalled
        | Event::OpeningsDrawn { .. }
        | Event::ChairSaid { .. }
        | Event::Round1Closed
        | Event::Called { .. }
        | Event::TalkInterrupted { .. }
        | Event::TalkClosed { .. }
        | Event::DebateOpened { .. }
        | Event::Weighed { .. }
        | Event::StanceMoved(_)
        | Event::PositionsFinalized
        | Event::ProposalOpened
        | Event::Proposed { .. }
        | Event::Voted { .. }
        | Event::IssueResolved(_) => None,
    }
}

/// How far each country that the house plays is above or below the threshold for a yes on the option that was tabled.
pub(super) fn leans(state: &State) -> Vec<Lean> {
    let mut leans = Vec::new();
    for resolved in &state.resolved {
        for role in Role::COUNTRIES.into_iter().filter(|role| Some(*role) != state.human) {
            let value = state.stance(role, resolved.issue).map(|stance| stance.of(resolved.option).unwrap_or(0));
            let on = resolved.issue.0.to_string();
            leans.extend(value.map(|value| Lean {
                who: role.word().to_owned(),
                on,
                value: i32::from(value) - i32::from(YES),
            }));
        }
    }
    leans
}
