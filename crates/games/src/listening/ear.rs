//! The ear of one case: models of both languages, the points they know, and the file that speeches are checked against.

use super::clauses::{self, Clause};
use super::lessons::{NONE, Syllabus, side_word};
use super::reading::{Heard, Language, Manner, Novelty, Reading, Side, Stance, Support};
use super::record::Record;
use super::terms;
use crate::speech;
use engine::classify::features;
use engine::classify::grammar;
use engine::classify::model::Model;
use engine::classify::text;
use engine::roster::Lang;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Bonus, in thousandths of a margin, for points that help the speaker's own side: these are more likely.
const OWN_SIDE: i32 = 200;
/// Deducted from asserting an option or an offer in a text that refuses flatly.
const REFUSED: i32 = 700;
/// How far ahead a second point must be within its own clause.
const SECOND_MIN: i32 = 350;
/// The least word-order score of speech, by length: a few words can come in nearly any order, many cannot.
const SPEECH_MIN: i32 = -1200;
const SPEECH_MIN_LONG_EN: i32 = -560;
const SPEECH_MIN_LONG_KO: i32 = -660;
const SPEECH_PER_WORD: i32 = 45;
/// How many words a list has at least.
const LIST_MIN: usize = 5;
/// A text of at least this many sentences is speech if two thirds of its words are in sentences that are; sentences of fewer words than
/// `SENTENCE_MIN` do not count.
const SENTENCES_MIN: usize = 3;
const SENTENCE_MIN: usize = 5;
/// How far ahead a point must be in a clause of a longer text, and in a clause of a text that makes no point as a whole.
const CLAUSE_MIN: i32 = 250;
const CLAUSE_ALONE_MIN: i32 = 600;
/// Fewer words than this say nothing.
const WORDS_MIN: usize = 2;
/// A text is read out from the file if at least this percentage of its three-word runs occur there.
const FILE_PERCENT: usize = 70;
/// A speech is a copy if at least this percentage of its three-word runs occur in an earlier one.
const COPY_PERCENT: usize = 60;
/// How many readings are remembered before all are forgotten.
const REMEMBERED_MAX: usize = 8192;

/// Readings that are remembered, by the speaker's side and the text.
struct Memo<T>(Mutex<BTreeMap<Spoken, Arc<T>>>);

/// The speaker's side, if known, and the text.
type Spoken = (Option<Side>, String);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<T> Memo<T> {
    fn get(&self, speaker: Option<Side>, text: &str, read: impl FnOnce() -> T) -> Arc<T> {
        let key = (speaker, text.to_owned());
        let mut remembered = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = remembered.get(&key) {
            return known.clone();
        }
        let read = Arc::new(read());
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        remembered.insert(key, read.clone());
        read
    }
}

pub struct Ear {
    /// The grammar models, English and Korean.
    grammar: [Option<Arc<Model>>; 2],
    english: Option<Taught>,
    korean: Option<Taught>,
    record: Record,
    read: Memo<Alone>,
    read_at_length: Memo<AtLength>,
}

/// The models of one language.
pub struct Taught {
    case: Arc<Model>,
    kind: Arc<Model>,
    classes: Vec<Class>,
    /// How many times the case's score counts against the kind's; the sum is divided by it, so that it stays on the same scale.
    case_times: i32,
    heard_min: i32,
    lead_min: i32,
}

/// A point taken in one way, or none, and which classes of the models speak for it.
struct Class {
    point: Option<(String, Stance)>,
    helps: Option<Side>,
    of_case: [Option<usize>; 2],
    of_kind: [Option<usize>; 2],
}

/// What the models make of a text and of each of its clauses, by class.
struct Scored {
    whole: Vec<i32>,
    clauses: Vec<(Clause, Vec<i32>)>,
}

