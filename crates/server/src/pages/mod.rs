//! The pages a person sees: plain data and templates, and the handlers that fill them.
//!
//! A page decides nothing. It shows a viewer's own view, and its forms go through the same calls as the API.

pub mod admin;
pub mod around;
pub mod authors;
pub mod board;
pub mod case;
pub mod court;
pub mod courtroom;
mod desk;
pub mod dock;
pub mod docs;
pub mod error;
pub mod forms;
pub mod frame;
pub mod hearing;
pub mod horseshoe;
pub mod influence;
pub mod kinds;
pub mod lobby;
pub mod market;
pub mod meeting;
pub mod minutes;
pub mod packs;
pub mod papers;
pub mod people;
pub mod proceedings;
pub mod protocol;
pub mod public;
pub mod purse;
pub mod record;
pub mod replay;
pub mod scrub;
mod sign;
pub mod standings;
pub mod table;
pub mod tallies;
pub mod tell;
pub mod throne;
pub mod till;
pub mod trend;
mod visit;

use crate::http::auth::{self, Caller, GUEST_COOKIE, SESSION_COOKIE};
use crate::http::extract::Path;
use crate::http::extract::{LANG_COOKIE, language};
use crate::locale::Words;
use crate::play::House;
use crate::problem::{Answer, Problem};
use askama::Template;
use axum::Router;
use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use commons::ledger::purse::Purse;
use engine::chain::Hash;
use engine::roster::Lang;
use error::ErrorPage;
use frame::{Again, Frame, Refusal};
use store::ledger::purse;

const YEAR_S: u32 = 365 * 24 * 60 * 60;

/// Every page and form.
pub fn routes() -> Router<House> {
    Router::new()
        .route("/", get(visit::lobby))
        .route("/fragment", get(visit::lobby_fragment))
        .route("/games/{id}", get(visit::game))
        .route("/games/{id}/fragment", get(visit::game_fragment))
        .route("/games/{id}/influence", get(influence::show))
        .route("/games/{id}/replay", get(visit::replay))
        .route("/games/{id}/replay/fragment", get(visit::replay_fragment))
        .route("/leaderboard", get(standings::leaderboard))
        .route("/agents/{id}", get(standings::agent))
        .route("/market", get(market::market).post(market::put_up))
        .route("/market/unlist", post(market::take_back))
        .route("/case/{id}", get(case::case))
        .route("/packs/{id}", get(packs::pack))
        .route("/unlock", post(till::unlock))
        .route("/authors", get(authors::authors))
        .route("/case/{id}/throne", get(throne::throne))
        .route("/case/{id}/archive", get(public::archive))
        .route("/docs", get(visit::docs))
        .route("/docs/trolley", get(visit::docs_trolley))
        .route("/docs/trial", get(visit::docs_trial))
        .route("/docs/mercury", get(visit::docs_mercury))
        .route("/docs/tribunal", get(visit::docs_tribunal))
        .route("/docs/economy", get(visit::docs_economy))
        .route("/docs/agents", get(visit::docs_agents))
        .route("/docs/api", get(visit::docs_api))
        .route("/assets/{name}", get(asset))
        .route("/favicon.ico", get(favicon))
        .route("/play", get(desk::play_form).post(desk::play_now))
        .route("/new", get(desk::new_form).post(desk::new_table))
        .route("/games/{id}/act", post(desk::act))
        .route("/games/{id}/sit", post(desk::sit))
        .route("/games/{id}/fill", post(desk::fill))
        .route("/games/{id}/start", post(desk::start))
        .route("/games/{id}/leave", post(desk::leave))
        .route("/games/{id}/hand", post(desk::hand))
        .route("/games/{id}/take-back", post(desk::take_back))
        .route("/games/{id}/misheard", post(desk::misheard))
        .route("/report", get(desk::report_form).post(desk::report))
        .route("/lang", post(sign::language))
        .route("/login", get(sign::login_form).post(sign::login))
        .route("/register", get(sign::register_form).post(sign::register))
        .route("/logout", post(sign::logout))
        .route("/account", get(sign::account))
        .route("/account/keys", post(sign::make_key))
        .route("/account/keys/{id}/revoke", post(sign::revoke_key))
        .route("/account/password", post(sign::change_password))
        .route("/account/delete", post(sign::delete_account))
        .route("/admin", get(admin::admin))
        .route("/admin/grant", post(admin::grant))
        .route("/admin/reverse", post(admin::reverse))
        .route("/admin/pack", post(admin::pack))
        .route("/admin/moderation/{hash}", post(market::decide))
        .route("/admin/traces/{id}", get(admin::traces))
        .route("/admin/reports/{id}/resolve", post(sign::resolve_report))
}

/// Somebody at a page: who, in which language, and where.
struct Visit {
    house: House,
    caller: Caller,
    lang: Lang,
    /// The path and query of this page.
    path: String,
    /// Whether a script asked for the part that changes.
    wants_fragment: bool,
    base_url: String,
}

