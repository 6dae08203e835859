//! The archive of a case, packs and purchases: what is free, what words cost, and what owning them gives.

use crate::corpus::{CORPSE, prosecute};
use crate::market::{
    FRESH, UNUSED, another_trial, browse, count, hash, law, list, put_up, recompute, reporter, sound, trust, used,
};
use crate::world::{Api, Reply, World, member, moot, text};
use engine::id::AccountId;
use rusqlite::params;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Subjects, so that no two made-up speeches are near-duplicates.
const SUBJECTS: [&str; 20] = [
    "harbour",
    "orchard",
    "parliament",
    "granary",
    "tannery",
    "lighthouse",
    "cathedral",
    "foundry",
    "arsenal",
    "vineyard",
    "customs",
    "infirmary",
    "printing",
    "quarry",
    "observatory",
    "hospital",
    "almshouse",
    "refinery",
    "brewery",
    "library",
];

/// A speech about one of them, unlike the others.
pub fn speech(number: usize) -> String {
    let [a, b, c] = [0, 7, 13].map(|step| SUBJECTS[(number + step) % SUBJECTS.len()]);
    format!("My {a} accounts number {number} were read aloud before the {b} council, and the {c} clerk signed them.")
}

async fn archive(api: &Api, query: &str) -> Value {
    api.get(&format!("/api/argument-archive?case_id=john_law{query}")).await.ok()
}

async fn row_of(api: &Api, words: &str, query: &str) -> Value {
    let page = archive(api, query).await;
    let found = page["items"].as_array().expect("items").iter().find(|item| item["hash"] == hash(words).as_str());
    found.unwrap_or_else(|| panic!("not in the archive: {words}\n{page:#}")).clone()
}

pub async fn form(api: &Api, path: &str, body: &str) -> Reply {
    let form = api.with_header("content-type", "application/x-www-form-urlencoded");
    form.call("POST", path, Some(body.as_bytes().to_vec())).await
}

async fn balance(api: &Api) -> i64 {
    api.get("/api/me/ledger").await.ok()["balance"].as_i64().expect("a number")
}

/// Puts a pack of every proved defense of a character on the shelf, as its curator would.
pub async fn make_pack(world: &World, id: &'static str, (case, character): (&'static str, &'static str), price: i64) {
    let put = world.house.store.write(move |db| {
        let tag = json!({"tag": format!("{id}:1")}).to_string();
        db.raw().execute(
            "insert into character_packs (pack_id, character_id, case_id, name, description, price_ia, pack_metadata, created_at)
             values (?1, ?2, ?3, 'Locke Defense Pack', 'What held.', ?4, ?5, 7)",
            params![id, character, case, price, tag],
        )?;
        db.raw().execute(
            "insert into pack_defenses (pack_id, position, defense_hash, lineage, effectiveness_e4)
             select ?1, row_number() over (order by min(id)), defense_hash, min(lineage), 6250 from defense_corpus
             where case_id = ?2 and character_id = ?3 and outcome = 'proved' group by defense_hash",
            params![id, case, character],
        )?;
        Ok(())
    });
    put.await.expect("it is on the shelf");
}

/// A trusted key that reports what happened elsewhere.
pub async fn trusted(world: &World) -> Api {
    let (account, _) = member(world, "elsewhere").await;
    let (reports, key) = reporter(world, &account).await;
    trust(world, &key, true).await;
    reports
}

