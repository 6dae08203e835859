//! Credentials seen lately, so that not every request asks the store whose they are.

use engine::id::AccountId;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};
use store::Account;
use store::people::accounts::KeyUsed;

/// How many credentials are remembered before the memory is emptied.
const REMEMBERED_MAX: usize = 10_000;
/// How long a credential is believed without asking the store again.
const BELIEVED: Duration = Duration::from_secs(30);

/// The account behind a credential, and the key that was used; no key for a session.
pub type Known = (Arc<Account>, Option<KeyUsed>);

/// Credentials by hash, each with the time at which it was looked up.
#[derive(Default)]
pub struct Credentials {
    known: RwLock<Remembered>,
}

#[derive(Default)]
struct Remembered {
    by_hash: HashMap<[u8; 32], (Known, Instant)>,
    /// Counts what was forgotten: an answer of the store from before that is not kept.
    generation: u64,
}

impl Credentials {
    /// The account behind the credential with this hash, if it was looked up lately, and the generation to keep it under.
    pub fn get(&self, hash: &[u8; 32]) -> (Option<Known>, u64) {
        let known = self.known.read().expect("no holder panics");
        let found =
            known.by_hash.get(hash).filter(|(_, since)| since.elapsed() < BELIEVED).map(|(known, _)| known.clone());
        (found, known.generation)
    }

    /// Remembers what the store said, unless a credential was forgotten since `generation`.
    pub fn keep(&self, hash: [u8; 32], found: Known, generation: u64) {
        let mut known = self.known.write().expect("no holder panics");
        if known.generation != generation {
            return;
        }
        if known.by_hash.len() >= REMEMBERED_MAX {
            known.by_hash.clear();
        }
        known.by_hash.insert(hash, (found, Instant::now()));
    }

    /// Forgets the credentials of this account.
    pub fn forget(&self, account: AccountId) {
        let mut known = self.known.write().expect("no holder panics");
        known.generation += 1;
        known.by_hash.retain(|_, ((owner, _), _)| owner.id != account);
    }
}
