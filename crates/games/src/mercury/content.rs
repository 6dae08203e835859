//! What the meeting is made of: issues, roles with their briefs and lines, the Chair's script, excerpts of the assessment.
//! Compiled in; what a game draws from it is kept in its log.

use super::stance::Stance;
use super::words::{Choice, Issue, Role};
use crate::speech;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The content of one language.
#[derive(Debug)]
pub struct Content {
    /// The issues, in order.
    pub issues: Vec<IssueText>,
    pub(super) roles: Vec<RoleText>,
    chair: BTreeMap<String, Vec<String>>,
    /// The excerpts of the assessment that may be cited.
    pub excerpts: Vec<Excerpt>,
    /// Sentences that introduce a citation, each with a slot for the excerpt.
    pub(super) cites: Vec<String>,
}

#[derive(Deserialize)]
struct IssuesFile {
    cites: Vec<String>,
    issues: Vec<IssueText>,
}

#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of the files")]
pub struct IssueText {
    pub title: String,
    /// What people call it, in lower case.
    pub called: Vec<String>,
    pub question: String,
    pub prompt: String,
    pub options: Vec<OptionText>,
}

#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of the files")]
pub struct OptionText {
    pub option_id: Choice,
    pub label: String,
    pub description: String,
    /// How it is named in the middle of a sentence.
    pub(super) said: String,
    /// For the mind that plays a delegation; players never see it.
    notes: String,
}

/// A fact of the assessment with its source.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of the files")]
pub struct Excerpt {
    pub id: String,
    pub text: String,
    pub source: String,
    /// What a delegation cites it for. Players judge for themselves.
    #[serde(skip_serializing)]
    pub(super) serves: Vec<Choice>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RoleText {
    pub(super) name: String,
    /// The article before the name in a sentence, if it takes one.
    article: Option<String>,
    brief: Brief,
    pub(super) openings: Vec<OpeningText>,
    pub(super) debate: BTreeMap<String, BTreeMap<Choice, Sides>>,
    pub(super) answers: Vec<String>,
    pub(super) moved: BTreeMap<String, Vec<String>>,
    /// What a country says if it would vote for no option as things stand, one line for each of its conditions, in their order.
    /// Organisations have no vote to withhold.
    #[serde(default)]
    pub(super) withheld: BTreeMap<String, Vec<String>>,
    pub(super) private: PrivateText,
    pub(super) conditions: BTreeMap<String, Vec<Condition>>,
}

/// What only the role itself knows.
#[derive(Debug, Deserialize)]
struct Brief {
    summary: String,
    interests: Vec<String>,
    red_lines: Vec<String>,
    key_facts: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OpeningText {
    pub(super) id: String,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sides {
    pub(super) r#for: Vec<String>,
    pub(super) against: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateText {
    pub(super) greet: Vec<String>,
    pub(super) position: BTreeMap<String, Vec<String>>,
    pub(super) ask: BTreeMap<String, Vec<String>>,
    pub(super) offer: BTreeMap<String, Vec<String>>,
    pub(super) met: BTreeMap<String, Vec<String>>,
    pub(super) agreed: BTreeMap<String, Vec<String>>,
    pub(super) unmoved: BTreeMap<String, Vec<String>>,
    pub(super) unclear: Vec<String>,
    pub(super) last: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Condition {
    pub(super) id: String,
    say: String,
    /// The offers that meet it, by the names under which they are heard.
    pub(super) offers: Vec<String>,
}

pub fn content(lang: Lang) -> &'static Content {
    static ENGLISH: LazyLock<Content> = LazyLock::new(|| Content::read(&EN));
    static KOREAN: LazyLock<Content> = LazyLock::new(|| Content::read(&KO));
    match lang {
        Lang::En => &ENGLISH,
        Lang::Ko => &KOREAN,
    }
}

/// The stances that an opening starts from, by issue.
pub(super) fn stances(variant_id: &str) -> Option<Vec<Stance>> {
    static STANCES: LazyLock<BTreeMap<String, BTreeMap<String, StanceFile>>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../../../briefs/mercury/stances.json")).expect(PART_OF_THE_PROGRAM)
    });
    let of_variant = STANCES.get(variant_id)?;
    Issue::ALL.into_iter().map(|issue| of_variant.get(&issue.0.to_string())?.stance(issue)).collect()
}

/// A stance as the file has it, from 0 to 1.
#[derive(Deserialize)]
struct StanceFile {
    preferred: Choice,
    acceptance: BTreeMap<Choice, Option<f64>>,
    firmness: f64,
    fallbacks: Vec<Choice>,
    conditions: Vec<String>,
}

impl StanceFile {
    fn stance(&self, issue: Issue) -> Option<Stance> {
        let hundredths = |value: f64| (value * 100.0).round() as u8;
        let acceptance: Option<Vec<Option<u8>>> =
            issue.options().map(|option| self.acceptance.get(&option).map(|value| value.map(hundredths))).collect();
        Some(Stance {
            preferred: self.preferred,
            acceptance: acceptance?,
            firmness: hundredths(self.firmness),
            fallbacks: self.fallbacks.clone(),
            conditions: self.conditions.clone(),
        })
    }
}

const PART_OF_THE_PROGRAM: &str = "the content is part of the program and a test reads it";

impl Content {
    fn read(files: &Files) -> Self {
        fn json<T: for<'a> Deserialize<'a>>(text: &str) -> T {
            serde_json::from_str(text).expect(PART_OF_THE_PROGRAM)
        }
        let IssuesFile { cites, issues } = json(files.issues);
        let roles = files.roles.iter().map(|text| json(text)).collect();
        Content { issues, roles, chair: json(files.chair), excerpts: json(files.excerpts), cites }
    }

