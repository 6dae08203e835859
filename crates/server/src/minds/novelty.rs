//! Whether what a mind is about to say is new: no mind meets an argument with words that were tried against it before.

use crate::minds::wire::{Code, Failure};
use crate::play::House;
use crate::play::live::Table;
use commons::corpus::hash::Normal;
use commons::corpus::lesson::teaches;
use commons::corpus::novelty::too_close;
use commons::corpus::similarity::Comparable;
use engine::erased::AnyGame;
use engine::id::Seat;
use engine::needs::Meeting;
use serde_json::Value;
use store::{StoreError, corpus};

/// Why a model's answer is refused: it comes too close to one that was struck against this very argument, or repeats one that was given
/// before. Words are quoted only if they may leave the game they were said in.
pub(super) async fn rehashed(
    house: &House,
    table: &Table,
    game: &dyn AnyGame,
    seat: Seat,
    act: &Value,
) -> Result<Option<Failure>, StoreError> {
    let Some(Meeting { argument, target, text, .. }) = meets(game, seat, act) else { return Ok(None) };
    let no = table.no;
    let given = house.store.read(move |db| match corpus::lineage(db, no, argument)? {
        Some(lineage) => corpus::given(db, lineage, &target),
        None => Ok(vec![]),
    });
    let given = given.await?;
    let struck: Vec<&str> = given.iter().filter(|one| one.struck).map(|one| one.text.as_str()).collect();
    let close =
        too_close(&text, &struck).and_then(|index| given.iter().find(|one| one.struck && one.text == struck[index]));
    let same = || {
        let own = Comparable::of(&Normal::of(&text).ok()?);
        let kin = |one: &&corpus::Given| Normal::of(&one.text).is_ok_and(|other| own.is_kin(&Comparable::of(&other)));
        given.iter().find(kin)
    };
    let Some(found) = close.or_else(same) else { return Ok(None) };
    let reason = if found.struck {
        "This was tried before and struck. Take another angle:"
    } else {
        "This was given before. Vary the angle:"
    };
    let quoted = found.released.then(|| found.text.clone());
    Ok(Some(Failure { quoted, ..Failure::new(Code::Rejected, reason) }))
}

/// What a house mind sends: its own line, unless another game has used it since it was chosen; then what the rules offer instead.
pub(super) async fn still_fresh(
    house: &House,
    table: &Table,
    meeting: Meeting,
    act: Value,
) -> Result<Value, StoreError> {
    let Meeting { argument, text, instead, .. } = meeting;
    let no = table.no;
    let said = house.store.read(move |db| match corpus::lineage(db, no, argument)? {
        Some(lineage) => corpus::was_said(db, no, lineage, &text),
        None => Ok(false),
    });
    Ok(if said.await? { instead } else { act })
}

/// The argument that this act meets; nothing in a game that teaches nothing.
pub(super) fn meets(game: &dyn AnyGame, seat: Seat, act: &Value) -> Option<Meeting> {
    game.meets(seat, act).filter(|_| teaches(game))
}
