//! What can be heard in a trial: each fact of the record, argued or met, and each claim, pressed or made. The first side is for
//! condemning, the second for acquitting.

use super::docket::{Brief, Case, Favours, Script, docket};
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::library::{self, Bytes, Shared, models};
use crate::listening::{AtLength, Ear, Heard, Language, Record, Side, Stance, Subject, Support};
use engine::classify::text::language_of;
use engine::facts;
use engine::roster::Lang;
use std::sync::LazyLock;

/// How far ahead of anything else a fact must be, in hundredths, to count as mentioned, and as argued plainly.
const SPOKEN_SURE: u8 = 8;
const PLAIN_SURE: u8 = 30;
/// The same for an attack of so few words, without a figure, name or reason: it must be plainer, or a slogan would do.
const BARE_SURE: u8 = 50;
const BARE_WORDS_MAX: usize = 9;
/// How far ahead a fact must be to support a boast.
const GROUNDED_SURE: u8 = 60;
/// How far ahead a temptation must be to count as pressed: enough to rule out mere loudness, which comes near to all of them.
const PRESSED_SURE: u8 = 24;
/// How far behind the first fact a temptation is still pressed along with it; and how far ahead a claim must be to count as made.
const PRESSED_BEHIND: u8 = 25;
const CLAIMED_SURE: u8 = 25;

/// A text of the prosecutor or the accused, as it was heard.
#[derive(Clone, Debug)]
pub(super) struct HeardText {
    pub(super) is_speech: bool,
    /// How many different words it has.
    pub(super) words: usize,
    /// Whether it was read off the file.
    pub(super) is_file: bool,
    pub(super) support: Support,
    points: Vec<Heard>,
    pressed: Vec<(String, u8)>,
    text: String,
}

/// A fact that a text speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spoken {
    /// By its place in the record.
    pub(super) fact: usize,
    /// Whom it helps, as it is spoken of here.
    pub(super) helps: Side,
    pub(super) stance: Stance,
    sure: u8,
}

impl Spoken {
    pub(super) fn is_plain(self) -> bool {
        self.sure >= PLAIN_SURE
    }

    pub(super) fn grounds(self) -> bool {
        self.sure >= GROUNDED_SURE
    }
}

impl HeardText {
    pub(super) fn new(ear: &Ear, lang: Lang, side: Side, text: &str) -> Self {
        HeardText::of(&ear.read_at_length(lang, Some(side), text), text)
    }

    /// For a text that everybody may read (a house line, or a speech in an open trial): its reading is cached.
    pub(super) fn public(ear: &Ear, lang: Lang, side: Side, text: &str) -> Self {
        HeardText::of(&ear.recall_at_length(lang, Some(side), text), text)
    }

    fn of(read: &AtLength, text: &str) -> Self {
        let mut words = crate::speech::words(text);
        words.sort_unstable();
        words.dedup();
        HeardText {
            is_speech: read.language == Language::Speech,
            words: words.len(),
            is_file: read.is_file,
            support: read.support,
            points: read.points.clone(),
            pressed: read.pressed.clone(),
            text: text.to_owned(),
        }
    }

    /// The facts that it speaks of, the plainest first.
    pub(super) fn facts(&self, case: &Case) -> Vec<Spoken> {
        let spoken = |point: &Heard| {
            let fact = case.record.iter().position(|fact| fact.id == point.point)?;
            Some(Spoken { fact, helps: point.helps?, stance: point.stance, sure: point.sure })
        };
        self.points.iter().filter(|point| point.sure >= SPOKEN_SURE).filter_map(spoken).collect()
    }

    /// The facts that an attack argues: a few words without support count only if they are very plain.
    pub(super) fn argued(&self, case: &Case) -> Vec<Spoken> {
        let Support { figures, names, reason, .. } = self.support;
        let is_bare = self.words <= BARE_WORDS_MAX && figures + names == 0 && !reason;
        let sure_min = if is_bare { BARE_SURE } else { SPOKEN_SURE };
        self.facts(case).into_iter().filter(|spoken| spoken.sure >= sure_min).collect()
    }

    /// The temptation of a character that it presses, by its place.
    pub(super) fn pressed(&self, script: &Script) -> Option<usize> {
        let first = self.points.first().is_some_and(|point| point.stance != Stance::Presses);
        let along = self.pressed.iter().filter(|(_, behind)| first && *behind <= PRESSED_BEHIND);
        let along = along.filter_map(|(id, behind)| Some((place_of(script, id)?, behind)));
        let along = along.min_by_key(|(_, behind)| *behind).map(|(place, _)| place);
        self.temptation(script, Stance::Presses, PRESSED_SURE).or(along)
    }

    /// The claim of a character that it makes, by its place.
    pub(super) fn claimed(&self, script: &Script) -> Option<usize> {
        self.temptation(script, Stance::Asserts, CLAIMED_SURE)
    }

    fn temptation(&self, script: &Script, stance: Stance, sure_min: u8) -> Option<usize> {
        let taken = self.points.iter().filter(|point| point.stance == stance && point.sure >= sure_min);
        taken.into_iter().find_map(|point| place_of(script, &point.point))
    }

    /// The words in which a point was heard, by its id.
    pub(super) fn said_of(&self, id: &str) -> &str {
        let point = self.points.iter().find(|point| point.point == id);
        point.map_or("", |point| self.text[point.said.0..point.said.1].trim())
    }
}

