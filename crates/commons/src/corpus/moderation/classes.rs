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
use serde::Deserialize;
use std::sync::LazyLock;

/// The largest model of a language.
const MODEL_BYTES: usize = 160_000;
/// Of ten thousand decent texts, at most this many may be held.
const HELD_PER_TEN_THOUSAND: usize = 15;
/// The class of everything that may be said.
const DECENT: &str = "decent";
/// Whether a text is of any other class is learned by itself: of that there are more examples than of each class.
const BAD: &str = "bad";
const FINE: &str = "fine";
/// A part of fewer words is not read by itself: it could mean anything.
const WORDS_MIN: usize = 5;

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
    /// From which score on a text is held, in thousandths; stored beside the model.
    bar: i32,
}

static ENGLISH: LazyLock<Filter> = LazyLock::new(|| {
    Filter::read(
        include_bytes!("../../../../../briefs/moderation/model.en"),
        include_str!("../../../../../briefs/moderation/bar.en"),
    )
});
static KOREAN: LazyLock<Filter> = LazyLock::new(|| {
    Filter::read(
        include_bytes!("../../../../../briefs/moderation/model.ko"),
        include_str!("../../../../../briefs/moderation/bar.ko"),
    )
});

/// Looks at each sentence, in the language it is written in, and names the part that is worst.
pub fn check(source: &str, reasons: &mut Vec<Reason>) {
    let read = |window| {
        let filter = match text::language_of(window)? {
            Lang::Ko => &*KOREAN,
            Lang::En => &*ENGLISH,
        };
        let above = filter.badness(window) - filter.bar;
        (above >= 0).then(|| (above, filter.most_like(window), window))
    };
    let worst = windows(source).into_iter().filter_map(read).max_by_key(|(above, ..)| *above);
    if let Some((_, class, window)) = worst {
        let reason = reason(class, shown(window.trim().chars(), window.len()));
        if reasons.iter().all(|known| known.code() != reason.code()) {
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
    let start = |one: &str| one.as_ptr() as usize - source.as_ptr() as usize;
    let pairs = sentences.windows(2).map(|two| &source[start(two[0])..start(two[1]) + two[1].len()]);
    let parts = sentences.iter().copied().chain(pairs);
    windows.extend(parts.filter(|part| part.len() < source.len() && text::words(part).len() >= WORDS_MIN));
    windows
}

impl Filter {
    fn read(model: &[u8], bar: &str) -> Self {
        const WHY: &str = "the model is part of the program and a test reads it";
        Filter { model: Model::from_bytes(model).expect(WHY), bar: bar.trim().parse().expect(WHY) }
    }

    pub fn model_bytes(&self) -> Vec<u8> {
        self.model.to_bytes()
    }

    pub fn bar(&self) -> i32 {
        self.bar
    }

    fn scores(&self, text: &str) -> impl Iterator<Item = (&str, i32)> {
        let scores = self.model.score_features(&features::of(text)).by_class;
        self.model.classes().iter().map(String::as_str).zip(scores)
    }

    /// How sure it is that a text may not be said, in thousandths of a margin.
    fn badness(&self, text: &str) -> i32 {
        self.scores(text).find(|(class, _)| *class == BAD).map_or(i32::MIN, |(_, score)| score)
    }

    /// The class that a text is most like, decent speech apart.
    fn most_like(&self, text: &str) -> &str {
        let classes = self.scores(text).filter(|(class, _)| ![BAD, FINE, DECENT].contains(class));
        classes.max_by_key(|(_, score)| *score).map_or(BAD, |(class, _)| class)
    }

    /// How sure it is of the worst part of a text.
    fn worst(&self, source: &str) -> i32 {
        windows(source).into_iter().map(|window| self.badness(window)).max().unwrap_or(i32::MIN)
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
        let decent_sentences =
            decent.iter().chain(examples.iter().filter(|one| one.class == DECENT).map(|one| &one.text));
        lessons.extend(decent_sentences.flat_map(|text| sentences(text)).map(|one| lesson(&one, DECENT)));
        let mut filter = Filter { model: learn_apart(&lessons, MODEL_BYTES), bar: 0 };
        // Where in a longer text it is bad: the part that the first lessons make most of.
        for example in examples.iter().filter(|one| one.class != DECENT) {
            let parts = windows(&example.text);
            let worst = parts.iter().skip(1).max_by_key(|part| filter.badness(part));
            lessons.extend(worst.map(|part| lesson(part, &example.class)));
        }
        filter.model = learn_apart(&lessons, MODEL_BYTES);
        let mut found: Vec<i32> = unseen.iter().map(|text| filter.worst(text)).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        filter.bar = found.get(found.len() * HELD_PER_TEN_THOUSAND / 10_000).copied().unwrap_or(0) + 1;
        filter
    }

    /// Whether a text is held.
    pub fn holds(&self, text: &str) -> bool {
        self.worst(text) >= self.bar
    }
}
