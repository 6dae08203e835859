//! Games of every kind: creating, listing, looking, acting.

use crate::corpus::owners;
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, OptionalJson, Path, Query, cut, game_id, json_bytes, kind_or_first};
use crate::http::watch::wait_past;
use crate::minds;
use crate::play::House;
use crate::play::limits::network;
use crate::play::live::{self, Table};
use crate::play::needs::may_pay;
use crate::play::{self, Plan};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::erased::{AnyGame, Kind};
use engine::game::Logged;
use engine::id::{Inner, Seat};
use engine::roster::{Holder, Lang, Level, Terms};
use engine::rules::{Actor, Viewer};
use engine::time::Timestamp;
use games::catalog::Catalog;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::GameFilter;
use store::GameListed;
use store::GameNo;
use store::games as stored;
use utoipa::ToSchema;

/// Longest wait of a poll.
const WAIT_S_MAX: f64 = 30.0;
/// Most games on one page of a list.
const LIST_MAX: usize = 100;
const TURN_LIMIT_S: std::ops::RangeInclusive<u32> = 5..=86_400;
const SEED_LEN_MAX: usize = 200;
const PACE_MS_MAX: u32 = 60_000;

/// A new game; each kind reads its own options beside these.
#[derive(Default, Deserialize, ToSchema)]
pub struct NewGame {
    /// `trolley` if not given.
    #[serde(default)]
    pub game_type: Option<String>,
    /// A seed of your own makes it a practice game: unrated.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub seed: Option<Value>,
    /// After this many seconds of silence a house mind plays the turn.
    #[serde(default)]
    pub turn_limit_s: Option<u32>,
    /// `public` or `unlisted`.
    #[serde(default)]
    pub visibility: Option<String>,
    /// House minds take all seats but one.
    #[serde(default)]
    pub fill: Option<bool>,
    /// The language house minds speak: `en` or `ko`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub lang: Option<Value>,
    /// How long house minds think, in milliseconds.
    #[serde(default)]
    pub pace_ms: Option<u32>,
    /// How strong house minds are: `novice`, `usual` or `expert`. A chosen level makes it a practice game; dealt if not given.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub level: Option<Value>,
    /// What plays its AI seats: `house`, or a model this server offers, such as `anthropic:MODEL`.
    #[serde(default)]
    pub mind: Option<String>,
    /// The same for single seats, by their number from 0.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub minds: Option<BTreeMap<String, String>>,
    /// The kind's own options: the API document has them from [`engine::rules::Meta::options`].
    #[serde(flatten)]
    #[schema(ignore)]
    pub options: Map<String, Value>,
}

/// Create a game.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, description = "`{game_id, game_type, status, open}`, where `open` says whether seats may be taken without a credential; in the Tribunal without an account also `player_token`, the only key to the prosecutor's seat"), (status = 400), (status = 401)))]
pub async fn create(
    State(house): State<House>,
    caller: Caller,
    OptionalJson(mut body): OptionalJson<NewGame>,
) -> Answer<Response> {
    if caller.account.is_none() && (caller.has_credential() || !house.settings.open_tables) {
        return Err(Problem::unauthorized(
            "Creating a game here needs an account: register, make an API key and send it as \"Authorization: Bearer YOUR_KEY\".",
        ));
    }
    with_usual_options(&house, &mut body)?;
    let table = found(&house, &caller, &body).await?;
    let mut answer = created(&table);
    if table.shown().game.meta().solo {
        let alone = body.options.get("opponent").and_then(Value::as_str) != Some("player");
        let token = seat_player(&house, &table, &caller, alone).await?;
        answer = created(&table);
        if let Some(token) = token {
            answer["player_token"] = token.into();
        }
    }
    Ok((StatusCode::CREATED, axum::Json(answer)).into_response())
}

