//! One event to five thousand spectators, against the same bytes through a bare broadcast.

use super::Row;
use super::client::{Client, post};
use super::rules::argument;
use super::tables::{Scratch, Seated, block_on, open, open_house, seat};
use anyhow::Context as _;
use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocketUpgrade};
use axum::routing;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Instant;
use tokio::sync::{broadcast, mpsc};

const SPECTATORS: usize = 5_000;
/// Events measured on each side; the median counts.
const EVENTS: usize = 9;
/// How many sockets are opened at once.
const OPENING: usize = 50;

pub(super) fn spectators() -> anyhow::Result<Row> {
    let scratch = Scratch::new("spectators")?;
    let store = crate::play::records::open(&scratch.0)?;
    let (moot, bytes) = block_on(async {
        let address = open_house(store).await?;
        let mut client = Client::connect(address).await?;
        let seated = seat(&mut client).await?;
        let mut crowd = Crowd::gather(address, &format!("/ws/games/{}", seated.id), true).await?;
        let mut requests = arguments(&mut client, &seated).await?.into_iter();
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..EVENTS {
            let request = requests.next().context("enough seats to speak")?;
            let started = Instant::now();
            // The answer and the messages race; the clock stops at the last message.
            let (answer, last) = tokio::join!(client.send(&request), crowd.all());
            answer?;
            let (at, length) = last?;
            times.push((at - started).as_secs_f64() * 1000.0);
            bytes = length;
        }
        Ok((median(times), bytes))
    })?;
    let bare = block_on(async move {
        let (sender, _) = broadcast::channel::<Utf8Bytes>(16);
        let subscribe = sender.clone();
        let route = move |upgrade: WebSocketUpgrade| {
            let mut messages = subscribe.subscribe();
            async move {
                upgrade.on_upgrade(move |mut socket| async move {
                    while let Ok(message) = messages.recv().await {
                        if socket.send(Message::Text(message)).await.is_err() {
                            return;
                        }
                    }
                })
            }
        };
        let address = open(Router::new().route("/ws", routing::get(route))).await?;
        let mut crowd = Crowd::gather(address, "/ws", false).await?;
        let message: Utf8Bytes = "x".repeat(bytes).into();
        let mut times = Vec::new();
        for _ in 0..EVENTS {
            let started = Instant::now();
            sender.send(message.clone())?;
            times.push((crowd.all().await?.0 - started).as_secs_f64() * 1000.0);
        }
        Ok(median(times))
    })?;
    Ok(Row::cost("spectators", "ms", moot, bare, "a bare broadcast of the same bytes to as many sockets", 0.6))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Arguments that follow one another: each makes exactly one event until the phase ends, so phases are kept apart.
async fn arguments(client: &mut Client, seated: &Seated) -> anyhow::Result<Vec<Vec<u8>>> {
    let (_, body) = client.send(&super::client::get(&format!("/api/games/{}/state", seated.id))).await?;
    let state: Value = serde_json::from_slice(body)?;
    let operator = state["operator"]["id"].as_str().context("an operator")?;
    let path = format!("/api/games/{}/action", seated.id);
    let speakers = seated.agents.iter().filter(|agent| *agent != operator);
    let say =
        |agent: &String| post(&path, &json!({"type": "argument", "agent_id": agent, "text": argument()}).to_string());
    let mut requests: Vec<Vec<u8>> = Vec::new();
    let mut speakers: Vec<&String> = speakers.collect();
    // Six of seven speak in each phase; the host's step to the next phase is one event too.
    speakers.pop();
    for _ in 0..2 {
        requests.extend(speakers.iter().map(|agent| say(agent)));
        requests.push(post(&path, &json!({"type": "advance", "action": "next_phase"}).to_string()));
    }
    Ok(requests)
}

struct Crowd {
    heard: mpsc::Receiver<(Instant, usize)>,
}

impl Crowd {
    async fn gather(address: SocketAddr, path: &str, greeted: bool) -> anyhow::Result<Self> {
        let (say, heard) = mpsc::channel(SPECTATORS);
        let mut crowd = Crowd { heard };
        for _ in 0..SPECTATORS / OPENING {
            let joining: Vec<_> = (0..OPENING)
                .map(|_| {
                    let (say, path) = (say.clone(), path.to_owned());
                    tokio::spawn(async move {
                        let mut client = Client::connect(address).await?;
                        client.upgrade(&path).await?;
                        if greeted {
                            client.text_frame().await?;
                        }
                        tokio::spawn(async move {
                            while let Ok(length) = client.text_frame().await {
                                if say.send((Instant::now(), length)).await.is_err() {
                                    return;
                                }
                            }
                        });
                        anyhow::Ok(())
                    })
                })
                .collect();
            for joined in joining {
                joined.await??;
            }
        }
        crowd.heard.try_recv().ok();
        Ok(crowd)
    }

    /// When the last spectator heard the message, and how many bytes it was.
    async fn all(&mut self) -> anyhow::Result<(Instant, usize)> {
        let mut last = (Instant::now(), 0);
        for _ in 0..SPECTATORS {
            let heard = self.heard.recv().await.context("the crowd went home")?;
            last = (last.0.max(heard.0), heard.1);
        }
        Ok(last)
    }
}
