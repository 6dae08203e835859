//! One text read in several ways, so that spelling it another way hides nothing: as words, as words run together, as Hangul.
//!
//! Every view remembers where its characters come from, so that an author is shown the passage as it was written.

use crate::corpus::hash::nfkc;
use engine::parts::text::is_hidden;
use engine::parts::twins::twin;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// How much of a passage is shown.
const PASSAGE_LEN_MAX: usize = 60;
/// This many equal letters in a row, or more, are one letter drawn out.
const DRAWN_OUT: usize = 3;
/// This many single letters in a row, or more, are a word spelled out.
const SPELLED_OUT: usize = 3;
/// Two syllables of Hangul with up to this many other signs between them are still one word.
const WEDGE_MAX: usize = 2;

/// A text in its views.
pub struct Views {
    /// Unicode NFKC, with capitals and punctuation.
    pub source: String,
    /// The same in lower case, without hidden characters; what looks like a Latin letter is one.
    pub plain: Traced,
    /// Latin words and numbers with a space before and after each. Digits that stand for letters are letters, and `l` is `i`, because `1`
    /// may be either. A separate stop marks where a sentence begins.
    pub words: Traced,
    /// The same without spaces; here numbers are letters too.
    pub squeezed: Traced,
    /// Words in Hangul with a space before and after each.
    pub hangul: Traced,
    /// The same without spaces.
    pub hangul_squeezed: Traced,
}

impl Views {
    /// Reads a text in every way.
    pub fn of(text: &str) -> Self {
        let source = nfkc(text).into_owned();
        let plain = plain(&source);
        let words = words(&plain);
        let squeezed = words.without_spaces(meant);
        let hangul = hangul(&plain);
        let hangul_squeezed = hangul.without_spaces(|c| c);
        Views { source, plain, words, squeezed, hangul, hangul_squeezed }
    }

    /// The passage of the source that these bytes of a view come from, for the author to see.
    pub fn passage(&self, view: &Traced, from: usize, to: usize) -> String {
        let (Some(first), Some(last)) = (view.at.get(from), view.at.get(to.saturating_sub(1))) else {
            return String::new();
        };
        shown(self.source[*first as usize..].chars(), (last - first) as usize)
    }
}

/// A letter as it is in [`Views::words`], and in the lists and patterns that are compared with it.
pub fn skeleton(c: char) -> char {
    if c == 'l' { 'i' } else { c }
}

/// A text made from another, with the place of each byte in the original.
#[derive(Default)]
pub struct Traced {
    pub text: String,
    at: Vec<u32>,
}

impl Traced {
    fn push(&mut self, c: char, at: u32) {
        self.text.push(c);
        self.at.resize(self.text.len(), at);
    }

    fn chars(&self) -> impl Iterator<Item = (char, u32)> {
        self.text.char_indices().map(|(index, c)| (c, self.at[index]))
    }

    fn without_spaces(&self, map: impl Fn(char) -> char) -> Traced {
        let mut squeezed = Traced::default();
        self.chars().filter(|(c, _)| !matches!(*c, ' ' | STOP)).for_each(|(c, at)| squeezed.push(map(c), at));
        squeezed
    }
}

/// The text up to the character that begins `len` bytes later, cut if that is long, without hidden characters.
pub fn shown(chars: impl Iterator<Item = char>, len: usize) -> String {
    let mut passage = String::new();
    let (mut read, mut kept) = (0, 0);
    for c in chars {
        if read > len {
            break;
        }
        read += c.len_utf8();
        if is_hidden(c) {
            continue;
        }
        if kept == PASSAGE_LEN_MAX {
            passage.push('…');
            break;
        }
        kept += 1;
        passage.push(if c.is_whitespace() { ' ' } else { c });
    }
    passage
}

fn plain(source: &str) -> Traced {
    let mut plain = Traced::default();
    for (at, c) in source.char_indices() {
        if is_hidden(c) || is_combining_mark(c) || is_joiner(c) {
            continue;
        }
        let at = u32::try_from(at).expect("a text that is read has a few thousand characters");
        if c.is_ascii() {
            plain.push(c.to_ascii_lowercase(), at);
        } else {
            c.to_lowercase().for_each(|c| plain.push(latin(c), at));
        }
    }
    plain
}

/// Zero-width joiners and variation selectors, which show nothing themselves.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// The Latin letter that a letter is taken for: without its accent, or from another alphabet.
fn latin(c: char) -> char {
    match c {
        'à'..='ɏ' | 'ḁ'..='ỹ' => {
            let mut base = None;
            decompose_canonical(c, |part| base = base.or(Some(part)));
            match base.unwrap_or(c) {
                'ı' => 'i',
                'ł' => 'l',
                'ø' => 'o',
                base => base,
            }
        }
        c => twin(c).unwrap_or(c),
    }
}

/// What a digit or sign stands for inside a word.
fn meant(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        c => c,
    }
}

/// Letters of one word with their places.
type Word = Vec<(char, u32)>;
/// The word that marks where a sentence begins.
const STOP: char = '.';

