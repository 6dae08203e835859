//! Which page, card and replay a game has: one arm for each kind. Everything kind-specific on the way to a page is here.

use super::around::Around;
use super::board::{Board, Size};
use super::court::{Court, CourtReplay};
use super::courtroom::Courtroom;
use super::dock::Dock;
use super::hearing::{Hearing, HearingReplay};
use super::horseshoe::Horseshoe;
use super::lobby::{Listing, TableCard};
use super::meeting::{Meeting, MeetingReplay};
use super::minutes;
use super::people::people;
use super::proceedings;
use super::protocol;
use super::record::{Record, phase_name};
use super::replay::Replay;
use super::table::Table;
use super::trend::trends;
use crate::corpus::treasury::Pay;
use crate::kinds::Played;
use crate::locale::Words;
use crate::problem::{Answer, Problem};
use askama::Template;
use engine::erased::AnyGame;
use engine::game::{Game, heard};
use engine::id::Seq;
use engine::needs::Supply;
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::mercury::{Mercury, Move};
use games::trial::docket::docket;
use games::trial::{SEATS, Trial};
use games::tribunal::Tribunal;
use games::trolley::Trolley;

/// A game as the kind it is.
enum Kind<'a> {
    Trolley(&'a Game<Trolley>),
    Trial(&'a Game<Trial>),
    Mercury(&'a Game<Mercury>),
    Tribunal(&'a Game<Tribunal>),
}

impl Kind<'_> {
    fn of(game: &dyn AnyGame) -> Answer<Kind<'_>> {
        let any = game.as_any();
        let kind = match Played::of(game) {
            Played::Trolley => any.downcast_ref().map(Kind::Trolley),
            Played::Trial => any.downcast_ref().map(Kind::Trial),
            Played::Mercury => any.downcast_ref().map(Kind::Mercury),
            Played::Tribunal => any.downcast_ref().map(Kind::Tribunal),
        };
        kind.ok_or_else(|| Problem::ours("a kind under another's name"))
    }
}

/// What changes on a table's page.
pub(super) struct Body {
    /// Rendered.
    pub(super) html: String,
    /// For the title.
    pub(super) heading: String,
    /// Of the game.
    pub(super) version: u64,
}

/// How somebody asked for a page.
#[derive(Default)]
pub(super) struct Asked {
    /// Where to read on in the past.
    pub(super) before: Option<u64>,
    /// Against whom the intern's draft is wanted.
    pub(super) draft: Option<String>,
    /// Which attack from the archive is wanted, by its hash.
    pub(super) archived: Option<String>,
    /// What the intern may draw on besides the record.
    pub(super) supply: Option<Supply>,
    /// What the trial has paid whoever asks.
    pub(super) pay: Option<Pay>,
    /// Speeches whose authors say that they were misheard, by their events.
    pub(super) misheard: Vec<u64>,
}

/// What changes on the page of this game, for this viewer; `entries` are all of them, `moves` how stances moved, as far as this viewer
/// may know by now.
pub(super) fn body(
    w: Words,
    game: &dyn AnyGame,
    viewer: Viewer,
    entries: &[Entry],
    asked: Asked,
    moves: &[(Seq, Move)],
    around: Around,
) -> Answer<Body> {
    let said = heard(viewer, entries);
    let version = game.mark().seq.0;
    let before = asked.before;
    Ok(match Kind::of(game)? {
        Kind::Trolley(game) => {
            let mut table = Table { around, ..Table::new(w, game.view(viewer, &[]), &said, before) };
            table.record.hear(&w, game, &said, &asked.misheard);
            Body { html: html(&table)?, heading: table.heading(), version }
        }
        Kind::Trial(game) => {
            let case_wanted = game.charter().setup.case_id.as_deref();
            let case_wanted = case_wanted.and_then(|id| docket().case(game.charter().setup.lang, id));
            let mut court = Court {
                around,
                case_wanted: case_wanted.map(|case| case.title.clone()),
                ..Court::new(w, game.view(viewer, &said), &said, before)
            };
            court.record.hear(&w, game, &said, &asked.misheard);
            Body { html: html(&court)?, heading: court.heading(), version }
        }
        Kind::Mercury(game) => {
            let trends = trends(game, moves);
            let mut meeting = Meeting { around, trends, ..Meeting::new(w, game.view(viewer, &said), &said, before) };
            meeting.record.hear(&w, game, &said, &asked.misheard);
            Body { html: html(&meeting)?, heading: meeting.heading(), version }
        }
        Kind::Tribunal(game) => {
            let mut hearing = Hearing {
                around,
                case_wanted: case_wanted(game),
                draft_of: asked.draft,
                archived: asked.archived,
                pay: asked.pay,
                ..Hearing::new(w, drafted(game, viewer, &said, asked.supply.as_ref()), &said, before)
            };
            hearing.record.hear(&w, game, &said, &asked.misheard);
            Body { html: html(&hearing)?, heading: hearing.heading(), version }
        }
    })
}

/// The moment of this game to replay: the one asked for, or its beginning.
pub(super) fn moment(game: &dyn AnyGame, entries: &[Entry], asked: Option<u64>) -> Answer<u64> {
    Ok(match Kind::of(game)? {
        Kind::Trolley(_) => Replay::moment(entries, asked),
        Kind::Trial(_) => CourtReplay::moment(entries, asked),
        Kind::Mercury(_) => MeetingReplay::moment(entries, asked),
        Kind::Tribunal(_) => HearingReplay::moment(entries, asked),
    })
}

/// A finished game as it was at `at`; `then` is the game at that event, `entries` are all that its reader may hear.
pub(super) fn replay(w: Words, then: &dyn AnyGame, entries: &[Entry], at: u64) -> Answer<String> {
    let past = || entries.iter().filter(|entry| entry.seq.0 <= at).cloned().collect::<Vec<Entry>>();
    match Kind::of(then)? {
        Kind::Trolley(game) => html(&Replay::new(w, game.view(Viewer::Spectator, &[]), entries, at)),
        Kind::Trial(game) => html(&CourtReplay::new(w, game.view(Viewer::Spectator, &past()), entries, at)),
        Kind::Mercury(game) => html(&MeetingReplay::new(w, game.view(Viewer::Spectator, &past()), entries, at)),
        Kind::Tribunal(game) => html(&HearingReplay::new(w, game.view(Viewer::Spectator, &past()), entries, at)),
    }
}

/// The game on a card of the lobby; `said` is the end of what spectators may hear.
pub(super) fn card(w: &Words, game: &dyn AnyGame, said: &[Entry], listing: Listing) -> Answer<TableCard> {
    Ok(match Kind::of(game)? {
        Kind::Trolley(game) => trolley_card(w, &game.view(Viewer::Spectator, &[]), said, listing),
        Kind::Trial(game) => trial_card(w, &game.view(Viewer::Spectator, said), said, listing),
        Kind::Mercury(game) => mercury_card(w, &game.view(Viewer::Spectator, said), said, game.roster().len(), listing),
        Kind::Tribunal(game) => tribunal_card(w, &game.view(Viewer::Spectator, said), case_wanted(game), said, listing),
    })
}

/// A trolley on a card.
pub fn trolley_card(w: &Words, view: &games::trolley::View, said: &[Entry], listing: Listing) -> TableCard {
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

/// A trial on a card.
pub fn trial_card(w: &Words, view: &games::trial::View, said: &[Entry], listing: Listing) -> TableCard {
    let picture = Courtroom::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let court = Court::new(*w, view.clone(), said, None);
    let started = view.case.is_some();
    TableCard {
        kind: "trial",
        picture: picture.to_string(),
        heading: court.heading(),
        phase: if started {
            phase_name(w, &minutes::phase_class(view.phase, view.round.into()))
        } else {
            String::new()
        },
        people: minutes::people(view),
        latest: minutes::read(view, said).latest().cloned(),
        open: false,
        sealed: false,
        seats_needed: SEATS.saturating_sub(view.participants.len()),
        outcome: court.heading(),
        aftermath: court.found(),
        listing,
    }
}

/// A meeting on a card, at which so many sit.
pub fn mercury_card(
    w: &Words,
    view: &games::mercury::View,
    said: &[Entry],
    seated: usize,
    listing: Listing,
) -> TableCard {
    let picture = Horseshoe::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let meeting = Meeting::new(*w, view.clone(), said, None);
    let started = view.human_role_id.is_some();
    TableCard {
        kind: "mercury",
        picture: picture.to_string(),
        heading: meeting.heading(),
        phase: if started { meeting.step_name() } else { String::new() },
        people: if started { protocol::delegations(w, view) } else { vec![] },
        latest: protocol::read(w, view, said).latest().cloned(),
        open: false,
        sealed: false,
        seats_needed: games::mercury::SEATS.saturating_sub(seated),
        outcome: meeting.heading(),
        aftermath: meeting.status(),
        listing,
    }
}

/// The view of a trial, with drafts from what its player owns.
fn drafted(game: &Game<Tribunal>, viewer: Viewer, said: &[Entry], supply: Option<&Supply>) -> games::tribunal::View {
    match supply {
        Some(supply) => game.view_supplied(viewer, said, supply),
        None => game.view(viewer, said),
    }
}

/// The title of the case that a tribunal was founded for, if one was named.
fn case_wanted(game: &Game<Tribunal>) -> Option<String> {
    let setup = &game.charter().setup;
    let case = games::tribunal::docket::docket().case(setup.lang, setup.case_id.as_deref()?)?;
    Some(case.title.clone())
}

/// A tribunal on a card; `case_wanted` is the title of its case while it has not begun.
pub fn tribunal_card(
    w: &Words,
    view: &games::tribunal::View,
    case_wanted: Option<String>,
    said: &[Entry],
    listing: Listing,
) -> TableCard {
    let picture = Dock::draw(w, view, Size::Mini, &format!("b{}", view.game_id));
    let hearing = Hearing { case_wanted, ..Hearing::new(*w, view.clone(), said, None) };
    let started = view.case.is_some();
    TableCard {
        kind: "tribunal",
        picture: picture.to_string(),
        heading: hearing.heading(),
        phase: if started { hearing.exchange_name() } else { String::new() },
        people: proceedings::people(view),
        latest: proceedings::read(w, view, said).latest().cloned(),
        open: false,
        sealed: !view.open,
        seats_needed: games::tribunal::SEATS.saturating_sub(view.participants.len()),
        outcome: hearing.heading(),
        aftermath: hearing.found(),
        listing,
    }
}

fn html(page: &impl Template) -> Answer<String> {
    page.render().map_err(Problem::ours)
}
