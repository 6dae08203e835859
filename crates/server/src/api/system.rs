//! What operators and monitors ask: health, metrics, reports, the API document.

use crate::http::auth::Caller;
use crate::http::extract::{Json, game_id};
use crate::play::House;
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::parts::text;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::OnceLock;
use store::people::accounts;
use utoipa::ToSchema;

const REASON_LEN_MAX: usize = 500;

/// The server runs.
#[utoipa::path(get, path = "/healthz", tag = "system", responses((status = 200, description = "It runs")))]
pub async fn healthz() -> &'static str {
    "ok"
}

/// The server runs and the database answers.
#[utoipa::path(get, path = "/readyz", tag = "system", responses((status = 200, description = "Ready"), (status = 503, description = "Starting or stopping")))]
pub async fn readyz(State(house): State<House>) -> Answer<&'static str> {
    if house.is_stopping() {
        return Err(store::StoreError::Stopping.into());
    }
    house.store.ping().await?;
    Ok("ready")
}

static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder; once in a process.
pub fn install_metrics() {
    METRICS.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        let _ = metrics::set_global_recorder(recorder);
        handle
    });
}

/// Counters for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "system", responses((status = 200, content_type = "text/plain", description = "Prometheus text format")))]
pub async fn prometheus(State(house): State<House>) -> Response {
    metrics::gauge!("moot_games_in_memory").set(house.tables.len() as f64);
    let text = METRICS
        .get()
        .map(|handle| {
            handle.run_upkeep();
            handle.render()
        })
        .unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// The API document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "system", responses((status = 200, description = "OpenAPI 3.1")))]
pub async fn openapi(State(house): State<House>) -> axum::Json<Value> {
    axum::Json(house.document().clone())
}

/// Something a moderator should look at.
#[derive(Deserialize, ToSchema)]
pub struct NewReport {
    /// The id of the game it was said in.
    pub game_id: String,
    /// An agent id, or the id of an entry of the feed.
    pub target: String,
    /// Why; 1 to 500 characters.
    pub reason: String,
}

/// Report a name or a speech to the moderators.
#[utoipa::path(post, path = "/api/reports", tag = "system", request_body = NewReport,
    responses((status = 201, description = "`{report}`"), (status = 400), (status = 404)))]
pub async fn report(
    State(house): State<House>,
    caller: Caller,
    Json(body): Json<NewReport>,
) -> Answer<impl IntoResponse> {
    let n = file_report(&house, &caller, &body).await?;
    Ok((StatusCode::CREATED, axum::Json(json!({"report": n}))))
}

/// Puts a report into the queue.
pub async fn file_report(house: &House, caller: &Caller, body: &NewReport) -> Answer<i64> {
    let invalid = |detail| Problem::bad("INVALID_BODY", detail);
    let table = live::table(house, game_id(&body.game_id)?).await?;
    let target = text::checked_line("target", &body.target, 1..=100).map_err(invalid)?;
    let reason = text::checked("reason", &body.reason, 1..=REASON_LEN_MAX).map_err(invalid)?;
    let (game, reporter, now) = (table.id, caller.account_id(), house.now());
    Ok(house.store.write(move |db| accounts::add_report(db, game, &target, &reason, reporter, now)).await?)
}
