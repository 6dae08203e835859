//! Which words may leave the game they were said in, and which of those are for sale. Columns are filled by these decisions; SQL only filters
//! by them.

use super::terms::Terms;

/// What is known of words, wherever they were used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// Whether moderation lets them be read.
    pub is_readable: bool,
    /// Whether the house said them, or their author where everybody reads along.
    pub is_aired: bool,
    /// Whether their author has put them up.
    pub is_put_up: bool,
}

impl Words {
    /// Whether they may be listed, sold, consulted, packed and put into prompts of other games. What was said behind closed doors, and what
    /// a guest said anywhere, may not: nobody has agreed to that.
    pub fn may_leave(self) -> bool {
        self.is_readable && (self.is_aired || self.is_put_up)
    }
}

/// What became of words against one character, or of a defense with its variants, where it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    pub uses: u64,
    /// In how many different trials.
    pub trials: u64,
    /// Whether a juror was ever moved by them, or a claim fell or stood through them.
    pub has_moved: bool,
    /// Whether their author has put them up for just this.
    pub is_put_up: bool,
}

/// Whether they are for sale. What its author put up may be sold untried; anything else has to have been tried a few times. What was tried
/// and moved nobody is not sold.
pub fn is_for_sale(terms: &Terms, words: Words, record: Record) -> bool {
    let tried = record.has_moved && record.trials >= terms.sold_after_trials;
    let put_up = record.is_put_up && (record.uses == 0 || record.has_moved);
    words.may_leave() && (tried || put_up)
}

/// What an account has put up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listings {
    pub today: u64,
    /// Those that stand or wait now.
    pub all: u64,
    /// Whether anything of the account has ever moved a juror where it counts.
    pub has_moved: bool,
}

/// Why an account may not put up more, with the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooMany {
    Today(u64),
    /// Until something of it has moved a juror.
    Unproved(u64),
    InAll(u64),
}

impl Listings {
    /// Whether the account may put up one more.
    pub fn one_more(self, terms: &Terms) -> Result<(), TooMany> {
        if self.all >= terms.listings_max {
            Err(TooMany::InAll(terms.listings_max))
        } else if !self.has_moved && self.all >= terms.listings_unproved_max {
            Err(TooMany::Unproved(terms.listings_unproved_max))
        } else if self.today >= terms.listings_a_day_max {
            Err(TooMany::Today(terms.listings_a_day_max))
        } else {
            Ok(())
        }
    }
}

/// A preview has this many words at most.
const PREVIEW_WORDS: usize = 8;
/// And at most one part in this many of the text.
const PREVIEW_PARTS: usize = 4;

/// What a buyer is shown of words before paying, from their beginning and their length in characters. Only whole words are shown; a
/// beginning that is too long for that is cut.
pub fn preview(beginning: &str, len: usize) -> String {
    let most = len / PREVIEW_PARTS;
    let mut shown = String::new();
    for word in beginning.split_whitespace().take(PREVIEW_WORDS) {
        let gap = usize::from(!shown.is_empty());
        if shown.chars().count() + gap + word.chars().count() > most {
            break;
        }
        shown.push_str(if gap == 1 { " " } else { "" });
        shown.push_str(word);
    }
    if shown.is_empty() { beginning.chars().take(most).collect() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_eight_words_and_never_more_than_a_quarter() {
        let long = "In May 1720 an edict cut the notes to half, and the cook who had sold her last spoon for them learnt what a \
            promise of the Bank was worth when she came to the counter the next morning.";
        assert_eq!(preview(long, long.chars().count()), "In May 1720 an edict cut the notes");
        assert_eq!(preview("Give the people back their gold!", 32), "Give the");
        assert_eq!(preview("존로는프랑스를종이로덮었습니다.", 16), "존로는프");
        assert_eq!(preview("", 0), "");
        for text in [long, "Give the people back their gold!", "존로는 프랑스를 종이로 덮었습니다."] {
            let len = text.chars().count();
            assert!(preview(text, len).chars().count() * 4 <= len);
        }
    }

    const OPEN: Words = Words { is_readable: true, is_aired: true, is_put_up: false };
    const CLOSED: Words = Words { is_aired: false, ..OPEN };

    #[test]
    fn words_leave_a_closed_trial_only_if_their_author_puts_them_up() {
        assert!(OPEN.may_leave() && !CLOSED.may_leave());
        assert!(Words { is_put_up: true, ..CLOSED }.may_leave());
        assert!(!Words { is_readable: false, is_put_up: true, ..OPEN }.may_leave(), "moderation comes first");
    }

    #[test]
    fn ten_a_day_are_put_up_and_a_hundred_until_one_has_moved_somebody() {
        let more = |today, all, has_moved| Listings { today, all, has_moved }.one_more(&Terms::default());
        assert_eq!([more(9, 99, false), more(9, 499, true)], [Ok(()); 2]);
        assert_eq!(more(10, 10, true), Err(TooMany::Today(10)));
        assert_eq!(more(0, 100, false), Err(TooMany::Unproved(100)));
        assert_eq!(more(0, 500, true), Err(TooMany::InAll(500)));
    }

    #[test]
    fn what_is_sold_was_tried_twice_and_moved_a_juror_or_was_put_up() {
        let sold = |words, uses, trials, has_moved, is_put_up| {
            is_for_sale(&Terms::default(), words, Record { uses, trials, has_moved, is_put_up })
        };
        assert!(!sold(OPEN, 0, 0, false, false) && !sold(OPEN, 9, 1, true, false) && !sold(OPEN, 9, 9, false, false));
        assert!(sold(OPEN, 2, 2, true, false));
        assert!(sold(OPEN, 0, 0, false, true), "never tried, but put up");
        assert!(!sold(OPEN, 1, 1, false, true), "tried, and moved nobody");
        assert!(sold(OPEN, 1, 1, true, true));
        assert!(!sold(CLOSED, 9, 9, true, true), "said behind closed doors");
    }
}
