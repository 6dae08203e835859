//! The words of the trial: setup, roles, acts, events and refusals.

use super::docket::{self, Case};
use super::state::Named;
use engine::id::Seat;
use engine::parts::field::{Field, with_type};
use engine::roster::Lang;
use engine::rules::{Fault, Refuse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub const SEATS: usize = 6;
/// How many argument rounds there are.
pub const ROUNDS: u8 = 3;
/// Longest speech, in characters.
pub const TEXT_LEN_MAX: usize = 200;

/// The options of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The language of the case.
    #[serde(default)]
    pub lang: Lang,
    /// Which case; drawn at the start if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
}

pub(super) fn setup(options: &Value) -> Result<Setup, Refusal> {
    let lang = match options.get("lang") {
        None | Some(Value::Null) => Lang::default(),
        Some(lang) => serde_json::from_value(lang.clone()).map_err(|_| Refusal::Lang)?,
    };
    let case_id = Field::<String>::of(options, "case_id");
    let case_id = case_id.optional("case_id", "the id of a case").map_err(Refusal::Body)?.cloned();
    if let Some(id) = &case_id
        && docket::docket().case(lang, id).is_none()
    {
        return Err(Refusal::NoSuchCase { known: docket::docket().ids(lang).join(", ") });
    }
    Ok(Setup { lang, case_id })
}

/// A seat's role. All roles are public.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    Prosecutor,
    Defense,
    /// Leads, and pronounces what the jury found.
    Judge,
    Juror,
}

impl Role {
    /// The six seats' roles, before they are dealt.
    pub const SIX: [Role; SEATS] =
        [Role::Prosecutor, Role::Defense, Role::Judge, Role::Juror, Role::Juror, Role::Juror];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Prosecutor => "PROSECUTOR",
            Role::Defense => "DEFENSE",
            Role::Judge => "JUDGE",
            Role::Juror => "JUROR",
        }
    }
}

/// What the jury finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// The prosecution has won.
    Guilty,
    /// The defense has won.
    NotGuilty,
}

impl Verdict {
    pub const ALL: [Verdict; 2] = [Verdict::Guilty, Verdict::NotGuilty];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Guilty => "GUILTY",
            Verdict::NotGuilty => "NOT_GUILTY",
        }
    }

    /// The role whose team wins.
    pub fn winner(self) -> Role {
        match self {
            Verdict::Guilty => Role::Prosecutor,
            Verdict::NotGuilty => Role::Defense,
        }
    }
}

/// What may be asked. Fields are kept as they came, and `decide` checks them last.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    Speak {
        text: Field<String>,
    },
    /// Vote, as a juror.
    Vote {
        verdict: Field<String>,
        /// The juror's reason, if it gives one.
        reason: Field<String>,
    },
    /// Do nothing, where one has no part.
    Pass,
}

impl Act {
    pub(super) fn word(&self) -> &'static str {
        match self {
            Act::Speak { .. } => "speak",
            Act::Vote { .. } => "vote",
            Act::Pass => "pass",
        }
    }
}

pub(super) fn act(body: &Value) -> Result<Act, Refusal> {
    match Field::<String>::of(body, "type") {
        Field::Given(name) if name == "speak" => Ok(Act::Speak { text: Field::of(body, "text") }),
        Field::Given(name) if name == "vote" => {
            Ok(Act::Vote { verdict: Field::of(body, "verdict"), reason: Field::of(body, "reason") })
        }
        Field::Given(name) if name == "pass" => Ok(Act::Pass),
        // What is plain without a type is taken.
        Field::Missing if body.get("verdict").is_some() => act(&with_type(body, "vote")),
        Field::Missing if body.get("text").is_some() => act(&with_type(body, "speak")),
        Field::Given(_) | Field::Missing | Field::Wrong(_) => Err(Refusal::UnknownAct),
    }
}

/// What happened. Logs keep tags and fields, so neither may ever change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The roles were dealt and the case was drawn.
    CourtOpened {
        /// The case, whole: a log must not depend on files that change.
        case: Arc<Case>,
        roles: Vec<Role>,
    },
    Spoke {
        seat: Seat,
        role: Role,
        phase: Named,
        /// In which argument round; 0 in other phases.
        round: u8,
        text: String,
    },
    /// The next argument round began.
    RoundOpened { round: u8 },
    /// The next phase began.
    PhaseOpened { from: Named, to: Named },
    /// A juror voted. Nobody is told how before the count.
    VoteSealed {
        seat: Seat,
        verdict: Verdict,
        /// Why, sealed like the vote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The third vote came in.
    VotesCounted {
        /// All three, in the order of the seats.
        votes: Vec<(Seat, Verdict)>,
        /// What at least two of three found.
        verdict: Verdict,
        /// The reasons of those who gave one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reasons: Vec<(Seat, String)>,
    },
    /// The verdict was pronounced.
    Ended {
        verdict: Verdict,
        /// How the jurors voted.
        votes: Vec<(Seat, Verdict)>,
        points: Vec<u32>,
    },
}

impl Event {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Event::CourtOpened { .. } => "court_opened",
            Event::Spoke { .. } => "speak",
            Event::RoundOpened { .. } => "round_change",
            Event::PhaseOpened { .. } => "phase_change",
            Event::VoteSealed { .. } => "vote_submitted",
            Event::VotesCounted { .. } => "votes_counted",
            Event::Ended { .. } => "game_end",
        }
    }
}

/// Why an act or an option is refused, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("Unknown action type; use \"speak\", \"vote\" or \"pass\".")]
    UnknownAct,
    #[error("The field \"lang\" must be en or ko.")]
    Lang,
    /// Not on the docket.
    #[error("There is no such case in this language; there are: {known}.")]
    NoSuchCase { known: String },
    #[error("The trial is over.")]
    Over,
    /// The host and the clock have no part in a trial.
    #[error("Only the six at this table act in a trial.")]
    NotSeated,
    /// Once a phase, and once in each argument round.
    #[error("You have already acted in this phase; wait for the others.")]
    AlreadyActed,
    /// The seat is awaited, but with another act.
    #[error("A {found} does not belong here: in the {phase} phase a {expected} is awaited from you.")]
    WrongAct { found: &'static str, phase: &'static str, expected: &'static str },
    #[error("The field \"verdict\" must be exactly GUILTY or NOT_GUILTY.")]
    BadVerdict,
    #[error("That is the instruction itself. Say in your own words what it asks for.")]
    Instruction,
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
            Refusal::AlreadyActed => "ALREADY_ACTED",
            Refusal::WrongAct { .. } => "WRONG_ACTION",
            Refusal::BadVerdict => "INVALID_VERDICT",
            Refusal::Instruction => "INSTRUCTION_REPEATED",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Refusal::UnknownAct
            | Refusal::Lang
            | Refusal::NoSuchCase { .. }
            | Refusal::Over
            | Refusal::NotSeated
            | Refusal::AlreadyActed
            | Refusal::WrongAct { .. }
            | Refusal::BadVerdict
            | Refusal::Instruction
            | Refusal::Body(_) => Fault::Broken,
        }
    }
}
