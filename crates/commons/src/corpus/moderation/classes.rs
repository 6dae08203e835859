//! What a text means to its readers, as far as that can be learned from examples: threats, contempt for people, orders to a model or a role,
//! advertising, ways to make contact, private data, filler.
//!
//! A linear model for each language, learned from `briefs/moderation/examples.*.jsonl` and from decent arguments: `cargo run --release -p
//! moot-commons --example teach`. What is hidden among other sentences counts like a text of its own.

use super::reason::Reason;
use super::views::shown;
use engine::classify::learn::{Lesson, learn_apart};
use engine::classify::model::Model;
use engine::classify::{features, text};
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The largest model of a language.
const MODEL_BYTES: usize = 160_000;
/// Of a thousand decent texts, at most this many may be held for one class.
const HELD_PER_THOUSAND: usize = 2;
/// The class of everything that may be said.
const DECENT: &str = "decent";
/// Whether a text is of any other class is learned by itself: of that there are more examples than of each class.
const BAD: &str = "bad";
const FINE: &str = "fine";
/// A sentence of fewer words is read together with its neighbours only.
const WORDS_MIN: usize = 3;

/// A labelled text.
#[derive(Clone, Debug, Deserialize)]
pub struct Example {
    pub text: String,
    pub class: String,
}

/// What was learned for one language.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    model: Model,
    /// From which score on a text is held, in thousandths, by class.
    bars: Bars,
}

/// The scores from which on texts are held, by class; stored beside the model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bars(BTreeMap<String, i32>);

static ENGLISH: LazyLock<Filter> = LazyLock::new(|| {
    Filter::read(
        include_bytes!("../../../../../briefs/moderation/model.en"),
        include_str!("../../../../../briefs/moderation/bars.en.json"),
    )
});
static KOREAN: LazyLock<Filter> = LazyLock::new(|| {
    Filter::read(
        include_bytes!("../../../../../briefs/moderation/model.ko"),
        include_str!("../../../../../briefs/moderation/bars.ko.json"),
    )
});

/// Looks for each class in each sentence. Sentences are read in the language they are written in.
pub fn check(source: &str, reasons: &mut Vec<Reason>) {
    let mut found: BTreeMap<&str, (i32, String)> = BTreeMap::new();
    for window in windows(source) {
        let filter = match text::language_of(window) {
            Some(Lang::Ko) => &*KOREAN,
            Some(Lang::En) => &*ENGLISH,
            None => continue,
        };
        for (class, above) in filter.held(window) {
            let class = if class == BAD { filter.most_like(window) } else { class };
            let best = found.entry(class).or_insert((above, window.to_owned()));
            if above > best.0 {
                *best = (above, window.to_owned());
            }
        }
    }
    for (class, (_, window)) in found {
        let passage = shown(window.trim().chars(), window.len());
        let reason = reason(class, passage);
        let is_new = |known: &Reason| known.code() != reason.code();
        if reasons.iter().all(is_new) {
            reasons.push(reason);
        }
    }
}

fn reason(class: &str, passage: String) -> Reason {
    match class {
        "threat" => Reason::Threat { passage },
        "dehumanise" => Reason::Hateful { passage },
        "orders" => Reason::Instructions { passage },
        "advert" => Reason::Advertising { passage },
        "contact" => Reason::Contact { passage },
        "personal" => Reason::Personal { passage },
        _ => Reason::Unread { passage },
    }
}

/// The whole text, each sentence, and each two sentences in a row.
fn windows(source: &str) -> Vec<&str> {
    let sentences: Vec<&str> = text::sentences(source).into_iter().filter(|one| !one.trim().is_empty()).collect();
    let mut windows = vec![source];
    if sentences.len() > 1 {
        windows.extend(sentences.iter().filter(|one| text::words(one).len() >= WORDS_MIN));
    }
    if sentences.len() > 2 {
        let start = |one: &str| one.as_ptr() as usize - source.as_ptr() as usize;
        windows.extend(sentences.windows(2).map(|two| &source[start(two[0])..start(two[1]) + two[1].len()]));
    }
    windows
}

impl Filter {
    fn read(model: &[u8], bars: &str) -> Self {
        const WHY: &str = "the model is part of the program and a test reads it";
        Filter { model: Model::from_bytes(model).expect(WHY), bars: serde_json::from_str(bars).expect(WHY) }
    }

