//! What the commons keeps and how it judges: each test is named by the rule it checks.

mod effectiveness;
mod hash;
mod label;
mod moderation;
mod novelty;
mod similarity;
mod stats;
mod unseen;

use commons::corpus::hash::Normal;
use commons::corpus::stats::{JuryShift, Use};
use engine::facts::Fate;
use engine::time::Timestamp;

/// The normal form of a text that has words.
#[track_caller]
fn normal(text: &str) -> Normal {
    Normal::of(text).expect("it has words")
}

/// A use that moved this many jurors and forced no claim.
fn plain(jurors: i64) -> Use {
    Use {
        jury_shift: JuryShift::new(jurors).expect("there are so many jurors"),
        triggered: false,
        verdict: None,
        ia_change: 0,
        at: Timestamp(0),
    }
}

/// A use that forced a claim, with the verdict on it.
fn trap(jurors: i64, verdict: Fate) -> Use {
    Use { triggered: true, verdict: Some(verdict), ..plain(jurors) }
}
