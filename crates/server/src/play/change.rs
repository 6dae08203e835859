//! The write path. Every change to every game comes through here, and nothing else commits.
//!
//! Lock the game, decide on a copy, store in one transaction, and only then show it. The caller may go away in the middle: what is on its
//! way to disk is seen through all the same.

use super::commit::commit;
use super::live::{Table, Tables};
use super::{House, disk, journal, needs};
use crate::problem::{Answer, Problem};
use bytes::Bytes;
use engine::chance::Seed;
use engine::erased::{AnyGame, Founding, Kind};
use engine::game::Logged;
use engine::id::{GameId, Seat};
use engine::needs::{Need, Supply};
use engine::roster::{TableCommand, Terms};
use engine::rules::{Actor, Refused, Turn};
use engine::time::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use store::games::answers::Once;
use store::games::first_answer;
use store::{Committed, FirstAnswer, NewGame, StoreError};
use tokio::sync::{OwnedMutexGuard, oneshot};
use uuid::Uuid;

/// How often a change is tried again after another writer got there first.
const CONFLICTS_MAX: usize = 3;

/// What a change gives: the rows it adds and the answer to the caller.
pub type Decided<A> = Answer<(Vec<Logged>, A)>;

/// Changes a game: `decide` sees a copy, and what it logs is stored before anyone sees it.
pub async fn change<A: Serialize>(
    house: &House,
    table: &Arc<Table>,
    once: Option<Once>,
    decide: impl Fn(&mut dyn AnyGame, Timestamp) -> Decided<A>,
) -> Answer<Bytes> {
    change_knowing(house, table, once, |_, _| Ok(None), |game, _, now| decide(game, now)).await
}

