//! The words of the trolley's house minds.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The words of one language.
#[derive(Deserialize)]
pub(super) struct Library {
    pub(super) majority: BTreeMap<String, Lines>,
    pub(super) minority: BTreeMap<String, Lines>,
    /// Each angle as a noun phrase.
    pub(super) points: BTreeMap<String, String>,
    /// What an operator says when an argument from this angle was decisive; `nobody` if none was, `silence` if there was none, `against` if
    /// the decisive speech granted the other side's case.
    pub(super) reasons: BTreeMap<String, Vec<String>>,
    /// Pleas without an argument.
    pub(super) weak: Weak,
    /// Said when the rival has made no argument this round.
    pub(super) unheard: Vec<String>,
    /// Said when the rival's last speech was not language.
    pub(super) nonsense: Vec<String>,
    /// Said when the rival's last speech granted this side something.
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
    /// Remarks on a rival, which plead for nothing.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &String> {
        self.unheard.iter().chain(&self.nonsense).chain(&self.granted)
    }

    /// Everything said on the tracks that is not an argument.
    pub(super) fn pointless(&self) -> impl Iterator<Item = &String> {
        self.weak.majority.iter().chain(&self.weak.minority).chain(self.remarks())
    }
}

crate::docket::house_words!("trolley", Library);
