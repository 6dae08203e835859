//! The words of the Mercury Game: setup, roles, issues, options, acts and events.

use super::reference::{self, Tables};
use super::refusal::Refusal;
use super::state::{Floor, Phase, Placement, State, Talk};
use engine::parts::field::Field;
use engine::roster::Lang;
use engine::rules::{Actor, Cause};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// How many seats there are, one for each delegation: the player's and eight others.
pub const SEATS: usize = 9;
/// Longest statement, speech or message, in characters.
pub const TEXT_LEN_MAX: usize = 1_200;
/// Messages of each side before the Chair interrupts.
pub const TALK_TURNS: u8 = 5;

/// The options of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    #[serde(default)]
    pub lang: Lang,
    /// The reference tables it is played by; none in meetings from before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    /// Whether a helper may propose how stances move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub helper: bool,
}

pub(super) fn setup(options: &Value) -> Result<Setup, Refusal> {
    let lang = match options.get("lang") {
        None | Some(Value::Null) => Lang::default(),
        Some(lang) => serde_json::from_value(lang.clone()).map_err(|_| Refusal::Lang)?,
    };
    let helper = Field::<bool>::of(options, "helper");
    let helper = helper.optional("helper", "true or false").map_err(Refusal::Body)?.copied().unwrap_or(false);
    Ok(Setup { lang, tables: Some(reference::tables(lang)), helper })
}

/// A delegation. Japan, in the chair, is not one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "the codes are the names")]
pub enum Role {
    Bra,
    Can,
    Chn,
    Eu,
    Tza,
    Usa,
    Amap,
    Mff,
    Wcpa,
}

impl Role {
    /// All of them: countries in the order in which they are called to vote, then organisations.
    pub const ALL: [Role; SEATS] =
        [Role::Bra, Role::Can, Role::Chn, Role::Eu, Role::Tza, Role::Usa, Role::Amap, Role::Mff, Role::Wcpa];
    /// Those who vote, in the order in which they are called.
    pub const COUNTRIES: [Role; 6] = [Role::Bra, Role::Can, Role::Chn, Role::Eu, Role::Tza, Role::Usa];
    /// Those who do not.
    pub const ORGANISATIONS: [Role; 3] = [Role::Amap, Role::Mff, Role::Wcpa];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Bra => "BRA",
            Role::Can => "CAN",
            Role::Chn => "CHN",
            Role::Eu => "EU",
            Role::Tza => "TZA",
            Role::Usa => "USA",
            Role::Amap => "AMAP",
            Role::Mff => "MFF",
            Role::Wcpa => "WCPA",
        }
    }

    pub fn named(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Its place in every list of roles.
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn votes(self) -> bool {
        Role::COUNTRIES.contains(&self)
    }
}

/// An issue, from 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Issue(pub u8);

impl Issue {
    /// All four, in the order in which they are taken.
    pub const ALL: [Issue; 4] = [Issue(1), Issue(2), Issue(3), Issue(4)];

    /// Its place in every list of issues.
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    pub fn options(self) -> impl Iterator<Item = Choice> {
        let count = if self.0 == 3 { 3 } else { 2 };
        (1..=count).map(move |number| Choice { issue: self, number })
    }
}

/// An option of an issue, such as 3.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Choice {
    pub issue: Issue,
    pub number: u8,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.issue.0, self.number)
    }
}

impl FromStr for Choice {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Issue::ALL.into_iter().flat_map(Issue::options).find(|choice| choice.to_string() == text).ok_or(())
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("no such option"))
    }
}

/// What may be sent. Fields stay unchecked until `decide` has checked everything that takes precedence over them.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "each act is named as clients send it; docs/rules/mercury.md tells what it does")]
pub enum Act {
    RoleConfirmed {
        human_role_id: Field<String>,
    },
    Round1Ready,
    Round1Step,
    HumanOpeningStatement {
        text: Field<String>,
    },
    Round2Ready,
    ConvoSelected {
        first: bool,
        partner_role_id: Field<String>,
        partner_starts: Field<bool>,
    },
    ConvoMessage {
        content: Field<String>,
    },
    ConvoEndEarly,
    Convo2Skipped,
    Round2WrapReady,
    Round3StartIssue {
        issue_id: Field<String>,
        human_placement: Field<String>,
    },
    IssueIntroContinue,
    IssueDebateStep,
    HumanDebateMessage {
        text: Field<String>,
    },
    HumanDebateSkip,
    HumanVote {
        vote: Field<String>,
    },
    IssueResolutionContinue,
    /// A delegation's own words, when it is called on.
    Statement {
        text: Field<String>,
    },
    /// Nothing usable came from the mind that was called on.
    MindFailed,
    /// What a helper makes of the last message; ignored when it is late, invalid or not wanted.
    HelperResult(Value),
}

