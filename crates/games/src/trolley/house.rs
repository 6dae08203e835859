//! The house's own words over a trolley.

use engine::roster::Lang;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The hand-written words of one language.
#[derive(Deserialize)]
pub(super) struct Library {
    pub(super) names: Vec<String>,
    pub(super) majority: BTreeMap<String, Lines>,
    pub(super) minority: BTreeMap<String, Lines>,
    /// An angle as a noun phrase.
    pub(super) points: BTreeMap<String, String>,
    /// What an operator says when an argument from this angle moved it; `nobody` if none decided, `silence` if there was none, `against`
    /// if somebody granted the other side's case.
    pub(super) reasons: BTreeMap<String, Vec<String>>,
    /// Pleas without an argument.
    pub(super) weak: Weak,
    /// The rival has just made no argument.
    pub(super) unheard: Vec<String>,
    /// The rival's words stood in no order.
    pub(super) nonsense: Vec<String>,
    /// The rival has granted this side something.
    pub(super) granted: Vec<String>,
}

/// The lines of one angle.
#[derive(Deserialize)]
pub(super) struct Lines {
    pub(super) opening: Vec<String>,
    pub(super) answer: Vec<String>,
    pub(super) appeal: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Weak {
    pub(super) majority: Vec<String>,
    pub(super) minority: Vec<String>,
}

impl Library {
    /// What is said on the tracks of a rival, and pleads for nothing.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &String> {
        self.unheard.iter().chain(&self.nonsense).chain(&self.granted)
    }

    /// What is said on the tracks that is no argument.
    pub(super) fn pointless(&self) -> impl Iterator<Item = &String> {
        self.weak.majority.iter().chain(&self.weak.minority).chain(self.remarks())
    }
}

crate::docket::house_words!("trolley", Library);

/// Names for house minds.
pub fn house_names(lang: Lang) -> &'static [String] {
    &library(lang).names
}
