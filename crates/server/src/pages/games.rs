//! Pages to look at: lobby, table, replay, documentation.

use crate::corpus::owners;
use crate::http::extract::{Path, Query, game_id};
use crate::pages::docs::{
    AgentsPage, Api, ApiPage, DocsPage, EconomyPage, MercuryPage, TrialPage, TribunalPage, TrolleyPage,
};
use crate::pages::lobby::{Listing, Lobby, LobbyPage, Offered, TableCard};
use crate::pages::shared::faces::{self, Asked, Body, Seen};
use crate::pages::shared::frame::Again;
use crate::pages::shared::table::{Around, TablePage};
use crate::pages::shared::timeline::ReplayPage;
use crate::pages::{Visit, render, rendered, see_other};
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{GameId, Seq};
use engine::parts::transcript::Entry;
use engine::rules::{Told, Viewer, Words as KeptWords};
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
/// How many finished games are searched for ones that anybody may read.
const FINISHED_LOOKED_AT: usize = 3 * FINISHED_MAX;
/// How many of the latest entries a page reads; `?before=` pages within them.
const ENTRIES_MAX: usize = 2_000;
/// Entries a card reads to find the latest speech.
const CARD_ENTRIES: usize = 12;

pub(crate) async fn lobby(visit: Visit) -> Response {
    let page = async {
        let lobby = gather(&visit).await?;
        let frame = visit.frame(visit.words().t("nav-lobby")).await;
        let kinds = Offered::all(visit.house.settings.catalog, visit.words())?;
        render(&LobbyPage { frame, lobby, kinds, base_url: visit.base_url.clone() })
    };
    visit.show(page.await)
}

pub(crate) async fn lobby_fragment(visit: Visit) -> Response {
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
    // Readable games first, then people's games before those that play themselves, then the most watched.
    live.sort_by_key(|card| (card.sealed, card.listing.demo, std::cmp::Reverse(card.listing.watchers)));
    let waiting = list(Progress::Table, WAITING_MAX).await?;
    let mut finished = Vec::new();
    // Stops as soon as there are enough.
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
    // A game shown in the lobby goes on, even if nobody has its page open.
    visit.house.drive(&table, &[]);
    let shown = table.shown();
    let said = table.said(&visit.house, &shown, CARD_ENTRIES).await?;
    let listing = Listing {
        id: listed.id.to_string(),
        watchers: table.watchers(),
        demo: listed.demo,
        created_at: listed.created_at,
    };
    let game = shown.game.as_ref();
    Ok((faces::of(game.kind()).card)(&visit.words(), game, &heard(Viewer::Spectator, &said), listing))
}

#[derive(Deserialize)]
pub(crate) struct Look {
    before: Option<u64>,
    draft: Option<String>,
    archived: Option<String>,
}

pub(crate) async fn game(visit: Visit, Path(id): Path<String>, Query(query): Query<Look>) -> Response {
    let page = async {
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let asked = Asked { before: query.before, draft: query.draft, archived: query.archived };
        game_page(&visit, &table, asked, Again::default(), StatusCode::OK).await
    };
    visit.show(page.await)
}

/// The whole page, or the part that changes if a script asked.
pub(crate) async fn game_page(
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
    let meta = table.shown().game.meta();
    let (styles, sells) = (faces::of(meta.name).look.styles, meta.words == KeptWords::Kept);
    rendered(status, &TablePage { frame, styles, sells, body: body.html })
}

fn fragment(html: impl Into<bytes::Bytes>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html.into())
}

pub(crate) async fn game_fragment(visit: Visit, Path(id): Path<String>) -> Response {
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
        if spectator && table.shown().game.mark().seq == shown.game.mark().seq {
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
    let log = log(visit, table, game, viewer).await?;
    let supply = table.supply(&visit.house, game, viewer).await?;
    let pay = crate::corpus::treasury::pay(&visit.house.store, game, viewer).await?;
    let no = table.no;
    let misheard = match viewer {
        Viewer::Seat(_) => visit.house.store.read(move |db| misheard::of_game(db, no)).await?,
        Viewer::Spectator => vec![],
    };
    let said = heard(viewer, &entries);
    let seen = Seen { viewer, said: &said, asked, supply, pay, misheard, log, around };
    (faces::of(game.kind()).body)(visit.words(), game, seen)
}

/// Shows a signed-in spectator the words it owns. Pages of signed-in visitors are never cached.
async fn reveal(visit: &Visit, game: &dyn AnyGame, viewer: Viewer, entries: &mut [Entry]) -> Answer<()> {
    if let Some(account) = owners::looks_on(game, visit.caller.account_id(), viewer) {
        owners::reveal(&visit.house, game, account, entries).await?;
    }
    Ok(())
}

/// The log of a finished game, for the one player who may know what moved everybody; else empty.
async fn log(visit: &Visit, table: &live::Table, game: &dyn AnyGame, viewer: Viewer) -> Answer<Vec<Row>> {
    let is_player = matches!((game.meta().influence, viewer), (Told::Seat(own), Viewer::Seat(seat)) if own == seat);
    if !is_player || game.progress() != Progress::Over {
        return Ok(vec![]);
    }
    let no = table.no;
    Ok(visit.house.store.read(move |db| Row::after(db, no, Seq(0), ENTRIES_MAX)).await?)
}

#[derive(Deserialize)]
pub(crate) struct At {
    at: Option<u64>,
}

pub(crate) async fn replay(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        let Some((styles, body)) = replayed(&visit, id, query.at).await? else {
            return Ok(see_other(&format!("/games/{id}")));
        };
        let frame = visit.frame(visit.words().t("replay")).await;
        render(&ReplayPage { frame, styles, body })
    };
    visit.show(page.await)
}

