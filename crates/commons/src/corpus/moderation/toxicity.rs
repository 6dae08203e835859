//! Abuse: words that no courtroom needs are flagged by themselves, harsh words only where several signs agree.

use super::lists::{Found, Heading, WordList};
use super::reason::Reason;
use super::views::{Traced, Views, skeleton};
use crate::corpus::hash::nfkc;
use rustrict::{Censor, Type};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// This many points are abuse. A harsh word is one point, or two if aimed at the reader; words of a courtroom take one off.
const ABUSE_POINTS: usize = 3;

static ENGLISH: LazyLock<WordList> = LazyLock::new(|| {
    WordList::read(include_str!("../lists/words.en.txt"), |entry| entry.chars().map(skeleton).collect())
});
static KOREAN: LazyLock<WordList> =
    LazyLock::new(|| WordList::read(include_str!("../lists/words.ko.txt"), |entry| nfkc(entry).into_owned()));

/// Looks for abuse in either language.
pub fn check(views: &Views, reasons: &mut Vec<Reason>) {
    let both = [(&views.words, ENGLISH.find(&views.words.text)), (&views.hangul, KOREAN.find(&views.hangul.text))];
    type Say = fn(String) -> Reason;
    let alone: [(Heading, Say); 3] = [
        (Heading::Hateful, |passage| Reason::Hateful { passage }),
        (Heading::Threat, |passage| Reason::Threat { passage }),
        (Heading::Vulgar, |passage| Reason::Vulgar { passage }),
    ];
    for (heading, say) in alone {
        let first = both.iter().find_map(|(view, found)| {
            found.iter().find(|found| found.heading == heading).map(|found| views.passage(view, found.from, found.to))
        });
        reasons.extend(first.map(say));
    }
    let insults = both.iter().flat_map(|(view, found)| insults(views, view, found)).collect::<Vec<_>>().join(", ");
    if is_abuse(&insults, &both) {
        reasons.push(Reason::Insult { passage: insults });
    }
}

/// The harsh words, each once, as they were written.
fn insults(views: &Views, view: &Traced, found: &[Found]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let insults = found.iter().filter(|found| found.heading == Heading::Insult);
    insults
        .filter(|found| seen.insert(&view.text[found.from..found.to]))
        .map(|found| views.passage(view, found.from, found.to))
        .collect()
}

fn is_abuse(insults: &str, both: &[(&Traced, Vec<Found>); 2]) -> bool {
    let points: usize = both.iter().map(|(view, found)| points(view, found)).sum();
    let in_court = both.iter().any(|(_, found)| found.iter().any(|found| found.heading == Heading::Court));
    let points = if in_court { points.saturating_sub(1) } else { points };
    // The word filter takes plain courtroom speech for abuse and knows no Hangul, so it only ever tips the scale; and it is
    // asked about the words in doubt alone, because it takes longer for a whole text than everything else here.
    points >= ABUSE_POINTS || (points == ABUSE_POINTS - 1 && !in_court && word_filter_agrees(insults))
}

/// One for each different harsh word, and one more if it is aimed at the reader.
fn points(view: &Traced, found: &[Found]) -> usize {
    let of = |heading: Heading| found.iter().filter(move |found| found.heading == heading);
    let addressed = |insult: &Found| of(Heading::Address).any(|address| address.to + 1 == insult.from);
    let mut counted = BTreeSet::new();
    of(Heading::Insult)
        .filter(|insult| counted.insert(&view.text[insult.from..insult.to]))
        .map(|insult| 1 + usize::from(addressed(insult)))
        .sum()
}

fn word_filter_agrees(text: &str) -> bool {
    Censor::from_str(text).analyze().is(Type::PROFANE | Type::OFFENSIVE | Type::SEXUAL | Type::MEAN)
}
