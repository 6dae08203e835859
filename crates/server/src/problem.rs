//! How the server says no: RFC 9457 problem details with a sentence for a person and a code for a program.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use commons::ledger::purse::Short;
use engine::rules::{Fault, Refused};
use serde_json::{Map, Value, json};
use std::time::Duration;
use store::StoreError;

/// Largest body of a request.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// The field that says when to try again; it becomes the header `Retry-After` as well.
const RETRY_AFTER_S: &str = "retry_after_s";

/// A request that was not carried out, and why.
#[derive(Debug, Clone)]
pub struct Problem {
    pub status: StatusCode,
    pub error: &'static str,
    pub detail: String,
    /// Further fields of the answer, such as `expected_action` and `hint`.
    pub extra: Map<String, Value>,
}

pub type Answer<T> = Result<T, Problem>;

impl Problem {
    pub fn new(status: StatusCode, error: &'static str, detail: impl Into<String>) -> Self {
        Problem { status, error, detail: detail.into(), extra: Map::new() }
    }

    /// The request itself is wrong.
    pub fn bad(error: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, detail)
    }

    /// No credential, or one that is not valid here.
    pub fn unauthorized(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", detail)
    }

    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", detail)
    }

    pub fn not_found(error: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error, detail)
    }

    pub fn no_game() -> Self {
        Self::not_found("GAME_NOT_FOUND", "Game not found")
    }

    pub fn too_large() -> Self {
        let detail = format!("The body is larger than {BODY_BYTES_MAX} bytes, or broke off.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE", detail)
    }

    /// Too often; `detail` says what, without a full stop.
    pub fn too_many(wait: Duration, detail: &str) -> Self {
        let wait_s = wait.as_secs() + 1;
        Self::new(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS", format!("{detail}; try again in {wait_s} s."))
            .with(RETRY_AFTER_S, wait_s)
    }

    pub fn key_reused() -> Self {
        let detail = "This Idempotency-Key was used for another request; use a new key.";
        Self::new(StatusCode::CONFLICT, "IDEMPOTENCY_KEY_REUSED", detail)
    }

    /// The balance is below the price.
    pub fn short(short: Short) -> Self {
        Self::new(StatusCode::CONFLICT, "INSUFFICIENT_IA", short.to_string())
            .with("price", short.price)
            .with("balance", short.balance)
    }

    /// Our own mistake; the details go to the log, not to the caller.
    pub fn ours(what: impl std::fmt::Display) -> Self {
        tracing::error!(%what, "internal error");
        metrics::counter!("moot_internal_errors_total").increment(1);
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL",
            "Something went wrong on our side; nothing was changed.",
        )
    }

    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let status = match refused.fault {
            Fault::Broken => StatusCode::BAD_REQUEST,
            Fault::Unknown => StatusCode::NOT_FOUND,
            Fault::NoAccount => StatusCode::UNAUTHORIZED,
            Fault::NotYours => StatusCode::FORBIDDEN,
            Fault::Conflict => StatusCode::CONFLICT,
        };
        Problem::new(status, refused.code, refused.sentence)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let busy = |detail: &str| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", detail);
        match error {
            StoreError::Taken(what) => Problem::new(StatusCode::CONFLICT, "TAKEN", format!("{what} is taken already.")),
            StoreError::Short(short) => Problem::short(short),
            StoreError::Conflict => {
                Problem::new(StatusCode::CONFLICT, "CONFLICT", "The game moved on meanwhile; look again and retry.")
            }
            StoreError::Full => busy("The disk is full, so nothing can be stored right now; reading still works."),
            StoreError::Stopping => busy("The server is stopping; try again in a moment."),
            StoreError::Damaged(what) | StoreError::Broken(what) => Problem::ours(what),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut body = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "detail": self.detail,
            "error": self.error,
        });
        let retry_after = self.extra.get(RETRY_AFTER_S).and_then(Value::as_u64);
        if let Value::Object(fields) = &mut body {
            fields.extend(self.extra);
        }
        let kind = HeaderValue::from_static("application/problem+json");
        let mut response = (self.status, [(header::CONTENT_TYPE, kind)], body.to_string()).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait_s) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, wait_s.into());
        }
        response
    }
}
