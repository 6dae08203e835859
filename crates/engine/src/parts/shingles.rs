//! How alike two texts are: the share of their shingles that they have in common. Counted without floats, so that decisions based on it may
//! be recorded.

use std::collections::BTreeSet;

/// How many words in a row make a shingle, and how many characters where a text is short.
pub const SHINGLE: usize = 3;
/// A text of at least this many words is compared by words; a shorter one has too few shingles of them.
pub const WORDS_MIN: usize = 6;

/// A text, taken apart once to be compared with many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shingles {
    words: BTreeSet<String>,
    grams: BTreeSet<String>,
    is_short: bool,
}

impl Shingles {
    /// Takes a text apart. Case, punctuation and white space do not count.
    pub fn of(text: &str) -> Self {
        let words = words(text);
        let letters: Vec<char> = words.join(" ").chars().collect();
        let gram = |row: &[char]| row.iter().collect::<String>();
        // One or two letters are a gram of their own, or the shortest texts would not even be like themselves.
        let grams = match letters.len() {
            0 => BTreeSet::new(),
            1..SHINGLE => BTreeSet::from([gram(&letters)]),
            _ => letters.windows(SHINGLE).map(gram).collect(),
        };
        Shingles {
            is_short: words.len() < WORDS_MIN,
            words: words.windows(SHINGLE).map(|row| row.join(" ")).collect(),
            grams,
        }
    }

    /// How alike the two are: by words, or by characters if either is short.
    pub fn likeness(&self, other: &Shingles) -> Likeness {
        let by_letters = self.is_short || other.is_short;
        let (ours, theirs) = if by_letters { (&self.grams, &other.grams) } else { (&self.words, &other.words) };
        let shared = ours.intersection(theirs).count();
        Likeness { shared, all: ours.len() + theirs.len() - shared }
    }

    /// Its rows of words, sorted, each once: compared if neither text is short.
    pub fn word_rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Its rows of characters, sorted, each once: compared if either text is short.
    pub fn character_rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.grams.iter().map(String::as_str)
    }

    /// Whether it has too few words to be compared by them.
    pub fn is_short(&self) -> bool {
        self.is_short
    }
}

/// How alike two texts are.
pub fn likeness(one: &str, other: &str) -> Likeness {
    Shingles::of(one).likeness(&Shingles::of(other))
}

/// The words of a text, in lower case, in whatever script.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The Jaccard index as a fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Likeness {
    /// Shingles that are in both texts.
    pub shared: usize,
    /// Shingles that are in either.
    pub all: usize,
}

impl Likeness {
    /// Whether it is this many percent or more. Texts without any shingle are like nothing.
    pub fn is_at_least(self, percent: usize) -> bool {
        self.all > 0 && self.shared * 100 >= percent * self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(one: &str, other: &str) -> (usize, usize) {
        let Likeness { shared, all } = likeness(one, other);
        (shared, all)
    }

    #[test]
    fn the_same_words_in_another_case_and_spacing_are_the_same_text() {
        let loud = "THE BANK, sir --\n was Never   solvent; not one day!";
        let (shared, all) = of("the bank sir was never solvent not one day", loud);
        assert_eq!((shared, all), (7, 7), "nine words have seven rows of three");
        assert!(
            likeness("왕립은행은 단 하루도 지급 능력이 없었습니다", "왕립은행은, 단 하루도 지급 능력이 없었습니다.")
                .is_at_least(100)
        );
    }

    #[test]
    fn long_texts_are_compared_by_three_words_in_a_row() {
        // a b c, b c d, c d e, d e f against a b c, b c d, c d x, d x y.
        assert_eq!(of("a b c d e f", "a b c d x y"), (2, 6));
        assert_eq!(of("one two three four five six", "six five four three two one"), (0, 8), "the order counts");
    }

    #[test]
    fn a_text_of_fewer_than_six_words_is_compared_by_its_characters() {
        // abc, "bc ", "c d", " de" against abc, "bc ", "c d", " df".
        assert_eq!(of("abc de", "Abc, df"), (3, 5));
        // Against a longer one too: rows of words would have nothing in common with it.
        assert!(of("no one paid", "no one paid a single livre for them").0 > 0);
    }

    #[test]
    fn the_shortest_texts_are_like_themselves_and_no_text_is_like_nothing() {
        assert_eq!(of("no", "NO!"), (1, 1));
        assert_eq!(of("no", "on"), (0, 2));
        assert_eq!(of("", "?!"), (0, 0));
        assert!(!likeness("", "").is_at_least(0));
    }

    #[test]
    fn a_threshold_is_reached_exactly() {
        let third = likeness("a b c d e f", "a b c d x y");
        assert!(third.is_at_least(33) && !third.is_at_least(34));
        let half = Likeness { shared: 4, all: 8 };
        assert!(half.is_at_least(50) && !half.is_at_least(51));
    }
}
