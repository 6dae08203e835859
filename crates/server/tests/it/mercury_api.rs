//! A meeting over HTTP: one player's token, every state, and what nobody else may hear.

use crate::trial_api::plain;
use crate::world::{self, Api, Game, Program, TempDir, World, text};
use serde_json::{Value, json};

/// A meeting and its player.
pub struct Meeting {
    pub player: Api,
    pub game: Game,
}

impl Meeting {
    async fn call(world: &World, options: Value) -> Meeting {
        let mut asked = json!({"game_type": "mercury"});
        asked.as_object_mut().expect("an object").extend(options.as_object().expect("an object").clone());
        let made = world.api.post("/api/games", &asked).await.ok();
        let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
        Meeting { player: world.api.with(text(&made["player_token"])), game }
    }

    pub async fn state(&self) -> Value {
        self.game.state(&self.player).await
    }

    pub async fn advance(&self, event: &str, payload: Value) -> crate::world::Reply {
        self.player.post(&self.game.path("/advance"), &json!({"event": event, "payload": payload})).await
    }

    /// Sends the next event of a player who says little, and in private only `secret`.
    pub async fn step(&self, state: &Value, role: &str, secret: &str) -> Value {
        if state["allowed_events"] == json!([]) {
            // A delegation may take longer than an answer waits for it.
            let later = self.game.path(&format!("/state?wait=30&version={}", state["version"]));
            return self.player.get(&later).await.ok();
        }
        let next = state["round3"]["next_issue"].clone();
        let event = text(&state["allowed_events"][0]).to_owned();
        let payload = match event.as_str() {
            "ROLE_CONFIRMED" => json!({"human_role_id": role}),
            "HUMAN_OPENING_STATEMENT" => json!({"text": "We have come to listen, and to leave with something signed."}),
            "CONVO_1_SELECTED" => json!({"partner_role_id": "CHN", "partner_starts": true}),
            "CONVO_2_SELECTED" => return self.advance("CONVO_2_SKIPPED", json!({})).await.ok()["state"].clone(),
            "CONVO_MESSAGE" => json!({"content": secret}),
            "ROUND_3_START_ISSUE" => json!({"issue_id": next, "human_placement": "first"}),
            "HUMAN_DEBATE_MESSAGE" => return self.advance("HUMAN_DEBATE_SKIP", json!({})).await.ok()["state"].clone(),
            "HUMAN_VOTE" => json!({"vote": "YES"}),
            _ => json!({}),
        };
        self.advance(&event, payload).await.ok()["state"].clone()
    }

