//! Whose seat it is: credentials, hosts, leaving, handing over, and a request that is sent twice.

use crate::world::{
    Api, Game, Reply, World, argue_all, create, debate, open_game, open_table, operator, play, silent, sit, text,
};
use moot::settings::Settings;
use serde_json::{Value, json};

const TOKENS: [&str; 3] = ["alices-secret", "bobs-secret-too", "charlies-own-secret"];

/// An open table where each seat has a token, started.
async fn guarded_game(world: &World) -> Game {
    let mut game = create(&world.api, &json!({})).await;
    for (name, token) in ["Alice", "Bob", "Charlie"].iter().zip(TOKENS) {
        sit(&world.api, &mut game, name, Some(token)).await;
    }
    world.api.with(TOKENS[0]).post_nothing(&game.path("/start")).await.ok();
    game
}

/// The credential of an agent of a guarded game.
fn token_of(game: &Game, agent: &str) -> &'static str {
    TOKENS[game.agents.iter().position(|one| one == agent).expect("it sits there")]
}

async fn argue(api: &Api, game: &Game, agent: Option<&str>, words: &str) -> Reply {
    let state = game.state(api).await;
    api.post(&game.arguments(&state), &json!({"agent_id": agent, "text": words})).await
}

#[tokio::test]
async fn nobody_plays_a_seat_with_a_token_but_its_owner() {
    let world = World::open().await;
    let game = guarded_game(&world).await;
    let before = game.state(&world.api).await;
    let [one, other] = &silent(&before)[..] else { panic!("two of three argue") };
    let mine = world.api.with(token_of(&game, one));
    let theirs = world.api.with(token_of(&game, other));
    let mut elsewhere = create(&world.api, &json!({})).await;
    sit(&world.api, &mut elsewhere, "Dora", Some("doras-secret-there")).await;
    let dora = world.api.with("doras-secret-there");
    let account = world.account("eve").await;

    argue(&world.api, &game, Some(one), "I am nobody").await.no(401);
    world.api.post(&game.path("/action"), &json!({"type": "argument", "text": "nobody"})).await.no(401);
    for stranger in [
        &theirs,
        &dora,
        &account,
        &world.api.with("no-such-token"),
        &world.api.with_header("x-api-key", "another-token"),
    ] {
        argue(stranger, &game, Some(one), "I am somebody else").await.no(403);
    }
    for stranger in [&dora, &account] {
        argue(stranger, &game, None, "I sit nowhere here").await.no(403);
    }
    let boss = operator(&before);
    for stranger in [&world.api, &mine] {
        let refused =
            stranger.post(&game.decision(&before), &json!({"agent_id": boss, "decision": "save_majority"})).await;
        assert!([401, 403].contains(&refused.status), "{refused:?}");
    }
    world.api.post(&game.path("/leave"), &json!({"agent_id": one})).await.no(401);
    theirs.post(&game.path("/leave"), &json!({"agent_id": one})).await.no(403);
    assert_eq!(game.state(&world.api).await, before, "nothing happened");

    // With the credential the agent need not be named; either header will do.
    argue(&mine, &game, None, "I am I").await.ok();
    argue(&world.api.with_header("x-api-key", token_of(&game, other)), &game, Some(other), "so am I").await.ok();
    let after = game.state(&world.api).await;
    assert_eq!(after["status"], "round_phase_2");
    let own = mine.get(&game.path("/state")).await.ok();
    assert_eq!(own["self"]["agent_id"], one.as_str());
    assert_eq!(own["self"]["allowed_actions"], json!(["argument"]));
    assert!(after["self"].is_null());
    assert_eq!(mine.get(&game.path("/open-actions")).await.ok()["agent_id"], one.as_str());
    world.api.get(&game.path("/open-actions")).await.no(400);
}

