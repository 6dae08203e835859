//! What every request passes, and what is taken off it.

pub mod auth;
pub mod edge;
pub mod extract;
