//! The machine under every argument game: pure, deterministic, without IO, clock or global chance.
//!
//! A kind of game implements [`rules::Rules`]; [`game::Game`] plays it; [`erased`] forgets which kind it is; [`laws`] checks what must hold
//! of every kind.

pub mod chain;
pub mod chance;
pub mod classify;
pub mod erased;
pub mod facts;
pub mod game;
pub mod id;
pub mod influence;
pub mod laws;
pub mod needs;
pub mod parts;
pub mod rates;
pub mod reference;
pub mod roster;
pub mod rules;
mod table;
pub mod time;
