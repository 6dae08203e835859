//! What kinds with a docket share: the cases in both languages, the house's material for each, and the loading of added case files.

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

/// What a docket needs to know of a case.
pub trait Case: PartialEq {
    /// Its id, the same in both languages.
    fn id(&self) -> &str;
}

/// Cases in both languages, each with the house's material for it: lines, models, scripts.
pub struct Cases<C, B> {
    english: Vec<C>,
    korean: Vec<C>,
    behind: Vec<(Lang, B)>,
    /// The cases that ship with Moot and have not been replaced, by language and id.
    shipped: Vec<(Lang, String)>,
}

impl<C, B> Default for Cases<C, B> {
    fn default() -> Self {
        Cases { english: vec![], korean: vec![], behind: vec![], shipped: vec![] }
    }
}

impl<C: Case, B> Cases<C, B> {
    pub fn of(&self, lang: Lang) -> &[C] {
        match lang {
            Lang::En => &self.english,
            Lang::Ko => &self.korean,
        }
    }

    pub fn find(&self, lang: Lang, id: &str) -> Option<&C> {
        self.of(lang).iter().find(|case| case.id() == id)
    }

    pub fn ids(&self, lang: Lang) -> Vec<&str> {
        self.of(lang).iter().map(C::id).collect()
    }

    /// Each case once: the English ones, then those that exist only in Korean.
    pub fn once(&self) -> impl Iterator<Item = &C> {
        let only_korean = self.korean.iter().filter(|case| self.find(Lang::En, case.id()).is_none());
        self.english.iter().chain(only_korean)
    }

    /// The house's material for the case that `is_it` accepts. An id is not enough: a case that was edited since keeps its id, but the
    /// lines and models are not for it.
    pub fn behind(&self, lang: Lang, is_it: impl Fn(&C) -> bool) -> Option<&B> {
        let place = self.of(lang).iter().position(is_it)?;
        self.behind.iter().filter(|(spoken, _)| *spoken == lang).nth(place).map(|(_, behind)| behind)
    }

    /// The house's material for all cases.
    pub fn all_behind(&self) -> impl Iterator<Item = &B> {
        self.behind.iter().map(|(_, behind)| behind)
    }

    /// From now on, cases are the operator's own: each may take the place of a shipped one.
    pub fn all_so_far_are_shipped(&mut self) {
        let of = |lang: Lang| self.of(lang).iter().map(move |case| (lang, case.id().to_owned()));
        self.shipped = of(Lang::En).chain(of(Lang::Ko)).collect();
    }

    /// Whether the case of that id ships with Moot.
    pub fn is_shipped(&self, lang: Lang, id: &str) -> bool {
        self.shipped.iter().any(|(of, shipped)| *of == lang && id == shipped)
    }

    /// Adds a case. One with an id that this language already has takes the place of a shipped case, with all that the house says in it;
    /// anything else is an error.
    pub fn add(&mut self, lang: Lang, case: C, behind: B) -> Result<(), String> {
        if let Some(place) = self.of(lang).iter().position(|known| known.id() == case.id()) {
            let shipped = self.shipped.iter().position(|(of, id)| *of == lang && id == case.id());
            let Some(shipped) = shipped else {
                return Err(format!("{} is on the docket already in this language", case.id()));
            };
            self.shipped.swap_remove(shipped);
            let known = self.behind.iter_mut().filter(|(spoken, _)| *spoken == lang).nth(place);
            known.expect("every case has something behind it").1 = behind;
            match lang {
                Lang::En => self.english[place] = case,
                Lang::Ko => self.korean[place] = case,
            }
            return Ok(());
        }
        match lang {
            Lang::En => self.english.push(case),
            Lang::Ko => self.korean.push(case),
        }
        self.behind.push((lang, behind));
        Ok(())
    }
}

/// Loads a server's own case files, given as name and text, with the models learned for their cases, by id. An error names the file and
/// what is wrong with it.
pub fn take_in(
    files: &[(String, String)],
    models: &OwnModels,
    mut file: impl FnMut(&str, &dyn Fn(&str) -> Bytes) -> Result<(), String>,
) -> Result<(), String> {
    let models = |id: &str| models.get(id).copied().unwrap_or_default();
    files.iter().try_for_each(|(name, text)| file(text, &models).map_err(|wrong| format!("{name}: {wrong}")))
}

/// Defines a kind's house words: `FILES`, their JSON, and `library`, which parses that of a language once.
macro_rules! house_words {
    ($kind:literal, $library:ty) => {
        /// The JSON of the words, in English and in Korean.
        pub(super) const FILES: [&str; 2] = [
            include_str!(concat!("../../../../briefs/", $kind, "/house.en.json")),
            include_str!(concat!("../../../../briefs/", $kind, "/house.ko.json")),
        ];

        pub(super) fn library(lang: engine::roster::Lang) -> &'static $library {
            static BOTH: [std::sync::OnceLock<$library>; 2] = [const { std::sync::OnceLock::new() }; 2];
            let read =
                |text| serde_json::from_str(text).expect("the words are part of the program and a test reads them");
            BOTH[lang as usize].get_or_init(|| read(FILES[lang as usize]))
        }
    };
}
pub(crate) use house_words;
