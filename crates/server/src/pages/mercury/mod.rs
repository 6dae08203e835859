//! How a meeting on mercury looks.

pub mod body;
pub mod horseshoe;
pub mod issues;
pub mod record;
pub mod trend;

use crate::locale::Words;
use crate::pages::lobby::{Listing, TableCard};
use crate::pages::shared::faces::{Body, Face, Look, Seen, html, refused_text};
use crate::pages::shared::frame::Again;
use crate::pages::shared::timeline::past;
use crate::pages::trolley::board::Size;
use crate::problem::{Answer, Problem};
use body::{MercuryBody, MercuryReplay};
use engine::erased::AnyGame;
use engine::game::Game;
use engine::influence::{Moved, Without};
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::mercury::{Mercury, SEATS, View, name_of, stance_moves};
use horseshoe::Horseshoe;
use serde_json::Value;
use trend::trends;

impl Face for Mercury {
    const LOOK: Look = Look {
        styles: &["horseshoe.css", "mercury.css"],
        emblem: r#"<path d="M13 41V24a11 11 0 0 1 22 0V41"/><circle class="full" cx="24" cy="6" r="3"/><circle cx="5" cy="22" r="2"/><circle cx="5" cy="35" r="2"/><circle cx="43" cy="22" r="2"/><circle cx="43" cy="35" r="2"/>"#,
        boxes: &["partner_starts"],
        ..Look::PLAIN
    };

    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body> {
        let mut moves = Vec::new();
        for row in &seen.log {
            let event = Game::<Mercury>::event(&row.body).map_err(Problem::ours)?;
            moves.extend(event.iter().flat_map(stance_moves).map(|made| (row.mark.seq, made)));
        }
        let mut body = MercuryBody {
            around: seen.around,
            trends: trends(game, &moves),
            ..MercuryBody::new(w, game.view(seen.viewer, seen.said), seen.said, seen.asked.before)
        };
        body.record.hear(&w, game, seen.said, &seen.misheard);
        Ok(Body { html: html(&body)?, heading: body.heading() })
    }

    fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        MercuryReplay::moment(entries, asked)
    }

    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String> {
        html(&MercuryReplay::new(w, then.view(Viewer::Spectator, &past(entries, at)), entries, at))
    }

    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard {
        card(w, &game.view(Viewer::Spectator, said), said, game.roster().len(), listing)
    }

    fn new_fields(_: Words, _: &Again) -> Answer<String> {
        Ok(String::new())
    }

    fn refused_field(code: &str) -> Option<&'static str> {
        match code {
            "UNKNOWN_ROLE" => Some("human_role_id"),
            "INVALID_PARTNER" => Some("partner_role_id"),
            "INVALID_PLACEMENT" => Some("human_placement"),
            "INVALID_VOTE" => Some("vote"),
            _ => refused_text(code),
        }
    }

    fn who_leans(w: &Words, _: &dyn AnyGame, who: &str) -> String {
        name_of(w.0, who).to_owned()
    }

    fn without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> (Vec<String>, bool) {
        let crossed = |moved: &&Moved| (moved.lean.value >= 0) != (moved.without >= 0);
        let vote = |moved: &Moved| {
            let key = if moved.without >= 0 { "influence-yes" } else { "influence-no" };
            w.t2(key, "name", Mercury::who_leans(w, game, &moved.lean.who), "issue", &moved.lean.on)
        };
        let turns = without.outcome.as_ref().is_some_and(|other| other["adopted"] != outcome["adopted"]);
        (without.leans.iter().filter(crossed).map(vote).collect(), turns)
    }
}

/// A meeting on a card; `seated` is how many seats are taken.
pub fn card(w: &Words, view: &View, said: &[Entry], seated: usize, listing: Listing) -> TableCard {
    let picture = Horseshoe::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let meeting = MercuryBody::new(*w, view.clone(), said, None);
    let started = view.human_role_id.is_some();
    TableCard {
        kind: "mercury",
        picture: picture.to_string(),
        heading: meeting.heading(),
        phase: if started { meeting.step_name() } else { String::new() },
        people: if started { record::delegations(w, view) } else { vec![] },
        latest: record::read(w, view, said).latest().cloned(),
        open: false,
        sealed: false,
        seats_needed: SEATS.saturating_sub(seated),
        outcome: meeting.heading(),
        aftermath: meeting.status(),
        listing,
    }
}
