//! IA over HTTP: what is earned, what is bought, who is paid and who is not, with many clients at once and under `kill -9`.
//!
//! `MOOT_PURCHASE_CRASHES=100` is the long run.

use crate::consult::{archive, consult, trial};
use crate::corpus::{CORPSE, prosecute};
use crate::market::{FRESH, UNUSED, count, hash, pay_royalties, put_up, recompute, reporter, sound, trust, used};
use crate::world::{Api, Program, TempDir, World, chance, member, moot, text};
use commons::ledger::terms::Terms;
use engine::id::AccountId;
use rusqlite::OptionalExtension as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use store::ledger::{self, Reversed, TransferNo};

const CLIENTS: usize = 64;
const CRASHES: usize = 20;

/// Takes an account's welcome bonus away and grants it this much plain IA: a payment in bonus carries no royalty.
pub async fn plain(world: &World, account: AccountId, amount: u64) {
    let now = world.house.now();
    let given = world.house.store.write(move |db| {
        let sql = "select n from transfers where payee = ?1 and reason = 'welcome'";
        // A second account of the same person has none.
        if let Some(welcome) = db.raw().query_row(sql, [account.0], |row| row.get(0)).optional()? {
            assert!(matches!(ledger::reverse(db, TransferNo(welcome), now)?, Reversed::Done(_)));
        }
        ledger::grant(db, account, amount, false, "a test", &account.to_string(), now)
    });
    given.await.expect("it is given");
}

async fn balance(api: &Api) -> i64 {
    api.get("/api/me/ledger").await.ok()["balance"].as_i64().expect("a number")
}

fn attack(words: &str) -> Value {
    json!({"type": "attack", "hash": hash(words), "case_id": "john_law", "character_id": "law"})
}

