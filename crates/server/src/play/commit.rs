//! What one command changed, gathered for the store.

use commons::corpus::lesson::{Lesson, lessons};
use commons::standings::Outcome;
use engine::erased::AnyGame;
use engine::game::{Logged, Progress};
use engine::id::{AccountId, Seq};
use std::sync::Arc;
use store::{Commit, FirstAnswer, GameNo, NewGame};

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
        rows,
        snapshot: game.snapshot(),
        status: game.status(),
        progress: game.progress(),
        head: game.chain().head(),
        once,
    }
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
