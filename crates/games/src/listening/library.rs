//! Subjects, the models learned for them, and the ears made of these.

use super::lessons::{Example, Labelled, Split, Syllabus};
use super::school::HOUSE;
use super::{Ear, Record, Taught};
use engine::chain::Hash;
use engine::classify::model::Model;
use engine::roster::Lang;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Something that an ear is trained for: a case, or what all games of a kind argue about.
pub struct Subject {
    /// The kind of game.
    pub kind: &'static str,
    /// The shipped models that all subjects of its kind share.
    pub kind_models: Bytes,
    /// Where its examples and models are, below `briefs/`.
    pub folder: String,
    /// What is asked of a text. One text may answer two questions of a kind, such as which option it is for and what it offers.
    pub question: &'static str,
    /// What can be heard.
    pub syllabus: Syllabus,
    /// The lines of house minds, which are heard too: language, words, and the point of those that make one.
    pub house: Vec<(Lang, String, Option<Labelled>)>,
}

impl Subject {
    /// The folder of the models that all subjects of its kind share.
    pub fn kind_folder(&self) -> String {
        if self.folder == self.kind { format!("{}/kind", self.kind) } else { self.kind.to_owned() }
    }

    /// The lines of house minds in a language, as examples.
    pub fn house_examples(&self, lang: Lang) -> impl Iterator<Item = Example> {
        let house = self.house.iter().filter(move |(spoken, ..)| *spoken == lang);
        house.map(|(_, text, point)| Example {
            text: text.clone(),
            points: point.iter().cloned().collect(),
            none: point.is_none().then(|| "filler".to_owned()),
            voice: HOUSE.into(),
            by: HOUSE.into(),
            split: Split::Train,
        })
    }

    /// Whether the other subject's examples may make points here too: the same kind, but another question.
    pub(super) fn is_shared_with(&self, other: &Subject) -> bool {
        self.kind == other.kind && self.question != other.question
    }
}

/// The bytes of a model for each language; empty if there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes {
    pub english: &'static [u8],
    pub korean: &'static [u8],
}

impl Bytes {
    /// Whether there is none in either language.
    pub fn is_empty(self) -> bool {
        self.english.is_empty() && self.korean.is_empty()
    }
}

/// The models of cases that do not ship with Moot, by the case's id.
pub type OwnModels = BTreeMap<String, Bytes>;

/// A hash of everything a kind hears by: its models, the grammar models, and how texts are taken apart.
pub(crate) fn hash(models: impl Iterator<Item = Bytes>) -> String {
    let mut all = HEARING.to_le_bytes().to_vec();
    for Bytes { english, korean } in models.chain([GRAMMAR_MODELS]) {
        all.extend(Hash::of(english).0.into_iter().chain(Hash::of(korean).0));
    }
    Hash::of(&all).to_string()[..HASH_DIGITS].to_owned()
}

/// Incremented whenever the same models would hear something else: when features, clauses or thresholds change.
const HEARING: u32 = 2;
const HASH_DIGITS: usize = 16;

/// The models of a folder below `briefs/`.
macro_rules! models {
    ($folder:expr) => {
        $crate::listening::Bytes {
            english: include_bytes!(concat!("../../../../briefs/", $folder, "/ear.en")),
            korean: include_bytes!(concat!("../../../../briefs/", $folder, "/ear.ko")),
        }
    };
}
pub(crate) use models;

/// A model in both languages that several cases share: that of a kind, or of grammar.
pub struct Shared {
    english: Option<Arc<Model>>,
    korean: Option<Arc<Model>>,
}

impl Shared {
    /// Reads both languages; damaged bytes give none.
    pub fn read(bytes: Bytes) -> Self {
        let model = |bytes: &[u8]| Model::from_bytes(bytes).map(Arc::new);
        Shared { english: model(bytes.english), korean: model(bytes.korean) }
    }

    fn of(&self, lang: Lang) -> Option<Arc<Model>> {
        match lang {
            Lang::En => self.english.clone(),
            Lang::Ko => self.korean.clone(),
        }
    }
}

/// The shipped models of grammar, which all kinds share.
pub const GRAMMAR_MODELS: Bytes = models!("grammar");
static GRAMMAR: LazyLock<Shared> = LazyLock::new(|| Shared::read(GRAMMAR_MODELS));

/// An ear made of models that were just learned, to be judged; it has no case file.
pub fn ear_from(syllabus: &Syllabus, grammar: [&[u8]; 2], kind: [&[u8]; 2], case: [&[u8]; 2]) -> Ear {
    let model = |bytes: &[u8]| Model::from_bytes(bytes).map(Arc::new);
    let taught = |at: usize| Some(Taught::new(syllabus, model(case[at])?, model(kind[at])?));
    Ear::new(Record::default(), grammar.map(model), taught(0), taught(1))
}

/// The ear of a case: its own models if it has any, those of its kind, and grammar.
pub fn ear(record: Record, syllabus: &Syllabus, kind: &Shared, case: Bytes) -> Ear {
    let taught = |lang: Lang, bytes: &[u8]| {
        let case = Model::from_bytes(bytes)?;
        Some(Taught::new(syllabus, Arc::new(case), kind.of(lang)?))
    };
    let (english, korean) = (taught(Lang::En, case.english), taught(Lang::Ko, case.korean));
    Ear::new(record, [GRAMMAR.of(Lang::En), GRAMMAR.of(Lang::Ko)], english, korean)
}
