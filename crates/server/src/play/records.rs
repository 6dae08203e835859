//! What the store needs the rules for: replaying logs for `verify`, and outcomes of old games when a database is migrated.

use commons::corpus::credit::HouseLines;
use commons::corpus::lesson::{of_row, teaches};
use commons::ledger::terms::Terms;
use commons::standings::Outcome;
use engine::chance::Seed;
use engine::erased::{AnyGame, Kind};
use engine::game::Corrupt;
use engine::id::{GameId, Seq};
use engine::reference::Reference;
use games::catalog::Catalog;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use store::verify::{Bad, Checked, Listed, Replayed, Step};
use store::{Db, GameStored, Opening, Row, Store, StoreError};

/// Opens the database in this directory, creating and migrating it as needed, under the terms that are in force there.
pub fn open(directory: &Path) -> Result<Store, StoreError> {
    known(Store::open(directory, outcome, opening(None))?)
}

/// The same under these terms, which are in force from now on.
pub fn open_under(directory: &Path, terms: Terms) -> Result<Store, StoreError> {
    known(Store::open(directory, outcome, opening(Some(terms)))?)
}

/// Opens the database read-only, even while a server is running.
pub fn open_to_read(directory: &Path) -> Result<Db, StoreError> {
    let db = Store::open_to_read(directory)?;
    know(&store::reference::all(&db)?);
    Ok(db)
}

/// Tells the kinds by which tables the games of this database are played.
fn known(store: Store) -> Result<Store, StoreError> {
    know(&store.read_now(store::reference::all)?);
    Ok(store)
}

fn know(kept: &[Reference]) {
    games::catalog::KINDS.iter().for_each(|kind| (kind.know)(kept));
}

/// The same, calling `before_commit` on the writer's thread right before each COMMIT; tests hold it back there.
pub fn open_watched(directory: &Path, before_commit: impl Fn() + Send + 'static) -> Result<Store, StoreError> {
    known(Store::open_watched(directory, outcome, opening(None), before_commit)?)
}

fn opening(terms: Option<Terms>) -> Opening {
    /// What house minds of every kind may say. Read from the cases when it is first needed, after the operator's own were added.
    static HOUSE_LINES: LazyLock<Arc<HouseLines>> = LazyLock::new(|| {
        Arc::new(HouseLines::new(|| games::catalog::KINDS.iter().flat_map(|kind| (kind.house_lines)()).collect()))
    });
    let references = games::catalog::KINDS.iter().flat_map(|kind| (kind.references)()).collect();
    Opening { terms, house_lines: Arc::clone(&HOUSE_LINES), references }
}

/// A game as it is now: its snapshot, and what happened since.
pub fn load(kind: Kind, id: GameId, stored: GameStored) -> Result<Box<dyn AnyGame>, Corrupt> {
    let mut game = (kind.load)(id, stored.seed, &stored.snapshot)?;
    for row in stored.rows {
        game.replay(row.mark, row.body, row.hash)?;
    }
    Ok(game)
}

/// Checks one game, or everything. `progress` is called now and then with the number of events so far.
pub fn verify(db: &Db, catalog: Catalog, only: Option<GameId>, progress: impl FnMut(u64)) -> Result<Checked, Bad> {
    let replay =
        move |listed: &Listed, rows: &mut Rows<'_>, compare: &mut Compare<'_>| replay(catalog, listed, rows, compare);
    store::verify::verify(db, only, &replay, progress)
}

/// The rows of a log, as the store reads them.
type Rows<'a> = dyn Iterator<Item = Result<Row, Bad>> + 'a;
/// What compares a step of a replay with what is stored.
type Compare<'a> = dyn FnMut(Step<'_>) -> Result<(), Bad> + 'a;

fn outcome(kind: &str, id: GameId, seed: Seed, snapshot: &[u8]) -> Result<Outcome, String> {
    let kind = games::catalog::by_name(kind).ok_or_else(|| format!("unknown kind {kind:?}"))?;
    let game = (kind.load)(id, seed, snapshot).map_err(|corrupt| corrupt.to_string())?;
    Ok(Outcome::of(game.as_ref()))
}

fn replay(catalog: Catalog, listed: &Listed, rows: &mut Rows<'_>, compare: &mut Compare<'_>) -> Result<Replayed, Bad> {
    let kind = catalog
        .by_name(&listed.kind)
        .ok_or_else(|| listed.bad("games", None, format!("unknown kind {:?}", listed.kind)))?;
    let mut replayed: Option<Box<dyn AnyGame>> = None;
    let mut lessons = Vec::new();
    let mut before = "";
    for row in rows {
        let row = row?;
        let corrupt = |corrupt: Corrupt| listed.bad("events", Some(row.mark.seq.0), corrupt.to_string());
        let logged = match &mut replayed {
            Some(game) => game.replay(row.mark, row.body, row.hash).map_err(corrupt)?,
            None if row.mark.seq != Seq(1) => return Err(listed.bad("events", Some(1), "it is missing")),
            None => {
                let first = (kind.replay_first)(listed.id, listed.seed, row.mark.at, &row.body, row.hash);
                let (game, logged) = first.map_err(corrupt)?;
                check_founding(listed, game.as_ref())?;
                replayed = Some(game);
                logged
            }
        };
        if let Some(game) = replayed.as_deref() {
            if teaches(game) {
                lessons.extend(of_row(game, &logged, before).into_iter().map(|lesson| (logged.mark.at, lesson)));
            }
            compare(Step { logged: &logged, status: game.status(), snapshot: &|| game.snapshot() })?;
        }
        before = logged.name;
    }
    let game = replayed.ok_or_else(|| listed.bad("events", Some(1), "it is missing"))?;
    Ok(Replayed {
        mark: game.mark(),
        status: game.status(),
        progress: game.progress(),
        outcome: Outcome::of(game.as_ref()),
        lessons,
    })
}

fn check_founding(listed: &Listed, game: &dyn AnyGame) -> Result<(), Bad> {
    let terms = game.terms();
    let wrong = |column: &str| Err(listed.bad("games", None, format!("{column} is not what the log says")));
    if listed.rules != game.meta().version {
        return wrong("rules");
    }
    if listed.created_at != game.created_at().0 {
        return wrong("created_at");
    }
    if listed.unlisted != i64::from(terms.unlisted) {
        return wrong("unlisted");
    }
    if listed.demo != i64::from(terms.demo) {
        return wrong("demo");
    }
    Ok(())
}
