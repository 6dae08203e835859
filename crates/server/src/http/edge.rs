//! What every request passes: deadline of the body, host, limits, who is calling, origin, security headers, counters.

use crate::http::auth::{self, Caller};
use crate::play::House;
use crate::problem::{Answer, BODY_BYTES_MAX, Problem};
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use metrics::{Counter, Histogram};
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

const CSP: &str = "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The one layer around every route.
pub async fn pass(State(house): State<House>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (mut parts, body) = request.into_parts();
    let mut left = None;
    let admitted = async {
        let body = taken_in(&house, &parts.headers, body).await?;
        left = admit(&house, &mut parts).await?;
        Ok(Request::from_parts(parts, body))
    };
    let mut response = match admitted.await {
        Ok(request) => next.run(request).await,
        Err(problem) => Problem::into_response(problem),
    };
    let headers = response.headers_mut();
    if let Some((limit, remaining)) = left {
        headers.insert("ratelimit-limit", limit.into());
        headers.insert("ratelimit-remaining", remaining.into());
    }
    secure(headers);
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    count(&method, route, response.status(), started.elapsed());
    response
}

/// Finds out who is calling and whether the request may go on; returns the most that the caller may ask for at once and what is left of it.
async fn admit(house: &House, parts: &mut Parts) -> Answer<Option<(u32, u32)>> {
    if foreign_host(house, parts) {
        let detail = "This server does not go by that name; its operator names its address with --public-url.";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "UNKNOWN_HOST", detail));
    }
    let address = auth::address(parts, house);
    let too_many = |wait| Problem::too_many(wait, "Too many requests");
    house.limits.address(address).map_err(too_many)?;
    let caller = auth::caller(&parts.headers, address, house).await;
    // A credential that is not good does not make a caller of its own: inventing one for each request would lift every limit.
    let account = caller.as_ref().ok().and_then(Caller::account_id);
    let left = house.limits.caller(address, account);
    if let Some(wait) = left.as_ref().and_then(|left| left.wait) {
        return Err(too_many(wait));
    }
    if foreign_origin(house, parts) {
        return Err(Problem::forbidden("This request comes from a page of another site."));
    }
    parts.extensions.insert(caller);
    Ok(left.map(|left| (left.limit, left.remaining)))
}

/// Reads a small body whole before anything is decided: a connection whose request was answered unread cannot be used again.
async fn taken_in(house: &House, headers: &HeaderMap, body: Body) -> Answer<Body> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > BODY_BYTES_MAX) {
        return Err(Problem::too_large());
    }
    let deadline = Duration::from_secs(house.settings.limits.body_s);
    match tokio::time::timeout(deadline, whole(body)).await {
        Ok(body) => body.map(Body::from),
        Err(_) => {
            let detail = format!("The body did not arrive within {} s.", deadline.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TOO_SLOW", detail))
        }
    }
}

/// A body in one piece. Each piece is copied: kept as it came, a single byte would hold on to the whole buffer that it was read into.
async fn whole(body: Body) -> Answer<Bytes> {
    let mut bytes = BytesMut::new();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| Problem::too_large())?;
        if bytes.len() + piece.len() > BODY_BYTES_MAX {
            return Err(Problem::too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.freeze())
}

/// The methods that are counted by name: a client may invent others, and every name is kept for ever.
static METHODS: [Method; 7] =
    [Method::GET, Method::POST, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH];

/// The counters for one method and status of a route.
struct Counted {
    method: &'static str,
    status: StatusCode,
    requests: Counter,
    seconds: Histogram,
}

thread_local! {
    /// Looking a counter up by its labels costs more than counting; each thread keeps those it has used.
    static COUNTED: RefCell<HashMap<String, Vec<Counted>>> = RefCell::default();
}

fn count(method: &Method, route: &str, status: StatusCode, took: Duration) {
    let method = METHODS.iter().find(|known| *known == method).map_or("other", Method::as_str);
    COUNTED.with_borrow_mut(|counted| {
        if !counted.contains_key(route) {
            counted.insert(route.to_owned(), Vec::new());
        }
        let Some(answers) = counted.get_mut(route) else { return };
        let known = answers.iter().position(|known| known.status == status && known.method == method);
        let known = known.unwrap_or_else(|| {
            let labels =
                [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.as_u16().to_string())];
            answers.push(Counted {
                method,
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

/// Whether the request was meant for a server of another name: a page of another site could have its own name point here. Addresses in
/// digits cannot be pointed anywhere.
fn foreign_host(house: &House, parts: &Parts) -> bool {
    let named = parts.headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let Some(host) = parts.uri.authority().map(Authority::as_str).or(named) else { return false };
    let Ok(host) = host.parse::<Authority>() else { return true };
    let host = host.host().to_ascii_lowercase();
    let in_digits = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let public = house.settings.public_url.as_deref().and_then(|url| url.parse::<Uri>().ok());
    let is_public = public.as_ref().and_then(Uri::host).is_some_and(|public| public.eq_ignore_ascii_case(&host));
    !(in_digits || is_public || host == "localhost" || host.ends_with(".localhost"))
}

/// Whether a page of another site sent this. Browsers say where a request comes from; other programs say nothing and carry no cookies by
/// accident.
fn foreign_origin(house: &House, parts: &Parts) -> bool {
    let headers = &parts.headers;
    let upgrades = headers.contains_key(header::UPGRADE);
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) && !upgrades {
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
