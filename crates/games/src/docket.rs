//! What kinds with a docket share: the cases of both languages, each with what the house has for it, and files of one's own.

use crate::listening::{Bytes, OwnModels};
use engine::roster::Lang;
use engine::rules::OptionSpec;
use serde_json::Value;

/// The option that names a case.
pub const CASE: OptionSpec = OptionSpec {
    name: "case_id",
    about: "Which case is tried; one is drawn at the start if not given.",
    json: "string",
    accepts: Value::is_string,
    expected: "the id of a case",
    own_words: false,
    only_here: true,
};

/// A case that can be found again.
pub trait Case: PartialEq {
    /// Its id, the same in both languages.
    fn id(&self) -> &str;
}

/// Cases in both languages, each with what stands behind it: lines, models, scripts.
pub struct Cases<C, B> {
    english: Vec<C>,
    korean: Vec<C>,
    behind: Vec<(Lang, B)>,
}

impl<C, B> Default for Cases<C, B> {
    fn default() -> Self {
        Cases { english: vec![], korean: vec![], behind: vec![] }
    }
}

impl<C: Case, B> Cases<C, B> {
    /// The cases of a language.
    pub fn of(&self, lang: Lang) -> &[C] {
        match lang {
            Lang::En => &self.english,
            Lang::Ko => &self.korean,
        }
    }

    /// The case of that id in a language.
    pub fn find(&self, lang: Lang, id: &str) -> Option<&C> {
        self.of(lang).iter().find(|case| case.id() == id)
    }

    /// The ids of a language's cases.
    pub fn ids(&self, lang: Lang) -> Vec<&str> {
        self.of(lang).iter().map(C::id).collect()
    }

    /// One of each id: the English cases, and those that are in Korean only.
    pub fn once(&self) -> impl Iterator<Item = &C> {
        let only_korean = self.korean.iter().filter(|case| self.find(Lang::En, case.id()).is_none());
        self.english.iter().chain(only_korean)
    }

    /// What stands behind this very case: another case of the same id has lines and models of its own.
    pub fn behind(&self, lang: Lang, is_it: impl Fn(&C) -> bool) -> Option<&B> {
        let place = self.of(lang).iter().position(is_it)?;
        self.behind.iter().filter(|(spoken, _)| *spoken == lang).nth(place).map(|(_, behind)| behind)
    }

    /// Everything that stands behind any case.
    pub fn all_behind(&self) -> impl Iterator<Item = &B> {
        self.behind.iter().map(|(_, behind)| behind)
    }

    /// Adds a case, unless there is one of its id in this language.
    pub fn add(&mut self, lang: Lang, case: C, behind: B) -> Result<(), String> {
        if self.find(lang, case.id()).is_some() {
            return Err(format!("{} is on the docket already in this language", case.id()));
        }
        match lang {
            Lang::En => self.english.push(case),
            Lang::Ko => self.korean.push(case),
        }
        self.behind.push((lang, behind));
        Ok(())
    }
}

/// Takes files of one's own in, given as name and text, with the models that were learned for their cases, by id. Says which file is
/// wrong, and why.
pub fn take_in(
    files: &[(String, String)],
    models: &OwnModels,
    mut file: impl FnMut(&str, &dyn Fn(&str) -> Bytes) -> Result<(), String>,
) -> Result<(), String> {
    let models = |id: &str| models.get(id).copied().unwrap_or_default();
    files.iter().try_for_each(|(name, text)| file(text, &models).map_err(|wrong| format!("{name}: {wrong}")))
}

/// The house's own words of a kind: `FILES` as they are written, and `library`, which reads those of a language once.
macro_rules! house_words {
    ($kind:literal, $library:ty) => {
        /// The words as they are written, in English and in Korean.
        pub(super) const FILES: [&str; 2] = [
            include_str!(concat!("../../../../briefs/", $kind, "/house.en.json")),
            include_str!(concat!("../../../../briefs/", $kind, "/house.ko.json")),
        ];

        /// The words of a language.
        pub(super) fn library(lang: engine::roster::Lang) -> &'static $library {
            static BOTH: [std::sync::OnceLock<$library>; 2] = [const { std::sync::OnceLock::new() }; 2];
            let read =
                |text| serde_json::from_str(text).expect("the words are part of the program and a test reads them");
            BOTH[lang as usize].get_or_init(|| read(FILES[lang as usize]))
        }
    };
}
pub(crate) use house_words;
