//! Whether what comes of words in a game between two accounts counts for figures, prices and titles. Friends who meet on purpose could fix
//! the result, so this is decided once, from what is known at that moment; the decision is stored and never revised. Games against the
//! house always count.

use super::terms::Terms;

pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// For how long a meeting of two accounts is remembered, in milliseconds.
pub fn remembered_ms(terms: &Terms) -> i64 {
    terms.meeting_days as i64 * DAY_MS
}

/// A game between two accounts, when its first ruling is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// How many earlier games of the same two counted within [`remembered_ms`].
    pub earlier: u64,
    /// The age of the younger account, in milliseconds.
    pub younger_ms: i64,
}

impl Meeting {
    pub fn counts(self, terms: &Terms) -> bool {
        self.earlier < terms.meetings_counted_max && self.younger_ms >= terms.young_days as i64 * DAY_MS
    }
}

/// How an account that speaks came by the words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Whether it wrote the first of their lineage.
    pub is_author: bool,
    /// Whether it paid for them, at least half of it without a bonus.
    pub is_paid: bool,
}

impl Source {
    /// Whether a use of the words counts between two accounts. Words of other authors cost something: otherwise a ring of new accounts
    /// could wear down a title with what every account is given.
    pub fn counts(self) -> bool {
        self.is_author || self.is_paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: i64 = 7 * DAY_MS;

    #[test]
    fn the_same_two_count_twice_a_month_and_only_when_both_are_a_week_old() {
        let counts = |earlier, younger_ms| Meeting { earlier, younger_ms }.counts(&Terms::default());
        assert_eq!([counts(0, OLD), counts(1, OLD), counts(2, OLD), counts(9, OLD)], [true, true, false, false]);
        assert_eq!([counts(0, OLD - 1), counts(0, 0), counts(0, -5)], [false; 3]);
    }

    #[test]
    fn words_of_another_author_count_only_if_they_were_paid_for() {
        let counts = |is_author, is_paid| Source { is_author, is_paid }.counts();
        assert_eq!([counts(true, false), counts(false, true), counts(false, false)], [true, true, false]);
    }
}
