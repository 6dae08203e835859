//! Pages about people: signing in, accounts, what they own, and their ratings.

pub(super) mod accounts;
pub mod forms;
pub mod purse;
pub mod standings;
