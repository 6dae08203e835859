//! How much room there is for new games: the size of the database and what the disk has left.

use super::House;
use crate::problem::{Answer, Problem};
use axum::http::StatusCode;
use std::sync::atomic::Ordering;

const MB: u64 = 1_000_000;

/// Measures, reports, and notes whether new tables may be opened.
pub fn measure(house: &House) {
    let limits = &house.settings.limits;
    let size = house.store.size();
    // A disk that cannot be asked is not held against anyone: a commit that fails says so itself.
    let free = rustix::fs::statvfs(house.store.directory()).map_or(u64::MAX, |disk| disk.f_bavail * disk.f_frsize);
    metrics::gauge!("moot_database_bytes").set(size as f64);
    metrics::gauge!("moot_disk_free_bytes").set(free as f64);
    let too_large = limits.database_mb > 0 && size > limits.database_mb * MB;
    let full = too_large || free < limits.disk_free_mb * MB;
    if full && !house.full.swap(true, Ordering::Relaxed) {
        tracing::error!(size, free, "no room for new tables; games under way go on. See database_mb and disk_free_mb");
    } else if !full && house.full.swap(false, Ordering::Relaxed) {
        tracing::info!(size, free, "there is room for new tables again");
    }
}

/// Refuses a new table while there is no room.
pub fn check(house: &House) -> Answer<()> {
    if !house.full.load(Ordering::Relaxed) {
        return Ok(());
    }
    let detail = "The server has no room for new tables right now; games under way go on.";
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", detail))
}