#[tokio::test]
async fn nobody_plays_an_accounts_seat_but_the_account() {
    let world = World::open().await;
    let (ann, ben, eve) = (world.account("ann").await, world.account("ben").await, world.account("eve").await);
    let mut game = create(&ann, &json!({})).await;
    for (api, name) in [(&ann, "Ann"), (&ben, "Ben")] {
        sit(api, &mut game, name, None).await;
        let again = json!({"display_name": "Twice"});
        api.post(&game.path("/agents/register"), &again).await.says(400, "You already have a seat at this table.");
    }
    world.api.post(&game.path("/agents/register"), &json!({"display_name": "Nobody"})).await.no(401);
    sit(&world.api, &mut game, "Guest", Some("a-guests-token")).await;
    ann.post_nothing(&game.path("/start")).await.ok();
    let key = text(&ben.post_nothing("/api/auth/api-key").await.ok()["api_key"]).to_owned();
    let mut played = 0;
    for agent in silent(&game.state(&ann).await) {
        let owner = match game.agents.iter().position(|one| *one == agent) {
            Some(0) => ann.clone(),
            Some(1) => world.api.with_header("x-api-key", &key),
            _ => world.api.with("a-guests-token"),
        };
        argue(&world.api, &game, Some(&agent), "nobody").await.no(401);
        argue(&eve, &game, Some(&agent), "another account").await.no(403);
        argue(&owner, &game, None, "mine").await.ok();
        played += 1;
    }
    assert_eq!(played, 2);
}

#[tokio::test]
async fn an_open_seat_is_played_by_its_id_alone() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    let state = game.state(&world.api).await;
    let speaker = silent(&state)[0].clone();
    argue(&world.api, &game, None, "who?").await.no(401);
    argue(&world.account("ann").await, &game, Some(&speaker), "anyone may, at an open seat").await.ok();
}

#[tokio::test]
async fn a_table_with_a_host_is_run_by_its_host() {
    let world = World::open().await;
    let (host, eve) = (world.account("host").await, world.account("eve").await);
    let mut game = create(&host, &json!({})).await;
    assert_eq!(host.get(&game.path("")).await.ok()["open"], false);
    for (name, token) in ["Alice", "Bob", "Charlie"].iter().zip(TOKENS) {
        sit(&world.api, &mut game, name, Some(token)).await;
    }
    let advance = json!({"action": "next_phase"});
    let seated = world.api.with(TOKENS[0]);
    for (path, body) in [("/start", json!({})), ("/fill", json!({"seats": 4}))] {
        world.api.post(&game.path(path), &body).await.no(401);
        seated.post(&game.path(path), &body).await.no(403);
        eve.post(&game.path(path), &body).await.no(403);
    }
    assert_eq!(game.state(&world.api).await["status"], "ready_to_start");
    host.post_nothing(&game.path("/start")).await.ok();
    for path in ["/advance", "/action"] {
        let body = json!({"type": "advance", "action": "next_phase"});
        world.api.post(&game.path(path), &body).await.no(401);
        seated.post(&game.path(path), &body).await.no(403);
        eve.post(&game.path(path), &body).await.no(403);
    }
    assert_eq!(host.post(&game.path("/advance"), &advance).await.ok()["current_phase"], "phase_2");
    // A host may do more than others, but sees no more.
    assert_eq!(game.state(&host).await, game.state(&world.api).await);
}

#[tokio::test]
async fn an_open_table_is_run_by_anybody_until_a_seat_is_protected() {
    let world = World::open().await;
    let mut game = open_table(&world.api, 3).await;
    sit(&world.api, &mut game, "Guarded", Some("guarded-secret")).await;
    let eve = world.account("eve").await;
    world.api.post_nothing(&game.path("/start")).await.no(401);
    eve.post_nothing(&game.path("/start")).await.no(403);
    world.api.with("not-that-secret").post_nothing(&game.path("/start")).await.no(403);
    world.api.with("guarded-secret").post_nothing(&game.path("/start")).await.ok();
    world.api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.no(401);
    let moved = world.api.with("guarded-secret").post(&game.path("/advance"), &json!({"action": "next_phase"})).await;
    assert_eq!(moved.ok()["current_phase"], "phase_2");
}

#[tokio::test]
async fn without_open_tables_a_game_needs_an_account() {
    let world = World::with(Settings { open_tables: false, ..Settings::default() }).await;
    for api in [world.api.clone(), world.api.with("just-a-token")] {
        api.post("/api/games", &json!({})).await.no(401);
        api.post_nothing("/api/demo/create").await.no(401);
    }
    assert_eq!(world.api.get("/api/games").await.ok(), json!([]));
    let ann = world.account("ann").await;
    let mut game = create(&ann, &json!({})).await;
    sit(&world.api, &mut game, "Guest", Some("a-guests-token")).await;
    world.api.post(&game.path("/agents/register"), &json!({"display_name": "Nobody"})).await.no(401);
}

