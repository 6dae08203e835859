//! What can be heard over a trolley: the moral angle of a speech, and what each speech weighs with an operator.

use super::house::{Library, library};
use super::words::Role;
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::library::{self, Shared, models};
use crate::listening::{Bytes, Ear, Heard, Novelty, Reading, Record, Side, Stance, Subject};
use crate::speech::fill;
use engine::chance::Draw;
use engine::roster::Lang;
use std::sync::LazyLock;

/// What a speech weighs that argues from an angle its operator cares for most, as most, and least.
const TASTES: [i32; 3] = [14, 11, 8];
/// How many angles an operator cares for most, and for so.
const LIKED_MOST: usize = 5;
const LIKED: usize = 11;
/// What it weighs more if it meets what the other side said, and if it gives a reason.
const ANSWERED: i32 = 3;
const REASON: i32 = 1;
/// What granting the other side's case brings the other side.
const GRANTED: i32 = 10;
/// From how far ahead on something counts as granted, in a hundred.
const GRANTED_SURE: u8 = 40;
/// What is left of an angle that its speaker has argued before in the round, and of one that another of its side has, in a hundred.
const AGAIN_PERCENT: i32 = 40;
const SHARED_PERCENT: i32 = 90;

/// The side somebody stands on.
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

/// What trolley games are heard by, by hash.
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

/// With how many points of the other side each answer is learned.
const ANSWERS_TAUGHT: usize = 2;

/// What is learned, with the lines that house minds say.
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
                // What an answer takes up is not its own point, whatever it is called.
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

/// What an operator is inclined to.
pub(super) struct Taste {
    /// Angles it is moved by, strongest first.
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

/// Whether somebody of this side plainly grants the other side its case: nobody is held to what was half heard.
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
