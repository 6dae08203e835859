//! Consulting the archive over HTTP: what is shown to whom, and what a client cannot forge.

use crate::corpus::{CORPSE, prosecute};
use crate::market::{FRESH, UNUSED, count, hash, put_up, recompute, sound};
use crate::world::{Api, Game, World, member, moot, text};
use serde_json::{Value, json};

const CORPSE_AGAIN: &str = "You buried a living kingdom in paper, Monsieur Law! France is a corpse, and your notes are its shroud: \
    its trade is dead, its creditors are bled white, and you stand at the grave and name it credit.";
const SHARES: &str = "In December 1719 a share stood at ten thousand livres; a year later it was worth a tenth of that, and those who had trusted you were ruined.";

pub const KOREAN: [&str; 3] = [
    "1720년 5월의 칙령은 여섯 달 사이에 은행권의 값을 절반으로 깎았고, 가진 사람들은 벽보를 보고서야 알았습니다.",
    "1719년 12월에 만 리브르이던 주식은 한 해 뒤에 그 십분의 일이 되었고, 당신을 믿은 사람들은 모든 것을 잃었습니다.",
    "당신은 왕국 하나를 종이에 파묻었습니다. 프랑스는 시체이고 당신의 은행권은 그 수의입니다.",
];

/// A trial of John Law, and its prosecutor's client.
pub async fn trial(api: &Api, options: Value) -> (Game, Api) {
    let mut body = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 4});
    body.as_object_mut().expect("an object").extend(options.as_object().expect("an object").clone());
    let made = api.post("/api/games", &body).await.ok();
    let player = made["player_token"].as_str().map_or_else(|| api.clone(), |token| api.with(token));
    (Game { id: text(&made["game_id"]).to_owned(), agents: vec![] }, player)
}

pub fn consult(character: &str) -> Value {
    json!({"type": "consult", "character_id": character})
}

pub fn texts(state: &Value) -> Vec<&str> {
    state["consulted"].as_array().expect("a list").iter().map(|one| text(&one["text"])).collect()
}

/// Attacks that moved jurors in other trials and were put up: four in English, two of them of one lineage, and three in Korean.
pub async fn archive(world: &World) {
    let (ann, _) = member(world, "ann").await;
    for words in [CORPSE, CORPSE_AGAIN, FRESH, SHARES].into_iter().chain(KOREAN) {
        prosecute(&ann, "law", words).await;
        put_up(&ann, words).await;
    }
    recompute(world).await;
    assert_eq!(count(world, "select count(*) from argument_stats where sold = 1"), 7, "each has moved somebody");
}

