//! The Mercury Game's own calls: its events, and the review of a meeting.

use super::games::send;
use crate::http::auth::Caller;
use crate::http::extract::{Key, Path, game_id};
use crate::kinds::Played;
use crate::play::House;
use crate::play::live::{self, Table};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{Seat, Seq};
use engine::rules::{Actor, Viewer};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use store::Row;
use store::games::transcript;

/// How long an event waits for the delegation it calls on.
const ANSWER_WAIT: Duration = Duration::from_secs(5);
/// More rows than any meeting has.
const ROWS_MAX: usize = 5_000;

/// Sends an event into the meeting and answers with the state, once whoever it called on has answered or five seconds have passed.
pub(super) async fn advance(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    key: Key,
    body: &Map<String, Value>,
) -> Answer<Value> {
    let event = body
        .get("event")
        .and_then(Value::as_str)
        .ok_or_else(|| Problem::bad("INVALID_BODY", "The field \"event\" must be a string, such as ROUND_1_STEP."))?;
    let mut act = match body.get("payload") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(payload)) => payload.clone(),
        Some(_) => return Err(Problem::bad("INVALID_BODY", "The field \"payload\" must be an object.")),
    };
    act.insert("type".to_owned(), event.into());
    let nothing = |_: &dyn AnyGame, _: &[engine::game::Logged]| ();
    send(house, table, caller, key, Value::Object(act), nothing).await?;
    let mut versions = table.watch();
    // Whether it came in time or not, the state as it is.
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

/// A finished meeting: what was said as the caller may hear it, the votes, and for the player how everybody's stance moved.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "mercury", params(("id" = String, Path)),
    responses((status = 200, description = "`{game_id, status, open, summary, issues, transcript, stance_movements}`; `open` is false before the end and in other kinds; movements are the player's to see"), (status = 404)))]
pub async fn review(State(house): State<House>, caller: Caller, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let (game_id, status) = (table.id.to_string(), game.status());
    if Played::of(game) != Played::Mercury || game.progress() != Progress::Over {
        return Ok(axum::Json(json!({"game_id": game_id, "status": status, "open": false})));
    }
    let viewer = caller.viewer(game);
    let no = table.no;
    let (said, rows) =
        house.store.read(move |db| Ok((transcript(db, no, ROWS_MAX)?, Row::after(db, no, Seq(0), ROWS_MAX)?))).await?;
    let transcript: Vec<Value> = heard(viewer, &said).iter().map(|entry| live::item(game, entry)).collect();
    let movements: Vec<Value> = match viewer {
        Viewer::Seat(Seat(0)) => {
            rows.iter().flat_map(|row| games::mercury::movements(row.mark.seq, &row.body)).collect()
        }
        Viewer::Seat(_) | Viewer::Spectator => vec![],
    };
    let result = game.result().unwrap_or_default();
    Ok(axum::Json(json!({
        "game_id": game_id, "status": status, "open": true, "summary": {"adopted": result["adopted"], "of": 4}, "issues": result["issues"],
        "transcript": transcript, "stance_movements": movements,
    })))
}
