//! Pages to look at: lobby, table, replay, documentation.

use super::around::{Around, TablePage};
use super::docs::{AgentsPage, Api, ApiPage, DocsPage, EconomyPage, MercuryPage, TrialPage, TribunalPage, TrolleyPage};
use super::forms::tribunal_cases;
use super::frame::Again;
use super::kinds::{self, Asked, Body};
use super::lobby::{Listing, Lobby, LobbyPage, TableCard};
use super::scrub::ReplayPage;
use super::{Visit, render, rendered, see_other};
use crate::corpus::owners;
use crate::http::extract::{Path, Query, game_id};
use crate::kinds::Played;
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{GameId, Seat, Seq};
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::mercury::Move;
use serde::Deserialize;
use std::sync::Arc;
use store::GameFilter;
use store::GameListed;
use store::GameStored;
use store::Row;
use store::games as stored;
use store::games::misheard;

const LIVE_MAX: usize = 9;
const WAITING_MAX: usize = 6;
const FINISHED_MAX: usize = 6;
/// Among how many finished games those are looked for that anybody may read.
const FINISHED_LOOKED_AT: usize = 3 * FINISHED_MAX;
/// Entries a page looks at; older ones are one click away.
const ENTRIES_MAX: usize = 2_000;
/// Entries a card looks at for the latest speech.
const CARD_ENTRIES: usize = 12;

pub(super) async fn lobby(visit: Visit) -> Response {
    let page = async {
        let lobby = gather(&visit).await?;
        let frame = visit.frame(visit.words().t("nav-lobby")).await;
        let cases = tribunal_cases(visit.lang);
        render(&LobbyPage { frame, lobby, cases, base_url: visit.base_url.clone() })
    };
    visit.show(page.await)
}

pub(super) async fn lobby_fragment(visit: Visit) -> Response {
    let page = async { render(&gather(&visit).await?) };
    visit.show(page.await)
}

async fn gather(visit: &Visit) -> Answer<Lobby> {
    let games = async |progress, limit| -> Answer<_> {
        let filter = GameFilter { progress: Some(progress), limit, ..GameFilter::default() };
        let games = visit.house.store.read(move |db| stored::list(db, &filter)).await?;
        Ok(games.into_iter().filter(|game| game.status != "expired"))
    };
    let list = async |progress, limit| -> Answer<Vec<TableCard>> {
        let mut cards = Vec::new();
        for game in games(progress, limit).await? {
            cards.push(card(visit, game).await?);
        }
        Ok(cards)
    };
    let mut live = list(Progress::Playing, LIVE_MAX).await?;
    // What can be read before what cannot, people's games before those that play themselves, then the most watched.
    live.sort_by_key(|card| (card.sealed, card.listing.demo, std::cmp::Reverse(card.listing.watchers)));
    let waiting = list(Progress::Table, WAITING_MAX).await?;
    let mut finished = Vec::new();
    // Only as many are looked at as it takes.
    for game in games(Progress::Over, FINISHED_LOOKED_AT).await? {
        let card = card(visit, game).await?;
        if !card.sealed {
            finished.push(card);
        }
        if finished.len() == FINISHED_MAX {
            break;
        }
    }
    Ok(Lobby { w: visit.words(), now: visit.house.now(), live: Lobby::fitting(live), waiting, finished })
}

async fn card(visit: &Visit, listed: GameListed) -> Answer<TableCard> {
    let table = live::table_unseen(&visit.house, listed.id).await?;
    // Whoever looks at the lobby looks at the games on it.
    visit.house.drive(&table, &[]);
    let shown = table.shown();
    let said = table.said(&visit.house, &shown, CARD_ENTRIES).await?;
    let listing = Listing {
        id: listed.id.to_string(),
        watchers: table.watchers(),
        demo: listed.demo,
        created_at: listed.created_at,
    };
    kinds::card(&visit.words(), shown.game.as_ref(), &heard(Viewer::Spectator, &said), listing)
}

#[derive(Deserialize)]
pub(super) struct Look {
    before: Option<u64>,
    draft: Option<String>,
    archived: Option<String>,
}

