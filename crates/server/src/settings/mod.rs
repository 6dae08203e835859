//! How the server was started: everything that options and environment variables decide.

pub mod minds;

use games::catalog::{CATALOG, Catalog};
use minds::MindSettings;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

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
    /// Whether requests from this machine are limited too.
    pub limit_loopback: bool,
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
            limit_loopback: false,
            journal: Journal::Silent,
            minds: MindSettings::default(),
            moderation_url: None,
        }
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
