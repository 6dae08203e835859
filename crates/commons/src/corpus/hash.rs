//! What a text is called in the corpus: a hash of its words, whatever their case, punctuation and spacing.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// How many bytes SHA-256 gives; twice as many hex digits.
const HASH_LEN: usize = 32;

/// Why there is no hash.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HashRefusal {
    /// Nothing is left of the text.
    #[error("The text has no letters or digits: without punctuation and white space nothing is left of it.")]
    NoWords,
    /// Not the digits of a hash.
    #[error("A hash is written as 64 hex digits; this is something else, of {found} characters.")]
    NotHex {
        /// How many characters were given.
        found: usize,
    },
}

/// A text as it is hashed and compared: Unicode NFKC, in lower case, without punctuation, single spaces between words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Normal(String);

impl Normal {
    /// Normalises a text. What is left are letters with their marks, digits and single spaces; symbols are dropped like punctuation.
    ///
    /// Punctuation is dropped, not replaced by a space: "don't" is "dont", and clients that hash for themselves get the same. Unicode
    /// promises never to change how characters that exist today are normalised.
    pub fn of(text: &str) -> Result<Self, HashRefusal> {
        let normal = if text.is_ascii() { kept_ascii(text) } else { composed(text) };
        if normal.is_empty() { Err(HashRefusal::NoWords) } else { Ok(Normal(normal)) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn digest(&self) -> [u8; HASH_LEN] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

/// Composed once more at the end: dropping something may bring together letters that belong in one syllable.
fn composed(text: &str) -> String {
    let lower = nfkc(text).to_lowercase();
    nfkc(&kept(lower.chars())).into_owned()
}

/// Unicode NFKC. Most texts are in it already, and checking that takes a fraction of the time.
pub(crate) fn nfkc(text: &str) -> Cow<'_, str> {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfkc().collect()),
    }
}

/// Words with single spaces between them.
fn kept(chars: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    let mut gap = false;
    // A mark belongs to the letter before it, and is kept or dropped with it.
    let mut after_letter = false;
    for c in chars {
        let is_mark = is_combining_mark(c);
        if is_blank(c) {
            continue;
        }
        if c.is_whitespace() {
            (gap, after_letter) = (true, false);
        } else if if is_mark { after_letter } else { c.is_alphanumeric() } {
            if gap && !text.is_empty() {
                text.push(' ');
            }
            text.push(c);
            (gap, after_letter) = (false, true);
        } else {
            after_letter = false;
        }
    }
    text
}

/// The same for ASCII, which has no marks and no blank letters. A fast path: every argument passes here once when it is stored and once
/// each time the record is checked.
fn kept_ascii(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if gap && !kept.is_empty() {
                kept.push(' ');
            }
            kept.push(c.to_ascii_lowercase());
            gap = false;
        } else if c.is_whitespace() {
            gap = true;
        }
    }
    kept
}

/// Letters and marks, by their Unicode category, that show nothing: Hangul fillers, variation selectors, the grapheme joiner.
fn is_blank(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{034f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

macro_rules! hash_of_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; HASH_LEN]);

        impl $name {
            /// The hash of a text, however it is written.
            pub fn of(text: &str) -> Result<Self, HashRefusal> {
                Normal::of(text).map(|normal| Self::of_normal(&normal))
            }

            /// The hash of a text that was normalised before.
            pub fn of_normal(normal: &Normal) -> Self {
                $name(normal.digest())
            }

            pub fn as_bytes(&self) -> &[u8; HASH_LEN] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&to_hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = HashRefusal;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                from_hex(text).map($name)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

hash_of_text! {
    /// The name of an argument: SHA-256 of its normalised text.
    ArgHash
}

hash_of_text! {
    /// The name of a defense: SHA-256 of its normalised text.
    DefenseHash
}

/// Built as one string: formatting digit by digit takes longer than the hash itself.
fn to_hex(bytes: &[u8; HASH_LEN]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Upper-case digits are read too; a hash is printed in lower case.
fn from_hex(text: &str) -> Result<[u8; HASH_LEN], HashRefusal> {
    let refusal = || HashRefusal::NotHex { found: text.chars().count() };
    if text.len() != 2 * HASH_LEN {
        return Err(refusal());
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = [0; HASH_LEN];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let (high, low) = (digit(pair[0]).ok_or_else(refusal)?, digit(pair[1]).ok_or_else(refusal)?);
        *byte = high << 4 | low;
    }
    Ok(bytes)
}
