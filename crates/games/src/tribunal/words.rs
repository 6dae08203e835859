//! The words of the Tribunal: setup, roles, acts and events.

use super::docket::{self, Case};
use super::refusal::Refusal;
use super::state::Memory;
use engine::facts::{Fate, Manner};
use engine::id::Seat;
use engine::parts::field::{Field, FromField};
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How many seats there are: bench, prosecutor, accused.
pub const SEATS: usize = 3;
/// How many of them, counted from the first, the house holds from the founding on.
pub const HOUSE_SEATS: usize = 1;
/// How many jurors listen. They have no seats: the bench's rulings move them.
pub const JURORS: usize = 12;
/// How far a juror can lean to one side.
pub const LEAN_MAX: i8 = 3;
/// How many exchanges a trial has at most, and by default.
pub const EXCHANGES_MAX: u8 = 8;
/// How many jurors one exchange can move.
pub const SHIFT_MAX: i8 = 12;
/// Length of an attack, in characters.
pub const ATTACK_LEN: RangeInclusive<usize> = 20..=600;
/// Longest answer or defense, in characters.
pub const TEXT_LEN_MAX: usize = 600;
/// Longest reasons of the bench, in characters.
pub const REASONS_LEN_MAX: usize = 300;
/// Longest passage a ruling rests on, in characters.
pub const PASSAGE_LEN_MAX: usize = 200;
/// Longest claim on the board, in characters.
pub const CLAIM_LEN_MAX: usize = 160;
/// How many facts one proof may cite.
pub const CITED_MAX: usize = 4;
/// How many archived attacks one look shows at most.
pub const FOUND_MAX: usize = 3;

/// The options of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    #[serde(default)]
    pub lang: Lang,
    /// Which case; drawn at the start if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// Whether everybody may read the words from the start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// After how many exchanges the jury is asked.
    pub exchanges: u8,
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
    let open = Field::<bool>::of(options, "open");
    let open = open.optional("open", "true or false").map_err(Refusal::Body)?.copied().unwrap_or(false);
    let exchanges = Field::<u64>::of(options, "exchanges");
    let exchanges = exchanges.optional("exchanges", "a whole number from 1 to 8").map_err(Refusal::Body)?.copied();
    let exchanges = exchanges.unwrap_or(u64::from(EXCHANGES_MAX));
    if !(1..=u64::from(EXCHANGES_MAX)).contains(&exchanges) {
        return Err(Refusal::Body(format!("The field \"exchanges\" must be 1 to {EXCHANGES_MAX}, not {exchanges}.")));
    }
    Ok(Setup { lang, case_id, open, exchanges: exchanges as u8 })
}

/// What a seat is. Seats do not change roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Rules on what was said; always played by the house.
    Bench,
    Prosecutor,
    /// Speaks for whichever character is attacked.
    Accused,
}

impl Role {
    /// In the order of the seats.
    pub const ALL: [Role; SEATS] = [Role::Bench, Role::Prosecutor, Role::Accused];

    pub fn of(seat: Seat) -> Option<Role> {
        Role::ALL.get(seat.index()).copied()
    }

    pub const fn seat(self) -> Seat {
        match self {
            Role::Bench => Seat(0),
            Role::Prosecutor => Seat(1),
            Role::Accused => Seat(2),
        }
    }

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Bench => "bench",
            Role::Prosecutor => "prosecutor",
            Role::Accused => "accused",
        }
    }
}

/// What the jury finds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// Seven or more jurors lean to condemn.
    Condemned,
    /// Seven or more jurors lean to acquit.
    Acquitted,
    Hung,
}

impl Verdict {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Condemned => "CONDEMNED",
            Verdict::Acquitted => "ACQUITTED",
            Verdict::Hung => "HUNG",
        }
    }
}

/// An extraordinary claim, as the bench found it in an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Identifies the claim if it is made again: the id of its temptation, or its own words.
    pub key: String,
    /// What it is about, in a few neutral words.
    pub label: String,
    pub text: String,
}

/// An archived attack, as the prosecutor is shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    pub arg_hash: String,
    pub text: String,
    /// What it is about, in a few neutral words.
    pub label: String,
    /// How well it worked, in ten-thousandths: nothing that is recorded has a fraction.
    pub effectiveness_e4: u32,
    pub uses: u64,
    /// In how many of these uses it worked; none where that was not kept yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked: Option<u64>,
}

