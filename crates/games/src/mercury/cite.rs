//! What may be said in the name of the assessment: approved excerpts, word for word, and nothing else.
//!
//! Excerpts are taken out of a text first. Whatever quotation, figure or finding is left beside the assessment's name is false.

use super::content::Content;
use super::words::Choice;
use crate::speech;
use engine::roster::Lang;
use std::ops::Range;

/// Takes the place of an excerpt in a text.
const CITED: char = '\u{fffc}';
const QUOTES: [(char, char); 5] = [('“', '”'), ('"', '"'), ('«', '»'), ('「', '」'), ('『', '』')];

/// What the assessment and its authors are called, word by word.
const NAMES: [&[&str]; 9] = [
    &["the", "assessment"],
    &["this", "assessment"],
    &["mercury", "assessment"],
    &["mercury", "assessments"],
    &["amap", "assessment"],
    &["world", "health", "organization"],
    &["world", "health", "organisation"],
    &["ima"],
    &["unep"],
];
const NAMES_KO: [&str; 6] = ["평가서", "평가 보고서", "평가보고서", "수은 평가", "유엔환경계획", "세계보건기구"];

/// Words that tell what it is supposed to have found.
const FINDINGS: [&str; 31] = [
    "according",
    "concluded",
    "concludes",
    "confirmed",
    "confirms",
    "estimated",
    "estimates",
    "finds",
    "found",
    "noted",
    "notes",
    "proved",
    "proves",
    "puts",
    "reads",
    "reported",
    "reports",
    "reveals",
    "said",
    "says",
    "showed",
    "shown",
    "shows",
    "stated",
    "states",
    "tells",
    "told",
    "warned",
    "warns",
    "writes",
    "wrote",
];
const FINDINGS_KO: [&str; 13] =
    ["따르면", "의하면", "밝히", "밝혔", "말합", "말하", "적혀", "적고", "나와 있", "나타났", "결론", "보여", "경고"];

/// Words that count as figures, besides digits.
const FIGURES: [&str; 22] = [
    "half",
    "thirds",
    "quarter",
    "quarters",
    "fifth",
    "fifths",
    "tenth",
    "tenths",
    "cent",
    "percent",
    "dozen",
    "dozens",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "tonnes",
    "tons",
];
const FIGURES_KO: [&str; 7] = ["분의", "절반", "퍼센트", "수백", "수천", "수만", "수십"];
/// A single digit after one of these says which one, not how many.
const COUNTED: [&str; 6] = ["issue", "question", "option", "의제", "쟁점", "안건"];

/// Words put into the assessment's mouth.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("The assessment may only be cited by an approved excerpt, word for word; this is none: {0}")]
pub struct FalseCitation(pub String);

/// Refuses a quotation, a figure or a finding that is attributed to the assessment and is not an approved excerpt. An excerpt may be
/// cited whole, or from its beginning up to the end of a sentence; its later sentences may mean something else on their own.
pub fn excerpt_guard(content: &Content, lang: Lang, text: &str) -> Result<(), FalseCitation> {
    let rest = without_excerpts(content, text);
    let quotations = quotations(&rest);
    let sentences = placed(&rest);
    for (at, (place, sentence)) in sentences.iter().enumerate() {
        if !names(lang, sentence) {
            continue;
        }
        let next = sentences.get(at + 1).map_or("", |(_, next)| next);
        let cited = sentence.contains(CITED) || next.trim_start().starts_with(CITED);
        if !cited && told(lang, sentence, &FINDINGS, &FINDINGS_KO) {
            return Err(FalseCitation(sentence.trim().to_owned()));
        }
        // Where an excerpt follows the name, only that sentence is checked; otherwise the sentences before and after it as well.
        let beside = if cited { at..at + 1 } else { at.saturating_sub(1)..sentences.len().min(at + 2) };
        let near = match sentences[beside.clone()] {
            [(ref first, _), .., (ref last, _)] => first.start..last.end,
            _ => place.clone(),
        };
        if let Some(words) = quotations.iter().find(|(span, _)| span.start < near.end && near.start < span.end) {
            return Err(FalseCitation(words.1.clone()));
        }
        if let Some((_, words)) = sentences[beside].iter().find(|(_, words)| figure(lang, words)) {
            return Err(FalseCitation(words.trim_end_matches([CITED, ' ']).trim().to_owned()));
        }
    }
    Ok(())
}

