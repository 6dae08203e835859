//! What everybody may know of a trolley game. Nothing in it is secret but the seed, and no view can reach that.

use super::Trolley;
use super::state::State;
use super::words::{Decision, Event, Role};
use engine::game::Hall;
use engine::id::{Inner, Seat};
use engine::parts::seatset::SeatSet;
use engine::parts::transcript::{Line, SeenBy};
use engine::rules::{Actor, Mark, Rules as _, Standing, Viewer};
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
    pub current_round_number: u32,
    pub current_round_id: Option<String>,
    pub current_phase: Option<&'static str>,
    pub operator: Option<AgentView>,
    pub majority_agents: Vec<AgentView>,
    pub minority_agents: Vec<AgentView>,
    pub decision: Option<&'static str>,
    pub round_outcome: Option<OutcomeView>,
    pub scores: BTreeMap<String, u32>,
    pub coverage: Vec<CoverageView>,
    pub phase_activity: Vec<String>,
    pub last_event_at: Option<String>,
    pub board: BoardView,
    pub version: u64,
    pub rounds_total: Option<u32>,
    pub min_players: u16,
    pub auto_advance_s: Option<u32>,
    pub turn_limit_s: Option<u32>,
    pub open: bool,
    pub practice: bool,
    #[serde(rename = "self")]
    pub own: Option<OwnView>,
}

/// One agent in its role.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct AgentView {
    pub id: String,
    pub display_name: String,
    pub role: &'static str,
    pub argued_this_phase: bool,
    pub house: bool,
}

/// Which roles an agent has had so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct CoverageView {
    pub agent_id: String,
    pub display_name: String,
    pub has_been_operator: bool,
    pub has_been_majority: bool,
    pub has_been_minority: bool,
    pub complete: bool,
}

/// How the round ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OutcomeView {
    pub survivors: Vec<String>,
    pub lost: Vec<String>,
    pub forced: bool,
}

/// What a board needs to be drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct BoardView {
    pub selected_branch: Option<&'static str>,
    pub resolution_state: Option<&'static str>,
    pub animation_version: u32,
    pub survivors: Vec<String>,
    pub lost: Vec<String>,
}

/// The viewer's own seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OwnView {
    pub agent_id: String,
    pub display_name: String,
    pub role: Option<&'static str>,
    pub allowed_actions: Vec<&'static str>,
    pub house: bool,
}

pub(super) fn view(hall: &Hall<'_, Trolley>, viewer: Viewer) -> View {
    let state = hall.state;
    let dealt = state.filter(|state| state.round > 0);
    let outcome = dealt.and_then(|state| state.phase.outcome());
    let over = state.is_some_and(Trolley::is_over);
    let (survivors, lost) = match (dealt, outcome) {
        (Some(state), Some(outcome)) => sides(hall, state, outcome.decision),
        _ => (vec![], vec![]),
    };
    let decision = outcome.map(|outcome| outcome.decision.word());
    View {
        game_id: hall.id.to_string(),
        game_type: Trolley::META.name,
        status: hall.status,
        current_round_number: state.map_or(0, |state| state.round),
        current_round_id: dealt.filter(|_| !over).map(|state| Inner::Round.name(hall.id, u64::from(state.round))),
        current_phase: dealt.and_then(|state| state.phase.word()),
        operator: dealt.map(|state| agent(hall, state, state.roles.operator, Role::Operator)),
        majority_agents: side(hall, dealt, Role::Majority),
        minority_agents: side(hall, dealt, Role::Minority),
        decision,
        round_outcome: outcome.map(|outcome| OutcomeView {
            survivors: survivors.clone(),
            lost: lost.clone(),
            forced: outcome.forced,
        }),
        scores: hall
            .roster
            .iter()
            .map(|(seat, _)| (hall.agent_id(seat), state.map_or(0, |state| state.scores[seat.index()])))
            .collect(),
        coverage: hall.roster.iter().map(|(seat, occupied)| coverage(hall, seat, &occupied.name)).collect(),
        phase_activity: ids(hall, dealt.map_or(SeatSet::default(), |state| state.phase.argued())),
        last_event_at: Some(hall.mark.at.to_string()),
        board: BoardView {
            selected_branch: decision,
            resolution_state: outcome.map(|_| "resolved"),
            animation_version: state.map_or(0, |state| state.resolved),
            survivors,
            lost,
        },
        version: hall.mark.seq.0,
        rounds_total: state.map(|state| u32::from(state.seats)),
        min_players: hall.setup.min_players,
        auto_advance_s: hall.setup.auto_advance_s,
        turn_limit_s: hall.terms.turn_limit_s,
        open: hall.terms.open,
        practice: hall.terms.practice,
        own: match viewer {
            Viewer::Spectator => None,
            Viewer::Seat(seat) => Some(own(hall, seat)),
        },
    }
}

