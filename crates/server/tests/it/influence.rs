//! What moved the verdict, as clients and pages read it.

use crate::corpus::prosecute;
use crate::world::{Game, World, finished_table, text};
use engine::roster::Holder;
use moot::play::influence::work;
use serde_json::{Value, json};
use uuid::Uuid;

/// An attack on John Law's weak point.
const PRESSING: &str =
    "You buried a living kingdom in paper, Monsieur Law; France is a corpse and your notes are its shroud.";

#[tokio::test(flavor = "multi_thread")]
async fn anyone_may_ask_what_moved_a_finished_trial() {
    let world = World::open().await;
    let table = finished_table(&world.house, "trial", false, &[Holder::House; 6]).await;
    let path = format!("/api/games/{}/influence", table.id);
    for level in ["revote", "replay"] {
        let told = world.api.get(&format!("{path}?level={level}")).await.ok();
        assert_eq!((&told["level"], &told["reason"]), (&json!(level), &Value::Null), "{told}");
        let speeches = told["speeches"].as_array().expect("a list");
        assert!(!speeches.is_empty(), "{told}");
        assert!(speeches.iter().any(|one| one["leans"] != json!([])), "something was moved: {told}");
        assert_eq!(told["outcome"], table.shown().game.result().expect("over"));
        let whole = world.api.get(&format!("/api/games/{}/transcript", table.id)).await.ok();
        let said = |id: &Value| whole.as_array().expect("a list").iter().any(|entry| entry["id"] == *id);
        assert!(speeches.iter().all(|one| said(&one["id"])), "each is a speech of the transcript");
        let heard = |role: &str| {
            let of = whole.as_array().into_iter().flatten().filter(|entry| entry["type"] == "argument");
            let of = of.filter(|entry| role_of(&told["outcome"], &entry["agent_id"]) == role);
            of.map(|entry| entry["heard"].clone()).collect::<Vec<Value>>()
        };
        assert!(heard("PROSECUTOR").iter().any(|heard| heard[0]["helps"] == "prosecution"), "{whole}");
        assert!(heard("JUROR").iter().all(Value::is_null), "nobody weighs what a juror says: {whole}");
    }
    assert_eq!(world.api.get(&path).await.ok()["level"], "revote");
    let other = world.api.get(&format!("{path}?level=all")).await;
    assert_eq!(other.status, 400);
    let page = world.api.get(&format!("/games/{}/influence", table.id)).await.text;
    assert!(page.contains("What moved it") && page.contains("class=\"bars\""), "{page}");
}

