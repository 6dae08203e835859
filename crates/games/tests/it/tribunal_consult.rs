//! Looking into the archive instead of attacking.

use crate::tribunal_rules::{
    ACCUSED, BENCH, PROSECUTOR, code, court, court_with, exchange, heard, refused, rule, send, state, view,
};
use engine::facts::Fact;
use engine::id::{Seat, Seq};
use engine::laws::Played;
use engine::rules::{Actor, Viewer};
use games::tribunal::{Phase, Tribunal, Verdict};
use serde_json::{Value, json};

const OWN: Viewer = Viewer::Seat(Seat(1));
const OTHERS: [Viewer; 3] = [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(2))];

/// A look into the archive for attacks on a character, which finds this many.
pub fn consult(character: &str, found: usize) -> Value {
    let found = (1..=found).map(|number| {
        json!({
            "arg_hash": format!("hash{number}"), "text": format!("ARCHIVED words of attack {number}."),
            "label": format!("HIDDEN label {number}"), "effectiveness_e4": 6250, "uses": number, "worked": 1,
        })
    });
    json!({"type": "consult", "character_id": character, "found": found.collect::<Vec<_>>()})
}

fn channels(played: &Played<Tribunal>, viewer: Viewer) -> String {
    String::from_utf8(played.channels(viewer)).expect("text")
}

#[test]
fn a_look_uses_up_the_exchange_and_moves_nobody() {
    let mut played = court_with(1, &json!({"case_id": "john_law", "exchanges": 3}));
    exchange(&mut played, &rule(2));
    let before = state(&played).clone();
    send(&mut played, PROSECUTOR, &consult("orleans", 3));
    let after = state(&played);
    assert_eq!((after.jurors, after.ia, &after.closed), (before.jurors, before.ia, &before.closed));
    assert_eq!((after.exchange(), &after.phase), (3, &Phase::Attack));
    let names: Vec<&str> = played.log.iter().rev().take(3).map(|row| row.name).collect();
    assert_eq!(names, ["exchange_closed", "noted", "consulted"]);
    let log = &view(&played, Viewer::Spectator)["exchanges_log"];
    assert_eq!(log.as_array().expect("a list").len(), 2);
    let expected = json!({
        "exchange": 2, "character_id": "orleans", "label": "", "consulted": true, "argument": null, "answer": null,
        "ruling": null, "burden": null, "total_shift": 0, "moved": [], "ia_change": 0,
    });
    assert_eq!(log[1], expected);
    assert_eq!((&log[0]["exchange"], &log[0]["consulted"]), (&json!(1), &json!(false)));
}

#[test]
fn exchanges_after_a_look_keep_their_numbers_and_the_last_look_ends_the_trial() {
    let mut played = court_with(1, &json!({"case_id": "john_law", "exchanges": 3}));
    send(&mut played, PROSECUTOR, &consult("law", 1));
    exchange(&mut played, &rule(2));
    let seen = view(&played, Viewer::Spectator);
    assert_eq!((&seen["exchange"], &seen["exchanges_log"][1]["exchange"]), (&json!(3), &json!(2)));
    assert_eq!(seen["exchanges_log"][1]["total_shift"], 2);
    send(&mut played, PROSECUTOR, &consult("law", 1));
    assert!(matches!(state(&played).phase, Phase::End(Verdict::Hung)));
    let result = played.game.result().expect("over");
    assert_eq!((&result["exchanges"], &result["verdict"]), (&json!(3), &json!("HUNG")));
    assert_eq!(view(&played, OWN)["exchange"], 3);
    assert_eq!(code(&mut played, PROSECUTOR, &consult("law", 1)), "GAME_OVER");
}

#[test]
fn only_the_prosecutor_reads_what_the_archive_showed_in_open_trials_too_and_for_ever() {
    for open in [false, true] {
        let mut played = court_with(4, &json!({"case_id": "john_law", "exchanges": 2, "open": open}));
        send(&mut played, PROSECUTOR, &consult("law", 2));
        for ended in [false, true] {
            if ended {
                exchange(&mut played, &rule(0));
            }
            for viewer in OTHERS {
                let seen = channels(&played, viewer);
                for secret in ["ARCHIVED", "HIDDEN", "hash1", "6250", "0.625"] {
                    assert!(!seen.contains(secret), "{viewer:?} {open} {ended}: {secret}");
                }
                assert!(seen.contains("consulted"), "but that it was asked: {viewer:?}");
            }
            assert!(channels(&played, OWN).contains("ARCHIVED words of attack 2."));
        }
        assert_eq!(played.game.status(), "completed");
    }
}