    /// What a mind that plays this role is told: the options with what they cost, what would win it over, and its secrets.
    pub(super) fn brief(&self, role: Role) -> engine::rules::Brief {
        let own = &self.roles[role.index()];
        let options = self.issues.iter().flat_map(|issue| &issue.options);
        let notes = options.map(|option| format!("Option {}: {} {}", option.option_id, option.label, option.notes));
        let conditions = own.conditions.iter().flat_map(|(issue, all)| all.iter().map(move |one| (issue, &one.say)));
        let wants = conditions.map(|(issue, say)| format!("On issue {issue} you would give way further if {say}."));
        let Brief { summary, interests, red_lines, key_facts } = &own.brief;
        engine::rules::Brief {
            told: notes.chain(wants).collect(),
            private: [summary].into_iter().chain(interests).cloned().collect(),
            secret: red_lines.iter().chain(key_facts).cloned().collect(),
            ..engine::rules::Brief::default()
        }
    }

    /// What nobody who plays this role may state.
    pub fn secrets(&self, role: Role) -> Vec<String> {
        self.brief(role).secret
    }

    /// Whether a text gives away what only this role's brief says.
    pub fn leaks(&self, role: Role, text: &str) -> bool {
        speech::gives_away(&self.brief(role), text)
    }

    pub fn name(&self, role: Role) -> &str {
        &self.roles[role.index()].name
    }

    /// The line with a role's name in this slot: with its article, unless the line already has one there.
    pub(super) fn naming(&self, line: &str, (slot, role): (&str, Role), others: &[(&str, &str)]) -> String {
        let (before, name) = (line.split(&format!("{{{slot}}}")).next().unwrap_or_default(), self.name(role));
        let article = self.roles[role.index()].article.as_deref();
        let named = match article.filter(|article| !before.to_lowercase().ends_with(&format!("{article} "))) {
            Some(article) if before.is_empty() || before.trim_end().ends_with(['.', '?', '!']) => {
                let (first, rest) = article.split_at(1);
                format!("{}{rest} {name}", first.to_uppercase())
            }
            Some(article) => format!("{article} {name}"),
            None => name.to_owned(),
        };
        speech::fill(line, &[&[(slot, named.as_str())], others].concat())
    }

    pub fn issue(&self, issue: Issue) -> &IssueText {
        &self.issues[issue.index()]
    }

    pub fn option(&self, option: Choice) -> &OptionText {
        &self.issue(option.issue).options[usize::from(option.number) - 1]
    }

    /// The Chair's lines for an occasion.
    pub(super) fn chair(&self, key: &str) -> &[String] {
        self.chair.get(key).map_or(&[], Vec::as_slice)
    }
}

struct Files {
    issues: &'static str,
    chair: &'static str,
    excerpts: &'static str,
    /// In the order of the roles.
    roles: [&'static str; 9],
}

macro_rules! files {
    ($lang:literal) => {
        Files {
            issues: include_str!(concat!("../../../../briefs/mercury/issues.", $lang, ".json")),
            chair: include_str!(concat!("../../../../briefs/mercury/chair.", $lang, ".json")),
            excerpts: include_str!(concat!("../../../../briefs/mercury/excerpts.", $lang, ".json")),
            roles: [
                include_str!(concat!("../../../../briefs/mercury/roles/BRA.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/CAN.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/CHN.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/EU.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/TZA.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/USA.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/AMAP.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/MFF.", $lang, ".json")),
                include_str!(concat!("../../../../briefs/mercury/roles/WCPA.", $lang, ".json")),
            ],
        }
    };
}

static EN: Files = files!("en");
static KO: Files = files!("ko");

/// The text of all content files, in both languages.
pub(super) fn files() -> Vec<&'static str> {
    let of = |files: &'static Files| [files.issues, files.chair, files.excerpts].into_iter().chain(files.roles);
    [&EN, &KO].into_iter().flat_map(of).collect()
}
