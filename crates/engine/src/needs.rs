//! What a game asks the house to look up before something is decided or shown. The rules say what they need and what they do with it; they
//! do not know where it comes from, and `decide` itself looks nothing up.

use crate::id::Seq;
use crate::roster::Lang;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Something to be looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// Arguments that did well against a target in other games of a case, best first. The account in the seat pays for them.
    Arguments {
        case_id: String,
        /// Whom they are against.
        target: String,
        /// By hash: nothing of their lineages is wanted, nor of the lineages argued in this game.
        besides: Vec<String>,
        lang: Lang,
        /// Their allowed length in characters.
        len: RangeInclusive<usize>,
        /// How many at most.
        most: usize,
        /// What it costs, in IA.
        price: u32,
    },
    /// What is known of answers to an argument of this game, from all games.
    Answers {
        /// The event that said the argument.
        argument: Seq,
        target: String,
    },
    /// What the account in the viewer's seat owns about these targets.
    Owned { case_id: String, targets: Vec<String> },
}

/// What was found for a [`Need`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Supply {
    Arguments(Vec<Argument>),
    Answers(Answers),
    /// For [`Need::Owned`], by target.
    Owned(BTreeMap<String, Owned>),
}

/// An argument from other games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    pub hash: String,
    pub text: String,
    /// What it is about, in a few neutral words.
    pub label: String,
    /// How well it worked, in ten-thousandths.
    pub effectiveness_e4: u32,
    /// How often it was used, and in how many of these uses it worked.
    pub uses: u64,
    pub worked: u64,
}

/// What came of answers to one argument.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// The words of those that failed, newest first.
    pub failed: Vec<String>,
    /// Those that were proved, best first: hash and words.
    pub proved: Vec<(String, String)>,
    /// The house's own angles that were tried.
    pub angles: Vec<String>,
}

/// What an account owns about one target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Owned {
    /// The words of arguments against it, the most effective first.
    pub arguments: Vec<String>,
    /// What its proved answers are about, and the evidence they cite; the most effective first, no two the same.
    pub answers: Vec<(String, Vec<String>)>,
}

/// An act that answers an argument in words that nobody should have used on it before.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The event that said the argument.
    pub argument: Seq,
    pub target: String,
    pub text: String,
    /// Whether the text is a line of the house; then `instead` is sent if another game has used it meanwhile.
    pub own_line: bool,
    /// A body that can be sent instead, without words.
    pub instead: Value,
}
