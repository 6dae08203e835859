//! The docket: the cases that can be tried. Those that ship with Moot are compiled in; a server may add its own directory when it
//! starts, and never later. A trial keeps what everybody is told of its case in its log, so no log depends on the docket; what else
//! the house needs (temptations, lines, models) is looked up here, and may be gone.

use super::boast;
use super::filed::Filed;
use super::hearing;
use super::house;
use crate::docket::{Cases, take_in};
use crate::lines::Lines;
use crate::listening::library::models;
use crate::listening::{Bytes, Ear, OwnModels, Subject};
use crate::speech::fill;
use engine::facts::{HouseLine, Manner, Side};
use engine::parts::lines::LineId;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// What everybody is told of a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    pub case_id: String,
    pub title: String,
    pub when: String,
    pub r#where: String,
    /// What they are charged with.
    pub charge: String,
    pub summary: String,
    pub record: Vec<Exhibit>,
    pub characters: Vec<Character>,
}

impl Case {
    /// What is said of the matter itself.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        self.record.iter().map(|fact| &fact.text).chain([&self.title, &self.charge, &self.summary])
    }
}

/// A fact of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exhibit {
    pub id: String,
    /// How it is named in the middle of a sentence.
    pub label: String,
    pub date: String,
    pub text: String,
    pub source: String,
    pub favours: Favours,
}

/// Whom a fact helps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Favours {
    Condemn,
    Acquit,
    Neither,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Character {
    pub id: String,
    pub name: String,
    pub office: String,
    /// Its years of birth and death.
    pub lived: String,
    pub temperament: String,
    /// The facts it may cite.
    pub evidence: Vec<String>,
}

/// What only the house knows of a case.
#[derive(Default)]
pub(super) struct Brief {
    pub(super) scripts: Vec<Script>,
    pub(super) attacks: Vec<Attack>,
    models: Bytes,
    ear: OnceLock<Arc<Ear>>,
    matter: OnceLock<BTreeSet<String>>,
}

/// What the house knows of a character.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) id: String,
    pub(super) temptations: Vec<Temptation>,
    pub(super) answers: Vec<Answers>,
    /// Answers to speech in which no fact was recognized.
    pub(super) plain: Vec<String>,
    /// Answers to the same that ask what the charge rests on.
    pub(super) puzzled: Vec<String>,
    /// Answers to words that make no sentence.
    pub(super) nonsense: Vec<String>,
}

/// An extraordinary claim that a character is tempted into.
#[derive(Clone, Debug)]
pub(super) struct Temptation {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) claim: String,
    pub(super) claims: Vec<String>,
    pub(super) proof: Vec<String>,
    pub(super) angles: Vec<Angle>,
}

/// A way to meet the burden of a claim.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Angle {
    pub(super) id: String,
    pub(super) mode: Manner,
    pub(super) evidence: Vec<String>,
    pub(super) text: String,
}

/// Plain answers to a fact, and words that admit it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Answers {
    pub(super) to: String,
    pub(super) lines: Vec<String>,
    #[serde(default)]
    pub(super) admits: Vec<String>,
}

/// What a house prosecutor says.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Attack {
    pub(super) character: String,
    pub(super) presses: Option<String>,
    pub(super) cites: Vec<String>,
    pub(super) lines: Vec<String>,
}

impl Brief {
    pub(super) fn new(scripts: Vec<Script>, attacks: Vec<Attack>) -> Self {
        Brief { scripts, attacks, ..Brief::default() }
    }

    /// How speeches are heard in the case.
    pub(super) fn ear(&self, case: &Case) -> Arc<Ear> {
        self.ear.get_or_init(|| Arc::new(hearing::ear(case, &self.scripts, self.models))).clone()
    }

    /// The words in which the case is told.
    pub(super) fn matter(&self, lang: Lang, case: &Case) -> &BTreeSet<String> {
        self.matter.get_or_init(|| boast::matter(lang, case.texts()))
    }

    fn attack_lines(&self, lang: Lang, case: &Case) -> impl Iterator<Item = HouseLine> {
        self.attacks.iter().flat_map(move |attack| {
            let pressed = attack.presses.as_ref().and_then(|id| self.script(&attack.character)?.temptation(id));
            let cited = attack.cites.first().and_then(|id| case.record.iter().find(|fact| fact.id == *id));
            let name = case.characters.iter().find(|one| one.id == attack.character).map_or("", |one| &one.name);
            let label = match (pressed, cited) {
                (Some(temptation), _) => temptation.label.clone(),
                (None, Some(fact)) => fact.label.clone(),
                (None, None) => fill(&house::library(lang).unlabelled, &[("character", name)]),
            };
            let line = move |text: &String| HouseLine { text: text.clone(), side: Side::Attack, label: label.clone() };
            attack.lines.iter().map(line)
        })
    }