    pub fn model_bytes(&self) -> Vec<u8> {
        self.model.to_bytes()
    }

    pub fn bars(&self) -> &Bars {
        &self.bars
    }

    /// How far each class is ahead of decent speech, in thousandths of a margin.
    fn margins(&self, text: &str) -> impl Iterator<Item = (&str, i32)> {
        let scores = self.model.score_features(&features::of(text)).by_class;
        let decent = self.model.classes().iter().position(|class| class == DECENT);
        let decent = decent.map_or(0, |place| scores[place]);
        let classes = self.model.classes().iter().zip(scores).filter(|(class, _)| *class != DECENT && *class != FINE);
        classes.map(move |(class, score)| (class.as_str(), if class == BAD { score } else { score - decent }))
    }

    /// The classes for which a text is held, and how far it is above the bar.
    fn held(&self, text: &str) -> impl Iterator<Item = (&str, i32)> {
        self.margins(text).filter_map(|(class, margin)| {
            let bar = *self.bars.0.get(class)?;
            (margin >= bar).then_some((class, margin - bar))
        })
    }

    /// The class that a text is most like, decent speech apart.
    fn most_like(&self, text: &str) -> &str {
        let classes = self.margins(text).filter(|(class, _)| *class != BAD);
        classes.max_by_key(|(_, margin)| *margin).map_or(BAD, |(class, _)| class)
    }

    /// The best margin of each class over all parts of a text.
    fn best(&self, source: &str) -> BTreeMap<&str, i32> {
        let mut best: BTreeMap<&str, i32> = BTreeMap::new();
        for (class, margin) in windows(source).into_iter().flat_map(|window| self.margins(window).collect::<Vec<_>>()) {
            let known = best.entry(class).or_insert(margin);
            *known = margin.max(*known);
        }
        best
    }

    /// Learns a language from labelled texts and decent arguments; the bars are set by decent texts that were not learned from.
    pub fn learn(examples: &[Example], decent: &[String], unseen: &[String]) -> Self {
        let lesson = |text: &str, class: &str| {
            let sort = if class == DECENT { FINE } else { BAD };
            Lesson { features: features::of(text), labels: vec![class.to_owned(), sort.to_owned()] }
        };
        let whole = |example: &Example| lesson(&example.text, &example.class);
        let mut lessons: Vec<Lesson> = examples.iter().map(whole).collect();
        lessons.extend(decent.iter().map(|text| lesson(text, DECENT)));
        let sentences = |text: &str| -> Vec<String> { windows(text).into_iter().skip(1).map(str::to_owned).collect() };
        let decent_sentences = decent.iter().chain(examples.iter().filter(|one| one.class == DECENT).map(|one| &one.text));
        lessons.extend(decent_sentences.flat_map(|text| sentences(text)).map(|one| lesson(&one, DECENT)));
        let mut first = Filter { model: learn_apart(&lessons, MODEL_BYTES), bars: Bars::default() };
        // Where in a longer text the class is: the part that the first lesson hears it in.
        for example in examples.iter().filter(|one| one.class != DECENT) {
            let parts = windows(&example.text);
            let worst = parts.iter().skip(1).max_by_key(|part| {
                first.margins(part).find(|(class, _)| *class == example.class).map(|(_, margin)| margin)
            });
            lessons.extend(worst.map(|part| lesson(part, &example.class)));
        }
        first.model = learn_apart(&lessons, MODEL_BYTES);
        let mut margins: BTreeMap<String, Vec<i32>> = BTreeMap::new();
        for text in unseen {
            for (class, margin) in first.best(text) {
                margins.entry(class.to_owned()).or_default().push(margin);
            }
        }
        let bar = |mut found: Vec<i32>| {
            found.sort_unstable_by(|a, b| b.cmp(a));
            found.get(found.len() * HELD_PER_THOUSAND / 1000).copied().unwrap_or(0).max(0) + 1
        };
        first.bars = Bars(margins.into_iter().map(|(class, found)| (class, bar(found))).collect());
        first
    }

    /// Whether a text is held for anything.
    pub fn holds(&self, text: &str) -> bool {
        windows(text).into_iter().any(|window| self.held(window).next().is_some())
    }
}
