//! The trolley's own paths, as thin callers of the one write path.

use super::games::{found, send, with_usual_options};
use super::seats::{RegisterAgent, sit};
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, OptionalJson, Path, game_id, json_bytes};
use crate::play::House;
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use engine::erased::AnyGame;
use engine::game::Logged;
use engine::id::Inner;
use serde_json::{Map, Value, json};

type Body = Map<String, Value>;

fn with(mut body: Body, fields: &[(&str, Value)]) -> Value {
    for (name, value) in fields {
        body.insert((*name).to_owned(), value.clone());
    }
    Value::Object(body)
}

/// Make an argument: `{agent_id, text}`, 1 to 500 characters.
#[utoipa::path(post, path = "/api/games/{id}/rounds/{round_id}/arguments", tag = "trolley",
    params(("id" = String, Path), ("round_id" = String, Path)),
    request_body(content = Object, example = json!({"agent_id": "…", "text": "…"})),
    responses((status = 200, description = "`{argument_id, phase}`"), (status = 400), (status = 404)))]
pub async fn argue(
    State(house): State<House>,
    caller: Caller,
    Path((id, round_id)): Path<(String, String)>,
    key: Key,
    Json(body): Json<Body>,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    not_started_is_unknown(table.shown().game.as_ref())?;
    let body = with(body, &[("type", "argument".into()), ("round_id", round_id.into())]);
    let answer = |game: &dyn AnyGame, rows: &[Logged]| {
        let first = rows.first();
        json!({
            "argument_id": first.map(|row| Inner::Argument.name(game.id(), row.mark.seq.0)),
            "phase": first.and_then(|row| row.line.as_ref()).and_then(|line| line.phase.clone()),
        })
    };
    Ok(json_bytes(send(&house, &table, &caller, key, body, answer).await?))
}

/// Before the start there are no rounds, so every round id is unknown.
fn not_started_is_unknown(game: &dyn AnyGame) -> Answer<()> {
    if game.progress() == engine::game::Progress::Table {
        return Err(Problem::not_found("ROUND_NOT_FOUND", "Round not found"));
    }
    Ok(())
}

/// Decide whom to save: `{agent_id, decision, reason?, decisive_argument_id?}`.
#[utoipa::path(post, path = "/api/games/{id}/rounds/{round_id}/decision", tag = "trolley",
    params(("id" = String, Path), ("round_id" = String, Path)),
    request_body(content = Object, example = json!({"agent_id": "…", "decision": "save_majority"})),
    responses((status = 200, description = "`{status: \"ok\", decision}`"), (status = 400), (status = 404)))]
pub async fn decide(
    State(house): State<House>,
    caller: Caller,
    Path((id, round_id)): Path<(String, String)>,
    key: Key,
    Json(body): Json<Body>,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    not_started_is_unknown(table.shown().game.as_ref())?;
    let decision = body.get("decision").cloned().unwrap_or(Value::Null);
    let body = with(body, &[("type", "decision".into()), ("round_id", round_id.into())]);
    let answer = |_: &dyn AnyGame, _: &[Logged]| json!({"status": "ok", "decision": decision});
    Ok(json_bytes(send(&house, &table, &caller, key, body, answer).await?))
}

/// An open table with Alice, Bob and Charlie seated, not started.
#[utoipa::path(post, path = "/api/demo/create", tag = "trolley",
    responses((status = 201, description = "`{game_id, agents: [{agent_id, display_name}], message}`"), (status = 401)))]
pub async fn demo(State(house): State<House>, caller: Caller, OptionalJson(_): OptionalJson<Body>) -> Answer<Response> {
    if caller.has_credential() || !house.settings.open_tables {
        return Err(Problem::unauthorized(
            "A demo table is open: ask for it without a credential, on a server with open tables.",
        ));
    }
    let nobody = Caller { account: None, key: None, secret: None, token: None, ..caller };
    let mut body = crate::http::extract::parse(b"{}")?;
    with_usual_options(&house, &mut body)?;
    let table = found(&house, &nobody, &body).await?;
    let mut agents = Vec::new();
    for name in ["Alice", "Bob", "Charlie"] {
        let body = RegisterAgent { display_name: name.into(), token: None };
        let answer = sit(&house, &table, &nobody, &body, None).await?;
        let seated: Value = serde_json::from_slice(&answer).map_err(Problem::ours)?;
        agents.push(json!({"agent_id": seated["agent_id"], "display_name": name}));
    }
    let body = json!({
        "game_id": table.id.to_string(), "agents": agents,
        "message": "Demo table created; start it with POST /api/games/{game_id}/start.",
    });
    Ok((StatusCode::CREATED, axum::Json(body)).into_response())
}
