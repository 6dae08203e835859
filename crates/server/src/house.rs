//! The house: what every handler is given. Store, games in memory, clock, settings.

use crate::auth::Secrets;
use crate::edge::Limits;
use crate::live::Tables;
use crate::matchmaking::Desks;
use crate::minds::Minds;
use crate::minds::choice::MindSettings;
use crate::pages::public::Built;
use crate::store::Store;
use engine::time::Timestamp;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{Notify, Semaphore, watch};

/// Everything shared. Cheap to clone.
#[derive(Clone)]
pub struct House(Arc<Inner>);

/// What is inside; reached through `House`.
pub struct Inner {
    /// What is kept.
    pub store: Store,
    /// Games in memory.
    pub tables: Tables,
    /// How the server was started.
    pub settings: Settings,
    /// Credentials seen lately.
    pub secrets: Secrets,
    /// Where people wait for a table.
    pub desks: Desks,
    /// What calls of language models share.
    pub minds: Minds,
    /// Who may ask how often.
    pub limits: Limits,
    /// Public pages that are built already.
    pub built: Built,
    /// Lets one finished game at a time be played again, to see what moved it.
    pub playing_again: Semaphore,
    /// When the server started.
    pub started_at: Timestamp,
    /// Rings when there may be words that a moderation service has not seen.
    pub unchecked: Notify,
    /// Set once, when the server begins to stop.
    pub stopping: watch::Sender<bool>,
    visited_at: AtomicI64,
}

/// How the server was started.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Whether tables without credentials may be made.
    pub open_tables: bool,
    /// How many demo tables to keep playing.
    pub demo_tables: usize,
    /// The address people use, behind a proxy.
    pub public_url: Option<String>,
    /// The proxy whose forwarded addresses count.
    pub trusted_proxy: Option<std::net::IpAddr>,
    /// Whether requests from this machine are limited too.
    pub limit_loopback: bool,
    /// How transitions are written.
    pub journal: Journal,
    /// What plays AI seats.
    pub minds: MindSettings,
    /// Where a moderation service is asked about words, if there is one.
    pub moderation_url: Option<String>,
}

/// A house inside another program: a free port of this machine, anyone may open tables, no demo, silent.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            open_tables: true,
            demo_tables: 0,
            public_url: None,
            trusted_proxy: None,
            limit_loopback: false,
            journal: Journal::Silent,
            minds: MindSettings::default(),
            moderation_url: None,
        }
    }
}

/// Where transitions are written.
#[derive(Clone, Debug)]
pub enum Journal {
    /// One JSON object a line, to standard output.
    Json,
    /// The same for people.
    Pretty,
    /// Not at all: a house inside another program.
    Silent,
    /// To whoever started it, as JSON.
    Kept(Arc<Mutex<Vec<Value>>>),
}

impl std::ops::Deref for House {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl House {
    /// A house over this store.
    pub fn new(store: Store, settings: Settings) -> Self {
        let now = wall_clock();
        House(Arc::new(Inner {
            store,
            tables: Tables::default(),
            limits: Limits::new(settings.limit_loopback),
            minds: Minds::new(settings.minds.calls_max),
            settings,
            secrets: Secrets::default(),
            desks: Desks::default(),
            built: Built::default(),
            playing_again: Semaphore::new(1),
            started_at: now,
            unchecked: Notify::new(),
            stopping: watch::Sender::new(false),
            visited_at: AtomicI64::new(now.0),
        }))
    }

    /// The time. The only clock there is; everything below is handed a moment.
    pub fn now(&self) -> Timestamp {
        wall_clock()
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

fn wall_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set after 1970");
    Timestamp(since.as_millis() as i64)
}
