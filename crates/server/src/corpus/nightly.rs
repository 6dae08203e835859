//! What is worked out once a day: how effective arguments and defenses are by now, and what follows from that. Running it twice
//! changes nothing.

use super::packs::english_words;
use super::treasury;
use crate::corpus::dockets::{characters, every_case};
use crate::play::House;
use engine::time::Timestamp;
use std::time::Duration;
use store::Store;
use store::StoreError;
use store::corpus::derived::{self, Recomputed};
use store::corpus::digests;
use store::ledger::challenges;
use store::ledger::packs::{self, NewPack};

/// How long after the start the first run is, and how long between two.
const FIRST: Duration = Duration::from_secs(20);
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// What one run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Night {
    pub found: Recomputed,
    /// Titles that changed hands.
    pub titles: usize,
    /// Packs that were made.
    pub packs: usize,
    /// Cases whose public figures have changed.
    pub digests: usize,
}

/// Runs the nightly job until the server stops.
pub async fn keep(house: House) {
    let mut stopping = house.stopping.subscribe();
    let mut wait = FIRST;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            _ = stopping.changed() => return,
        }
        wait = EVERY;
        match run(&house.store, house.now()).await {
            Ok(Night { found, titles, packs, digests }) => {
                let (events, changed) = (found.events, found.changed);
                tracing::info!(events, changed, titles, packs, digests, "the nightly job is done");
            }
            Err(error) => tracing::error!(%error, "the nightly job failed"),
        }
    }
}

/// The whole job, in the order in which one part follows from the other.
pub async fn run(store: &Store, at: Timestamp) -> Result<Night, StoreError> {
    treasury::pay_royalties(store, at).await?;
    let found = recompute(store).await?;
    let titles = dethrone(store, at).await?;
    let packs = curate(store, at).await?;
    let digests = digest(store, at).await?;
    Ok(Night { found, titles, packs, digests })
}

/// Derives everything from the events again. The events are read from one moment; what comes meanwhile is left to the next run.
pub async fn recompute(store: &Store) -> Result<Recomputed, StoreError> {
    let changes = store.read(derived::derive).await?;
    let found = changes.found;
    for part in derived::parts(changes) {
        store.write(move |db| derived::write(db, &part)).await?;
    }
    Ok(found)
}

/// Hands titles over, one transaction for each, and says how many.
pub async fn dethrone(store: &Store, at: Timestamp) -> Result<usize, StoreError> {
    let mut changed = 0;
    for title in store.read(challenges::due).await? {
        let event = store.write(move |db| challenges::hand_over(db, &title, at)).await?;
        changed += usize::from(event.is_some());
    }
    store.write(challenges::mark).await?;
    Ok(changed)
}

/// Makes packs of what is new and proved, and says how many.
pub async fn curate(store: &Store, at: Timestamp) -> Result<usize, StoreError> {
    let mut made = 0;
    for case_id in every_case() {
        for character_id in characters(&case_id) {
            let case_id = case_id.clone();
            let pack = NewPack {
                case_id,
                character_id,
                name: None,
                description: None,
                price: None,
                usual_words: english_words,
                curator: None,
                at,
            };
            // A pack that fails must not keep the others from being made.
            match store.write(move |db| packs::make_if_due(db, &pack)).await {
                Ok(bound) => made += usize::from(bound.is_some()),
                Err(error @ StoreError::Stopping) => return Err(error),
                Err(error) => tracing::error!(%error, "a pack could not be made"),
            }
        }
    }
    Ok(made)
}

/// Counts what everybody may know of each case, and says for how many that has changed.
pub async fn digest(store: &Store, at: Timestamp) -> Result<usize, StoreError> {
    let cases: Vec<_> = every_case().into_iter().map(|id| (id.clone(), characters(&id))).collect();
    let counted = store.read(move |db| digests::count(db, &cases)).await?;
    store.write(move |db| digests::keep(db, &counted, at)).await
}