/// The same with what the rules need to know first. It is looked up inside the game's turnstile and before `decide`, for the seat that
/// needs it, so that nothing that is decided on can change in between.
pub async fn change_knowing<A: Serialize>(
    house: &House,
    table: &Arc<Table>,
    once: Option<Once>,
    needs: impl Fn(&dyn AnyGame, Timestamp) -> Answer<Option<(Option<Seat>, Need)>>,
    decide: impl Fn(&mut dyn AnyGame, Option<&Supply>, Timestamp) -> Decided<A>,
) -> Answer<Bytes> {
    let mut table = table.clone();
    for _ in 0..CONFLICTS_MAX {
        let turn = table.enter().await;
        if let Some(once) = &once
            && let Some(answer) = answered_before(house, &table, once).await?
        {
            return Ok(answer);
        }
        let mut next = table.shown().game.boxed();
        let supply = match needs(next.as_ref(), house.now())? {
            Some((seat, need)) => needs::supply(house, &table, next.as_ref(), seat, need).await?,
            None => None,
        };
        let now = house.now();
        let (rows, answer) = catch_unwind(AssertUnwindSafe(|| decide(next.as_mut(), supply.as_ref(), now)))
            .unwrap_or_else(|_| Err(Problem::ours(format!("a rule panicked in game {}", table.id))))?;
        let answer = Bytes::from(serde_json::to_vec(&answer).map_err(Problem::ours)?);
        let first = once.clone().map(|once| FirstAnswer {
            caller: once.caller,
            key: once.key,
            request: once.request,
            answer: answer.to_vec(),
        });
        if rows.is_empty() {
            // Nothing happened, but the same request might do something later: the first answer stands.
            if let Some(first) = first {
                house.store.remember(table.no, first).await?;
            }
            return Ok(answer);
        }
        let rows = Arc::new(rows);
        let commit = commit(next.as_ref(), Ok(table.no), rows.clone(), first, is_screened(house));
        let underway = Underway {
            stored: house.store.commit_later(commit)?,
            house: house.clone(),
            table: table.clone(),
            next: Some((Arc::from(next), rows, turn)),
            left_alone: false,
        };
        match underway.finish().await {
            Ok(_) => return Ok(answer),
            Err(StoreError::Conflict) => {
                house.tables.drop(table.id);
                table = super::live::table(house, table.id).await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(StoreError::Conflict.into())
}

/// What to show once it is stored, and the hold on the turnstile.
type Next = (Arc<dyn AnyGame>, Arc<Vec<Logged>>, OwnedMutexGuard<()>);

/// A commit on its way to disk. If the caller goes away meanwhile, a separate task sees it through, because what is stored must be shown.
struct Underway {
    stored: oneshot::Receiver<Committed>,
    house: House,
    table: Arc<Table>,
    next: Option<Next>,
    left_alone: bool,
}

impl Underway {
    async fn finish(mut self) -> Committed {
        let stored = (&mut self.stored).await.unwrap_or(Err(StoreError::Stopping));
        if let Some((game, rows, _turn)) = self.next.take()
            && stored.is_ok()
        {
            show(&self.house, &self.table, game, &rows);
        }
        stored
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        // Dropped a second time, the whole program is stopping, and the next start reads the log.
        if let Some(next) = self.next.take()
            && !self.left_alone
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let stored = std::mem::replace(&mut self.stored, oneshot::channel().1);
            let (house, table) = (self.house.clone(), self.table.clone());
            runtime.spawn(Underway { stored, house, table, next: Some(next), left_alone: true }.finish());
        }
    }
}

async fn answered_before(house: &House, table: &Table, once: &Once) -> Answer<Option<Bytes>> {
    let (no, caller, key) = (table.no, once.caller, once.key.clone());
    match house.store.read(move |db| first_answer(db, no, &caller, &key)).await? {
        None => Ok(None),
        Some((request, answer)) if request == once.request => Ok(Some(answer.into())),
        Some(_) => Err(Problem::key_reused()),
    }
}

/// Whether a moderation service checks words. A game does not wait for it: until it has answered, the words just do not leave the game.
fn is_screened(house: &House) -> bool {
    house.settings.moderation_url.is_some()
}

fn show(house: &House, table: &Arc<Table>, game: Arc<dyn AnyGame>, rows: &[Logged]) {
    metrics::counter!("moot_events_total").increment(rows.len() as u64);
    journal::transitions(house, table.id, rows);
    table.publish(game, rows);
    house.drive(table, rows);
    house.unchecked.notify_one();
}

/// What a new game is made of.
pub struct Plan<'a> {
    pub kind: Kind,
    pub options: &'a Value,
    pub terms: Terms,
    /// A seed that the creator chose; it makes the game practice.
    pub seed: Option<String>,
    /// The network that the request came from; the house's own tables have none.
    pub opened_from: Option<IpAddr>,
    /// What happens at the table before anyone else sees it.
    pub then: Vec<TableCommand>,
}

/// Founds a game and stores it in one commit with what happens at its table right away.
pub async fn found(house: &House, plan: Plan<'_>) -> Answer<Arc<Table>> {
    disk::check(house)?;
    let now = house.now();
    let id = GameId(Uuid::now_v7());
    let opened_from = plan.opened_from;
    let mut terms = plan.terms;
    terms.practice |= plan.seed.is_some() || terms.level.is_some();
    terms.rates = house.store.terms().play;
    let seed = match &plan.seed {
        Some(text) => Seed::chosen(text),
        None => {
            let mut bits = [0; 32];
            getrandom::fill(&mut bits).map_err(Problem::ours)?;
            Seed(bits)
        }
    };
    let new = NewGame {
        id,
        kind: plan.kind.meta.name,
        rules: plan.kind.meta.version,
        seed: seed.0,
        unlisted: terms.unlisted,
        demo: terms.demo,
    };
    let (mut game, first) = (plan.kind.found)(Founding { id, seed, options: plan.options, terms, now })?;
    let mut rows = vec![first];
    let house_names = (plan.kind.meta.house_names)(game.terms().lang);
    let fill = TableCommand::Fill { names: house_names.iter().map(|name| Arc::from(*name)).collect() };
    for command in Some(fill).filter(|_| !house_names.is_empty()).into_iter().chain(plan.then) {
        rows.extend(game.table(command, now)?);
    }
    someone_can_run(game.as_ref())?;
    let rows = Arc::new(rows);
    let commit = commit(game.as_ref(), Err(new), rows.clone(), None, is_screened(house));
    let house = house.clone();
    let made = tokio::spawn(async move {
        let no = house.store.commit(commit).await?;
        metrics::counter!("moot_games_created_total").increment(1);
        metrics::counter!("moot_events_total").increment(rows.len() as u64);
        let table = Tables::add(&house.tables, no, Arc::from(game), opened_from, now);
        journal::transitions(&house, id, &rows);
        house.drive(&table, &[]);
        Ok::<_, StoreError>(table)
    });
    Ok(made.await.map_err(Problem::ours)??)
}

/// Where only accounts may sit, refuses a table without a host and without players: nobody could run it.
fn someone_can_run(game: &dyn AnyGame) -> Answer<()> {
    let Terms { host, rated, demo, .. } = game.terms();
    if game.seating().accounts_only && host.is_none() && !rated && !demo && game.roster().is_empty() {
        return Err(Problem::unauthorized(
            "Only accounts play this game: register, make an API key and send it as \"Authorization: Bearer YOUR_KEY\".",
        ));
    }
    Ok(())
}

/// Plays an act; a refusal says what would be accepted.
pub fn act(game: &mut dyn AnyGame, actor: Actor, body: &Value, now: Timestamp) -> Answer<Vec<Logged>> {
    game.act(actor, body, now).map_err(|refused| refusal(game, actor, refused))
}

/// A refusal of an act, naming what this actor could do instead.
pub fn refusal(game: &dyn AnyGame, actor: Actor, refused: Refused) -> Problem {
    let offer = offered(game, actor);
    let (expected, hint) = offer.map_or((Value::Null, Value::Null), |(action, hint)| (json!(action), hint));
    Problem::from(refused).with("expected_action", expected).with("hint", hint)
}

/// What this actor may do now, with a body that would be accepted.
pub fn offered(game: &dyn AnyGame, actor: Actor) -> Option<(&'static str, Value)> {
    let turn = game.turns().into_iter().find(|turn: &Turn| turn.who == actor)?;
    turn.offers.first().map(|offer| (offer.action, offer.example(pick(game, actor))))
}

/// Picks among the choices of an example: another for each seat and each moment.
pub fn pick(game: &dyn AnyGame, actor: Actor) -> u64 {
    game.mark().seq.0 + actor.seat().map_or(0, |seat| u64::from(seat.0))
}
