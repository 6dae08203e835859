//! How often one caller may ask.

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;

/// Requests per second from one credential or address, and how many may come at once.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(50).expect("not zero");
const BURST: NonZeroU32 = NonZeroU32::new(200).expect("not zero");
/// Attempts per minute to sign in or up from one address.
const SIGN_INS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).expect("not zero");
/// Callers remembered before the quiet ones are forgotten.
const REMEMBERED_MAX: usize = 50_000;

type Limiter = RateLimiter<u64, DashMapStateStore<u64>, DefaultClock, StateInformationMiddleware>;

pub struct Limits {
    requests: Limiter,
    sign_ins: Limiter,
    loopback_too: bool,
    hasher: RandomState,
}

impl Limits {
    pub fn new(loopback_too: bool) -> Self {
        let limiter = |quota| RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        Limits {
            requests: limiter(Quota::per_second(PER_SECOND).allow_burst(BURST)),
            sign_ins: limiter(Quota::per_minute(SIGN_INS_PER_MINUTE)),
            loopback_too,
            hasher: RandomState::new(),
        }
    }

    /// What is left for this caller: a count, or seconds to wait; nothing if it is not limited.
    pub fn check(&self, address: IpAddr, credential: Option<&[u8]>, signing_in: bool) -> Option<Left> {
        if address.is_loopback() && !self.loopback_too {
            return None;
        }
        let (limiter, key) = match credential {
            _ if signing_in => (&self.sign_ins, self.hasher.hash_one(address)),
            Some(secret) => (&self.requests, self.hasher.hash_one((address, secret))),
            None => (&self.requests, self.hasher.hash_one(address)),
        };
        if limiter.len() > REMEMBERED_MAX {
            limiter.retain_recent();
        }
        let limit = if signing_in { SIGN_INS_PER_MINUTE } else { BURST };
        Some(match limiter.check_key(&key) {
            Ok(left) => Left { limit, remaining: left.remaining_burst_capacity(), wait_s: None },
            Err(until) => {
                let wait_s = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
                Left { limit, remaining: 0, wait_s: Some(wait_s) }
            }
        })
    }
}

pub struct Left {
    /// The most that can be left.
    pub limit: NonZeroU32,
    pub remaining: u32,
    /// Seconds to wait, if none are left.
    pub wait_s: Option<u64>,
}
