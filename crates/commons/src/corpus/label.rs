//! What an argument is called in the market: a few neutral words that do not give it away.

use super::hash::Normal;
use super::moderation::{self, Reason};
use thiserror::Error;

pub const LABEL_LEN_MAX: usize = 48;
/// This many words in a row from the text give it away.
pub const ROW_WORDS: usize = 5;
/// And this many syllables in a row, where words are long or not spaced at all.
pub const ROW_SYLLABLES: usize = 15;

/// Why a label is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LabelRefusal {
    /// Empty or too long.
    #[error("A label has 1 to {LABEL_LEN_MAX} characters; this one has {found}.")]
    Length {
        /// How many characters it has.
        found: usize,
    },
    /// Moderation would flag it.
    #[error("The label would be flagged; choose other words.")]
    Flagged { reasons: Vec<Reason> },
    /// It repeats part of the text that it stands for.
    #[error("The label quotes the argument: \"{passage}\". Say what it is about, not what it says.")]
    Quotes { passage: String },
}

/// Whether this label may stand for this text.
pub fn check(label: &str, text: &str) -> Result<(), LabelRefusal> {
    let found = label.chars().count();
    if !(1..=LABEL_LEN_MAX).contains(&found) {
        return Err(LabelRefusal::Length { found });
    }
    let reasons: Vec<Reason> =
        moderation::check(label).reasons.into_iter().filter(|reason| !reason.is_brevity()).collect();
    if !reasons.is_empty() {
        return Err(LabelRefusal::Flagged { reasons });
    }
    match quoted(label, text) {
        Some(passage) => Err(LabelRefusal::Quotes { passage }),
        None => Ok(()),
    }
}

/// The first row of words or syllables that is in both.
fn quoted(label: &str, text: &str) -> Option<String> {
    let (Ok(label), Ok(text)) = (Normal::of(label), Normal::of(text)) else { return None };
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (label.as_str().split(' ').collect(), text.as_str().split(' ').collect());
    // A shorter text is given away only by all of its words.
    let row = ROW_WORDS.min(theirs.len());
    let words = ours.windows(row).find(|row| theirs.windows(row.len()).any(|other| other == *row));
    if let Some(row) = words {
        return Some(row.join(" "));
    }
    let (ours, theirs) = (syllables(label.as_str()), syllables(text.as_str()));
    let whole: String = theirs.iter().collect();
    let rows = ours.windows(ROW_SYLLABLES).filter(|row| row.iter().all(|c| *c >= '\u{1100}'));
    rows.map(String::from_iter).find(|row| whole.contains(row))
}

fn syllables(text: &str) -> Vec<char> {
    text.chars().filter(|c| *c != ' ').collect()
}