fn words(plain: &Traced) -> Traced {
    let mut found: Vec<Word> = vec![vec![(STOP, 0)]];
    let mut word = Word::new();
    let mut chars = plain.chars().peekable();
    while let Some((c, at)) = chars.next() {
        let inside = !word.is_empty() && chars.peek().is_some_and(|(next, _)| next.is_ascii_alphanumeric());
        if c.is_ascii_alphanumeric() || (inside && matches!(c, '@' | '$' | '!' | '|' | '+' | '*')) {
            word.push((c, at));
        } else if !(word.is_empty() || inside && matches!(c, '\'' | '’')) {
            found.push(std::mem::take(&mut word));
        }
        let ends =
            matches!(c, '.' | '!' | '?' | ':' | ';') && chars.peek().is_none_or(|(next, _)| next.is_whitespace());
        if ends || c == '\n' {
            found.push(vec![(STOP, at)]);
        }
    }
    found.push(word);
    found.iter_mut().for_each(spell);
    joined(found, SPELLED_OUT)
}

/// The word that is meant: letters for digits, and no letter drawn out. A number is left alone.
fn spell(word: &mut Word) {
    if word.iter().all(|(c, _)| !c.is_ascii_alphabetic()) {
        return;
    }
    word.iter_mut().for_each(|(c, _)| *c = meant(*c));
    let mut drawn_out = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let end = word[start..].iter().position(|(c, _)| *c != word[start].0).map_or(word.len(), |len| start + len);
        let kept = if end - start >= DRAWN_OUT { 1 } else { end - start };
        drawn_out.extend_from_slice(&word[start..start + kept]);
        start = end;
    }
    drawn_out.iter_mut().for_each(|(c, _)| *c = skeleton(*c));
    *word = drawn_out;
}

/// Words with spaces around them; `spelled_out` or more single letters in a row are one word.
fn joined(words: Vec<Word>, spelled_out: usize) -> Traced {
    let mut joined = Traced::default();
    joined.push(' ', 0);
    let mut rest = &words[..];
    while let Some(first) = rest.first() {
        let singles = rest.iter().take_while(|word| word.len() == 1 && word[0].0 != STOP).count();
        let taken = if singles >= spelled_out { singles } else { 1 };
        rest[..taken].iter().flatten().for_each(|(c, at)| joined.push(*c, *at));
        if !first.is_empty() {
            let end = joined.at.last().copied().unwrap_or(0);
            joined.push(' ', end);
        }
        rest = &rest[taken..];
    }
    joined
}

/// Syllables, and letters of Hangul that stand alone.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '가'..='힣' | '\u{1100}'..='\u{11ff}')
}

fn hangul(plain: &Traced) -> Traced {
    let mut found: Vec<Word> = Vec::new();
    let mut word = Word::new();
    let mut wedge = 0;
    for (c, at) in plain.chars() {
        if is_hangul(c) {
            if wedge > WEDGE_MAX && !word.is_empty() {
                found.push(std::mem::take(&mut word));
            }
            word.push((c, at));
            wedge = 0;
        } else if c.is_whitespace() || is_pause(c) {
            if !word.is_empty() {
                found.push(std::mem::take(&mut word));
            }
        } else {
            wedge += 1;
        }
    }
    found.push(word);
    found.iter_mut().for_each(close);
    // In Hangul two syllables may be a word that was taken apart.
    joined(found, 2)
}

/// Puts a consonant that was typed alone under the open syllable before it, where it belongs if letters were typed one by one.
fn close(word: &mut Word) {
    let mut closed = Word::new();
    for (c, at) in word.drain(..) {
        match closed.last_mut() {
            Some((syllable, _)) if is_open(*syllable) && under(c).is_some() => {
                let last = under(c).expect("it was just found");
                *syllable = char::from_u32(u32::from(*syllable) + last).expect("every syllable has its closed forms");
            }
            Some(_) | None => closed.push((c, at)),
        }
    }
    *word = closed;
}

fn is_open(c: char) -> bool {
    const FINALS: u32 = 28;
    ('가'..='힣').contains(&c) && (u32::from(c) - u32::from('가')).is_multiple_of(FINALS)
}

/// The number of a consonant as a final. The two that people laugh with stay separate: "바보ㅋㅋ" is still "바보".
fn under(c: char) -> Option<u32> {
    const FINALS: [u32; 19] = [1, 2, 4, 7, 0, 8, 16, 17, 0, 19, 20, 21, 22, 0, 23, 0, 25, 26, 0];
    let initial = u32::from(c).checked_sub(0x1100)?;
    FINALS.get(usize::try_from(initial).ok()?).copied().filter(|last| *last > 0)
}

/// Punctuation at which a word ends. Other signs may be wedged into one.
fn is_pause(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | '!'
            | '?'
            | ';'
            | ':'
            | '"'
            | '\''
            | '('
            | ')'
            | '['
            | ']'
            | '“'
            | '”'
            | '‘'
            | '’'
            | '—'
            | '–'
            | '-'
            | '/'
            | '·'
    )
}
