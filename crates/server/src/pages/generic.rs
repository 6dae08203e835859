//! How a kind without a face of its own looks: who sits there, what was said, and a form for everything the viewer may do now.

use super::lobby::{Listing, TableCard};
use super::shared::faces::{AnyFace, Body, Look, Seen, html, refused_text};
use super::shared::people::{Person, Sitter, marks};
use super::shared::table::{Around, Step};
use super::shared::timeline::{self, Timeline};
use crate::locale::Words;
use crate::problem::Answer;
use askama::Template;
use engine::erased::AnyGame;
use engine::game::Progress;
use engine::influence::Without;
use engine::parts::transcript::Entry;
use engine::rules::{Actor, Offer, Shape, Viewer};
use serde_json::{Map, Value};

/// The first event worth showing.
const OPENING: &str = "game_started";

/// The face of kinds without one.
pub const GENERIC: AnyFace = AnyFace {
    kind: "",
    look: Look::PLAIN,
    body,
    moment: |entries, asked| timeline::moment(entries, OPENING, asked),
    replay: |w, then, entries, at| {
        let stops = entries.iter().map(|entry| entry.seq.0).collect();
        let timeline = Timeline::new(&then.id().to_string(), entries, OPENING, stops, vec![], at);
        let table = GenericBody::new(w, then, Viewer::Spectator, &timeline::past(entries, at), Around::default());
        html(&GenericReplay { w, table, timeline })
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

/// Such a game, finished, at one of its moments.
#[derive(Template, Clone, Debug)]
#[template(path = "generic_replay.html")]
struct GenericReplay {
    w: Words,
    table: GenericBody,
    timeline: Timeline,
}

impl GenericReplay {
    fn parts_name(&self) -> String {
        self.w.t("replay-controls")
    }
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
        self.w.of("kind", self.kind)
    }

    fn board(&self) -> &'static str {
        ""
    }

    fn scene(&self) -> &'static str {
        ""
    }

    fn status(&self) -> &'static str {
        self.status
    }

    fn steps(&self) -> Vec<Step> {
        vec![]
    }

    fn choices<'a>(&self, shape: &'a Shape) -> Option<&'a [String]> {
        match shape {
            Shape::Choice(words) => Some(words),
            Shape::Text { .. } => None,
        }
    }
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
        heading: w.of("kind", game.kind()),
        phase: game.status().to_owned(),
        people: sitters.iter().zip(marks).map(person).collect(),
        latest: None,
        open: game.terms().open,
        sealed: false,
        seats_needed: game.seating().seats_min.saturating_sub(game.roster().len()),
        outcome: w.of("kind", game.kind()),
        aftermath: game.status().to_owned(),
        listing,
    }
}
