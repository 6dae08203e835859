//! A finished game, moment by moment: the same board at any event, and a link to each. [`Replay`] alone is the fragment.

use super::chrome::{Chrome, Words};
use super::record::{Record, What};
use super::table::Table;
use askama::Template;
use engine::parts::transcript::Entry;
use games::trolley::View;

/// `GET /games/{id}/replay?at=SEQ`.
#[derive(Template, Clone, Debug)]
#[template(path = "replay.html")]
pub struct ReplayPage {
    /// The frame.
    pub chrome: Chrome,
    /// Everything that changes.
    pub replay: Replay,
}

/// `GET /games/{id}/replay/fragment?at=SEQ`.
#[derive(Template, Clone, Debug)]
#[template(path = "replay_body.html")]
pub struct Replay {
    /// The words.
    pub w: Words,
    /// The table as it was.
    pub table: Table,
    /// The event shown.
    pub at: u64,
    /// The first event worth showing: the deal of the first round.
    pub first: u64,
    /// The last event.
    pub last: u64,
    record: Record,
    before: Option<u64>,
    after: Option<u64>,
    ticks: Vec<(String, u32, u64)>,
}

impl Replay {
    /// The moment to show for what the query asked: within the game, and its end if nothing was asked.
    pub fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        let (first, last) = bounds(entries);
        asked.unwrap_or(last).clamp(first, last)
    }

    /// The game at `at`, which [`Replay::moment`] gave; `view` is a spectator's at that event, `entries` are all of them.
    pub fn new(w: Words, view: View, entries: &[Entry], at: u64) -> Replay {
        let (first, last) = bounds(entries);
        let seats = view.coverage.len();
        let whole = Record::read(&view, entries);
        let stops: Vec<u64> = whole.moments.iter().map(|moment| moment.seq).filter(|seq| *seq >= first).collect();
        let ticks = whole.rounds.iter().map(|round| (share(round.seq, first, last), round.number, round.seq)).collect();
        let past: Vec<Entry> = entries.iter().filter(|entry| entry.seq.0 <= at).cloned().collect();
        Replay {
            w,
            table: Table::new(w, view, &past, None),
            at,
            first,
            last,
            before: stops.iter().rev().find(|seq| **seq < at).copied(),
            after: stops.iter().find(|seq| **seq > at).copied(),
            ticks,
            record: whole.round_at(at).around(at, seats),
        }
    }

    fn yet(&self, seq: &u64) -> bool {
        *seq > self.at
    }
}

fn bounds(entries: &[Entry]) -> (u64, u64) {
    let first = entries.iter().find(|entry| entry.name == "round_started").or(entries.first());
    (first.map_or(1, |entry| entry.seq.0), entries.last().map_or(1, |entry| entry.seq.0))
}

/// Where on the scrubber an event lies, in thousandths.
fn share(seq: u64, first: u64, last: u64) -> String {
    ((seq - first) * 1000 / (last - first).max(1)).to_string()
}
