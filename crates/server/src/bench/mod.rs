//! `moot bench`: each row measures Moot and its limit in one run, one after the other, and prints both and their ratio.
//!
//! Baselines are written as well as we can, not to lose. Figures of other projects are constants.

mod client;
mod corpus;
mod games;
mod growth;
mod live;
mod process;
mod purchases;
mod record;
mod rules;
pub(crate) mod tables;

use serde::Serialize;
use std::path::PathBuf;

/// How long each side of a row is measured.
const MEASURE_MS: u64 = 4_000;

#[derive(clap::Args)]
pub struct Bench {
    /// Only rows whose name contains this
    row: Option<String>,
    /// Also write the results to this file as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// How many uses of arguments, and as many defenses, the corpus of the corpus rows holds
    #[arg(long, default_value_t = corpus::EVENTS, value_parser = clap::value_parser!(u32).range(1_000..=20_000_000))]
    events: u32,
}

#[derive(Serialize, Clone, Debug)]
struct Row {
    name: &'static str,
    unit: &'static str,
    moot: f64,
    limit: f64,
    /// What the limit is.
    against: String,
    /// Greater is better, whatever the unit.
    ratio: f64,
    at_least: f64,
    reached: bool,
}

impl Row {
    fn rate(
        name: &'static str,
        unit: &'static str,
        moot: f64,
        limit: f64,
        against: impl Into<String>,
        at_least: f64,
    ) -> Self {
        let ratio = moot / limit;
        Row { name, unit, moot, limit, against: against.into(), ratio, at_least, reached: ratio >= at_least }
    }

    fn cost(
        name: &'static str,
        unit: &'static str,
        moot: f64,
        limit: f64,
        against: impl Into<String>,
        at_least: f64,
    ) -> Self {
        let ratio = limit / moot;
        Row { name, unit, moot, limit, against: against.into(), ratio, at_least, reached: ratio >= at_least }
    }
}

impl Row {
    fn print(&self) {
        println!(
            "{:<20} {:>14} {:>14} {:>8.2} {:>9.2}  {:<10} {}{}",
            self.name,
            figure(self.moot),
            figure(self.limit),
            self.ratio,
            self.at_least,
            self.unit,
            self.against,
            if self.reached { "" } else { "   MISSED" }
        );
    }
}

/// Small figures with more digits.
fn figure(value: f64) -> String {
    if value < 10.0 { format!("{value:.3}") } else { format!("{value:.1}") }
}

type Measure = fn() -> anyhow::Result<Row>;

/// The rows that share one large database, under one name.
const CORPUS: &str = "corpus";

const ROWS: [(&str, Measure); 10] = [
    ("rules", rules::trolley),
    ("trial", rules::trial),
    ("minds", rules::minds),
    ("state", tables::state),
    ("actions", tables::actions),
    ("purchases", purchases::purchases),
    ("spectators", live::spectators),
    ("verify", record::verify),
    ("memory", process::memory),
    ("start", process::start),
];

pub fn run(bench: &Bench) -> anyhow::Result<()> {
    let wanted = |name: &str| bench.row.as_ref().is_none_or(|row| name.contains(row.as_str()));
    let known = || ROWS.iter().chain(&growth::ROWS).map(|(name, _)| *name).chain([CORPUS]);
    if !known().any(wanted) {
        anyhow::bail!("there is no such row; there are: {}", known().collect::<Vec<_>>().join(", "));
    }
    let mut rows = Vec::new();
    println!("{:<20} {:>14} {:>14} {:>8} {:>9}  {:<10} against", "row", "moot", "limit", "ratio", "at least", "unit");
    for (_, measure) in ROWS.iter().chain(&growth::ROWS).filter(|(name, _)| wanted(name)) {
        let row = measure()?;
        row.print();
        rows.push(row);
    }
    if wanted(CORPUS) {
        for row in corpus::rows(bench.events as usize)? {
            row.print();
            rows.push(row);
        }
    }
    if let Some(file) = &bench.json {
        std::fs::write(file, serde_json::to_vec_pretty(&rows)?)?;
    }
    Ok(())
}
