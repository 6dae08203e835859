//! Words that are meant for a model instead of the court: instructions, role markers, fences, and what hides them.

use super::lists::{entries, patterns};
use super::reason::Reason;
use super::views::{Traced, Views, shown, skeleton};
use crate::corpus::hash::nfkc;
use engine::parts::text::is_hidden;
use engine::parts::twins::twin;
use regex::Regex;
use std::sync::LazyLock;

/// A row of letters and digits of at least this many characters may be something encoded.
const BLOB_LEN_MIN: usize = 24;
/// A row of at least this many hex digits is no number.
const HEX_LEN_MIN: usize = 24;
/// At least this many escaped characters or bytes in a row are a message.
const ESCAPES_MIN: usize = 5;
/// This many variation selectors in a row select nothing.
const SELECTORS_MIN: usize = 2;

static SQUEEZED: LazyLock<Regex> = LazyLock::new(|| {
    patterns(include_str!("../lists/instructions.squeezed.en.txt"), |line| line.chars().map(skeleton).collect())
});
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    patterns(include_str!("../lists/instructions.words.en.txt"), |line| {
        line.replace('_', " ").chars().map(skeleton).collect()
    })
});
static KOREAN: LazyLock<Regex> =
    LazyLock::new(|| patterns(include_str!("../lists/instructions.ko.txt"), |line| nfkc(line).into_owned()));
static ROLES: LazyLock<Regex> = LazyLock::new(|| expression(&role_markers()));
static MARKUP: LazyLock<Regex> = LazyLock::new(|| expression(&FENCES_AND_TAGS.join("|")));
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    let one = [
        r"\\x[0-9a-f]{2}",
        r"\\u\{?[0-9a-f]{4,6}\}?",
        "%[0-9a-f]{2}",
        "&#x?[0-9a-f]+;",
        "[01]{8}[ ,]?",
        // Bytes in hex must be separated, or years in a row would count as bytes.
        "(?:0x)?[0-9a-f]{2}[ ,:]",
    ];
    expression(&one.map(|one| format!("(?:{one}){{{ESCAPES_MIN},}}")).join("|"))
});

/// What prompts are fenced and tagged with.
const FENCES_AND_TAGS: [&str; 9] = [
    "```|~~~|%{3,}|={3,}|>{3,}|<{3,}",
    "#{3,}[ \t]*[a-z가-힣]",
    "(?:^|\n)[ \t]*(?:-{3,}|[*]{3,})[ \t]*(?:\n|$)",
    "<[|]|[|]>|<!--|[{][{]|[{]%",
    // Titles in `<...>` are usual in Korean, so a tag begins with a Latin letter.
    "</?[a-z][a-z0-9_-]*(?:[ \t\n][^<>]{0,80})?/?>",
    r"\[/?inst\]|<</?sys>>",
    r"\[/?[a-z _]{0,20}(?:system|assistant|user|admin|developer|override)[a-z _]{0,20}\]",
    r"\[(?:시스템|관리자|사용자)\]",
    "\"role\"[ \t]*:",
];

/// Looks for words that are meant for a model.
pub fn check(text: &str, views: &Views, reasons: &mut Vec<Reason>) {
    let instructions = [(&*SQUEEZED, &views.squeezed), (&*WORDS, &views.words), (&*KOREAN, &views.hangul_squeezed)];
    let passage = |(pattern, view): (&Regex, &Traced)| {
        pattern.find(&view.text).map(|found| views.passage(view, found.start(), found.end()).trim().to_owned())
    };
    reasons.extend(instructions.into_iter().find_map(passage).map(|passage| Reason::Instructions { passage }));
    let role = passage((&ROLES, &views.plain));
    // What stood before it only shows that a sentence begins.
    let role = role.map(|passage| passage.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[').to_owned());
    reasons.extend(role.map(|passage| Reason::RoleMarker { passage }));
    reasons.extend(passage((&MARKUP, &views.plain)).map(|passage| Reason::Markup { passage }));
    reasons.extend(hidden(text).map(|c| Reason::Hidden { character: format!("U+{:04X}", u32::from(c)) }));
    reasons.extend(look_alike(&views.source).map(|passage| Reason::LookAlike { passage }));
    let encoded = blob(&views.source).or_else(|| passage((&ESCAPES, &views.plain)));
    reasons.extend(encoded.map(|passage| Reason::Encoded { passage }));
}

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well formed")
}

/// A speaker of a model's conversation with a colon or an arrow after it, where a sentence begins; spelled out or not. "His system: print,
/// promise and flee" does not match: it has a word before it.
fn role_markers() -> String {
    let spelled = |role: &str| nfkc(role).chars().map(String::from).collect::<Vec<_>>().join("[ ._*-]?");
    let roles: Vec<String> = entries(include_str!("../lists/roles.txt")).map(spelled).collect();
    format!("(?:^|[\n.!?\"'“”‘’(\\[{{>|]|[-#*>=]{{2,}})[ \t*#_\\[(<-]*(?:{})[ \t*_\\])>]*(?::|=>|->)", roles.join("|"))
}

/// The first character that is invisible or changes direction, joiner after a plain letter, or variation selector after another.
fn hidden(text: &str) -> Option<char> {
    let mut before = None;
    let mut selectors = 0;
    text.chars().find(|c| {
        selectors = if matches!(c, '\u{fe00}'..='\u{fe0f}') { selectors + 1 } else { 0 };
        // Joiners belong between emoji, and in scripts that need them.
        let plain = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || ('가'..='힣').contains(&c));
        let stray = matches!(c, '\u{200c}' | '\u{200d}') && plain(before);
        before = Some(*c);
        is_hidden(*c) || stray || selectors >= SELECTORS_MIN
    })
}

/// A word of Latin letters and of letters that only look like them.
fn look_alike(source: &str) -> Option<String> {
    // Greek and Cyrillic; most texts have neither.
    let is_foreign = |c: char| ('\u{370}'..='\u{52f}').contains(&c) && c.to_lowercase().any(|c| twin(c).is_some());
    if !source.chars().any(is_foreign) {
        return None;
    }
    let mixed = |word: &&str| word.chars().any(|c| c.is_ascii_alphabetic()) && word.chars().any(is_foreign);
    let mut words = source.split(|c: char| !c.is_alphanumeric());
    words.find(mixed).map(|word| shown(word.chars(), word.len()))
}

/// A row without blanks that is more like base64 or hex than like a word.
fn blob(source: &str) -> Option<String> {
    let of_blob = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-');
    let mut rows = source.split(|c: char| !of_blob(c)).filter(|row| row.len() >= BLOB_LEN_MIN.min(HEX_LEN_MIN));
    rows.find(|row| is_hex(row) || is_base64(row)).map(|row| shown(row.chars(), row.len()))
}

fn is_hex(row: &str) -> bool {
    let digits = row.strip_prefix("0x").unwrap_or(row);
    let letters = digits.bytes().filter(u8::is_ascii_alphabetic).count();
    digits.len() >= HEX_LEN_MIN
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && letters > 0
        && letters < digits.len()
}

/// Capitals in the middle, again and again, with digits between them, or padding at the end. Words joined by hyphens have capitals only
/// where a word begins.
fn is_base64(row: &str) -> bool {
    let bytes = row.as_bytes();
    let rises = bytes.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count();
    let falls = bytes.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count();
    let filled = row.ends_with('=') && row.len().is_multiple_of(4);
    row.len() >= BLOB_LEN_MIN && (filled || (rises >= 3 && falls >= 2) || rises >= 6)
}
