//! What a game teaches the corpus of arguments, in the engine's own words.

use crate::id::{Seat, Seq};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the corpus of arguments learns from an event. It follows from the log like everything else, so replay yields it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A seat said something that may be used again.
    Said {
        by: Seat,
        /// What it is about, in a few neutral words.
        label: Cow<'static, str>,
        case_id: Cow<'static, str>,
        /// Against or for whom.
        target: Cow<'static, str>,
        side: Side,
        text: String,
        /// Whether everybody can read the text in the game itself.
        public: bool,
        /// Whether the text is a line that the house offers to its players: then nobody is its author.
        offered: bool,
    },
    /// What came of something said.
    Weighed {
        /// The event that said it.
        speech: Seq,
        /// How many hearers it moved, net.
        moved: i32,
        /// Whether it forced a claim that then had to be substantiated.
        forced: bool,
        /// What became of that claim, if there was one.
        fate: Option<Fate>,
        /// What its speaker gained by it, or lost, in IA.
        brought: i32,
    },
    /// What came of an answer to an argument.
    Met {
        /// The event that said the argument.
        argument: Seq,
        /// The event that answered it.
        speech: Seq,
        manner: Manner,
        fate: Fate,
        /// What was claimed, by the name under which the claim is known if it is made again.
        claim: String,
        /// The evidence it rests on, by id.
        cited: Vec<String>,
        /// The house's angle that it takes, if it is a line of the house.
        angle: Option<String>,
        /// The earlier answer that it varies, by hash.
        varies: Option<String>,
    },
    /// A seat was shown arguments from other games.
    Shown {
        /// The seat that asked for them and pays.
        by: Seat,
        /// What it costs, in IA.
        price: u32,
        /// What was shown, by hash.
        hashes: Vec<String>,
        /// The case they are about.
        case_id: String,
    },
}

/// On which side of an argument a seat speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Puts an argument forward.
    Attack,
    Defense,
}

/// A line that a mind of the house may say, and so the house's own work whoever says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseLine {
    pub text: String,
    pub side: Side,
    /// What it is about, in a few neutral words.
    pub label: String,
}

/// How a speaker answers for a claim that was called into question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    Prove,
    /// By giving it up.
    Withdraw,
    /// By standing by it without evidence.
    Defend,
}

impl Manner {
    pub const ALL: [Manner; 3] = [Manner::Prove, Manner::Withdraw, Manner::Defend];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Manner::Prove => "prove",
            Manner::Withdraw => "withdraw",
            Manner::Defend => "defend",
        }
    }
}

/// What became of a claim that was called into question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    Proved,
    /// It was given up.
    Withdrawn,
    Failed,
}

impl Fate {
    pub const ALL: [Fate; 3] = [Fate::Proved, Fate::Withdrawn, Fate::Failed];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Proved => "proved",
            Fate::Withdrawn => "withdrawn",
            Fate::Failed => "failed",
        }
    }

    /// Whether the attack that brought it about has landed.
    pub fn landed(self) -> bool {
        match self {
            Fate::Proved => false,
            Fate::Withdrawn | Fate::Failed => true,
        }
    }
}