    async fn to_review(&self, role: &str, secret: &str) -> Vec<String> {
        let mut seen = vec![];
        let mut state = self.state().await;
        for _ in 0..400 {
            let status = text(&state["status"]).to_owned();
            if seen.last() != Some(&status) {
                seen.push(status.clone());
            }
            if status == "REVIEW" {
                return seen;
            }
            state = self.step(&state, role, secret).await;
        }
        panic!("no end: {state}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_meeting_by_its_events() {
    let world = World::open().await;
    let meeting = Meeting::call(&world, json!({"seed": "one"})).await;
    let seen =
        meeting.to_review("CAN", "Between us: would finance in the mandate help you with a binding convention?").await;
    let issue = [
        "ROUND_3_SETUP",
        "ISSUE_INTRO",
        "ISSUE_DEBATE_ROUND_1",
        "ISSUE_DEBATE_ROUND_2",
        "ISSUE_POSITION_FINALIZATION",
        "ISSUE_VOTE",
        "ISSUE_RESOLUTION",
    ];
    let mut expected = vec![
        "ROLE_SELECTION",
        "ROUND_1_SETUP",
        "ROUND_1_OPENING_STATEMENTS",
        "ROUND_2_SETUP",
        "ROUND_2_SELECT_CONVO_1",
        "ROUND_2_CONVERSATION_ACTIVE",
        "ROUND_2_SELECT_CONVO_2",
        "ROUND_2_WRAP_UP",
    ];
    (0..4).for_each(|_| expected.extend(issue));
    expected.push("REVIEW");
    assert_eq!(seen, expected);
    let review = meeting.player.get(&meeting.game.path("/review")).await.ok();
    assert_eq!(review["issues"].as_array().map(Vec::len), Some(4));
    assert!(review["stance_movements"].as_array().is_some_and(|moves| !moves.is_empty()));
    world.verify().expect("what was stored is sound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_talk_and_other_stances_are_heard_by_nobody_else() {
    let world = World::open().await;
    let meeting = Meeting::call(&world, json!({})).await;
    let secret = "Quietly, the heliotrope memorandum would let us trade timetables for finance.";
    meeting.to_review("EU", secret).await;
    for path in ["/state", "/feed?limit=1000", "/transcript", "/influence", "/events", "/review", "/history", "/result"]
    {
        let seen = world.api.get(&meeting.game.path(path)).await.text;
        assert!(!seen.contains("heliotrope"), "{path}: {seen}");
        assert!(!seen.contains("\"acceptance\":{\""), "{path}");
    }
    let own = meeting.player.get(&meeting.game.path("/transcript")).await.text;
    assert!(own.contains("heliotrope"), "the player may read its own talk again");
    let state = meeting.state().await;
    assert_eq!(state["own_role_id"], "EU");
    assert!(state["stances"]["1"]["acceptance"]["1.2"].is_null(), "a red line is null");
    assert!(state["stances"]["1"]["acceptance"]["1.1"].is_number());
}

#[tokio::test]
async fn an_event_out_of_its_state_says_where_it_belongs_and_only_the_player_moves_the_meeting() {
    let world = World::open().await;
    let meeting = Meeting::call(&world, json!({})).await;
    let before = world.digest();
    for (event, home) in [
        ("ROUND_1_READY", "ROUND_1_SETUP"),
        ("ROUND_2_READY", "ROUND_2_SETUP"),
        ("CONVO_END_EARLY", "ROUND_2_CONVERSATION_ACTIVE"),
        ("ISSUE_INTRO_CONTINUE", "ISSUE_INTRO"),
        ("HUMAN_VOTE", "ISSUE_VOTE"),
        ("ISSUE_RESOLUTION_CONTINUE", "ISSUE_RESOLUTION"),
    ] {
        meeting.advance(event, json!({})).await.says(400, &format!("{event} only allowed from {home}"));
    }
    meeting.advance("ROLE_CONFIRMED", json!({"human_role_id": "JPN"})).await.no(400);
    meeting.advance("DANCE", json!({})).await.no(400);
    let stranger = world.api.with("another-long-token-of-somebody");
    stranger
        .post(&meeting.game.path("/advance"), &json!({"event": "ROLE_CONFIRMED", "payload": {"human_role_id": "EU"}}))
        .await
        .no(403);
    assert_eq!(world.digest(), before, "nothing changed");
}

/// On two servers that know nothing of each other: only ids and times may differ.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_seed_with_the_same_moves_gives_the_same_bytes_on_any_server() {
    const SHOWN: [&str; 6] = ["/transcript", "/review", "/feed?limit=1000", "/history", "/state", "/result"];
    let mut told = Vec::new();
    for seed in ["twins", "twins", "another"] {
        let dir = TempDir::new();
        let server = Program::serve(dir.path(), &[]);
        let made = server.api.post("/api/games", &json!({"game_type": "mercury", "seed": seed})).await.ok();
        let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
        let meeting = Meeting { player: server.api.with(text(&made["player_token"])), game };
        meeting.to_review("USA", "What would you need to join a convention?").await;
        let mut bytes = Vec::new();
        for (who, api) in [("player", &meeting.player), ("spectator", &server.api)] {
            for path in SHOWN {
                let shown = api.get(&meeting.game.path(path)).await;
                shown.ok();
                bytes.push((who, path, plain(&shown.text, &meeting.game, &server.api)));
            }
        }
        told.push(bytes);
    }
    for (ours, theirs) in told[0].iter().zip(&told[1]) {
        assert_eq!(ours, theirs);
    }
    assert_ne!(told[0][0], told[2][0], "chance is in the seed, and in nothing else");
}

/// `MOOT_CRASH_ALL=1` kills the server at every turn boundary of a meeting instead of the first forty.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_meeting_goes_on_after_kill_9_at_every_turn_boundary() {
    let dir = TempDir::new();
    let mut server = Program::serve(dir.path(), &[]);
    let made = server.api.post("/api/games", &json!({"game_type": "mercury", "seed": "crash"})).await.ok();
    let token = text(&made["player_token"]).to_owned();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let boundaries = if std::env::var("MOOT_CRASH_ALL").is_ok_and(|wish| wish == "1") { 400 } else { 40 };
    for boundary in 0..boundaries {
        let meeting = Meeting { player: server.api.with(&token), game: game.clone() };
        let before = meeting.state().await;
        if before["status"] == "REVIEW" {
            break;
        }
        let after = meeting.step(&before, "BRA", "Could we trade gold mining for finance in the convention?").await;
        server.kill();
        server = Program::serve(dir.path(), &[]);
        let resumed = game.state(&server.api.with(&token)).await;
        assert_eq!(resumed, after, "boundary {boundary}");
    }
    let (well, said) = world::moot(&["verify"], dir.path());
    assert!(well, "{said}");
}

/// Killed while a delegation is being asked: no half speech anywhere, and the same delegation is asked again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delegation_that_was_called_on_when_the_server_died_is_called_on_again() {
    let dir = TempDir::new();
    let mut server = Program::serve(dir.path(), &[]);
    // Minds that take their time, so that the server dies while one of them thinks.
    let made = server.api.post("/api/games", &json!({"game_type": "mercury", "pace_ms": 60000})).await.ok();
    let token = text(&made["player_token"]).to_owned();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let advance = async |server: &Program, event: &str, payload: Value| {
        let body = json!({"event": event, "payload": payload});
        server.api.with(&token).post(&game.path("/advance"), &body).await.ok()["state"].clone()
    };
    advance(&server, "ROLE_CONFIRMED", json!({"human_role_id": "CAN"})).await;
    advance(&server, "ROUND_1_READY", json!({})).await;
    for _ in 0..9 {
        advance(&server, "ROUND_1_STEP", json!({})).await;
    }
    advance(&server, "ROUND_2_READY", json!({})).await;
    advance(&server, "CONVO_1_SELECTED", json!({"partner_role_id": "USA"})).await;
    let asked = advance(&server, "CONVO_MESSAGE", json!({"content": "What do you need?"})).await;
    assert_eq!(asked["called_role_id"], "USA", "still thinking after five seconds");
    let said = server.api.with(&token).get(&game.path("/transcript")).await.text;
    server.kill();
    server = Program::serve(dir.path(), &[]);
    assert_eq!(game.state(&server.api.with(&token)).await, asked);
    assert_eq!(server.api.with(&token).get(&game.path("/transcript")).await.text, said);
}

