//! What pages say of arguments that they may not quote: no two rows read the same, and a figure of few uses has its interval.

use crate::consult::{archive, consult, trial};
use crate::corpus::CORPSE;
use crate::economy_archive::make_pack;
use crate::economy_throne::{OutsideGame, PLEA};
use crate::market::{FRESH, UNUSED, defended, hash, law, list, used};
use crate::world::{World, member};
use commons::corpus::effectiveness::interval;
use serde_json::json;
use std::collections::BTreeSet;

const OTHER_PLEA: &str = "Notes were redeemed in silver at my own counter until the tenth of October, and the ledgers of the bank say how many.";
const THIRD_PLEA: &str =
    "Ask the farmers of the Loire what their rents were in 1719, and what they had been five years before that.";

const OTHER_ATTACK: &str = "Your counters closed at noon on the day the decree was read, and nobody has said who gave the order to close them.";

/// Every part of a page between these two markers.
fn each<'a>(page: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    page.split(from).skip(1).map(|part| part.split_once(to).expect("its end").0).collect()
}

async fn page(world: &World, path: &str) -> String {
    let page = world.api.get(path).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text);
    page.text
}

/// Two attacks under one label, two that were never tried, and three defenses under another.
async fn alike() -> OutsideGame {
    let court = OutsideGame::open().await;
    let (ann, _) = member(&court.world, "ann").await;
    for words in [FRESH, UNUSED, OTHER_ATTACK, CORPSE] {
        list(&ann, &law(words)).await.ok();
    }
    for plea in [PLEA, OTHER_PLEA, THIRD_PLEA] {
        court.wrote(None, plea).await;
    }
    for _ in 0..3 {
        court.meet(FRESH, PLEA, "proved", "p-1", "someone").await;
    }
    for _ in 0..2 {
        court.meet(UNUSED, OTHER_PLEA, "failed", "p-2", "someone").await;
    }
    let mut stood = defended(FRESH, THIRD_PLEA, "proved");
    stood["mode"] = json!("defend");
    court.reports.post("/api/defense-event", &stood).await.ok();
    court.night().await;
    court
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_two_rows_read_the_same_though_their_labels_do() {
    let court = alike().await;
    let world = &court.world;
    make_pack(world, "law_defense_pack", ("john_law", "law"), 50).await;
    let number = |words: &str| format!("#{}", &hash(words)[..4]);
    for (path, from, to, rows) in [
        ("/case/john_law?show=defenses", "<tr id=\"row-", "</p>", 3),
        ("/case/john_law", "<tr id=\"row-", "</p>", 2),
        ("/market?action=untried", "<tr id=\"row-", "</p>", 2),
        ("/packs/law_defense_pack", "<li><h2>", "</h2>", 2),
        ("/case/john_law/throne", "<th scope=\"row\">", "</th>", 5),
    ] {
        let page = page(world, path).await;
        // Without the row's own id.
        let told = each(&page, from, to).into_iter().map(|row| row.split_once('>').map_or(row, |(_, row)| row));
        let told: Vec<&str> = told.collect();
        assert_eq!((told.len(), told.iter().collect::<BTreeSet<_>>().len()), (rows, rows), "{path}: {told:#?}");
    }
    let defenses = page(world, "/case/john_law?show=defenses").await;
    for (plea, manner) in [(PLEA, "from the record"), (THIRD_PLEA, "by argument alone")] {
        let rows = each(&defenses, "<tr id=\"row-", "</p>");
        let row = rows.iter().find(|row| row.contains(&number(plea))).expect("it is there");
        assert!(row.contains("who signed the edict") && row.contains(&format!("· {manner}")), "{row}");
    }
    let korean = world.api.with_header("accept-language", "ko").get("/case/john_law?show=defenses").await.text;
    assert!(korean.contains("기록으로 입증") && korean.contains("논증만으로 고수"), "{korean}");
    assert!(page(world, "/packs/law_defense_pack").await.contains(&number(THIRD_PLEA)));
    assert!(page(world, "/case/john_law/throne").await.contains(&number(OTHER_PLEA)));
    assert!(page(world, "/market").await.contains(&number(UNUSED)));
    let told = world.api.get("/api/argument-archive?case_id=john_law&side=defense").await.ok();
    let items = told["items"].as_array().expect("a list");
    let third = items.iter().find(|item| item["hash"] == hash(THIRD_PLEA)).expect("it is there");
    assert_eq!(third["mode"], "defend");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_archive_tells_arguments_of_one_label_as_one_weighted_by_their_uses() {
    let court = alike().await;
    let world = &court.world;
    let rows = |page: &str| -> Vec<String> {
        each(page, "<tr><th scope=\"row\">", "</tr>").into_iter().map(str::to_owned).collect()
    };
    let of = |rows: &[String], label: &str| -> Vec<String> {
        rows.iter().filter(|row| row.contains(label)).cloned().collect()
    };
    let told = rows(&page(world, "/case/john_law/archive").await);
    // 0.5 * 0.75^3 in three uses and 1 - 0.5 * 0.75^2 in two of them are 0.414 in five.
    let attacks = of(&told, "an argument against John Law");
    assert_eq!(attacks.len(), 2, "what is tried most, and what does best: {attacks:#?}");
    assert!(attacks[0].ends_with("<td class=\"num\">5</td>"), "{attacks:#?}");
    assert!(attacks[1].contains("<td class=\"num\">41%") && attacks[1].ends_with("<td class=\"num\">5</td>"));
    // 0.789 in three uses, 0.281 in two, 0.625 in one.
    let defenses = of(&told, "who signed the edict");
    assert_eq!(defenses.len(), 1, "{defenses:#?}");
    assert!(defenses[0].contains("<td class=\"num\">59%") && defenses[0].ends_with("<td class=\"num\">6</td>"));
    assert!(!told.iter().any(|row| row.contains('♛')), "{told:#?}");
    // A crown if the title of one of them was taken.
    let (attack, plea) = (hash(UNUSED), hash(THIRD_PLEA));
    let taken = world.house.store.write(move |db| {
        for (asset, hash) in [("attack", attack), ("defense", plea)] {
            db.raw().execute(
                "insert into thrones (case_id, character_id, asset_type, lineage, champion, since)
                 select 'john_law', 'law', ?1, lineage, null, 1 from arguments where hash = ?2",
                [asset, &hash],
            )?;
        }
        Ok(())
    });
    taken.await.expect("they are taken");
    court.night().await;
    let told = rows(&page(world, "/case/john_law/archive").await);
    let crowned = told.iter().filter(|row| row.contains('♛')).count();
    assert_eq!(crowned, 3, "{told:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_label_of_the_house_is_in_the_readers_language_and_the_language_of_the_words_is_said_before_they_are_paid() {
    let court = alike().await;
    let world = &court.world;
    make_pack(world, "law_defense_pack", ("john_law", "law"), 50).await;
    let named = world.house.store.write(|db| {
        Ok(db.raw().execute("update arguments set label = 'the price of the shares' where side = 'defense'", [])?)
    });
    assert_eq!(named.await.expect("they are named"), 3);
    court.night().await;
    let korean = world.api.with_header("accept-language", "ko");
    for path in
        ["/case/john_law?show=defenses", "/packs/law_defense_pack", "/case/john_law/throne", "/case/john_law/archive"]
    {
        let told = korean.get(path).await.text;
        assert!(told.contains("<span lang=\"ko\">주식의 가격</span>"), "{path}: {told}");
        assert!(!told.contains("the price of the shares"), "{path}: {told}");
        assert!(page(world, path).await.contains("<span lang=\"en\">the price of the shares</span>"), "{path}");
    }
    for (path, said) in
        [("/case/john_law", "영어 글"), ("/market", "영어 글"), ("/case/john_law?show=packs", "그중 2개는 영어 글")]
    {
        let told = korean.get(path).await.text;
        assert!(told.contains(said), "{path}: {told}");
        assert!(!page(world, path).await.contains("in English"), "{path}: it is the reader's own");
    }
    assert!(korean.get("/market").await.text.contains("존 로에 대한 논거"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_best_attacks_of_a_case_have_done_something_also_before_the_first_night() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    // Before a nightly run all are equally effective; the two newest moved no juror.
    for (words, shift, verdict) in
        [(CORPSE, 3, Some("failed")), (FRESH, 2, None), (UNUSED, 0, Some("proved")), (OTHER_ATTACK, 0, None)]
    {
        let mut report = used(words, shift, verdict);
        report["ia_change"] = json!(shift);
        court.reports.post("/api/argument-event", &report).await.ok();
    }
    let killers = |page: String| -> Vec<String> {
        let section = page.split("<section class=\"killers\"").nth(1).map(|rest| rest.split("</section>").next());
        let section = section.flatten().unwrap_or_default().to_owned();
        each(&section, "<span class=\"small\">#", "</span>").into_iter().map(str::to_owned).collect()
    };
    let first = |words: &str| hash(words)[..4].to_owned();
    assert_eq!(killers(page(world, "/case/john_law").await), [first(CORPSE), first(FRESH)]);
    court.night().await;
    assert_eq!(killers(page(world, "/case/john_law").await), [first(CORPSE), first(FRESH)]);
}

/// How often something worked, as every page says it.
fn said(worked: u64, uses: u64) -> String {
    let (low, high) = interval(worked, uses);
    let count = if uses == 1 { "1 use".to_owned() } else { format!("{uses} uses") };
    format!("worked in {worked} of {count}, so in {}% to {}%", low.0 / 100, (high.0 + 99) / 100)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_figure_never_stands_without_how_often_it_worked_and_the_interval() {
    let court = alike().await;
    let world = &court.world;
    make_pack(world, "law_defense_pack", ("john_law", "law"), 50).await;
    for (path, figure, worked) in [
        ("/case/john_law?show=defenses", "<b>79%</b> ", said(3, 3)),
        ("/case/john_law", "<b>21%</b> ", said(0, 3)),
        ("/market", "<b>72%</b> ", said(2, 2)),
        // How well it did when it was bound.
        ("/packs/law_defense_pack", "<b>63%</b> ", said(3, 3)),
        ("/case/john_law/throne", "79% <small class=\"interval\">", said(3, 3)),
        ("/case/john_law/archive", "41% <small class=\"interval\">", said(2, 5)),
    ] {
        let page = page(world, path).await;
        assert!(page.contains(&format!("{figure}{worked}")), "{path}: {figure}{worked}\n{page}");
    }
    let archive = async || {
        let told = world.api.get("/api/argument-archive?case_id=john_law&side=defense").await.ok();
        let items = told["items"].as_array().expect("a list").clone();
        items.into_iter().find(|item| item["hash"] == hash(PLEA)).expect("it is there")
    };
    let told = archive().await;
    let [low, figure, high] = ["low", "effectiveness", "high"].map(|field| told[field].as_f64().expect("a number"));
    let ends = interval(3, 3);
    assert_eq!([low, high], [ends.0, ends.1].map(|end| end.0 as f64 / 10_000.0), "{told}");
    assert!(0.0 < low && low < figure && figure < high, "{told}");
    for _ in 0..7 {
        court.meet(FRESH, PLEA, "proved", "p-3", "someone").await;
    }
    court.night().await;
    for path in ["/case/john_law?show=defenses", "/case/john_law/throne"] {
        let page = page(world, path).await;
        assert!(page.contains(&said(10, 10)), "{path}: {page}");
    }
    assert!(archive().await["low"].as_f64().is_some_and(|closer| closer > low));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_archive_shows_in_a_trial_has_its_interval_too() {
    let world = World::open().await;
    archive(&world).await;
    let (bob, _) = member(&world, "bob").await;
    let (game, bob) = trial(&bob, json!({})).await;
    bob.post(&game.path("/action"), &consult("law")).await.ok();
    let page = bob.get(&format!("/games/{}", game.id)).await.text;
    let told = each(&page, "<div class=\"row\"><svg class=\"eff\"", "</span>");
    assert!(!told.is_empty() && told.iter().all(|row| row.contains("worked in ")), "{told:#?}");
}