pub(crate) async fn replay_fragment(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        match replayed(&visit, id, query.at).await? {
            Some((_, html)) => Ok(fragment(html).into_response()),
            None => Ok(see_other(&format!("/games/{id}"))),
        }
    };
    visit.show(page.await)
}

/// A finished game at one of its moments; nothing before it is over.
async fn replayed(visit: &Visit, id: GameId, at: Option<u64>) -> Answer<Option<(&'static [&'static str], String)>> {
    let table = live::table(&visit.house, id).await?;
    let shown = table.shown();
    if shown.game.progress() != Progress::Over {
        return Ok(None);
    }
    let mut entries = table.said(&visit.house, &shown, usize::MAX >> 1).await?;
    let reader = reader(visit, shown.game.as_ref());
    reveal(visit, shown.game.as_ref(), reader, &mut entries).await?;
    let entries = heard(reader, &entries).into_owned();
    let at = (faces::of(shown.game.kind()).moment)(&entries, at);
    let then = visit.house.store.read(move |db| {
        let stored = GameStored::find(db, id)?;
        stored.map(|stored| Row::after(db, stored.no, Seq(0), at as usize).map(|rows| (stored, rows))).transpose()
    });
    let (stored, rows) = then.await?.ok_or_else(Problem::no_game)?;
    let kind = visit
        .house
        .settings
        .catalog
        .by_name(&stored.kind)
        .ok_or_else(|| Problem::ours("a stored game of unknown kind"))?;
    let mut rows = rows.into_iter();
    let first = rows.next().ok_or_else(Problem::no_game)?;
    let (mut game, _) =
        (kind.replay_first)(id, stored.seed, first.mark.at, &first.body, first.hash).map_err(Problem::ours)?;
    for row in rows {
        game.replay(row.mark, row.body, row.hash).map_err(Problem::ours)?;
    }
    let face = faces::of(game.kind());
    Ok(Some((face.look.styles, (face.replay)(visit.words(), game.as_ref(), &entries, at)?)))
}

/// Whose words a replay shows.
fn reader(visit: &Visit, game: &dyn AnyGame) -> Viewer {
    match game.meta().replay {
        Told::Each => visit.caller.viewer(game),
        Told::Everybody | Told::Seat(_) => Viewer::Spectator,
    }
}

pub(crate) async fn docs(visit: Visit) -> Response {
    visit.show(render(&DocsPage { frame: visit.frame(visit.words().t("nav-docs")).await }))
}

pub(crate) async fn docs_trolley(visit: Visit) -> Response {
    visit.show(render(&TrolleyPage { frame: visit.frame(visit.words().t("kind-trolley")).await }))
}

pub(crate) async fn docs_trial(visit: Visit) -> Response {
    visit.show(render(&TrialPage { frame: visit.frame(visit.words().t("kind-trial")).await }))
}

pub(crate) async fn docs_mercury(visit: Visit) -> Response {
    visit.show(render(&MercuryPage { frame: visit.frame(visit.words().t("kind-mercury")).await }))
}

pub(crate) async fn docs_tribunal(visit: Visit) -> Response {
    visit.show(render(&TribunalPage { frame: visit.frame(visit.words().t("kind-tribunal")).await }))
}

pub(crate) async fn docs_economy(visit: Visit) -> Response {
    visit.show(render(&EconomyPage {
        frame: visit.frame(visit.words().t("docs-economy")).await,
        terms: visit.house.store.terms().clone(),
    }))
}

pub(crate) async fn docs_agents(visit: Visit) -> Response {
    let frame = visit.frame(visit.words().t("foot-agents")).await;
    visit.show(render(&AgentsPage { frame, base_url: visit.base_url.clone() }))
}

pub(crate) async fn docs_api(visit: Visit) -> Response {
    let frame = visit.frame("API").await;
    visit.show(render(&ApiPage { frame, api: Api::read(visit.house.document()) }))
}