    /// What characters say for themselves: their claims, what they rest them on, and their answers.
    fn defense_lines(&self, case: &Case) -> impl Iterator<Item = HouseLine> {
        let about = |label: &str, texts: Vec<&String>| {
            let line = |text: &String| HouseLine { text: text.clone(), side: Side::Defense, label: label.to_owned() };
            texts.into_iter().map(line).collect::<Vec<_>>()
        };
        self.scripts.iter().flat_map(move |script| {
            let claims = script.temptations.iter().flat_map(|one| {
                about(&one.label, one.claims.iter().chain(one.angles.iter().map(|angle| &angle.text)).collect())
            });
            let answers = script.answers.iter().flat_map(|answers| {
                let fact = case.record.iter().find(|fact| fact.id == answers.to).map_or("", |fact| &fact.label);
                about(fact, answers.lines.iter().chain(&answers.admits).collect())
            });
            let plain = about(&case.title, script.plain.iter().chain(&script.puzzled).collect());
            claims.chain(answers).chain(plain).collect::<Vec<_>>()
        })
    }

    pub(super) fn script(&self, character: &str) -> Option<&Script> {
        self.scripts.iter().find(|script| script.id == character)
    }
}

impl Script {
    /// The angle of that name, `temptation.angle`.
    pub(super) fn angle(&self, name: &str) -> Option<(&Temptation, &Angle)> {
        let (temptation, angle) = name.rsplit_once('.')?;
        let temptation = self.temptation(temptation)?;
        temptation.angles.iter().find(|known| known.id == angle).map(|angle| (temptation, angle))
    }

    pub(super) fn temptation(&self, id: &str) -> Option<&Temptation> {
        self.temptations.iter().find(|temptation| temptation.id == id)
    }
}

impl Temptation {
    /// The name of one of its angles outside the file: `temptation.angle`.
    pub(super) fn name(&self, angle: &Angle) -> String {
        format!("{}.{}", self.id, angle.id)
    }

    /// Whether this angle rests on what really carries the claim.
    pub(super) fn is_strong(&self, angle: &Angle) -> bool {
        angle.mode == Manner::Prove && angle.evidence.iter().any(|id| self.proof.contains(id))
    }
}

impl crate::docket::Case for Arc<Case> {
    fn id(&self) -> &str {
        &self.case_id
    }
}

#[derive(Default)]
pub struct Docket {
    cases: Cases<Arc<Case>, Brief>,
    lines: Lines,
    /// The models of all cases: of the shipped ones first, then of the operator's own.
    pub(super) models: Vec<Bytes>,
}

static DOCKET: OnceLock<Docket> = OnceLock::new();

/// The docket of this program.
pub fn docket() -> &'static Docket {
    DOCKET.get_or_init(|| Docket::built_in().expect("the cases are part of the program and a test reads them"))
}

/// Adds these files, given as name and text, before the first look at the docket, with the models that were learned for their cases,
/// by id. Says which file is wrong, and why.
pub fn add(files: &[(String, String)], models: &OwnModels) -> Result<(), String> {
    let mut docket = Docket::built_in()?;
    docket.cases.all_so_far_are_shipped();
    take_in(files, models, |text, models| docket.file(text, models))?;
    DOCKET.set(docket).map_err(|_| "the docket is closed: a case has been looked up already".to_owned())
}

impl Docket {
    /// Everything that minds of the house may say for or against a character.
    pub(super) fn spoken_lines(&self) -> impl Iterator<Item = HouseLine> {
        [Lang::En, Lang::Ko]
            .into_iter()
            .flat_map(|lang| self.cases(lang).iter().map(move |case| (lang, case)))
            .flat_map(|(lang, case)| {
                let brief = self.brief(lang, case);
                brief.map_or(vec![], |brief| brief.attack_lines(lang, case).chain(brief.defense_lines(case)).collect())
            })
    }

    /// Every attack and every angle of the case files.
    pub(super) fn house_lines(&self) -> impl Iterator<Item = &String> {
        self.cases.all_behind().flat_map(|brief| {
            let angles = brief.scripts.iter().flat_map(|script| &script.temptations).flat_map(|one| &one.angles);
            brief.attacks.iter().flat_map(|attack| &attack.lines).chain(angles.map(|angle| &angle.text))
        })
    }

    fn built_in() -> Result<Self, String> {
        let mut docket = Docket { lines: Lines::of(&house::FILES), ..Docket::default() };
        for (name, text, models) in BUILT_IN {
            docket.file(text, |_| *models).map_err(|wrong| format!("{name}: {wrong}"))?;
        }
        Ok(docket)
    }

    pub fn cases(&self, lang: Lang) -> &[Arc<Case>] {
        self.cases.of(lang)
    }

    pub fn case(&self, lang: Lang, id: &str) -> Option<&Arc<Case>> {
        self.cases.find(lang, id)
    }

    pub fn ids(&self, lang: Lang) -> Vec<&str> {
        self.cases.ids(lang)
    }

    /// What the house knows of this very case.
    pub(super) fn brief(&self, lang: Lang, case: &Case) -> Option<&Brief> {
        self.cases.behind(lang, |known| **known == *case)
    }

