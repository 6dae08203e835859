//! What is known between events, and how an event changes it.

use super::content::{Content, content_of};
use super::reference::Tables;
use super::stance::{Push, Stance};
use super::words::{Choice, Event, Issue, Move, Opening, Resolved, Role, SEATS, Setup, TALK_TURNS, Vote};
use engine::id::Seat;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};

/// The state of a meeting. The openings are in it because they were drawn before they are spoken; no other speech is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    pub lang: Lang,
    /// The reference tables it is played by; none in meetings from before there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    /// Whether a helper may propose how stances move.
    #[serde(default)]
    pub helper: bool,
    /// Moves since the last message: rules and helper together stay within the bounds of one message.
    #[serde(default)]
    pub moved: Vec<Move>,
    /// How many messages have been recorded; a helper's answer names the one it is about by this number.
    #[serde(default)]
    pub messages: u32,
    pub human: Option<Role>,
    pub phase: Phase,
    /// Who is called on. The number is always 0: the house counts failures.
    pub called: Option<(Role, u8)>,
    pub order: Vec<Role>,
    pub openings: Vec<Opening>,
    /// By role and issue.
    pub stances: Vec<Vec<Stance>>,
    /// What has been said to a role on the issue under debate since it spoke last, by role.
    pub heard: Vec<Push>,
    /// Conditions of a role on an issue that have been met, by id.
    pub met: Vec<(Role, Issue, String)>,
    pub talks: Vec<Talk>,
    pub resolved: Vec<Resolved>,
    /// How often the Chair has spoken, so that its lines vary.
    pub chair_lines: u32,
}

/// Where the meeting stands; each phase carries what only it knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the states of the specification")]
pub enum Phase {
    Calling,
    RoleSelection,
    Round1Setup,
    Round1Openings { cursor: u8 },
    Round2Setup,
    SelectTalk1,
    Talking,
    SelectTalk2,
    Round2WrapUp,
    Round3Setup,
    IssueIntro(Floor),
    Debate { floor: Floor, round: u8, cursor: u8 },
    Positions(Floor),
    Proposing(Floor),
    Voting { floor: Floor, option: Choice, votes: Vec<(Role, Vote)> },
    Resolution { issue: Issue },
    Review,
}

/// The order of a debate, drawn when its issue is opened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Floor {
    pub issue: Issue,
    /// Where the player wants to speak.
    pub placement: Placement,
    /// Who speaks when, in each of the two rounds.
    pub queues: [Vec<Role>; 2],
}

/// Where the player speaks among its group in a debate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words say it")]
pub enum Placement {
    First,
    Random,
    Skip,
}

impl Placement {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Placement::First => "first",
            Placement::Random => "random",
            Placement::Skip => "skip",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Talk {
    pub partner: Role,
    /// Whether the partner speaks first.
    pub partner_starts: bool,
    /// How often the player has spoken.
    #[serde(default)]
    pub human_turns: u8,
    /// How often the partner has.
    #[serde(default)]
    pub ai_turns: u8,
    /// Whether the Chair has interrupted.
    #[serde(default)]
    pub interrupted: bool,
    #[serde(default)]
    pub closed: bool,
}

impl Talk {
    /// How often each may speak in all.
    fn turns_max(&self) -> u8 {
        if self.interrupted { TALK_TURNS + 1 } else { TALK_TURNS }
    }

    pub fn human_next(&self) -> bool {
        let first =
            if self.partner_starts { self.ai_turns > self.human_turns } else { self.human_turns <= self.ai_turns };
        first && self.human_turns < self.turns_max()
    }

    pub fn partner_next(&self) -> bool {
        !self.human_next() && self.ai_turns < self.turns_max()
    }

    /// Whether both have used up their messages, so that the Chair interrupts before one last message each.
    pub fn to_interrupt(&self) -> bool {
        !self.interrupted && self.human_turns >= TALK_TURNS && self.ai_turns >= TALK_TURNS
    }

