//! Translates labels, which say what attacks and defenses are about: a label is stored in the language of its trial, and the two files
//! of a case use the same id for the same thing.

use super::docket::{Brief, Case, Docket, docket};
use super::house;
use crate::speech::fill;
use engine::roster::Lang;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A label in this language, given in either; none if it is not a label of a case file.
pub fn label_in(lang: Lang, label: &str) -> Option<&'static str> {
    static LABELS: LazyLock<BTreeMap<String, [String; 2]>> = LazyLock::new(|| table(docket()));
    let [english, korean] = LABELS.get(label)?;
    Some(match lang {
        Lang::En => english,
        Lang::Ko => korean,
    })
}

/// Every label with what it is in English and in Korean. One that stands for two things is left out: nobody could tell which is meant.
fn table(docket: &Docket) -> BTreeMap<String, [String; 2]> {
    let mut found: BTreeMap<String, BTreeSet<[String; 2]>> = BTreeMap::new();
    for english in docket.cases(Lang::En) {
        let Some(korean) = docket.case(Lang::Ko, &english.case_id) else { continue };
        let named = |lang, case: &Case| named(lang, case, docket.brief(lang, case));
        let mut korean = named(Lang::Ko, korean);
        for (id, label) in named(Lang::En, english) {
            let Some(other) = korean.remove(&id) else { continue };
            for either in [&label, &other] {
                found.entry(either.clone()).or_default().insert([label.clone(), other.clone()]);
            }
        }
    }
    found.into_iter().filter_map(|(label, pairs)| Some((label, only(pairs)?))).collect()
}

fn only(pairs: BTreeSet<[String; 2]>) -> Option<[String; 2]> {
    if pairs.len() == 1 { pairs.into_iter().next() } else { None }
}

/// What a label stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Fact(String),
    Temptation(String, String),
    Character(String),
}

/// All that [`super::bench::label`] may say in a case.
fn named(lang: Lang, case: &Case, brief: Option<&Brief>) -> BTreeMap<About, String> {
    let facts = case.record.iter().map(|fact| (About::Fact(fact.id.clone()), fact.label.clone()));
    let people = case.characters.iter().map(|one| {
        let label = fill(&house::library(lang).unlabelled, &[("character", &one.name)]);
        (About::Character(one.id.clone()), label)
    });
    let scripts = brief.into_iter().flat_map(|brief| &brief.scripts);
    let temptations = scripts.flat_map(|script| {
        let about = |id: &String| About::Temptation(script.id.clone(), id.clone());
        script.temptations.iter().map(move |one| (about(&one.id), one.label.clone()))
    });
    facts.chain(people).chain(temptations).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_of_the_house_reads_in_both_languages_from_either() {
        for (english, korean) in [
            ("the price of the shares", "주식의 가격"),
            ("whether Law enriched himself", "로가 제 몫을 챙겼는지"),
            ("the case against John Locke", "존 로크에 대한 공소"),
        ] {
            for label in [english, korean] {
                assert_eq!(label_in(Lang::En, label), Some(english));
                assert_eq!(label_in(Lang::Ko, label), Some(korean));
            }
        }
        assert_eq!(label_in(Lang::Ko, "who signed the edict"), None, "somebody's own words stay as they are");
    }

    #[test]
    fn no_label_of_a_shipped_case_stands_for_two_things() {
        let table = table(docket());
        for lang in [Lang::En, Lang::Ko] {
            for case in docket().cases(lang) {
                let all = named(lang, case, docket().brief(lang, case));
                assert!(all.len() > case.record.len() + case.characters.len(), "temptations are among them");
                for label in all.values() {
                    assert!(table.contains_key(label), "{label:?} of {}", case.case_id);
                }
            }
        }
    }
}
