//! Figures and names of a case file: what a speech may rest on, and what it gets wrong.

use super::reading::Support;
use engine::classify::features;
use engine::classify::text::{is_hangul, words};
use std::collections::BTreeSet;

/// How far a round figure may be from the one in the file, in thousandths.
const ROUND_PERMILLE: u64 = 30;
/// Smaller figures are too common to count as wrong.
const FIGURE_MIN: u64 = 11;
/// How many longer words of the file a text must share to be about it.
const ON_TOPIC_MIN: usize = 2;
/// A longer word has at least this many letters and is compared by its first few; in Korean, by its first syllables.
const STEM_WORD_MIN: usize = 5;
const STEM_LEN: usize = 5;
const STEM_LEN_HANGUL: usize = 2;
/// Words that announce a reason.
const REASONS: [&str; 12] = [
    "because",
    "therefore",
    "hence",
    "otherwise",
    "since",
    "thats why",
    "which means",
    "때문",
    "그래서",
    "따라서",
    "므로",
    "니까",
];

/// What a file says in figures and names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    figures: BTreeSet<u64>,
    /// Differences, sums, ratios and percentages of its figures.
    derived: BTreeSet<u64>,
    names: BTreeSet<String>,
    /// Every three consecutive words, hashed.
    rows: BTreeSet<u32>,
    /// The first letters of its longer words.
    stems: BTreeSet<String>,
}

impl Record {
    /// Takes in the texts of a file.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut record = Record::default();
        let mut plain = BTreeSet::new();
        for text in texts {
            plain.extend(text.split_whitespace().filter(|word| word.starts_with(char::is_lowercase)).flat_map(words));
            record.figures.extend(figures(text));
            record.names.extend(names(text));
            record.rows.extend(rows(&words(text)));
            record.stems.extend(words(text).iter().filter_map(|word| stem(word)));
        }
        // A word that is also written in lower case is part of a title, not a name.
        record.names.retain(|name| !plain.contains(name));
        let all: Vec<u64> = record.figures.iter().copied().filter(|figure| *figure > 0).collect();
        for (place, small) in all.iter().enumerate() {
            record.derived.extend([100_u64.saturating_sub(*small)].into_iter().filter(|_| *small < 100));
            for large in &all[place + 1..] {
                // A share is given exactly or rounded: 99.2 per cent is said as 99 or 100.
                let share = small * 100 / large;
                record.derived.extend([large - small, large + small, large / small]);
                record.derived.extend([share, share + 1, 100 - share, 99 - share.min(99)]);
            }
        }
        record
    }

    /// Removes these names: naming a person everybody speaks of supports nothing.
    pub fn without_names<'a>(mut self, names: impl Iterator<Item = &'a str>) -> Self {
        for name in names.flat_map(words) {
            self.names.remove(&name);
        }
        self
    }

    /// What a text rests on.
    pub(super) fn support(&self, text: &str) -> Support {
        let lower = text.to_lowercase().replace(['\'', '’'], "");
        let mut support = Support { reason: REASONS.iter().any(|reason| lower.contains(reason)), ..Support::default() };
        for figure in figures(text) {
            if self.figures.iter().any(|known| is_about(*known, figure)) {
                support.figures = support.figures.saturating_add(1);
            } else if figure >= FIGURE_MIN && !self.derived.iter().any(|known| is_about(*known, figure)) {
                support.figures_wrong = support.figures_wrong.saturating_add(1);
            }
        }
        let said: BTreeSet<String> = words(text).into_iter().collect();
        support.names = self.names.iter().filter(|name| said.contains(*name)).count().min(9) as u8;
        support
    }

    /// Whether a text is about the case: it shares enough longer words with the file.
    pub(super) fn is_on_topic(&self, text: &str) -> bool {
        let said: BTreeSet<String> = words(text).iter().filter_map(|word| stem(word)).collect();
        said.iter().filter(|stem| self.stems.contains(*stem)).count() >= ON_TOPIC_MIN
    }

    /// How many of a text's runs of three words occur in the file, in a hundred.
    pub(super) fn read_off_percent(&self, text: &str) -> usize {
        let rows: Vec<u32> = rows(&words(text)).collect();
        let shared = rows.iter().filter(|row| self.rows.contains(row)).count();
        if rows.is_empty() { 0 } else { shared * 100 / rows.len() }
    }
}

