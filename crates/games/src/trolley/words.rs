//! The words of the trolley: setup, roles, acts, events and refusals.

use engine::id::{Seat, Seq};
use engine::parts::field::{Field, with_type};
use engine::parts::seatset::SeatSet;
use engine::rules::{Fault, Refuse};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::state::Step;

pub const PLAYERS_MIN: usize = 3;
pub const PLAYERS_MAX: usize = 50;
/// Longest argument, in characters.
pub const TEXT_LEN_MAX: usize = 500;
/// Longest reason for a decision, in characters.
pub const REASON_LEN_MAX: usize = 500;
/// Longest pause before the next round starts by itself.
const AUTO_ADVANCE_S_MAX: u64 = 3600;

/// The options of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// How many players it takes to start.
    pub min_players: u16,
    /// After how many seconds the next round starts by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_advance_s: Option<u32>,
}

pub(super) fn setup(options: &Value) -> Result<Setup, Refusal> {
    let min_players = Field::<u64>::of(options, "min_players");
    let min_players =
        min_players.optional("min_players", "a whole number from 3 to 50").map_err(Refusal::Body)?.copied();
    let min_players = min_players.unwrap_or(PLAYERS_MIN as u64);
    if !(PLAYERS_MIN as u64..=PLAYERS_MAX as u64).contains(&min_players) {
        return Err(Refusal::Players(min_players));
    }
    let auto = Field::<u64>::of(options, "auto_advance_s");
    let auto = auto.optional("auto_advance_s", "a whole number of seconds").map_err(Refusal::Body)?.copied();
    if auto.is_some_and(|s| s > AUTO_ADVANCE_S_MAX) {
        return Err(Refusal::Body(format!("The field \"auto_advance_s\" must be at most {AUTO_ADVANCE_S_MAX}.")));
    }
    Ok(Setup { min_players: min_players as u16, auto_advance_s: auto.map(|s| s as u32) })
}

/// A seat's role in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Operator,
    /// Stands with the many.
    Majority,
    /// Stands with the few.
    Minority,
}

impl Role {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Operator => "operator",
            Role::Majority => "majority",
            Role::Minority => "minority",
        }
    }
}

/// Whom the operator saves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    SaveMajority,
    SaveMinority,
}

impl Decision {
    pub const ALL: [Decision; 2] = [Decision::SaveMajority, Decision::SaveMinority];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Decision::SaveMajority => "save_majority",
            Decision::SaveMinority => "save_minority",
        }
    }
}

/// How the host may move the table on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// To the next phase or round.
    NextPhase,
    /// Straight to the decision.
    ForceDecision,
    /// End the round without one: the majority is saved.
    ResolveRound,
}

impl Advance {
    pub const ALL: [Advance; 3] = [Advance::NextPhase, Advance::ForceDecision, Advance::ResolveRound];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Advance::NextPhase => "next_phase",
            Advance::ForceDecision => "force_decision",
            Advance::ResolveRound => "resolve_round",
        }
    }
}

/// What may be asked. Fields are kept as they came, and `decide` checks them last.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    Argue {
        /// The round; the present one if not given.
        round_id: Field<String>,
        text: Field<String>,
    },
    /// Pull the lever, or leave it.
    Decide {
        /// The round; the present one if not given.
        round_id: Field<String>,
        decision: Field<String>,
        reason: Field<String>,
        /// Which argument of this round decided it.
        decisive_argument_id: Field<String>,
    },
    /// Move the table on.
    Advance { action: Field<String> },
}

pub(super) fn act(body: &Value) -> Result<Act, Refusal> {
    let field = |name| Field::of(body, name);
    match Field::<String>::of(body, "type") {
        Field::Given(name) => match name.as_str() {
            "argument" => Ok(Act::Argue { round_id: field("round_id"), text: field("text") }),
            "decision" => Ok(Act::Decide {
                round_id: field("round_id"),
                decision: field("decision"),
                reason: field("reason"),
                decisive_argument_id: field("decisive_argument_id"),
            }),
            "advance" => Ok(Act::Advance { action: field("action") }),
            _ => Err(Refusal::UnknownAct),
        },
        // What is plain without a type is taken.
        Field::Missing if body.get("decision").is_some() => act(&with_type(body, "decision")),
        Field::Missing if body.get("text").is_some() => act(&with_type(body, "argument")),
        Field::Missing | Field::Wrong(_) => Err(Refusal::UnknownAct),
    }
}

