//! The record of a game as the caller may see it: feed, transcript, events, result.

use super::games::number;
use crate::http::auth::Caller;
use crate::http::extract;
use crate::http::extract::{Json, Path, Query, game_id};
use crate::play::House;
use crate::play::live::{self, Table, item, transcript_item};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use engine::chain::sealed;
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{Inner, Seq};
use engine::influence::Level;
use engine::parts::transcript::Entry;
use engine::rules::{Point, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use store::Row;
use store::games::misheard;
use store::games::{transcript, transcript_after, transcript_named};
use utoipa::ToSchema;

/// No game has more events than the database can count.
const SEQ_MAX: usize = i64::MAX as usize;
/// Most entries in one answer.
const LIMIT_MAX: usize = 1000;

/// How much of the record.
#[derive(Deserialize)]
pub struct RecordQuery {
    limit: Option<String>,
    since: Option<String>,
    order: Option<String>,
}

/// Arguments and events, the last `limit` of them, oldest first.
#[utoipa::path(get, path = "/api/games/{id}/feed", tag = "record",
    params(("id" = String, Path), ("limit" = Option<u32>, Query, description = "50 if not given, at most 1000"), ("since" = Option<u64>, Query),
        ("order" = Option<String>, Query, description = "`asc`, oldest first, if not given; or `desc`")),
    responses((status = 200, description = "`{game_id, items: [{id, type, round_number, phase, agent_id, display_name, text, payload, created_at, heard}]}`; `heard` once the phase is over in which it was said, for speeches that house minds weigh: `[{point, stance, helps}]`, empty if they hear no argument. A game that was heard by models which the program no longer has leaves `heard` out and says so in `unheard`; of one that went on with newer models it is left out before `rules_changed`")))]
pub async fn feed(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let mut items = items(&house, &table, &caller, &query, (50, item)).await?;
    match query.order.as_deref() {
        None | Some("asc") => {}
        Some("desc") => items.reverse(),
        Some(_) => return Err(Problem::bad("INVALID_QUERY", "\"order\" must be asc or desc.")),
    }
    let mut feed = json!({"game_id": table.id.to_string(), "items": items});
    if !table.shown().game.is_heard_as_before() {
        feed["unheard"] =
            "This game was heard by models that this program no longer has, so `heard` is left out.".into();
    }
    Ok(axum::Json(feed))
}

/// The record as an array: the last 1000 entries if no limit is given.
#[utoipa::path(get, path = "/api/games/{id}/transcript", tag = "record",
    params(("id" = String, Path), ("limit" = Option<u32>, Query), ("since" = Option<u64>, Query)),
    responses((status = 200, description = "Array of feed items, each with `role_id`, `phase`, `round`, `issue_id`, `content` and `metadata` as well")))]
pub async fn whole(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    Ok(axum::Json(Value::Array(items(&house, &table, &caller, &query, (LIMIT_MAX, transcript_item)).await?)))
}

/// Everyone's score, and in the trolley which roles everyone has had.
#[utoipa::path(get, path = "/api/games/{id}/scoreboard", tag = "record", params(("id" = String, Path)),
    responses((status = 200, description = "`{game_id, scores: [{agent_id, display_name, score}], coverage}`; in a trial with `role` and `verdict`, and a score of null before the end; in the Mercury Game `{game_id, scores: [], human_role_id, votes, adopted}`, since nobody wins it; in the Tribunal `{game_id, scores: [], jurors, condemn, acquit, undecided, ia_won, verdict}`")))]
pub async fn scoreboard(State(house): State<House>, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let (table, view) = public_view(&house, &id).await?;
    let kind = extract::kind(house.settings.catalog, table.shown().game.kind())?;
    let mut board = (kind.scoreboard)(&view);
    board["game_id"] = table.id.to_string().into();
    Ok(axum::Json(board))
}

