//! On disk before anyone is told: nobody hears of a change whose COMMIT has not returned.

use crate::world::{TempDir, World, open_game, open_table, silent};
use moot::settings::Settings;
use serde_json::json;
use std::sync::{Arc, Condvar, Mutex};
use tokio::sync::Notify;

/// Holds the writer back right before COMMIT while it is shut.
#[derive(Default)]
struct Gate {
    shut: Mutex<bool>,
    opened: Condvar,
    waiting: Notify,
}

impl Gate {
    /// Called on the writer's thread.
    fn pass(&self) {
        let mut shut = self.shut.lock().expect("no holder panics");
        while *shut {
            self.waiting.notify_one();
            shut = self.opened.wait(shut).expect("no holder panics");
        }
    }

    fn set(&self, shut: bool) {
        *self.shut.lock().expect("no holder panics") = shut;
        self.opened.notify_all();
    }
}

async fn gated() -> (World, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let dir = TempDir::new();
    let held = gate.clone();
    let store = moot::play::records::open_watched(dir.path(), move || held.pass()).expect("a new database opens");
    (World::over(dir, store, Settings::default()).await, gate)
}

#[tokio::test]
async fn the_writer_waits_for_the_disk() {
    let world = World::open().await;
    let (journal, synchronous) = world.house.store.durability().await.expect("the writer answers");
    assert_eq!((journal.as_str(), synchronous), ("wal", 2), "write-ahead log, synchronous=FULL");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_told_before_the_commit() {
    let (world, gate) = gated().await;
    let api = &world.api;
    let game = open_game(api, 4).await;
    let other = open_table(api, 3).await;
    let before = game.state(api).await;
    let (version, digest) = (before["version"].clone(), world.digest());
    let stream = api.request(reqwest::Method::GET, &game.path(&format!("/stream?since={version}"))).send();
    let mut stream = stream.await.expect("the stream opens");
    let watching = tokio::spawn(async move { stream.chunk().await.expect("the stream is sound").expect("a message") });

    gate.set(true);
    let mut asked = Vec::new();
    let speaker = silent(&before)[0].clone();
    let requests = [
        (game.arguments(&before), json!({"agent_id": speaker, "text": "not yet on disk"})),
        (other.path("/start"), json!({})),
        ("/api/games".to_owned(), json!({})),
        ("/api/auth/register".to_owned(), json!({"email": "a@example.org", "username": "a", "password": "0123456789"})),
        (other.path("/agents/register"), json!({"display_name": "Late"})),
    ];
    for (path, body) in requests {
        let api = api.clone();
        asked.push(tokio::spawn(async move { api.post(&path, &body).await }));
    }
    let (poller, path) = (api.clone(), game.path(&format!("/state?version={version}&wait=30")));
    let polling = tokio::spawn(async move { poller.get(&path).await.ok() });
    gate.waiting.notified().await;
    // Time enough for many answers.
    for _ in 0..200 {
        assert_eq!(game.state(api).await, before, "the state is the old one");
    }
    let feed = api.get(&game.path("/feed?limit=1000")).await;
    let events = api.get(&game.path("/events?limit=1000")).await;
    assert!(!feed.text.contains("not yet on disk") && !events.text.contains("not yet on disk"));
    assert_eq!(other.state(api).await["status"], "ready_to_start");
    assert_eq!(api.get("/api/games").await.ok().as_array().map(Vec::len), Some(2));
    assert_eq!(world.digest(), digest);
    assert!(asked.iter().all(|request| !request.is_finished()), "nobody is answered");
    assert!(!watching.is_finished() && !polling.is_finished(), "no watcher is told");

    gate.set(false);
    for request in asked {
        let reply = request.await.expect("it was answered");
        assert!(reply.status < 300 || reply.text.contains("Game already started"), "{reply:?}");
    }
    let told = watching.await.expect("it was told");
    assert!(String::from_utf8_lossy(&told).contains("not yet on disk"));
    let polled = polling.await.expect("it was answered");
    assert!(polled["version"].as_u64() > version.as_u64());
    assert_ne!(world.digest(), digest);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_gives_up_in_the_middle_leaves_the_game_sound() {
    let (world, gate) = gated().await;
    let api = &world.api;
    let game = open_game(api, 4).await;
    let before = game.state(api).await;
    gate.set(true);
    let speakers = silent(&before);
    let (impatient, path) = (api.clone(), game.arguments(&before));
    let body = json!({"agent_id": speakers[0], "text": "said and gone"});
    let asked = tokio::spawn(async move { impatient.post(&path, &body).await });
    gate.waiting.notified().await;
    asked.abort();
    assert!(asked.await.is_err_and(|error| error.is_cancelled()));
    gate.set(false);
    // The next one waits its turn behind the first, which was stored anyway.
    let body = json!({"agent_id": speakers[1], "text": "the next one"});
    api.post(&game.arguments(&before), &body).await.ok();
    let after = game.state(api).await;
    assert_eq!(after["phase_activity"].as_array().map(Vec::len), Some(2));
    world.verify().expect("the log is sound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_writes_reads_go_on_and_nothing_is_broken_when_there_is_space_again() {
    let world = World::open().await;
    let api = &world.api;
    let limit = async |pages: &'static str| {
        let set = world.house.store.write(move |db| {
            db.raw().query_row(&format!("pragma max_page_count = {pages}"), [], |row| row.get::<_, i64>(0))?;
            Ok(())
        });
        set.await.expect("the writer answers");
    };
    let game = open_game(api, 50).await;
    let state = game.state(api).await;
    // The database may not grow any more; what fits into existing pages may still be written.
    limit("1").await;
    let words = "가".repeat(500);
    let mut refused = None;
    for agent in silent(&state).into_iter().skip(1) {
        let before = (game.state(api).await, world.digest());
        let body = json!({"agent_id": agent, "text": words});
        let reply = api.once(&agent).post(&game.arguments(&state), &body).await;
        if reply.status != 200 {
            let problem = reply.no(503);
            assert!(problem["detail"].as_str().is_some_and(|why| why.contains("disk is full")), "{problem}");
            assert_eq!((game.state(api).await, world.digest()), before, "nothing happened");
            refused = Some((agent, body));
            break;
        }
    }
    let (agent, body) = refused.expect("48 long speeches need more pages");
    for _ in 0..3 {
        api.once(&agent).post(&game.arguments(&state), &body).await.no(503);
    }
    api.get(&game.path("/feed")).await.ok();
    api.get("/readyz").await;
    limit("1073741823").await;
    api.once(&agent).post(&game.arguments(&state), &body).await.ok();
    world.verify().expect("the log is sound");
}