/// Whether `said` may mean `known`: the same figure, or a round one near it.
fn is_about(known: u64, said: u64) -> bool {
    let round = said >= 100 && (said.is_multiple_of(100) || said.is_multiple_of(50));
    known == said || (round && known.abs_diff(said) * 1000 <= known * ROUND_PERMILLE)
}

fn rows(words: &[String]) -> impl Iterator<Item = u32> + '_ {
    words.windows(3).map(|row| features::hash(b'r', row.iter().flat_map(|word| word.chars().chain([' ']))))
}

fn stem(word: &str) -> Option<String> {
    let len = word.chars().count();
    if word.chars().any(is_hangul) {
        return (len >= STEM_LEN_HANGUL).then(|| word.chars().take(STEM_LEN_HANGUL).collect());
    }
    (len >= STEM_WORD_MIN).then(|| word.chars().take(STEM_LEN).collect())
}

/// Figures in digits, years included, multiplied by the Korean unit or English word of magnitude after them.
fn figures(text: &str) -> Vec<u64> {
    let mut figures = Vec::new();
    let all = words(text);
    for (place, word) in all.iter().enumerate() {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        let Ok(number) = digits.parse::<u64>() else { continue };
        let after: String = word.chars().skip(digits.len()).collect();
        let next = all.get(place + 1).map_or("", String::as_str);
        let unit = |word: &str| match word {
            "thousand" => Some(1_000),
            "million" => Some(1_000_000),
            "billion" => Some(1_000_000_000),
            word if word.starts_with('만') => Some(10_000),
            word if word.starts_with('억') => Some(100_000_000),
            word if word.starts_with('천') => Some(1_000),
            _ => None,
        };
        let times = unit(&after).or_else(|| after.is_empty().then(|| unit(next)).flatten()).unwrap_or(1);
        figures.push(number.saturating_mul(times).min(u64::from(u32::MAX)));
    }
    figures
}

/// Words with a capital letter inside a sentence.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut opens = true;
    for piece in text.split_whitespace() {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if !opens && bare.chars().count() >= 3 && bare.chars().next().is_some_and(char::is_uppercase) {
            names.extend(words(bare));
        }
        opens = piece.ends_with(['.', '!', '?', ':']);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record::of(
            [
                "Only 312 of the 40,380 documents concern the seal.",
                "It sold 2,100 pumps 14 months after Brennick knew.",
            ]
            .into_iter(),
        )
    }

    #[test]
    fn figures_of_the_record_count_also_rounded_or_worked_out_and_others_count_against() {
        let support = |text: &str| (record().support(text).figures, record().support(text).figures_wrong);
        assert_eq!(support("Of 40,380 files 312 mattered."), (2, 0));
        assert_eq!(support("Some 40,000 papers, and 40068 of them beside the point."), (1, 0));
        assert_eq!(support("The other 99 percent were loot."), (0, 0), "worked out");
        assert_eq!(support("He stole 75,000 of them in 1987."), (0, 2));
        assert_eq!(support("Two wrongs, 3 nights."), (0, 0));
    }

    #[test]
    fn a_name_counts_unless_everybody_is_called_by_it() {
        let said = "Brennick knew it all along.";
        assert_eq!(record().support(said).names, 1);
        assert_eq!(record().without_names(["Ada Brennick"].into_iter()).support(said).names, 0);
    }

    #[test]
    fn korean_units_are_part_of_a_figure() {
        assert_eq!(figures("4만 장과 1만 5천 명, 20억 리브르"), [40_000, 10_000, 5_000, 2_000_000_000]);
    }

    #[test]
    fn reading_the_file_out_is_known() {
        assert!(record().read_off_percent("Only 312 of the 40,380 documents concern the seal") >= 90);
        assert!(record().read_off_percent("Of all those papers only a sliver was about the part that cracks.") < 20);
    }
}
