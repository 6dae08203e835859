//! Lines that house minds say, by number, so that a game can be told which of them its players have heard before.

use crate::parts::transcript::Entry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The name of the event that tells a game, as transcripts have it. Nobody may see it.
pub const LINES_KNOWN: &str = "lines_known";

/// A line as it is written, before anything is filled into its slots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineId(u32);

impl LineId {
    /// The same for ever: FNV-1a of its bytes.
    pub fn of(line: &str) -> Self {
        LineId(line.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}

/// What the players of a game have heard in earlier ones.
#[derive(Debug, Default)]
pub struct Known(BTreeSet<LineId>);

pub(crate) static NOTHING: Known = Known(BTreeSet::new());

impl Known {
    /// What a transcript, with what nobody may see, tells of it.
    pub(crate) fn read(said: &[Entry]) -> Self {
        let told = said.iter().filter(|entry| entry.name == LINES_KNOWN);
        let lines = told.filter_map(|entry| Vec::<LineId>::deserialize(entry.line.payload.as_ref()?).ok());
        Known(lines.flatten().collect())
    }

    /// Whether this line is among it.
    pub fn has(&self, line: LineId) -> bool {
        self.0.contains(&line)
    }

    /// Those of these lines that are not; all of them if every one is.
    pub fn new_among<T>(&self, lines: Vec<T>, text: impl Fn(&T) -> &str) -> Vec<T> {
        let known: Vec<bool> = lines.iter().map(|line| self.has(LineId::of(text(line)))).collect();
        if self.0.is_empty() || known.iter().all(|known| *known) {
            return lines;
        }
        lines.into_iter().zip(known).filter(|(_, known)| !known).map(|(line, _)| line).collect()
    }
}
