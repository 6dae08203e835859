//! What each viewer may know of a meeting: the floor is public, a private talk belongs to its two participants, a stance to its role.

use super::Mercury;
use super::content::{Excerpt, content_of};
use super::stance::Stance;
use super::state::{Floor, Phase, State, Talk};
use super::words::{Choice, Event, Issue, Move, Resolved, Role, Vote};
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::seatset::SeatSet;
use engine::parts::transcript::{Line, SeenBy};
use engine::rules::{Actor, Rules as _, Standing, Viewer};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The state as clients read it: every field, always.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct View {
    pub game_id: String,
    pub game_type: &'static str,
    pub status: &'static str,
    pub version: u64,
    pub human_role_id: Option<Role>,
    pub own_role_id: Option<Role>,
    pub roles: Vec<RoleView>,
    pub called_role_id: Option<Role>,
    pub allowed_events: Vec<&'static str>,
    pub round1: Round1View,
    pub round2: Round2View,
    pub round3: Round3View,
    pub votes: Vec<ResolvedView>,
    pub ima_excerpts: &'static [Excerpt],
    pub stances: Option<BTreeMap<String, StanceView>>,
    pub practice: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct RoleView {
    pub role_id: Role,
    pub name: String,
    pub votes: bool,
    pub human: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct Round1View {
    pub speaker_order: Vec<Role>,
    pub cursor: usize,
    pub openings: Vec<OpeningView>,
    /// The opening that was prepared for the viewer's own role, to be spoken or replaced; nobody else sees it before it is spoken.
    pub own_opening: Option<PreparedView>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct PreparedView {
    pub variant_id: String,
    pub text: String,
}

/// An opening that has been spoken.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OpeningView {
    pub role_id: Role,
    pub text: String,
}

/// The private talks, shown only to their participants.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct Round2View {
    pub active_convo_index: Option<usize>,
    pub convo1: Option<TalkView>,
    pub convo2: Option<TalkView>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct TalkView {
    pub partner_role: Role,
    pub phase: &'static str,
    pub human_turns_used: u8,
    pub ai_turns_used: u8,
    pub your_turn: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct Round3View {
    pub issues: Vec<IssueView>,
    pub closed_issues: Vec<Issue>,
    pub next_issue: Option<Issue>,
    pub active_issue: Option<ActiveView>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct IssueView {
    pub issue_id: Issue,
    pub issue_title: String,
    pub question: String,
    pub options: Vec<OptionView>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OptionView {
    pub option_id: Choice,
    pub label: String,
    pub description: String,
}

/// The issue under debate or vote.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ActiveView {
    pub issue_id: Issue,
    pub issue_title: String,
    pub ui_prompt: String,
    pub options: Vec<OptionView>,
    pub debate_round: Option<u8>,
    pub debate_queue: Vec<Role>,
    pub debate_cursor: u8,
    pub proposed_option_id: Option<Choice>,
    pub vote_order: Vec<Role>,
    pub next_voter_index: usize,
    pub votes: Vec<VoteView>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct VoteView {
    pub role_id: Role,
    pub vote: Vote,
}

/// How an issue ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ResolvedView {
    pub issue_id: Issue,
    pub option_id: Choice,
    pub adopted: bool,
    pub votes: Vec<VoteView>,
}

/// A stance of the viewer's own role, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct StanceView {
    pub preferred: Choice,
    pub acceptance: BTreeMap<String, Option<f64>>,
    pub firmness: f64,
    pub fallbacks: Vec<Choice>,
    pub conditions: Vec<String>,
}

pub(super) fn role_of(state: &State, viewer: Viewer) -> Option<Role> {
    match viewer {
        Viewer::Spectator => None,
        Viewer::Seat(seat) => state.role(seat),
    }
}

pub(super) fn view(hall: &Hall<'_, Mercury>, viewer: Viewer) -> View {
    let content = content_of(hall.setup.lang, hall.setup.tables.as_ref());
    let state = hall.state;
    let own = state.and_then(|state| role_of(state, viewer));
    let human = state.and_then(|state| state.human);
    let role = |role_id: Role| RoleView {
        role_id,
        name: content.name(role_id).to_owned(),
        votes: role_id.votes(),
        human: human == Some(role_id),
    };
    let private = |state: &&State| matches!(state.phase, Phase::Talking);
    let in_talk =
        |state: &State| state.talk().is_some_and(|talk| own.is_some() && (own == human || own == Some(talk.partner)));
    let called = state.filter(|state| !private(state) || in_talk(state)).and_then(|state| state.called);
    View {
        game_id: hall.id.to_string(),
        game_type: Mercury::META.name,
        status: hall.status,
        version: hall.mark.seq.0,
        human_role_id: human,
        own_role_id: own,
        roles: Role::ALL.into_iter().map(role).collect(),
        called_role_id: called.map(|(role, _)| role),
        allowed_events: state.map_or(vec![], |state| allowed(state, viewer)),
        round1: round1(hall, own),
        round2: round2(state, own, human),
        round3: round3(hall),
        votes: state.map_or(vec![], |state| state.resolved.iter().map(resolved).collect()),
        ima_excerpts: &content.excerpts,
        stances: state.zip(own).filter(|(state, _)| !state.stances.is_empty()).map(|(state, own)| stances(state, own)),
        practice: hall.terms.practice,
    }
}

fn allowed(state: &State, viewer: Viewer) -> Vec<&'static str> {
    let Viewer::Seat(seat) = viewer else { return vec![] };
    let turns = Mercury::turns(state);
    let mine = turns.into_iter().filter(|turn| turn.who == Actor::Seat(seat));
    mine.flat_map(|turn| turn.offers).map(|offer| offer.action).collect()
}

fn round1(hall: &Hall<'_, Mercury>, own: Option<Role>) -> Round1View {
    let Some(state) = hall.state else {
        return Round1View { speaker_order: vec![], cursor: 0, openings: vec![], own_opening: None };
    };
    let cursor = match &state.phase {
        Phase::Calling | Phase::RoleSelection | Phase::Round1Setup => 0,
        Phase::Round1Openings { cursor } => usize::from(*cursor),
        _ => state.order.len(),
    };
    // Only openings that have been spoken: nobody may read the others yet.
    let spoken = hall.said.iter().filter(|entry| entry.name == "opening");
    let openings = spoken.filter_map(|entry| {
        let role_id = entry.line.seat.and_then(|seat| state.role(seat))?;
        Some(OpeningView { role_id, text: entry.line.text.clone()? })
    });
    let prepared = own.and_then(|own| state.openings.iter().find(|opening| opening.role == own));
    let own_opening = prepared.map(|one| PreparedView { variant_id: one.variant_id.clone(), text: one.text.clone() });
    Round1View { speaker_order: state.order.clone(), cursor, openings: openings.collect(), own_opening }
}

fn round2(state: Option<&State>, own: Option<Role>, human: Option<Role>) -> Round2View {
    let talks = state.map_or(&[][..], |state| &state.talks);
    let mine = |talk: &&Talk| own.is_some() && (own == human || own == Some(talk.partner));
    let one = |index: usize| talks.get(index).filter(mine).map(|talk| talk_view(talk, own == human));
    let open = talks.iter().position(|talk| !talk.closed && mine(&talk));
    Round2View { active_convo_index: open.map(|index| index + 1), convo1: one(0), convo2: one(1) }
}

fn talk_view(talk: &Talk, human: bool) -> TalkView {
    TalkView {
        partner_role: talk.partner,
        phase: match (talk.closed, talk.interrupted) {
            (true, _) => "CLOSED",
            (false, true) => "FINAL",
            (false, false) => "OPEN",
        },
        human_turns_used: talk.human_turns,
        ai_turns_used: talk.ai_turns,
        your_turn: !talk.closed && if human { talk.human_next() } else { talk.partner_next() },
    }
}

fn round3(hall: &Hall<'_, Mercury>) -> Round3View {
    let content = content_of(hall.setup.lang, hall.setup.tables.as_ref());
    let options = |issue: Issue| -> Vec<OptionView> {
        let option = |option: Choice| {
            let text = content.option(option);
            OptionView { option_id: option, label: text.label.clone(), description: text.description.clone() }
        };
        issue.options().map(option).collect()
    };
    let issue = |issue_id: Issue| IssueView {
        issue_id,
        issue_title: content.issue(issue_id).title.clone(),
        question: content.issue(issue_id).question.clone(),
        options: options(issue_id),
    };
    let state = hall.state;
    Round3View {
        issues: Issue::ALL.into_iter().map(issue).collect(),
        closed_issues: state.map_or(vec![], |state| state.resolved.iter().map(|resolved| resolved.issue).collect()),
        next_issue: state.and_then(State::next_issue),
        active_issue: state.and_then(|state| {
            active(state).map(|(floor, issue_id)| {
                let text = content.issue(issue_id);
                let (round, cursor) = match &state.phase {
                    Phase::Debate { round, cursor, .. } => (Some(*round), *cursor),
                    _ => (None, 0),
                };
                let queue = floor.map_or(vec![], |floor| floor.queues[usize::from(round.unwrap_or(1)) - 1].clone());
                let (option, votes) = match &state.phase {
                    Phase::Voting { option, votes, .. } => (Some(*option), votes.clone()),
                    Phase::Resolution { .. } => state
                        .resolved
                        .last()
                        .map_or((None, vec![]), |resolved| (Some(resolved.option), resolved.votes.clone())),
                    _ => (None, vec![]),
                };
                ActiveView {
                    issue_id,
                    issue_title: text.title.clone(),
                    ui_prompt: text.prompt.clone(),
                    options: options(issue_id),
                    debate_round: round,
                    debate_queue: queue,
                    debate_cursor: cursor,
                    proposed_option_id: option,
                    vote_order: Role::COUNTRIES.to_vec(),
                    next_voter_index: votes.len(),
                    votes: votes.iter().map(vote).collect(),
                }
            })
        }),
    }
}

fn active(state: &State) -> Option<(Option<&Floor>, Issue)> {
    match &state.phase {
        Phase::IssueIntro(floor) | Phase::Debate { floor, .. } | Phase::Positions(floor) | Phase::Proposing(floor) => {
            Some((Some(floor), floor.issue))
        }
        Phase::Voting { floor, .. } => Some((Some(floor), floor.issue)),
        Phase::Resolution { issue } => Some((None, *issue)),
        Phase::Calling
        | Phase::RoleSelection
        | Phase::Round1Setup
        | Phase::Round1Openings { .. }
        | Phase::Round2Setup
        | Phase::SelectTalk1
        | Phase::Talking
        | Phase::SelectTalk2
        | Phase::Round2WrapUp
        | Phase::Round3Setup
        | Phase::Review => None,
    }
}

fn vote((role, vote): &(Role, Vote)) -> VoteView {
    VoteView { role_id: *role, vote: *vote }
}

fn resolved(resolved: &Resolved) -> ResolvedView {
    ResolvedView {
        issue_id: resolved.issue,
        option_id: resolved.option,
        adopted: resolved.adopted,
        votes: resolved.votes.iter().map(vote).collect(),
    }
}

fn stances(state: &State, own: Role) -> BTreeMap<String, StanceView> {
    let one = |issue: Issue| Some((issue.0.to_string(), stance_view(state.stance(own, issue)?, issue)));
    Issue::ALL.into_iter().filter_map(one).collect()
}

pub(super) fn stance_view(stance: &Stance, issue: Issue) -> StanceView {
    let unit = |value: u8| f64::from(value) / 100.0;
    let acceptance = issue.options().map(|option| (option.to_string(), stance.of(option).map(unit)));
    StanceView {
        preferred: stance.preferred,
        acceptance: acceptance.collect(),
        firmness: unit(stance.firmness),
        fallbacks: stance.fallbacks.clone(),
        conditions: stance.conditions.clone(),
    }
}

/// What a viewer is told of an event when it happens; nothing of other people's private talks and stances.
pub(super) fn tell(event: &Event, hall: &Hall<'_, Mercury>, viewer: Viewer) -> Option<Map<String, Value>> {
    let state = hall.state?;
    let own = role_of(state, viewer);
    if let Some(partner) = event.private_with()
        && !(own.is_some() && (own == state.human || own == Some(partner)))
    {
        return None;
    }
    let told = match event {
        Event::StanceMoved(made) if own == Some(made.role) => moved(made),
        Event::Weighed { moves, .. } => {
            let own: Vec<Value> = moves.iter().filter(|made| own == Some(made.role)).map(moved).collect();
            if own.is_empty() {
                return None;
            }
            json!({"type": "stances_moved", "moves": own})
        }
        Event::StanceMoved(_) => return None,
        other => public(other),
    };
    match told {
        Value::Object(told) => Some(told),
        _ => None,
    }
}

pub(super) fn moved(made: &Move) -> Value {
    let options: BTreeMap<String, f64> =
        made.acceptance.iter().map(|(option, delta)| (option.to_string(), f64::from(*delta) / 100.0)).collect();
    json!({
        "type": "stance_moved", "role_id": made.role, "issue_id": made.issue, "acceptance": options,
        "firmness": f64::from(made.firmness) / 100.0, "reason": made.reason,
    })
}

fn public(event: &Event) -> Value {
    let kind = event.name();
    match event {
        Event::RoleConfirmed { role } => json!({"type": kind, "human_role_id": role}),
        Event::OpeningsDrawn { order, .. } => json!({"type": kind, "speaker_order": order}),
        Event::ChairSaid { key, text, .. } => json!({"type": kind, "role_id": "JPN", "key": key, "text": text}),
        Event::OpeningGiven { role, text, .. }
        | Event::DebateSaid { role, text }
        | Event::TalkSaid { role, text, .. } => {
            json!({"type": kind, "role_id": role, "text": text})
        }
        Event::TalkOpened { talk } => json!({"type": kind, "partner_role": talk.partner}),
        Event::Called { role, .. } => json!({"type": kind, "role_id": role}),
        Event::IssueOpened { floor } => json!({"type": kind, "issue_id": floor.issue, "debate_queues": floor.queues}),
        Event::DebateOpened { round } => json!({"type": kind, "debate_round": round}),
        Event::TalkPassed { role, .. } => json!({"type": kind, "role_id": role, "failed": true}),
        Event::DebateSkipped { role, failed } => json!({"type": kind, "role_id": role, "failed": failed}),
        Event::Proposed { option, support } => json!({"type": kind, "option_id": option, "support": support}),
        Event::Voted { role, vote } => json!({"type": kind, "role_id": role, "vote": vote}),
        Event::IssueResolved(one) => {
            let mut told = json!(resolved(one));
            told["type"] = kind.into();
            told
        }
        Event::IssueClosed { issue } => json!({"type": kind, "issue_id": issue}),
        Event::MeetingCalled
        | Event::Round1Opened
        | Event::Round1Closed
        | Event::Round2Opened
        | Event::TalkInterrupted { .. }
        | Event::TalkClosed { .. }
        | Event::TalkSkipped
        | Event::Round2Closed
        | Event::PositionsFinalized
        | Event::ProposalOpened
        | Event::ReviewOpened => json!({"type": kind}),
        Event::Weighed { .. } | Event::StanceMoved(_) => Value::Null,
    }
}

/// Who hears what a delegation says when it is called on now.
pub(super) fn heard_by(state: &State, role: Role) -> SeenBy {
    if state.phase == Phase::Talking { between(state, role) } else { SeenBy::All }
}

/// The player and its partner.
fn between(state: &State, partner: Role) -> SeenBy {
    SeenBy::Seats([Seat(0), state.seat(partner)].into_iter().collect::<SeatSet>())
}

/// Whether the talk, the debate or the round of openings in which this was said goes on.
pub(super) fn goes_on(state: &State, line: &Line) -> bool {
    let now = match state.phase {
        Phase::Talking => state.talks.last().is_some_and(|talk| line.seen_by == between(state, talk.partner)),
        _ => {
            let issue = line.payload.as_ref().and_then(|told| told.get("issue_id")).cloned();
            issue == active(state).map(|(_, issue)| json!(issue))
        }
    };
    now && line.phase.as_deref() == Some(state.phase.status())
}

fn round(state: &State) -> u32 {
    match &state.phase {
        Phase::Calling | Phase::RoleSelection | Phase::Round1Setup | Phase::Round1Openings { .. } => 1,
        Phase::Round2Setup | Phase::SelectTalk1 | Phase::Talking | Phase::SelectTalk2 | Phase::Round2WrapUp => 2,
        _ => 3,
    }
}

/// The round and the issue on the table, for the server's log.
pub(super) fn place(state: &State) -> Vec<(&'static str, u64)> {
    let issue = active(state).map(|(_, issue)| ("issue_id", u64::from(issue.0)));
    [("round", u64::from(round(state)))].into_iter().chain(issue).collect()
}

/// The event as a line of the transcript; changes of stance have none.
pub(super) fn line(state: &State, event: &Event) -> Option<Line> {
    let seen_by = event.private_with().map_or(SeenBy::All, |partner| between(state, partner));
    let round = round(state);
    let issue = active(state).map(|(_, issue)| issue);
    let (seat, text) = match event {
        Event::Weighed { .. } | Event::StanceMoved(_) => return None,
        Event::ChairSaid { text, .. } => (None, Some(text.clone())),
        Event::OpeningGiven { role, text, .. }
        | Event::TalkSaid { role, text, .. }
        | Event::DebateSaid { role, text } => (Some(state.seat(*role)), Some(text.clone())),
        Event::DebateSkipped { role, .. } | Event::TalkPassed { role, .. } | Event::Voted { role, .. } => {
            (Some(state.seat(*role)), None)
        }
        _ => (None, None),
    };
    let mut payload = public(event);
    if let Some(told) = payload.as_object_mut() {
        told.remove("text");
        if let Some(issue) = issue {
            told.insert("issue_id".into(), json!(issue));
        }
    }
    Some(Line {
        seat,
        round: Some(round),
        phase: Some(state.phase.status().into()),
        text,
        payload: Some(payload),
        seen_by,
    })
}

/// How the issues ended, with how the six voted.
pub(super) fn result(hall: &Hall<'_, Mercury>) -> Value {
    let Some(state) = hall.state else { return Value::Null };
    let adopted = state.resolved.iter().filter(|resolved| resolved.adopted).count();
    json!({"adopted": adopted, "issues": state.resolved.iter().map(resolved).collect::<Vec<_>>()})
}

/// The player scores a point for each adopted issue, and wins if all four are adopted.
pub(super) fn standings(hall: &Hall<'_, Mercury>) -> Vec<Standing> {
    let Some(state) = hall.state else { return vec![] };
    let adopted = state.resolved.iter().filter(|resolved| resolved.adopted).count() as u32;
    let role = state.human.map_or("", Role::word);
    vec![Standing { seat: Seat(0), role, points: adopted, won: adopted == 4, rank: None }]
}

/// How stances moved in an event: for the review, when nothing depends on it any more.
pub fn stance_moves(event: &Event) -> Vec<Move> {
    match event {
        Event::StanceMoved(made) => vec![made.clone()],
        Event::Weighed { moves, .. } => moves.clone(),
        _ => vec![],
    }
}
