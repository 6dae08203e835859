//! Credentials seen lately, so that not every request asks the store whose they are.

use engine::time::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use store::Account;
use store::people::accounts::KeyUsed;

/// How many credentials are remembered before the memory is emptied.
const REMEMBERED_MAX: usize = 10_000;
/// How long a credential is believed without asking the store again.
const BELIEVED_MS: i64 = 30_000;

/// The account behind a credential, and the key that was used; no key for a session.
pub type Known = (Arc<Account>, Option<KeyUsed>);

/// Credentials by hash, each with the time until which it is believed.
#[derive(Default)]
pub struct Credentials {
    known: RwLock<HashMap<[u8; 32], (Known, Timestamp)>>,
}

impl Credentials {
    /// The account behind the credential with this hash, if it was looked up lately.
    pub fn get(&self, hash: &[u8; 32], now: Timestamp) -> Option<Known> {
        let known = self.known.read().expect("no holder panics");
        known.get(hash).filter(|(_, until)| now < *until).map(|(known, _)| known.clone())
    }

    pub fn keep(&self, hash: [u8; 32], found: Known, now: Timestamp) {
        let mut known = self.known.write().expect("no holder panics");
        if known.len() >= REMEMBERED_MAX {
            known.clear();
        }
        known.insert(hash, (found, Timestamp(now.0 + BELIEVED_MS)));
    }

    /// Forgets everything; called when a credential stops being valid.
    pub fn forget(&self) {
        self.known.write().expect("no holder panics").clear();
    }
}