#[tokio::test]
async fn without_open_tables_a_cookie_this_server_never_gave_makes_no_game() {
    let world = World::with(Settings { open_tables: false, ..Settings::default() }).await;
    for cookie in ["moot_guest=x", "moot_session=moot_session_0000"] {
        world.api.with_header("cookie", cookie).post("/api/games", &json!({})).await.no(401);
    }
    assert_eq!(world.api.get("/api/games").await.ok(), json!([]));
}

#[tokio::test]
async fn a_seat_token_is_one_that_can_be_sent_and_tells_a_seat() {
    let world = World::open().await;
    let mut game = create(&world.api, &json!({})).await;
    let register = async |token: Value| {
        world.api.post(&game.path("/agents/register"), &json!({"display_name": "Someone", "token": token})).await
    };
    for short_or_long in ["", "1234567", &"x".repeat(201)] {
        register(json!(short_or_long)).await.no(400);
    }
    for wrong in [json!(7), json!(["12345678"]), json!({})] {
        register(wrong).await.no(400);
    }
    // A header cannot carry these unchanged, or they would be taken for a key or a session: the seat would be lost.
    for lost in ["비밀번호비밀번호", "line\nbreaks", " padded with spaces ", "moot_key_0123456789", "moot_session_0123"]
    {
        register(json!(lost)).await.no(400);
    }
    sit(&world.api, &mut game, "Shortest", Some("12345678")).await;
    sit(&world.api, &mut game, "Longest", Some(&"x".repeat(200))).await;
}

#[tokio::test]
async fn leaving_before_the_start_frees_the_seat() {
    let world = World::open().await;
    let api = &world.api;
    let mut game = open_table(api, 3).await;
    let left = game.agents.remove(1);
    let answer = api.post(&game.path("/leave"), &json!({"agent_id": left})).await.ok();
    assert_eq!(answer["status"], "waiting_for_agents");
    let state = game.state(api).await;
    let seated: Vec<&str> =
        state["coverage"].as_array().expect("a list").iter().map(|one| text(&one["agent_id"])).collect();
    assert_eq!(seated, game.agents, "the others keep their ids");
    let gone = api.post(&game.path("/leave"), &json!({"agent_id": left})).await;
    gone.says(gone.status, "No such agent in this game");
    let new = sit(api, &mut game, "New", None).await;
    assert_ne!(new, left, "an id is never given twice");
    api.post_nothing(&game.path("/start")).await.ok();
    play(api, &game, |_| {}).await;
}

/// Waits until the game is past this version and shows `found`.
async fn wait_for(api: &Api, game: &Game, mut version: Value, found: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1000 {
        let state = api.get(&game.path(&format!("/state?version={version}&wait=30"))).await.ok();
        if found(&state) {
            return state;
        }
        version = state["version"].clone();
    }
    panic!("it never came to that: {}", game.state(api).await)
}

fn argued(state: &Value, agent: &str) -> bool {
    !silent(state).contains(&agent.to_owned())
}

#[tokio::test]
async fn leaving_during_the_game_lets_a_house_mind_play_on() {
    let world = World::open().await;
    let api = &world.api;
    let mut game = open_game(api, 4).await;
    let start = game.state(api).await;
    let left = silent(&start)[0].clone();
    api.post(&game.path("/leave"), &json!({"agent_id": left})).await.ok();
    let state = wait_for(api, &game, start["version"].clone(), |state| argued(state, &left)).await;
    let sides = [&state["majority_agents"], &state["minority_agents"]]
        .map(|side| side.as_array().expect("a list").clone())
        .concat();
    assert!(sides.iter().any(|agent| agent["id"] == left.as_str() && agent["house"] == true));
    argue(api, &game, Some(&left), "still me").await.no(409);
    api.post(&game.path("/leave"), &json!({"agent_id": left})).await.no(409);
    game.agents.retain(|agent| *agent != left);
    // The others finish the game with it; its turns pass without a request.
    for _ in 0..4 {
        let state = wait_for(api, &game, json!(0), |state| state["status"] != "round_resolved").await;
        let mut version = state["version"].clone();
        loop {
            let state = game.state(api).await;
            if ["round_resolved", "game_completed"].contains(&text(&state["status"])) {
                break;
            }
            let mut moved = false;
            for agent in &game.agents {
                let open = game.open_actions(api, agent).await;
                if open["can_act"] == true {
                    let mut body = open["hint"].clone();
                    body["agent_id"] = json!(agent);
                    // A phase that the house mind closed meanwhile refuses; the next look finds the next one.
                    moved |= api.post(&game.path("/action"), &body).await.status == 200;
                }
            }
            if !moved {
                let state = wait_for(api, &game, version.clone(), |_| true).await;
                version = state["version"].clone();
            }
        }
        if game.state(api).await["status"] == "round_resolved" {
            api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
        }
    }
    assert_eq!(game.state(api).await["status"], "game_completed");
}

