//! Which texts count as one: near-duplicates by their shingles, and the signature by which an index finds them.

use super::hash::Normal;
use engine::parts::shingles::{Likeness, SHINGLE, Shingles, WORDS_MIN};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// From this likeness on, in percent, two texts are of one lineage.
pub const LINEAGE_PERCENT: usize = 80;
/// From this likeness on, in percent, a defense is too close to one that was struck.
pub const TOO_CLOSE_PERCENT: usize = 50;

/// A text taken apart once, to be compared with many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparable(Shingles);

impl Comparable {
    /// Takes a normalised text apart. Marks over and under letters are ignored here, although the hash keeps them.
    pub fn of(normal: &Normal) -> Self {
        let text = normal.as_str();
        if text.is_ascii() {
            return Comparable(Shingles::of(text));
        }
        // Korean syllables are taken apart into letters, none of which is a mark, and put together again.
        let bare: String = text.nfkd().filter(|letter| !is_combining_mark(*letter)).nfc().collect();
        Comparable(Shingles::of(&bare))
    }

    /// How alike the two are: Jaccard of rows of three words, or of three characters if either has fewer than six words.
    pub fn likeness(&self, other: &Comparable) -> Likeness {
        self.0.likeness(&other.0)
    }

    /// Whether the two are of one lineage.
    pub fn is_kin(&self, other: &Comparable) -> bool {
        self.likeness(other).is_at_least(LINEAGE_PERCENT)
    }

    /// The numbers to look for kin by: two texts of one lineage have at least one in common. Having one in common proves nothing: a text
    /// that is found must still be compared.
    ///
    /// Take a set A of n rows and a set B of m, all sorted by one order, here their hashes. If their Jaccard index is 4/5 or more, they
    /// share at least 4/5 of their union, which is no smaller than A: at least ceil(4n/5) rows, and likewise at least ceil(4m/5). Of A only
    /// the first n - ceil(4n/5) + 1 = floor(n/5) + 1 are kept, of B the first floor(m/5) + 1. Suppose no kept row is shared, and that the
    /// last kept row of A comes before that of B (else swap their names). A shared row up to A's last kept one would be kept in both, so
    /// every shared row comes after it. But behind it A has only ceil(4n/5) - 1 rows: too few. So a kept row is shared.
    ///
    /// A text is compared by its words with long ones and by its characters with short ones, so it would need both prefixes. A long text
    /// does without the one of characters where no short text can come near: a text of up to five words has four spaces, hence at most
    /// twelve rows of characters with a space in them. If the long one has s such rows, at least s - 12 of its n rows are not the short
    /// one's; and if these are more than a fifth of n, less than 4/5 of the union is shared. That is so from about eight words on.
    pub fn signature(&self) -> Vec<i64> {
        let short = self.0.is_short();
        let mut signature = if short { Vec::new() } else { prefix(b'w', self.0.word_rows()) };
        if short || self.has_short_kin() {
            signature.extend(prefix(b'c', self.0.character_rows()));
        }
        signature
    }

    /// Whether a text of fewer than six words could be of its lineage.
    fn has_short_kin(&self) -> bool {
        const SPACED_MAX: usize = (WORDS_MIN - 2) * SHINGLE;
        let spaced = self.0.character_rows().filter(|row| row.contains(' ')).count();
        5 * spaced.saturating_sub(SPACED_MAX) <= self.0.character_rows().len()
    }
}

/// The signature of a text, as [`Comparable::signature`] has it.
pub fn signature(normal: &Normal) -> Vec<i64> {
    Comparable::of(normal).signature()
}

/// The first fifth of the rows and one more, in the order of their hashes.
fn prefix<'a>(unit: u8, rows: impl ExactSizeIterator<Item = &'a str>) -> Vec<i64> {
    // The arithmetic above is for four fifths.
    const { assert!(LINEAGE_PERCENT == 80) };
    if rows.len() == 0 {
        return Vec::new();
    }
    let kept = rows.len() / 5 + 1;
    let mut hashes: Vec<i64> = rows.map(|row| row_hash(unit, row)).collect();
    hashes.sort_unstable();
    hashes.truncate(kept);
    hashes
}

/// The first eight bytes of SHA-256: these numbers are stored, so they must be the same in every build. Rows of words and of
/// characters are kept apart by the unit.
fn row_hash(unit: u8, row: &str) -> i64 {
    let digest = Sha256::new().chain_update([unit]).chain_update(row.as_bytes()).finalize();
    let (first, _) = digest.split_first_chunk::<8>().expect("SHA-256 has 32 bytes");
    i64::from_be_bytes(*first)
}
