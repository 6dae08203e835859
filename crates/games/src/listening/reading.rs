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
    /// Provokes it: a claim that the accused is tempted to make.
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
    /// The side that this helps, whichever side says it.
    pub helps: Option<Side>,
    /// How far its score is ahead of every other, in hundredths of a margin, 0 to 100.
    pub sure: u8,
    /// The byte range of the words it was heard in.
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
    /// Nothing like it is among the earlier speeches.
    New,
    /// Its main point was made before, for the same side and in the same stance.
    Again,
    /// Read out from the case file.
    File,
    /// Nearly word for word an earlier speech.
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
    /// The latest earlier speech that took its main point for the other side, by its place among those before it.
    pub answers: Option<usize>,
    pub novelty: Novelty,
}

impl Reading {
    /// The reading of a text that is known to make no point, such as a courtesy, a plea or a remark on another player.
    pub(crate) fn of_a_courtesy(self) -> Self {
        Reading { language: Language::Speech, points: vec![], manner: Some(Manner::Filler), answers: None, ..self }
    }

    /// The main point; `None` if it makes no point.
    pub fn main(&self) -> Option<&Heard> {
        self.points.first()
    }
}
