//! Pages of people: signing in, accounts, what they have, and who stands where.

pub(super) mod accounts;
pub mod forms;
pub mod purse;
pub mod standings;
