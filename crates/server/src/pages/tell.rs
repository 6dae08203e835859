//! What tells two arguments under one label apart on a page, and gives no word of them away.

use super::chrome::Words;
use engine::rules::Mode;
use std::collections::BTreeSet;

/// How many letters of a hash are shown at the least.
const LETTERS_MIN: usize = 4;

/// How many letters of these hashes tell all of them apart.
pub fn letters<'a>(hashes: impl IntoIterator<Item = &'a str>) -> usize {
    let hashes: BTreeSet<&str> = hashes.into_iter().collect();
    let longest = hashes.iter().map(|hash| hash.len()).max().unwrap_or(LETTERS_MIN);
    let told_apart = |letters: &usize| {
        let firsts: BTreeSet<&str> = hashes.iter().map(|hash| first(hash, *letters)).collect();
        firsts.len() == hashes.len()
    };
    (LETTERS_MIN..longest).find(told_apart).unwrap_or(longest)
}

/// What an argument is numbered with: the first letters of its hash, as the API has it.
pub fn number(hash: &str, letters: usize) -> String {
    format!("#{}", first(hash, letters))
}

/// How a defence was given, in words; nothing if nobody knows.
pub fn manner(w: &Words, mode: Option<Mode>) -> Option<String> {
    mode.map(|mode| w.of("manner-of", mode.word()))
}

fn first(hash: &str, letters: usize) -> &str {
    hash.get(..letters).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_letters_are_shown_and_more_where_four_are_not_enough() {
        assert_eq!(letters(["c0ffee00", "c0de0000", "c0ffee00"]), 4, "one that stands there twice is one");
        assert_eq!(letters(["c0ffee00", "c0ffed00", "deadbeef"]), 6);
        assert_eq!(letters([]), 4);
        assert_eq!(letters(["c0ffee00", "c0ffee01"]), 8);
        assert_eq!([number("c0ffee00", 4), number("c0f", 4)], ["#c0ff", "#c0f"]);
    }
}
