//! What is known between events, and how an event changes it.

use super::docket::Case;
use super::words::{Event, ROUNDS, Role, Setup, Verdict};
use engine::id::{Seat, Seq};
use engine::parts::seatset::SeatSet;
use engine::roster::Lang;
use engine::rules::Mark;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of a trial. It holds no speeches; it does hold votes, which only the count reveals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The language of the case.
    pub lang: Lang,
    /// The case that was asked for.
    pub case_id: Option<String>,
    /// The case, once the court has opened.
    pub case: Option<Arc<Case>>,
    /// By seat, once they are dealt.
    pub roles: Vec<Role>,
    /// How far it has come.
    pub phase: Phase,
    /// Counsel's speeches, by event, until the verdict is pronounced: the corpus rates them by what the jury finds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speeches: Vec<(Seq, Role)>,
}

/// Where the trial stands; each phase carries what only it knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Between the start and the deal.
    Dealing,
    Opening {
        spoke: SeatSet,
    },
    /// Everyone speaks once a round.
    Argument {
        round: u8,
        spoke: SeatSet,
    },
    /// Prosecution and defense speak once more.
    Rebuttal {
        spoke: SeatSet,
    },
    JuryVote {
        /// The votes so far, in the order of voting.
        votes: Vec<(Seat, Verdict)>,
        /// The reasons of those who gave one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reasons: Vec<(Seat, String)>,
    },
    Verdict(Count),
    End(Count),
}

/// What the jury found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Count {
    /// All three votes, in the order of the seats.
    pub votes: Vec<(Seat, Verdict)>,
    /// What at least two of three found.
    pub verdict: Verdict,
    /// The reasons of those who gave one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<(Seat, String)>,
}

impl Count {
    /// How this seat voted, if it is a juror's.
    pub fn vote_of(&self, seat: Seat) -> Option<Verdict> {
        self.votes.iter().find(|(juror, _)| *juror == seat).map(|(_, verdict)| *verdict)
    }

    /// This seat's reason, if it gave one.
    pub fn reason_of(&self, seat: Seat) -> Option<&str> {
        self.reasons.iter().find(|(juror, _)| *juror == seat).map(|(_, reason)| reason.as_str())
    }
}

/// A phase without its data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// Seats are being filled.
    Waiting,
    Opening,
    Argument,
    Rebuttal,
    JuryVote,
    Verdict,
    End,
}

impl Named {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Named::Waiting => "waiting",
            Named::Opening => "opening",
            Named::Argument => "argument",
            Named::Rebuttal => "rebuttal",
            Named::JuryVote => "jury_vote",
            Named::Verdict => "verdict",
            Named::End => "end",
        }
    }
}

impl Phase {
    pub fn named(&self) -> Named {
        match self {
            Phase::Dealing => Named::Waiting,
            Phase::Opening { .. } => Named::Opening,
            Phase::Argument { .. } => Named::Argument,
            Phase::Rebuttal { .. } => Named::Rebuttal,
            Phase::JuryVote { .. } => Named::JuryVote,
            Phase::Verdict(_) => Named::Verdict,
            Phase::End(_) => Named::End,
        }
    }