/// Adds the options that a table made over the API has if they are not given; null is given.
pub fn with_usual_options(house: &House, body: &mut NewGame) -> Answer<()> {
    let kind = kind_or_first(house.settings.catalog, body.game_type.as_deref())?;
    if let Value::Object(usual) = (kind.meta.api_options)() {
        for (name, value) in usual {
            body.options.entry(name).or_insert(value);
        }
    }
    Ok(())
}

/// Seats the creator of a one-player game in the player's seat: as an account, or with a token that is the only key to it.
async fn seat_player(house: &House, table: &Arc<Table>, caller: &Caller, alone: bool) -> Answer<Option<String>> {
    let token = match &caller.account {
        Some(_) => None,
        None => Some(crate::http::auth::new_secret("player_")?),
    };
    let name = caller.account.as_ref().map_or("Player", |account| account.username.as_str()).to_owned();
    let seat = super::seats::RegisterAgent { display_name: name, token: token.clone() };
    super::seats::sit(house, table, caller, &seat, None).await?;
    if alone {
        let seats = table.shown().game.seating().seats_max;
        super::seats::fill_up(house, table, seats).await?;
    }
    Ok(token)
}

fn created(table: &Table) -> Value {
    let shown = table.shown();
    json!({
        "game_id": table.id.to_string(), "game_type": shown.game.kind(),
        "status": shown.game.status(), "open": shown.game.terms().open,
    })
}

/// Founds a game as a request asks for it.
pub async fn found(house: &House, caller: &Caller, body: &NewGame) -> Answer<Arc<Table>> {
    let host = caller.account_id();
    let open = !caller.has_credential();
    let kind = kind_or_first(house.settings.catalog, body.game_type.as_deref())?;
    let unlisted = match body.visibility.as_deref() {
        None | Some("public") => false,
        Some("unlisted") => true,
        Some(_) => return Err(Problem::bad("INVALID_BODY", "The field \"visibility\" must be public or unlisted.")),
    };
    if body.turn_limit_s.is_some_and(|s| !TURN_LIMIT_S.contains(&s)) {
        let detail = format!("The field \"turn_limit_s\" must be {} to {}.", TURN_LIMIT_S.start(), TURN_LIMIT_S.end());
        return Err(Problem::bad("INVALID_BODY", detail));
    }
    if body.pace_ms.is_some_and(|ms| ms > PACE_MS_MAX) {
        return Err(Problem::bad("INVALID_BODY", format!("The field \"pace_ms\" must be at most {PACE_MS_MAX}.")));
    }
    let seed = match &body.seed {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if (1..=SEED_LEN_MAX).contains(&text.len()) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(_) => return Err(Problem::bad("INVALID_BODY", "The field \"seed\" must be a short string or a number.")),
    };
    check_options(house.settings.catalog, kind, &body.options)?;
    let lang: Lang = match &body.lang {
        None | Some(Value::Null) => Lang::default(),
        Some(lang) => serde_json::from_value(lang.clone())
            .map_err(|_| Problem::bad("INVALID_BODY", "The field \"lang\" must be \"en\" or \"ko\"."))?,
    };
    let level: Option<Level> = serde_json::from_value(body.level.clone().unwrap_or_default())
        .map_err(|_| Problem::bad("INVALID_BODY", "The field \"level\" must be novice, usual or expert."))?;
    let mind = body.mind.as_deref().map(|text| super::minds::chosen(house, text)).transpose()?;
    let mut options = Value::Object(body.options.clone());
    options["lang"] = json!(lang);
    let last = (kind.seating)(&options)?.seats_max - 1;
    let seat_mind = |(seat, text): (&String, &String)| {
        let known = seat.parse().ok().filter(|seat| usize::from(*seat) <= last).map(Seat);
        let seat = known.ok_or_else(|| {
            let detail = format!(
                "The field \"minds\" names seats by their number, here 0 to {last}, as in {{\"1\": \"house\"}}; there is no seat {:?}.",
                cut(seat)
            );
            Problem::bad("INVALID_BODY", detail)
        })?;
        Ok((seat, super::minds::chosen(house, text)?))
    };
    let minds = body.minds.iter().flatten().map(seat_mind).collect::<Answer<_>>()?;
    let terms = Terms {
        host,
        open,
        unlisted,
        turn_limit_s: body.turn_limit_s,
        pace_ms: body.pace_ms.unwrap_or(0),
        lang,
        level,
        mind,
        minds,
        ..Terms::default()
    };
    house.limits.table(caller.address, caller.account_id())?;
    let opened_from = Some(network(caller.address));
    let table = play::found(house, Plan { kind, options: &options, terms, seed, opened_from, then: vec![] }).await?;
    // In a one-player game the creator sits down first and the rest is filled anyway.
    if body.fill == Some(true) && !kind.meta.solo {
        // One seat is left for the creator.
        let seats = table.shown().game.seating().seats_min.saturating_sub(1);
        super::seats::fill_up(house, &table, seats).await?;
    }
    Ok(table)
}

