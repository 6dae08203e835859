//! What is said in a closed trial, or by a guest, stays there: it is not sold, consulted, packed or put into another game's prompt, while
//! its figures are kept; the same words put up by their author are for sale.

use crate::consult::{consult, texts, trial};
use crate::corpus::prosecute;
use crate::economy::plain;
use crate::economy_leaks::{everything, found, rows};
use crate::market::{FRESH, count, hash, put_up, recompute, sound};
use crate::operations::moderator;
use crate::standin::StandIn;
use crate::world::{Api, Game, World, member, text};
use moot::settings::Settings;
use moot::settings::minds::Provider;
use serde_json::{Value, json};

/// What an account says behind closed doors, and what a guest says there and in the open.
const CLOSED: &str = "In May 1720 the edict of the twenty-first halved every note by December, and a week later the court took it \
    back, so that no baker in Paris knew on Monday what his Friday was worth.";
const GUESTS: [&str; 2] = [
    "On the seventeenth of July fifteen people were crushed in the rue Vivienne for ten livres each, while the bank that owed \
        them kept its shutters down and its guards awake.",
    "You bought back your own shares at nine thousand livres in March, printed the money for it overnight, and called that a \
        market, Monsieur Law, though you stood on both sides of the counter.",
];

/// A trial of one exchange with these words, closed or open, played to its end.
async fn say(player: &Api, words: &str, open: bool) -> Game {
    let (game, prosecutor) = trial(player, json!({"exchanges": 1, "open": open})).await;
    let act = json!({"type": "argue", "character_id": "law", "text": words});
    prosecutor.post(&game.path("/action"), &act).await.ok();
    let mut state = game.state(&prosecutor).await;
    while state["status"] != "completed" {
        state = prosecutor.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    game
}

fn order(words: &str) -> Value {
    json!({"type": "attack", "hash": hash(words), "case_id": "john_law", "character_id": "law"})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_said_behind_closed_doors_or_by_a_guest_leaves_its_game_until_its_author_puts_it_up() {
    // Models may be asked for the accused and the bench of later trials; what they are told is looked through.
    let stand_in = StandIn::open().await;
    let mut minds = stand_in.settings(Provider::Anthropic);
    let model = minds.preferred.to_string();
    minds.offered = vec![std::mem::take(&mut minds.preferred)];
    let world = World::with(Settings { minds, ..Settings::default() }).await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, ben_id) = member(&world, "ben").await;
    let (root, _) = member(&world, "root").await;
    moderator(&world, "root").await;
    plain(&world, ben_id, 500).await;

    let mut games = vec![];
    for _ in 0..3 {
        games.push(say(&ann, CLOSED, false).await);
        games.push(say(&world.api, GUESTS[0], false).await);
        say(&world.api, GUESTS[1], true).await;
    }
    recompute(&world).await;
    root.post("/api/admin/pack", &json!({"case_id": "john_law", "character_id": "law", "price": 50})).await;
    moot::corpus::nightly::run(&world.house.store, world.house.now()).await.expect("it is counted");

    // A trial of another player, with a model in both house seats, who also looks into the archive.
    stand_in.forget();
    let options = json!({
        "game_type": "tribunal", "case_id": "john_law", "exchanges": 2, "minds": {"0": model, "2": model},
    });
    let made = ben.post("/api/games", &options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let act = json!({"type": "argue", "character_id": "law", "text": FRESH});
    ben.post(&game.path("/action"), &act).await.ok();
    stand_in.asked_times(2).await;
    let (looked, player) = trial(&ben, json!({"exchanges": 2})).await;
    let consulted = player.post(&looked.path("/action"), &consult("law")).await;
    let shown = if consulted.status == 200 { looked.state(&player).await } else { Value::Null };

    let secrets = [CLOSED, GUESTS[0], GUESTS[1]];
    for words in secrets {
        assert_eq!(ben.post("/api/unlock", &order(words)).await.no(404)["error"], "NOT_FOR_SALE", "{words}");
        assert!(shown.is_null() || !texts(&shown).contains(&words), "consulted");
    }
    let sql = "select count(*) from pack_defenses p join arguments a on a.hash = p.defense_hash where a.released = 0";
    assert_eq!(count(&world, sql), 0, "packed");
    let (stranger, _) = member(&world, "stranger").await;
    for api in [&world.api, &stranger] {
        for (path, answer) in everything(api, &games, &["law_defense_pack"], "law").await {
            let page = rows(&answer);
            for words in secrets {
                // The guest's open trial is read where it was held, and nowhere else.
                assert_eq!(found(&page, words), None, "{path}");
            }
        }
    }
    for asked in stand_in.asked() {
        let page = rows(&asked.words());
        for words in secrets {
            assert_eq!(found(&page, words), None, "a prompt of another game");
        }
    }
    // The figures are there, without the words.
    for words in secrets {
        let uses = format!("select uses from argument_stats where arg_hash = '{}'", hash(words));
        assert!(count(&world, &uses) >= 3, "{words}");
    }

    // The same words, put up by their author, are for sale as soon as they have moved somebody, and may be read by who pays.
    put_up(&ann, CLOSED).await;
    let moved = format!("select moved from argument_stats where arg_hash = '{}'", hash(CLOSED));
    assert!(count(&world, &moved) > 0, "they moved somebody");
    assert_eq!(text(&ben.post("/api/unlock", &order(CLOSED)).await.ok()["text"]), CLOSED);
    assert_eq!(ben.post("/api/unlock", &order(GUESTS[0])).await.no(404)["error"], "NOT_FOR_SALE");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pack_is_withdrawn_when_words_in_it_may_not_leave_their_game_and_who_bought_it_keeps_it() {
    let world = World::eager().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, ben_id) = member(&world, "ben").await;
    let (cleo, cleo_id) = member(&world, "cleo").await;
    plain(&world, ben_id, 500).await;
    plain(&world, cleo_id, 500).await;
    let reports = crate::economy_archive::trusted(&world).await;
    prosecute(&ann, "law", CLOSED).await;
    for number in 0..3 {
        let case = ("john_law", "law");
        let plea = crate::economy_archive::speech(number);
        crate::economy_archive::defended(&reports, CLOSED, &plea, case, "proved").await;
    }
    recompute(&world).await;
    crate::economy_archive::make_pack(&world, "law_defense_pack", ("john_law", "law"), 50).await;
    let buy = json!({"pack_id": "law_defense_pack", "price": 50});
    ben.post("/api/character-pack?action=purchase", &buy).await.ok();
    // One of its defenses may not leave its game any more.
    let plea = hash(&crate::economy_archive::speech(1));
    let withdrawn = world.house.store.write(move |db| {
        db.raw().execute("update arguments set aired = 0, released = 0 where hash = ?1", [plea])?;
        Ok(())
    });
    withdrawn.await.expect("it is written");
    assert_eq!(cleo.post("/api/character-pack?action=purchase", &buy).await.status, 404);
    assert_eq!(cleo.get("/packs/law_defense_pack").await.status, 404);
    assert!(!cleo.get("/api/character-pack?action=list").await.text.contains("law_defense_pack"));
    assert!(ben.get("/packs/law_defense_pack").await.text.contains(&crate::economy_archive::speech(2)), "he keeps it");
}
