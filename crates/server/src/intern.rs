//! What the intern of a tribunal's prosecutor is given besides the record: what its player owns about those who are charged.

use crate::house::House;
use crate::kinds::Played;
use crate::problem::Answer;
use crate::store::shelf::material;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::tribunal::{Owned, Phase, Role, Tribunal};
use std::collections::BTreeMap;

/// What a player owns, by character.
pub type Material = BTreeMap<String, Owned>;

/// What the player in this seat owns, while its intern has something to draft.
pub async fn owned(house: &House, game: &dyn AnyGame, viewer: Viewer) -> Answer<Material> {
    let Some((account, case_id, characters)) = drafting(game, viewer) else { return Ok(Material::new()) };
    let read = house.store.read(move |db| {
        let mut owned = Material::new();
        for character in characters {
            let found = material(db, account, &case_id, &character)?;
            owned.insert(character, Owned { attacks: found.attacks, defence: found.defense });
        }
        Ok(owned)
    });
    Ok(read.await?)
}

fn drafting(game: &dyn AnyGame, viewer: Viewer) -> Option<(engine::id::AccountId, String, Vec<String>)> {
    let prosecutor = Role::Prosecutor.seat();
    if Played::of(game) != Played::Tribunal || viewer != Viewer::Seat(prosecutor) {
        return None;
    }
    let account = game.roster().get(prosecutor)?.holder.account()?;
    let state = game.as_any().downcast_ref::<Game<Tribunal>>()?.state()?;
    let case = state.case.as_ref().filter(|_| matches!(state.phase, Phase::Attack))?;
    Some((account, case.case_id.clone(), case.characters.iter().map(|one| one.id.clone()).collect()))
}

/// The state as this viewer may see it, with the drafts of an intern that knows this much.
pub fn view(game: &dyn AnyGame, viewer: Viewer, said: &[Entry], owned: &Material) -> Vec<u8> {
    let tribunal = game.as_any().downcast_ref::<Game<Tribunal>>().filter(|_| !owned.is_empty());
    let Some(tribunal) = tribunal else { return game.view(viewer, said) };
    serde_json::to_vec(&drafted(tribunal, viewer, said, owned)).expect("a view has string keys only")
}

/// The same for a page.
pub fn drafted(game: &Game<Tribunal>, viewer: Viewer, said: &[Entry], owned: &Material) -> games::tribunal::View {
    let mut view = game.view(viewer, said);
    view.draft_from(game.charter().setup.lang, owned);
    view
}
