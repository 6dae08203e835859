//! What was said and what happened, as people read it. Append-only; each entry knows who may see it.

use crate::id::{Seat, Seq};
use crate::parts::seatset::SeatSet;
use crate::rules::Viewer;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// One line of the record: at most one for each event.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The event it tells of.
    pub seq: Seq,
    pub at: Timestamp,
    /// What happened, in a word: `argument`, `round_resolved`, ...
    pub name: Cow<'static, str>,
    pub line: Line,
}

/// The part of an entry that rules write.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Who spoke or acted.
    pub seat: Option<Seat>,
    pub round: Option<u32>,
    pub phase: Option<Cow<'static, str>>,
    /// The words, if it is a speech.
    pub text: Option<String>,
    /// The rest, for events.
    pub payload: Option<Value>,
    /// Who may see it.
    pub seen_by: SeenBy,
}

impl Line {
    /// A public line without a speaker; the caller sets the rest.
    pub fn event(payload: Value) -> Self {
        Line { seat: None, round: None, phase: None, text: None, payload: Some(payload), seen_by: SeenBy::All }
    }
}

/// Who may see an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeenBy {
    All,
    /// These seats, now and for ever.
    Seats(SeatSet),
}

impl SeenBy {
    pub const NOBODY: SeenBy = SeenBy::Seats(SeatSet::EMPTY);

    /// Whether this viewer may see it.
    pub fn includes(self, viewer: Viewer) -> bool {
        match (self, viewer) {
            (SeenBy::All, _) => true,
            (SeenBy::Seats(seats), Viewer::Seat(seat)) => seats.has(seat),
            (SeenBy::Seats(_), Viewer::Spectator) => false,
        }
    }
}
