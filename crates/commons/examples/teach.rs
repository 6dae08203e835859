//! Teaches moderation from its examples, and says how well it learned: `cargo run --release -p moot-commons --example teach [--write]`.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "it reads and writes files; the crate itself does neither")]

use commons::corpus::moderation::classes::{Example, Filter};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every fifth of the examples is kept back in turn, to see what the others teach.
const FOLDS: usize = 5;
/// How many decent arguments of players are learned from, besides the examples of decent speech.
const DECENT_MAX: usize = 1_500;

#[derive(Deserialize)]
struct Argument {
    text: String,
    split: String,
}

/// Examples of arguments below a folder, by split.
fn arguments(folder: &Path, lang: &str, found: &mut Vec<Argument>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            arguments(&path, lang, found);
        } else if path.file_name().is_some_and(|name| name == format!("examples.{lang}.jsonl").as_str()) {
            let text = fs::read_to_string(&path).expect("it reads");
            found.extend(text.lines().filter_map(|line| serde_json::from_str::<Argument>(line).ok()));
        }
    }
}

fn main() {
    let briefs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../briefs");
    for lang in ["en", "ko"] {
        let file = fs::read_to_string(briefs.join(format!("moderation/examples.{lang}.jsonl"))).expect("examples");
        let examples: Vec<Example> =
            file.lines().map(|line| serde_json::from_str(line).expect("an example")).collect();
        let mut found = Vec::new();
        arguments(&briefs.join("tribunal"), lang, &mut found);
        let of = |split: &str| -> Vec<String> {
            found.iter().filter(|one| one.split == split).map(|one| one.text.clone()).collect()
        };
        let (all, tune) = (of("train"), of("tune"));
        // Not so many that what may not be said becomes too rare to be learned.
        let step = all.len().div_ceil(DECENT_MAX);
        let train: Vec<String> = all.into_iter().step_by(step).collect();
        let decent = |fold: usize, kept: bool| {
            examples.iter().enumerate().filter(move |(place, _)| (place % FOLDS == fold) == kept).map(|(_, one)| one)
        };
        let mut by_class: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for fold in 0..FOLDS {
            let learned: Vec<Example> = decent(fold, false).cloned().collect();
            let filter = Filter::learn(&learned, &train, &tune);
            for example in decent(fold, true) {
                let (held, all) = by_class.entry(example.class.clone()).or_default();
                *held += usize::from(filter.holds(&example.text));
                *all += 1;
            }
        }
        println!("{lang}: {} examples, {} decent arguments, {} to set the bars by", examples.len(), train.len(), tune.len());
        for (class, (held, all)) in by_class {
            println!("  {class}: {held} of {all} held, {}%", held * 100 / all);
        }
        if std::env::args().any(|arg| arg == "--write") {
            let unseen: Vec<String> = tune.clone();
            let filter = Filter::learn(&examples, &train, &unseen);
            fs::write(briefs.join(format!("moderation/model.{lang}")), filter.model_bytes()).expect("it is written");
            let bars = serde_json::to_string_pretty(filter.bars()).expect("plain numbers") + "\n";
            fs::write(briefs.join(format!("moderation/bars.{lang}.json")), bars).expect("it is written");
        }
    }
}
