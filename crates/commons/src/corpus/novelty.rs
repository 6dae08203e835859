//! What is new and what has been heard: defenses that come too close to struck ones, and how fresh an argument is.

use super::hash::Normal;
use super::similarity::{Comparable, TOO_CLOSE_PERCENT};
use super::stats::{Counters, Use};
use engine::parts::shingles::Likeness;

/// The index of the struck text that this one is too close to: the closest, and the first of equally close ones.
///
/// A text without words is close to nothing; it has no hash and does not get here.
pub fn too_close<S: AsRef<str>>(text: &str, struck: &[S]) -> Option<usize> {
    closest(text, struck, TOO_CLOSE_PERCENT)
}

/// The index of the text that this one is most like, if that is this many percent or more; the first of equally close ones.
pub fn closest<S: AsRef<str>>(text: &str, others: &[S], percent: usize) -> Option<usize> {
    let ours = Comparable::of(&Normal::of(text).ok()?);
    let mut closest: Option<(usize, Likeness)> = None;
    for (index, other) in others.iter().enumerate() {
        let Ok(theirs) = Normal::of(other.as_ref()) else { continue };
        let likeness = ours.likeness(&Comparable::of(&theirs));
        let is_closer = closest.is_none_or(|(_, best)| likeness.shared * best.all > best.shared * likeness.all);
        if likeness.is_at_least(percent) && is_closer {
            closest = Some((index, likeness));
        }
    }
    closest.map(|(index, _)| index)
}

/// How long ago an argument last landed: a fold over its uses, in their order. Within a trial only the first use of an argument gains
/// anything, so one use is one trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LastLanded {
    trials_ago: Option<u64>,
}

impl LastLanded {
    /// From what was stored: how many trials ago, or none if it never landed.
    pub fn stored(trials_ago: Option<u64>) -> Self {
        LastLanded { trials_ago }
    }

    /// Counts one use. The newest one is one trial ago.
    pub fn fold(&mut self, used: &Use) {
        self.trials_ago = if used.is_landed() { Some(1) } else { self.trials_ago.map(|trials| trials + 1) };
    }

    /// None if it never landed.
    pub fn trials_ago(self) -> Option<u64> {
        self.trials_ago
    }
}

/// How fresh an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Nobody has played it.
    NeverUsed,
    /// It was played once, and no opponent has met it since.
    NeverReused,
    /// It was played more than once, and landed.
    LastLanded {
        /// 1 is the last trial it was used in.
        trials_ago: u64,
    },
    /// It was played more than once, and never landed.
    NeverLanded,
}

/// How many of the claims that an argument forced did not stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// Claims that were withdrawn or struck.
    pub lands: u64,
    /// Claims that were forced.
    pub triggers: u64,
}

/// What a buyer is told of an argument at a glance. The pages put it into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pill {
    /// How fresh it is.
    pub freshness: Freshness,
    /// How its traps went.
    pub conversion: Conversion,
}

impl Pill {
    /// The pill of an argument with these counters.
    pub fn of(counters: &Counters, last_landed: LastLanded) -> Self {
        let freshness = match (counters.uses, last_landed.trials_ago) {
            (0, _) => Freshness::NeverUsed,
            (1, _) => Freshness::NeverReused,
            (_, Some(trials_ago)) => Freshness::LastLanded { trials_ago },
            (_, None) => Freshness::NeverLanded,
        };
        Pill { freshness, conversion: Conversion { lands: counters.trap_lands, triggers: counters.trap_triggers } }
    }
}