#[tokio::test]
async fn a_host_hands_a_silent_seat_over_and_its_owner_takes_it_back() {
    let world = World::open().await;
    let host = world.account("host").await;
    let mut game = create(&host, &json!({})).await;
    for (name, token) in ["Alice", "Bob", "Charlie"].iter().zip(TOKENS) {
        sit(&world.api, &mut game, name, Some(token)).await;
    }
    host.post_nothing(&game.path("/start")).await.ok();
    let start = game.state(&host).await;
    let [one, other] = &silent(&start)[..] else { panic!("two of three argue") };
    let (owner, fellow) = (world.api.with(token_of(&game, one)), world.api.with(token_of(&game, other)));
    let hand = game.path(&format!("/seats/{one}/hand"));
    let take_back = game.path(&format!("/seats/{one}/take-back"));
    world.api.post_nothing(&hand).await.no(401);
    let early = fellow.post_nothing(&hand).await.no(400);
    assert_eq!(early["error"], "NOT_SILENT_YET", "a fellow player must wait");
    owner.post_nothing(&take_back).await.says(400, "You are playing this seat yourself.");
    host.post_nothing(&game.path(&format!("/seats/{}/hand", operator(&start)))).await.no(400);
    host.post_nothing(&hand).await.ok();
    host.post_nothing(&hand).await.no(400);
    wait_for(&host, &game, start["version"].clone(), |state| argued(state, one)).await;
    argue(&owner, &game, Some(one), "it is mine").await.no(409);
    world.api.post_nothing(&take_back).await.no(401);
    fellow.post_nothing(&take_back).await.no(403);
    host.post_nothing(&take_back).await.no(403);
    owner.post_nothing(&take_back).await.ok();
    argue(&fellow, &game, None, "on to the next phase").await.ok();
    argue(&owner, &game, None, "it is mine again").await.ok();
    let feed = world.api.get(&game.path("/feed")).await.ok();
    let names: Vec<&str> = feed["items"].as_array().expect("a list").iter().map(|item| text(&item["name"])).collect();
    assert!(
        names.contains(&"seat_handed") && names.contains(&"seat_taken_back"),
        "all of it is in the record: {names:?}"
    );
}

#[tokio::test]
async fn without_a_host_a_seat_must_be_silent_for_a_while_before_it_is_handed_over() {
    let world = World::open().await;
    let game = guarded_game(&world).await;
    let state = game.state(&world.api).await;
    let [one, other] = &silent(&state)[..] else { panic!("two of three argue") };
    let hand = game.path(&format!("/seats/{one}/hand"));
    world.api.post_nothing(&hand).await.no(401);
    world.account("eve").await.post_nothing(&hand).await.no(403);
    let refused = world.api.with(token_of(&game, other)).post_nothing(&hand).await.no(400);
    assert!(text(&refused["detail"]).contains("120 s"), "{refused}");
}

#[tokio::test]
async fn at_the_turn_limit_a_house_mind_plays_that_one_turn() {
    let world = World::open().await;
    let api = &world.api;
    for wrong in [json!(0), json!(4), json!(86_401), json!(-1), json!("5")] {
        api.post("/api/games", &json!({"turn_limit_s": wrong})).await.no(400);
    }
    let mut game = create(api, &json!({"turn_limit_s": 5})).await;
    for name in ["Alice", "Bob", "Charlie"] {
        sit(api, &mut game, name, None).await;
    }
    api.post_nothing(&game.path("/start")).await.ok();
    let start = game.state(api).await;
    let state = wait_for(api, &game, start["version"].clone(), |_| true).await;
    assert_eq!(silent(&state).len(), 1, "one turn was played");
    let feed = api.get(&game.path("/feed")).await.ok();
    let expired = feed["items"].as_array().expect("a list").iter().find(|item| item["name"] == "turn_expired").cloned();
    let expired = expired.expect("it is marked as such");
    let agent = text(&expired["payload"]["agent_id"]).to_owned();
    assert!(!silent(&state).contains(&agent));
    argue_all(api, &game).await;
    argue(api, &game, Some(&agent), "only that one turn").await.ok();
}

