//! What people may write: trimmed, counted in Unicode characters, free of characters that deceive the eye.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The text as it will be stored, or a sentence that says what is wrong with it. Never cut silently; CRLF becomes LF.
pub fn checked(name: &str, text: &str, len: RangeInclusive<usize>) -> Result<String, String> {
    let text = if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
    let text = text.trim();
    if is_plain(text) {
        return in_range(name, text, text.len(), len);
    }
    if let Some(bad) = text.chars().find(|c| is_hidden(*c)) {
        return Err(format!(
            "The field \"{name}\" contains the invisible or direction-changing character U+{:04X}; please remove it.",
            u32::from(bad)
        ));
    }
    in_range(name, text, text.chars().count(), len)
}

/// Printable ASCII, newlines and tabs: most texts, and quickly checked byte by byte.
fn is_plain(text: &str) -> bool {
    // Without a way out in the middle, so that many bytes are looked at at once.
    text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

fn in_range(name: &str, text: &str, found: usize, len: RangeInclusive<usize>) -> Result<String, String> {
    let (len_min, len_max) = len.into_inner();
    if found < len_min {
        return Err(if found == 0 {
            format!("The field \"{name}\" is empty; write {len_min} to {len_max} characters.")
        } else {
            format!("The field \"{name}\" has {found} characters; write {len_min} to {len_max}.")
        });
    }
    if found > len_max {
        return Err(format!("The field \"{name}\" has {found} characters; at most {len_max} are allowed."));
    }
    Ok(text.to_owned())
}

/// The same for a text that is remembered by its words: punctuation alone is refused.
pub fn checked_words(name: &str, text: &str, len: RangeInclusive<usize>) -> Result<String, String> {
    let text = checked(name, text, len)?;
    if !text.chars().any(char::is_alphanumeric) {
        return Err(format!("The field \"{name}\" has no letter and no digit; write words."));
    }
    Ok(text)
}

/// The same for text on a single line, such as a name.
pub fn checked_line(name: &str, text: &str, len: RangeInclusive<usize>) -> Result<String, String> {
    let text = checked(name, text, len)?;
    if let Some(joiner) = stray_joiner(&text) {
        return Err(format!(
            "The field \"{name}\" contains the invisible character U+{:04X} where it joins nothing; please remove it.",
            u32::from(joiner)
        ));
    }
    if text.contains(['\n', '\t']) {
        return Err(format!("The field \"{name}\" must be a single line."));
    }
    Ok(text)
}

/// A joiner or variation selector at the start or after ASCII or Hangul: it would make a look-alike of another name, or an invisible name.
fn stray_joiner(text: &str) -> Option<char> {
    let plain = |c: Option<char>| c.is_none_or(|c| c.is_ascii() || ('가'..='힣').contains(&c));
    let mut before = None;
    text.chars().find(|c| {
        let stray = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}') && plain(before);
        before = Some(*c);
        stray
    })
}

/// Control characters, direction changes, and blank or zero-width characters that carry no meaning of their own. Newline
/// and tab are text; the zero-width joiner is part of emoji and of several scripts.
pub fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{00ad}' | '\u{034f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters_after_trimming() {
        assert_eq!(checked("text", "  안녕 👩‍⚖️ ", 1..=7).expect("six characters"), "안녕 👩‍⚖️");
        assert_eq!(checked("text", "a\r\nb", 1..=3).expect("three characters"), "a\nb");
        assert!(checked("text", "가나다라", 1..=3).expect_err("refused").contains("has 4 characters; at most 3"));
        assert!(checked("text", " \n ", 1..=3).expect_err("refused").contains("is empty"));
    }

    #[test]
    fn deceiving_characters_are_named() {
        for bad in ["a\u{202e}b", "a\u{0}b", "a\u{200b}b", "a\u{1b}[2Jb", "\u{e0041}", "a\u{2066}b", "\u{3164}", "a\rb"]
        {
            assert!(checked("name", bad, 1..=9).expect_err("refused").contains("U+"), "{bad:?}");
        }
        assert!(checked_line("name", "a\nb", 1..=9).expect_err("refused").contains("single line"));
    }
}
