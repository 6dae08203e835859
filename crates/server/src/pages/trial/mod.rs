//! How a trial looks.

pub mod body;
pub mod courtroom;
pub mod record;

use crate::locale::Words;
use crate::pages::lobby::{Listing, TableCard};
use crate::pages::shared::faces::{Body, Face, Look, Seen, html, refused_text, word};
use crate::pages::shared::frame::Again;
use crate::pages::shared::record::phase_name;
use crate::pages::shared::timeline::past;
use crate::pages::tables::Fields;
use crate::pages::trolley::board::Size;
use crate::problem::Answer;
use askama::Template;
use body::{TrialBody, TrialReplay};
use courtroom::Courtroom;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::influence::{Changed, Without};
use engine::parts::transcript::Entry;
use engine::rules::{Rules as _, Viewer};
use games::trial::docket::docket;
use games::trial::{SEATS, Trial, View};
use serde_json::{Map, Value};

/// Its own fields on the form for a new table.
#[derive(Template)]
#[template(path = "trial/new.html")]
struct NewFields<'a> {
    w: Words,
    again: &'a Again,
    cases: Vec<(String, String)>,
}

impl Face for Trial {
    const LOOK: Look = Look {
        styles: &["courtroom.css", "trial.css"],
        emblem: r#"<path d="M24 8V38M14 39h20M9 14l30-2M9 14l-5 13M9 14l5 13M39 12l-5 13M39 12l5 13"/><path class="full" d="M3 27h12a6 5 0 0 1-12 0zM33 25h12a6 5 0 0 1-12 0z"/><circle class="full" cx="24" cy="8" r="2.4"/>"#,
        tells_roles: true,
        ..Look::PLAIN
    };

    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body> {
        let mut body = TrialBody {
            around: seen.around,
            case_wanted: Trial::case_wanted(&game.charter().setup).map(|(_, title)| title),
            ..TrialBody::new(w, game.view(seen.viewer, seen.said), seen.said, seen.asked.before)
        };
        body.record.hear(&w, game, seen.said, &seen.misheard);
        Ok(Body { html: html(&body)?, heading: body.heading() })
    }

    fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        TrialReplay::moment(entries, asked)
    }

    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String> {
        html(&TrialReplay::new(w, then.view(Viewer::Spectator, &past(entries, at)), entries, at))
    }

    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard {
        card(w, &game.view(Viewer::Spectator, said), said, listing)
    }

    fn new_fields(w: Words, again: &Again) -> Answer<String> {
        let cases = docket().cases(w.0).iter().map(|case| (case.case_id.clone(), case.title.clone())).collect();
        html(&NewFields { w, again, cases })
    }

    fn asked(fields: &Fields, _sits: bool) -> (Map<String, Value>, bool) {
        let case = word(fields, "case_id").map(|case| ("case_id".to_owned(), case));
        (case.into_iter().collect(), fields.get("fill") == "true")
    }

    fn refused_field(code: &str) -> Option<&'static str> {
        match code {
            "UNKNOWN_CASE" => Some("case_id"),
            "INVALID_VERDICT" => Some("verdict"),
            _ => refused_text(code),
        }
    }

    fn without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> (Vec<String>, bool) {
        verdict_without(w, game, outcome, without)
    }
}

/// What would have been different where a verdict is found: the verdict, and single votes.
pub fn verdict_without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> (Vec<String>, bool) {
    let verdict = |outcome: &Value| outcome["verdict"].as_str().unwrap_or_default().to_lowercase();
    let otherwise = without.outcome.as_ref().map(verdict).filter(|other| *other != verdict(outcome));
    let vote = |changed: &Changed| {
        let verdict = changed.without.as_ref()?.as_str()?.to_lowercase();
        let name = game.roster().name(changed.by);
        Some(w.t2("influence-vote", "name", name, "verdict", w.of("influence-verdict", verdict)))
    };
    let turned = otherwise.map(|verdict| w.t1("influence-outcome", "verdict", w.of("influence-verdict", verdict)));
    let turns = turned.is_some();
    (turned.into_iter().chain(without.decisions.iter().filter_map(vote)).collect(), turns)
}

pub fn card(w: &Words, view: &View, said: &[Entry], listing: Listing) -> TableCard {
    let picture = Courtroom::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let court = TrialBody::new(*w, view.clone(), said, None);
    let started = view.case.is_some();
    TableCard {
        kind: "trial",
        picture: picture.to_string(),
        heading: court.heading(),
        phase: if started { phase_name(w, &record::phase_class(view.phase, view.round.into())) } else { String::new() },
        people: record::people(view),
        latest: record::read(view, said).latest().cloned(),
        open: false,
        sealed: false,
        seats_needed: SEATS.saturating_sub(view.participants.len()),
        outcome: court.heading(),
        aftermath: court.found(),
        listing,
    }
}
