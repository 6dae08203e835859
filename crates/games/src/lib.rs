//! The kinds of game. Each folder is one kind, with the same files in each; [`catalog`] is the closed set of them.

pub mod catalog;
pub mod docket;
mod lines;
pub mod listening;
pub mod mercury;
pub mod names;
pub mod speech;
pub mod trial;
pub mod tribunal;
pub mod trolley;
