//! Work on what is remembered across games: looking things up, selling, moderating, computing figures.

pub mod dockets;
pub mod nightly;
pub mod owners;
pub mod packs;
pub mod screening;
pub mod treasury;
