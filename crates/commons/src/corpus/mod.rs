//! The corpus: every argument used and every defense given, in one place, with what came of it.

pub mod credit;
pub mod effectiveness;
pub mod hash;
pub mod label;
pub mod lesson;
pub mod moderation;
pub mod novelty;
pub mod similarity;
pub mod stats;
