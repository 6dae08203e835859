//! Filling scratch databases and running bare loops of the store's own statements, for `moot bench`.

pub mod corpus;
pub mod shop;
pub mod writer;
