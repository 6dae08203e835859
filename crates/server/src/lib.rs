//! Moot's server: the only place with IO. The modules stand in layers, and a test holds their order: each knows only those before it.

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
