//! Whose words are whose: theft as it was tried, and each way around it.

use crate::consult::trial;
use crate::corpus::{CORPSE, prosecute};
use crate::economy::plain;
use crate::economy_archive::delete;
use crate::economy_throne::OutsideGame;
use crate::market::{FRESH, UNUSED, count, hash, law, list, pay_royalties, put_up, recompute, sound};
use crate::world::{Api, Game, World, member, text};
use engine::id::AccountId;
use engine::roster::{Holder, TableCommand, Terms};
use moot::play::{Plan, found};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The case file in English.
fn file() -> Value {
    serde_json::from_str(include_str!("../../../../briefs/tribunal/john_law.en.json")).expect("it reads")
}

/// Lines that house minds say against Law, and for him.
fn house_lines() -> (Vec<String>, Vec<String>) {
    let file = file();
    let list = |value: &Value| -> Vec<Value> { value.as_array().expect("a list").clone() };
    let words = |value: &Value| text(value).to_owned();
    let attacks = list(&file["attacks"]);
    let attacks = attacks.iter().filter(|one| one["character"] == "law").flat_map(|one| list(&one["lines"]));
    let law = list(&file["characters"]).into_iter().find(|one| one["id"] == "law").expect("he is charged");
    let temptations = list(&law["temptations"]);
    let angles = temptations.iter().flat_map(|one| list(&one["angles"]));
    (attacks.map(|line| words(&line)).collect(), angles.map(|angle| words(&angle["text"])).collect())
}

/// That an account may not put these words up.
async fn is_refused(thief: &Api, words: &str) {
    let refused = list(thief, &law(words)).await.no(403);
    assert_eq!(refused["error"], "NOT_YOUR_ARGUMENT", "{words}");
}

/// Whether an account is the author of words that were said.
fn wrote(world: &World, name: &str, words: &str) -> bool {
    let sql = format!(
        "select count(*) from arguments a join accounts u on u.id = a.author where a.hash = '{}' and u.username = '{name}'",
        hash(words)
    );
    count(world, &sql) == 1
}

/// What was ever credited to an account: royalties, titles, and arguments in the market or archive.
fn credited(world: &World, name: &str) -> i64 {
    let of = |table: &str, column: &str| {
        count(
            world,
            &format!("select count(*) from {table} t join accounts u on u.id = t.{column} where u.username = '{name}'"),
        )
    };
    of("royalty_shares", "recipient") + of("thrones", "champion") + of("arguments", "author")
}

