//! Teaches moderation from its examples, and says how well it learned: `cargo run --release -p moot-commons --example teach [--write]`.

use commons::corpus::moderation::classes::{Example, Filter};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every fifth of the examples is kept back in turn, to see what the others teach.
const FOLDS: usize = 5;
/// How many decent arguments of players are learned from, besides the examples of decent speech.
const DECENT_MAX: usize = 2_500;
/// Shorter texts of the content files are labels and names.
const LINE_LEN_MIN: usize = 30;

#[derive(Deserialize)]
struct Argument {
    text: String,
    split: String,
    /// What it argues; sentences that make no point are near misses of every sort, orders and salad among them.
    points: Vec<serde_json::Value>,
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

/// What house minds say: every text of the content files that is long enough to be a line.
fn house_lines(folder: &Path, lang: &str, found: &mut Vec<String>) {
    fn gather(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) if text.chars().count() >= LINE_LEN_MIN => found.push(text.clone()),
            serde_json::Value::Array(all) => all.iter().for_each(|one| gather(one, found)),
            serde_json::Value::Object(all) => all.values().for_each(|one| gather(one, found)),
            _ => {}
        }
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            house_lines(&path, lang, found);
        } else if path.to_string_lossy().ends_with(&format!(".{lang}.json")) {
            gather(&serde_json::from_str(&fs::read_to_string(&path).expect("it reads")).expect("JSON"), found);
        }
    }
}

fn main() {
    let briefs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../briefs");
    for lang in ["en", "ko"] {
        let file = fs::read_to_string(briefs.join(format!("moderation/examples.{lang}.jsonl"))).expect("examples");
        let examples: Vec<Example> = file.lines().map(|line| serde_json::from_str(line).expect("an example")).collect();
        let mut found = Vec::new();
        arguments(&briefs, lang, &mut found);
        let mut lines = Vec::new();
        house_lines(&briefs, lang, &mut lines);
        let of = |split: &str| -> Vec<String> {
            found
                .iter()
                .filter(|one| one.split == split && !one.points.is_empty())
                .map(|one| one.text.clone())
                .collect()
        };
        let all = of("train");
        // The bar is set by what is sold: arguments of tribunals.
        found.clear();
        arguments(&briefs.join("tribunal"), lang, &mut found);
        let of = |split: &str| -> Vec<String> {
            let found = found.iter().filter(|one| one.split == split && !one.points.is_empty());
            found.map(|one| one.text.clone()).collect()
        };
        let tune = [of("tune"), of("held")].concat();
        // Not so many that what may not be said becomes too rare to be learned.
        let step = all.len().div_ceil(DECENT_MAX);
        let train: Vec<String> = all.into_iter().step_by(step).chain(lines).collect();
        let decent = |fold: usize, kept: bool| {
            examples.iter().enumerate().filter(move |(place, _)| (place % FOLDS == fold) == kept).map(|(_, one)| one)
        };
        let mut by_class: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let folds = if std::env::args().any(|arg| arg == "--fast") { 0 } else { FOLDS };
        for fold in 0..folds {
            let learned: Vec<Example> = decent(fold, false).cloned().collect();
            let filter = Filter::learn(&learned, &train, &tune);
            for example in decent(fold, true) {
                let (held, all) = by_class.entry(example.class.clone()).or_default();
                *held += usize::from(filter.holds(&example.text));
                *all += 1;
            }
        }
        println!(
            "{lang}: {} examples, {} decent arguments, {} to set the bars by",
            examples.len(),
            train.len(),
            tune.len()
        );
        for (class, (held, all)) in by_class {
            println!("  {class}: {held} of {all} held, {}%", held * 100 / all);
        }
        if std::env::args().any(|arg| arg == "--write") {
            let unseen = tune.clone();
            let filter = Filter::learn(&examples, &train, &unseen);
            fs::write(briefs.join(format!("moderation/model.{lang}")), filter.model_bytes()).expect("it is written");
            fs::write(briefs.join(format!("moderation/bar.{lang}")), format!("{}\n", filter.bar()))
                .expect("it is written");
        }
    }
}
