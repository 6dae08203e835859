//! How often one caller may ask, sign in and open tables. Nothing here grows with the number of callers beyond [`BUCKETS`].

use crate::problem::{Answer, Problem};
use crate::settings::limits::LimitTable;
use engine::id::AccountId;
use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Callers are told apart by a keyed hash of this many values, so that a flood of addresses cannot fill the memory; two callers share one
/// by accident at most.
const BUCKETS: u64 = 1 << 18;
/// The longest wait after wrong passwords for one account: short, or strangers could lock its owner out.
const ACCOUNT_WAIT_MAX: Duration = Duration::from_secs(60);
/// The same for an address.
const ADDRESS_WAIT_MAX: Duration = Duration::from_secs(15 * 60);
/// Wrong passwords are forgotten after this long without another.
const FORGIVEN: Duration = Duration::from_secs(60 * 60);
const HOUR_S: u32 = 60 * 60;

type Limiter = RateLimiter<u64, DashMapStateStore<u64>, DefaultClock, StateInformationMiddleware>;

pub struct Limits {
    table: LimitTable,
    /// By account, or by address without one.
    requests: Limiter,
    /// By address, whoever is calling.
    address_requests: Limiter,
    sign_ins: Limiter,
    tables: Limiter,
    address_tables: Limiter,
    failures: Mutex<HashMap<u64, Failures>>,
    loopback_too: bool,
    hasher: RandomState,
}

/// Wrong passwords in a row.
struct Failures {
    count: u32,
    last: Instant,
}

/// Where a request comes from, as far as limits go: an IPv4 address, or the /64 network of an IPv6 address, since one client has all of it.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

impl Limits {
    pub fn new(table: LimitTable, loopback_too: bool) -> Self {
        let count = |number| NonZeroU32::new(number).expect("the table was checked");
        let limiter = |quota: Quota| RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        let per_second = |number, burst| limiter(Quota::per_second(count(number)).allow_burst(count(burst)));
        let per_hour = |number: u32, burst| {
            let every = Duration::from_secs(HOUR_S.into()) / number;
            limiter(Quota::with_period(every).expect("an hour is not nothing").allow_burst(count(burst)))
        };
        Limits {
            requests: per_second(table.requests_per_second, table.requests_at_once),
            address_requests: per_second(table.address_requests_per_second, table.address_requests_at_once),
            sign_ins: limiter(Quota::per_minute(count(table.sign_ins_per_minute))),
            tables: per_hour(table.tables_per_hour, table.tables_at_once),
            address_tables: per_hour(table.address_tables_per_hour, table.address_tables_at_once),
            failures: Mutex::default(),
            table,
            loopback_too,
            hasher: RandomState::new(),
        }
    }

    pub fn applies_to(&self, address: IpAddr) -> bool {
        self.loopback_too || !address.to_canonical().is_loopback()
    }

    /// Counts a request from this address; says how long to wait if there were too many from all its callers together.
    pub fn address(&self, address: IpAddr) -> Result<(), Duration> {
        if !self.applies_to(address) {
            return Ok(());
        }
        take(&self.address_requests, self.of_address(address)).map(drop)
    }

    /// Counts a request of this account, or of the callers without one at this address; nothing if they are not limited.
    pub fn caller(&self, address: IpAddr, account: Option<AccountId>) -> Option<Left> {
        if !self.applies_to(address) {
            return None;
        }
        let taken = take(&self.requests, self.of_caller(address, account));
        let limit = self.table.requests_at_once;
        Some(match taken {
            Ok(remaining) => Left { limit, remaining, wait: None },
            Err(wait) => Left { limit, remaining: 0, wait: Some(wait) },
        })
    }

    /// Counts an attempt to sign in or up, whether it succeeds or not.
    pub fn sign_in(&self, address: IpAddr) -> Answer<()> {
        if !self.applies_to(address) {
            return Ok(());
        }
        let taken = take(&self.sign_ins, self.of_address(address)).map(drop);
        taken.map_err(|wait| Problem::too_many(wait, "Too many attempts to sign in from your network"))
    }

    /// Counts a new table of this caller.
    pub fn table(&self, address: IpAddr, account: Option<AccountId>) -> Answer<()> {
        if !self.applies_to(address) {
            return Ok(());
        }
        // One caller that asks too often does not use up what its address may have.
        let taken = take(&self.tables, self.of_caller(address, account))
            .and_then(|_| take(&self.address_tables, self.of_address(address)).map(drop));
        taken.map_err(|wait| Problem::too_many(wait, "You have opened many tables; play those first"))
    }

    /// Refuses a password unseen while the wait after earlier wrong ones lasts, for this account name or from this address. Until
    /// [`Limits::tried`] says otherwise, the try counts as a wrong one for the account: many at once are no way around the wait.
    pub fn may_try(&self, address: IpAddr, account: &str) -> Answer<()> {
        let mut failures = self.failures.lock().expect("no holder panics");
        let wait = self
            .keys(address, account)
            .into_iter()
            .filter_map(|(key, free, most)| failures.get(&key).map(|failed| failed.wait(free, most)))
            .max()
            .unwrap_or_default();
        if !wait.is_zero() {
            return Err(Problem::too_many(wait, "Several passwords were wrong, or many are being checked at once"));
        }
        fail(&mut failures, self.of_name(account));
        Ok(())
    }

