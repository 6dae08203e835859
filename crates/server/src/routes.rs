//! Every URL of the API in one list; the path and method of each stand in the attribute above its handler.

use crate::api::{
    accounts, advance, agents, authors, cases, corpus, economy, games, market, minds, packs, php, record, seats,
    streams, system, thrones, treasury, trolley,
};
use crate::http::edge;
use crate::pages;
use crate::play::House;
use crate::problem::{BODY_BYTES_MAX, Problem};
use ::games::catalog::Catalog;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use engine::erased::Kind;
use serde_json::{Value, json};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(title = "Moot", description = "One arena for argument games between people and AI agents."),
    tags(
        (name = "games", description = "Games of every kind: create, sit down, look, act"),
        (name = "trolley", description = "Trolley Problem Arena's own paths"),
        (name = "mercury", description = "The Mercury Game's own calls"),
        (name = "record", description = "What was said and what happened"),
        (name = "live", description = "Watching as it happens"),
        (name = "accounts", description = "Accounts, sessions and API keys"),
        (name = "agents", description = "Agents, what they have played, and the leaderboards"),
        (name = "corpus", description = "Arguments and defenses with what came of them, the market, and what outside games report"),
        (name = "economy", description = "IA: what is earned, what is bought, and who is paid"),
        (name = "system", description = "Health, metrics, reports"),
    )
)]
struct Document;

/// The JSON API and the document that describes it.
pub fn api() -> (Router<House>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Document::openapi())
        // games
        .routes(routes!(games::create, games::list))
        .routes(routes!(games::meta))
        .routes(routes!(seats::join))
        .routes(routes!(games::metadata))
        .routes(routes!(seats::register))
        .routes(routes!(seats::fill))
        .routes(routes!(seats::leave))
        .routes(routes!(seats::hand))
        .routes(routes!(seats::take_back))
        .routes(routes!(seats::start))
        .routes(routes!(games::state))
        .routes(routes!(games::action))
        .routes(routes!(games::open_actions))
        .routes(routes!(minds::costs))
        // trolley
        .routes(routes!(trolley::argue))
        .routes(routes!(trolley::decide))
        .routes(routes!(advance::advance))
        .routes(routes!(record::scoreboard))
        .routes(routes!(record::history))
        .routes(routes!(advance::review))
        .routes(routes!(trolley::demo))
        // record
        .routes(routes!(record::feed))
        .routes(routes!(record::whole))
        .routes(routes!(record::events))
        .routes(routes!(record::result))
        .routes(routes!(record::influence))
        .routes(routes!(record::misheard))
        // live
        .routes(routes!(streams::socket))
        .routes(routes!(streams::stream))
        // accounts
        .routes(routes!(accounts::register))
        .routes(routes!(accounts::login))
        .routes(routes!(accounts::logout))
        .routes(routes!(accounts::me, accounts::delete_me))
        .routes(routes!(accounts::password))
        .routes(routes!(accounts::new_key))
        .routes(routes!(accounts::keys))
        .routes(routes!(accounts::revoke_key))
        // agents
        .routes(routes!(agents::register))
        .routes(routes!(agents::me))
        .routes(routes!(agents::leaderboard))
        .routes(routes!(agents::one))
        // corpus
        .routes(routes!(market::browse, market::offer))
        .routes(routes!(market::mine))
        .routes(routes!(corpus::defense_corpus))
        .routes(routes!(corpus::argument_event))
        .routes(routes!(corpus::defense_event))
        .routes(routes!(market::queue))
        .routes(routes!(market::decide))
        .routes(routes!(php::browse, php::offer))
        .routes(routes!(php::defense_corpus))
        .routes(routes!(php::argument_event))
        .routes(routes!(php::defense_event))
        // economy
        .routes(routes!(economy::unlock))
        .routes(routes!(economy::give))
        .routes(routes!(economy::ledger))
        .routes(routes!(cases::archive))
        .routes(routes!(packs::list, packs::purchase))
        .routes(routes!(php::argument_archive))
        .routes(routes!(php::packs, php::purchase))
        .routes(routes!(packs::make))
        .routes(routes!(treasury::grant))
        .routes(routes!(treasury::reverse))
        .routes(routes!(treasury::economy))
        .routes(routes!(authors::list))
        .routes(routes!(thrones::titles))
        .routes(routes!(thrones::events))
        // system
        .routes(routes!(system::healthz))
        .routes(routes!(system::readyz))
        .routes(routes!(system::prometheus))
        .routes(routes!(system::openapi))
        .routes(routes!(system::report))
        .routes(routes!(minds::all))
        .split_for_parts()
}

pub fn all(house: House) -> Router {
    let (api, document) = api();
    house.document.get_or_init(|| with_options(document, house.settings.catalog));
    api.merge(pages::routes())
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(house.clone(), edge::pass))
        .with_state(house)
}

/// The document as JSON, with the options that each kind declares among the fields of a new game.
fn with_options(document: utoipa::openapi::OpenApi, catalog: Catalog) -> Value {
    let mut document = serde_json::to_value(document).expect("an OpenAPI document serialises");
    let fields = &mut document["components"]["schemas"]["NewGame"]["properties"];
    for option in catalog.iter().flat_map(|kind| kind.meta.options) {
        let has_it = |kind: &Kind| kind.meta.options.iter().any(|known| known.name == option.name);
        let kinds: Vec<&str> = catalog.iter().filter(has_it).map(|kind| kind.meta.name).collect();
        let description = format!("{} For {}.", option.about, kinds.join(" and "));
        fields[option.name] = json!({"type": [option.json, "null"], "description": description});
    }
    document
}

/// Answers a path that matches no route: a page for browsers, a problem for programs.
async fn nowhere(uri: Uri, headers: HeaderMap) -> Response {
    let problem =
        Problem::not_found("NOT_FOUND", "There is nothing at this address; the API is described at /docs/api.");
    let browser = headers
        .get(header::ACCEPT)
        .and_then(|kinds| kinds.to_str().ok())
        .is_some_and(|kinds| kinds.contains("text/html"));
    if browser && !uri.path().starts_with("/api/") {
        pages::nowhere(&headers, uri.path(), &problem)
    } else {
        problem.into_response()
    }
}

/// Answers a path that exists, but not with this method.
async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "METHOD_NOT_ALLOWED",
        "This address takes another method; see /docs/api.",
    )
}
