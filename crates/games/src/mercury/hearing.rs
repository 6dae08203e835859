//! What a message says: which issues it is about, what it says for or against which options, what it offers, and whose conditions
//! that meets. Each issue has its own ear for its options; one more ear hears what a delegation offers another.

use super::content::{Content, content};
use super::state::State;
use super::words::{Choice, Issue, Role};
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::library::{self, Bytes, Shared, models};
use crate::listening::{Ear, Heard, Record, Stance, Subject};
use crate::speech::fill;
use engine::classify::text;
use engine::parts::transcript::{Entry, SeenBy};
use engine::roster::Lang;
use engine::rules::Point;
use serde::Deserialize as _;
use std::sync::{Arc, LazyLock};

/// One thing a message says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Says {
    pub(super) option: Choice,
    pub(super) stance: Stance,
}

impl Says {
    /// Which way it pulls and how strongly, in percent of a plain demand.
    pub(super) fn pull(self) -> i32 {
        match self.stance {
            Stance::Asserts => 100,
            Stance::Denies => -100,
            Stance::Conditional => 50,
            Stance::Concedes => 35,
            Stance::Asks | Stance::Presses => 0,
        }
    }

    pub(super) fn favours(self) -> bool {
        self.pull() > 0
    }
}

/// What a message says of options and offers, each named once.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Meaning {
    /// The issues it is about, the surest first.
    pub(super) issues: Vec<Issue>,
    pub(super) says: Vec<Says>,
    /// What it offers, by name.
    pub(super) offers: Vec<String>,
}

/// What a text means. In a debate only the issue on the table is listened for.
pub(super) fn understand(state: &State, about: Option<Issue>, text: &str) -> Meaning {
    // What is said in debate is public.
    meaning(state, about, about.is_some(), text)
}

fn meaning(state: &State, about: Option<Issue>, public: bool, text: &str) -> Meaning {
    let lang = state.lang;
    let mut meaning = Meaning::default();
    // What the text is about, the surest first.
    let mut issues: Vec<(Issue, u8)> = called_by_number(text).into_iter().map(|issue| (issue, SURE)).collect();
    let read = |ear: &Ear| match public {
        true => ear.recall_at_length(lang, None, text),
        false => Arc::new(ear.read_at_length(lang, None, text)),
    };
    for issue in Issue::ALL.into_iter().filter(|issue| about.is_none_or(|about| about == *issue)) {
        let options = read(&OPTIONS[issue.index()]);
        let heard = options.points.iter().filter_map(|heard| Some((says(heard)?, heard.sure)));
        for (heard, sure) in heard.chain(named(lang, issue, text).into_iter().map(|says| (says, SURE))) {
            issues.push((issue, sure));
            if !meaning.says.iter().any(|known| known.option == heard.option) {
                meaning.says.push(heard);
            }
        }
    }
    for heard in &read(&OFFERS).points {
        issues.extend(issue_of(&heard.point).map(|issue| (issue, heard.sure)));
        if heard.stance == Stance::Asserts && !meaning.offers.contains(&heard.point) {
            meaning.offers.push(heard.point.clone());
        }
    }
    if issues.is_empty() {
        issues = called_by_name(state.content(), text).into_iter().map(|issue| (issue, SURE)).collect();
    }
    issues.sort_by_key(|(_, sure)| std::cmp::Reverse(*sure));
    for (issue, _) in issues {
        if !meaning.issues.contains(&issue) {
            meaning.issues.push(issue);
        }
    }
    meaning
}

/// How sure a number or a name is.
const SURE: u8 = 100;

/// The issues that a text calls by their number: "issue four", "item 2", "의제 3", "세 번째 의제".
fn called_by_number(text: &str) -> Vec<Issue> {
    const CALLED: [&str; 4] = ["issue", "item", "의제", "안건"];
    const NUMBERS: [[&str; 3]; 4] =
        [["one", "first", "첫"], ["two", "second", "두"], ["three", "third", "세"], ["four", "fourth", "네"]];
    let words = text::words(text);
    let is_called = |word: &String| CALLED.iter().any(|called| word.starts_with(called));
    // "issue four" and "the fourth issue"; in Korean a counter stands between: "네 번째 의제".
    let numbers = |at: usize| {
        let after = words.get(at + 1);
        let before = words[..at].iter().rev().take(2);
        after.into_iter().chain(before)
    };
    let called = (0..words.len()).filter(|at| is_called(&words[*at])).flat_map(numbers);
    // A Korean particle or counter may stick to a figure.
    let figure = |word: &str| word.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok().map(Issue);
    let issue = |word: &String| {
        let named = |issue: &Issue| NUMBERS[issue.index()].contains(&word.as_str()) || figure(word) == Some(*issue);
        Issue::ALL.into_iter().find(named)
    };
    called.filter_map(issue).collect()
}

