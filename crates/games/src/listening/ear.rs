//! The ear of one case: models of both languages, the points they know, and the file that speeches are checked against.

use super::clauses::{self, Clause};
use super::features;
use super::grammar;
use super::lessons::{NONE, Syllabus};
use super::model::Model;
use super::reading::{Heard, Language, Manner, Novelty, Reading, Side, Stance, Support};
use super::record::Record;
use super::text;
use engine::roster::Lang;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Who speaks is more likely to speak for its own side: so much, in thousandths of a margin.
const OWN_SIDE: i32 = 200;
/// How far ahead of "no point" a point must be before it counts as heard.
const HEARD_MIN: i32 = 80;
/// How far ahead a second point must be within its own clause.
const SECOND_MIN: i32 = 350;
/// What the order of its words must come to before a text is speech: a few words can stand in nearly any order, many cannot.
const SPEECH_MIN: i32 = -800;
const SPEECH_MIN_LONG_EN: i32 = -320;
const SPEECH_MIN_LONG_KO: i32 = -600;
const SPEECH_PER_WORD_EN: i32 = 40;
const SPEECH_PER_WORD_KO: i32 = 30;
/// Fewer words than this say nothing.
const WORDS_MIN: usize = 2;
/// Rows of three words that stand in the file, in a hundred, from which on a text is read off it.
const FILE_PERCENT: usize = 70;
/// Rows of three words shared with an earlier speech, in a hundred, from which on it is that speech again.
const COPY_PERCENT: usize = 60;
/// How many readings are remembered before all are forgotten.
const REMEMBERED_MAX: usize = 8192;

/// Readings of texts alone, by the speaker's side and text.
type Remembered = BTreeMap<(Option<Side>, String), Arc<Alone>>;

/// What is heard in one case.
pub struct Ear {
    /// What language looks like, by language.
    grammar: [Option<Arc<Model>>; 2],
    english: Option<Taught>,
    korean: Option<Taught>,
    record: Record,
    /// Readings of texts alone, by text and side: what was read once is not read again.
    remembered: Mutex<Remembered>,
}

/// The models of one language.
pub struct Taught {
    case: Arc<Model>,
    kind: Arc<Model>,
    classes: Vec<Class>,
}

/// A point taken in one way, or none, and which classes of the models speak for it.
struct Class {
    point: Option<(String, Stance)>,
    helps: Option<Side>,
    of_case: [Option<usize>; 2],
    of_kind: [Option<usize>; 2],
}

/// What a text says by itself, before anything around it counts.
#[derive(Clone, Debug)]
struct Alone {
    language: Language,
    points: Vec<Heard>,
    manner: Option<Manner>,
    support: Support,
    is_file: bool,
    rows: Vec<u32>,
}

impl Taught {
    /// Puts the models of a language together.
    pub fn new(syllabus: &Syllabus, case: Arc<Model>, kind: Arc<Model>) -> Self {
        let place = |model: &Model, name: String| model.classes().iter().position(|known| *known == name);
        let class = |point: Option<(String, Stance)>| {
            let helps = point.as_ref().and_then(|(id, stance)| syllabus.helps(id, *stance));
            let (id, way, side, stance) = match &point {
                None => (NONE, NONE, NONE, NONE),
                Some((id, stance)) => {
                    let side = helps.map_or("neither", |_| syllabus.way(id, *stance));
                    (id.as_str(), syllabus.way(id, *stance), side, stance.word())
                }
            };
            let of_case = [place(&case, format!("point {id}")), place(&case, format!("way {way}"))];
            let of_kind = [place(&kind, format!("side {side}")), place(&kind, format!("stance {stance}"))];
            Class { helps, of_case, of_kind, point }
        };
        let known = |class: &Class| class.of_case[0].is_some();
        let takes = syllabus.takes().into_iter().map(Some).chain([None]);
        let classes = takes.map(class).filter(known).collect();
        Taught { case, kind, classes }
    }

    /// The class that a text is heard as, how far it is ahead of the next other point, and how far of none. A speaker's side counts.
    fn best(&self, text: &str, speaker: Option<Side>) -> Option<(usize, i32)> {
        let scores = self.scores(text, speaker);
        let none = self.classes.iter().position(|class| class.point.is_none());
        let none = none.map_or(i32::MIN / 2, |none| scores[none]);
        let pointed = |place: &usize| self.classes[*place].point.is_some();
        let best = (0..scores.len()).filter(pointed).max_by_key(|place| (scores[*place], usize::MAX - *place))?;
        if scores[best] - none < HEARD_MIN {
            return None;
        }
        let rival = (0..scores.len()).filter(|place| *place != best).map(|place| scores[place]).max();
        Some((best, scores[best] - rival.unwrap_or(0)))
    }

