//! Whether a text says anything: enough different words, no keys struck at random, not the same over and over.

use super::reason::Reason;
use super::views::{Views, is_hangul, shown};
use super::{DISTINCT_SYLLABLES_MIN, DISTINCT_WORDS_MIN, TEXT_LEN_MIN};
use engine::classify::{grammar, text};
use std::collections::BTreeSet;

/// A text is mash if at least this many percent of its letters are in words struck at random.
const MASH_PERCENT: usize = 30;
/// A text repeats itself if at least this many percent of its rows of three words came before.
const REPEATED_WORDS_PERCENT: usize = 40;
/// The same for rows of three characters, which recur more often by chance.
const REPEATED_LETTERS_PERCENT: usize = 60;
/// In fewer words than this repetition is a figure of speech.
const REPEATED_WORDS_MIN: usize = 8;
/// The same letter more often in a row than this is no word.
const SAME_LETTER_MAX: usize = 7;
/// No word has more consonants in a row than this.
const CONSONANTS_MAX: usize = 6;

/// Keys that are side by side on a keyboard and never in words.
const KEY_RUNS: [&str; 24] = [
    "asdf", "sdfg", "dfgh", "fghj", "ghjk", "hjkl", "qwer", "rtyu", "tyui", "yuio", "uiop", "zxcv", "xcvb", "cvbn",
    "vbnm", "poiu", "lkjh", "kjhg", "jhgf", "hgfd", "gfds", "fdsa", "mnbv", "vcxz",
];
/// Two letters that do not follow each other in English words, and hardly in names.
const NEVER_TOGETHER: &str = "bq bx cj cv cx dx fq fx gq gx hx jb jc jd jf jg jh jk jl jm jn jp jq jr js jt jv jw jx jz kq kx \
    lq lx mq mx pq px qb qc qd qf qg qh qj qk ql qm qn qp qr qt qv qw qx qy qz sx tq vb vc vd vf vg vh vj vk vm vn vp vq vt vw \
    vx vz wq wv wx xj xk xv xz yq zx zf zj fj kj gj hj";

/// Checks whether a text says anything.
pub fn check(views: &Views, reasons: &mut Vec<Reason>) {
    reasons.extend(foreign(&views.source).map(|passage| Reason::Unread { passage }));
    let words = words(&views.source);
    let letters: Vec<char> = words.iter().flat_map(|word| word.chars()).collect();
    few_words(views, &words, &letters, reasons);
    mash(&words, &letters, reasons);
    repetition(&words, &letters, reasons);
}

/// Of this many letters of other scripts on, a text cannot be read: fewer are a name or a quoted word.
const FOREIGN_LETTERS_MIN: usize = 12;
/// And in Hangul, this many lone consonants and vowels, but for those that laugh and weep, are a text without its syllables.
const LONE_LETTERS_MIN: usize = 6;
/// A sentence in Latin letters of at least this many words has at least this many percent of the small words of English.
const LATIN_WORDS_MIN: usize = 7;
const SMALL_PERCENT_MIN: usize = 12;

/// The first part of a text that is neither English nor Korean: letters of other scripts or, in Latin ones, words without those that hold
/// English sentences together.
fn foreign(source: &str) -> Option<String> {
    let is_known = |c: char| c.is_ascii_alphabetic() || is_hangul(c) || matches!(c, 'À'..='ɏ' | 'ᴀ'..='ᶿ');
    let strange: Vec<char> = source.chars().filter(|c| c.is_alphabetic() && !is_known(*c)).collect();
    let letters = source.chars().filter(|c| c.is_alphabetic()).count();
    if strange.len() >= FOREIGN_LETTERS_MIN || 3 * strange.len() > letters {
        return Some(shown(strange.into_iter(), PASSAGE_BYTES));
    }
    let lone = |c: &char| matches!(c, 'ㄱ'..='ㆎ') && !matches!(c, 'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ' | 'ㅡ');
    let alone: Vec<char> = source.chars().filter(lone).collect();
    if alone.len() >= LONE_LETTERS_MIN {
        return Some(shown(alone.into_iter(), PASSAGE_BYTES));
    }
    // Noun after noun is English too, so that a whole text is asked before its sentences.
    let lacks_english = |part: &str| {
        let words = text::words(part);
        let latin: Vec<&String> = words.iter().filter(|word| word.chars().all(|c| !is_hangul(c))).collect();
        let small = latin.iter().filter(|word| grammar::is_small(word)).count();
        2 * latin.len() > words.len() && latin.len() >= LATIN_WORDS_MIN && small * 100 < SMALL_PERCENT_MIN * latin.len()
    };
    if lacks_english(source) {
        return Some(shown(source.chars(), PASSAGE_BYTES));
    }
    let sentences = text::sentences(source);
    let long = sentences.iter().filter(|part| text::words(part).len() >= 2 * LATIN_WORDS_MIN);
    long.into_iter().find(|part| lacks_english(part)).map(|part| shown(part.trim().chars(), PASSAGE_BYTES))
}

