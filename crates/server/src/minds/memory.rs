//! What the accused of a tribunal remembers of other trials: put into the clock's act, so that the log has it and nobody looks twice.

use crate::corpus::teaches;
use crate::house::House;
use crate::live::Table;
use crate::store::{StoreError, corpus};
use commons::corpus::novelty::too_close;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::id::{Seat, Seq};
use games::tribunal::{Phase, Role, Tribunal};
use serde_json::{Value, json};

/// The clock's act, with what the corpus knows if it is the act of remembering.
pub(super) fn filled(house: &House, table: &Table, game: &dyn AnyGame, act: Value) -> Result<Value, StoreError> {
    let Some((attack, character)) = attacked(game).filter(|_| act["type"] == "recall") else { return Ok(act) };
    let known = house.store.read_now(|db| match corpus::lineage(db, table.no, attack)? {
        Some(lineage) => corpus::recall(db, lineage, &character),
        None => Ok(corpus::Recalled::default()),
    })?;
    let proved: Vec<Value> = known.proved.iter().map(|(id, text)| json!({"id": id, "text": text})).collect();
    Ok(json!({"type": "recall", "struck": known.struck, "proved": proved, "angles_used": known.angles}))
}

/// Why a mind's defence will not do: it comes too close to one that was struck against this very attack.
pub(super) fn rehashed(
    house: &House,
    table: &Table,
    game: &dyn AnyGame,
    seat: Seat,
    act: &Value,
) -> Result<Option<String>, StoreError> {
    let substantiates = matches!(act["type"].as_str(), Some("prove" | "defend"));
    let (Some((attack, character)), Some(text)) = (attacked(game), act["text"].as_str()) else { return Ok(None) };
    if !substantiates || Role::of(seat) != Some(Role::Accused) {
        return Ok(None);
    }
    let struck = house.store.read_now(|db| match corpus::lineage(db, table.no, attack)? {
        Some(lineage) => corpus::struck(db, lineage, &character),
        None => Ok(vec![]),
    })?;
    let close = too_close(text, &struck).map(|index| &struck[index]);
    Ok(close.map(|text| format!("This was tried before and struck: \"{text}\" Take another angle.")))
}

/// The attack that is being met, and who meets it; nothing in other kinds, and where nothing is learnt.
fn attacked(game: &dyn AnyGame) -> Option<(Seq, String)> {
    let trial = game.as_any().downcast_ref::<Game<Tribunal>>().filter(|_| teaches(game))?;
    let heard = match &trial.state()?.phase {
        Phase::Recall(heard) | Phase::Answer(heard, _) | Phase::Burden(heard, _) => heard,
        Phase::Dealing
        | Phase::Attack
        | Phase::Ruling(..)
        | Phase::BurdenRuling(_)
        | Phase::Closing(_)
        | Phase::End(_) => return None,
    };
    Some((heard.attack, heard.character.clone()))
}