/// Options of every kind are checked, whichever is played; what they mean is for their kind to say.
fn check_options(catalog: Catalog, kind: Kind, options: &Map<String, Value>) -> Answer<()> {
    let wrong = |detail: String| Err(Problem::bad("INVALID_BODY", detail));
    for (name, value) in options.iter().filter(|(_, value)| !value.is_null()) {
        let option = |kind: &Kind| kind.meta.options.iter().find(|option| option.name == name);
        let found = cut(&value.to_string());
        if let Some(own) = option(&kind) {
            if !own.own_words && !(own.accepts)(value) {
                return wrong(format!("The field \"{name}\" must be {}, not {found}.", own.expected));
            }
            continue;
        }
        let owners: Vec<Kind> = catalog.iter().filter(|kind| option(kind).is_some()).collect();
        let Some(other) = owners.first().and_then(option) else { continue };
        let names: Vec<&str> = owners.iter().map(|kind| kind.meta.title).collect();
        let (has, names) = (if names.len() == 1 { "has" } else { "have" }, names.join(" and "));
        if other.only_here {
            return wrong(format!("Only {names} {has} the field \"{name}\", and this would be {}.", kind.meta.title));
        }
        if !(other.accepts)(value) {
            return wrong(format!(
                "The field \"{name}\" must be {} (and is for {names}), not {found}.",
                other.expected
            ));
        }
    }
    Ok(())
}

/// Which games to list.
#[derive(Deserialize)]
pub struct ListQuery {
    status: Option<String>,
    game_type: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

/// List games, newest first. The next page is in the `Link` header.
#[utoipa::path(get, path = "/api/games", tag = "games",
    params(("status" = Option<String>, Query), ("game_type" = Option<String>, Query),
        ("limit" = Option<u32>, Query, description = "1 to 100"), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "Array of `{id, game_type, status, created_at, ...}`")))]
pub async fn list(State(house): State<House>, Query(query): Query<ListQuery>) -> Answer<Response> {
    let limit = number("limit", query.limit.as_deref(), 1..=LIST_MAX)?.unwrap_or(50);
    let before = number("cursor", query.cursor.as_deref(), 1..=i64::MAX as usize)?.map(|n| GameNo(n as i64));
    let filter = GameFilter {
        status: query.status.clone(),
        kind: query.game_type.clone(),
        before,
        limit,
        ..GameFilter::default()
    };
    let games = house.store.read(move |db| stored::list(db, &filter)).await?;
    let mut response = axum::Json(games.iter().map(listed).collect::<Vec<_>>()).into_response();
    if let Some(last) = games.last().filter(|_| games.len() == limit) {
        let mut next = format!("</api/games?limit={limit}&cursor={}", last.no.0);
        for (name, value) in [("status", &query.status), ("game_type", &query.game_type)] {
            if let Some(value) = value {
                next.push_str(&format!("&{name}={value}"));
            }
        }
        if let Ok(link) = HeaderValue::try_from(format!("{next}>; rel=\"next\"")) {
            response.headers_mut().insert(header::LINK, link);
        }
    }
    Ok(response)
}

