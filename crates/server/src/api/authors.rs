//! The leaderboard of authors for programs.

use super::games::number;
use crate::http::extract::Query;
use crate::play::House;
use crate::problem::Answer;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use store::corpus::authors::{self, Author};

/// Authors on one page.
pub const PAGE: usize = 50;
const PAGE_MAX: usize = 100;
/// The last place from which a page may begin.
const PLACE_MAX: usize = 100_000;

#[derive(Deserialize, Default)]
pub struct AuthorsQuery {
    cursor: Option<String>,
    limit: Option<String>,
}

/// A page of authors.
pub struct Page {
    pub authors: Vec<Author>,
    /// How many come before it.
    pub after: usize,
    /// Where the next one begins.
    pub next: Option<usize>,
}

/// Who wrote what is used here: the best paid first, then those whose arguments did most.
#[utoipa::path(get, path = "/api/authors", tag = "economy",
    params(("cursor" = Option<u64>, Query, description = "The `next` of the page before"), ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{items: [{rank, alias, arguments, uses, lands, royalties_ia, thrones}], next}`; `lands` counts attacks that landed and defenses that were proved"), (status = 400)))]
pub async fn list(State(house): State<House>, Query(query): Query<AuthorsQuery>) -> Answer<axum::Json<Value>> {
    let page = page(&house, &query).await?;
    let told = |(place, one): (usize, &Author)| {
        json!({
            "rank": page.after + place + 1, "alias": one.alias, "arguments": one.arguments, "uses": one.uses,
            "lands": one.lands, "royalties_ia": one.royalties, "thrones": one.thrones,
        })
    };
    let items: Vec<Value> = page.authors.iter().enumerate().map(told).collect();
    Ok(axum::Json(json!({"items": items, "next": page.next})))
}

/// The page that a query asks for: the same for the API and the page.
pub async fn page(house: &House, query: &AuthorsQuery) -> Answer<Page> {
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(PAGE);
    let after = number("cursor", query.cursor.as_deref(), 0..=PLACE_MAX)?.unwrap_or(0);
    let mut authors = house.store.read(move |db| authors::page(db, after, limit + 1)).await?;
    let next = (authors.len() > limit).then_some(after + limit);
    authors.truncate(limit);
    Ok(Page { authors, after, next })
}
