//! Whether a text is language at all: the order in which small words, endings and particles follow each other, whatever the topic.

use super::features::hash;
use super::text::{is_hangul, words};

/// The small words of English, which hold sentences together. A closed set: it does not depend on any case.
const SMALL: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "against",
    "all",
    "almost",
    "also",
    "although",
    "always",
    "am",
    "an",
    "and",
    "another",
    "any",
    "anybody",
    "anyone",
    "anything",
    "are",
    "arent",
    "around",
    "as",
    "at",
    "away",
    "back",
    "be",
    "because",
    "been",
    "before",
    "behind",
    "being",
    "below",
    "beside",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "cant",
    "could",
    "couldnt",
    "did",
    "didnt",
    "do",
    "does",
    "doesnt",
    "dont",
    "down",
    "during",
    "each",
    "either",
    "else",
    "enough",
    "even",
    "ever",
    "every",
    "everybody",
    "everyone",
    "everything",
    "few",
    "for",
    "from",
    "had",
    "has",
    "hasnt",
    "have",
    "havent",
    "he",
    "her",
    "here",
    "hers",
    "him",
    "himself",
    "his",
    "how",
    "however",
    "i",
    "id",
    "if",
    "ill",
    "im",
    "in",
    "inside",
    "instead",
    "into",
    "is",
    "isnt",
    "it",
    "its",
    "itself",
    "ive",
    "just",
    "least",
    "less",
    "let",
    "lets",
    "like",
    "many",
    "may",
    "maybe",
    "me",
    "might",
    "mine",
    "more",
    "most",
    "much",
    "must",
    "my",
    "myself",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "on",
    "once",
    "one",
    "ones",
    "only",
    "or",
    "other",
    "others",
    "our",
    "ours",
    "out",
    "over",
    "own",
    "per",
    "perhaps",
    "please",
    "quite",
    "rather",
    "really",
    "same",
    "shall",
    "she",
    "should",
    "shouldnt",
    "since",
    "so",
    "some",
    "somebody",
    "someone",
    "something",
    "still",
    "such",
    "than",
    "that",
    "thats",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "theres",
    "these",
    "they",
    "theyre",
    "this",
    "those",
    "though",
    "through",
    "thus",
    "till",
    "to",
    "together",
    "too",
    "towards",
    "under",
    "unless",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "was",
    "wasnt",
    "we",
    "well",
    "were",
    "werent",
    "what",
    "whatever",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whole",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "wont",
    "would",
    "wouldnt",
    "yes",
    "yet",
    "you",
    "your",
    "youre",
    "yours",
    "yourself",
];
/// Endings that tell what an English word does in a sentence, longest first.
const ENDINGS: &[&str] = &[
    "ation", "ness", "ment", "able", "ible", "tion", "sion", "less", "ing", "ity", "ous", "ive", "ful", "ism", "est",
    "ies", "ed", "ly", "er", "or", "al", "en", "es", "s",
];
/// The most consecutive tokens in one feature.
const ROW_MAX: usize = 4;

/// The features of a text's word order.
pub fn features(text: &str) -> Vec<u32> {
    let row = tokens(text);
    let mut features = Vec::with_capacity(row.len() * ROW_MAX);
    for len in 1..=ROW_MAX {
        for piece in row.windows(len) {
            features.push(hash(b'g', piece.iter().flat_map(|token| token.chars().chain(['|']))));
        }
    }
    // Pairs with one token left out between them.
    for piece in row.windows(3) {
        features.push(hash(b's', piece[0].chars().chain(['|']).chain(piece[2].chars())));
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// Whether it is one of the small words of English.
pub fn is_small(word: &str) -> bool {
    SMALL.binary_search(&word).is_ok()
}

/// Each word by what it does: itself if it is small, else its ending; in Korean its last syllables, where particles and endings are.
fn tokens(text: &str) -> Vec<String> {
    let mut row = vec!["^".to_owned()];
    for piece in text.split_whitespace() {
        row.extend(words(piece).iter().map(|word| token(word)));
        if let Some(mark) =
            piece.trim_end_matches(['"', '\'', '”', '’', ')']).chars().next_back().filter(|c| ".!?,;:…—-".contains(*c))
        {
            row.push(if mark == ',' { ",".to_owned() } else { ".".to_owned() });
        }
    }
    row.push("$".to_owned());
    row
}

fn token(word: &str) -> String {
    if word.chars().any(|letter| letter.is_ascii_digit()) {
        let rest: String = word.chars().filter(|letter| is_hangul(*letter)).collect();
        return format!("#{rest}");
    }
    if word.chars().any(is_hangul) {
        let letters: Vec<char> = word.chars().collect();
        return letters[letters.len().saturating_sub(if letters.len() > 2 { 2 } else { 1 })..].iter().collect();
    }
    if is_small(word) {
        return word.to_owned();
    }
    let ending = ENDINGS.iter().find(|ending| word.len() > ending.len() + 2 && word.ends_with(**ending));
    ending.map_or_else(|| "x".to_owned(), |ending| format!("x{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words_stand_in_order_so_that_they_are_found() {
        assert!(SMALL.is_sorted());
    }

    #[test]
    fn words_count_by_what_they_do() {
        assert_eq!(tokens("The engineers copied 40,380 files."), ["^", "the", "xs", "xed", "#", "xes", ".", "$"]);
        assert_eq!(tokens("기술자가 문서를 복사했습니다."), ["^", "자가", "서를", "니다", ".", "$"]);
    }
}