/// What is over: rounds of the trolley, what was said in each phase of a trial, or the exchanges of a tribunal.
#[utoipa::path(get, path = "/api/games/{id}/history", tag = "record", params(("id" = String, Path)),
    responses((status = 200, description = "Trolley: `{game_id, rounds: [{round_id, round_number, operator_agent_id, operator_display_name, decision, survivors, lost, resolved_at}]}`; trial: `{game_id, history}` as in the state; tribunal: `{game_id, exchanges: [{exchange, character_id, label, jury_shift, extraordinary, verdict, total_shift, moved, ia_change}]}`, without the words")))]
pub async fn history(State(house): State<House>, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let (table, view) = public_view(&house, &id).await?;
    let game_id = table.id.to_string();
    if let Some(history) = view.get("history") {
        return Ok(axum::Json(json!({"game_id": game_id, "history": history})));
    }
    if let Some(log) = view["exchanges_log"].as_array() {
        let exchanges: Vec<Value> = log.iter().filter(|one| !one["total_shift"].is_null()).map(exchange).collect();
        return Ok(axum::Json(json!({"game_id": game_id, "exchanges": exchanges})));
    }
    let no = table.no;
    let resolved = house.store.read(move |db| transcript_named(db, no, "round_resolved")).await?;
    let rounds: Vec<Value> = resolved
        .into_iter()
        .filter(|entry| entry.line.seen_by.includes(Viewer::Spectator))
        .filter_map(|entry| {
            let mut round = entry.line.payload?;
            round["resolved_at"] = entry.at.to_string().into();
            Some(round)
        })
        .collect();
    Ok(axum::Json(json!({"game_id": game_id, "rounds": rounds})))
}

/// An exchange that is over, without its words.
fn exchange(one: &Value) -> Value {
    json!({
        "exchange": one["exchange"], "character_id": one["character_id"], "label": one["label"],
        "jury_shift": one["ruling"]["jury_shift"], "extraordinary": one["ruling"]["extraordinary"],
        "verdict": one["burden"]["verdict"], "total_shift": one["total_shift"], "moved": one["moved"],
        "ia_change": one["ia_change"],
    })
}

async fn public_view(house: &House, id: &str) -> Answer<(Arc<Table>, Value)> {
    let table = live::table(house, game_id(id)?).await?;
    let view = table.view(house, &table.shown(), Viewer::Spectator).await?;
    let view = serde_json::from_slice(&view.bytes).map_err(Problem::ours)?;
    Ok((table, view))
}

/// How an entry is told.
type Item = fn(&dyn AnyGame, &Entry) -> Value;

async fn items(
    house: &House,
    table: &Table,
    caller: &Caller,
    query: &RecordQuery,
    (limit, item): (usize, Item),
) -> Answer<Vec<Value>> {
    let limit = number("limit", query.limit.as_deref(), 1..=LIMIT_MAX)?.unwrap_or(limit);
    let since = number("since", query.since.as_deref(), 0..=SEQ_MAX)?;
    let no = table.no;
    let said = house.store.read(move |db| match since {
        Some(since) => transcript_after(db, no, Seq(since as u64), limit),
        None => transcript(db, no, limit),
    });
    let mut said = said.await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    // What is stored but not shown yet is told with the version that shows it.
    said.retain(|entry| entry.seq <= game.mark().seq);
    let told = |entry: &Entry| {
        let mut told = item(game, entry);
        if let Some(points) = game.heard(entry) {
            told["heard"] = points.iter().map(point).collect();
        }
        told
    };
    Ok(heard(caller.viewer(game), &said).iter().map(told).collect())
}

fn point(heard: &Point) -> Value {
    json!({"point": heard.point, "stance": heard.stance, "helps": heard.helps})
}

/// A speech that was misheard.
#[derive(Deserialize, ToSchema)]
pub struct Misheard {
    /// The speech, by its id in the feed.
    pub item_id: String,
    /// Which of the caller's agents said it, if several sit at the table or the table is an open one.
    pub agent_id: Option<String>,
}

