//! Titles in real play: strangers are matched, the house bench rules, the nightly run hands titles over, and everybody sees it.

use crate::corpus::CORPSE;
use crate::economy::plain;
use crate::economy_throne::{OutsideGame, buys, earned};
use crate::market::{FRESH, count, hash, law, list, pay_royalties, sound};
use crate::matchmaking::{id, join_case};
use crate::world::{Api, Game, World, member, member_since};
use moot::settings::{Clock, Settings};
use serde_json::{Value, json};

/// The claim that `CORPSE` tempts Law into.
const CLAIM: &str = "A corpse? I raised her from the dead, sir: no kingdom in Europe was ever so alive, nor so rich, as France was then.";
/// A plea that proves it.
const PROOF: &str =
    "The late King left debts of two billion on the first of September 1715, and I paid them with what I had made.";
/// One that no bench would take.
const FORGOTTEN: &str = "I do not remember what I made of France, and nobody could, after so many years abroad.";
/// A plea that does not.
const BESIDE: &str =
    "I died in a rented room in Venice in 1729 and left little but pictures: ask the gondoliers who carried them down.";

/// The first exchange of a matched trial: the first to join attacks, the second overreaches and pleads this. Returns how the bench ruled
/// on the plea.
async fn meet(prosecutor: &Api, accused: &Api, plea: &str, evidence: &str) -> Value {
    let game = matched(prosecutor, accused).await;
    let plead = json!({"type": "prove", "text": plea, "evidence": [evidence]});
    act(prosecutor, &game, "attack", json!({"type": "argue", "character_id": "law", "text": CORPSE})).await;
    act(accused, &game, "answer", json!({"type": "answer", "text": CLAIM})).await;
    act(accused, &game, "burden", plead).await;
    when(prosecutor, &game, "attack").await["exchanges_log"][0]["burden"]["verdict"].clone()
}

async fn matched(prosecutor: &Api, accused: &Api) -> Game {
    let game = Game { id: id(&join_case(prosecutor, "john_law").await), agents: vec![] };
    assert_eq!(id(&join_case(accused, "john_law").await), game.id, "they are matched");
    game
}

/// Acts as soon as the game is there.
async fn act(player: &Api, game: &Game, status: &str, act: Value) {
    when(player, game, status).await;
    player.post(&game.path("/action"), &act).await.ok();
}

