//! The proceedings of a tribunal: who is in it, and its transcript read as a record. Where the viewer may not read the words, the record
//! still tells what came of them.

use crate::locale::Words;
use crate::pages::shared::people::{Person, marks};
use crate::pages::shared::record::{Holding, Moment, Record, Speech, What};
use engine::id::{GameId, Inner};
use engine::parts::transcript::Entry;
use games::tribunal::View;
use serde_json::Value;
use std::str::FromStr;

/// How many numbers or names stand in a sentence: all of them.
const ALL: usize = games::tribunal::JURORS;

/// Everybody who sits: the bench, the prosecutor, and the player who speaks for the accused, under its own name.
pub fn people(view: &View) -> Vec<Person> {
    let own = view.own.as_ref().map(|own| own.id.as_str());
    let marks = marks(view.participants.iter().map(|one| one.name.as_str()));
    let person = view.participants.iter().zip(marks).map(|(one, mark)| Person {
        id: one.id.clone(),
        name: one.name.clone(),
        mark,
        role: one.role,
        house: one.house,
        you: own == Some(one.id.as_str()),
    });
    person.collect()
}

/// Those charged, as they stand in the dock. Each has the id of the seat that speaks for all of them.
pub fn charged(view: &View) -> Vec<Person> {
    let Some(case) = &view.case else { return vec![] };
    let seat = people(view).into_iter().find(|person| person.role == "accused");
    let marks = marks(case.characters.iter().map(|character| character.name.as_str()));
    let person = case.characters.iter().zip(marks).map(|(character, mark)| Person {
        id: seat.as_ref().map_or(String::new(), |seat| seat.id.clone()),
        name: character.name.clone(),
        mark,
        role: "accused",
        house: seat.as_ref().is_some_and(|seat| seat.house),
        you: seat.as_ref().is_some_and(|seat| seat.you),
    });
    person.collect()
}

/// The name of a character who is charged, or empty.
pub fn name_of<'a>(view: &'a View, character: &str) -> &'a str {
    let characters = view.case.as_ref().map_or(&[][..], |case| &case.characters);
    characters.iter().find(|one| one.id == character).map_or("", |one| one.name.as_str())
}

/// What became of a claim, as the stylesheet and the words spell it.
pub fn fate(burden: &str) -> &'static str {
    match burden {
        "proved" => "proved",
        "withdrawn" => "withdrawn",
        "failed" | "struck" => "struck",
        _ => "claimed",
    }
}

/// How many jurors a shift moves to which side, or that it moves nobody.
pub fn shift_sentence(w: &Words, key: &str, shift: i64) -> String {
    let side = match shift {
        0 => return w.t(&format!("{key}-nobody")),
        1.. => "condemn",
        _ => "acquit",
    };
    w.n(&format!("{key}-{side}"), shift.abs())
}

/// A number with its sign, as pages write it.
pub fn signed(number: i64) -> String {
    match number {
        0 => "0".to_owned(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.abs()),
    }
}

/// Reads the transcript of a tribunal, as much of it as the entries tell. Entries must be in order and may begin anywhere.
pub fn read(w: &Words, view: &View, entries: &[Entry]) -> Record {
    let role = view.own.as_ref().map(|own| own.role);
    let reader = Reader {
        w,
        view,
        people: people(view),
        charged: charged(view),
        game: GameId::from_str(&view.game_id).ok(),
        sits: role.is_some(),
        looks: role == Some("prosecutor"),
    };
    let mut record = Record::default();
    for (place, entry) in entries.iter().enumerate() {
        if place > 0 && is_note_of(entry, &entries[place - 1]) {
            continue;
        }
        let told = reader.told(entry);
        record.moments.extend(told.into_iter().map(|what| Moment { seq: entry.seq.0, round: entry.line.round, what }));
    }
    record
}

/// Whether this only notes what the entry before it says: a viewer who has the words needs no note of them.
fn is_note_of(entry: &Entry, before: &Entry) -> bool {
    let what = entry.line.payload.as_ref().map(|payload| &payload["what"]);
    entry.name == "noted" && before.seq.next() == entry.seq && what.is_some_and(|what| *what == *before.name)
}

struct Reader<'a> {
    w: &'a Words,
    view: &'a View,
    people: Vec<Person>,
    charged: Vec<Person>,
    game: Option<GameId>,
    /// Whether the viewer has a seat, and so has heard the words even where they are cut off here.
    sits: bool,
    /// Whether the viewer is the prosecutor, who alone has read what the archive showed.
    looks: bool,
}