/// The operator and the minority of each round, numbered by the order of sitting down.
async fn deals(api: &Api, seed: Value, seats: usize) -> Vec<Vec<usize>> {
    let mut game = create(api, &json!({"min_players": seats, "seed": seed})).await;
    assert_eq!(api.get(&game.path("")).await.ok()["practice"], true);
    for number in 0..seats {
        sit(api, &mut game, &format!("Agent {number}"), None).await;
    }
    api.post_nothing(&game.path("/start")).await.ok();
    let mut rounds = Vec::new();
    for _ in 0..seats {
        let state = debate(api, &game).await;
        let number = |id: &Value| game.agents.iter().position(|agent| *id == agent.as_str()).expect("it sits there");
        let mut round = vec![number(&state["operator"]["id"])];
        round.extend(state["minority_agents"].as_array().expect("a list").iter().map(|agent| number(&agent["id"])));
        rounds.push(round);
        let state = crate::world::decide(api, &game, "save_majority").await;
        if state["status"] == "round_resolved" {
            api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
        }
    }
    rounds
}

#[tokio::test]
async fn the_same_seed_and_moves_give_the_same_deals() {
    let world = World::open().await;
    let api = &world.api;
    let first = deals(api, json!("a rainy day"), 6).await;
    assert_eq!(deals(api, json!("a rainy day"), 6).await, first);
    assert_ne!(deals(api, json!("a sunny day"), 6).await, first);
    assert_eq!(deals(api, json!(42), 4).await, deals(api, json!("42"), 4).await);
    let game = create(api, &json!({})).await;
    assert_eq!(api.get(&game.path("")).await.ok()["practice"], false);
    for wrong in [json!(""), json!("x".repeat(201)), json!(["x"]), json!(true)] {
        api.post("/api/games", &json!({"seed": wrong})).await.no(400);
    }
}

#[tokio::test]
async fn filled_with_house_minds_one_person_plays_at_once() {
    let world = World::open().await;
    let api = &world.api;
    let mut game = create(api, &json!({"min_players": 4, "fill": true})).await;
    assert_eq!(api.get(&game.path("")).await.ok()["players"], 3);
    let me = sit(api, &mut game, "Me", None).await;
    let answer = api.post(&game.path("/fill"), &json!({"seats": 5})).await.ok();
    assert_eq!((&answer["players"], &answer["status"]), (&json!(5), &json!("ready_to_start")));
    let names: std::collections::BTreeSet<String> = game.state(api).await["coverage"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|agent| text(&agent["display_name"]).to_owned())
        .collect();
    assert_eq!(names.len(), 5, "no two have the same name");
    api.post_nothing(&game.path("/start")).await.ok();
    api.post(&game.path("/fill"), &json!({})).await.says(400, "Game already started");
    let mut version = json!(0);
    loop {
        let state = wait_for(api, &game, version, |_| true).await;
        version = state["version"].clone();
        match text(&state["status"]) {
            "game_completed" => break,
            "round_resolved" => drop(api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok()),
            _ => {
                let open = game.open_actions(api, &me).await;
                if open["can_act"] == true {
                    let mut body = open["hint"].clone();
                    body["agent_id"] = json!(me);
                    api.post(&game.path("/action"), &body).await.ok();
                }
            }
        }
    }
    let house = text(&game.state(api).await["coverage"][0]["agent_id"]).to_owned();
    argue(api, &open_game(api, 3).await, Some(&house), "of another game").await.no(400);
}

#[tokio::test]
async fn nobody_plays_a_house_minds_seat() {
    let world = World::open().await;
    let api = &world.api;
    // At this pace the house mind does not speak before the test ends.
    let mut game = create(api, &json!({"min_players": 4, "fill": true, "pace_ms": 60000})).await;
    sit(api, &mut game, "Me", None).await;
    api.post_nothing(&game.path("/start")).await.ok();
    let state = game.state(api).await;
    let house = silent(&state).into_iter().find(|agent| *agent != game.agents[0]).expect("house minds argue too");
    argue(api, &game, Some(&house), "in its name").await.no(403);
    api.post(&game.path("/leave"), &json!({"agent_id": house})).await.no(403);
    api.post_nothing(&game.path(&format!("/seats/{house}/take-back"))).await.no(403);
}

