//! The rulebook of the trial: who may do what, when, and what follows.

use super::docket;
use super::state::{Count, Named, Phase, State};
use super::view;
use super::words::{Act, Event, ROUNDS, Refusal, Role, TEXT_LEN_MAX, Verdict};
use engine::id::Seat;
use engine::parts::field::Field;
use engine::parts::text;
use engine::rules::{Actor, FieldSpec, Moment, Offer, Shape, Turn};
use std::sync::Arc;

const POINTS_WINNER: u32 = 200;
const POINTS_LOSER: u32 = 50;
const POINTS_JUDGE: u32 = 100;

/// The deal: roles and case, each drawn once.
pub(super) fn open_court(state: &State, moment: &Moment<'_>) -> Event {
    let mut roles = Role::SIX.to_vec();
    moment.chance.draw("roles", 0).shuffle(&mut roles);
    let docket = docket::docket();
    let wanted = state.case_id.as_deref().and_then(|id| docket.case(state.lang, id));
    let case = wanted.unwrap_or_else(|| moment.chance.draw("case", 0).pick(docket.cases(state.lang)));
    Event::CourtOpened { case: Arc::new(case.clone()), roles }
}

pub(super) fn decide(state: &State, actor: Actor, act: &Act) -> Result<Vec<Event>, Refusal> {
    if let Phase::End(_) = state.phase {
        return Err(Refusal::Over);
    }
    let Actor::Seat(seat) = actor else { return Err(Refusal::NotSeated) };
    let role = state.role(seat).ok_or(Refusal::NotSeated)?;
    if !state.phase.has_part(role) {
        // Out of role: a pass, and nothing happens.
        return Ok(vec![]);
    }
    if state.phase.submitted().has(seat) {
        return Err(Refusal::AlreadyActed);
    }
    match (&state.phase, act) {
        (
            Phase::Opening { .. } | Phase::Argument { .. } | Phase::Rebuttal { .. } | Phase::Verdict(_),
            Act::Speak { text },
        ) => speak(state, seat, role, text),
        (Phase::JuryVote { votes, reasons }, Act::Vote { verdict, reason }) => {
            vote(votes, reasons, seat, verdict, reason)
        }
        (
            Phase::Opening { .. } | Phase::Argument { .. } | Phase::Rebuttal { .. } | Phase::Verdict(_),
            Act::Vote { .. },
        ) => Err(wrong(state, act, "speak")),
        (Phase::Opening { .. } | Phase::Argument { .. } | Phase::Rebuttal { .. } | Phase::Verdict(_), Act::Pass) => {
            Err(wrong(state, act, "speak"))
        }
        (Phase::JuryVote { .. }, Act::Speak { .. } | Act::Pass) => Err(wrong(state, act, "vote")),
        (Phase::Dealing | Phase::End(_), Act::Speak { .. } | Act::Vote { .. } | Act::Pass) => Ok(vec![]),
    }
}

fn wrong(state: &State, act: &Act, expected: &'static str) -> Refusal {
    Refusal::WrongAct { found: act.word(), phase: state.phase.word(), expected }
}

fn speak(state: &State, seat: Seat, role: Role, text: &Field<String>) -> Result<Vec<Event>, Refusal> {
    let text = text.required("text", "a string of 1 to 200 characters").map_err(Refusal::Body)?;
    if view::is_instruction(state, seat, text) {
        return Err(Refusal::Instruction);
    }
    let text = text::checked("text", text, 1..=TEXT_LEN_MAX).map_err(Refusal::Body)?;
    let phase = state.phase.named();
    let mut events = vec![Event::Spoke { seat, role, phase, round: state.phase.round(), text }];
    if state.phase.submitted().len() + 1 == state.parties().count() {
        events.extend(after_the_last_speech(state));
    }
    Ok(events)
}

fn after_the_last_speech(state: &State) -> Vec<Event> {
    let from = state.phase.named();
    match &state.phase {
        Phase::Opening { .. } => vec![Event::PhaseOpened { from, to: Named::Argument }],
        Phase::Argument { round, .. } if *round < ROUNDS => vec![Event::RoundOpened { round: round + 1 }],
        Phase::Argument { .. } => vec![Event::PhaseOpened { from, to: Named::Rebuttal }],
        Phase::Rebuttal { .. } => vec![Event::PhaseOpened { from, to: Named::JuryVote }],
        Phase::Verdict(count) => vec![
            Event::PhaseOpened { from, to: Named::End },
            Event::Ended { verdict: count.verdict, votes: count.votes.clone(), points: points(&state.roles, count) },
        ],
        Phase::Dealing | Phase::JuryVote { .. } | Phase::End(_) => vec![],
    }
}

