//! Looks up what the rules of a game need, without knowing which game asks.

use super::House;
use super::live::Table;
use crate::locale::lang_of;
use crate::problem::{Answer, Problem};
use axum::http::StatusCode;
use commons::corpus::lesson::teaches;
use engine::erased::AnyGame;
use engine::id::{AccountId, Seat};
use engine::needs::{Answers, Argument, Need, Owned, Supply};
use engine::roster::Lang;
use std::collections::BTreeMap;
use store::corpus;
use store::corpus::archive::{self, Archived};
use store::ledger::owned;

/// Looks up what this seat needs; without a seat, the clock. A game that teaches nothing is not told earlier answers.
pub async fn supply(
    house: &House,
    table: &Table,
    game: &dyn AnyGame,
    seat: Option<Seat>,
    need: Need,
) -> Answer<Option<Supply>> {
    let account = seat.and_then(|seat| game.roster().get(seat)?.holder.account());
    let no = table.no;
    match need {
        Need::Arguments { case_id, target, besides, lang, len, most, price } => {
            may_pay(game, account, price)?;
            let found = house.store.read(move |db| {
                let mut known = archive::attacks_of(db, no)?;
                known.extend(besides);
                // Nobody should pay for words that cannot be said here as they are, or are in the other language.
                let understood = |text: &str| (lang_of(text) == "ko") == (lang == Lang::Ko);
                let is_of_use = |text: &str| len.contains(&text.chars().count()) && understood(text);
                archive::top(db, &case_id, &target, &known, is_of_use, most)
            });
            Ok(Some(Supply::Arguments(found.await?.into_iter().map(argument).collect())))
        }
        Need::Answers { .. } if !teaches(game) => Ok(None),
        Need::Answers { argument, target } => {
            let known = house.store.read(move |db| match corpus::lineage(db, no, argument)? {
                Some(lineage) => corpus::recall(db, lineage, &target),
                None => Ok(corpus::Recalled::default()),
            });
            let corpus::Recalled { struck, proved, angles } = known.await?;
            Ok(Some(Supply::Answers(Answers { failed: struck, proved, angles })))
        }
        Need::Owned { case_id, targets } => {
            let Some(account) = account else { return Ok(None) };
            let found = house.store.read(move |db| {
                let mut found = BTreeMap::new();
                for target in targets {
                    let owned::Material { attacks, defenses } = owned::material(db, account, &case_id, &target)?;
                    found.insert(target, Owned { arguments: attacks, answers: defenses });
                }
                Ok(found)
            });
            Ok(Some(Supply::Owned(found.await?)))
        }
    }
}

/// Refuses tables where nothing is paid, and seats without an account to pay from.
pub fn may_pay(game: &dyn AnyGame, account: Option<AccountId>, price: u32) -> Answer<()> {
    if !teaches(game) {
        let detail = "Nothing is paid in practice and demo games, so the archive is closed in them; argue instead.";
        return Err(Problem::new(StatusCode::CONFLICT, "NOT_IN_PRACTICE", detail));
    }
    if account.is_none() {
        let detail = format!(
            "The archive is paid for from an account ({price} IA), and a guest has none; register and play as your account."
        );
        return Err(Problem::new(StatusCode::FORBIDDEN, "ARCHIVE_NEEDS_ACCOUNT", detail));
    }
    Ok(())
}

fn argument(one: Archived) -> Argument {
    Argument {
        hash: one.hash,
        text: one.text,
        label: one.label,
        effectiveness_e4: one.effectiveness_e4.clamp(0, 10_000) as u32,
        uses: one.uses.max(0) as u64,
        worked: one.worked.max(0) as u64,
    }
}
