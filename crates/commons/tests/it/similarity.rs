//! Lineages, and the signatures that find them.

use crate::normal;
use commons::corpus::hash::Normal;
use commons::corpus::similarity::{Comparable, signature};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::ops::Range;

const ATTACK: &str = "You promised the regent a bank that would outlive him, and you built a printing press that outran the \
    harvest, the mines and the patience of every creditor in Paris before the second winter was over.";

fn is_kin(one: &str, other: &str) -> bool {
    Comparable::of(&normal(one)).is_kin(&Comparable::of(&normal(other)))
}

fn share_a_number(one: &Normal, other: &Normal) -> bool {
    let ours: BTreeSet<i64> = signature(one).into_iter().collect();
    signature(other).iter().any(|number| ours.contains(number))
}

#[test]
fn a_word_changed_in_a_long_text_leaves_it_in_its_lineage_and_another_text_does_not_join() {
    assert!(is_kin(ATTACK, &ATTACK.replace("winter", "spring")));
    assert!(is_kin(ATTACK, &ATTACK.to_uppercase()));
    assert!(!is_kin(ATTACK, &ATTACK.replace("regent", "king").replace("mines", "banks").replace("Paris", "Lyon")));
    assert!(!is_kin(ATTACK, "The notes were never backed by silver, and the accused knew it from the first day on."));
}

#[test]
fn a_short_text_is_told_by_its_characters_also_from_a_longer_one() {
    assert!(is_kin("Counterfeiters hang; bankers dine.", "Counterfeiters hang: banker's dine!"));
    let five = "Counterfeiters everywhere envied Parisian printers";
    assert!(!is_kin(five, "Counterfeiters everywhere envied your Parisian pressmen"));
    let six = "Counterfeiters everywhere envied a Parisian printers";
    assert!(is_kin(five, six));
    assert!(share_a_number(&normal(five), &normal(six)), "six words are found by five");
}

#[test]
fn a_signature_is_a_fifth_of_the_rows_and_one_and_never_changes() {
    // 36 words have 34 rows of three, and no text of five words can be kin, so there are no rows of characters.
    assert_eq!(normal(ATTACK).as_str().split(' ').count(), 36);
    let numbers = signature(&normal(ATTACK));
    assert_eq!(numbers.len(), 34 / 5 + 1);
    assert!(numbers.is_sorted());
    // These numbers are stored in databases: the first eight bytes of printf 'cabc' | sha256sum.
    assert_eq!(signature(&normal("abc")), [0xa6d8_9baf_01ac_0263_u64.cast_signed()]);
}

/// A text of words from a small stock, so that rows repeat and texts are alike by chance.
fn words(count: Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(prop_oneof![3 => "[a-e]{1,3}", 2 => "[a-z]{4,9}", 2 => "[가-낗]{1,4}"], count)
}

/// A text around the border of six words, below which texts are compared by their characters.
fn few_words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-z]{1,14}", 4..9)
}

/// A change of one word: removed, inserted, replaced, or glued to the next.
#[derive(Clone, Debug)]
enum Edit {
    TakeOut(prop::sample::Index),
    PutIn(prop::sample::Index, String),
    Change(prop::sample::Index, String),
    Glue(prop::sample::Index),
}

fn edits(count: Range<usize>) -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<prop::sample::Index>;
    let edit = prop_oneof![
        index().prop_map(Edit::TakeOut),
        (index(), "[a-e]{1,3}").prop_map(|(index, word)| Edit::PutIn(index, word)),
        (index(), "[a-e]{1,3}").prop_map(|(index, word)| Edit::Change(index, word)),
        index().prop_map(Edit::Glue),
    ];
    prop::collection::vec(edit, count)
}

fn edited(words: &[String], edits: &[Edit]) -> Vec<String> {
    let mut words = words.to_vec();
    for edit in edits {
        match edit {
            Edit::TakeOut(at) if words.len() > 1 => drop(words.remove(at.index(words.len()))),
            Edit::PutIn(at, word) => words.insert(at.index(words.len() + 1), word.clone()),
            Edit::Change(at, word) => {
                let at = at.index(words.len());
                words[at] = word.clone();
            }
            Edit::Glue(at) if words.len() > 1 => {
                let at = at.index(words.len() - 1);
                let next = words.remove(at + 1);
                words[at].push_str(&next);
            }
            Edit::TakeOut(_) | Edit::Glue(_) => {}
        }
    }
    words
}

/// Whether the two are kin; if so, they must share a number.
fn kin_that_share(one: &[String], other: &[String]) -> Result<bool, TestCaseError> {
    let (one, other) = (normal(&one.join(" ")), normal(&other.join(" ")));
    let kin = Comparable::of(&one).is_kin(&Comparable::of(&other));
    prop_assert!(!kin || share_a_number(&one, &other), "{:?} and {:?}", one, other);
    Ok(kin)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn kin_share_a_number_whatever_was_edited(words in words(1..60), edits in edits(1..5)) {
        kin_that_share(&words, &edited(&words, &edits))?;
    }

    #[test]
    fn kin_share_a_number_where_short_texts_meet_long_ones(words in few_words(), edits in edits(1..4)) {
        kin_that_share(&words, &edited(&words, &edits))?;
    }
}

/// Random edits seldom come near the bound, so this test aims at it: of many words that could follow, it always takes the one that leaves
/// the fewest numbers shared with the copied text.
#[test]
fn kin_share_a_number_also_if_every_word_is_chosen_to_prevent_it() {
    let mut left = BTreeSet::new();
    for core in ["bank", "regent", "harvest", "creditor", "winter"] {
        let copied: Vec<String> = (0..18).map(|word| format!("{core}{word}")).collect();
        let ours: BTreeSet<i64> = signature(&normal(&copied.join(" "))).into_iter().collect();
        let shared = |text: &str| signature(&normal(text)).iter().filter(|number| ours.contains(number)).count();
        let mut text = copied.join(" ");
        // 16 rows of 20 are exactly four fifths.
        for _ in 0..4 {
            let longer = (0..120).map(|choice| format!("{text} choice{choice}"));
            // Of equals, the one with the smallest last number: it leaves the least room below.
            let aim = |longer: &String| (shared(longer), signature(&normal(longer)).last().copied());
            text = longer.min_by_key(aim).expect("there are choices");
        }
        assert!(is_kin(&copied.join(" "), &text) && !is_kin(&copied.join(" "), &format!("{text} more")), "{text}");
        left.insert(shared(&text));
    }
    assert_eq!(left.first(), Some(&1), "all but one can be avoided, and never that one");
}

/// The properties above are about kin only, so enough of the pairs that they try must be kin, also across the border.
#[test]
fn many_edits_leave_kin_and_some_of_them_across_the_border_of_six_words() {
    let mut runner = TestRunner::deterministic();
    let (mut kin, mut across) = (0, 0);
    for _ in 0..2_000 {
        let words = few_words().new_tree(&mut runner).expect("words").current();
        let other = edited(&words, &edits(1..4).new_tree(&mut runner).expect("edits").current());
        if kin_that_share(&words, &other).expect("kin share a number") {
            kin += 1;
            across += usize::from((words.len() < 6) != (other.len() < 6));
        }
    }
    assert!(kin >= 200 && across >= 20, "{kin} kin, {across} across");
}
