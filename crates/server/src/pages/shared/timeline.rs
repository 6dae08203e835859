//! Moving through a finished game: which moments there are, which one is shown, and a tick for each part of it.

use crate::pages::shared::frame::Frame;
use askama::Template;
use engine::parts::transcript::Entry;

#[derive(Template, Clone, Debug)]
#[template(path = "shared/replay.html")]
pub struct ReplayPage {
    pub frame: Frame,
    /// The stylesheets of the kind.
    pub styles: &'static [&'static str],
    /// Everything that changes, as the kind's own template wrote it.
    pub body: String,
}

/// The moment shown, and the moments to move to.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// The id of the game.
    pub game: String,
    pub at: u64,
    /// The first event worth showing.
    pub first: u64,
    pub last: u64,
    pub before: Option<u64>,
    pub after: Option<u64>,
    /// The parts of the game.
    pub ticks: Vec<Tick>,
}

/// Where a part of the game begins.
#[derive(Clone, Debug)]
pub struct Tick {
    /// Where on the timeline, in thousandths.
    pub x: u64,
    pub name: String,
    /// The event that opened it.
    pub seq: u64,
    /// Whether the moment shown is in it.
    pub now: bool,
}

/// The moment to show: the one asked for, kept within the game, or its beginning. `opening` is the name of the first event worth
/// showing.
pub fn moment(entries: &[Entry], opening: &str, asked: Option<u64>) -> u64 {
    let (first, last) = bounds(entries, opening);
    asked.unwrap_or(first).clamp(first, last)
}

impl Timeline {
    /// The timeline of a whole game at `at`; `stops` are the events to step through, `parts` the names of its parts and the events that
    /// opened them.
    pub fn new(
        game: &str,
        entries: &[Entry],
        opening: &str,
        mut stops: Vec<u64>,
        parts: Vec<(String, u64)>,
        at: u64,
    ) -> Timeline {
        let (first, last) = bounds(entries, opening);
        stops.retain(|seq| *seq >= first);
        let present = parts.iter().rposition(|(_, seq)| *seq <= at);
        let tick = |(index, (name, seq)): (usize, (String, u64))| Tick {
            x: seq.saturating_sub(first) * 1000 / (last - first).max(1),
            name,
            seq,
            now: present == Some(index),
        };
        Timeline {
            game: game.to_owned(),
            at,
            first,
            last,
            before: stops.iter().rev().find(|seq| **seq < at).copied(),
            after: stops.iter().find(|seq| **seq > at).copied(),
            ticks: parts.into_iter().enumerate().map(tick).collect(),
        }
    }
}

/// What was said up to a moment.
pub fn past(entries: &[Entry], at: u64) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.seq.0 <= at).cloned().collect()
}

fn bounds(entries: &[Entry], opening: &str) -> (u64, u64) {
    let first = entries.iter().find(|entry| entry.name == opening).or(entries.first());
    (first.map_or(1, |entry| entry.seq.0), entries.last().map_or(1, |entry| entry.seq.0))
}
