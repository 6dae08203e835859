//! Why not: what the rules of a meeting refuse, and in which words.

use super::cite::FalseCitation;
use engine::rules::{Fault, Refuse};

/// Why not, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// No such thing can be asked here.
    #[error("Unknown event; see the rules of the game for what there is.")]
    UnknownAct,
    #[error("The field \"lang\" must be en or ko.")]
    Lang,
    /// Only the player moves the meeting on.
    #[error("Only the player's seat may send this.")]
    NotThePlayer,
    /// Nobody asked this delegation.
    #[error("This delegation has not been called on.")]
    NotCalled,
    #[error("{event} only allowed from {state}")]
    WrongState { event: &'static str, state: &'static str },
    /// Somebody else has the floor.
    #[error("It is not your turn: {next} has the floor. Send {step} to go on.")]
    NotYourTurn {
        next: &'static str,
        /// What moves it on.
        step: &'static str,
    },
    /// The player has the floor.
    #[error("You have the floor: send {instead}.")]
    YourTurn { instead: &'static str },
    #[error("human_role_id must be one of BRA, CAN, CHN, EU, TZA, USA, AMAP, MFF, WCPA.")]
    NoSuchRole,
    /// Somebody else, and not the same one twice.
    #[error("partner_role_id must be another delegation, and not the one you have talked with already.")]
    NoSuchPartner,
    /// In order, each once.
    #[error("issue_id must be {next}: issues are taken in order, and closed ones stay closed.")]
    WrongIssue { next: u8 },
    #[error("human_placement must be first, random or skip.")]
    BadPlacement,
    #[error("vote must be YES or NO.")]
    BadVote,
    /// Organisations do not vote.
    #[error("Your delegation has no vote; send ISSUE_DEBATE_STEP to go on.")]
    NoVote,
    /// Delegations cite the assessment as it is.
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
