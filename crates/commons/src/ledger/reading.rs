//! Who may read the words of an argument. Everything that shows words asks this, or filters by rows that were filled by it.

/// How an account came to own words. Stored by its word, which must never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Claim {
    Wrote,
    /// The account said them in a game here: nobody pays to read what is in their own transcript.
    Said,
    Bought,
    /// The account bought a pack that they are in.
    Packed,
}

impl Claim {
    /// As it is stored.
    pub fn word(self) -> &'static str {
        match self {
            Claim::Wrote => "wrote",
            Claim::Said => "said",
            Claim::Bought => "bought",
            Claim::Packed => "packed",
        }
    }

    /// The claim of that name.
    pub fn named(word: &str) -> Option<Claim> {
        [Claim::Wrote, Claim::Said, Claim::Bought, Claim::Packed].into_iter().find(|claim| claim.word() == word)
    }
}

/// Whether an account with these claims may read words. What a moderator has rejected, or what waits for one, is read by its author
/// alone.
pub fn may_read(claims: &[Claim], is_readable: bool) -> bool {
    if is_readable { !claims.is_empty() } else { claims.contains(&Claim::Wrote) }
}

/// How much an account is told of a kept speech.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    Figures,
    /// Also its words and what they cite.
    Words,
    /// Also in which game it was said.
    Everything,
}

impl Sight {
    /// Where the words were said is told only to the account that said them there and to moderators: a game may be closed or reached by
    /// link only, so its id is as secret as the words.
    pub fn of(may_read: bool, said_them_there: bool, is_moderator: bool) -> Sight {
        match (is_moderator || said_them_there, may_read) {
            (true, _) => Sight::Everything,
            (false, true) => Sight::Words,
            (false, false) => Sight::Figures,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_by_those_who_own_them_and_rejected_ones_by_their_author_alone() {
        for claim in [Claim::Wrote, Claim::Said, Claim::Bought, Claim::Packed] {
            assert!(may_read(&[claim], true));
            assert_eq!(may_read(&[claim], false), claim == Claim::Wrote);
            assert_eq!(Claim::named(claim.word()), Some(claim));
        }
        assert!(!may_read(&[], true) && !may_read(&[], false));
        assert!(may_read(&[Claim::Bought, Claim::Wrote], false));
    }
}
