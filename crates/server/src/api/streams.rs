//! Live streams: WebSocket and server-sent events with the same messages, resumable without loss or repetition.

use crate::http::auth::Caller;
use crate::http::extract::{Path, Query, game_id};
use crate::http::watch::Follower;
use crate::play::House;
use crate::play::live::{self, Table};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use engine::id::Seq;
use futures_util::stream;
use serde::Deserialize;
use std::time::{Duration, Instant};

/// How often an idle connection shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How long a socket may leave pings unanswered.
const SILENT: Duration = Duration::from_secs(65);
/// How long one message may take to be accepted by the other side.
const STALLED: Duration = Duration::from_secs(20);
/// Memory set aside for each socket: spectators send next to nothing, and every message is flushed at once.
const SOCKET_BYTES: usize = 1024;
/// The close code for a reader that does not keep up.
pub const CLOSE_SLOW: u16 = 4408;
/// The close code when a key was revoked, a session has ended or the seat that was named is not the caller's any more.
pub const CLOSE_REFUSED: u16 = 4401;
/// The close code when the server stops or the table was let go.
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
/// If what you may see changes (you take or leave a seat, your session ends), the state comes again; with a key that was revoked it closes.
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
    let table = live::table(&house, game_id(&id)?).await?;
    let since = resume_from(&table, query.since.as_deref())?;
    let typing = query.typing()?;
    let follower = Follower::new(house, table, (caller, query.agent_id), since, typing).await?;
    let upgrade = upgrade.map_err(|_| {
        Problem::bad("NOT_A_WEBSOCKET", "This address speaks WebSocket; for plain HTTP use /api/games/{id}/stream.")
    })?;
    let upgrade = upgrade.max_message_size(4096).read_buffer_size(SOCKET_BYTES).write_buffer_size(SOCKET_BYTES);
    Ok(upgrade.on_upgrade(move |socket| serve_socket(socket, follower)))
}

async fn serve_socket(mut socket: WebSocket, mut follower: Follower) {
    metrics::gauge!("moot_sockets").increment(1.0);
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.tick().await;
    let mut heard_at = Instant::now();
    let close = loop {
        let message = tokio::select! {
            biased;
            next = follower.next() => match next {
                Ok(Some((_, message))) => Message::Text(message),
                Ok(None) => break Some((CLOSE_STOPPING, "the server is stopping; resume with ?since=")),
                Err(problem) if problem.status.is_client_error() => {
                    break Some((CLOSE_REFUSED, "your credential or your seat is not valid any more"));
                }
                Err(_) => break Some((1011, "something went wrong on our side; resume with ?since=")),
            },
            // Every client answers a ping; one that does not is gone, though its connection may not know.
            _ = heartbeat.tick() => {
                if heard_at.elapsed() >= SILENT {
                    break None;
                }
                Message::Ping(bytes::Bytes::new())
            }
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
                // Spectators only listen; what they send is read and ignored.
                Some(Ok(_)) => {
                    heard_at = Instant::now();
                    continue;
                }
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
    let table = live::table(&house, game_id(&id)?).await?;
    let typing = query.typing()?;
    let last_event_id = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let since = resume_from(&table, last_event_id.or(query.since).as_deref())?;
    let follower = Follower::new(house, table, (caller, query.agent_id), since, typing).await?;
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