#[test]
fn the_prosecutor_is_consulting_until_it_does_something_else() {
    let mut played = court(1);
    assert_eq!(view(&played, OWN)["turn_state"], "arguing");
    send(&mut played, PROSECUTOR, &consult("law", 1));
    let own = view(&played, OWN);
    assert_eq!((&own["turn_state"], &own["turnState"]), (&json!("consulting"), &json!("consulting")));
    let expected = json!([{
        "arg_hash": "hash1", "text": "ARCHIVED words of attack 1.", "label": "HIDDEN label 1", "effectiveness": 0.625,
        "uses": 1, "worked": 1,
    }]);
    assert_eq!(own["consulted"], expected);
    for viewer in OTHERS {
        let seen = view(&played, viewer);
        assert_eq!((&seen["turn_state"], &seen["consulted"]), (&json!("arguing"), &json!([])), "{viewer:?}");
    }
    heard(&mut played);
    let own = view(&played, OWN);
    assert_eq!((&own["turn_state"], &own["consulted"]), (&json!("ruling"), &json!([])));
    send(&mut played, BENCH, &rule(0));
    assert_eq!(view(&played, OWN)["turn_state"], "arguing", "the next exchange is none of the archive's");
}

#[test]
fn with_nothing_found_it_is_refused_and_still_ones_turn() {
    let mut played = court(1);
    let before = played.game.snapshot();
    let nothing = refused(&mut played, PROSECUTOR, &consult("law", 0));
    assert_eq!(nothing.code, "NOTHING_TO_CONSULT");
    assert!(nothing.sentence.contains("John Law") && nothing.sentence.contains("nothing is paid"), "{nothing:?}");
    assert_eq!(
        code(&mut played, PROSECUTOR, &json!({"type": "consult", "character_id": "law"})),
        "NOTHING_TO_CONSULT",
        "so it is if nobody looked"
    );
    assert_eq!(played.game.snapshot(), before);
}

#[test]
fn nobody_looks_into_the_archive_out_of_turn_or_in_another_role() {
    let mut played = court(1);
    for who in [BENCH, ACCUSED] {
        assert_eq!(code(&mut played, who, &consult("law", 1)), "NOT_YOUR_TURN");
    }
    assert_eq!(code(&mut played, Actor::Host, &consult("law", 1)), "NOT_SEATED");
    assert_eq!(code(&mut played, PROSECUTOR, &consult("nobody", 1)), "UNKNOWN_CHARACTER");
    assert_eq!(code(&mut played, PROSECUTOR, &consult("law", 4)), "INVALID_BODY");
    let mut long = consult("law", 1);
    long["found"][0]["text"] = "x".repeat(601).into();
    assert_eq!(code(&mut played, PROSECUTOR, &long), "INVALID_BODY");
    let mut wrong = consult("law", 1);
    wrong["found"] = json!("everything");
    assert_eq!(code(&mut played, PROSECUTOR, &wrong), "INVALID_BODY");
    heard(&mut played);
    assert_eq!(code(&mut played, PROSECUTOR, &consult("law", 1)), "NOT_YOUR_TURN");
    assert_eq!(code(&mut played, BENCH, &consult("law", 1)), "WRONG_ACTION");
}

#[test]
fn it_is_never_announced_for_nobody_knows_whether_it_can_be_paid() {
    let mut played = court(1);
    let announced = |played: &Played<Tribunal>| format!("{:?} {}", played.game.turns(), view(played, OWN)["self"]);
    assert!(!announced(&played).contains("consult"));
    send(&mut played, PROSECUTOR, &consult("law", 1));
    assert!(!announced(&played).contains("consult"));
}

#[test]
fn it_teaches_what_was_paid_and_shown_and_weighs_no_attack_again() {
    let mut played = court(1);
    exchange(&mut played, &rule(3));
    let before: usize = played.log.iter().map(|row| row.facts.len()).sum();
    send(&mut played, PROSECUTOR, &consult("law", 2));
    let told: Vec<(Seq, Fact)> = played
        .log
        .iter()
        .flat_map(|row| row.facts.iter().map(|fact| (row.mark.seq, fact.clone())))
        .skip(before)
        .collect();
    let hashes = vec!["hash1".to_owned(), "hash2".to_owned()];
    let looked = state(&played).consulted[0].event;
    assert_eq!(told, [(looked, Fact::Shown { by: Seat(1), price: 15, hashes, case_id: "john_law".into() })]);
}

#[test]
fn the_doors_may_still_be_opened_after_a_look_and_a_house_mind_never_looks() {
    let mut played = court(1);
    send(&mut played, PROSECUTOR, &consult("law", 1));
    assert_eq!(played.game.mind(Seat(1), &played.said())["type"], "argue");
    send(&mut played, PROSECUTOR, &json!({"type": "open_trial"}));
    assert!(state(&played).open, "nothing was argued yet");
}