/// The account's transfers as reason and amount in IA, newest first.
async fn reasons(api: &Api) -> Vec<(String, i64)> {
    let told = api.get("/api/me/ledger").await.ok();
    let items = told["items"].as_array().expect("a list").iter();
    items.map(|item| (text(&item["reason"]).to_owned(), item["amount"].as_i64().expect("a number"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_5_consulting_the_archive_costs_fifteen_and_is_refused_to_a_player_who_has_less() {
    let world = World::open().await;
    archive(&world).await;
    let (bob, id) = member(&world, "bob").await;
    let (game, bob) = trial(&bob, json!({})).await;
    let once = bob.once("look-1");
    for _ in 0..2 {
        once.post(&game.path("/action"), &consult("law")).await.ok();
    }
    assert_eq!(reasons(&bob).await, [("consult".into(), -15), ("welcome".into(), 100)]);
    let unlock = "select count(*) from corpus_unlocks where unlock_type = 'dossier_consult' and paid_ia = 15 and house_share = 15";
    assert_eq!(count(&world, unlock), 1);
    sound(&world);
    let now = world.house.now();
    let poor =
        world.house.store.write(move |db| ledger::settle(db, id, 1, -75, &format!("{}#1", uuid::Uuid::nil()), now));
    poor.await.expect("it is lost");
    let (game, bob) = trial(&bob, json!({})).await;
    let before = world.digest();
    let refused = bob.post(&game.path("/action"), &consult("law")).await.no(409);
    assert_eq!(refused["error"], "INSUFFICIENT_IA");
    assert_eq!((&refused["price"], &refused["balance"]), (&json!(15), &json!(10)));
    assert_eq!(world.digest(), before, "nothing was changed");
    assert_eq!(game.state(&bob).await["exchange"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_won_in_play_is_paid_in_the_commit_of_the_ruling_and_an_argument_pays_an_account_once() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (_, state) = prosecute(&ann, "law", CORPSE).await;
    let won = state["ia_won"].as_i64().expect("a number");
    assert!(won > 10, "it landed: {state}");
    assert_eq!(reasons(&ann).await, [("award".into(), won), ("welcome".into(), 100)]);
    // The same words again, and nearly the same words.
    prosecute(&ann, "law", CORPSE).await;
    prosecute(&ann, "law", &CORPSE.replace("call it credit", "name it credit")).await;
    assert!(reasons(&ann).await.iter().filter(|(reason, _)| reason == "award").count() == 1);
    // Practice, a chosen opponent and a guest are paid nothing.
    let (ben, _) = member(&world, "ben").await;
    let (game, ben) = trial(&ben, json!({"seed": "mine", "exchanges": 1})).await;
    ben.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": CORPSE})).await.ok();
    let (game, ben) = trial(&ben, json!({"opponent": "player", "exchanges": 1})).await;
    let (eve, _) = member(&world, "eve").await;
    eve.post(&game.path("/agents/register"), &json!({"display_name": "Eve"})).await.ok();
    ben.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": CORPSE})).await.ok();
    eve.post(&game.path("/action"), &json!({"type": "answer", "text": "I have nothing to say to that, sir."}))
        .await
        .ok();
    let mut state = game.state(&ben).await;
    while state["status"] != "completed" {
        state = ben.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    prosecute(&world.api, "law", FRESH).await;
    assert_eq!(reasons(&ben).await, [("welcome".into(), 100)]);
    assert_eq!(count(&world, "select count(*) from transfers where reason = 'award'"), 1);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_hour_of_play_brings_a_hundred_and_a_day_three_hundred_at_most() {
    const HOUR_MS: i64 = 3_600_000;
    let world = World::open().await;
    let (ann, id) = member(&world, "ann").await;
    let midnight = world.house.now().0 / (24 * HOUR_MS) * (24 * HOUR_MS);
    let earned = world.house.store.write(move |db| {
        // Seven in the first hour, of which five pay; then two an hour; then the next day.
        let hours = [0; 7].into_iter().chain((2..24).map(|half| half / 2)).chain([24]);
        for (lineage, hour) in hours.enumerate() {
            let at = engine::time::Timestamp(midnight + hour * HOUR_MS);
            ledger::settle(db, id, lineage as i64, 22, &format!("{}#{lineage}", uuid::Uuid::nil()), at)?;
        }
        Ok(())
    });
    earned.await.expect("it is earned");
    let mut awards: Vec<i64> =
        reasons(&ann).await.into_iter().filter(|(reason, _)| reason == "award").map(|(_, amount)| amount).collect();
    awards.reverse();
    assert_eq!(
        awards[..6],
        [22, 22, 22, 22, 12, 22],
        "the last of the hour is cut to fit, and the next hour begins anew"
    );
    assert_eq!(awards[awards.len() - 2..], [2, 22], "so is the last of the day, and the next day begins anew");
    assert_eq!(awards.iter().sum::<i64>(), 322);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_welcomed_once_whatever_the_address_looks_like_and_after_deleting_the_account_too() {
    let world = World::open().await;
    let register = async |email: &str, name: &str| {
        let body = json!({"email": email, "username": name, "password": "a long password of mine"});
        world.api.post("/api/auth/register", &body).await.ok();
        let session = world.api.post("/api/auth/login", &body).await.ok();
        world.api.with(text(&session["access_token"]))
    };
    let first = register("mal@example.org", "mal").await;
    assert_eq!(balance(&first).await, 100);
    assert_eq!(balance(&register("mal+2@example.org", "mal-2").await).await, 0);
    assert_eq!(balance(&register("MAL+three@Example.org.", "mal-3").await).await, 0);
    first.delete("/api/auth/me", &json!({"password": "a long password of mine"})).await.ok();
    assert_eq!(balance(&register("mal@example.org", "mal-4").await).await, 0, "deleting the account changes nothing");
    assert_eq!(balance(&register("ann@example.org", "ann").await).await, 100);
    assert_eq!(count(&world, "select count(*) from transfers where reason = 'welcome'"), 2);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_8_four_ia_for_each_of_two_hundred_and_fifty_unlocks_and_then_nothing() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    prosecute(&ann, "law", CORPSE).await;
    put_up(&ann, CORPSE).await;
    recompute(&world).await;
    let before = balance(&ann).await;
    for number in 0..252 {
        let (buyer, id) = member(&world, &format!("buyer-{number}")).await;
        plain(&world, id, 10).await;
        let mut order = attack(CORPSE);
        order["price"] = json!(10);
        let bought = buyer.post("/api/unlock", &order).await.ok();
        assert_eq!((&bought["paid_ia"], &bought["balance"]), (&json!(10), &json!(0)), "a first kill costs ten");
        assert_eq!(bought["text"], CORPSE);
        if number == 0 {
            assert_eq!(balance(&ann).await, before, "it may still be given back");
            pay_royalties(&world).await;
            assert_eq!(balance(&ann).await, before + 4);
        }
    }
    pay_royalties(&world).await;
    assert_eq!(balance(&ann).await, before + 1_000);
    assert_eq!(count(&world, "select count(*) from royalty_payouts where amount_ia = 4"), 250);
    assert_eq!(count(&world, "select count(*) from royalty_payouts"), 250);
    assert_eq!(count(&world, "select count(*) from corpus_unlocks where author_share = 0 and house_share = 10"), 2);
    assert_eq!(count(&world, "select max(royalty_paid_total) from argument_stats"), 1_000);
    assert_eq!(reasons(&ann).await[0], ("royalty_attack".into(), 4));
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bonus_carries_no_royalty_and_ones_own_and_a_second_letter_box_pay_none() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    prosecute(&ann, "law", CORPSE).await;
    put_up(&ann, CORPSE).await;
    recompute(&world).await;
    let before = balance(&ann).await;
    // The author's own text is free.
    let own = ann.post("/api/unlock", &attack(CORPSE)).await.ok();
    assert_eq!((&own["owned_before"], &own["paid_ia"], &own["text"]), (&json!(true), &json!(0), &json!(CORPSE)));
    // Paid with a bonus.
    let (ben, _) = member(&world, "ben").await;
    let bought = ben.post("/api/unlock", &attack(CORPSE)).await.ok();
    assert_eq!((&bought["paid_ia"], &bought["bonus_ia"]), (&json!(10), &json!(10)));
    // An email address that differs only after a plus sign is the same person's.
    let (second, id) = member(&world, "ann+second").await;
    plain(&world, id, 50).await;
    second.post("/api/unlock", &attack(CORPSE)).await.ok();
    pay_royalties(&world).await;
    assert_eq!(balance(&ann).await, before);
    assert_eq!(count(&world, "select count(*) from royalty_payouts"), 0);
    // Half of it plain: the plain half pays.
    let (carl, id) = member(&world, "carl").await;
    plain(&world, id, 5).await;
    let now = world.house.now();
    world.house.store.write(move |db| ledger::grant(db, id, 5, true, "", "carl", now)).await.expect("it is given");
    let bought = carl.post("/api/unlock", &attack(CORPSE)).await.ok();
    assert_eq!(bought["bonus_ia"], 5);
    pay_royalties(&world).await;
    assert_eq!(balance(&ann).await, before + 2);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reworded_copy_is_not_sold_its_first_author_is_paid_and_ones_own_open_trial_pays_nobody() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (thief, _) = member(&world, "thief").await;
    let copy = CORPSE.replace("call it credit", "name it credit");
    prosecute(&ann, "law", CORPSE).await;
    prosecute(&thief, "law", &copy).await;
    let (game, player) = trial(&ann, json!({"exchanges": 1, "open": true})).await;
    player.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": FRESH})).await.ok();
    let mut state = game.state(&player).await;
    while state["status"] != "completed" {
        state = player.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    let stolen = json!({"case_id": "john_law", "character_id": "law", "text": copy});
    assert_eq!(thief.post("/api/marketplace?action=list", &stolen).await.no(403)["error"], "NOT_YOUR_ARGUMENT");
    put_up(&ann, CORPSE).await;
    put_up(&ann, FRESH).await;
    recompute(&world).await;
    let (before, thief_before) = (balance(&ann).await, balance(&thief).await);
    let (ben, id) = member(&world, "ben").await;
    plain(&world, id, 100).await;
    assert_eq!(ben.post("/api/unlock", &attack(&copy)).await.no(404)["error"], "NOT_FOR_SALE");
    ben.post("/api/unlock", &attack(CORPSE)).await.ok();
    pay_royalties(&world).await;
    let after = balance(&ann).await;
    assert!(after > before, "the first to say it is paid");
    assert_eq!(balance(&thief).await, thief_before);
    ben.post("/api/unlock", &attack(FRESH)).await.ok();
    pay_royalties(&world).await;
    assert_eq!(balance(&ann).await, after, "everybody can read it there");
    // Another account's open trial takes nothing from the author.
    let (game, player) = trial(&thief, json!({"exchanges": 1, "open": true})).await;
    player.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": CORPSE})).await.ok();
    let (carl, id) = member(&world, "carl").await;
    plain(&world, id, 100).await;
    carl.post("/api/unlock", &attack(CORPSE)).await.ok();
    pay_royalties(&world).await;
    assert!(balance(&ann).await > after);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_author_is_paid_for_ten_purchases_of_one_buyer_a_day() {
    let world = World::under(Terms { listings_a_day_max: 12, ..Terms::default() }).await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, id) = member(&world, "ben").await;
    plain(&world, id, 500).await;
    for number in 0..12 {
        put_up(&ann, &edict(number)).await;
    }
    for number in 0..12 {
        let bought = ben.post("/api/unlock", &attack(&edict(number))).await.ok();
        assert_eq!((&bought["paid_ia"], &bought["owned_before"]), (&json!(5), &json!(false)), "nobody has tried it");
    }
    pay_royalties(&world).await;
    // If the day ends during the test, each day has its own ten.
    let paid = count(
        &world,
        "select sum(min(bought, 10)) from (select count(*) as bought from corpus_unlocks group by unlocked_at / 86400000)",
    );
    assert_eq!(count(&world, "select count(*) from royalty_payouts"), paid);
    assert_eq!(balance(&ann).await, 100 + 2 * paid);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_outside_games_report_prices_nothing_unless_their_key_is_trusted() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (reports, key) = reporter(&world, &ben).await;
    let listing = json!({"case_id": "john_law", "character_id": "law", "text": FRESH});
    ann.post("/api/marketplace?action=list", &listing).await.ok();
    for _ in 0..6 {
        reports.post("/api/argument-event", &used(FRESH, 12, Some("failed"))).await.ok();
    }
    recompute(&world).await;
    let mut order = attack(FRESH);
    order["price"] = json!(25);
    let told = ben.post("/api/unlock", &order).await.no(409);
    assert_eq!((&told["error"], &told["price"]), (&json!("PRICE_CHANGED"), &json!(5)));
    trust(&world, &key, true).await;
    for _ in 0..6 {
        reports.post("/api/argument-event", &used(FRESH, 12, Some("failed"))).await.ok();
    }
    recompute(&world).await;
    let told = ben.post("/api/unlock", &order).await.no(409);
    assert!(told["price"].as_u64() > Some(15), "{told}");
    // Buying a text does not count as using it.
    let uses = count(&world, "select uses from argument_stats");
    ben.post("/api/unlock", &attack(FRESH)).await.ok();
    assert_eq!(count(&world, "select uses from argument_stats"), uses);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_under_one_key_is_made_once_and_another_under_the_same_key_is_refused() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    for words in [FRESH, UNUSED] {
        let listing = json!({"case_id": "john_law", "character_id": "law", "text": words});
        ann.post("/api/marketplace?action=list", &listing).await.ok();
    }
    let (ben, _) = member(&world, "ben").await;
    let once = ben.once("first");
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let once = once.clone();
        tasks.spawn(async move { once.post("/api/unlock", &attack(FRESH)).await });
    }
    let answers = tasks.join_all().await;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.text == answers[0].text), "{answers:?}");
    assert_eq!(once.post("/api/unlock", &attack(UNUSED)).await.no(409)["error"], "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(balance(&ben).await, 95);
    let again = ben.post("/api/unlock", &attack(FRESH)).await.ok();
    assert_eq!((&again["owned_before"], &again["paid_ia"]), (&json!(true), &json!(0)));
    assert_eq!(balance(&ben).await, 95);
    let nobody = world.api.post("/api/unlock", &attack(FRESH)).await;
    nobody.no(401);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sold_from_a_row_that_a_stranger_reported_or_that_its_author_took_back() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    prosecute(&ann, "law", CORPSE).await;
    recompute(&world).await;
    let (reports, _) = reporter(&world, &ben).await;
    let elsewhere = json!({"arg_hash": hash(CORPSE), "trial_id": "x", "player_id": "x", "case_id": "nowhere", "target_character": "nobody"});
    assert_eq!(reports.post("/api/argument-event", &elsewhere).await.ok()["counted"], false);
    let cheap = json!({"type": "attack", "hash": hash(CORPSE), "case_id": "nowhere", "character_id": "nobody"});
    assert_eq!(ben.post("/api/unlock", &cheap).await.no(404)["error"], "NOT_FOR_SALE");
    let listing = json!({"case_id": "john_law", "character_id": "law", "text": FRESH});
    ann.post("/api/marketplace?action=list", &listing).await.ok();
    ann.post("/api/marketplace?action=unlist", &listing).await.ok();
    ben.post("/api/unlock", &attack(FRESH)).await.no(404);
    assert_eq!(balance(&ben).await, 100);
    // Nor may anybody list a draft from a case file.
    let (game, prosecutor) = trial(&ben, json!({})).await;
    let state = game.state(&prosecutor).await;
    let draft = text(&state["self"]["intern"]["law"]).to_owned();
    let listing = json!({"case_id": "john_law", "character_id": "law", "text": draft});
    assert_eq!(ann.post("/api/marketplace?action=list", &listing).await.no(403)["error"], "NOT_YOUR_ARGUMENT");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_on_letters_do_not_make_an_argument_new() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    prosecute(&ann, "law", CORPSE).await;
    let marked: Vec<String> = CORPSE.split(' ').map(|word| format!("{word}\u{301}")).collect();
    prosecute(&ann, "law", &marked.join(" ")).await;
    assert_eq!(count(&world, "select count(distinct lineage) from arguments where side = 'attack'"), 1);
    assert_eq!(count(&world, "select count(*) from transfers where reason = 'award'"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_order_gets_a_sentence_and_changes_nothing() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let before = world.digest();
    let wrong = |field: &str, value: Value| {
        let mut order = attack(FRESH);
        order[field] = value;
        order
    };
    for (order, status, said) in [
        (attack(FRESH), 404, "for sale"),
        (wrong("type", json!("pack")), 400, "attack or defense"),
        (wrong("type", json!(7)), 400, "type"),
        (wrong("hash", json!("")), 400, "hash"),
        (wrong("hash", json!("x".repeat(65))), 400, "hash"),
        (wrong("case_id", Value::Null), 400, "case_id"),
        (wrong("character_id", json!("x".repeat(65))), 400, "character_id"),
        (wrong("price", json!(-1)), 400, "price"),
        (wrong("price", json!("10")), 400, "price"),
    ] {
        let told = ann.post("/api/unlock", &order).await.no(status);
        assert!(text(&told["detail"]).contains(said), "{told}");
    }
    assert_eq!(world.digest(), before);
}

/// A point of the case, in other words for each number.
fn edict(number: usize) -> String {
    let (year, coins) = (1_600 + 3 * number, 2 + number);
    format!("The order of 21 May cut the notes by half: it took {coins} coins from every widow of the class of {year}.")
}

/// A house in which one author may put up forty arguments in a day.
async fn wholesale() -> World {
    World::under(Terms { listings_a_day_max: 40, ..Terms::default() }).await
}

/// A house with forty arguments for sale and one account with this much plain IA.
async fn shop(world: &World, amount: u64) -> (Api, Vec<String>) {
    let (ann, _) = member(world, "ann").await;
    for number in 0..40 {
        put_up(&ann, &edict(number)).await;
    }
    let (ben, id) = member(world, "ben").await;
    plain(world, id, amount).await;
    (ben, (0..40).map(|number| hash(&edict(number))).collect())
}

fn order(hash: &str) -> Value {
    json!({"type": "attack", "hash": hash, "case_id": "john_law", "character_id": "law", "price": 5})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_clients_of_one_account_never_spend_more_than_there_is_and_never_pay_twice() {
    let world = wholesale().await;
    let (ben, hashes) = shop(&world, 100).await;
    let mut tasks = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let (api, hashes) = (ben.clone(), hashes.clone());
        tasks.spawn(async move {
            let mut told = vec![];
            for turn in 0..20 {
                // Half of them want the same text at the same time.
                let number = if client % 2 == 0 { turn } else { (client * 7 + turn * 3) % hashes.len() };
                let hash = &hashes[number];
                told.push((hash.clone(), api.post("/api/unlock", &order(hash)).await));
            }
            told
        });
    }
    let mut granted: BTreeMap<String, usize> = BTreeMap::new();
    let (mut short, mut owned) = (0, 0);
    for (hash, reply) in tasks.join_all().await.into_iter().flatten() {
        match reply.status {
            200 if reply.json()["owned_before"] == true => owned += 1,
            200 => *granted.entry(hash).or_default() += 1,
            409 => {
                assert_eq!(reply.json()["error"], "INSUFFICIENT_IA");
                short += 1;
            }
            _ => panic!("{reply:?}"),
        }
    }
    assert_eq!(granted.len(), 20, "a hundred buys twenty at five");
    assert!(granted.values().all(|times| *times == 1), "{granted:?}");
    assert!(short > 100 && owned > 100, "{short} were short, {owned} owned it");
    assert_eq!(balance(&ben).await, 0);
    assert_eq!(count(&world, "select count(*) from corpus_unlocks"), 20);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_was_bought_before_a_kill_is_paid_once_and_owned_and_nothing_else_is() {
    let crashes = std::env::var("MOOT_PURCHASE_CRASHES").ok().and_then(|text| text.parse().ok()).unwrap_or(CRASHES);
    let mut draw = chance("purchases");
    let mut acknowledged = 0;
    let world = wholesale().await;
    let (ben, hashes) = shop(&world, 175).await;
    world.house.store.stop().await;
    for crash in 0..crashes {
        let dir = TempDir::new();
        std::fs::copy(world.dir.path().join("moot.db"), dir.path().join("moot.db")).expect("it is copied");
        let program = Program::serve(dir.path(), &[]);
        let api = ben.at_address(program.address);
        let program = Arc::new(Mutex::new(Some(program)));
        let (answered, target) = (Arc::new(AtomicUsize::new(0)), 1 + draw.below(60));
        let mut tasks = tokio::task::JoinSet::new();
        for client in 0..CLIENTS {
            let (api, hashes, answered, program) = (api.clone(), hashes.clone(), answered.clone(), program.clone());
            tasks.spawn(async move {
                let mut bought = vec![];
                for turn in 0..hashes.len() {
                    let hash = &hashes[(client * 5 + turn) % hashes.len()];
                    let body = order(hash).to_string().into_bytes();
                    let api = api.once(&format!("buy-{hash}"));
                    let Ok(reply) = api.send("POST", "/api/unlock", Some(body)).await else { break };
                    if reply.status == 200 {
                        bought.push((hash.clone(), reply.text.clone()));
                    }
                    if answered.fetch_add(1, Ordering::SeqCst) + 1 >= target {
                        // Dropping the program kills it.
                        drop(program.lock().expect("no holder panics").take());
                    }
                }
                bought
            });
        }
        let bought: BTreeMap<String, String> = tasks.join_all().await.into_iter().flatten().collect();
        acknowledged += bought.len();
        let (well, said) = moot(&["verify"], dir.path());
        assert!(well, "crash {crash}: {said}");
        let again = Program::serve(dir.path(), &[]);
        let api = ben.at_address(again.address);
        for (hash, answer) in &bought {
            let reply = api.once(&format!("buy-{hash}")).post("/api/unlock", &order(hash)).await;
            assert_eq!((reply.status, &reply.text), (200, answer), "the first answer is given again");
        }
        let told = api.get("/api/me/ledger?limit=200").await.ok();
        let paid: i64 = told["items"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|item| item["reason"] == "unlock_attack")
            .map(|item| item["amount"].as_i64().expect("a number"))
            .sum();
        assert_eq!(told["balance"], 175 + paid);
        assert!(-paid >= 5 * bought.len() as i64, "what was acknowledged was paid");
    }
    println!("{acknowledged} purchases were acknowledged before {crashes} kills");
    assert!(acknowledged > crashes);
}
