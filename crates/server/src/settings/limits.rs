//! How much one caller, one address and all callers together may take up: one table, read from `--limits FILE` if given.

use serde::Deserialize;

/// Every limit that an operator may change. A file names those that differ; an unknown or impossible one stops the start.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitTable {
    /// Requests a second of one account, or of all callers without an account at one address.
    pub requests_per_second: u32,
    /// How many of those may come at once.
    pub requests_at_once: u32,
    /// Requests a second from one address, with and without accounts: a class sits behind one.
    pub address_requests_per_second: u32,
    pub address_requests_at_once: u32,
    /// Attempts a minute to sign in or up from one address.
    pub sign_ins_per_minute: u32,
    /// Wrong passwords for one account before each further one doubles the wait.
    pub account_failures: u32,
    /// The same from one address.
    pub address_failures: u32,
    /// New tables an hour of one account, or of all callers without an account at one address.
    pub tables_per_hour: u32,
    pub tables_at_once: u32,
    /// New tables an hour from one address.
    pub address_tables_per_hour: u32,
    pub address_tables_at_once: u32,
    /// Hours that a table waits for its players before it is closed.
    pub table_waits_hours: u32,
    /// The same for a table at which nobody sits, in minutes.
    pub empty_table_waits_minutes: u32,
    /// Open connections in all. The process's own limit of file handles, less a reserve, is kept to as well.
    pub connections: usize,
    /// Open connections from one address.
    pub address_connections: usize,
    /// Seconds for the head of a request, and between two requests on one connection.
    pub head_s: u64,
    /// Seconds for the body of a request.
    pub body_s: u64,
    /// Seconds that a client may leave an answer unread.
    pub stalled_s: u64,
    /// The largest database in which new tables are made, in MB; 0 for no bound but the disk.
    pub database_mb: u64,
    /// New tables are refused while less of the disk is free, in MB.
    pub disk_free_mb: u64,
}

impl Default for LimitTable {
    fn default() -> Self {
        LimitTable {
            requests_per_second: 50,
            requests_at_once: 200,
            address_requests_per_second: 1_000,
            address_requests_at_once: 4_000,
            sign_ins_per_minute: 30,
            account_failures: 10,
            address_failures: 20,
            tables_per_hour: 120,
            tables_at_once: 40,
            address_tables_per_hour: 1_200,
            address_tables_at_once: 200,
            table_waits_hours: 24,
            empty_table_waits_minutes: 60,
            connections: 8_192,
            address_connections: 1_024,
            head_s: 30,
            body_s: 30,
            stalled_s: 30,
            database_mb: 0,
            disk_free_mb: 256,
        }
    }
}

impl LimitTable {
    /// Reads a table, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let table: LimitTable = toml::from_str(text).map_err(|error| error.to_string())?;
        let nonzero = [
            ("requests_per_second", u64::from(table.requests_per_second)),
            ("requests_at_once", u64::from(table.requests_at_once)),
            ("address_requests_per_second", u64::from(table.address_requests_per_second)),
            ("address_requests_at_once", u64::from(table.address_requests_at_once)),
            ("sign_ins_per_minute", u64::from(table.sign_ins_per_minute)),
            ("tables_per_hour", u64::from(table.tables_per_hour)),
            ("tables_at_once", u64::from(table.tables_at_once)),
            ("address_tables_per_hour", u64::from(table.address_tables_per_hour)),
            ("address_tables_at_once", u64::from(table.address_tables_at_once)),
            ("table_waits_hours", u64::from(table.table_waits_hours)),
            ("empty_table_waits_minutes", u64::from(table.empty_table_waits_minutes)),
            ("connections", table.connections as u64),
            ("address_connections", table.address_connections as u64),
            ("head_s", table.head_s),
            ("body_s", table.body_s),
            ("stalled_s", table.stalled_s),
        ];
        match nonzero.iter().find(|(_, value)| *value == 0) {
            Some((name, _)) => Err(format!("{name} must be at least 1")),
            None => Ok(table),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_only_what_differs_and_nothing_unknown() {
        let table = LimitTable::read("requests_per_second = 7\nhead_s = 5").expect("a table");
        let expected = LimitTable { requests_per_second: 7, head_s: 5, ..LimitTable::default() };
        assert_eq!(table, expected);
        for (wrong, why) in
            [("request_per_second = 7", "unknown field"), ("head_s = 0", "at least 1"), ("head_s = -1", "head_s")]
        {
            let said = LimitTable::read(wrong).expect_err("no table");
            assert!(said.contains(why), "{said}");
        }
    }
}