/// What may be sent. Fields stay unchecked until `decide` has checked everything that takes precedence over them.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    Argue {
        character_id: Field<String>,
        text: Field<String>,
    },
    /// Look into the archive instead of attacking.
    Consult {
        /// The character whose attacks are looked up.
        character_id: Field<String>,
        /// What the house found there; never what the sender says.
        found: Field<Archived>,
    },
    /// Let everybody read the words of this trial.
    OpenTrial,
    /// Remember what came of earlier defenses; only the clock sends it.
    Recall(Value),
    Answer {
        text: Field<String>,
    },
    /// Rule on attack and answer.
    Rule {
        /// How many jurors are moved, net.
        jury_shift: Field<Whole>,
        /// Whether the answer overreached.
        extraordinary: Field<Truth>,
        /// What it claimed, if it overreached.
        claim: Field<String>,
        reasons: Field<String>,
        /// The words that the ruling rests on.
        passage: Field<String>,
    },
    /// Meet the burden of a claim.
    Substantiate {
        mode: Manner,
        text: Field<String>,
        /// The facts it rests on, by id.
        evidence: Field<Ids>,
        /// The house's own angle that it takes.
        angle: Field<String>,
        /// The earlier defense that it varies.
        inspired_by: Field<String>,
    },
    /// Rule on how the burden was met.
    RuleBurden {
        verdict: Field<String>,
        reasons: Field<String>,
    },
    /// Nothing usable came from the mind that is awaited; only the clock sends it.
    MindFailed,
}

impl Act {
    pub(super) fn word(&self) -> &'static str {
        match self {
            Act::Argue { .. } => "argue",
            Act::Consult { .. } => "consult",
            Act::OpenTrial => "open_trial",
            Act::Recall(_) => "recall",
            Act::Answer { .. } => "answer",
            Act::Rule { .. } => "rule",
            Act::Substantiate { mode, .. } => mode.word(),
            Act::RuleBurden { .. } => "rule_burden",
            Act::MindFailed => "MIND_FAILED",
        }
    }
}

pub(super) fn act(body: &Value) -> Result<Act, Refusal> {
    let Field::Given(name) = Field::<String>::of(body, "type") else { return Err(Refusal::UnknownAct) };
    let text = |name| Field::<String>::of(body, name);
    let substantiate = |mode| Act::Substantiate {
        mode,
        text: text("text"),
        evidence: Field::of(body, "evidence"),
        angle: text("angle"),
        inspired_by: text("inspired_by"),
    };
    Ok(match name.as_str() {
        "argue" => Act::Argue { character_id: text("character_id"), text: text("text") },
        "consult" => Act::Consult { character_id: text("character_id"), found: Field::of(body, "found") },
        "open_trial" => Act::OpenTrial,
        "recall" => Act::Recall(body.clone()),
        "answer" => Act::Answer { text: text("text") },
        "rule" => Act::Rule {
            jury_shift: Field::of(body, "jury_shift"),
            extraordinary: Field::of(body, "extraordinary"),
            claim: text("claim"),
            reasons: text("reasons"),
            passage: text("passage"),
        },
        "rule_burden" => Act::RuleBurden { verdict: text("verdict"), reasons: text("reasons") },
        "MIND_FAILED" => Act::MindFailed,
        other => {
            let mode = Manner::ALL.into_iter().find(|mode| mode.word() == other).ok_or(Refusal::UnknownAct)?;
            substantiate(mode)
        }
    })
}

/// A whole number, as forms send it too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole(pub i64);

impl FromField for Whole {
    fn from_field(value: &Value) -> Option<Self> {
        value.as_i64().or_else(|| value.as_str()?.parse().ok()).map(Whole)
    }
}

/// True or false, as forms send it too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth(pub bool);

impl FromField for Truth {
    fn from_field(value: &Value) -> Option<Self> {
        value.as_bool().or_else(|| value.as_str()?.parse().ok()).map(Truth)
    }
}

/// One id or a list of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ids(pub Vec<String>);

impl FromField for Ids {
    fn from_field(value: &Value) -> Option<Self> {
        match value {
            Value::String(one) => Some(Ids(vec![one.clone()])),
            Value::Array(many) => many.iter().map(|id| id.as_str().map(str::to_owned)).collect::<Option<_>>().map(Ids),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        }
    }
}

/// What the archive holds for one look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archived(pub Vec<Found>);

impl FromField for Archived {
    fn from_field(value: &Value) -> Option<Self> {
        Vec::deserialize(value).ok().map(Archived)
    }
}