impl Act {
    /// As clients send it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Act::RoleConfirmed { .. } => "ROLE_CONFIRMED",
            Act::Round1Ready => "ROUND_1_READY",
            Act::Round1Step => "ROUND_1_STEP",
            Act::HumanOpeningStatement { .. } => "HUMAN_OPENING_STATEMENT",
            Act::Round2Ready => "ROUND_2_READY",
            Act::ConvoSelected { first: true, .. } => "CONVO_1_SELECTED",
            Act::ConvoSelected { first: false, .. } => "CONVO_2_SELECTED",
            Act::ConvoMessage { .. } => "CONVO_MESSAGE",
            Act::ConvoEndEarly => "CONVO_END_EARLY",
            Act::Convo2Skipped => "CONVO_2_SKIPPED",
            Act::Round2WrapReady => "ROUND_2_WRAP_READY",
            Act::Round3StartIssue { .. } => "ROUND_3_START_ISSUE",
            Act::IssueIntroContinue => "ISSUE_INTRO_CONTINUE",
            Act::IssueDebateStep => "ISSUE_DEBATE_STEP",
            Act::HumanDebateMessage { .. } => "HUMAN_DEBATE_MESSAGE",
            Act::HumanDebateSkip => "HUMAN_DEBATE_SKIP",
            Act::HumanVote { .. } => "HUMAN_VOTE",
            Act::IssueResolutionContinue => "ISSUE_RESOLUTION_CONTINUE",
            Act::Statement { .. } => "STATEMENT",
            Act::MindFailed => "MIND_FAILED",
            Act::HelperResult(_) => "HELPER_RESULT",
        }
    }
}

pub(super) fn act(body: &Value) -> Result<Act, Refusal> {
    let Field::Given(name) = Field::<String>::of(body, "type") else { return Err(Refusal::UnknownAct) };
    let text = |name| Field::<String>::of(body, name);
    Ok(match name.as_str() {
        "ROLE_CONFIRMED" => Act::RoleConfirmed { human_role_id: text("human_role_id") },
        "ROUND_1_READY" => Act::Round1Ready,
        "ROUND_1_STEP" => Act::Round1Step,
        "HUMAN_OPENING_STATEMENT" => Act::HumanOpeningStatement { text: text("text") },
        "ROUND_2_READY" => Act::Round2Ready,
        "CONVO_1_SELECTED" | "CONVO_2_SELECTED" => Act::ConvoSelected {
            first: name == "CONVO_1_SELECTED",
            partner_role_id: text("partner_role_id"),
            partner_starts: Field::of(body, "partner_starts"),
        },
        "CONVO_MESSAGE" | "CONVO_1_MESSAGE" | "CONVO_2_MESSAGE" => Act::ConvoMessage { content: text("content") },
        "CONVO_END_EARLY" => Act::ConvoEndEarly,
        "CONVO_2_SKIPPED" => Act::Convo2Skipped,
        "ROUND_2_WRAP_READY" => Act::Round2WrapReady,
        "ROUND_3_START_ISSUE" => Act::Round3StartIssue {
            issue_id: number_or_text(body, "issue_id"),
            human_placement: text("human_placement"),
        },
        "ISSUE_INTRO_CONTINUE" => Act::IssueIntroContinue,
        "ISSUE_DEBATE_STEP" => Act::IssueDebateStep,
        "HUMAN_DEBATE_MESSAGE" => Act::HumanDebateMessage { text: text("text") },
        "HUMAN_DEBATE_SKIP" => Act::HumanDebateSkip,
        "HUMAN_VOTE" => Act::HumanVote { vote: text("vote") },
        "ISSUE_RESOLUTION_CONTINUE" => Act::IssueResolutionContinue,
        "STATEMENT" => Act::Statement { text: text("text") },
        "MIND_FAILED" => Act::MindFailed,
        "HELPER_RESULT" => Act::HelperResult(body.clone()),
        _ => return Err(Refusal::UnknownAct),
    })
}

