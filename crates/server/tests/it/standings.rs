//! What a finished game brings: results with its last event, totals and ratings after them, and the leaderboard.

use crate::world::{Api, Game, World, before_sales, finished_table, member, members, text};
use engine::id::AccountId;
use engine::roster::{Holder, TableCommand, Terms};
use moot::play::Plan;
use rusqlite::params;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::Store;

/// Plays a trial by as many clients as there are seats; jurors vote guilty if their number in the list is even.
async fn try_case(members: &[Api], game: &Game) -> Value {
    for _ in 0..400 {
        let state = game.state(&members[0]).await;
        if state["gameStatus"] == "finished" {
            return state;
        }
        for (number, api) in members.iter().enumerate() {
            let own = game.state(api).await;
            let allowed = own["allowed_actions"].as_array().expect("a list");
            let verdict = if number % 2 == 0 { "GUILTY" } else { "NOT_GUILTY" };
            match allowed.first().and_then(Value::as_str) {
                Some("vote") => {
                    api.post(&game.path("/action"), &json!({"type": "vote", "verdict": verdict})).await.ok();
                }
                Some(_) => {
                    drop(api.post(&game.path("/action"), &json!({"type": "speak", "text": "So be it."})).await.ok())
                }
                None => {}
            }
        }
    }
    panic!("the trial never ended: {}", game.state(&members[0]).await)
}

async fn join(api: &Api, kind: &str) -> Game {
    let joined = api.post("/api/games/join", &json!({"game_type": kind})).await.ok();
    Game { id: text(&joined["game_id"]).to_owned(), agents: vec![] }
}

async fn own(api: &Api) -> Value {
    api.get("/api/agents/me").await.ok()["account"].clone()
}

/// What the votes of a finished trial bring a seat in this role: points, and whether it won.
fn expected(role: &str, vote: Option<&str>, verdict: &str) -> (u32, bool) {
    let won = match role {
        "PROSECUTOR" => verdict == "GUILTY",
        "DEFENSE" => verdict == "NOT_GUILTY",
        "JUROR" => vote == Some(verdict),
        _ => return (100, false),
    };
    (if won { 200 } else { 50 }, won)
}

#[tokio::test]
async fn six_accounts_play_a_rated_trial_and_each_gets_what_the_votes_say() {
    let world = World::open().await;
    let members = members(&world, 6).await;
    let mut game = Game { id: String::new(), agents: vec![] };
    for api in &members {
        game = join(api, "trial").await;
    }
    try_case(&members, &game).await;
    let mut votes = BTreeMap::new();
    let mut roles = Vec::new();
    for (number, api) in members.iter().enumerate() {
        let state = game.state(api).await;
        let role = text(&state["self"]["role"]).to_owned();
        if role == "JUROR" {
            votes.insert(number, if number % 2 == 0 { "GUILTY" } else { "NOT_GUILTY" });
        }
        roles.push(role);
    }
    let guilty = votes.values().filter(|vote| **vote == "GUILTY").count();
    let verdict = if guilty >= 2 { "GUILTY" } else { "NOT_GUILTY" };
    for (number, api) in members.iter().enumerate() {
        let (points, won) = expected(&roles[number], votes.get(&number).copied(), verdict);
        let me = own(api).await;
        let total = json!({
            "game_type": "trial", "role": roles[number], "rated": true, "games": 1, "wins": u32::from(won), "points": points,
        });
        assert_eq!(me["statistics"], json!([total]));
        let rating = &me["ratings"][0];
        assert_eq!((&rating["games"], &rating["points"]), (&json!(1), &json!(points)));
        let (mu, sigma) = (rating["mu"].as_f64().expect("a number"), rating["sigma"].as_f64().expect("a number"));
        match roles[number].as_str() {
            "PROSECUTOR" | "DEFENSE" => assert!((mu > 25.0) == won && sigma < 25.0 / 3.0, "{rating}"),
            _ => assert!(mu == 25.0 && sigma == 8.333, "only prosecution and defense are compared: {rating}"),
        }
        let shown = world.api.get(&format!("/api/agents/{}", text(&me["id"]))).await.ok();
        let last = &shown["last_games"][0];
        assert_eq!((&last["game_id"], &last["won"], &last["points"]), (&json!(game.id), &json!(won), &json!(points)));
    }
    let board = world.api.get("/api/agents/leaderboard?game_type=trial").await.ok();
    let order: Vec<(f64, u64)> = board["agents"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| (row["rating"].as_f64().expect("a number"), row["points"].as_u64().expect("a number")))
        .collect();
    assert_eq!(order.len(), 6);
    assert!(order.windows(2).all(|pair| pair[0].0 > pair[1].0 || pair[0].0 == pair[1].0 && pair[0].1 >= pair[1].1));
    world.verify().expect("what was stored is sound");
}