/// What happened. Tags and fields are for life. Events with words say whether the trial is open, so that who may read them is a
/// function of the event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The case was drawn and the jurors were dealt.
    CourtOpened {
        /// All that everybody is told of the case: a log must not depend on files that change.
        case: Arc<Case>,
        /// How each leans, in the order of their numbers.
        jurors: [i8; JURORS],
    },
    /// From now on everybody may read the words.
    TrialOpened,
    /// The prosecutor attacked a character.
    Argued {
        /// In which exchange, from 1.
        exchange: u8,
        character: String,
        /// What it is about, in a few neutral words.
        label: String,
        text: String,
        /// Whether everybody may read the words.
        open: bool,
        /// Whether a player sent the intern's draft as it was.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        drafted: bool,
    },
    /// The prosecutor looked into the archive instead of attacking. Nobody else is ever shown what it found.
    Consulted {
        exchange: u8,
        /// The character whose attacks were looked up.
        character: String,
        /// What that cost, in IA.
        price: u32,
        found: Vec<Found>,
    },
    /// The accused remembered. Nobody is ever shown what.
    Recalled { memory: Memory },
    Answered {
        exchange: u8,
        character: String,
        text: String,
        /// Whether everybody may read the words.
        open: bool,
    },
    /// Nothing usable came from this role when it was awaited.
    Silent { exchange: u8, role: Role },
    /// The bench ruled on attack and answer.
    Ruled {
        exchange: u8,
        /// How many jurors are moved, net, before a burden.
        shift: i8,
        /// What the answer claimed beyond the record, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim: Option<Claim>,
        /// Why; empty if the bench was silent.
        reasons: String,
        /// The words that the ruling rests on; may be empty.
        passage: String,
        /// Whether everybody may read it.
        open: bool,
    },
    /// The accused met the burden of its claim.
    Substantiated {
        exchange: u8,
        character: String,
        /// What the claim is about.
        label: String,
        mode: Manner,
        /// The words; may be empty if it gave the claim up.
        text: String,
        /// The facts it rests on.
        evidence: Vec<String>,
        /// The house's own angle that it takes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        angle: Option<String>,
        /// The earlier defense that it varies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inspired_by: Option<String>,
        /// Whether everybody may read it.
        open: bool,
    },
    /// The bench ruled on how the burden was met.
    BurdenRuled {
        exchange: u8,
        verdict: Fate,
        /// Why; empty if there was nothing to weigh.
        reasons: String,
        /// Whether everybody may read it.
        open: bool,
    },
    /// Tells everybody, without the words, of an event whose words not everybody may read.
    Noted { exchange: u8, note: Note },
    /// The jury has moved.
    ExchangeClosed {
        exchange: u8,
        /// How many jurors were to move, net: ruling and burden together.
        shift: i8,
        /// Which jurors did, by number.
        moved: Vec<u8>,
        leans: [i8; JURORS],
        /// Whether there was an extraordinary claim.
        triggered: bool,
        /// What became of that claim.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Fate>,
        /// What it brought the prosecutor.
        ia_change: i32,
    },
    /// The jury was asked.
    Ended { verdict: Verdict, leans: [i8; JURORS] },
}

/// What everybody may know of an event whose words not everybody may read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are those of the messages they stand for")]
pub enum Note {
    Argued { character_id: String, label: String },
    Consulted { character_id: String },
    Answered { character_id: String },
    Ruled { jury_shift: i8, extraordinary: bool },
    Substantiated { character_id: String, label: String, mode: Manner, evidence: Vec<String> },
    BurdenRuled { verdict: Fate },
}

impl Event {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Event::CourtOpened { .. } => "court_opened",
            Event::TrialOpened => "trial_opened",
            Event::Argued { .. } => "argued",
            Event::Consulted { .. } => "consulted",
            Event::Recalled { .. } => "recalled",
            Event::Answered { .. } => "answered",
            Event::Silent { .. } => "silent",
            Event::Ruled { .. } => "ruled",
            Event::Substantiated { .. } => "substantiated",
            Event::BurdenRuled { .. } => "burden_ruled",
            Event::Noted { .. } => "noted",
            Event::ExchangeClosed { .. } => "exchange_closed",
            Event::Ended { .. } => "game_end",
        }
    }

    /// Whether everybody may read the words in it. Nobody reads what the accused remembers, and only the prosecutor what the archive
    /// showed.
    pub(super) fn is_public(&self) -> bool {
        match self {
            Event::Argued { open, .. }
            | Event::Answered { open, .. }
            | Event::Ruled { open, .. }
            | Event::Substantiated { open, .. }
            | Event::BurdenRuled { open, .. } => *open,
            Event::Consulted { .. } | Event::Recalled { .. } => false,
            Event::CourtOpened { .. }
            | Event::TrialOpened
            | Event::Silent { .. }
            | Event::Noted { .. }
            | Event::ExchangeClosed { .. }
            | Event::Ended { .. } => true,
        }
    }
}