    fn scores(&self, text: &str, speaker: Option<Side>) -> Vec<i32> {
        let features = features::of(text);
        let (case, kind) = (self.case.score_features(&features), self.kind.score_features(&features));
        let sum = |scores: &[i32], places: [Option<usize>; 2]| -> i32 {
            places.into_iter().flatten().map(|place| scores[place]).sum()
        };
        let whole = |class: &Class| {
            let own = if class.helps.is_some() && class.helps == speaker { OWN_SIDE } else { 0 };
            sum(&case.by_class, class.of_case) + sum(&kind.by_class, class.of_kind) + own
        };
        self.classes.iter().map(whole).collect()
    }

    fn heard(&self, (class, margin): (usize, i32), speaker: Option<Side>, said: (usize, usize)) -> Option<Heard> {
        let class = &self.classes[class];
        let (point, stance) = class.point.clone()?;
        let against_oneself = speaker.is_some_and(|speaker| class.helps == Some(speaker.other()));
        let stance = if against_oneself && stance == Stance::Asserts { Stance::Concedes } else { stance };
        Some(Heard { point, stance, helps: class.helps, sure: (margin / 10).clamp(0, 100) as u8, said })
    }

    /// The points of a text, the main one first.
    fn points(&self, text: &str, speaker: Option<Side>) -> Vec<Heard> {
        let clauses = clauses::of(text);
        let part = |clause: &Clause| {
            let best = self.best(&text[clause.at.0..clause.at.1], speaker)?;
            Some((self.heard(best, speaker, clause.at)?, best.1, clause.granted))
        };
        let parts: Vec<(Heard, i32, bool)> =
            if clauses.len() > 1 { clauses.iter().filter_map(part).collect() } else { vec![] };
        let whole = self.best(text, speaker).and_then(|best| self.heard(best, speaker, (0, text.len())));
        // After a turn, what comes last is meant; what was granted before it is said too.
        let granted = parts.iter().find(|(_, margin, granted)| *granted && *margin >= SECOND_MIN / 2);
        let turned = parts.iter().rev().find(|(_, margin, granted)| !granted && *margin >= SECOND_MIN / 2);
        let mut points: Vec<Heard> = match (granted, turned) {
            (Some((granted, ..)), Some((meant, ..))) if granted.point != meant.point => {
                vec![meant.clone(), granted.clone()]
            }
            _ => whole.into_iter().collect(),
        };
        for (heard, margin, _) in &parts {
            if *margin >= SECOND_MIN && !points.is_empty() && points.iter().all(|known| known.point != heard.point) {
                points.push(heard.clone());
            }
        }
        points.truncate(3);
        points
    }
}

impl Taught {
    /// What a text is that makes no point.
    fn manner(&self, text: &str) -> Manner {
        let scores = self.kind.score(text);
        let score = |word: &str| {
            let class = self.kind.classes().iter().position(|class| class.strip_prefix("manner ") == Some(word));
            class.map_or(i32::MIN, |class| scores.by_class[class])
        };
        Manner::ALL.into_iter().max_by_key(|(_, word)| score(word)).map_or(Manner::Filler, |(manner, _)| manner)
    }
}

impl Ear {
    /// The ear of a case.
    pub fn new(
        record: Record,
        grammar: [Option<Arc<Model>>; 2],
        english: Option<Taught>,
        korean: Option<Taught>,
    ) -> Self {
        Ear { grammar, english, korean, record, remembered: Mutex::default() }
    }

    /// Whether it was taught any points. Without, it can only tell speech from noise.
    pub fn is_taught(&self) -> bool {
        self.english.is_some() || self.korean.is_some()
    }

    fn taught(&self, lang: Lang, text: &str) -> Option<&Taught> {
        match text::language_of(text).unwrap_or(lang) {
            Lang::En => self.english.as_ref().or(self.korean.as_ref()),
            Lang::Ko => self.korean.as_ref().or(self.english.as_ref()),
        }
    }

    fn alone(&self, lang: Lang, speaker: Option<Side>, text: &str) -> Arc<Alone> {
        let key = (speaker, text.to_owned());
        let mut remembered = self.remembered.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = remembered.get(&key) {
            return known.clone();
        }
        let read = Arc::new(self.read_alone(lang, speaker, text));
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        remembered.insert(key, read.clone());
        read
    }

