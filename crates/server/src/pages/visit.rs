//! Pages to look at: lobby, table, replay, documentation.

use super::chrome::Again;
use super::docs::{AgentsPage, Api, ApiPage, DocsPage, TrolleyPage};
use super::lobby::{Lobby, LobbyPage, TableCard};
use super::people::Sitter;
use super::record::Record;
use super::replay::{Replay, ReplayPage};
use super::table::{May, Table, TablePage};
use super::{Visit, render, rendered, see_other};
use crate::api::{Path, Query, game_id, system};
use crate::live;
use crate::problem::{Answer, Problem};
use crate::store::{GameFilter, GameListed, GameStored, Row, games as stored};
use askama::Template as _;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use engine::erased::AnyGame;
use engine::game::{Game, Progress, heard};
use engine::id::{GameId, Seq};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, SILENCE_S};
use engine::rules::{Actor, Viewer};
use games::trolley::{Trolley, View};
use serde::Deserialize;
use std::sync::Arc;

const LIVE_MAX: usize = 9;
const WAITING_MAX: usize = 6;
const FINISHED_MAX: usize = 6;
/// Entries a page looks at; older ones are one click away.
const ENTRIES_MAX: usize = 2_000;
/// Entries a card looks at for the latest speech.
const CARD_ENTRIES: usize = 12;

/// The trolley behind a game. The only kind so far; the next one brings a page of its own.
pub(super) fn trolley(game: &dyn AnyGame) -> Answer<&Game<Trolley>> {
    game.as_any().downcast_ref().ok_or_else(|| Problem::ours("a kind without a page"))
}

pub(super) async fn lobby(visit: Visit) -> Response {
    let page = async {
        let lobby = gather(&visit).await?;
        let chrome = visit.chrome(visit.words().t("nav-lobby"));
        render(&LobbyPage { chrome, lobby, base_url: visit.base_url.clone() })
    };
    visit.show(page.await)
}

pub(super) async fn lobby_fragment(visit: Visit) -> Response {
    let page = async { render(&gather(&visit).await?) };
    visit.show(page.await)
}

async fn gather(visit: &Visit) -> Answer<Lobby> {
    let list = async |progress, limit| -> Answer<Vec<TableCard>> {
        let filter = GameFilter { progress: Some(progress), limit, ..GameFilter::default() };
        let games = visit.house.store.read(move |db| stored::list(db, &filter)).await?;
        let mut cards = Vec::new();
        for game in games.into_iter().filter(|game| game.status != "expired") {
            cards.push(card(visit, game).await?);
        }
        Ok(cards)
    };
    let mut live = list(Progress::Playing, LIVE_MAX).await?;
    // People's games before those that play themselves, then the most watched.
    live.sort_by_key(|card| (card.demo, std::cmp::Reverse(card.watchers)));
    let waiting = list(Progress::Table, WAITING_MAX).await?;
    let finished = list(Progress::Over, FINISHED_MAX).await?;
    Ok(Lobby { w: visit.words(), now: visit.house.now(), live, waiting, finished })
}

async fn card(visit: &Visit, listed: GameListed) -> Answer<TableCard> {
    let table = live::table_unseen(&visit.house, listed.id).await?;
    // Whoever looks at the lobby looks at the games on it.
    crate::minds::wake(&visit.house, &table);
    let shown = table.shown();
    let view = trolley(shown.game.as_ref())?.view(Viewer::Spectator, &[]);
    let no = table.no;
    let said = visit.house.store.read(move |db| stored::transcript(db, no, CARD_ENTRIES)).await?;
    let latest = Record::read(&view, &heard(Viewer::Spectator, &said)).latest().cloned();
    Ok(TableCard {
        id: listed.id.to_string(),
        kind: shown.game.kind(),
        title: None,
        view,
        latest,
        watchers: table.watchers(),
        demo: listed.demo,
        created_at: listed.created_at,
    })
}

#[derive(Deserialize)]
pub(super) struct Before {
    before: Option<u64>,
}

pub(super) async fn game(visit: Visit, Path(id): Path<String>, Query(query): Query<Before>) -> Response {
    let page = async {
        let table = live::table(&visit.house, game_id(&id)?).await?;
        game_page(&visit, &table, query.before, Again::default(), StatusCode::OK).await
    };
    visit.show(page.await)
}

/// The whole page, or the part that changes if a script asked.
pub(super) async fn game_page(
    visit: &Visit,
    table: &Arc<live::Table>,
    before: Option<u64>,
    again: Again,
    status: StatusCode,
) -> Answer<Response> {
    let body = body(visit, table, before, again).await?;
    if visit.wants_fragment {
        return rendered(status, &body);
    }
    let chrome = visit.chrome(body.heading());
    rendered(status, &TablePage { chrome, table: body })
}

pub(super) async fn game_fragment(visit: Visit, Path(id): Path<String>) -> Response {
    let page = async {
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let shown = table.shown();
        let spectator = !visit.caller.has_credential();
        // What every spectator gets is rendered once for each version and language.
        if spectator && let Some(html) = shown.fragment(visit.lang, &visit.base_url) {
            return Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response());
        }
        let body = body(&visit, &table, None, Again::default()).await?;
        let html = bytes::Bytes::from(body.render().map_err(Problem::ours)?);
        if spectator && body.view.version == shown.game.mark().seq.0 {
            shown.keep_fragment(visit.lang, &visit.base_url, html.clone());
        }
        Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
    };
    visit.show(page.await)
}

