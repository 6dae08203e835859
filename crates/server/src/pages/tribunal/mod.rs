//! How a tribunal looks.

pub mod body;
pub mod chamber;
pub mod record;
pub mod tallies;

use crate::locale::Words;
use crate::pages::lobby::{Listing, TableCard};
use crate::pages::shared::faces::{Body, Face, Look, Seen, html, number, refused_text, word};
use crate::pages::shared::frame::Again;
use crate::pages::shared::timeline::past;
use crate::pages::tables::Fields;
use crate::pages::trial::verdict_without;
use crate::pages::trolley::board::Size;
use crate::problem::Answer;
use askama::Template;
use body::{TribunalBody, TribunalReplay};
use chamber::Chamber;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::influence::Without;
use engine::parts::transcript::Entry;
use engine::rules::{Rules as _, Viewer};
use games::tribunal::docket::docket;
use games::tribunal::{EXCHANGES_MAX, SEATS, Tribunal, View};
use serde_json::{Map, Value, json};

/// The name of its case field, which must differ from another kind's on the same form.
const CASE_FIELD: &str = "tribunal_case";

/// Its own fields on the form for a new table.
#[derive(Template)]
#[template(path = "tribunal/new.html")]
struct NewFields<'a> {
    w: Words,
    again: &'a Again,
    cases: Vec<(String, String)>,
}

impl NewFields<'_> {
    fn lengths(&self) -> impl Iterator<Item = u32> {
        (1..=u32::from(EXCHANGES_MAX)).rev()
    }

    fn chosen(&self, exchanges: &u32) -> bool {
        self.again.typed_or("exchanges", "8") == exchanges.to_string()
    }
}

/// The cases it may try in this language: ids and titles.
pub fn cases(w: Words) -> Vec<(String, String)> {
    docket().cases(w.0).iter().map(|case| (case.case_id.clone(), case.title.clone())).collect()
}

impl Face for Tribunal {
    const LOOK: Look = Look {
        styles: &["chamber.css", "tribunal.css"],
        emblem: r#"<path d="M5 44h38M9 44V30h30V44M16 30V44M24 30V44M32 30V44"/><circle class="full" cx="24" cy="12" r="5"/><path d="M14 27c0-6 4-9 10-9s10 3 10 9"/>"#,
        fiction: true,
        cases,
        lists: &["evidence"],
        ..Look::PLAIN
    };

    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body> {
        let view = match &seen.supply {
            Some(supply) => game.view_supplied(seen.viewer, seen.said, supply),
            None => game.view(seen.viewer, seen.said),
        };
        let mut body = TribunalBody {
            around: seen.around,
            case_wanted: Tribunal::case_wanted(&game.charter().setup).map(|(_, title)| title),
            draft_of: seen.asked.draft,
            archived: seen.asked.archived,
            pay: seen.pay,
            ..TribunalBody::new(w, view, seen.said, seen.asked.before)
        };
        body.record.hear(&w, game, seen.said, &seen.misheard);
        Ok(Body { html: html(&body)?, heading: body.heading() })
    }

    fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        TribunalReplay::moment(entries, asked)
    }

    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String> {
        html(&TribunalReplay::new(w, then.view(Viewer::Spectator, &past(entries, at)), entries, at))
    }

    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard {
        let case_wanted = Tribunal::case_wanted(&game.charter().setup).map(|(_, title)| title);
        card(w, &game.view(Viewer::Spectator, said), case_wanted, said, listing)
    }

    fn new_fields(w: Words, again: &Again) -> Answer<String> {
        html(&NewFields { w, again, cases: cases(w) })
    }

    /// A creator who does not play leaves the first seat to a player.
    fn asked(fields: &Fields, sits: bool) -> (Map<String, Value>, bool) {
        let mut options = Map::new();
        options.insert("open".to_owned(), json!(fields.get("open") == "true"));
        options.insert("exchanges".to_owned(), number(fields, "exchanges"));
        options.extend(word(fields, CASE_FIELD).map(|case| ("case_id".to_owned(), case)));
        (options, sits && fields.get("opponent") != "player")
    }

    fn refused_field(code: &str) -> Option<&'static str> {
        match code {
            "UNKNOWN_CASE" => Some(CASE_FIELD),
            "UNKNOWN_CHARACTER" => Some("character_id"),
            "UNKNOWN_EVIDENCE" => Some("evidence"),
            "INVALID_VERDICT" => Some("verdict"),
            _ => refused_text(code),
        }
    }

    /// Its jurors have no seats; they are numbered.
    fn who_leans(w: &Words, _: &dyn AnyGame, who: &str) -> String {
        w.t1("influence-juror", "n", who)
    }

    fn without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> (Vec<String>, bool) {
        verdict_without(w, game, outcome, without)
    }
}

/// A tribunal on a card; `case_wanted` is the title of its case while it has not begun.
pub fn card(w: &Words, view: &View, case_wanted: Option<String>, said: &[Entry], listing: Listing) -> TableCard {
    let picture = Chamber::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let hearing = TribunalBody { case_wanted, ..TribunalBody::new(*w, view.clone(), said, None) };
    let started = view.case.is_some();
    TableCard {
        kind: "tribunal",
        picture: picture.to_string(),
        heading: hearing.heading(),
        phase: if started { hearing.exchange_name() } else { String::new() },
        people: record::people(view),
        latest: record::read(w, view, said).latest().cloned(),
        open: false,
        sealed: !view.open,
        seats_needed: SEATS.saturating_sub(view.participants.len()),
        outcome: hearing.heading(),
        aftermath: hearing.found(),
        listing,
    }
}
