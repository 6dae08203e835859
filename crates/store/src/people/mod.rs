//! People: accounts with their sessions, keys and reports, and the agents they have registered.

pub mod accounts;
pub mod agents;