/// A number in a query, or a sentence that says what it must be.
pub fn number(name: &str, text: Option<&str>, range: std::ops::RangeInclusive<usize>) -> Answer<Option<usize>> {
    let Some(text) = text else { return Ok(None) };
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => {
            let detail = format!("\"{name}\" must be a whole number from {} to {}.", range.start(), range.end());
            Err(Problem::bad("INVALID_QUERY", detail))
        }
    }
}

fn listed(game: &GameListed) -> Value {
    json!({
        "id": game.id.to_string(), "game_type": game.kind, "status": game.status,
        "created_at": game.created_at.to_string(), "last_event_at": game.at.to_string(), "demo": game.demo,
    })
}

/// The kinds of game, with the seats, roles and limits of each.
#[utoipa::path(get, path = "/api/games/meta", tag = "games", responses((status = 200, description = "Per kind: seats, roles, limits")))]
pub async fn meta(State(house): State<House>) -> axum::Json<Value> {
    let kinds = house.settings.catalog.iter();
    axum::Json(kinds.map(|kind| (kind.meta.name.to_owned(), (kind.about)())).collect())
}

/// A game's metadata.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, description = "`{id, game_type, status, created_at, current_round_number, current_phase, min_players, open, ...}`; `open` says whether seats may be taken without a credential, while the `open` of a tribunal's state says whether everybody may read its words"), (status = 404)))]
pub async fn metadata(State(house): State<House>, Path(id): Path<String>) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let shown = table.shown();
    let game = &shown.game;
    let view: Value =
        serde_json::from_slice(&table.view(&house, &shown, Viewer::Spectator).await?.bytes).map_err(Problem::ours)?;
    let terms = game.terms();
    Ok(axum::Json(json!({
        "id": table.id.to_string(), "game_type": game.kind(), "status": game.status(),
        "created_at": game.created_at().to_string(), "current_round_number": round_of(&view),
        "current_phase": phase_of(&view), "min_players": game.seating().seats_min,
        "players": game.roster().len(), "version": game.mark().seq.0, "open": terms.open, "practice": terms.practice,
        "rated": terms.counts(game.roster(), game.seating().house_seats),
        "visibility": if terms.unlisted { "unlisted" } else { "public" }, "turn_limit_s": terms.turn_limit_s,
        "demo": terms.demo, "watchers": table.watchers(),
    })))
}

/// The phase a state is in, whatever its kind calls the field.
pub fn phase_of(view: &Value) -> Option<&Value> {
    view.get("current_phase").or_else(|| view.get("phase"))
}

/// The round a state is in.
fn round_of(view: &Value) -> Option<&Value> {
    view.get("current_round_number").or_else(|| view.get("round"))
}

/// Which state, and how long to wait for it.
#[derive(Deserialize)]
pub struct StateQuery {
    version: Option<String>,
    wait: Option<String>,
    agent_id: Option<String>,
}

/// The state as the caller may see it. `wait` seconds (at most 30) hold the answer until the version passes `version`.
#[utoipa::path(get, path = "/api/games/{id}/state", tag = "games",
    params(("id" = String, Path), ("version" = Option<u64>, Query), ("wait" = Option<f64>, Query),
        ("agent_id" = Option<String>, Query, description = "As which of your agents; your first seat if not given")),
    responses((status = 200, description = "The state; see the rules of each kind for its fields"), (status = 304), (status = 404)))]
