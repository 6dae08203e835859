//! Plain values that kinds are built from.

pub mod field;
pub mod lines;
pub mod seatset;
pub mod shingles;
pub mod text;
pub mod transcript;
pub mod twins;
