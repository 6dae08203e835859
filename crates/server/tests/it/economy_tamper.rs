//! `moot verify` names what was changed behind the server's back in the rows that limit royalties and in packs.

use crate::corpus::{CORPSE, prosecute};
use crate::economy::plain;
use crate::economy_throne::{OutsideGame, PLEA};
use crate::market::{FRESH, hash, law, list, pay_royalties, sound};
use crate::operations::moderator;
use crate::world::{TempDir, World, member, verify};
use rusqlite::Connection;
use serde_json::json;

const OTHER_PLEA: &str = "Notes were redeemed in silver at my own counter until the tenth of October, and the ledgers of the bank say how many.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_row_of_a_royalty_day_or_of_a_pack_is_found_and_named() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, ann_id) = member(world, "ann").await;
    let (_, ben_id) = member(world, "ben").await;
    let (bob, bob_id) = member(world, "bob").await;
    let (root, _) = member(world, "root").await;
    moderator(world, "root").await;
    list(&ann, &law(FRESH)).await.ok();
    plain(world, bob_id, 500).await;
    let attack = json!({"type": "attack", "hash": hash(FRESH), "case_id": "john_law", "character_id": "law"});
    bob.post("/api/unlock", &attack).await.ok();
    court.wrote(Some(ben_id), PLEA).await;
    court.wrote(Some(ann_id), OTHER_PLEA).await;
    court.proved(FRESH, PLEA, 2, &["p-1"]).await;
    court.proved(FRESH, OTHER_PLEA, 1, &["p-1"]).await;
    court.night().await;
    root.post("/api/admin/pack", &json!({"case_id": "john_law", "character_id": "law", "price": 50})).await.ok();
    let pack = json!({"pack_id": "law_defense_pack", "price": 50});
    bob.post("/api/character-pack?action=purchase", &pack).await.ok();
    pay_royalties(world).await;
    sound(world);
    world.house.store.stop().await;

    let paid = |author| format!("royalty_days: the purchases of {bob_id} that paid {author} on day ");
    let packed = |row: u64, what: &str| format!("pack_defenses, row {row}: {what}");
    let by = |author: engine::id::AccountId| format!("where author = x'{}'", author.0.simple());
    for (spoil, named, what) in [
        (format!("update royalty_days set purchases = 3 {}", by(ann_id)), paid(ann_id), "are not what was paid"),
        (format!("update royalty_days set purchases = 0 {}", by(ben_id)), paid(ben_id), "are not what was paid"),
        (format!("update royalty_days set day = day - 1 {}", by(ben_id)), paid(ben_id), "are not what was paid"),
        (
            format!("update royalty_days set buyer = author {}", by(ben_id)),
            format!("the purchases of {ben_id}"),
            "paid",
        ),
        (format!("delete from royalty_days {}", by(ann_id)), paid(ann_id), "are missing"),
        ("update pack_defenses set position = 7 where position = 2".into(), packed(7, "the places are not"), ""),
        ("delete from pack_defenses where position = 1".into(), packed(2, "the places are not"), ""),
        ("delete from pack_defenses".into(), "character_packs, row 1: there is nothing in it".into(), ""),
        (
            "update pack_defenses set pack_id = 'another' where position = 1".into(),
            packed(1, "there is no such pack"),
            "another",
        ),
        (
            format!("update pack_defenses set defense_hash = '{}' where position = 2", hash(FRESH)),
            packed(2, "it was never proved"),
            "",
        ),
        (
            "update pack_defenses set lineage = lineage + 100 where position = 2".into(),
            packed(2, "it was never proved"),
            "",
        ),
        (
            "update pack_defenses set lineage = (select max(lineage) from pack_defenses)".into(),
            packed(1, "it was never"),
            "",
        ),
        (
            "update pack_defenses set effectiveness_e4 = 9999 where position = 1".into(),
            packed(1, "it never did so well"),
            "",
        ),
        (
            "update pack_defenses set effectiveness_e4 = 9999 where position = 2".into(),
            packed(2, "it never did so well"),
            "",
        ),
        (
            "update character_packs set case_id = 'john_locke'".into(),
            packed(1, "it was never proved"),
            "law_defense_pack",
        ),
        ("delete from pack_defenses where position = 2".into(), "royalty_payouts, row".into(), "has no such argument"),
    ] {
        let dir = TempDir::new();
        std::fs::copy(world.dir.path().join("moot.db"), dir.path().join("moot.db")).expect("it is copied");
        let db = Connection::open(dir.path().join("moot.db")).expect("it is a database");
        assert!(db.execute(&spoil, []).expect("it can be spoilt") > 0, "{spoil}");
        let found = verify(dir.path()).expect_err(&spoil).to_string();
        assert!(found.contains(&named) && found.contains(what), "{spoil}: {found}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_words_signatures_and_defenses_are_found_and_named() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    prosecute(&ann, "law", CORPSE).await;
    list(&ann, &law(FRESH)).await.ok();
    sound(&world);
    let copied = TempDir::new();
    store::backup(world.dir.path(), &copied.path().join("moot.db")).expect("it can be copied");
    for (spoil, table) in [
        ("update arguments set text = text || ' indeed' where n = 1", "arguments"),
        (
            "update arguments set hash = 'f' || substr(hash, 2) where author is not null and side = 'attack'",
            "arguments",
        ),
        ("delete from argument_signatures where argument = 1", "argument_signatures"),
        ("update argument_signatures set element = element + 1 where argument = 1", "argument_signatures"),
        ("insert into argument_signatures (element, argument) values (1, 999)", "argument_signatures"),
        ("update defense_corpus set full_text = 'others'", "defense_corpus"),
        ("update defense_corpus set attack_lineage = 999", "defense_corpus"),
        ("update defense_corpus set trial_id = 'another'", "defense_corpus"),
        (
            "insert into outside_answers (caller, key, request, answer, created_at) values (x'00', 'k', x'00', x'00', 0)",
            "outside_answers",
        ),
    ] {
        let dir = TempDir::new();
        std::fs::copy(copied.path().join("moot.db"), dir.path().join("moot.db")).expect("a file can be copied");
        let db = Connection::open(dir.path().join("moot.db")).expect("it is a database");
        db.execute_batch("drop trigger defense_corpus_stays").expect("it was there");
        assert!(db.execute(spoil, []).expect(spoil) > 0, "{spoil}");
        let bad = verify(dir.path()).expect_err(spoil);
        // A changed hash is missed first where the log names it.
        assert!(bad.table == table || bad.table == "spoken", "{spoil}: {bad}");
    }
}