impl FromRequestParts<House> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Response> {
        let lang = language(&parts.headers);
        let path = parts.extensions.get::<OriginalUri>().map_or(&parts.uri, |uri| &uri.0);
        let path = path.path_and_query().map_or("/".to_owned(), ToString::to_string);
        let caller = Caller::from_request_parts(parts, house)
            .await
            .map_err(|problem| error_page(lang, None, &path, &problem))?;
        house.visited();
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        let base_url = house.settings.public_url.clone().unwrap_or_else(|| format!("http://{host}"));
        Ok(Visit {
            house: house.clone(),
            caller,
            lang,
            path,
            wants_fragment: parts.headers.contains_key("x-fragment"),
            base_url: base_url.trim_end_matches('/').to_owned(),
        })
    }
}

impl Visit {
    fn words(&self) -> Words {
        Words(self.lang)
    }

    async fn frame(&self, title: impl Into<String>) -> Frame {
        let account = self.caller.account.as_ref();
        Frame {
            balance: self.balance().await,
            user: account.map(|account| account.username.clone()),
            admin: account.is_some_and(|account| account.is_admin),
            ..Frame::new(self.lang, title, self.path.clone())
        }
    }

    /// What the account has: a look-up by key. A page that cannot tell says nothing of it.
    async fn balance(&self) -> Option<u64> {
        let account = self.caller.account.as_ref()?.id;
        self.house.store.read(move |db| purse(db, account)).await.ok().map(Purse::balance)
    }

    /// The page, or the page that says why not.
    fn show(&self, page: Answer<Response>) -> Response {
        let user = self.caller.account.as_ref().map(|account| account.username.clone());
        page.unwrap_or_else(|problem| error_page(self.lang, user, &self.path, &problem))
    }

    /// Makes sure that whoever plays without an account has a secret of its own; the cookie to set, if it is new.
    fn as_guest(&mut self) -> Answer<Option<HeaderValue>> {
        if self.caller.has_credential() {
            return Ok(None);
        }
        let secret = auth::new_secret(auth::GUEST_PREFIX)?;
        let cookie = self.cookie(GUEST_COOKIE, &secret, YEAR_S);
        self.caller.token = Some(secret);
        self.caller.by_cookie = true;
        Ok(Some(cookie))
    }

    fn cookie(&self, name: &str, value: &str, age_s: u32) -> HeaderValue {
        let secure = if self.base_url.starts_with("https://") { "; Secure" } else { "" };
        let cookie = format!("{name}={value}; Path=/; Max-Age={age_s}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::try_from(cookie).expect("our own names and secrets are plain ASCII")
    }

    fn session_cookie(&self, secret: &str, age_s: u32) -> HeaderValue {
        self.cookie(SESSION_COOKIE, secret, age_s)
    }
}

fn render(page: &impl Template) -> Answer<Response> {
    rendered(StatusCode::OK, page)
}

fn rendered(status: StatusCode, page: &impl Template) -> Answer<Response> {
    let html = page.render().map_err(Problem::ours)?;
    Ok((status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
}

fn error_page(lang: Lang, user: Option<String>, path: &str, problem: &Problem) -> Response {
    let words = Words(lang);
    let status = problem.status.as_u16();
    let frame = Frame { user, ..Frame::new(lang, status.to_string(), path) };
    let detail = Some(words.refused(problem.error, None, &problem.detail));
    let page = ErrorPage { frame, status, detail };
    rendered(problem.status, &page).unwrap_or_else(|problem| problem.into_response())
}

/// The same for addresses that are nowhere, when a browser asks.
pub fn nowhere(headers: &HeaderMap, path: &str, problem: &Problem) -> Response {
    error_page(language(headers), None, path, problem)
}

/// To another page of ours.
fn see_other(path: &str) -> Response {
    // Only paths of this house: a form must not send people elsewhere.
    let path = if path.starts_with('/') && !path.starts_with("//") && !path.contains('\\') { path } else { "/" };
    let to = HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A refusal as a form shows it again. Secrets are never written back into a page.
fn again(problem: &Problem, field: Option<&str>, fields: &[(String, String)]) -> Again {
    let draft = fields.iter().filter(|(name, _)| !name.contains("password")).cloned().collect();
    let named = problem.detail.strip_prefix("The field \"").and_then(|rest| rest.split('"').next());
    let field = field.or(named).map(str::to_owned);
    Again(Some(Refusal { code: problem.error.to_owned(), field, sentence: problem.detail.clone(), draft }))
}

#[derive(rust_embed::Embed)]
#[folder = "assets/"]
struct Assets;

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = Assets::get(&name) else {
        return Problem::not_found("NOT_FOUND", "There is no such file.").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let tag = format!("\"{}\"", &Hash::of(&file.data).to_string()[..24]);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::ETAG, tag)], file.data.into_owned()).into_response()
}

async fn favicon(headers: HeaderMap) -> Response {
    asset(Path("favicon.svg".to_owned()), headers).await
}
