//! What the server does about what is remembered across games: looking things up, selling, moderating, working figures out.

pub mod dockets;
pub mod nightly;
pub mod owners;
pub mod packs;
pub mod screening;
pub mod treasury;