#[tokio::test]
async fn nobody_else_can_ask_who_is_called_on_in_a_private_talk() {
    let world = World::open().await;
    // Minds that take their time, so that one is called on while others ask.
    let meeting = Meeting::call(&world, json!({"pace_ms": 60000})).await;
    let send = async |body: Value| meeting.player.post(&meeting.game.path("/action"), &body).await.ok();
    send(json!({"type": "ROLE_CONFIRMED", "human_role_id": "CAN"})).await;
    send(json!({"type": "ROUND_1_READY"})).await;
    for _ in 0..9 {
        send(json!({"type": "ROUND_1_STEP"})).await;
    }
    send(json!({"type": "ROUND_2_READY"})).await;
    send(json!({"type": "CONVO_1_SELECTED", "partner_role_id": "USA"})).await;
    send(json!({"type": "CONVO_MESSAGE", "content": "What do you need?"})).await;
    assert_eq!(meeting.state().await["called_role_id"], "USA");
    let feed = world.api.get(&meeting.game.path("/feed?limit=1000")).await.ok();
    let sat_down = feed["items"].as_array().expect("a list").iter().filter(|item| item["name"] == "agent_registered");
    let seats: Vec<String> = sat_down.map(|item| text(&item["payload"]["agent_id"]).to_owned()).collect();
    assert_eq!(seats.len(), 9);
    for seat in seats {
        let told = world.api.get(&meeting.game.path(&format!("/open-actions?agent_id={seat}"))).await.ok();
        assert_eq!((&told["can_act"], &told["hint"]), (&json!(false), &Value::Null), "{told}");
    }
}