/// A longer text, clause by clause.
#[derive(Clone, Debug)]
pub struct AtLength {
    /// Whether it is speech at all.
    pub language: Language,
    /// What it speaks of, the main thing first, each with the clause it was heard in.
    pub points: Vec<Heard>,
    /// The claims that it may press for, and how far each lies behind the best point, in hundredths: one speech can argue a fact and press
    /// for a claim.
    pub pressed: Vec<(String, u8)>,
    /// What it is instead, if it is speech that makes no point.
    pub manner: Option<Manner>,
    /// What it rests on.
    pub support: Support,
    /// Whether it was read off the file.
    pub is_file: bool,
}

/// What a text says by itself, without the speeches around it.
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
                None => (NONE, NONE.to_owned(), NONE, NONE.to_owned()),
                Some((id, stance)) => {
                    (id.as_str(), syllabus.way(id, *stance), side_word(helps), syllabus.taken(*stance))
                }
            };
            let of_case = [place(&case, format!("point {id}")), place(&case, format!("way {way}"))];
            let of_kind = [place(&kind, format!("side {side}")), place(&kind, format!("stance {stance}"))];
            Class { helps, of_case, of_kind, point }
        };
        // A stance that no example takes has no score to compare.
        let known = |class: &Class| class.of_case[0].is_some() && (syllabus.many || class.of_case[1].is_some());
        let takes = syllabus.takes().into_iter().map(Some).chain([None]);
        let classes = takes.map(class).filter(known).collect();
        let Syllabus { many, heard_min, lead_min, .. } = *syllabus;
        Taught { case, kind, classes, case_times: if many { 2 } else { 1 }, heard_min, lead_min }
    }

    fn scored(&self, text: &str, speaker: Option<Side>) -> Scored {
        let whole = self.scores(text, speaker);
        let clauses = match <[Clause; 1]>::try_from(clauses::of(text)) {
            Ok([only]) => vec![(only, whole.clone())],
            Err(several) => {
                let scored = |clause: Clause| (clause, self.scores(&text[clause.at.0..clause.at.1], speaker));
                several.into_iter().map(scored).collect()
            }
        };
        Scored { whole, clauses }
    }

    /// The class that a text of these scores is heard as, and how far it is ahead of the next; `None` if it is not far enough ahead of "no
    /// point", or of other points.
    fn best(&self, scores: &[i32]) -> Option<(usize, i32)> {
        let none = self.classes.iter().position(|class| class.point.is_none());
        let none = none.map_or(i32::MIN / 2, |none| scores[none]);
        let pointed = |place: &usize| self.classes[*place].point.is_some();
        let best = (0..scores.len()).filter(pointed).max_by_key(|place| (scores[*place], usize::MAX - *place))?;
        if scores[best] - none < self.heard_min {
            return None;
        }
        let id = |place: usize| self.classes[place].point.as_ref().map(|(id, _)| id);
        let ahead = |of: &dyn Fn(usize) -> bool| {
            scores[best] - (0..scores.len()).filter(|place| of(*place)).map(|place| scores[place]).max().unwrap_or(0)
        };
        (ahead(&|place| id(place) != id(best)) >= self.lead_min).then(|| (best, ahead(&|place| place != best)))
    }

    /// Claims that are pressed for, each with how far it lies behind the best point; only those far enough ahead of "no point".
    fn pressed(&self, scores: &[i32]) -> Vec<(String, u8)> {
        let (none, pointed): (Vec<usize>, Vec<usize>) =
            (0..scores.len()).partition(|place| self.classes[*place].point.is_none());
        let most = |places: &[usize]| places.iter().map(|place| scores[*place]).max().unwrap_or(i32::MIN / 2);
        let (none, best) = (most(&none), most(&pointed));
        let pressed = pointed.iter().filter_map(|place| match &self.classes[*place].point {
            Some((id, Stance::Presses)) if scores[*place] - none >= self.heard_min => {
                Some((id.clone(), ((best - scores[*place]) / 10).clamp(0, 255) as u8))
            }
            Some(_) | None => None,
        });
        pressed.collect()
    }

    fn scores(&self, text: &str, speaker: Option<Side>) -> Vec<i32> {
        let features = features::of(text);
        let case = self.case.score_features(&features);
        let kind = self.kind.score_features(&features::in_order(features, text));
        let sum = |scores: &[i32], places: [Option<usize>; 2]| -> i32 {
            places.into_iter().flatten().map(|place| scores[place]).sum()
        };
        let (gives_way, refuses) = (terms::gives_way(text), terms::refuses(text));
        let whole = |class: &Class| {
            let on_terms = class.point.as_ref().is_some_and(|(_, stance)| *stance == Stance::Conditional);
            if on_terms && !gives_way {
                return i32::MIN / 2;
            }
            let own = match &class.point {
                Some(_) if class.helps.is_some() && class.helps == speaker => OWN_SIDE,
                // Where there are no sides, a flat refusal is hardly for what it speaks of.
                Some((_, Stance::Asserts)) if class.helps.is_none() && refuses => -REFUSED,
                Some(_) | None => 0,
            };
            let both = sum(&case.by_class, class.of_case) * self.case_times + sum(&kind.by_class, class.of_kind);
            both / self.case_times + own
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
    fn points(&self, scored: &Scored, speaker: Option<Side>, len: usize) -> Vec<Heard> {
        let part = |(clause, scores): &(Clause, Vec<i32>)| {
            let best = self.best(scores)?;
            Some((self.heard(best, speaker, clause.at)?, best.1, clause.granted))
        };
        let parts: Vec<(Heard, i32, bool)> =
            if scored.clauses.len() > 1 { scored.clauses.iter().filter_map(part).collect() } else { vec![] };
        let whole = self.best(&scored.whole).and_then(|best| self.heard(best, speaker, (0, len)));
        // After a turn, the last clause is what is meant; what was granted before it comes second.
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
    /// The manner of a text that makes no point.
    fn manner(&self, text: &str) -> Manner {
        let scores = self.kind.score_features(&features::in_order(features::of(text), text));
        let score = |word: &str| {
            let class = self.kind.classes().iter().position(|class| class.strip_prefix("manner ") == Some(word));
            class.map_or(i32::MIN, |class| scores.by_class[class])
        };
        Manner::ALL.into_iter().max_by_key(|(_, word)| score(word)).map_or(Manner::Filler, |(manner, _)| manner)
    }
}

impl Ear {
    pub fn new(
        record: Record,
        grammar: [Option<Arc<Model>>; 2],
        english: Option<Taught>,
        korean: Option<Taught>,
    ) -> Self {
        Ear { grammar, english, korean, record, read: Memo::default(), read_at_length: Memo::default() }
    }

    /// Whether it knows any points. If not, it can only tell speech from noise and whether a text is on topic.
    pub fn is_taught(&self) -> bool {
        self.english.is_some() || self.korean.is_some()
    }

    fn taught(&self, lang: Lang, text: &str) -> Option<&Taught> {
        match text::language_of(text).unwrap_or(lang) {
            Lang::En => self.english.as_ref().or(self.korean.as_ref()),
            Lang::Ko => self.korean.as_ref().or(self.english.as_ref()),
        }
    }

    /// What a text says by itself, with the models and scores that told it if it is speech and not read out from the file.
    fn read_alone(&self, lang: Lang, speaker: Option<Side>, text: &str) -> (Alone, Option<(&Taught, Scored)>) {
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
        let taught = taught.filter(|_| language == Language::Speech && !is_file);
        let told = taught.map(|taught| (taught, taught.scored(text, speaker)));
        let points =
            told.as_ref().map(|(taught, scored)| taught.points(scored, speaker, text.len())).unwrap_or_default();
        let manner = taught.filter(|_| points.is_empty()).map(|taught| taught.manner(text));
        (Alone { language, points, manner, support, is_file, rows }, told)
    }

    /// Reads speeches in the order in which they were made, each by the side that made it.
    pub fn listen(&self, lang: Lang, speeches: &[(Option<Side>, &str)]) -> Vec<Reading> {
        let mut alone: Vec<Arc<Alone>> = Vec::with_capacity(speeches.len());
        let mut readings: Vec<Reading> = Vec::with_capacity(speeches.len());
        for (speaker, text) in speeches {
            let read = self.read.get(*speaker, text, || self.read_alone(lang, *speaker, text).0);
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
        // A list has a comma after more than every second word.
        let commas = text.matches([',', '，', '、', ';', '/']).count();
        if words >= LIST_MIN && commas * 2 > words {
            return false;
        }
        if self.is_in_order(text, words) {
            return true;
        }
        // In a longer text one odd sentence does not spoil the others.
        let sentences: Vec<(&str, usize)> =
            speech::sentences(text).into_iter().map(|said| (said, text::words(said).len())).collect();
        let in_order =
            sentences.iter().filter(|(said, words)| *words >= SENTENCE_MIN && self.is_in_order(said, *words));
        sentences.len() >= SENTENCES_MIN && in_order.map(|(_, words)| words).sum::<usize>() * 3 >= words * 2
    }

    fn is_in_order(&self, text: &str, words: usize) -> bool {
        let (place, long) = match text::language_of(text) {
            Some(Lang::Ko) => (1, SPEECH_MIN_LONG_KO),
            Some(Lang::En) | None => (0, SPEECH_MIN_LONG_EN),
        };
        let Some(grammar) = &self.grammar[place] else { return true };
        let order = grammar.score_features(&grammar::features(text)).by_class[0];
        order >= (SPEECH_MIN + SPEECH_PER_WORD * words as i32).min(long)
    }

    /// The same as [`Ear::read_at_length`], but remembered: for public texts only.
    pub fn recall_at_length(&self, lang: Lang, speaker: Option<Side>, text: &str) -> Arc<AtLength> {
        self.read_at_length.get(speaker, text, || self.read_at_length(lang, speaker, text))
    }

    /// Reads a text that may speak of several things: the whole, and each clause by itself. Nothing is remembered, since a faster answer
    /// the second time would reveal what was said in private.
    pub fn read_at_length(&self, lang: Lang, speaker: Option<Side>, text: &str) -> AtLength {
        let (Alone { language, mut points, manner, support, is_file, .. }, told) = self.read_alone(lang, speaker, text);
        let mut pressed = Vec::new();
        if let Some((taught, scored)) = told {
            pressed = taught.pressed(&scored.whole);
            let ahead_min = if points.is_empty() { CLAUSE_ALONE_MIN } else { CLAUSE_MIN };
            for (clause, scores) in &scored.clauses {
                let said = &text[clause.at.0..clause.at.1];
                let words = text::words(said).len();
                let best = taught.best(scores).filter(|(_, margin)| *margin >= ahead_min);
                let heard = best.and_then(|best| taught.heard(best, speaker, clause.at));
                let Some(heard) = heard.filter(|_| self.is_speech(said, words)) else { continue };
                match points.iter_mut().find(|known| known.point == heard.point) {
                    // The clause is the better quotation, and may say it more plainly than the whole.
                    Some(known) => {
                        known.said = heard.said;
                        known.sure = known.sure.max(heard.sure);
                    }
                    None => points.push(heard),
                }
            }
        }
        AtLength { language, points, pressed, manner, support, is_file }
    }

    /// The stance of a text, whatever it speaks of; `None` if it takes none.
    pub fn stance_of(&self, lang: Lang, text: &str) -> Option<Stance> {
        let taught = self.taught(lang, text)?;
        let scores = taught.kind.score_features(&features::in_order(features::of(text), text)).by_class;
        let taken = |class: &Class| Some((class.point.as_ref().map(|(_, stance)| *stance), scores[class.of_kind[1]?]));
        taught.classes.iter().filter_map(taken).max_by_key(|(_, score)| *score).and_then(|(stance, _)| stance)
    }

    /// The words of a text that count most for or against what was heard in it, with what each adds in thousandths.
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
            of(&taught.case, class.of_case) + of(&taught.kind, class.of_kind) / i64::from(taught.case_times)
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

    /// Whether a text is about the case at all, which an ear without models can tell too.
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
