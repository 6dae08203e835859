//! What the trolley's clients rely on: paths, fields, statuses, sentences and the order in which things are checked.

use crate::world::{
    Game, Reply, World, argue_all, create, debate, decide, open_game, open_table, operator, play, silent, sit, text,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const STATUSES: [&str; 8] = [
    "waiting_for_agents",
    "ready_to_start",
    "round_phase_1",
    "round_phase_2",
    "round_phase_3",
    "awaiting_operator_decision",
    "round_resolved",
    "game_completed",
];

#[track_caller]
fn has(object: &Value, fields: &[&str]) {
    for field in fields {
        assert!(object.get(field).is_some(), "no {field} in {object}");
    }
}

#[track_caller]
fn is_time(value: &Value) {
    let written = text(value);
    assert!(written.parse::<jiff::Timestamp>().is_ok() && written.ends_with('Z'), "{written} is no UTC time");
}

#[track_caller]
fn is_agent(agent: &Value, role: &str) {
    assert!(agent["id"].is_string() && agent["display_name"].is_string(), "{agent}");
    assert_eq!(agent["role"], role);
    assert!(agent["argued_this_phase"].is_boolean(), "{agent}");
}

#[track_caller]
fn are_ids(value: &Value, known: &BTreeSet<&str>) {
    for id in value.as_array().unwrap_or_else(|| panic!("{value} is no list")) {
        assert!(known.contains(text(id)), "{id} sits nowhere");
    }
}

/// Every field of the state, with its type and with the value its status implies.
#[track_caller]
fn is_state(state: &Value, game: &Game) {
    let known: BTreeSet<&str> = game.agents.iter().map(String::as_str).collect();
    assert_eq!(state["game_id"], game.id.as_str());
    let status = text(&state["status"]);
    let (phase, dealt, resolved) = match status {
        "waiting_for_agents" | "ready_to_start" => (Value::Null, false, false),
        "round_phase_1" => (json!("phase_1"), true, false),
        "round_phase_2" => (json!("phase_2"), true, false),
        "round_phase_3" => (json!("phase_3"), true, false),
        "awaiting_operator_decision" => (json!("awaiting_decision"), true, false),
        "round_resolved" | "game_completed" => (json!("resolved"), true, true),
        other => panic!("{other} is no status of the seed"),
    };
    assert_eq!(state["current_phase"], phase, "{status}");
    assert!(state["current_round_number"].is_u64());
    assert_eq!(state["current_round_number"].as_u64() > Some(0), dealt, "{status}");
    has(state, &["current_round_id", "operator", "decision", "round_outcome", "last_event_at"]);
    match status {
        "game_completed" => {}
        _ => assert_eq!(state["current_round_id"].is_string(), dealt, "{status}"),
    }
    if dealt {
        is_agent(&state["operator"], "operator");
        assert_eq!(state["operator"]["argued_this_phase"], false);
    } else {
        assert!(state["operator"].is_null());
    }
    for (field, role) in [("majority_agents", "majority"), ("minority_agents", "minority")] {
        let side = state[field].as_array().expect("a list");
        assert_eq!(!side.is_empty(), dealt, "{field} in {status}");
        side.iter().for_each(|agent| is_agent(agent, role));
    }
    if resolved {
        assert!(["save_majority", "save_minority"].contains(&text(&state["decision"])));
        are_ids(&state["round_outcome"]["survivors"], &known);
        are_ids(&state["round_outcome"]["lost"], &known);
    } else {
        assert!(state["decision"].is_null() && state["round_outcome"].is_null(), "{status}");
    }
    let scores = state["scores"].as_object().expect("an object");
    assert_eq!(scores.keys().map(String::as_str).collect::<BTreeSet<_>>(), known);
    assert!(scores.values().all(Value::is_u64));
    let coverage = state["coverage"].as_array().expect("a list");
    assert_eq!(coverage.len(), known.len());
    for agent in coverage {
        assert!(known.contains(text(&agent["agent_id"])) && agent["display_name"].is_string());
        let been = ["has_been_operator", "has_been_majority", "has_been_minority"];
        let all = been.iter().all(|field| agent[field].as_bool().expect("a boolean"));
        assert_eq!(agent["complete"], all);
    }
    are_ids(&state["phase_activity"], &known);
    is_time(&state["last_event_at"]);
    let board = &state["board"];
    has(board, &["selected_branch", "resolution_state"]);
    assert_eq!(board["selected_branch"], state["decision"]);
    assert_eq!(board["resolution_state"], if resolved { json!("resolved") } else { Value::Null });
    assert!(board["animation_version"].is_u64());
    are_ids(&board["survivors"], &known);
    are_ids(&board["lost"], &known);
    assert!(state["version"].is_u64());
}

#[tokio::test]
async fn the_six_steps_lead_to_a_completed_game_through_every_status() {
    let world = World::open().await;
    let api = &world.api;
    let mut seen = BTreeSet::new();
    let mut game = create(api, &json!({"min_players": 4})).await;
    for name in ["Alice", "Bob", "Charlie", "Dora"] {
        let state = game.state(api).await;
        is_state(&state, &game);
        assert_eq!(state["status"], "waiting_for_agents");
        seen.insert(text(&state["status"]).to_owned());
        sit(api, &mut game, name, None).await;
    }
    let state = game.state(api).await;
    is_state(&state, &game);
    seen.insert(text(&state["status"]).to_owned());
    let started = api.post_nothing(&game.path("/start")).await.ok();
    assert_eq!(started["status"], "round_phase_1");
    assert!(!text(&started["message"]).is_empty());
    let mut version = 0;
    let mut animation = 0;
    let last = play(api, &game, |state| {
        is_state(state, &game);
        seen.insert(text(&state["status"]).to_owned());
        let now = state["version"].as_u64().expect("checked above");
        assert!(now > version, "the version grows with every change");
        version = now;
        let shown = state["board"]["animation_version"].as_u64().expect("checked above");
        assert!(shown == animation || shown == animation + 1, "once for each resolution");
        animation = shown;
    })
    .await;
    assert_eq!(seen, STATUSES.iter().map(|status| (*status).to_owned()).collect());
    assert_eq!(animation, 4, "four players, four rounds");
    assert!(last["coverage"].as_array().expect("a list").iter().all(|agent| agent["complete"] == true));
}

#[tokio::test]
async fn survivors_score_and_the_lost_and_the_operator_do_not() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 5).await;
    let before = debate(api, &game).await;
    assert_eq!(
        before["majority_agents"].as_array().map(Vec::len),
        Some(3),
        "one of five holds the lever, one is the few"
    );
    let after = decide(api, &game, "save_minority").await;
    for agent in &game.agents {
        let few = before["minority_agents"].as_array().expect("a list").iter().any(|one| one["id"] == agent.as_str());
        assert_eq!(after["scores"][agent], u64::from(few));
    }
    assert_eq!(after["round_outcome"]["survivors"].as_array().map(Vec::len), Some(1));
    assert_eq!(after["round_outcome"]["lost"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn every_endpoint_of_the_seeds_tables_answers_with_its_fields() {
    let world = World::open().await;
    let api = &world.api;
    let made = api.post("/api/games", &json!({"min_players": 3})).await.ok();
    let mut game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    for name in ["Alice", "Bob", "Charlie"] {
        let body = json!({"display_name": name, "token": null});
        let seated = api.post(&game.path("/agents/register"), &body).await.ok();
        assert_eq!(seated["game_id"], game.id.as_str());
        game.agents.push(text(&seated["agent_id"]).to_owned());
    }
    let listed = api.get("/api/games?status=ready_to_start").await.ok();
    let listed = listed.as_array().expect("an array").iter().find(|one| one["id"] == game.id.as_str()).cloned();
    let listed = listed.expect("the game is listed");
    has(&listed, &["id", "status", "created_at", "game_type"]);
    is_time(&listed["created_at"]);
    assert_eq!(api.get("/api/games?status=game_completed").await.ok(), json!([]));
    let metadata = api.get(&game.path("")).await.ok();
    has(&metadata, &["id", "status", "created_at", "current_round_number", "current_phase", "min_players"]);
    assert_eq!((&metadata["min_players"], &metadata["open"]), (&json!(3), &json!(true)));

    let started = api.post_nothing(&game.path("/start")).await.ok();
    has(&started, &["status", "message"]);
    let state = game.state(api).await;
    assert_eq!(api.get(&game.path("/state?version=0")).await.ok(), state);
    let open = game.open_actions(api, &operator(&state)).await;
    has(&open, &["agent_id", "can_act", "allowed_action", "current_phase", "role"]);
    assert_eq!(
        (&open["can_act"], &open["allowed_action"], &open["role"]),
        (&json!(false), &Value::Null, &json!("operator"))
    );
    let speaker = silent(&state)[0].clone();
    let open = game.open_actions(api, &speaker).await;
    assert_eq!((&open["agent_id"], &open["can_act"]), (&json!(speaker), &json!(true)));
    assert_eq!((&open["allowed_action"], &open["current_phase"]), (&json!("argument"), &json!("phase_1")));

    let body = json!({"agent_id": speaker, "text": "한 사람이라도 더 살려야 합니다."});
    let argued = api.post(&game.arguments(&state), &body).await.ok();
    assert_eq!(argued["phase"], "phase_1");
    let argument_id = text(&argued["argument_id"]).to_owned();
    assert_eq!(game.state(api).await["phase_activity"], json!([speaker]));
    let advanced = api.post(&game.path("/advance"), &json!({"action": "force_decision"})).await.ok();
    assert_eq!(advanced, json!({"status": "awaiting_operator_decision", "current_phase": "awaiting_decision"}));
    let body = json!({
        "agent_id": operator(&state), "decision": "save_minority",
        "reason": "It moved me.", "decisive_argument_id": argument_id,
    });
    let decided = api.post(&game.decision(&state), &body).await.ok();
    assert_eq!(decided, json!({"status": "ok", "decision": "save_minority"}));

    let feed = api.get(&game.path("/feed?limit=50")).await.ok();
    assert_eq!(feed["game_id"], game.id.as_str());
    let items = feed["items"].as_array().expect("a list");
    for item in items {
        has(
            item,
            &["id", "type", "round_number", "phase", "agent_id", "display_name", "text", "payload", "created_at"],
        );
        assert!(["argument", "event"].contains(&text(&item["type"])));
        assert!(item["payload"].is_object() || item["type"] == "argument", "{item}");
        is_time(&item["created_at"]);
    }
    let speech = items.iter().find(|item| item["type"] == "argument").expect("somebody argued");
    assert_eq!((&speech["text"], &speech["id"]), (&json!("한 사람이라도 더 살려야 합니다."), &json!(argument_id)));
    assert_eq!((&speech["agent_id"], &speech["round_number"]), (&json!(speaker), &json!(1)));
    assert_eq!(api.get(&game.path("/feed?limit=1")).await.ok()["items"].as_array().map(Vec::len), Some(1));

    let history = api.get(&game.path("/history")).await.ok();
    let round = &history["rounds"][0];
    has(
        round,
        &[
            "round_id",
            "round_number",
            "operator_agent_id",
            "operator_display_name",
            "decision",
            "survivors",
            "lost",
            "resolved_at",
        ],
    );
    is_time(&round["resolved_at"]);
    let resolved = items.iter().find(|item| item["name"] == "round_resolved").expect("the round is resolved");
    for told in [round, &resolved["payload"]] {
        assert_eq!(told["reason"], "It moved me.");
        assert_eq!(told["decisive_argument_id"], argument_id.as_str());
    }
    let scoreboard = api.get(&game.path("/scoreboard")).await.ok();
    assert_eq!(scoreboard["game_id"], game.id.as_str());
    for line in scoreboard["scores"].as_array().expect("a list") {
        has(line, &["agent_id", "display_name", "score"]);
    }
    assert_eq!(scoreboard["coverage"], game.state(api).await["coverage"]);
}

#[tokio::test]
async fn the_operators_reason_and_decisive_argument_are_optional_and_checked_last() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 3).await;
    let first = debate(api, &game).await;
    let boss = operator(&first);
    let send = async |body: Value| api.post(&game.decision(&first), &body).await;
    let bad = send(json!({"agent_id": boss, "decision": "save_majority", "decisive_argument_id": "arg-1-x"})).await;
    bad.says(400, "decisive_argument_id must name an argument made in this round");
    let long = "가".repeat(501);
    send(json!({"agent_id": boss, "decision": "save_majority", "reason": long})).await.no(400);
    send(json!({"agent_id": boss, "decision": "save_majority", "reason": 7})).await.no(400);
    send(json!({"agent_id": boss, "decision": "save_majority"})).await.ok();
    let resolved = game.state(api).await;
    assert_eq!(resolved["status"], "round_resolved");
    // An argument of an earlier round decides nothing in this one.
    let feed = api.get(&game.path("/feed")).await.ok();
    let old = feed["items"].as_array().expect("a list").iter().find(|item| item["type"] == "argument").cloned();
    let old = old.expect("somebody argued");
    api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
    let second = debate(api, &game).await;
    let body = json!({"agent_id": operator(&second), "decision": "save_majority", "decisive_argument_id": old["id"]});
    api.post(&game.decision(&second), &body).await.no(400);
}

