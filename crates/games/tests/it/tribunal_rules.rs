//! The rules of the Tribunal, as sentences.

use engine::laws::Played;
use engine::rules::Actor;
use games::tribunal::Tribunal;
use serde_json::{Value, json};

/// What the house would send for whoever is awaited.
pub fn mind(played: &Played<Tribunal>, who: Actor) -> Value {
    match who {
        Actor::Seat(seat) => played.game.mind(seat, &played.said()),
        Actor::Clock => json!({"type": "recall"}),
        Actor::Host => panic!("nobody awaits the host"),
    }
}
