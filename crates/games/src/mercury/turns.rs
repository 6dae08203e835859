//! Who is awaited in a meeting and with what, and where each event belongs.

use super::state::{Phase, Placement, State};
use super::words::{Act, Role, TEXT_LEN_MAX, Vote};
use engine::id::Seat;
use engine::rules::{Actor, FieldSpec, Offer, Shape, Turn};

pub(super) fn turns(state: &State) -> Vec<Turn> {
    if let Some((role, _)) = state.called {
        let statement = Offer { action: "STATEMENT", fields: vec![words("text")] };
        return vec![Turn { who: Actor::Seat(state.seat(role)), offers: vec![statement] }];
    }
    let offers = offers(state);
    if offers.is_empty() { vec![] } else { vec![Turn { who: Actor::Seat(Seat(0)), offers }] }
}

fn words(name: &'static str) -> FieldSpec {
    FieldSpec { name, shape: Shape::Text { len_min: 1, len_max: TEXT_LEN_MAX }, required: true }
}

fn choice(name: &'static str, words: Vec<String>) -> FieldSpec {
    FieldSpec { name, shape: Shape::Choice(words), required: true }
}

fn offers(state: &State) -> Vec<Offer> {
    let plain = |action| Offer { action, fields: vec![] };
    let others = || {
        let talked = |role: &Role| state.talks.iter().any(|talk| talk.partner == *role);
        let free = Role::ALL.into_iter().filter(|role| Some(*role) != state.human && !talked(role));
        choice("partner_role_id", free.map(|role| role.word().to_owned()).collect())
    };
    match &state.phase {
        Phase::Calling | Phase::Proposing(_) | Phase::Review => vec![],
        Phase::RoleSelection => {
            let roles = Role::ALL.iter().map(|role| role.word().to_owned()).collect();
            vec![Offer { action: "ROLE_CONFIRMED", fields: vec![choice("human_role_id", roles)] }]
        }
        Phase::Round1Setup => vec![plain("ROUND_1_READY")],
        Phase::Round1Openings { cursor } => {
            let own = state.order.get(usize::from(*cursor)).copied() == state.human;
            let speak = Offer { action: "HUMAN_OPENING_STATEMENT", fields: vec![words("text")] };
            let step = plain("ROUND_1_STEP");
            if own { vec![speak, step] } else { vec![step] }
        }
        Phase::Round2Setup => vec![plain("ROUND_2_READY")],
        Phase::SelectTalk1 => vec![Offer { action: "CONVO_1_SELECTED", fields: vec![others()] }],
        Phase::SelectTalk2 => {
            vec![Offer { action: "CONVO_2_SELECTED", fields: vec![others()] }, plain("CONVO_2_SKIPPED")]
        }
        Phase::Talking => {
            vec![Offer { action: "CONVO_MESSAGE", fields: vec![words("content")] }, plain("CONVO_END_EARLY")]
        }
        Phase::Round2WrapUp => vec![plain("ROUND_2_WRAP_READY")],
        Phase::Round3Setup => {
            let next = state.next_issue().map(|issue| issue.0.to_string()).into_iter().collect();
            let places = [Placement::First, Placement::Random, Placement::Skip].map(|place| place.word().to_owned());
            let fields = vec![choice("issue_id", next), choice("human_placement", places.to_vec())];
            vec![Offer { action: "ROUND_3_START_ISSUE", fields }]
        }
        Phase::IssueIntro(_) => vec![plain("ISSUE_INTRO_CONTINUE")],
        Phase::Debate { floor, round, cursor } => {
            let next = floor.queues[usize::from(*round) - 1].get(usize::from(*cursor)).copied();
            if next.is_some() && next == state.human {
                let speak = Offer { action: "HUMAN_DEBATE_MESSAGE", fields: vec![words("text")] };
                vec![speak, plain("HUMAN_DEBATE_SKIP")]
            } else {
                vec![plain("ISSUE_DEBATE_STEP")]
            }
        }
        Phase::Positions(_) => vec![plain("ISSUE_DEBATE_STEP")],
        Phase::Voting { votes, .. } => {
            if Role::COUNTRIES.get(votes.len()).copied() == state.human {
                let votes = [Vote::Yes, Vote::No].map(|vote| vote.word().to_owned()).to_vec();
                vec![Offer { action: "HUMAN_VOTE", fields: vec![choice("vote", votes)] }]
            } else {
                vec![plain("ISSUE_DEBATE_STEP")]
            }
        }
        Phase::Resolution { .. } => vec![plain("ISSUE_RESOLUTION_CONTINUE")],
    }
}

/// The state an event belongs to.
pub(super) fn home(act: &Act) -> &'static str {
    match act {
        Act::RoleConfirmed { .. } => "ROLE_SELECTION",
        Act::Round1Ready => "ROUND_1_SETUP",
        Act::Round1Step | Act::HumanOpeningStatement { .. } => "ROUND_1_OPENING_STATEMENTS",
        Act::Round2Ready => "ROUND_2_SETUP",
        Act::ConvoSelected { first: true, .. } => "ROUND_2_SELECT_CONVO_1",
        Act::ConvoSelected { first: false, .. } | Act::Convo2Skipped => "ROUND_2_SELECT_CONVO_2",
        Act::ConvoMessage { .. } | Act::ConvoEndEarly => "ROUND_2_CONVERSATION_ACTIVE",
        Act::Round2WrapReady => "ROUND_2_WRAP_UP",
        Act::Round3StartIssue { .. } => "ROUND_3_SETUP",
        Act::IssueIntroContinue => "ISSUE_INTRO",
        Act::IssueDebateStep => {
            "ISSUE_DEBATE_ROUND_1, ISSUE_DEBATE_ROUND_2, ISSUE_POSITION_FINALIZATION, ISSUE_VOTE or ISSUE_RESOLUTION"
        }
        Act::HumanDebateMessage { .. } | Act::HumanDebateSkip => "ISSUE_DEBATE_ROUND_1 or ISSUE_DEBATE_ROUND_2",
        Act::HumanVote { .. } => "ISSUE_VOTE",
        Act::IssueResolutionContinue => "ISSUE_RESOLUTION",
        Act::Statement { .. } | Act::MindFailed | Act::HelperResult(_) => "a state in which a delegation is called on",
    }
}
