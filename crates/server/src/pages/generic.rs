//! How a kind without a face of its own looks: who sits there, what was said, and a form for everything the viewer may do now.

use super::lobby::{Listing, TableCard};
use super::shared::faces::{AnyFace, Body, Look, Seen, html, refused_text};
use super::shared::people::{Person, Sitter, marks};
use super::shared::table::Around;
use super::shared::timeline::past;
use crate::locale::Words;
use crate::problem::Answer;
use askama::Template;
use engine::erased::AnyGame;
use engine::game::Progress;
use engine::influence::Without;
use engine::parts::transcript::Entry;
use engine::rules::{Actor, Offer, Shape, Viewer};
use serde_json::{Map, Value};

/// The face of kinds without one.
pub const GENERIC: AnyFace = AnyFace {
    kind: "",
    look: Look::PLAIN,
    body,
    moment: |entries, asked| {
        let end = |entry: Option<&Entry>| entry.map_or(1, |entry| entry.seq.0);
        let (first, last) = (end(entries.first()), end(entries.last()));
        asked.unwrap_or(first).clamp(first, last)
    },
    replay: |w, then, entries, at| {
        html(&GenericBody::new(w, then, Viewer::Spectator, &past(entries, at), Around::default()))
    },
    card,
    new_fields: |_, _| Ok(String::new()),
    asked: |fields, _| (Map::new(), fields.get("fill") == "true"),
    refused_field: refused_text,
    who_leans: |_, game, who| {
        let seat = game.roster().seat_of(game.id(), who);
        seat.map_or(who, |seat| game.roster().name(seat)).to_owned()
    },
    without: |_, _: &dyn AnyGame, outcome: &Value, without: &Without| {
        (vec![], without.outcome.as_ref().is_some_and(|other| other != outcome))
    },
};

/// The part of such a game's page that changes.
#[derive(Template, Clone, Debug)]
#[template(path = "generic_body.html")]
pub struct GenericBody {
    w: Words,
    game_id: String,
    kind: &'static str,
    status: &'static str,
    version: u64,
    over: bool,
    started: bool,
    result: Option<String>,
    sitters: Vec<Sitter>,
    said: Vec<Said>,
    offers: Vec<Offer>,
    around: Around,
}

/// A line of the record.
#[derive(Clone, Debug)]
struct Said {
    seq: u64,
    by: Option<String>,
    what: String,
    text: Option<String>,
}

impl GenericBody {
    fn new(w: Words, game: &dyn AnyGame, viewer: Viewer, said: &[Entry], around: Around) -> GenericBody {
        let own = match viewer {
            Viewer::Seat(seat) => Some(Actor::Seat(seat)),
            Viewer::Spectator => None,
        };
        let turns = game.turns();
        let offers = turns.into_iter().find(|turn| Some(turn.who) == own).map_or(vec![], |turn| turn.offers);
        let line = |entry: &Entry| Said {
            seq: entry.seq.0,
            by: entry.line.seat.map(|seat| game.roster().name(seat).to_owned()),
            what: entry.name.replace('_', " "),
            text: entry.line.text.clone(),
        };
        GenericBody {
            w,
            game_id: game.id().to_string(),
            kind: game.kind(),
            status: game.status(),
            version: game.mark().seq.0,
            over: game.progress() == Progress::Over,
            started: game.progress() != Progress::Table,
            result: game.result().map(|result| result.to_string()),
            sitters: Sitter::all(game.id(), game.roster()),
            said: said.iter().map(line).collect(),
            offers,
            around,
        }
    }

    fn heading(&self) -> String {
        kind_name(&self.w, self.kind)
    }

    fn choices<'a>(&self, shape: &'a Shape) -> Option<&'a [String]> {
        match shape {
            Shape::Choice(words) => Some(words),
            Shape::Text { .. } => None,
        }
    }
}

/// What a kind is called: in the page's language if there is a word for it, else by its own name.
pub fn kind_name(w: &Words, kind: &str) -> String {
    let called = w.of("kind", kind);
    if called == format!("kind-{kind}") { kind.to_owned() } else { called }
}

fn body(w: Words, game: &dyn AnyGame, seen: Seen<'_>) -> Answer<Body> {
    let body = GenericBody::new(w, game, seen.viewer, seen.said, seen.around);
    Ok(Body { html: html(&body)?, heading: body.heading() })
}

fn card(w: &Words, game: &dyn AnyGame, _: &[Entry], listing: Listing) -> TableCard {
    let sitters = Sitter::all(game.id(), game.roster());
    let marks = marks(sitters.iter().map(|sitter| sitter.name.as_str()));
    let person = |(sitter, mark): (&Sitter, String)| Person {
        id: sitter.agent_id.clone(),
        name: sitter.name.clone(),
        mark,
        role: "",
        house: sitter.house,
        you: false,
    };
    TableCard {
        kind: game.kind(),
        picture: String::new(),
        heading: kind_name(w, game.kind()),
        phase: game.status().to_owned(),
        people: sitters.iter().zip(marks).map(person).collect(),
        latest: None,
        open: game.terms().open,
        sealed: false,
        seats_needed: game.seating().seats_min.saturating_sub(game.roster().len()),
        outcome: kind_name(w, game.kind()),
        aftermath: game.status().to_owned(),
        listing,
    }
}
