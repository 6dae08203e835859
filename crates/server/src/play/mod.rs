//! Playing: the write path, games in memory, watching, and finding a table.

mod change;
mod commit;
pub mod credentials;
pub mod disk;
pub mod house;
pub mod influence;
pub mod journal;
pub mod limits;
pub mod live;
pub mod matchmaking;
pub mod needs;
pub mod records;
pub mod seats;

pub use change::{Decided, Plan, act, change, change_knowing, found, offered, pick, refusal};
pub use commit::commit;
pub use house::House;
