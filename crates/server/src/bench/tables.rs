//! Reading and acting over HTTP, against bare routes and a bare loop over the database.

use super::client::{Client, get, post};
use super::games as fixed;
use super::rules::{SEATS, argument};
use super::{MEASURE_MS, Row};
use crate::http::listen;
use crate::play::House;
use crate::play::commit;
use crate::routes;
use crate::settings::Settings;
use anyhow::{Context as _, bail};
use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing;
use serde_json::{Value, json};
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::bench::writer::best_loop;
use store::{Commit, GameNo, Store, StoreError};

use tokio::net::TcpListener;

const READERS: usize = 64;
/// Games that the bare loop writes to.
const LOOP_GAMES: usize = 256;
const PLAYERS: usize = 256;
const WARM_MS: u64 = 1_000;
const ADVANCE: &str = r#"{"type":"advance","action":"next_phase"}"#;

/// A directory that goes away with the value.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("moot-bench-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A runtime like the server's own.
pub(crate) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let answer = runtime.block_on(work);
    runtime.shutdown_timeout(Duration::from_millis(200));
    answer
}

/// Serves a house over this store until the runtime ends, as `moot serve` does.
pub(crate) async fn open_house(store: Store) -> anyhow::Result<SocketAddr> {
    let house = House::new(store, Settings::default(), crate::minds::drive_on);
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let app = routes::all(house.clone());
    tokio::spawn(async move { listen::serve(&house, listener, app, std::future::pending()).await });
    Ok(address)
}

/// Serves these routes and nothing around them, for comparison.
pub(crate) async fn open(app: Router) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(address)
}

/// A started game with its agents.
pub(super) struct Seated {
    pub(super) id: String,
    pub(super) agents: Vec<String>,
}

async fn call(client: &mut Client, request: &[u8]) -> anyhow::Result<Value> {
    let (status, body) = client.send(request).await?;
    if status >= 300 {
        bail!("{status}: {}", String::from_utf8_lossy(body));
    }
    Ok(serde_json::from_slice(body)?)
}

pub(super) async fn seat(client: &mut Client) -> anyhow::Result<Seated> {
    let made = call(client, &post("/api/games", &json!({"min_players": SEATS}).to_string())).await?;
    let id = made["game_id"].as_str().context("an id")?.to_owned();
    let mut agents = Vec::new();
    for seat in 0..SEATS {
        let body = json!({"display_name": format!("Player {seat}")}).to_string();
        let made = call(client, &post(&format!("/api/games/{id}/agents/register"), &body)).await?;
        agents.push(made["agent_id"].as_str().context("an id")?.to_owned());
    }
    call(client, &post(&format!("/api/games/{id}/start"), "")).await?;
    Ok(Seated { id, agents })
}

/// Requests per second by this many clients that all send the same.
async fn rate(address: SocketAddr, clients: usize, request: Vec<u8>) -> anyhow::Result<f64> {
    let request: Arc<[u8]> = request.into();
    measured(clients, |done, stop| {
        let request = request.clone();
        async move {
            let mut client = Client::connect(address).await?;
            while !stop.load(Ordering::Relaxed) {
                let (status, _) = client.send(&request).await?;
                if status >= 300 {
                    bail!("answered {status}");
                }
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        }
    })
    .await
}

pub(super) async fn measured<F>(
    clients: usize,
    work: impl Fn(Arc<AtomicU64>, Arc<AtomicBool>) -> F,
) -> anyhow::Result<f64>
where
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let (done, stop) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
    let tasks: Vec<_> = (0..clients).map(|_| tokio::spawn(work(done.clone(), stop.clone()))).collect();
    tokio::time::sleep(Duration::from_millis(WARM_MS)).await;
    let (before, started) = (done.load(Ordering::Relaxed), Instant::now());
    tokio::time::sleep(Duration::from_millis(MEASURE_MS)).await;
    let rate = (done.load(Ordering::Relaxed) - before) as f64 / started.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await??;
    }
    Ok(rate)
}

