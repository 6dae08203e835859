//! Trials behind closed doors: the archive knows what was tried in them, and those who own the words read them.

use crate::consult::trial;
use crate::corpus::{CORPSE, prosecute};
use crate::market::{FRESH, UNUSED, count, hash, put_up, recompute, reporter, sound, trial_of_two, used};
use crate::streams::{Events, hear, socket};
use crate::world::{Api, Game, World, member};
use serde_json::{Value, json};

const CLAIM: &str = "A corpse? I raised her from the dead, sir: no kingdom in Europe was ever so alive, nor so rich, as France was then.";
const PLEA: &str =
    "The late King left debts of two billion on the first of September 1715, and I paid them with what I had made.";

async fn archived(api: &Api, words: &str) -> Option<Value> {
    let page = api.get("/api/argument-archive?case_id=john_law&limit=100").await.ok();
    let items = page["items"].as_array().expect("items").clone();
    items.into_iter().find(|item| item["hash"] == hash(words).as_str())
}

fn attack(words: &str) -> Value {
    json!({"type": "attack", "hash": hash(words), "case_id": "john_law", "character_id": "law"})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_from_a_closed_trial_is_in_the_archive_unpriced_until_its_author_puts_it_up() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (carl, _) = member(&world, "carl").await;
    trial_of_two(&ann, &ben, CORPSE, CLAIM, PLEA).await;
    // What a stranger only reports, and what was said for practice, is in no archive.
    let (reports, _) = reporter(&world, &carl).await;
    reports.post("/api/argument-event", &used(FRESH, 3, None)).await.ok();
    let practice = json!({"exchanges": 1, "seed": "mine"});
    let (game, player) = trial(&ann, practice).await;
    player.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": UNUSED})).await.ok();
    let mut state = game.state(&player).await;
    while state["status"] != "completed" {
        state = player.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    recompute(&world).await;
    assert_eq!((archived(&carl, FRESH).await, archived(&carl, UNUSED).await), (None, None));

    let row = archived(&carl, CORPSE).await.expect("everything that was tried is there");
    assert_eq!((&row["uses"], &row["freshness"]), (&json!(0), &json!("never_used")), "{row}");
    assert_eq!((&row["author"], &row["listed"]), (&json!("ann"), &json!(false)));
    assert_eq!((&row["price"], &row["owned"], &row["text"]), (&json!(null), &json!(false), &json!(null)));
    assert_eq!(archived(&ann, CORPSE).await.expect("for her too")["text"], CORPSE);
    // The page says so, and it cannot be bought.
    assert_eq!(carl.post("/api/unlock", &attack(CORPSE)).await.no(404)["error"], "NOT_FOR_SALE");
    assert_eq!(count(&world, "select count(*) from corpus_unlocks"), 0);
    for (lang, said) in
        [("en", "Not for sale: it has not moved anybody in two trials that count"), ("ko", "판매하지 않음")]
    {
        let page = carl.with_header("accept-language", lang).get("/case/john_law").await.text;
        assert!(page.contains(said) && !page.contains("action=\"/unlock\""), "{page}");
        assert!(!page.contains("id=\"killers-h\""), "nothing was used yet");
    }
    sound(&world);

    // Used where it counts, as often as you like, it still is not sold behind its author's back; put up, it has its price.
    for _ in 0..2 {
        prosecute(&ann, "law", CORPSE).await;
    }
    recompute(&world).await;
    assert_eq!(archived(&carl, CORPSE).await.expect("it is still there")["price"], json!(null));
    assert_eq!(carl.post("/api/unlock", &attack(CORPSE)).await.no(404)["error"], "NOT_FOR_SALE");
    put_up(&ann, CORPSE).await;
    let row = archived(&carl, CORPSE).await.expect("it is still there");
    assert_eq!((&row["uses"], &row["price"]), (&json!(2), &json!(12)), "{row}");
    carl.post("/api/unlock", &attack(CORPSE)).await.ok();
    assert!(carl.get("/case/john_law").await.text.contains(CORPSE));
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_of_words_reads_them_in_a_closed_trial_of_others_and_nobody_else_does() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (buyer, _) = member(&world, "carl").await;
    let (stranger, _) = member(&world, "dora").await;
    let (thief, _) = member(&world, "eve").await;
    prosecute(&ann, "law", CORPSE).await;
    put_up(&ann, CORPSE).await;
    recompute(&world).await;
    let game = Game { id: trial_of_two(&ben, &thief, CORPSE, CLAIM, PLEA).await, agents: vec![] };
    let said = async |api: &Api| game.state(api).await["exchanges_log"][0].clone();
    let before = world.api.get(&game.path("/state")).await;
    assert_eq!(said(&buyer).await["argument"], Value::Null);
    buyer.post("/api/unlock", &attack(CORPSE)).await.ok();
    for owner in [&ann, &buyer] {
        let one = said(owner).await;
        assert_eq!((&one["argument"], &one["answer"]), (&json!(CORPSE), &json!(null)), "that alone: {one}");
        assert_eq!(one["burden"]["text"], json!(null));
        for page in ["", "/fragment", "/replay", "/replay/fragment"] {
            let page = owner.get(&format!("/games/{}{page}", game.id)).await.text;
            assert!(page.contains("France is a corpse and your notes are its shroud"), "{page}");
            assert!(!page.contains("no kingdom in Europe") && !page.contains("debts of two billion"), "{page}");
        }
    }
    // The same holds for what the accused said; a player in the trial reads it all anyway.
    let defense = said(&thief).await;
    assert_eq!((&defense["argument"], &defense["burden"]["text"]), (&json!(CORPSE), &json!(PLEA)));
    for api in [&stranger, &world.api] {
        let state = api.get(&game.path("/state")).await;
        assert_eq!(
            (&state.text, state.header("etag")),
            (&before.text, before.header("etag")),
            "the same bytes as before"
        );
        for path in ["", "/fragment", "/replay"] {
            assert!(!api.get(&format!("/games/{}{path}", game.id)).await.text.contains("its shroud"));
        }
        for path in ["/feed", "/transcript", "/events", "/history"] {
            assert!(!api.get(&game.path(path)).await.text.contains("its shroud"), "{path}");
        }
    }
    let tag = before.header("etag").to_owned();
    let owned = buyer.with_header("if-none-match", &tag).get(&game.path("/state")).await;
    assert_eq!(owned.status, 200, "an owner's state has a tag of its own");
    // A stream is made once for all spectators, so it has nobody's words.
    let version = game.state(&buyer).await["version"].as_u64().expect("a number");
    let told = Events::open(&buyer, &game, "?since=0").await.until(version).await;
    assert!(told.iter().all(|told| !told.data.contains("its shroud")));
    let mut all = socket(world.address, &game, "").await.expect("it opens");
    assert!(!hear(&mut all, 1).await[0].contains("its shroud"));
    // Only its author reads a text that a moderator has rejected.
    let rejected = format!("update arguments set status = 'rejected' where hash = '{}'", hash(CORPSE));
    let written = world.house.store.write(move |db| {
        db.raw().execute_batch(&rejected)?;
        store::corpus::rebuild(db)
    });
    written.await.expect("it is written");
    assert_eq!(said(&buyer).await["argument"], Value::Null);
    assert_eq!(said(&ann).await["argument"], CORPSE);
}