    /// Whether nothing more may be said.
    pub fn spent(&self) -> bool {
        self.interrupted && self.human_turns > TALK_TURNS && self.ai_turns > TALK_TURNS
    }
}

impl Phase {
    /// As clients read it.
    pub fn status(&self) -> &'static str {
        match self {
            Phase::Calling | Phase::RoleSelection => "ROLE_SELECTION",
            Phase::Round1Setup => "ROUND_1_SETUP",
            Phase::Round1Openings { .. } => "ROUND_1_OPENING_STATEMENTS",
            Phase::Round2Setup => "ROUND_2_SETUP",
            Phase::SelectTalk1 => "ROUND_2_SELECT_CONVO_1",
            Phase::Talking => "ROUND_2_CONVERSATION_ACTIVE",
            Phase::SelectTalk2 => "ROUND_2_SELECT_CONVO_2",
            Phase::Round2WrapUp => "ROUND_2_WRAP_UP",
            Phase::Round3Setup => "ROUND_3_SETUP",
            Phase::IssueIntro(_) => "ISSUE_INTRO",
            Phase::Debate { round: 1, .. } => "ISSUE_DEBATE_ROUND_1",
            Phase::Debate { .. } => "ISSUE_DEBATE_ROUND_2",
            Phase::Positions(_) => "ISSUE_POSITION_FINALIZATION",
            Phase::Proposing(_) => "ISSUE_PROPOSAL_SELECTION",
            Phase::Voting { .. } => "ISSUE_VOTE",
            Phase::Resolution { .. } => "ISSUE_RESOLUTION",
            Phase::Review => "REVIEW",
        }
    }
}

impl State {
    pub(super) fn new(setup: &Setup) -> Self {
        State {
            lang: setup.lang,
            tables: setup.tables.clone(),
            helper: setup.helper,
            moved: Vec::new(),
            messages: 0,
            human: None,
            phase: Phase::Calling,
            called: None,
            order: Vec::new(),
            openings: Vec::new(),
            stances: Vec::new(),
            heard: vec![Push::default(); SEATS],
            met: Vec::new(),
            talks: Vec::new(),
            resolved: Vec::new(),
            chair_lines: 0,
        }
    }