/// The text with a mark in place of every excerpt; the mark ends a sentence.
fn without_excerpts(content: &Content, text: &str) -> String {
    let mut sources: Vec<&str> = content.excerpts.iter().map(|excerpt| excerpt.source.as_str()).collect();
    // One source may be part of another.
    sources.sort_by_key(|source| std::cmp::Reverse(source.len()));
    let mut rest = sources.into_iter().fold(text.to_owned(), |rest, source| rest.replace(source, ""));
    for excerpt in &content.excerpts {
        for end in ends(&excerpt.text).into_iter().rev() {
            rest = rest.replace(&excerpt.text[..end], &CITED.to_string());
        }
    }
    for (open, close) in QUOTES {
        rest = rest.replace(&format!("{open}{CITED}{close}"), &CITED.to_string());
    }
    rest.replace(CITED, &format!("{CITED}. "))
}

/// Where the sentences of a text end.
fn ends(text: &str) -> Vec<usize> {
    placed(text).into_iter().filter(|(_, sentence)| !sentence.trim().is_empty()).map(|(place, _)| place.end).collect()
}

/// The sentences of a text, with their places.
fn placed(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut start = 0;
    let place = |sentence: &'_ str| {
        let place = start..start + sentence.len();
        start = place.end;
        place
    };
    let sentences = speech::sentences(text);
    sentences.iter().copied().map(place).zip(sentences.iter().copied()).collect()
}

/// Every quotation that holds more than excerpts, with the last such words in it.
fn quotations(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((open, close, start)) = next_quote(text, at) {
        let inside = start + open.len_utf8();
        let end = text[inside..].find(close).map_or(text.len(), |length| inside + length);
        let mut left = text[inside..end].split(CITED).map(|part| part.trim_start_matches(['.', ' ']).trim());
        if let Some(left) = left.rfind(|part| part.chars().any(char::is_alphanumeric)) {
            found.push((start..end, left.to_owned()));
        }
        at = text[end..].chars().next().map_or(text.len(), |closing| end + closing.len_utf8());
    }
    found
}

fn next_quote(text: &str, at: usize) -> Option<(char, char, usize)> {
    let (start, open) = text[at..].char_indices().find(|(_, c)| QUOTES.iter().any(|(open, _)| open == c))?;
    let (_, close) = QUOTES.into_iter().find(|(known, _)| *known == open)?;
    Some((open, close, at + start))
}

fn names(lang: Lang, sentence: &str) -> bool {
    let words = speech::words(sentence);
    let named = NAMES.iter().any(|name| words.windows(name.len()).any(|row| row == *name));
    named || (lang == Lang::Ko && NAMES_KO.iter().any(|name| sentence.contains(name)))
}

fn told(lang: Lang, sentence: &str, signs: &[&str], signs_ko: &[&str]) -> bool {
    let english = speech::words(sentence).iter().any(|word| signs.contains(&word.as_str()));
    english || (lang == Lang::Ko && signs_ko.iter().any(|sign| sentence.contains(sign)))
}

fn figure(lang: Lang, sentence: &str) -> bool {
    let mut before = "";
    for token in sentence.split_whitespace() {
        let number = token.trim_matches(|c: char| !c.is_ascii_digit());
        let counted = COUNTED.iter().any(|word| before.eq_ignore_ascii_case(word)) && number.len() == 1;
        if !number.is_empty() && !counted && number.parse::<Choice>().is_err() {
            return true;
        }
        before = token;
    }
    told(lang, sentence, &FIGURES, &FIGURES_KO)
}
