//! The ledger's rules: what things cost, who is paid, and out of what. Whole IA, no fractions, no debts.

pub mod price;
pub mod purse;
pub mod royalty;
pub mod throne;
