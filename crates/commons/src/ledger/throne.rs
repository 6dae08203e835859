//! When a title changes hands: what was famous does badly, and what beat it does well.

/// Below this a title can be taken, in ten-thousandths.
pub const FALLEN_E4: i64 = 3_000;
/// Above this the challenger takes it.
pub const RISEN_E4: i64 = 7_000;
/// So often the challenger has been used against it at least.
pub const USES_MIN: u64 = 5;
/// Against so many different opponents at least.
pub const OPPONENTS_MIN: u64 = 3;

/// What somebody has to show against whoever holds a title.
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
    /// Whether it takes the title from an argument that does so well by now.
    pub fn takes(&self, held_e4: i64) -> bool {
        held_e4 < FALLEN_E4
            && self.effectiveness_e4 > RISEN_E4
            && self.uses >= USES_MIN
            && self.opponents >= OPPONENTS_MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_falls_only_if_everything_is_met() {
        let enough = Challenge { effectiveness_e4: 7_001, uses: 5, opponents: 3 };
        assert!(enough.takes(2_999));
        for (challenge, held) in [
            (enough, 3_000),
            (Challenge { effectiveness_e4: 7_000, ..enough }, 2_999),
            (Challenge { uses: 4, ..enough }, 2_999),
            (Challenge { opponents: 2, ..enough }, 2_999),
        ] {
            assert!(!challenge.takes(held), "{challenge:?} against {held}");
        }
    }
}
