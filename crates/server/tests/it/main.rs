//! The server's integration tests: one binary, real HTTP, real files.

mod bad_input;
mod seats;
mod seed_sequence;
mod streams;
mod world;
