//! Moot's server: HTTP, pages, minds and the command line. Modules stand in layers: each uses only those listed before it, which a test
//! checks.

pub mod settings;

pub mod locale;

pub mod problem;

pub mod play;

pub mod http;

pub mod corpus;

pub mod minds;

pub mod api;

pub mod pages;

pub mod routes;

pub mod bench;
pub mod briefs;
pub mod cli;