/// Whether a text that is put up for sale is heard: as sentences in a language of the case that make a point of its record, or press or make
/// a claim of the character, for the side that they are meant for. False too where the ear was not taught the case.
pub fn makes_a_point(case_id: &str, character: &str, meant_for: facts::Side, text: &str) -> bool {
    let lang = language_of(text).unwrap_or_default();
    let docket = docket();
    let Some(case) = docket.case(lang, case_id) else { return false };
    let Some((brief, script)) = docket.brief(lang, case).and_then(|brief| Some((brief, brief.script(character)?)))
    else {
        return false;
    };
    let ear = brief.ear(case);
    let side = match meant_for {
        facts::Side::Attack => Side::First,
        facts::Side::Defense => Side::Second,
    };
    let heard = HeardText::new(&ear, lang, side, text);
    let claims = match side {
        Side::First => heard.pressed(script),
        Side::Second => heard.claimed(script),
    };
    let facts = heard.facts(case);
    let argued = heard.argued(case).iter().any(|spoken| spoken.helps == side);
    // What makes no plain point may still be one: it is enough that it speaks of the record, and not plainly for the other side.
    let is_others = facts.first().is_some_and(|first| first.helps != side && first.is_plain());
    ear.is_taught() && heard.is_speech && (claims.is_some() || argued || (!facts.is_empty() && !is_others))
}

fn place_of(script: &Script, temptation: &str) -> Option<usize> {
    script.temptations.iter().position(|known| known.id == temptation)
}

fn syllabus(case: &Case, scripts: &[Script]) -> Syllabus {
    let side = |favours: Favours| match favours {
        Favours::Condemn | Favours::Neither => Side::First,
        Favours::Acquit => Side::Second,
    };
    let facts = case.record.iter().map(|fact| (fact.id.clone(), Some(side(fact.favours))));
    let claims: Vec<String> =
        scripts.iter().flat_map(|script| &script.temptations).map(|claim| claim.id.clone()).collect();
    let points = facts.chain(claims.iter().map(|claim| (claim.clone(), Some(Side::Second)))).collect();
    // Facts of one record lie close together, and a ruling names the one it heard.
    Syllabus { points, claims, rivals: false, many: true, heard_min: 700, lead_min: 60 }
}

const KIND_MODELS: Bytes = models!("tribunal");

/// A hash of the models by which trials are heard.
pub(super) fn models() -> &'static str {
    static HASH: LazyLock<String> =
        LazyLock::new(|| library::hash(docket().models.iter().copied().chain([KIND_MODELS])));
    &HASH
}

/// The ear of a case, with the models that were learned for it.
pub(super) fn ear(case: &Case, scripts: &[Script], models: Bytes) -> Ear {
    static KIND: LazyLock<Shared> = LazyLock::new(|| Shared::read(KIND_MODELS));
    let dates = case.record.iter().map(|fact| &fact.date);
    let texts = case.texts().chain(dates).chain(case.record.iter().map(|fact| &fact.label));
    let accused = case.characters.iter().map(|character| character.name.as_str());
    let record = Record::of(texts.map(String::as_str)).without_names(accused);
    library::ear(record, &syllabus(case, scripts), &KIND, models)
}

/// What is learned for a case, with the lines that the house says in it.
pub(super) fn subject(case: &Case, briefs: [Option<&Brief>; 2]) -> Subject {
    let mut house = Vec::new();
    let mut scripts: &[Script] = &[];
    for (lang, brief) in [Lang::En, Lang::Ko].into_iter().zip(briefs) {
        let Some(brief) = brief else { continue };
        scripts = &brief.scripts;
        let mut say = |lines: &[String], id: &str, stance: Stance| {
            house.extend(lines.iter().map(|line| (lang, line.clone(), Some(Labelled { id: id.to_owned(), stance }))));
        };
        for attack in &brief.attacks {
            match (&attack.presses, attack.cites.as_slice()) {
                (Some(presses), _) => say(&attack.lines, presses, Stance::Presses),
                (None, [only]) => say(&attack.lines, only, Stance::Asserts),
                (None, _) => {}
            }
        }
        for script in &brief.scripts {
            // The accused leans on what helps it, and meets what does not.
            let stance = |id: &str| match case.record.iter().find(|fact| fact.id == id).map(|fact| fact.favours) {
                Some(Favours::Acquit) => Stance::Asserts,
                Some(Favours::Condemn | Favours::Neither) | None => Stance::Denies,
            };
            for temptation in &script.temptations {
                say(&temptation.claims, &temptation.id, Stance::Asserts);
                for angle in &temptation.angles {
                    // Of several facts that it cites, the first that carries the claim.
                    let carries = angle.evidence.iter().find(|id| temptation.proof.contains(id));
                    if let Some(fact) = carries.or(angle.evidence.first()) {
                        say(std::slice::from_ref(&angle.text), fact, stance(fact));
                    }
                }
            }
            for answers in &script.answers {
                say(&answers.lines, &answers.to, stance(&answers.to));
                say(&answers.admits, &answers.to, Stance::Concedes);
            }
        }
        let pointless =
            |script: &'_ Script| [&script.plain, &script.puzzled, &script.nonsense].map(Vec::clone).concat();
        house.extend(brief.scripts.iter().flat_map(pointless).map(|line| (lang, line, None)));
    }
    let syllabus = syllabus(case, scripts);
    Subject {
        kind: "tribunal",
        kind_models: KIND_MODELS,
        folder: format!("tribunal/{}", case.case_id),
        question: "point",
        syllabus,
        house,
    }
}