/// Waits until an attack is due, and returns that state.
async fn attack(api: &Api, game: &Game) -> Value {
    let mut state = game.state(api).await;
    while state["status"] != "attack" {
        assert_ne!(state["status"], "completed");
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_5_a_look_shows_three_attacks_that_were_not_used_and_each_may_be_said_as_it_is() {
    let world = World::open().await;
    archive(&world).await;
    let (bob, _) = member(&world, "bob").await;
    let (game, bob) = trial(&bob, json!({})).await;
    let also = bob.get(&game.path("/open-actions")).await.ok();
    assert_eq!(also["also"], json!({"type": "consult", "character_id": "law", "price_ia": 15}), "{also}");
    assert_eq!(also["allowed_action"], "argue", "what is announced is accepted, and this may not be");
    bob.post(&game.path("/action"), &consult("law")).await.ok();
    let state = game.state(&bob).await;
    assert_eq!((&state["turnState"], &state["exchange"]), (&json!("consulting"), &json!(2)));
    let shown = texts(&state);
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(shown.contains(&FRESH) && shown.contains(&SHARES), "{shown:?}");
    assert_eq!(shown.iter().filter(|text| **text == CORPSE || **text == CORPSE_AGAIN).count(), 1, "kin is shown once");
    let effective: Vec<f64> = state["consulted"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["effectiveness"].as_f64().expect("a number"))
        .collect();
    assert!(effective.is_sorted_by(|better, worse| better >= worse), "{effective:?}");
    assert!(state["consulted"][0]["uses"].as_u64() >= Some(1) && state["consulted"][0]["label"].is_string());
    // A shown attack may be said word for word.
    let said = json!({"type": "argue", "character_id": "law", "text": shown[0]});
    bob.post(&game.path("/action"), &said).await.ok();
    let state = attack(&bob, &game).await;
    assert_eq!((&state["turn_state"], &state["consulted"]), (&json!("arguing"), &json!([])));
    // Every attack in the archive was shown or said in this trial by now.
    let before = state["version"].clone();
    let refused = bob.post(&game.path("/action"), &consult("law")).await.no(400);
    assert_eq!(refused["error"], "NOTHING_TO_CONSULT", "{refused}");
    assert_eq!(game.state(&bob).await["version"], before, "and it is still one's turn");
    // Another trial shows them again, except the lineage of an attack said in it.
    let (next, bob) = trial(&bob, json!({})).await;
    bob.post(&next.path("/action"), &json!({"type": "argue", "character_id": "law", "text": CORPSE_AGAIN})).await.ok();
    attack(&bob, &next).await;
    bob.post(&next.path("/action"), &consult("law")).await.ok();
    let state = next.state(&bob).await;
    let shown = texts(&state);
    assert!(shown.len() == 2 && shown.contains(&FRESH) && shown.contains(&SHARES), "by lineage: {shown:?}");
    let (korean, bob) = trial(&bob, json!({"lang": "ko"})).await;
    bob.post(&korean.path("/action"), &consult("law")).await.ok();
    let state = korean.state(&bob).await;
    let shown = texts(&state);
    assert!(shown.len() == 3 && KOREAN.iter().all(|text| shown.contains(text)), "in its own language: {shown:?}");
    let empty = trial(&bob, json!({})).await.0;
    assert_eq!(bob.post(&empty.path("/action"), &consult("orleans")).await.no(400)["error"], "NOTHING_TO_CONSULT");
    assert_eq!(count(&world, "select count(*) from argument_events"), 9, "reading is no use");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_is_shown_a_word_of_it_and_no_client_says_what_was_found() {
    let world = World::open().await;
    archive(&world).await;
    let (bob, _) = member(&world, "bob").await;
    let (carl, _) = member(&world, "carl").await;
    let (game, bob) = trial(&bob, json!({"open": true, "opponent": "player", "exchanges": 1})).await;
    carl.post(&game.path("/agents/register"), &json!({"display_name": "Carl"})).await.ok();
    let mut forged = consult("law");
    forged["found"] =
        json!([{"arg_hash": hash(UNUSED), "text": UNUSED, "label": "mine", "effectiveness_e4": 1, "uses": 1}]);
    carl.post(&game.path("/action"), &forged).await.no(400);
    bob.post(&game.path("/action"), &forged).await.ok();
    assert_eq!(game.state(&bob).await["status"], "completed", "the only exchange is used up");
    let own = bob.get(&game.path("/transcript")).await.text;
    assert!(own.contains(FRESH) && !own.contains(UNUSED), "{own}");
    for stranger in [&carl, &world.api] {
        for path in [
            "/state",
            "/feed",
            "/transcript",
            "/influence",
            "/events?limit=500",
            "/result",
            "/scoreboard",
            "/history",
            "/review",
        ] {
            let told = stranger.get(&game.path(path)).await.text;
            assert!(!told.contains("May 1720 an edict") && !told.contains(&hash(FRESH)), "{path}: {told}");
        }
        let told = stranger.get(&game.path("/transcript")).await.text;
        assert!(told.contains("consulted"), "that it was consulted is no secret: {told}");
    }
    // The page and the replay tell it as an exchange without an attack; so does `moot replay`.
    for page in [format!("/games/{}", game.id), format!("/games/{}/replay", game.id)] {
        let told = world.api.get(&page).await.text;
        assert!(told.contains("bob consulted the archive") && !told.contains("May 1720 an edict"), "{page}: {told}");
    }
    let (replays, said) = moot(&["replay", &game.id], world.dir.path());
    assert!(replays && said.contains("consulted"), "{said}");
    // Nor can a client forge a find where the archive has nothing.
    let (game, bob) = trial(&bob, json!({})).await;
    forged["character_id"] = "orleans".into();
    assert_eq!(bob.post(&game.path("/action"), &forged).await.no(400)["error"], "NOTHING_TO_CONSULT");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_account_and_where_nothing_is_paid_the_archive_stays_shut() {
    let world = World::open().await;
    archive(&world).await;
    let (game, guest) = trial(&world.api, json!({})).await;
    let refused = guest.post(&game.path("/action"), &consult("law")).await.no(403);
    assert_eq!(refused["error"], "ARCHIVE_NEEDS_ACCOUNT");
    assert!(text(&refused["detail"]).contains("15 IA"), "{refused}");
    assert!(guest.get(&game.path("/open-actions")).await.ok().get("also").is_none());
    let (bob, _) = member(&world, "bob").await;
    let (game, bob) = trial(&bob, json!({"seed": "mine"})).await;
    let refused = bob.post(&game.path("/action"), &consult("law")).await.no(409);
    assert_eq!(refused["error"], "NOT_IN_PRACTICE", "{refused}");
    assert_eq!(bob.post(&game.path("/action"), &consult("louis")).await.no(400)["error"], "UNKNOWN_CHARACTER");
    assert_eq!(game.state(&bob).await["exchange"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_moderation_holds_back_or_that_nobody_used_are_not_shown() {
    let world = World::open().await;
    archive(&world).await;
    let (bea, _) = member(&world, "bea").await;
    put_up(&bea, UNUSED).await;
    let held_back = format!("update arguments set status = 'flagged' where hash = '{}'", hash(FRESH));
    let held = world.house.store.write(move |db| {
        db.raw().execute(&held_back, [])?;
        store::corpus::rebuild(db)
    });
    held.await.expect("it can be held back");
    let (game, bob) = trial(&member(&world, "bob").await.0, json!({})).await;
    bob.post(&game.path("/action"), &consult("law")).await.ok();
    let state = game.state(&bob).await;
    let shown = texts(&state);
    assert!(shown.len() == 2 && !shown.contains(&FRESH) && !shown.contains(&UNUSED), "{shown:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_look_that_is_sent_twice_under_one_key_is_one_look() {
    let world = World::open().await;
    archive(&world).await;
    let (game, bob) = trial(&member(&world, "bob").await.0, json!({})).await;
    let once = bob.once("look-1");
    let first = once.post(&game.path("/action"), &consult("law")).await.ok();
    assert_eq!(once.post(&game.path("/action"), &consult("law")).await.ok(), first);
    assert_eq!(game.state(&bob).await["exchange"], 2);
}
