//! What comes of an order: whether it is sold, what is paid, and which authors are paid out of that.

use super::purse::{Paid, Purse, Short};
use super::royalty::{divided, share_of, within_cap};
use super::terms::Terms;
use super::ware::Ware;
use engine::id::AccountId;

/// Something that is for sale.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub price: u64,
    /// Whose work it is: one share for each lineage.
    pub shares: Vec<Share>,
}

/// One lineage's part in what is sold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    pub lineage: i64,
    /// Its weight in a pack.
    pub weight: u64,
    /// Whether everybody can read it in an open game: then nobody is paid for it.
    pub opened: bool,
    /// Who is paid for it; see [`champion`].
    pub champion: Option<Champion>,
}

/// Who is paid for a lineage, and what counts towards the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Champion {
    pub account: AccountId,
    /// Whether it is the buyer, under this account or another.
    pub is_buyer: bool,
    /// For how many purchases of this buyer it was paid today.
    pub purchases_today: u64,
    /// What this lineage has brought it so far.
    pub paid_before: u64,
}

/// A royalty to be paid; never zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Royalty {
    pub to: AccountId,
    pub lineage: i64,
    pub amount: u64,
}

/// What comes of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sale {
    /// The buyer owns it already: nothing changes.
    Owned,
    /// The buyer bought it before and gave it back.
    GivenBack,
    /// There is no such thing, or it is not for sale.
    Unknown,
    /// The buyer saw another price; this is the price now.
    PriceChanged(u64),
    /// The buyer has too little.
    Short(Short),
    Sold {
        /// What the buyer pays, and how much of it is a bonus.
        paid: Paid,
        /// Who is paid out of that. What nobody is paid stays with the house.
        royalties: Vec<Royalty>,
    },
}

/// How the buyer stands to what it orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Before {
    Nothing,
    Owned,
    /// It bought it once and gave it back.
    GivenBack,
}

/// Decides on an order.
pub fn sell(
    terms: &Terms,
    ware: Ware,
    before: Before,
    offer: Option<&Offer>,
    price_seen: Option<u64>,
    purse: Purse,
) -> Sale {
    match before {
        Before::Owned => return Sale::Owned,
        Before::GivenBack => return Sale::GivenBack,
        Before::Nothing => {}
    }
    let Some(offer) = offer else { return Sale::Unknown };
    if price_seen.is_some_and(|seen| seen != offer.price) {
        return Sale::PriceChanged(offer.price);
    }
    let mut purse = purse;
    match purse.pay(offer.price) {
        Ok(paid) => Sale::Sold { paid, royalties: royalties(terms, ware, &offer.shares, paid) },
        Err(short) => Sale::Short(short),
    }
}

/// Who is paid how much of a price.
fn royalties(terms: &Terms, ware: Ware, shares: &[Share], paid: Paid) -> Vec<Royalty> {
    let weights: Vec<u64> = shares.iter().map(|share| share.weight).collect();
    let parts = divided(share_of(terms, ware, paid.plain()), &weights);
    let royalty = |(share, part): (&Share, u64)| {
        let champion = share.champion.filter(|champion| {
            !share.opened && !champion.is_buyer && champion.purchases_today < terms.paid_a_day_by_one_buyer_max
        })?;
        let amount = within_cap(terms, part, champion.paid_before);
        (amount > 0).then_some(Royalty { to: champion.account, lineage: share.lineage, amount })
    };
    shares.iter().zip(parts).filter_map(royalty).collect()
}

/// Why a purchase is not taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReturned {
    TooLate,
    /// The words were said, or drafted by an intern, since.
    Used,
    /// The account has given back as many today as it may.
    TooMany,
}

/// What is known of a purchase that its buyer wants to give back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Purchase {
    /// How long ago it was made, in milliseconds.
    pub age_ms: i64,
    pub is_used: bool,
    pub returned_today: u64,
}

/// For how long a purchase may be given back, in milliseconds; its authors are paid after that.
pub fn return_ms(terms: &Terms) -> i64 {
    terms.return_minutes as i64 * 60_000
}

/// Whether a purchase may be given back.
pub fn give_back(terms: &Terms, purchase: Purchase) -> Result<(), NotReturned> {
    if purchase.age_ms >= return_ms(terms) {
        Err(NotReturned::TooLate)
    } else if purchase.is_used {
        Err(NotReturned::Used)
    } else if purchase.returned_today >= terms.returns_a_day_max {
        Err(NotReturned::TooMany)
    } else {
        Ok(())
    }
}