#[tokio::test]
async fn results_are_in_the_transaction_of_the_last_event() {
    // As soon as a game is over on disk, its results are on disk too.
    let world = World::open().await;
    let seats = [member(&world, "a").await.1, member(&world, "b").await.1, member(&world, "c").await.1];
    let watched = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let dir = crate::world::TempDir::new();
    let (path, seen) = (dir.path().to_owned(), watched.clone());
    let store = moot::play::records::open_watched(dir.path(), move || {
        // Right before each commit other readers see the state before it: finished games and results must change together.
        let db = Store::open_to_read(&path).expect("it can be read");
        let count = |sql: &str| db.raw().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("it can be counted");
        let over = count("select count(*) from game_state where progress = 2");
        seen.lock().expect("no holder panics").push((over, count("select count(*) from results")));
    });
    let world = World::over(dir, store.expect("a new database opens"), moot::settings::Settings::default()).await;
    finished_table(&world.house, "trolley", true, &seats.map(Holder::Account)).await;
    finished_table(&world.house, "trolley", false, &seats.map(Holder::Account)).await;
    let seen = watched.lock().expect("no holder panics").clone();
    assert!(seen.contains(&(1, 3)), "the first game was over while the second was played");
    assert!(seen.iter().all(|(over, results)| *results == over * 3), "{seen:?}");
    let rows: i64 = world.database().query_row("select count(*) from results", [], |row| row.get(0)).expect("a count");
    assert_eq!(rows, 6);
}

fn rating_rows(world: &World) -> i64 {
    world.database().query_row("select count(*) from ratings", [], |row| row.get(0)).expect("it can be counted")
}

#[tokio::test]
async fn an_unrated_game_brings_points_and_leaves_ratings_alone() {
    let world = World::open().await;
    let (ann, id) = member(&world, "ann").await;
    let others = [member(&world, "b").await.1, member(&world, "c").await.1].map(Holder::Account);
    let seats = [Holder::Account(id), others[0], others[1]];
    finished_table(&world.house, "trolley", false, &seats).await;
    let me = own(&ann).await;
    assert_eq!(me["ratings"], json!([]));
    assert_eq!((&me["statistics"][0]["rated"], &me["statistics"][0]["games"]), (&json!(false), &json!(1)));
    assert_eq!(world.api.get("/api/agents/leaderboard").await.ok()["agents"], json!([]));
    finished_table(&world.house, "trolley", true, &seats).await;
    let me = own(&ann).await;
    assert_eq!(me["ratings"][0]["games"], 1, "only the rated one counts: {me}");
    assert_eq!(me["statistics"].as_array().map(Vec::len), Some(2), "and they are told apart");
}

