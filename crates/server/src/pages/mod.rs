//! The pages a person sees: plain data and templates, and the handlers that fill them.
//!
//! A page decides nothing. It shows a viewer's own view, and its forms go through the same calls as the API.

pub mod admin;
pub mod docs;
mod games;
pub mod generic;
pub mod influence;
pub mod lobby;
pub mod market;
pub mod mercury;
pub mod people;
pub mod shared;
mod tables;
pub mod trial;
pub mod tribunal;
pub mod trolley;

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
use shared::error::ErrorPage;
use shared::frame::{Again, Frame, Refusal};
use store::ledger::purse;

const YEAR_S: u32 = 365 * 24 * 60 * 60;

/// Every page and form.
pub fn routes() -> Router<House> {
    Router::new()
        .route("/", get(games::lobby))
        .route("/fragment", get(games::lobby_fragment))
        .route("/games/{id}", get(games::game))
        .route("/games/{id}/fragment", get(games::game_fragment))
        .route("/games/{id}/influence", get(influence::show))
        .route("/games/{id}/replay", get(games::replay))
        .route("/games/{id}/replay/fragment", get(games::replay_fragment))
        .route("/leaderboard", get(people::standings::leaderboard))
        .route("/agents/{id}", get(people::standings::agent))
        .route("/market", get(market::market).post(market::put_up))
        .route("/market/unlist", post(market::take_back))
        .route("/case/{id}", get(market::case::case))
        .route("/packs/{id}", get(market::packs::pack))
        .route("/unlock", post(market::purchase::unlock))
        .route("/account/return", post(market::purchase::give_back))
        .route("/authors", get(market::authors::authors))
        .route("/case/{id}/throne", get(market::thrones::throne))
        .route("/case/{id}/archive", get(market::public::archive))
        .route("/docs", get(games::docs))
        .route("/docs/trolley", get(games::docs_trolley))
        .route("/docs/trial", get(games::docs_trial))
        .route("/docs/mercury", get(games::docs_mercury))
        .route("/docs/tribunal", get(games::docs_tribunal))
        .route("/docs/economy", get(games::docs_economy))
        .route("/docs/agents", get(games::docs_agents))
        .route("/docs/api", get(games::docs_api))
        .route("/assets/{name}", get(asset))
        .route("/favicon.ico", get(favicon))
        .route("/play", get(tables::play_form).post(tables::play_now))
        .route("/new", get(tables::new_form).post(tables::new_table))
        .route("/games/{id}/act", post(tables::act))
        .route("/games/{id}/sit", post(tables::sit))
        .route("/games/{id}/fill", post(tables::fill))
        .route("/games/{id}/start", post(tables::start))
        .route("/games/{id}/leave", post(tables::leave))
        .route("/games/{id}/hand", post(tables::hand))
        .route("/games/{id}/take-back", post(tables::take_back))
        .route("/games/{id}/misheard", post(tables::misheard))
        .route("/report", get(tables::report_form).post(tables::report))
        .route("/lang", post(people::accounts::language))
        .route("/login", get(people::accounts::login_form).post(people::accounts::login))
        .route("/register", get(people::accounts::register_form).post(people::accounts::register))
        .route("/logout", post(people::accounts::logout))
        .route("/account", get(people::accounts::account))
        .route("/account/keys", post(people::accounts::make_key))
        .route("/account/keys/{id}/revoke", post(people::accounts::revoke_key))
        .route("/account/password", post(people::accounts::change_password))
        .route("/account/delete", post(people::accounts::delete_account))
        .route("/admin", get(admin::admin))
        .route("/admin/grant", post(admin::grant))
        .route("/admin/reverse", post(admin::reverse))
        .route("/admin/pack", post(admin::pack))
        .route("/admin/moderation/{hash}", post(market::decide))
        .route("/admin/traces/{id}", get(admin::traces))
        .route("/admin/reports/{id}/resolve", post(people::accounts::resolve_report))
}

/// A visitor at a page: who, in which language, and where.
pub(crate) struct Visit {
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
            return_minutes: self.house.store.terms().return_minutes,
            user: account.map(|account| account.username.clone()),
            admin: account.is_some_and(|account| account.is_admin),
            ..Frame::new(self.lang, title, self.path.clone())
        }
    }

    /// The account's balance in IA, a look-up by key. A page that cannot read it leaves it out.
    async fn balance(&self) -> Option<u64> {
        let account = self.caller.account.as_ref()?.id;
        self.house.store.read(move |db| purse(db, account)).await.ok().map(Purse::balance)
    }

    /// The page, or the error page that says why not.
    fn show(&self, page: Answer<Response>) -> Response {
        let user = self.caller.account.as_ref().map(|account| account.username.clone());
        page.unwrap_or_else(|problem| error_page(self.lang, user, &self.path, &problem))
    }

    /// Makes sure that a player without an account has a secret; the cookie to set, if it is new.
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

/// The error page for an address that does not exist, when a browser asks.
pub fn nowhere(headers: &HeaderMap, path: &str, problem: &Problem) -> Response {
    error_page(language(headers), None, path, problem)
}

/// A redirect to another page of this house.
fn see_other(path: &str) -> Response {
    let to = HeaderValue::try_from(own_path(path)).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

/// The path if it leads to a page of this house, else the lobby. Browsers take a backslash for a slash and drop tabs and line breaks, so
/// `/<tab>/host` would lead to another site.
fn own_path(path: &str) -> &str {
    let misread = |letter: char| letter.is_control() || letter == '\\';
    if path.starts_with('/') && !path.starts_with("//") && !path.contains(misread) { path } else { "/" }
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A refusal as a form shows it again. Passwords are never written back into a page.
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

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn a_form_sends_people_nowhere_but_to_pages_of_this_house() {
        for path in ["/", "/account", "/games/1?from=%EA%B0%80#end", "/market?q=나"] {
            assert_eq!(own_path(path), path);
        }
        for path in [
            "",
            "//host",
            "/\\host",
            "/\t/host",
            "/\n/host",
            "/\r/host",
            "http://host",
            "javascript:1",
            "\t//host",
            "/a\0",
        ] {
            assert_eq!(own_path(path), "/", "{path:?}");
        }
    }
}
