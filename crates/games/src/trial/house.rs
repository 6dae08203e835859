//! The house's own words for any case: what jurors, the judge and counsel say, with a list for each situation.

use crate::listening::Side;
use serde::Deserialize;

/// The words of one language.
#[derive(Deserialize)]
pub(super) struct Library {
    pub(super) juror: JurorLines,
    pub(super) judge: JudgeLines,
    pub(super) counsel: BothSides,
}

#[derive(Deserialize)]
pub(super) struct JurorLines {
    /// What a side is called in the middle of a sentence.
    pub(super) side_guilty: String,
    pub(super) side_not_guilty: String,
    pub(super) leaning_guilty: Vec<String>,
    pub(super) leaning_not_guilty: Vec<String>,
    pub(super) neutral: Vec<String>,
    /// Leans as before, but further, because of a point just heard.
    pub(super) surer: Vec<String>,
    /// Leans as before, but less, because of a point just heard.
    pub(super) shaken: Vec<String>,
    /// Leans the other way than before, because of a point just heard.
    pub(super) turned: Vec<String>,
    /// Was in the middle and now leans, because of a point just heard.
    pub(super) decided: Vec<String>,
    /// Leaned and is now in the middle, because of a point just heard.
    pub(super) undone: Vec<String>,
    /// In the middle, with a point just heard.
    pub(super) open: Vec<String>,
    /// In the middle as before.
    pub(super) middle: Vec<String>,
    /// In the middle, with a point of each side just heard.
    pub(super) torn: Vec<String>,
    pub(super) settled: Vec<String>,
    /// Counsel have made no point since the juror last spoke.
    pub(super) nothing: Vec<String>,
    /// A speech of counsel since then was not language.
    pub(super) nonsense: Vec<String>,
    /// Said with the vote.
    pub(super) reason: Vec<String>,
    pub(super) reason_alone: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct JudgeLines {
    pub(super) opening: Vec<String>,
    pub(super) steer: Vec<String>,
    pub(super) sum_up: Vec<String>,
    /// What the judge calls counsel.
    pub(super) prosecution: String,
    pub(super) defense: String,
    /// To counsel whose speech was a slogan or off topic.
    pub(super) no_argument: Vec<String>,
    pub(super) order: Vec<String>,
    pub(super) nonsense: Vec<String>,
    pub(super) guilty: Vec<String>,
    pub(super) not_guilty: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct BothSides {
    pub(super) prosecution: CounselLines,
    pub(super) defense: CounselLines,
}

impl BothSides {
    pub(super) fn of(&self, side: Side) -> &CounselLines {
        match side {
            Side::First => &self.prosecution,
            Side::Second => &self.defense,
        }
    }
}

/// What counsel say: the first four about a fact, in cases that have no lines of their own, the others in any case.
#[derive(Deserialize)]
pub(super) struct CounselLines {
    pub(super) opening: Vec<String>,
    pub(super) evidence: Vec<String>,
    pub(super) answers: Vec<String>,
    pub(super) closing: Vec<String>,
    /// The other side has just made no point.
    pub(super) unheard: Vec<String>,
    /// Its last speech was not language.
    pub(super) nonsense: Vec<String>,
    /// It has just admitted something.
    pub(super) admitted: Vec<String>,
    /// A speech without an argument.
    pub(super) weak: Vec<String>,
}

impl JudgeLines {
    pub(super) fn counsel(&self, side: Side) -> &str {
        match side {
            Side::First => &self.prosecution,
            Side::Second => &self.defense,
        }
    }
}

impl CounselLines {
    /// Everything counsel say that is not an argument.
    pub(super) fn pointless(&self) -> impl Iterator<Item = &String> {
        self.unheard.iter().chain(&self.nonsense).chain(&self.weak)
    }
}

crate::docket::house_words!("trial", Library);
