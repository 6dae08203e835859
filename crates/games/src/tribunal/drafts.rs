//! Recognizes the house's own lines in what players send, also with a few words changed or added: a player who sends the intern's draft did
//! not write it.

use super::docket::docket;
use super::house;
use super::owned::before_expecting;
use crate::speech::{is_line, words};
use engine::parts::shingles::WORDS_MIN;
use engine::roster::Lang;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// How many words in a row are compared. Changing one word in seven still leaves most pairs of a line as they were.
const ROW: usize = 2;
/// A text with this percentage of a line's rows is that line.
const SAME_PERCENT: usize = 70;

/// The lines of all cases, to be found by their rows of words.
#[derive(Default)]
struct Lines {
    /// Lines that are too short to be compared by rows.
    short: BTreeSet<String>,
    /// How many different rows each of the others has.
    rows: Vec<usize>,
    /// The lines that have a row, by number.
    with: BTreeMap<String, Vec<usize>>,
}

/// Whether this is an attack or an angle of a case file, or what an intern reads off the record.
pub fn is_house_line(text: &str) -> bool {
    static LINES: LazyLock<Lines> = LazyLock::new(|| Lines::of(docket().house_lines()));
    let said = words(text);
    let drafted = |words: &[String]| LINES.has(words);
    let expecting = before_expecting(&said.join(" ")).map(words);
    drafted(&said) || expecting.is_some_and(|draft| drafted(&draft)) || is_read_off(text)
}

/// Whether it is what an intern writes where a case has no lines left.
fn is_read_off(text: &str) -> bool {
    [Lang::En, Lang::Ko].into_iter().any(|lang| house::library(lang).intern.iter().any(|line| is_line(line, text)))
}

impl Lines {
    fn of<'a>(lines: impl Iterator<Item = &'a String>) -> Self {
        let mut found = Lines::default();
        for line in lines {
            let words = words(line);
            if words.len() < WORDS_MIN {
                found.short.insert(words.join(" "));
                continue;
            }
            let rows = rows(&words);
            found.rows.push(rows.len());
            for row in rows {
                found.with.entry(row).or_default().push(found.rows.len() - 1);
            }
        }
        found
    }

    fn has(&self, said: &[String]) -> bool {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for line in rows(said).iter().filter_map(|row| self.with.get(row)).flatten() {
            *shared.entry(*line).or_default() += 1;
        }
        shared.iter().any(|(line, shared)| shared * 100 >= self.rows[*line] * SAME_PERCENT)
            || self.short.contains(&said.join(" "))
    }
}

fn rows(words: &[String]) -> BTreeSet<String> {
    words.windows(ROW).map(|row| row.join(" ")).collect()
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
            for sent in
                [line.clone(), line.to_uppercase(), format!("Members of the jury, I say this: {line} Indeed so.")]
            {
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
