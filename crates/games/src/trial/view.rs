//! What each viewer may know of a trial. Everything is public but a vote before the count, and no view reads one then.

use super::Trial;
use super::docket::Case;
use super::rules;
use super::state::{Count, Named, Phase, State};
use super::words::{Event, ROUNDS, Role, Verdict};
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::transcript::{Line, SeenBy};
use engine::roster::Lang;
use engine::rules::{Actor, Rules as _, Standing, Viewer};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The state as clients read it: every field, always.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct View {
    pub game_id: String,
    #[serde(rename = "gameType")]
    pub game_type: &'static str,
    #[serde(rename = "gameStatus")]
    pub game_status: &'static str,
    pub status: &'static str,
    pub version: u64,
    pub phase: &'static str,
    pub round: u8,
    #[serde(rename = "maxRounds")]
    pub rounds_max: u8,
    pub case: Option<CaseView>,
    #[serde(rename = "self")]
    pub own: Option<OwnView>,
    pub participants: Vec<ParticipantView>,
    pub history: Vec<ChapterView>,
    pub allowed_actions: Vec<&'static str>,
    pub expected_action: &'static str,
    pub action_instruction: Option<Value>,
    pub phase_submissions: SubmissionsView,
    pub result: Option<ResultView>,
    pub turn_limit_s: Option<u32>,
    pub practice: bool,
    pub rated: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct CaseView {
    pub case_id: String,
    pub title: String,
    pub description: String,
    pub evidence_for: Vec<String>,
    pub evidence_against: Vec<String>,
}

/// The viewer's own seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OwnView {
    pub id: String,
    pub name: String,
    pub role: Option<&'static str>,
    pub house: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ParticipantView {
    pub id: String,
    pub name: String,
    pub role: Option<&'static str>,
    pub house: bool,
    pub submitted: bool,
    pub vote: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub points: Option<u32>,
}

/// What was said in one phase and round, or how the jury voted.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub enum ChapterView {
    Speeches { phase: String, round: u32, speeches: Vec<SpeechView> },
    Votes { phase: &'static str, votes: Vec<VoteView>, verdict: &'static str },
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct SpeechView {
    pub agent_id: String,
    pub name: String,
    pub role: &'static str,
    pub text: String,
}

/// A vote, after the count.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct VoteView {
    pub agent_id: String,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How many of the seats with a part in the phase have acted.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct SubmissionsView {
    pub submitted: usize,
    pub total: usize,
}

/// The verdict, with the viewer's own points.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ResultView {
    pub points: Option<u32>,
    pub verdict: &'static str,
    pub winner_team: &'static str,
}

pub(super) fn view(hall: &Hall<'_, Trial>, viewer: Viewer) -> View {
    let state = hall.state;
    let ended = state.filter(|state| Trial::is_over(state)).and_then(|state| state.phase.count());
    let points = ended.zip(state).map(|(count, state)| rules::points(&state.roles, count));
    let seat = match viewer {
        Viewer::Spectator => None,
        Viewer::Seat(seat) => Some(seat),
    };
    let action = state.zip(seat).map_or("", |(state, seat)| expected(state, seat));
    let awaited = matches!(action, "speak" | "vote");
    View {
        game_id: hall.id.to_string(),
        game_type: Trial::META.name,
        game_status: match state {
            None => "waiting",
            Some(state) if Trial::is_over(state) => "finished",
            Some(_) => "running",
        },
        status: hall.status,
        version: hall.mark.seq.0,
        phase: state.map_or(Named::Waiting.word(), |state| state.phase.word()),
        round: state.map_or(0, |state| state.phase.round()),
        rounds_max: ROUNDS,
        case: state.and_then(|state| state.case.as_deref()).map(case),
        own: seat.map(|seat| own(hall, seat)),
        participants: hall.roster.iter().map(|(seat, _)| participant(hall, seat, points.as_deref())).collect(),
        history: state.map_or(vec![], |state| history(hall, state)),
        allowed_actions: if awaited { vec![action] } else { vec![] },
        expected_action: action,
        action_instruction: state.zip(seat).filter(|_| awaited).map(|(state, seat)| instruction(state, seat)),
        phase_submissions: SubmissionsView {
            submitted: state.map_or(0, |state| state.phase.submitted().len()),
            total: state.map_or(0, |state| state.parties().count()),
        },
        result: ended.map(|count| ResultView {
            points: points.as_ref().zip(seat).and_then(|(points, seat)| points.get(seat.index()).copied()),
            verdict: count.verdict.word(),
            winner_team: count.verdict.winner().word(),
        }),
        turn_limit_s: hall.terms.turn_limit_s,
        practice: hall.terms.practice,
        rated: hall.terms.counts(hall.roster, 0),
    }
}

