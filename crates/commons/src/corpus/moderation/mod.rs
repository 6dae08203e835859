//! Looks at a text before it is listed or reaches a prompt: length, coherence, abuse, and words that are meant for a model.
//!
//! Nothing is dropped here: what is flagged waits for a person, and its author is told why. So a doubtful text may be flagged, but a
//! courtroom has harsh words, and those must pass. Known false alarms and misses are in `tests/data/moderation.json`.

pub mod classes;
mod coherence;
mod jailbreak;
mod lists;
mod reason;
mod standing;
mod toxicity;
pub(crate) mod views;

pub use reason::Reason;
pub use standing::{Decision, Standing, credited};

use serde::{Deserialize, Serialize};
use views::Views;

/// An argument has at least this many characters.
pub const TEXT_LEN_MIN: usize = 20;
/// And at most this many.
pub const TEXT_LEN_MAX: usize = 600;
/// An argument has at least this many different words.
pub const DISTINCT_WORDS_MIN: usize = 4;
/// Or this many different syllables, in scripts that need no spaces.
pub const DISTINCT_SYLLABLES_MIN: usize = 8;
/// Of a text that is far too long only the beginning is read: it is flagged anyway.
const READ_LEN_MAX: usize = 4 * TEXT_LEN_MAX;

/// Whether a text may be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Clear,
    /// It waits for a moderator.
    Flagged,
}

/// What was found in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Flagged if there is any reason.
    pub status: Status,
    /// At most one of each kind, in the order of the checks.
    pub reasons: Vec<Reason>,
}

/// What the operator's moderation service says of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Screened {
    /// There is no service, or the words wait for a moderator anyway.
    NotAsked,
    /// It has nothing against them.
    Clear,
    /// Why they have to wait.
    Flagged(Vec<Reason>),
}

/// Looks at a text. The same text always gets the same verdict.
pub fn check(text: &str) -> Verdict {
    let text = text.trim();
    let mut reasons = Vec::new();
    length(text, &mut reasons);
    let read = text.char_indices().nth(READ_LEN_MAX).map_or(text, |(end, _)| &text[..end]);
    let views = Views::of(read);
    jailbreak::check(read, &views, &mut reasons);
    toxicity::check(&views, &mut reasons);
    coherence::check(&views, &mut reasons);
    if text.chars().count() >= TEXT_LEN_MIN {
        classes::check(&views.source, &mut reasons);
    }
    let status = if reasons.is_empty() { Status::Clear } else { Status::Flagged };
    Verdict { status, reasons }
}

fn length(text: &str, reasons: &mut Vec<Reason>) {
    let found = text.chars().count();
    if found < TEXT_LEN_MIN {
        reasons.push(Reason::TooShort { found });
    } else if found > TEXT_LEN_MAX {
        reasons.push(Reason::TooLong { found });
    }
}
