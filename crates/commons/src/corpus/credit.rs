//! Whose words a text is made of. What takes over most of an older text is not its sender's work, whatever is put around it and on whichever
//! side it is said.

use engine::facts::HouseLine;
use engine::parts::shingles::{SHINGLE, words};
use engine::parts::twins::twin;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization as _;

/// From this share of the older text's rows on, in percent, it has been taken over.
pub const TAKEN_PERCENT: usize = 70;
/// Hangul is compared in rows of this many syllables: many write it without spaces, and particles change its words.
const SYLLABLES: usize = 5;
/// A text of fewer rows is a phrase. Who repeats one in a longer text of their own has taken nothing over.
const ROWS_MIN: usize = 6;

/// A text as rows of words or syllables, by their hashes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    unit: u8,
    words: BTreeSet<i64>,
    syllables: BTreeSet<i64>,
}

/// How much of a text an older one makes up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Taken {
    /// Most of the older text is in it, among more that is not.
    Partly,
    /// The older text makes up at least half of it.
    Mostly,
}

impl Rows {
    /// Letters that look Latin count as Latin where there are Latin ones; case, punctuation, marks and, in Hangul, spaces do not count.
    pub fn of(text: &str) -> Self {
        let bare: String = text.nfkc().flat_map(char::to_lowercase).collect();
        let syllables: Vec<char> = bare.chars().filter(|c| is_syllable(*c)).collect();
        let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
        let folded: String = match bare.chars().any(|c| c.is_ascii_alphabetic()) {
            true => bare.chars().map(|c| twin(c).unwrap_or(c)).collect(),
            false => bare,
        };
        let words = words(&folded);
        Rows {
            unit: if 2 * syllables.len() > letters { b'H' } else { b'W' },
            words: words.windows(SHINGLE).map(|row| hash(b'W', &row.join(" "))).collect(),
            syllables: syllables.windows(SYLLABLES).map(|row| hash(b'H', &row.iter().collect::<String>())).collect(),
        }
    }

    /// By the unit in which the text is compared with later ones.
    fn own(&self) -> &BTreeSet<i64> {
        self.by(self.unit)
    }

    fn by(&self, unit: u8) -> &BTreeSet<i64> {
        if unit == b'H' { &self.syllables } else { &self.words }
    }

    /// The numbers by which the text is found when a later one takes it over. If at most 30% of its n rows are missing there, one of any
    /// floor(3n/10) + 1 of them is not.
    pub fn prints(&self) -> Vec<i64> {
        const { assert!(TAKEN_PERCENT == 70) };
        let kept = if self.own().is_empty() { 0 } else { 3 * self.own().len() / 10 + 1 };
        self.own().iter().take(kept).copied().collect()
    }

    /// The numbers to look for older texts by.
    pub fn all(&self) -> impl Iterator<Item = i64> {
        self.words.iter().chain(&self.syllables).copied()
    }

    /// How many rows of an older text are in this one.
    pub fn shared(&self, older: &Rows) -> usize {
        older.own().intersection(self.by(older.unit)).count()
    }

    /// Whether this text takes over an older one.
    pub fn taken(&self, older: &Rows) -> Option<Taken> {
        let (shared, of) = (self.shared(older), older.own().len());
        if of == 0 || shared * 100 < TAKEN_PERCENT * of {
            return None;
        }
        let mostly = 2 * shared >= self.by(older.unit).len();
        match mostly {
            true => Some(Taken::Mostly),
            false => (of >= ROWS_MIN).then_some(Taken::Partly),
        }
    }
}

/// Lists what the minds of the house may say.
type List = Box<dyn Fn() -> Vec<HouseLine> + Send + Sync>;

/// Everything the minds of the house may say: theirs from the start, before anybody has said it. Sorted out when it is first needed.
pub struct HouseLines {
    list: List,
    found: OnceLock<Index>,
}

struct Index {
    lines: Vec<HouseLine>,
    /// The lines that have a print, by number.
    by_print: BTreeMap<i64, Vec<u32>>,
}

impl HouseLines {
    pub fn new(list: impl Fn() -> Vec<HouseLine> + Send + Sync + 'static) -> Self {
        HouseLines { list: Box::new(list), found: OnceLock::new() }
    }

    /// The lines that a text takes over.
    pub fn in_text(&self, rows: &Rows) -> Vec<&HouseLine> {
        let Index { lines, by_print } = self.found.get_or_init(|| Index::of((self.list)()));
        let near: BTreeSet<u32> = rows.all().filter_map(|row| by_print.get(&row)).flatten().copied().collect();
        let near = near.into_iter().map(|line| &lines[line as usize]);
        near.filter(|line| rows.taken(&Rows::of(&line.text)).is_some()).collect()
    }
}

