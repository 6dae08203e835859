//! The hashes by which texts are named.

use crate::normal;
use commons::corpus::hash::{ArgHash, DefenseHash, HashRefusal, Normal};
use proptest::prelude::*;

#[test]
fn the_same_words_in_another_case_punctuation_and_spacing_have_one_hash() {
    let hash = ArgHash::of("France is a corpse, and your notes are its shroud.").expect("words");
    for other in [
        "FRANCE IS A CORPSE AND YOUR NOTES ARE ITS SHROUD",
        "  France is a corpse;\n\tand your  notes are its shroud!!! ",
        "Ｆｒａｎｃｅ is a “corpse” — and your notes are its shroud…",
        "France is a corpse, and your no\u{200b}tes are its shroud\u{fe0f}",
    ] {
        assert_eq!(ArgHash::of(other), Ok(hash), "{other}");
    }
    assert_ne!(ArgHash::of("France is a corpse, and your notes are its coffin."), Ok(hash));
}

#[test]
fn korean_is_the_same_however_its_syllables_are_encoded() {
    let composed = ArgHash::of("시체는 말이 없다").expect("words");
    let letters = "\u{1109}\u{1175}\u{110e}\u{1166}\u{1102}\u{1173}\u{11ab} \
        \u{1106}\u{1161}\u{11af}\u{110b}\u{1175} \u{110b}\u{1165}\u{11b9}\u{1103}\u{1161}";
    assert_eq!(ArgHash::of(letters), Ok(composed));
    let with_hyphens = letters.replace('\u{1175}', "-\u{1175}");
    assert_eq!(ArgHash::of(&with_hyphens), Ok(composed), "what meets when punctuation goes is composed");
}

#[test]
fn a_hash_is_sha_256_of_the_normalised_text() {
    assert_eq!(normal("Don't — ever — pay: 100%").as_str(), "dont ever pay 100");
    // printf 'dont ever pay 100' | sha256sum
    let known = "90c2c2780181f19e8b621ffe97e124b9aed20ee4591d532651160ec131536283";
    assert_eq!(ArgHash::of("Don't — ever — pay: 100%").expect("words").to_string(), known);
    assert_eq!(DefenseHash::of("dont ever pay 100").expect("words").to_string(), known);
}

#[test]
fn a_text_without_words_is_refused_with_a_sentence() {
    for nothing in ["", "   \n", "?!…", "—", "👩‍⚖️⚖️", "\u{3164}\u{115f}", "\u{fe0f}\u{301}"] {
        let refusal = ArgHash::of(nothing).expect_err("nothing is left");
        assert_eq!(refusal, HashRefusal::NoWords, "{nothing:?}");
        assert!(refusal.to_string().contains("no letters or digits"));
    }
}

#[test]
fn a_hash_is_read_from_64_hex_digits_and_nothing_else() {
    let hash = ArgHash::of("The bank never had the gold.").expect("words");
    let digits = hash.to_string();
    assert_eq!(digits.len(), 64);
    assert_eq!(digits.parse(), Ok(hash));
    assert_eq!(digits.to_uppercase().parse(), Ok(hash));
    let short = &digits[..63];
    for wrong in ["", short, &format!("{digits}0"), &format!("{short}g"), &format!("{short}+"), &"é".repeat(32)] {
        assert!(matches!(wrong.parse::<ArgHash>(), Err(HashRefusal::NotHex { .. })), "{wrong}");
    }
    assert!("abc".parse::<ArgHash>().expect_err("short").to_string().contains("64 hex digits"));
}

#[test]
fn a_hash_is_a_string_in_json() {
    let hash = DefenseHash::of("He repaid every note at par.").expect("words");
    let json = serde_json::to_string(&hash).expect("it writes");
    assert_eq!(json, format!("\"{hash}\""));
    assert_eq!(serde_json::from_str::<DefenseHash>(&json).expect("it reads"), hash);
    let refused = serde_json::from_str::<DefenseHash>("\"12\"").expect_err("two digits");
    assert!(refused.to_string().contains("of 2 characters"), "{refused}");
}

proptest! {
    #[test]
    fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
        if let Ok(once) = Normal::of(&text) {
            prop_assert_eq!(Normal::of(once.as_str()), Ok(once));
        }
    }

    #[test]
    fn what_is_left_are_words_with_single_spaces(text in any::<String>()) {
        if let Ok(normal) = Normal::of(&text) {
            let text = normal.as_str();
            prop_assert!(!text.is_empty() && text.trim() == text && !text.contains("  "));
            prop_assert!(text.chars().all(|c| c == ' ' || !c.is_whitespace()));
        }
    }

    #[test]
    fn the_quick_way_for_plain_letters_gives_what_the_full_way_gives(text in "[ -~\n\t]{0,60}") {
        // A letter beyond ASCII sends the text the full way, through Unicode normalization.
        let full = Normal::of(&format!("{text} é")).expect("a letter");
        let quick = Normal::of(&format!("{text} e")).expect("a letter");
        prop_assert_eq!(full.as_str().strip_suffix('é'), quick.as_str().strip_suffix('e'));
    }
}
