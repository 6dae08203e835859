//! Seats of a table: sitting down, filling, leaving, handing over, starting.

use super::agents::player;
use crate::http::auth::{self, Caller, token_hash};
use crate::http::extract::{Json, Key, OptionalJson, Path, game_id, json_bytes};
use crate::play;
use crate::play::House;
use crate::play::live::{self, Table};
use crate::play::matchmaking::{self, Wish};
use crate::play::seats::{begin_if_rated, house_names, known, sit_rows};
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use engine::erased::AnyGame;
use engine::game::{Logged, Progress};
use engine::id::{AccountId, Inner, Seat};
use engine::parts::text;
use engine::roster::{Holder, Lang, NAME_LEN_MAX, TableCommand};
use engine::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use store::Agent;
use store::games::answers::Once;
use utoipa::ToSchema;

pub struct RegisterAgent {
    /// As everybody will see it; 1 to 40 characters.
    pub display_name: String,
    /// A secret of at least 8 characters protects the seat; send it as `Authorization: Bearer ...`.
    pub token: Option<String>,
}

/// Who is to sit down: a player with a name, or an agent that the caller has registered.
#[derive(Deserialize, ToSchema)]
pub struct NewSeat {
    /// As everybody will see it; 1 to 40 characters. Needed unless `agent_id` is given.
    #[serde(default)]
    display_name: Option<String>,
    /// A secret of at least 8 characters protects the seat; send it as `Authorization: Bearer ...`.
    #[serde(default)]
    token: Option<String>,
    /// An agent of yours: it sits down under its own name.
    #[serde(default)]
    agent_id: Option<String>,
}

/// Take a seat.
#[utoipa::path(post, path = "/api/games/{id}/agents/register", tag = "games", params(("id" = String, Path)),
    request_body = NewSeat, responses((status = 201, description = "`{agent_id, game_id}`"), (status = 400), (status = 401)))]
pub async fn register(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    key: Key,
    Json(body): Json<NewSeat>,
) -> Answer<Response> {
    let table = live::table(&house, game_id(&id)?).await?;
    let NewSeat { display_name, token, agent_id } = body;
    let mut asked = json!({"display_name": display_name, "token": token});
    if let Some(id) = &agent_id {
        asked["agent_id"] = id.as_str().into();
    }
    let once = key.once(&caller, "register", &asked);
    let answer = match (agent_id, display_name) {
        (Some(id), _) => {
            let (name, holder) = player(&house, &caller, Some(&id)).await?;
            take_seat(&house, &table, name, holder, once).await?
        }
        (None, Some(display_name)) => {
            sit(&house, &table, &caller, &RegisterAgent { display_name, token }, once).await?
        }
        (None, None) => return Err(Problem::bad("INVALID_BODY", "The field \"display_name\" is missing.")),
    };
    Ok((StatusCode::CREATED, json_bytes(answer)).into_response())
}

/// A display name as it will be shown, or what is wrong with it.
pub fn check_name(name: &str) -> Answer<String> {
    text::checked_line("display_name", name, 1..=NAME_LEN_MAX).map_err(|detail| Problem::bad("INVALID_BODY", detail))
}

pub async fn sit(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    body: &RegisterAgent,
    once: Option<Once>,
) -> Answer<Bytes> {
    let invalid = |detail| Problem::bad("INVALID_BODY", detail);
    let name = check_name(&body.display_name)?;
    // At a rated table accounts play under their own names.
    let name = match &caller.account {
        Some(account) if table.shown().game.terms().rated => account.username.clone(),
        Some(_) | None => name,
    };
    if let Some(token) = &body.token {
        auth::check_token(token).map_err(invalid)?;
    }
    let holder = match (&body.token, &caller.token, caller.account_id()) {
        (Some(token), _, _) => Holder::Token(token_hash(table.id, token)),
        (None, _, Some(account)) => Holder::Account(account),
        (None, Some(token), None) if auth::check_token(token).is_ok() => Holder::Token(token_hash(table.id, token)),
        (None, _, None) if !table.shown().game.meta().open_seats => {
            return Err(Problem::unauthorized(
                "A seat in this game belongs to one player: choose a \"token\" of at least 8 characters for it, or send your API key.",
            ));
        }
        (None, _, None) if table.shown().game.terms().open => Holder::Open,
        (None, _, None) => {
            return Err(Problem::unauthorized(
                "This table is not open: send your API key, or choose a \"token\" of at least 8 characters for the seat.",
            ));
        }
    };
    take_seat(house, table, name.into(), holder, once).await
}