impl Default for HouseLines {
    /// A house that has nothing to say.
    fn default() -> Self {
        HouseLines::new(Vec::new)
    }
}

impl fmt::Debug for HouseLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HouseLines")
    }
}

impl Index {
    fn of(lines: Vec<HouseLine>) -> Self {
        let mut by_print: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (line, number) in lines.iter().zip(0..) {
            for print in Rows::of(&line.text).prints() {
                by_print.entry(print).or_default().push(number);
            }
        }
        Index { lines, by_print }
    }
}

fn is_syllable(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// The first eight bytes of SHA-256: these numbers are stored, so they must be the same in every build.
fn hash(unit: u8, row: &str) -> i64 {
    let digest = Sha256::new().chain_update([b'T', unit]).chain_update(row.as_bytes()).finalize();
    let (first, _) = digest.split_first_chunk::<8>().expect("SHA-256 has 32 bytes");
    i64::from_be_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::facts::Side;

    const LINE: &str = "You let a cook in the rue Quincampoix sell her last spoon for a paper that you had already ceased to believe in.";
    const KOREAN: &str =
        "당신은 이미 믿지 않던 종이를 팔아 캥캉푸아 거리의 요리사가 마지막 숟가락까지 내놓게 했습니다.";

    fn taken(newer: &str, older: &str) -> Option<Taken> {
        Rows::of(newer).taken(&Rows::of(older))
    }

    #[test]
    fn padding_respacing_shouting_and_look_alikes_take_a_text_over() {
        let unspaced: String = KOREAN.split(' ').collect();
        for (newer, older) in [
            (LINE.to_owned(), LINE),
            (format!("{LINE} Indeed so."), LINE),
            (format!("Members of the jury, mark this well. {LINE} And I rest."), LINE),
            (LINE.to_uppercase(), LINE),
            (LINE.replace('a', "а"), LINE),
            (LINE.replace("spoon", "pan"), LINE),
            (format!("{KOREAN} 정말 그렇습니다."), KOREAN),
            (unspaced, KOREAN),
            (KOREAN.replace("요리사가", "요리사는"), KOREAN),
        ] {
            assert_eq!(taken(&newer, older), Some(Taken::Mostly), "{newer}");
        }
    }

    #[test]
    fn an_older_text_inside_a_much_longer_one_is_taken_over_in_part() {
        let own = "The debt was two billions when the King died, and the council knew it; nobody forced your hand in 1716, nor in \
            1719, when the shares of the Indies stood at ten thousand livres and you still issued more of them every week to pay \
            for those that you had sold the week before.";
        assert_eq!(taken(&format!("{own} {LINE} {own}"), LINE), Some(Taken::Partly));
    }

    #[test]
    fn a_phrase_in_a_text_of_ones_own_and_the_same_subject_in_other_words_are_not() {
        let own = "Whoever sold her last spoon for paper in that street did it because the Regent's edict left her nothing else, and \
            the man who wrote that edict sits before you.";
        assert_eq!(taken(own, LINE), None);
        assert_eq!(taken(own, "sold her last spoon for paper"), None, "a phrase");
        assert_eq!(taken("믿지도 않는 종이를 판 사람이 누구인지 요리사에게 물어보십시오.", KOREAN), None);
    }

    #[test]
    fn a_line_of_the_house_is_found_in_what_takes_it_over() {
        let line = |text: &str| HouseLine { text: text.to_owned(), side: Side::Defense, label: "a spoon".into() };
        let house = HouseLines::new(move || vec![line(LINE), line(KOREAN)]);
        let found = |text: &str| house.in_text(&Rows::of(text)).len();
        assert_eq!([found(LINE), found(&format!("{KOREAN} {LINE} Indeed so.")), found("Nobody says this.")], [1, 2, 0]);
    }

    #[test]
    fn one_print_is_among_the_rows_of_whatever_takes_the_text_over() {
        let words: Vec<&str> = LINE.split(' ').collect();
        for gap in 0..words.len() {
            let mut changed = words.clone();
            changed[gap] = "verily";
            let newer = Rows::of(&changed.join(" "));
            let older = Rows::of(LINE);
            if newer.taken(&older).is_some() {
                let all: BTreeSet<i64> = newer.all().collect();
                assert!(older.prints().iter().any(|print| all.contains(print)), "{gap}");
            }
        }
    }
}
