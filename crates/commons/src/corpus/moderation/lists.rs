//! How the lists of words and patterns are read. They are content, written in files beside the code.

use aho_corasick::AhoCorasick;
use regex::Regex;

/// What an entry of a list of words is listed under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Heading {
    /// Contempt for people for what they are.
    Hateful,
    /// Harm wished to the reader.
    Threat,
    Vulgar,
    /// Words that are abuse together, not alone.
    Insult,
    /// Words of a courtroom: near them, harsh words are about the case.
    Court,
    /// Words that direct what follows at the reader.
    Address,
}

impl Heading {
    fn named(name: &str) -> Self {
        match name {
            "hateful" => Heading::Hateful,
            "threat" => Heading::Threat,
            "vulgar" => Heading::Vulgar,
            "insult" => Heading::Insult,
            "court" => Heading::Court,
            "address" => Heading::Address,
            other => panic!("no heading [{other}] in a list of words"),
        }
    }
}

/// A list of words, ready to be looked for in one pass.
///
/// A file has headings in brackets and one entry in each line. `word` is a whole word, `word-` its beginning, `-word-` any part; an entry
/// may have several words. After `!` come phrases, separated by commas, in which the entry means something else.
pub struct WordList {
    automaton: AhoCorasick,
    /// By the automaton's pattern number: the heading, none for a phrase that excepts an entry; and whether the needle begins and ends with
    /// a blank that only marks the edge of a word.
    patterns: Vec<Pattern>,
}

struct Pattern {
    heading: Option<Heading>,
    blank_before: bool,
    blank_behind: bool,
}

/// An entry that was found, with the bytes it takes up, without blanks around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it is listed under.
    pub heading: Heading,
    pub from: usize,
    pub to: usize,
}

impl WordList {
    /// Reads a list. Panics on a malformed one: the lists are part of the program.
    pub fn read(file: &str, fold: impl Fn(&str) -> String) -> Self {
        let (mut needles, mut patterns) = (Vec::new(), Vec::new());
        let mut heading = None;
        let mut add = |heading: Option<Heading>, written: &str| {
            let (rest, part) = written.strip_prefix('-').map_or((written, false), |rest| (rest, true));
            let (rest, open) = rest.strip_suffix('-').map_or((rest, false), |rest| (rest, true));
            let folded = fold(rest);
            assert!(!folded.is_empty(), "nothing is left of {written:?}");
            let blank = |missing: bool| if missing { "" } else { " " };
            needles.push(format!("{}{folded}{}", blank(part), blank(open)));
            patterns.push(Pattern { heading, blank_before: !part, blank_behind: !open });
        };
        for line in entries(file) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                heading = Some(Heading::named(name));
                continue;
            }
            let (entry, except) = line.split_once('!').unwrap_or((line, ""));
            assert!(heading.is_some(), "{line:?} stands under no heading");
            add(heading, entry.trim());
            except.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()).for_each(|phrase| add(None, phrase));
        }
        let automaton = AhoCorasick::new(&needles).expect("a list of words is small");
        WordList { automaton, patterns }
    }

    /// Every entry in a text whose words have blanks around them, in order, without those inside an exception.
    pub fn find(&self, text: &str) -> Vec<Found> {
        let (mut found, mut excepted) = (Vec::new(), Vec::new());
        for hit in self.automaton.find_overlapping_iter(text) {
            let pattern = &self.patterns[hit.pattern().as_usize()];
            let from = hit.start() + usize::from(pattern.blank_before);
            let to = hit.end() - usize::from(pattern.blank_behind);
            match pattern.heading {
                Some(heading) => found.push(Found { heading, from, to }),
                None => excepted.push(from..to),
            }
        }
        found.retain(|found| !excepted.iter().any(|span| span.start <= found.from && found.to <= span.end));
        found
    }
}

/// The patterns of one file as one expression. Blanks in a line are ignored; `@name = ...` names a part that `{name}` inserts.
pub fn patterns(file: &str, fold: impl Fn(&str) -> String) -> Regex {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut lines = Vec::new();
    for line in entries(file) {
        let filled = names.iter().fold(line.to_owned(), |line, (name, part)| line.replace(name.as_str(), part));
        match filled.strip_prefix('@').and_then(|line| line.split_once('=')) {
            Some((name, part)) => names.push((format!("{{{}}}", name.trim()), format!("(?:{})", part.trim()))),
            None => lines.push(format!("(?:{})", fold(&filled.replace(' ', "")))),
        }
    }
    Regex::new(&lines.join("|")).expect("the patterns are well formed")
}

/// The lines of a list, without empty lines and comments.
pub fn entries(file: &str) -> impl Iterator<Item = &str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
