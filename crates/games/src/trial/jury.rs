//! What a speech of counsel weighs, and how sure a juror is.
//!
//! A speech counts by the points that were heard in it: for whom each speaks, whether it answers what the other side said, what it rests
//! on, and whether it is new. A point granted to the other side counts for the other side.

use super::docket::Case;
use super::hearing::FactId;
use super::house::library;
use crate::listening::{Ear, Language, Novelty, Reading, Side, Stance};
use crate::speech::is_line;
use engine::chance::Draw;
use engine::roster::{Lang, Level};
use std::collections::BTreeMap;

/// The weight of a speech's main point if it is for the speaker's own side.
const POINT: i32 = 10;
/// Added if it answers what the other side has really said.
const ANSWERED: i32 = 4;
/// Added for a figure of the file, and for a reason.
const FIGURE: i32 = 2;
const REASON: i32 = 1;
/// Taken off for each figure that is not in the file, and the least that is left of a point.
const FIGURE_WRONG: i32 = 4;
const POINT_MIN: i32 = 2;
/// The weight of each further point in the same speech.
const SECOND: i32 = 4;
/// The weight, for the other side, of a point granted to it: as the main point, and as a further one.
const GRANTED: i32 = 9;
const GRANTED_FIRST: i32 = 3;
/// The percentage of its weight left to a point that was made before.
const AGAIN_PERCENT: i32 = 20;
/// The weight of speech about the case where no points are known.
const UNTAUGHT: i32 = 3;
/// How far a juror may lean before it has heard anything, by level.
const LEAN_MAX: [i32; 3] = [16, 12, 9];
/// Added to every juror's leaning towards guilt: a charge was brought, and the defense has the last word.
const CHARGED: i32 = 2;
/// How much more or less than usual a juror may make of a fact, in a hundred, by level.
const TASTE_PERCENT: [usize; 3] = [45, 30, 15];

/// A speech of counsel and what it does to jurors.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weighed {
    /// The speaker's side.
    pub(super) by: Side,
    pub(super) reading: Reading,
    /// What it weighs, and for whom.
    pub(super) effects: Vec<Effect>,
    /// Whether it is an opening or closing line of the case, which sums up several points and makes none in particular.
    pub(super) sums_up: bool,
}

/// Something that moves a juror.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// The fact that was argued, answered or granted; none where no points are known.
    pub(super) fact: Option<FactId>,
    /// Whether the fact was answered rather than argued.
    pub(super) answered: bool,
    pub(super) helps: Side,
    pub(super) gain: i32,
}

impl Weighed {
    /// The effect that weighs most, if there is one.
    pub(super) fn strongest(&self) -> Option<&Effect> {
        self.effects.iter().max_by_key(|effect| effect.gain)
    }

    /// Whether it was not language.
    pub(super) fn is_nonsense(&self) -> bool {
        self.reading.language != Language::Speech && !self.sums_up
    }

    /// Whether nothing was argued in it.
    pub(super) fn has_no_argument(&self) -> bool {
        self.effects.is_empty() && self.reading.points.is_empty() && !self.sums_up
    }
}

/// Weighs the speeches of counsel in the order in which they were made.
pub(super) fn weigh_all(ear: &Ear, lang: Lang, speeches: &[(Side, &str)]) -> Vec<Weighed> {
    let spoken: Vec<(Option<Side>, &str)> = speeches.iter().map(|(side, text)| (Some(*side), *text)).collect();
    let readings = ear.listen(lang, &spoken);
    let counsel = &library(lang).counsel;
    let weighed = |(reading, (by, text)): (Reading, &(Side, &str))| {
        // The house's own lines without an argument count as courtesies, whatever was heard in them.
        if counsel.of(*by).pointless().any(|line| is_line(line, text)) {
            return Weighed { by: *by, effects: vec![], reading: reading.of_a_courtesy(), sums_up: false };
        }
        let effects = if ear.is_taught() { effects(*by, &reading) } else { untaught(ear, *by, &reading, text) };
        Weighed { by: *by, effects, reading, sums_up: false }
    };
    readings.into_iter().zip(speeches).map(weighed).collect()
}

fn effects(by: Side, reading: &Reading) -> Vec<Effect> {
    if matches!(reading.novelty, Novelty::File | Novelty::Copy) {
        return vec![];
    }
    let mut effects = Vec::new();
    for (place, heard) in reading.points.iter().enumerate() {
        let (Some(fact), Some(helps)) = (FactId::named(&heard.point), heard.helps) else { continue };
        let main = place == 0;
        let gain = match (helps == by, main) {
            (true, true) => own_point(reading),
            (true, false) => SECOND,
            (false, true) => GRANTED,
            (false, false) => GRANTED_FIRST,
        };
        let again = main && reading.novelty == Novelty::Again;
        let gain = if again { gain * AGAIN_PERCENT / 100 } else { gain };
        effects.push(Effect { fact: Some(fact), answered: heard.stance == Stance::Denies, helps, gain });
    }
    effects
}

fn own_point(reading: &Reading) -> i32 {
    let support = &reading.support;
    let answered = if reading.answers.is_some() { ANSWERED } else { 0 };
    let figure = if support.figures > 0 { FIGURE } else { 0 };
    let reason = if support.reason { REASON } else { 0 };
    let wrong = FIGURE_WRONG * i32::from(support.figures_wrong);
    (POINT + answered + figure + reason - wrong).max(POINT_MIN)
}

/// Where the ear knows no points, speech about the case counts weakly for its speaker.
fn untaught(ear: &Ear, by: Side, reading: &Reading, text: &str) -> Vec<Effect> {
    let counts = reading.language == Language::Speech && reading.novelty == Novelty::New && ear.is_on_topic(text);
    if counts { vec![Effect { fact: None, answered: false, helps: by, gain: UNTAUGHT }] } else { vec![] }
}

pub(super) struct Juror {
    /// Towards guilt (positive) or against it, in points, before anything was heard.
    pub(super) lean: i32,
    /// How much each fact counts with it, in a hundred.
    tastes: BTreeMap<FactId, i32>,
}

impl Juror {
    pub(super) fn of(persona: &mut Draw, level: Option<Level>, case: &Case) -> Self {
        let level = level.unwrap_or_else(|| Level::dealt(persona)) as usize;
        let most = LEAN_MAX[level];
        let lean = persona.below(2 * most as usize + 1) as i32 - most + CHARGED;
        let spread = TASTE_PERCENT[level];
        let mut taste = || (100 - spread + persona.below(2 * spread + 1)) as i32;
        Juror { lean, tastes: FactId::all(case).map(|fact| (fact, taste())).collect() }
    }

    /// What an effect comes to with this juror: towards guilt (positive) or against it, in hundredths.
    pub(super) fn moved_by(&self, effect: &Effect) -> i32 {
        let taste = effect.fact.and_then(|fact| self.tastes.get(&fact)).copied().unwrap_or(100);
        match effect.helps {
            Side::First => effect.gain * taste,
            Side::Second => -effect.gain * taste,
        }
    }

    /// How sure it is of guilt (positive) or innocence, in hundredths.
    pub(super) fn belief<'a>(&self, heard: impl Iterator<Item = &'a Weighed>) -> i32 {
        self.lean * 100 + heard.flat_map(|weighed| &weighed.effects).map(|effect| self.moved_by(effect)).sum::<i32>()
    }
}
