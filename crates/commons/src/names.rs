//! Which names count as one: names that look alike, however they are spelled.

use crate::corpus::hash::nfkc;
use crate::corpus::moderation::views::is_joiner;
use engine::parts::twins::twin;

/// The key by which names are unique: Unicode NFKC, in lower case, with Cyrillic and Greek letters as the Latin ones they look like,
/// without joiners, with single spaces between words. It is compared and never shown.
pub fn folded(name: &str) -> String {
    // Letter by letter: lower-casing whole words would write a final sigma differently.
    let lower: String = nfkc(name).chars().flat_map(char::to_lowercase).collect();
    let letters = nfkc(&lower).chars().filter(|c| !is_joiner(*c)).map(letter).collect::<String>();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn letter(c: char) -> char {
    match c {
        'ς' => 'σ',
        c => twin(c).unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn names_that_differ_in_case_width_form_or_alphabet_are_one() {
        for twins in [
            ["ann", "ANN", "Ａｎｎ", "𝒶𝓃𝓃", "аnn", "Αnn"].as_slice(),
            &["boss", "BOSS", "вoss", "Ｂoss"],
            &["fin", "ﬁn", "FIN", "ⓕⓘⓝ"],
            &["John Law", "john  law", "JOHN\u{a0}LAW", "john\u{3000}law", "Jоhn Lаw"],
            &["존 로크", "\u{110c}\u{1169}\u{11ab} 로크"],
            &["José", "JOSE\u{301}", "Jose\u{301}"],
            &["ΟΔΟΣ", "οδος", "οδοσ"],
            &["нет", "НЕТ", "не\u{200d}т"],
        ] {
            for twin in twins {
                assert_eq!(folded(twin), folded(twins[0]), "{twin:?}");
                assert_eq!(folded(&folded(twin)), folded(twin), "{twin:?}");
            }
        }
    }

    #[test]
    fn names_that_one_can_tell_apart_are_two() {
        let names =
            ["ann", "anna", "ann 1", "ann1", "a nn", "josé", "jose", "안", "앤", "ann.", "ann_", "юля", "👩‍⚖️", "👨‍⚖️"];
        for (place, one) in names.iter().enumerate() {
            for other in &names[..place] {
                assert_ne!(folded(one), folded(other), "{one:?} {other:?}");
            }
        }
    }
}
