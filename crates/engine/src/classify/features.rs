//! The features of a text, as numbers: hashed pieces of words, words, and pairs of words.
//!
//! Pieces of words survive misspellings and inflections; in Korean one to three syllables do, without a dictionary.

use super::grammar;
use super::text::{self, is_hangul};

/// Lengths of the pieces that a word is cut into.
const PIECES_LATIN: [usize; 3] = [3, 4, 5];
const PIECES_HANGUL: [usize; 3] = [1, 2, 3];

/// The distinct features of a text, in ascending order.
pub fn of(text: &str) -> Vec<u32> {
    let words = text::words(text);
    let mut features = Vec::with_capacity(words.iter().map(|word| word.len() * 3 + 2).sum());
    let mut letters: Vec<char> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        letters.clear();
        letters.push('<');
        letters.extend(word.chars());
        letters.push('>');
        let hangul = letters.iter().any(|letter| is_hangul(*letter));
        for len in if hangul { PIECES_HANGUL } else { PIECES_LATIN } {
            let pieces = letters.windows(len).filter(|piece| len > 1 || is_hangul(piece[0]));
            features.extend(pieces.map(|piece| hash(b'p', piece.iter().copied())));
        }
        features.push(hash(b'w', word.chars()));
        if let Some(next) = words.get(place + 1) {
            features.push(hash(b'b', word.chars().chain([' ']).chain(next.chars())));
        }
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// Adds the order of the text's small words and endings, which tells its stance: "we want you to have" gives, "we want to have" asks.
pub fn in_order(mut features: Vec<u32>, text: &str) -> Vec<u32> {
    features.extend(grammar::features(text));
    features.sort_unstable();
    features.dedup();
    features
}

/// Bits of a feature: few enough that the gaps between a model's features take little room.
const BITS: u32 = 22;

/// FNV-1a over code points, folded to `BITS` bits. Models are stored by these numbers, so it must never change.
pub fn hash(sort: u8, letters: impl Iterator<Item = char>) -> u32 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, piece: u32| (hash ^ u64::from(piece)).wrapping_mul(PRIME);
    let long = letters.fold(step(BASIS, u32::from(sort)), |hash, letter| step(hash, u32::from(letter)));
    ((long ^ (long >> BITS) ^ (long >> (2 * BITS))) & ((1 << BITS) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_spelling_leaves_most_pieces_as_they_were() {
        let (right, slip) = (of("documents"), of("docuemnts"));
        let shared = right.iter().filter(|feature| slip.binary_search(feature).is_ok()).count();
        assert!(shared >= 6, "{shared} of {}", right.len());
    }

    #[test]
    fn features_never_change_between_releases() {
        assert_eq!(hash(b'w', "seal".chars()), 0x239cf6);
        assert_eq!(of("The seal").len(), 18);
        assert_eq!(of("도장 도장"), of("도장 도장 도장"));
    }
}
