//! What the accused of a tribunal remembers of other trials: put into the clock's act, so that the log has it and nobody looks twice.

use crate::corpus::teaches;
use crate::house::House;
use crate::live::Table;
use crate::minds::wire::{Code, Failure};
use crate::store::{StoreError, corpus};
use commons::corpus::hash::Normal;
use commons::corpus::novelty::too_close;
use commons::corpus::similarity::Comparable;
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

/// Why a mind's defence will not do: it comes too close to one that was struck against this very attack, or is one that was given
/// before. Words are quoted only if they may reach a prompt.
pub(super) fn rehashed(
    house: &House,
    table: &Table,
    game: &dyn AnyGame,
    seat: Seat,
    act: &Value,
) -> Result<Option<Failure>, StoreError> {
    let substantiates = matches!(act["type"].as_str(), Some("prove" | "defend"));
    let (Some((attack, character)), Some(text)) = (attacked(game), act["text"].as_str()) else { return Ok(None) };
    if !substantiates || Role::of(seat) != Some(Role::Accused) {
        return Ok(None);
    }
    let given = house.store.read_now(|db| match corpus::lineage(db, table.no, attack)? {
        Some(lineage) => corpus::given(db, lineage, &character),
        None => Ok(vec![]),
    })?;
    let struck: Vec<&str> = given.iter().filter(|one| one.struck).map(|one| one.text.as_str()).collect();
    let close =
        too_close(text, &struck).and_then(|index| given.iter().find(|one| one.struck && one.text == struck[index]));
    let same = || {
        let own = Comparable::of(&Normal::of(text).ok()?);
        let kin = |one: &&corpus::Given| Normal::of(&one.text).is_ok_and(|other| own.is_kin(&Comparable::of(&other)));
        given.iter().find(kin)
    };
    let Some(found) = close.or_else(same) else { return Ok(None) };
    let reason = if found.struck {
        "This was tried before and struck. Take another angle:"
    } else {
        "This was given before. Vary the angle:"
    };
    let quoted = found.clear.then(|| found.text.clone());
    Ok(Some(Failure { quoted, ..Failure::new(Code::Rejected, reason) }))
}

/// What the house mind of the accused sends: its own defence, unless another trial has used that angle since it remembered. Then it
/// gives the claim up without a word.
pub(super) fn still_fresh(house: &House, table: &Table, game: &dyn AnyGame, act: Value) -> Result<Value, StoreError> {
    let (Some((attack, _)), Some(_), Some(text)) = (attacked(game), act["angle"].as_str(), act["text"].as_str()) else {
        return Ok(act);
    };
    let said = house.store.read_now(|db| match corpus::lineage(db, table.no, attack)? {
        Some(lineage) => corpus::was_said(db, table.no, lineage, text),
        None => Ok(false),
    })?;
    Ok(if said { json!({"type": "withdraw"}) } else { act })
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