async fn take_seat(
    house: &House,
    table: &Arc<Table>,
    name: Arc<str>,
    holder: Holder,
    once: Option<Once>,
) -> Answer<Bytes> {
    let shown = table.shown();
    // A practice game follows from its seed alone.
    let known = match shown.game.terms().practice {
        true => None,
        false => known(house, crate::http::extract::kind(house.settings.catalog, shown.game.kind())?, holder).await?,
    };
    play::change(house, table, once, |game, now| {
        let rows = sit_rows(game, &name, holder, known.as_ref(), now)?;
        let seated = rows.iter().find(|row| row.name == "agent_registered");
        let agent_id = seated.map(|row| Inner::Agent.name(game.id(), row.mark.seq.0));
        Ok((rows, json!({"agent_id": agent_id, "game_id": game.id().to_string()})))
    })
    .await
}

/// Which kind of table to sit down at.
#[derive(Deserialize, ToSchema)]
pub struct Join {
    /// `trial` (starts with six), `trolley` (starts with five) or `tribunal` (starts with two, the first of whom prosecutes).
    game_type: String,
    /// Which of your agents plays; if not given your only one or, if you have none or several, your account itself.
    #[serde(default)]
    agent_id: Option<String>,
    /// The table's language, `en` or `ko`; `en` if not given.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    lang: Option<Lang>,
    /// Only a table that tries this case; any table if not given (tribunal).
    #[serde(default)]
    case_id: Option<String>,
}

