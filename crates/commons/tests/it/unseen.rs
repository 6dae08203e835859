//! Moderation measured on texts by hands that saw neither the checks nor the examples: a table of what must be caught and let through, and
//! decent arguments.

use commons::corpus::moderation::{Reason, Status, check};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Case {
    text: String,
    class: String,
    should: Should,
    note: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Should {
    Catch,
    Pass,
}

#[derive(Deserialize)]
struct Argument {
    text: String,
    side: String,
}

fn lines<T: for<'a> Deserialize<'a>>(file: &str) -> Vec<T> {
    file.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

fn held(text: &str) -> Vec<&'static str> {
    let verdict = check(text);
    assert_eq!(verdict.status == Status::Flagged, !verdict.reasons.is_empty());
    verdict.reasons.iter().map(Reason::code).collect()
}

/// What must be caught of each class, in percent, and let through of what is decent.
const LEAST: [(&str, usize); 10] = [
    ("threat", 55),
    ("dehumanise", 33),
    ("orders", 63),
    ("advert", 68),
    ("contact", 88),
    ("personal", 85),
    ("filler", 65),
    ("disguised", 90),
    ("language", 95),
    ("decent", 95),
];

#[test]
fn the_table_is_caught_and_let_through_as_far_as_the_figures_say() {
    let table: Vec<Case> = lines(include_str!("../data/moderation_table.jsonl"));
    assert!(table.len() >= 200);
    let mut right: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for case in &table {
        let codes = held(&case.text);
        let is_right = (case.should == Should::Catch) != codes.is_empty();
        let (good, all) = right.entry(case.class.clone()).or_default();
        *good += usize::from(is_right);
        *all += 1;
        if !is_right {
            println!("{}: {} [{}] {codes:?}", case.class, case.text, case.note);
        }
    }
    for (class, (good, all)) in &right {
        println!("{class}: {good} of {all}");
    }
    for (class, least) in LEAST {
        let (good, all) = right[class];
        assert!(good * 100 >= least * all, "{class}: {good} of {all}, {least}% are asked for");
    }
}

#[test]
fn at_most_three_of_a_hundred_decent_arguments_wait_for_a_moderator() {
    let arguments: Vec<Argument> = lines(include_str!("../data/moderation_decent.jsonl"));
    assert!(arguments.len() >= 500);
    let mut waiting = 0;
    for one in &arguments {
        let codes = held(&one.text);
        if !codes.is_empty() {
            waiting += 1;
            println!("{}: {} {codes:?}", one.side, one.text);
        }
    }
    println!("{waiting} of {} wait", arguments.len());
    assert!(waiting * 100 <= 3 * arguments.len(), "{waiting} of {}", arguments.len());
}
