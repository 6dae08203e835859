//! Matchmaking: seats a player at a rated table of a kind that waits, or at a new one. It takes the table whose players the newcomer has met
//! least, then the fullest, then one at random; and none where it would meet the same player too often in a day.
//!
//! There is one queue for each kind, and players pass it one at a time, so that sixty who come at once fill ten trials instead of founding
//! sixty. Whether a seat is free is still decided by the table itself, in its own turnstile.

use crate::play::House;
use crate::play::limits::network;
use crate::play::live::{self, Table};
use crate::play::seats::{check_name, known, sit_rows};
use crate::play::{self, Plan};
use crate::problem::{Answer, Problem};
use bytes::Bytes;
use commons::ledger::meeting::DAY_MS;
use engine::erased::{AnyGame, Kind};
use engine::game::Progress;
use engine::id::{AccountId, GameId};
use engine::roster::{Holder, Lang, TableCommand, Terms};
use engine::time::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex as StdMutex};
use store::games::waiting;
use store::ledger::meetings::met_since;
use store::ledger::unlocks::same_owner;
use tokio::sync::Mutex;

/// How long a seat may be silent, so that nobody waits for a player who went away.
const TURN_LIMIT_S: u32 = 300;

/// One queue for each kind, by its name.
#[derive(Default)]
pub struct Queues(StdMutex<HashMap<&'static str, Queue>>);

/// The tables of one kind that wait, oldest first; nothing until they were looked up in the store.
type Queue = Arc<Mutex<Option<Vec<GameId>>>>;

/// What a player asks for.
pub struct Wish {
    pub kind: Kind,
    pub lang: Lang,
    /// The case to be tried, if it must be a certain one.
    pub case_id: Option<String>,
    pub name: Arc<str>,
    /// The account or agent that will hold the seat.
    pub holder: Holder,
    /// Where the player is.
    pub address: IpAddr,
}

/// Where the player sits now.
#[derive(Serialize)]
struct Joined {
    success: bool,
    game_id: String,
    game_type: &'static str,
    status: &'static str,
    agent_id: Option<String>,
}

impl Joined {
    fn of(game: &dyn AnyGame, holder: Holder) -> Self {
        let seat = game.roster().seat_held_by(holder);
        Joined {
            success: true,
            game_id: game.id().to_string(),
            game_type: game.kind(),
            status: game.status(),
            agent_id: seat.map(|seat| game.roster().agent_id(game.id(), seat)),
        }
    }
}

/// Whether rated tables of this kind are kept at all, or why not.
pub fn offered(kind: Kind) -> Answer<()> {
    options(kind, Lang::default(), None).map(drop)
}

/// Whether a player may ask for a certain case at a rated table of this kind.
pub fn by_case(kind: Kind) -> bool {
    kind.meta.matched.is_some_and(|matched| matched(Lang::default(), Some("any"))["case_id"].is_string())
}

/// The kind's own options at a rated table.
fn options(kind: Kind, lang: Lang, case_id: Option<&str>) -> Answer<Value> {
    let Some(matched) = kind.meta.matched else {
        let detail = format!("No rated tables are kept for {}; create a game instead.", kind.meta.name);
        return Err(Problem::bad("NOT_OFFERED", detail));
    };
    let mut options = matched(lang, case_id);
    options["lang"] = json!(lang);
    Ok(options)
}

/// Seats a player, and answers where. A player who already waits for this kind is told where.
pub async fn join(house: &House, wish: Wish) -> Answer<Bytes> {
    // Runs to its end even if the client goes away: a table must not be founded without being put into the queue.
    let house = house.clone();
    tokio::spawn(async move { in_queue(&house, &wish).await }).await.map_err(Problem::ours)?
}

async fn in_queue(house: &House, wish: &Wish) -> Answer<Bytes> {
    check_name(wish.kind.meta, &wish.name)?;
    let known = known(house, wish.kind, wish.holder).await?;
    let queue = house.queues.0.lock().expect("no holder panics").entry(wish.kind.meta.name).or_default().clone();
    let mut queue = queue.lock().await;
    let tables = still_waiting(house, wish.kind, queue.take()).await?;
    let waiting = queue.insert(tables.iter().map(|table| table.id).collect());
    for table in &tables {
        let shown = table.shown();
        if shown.game.roster().seat_held_by(wish.holder).is_some() {
            return answer(&Joined::of(shown.game.as_ref(), wish.holder));
        }
    }
    for table in strangers(house, &tables, wish).await? {
        if let Some(joined) = try_table(house, &table, wish, known.as_ref()).await? {
            return Ok(joined);
        }
    }
    let table = found(house, wish, known.as_ref()).await?;
    waiting.push(table.id);
    answer(&Joined::of(table.shown().game.as_ref(), wish.holder))
}

/// Whether a table speaks the wanted language and, if a certain case is wanted, tries it.
fn suits(game: &dyn AnyGame, wish: &Wish) -> bool {
    let wanted = game.case_wanted().map(|(id, _)| id);
    game.terms().lang == wish.lang && (wish.case_id.is_none() || wish.case_id == wanted)
}

/// The tables that suit a player and have only strangers at them, in the order in which they should be tried.
async fn strangers(house: &House, tables: &[Arc<Table>], wish: &Wish) -> Answer<Vec<Arc<Table>>> {
    let mut found = Vec::new();
    for table in tables.iter().filter(|table| suits(table.shown().game.as_ref(), wish)) {
        let shown = table.shown();
        if let Some(met) = acquainted(house, shown.game.as_ref(), wish).await? {
            let chance = getrandom::u64().map_err(Problem::ours)?;
            found.push(((met, Reverse(shown.game.roster().iter().count()), chance), table.clone()));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    Ok(found.into_iter().map(|(_, table)| table).collect())
}

/// How often today the player has met the one it knows best at this table. None if that is too often, or if another seat belongs to the
/// same person: a rated table is for strangers.
async fn acquainted(house: &House, game: &dyn AnyGame, wish: &Wish) -> Answer<Option<u64>> {
    let Some(own) = wish.holder.account() else { return Ok(Some(0)) };
    let seated: Vec<AccountId> = game.roster().iter().filter_map(|(_, seat)| seat.holder.account()).collect();
    let (kind, since) = (game.kind(), Timestamp(house.now().0 - DAY_MS));
    let met = house.store.read(move |db| {
        let mut most = 0;
        for other in seated.into_iter().filter(|other| *other != own) {
            let met = met_since(db, own, other, kind, since)?;
            if met >= db.terms().meetings_a_day_max || same_owner(db, own, other)? {
                return Ok(None);
            }
            most = most.max(met);
        }
        Ok(Some(most))
    });
    Ok(met.await?)
}

fn answer(joined: &Joined) -> Answer<Bytes> {
    Ok(serde_json::to_vec(joined).map_err(Problem::ours)?.into())
}

/// The tables in a queue that still wait for players.
async fn still_waiting(house: &House, kind: Kind, queue: Option<Vec<GameId>>) -> Answer<Vec<Arc<Table>>> {
    let ids = match queue {
        Some(ids) => ids,
        // The first visitor since the server started looks for what was left waiting.
        None => house.store.read(move |db| waiting(db, kind.meta.name)).await?,
    };
    let mut tables = Vec::with_capacity(ids.len());
    for id in ids {
        let table = match live::table_unseen(house, id).await {
            Ok(table) => table,
            // Removed meanwhile, or under rules that this program no longer has: nobody can sit there.
            Err(problem) => {
                tracing::warn!(game = %id, detail = problem.detail, "a waiting table is passed over");
                continue;
            }
        };
        let shown = table.shown();
        let game = shown.game.as_ref();
        // A table where house minds sit counts for nobody, and is left to the player who called them.
        if game.terms().counts(game.roster(), game.seating().house_seats) && game.progress() == Progress::Table {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// Sits down at this table, unless it has no seat for this player.
async fn try_table(
    house: &House,
    table: &Arc<Table>,
    wish: &Wish,
    known: Option<&TableCommand>,
) -> Answer<Option<Bytes>> {
    let sat = play::change(house, table, None, |game, now| {
        let rows = sit_rows(game, &wish.name, wish.holder, known, now)?;
        let joined = Joined::of(game, wish.holder);
        Ok((rows, joined))
    });
    match sat.await {
        Ok(joined) => Ok(Some(joined)),
        Err(problem) => match problem.error {
            "TABLE_FULL" | "ALREADY_STARTED" | "TABLE_EXPIRED" | "OWN_AGENT_SEATED" | "GAME_NOT_FOUND" => Ok(None),
            _ => Err(problem),
        },
    }
}

async fn found(house: &House, wish: &Wish, known: Option<&TableCommand>) -> Answer<Arc<Table>> {
    let terms = Terms { rated: true, lang: wish.lang, turn_limit_s: Some(TURN_LIMIT_S), ..Terms::default() };
    let options = options(wish.kind, wish.lang, wish.case_id.as_deref())?;
    let sit = TableCommand::Sit { name: wish.name.clone(), holder: wish.holder };
    let then = known.cloned().into_iter().chain([sit]).collect();
    house.limits.table(wish.address, wish.holder.account())?;
    let opened_from = Some(network(wish.address));
    play::found(house, Plan { kind: wish.kind, options: &options, terms, seed: None, opened_from, then }).await
}