async fn when(api: &Api, game: &Game, status: &str) -> Value {
    let mut state = game.state(api).await;
    while state["status"] != status {
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    state
}

/// Ann, who made the attack first, Ben, and two others; all of them have plain IA.
async fn players(world: &World) -> [Api; 4] {
    let mut players = vec![];
    for name in ["ann", "ben", "cleo", "dan"] {
        let (api, id) = member(world, name).await;
        plain(world, id, 100).await;
        players.push(api);
    }
    players.try_into().unwrap_or_else(|_| unreachable!("four names"))
}

/// Puts up an account's own words, which were said in a closed trial.
async fn sell(author: &Api, words: &str) {
    assert_eq!(list(author, &law(words)).await.ok()["state"], "listed");
}

/// Pays for words of another author: otherwise saying them to a stranger counts for nothing.
async fn buy(buyer: &Api, asset: &str, words: &str) {
    let order = json!({"type": asset, "hash": hash(words), "case_id": "john_law", "character_id": "law"});
    assert_eq!(buyer.post("/api/unlock", &order).await.ok()["bonus_ia"], 0);
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
    sell(ann, CORPSE).await;
    // It worked once, elsewhere: what never moved anybody is not for sale.
    court.meet(CORPSE, FORGOTTEN, "failed", "p-8", "someone").await;
    assert_eq!(meet(ann, ben, PROOF, "E1").await, "proved");
    for prosecutor in [cleo, dan] {
        buy(prosecutor, "attack", CORPSE).await;
        assert_eq!(meet(prosecutor, ben, PROOF, "E1").await, "proved");
    }
    assert_eq!(meet(ann, ben, PROOF, "E1").await, "proved");
    assert_eq!(court.night().await.titles, 0, "four meetings");
    pay_royalties(world).await;
    let earlier = earned(ann, "attack").await;
    let first = buys(world, "early", "attack", CORPSE).await;
    assert!(first > 0 && earned(ann, "attack").await == earlier + first, "Ann made it, and is paid for it");
    meet(cleo, ben, PROOF, "E1").await;
    assert_eq!(court.night().await.titles, 1);
    taken(&court, "attack", "ann", "ben").await;
    let second = buys(world, "late", "attack", CORPSE).await;
    assert!(second > 0, "somebody is paid");
    assert_eq!((earned(ann, "attack").await, earned(ben, "attack").await), (earlier + first, second));
    assert_eq!(court.night().await.titles, 0, "a second night finds nothing new");
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_that_breaks_a_defense_of_three_strangers_in_five_matched_trials_takes_its_title() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let [ann, ben, cleo, dan] = &players(world).await;
    assert_eq!(meet(ann, ben, BESIDE, "E13").await, "failed");
    court.meet(FRESH, BESIDE, "proved", "p-8", "someone").await;
    sell(ben, BESIDE).await;
    for other in [cleo, dan] {
        buy(other, "defense", BESIDE).await;
    }
    for accused in [cleo, ben, cleo] {
        assert_eq!(meet(ann, accused, BESIDE, "E13").await, "failed");
    }
    pay_royalties(world).await;
    let earlier = earned(ben, "defense").await;
    let first = buys(world, "early", "defense", BESIDE).await;
    assert!(first > 0 && earned(ben, "defense").await == earlier + first, "Ben said it first");
    meet(ann, dan, BESIDE, "E13").await;
    assert_eq!(court.night().await.titles, 1);
    taken(&court, "defense", "ben", "ann").await;
    let second = buys(world, "late", "defense", BESIDE).await;
    assert!(second > 0, "somebody is paid");
    assert_eq!((earned(ben, "defense").await, earned(ann, "defense").await), (earlier + first, second));
    sound(world);
}

/// How many rows of a table count, and how many do not.
fn tally(world: &World, table: &str) -> (i64, i64) {
    let of = |counted: i64| count(world, &format!("select count(*) from {table} where counted = {counted}"));
    (of(1), of(0))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ring_of_new_accounts_takes_no_title_and_raises_no_figure() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let now = world.house.now();
    let mut ring = vec![];
    for name in ["mal-1", "mal-2", "mal-3", "mal-4"] {
        ring.push(member_since(world, name, now).await.0);
    }
    let [one, two, three, four] = ring.as_slice() else { unreachable!("four names") };
    // Each meets the one who proves, and buys the words with what every account is given.
    assert_eq!(meet(one, four, PROOF, "E1").await, "proved");
    for prosecutor in [two, three, one, two] {
        meet(prosecutor, four, PROOF, "E1").await;
    }
    assert_eq!((tally(world, "argument_events"), tally(world, "defense_corpus")), ((0, 5), (0, 5)));
    assert_eq!(count(world, "select count(*) from transfers where reason in ('award', 'forfeit')"), 0);
    assert_eq!(court.night().await.titles, 0);
    assert_eq!(count(world, "select max(effectiveness_e4) from argument_stats"), 5_000, "as if nobody had used it");
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_two_count_twice_a_month_and_meet_three_times_a_day() {
    let clock = Clock::default();
    let world = World::with(Settings { clock: clock.clone(), ..Settings::default() }).await;
    let [ann, ben, cleo, _] = &players(&world).await;
    for (days, counted) in [(0, [1, 2, 2]), (31, [3, 4, 4])] {
        clock.set_ahead(days * 24 * 60 * 60 * 1000);
        for counted in counted {
            meet(ann, ben, PROOF, "E1").await;
            assert_eq!(tally(&world, "argument_events").0, counted);
        }
    }
    // A fourth time on the same day they are not seated together; a third player is whom either meets next.
    let waits = id(&join_case(ann, "john_law").await);
    let elsewhere = id(&join_case(ben, "john_law").await);
    assert_ne!(waits, elsewhere);
    assert!([waits, elsewhere].contains(&id(&join_case(cleo, "john_law").await)));
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_that_is_made_again_and_again_in_one_game_of_strangers_counts_once() {
    let world = World::open().await;
    let [ann, ben, ..] = &players(&world).await;
    let game = matched(ann, ben).await;
    for _ in 0..2 {
        act(ann, &game, "attack", json!({"type": "argue", "character_id": "law", "text": CORPSE})).await;
        act(ben, &game, "answer", json!({"type": "answer", "text": "I have nothing to say to that."})).await;
    }
    when(ann, &game, "attack").await;
    assert_eq!(tally(&world, "argument_events"), (1, 1));
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_authors_words_count_between_strangers_only_if_they_were_paid_for() {
    let world = World::open().await;
    let [ann, ben, cleo, dan] = &players(&world).await;
    let (eve, _) = member(&world, "eve").await;
    sell(ann, CORPSE).await;
    let order = json!({"type": "attack", "hash": hash(CORPSE), "case_id": "john_law", "character_id": "law"});
    assert!(eve.post("/api/unlock", &order).await.ok()["bonus_ia"].as_i64() > Some(0));
    buy(dan, "attack", CORPSE).await;
    meet(ann, ben, PROOF, "E1").await;
    meet(cleo, ben, PROOF, "E1").await;
    assert_eq!(
        (tally(&world, "argument_events"), tally(&world, "defense_corpus")),
        ((1, 1), (1, 1)),
        "Cleo paid nothing"
    );
    meet(&eve, ben, PROOF, "E1").await;
    assert_eq!(tally(&world, "argument_events"), (1, 2), "Eve paid with her welcome bonus only");
    meet(dan, ben, PROOF, "E1").await;
    assert_eq!((tally(&world, "argument_events"), tally(&world, "defense_corpus")), ((2, 2), (2, 2)));
    sound(&world);
    // What was decided is never revised, and verify holds the uses against it.
    let db = rusqlite::Connection::open(world.dir.path().join("moot.db")).expect("it is a database");
    assert!(db.execute("update meetings set counts = 1", []).is_err(), "append-only");
    db.execute_batch("drop trigger meetings_stay; update meetings set counts = 0").expect("it can be forced");
    let bad = world.verify().expect_err("it is noticed");
    assert_eq!(bad.table, "argument_events", "{bad}");
}
