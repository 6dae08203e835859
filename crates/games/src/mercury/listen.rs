//! What a message says: which issues it is about, for or against which options, and whose conditions it meets.
//!
//! The lines of house minds are known by heart; anybody else's words are told by their signs.

use super::content::{Content, RoleText, content};
use super::words::{Choice, Issue, Role};
use crate::speech;
use engine::roster::Lang;

/// Words that must be heard whole: as beginnings they would be heard in too many others.
const WHOLE: [&str; 8] = ["all", "list", "coal", "plan", "agree", "law", "air", "ore"];
/// Signs of an option that must be heard before a message is about it.
const SIGNS_MIN: usize = 2;

/// One thing a message says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Says {
    pub(super) option: Choice,
    /// For it, or against it.
    pub(super) favours: bool,
}

/// A message, understood.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Meaning {
    /// The issues it is about.
    pub(super) issues: Vec<Issue>,
    /// What it says on them.
    pub(super) says: Vec<Says>,
    /// Whether it was written by hand for a house mind: such lines meet nobody's conditions.
    pub(super) by_heart: bool,
}

/// What a text means.
pub(super) fn understand(lang: Lang, speaker: Role, text: &str) -> Meaning {
    let content = content(lang);
    known(&content.roles[speaker.index()], text).unwrap_or_else(|| heard(lang, content, text))
}

/// A line of the speaker's own library, alone or after an answer.
fn known(role: &RoleText, text: &str) -> Option<Meaning> {
    let by_heart = |issue: Issue, says: Vec<Says>| Meaning { issues: vec![issue], says, by_heart: true };
    let ends = |lines: &[String]| lines.iter().any(|line| text.ends_with(line.as_str()));
    for issue in Issue::ALL {
        let name = issue.0.to_string();
        for (option, sides) in &role.debate[&name] {
            if ends(&sides.r#for) {
                return Some(by_heart(issue, vec![Says { option: *option, favours: true }]));
            }
            if ends(&sides.against) {
                return Some(by_heart(issue, vec![Says { option: *option, favours: false }]));
            }
        }
        let private = &role.private;
        let quiet = [&private.position, &private.ask, &private.offer, &private.met, &private.unmoved];
        if quiet.iter().any(|lines| ends(&lines[&name])) || ends(&role.moved[&name]) || ends(&role.hardened[&name]) {
            return Some(by_heart(issue, vec![]));
        }
    }
    let polite = [&role.private.greet, &role.private.unclear, &role.private.last];
    polite.iter().any(|lines| ends(lines)).then(|| Meaning { by_heart: true, ..Meaning::default() })
}

fn heard(lang: Lang, content: &Content, text: &str) -> Meaning {
    let mut meaning = Meaning::default();
    for sentence in speech::sentences(text) {
        let ear = Ear::new(lang, sentence);
        let against = ear.count(&content.against) > 0;
        for (issue, words) in Issue::ALL.into_iter().zip(&content.issues) {
            // Named by its number, or by what it is about.
            let named = words.options.iter().any(|option| ear.names(option.option_id));
            if !named && ear.count(&words.words) == 0 {
                continue;
            }
            if !meaning.issues.contains(&issue) {
                meaning.issues.push(issue);
            }
            let signs = |option: Choice| {
                let told = ear.count(&content.option(option).words);
                if ear.names(option) { told + SIGNS_MIN } else { told }
            };
            let best = issue
                .options()
                .map(|option| (signs(option), option))
                .fold((0, None), |best, (count, option)| if count > best.0 { (count, Some(option)) } else { best });
            if let (SIGNS_MIN.., Some(option)) = best {
                let says = Says { option, favours: !against };
                if !meaning.says.contains(&says) {
                    meaning.says.push(says);
                }
            }
        }
    }
    meaning
}

/// The conditions of a role on an issue that this text meets, by name.
pub(super) fn conditions_met(lang: Lang, role: Role, issue: Issue, text: &str) -> Vec<String> {
    let conditions = &content(lang).roles[role.index()].conditions[&issue.0.to_string()];
    let ear = Ear::new(lang, text);
    let met = conditions.iter().filter(|condition| ear.count(&condition.words) >= SIGNS_MIN);
    met.map(|condition| condition.id.clone()).collect()
}

struct Ear {
    lang: Lang,
    words: Vec<String>,
    /// Without spaces, as Korean is written by many.
    run: String,
    raw: String,
}

impl Ear {
    fn new(lang: Lang, text: &str) -> Self {
        let raw = text.to_lowercase();
        let mut words = speech::words(text);
        // Words joined by a hyphen or an apostrophe are heard apart and together.
        words.extend(raw.split_whitespace().filter(|word| word.contains(['-', '\''])).map(str::to_owned));
        Ear { lang, words, run: raw.split_whitespace().collect(), raw }
    }

    fn count(&self, signs: &[String]) -> usize {
        signs.iter().filter(|sign| self.hears(sign)).count()
    }

    fn hears(&self, sign: &str) -> bool {
        match self.lang {
            Lang::En if WHOLE.contains(&sign) => self.words.iter().any(|word| word == sign),
            Lang::En => self.words.iter().any(|word| word.starts_with(sign)),
            Lang::Ko => self.run.contains(sign),
        }
    }

    /// Whether the option is called by its number: "2.1", not "12.1" or "2.15".
    fn names(&self, option: Choice) -> bool {
        let name = option.to_string();
        self.raw.match_indices(&name).any(|(at, found)| {
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
            let after = self.raw[at + found.len()..].chars();
            let ends = after.clone().next();
            let goes_on = ends == Some('.') && after.clone().nth(1).is_some_and(|c| c.is_ascii_digit());
            !digit(self.raw[..at].chars().next_back()) && !ends.is_some_and(|c| c.is_ascii_digit()) && !goes_on
        })
    }
}
