//! Lines that house minds say, by number, so that a game can be told which of them its players have heard before.

use crate::parts::transcript::Entry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The name, in transcripts, of the event that records known lines. No viewer may see it.
pub const LINES_KNOWN: &str = "lines_known";

/// The id of a line as it is written, before its slots are filled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineId(u32);

impl LineId {
    /// FNV-1a of its bytes. Stored, so it must never change.
    pub fn of(line: &str) -> Self {
        LineId(line.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}

/// What the players of a game have heard in earlier ones.
#[derive(Debug, Default)]
pub struct Known(BTreeSet<LineId>);

pub(crate) static NOTHING: Known = Known(BTreeSet::new());

impl Known {
    /// Read from a whole transcript, which includes entries that nobody may see.
    pub(crate) fn read(said: &[Entry]) -> Self {
        let told = said.iter().filter(|entry| entry.name == LINES_KNOWN);
        let lines = told.filter_map(|entry| Vec::<LineId>::deserialize(entry.line.payload.as_ref()?).ok());
        Known(lines.flatten().collect())
    }

    pub fn has(&self, line: LineId) -> bool {
        self.0.contains(&line)
    }

    /// Those of these lines that are not known; all of them if every one is.
    pub fn new_among<T>(&self, lines: Vec<T>, text: impl Fn(&T) -> &str) -> Vec<T> {
        let known: Vec<bool> = lines.iter().map(|line| self.has(LineId::of(text(line)))).collect();
        if self.0.is_empty() || known.iter().all(|known| *known) {
            return lines;
        }
        lines.into_iter().zip(known).filter(|(_, known)| !known).map(|(line, _)| line).collect()
    }
}
