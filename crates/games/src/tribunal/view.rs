//! What each viewer may know of a trial. In a closed one the words belong to the three seats: their lines are kept from everybody else,
//! and a view quotes only lines that its viewer may read. What came of them is public. Only the prosecutor sees what the archive showed.

use super::Tribunal;
use super::docket::Case;
use super::jury;
use super::mind;
use super::rules;
use super::state::{Commitment, Consultation, Exchange, Phase, State};
use super::words::{Event, Found, HOUSE_SEATS, JURORS, Note, Role, Verdict};
use engine::facts::{Fate, Manner};
use engine::game::Hall;
use engine::id::{Seat, Seq};
use engine::parts::transcript::{Entry, Line, SeenBy};
use engine::rules::{Rules as _, Standing, Viewer};
use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Said with everything that is shown of a trial.
const FICTION: &str = "Speeches are invented; the record is not.";

/// The state as clients read it: every field, always.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct View {
    pub game_id: String,
    pub game_type: &'static str,
    pub status: &'static str,
    pub version: u64,
    pub case: Option<Arc<Case>>,
    pub exchange: u8,
    pub exchanges: u8,
    pub turn: Option<TurnView>,
    pub turn_state: &'static str,
    /// The same under the name that clients of the archive know it by.
    #[serde(rename = "turnState")]
    pub turn_state_too: &'static str,
    pub consulted: Vec<FoundView>,
    pub open: bool,
    pub jurors: Vec<i8>,
    pub condemn: usize,
    pub acquit: usize,
    pub undecided: usize,
    pub commitments: Vec<CommitmentView>,
    pub exchanges_log: Vec<ExchangeView>,
    pub ia_won: u32,
    pub participants: Vec<ParticipantView>,
    #[serde(rename = "self")]
    pub own: Option<OwnView>,
    pub result: Option<ResultView>,
    pub turn_limit_s: Option<u32>,
    /// What one look into the archive costs here.
    pub consult_ia: u32,
    pub practice: bool,
    pub rated: bool,
    pub fiction: &'static str,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct TurnView {
    pub role: &'static str,
    pub character_id: Option<String>,
    pub expected: Vec<&'static str>,
}

/// An archived attack, shown to the prosecutor who paid for the look.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct FoundView {
    pub arg_hash: String,
    pub text: String,
    pub label: String,
    pub effectiveness: f64,
    pub uses: u64,
    pub worked: Option<u64>,
}

/// A claim on the board.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct CommitmentView {
    pub exchange: u8,
    pub character_id: String,
    pub label: String,
    pub claim: Option<String>,
    pub status: &'static str,
}

/// An exchange, over or under way. Words are there for those who may read them.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ExchangeView {
    pub exchange: u8,
    pub character_id: String,
    pub label: String,
    /// Whether it went to the archive: then nothing was said in it.
    pub consulted: bool,
    pub argument: Option<String>,
    pub answer: Option<String>,
    pub ruling: Option<RulingView>,
    pub burden: Option<BurdenView>,
    pub total_shift: Option<i8>,
    pub moved: Vec<u8>,
    pub ia_change: Option<i32>,
}

/// What the bench found of attack and answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct RulingView {
    pub jury_shift: i8,
    pub extraordinary: bool,
    pub claim: Option<String>,
    pub reasons: Option<String>,
    pub passage: Option<String>,
}

/// How the burden of a claim was met.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct BurdenView {
    pub mode: Option<Manner>,
    pub evidence: Vec<String>,
    pub text: Option<String>,
    pub verdict: Option<Fate>,
    pub reasons: Option<String>,
}

/// A seat at the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ParticipantView {
    pub id: String,
    pub name: String,
    pub role: &'static str,
    pub house: bool,
}

/// What only this viewer has.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct OwnView {
    pub id: String,
    pub name: String,
    pub role: &'static str,
    pub house: bool,
    pub allowed_actions: Vec<&'static str>,
    pub evidence: Vec<String>,
    pub intern: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the API document describes the fields of the state")]
pub struct ResultView {
    pub verdict: Verdict,
    pub condemn: usize,
    pub acquit: usize,
    pub undecided: usize,
}

