//! The docket: the cases that can be tried. Those that ship with Moot are compiled in; a server may add a directory of its own when it
//! starts, and never later. A trial keeps its whole case in its log, so no log depends on the docket.

use super::hearing::{self, FactId};
use super::house;
use super::plain::plain_court;
use crate::docket::{Cases, take_in};
use crate::lines::Lines;
use crate::listening::library::models;
use crate::listening::{Bytes, Ear, OwnModels, Side, Subject};
use engine::parts::lines::LineId;
use engine::parts::text;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

const ID_LEN: RangeInclusive<usize> = 1..=64;
const TITLE_LEN: RangeInclusive<usize> = 1..=120;
const DESCRIPTION_LEN: RangeInclusive<usize> = 1..=1000;
const EVIDENCE_LEN: RangeInclusive<usize> = 1..=300;
const EVIDENCE: RangeInclusive<usize> = 1..=8;

/// The public part of a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    pub case_id: String,
    pub title: String,
    /// The charge, and what happened.
    pub description: String,
    /// Facts that speak for guilt.
    pub evidence_for: Vec<String>,
    /// Facts that speak against it.
    pub evidence_against: Vec<String>,
}

impl crate::docket::Case for Case {
    fn id(&self) -> &str {
        &self.case_id
    }
}

impl Case {
    /// The whole case as plain text.
    pub(super) fn file(&self) -> String {
        let list = |facts: &[String]| facts.iter().map(|fact| format!("\n- {fact}")).collect::<String>();
        let Case { title, description, .. } = self;
        let (guilt, doubt) = (list(&self.evidence_for), list(&self.evidence_against));
        format!("{title}\n{description}\nEvidence for guilt:{guilt}\nEvidence against it:{doubt}")
    }
}

/// A case as it stands in a file: what everybody is told, and what house minds say about it.
#[derive(Clone, Debug, Deserialize)]
struct Filed {
    #[serde(flatten)]
    case: Case,
    /// If missing, Korean if the title has any Korean letters, else English.
    language: Option<Lang>,
    court: Option<Court>,
}

/// What house minds say in a case.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Court {
    pub(super) prosecution: Counsel,
    pub(super) defense: Counsel,
    pub(super) judge: Bench,
}

impl Court {
    /// The words of a side's counsel.
    pub(super) fn counsel(&self, side: Side) -> &Counsel {
        match side {
            Side::First => &self.prosecution,
            Side::Second => &self.defense,
        }
    }
}

/// What one side says.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Counsel {
    pub(super) opening: Vec<String>,
    /// One point for each fact that speaks for this side.
    pub(super) evidence: Vec<Point>,
    /// One for each that speaks for the other.
    pub(super) answers: Vec<Point>,
    pub(super) closing: Vec<String>,
}

/// Something to be said for a side.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Point {
    /// What a juror calls it, in the middle of a sentence.
    pub(super) label: String,
    /// Ways to say it.
    pub(super) lines: Vec<String>,
}

/// What the judge says.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Bench {
    pub(super) opening: Vec<String>,
    pub(super) questions: Vec<Question>,
    pub(super) guilty: Vec<String>,
    pub(super) not_guilty: Vec<String>,
}

/// Something the judge asks.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "QuestionFile")]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) to: Asked,
    /// The fact it is about, such as `P1`.
    pub(super) about: Option<String>,
}

impl Question {
    /// A question that nobody in particular has to answer.
    pub(super) fn to_all(text: String) -> Self {
        Question { text, to: Asked::Jury, about: None }
    }
}

/// A question in a case file: the text alone, or with whom it is put to.
#[derive(Deserialize)]
#[serde(untagged)]
enum QuestionFile {
    Bare(String),
    Put { text: String, to: Asked, about: Option<String> },
}

impl From<QuestionFile> for Question {
    fn from(file: QuestionFile) -> Self {
        match file {
            QuestionFile::Bare(text) => Question::to_all(text),
            QuestionFile::Put { text, to, about } => Question { text, to, about },
        }
    }
}

/// Whom a question is put to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Asked {
    Prosecution,
    Defense,
    Both,
    Jury,
}