pub async fn state(
    State(house): State<House>,
    mut caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<StateQuery>,
    headers: HeaderMap,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    let version = number("version", query.version.as_deref(), 0..=usize::MAX)?.unwrap_or(0);
    if let Some(wait) = &query.wait {
        let wait: f64 = wait
            .parse()
            .ok()
            .filter(|wait| (0.0..=WAIT_S_MAX).contains(wait))
            .ok_or_else(|| Problem::bad("INVALID_QUERY", format!("\"wait\" must be 0 to {WAIT_S_MAX} seconds.")))?;
        wait_past(&house, &table, version as u64, Duration::from_secs_f64(wait)).await;
        caller = caller.again(&house).await?;
    }
    let shown = table.shown();
    let viewer = caller.viewer_as(shown.game.as_ref(), query.agent_id.as_deref())?;
    let rendered = owners::view(&house, &table, &shown, caller.account_id(), viewer).await?;
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let tag = rendered.etag.to_str().unwrap_or_default();
    if known
        .is_some_and(|tags| tags == "*" || tags.split(',').any(|known| known.trim().trim_start_matches("W/") == tag))
    {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, rendered.etag)]).into_response());
    }
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind), (header::ETAG, rendered.etag)], rendered.bytes).into_response())
}

/// The one generic action: `{type, ...}`, with `agent_id` for an open seat.
#[utoipa::path(post, path = "/api/games/{id}/action", tag = "games", params(("id" = String, Path)),
    request_body(content = Object, example = json!({"type": "argument", "text": "…", "agent_id": "…"})),
    responses((status = 200, description = "`{success, status, version, ...}`"), (status = 400), (status = 401), (status = 403), (status = 409)))]
pub async fn action(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    key: Key,
    Json(body): Json<Map<String, Value>>,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    Ok(json_bytes(send(&house, &table, &caller, key, Value::Object(body), success).await?))
}

/// Sends a body into the game, as the caller's seat or as the host. `answer` makes the reply from the new rows.
pub async fn send<A: Serialize>(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    key: Key,
    body: Value,
    answer: impl Fn(&dyn AnyGame, &[Logged]) -> A,
) -> Answer<bytes::Bytes> {
    let agent = body.get("agent_id").and_then(Value::as_str).map(str::to_owned);
    let done = sent(house, table, caller, key, body, answer).await;
    done.map_err(|problem| advised(table, caller, agent.as_deref(), problem))
}

/// Every refusal of an act says what would be accepted from this caller now, if anything is.
fn advised(table: &Table, caller: &Caller, agent: Option<&str>, problem: Problem) -> Problem {
    if problem.extra.contains_key("expected_action") {
        return problem;
    }
    let shown = table.shown();
    let game = shown.game.as_ref();
    let seat = caller.seat(game, agent).ok();
    let offer = seat.and_then(|seat| play::offered(game, Actor::Seat(seat)));
    let (expected, hint) = offer.map_or((Value::Null, Value::Null), |(action, hint)| (json!(action), hint));
    problem.with("expected_action", expected).with("hint", hint)
}

async fn sent<A: Serialize>(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    key: Key,
    body: Value,
    answer: impl Fn(&dyn AnyGame, &[Logged]) -> A,
) -> Answer<bytes::Bytes> {
    let once = key.once(caller, "action", &body);
    let host_act = body.get("type").and_then(Value::as_str) == Some("advance");
    minds::catch_up(house, table).await?;
    let actor = |game: &dyn AnyGame, now: Timestamp| {
        // First whether what the act addresses exists, then who is asking.
        game.locate(&body, now)?;
        if host_act {
            caller.may_host(game)?;
            super::seats::not_by_hand(game)?;
            return Ok(Actor::Host);
        }
        let agent_id = match body.get("agent_id") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) => Some(id.as_str()),
            Some(_) => return Err(Problem::bad("INVALID_BODY", "The field \"agent_id\" must be a string.")),
        };
        caller.seat(game, agent_id).map(Actor::Seat)
    };
    let needs = |game: &dyn AnyGame, now: Timestamp| match actor(game, now)? {
        actor @ Actor::Seat(seat) => Ok(game.needs(actor, &body).map(|need| (Some(seat), need))),
        Actor::Host | Actor::Clock => Ok(None),
    };
    play::change_knowing(house, table, once, needs, |game, supply, now| {
        let actor = actor(game, now)?;
        let body = game.supplied(&body, supply);
        let rows = play::act(game, actor, &body, now)?;
        let answer = answer(game, &rows);
        Ok((rows, answer))
    })
    .await
}

