//! Names of things: games, seats, accounts, and the ids that are derived inside a game.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// One play-through. Made outside the engine and passed in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameId(pub Uuid);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl FromStr for GameId {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::try_parse(text).map(GameId)
    }
}

/// An account outside the game. Only the roster knows it; rules never do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AccountId(pub Uuid);

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// An agent that an account has registered. What an account plays itself is recorded under its own id instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AgentId(pub Uuid);

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A place in a game, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Seat(pub u16);

impl Seat {
    /// The seat as an index into per-seat lists.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The seat at this index; a game has far fewer seats than `u16` holds.
    pub fn at(index: usize) -> Self {
        Seat(u16::try_from(index).expect("a game has at most a few dozen seats"))
    }
}

/// The number of an event in its game, from 1 without gaps; the version of a game is its last one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Seq(pub u64);

impl Seq {
    /// The number after this one.
    pub fn next(self) -> Self {
        Seq(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an inner id names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inner {
    /// A seat's occupant, numbered by the event that seated it.
    Agent,
    /// A round of play, numbered from 1.
    Round,
    /// A speech, numbered by its event.
    Argument,
    /// An entry of the feed, numbered by its event.
    Item,
    /// A safe boundary to resume at, numbered by its event.
    Checkpoint,
}

impl Inner {
    fn prefix(self) -> &'static str {
        match self {
            Inner::Agent => "agent",
            Inner::Round => "round",
            Inner::Argument => "arg",
            Inner::Item => "item",
            Inner::Checkpoint => "cp",
        }
    }

    /// The public id of the `number`th such thing in `game`: a function of the two, never stored.
    pub fn name(self, game: GameId, number: u64) -> String {
        format!("{}-{number}-{:012x}", self.prefix(), tail(game))
    }

    /// The number behind `id`, if it names such a thing in `game`.
    pub fn number(self, game: GameId, id: &str) -> Option<u64> {
        let rest = id.strip_prefix(self.prefix())?.strip_prefix('-')?;
        let (number, tag) = rest.split_once('-')?;
        // The database stores numbers as `i64`.
        let number: u64 = number.parse().ok().filter(|number| *number <= i64::MAX as u64)?;
        // Comparing the rendered id refuses other spellings ("+3", "03") of the same number.
        (tag.len() == 12 && self.name(game, number) == id).then_some(number)
    }
}

fn tail(game: GameId) -> u64 {
    game.0.as_u64_pair().1 & 0xffff_ffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_id_names_one_thing_of_one_game() {
        let game = GameId(Uuid::from_u128(0x0190_0000_0000_7000_8000_00ab_cdef_0123));
        let other = GameId(Uuid::from_u128(7));
        let id = Inner::Round.name(game, 3);
        assert_eq!(id, "round-3-00abcdef0123");
        assert_eq!(Inner::Round.number(game, &id), Some(3));
        assert_eq!(Inner::Round.number(other, &id), None);
        assert_eq!(Inner::Agent.number(game, &id), None);
        for wrong in ["", "round", "round-3", "round-03-00abcdef0123", "round-+3-00abcdef0123", "round-3-00ABCDEF0123"]
        {
            assert_eq!(Inner::Round.number(game, wrong), None, "{wrong}");
        }
    }
}
