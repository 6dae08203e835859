//! The minutes of a trial: who was in the court, and its transcript read as a record.

use crate::pages::shared::people::{Person, marks};
use crate::pages::shared::record::{Count, Moment, Record, Speech, What};
use engine::id::{GameId, Inner};
use engine::parts::transcript::Entry;
use games::trial::View;
use serde_json::Value;
use std::str::FromStr;

/// Everybody in the court, in the order of the seats.
pub fn people(view: &View) -> Vec<Person> {
    let own = view.own.as_ref().map(|own| own.id.as_str());
    let marks = marks(view.participants.iter().map(|participant| participant.name.as_str()));
    let seated = view.participants.iter().zip(marks);
    let person = seated.map(|(participant, mark)| Person {
        id: participant.id.clone(),
        name: participant.name.clone(),
        mark,
        role: participant.role.map_or("", role_class),
        house: participant.house,
        you: own == Some(participant.id.as_str()),
    });
    person.collect()
}

/// A role as the stylesheet and the words spell it.
pub fn role_class(word: &str) -> &'static str {
    match word {
        "PROSECUTOR" => "prosecutor",
        "DEFENSE" => "defense",
        "JUDGE" => "judge",
        "JUROR" => "juror",
        _ => "",
    }
}

/// A verdict as the stylesheet and the words spell it.
pub fn verdict_class(word: &str) -> &'static str {
    if word == "GUILTY" { "guilty" } else { "not_guilty" }
}

/// A phase as the stylesheet and the words spell it: each argument round is one of its own.
pub fn phase_class(phase: &str, round: u64) -> String {
    if phase == "argument" { format!("argument_{}", round.clamp(1, 3)) } else { phase.to_owned() }
}

/// Reads the transcript of the trial in the view. Entries must be in order and may begin anywhere.
pub fn read(view: &View, entries: &[Entry]) -> Record {
    let people = people(view);
    let game = GameId::from_str(&view.game_id).ok();
    let mut record = Record::default();
    for entry in entries {
        let what = told(&people, game, entry);
        let round = entry.line.round.filter(|round| *round > 0);
        record.moments.extend(what.map(|what| Moment { seq: entry.seq.0, round, what }));
    }
    record
}

fn told(people: &[Person], game: Option<GameId>, entry: &Entry) -> Option<What> {
    let nothing = Value::Null;
    let payload = entry.line.payload.as_ref().unwrap_or(&nothing);
    let word = |field: &str| payload[field].as_str().unwrap_or_default();
    let heading = |phase: &str, round| Some(What::Phase { phase: phase_class(phase, round), first: false });
    let note = |who: String| Some(What::Note { name: entry.name.to_string(), who });
    match entry.name.as_ref() {
        "speak" => speech(people, game, entry).map(What::Speech),
        "court_opened" => heading("opening", 0),
        // The end has a note of its own.
        "phase_change" if word("to") == "end" => None,
        "phase_change" => heading(word("to"), 1),
        "round_change" => heading("argument", payload["round"].as_u64().unwrap_or(1)),
        "vote_submitted" => note(entry.line.seat.and_then(|seat| people.get(seat.index()))?.name.clone()),
        "votes_counted" => Some(What::Count(count(people, payload))),
        "seat_handed" | "seat_taken_back" | "turn_expired" => note(word("display_name").to_owned()),
        "game_end" | "table_expired" | "rules_changed" => note(String::new()),
        _ => None,
    }
}

fn speech(people: &[Person], game: Option<GameId>, entry: &Entry) -> Option<Speech> {
    Some(Speech {
        id: game.map_or_else(|| format!("arg-{}", entry.seq), |game| Inner::Argument.name(game, entry.seq.0)),
        seq: entry.seq.0,
        by: people.get(entry.line.seat?.index())?.clone(),
        round: entry.line.round.unwrap_or(0),
        phase: entry.line.phase.as_ref().map(ToString::to_string).unwrap_or_default(),
        text: entry.line.text.clone()?,
        at: entry.at.to_string(),
        private: false,
        manner: None,
        heard: None,
        misheard: false,
    })
}

fn count(people: &[Person], payload: &Value) -> Count {
    let vote = |vote: &Value| {
        let juror = people.iter().find(|person| Some(person.id.as_str()) == vote["agent_id"].as_str())?;
        Some((juror.clone(), verdict_class(vote["verdict"].as_str()?)))
    };
    Count {
        votes: payload["votes"].as_array().into_iter().flatten().filter_map(vote).collect(),
        verdict: verdict_class(payload["verdict"].as_str().unwrap_or_default()),
    }
}
