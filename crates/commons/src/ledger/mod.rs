//! The ledger's rules: what things cost, who is paid and out of what, who may read words, when titles fall. Whole IA, no debts. Facts in,
//! decisions out; [`terms`] has all the numbers.

pub mod meeting;
pub mod owner;
pub mod play;
pub mod price;
pub mod purse;
pub mod quoting;
pub mod reading;
pub mod royalty;
pub mod sale;
pub mod selling;
pub mod terms;
pub mod throne;
pub mod ware;