impl Reader<'_> {
    fn told(&self, entry: &Entry) -> Vec<What> {
        let nothing = Value::Null;
        let payload = entry.line.payload.as_ref().unwrap_or(&nothing);
        let note = |name: &str, who: &str| What::Note { name: name.to_owned(), who: who.to_owned() };
        match entry.name.as_ref() {
            "argued" => self.exchange(payload).into_iter().chain(self.said(entry, payload)).collect(),
            "answered" | "substantiated" => self.said(entry, payload).into_iter().collect(),
            "ruled" => vec![What::Held(self.ruled(entry, payload))],
            "burden_ruled" => vec![What::Held(self.burden_ruled(entry, payload))],
            "consulted" => self.consulted(payload),
            // The prosecutor has an entry with what the archive showed.
            "noted" if payload["what"] == "consulted" && self.looks => vec![],
            "noted" if payload["what"] == "consulted" => self.consulted(payload),
            // A seated viewer has entries with the words themselves.
            "noted" if self.sits => vec![],
            "noted" => self.noted(entry, payload),
            "silent" => vec![note("silent", self.fell_silent(payload))],
            "exchange_closed" => vec![What::Held(self.closed(payload))],
            "game_end" => vec![What::Held(self.ended(payload))],
            name @ "trial_opened" => vec![note(name, "")],
            name @ ("seat_handed" | "seat_taken_back" | "turn_expired" | "rules_changed" | "table_expired") => {
                vec![note(name, payload["display_name"].as_str().unwrap_or_default())]
            }
            _ => vec![],
        }
    }

    /// In a closed trial: that something was said.
    fn noted(&self, entry: &Entry, payload: &Value) -> Vec<What> {
        match payload["what"].as_str().unwrap_or_default() {
            "argued" => self.exchange(payload).into_iter().chain(self.said(entry, payload)).collect(),
            "answered" | "substantiated" => self.said(entry, payload).into_iter().collect(),
            "ruled" => vec![What::Held(self.ruled(entry, payload))],
            "burden_ruled" => vec![What::Held(self.burden_ruled(entry, payload))],
            _ => vec![],
        }
    }

    /// That the prosecutor went to the archive: an exchange of its own, in which nothing was said.
    fn consulted(&self, payload: &Value) -> Vec<What> {
        let who = self.people.iter().find(|person| person.role == "prosecutor");
        let who = who.map_or(String::new(), |person| person.name.clone());
        let note = What::Note { name: "consulted".to_owned(), who };
        self.exchange(payload).into_iter().chain([note]).collect()
    }

    /// The heading above an attack: which exchange, against whom, about what.
    fn exchange(&self, payload: &Value) -> Option<What> {
        let number = payload["exchange"].as_u64()?;
        let name = self.w.t2("part-exchange", "number", number, "name", self.name(payload));
        let about = payload["label"].as_str().filter(|label| !label.is_empty());
        let name = about.map_or(name.clone(), |label| format!("{name}: {label}"));
        Some(What::Part { word: format!("exchange_{number}"), name })
    }

    fn name(&self, payload: &Value) -> &str {
        name_of(self.view, payload["character_id"].as_str().unwrap_or_default())
    }

    fn speaker(&self, entry: &Entry, payload: &Value) -> Option<Person> {
        let character = self.name(payload);
        let seat = entry.line.seat?.index();
        let seated = self.people.get(seat)?;
        let as_whom = self.charged.iter().find(|person| seated.role == "accused" && person.name == character);
        Some(as_whom.unwrap_or(seated).clone())
    }

    fn said(&self, entry: &Entry, payload: &Value) -> Option<What> {
        let by = self.speaker(entry, payload)?;
        let manner = self.manner(payload);
        let Some(text) = entry.line.text.clone() else {
            let sealed = entry.name == "noted";
            return Some(What::Sealed { by, manner, sealed });
        };
        let id = |game| Inner::Argument.name(game, entry.seq.0);
        Some(What::Speech(Speech {
            id: self.game.map_or_else(|| format!("arg-{}", entry.seq), id),
            seq: entry.seq.0,
            by,
            round: entry.line.round.unwrap_or(0),
            phase: entry.line.phase.as_ref().map(ToString::to_string).unwrap_or_default(),
            text,
            at: entry.at.to_string(),
            private: false,
            manner,
            heard: None,
            misheard: false,
        }))
    }

    /// How a claim is proved (with which facts), withdrawn or defended; or that the intern drafted an attack.
    fn manner(&self, payload: &Value) -> Option<String> {
        if payload["drafted"] == true {
            return Some(self.w.t("manner-drafted"));
        }
        let mode = payload["mode"].as_str()?;
        let ids = payload["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let cited: Vec<String> = ids.map(|id| self.exhibit(id)).collect();
        let cited = self.w.names(cited.iter().map(String::as_str), ALL);
        let key = if cited.is_empty() { format!("manner-{mode}") } else { format!("manner-{mode}-with") };
        Some(self.w.t1(&key, "evidence", cited))
    }

    /// A fact by its id and label.
    fn exhibit(&self, id: &str) -> String {
        let record = self.view.case.as_ref().map_or(&[][..], |case| &case.record);
        record.iter().find(|fact| fact.id == id).map_or(id.to_owned(), |fact| format!("{id} {}", fact.label))
    }

    fn bench(&self) -> Option<Person> {
        self.people.iter().find(|person| person.role == "bench").cloned()
    }

    fn ruled(&self, entry: &Entry, payload: &Value) -> Holding {
        let exchange = payload["exchange"].as_u64().unwrap_or(0);
        let made = self.view.commitments.iter().find(|made| u64::from(made.exchange) == exchange);
        let extraordinary = payload["extraordinary"].as_bool().unwrap_or(false);
        let words = |field: &str| payload[field].as_str().filter(|words| !words.is_empty()).map(str::to_owned);
        let label = words("label").or_else(|| made.map(|made| made.label.clone()));
        Holding {
            by: self.bench(),
            class: "bench",
            sentence: shift_sentence(self.w, "ruled", payload["jury_shift"].as_i64().unwrap_or(0)),
            reasons: entry.line.text.clone(),
            passage: words("passage"),
            claim: extraordinary.then(|| (label.unwrap_or_default(), words("claim"))),
            stamp: extraordinary.then(|| ("claimed", self.w.t("stamp-claimed"))),
            after: None,
        }
    }

    fn burden_ruled(&self, entry: &Entry, payload: &Value) -> Holding {
        let found = fate(payload["verdict"].as_str().unwrap_or_default());
        Holding {
            by: self.bench(),
            class: "bench",
            sentence: self.w.of("burden", found),
            reasons: entry.line.text.clone(),
            stamp: Some((found, self.w.of("stamp", found))),
            ..Holding::default()
        }
    }

    fn closed(&self, payload: &Value) -> Holding {
        let shift = payload["total_shift"].as_i64().unwrap_or(0);
        let moved: Vec<String> = payload["moved"].as_array().into_iter().flatten().map(ToString::to_string).collect();
        let verdict = payload["verdict"].as_str();
        let withdrawn = verdict == Some("withdrawn");
        let sentence = moved_sentence(self.w, &moved, shift);
        // What became of a claim may reverse the shift of the ruling, which is told above with a figure of its own.
        let sentence = if verdict.is_some() { self.w.t1("moved-together", "moved", sentence) } else { sentence };
        let ia = payload["ia_change"].as_i64().unwrap_or(0);
        Holding {
            class: "jury",
            sentence,
            stamp: withdrawn.then(|| ("withdrawn", self.w.t("stamp-withdrawn"))),
            after: (ia != 0).then(|| self.w.t1("ia-change", "ia", signed(ia))),
            ..Holding::default()
        }
    }

    fn ended(&self, payload: &Value) -> Holding {
        let verdict = payload["verdict"].as_str().unwrap_or_default().to_lowercase();
        let count = |field: &str| payload[field].as_u64().unwrap_or(0);
        let class = match verdict.as_str() {
            "condemned" => "condemned",
            "acquitted" => "acquitted",
            _ => "hung",
        };
        Holding {
            class: "end",
            sentence: self.w.t2("jury-stands", "condemn", count("condemn"), "acquit", count("acquit")),
            stamp: Some((class, self.w.of("found", class))),
            ..Holding::default()
        }
    }

    /// The name of the player who said nothing in time.
    fn fell_silent(&self, payload: &Value) -> &str {
        let role = payload["role"].as_str().unwrap_or_default();
        self.people.iter().find(|person| person.role == role).map_or("", |person| person.name.as_str())
    }
}

/// Which jurors moved, and to which side.
pub fn moved_sentence(w: &Words, moved: &[String], shift: i64) -> String {
    let side = match (moved.is_empty(), shift > 0) {
        (true, _) => return w.t("moved-nobody"),
        (false, true) => "moved-condemn",
        (false, false) => "moved-acquit",
    };
    w.n1(side, moved.len(), "jurors", w.names(moved.iter().map(String::as_str), ALL))
}