    /// Notes how a try went. A right password forgives the account, not the address: that could be an attacker's own account.
    pub fn tried(&self, address: IpAddr, account: &str, right: bool) {
        let mut failures = self.failures.lock().expect("no holder panics");
        if right {
            failures.remove(&self.of_name(account));
        } else if self.applies_to(address) {
            fail(&mut failures, self.of_address(address));
        }
    }

    /// Forgets callers that have been quiet.
    pub fn sweep(&self) {
        for limiter in [&self.requests, &self.address_requests, &self.sign_ins, &self.tables, &self.address_tables] {
            limiter.retain_recent();
        }
        let now = Instant::now();
        let mut failures = self.failures.lock().expect("no holder panics");
        failures.retain(|_, failed| now.duration_since(failed.last) <= FORGIVEN);
    }

    /// Under which keys wrong passwords are counted, how many are free, and the longest wait.
    fn keys(&self, address: IpAddr, account: &str) -> Vec<(u64, u32, Duration)> {
        let by_account = (self.of_name(account), self.table.account_failures, ACCOUNT_WAIT_MAX);
        let by_address = (self.of_address(address), self.table.address_failures, ADDRESS_WAIT_MAX);
        if self.applies_to(address) { vec![by_account, by_address] } else { vec![by_account] }
    }

    fn of_caller(&self, address: IpAddr, account: Option<AccountId>) -> u64 {
        account.map_or_else(|| self.of_address(address), |account| self.hasher.hash_one(account.0) % BUCKETS)
    }

    fn of_address(&self, address: IpAddr) -> u64 {
        self.hasher.hash_one(("address", network(address))) % BUCKETS
    }

    fn of_name(&self, account: &str) -> u64 {
        self.hasher.hash_one(("name", account)) % BUCKETS
    }
}

/// Counts one more wrong password.
fn fail(failures: &mut HashMap<u64, Failures>, key: u64) {
    let now = Instant::now();
    let failed = failures.entry(key).or_insert(Failures { count: 0, last: now });
    let forgiven = now.duration_since(failed.last) > FORGIVEN;
    *failed = Failures { count: if forgiven { 1 } else { failed.count.saturating_add(1) }, last: now };
}

impl Failures {
    /// What is left of the wait: it doubles with each failure after the free ones, from one second on.
    fn wait(&self, free: u32, most: Duration) -> Duration {
        let Some(doublings) = self.count.checked_sub(free.max(1)) else { return Duration::ZERO };
        let whole = Duration::from_secs(1 << doublings.min(20)).min(most);
        whole.saturating_sub(self.last.elapsed())
    }
}

/// Takes one from what this key has left.
fn take(limiter: &Limiter, key: u64) -> Result<u32, Duration> {
    match limiter.check_key(&key) {
        Ok(left) => Ok(left.remaining_burst_capacity()),
        Err(until) => Err(until.wait_time_from(DefaultClock::default().now())),
    }
}

pub struct Left {
    /// The most that can be left.
    pub limit: u32,
    pub remaining: u32,
    /// How long to wait, if none are left.
    pub wait: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_ipv6_client_is_its_network_and_a_mapped_address_is_ipv4() {
        assert_eq!(network(address("2001:db8:1:2:3:4:5:6")), address("2001:db8:1:2::"));
        assert_eq!(network(address("::ffff:192.0.2.7")), address("192.0.2.7"));
    }

    #[test]
    fn accounts_at_one_address_have_limits_of_their_own_under_one_cap() {
        let table = LimitTable { requests_at_once: 3, address_requests_at_once: 5, ..LimitTable::default() };
        let limits = Limits::new(table, false);
        let class = address("192.0.2.1");
        let left = |account| limits.caller(class, account).expect("it is limited").wait.is_none();
        let (one, two) = (Some(AccountId(uuid::Uuid::from_u128(1))), Some(AccountId(uuid::Uuid::from_u128(2))));
        for account in [None, one, two] {
            assert!((0..3).all(|_| left(account)));
            assert!(!left(account));
        }
        assert!((0..5).all(|_| limits.address(class).is_ok()));
        assert!(limits.address(class).is_err());
        assert!(limits.address(address("192.0.2.2")).is_ok());
        assert!(limits.caller(address("127.0.0.1"), None).is_none());
    }

    #[test]
    fn wrong_passwords_make_the_next_try_wait_and_a_right_one_forgives_the_account() {
        let limits =
            Limits::new(LimitTable { account_failures: 2, address_failures: 4, ..LimitTable::default() }, true);
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        let wrong = |from, name| {
            assert!(limits.may_try(from, name).is_ok(), "{name}");
            limits.tried(from, name, false);
        };
        wrong(here, "ann");
        wrong(here, "ann");
        // From anywhere, but only for this account.
        assert!(limits.may_try(there, "ann").is_err());
        wrong(there, "bob");
        limits.tried(there, "ann", true);
        wrong(here, "ann");
        wrong(here, "c");
        assert!(limits.may_try(here, "dora").is_err());
        assert!(limits.may_try(there, "dora").is_ok());
        // Two at once are two, though neither is known to be wrong yet.
        assert!(limits.may_try(there, "dora").is_ok());
        assert!(limits.may_try(there, "dora").is_err());
    }
}
