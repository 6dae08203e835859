//! What a mind that plays a seat is told besides its view: the case file, for the accused what it remembers, and the fields it may add
//! to its act.

use super::Tribunal;
use super::docket::{Case, Temptation, docket};
use super::state::{Exchange, Memory, Phase};
use super::words::{PASSAGE_LEN_MAX, Role};
use crate::speech;
use engine::facts::Manner;
use engine::game::Hall;
use engine::id::{Seat, Seq};
use engine::roster::Lang;
use engine::rules::{Brief, FieldSpec, Shape};

/// What was struck before must not be tried again, what was proved must not be recited.
const STRUCK: &str = "PREVIOUSLY STRUCK DEFENSES — DO NOT REHASH:";
const PROVED: &str = "PRIOR SUCCESSFUL DEFENSES — DRAW INSPIRATION BUT VARY THE ANGLE:";

/// What a mind's view only repeats: the case that it is told, the words that it has heard, and what the game is called and pays.
const REPEATED: [&str; 12] = [
    "case",
    "self",
    "exchanges_log",
    "participants",
    "turnState",
    "turn_state",
    "game_type",
    "consult_ia",
    "fiction",
    "practice",
    "rated",
    "open",
];

pub(super) fn brief(hall: &Hall<'_, Tribunal>, seat: Seat) -> Brief {
    let Some(state) = hall.state else { return Brief::default() };
    let mut told: Vec<String> = state.case.as_deref().map(file).into_iter().collect();
    if let (Some(case), Some(Role::Accused | Role::Bench)) = (state.case.as_deref(), Role::of(seat)) {
        told.extend(temptations(state.lang, case));
    }
    let memory = match (&state.phase, Role::of(seat)) {
        (Phase::Answer(_, memory) | Phase::Burden(_, memory), Some(Role::Accused)) => Some(memory),
        _ => None,
    };
    let may_add = match (&state.phase, Role::of(seat)) {
        (Phase::Burden(_, memory), Some(Role::Accused)) => owned_up(memory),
        (Phase::Ruling(heard, _), Some(Role::Bench)) => quoted(hall, heard),
        _ => vec![],
    };
    Brief { told, told_of: &REPEATED, recalled: memory.map(recalled).unwrap_or_default(), may_add, ..Brief::default() }
}

/// A mind that varies a defense that was proved says which one.
fn owned_up(memory: &Memory) -> Vec<(&'static str, FieldSpec)> {
    let ids: Vec<String> = memory.proved.iter().map(|proved| proved.id.clone()).collect();
    if ids.is_empty() {
        return vec![];
    }
    let field = FieldSpec { name: "inspired_by", shape: Shape::Choice(ids), required: false };
    [Manner::Prove, Manner::Defend].into_iter().map(|mode| (mode.word(), field.clone())).collect()
}

/// A ruling may rest on a sentence of the exchange: one of these, so that none is misquoted.
fn quoted(hall: &Hall<'_, Tribunal>, heard: &Exchange) -> Vec<(&'static str, FieldSpec)> {
    let said = |seq: Seq| hall.said.iter().find(|entry| entry.seq == seq)?.line.text.as_deref();
    let texts = heard.answer.into_iter().chain([heard.attack]).filter_map(said);
    let sentences = texts.flat_map(speech::sentences).map(str::trim);
    let fits = |sentence: &&str| {
        (1..=PASSAGE_LEN_MAX).contains(&sentence.chars().count()) && !speech::words(sentence).is_empty()
    };
    let sentences: Vec<String> = sentences.filter(fits).map(str::to_owned).collect();
    if sentences.is_empty() {
        return vec![];
    }
    vec![("rule", FieldSpec { name: "passage", shape: Shape::Choice(sentences), required: false })]
}

/// Where each character is tempted to claim more than the record carries, and what it would claim: the accused may give in, and the bench
/// knows an extraordinary claim by it. The house knows that of its own cases.
fn temptations(lang: Lang, case: &Case) -> Option<String> {
    let brief = docket().brief(lang, case)?;
    let tempted = brief.scripts.iter().flat_map(|script| {
        let name = case.characters.iter().find(|one| one.id == script.id).map_or(script.id.as_str(), |one| &one.name);
        let one = move |temptation: &Temptation| format!("\n{name}, on {}: {}", temptation.label, temptation.claim);
        script.temptations.iter().map(one)
    });
    let tempted: String = tempted.collect();
    (!tempted.is_empty())
        .then(|| format!("What pride or fear tempts the accused to claim when pressed there:{tempted}"))
}

fn recalled(memory: &Memory) -> Vec<(&'static str, Vec<String>)> {
    let proved = memory.proved.iter().map(|defense| format!("{}: {}", defense.id, defense.text)).collect();
    let sections = [(STRUCK, memory.struck.clone()), (PROVED, proved)];
    sections.into_iter().filter(|(_, texts): &(_, Vec<String>)| !texts.is_empty()).collect()
}

fn file(case: &Case) -> String {
    let facts =
        case.record.iter().map(|fact| format!("\n{} ({}): {} [{}]", fact.id, fact.date, fact.text, fact.source));
    let people = case.characters.iter().map(|one| {
        let cites = one.evidence.join(", ");
        format!("\n{} ({}), {}, {}. {} May cite {cites}.", one.name, one.id, one.office, one.lived, one.temperament)
    });
    let Case { title, charge, summary, .. } = case;
    format!(
        "{title}\nCharge: {charge}\n{summary}\nThe record:{}\nThe accused:{}",
        facts.collect::<String>(),
        people.collect::<String>()
    )
}
