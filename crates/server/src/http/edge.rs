//! What every request passes: limits, origin check, security headers, counters.

use crate::http::auth;
use crate::play::House;
use crate::problem::{BODY_BYTES_MAX, Problem};
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use metrics::{Counter, Histogram};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

const CSP: &str = "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The one layer around every route.
pub async fn pass(State(house): State<House>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (parts, body) = request.into_parts();
    let body = taken_in(&parts.headers, body).await;
    let address = auth::address(&parts, &house);
    let credential = parts.headers.get(header::AUTHORIZATION).or_else(|| parts.headers.get("x-api-key"));
    let signing_in = matches!(parts.uri.path(), "/api/auth/login" | "/api/auth/register" | "/login" | "/register");
    let left = house.limits.check(address, credential.map(HeaderValue::as_bytes), signing_in);
    let wait_s = left.as_ref().and_then(|left| left.wait_s);
    let mut response = match (wait_s, foreign_origin(&house, &method, &parts.headers)) {
        (Some(wait_s), _) => too_many(wait_s),
        (_, true) => Problem::forbidden("This request comes from a page of another site.").into_response(),
        (_, false) => next.run(Request::from_parts(parts, body)).await,
    };
    let headers = response.headers_mut();
    if let Some(left) = left {
        headers.insert("ratelimit-limit", left.limit.get().into());
        headers.insert("ratelimit-remaining", left.remaining.into());
    }
    secure(headers);
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    count(&method, route, response.status(), started.elapsed());
    response
}

/// Reads a small body whole before anything is decided: a connection whose request was answered unread cannot be used again.
async fn taken_in(headers: &HeaderMap, body: Body) -> Body {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    match length {
        Some(1..=BODY_BYTES_MAX) => match to_bytes(body, BODY_BYTES_MAX).await {
            Ok(bytes) => bytes.into(),
            // Broken off: the handler that reads it gets the error.
            Err(error) => Body::from_stream(futures_util::stream::once(async { Err::<bytes::Bytes, _>(error) })),
        },
        Some(_) | None => body,
    }
}

/// The counters for one method and status of a route.
struct Counted {
    method: Method,
    status: StatusCode,
    requests: Counter,
    seconds: Histogram,
}

thread_local! {
    /// Looking a counter up by its labels costs more than counting; each thread keeps those it has used.
    static COUNTED: RefCell<HashMap<String, Vec<Counted>>> = RefCell::default();
}

fn count(method: &Method, route: &str, status: StatusCode, took: Duration) {
    COUNTED.with_borrow_mut(|counted| {
        if !counted.contains_key(route) {
            counted.insert(route.to_owned(), Vec::new());
        }
        let Some(answers) = counted.get_mut(route) else { return };
        let known = answers.iter().position(|known| known.status == status && known.method == *method);
        let known = known.unwrap_or_else(|| {
            let labels =
                [("method", method.to_string()), ("route", route.to_owned()), ("status", status.as_u16().to_string())];
            answers.push(Counted {
                method: method.clone(),
                status,
                requests: metrics::counter!("moot_http_requests_total", &labels[..]),
                seconds: metrics::histogram!("moot_http_request_seconds", &labels[..2]),
            });
            answers.len() - 1
        });
        answers[known].requests.increment(1);
        answers[known].seconds.record(took);
    });
}

fn too_many(wait_s: u64) -> Response {
    let problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "TOO_MANY_REQUESTS",
        format!("Too many requests; try again in {wait_s} s."),
    );
    let mut response = problem.into_response();
    response.headers_mut().insert(header::RETRY_AFTER, wait_s.into());
    response
}

/// Whether a page of another site sent this. Browsers say where a request comes from; other programs say nothing and carry no cookies by
/// accident.
fn foreign_origin(house: &House, method: &Method, headers: &HeaderMap) -> bool {
    let upgrades = headers.contains_key(header::UPGRADE);
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) && !upgrades {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()) else {
        return headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    };
    if house.settings.public_url.as_deref().is_some_and(|url| url.trim_end_matches('/') == origin) {
        return false;
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    origin.split_once("://").map(|(_, rest)| rest) != Some(host)
}

fn secure(headers: &mut HeaderMap) {
    const SAME: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ];
    headers.reserve(SAME.len() + 1);
    for (name, value) in SAME {
        headers.insert(name, value);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
}
