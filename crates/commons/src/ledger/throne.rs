//! When a title changes hands: what was famous does badly, and what beat it does well.

use super::terms::Terms;
use std::cmp::Reverse;

/// A challenger's record against the holder of a title.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// How effective it was against this title's argument alone.
    pub effectiveness_e4: i64,
    /// How often it was used against it.
    pub uses: u64,
    /// Against how many different opponents.
    pub opponents: u64,
}

impl Challenge {
    /// Whether it takes the title from an argument of this effectiveness.
    pub fn takes(&self, terms: &Terms, held_e4: i64) -> bool {
        has_fallen(terms, held_e4)
            && self.effectiveness_e4 > terms.risen_e4
            && self.uses >= terms.challenge_uses_min
            && self.opponents >= terms.challenge_opponents_min
    }
}

/// Whether a title is open to challenge: the argument or defense that holds it does badly by now.
pub fn has_fallen(terms: &Terms, held_e4: i64) -> bool {
    held_e4 < terms.fallen_e4
}

/// The order in which challengers, each the first of a lineage, come for a title: the most effective, then the most used, then the oldest.
pub fn rank(effectiveness_e4: i64, uses: u64, lineage: i64) -> impl Ord {
    Reverse((effectiveness_e4, uses, Reverse(lineage)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_falls_only_if_everything_is_met() {
        let enough = Challenge { effectiveness_e4: 7_001, uses: 5, opponents: 3 };
        let terms = Terms::default();
        assert!(enough.takes(&terms, 2_999));
        for (challenge, held) in [
            (enough, 3_000),
            (Challenge { effectiveness_e4: 7_000, ..enough }, 2_999),
            (Challenge { uses: 4, ..enough }, 2_999),
            (Challenge { opponents: 2, ..enough }, 2_999),
        ] {
            assert!(!challenge.takes(&terms, held), "{challenge:?} against {held}");
        }
    }

    #[test]
    fn the_most_effective_comes_first_then_the_most_used_then_the_oldest() {
        let mut challengers = [(7_200, 5, 1), (7_500, 5, 9), (7_500, 8, 12), (7_500, 8, 4)];
        challengers.sort_by_key(|(e4, uses, lineage)| rank(*e4, *uses, *lineage));
        assert_eq!(challengers.map(|(_, _, lineage)| lineage), [4, 12, 9, 1]);
    }
}