pub(super) async fn game(visit: Visit, Path(id): Path<String>, Query(query): Query<Look>) -> Response {
    let page = async {
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let asked = Asked { before: query.before, draft: query.draft, archived: query.archived, ..Asked::default() };
        game_page(&visit, &table, asked, Again::default(), StatusCode::OK).await
    };
    visit.show(page.await)
}

/// The whole page, or the part that changes if a script asked.
pub(super) async fn game_page(
    visit: &Visit,
    table: &Arc<live::Table>,
    asked: Asked,
    again: Again,
    status: StatusCode,
) -> Answer<Response> {
    let body = body(visit, table, asked, again).await?;
    if visit.wants_fragment {
        return Ok((status, fragment(body.html)).into_response());
    }
    let frame = visit.frame(body.heading).await;
    rendered(status, &TablePage { frame, kind: table.shown().game.kind(), body: body.html })
}

/// A part of a page.
fn fragment(html: impl Into<bytes::Bytes>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html.into())
}

pub(super) async fn game_fragment(visit: Visit, Path(id): Path<String>) -> Response {
    let page = async {
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let shown = table.shown();
        let spectator = !visit.caller.has_credential();
        // What every spectator gets is rendered once for each version and language.
        if spectator && let Some(html) = shown.fragment(visit.lang, &visit.base_url) {
            return Ok(fragment(html).into_response());
        }
        let body = body(&visit, &table, Asked::default(), Again::default()).await?;
        let html = bytes::Bytes::from(body.html);
        if spectator && body.version == shown.game.mark().seq.0 {
            shown.keep_fragment(visit.lang, &visit.base_url, html.clone());
        }
        Ok(fragment(html).into_response())
    };
    visit.show(page.await)
}

async fn body(visit: &Visit, table: &Arc<live::Table>, asked: Asked, again: Again) -> Answer<Body> {
    let shown = table.shown();
    visit.house.drive(table, &[]);
    let game = shown.game.as_ref();
    let viewer = visit.caller.viewer(game);
    let mut entries = table.said(&visit.house, &shown, ENTRIES_MAX).await?;
    reveal(visit, game, viewer, &mut entries).await?;
    let around = Around::find(visit, table, game, viewer, again).await;
    let moves = moves(visit, table, game, viewer).await?;
    let supply = table.supply(&visit.house, game, viewer).await?;
    let pay = crate::corpus::treasury::pay(&visit.house.store, game, viewer).await?;
    let no = table.no;
    let misheard = match viewer {
        Viewer::Seat(_) => visit.house.store.read(move |db| misheard::of_game(db, no)).await?,
        Viewer::Spectator => vec![],
    };
    let asked = Asked { supply, pay, misheard, ..asked };
    kinds::body(visit.words(), game, viewer, &entries, asked, &moves, around)
}

/// Lets whoever looks on hear what it owns. Pages of those who are signed in are kept for nobody else.
async fn reveal(visit: &Visit, game: &dyn AnyGame, viewer: Viewer, entries: &mut [Entry]) -> Answer<()> {
    if let Some(account) = owners::looks_on(game, visit.caller.account_id(), viewer) {
        owners::reveal(&visit.house, game, account, entries).await?;
    }
    Ok(())
}

/// How stances moved in a meeting: its player's to see once it is over.
async fn moves(visit: &Visit, table: &live::Table, game: &dyn AnyGame, viewer: Viewer) -> Answer<Vec<(Seq, Move)>> {
    if Played::of(game) != Played::Mercury || game.progress() != Progress::Over || viewer != Viewer::Seat(Seat(0)) {
        return Ok(vec![]);
    }
    let no = table.no;
    let rows = visit.house.store.read(move |db| Row::after(db, no, Seq(0), ENTRIES_MAX)).await?;
    let moves = |row: Row| {
        let seq = row.mark.seq;
        games::mercury::stance_moves(&row.body).into_iter().map(move |made| (seq, made))
    };
    Ok(rows.into_iter().flat_map(moves).collect())
}

#[derive(Deserialize)]
pub(super) struct At {
    at: Option<u64>,
}