#[tokio::test]
async fn checks_come_in_the_documented_order() {
    let world = World::open().await;
    let api = &world.api;
    let other = open_game(api, 3).await;
    let other_state = other.state(api).await;
    let table = open_table(api, 3).await;
    let game = open_game(api, 3).await;
    let first = game.state(api).await;
    let (boss, speaker) = (operator(&first), silent(&first)[0].clone());
    let argue =
        async |round: &str, body: Value| api.post(&game.path(&format!("/rounds/{round}/arguments")), &body).await;
    let choose =
        async |round: &str, body: Value| api.post(&game.path(&format!("/rounds/{round}/decision")), &body).await;
    let round = text(&first["current_round_id"]);

    // The game comes before everything.
    for id in ["00000000-0000-7000-8000-000000000000", "nonsense", "%20"] {
        for path in ["arguments", "decision"] {
            let path = format!("/api/games/{id}/rounds/nonsense/{path}");
            api.post(&path, &json!({"agent_id": 5, "text": ""})).await.says(404, "Game not found");
        }
        api.post(&format!("/api/games/{id}/advance"), &json!({"action": "fly"})).await.says(404, "Game not found");
        api.post_nothing(&format!("/api/games/{id}/start")).await.says(404, "Game not found");
        for path in ["", "/state", "/feed", "/scoreboard", "/history", "/open-actions?agent_id=x", "/result", "/events"]
        {
            api.get(&format!("/api/games/{id}{path}")).await.says(404, "Game not found");
        }
    }
    // Then the round: of no game, of another game, of the future, of a table that has none yet.
    for unknown in ["nonsense", text(&other_state["current_round_id"]), &round.replace("round-1", "round-2")] {
        let bad = json!({"agent_id": "nobody", "text": "", "decision": "maybe"});
        argue(unknown, bad.clone()).await.says(404, "Round not found");
        choose(unknown, bad).await.says(404, "Round not found");
    }
    let early = table.path("/rounds/round-1-000000000000/arguments");
    api.post(&early, &json!({"agent_id": table.agents[0], "text": "early"})).await.says(404, "Round not found");
    // Then the actor.
    for stranger in [boss.as_str(), "nobody", other.agents[0].as_str()] {
        let refused = argue(round, json!({"agent_id": stranger, "text": ""})).await;
        refused.says(400, "Agent not in this round as majority/minority");
    }
    for stranger in [speaker.as_str(), "nobody", other.agents[0].as_str()] {
        let refused = choose(round, json!({"agent_id": stranger, "decision": "maybe"})).await;
        refused.says(400, "Only operator can submit decision");
    }
    // Then the phase.
    choose(round, json!({"agent_id": boss, "decision": "maybe"})).await.says(400, "Not in decision phase");
    // Then whether it was done before.
    argue(round, json!({"agent_id": speaker, "text": "once"})).await.ok();
    for body in [
        json!({"agent_id": speaker, "text": ""}),
        json!({"agent_id": speaker}),
        json!({"agent_id": speaker, "text": "x".repeat(501)}),
    ] {
        argue(round, body).await.says(400, "Already submitted argument this phase");
    }
    // Then the body.
    let other_speaker = silent(&game.state(api).await)[0].clone();
    for body in [
        json!({"agent_id": other_speaker, "text": " \n "}),
        json!({"agent_id": other_speaker}),
        json!({"agent_id": other_speaker, "text": 7}),
    ] {
        let refused = argue(round, body).await.no(400);
        assert!(text(&refused["detail"]).contains("\"text\""), "{refused}");
    }
    let waiting = debate(api, &game).await;
    argue(round, json!({"agent_id": boss, "text": ""})).await.says(400, "Agent not in this round as majority/minority");
    argue(round, json!({"agent_id": speaker, "text": ""})).await.says(400, "Not in a debate phase");
    choose(round, json!({"agent_id": speaker, "decision": "maybe"}))
        .await
        .says(400, "Only operator can submit decision");
    for bad in [json!("maybe"), json!(null), json!(7), json!("SAVE_MAJORITY"), json!(["save_majority"])] {
        let refused = choose(round, json!({"agent_id": boss, "decision": bad})).await;
        refused.says(400, "Decision must be save_majority or save_minority");
    }
    assert_eq!(game.state(api).await, waiting, "a rejected command changes nothing");
    decide(api, &game, "save_majority").await;
    // While a resolved round is on show, the phase is wrong; afterwards the round is past for everybody, whatever they send.
    argue(round, json!({"agent_id": speaker, "text": ""})).await.says(400, "Not in a debate phase");
    choose(round, json!({"agent_id": boss, "decision": "maybe"})).await.says(400, "Not in decision phase");
    api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
    let bad = json!({"agent_id": "nobody", "text": "", "decision": "maybe"});
    argue(round, bad.clone()).await.says(400, "Round already resolved");
    choose(round, bad).await.says(400, "Round already resolved");
    play(api, &game, |_| {}).await;
    let bad = json!({"agent_id": "nobody", "text": "", "decision": "maybe"});
    argue(&round.replace("round-1", "round-3"), bad.clone()).await.says(400, "Round already resolved");
    argue(&round.replace("round-1", "round-4"), bad).await.says(404, "Round not found");
}

