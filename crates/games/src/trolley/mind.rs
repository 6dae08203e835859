//! house mind
use super::Trolley;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::transcript::Entry;
use engine::rules::MindKey;
use serde_json::{Value, json};

pub(super) fn speak(_hall: &Hall<'_, Trolley>, _said: &[Entry], _seat: Seat, mut _key: MindKey) -> Value {
    json!({})
}
/// x
pub fn house_names() {}
