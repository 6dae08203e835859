//! The house's purse: paying royalties that have fallen due and, for the operator, granting, taking back, and what flows, the same for the
//! command line, the API and the page. Also what a trial has paid its prosecutor.

use crate::http::extract::cut;
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::http::StatusCode;
use commons::corpus::lesson::pays;
use engine::erased::AnyGame;
use engine::game::Progress;
use engine::parts::text;
use engine::rules::Viewer;
use engine::time::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use store::Account;
use store::Store;
use store::StoreError;
use store::games::answers::Once;
use store::games::answers::{self, Earlier};
use store::ledger::returns;
use store::ledger::{self, Flow, Moved, Reversed, TransferNo};
use uuid::Uuid;

/// How often it is looked whether royalties have fallen due.
const PAY_EVERY: Duration = Duration::from_secs(30);
/// Longest note of a grant.
const NOTE_LEN_MAX: usize = 200;

/// Pays royalties as they fall due until the server stops.
pub async fn keep_paying(house: House) {
    let mut stopping = house.stopping.subscribe();
    loop {
        if let Err(error) = pay_royalties(&house.store, house.now()).await {
            tracing::error!(%error, "royalties could not be paid");
        }
        tokio::select! {
            () = tokio::time::sleep(PAY_EVERY) => {}
            _ = stopping.changed() => return,
        }
    }
}

/// Pays the royalties of purchases that can no longer be given back, and says how many that were.
pub async fn pay_royalties(store: &Store, at: Timestamp) -> Result<usize, StoreError> {
    let mut paid = 0;
    while store.read(move |db| returns::is_due(db, at)).await? {
        // A share without its purchase, in a damaged database, is never paid: it must not be waited for.
        match store.write(move |db| returns::pay_due(db, at)).await? {
            0 => break,
            more => paid += more,
        }
    }
    Ok(paid)
}

/// What a finished trial has paid its prosecutor; its score is another thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pay {
    /// Nothing: there is no account to pay.
    Guest,
    /// Nothing: a player who chose the opponent, or practises, is not paid.
    Unpaid,
    Paid {
        /// In IA; negative if the trial cost more than it brought.
        paid: i64,
        /// The most that one day brings.
        a_day_max: u64,
    },
}

/// What this viewer was paid here, if it prosecuted and the trial is over. Nobody else may know it.
pub async fn pay(store: &Store, game: &dyn AnyGame, viewer: Viewer) -> Answer<Option<Pay>> {
    let Some(seat) = game.meta().paid.filter(|seat| viewer == Viewer::Seat(*seat)) else { return Ok(None) };
    if game.progress() != Progress::Over {
        return Ok(None);
    }
    let Some(account) = game.roster().get(seat).and_then(|occupied| occupied.holder.account()) else {
        return Ok(Some(Pay::Guest));
    };
    if !pays(game) {
        return Ok(Some(Pay::Unpaid));
    }
    let id = game.id();
    let brought = store.read(move |db| ledger::brought(db, account, id)).await?;
    Ok(Some(Pay::Paid { paid: brought, a_day_max: store.terms().earned_a_day_max }))
}

/// IA to be given to an account.
#[derive(Clone, Debug, Default)]
pub struct Gift {
    pub username: String,
    pub amount: u64,
    /// Whether it is spent first and carries no royalty.
    pub bonus: bool,
    /// The reason, which stands in the account's ledger.
    pub note: String,
}

