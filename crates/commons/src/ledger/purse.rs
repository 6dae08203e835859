//! What one account has: whole IA, a part of which may be a bonus. The bonus is spent first.

use thiserror::Error;

/// What an account has. The bonus is part of the balance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Purse {
    balance: u64,
    bonus: u64,
}

/// The balance is too low for a price.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("This costs {price} IA; you have {balance}.")]
pub struct Short {
    pub price: u64,
    pub balance: u64,
}

/// What was paid, and how much of it was bonus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paid {
    pub amount: u64,
    /// The part that was a bonus: it carries no royalty.
    pub bonus: u64,
}

impl Paid {
    /// The part on which royalties are paid.
    pub fn plain(self) -> u64 {
        self.amount - self.bonus
    }
}

impl Purse {
    /// None if an amount is negative or the bonus is more than the balance.
    pub fn of(balance: i64, bonus: i64) -> Option<Purse> {
        let (balance, bonus) = (u64::try_from(balance).ok()?, u64::try_from(bonus).ok()?);
        (bonus <= balance).then_some(Purse { balance, bonus })
    }

    /// Everything in it, bonus included.
    pub fn balance(self) -> u64 {
        self.balance
    }

    pub fn bonus(self) -> u64 {
        self.bonus
    }

    /// Takes a price out, the bonus first, or nothing at all.
    pub fn pay(&mut self, price: u64) -> Result<Paid, Short> {
        let balance = self.balance.checked_sub(price).ok_or(Short { price, balance: self.balance })?;
        let bonus = self.bonus.min(price);
        *self = Purse { balance, bonus: self.bonus - bonus };
        Ok(Paid { amount: price, bonus })
    }

    /// Takes back what was given, or nothing at all: the part that came as a bonus out of the bonus, the rest out of the rest. Only
    /// where one of them was spent since does the other stand in for it.
    pub fn give_back(&mut self, given: Paid) -> Result<Paid, Short> {
        let short = Short { price: given.amount, balance: self.balance };
        let balance = self.balance.checked_sub(given.amount).ok_or(short)?;
        let plain = self.balance - self.bonus;
        let bonus = given.bonus.min(self.bonus).max(given.amount.saturating_sub(plain));
        *self = Purse { balance, bonus: self.bonus - bonus };
        Ok(Paid { amount: given.amount, bonus })
    }

    /// Adds an amount, of which `bonus` is a bonus.
    pub fn receive(&mut self, amount: u64, bonus: u64) {
        self.balance += amount;
        self.bonus += bonus.min(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bonus_is_spent_first() {
        let mut purse = Purse::default();
        purse.receive(100, 100);
        purse.receive(20, 0);
        assert_eq!(purse.pay(90), Ok(Paid { amount: 90, bonus: 90 }));
        let paid = purse.pay(15).expect("there are thirty");
        assert_eq!((paid.bonus, paid.plain()), (10, 5));
        assert_eq!((purse.balance(), purse.bonus()), (15, 0));
    }

    #[test]
    fn too_little_says_how_much_there_is_and_takes_nothing() {
        let mut purse = Purse::of(9, 3).expect("it can be");
        assert_eq!(purse.pay(10), Err(Short { price: 10, balance: 9 }));
        assert_eq!(purse, Purse::of(9, 3).expect("it can be"));
        assert_eq!(purse.pay(9).map(Paid::plain), Ok(6));
        assert_eq!(purse, Purse::default());
    }

    #[test]
    fn what_was_given_is_taken_back_in_kind() {
        let given = |amount, bonus| Paid { amount, bonus };
        let left = |balance, bonus, back| {
            let mut purse = Purse::of(balance, bonus).expect("it can be");
            purse.give_back(back).map(|_| (purse.balance(), purse.bonus()))
        };
        assert_eq!(left(200, 100, given(100, 0)), Ok((100, 100)), "a plain gift leaves the bonus alone");
        assert_eq!(left(200, 100, given(100, 100)), Ok((100, 0)), "a bonus leaves the rest alone");
        assert_eq!(left(200, 150, given(100, 0)), Ok((100, 100)), "half of the gift is spent: the bonus stands in");
        assert_eq!(left(200, 20, given(100, 100)), Ok((100, 0)), "most of the bonus is spent: the rest stands in");
        assert_eq!(left(99, 0, given(100, 0)), Err(Short { price: 100, balance: 99 }));
    }

    #[test]
    fn no_purse_holds_less_than_nothing_or_more_bonus_than_money() {
        assert_eq!([Purse::of(-1, 0), Purse::of(1, 2), Purse::of(1, -1)], [None; 3]);
    }
}
