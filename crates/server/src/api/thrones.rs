//! Titles for programs: who is paid for the best attacks and defenses of a case, and every change of hands. Public, and never with a text.

use super::games::number;
use super::market::thousandths;
use crate::corpus::dockets::{case, characters, every_case};
use crate::http::extract::Query;
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use commons::corpus::effectiveness::interval;
use engine::facts::Manner;
use engine::roster::Lang;
use serde::Deserialize;
use serde_json::{Value, json};
use store::ledger::thrones::{self, Change, Reign};

/// Changes on one page.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

#[derive(Deserialize, Default)]
pub struct ThronesQuery {
    case_id: Option<String>,
    cursor: Option<String>,
    limit: Option<String>,
}

/// What does best in a case, attacks on each character and their defenses, and who is paid for it. Until a title has changed hands that is
/// its author.
#[utoipa::path(get, path = "/api/thrones", tag = "economy",
    params(("case_id" = Option<String>, Query, description = "Only in this case")),
    responses((status = 200, description = "`{titles: [{case_id, character_id, asset_type, asset_hash, label, effectiveness, uses, worked, low, high, champion, champion_is, since, taken, mode}]}`; `mode` is how a defense was given, and null for an attack; `champion` is null unless `champion_is` is `player`, else it is `house` or `deleted`"), (status = 400)))]
pub async fn titles(State(house): State<House>, Query(query): Query<ThronesQuery>) -> Answer<axum::Json<Value>> {
    let cases: Vec<String> = match query.case_id.as_deref() {
        Some(id) => vec![known(id)?],
        None => every_case().into_iter().collect(),
    };
    let cases: Vec<(String, Vec<String>)> = cases.into_iter().map(|id| (id.clone(), characters(&id))).collect();
    let read = move |db: &_| {
        let mut titles = Vec::new();
        for (case, characters) in &cases {
            titles.extend(thrones::hall(db, case, characters)?);
        }
        Ok(titles)
    };
    let titles: Vec<Value> = house.store.read(read).await?.iter().map(told).collect();
    Ok(axum::Json(json!({"titles": titles})))
}

/// Every title that changed hands, newest first, with who lost it, who took it and by what.
#[utoipa::path(get, path = "/api/throne-events", tag = "economy",
    params(("case_id" = Option<String>, Query, description = "Only in this case"),
        ("cursor" = Option<u64>, Query, description = "The `next` of the page before"), ("limit" = Option<u32>, Query, description = "1 to 200")),
    responses((status = 200, description = "`{items: [{id, case_id, target_character, asset_type, asset_hash, label, effectiveness, previous_champion, previous_is, new_champion, new_is, challenger_hash, challenger_label, challenger_effectiveness, challenger_uses, trigger_event_id, created_at, url}], next}`; `trigger_event_id` is the row of the defense corpus in which the last of these uses met"), (status = 400)))]
pub async fn events(State(house): State<House>, Query(query): Query<ThronesQuery>) -> Answer<axum::Json<Value>> {
    let case = query.case_id.as_deref().map(known).transpose()?;
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(PAGE);
    let before = number("cursor", query.cursor.as_deref(), 1..=i64::MAX as usize)?.map_or(i64::MAX, |n| n as i64);
    let found = house.store.read(move |db| thrones::changes(db, case.as_deref(), before, limit)).await?;
    let next = found.last().filter(|_| found.len() == limit).map(|last| last.id);
    Ok(axum::Json(json!({"items": found.iter().map(changed).collect::<Vec<_>>(), "next": next})))
}

fn known(id: &str) -> Answer<String> {
    match case(Lang::En, id) {
        Some(case) => Ok(case.case_id.clone()),
        None => Err(Problem::bad(
            "INVALID_QUERY",
            format!("\"case_id\" is wrong: there is no case {:?}.", crate::http::extract::cut(id)),
        )),
    }
}

fn told(reign: &Reign) -> Value {
    let (low, high) = interval(reign.worked as u64, reign.uses as u64);
    json!({
        "case_id": reign.title.case_id, "character_id": reign.title.character_id, "asset_type": reign.title.asset.word(),
        "asset_hash": reign.hash, "label": reign.label, "effectiveness": thousandths(reign.effectiveness_e4),
        "uses": reign.uses, "worked": reign.worked, "low": thousandths(low.0), "high": thousandths(high.0), "champion": reign.champion.name(), "champion_is": reign.champion.word(),
        "since": reign.since.to_string(), "taken": reign.taken, "mode": reign.mode.map(Manner::word),
    })
}

fn changed(change: &Change) -> Value {
    json!({
        "id": change.id, "case_id": change.title.case_id, "target_character": change.title.character_id,
        "asset_type": change.title.asset.word(), "asset_hash": change.hash, "label": change.label,
        "effectiveness": thousandths(change.effectiveness_e4),
        "previous_champion": change.previous.name(), "previous_is": change.previous.word(),
        "new_champion": change.new.name(), "new_is": change.new.word(),
        "challenger_hash": change.challenger_hash, "challenger_label": change.challenger_label,
        "challenger_effectiveness": thousandths(change.challenger_e4), "challenger_uses": change.challenger_uses,
        "trigger_event_id": change.trigger_event_id, "created_at": change.at.to_string(),
        "url": format!("/case/{}/throne#event-{}", change.title.case_id, change.id),
    })
}
