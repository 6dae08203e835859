//! The JSON API. Handlers are thin: read the request, ask who is calling, call the write path or look something up.

pub mod accounts;
pub mod advance;
pub mod agents;
pub mod authors;
pub mod cases;
pub mod corpus;
pub mod economy;
pub mod games;
pub mod market;
pub mod minds;
pub mod packs;
pub mod php;
pub mod record;
pub mod seats;
pub mod streams;
pub mod system;
pub mod thrones;
pub mod treasury;
pub mod trolley;
