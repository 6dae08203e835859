//! How the server was started: everything that options and environment variables decide.

pub mod limits;
pub mod minds;
pub mod terms;

use engine::time::Timestamp;
use games::catalog::{CATALOG, Catalog};
use limits::LimitTable;
use minds::MindSettings;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Clone, Debug)]
pub struct Settings {
    /// The kinds of game that it offers.
    pub catalog: Catalog,
    pub listen: SocketAddr,
    /// Whether tables without credentials may be made.
    pub open_tables: bool,
    /// How many demo tables to keep playing.
    pub demo_tables: usize,
    /// The address that people use, if there is a proxy in front.
    pub public_url: Option<String>,
    /// The proxy whose forwarded addresses count.
    pub trusted_proxy: Option<std::net::IpAddr>,
    /// How much a caller may take up.
    pub limits: LimitTable,
    /// Whether requests from this machine are limited too.
    pub limit_loopback: bool,
    /// What tells the time.
    pub clock: Clock,
    /// How transitions are logged.
    pub journal: Journal,
    /// What plays AI seats.
    pub minds: MindSettings,
    /// The moderation service that is asked about words, if there is one.
    pub moderation_url: Option<String>,
}

/// For a house inside another program: a free port on this machine, anyone may open tables, no demo, silent.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            catalog: CATALOG,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            open_tables: true,
            demo_tables: 0,
            public_url: None,
            trusted_proxy: None,
            limits: LimitTable::default(),
            limit_loopback: false,
            clock: Clock::default(),
            journal: Journal::Silent,
            minds: MindSettings::default(),
            moderation_url: None,
        }
    }
}

/// The system's clock; a test may set it forward and back.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead_ms: Arc<AtomicI64>,
}

impl Clock {
    pub fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set after 1970");
        Timestamp(since.as_millis() as i64 + self.ahead_ms.load(Ordering::Relaxed))
    }

    /// Sets this clock, and those cloned from it, ahead of the system's by so much; negative for back.
    pub fn set_ahead(&self, ms: i64) {
        self.ahead_ms.store(ms, Ordering::Relaxed);
    }
}

#[derive(Clone, Debug)]
pub enum Journal {
    /// One JSON object a line, to standard output.
    Json,
    /// The same, laid out for people.
    Pretty,
    /// Not at all: a house inside another program.
    Silent,
    /// Collected as JSON for the program that started the house.
    Kept(Arc<Mutex<Vec<Value>>>),
}
