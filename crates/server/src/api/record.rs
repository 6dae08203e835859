//! The record of a game as the caller may see it: feed, transcript, events, result.

use super::games::number;
use super::{Path, Query, game_id};
use crate::auth::Caller;
use crate::house::House;
use crate::live::{self, Table};
use crate::problem::{Answer, Problem};
use crate::store::Row;
use crate::store::games::{transcript, transcript_after};
use axum::extract::State;
use engine::chain::sealed;
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{Inner, Seq};
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use serde::Deserialize;
use serde_json::{Value, json};

/// Most entries in one answer.
const LIMIT_MAX: usize = 1000;

/// How much of the record.
#[derive(Deserialize)]
pub struct RecordQuery {
    limit: Option<String>,
    since: Option<String>,
}

/// Arguments and events, the last `limit` of them, oldest first.
#[utoipa::path(get, path = "/api/games/{id}/feed", tag = "record",
    params(("id" = String, Path), ("limit" = Option<u32>, Query, description = "50 if not given, at most 1000"), ("since" = Option<u64>, Query)),
    responses((status = 200, description = "`{game_id, items: [{id, type, round_number, phase, agent_id, display_name, text, payload, created_at}]}`")))]
pub async fn feed(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let items = items(&house, &table, &caller, &query, 50).await?;
    Ok(axum::Json(json!({"game_id": table.id.to_string(), "items": items})))
}

/// The whole record, as an array.
#[utoipa::path(get, path = "/api/games/{id}/transcript", tag = "record",
    params(("id" = String, Path), ("limit" = Option<u32>, Query), ("since" = Option<u64>, Query)),
    responses((status = 200, description = "Array of feed items")))]
pub async fn whole(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    Ok(axum::Json(Value::Array(items(&house, &table, &caller, &query, LIMIT_MAX).await?)))
}

async fn items(house: &House, table: &Table, caller: &Caller, query: &RecordQuery, limit: usize) -> Answer<Vec<Value>> {
    let limit = number("limit", query.limit.as_deref(), 1..=LIMIT_MAX)?.unwrap_or(limit);
    let since = number("since", query.since.as_deref(), 0..=usize::MAX)?;
    let no = table.no;
    let said = house.store.read(move |db| match since {
        Some(since) => transcript_after(db, no, Seq(since as u64), limit),
        None => transcript(db, no, limit),
    });
    let said = said.await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    Ok(heard(caller.viewer(game), &said).iter().map(|entry| item(game, entry)).collect())
}

/// One entry as clients read it.
pub fn item(game: &dyn AnyGame, entry: &Entry) -> Value {
    let line = &entry.line;
    let seat = line.seat.filter(|seat| game.roster().get(*seat).is_some());
    let is_speech = line.text.is_some();
    let id = if is_speech { Inner::Argument } else { Inner::Item };
    json!({
        "id": id.name(game.id(), entry.seq.0), "type": if is_speech { "argument" } else { "event" }, "seq": entry.seq.0,
        "name": entry.name, "round_number": line.round, "phase": line.phase,
        "agent_id": seat.map(|seat| game.roster().agent_id(game.id(), seat)),
        "display_name": seat.map(|seat| game.roster().name(seat).to_owned()),
        "text": line.text, "payload": line.payload, "created_at": entry.at.to_string(),
    })
}

/// The events. What is sealed is withheld until the game opens it; hashes are shown once it is over.
#[utoipa::path(get, path = "/api/games/{id}/events", tag = "record",
    params(("id" = String, Path), ("since" = Option<u64>, Query), ("limit" = Option<u32>, Query)),
    responses((status = 200, description = "`{game_id, events: [{seq, at, event, ...}], next}`; with `hash`, `salt` and `body` for opened rows once the game is over")))]
pub async fn events(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let limit = number("limit", query.limit.as_deref(), 1..=LIMIT_MAX)?.unwrap_or(200);
    let since = number("since", query.since.as_deref(), 0..=usize::MAX)?.unwrap_or(0) as u64;
    let no = table.no;
    let rows = house.store.read(move |db| Row::after(db, no, Seq(since), limit)).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let viewer = caller.viewer(game);
    let next = rows.last().filter(|_| rows.len() == limit).map(|row| row.mark.seq.0);
    let rows: Vec<Value> = rows.iter().map(|row| event(game, row, viewer)).collect::<Answer<_>>()?;
    Ok(axum::Json(json!({"game_id": table.id.to_string(), "events": rows, "next": next})))
}

fn event(game: &dyn AnyGame, row: &Row, viewer: Viewer) -> Answer<Value> {
    let told = game.message(row.mark, &row.body, viewer).map_err(Problem::ours)?;
    let mut shown = json!({"seq": row.mark.seq.0, "at": row.mark.at.to_string(), "event": told});
    if game.progress() == Progress::Over {
        let salt = game.chain().salt(row.mark.seq);
        shown["hash"] = row.hash.to_string().into();
        shown["body_hash"] = sealed(&salt, &row.body).to_string().into();
        if game.is_open(&row.body).map_err(Problem::ours)? {
            shown["salt"] = salt.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
            shown["body"] = String::from_utf8_lossy(&row.body).into();
        }
    }
    Ok(shown)
}

/// The result of a finished game.
#[utoipa::path(get, path = "/api/games/{id}/result", tag = "record", params(("id" = String, Path)),
    responses((status = 200, description = "`{game_id, status, result}`; `result` is null until the game is over")))]
pub async fn result(State(house): State<House>, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let game = table.shown().game.clone();
    Ok(axum::Json(json!({"game_id": table.id.to_string(), "status": game.status(), "result": game.result()})))
}
