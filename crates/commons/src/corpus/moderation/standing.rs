//! Where words stand with moderation, and what moves them.

use super::{Status, Verdict};
use engine::id::AccountId;

/// Where words stand. Stored by its word, which must never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Only counted: they can neither be listed nor reach a prompt.
    Counted,
    /// Nothing was found in them.
    Clear,
    /// They wait for a moderator.
    Flagged,
    /// A moderator let them through.
    Approved,
    /// A moderator said no, or they were removed.
    Rejected,
}

impl Standing {
    pub const ALL: [Standing; 5] =
        [Standing::Counted, Standing::Clear, Standing::Flagged, Standing::Approved, Standing::Rejected];

    /// After this verdict; without one the words were never moderated.
    pub fn of(verdict: Option<&Verdict>) -> Standing {
        match verdict.map(|verdict| verdict.status) {
            None => Standing::Counted,
            Some(Status::Clear) => Standing::Clear,
            Some(Status::Flagged) => Standing::Flagged,
        }
    }

    /// As it is stored.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Counted => "counted",
            Standing::Clear => "clear",
            Standing::Flagged => "flagged",
            Standing::Approved => "approved",
            Standing::Rejected => "rejected",
        }
    }

    /// The standing of that name.
    pub fn named(word: &str) -> Option<Standing> {
        Standing::ALL.into_iter().find(|standing| standing.word() == word)
    }

    /// Whether such words may be read by those who own them, be listed and sold, and reach a prompt.
    pub fn is_readable(self) -> bool {
        match self {
            Standing::Clear | Standing::Approved => true,
            Standing::Counted | Standing::Flagged | Standing::Rejected => false,
        }
    }
}

/// The account whose figures include an argument: its author, while the words may be read.
pub fn credited(author: Option<AccountId>, is_readable: bool) -> Option<AccountId> {
    author.filter(|_| is_readable)
}

/// What a moderator decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It may be listed and reach prompts.
    Approve,
    Reject,
}

impl Decision {
    /// As clients write it.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Approve => "approve",
            Decision::Reject => "reject",
        }
    }

    /// The decision of that name.
    pub fn named(word: &str) -> Option<Decision> {
        [Decision::Approve, Decision::Reject].into_iter().find(|decision| decision.word() == word)
    }

    /// Where words stand after it.
    pub fn standing(self) -> Standing {
        match self {
            Decision::Approve => Standing::Approved,
            Decision::Reject => Standing::Rejected,
        }
    }
}