/// Sit down at the oldest rated table that waits, or at a new one. Asking again while it waits gives the same table.
#[utoipa::path(post, path = "/api/games/join", tag = "games", request_body = Join,
    responses((status = 200, description = "`{success, game_id, game_type, status, agent_id}`"), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub async fn join(State(house): State<House>, caller: Caller, Json(body): Json<Join>) -> Answer<Response> {
    caller.account()?;
    let kind = crate::http::extract::kind(house.settings.catalog, &body.game_type)?;
    matchmaking::offered(kind)?;
    if body.case_id.is_some() && !matchmaking::by_case(kind) {
        let detail =
            format!("The field \"case_id\" is wrong: rated tables for {} are made for no case.", kind.meta.name);
        return Err(Problem::bad("INVALID_BODY", detail));
    }
    let only = match body.agent_id {
        Some(_) => None,
        None => only_agent(&house, caller.account()?.id).await?,
    };
    let (name, holder) = player(&house, &caller, body.agent_id.as_deref().or(only.as_deref())).await?;
    let wish = Wish {
        kind,
        lang: body.lang.unwrap_or_default(),
        case_id: body.case_id,
        name,
        holder,
        address: caller.address,
    };
    Ok(json_bytes(matchmaking::join(&house, wish).await?))
}

/// The account's agent, if it has only one.
async fn only_agent(house: &House, account: AccountId) -> Answer<Option<String>> {
    let agents = house.store.read(move |db| Agent::of(db, account)).await?;
    Ok(match agents.as_slice() {
        [only] => Some(only.id.0.to_string()),
        _ => None,
    })
}

/// What a player or host does at a table besides playing.
#[derive(Serialize)]
pub enum Errand {
    /// House minds take free seats, up to this many players in all.
    Fill(Option<usize>),
    /// Give up your own seat.
    Leave(Option<String>),
    /// Let a house mind play a silent seat.
    Hand(String),
    /// Play your own seat again.
    TakeBack(Option<String>),
    Start,
}

pub async fn run(
    house: &House,
    table: &Arc<Table>,
    caller: &Caller,
    errand: &Errand,
    once: Option<Once>,
) -> Answer<Bytes> {
    play::change(house, table, once, |game, now| {
        let (rows, message) = match errand {
            Errand::Fill(seats) => {
                caller.may_host(game)?;
                (fill_rows(game, *seats, now)?, "House minds have sat down.")
            }
            Errand::Start => {
                caller.may_host(game)?;
                (game.table(TableCommand::Start, now)?, "Game started")
            }
            Errand::Leave(agent_id) => {
                let seat = caller.seat(game, agent_id.as_deref())?;
                let rows = game.table(TableCommand::Leave { seat }, now)?;
                let free = game.progress() == Progress::Table;
                (rows, if free { "Your seat is free again." } else { "A house mind plays your seat." })
            }
            Errand::Hand(agent_id) => {
                let by_host = may_hand(caller, game)?;
                let seat = game.roster().seat_of(game.id(), agent_id).unwrap_or(Seat(u16::MAX));
                (game.table(TableCommand::Hand { seat, by_host }, now)?, "A house mind plays that seat.")
            }
            Errand::TakeBack(agent_id) => {
                let seat = handed_seat(caller, game, agent_id.as_deref())?;
                (game.table(TableCommand::TakeBack { seat }, now)?, "You play your seat again.")
            }
        };
        let answer = json!({"status": game.status(), "message": message, "players": game.roster().len()});
        Ok((rows, answer))
    })
    .await
}

/// True if this caller may hand a seat over at once, as the host; false if only after a silence, as a fellow player; or why not at all.
pub fn may_hand(caller: &Caller, game: &dyn AnyGame) -> Answer<bool> {
    not_by_hand(game)?;
    let hosts = caller.may_host(game);
    match (&hosts, caller.own_seat(game.id(), game.roster())) {
        // A host who is a party must give the opponent as much time as anyone.
        (Ok(()), _) => Ok(game.terms().host.is_some() && game.meta().paid.is_none()),
        (Err(_), Some(_)) => Ok(false),
        (Err(_), None) => hosts.map(|()| false),
    }
}

/// A rated table moves by itself: nobody hosts it.
pub fn not_by_hand(game: &dyn AnyGame) -> Answer<()> {
    if game.terms().rated {
        return Err(Problem::forbidden("A rated table moves by itself; nobody hosts it."));
    }
    Ok(())
}

fn fill_rows(game: &mut dyn AnyGame, seats: Option<usize>, now: Timestamp) -> Answer<Vec<Logged>> {
    let seating = game.seating();
    let seats = seats.unwrap_or(seating.seats_min);
    if seats > seating.seats_max {
        let detail = format!("The field \"seats\" must be at most {}.", seating.seats_max);
        return Err(Problem::bad("INVALID_BODY", detail));
    }
    let taken: Vec<String> = game.roster().iter().map(|(_, seat)| seat.name.to_string()).collect();
    let count = seats.saturating_sub(taken.len());
    let names = house_names(game.terms().lang, count + taken.len(), &mut game.company());
    let names = names.into_iter().filter(|name| !taken.contains(&name.to_string())).take(count).collect();
    // Asked even when nobody is missing, so that a game that has started refuses in its own words.
    let mut rows = game.table(TableCommand::Fill { names }, now)?;
    rows.extend(begin_if_rated(game, now)?);
    Ok(rows)
}

/// Lets house minds take free seats of a table that is just being made.
pub(super) async fn fill_up(house: &House, table: &Arc<Table>, seats: usize) -> Answer<()> {
    play::change(house, table, None, |game, now| Ok((fill_rows(game, Some(seats), now)?, Value::Null))).await.map(drop)
}

/// The caller's own seat while a house mind plays it.
fn handed_seat(caller: &Caller, game: &dyn AnyGame, agent_id: Option<&str>) -> Answer<Seat> {
    match caller.seat(game, agent_id) {
        // Handed over is just what it should be here.
        Err(problem) if problem.error == "SEAT_HANDED" => agent_id
            .and_then(|id| caller.seat_named(game, id))
            .or_else(|| caller.own_seat(game.id(), game.roster()))
            .ok_or(problem),
        other => other,
    }
}

async fn answer(house: &House, caller: &Caller, key: Key, id: &str, errand: Errand) -> Answer<Response> {
    let table = live::table(house, game_id(id)?).await?;
    let asked = serde_json::to_value(&errand).map_err(Problem::ours)?;
    let once = key.once(caller, "errand", &asked);
    Ok(json_bytes(run(house, &table, caller, &errand, once).await?))
}

/// How many seats to fill.
#[derive(Deserialize, ToSchema)]
pub struct Fill {
    /// Up to how many players in all; `min_players` if not given.
    #[serde(default)]
    pub seats: Option<usize>,
}

/// House minds take free seats, up to `min_players` or as many as asked.
#[utoipa::path(post, path = "/api/games/{id}/fill", tag = "games", params(("id" = String, Path)), request_body = Fill,
    responses((status = 200, description = "`{status, message, players}`")))]