async fn body(visit: &Visit, table: &Arc<live::Table>, before: Option<u64>, again: Again) -> Answer<Table> {
    let shown = table.shown();
    crate::minds::wake(&visit.house, table);
    let game = trolley(shown.game.as_ref())?;
    let viewer = visit.caller.viewer(game);
    let entries = entries(visit, table, ENTRIES_MAX).await?;
    let view = game.view(viewer, &[]);
    let mut sitters = Sitter::all(game.id, game.roster());
    let may = may(visit, game, viewer);
    let silent_ms = visit.house.now().0 - game.mark().at.0;
    let may_hand = may.advance && (game.charter().terms.host.is_some() || silent_ms >= i64::from(SILENCE_S) * 1000);
    if may_hand {
        let awaited: Vec<String> = game
            .turns()
            .iter()
            .filter_map(|turn| match turn.who {
                Actor::Seat(seat) => Some(game.roster().agent_id(game.id, seat)),
                Actor::Host | Actor::Clock => None,
            })
            .collect();
        for sitter in sitters.iter_mut().filter(|sitter| !sitter.house && awaited.contains(&sitter.agent_id)) {
            sitter.may_hand = true;
        }
    }
    let terms = &game.charter().terms;
    Ok(Table {
        sitters,
        may,
        invite_url: format!("{}/games/{}", visit.base_url, game.id),
        watchers: table.watchers(),
        demo: terms.demo,
        unlisted: terms.unlisted,
        own_name: visit.caller.account.as_ref().map_or(String::new(), |account| account.username.clone()),
        again,
        ..Table::new(visit.words(), view, &heard(viewer, &entries), before)
    })
}

async fn entries(visit: &Visit, table: &live::Table, limit: usize) -> Answer<Vec<Entry>> {
    let no = table.no;
    Ok(visit.house.store.read(move |db| stored::transcript(db, no, limit)).await?)
}

fn may(visit: &Visit, game: &Game<Trolley>, viewer: Viewer) -> May {
    let seat = match viewer {
        Viewer::Seat(seat) => game.roster().get(seat),
        Viewer::Spectator => None,
    };
    let waiting = game.progress() == Progress::Table;
    let hosts = visit.caller.may_host(game).is_ok();
    let playing = game.progress() == Progress::Playing;
    let full = game.roster().len() >= AnyGame::seating(game).seats_max;
    May {
        sit: waiting && seat.is_none() && !full,
        fill: waiting && hosts,
        start: hosts && game.status() == "ready_to_start",
        advance: playing && hosts,
        leave: seat.is_some_and(|seat| !seat.house) && (waiting || playing),
        take_back: playing && seat.is_some_and(|seat| seat.house && seat.holder != Holder::House),
    }
}

#[derive(Deserialize)]
pub(super) struct At {
    at: Option<u64>,
}

pub(super) async fn replay(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        let Some(replay) = replayed(&visit, id, query.at).await? else {
            return Ok(see_other(&format!("/games/{id}")));
        };
        let chrome = visit.chrome(visit.words().t("replay"));
        render(&ReplayPage { chrome, replay })
    };
    visit.show(page.await)
}

pub(super) async fn replay_fragment(visit: Visit, Path(id): Path<String>, Query(query): Query<At>) -> Response {
    let page = async {
        let id = game_id(&id)?;
        match replayed(&visit, id, query.at).await? {
            Some(replay) => render(&replay),
            None => Ok(see_other(&format!("/games/{id}"))),
        }
    };
    visit.show(page.await)
}

/// A finished game at one of its moments; nothing while it is being played.
async fn replayed(visit: &Visit, id: GameId, at: Option<u64>) -> Answer<Option<Replay>> {
    let table = live::table(&visit.house, id).await?;
    if table.shown().game.progress() != Progress::Over {
        return Ok(None);
    }
    let entries = entries(visit, &table, usize::MAX >> 1).await?;
    let entries = heard(Viewer::Spectator, &entries).into_owned();
    let at = Replay::moment(&entries, at);
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
    let view: View = trolley(game.as_ref())?.view(Viewer::Spectator, &[]);
    Ok(Some(Replay::new(visit.words(), view, &entries, at)))
}

pub(super) async fn docs(visit: Visit) -> Response {
    visit.show(render(&DocsPage { chrome: visit.chrome(visit.words().t("nav-docs")) }))
}

pub(super) async fn docs_trolley(visit: Visit) -> Response {
    visit.show(render(&TrolleyPage { chrome: visit.chrome(visit.words().t("kind-trolley")) }))
}

pub(super) async fn docs_agents(visit: Visit) -> Response {
    let chrome = visit.chrome(visit.words().t("foot-agents"));
    visit.show(render(&AgentsPage { chrome, base_url: visit.base_url.clone() }))
}

pub(super) async fn docs_api(visit: Visit) -> Response {
    let chrome = visit.chrome("API");
    visit.show(render(&ApiPage { chrome, api: Api::read(system::document()) }))
}