/// A world with Ann, whose attack is on the market and worked, a thief, and a buyer with plain IA.
async fn market() -> (World, Api, Api, Api) {
    let world = World::eager().await;
    let (ann, _) = member(&world, "ann").await;
    let (thief, _) = member(&world, "thief").await;
    let (buyer, id) = member(&world, "buyer").await;
    plain(&world, id, 500).await;
    prosecute(&ann, "law", CORPSE).await;
    put_up(&ann, CORPSE).await;
    (world, ann, thief, buyer)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_of_house_lines_with_words_added_bring_no_listing_royalty_or_title_on_either_side() {
    let world = World::eager().await;
    let (thief, _) = member(&world, "thief").await;
    let (buyer, id) = member(&world, "buyer").await;
    plain(&world, id, 500).await;
    let (attacks, defenses) = house_lines();
    let stolen: Vec<String> =
        attacks.iter().take(7).chain(defenses.iter().take(7)).map(|line| format!("{line} Indeed so.")).collect();
    for words in &stolen {
        is_refused(&thief, words).await;
    }
    // Said in trials they are what they are: the house's.
    for words in stolen.iter().filter(|words| words.chars().count() <= 600) {
        prosecute(&thief, "law", words).await;
        is_refused(&thief, words).await;
        let order = json!({"type": "attack", "hash": hash(words), "case_id": "john_law", "character_id": "law"});
        buyer.post("/api/unlock", &order).await;
    }
    recompute(&world).await;
    pay_royalties(&world).await;
    assert_eq!(credited(&world, "thief"), 0);
    let owned = count(&world, "select count(*) from arguments where of_house = 1 and author is not null");
    assert_eq!(owned, 0, "a line of the house has no other author");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_around_another_authors_words_do_not_make_them_ones_own() {
    let (world, _, thief, _) = market().await;
    for words in [
        format!("{CORPSE} Indeed so."),
        format!(
            "Members of the jury, I have thought about this for a long while. {CORPSE} And with that I rest my case."
        ),
    ] {
        is_refused(&thief, &words).await;
        prosecute(&thief, "law", &words).await;
        assert!(!wrote(&world, "thief", &words), "{words}");
    }
    assert_eq!(credited(&world, "thief"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_that_is_said_as_a_defense_stays_its_authors() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    put_up(&ann, CORPSE).await;
    let turned = format!("{CORPSE} So I say.");
    court.meet(FRESH, &turned, "proved", "p-1", "someone").await;
    let origin = format!(
        "select count(*) from arguments a join arguments o on o.n = a.origin
         where a.hash = '{}' and a.side = 'defense' and a.author is null and o.hash = '{}'",
        hash(&turned),
        hash(CORPSE)
    );
    assert_eq!(count(world, &origin), 1, "it is known whose words these are");
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shouting_look_alike_letters_and_other_punctuation_change_no_author() {
    let (world, _, thief, _) = market().await;
    for words in
        [CORPSE.to_uppercase(), CORPSE.replace('a', "а").replace('o', "о"), CORPSE.replace([',', '.', ':'], " - ")]
    {
        let refused = list(&thief, &law(&words)).await;
        assert!(refused.status >= 400 || refused.text.contains("\"waiting\""), "{}", refused.text);
        assert!(!wrote(&world, "thief", &words), "{words}");
    }
    assert_eq!(credited(&world, "thief"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_eighth_word_left_out_or_replaced_changes_no_author() {
    let (world, _, thief, _) = market().await;
    let without = |gap: usize| -> String {
        let kept = CORPSE.split(' ').enumerate().filter(|(place, _)| place % 16 != gap);
        kept.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    };
    for words in [without(7), without(15), CORPSE.replace("shroud", "blanket")] {
        is_refused(&thief, &words).await;
    }
    assert_eq!(credited(&world, "thief"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_authors_words_in_one_text_are_nobodys_new_work() {
    let (world, _, thief, _) = market().await;
    let (ben, _) = member(&world, "ben").await;
    put_up(&ben, FRESH).await;
    is_refused(&thief, &format!("{FRESH} {CORPSE}")).await;
    assert_eq!(credited(&world, "thief"), 0);
    assert!(wrote(&world, "ben", FRESH));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_of_the_house_is_the_houses_before_anybody_has_said_it() {
    let world = World::eager().await;
    let (thief, _) = member(&world, "thief").await;
    let (attacks, _) = house_lines();
    assert_eq!(count(&world, "select count(*) from arguments"), 0, "nothing has been said here yet");
    for line in attacks.iter().take(3) {
        is_refused(&thief, line).await;
        is_refused(&thief, &line.to_lowercase().replace(',', "")).await;
    }
    assert_eq!(credited(&world, "thief"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authors_royalty_is_paid_for_a_copy_that_somebody_else_uses() {
    let (world, ann, thief, buyer) = market().await;
    // The thief plays a padded copy, which counts for Ann's lineage and is not for sale by itself.
    let copy = format!("{CORPSE} Indeed so.");
    prosecute(&thief, "law", &copy).await;
    recompute(&world).await;
    let before = ann.get("/api/me/ledger").await.ok()["balance"].as_i64();
    let order =
        |words: &str| json!({"type": "attack", "hash": hash(words), "case_id": "john_law", "character_id": "law"});
    assert_eq!(buyer.post("/api/unlock", &order(&copy)).await.no(404)["error"], "NOT_FOR_SALE");
    buyer.post("/api/unlock", &order(CORPSE)).await.ok();
    pay_royalties(&world).await;
    let after = ann.get("/api/me/ledger").await.ok()["balance"].as_i64();
    assert!(after > before, "{before:?} {after:?}");
    let royalties =
        "select count(*) from royalty_shares s join accounts u on u.id = s.recipient where u.username = 'thief'";
    assert_eq!(count(&world, royalties), 0);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_taken_back_or_whose_author_has_gone_is_nobodys_to_put_up() {
    let (world, ann, thief, _) = market().await;
    let unlisted = ann.post("/api/marketplace?action=unlist", &law(CORPSE)).await;
    assert_eq!(unlisted.status, 200, "{}", unlisted.text);
    is_refused(&thief, CORPSE).await;
    is_refused(&thief, &format!("Hear me. {CORPSE}")).await;
    delete(&world, "ann").await;
    is_refused(&thief, CORPSE).await;
    assert_eq!(credited(&world, "thief"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_accused_gives_an_account_no_answer_twice_while_others_are_left() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let mut answers = BTreeSet::new();
    // As many as the house has answers to this fact.
    let law = file()["characters"].as_array().expect("a list").iter().find(|one| one["id"] == "law").cloned();
    let to_the_guard = law.expect("he is charged")["answers"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["to"] == "E11")
        .map_or(0, |one| one["lines"].as_array().map_or(0, Vec::len));
    let trials = to_the_guard;
    assert!(trials >= 3);
    for _ in 0..trials {
        let (game, player) = trial(&ann, json!({"exchanges": 1})).await;
        let act = json!({"type": "argue", "character_id": "law", "text": UNUSED});
        player.post(&game.path("/action"), &act).await.ok();
        let mut state = game.state(&player).await;
        while state["status"] != "completed" {
            state = player.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
        }
        let said = player.get(&game.path("/transcript")).await.ok();
        let answer = said.as_array().expect("a list").iter().find(|entry| entry["name"] == "answered");
        answers.insert(text(&answer.expect("it was answered")["text"]).to_owned());
    }
    assert_eq!(answers.len(), trials, "{answers:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_house_takes_a_title_in_play_though_it_never_says_the_same_twice() {
    let world = World::open().await;
    let mut accounts = vec![];
    for name in ["ann", "ben", "cleo"] {
        accounts.push(member(&world, name).await.0);
    }
    let taken = async || -> Vec<Value> {
        moot::corpus::nightly::run(&world.house.store, world.house.now()).await.expect("it can be done");
        let told = world.api.get("/api/throne-events?case_id=john_law").await.ok();
        told["items"].as_array().expect("items").clone()
    };
    // Ann's attack is made again and again, by three accounts, until the accused has no other angle left.
    for _ in 0..8 {
        for account in &accounts {
            prosecute(account, "law", CORPSE).await;
        }
    }
    let events = taken().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(
        (&events[0]["previous_champion"], &events[0]["new_champion"]),
        (&json!("ann"), &Value::Null),
        "the house has no name"
    );
    assert_eq!(count(&world, "select count(*) - count(distinct full_text) from defense_corpus"), 0, "nothing twice");
    assert_eq!(taken().await.len(), 1, "the job makes no second one");
    sound(&world);
}

/// What an account says to an attack of the house, and how it proves that when it is called into question.
const CLAIM: &str = "A corpse? I raised her from the dead, sir: no kingdom in Europe was ever so alive, or so rich, as France was under me.";
const PROOF: &str =
    "The late King left debts of two billion on the first of September 1715, and I paid them with what I had made.";

/// A trial of one exchange in which the house prosecutes and an account answers with the claim, and proves it if it is asked to.
async fn answer_the_house(world: &World, account: AccountId, api: &Api) {
    let kind = games::catalog::by_name("tribunal").expect("it is there");
    let options = json!({"case_id": "john_law", "exchanges": 1});
    let then = vec![
        TableCommand::Fill { names: vec!["House".into()] },
        TableCommand::Sit { name: "The accused".into(), holder: Holder::Account(account) },
    ];
    let plan = Plan { kind, options: &options, terms: Terms::default(), seed: None, opened_from: None, then };
    let table = found(&world.house, plan).await.expect("it is founded");
    let game = Game { id: table.id.to_string(), agents: vec![] };
    let mut state = game.state(api).await;
    while state["status"] != "completed" {
        let act = match text(&state["status"]) {
            "answer" => Some(json!({"type": "answer", "text": CLAIM})),
            "burden" => Some(json!({"type": "prove", "text": PROOF, "evidence": ["E1"]})),
            _ => None,
        };
        if let Some(act) = act {
            api.post(&game.path("/action"), &act).await;
        }
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_house_loses_a_title_in_play_to_who_proves_the_same_against_its_line_again_and_again() {
    let world = World::open().await;
    let mut accounts = vec![];
    for name in ["ann", "ben", "cleo"] {
        accounts.push(member(&world, name).await);
    }
    let mut lost = None;
    for _ in 0..120 {
        for (api, id) in &accounts {
            answer_the_house(&world, *id, api).await;
        }
        moot::corpus::nightly::run(&world.house.store, world.house.now()).await.expect("it can be done");
        let told = world.api.get("/api/throne-events?case_id=john_law").await.ok();
        lost = told["items"].as_array().expect("items").iter().find(|one| one["asset_type"] == "attack").cloned();
        if lost.is_some() {
            break;
        }
    }
    let lost = lost.expect("a title was lost");
    assert_eq!((&lost["previous_champion"], &lost["new_champion"]), (&Value::Null, &json!("ann")), "{lost}");
    sound(&world);
}