#[tokio::test]
async fn an_unknown_round_is_told_before_an_agent_id_of_the_wrong_type() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    for path in ["arguments", "decision"] {
        let path = game.path(&format!("/rounds/nonsense/{path}"));
        world.api.post(&path, &json!({"agent_id": 5})).await.says(404, "Round not found");
    }
}

#[tokio::test]
async fn a_refusal_says_what_would_be_accepted_and_it_is() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 3).await;
    let state = game.state(api).await;
    let speaker = silent(&state)[0].clone();
    let refused = api.post(&game.arguments(&state), &json!({"agent_id": speaker, "text": ""})).await.no(400);
    assert_eq!(refused["expected_action"], "argument");
    let mut hint = refused["hint"].clone();
    hint["agent_id"] = json!(speaker);
    let accepted = api.post(&game.path("/action"), &hint).await.ok();
    assert_eq!(accepted["success"], true);
    assert!(accepted["version"].as_u64() > state["version"].as_u64());
    let refused = api.post(&game.arguments(&state), &json!({"agent_id": operator(&state), "text": ""})).await.no(400);
    assert!(
        refused["expected_action"].is_null() && refused["hint"].is_null(),
        "nothing is open to the operator: {refused}"
    );
    let waiting = debate(api, &game).await;
    let refused = api.post(&game.decision(&waiting), &json!({"agent_id": operator(&waiting)})).await.no(400);
    let mut hint = refused["hint"].clone();
    hint["agent_id"] = json!(operator(&waiting));
    api.post(&game.path("/action"), &hint).await.ok();
}

