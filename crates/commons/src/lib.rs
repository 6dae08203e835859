//! What players make together across games, as pure values: the corpus of arguments and defenses, the ledger of what is paid for
//! them, and what their names are taken for.

pub mod corpus;
pub mod ledger;
pub mod names;
pub mod standings;
