//! The hash chain of a game's log: a changed, removed or added row is detected.
//!
//! A link covers the link before it, the row's number and time, and a *salted* hash of the body. A body that is
//! never opened stays verifiable without being shown, and cannot be guessed from its hash.

use crate::chance::Seed;
use crate::id::{GameId, Seq};
use crate::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// 32 bytes of BLAKE3, printed as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    pub fn of(bytes: &[u8]) -> Self {
        Hash(*blake3::hash(bytes).as_bytes())
    }

    /// The hash printed as `text`, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Hash(*hash.as_bytes()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Hash::parse(&text).ok_or_else(|| serde::de::Error::custom("64 hex digits expected"))
    }
}

/// The growing end of one game's chain.
#[derive(Clone, Debug)]
pub struct Chain {
    head: Hash,
    salt_key: [u8; 32],
}

impl Chain {
    /// The chain of a game before its first row: it begins at the game's own id.
    pub fn begin(game: GameId, seed: &Seed) -> Self {
        Self::after(Hash::of(game.0.as_bytes()), seed)
    }

    /// The chain of a game with this seed, continued after `head`.
    pub fn after(head: Hash, seed: &Seed) -> Self {
        Chain { head, salt_key: seed.derive("moot 2026 event salt") }
    }

    /// The link of the last row.
    pub fn head(&self) -> Hash {
        self.head
    }

    /// The salt of one row, to be shown with its body when that is opened.
    pub fn salt(&self, seq: Seq) -> [u8; 16] {
        let hash = blake3::keyed_hash(&self.salt_key, &seq.0.to_le_bytes());
        let mut salt = [0; 16];
        salt.copy_from_slice(&hash.as_bytes()[..16]);
        salt
    }

    /// Adds a row and returns its link.
    pub fn link(&mut self, seq: Seq, at: Timestamp, body: &[u8]) -> Hash {
        let mut row = [0; 80];
        row[..32].copy_from_slice(&self.head.0);
        row[32..40].copy_from_slice(&seq.0.to_le_bytes());
        row[40..48].copy_from_slice(&at.0.to_le_bytes());
        row[48..].copy_from_slice(&sealed(&self.salt(seq), body).0);
        self.head = Hash::of(&row);
        self.head
    }
}

/// The salted hash of a body, as it stands in the chain.
pub fn sealed(salt: &[u8; 16], body: &[u8]) -> Hash {
    Hash(*blake3::Hasher::new().update(salt).update(body).finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Chain {
        Chain::after(Hash::default(), &Seed([3; 32]))
    }

    #[test]
    fn a_link_depends_on_everything_before_it() {
        let first = chain().link(Seq(1), Timestamp(5), b"a");
        assert_eq!(first, chain().link(Seq(1), Timestamp(5), b"a"));
        assert_ne!(first, chain().link(Seq(2), Timestamp(5), b"a"));
        assert_ne!(first, chain().link(Seq(1), Timestamp(6), b"a"));
        assert_ne!(first, chain().link(Seq(1), Timestamp(5), b"b"));
        let mut later = chain();
        later.link(Seq(1), Timestamp(5), b"x");
        assert_ne!(later.link(Seq(2), Timestamp(6), b"y"), {
            let mut other = chain();
            other.link(Seq(1), Timestamp(5), b"z");
            other.link(Seq(2), Timestamp(6), b"y")
        });
    }

    #[test]
    fn the_same_body_has_another_hash_in_another_game_and_row() {
        let mine = chain();
        let theirs = Chain::after(Hash::default(), &Seed([4; 32]));
        assert_ne!(sealed(&mine.salt(Seq(1)), b"GUILTY"), sealed(&theirs.salt(Seq(1)), b"GUILTY"));
        assert_ne!(sealed(&mine.salt(Seq(1)), b"GUILTY"), sealed(&mine.salt(Seq(2)), b"GUILTY"));
    }
}