#[tokio::test]
async fn an_argument_has_1_to_500_unicode_characters_after_trimming() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 50).await;
    let state = game.state(api).await;
    let speakers = silent(&state);
    let whole = ["x", "가", "🚋", "é", "\u{1f469}\u{200d}\u{2696}", "한\n글"];
    for (unit, speaker) in whole.iter().zip(&speakers) {
        let chars = unit.chars().count();
        let just = format!("{}{}", unit.repeat(500 / chars), "x".repeat(500 % chars));
        assert_eq!(just.chars().count(), 500);
        let over = json!({"agent_id": speaker, "text": format!("{just}x")});
        let refused = api.post(&game.arguments(&state), &over).await.no(400);
        assert!(text(&refused["detail"]).contains("501"), "{refused}");
        let padded = json!({"agent_id": speaker, "text": format!("  \n{just}\t ")});
        let said = api.post(&game.arguments(&state), &padded).await.ok();
        let feed = api.get(&game.path("/feed?limit=1")).await.ok();
        assert_eq!((&feed["items"][0]["text"], &feed["items"][0]["id"]), (&json!(just), &said["argument_id"]));
    }
    let one = json!({"agent_id": speakers[10], "text": "가"});
    api.post(&game.arguments(&state), &one).await.ok();
}

#[tokio::test]
async fn the_host_moves_the_table_on_and_only_as_it_can_move() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_table(api, 3).await;
    let advance = async |action: &str| api.post(&game.path("/advance"), &json!({"action": action})).await;
    let all = ["next_phase", "force_decision", "resolve_round"];
    for action in all {
        advance(action).await.no(400);
    }
    api.post_nothing(&game.path("/start")).await.ok();
    for (action, phase) in [("next_phase", "phase_2"), ("next_phase", "phase_3"), ("next_phase", "awaiting_decision")] {
        advance("resolve_round").await.no(400);
        advance("fly").await.says(400, "Action must be next_phase, force_decision or resolve_round");
        assert_eq!(advance(action).await.ok()["current_phase"], phase);
    }
    advance("next_phase").await.no(400);
    advance("force_decision").await.no(400);
    assert_eq!(advance("resolve_round").await.ok(), json!({"status": "round_resolved", "current_phase": "resolved"}));
    let state = game.state(api).await;
    assert_eq!((&state["decision"], &state["round_outcome"]["forced"]), (&json!("save_majority"), &json!(true)));
    let history = api.get(&game.path("/history")).await.ok();
    assert_eq!(history["rounds"][0]["forced"], true);
    advance("force_decision").await.no(400);
    advance("resolve_round").await.no(400);
    for phase in 1..=3 {
        let started = advance("next_phase").await.ok();
        assert_eq!(started["current_phase"], format!("phase_{phase}"));
        if phase == 3 {
            continue;
        }
        if phase == 2 {
            // From any debate phase.
            assert_eq!(advance("force_decision").await.ok()["current_phase"], "awaiting_decision");
            break;
        }
    }
    decide(api, &game, "save_minority").await;
    assert_eq!(game.state(api).await["round_outcome"]["forced"], false);
    play(api, &game, |_| {}).await;
    for action in all {
        advance(action).await.no(400);
    }
}

