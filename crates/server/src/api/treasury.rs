//! The house's purse for moderators.

use super::minds::moderator;
use crate::corpus::treasury::{self, Gift};
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, json_bytes};
use crate::play::House;
use crate::problem::Answer;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// IA to be given to an account.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Grant {
    /// The account that receives it, by its username.
    pub username: String,
    /// 1 to 1000000 IA.
    pub amount: u64,
    /// Whether it is a bonus: spent first, and what is paid with it carries no royalty.
    #[serde(default)]
    pub bonus: bool,
    /// What for, in up to 200 characters; it stands in the account's ledger.
    #[serde(default)]
    pub note: Option<String>,
}

/// A transfer to be taken back.
#[derive(Deserialize, ToSchema)]
pub struct Reversal {
    /// The number of the transfer to reverse, as the ledger lists it.
    pub transfer: i64,
}

/// Give IA to an account, once per `Idempotency-Key`. For moderators.
#[utoipa::path(post, path = "/api/admin/grant", tag = "economy", request_body = Grant,
    responses((status = 201, description = "`{transfer, username, amount, bonus, balance}`"), (status = 400), (status = 401), (status = 403),
        (status = 404, description = "`USER_NOT_FOUND`"), (status = 409, description = "`IDEMPOTENCY_KEY_REUSED`")))]
pub async fn grant(State(house): State<House>, caller: Caller, key: Key, Json(body): Json<Grant>) -> Answer<Response> {
    moderator(&caller)?;
    Ok((StatusCode::CREATED, json_bytes(give(&house, &caller, key, body).await?.into())).into_response())
}

/// Gives IA: the same for the API and the page.
pub async fn give(house: &House, caller: &Caller, key: Key, body: Grant) -> Answer<Vec<u8>> {
    let once = key.once(caller, "/api/admin/grant", &json!(body));
    let gift =
        Gift { username: body.username, amount: body.amount, bonus: body.bonus, note: body.note.unwrap_or_default() };
    treasury::grant(&house.store, gift, once, house.now()).await
}

/// Take a transfer back by a new one the other way round, if the payee still has as much. What was read stays readable. For moderators.
#[utoipa::path(post, path = "/api/admin/reverse", tag = "economy", request_body = Reversal,
    responses((status = 201, description = "`{transfer, reverses}`"), (status = 400), (status = 401), (status = 403), (status = 404, description = "`TRANSFER_NOT_FOUND`"),
        (status = 409, description = "`ALREADY_REVERSED`, `IS_REVERSAL`, or `INSUFFICIENT_IA` with `price` and `balance`")))]
pub async fn reverse(State(house): State<House>, caller: Caller, Json(body): Json<Reversal>) -> Answer<Response> {
    moderator(&caller)?;
    let by = treasury::reverse(&house.store, body.transfer, house.now()).await?;
    Ok((StatusCode::CREATED, axum::Json(json!({"transfer": by.0, "reverses": body.transfer}))).into_response())
}

/// Faucets and sinks by reason, what was minted and taken back, what is in circulation, and what the house has. For moderators.
#[utoipa::path(get, path = "/api/admin/economy", tag = "economy",
    responses((status = 200, description = "`{minted, taken, in_circulation, house_balance, flows: [{reason, transfers, minted, taken}]}`"), (status = 401), (status = 403)))]
pub async fn economy(State(house): State<House>, caller: Caller) -> Answer<axum::Json<Value>> {
    moderator(&caller)?;
    Ok(axum::Json(treasury::economy(&house.store).await?.told()))
}
