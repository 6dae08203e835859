//! The laws, on the Mercury Game.

use engine::game::Progress;
use engine::laws::{self, Played};
use engine::rules::Actor;
use games::mercury::Mercury;
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn random_meetings_replay_to_the_byte_and_refusals_change_nothing() {
    for number in 0..300 {
        let lang = if number % 2 == 0 { "en" } else { "ko" };
        laws::replay::<Mercury>(number, &json!({"lang": lang}), 9)
            .unwrap_or_else(|broken| panic!("meeting {number}: {broken}"));
    }
}

#[test]
fn house_minds_hold_a_meeting() {
    let mut adopted = BTreeMap::new();
    for number in 0..200 {
        let lang = if number % 2 == 0 { "en" } else { "ko" };
        let mut played = Played::<Mercury>::start(number, &json!({"lang": lang}), 9).expect("starts");
        let mut steps = 0;
        while played.game.progress() != Progress::Over {
            let who = played.game.turns()[0].who;
            let Actor::Seat(seat) = who else { panic!("only seats") };
            let body = played.game.mind(seat, &played.said());
            played.send(who, &body).unwrap_or_else(|refused| panic!("{who:?} {body}: {}", refused.sentence));
            steps += 1;
            assert!(steps < 2000);
        }
        let said: Vec<String> =
            played.said().into_iter().filter(|e| e.name != "chair").filter_map(|entry| entry.line.text).collect();
        let different: std::collections::BTreeSet<&String> = said.iter().collect();
        assert_eq!(different.len(), said.len(), "meeting {number}");
        let result = played.game.result().expect("over");
        for issue in result["issues"].as_array().expect("four") {
            *adopted
                .entry(format!("{} {} {}", issue["issue_id"], issue["option_id"], issue["adopted"]))
                .or_insert(0) += 1;
        }
    }
    println!("{adopted:#?}");
}
