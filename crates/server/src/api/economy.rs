//! IA for programs: what an account has, what it paid and was paid, and buying words.

use super::games::number;
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, Path, Query, cut, json_bytes};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use commons::ledger::sale::{NotReturned, return_ms};
use commons::ledger::ware::Ware;
use engine::id::AccountId;
use engine::parts::text;
use engine::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Db;
use store::StoreError;
use store::games::answers::Once;
use store::games::answers::{self, Earlier};
use store::ledger::owned;
use store::ledger::returns::{self, Returned};
use store::ledger::unlocks::{self, Bought, Order, Wanted};
use store::ledger::{self, Transfer, TransferNo};
use utoipa::ToSchema;

/// Longest id of something for sale.
const ID_LEN_MAX: usize = 64;
/// How many transfers are told at once.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

/// What to buy, and for how much.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Purchase {
    /// `attack` or `defense`.
    #[serde(rename = "type")]
    pub ware: String,
    /// The hash that the market or the archive shows.
    pub hash: String,
    /// The case in whose archive it stands; not needed for a defense.
    #[serde(default)]
    pub case_id: Option<String>,
    /// Against or by whom.
    pub character_id: String,
    /// The price you saw: if it has changed, nothing is bought and you are told. If left out, any price will do.
    #[serde(default)]
    pub price: Option<u64>,
}

/// Buy the words of an attack or a defense. What you own is free; with the same `Idempotency-Key` you get the first answer again.
#[utoipa::path(post, path = "/api/unlock", tag = "economy", request_body = Purchase,
    responses((status = 200, description = "`{unlock_id, unlock_type, unlock_target, paid_ia, bonus_ia, owned_before, returnable_until, balance, text}`"), (status = 400), (status = 401),
        (status = 404, description = "It is not for sale"),
        (status = 409, description = "`INSUFFICIENT_IA` with `price` and `balance`, `PRICE_CHANGED` with `price`, `GIVEN_BACK`, or `IDEMPOTENCY_KEY_REUSED`")))]
pub async fn unlock(
    State(house): State<House>,
    caller: Caller,
    key: Key,
    Json(body): Json<Purchase>,
) -> Answer<Response> {
    let buyer = caller.account()?.id;
    let wanted = wanted(&body)?;
    let once = key.once(&caller, "/api/unlock", &json!(body));
    Ok(json_bytes(buy(&house, buyer, wanted, body.price, once).await?).into_response())
}

/// What a body names, if it names something that could be for sale.
pub fn wanted(body: &Purchase) -> Answer<Wanted> {
    let id = |field: &str, value: &str| {
        text::checked_line(field, value, 1..=ID_LEN_MAX).map_err(|detail| Problem::bad("INVALID_BODY", detail))
    };
    let hash = id("hash", &body.hash)?.to_lowercase();
    let character_id = id("character_id", &body.character_id)?;
    match Ware::named(&body.ware) {
        Some(Ware::Attack) => {
            let case = body.case_id.as_deref().ok_or_else(|| {
                Problem::bad("INVALID_BODY", "The field \"case_id\" is missing: in which case's archive it stands.")
            })?;
            Ok(Wanted::Attack { hash, case_id: id("case_id", case)?, character_id })
        }
        Some(Ware::Defense) => Ok(Wanted::Defense { hash, character_id }),
        Some(Ware::Pack | Ware::Consult) | None => {
            let detail = format!("The field \"type\" must be attack or defense, not {:?}.", cut(&body.ware));
            Err(Problem::bad("INVALID_BODY", detail))
        }
    }
}

/// Buys something: the same for the API and the pages.
pub async fn buy(
    house: &House,
    buyer: AccountId,
    wanted: Wanted,
    price_seen: Option<u64>,
    once: Option<Once>,
) -> Answer<Bytes> {
    let order = Order { buyer, wanted, price_seen, at: house.now() };
    let done = house.store.write(move |db| bought(db, &order, once.as_ref())).await?;
    done.map(Bytes::from)
}

/// Buys once per idempotency key, and remembers the answer. A refusal changes nothing, so the purchase may be tried again.
fn bought(db: &Db, order: &Order, once: Option<&Once>) -> Result<Answer<Vec<u8>>, StoreError> {
    match once.map(|once| answers::earlier(db, once)).transpose()?.flatten() {
        Some(Earlier::Same(answer)) => return with_words(db, order, &answer).map(Ok),
        Some(Earlier::Other) => return Ok(Err(Problem::key_reused())),
        None => {}
    }
    let now = match unlocks::buy(db, order)? {
        Bought::Now { unlock, paid, .. } => Some((unlock, paid)),
        Bought::Owned => None,
        Bought::GivenBack => return Ok(Err(given_back())),
        Bought::Short(short) => return Ok(Err(Problem::short(short))),
        Bought::PriceChanged(price) => return Ok(Err(price_changed(price, order.price_seen))),
        Bought::Unknown => return Ok(Err(not_for_sale())),
    };
    let returnable_until = Timestamp(order.at.0 + return_ms(db.terms())).to_string();
    let told = json!({
        "unlock_id": now.map(|(unlock, _)| unlock), "unlock_type": order.wanted.ware().word(),
        "unlock_target": order.wanted.target(), "paid_ia": now.map_or(0, |(_, paid)| paid.amount),
        "bonus_ia": now.map_or(0, |(_, paid)| paid.bonus), "owned_before": now.is_none(),
        "returnable_until": now.map(|_| returnable_until), "balance": ledger::purse(db, order.buyer)?.balance(),
    });
    let answer = told.to_string().into_bytes();
    if let Some(once) = once {
        answers::remember(db, once, &answer, order.at)?;
    }
    with_words(db, order, &answer).map(Ok)
}

