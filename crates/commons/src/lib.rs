//! What players make together across games, as pure values: the corpus of arguments and defences, and the ledger of what is paid
//! for them.

pub mod corpus;
pub mod ledger;