fn vote(
    votes: &[(Seat, Verdict)],
    reasons: &[(Seat, String)],
    seat: Seat,
    verdict: &Field<String>,
    reason: &Field<String>,
) -> Result<Vec<Event>, Refusal> {
    let Field::Given(verdict) = verdict else { return Err(Refusal::BadVerdict) };
    let verdict = Verdict::ALL.into_iter().find(|known| known.word() == verdict).ok_or(Refusal::BadVerdict)?;
    let reason = reason.optional("reason", "a string of 1 to 200 characters").map_err(Refusal::Body)?;
    let checked = reason.map(|reason| text::checked("reason", reason, 1..=TEXT_LEN_MAX).map_err(Refusal::Body));
    let reason = checked.transpose()?;
    let mut events = vec![Event::VoteSealed { seat, verdict, reason: reason.clone() }];
    let (mut votes, mut reasons) = (votes.to_vec(), reasons.to_vec());
    votes.push((seat, verdict));
    reasons.extend(reason.map(|reason| (seat, reason)));
    if votes.len() == JURORS {
        // In the order of the seats, so that the count does not tell the order of voting.
        votes.sort_by_key(|(seat, _)| *seat);
        reasons.sort_by_key(|(seat, _)| *seat);
        let guilty = votes.iter().filter(|(_, verdict)| *verdict == Verdict::Guilty).count();
        let verdict = if guilty * 2 > JURORS { Verdict::Guilty } else { Verdict::NotGuilty };
        events.push(Event::VotesCounted { votes, verdict, reasons });
        events.push(Event::PhaseOpened { from: Named::JuryVote, to: Named::Verdict });
    }
    Ok(events)
}

pub(super) const JURORS: usize = 3;

/// By seat: a juror belongs to the team it voted for, the judge to none.
pub(super) fn points(roles: &[Role], count: &Count) -> Vec<u32> {
    let winner = count.verdict.winner();
    let won = |seat: Seat, role: Role| match role {
        Role::Judge => None,
        Role::Prosecutor | Role::Defense => Some(role == winner),
        Role::Juror => Some(count.vote_of(seat) == Some(count.verdict)),
    };
    let point = |(index, role): (usize, &Role)| match won(Seat::at(index), *role) {
        None => POINTS_JUDGE,
        Some(true) => POINTS_WINNER,
        Some(false) => POINTS_LOSER,
    };
    roles.iter().enumerate().map(point).collect()
}

/// Who is awaited, and with what.
pub(super) fn turns(state: &State) -> Vec<Turn> {
    let submitted = state.phase.submitted();
    let offer = match state.phase {
        Phase::JuryVote { .. } => {
            let shape = Shape::Choice(Verdict::ALL.iter().map(|verdict| verdict.word().to_owned()).collect());
            let reason = Shape::Text { len_min: 1, len_max: TEXT_LEN_MAX };
            let fields = vec![
                FieldSpec { name: "verdict", shape, required: true },
                FieldSpec { name: "reason", shape: reason, required: false },
            ];
            Offer { action: "vote", fields }
        }
        Phase::Dealing
        | Phase::Opening { .. }
        | Phase::Argument { .. }
        | Phase::Rebuttal { .. }
        | Phase::Verdict(_)
        | Phase::End(_) => {
            let shape = Shape::Text { len_min: 1, len_max: TEXT_LEN_MAX };
            Offer { action: "speak", fields: vec![FieldSpec { name: "text", shape, required: true }] }
        }
    };
    let mut waiting: Vec<Seat> = state.parties().filter(|seat| !submitted.has(*seat)).collect();
    waiting.sort_by_key(|seat| state.role(*seat).map(|role| order(&state.phase, role)));
    waiting.into_iter().map(|seat| Turn { who: Actor::Seat(seat), offers: vec![offer.clone()] }).collect()
}

/// The order in which seats are best heard. The rules accept any order.
fn order(phase: &Phase, role: Role) -> u8 {
    match (phase, role) {
        (Phase::Opening { .. }, Role::Judge) => 0,
        // The defense goes first in the second round, and after the prosecution everywhere else.
        (Phase::Argument { round: 2, .. }, Role::Defense) => 1,
        (_, Role::Prosecutor) => 2,
        (_, Role::Defense) => 3,
        (_, Role::Judge) => 4,
        (_, Role::Juror) => 5,
    }
}
