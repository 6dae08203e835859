//! How the trolley looks.

pub mod board;
pub mod body;
pub mod replay;

use crate::locale::Words;
use crate::pages::lobby::{Listing, TableCard};
use crate::pages::shared::faces::{Body, Face, Look, Seen, html, number, refused_text};
use crate::pages::shared::frame::Again;
use crate::pages::shared::people::people;
use crate::pages::shared::record::{Record, phase_name};
use crate::pages::tables::Fields;
use crate::problem::Answer;
use askama::Template;
use board::{Board, Size};
use body::TrolleyBody;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::influence::{Moved, Without};
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::trolley::{Trolley, View};
use replay::TrolleyReplay;
use serde_json::{Map, Value};

/// Pauses to choose from, in seconds, before the next round begins by itself; with 0 it never does.
const PAUSES_S: [u32; 5] = [0, 5, 10, 20, 60];

/// Its own fields on the form for a new table.
#[derive(Template)]
#[template(path = "trolley/new.html")]
struct NewFields<'a> {
    w: Words,
    again: &'a Again,
}

impl NewFields<'_> {
    fn pause(&self, seconds: &u32) -> String {
        if *seconds == 0 { self.w.t("pause-none") } else { self.w.span(*seconds) }
    }

    fn chosen(&self, seconds: &u32) -> bool {
        self.again.typed_or("auto_advance_s", "10") == seconds.to_string()
    }
}

impl Face for Trolley {
    const LOOK: Look = Look {
        emblem: r#"<path d="M4 24h10c12 0 9-13 30-13M14 24c12 0 9 13 30 13"/><circle class="full" cx="14" cy="24" r="4"/>"#,
        ..Look::PLAIN
    };

    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body> {
        let view = game.view(seen.viewer, &[]);
        let around = seen.around;
        let mut body = TrolleyBody { around, ..TrolleyBody::new(w, view, seen.said, seen.asked.before) };
        body.record.hear(&w, game, seen.said, &seen.misheard);
        Ok(Body { html: html(&body)?, heading: body.heading() })
    }

    fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        TrolleyReplay::moment(entries, asked)
    }

    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String> {
        html(&TrolleyReplay::new(w, then.view(Viewer::Spectator, &[]), entries, at))
    }

    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard {
        card(w, &game.view(Viewer::Spectator, &[]), said, listing)
    }

    fn new_fields(w: Words, again: &Again) -> Answer<String> {
        html(&NewFields { w, again })
    }

    fn asked(fields: &Fields, _sits: bool) -> (Map<String, Value>, bool) {
        let mut options = Map::new();
        options.insert("min_players".to_owned(), number(fields, "min_players"));
        if let Some(seconds) = fields.get("auto_advance_s").parse::<u32>().ok().filter(|seconds| *seconds > 0) {
            options.insert("auto_advance_s".to_owned(), seconds.into());
        }
        (options, fields.get("fill") == "true")
    }

    fn refused_field(code: &str) -> Option<&'static str> {
        match code {
            "INVALID_PLAYERS" => Some("min_players"),
            "INVALID_DECISION" => Some("decision"),
            "UNKNOWN_ARGUMENT" => Some("decisive_argument_id"),
            _ => refused_text(code),
        }
    }

    fn without(w: &Words, _: &dyn AnyGame, _: &Value, without: &Without) -> (Vec<String>, bool) {
        let crossed = |moved: &&Moved| (moved.lean.value >= 0) != (moved.without >= 0);
        let round = |moved: &Moved| {
            let key = if moved.without >= 0 { "influence-saved-majority" } else { "influence-saved-minority" };
            w.t1(key, "round", &moved.lean.on)
        };
        let turned: Vec<String> = without.leans.iter().filter(crossed).map(round).collect();
        let turns = !turned.is_empty();
        (turned, turns)
    }
}

pub fn card(w: &Words, view: &View, said: &[Entry], listing: Listing) -> TableCard {
    let board = Board::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let best = view.scores.values().copied().max().unwrap_or(0);
    let first = view.coverage.iter().filter(|agent| view.scores.get(&agent.agent_id) == Some(&best));
    let winners: Vec<&str> = first.map(|agent| agent.display_name.as_str()).collect();
    let won = if winners.len() == 1 { "status-won" } else { "status-shared" };
    TableCard {
        kind: "trolley",
        picture: board.to_string(),
        heading: match (view.current_round_number, view.rounds_total) {
            (round @ 1.., Some(total)) => w.t2("round-of", "round", round, "total", total),
            _ => w.t("kind-trolley"),
        },
        phase: view.current_phase.map_or(String::new(), |phase| phase_name(w, phase)),
        people: people(view),
        latest: Record::read(view, said).latest().cloned(),
        open: view.open,
        sealed: false,
        seats_needed: usize::from(view.min_players).saturating_sub(view.coverage.len()),
        outcome: w.n1(won, best, "names", w.names(winners, 3)),
        aftermath: w.n("rounds-n", view.current_round_number),
        listing,
    }
}
