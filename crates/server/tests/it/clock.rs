//! The time may be set while games are played: nothing waits by it.

use crate::streams::Events;
use crate::world::{World, create};
use moot::settings::{Clock, Settings};
use serde_json::json;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// A trolley of house minds, played to its end while the clock is set by `steps`, one after the other.
async fn played_through(steps: &[i64]) {
    let clock = Clock::default();
    let world = World::with(Settings { clock: clock.clone(), ..Settings::default() }).await;
    let (api, _) = crate::world::member(&world, "ann").await;
    let game = create(&api, &json!({"game_type": "trolley", "min_players": 3, "pace_ms": 5})).await;
    api.post(&game.path("/fill"), &json!({"seats": 3})).await.ok();
    let mut events = Events::open(&api, &game, "?since=0").await;
    api.post_nothing(&game.path("/start")).await.ok();
    let mut said = 0;
    loop {
        let told = events.next().await.expect("the game goes on").json();
        said += usize::from(told["text"].is_string());
        // Something is said by each time.
        if let Some(step) = steps.get(said / 2) {
            clock.set_ahead(*step);
        }
        if told["type"] == "round_resolved" {
            // Refused after the last round, when the game is over.
            api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await;
        }
        if told["type"] == "game_completed" {
            break;
        }
    }
    assert_eq!(game.state(&api).await["status"], "game_completed");
    world.verify().expect("sound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_minds_play_on_when_the_clock_is_set_back() {
    played_through(&[0, -HOUR_MS, -24 * HOUR_MS]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_minds_play_on_when_the_clock_is_set_forward_and_back() {
    played_through(&[0, 24 * HOUR_MS, 0, HOUR_MS, -HOUR_MS]).await;
}
