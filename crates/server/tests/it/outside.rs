//! What outside games report to the corpus: only with the scope for it, kept once, and counted only under a trusted key.

use crate::corpus::{CORPSE, prosecute};
use crate::market::{
    FRESH, UNUSED, browse, count, defended, hash, law, list, recompute, reporter, sound, trust, untried, used,
};
use crate::world::{Program, TempDir, World, member, moot, text};
use serde_json::{Value, json};

/// A defense against `FRESH`.
const PLEA: &str =
    "The poster was printed by the council, and I learnt of it in the street like everybody else that morning.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_key_with_the_scope_reports() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let ann_at_a_page = world.account("ben").await;
    let before = world.digest();
    for path in ["/api/argument-event", "/api/argument-event.php"] {
        world.api.post(path, &used(FRESH, 0, None)).await.no(401);
        world.api.with("a-seat-token").post(path, &used(FRESH, 0, None)).await.no(401);
        for api in [&ann, &ann_at_a_page] {
            assert_eq!(api.post(path, &used(FRESH, 0, None)).await.no(403)["error"], "SCOPE_MISSING");
        }
    }
    assert_eq!(world.digest(), before);
    let session = crate::world::session(&world, &ann).await;
    session.post("/api/auth/api-key", &json!({"scope": "everything"})).await.no(400);
    let (reports, key) = reporter(&world, &ann).await;
    let listed = ann.get("/api/auth/api-keys").await.ok();
    let shown = listed.as_array().expect("keys").iter().find(|one| one["id"] == key.as_str()).expect("it is there");
    assert_eq!((&shown["scope"], &shown["trusted"]), (&json!("corpus"), &json!(false)));
    assert_eq!(reports.post("/api/argument-event", &used(FRESH, 0, None)).await.status, 201);
    assert_eq!(reports.get("/api/auth/me").await.ok()["username"], "ann", "it plays like any other");
    ann.delete(&format!("/api/auth/api-keys/{key}"), &json!({})).await.ok();
    reports.post("/api/argument-event", &used(FRESH, 0, None)).await.no(401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_kept_once_for_its_idempotency_key() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (reports, _) = reporter(&world, &ann).await;
    let once = reports.once("first");
    let event = used(FRESH, 2, Some("failed"));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..12 {
        let (api, event) = (once.clone(), event.clone());
        let path = if number % 2 == 0 { "/api/argument-event" } else { "/api/argument-event.php" };
        tasks.spawn(async move { api.post(path, &event).await });
    }
    let answers: Vec<_> = tasks.join_all().await;
    assert!(answers.iter().all(|answer| answer.status == 201 && answer.text == answers[0].text), "{answers:?}");
    assert_eq!(count(&world, "select count(*) from argument_events"), 1);
    let other = once.post("/api/argument-event", &used(FRESH, 3, Some("failed"))).await.no(409);
    assert_eq!(other["error"], "IDEMPOTENCY_KEY_REUSED");
    once.post("/api/defense-event", &defended(FRESH, UNUSED, "proved")).await.no(409);
    assert_eq!(count(&world, "select count(*) from argument_events"), 1);
    // Another account's key of the same name is another key.
    let (ben, _) = member(&world, "ben").await;
    let (others, _) = reporter(&world, &ben).await;
    assert_eq!(others.once("first").post("/api/argument-event", &used(FRESH, 3, None)).await.status, 201);
    let defense = reports.once("second");
    let event = defended(FRESH, UNUSED, "failed");
    let first = defense.post("/api/defense-event", &event).await;
    let again = defense.post("/api/defense-event.php", &event).await;
    assert_eq!((first.status, &first.text), (201, &again.text));
    assert_eq!(count(&world, "select count(*) from defense_corpus"), 1);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_idempotency_key_the_same_report_of_one_api_key_is_the_same_event() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (reports, key) = reporter(&world, &ann).await;
    trust(&world, &key, true).await;
    list(&ann, &law(FRESH)).await.ok();
    let event = used(FRESH, 0, None);
    let mut shorter = event.clone();
    shorter["arg_hash"] = json!(hash(FRESH).to_uppercase());
    for left_out in ["text", "jury_shift", "burden_verdict", "triggered_extraordinary"] {
        shorter.as_object_mut().expect("an object").remove(left_out);
    }
    let first = reports.post("/api/argument-event", &event).await;
    let again = reports.post("/api/argument-event.php", &event).await;
    assert_eq!((first.status, &first.text), (201, &again.text));
    let again = reports.post("/api/argument-event", &shorter).await;
    assert_eq!(again.ok()["event_id"], first.ok()["event_id"], "however it is written");
    assert_eq!(count(&world, "select uses from argument_stats"), 1, "nothing is counted twice");
    // A difference in any field makes it another event; so does another API key or an idempotency key.
    let mut others = vec![];
    for (field, value) in [
        ("trial_id", json!("x")),
        ("player_id", json!("x")),
        ("case_id", json!("x")),
        ("target_character", json!("x")),
        ("jury_shift", json!(1)),
        ("triggered_extraordinary", json!(true)),
        ("ia_change", json!(4)),
    ] {
        let mut other = event.clone();
        other[field] = value;
        others.push(other);
    }
    let mut other = used(UNUSED, 0, None);
    other["trial_id"] = event["trial_id"].clone();
    others.push(other);
    for other in &others {
        assert_eq!(reports.post("/api/argument-event", other).await.status, 201);
    }
    reporter(&world, &ann).await.0.post("/api/argument-event", &event).await.ok();
    reports.once("by name").post("/api/argument-event", &event).await.ok();
    assert_eq!(count(&world, "select count(*) from argument_events"), 1 + others.len() as i64 + 2);
    // Defenses likewise.
    let given = defended(FRESH, UNUSED, "proved");
    let mut other = given.clone();
    other["author_id"] = json!("somebody");
    for event in [&given, &given, &other, &given] {
        reports.post("/api/defense-event", event).await.ok();
    }
    assert_eq!(count(&world, "select count(*) from defense_corpus"), 2);
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_trusts_counts_for_nothing() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (reports, key) = reporter(&world, &ann).await;
    list(&ann, &law(FRESH)).await.ok();
    let in_trial = |mut event: Value, number: usize| {
        event["trial_id"] = json!(format!("elsewhere-{number}"));
        event
    };
    for number in 0..6 {
        let kept = reports.post("/api/argument-event", &in_trial(used(FRESH, 12, Some("failed")), number)).await.ok();
        assert_eq!(kept["counted"], false);
        reports.post("/api/defense-event", &in_trial(defended(FRESH, PLEA, "failed"), number)).await.ok();
    }
    recompute(&world).await;
    let item = &untried(&world.api).await[0];
    for (field, value) in [("uses", 0), ("trap_lands", 0), ("trap_triggers", 0), ("total_ia_won", 0)] {
        assert_eq!(item[field], value, "{field}");
    }
    assert_eq!((&item["effectiveness"], &item["freshness"]), (&json!(0.5), &json!("never_used")));
    assert_eq!(count(&world, "select external_uses from argument_stats"), 6);
    assert_eq!(count(&world, "select count(*) from argument_events where external = 1 and counted = 0"), 6);
    assert_eq!(count(&world, "select count(*) from defense_stats"), 0);
    // Nor does it reach a prompt or show to others: the defense is stored as `counted`, alone in its lineage.
    let lineage = count(&world, &format!("select lineage from arguments where hash = '{}'", hash(FRESH)));
    let known = store::corpus::recall(&world.db(), lineage, "law").expect("sound");
    assert!(known.struck.is_empty() && known.proved.is_empty(), "{known:?}");
    let statuses = "select count(*) from arguments where status = 'counted' and lineage = n and side = 'defense'";
    assert_eq!(count(&world, statuses), 1);
    let found = ann.get(&format!("/api/defense-corpus?arg_hash={}", hash(FRESH))).await.ok();
    assert_eq!(found, json!({"defenses": []}));
    sound(&world);

    trust(&world, &key, true).await;
    let again = reports.post("/api/argument-event", &in_trial(used(FRESH, 12, Some("failed")), 0)).await.ok();
    assert_eq!(again["counted"], false, "what was reported before is not counted because it is said again");
    for time in 0..2 {
        let event = in_trial(used(FRESH, 12, Some("failed")), 6);
        assert_eq!(reports.post("/api/argument-event", &event).await.ok()["counted"], true);
        reports.post("/api/defense-event", &in_trial(defended(FRESH, PLEA, "failed"), 6)).await.ok();
        assert_eq!(count(&world, "select uses from argument_stats"), 1, "nothing is counted twice: {time}");
    }
    // It was tried now, and stands among those that were.
    assert!(untried(&world.api).await.is_empty());
    let item = &browse(&world.api, "").await[0];
    assert_eq!((&item["uses"], &item["trap_lands"], &item["total_ia_won"]), (&json!(1), &json!(1), &json!(3)));
    let known = store::corpus::recall(&world.db(), lineage, "law").expect("sound");
    assert_eq!(known.struck, [PLEA]);
    trust(&world, &key, false).await;
    assert_eq!(reports.post("/api/argument-event", &used(FRESH, 1, None)).await.ok()["counted"], false);
    assert_eq!(count(&world, "select uses from argument_stats"), 1, "what was counted stays counted");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_that_a_reported_defense_only_names_stays_in_its_trial() {
    let world = World::eager().await;
    let (ann, _) = member(&world, "ann").await;
    let (reports, key) = reporter(&world, &ann).await;
    trust(&world, &key, true).await;
    prosecute(&ann, "law", CORPSE).await;
    let said = defended(CORPSE, PLEA, "failed");
    reports.post("/api/defense-event", &said).await.ok();
    // Nor does a report of the attack itself, by its hash or with its words.
    let mut by_hash = used(CORPSE, 6, Some("failed"));
    by_hash["text"] = json!(null);
    for report in [by_hash, used(CORPSE, 6, Some("failed"))] {
        reports.post("/api/argument-event", &report).await.ok();
    }
    recompute(&world).await;
    assert_eq!(count(&world, "select count(*) from argument_stats where sold = 1"), 0, "Ann has agreed to nothing");
    assert!(count(&world, "select max(uses) from argument_stats") >= 3, "the figures are kept");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_that_cannot_be_is_refused_with_a_sentence_and_changes_nothing() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (reports, _) = reporter(&world, &ann).await;
    let before = world.digest();
    let spoiled = |good: Value, field: &str, value: Value| {
        let mut body = good;
        body[field] = value;
        body
    };
    let used = || used(FRESH, 0, Some("failed"));
    let cases = [
        (spoiled(used(), "jury_shift", json!(13)), "INVALID_BODY", "from -12 to 12; this one is 13"),
        (spoiled(used(), "jury_shift", json!(-13)), "INVALID_BODY", "this one is -13"),
        (spoiled(used(), "triggered_extraordinary", json!(false)), "INVALID_BODY", "did not force one"),
        (spoiled(used(), "burden_verdict", json!("struck")), "INVALID_BODY", "proved, withdrawn, failed"),
        (spoiled(used(), "case_id", json!("x".repeat(65))), "INVALID_BODY", "case_id"),
        (spoiled(used(), "target_character", json!("")), "INVALID_BODY", "target_character"),
        (spoiled(used(), "trial_id", json!("x".repeat(65))), "INVALID_BODY", "trial_id"),
        (spoiled(used(), "arg_hash", json!("abc")), "INVALID_BODY", "64 hex digits"),
        (spoiled(used(), "arg_hash", json!(hash(CORPSE))), "HASH_MISMATCH", "that would be"),
        (spoiled(used(), "text", json!(null)), "UNKNOWN_HASH", "are known here"),
        (spoiled(used(), "text", json!("?!")), "INVALID_BODY", "text"),
    ];
    for (body, code, said) in cases {
        let problem = reports.post("/api/argument-event", &body).await.no(400);
        assert_eq!(problem["error"], code, "{problem}");
        assert!(text(&problem["detail"]).contains(said), "{said}: {problem}");
    }
    let plea = || defended(FRESH, UNUSED, "proved");
    let problem = reports.post("/api/defense-event", &plea()).await.no(400);
    assert_eq!(problem["error"], "UNKNOWN_HASH", "nobody has heard the attack: {problem}");
    assert_eq!(world.digest(), before);
    // A hash alone will do once the words are known.
    reports.post("/api/argument-event", &used()).await.ok();
    reports.post("/api/argument-event", &spoiled(used(), "text", json!(null))).await.ok();
    assert_eq!(count(&world, "select count(*) from argument_events"), 2);
    for (field, value) in [
        ("mode", json!("shout")),
        ("outcome", json!("struck")),
        ("author_id", json!("x".repeat(65))),
        ("cited_evidence", json!("x".repeat(256))),
        ("full_text", json!("Something else entirely, and more of it.")),
    ] {
        reports.post("/api/defense-event", &spoiled(plea(), field, value)).await.no(400);
    }
    assert_eq!(count(&world, "select count(*) from defense_corpus"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_trusts_a_key_from_the_command_line() {
    let dir = TempDir::new();
    let program = Program::serve(dir.path(), &[]);
    let ann = crate::world::account(&program.api, "ann").await;
    let made = ann.post("/api/auth/api-key", &json!({"label": "bridge", "scope": "corpus"})).await.ok();
    let plain = ann.post("/api/auth/api-key", &json!({"label": "plain"})).await.ok();
    let reports = program.api.with(text(&made["api_key"]));
    assert_eq!(reports.post("/api/argument-event", &used(FRESH, 0, None)).await.ok()["counted"], false);
    drop(program);
    let (well, said) = moot(&["admin", "corpus-keys"], dir.path());
    assert!(well && said.contains(text(&made["id"])) && said.contains("bridge") && !said.contains("plain"), "{said}");
    let (well, said) = moot(&["admin", "trust-key", text(&plain["id"])], dir.path());
    assert!(!well && said.contains("no key"), "{said}");
    assert!(moot(&["admin", "trust-key", text(&made["id"])], dir.path()).0);
    assert!(moot(&["admin", "corpus-keys"], dir.path()).1.contains("trusted"));
    let program = Program::serve(dir.path(), &[]);
    let reports = program.api.with(text(&made["api_key"]));
    assert_eq!(reports.post("/api/argument-event", &used(FRESH, 0, None)).await.ok()["counted"], true);
    drop(program);
    assert!(moot(&["admin", "untrust-key", text(&made["id"])], dir.path()).0);
    let program = Program::serve(dir.path(), &[]);
    let reports = program.api.with(text(&made["api_key"]));
    assert_eq!(reports.post("/api/argument-event", &used(FRESH, 0, None)).await.ok()["counted"], false);
}
