//! What the meeting is made of: its reference tables, and the roles with their briefs and lines, which are compiled in. What a game draws
//! from it is kept in its log.

use super::reference::{self, Rows, Tables, Variant};
use super::state::State;
use super::words::{Choice, Issue, Role};
use crate::speech;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The content of one language.
#[derive(Debug)]
pub struct Content {
    /// The issues, in order.
    pub issues: Vec<IssueText>,
    pub(super) roles: Vec<RoleText>,
    /// In the order of their ids.
    pub(super) openings: Vec<Variant>,
    chair: BTreeMap<String, Vec<String>>,
    /// The excerpts of the assessment that may be cited.
    pub excerpts: Vec<Excerpt>,
    /// Sentences that introduce a citation, each with a slot for the excerpt.
    pub(super) cites: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of the files")]
pub struct IssueText {
    pub(super) issue_id: String,
    pub title: String,
    /// What people call it, in lower case.
    pub called: Vec<String>,
    pub question: String,
    pub prompt: String,
    pub options: Vec<OptionText>,
    /// For the minds that play delegations; players never see them.
    pub(super) ai_notes: BTreeMap<Choice, String>,
}

#[derive(Debug, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of the files")]
pub struct OptionText {
    pub option_id: Choice,
    pub label: String,
    pub description: String,
    /// How it is named in the middle of a sentence.
    pub(super) said: String,
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

/// What ships with Moot.
pub fn content(lang: Lang) -> &'static Content {
    static ENGLISH: LazyLock<Content> = LazyLock::new(|| Content::of(Lang::En, Rows::shipped(Lang::En)));
    static KOREAN: LazyLock<Content> = LazyLock::new(|| Content::of(Lang::Ko, Rows::shipped(Lang::Ko)));
    match lang {
        Lang::En => &ENGLISH,
        Lang::Ko => &KOREAN,
    }
}

/// What a meeting of these tables is made of. A meeting that names none was held when there were only the shipped ones.
pub fn content_of(lang: Lang, tables: Option<&Tables>) -> &'static Content {
    tables.and_then(|tables| reference::content_by(lang, tables)).unwrap_or_else(|| content(lang))
}

/// The stances of a shipped opening by issue, as the file has them.
pub(super) fn shipped_stances(variant_id: &str) -> Option<Value> {
    static STANCES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../../../briefs/mercury/stances.json")).expect(PART_OF_THE_PROGRAM)
    });
    STANCES.get(variant_id).cloned()
}

const PART_OF_THE_PROGRAM: &str = "the content is part of the program and a test reads it";

impl Content {
    pub(super) fn of(lang: Lang, rows: Rows) -> Self {
        fn json<T: for<'a> Deserialize<'a>>(text: &str) -> T {
            serde_json::from_str(text).expect(PART_OF_THE_PROGRAM)
        }
        let files = match lang {
            Lang::En => &EN,
            Lang::Ko => &KO,
        };
        let Rows { mut openings, excerpts, chair, issues } = rows;
        openings.sort_by(|a, b| a.id.cmp(&b.id));
        let roles = files.roles.iter().map(|text| json(text)).collect();
        Content { issues, roles, openings, chair, excerpts, cites: json(files.cites) }
    }

    /// The same, if house minds and the Chair can work with these rows.
    pub(super) fn checked(lang: Lang, rows: Rows) -> Result<Self, String> {
        let content = Content::of(lang, rows);
        for key in self::content(lang).chair.keys() {
            if content.chair(key).is_empty() {
                return Err(format!("japan_scripts has no line for {key}"));
            }
        }
        for (opening, issue) in content.openings.iter().flat_map(|one| Issue::ALL.map(|issue| (one, issue))) {
            let known = &content.roles[opening.role.index()].conditions[&issue.0.to_string()];
            let stance = &opening.stances[issue.index()];
            if let Some(odd) = stance.conditions.iter().find(|id| known.iter().all(|condition| condition.id != **id)) {
                return Err(format!("opening {}: {odd:?} is no condition of {}", opening.id, opening.role.word()));
            }
        }
        Ok(content)
    }

    /// The variants of a role, in the order of their ids.
    pub(super) fn openings(&self, role: Role) -> impl Iterator<Item = &Variant> {
        self.openings.iter().filter(move |variant| variant.role == role)
    }

    /// What a mind that plays this role is told: the options with what they cost, what would win it over, and its secrets.
    pub(super) fn brief(&self, role: Role) -> engine::rules::Brief {
        let own = &self.roles[role.index()];
        let options = self.issues.iter().flat_map(|issue| issue.options.iter().map(move |option| (issue, option)));
        let notes = options.map(|(issue, option)| {
            format!("Option {}: {} {}", option.option_id, option.label, issue.ai_notes[&option.option_id])
        });
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

    /// The same, with what the role wants of its private talks in this meeting.
    pub(super) fn brief_of(&self, state: &State, role: Role) -> engine::rules::Brief {
        let mut brief = self.brief(role);
        let drawn = state.openings.iter().find(|opening| opening.role == role);
        let variant = drawn.and_then(|drawn| self.openings(role).find(|variant| variant.id == drawn.variant_id));
        brief.private.extend(variant.into_iter().flat_map(|variant| variant.interests.clone()));
        brief
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
    cites: &'static str,
    /// In the order of the roles.
    roles: [&'static str; 9],
}

macro_rules! files {
    ($lang:literal) => {
        Files {
            cites: include_str!(concat!("../../../../briefs/mercury/cites.", $lang, ".json")),
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

/// The lines that ship with Moot, in both languages, as the texts of JSON files.
pub(super) fn files() -> Vec<&'static str> {
    let of = |files: &'static Files| [files.cites].into_iter().chain(files.roles);
    let tables = [Lang::En, Lang::Ko].into_iter().flat_map(reference::texts);
    [&EN, &KO].into_iter().flat_map(of).chain(tables).collect()
}