/// Who is paid for an argument: the account that holds its title or, until the title is taken, the one that said it first. Nobody if that
/// is the house, a guest, or an account that is gone. `taken` is the holder of a title that has changed hands, `Some(None)` if that is no
/// account.
pub fn champion(
    taken: Option<Option<AccountId>>,
    author: Option<AccountId>,
    is_there: impl FnOnce(AccountId) -> bool,
) -> Option<AccountId> {
    taken.unwrap_or(author).filter(|account| is_there(*account))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn sell(ware: Ware, owned: bool, offer: Option<&Offer>, price_seen: Option<u64>, purse: Purse) -> Sale {
        let before = if owned { Before::Owned } else { Before::Nothing };
        super::sell(&Terms::default(), ware, before, offer, price_seen, purse)
    }

    fn account(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    fn share(lineage: i64, champion: Option<Champion>) -> Share {
        Share { lineage, weight: 1, opened: false, champion }
    }

    fn author(number: u128) -> Champion {
        Champion { account: account(number), is_buyer: false, purchases_today: 0, paid_before: 0 }
    }

    fn purse(balance: i64, bonus: i64) -> Purse {
        Purse::of(balance, bonus).expect("it can be")
    }

    #[test]
    fn a_text_is_sold_at_the_price_seen_and_two_fifths_of_what_was_no_bonus_go_to_its_author() {
        let offer = Offer { price: 10, shares: vec![share(3, Some(author(1)))] };
        let sold = |purse| sell(Ware::Attack, false, Some(&offer), Some(10), purse);
        let royalty = |amount| Royalty { to: account(1), lineage: 3, amount };
        assert_eq!(sold(purse(30, 0)), Sale::Sold { paid: Paid { amount: 10, bonus: 0 }, royalties: vec![royalty(4)] });
        assert_eq!(sold(purse(30, 5)), Sale::Sold { paid: Paid { amount: 10, bonus: 5 }, royalties: vec![royalty(2)] });
        assert_eq!(sold(purse(30, 30)), Sale::Sold { paid: Paid { amount: 10, bonus: 10 }, royalties: vec![] });
        assert_eq!(sold(purse(9, 0)), Sale::Short(Short { price: 10, balance: 9 }));
        assert_eq!(sell(Ware::Attack, false, Some(&offer), Some(9), purse(30, 0)), Sale::PriceChanged(10));
        assert_eq!(sell(Ware::Attack, true, Some(&offer), Some(9), purse(0, 0)), Sale::Owned);
        assert_eq!(sell(Ware::Attack, false, None, None, purse(30, 0)), Sale::Unknown);
    }

    #[test]
    fn nobody_is_paid_by_itself_too_often_beyond_the_cap_or_for_what_everybody_reads() {
        let paid = |champion: Champion, opened: bool| -> u64 {
            let offer = Offer { price: 25, shares: vec![Share { opened, ..share(1, Some(champion)) }] };
            match sell(Ware::Attack, false, Some(&offer), None, purse(25, 0)) {
                Sale::Sold { royalties, .. } => royalties.iter().map(|royalty| royalty.amount).sum(),
                other => panic!("{other:?}"),
            }
        };
        let usual = author(1);
        assert_eq!(paid(usual, false), 10);
        assert_eq!(paid(usual, true), 0);
        assert_eq!(paid(Champion { is_buyer: true, ..usual }, false), 0);
        assert_eq!(paid(Champion { purchases_today: 9, ..usual }, false), 10);
        assert_eq!(paid(Champion { purchases_today: 10, ..usual }, false), 0);
        assert_eq!(paid(Champion { paid_before: 994, ..usual }, false), 6);
        assert_eq!(paid(Champion { paid_before: 1_000, ..usual }, false), 0);
    }

    #[test]
    fn the_title_decides_who_is_paid_then_the_author_and_nobody_who_is_gone() {
        let there = |_| true;
        assert_eq!(champion(None, Some(account(1)), there), Some(account(1)));
        assert_eq!(champion(Some(Some(account(2))), Some(account(1)), there), Some(account(2)));
        assert_eq!(champion(Some(None), Some(account(1)), there), None, "the house has taken it");
        assert_eq!(champion(None, Some(account(1)), |_| false), None);
    }

    #[test]
    fn a_bad_buy_is_given_back_within_ten_minutes_unused_and_three_times_a_day() {
        let terms = Terms::default();
        let fresh = Purchase { age_ms: 599_999, is_used: false, returned_today: 2 };
        assert_eq!(give_back(&terms, fresh), Ok(()));
        assert_eq!(give_back(&terms, Purchase { age_ms: 600_000, ..fresh }), Err(NotReturned::TooLate));
        assert_eq!(give_back(&terms, Purchase { is_used: true, ..fresh }), Err(NotReturned::Used));
        assert_eq!(give_back(&terms, Purchase { returned_today: 3, ..fresh }), Err(NotReturned::TooMany));
        let offer = Offer { price: 10, shares: vec![] };
        let again = super::sell(&terms, Ware::Attack, Before::GivenBack, Some(&offer), None, purse(30, 0));
        assert_eq!(again, Sale::GivenBack, "never bought again");
    }

    proptest! {
        #[test]
        fn what_is_paid_out_is_never_more_than_the_authors_share(
            price in 0u64..2_000,
            balance in 0i64..3_000,
            bonus in 0i64..3_000,
            shares in prop::collection::vec((1u128..6, 0u64..20_000, any::<bool>(), any::<bool>(), 0u64..12, 0u64..1_100), 1..20),
        ) {
            let offer = Offer {
                price,
                shares: shares.iter().enumerate().map(|(lineage, (who, weight, opened, is_buyer, today, before))| Share {
                    lineage: lineage as i64,
                    weight: *weight,
                    opened: *opened,
                    champion: Some(Champion {
                        account: account(*who), is_buyer: *is_buyer, purchases_today: *today, paid_before: *before,
                    }),
                }).collect(),
            };
            let purse = purse(balance, bonus.min(balance));
            match sell(Ware::Pack, false, Some(&offer), None, purse) {
                Sale::Sold { paid, royalties } => {
                    prop_assert!(paid.amount == price && price <= purse.balance());
                    prop_assert_eq!(paid.bonus, purse.bonus().min(price));
                    let sum: u64 = royalties.iter().map(|royalty| royalty.amount).sum();
                    prop_assert!(sum <= paid.plain() / 2);
                    for royalty in &royalties {
                        let (_, _, opened, is_buyer, today, before) = shares[royalty.lineage as usize];
                        prop_assert!(!opened && !is_buyer && today < 10 && royalty.amount > 0);
                        prop_assert!(before + royalty.amount <= 1_000);
                    }
                }
                Sale::Short(short) => prop_assert!(price > purse.balance() && short.balance == purse.balance()),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
