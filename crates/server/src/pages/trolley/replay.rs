//! A finished trolley game, moment by moment: the same board at any event, and a link to each.

use crate::locale::Words;
use crate::pages::shared::record::{Record, What, room};
use crate::pages::shared::timeline::{self, Timeline};
use crate::pages::trolley::body::TrolleyBody;
use askama::Template;
use engine::parts::transcript::Entry;
use games::trolley::View;

/// The first event worth showing: the deal of the first round.
const OPENING: &str = "round_started";

/// `GET /games/{id}/replay/fragment?at=SEQ` of a trolley game.
#[derive(Template, Clone, Debug)]
#[template(path = "trolley/replay.html")]
pub struct TrolleyReplay {
    pub w: Words,
    /// The table as it was.
    pub table: TrolleyBody,
    pub timeline: Timeline,
    record: Record,
}

impl TrolleyReplay {
    /// The moment to show for what the query asked.
    pub fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        timeline::moment(entries, OPENING, asked)
    }

    /// The game at `at`, which [`TrolleyReplay::moment`] gave; `view` is a spectator's at that event, `entries` are the whole game's.
    pub fn new(w: Words, view: View, entries: &[Entry], at: u64) -> TrolleyReplay {
        let room = room(view.coverage.len());
        let whole = Record::read(&view, entries);
        let rounds = whole.rounds.iter().map(|round| (round.number.to_string(), round.seq)).collect();
        let timeline = Timeline::new(&view.game_id, entries, OPENING, whole.stops(), rounds, at);
        let past = timeline::past(entries, at);
        let record = whole.round_at(at).around(at, room);
        TrolleyReplay { w, table: TrolleyBody::new(w, view, &past, None), timeline, record }
    }

    fn parts_name(&self) -> String {
        self.w.t("replay-rounds")
    }
}
