//! The server's integration tests: one binary, real HTTP, real files, a real browser.

mod accounts;
mod agents;
mod bad_input;
mod browser;
mod browser_account;
mod browser_escape;
mod browser_mercury;
mod browser_play;
mod browser_seats;
mod browser_shots;
mod browser_trial;
mod crash;
mod durability;
mod gallery;
mod matchmaking;
mod mercury_api;
mod operations;
mod program;
mod seats;
mod standings;
mod streams;
mod tamper;
mod tidy;
mod trial_api;
mod trolley_api;
mod world;
