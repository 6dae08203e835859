//! The laws, on the Mercury Game.

use engine::laws;
use games::mercury::Mercury;
use serde_json::json;

#[test]
fn a_thousand_random_meetings_replay_to_the_byte_and_refusals_change_nothing() {
    for number in 0..1_000 {
        let options = json!({"lang": if number % 2 == 0 { "en" } else { "ko" }, "helper": number % 3 == 0});
        laws::replay::<Mercury>(number, &options, 9).unwrap_or_else(|broken| panic!("meeting {number}: {broken}"));
    }
}

#[test]
fn two_hundred_meetings_show_nobody_else_a_word_of_a_private_talk() {
    for number in 0..200 {
        laws::non_interference::<Mercury>(number, &json!({}), 9)
            .unwrap_or_else(|broken| panic!("meeting {number}: {broken}"));
    }
}
