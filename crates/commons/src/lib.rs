//! What players make together across games, as pure values: the corpus of arguments and defenses, the ledger of what is paid for them,
//! standings, and which names count as one.

pub mod corpus;
pub mod ledger;
pub mod names;
pub mod standings;
