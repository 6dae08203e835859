//! The terms of the economy, in one table: what things cost, what is paid for them, and how much of everything there may be. Whole IA.

/// What a new account is given, as a bonus.
pub const WELCOME_IA: u64 = 100;
/// The most that is granted at once.
pub const GRANT_IA_MAX: u64 = 1_000_000;
/// How much an account earns in play on one day at most.
pub const EARNED_A_DAY_MAX: u64 = 300;

/// The least that a text costs, and how much more a perfect one does.
pub const TEXT_IA_MIN: u64 = 5;
pub const TEXT_IA_MORE: u64 = 20;
/// What a pack costs unless its curator says otherwise.
pub const PACK_IA: u64 = 50;
/// The most a pack may cost.
pub const PACK_IA_MAX: u64 = 1_000;

/// The authors' share of what is paid for a text, in hundredths of what was no bonus.
pub const TEXT_SHARE: u64 = 40;
/// The authors' share of what is paid for a pack, all of them together.
pub const PACK_SHARE: u64 = 50;
/// What one argument, with all its variants, brings one champion at most.
pub const CAP_IA: u64 = 1_000;
/// For how many purchases of one buyer on one day one author is paid: friends who buy from each other all day gain nothing.
pub const PAID_A_DAY_BY_ONE_BUYER_MAX: u64 = 10;

/// Below this effectiveness, in ten-thousandths, a title can be taken.
pub const FALLEN_E4: i64 = 3_000;
/// Above this the challenger takes it.
pub const RISEN_E4: i64 = 7_000;
/// So often the challenger has been used against it at least.
pub const CHALLENGE_USES_MIN: u64 = 5;
/// Against so many different opponents at least.
pub const CHALLENGE_OPPONENTS_MIN: u64 = 3;

/// How many defenses are in a pack at most; with so many the house makes one by itself.
pub const PACK_SIZE: usize = 20;
/// The house makes the next edition when fewer than this many of the present best are in the last one.
pub const PACK_SAME_MIN: usize = PACK_SIZE / 2;
/// Most listings of one account, those that wait included.
pub const LISTINGS_MAX: u64 = 500;
/// Most agents of one account.
pub const AGENTS_MAX: u64 = 50;
