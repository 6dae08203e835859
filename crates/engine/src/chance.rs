//! Seeded chance: a draw is a function of the seed, a purpose and a key, never of what was drawn before.

use rand_chacha::ChaCha12Rng;
use rand_core::{Rng as _, SeedableRng as _};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The secret from which every random draw of a game follows. Never shown.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// A seed that a person chose, for practice games: any text.
    pub fn chosen(text: &str) -> Self {
        Seed(blake3::derive_key("moot 2026 chosen seed", text.as_bytes()))
    }

    /// A separate secret for another use, from which the seed cannot be recovered.
    pub(crate) fn derive(&self, context: &str) -> [u8; 32] {
        blake3::derive_key(context, &self.0)
    }
}

/// A seed in a log line would be a leak.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// Where draws come from while deciding.
#[derive(Clone, Copy, Debug)]
pub struct Chance<'a>(pub &'a Seed);

impl Chance<'_> {
    /// The draws for one purpose and key.
    pub fn draw(&self, purpose: &str, key: u64) -> Draw {
        let mut hasher = blake3::Hasher::new_keyed(&self.0.0);
        hasher.update(purpose.as_bytes()).update(&[0]).update(&key.to_le_bytes());
        Draw(ChaCha12Rng::from_seed(*hasher.finalize().as_bytes()))
    }
}

/// A sequence of draws. Our own `below` and `shuffle`, so that a log replays for ever.
pub struct Draw(ChaCha12Rng);

impl Draw {
    /// A sequence that depends on a number alone; for tests and simulations.
    pub fn from_number(number: u64) -> Self {
        Draw(ChaCha12Rng::seed_from_u64(number))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number under `bound`, each equally likely.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing lies below zero");
        let bound = bound as u64;
        // Lemire's multiply-and-reject: no bias, one multiplication in the common case.
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            if wide as u64 >= threshold {
                return (wide >> 64) as usize;
            }
        }
    }

    /// True in `parts` of `whole` cases.
    pub fn odds(&mut self, parts: usize, whole: usize) -> bool {
        self.below(whole) < parts
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values: a change here would change how old games are continued.
    #[test]
    fn draws_never_change_between_releases() {
        let seed = Seed::chosen("golden");
        let chance = Chance(&seed);
        let mut draw = chance.draw("deal", 7);
        let numbers: Vec<usize> = (0..8).map(|_| draw.below(100)).collect();
        let mut order: Vec<u8> = (0..10).collect();
        chance.draw("order", 0).shuffle(&mut order);
        assert_eq!(numbers, [47, 87, 98, 78, 59, 0, 12, 41]);
        assert_eq!(order, [9, 8, 7, 2, 5, 3, 4, 1, 6, 0]);
    }

    #[test]
    fn a_draw_depends_on_purpose_and_key_alone() {
        let seed = Seed::chosen("x");
        let chance = Chance(&seed);
        let first = chance.draw("a", 1).bits();
        chance.draw("b", 1).bits();
        assert_eq!(chance.draw("a", 1).bits(), first);
        assert_ne!(chance.draw("a", 2).bits(), first);
        assert_ne!(chance.draw("b", 1).bits(), first);
    }

    #[test]
    fn below_reaches_every_number_about_equally() {
        let mut draw = Draw::from_number(1);
        let mut seen = [0usize; 6];
        for _ in 0..6000 {
            seen[draw.below(6)] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_seed_does_not_print() {
        assert_eq!(format!("{:?}", Seed([7; 32])), "Seed(..)");
    }
}
