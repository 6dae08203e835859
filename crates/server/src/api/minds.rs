//! What plays AI seats and what that costs, and for moderators every call to a model.

use super::games::number;
use crate::http::auth::Caller;
use crate::http::extract::{Path, Query, cut, game_id};
use crate::play::House;
use crate::play::live;
use crate::problem::{Answer, Problem};
use crate::settings::minds::Choice;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use store::games::mind_calls::{self, Sum, Trace};

/// Most traces on one page.
const TRACES_MAX: usize = 100;

/// What plays the AI seats of a game and what that has cost: for its host and moderators.
#[utoipa::path(get, path = "/api/games/{id}/minds", tag = "games", params(("id" = String, Path)),
    responses((status = 200, description = "`{game_id, seats: [{agent_id, mind}], calls, failed, tokens: {read, cached, written}, cost_usd, limit_usd}`; for the host and moderators"), (status = 403), (status = 404)))]
pub async fn costs(State(house): State<House>, caller: Caller, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    if moderator(&caller).is_err() {
        caller.may_host(game)?;
    }
    let no = table.no;
    let sum = house.store.read(move |db| mind_calls::sum(db, no)).await?;
    let seat = |(seat, _)| {
        let mind = house.settings.minds.of(game, seat);
        json!({"agent_id": game.roster().agent_id(game.id(), seat), "mind": mind.to_string()})
    };
    let seats: Vec<Value> = game.roster().iter().filter(|(_, occupied)| occupied.house).map(seat).collect();
    let Sum { calls, failed, tokens: [read, cached, written], cost } = sum;
    Ok(axum::Json(json!({
        "game_id": table.id.to_string(), "seats": seats, "calls": calls, "failed": failed,
        "tokens": {"read": read, "cached": cached, "written": written},
        "cost_usd": usd(cost.0), "limit_usd": usd(house.settings.minds.limit_game.0),
    })))
}

fn usd(micros: i64) -> f64 {
    micros as f64 / 1e6
}

#[derive(Deserialize)]
pub struct TracesQuery {
    after: Option<String>,
    limit: Option<String>,
}

impl TracesQuery {
    /// The call after which to continue.
    pub fn after(&self) -> Answer<i64> {
        Ok(number("after", self.after.as_deref(), 0..=i64::MAX as usize)?.unwrap_or(0) as i64)
    }
}

/// Every call to a model in a game, with what it was asked and what it answered: for moderators.
#[utoipa::path(get, path = "/api/games/{id}/traces", tag = "system",
    params(("id" = String, Path), ("after" = Option<u64>, Query), ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{game_id, traces: [{id, seat, version, status, attempt, mind, prompt_version, prompt, turn, output, error, reason, tokens, latency_ms, cost_usd, started_at}], next}`"), (status = 403), (status = 404)))]
pub async fn all(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<TracesQuery>,
) -> Answer<axum::Json<Value>> {
    moderator(&caller)?;
    let table = live::table(&house, game_id(&id)?).await?;
    let limit = number("limit", query.limit.as_deref(), 1..=TRACES_MAX)?.unwrap_or(TRACES_MAX);
    let after = query.after()?;
    let no = table.no;
    let traces = house.store.read(move |db| mind_calls::after(db, no, after, limit)).await?;
    let next = traces.last().filter(|_| traces.len() == limit).map(|trace| trace.id);
    let traces: Vec<Value> = traces.iter().map(shown).collect();
    Ok(axum::Json(json!({"game_id": table.id.to_string(), "traces": traces, "next": next})))
}

/// One call as JSON.
pub fn shown(trace: &Trace) -> Value {
    let begun = &trace.begun;
    let ended = trace.ended.clone().unwrap_or_default();
    json!({
        "id": trace.id, "seat": begun.seat.0, "version": begun.seq.0, "status": begun.status, "attempt": begun.attempt,
        "mind": begun.mind, "prompt_version": begun.prompt_version, "prompt": begun.prompt, "turn": begun.turn,
        "under_way": trace.ended.is_none(), "output": ended.output, "error": ended.error, "reason": ended.reason,
        "tokens": {"read": ended.tokens.read, "cached": ended.tokens.cached, "written": ended.tokens.written},
        "latency_ms": ended.latency_ms, "cost_usd": usd(ended.cost.0), "started_at": begun.started_at.to_string(),
    })
}

/// Refuses everyone but moderators.
pub fn moderator(caller: &Caller) -> Answer<()> {
    if caller.account()?.is_admin { Ok(()) } else { Err(Problem::forbidden("Only moderators may see this.")) }
}

/// A mind that a table asks for, checked and as it is stored.
pub fn chosen(house: &House, text: &str) -> Answer<std::sync::Arc<str>> {
    let choice: Choice =
        text.parse().map_err(|wrong: String| Problem::bad("INVALID_BODY", format!("{}.", cut(&wrong))))?;
    if house.settings.minds.allows(&choice) {
        return Ok(choice.to_string().into());
    }
    let detail =
        format!("This server does not offer {choice}; it offers {}.", house.settings.minds.choices().join(", "));
    Err(Problem::bad("MIND_NOT_OFFERED", detail))
}
