//! Labeled examples, and what is learned from them.

use super::reading::{Side, Stance};
use engine::classify::grammar;
use engine::classify::learn::{Lesson, learn_apart, learn_one};
use engine::classify::model::Model;
use engine::classify::{features, text};
use engine::roster::Lang;
use serde::{Deserialize, Serialize};

/// The largest model of a case, of a kind, and of a language's grammar, which all kinds share.
const CASE_BYTES: usize = 100_000;
const KIND_BYTES: usize = 100_000;
const GRAMMAR_BYTES: usize = 100_000;
/// The class of texts that make no point.
pub const NONE: &str = "none";

/// A text written from the case file, and what it says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Example {
    /// What was said, in one or two sentences.
    pub text: String,
    /// The points it makes; empty if it makes none.
    pub points: Vec<Labelled>,
    /// What it is if it makes none: salad, random, offtopic, slogan, order, filler, other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
    /// Its manner of speaking: student, brief, sarcasm and so on.
    pub voice: String,
    /// Its author; all examples of an author are in the same split.
    pub by: String,
    pub split: Split,
}

/// A point with its stance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Labelled {
    /// The point's id in the case.
    pub id: String,
    /// How it is taken.
    pub stance: Stance,
}

/// What an example is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// Models are learned from these, and from nothing else.
    Train,
    /// For choosing thresholds.
    Tune,
    /// For judging models: never learned from, and never looked at while anything is chosen.
    Held,
}

/// What can be heard in a case: its points, and the side each speaks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Syllabus {
    /// Each id with the side it speaks for; none where there are no sides.
    pub points: Vec<(String, Option<Side>)>,
    /// The points that are claims, which the accused is pressed to make: they are pressed for, not denied.
    pub claims: Vec<String>,
    /// Whether the points are rival options without there being two sides: what is for one is against the others.
    pub rivals: bool,
    /// Whether there are so many points that all the room in the case's model goes to telling them apart: the stance is then left to the
    /// kind's model, and the case's score counts double.
    pub many: bool,
    /// How far ahead of "no point" a point must be before it is heard, in thousandths: chosen by the tuning examples.
    pub heard_min: i32,
    /// How far ahead of every other point it must be, in thousandths.
    pub lead_min: i32,
}

impl Syllabus {
    /// The side that is helped by taking a point in this stance.
    pub fn helps(&self, point: &str, stance: Stance) -> Option<Side> {
        let side = self.points.iter().find(|(id, _)| id == point).and_then(|(_, side)| *side)?;
        match stance {
            Stance::Asserts | Stance::Concedes | Stance::Conditional => Some(side),
            Stance::Denies | Stance::Presses => Some(side.other()),
            Stance::Asks => None,
        }
    }

    /// The label by which a case's model learns how a point is taken: the side it helps, or its stance where there are no sides. Between
    /// rivals the same words are for one and against another ("we cannot wait"), so point and stance are learned together.
    pub(super) fn way(&self, point: &str, stance: Stance) -> String {
        match self.helps(point, stance) {
            Some(side) => side_word(Some(side)).to_owned(),
            None if self.rivals => format!("{point} {}", stance.word()),
            None => stance.word().to_owned(),
        }
    }

    /// The label by which a kind's model learns a stance. Where options are rivals, "we want this" is for one of them; anywhere else it
    /// asks for something that is not there.
    pub(super) fn taken(&self, stance: Stance) -> String {
        if self.rivals { format!("rival {}", stance.word()) } else { stance.word().to_owned() }
    }

    /// Every point with each stance that it can be taken in.
    pub(super) fn takes(&self) -> Vec<(String, Stance)> {
        let stances = |id: &String, side: Option<Side>| match side {
            Some(_) if self.claims.contains(id) => &[Stance::Asserts, Stance::Presses][..],
            Some(_) => &[Stance::Asserts, Stance::Denies][..],
            None => &[Stance::Asserts, Stance::Denies, Stance::Conditional, Stance::Asks][..],
        };
        let of = |(id, side): &(String, Option<Side>)| {
            stances(id, *side).iter().map(|stance| (id.clone(), *stance)).collect::<Vec<_>>()
        };
        self.points.iter().flat_map(of).collect()
    }
}

impl Example {
    /// Its class for a model: the point with its stance; `None` unless it makes exactly one point. Between two sides a concession uses the
    /// words of an assertion and is told by who speaks; where there are no sides, to concede is to accept on some terms.
    fn class(&self, syllabus: &Syllabus) -> Option<(&str, Stance)> {
        let [only] = &self.points[..] else { return None };
        let stance = match only.stance {
            Stance::Concedes if syllabus.helps(&only.id, Stance::Asserts).is_some() => Stance::Asserts,
            Stance::Concedes => Stance::Conditional,
            stance => stance,
        };
        Some((&only.id, stance))
    }
}

pub(super) fn side_word(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
        None => "neither",
    }
}

