//! What can be heard in a trial: each fact of the file, argued for its side, answered, or granted.

use super::docket::{Case, Court, docket};
use super::words::Role;
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::library::{self, Shared, models};
use crate::listening::{Bytes, Ear, Record, Side, Stance, Subject};
use engine::roster::Lang;
use std::sync::LazyLock;

/// A fact of the file by its side and place; its points are named after it, such as `P1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FactId {
    pub(super) side: Side,
    pub(super) place: usize,
}

impl FactId {
    /// The facts of a case: the prosecution's, then the defense's.
    pub(super) fn all(case: &Case) -> impl Iterator<Item = FactId> {
        let of = |side: Side, facts: &[String]| (0..facts.len()).map(move |place| FactId { side, place });
        of(Side::First, &case.evidence_for).chain(of(Side::Second, &case.evidence_against))
    }

    pub(super) fn word(self) -> String {
        let letter = if self.side == Side::First { 'P' } else { 'D' };
        format!("{letter}{}", self.place + 1)
    }

    pub(super) fn named(word: &str) -> Option<Self> {
        let (letter, number) = word.split_at_checked(1)?;
        let side = match letter {
            "P" => Side::First,
            "D" => Side::Second,
            _ => return None,
        };
        Some(FactId { side, place: number.parse::<usize>().ok()?.checked_sub(1)? })
    }
}

/// The side that this role argues for.
pub(super) fn side_of(role: Role) -> Option<Side> {
    match role {
        Role::Prosecutor => Some(Side::First),
        Role::Defense => Some(Side::Second),
        Role::Judge | Role::Juror => None,
    }
}

fn syllabus(case: &Case) -> Syllabus {
    Syllabus {
        points: FactId::all(case).map(|fact| (fact.word(), Some(fact.side))).collect(),
        claims: vec![],
        rivals: false,
        many: false,
        heard_min: 700,
        lead_min: 0,
    }
}

const KIND_MODELS: Bytes = models!("trial");

/// A hash of everything that trials are heard by.
pub(super) fn models() -> &'static str {
    static HASH: LazyLock<String> =
        LazyLock::new(|| library::hash(docket().models.iter().copied().chain([KIND_MODELS])));
    &HASH
}

/// The ear of a case, with the models that were learned for it.
pub(super) fn ear(case: &Case, models: Bytes) -> Ear {
    static KIND: LazyLock<Shared> = LazyLock::new(|| Shared::read(KIND_MODELS));
    let texts = case.evidence_for.iter().chain(&case.evidence_against).chain([&case.title, &case.description]);
    library::ear(Record::of(texts.map(String::as_str)), &syllabus(case), &KIND, models)
}

/// The subject of a case, with the lines that its house counsel say.
pub(super) fn subject(case: &Case, courts: [Option<&Court>; 2]) -> Subject {
    let mut house = Vec::new();
    for (lang, court) in [Lang::En, Lang::Ko].into_iter().zip(courts) {
        let Some(court) = court else { continue };
        for (side, counsel) in [(Side::First, &court.prosecution), (Side::Second, &court.defense)] {
            let own = counsel.evidence.iter().enumerate().map(|(place, point)| (side, place, Stance::Asserts, point));
            let met =
                counsel.answers.iter().enumerate().map(|(place, point)| (side.other(), place, Stance::Denies, point));
            for (side, place, stance, point) in own.chain(met) {
                let labelled = || Labelled { id: FactId { side, place }.word(), stance };
                house.extend(point.lines.iter().map(|line| (lang, line.clone(), Some(labelled()))));
            }
        }
    }
    Subject {
        kind: "trial",
        kind_models: KIND_MODELS,
        folder: format!("trial/{}", case.case_id),
        question: "point",
        syllabus: syllabus(case),
        house,
    }
}
