//! What a mind that plays a seat is told besides its view: the case to be read, and for the accused what it remembers.

use super::Tribunal;
use super::docket::Case;
use super::state::{Memory, Phase};
use super::words::Role;
use engine::game::Hall;
use engine::id::Seat;
use engine::rules::Brief;

/// What was struck before must not be tried again, what was proved must not be recited.
const STRUCK: &str = "PREVIOUSLY STRUCK DEFENSES — DO NOT REHASH:";
const PROVED: &str = "PRIOR SUCCESSFUL DEFENSES — DRAW INSPIRATION BUT VARY THE ANGLE:";

pub(super) fn brief(hall: &Hall<'_, Tribunal>, seat: Seat) -> Brief {
    let Some(state) = hall.state else { return Brief::default() };
    let told = state.case.as_deref().map(file).into_iter().collect();
    let memory = match (&state.phase, Role::of(seat)) {
        (Phase::Answer(_, memory) | Phase::Burden(_, memory), Some(Role::Accused)) => Some(memory),
        _ => None,
    };
    Brief { told, recalled: memory.map(recalled).unwrap_or_default(), ..Brief::default() }
}

fn recalled(memory: &Memory) -> Vec<(&'static str, Vec<String>)> {
    let proved = memory.proved.iter().map(|defence| format!("{}: {}", defence.id, defence.text)).collect();
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
