//! Agents of an account: registering them, sitting them down, and looking and acting as one of them.

use crate::world::{Api, Game, World, create, member, members, text};
use serde_json::{Value, json};

async fn register(api: &Api, name: &str) -> String {
    let made = api.post("/api/agents/register", &json!({"name": name})).await;
    assert_eq!(made.status, 201, "{}", made.text);
    text(&made.ok()["id"]).to_owned()
}

#[tokio::test]
async fn an_agent_is_registered_under_a_name_that_its_account_has_once() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let made = ann.post("/api/agents/register", &json!({"name": "  Nell ", "persona_prompt": "Be brief."})).await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!((&made["name"], &made["status"]), (&json!("Nell"), &json!("active")));
    ann.post("/api/agents/register", &json!({"name": "Nell"}))
        .await
        .says(409, "The name of this agent is taken already.");
    register(&ben, "Nell").await;
    register(&ann, &"이".repeat(40)).await;
    for wrong in ["", " ", "two\nlines", &"x".repeat(41)] {
        let problem = ann.post("/api/agents/register", &json!({"name": wrong})).await.no(400);
        assert!(text(&problem["detail"]).contains("\"name\""), "{problem}");
    }
    let longest = json!({"name": "Long", "persona_prompt": "말".repeat(2000)});
    ann.post("/api/agents/register", &longest).await.ok();
    let longer = json!({"name": "Longer", "persona_prompt": "말".repeat(2001)});
    ann.post("/api/agents/register", &longer).await.no(400);
    world.api.post("/api/agents/register", &json!({"name": "Nobody's"})).await.no(401);
    world.api.with("just-a-token").post("/api/agents/register", &json!({"name": "Nobody's"})).await.no(401);
}

#[tokio::test]
async fn nobody_has_more_than_50_agents() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    for number in 0..50 {
        register(&ann, &format!("Agent {number}")).await;
    }
    let problem = ann.post("/api/agents/register", &json!({"name": "One more"})).await.no(400);
    assert_eq!(problem["error"], "TOO_MANY_AGENTS");
}

#[tokio::test]
async fn a_persona_is_seen_by_its_owner_only() {
    let world = World::open().await;
    let (ann, account) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let made = ann.post("/api/agents/register", &json!({"name": "Nell", "persona_prompt": "Be brief."})).await.ok();
    let mine = ann.get("/api/agents/me").await.ok();
    assert_eq!(mine["agents"][0]["persona_prompt"], "Be brief.");
    assert_eq!((&mine["account"]["id"], &mine["account"]["name"]), (&json!(account.to_string()), &json!("ann")));
    assert_eq!(ben.get("/api/agents/me").await.ok()["agents"], json!([]));
    for api in [&world.api, &ben, &ann] {
        let shown = api.get(&format!("/api/agents/{}", text(&made["id"]))).await;
        assert!(!shown.text.contains("brief"), "{}", shown.text);
        let shown = shown.ok();
        assert_eq!((&shown["name"], &shown["owner"]), (&json!("Nell"), &json!("ann")));
        assert_eq!((&shown["statistics"], &shown["last_games"]), (&json!([]), &json!([])));
    }
}

#[tokio::test]
async fn an_account_plays_under_its_own_id() {
    let world = World::open().await;
    let (ann, account) = member(&world, "ann").await;
    let shown = world.api.get(&format!("/api/agents/{account}")).await.ok();
    assert_eq!((&shown["name"], &shown["owner"]), (&json!("ann"), &json!("ann")));
    let joined =
        ann.post("/api/games/join", &json!({"game_type": "trial", "agent_id": account.to_string()})).await.ok();
    assert_eq!(ann.post("/api/games/join", &json!({"game_type": "trial"})).await.ok(), joined);
}

/// An unrated table hosted by Ann, with two of her agents and herself seated.
async fn family(world: &World) -> (Api, Game, Vec<String>) {
    let (ann, _) = member(world, "ann").await;
    let game = create(&ann, &json!({"min_players": 3})).await;
    let agents = [register(&ann, "Nell").await, register(&ann, "Odo").await];
    for agent in &agents {
        ann.post(&game.path("/agents/register"), &json!({"agent_id": agent})).await.ok();
    }
    ann.post(&game.path("/agents/register"), &json!({"display_name": "Ann herself"})).await.ok();
    (ann, game, agents.to_vec())
}

#[tokio::test]
async fn agents_of_one_account_meet_at_an_unrated_table_under_their_own_names() {
    let world = World::open().await;
    let (ann, game, agents) = family(&world).await;
    let (ben, _) = member(&world, "ben").await;
    let names: Vec<String> = game.state(&world.api).await["coverage"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|seat| text(&seat["display_name"]).to_owned())
        .collect();
    assert_eq!(names, ["Nell", "Odo", "Ann herself"]);
    let again = json!({"agent_id": agents[0]});
    ann.post(&game.path("/agents/register"), &again).await.says(400, "You already have a seat at this table.");
    ben.post(&game.path("/agents/register"), &again).await.no(403);
    world.api.post(&game.path("/agents/register"), &again).await.no(401);
    ben.post(&game.path("/agents/register"), &json!({"agent_id": "nonsense"})).await.no(404);
    ben.post(&game.path("/agents/register"), &json!({})).await.no(400);
}