pub(super) fn state() -> anyhow::Result<Row> {
    let scratch = Scratch::new("state")?;
    let store = crate::play::records::open(&scratch.0)?;
    block_on(async {
        let moot = open_house(store).await?;
        let mut client = Client::connect(moot).await?;
        let seated = seat(&mut client).await?;
        let request = get(&format!("/api/games/{}/state", seated.id));
        let body = Bytes::copy_from_slice(client.send(&request).await?.1);
        let rate_moot = rate(moot, READERS, request).await?;
        let bare = move || {
            let body = body.clone();
            async move { ([(header::CONTENT_TYPE, "application/json")], body).into_response() }
        };
        let bare = open(Router::new().route("/api/games/{id}/state", routing::get(bare))).await?;
        let rate_bare = rate(bare, READERS, get("/api/games/x/state")).await?;
        Ok(Row::rate("state", "requests/s", rate_moot, rate_bare, "a bare axum route returning the same bytes", 0.7))
    })
}

pub(super) fn actions() -> anyhow::Result<Row> {
    let scratch = Scratch::new("actions")?;
    let store = crate::play::records::open(&scratch.0)?;
    let (moot, bare) = block_on(async {
        let address = open_house(store).await?;
        let moot = measured(PLAYERS, |done, stop| play(address, done, stop)).await?;
        let route = routing::post(|body: Bytes| async move {
            let parsed: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
            axum::Json(
                json!({"success": parsed.is_object(), "message": "Accepted", "status": "round_phase_1", "version": 17}),
            )
        });
        let bare = open(Router::new().route("/api/games/{id}/action", route)).await?;
        let body = json!({"type": "argument", "agent_id": "agent-5-0123456789ab", "text": argument()}).to_string();
        let bare = rate(bare, PLAYERS, post("/api/games/01a1de9d-3abb-7128-91ca-5f1d1c8d84cb/action", &body)).await?;
        Ok((moot, bare))
    })?;
    let best = best_loop(Duration::from_millis(MEASURE_MS), founded, acted)?;
    let against = format!(
        "the slower of a bare axum POST ({bare:.0}/s) and a loop of group commits of {} ({:.0} actions/s, {:.0} rows/s)",
        best.group, best.actions_per_s, best.rows_per_s
    );
    Ok(Row::rate("actions", "actions/s", moot, bare.min(best.actions_per_s), against, 0.5))
}

/// Plays whole games through one connection, all seats in turn.
async fn play(address: SocketAddr, done: Arc<AtomicU64>, stop: Arc<AtomicBool>) -> anyhow::Result<()> {
    let mut client = Client::connect(address).await?;
    let text = argument();
    while !stop.load(Ordering::Relaxed) {
        let seated = seat(&mut client).await?;
        let path = format!("/api/games/{}/action", seated.id);
        for _ in 0..SEATS {
            let state = call(&mut client, &get(&format!("/api/games/{}/state", seated.id))).await?;
            let operator = state["operator"]["id"].as_str().context("an operator")?.to_owned();
            let speakers: Vec<&String> = seated.agents.iter().filter(|agent| **agent != operator).collect();
            // Each speaker says the same three times: made once, because the client's own work is not to be measured.
            let say = |agent: &&String| format!(r#"{{"type":"argument","agent_id":"{agent}","text":"{text}"}}"#);
            let says: Vec<Vec<u8>> = speakers.iter().map(|agent| post(&path, &say(agent))).collect();
            let decide = format!(r#"{{"type":"decision","agent_id":"{operator}","decision":"save_minority"}}"#);
            let (decide, advance) = (post(&path, &decide), post(&path, ADVANCE));
            let requests = says.iter().cycle().take(3 * says.len()).chain([&decide, &advance]);
            for request in requests {
                let (status, answer) = client.send(request).await?;
                match status {
                    200 => done.fetch_add(1, Ordering::Relaxed),
                    // After the last round there is nothing to advance.
                    400 if request == &advance => break,
                    _ => bail!("{status}: {}", String::from_utf8_lossy(answer)),
                };
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// New games, for the loop that only writes.
fn founded() -> Result<Vec<Commit>, StoreError> {
    (0..LOOP_GAMES).map(|number| fixed::seated(number).map(|(commit, _)| commit)).collect()
}

/// Everything that happens in them, one act of each game after the other.
fn acted(numbers: &[GameNo]) -> Result<Vec<Commit>, StoreError> {
    let mut games = Vec::new();
    for (number, no) in numbers.iter().enumerate() {
        games.push((*no, fixed::seated(number)?.1));
    }
    let mut commits = Vec::new();
    loop {
        for (no, game) in &mut games {
            let Some(rows) = fixed::step(game.as_mut())? else { return Ok(commits) };
            commits.push(commit(game.as_ref(), Ok(*no), Arc::new(rows), None, false));
        }
    }
}