/// What the server's log says of an act, by the names of the seed: a delegation's own words belong to the step that called on it, and what
/// only tells that a round is ready is the system's.
pub(super) fn cause(state: &State, actor: Actor, act: &Act) -> Cause {
    let by = actor.seat().and_then(|seat| state.role(seat)).map(Role::word);
    let (event, role) = match act {
        Act::Statement { .. } | Act::MindFailed if state.phase == Phase::Talking => ("CONVO_MESSAGE", by),
        Act::Statement { .. } | Act::MindFailed => ("ISSUE_DEBATE_STEP", by),
        Act::Round1Ready | Act::Round2Ready | Act::Round2WrapReady => (act.word(), None),
        Act::RoleConfirmed { human_role_id: Field::Given(role) } => (act.word(), Role::named(role).map(Role::word)),
        _ => (act.word(), by),
    };
    Cause { event: Some(event), role }
}

/// An issue's id comes as `"2"` or as `2`.
fn number_or_text(body: &Value, name: &str) -> Field<String> {
    match Field::<u64>::of(body, name) {
        Field::Given(number) => Field::Given(number.to_string()),
        Field::Missing | Field::Wrong(_) => Field::of(body, name),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "the words say it")]
pub enum Vote {
    Yes,
    No,
}

impl Vote {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Vote::Yes => "YES",
            Vote::No => "NO",
        }
    }
}

/// How an issue ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Resolved {
    pub issue: Issue,
    /// What was put to the vote.
    pub option: Choice,
    /// Whether all six said yes.
    pub adopted: bool,
    /// In the order in which they were called.
    pub votes: Vec<(Role, Vote)>,
}

/// How one role's stance on one issue moved, in hundredths.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Move {
    pub role: Role,
    pub issue: Issue,
    pub acceptance: Vec<(Choice, i8)>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub firmness: i8,
    /// Why, in a few words.
    pub reason: String,
}

fn is_zero(number: &i8) -> bool {
    *number == 0
}

/// An opening as it was drawn: stored with the game, so that no log depends on files that change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opening {
    pub role: Role,
    pub variant_id: String,
    pub text: String,
}

/// What happened. Tags and fields are for life.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The meeting was called; the player is asked for its role.
    MeetingCalled,
    RoleConfirmed {
        role: Role,
    },
    /// Order and openings were drawn, with the stances they start from.
    OpeningsDrawn {
        order: Vec<Role>,
        openings: Vec<Opening>,
        /// By role and issue.
        stances: Vec<Vec<super::stance::Stance>>,
    },
    ChairSaid {
        /// Which line of the script.
        key: String,
        text: String,
        /// The partner in a private talk, where only the two hear it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        private: Option<Role>,
    },
    /// The first round began.
    Round1Opened,
    OpeningGiven {
        role: Role,
        text: String,
        /// Which variant; none if the player spoke for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variant_id: Option<String>,
    },
    /// All openings have been heard.
    Round1Closed,
    /// The second round began.
    Round2Opened,
    TalkOpened {
        talk: Talk,
    },
    /// A mind was called on.
    Called {
        role: Role,
        /// Whether it is called on in a private talk.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        private: bool,
    },
    /// Something was said in private.
    TalkSaid {
        partner: Role,
        role: Role,
        text: String,
    },
    /// Nothing usable came from the partner's mind: its turn is used up, and the talk goes on.
    TalkPassed {
        partner: Role,
        role: Role,
    },
    /// The Chair has interrupted: one last message each.
    TalkInterrupted {
        partner: Role,
    },
    TalkClosed {
        partner: Role,
    },
    /// The player wants no second talk.
    TalkSkipped,
    /// The second round is over.
    Round2Closed,
    IssueOpened {
        floor: Floor,
    },
    /// A round of the debate on the issue began.
    DebateOpened {
        round: u8,
    },
    DebateSaid {
        role: Role,
        text: String,
    },
    /// The player passed its turn, or nothing usable came from a mind.
    DebateSkipped {
        role: Role,
        /// Whether a mind failed.
        failed: bool,
    },
    /// What the last message or the result of a vote does to stances. There is always one, even if nothing moves: everybody can see
    /// the number of events, which must not tell.
    Weighed {
        /// What pulls at whom; they give way when they speak next.
        pushes: Vec<(Role, super::stance::Push)>,
        met: Vec<(Role, Issue, String)>,
        /// How stances moved at once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<Move>,
    },
    /// A stance moved. Only in old logs: moves are now part of `Weighed`.
    StanceMoved(Move),
    /// The debate is over.
    PositionsFinalized,
    /// The Chair counts support.
    ProposalOpened,
    /// An option was tabled.
    Proposed {
        option: Choice,
        /// How many of the six support it.
        support: u8,
    },
    Voted {
        role: Role,
        vote: Vote,
    },
    /// All six have voted.
    IssueResolved(Resolved),
    /// The issue is closed for good; the next one may be opened.
    IssueClosed {
        issue: Issue,
    },
    /// The fourth issue is closed.
    ReviewOpened,
}