pub(super) fn view(hall: &Hall<'_, Tribunal>, viewer: Viewer) -> View {
    let state = hall.state;
    let leans = state.filter(|state| state.case.is_some()).map(|state| state.jurors);
    let (condemn, acquit) = leans.map_or((0, 0), |leans| jury::sides(&leans));
    let turn_state = state.map_or("waiting", |state| turn_state(state, viewer));
    View {
        game_id: hall.id.to_string(),
        game_type: Tribunal::META.name,
        status: hall.status,
        version: hall.mark.seq.0,
        case: state.and_then(|state| state.case.clone()),
        exchange: state.map_or(0, State::exchange),
        exchanges: hall.setup.exchanges,
        turn: state.and_then(turn),
        turn_state,
        turn_state_too: turn_state,
        consulted: state.map_or(vec![], |state| consulted(hall.said, state, viewer)),
        open: state.map_or(hall.setup.open, |state| state.open),
        jurors: leans.map_or(vec![], |leans| leans.to_vec()),
        condemn,
        acquit,
        undecided: leans.map_or(0, |_| JURORS - condemn - acquit),
        commitments: state
            .map_or(vec![], |state| state.commitments.iter().map(|made| claim(hall.said, made)).collect()),
        exchanges_log: state.map_or(vec![], |state| exchanges(hall.said, state)),
        ia_won: state.map_or(0, |state| state.ia),
        participants: participants(hall),
        own: own(hall, viewer),
        result: state.and_then(|state| match state.phase {
            Phase::End(verdict) => Some(ended(verdict, &state.jurors)),
            Phase::Dealing
            | Phase::Attack
            | Phase::Recall(_)
            | Phase::Answer(..)
            | Phase::Ruling(..)
            | Phase::Burden(..)
            | Phase::BurdenRuling(_)
            | Phase::Closing(_) => None,
        }),
        turn_limit_s: hall.terms.turn_limit_s,
        consult_ia: hall.terms.rates.consult_ia,
        practice: hall.terms.practice,
        rated: hall.terms.counts(hall.roster, HOUSE_SEATS),
        fiction: FICTION,
    }
}

fn ended(verdict: Verdict, leans: &[i8; JURORS]) -> ResultView {
    let (condemn, acquit) = jury::sides(leans);
    ResultView { verdict, condemn, acquit, undecided: JURORS - condemn - acquit }
}

fn turn(state: &State) -> Option<TurnView> {
    let role = state.phase.awaited()?;
    let expected = match state.phase {
        // Nobody is told that the accused is remembering: it is about to answer.
        Phase::Recall(_) => vec!["answer"],
        Phase::Dealing
        | Phase::Attack
        | Phase::Answer(..)
        | Phase::Ruling(..)
        | Phase::Burden(..)
        | Phase::BurdenRuling(_)
        | Phase::Closing(_)
        | Phase::End(_) => actions(state),
    };
    let character_id = state.phase.heard().map(|heard| heard.character.clone());
    Some(TurnView { role: role.word(), character_id, expected })
}

/// What is going on, in a word. A prosecutor who has just looked into the archive is still reading; to everybody else it is about to
/// argue.
fn turn_state(state: &State, viewer: Viewer) -> &'static str {
    match state.phase {
        Phase::Dealing => "waiting",
        Phase::Attack if viewer == PROSECUTOR && state.consulting().is_some() => "consulting",
        Phase::Attack => "arguing",
        Phase::Recall(_) | Phase::Answer(..) => "answering",
        Phase::Burden(..) => "substantiating",
        Phase::Ruling(..) | Phase::BurdenRuling(_) | Phase::Closing(_) => "ruling",
        Phase::End(_) => "over",
    }
}

/// The only viewer who reads what the archive showed.
const PROSECUTOR: Viewer = Viewer::Seat(Seat(1));

/// What the prosecutor is reading now.
fn consulted(said: &[Entry], state: &State, viewer: Viewer) -> Vec<FoundView> {
    let Some(look) = state.consulting().filter(|_| viewer == PROSECUTOR) else { return vec![] };
    let payload = said.iter().find(|entry| entry.seq == look.event).and_then(|entry| entry.line.payload.as_ref());
    let found = payload.and_then(|payload| Vec::<Found>::deserialize(&payload["found"]).ok());
    let shown = |Found { arg_hash, text, label, effectiveness_e4, uses, worked }| FoundView {
        arg_hash,
        text,
        label,
        effectiveness: f64::from(effectiveness_e4) / 10_000.0,
        uses,
        worked,
    };
    found.unwrap_or_default().into_iter().map(shown).collect()
}

