//! What is known between events, and how an event changes it.

use super::words::{Decision, Event, Role, Setup};
use engine::id::{Seat, Seq};
use engine::parts::seatset::SeatSet;
use engine::rules::Mark;
use serde::{Deserialize, Serialize};

/// The state of a game: bounded by the number of seats, however long the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    pub seats: u16,
    /// After how many seconds the next round starts by itself.
    pub auto_advance_s: Option<u32>,
    /// The present round, from 1.
    pub round: u32,
    /// Each seat's role in it.
    pub roles: Roles,
    /// How far it has come.
    pub phase: Phase,
    /// The arguments of this round, by event.
    pub arguments: Vec<(Seq, Seat)>,
    /// How many rounds have been resolved.
    pub resolved: u32,
    pub scores: Vec<u32>,
    /// Who has been operator in a resolved round.
    pub been_operator: SeatSet,
    /// Who has been with the many.
    pub been_majority: SeatSet,
    /// Who has been with the few.
    pub been_minority: SeatSet,
}

/// Each seat's role in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roles {
    pub operator: Seat,
    pub majority: SeatSet,
    pub minority: SeatSet,
}

impl Roles {
    pub fn of(&self, seat: Seat) -> Option<Role> {
        if seat == self.operator {
            Some(Role::Operator)
        } else if self.majority.has(seat) {
            Some(Role::Majority)
        } else if self.minority.has(seat) {
            Some(Role::Minority)
        } else {
            None
        }
    }

    /// How many seats are on a track.
    pub fn on_tracks(&self) -> usize {
        self.majority.len() + self.minority.len()
    }
}

/// Where a round stands; each phase carries what only it knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Between the start and the first deal.
    Dealing,
    Debate {
        /// Which of the three.
        step: Step,
        /// Who has argued in it.
        argued: SeatSet,
    },
    /// The operator is asked.
    AwaitingDecision,
    /// The trolley has passed.
    Resolved(Outcome),
    /// It was the last round.
    Completed(Outcome),
}

/// One of the three debate phases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    First,
    Second,
    Third,
}

impl Step {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Step::First => "phase_1",
            Step::Second => "phase_2",
            Step::Third => "phase_3",
        }
    }

    pub fn next(self) -> Option<Step> {
        match self {
            Step::First => Some(Step::Second),
            Step::Second => Some(Step::Third),
            Step::Third => None,
        }
    }
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Who was saved.
    pub decision: Decision,
    /// Whether the host ended the round, not the operator.
    pub forced: bool,
}

impl Phase {
    /// The game's status while in it.
    pub fn status(self) -> &'static str {
        match self {
            Phase::Dealing => "ready_to_start",
            Phase::Debate { step: Step::First, .. } => "round_phase_1",
            Phase::Debate { step: Step::Second, .. } => "round_phase_2",
            Phase::Debate { step: Step::Third, .. } => "round_phase_3",
            Phase::AwaitingDecision => "awaiting_operator_decision",
            Phase::Resolved(_) => "round_resolved",
            Phase::Completed(_) => "game_completed",
        }
    }

    /// The phase of the round, as clients read it.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Phase::Dealing => None,
            Phase::Debate { step, .. } => Some(step.word()),
            Phase::AwaitingDecision => Some("awaiting_decision"),
            Phase::Resolved(_) | Phase::Completed(_) => Some("resolved"),
        }
    }

    /// How the round ended, if it has.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Phase::Resolved(outcome) | Phase::Completed(outcome) => Some(outcome),
            Phase::Dealing | Phase::Debate { .. } | Phase::AwaitingDecision => None,
        }
    }

    /// Who has argued in the present phase.
    pub fn argued(self) -> SeatSet {
        match self {
            Phase::Debate { argued, .. } => argued,
            Phase::Dealing | Phase::AwaitingDecision | Phase::Resolved(_) | Phase::Completed(_) => SeatSet::default(),
        }
    }
}

impl State {
    pub(super) fn new(setup: &Setup, seats: usize) -> Self {
        State {
            seats: seats as u16,
            auto_advance_s: setup.auto_advance_s,
            round: 0,
            roles: Roles { operator: Seat(0), majority: SeatSet::default(), minority: SeatSet::default() },
            phase: Phase::Dealing,
            arguments: Vec::new(),
            resolved: 0,
            scores: vec![0; seats],
            been_operator: SeatSet::default(),
            been_majority: SeatSet::default(),
            been_minority: SeatSet::default(),
        }
    }

    pub(super) fn evolve(&mut self, event: &Event, mark: Mark) {
        match event {
            Event::RoundOpened { round, operator, majority, minority } => {
                self.round = *round;
                self.roles = Roles { operator: *operator, majority: *majority, minority: *minority };
                self.phase = Phase::Debate { step: Step::First, argued: SeatSet::default() };
                self.arguments.clear();
            }
            Event::Argued { seat, .. } => {
                self.arguments.push((mark.seq, *seat));
                if let Phase::Debate { argued, .. } = &mut self.phase {
                    argued.add(*seat);
                }
            }
            Event::PhaseOpened { step, .. } => {
                self.phase = Phase::Debate { step: *step, argued: SeatSet::default() };
            }
            Event::DecisionAwaited { .. } => self.phase = Phase::AwaitingDecision,
            Event::RoundResolved { decision, forced, survivors, .. } => {
                self.phase = Phase::Resolved(Outcome { decision: *decision, forced: *forced });
                self.resolved += 1;
                for seat in survivors.iter() {
                    self.scores[seat.index()] += 1;
                }
                self.been_operator.add(self.roles.operator);
                self.roles.majority.iter().for_each(|seat| self.been_majority.add(seat));
                self.roles.minority.iter().for_each(|seat| self.been_minority.add(seat));
            }
            Event::GameCompleted { .. } => {
                if let Phase::Resolved(outcome) = self.phase {
                    self.phase = Phase::Completed(outcome);
                }
            }
        }
    }

    /// Whether everyone has been operator, majority and minority.
    pub fn is_covered(&self) -> bool {
        let seats = usize::from(self.seats);
        [self.been_operator, self.been_majority, self.been_minority].iter().all(|been| been.len() == seats)
    }
}