/// Gives IA to an account, once for an idempotency key, and answers with the new balance as JSON.
pub async fn grant(store: &Store, gift: Gift, once: Option<Once>, at: Timestamp) -> Answer<Vec<u8>> {
    let wrong = |detail: String| Problem::bad("INVALID_BODY", detail);
    let most = store.terms().grant_ia_max;
    if !(1..=most).contains(&gift.amount) {
        return Err(wrong(format!("The field \"amount\" must be 1 to {most} IA, not {}.", gift.amount)));
    }
    let note = text::checked_line("note", &gift.note, 0..=NOTE_LEN_MAX).map_err(wrong)?;
    let done = store.write(move |db| {
        match once.as_ref().map(|once| answers::earlier(db, once)).transpose()?.flatten() {
            Some(Earlier::Same(answer)) => return Ok(Ok(answer)),
            Some(Earlier::Other) => return Ok(Err(Problem::key_reused())),
            None => {}
        }
        let Some(account) = Account::by_username(db, &gift.username)? else {
            let detail = format!("There is no account called {:?}.", cut(&gift.username));
            return Ok(Err(Problem::not_found("USER_NOT_FOUND", detail)));
        };
        let key = Uuid::now_v7().to_string();
        let moved = ledger::grant(db, account.id, gift.amount, gift.bonus, &note, &key, at)?;
        let transfer = match moved {
            Moved::Now(n, _) | Moved::Before(n) => n,
            Moved::Short(short) => return Ok(Err(Problem::short(short))),
        };
        let answer = json!({
            "transfer": transfer.0, "username": account.username, "amount": gift.amount, "bonus": gift.bonus,
            "balance": ledger::purse(db, account.id)?.balance(),
        });
        let answer = answer.to_string().into_bytes();
        if let Some(once) = &once {
            answers::remember(db, once, &answer, at)?;
        }
        Ok(Ok(answer))
    });
    done.await?
}

/// Takes a transfer back, and returns the transfer that does so.
pub async fn reverse(store: &Store, transfer: i64, at: Timestamp) -> Answer<TransferNo> {
    let conflict = |code, detail: String| Err(Problem::new(StatusCode::CONFLICT, code, detail));
    match store.write(move |db| ledger::reverse(db, TransferNo(transfer), at)).await? {
        Reversed::Done(n) => Ok(n),
        Reversed::Before(n) => conflict(
            "ALREADY_REVERSED",
            format!("Transfer {transfer} was taken back before, by transfer {}; nothing was changed.", n.0),
        ),
        Reversed::Reversal => conflict(
            "IS_REVERSAL",
            format!("Transfer {transfer} takes one back itself; make a grant instead. Nothing was changed."),
        ),
        Reversed::Short(short) => {
            let detail = format!(
                "Transfer {transfer} was of {} IA, and the account that was paid has {} left; nothing was changed.",
                short.price, short.balance
            );
            Err(Problem::new(StatusCode::CONFLICT, "INSUFFICIENT_IA", detail)
                .with("price", short.price)
                .with("balance", short.balance))
        }
        Reversed::Gone => conflict(
            "ACCOUNT_GONE",
            format!("Whoever paid transfer {transfer} has deleted the account; nothing was changed."),
        ),
        Reversed::Unknown => Err(Problem::not_found("TRANSFER_NOT_FOUND", format!("There is no transfer {transfer}."))),
    }
}

/// All flows of IA since the beginning, and where it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Economy {
    pub flows: Vec<Flow>,
    /// What the house has paid out.
    pub minted: u64,
    /// What has come back to it.
    pub taken: u64,
    /// What accounts have between them.
    pub circulation: i64,
    /// What the house has: minus what is in circulation.
    pub house: i64,
}

pub async fn economy(store: &Store) -> Answer<Economy> {
    let read =
        store.read(|db| Ok((ledger::flows(db, Timestamp(0))?, ledger::house_balance(db)?, ledger::circulation(db)?)));
    let (flows, house, circulation) = read.await?;
    Ok(Economy {
        minted: flows.iter().map(|flow| flow.minted).sum(),
        taken: flows.iter().map(|flow| flow.taken).sum(),
        circulation,
        house,
        flows,
    })
}

impl Economy {
    /// As JSON for clients.
    pub fn told(&self) -> Value {
        let flow = |flow: &Flow| {
            json!({
                "reason": flow.reason.word(), "transfers": flow.transfers, "minted": flow.minted, "taken": flow.taken,
            })
        };
        json!({
            "minted": self.minted, "taken": self.taken, "in_circulation": self.circulation, "house_balance": self.house,
            "flows": self.flows.iter().map(flow).collect::<Vec<_>>(),
        })
    }
}