fn actions(state: &State) -> Vec<&'static str> {
    let turns = rules::turns(state);
    let mut actions: Vec<&'static str> = turns.iter().flat_map(|turn| &turn.offers).map(|offer| offer.action).collect();
    actions.dedup();
    actions
}

fn participants(hall: &Hall<'_, Tribunal>) -> Vec<ParticipantView> {
    let one = |role: Role| {
        let seat = role.seat();
        (seat.index() < hall.roster.len()).then(|| ParticipantView {
            id: hall.agent_id(seat),
            name: hall.roster.name(seat).to_owned(),
            role: role.word(),
            house: hall.roster.is_house(seat),
        })
    };
    Role::ALL.into_iter().filter_map(one).collect()
}

fn own(hall: &Hall<'_, Tribunal>, viewer: Viewer) -> Option<OwnView> {
    let Viewer::Seat(seat) = viewer else { return None };
    let ParticipantView { id, name, role, house } = participants(hall).into_iter().nth(seat.index())?;
    let state = hall.state;
    let awaited = state.filter(|state| state.phase.awaited() == Role::of(seat));
    let awaited = awaited.filter(|state| !matches!(state.phase, Phase::Recall(_)));
    let speaks = Role::of(seat) == Some(Role::Accused);
    let attacked = state.filter(|_| speaks).and_then(State::attacked);
    Some(OwnView {
        id,
        name,
        role,
        house,
        allowed_actions: awaited.map_or(vec![], actions),
        evidence: attacked.map_or(vec![], |character| character.evidence.clone()),
        intern: mind::intern(hall, hall.said, seat),
    })
}

fn exchanges(said: &[Entry], state: &State) -> Vec<ExchangeView> {
    let mut closed = state.closed.iter();
    let over = (1..=state.exchanges_over()).filter_map(|number| {
        if let Some(look) = state.consultation(number) {
            return Some(archived(look));
        }
        let closed = closed.next()?;
        let mut view = exchange(said, number, &closed.heard);
        view.total_shift = Some(closed.shift);
        view.moved = closed.moved.clone();
        view.ia_change = Some(closed.ia_change);
        Some(view)
    });
    let over: Vec<ExchangeView> = over.collect();
    let now = state.phase.heard().map(|heard| exchange(said, state.exchange(), heard));
    over.into_iter().chain(now).collect()
}

/// An exchange that went to the archive: nothing was said in it, and nobody moved.
fn archived(look: &Consultation) -> ExchangeView {
    ExchangeView {
        exchange: look.exchange,
        character_id: look.character.clone(),
        label: String::new(),
        consulted: true,
        argument: None,
        answer: None,
        ruling: None,
        burden: None,
        total_shift: Some(0),
        moved: vec![],
        ia_change: Some(0),
    }
}

fn exchange(said: &[Entry], number: u8, heard: &Exchange) -> ExchangeView {
    let extraordinary = heard.ruling.as_ref().is_some_and(|ruling| ruling.claim.is_some());
    let ruling = heard.ruling.as_ref().map(|ruling| RulingView {
        jury_shift: ruling.shift,
        extraordinary,
        claim: quoted(said, ruling.event, "claim"),
        reasons: words(said, ruling.event),
        passage: quoted(said, ruling.event, "passage"),
    });
    let burden = extraordinary.then(|| BurdenView {
        mode: heard.defense.as_ref().map(|defense| defense.mode),
        evidence: heard.defense.as_ref().map_or(vec![], |defense| defense.evidence.clone()),
        text: heard.defense.as_ref().and_then(|defense| words(said, defense.speech?)),
        verdict: heard.burden.map(|(_, verdict)| verdict),
        reasons: heard.burden.and_then(|(ruled, _)| words(said, ruled?)),
    });
    ExchangeView {
        exchange: number,
        character_id: heard.character.clone(),
        label: heard.label.clone(),
        consulted: false,
        argument: words(said, heard.attack),
        answer: heard.answer.and_then(|answer| words(said, answer)),
        ruling,
        burden,
        total_shift: None,
        moved: vec![],
        ia_change: None,
    }
}

fn claim(said: &[Entry], made: &Commitment) -> CommitmentView {
    CommitmentView {
        exchange: made.exchange,
        character_id: made.character.clone(),
        label: made.label.clone(),
        claim: quoted(said, made.ruled, "claim"),
        status: made.status(),
    }
}

