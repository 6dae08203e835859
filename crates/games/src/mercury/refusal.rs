//! What the rules of a meeting refuse, and in which words.

use super::cite::FalseCitation;
use engine::rules::{Fault, Refuse};

/// Why an event is refused, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("Unknown event; see the rules of the game for what there is.")]
    UnknownAct,
    #[error("The field \"lang\" must be en or ko.")]
    Lang,
    #[error("Only the player's seat may send this.")]
    NotThePlayer,
    #[error("This delegation has not been called on.")]
    NotCalled,
    #[error("{event} only allowed from {state}")]
    WrongState { event: &'static str, state: &'static str },
    /// Another delegation has the floor.
    #[error("It is not your turn: {next} has the floor. Send {step} to go on.")]
    NotYourTurn {
        next: &'static str,
        /// The event that moves the meeting on.
        step: &'static str,
    },
    #[error("You have the floor: send {instead}.")]
    YourTurn { instead: &'static str },
    #[error("human_role_id must be one of BRA, CAN, CHN, EU, TZA, USA, AMAP, MFF, WCPA.")]
    NoSuchRole,
    #[error("partner_role_id must be another delegation, and not the one you have talked with already.")]
    NoSuchPartner,
    #[error("issue_id must be {next}: issues are taken in order, and closed ones stay closed.")]
    WrongIssue { next: u8 },
    #[error("human_placement must be first, random or skip.")]
    BadPlacement,
    #[error("vote must be YES or NO.")]
    BadVote,
    /// Organisations do not vote.
    #[error("Your delegation has no vote; send ISSUE_DEBATE_STEP to go on.")]
    NoVote,
    /// Only minds are held to the approved excerpts.
    #[error(transparent)]
    FalseCitation(#[from] FalseCitation),
    #[error("{0}")]
    Body(String),
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::UnknownAct => "UNKNOWN_EVENT",
            Refusal::Lang | Refusal::Body(_) => "INVALID_BODY",
            Refusal::FalseCitation(_) => "FALSE_CITATION",
            Refusal::NotThePlayer => "NOT_THE_PLAYER",
            Refusal::NotCalled => "NOT_CALLED",
            Refusal::WrongState { .. } => "WRONG_STATE",
            Refusal::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Refusal::YourTurn { .. } => "YOUR_TURN",
            Refusal::NoSuchRole => "UNKNOWN_ROLE",
            Refusal::NoSuchPartner => "INVALID_PARTNER",
            Refusal::WrongIssue { .. } => "WRONG_ISSUE",
            Refusal::BadPlacement => "INVALID_PLACEMENT",
            Refusal::BadVote => "INVALID_VOTE",
            Refusal::NoVote => "NO_VOTE",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Refusal::NotThePlayer => Fault::NotYours,
            Refusal::UnknownAct
            | Refusal::Lang
            | Refusal::NotCalled
            | Refusal::WrongState { .. }
            | Refusal::NotYourTurn { .. }
            | Refusal::YourTurn { .. }
            | Refusal::NoSuchRole
            | Refusal::NoSuchPartner
            | Refusal::WrongIssue { .. }
            | Refusal::BadPlacement
            | Refusal::BadVote
            | Refusal::NoVote
            | Refusal::FalseCitation(_)
            | Refusal::Body(_) => Fault::Broken,
        }
    }
}