fn case(case: &Case) -> CaseView {
    CaseView {
        case_id: case.case_id.clone(),
        title: case.title.clone(),
        description: case.description.clone(),
        evidence_for: case.evidence_for.clone(),
        evidence_against: case.evidence_against.clone(),
    }
}

/// The act that is awaited from a seat; `pass` if it has no part in the phase, empty once it has acted.
fn expected(state: &State, seat: Seat) -> &'static str {
    let turns = Trial::turns(state);
    let mine = turns.iter().find(|turn| turn.who == Actor::Seat(seat)).and_then(|turn| turn.offers.first());
    match mine {
        Some(offer) => offer.action,
        None if Trial::is_over(state) || state.phase.submitted().has(seat) => "",
        None => "pass",
    }
}

/// What to do, in the language of the table, in the form of the body to send.
fn instruction(state: &State, seat: Seat) -> Value {
    let advice = advice(state, seat);
    match state.phase {
        Phase::JuryVote { .. } => {
            let choices = Verdict::ALL.map(Verdict::word).join(" | ");
            json!({"type": "vote", "verdict": choices, "instruction": advice})
        }
        _ => json!({"type": "speak", "text": advice}),
    }
}

/// Whether a text is only the instruction that the seat was given, by itself or with its body.
pub(super) fn is_instruction(state: &State, seat: Seat, text: &str) -> bool {
    let text = text.trim();
    text == advice(state, seat)
        || serde_json::from_str::<Value>(text).is_ok_and(|said| said == instruction(state, seat))
}

/// What is asked of a seat. Where there is a choice, all of it is shown, and none is preferred.
fn advice(state: &State, seat: Seat) -> &'static str {
    let role = state.role(seat).unwrap_or(Role::Juror);
    let (english, korean) = match (&state.phase, role) {
        (Phase::JuryVote { .. }, _) => (
            "Vote as you are persuaded: GUILTY or NOT_GUILTY.",
            "설득된 대로 투표하십시오. GUILTY(유죄) 또는 NOT_GUILTY(무죄)입니다.",
        ),
        (Phase::Verdict(count), _) => match count.verdict {
            Verdict::Guilty => (
                "One sentence of at most 200 characters: pronounce that the jury found the accused guilty.",
                "한 문장(200자 이내): 배심원단이 유죄로 평결했음을 선고하십시오.",
            ),
            Verdict::NotGuilty => (
                "One sentence of at most 200 characters: pronounce that the jury found the accused not guilty.",
                "한 문장(200자 이내): 배심원단이 무죄로 평결했음을 선고하십시오.",
            ),
        },
        (Phase::Opening { .. }, Role::Prosecutor) => (
            "One sentence of at most 200 characters: why you bring this charge.",
            "한 문장(200자 이내): 기소한 이유를 말하십시오.",
        ),
        (Phase::Opening { .. }, Role::Defense) => (
            "One sentence of at most 200 characters: how you will defend the accused.",
            "한 문장(200자 이내): 어떻게 변호할지 말하십시오.",
        ),
        (Phase::Opening { .. }, Role::Judge) => (
            "One sentence of at most 200 characters: open the proceedings.",
            "한 문장(200자 이내): 개정을 선언하십시오.",
        ),
        (Phase::Opening { .. }, Role::Juror) => (
            "One sentence of at most 200 characters: say which way you lean: guilty, not guilty or neutral.",
            "한 문장(200자 이내): 지금 어느 쪽으로 기우는지 말하십시오. 유죄, 무죄, 중립 가운데 하나입니다.",
        ),
        (Phase::Argument { .. }, Role::Prosecutor) => (
            "One sentence of at most 200 characters: argue for guilt from the evidence.",
            "한 문장(200자 이내): 증거를 들어 유죄를 논증하십시오.",
        ),
        (Phase::Argument { .. }, Role::Defense) => (
            "One sentence of at most 200 characters: argue against guilt from the evidence.",
            "한 문장(200자 이내): 증거를 들어 무죄를 논증하십시오.",
        ),
        (Phase::Argument { .. }, Role::Judge) => (
            "One sentence of at most 200 characters: ask a question or sum up.",
            "한 문장(200자 이내): 질문하거나 쟁점을 정리하십시오.",
        ),
        (Phase::Argument { .. }, Role::Juror) => (
            "One sentence of at most 200 characters: say which way you have been moved so far.",
            "한 문장(200자 이내): 지금까지 어느 쪽으로 설득되었는지 말하십시오.",
        ),
        (Phase::Rebuttal { .. } | Phase::Dealing | Phase::End(_), _) => (
            "One sentence of at most 200 characters: your last word to the jury.",
            "한 문장(200자 이내): 배심원단에 마지막으로 할 말을 하십시오.",
        ),
    };
    match state.lang {
        Lang::En => english,
        Lang::Ko => korean,
    }
}