/// Say that your own speech was misheard: its words and how they were heard are kept, so that the house learns to hear better.
#[utoipa::path(post, path = "/api/games/{id}/misheard", tag = "record", params(("id" = String, Path)), request_body = Misheard,
    responses((status = 200, description = "`{item_id, heard}`, also when it was said before"), (status = 400),
        (status = 401, description = "The seat is protected"), (status = 403, description = "It was said by another seat"),
        (status = 404, description = "No such game, agent or speech"),
        (status = 409, description = "How it was heard is not told yet, or no mind of the house hears it")))]
pub async fn misheard(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<Misheard>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    Ok(axum::Json(keep_misheard(&house, &table, &caller, &body).await?))
}

/// Keeps a speech whose author says that it was misheard.
pub async fn keep_misheard(house: &House, table: &Table, caller: &Caller, body: &Misheard) -> Answer<Value> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    let viewer = caller.viewer_as(game, body.agent_id.as_deref())?;
    let unknown = || Problem::not_found("ARGUMENT_NOT_FOUND", "There is no such speech in this game.");
    let seq = Inner::Argument.number(game.id(), &body.item_id).filter(|seq| (1..=game.mark().seq.0).contains(seq));
    let (no, seq) = (table.no, Seq(seq.ok_or_else(unknown)?));
    let found = house.store.read(move |db| transcript_after(db, no, Seq(seq.0 - 1), 1)).await?;
    let entry = found.into_iter().find(|entry| entry.seq == seq && entry.line.seen_by.includes(viewer));
    let entry = entry.filter(|entry| entry.line.text.is_some()).ok_or_else(unknown)?;
    if entry.line.seat.map(Viewer::Seat) != Some(viewer) {
        return Err(Problem::forbidden("Only the seat that said it can say that it was misheard."));
    }
    let points = game.heard(&entry).ok_or_else(|| {
        let detail = "How it was heard is told once its phase is over, of speeches that house minds weigh.";
        Problem::new(StatusCode::CONFLICT, "NOT_HEARD", detail)
    })?;
    let heard: Value = points.iter().map(point).collect();
    let (told, now) = (heard.to_string(), house.now());
    house.store.write(move |db| misheard::keep(db, no, seq, &told, now)).await?;
    Ok(json!({"item_id": body.item_id, "heard": heard}))
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
    let since = number("since", query.since.as_deref(), 0..=SEQ_MAX)?.unwrap_or(0) as u64;
    let no = table.no;
    let mut rows = house.store.read(move |db| Row::after(db, no, Seq(since), limit)).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    rows.retain(|row| row.mark.seq <= game.mark().seq);
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

/// How much of the game is played anew.
#[derive(Deserialize)]
pub struct InfluenceQuery {
    level: Option<String>,
}

/// What each speech of a finished game moved: what would have been different without it, as the house's jury hears it.
#[utoipa::path(get, path = "/api/games/{id}/influence", tag = "record",
    params(("id" = String, Path), ("level" = Option<String>, Query, description = "`revote` (if not given): those who weigh and vote hear everything but this speech; `replay`: seats that the house played also speak anew")),
    responses((status = 200, description = "`{game_id, level, as, outcome, speeches: [{id, seq, agent_id, display_name, outcome, decisions: [{agent_id, number, with, without}], leans: [{who, on, with, without}], diverged_at}]}`; `outcome` of a speech is null if the game would have ended the same; `reason` and no speeches before the end, and where the house cannot tell"),
        (status = 400, description = "No such level"), (status = 403, description = "The words of a closed trial, and what moved a meeting, are for those at the table"), (status = 404)))]
pub async fn influence(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<InfluenceQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let level = match query.level.as_deref() {
        None => Level::Revote,
        Some(word) => Level::ALL
            .into_iter()
            .find(|level| level.word() == word)
            .ok_or_else(|| Problem::bad("INVALID_QUERY", "The level is \"revote\" or \"replay\"."))?,
    };
    let viewer = caller.viewer(table.shown().game.as_ref());
    Ok(axum::Json(crate::play::influence::told(&house, &table, viewer, level).await?))
}
