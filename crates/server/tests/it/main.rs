//! The server's integration tests: one binary, real HTTP, real files.

mod seats;
mod seed_sequence;
mod world;
