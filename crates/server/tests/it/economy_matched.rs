//! Titles in real play: strangers are matched, the house bench rules, the nightly run hands titles over, and everybody sees it.

use crate::corpus::CORPSE;
use crate::economy_throne::{OutsideGame, buys, earned};
use crate::market::{count, hash, sound};
use crate::matchmaking::{id, join_case};
use crate::world::{Api, Game, World, member};
use serde_json::{Value, json};

/// The claim that `CORPSE` tempts Law into.
const CLAIM: &str = "A corpse? I raised her from the dead, sir: no kingdom in Europe was ever so alive, nor so rich, as France was then.";
/// A plea that proves it.
const PROOF: &str =
    "The late King left debts of two billion on the first of September 1715, and I paid them with what I had made.";
/// A plea that does not.
const BESIDE: &str =
    "I died in a rented room in Venice in 1729 and left little but pictures: ask the gondoliers who carried them down.";

/// The first exchange of a matched trial: the first to join attacks, the second overreaches and pleads this. Returns how the bench ruled
/// on the plea.
async fn meet(prosecutor: &Api, accused: &Api, plea: &str, evidence: &str) -> Value {
    let game = Game { id: id(&join_case(prosecutor, "john_law").await), agents: vec![] };
    assert_eq!(id(&join_case(accused, "john_law").await), game.id, "they are matched");
    let acts = [
        (prosecutor, "attack", json!({"type": "argue", "character_id": "law", "text": CORPSE})),
        (accused, "answer", json!({"type": "answer", "text": CLAIM})),
        (accused, "burden", json!({"type": "prove", "text": plea, "evidence": [evidence]})),
    ];
    for (player, status, act) in acts {
        when(player, &game, status).await;
        player.post(&game.path("/action"), &act).await.ok();
    }
    when(prosecutor, &game, "attack").await["exchanges_log"][0]["burden"]["verdict"].clone()
}

async fn when(api: &Api, game: &Game, status: &str) -> Value {
    let mut state = game.state(api).await;
    while state["status"] != status {
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    state
}

/// Ann, who made the attack first, Ben, and two others.
async fn players(world: &World) -> [Api; 4] {
    let mut players = vec![];
    for name in ["ann", "ben", "cleo", "dan"] {
        players.push(member(world, name).await.0);
    }
    players.try_into().unwrap_or_else(|_| unreachable!("four names"))
}

/// Checks the one title that was taken, everywhere it is shown.
async fn taken(court: &OutsideGame, asset: &str, from: &str, by: &str) {
    let events = court.events().await;
    assert_eq!(events.len(), 1, "{events:#?}");
    let event = &events[0];
    let (lost, took) = if asset == "attack" { (CORPSE, PROOF) } else { (BESIDE, CORPSE) };
    assert_eq!((&event["asset_type"], &event["asset_hash"]), (&json!(asset), &json!(hash(lost))), "{event}");
    assert_eq!((&event["challenger_hash"], &event["challenger_uses"]), (&json!(hash(took)), &json!(5)), "{event}");
    assert_eq!((&event["previous_champion"], &event["new_champion"]), (&json!(from), &json!(by)), "{event}");
    assert_eq!(event["trigger_event_id"], count(&court.world, "select max(id) from defense_corpus"));
    let titles = court.world.api.get("/api/thrones?case_id=john_law").await.ok();
    let mut titles = titles["titles"].as_array().expect("titles").iter().filter(|title| title["taken"] == true);
    let title = titles.next().expect("one was taken");
    assert_eq!((&title["asset_hash"], &title["champion"]), (&json!(hash(lost)), &json!(by)));
    assert!(titles.next().is_none());
    let page = court.world.api.get("/case/john_law/throne").await.text;
    let thing = if asset == "attack" { "an attack" } else { "a defense" };
    for said in [format!("{by} took the title of {thing} from {from}."), "88% over 5 uses".into(), "♛".into()] {
        assert!(page.contains(&said), "{said}\n{page}");
    }
    for words in [CORPSE, CLAIM, PROOF, BESIDE] {
        assert!(!page.contains(words), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_to_three_strangers_in_five_matched_trials_takes_the_title_of_the_attack() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let [ann, ben, cleo, dan] = &players(world).await;
    for prosecutor in [ann, cleo, dan, ann] {
        assert_eq!(meet(prosecutor, ben, PROOF, "E1").await, "proved");
    }
    assert_eq!(court.night().await.titles, 0, "four meetings");
    let first = buys(world, "early", "attack", CORPSE).await;
    assert!(first > 0 && earned(ann, "attack").await == first, "Ann made it, and is paid for it");
    meet(cleo, ben, PROOF, "E1").await;
    assert_eq!(court.night().await.titles, 1);
    taken(&court, "attack", "ann", "ben").await;
    let second = buys(world, "late", "attack", CORPSE).await;
    assert!(second > 0, "somebody is paid");
    assert_eq!((earned(ann, "attack").await, earned(ben, "attack").await), (first, second));
    assert_eq!(court.night().await.titles, 0, "a second night finds nothing new");
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_that_breaks_a_defense_of_three_strangers_in_five_matched_trials_takes_its_title() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let [ann, ben, cleo, dan] = &players(world).await;
    for accused in [ben, cleo, ben, cleo] {
        assert_eq!(meet(ann, accused, BESIDE, "E13").await, "failed");
    }
    let first = buys(world, "early", "defense", BESIDE).await;
    assert!(first > 0 && earned(ben, "defense").await == first, "Ben said it first");
    meet(ann, dan, BESIDE, "E13").await;
    assert_eq!(court.night().await.titles, 1);
    taken(&court, "defense", "ben", "ann").await;
    let second = buys(world, "late", "defense", BESIDE).await;
    assert!(second > 0, "somebody is paid");
    assert_eq!((earned(ben, "defense").await, earned(ann, "defense").await), (first, second));
    sound(world);
}