    /// The house's lines that occur in a text: those for any case and those of the cases.
    pub(super) fn lines_in(&self, text: &str) -> Vec<LineId> {
        self.lines.ids_in(text)
    }

    /// What is learned for each case.
    pub fn subjects(&self) -> Vec<Subject> {
        let subject = |case: &Arc<Case>| {
            let brief = |lang: Lang| self.case(lang, &case.case_id).and_then(|case| self.brief(lang, case));
            hearing::subject(case, [brief(Lang::En), brief(Lang::Ko)])
        };
        self.cases.once().map(subject).collect()
    }

    fn file(&mut self, text: &str, models: impl Fn(&str) -> Bytes) -> Result<(), String> {
        let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        self.lines.add(&file);
        let filed: Filed = serde_json::from_value(file).map_err(|error| error.to_string())?;
        let (lang, case, brief) = filed.sorted()?;
        let models = models(&case.case_id);
        self.cases.add(lang, Arc::new(case), Brief { models, ..brief })?;
        self.models.extend((!models.is_empty()).then_some(models));
        Ok(())
    }
}

macro_rules! cases {
    ($($id:literal)*) => {
        &[$(
            (concat!($id, ".en.json"), include_str!(concat!("../../../../briefs/tribunal/", $id, ".en.json")), models!(concat!("tribunal/", $id))),
            (concat!($id, ".ko.json"), include_str!(concat!("../../../../briefs/tribunal/", $id, ".ko.json")), models!(concat!("tribunal/", $id))),
        )*]
    };
}

const BUILT_IN: &[(&str, &str, Bytes)] = cases! { "john_law" "john_locke" "robert_clive" "thomas_midgley" };

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Docket {
        Docket::built_in().expect("the shipped cases are sound")
    }

    #[test]
    fn every_shipped_case_is_there_in_both_languages_with_the_same_ids() {
        let docket = shipped();
        assert_eq!(docket.ids(Lang::En), ["john_law", "john_locke", "robert_clive", "thomas_midgley"]);
        assert_eq!(docket.ids(Lang::En), docket.ids(Lang::Ko));
        for case in docket.cases(Lang::En) {
            let korean = docket.case(Lang::Ko, &case.case_id).expect("there");
            let record = |case: &Case| case.record.iter().map(|fact| fact.id.clone()).collect::<Vec<_>>();
            let people = |case: &Case| case.characters.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
            assert_eq!((record(case), people(case)), (record(korean), people(korean)));
            assert!(korean.charge.chars().any(|c| ('가'..='힣').contains(&c)));
            for lang in [Lang::En, Lang::Ko] {
                let brief = docket.brief(lang, if lang == Lang::En { case } else { korean }).expect("there");
                let temptations = brief.scripts.iter().flat_map(|script| &script.temptations);
                assert_eq!(temptations.clone().count(), 4, "two for each of two");
                assert!(temptations.clone().all(|known| known.angles.len() == 14));
            }
        }
        assert_eq!(docket.case(Lang::En, "john_locke").expect("there").characters[0].name, "John Locke");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_the_field() {
        let text = BUILT_IN[0].1;
        let sound: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let wrong = |place: &str, value: serde_json::Value| {
            let mut file = sound.clone();
            *file.pointer_mut(place).expect("the field is there") = value;
            Docket::default().file(&file.to_string(), |_| Bytes::default()).expect_err(place)
        };
        let said = |place: &str, value: serde_json::Value, expected: &str| {
            let found = wrong(place, value);
            assert!(found.contains(expected), "{place}: {found}");
        };
        assert!(Docket::default().file("{}", |_| Bytes::default()).expect_err("empty").contains("case_id"));
        said("/case_id", "john law".into(), "case_id must be");
        said("/title", "".into(), "\"title\" is empty");
        said("/charge", "x".repeat(221).into(), "\"charge\" has 221");
        said("/record/1/id", "E1".into(), "record: E1 is there twice");
        said("/record/0/favours", "nobody".into(), "expected one of `condemn`, `acquit`, `neither`");
        said("/characters/0/evidence/0", "E99".into(), "character law: evidence: E99 is none of");
        said("/characters/0/temptations/0/proof/0", "E99".into(), "proof: E99 is none of");
        said("/characters/0/temptations/0/angles/1/id", "A1".into(), "angles: A1 is there twice");
        said(
            "/characters/0/temptations/0/angles/13/evidence",
            serde_json::json!(["E1"]),
            "angle A14: evidence must have",
        );
        said("/characters/1/plain", serde_json::json!([]), "plain must have 1 to");
        said("/attacks/0/character", "nobody".into(), "attacks on nobody: there is no such character");
        said("/attacks/0/lines/0", "Too short.".into(), "attacks on law: The field \"lines\" has 10 characters");
        let mut docket = shipped();
        assert!(docket.file(text, |_| Bytes::default()).expect_err("twice").contains("on the docket already"));
    }
}