#[tokio::test]
async fn unlisted_games_are_reached_by_link_only() {
    let world = World::open().await;
    let api = &world.api;
    let game = create(api, &json!({"visibility": "unlisted"})).await;
    let shown = create(api, &json!({"visibility": "public"})).await;
    let list = api.get("/api/games").await;
    assert!(!list.text.contains(&game.id) && list.text.contains(&shown.id));
    assert_eq!(api.get(&game.path("")).await.ok()["visibility"], "unlisted");
    game.state(api).await;
    api.post("/api/games", &json!({"visibility": "secret"})).await.no(400);
}

async fn events(api: &Api, game: &Game) -> usize {
    api.get(&game.path("/events?limit=1000")).await.ok()["events"].as_array().expect("a list").len()
}

#[tokio::test]
async fn the_same_key_twice_gives_the_first_answer_and_one_event() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 4).await;
    let state = game.state(api).await;
    let agents = silent(&state);
    let before = events(api, &game).await;
    let body = json!({"agent_id": agents[0], "text": "only once"});
    let first = api.once("key-1").post(&game.arguments(&state), &body).await.ok();
    // Also later, when a new request would be refused; and however the body is formatted.
    for _ in 0..3 {
        assert_eq!(api.once("key-1").post(&game.arguments(&state), &body).await.ok(), first);
    }
    let spelled = format!("{{ \"text\":\"only\\u0020once\",\n\"agent_id\":\"{}\"}}", agents[0]).into_bytes();
    assert_eq!(api.once("key-1").call("POST", &game.arguments(&state), Some(spelled)).await.ok(), first);
    assert_eq!(events(api, &game).await, before + 1);
    let other = json!({"agent_id": agents[0], "text": "something else"});
    api.once("key-1").post(&game.arguments(&state), &other).await.no(409);
    api.once("key-1").post(&game.path("/advance"), &json!({"action": "next_phase"})).await.no(409);
    // Keys are separate for each caller and each game.
    let elsewhere = open_game(api, 3).await;
    let there = elsewhere.state(api).await;
    let body = json!({"agent_id": silent(&there)[0], "text": "elsewhere"});
    api.once("key-1").post(&elsewhere.arguments(&there), &body).await.ok();
    let body = json!({"agent_id": agents[1], "text": "another caller"});
    world.account("ann").await.once("key-1").post(&game.arguments(&state), &body).await.ok();
    // A refused command does not use up its key.
    let empty = json!({"agent_id": agents[2], "text": ""});
    api.once("key-2").post(&game.arguments(&state), &empty).await.no(400);
    let better = json!({"agent_id": agents[2], "text": "better"});
    api.once("key-2").post(&game.arguments(&state), &better).await.ok();
    for bad in ["", " ", &"x".repeat(201)] {
        api.once(bad).post(&game.arguments(&state), &better).await.no(400);
    }
}

#[tokio::test]
async fn sitting_down_twice_with_one_key_takes_one_seat() {
    let world = World::open().await;
    let api = &world.api;
    let game = create(api, &json!({})).await;
    let register = async |key: &str, body: Value| api.once(key).post(&game.path("/agents/register"), &body).await;
    let first = register("seat", json!({"display_name": "Alice", "token": null})).await.ok();
    let again = register("seat", json!({"display_name": "Alice", "token": null})).await;
    assert_eq!((again.status, again.ok()), (201, first));
    register("seat", json!({"display_name": "Bob", "token": null})).await.no(409);
    assert_eq!(api.get(&game.path("")).await.ok()["players"], 1);
}

