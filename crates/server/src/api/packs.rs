//! Packs of defenses for programs: listing, buying and making them.

use super::economy::buy;
use super::market::thousandths;
use super::minds::moderator;
use crate::corpus::dockets as names;
use crate::corpus::packs::{self as making, Wish};
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, Query, cut, json_bytes};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use engine::facts::Manner;
use engine::id::AccountId;
use engine::parts::text;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::ledger::packs::{self, Pack, Packed};
use store::ledger::unlocks::Wanted;
use utoipa::ToSchema;

/// Longest id of a pack.
const ID_LEN_MAX: usize = 64;

#[derive(Deserialize)]
pub struct Deal {
    action: Option<String>,
    case_id: Option<String>,
    pack_id: Option<String>,
}

/// The packs that are for sale. With `pack_id` one of them with what is in it: labels and figures for everybody, words for accounts that
/// have bought it.
#[utoipa::path(get, path = "/api/character-pack", tag = "economy",
    params(("action" = Option<String>, Query, description = "`list`"),
        ("case_id" = Option<String>, Query, description = "Only in this case"),
        ("pack_id" = Option<String>, Query, description = "Only this one, with its defenses")),
    responses((status = 200, description = "`{packs: [{pack_id, character_id, case_id, name, description, price_ia, defenses, effectiveness, tag, owned, created_at}]}`; with `pack_id` also `items: [{defense_hash, label, effectiveness, uses, proved, mode, text, cited_evidence}]`"),
        (status = 400), (status = 404)))]
pub async fn list(State(house): State<House>, caller: Caller, Query(query): Query<Deal>) -> Answer<axum::Json<Value>> {
    if !matches!(query.action.as_deref(), None | Some("list")) {
        return Err(Problem::bad("INVALID_QUERY", "\"action\" must be list here; a purchase is a POST."));
    }
    let viewer = caller.account_id();
    if let Some(id) = query.pack_id {
        let (pack, items) = opened(&house, viewer, id).await?;
        let items: Vec<Value> = items.iter().map(told_packed).collect();
        return Ok(axum::Json(json!({"packs": [told(&pack)], "items": items})));
    }
    let unknown = |id: &&String| names::case(Lang::En, id).is_none();
    if let Some(id) = query.case_id.as_ref().filter(unknown) {
        let detail = format!("\"case_id\" must be a case of the Tribunal, not {:?}.", cut(id));
        return Err(Problem::bad("INVALID_QUERY", detail));
    }
    let packs = house.store.read(move |db| packs::packs(db, viewer, query.case_id.as_deref())).await?;
    Ok(axum::Json(json!({"packs": packs.iter().map(told).collect::<Vec<_>>()})))
}

/// A pack and what is in it: the same for the API and the page.
pub async fn opened(house: &House, viewer: Option<AccountId>, id: String) -> Answer<(Pack, Vec<Packed>)> {
    let found = house.store.read(move |db| {
        let Some(pack) = packs::pack(db, viewer, &id)? else { return Ok(None) };
        let items = packs::contents(db, viewer, &pack)?;
        Ok(Some((pack, items)))
    });
    found.await?.ok_or_else(|| Problem::not_found("PACK_NOT_FOUND", "There is no such pack."))
}

fn told(pack: &Pack) -> Value {
    json!({
        "pack_id": pack.id, "character_id": pack.character, "case_id": pack.case_id, "name": pack.name,
        "description": pack.description, "price_ia": pack.price, "defenses": pack.defenses,
        "effectiveness": thousandths(pack.effectiveness_e4), "tag": pack.tag, "owned": pack.owned,
        "created_at": pack.created_at.to_string(),
    })
}

fn told_packed(packed: &Packed) -> Value {
    json!({
        "defense_hash": packed.hash, "label": packed.label, "effectiveness": thousandths(packed.effectiveness_e4),
        "uses": packed.uses, "proved": packed.proved, "mode": packed.mode.map(Manner::word), "text": packed.text, "cited_evidence": packed.evidence,
    })
}

/// A pack to buy.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PackPurchase {
    /// The id that the list of packs shows.
    pub pack_id: String,
    /// The price you saw: if it has changed, nothing is bought and you are told. If left out, any price will do.
    #[serde(default)]
    pub price: Option<u64>,
}

/// Buy a pack: you may read all its defenses, and your intern is tagged with it. What you own is free; with the same `Idempotency-Key`
/// you get the first answer again.
#[utoipa::path(post, path = "/api/character-pack", tag = "economy", request_body = PackPurchase,
    params(("action" = String, Query, description = "`purchase`")),
    responses((status = 200, description = "`{unlock_id, unlock_type, unlock_target, paid_ia, bonus_ia, owned_before, returnable_until, balance, text}`"), (status = 400), (status = 401),
        (status = 404, description = "There is no such pack"),
        (status = 409, description = "`INSUFFICIENT_IA` with `price` and `balance`, `PRICE_CHANGED` with `price`, `GIVEN_BACK`, or `IDEMPOTENCY_KEY_REUSED`")))]
pub async fn purchase(
    State(house): State<House>,
    caller: Caller,
    key: Key,
    Query(query): Query<Deal>,
    Json(body): Json<PackPurchase>,
) -> Answer<Response> {
    let buyer = caller.account()?.id;
    if query.action.as_deref() != Some("purchase") {
        return Err(Problem::bad("INVALID_QUERY", "\"action\" must be purchase."));
    }
    let id = text::checked_line("pack_id", &body.pack_id, 1..=ID_LEN_MAX);
    let wanted = Wanted::Pack { id: id.map_err(|detail| Problem::bad("INVALID_BODY", detail))? };
    let once = key.once(&caller, "/api/character-pack", &json!(body));
    Ok(json_bytes(buy(&house, buyer, wanted, body.price, once).await?).into_response())
}

/// A pack to be made.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PackWish {
    /// The case they were given in.
    pub case_id: String,
    /// The character whose defenses are bound.
    pub character_id: String,
    /// 0 to 1000 IA; by default 50, or what its defenses cost one by one if that is less.
    #[serde(default)]
    pub price: Option<u64>,
    /// Up to 80 characters; by default it is named in the reader's language.
    #[serde(default)]
    pub name: Option<String>,
    /// Up to 300 characters; by default likewise.
    #[serde(default)]
    pub description: Option<String>,
}

/// Bind the best proved defenses of a character into a pack, twenty at most. The same defenses are bound once: if a pack has just these
/// in it, that one is the answer, with its own name and price. For moderators.
#[utoipa::path(post, path = "/api/admin/pack", tag = "economy", request_body = PackWish,
    responses((status = 201, description = "`{pack_id, tag, edition, name, price_ia, defenses, made_before}`"),
        (status = 200, description = "The same, with `made_before`: there is such a pack, and nothing was made"), (status = 400), (status = 401), (status = 403),
        (status = 409, description = "`NOTHING_PROVED`: there is nothing to put into it; or `IDEMPOTENCY_KEY_REUSED`")))]
pub async fn make(
    State(house): State<House>,
    caller: Caller,
    key: Key,
    Json(body): Json<PackWish>,
) -> Answer<Response> {
    moderator(&caller)?;
    let curator = caller.account()?.id;
    let once = key.once(&caller, "/api/admin/pack", &json!(body));
    let wish = Wish {
        case_id: body.case_id,
        character_id: body.character_id,
        price: body.price,
        name: body.name,
        description: body.description,
    };
    let made = making::make(&house.store, wish, Some(curator), once, house.now()).await?;
    let status = if made.made_before { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, axum::Json(made)).into_response())
}
