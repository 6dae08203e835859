//! Clients that take the seeds at their word: they send what a seed names, read what it promises, and know nothing else of Moot.

use crate::world::{Api, Game, Program, TempDir, World, member, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Most requests of one client.
const REQUESTS_MAX: usize = 600;

/// Seed 003's six steps, and nothing else: no `advance`, no fields that it does not name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_of_the_six_steps_without_advance_reaches_the_end() {
    let world = World::open().await;
    let api = &world.api;
    let made = api.post("/api/games", &json!({"min_players": 3})).await.ok();
    let game = text(&made["game_id"]).to_owned();
    let mut agents = vec![];
    for name in ["Alice", "Bob", "Charlie"] {
        let body = json!({"display_name": name, "token": null});
        agents.push(
            text(&api.post(&format!("/api/games/{game}/agents/register"), &body).await.ok()["agent_id"]).to_owned(),
        );
    }
    api.post(&format!("/api/games/{game}/start"), &json!({})).await.ok();
    let mut state = api.get(&format!("/api/games/{game}/state?version=0")).await.ok();
    for _ in 0..REQUESTS_MAX {
        if state["status"] == "game_completed" {
            break;
        }
        let round = state["current_round_id"].as_str().unwrap_or_default().to_owned();
        for agent in &agents {
            let open = api.get(&format!("/api/games/{game}/open-actions?agent_id={agent}")).await.ok();
            if open["allowed_action"] == "argument" {
                assert!(["majority", "minority"].contains(&text(&open["role"])), "{open}");
                let body = json!({"agent_id": agent, "text": "Save my side, because we are here."});
                api.post(&format!("/api/games/{game}/rounds/{round}/arguments"), &body).await.ok();
            }
            if state["current_phase"] == "awaiting_decision" && open["role"] == "operator" {
                let body = json!({"agent_id": agent, "decision": "save_minority"});
                api.post(&format!("/api/games/{game}/rounds/{round}/decision"), &body).await;
            }
        }
        // Polling: held until something changes, so that the test does not ask a thousand times.
        let path = format!("/api/games/{game}/state?version={}&wait=1", state["version"]);
        state = api.get(&path).await.ok();
    }
    assert_eq!(state["status"], "game_completed");
    assert_eq!(api.get(&format!("/api/games/{game}/history")).await.ok()["rounds"].as_array().map(Vec::len), Some(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_the_api_go_on_by_themselves_unless_they_are_told_not_to() {
    let world = World::open().await;
    let setup = async |body: Value| {
        world.api.post("/api/games", &body).await.ok();
        newest_advance(&world)
    };
    assert_eq!(setup(json!({})).await, 5);
    assert_eq!(setup(json!({"auto_advance_s": 0})).await, 0);
    assert_eq!(setup(json!({"auto_advance_s": null})).await, Value::Null);
    world.api.post("/api/demo/create", &json!({})).await.ok();
    assert_eq!(newest_advance(&world), 5);
}

/// After how many seconds the newest table goes on, by its log.
fn newest_advance(world: &World) -> Value {
    let sql = "select cast(body as text) from events where seq = 1 order by game desc limit 1";
    let body: String = world.database().query_row(sql, [], |row| row.get(0)).expect("there is a game");
    let created: Value = serde_json::from_str(&body).expect("it is JSON");
    created.pointer("/created/setup/auto_advance_s").cloned().unwrap_or_default()
}

/// Six accounts at one trial.
async fn six(world: &World, lang: &str) -> (Game, Vec<Api>) {
    let mut players = vec![];
    let mut game = String::new();
    for name in ["ann", "ben", "cleo", "dan", "eve", "fay"] {
        let (api, _) = member(world, &format!("{name}-{lang}")).await;
        let joined = api.post("/api/games/join", &json!({"game_type": "trial", "lang": lang})).await.ok();
        game = text(&joined["game_id"]).to_owned();
        players.push(api);
    }
    (Game { id: game, agents: vec![] }, players)
}

/// Plays what seed 000 and `api.md` say, with bodies that have no type where their meaning is plain.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_of_the_trials_seed_reaches_the_verdict_and_passes_where_it_has_no_part() {
    let world = World::open().await;
    let (game, players) = six(&world, "ko").await;
    let mut phases: BTreeSet<String> = BTreeSet::new();
    let mut passes = 0;
    for _ in 0..REQUESTS_MAX {
        if text(&game.state(&players[0]).await["gameStatus"]) == "finished" {
            break;
        }
        for (number, player) in players.iter().enumerate() {
            let state = game.state(player).await;
            if state["gameStatus"] == "finished" {
                break;
            }
            phases.insert(text(&state["phase"]).to_owned());
            let body = match text(&state["expected_action"]) {
                "speak" => {
                    json!({"text": format!("{number}번 자리에서 드리는 말씀입니다. {}단계 {}회.", state["phase"], state["round"])})
                }
                "vote" => {
                    let told = &state["action_instruction"];
                    assert!(text(&told["verdict"]).contains("GUILTY | NOT_GUILTY"), "neutral: {told}");
                    json!({"verdict": if number % 2 == 0 { "GUILTY" } else { "NOT_GUILTY" }})
                }
                "pass" => json!({"type": "pass"}),
                _ => continue,
            };
            let answer = player.post(&game.path("/action"), &body).await.ok();
            assert_eq!(answer["success"], true, "{answer}");
            passes += usize::from(answer["result"] == "pass");
        }
    }
    let ended = game.state(&players[0]).await;
    assert_eq!(ended["gameStatus"], "finished", "{ended}");
    assert!(
        passes > 0
            && phases
                .is_superset(&["opening", "argument", "rebuttal", "jury_vote", "verdict"].map(String::from).into())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instruction_is_in_the_tables_language_and_is_no_speech() {
    let world = World::open().await;
    for (lang, script) in [("ko", "한 문장"), ("en", "One sentence")] {
        let (game, players) = six(&world, lang).await;
        let state = game.state(&players[0]).await;
        let told = &state["action_instruction"];
        assert!(text(&told["text"]).contains(script), "{told}");
        for words in [text(&told["text"]).to_owned(), told.to_string()] {
            let body = json!({"type": "speak", "text": words});
            let refused = players[0].post(&game.path("/action"), &body).await.no(400);
            assert_eq!(refused["error"], "INSTRUCTION_REPEATED", "{refused}");
            assert_eq!(refused["expected_action"], "speak", "{refused}");
        }
        assert_eq!(players[0].post(&game.path("/action"), told).await.no(400)["error"], "INSTRUCTION_REPEATED");
    }
}

/// Posts nothing but what refusals hint at.
async fn hinted(path: &str, player: &Api, agents: &[String]) -> usize {
    let mut posted = 0;
    for agent in agents.iter().map(Some).chain(agents.is_empty().then_some(None)) {
        let with = |mut body: Value| {
            if let Some(agent) = agent {
                body["agent_id"] = json!(agent);
            }
            body
        };
        let refused = player.post(path, &with(json!({"type": "what is there to do?", "event": "NOTHING"}))).await;
        if refused.status < 400 {
            continue;
        }
        let problem = refused.json();
        for field in ["expected_action", "hint"] {
            assert!(problem.get(field).is_some(), "every refusal has {field}: {problem}");
        }
        if problem["hint"].is_object() {
            player.post(path, &with(problem["hint"].clone())).await.ok();
            posted += 1;
        }
    }
    posted
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_posts_each_hint_reaches_the_end_of_whole_games() {
    let world = World::open().await;
    let over = async |game: &Game, api: &Api, ends: &str| game.state(api).await["status"] == ends;

    // The trolley: three open seats, and the table that moves on by itself.
    let mut trolley = crate::world::create(&world.api, &json!({"min_players": 3})).await;
    for name in ["Alice", "Bob", "Charlie"] {
        crate::world::sit(&world.api, &mut trolley, name, None).await;
    }
    world.api.post_nothing(&trolley.path("/start")).await.ok();
    for _ in 0..REQUESTS_MAX {
        if over(&trolley, &world.api, "game_completed").await {
            break;
        }
        if hinted(&trolley.path("/action"), &world.api, &trolley.agents).await == 0 {
            let state = trolley.state(&world.api).await;
            world.api.get(&trolley.path(&format!("/state?wait=6&version={}", state["version"]))).await.ok();
        }
    }
    assert!(over(&trolley, &world.api, "game_completed").await);

    // The trial: six accounts.
    let (trial, players) = six(&world, "en").await;
    for _ in 0..60 {
        for player in &players {
            hinted(&trial.path("/action"), player, &[]).await;
        }
    }
    assert!(over(&trial, &players[0], "end").await || game_over(&trial, &players[0]).await);

    // Mercury: hints of `/advance` are bodies for `/advance`.
    let made = world.api.post("/api/games", &json!({"game_type": "mercury"})).await.ok();
    let meeting = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let player = world.api.with(text(&made["player_token"]));
    for _ in 0..REQUESTS_MAX {
        if over(&meeting, &player, "REVIEW").await {
            break;
        }
        if hinted(&meeting.path("/advance"), &player, &[]).await == 0 {
            let state = meeting.state(&player).await;
            player.get(&meeting.path(&format!("/state?wait=2&version={}", state["version"]))).await.ok();
        }
    }
    assert!(over(&meeting, &player, "REVIEW").await);

    // The Tribunal.
    let made = world.api.post("/api/games", &json!({"game_type": "tribunal", "exchanges": 2})).await.ok();
    let tribunal = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let player = world.api.with(text(&made["player_token"]));
    for _ in 0..REQUESTS_MAX {
        if over(&tribunal, &player, "completed").await {
            break;
        }
        if hinted(&tribunal.path("/action"), &player, &[]).await == 0 {
            let state = tribunal.state(&player).await;
            player.get(&tribunal.path(&format!("/state?wait=2&version={}", state["version"]))).await.ok();
        }
    }
    assert!(over(&tribunal, &player, "completed").await);
}

async fn game_over(game: &Game, api: &Api) -> bool {
    game.state(api).await["gameStatus"] == "finished"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_are_the_seeds_sentences_and_true() {
    let world = World::open().await;
    let game = crate::world::create(&world.api, &json!({"min_players": 3})).await;
    let refused = world.api.post_nothing(&game.path("/start")).await.no(400);
    assert_eq!(refused["detail"], "Not enough players");
    for (wrong, says) in
        [(json!(-1), "not -1."), (json!(2), "not 2."), (json!(3.5), "not 3.5."), (json!("3"), "not a string.")]
    {
        let refused = world.api.post("/api/games", &json!({"min_players": wrong})).await.no(400);
        assert!(text(&refused["detail"]).ends_with(says), "{refused}");
    }
    // The round that has just been resolved: the two sentences of the seed about phases.
    let game = crate::world::open_game(&world.api, 3).await;
    world.api.post(&game.path("/advance"), &json!({"action": "force_decision"})).await.ok();
    let state = game.state(&world.api).await;
    let round = text(&state["current_round_id"]).to_owned();
    let operator = text(&state["operator"]["id"]).to_owned();
    let other = text(&state["majority_agents"][0]["id"]).to_owned();
    let post =
        async |what: &str, body: Value| world.api.post(&game.path(&format!("/rounds/{round}/{what}")), &body).await;
    let argue = json!({"agent_id": other, "text": "Wait."});
    let decide = json!({"agent_id": operator, "decision": "save_majority"});
    assert_eq!(post("arguments", argue.clone()).await.no(400)["detail"], "Not in a debate phase");
    post("decision", decide.clone()).await.ok();
    assert_eq!(post("arguments", argue).await.no(400)["detail"], "Not in a debate phase");
    assert_eq!(post("decision", decide).await.no(400)["detail"], "Not in decision phase");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_only_agent_of_an_account_is_the_one_that_joins_and_a_feed_can_be_read_from_its_end() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let agent = ann.post("/api/agents/register", &json!({"name": "Solo"})).await.ok();
    let joined = ann.post("/api/games/join", &json!({"game_type": "trolley"})).await.ok();
    let game = Game { id: text(&joined["game_id"]).to_owned(), agents: vec![] };
    let feed = ann.get(&game.path("/feed")).await.ok();
    assert!(feed.to_string().contains("Solo"), "{agent} sits down: {feed}");
    let back = ann.get(&game.path("/feed?order=desc")).await.ok();
    let mut items = back["items"].as_array().expect("a list").clone();
    items.reverse();
    assert_eq!(items, *feed["items"].as_array().expect("a list"));
    assert_eq!(ann.get(&game.path("/feed?order=up")).await.no(400)["error"], "INVALID_QUERY");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_seeds_own_case_file_takes_the_place_of_the_built_in_cases() {
    let dir = TempDir::new();
    let briefs = TempDir::new();
    std::fs::create_dir(briefs.path().join("trial")).expect("a folder");
    let cases = json!([
        {
            "case_id": "case_001", "title": "AI 저작권 침해 사건",
            "description": "AI 에이전트가 타인의 창작물을 무단으로 학습 데이터에 포함시켜 유사 콘텐츠를 생성했다는 혐의",
            "evidence_for": ["학습 데이터 로그에 해당 저작물 포함 확인", "생성물과 원본 유사도 85% 이상"],
            "evidence_against": ["저작물 특정 불가능", "공정 이용 범위 내 학습"]
        },
        {
            "case_id": "case_002", "title": "자율주행 과실 사건",
            "description": "자율주행 AI가 보행자 충돌 사고를 일으켰으나 제조사는 센서 오작동을 주장. 이 파일의 것.",
            "evidence_for": ["사고 당시 주행 데이터 정상", "안전거리 미확보 로그"],
            "evidence_against": ["센서 캘리브레이션 오류 기록", "동일 조건 재현 불가"]
        }
    ]);
    std::fs::write(briefs.path().join("trial/cases.json"), cases.to_string()).expect("it is written");
    let path = briefs.path().to_str().expect("a path").to_owned();
    let server = Program::serve(dir.path(), &["--briefs", &path]);
    let body = json!({"email": "ann@example.org", "username": "ann", "password": "a long password of mine"});
    server.api.post("/api/auth/register", &body).await.ok();
    let session = server.api.post("/api/auth/login", &body).await.ok();
    let ann = server.api.with(text(&session["access_token"]));
    let options = json!({"game_type": "trial", "lang": "ko", "case_id": "case_002", "fill": true});
    let made = ann.post("/api/games", &options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    ann.post(&game.path("/agents/register"), &json!({"display_name": "ann", "token": null})).await.ok();
    let mut state = game.state(&ann).await;
    assert!(text(&state["case"]["description"]).ends_with("이 파일의 것."), "{}", state["case"]);
    // House counsel argue it from its facts, to the end.
    for _ in 0..REQUESTS_MAX {
        match text(&state["expected_action"]) {
            "speak" => {
                drop(ann.post(&game.path("/action"), &json!({"text": "사고 당시 주행 데이터는 정상이었습니다."})).await)
            }
            "vote" => drop(ann.post(&game.path("/action"), &json!({"verdict": "GUILTY"})).await),
            _ => {}
        }
        if state["gameStatus"] == "finished" {
            break;
        }
        state = ann.get(&game.path(&format!("/state?wait=2&version={}", state["version"]))).await.ok();
    }
    assert_eq!(state["gameStatus"], "finished");
}

/// A meeting as its player sees it, in English.
async fn meeting(server: &Program) -> (Game, Api) {
    let made = server.api.post("/api/games", &json!({"game_type": "mercury"})).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    (game, server.api.with(text(&made["player_token"])))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_reference_table_is_seen_in_new_meetings_and_in_no_old_one() {
    let dir = TempDir::new();
    let briefs = TempDir::new();
    let tables = briefs.path().join("mercury");
    std::fs::create_dir(&tables).expect("a folder");
    let edit = |name: &str, from: &str, to: &str| {
        let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../briefs/mercury").join(name);
        let file = std::fs::read_to_string(shipped).expect("it is there");
        assert!(file.contains(from), "{name} has {from}");
        std::fs::write(tables.join(name), file.replace(from, to)).expect("it is written");
    };
    let path = briefs.path().to_str().expect("a path").to_owned();
    let title =
        async |game: &Game, api: &Api| text(&game.state(api).await["round3"]["issues"][0]["issue_title"]).to_owned();

    // An old meeting, played by what ships with Moot.
    let server = Program::serve(dir.path(), &[]);
    let (old, player) = meeting(&server).await;
    assert_eq!(title(&old, &player).await, "Form of global action");
    let token = player;
    drop(server);

    edit("issue_definitions.en.json", "Form of global action", "What the world should do");
    edit("opening_variants.en.json", "Brazil thanks Japan for taking the chair", "Brazil greets Japan in the chair");
    edit("japan_scripts.en.json", "The first round is open.", "The edited round is open.");
    edit("japan_scripts.en.json", "The first round is open.", "The edited round is open.");
    edit("ima_excerpts.en.json", "Elemental mercury can remain", "Elemental quicksilver can remain");
    let server = Program::serve(dir.path(), &["--briefs", &path]);
    let token = server.api.with(token.secret());
    assert_eq!(title(&old, &token).await, "Form of global action", "the old meeting keeps its tables");
    assert!(!game_text(&old, &token).await.contains("quicksilver"));
    let (new, player) = meeting(&server).await;
    assert_eq!(title(&new, &player).await, "What the world should do");
    assert!(game_text(&new, &player).await.contains("quicksilver"));
    drop(server);

    // Without the directory, the meeting that named those tables still has them: they are in the database.
    let server = Program::serve(dir.path(), &[]);
    let player = server.api.with(player.secret());
    assert_eq!(title(&new, &player).await, "What the world should do");
    let (newest, player) = meeting(&server).await;
    assert_eq!(title(&newest, &player).await, "Form of global action");
    drop(server);
    let db = rusqlite::Connection::open(dir.path().join("moot.db")).expect("it opens");
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("it counts");
    assert_eq!(count("select count(distinct reference) from issue_definitions where lang = 'en'"), 2);
    assert_eq!(count("select count(*) from opening_variants where lang = 'ko'"), 36);
    assert!(count("select count(*) from ima_excerpts") > 20 && count("select count(*) from japan_scripts") > 100);
    let (well, said) = crate::world::moot(&["verify"], dir.path());
    assert!(well, "{said}");
    db.execute("update issue_definitions set body = replace(body, 'What the world', 'Whatever the world')", [])
        .expect("it is changed");
    drop(db);
    let (well, said) = crate::world::moot(&["verify"], dir.path());
    assert!(!well && said.contains("issue_definitions"), "{said}");
}

async fn game_text(game: &Game, api: &Api) -> String {
    api.get(&game.path("/state")).await.text
}

#[test]
fn a_reference_table_that_cannot_be_played_stops_the_start_with_its_name() {
    let dir = TempDir::new();
    let briefs = TempDir::new();
    std::fs::create_dir(briefs.path().join("mercury")).expect("a folder");
    std::fs::write(briefs.path().join("mercury/japan_scripts.en.json"), "{\"proposal\": []}").expect("it is written");
    let path = briefs.path().to_str().expect("a path").to_owned();
    let (well, said) = crate::world::moot(&["serve", "--listen", "127.0.0.1:0", "--briefs", &path], dir.path());
    assert!(!well && said.contains("japan_scripts.en.json"), "{said}");
}
