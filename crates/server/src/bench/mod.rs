//! `moot bench`: each row measures Moot and its limit in one run, one after the other, and prints both and their ratio.
//!
//! Baselines are written as well as we can, not to be beaten. Figures of other projects are constants.

mod client;
mod live;
mod process;
mod record;
mod rules;
mod tables;

use serde::Serialize;
use std::path::PathBuf;

/// How long each side of a row is measured.
const MEASURE_MS: u64 = 4_000;

/// What to measure.
#[derive(clap::Args)]
pub struct Bench {
    /// Only rows whose name contains this
    row: Option<String>,
    /// Also write the results to this file as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// One measured row.
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
    /// More is better.
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

    /// Less is better.
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

type Measure = fn() -> anyhow::Result<Row>;

const ROWS: [(&str, Measure); 8] = [
    ("rules", rules::trolley),
    ("trial", rules::trial),
    ("state", tables::state),
    ("actions", tables::actions),
    ("spectators", live::spectators),
    ("verify", record::verify),
    ("memory", process::memory),
    ("start", process::start),
];

/// Measures and prints.
pub fn run(bench: &Bench) -> anyhow::Result<()> {
    let chosen: Vec<_> =
        ROWS.iter().filter(|(name, _)| bench.row.as_ref().is_none_or(|row| name.contains(row.as_str()))).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = ROWS.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("there is no such row; there are: {}", known.join(", "));
    }
    let mut rows = Vec::new();
    println!("{:<12} {:>14} {:>14} {:>8} {:>9}  {:<10} against", "row", "moot", "limit", "ratio", "at least", "unit");
    for (_, measure) in chosen {
        let row = measure()?;
        println!(
            "{:<12} {:>14.1} {:>14.1} {:>8.2} {:>9.2}  {:<10} {}{}",
            row.name,
            row.moot,
            row.limit,
            row.ratio,
            row.at_least,
            row.unit,
            row.against,
            if row.reached { "" } else { "   MISSED" }
        );
        rows.push(row);
    }
    if let Some(file) = &bench.json {
        std::fs::write(file, serde_json::to_vec_pretty(&rows)?)?;
    }
    Ok(())
}
