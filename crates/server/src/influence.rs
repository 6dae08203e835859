//! What moved the verdict of a finished game, worked out once from its log and kept in memory.

use crate::house::House;
use crate::kinds::Played;
use crate::live::Table;
use crate::problem::{Answer, Problem};
use crate::store::Row;
use crate::store::games::{GameStored, transcript};
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{GameId, Inner, Seat, Seq};
use engine::influence::{Changed, Influence, Level, Moved, Unknown, Without};
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// Longer games are not played again: that takes as often as they have speeches.
const EVENTS_MAX: usize = 600;
/// How many answers are kept.
const KEPT_MAX: usize = 512;

/// An answer, or why there is none.
pub type Found = Arc<Result<Influence, Unknown>>;

/// What has been worked out, and the one place to work it out in: a game is played again dozens of times for one answer.
pub struct Influences {
    kept: Mutex<BTreeMap<(GameId, &'static str), Found>>,
    desk: Semaphore,
}

impl Default for Influences {
    fn default() -> Self {
        Influences { kept: Mutex::default(), desk: Semaphore::new(1) }
    }
}

impl Influences {
    fn get(&self, key: (GameId, &'static str)) -> Option<Found> {
        self.kept.lock().expect("nothing panics while it is held").get(&key).cloned()
    }

    fn keep(&self, key: (GameId, &'static str), found: Found) {
        let mut kept = self.kept.lock().expect("nothing panics while it is held");
        kept.insert(key, found);
        // Ids grow with time, so the oldest game goes first.
        while kept.len() > KEPT_MAX {
            kept.pop_first();
        }
    }
}

/// What each speech of a finished game moved, and those of its speeches that this viewer may read.
pub async fn seen(house: &House, table: &Table, viewer: Viewer, level: Level) -> Answer<(Found, Vec<Entry>)> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    if game.progress() != Progress::Over {
        return Ok((Arc::new(Err(Unknown::GoesOn)), vec![]));
    }
    // The stances that a meeting moved are its player's alone.
    if Played::of(game) == Played::Mercury && viewer != Viewer::Seat(Seat(0)) {
        return Err(Problem::forbidden("What moved the delegations is for the player of the meeting."));
    }
    let no = table.no;
    let mut said = house.store.read(move |db| transcript(db, no, EVENTS_MAX)).await?;
    said.retain(|entry| entry.line.text.is_some());
    let read = heard(viewer, &said).into_owned();
    if read.is_empty() && !said.is_empty() {
        return Err(Problem::forbidden("What was said here is for those at the table, and so is what it moved."));
    }
    Ok((worked_out(house, table, level).await?, read))
}

/// The same as clients read it.
pub async fn told(house: &House, table: &Table, viewer: Viewer, level: Level) -> Answer<Value> {
    let (found, read) = seen(house, table, viewer, level).await?;
    let shown = table.shown();
    let mut answer = json!({"game_id": table.id.to_string(), "level": level.word(), "speeches": []});
    match found.as_ref() {
        Ok(influence) => {
            let may_read = |without: &&Without| read.iter().any(|entry| entry.seq == without.speech);
            let speeches = influence.speeches.iter().filter(may_read);
            answer["as"] = "as the house's jury hears it".into();
            answer["outcome"] = influence.outcome.clone();
            answer["speeches"] = speeches.map(|without| speech(shown.game.as_ref(), without)).collect();
        }
        Err(unknown) => answer["reason"] = why_not(unknown)?.into(),
    }
    Ok(answer)
}

async fn worked_out(house: &House, table: &Table, level: Level) -> Answer<Found> {
    let key = (table.id, level.word());
    if let Some(found) = house.influences.get(key) {
        return Ok(found);
    }
    let _turn = house.influences.desk.acquire().await.map_err(Problem::ours)?;
    // The request before this one may have asked the same.
    if let Some(found) = house.influences.get(key) {
        return Ok(found);
    }
    let (id, no) = (table.id, table.no);
    let found = house.store.read(move |db| {
        let stored = GameStored::find(db, id)?;
        let rows = Row::after(db, no, Seq(0), EVENTS_MAX + 1)?;
        let log: Vec<_> = rows.into_iter().map(|row| (row.mark, row.body)).collect();
        let kind = stored.as_ref().and_then(|stored| games::catalog::by_name(&stored.kind));
        let found = stored.zip(kind).map(|(stored, kind)| match log.len() > EVENTS_MAX {
            true => Err(Unknown::TooLong),
            false => (kind.influence)(id, stored.seed, &log, level),
        });
        Ok(found)
    });
    let found: Found = Arc::new(found.await?.ok_or_else(Problem::no_game)?);
    house.influences.keep(key, found.clone());
    Ok(found)
}

fn speech(game: &dyn AnyGame, without: &Without) -> Value {
    let agent = |seat: Seat| game.roster().agent_id(game.id(), seat);
    let decision = |changed: &Changed| json!({"agent_id": agent(changed.by), "number": changed.number, "with": changed.with, "without": changed.without});
    let lean = |moved: &Moved| json!({"who": moved.lean.who, "on": moved.lean.on, "with": moved.lean.value, "without": moved.without});
    json!({
        "id": Inner::Argument.name(game.id(), without.speech.0), "seq": without.speech.0,
        "agent_id": agent(without.by), "display_name": game.roster().name(without.by),
        "outcome": without.outcome,
        "decisions": without.decisions.iter().map(decision).collect::<Vec<_>>(),
        "leans": without.leans.iter().map(lean).collect::<Vec<_>>(),
        "diverged_at": without.diverged_at.map(|seq| seq.0),
    })
}

/// Why there is no answer, in a sentence.
pub fn why_not(unknown: &Unknown) -> Answer<&'static str> {
    match unknown {
        Unknown::GoesOn => Ok("What moved the verdict is told when the game is over."),
        Unknown::Unheard => Ok("No mind of the house weighed what was said in this game."),
        Unknown::Otherwise => {
            Ok("The house would no longer decide this game as it did, so it cannot say what moved it.")
        }
        Unknown::TooLong => Ok("The game is too long to be played again without each of its speeches."),
        Unknown::Corrupt(corrupt) => Err(Problem::ours(corrupt)),
    }
}
