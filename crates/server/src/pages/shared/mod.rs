//! What pages of every kind share: the frame, people, the record of what was said, a table's surroundings, moving through a replay.

pub mod error;
pub mod faces;
pub mod frame;
pub mod people;
pub mod record;
pub mod table;
pub mod timeline;
