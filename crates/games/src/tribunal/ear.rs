//! Listening: which signs of a fact, a temptation or a claim are heard in a text.

use super::docket::Exhibit;
use super::tongue;
use crate::speech;
use engine::roster::Lang;
use std::collections::BTreeSet;

/// Signs by which something is heard: beginnings of words, several in a row perhaps; in Korean pieces of words.
#[derive(Clone, Debug)]
pub(super) struct Signs(Vec<Sign>);

#[derive(Clone, Debug)]
enum Sign {
    /// These words in a row, the last of them begun.
    Begun { before: Vec<String>, last: String },
    /// Anywhere in the text.
    Piece(String),
}

impl Signs {
    pub(super) fn new(lang: Lang, signs: &[String]) -> Self {
        let sign = |sign: &String| match lang {
            Lang::En => {
                let mut before = speech::words(sign);
                let last = before.pop()?;
                Some(Sign::Begun { before, last })
            }
            Lang::Ko => Some(Sign::Piece(sign.clone())),
        };
        Signs(signs.iter().filter_map(sign).collect())
    }
}

/// A text, taken in once to be asked many things. Signs are heard in what is said, not in a list of words.
pub(super) struct Heard {
    /// All of it, lists too.
    all: Vec<String>,
    spoken: String,
    lower: String,
    words: Vec<String>,
    /// In order, to be looked up by how they begin.
    sorted: Vec<String>,
}

impl Heard {
    pub(super) fn new(lang: Lang, text: &str) -> Self {
        let spoken = tongue::spoken(lang, text);
        let words = speech::words(&spoken);
        let mut sorted = words.clone();
        sorted.sort_unstable();
        Heard { all: speech::words(text), lower: spoken.to_lowercase(), spoken, words, sorted }
    }

    /// Every word of the text.
    pub(super) fn all(&self) -> &[String] {
        &self.all
    }

    /// The text without lists of words.
    pub(super) fn spoken(&self) -> &str {
        &self.spoken
    }

    /// How many of these signs are heard.
    pub(super) fn count(&self, signs: &Signs) -> usize {
        signs.0.iter().filter(|sign| self.hears(sign)).count()
    }

    fn begins(&self, word: &str) -> bool {
        let from = self.sorted.partition_point(|known| known.as_str() < word);
        self.sorted.get(from).is_some_and(|known| known.starts_with(word))
    }

    fn hears(&self, sign: &Sign) -> bool {
        match sign {
            Sign::Begun { before, last } if before.is_empty() => self.begins(last),
            Sign::Begun { before, last } if !self.begins(last) || !self.begins(&before[0]) => false,
            Sign::Begun { before, last } => self
                .words
                .windows(before.len() + 1)
                .any(|row| row[before.len()].starts_with(last) && row[..before.len()] == before[..]),
            Sign::Piece(piece) => self.lower.contains(piece),
        }
    }
}

/// The sentence in which most of these signs are heard.
pub(super) fn plainest<'a>(lang: Lang, text: &'a str, signs: &Signs) -> &'a str {
    let counted = speech::sentences(text).into_iter().map(|said| (Heard::new(lang, said).count(signs), said));
    most(counted, 1).map_or("", |(_, said)| said.trim())
}

/// The first of those with the highest count, if it is enough.
pub(super) fn most<T>(counted: impl Iterator<Item = (usize, T)>, least: usize) -> Option<(usize, T)> {
    counted.filter(|(count, _)| *count >= least).fold(None, |best, one| match best {
        Some((count, _)) if count >= one.0 => best,
        Some(_) | None => Some(one),
    })
}

/// The particulars of a fact that a text names: years, sums, and in English names.
pub(super) fn particulars(fact: &Exhibit, common: &BTreeSet<String>, text: &str) -> BTreeSet<String> {
    let of_fact: BTreeSet<String> = numbers(&fact.date).chain(numbers(&fact.text)).chain(names(&fact.text)).collect();
    let said: BTreeSet<String> = numbers(text).chain(speech::words(text)).collect();
    of_fact.into_iter().filter(|word| said.contains(word) && !common.contains(word)).collect()
}

/// Numbers of two digits or more, with the marks between thousands taken out.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let inner = |at: usize| letters[at] == ',' && digit(at.checked_sub(1)) && digit(Some(at + 1));
    let plain: String = (0..letters.len()).filter(|at| !inner(*at)).map(|at| letters[at]).collect();
    let runs: Vec<String> = plain.split(|c: char| !c.is_ascii_digit()).map(str::to_owned).collect();
    runs.into_iter().filter(|run| run.len() >= 2)
}

/// Words with a capital that do not begin a sentence.
fn names(text: &str) -> impl Iterator<Item = String> {
    let inside = |sentence: &str| {
        let words: Vec<String> =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        words.into_iter().skip(1)
    };
    let sentences: Vec<String> = speech::sentences(text).into_iter().flat_map(inside).collect();
    let capital = |word: &String| word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() >= 3;
    sentences.into_iter().filter(capital).map(|word| word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lang: Lang, signs: &[&str], text: &str) -> usize {
        let signs: Vec<String> = signs.iter().map(|sign| (*sign).to_owned()).collect();
        Heard::new(lang, text).count(&Signs::new(lang, &signs))
    }

    #[test]
    fn an_english_sign_is_the_beginning_of_a_word_and_may_be_several() {
        let signs = ["print", "red-hand", "rue quincamp"];
        assert_eq!(count(Lang::En, &signs, "You printed it, and were caught red-handed in the Rue Quincampoix."), 3);
        assert_eq!(count(Lang::En, &signs, "A reprint; a hand that is red; the Quincampoix rue."), 0);
    }

    #[test]
    fn a_korean_sign_is_a_piece_of_a_word() {
        let signs = ["지폐", "찍어"];
        assert_eq!(count(Lang::Ko, &signs, "왕립은행권을 찍어냈고 그 지폐는 휴지가 되었습니다."), 2);
        assert_eq!(count(Lang::Ko, &signs, "금화는 국경을 넘었습니다."), 0);
    }

    #[test]
    fn the_same_sign_heard_twice_is_heard_once() {
        assert_eq!(count(Lang::En, &["paper"], "Paper, paper, nothing but paper."), 1);
    }
}