impl Asked {
    /// Whether this side has to answer.
    pub(super) fn asks(self, side: Side) -> bool {
        match self {
            Asked::Prosecution => side == Side::First,
            Asked::Defense => side == Side::Second,
            Asked::Both => true,
            Asked::Jury => false,
        }
    }
}

#[derive(Default)]
pub struct Docket {
    cases: Cases<Case, Behind>,
    lines: Lines,
    /// The models of all cases: the shipped ones first, then those that the server added.
    pub(super) models: Vec<Bytes>,
}

/// The house's material for a case: lines, and an ear that is made when it is first needed.
#[derive(Default)]
struct Behind {
    court: Option<Court>,
    models: Bytes,
    ear: OnceLock<Arc<Ear>>,
}

static DOCKET: OnceLock<Docket> = OnceLock::new();

/// The first call closes the docket: [`add`] fails from then on.
pub fn docket() -> &'static Docket {
    DOCKET.get_or_init(|| Docket::built_in().expect("the cases are part of the program and a test reads them"))
}

/// Adds case files, given as name and text, with the models learned for their cases, by id. Must come before the first call of [`docket`].
/// An error names the file and what is wrong with it.
pub fn add(files: &[(String, String)], models: &OwnModels) -> Result<(), String> {
    let mut docket = Docket::built_in()?;
    docket.cases.all_so_far_are_shipped();
    take_in(files, models, |text, models| docket.file(text, models))?;
    DOCKET.set(docket).map_err(|_| "the docket is closed: a case has been looked up already".to_owned())
}

impl Docket {
    fn built_in() -> Result<Self, String> {
        let mut docket = Docket { lines: Lines::of(&house::FILES), ..Docket::default() };
        for (name, text, models) in BUILT_IN {
            docket.file(text, |_| models).map_err(|wrong| format!("{name}: {wrong}"))?;
        }
        Ok(docket)
    }

    pub fn cases(&self, lang: Lang) -> &[Case] {
        self.cases.of(lang)
    }

    pub fn case(&self, lang: Lang, id: &str) -> Option<&Case> {
        self.cases.find(lang, id)
    }

    pub fn ids(&self, lang: Lang) -> Vec<&str> {
        self.cases.ids(lang)
    }

    fn behind(&self, lang: Lang, case: &Case) -> Option<&Behind> {
        self.cases.behind(lang, |known| known == case)
    }

    /// The lines written for a case, if it has any.
    fn court(&self, lang: Lang, case: &Case) -> Option<&Court> {
        self.behind(lang, case)?.court.as_ref()
    }

