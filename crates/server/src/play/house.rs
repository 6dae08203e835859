//! The house: what every handler is given. Store, games in memory, clock, settings.

use super::credentials::Credentials;
use super::limits::Limits;
use super::live::{Table, Tables};
use super::matchmaking::Queues;
use crate::settings::Settings;
use bytes::Bytes;
use engine::game::Logged;
use engine::time::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::Store;
use tokio::sync::{Notify, Semaphore, watch};

/// How long a connection to a service outside may take to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// Everything shared. Cheap to clone.
#[derive(Clone)]
pub struct House(Arc<Inner>);

/// Called when a game was founded, has moved on by these rows, or is looked at (no rows): it wakes what drives minds and clocks. They are
/// above this layer, so they hand it in.
pub type Driver = fn(&House, &Arc<Table>, &[Logged]);

/// A page that is built: from which count, its bytes and their tag.
pub type Page = (Timestamp, Bytes, String);

/// Public pages that are built already.
#[derive(Default)]
pub struct Built {
    /// By path and language.
    pub pages: Mutex<HashMap<(String, &'static str), Page>>,
    /// A case without a digest is counted by one visitor, not by all at once.
    pub counting: tokio::sync::Mutex<()>,
}

/// What is inside; reached through `House`.
pub struct Inner {
    pub store: Store,
    pub tables: Tables,
    /// How the server was started.
    pub settings: Settings,
    pub credentials: Credentials,
    /// Where people wait for a table.
    pub queues: Queues,
    /// The client for services outside: language models, a moderation service.
    pub outside: reqwest::Client,
    /// Permits for calls of language models, as many as may be under way at once.
    pub model_calls: Semaphore,
    /// Held while a house mind looks whether its answer is new to the corpus, and gives it.
    pub giving: tokio::sync::Mutex<()>,
    /// Who may ask how often.
    pub limits: Limits,
    /// Public pages that are built already.
    pub built: Built,
    /// Lets one finished game at a time be played again, to see what moved it.
    pub playing_again: Semaphore,
    /// The API document, set when the routes are made: what describes all of them is above what shows it.
    pub document: OnceLock<Value>,
    /// When the server started.
    pub started_at: Timestamp,
    /// Rings when there may be words that a moderation service has not seen.
    pub unchecked: Notify,
    /// Set once, when the server begins to stop.
    pub stopping: watch::Sender<bool>,
    visited_at: AtomicI64,
    driver: Driver,
}

impl std::ops::Deref for House {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl House {
    /// A house over this store.
    pub fn new(store: Store, settings: Settings, driver: Driver) -> Self {
        // The only provider of cryptography in the program; set twice by a second house in one process.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let outside = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            // A key goes where the operator sent it and nowhere else.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("the options are sound");
        let now = wall_clock();
        House(Arc::new(Inner {
            store,
            tables: Tables::default(),
            limits: Limits::new(settings.limit_loopback),
            outside,
            model_calls: Semaphore::new(settings.minds.calls_max),
            giving: tokio::sync::Mutex::default(),
            settings,
            credentials: Credentials::default(),
            queues: Queues::default(),
            built: Built::default(),
            playing_again: Semaphore::new(1),
            document: OnceLock::new(),
            started_at: now,
            unchecked: Notify::new(),
            stopping: watch::Sender::new(false),
            visited_at: AtomicI64::new(now.0),
            driver,
        }))
    }

    /// The time. The only clock there is; everything below is handed a moment.
    pub fn now(&self) -> Timestamp {
        wall_clock()
    }

    /// The API document; null in a house without routes.
    pub fn document(&self) -> &Value {
        self.document.get().unwrap_or(&Value::Null)
    }

    /// Makes sure that minds and clock of this game are driven if it needs that; these rows are new.
    pub fn drive(&self, table: &Arc<Table>, rows: &[Logged]) {
        (self.driver)(self, table, rows);
    }

    /// Somebody opened a page.
    pub fn visited(&self) {
        self.visited_at.store(self.now().0, Ordering::Relaxed);
    }

    /// When somebody last opened a page.
    pub fn visited_at(&self) -> Timestamp {
        Timestamp(self.visited_at.load(Ordering::Relaxed))
    }

    /// Begins to stop: whoever waits for a game is told at once.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
        self.tables.ring();
    }

    /// Whether the server is stopping.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}

/// The time, for commands that have no house.
pub fn wall_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set after 1970");
    Timestamp(since.as_millis() as i64)
}
