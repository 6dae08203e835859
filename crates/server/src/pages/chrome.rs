//! What every page has around it: the language, the translated words, the header's data.

use engine::roster::Lang;
use engine::time::Timestamp;
use fluent_templates::fluent_bundle::FluentValue;
use fluent_templates::{LanguageIdentifier, Loader as _, langid, static_loader};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;

static_loader! {
    static LOCALES = {
        locales: "./locales",
        fallback_language: "en",
        // Without this, U+2068 and U+2069 land in the page around every argument.
        customise: |bundle| bundle.set_use_isolating(false),
    };
}

static EN: LanguageIdentifier = langid!("en");
static KO: LanguageIdentifier = langid!("ko");

/// Refusals whose English sentence has numbers or names that the page's own words would lose.
const SAID_BEST_BY_API: [&str; 7] = [
    "INVALID_BODY",
    "INVALID_PLAYERS",
    "NOT_ENOUGH_PLAYERS",
    "TABLE_FULL",
    "NOT_SILENT_YET",
    "CANNOT_ADVANCE",
    "TOO_MANY_KEYS",
];

/// The frame of a page.
#[derive(Clone, Debug)]
pub struct Chrome {
    /// The words of the page's language.
    pub w: Words,
    /// What the browser's tab says, without the name of the house.
    pub title: String,
    /// The signed-in account's name.
    pub user: Option<String>,
    /// Whether the page is the same for everybody, so that it cannot say who is signed in.
    pub shared: bool,
    /// Whether that account may open `/admin`.
    pub admin: bool,
    /// What that account has, in IA.
    pub balance: Option<u64>,
    /// Whether that was changed just now.
    pub moved: bool,
    /// This page's path and query, to come back to after switching language or signing in.
    pub path: String,
}

impl Chrome {
    /// The frame for a visitor who has not signed in.
    pub fn new(lang: Lang, title: impl Into<String>, path: impl Into<String>) -> Self {
        Chrome {
            w: Words(lang),
            title: title.into(),
            user: None,
            shared: false,
            admin: false,
            balance: None,
            moved: false,
            path: path.into(),
        }
    }
}

/// The words of one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words(pub Lang);

