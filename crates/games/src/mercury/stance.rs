//! Where a role stands on an issue, and by how much it may move: hundredths, so that nothing stored is a float.

use super::words::{Choice, Issue, Move, Role};
use serde::{Deserialize, Serialize};

/// From here on a country votes yes.
pub const YES: u8 = 70;
/// The most an option may gain or lose by one message.
pub const ACCEPTANCE_STEP_MAX: i32 = 10;
/// The most the firmness may move by one message.
pub const FIRMNESS_STEP_MAX: i32 = 5;

/// A role's stance on one issue.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stance {
    pub preferred: Choice,
    /// How acceptable each option is, in their order; `None` is a red line and never changes.
    pub acceptance: Vec<Option<u8>>,
    /// How hard it is to move.
    pub firmness: u8,
    /// What it can live with.
    pub fallbacks: Vec<Choice>,
    /// What would move it, by name.
    pub conditions: Vec<String>,
}

impl Stance {
    /// How acceptable an option is; nothing for a red line.
    pub fn of(&self, option: Choice) -> Option<u8> {
        self.acceptance.get(usize::from(option.number) - 1).copied().flatten()
    }

    /// Whether it would vote for it.
    pub fn accepts(&self, option: Choice) -> bool {
        self.of(option).is_some_and(|value| value >= YES)
    }

    /// What it likes best now.
    pub fn best(&self, issue: Issue) -> Choice {
        issue
            .options()
            .max_by_key(|option| (self.of(*option), std::cmp::Reverse(option.number)))
            .unwrap_or(self.preferred)
    }

    /// What these pushes come to: each within its bound, damped by firmness, never past the ends, and never on a red line.
    pub fn moved(&self, role: Role, issue: Issue, push: &Push, reason: impl Into<String>) -> Option<Move> {
        let step = |option: Choice| {
            let value = i32::from(self.of(option)?);
            let push = push.of(option).clamp(-ACCEPTANCE_STEP_MAX, ACCEPTANCE_STEP_MAX);
            // Firmness counts half where the role is asked to come round to something it can live with.
            let eased = push > 0 && self.fallbacks.contains(&option);
            let firmness = i32::from(self.firmness) / if eased { 2 } else { 1 };
            let wanted = push * (200 - firmness) / 200;
            let delta = (value + wanted).clamp(0, 100) - value;
            (delta != 0).then_some((option, delta as i8))
        };
        let acceptance: Vec<(Choice, i8)> = issue.options().filter_map(step).collect();
        let firm = i32::from(self.firmness);
        let firmness = (firm + push.firmness.clamp(-FIRMNESS_STEP_MAX, FIRMNESS_STEP_MAX)).clamp(5, 95) - firm;
        if acceptance.is_empty() && firmness == 0 {
            return None;
        }
        Some(Move { role, issue, acceptance, firmness: firmness as i8, reason: reason.into() })
    }

    pub(super) fn apply(&mut self, made: &Move) {
        for (option, delta) in &made.acceptance {
            if let Some(Some(value)) = self.acceptance.get_mut(usize::from(option.number) - 1) {
                *value = value.saturating_add_signed(*delta).min(100);
            }
        }
        self.firmness = self.firmness.saturating_add_signed(made.firmness).min(100);
    }
}

/// What pulls at a stance before it gives way: hundredths by option, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Push {
    pub options: [i32; 3],
    #[serde(default)]
    pub firmness: i32,
    /// The one speech that pulled most: whose, at what, and how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<(Role, Choice, u32)>,
}

impl Push {
    pub fn of(&self, option: Choice) -> i32 {
        self.options[usize::from(option.number) - 1]
    }

    pub fn join(&mut self, other: &Push) {
        self.options.iter_mut().zip(other.options).for_each(|(own, more)| *own += more);
        self.firmness += other.firmness;
        let strength = |push: &Push| push.most.map(|(_, _, strength)| strength);
        if strength(other) > strength(self) {
            self.most = other.most;
        }
    }

    pub fn add(&mut self, option: Choice, by: i32) {
        self.options[usize::from(option.number) - 1] += by;
    }
}
