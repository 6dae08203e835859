//! What a moderator or the operator does with IA: granting, taking back, reading the report; and the ranking of authors.

use crate::economy_throne::{OutsideGame, PLEA};
use crate::market::{FRESH, count, hash, law, list, sound};
use crate::operations::moderator;
use crate::world::{Api, World, before_trust, member, moot, text};
use serde_json::{Value, json};

async fn root(world: &World) -> Api {
    let (root, _) = member(world, "root").await;
    moderator(world, "root").await;
    root
}

async fn balance(api: &Api) -> (i64, i64) {
    let ledger = api.get("/api/me/ledger").await.ok();
    (ledger["balance"].as_i64().expect("whole"), ledger["bonus"].as_i64().expect("whole"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moderator_grants_once_for_a_key_and_nobody_else_does() {
    let world = World::open().await;
    let root = root(&world).await;
    let (ann, _) = member(&world, "ann").await;
    let gift = json!({"username": "ann", "amount": 40, "note": "for the first week"});
    world.api.post("/api/admin/grant", &gift).await.no(401);
    ann.post("/api/admin/grant", &gift).await.no(403);
    assert_eq!(balance(&ann).await, (100, 100));
    let once = root.once("g-1");
    let first = once.post("/api/admin/grant", &gift).await;
    assert_eq!((first.status, &first.json()["balance"]), (201, &json!(140)), "{}", first.text);
    assert_eq!(once.post("/api/admin/grant", &gift).await.text, first.text);
    assert_eq!(balance(&ann).await, (140, 100), "given once");
    let other = json!({"username": "ann", "amount": 41});
    assert_eq!(once.post("/api/admin/grant", &other).await.no(409)["error"], "IDEMPOTENCY_KEY_REUSED");
    root.post("/api/admin/grant", &json!({"username": "ann", "amount": 5, "bonus": true})).await.ok();
    assert_eq!(balance(&ann).await, (145, 105));
    let items = ann.get("/api/me/ledger").await.ok()["items"].clone();
    assert_eq!((&items[1]["reason"], &items[1]["reference"]), (&json!("grant"), &json!("for the first week")));

    let before = world.digest();
    for (body, status, said) in [
        (json!({"username": "ann", "amount": 0}), 400, "must be 1 to 1000000 IA, not 0"),
        (json!({"username": "ann", "amount": 1_000_001}), 400, "not 1000001"),
        (json!({"username": "nobody", "amount": 1}), 404, "There is no account called \"nobody\"."),
        (json!({"username": "ann", "amount": 1, "note": "x".repeat(201)}), 400, "note"),
    ] {
        let problem = root.post("/api/admin/grant", &body).await.no(status);
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
    assert_eq!(world.digest(), before, "nothing was changed");
    root.post("/api/admin/grant", &json!({"username": "ann", "amount": 1_000_000})).await.ok();
    assert_eq!(balance(&ann).await.0, 1_000_145);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transfer_is_taken_back_once_and_never_beyond_the_balance() {
    let world = World::open().await;
    let root = root(&world).await;
    let (ann, _) = member(&world, "ann").await;
    let given = root.post("/api/admin/grant", &json!({"username": "ann", "amount": 40})).await.ok();
    let wrong = json!({"transfer": given["transfer"]});
    ann.post("/api/admin/reverse", &wrong).await.no(403);
    let back = root.post("/api/admin/reverse", &wrong).await.ok();
    assert_eq!(back["reverses"], given["transfer"]);
    // This grant was no bonus, so it does not come out of the bonus: what is left must not carry royalties.
    assert_eq!(balance(&ann).await, (100, 100));
    let before = world.digest();
    let problem = root.post("/api/admin/reverse", &wrong).await.no(409);
    assert_eq!(problem["error"], "ALREADY_REVERSED");
    assert!(text(&problem["detail"]).contains(&format!("by transfer {}", back["transfer"])), "{problem}");
    let problem = root.post("/api/admin/reverse", &json!({"transfer": back["transfer"]})).await.no(409);
    assert_eq!(problem["error"], "IS_REVERSAL");
    assert_eq!(root.post("/api/admin/reverse", &json!({"transfer": 999})).await.no(404)["error"], "TRANSFER_NOT_FOUND");
    assert_eq!(world.digest(), before);

    // What was spent cannot be taken back.
    let given = root.post("/api/admin/grant", &json!({"username": "ann", "amount": 500})).await.ok();
    let (ben, _) = member(&world, "ben").await;
    list(&ben, &law(FRESH)).await.ok();
    let sql =
        "select n from transfers where reason = 'welcome' and payee = (select id from accounts where username = 'ann')";
    let welcome = count(&world, sql);
    root.post("/api/admin/reverse", &json!({"transfer": welcome})).await.ok();
    let order =
        json!({"type": "attack", "hash": crate::market::hash(FRESH), "case_id": "john_law", "character_id": "law"});
    ann.post("/api/unlock", &order).await.ok();
    let before = world.digest();
    let problem = root.post("/api/admin/reverse", &json!({"transfer": given["transfer"]})).await.no(409);
    assert_eq!(problem["error"], "INSUFFICIENT_IA");
    assert_eq!((&problem["price"], &problem["balance"]), (&json!(500), &json!(495)));
    assert_eq!(world.digest(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_report_adds_up_to_the_ledger() {
    let world = World::open().await;
    let root = root(&world).await;
    let (ann, _) = member(&world, "ann").await;
    ann.get("/api/admin/economy").await.no(403);
    root.post("/api/admin/grant", &json!({"username": "ann", "amount": 40})).await.ok();
    let given = root.post("/api/admin/grant", &json!({"username": "ann", "amount": 7})).await.ok();
    root.post("/api/admin/reverse", &json!({"transfer": given["transfer"]})).await.ok();
    let told = root.get("/api/admin/economy").await.ok();
    assert_eq!((&told["minted"], &told["taken"]), (&json!(247), &json!(7)), "two welcomes and two grants: {told}");
    assert_eq!((&told["in_circulation"], &told["house_balance"]), (&json!(240), &json!(-240)));
    let flows: Vec<(&str, i64, i64, i64)> = told["flows"]
        .as_array()
        .expect("flows")
        .iter()
        .map(|flow| {
            let number = |field: &str| flow[field].as_i64().expect("whole");
            (text(&flow["reason"]), number("transfers"), number("minted"), number("taken"))
        })
        .collect();
    assert_eq!(flows, [("grant", 2, 47, 0), ("reversal", 1, 0, 7), ("welcome", 2, 200, 0)]);
    let page = root.get("/admin").await.text;
    for said in
        ["Paid out by the house</dt><dd>247", "Taken by the house</dt><dd>7", "In circulation</dt><dd>240", "-240"]
    {
        assert!(page.contains(said), "{said}\n{page}");
    }
    assert!(root.with_header("accept-language", "ko").get("/admin").await.text.contains("가입 보너스"));
    let (well, said) = moot(&["admin", "economy"], world.dir.path());
    assert!(well && said.contains("in circulation: 240 IA; the house has -240") && said.contains("welcome"), "{said}");
    sound(&world);
}

async fn form(api: &Api, path: &str, body: &str) -> (u16, String) {
    let form = api.with_header("content-type", "application/x-www-form-urlencoded");
    let request = form.request(reqwest::Method::POST, path).body(body.to_owned());
    let reply = request.send().await.expect("it answers");
    (reply.status().as_u16(), reply.text().await.expect("a page"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_grants_and_takes_back_and_says_why_not_beside_the_field() {
    let world = World::open().await;
    let root = root(&world).await;
    let (ann, _) = member(&world, "ann").await;
    let gift = "key=k-1&username=ann&amount=30&note=thanks";
    for _ in 0..2 {
        let (status, page) = form(&root, "/admin/grant", gift).await;
        assert!(status == 200 && page.contains("It is granted."), "{status} {page}");
    }
    assert_eq!(balance(&ann).await.0, 130, "a form that is sent twice gives once");
    let account = ann.get("/account").await.text;
    assert!(account.contains("Given by the house <q class=\"small\" lang=\"en\">thanks</q>"), "{account}");
    let (status, page) = form(&root, "/admin/grant", "key=k-2&username=nobody&amount=30&note=").await;
    assert!(status == 404 && page.contains("grant-username-refused") && page.contains("no account called"), "{page}");
    assert!(page.contains("value=\"nobody\""), "what was typed is kept");
    let (status, page) = form(&root, "/admin/grant", "key=k-3&username=ann&amount=much&note=").await;
    assert!(status == 400 && page.contains("grant-amount-refused"), "{page}");
    assert_eq!(form(&ann, "/admin/grant", "key=k-4&username=ann&amount=30&note=").await.0, 403);
    assert_eq!(balance(&ann).await.0, 130);
    let transfer = count(&world, "select max(n) from transfers");
    let button = format!("<input type=\"hidden\" name=\"transfer\" value=\"{transfer}\">");
    let panel = root.get("/admin").await.text;
    let row = format!(
        "<th scope=\"row\" class=\"num\">{transfer}</th><td data-label=\"Reason\">Grants</td>\
         <td data-label=\"From\">the house</td><td data-label=\"To\">ann</td>"
    );
    assert!(panel.contains(&row) && panel.contains(&button), "{panel}");
    let (_, page) = form(&root, "/admin/reverse", &format!("transfer={transfer}")).await;
    assert!(page.contains("It is taken back."), "{page}");
    assert!(page.contains(&row) && !page.contains(&button), "once: {page}");
    let (status, page) = form(&root, "/admin/reverse", &format!("transfer={transfer}")).await;
    assert!(status == 409 && page.contains("was taken back before"), "{page}");
    assert_eq!(form(&ann, "/admin/reverse", "transfer=1").await.0, 403);
    assert_eq!(balance(&ann).await.0, 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_binds_a_pack_once_and_says_why_not() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let root = root(world).await;
    let (ann, _) = member(world, "ann").await;
    let wish = "of=john_law%2Flaw&price=7&name=What+held&description=";
    let (status, page) = form(&root, "/admin/pack", wish).await;
    assert!(status == 409 && page.contains("pack-of-refused") && page.contains("value=\"What held\""), "{page}");
    court.wrote(None, PLEA).await;
    court.meet(FRESH, PLEA, "proved", "p-1", "someone").await;
    assert_eq!(form(&ann, "/admin/pack", wish).await.0, 403);
    assert_eq!(form(&root, "/admin/pack", "of=john_law%2Flaw&price=much").await.0, 400);
    assert_eq!(form(&root, "/admin/pack", "of=nowhere").await.0, 400);
    assert_eq!(count(world, "select count(*) from character_packs"), 0);
    assert!(form(&root, "/admin/pack", wish).await.1.contains("The pack is bound."));
    assert!(form(&root, "/admin/pack", wish).await.1.contains("nothing was made"));
    assert_eq!(count(world, "select sum(price_ia) from character_packs where name = 'What held'"), 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_does_the_same_from_the_command_line() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let said = |arguments: &[&str]| moot(&[&["admin"], arguments].concat(), world.dir.path());
    let (well, told) = said(&["grant", "ann", "25", "--bonus", "--note", "welcome back"]);
    assert!(well && told.contains("\"balance\":125"), "{told}");
    assert_eq!(balance(&ann).await, (125, 125));
    for (arguments, why) in [
        (vec!["grant", "nobody", "1"], "There is no account called \"nobody\"."),
        (vec!["grant", "ann", "0"], "must be 1 to 1000000 IA"),
        (vec!["grant", "ann", "1000001"], "must be 1 to 1000000 IA"),
        (vec!["reverse", "99"], "There is no transfer 99."),
    ] {
        let (well, told) = said(&arguments);
        assert!(!well && told.contains(why), "{arguments:?}: {told}");
    }
    let (well, told) = said(&["reverse", "2"]);
    assert!(well && told.contains("transfer 2 is taken back by transfer 3"), "{told}");
    let (well, told) = said(&["reverse", "2"]);
    assert!(!well && told.contains("was taken back before, by transfer 3"), "{told}");
    assert_eq!(balance(&ann).await, (100, 100));
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn authors_are_ranked_by_what_their_words_did_and_not_by_what_they_were_paid() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    assert!(world.api.get("/authors").await.text.contains("Nobody has written anything yet."));
    let (ann, ann_id) = member(world, "ann").await;
    let (_, ben_id) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    court.wrote(Some(ben_id), PLEA).await;
    court.meet(FRESH, PLEA, "failed", "p-1", "someone").await;
    for prosecutor in ["p-1", "p-2", "p-3", "p-1", "p-2", "p-3"] {
        court.meet(FRESH, PLEA, "proved", prosecutor, "someone").await;
    }
    assert_eq!(court.night().await.titles, 1);
    let authors = async || world.api.get("/api/authors").await.ok()["items"].as_array().expect("items").clone();
    let row = |alias: &str, rank: i64, uses: i64, lands: i64, royalties: i64, thrones: i64| -> Value {
        json!({
            "rank": rank, "alias": alias, "arguments": 1, "uses": uses, "lands": lands, "royalties_ia": royalties,
            "thrones": thrones,
        })
    };
    assert_eq!(authors().await, [row("ben", 1, 7, 6, 0, 1), row("ann", 2, 7, 1, 0, 0)]);
    // What was paid does not lift an author above one whose words achieved more.
    let paid = world.house.store.write(move |db| {
        let sql = "insert into royalty_payouts (recipient_id, source_unlock_id, source_type, amount_ia, paid_at, lineage, transfer)
                   values (?1, 1, 'attack', 4, 0, 1, 1)";
        db.raw().execute(sql, [ann_id.0])?;
        store::corpus::rebuild(db)
    });
    paid.await.expect("it is written");
    assert_eq!(authors().await, [row("ben", 1, 7, 6, 0, 1), row("ann", 2, 7, 1, 4, 0)]);
    let page = world.api.get("/authors").await.text;
    assert!(page.contains("<tr id=\"ann\">") && page.contains("<tr id=\"ben\">"), "{page}");
    assert!(!page.contains(FRESH) && !page.contains(PLEA));
    assert!(world.api.with_header("accept-language", "ko").get("/authors").await.text.contains("저작료(IA)"));
    let first = world.api.get("/api/authors?limit=1").await.ok();
    let second = world.api.get(&format!("/api/authors?limit=1&cursor={}", first["next"])).await.ok();
    assert_eq!((&second["items"][0]["alias"], &second["next"]), (&json!("ann"), &Value::Null));
    world.api.get("/api/authors?limit=0").await.no(400);
    let gone = world
        .house
        .store
        .write(move |db| store::people::accounts::delete_account(db, ben_id, engine::time::Timestamp(1)));
    gone.await.expect("it is written");
    assert_eq!(authors().await.len(), 1, "whoever is gone is named nowhere");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_figures_of_authors_follow_whatever_happens_to_their_words_and_verify_counts_them_anew() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, ann_id) = member(world, "ann").await;
    let (_, ben_id) = member(world, "ben").await;
    let root = root(world).await;
    let figures = async || {
        sound(world);
        let items = world.api.get("/api/authors").await.ok()["items"].as_array().expect("items").clone();
        let row =
            |one: &Value| format!("{} {} {} {}", text(&one["alias"]), one["arguments"], one["uses"], one["lands"]);
        items.iter().map(row).collect::<Vec<_>>().join(", ")
    };
    // An attack that is used before it has an author counts for the author who puts it up.
    court.wrote(Some(ben_id), PLEA).await;
    court.meet(FRESH, PLEA, "failed", "p-1", "someone").await;
    assert_eq!(figures().await, "ben 1 1 0");
    list(&ann, &law(FRESH)).await.ok();
    assert_eq!(figures().await, "ann 1 1 1, ben 1 1 0");
    court.meet(FRESH, PLEA, "proved", "p-1", "someone").await;
    assert_eq!(figures().await, "ann 1 2 1, ben 1 2 1");
    let decide = async |decision: &str| {
        root.post(&format!("/api/admin/moderation/{}", hash(FRESH)), &json!({"decision": decision})).await.ok();
    };
    decide("reject").await;
    assert_eq!(figures().await, "ben 1 2 1", "what nobody may read is not counted");
    court.meet(FRESH, PLEA, "failed", "p-2", "someone").await;
    decide("approve").await;
    assert_eq!(figures().await, "ann 1 3 2, ben 1 3 1", "and what came of it meanwhile is");
    court.meet(FRESH, PLEA, "failed", "p-3", "someone").await;
    assert_eq!(figures().await, "ann 1 4 3, ben 1 4 1");

    // A database from before the figures of authors has the same ones after migration.
    let kept = world.api.get("/api/authors").await.text;
    world.house.store.stop().await;
    before_authors(&world.dir.path().join("moot.db"));
    let store = moot::play::records::open(world.dir.path()).expect("it is migrated");
    store.stop().await;
    assert_eq!(world.api.get("/api/authors").await.text, kept);
    sound(world);

    let db = rusqlite::Connection::open(world.dir.path().join("moot.db")).expect("it is a database");
    for spoil in [
        "update author_stats set royalties = royalties + 1 where account = ?1",
        "update author_stats set royalties = royalties - 1, name = 'anne' where account = ?1",
        "delete from author_stats where account = ?1",
    ] {
        assert_eq!(db.execute(spoil, [ann_id.0]).expect("it can be spoilt"), 1, "{spoil}");
        let (well, said) = moot(&["verify"], world.dir.path());
        assert!(!well && said.contains(&format!("author_stats: the figures of {ann_id} are not")), "{spoil}: {said}");
    }
}

/// Turns the database back to schema 6, before the figures of authors.
fn before_authors(path: &std::path::Path) {
    let db = rusqlite::Connection::open(path).expect("it is a database");
    before_trust(&db);
    let rest = "drop table mind_payers; drop table words_owned; alter table arguments drop column readable; drop table author_stats;
        alter table arguments drop column credited;
        drop index accounts_by_name_key; alter table accounts drop column name_key;
        alter table accounts drop column name_clash; drop table misheard; drop table influences; drop table lifts;
            alter table argument_stats drop column lift_sum; alter table argument_stats drop column lifted; pragma user_version = 6";
    db.execute_batch(rest).expect("it was there");
}
