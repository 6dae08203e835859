//! What every request passes, who is calling, and what handlers read from a request.

pub mod auth;
pub mod edge;
pub mod extract;
pub mod listen;
pub mod watch;
