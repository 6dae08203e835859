//! What the intern of a tribunal's prosecutor is given besides the record: what its player owns about those who are charged.

use crate::house::House;
use crate::kinds::Played;
use crate::problem::Answer;
use crate::store::shelf::material;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::id::AccountId;
use engine::parts::transcript::Entry;
use engine::rules::Viewer;
use games::tribunal::{Owned, Phase, Role, Tribunal};
use std::collections::BTreeMap;

/// What a player owns, by character.
pub type Material = BTreeMap<String, Owned>;

/// What the player in this seat owns, while its intern has something to draft.
pub async fn owned(house: &House, game: &dyn AnyGame, viewer: Viewer) -> Answer<Material> {
    let Some(Drafting { account, case_id, characters, over }) = drafting(game, viewer) else {
        return Ok(Material::new());
    };
    let read = house.store.read(move |db| {
        let mut owned = Material::new();
        for character in characters {
            let mut found = material(db, account, &case_id, &character)?;
            // The next one in every exchange, so that none is spoken of again while others are left.
            let next = over % found.defenses.len().max(1);
            let defence = (next < found.defenses.len()).then(|| found.defenses.swap_remove(next));
            owned.insert(character, Owned { attacks: found.attacks, defence });
        }
        Ok(owned)
    });
    Ok(read.await?)
}

/// A prosecutor who is about to attack.
struct Drafting {
    account: AccountId,
    case_id: String,
    characters: Vec<String>,
    /// How many exchanges are over.
    over: usize,
}

fn drafting(game: &dyn AnyGame, viewer: Viewer) -> Option<Drafting> {
    let prosecutor = Role::Prosecutor.seat();
    if Played::of(game) != Played::Tribunal || viewer != Viewer::Seat(prosecutor) {
        return None;
    }
    let account = game.roster().get(prosecutor)?.holder.account()?;
    let state = game.as_any().downcast_ref::<Game<Tribunal>>()?.state()?;
    let case = state.case.as_ref().filter(|_| matches!(state.phase, Phase::Attack))?;
    let characters = case.characters.iter().map(|one| one.id.clone()).collect();
    Some(Drafting { account, case_id: case.case_id.clone(), characters, over: usize::from(state.exchanges_over()) })
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
