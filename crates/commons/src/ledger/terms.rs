//! The terms of the economy, in one table: what things cost, what is paid for them, and the limits. Whole IA. An operator may change them;
//! what was sold names the terms it was sold under, by their hash.

use engine::rates::Rates;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Every number of the economy that an operator may change. A file names those that differ; an unknown or impossible one stops the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// What a new account is given, as a bonus.
    pub welcome_ia: u64,
    /// The most that is granted at once.
    pub grant_ia_max: u64,
    /// What play brings and costs; a game keeps to the rates that it was founded under.
    pub play: Rates,
    /// The most that an account can earn in play in one day.
    pub earned_a_day_max: u64,
    /// The most that an account can earn in play in one hour: no player argues faster than that.
    pub earned_an_hour_max: u64,

    /// Games between two accounts count for figures, prices and titles only if both are at least this old.
    pub young_days: u64,
    /// How many games of the same two accounts count within `meeting_days`.
    pub meetings_counted_max: u64,
    pub meeting_days: u64,
    /// At how many tables of a kind matchmaking seats the same two within a day.
    pub meetings_a_day_max: u64,

    /// What words cost that were never used.
    pub untried_ia: u64,
    /// The least that used words cost, and how much more perfect ones do.
    pub text_ia_min: u64,
    pub text_ia_more: u64,
    /// What a pack costs unless its curator says otherwise.
    pub pack_ia: u64,
    /// The most a pack may cost.
    pub pack_ia_max: u64,
    /// For how long a purchase can be given back, in minutes. Royalties are paid after that.
    pub return_minutes: u64,
    /// How many purchases an account may give back in a day.
    pub returns_a_day_max: u64,

    /// The authors' share of what is paid for a text, in percent of the part that was not bonus.
    pub text_share_percent: u64,
    /// The authors' share of what is paid for a pack, all of them together.
    pub pack_share_percent: u64,
    /// The most that one argument, with all its variants, pays one champion.
    pub cap_ia: u64,
    /// For how many purchases by one buyer in one day one author is paid, so that friends who buy from each other all day gain nothing.
    pub paid_a_day_by_one_buyer_max: u64,

    /// In how many trials words must have been used where it counts before they are sold without having been put up.
    pub sold_after_trials: u64,
    /// How many listings an account may make in a day.
    pub listings_a_day_max: u64,
    /// Most listings of an account until something of it has moved a juror.
    pub listings_unproved_max: u64,
    /// Most listings of one account, including those that wait for moderation.
    pub listings_max: u64,

    /// Below this effectiveness, in ten-thousandths, a title can be taken.
    pub fallen_e4: i64,
    /// The challenger must be above this to take it.
    pub risen_e4: i64,
    /// How often the challenger must have been used against it.
    pub challenge_uses_min: u64,
    /// Against how many different opponents, at least.
    pub challenge_opponents_min: u64,

    /// The most defenses in a pack. Once there are this many, the house makes one by itself.
    pub pack_size: u64,
    /// The house makes the next edition when fewer than this many of the current best are in the last one.
    pub pack_same_min: u64,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            welcome_ia: 100,
            grant_ia_max: 1_000_000,
            play: Rates::default(),
            earned_a_day_max: 300,
            earned_an_hour_max: 100,
            young_days: 7,
            meetings_counted_max: 2,
            meeting_days: 30,
            meetings_a_day_max: 3,
            untried_ia: 5,
            text_ia_min: 5,
            text_ia_more: 20,
            pack_ia: 50,
            pack_ia_max: 1_000,
            return_minutes: 10,
            returns_a_day_max: 3,
            text_share_percent: 40,
            pack_share_percent: 50,
            cap_ia: 1_000,
            paid_a_day_by_one_buyer_max: 10,
            sold_after_trials: 2,
            listings_a_day_max: 10,
            listings_unproved_max: 100,
            listings_max: 500,
            fallen_e4: 3_000,
            risen_e4: 7_000,
            challenge_uses_min: 5,
            challenge_opponents_min: 3,
            pack_size: 20,
            pack_same_min: 10,
        }
    }
}

/// No amount and no limit is larger: sums of them stay far from what a number can hold.
const MOST: u64 = 1_000_000_000;
/// No rate of play is larger.
const RATE_MOST: u64 = 1_000_000;

impl Terms {
    /// Refuses terms that cannot be kept.
    pub fn checked(self) -> Result<Terms, String> {
        let numbers = self.numbers();
        for (name, number) in &numbers {
            let most = if name.starts_with("play.") { RATE_MOST } else { MOST };
            if number.as_u64().is_none_or(|number| number > most) {
                return Err(format!("{name} must be 0 to {most}"));
            }
        }
        let at_least_one = ["challenge_uses_min", "challenge_opponents_min", "pack_size", "sold_after_trials"];
        if let Some(name) = at_least_one.iter().find(|name| numbers.get(**name) == Some(&0.into())) {
            return Err(format!("{name} must be at least 1"));
        }
        for (name, percent) in
            [("text_share_percent", self.text_share_percent), ("pack_share_percent", self.pack_share_percent)]
        {
            if percent > 100 {
                return Err(format!("{name} must be 0 to 100, not {percent}"));
            }
        }
        for (name, e4) in [("fallen_e4", self.fallen_e4), ("risen_e4", self.risen_e4)] {
            if e4 > 10_000 {
                return Err(format!("{name} must be 0 to 10000 ten-thousandths, not {e4}"));
            }
        }
        if self.fallen_e4 >= self.risen_e4 {
            return Err("fallen_e4 must be below risen_e4, or two arguments could take each other's titles".to_owned());
        }
        Ok(self)
    }

    /// Every number by its name, in the order of the table; those of play as `play.consult_ia`.
    pub fn numbers(&self) -> Map<String, Value> {
        let Ok(Value::Object(table)) = serde_json::to_value(self) else { return Map::new() };
        let flat = table.into_iter().flat_map(|(name, value)| match value {
            Value::Object(inner) => inner.into_iter().map(|(part, value)| (format!("{name}.{part}"), value)).collect(),
            value => vec![(name, value)],
        });
        flat.collect()
    }

    /// The table as it is kept beside what was sold under it.
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("the terms are plain numbers")
    }

    /// The name of these terms: SHA-256 of their bytes, in hex.
    pub fn hash(&self) -> String {
        Sha256::digest(self.bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_terms_are_refused_by_name() {
        assert_eq!(Terms::default().checked(), Ok(Terms::default()));
        let usual = Terms::default();
        for (wrong, why) in [
            (Terms { text_share_percent: 101, ..usual.clone() }, "text_share_percent"),
            (Terms { cap_ia: MOST + 1, ..usual.clone() }, "cap_ia"),
            (Terms { challenge_uses_min: 0, ..usual.clone() }, "challenge_uses_min"),
            (Terms { fallen_e4: 7_000, ..usual.clone() }, "fallen_e4"),
            (Terms { fallen_e4: -1, ..usual.clone() }, "fallen_e4"),
            (Terms { play: Rates { juror_ia: 1_000_001, ..Rates::default() }, ..usual.clone() }, "play.juror_ia"),
        ] {
            let said = wrong.checked().expect_err("they cannot be kept");
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn other_numbers_are_other_terms() {
        let dearer = Terms { text_ia_min: 6, ..Terms::default() };
        assert_ne!(dearer.hash(), Terms::default().hash());
        assert_eq!(Terms::default().hash().len(), 64);
    }
}