impl Words {
    /// The language as `lang` attributes and forms spell it.
    pub fn code(&self) -> &'static str {
        match self.0 {
            Lang::En => "en",
            Lang::Ko => "ko",
        }
    }

    /// Whether these are Korean words.
    pub fn ko(&self) -> bool {
        self.0 == Lang::Ko
    }

    /// The sentence of that key.
    pub fn t(&self, key: &str) -> String {
        t(self.0, key, &[])
    }

    /// The sentence of `key-which`, for words that go by a role, a phase or a kind.
    pub fn of(&self, key: &str, which: impl Display) -> String {
        self.t(&format!("{key}-{which}").replace('_', "-"))
    }

    /// The sentence with one word put in.
    pub fn t1(&self, key: &str, name: &'static str, value: impl Display) -> String {
        t(self.0, key, &[(name, Arg::Word(value.to_string()))])
    }

    /// The sentence with two words put in.
    pub fn t2(
        &self,
        key: &str,
        name: &'static str,
        value: impl Display,
        name2: &'static str,
        value2: impl Display,
    ) -> String {
        t(self.0, key, &[(name, Arg::Word(value.to_string())), (name2, Arg::Word(value2.to_string()))])
    }

    /// The sentence with the count `n`, in the plural that goes with it.
    pub fn n(&self, key: &str, n: impl Display) -> String {
        t(self.0, key, &[("n", Arg::count(n))])
    }

    /// The sentence with the count `n` and one word.
    pub fn n1(&self, key: &str, n: impl Display, name: &'static str, value: impl Display) -> String {
        t(self.0, key, &[("n", Arg::count(n)), (name, Arg::Word(value.to_string()))])
    }

    /// Names in a row, cut after `most` with the number of those left out.
    pub fn names<'a>(&self, names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
        let names: Vec<&str> = names.into_iter().collect();
        match &names[..] {
            [] => String::new(),
            [only] => (*only).to_owned(),
            [others @ .., last] if names.len() <= most + 1 => {
                self.t2("names-last", "names", others.join(", "), "last", last)
            }
            all => self.n1("names-more", all.len() - most, "names", all[..most].join(", ")),
        }
    }

    /// How long ago something was, roughly.
    pub fn ago(&self, then: Timestamp, now: Timestamp) -> String {
        let s = (now.0 - then.0).max(0) / 1000;
        match s {
            0..60 => self.t("ago-now"),
            60..3600 => self.n("ago-minutes", s / 60),
            3600..86_400 => self.n("ago-hours", s / 3600),
            _ => self.n("ago-days", s / 86_400),
        }
    }

    /// A number of seconds as people say it.
    pub fn span(&self, seconds: u32) -> String {
        match seconds {
            s if s >= 3600 && s % 3600 == 0 => self.n("span-hours", s / 3600),
            s if s >= 60 && s % 60 == 0 => self.n("span-minutes", s / 60),
            s => self.n("span-seconds", s),
        }
    }

    /// Why something was refused: in the page's own words where its code is known, else the API's sentence.
    pub fn refused(&self, code: &str, field: Option<&str>, sentence: &str) -> String {
        if self.0 == Lang::En && SAID_BEST_BY_API.contains(&code) {
            return sentence.to_owned();
        }
        let spelt = |text: &str| text.to_lowercase().replace('_', "-");
        let about = field.and_then(|field| self.known(&format!("refused-{}-{}", spelt(code), spelt(field))));
        about.or_else(|| self.known(&format!("refused-{}", spelt(code)))).unwrap_or_else(|| sentence.to_owned())
    }

    fn known(&self, key: &str) -> Option<String> {
        LOCALES.lookup_no_default_fallback(self.id(), key, None::<&HashMap<Cow<'static, str>, FluentValue>>)
    }

    fn id(&self) -> &'static LanguageIdentifier {
        match self.0 {
            Lang::En => &EN,
            Lang::Ko => &KO,
        }
    }
}

/// Something put into a sentence.
pub enum Arg {
    /// A word; in Korean its particles come with it.
    Word(String),
    /// A number that decides the plural.
    Count(i64),
}

impl Arg {
    fn count(n: impl Display) -> Self {
        Arg::Count(n.to_string().parse().unwrap_or(0))
    }
}

