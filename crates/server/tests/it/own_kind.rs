//! Adding a kind takes its folder and one line in a catalog: it is played over HTTP, by house minds, on a page, in the simulator and
//! through the laws, and nothing in the house knows its name.

use crate::toast::Toast;
use crate::world::{World, db, text};
use engine::erased::{Kind, kind};
use engine::laws;
use engine::roster::Lang;
use games::catalog::Catalog;
use moot::cli::simulate;
use moot::play::records;
use moot::settings::Settings;
use serde_json::json;

/// The one line that adds the kind.
const KINDS: [Kind; 1] = [kind::<Toast>()];

async fn toasting() -> World {
    World::with(Settings { catalog: Catalog(&KINDS), ..Settings::default() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kind_of_ones_own_is_played_over_http_and_stored_like_any_other() {
    let world = toasting().await;
    let made = world.api.post("/api/games", &json!({"game_type": "toast"})).await.ok();
    let path = |rest: &str| format!("/api/games/{}{rest}", text(&made["game_id"]));
    let mut agents = vec![];
    for name in ["Ann", "Bob"] {
        let seated = world.api.post(&path("/agents/register"), &json!({"display_name": name})).await.ok();
        agents.push(text(&seated["agent_id"]).to_owned());
    }
    let open = world.api.get(&path(&format!("/open-actions?agent_id={}", agents[0]))).await.ok();
    assert_eq!((&open["can_act"], &open["allowed_action"]), (&json!(true), &json!("toast")));
    let refused = world.api.post(&path("/action"), &json!({"type": "toast", "agent_id": agents[0]})).await.no(400);
    assert_eq!((&refused["error"], &refused["expected_action"]), (&json!("NO_TOAST"), &json!("toast")));
    for (agent, words) in agents.iter().zip(["To the house.", "To all who argue in it."]) {
        let act = json!({"type": "toast", "agent_id": agent, "text": words});
        world.api.post(&path("/action"), &act).await.ok();
    }
    let state = world.api.get(&path("/state")).await.ok();
    assert_eq!((&state["status"], &state["guests"][1]["length"]), (&json!("drunk"), &json!(23)), "{state}");
    assert_eq!(world.api.get(&path("/result")).await.ok()["result"]["winner"], agents[1].as_str());
    let said = world.api.get(&path("/transcript")).await.text;
    assert!(said.contains("To all who argue in it."), "{said}");
    assert!(world.api.get("/api/games/meta").await.ok()["toast"].is_object());
    let checked = records::verify(&db(world.dir.path()), Catalog(&KINDS), None, |_| {}).expect("it is sound");
    assert_eq!(checked.games, 1);
    // This house does not offer the trolley; and a catalog without the toast names it as unknown instead of replaying it as another kind.
    world.api.post("/api/games", &json!({"game_type": "trolley"})).await.no(400);
    let unknown = world.verify().expect_err("an unknown kind is named");
    assert!(unknown.to_string().contains("unknown kind \"toast\""), "{unknown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_has_a_page_with_a_form_for_its_own_acts_a_card_and_a_replay() {
    let world = toasting().await;
    let lobby = world.api.get("/").await.text;
    assert!(lobby.contains("value=\"toast\""), "{lobby}");
    assert!(world.api.get("/new").await.text.contains("value=\"toast\""));
    let ann = world.account("ann").await;
    let made = ann.post("/api/games", &json!({"game_type": "toast"})).await.ok();
    let id = text(&made["game_id"]).to_owned();
    ann.post(&format!("/api/games/{id}/agents/register"), &json!({"display_name": "Ann"})).await.ok();
    ann.post(&format!("/api/games/{id}/fill"), &json!({})).await.ok();
    let page = ann.get(&format!("/games/{id}")).await.text;
    assert!(page.contains("name=\"type\" value=\"toast\"") && page.contains("<textarea"), "{page}");
    let form = ann.with_header("content-type", "application/x-www-form-urlencoded");
    let acted = form.call("POST", &format!("/games/{id}/act"), Some(b"type=toast&text=To+the+page.".to_vec())).await;
    assert!(acted.status == 200 || acted.status == 303, "{} {}", acted.status, acted.text);
    let over = async || ann.get(&format!("/api/games/{id}/state?wait=10&version=4")).await.ok()["status"] == "drunk";
    for _ in 0..10 {
        if over().await {
            break;
        }
    }
    let page = world.api.get(&format!("/games/{id}")).await.text;
    assert!(page.contains("To the page.") && page.contains("To all who sit here, says seat 1."), "{page}");
    let replay = async |at: u64| world.api.get(&format!("/games/{id}/replay?at={at}")).await.text;
    let (first, last) = (replay(1).await, replay(99).await);
    assert!(last.contains("To the page.") && !first.contains("To the page."), "{first}");
    assert!(first.contains("id=\"next\" rel=\"next\"") && last.contains("id=\"prev\" rel=\"prev\""), "{first}");
    assert!(world.api.get("/fragment").await.text.contains(&id), "it has a card");
}

#[test]
fn it_is_simulated_and_obeys_the_laws() {
    for number in 0..20 {
        let acts = simulate::play(KINDS[0], Lang::En, &format!("toast {number}"), number).expect("it plays by itself");
        assert_eq!(acts, 2);
        laws::replay::<Toast>(number, &json!({}), 2).expect("its log replays to the same bytes");
        laws::non_interference::<Toast>(number, &json!({}), 2).expect("nobody sees what it may not");
    }
}
