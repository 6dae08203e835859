//! Packs: what goes into one, when the house makes one by itself, and what its buyer can read.

use crate::economy_throne::OutsideGame;
use crate::market::{FRESH, count, hash, law, list, sound};
use crate::operations::moderator;
use crate::world::{World, member, moot, text};
use serde_json::{Value, json};
use store::ledger::owned;
use store::ledger::unlocks::{self, Bought, Order, Wanted};

const TOWNS: [&str; 40] = [
    "Amsterdam",
    "Bordeaux",
    "Calais",
    "Dijon",
    "Edinburgh",
    "Florence",
    "Geneva",
    "Hamburg",
    "Innsbruck",
    "Lyon",
    "Marseille",
    "Nantes",
    "Orleans",
    "Paris",
    "Quimper",
    "Rouen",
    "Strasbourg",
    "Toulouse",
    "Utrecht",
    "Venice",
    "Warsaw",
    "York",
    "Zurich",
    "Antwerp",
    "Brussels",
    "Cologne",
    "Dresden",
    "Erfurt",
    "Frankfurt",
    "Ghent",
    "Leipzig",
    "Munich",
    "Naples",
    "Oxford",
    "Prague",
    "Rome",
    "Seville",
    "Turin",
    "Verona",
    "Weimar",
];

/// Answers that have next to nothing in common.
fn plea(number: usize) -> String {
    let town = TOWNS[number];
    format!("{town} paid in silver, {town} kept its books, and no widow in {town} lost a livre by me.")
}

async fn proved(court: &OutsideGame, numbers: std::ops::Range<usize>, times: usize) {
    for number in numbers {
        for _ in 0..times {
            court.meet(FRESH, &plea(number), "proved", "p-1", "someone").await;
        }
    }
}

