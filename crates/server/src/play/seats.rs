//! Sitting down at a table: who plays there, under which names, and which lines of the house they know already.

use super::{House, records};
use crate::problem::{Answer, Problem};
use commons::corpus::hash::Normal;
use commons::names::folded;
use engine::chance::Draw;
use engine::erased::{AnyGame, Kind};
use engine::game::{Logged, Progress};
use engine::id::AccountId;
use engine::parts::lines::LineId;
use engine::parts::transcript::Entry;
use engine::roster::{Holder, Lang, TableCommand};
use engine::rules::{Meta, Viewer};
use engine::time::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::games::{of_account_and_kind, transcript};
use store::{Db, GameStored, StoreError};

/// How many games of a kind count as known, newest first.
const KNOWN_GAMES: usize = 20;
/// How many games of all kinds are searched for them.
const KNOWN_AMONG: usize = 400;
/// How many entries of each are read.
const KNOWN_ENTRIES: usize = 400;

/// What a table records before an account sits down: the lines of the house that it has heard in earlier games, if there are any.
pub async fn known(house: &House, kind: Kind, holder: Holder) -> Answer<Option<TableCommand>> {
    let Some(account) = holder.account() else { return Ok(None) };
    let lines = house.store.read(move |db| lines_known(db, account, kind)).await?;
    Ok((!lines.is_empty()).then_some(TableCommand::Remember { lines }))
}

/// Seats a player, after recording which lines it knows. A rated table begins as soon as it has its players: nobody hosts it.
pub fn sit_rows(
    game: &mut dyn AnyGame,
    name: &Arc<str>,
    holder: Holder,
    known: Option<&TableCommand>,
    now: Timestamp,
) -> Answer<Vec<Logged>> {
    check_name(game.meta(), name)?;
    let mut rows = Vec::new();
    for command in known.cloned().into_iter().chain([TableCommand::Sit { name: name.clone(), holder }]) {
        rows.extend(game.table(command, now)?);
    }
    rows.extend(begin_if_rated(game, now)?);
    Ok(rows)
}

/// Refuses a name that is reserved for the house: no player's words should look like a judge's.
pub fn check_name(meta: &Meta, name: &str) -> Answer<()> {
    let plain = |name: &str| Normal::of(&folded(name));
    let is_own = |own: &&str| plain(own) == plain(name);
    if [Lang::En, Lang::Ko].into_iter().any(|lang| (meta.house_names)(lang).iter().any(is_own)) {
        let detail = format!("The name {name:?} is the house's own here; choose another \"display_name\".");
        return Err(Problem::bad("NAME_RESERVED", detail));
    }
    Ok(())
}

/// Starts a rated table that has enough players.
pub fn begin_if_rated(game: &mut dyn AnyGame, now: Timestamp) -> Answer<Vec<Logged>> {
    let enough = game.roster().len() >= game.seating().seats_min;
    if game.terms().rated && game.progress() == Progress::Table && enough {
        return Ok(game.table(TableCommand::Start, now)?);
    }
    Ok(vec![])
}

/// `count` different names for house minds.
pub fn house_names(lang: Lang, count: usize, draw: &mut Draw) -> Vec<Arc<str>> {
    let mut names = ::games::names::house_names(lang);
    draw.shuffle(&mut names);
    (0..count)
        .map(|index| {
            let name = names[index % names.len()];
            if index < names.len() { Arc::from(name) } else { Arc::from(format!("{name} {}", index / names.len() + 1)) }
        })
        .collect()
}

/// The lines of this kind's house minds that an account has heard in its last games, each once and in order.
fn lines_known(db: &Db, account: AccountId, kind: Kind) -> Result<Vec<LineId>, StoreError> {
    let mut known = BTreeSet::new();
    for id in of_account_and_kind(db, account, kind.meta.name, KNOWN_AMONG, KNOWN_GAMES)? {
        let Some(stored) = GameStored::find(db, id)? else { continue };
        let no = stored.no;
        // A game under rules that this program no longer has was played with other lines.
        let Ok(game) = records::load(kind, id, stored) else { continue };
        let seats: Vec<Viewer> = game.roster().seats_of(account).map(Viewer::Seat).collect();
        let heard = |entry: &Entry| seats.iter().any(|seat| entry.line.seen_by.includes(*seat));
        for entry in transcript(db, no, KNOWN_ENTRIES)?.iter().filter(|entry| heard(entry)) {
            let texts = entry.line.payload.as_ref().map(texts_in).unwrap_or_default();
            known.extend(entry.line.text.as_deref().into_iter().chain(texts).flat_map(kind.lines_in));
        }
    }
    Ok(known.into_iter().collect())
}

/// Every string in a value, however deep: a decision carries its reason.
fn texts_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().flat_map(texts_in).collect(),
        Value::Object(all) => all.values().flat_map(texts_in).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => vec![],
    }
}
