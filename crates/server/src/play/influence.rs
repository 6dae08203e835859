//! What moved the verdict of a finished game: worked out once from its log, outside the commit, and kept.

use crate::play::House;
use crate::play::live::Table;
use crate::problem::{Answer, Problem};
use engine::erased::AnyGame;
use engine::game::{Progress, heard};
use engine::id::{GameId, Inner, Seat, Seq};
use engine::influence::{Changed, Level, Moved, Unknown, Without};
use engine::parts::transcript::Entry;
use engine::rules::{Told, Viewer};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::GameNo;
use store::Row;
use store::games::influences::{self, Found};
use store::games::{GameStored, transcript};

/// Longer games are not played again: that is done once for each of their speeches.
const EVENTS_MAX: usize = 600;
/// How often to look for a finished game that is still to be worked out.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The rest after working out a game, as a multiple of the time that it took: at most a fifth of one core goes to it.
const REST_TIMES: u32 = 4;

/// Works out what moved finished games, one after the other, until the server stops.
pub async fn keep(house: House) {
    let mut stopping = house.stopping.subscribe();
    let mut rest = LOOK_EVERY;
    loop {
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            _ = stopping.changed() => return,
        }
        let began = Instant::now();
        rest = match work(&house).await {
            Ok(true) => began.elapsed() * REST_TIMES,
            Ok(false) => LOOK_EVERY,
            Err(problem) => {
                tracing::error!(detail = %problem.detail, "what moved a finished game could not be worked out");
                LOOK_EVERY
            }
        };
    }
}

/// Works out what moved one of the waiting games, and says whether there was one.
pub async fn work(house: &House) -> Answer<bool> {
    let Some((no, id)) = house.store.read(influences::due).await? else { return Ok(false) };
    find(house, no, id, Level::Revote).await.map(|_| true)
}

/// What each speech of a finished game moved, and those of its speeches that this viewer may read.
pub async fn seen(house: &House, table: &Table, viewer: Viewer, level: Level) -> Answer<(Found, Vec<Entry>)> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    if game.progress() != Progress::Over {
        return Ok((Err(Unknown::GoesOn), vec![]));
    }
    if let Told::Seat(seat) = game.meta().influence
        && viewer != Viewer::Seat(seat)
    {
        return Err(Problem::forbidden("What moved this game is for its player alone."));
    }
    let no = table.no;
    let mut said = house.store.read(move |db| transcript(db, no, EVENTS_MAX)).await?;
    said.retain(|entry| entry.line.text.is_some());
    let read = heard(viewer, &said).into_owned();
    if read.is_empty() && !said.is_empty() {
        return Err(Problem::forbidden("What was said here is for those at the table, and so is what it moved."));
    }
    Ok((find(house, no, table.id, level).await?, read))
}

/// The same as JSON for clients.
pub async fn told(house: &House, table: &Table, viewer: Viewer, level: Level) -> Answer<Value> {
    let (found, read) = seen(house, table, viewer, level).await?;
    let shown = table.shown();
    let mut answer = json!({"game_id": table.id.to_string(), "level": level.word(), "speeches": []});
    match &found {
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

/// What is kept about a game, worked out now if nothing is. One game at a time: each is played again dozens of times.
async fn find(house: &House, no: GameNo, id: GameId, level: Level) -> Answer<Found> {
    let kept = async || house.store.read(move |db| influences::find(db, no, level)).await;
    if let Some(found) = kept().await? {
        return Ok(found);
    }
    let _turn = house.playing_again.acquire().await.map_err(Problem::ours)?;
    // The request before this one may have asked the same.
    if let Some(found) = kept().await? {
        return Ok(found);
    }
    let catalog = house.settings.catalog;
    let found = house.store.read(move |db| {
        let stored = GameStored::find(db, id)?;
        let rows = Row::after(db, no, Seq(0), EVENTS_MAX + 1)?;
        let log: Vec<_> = rows.into_iter().map(|row| (row.mark, row.body)).collect();
        let kind = stored.as_ref().and_then(|stored| catalog.by_name(&stored.kind));
        Ok(stored.zip(kind).map(|(stored, kind)| match log.len() > EVENTS_MAX {
            true => Err(Unknown::TooLong),
            false => (kind.influence)(id, stored.seed, &log, level),
        }))
    });
    let mut found = found.await?.ok_or_else(Problem::no_game)?;
    // `verify` says what is wrong with such a log; here it must not keep other games waiting.
    if let Err(Unknown::Corrupt(_)) = &found {
        tracing::error!(game = %id, "a finished game cannot be played again");
        found = Err(Unknown::Otherwise);
    }
    house.store.write(move |db| influences::keep(db, no, level, &found).map(|()| found)).await.map_err(Problem::from)
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
        "lift": without.lift,
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