#[tokio::test]
async fn every_command_of_a_game_takes_an_idempotency_key() {
    let world = World::open().await;
    let api = &world.api;
    let mut wrong = Vec::new();
    let mut twice = async |api: &Api, path: String| {
        let first = api.once(&path).post(&path, &json!({})).await;
        let second = api.once(&path).post(&path, &json!({})).await;
        if (first.status, &first.text) != (second.status, &second.text) {
            wrong.push(format!("{path}: {} then {}", first.text, second.text));
        }
    };
    let host = world.account("host").await;
    let mut game = create(&host, &json!({"min_players": 4, "pace_ms": 60000})).await;
    for (name, token) in ["Alice", "Bob", "Charlie"].iter().zip(TOKENS) {
        sit(api, &mut game, name, Some(token)).await;
    }
    twice(&host, game.path("/fill")).await;
    twice(&host, game.path("/start")).await;
    let state = game.state(api).await;
    let one = silent(&state).into_iter().find(|agent| game.agents.contains(agent)).expect("guests argue");
    twice(&host, game.path(&format!("/seats/{one}/hand"))).await;
    let owner = api.with(token_of(&game, &one));
    twice(&owner, game.path(&format!("/seats/{one}/take-back"))).await;
    let other = game.agents.iter().find(|agent| **agent != one).expect("two more guests").clone();
    twice(&api.with(token_of(&game, &other)), game.path("/leave")).await;
    assert!(wrong.is_empty(), "the second answer is not the first: {wrong:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_simultaneous_submissions_by_one_seat_exactly_one_lands() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 50).await;
    let mut runs = 0;
    for _phase in 0..2 {
        let state = game.state(api).await;
        // One stays silent, so that the phase does not move on in the middle.
        for agent in silent(&state).iter().skip(1).take(25) {
            let path = game.arguments(&state);
            let submit = |words: &'static str| {
                let (api, path, body) = (api.clone(), path.clone(), json!({"agent_id": agent, "text": words}));
                tokio::spawn(async move { api.post(&path, &body).await })
            };
            let before = events(api, &game).await;
            let (one, other) = (submit("left"), submit("right"));
            let both = [one.await.expect("it ran"), other.await.expect("it ran")];
            let landed = both.iter().filter(|reply| reply.status == 200).count();
            assert_eq!(landed, 1, "{both:?}");
            let refused = both.iter().find(|reply| reply.status != 200).expect("one of two");
            refused.says(400, "Already submitted argument this phase");
            assert_eq!(events(api, &game).await, before + 1);
            runs += 1;
        }
        api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
    }
    assert_eq!(runs, 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_sent_many_times_at_once_under_one_key_has_one_effect_and_one_answer() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 12).await;
    let state = game.state(api).await;
    for agent in silent(&state).iter().skip(1) {
        let before = events(api, &game).await;
        let sent: Vec<_> = (0..5)
            .map(|_| {
                let (api, path) = (api.once(agent), game.arguments(&state));
                let body = json!({"agent_id": agent, "text": "again and again"});
                tokio::spawn(async move { api.post(&path, &body).await.ok() })
            })
            .collect();
        let mut answers = Vec::new();
        for one in sent {
            answers.push(one.await.expect("it ran and was accepted"));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        assert_eq!(events(api, &game).await, before + 1);
    }
}

#[tokio::test]
async fn a_seat_may_be_taken_back_three_times_and_then_the_house_mind_plays_on() {
    let world = World::open().await;
    let host = world.account("host").await;
    // At this pace the house minds do not finish the trial before the seat is taken back.
    let game = create(&host, &json!({"game_type": "trial", "fill": true, "pace_ms": 60000})).await;
    let seated = host.post(&game.path("/agents/register"), &json!({"display_name": "Host"})).await.ok();
    let back = game.path(&format!("/seats/{}/take-back", text(&seated["agent_id"])));
    for _ in 0..3 {
        host.post_nothing(&game.path("/leave")).await.ok();
        host.post_nothing(&back).await.ok();
    }
    host.post_nothing(&game.path("/leave")).await.ok();
    assert_eq!(host.post_nothing(&back).await.no(400)["error"], "TAKEN_BACK_TOO_OFTEN");
}

#[tokio::test]
async fn who_is_behind_a_name_is_told_to_nobody_else() {
    let world = World::open().await;
    let (ann, bob) = (world.account("ann").await, world.account("bob").await);
    let id = text(&ann.get("/api/auth/me").await.ok()["id"]).to_owned();
    let game = create(&ann, &json!({"min_players": 3})).await;
    let seated = ann.post(&game.path("/agents/register"), &json!({"display_name": "Nobody in particular"})).await.ok();
    let path = game.path(&format!("/open-actions?agent_id={id}"));
    assert_eq!(ann.get(&path).await.ok()["agent_id"], seated["agent_id"], "one's own seat may be named so");
    bob.get(&path).await.no(404);
    world.api.get(&path).await.no(404);
}
