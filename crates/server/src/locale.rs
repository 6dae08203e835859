//! The sentences of the house in English and Korean, and a guess which of the two a text is written in.

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

    pub fn ko(&self) -> bool {
        self.0 == Lang::Ko
    }

    pub fn t(&self, key: &str) -> String {
        t(self.0, key, &[])
    }

    /// The sentence of `key-which`, for words that depend on a role, a phase or a kind; `which` itself if there is none.
    pub fn of(&self, key: &str, which: impl Display) -> String {
        self.known(&format!("{key}-{which}").replace('_', "-")).unwrap_or_else(|| which.to_string().replace('_', " "))
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

    /// Names as a list: more than `most` + 1 are cut after `most`, with the number left out.
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

/// The sentence of `key`, or the key itself if there is none. In Korean each word `x` also brings `x_eun`, `x_i`, `x_eul`, `x_gwa` and
/// `x_ro`.
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

/// A Korean particle: after a final consonant, after a vowel, and where the final sound is unknown.
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

/// The language of a text for the `lang` attribute, as far as its letters tell: `ko`, `en`, or empty if unknown.
pub fn lang_of(text: &str) -> &'static str {
    if text.chars().any(|c| ('가'..='힣').contains(&c)) {
        return "ko";
    }
    let foreign = |c: char| c.is_alphabetic() && !c.is_ascii();
    if text.contains(foreign) || !text.contains(|c: char| c.is_ascii_alphabetic()) { "" } else { "en" }
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