/// An answer with the words that were bought. They are not kept with it: they may have to be removed one day.
fn with_words(db: &Db, order: &Order, answer: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut told: Value = serde_json::from_slice(answer).map_err(|error| StoreError::Broken(error.to_string()))?;
    told["text"] = match &order.wanted {
        Wanted::Attack { hash, .. } | Wanted::Defense { hash, .. } => {
            json!(owned::words(db, order.buyer, hash)?)
        }
        Wanted::Pack { .. } => Value::Null,
    };
    Ok(told.to_string().into_bytes())
}

fn price_changed(price: u64, seen: Option<u64>) -> Problem {
    let detail = match seen {
        Some(seen) => {
            format!("The price has changed from {seen} to {price} IA; send the new one if you still want it.")
        }
        None => format!("The price is {price} IA."),
    };
    Problem::new(StatusCode::CONFLICT, "PRICE_CHANGED", detail).with("price", price).with("price_seen", seen)
}

fn given_back() -> Problem {
    let detail = "You have bought this before and given it back, so you cannot buy it again.";
    Problem::new(StatusCode::CONFLICT, "GIVEN_BACK", detail)
}

/// Give a purchase back. Within ten minutes, three times a day, and if you have not said the words since, you get what you paid, and the
/// words are no longer yours; you cannot buy them again. Sent twice, it gives back once.
#[utoipa::path(post, path = "/api/unlocks/{id}/return", tag = "economy", params(("id" = u64, Path, description = "The `unlock_id` of the purchase")),
    responses((status = 200, description = "`{returned_ia, balance}`; `returned_ia` is 0 if it was given back before"), (status = 401),
        (status = 404, description = "You have bought no such thing"),
        (status = 409, description = "`RETURN_TOO_LATE`, `USED_SINCE`, or `TOO_MANY_RETURNS`")))]
pub async fn give(State(house): State<House>, caller: Caller, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let account = caller.account()?.id;
    let (returned, balance) = give_back(&house, account, &id).await?;
    Ok(axum::Json(json!({"returned_ia": returned, "balance": balance})))
}

/// Gives a purchase back: the same for the API and the pages. Answers with what was returned and the balance.
pub async fn give_back(house: &House, account: AccountId, id: &str) -> Answer<(u64, u64)> {
    let unknown = || Problem::not_found("UNLOCK_NOT_FOUND", "You have bought nothing of that number.");
    let id: i64 = id.parse().map_err(|_| unknown())?;
    let now = house.now();
    let done = house.store.write(move |db| Ok((returns::give(db, account, id, now)?, ledger::purse(db, account)?)));
    let (returned, purse) = done.await?;
    let refused = |code, detail: String| Err(Problem::new(StatusCode::CONFLICT, code, detail));
    let terms = house.store.terms();
    match returned {
        Returned::Now(amount) => Ok((amount, purse.balance())),
        Returned::Before => Ok((0, purse.balance())),
        Returned::Unknown => Err(unknown()),
        Returned::Not(NotReturned::TooLate) => {
            let detail = format!("A purchase can be given back for {} minutes; they are over.", terms.return_minutes);
            refused("RETURN_TOO_LATE", detail)
        }
        Returned::Not(NotReturned::Used) => {
            refused("USED_SINCE", "You have used these words in a trial since you bought them.".to_owned())
        }
        Returned::Not(NotReturned::TooMany) => {
            let detail =
                format!("You have given back {} purchases today, as many as a day allows.", terms.returns_a_day_max);
            refused("TOO_MANY_RETURNS", detail)
        }
    }
}

fn not_for_sale() -> Problem {
    Problem::not_found("NOT_FOR_SALE", "There is nothing of that name for sale here.")
}

#[derive(Deserialize)]
pub struct LedgerQuery {
    cursor: Option<String>,
    limit: Option<String>,
}

/// What you have, and what you paid and were paid, newest first.
#[utoipa::path(get, path = "/api/me/ledger", tag = "economy",
    params(("cursor" = Option<u64>, Query, description = "The `next` of the page before"), ("limit" = Option<u32>, Query, description = "1 to 200")),
    responses((status = 200, description = "`{balance, bonus, items: [{id, amount, bonus, reason, reference, at}], next}`; what you paid is negative"), (status = 401)))]
pub async fn ledger(
    State(house): State<House>,
    caller: Caller,
    Query(query): Query<LedgerQuery>,
) -> Answer<axum::Json<Value>> {
    let account = caller.account()?.id;
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(PAGE);
    let before = number("cursor", query.cursor.as_deref(), 1..=i64::MAX as usize)?.map_or(i64::MAX, |n| n as i64);
    let read =
        move |db: &Db| Ok((ledger::purse(db, account)?, ledger::transfers_of(db, account, TransferNo(before), limit)?));
    let (purse, transfers) = house.store.read(read).await?;
    let next = transfers.last().filter(|_| transfers.len() == limit).map(|last| last.n.0);
    let items: Vec<Value> = transfers.iter().map(|transfer| told(transfer, account)).collect();
    Ok(axum::Json(json!({"balance": purse.balance(), "bonus": purse.bonus(), "items": items, "next": next})))
}

/// A transfer as its payer or payee sees it. Whose purchase a royalty comes from is not told.
fn told(transfer: &Transfer, account: AccountId) -> Value {
    let sign = if transfer.payer == account { -1 } else { 1 };
    json!({
        "id": transfer.n.0, "amount": sign * transfer.amount as i64, "bonus": sign * transfer.bonus as i64,
        "reason": transfer.reason.word(), "reference": transfer.reference, "at": transfer.at.to_string(),
    })
}
