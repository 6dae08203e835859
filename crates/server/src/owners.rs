//! Words of a closed trial for somebody who looks on and owns them: what was bought or written is read wherever it is said.

use crate::auth::Caller;
use crate::house::House;
use crate::kinds::Played;
use crate::problem::Answer;
use crate::store::shelf::owned_among;
use commons::corpus::hash::ArgHash;
use engine::erased::AnyGame;
use engine::id::AccountId;
use engine::parts::transcript::{Entry, SeenBy};
use engine::rules::Viewer;

/// The account that looks on at a tribunal from outside: what it owns it may read there. Whoever sits there hears everything.
pub fn looks_on(game: &dyn AnyGame, caller: &Caller, viewer: Viewer) -> Option<AccountId> {
    match (Played::of(game), viewer) {
        (Played::Tribunal, Viewer::Spectator) => caller.account_id(),
        (Played::Tribunal, Viewer::Seat(_)) | (Played::Trolley | Played::Trial | Played::Mercury, _) => None,
    }
}

/// Lets this account hear what it owns, in a copy of the transcript that must be shown to nobody else. False if that is nothing.
pub async fn reveal(house: &House, account: AccountId, said: &mut [Entry]) -> Answer<bool> {
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

/// What the bench says may quote anybody, so it is nobody's to own.
fn is_argument(entry: &Entry) -> bool {
    matches!(entry.name.as_ref(), "argued" | "answered" | "substantiated")
}
