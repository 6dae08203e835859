//! The corpus and its archive under the names that some clients use: the same calls, ending in `.php`.

use super::cases::{self, ArchiveQuery};
use super::corpus::{self, ArgumentEvent, DefenseEvent, DefensesQuery};
use super::market::{self, Action, Listing, MarketQuery};
use super::packs::{self, Deal, PackPurchase};
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, Language, Query};
use crate::play::House;
use crate::problem::Answer;
use axum::extract::State;
use axum::response::Response;
use serde_json::Value;

/// The same as `/api/argument-event`.
#[utoipa::path(post, path = "/api/argument-event.php", tag = "corpus", request_body = ArgumentEvent,
    responses((status = 201, description = "As there")))]
pub async fn argument_event(
    house: State<House>,
    caller: Caller,
    key: Key,
    body: Json<ArgumentEvent>,
) -> Answer<Response> {
    corpus::argument_event(house, caller, key, body).await
}

/// The same as `/api/defense-event`.
#[utoipa::path(post, path = "/api/defense-event.php", tag = "corpus", request_body = DefenseEvent,
    responses((status = 201, description = "As there")))]
pub async fn defense_event(
    house: State<House>,
    caller: Caller,
    key: Key,
    body: Json<DefenseEvent>,
) -> Answer<Response> {
    corpus::defense_event(house, caller, key, body).await
}

/// The same as `/api/defense-corpus`.
#[utoipa::path(get, path = "/api/defense-corpus.php", tag = "corpus", responses((status = 200, description = "As there")))]
pub async fn defense_corpus(
    house: State<House>,
    caller: Caller,
    query: Query<DefensesQuery>,
) -> Answer<axum::Json<Value>> {
    corpus::defense_corpus(house, caller, query).await
}

/// The same as `/api/marketplace`.
#[utoipa::path(get, path = "/api/marketplace.php", tag = "corpus", responses((status = 200, description = "As there")))]
pub async fn browse(house: State<House>, caller: Caller, query: Query<MarketQuery>) -> Answer<axum::Json<Value>> {
    market::browse(house, caller, query).await
}

/// The same as `/api/marketplace`.
#[utoipa::path(post, path = "/api/marketplace.php", tag = "corpus", request_body = Listing,
    responses((status = 201, description = "As there")))]
pub async fn offer(
    house: State<House>,
    caller: Caller,
    language: Language,
    query: Query<Action>,
    body: Json<Listing>,
) -> Answer<Response> {
    market::offer(house, caller, language, query, body).await
}

/// The same as `/api/argument-archive`.
#[utoipa::path(get, path = "/api/argument-archive.php", tag = "economy", responses((status = 200, description = "As there")))]
pub async fn argument_archive(
    house: State<House>,
    caller: Caller,
    query: Query<ArchiveQuery>,
) -> Answer<axum::Json<Value>> {
    cases::archive(house, caller, query).await
}

/// The same as `/api/character-pack`.
#[utoipa::path(get, path = "/api/character-pack.php", tag = "economy", responses((status = 200, description = "As there")))]
pub async fn packs(house: State<House>, caller: Caller, query: Query<Deal>) -> Answer<axum::Json<Value>> {
    packs::list(house, caller, query).await
}

/// The same as `/api/character-pack`.
#[utoipa::path(post, path = "/api/character-pack.php", tag = "economy", request_body = PackPurchase,
    responses((status = 200, description = "As there")))]
pub async fn purchase(
    house: State<House>,
    caller: Caller,
    key: Key,
    query: Query<Deal>,
    body: Json<PackPurchase>,
) -> Answer<Response> {
    packs::purchase(house, caller, key, query, body).await
}
