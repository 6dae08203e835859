//! The laws that every kind obeys, checked on the Tribunal.

use engine::laws::{self, Played};
use engine::rules::{Rules as _, Viewer};
use games::tribunal::{Phase, Tribunal};
use serde_json::{Value, json};

fn options(number: u64) -> Value {
    let lang = if number.is_multiple_of(2) { "en" } else { "ko" };
    json!({"lang": lang, "open": number.is_multiple_of(3), "exchanges": number % 8 + 1})
}

#[test]
fn a_thousand_random_trials_replay_to_the_byte_and_refusals_change_nothing() {
    let mut ends = std::collections::BTreeMap::new();
    for number in 0..1_000 {
        let played = laws::replay::<Tribunal>(number, &options(number), 3)
            .unwrap_or_else(|broken| panic!("trial {number}: {broken}"));
        let Phase::End(verdict) = played.game.state().expect("started").phase else { panic!("trial {number} goes on") };
        *ends.entry(verdict).or_insert(0) += 1;
    }
    assert!(ends.len() == 3 && ends.values().all(|count| *count > 50), "random play comes to every end: {ends:?}");
}

#[test]
fn three_hundred_closed_trials_tell_a_spectator_no_word_and_nobody_what_is_remembered() {
    for number in 0..300 {
        laws::non_interference::<Tribunal>(number, &json!({"exchanges": 3}), 3)
            .unwrap_or_else(|broken| panic!("trial {number}: {broken}"));
    }
}

#[test]
fn what_the_archive_showed_stays_the_prosecutors_in_an_open_trial_too() {
    let mut looks = 0;
    for number in 0..150 {
        laws::non_interference::<Tribunal>(number, &json!({"exchanges": 3, "open": true}), 3)
            .unwrap_or_else(|broken| panic!("trial {number}: {broken}"));
        let played = laws::replay::<Tribunal>(number, &json!({"exchanges": 3, "open": true}), 3).expect("plays");
        looks += played.game.state().expect("started").consulted.len();
    }
    assert!(looks > 50, "random play looks into the archive: {looks}");
}

#[test]
fn an_open_trial_tells_a_spectator_every_word_and_a_closed_one_none() {
    for open in [true, false] {
        let play = |number| laws::replay::<Tribunal>(number, &json!({"open": open, "exchanges": 8}), 3).expect("plays");
        // A random prosecutor may open a closed trial on the way, or spend it in the archive.
        let is_talk =
            |played: &Played<Tribunal>| played.game.state().expect("started").open == open && words(played).len() > 12;
        let played = (5..60).map(play).find(is_talk).expect("some stay as they were and are full of words");
        let spectator = String::from_utf8(played.channels(Viewer::Spectator)).expect("text");
        for word in words(&played) {
            assert_eq!(spectator.contains(&word), open, "{word}");
        }
    }
}

/// Everything that was said, escaped as inside JSON.
fn words(played: &Played<Tribunal>) -> Vec<String> {
    let field = |row: &Value, name: &str| row["play"][name].as_str().filter(|words| words.len() > 8).map(str::to_owned);
    let rows = played.log.iter().filter_map(|row| serde_json::from_slice::<Value>(&row.body).ok());
    let said = rows.flat_map(|row| ["text", "reasons"].map(|name| field(&row, name)));
    let quoted = |text: String| serde_json::to_string(&text).expect("a string").trim_matches('"').to_owned();
    said.flatten().map(quoted).collect()
}

#[test]
fn a_trial_without_words_for_its_case_is_still_played() {
    // The case is renamed in the snapshot, as if its file had been taken off the docket since.
    let mut played = Played::<Tribunal>::start(3, &json!({"case_id": "john_law"}), 3).expect("starts");
    let rows = played.log.len();
    let body = String::from_utf8(played.log[rows - 1].body.clone()).expect("JSON");
    assert!(body.contains("\"case_id\":\"john_law\""));
    let snapshot = String::from_utf8(played.game.snapshot()).expect("JSON").replace("\"john_law\"", "\"taken_away\"");
    let seed = engine::chance::Seed::chosen("3");
    played.game = engine::game::Game::load(played.game.id, seed, snapshot.as_bytes()).expect("a snapshot reads back");
    while !Tribunal::is_over(played.game.state().expect("started")) {
        let who = played.game.turns()[0].who;
        let act = super::tribunal_rules::mind(&played, who);
        played.send(who, &act).unwrap_or_else(|refused| panic!("{act}: {}", refused.sentence));
    }
    let state = played.game.state().expect("started");
    assert!(state.commitments.is_empty(), "nobody is caught in a claim that nobody knows");
    assert!(state.closed.iter().all(|closed| (0..=1).contains(&closed.shift)));
}
