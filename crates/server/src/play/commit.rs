//! What one command changed, gathered for the store.

use commons::corpus::lesson::{Lesson, lessons};
use commons::standings::Outcome;
use engine::erased::AnyGame;
use engine::game::{Logged, Progress};
use engine::id::{AccountId, Seq};
use std::sync::Arc;
use store::{Commit, FirstAnswer, GameNo, NewGame};

/// A snapshot is stored with every event whose number this divides, with the first and with the last. Rarely enough that it costs next to
/// nothing, often enough that a game is read back at once.
const SNAPSHOT_EVERY: u64 = 32;

/// The commit of these rows, with `game` as it is after them. With `hold`, its words wait until a moderation service has looked at them.
pub fn commit(
    game: &dyn AnyGame,
    stored: Result<GameNo, NewGame>,
    rows: Arc<Vec<Logged>>,
    once: Option<FirstAnswer>,
    hold: bool,
) -> Commit {
    let mut lessons = lessons(game, &rows);
    if hold {
        lessons.iter_mut().for_each(wait);
    }
    Commit {
        game: stored,
        seated: seated(game, &rows),
        outcome: outcome(game, &rows),
        lessons,
        id: game.id(),
        snapshot: is_due(game, &rows).then(|| game.snapshot()),
        status: game.status(),
        progress: game.progress(),
        head: game.chain().head(),
        once,
        rows,
    }
}

/// Whether a snapshot belongs to these rows.
fn is_due(game: &dyn AnyGame, rows: &[Logged]) -> bool {
    let due = |row: &Logged| row.mark.seq.0 == 1 || row.mark.seq.0.is_multiple_of(SNAPSHOT_EVERY);
    game.progress() == Progress::Over || rows.iter().any(due)
}

fn wait(lesson: &mut Lesson) {
    match lesson {
        Lesson::Said { text, .. } => text.hold(),
        Lesson::Weighed { .. } | Lesson::Defended { .. } | Lesson::Consulted { .. } => {}
    }
}

fn seated(game: &dyn AnyGame, rows: &[Logged]) -> Vec<AccountId> {
    let sat_down = |agent: Seq| rows.iter().any(|row| row.name == "agent_registered" && row.mark.seq == agent);
    game.roster()
        .iter()
        .filter(|(_, seat)| sat_down(seat.agent))
        .filter_map(|(_, seat)| seat.holder.account())
        .collect()
}

fn outcome(game: &dyn AnyGame, rows: &[Logged]) -> Option<Outcome> {
    let ended = game.progress() == Progress::Over && rows.iter().any(|row| row.transition.is_some());
    ended.then(|| Outcome::of(game))
}
