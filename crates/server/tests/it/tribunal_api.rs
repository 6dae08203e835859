//! The Tribunal over HTTP: one player against the house or another, and what nobody else may read.

use crate::corpus::CORPSE;
use crate::market::count;
use crate::world::{Api, Game, World, text};
use serde_json::{Value, json};

const ANSWER: &str =
    "I found an empty treasury and a line of widows at its door; you will forgive me for opening the window first.";

/// A closed trial of one exchange between two people, and their clients.
async fn duel(world: &World) -> (Game, Api, Api) {
    let options = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1, "opponent": "player"});
    let made = world.api.post("/api/games", &options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let prosecutor = world.api.with(text(&made["player_token"]));
    assert_eq!(made["status"], "waiting_for_agents", "the accused's seat is free");
    // A seat without a token is refused: anybody could play it.
    world.api.post(&game.path("/agents/register"), &json!({"display_name": "Bea"})).await.no(401);
    let body = json!({"display_name": "Bea", "token": "the-accused-has-a-token-of-its-own"});
    world.api.post(&game.path("/agents/register"), &body).await.ok();
    (game, prosecutor, world.api.with("the-accused-has-a-token-of-its-own"))
}

async fn when(api: &Api, game: &Game, status: &str) -> Value {
    let mut state = game.state(api).await;
    while state["status"] != status {
        assert_ne!(state["status"], "completed", "{status} never came");
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_try_john_law_and_nobody_else_reads_a_word() {
    let world = World::open().await;
    let (game, prosecutor, accused) = duel(&world).await;
    let act = async |api: &Api, body: Value| api.post(&game.path("/action"), &body).await;
    // Every act has one seat; the bench is the house's.
    let attack = json!({"type": "argue", "character_id": "law", "text": CORPSE});
    act(&accused, attack.clone()).await.no(400);
    act(&world.api, attack.clone()).await.no(401);
    for body in [
        json!({"type": "recall"}),
        json!({"type": "MIND_FAILED"}),
        json!({"type": "rule", "jury_shift": 12, "extraordinary": false, "reasons": "I say so."}),
        json!({"type": "answer", "text": ANSWER}),
        json!({"type": "argue", "character_id": "louis", "text": CORPSE}),
        json!({"type": "argue", "character_id": "law", "text": "Too short."}),
    ] {
        act(&prosecutor, body.clone()).await.no(400);
    }
    act(&prosecutor, attack).await.ok();
    when(&accused, &game, "answer").await;
    act(&prosecutor, json!({"type": "answer", "text": ANSWER})).await.no(400);
    act(&accused, json!({"type": "answer", "text": ANSWER})).await.ok();
    let end = when(&prosecutor, &game, "completed").await;
    assert_eq!(end["exchanges_log"][0]["answer"], ANSWER);
    assert_eq!(game.state(&accused).await["exchanges_log"][0]["argument"], CORPSE);
    // Their own words are in their replay, and in nobody else's.
    let replay = format!("/games/{}/replay", game.id);
    for (api, reads) in [(&prosecutor, true), (&accused, true), (&world.api, false)] {
        let page = api.get(&replay).await.text;
        assert_eq!((page.contains("buried a living"), page.contains("line of widows")), (reads, reads), "{page}");
    }
    // The outcome of each exchange, without the words.
    let history = world.api.get(&game.path("/history")).await.ok();
    let exchange = &history["exchanges"][0];
    let log = &end["exchanges_log"][0];
    assert_eq!((&exchange["label"], &exchange["total_shift"]), (&log["label"], &log["total_shift"]), "{history}");
    assert!(exchange["verdict"].is_null() && exchange["extraordinary"] == false && exchange["exchange"] == 1);
    assert_eq!(history["exchanges"].as_array().expect("a list").len(), 1);
    // Strangers: labels, rulings and jurors, and no words anywhere.
    let stranger = game.state(&world.api).await;
    assert!(
        stranger["exchanges_log"][0]["label"].is_string() && stranger["jurors"].as_array().expect("twelve").len() == 12
    );
    for path in ["/state", "/feed", "/transcript", "/events?limit=500", "/result", "/scoreboard", "/history", "/review"]
    {
        let told = world.api.get(&game.path(path)).await.text;
        assert!(!told.contains("buried a living") && !told.contains("widows"), "{path}: {told}");
    }
    let rows = world.database();
    let authors: i64 = rows.query_row("select count(author) from arguments", [], |row| row.get(0)).expect("sound");
    assert_eq!(authors, 0, "guests are nobody's account");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_the_author_of_what_it_says_and_a_stand_in_is_not() {
    let world = World::open().await;
    let (member, account) = crate::world::member(&world, "ada").await;
    crate::corpus::prosecute(&member, "law", CORPSE).await;
    let author: Option<uuid::Uuid> = world
        .database()
        .query_row("select author from arguments where side = 'attack'", [], |row| row.get(0))
        .expect("it was said");
    assert_eq!(author, Some(account.0));
    // What a house mind says for a player who has left has no author.
    let options = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1});
    let made = member.post("/api/games", &options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    member.post_nothing(&game.path("/leave")).await.ok();
    when(&world.api, &game, "completed").await;
    let sql = "select count(*) from arguments where side = 'attack' and author is null";
    assert_eq!(world.database().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("sound"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_before_the_clock_has_looked_back_is_not_refused() {
    let world = World::open().await;
    let (game, prosecutor, accused) = duel(&world).await;
    let id = engine::id::GameId(game.id.parse().expect("an id"));
    let table = moot::play::live::table(&world.house, id).await.expect("it is there");
    // The test takes the place of the table's driver and does nothing, so the clock's recall stays undone.
    while !table.start_driving() {
        tokio::task::yield_now().await;
    }
    let attack = json!({"type": "argue", "character_id": "law", "text": CORPSE});
    prosecutor.post(&game.path("/action"), &attack).await.ok();
    assert_eq!(game.state(&accused).await["status"], "answer");
    accused.post(&game.path("/action"), &json!({"type": "answer", "text": ANSWER})).await.ok();
    let remembered = "select count(*) from events where instr(body, '\"recalled\"') > 0";
    assert_eq!(count(&world, remembered), 1, "and it is remembered once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sits_down_under_the_name_of_the_bench() {
    let world = World::open().await;
    let options = json!({"game_type": "tribunal", "case_id": "john_law", "opponent": "player"});
    let made = world.api.post("/api/games", &options).await.ok();
    let path = format!("/api/games/{}/agents/register", text(&made["game_id"]));
    for name in ["The bench", "the  BENCH!", "The bеnch", "재판부"] {
        let refused =
            world.api.post(&path, &json!({"display_name": name, "token": "a-token-of-its-own"})).await.no(400);
        assert_eq!(refused["error"], "NAME_RESERVED", "{refused}");
    }
    world.api.post(&path, &json!({"display_name": "Benchley", "token": "a-token-of-its-own"})).await.ok();
    // Nor at a rated table, the first to come included.
    let (bench, _) = crate::world::member(&world, "The Bench").await;
    let join = json!({"game_type": "tribunal"});
    assert_eq!(bench.post("/api/games/join", &join).await.no(400)["error"], "NAME_RESERVED");
    // Elsewhere it is a name like any other.
    let game = world.api.post("/api/games", &json!({})).await.ok();
    let path = format!("/api/games/{}/agents/register", text(&game["game_id"]));
    world.api.post(&path, &json!({"display_name": "The bench"})).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_that_make_no_sense_are_refused_in_a_sentence() {
    let world = World::open().await;
    for (options, says) in [
        (json!({"case_id": "jack_the_ripper"}), "john_law"),
        (json!({"exchanges": 9}), "1 to 8"),
        (json!({"exchanges": "many"}), "\"exchanges\" must be a whole number from 1 to 8"),
        (json!({"exchanges": -1}), "\"exchanges\" must be a whole number from 1 to 8, not -1"),
        (json!({"lang": 5}), "\"lang\" must be \"en\" or \"ko\""),
        (json!({"lang": "fr"}), "\"lang\" must be \"en\" or \"ko\""),
        (json!({"min_players": "x"}), "\"min_players\" must be a whole number"),
        (json!({"minds": {"3": "house"}}), "here 0 to 2"),
        (json!({"minds": {"the bench": "house"}}), "here 0 to 2"),
        (json!({"open": "perhaps"}), "open"),
        (json!({"opponent": "friend"}), "house or player"),
    ] {
        let mut body = options.clone();
        body["game_type"] = "tribunal".into();
        let refused = world.api.post("/api/games", &body).await.no(400);
        assert!(text(&refused["detail"]).contains(says), "{options}: {refused}");
    }
    let refused = world.api.post("/api/games", &json!({"opponent": "player"})).await.no(400);
    assert!(text(&refused["detail"]).contains("Only the Tribunal"), "{refused}");
}
