//! Making packs, for whoever runs the house.

use super::Json;
use super::minds::moderator;
use crate::auth::Caller;
use crate::house::House;
use crate::packs::{self, Wish};
use crate::problem::Answer;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// A pack to be made.
#[derive(Deserialize, ToSchema)]
pub struct PackWish {
    /// From which case.
    pub case_id: String,
    /// Whose defences.
    pub character_id: String,
    /// 0 to 1000 IA; 50 if it is left out.
    #[serde(default)]
    pub price: Option<u64>,
    /// Up to 80 characters; left out, it is named in the language of whoever reads it.
    #[serde(default)]
    pub name: Option<String>,
    /// Up to 300 characters; left out, likewise.
    #[serde(default)]
    pub description: Option<String>,
}

/// Bind the best proved defences of a character into a pack, twenty at most. For moderators.
#[utoipa::path(post, path = "/api/admin/pack", tag = "economy", request_body = PackWish,
    responses((status = 201, description = "`{pack_id, tag, edition, name, defenses}`"), (status = 400), (status = 401), (status = 403),
        (status = 409, description = "`NOTHING_PROVED`: there is nothing to put into it")))]
pub async fn make(State(house): State<House>, caller: Caller, Json(body): Json<PackWish>) -> Answer<Response> {
    moderator(&caller)?;
    let curator = caller.account()?.id;
    let wish = Wish {
        case_id: body.case_id,
        character_id: body.character_id,
        price: body.price,
        name: body.name,
        description: body.description,
    };
    let made = packs::make(&house.store, wish, Some(curator), house.now()).await?;
    let told = json!({
        "pack_id": made.pack_id, "tag": made.tag, "edition": made.edition, "name": made.name, "defenses": made.defenses,
    });
    Ok((StatusCode::CREATED, axum::Json(told)).into_response())
}
