//! The IA of an account, on its own page: the balance, what came in and went out, royalties, titles, and what was unlocked.

use crate::corpus::dockets as names;
use crate::corpus::packs::shown_words;
use crate::locale::Words;
use crate::pages::Visit;
use crate::pages::market::labels as tell;
use crate::pages::market::thrones::character;
use crate::problem::Answer;
use commons::ledger::sale::return_ms;
use commons::ledger::ware::{Reason, Ware};
use engine::id::AccountId;
use engine::roster::Lang;
use engine::time::Timestamp;
use serde::Deserialize;
use store::ledger::owned::{self, Unlocked};
use store::ledger::packs;
use store::ledger::thrones::{self, Change, Reign, Reigns, Title};
use store::ledger::{self, Transfer, TransferNo};

/// How many transfers and unlocks a page shows.
const ROWS: usize = 20;

/// The part of the account's page that is about IA.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PursePanel {
    pub balance: u64,
    /// The part that is a bonus.
    pub bonus: u64,
    /// What came in and went out, newest first.
    pub ledger: Vec<LedgerRow>,
    /// Where the next page of that begins.
    pub ledger_next: Option<i64>,
    /// All that it was ever paid for its work.
    pub royalties: u64,
    /// How many purchases that was for.
    pub purchases: u64,
    /// The tags that its intern has from packs.
    pub tags: Vec<String>,
    /// What it has unlocked, newest first.
    pub unlocked: Vec<UnlockedRow>,
    /// Where the next page of that begins.
    pub unlocked_next: Option<i64>,
    /// Whether either is a later page.
    pub later: bool,
    /// Titles it has taken and still holds.
    pub held: Vec<TitleRow>,
    /// Titles it has won and lost, newest first.
    pub changes: Vec<TitleRow>,
}

/// A title, or how it changed hands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitleRow {
    /// `held`, `won` or `lost`.
    pub how: &'static str,
    /// What the argument is about.
    pub label: String,
    /// The name of the character it is about.
    pub name: String,
    pub link: String,
    /// When it was won or lost, or since when it is held.
    pub at: Timestamp,
}

impl TitleRow {
    fn held(reign: &Reign, lang: Lang) -> Self {
        let Title { case_id, character_id, .. } = &reign.title;
        TitleRow {
            how: "held",
            label: tell::label(lang, reign.label.clone()),
            name: character(lang, case_id, character_id),
            link: format!("/case/{}/throne", crate::pages::market::purchase::encoded(case_id)),
            at: reign.since,
        }
    }

    fn changed(how: &'static str, change: &Change, lang: Lang) -> Self {
        let Title { case_id, character_id, .. } = &change.title;
        TitleRow {
            how,
            label: tell::label(lang, change.label.clone()),
            name: character(lang, case_id, character_id),
            link: format!("/case/{}/throne#event-{}", crate::pages::market::purchase::encoded(case_id), change.id),
            at: change.at,
        }
    }

    fn changes(reigns: &Reigns, lang: Lang) -> Vec<Self> {
        let won = reigns.won.iter().map(|change| TitleRow::changed("won", change, lang));
        let lost = reigns.lost.iter().map(|change| TitleRow::changed("lost", change, lang));
        let mut rows: Vec<Self> = won.chain(lost).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.at));
        rows
    }
}

/// One transfer, as its account sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerRow {
    /// Why, as the API says it.
    pub reason: &'static str,
    pub amount: String,
    /// Whether it came in.
    pub came_in: bool,
    /// How much of it is a bonus.
    pub bonus: u64,
    /// What a grant was given for, in the giver's words.
    pub note: Option<String>,
    pub at: Timestamp,
}

impl LedgerRow {
    fn of(transfer: &Transfer, account: AccountId) -> Self {
        let came_in = transfer.payee == account;
        LedgerRow {
            reason: transfer.reason.word(),
            amount: format!("{}{}", if came_in { '+' } else { '−' }, transfer.amount),
            came_in,
            bonus: transfer.bonus,
            note: note(transfer),
            at: transfer.at,
        }
    }

