//! Listening: which signs of a fact, a temptation or a claim are heard in a text.

use crate::speech;
use engine::roster::Lang;

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

/// A text, taken in once to be asked many things.
pub(super) struct Heard {
    lower: String,
    words: Vec<String>,
    /// In order, to be looked up by how they begin.
    sorted: Vec<String>,
}

impl Heard {
    pub(super) fn new(text: &str) -> Self {
        let words = speech::words(text);
        let mut sorted = words.clone();
        sorted.sort_unstable();
        Heard { lower: text.to_lowercase(), words, sorted }
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
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

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lang: Lang, signs: &[&str], text: &str) -> usize {
        let signs: Vec<String> = signs.iter().map(|sign| (*sign).to_owned()).collect();
        Heard::new(text).count(&Signs::new(lang, &signs))
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
