//! Recognizes the house's own lines in what players send, also with a few words changed or added: a player who sends the intern's draft did
//! not write it.

use super::docket::docket;
use super::house;
use super::owned::before_expecting;
use crate::speech::{is_line, words};
use engine::parts::shingles::WORDS_MIN;
use engine::parts::twins::twin;
use engine::roster::Lang;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A text that has this percentage of a line's different words is that line, in whatever order and with whatever put between them.
const SAME_PERCENT: usize = 75;

/// The lines of all cases, to be found by their words.
#[derive(Default)]
struct Lines {
    /// Lines that have too few words to be compared by them.
    short: BTreeSet<String>,
    /// How many different words each of the others has.
    words: Vec<usize>,
    /// The lines that have a word, by number.
    with: BTreeMap<String, Vec<usize>>,
}

/// Whether this is an attack or an angle of a case file, or what an intern reads off the record.
pub fn is_house_line(text: &str) -> bool {
    static LINES: LazyLock<Lines> = LazyLock::new(|| Lines::of(docket().house_lines()));
    let said = latin_words(text);
    let expecting = before_expecting(&said.join(" ")).map(words);
    LINES.has(&said) || expecting.is_some_and(|draft| LINES.has(&draft)) || is_read_off(text)
}

/// The words of a text, with letters that only look Latin made so where others of the text are.
fn latin_words(text: &str) -> Vec<String> {
    if text.is_ascii() || !text.chars().any(|letter| letter.is_ascii_alphabetic()) {
        return words(text);
    }
    words(&text.to_lowercase().chars().map(|letter| twin(letter).unwrap_or(letter)).collect::<String>())
}

/// Whether it is what an intern writes where a case has no lines left.
fn is_read_off(text: &str) -> bool {
    [Lang::En, Lang::Ko].into_iter().any(|lang| house::library(lang).intern.iter().any(|line| is_line(line, text)))
}

impl Lines {
    fn of<'a>(lines: impl Iterator<Item = &'a String>) -> Self {
        let mut found = Lines::default();
        for line in lines {
            let all = words(line);
            let different: BTreeSet<&String> = all.iter().collect();
            if different.len() < WORDS_MIN {
                found.short.insert(all.join(" "));
                continue;
            }
            found.words.push(different.len());
            for word in different {
                found.with.entry(word.clone()).or_default().push(found.words.len() - 1);
            }
        }
        found
    }

    fn has(&self, said: &[String]) -> bool {
        let mut shared = vec![0; self.words.len()];
        let different: BTreeSet<&String> = said.iter().collect();
        for line in different.into_iter().filter_map(|word| self.with.get(word)).flatten() {
            shared[*line] += 1;
        }
        shared.iter().zip(&self.words).any(|(shared, words)| shared * 100 >= words * SAME_PERCENT)
            || self.short.contains(&said.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_case_is_known_when_it_is_edited_padded_or_shouted() {
        for line in docket().house_lines() {
            let mut edited = words(line);
            if edited.len() >= 8 {
                let half = edited.len() / 2;
                edited[half] = "indeed".into();
            }
            let filled = words(line).chunks(3).map(|three| three.join(" ")).collect::<Vec<_>>().join(" verily ");
            for sent in [
                line.clone(),
                line.to_uppercase(),
                format!("Members of the jury, I say this: {line} Indeed so."),
                filled,
                line.replace('a', "а"),
            ] {
                assert!(is_house_line(&sent), "{sent}");
            }
            assert!(is_house_line(&edited.join(" ")), "{edited:?}");
        }
    }

    #[test]
    fn words_of_ones_own_are_no_line_of_the_house_even_about_the_same_thing() {
        let own = [
            "You printed notes by the cartload while the vault held a fifth of what they promised, and you knew it.",
            "Every planter who signed your constitutions bought a man with the signature. You wrote the price in.",
            "은행 금고에는 지폐의 오분의 일도 없었는데 당신은 그걸 알면서 계속 찍어 냈습니다.",
        ];
        for text in own {
            assert!(!is_house_line(text), "{text}");
        }
    }
}
