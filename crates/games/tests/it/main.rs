//! The rules of every kind, as sentences, and the laws on each.

mod trolley_laws;
mod trolley_mind;
mod trolley_rules;
