//! One ear for all kinds: what a speech says, as values. Pure; integers only while a game is played.
//!
//! A text becomes features ([`engine::classify`]), linear models learned from examples ([`lessons`]) score them for every point of a
//! case, clause by clause ([`clauses`]), its figures are checked against the file ([`record`]), and the result is a [`Reading`].

pub mod clauses;
mod ear;
pub mod lessons;
pub(crate) mod library;
mod reading;
mod record;
pub mod school;
mod terms;

pub use ear::{AtLength, Ear, Taught};
pub use library::{Bytes, GRAMMAR_MODELS, OwnModels, Subject, ear_from};
pub use reading::{Heard, Language, Manner, Novelty, Reading, Side, Stance, Support};
pub use record::Record;
