//! What was heard in a speech, as values.

use serde::{Deserialize, Serialize};

/// The two sides of an argument, whatever a kind calls them: prosecution and defense, to condemn and to acquit, the many and the few.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Prosecution, to condemn, the many.
    First,
    /// Defense, to acquit, the few.
    Second,
}

impl Side {
    /// The side that argues against this one.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a speech takes a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Argues from it, or offers it.
    Asserts,
    /// Argues against it, or refuses it.
    Denies,
    /// Grants it, although it helps the other side; does not object.
    Concedes,
    /// Would accept it on terms.
    Conditional,
    /// Asks for it, or about it.
    Asks,
    /// Provokes it (a claim that somebody is tempted into).
    Presses,
}

impl Stance {
    /// All of them, with their words in files.
    pub const ALL: [(Stance, &'static str); 6] = [
        (Stance::Asserts, "asserts"),
        (Stance::Denies, "denies"),
        (Stance::Concedes, "concedes"),
        (Stance::Conditional, "conditional"),
        (Stance::Asks, "asks"),
        (Stance::Presses, "presses"),
    ];

    /// Its word in files.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(stance, _)| *stance == self).map_or("", |(_, word)| word)
    }

    /// The stance of this word.
    pub fn named(word: &str) -> Option<Stance> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(stance, _)| *stance)
    }
}

/// A point that was heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heard {
    /// Its id in the case, such as `P1`.
    pub point: String,
    /// How it is taken.
    pub stance: Stance,
    /// Whom that helps, whoever says it.
    pub helps: Option<Side>,
    /// How far ahead of everything else it is, in a hundred.
    pub sure: u8,
    /// The words it was heard in, by byte.
    pub said: (usize, usize),
}

/// Whether a text is speech.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Sentences that a person could mean.
    Speech,
    /// A list of words, or words in no order.
    Salad,
    /// Hardly any words at all.
    Nothing,
}

/// What a speech that makes no point is instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Manner {
    /// Courtesies, announcements, complaints about manner.
    Filler,
    /// Sensible, but about something other than the case.
    OffTopic,
    /// Loud, without a reason.
    Slogan,
    /// Tells the listener what to do.
    Order,
}

impl Manner {
    /// All of them, with their words in examples.
    pub const ALL: [(Manner, &'static str); 4] = [
        (Manner::Filler, "filler"),
        (Manner::OffTopic, "offtopic"),
        (Manner::Slogan, "slogan"),
        (Manner::Order, "order"),
    ];
}

/// What a speech rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Support {
    /// Figures and dates that stand in the record, or follow from it.
    pub figures: u8,
    /// Figures that do not.
    pub figures_wrong: u8,
    /// Names that stand in the record.
    pub names: u8,
    /// Whether it gives a reason: because, so, otherwise.
    pub reason: bool,
}

/// How new a speech is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Novelty {
    /// Nothing like it was said before in this game.
    New,
    /// Its side has made the point already.
    Again,
    /// Read off the file.
    File,
    /// Nearly word for word what was said before.
    Copy,
}

/// What was heard in a speech.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Whether it is speech at all.
    pub language: Language,
    /// The points it makes, the main one first.
    pub points: Vec<Heard>,
    /// What it is instead, if it is speech that makes none.
    pub manner: Option<Manner>,
    /// What it rests on.
    pub support: Support,
    /// The earlier speech whose point it takes up, by its place among those before it.
    pub answers: Option<usize>,
    /// How new it is.
    pub novelty: Novelty,
}

impl Reading {
    /// The same of words that are known to make no point: a courtesy, a plea, a remark on somebody else.
    pub(crate) fn of_a_courtesy(self) -> Self {
        Reading { language: Language::Speech, points: vec![], manner: Some(Manner::Filler), answers: None, ..self }
    }

    /// The point that it makes first and foremost; none if it makes none.
    pub fn main(&self) -> Option<&Heard> {
        self.points.first()
    }
}