/// Learns the points of a case and, separately, how they are taken. `strays` are texts from other subjects that make none of them.
pub fn learn_case(syllabus: &Syllabus, examples: &[Example], strays: &[&str]) -> Model {
    let labels = |point: &str, way: &str| {
        let mut labels = vec![format!("point {point}"), format!("way {way}")];
        labels.truncate(if syllabus.many { 1 } else { 2 });
        labels
    };
    let none = |text: &str| Lesson { features: features::of(text), labels: labels(NONE, NONE) };
    let lesson = |example: &Example| match (example.points.is_empty(), example.class(syllabus)) {
        (true, _) => Some(none(&example.text)),
        (false, Some((id, stance))) => {
            let labels = labels(id, &syllabus.way(id, stance));
            Some(Lesson { features: features::of(&example.text), labels })
        }
        (false, None) => None,
    };
    let train = examples.iter().filter(|example| example.split == Split::Train);
    let lessons: Vec<Lesson> = train.filter_map(lesson).chain(strays.iter().map(|text| none(text))).collect();
    learn_apart(&lessons, CASE_BYTES)
}

/// Learns, over all cases of a kind, how each side talks and how points are taken.
pub fn learn_kind<'a>(cases: impl Iterator<Item = (&'a Syllabus, &'a [Example])>) -> Model {
    let mut lessons = Vec::new();
    for (syllabus, examples) in cases {
        for example in examples.iter().filter(|example| example.split == Split::Train) {
            let (side, stance) = match (example.points.is_empty(), example.class(syllabus)) {
                (true, _) => (NONE, NONE.to_owned()),
                (false, Some((id, stance))) => (side_word(syllabus.helps(id, stance)), syllabus.taken(stance)),
                (false, None) => continue,
            };
            let manner = if example.points.is_empty() { example.none.as_deref().unwrap_or("other") } else { "point" };
            let labels = vec![format!("side {side}"), format!("stance {stance}"), format!("manner {manner}")];
            lessons.push(Lesson { features: features::in_order(features::of(&example.text), &example.text), labels });
        }
    }
    learn_apart(&lessons, KIND_BYTES)
}

/// Learns what language looks like from texts, and from the same words shuffled.
pub fn learn_grammar<'a>(lang: Lang, examples: impl Iterator<Item = &'a Example>) -> Model {
    let mut lessons = Vec::new();
    let mut mixer = Mixer(7);
    let mut last: Vec<String> = Vec::new();
    let mut lesson = |text: &str, class: &str| {
        lessons.push(Lesson { features: grammar::features(text), labels: vec![class.to_owned()] });
    };
    for example in examples.filter(|example| example.split == Split::Train) {
        match example.none.as_deref() {
            Some("salad" | "random") => lesson(&example.text, "salad"),
            Some("other") => {}
            Some(_) | None => {
                lesson(&example.text, "speech");
                let words: Vec<String> = example.text.split_whitespace().map(str::to_owned).collect();
                if words.len() >= SHUFFLED_WORDS_MIN {
                    let bare = bare(lang, &words);
                    lesson(&mixer.shuffled(&words), "salad");
                    lesson(&mixer.shuffled(&bare), "salad");
                    lesson(&mixer.sprinkled(lang, &bare, &last), "salad");
                    last = bare;
                }
            }
        }
    }
    learn_one(&lessons, "speech", GRAMMAR_BYTES)
}

/// Texts of fewer words are not shuffled: they may make sense in any order.
const SHUFFLED_WORDS_MIN: usize = 5;

/// Key words alone: without small words, and in Korean without the last syllable, where particles are.
fn bare(lang: Lang, words: &[String]) -> Vec<String> {
    let bare = |word: &String| -> Option<String> {
        let word = text::words(word).into_iter().next()?;
        let len = word.chars().count();
        match lang {
            Lang::En => (!grammar::is_small(&word)).then_some(word),
            Lang::Ko => Some(word.chars().take(if len > 2 { len - 1 } else { len }).collect()),
        }
    };
    words.iter().filter_map(bare).collect()
}

/// Shuffles words, in the same way every time.
struct Mixer(u64);

impl Mixer {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn shuffled(&mut self, words: &[String]) -> String {
        let mut words = words.to_vec();
        for last in (1..words.len()).rev() {
            words.swap(last, self.below(last + 1));
        }
        words.join(" ")
    }

    /// Key words of two texts with small words or particles strewn among them: salad that is meant to look like speech.
    fn sprinkled(&mut self, lang: Lang, words: &[String], more: &[String]) -> String {
        const SMALL: [&str; 14] =
            ["the", "of", "a", "and", "to", "in", "with", "without", "by", "into", "under", "was", "which", "or"];
        const PARTICLES: [&str; 12] =
            ["은", "이", "을", "에", "의", "로", "와", "에게", "처럼", "하는", "없이", "에서"];
        let all: Vec<String> = words.iter().chain(more).cloned().collect();
        let mut text: Vec<String> = Vec::new();
        let mut mixed = all.clone();
        for last in (1..mixed.len()).rev() {
            mixed.swap(last, self.below(last + 1));
        }
        for word in mixed.into_iter().take(SPRINKLED_WORDS) {
            let strewn = self.below(3) == 0;
            match lang {
                Lang::En => {
                    text.push(word);
                    if strewn {
                        text.push(SMALL[self.below(SMALL.len())].to_owned());
                    }
                }
                Lang::Ko => {
                    let particle = if strewn { "" } else { PARTICLES[self.below(PARTICLES.len())] };
                    text.push(format!("{word}{particle}"));
                }
            }
            if self.below(6) == 0
                && let Some(last) = text.last_mut()
            {
                last.push(',');
            }
        }
        format!("{}.", text.join(" "))
    }
}

/// The most key words that a sprinkled text has.
const SPRINKLED_WORDS: usize = 12;
