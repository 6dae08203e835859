//! The house's own words for any case: what the bench says, and what an intern writes where a case brings no lines.

use crate::speech::fill;
use engine::chance::Draw;
use serde::Deserialize;

/// The hand-written words of one language.
#[derive(Deserialize)]
pub(super) struct Library {
    pub(super) unlabelled: String,
    pub(super) pleads: String,
    pub(super) intern: Vec<String>,
    pub(super) expecting: ExpectingLines,
    /// An angle supported by a fact.
    pub(super) backed: Vec<String>,
    pub(super) ruling: RulingLines,
    pub(super) burden: BurdenLines,
}

/// What an intern adds to a draft when it knows which defense to expect. The sentence is recognized by the words before its first slot.
#[derive(Deserialize)]
pub(super) struct ExpectingLines {
    pub(super) cited: String,
    pub(super) bare: String,
}

/// What the bench says of attack and answer.
#[derive(Deserialize)]
pub(super) struct RulingLines {
    pub(super) new: Vec<String>,
    pub(super) elsewhere: Vec<String>,
    pub(super) exact: Vec<String>,
    pub(super) pressed: Vec<String>,
    pub(super) old: Vec<String>,
    pub(super) helps: Vec<String>,
    pub(super) repeat: Vec<String>,
    pub(super) pasted: Vec<String>,
    pub(super) nothing: Vec<String>,
    pub(super) nonsense: Vec<String>,
    pub(super) empty: Vec<String>,
    pub(super) met: Vec<String>,
    pub(super) met_it: Vec<String>,
    pub(super) unmet: Vec<String>,
    pub(super) relied: Vec<String>,
    pub(super) admits: Vec<String>,
    pub(super) admits_it: Vec<String>,
    pub(super) echo: Vec<String>,
    pub(super) silent: Vec<String>,
    pub(super) claim: Vec<String>,
    pub(super) claim_it: Vec<String>,
    pub(super) struck: Vec<String>,
}

/// What the bench says of a defense.
#[derive(Deserialize)]
pub(super) struct BurdenLines {
    pub(super) proved: Vec<String>,
    pub(super) carried: Vec<String>,
    pub(super) beside: Vec<String>,
    pub(super) thin: Vec<String>,
    pub(super) bare: Vec<String>,
    pub(super) again: Vec<String>,
}

crate::docket::house_words!("tribunal", Library);

/// One of these lines with its slots filled, beginning with a capital letter.
pub(super) fn sentence(lines: &[String], slots: &[(&str, &str)], draw: &mut Draw) -> String {
    let line: &String = draw.pick(lines);
    let text = fill(line, slots);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}
