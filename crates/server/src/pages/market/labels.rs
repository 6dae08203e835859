//! What arguments are called on a page, in the reader's language, and how two under one label are told apart without quoting them.

use crate::api::market::usual_label;
use crate::corpus::dockets as names;
use crate::locale::Words;
use engine::facts::Manner;
use engine::roster::Lang;
use games::tribunal::docket::docket;
use games::tribunal::label_in;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The fewest letters of a hash that are shown.
const LETTERS_MIN: usize = 4;

/// A label: in the reader's language if it comes from a case file or from the market, else as its author wrote it.
pub fn label(lang: Lang, stored: String) -> String {
    label_in(lang, &stored).or_else(|| usual_in(lang, &stored)).map_or(stored, str::to_owned)
}

/// The market's label for an argument that its author has not named, in this language.
fn usual_in(lang: Lang, label: &str) -> Option<&'static str> {
    static USUAL: LazyLock<BTreeMap<String, [String; 2]>> = LazyLock::new(|| {
        let mut found = BTreeMap::new();
        for case in docket().cases(Lang::En) {
            for one in &case.characters {
                let Some(korean) = names::character(Lang::Ko, &case.case_id, &one.id) else { continue };
                let both = [usual_label(Lang::En, &one.name), usual_label(Lang::Ko, &korean.name)];
                found.extend(both.clone().map(|label| (label, both.clone())));
            }
        }
        found
    });
    let [english, korean] = USUAL.get(label)?;
    Some(match lang {
        Lang::En => english,
        Lang::Ko => korean,
    })
}

/// The language of words that are not in the reader's, which a buyer should know before paying.
pub fn foreign(lang: Lang, written_in: Option<Lang>) -> Option<&'static str> {
    written_in.filter(|written| *written != lang).map(|written| Words(written).code())
}

/// How many letters of these hashes tell all of them apart.
pub fn letters<'a>(hashes: impl IntoIterator<Item = &'a str>) -> usize {
    let hashes: BTreeSet<&str> = hashes.into_iter().collect();
    let longest = hashes.iter().map(|hash| hash.len()).max().unwrap_or(LETTERS_MIN);
    let told_apart = |letters: &usize| {
        let firsts: BTreeSet<&str> = hashes.iter().map(|hash| first(hash, *letters)).collect();
        firsts.len() == hashes.len()
    };
    (LETTERS_MIN..longest).find(told_apart).unwrap_or(longest)
}

/// What an argument is numbered with: the first letters of its hash, as the API has it.
pub fn number(hash: &str, letters: usize) -> String {
    format!("#{}", first(hash, letters))
}

/// How a defense was given, in words; nothing if that is unknown.
pub fn manner(w: &Words, mode: Option<Manner>) -> Option<String> {
    mode.map(|mode| w.of("manner-of", mode.word()))
}

fn first(hash: &str, letters: usize) -> &str {
    hash.get(..letters).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_is_called_in_the_readers_language_and_what_was_named_as_it_is() {
        let both = ["an argument against John Law", "존 로에 대한 논거"];
        for stored in both {
            assert_eq!([Lang::En, Lang::Ko].map(|lang| label(lang, stored.to_owned())), both);
        }
        assert_eq!(label(Lang::Ko, "the price of the shares".into()), "주식의 가격");
        assert_eq!(label(Lang::Ko, "who signed the edict".into()), "who signed the edict");
    }

    #[test]
    fn four_letters_are_shown_and_more_where_four_are_not_enough() {
        assert_eq!(letters(["c0ffee00", "c0de0000", "c0ffee00"]), 4, "one that stands there twice is one");
        assert_eq!(letters(["c0ffee00", "c0ffed00", "deadbeef"]), 6);
        assert_eq!(letters([]), 4);
        assert_eq!(letters(["c0ffee00", "c0ffee01"]), 8);
        assert_eq!([number("c0ffee00", 4), number("c0f", 4)], ["#c0ff", "#c0f"]);
    }
}
