//! Recorded logs that are kept for ever: what an old version wrote must replay with every later one.

use engine::chain::Hash;
use engine::chance::Seed;
use engine::game::{Corrupt, Game, Logged, Progress};
use engine::id::{GameId, Seq};
use engine::laws::Played;
use engine::parts::transcript::Entry;
use engine::rules::{Actor, Mark, Rules};
use engine::time::Timestamp;
use games::mercury::Mercury;
use games::trial::Trial;
use games::tribunal::Tribunal;
use games::trolley::Trolley;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The first line of a recorded log.
#[derive(Serialize, Deserialize)]
struct Header {
    game_id: GameId,
    seed: Seed,
}

/// A row of it; the body keeps its exact bytes.
#[derive(Serialize, Deserialize)]
struct Row {
    seq: Seq,
    at: Timestamp,
    hash: Hash,
    body: Box<RawValue>,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct Footer {
    snapshot: Box<RawValue>,
}

/// Records a game if `MOOT_RECORD=1` is set.
pub fn record<R: Rules>(file: &str, make: impl FnOnce() -> (Game<R>, Seed, Vec<Logged>)) {
    if std::env::var("MOOT_RECORD").is_ok_and(|wish| wish == "1") {
        let (game, seed, log) = make();
        std::fs::write(path(file), written(&game, seed, &log)).expect("tests/recorded can be written");
    }
}

fn path(file: &str) -> String {
    format!("{}/tests/recorded/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn written<R: Rules>(game: &Game<R>, seed: Seed, log: &[Logged]) -> String {
    let raw = |bytes: &[u8]| {
        RawValue::from_string(String::from_utf8(bytes.to_vec()).expect("JSON is text")).expect("JSON is valid")
    };
    let line = |value: Result<String, serde_json::Error>| value.expect("it serialises") + "\n";
    let mut text = line(serde_json::to_string(&Header { game_id: game.id, seed }));
    for row in log {
        let Mark { seq, at } = row.mark;
        text += &line(serde_json::to_string(&Row { seq, at, hash: row.hash, body: raw(&row.body) }));
    }
    text + &line(serde_json::to_string(&Footer { snapshot: raw(&game.snapshot()) }))
}

/// Replays a recorded log to its end, and checks that it is refused with a row missing, under another version, or with `forged` changed.
pub fn replays_for_ever<R: Rules>(file: &str, forged: (&str, &str)) -> Game<R> {
    let text = std::fs::read_to_string(path(file)).expect("the recorded log is committed");
    let lines: Vec<&str> = text.lines().collect();
    let [header, first, rows @ .., footer] = &lines[..] else { panic!("a header, rows and a snapshot") };
    let Header { game_id, seed } = serde_json::from_str(header).expect("a header");
    let row = |line: &str| serde_json::from_str::<Row>(line).expect("a row");
    let opened = row(first);
    let again = |body: &str| Game::<R>::replay_first(game_id, seed, opened.at, body.as_bytes(), opened.hash);
    let (mut game, _) = again(opened.body.get()).expect("the first row founds the game");
    for line in rows {
        let Row { seq, at, hash, body } = row(line);
        let replayed = game.replay(Mark { seq, at }, body.get().as_bytes().to_vec(), hash);
        replayed.unwrap_or_else(|corrupt| panic!("row {seq}: {corrupt}"));
    }
    let Footer { snapshot } = serde_json::from_str(footer).expect("a snapshot");
    // Old snapshots have another spelling, which a migration of the store changes in the same way.
    let snapshot = snapshot.get().replace("\"defence\":", "\"defense\":");
    assert_eq!(String::from_utf8(game.snapshot()).expect("JSON"), snapshot);

    let (mut cut, _) = again(opened.body.get()).expect("as before");
    let third = row(rows[1]);
    let gap = cut.replay(Mark { seq: third.seq, at: third.at }, third.body.get().as_bytes().to_vec(), third.hash);
    assert_eq!(gap, Err(Corrupt::Gap { expected: Seq(2), found: Seq(3) }), "a missing row is found");
    let foreign = again(&opened.body.get().replace("\"rules\":1", "\"rules\":2")).map(|_| ());
    assert_eq!(foreign, Err(Corrupt::Version { found: 2, known: 1 }), "never reinterpreted");
    assert!(opened.body.get().contains(forged.0));
    let forged = again(&opened.body.get().replace(forged.0, forged.1)).map(|_| ());
    assert_eq!(forged, Err(Corrupt::Hash), "a changed row is found");
    game
}

/// A game that began under models that the program no longer has, and its transcript so far.
fn under_way<R: Rules>(options: &Value, seats: usize) -> (Played<R>, Vec<Entry>) {
    let mut played = Played::<R>::start(11, options, seats).expect("it starts");
    while played.said().iter().filter(|entry| entry.line.text.is_some()).count() < 4 {
        next(&mut played);
    }
    let before = played.said();
    let mut snapshot: Value = serde_json::from_slice(&played.game.snapshot()).expect("JSON");
    snapshot["charter"]["ear"] = json!("0123456789abcdef");
    let seed = Seed::chosen("11");
    played.game = Game::load(played.game.id, seed, snapshot.to_string().as_bytes()).expect("a snapshot");
    (played, before)
}

fn next<R: Rules>(played: &mut Played<R>) {
    let seat = played.game.turns().into_iter().find_map(|turn| match turn.who {
        Actor::Seat(seat) => Some(seat),
        Actor::Host | Actor::Clock => None,
    });
    let (actor, body) = match (seat, played.game.state().and_then(R::alarm)) {
        (Some(seat), _) => (Actor::Seat(seat), played.game.mind(seat, &played.said())),
        (None, Some(alarm)) => (Actor::Clock, alarm.act),
        (None, None) => (Actor::Host, json!({"type": "advance", "action": "next_phase"})),
    };
    played.send(actor, &body).unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence));
}

fn goes_on_under_new_models<R: Rules>(options: &Value, seats: usize) {
    let (mut played, before) = under_way::<R>(options, seats);
    assert!(!played.game.is_heard_as_before());
    assert!(before.iter().all(|entry| played.game.heard(entry).is_none()), "nobody knows any more how it was heard");
    let rows = played.log.len();
    while played.game.progress() != Progress::Over {
        next(&mut played);
    }
    let names: Vec<&str> = played.log[rows..].iter().map(|row| row.name).collect();
    assert_eq!(
        names.iter().position(|name| *name == "rules_changed"),
        Some(0),
        "it is said before anything else: {names:?}"
    );
    assert_eq!(names.iter().filter(|name| **name == "rules_changed").count(), 1, "and once");
    assert!(before.iter().all(|entry| played.game.heard(entry).is_none()), "what was said before is not heard anew");
    let heard = played.said().iter().filter(|entry| played.game.heard(entry).is_some()).count();
    assert!(heard > 0, "what was said since is");
    let again = Game::<R>::load(played.game.id, Seed::chosen("11"), &played.game.snapshot()).expect("a snapshot");
    assert!(again.is_heard_as_before() && before.iter().all(|entry| again.heard(entry).is_none()));
}

#[test]
fn a_game_under_way_goes_on_under_new_models_and_says_so() {
    goes_on_under_new_models::<Trolley>(&json!({}), 6);
    goes_on_under_new_models::<Trial>(&json!({}), 6);
    goes_on_under_new_models::<Tribunal>(&json!({}), 3);
    goes_on_under_new_models::<Mercury>(&json!({}), 9);
}