#[tokio::test]
async fn with_a_house_mind_from_the_start_no_game_is_rated() {
    let world = World::open().await;
    let seats = [member(&world, "a").await.1, member(&world, "b").await.1].map(Holder::Account);
    finished_table(&world.house, "trolley", true, &[seats[0], seats[1], Holder::House]).await;
    assert_eq!(rating_rows(&world), 0);
    let rows: Vec<(i64, bool)> = {
        let db = world.database();
        let mut query = db.prepare("select seat, rated from results order by seat").expect("a table");
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    };
    assert_eq!(rows, [(0, false), (1, false)], "the house mind's seat keeps no result");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_leaves_a_rated_game_has_lost_it_and_nobody_moves_it_on_by_hand() {
    let world = World::open().await;
    let members = members(&world, 5).await;
    let mut game = Game { id: String::new(), agents: vec![] };
    for api in &members {
        game = join(api, "trolley").await;
    }
    let pushed = json!({"type": "advance", "action": "force_decision"});
    let refused = members[0].post(&game.path("/action"), &pushed).await.no(403);
    assert_eq!(refused["detail"], "A rated table moves by itself; nobody hosts it.");
    members[4].post(&game.path("/leave"), &json!({})).await.ok();
    let table = moot::play::live::table(&world.house, game.id.parse().expect("an id")).await.expect("it is there");
    crate::world::play_out(&world.house, &table).await;
    let left = own(&members[4]).await;
    let lost = &left["statistics"][0];
    assert_eq!((&lost["games"], &lost["wins"], &lost["points"]), (&json!(1), &json!(0), &json!(0)), "{left}");
    let worst = left["ratings"][0]["rating"].as_f64().expect("a number");
    for api in &members[..4] {
        let me = own(api).await;
        assert_eq!((&me["statistics"][0]["games"], &me["ratings"][0]["games"]), (&json!(1), &json!(1)));
        assert!(me["ratings"][0]["rating"].as_f64().expect("a number") > worst, "{me}");
    }
    world.verify().expect("what was stored is sound");
}

#[tokio::test]
async fn agents_are_counted_apart_from_their_account() {
    let world = World::open().await;
    let (ann, account) = member(&world, "ann").await;
    let others = [member(&world, "b").await.1, member(&world, "c").await.1].map(Holder::Account);
    let agent = text(&ann.post("/api/agents/register", &json!({"name": "Nell"})).await.ok()["id"]).to_owned();
    let id = engine::id::AgentId(agent.parse().expect("an id"));
    finished_table(&world.house, "trolley", true, &[Holder::Agent { account, agent: id }, others[0], others[1]]).await;
    let mine = ann.get("/api/agents/me").await.ok();
    assert_eq!(mine["account"]["statistics"], json!([]));
    assert_eq!(mine["agents"][0]["statistics"][0]["games"], 1);
    let board = world.api.get("/api/agents/leaderboard?game_type=trolley").await.ok();
    let nell = board["agents"].as_array().expect("a list").iter().find(|row| row["name"] == "Nell").cloned();
    let nell = nell.expect("she is on it");
    assert_eq!((&nell["agent_id"], &nell["owner"]), (&json!(agent), &json!("ann")));
}

/// A world where nine accounts have played rated games of trolley against each other.
async fn season(games: usize) -> (World, Vec<AccountId>) {
    let world = World::open().await;
    let mut accounts = Vec::new();
    for number in 0..9 {
        accounts.push(member(&world, &format!("player-{number}")).await.1);
    }
    for round in 0..games {
        let seats = [0, 1, 2].map(|seat| Holder::Account(accounts[(round * 2 + seat * 3) % accounts.len()]));
        finished_table(&world.house, "trolley", true, &seats).await;
    }
    (world, accounts)
}

#[tokio::test]
async fn the_leaderboard_goes_by_what_is_certain_and_then_by_points_page_by_page() {
    let (world, accounts) = season(8).await;
    let whole = world.api.get("/api/agents/leaderboard?game_type=trolley&limit=100").await.ok();
    let whole = whole["agents"].as_array().expect("a list").clone();
    assert_eq!(whole.len(), accounts.len());
    let key = |row: &Value| {
        let number = |name: &str| row[name].as_f64().expect("a number");
        let certain = number("mu") - 3.0 * number("sigma");
        assert!((certain - number("rating")).abs() < 0.01, "{row}");
        (number("rating"), number("points"))
    };
    assert!(whole.windows(2).all(|pair| key(&pair[0]) >= key(&pair[1])), "{whole:?}");
    let ranks: Vec<u64> = whole.iter().map(|row| row["rank"].as_u64().expect("a number")).collect();
    assert_eq!(ranks, (1..=9).collect::<Vec<u64>>());
    let mut paged = Vec::new();
    let mut path = "/api/agents/leaderboard?game_type=trolley&limit=4".to_owned();
    let mut pages = 0;
    loop {
        let page = world.api.get(&path).await.ok();
        paged.extend(page["agents"].as_array().expect("a list").clone());
        pages += 1;
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/agents/leaderboard?game_type=trolley&limit=4&cursor={next}");
    }
    assert_eq!((pages, paged), (3, whole), "every one once, in the same order");
    assert_eq!(world.api.get("/api/agents/leaderboard?game_type=trial").await.ok()["agents"], json!([]));
    world.api.get("/api/agents/leaderboard?game_type=chess").await.no(400);
}

#[tokio::test]
async fn the_pages_show_what_the_api_says() {
    let (world, accounts) = season(4).await;
    let board = world.api.get("/api/agents/leaderboard?limit=1").await.ok();
    let best = &board["agents"][0];
    let page = world.api.get("/leaderboard?game_type=trolley").await;
    assert_eq!(page.status, 200);
    let link = format!("<a href=\"/agents/{}\">{}</a>", text(&best["agent_id"]), text(&best["name"]));
    assert!(page.text.contains(&link), "{}", page.text);
    assert!(page.text.contains(&format!("{:.1} ±", best["mu"].as_f64().expect("a number"))), "{}", page.text);
    let korean = world.api.with_header("accept-language", "ko").get("/leaderboard").await;
    assert!(korean.text.contains("순위표") && korean.text.contains(text(&best["name"])));
    let page = world.api.get(&format!("/agents/{}", accounts[0])).await;
    assert_eq!(page.status, 200);
    let shown = world.api.get(&format!("/api/agents/{}", accounts[0])).await.ok();
    let last = format!("/games/{}", text(&shown["last_games"][0]["game_id"]));
    assert!(page.text.contains("player-0") && page.text.contains(&last), "{}", page.text);
    for nowhere in ["/agents/nonsense", "/agents/01900000-0000-7000-8000-000000000000"] {
        assert_eq!(world.api.get(nowhere).await.status, 404);
    }
    for wrong in ["/leaderboard?game_type=chess", "/leaderboard?cursor=x", "/leaderboard?cursor=1.7ff0000000000000.1.x"]
    {
        assert_eq!(world.api.get(wrong).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn a_page_of_the_leaderboard_reads_no_more_than_it_shows() {
    let (world, _) = season(1).await;
    let plan: Vec<String> = {
        let db = world.database();
        let sql = format!("explain query plan {}", store::games::standings::LEADERBOARD);
        let mut query = db.prepare(&sql).expect("it can be explained");
        let rows = query.query_map(params!["trolley", 1.0, 1, [255_u8; 16], 50], |row| row.get(3)).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    };
    assert!(plan.iter().any(|step| step.contains("ratings_by_kind")), "{plan:?}");
    assert!(!plan.iter().any(|step| step.starts_with("SCAN") || step.contains("TEMP B-TREE")), "{plan:?}");
}

#[tokio::test]
async fn a_deleted_agent_is_off_the_leaderboard_and_the_record_stays_sound() {
    let world = World::open().await;
    let ann = world.account("ann").await;
    let id = text(&ann.get("/api/auth/me").await.ok()["id"]).parse().map(AccountId).expect("an id");
    let others = [member(&world, "b").await.1, member(&world, "c").await.1].map(Holder::Account);
    finished_table(&world.house, "trolley", true, &[Holder::Account(id), others[0], others[1]]).await;
    let names = async || {
        let board = world.api.get("/api/agents/leaderboard").await.ok();
        let rows = board["agents"].as_array().expect("a list").clone();
        rows.iter().map(|row| text(&row["name"]).to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(names().await, ["ann", "b", "c"].map(str::to_owned).into());
    ann.delete("/api/auth/me", &json!({"password": "ann has a long password"})).await.ok();
    assert_eq!(names().await, ["b", "c"].map(str::to_owned).into());
    world.verify().expect("results are what the games brought");
}

#[tokio::test]
async fn an_unlisted_game_is_on_nobodys_page() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let body = json!({"visibility": "unlisted", "auto_advance_s": 0, "min_players": 3});
    let game = crate::world::create(&ann, &body).await;
    ann.post(&game.path("/agents/register"), &json!({"display_name": "Ann"})).await.ok();
    for name in ["Bea", "Cid"] {
        let agent = text(&ann.post("/api/agents/register", &json!({"name": name})).await.ok()["id"]).to_owned();
        ann.post(&game.path("/agents/register"), &json!({"agent_id": agent})).await.ok();
    }
    ann.post_nothing(&game.path("/start")).await.ok();
    let table = moot::play::live::table(&world.house, game.id.parse().expect("an id")).await.expect("it is there");
    crate::world::play_out(&world.house, &table).await;
    let me = own(&ann).await;
    assert_eq!(me["statistics"][0]["games"], 1, "it counts");
    let shown = world.api.get(&format!("/api/agents/{}", text(&me["id"]))).await;
    assert_eq!(shown.ok()["last_games"], json!([]), "and is reached by link only");
    assert!(!shown.text.contains(&game.id));
}

#[tokio::test]
async fn a_removed_game_takes_its_results_along() {
    let world = World::open().await;
    let seats = [member(&world, "a").await.1, member(&world, "b").await.1, member(&world, "c").await.1];
    let table = finished_table(&world.house, "trolley", true, &seats.map(Holder::Account)).await;
    let forgotten = world.house.store.forget(table.id, "request".into(), world.house.now()).await;
    assert!(forgotten.expect("the store answers"));
    let left: i64 = world.database().query_row("select count(*) from results", [], |row| row.get(0)).expect("a count");
    assert_eq!(left, 0);
    world.verify().expect("its tombstone is accepted");
}

#[tokio::test]
async fn a_database_from_before_is_given_the_results_of_its_finished_games() {
    let world = World::open().await;
    let seats = [member(&world, "a").await.1, member(&world, "b").await.1, member(&world, "c").await.1];
    finished_table(&world.house, "trolley", false, &seats.map(Holder::Account)).await;
    world.house.store.stop().await;
    let rows = |db: &rusqlite::Connection| -> Vec<(i64, Vec<u8>, i64, i64)> {
        let mut query = db.prepare("select seat, agent, points, at from results order by seat").expect("a table");
        let rows = query.query_map(params![], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    };
    let db = rusqlite::Connection::open(world.dir.path().join("moot.db")).expect("it is a database");
    let before = rows(&db);
    assert_eq!(before.len(), 3);
    before_sales(&db);
    // The tables of later migrations are dropped as well.
    let later: Vec<String> = crate::world::tables(&db)
        .into_iter()
        .filter(|name| {
            [
                "mind_",
                "argument",
                "defense_",
                "corpus_",
                "spoken",
                "outside_",
                "market",
                "decisions",
                "transfers",
                "balances",
                "awards",
                "royalty_",
                "economy_",
                "throne",
                "character_packs",
                "pack_",
                "case_",
                "author_",
                "words_",
                "meetings",
                "welcomed",
                "snapshots",
            ]
            .iter()
            .any(|start| name.starts_with(start))
        })
        .collect();
    db.execute_batch(
        "pragma foreign_keys = off; alter table game_state add column body blob not null default x'';
         update game_state set body = (select body from snapshots where snapshots.game = game_state.game)",
    )
    .expect("they were there");
    for table in ["results", "agents", "totals", "ratings", "rating_steps", "misheard", "influences", "lifts"]
        .into_iter()
        .chain(later.iter().map(String::as_str))
    {
        db.execute_batch(&format!("drop table {table}")).expect("it was there");
    }
    db.execute_batch(
        "drop index accounts_by_name_key; alter table accounts drop column name_key;
         alter table accounts drop column name_clash",
    )
    .expect("they were there");
    db.execute_batch("alter table api_keys drop column scope; alter table api_keys drop column trusted")
        .expect("they were there");
    db.execute_batch("pragma user_version = 1").expect("a number");
    drop(db);
    let store = moot::play::records::open(world.dir.path()).expect("it is migrated");
    assert_eq!(rows(&world.database()), before);
    world.verify().expect("and is sound");
    store.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_is_silent_at_a_rated_table_has_left_it() {
    let world = World::open().await;
    let seats = [member(&world, "a").await.1, member(&world, "b").await.1, member(&world, "c").await.1];
    let kind = ::games::catalog::by_name("trolley").expect("it is there");
    let sit = |account| TableCommand::Sit { name: "Somebody".into(), holder: Holder::Account(account) };
    let then = seats.into_iter().map(sit).chain([TableCommand::Start]).collect();
    let terms = Terms { rated: true, turn_limit_s: Some(1), ..Terms::default() };
    let plan = Plan { kind, options: &json!({}), terms, seed: None, opened_from: None, then };
    let table = moot::play::found(&world.house, plan).await.expect("it is founded");
    let mut versions = table.watch();
    let handed = versions.wait_for(|shown| shown.game.roster().iter().any(|(_, seat)| seat.house));
    tokio::time::timeout(std::time::Duration::from_secs(20), handed).await.expect("in time").expect("it is there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_everybody_left_is_rated_for_nobody_and_nobody_comes_back() {
    let world = World::open().await;
    let members = members(&world, 6).await;
    let mut game = Game { id: String::new(), agents: vec![] };
    for api in &members {
        game = join(api, "trial").await;
    }
    let seat = game.state(&members[0]).await["self"]["id"].clone();
    for api in &members {
        api.post(&game.path("/leave"), &json!({})).await.ok();
    }
    let back = members[0].post_nothing(&game.path(&format!("/seats/{}/take-back", text(&seat)))).await;
    assert!(["LEFT_FOR_GOOD", "GAME_OVER"].contains(&text(&back.no(400)["error"])), "{}", back.text);
    let table = moot::play::live::table(&world.house, game.id.parse().expect("an id")).await.expect("it is there");
    crate::world::play_out(&world.house, &table).await;
    assert_eq!(rating_rows(&world), 0, "nobody played");
    for api in &members {
        assert_eq!(own(api).await["statistics"][0]["wins"], 0);
    }
}
