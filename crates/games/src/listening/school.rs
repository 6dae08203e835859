//! Training and judging all models: from the examples of all subjects to the bytes of each model, and to a report.

use super::lessons::{Example, Split, learn_case, learn_grammar, learn_kind};
use super::library::Subject;
use super::reading::{Heard, Language, Side, Stance};
use super::{Ear, Reading};
use engine::roster::Lang;
use std::collections::BTreeMap;

/// How many times each house line is learned from.
const HOUSE_TIMES: usize = 6;
/// One in this many arguments of the same kind's other cases serves as an off-topic example.
const STRAYS_ONE_IN: usize = 5;
/// The same for arguments of other kinds.
const STRANGERS_ONE_IN: usize = 25;

/// The examples of every subject in one language, in the order of the subjects, with the lines of house minds.
pub fn with_house_lines(lang: Lang, subjects: &[Subject], examples: Vec<Vec<Example>>) -> Vec<Vec<Example>> {
    let of = |(subject, examples): (&Subject, Vec<Example>)| {
        // Whatever else is misheard, the house's own lines should not be.
        let times = if examples.is_empty() { 1 } else { HOUSE_TIMES };
        let house = subject.house_examples(lang).flat_map(|line| std::iter::repeat_n(line, times));
        examples.into_iter().chain(house).collect()
    };
    subjects.iter().zip(examples).map(of).collect()
}

/// The folders that hold a model: grammar, kinds, subjects.
pub fn folders(subjects: &[Subject]) -> Vec<String> {
    let mut kinds: Vec<String> = subjects.iter().map(Subject::kind_folder).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let cases = subjects.iter().map(|subject| subject.folder.clone());
    [GRAMMAR.to_owned()].into_iter().chain(kinds).chain(cases).collect()
}

/// The author that house lines are attributed to.
pub(super) const HOUSE: &str = "house";

/// The folder of the grammar models.
pub const GRAMMAR: &str = "grammar";

/// Learns the model of this folder.
pub fn train(lang: Lang, subjects: &[Subject], examples: &[Vec<Example>], folder: &str) -> Vec<u8> {
    if folder == GRAMMAR {
        // House minds speak in whole sentences, which would make broken ones look like noise.
        let spoken = examples.iter().flatten().filter(|example| example.by != HOUSE);
        return learn_grammar(lang, spoken).to_bytes();
    }
    if let Some(place) = subjects.iter().position(|subject| subject.folder == folder) {
        let strays = strays(place, subjects, examples);
        return learn_case(&subjects[place].syllabus, &examples[place], &strays).to_bytes();
    }
    let of_kind = subjects.iter().zip(examples).filter(|(subject, _)| subject.kind_folder() == folder);
    learn_kind(of_kind.map(|(subject, examples)| (&subject.syllabus, &examples[..]))).to_bytes()
}

/// Texts that make no point of this subject: those that make none anywhere, and some arguments of other subjects.
fn strays<'a>(own: usize, subjects: &[Subject], examples: &'a [Vec<Example>]) -> Vec<&'a str> {
    let mut strays = Vec::new();
    for place in (0..subjects.len()).filter(|place| *place != own) {
        let one_in = match (&subjects[own], &subjects[place]) {
            // A speech on one issue is read for all issues.
            (own, other) if own.kind == other.kind && own.syllabus.rivals && other.syllabus.rivals => 1,
            (own, other) if own.kind == other.kind => STRAYS_ONE_IN,
            _ => STRANGERS_ONE_IN,
        };
        let train = examples[place].iter().filter(|example| example.split == Split::Train);
        for (number, example) in train.enumerate() {
            if example.points.is_empty()
                || (number.is_multiple_of(one_in) && !subjects[own].is_shared_with(&subjects[place]))
            {
                strays.push(example.text.as_str());
            }
        }
    }
    strays
}

/// How often something happened, out of how often it could have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    pub hits: usize,
    pub all: usize,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.all += 1;
    }

    pub fn join(&mut self, other: Share) {
        self.hits += other.hits;
        self.all += other.all;
    }

    /// In thousandths; `None` if `all` is zero.
    pub fn permille(self) -> Option<usize> {
        (self.all > 0).then(|| self.hits * 1000 / self.all)
    }
}

/// How well speech is heard.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The right point among those heard, in plain voices.
    pub plain: Share,
    /// The same in oblique voices: sarcasm, metaphor, comparison.
    pub oblique: Share,
    /// How often the main point heard was right.
    pub right: Share,
    /// Where the right point was heard, how often it was heard as meant: for, against or conceded.
    pub stance: Share,
    /// Admissions that were heard as helping the other side.
    pub admissions: Share,
    /// Arguments put into the mouth of the other side's counsel that are still heard for the side they help, or not at all.
    pub not_turned: Share,
    /// Speech that was taken for speech, in all voices.
    pub let_through: Share,
    /// The same in brief, misspelt and second-language voices.
    pub let_through_hard: Share,
    /// Texts that make no point and were heard as making one, by their `none`.
    pub false_alarms: BTreeMap<String, Share>,
    /// By point and stance, how often exactly that was heard.
    pub by_point: BTreeMap<String, Share>,
    /// What was heard instead: meant, heard, how often.
    pub confusions: BTreeMap<(String, String), usize>,
}

