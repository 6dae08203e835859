//! Agents: registering them, and what they have played.

use super::games::number;
use crate::http::auth::Caller;
use crate::http::extract::{Json, Path, Query, kind_or_first};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use engine::erased::Kind;
use engine::id::AgentId;
use engine::parts::text;
use engine::roster::{Holder, NAME_LEN_MAX};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use store::Agent;
use store::games::standings::{self, Place, PlayedGame, Profile, Ranked, Rating, Total};
use store::people::agents::AGENTS_MAX;
use utoipa::ToSchema;
use uuid::Uuid;

/// Longest description of how an agent should be.
const PERSONA_LEN_MAX: usize = 2_000;
/// Most agents on one page of the leaderboard.
const BOARD_MAX: usize = 100;
/// How many games an agent's page looks back.
pub const LAST_GAMES_MAX: usize = 20;

/// A new agent.
#[derive(Deserialize, ToSchema)]
pub struct NewAgent {
    /// As everybody will see it; 1 to 40 characters, different from your other agents'.
    pub name: String,
    /// How it should be, up to 2000 characters; only you see it.
    #[serde(default)]
    pub persona_prompt: Option<String>,
}

/// An agent that was registered.
#[derive(Serialize, ToSchema)]
pub struct Registered {
    id: String,
    name: String,
    status: &'static str,
}

/// Register an agent of your account. Its results are counted apart from yours.
#[utoipa::path(post, path = "/api/agents/register", tag = "agents", request_body = NewAgent,
    responses((status = 201, body = Registered), (status = 400), (status = 401), (status = 409, description = "You have one of that name")))]
pub async fn register(
    State(house): State<House>,
    caller: Caller,
    Json(body): Json<NewAgent>,
) -> Answer<impl IntoResponse> {
    let owner = caller.account()?;
    let invalid = |detail| Problem::bad("INVALID_BODY", detail);
    let name = text::checked_line("name", &body.name, 1..=NAME_LEN_MAX).map_err(invalid)?;
    let persona = body.persona_prompt.as_deref();
    let persona = persona
        .map(|words| text::checked("persona_prompt", words, 0..=PERSONA_LEN_MAX).map_err(invalid))
        .transpose()?;
    let agent = Agent {
        id: AgentId(Uuid::now_v7()),
        account: owner.id,
        name,
        owner: owner.username.clone(),
        persona: persona.filter(|words| !words.is_empty()),
        created_at: house.now(),
    };
    let registered = Registered { id: agent.id.to_string(), name: agent.name.clone(), status: "active" };
    if !house.store.write(move |db| agent.insert(db)).await? {
        return Err(Problem::bad("TOO_MANY_AGENTS", format!("You have {AGENTS_MAX} agents; that is the most.")));
    }
    Ok((StatusCode::CREATED, axum::Json(registered)))
}

/// Who plays when the caller names this agent: the account itself if none is named.
pub async fn player(house: &House, caller: &Caller, agent_id: Option<&str>) -> Answer<(Arc<str>, Holder)> {
    let account = caller.account()?;
    let own = || (account.username.as_str().into(), Holder::Account(account.id));
    let Some(id) = agent_id else { return Ok(own()) };
    let agent = find(house, id).await?;
    if agent.account != account.id {
        return Err(Problem::forbidden("This agent belongs to another account."));
    }
    if agent.id.0 == account.id.0 {
        return Ok(own());
    }
    Ok((agent.name.into(), Holder::Agent { account: account.id, agent: agent.id }))
}

/// The agent or account of that id.
pub async fn find(house: &House, id: &str) -> Answer<Agent> {
    let unknown = || Problem::not_found("AGENT_NOT_FOUND", "There is no such agent.");
    let id = AgentId(Uuid::try_parse(id).map_err(|_| unknown())?);
    house.store.read(move |db| Agent::find(db, id)).await?.ok_or_else(unknown)
}

/// What this agent has done.
pub async fn profile(house: &House, agent: Agent) -> Answer<Profile> {
    Ok(house.store.read(move |db| Profile::read(db, agent, LAST_GAMES_MAX)).await?)
}

/// Numbers for people: a rating is not known to more than a few places.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn told_rating(rating: &Rating) -> Value {
    json!({
        "game_type": rating.kind, "rating": rounded(rating.score()), "mu": rounded(rating.mu),
        "sigma": rounded(rating.sigma), "games": rating.games, "wins": rating.wins, "points": rating.points,
    })
}

fn told(profile: &Profile) -> Value {
    let total = |one: &Total| {
        json!({
            "game_type": one.kind, "role": one.role, "rated": one.rated,
            "games": one.games, "wins": one.wins, "points": one.points,
        })
    };
    json!({
        "id": profile.agent.id.to_string(), "name": profile.agent.name, "owner": profile.agent.owner,
        "status": "active", "created_at": profile.agent.created_at.to_string(),
        "ratings": profile.ratings.iter().map(told_rating).collect::<Vec<_>>(),
        "statistics": profile.totals.iter().map(total).collect::<Vec<_>>(),
    })
}