#[tokio::test]
async fn a_phase_moves_on_by_itself_when_all_have_argued() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 4).await;
    for expected in ["round_phase_2", "round_phase_3", "awaiting_operator_decision"] {
        let state = argue_all(api, &game).await;
        assert_eq!(state["status"], expected);
        assert_eq!(state["phase_activity"], json!([]));
    }
}

#[tokio::test]
async fn a_game_starts_once_with_enough_players() {
    let world = World::open().await;
    let api = &world.api;
    let mut game = create(api, &json!({"min_players": 3})).await;
    let starts_with = |reply: &Reply, words: &str| {
        let problem = reply.no(400);
        assert!(text(&problem["detail"]).starts_with(words), "{problem}");
    };
    for name in ["Alice", "Bob", "Charlie"] {
        starts_with(&api.post_nothing(&game.path("/start")).await, "Not enough players");
        sit(api, &mut game, name, None).await;
    }
    // More may register until the start.
    sit(api, &mut game, "Dora", None).await;
    assert_eq!(game.state(api).await["status"], "ready_to_start");
    api.post_nothing(&game.path("/start")).await.ok();
    api.post_nothing(&game.path("/start")).await.says(400, "Game already started");
    let late = json!({"display_name": "Late", "token": null});
    api.post(&game.path("/agents/register"), &late).await.says(400, "Game already started");
    assert_eq!(game.state(api).await["rounds_total"], 4);
}