/// The issues that a text calls by what they are about, in the order of the agenda: "legal form", "배출".
fn called_by_name(content: &Content, text: &str) -> Vec<Issue> {
    let lower = text.to_lowercase();
    let called = |issue: &Issue| content.issues[issue.index()].called.iter().any(|name| lower.contains(name));
    Issue::ALL.into_iter().filter(called).collect()
}

fn says(heard: &Heard) -> Option<Says> {
    let option = heard.point.parse().ok()?;
    Some(Says { option, stance: heard.stance })
}

/// Options called by their numbers: "2.1", not "12.1" or "2.15". Whether that is for or against them follows from the whole text.
fn named(lang: Lang, issue: Issue, text: &str) -> Vec<Says> {
    let named = issue.options().filter(|option| is_named(text, *option));
    let says = |option| Some(Says { option, stance: OPTIONS[issue.index()].stance_of(lang, text)? });
    named.filter_map(says).collect()
}

fn is_named(text: &str, option: Choice) -> bool {
    let name = option.to_string();
    text.match_indices(&name).any(|(at, found)| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
        let after = text[at + found.len()..].chars();
        let ends = after.clone().next();
        let goes_on = ends == Some('.') && after.clone().nth(1).is_some_and(|c| c.is_ascii_digit());
        !digit(text[..at].chars().next_back()) && !ends.is_some_and(|c| c.is_ascii_digit()) && !goes_on
    })
}

fn issue_of(offer: &str) -> Option<Issue> {
    let (number, _) = offer.split_once('.')?;
    Issue::ALL.into_iter().find(|issue| issue.0.to_string() == number)
}

/// The conditions of a role on an issue that these offers meet, by name.
pub(super) fn conditions_met(lang: Lang, role: Role, issue: Issue, offers: &[String]) -> Vec<String> {
    let conditions = &content(lang).roles[role.index()].conditions[&issue.0.to_string()];
    let met = conditions.iter().filter(|condition| condition.offers.iter().any(|offer| offers.contains(offer)));
    met.map(|condition| condition.id.clone()).collect()
}

static KIND: LazyLock<Shared> = LazyLock::new(|| Shared::read(KIND_MODELS));
static OPTIONS: LazyLock<[Ear; 4]> =
    LazyLock::new(|| Issue::ALL.map(|issue| ear(&options(issue), OPTION_MODELS[issue.index()])));
static OFFERS: LazyLock<Ear> = LazyLock::new(|| ear(&offers(), OFFER_MODELS));

const OPTION_MODELS: [Bytes; 4] = [
    models!("mercury/options_1"),
    models!("mercury/options_2"),
    models!("mercury/options_3"),
    models!("mercury/options_4"),
];
const KIND_MODELS: Bytes = models!("mercury");
const OFFER_MODELS: Bytes = models!("mercury/offers");

/// A hash of the models by which meetings are heard.
pub(super) fn models() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| {
        let models = OPTION_MODELS.into_iter().chain([OFFER_MODELS, KIND_MODELS]);
        library::hash(models)
    });
    &HASH
}

/// Reading out the papers of the meeting (titles, questions, options) is not heard as an argument.
fn ear(syllabus: &Syllabus, models: Bytes) -> Ear {
    let issues = [Lang::En, Lang::Ko].into_iter().flat_map(|lang| &content(lang).issues);
    let papers = issues.flat_map(|issue| {
        let options = issue.options.iter().flat_map(|option| [option.label.as_str(), option.description.as_str()]);
        [issue.title.as_str(), issue.question.as_str(), issue.prompt.as_str()].into_iter().chain(options)
    });
    library::ear(Record::of(papers), syllabus, &KIND, models)
}

/// How far ahead of no point an option or an offer must be, in thousandths.
const HEARD_MIN: i32 = 500;

