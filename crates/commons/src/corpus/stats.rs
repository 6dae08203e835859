//! What is counted of an argument the moment it is used: a fold over its events, each a plain addition.

use super::effectiveness::Score;
use engine::facts::Fate;
use engine::time::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The number of jurors: no ruling moves more.
pub const JURY_SHIFT_MAX: i8 = 12;
/// Ids of cases and characters have at most this many characters.
pub const ID_LEN_MAX: usize = 64;

/// Why an event is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EventRefusal {
    /// Empty or too long.
    #[error("An id has 1 to {ID_LEN_MAX} characters; this one has {found}.")]
    IdLength {
        /// How many characters were given.
        found: usize,
    },
    /// More jurors than there are.
    #[error("A jury shift is from -{JURY_SHIFT_MAX} to {JURY_SHIFT_MAX}; this one is {found}.")]
    ShiftTooFar {
        /// The shift that was given.
        found: i64,
    },
    /// Nothing was claimed that could be ruled on.
    #[error("There is a verdict on a claim, but the argument did not force one.")]
    VerdictWithoutClaim,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The id, if its length is allowed.
            pub fn new(id: impl Into<String>) -> Result<Self, EventRefusal> {
                let id = id.into();
                let found = id.chars().count();
                if (1..=ID_LEN_MAX).contains(&found) { Ok($name(id)) } else { Err(EventRefusal::IdLength { found }) }
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = EventRefusal;
            fn try_from(id: String) -> Result<Self, Self::Error> {
                $name::new(id)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id! {
    /// A case, such as `john_law` or `trial:case_001`.
    CaseId
}

id! {
    /// Whom an argument was used against.
    CharacterId
}

/// How many jurors a ruling moved, net: towards condemning if positive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct JuryShift(i8);

impl JuryShift {
    /// The shift, if there are so many jurors.
    pub fn new(jurors: i64) -> Result<Self, EventRefusal> {
        match i8::try_from(jurors) {
            Ok(shift) if (-JURY_SHIFT_MAX..=JURY_SHIFT_MAX).contains(&shift) => Ok(JuryShift(shift)),
            Ok(_) | Err(_) => Err(EventRefusal::ShiftTooFar { found: jurors }),
        }
    }

    pub fn jurors(self) -> i64 {
        i64::from(self.0)
    }
}

impl TryFrom<i64> for JuryShift {
    type Error = EventRefusal;
    fn try_from(jurors: i64) -> Result<Self, Self::Error> {
        JuryShift::new(jurors)
    }
}

impl From<JuryShift> for i64 {
    fn from(shift: JuryShift) -> i64 {
        shift.jurors()
    }
}

/// What came of one use. Small and without names, so that a recomputation may stream through millions of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Jurors moved in the whole exchange.
    pub jury_shift: JuryShift,
    /// Whether it forced an extraordinary claim.
    pub triggered: bool,
    /// The ruling on that claim; none if there was no claim, or none yet.
    pub verdict: Option<Fate>,
    /// What the player's account gained by it, or lost.
    pub ia_change: i32,
    pub at: Timestamp,
}

impl Use {
    /// Refuses what no ruling can have brought about. Outside games may send anything.
    pub fn check(&self) -> Result<(), EventRefusal> {
        if self.verdict.is_some() && !self.triggered {
            return Err(EventRefusal::VerdictWithoutClaim);
        }
        Ok(())
    }

    /// Whether it was a trap that landed.
    pub fn is_landed(&self) -> bool {
        self.verdict.is_some_and(Fate::landed)
    }

    /// Whether it moved somebody: jurors, net, or the claim.
    pub fn has_moved(&self) -> bool {
        self.is_landed() || self.jury_shift.jurors() > 0
    }
}

/// The counters of one key. Events may be added in any order: the sums are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// How often it was used.
    pub uses: u64,
    /// How often it forced an extraordinary claim.
    pub trap_triggers: u64,
    /// How often that claim was withdrawn or struck.
    pub trap_lands: u64,
    /// How often that claim was proved.
    pub trap_misses: u64,
    /// What it won, in IA. Losses are not subtracted.
    pub total_ia_won: u64,
    /// How often it did at least half of what a use can do.
    pub worked: u64,
    /// How often it moved a juror to its speaker's side, or its trap landed.
    pub moved: u64,
    /// The sum behind the average, so that each use is one addition.
    pub jury_shift_sum: i64,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

impl Counters {
    pub fn fold(&mut self, used: &Use) {
        self.uses += 1;
        self.trap_triggers += u64::from(used.triggered);
        match used.verdict {
            Some(verdict) if verdict.landed() => self.trap_lands += 1,
            Some(_) => self.trap_misses += 1,
            None => {}
        }
        self.total_ia_won += u64::try_from(used.ia_change).unwrap_or(0);
        self.worked += u64::from(Score::of_use(used).has_worked());
        self.moved += u64::from(used.has_moved());
        self.jury_shift_sum += used.jury_shift.jurors();
        self.last_used_at = self.last_used_at.max(Some(used.at));
    }

    /// The counters after all of these.
    pub fn of<'a>(uses: impl IntoIterator<Item = &'a Use>) -> Self {
        let mut counters = Counters::default();
        uses.into_iter().for_each(|used| counters.fold(used));
        counters
    }

    /// The average jury shift in hundredths, rounded to the nearest, halves away from zero; 0 before the first use.
    pub fn avg_jury_shift_hundredths(&self) -> i64 {
        let Ok(uses) = i64::try_from(self.uses) else { return 0 };
        if uses == 0 {
            return 0;
        }
        let doubled = 200 * self.jury_shift_sum;
        (doubled + doubled.signum() * uses) / (2 * uses)
    }
}
