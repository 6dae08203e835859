//! The terms of the economy, in one table: what things cost, what is paid for them, and the limits. Whole IA.

/// What a new account is given, as a bonus.
pub const WELCOME_IA: u64 = 100;
/// The most that is granted at once.
pub const GRANT_IA_MAX: u64 = 1_000_000;
/// The most that an account can earn in play in one day.
pub const EARNED_A_DAY_MAX: u64 = 300;

/// The most that an account can earn in play in one hour: no player argues faster than that.
pub const EARNED_AN_HOUR_MAX: u64 = 100;

/// Games between two accounts count for figures, prices and titles only if both are at least this old.
pub const YOUNG_DAYS: u64 = 7;
/// How many games of the same two accounts count within [`MEETING_DAYS`].
pub const MEETINGS_COUNTED_MAX: u64 = 2;
pub const MEETING_DAYS: u64 = 30;
/// At how many tables of a kind matchmaking seats the same two within a day.
pub const MEETINGS_A_DAY_MAX: u64 = 3;

/// The least that a text costs, and how much more a perfect one does.
pub const TEXT_IA_MIN: u64 = 5;
pub const TEXT_IA_MORE: u64 = 20;
/// What a pack costs unless its curator says otherwise.
pub const PACK_IA: u64 = 50;
/// The most a pack may cost.
pub const PACK_IA_MAX: u64 = 1_000;

/// The authors' share of what is paid for a text, in percent of the part that was not bonus.
pub const TEXT_SHARE: u64 = 40;
/// The authors' share of what is paid for a pack, all of them together.
pub const PACK_SHARE: u64 = 50;
/// The most that one argument, with all its variants, pays one champion.
pub const CAP_IA: u64 = 1_000;
/// For how many purchases by one buyer in one day one author is paid, so that friends who buy from each other all day gain nothing.
pub const PAID_A_DAY_BY_ONE_BUYER_MAX: u64 = 10;

/// Below this effectiveness, in ten-thousandths, a title can be taken.
pub const FALLEN_E4: i64 = 3_000;
/// The challenger must be above this to take it.
pub const RISEN_E4: i64 = 7_000;
/// How often the challenger must have been used against it.
pub const CHALLENGE_USES_MIN: u64 = 5;
/// Against how many different opponents, at least.
pub const CHALLENGE_OPPONENTS_MIN: u64 = 3;

/// The most defenses in a pack. Once there are this many, the house makes one by itself.
pub const PACK_SIZE: usize = 20;
/// The house makes the next edition when fewer than this many of the current best are in the last one.
pub const PACK_SAME_MIN: usize = PACK_SIZE / 2;
/// Most listings of one account, including those that wait for moderation.
pub const LISTINGS_MAX: u64 = 500;
/// Most agents of one account.
pub const AGENTS_MAX: u64 = 50;
