//! Moving a table on, as its host or by an event from its player; and the review of a finished game.

use super::games::{phase_of, send};
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, Path, game_id, json_bytes};
use crate::play::House;
use crate::play::live::{self, Table};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use engine::erased::AnyGame;
use engine::game::{Logged, Progress, heard};
use engine::id::{Seat, Seq};
use engine::rules::{Actor, Advance, Told, Viewer};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use store::Row;
use store::games::transcript;

/// How long an event waits for the seat it calls on.
const ANSWER_WAIT: Duration = Duration::from_secs(5);
/// More rows than any game with a review has.
const ROWS_MAX: usize = 5_000;

/// Move the table on. Trolley: `{action: next_phase | force_decision | resolve_round}`; Mercury: `{event, payload}`.
#[utoipa::path(post, path = "/api/games/{id}/advance", tag = "games", params(("id" = String, Path)),
    request_body(content = Object, example = json!({"action": "next_phase"})),
    responses((status = 200, description = "Trolley: `{status, current_phase}`; Mercury: `{game_id, state}`"), (status = 400), (status = 401), (status = 403)))]
pub async fn advance(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    key: Key,
    Json(mut body): Json<Map<String, Value>>,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    match table.shown().game.meta().advance {
        Advance::Event => {
            let done = event(&house, &table, &caller, key, &body).await.map_err(as_event)?;
            Ok(axum::Json(done).into_response())
        }
        Advance::Host => {
            body.insert("type".to_owned(), "advance".into());
            let answer = |game: &dyn AnyGame, _: &[Logged]| {
                let view: Value = serde_json::from_slice(&game.view(Viewer::Spectator, &[], None)).unwrap_or_default();
                json!({"status": game.status(), "current_phase": phase_of(&view)})
            };
            Ok(json_bytes(send(&house, &table, &caller, key, Value::Object(body), answer).await?))
        }
    }
}

/// A refusal whose hint can be sent here: an event with its payload.
fn as_event(mut problem: Problem) -> Problem {
    if let Some(hint) = problem.extra.get_mut("hint")
        && let Some(Value::String(event)) = hint.as_object_mut().and_then(|hint| hint.remove("type"))
    {
        *hint = json!({"event": event, "payload": hint.take()});
    }
    problem
}

/// Sends an event into the game and answers with the state, once the minds it called on have answered or five seconds have passed.
async fn event(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    key: Key,
    body: &Map<String, Value>,
) -> Answer<Value> {
    let named = body
        .get("event")
        .and_then(Value::as_str)
        .ok_or_else(|| Problem::bad("INVALID_BODY", "The field \"event\" must be a string, such as ROUND_1_STEP."))?;
    let mut act = match body.get("payload") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(payload)) => payload.clone(),
        Some(_) => return Err(Problem::bad("INVALID_BODY", "The field \"payload\" must be an object.")),
    };
    act.insert("type".to_owned(), named.into());
    let nothing = |_: &dyn AnyGame, _: &[Logged]| ();
    send(house, table, caller, key, Value::Object(act), nothing).await?;
    let mut versions = table.watch();
    // In time or not, the answer is the state as it is.
    let _ = tokio::time::timeout(ANSWER_WAIT, versions.wait_for(|shown| !waits_for_a_mind(shown.game.as_ref()))).await;
    let shown = table.shown();
    let view = table.view(house, &shown, caller.viewer(shown.game.as_ref())).await?;
    let state: Value = serde_json::from_slice(&view.bytes).map_err(Problem::ours)?;
    Ok(json!({"game_id": table.id.to_string(), "state": state}))
}

fn waits_for_a_mind(game: &dyn AnyGame) -> bool {
    game.turns()
        .iter()
        .any(|turn| matches!(turn.who, Actor::Seat(seat) if seat != Seat(0) && game.roster().is_house(seat)))
}

/// A finished game: what was said as the caller may hear it, what came of it, and for its player how opinions moved.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "mercury", params(("id" = String, Path)),
    responses((status = 200, description = "`{game_id, status, open, summary, issues, transcript, stance_movements}`; `open` is false before the end and in other kinds; movements are the player's to see"), (status = 404)))]
pub async fn review(State(house): State<House>, caller: Caller, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let (game_id, status) = (table.id.to_string(), game.status());
    let review = game.review().filter(|_| game.progress() == Progress::Over);
    let Some(mut review) = review else {
        return Ok(axum::Json(json!({"game_id": game_id, "status": status, "open": false})));
    };
    let viewer = caller.viewer(game);
    let no = table.no;
    let (said, rows) =
        house.store.read(move |db| Ok((transcript(db, no, ROWS_MAX)?, Row::after(db, no, Seq(0), ROWS_MAX)?))).await?;
    let transcript: Vec<Value> = heard(viewer, &said).iter().map(|entry| live::transcript_item(game, entry)).collect();
    let is_player = matches!((game.meta().influence, viewer), (Told::Seat(own), Viewer::Seat(seat)) if own == seat);
    let mut movements = Vec::new();
    for row in rows.iter().filter(|_| is_player) {
        for mut moved in game.movements(&row.body).map_err(Problem::ours)? {
            moved["seq"] = row.mark.seq.0.into();
            movements.push(moved);
        }
    }
    review["game_id"] = game_id.into();
    review["status"] = status.into();
    review["open"] = true.into();
    review["transcript"] = transcript.into();
    review["stance_movements"] = movements.into();
    Ok(axum::Json(review))
}