    /// As clients read it.
    pub fn word(&self) -> &'static str {
        self.named().word()
    }

    /// 1 to 3 in the argument, 0 elsewhere.
    pub fn round(&self) -> u8 {
        match self {
            Phase::Argument { round, .. } => *round,
            Phase::Dealing
            | Phase::Opening { .. }
            | Phase::Rebuttal { .. }
            | Phase::JuryVote { .. }
            | Phase::Verdict(_)
            | Phase::End(_) => 0,
        }
    }

    /// What the jury found, once it is known.
    pub fn count(&self) -> Option<&Count> {
        match self {
            Phase::Verdict(count) | Phase::End(count) => Some(count),
            Phase::Dealing
            | Phase::Opening { .. }
            | Phase::Argument { .. }
            | Phase::Rebuttal { .. }
            | Phase::JuryVote { .. } => None,
        }
    }

    pub fn has_part(&self, role: Role) -> bool {
        match self {
            Phase::Dealing | Phase::End(_) => false,
            Phase::Opening { .. } | Phase::Argument { .. } => true,
            Phase::Rebuttal { .. } => matches!(role, Role::Prosecutor | Role::Defense),
            Phase::JuryVote { .. } => role == Role::Juror,
            Phase::Verdict(_) => role == Role::Judge,
        }
    }

    /// The seats that have acted in this phase.
    pub fn submitted(&self) -> SeatSet {
        match self {
            Phase::Opening { spoke } | Phase::Argument { spoke, .. } | Phase::Rebuttal { spoke } => *spoke,
            Phase::JuryVote { votes, .. } => votes.iter().map(|(seat, _)| *seat).collect(),
            Phase::Dealing | Phase::Verdict(_) | Phase::End(_) => SeatSet::default(),
        }
    }
}

impl State {
    pub(super) fn new(setup: &Setup) -> Self {
        State {
            lang: setup.lang,
            case_id: setup.case_id.clone(),
            case: None,
            roles: Vec::new(),
            phase: Phase::Dealing,
            speeches: Vec::new(),
        }
    }

    pub fn role(&self, seat: Seat) -> Option<Role> {
        self.roles.get(seat.index()).copied()
    }

    /// The seat with this role; for jurors, the first of them.
    pub fn seat_of(&self, role: Role) -> Option<Seat> {
        self.roles.iter().position(|dealt| *dealt == role).map(Seat::at)
    }

    /// Everyone with a part in the present phase.
    pub fn parties(&self) -> impl Iterator<Item = Seat> + '_ {
        self.roles.iter().enumerate().filter(|(_, role)| self.phase.has_part(**role)).map(|(index, _)| Seat::at(index))
    }

    pub(super) fn evolve(&mut self, event: &Event, mark: Mark) {
        match event {
            Event::CourtOpened { case, roles } => {
                self.case = Some(case.clone());
                self.roles = roles.clone();
                self.phase = Phase::Opening { spoke: SeatSet::default() };
            }
            Event::Spoke { seat, role, .. } => {
                if matches!(role, Role::Prosecutor | Role::Defense) {
                    self.speeches.push((mark.seq, *role));
                }
                match &mut self.phase {
                    Phase::Opening { spoke } | Phase::Argument { spoke, .. } | Phase::Rebuttal { spoke } => {
                        spoke.add(*seat);
                    }
                    Phase::Dealing | Phase::JuryVote { .. } | Phase::Verdict(_) | Phase::End(_) => {}
                }
            }
            Event::RoundOpened { round } => {
                self.phase = Phase::Argument { round: (*round).min(ROUNDS), spoke: SeatSet::default() };
            }
            Event::PhaseOpened { to, .. } => {
                let spoke = SeatSet::default();
                self.phase = match (to, self.phase.count().cloned()) {
                    (Named::Argument, _) => Phase::Argument { round: 1, spoke },
                    (Named::Rebuttal, _) => Phase::Rebuttal { spoke },
                    (Named::JuryVote, _) => Phase::JuryVote { votes: Vec::new(), reasons: Vec::new() },
                    (Named::End, Some(count)) => Phase::End(count),
                    // `VotesCounted` has brought the state there already.
                    (Named::Verdict | Named::Waiting | Named::Opening | Named::End, _) => return,
                };
            }
            Event::VoteSealed { seat, verdict, reason } => {
                if let Phase::JuryVote { votes, reasons } = &mut self.phase {
                    votes.push((*seat, *verdict));
                    reasons.extend(reason.clone().map(|reason| (*seat, reason)));
                }
            }
            Event::VotesCounted { votes, verdict, reasons } => {
                let count = Count { votes: votes.clone(), verdict: *verdict, reasons: reasons.clone() };
                self.phase = Phase::Verdict(count);
            }
            Event::Ended { .. } => self.speeches.clear(),
        }
    }
}
