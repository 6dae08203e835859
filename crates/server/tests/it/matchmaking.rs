//! `POST /api/games/join`: nobody stranded, no table overfilled, and no two agents of one owner where results count.

use crate::market::{count, sound};
use crate::world::{Api, TempDir, World, finished_table, member, members, text};
use engine::roster::Holder;
use moot::settings::Settings;
use serde_json::{Value, json};
use std::collections::BTreeMap;

async fn join(api: &Api, kind: &str) -> Value {
    let joined = api.post("/api/games/join", &json!({"game_type": kind})).await.ok();
    assert_eq!((&joined["success"], &joined["game_type"]), (&json!(true), &json!(kind)));
    joined
}

pub fn id(joined: &Value) -> String {
    text(&joined["game_id"]).to_owned()
}

async fn agent(api: &Api, name: &str) -> String {
    text(&api.post("/api/agents/register", &json!({"name": name})).await.ok()["id"]).to_owned()
}

async fn join_as(api: &Api, kind: &str, agent: &str) -> Value {
    api.post("/api/games/join", &json!({"game_type": kind, "agent_id": agent})).await.ok()
}

async fn metadata(world: &World, game: &str) -> Value {
    world.api.get(&format!("/api/games/{game}")).await.ok()
}

/// Lets all members join at the same moment, and returns how many sit at each table.
async fn all_at_once(members: &[Api], kind: &'static str) -> BTreeMap<String, usize> {
    let asked: Vec<_> = members
        .iter()
        .map(|api| {
            let api = api.clone();
            tokio::spawn(async move { id(&join(&api, kind).await) })
        })
        .collect();
    let mut tables = BTreeMap::new();
    for one in asked {
        *tables.entry(one.await.expect("everybody is given a seat")).or_default() += 1;
    }
    tables
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_who_come_at_once_fill_ten_trials() {
    let world = World::open().await;
    let tables = all_at_once(&members(&world, 60).await, "trial").await;
    assert_eq!(tables.len(), 10, "{tables:?}");
    for (game, count) in &tables {
        let shown = metadata(&world, game).await;
        assert_eq!((*count, &shown["players"], &shown["rated"]), (6, &json!(6), &json!(true)));
        assert_eq!(shown["status"], "opening", "the sixth seat starts it");
    }
    world.verify().expect("what was stored is sound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fifth_starts_a_trolley_in_the_same_change() {
    let world = World::open().await;
    let members = members(&world, 12).await;
    let tables = all_at_once(&members, "trolley").await;
    let mut counts: Vec<usize> = tables.values().copied().collect();
    counts.sort_unstable();
    assert_eq!(counts, [2, 5, 5]);
    for (game, count) in &tables {
        let shown = metadata(&world, game).await;
        let status = if *count == 5 { "round_phase_1" } else { "waiting_for_agents" };
        assert_eq!((&shown["players"], &shown["status"]), (&json!(count), &json!(status)));
    }
    // A table started by a separate change would have left a checkpoint in which it is ready.
    let ready = "select count(*) from checkpoints where status = 'ready_to_start'";
    let ready: i64 = world.database().query_row(ready, [], |row| row.get(0)).expect("it can be counted");
    assert_eq!(ready, 0);
}

#[tokio::test]
async fn a_player_who_already_waits_is_told_where() {
    let world = World::open().await;
    let members = members(&world, 7).await;
    let first = join(&members[0], "trial").await;
    for _ in 0..3 {
        assert_eq!(join(&members[0], "trial").await, first);
    }
    assert_eq!(metadata(&world, &id(&first)).await["players"], 1);
    let state = members[0].get(&format!("/api/games/{}/state", id(&first))).await.ok();
    assert_eq!(state["self"]["id"], first["agent_id"]);
    for other in &members[1..6] {
        assert_eq!(id(&join(other, "trial").await), id(&first), "the oldest table is filled first");
    }
    assert_ne!(id(&join(&members[0], "trial").await), id(&first), "once it has begun, another one is found");
    assert_eq!(metadata(&world, &id(&first)).await["players"], 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_many_times_at_once_one_agent_takes_one_seat() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let asking = vec![ann.clone(); 8];
    let tables = all_at_once(&asking, "trial").await;
    assert_eq!(tables.values().copied().collect::<Vec<_>>(), [8], "always the same table");
    let game = tables.keys().next().expect("one");
    assert_eq!(metadata(&world, game).await["players"], 1);
}

#[tokio::test]
async fn a_seat_that_is_left_before_the_start_is_free_again() {
    let world = World::open().await;
    let members = members(&world, 3).await;
    let first = join(&members[0], "trial").await;
    join(&members[1], "trial").await;
    members[0].post(&format!("/api/games/{}/leave", id(&first)), &json!({})).await.ok();
    assert_eq!(metadata(&world, &id(&first)).await["players"], 1);
    assert_eq!(id(&join(&members[2], "trial").await), id(&first));
    let again = join(&members[0], "trial").await;
    assert_eq!(id(&again), id(&first));
    assert_ne!(again["agent_id"], first["agent_id"], "an id is never given twice");
}

#[tokio::test]
async fn agents_of_one_owner_never_meet_at_a_rated_table() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let (one, other) = (agent(&ann, "One").await, agent(&ann, "Other").await);
    let first = id(&join_as(&ann, "trial", &one).await);
    let second = id(&join_as(&ann, "trial", &other).await);
    let third = id(&join(&ann, "trial").await);
    assert!(first != second && second != third && first != third);
    let met = id(&join(&ben, "trial").await);
    assert!([&first, &second, &third].contains(&&met), "others sit down at any of them");
    assert_eq!(id(&join_as(&ann, "trial", &other).await), second, "each is told where it waits itself");
    // Nor by registering at the table directly.
    let seat = json!({"agent_id": other});
    let refused = ann.post(&format!("/api/games/{first}/agents/register"), &seat).await.no(400);
    assert_eq!(refused["error"], "OWN_AGENT_SEATED");
    let unrated = crate::world::create(&ann, &json!({"game_type": "trial"})).await;
    for agent in [&one, &other] {
        ann.post(&unrated.path("/agents/register"), &json!({"agent_id": agent})).await.ok();
    }
    assert_eq!(metadata(&world, &unrated.id).await["players"], 2);
}

#[tokio::test]
async fn a_rated_table_is_for_accounts_whatever_the_kind() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let game = id(&join(&ann, "trolley").await);
    let guest = json!({"display_name": "Guest", "token": "a-guests-token"});
    let refused = world.api.post(&format!("/api/games/{game}/agents/register"), &guest).await.no(401);
    assert_eq!(refused["error"], "ACCOUNT_NEEDED");
}

#[tokio::test]
async fn tables_are_kept_apart_by_kind_and_language() {
    let world = World::open().await;
    let members = members(&world, 4).await;
    let ko = json!({"game_type": "trial", "lang": "ko"});
    let english = id(&join(&members[0], "trial").await);
    let korean = id(&members[1].post("/api/games/join", &ko).await.ok());
    let trolley = id(&join(&members[2], "trolley").await);
    assert!(english != korean && english != trolley);
    assert_eq!(id(&members[3].post("/api/games/join", &ko).await.ok()), korean);
    assert_eq!(id(&join(&members[3], "trolley").await), trolley, "one may wait for each kind");
}

#[tokio::test]
async fn tables_that_a_person_made_are_left_alone() {
    let world = World::open().await;
    let members = members(&world, 2).await;
    let made = crate::world::create(&members[0], &json!({"game_type": "trial"})).await;
    assert_ne!(id(&join(&members[1], "trial").await), made.id);
    assert_eq!(metadata(&world, &made.id).await["players"], 0);
}

#[tokio::test]
async fn a_player_who_waits_may_fill_the_table_with_house_minds() {
    let world = World::open().await;
    let members = members(&world, 2).await;
    for (kind, seats) in [("trial", 6), ("trolley", 5)] {
        let game = id(&join(&members[0], kind).await);
        members[1].post(&format!("/api/games/{game}/fill"), &json!({})).await.no(403);
        world.api.post(&format!("/api/games/{game}/fill"), &json!({})).await.no(401);
        let filled = members[0].post(&format!("/api/games/{game}/fill"), &json!({})).await.ok();
        assert_eq!(filled["players"], seats, "{filled}");
        assert!(
            !["waiting_for_agents", "ready_to_start"].contains(&text(&filled["status"])),
            "{kind} begins: {filled}"
        );
        assert_ne!(id(&join(&members[1], kind).await), game, "nobody is sat down at a game that has begun");
    }
}

#[tokio::test]
async fn a_player_who_waited_when_the_server_stopped_waits_at_the_same_table() {
    let dir = TempDir::new();
    let path = dir.path().to_owned();
    let store = moot::play::records::open(&path).expect("a new database opens");
    let world = World::over(dir, store, Settings::default()).await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let waiting = join(&ann, "trial").await;
    world.house.store.stop().await;
    let store = moot::play::records::open(&path).expect("it opens again");
    let later = World::over(TempDir::new(), store, Settings::default()).await;
    let moved = |api: &Api| api.at_address(later.address);
    assert_eq!(join(&moved(&ann), "trial").await, waiting);
    assert_eq!(id(&join(&moved(&ben), "trial").await), id(&waiting));
}

#[tokio::test]
async fn what_cannot_be_joined_is_refused_in_a_sentence() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let bens = agent(&ben, "Ben's").await;
    let unknown = ann.post("/api/games/join", &json!({"game_type": "chess"})).await.no(400);
    assert_eq!(unknown["error"], "UNKNOWN_GAME_TYPE");
    ann.post("/api/games/join", &json!({"game_type": "trial", "agent_id": bens})).await.no(403);
    ann.post("/api/games/join", &json!({"game_type": "trial", "agent_id": "nonsense"})).await.no(404);
    ann.post("/api/games/join", &json!({"game_type": "trial", "lang": "la"})).await.no(400);
    world.api.post("/api/games/join", &json!({"game_type": "trial"})).await.no(401);
    world.api.with("a-token-of-mine").post("/api/games/join", &json!({"game_type": "trial"})).await.no(401);
    assert_eq!(world.api.get("/api/games").await.ok(), json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_with_a_house_mind_is_offered_to_nobody() {
    let world = World::open().await;
    let members = members(&world, 2).await;
    let first = members[0].post("/api/games/join", &json!({"game_type": "trial"})).await.ok();
    let path = |rest: &str| format!("/api/games/{}{rest}", text(&first["game_id"]));
    members[0].post(&path("/fill"), &json!({"seats": 2})).await.ok();
    members[0].post(&path("/leave"), &json!({})).await.ok();
    let second = members[1].post("/api/games/join", &json!({"game_type": "trial"})).await.ok();
    assert_ne!(second["game_id"], first["game_id"]);
}

pub async fn join_case(api: &Api, case: &str) -> Value {
    api.post("/api/games/join", &json!({"game_type": "tribunal", "case_id": case})).await.ok()
}

/// Plays a tribunal between two people to its end: each sends the hint of its open actions.
async fn try_it(game: &str, prosecutor: &Api, accused: &Api) -> Value {
    let path = |rest: &str| format!("/api/games/{game}{rest}");
    let mut state = prosecutor.get(&path("/state")).await.ok();
    while state["status"] != "completed" {
        for (role, api) in [("prosecutor", prosecutor), ("accused", accused)] {
            let open = api.get(&path("/open-actions")).await.ok();
            if state["turn"]["role"] == role && open["can_act"] == true {
                api.post(&path("/action"), &open["hint"]).await;
            }
        }
        state = prosecutor.get(&path(&format!("/state?wait=2&version={}", state["version"]))).await.ok();
    }
    state
}

/// Uses that do not count, other than repetitions of what has counted in the same game.
const UNCOUNTED: &str = "select count(*) from argument_events e join arguments a on a.hash = e.arg_hash
    where e.counted = 0 and not exists (select 1 from argument_events f join arguments b on b.hash = f.arg_hash
        where f.game = e.game and f.counted = 1 and b.lineage = a.lineage)";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_strangers_meet_in_a_tribunal_and_the_first_to_come_prosecutes() {
    let world = World::open().await;
    let (ann, _) = member(&world, "ann").await;
    let (ben, _) = member(&world, "ben").await;
    let first = join(&ann, "tribunal").await;
    assert_eq!(first["status"], "waiting_for_agents");
    assert_eq!(join(&ann, "tribunal").await, first, "asked again it is the same table");
    let mine = agent(&ann, "Ann's own").await;
    let other = id(&join_as(&ann, "tribunal", &mine).await);
    assert_ne!(other, id(&first), "nobody is tried by its own agent");
    ann.post(&format!("/api/games/{other}/leave"), &json!({"agent_id": mine})).await.ok();
    let second = join(&ben, "tribunal").await;
    assert_eq!((id(&second), &second["status"]), (id(&first), &json!("attack")), "a table that waits, and it begins");
    let shown = metadata(&world, &id(&first)).await;
    assert_eq!((&shown["rated"], &shown["players"], &shown["turn_limit_s"]), (&json!(true), &json!(3), &json!(300)));
    let path = format!("/api/games/{}/state", id(&first));
    assert_eq!(ann.get(&path).await.ok()["self"]["role"], "prosecutor");
    assert_eq!(ben.get(&path).await.ok()["self"]["role"], "accused");
    let end = try_it(&id(&first), &ann, &ben).await;
    let over = end["exchanges_log"].as_array().expect("a list").len() as i64;
    assert_eq!(count(&world, "select count(*) from argument_events"), over);
    // The hint is the same every time, and an argument counts once in a game of strangers.
    assert_eq!(count(&world, "select count(*) from argument_events where counted = 1"), 1, "strangers count");
    assert_eq!(count(&world, UNCOUNTED), 0);
    assert_eq!(count(&world, "select count(*) from ratings where kind = 'tribunal'"), 2);
    assert_eq!(count(&world, "select count(*) from results where rated = 1"), 2, "the bench has no account");
    sound(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wish_for_a_case_waits_for_that_case_and_a_player_without_one_takes_what_there_is() {
    let world = World::open().await;
    let members = members(&world, 5).await;
    let law = join_case(&members[0], "john_law").await;
    let clive = join_case(&members[1], "robert_clive").await;
    assert_ne!(id(&law), id(&clive));
    assert_eq!(id(&join_case(&members[2], "robert_clive").await), id(&clive));
    let state = members[2].get(&format!("/api/games/{}/state", id(&clive))).await.ok();
    assert_eq!(state["case"]["case_id"], "robert_clive");
    assert_eq!(id(&join(&members[3], "tribunal").await), id(&law), "the oldest that waits");
    let drawn = join(&members[4], "tribunal").await;
    assert_ne!(id(&join_case(&members[3], "john_law").await), id(&drawn), "what will be drawn is nobody's wish");
    let unknown = members[2].post("/api/games/join", &json!({"game_type": "tribunal", "case_id": "x"})).await.no(400);
    assert_eq!(unknown["error"], "UNKNOWN_CASE");
    members[2].post("/api/games/join", &json!({"game_type": "trial", "case_id": "case_001"})).await.no(400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn against_the_house_from_either_side_a_tribunal_counts_and_against_a_friend_it_does_not() {
    let world = World::open().await;
    let (_, ann) = member(&world, "ann").await;
    let (_, ben) = member(&world, "ben").await;
    let (ann, ben) = (Holder::Account(ann), Holder::Account(ben));
    let tally = || (count(&world, "select count(*) from argument_events where counted = 1"), count(&world, UNCOUNTED));
    for (seats, rated, counts) in [
        ([ann, Holder::House], false, true),
        ([Holder::House, ann], false, true),
        ([ann, ben], false, false),
        ([ann, ben], true, true),
        ([ann, Holder::House], true, true),
    ] {
        let before = tally();
        let table = finished_table(&world.house, "tribunal", rated, &seats).await;
        let after = tally();
        let (more, none) =
            if counts { (after.0 - before.0, after.1 - before.1) } else { (after.1 - before.1, after.0 - before.0) };
        assert!(more >= 1 && none == 0, "{seats:?} {rated}: {before:?} {after:?}");
        let shown = metadata(&world, &table.id.to_string()).await;
        assert_eq!(shown["rated"], rated && !seats.contains(&Holder::House), "{seats:?}");
    }
    sound(&world);
}
