//! What the rules of a trial refuse, and in which words.

use engine::rules::{Fault, Refuse};

/// Why an act is refused, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error(
        "Unknown action type; use \"argue\", \"consult\", \"open_trial\", \"answer\", \"prove\", \"withdraw\", \"defend\", \"rule\" or \"rule_burden\"."
    )]
    UnknownAct,
    #[error("The field \"lang\" must be en or ko.")]
    Lang,
    #[error("There is no such case in this language; there are: {known}.")]
    NoSuchCase { known: String },
    #[error("The trial is over.")]
    Over,
    /// The host has no part in a trial.
    #[error("Only the bench, the prosecutor and the accused act in a trial.")]
    NotSeated,
    /// Another seat is awaited.
    #[error("It is not your turn: {awaited} is awaited.")]
    NotYourTurn { awaited: &'static str },
    /// The seat is awaited, but with another act.
    #[error("\"{found}\" does not belong here; now you may {expected}.")]
    WrongAct { found: &'static str, expected: &'static str },
    /// The first argument was made in a closed trial, and stays closed.
    #[error("A trial is opened before its first argument or not at all.")]
    TooLate,
    #[error("The trial is open already.")]
    AlreadyOpen,
    #[error("There is no such character in this case; there are: {known}.")]
    NoSuchCharacter { known: String },
    #[error(
        "The archive has no attack on {character} that you have not used or seen in this trial: nothing is paid, and it is still your turn."
    )]
    NothingToConsult { character: String },
    #[error("\"{id}\" is not evidence that {character} may cite; it may cite: {known}.")]
    NoSuchEvidence { id: String, character: String, known: String },
    /// Not in the case file, or not said in the text.
    #[error("\"{0}\" is no angle of this character.")]
    NoSuchAngle(String),
    #[error("\"{0}\" is no proved defense that was remembered for this answer.")]
    NoSuchInspiration(String),
    #[error("The field \"verdict\" must be exactly proved or failed.")]
    BadVerdict,
    #[error("The field \"passage\" must be words of the attack or of the answer.")]
    NoSuchPassage,
    #[error("{0}")]
    Body(String),
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::UnknownAct => "UNKNOWN_ACTION",
            Refusal::Lang | Refusal::Body(_) => "INVALID_BODY",
            Refusal::NoSuchCase { .. } => "UNKNOWN_CASE",
            Refusal::Over => "GAME_OVER",
            Refusal::NotSeated => "NOT_SEATED",
            Refusal::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Refusal::WrongAct { .. } => "WRONG_ACTION",
            Refusal::TooLate => "TOO_LATE",
            Refusal::AlreadyOpen => "ALREADY_OPEN",
            Refusal::NoSuchCharacter { .. } => "UNKNOWN_CHARACTER",
            Refusal::NothingToConsult { .. } => "NOTHING_TO_CONSULT",
            Refusal::NoSuchEvidence { .. } => "UNKNOWN_EVIDENCE",
            Refusal::NoSuchAngle(_) => "UNKNOWN_ANGLE",
            Refusal::NoSuchInspiration(_) => "UNKNOWN_DEFENSE",
            Refusal::BadVerdict => "INVALID_VERDICT",
            Refusal::NoSuchPassage => "UNKNOWN_PASSAGE",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Refusal::UnknownAct
            | Refusal::Lang
            | Refusal::NoSuchCase { .. }
            | Refusal::Over
            | Refusal::NotSeated
            | Refusal::NotYourTurn { .. }
            | Refusal::WrongAct { .. }
            | Refusal::TooLate
            | Refusal::AlreadyOpen
            | Refusal::NoSuchCharacter { .. }
            | Refusal::NothingToConsult { .. }
            | Refusal::NoSuchEvidence { .. }
            | Refusal::NoSuchAngle(_)
            | Refusal::NoSuchInspiration(_)
            | Refusal::BadVerdict
            | Refusal::NoSuchPassage
            | Refusal::Body(_) => Fault::Broken,
        }
    }
}