fn side(hall: &Hall<'_, Trolley>, state: Option<&State>, role: Role) -> Vec<AgentView> {
    let Some(state) = state else { return vec![] };
    let seats = match role {
        Role::Majority => state.roles.majority,
        Role::Minority => state.roles.minority,
        Role::Operator => [state.roles.operator].into_iter().collect(),
    };
    seats.iter().map(|seat| agent(hall, state, seat, role)).collect()
}

fn agent(hall: &Hall<'_, Trolley>, state: &State, seat: Seat, role: Role) -> AgentView {
    AgentView {
        id: hall.agent_id(seat),
        display_name: hall.roster.name(seat).to_owned(),
        role: role.word(),
        argued_this_phase: state.phase.argued().has(seat),
        house: hall.roster.is_house(seat),
    }
}

fn coverage(hall: &Hall<'_, Trolley>, seat: Seat, name: &str) -> CoverageView {
    let been = |set: fn(&State) -> SeatSet| hall.state.is_some_and(|state| set(state).has(seat));
    let has_been_operator = been(|state| state.been_operator);
    let has_been_majority = been(|state| state.been_majority);
    let has_been_minority = been(|state| state.been_minority);
    CoverageView {
        agent_id: hall.agent_id(seat),
        display_name: name.to_owned(),
        has_been_operator,
        has_been_majority,
        has_been_minority,
        complete: has_been_operator && has_been_majority && has_been_minority,
    }
}

fn own(hall: &Hall<'_, Trolley>, seat: Seat) -> OwnView {
    let turns = hall.state.map(Trolley::turns).unwrap_or_default();
    let mine = turns.into_iter().filter(|turn| turn.who == Actor::Seat(seat));
    OwnView {
        agent_id: hall.agent_id(seat),
        display_name: hall.roster.name(seat).to_owned(),
        role: hall.state.and_then(|state| state.roles.of(seat)).map(Role::word),
        allowed_actions: mine.flat_map(|turn| turn.offers).map(|offer| offer.action).collect(),
        house: hall.roster.is_house(seat),
    }
}

fn sides(hall: &Hall<'_, Trolley>, state: &State, decision: Decision) -> (Vec<String>, Vec<String>) {
    let (many, few) = (ids(hall, state.roles.majority), ids(hall, state.roles.minority));
    match decision {
        Decision::SaveMajority => (many, few),
        Decision::SaveMinority => (few, many),
    }
}

fn ids(hall: &Hall<'_, Trolley>, seats: SeatSet) -> Vec<String> {
    seats.iter().map(|seat| hall.agent_id(seat)).collect()
}