/// What happened. Logs keep tags and fields, so neither may ever change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The roles of a round were dealt.
    RoundOpened {
        round: u32,
        /// Who holds the lever.
        operator: Seat,
        majority: SeatSet,
        minority: SeatSet,
    },
    Argued {
        round: u32,
        step: Step,
        seat: Seat,
        role: Role,
        text: String,
    },
    /// The next debate phase began.
    PhaseOpened {
        round: u32,
        step: Step,
    },
    /// The debate ended; the operator is asked.
    DecisionAwaited {
        round: u32,
    },
    /// The trolley has passed.
    RoundResolved {
        round: u32,
        /// Who held the lever.
        operator: Seat,
        decision: Decision,
        /// Whether the host ended the round instead.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
        /// Why, in the operator's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The argument that decided it, by its event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decisive: Option<Seq>,
        survivors: SeatSet,
        lost: SeatSet,
    },
    /// Everyone has had every role.
    GameCompleted {
        /// How many rounds it took.
        rounds: u32,
    },
}

impl Event {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Event::RoundOpened { .. } => "round_started",
            Event::Argued { .. } => "argument",
            Event::PhaseOpened { .. } => "phase_started",
            Event::DecisionAwaited { .. } => "decision_awaited",
            Event::RoundResolved { .. } => "round_resolved",
            Event::GameCompleted { .. } => "game_completed",
        }
    }
}

/// Why an act or an option is refused, roughly in the order of the checks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("Unknown action type; use \"argument\", \"decision\" or \"advance\".")]
    UnknownAct,
    #[error("min_players must be 3 to 50, not {0}.")]
    Players(u64),
    #[error("Round not found")]
    RoundNotFound,
    #[error("Round already resolved")]
    RoundResolved,
    /// The operator and strangers do not argue.
    #[error("Agent not in this round as majority/minority")]
    NotOnATrack,
    #[error("Only operator can submit decision")]
    NotOperator,
    /// Seats do not move the table on.
    #[error("Only the host can advance the game")]
    NotHost,
    /// Arguments are for the three debate phases.
    #[error("Not in a debate phase")]
    NotDebating,
    /// Decisions come after the debate.
    #[error("Not in decision phase")]
    NotDeciding,
    /// The step is not possible in the present phase.
    #[error("Cannot {action} now: {instead}")]
    CannotAdvance { action: &'static str, instead: &'static str },
    #[error("Already submitted argument this phase")]
    AlreadyArgued,
    #[error("Decision must be save_majority or save_minority")]
    BadDecision,
    #[error("Action must be next_phase, force_decision or resolve_round")]
    BadAdvance,
    /// It must be an argument of this round.
    #[error("decisive_argument_id must name an argument made in this round")]
    NoSuchArgument,
    #[error("{0}")]
    Body(String),
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::UnknownAct => "UNKNOWN_ACTION",
            Refusal::Players(_) => "INVALID_PLAYERS",
            Refusal::RoundNotFound => "ROUND_NOT_FOUND",
            Refusal::RoundResolved => "ROUND_RESOLVED",
            Refusal::NotOnATrack => "NOT_ON_A_TRACK",
            Refusal::NotOperator => "NOT_OPERATOR",
            Refusal::NotHost => "NOT_HOST",
            Refusal::NotDebating => "NOT_DEBATING",
            Refusal::NotDeciding => "NOT_DECIDING",
            Refusal::CannotAdvance { .. } => "CANNOT_ADVANCE",
            Refusal::AlreadyArgued => "ALREADY_ACTED",
            Refusal::BadDecision => "INVALID_DECISION",
            Refusal::BadAdvance => "INVALID_ADVANCE",
            Refusal::NoSuchArgument => "UNKNOWN_ARGUMENT",
            Refusal::Body(_) => "INVALID_BODY",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Refusal::RoundNotFound => Fault::Unknown,
            Refusal::UnknownAct
            | Refusal::Players(_)
            | Refusal::RoundResolved
            | Refusal::NotOnATrack
            | Refusal::NotOperator
            | Refusal::NotHost
            | Refusal::NotDebating
            | Refusal::NotDeciding
            | Refusal::CannotAdvance { .. }
            | Refusal::AlreadyArgued
            | Refusal::BadDecision
            | Refusal::BadAdvance
            | Refusal::NoSuchArgument
            | Refusal::Body(_) => Fault::Broken,
        }
    }
}