/// What an action is answered with.
#[derive(Serialize)]
struct Success {
    success: bool,
    message: &'static str,
    status: &'static str,
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument_id: Option<String>,
    /// `pass`: nothing was recorded, because the seat has no part in this phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
}

fn success(game: &dyn AnyGame, rows: &[Logged]) -> Success {
    let argument = rows.first().filter(|row| row.name == "argument");
    let pass = rows.is_empty();
    Success {
        success: true,
        message: if pass { "You have no part in this phase: a pass" } else { "Accepted" },
        result: pass.then_some("pass"),
        status: game.status(),
        version: game.mark().seq.0,
        argument_id: argument.map(|row| Inner::Argument.name(game.id(), row.mark.seq.0)),
    }
}

#[derive(Deserialize)]
pub struct OpenActionsQuery {
    agent_id: Option<String>,
}

/// Whether an agent can act now, and how.
#[utoipa::path(get, path = "/api/games/{id}/open-actions", tag = "games",
    params(("id" = String, Path), ("agent_id" = Option<String>, Query, description = "Your own seat if not given")),
    responses((status = 200, description = "`{agent_id, can_act, allowed_action, current_phase, role, round_id, hint, also}`; `also` is what may be tried and is not announced, such as a look into the archive"), (status = 404)))]
pub async fn open_actions(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<OpenActionsQuery>,
) -> Answer<axum::Json<Value>> {
    let table = live::table(&house, game_id(&id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let unknown = || Problem::not_found("UNKNOWN_AGENT", "No such agent in this game");
    let seat = match &query.agent_id {
        Some(id) => caller.seat_named(game, id).ok_or_else(unknown)?,
        None => caller.own_seat(game.id(), game.roster()).ok_or_else(|| {
            Problem::bad("INVALID_QUERY", "Say whose actions: ?agent_id=..., or send your seat's credential.")
        })?,
    };
    let holder = game.roster().get(seat).map(|occupied| occupied.holder);
    let turns = game.turns();
    let offer = turns.iter().find(|turn| turn.who == Actor::Seat(seat)).and_then(|turn| turn.offers.first());
    // No caller plays a house mind's seat, and whom the rules call on may be a secret between two seats.
    let offer = offer.filter(|_| holder != Some(Holder::House));
    // What an agent may do now is public; what only its seat sees, its role in words, is for callers who may play the seat.
    let open = holder == Some(Holder::Open);
    let own = caller.own_seats(game.id(), game.roster()).contains(&seat);
    let also = also(game, seat).filter(|_| open || own);
    let viewer = if open || own { Viewer::Seat(seat) } else { Viewer::Spectator };
    let view: Value = serde_json::from_slice(&game.view(viewer, &[], None)).map_err(Problem::ours)?;
    let role = game.role(seat).filter(|_| open || own);
    let role = role.map_or_else(|| view.pointer("/self/role").cloned().unwrap_or_default(), Value::from);
    let mut answer = json!({
        "agent_id": game.roster().agent_id(game.id(), seat), "can_act": offer.is_some(),
        "allowed_action": offer.map(|offer| offer.action), "current_phase": phase_of(&view),
        "role": role,
        "round_id": view.get("current_round_id"), "status": game.status(),
        "version": game.mark().seq.0, "hint": offer.map(|offer| offer.example(play::pick(game, Actor::Seat(seat)))),
    });
    if let Some(also) = also {
        answer["also"] = also;
    }
    Ok(axum::Json(answer))
}

/// What a seat may try besides what is announced, unless it could not pay for it anyway.
fn also(game: &dyn AnyGame, seat: Seat) -> Option<Value> {
    let also = game.also(seat)?;
    let account = game.roster().get(seat).and_then(|occupied| occupied.holder.account());
    let price = also["price_ia"].as_u64().unwrap_or(0) as u32;
    may_pay(game, account, price).is_ok().then_some(also)
}