/// What was said in that event, if this viewer may read it.
fn words(said: &[Entry], seq: Seq) -> Option<String> {
    said.iter().find(|entry| entry.seq == seq)?.line.text.clone()
}

fn quoted(said: &[Entry], seq: Seq, field: &str) -> Option<String> {
    let payload = said.iter().find(|entry| entry.seq == seq)?.line.payload.as_ref()?;
    payload[field].as_str().filter(|words| !words.is_empty()).map(str::to_owned)
}

/// What a viewer is told of an event when it happens, without the words that it may not read.
pub(super) fn tell(event: &Event, viewer: Viewer) -> Option<Map<String, Value>> {
    let reads = readers_of(event).includes(viewer);
    let mut told = match told(event)? {
        Value::Object(told) => told,
        _ => return None,
    };
    if !reads {
        WORDS.iter().for_each(|field| drop(told.remove(*field)));
    }
    Some(told)
}

/// Fields that are kept from viewers who may not read the words.
const WORDS: [&str; 5] = ["text", "claim", "reasons", "passage", "found"];

fn told(event: &Event) -> Option<Value> {
    let kind = event.name();
    Some(match event {
        Event::CourtOpened { case, jurors } => {
            json!({"type": kind, "case_id": case.case_id, "title": case.title, "jurors": jurors})
        }
        Event::TrialOpened => json!({"type": kind}),
        Event::Argued { exchange, character, label, text, drafted, .. } => {
            let mut told =
                json!({"type": kind, "exchange": exchange, "character_id": character, "label": label, "text": text});
            if *drafted {
                told["drafted"] = true.into();
            }
            told
        }
        Event::Consulted { exchange, character, price, found } => json!({
            "type": kind, "exchange": exchange, "character_id": character, "price": price, "found": found,
        }),
        Event::Answered { exchange, character, text, .. } => {
            json!({"type": kind, "exchange": exchange, "character_id": character, "text": text})
        }
        Event::Silent { exchange, role } => json!({"type": kind, "exchange": exchange, "role": role}),
        Event::Ruled { exchange, shift, claim, reasons, passage, .. } => json!({
            "type": kind, "exchange": exchange, "jury_shift": shift, "extraordinary": claim.is_some(),
            "label": claim.as_ref().map(|claim| &claim.label), "claim": claim.as_ref().map(|claim| &claim.text),
            "reasons": reasons, "passage": passage,
        }),
        Event::Substantiated { exchange, character, label, mode, text, evidence, .. } => json!({
            "type": kind, "exchange": exchange, "character_id": character, "label": label, "mode": mode,
            "evidence": evidence, "text": text,
        }),
        Event::BurdenRuled { exchange, verdict, reasons, .. } => {
            json!({"type": kind, "exchange": exchange, "verdict": verdict, "reasons": reasons})
        }
        Event::ExchangeClosed { exchange, shift, moved, leans, triggered, verdict, ia_change } => json!({
            "type": kind, "exchange": exchange, "total_shift": shift, "moved": moved, "jurors": leans,
            "triggered": triggered, "verdict": verdict, "ia_change": ia_change,
        }),
        Event::Ended { verdict, leans } => {
            let ResultView { condemn, acquit, undecided, .. } = ended(*verdict, leans);
            json!({
                "type": kind, "verdict": verdict, "jurors": leans,
                "condemn": condemn, "acquit": acquit, "undecided": undecided,
            })
        }
        // The noted event itself was told, without its words; what is remembered is told to nobody.
        Event::Noted { .. } | Event::Recalled { .. } => return None,
    })
}