pub(super) async fn replay(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        let Some((kind, body)) = replayed(&visit, id, query.at).await? else {
            return Ok(see_other(&format!("/games/{id}")));
        };
        let frame = visit.frame(visit.words().t("replay")).await;
        render(&ReplayPage { frame, kind, body })
    };
    visit.show(page.await)
}

pub(super) async fn replay_fragment(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        match replayed(&visit, id, query.at).await? {
            Some((_, html)) => Ok(fragment(html).into_response()),
            None => Ok(see_other(&format!("/games/{id}"))),
        }
    };
    visit.show(page.await)
}

/// A finished game at one of its moments; nothing while it is being played.
async fn replayed(visit: &Visit, id: GameId, at: Option<u64>) -> Answer<Option<(&'static str, String)>> {
    let table = live::table(&visit.house, id).await?;
    let shown = table.shown();
    if shown.game.progress() != Progress::Over {
        return Ok(None);
    }
    let mut entries = table.said(&visit.house, &shown, usize::MAX >> 1).await?;
    let reader = reader(visit, shown.game.as_ref());
    reveal(visit, shown.game.as_ref(), reader, &mut entries).await?;
    let entries = heard(reader, &entries).into_owned();
    let at = kinds::moment(shown.game.as_ref(), &entries, at)?;
    let then = visit.house.store.read(move |db| {
        let stored = GameStored::find(db, id)?;
        stored.map(|stored| Row::after(db, stored.no, Seq(0), at as usize).map(|rows| (stored, rows))).transpose()
    });
    let (stored, rows) = then.await?.ok_or_else(Problem::no_game)?;
    let kind = games::catalog::by_name(&stored.kind).ok_or_else(|| Problem::ours("a stored game of unknown kind"))?;
    let mut rows = rows.into_iter();
    let first = rows.next().ok_or_else(Problem::no_game)?;
    let (mut game, _) =
        (kind.replay_first)(id, stored.seed, first.mark.at, &first.body, first.hash).map_err(Problem::ours)?;
    for row in rows {
        game.replay(row.mark, row.body, row.hash).map_err(Problem::ours)?;
    }
    Ok(Some((game.kind(), kinds::replay(visit.words(), game.as_ref(), &entries, at)?)))
}

/// Whose words a replay shows. Whoever sat in a closed trial reads it; elsewhere everybody gets the same.
fn reader(visit: &Visit, game: &dyn AnyGame) -> Viewer {
    match Played::of(game) {
        Played::Tribunal => visit.caller.viewer(game),
        Played::Trolley | Played::Trial | Played::Mercury => Viewer::Spectator,
    }
}

pub(super) async fn docs(visit: Visit) -> Response {
    visit.show(render(&DocsPage { frame: visit.frame(visit.words().t("nav-docs")).await }))
}

pub(super) async fn docs_trolley(visit: Visit) -> Response {
    visit.show(render(&TrolleyPage { frame: visit.frame(visit.words().t("kind-trolley")).await }))
}

pub(super) async fn docs_trial(visit: Visit) -> Response {
    visit.show(render(&TrialPage { frame: visit.frame(visit.words().t("kind-trial")).await }))
}

pub(super) async fn docs_mercury(visit: Visit) -> Response {
    visit.show(render(&MercuryPage { frame: visit.frame(visit.words().t("kind-mercury")).await }))
}

pub(super) async fn docs_tribunal(visit: Visit) -> Response {
    visit.show(render(&TribunalPage { frame: visit.frame(visit.words().t("kind-tribunal")).await }))
}

pub(super) async fn docs_economy(visit: Visit) -> Response {
    visit.show(render(&EconomyPage { frame: visit.frame(visit.words().t("docs-economy")).await }))
}

pub(super) async fn docs_agents(visit: Visit) -> Response {
    let frame = visit.frame(visit.words().t("foot-agents")).await;
    visit.show(render(&AgentsPage { frame, base_url: visit.base_url.clone() }))
}

pub(super) async fn docs_api(visit: Visit) -> Response {
    let frame = visit.frame("API").await;
    visit.show(render(&ApiPage { frame, api: Api::read(visit.house.document()) }))
}