/// An agent's role in a finished trial.
fn role_of<'a>(outcome: &'a Value, agent: &Value) -> &'a str {
    let one = outcome["results"].as_array().into_iter().flatten().find(|one| one["agent_id"] == *agent);
    one.map_or("", |one| text(&one["role"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_moved_a_meeting_or_a_closed_trial_is_not_for_strangers_and_nothing_is_told_early() {
    let world = World::open().await;
    let table = finished_table(&world.house, "mercury", false, &[Holder::House; 9]).await;
    assert_eq!(world.api.get(&format!("/api/games/{}/influence", table.id)).await.status, 403);

    // A trial is behind closed doors unless it is opened.
    let (game, _) = prosecute(&world.api, "law", PRESSING).await;
    assert_eq!(world.api.get(&game.path("/influence")).await.status, 403);

    let made = world.api.post("/api/games", &json!({"game_type": "tribunal", "case_id": "john_law"})).await.ok();
    let early = world.api.get(&format!("/api/games/{}/influence", text(&made["game_id"]))).await;
    assert_eq!((&early.ok()["speeches"], &early.ok()["outcome"]), (&json!([]), &Value::Null), "{}", early.text);
    let player = world.api.with(text(&made["player_token"]));
    let path = format!("/api/games/{}", text(&made["game_id"]));
    let act = json!({"type": "argue", "character_id": "law", "text": PRESSING});
    player.post(&format!("{path}/action"), &act).await.ok();
    let said = player.get(&format!("{path}/transcript")).await.text;
    assert!(said.contains("shroud") && !said.contains("\"heard\""), "nothing is told early: {said}");
    assert_eq!(world.api.get("/api/games/0190aaaa-0000-7000-8000-000000000000/influence").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn how_a_speech_was_heard_is_told_once_its_phase_is_over_and_its_author_may_say_otherwise() {
    let world = World::open().await;
    let made = world.api.post("/api/games", &json!({"min_players": 3})).await.ok();
    let path = format!("/api/games/{}", text(&made["game_id"]));
    let mut agents = vec![];
    for name in ["Ada", "Ben", "Cy"] {
        let seat = json!({"display_name": name, "token": null});
        agents.push(world.api.post(&format!("{path}/agents/register"), &seat).await.ok()["agent_id"].clone());
    }
    world.api.post(&format!("{path}/start"), &json!({})).await.ok();
    let mut speakers = vec![];
    for agent in &agents {
        let asked = world.api.get(&format!("{path}/open-actions?agent_id={}", text(agent))).await.ok();
        if asked["allowed_action"] == "argument" {
            speakers.push((agent.clone(), asked["round_id"].clone()));
        }
    }
    let heard = async || {
        let said = world.api.get(&format!("{path}/transcript")).await.ok();
        let said = said.as_array().expect("a list").iter().find(|entry| entry["type"] == "argument").cloned();
        said.expect("a speech")
    };
    let argue = async |(agent, round): &(Value, Value)| {
        let words = json!({"agent_id": agent, "text": "More lives are saved if you spare the larger group, and each of them counts."});
        world.api.post(&format!("{path}/rounds/{}/arguments", text(round)), &words).await.ok();
    };
    let misheard = async |item: &Value, agent: &Value| {
        world.api.post(&format!("{path}/misheard"), &json!({"item_id": item, "agent_id": agent})).await
    };
    argue(&speakers[0]).await;
    let speech = heard().await;
    assert_eq!(speech["heard"], Value::Null, "not while the others have yet to speak");
    assert_eq!(misheard(&speech["id"], &speakers[0].0).await.status, 409);
    argue(&speakers[1]).await;
    let speech = heard().await;
    assert_eq!((&speech["heard"][0]["stance"], &speech["heard"][0]["helps"]), (&json!("asserts"), &json!("majority")));
    let page = world.api.get(&format!("/games/{}", text(&made["game_id"]))).await.text;
    assert!(page.contains("(for the majority)"), "{page}");

    assert_eq!(misheard(&speech["id"], &speakers[1].0).await.status, 403, "another seat said it");
    assert_eq!(misheard(&json!("arg-999-000000000000"), &speakers[0].0).await.status, 404);
    for _ in 0..2 {
        assert_eq!(misheard(&speech["id"], &speakers[0].0).await.ok()["heard"], speech["heard"]);
    }
    let kept = world.house.store.read(store::games::misheard::all).await.expect("a list");
    let [one] = &kept[..] else { panic!("kept once, not {}", kept.len()) };
    assert_eq!((one.kind.as_str(), one.seq.0), ("trolley", speech["seq"].as_u64().expect("a number")));
    let kept: Value = serde_json::from_str(&one.heard).expect("it reads");
    assert!(one.text.starts_with("More lives") && kept == speech["heard"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_trial_is_told_which_lines_its_player_knows_and_tells_nobody() {
    let world = World::open().await;
    let ann = world.account("ann").await;
    let known = |game: &Game| -> Vec<Value> {
        let sql = "select metadata from transcript_entries join games on games.n = game
                   where games.id = ?1 and name = 'lines_known'";
        let db = world.database();
        let id: Uuid = game.id.parse().expect("an id");
        let mut query = db.prepare(sql).expect("sound");
        let rows = query.query_map([id], |row| row.get::<_, String>(0)).expect("sound");
        rows.map(|row| serde_json::from_str(&row.expect("a row")).expect("it reads")).collect()
    };
    let (first, _) = prosecute(&ann, "law", PRESSING).await;
    assert_eq!(known(&first), Vec::<Value>::new(), "it had heard nothing yet");
    let (second, state) = prosecute(&ann, "law", PRESSING).await;
    let [lines] = &known(&second)[..] else { panic!("it is told once") };
    assert!(lines.as_array().is_some_and(|lines| lines.len() >= 2), "at least an answer and a ruling: {lines}");
    let transcript = ann.get(&second.path("/transcript")).await.text;
    let feed = ann.get(&second.path("/feed")).await.text;
    for told in [&state.to_string(), &transcript, &feed] {
        assert!(!told.contains("lines_known") && !told.contains(&lines[0].to_string()), "{told}");
    }
    let house_words = |transcript: &str| -> Vec<String> {
        let entries: Vec<Value> = serde_json::from_str(transcript).expect("a list");
        let said = entries.iter().filter_map(|entry| entry["text"].as_str());
        said.filter(|said| *said != PRESSING).map(str::to_owned).collect()
    };
    let before = house_words(&ann.get(&first.path("/transcript")).await.text);
    let now = house_words(&transcript);
    assert!(!now.is_empty() && now.iter().all(|said| !before.contains(said)), "{before:?} {now:?}");
    let (guest, _) = prosecute(&world.api, "law", PRESSING).await;
    assert_eq!(known(&guest), Vec::<Value>::new(), "a guest has heard nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lift_of_an_argument_is_counted_once_its_trial_is_over_and_only_once() {
    let world = World::open().await;
    let ann = world.account("ann").await;
    let lift = |world: &World| -> Vec<(i64, i64, i64)> {
        let db = world.database();
        let sql = "select uses, lift_sum, lifted from argument_stats where case_id = 'john_law' and uses > 0";
        let mut query = db.prepare(sql).expect("sound");
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("sound");
        rows.map(|row| row.expect("a row")).collect()
    };
    let (first, _) = prosecute(&ann, "law", PRESSING).await;
    assert_eq!(lift(&world), [(1, 0, 0)], "nothing is worked out in the commit");
    while work(&world.house).await.expect("it is worked out") {}
    let [(1, turned, 1)] = lift(&world)[..] else { panic!("{:?}", lift(&world)) };
    let told = ann.get(&first.path("/influence")).await.ok();
    let speech = told["speeches"].as_array().into_iter().flatten().find(|one| one["lift"] == json!(turned));
    assert!(speech.is_some(), "{turned} in {told}");
    assert!(turned % 100 == 0 && turned != 0, "in an even jury a pressing attack turns somebody: {turned}");
    // Asking again, and another level, counts nothing twice.
    ann.get(&first.path("/influence?level=replay")).await.ok();
    while work(&world.house).await.expect("it is worked out") {}
    assert_eq!(lift(&world), [(1, turned, 1)]);
    prosecute(&ann, "law", PRESSING).await;
    while work(&world.house).await.expect("it is worked out") {}
    let [(2, both, 2)] = lift(&world)[..] else { panic!("{:?}", lift(&world)) };
    assert_eq!((both - turned) % 100, 0);
    let verify = || world.verify().map(drop).map_err(|bad| bad.to_string());
    verify().expect("it adds up");
    let more = "update argument_stats set lift_sum = lift_sum + 100 where lifted = 2";
    let changed = world.house.store.write(|db| Ok(db.raw().execute(more, [])?)).await;
    assert_eq!(changed.expect("a row"), 1);
    let bad = verify().expect_err("it is found");
    assert!(bad.contains("lift"), "{bad}");
}
