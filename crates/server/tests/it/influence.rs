//! What moved the verdict, as clients and pages read it.

use crate::corpus::prosecute;
use crate::world::{World, finished_table, text};
use engine::roster::Holder;
use serde_json::{Value, json};

/// Words that press John Law where he is weak.
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

/// What somebody was in a trial that is over.
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