impl Event {
    /// The partner, if only the player and that delegation may ever know of it.
    pub(super) fn private_with(&self) -> Option<Role> {
        match self {
            Event::ChairSaid { private, .. } => *private,
            Event::Called { role, private } => private.then_some(*role),
            Event::TalkSaid { partner, .. }
            | Event::TalkPassed { partner, .. }
            | Event::TalkInterrupted { partner }
            | Event::TalkClosed { partner } => Some(*partner),
            Event::TalkOpened { talk } => Some(talk.partner),
            Event::MeetingCalled
            | Event::RoleConfirmed { .. }
            | Event::OpeningsDrawn { .. }
            | Event::Round1Opened
            | Event::OpeningGiven { .. }
            | Event::Round1Closed
            | Event::Round2Opened
            | Event::TalkSkipped
            | Event::Round2Closed
            | Event::IssueOpened { .. }
            | Event::DebateOpened { .. }
            | Event::DebateSaid { .. }
            | Event::DebateSkipped { .. }
            | Event::Weighed { .. }
            | Event::StanceMoved(_)
            | Event::PositionsFinalized
            | Event::ProposalOpened
            | Event::Proposed { .. }
            | Event::Voted { .. }
            | Event::IssueResolved(_)
            | Event::IssueClosed { .. }
            | Event::ReviewOpened => None,
        }
    }

    /// Whether it completes a turn: something was said, passed or voted.
    pub(super) fn is_turn(&self) -> bool {
        matches!(
            self,
            Event::OpeningGiven { .. }
                | Event::TalkSaid { .. }
                | Event::TalkPassed { .. }
                | Event::DebateSaid { .. }
                | Event::DebateSkipped { .. }
                | Event::Voted { .. }
        )
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Event::MeetingCalled => "meeting_called",
            Event::RoleConfirmed { .. } => "role_confirmed",
            Event::OpeningsDrawn { .. } => "openings_drawn",
            Event::ChairSaid { .. } => "chair",
            Event::Round1Opened => "round_1_opened",
            Event::OpeningGiven { .. } => "opening",
            Event::Round1Closed => "round_1_closed",
            Event::Round2Opened => "round_2_opened",
            Event::TalkOpened { .. } => "talk_opened",
            Event::Called { .. } => "called",
            Event::TalkSaid { .. } => "talk",
            Event::TalkPassed { .. } => "talk_passed",
            Event::TalkInterrupted { .. } => "talk_interrupted",
            Event::TalkClosed { .. } => "talk_closed",
            Event::TalkSkipped => "talk_skipped",
            Event::Round2Closed => "round_2_closed",
            Event::IssueOpened { .. } => "issue_opened",
            Event::DebateOpened { .. } => "debate_opened",
            Event::DebateSaid { .. } => "debate",
            Event::DebateSkipped { .. } => "debate_skipped",
            Event::Weighed { .. } => "weighed",
            Event::StanceMoved(_) => "stance_moved",
            Event::PositionsFinalized => "positions_finalized",
            Event::ProposalOpened => "proposal_opened",
            Event::Proposed { .. } => "proposed",
            Event::Voted { .. } => "voted",
            Event::IssueResolved(_) => "issue_resolved",
            Event::IssueClosed { .. } => "issue_closed",
            Event::ReviewOpened => "review_opened",
        }
    }
}

impl Placement {
    pub(super) fn named(word: &str) -> Option<Placement> {
        [Placement::First, Placement::Random, Placement::Skip].into_iter().find(|known| known.word() == word)
    }
}