fn options(issue: Issue) -> Syllabus {
    Syllabus {
        points: issue.options().map(|option| (option.to_string(), None)).collect(),
        claims: vec![],
        rivals: true,
        many: false,
        heard_min: HEARD_MIN,
        lead_min: 0,
    }
}

fn offers() -> Syllabus {
    let conditions = content(Lang::En).roles.iter().flat_map(|role| role.conditions.values().flatten());
    let mut offers: Vec<String> = conditions.flat_map(|condition| condition.offers.iter().cloned()).collect();
    offers.sort_unstable();
    offers.dedup();
    let points = offers.into_iter().map(|offer| (offer, None)).collect();
    Syllabus { points, claims: vec![], rivals: false, many: false, heard_min: HEARD_MIN, lead_min: 0 }
}

/// What is learned: the options of each issue with the lines that delegations say on them, and offers.
pub fn subjects() -> Vec<Subject> {
    let subject = |folder: String, question: &'static str, syllabus: Syllabus, house| Subject {
        kind: "mercury",
        kind_models: KIND_MODELS,
        folder: format!("mercury/{folder}"),
        question,
        syllabus,
        house,
    };
    let of_issue = |issue: Issue| subject(format!("options_{}", issue.0), "option", options(issue), lines(issue));
    let offers = subject("offers".to_owned(), "offer", offers(), vec![]);
    Issue::ALL.into_iter().map(of_issue).chain([offers]).collect()
}

/// What delegations say in debate on the options of an issue.
fn lines(issue: Issue) -> Vec<(Lang, String, Option<Labelled>)> {
    let mut lines = Vec::new();
    for lang in [Lang::En, Lang::Ko] {
        let debates = content(lang).roles.iter().filter_map(|role| role.debate.get(&issue.0.to_string()));
        for (option, sides) in debates.flatten() {
            let mut say = |said: &[String], stance: Stance| {
                let point = || Labelled { id: option.to_string(), stance };
                lines.extend(said.iter().map(|line| (lang, line.clone(), Some(point()))));
            };
            say(&sides.r#for, Stance::Asserts);
            say(&sides.against, Stance::Denies);
        }
        lines.extend(answers(lang, issue));
        let withheld = content(lang).roles.iter().filter_map(|role| role.withheld.get(&issue.0.to_string())).flatten();
        for (line, option) in withheld.flat_map(|line| issue.options().map(move |option| (line, option))) {
            let said = fill(line, &[("option", content(lang).option(option).said.as_str())]);
            lines.push((lang, said, Some(Labelled { id: option.to_string(), stance: Stance::Conditional })));
        }
    }
    lines
}

/// What delegations say for an option after rejecting a rival's argument for another: the rejected argument is not the speaker's.
fn answers(lang: Lang, issue: Issue) -> Vec<(Lang, String, Option<Labelled>)> {
    let content = content(lang);
    let mut lines = Vec::new();
    for (role, text) in Role::ALL.into_iter().zip(&content.roles) {
        let mut rivals = Role::ALL.into_iter().filter(|rival| *rival != role).cycle();
        let mut answers = text.answers.iter().cycle();
        for (option, sides) in text.debate.get(&issue.0.to_string()).into_iter().flatten() {
            let others: Vec<Choice> = issue.options().filter(|other| other != option).collect();
            for (line, other) in sides.r#for.iter().zip(others.into_iter().cycle()) {
                let (Some(answer), Some(rival)) = (answers.next(), rivals.next()) else { continue };
                let said = content.option(other).said.as_str();
                let answer = content.naming(answer, ("speaker", rival), &[("option", said)]);
                let point = Labelled { id: option.to_string(), stance: Stance::Asserts };
                lines.push((lang, format!("{answer} {line}"), Some(point)));
            }
        }
    }
    lines
}

/// What a delegation's message says on options, taken by itself. Never which conditions it meets: those are their holder's secret.
pub(super) fn heard(state: &State, entry: &Entry) -> Option<Vec<Point>> {
    entry.line.seat?;
    // In a debate only the issue on the table was listened for.
    let about = entry.line.payload.as_ref().and_then(|told| Issue::deserialize(&told["issue_id"]).ok());
    let meaning = meaning(state, about, entry.line.seen_by == SeenBy::All, entry.line.text.as_deref()?);
    let point = |says: &Says| Point { point: says.option.to_string(), stance: says.stance.word(), helps: None };
    Some(meaning.says.iter().map(point).collect())
}
