//! The words of a text, and the language it is in.

use crate::roster::Lang;

/// Whether a letter belongs to the Korean alphabet.
pub fn is_hangul(letter: char) -> bool {
    matches!(letter, '가'..='힣' | 'ㄱ'..='ㆎ')
}

/// The language that most letters of a text belong to; `None` if it has letters of neither.
pub fn language_of(text: &str) -> Option<Lang> {
    let hangul = text.chars().filter(|letter| is_hangul(*letter)).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    // A Korean syllable says as much as three Latin letters.
    match (hangul, latin) {
        (0, 0) => None,
        (hangul, latin) if hangul * 3 >= latin => Some(Lang::Ko),
        _ => Some(Lang::En),
    }
}

/// Words in lower case, without punctuation. Commas between thousands and apostrophes within words are dropped: "40,380" is one word,
/// "don't" is "dont".
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
            continue;
        }
        let inside = word.chars().next_back();
        let joins = match letter {
            ',' => inside.is_some_and(|last| last.is_ascii_digit()) && letters.peek().is_some_and(char::is_ascii_digit),
            '\'' | '’' => inside.is_some() && letters.peek().is_some_and(|next| next.is_alphabetic()),
            _ => false,
        };
        if !joins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The sentences of a text. A full stop ends a sentence only before a space: "2.1" is one word.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let last = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(letter, '!' | '?' | ';' | '\n' | '。') || (letter == '.' && last) {
            let end = at + letter.len_utf8();
            sentences.push(&text[start..end]);
            start = end;
        }
    }
    sentences.push(&text[start..]);
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_one_word_and_lists_are_several() {
        assert_eq!(words("Of 40,380 files, 312: don't \"panic\"."), ["of", "40380", "files", "312", "dont", "panic"]);
        assert_eq!(words("1, 2,3"), ["1", "23"]);
    }

    #[test]
    fn a_text_is_in_the_language_of_most_of_its_letters() {
        assert_eq!(language_of("Brennick의 문서"), Some(Lang::Ko));
        assert_eq!(language_of("the file called 봉인"), Some(Lang::En));
        assert_eq!(language_of("312 … !!"), None);
    }
}
