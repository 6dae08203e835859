//! What handlers read from a request: JSON, paths, queries, languages, idempotency keys.

use super::auth::{Caller, cookie};
use crate::play::House;
use crate::problem::{Answer, BODY_BYTES_MAX, Problem};
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use engine::chain::Hash;
use engine::erased::Kind;
use engine::id::GameId;
use engine::roster::Lang;
use games::catalog::Catalog;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::games::answers::Once;

const KEY_LEN_MAX: usize = 200;

/// A JSON object from a request body, as `T`. Unknown fields are ignored; a wrong type is a 400 naming the field.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &House) -> Result<Self, Problem> {
        Ok(Json(parse(&read_body(request.into_body()).await?)?))
    }
}

/// The parameters in a path; a 404 if they cannot be read.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<House> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let read = axum::extract::Path::from_request_parts(parts, house).await;
        read.map(|path| Path(path.0)).map_err(|_| Problem::not_found("NOT_FOUND", "There is nothing at this address."))
    }
}

/// The parameters in a query; a 400 if they cannot be read.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<House> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let read = axum::extract::Query::from_request_parts(parts, house).await;
        read.map(|query| Query(query.0))
            .map_err(|error| Problem::bad("INVALID_QUERY", format!("The query is wrong: {}.", cut(&error.body_text()))))
    }
}

/// The beginning of a caller's words, for quoting them in a sentence.
pub fn cut(text: &str) -> String {
    const QUOTED_LEN_MAX: usize = 160;
    if text.chars().count() <= QUOTED_LEN_MAX {
        return text.to_owned();
    }
    text.chars().take(QUOTED_LEN_MAX).chain(['…']).collect()
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

pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Answer<T> {
    if bytes.trim_ascii().is_empty() {
        return Err(Problem::bad("BODY_MISSING", "A JSON object is expected in the body, such as {}."));
    }
    if std::str::from_utf8(bytes).is_err() {
        return Err(Problem::bad("INVALID_BODY", "The body is not valid UTF-8."));
    }
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::bad("INVALID_BODY", "The body must be a JSON object, such as {}."));
    }
    serde_json::from_slice(bytes).map_err(|error| Problem::bad("INVALID_BODY", body_fault::<T>(bytes, &error)))
}

/// What is wrong with a body; it is read a second time to find the field.
fn body_fault<T: DeserializeOwned>(bytes: &[u8], error: &serde_json::Error) -> String {
    let said = cut(&error.to_string());
    if error.classify() != serde_json::error::Category::Data {
        return format!("The body is not valid JSON: {said}.");
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let field = serde_path_to_error::deserialize::<_, T>(&mut reader).err().map(|error| error.path().to_string());
    match field.filter(|field| field != ".") {
        Some(field) => format!("The field \"{}\" is wrong: {said}.", cut(&field)),
        None => format!("The body is wrong: {said}."),
    }
}

/// Parses the id of a game; anything else is an unknown game.
pub fn game_id(text: &str) -> Answer<GameId> {
    text.parse().map_err(|_| Problem::no_game())
}

/// The kind of that name, the catalog's first if none is given, or a 400.
pub fn kind_or_first(catalog: Catalog, name: Option<&str>) -> Answer<Kind> {
    let first = || catalog.iter().next().expect("a server referees at least one kind");
    name.map_or_else(|| Ok(first()), |name| kind(catalog, name))
}

/// The kind of that name, or a 400.
pub fn kind(catalog: Catalog, name: &str) -> Answer<Kind> {
    catalog.by_name(name).ok_or_else(|| {
        let known: Vec<&str> = catalog.iter().map(|kind| kind.meta.name).collect();
        let detail = format!("There is no kind of game called {:?}; there is: {}.", cut(name), known.join(", "));
        Problem::bad("UNKNOWN_GAME_TYPE", detail)
    })
}

/// The language in which the caller wants sentences.
pub struct Language(pub Lang);

impl FromRequestParts<House> for Language {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Problem> {
        Ok(Language(language(&parts.headers)))
    }
}

/// Holds the language that was chosen.
pub const LANG_COOKIE: &str = "moot_lang";

/// The caller's language: the chosen one, else what the browser prefers.
pub fn language(headers: &HeaderMap) -> Lang {
    match cookie(headers, LANG_COOKIE).as_deref() {
        Some("ko") => Lang::Ko,
        Some(_) => Lang::En,
        None => {
            let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
            let first = wanted.split(',').map(str::trim).find(|tag| tag.starts_with("ko") || tag.starts_with("en"));
            if first.is_some_and(|tag| tag.starts_with("ko")) { Lang::Ko } else { Lang::En }
        }
    }
}

/// The `Idempotency-Key` of a request, if it has one.
pub struct Key(pub Option<String>);

impl FromRequestParts<House> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Problem> {
        let Some(key) = parts.headers.get("idempotency-key") else { return Ok(Key(None)) };
        let key = key.to_str().ok().map(str::trim).filter(|key| (1..=KEY_LEN_MAX).contains(&key.len()));
        let key = key.ok_or_else(|| {
            let detail = format!("Idempotency-Key must be 1 to {KEY_LEN_MAX} plain characters.");
            Problem::bad("INVALID_IDEMPOTENCY_KEY", detail)
        })?;
        Ok(Key(Some(key.to_owned())))
    }
}

impl Key {
    /// Identifies this request, if it asks to take effect only once.
    pub fn once(self, caller: &Caller, path: &str, body: &Value) -> Option<Once> {
        let key = self.0?;
        // Sorted and written out again, so that spacing and the order of fields do not make it a different request.
        let mut body = body.clone();
        body.sort_all_objects();
        let request = Hash::of(format!("{path}\n{body}").as_bytes()).0;
        Some(Once { caller: caller.fingerprint(), key, request })
    }
}

/// An answer of JSON that is rendered already.
pub fn json_bytes(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}