/// What happened, for a stream: from the event and from what never changes about the roster.
pub(super) fn tell(event: &Event, hall: &Hall<'_, Trolley>, mark: Mark) -> Map<String, Value> {
    let round_id = |round: u32| Inner::Round.name(hall.id, u64::from(round));
    let told = match event {
        Event::RoundOpened { round, operator, majority, minority } => json!({
            "type": event.name(), "round_number": round, "round_id": round_id(*round),
            "operator_agent_id": hall.agent_id(*operator), "majority": ids(hall, *majority), "minority": ids(hall, *minority),
        }),
        Event::Argued { round, step, seat, role, text } => json!({
            "type": event.name(), "argument_id": Inner::Argument.name(hall.id, mark.seq.0), "round_number": round,
            "round_id": round_id(*round), "phase": step.word(), "agent_id": hall.agent_id(*seat),
            "display_name": hall.roster.name(*seat), "role": role.word(), "text": text,
        }),
        Event::PhaseOpened { round, step } => json!({
            "type": event.name(), "round_number": round, "round_id": round_id(*round), "phase": step.word(),
        }),
        Event::DecisionAwaited { round } => json!({
            "type": event.name(), "round_number": round, "round_id": round_id(*round), "phase": "awaiting_decision",
        }),
        Event::RoundResolved { round, operator, decision, forced, reason, decisive, survivors, lost } => json!({
            "type": event.name(), "round_number": round, "round_id": round_id(*round), "phase": "resolved",
            "operator_agent_id": hall.agent_id(*operator), "operator_display_name": hall.roster.name(*operator),
            "decision": decision.word(), "forced": forced, "reason": reason,
            "decisive_argument_id": decisive.map(|seq| Inner::Argument.name(hall.id, seq.0)),
            "survivors": ids(hall, *survivors), "lost": ids(hall, *lost),
        }),
        Event::GameCompleted { rounds } => json!({"type": event.name(), "rounds": rounds}),
    };
    match told {
        Value::Object(told) => told,
        _ => unreachable!("every arm above is an object"),
    }
}

/// What happened, for the transcript.
pub(super) fn line(event: &Event, hall: &Hall<'_, Trolley>) -> Line {
    if let Event::Argued { round, step, seat, text, .. } = event {
        return Line {
            seat: Some(*seat),
            round: Some(*round),
            phase: Some(step.word().into()),
            text: Some(text.clone()),
            payload: None,
            seen_by: SeenBy::All,
        };
    }
    let (seat, round, phase) = match event {
        Event::RoundOpened { round, .. } => (None, Some(*round), Some("phase_1")),
        Event::Argued { .. } => unreachable!("handled above"),
        Event::PhaseOpened { round, step } => (None, Some(*round), Some(step.word())),
        Event::DecisionAwaited { round } => (None, Some(*round), Some("awaiting_decision")),
        Event::RoundResolved { round, operator, .. } => (Some(*operator), Some(*round), Some("resolved")),
        Event::GameCompleted { .. } => (None, None, None),
    };
    Line { seat, round, phase: phase.map(Into::into), ..Line::event(Value::Object(tell(event, hall, hall.mark))) }
}

/// The result: everyone by points.
pub(super) fn result(hall: &Hall<'_, Trolley>) -> Value {
    let Some(state) = hall.state else { return Value::Null };
    let standings = standings(hall);
    let winners = standings.iter().filter(|standing| standing.won).map(|standing| hall.agent_id(standing.seat));
    json!({
        "rounds": state.resolved,
        "winners": winners.collect::<Vec<_>>(),
        "standings": standings.iter().map(|standing| json!({
            "agent_id": hall.agent_id(standing.seat), "display_name": hall.roster.name(standing.seat), "score": standing.points,
        })).collect::<Vec<_>>(),
    })
}

/// Everyone by points, best first. All play against all; every seat with the most points has won.
pub(super) fn standings(hall: &Hall<'_, Trolley>) -> Vec<Standing> {
    let Some(state) = hall.state else { return vec![] };
    let mut scores: Vec<(Seat, u32)> = hall.roster.iter().map(|(seat, _)| (seat, state.scores[seat.index()])).collect();
    scores.sort_by_key(|(seat, score)| (std::cmp::Reverse(*score), *seat));
    let rank = |points: u32| 1 + scores.iter().filter(|(_, other)| *other > points).count() as u32;
    let standing = |(seat, points): &(Seat, u32)| {
        let rank = rank(*points);
        Standing { seat: *seat, role: "player", points: *points, won: rank == 1, rank: Some(rank) }
    };
    scores.iter().map(standing).collect()
}
