//! Watching a game live: WebSocket and server-sent events with the same messages, resumable without loss or repetition.
//!
//! The bus says "the game is at version v"; each watcher then fetches its own messages. Nobody waits for a slow reader.

use crate::api::{Path, Query};
use crate::auth::Caller;
use crate::house::House;
use crate::live::{self, Recent, Shown, Table};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use engine::erased::AnyGame;
use engine::id::Seq;
use engine::rules::Viewer;
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often an idle connection shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How long one message may take to be accepted by the other side.
const STALLED: Duration = Duration::from_secs(20);
/// Memory set aside for each socket: spectators send next to nothing, and every message is flushed at once.
const SOCKET_BYTES: usize = 1024;
/// The close code for a reader that does not keep up.
pub const CLOSE_SLOW: u16 = 4408;
/// The close code while the server stops.
const CLOSE_STOPPING: u16 = 1012;

/// Where to resume, and as whom.
#[derive(Deserialize)]
pub struct Since {
    since: Option<String>,
    agent_id: Option<String>,
    typing: Option<String>,
}

impl Since {
    /// Whether what is being written is wanted too.
    fn typing(&self) -> Answer<bool> {
        match self.typing.as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(Problem::bad("INVALID_QUERY", "\"typing\" must be true or false.")),
        }
    }
}

/// One viewer's way through a game's messages.
struct Follower {
    house: House,
    table: Arc<Table>,
    viewer: Viewer,
    versions: watch::Receiver<Arc<Shown>>,
    last: Seq,
    waiting: VecDeque<(Option<Seq>, Utf8Bytes)>,
    /// The last news of what minds are writing, if this viewer wants any.
    typing: Option<u64>,
    saw_typing: bool,
}

impl Follower {
    async fn new(house: House, table: Arc<Table>, viewer: Viewer, since: Option<Seq>, typing: bool) -> Answer<Self> {
        let mut versions = table.watch();
        let shown = versions.borrow_and_update().clone();
        let now = shown.game.mark().seq;
        let mut waiting = VecDeque::new();
        if since.is_none() {
            waiting.push_back((Some(now), initial(&house, &table, &shown, viewer).await?));
        }
        crate::minds::wake(&house, &table);
        // The first look is not a change, but there may be something to catch up with.
        versions.mark_changed();
        let last = since.unwrap_or(now);
        Ok(Follower { house, table, viewer, versions, last, waiting, typing: typing.then_some(0), saw_typing: false })
    }

    /// The next message, with its number if it tells of an event; nothing once the server stops.
    async fn next(&mut self) -> Answer<Option<(Option<Seq>, Utf8Bytes)>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Ok(Some(message));
            }
            // A stopping house sets its flag and then rings at every table, so this one wait is enough; thousands do it for
            // each event. A table that was let go tells nothing more: whoever resumes finds the one that took its place.
            if self.ended() || self.versions.changed().await.is_err() || self.ended() {
                return Ok(None);
            }
            self.gather()?;
            self.overhear();
        }
    }

    /// Takes in what a mind is writing, if this viewer will hear it. That is in no log, and no stream repeats it.
    fn overhear(&mut self) {
        let Some(known) = self.typing else { return };
        let (number, typing) = self.table.typing();
        if number == known {
            return;
        }
        self.typing = Some(number);
        let typing = typing.filter(|typing| typing.heard_by.includes(self.viewer));
        let shown = self.table.shown();
        let (roster, game) = (shown.game.roster(), shown.game.id());
        let told = match typing.filter(|typing| roster.get(typing.seat).is_some()) {
            Some(typing) => json!({
                "type": "typing", "agent_id": roster.agent_id(game, typing.seat), "display_name": roster.name(typing.seat),
                "text": typing.text,
            }),
            // Whoever may not watch is not even told that somebody has stopped.
            None if self.saw_typing => json!({"type": "typing", "agent_id": null, "text": ""}),
            None => return,
        };
        self.saw_typing = told["agent_id"].is_string();
        self.waiting.push_back((None, told.to_string().into()));
    }

    fn ended(&self) -> bool {
        self.house.is_stopping() || self.table.is_gone()
    }

    /// Takes in what has happened since.
    fn gather(&mut self) -> Answer<()> {
        let missed = {
            // What is at hand is read in place, without a copy of the version.
            let shown = self.versions.borrow_and_update();
            let now = shown.game.mark().seq;
            if self.last >= now {
                return Ok(());
            }
            match shown.recent_after(self.last) {
                Some(rows) => {
                    tell(&mut self.waiting, rows, shown.game.as_ref(), self.viewer);
                    self.last = now;
                    return Ok(());
                }
                None => shown.clone(),
            }
        };
        let rows = self.table.stored_after(&self.house, &missed, self.last)?;
        tell(&mut self.waiting, &rows, missed.game.as_ref(), self.viewer);
        if let Some(row) = rows.last() {
            self.last = row.mark.seq;
            // There may be more than one reading gives.
            self.versions.mark_changed();
        }
        Ok(())
    }
}

fn tell(waiting: &mut VecDeque<(Option<Seq>, Utf8Bytes)>, rows: &[Arc<Recent>], game: &dyn AnyGame, viewer: Viewer) {
    waiting
        .extend(rows.iter().filter_map(|row| row.message(game, viewer).map(|message| (Some(row.mark.seq), message))));
}

