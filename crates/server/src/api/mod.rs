//! The JSON API. Handlers are thin: read the request, ask who is calling, call the write path or look something up.

pub mod accounts;
pub mod games;
pub mod record;
pub mod system;
pub mod trolley;

use crate::auth::Caller;
use crate::house::House;
use crate::play::Once;
use crate::problem::{Answer, BODY_BYTES_MAX, Problem};
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use engine::chain::Hash;
use engine::id::GameId;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longest idempotency key.
const KEY_LEN_MAX: usize = 200;

/// A JSON object from a request body, as `T`. Unknown fields are ignored; a wrong type is a 400 naming the field.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &House) -> Result<Self, Problem> {
        Ok(Json(parse(&read_body(request.into_body()).await?)?))
    }
}

/// A body that may be left out; then it counts as an empty object.
pub struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &House) -> Result<Self, Problem> {
        let bytes = read_body(request.into_body()).await?;
        let bytes = if bytes.trim_ascii().is_empty() { Bytes::from_static(b"{}") } else { bytes };
        Ok(OptionalJson(parse(&bytes)?))
    }
}

/// The bytes of a body, if there are not too many.
pub async fn read_body(body: Body) -> Answer<Bytes> {
    to_bytes(body, BODY_BYTES_MAX).await.map_err(|_| Problem::too_large())
}

/// Reads a JSON object.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Answer<T> {
    if bytes.trim_ascii().is_empty() {
        return Err(Problem::bad("BODY_MISSING", "A JSON object is expected in the body, such as {}."));
    }
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::bad("INVALID_BODY", "The body must be a JSON object, such as {}."));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let detail = match inner.classify() {
            serde_json::error::Category::Data if path != "." => format!("The field \"{path}\" is wrong: {inner}."),
            serde_json::error::Category::Data => format!("The body is wrong: {inner}."),
            _ => format!("The body is not valid JSON: {inner}."),
        };
        Problem::bad("INVALID_BODY", detail)
    })?;
    reader.end().map_err(|error| Problem::bad("INVALID_BODY", format!("The body is not valid JSON: {error}.")))?;
    Ok(value)
}

/// The id in a path; anything else is an unknown game.
pub fn game_id(text: &str) -> Answer<GameId> {
    text.parse().map_err(|_| Problem::no_game())
}

/// The idempotency key of a request, if it has one.
pub fn once(headers: &HeaderMap, caller: &Caller, path: &str, body: &Value) -> Answer<Option<Once>> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key =
        key.to_str().ok().map(str::trim).filter(|key| (1..=KEY_LEN_MAX).contains(&key.len())).ok_or_else(|| {
            let detail = format!("Idempotency-Key must be 1 to {KEY_LEN_MAX} plain characters.");
            Problem::bad("INVALID_IDEMPOTENCY_KEY", detail)
        })?;
    // Written out again, so that spacing and the order of fields do not make another request of it.
    let request = Hash::of(format!("{path}\n{body}").as_bytes()).0;
    Ok(Some(Once { caller: caller.fingerprint(), key: key.to_owned(), request }))
}

/// JSON bytes that are made already.
pub fn json_bytes(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}
