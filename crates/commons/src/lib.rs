//! What players make together across games, as pure values: the corpus of arguments and defences.

pub mod corpus;
