//! The cases whose arguments are kept, and who is charged in them.

use engine::roster::Lang;
use games::tribunal::docket::{Case, Character, docket};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The case of that id, in this language if there is such a version, else in the other.
pub fn case(lang: Lang, id: &str) -> Option<&'static Arc<Case>> {
    let other = match lang {
        Lang::En => Lang::Ko,
        Lang::Ko => Lang::En,
    };
    docket().case(lang, id).or_else(|| docket().case(other, id))
}

pub fn character(lang: Lang, case_id: &str, id: &str) -> Option<&'static Character> {
    case(lang, case_id)?.characters.iter().find(|one| one.id == id)
}

/// The ids of all cases that are tried.
pub fn every_case() -> BTreeSet<String> {
    let both = docket().cases(Lang::En).iter().chain(docket().cases(Lang::Ko));
    both.map(|case| case.case_id.clone()).collect()
}

/// The ids of the characters charged in a case.
pub fn characters(case_id: &str) -> Vec<String> {
    case(Lang::En, case_id).map_or(vec![], |case| case.characters.iter().map(|one| one.id.clone()).collect())
}