fn own(hall: &Hall<'_, Trial>, seat: Seat) -> OwnView {
    OwnView {
        id: hall.agent_id(seat),
        name: hall.roster.name(seat).to_owned(),
        role: hall.state.and_then(|state| state.role(seat)).map(Role::word),
        house: hall.roster.is_house(seat),
    }
}

fn participant(hall: &Hall<'_, Trial>, seat: Seat, points: Option<&[u32]>) -> ParticipantView {
    let count = hall.state.and_then(|state| state.phase.count());
    let vote = count.and_then(|count| count.vote_of(seat));
    ParticipantView {
        id: hall.agent_id(seat),
        name: hall.roster.name(seat).to_owned(),
        role: hall.state.and_then(|state| state.role(seat)).map(Role::word),
        house: hall.roster.is_house(seat),
        submitted: hall.state.is_some_and(|state| state.phase.submitted().has(seat)),
        vote: vote.map(Verdict::word),
        reason: count.and_then(|count| count.reason_of(seat)).map(str::to_owned),
        points: points.and_then(|points| points.get(seat.index()).copied()),
    }
}

fn history(hall: &Hall<'_, Trial>, state: &State) -> Vec<ChapterView> {
    let mut chapters: Vec<ChapterView> = Vec::new();
    let mut votes = state.phase.count().map(|count| ChapterView::Votes {
        phase: Named::JuryVote.word(),
        votes: votes(hall, count),
        verdict: count.verdict.word(),
    });
    for entry in hall.said {
        let (Some(seat), Some(text), Some(at)) = (entry.line.seat, &entry.line.text, &entry.line.phase) else {
            continue;
        };
        let round = entry.line.round.unwrap_or(0);
        let speech = SpeechView {
            agent_id: hall.agent_id(seat),
            name: hall.roster.name(seat).to_owned(),
            role: state.role(seat).map_or("", Role::word),
            text: text.clone(),
        };
        match chapters.last_mut() {
            Some(ChapterView::Speeches { phase, round: now, speeches }) if phase == at && *now == round => {
                speeches.push(speech);
            }
            _ => {
                // The verdict is spoken after the votes were counted.
                if *at == Named::Verdict.word() {
                    chapters.extend(votes.take());
                }
                chapters.push(ChapterView::Speeches { phase: at.to_string(), round, speeches: vec![speech] });
            }
        }
    }
    chapters.extend(votes);
    chapters
}

fn votes(hall: &Hall<'_, Trial>, count: &Count) -> Vec<VoteView> {
    let vote = |(seat, verdict): &(Seat, Verdict)| VoteView {
        agent_id: hall.agent_id(*seat),
        verdict: verdict.word(),
        reason: count.reason_of(*seat).map(str::to_owned),
    };
    count.votes.iter().map(vote).collect()
}

