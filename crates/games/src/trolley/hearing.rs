//! What can be heard in a trolley game: the moral angle of a speech, and how much it weighs with an operator.

use super::house::{Library, library};
use super::words::Role;
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::library::{self, Shared, models};
use crate::listening::{Bytes, Ear, Heard, Novelty, Reading, Record, Side, Stance, Subject};
use crate::speech::fill;
use engine::chance::Draw;
use engine::roster::Lang;
use std::sync::LazyLock;

/// The weight of a speech by how much the operator likes its angle: most, well, or least.
const TASTES: [i32; 3] = [14, 11, 8];
/// How many angles an operator likes most, and how many at least well.
const LIKED_MOST: usize = 5;
const LIKED: usize = 11;
/// Added for answering the other side, and for giving a reason.
const ANSWERED: i32 = 3;
const REASON: i32 = 1;
/// The weight for the other side of a speech that grants its case.
const GRANTED: i32 = 10;
/// The lowest [`Heard::sure`] at which something counts as granted.
const GRANTED_SURE: u8 = 40;
/// The percentage of its weight left to an angle that the speaker has argued before in the round, and to one that another player has.
const AGAIN_PERCENT: i32 = 40;
const SHARED_PERCENT: i32 = 90;

/// The operator has no side.
pub(super) fn side_of(role: Role) -> Option<Side> {
    match role {
        Role::Majority => Some(Side::First),
        Role::Minority => Some(Side::Second),
        Role::Operator => None,
    }
}

fn syllabus() -> Syllabus {
    let Library { majority, minority, .. } = library(Lang::En);
    let many = majority.keys().map(|angle| (angle.clone(), Some(Side::First)));
    let few = minority.keys().map(|angle| (angle.clone(), Some(Side::Second)));
    Syllabus {
        points: many.chain(few).collect(),
        claims: vec![],
        rivals: false,
        many: false,
        heard_min: 1200,
        lead_min: 0,
    }
}

const KIND_MODELS: Bytes = models!("trolley/kind");
const MODELS: Bytes = models!("trolley");

/// A hash of everything that trolley games are heard by.
pub(super) fn models() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| library::hash([KIND_MODELS, MODELS].into_iter()));
    &HASH
}

/// The ear of every trolley game: there is no file to read from.
pub(super) fn ear() -> &'static Ear {
    static EAR: LazyLock<Ear> =
        LazyLock::new(|| library::ear(Record::default(), &syllabus(), &Shared::read(KIND_MODELS), MODELS));
    &EAR
}

/// How many points of the other side each answer is learned with.
const ANSWERS_TAUGHT: usize = 2;

/// The one subject of trolley games, with the lines that house minds say.
pub fn subject() -> Subject {
    let mut house = Vec::new();
    for lang in [Lang::En, Lang::Ko] {
        let Library { majority, minority, points, .. } = library(lang);
        for (own, other) in [(majority, minority), (minority, majority)] {
            let mut answered = other.keys().cycle().map(|angle| points[angle].as_str());
            for (angle, lines) in own {
                let mut say = |text: String| {
                    let point = Labelled { id: angle.clone(), stance: Stance::Asserts };
                    house.push((lang, text, Some(point)));
                };
                lines.opening.iter().chain(&lines.appeal).for_each(|line| say(fill(line, &[])));
                // The point that an answer mentions is the other side's, not its own.
                for line in lines.answer.iter().flat_map(|line| [line; ANSWERS_TAUGHT]) {
                    say(fill(line, &[("point", answered.next().unwrap_or_default())]));
                }
            }
        }
    }
    Subject {
        kind: "trolley",
        kind_models: KIND_MODELS,
        folder: "trolley".to_owned(),
        question: "point",
        syllabus: syllabus(),
        house,
    }
}

/// An operator's taste in angles.
pub(super) struct Taste {
    /// All angles, the best liked first.
    liked: Vec<&'static str>,
}

impl Taste {
    pub(super) fn of(persona: &mut Draw) -> Self {
        let Library { majority, minority, .. } = library(Lang::En);
        let mut liked: Vec<&'static str> = majority.keys().chain(minority.keys()).map(String::as_str).collect();
        persona.shuffle(&mut liked);
        Taste { liked }
    }

    fn of_angle(&self, angle: &str) -> i32 {
        match self.liked.iter().position(|liked| *liked == angle) {
            Some(0..LIKED_MOST) => TASTES[0],
            Some(LIKED_MOST..LIKED) => TASTES[1],
            Some(_) | None => TASTES[2],
        }
    }

    /// What a speech weighs: for its own side, and for the other.
    pub(super) fn weigh(&self, side: Side, reading: &Reading, argued: Argued) -> (i32, i32) {
        let Some(main) = reading.main() else { return (0, 0) };
        if matches!(reading.novelty, Novelty::Copy | Novelty::File) {
            return (0, 0);
        }
        let left = |worth: i32| match argued {
            Argued::Anew => worth,
            Argued::BySpeaker => worth * AGAIN_PERCENT / 100,
            Argued::ByOthers => worth * SHARED_PERCENT / 100,
        };
        if main.helps != Some(side) {
            return (0, if grants(main, side) { left(GRANTED) } else { 0 });
        }
        let answered = if reading.answers.is_some() || main.stance == Stance::Denies { ANSWERED } else { 0 };
        let reason = if reading.support.reason { REASON } else { 0 };
        (left(self.of_angle(&main.point) + answered + reason), 0)
    }
}

/// Whether a speaker of this side plainly grants the other side its case; a half-heard concession does not count.
pub(super) fn grants(main: &Heard, side: Side) -> bool {
    main.helps == Some(side.other()) && main.sure >= GRANTED_SURE
}

/// Whether the point of a speech was made before in the round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argued {
    Anew,
    BySpeaker,
    ByOthers,
}
