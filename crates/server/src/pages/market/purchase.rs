//! The till: what words and packs cost on a page, the form that buys them, and what the page says of it afterwards.

use crate::api::economy::{self, Purchase, buy};
use crate::pages::tables::Fields;
use crate::pages::{Visit, see_other};
use crate::problem::{Answer, Problem};
use axum::response::Response;
use commons::ledger::ware::Ware;
use store::ledger::unlocks::Wanted;

/// Something for sale on a page, or owned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    pub ware: &'static str,
    pub target: String,
    /// The case in whose archive it stands.
    pub case_id: String,
    /// Against or by whom.
    pub character: String,
    /// What it costs; nothing if it is not for sale.
    pub price: Option<u64>,
    /// The language of its words, if it is not the reader's.
    pub foreign: Option<&'static str>,
    /// The first words of it.
    pub preview: Option<String>,
    /// How effective it is, which sets its price; none if it was never tried.
    pub percent: Option<i64>,
    /// Its words, if the viewer owns them.
    pub text: Option<String>,
    /// The id of its row on the page.
    pub anchor: String,
    pub said: Said,
}

/// What came of buying something just now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Said {
    #[default]
    Nothing,
    Unlocked,
    /// The price is no longer the one that the form showed.
    PriceChanged,
    /// The balance is too low.
    Short,
    /// It was bought before and given back.
    GivenBack,
}

impl Said {
    pub fn unlocked(&self) -> bool {
        *self == Said::Unlocked
    }

    pub fn changed(&self) -> bool {
        *self == Said::PriceChanged
    }

    pub fn short(&self) -> bool {
        *self == Said::Short
    }

    pub fn given_back(&self) -> bool {
        *self == Said::GivenBack
    }
}

/// What the query says of the last purchase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Receipt {
    /// The row whose words were unlocked.
    pub unlocked: Option<String>,
    /// The row whose purchase was refused.
    pub refused: Option<String>,
    pub why: Option<String>,
}

impl Receipt {
    /// What it says of this row.
    pub fn of(&self, anchor: &str) -> Said {
        if self.unlocked.as_deref() == Some(anchor) {
            return Said::Unlocked;
        }
        match self.why.as_deref().filter(|_| self.refused.as_deref() == Some(anchor)) {
            Some("PRICE_CHANGED") => Said::PriceChanged,
            Some("INSUFFICIENT_IA") => Said::Short,
            Some("GIVEN_BACK") => Said::GivenBack,
            Some(_) | None => Said::Nothing,
        }
    }
}

/// `POST /unlock`: buys what the form names for the price it showed, and goes back to where that was.
pub(crate) async fn unlock(visit: Visit, fields: Fields) -> Response {
    let (back, anchor) = (fields.get("back"), fields.get("anchor"));
    let Ok(account) = visit.caller.account() else {
        return see_other(&format!("/login?next={}", encoded(&without_receipt(back))));
    };
    let bought = async {
        let price = fields.get("price").parse();
        let price = price.map_err(|_| Problem::bad("INVALID_BODY", "The field \"price\" must be a whole number."))?;
        buy(&visit.house, account.id, wanted(&fields)?, Some(price), None).await
    };
    match bought.await {
        Ok(_) => see_other(&back_to(back, anchor, &[("unlocked", anchor)])),
        Err(problem) if matches!(problem.error, "PRICE_CHANGED" | "INSUFFICIENT_IA" | "GIVEN_BACK") => {
            see_other(&back_to(back, anchor, &[("refused", anchor), ("why", problem.error)]))
        }
        Err(problem) => visit.show(Err(problem)),
    }
}

/// `POST /account/return`: gives a purchase back, and shows what is left.
pub(crate) async fn give_back(visit: Visit, fields: Fields) -> Response {
    let Ok(account) = visit.caller.account() else { return see_other("/login?next=/account") };
    let given = economy::give_back(&visit.house, account.id, fields.get("unlock")).await;
    visit.show(given.map(|_| see_other("/account?done=returned#unlocked-h")))
}

fn wanted(fields: &Fields) -> Answer<Wanted> {
    let field = |name: &str| fields.get(name).to_owned();
    match Ware::named(fields.get("type")) {
        Some(Ware::Pack) => Ok(Wanted::Pack { id: field("hash") }),
        Some(Ware::Attack | Ware::Defense | Ware::Consult) | None => economy::wanted(&Purchase {
            ware: field("type"),
            hash: field("hash"),
            case_id: Some(field("case_id")),
            character_id: field("character_id"),
            price: None,
        }),
    }
}

/// The page that the form was on, with a receipt in its query.
fn back_to(back: &str, anchor: &str, say: &[(&str, &str)]) -> String {
    let back = without_receipt(back);
    let say: Vec<String> = say.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let join = if back.contains('?') { '&' } else { '?' };
    format!("{back}{join}{}#{}", say.join("&"), encoded(anchor))
}

/// A path without the receipt of an earlier purchase.
fn without_receipt(path: &str) -> String {
    let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
    let about = |pair: &&str| !["unlocked=", "refused=", "why="].iter().any(|name| pair.starts_with(name));
    let kept: Vec<&str> = query.split('&').filter(about).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// The text percent-encoded for a URL.
pub(crate) fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purchase_leads_back_to_its_row_and_forgets_the_one_before() {
        let back = back_to("/case/john_law?sort=ia&refused=a1&why=PRICE_CHANGED", "a7", &[("unlocked", "a7")]);
        assert_eq!(back, "/case/john_law?sort=ia&unlocked=a7#a7");
        assert_eq!(back_to("/market", "a 7", &[("unlocked", "a 7")]), "/market?unlocked=a%207#a%207");
        assert_eq!(without_receipt("/market?unlocked=a1"), "/market");
    }

    #[test]
    fn a_receipt_speaks_of_its_own_row_alone() {
        let receipt = Receipt { unlocked: None, refused: Some("a1".into()), why: Some("INSUFFICIENT_IA".into()) };
        assert_eq!([receipt.of("a1"), receipt.of("a2")], [Said::Short, Said::Nothing]);
        let receipt = Receipt { unlocked: Some("a1".into()), ..Receipt::default() };
        assert_eq!([receipt.of("a1"), receipt.of("a2")], [Said::Unlocked, Said::Nothing]);
    }
}