    /// The lines written for a case, or else made from its facts.
    pub(super) fn spoken_court(&self, lang: Lang, case: &Case) -> Cow<'_, Court> {
        match self.court(lang, case) {
            Some(court) => Cow::Borrowed(court),
            None => Cow::Owned(plain_court(case, house::library(lang))),
        }
    }

    /// The ear of a case; a case that is not on the docket gets one without models.
    pub(super) fn ear(&self, lang: Lang, case: &Case) -> Arc<Ear> {
        match self.behind(lang, case) {
            Some(behind) => behind.ear.get_or_init(|| Arc::new(hearing::ear(case, behind.models))).clone(),
            None => Arc::new(hearing::ear(case, Bytes::default())),
        }
    }

    /// The house's lines in a text, those for any case and those of the cases on the docket.
    pub(super) fn lines_in(&self, text: &str) -> Vec<LineId> {
        self.lines.ids_in(text)
    }

    /// A subject for each case.
    pub fn subjects(&self) -> Vec<Subject> {
        let subject = |case: &Case| {
            let court = |lang: Lang| self.case(lang, &case.case_id).map(|case| self.spoken_court(lang, case));
            let (english, korean) = (court(Lang::En), court(Lang::Ko));
            hearing::subject(case, [english.as_deref(), korean.as_deref()])
        };
        self.cases.once().map(subject).collect()
    }

    /// Takes in a file: one case, or a list of them.
    fn file(&mut self, text: &str, models: impl Fn(&str) -> Bytes) -> Result<(), String> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum File {
            One(Box<Filed>),
            Many(Vec<Filed>),
        }
        let readable: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        self.lines.add(&readable);
        let filed = match (serde_json::from_value(readable.clone()), &readable) {
            (Ok(File::One(one)), _) => vec![*one],
            (Ok(File::Many(many)), _) => many,
            // Parsed again without the choice of shapes, so that the error names the field.
            (Err(_), serde_json::Value::Array(cases)) => {
                let read = |case: &serde_json::Value| serde_json::from_value::<Filed>(case.clone());
                cases.iter().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())?
            }
            (Err(_), _) => vec![serde_json::from_value::<Filed>(readable).map_err(|error| error.to_string())?],
        };
        filed.into_iter().try_for_each(|filed| {
            let models = models(&filed.case.case_id);
            self.enter(filed, models)
        })
    }

    fn enter(&mut self, filed: Filed, models: Bytes) -> Result<(), String> {
        let Filed { case, language, court } = filed;
        check(&case).map_err(|wrong| format!("{}: {wrong}", case.case_id))?;
        let lang = language.unwrap_or(if is_korean(&case.title) { Lang::Ko } else { Lang::En });
        if let Some(court) = &court {
            check_court(&case, court).map_err(|wrong| format!("{}: {wrong}", case.case_id))?;
        }
        // The same case without lines of its own: the house speaks in it as before.
        let is_same = self.cases.is_shipped(lang, &case.case_id) && self.case(lang, &case.case_id) == Some(&case);
        if court.is_none() && models.is_empty() && is_same {
            return Ok(());
        }
        self.cases.add(lang, case, Behind { court, models, ear: OnceLock::new() })?;
        self.models.extend((!models.is_empty()).then_some(models));
        Ok(())
    }
}

fn is_korean(text: &str) -> bool {
    text.chars().any(|c| ('가'..='힣').contains(&c))
}

fn check(case: &Case) -> Result<(), String> {
    let id_fits = case.case_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !id_fits || !ID_LEN.contains(&case.case_id.len()) {
        return Err(format!("case_id must be 1 to {} letters, digits, _ or -", ID_LEN.end()));
    }
    text::checked_line("title", &case.title, TITLE_LEN)?;
    text::checked("description", &case.description, DESCRIPTION_LEN)?;
    for (name, evidence) in [("evidence_for", &case.evidence_for), ("evidence_against", &case.evidence_against)] {
        if !EVIDENCE.contains(&evidence.len()) {
            return Err(format!("{name} must have {} to {} entries", EVIDENCE.start(), EVIDENCE.end()));
        }
        for fact in evidence {
            text::checked(name, fact, EVIDENCE_LEN)?;
        }
    }
    Ok(())
}

fn check_court(case: &Case, court: &Court) -> Result<(), String> {
    let (guilt, doubt) = (case.evidence_for.len(), case.evidence_against.len());
    for (side, counsel, own, other) in
        [("prosecution", &court.prosecution, guilt, doubt), ("defense", &court.defense, doubt, guilt)]
    {
        if counsel.evidence.len() != own || counsel.answers.len() != other {
            return Err(format!("court.{side} must have {own} entries in evidence and {other} in answers"));
        }
        let points = counsel.evidence.iter().chain(&counsel.answers);
        if points.clone().any(|point| point.label.is_empty() || point.lines.is_empty()) {
            return Err(format!("court.{side}: every point needs a label and lines"));
        }
        let spoken = points.flat_map(|point| &point.lines).chain(&counsel.opening).chain(&counsel.closing);
        check_lines(side, spoken.collect())?;
        if counsel.opening.is_empty() || counsel.closing.is_empty() {
            return Err(format!("court.{side} needs opening and closing lines"));
        }
    }
    let bench = &court.judge;
    let questions: Vec<String> = bench.questions.iter().map(|question| question.text.clone()).collect();
    let lists = [&bench.opening, &questions, &bench.guilty, &bench.not_guilty];
    if lists.iter().any(|list| list.is_empty()) {
        return Err("court.judge needs opening, questions, guilty and not_guilty lines".into());
    }
    let known = |about: &String| FactId::all(case).any(|fact| fact.word() == *about);
    if let Some(about) =
        bench.questions.iter().filter_map(|question| question.about.as_ref()).find(|about| !known(about))
    {
        return Err(format!("court.judge: there is no fact {about:?}; facts are P1, P2, ... and D1, D2, ..."));
    }
    check_lines("judge", lists.into_iter().flatten().collect())
}