/// The event as a line of the transcript; what is remembered has none.
pub(super) fn line(state: &State, event: &Event) -> Option<Line> {
    let (role, text, payload) = match event {
        Event::Recalled { .. } => return None,
        Event::CourtOpened { .. } | Event::TrialOpened | Event::ExchangeClosed { .. } | Event::Ended { .. } => {
            (None, None, told(event)?)
        }
        Event::Argued { text, .. } => (Some(Role::Prosecutor), Some(text), told(event)?),
        Event::Consulted { .. } => (Some(Role::Prosecutor), None, told(event)?),
        Event::Answered { text, .. } | Event::Substantiated { text, .. } => {
            (Some(Role::Accused), Some(text), told(event)?)
        }
        Event::Silent { role, .. } => (Some(*role), None, told(event)?),
        Event::Ruled { reasons, .. } | Event::BurdenRuled { reasons, .. } => {
            (Some(Role::Bench), Some(reasons), told(event)?)
        }
        Event::Noted { exchange, note } => {
            let mut told = json!(note);
            told["type"] = event.name().into();
            told["exchange"] = json!(exchange);
            (Some(speaker(note)), None, told)
        }
    };
    let mut payload = payload;
    if let Some(told) = payload.as_object_mut() {
        ["text", "reasons"].iter().for_each(|field| drop(told.remove(*field)));
    }
    Some(Line {
        seat: role.map(Role::seat),
        round: Some(u32::from(number(state, event))),
        phase: Some(state.phase.status().into()),
        text: text.filter(|text| !text.is_empty()).cloned(),
        payload: Some(payload),
        seen_by: readers_of(event),
    })
}

fn speaker(note: &Note) -> Role {
    match note {
        Note::Argued { .. } | Note::Consulted { .. } => Role::Prosecutor,
        Note::Answered { .. } | Note::Substantiated { .. } => Role::Accused,
        Note::Ruled { .. } | Note::BurdenRuled { .. } => Role::Bench,
    }
}

/// The exchange that an event belongs to.
fn number(state: &State, event: &Event) -> u8 {
    match event {
        Event::Argued { exchange, .. }
        | Event::Consulted { exchange, .. }
        | Event::Answered { exchange, .. }
        | Event::Silent { exchange, .. }
        | Event::Ruled { exchange, .. }
        | Event::Substantiated { exchange, .. }
        | Event::BurdenRuled { exchange, .. }
        | Event::Noted { exchange, .. }
        | Event::ExchangeClosed { exchange, .. } => *exchange,
        Event::CourtOpened { .. } | Event::TrialOpened | Event::Recalled { .. } | Event::Ended { .. } => {
            state.exchange()
        }
    }
}

pub(super) fn result(hall: &Hall<'_, Tribunal>) -> Value {
    let Some((state, Phase::End(verdict))) = hall.state.map(|state| (state, &state.phase)) else { return Value::Null };
    let ResultView { condemn, acquit, undecided, .. } = ended(*verdict, &state.jurors);
    json!({
        "case_id": state.case.as_ref().map(|case| case.case_id.clone()), "verdict": verdict, "jurors": state.jurors,
        "condemn": condemn, "acquit": acquit, "undecided": undecided, "exchanges": state.exchanges_over(), "ia_won": state.ia,
    })
}

/// The prosecutor's points are its IA, the accused's are the jurors who lean to acquit. A hung jury is a draw.
pub(super) fn standings(hall: &Hall<'_, Tribunal>) -> Vec<Standing> {
    let Some((state, Phase::End(verdict))) = hall.state.map(|state| (state, &state.phase)) else { return vec![] };
    let (_, acquit) = jury::sides(&state.jurors);
    let standing = |role: Role, points: u32, winning: Verdict| {
        let won = *verdict == winning;
        let rank = if won || *verdict == Verdict::Hung { 1 } else { 2 };
        Standing { seat: role.seat(), role: role.word(), points, won, rank: Some(rank) }
    };
    vec![
        Standing { seat: Seat(0), role: Role::Bench.word(), points: 0, won: false, rank: None },
        standing(Role::Prosecutor, state.ia, Verdict::Condemned),
        standing(Role::Accused, acquit as u32, Verdict::Acquitted),
    ]
}

/// Who may read the words.
pub(super) fn readers(open: bool) -> SeenBy {
    if open { SeenBy::All } else { SeenBy::Seats(Role::ALL.into_iter().map(Role::seat).collect()) }
}

/// Who may read the words of an event.
fn readers_of(event: &Event) -> SeenBy {
    match event {
        Event::Consulted { .. } => SeenBy::Seats([Role::Prosecutor.seat()].into_iter().collect()),
        Event::CourtOpened { .. }
        | Event::TrialOpened
        | Event::Argued { .. }
        | Event::Recalled { .. }
        | Event::Answered { .. }
        | Event::Silent { .. }
        | Event::Ruled { .. }
        | Event::Substantiated { .. }
        | Event::BurdenRuled { .. }
        | Event::Noted { .. }
        | Event::ExchangeClosed { .. }
        | Event::Ended { .. } => readers(event.is_public()),
    }
}