/// Voices that do not say what they mean straight out.
pub const OBLIQUE: [&str; 3] = ["sarcasm", "metaphor", "comparison"];
/// Voices that are hard to tell from noise.
const HARD: [&str; 3] = ["brief", "misspelt", "second"];

impl Report {
    pub fn join(&mut self, other: Report) {
        self.plain.join(other.plain);
        self.oblique.join(other.oblique);
        self.right.join(other.right);
        self.stance.join(other.stance);
        self.admissions.join(other.admissions);
        self.not_turned.join(other.not_turned);
        self.let_through.join(other.let_through);
        self.let_through_hard.join(other.let_through_hard);
        for (what, share) in other.false_alarms {
            self.false_alarms.entry(what).or_default().join(share);
        }
        self.by_point.extend(other.by_point);
        self.confusions.extend(other.confusions);
    }

    /// `false_alarms` of all sorts together.
    pub fn false_alarms_all(&self) -> Share {
        self.false_alarms.values().fold(Share::default(), |mut sum, share| {
            sum.join(*share);
            sum
        })
    }
}

/// Judges an ear by the examples of one split.
pub fn evaluate(lang: Lang, subject: &Subject, ear: &Ear, examples: &[Example], split: Split) -> Report {
    let mut report = Report::default();
    for example in examples.iter().filter(|example| example.split == split) {
        match example.points.as_slice() {
            [] => judge_pointless(lang, subject, ear, example, &mut report),
            [.., meant] => {
                let helps = subject.syllabus.helps(&meant.id, meant.stance);
                let speaker = if meant.stance == Stance::Concedes { helps.map(Side::other) } else { helps };
                let reading = ear.read(lang, speaker, &example.text);
                let heard = reading.points.iter().find(|heard| heard.point == meant.id);
                report.let_through.count(reading.language == Language::Speech);
                if HARD.contains(&example.voice.as_str()) {
                    report.let_through_hard.count(reading.language == Language::Speech);
                }
                if meant.stance == Stance::Concedes && helps.is_some() {
                    report.admissions.count(reading.main().is_some_and(|main| main.helps == helps));
                    continue;
                }
                let voice =
                    if OBLIQUE.contains(&example.voice.as_str()) { &mut report.oblique } else { &mut report.plain };
                voice.count(heard.is_some());
                if let Some(main) = reading.main() {
                    report.right.count(example.points.iter().any(|point| point.id == main.point));
                }
                if let Some(heard) = heard {
                    report.stance.count(is_meant(heard, meant.stance, helps));
                }
                note(&mut report, &meant.id, meant.stance, &reading);
                if let Some(speaker) = speaker {
                    let turned = ear.read(lang, Some(speaker.other()), &example.text);
                    report.not_turned.count(turned.main().is_none_or(|main| main.helps != Some(speaker.other())));
                }
            }
        }
    }
    report
}

/// Whether a point was heard as it was meant: for, against, or conceded.
fn is_meant(heard: &Heard, meant: Stance, helps: Option<Side>) -> bool {
    let given = |stance: Stance| matches!(stance, Stance::Concedes | Stance::Conditional);
    match helps {
        Some(_) => heard.helps == helps,
        None => heard.stance == meant || (given(heard.stance) && given(meant)),
    }
}

fn judge_pointless(lang: Lang, subject: &Subject, ear: &Ear, example: &Example, report: &mut Report) {
    let sided = subject.syllabus.points.iter().any(|(_, side)| side.is_some());
    let speakers: &[Option<Side>] = if sided { &[Some(Side::First), Some(Side::Second)] } else { &[None] };
    let what = example.none.clone().unwrap_or_default();
    for speaker in speakers {
        let reading = ear.read(lang, *speaker, &example.text);
        report.false_alarms.entry(what.clone()).or_default().count(reading.main().is_some());
    }
}

fn note(report: &mut Report, id: &str, stance: Stance, reading: &Reading) {
    let meant = format!("{id} {}", stance.word());
    let heard = reading.main().map_or("nothing".to_owned(), |main| format!("{} {}", main.point, main.stance.word()));
    report.by_point.entry(meant.clone()).or_default().count(heard == meant);
    if heard != meant {
        *report.confusions.entry((meant, heard)).or_default() += 1;
    }
}