fn check_lines(speaker: &str, lines: Vec<&String>) -> Result<(), String> {
    lines.into_iter().try_for_each(|line| {
        let checked = text::checked("line", line, 1..=super::TEXT_LEN_MAX);
        checked.map(drop).map_err(|wrong| format!("court.{speaker}: {wrong} ({line})"))
    })
}

macro_rules! cases {
    ($($id:literal)*) => {
        [$(
            (concat!($id, ".en.json"), include_str!(concat!("../../../../briefs/trial/", $id, ".en.json")), models!(concat!("trial/", $id))),
            (concat!($id, ".ko.json"), include_str!(concat!("../../../../briefs/trial/", $id, ".ko.json")), models!(concat!("trial/", $id))),
        )*]
    };
}

const BUILT_IN: [(&str, &str, Bytes); 26] = cases! {
    "case_001" "case_002" "case_003" "case_004" "case_005" "case_006" "case_007"
    "case_008" "case_009" "case_010" "case_011" "case_012" "case_013"
};

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = r#"[{"case_id": "case_x", "title": "빵 도둑 사건", "description": "…", "evidence_for": ["a"], "evidence_against": ["b"]}]"#;

    #[test]
    fn every_shipped_case_is_there_in_both_languages() {
        let docket = Docket::built_in().expect("the shipped cases are sound");
        assert!(docket.cases(Lang::En).len() >= 12);
        assert_eq!(docket.ids(Lang::En), docket.ids(Lang::Ko));
        for case in docket.cases(Lang::Ko) {
            assert!(is_korean(&case.title) && is_korean(&case.description), "{}", case.case_id);
            let english = docket.case(Lang::En, &case.case_id).expect("in both");
            assert!(docket.court(Lang::Ko, case).is_some() && docket.court(Lang::En, english).is_some());
            assert!(docket.ear(Lang::Ko, case).is_taught() && docket.ear(Lang::En, english).is_taught());
        }
    }

    #[test]
    fn a_plain_case_needs_no_lines_and_its_language_shows() {
        let mut docket = Docket::default();
        docket.file(PLAIN, |_| Bytes::default()).expect("sound");
        assert_eq!(docket.ids(Lang::Ko), ["case_x"]);
        let case = docket.case(Lang::Ko, "case_x").expect("filed");
        assert!(docket.court(Lang::Ko, case).is_none() && !docket.ear(Lang::Ko, case).is_taught());
    }

    #[test]
    fn models_belong_to_the_very_case_they_were_learned_for() {
        let mut docket = Docket::default();
        let (.., models) = BUILT_IN[0];
        docket.file(PLAIN, |id| if id == "case_x" { models } else { Bytes::default() }).expect("sound");
        let case = docket.case(Lang::Ko, "case_x").expect("filed");
        assert!(docket.ear(Lang::Ko, case).is_taught());
        let another = Case { title: "빵 도둑 사건, 고쳐 쓴 것".into(), ..case.clone() };
        assert!(!docket.ear(Lang::Ko, &another).is_taught(), "the id is the same, the case is not");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let wrong = |text: &str| Docket::default().file(text, |_| Bytes::default()).expect_err("refused");
        assert!(wrong("{").contains("not JSON"));
        assert!(wrong("{}").contains("case_id"), "{}", wrong("{}"));
        assert!(wrong(&PLAIN.replace("[\"b\"]", "[]")).contains("evidence_against must have 1 to 8"));
        assert!(wrong(&PLAIN.replace("\"…\"", "7")).contains("string"), "{}", wrong(&PLAIN.replace("\"…\"", "7")));
        assert!(wrong(&PLAIN.replace("case_x", "case x")).contains("case_id must be"));
        let twice = format!("[{0},{0}]", PLAIN.trim_matches(['[', ']']));
        assert!(wrong(&twice).contains("on the docket already"));
    }
}
