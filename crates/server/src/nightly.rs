//! What is worked out once a day: how effective arguments and defences are by now. Running it twice changes nothing.

use crate::house::House;
use crate::store::derived::{self, Recomputed};
use crate::store::{Store, StoreError};
use std::time::Duration;

/// How long after the start the first run is, and how long between two.
const FIRST: Duration = Duration::from_secs(20);
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

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
        match recompute(&house.store).await {
            Ok(done) => tracing::info!(events = done.events, changed = done.changed, "the nightly job is done"),
            Err(error) => tracing::error!(%error, "the nightly job failed"),
        }
    }
}

/// Derives everything from the events again. The events are read from one moment; whatever comes meanwhile is the next run's.
pub async fn recompute(store: &Store) -> Result<Recomputed, StoreError> {
    let changes = store.read(derived::derive).await?;
    let found = changes.found;
    for part in derived::parts(changes) {
        store.write(move |db| derived::write(db, &part)).await?;
    }
    Ok(found)
}