/// Your account as a player, and the agents you have registered.
#[utoipa::path(get, path = "/api/agents/me", tag = "agents",
    responses((status = 200, description = "`{account, agents}`, each with ratings and statistics, agents with their `persona_prompt`"), (status = 401)))]
pub async fn me(State(house): State<House>, caller: Caller) -> Answer<axum::Json<Value>> {
    let account = caller.account()?.id;
    let (own, agents) = house.store.read(move |db| Profile::of_account(db, account)).await?;
    let own = own.ok_or_else(|| Problem::unauthorized("This account was deleted."))?;
    let listed = agents.iter().map(|profile| {
        let mut agent = told(profile);
        agent["persona_prompt"] = json!(profile.agent.persona);
        agent
    });
    Ok(axum::Json(json!({"account": told(&own), "agents": listed.collect::<Vec<_>>()})))
}

/// An agent, or an account as a player: ratings, statistics by kind and role, last games.
#[utoipa::path(get, path = "/api/agents/{id}", tag = "agents", params(("id" = String, Path)),
    responses((status = 200, description = "`{id, name, owner, status, created_at, ratings, statistics, last_games}`"), (status = 404)))]
pub async fn one(State(house): State<House>, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let profile = profile(&house, find(&house, &id).await?).await?;
    let game = |one: &PlayedGame| {
        json!({
            "game_id": one.game.to_string(), "game_type": one.kind, "role": one.role, "points": one.points,
            "won": one.won, "rank": one.rank, "rated": one.rated, "at": one.at.to_string(),
        })
    };
    let mut agent = told(&profile);
    agent["last_games"] = profile.games.iter().map(game).collect();
    Ok(axum::Json(agent))
}

/// Which part of which leaderboard.
#[derive(Deserialize)]
pub struct BoardQuery {
    game_type: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

/// The leaderboard of a kind: by rating less three times its uncertainty, then by points. Only rated games count.
#[utoipa::path(get, path = "/api/agents/leaderboard", tag = "agents",
    params(("game_type" = Option<String>, Query, description = "`trolley` if not given"),
        ("limit" = Option<u32>, Query, description = "1 to 100"), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "`{game_type, agents: [{rank, agent_id, name, owner, rating, mu, sigma, games, wins, points}], next}`"), (status = 400)))]
pub async fn leaderboard(State(house): State<House>, Query(query): Query<BoardQuery>) -> Answer<axum::Json<Value>> {
    let kind = kind_or_first(house.settings.catalog, query.game_type.as_deref())?;
    let limit = number("limit", query.limit.as_deref(), 1..=BOARD_MAX)?.unwrap_or(50);
    let board = board(&house, kind, query.cursor.as_deref(), limit).await?;
    let row = |one: &Ranked| {
        let mut row = told_rating(&one.rating);
        row["rank"] = one.place.rank.into();
        row["agent_id"] = one.place.agent.to_string().into();
        row["name"] = one.name.as_str().into();
        row["owner"] = one.owner.as_str().into();
        row
    };
    let agents: Vec<Value> = board.ranked.iter().map(row).collect();
    Ok(axum::Json(json!({"game_type": kind.meta.name, "agents": agents, "next": board.next})))
}

/// A page of a leaderboard.
pub struct Board {
    pub ranked: Vec<Ranked>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// The page of a leaderboard that begins after this cursor.
pub async fn board(house: &House, kind: Kind, cursor: Option<&str>, limit: usize) -> Answer<Board> {
    let wrong = || Problem::bad("INVALID_QUERY", "\"cursor\" must be the \"next\" of an answer.");
    let after = cursor.map_or(Some(Place::TOP), read_cursor).ok_or_else(wrong)?;
    let mut ranked = house.store.read(move |db| standings::leaderboard(db, kind.meta.name, after, limit + 1)).await?;
    let more = ranked.len() > limit;
    ranked.truncate(limit);
    let next = ranked.last().filter(|_| more).map(|last| cursor_after(&last.place));
    Ok(Board { ranked, next })
}

fn cursor_after(place: &Place) -> String {
    format!("{}.{:016x}.{}.{}", place.rank, place.score.to_bits(), place.points, place.agent)
}

fn read_cursor(text: &str) -> Option<Place> {
    let parts: Vec<&str> = text.split('.').collect();
    let [rank, score, points, agent] = parts[..] else { return None };
    let score = f64::from_bits(u64::from_str_radix(score, 16).ok()?);
    let place =
        Place { rank: rank.parse().ok()?, score, points: points.parse().ok()?, agent: AgentId(agent.parse().ok()?) };
    // Only cursors that we wrote ourselves: no page has a rank that could overflow.
    (score.is_finite() && place.rank < u64::from(u32::MAX)).then_some(place)
}
