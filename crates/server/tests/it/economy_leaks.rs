//! What was said is read by those who own it, and by nobody else: every page and call is searched for every stored text.

use crate::consult::{consult, trial};
use crate::corpus::{CORPSE, prosecute};
use crate::economy_archive::{make_pack, speech, trusted};
use crate::market::{FRESH, UNUSED, hash, law, list, put_up, recompute};
use crate::streams::{Events, hear, socket};
use crate::world::{Api, Game, World, member, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// This many words in a row are neither a coincidence nor a preview, which has eight.
const ROW: usize = 9;
/// Shorter texts, in characters, are not searched for.
const LEN_MIN: usize = 50;

/// The words of a page or an answer, without tags, entities and escapes.
fn words(page: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut in_tag = false;
    for letter in page.chars() {
        match letter {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if in_tag => {}
            _ => plain.push(letter),
        }
    }
    // Text in an attribute counts too.
    let both = format!("{plain} {page}");
    let both = both.replace("&#39;", "'").replace("&#34;", "\"").replace("&quot;", "\"").replace("&amp;", "&");
    let both = both.replace("\\\"", "\"").replace("\\n", " ");
    let both: String =
        both.chars().map(|letter| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' }).collect();
    both.split_whitespace().map(ToOwned::to_owned).collect()
}

/// The first [`ROW`] words in a row of a text that a page contains.
pub fn found(page: &BTreeSet<Vec<String>>, text: &str) -> Option<String> {
    words(text).windows(ROW).find(|row| page.contains(*row)).map(|row| row.join(" "))
}

pub fn rows(page: &str) -> BTreeSet<Vec<String>> {
    words(page).windows(ROW).map(<[String]>::to_vec).collect()
}

/// Everything a visitor can ask for.
pub async fn everything(api: &Api, games: &[Game], packs: &[&str], character: &str) -> Vec<(String, String)> {
    let mut paths: Vec<String> = [
        "/",
        "/market",
        "/market?action=featured",
        "/market?action=untried",
        "/market?action=packs",
        "/authors",
        "/leaderboard",
        "/account",
        "/admin",
        "/docs",
        "/case/john_law",
        "/case/john_law/throne",
        "/case/john_law/archive",
        "/case/john_law?show=packs",
        "/api/marketplace",
        "/api/marketplace?action=featured",
        "/api/marketplace?action=untried",
        "/api/marketplace.php",
        "/api/authors",
        "/api/thrones?case_id=john_law",
        "/api/throne-events?case_id=john_law",
        "/api/character-pack",
        "/api/character-pack.php",
        "/api/me/arguments",
        "/api/me/ledger",
        "/api/auth/me",
        "/api/admin/moderation",
        "/api/admin/economy",
        "/api/games",
        "/api/defense-corpus",
    ]
    .map(str::to_owned)
    .into();
    for sort in ["effectiveness", "recency", "uses", "ia", "lands", "newest", "conversion", "author"] {
        paths.push(format!("/market?sort={sort}"));
        paths.push(format!("/api/marketplace?sort={sort}"));
        for side in ["attack", "defense"] {
            paths.push(format!("/api/argument-archive?case_id=john_law&side={side}&sort={sort}"));
        }
        for show in ["attacks", "defenses"] {
            paths.push(format!("/case/john_law?show={show}&sort={sort}"));
        }
    }
    paths.push(format!("/api/defense-corpus?character_id={character}"));
    paths.push(format!("/api/defense-corpus.php?arg_hash={}", hash(CORPSE)));
    for pack in packs {
        paths.push(format!("/packs/{pack}"));
        paths.push(format!("/packs/{pack}?unlocked=pack"));
        paths.push(format!("/api/character-pack?pack_id={pack}"));
    }
    for game in games {
        for part in [
            "",
            "/state",
            "/feed",
            "/transcript",
            "/events",
            "/history",
            "/result",
            "/influence",
            "/scoreboard",
            "/open-actions",
            "/minds",
        ] {
            paths.push(format!("/api/games/{}{part}", game.id));
        }
        for part in ["", "/replay", "/fragment", "/replay?at=3"] {
            paths.push(format!("/games/{}{part}", game.id));
        }
    }
    let mut answers = vec![];
    for path in paths {
        for lang in ["en", "ko"] {
            let reply = api.with_header("accept-language", lang).get(&path).await;
            assert!(reply.status < 500, "{path}: {}", reply.text);
            answers.push((path.clone(), reply.text));
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_reaches_anybody_who_does_not_own_it() {
    let world = World::eager().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (stranger, _) = member(&world, "carl").await;
    let reports = trusted(&world).await;
    let mut games = vec![];
    // Closed trials with every sort of speech, one of them with a look into the archive.
    for attack in [CORPSE, FRESH, UNUSED, CORPSE] {
        games.push(prosecute(&ann, "law", attack).await.0);
    }
    for words in [CORPSE, UNUSED] {
        put_up(&ann, words).await;
    }
    recompute(&world).await;
    let (game, prosecutor) = trial(&ben, json!({"exchanges": 2})).await;
    prosecutor.post(&game.path("/action"), &consult("law")).await.ok();
    let own =
        "The winter of 1720 was paid for in notes that no baker in Paris would take for bread, and you knew it in May.";
    prosecutor.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": own})).await.ok();
    let mut state = game.state(&prosecutor).await;
    while state["status"] != "completed" {
        state = prosecutor.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    games.push(game);
    list(&ann, &law(FRESH)).await.ok();
    for number in 0..3 {
        let case = ("john_law", "law");
        crate::economy_archive::defended(&reports, CORPSE, &speech(number), case, "proved").await;
    }
    recompute(&world).await;
    moot::corpus::nightly::run(&world.house.store, world.house.now()).await.expect("it is counted");
    make_pack(&world, "law_defense_pack", ("john_law", "law"), 50).await;

    let texts: Vec<String> = {
        let db = world.database();
        let mut query =
            db.prepare("select text from arguments union select full_text from defense_corpus").expect("sound");
        query.query_map([], |row| row.get(0)).expect("sound").map(|row| row.expect("a row")).collect()
    };
    let texts: Vec<&String> = texts.iter().filter(|text| text.chars().count() >= LEN_MIN).collect();
    assert!(texts.len() >= 8, "{texts:?}");
    let mut seen = 0;
    for api in [&world.api, &stranger] {
        for (path, answer) in everything(api, &games, &["law_defense_pack"], "law").await {
            let page = rows(&answer);
            seen += page.len();
            for text in &texts {
                assert_eq!(found(&page, text), None, "{path}");
            }
        }
        for game in &games {
            let mut socket = socket(world.address, game, "?since=0").await.expect("it opens");
            let heard = hear(&mut socket, 6).await.join("\n");
            // Server-sent events from the beginning to the end, and the state that a stream begins with.
            let end = game.state(api).await["version"].as_u64().expect("a number");
            let told = Events::open(api, game, "?since=0").await.until(end).await;
            let first = Events::open(api, game, "").await.until(end).await;
            assert!(told.len() >= 6 && first.len() == 1, "there was something to search");
            let streamed = told.iter().chain(&first).map(|told| told.data.as_str()).collect::<Vec<_>>().join("\n");
            let page = rows(&format!("{heard}\n{streamed}"));
            for text in &texts {
                assert_eq!(found(&page, text), None, "the streams of {}", game.id);
            }
        }
    }
    assert!(seen > 10_000, "there was something to search: {seen}");

    // Its owners read it: the author and a buyer.
    let shows = async |api: &Api, path: &str, text: &str| found(&rows(&api.get(path).await.text), text).is_some();
    assert!(shows(&ann, "/account", CORPSE).await && shows(&ann, "/case/john_law", CORPSE).await);
    assert!(!shows(&stranger, "/case/john_law", CORPSE).await);
    let order = json!({"type": "attack", "hash": hash(CORPSE), "case_id": "john_law", "character_id": "law"});
    let bought: Value = stranger.post("/api/unlock", &order).await.ok();
    assert_eq!(text(&bought["text"]), CORPSE);
    assert!(shows(&stranger, "/case/john_law", CORPSE).await && shows(&stranger, "/account", CORPSE).await);
    assert!(!shows(&stranger, "/case/john_law", FRESH).await, "that alone");
    stranger.post("/api/character-pack?action=purchase", &json!({"pack_id": "law_defense_pack"})).await.ok();
    assert!(shows(&stranger, "/packs/law_defense_pack", &speech(1)).await);
    assert!(!shows(&world.api, "/packs/law_defense_pack", &speech(1)).await);
    for (path, answer) in everything(&world.api, &games, &["law_defense_pack"], "law").await {
        let page = rows(&answer);
        if path == "/market?action=packs" {
            assert!(answer.contains("id=\"pack-law_defense_pack\""), "the packs are what is searched: {answer}");
        }
        assert!(
            texts.iter().all(|text| found(&page, text).is_none()),
            "what one has bought the others have not: {path}"
        );
    }
}

/// The hint under a finished trial, as this client is shown it.
async fn told(api: &Api, game: &Game) -> String {
    let mut pages = vec![];
    for part in ["/fragment", ""] {
        let page = api.get(&format!("/games/{}{part}", game.id)).await;
        assert_eq!(page.status, 200);
        let (_, hint) = page.text.split_once("<p class=\"hint\">").expect("a hint");
        pages.push(hint.split_once("</p>").expect("its end").0.to_owned());
    }
    assert_eq!(pages[0], pages[1], "page and fragment say the same");
    pages.remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_trial_tells_its_prosecutor_what_was_paid_and_nobody_else() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (eve, _) = member(&world, "eve").await;
    let over = "The jury has been asked, and the trial is over.";
    let (paid, state) = prosecute(&ann, "law", CORPSE).await;
    let score = state["ia_won"].as_i64().expect("a number");
    assert_eq!(told(&ann, &paid).await, format!("The trial brought you {score} IA."));
    // The same words score again and pay nothing.
    let (again, state) = prosecute(&ann, "law", CORPSE).await;
    let score = state["ia_won"].as_i64().expect("a number");
    assert!(score > 0, "it scored: {state}");
    let hint = told(&ann, &again).await;
    assert!(hint.starts_with(&format!("The trial scored {score} IA, and 0 IA was paid. An argument pays")), "{hint}");
    // A guest and another account are shown neither, even right after the prosecutor.
    for game in [&paid, &again] {
        assert_eq!(told(&world.api, game).await, over);
        assert_eq!(told(&eve, game).await, over);
    }
    assert!(told(&ann, &paid).await.starts_with("The trial brought you"), "and the spectators' page is not hers");
    // Practice and a guest's trial are scored, but not paid.
    let (game, ann) = trial(&ann, json!({"seed": "mine", "exchanges": 1})).await;
    ann.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": FRESH})).await.ok();
    finished(&ann, &game).await;
    let hint = told(&ann, &game).await;
    assert!(hint.contains("Nothing was paid: practice, and a trial whose opponent"), "{hint}");
    let (game, guest) = trial(&world.api, json!({"exchanges": 1})).await;
    guest.post(&game.path("/action"), &json!({"type": "argue", "character_id": "law", "text": FRESH})).await.ok();
    finished(&guest, &game).await;
    let hint = told(&guest, &game).await;
    assert!(hint.starts_with("You scored ") && hint.ends_with("A guest is not paid; an account earns IA."), "{hint}");
}

async fn finished(api: &Api, game: &Game) {
    let mut state = game.state(api).await;
    while state["status"] != "completed" {
        state = api.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
}
