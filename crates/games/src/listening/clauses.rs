//! Where one thought ends and the next begins: sentences, and within them what is granted before a "but".

use engine::classify::text::is_hangul;

/// English words that turn against what comes before them.
const TURNS: [&str; 9] = ["but", "yet", "however", "still", "nevertheless", "nonetheless", "though", "whereas", "only"];
/// English beginnings that grant what follows them, up to the next comma.
const GRANTS: [&str; 5] = ["although", "though", "while", "even if", "even though"];
/// Endings of Korean words that grant what comes before them.
const GRANTING: [&str; 13] = [
    "지만",
    "으나",
    "는데",
    "은데",
    "인데",
    "더라도",
    "지라도",
    "을망정",
    "어도",
    "아도",
    "였으나",
    "겠으나",
    "지마는",
];
/// Korean words that turn against what comes before them.
const TURNING: [&str; 8] = ["하지만", "그러나", "그렇지만", "그래도", "그런데", "다만", "허나", "근데"];
/// A part of fewer letters than this is no clause of its own; a Korean syllable counts as two.
const LETTERS_MIN: usize = 12;

/// A part of a text, by byte, and whether it is granted to the other side before a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    pub at: (usize, usize),
    /// Whether a later clause turns against it.
    pub granted: bool,
}

/// The clauses of a text, in order. A text without a turn is one clause for each sentence.
pub fn of(text: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut start = 0;
    let mut cut = |end: usize, granted: bool, start: &mut usize| {
        if weight(&text[*start..end]) >= LETTERS_MIN {
            clauses.push(Clause { at: (*start, end), granted });
            *start = end;
        }
    };
    for word in Words::of(text) {
        let lower = word.text.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        if word.at > start && is_turn(bare, word.opens) {
            cut(word.at, true, &mut start);
        }
        let grants = GRANTING.iter().any(|ending| bare.ends_with(ending) && bare.len() > ending.len());
        let english_grant = word.ends_comma && begins_granting(&text[start..word.end]);
        if grants || english_grant {
            cut(word.end, true, &mut start);
        } else if word.ends_sentence {
            cut(word.end, false, &mut start);
        }
    }
    cut(text.len(), false, &mut start);
    match clauses.last_mut() {
        // What is left over belongs to the last clause.
        Some(last) if start < text.len() => last.at.1 = text.len(),
        Some(_) => {}
        None => clauses.push(Clause { at: (0, text.len()), granted: false }),
    }
    if let Some(last) = clauses.last_mut() {
        last.granted = false;
    }
    clauses
}

fn is_turn(word: &str, opens: bool) -> bool {
    match word {
        // These turn only at the head of a clause: "he was still there", "only he".
        "still" | "only" | "though" | "however" => opens,
        _ => TURNS.contains(&word) || TURNING.contains(&word),
    }
}

fn begins_granting(clause: &str) -> bool {
    let lower = clause.trim_start().to_lowercase();
    GRANTS.iter().any(|grant| lower.strip_prefix(grant).is_some_and(|rest| rest.starts_with(' ')))
}

fn weight(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).map(|letter| if is_hangul(letter) { 2 } else { 1 }).sum()
}

struct Word<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    /// Whether it stands at the head of a clause.
    opens: bool,
    ends_comma: bool,
    ends_sentence: bool,
}

struct Words<'a> {
    text: &'a str,
    from: usize,
    opens: bool,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        Words { text, from: 0, opens: true }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.text[self.from..];
        let at = self.from + rest.find(|c: char| !c.is_whitespace())?;
        let len = self.text[at..].find(char::is_whitespace).unwrap_or(self.text.len() - at);
        let (end, text) = (at + len, &self.text[at..at + len]);
        let last = text.trim_end_matches(['"', '”', '\'', '’', ')']).chars().next_back();
        let ends_sentence = last.is_some_and(|c| ".!?;…。".contains(c)) || text == "—" || text == "-";
        let ends_comma = last == Some(',') || last == Some(':');
        let word = Word { text, at, end, opens: self.opens, ends_comma, ends_sentence };
        self.opens = ends_sentence || ends_comma;
        self.from = end;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(&str, bool)> {
        of(text).into_iter().map(|clause| (text[clause.at.0..clause.at.1].trim(), clause.granted)).collect()
    }

    #[test]
    fn what_stands_before_a_but_is_granted() {
        let text = "Yes, the password was borrowed, but nobody was paid for a single page.";
        assert_eq!(
            parts(text),
            [("Yes, the password was borrowed,", true), ("but nobody was paid for a single page.", false)]
        );
        let text = "Although the gate was near, nobody there ever answered letters.";
        assert_eq!(
            parts(text),
            [("Although the gate was near,", true), ("nobody there ever answered letters.", false)]
        );
        let text = "밤에 복사한 것은 사실이지만 돈은 한 푼도 받지 않았습니다.";
        assert_eq!(parts(text), [("밤에 복사한 것은 사실이지만", true), ("돈은 한 푼도 받지 않았습니다.", false)]);
    }

    #[test]
    fn sentences_are_clauses_and_short_ones_join_the_next() {
        let text = "No. The seal cracked for fourteen months. He was still at work.";
        assert_eq!(
            parts(text),
            [("No. The seal cracked for fourteen months.", false), ("He was still at work.", false)]
        );
        assert_eq!(parts("Guilty!"), [("Guilty!", false)]);
        assert_eq!(parts(""), [("", false)]);
    }
}
