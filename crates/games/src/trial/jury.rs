//! How a speech of counsel weighs with a juror: by the points it makes for its own side, in whatever words.
//!
//! A point counts when two of its signs are heard. Evidence for the other side, words read off the case file and a speech
//! made before gain nothing, a point made again little; a slogan makes no point at all.

use super::docket::{Case, Counsel, Court, Point};
use super::words::Role;
use crate::speech;
use engine::roster::Lang;
use std::collections::BTreeSet;

/// Signs of a point that must be heard before it counts as made.
const SIGNS_MIN: usize = 2;
/// More signs than this do not make it stronger.
const SIGNS_MAX: usize = 5;
/// What a point weighs, and each sign of it beyond the second.
const POINT: i32 = 10;
const SIGN: i32 = 1;
/// What is left of a point that its side has made before, in a hundred.
const AGAIN_PERCENT: i32 = 20;
/// An answer to what the other side has really said weighs more.
const ANSWERED: i32 = 4;
/// Words that stand in the case file in the same order, in a hundred, from which on a speech is read off it.
const PASTED_PERCENT: usize = 70;
/// Words shared with an earlier speech, in a hundred, from which on it is that speech again.
const ECHO_PERCENT: i32 = 80;

/// The two who argue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// For guilt.
    Prosecution,
    /// Against it.
    Defense,
}

impl Side {
    /// The side somebody in this role argues for.
    pub(super) fn of(role: Role) -> Option<Side> {
        match role {
            Role::Prosecutor => Some(Side::Prosecution),
            Role::Defense => Some(Side::Defense),
            Role::Judge | Role::Juror => None,
        }
    }

    pub(super) fn other(self) -> Side {
        match self {
            Side::Prosecution => Side::Defense,
            Side::Defense => Side::Prosecution,
        }
    }

    /// What this side has to say in the case.
    pub(super) fn counsel(self, court: &Court) -> &Counsel {
        match self {
            Side::Prosecution => &court.prosecution,
            Side::Defense => &court.defense,
        }
    }
}

/// A point of a side, by its place in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Made {
    /// A fact that speaks for the side.
    Evidence(usize),
    /// An answer to a fact that speaks for the other.
    Answer(usize),
}

impl Made {
    pub(super) fn point(self, counsel: &Counsel) -> &Point {
        match self {
            Made::Evidence(index) => &counsel.evidence[index],
            Made::Answer(index) => &counsel.answers[index],
        }
    }

    fn all(counsel: &Counsel) -> impl Iterator<Item = Made> {
        let evidence = (0..counsel.evidence.len()).map(Made::Evidence);
        evidence.chain((0..counsel.answers.len()).map(Made::Answer))
    }
}

/// A speech of counsel, weighed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Weighed {
    /// Who gains.
    pub(super) side: Side,
    /// How much.
    pub(super) gain: i32,
    /// By which point, if one was made.
    pub(super) made: Option<Made>,
}

/// Listens to counsel in one case.
pub(super) struct Ear<'a> {
    lang: Lang,
    court: &'a Court,
    /// Every three words in a row of the case file.
    file: BTreeSet<String>,
}

impl<'a> Ear<'a> {
    pub(super) fn new(lang: Lang, case: &Case, court: &'a Court) -> Self {
        let facts = case.evidence_for.iter().chain(&case.evidence_against);
        let file = facts.chain([&case.title, &case.description]).flat_map(|text| threes(&speech::words(text)));
        Ear { lang, court, file: file.collect() }
    }

    /// Weighs these speeches in the order in which they were made.
    pub(super) fn weigh_all(&self, speeches: &[(Side, &str)]) -> Vec<Weighed> {
        let mut heard: Vec<Weighed> = Vec::new();
        for (index, (side, text)) in speeches.iter().enumerate() {
            let weighed = self.weigh(*side, text, &speeches[..index], &heard);
            heard.push(weighed);
        }
        heard
    }

    fn weigh(&self, side: Side, text: &str, before: &[(Side, &str)], heard: &[Weighed]) -> Weighed {
        let words = speech::words(text);
        let nothing = Weighed { side, gain: 0, made: None };
        let echo = before.iter().any(|(_, other)| speech::overlap(&words, other) >= ECHO_PERCENT);
        if echo || self.is_pasted(&words) {
            return nothing;
        }
        let (own, made) = self.best(side, text, &words);
        let (other, _) = self.best(side.other(), text, &words);
        if own < SIGNS_MIN || other >= own {
            return nothing;
        }
        let mut gain = POINT + SIGN * (own.min(SIGNS_MAX) - SIGNS_MIN) as i32;
        let by =
            |side: Side| heard.iter().filter(move |weighed| weighed.side == side).filter_map(|weighed| weighed.made);
        if let Some(Made::Answer(fact)) = made
            && by(side.other()).any(|said| said == Made::Evidence(fact))
        {
            gain += ANSWERED;
        }
        if by(side).any(|said| Some(said) == made) {
            gain = gain * AGAIN_PERCENT / 100;
        }
        Weighed { side, gain, made }
    }

    /// The point of this side of which most signs are heard, and how many.
    fn best(&self, side: Side, text: &str, words: &[String]) -> (usize, Option<Made>) {
        let counsel = side.counsel(self.court);
        let text = text.to_lowercase();
        let signs = |made: Made| made.point(counsel).words.iter().filter(|sign| self.hears(sign, &text, words)).count();
        // The first of equals: evidence before answers.
        Made::all(counsel)
            .map(|made| (signs(made), Some(made)))
            .fold((0, None), |best, found| if found.0 > best.0 { found } else { best })
    }

    fn hears(&self, sign: &str, text: &str, words: &[String]) -> bool {
        match self.lang {
            // A sign may be several words: "red-handed".
            Lang::En => {
                let sign = speech::words(sign);
                let (Some(last), first) = (sign.last(), &sign[..sign.len().saturating_sub(1)]) else { return false };
                words.windows(sign.len()).any(|row| row[..first.len()] == *first && row[first.len()].starts_with(last))
            }
            Lang::Ko => text.contains(sign),
        }
    }

    fn is_pasted(&self, words: &[String]) -> bool {
        let threes = threes(words);
        let pasted = threes.iter().filter(|three| self.file.contains(*three)).count();
        !threes.is_empty() && pasted * 100 >= threes.len() * PASTED_PERCENT
    }
}

fn threes(words: &[String]) -> Vec<String> {
    words.windows(3).map(|three| three.join(" ")).collect()
}
