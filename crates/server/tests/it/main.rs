//! The server's integration tests: one binary, real HTTP, real files.

mod browser;
mod browser_account;
mod browser_escape;
mod browser_play;
mod browser_seats;
mod browser_shots;
mod world;