/// The sentence of that key. Each word `x` also brings `x_eun`, `x_i`, `x_eul`, `x_gwa` and `x_ro` for Korean.
pub fn t(lang: Lang, key: &str, args: &[(&'static str, Arg)]) -> String {
    let mut given: HashMap<Cow<'static, str>, FluentValue<'_>> = HashMap::new();
    for (name, arg) in args {
        match arg {
            Arg::Count(n) => {
                given.insert((*name).into(), (*n).into());
            }
            Arg::Word(word) => {
                if lang == Lang::Ko {
                    for (suffix, pair) in PARTICLES {
                        given.insert(format!("{name}_{suffix}").into(), particle(word, pair).into());
                    }
                }
                given.insert((*name).into(), word.as_str().into());
            }
        }
    }
    let words = Words(lang);
    LOCALES.try_lookup_with_args(words.id(), key, &given).unwrap_or_else(|| key.to_owned())
}

/// A Korean particle: after a final consonant, after a vowel, and when one cannot know.
type Particle = (&'static str, &'static str, &'static str);

const PARTICLES: [(&str, Particle); 5] = [
    ("eun", ("은", "는", "은(는)")),
    ("i", ("이", "가", "이(가)")),
    ("eul", ("을", "를", "을(를)")),
    ("gwa", ("과", "와", "와(과)")),
    ("ro", ("으로", "로", "(으)로")),
];

fn particle(word: &str, (closed, open, unknown): Particle) -> &'static str {
    let last = word.chars().rev().find(|c| c.is_alphanumeric());
    let Some(last) = last else { return unknown };
    let ro = closed == "으로";
    match last {
        '가'..='힣' => {
            let tail = (u32::from(last) - u32::from('가')) % 28;
            // 로 also follows ㄹ, the eighth tail.
            if tail == 0 || (ro && tail == 8) { open } else { closed }
        }
        '1' | '7' | '8' if ro => open,
        '0' | '1' | '3' | '6' | '7' | '8' => closed,
        '2' | '4' | '5' | '9' => open,
        _ => match last.to_ascii_lowercase() {
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' => open,
            'l' if ro => open,
            'l' | 'm' | 'n' => closed,
            // How other consonants are read depends on the word.
            _ => unknown,
        },
    }
}

/// A refusal shown beside the field it is about, with what had been typed.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    /// The API's stable code, such as `ALREADY_ACTED`.
    pub code: String,
    /// The form field it is about; none means the whole form.
    pub field: Option<String>,
    /// The API's English sentence.
    pub sentence: String,
    /// What the form held, by field name, so that nothing typed is lost.
    pub draft: Vec<(String, String)>,
}

impl Refusal {
    /// What had been typed into that field.
    pub fn typed(&self, field: &str) -> Option<&str> {
        self.draft.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// Whether it is about that field.
    pub fn about(&self, field: &str) -> bool {
        self.field.as_deref() == Some(field)
    }

    /// The sentence in the page's language.
    pub fn say(&self, w: &Words) -> String {
        w.refused(&self.code, self.field.as_deref(), &self.sentence)
    }
}

/// What a form shows again after a refusal, and where the refusal stands.
#[derive(Clone, Debug, Default)]
pub struct Again(pub Option<Refusal>);

impl Again {
    /// What had been typed into that field, else nothing.
    pub fn typed(&self, field: &str) -> &str {
        self.0.as_ref().and_then(|refusal| refusal.typed(field)).unwrap_or("")
    }

    /// What had been typed into that field, else this.
    pub fn typed_or<'a>(&'a self, field: &str, or: &'a str) -> &'a str {
        self.0.as_ref().and_then(|refusal| refusal.typed(field)).unwrap_or(or)
    }

    /// Whether this was one of the choices made in that field.
    pub fn chose(&self, field: &str, value: impl Display) -> bool {
        let value = value.to_string();
        let draft = self.0.as_ref().map_or(&[][..], |refusal| &refusal.draft);
        draft.iter().any(|(name, chosen)| name == field && *chosen == value)
    }

    /// Whether the choice that had been made in that field ends so.
    pub fn holds(&self, field: &str, end: impl Display) -> bool {
        self.typed(field).ends_with(&end.to_string())
    }

    /// The sentence to stand beside that field.
    pub fn beside(&self, w: &Words, field: &str) -> Option<String> {
        self.0.as_ref().filter(|refusal| refusal.about(field)).map(|refusal| refusal.say(w))
    }

    /// The sentence to stand above the form, when it is about none of these fields.
    pub fn above(&self, w: &Words, fields: &[&str]) -> Option<String> {
        let elsewhere = |refusal: &&Refusal| !fields.iter().any(|field| refusal.about(field));
        self.0.as_ref().filter(elsewhere).map(|refusal| refusal.say(w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_follow_the_final_sound() {
        let eun = ("은", "는", "은(는)");
        let ro = ("으로", "로", "(으)로");
        for (word, expected) in
            [("민준", "은"), ("지우", "는"), ("Alice", "는"), ("Susan", "은"), ("Bob", "은(는)"), ("7", "은")]
        {
            assert_eq!(particle(word, eun), expected, "{word}");
        }
        assert_eq!(particle("서울", ro), "로");
        assert_eq!(particle("부산", ro), "으로");
    }

    #[test]
    fn a_known_code_speaks_the_language_of_the_page_and_an_unknown_one_the_api_s() {
        let ko = Words(Lang::Ko);
        assert_ne!(ko.refused("ALREADY_ACTED", None, "Already"), "Already");
        assert_eq!(ko.refused("BRAND_NEW", None, "Something new."), "Something new.");
        assert_eq!(Words(Lang::En).refused("INVALID_BODY", Some("text"), "Exactly."), "Exactly.");
    }
}
