//! The laws that every kind obeys, checked on the trial.

use engine::laws::{self, Played};
use engine::rules::{Rules as _, Viewer};
use games::trial::Trial;
use serde_json::json;

#[test]
fn ten_thousand_random_trials_replay_to_the_byte_and_refusals_change_nothing() {
    for number in 0..10_000 {
        let lang = if number % 2 == 0 { "en" } else { "ko" };
        let played = laws::replay::<Trial>(number, &json!({"lang": lang}), 6)
            .unwrap_or_else(|broken| panic!("trial {number}: {broken}"));
        assert!(Trial::is_over(played.game.state().expect("started")));
    }
}

#[test]
fn five_hundred_trials_show_no_viewer_a_vote_before_the_count() {
    for number in 0..500 {
        laws::non_interference::<Trial>(number, &json!({}), 6)
            .unwrap_or_else(|broken| panic!("trial {number}: {broken}"));
    }
}

#[test]
fn before_the_third_vote_two_worlds_that_differ_in_a_vote_are_the_same_bytes_to_everybody_else() {
    for juror in 0..3 {
        let worlds = ["GUILTY", "NOT_GUILTY"].map(|verdict| {
            let mut played = super::trial_rules::at_the_vote(7);
            let voter = super::trial_rules::jurors(&played)[juror];
            played.send(voter, &json!({"type": "vote", "verdict": verdict})).expect("accepted");
            (played, voter)
        });
        let viewers = [Viewer::Spectator].into_iter().chain((0..6).map(|seat| Viewer::Seat(engine::id::Seat(seat))));
        // Including the voter: a sealed vote is shown to nobody, not even to the juror who cast it.
        for viewer in viewers {
            let bytes = |played: &Played<Trial>| String::from_utf8_lossy(&played.channels(viewer)).into_owned();
            assert_eq!(bytes(&worlds[0].0), bytes(&worlds[1].0), "{viewer:?}");
        }
    }
}
