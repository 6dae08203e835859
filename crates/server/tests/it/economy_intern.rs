//! What an intern drafts from what its player owns: words that were bought, the player's own, and defenses that are to be expected.

use crate::consult::trial;
use crate::corpus::{CORPSE, prosecute};
use crate::economy_archive::{make_pack, speech, trusted};
use crate::market::{FRESH, UNUSED, hash, law, list, used};
use crate::world::{Api, Game, World, member, text};
use serde_json::{Value, json};

/// Says this to Law and waits until the next attack is due, or the trial is over.
async fn say(api: &Api, game: &Game, words: &str) -> Value {
    api.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": words})).await.ok();
    let mut state = game.state(api).await;
    while state["status"] != "attack" && state["status"] != "completed" {
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_intern_drafts_from_its_players_own_arguments_too_and_never_what_was_said_in_this_trial() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    prosecute(&ann, "law", CORPSE).await;
    list(&ann, &law(FRESH)).await.ok();
    prosecute(&ben, "law", UNUSED).await;
    moot::corpus::nightly::recompute(&world.house.store).await.expect("it can be done");
    let silver = "Paris paid your dividend twice, Monsieur Law, once in silver and once in its own sons.";
    // A unanimous jury ends a trial early; then another trial is begun.
    let (drafted, state) = loop {
        let (game, ann) = trial(&ann, json!({"exchanges": 4})).await;
        let mut state = game.state(&ann).await;
        let mut drafted = vec![];
        for said in [CORPSE, FRESH, silver] {
            drafted.extend(state["self"]["intern"]["law"].as_str().map(str::to_owned));
            if state["status"] == "attack" {
                state = say(&ann, &game, said).await;
            }
        }
        if state["status"] == "attack" {
            break (drafted, state);
        }
    };
    assert_eq!(drafted[..2], [CORPSE, FRESH], "the more effective one first, then what she has only listed");
    let rest = [&drafted[2], text(&state["self"]["intern"]["law"])];
    for draft in rest {
        assert!(![CORPSE, FRESH, UNUSED].contains(&draft), "said already, or somebody else's: {draft}");
    }
    // They were never made against Orleans, so they are not drafted against him.
    assert!(![CORPSE, FRESH].contains(&text(&state["self"]["intern"]["orleans"])));
    // A rejected argument is not drafted any more.
    let rejected = format!("update arguments set status = 'rejected' where hash = '{}'", hash(CORPSE));
    let written = world.house.store.write(move |db| {
        db.raw().execute_batch(&rejected)?;
        store::corpus::rebuild(db)
    });
    written.await.expect("it is written");
    let (game, ann) = trial(&ann, json!({})).await;
    assert_eq!(game.state(&ann).await["self"]["intern"]["law"], FRESH);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_exchange_expects_another_defense_until_all_were_named() {
    let world = World::eager().await;
    let reports = trusted(&world).await;
    reports.post("/api/argument-event", &used(CORPSE, 3, Some("failed"))).await.ok();
    // Three in a pack, the third the most effective; one that is bought by itself; one that was never proved and is not for sale.
    for (number, cited, outcome) in
        [(0, "E1", "proved"), (1, "E2", "proved"), (2, "E3", "proved"), (3, "E4", "proved"), (4, "E5", "failed")]
    {
        let words = speech(number);
        let event = json!({
            "defense_hash": hash(&words), "argument_hash": hash(CORPSE), "case_id": "john_law", "character_id": "orleans",
            "mode": "prove", "full_text": words, "outcome": outcome, "trial_id": format!("elsewhere-{number}"),
            "author_id": null, "cited_evidence": cited,
        });
        reports.post("/api/defense-event", &event).await.ok();
    }
    make_pack(&world, "orleans_defense_pack", ("john_law", "orleans"), 50).await;
    let shorter = format!(
        "delete from pack_defenses where defense_hash = '{}'; update pack_defenses set effectiveness_e4 = 7000 where defense_hash = '{}'",
        hash(&speech(3)),
        hash(&speech(2))
    );
    world.house.store.write(move |db| Ok(db.raw().execute_batch(&shorter)?)).await.expect("it is written");
    let (ann, _) = member(&world, "ann").await;
    ann.post("/api/character-pack?action=purchase", &json!({"pack_id": "orleans_defense_pack"})).await.ok();
    let wanted = |number| json!({"type": "defense", "hash": hash(&speech(number)), "character_id": "orleans"});
    ann.post("/api/unlock", &wanted(3)).await.ok();
    assert_eq!(ann.post("/api/unlock", &wanted(4)).await.no(404)["error"], "NOT_FOR_SALE");
    let mut cited = vec![];
    // A unanimous jury ends a trial early; then another trial is begun.
    while cited.len() < 5 {
        let (game, ann) = trial(&ann, json!({"exchanges": 6})).await;
        let mut state = game.state(&ann).await;
        cited.clear();
        while cited.len() < 5 && state["status"] == "attack" {
            let draft = text(&state["self"]["intern"]["orleans"]).to_owned();
            let again = game.state(&ann).await;
            assert_eq!(again["self"]["intern"]["orleans"], draft.as_str(), "asked again, it is the same");
            let named = ["E1", "E2", "E3", "E4", "E5"].into_iter().filter(|fact| draft.contains(*fact));
            cited.push(named.collect::<Vec<_>>().join("+"));
            let words = speech(10 + cited.len());
            let words = format!("{words} So it was in Paris, Monsieur Law, on the day of which I speak.");
            state = say(&ann, &game, &words).await;
        }
    }
    assert_eq!(cited[0], "E3", "the most effective one first");
    let mut four = cited[..4].to_vec();
    four.sort();
    assert_eq!(four, ["E1", "E2", "E3", "E4"], "each once, and none that never held: {cited:?}");
    assert_eq!(cited[4], "E3", "then from the beginning: {cited:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_has_said_a_draft_of_the_house_has_its_words_and_never_pays_for_them() {
    let world = World::eager().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (game, _) = trial(&ann, json!({})).await;
    let draft = text(&game.state(&ann).await["self"]["intern"]["law"]).to_owned();
    prosecute(&ann, "law", &draft).await;
    let nobodys = format!("select count(*) from arguments where hash = '{}' and author is null", hash(&draft));
    assert_eq!(crate::market::count(&world, &nobodys), 1, "a draft stays the house's");
    let order = json!({"type": "attack", "hash": hash(&draft), "case_id": "john_law", "character_id": "law"});
    let kept = |page: Value| {
        let items = page["items"].as_array().expect("a list").clone();
        items.into_iter().find(|item| item["hash"] == hash(&draft)).expect("it is in the archive")
    };
    let before = ann.get("/api/auth/me").await.ok()["balance"].clone();
    let row = kept(ann.get("/api/argument-archive?case_id=john_law").await.ok());
    assert_eq!((&row["owned"], &row["text"]), (&json!(true), &json!(draft)));
    let had = ann.post("/api/unlock", &order).await.ok();
    assert_eq!((&had["owned_before"], &had["paid_ia"], &had["text"]), (&json!(true), &json!(0), &json!(draft)));
    assert_eq!(ann.get("/api/auth/me").await.ok()["balance"], before);
    // A player who has not said it pays for it; and having said it does not make Ann its author.
    let row = kept(ben.get("/api/argument-archive?case_id=john_law").await.ok());
    assert_eq!((&row["owned"], &row["text"]), (&json!(false), &Value::Null));
    assert_eq!(ben.post("/api/unlock", &order).await.ok()["owned_before"], json!(false));
    let account = ann.get("/account").await.text;
    assert!(account.contains("You have written nothing here yet.") && !account.contains("argued nothing"), "{account}");
}