/// How many bytes of a passage are looked at.
const PASSAGE_BYTES: usize = 200;

fn words(source: &str) -> Vec<String> {
    source.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn few_words(views: &Views, words: &[String], letters: &[char], reasons: &mut Vec<Reason>) {
    // A short text is already flagged as short; that is enough.
    if views.source.chars().count() < TEXT_LEN_MIN {
        return;
    }
    let unspaced = letters.iter().filter(|c| needs_no_spaces(**c)).count();
    let (found, least) = if 2 * unspaced > letters.len() {
        (letters.iter().collect::<BTreeSet<_>>().len(), DISTINCT_SYLLABLES_MIN)
    } else {
        (words.iter().collect::<BTreeSet<_>>().len(), DISTINCT_WORDS_MIN)
    };
    if found < least {
        reasons.push(Reason::FewWords { found });
    }
}

/// Hangul, which many write without spaces, and scripts that have none.
fn needs_no_spaces(c: char) -> bool {
    is_hangul(c) || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

fn mash(words: &[String], letters: &[char], reasons: &mut Vec<Reason>) {
    let struck = |word: &&String| is_struck_at_random(word);
    let count: usize = words.iter().filter(struck).map(|word| word.chars().count()).sum();
    if count * 100 >= MASH_PERCENT * letters.len()
        && let Some(first) = words.iter().find(struck)
    {
        reasons.push(Reason::Mash { passage: shown(first.chars(), first.len()) });
    }
}

fn is_struck_at_random(word: &str) -> bool {
    if word.chars().any(is_hangul) {
        let alone = word.chars().filter(|c| ('\u{1100}'..='\u{11ff}').contains(c)).count();
        return 2 * alone >= word.chars().count();
    }
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let is_vowel = |byte: u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let consonants = word.as_bytes().split(|byte| is_vowel(*byte)).map(<[u8]>::len).max().unwrap_or(0);
    let roman = word.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x' | b'l' | b'c' | b'd' | b'm'));
    let no_vowel = consonants == word.len() && word.len() > 4 && !roman;
    let never = word.as_bytes().windows(2).any(|two| never_together(two[0], two[1])) && word != "fjord";
    no_vowel || consonants > CONSONANTS_MAX || never || KEY_RUNS.iter().any(|run| word.contains(run))
}

fn never_together(first: u8, second: u8) -> bool {
    NEVER_TOGETHER.as_bytes().chunks(3).any(|pair| pair[0] == first && pair[1] == second)
}

fn repetition(words: &[String], letters: &[char], reasons: &mut Vec<Reason>) {
    let drawn_out = || {
        let long = |run: &&[char]| run.len() > SAME_LETTER_MAX && run[0].is_alphabetic();
        letters.chunk_by(|one, next| one == next).find(long).map(|run| run.iter().collect())
    };
    let in_words = || {
        let long = words.len() >= REPEATED_WORDS_MIN;
        repeated(words, REPEATED_WORDS_PERCENT).filter(|_| long).map(|row| row.join(" "))
    };
    let in_letters = || {
        let long = letters.len() >= TEXT_LEN_MIN;
        repeated(letters, REPEATED_LETTERS_PERCENT).filter(|_| long).map(|row| row.iter().collect::<String>())
    };
    let passage: Option<String> = drawn_out().or_else(in_words).or_else(in_letters);
    reasons.extend(passage.map(|passage| Reason::Repetition { passage: shown(passage.chars(), passage.len()) }));
}

/// The first row of three that comes again, if at least `percent` of all rows came before.
fn repeated<T: Ord>(items: &[T], percent: usize) -> Option<&[T]> {
    let mut seen = BTreeSet::new();
    let again: Vec<&[T]> = items.windows(3).filter(|row| !seen.insert(*row)).collect();
    let rows = items.len().saturating_sub(2);
    if rows > 0 && again.len() * 100 >= percent * rows { again.first().copied() } else { None }
}