fn packed(world: &World, pack: &str) -> Vec<String> {
    let db = world.database();
    let sql = "select defense_hash from pack_defenses where pack_id = ?1 order by position";
    let mut query = db.prepare(sql).expect("sound");
    let rows = query.query_map([pack], |row| row.get(0)).expect("sound");
    rows.map(|row| row.expect("a row")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_house_binds_twenty_that_were_proved_and_the_next_edition_when_most_of_them_are_new() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    proved(&court, 0..19, 1).await;
    assert_eq!(count(world, "select count(distinct lineage) from defense_corpus"), 19, "they are not kin");
    assert_eq!(count(world, "select count(*) from arguments where side = 'defense' and status = 'clear'"), 19);
    assert_eq!(court.night().await.packs, 0, "nineteen are not enough");
    proved(&court, 19..20, 2).await;
    assert_eq!(court.night().await.packs, 1);
    assert_eq!(court.night().await.packs, 0, "nothing is new");
    let best = packed(world, "law_defense_pack");
    assert_eq!(best.len(), 20);
    assert_eq!(best[0], hash(&plea(19)), "the most effective first");
    let db = world.database();
    let row = db.query_row(
        "select name, description, price_ia, pack_metadata, case_id, character_id, curator_id is null from character_packs",
        [],
        |row| {
            let metadata: Value = serde_json::from_str(&row.get::<_, String>(3)?).expect("JSON");
            let texts: [String; 4] = [row.get(0)?, row.get(1)?, row.get(4)?, row.get(5)?];
            Ok((texts, row.get::<_, i64>(2)?, metadata, row.get::<_, bool>(6)?))
        },
    );
    let (texts, price, metadata, nobodys) = row.expect("one pack");
    assert_eq!((texts[0].as_str(), price, nobodys), ("John Law Defense Pack", 50, true));
    assert!(texts[1].contains("20 defenses, every one proved"), "{}", texts[1]);
    assert_eq!((texts[2].as_str(), texts[3].as_str()), ("john_law", "law"));
    assert_eq!((&metadata["tag"], &metadata["edition"]), (&json!("law_defense_pack:1"), &json!(1)));

    // Ten better ones: half of the best are the same, so there is no new edition; with the eleventh there is.
    proved(&court, 20..30, 3).await;
    assert_eq!(court.night().await.packs, 0, "half of them are the same");
    proved(&court, 30..31, 3).await;
    assert_eq!(court.night().await.packs, 1);
    assert_eq!(packed(world, "law_defense_pack_2").len(), 20);
    assert_eq!(packed(world, "law_defense_pack"), best, "the first edition is what it was");
    let tag = "select count(*) from character_packs where pack_metadata like '%law_defense_pack:2%'";
    assert_eq!(count(world, tag), 1);
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_was_proved_where_it_counts_and_may_be_read_is_bound() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    list(&ann, &law(FRESH)).await.ok();
    proved(&court, 0..5, 1).await;
    court.meet(FRESH, &plea(5), "failed", "p-1", "someone").await;
    court.meet(FRESH, &plea(6), "withdrawn", "p-1", "someone").await;
    crate::market::trust(world, &court.key, false).await;
    court.meet(FRESH, &plea(7), "proved", "p-1", "someone").await;
    let spoil = [
        ("update arguments set opened = 1 where hash = ?1", hash(&plea(1))),
        ("update arguments set status = 'flagged' where hash = ?1", hash(&plea(2))),
        ("update arguments set text = '' where hash = ?1", hash(&plea(3))),
    ];
    let spoiled = world.house.store.write(move |db| {
        for (sql, hash) in &spoil {
            assert_eq!(db.raw().execute(sql, [hash])?, 1);
        }
        store::corpus::rebuild(db)
    });
    spoiled.await.expect("it is written");
    // A near-duplicate of one that is there adds nothing.
    crate::market::trust(world, &court.key, true).await;
    let copy = plea(0).replace(", and", " and");
    court.meet(FRESH, &copy, "proved", "p-1", "someone").await;

    let (root, _) = member(world, "root").await;
    moderator(world, "root").await;
    let wish = json!({"case_id": "john_law", "character_id": "law", "price": 70, "name": "What held"});
    ann.post("/api/admin/pack", &wish).await.no(403);
    world.api.post("/api/admin/pack", &wish).await.no(401);
    let made = root.post("/api/admin/pack", &wish).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let made = made.ok();
    assert_eq!((&made["pack_id"], &made["name"]), (&json!("law_defense_pack"), &json!("What held")));
    assert_eq!((&made["tag"], &made["defenses"]), (&json!("law_defense_pack:1"), &json!(2)));
    let mut bound = packed(world, "law_defense_pack");
    bound.sort();
    let mut expected = [hash(&plea(0)), hash(&plea(4))];
    expected.sort();
    assert_eq!(bound, expected);

    // Its buyer can read all of it, and nobody else any of it.
    let (_, buyer) = member(world, "buyer").await;
    let at = world.house.now();
    let wanted = Wanted::Pack { id: "law_defense_pack".into() };
    let order = Order { buyer, wanted, price_seen: Some(70), at };
    let bought = world.house.store.write(move |db| unlocks::buy(db, &order)).await.expect("it can be bought");
    assert!(matches!(bought, Bought::Now { .. }), "{bought:?}");
    let read = |account| owned::words(&world.db(), account, &hash(&plea(4))).expect("sound");
    assert_eq!(read(buyer), Some(plea(4)));
    let (_, other) = member(world, "other").await;
    assert_eq!(read(other), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_has_packs_made_and_is_told_why_not() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let said = |arguments: &[&str]| moot(&[&["admin", "pack"], arguments].concat(), world.dir.path());
    let (well, why) = said(&["john_law", "law"]);
    assert!(!well && why.contains("No defense of John Law has been proved yet"), "{why}");
    proved(&court, 0..2, 1).await;
    for (arguments, reason) in [
        (vec!["nowhere", "law"], "there is no case \"nowhere\""),
        (vec!["john_law", "locke"], "nobody called \"locke\" is charged"),
        (vec!["john_law", "law", "--price", "1001"], "0 to 1000 IA"),
        (vec!["john_law", "law", "--name", ""], "name"),
    ] {
        let (well, why) = said(&arguments);
        assert!(!well && why.contains(reason), "{arguments:?}: {why}");
    }
    assert_eq!(count(world, "select count(*) from character_packs"), 0);
    let (well, why) = said(&["john_law", "law", "--price", "30"]);
    assert!(well && why.contains("law_defense_pack: John Law Defense Pack, 2 defenses, 30 IA\n"), "{why}");
    let (well, why) = said(&["john_law", "law", "--price", "90"]);
    assert!(
        well && why.contains("law_defense_pack: John Law Defense Pack, 2 defenses, 30 IA; it was made before"),
        "{why}"
    );
    assert_eq!(count(world, "select sum(price_ia) from character_packs"), 30);
    proved(&court, 2..3, 1).await;
    assert!(said(&["john_law", "law"]).1.contains("law_defense_pack_2"));
    assert_eq!(count(world, "select price_ia from character_packs where pack_id = 'law_defense_pack'"), 30);
    let (root, _) = member(world, "root").await;
    moderator(world, "root").await;
    let problem =
        root.post("/api/admin/pack", &json!({"case_id": "john_locke", "character_id": "locke"})).await.no(409);
    assert_eq!(problem["error"], "NOTHING_PROVED");
    assert!(text(&problem["detail"]).contains("John Locke"), "{problem}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pack_without_a_price_never_costs_more_than_its_defenses_one_by_one() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let bind = || moot(&["admin", "pack", "john_law", "law"], world.dir.path());
    let asked = || count(world, "select price_ia from character_packs order by rowid desc limit 1");
    let apart = async || {
        let page = world.api.get("/api/argument-archive?case_id=john_law&side=defense").await.ok();
        let items = page["items"].as_array().expect("a list").clone();
        items.iter().map(|item| item["price"].as_i64().expect("it is for sale")).sum::<i64>()
    };
    proved(&court, 0..1, 1).await;
    court.night().await;
    assert!(bind().0);
    assert_eq!((asked(), apart().await), (10, 10), "one that was proved once");
    proved(&court, 1..8, 1).await;
    court.night().await;
    assert!(bind().0);
    assert!(apart().await > 50);
    assert_eq!(asked(), 50, "many together cost what a pack costs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_defenses_are_bound_once_and_asking_again_says_so() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (root, _) = member(world, "root").await;
    moderator(world, "root").await;
    proved(&court, 0..20, 1).await;
    court.night().await;
    let wish = json!({"case_id": "john_law", "character_id": "law", "price": 70, "name": "What held"});
    let again = root.post("/api/admin/pack", &wish).await;
    let expected = json!({
        "pack_id": "law_defense_pack", "tag": "law_defense_pack:1", "edition": 1, "name": "John Law Defense Pack",
        "price_ia": 50, "defenses": 20, "made_before": true,
    });
    assert_eq!((again.status, again.json()), (200, expected.clone()), "the house has made it at night");
    assert_eq!(count(world, "select count(*) from character_packs"), 1);

    // The same twenty in another order are not a new pack; with one new defense they are.
    proved(&court, 7..8, 2).await;
    court.night().await;
    assert_eq!(root.post("/api/admin/pack", &wish).await.ok(), expected);
    proved(&court, 20..21, 3).await;
    court.night().await;
    let once = root.once("pack-1");
    let first = once.post("/api/admin/pack", &wish).await;
    assert_eq!((first.status, &first.json()["edition"]), (201, &json!(2)), "{}", first.text);
    assert_eq!((&first.json()["made_before"], &first.json()["price_ia"]), (&json!(false), &json!(70)));
    // With its key the first answer is repeated word for word; without it the existing edition is named.
    let repeated = once.post("/api/admin/pack", &wish).await;
    assert_eq!((repeated.status, &repeated.text), (201, &first.text));
    let other = json!({"case_id": "john_law", "character_id": "law"});
    assert_eq!(once.post("/api/admin/pack", &other).await.no(409)["error"], "IDEMPOTENCY_KEY_REUSED");
    let unkeyed = root.post("/api/admin/pack", &other).await;
    assert_eq!((unkeyed.status, &unkeyed.json()["pack_id"]), (200, &json!("law_defense_pack_2")), "{}", unkeyed.text);
    assert_eq!(count(world, "select count(*) from character_packs"), 2);
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_calls_a_pack_that_nobody_named_in_the_readers_language() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    proved(&court, 0..1, 1).await;
    let (well, why) = moot(&["admin", "pack", "john_law", "law", "--price", "5"], world.dir.path());
    assert!(well, "{why}");
    ann.post("/api/character-pack?action=purchase", &json!({"pack_id": "law_defense_pack"})).await.ok();
    let korean = ann.with_header("accept-language", "ko");
    for path in ["/market?action=packs", "/case/john_law?show=packs", "/packs/law_defense_pack", "/account"] {
        let (told, english) = (korean.get(path).await.text, ann.get(path).await.text);
        assert!(told.contains("존 로 변론 모음") && !told.contains("Defense Pack"), "{path}: {told}");
        assert!(english.contains("John Law Defense Pack"), "{path}: {english}");
        assert!(!english.contains("1 defence"), "{path}: one spelling: {english}");
    }
    // A pack that was given a name has it in every language.
    proved(&court, 1..2, 1).await;
    moot(&["admin", "pack", "john_law", "law", "--name", "What held"], world.dir.path());
    assert!(korean.get("/packs/law_defense_pack_2").await.text.contains("<h1>What held</h1>"));
}
