//! The house, which every handler is given: store, games in memory, clock, settings.

use super::credentials::Credentials;
use super::limits::Limits;
use super::live::{Table, Tables};
use super::matchmaking::Queues;
use crate::settings::Settings;
use bytes::Bytes;
use engine::game::Logged;
use engine::id::AccountId;
use engine::time::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::Store;
use tokio::sync::{Notify, Semaphore, watch};

/// How long connecting to an outside service may take.
const CONNECT: Duration = Duration::from_secs(10);

/// Everything shared. Cheap to clone.
#[derive(Clone)]
pub struct House(Arc<Inner>);

/// Called when a game is founded, moves on by these rows, or is looked at (no rows): it wakes the task that drives minds and clock. Minds
/// are above this layer, so they hand it in.
pub type Driver = fn(&House, &Arc<Table>, &[Logged]);

/// A built page: when its digest was counted, its bytes and their tag.
pub type Page = (Timestamp, Bytes, String);

/// A cache of public pages.
#[derive(Default)]
pub struct Built {
    /// By case and language.
    pub pages: Mutex<HashMap<(String, &'static str), Page>>,
    /// Held while a case without a digest is counted, so that one visitor does it and not all at once.
    pub counting: tokio::sync::Mutex<()>,
}

/// What is inside; reached through `House`.
pub struct Inner {
    pub store: Store,
    pub tables: Tables,
    pub settings: Settings,
    pub credentials: Credentials,
    /// Rated tables that wait for players.
    pub queues: Queues,
    /// The client for outside services: language models, a moderation service.
    pub outside: reqwest::Client,
    /// Permits for calls to language models: how many may be under way at once.
    pub model_calls: Semaphore,
    /// Held while a house mind checks that its answer is new to the corpus, and until it has given it.
    pub giving: tokio::sync::Mutex<()>,
    pub limits: Limits,
    pub built: Built,
    /// Lets one finished game at a time be played again, to see what moved it.
    pub playing_again: Semaphore,
    /// The API document, set when the routes are made: `routes` is above the pages that show it.
    pub document: OnceLock<Value>,
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
    pub fn new(store: Store, settings: Settings, driver: Driver) -> Self {
        // The program's only provider of cryptography; in a process with a second house it is installed already.
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

    /// The only clock; everything below is handed a moment.
    pub fn now(&self) -> Timestamp {
        wall_clock()
    }

    /// The API document; null in a house without routes.
    pub fn document(&self) -> &Value {
        self.document.get().unwrap_or(&Value::Null)
    }

    /// Makes sure that this game's minds and clock are driven if it needs that; `rows` are new.
    pub fn drive(&self, table: &Arc<Table>, rows: &[Logged]) {
        (self.driver)(self, table, rows);
    }

    /// Notes that a page was opened just now.
    pub fn visited(&self) {
        self.visited_at.store(self.now().0, Ordering::Relaxed);
    }

    /// When a page was last opened.
    pub fn visited_at(&self) -> Timestamp {
        Timestamp(self.visited_at.load(Ordering::Relaxed))
    }

    /// Called when a credential of this account stops being valid: requests ask the store again, and streams look again who is watching.
    pub fn forget_credentials(&self, account: AccountId) {
        self.credentials.forget(account);
        self.tables.ring();
    }

    /// Begins to stop: everything that waits for a game is woken at once.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
        self.tables.ring();
    }

    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}

/// The time, for commands that have no house.
pub fn wall_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set after 1970");
    Timestamp(since.as_millis() as i64)
}
