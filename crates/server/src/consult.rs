//! A look into the archive during a tribunal: what is there is put into the act before the rules see it, so that the log has it and
//! nobody looks twice. What it costs is taken when it is stored.

use crate::corpus::teaches;
use crate::live::Table;
use crate::pages::record::lang_of;
use crate::problem::{Answer, Problem};
use crate::store::{Store, archive};
use axum::http::StatusCode;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::id::Seat;
use engine::roster::Lang;
use engine::rules::Actor;
use games::tribunal::{ATTACK_LEN, CONSULT_PRICE_IA, FOUND_MAX, Found, Phase, Role, State, Tribunal};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The `type` of the act.
const CONSULT: &str = "consult";

/// The act as the rules may read it. Whatever somebody says was found is thrown away; if it is a look into the archive that could be
/// accepted now, what is there is put in.
pub fn filled<'a>(
    store: &Store,
    table: &Table,
    game: &dyn AnyGame,
    actor: Actor,
    body: &'a Value,
) -> Answer<Cow<'a, Value>> {
    let Some(trial) = game.as_any().downcast_ref::<Game<Tribunal>>().filter(|_| body["type"] == CONSULT) else {
        return Ok(Cow::Borrowed(body));
    };
    let mut act = body.clone();
    if let Some(fields) = act.as_object_mut() {
        fields.remove("found");
    }
    // Whoever is not awaited or names nobody is refused by the rules, in their own words.
    let character = act["character_id"].as_str().map(str::to_owned);
    let (Actor::Seat(seat), Some(state), Some(character)) = (actor, trial.state(), character) else {
        return Ok(Cow::Owned(act));
    };
    if !attacks(state, seat) || state.character(&character).is_none() {
        return Ok(Cow::Owned(act));
    }
    may_pay(game, seat)?;
    act["found"] = json!(found(store, table, state, &character)?);
    Ok(Cow::Owned(act))
}

/// What a seat may try beside what is announced, as an example; what is there and whether it can be paid is found out by trying.
pub fn offered(game: &dyn AnyGame, seat: Seat) -> Option<Value> {
    let trial = game.as_any().downcast_ref::<Game<Tribunal>>()?;
    let state = trial.state().filter(|state| attacks(state, seat))?;
    may_pay(game, seat).ok()?;
    let character = &state.case.as_ref()?.characters.first()?.id;
    Some(json!({"type": CONSULT, "character_id": character, "price_ia": CONSULT_PRICE_IA}))
}

fn attacks(state: &State, seat: Seat) -> bool {
    Role::of(seat) == Some(Role::Prosecutor) && state.phase == Phase::Attack
}

/// Whether there is an account to pay, at a table where anything is paid.
fn may_pay(game: &dyn AnyGame, seat: Seat) -> Answer<()> {
    if !teaches(game) {
        let detail = "Nothing is paid in practice and demo games, so the archive is closed in them; argue instead.";
        return Err(Problem::new(StatusCode::CONFLICT, "NOT_IN_PRACTICE", detail));
    }
    match game.roster().get(seat).and_then(|occupied| occupied.holder.account()) {
        Some(_) => Ok(()),
        None => {
            let detail = format!(
                "The archive is paid for from an account ({CONSULT_PRICE_IA} IA), and a guest has none; register and \
                 play as your account."
            );
            Err(Problem::new(StatusCode::FORBIDDEN, "ARCHIVE_NEEDS_ACCOUNT", detail))
        }
    }
}

/// The best attacks on a character that were neither made nor shown in this trial.
fn found(store: &Store, table: &Table, state: &State, character: &str) -> Answer<Vec<Found>> {
    let Some(case) = &state.case else { return Ok(vec![]) };
    let shown = state.consulted.iter().flat_map(|look| look.shown.iter().cloned());
    // What could not be said here as it is, or would not be understood, is nothing to pay for.
    let understood = |text: &str| (lang_of(text) == "ko") == (state.lang == Lang::Ko);
    let is_of_use = |text: &str| ATTACK_LEN.contains(&text.chars().count()) && understood(text);
    let top = store.read_now(|db| {
        let mut known = archive::attacks_of(db, table.no)?;
        known.extend(shown);
        archive::top(db, &case.case_id, character, &known, is_of_use, FOUND_MAX)
    })?;
    let found = |one: archive::Archived| Found {
        arg_hash: one.hash,
        text: one.text,
        label: one.label,
        effectiveness_e4: one.effectiveness_e4.clamp(0, 10_000) as u32,
        uses: one.uses.max(0) as u64,
    };
    Ok(top.into_iter().map(found).collect())
}