async fn initial(house: &House, table: &Table, shown: &Shown, viewer: Viewer) -> Answer<Utf8Bytes> {
    let game = &shown.game;
    let view = table.view(house, shown, viewer).await?;
    let state: &RawValue = serde_json::from_slice(&view.bytes).map_err(Problem::ours)?;
    #[derive(serde::Serialize)]
    struct Initial<'a> {
        r#type: &'static str,
        game_id: String,
        game_type: &'static str,
        status: &'static str,
        version: u64,
        state: &'a RawValue,
    }
    let message = Initial {
        r#type: "initial",
        game_id: table.id.to_string(),
        game_type: game.kind(),
        status: game.status(),
        version: game.mark().seq.0,
        state,
    };
    Ok(serde_json::to_string(&message).map_err(Problem::ours)?.into())
}

fn resume_from(table: &Table, since: Option<&str>) -> Answer<Option<Seq>> {
    let Some(text) = since else { return Ok(None) };
    let seq: u64 = text.parse().map_err(|_| Problem::bad("INVALID_SINCE", "\"since\" must be the seq of an event."))?;
    let now = table.shown().game.mark().seq;
    if Seq(seq) > now {
        let detail = format!("\"since\" is {seq}, but the game is at version {now}.");
        return Err(Problem::bad("INVALID_SINCE", detail));
    }
    Ok(Some(Seq(seq)))
}

/// WebSocket: the state first, then one message for each event; `?since=SEQ` resumes.
#[utoipa::path(get, path = "/ws/games/{id}", tag = "live",
    params(("id" = String, Path), ("since" = Option<u64>, Query, description = "Resume after this event"),
        ("agent_id" = Option<String>, Query, description = "As which of your agents"),
        ("typing" = Option<bool>, Query, description = "Also `{type: typing, agent_id, display_name, text}` while a language model writes what you will hear; without a seq, never repeated")),
    responses((status = 101, description = "Switches to WebSocket; messages as in `/api/games/{id}/stream`")))]
pub async fn socket(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<Since>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Answer<Response> {
    let table = live::table(&house, crate::api::game_id(&id)?).await?;
    let since = resume_from(&table, query.since.as_deref())?;
    let typing = query.typing()?;
    let viewer = caller.viewer_as(table.shown().game.as_ref(), query.agent_id.as_deref())?;
    let upgrade = upgrade.map_err(|_| {
        Problem::bad("NOT_A_WEBSOCKET", "This address speaks WebSocket; for plain HTTP use /api/games/{id}/stream.")
    })?;
    let follower = Follower::new(house, table, viewer, since, typing).await?;
    let upgrade = upgrade.max_message_size(4096).read_buffer_size(SOCKET_BYTES).write_buffer_size(SOCKET_BYTES);
    Ok(upgrade.on_upgrade(move |socket| serve_socket(socket, follower)))
}

async fn serve_socket(mut socket: WebSocket, mut follower: Follower) {
    metrics::gauge!("moot_sockets").increment(1.0);
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.tick().await;
    let close = loop {
        let message = tokio::select! {
            biased;
            next = follower.next() => match next {
                Ok(Some((_, message))) => Message::Text(message),
                Ok(None) => break Some((CLOSE_STOPPING, "the server is stopping; resume with ?since=")),
                Err(_) => break Some((1011, "something went wrong on our side; resume with ?since=")),
            },
            _ = heartbeat.tick() => Message::Ping(bytes::Bytes::new()),
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
                // Spectators only listen; what they send is read and ignored.
                Some(Ok(_)) => continue,
            },
        };
        match tokio::time::timeout(STALLED, socket.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => break None,
            Err(_) => break Some((CLOSE_SLOW, "too slow; resume with ?since=")),
        }
    };
    if let Some((code, reason)) = close {
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = tokio::time::timeout(STALLED, socket.send(Message::Close(Some(frame)))).await;
    }
    metrics::gauge!("moot_sockets").decrement(1.0);
}

/// Server-sent events: the state first, then one message for each event; `?since=SEQ` or `Last-Event-ID` resumes.
#[utoipa::path(get, path = "/api/games/{id}/stream", tag = "live",
    params(("id" = String, Path), ("since" = Option<u64>, Query, description = "Resume after this event"),
        ("agent_id" = Option<String>, Query, description = "As which of your agents"),
        ("typing" = Option<bool>, Query, description = "Also `{type: typing, agent_id, display_name, text}` while a language model writes what you will hear; without a seq, never repeated")),
    responses((status = 200, content_type = "text/event-stream",
        description = "First `{\"type\":\"initial\", game_id, game_type, status, version, state}`, then one message per event with `seq` and `at`")))]
pub async fn stream(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<Since>,
    headers: HeaderMap,
) -> Answer<Response> {
    let table = live::table(&house, crate::api::game_id(&id)?).await?;
    let typing = query.typing()?;
    let last_event_id = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let since = resume_from(&table, last_event_id.or(query.since).as_deref())?;
    let viewer = caller.viewer_as(table.shown().game.as_ref(), query.agent_id.as_deref())?;
    let follower = Follower::new(house, table, viewer, since, typing).await?;
    let events = stream::unfold(follower, |mut follower| async move {
        let (seq, message) = follower.next().await.ok()??;
        let event = Event::default().data(message.as_str());
        let event = match seq {
            Some(seq) => event.id(seq.to_string()),
            None => event,
        };
        Some((Ok::<_, std::convert::Infallible>(event), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

/// Waits until the game has passed this version, or the time is up.
pub async fn wait_past(house: &House, table: &Table, version: u64, wait: Duration) {
    let mut versions = table.watch();
    let mut stopping = house.stopping.subscribe();
    let passed = versions.wait_for(|shown| shown.game.mark().seq.0 > version);
    tokio::select! {
        _ = passed => {}
        () = tokio::time::sleep(wait) => {}
        _ = stopping.changed() => {}
    }
}
