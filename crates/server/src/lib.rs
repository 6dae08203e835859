//! Moot's server: the only place with IO. Store, write path, API, pages, minds and command line.

pub mod api;
pub mod auth;
pub mod bench;
pub mod briefs;
pub mod cli;
pub mod consult;
pub mod corpus;
pub mod edge;
pub mod house;
pub mod intern;
pub mod journal;
pub mod kinds;
pub mod live;
pub mod matchmaking;
pub mod minds;
pub mod nightly;
pub mod owners;
pub mod packs;
pub mod pages;
pub mod play;
pub mod problem;
pub mod routes;
pub mod screening;
pub mod store;
pub mod treasury;
pub mod watch;