/// What is told of an event when it happens.
pub(super) fn tell(event: &Event, hall: &Hall<'_, Trial>) -> Map<String, Value> {
    let agent = |seat: &Seat| hall.agent_id(*seat);
    let ballots = |votes: &[(Seat, Verdict)], reasons: &[(Seat, String)]| {
        let vote = |(seat, verdict): &(Seat, Verdict)| {
            let mut ballot = json!({"agent_id": agent(seat), "verdict": verdict.word()});
            if let Some((_, reason)) = reasons.iter().find(|(juror, _)| juror == seat) {
                ballot["reason"] = reason.as_str().into();
            }
            ballot
        };
        votes.iter().map(vote).collect::<Vec<_>>()
    };
    let told = match event {
        Event::CourtOpened { .. } => {
            json!({"type": "phase_change", "from": Named::Waiting.word(), "to": Named::Opening.word()})
        }
        Event::Spoke { seat, role, phase, text, .. } => json!({
            "type": "speak", "agent_id": agent(seat), "role": role.word(), "text": text, "phase": phase.word(),
        }),
        Event::RoundOpened { round } => json!({"type": "round_change", "round": round}),
        Event::PhaseOpened { from, to } => json!({"type": "phase_change", "from": from.word(), "to": to.word()}),
        Event::VoteSealed { seat, .. } => {
            json!({"type": "vote_submitted", "agent_id": agent(seat), "role": Role::Juror.word()})
        }
        Event::VotesCounted { votes, verdict, reasons } => {
            json!({"type": "votes_counted", "votes": ballots(votes, reasons), "verdict": verdict.word()})
        }
        Event::Ended { verdict, votes, points } => json!({
            "type": "game_end", "verdict": verdict.word(), "winner_team": verdict.winner().word(),
            "results": results(hall, &Count { votes: votes.clone(), verdict: *verdict, reasons: vec![] }, points),
        }),
    };
    match told {
        Value::Object(told) => told,
        _ => unreachable!("every arm above is an object"),
    }
}

/// The event as a line of the transcript.
pub(super) fn line(event: &Event, hall: &Hall<'_, Trial>) -> Line {
    if let Event::Spoke { seat, phase, round, text, .. } = event {
        return Line {
            seat: Some(*seat),
            round: Some(u32::from(*round)),
            phase: Some(phase.word().into()),
            text: Some(text.clone()),
            payload: None,
            seen_by: SeenBy::All,
        };
    }
    let (seat, phase) = match event {
        Event::CourtOpened { .. } => (None, Named::Opening),
        Event::Spoke { phase, .. } => (None, *phase),
        Event::RoundOpened { .. } => (None, Named::Argument),
        Event::PhaseOpened { to, .. } => (None, *to),
        Event::VoteSealed { seat, .. } => (Some(*seat), Named::JuryVote),
        Event::VotesCounted { .. } => (None, Named::JuryVote),
        Event::Ended { .. } => (None, Named::End),
    };
    Line { seat, phase: Some(phase.word().into()), ..Line::event(Value::Object(tell(event, hall))) }
}

/// Each seat with its role, points and, if a juror's, vote.
fn results(hall: &Hall<'_, Trial>, count: &Count, points: &[u32]) -> Vec<Value> {
    let roles = hall.state.map_or(&[][..], |state| &state.roles);
    let result = |(index, role): (usize, &Role)| {
        let seat = Seat::at(index);
        let mut result = json!({
            "agent_id": hall.agent_id(seat), "name": hall.roster.name(seat), "role": role.word(), "points": points.get(index),
        });
        if let Some(vote) = count.vote_of(seat) {
            result["vote"] = vote.word().into();
        }
        result
    };
    roles.iter().enumerate().map(result).collect()
}

/// The result of a finished trial.
pub(super) fn result(hall: &Hall<'_, Trial>) -> Value {
    let Some((state, count)) = hall.state.and_then(|state| state.phase.count().map(|count| (state, count))) else {
        return Value::Null;
    };
    json!({
        "case_id": state.case.as_ref().map(|case| case.case_id.clone()),
        "verdict": count.verdict.word(), "winner_team": count.verdict.winner().word(),
        "results": results(hall, count, &rules::points(&state.roles, count)),
    })
}

/// Only prosecution and defense play against each other and are ranked; a juror wins by voting with the majority.
pub(super) fn standings(hall: &Hall<'_, Trial>) -> Vec<Standing> {
    let Some((state, count)) = hall.state.and_then(|state| state.phase.count().map(|count| (state, count))) else {
        return vec![];
    };
    let points = rules::points(&state.roles, count);
    let standing = |(index, role): (usize, &Role)| {
        let seat = Seat::at(index);
        let won = match role {
            Role::Prosecutor | Role::Defense => *role == count.verdict.winner(),
            Role::Juror => count.vote_of(seat) == Some(count.verdict),
            Role::Judge => false,
        };
        let rank = match role {
            Role::Prosecutor | Role::Defense => Some(if won { 1 } else { 2 }),
            Role::Judge | Role::Juror => None,
        };
        Standing { seat, role: role.word(), points: points[index], won, rank }
    };
    state.roles.iter().enumerate().map(standing).collect()
}