    pub(super) fn content(&self) -> &'static Content {
        content_of(self.lang, self.tables.as_ref())
    }

    /// The seat of a role: the player's is the first, the others follow in the order of the roles.
    pub fn seat(&self, role: Role) -> Seat {
        match self.human {
            Some(human) if role == human => Seat(0),
            Some(human) if role < human => Seat::at(role.index() + 1),
            Some(_) | None => Seat::at(role.index()),
        }
    }

    /// The role of a seat, once the player has chosen.
    pub fn role(&self, seat: Seat) -> Option<Role> {
        self.human?;
        Role::ALL.into_iter().find(|role| self.seat(*role) == seat)
    }

    pub fn stance(&self, role: Role, issue: Issue) -> Option<&Stance> {
        self.stances.get(role.index())?.get(issue.index())
    }

    /// The current private talk, or else the last one.
    pub fn talk(&self) -> Option<&Talk> {
        self.talks.last()
    }

    pub fn next_issue(&self) -> Option<Issue> {
        Issue::ALL.get(self.resolved.len()).copied()
    }

    /// How many of the six support an option now.
    pub fn support(&self, option: Choice) -> u8 {
        let supports = |role: &&Role| self.stance(**role, option.issue).is_some_and(|stance| stance.accepts(option));
        Role::COUNTRIES.iter().filter(supports).count() as u8
    }

    fn make(&mut self, made: &Move) {
        self.moved.push(made.clone());
        let stances = self.stances.get_mut(made.role.index());
        if let Some(stance) = stances.and_then(|stances| stances.get_mut(made.issue.index())) {
            stance.apply(made);
        }
    }

    pub(super) fn evolve(&mut self, event: &Event) {
        match event {
            Event::MeetingCalled => self.phase = Phase::RoleSelection,
            Event::RoleConfirmed { role } => {
                self.human = Some(*role);
                self.phase = Phase::Round1Setup;
            }
            Event::OpeningsDrawn { order, openings, stances } => {
                self.order = order.clone();
                self.openings = openings.clone();
                self.stances = stances.clone();
            }
            Event::ChairSaid { .. } => self.chair_lines += 1,
            Event::Round1Opened => self.phase = Phase::Round1Openings { cursor: 0 },
            Event::OpeningGiven { .. } => {
                if let Phase::Round1Openings { cursor } = &mut self.phase {
                    *cursor += 1;
                }
            }
            Event::Round1Closed => self.phase = Phase::Round2Setup,
            Event::Round2Opened => self.phase = Phase::SelectTalk1,
            Event::TalkOpened { talk } => {
                self.talks.push(talk.clone());
                self.phase = Phase::Talking;
            }
            Event::Called { role, .. } => self.called = Some((*role, self.called.map_or(0, |(_, failed)| failed))),
            Event::TalkSaid { role, .. } => {
                (self.messages, self.moved) = (self.messages + 1, Vec::new());
                let human = self.human == Some(*role);
                if let Some(talk) = self.talks.last_mut() {
                    if human { talk.human_turns += 1 } else { talk.ai_turns += 1 }
                }
                self.called = None;
            }
            Event::TalkPassed { .. } => {
                if let Some(talk) = self.talks.last_mut() {
                    talk.ai_turns += 1;
                }
                self.called = None;
            }
            Event::TalkInterrupted { .. } => {
                if let Some(talk) = self.talks.last_mut() {
                    talk.interrupted = true;
                }
            }
            Event::TalkClosed { .. } => {
                if let Some(talk) = self.talks.last_mut() {
                    talk.closed = true;
                }
                self.called = None;
                self.phase = if self.talks.len() == 1 { Phase::SelectTalk2 } else { Phase::Round2WrapUp };
            }
            Event::TalkSkipped => self.phase = Phase::Round2WrapUp,
            Event::Round2Closed => self.phase = Phase::Round3Setup,
            Event::IssueOpened { floor } => {
                self.heard = vec![Push::default(); SEATS];
                self.phase = Phase::IssueIntro(floor.clone());
            }
            Event::DebateOpened { round } => {
                if let Phase::IssueIntro(floor) | Phase::Debate { floor, .. } = &self.phase {
                    self.phase = Phase::Debate { floor: floor.clone(), round: *round, cursor: 0 };
                }
            }
            Event::DebateSaid { role, .. } | Event::DebateSkipped { role, .. } => {
                (self.messages, self.moved) = (self.messages + 1, Vec::new());
                if let Phase::Debate { cursor, .. } = &mut self.phase {
                    *cursor += 1;
                }
                self.heard[role.index()] = Push::default();
                self.called = None;
            }
            Event::Weighed { pushes, met, moves } => {
                moves.iter().for_each(|made| self.make(made));
                for (role, push) in pushes {
                    self.heard[role.index()].join(push);
                }
                self.met.extend(met.iter().cloned());
            }
            Event::StanceMoved(made) => self.make(made),
            Event::PositionsFinalized => {
                if let Phase::Debate { floor, .. } = &self.phase {
                    self.phase = Phase::Positions(floor.clone());
                }
            }
            Event::ProposalOpened => {
                if let Phase::Positions(floor) = &self.phase {
                    self.phase = Phase::Proposing(floor.clone());
                }
            }
            Event::Proposed { option, .. } => {
                if let Phase::Proposing(floor) = &self.phase {
                    self.phase = Phase::Voting { floor: floor.clone(), option: *option, votes: Vec::new() };
                }
            }
            Event::Voted { role, vote } => {
                if let Phase::Voting { votes, .. } = &mut self.phase {
                    votes.push((*role, *vote));
                }
            }
            Event::IssueResolved(resolved) => {
                self.phase = Phase::Resolution { issue: resolved.issue };
                self.resolved.push(resolved.clone());
            }
            Event::IssueClosed { .. } => self.phase = Phase::Round3Setup,
            Event::ReviewOpened => self.phase = Phase::Review,
        }
    }
}
