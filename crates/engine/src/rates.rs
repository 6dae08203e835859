//! What play brings and costs. The house names these numbers when a game is founded, and the game keeps to them, whatever the house says later.

use serde::{Deserialize, Serialize};

/// In whole IA. Kept with the game; those of a game that keeps none are the usual ones, which therefore never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    /// What one look into the archive costs.
    pub consult_ia: u32,
    /// What a claim brings that was called into question and fell.
    pub landed_ia: u32,
    /// What each juror brings who is moved to the speaker's side.
    pub juror_ia: u32,
    /// What a claim costs that was called into question and stood.
    pub proved_ia: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Rates { consult_ia: 15, landed_ia: 10, juror_ia: 1, proved_ia: 5 }
    }
}

impl Rates {
    pub fn are_usual(&self) -> bool {
        *self == Rates::default()
    }
}
