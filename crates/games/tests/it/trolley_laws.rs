//! The laws that every kind obeys, checked on the trolley.

use engine::laws::{self, Played};
use engine::rules::Rules as _;
use games::trolley::Trolley;
use serde_json::json;

#[test]
fn ten_thousand_random_games_replay_to_the_byte_and_refusals_change_nothing() {
    for number in 0..10_000 {
        let seats = 3 + (number % 6) as usize;
        laws::replay::<Trolley>(number, &json!({}), seats).unwrap_or_else(|broken| panic!("game {number}: {broken}"));
    }
}

#[test]
fn games_of_3_to_50_players_end_in_exactly_n_rounds_with_everyone_covered() {
    for seats in 3..=50 {
        let played = laws::replay::<Trolley>(seats as u64, &json!({}), seats).expect("the laws hold");
        let state = played.game.state().expect("started");
        assert!(Trolley::is_over(state));
        assert_eq!(state.resolved as usize, seats);
        assert!(state.is_covered(), "{seats} players");
    }
}

#[test]
fn before_round_n_nobody_is_done() {
    for seats in 3..=50 {
        let mut played = Played::<Trolley>::start(seats as u64, &json!({}), seats).expect("starts");
        let mut draw = engine::chance::Draw::from_number(1);
        laws::play(&mut played, &mut draw, |played| {
            let state = played.game.state().ok_or("started")?;
            let done = state.is_covered();
            if done == (state.resolved as usize == seats) { Ok(()) } else { Err(format!("round {}", state.resolved)) }
        })
        .expect("covered in round n and not before");
    }
}

#[test]
fn five_hundred_games_show_no_viewer_what_it_may_not_see() {
    for number in 0..500 {
        let seats = 3 + (number % 6) as usize;
        laws::non_interference::<Trolley>(number, &json!({}), seats)
            .unwrap_or_else(|broken| panic!("game {number}: {broken}"));
    }
}