pub async fn defended(reports: &Api, attack: &str, words: &str, (case, character): (&str, &str), outcome: &str) {
    let body = json!({
        "defense_hash": hash(words), "argument_hash": hash(attack), "case_id": case, "character_id": character,
        "mode": "prove", "full_text": words, "outcome": outcome, "trial_id": another_trial(), "author_id": null,
        "cited_evidence": "E1,E3",
    });
    reports.post("/api/defense-event", &body).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_6_visiting_the_law_case_archive_shows_a_sortable_table_of_all_attacks_attempted_with_effectiveness_stats_free_and_full_text_behind_a_per_item_ia_paywall()
 {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (cleo, _) = member(&world, "cleo").await;
    // One that its author has put up, one by a guest, and one that its author keeps.
    prosecute(&ann, "law", CORPSE).await;
    put_up(&ann, CORPSE).await;
    prosecute(&world.api, "law", FRESH).await;
    prosecute(&ben, "law", UNUSED).await;
    recompute(&world).await;

    // Everybody sees figures and prices, but no words.
    let page = world.api.get("/api/argument-archive.php?case_id=john_law&limit=10").await;
    assert_eq!(page.ok()["items"].as_array().map(Vec::len), Some(3), "{}", page.text);
    let corpse = row_of(&world.api, CORPSE, "").await;
    assert_eq!((&corpse["effectiveness"], &corpse["price"]), (&json!(0.625), &json!(10)));
    assert_eq!((&corpse["uses"], &corpse["trap_lands"], &corpse["trap_triggers"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!((&corpse["author"], &corpse["listed"]), (&json!("ann"), &json!(true)));
    assert_eq!(corpse["preview"], "You buried a living kingdom in paper, Monsieur");
    assert_eq!((&corpse["owned"], &corpse["text"], &corpse["champion"]), (&json!(false), &json!(null), &json!(null)));
    let unused = row_of(&world.api, UNUSED, "").await;
    assert_eq!((&unused["author"], &unused["listed"], &unused["uses"]), (&json!("ben"), &json!(false), &json!(1)));
    for kept in [unused, row_of(&world.api, FRESH, "").await] {
        assert_eq!(
            (&kept["price"], &kept["preview"]),
            (&json!(null), &json!(null)),
            "nobody has agreed to sell it: {kept}"
        );
    }
    let shown = world.api.get("/case/john_law").await;
    for words in [CORPSE, FRESH, UNUSED] {
        assert!(!page.text.contains(words) && !shown.text.contains(words), "{words}");
    }
    for said in [
        "Top Killer Attacks",
        "<b>10 IA</b> <span>effectiveness 63%</span>",
        "aria-sort=\"descending\"",
        "listed by <a href=\"/authors#ann\">ann</a>",
        "said by <a href=\"/authors#ben\">ben</a>",
        "/case/john_law/throne",
        "/case/john_law/archive",
        "/login?next=%2Fcase%2Fjohn_law",
    ] {
        assert!(shown.text.contains(said), "{said}\n{}", shown.text);
    }
    for sort in ["effectiveness", "conversion", "ia", "recency", "author"] {
        let sorted = world.api.get(&format!("/case/john_law?sort={sort}")).await;
        let head = format!("data-sort=\"{sort}\"");
        let column = sorted.text.split("<th ").find(|head_of| head_of.contains(&head)).expect("a column");
        assert!(column.contains("aria-sort="), "{column}");
    }
    let korean = world.api.with_header("accept-language", "ko").get("/case/john_law").await.text;
    assert!(korean.contains("가장 강력한 공격") && korean.contains("효과 63%"), "{korean}");
    assert_eq!(world.api.get("/case/nowhere").await.status, 404);

    // Unlocking one opens that one, and pays from the purse.
    let body = format!(
        "type=attack&hash={}&case_id=john_law&character_id=law&price=10&anchor=row-1&back=/case/john_law%3Fsort%3Dia",
        hash(CORPSE)
    );
    let after = form(&cleo, "/unlock", &body).await;
    assert!(after.text.contains(CORPSE) && !after.text.contains(FRESH), "{}", after.text);
    assert!(after.text.contains("class=\"purse changed\"") && after.text.contains(">90 IA</a>"), "{}", after.text);
    assert_eq!(balance(&cleo).await, 90);
    assert_eq!(row_of(&cleo, CORPSE, "").await["text"], CORPSE);
    assert_eq!(row_of(&ann, CORPSE, "").await["text"], CORPSE, "her own");
    assert_eq!(row_of(&world.api, CORPSE, "").await["text"], json!(null));
    assert_eq!(count(&world, "select count(*) from corpus_unlocks where unlock_type = 'attack' and paid_ia = 10"), 1);
    assert_eq!(row_of(&cleo, CORPSE, "").await["uses"], 1, "reading it is no use of it");

    // The defenses that were given are there too, under their own tab; for sale is what was proved, in two trials.
    let reports = trusted(&world).await;
    let plea = speech(1);
    for _ in 0..2 {
        defended(&reports, CORPSE, &plea, ("john_law", "law"), "proved").await;
    }
    recompute(&world).await;
    let given = archive(&world.api, "&side=defense").await;
    let items = given["items"].as_array().expect("items");
    let (proved, others): (Vec<&Value>, Vec<&Value>) =
        items.iter().partition(|item| item["hash"] == hash(&plea).as_str());
    let defense = proved[0];
    assert_eq!(
        (&defense["uses"], &defense["proved"], &defense["text"]),
        (&json!(2), &json!(2), &json!(null)),
        "{given:#}"
    );
    assert!(!others.is_empty() && others.iter().all(|other| other["price"] == json!(null)), "{given:#}");
    let tab = world.api.get("/case/john_law?show=defenses").await.text;
    assert!(tab.contains(text(&defense["label"])) && !tab.contains(&plea), "{tab}");
    let wanted = json!({"type": "defense", "hash": defense["hash"], "character_id": "law", "price": defense["price"]});
    assert_eq!(cleo.post("/api/unlock", &wanted).await.ok()["text"], plea.as_str());
    assert!(archive(&cleo, "&side=defense").await.to_string().contains(&json!(plea).to_string()));
    assert!(cleo.get("/case/john_law?show=defenses").await.text.contains("yours to read"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_7_buying_the_locke_defense_pack_for_50_ia_grants_read_access_to_its_20_defenses_and_tags_the_players_intern_with_locke_defense_pack_1()
 {
    let world = World::open().await;
    let reports = trusted(&world).await;
    let locke = ("john_locke", "locke");
    let attack = json!({
        "arg_hash": hash(CORPSE), "trial_id": "t", "player_id": "p", "case_id": "john_locke", "target_character": "locke",
        "text": CORPSE,
    });
    reports.post("/api/argument-event", &attack).await.ok();
    let speeches: Vec<String> = (0..20).map(speech).collect();
    for words in &speeches {
        defended(&reports, CORPSE, words, locke, "proved").await;
    }
    make_pack(&world, "locke_defense_pack", locke, 50).await;
    let (ann, _) = member(&world, "ann").await;
    assert_eq!(ann.get("/api/auth/me").await.ok()["intern_tags"], json!([]));

    // Everybody sees that it is there and what it is worth, and reads none of it.
    let shelf = world.api.get("/api/character-pack?action=list").await.ok();
    let pack = &shelf["packs"][0];
    assert_eq!(
        (&pack["pack_id"], &pack["price_ia"], &pack["defenses"], &pack["owned"]),
        (&json!("locke_defense_pack"), &json!(50), &json!(20), &json!(false))
    );
    let closed = world.api.get("/api/character-pack?pack_id=locke_defense_pack").await;
    assert_eq!(closed.ok()["items"].as_array().map(Vec::len), Some(20));
    let pages = ["/market?action=packs", "/case/john_locke?show=packs", "/packs/locke_defense_pack"];
    for page in pages {
        let shown = world.api.get(page).await.text;
        assert!(shown.contains("20 defenses, all proved") && shown.contains("<b>50 IA</b>"), "{shown}");
        assert!(shown.contains("class=\"pack-picture\""), "{page} has a picture");
        assert!(speeches.iter().all(|words| !shown.contains(words.as_str())), "{page} is closed");
    }
    assert!(speeches.iter().all(|words| !closed.text.contains(words.as_str())));

    world.api.post("/api/character-pack?action=purchase", &json!({"pack_id": "locke_defense_pack"})).await.no(401);
    ann.post("/api/character-pack", &json!({"pack_id": "locke_defense_pack"})).await.no(400);
    ann.post("/api/character-pack?action=purchase", &json!({"pack_id": "nowhere"})).await.no(404);
    let dear = json!({"pack_id": "locke_defense_pack", "price": 40});
    let changed = ann.post("/api/character-pack?action=purchase", &dear).await.no(409);
    assert_eq!((&changed["error"], &changed["price"]), (&json!("PRICE_CHANGED"), &json!(50)));
    let wanted = json!({"pack_id": "locke_defense_pack", "price": 50});
    let bought = ann.once("pack-1").post("/api/character-pack.php?action=purchase", &wanted).await.ok();
    assert_eq!((&bought["paid_ia"], &bought["balance"]), (&json!(50), &json!(50)));
    let again = ann.once("pack-1").post("/api/character-pack.php?action=purchase", &wanted).await.ok();
    assert_eq!(again, bought, "the same answer, and nothing paid twice");
    assert_eq!(ann.post("/api/character-pack?action=purchase", &wanted).await.ok()["owned_before"], true);
    assert_eq!(balance(&ann).await, 50);
    assert_eq!(count(&world, "select count(*) from corpus_unlocks"), 1, "one row for all of them");

    assert_eq!(ann.get("/api/auth/me").await.ok()["intern_tags"], json!(["locke_defense_pack:1"]));
    assert!(ann.get("/account").await.text.contains("locke_defense_pack:1"));
    let open = ann.get("/packs/locke_defense_pack").await.text;
    let told = ann.get("/api/character-pack?pack_id=locke_defense_pack").await.ok();
    let texts: Vec<&str> = told["items"].as_array().expect("items").iter().map(|item| text(&item["text"])).collect();
    for words in &speeches {
        assert!(open.contains(words.as_str()) && texts.contains(&words.as_str()), "{words}");
    }
    assert_eq!(told["items"][0]["cited_evidence"], "E1,E3");
    // They can be read elsewhere too: in the case's archive and in the corpus, there without the trial's id.
    let kept = ann.get("/api/argument-archive?case_id=john_locke&side=defense&limit=100").await.ok();
    assert!(kept["items"].as_array().expect("items").iter().all(|item| item["owned"] == true), "{kept:#}");
    let corpus = ann.get("/api/defense-corpus?character_id=locke&limit=100").await.ok();
    let given = corpus["defenses"].as_array().expect("defenses");
    assert_eq!(given.len(), 20);
    for one in given {
        assert!(speeches.contains(&text(&one["full_text"]).to_owned()), "{one}");
        assert_eq!((&one["cited_evidence"], &one["trial_id"]), (&json!("E1,E3"), &json!(null)));
    }
    let (ben, _) = member(&world, "ben").await;
    let corpus = ben.get("/api/defense-corpus?character_id=locke&limit=100").await.ok();
    assert!(corpus["defenses"].as_array().expect("defenses").iter().all(|one| one["full_text"] == json!(null)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_that_changed_is_asked_again_too_little_says_so_and_what_one_owns_is_free() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    prosecute(&ann, "law", CORPSE).await;
    list(&ann, &law(CORPSE)).await.ok();
    recompute(&world).await;
    let body = |price: u64, back: &str| {
        let hash = hash(CORPSE);
        format!("type=attack&hash={hash}&case_id=john_law&character_id=law&price={price}&anchor=row-1&back={back}")
    };
    for back in ["/case/john_law", "/market"] {
        let page = form(&ben, "/unlock", &body(8, back)).await.text;
        assert!(page.contains("It costs 10 IA now.") && page.contains("name=\"price\" value=\"10\""), "{page}");
        assert!(!page.contains(CORPSE));
    }
    assert_eq!(balance(&ben).await, 100, "nothing was paid");
    let nonsense = "type=attack&hash=x&case_id=john_law&character_id=law&price=much&back=/market";
    assert_eq!(form(&ben, "/unlock", nonsense).await.status, 400);
    let nowhere = "type=pack&hash=nowhere&price=50&anchor=pack&back=/market";
    assert_eq!(form(&ben, "/unlock", nowhere).await.status, 404);
    let elsewhere = form(&ben, "/unlock", &body(8, "https://example.org/")).await;
    assert!(elsewhere.text.contains("id=\"lobby\""), "a form sends nobody to another house");
    let signed_out = form(&world.api, "/unlock", &body(10, "/market")).await.text;
    assert!(signed_out.contains("name=\"next\" value=\"/market\""), "{signed_out}");

    // An expensive pack leaves 5 IA.
    defended(&trusted(&world).await, CORPSE, &speech(1), ("john_law", "law"), "proved").await;
    make_pack(&world, "law_defense_pack", ("john_law", "law"), 95).await;
    ben.post("/api/character-pack?action=purchase", &json!({"pack_id": "law_defense_pack"})).await.ok();
    let page = form(&ben, "/unlock", &body(10, "/market")).await.text;
    assert!(
        page.contains("It costs 10 IA, and you have 5.") && page.contains("IA is earned in the Tribunal"),
        "{page}"
    );
    let wanted = json!({"type": "attack", "hash": hash(CORPSE), "case_id": "john_law", "character_id": "law"});
    let short = ben.post("/api/unlock", &wanted).await.no(409);
    assert_eq!(
        (&short["error"], &short["price"], &short["balance"]),
        (&json!("INSUFFICIENT_IA"), &json!(10), &json!(5))
    );

    // Its author pays nothing for it, and the market shows it to its owners.
    assert_eq!(ann.post("/api/unlock", &wanted).await.ok()["owned_before"], true);
    assert_eq!(balance(&ann).await, balance_of_trial(&world), "only what the trial brought");
    let (cleo, _) = member(&world, "cleo").await;
    let before = browse(&cleo, "").await[0].clone();
    assert_eq!((&before["price"], &before["owned"], before.get("text")), (&json!(10), &json!(false), None));
    assert!(form(&cleo, "/unlock", &body(10, "/market?sort=newest")).await.text.contains(CORPSE));
    let after = browse(&cleo, "").await[0].clone();
    assert_eq!((&after["owned"], &after["text"]), (&json!(true), &json!(CORPSE)));
    assert_eq!(form(&cleo, "/unlock", &body(10, "/market")).await.status, 200, "a second click costs nothing");
    assert_eq!(balance(&cleo).await, 90);
    let account = cleo.get("/account").await.text;
    for said in ["The words of an attack", "−10", "+100", "A bonus to begin with", "Royalty Earnings", CORPSE] {
        assert!(account.contains(said), "{said}\n{account}");
    }
    let korean = cleo.with_header("accept-language", "ko").get("/account").await.text;
    assert!(korean.contains("공격의 글") && korean.contains("저작료 수입"), "{korean}");
}

/// Ann's balance: her bonus and what the ledger says was earned.
fn balance_of_trial(world: &World) -> i64 {
    100 + count(world, "select coalesce(sum(amount), 0) from transfers where reason in ('award', 'royalty_attack')")
}

/// A row of the archive: number, hash, character, the values it may be sorted by, and its author's name.
type Plain = (i64, String, String, BTreeMap<&'static str, i64>, String);

fn plain(world: &World, sql: &str) -> Vec<Plain> {
    let db = world.database();
    let mut query = db.prepare(sql).expect("sound");
    let rows = query.query_map([], |row| {
        let (lands, of): (i64, i64) = (row.get(6)?, row.get(7)?);
        let rate = if of == 0 { -1 } else { (lands * 10_000 / of) * 1_000_000 + lands };
        let values = BTreeMap::from([
            ("rank", row.get(9)?),
            ("effectiveness", row.get(3)?),
            ("recency", row.get(4)?),
            ("ia", row.get(5)?),
            ("conversion", rate),
        ]);
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, values, row.get::<_, String>(8)?.to_lowercase()))
    });
    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_of_both_halves_pages_through_everything_once_as_a_plain_sort_would() {
    let world = World::open().await;
    let reports = trusted(&world).await;
    let authors = [member(&world, "zoe").await.0, member(&world, "Ann").await.0, member(&world, "mia").await.0];
    for number in 0..14 {
        let words = speech(number);
        let target = ["law", "orleans"][number % 2];
        let mut body = law(&words);
        body["character_id"] = json!(target);
        for use_of in 0..=(number % 5) {
            let verdict = [Some("failed"), Some("proved"), None][(number + use_of) % 3];
            let mut event = used(&words, (number % 7) as i64 - 3, verdict);
            event["target_character"] = json!(target);
            reports.post("/api/argument-event", &event).await.ok();
        }
        if number % 4 < 3 {
            list(&authors[number % 4], &body).await.ok();
        }
    }
    for number in 14..20 {
        let outcomes = ["proved", "failed", "withdrawn"];
        for use_of in 0..=(number % 3) {
            let target = ("john_law", ["law", "orleans"][number % 2]);
            defended(&reports, &speech(1), &speech(number), target, outcomes[(number + use_of) % 3]).await;
        }
    }
    recompute(&world).await;
    let attacks = plain(
        &world,
        "select s.n, s.arg_hash, s.target_character, s.effectiveness_e4, coalesce(s.last_used_at, 0), s.total_ia_won, s.trap_lands,
             s.trap_triggers, coalesce(u.username, '~'), s.low_e4 from argument_stats s join arguments a on a.n = s.argument
         left join accounts u on u.id = a.author where s.uses > 0",
    );
    let defenses = plain(
        &world,
        "select c.n, c.defense_hash, c.character_id, s.effectiveness_e4, max(d.created_at), 0, s.proved, s.uses, '~', c.low_e4
         from case_defenses c join arguments a on a.n = c.argument
         join defense_stats s on s.lineage = a.lineage and s.character_id = c.character_id
         join defense_corpus d on d.defense_hash = c.defense_hash group by c.n",
    );
    assert!(attacks.len() >= 12 && defenses.len() == 6, "{} {}", attacks.len(), defenses.len());
    for (side, rows) in [("attack", &attacks), ("defense", &defenses)] {
        for sort in ["rank", "effectiveness", "recency", "ia", "conversion", "author"] {
            if (side, sort) == ("defense", "ia") {
                let refused = world.api.get("/api/argument-archive?case_id=john_law&side=defense&sort=ia").await;
                refused.no(400);
                continue;
            }
            for (order, character) in [("desc", ""), ("asc", ""), ("desc", "orleans"), ("asc", "law")] {
                let mut expected: Vec<&Plain> =
                    rows.iter().filter(|row| character.is_empty() || row.2 == character).collect();
                if sort == "author" {
                    expected.sort_by_key(|row| (row.4.clone(), row.0));
                } else {
                    expected.sort_by_key(|row| (row.3[sort], row.0));
                }
                if order == "desc" {
                    expected.reverse();
                }
                let expected: Vec<&String> = expected.into_iter().map(|row| &row.1).collect();
                let only = if character.is_empty() { String::new() } else { format!("&character_id={character}") };
                let path = format!("&side={side}&sort={sort}&order={order}&limit=3{only}");
                let found = walk(&world.api, &path).await;
                assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{path}");
            }
        }
    }
    // A cursor belongs to its order, and one with an unknown row gives an empty page.
    let next = archive(&world.api, "&limit=3").await["next"].clone();
    let other = format!("/api/argument-archive?case_id=john_law&sort=ia&cursor={}", text(&next));
    world.api.get(&other).await.no(400);
    let gone = archive(&world.api, "&sort=author&cursor=attack.author.asc.0.99999").await;
    assert_eq!(gone["items"], json!([]));
    for wrong in ["case_id=nowhere", "", "case_id=john_law&side=both", "case_id=john_law&character_id=locke"] {
        world.api.get(&format!("/api/argument-archive?{wrong}")).await.no(400);
    }
    assert_eq!(names(&archive(&world.api, "&sort=author&limit=100").await)[..2], ["Ann", "Ann"]);
    // The arguments of a deleted account are no longer sorted by its name.
    delete(&world, "Ann").await;
    let left = archive(&world.api, "&sort=author&limit=100").await;
    assert!(!names(&left).contains(&"Ann".to_owned()), "{left:#}");
    assert_eq!(names(&left)[0], "mia");
    sound(&world);
}

fn names(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("items");
    items.iter().map(|item| item["author"].as_str().unwrap_or("").to_owned()).collect()
}

/// Deletes an account, as its owner may.
pub async fn delete(world: &World, name: &'static str) {
    let now = world.house.now();
    let gone = world.house.store.write(move |db| {
        let id = db.raw().query_row("select id from accounts where username = ?1", [name], |row| row.get(0))?;
        store::people::accounts::delete_account(db, AccountId(id), now)
    });
    gone.await.expect("it is deleted");
}

async fn walk(api: &Api, path: &str) -> Vec<String> {
    let mut found = vec![];
    let mut page = archive(api, path).await;
    loop {
        found.extend(page["items"].as_array().expect("items").iter().map(|item| text(&item["hash"]).to_owned()));
        let Some(next) = page["next"].as_str() else { return found };
        page = archive(api, &format!("{path}&cursor={next}")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_player_has_used_is_left_out_in_that_trial_or_ever() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (game, _) = prosecute(&ann, "law", CORPSE).await;
    let (other, _) = prosecute(&ann, "law", FRESH).await;
    let (ben, _) = member(&world, "ben").await;
    let hashes = |page: Value| -> Vec<String> {
        let mut found: Vec<String> =
            page["items"].as_array().expect("items").iter().map(|item| text(&item["hash"]).to_owned()).collect();
        found.sort();
        found
    };
    let mut both = vec![hash(CORPSE), hash(FRESH)];
    both.sort();
    assert_eq!(hashes(archive(&ann, "&exclude_used=false").await), both);
    assert_eq!(hashes(archive(&ann, "&exclude_used=true").await), Vec::<String>::new());
    assert_eq!(hashes(archive(&ann, &format!("&exclude_used=true&game_id={}", game.id)).await), [hash(FRESH)]);
    assert_eq!(hashes(archive(&ann, &format!("&exclude_used=true&game_id={}", other.id)).await), [hash(CORPSE)]);
    assert_eq!(hashes(archive(&ben, "&exclude_used=true").await), both);
    world.api.get("/api/argument-archive?case_id=john_law&exclude_used=true").await.no(401);
    ann.get("/api/argument-archive?case_id=john_law&exclude_used=perhaps").await.no(400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_intern_drafts_from_what_its_player_has_bought_and_from_the_record_for_everybody_else() {
    let world = World::eager().await;
    let reports = trusted(&world).await;
    reports.post("/api/argument-event", &used(CORPSE, 3, Some("failed"))).await.ok();
    defended(&reports, CORPSE, &speech(3), ("john_law", "orleans"), "proved").await;
    make_pack(&world, "orleans_defense_pack", ("john_law", "orleans"), 50).await;
    let label: String = world
        .database()
        .query_row("select label from arguments where side = 'defense'", [], |row| row.get(0))
        .expect("it was given");
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let made = ann.post("/api/games", &json!({"game_type": "tribunal", "case_id": "john_law"})).await.ok();
    let path = format!("/api/games/{}/state", text(&made["game_id"]));
    let intern = async |api: &Api| api.get(&path).await.ok()["self"]["intern"].clone();
    let plain = intern(&ann).await;
    let wanted = json!({"type": "attack", "hash": hash(CORPSE), "case_id": "john_law", "character_id": "law"});
    ann.post("/api/unlock", &wanted).await.ok();
    ann.post("/api/character-pack?action=purchase", &json!({"pack_id": "orleans_defense_pack"})).await.ok();
    let drafted = intern(&ann).await;
    assert_eq!(drafted["law"], CORPSE);
    let expecting = text(&drafted["orleans"]);
    assert!(expecting.starts_with(text(&plain["orleans"])), "{expecting}");
    assert!(expecting.contains(&label) && expecting.contains("E1, E3"), "{expecting}");
    // On the page too; and nobody else is told.
    let page = ann.get(&format!("/games/{}?draft=law", text(&made["game_id"]))).await.text;
    assert!(page.contains("France is a corpse and your notes are its shroud"), "{page}");
    for api in [&ben, &world.api] {
        assert!(!api.get(&path).await.text.contains("its shroud"), "a spectator sees no draft");
    }
    let made = ben.post("/api/games", &json!({"game_type": "tribunal", "case_id": "john_law"})).await.ok();
    let other = ben.get(&format!("/api/games/{}/state", text(&made["game_id"]))).await.ok();
    assert_ne!(other["self"]["intern"]["law"], CORPSE, "whoever has not bought it has the record");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_finds_a_row_of_the_archive_that_is_not_what_it_follows_from() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    prosecute(&ann, "law", CORPSE).await;
    let store = world.house.store.clone();
    for (change, back, table) in [
        ("update case_defenses set uses = uses + 1", "update case_defenses set uses = uses - 1", "case_defenses"),
        (
            "update case_defenses set used_at = used_at + 1",
            "update case_defenses set used_at = used_at - 1",
            "case_defenses",
        ),
        ("update case_defenses set author_key = '0zoe'", "update case_defenses set author_key = '1'", "case_defenses"),
        (
            "update argument_stats set author_key = '0zoe'",
            "update argument_stats set author_key = '0ann'",
            "argument_stats",
        ),
        ("delete from case_defenses", "", "case_defenses"),
    ] {
        sound(&world);
        store.write(move |db| Ok(db.raw().execute_batch(change)?)).await.expect("no trigger guards it");
        let (well, said) = moot(&["verify"], world.dir.path());
        assert!(!well && said.contains(table), "{change}: {said}");
        store.write(move |db| Ok(db.raw().execute_batch(back)?)).await.expect("it is put back");
    }
}