#[tokio::test]
async fn a_table_seats_3_to_50() {
    let world = World::open().await;
    let api = &world.api;
    for min_players in [json!(2), json!(0), json!(-1), json!(51), json!(1_000_000), json!(3.5), json!("3"), json!([3])]
    {
        api.post("/api/games", &json!({"min_players": min_players})).await.no(400);
    }
    assert_eq!(api.get("/api/games").await.ok(), json!([]), "nothing was made");
    for min_players in [3, 50] {
        let game = create(api, &json!({"min_players": min_players})).await;
        assert_eq!(api.get(&game.path("")).await.ok()["min_players"], min_players);
    }
    for body in [json!({}), json!({"min_players": null})] {
        let game = create(api, &body).await;
        assert_eq!(api.get(&game.path("")).await.ok()["min_players"], 3);
    }
    api.post_nothing("/api/games").await.ok();
    let mut full = open_table(api, 50).await;
    api.post(&full.path("/agents/register"), &json!({"display_name": "One more"})).await.no(400);
    api.post_nothing(&full.path("/start")).await.ok();
    let state = full.state(api).await;
    assert_eq!(state["majority_agents"].as_array().map(Vec::len), Some(25));
    assert_eq!(state["minority_agents"].as_array().map(Vec::len), Some(24));
    full.agents.clear();
}

