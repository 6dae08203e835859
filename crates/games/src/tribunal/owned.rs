//! How the intern uses what its player owns: attacks that may be sent as they are, and defenses to expect.

use super::house;
use super::view::View;
use super::words::ATTACK_LEN;
use crate::speech::{self, fill};
use engine::needs::Owned;
use engine::roster::Lang;
use std::collections::BTreeMap;

impl View {
    /// Lets the intern improve its drafts with what its player owns about each character: an owned attack that was not made in this trial
    /// yet replaces the draft; otherwise the draft is followed by a sentence on a defense to expect and its evidence.
    pub fn draft_from(&mut self, lang: Lang, exchanges_over: u8, owned: &BTreeMap<String, Owned>) {
        let said: Vec<String> =
            self.exchanges_log.iter().filter_map(|one| one.argument.as_deref().map(plain)).collect();
        let Some(own) = &mut self.own else { return };
        for (character, draft) in &mut own.intern {
            let Some(owned) = owned.get(character) else { continue };
            let fits = |text: &String| ATTACK_LEN.contains(&text.chars().count());
            if let Some(bought) = owned.arguments.iter().find(|text| fits(text) && !said.contains(&plain(text))) {
                draft.clone_from(bought);
            } else if let Some((label, evidence)) = next(exchanges_over, &owned.answers) {
                let longer = format!("{draft} {}", expecting(lang, label, evidence));
                if fits(&longer) {
                    *draft = longer;
                }
            }
        }
    }
}

/// Another one in every exchange, so that none is spoken of again while others are left.
fn next(exchanges_over: u8, answers: &[(String, Vec<String>)]) -> Option<&(String, Vec<String>)> {
    answers.get(usize::from(exchanges_over) % answers.len().max(1))
}

fn plain(text: &str) -> String {
    speech::words(text).join(" ")
}

fn expecting(lang: Lang, label: &str, evidence: &[String]) -> String {
    let lines = &house::library(lang).expecting;
    let line = if evidence.is_empty() { &lines.bare } else { &lines.cited };
    fill(line, &[("label", label), ("evidence", &evidence.join(", "))])
}

/// The words before the intern's sentence about the defense to expect, if there is such a sentence: they are the draft itself.
pub(super) fn before_expecting(words: &str) -> Option<&str> {
    let begins = |lang| {
        let lines = &house::library(lang).expecting;
        [&lines.cited, &lines.bare].map(|line| plain(line.split('{').next().unwrap_or_default()))
    };
    let leads = [Lang::En, Lang::Ko].into_iter().flat_map(begins);
    leads.filter_map(|lead| words.rsplit_once(&format!(" {lead} ")).map(|(before, _)| before)).next()
}