    pub fn why(&self, w: &Words) -> String {
        w.of("ledger", self.reason)
    }
}

/// What a grant was given for; the references of other transfers are no sentences.
fn note(transfer: &Transfer) -> Option<String> {
    let granted = transfer.reason == Reason::Grant && !transfer.reference.is_empty();
    granted.then(|| transfer.reference.clone())
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnlockedRow {
    /// `attack`, `defense` or `pack`.
    pub ware: &'static str,
    /// What it is called.
    pub label: String,
    /// The name of the character it is about.
    pub name: String,
    pub link: String,
    pub paid: u64,
    pub at: Timestamp,
    /// Its words, if it is a single text.
    pub text: Option<String>,
    /// Its number, while it can still be given back.
    pub returnable: Option<i64>,
}

impl UnlockedRow {
    fn of(one: Unlocked, lang: Lang, bought_since: Timestamp) -> Self {
        let name = names::character(lang, &one.case_id, &one.character).map_or(&one.character, |known| &known.name);
        let link = match one.ware {
            Ware::Pack => format!("/packs/{}", crate::pages::market::purchase::encoded(&one.target)),
            Ware::Defense => format!("/case/{}?show=defenses", crate::pages::market::purchase::encoded(&one.case_id)),
            Ware::Attack | Ware::Consult => format!("/case/{}", crate::pages::market::purchase::encoded(&one.case_id)),
        };
        let label = match one.ware {
            Ware::Pack => {
                let called = (one.label.as_str(), "");
                shown_words(lang, (&one.case_id, &one.character), called, &one.metadata, 0).0
            }
            Ware::Attack | Ware::Defense | Ware::Consult => tell::label(lang, one.label),
        };
        UnlockedRow {
            ware: one.ware.word(),
            label,
            name: name.clone(),
            link,
            paid: one.paid,
            at: one.at,
            text: one.text,
            returnable: (one.at > bought_since).then_some(one.id),
        }
    }
}

/// Where the pages of the ledger and of what was unlocked begin.
#[derive(Deserialize, Default, Clone, Copy)]
pub(crate) struct PurseLink {
    ledger: Option<i64>,
    unlocked: Option<i64>,
}

pub(crate) async fn panel(visit: &Visit, account: AccountId, link: PurseLink) -> Answer<PursePanel> {
    let read = move |db: &_| {
        let before = TransferNo(link.ledger.unwrap_or(i64::MAX));
        Ok((
            ledger::purse(db, account)?,
            ledger::transfers_of(db, account, before, ROWS + 1)?,
            owned::royalties(db, account)?,
            packs::intern_tags(db, account)?,
            owned::unlocked(db, account, link.unlocked.unwrap_or(i64::MAX), ROWS + 1)?,
            thrones::of_account(db, account)?,
        ))
    };
    let (purse, mut transfers, (royalties, purchases), tags, mut unlocked, reigns) =
        visit.house.store.read(read).await?;
    let bought_since = Timestamp(visit.house.now().0 - return_ms(visit.house.store.terms()));
    let (more_transfers, more_unlocked) = (transfers.len() > ROWS, unlocked.len() > ROWS);
    transfers.truncate(ROWS);
    unlocked.truncate(ROWS);
    Ok(PursePanel {
        balance: purse.balance(),
        bonus: purse.bonus(),
        ledger_next: transfers.last().filter(|_| more_transfers).map(|last| last.n.0),
        ledger: transfers.iter().map(|transfer| LedgerRow::of(transfer, account)).collect(),
        royalties,
        purchases,
        tags,
        unlocked_next: unlocked.last().filter(|_| more_unlocked).map(|last| last.id),
        unlocked: unlocked.into_iter().map(|one| UnlockedRow::of(one, visit.lang, bought_since)).collect(),
        later: link.ledger.is_some() || link.unlocked.is_some(),
        held: reigns.held.iter().map(|reign| TitleRow::held(reign, visit.lang)).collect(),
        changes: TitleRow::changes(&reigns, visit.lang),
    })
}
