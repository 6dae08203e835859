//! The house, which every handler is given: store, games in memory, clock, settings.

use super::credentials::Credentials;
use super::limits::Limits;
use super::live::{Table, Tables};
use super::matchmaking::Queues;
use crate::settings::{Clock, Settings};
use bytes::Bytes;
use engine::game::Logged;
use engine::id::AccountId;
use engine::time::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
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
    pub started_at: Instant,
    /// Rings when there may be words that a moderation service has not seen.
    pub unchecked: Notify,
    /// Set once, when the server begins to stop.
    pub stopping: watch::Sender<bool>,
    /// Set while there is no room for new tables.
    pub full: AtomicBool,
    network_secret: [u8; 32],
    visited_at: Mutex<Instant>,
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
        let mut network_secret = [0; 32];
        getrandom::fill(&mut network_secret).expect("the system gives random numbers");
        House(Arc::new(Inner {
            store,
            tables: Tables::default(),
            limits: Limits::new(settings.limits.clone(), settings.limit_loopback),
            outside,
            model_calls: Semaphore::new(settings.minds.calls_max),
            giving: tokio::sync::Mutex::default(),
            settings,
            credentials: Credentials::default(),
            queues: Queues::default(),
            built: Built::default(),
            playing_again: Semaphore::new(1),
            document: OnceLock::new(),
            started_at: Instant::now(),
            unchecked: Notify::new(),
            stopping: watch::Sender::new(false),
            full: AtomicBool::new(false),
            network_secret,
            visited_at: Mutex::new(Instant::now()),
            driver,
        }))
    }

    /// The time, as events are dated by it; everything below is handed a moment. It may jump when an operator or a time server sets it, so
    /// nothing waits by it: waits are counted by `Instant`.
    pub fn now(&self) -> Timestamp {
        self.settings.clock.now()
    }

    /// A name for a network that says nothing about it, and changes when the server starts again.
    pub fn network_key(&self, network: IpAddr) -> [u8; 32] {
        blake3::keyed_hash(&self.network_secret, network.to_string().as_bytes()).into()
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
        *self.visited_at.lock().expect("no holder panics") = Instant::now();
    }

    /// When a page was last opened.
    pub fn visited_at(&self) -> Instant {
        *self.visited_at.lock().expect("no holder panics")
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
    Clock::default().now()
}