#[tokio::test]
async fn a_player_with_several_seats_says_which_of_them_acts() {
    let world = World::open().await;
    let (ann, game, agents) = family(&world).await;
    let (ben, _) = member(&world, "ben").await;
    ann.post_nothing(&game.path("/start")).await.ok();
    let words = json!({"type": "argument", "text": "for my own"});
    assert_eq!(ann.post(&game.path("/action"), &words).await.no(400)["error"], "WHICH_SEAT");
    let mut acted = 0;
    for agent in &agents {
        let open = ann.get(&game.path(&format!("/open-actions?agent_id={agent}"))).await.ok();
        let own = ann.get(&game.path(&format!("/state?agent_id={agent}"))).await.ok();
        assert_eq!(own["self"]["agent_id"], open["agent_id"], "the registered id and the seat's name one seat");
        assert_eq!(own["self"]["role"], open["role"]);
        if open["can_act"] == true {
            let mut words = words.clone();
            words["agent_id"] = json!(agent);
            // A registered id names nothing for other accounts; the seat's own id does, but the seat is not theirs.
            ben.post(&game.path("/action"), &words).await.no(400);
            let named = json!({"type": "argument", "text": "Not mine.", "agent_id": open["agent_id"]});
            ben.post(&game.path("/action"), &named).await.no(403);
            ann.post(&game.path("/action"), &words).await.ok();
            acted += 1;
        }
    }
    assert!(acted > 0, "two of three argue");
}

async fn first_of_stream(api: &Api, path: &str) -> Value {
    let mut stream = api.request(reqwest::Method::GET, path).send().await.expect("the stream opens");
    let mut got = String::new();
    while !got.contains("\n\n") {
        let piece = stream.chunk().await.expect("it is sound").expect("it goes on");
        got.push_str(std::str::from_utf8(&piece).expect("text"));
    }
    let data = got.lines().find_map(|line| line.strip_prefix("data: ")).expect("a message");
    serde_json::from_str(data).expect("JSON")
}

#[tokio::test]
async fn nobody_looks_through_a_seat_that_is_not_its_own() {
    let world = World::open().await;
    let (ann, game, agents) = family(&world).await;
    let (ben, _) = member(&world, "ben").await;
    ann.post_nothing(&game.path("/start")).await.ok();
    for path in [game.path("/state"), game.path("/stream"), format!("/ws/games/{}", game.id)] {
        let path = |agent: &str| format!("{path}?agent_id={agent}");
        let seat = ann.get(&game.path(&format!("/open-actions?agent_id={}", agents[1]))).await.ok();
        world.api.get(&path(text(&seat["agent_id"]))).await.no(401);
        ben.get(&path(text(&seat["agent_id"]))).await.no(403);
        ben.get(&path(&agents[1])).await.no(404);
        ann.get(&path("nonsense")).await.no(404);
    }
    let mine = first_of_stream(&ann, &game.path(&format!("/stream?agent_id={}", agents[1]))).await;
    assert_eq!(mine["state"]["self"]["display_name"], "Odo");
}

#[tokio::test]
async fn a_deleted_account_takes_its_agents_along() {
    let world = World::open().await;
    let ann = world.account("ann").await;
    let body = json!({"name": "Nell of Ann", "persona_prompt": "Be brief."});
    let agent = text(&ann.post("/api/agents/register", &body).await.ok()["id"]).to_owned();
    let account = text(&ann.get("/api/auth/me").await.ok()["id"]).to_owned();
    ann.delete("/api/auth/me", &json!({"password": "ann has a long password"})).await.ok();
    for id in [agent, account] {
        world.api.get(&format!("/api/agents/{id}")).await.no(404);
    }
    let left: i64 = world
        .database()
        .query_row("select count(*) from agents where name like '%Nell%' or persona is not null", [], |row| row.get(0))
        .expect("it can be counted");
    assert_eq!(left, 0, "nothing personal is left");
}

#[tokio::test]
async fn a_trial_is_for_accounts() {
    let world = World::open().await;
    let problem = world.api.post("/api/games", &json!({"game_type": "trial"})).await.no(401);
    assert!(text(&problem["detail"]).contains("Only accounts play this game"), "{problem}");
    assert_eq!(world.api.get("/api/games").await.ok(), json!([]), "nothing was made");
    let members = members(&world, 2).await;
    let game = create(&members[0], &json!({"game_type": "trial"})).await;
    let guest = json!({"display_name": "Guest", "token": "a-guests-token"});
    for api in [&world.api, &members[1]] {
        assert_eq!(api.post(&game.path("/agents/register"), &guest).await.no(401)["error"], "ACCOUNT_NEEDED");
    }
    members[1].post(&game.path("/agents/register"), &json!({"display_name": "A member"})).await.ok();
    assert_eq!(members[0].get(&game.path("")).await.ok()["players"], 1);
}