    fn read_alone(&self, lang: Lang, speaker: Option<Side>, text: &str) -> Alone {
        let words = text::words(text);
        let rows = rows(&words);
        let is_file = self.record.read_off_percent(text) >= FILE_PERCENT;
        let support = self.record.support(text);
        let taught = self.taught(lang, text);
        let language = if words.len() < WORDS_MIN {
            Language::Nothing
        } else if self.is_speech(text, words.len()) {
            Language::Speech
        } else {
            Language::Salad
        };
        let points = match (taught, language) {
            (Some(taught), Language::Speech) if !is_file => taught.points(text, speaker),
            _ => vec![],
        };
        let manner = match taught {
            Some(taught) if language == Language::Speech && !is_file && points.is_empty() => Some(taught.manner(text)),
            Some(_) | None => None,
        };
        Alone { language, points, manner, support, is_file, rows }
    }

    /// Reads speeches in the order in which they were made, each by the side that made it.
    pub fn listen(&self, lang: Lang, speeches: &[(Option<Side>, &str)]) -> Vec<Reading> {
        let mut alone: Vec<Arc<Alone>> = Vec::with_capacity(speeches.len());
        let mut readings: Vec<Reading> = Vec::with_capacity(speeches.len());
        for (speaker, text) in speeches {
            let read = self.alone(lang, *speaker, text);
            let novelty = novelty(&read, &alone, &readings);
            let answers = read.points.first().and_then(|main| {
                let meets = |reading: &Reading| {
                    reading.points.iter().any(|said| said.point == main.point && said.helps != main.helps)
                };
                readings.iter().rposition(meets)
            });
            let Alone { language, points, manner, support, .. } = &*read;
            readings.push(Reading {
                language: *language,
                points: points.clone(),
                manner: *manner,
                support: *support,
                answers,
                novelty,
            });
            alone.push(read);
        }
        readings
    }

    fn is_speech(&self, text: &str, words: usize) -> bool {
        let (place, per_word, long) = match text::language_of(text) {
            Some(Lang::Ko) => (1, SPEECH_PER_WORD_KO, SPEECH_MIN_LONG_KO),
            Some(Lang::En) | None => (0, SPEECH_PER_WORD_EN, SPEECH_MIN_LONG_EN),
        };
        let Some(grammar) = &self.grammar[place] else { return true };
        let order = grammar.score_features(&grammar::features(text)).by_class[0];
        order >= (SPEECH_MIN + per_word * words as i32).min(long)
    }

    /// Which pieces of a text speak most for what was heard in it, with what each adds in thousandths.
    pub fn explain(&self, lang: Lang, heard: &Heard, text: &str) -> Vec<(String, i64)> {
        let Some(taught) = self.taught(lang, text) else { return vec![] };
        let class = taught
            .classes
            .iter()
            .find(|class| class.point.as_ref().is_some_and(|(id, _)| *id == heard.point) && class.helps == heard.helps);
        let Some(class) = class else { return vec![] };
        let worth = |feature: u32| -> i64 {
            let of = |model: &Model, places: [Option<usize>; 2]| -> i64 {
                places.into_iter().flatten().map(|place| model.weight(feature, place)).sum()
            };
            of(&taught.case, class.of_case) + of(&taught.kind, class.of_kind)
        };
        let words = text::words(text);
        let mut worths: Vec<(String, i64)> = Vec::new();
        for word in &words {
            let worth = features::of(word).into_iter().map(worth).sum();
            if worths.iter().all(|(known, _)| known != word) {
                worths.push((word.clone(), worth));
            }
        }
        worths.sort_by_key(|(_, worth)| -worth.abs());
        worths
    }

    /// Whether a text is about the case at all: all that an ear without models can tell.
    pub fn is_on_topic(&self, text: &str) -> bool {
        self.record.is_on_topic(text)
    }

    /// Reads one text by itself.
    pub fn read(&self, lang: Lang, speaker: Option<Side>, text: &str) -> Reading {
        self.listen(lang, &[(speaker, text)]).remove(0)
    }
}

fn rows(words: &[String]) -> Vec<u32> {
    let len = 3.min(words.len().max(1));
    let row = |row: &[String]| features::hash(b'r', row.iter().flat_map(|word| word.chars().chain([' '])));
    let mut rows: Vec<u32> = words.windows(len).map(row).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn novelty(read: &Alone, alone: &[Arc<Alone>], readings: &[Reading]) -> Novelty {
    let copies = |before: &Arc<Alone>| {
        let shared = read.rows.iter().filter(|row| before.rows.binary_search(row).is_ok()).count();
        !read.rows.is_empty() && shared * 100 >= read.rows.len() * COPY_PERCENT
    };
    let again = |main: &Heard| {
        let same = |said: &Heard| said.point == main.point && said.helps == main.helps && said.stance == main.stance;
        readings.iter().any(|reading| reading.points.iter().any(same))
    };
    match read.points.first() {
        _ if alone.iter().any(copies) => Novelty::Copy,
        _ if read.is_file => Novelty::File,
        Some(main) if again(main) => Novelty::Again,
        Some(_) | None => Novelty::New,
    }
}