pub async fn fill(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    key: Key,
    OptionalJson(body): OptionalJson<Fill>,
) -> Answer<Response> {
    answer(&house, &caller, key, &id, Errand::Fill(body.seats)).await
}

/// Whose seat.
#[derive(Deserialize, ToSchema)]
pub struct WhichAgent {
    /// Needed only for open seats.
    #[serde(default)]
    pub agent_id: Option<String>,
}

/// Leave: before the start the seat is free again, afterwards a house mind takes it over.
#[utoipa::path(post, path = "/api/games/{id}/leave", tag = "games", params(("id" = String, Path)), request_body = WhichAgent,
    responses((status = 200, description = "`{status, message, players}`")))]
pub async fn leave(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
    key: Key,
    OptionalJson(body): OptionalJson<WhichAgent>,
) -> Answer<Response> {
    answer(&house, &caller, key, &id, Errand::Leave(body.agent_id)).await
}

/// Let a house mind play a silent seat: the host at any time, unless it is a party; others once the seat has been silent for 120 s.
#[utoipa::path(post, path = "/api/games/{id}/seats/{agent_id}/hand", tag = "games",
    params(("id" = String, Path), ("agent_id" = String, Path)), responses((status = 200, description = "`{status, message, players}`")))]
pub async fn hand(
    State(house): State<House>,
    caller: Caller,
    Path((id, agent_id)): Path<(String, String)>,
    key: Key,
) -> Answer<Response> {
    answer(&house, &caller, key, &id, Errand::Hand(agent_id)).await
}

/// Play your own seat again.
#[utoipa::path(post, path = "/api/games/{id}/seats/{agent_id}/take-back", tag = "games",
    params(("id" = String, Path), ("agent_id" = String, Path)), responses((status = 200, description = "`{status, message, players}`")))]
pub async fn take_back(
    State(house): State<House>,
    caller: Caller,
    Path((id, agent_id)): Path<(String, String)>,
    key: Key,
) -> Answer<Response> {
    answer(&house, &caller, key, &id, Errand::TakeBack(Some(agent_id))).await
}

/// Start, once enough have sat down.
#[utoipa::path(post, path = "/api/games/{id}/start", tag = "games", params(("id" = String, Path)),
    responses((status = 200, description = "`{status, message, players}`"), (status = 400, description = "Not enough players, or already started")))]
pub async fn start(State(house): State<House>, caller: Caller, Path(id): Path<String>, key: Key) -> Answer<Response> {
    answer(&house, &caller, key, &id, Errand::Start).await
}
