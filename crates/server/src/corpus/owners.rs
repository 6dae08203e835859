//! Words of a closed game for a spectator who owns them: an account reads what it bought or wrote wherever it is said.

use crate::play::House;
use crate::play::live::{HEARD_MAX, Rendered, Shown, Table};
use crate::problem::Answer;
use commons::corpus::hash::ArgHash;
use engine::erased::AnyGame;
use engine::id::AccountId;
use engine::parts::transcript::{Entry, SeenBy};
use engine::rules::{Viewer, Words};
use store::ledger::owned::owned_among;

/// The state as this viewer may see it; an account that looks on from outside also reads what it owns.
pub async fn view(
    house: &House,
    table: &Table,
    shown: &Shown,
    account: Option<AccountId>,
    viewer: Viewer,
) -> Answer<Rendered> {
    if let Some(account) = looks_on(shown.game.as_ref(), account, viewer) {
        let mut said = table.said(house, shown, HEARD_MAX).await?;
        if reveal(house, shown.game.as_ref(), account, &mut said).await? {
            // Made for this caller alone, and kept nowhere.
            return Ok(Rendered::of(shown.game.view(viewer, &said, None)));
        }
    }
    table.view(house, shown, viewer).await
}

/// The account that looks on from outside at a game whose words are kept. Those who sit there hear everything.
pub fn looks_on(game: &dyn AnyGame, account: Option<AccountId>, viewer: Viewer) -> Option<AccountId> {
    account.filter(|_| game.meta().words == Words::Kept && viewer == Viewer::Spectator)
}

/// Lets this account hear what it owns, in a copy of the transcript that must be shown to nobody else. False if that is nothing.
pub async fn reveal(house: &House, game: &dyn AnyGame, account: AccountId, said: &mut [Entry]) -> Answer<bool> {
    // Judges of the house may quote anyone, so nobody owns what they say.
    let judges = game.seating().house_seats;
    let is_argument = |entry: &Entry| entry.line.seat.is_some_and(|seat| usize::from(seat.0) >= judges);
    let sealed = |entry: &Entry| is_argument(entry) && !entry.line.seen_by.includes(Viewer::Spectator);
    let name = |entry: &Entry| ArgHash::of(entry.line.text.as_deref()?).ok();
    let hashes: Vec<ArgHash> = said.iter().filter(|entry| sealed(entry)).filter_map(name).collect();
    if hashes.is_empty() {
        return Ok(false);
    }
    let owned = house.store.read(move |db| owned_among(db, account, &hashes)).await?;
    for entry in said.iter_mut().filter(|entry| sealed(entry)) {
        if name(entry).is_some_and(|hash| owned.contains(&hash)) {
            entry.line.seen_by = SeenBy::All;
        }
    }
    Ok(!owned.is_empty())
}
