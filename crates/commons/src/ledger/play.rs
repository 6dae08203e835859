//! What an exchange in a game earns or costs the account that argued.

use super::terms::Terms;

/// What is known of the account and the argument before it is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Before {
    /// Whether the account was deleted.
    pub is_gone: bool,
    /// Whether this argument, in any of its variants, has paid this account before.
    pub is_paid: bool,
    /// What the account has earned today.
    pub earned_today: u64,
    /// What it has earned in this hour.
    pub earned_this_hour: u64,
    pub balance: u64,
}

/// What is paid; never zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// By the house to the account.
    Award(u64),
    /// By the account to the house.
    Forfeit(u64),
}

/// Settles an exchange that won or lost this much IA. An argument, with all its variants, pays an account once, hours and days pay
/// no more than the terms say, and a loss is never more than the balance.
pub fn settle(terms: &Terms, ia_change: i32, before: Before) -> Option<Settled> {
    let claimed = u64::from(ia_change.unsigned_abs());
    let settled = if ia_change > 0 {
        let today = terms.earned_a_day_max.saturating_sub(before.earned_today);
        let now = terms.earned_an_hour_max.saturating_sub(before.earned_this_hour);
        Settled::Award(if before.is_paid { 0 } else { claimed.min(today).min(now) })
    } else {
        Settled::Forfeit(claimed.min(before.balance))
    };
    match settled {
        Settled::Award(0) | Settled::Forfeit(0) => None,
        Settled::Award(_) | Settled::Forfeit(_) if before.is_gone => None,
        Settled::Award(_) | Settled::Forfeit(_) => Some(settled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(ia_change: i32, before: Before) -> Option<Settled> {
        super::settle(&Terms::default(), ia_change, before)
    }

    const FRESH: Before = Before { is_gone: false, is_paid: false, earned_today: 0, earned_this_hour: 0, balance: 7 };

    #[test]
    fn an_hour_brings_a_hundred_and_a_day_three_hundred_at_most_and_an_argument_pays_once() {
        let on = |earned_today| settle(22, Before { earned_today, ..FRESH });
        assert_eq!([on(0), on(290)], [Some(Settled::Award(22)), Some(Settled::Award(10))]);
        assert_eq!([on(300), on(400)], [None; 2]);
        let within = |earned_this_hour| settle(22, Before { earned_this_hour, ..FRESH });
        assert_eq!([within(78), within(90), within(100)], [Some(Settled::Award(22)), Some(Settled::Award(10)), None]);
        assert_eq!(settle(22, Before { is_paid: true, ..FRESH }), None);
    }

    #[test]
    fn nobody_loses_more_than_there_is_and_nothing_moves_for_those_who_are_gone() {
        assert_eq!(settle(-5, FRESH), Some(Settled::Forfeit(5)));
        assert_eq!(settle(-50, FRESH), Some(Settled::Forfeit(7)));
        assert_eq!(settle(-5, Before { balance: 0, ..FRESH }), None);
        assert_eq!([settle(0, FRESH), settle(5, Before { is_gone: true, ..FRESH })], [None; 2]);
    }
}