#[tokio::test]
async fn the_demo_is_an_open_table_with_alice_bob_and_charlie() {
    let world = World::open().await;
    let api = &world.api;
    let made = api.post_nothing("/api/demo/create").await.ok();
    assert!(!text(&made["message"]).is_empty());
    let agents = made["agents"].as_array().expect("a list");
    let names: Vec<&str> = agents.iter().map(|agent| text(&agent["display_name"])).collect();
    assert_eq!(names, ["Alice", "Bob", "Charlie"]);
    let ids = agents.iter().map(|agent| text(&agent["agent_id"]).to_owned()).collect();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: ids };
    let state = game.state(api).await;
    is_state(&state, &game);
    assert_eq!((&state["status"], &state["open"]), (&json!("ready_to_start"), &json!(true)));
    api.post_nothing(&game.path("/start")).await.ok();
    assert_eq!(play(api, &game, |state| is_state(state, &game)).await["status"], "game_completed");
}

#[tokio::test]
async fn lists_come_in_pages_newest_first() {
    let world = World::open().await;
    let api = &world.api;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(create(api, &json!({})).await.id);
    }
    made.reverse();
    let mut found = Vec::new();
    let mut path = "/api/games?limit=2&status=waiting_for_agents&game_type=trolley".to_owned();
    loop {
        let page = api.get(&path).await;
        found.extend(page.ok().as_array().expect("an array").iter().map(|game| text(&game["id"]).to_owned()));
        let link = page.header("link").to_owned();
        match link.strip_prefix('<').and_then(|link| link.split_once(">; rel=\"next\"")) {
            Some((next, _)) => path = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(found, made);
}
