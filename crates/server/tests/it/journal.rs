//! Who acted, according to the server's log, and by which event of the seed.

use crate::mercury_api::Meeting;
use crate::world::{Game, Program, TempDir, debate, decide, open_game, text};
use engine::erased::AnyGame;
use engine::id::{Seat, Seq};
use engine::laws::Played;
use engine::rules::{Actor, Rules};
use games::mercury::{Mercury, Role};
use games::trial::{self, Trial};
use games::trolley::Trolley;
use moot::play::journal::MindFailed;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The most events that a meeting takes.
const EVENTS_MAX: usize = 400;
const PARTNER: &str = "CHN";

/// The lines of a log that tell of changes of status.
fn changes_in(log: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("every line is JSON"));
    lines.filter(|line| line["type"] == "transition").collect()
}

/// The changes of status in a log, as from, to and actor.
fn transitions(log: &str) -> Vec<(String, String, String)> {
    let changes = changes_in(log).into_iter();
    let word = |line: &Value, name: &str| text(&line[name]).to_owned();
    changes.map(|line| (word(&line, "from"), word(&line, "to"), word(&line, "actor"))).collect()
}

fn actors<'a>(changes: &'a [(String, String, String)], from: &str, to: &str) -> Vec<&'a str> {
    changes.iter().filter(|(a, b, _)| (a.as_str(), b.as_str()) == (from, to)).map(|(_, _, actor)| &**actor).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_meeting_names_who_acted_by_the_events_of_the_seed_and_checkpoints_that_are_there() {
    let dir = TempDir::new();
    let server = Program::serve(dir.path(), &[]);
    let made = server.api.post("/api/games", &json!({"game_type": "mercury", "seed": "log"})).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let meeting = Meeting { player: server.api.with(text(&made["player_token"])), game };
    let mut state = meeting.state().await;
    let (mut openers, mut closers) = (Value::Null, vec![]);
    for _ in 0..EVENTS_MAX {
        match text(&state["status"]) {
            "REVIEW" => break,
            "ROUND_1_OPENING_STATEMENTS" => openers = state["round1"]["speaker_order"].clone(),
            "ISSUE_DEBATE_ROUND_1" => {
                let issue = &state["round3"]["active_issue"];
                let last = issue["debate_queue"].as_array().and_then(|queue| queue.last()).cloned();
                if issue["debate_cursor"] == 0 {
                    closers.push(last.expect("somebody speaks"));
                }
            }
            _ => {}
        }
        state = if state["allowed_events"][0] == "CONVO_1_SELECTED" {
            // The player speaks first, so that the partner's last words end the talk.
            meeting.advance("CONVO_1_SELECTED", json!({"partner_role_id": PARTNER})).await.ok()["state"].clone()
        } else {
            meeting.step(&state, "CAN", "What would finance in the mandate change for you?").await
        };
    }
    assert_eq!(state["status"], "REVIEW");
    let changes = transitions(&server.journal());
    let last_opener = openers.as_array().and_then(|order| order.last()).map(text).expect("nine opened");
    assert_eq!(actors(&changes, "ROUND_1_OPENING_STATEMENTS", "ROUND_2_SETUP"), [last_opener]);
    let speakers: Vec<&str> = closers.iter().map(text).collect();
    assert_eq!(actors(&changes, "ISSUE_DEBATE_ROUND_1", "ISSUE_DEBATE_ROUND_2"), speakers);
    assert_eq!(actors(&changes, "ISSUE_VOTE", "ISSUE_RESOLUTION"), ["USA"; 4], "the last to be called");
    assert_eq!(actors(&changes, "ROUND_2_SETUP", "ROUND_2_SELECT_CONVO_1"), ["SYSTEM"]);
    let player = text(&state["human_role_id"]);
    assert_eq!(actors(&changes, "ROLE_SELECTION", "ROUND_1_SETUP"), [player]);
    assert_eq!(actors(&changes, "ROUND_2_SELECT_CONVO_1", "ROUND_2_CONVERSATION_ACTIVE"), [player]);
    assert_eq!(actors(&changes, "ROUND_2_CONVERSATION_ACTIVE", "ROUND_2_SELECT_CONVO_2"), [PARTNER], "it spoke last");
    let known = |actor: &str| actor == "SYSTEM" || Role::named(actor).is_some();
    assert!(changes.iter().all(|(_, _, actor)| known(actor)), "{changes:?}");

    let log = server.journal();
    let events: BTreeSet<String> = changes_in(&log).iter().map(|line| text(&line["event"]).to_owned()).collect();
    for event in [
        "ROLE_CONFIRMED",
        "ROUND_1_READY",
        "ROUND_1_STEP",
        "ROUND_2_READY",
        "CONVO_1_SELECTED",
        "CONVO_MESSAGE",
        "ROUND_2_WRAP_READY",
        "ROUND_3_START_ISSUE",
        "ISSUE_INTRO_CONTINUE",
        "ISSUE_DEBATE_STEP",
        "ISSUE_RESOLUTION_CONTINUE",
    ] {
        assert!(events.contains(event), "{event}: {events:?}");
    }
    let db = rusqlite::Connection::open(dir.path().join("moot.db")).expect("it can be read beside the server");
    let known: BTreeSet<String> = db
        .prepare("select checkpoint_id from checkpoint_ids")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .expect("checkpoints have ids");
    for line in changes_in(&log) {
        assert!(known.contains(text(&line["checkpoint_id"])), "{line}");
    }
    // Each event makes one commit, and no commit completes two turns.
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("it counts");
    let turns = count(
        "select count(*) from transcript_entries where name in ('opening', 'talk', 'debate', 'debate_skipped', 'voted')",
    );
    assert!(turns > 100 && known.len() as i64 >= turns, "{turns} turns, {} checkpoints", known.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_a_trolley_names_who_stood_where_when_it_happened() {
    let dir = TempDir::new();
    let server = Program::serve(dir.path(), &[]);
    let game = open_game(&server.api, 3).await;
    debate(&server.api, &game).await;
    decide(&server.api, &game, "save_majority").await;
    let changes = transitions(&server.journal());
    assert_eq!(actors(&changes, "ready_to_start", "round_phase_1"), ["SYSTEM"]);
    assert_eq!(actors(&changes, "awaiting_operator_decision", "round_resolved"), ["operator"]);
    for (from, to) in [("round_phase_1", "round_phase_2"), ("round_phase_3", "awaiting_operator_decision")] {
        let [actor] = actors(&changes, from, to)[..] else { panic!("once: {changes:?}") };
        assert!(["majority", "minority"].contains(&actor), "{from} to {to}: {actor}");
    }
}

fn failed_as<R: Rules>(played: &Played<R>, seat: Seat) -> Value {
    let failed = MindFailed { seat, code: "AI_EMPTY", attempt: 2, checkpoint: Some(Seq(7)), answered: None };
    let line = failed.line(&played.game);
    assert_eq!(
        (&line["type"], &line["error_code"], &line["attempt"]),
        (&json!("error"), &json!("AI_EMPTY"), &json!(2))
    );
    assert_eq!(line["status"], AnyGame::status(&played.game));
    line["actor_role_id"].clone()
}

#[test]
fn a_mind_that_failed_is_logged_by_its_role_in_private_too() {
    let mut meeting = Played::<Mercury>::start(5, &json!({}), 9).expect("starts");
    assert_eq!(failed_as(&meeting, Seat(0)), "SYSTEM", "the player has not chosen yet");
    let player = Actor::Seat(Seat(0));
    let mut send = |body: Value| meeting.send(player, &body).expect("it is the player's to send");
    send(json!({"type": "ROLE_CONFIRMED", "human_role_id": "EU"}));
    send(json!({"type": "ROUND_1_READY"}));
    (0..9).for_each(|_| send(json!({"type": "ROUND_1_STEP"})));
    send(json!({"type": "ROUND_2_READY"}));
    send(json!({"type": "CONVO_1_SELECTED", "partner_role_id": PARTNER}));
    send(json!({"type": "CONVO_MESSAGE", "content": "Shall we?"}));
    let partner = meeting.game.state().expect("started").seat(Role::Chn);
    assert_eq!(failed_as(&meeting, partner), "CHN", "the log is the operator's");
    assert_eq!(failed_as(&meeting, Seat(0)), "EU");
}

#[test]
fn a_mind_in_court_or_on_the_track_is_logged_by_its_role() {
    let court = Played::<Trial>::start(1, &json!({}), 6).expect("six sit");
    for role in [trial::Role::Prosecutor, trial::Role::Defense, trial::Role::Judge, trial::Role::Juror] {
        let seat = court.game.state().and_then(|state| state.seat_of(role)).expect("every role is dealt");
        assert_eq!(failed_as(&court, seat), role.word());
    }
    let track = Played::<Trolley>::start(1, &json!({}), 3).expect("three sit");
    let state = track.game.state().expect("started");
    assert_eq!(failed_as(&track, state.roles.operator), "operator");
    let many = state.roles.majority.iter().next().expect("somebody stands there");
    assert_eq!(failed_as(&track, many), "majority");
}
