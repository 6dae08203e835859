//! `kill -9` under load: what was acknowledged is there, once; what was not can be sent again.
//!
//! `MOOT_CRASH_CYCLES=300` is the long run.

use crate::world::{Api, Game, Program, Reply, TempDir, chance, moot, operator, silent, text};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CLIENTS: usize = 32;
const CYCLES: usize = 30;
/// A cycle with fewer acknowledgements proves little and is not counted.
const ACKNOWLEDGED_MIN: usize = 50;
/// After this long nobody waits for an answer any more.
const UNANSWERED: Duration = Duration::from_secs(60);

/// A request with its idempotency key, sent again until it is answered.
#[derive(Clone, Debug)]
struct Request {
    path: String,
    body: Value,
    key: String,
    /// Words that occur nowhere else, if it says something.
    words: Option<String>,
}

/// An acknowledged speech or decision: its game, its words and, for a speech, its id.
struct Acknowledged {
    game: String,
    words: String,
    id: Option<String>,
}

/// One of many clients that play across all crashes.
struct Client {
    number: usize,
    sent: usize,
    game: Option<Game>,
    started: bool,
    pending: Option<Request>,
    acknowledged: Vec<Acknowledged>,
    retried: usize,
}

/// What the clients of one cycle share. The client whose answer reaches `target` kills the server at once, so that nothing can be stored
/// between that answer and the kill.
#[derive(Default)]
struct Cycle {
    answered: AtomicUsize,
    in_flight: AtomicUsize,
    target: usize,
    program: Mutex<Option<Program>>,
}

impl Cycle {
    fn answered(&self) {
        let in_flight = self.in_flight.fetch_sub(1, Ordering::SeqCst) - 1;
        let answered = self.answered.fetch_add(1, Ordering::SeqCst) + 1;
        if self.target > 0 && answered >= self.target && in_flight > 0 {
            // Dropping the program kills it.
            drop(self.program.lock().expect("no holder panics").take());
        }
    }
}

/// The server is gone.
struct Gone;

/// What was answered. The client's library may lose a request with its connection; when the server is gone, that is no answer either.
async fn answered<E>(cycle: &Cycle, asked: impl Future<Output = Result<Reply, E>>) -> Result<Reply, Gone> {
    let Ok(reply) = tokio::time::timeout(UNANSWERED, asked).await else {
        assert!(cycle.program.lock().expect("no holder panics").is_none(), "a request is never answered");
        return Err(Gone);
    };
    reply.map_err(|_| Gone)
}

impl Client {
    fn new(number: usize) -> Self {
        Client { number, sent: 0, game: None, started: false, pending: None, acknowledged: vec![], retried: 0 }
    }

    /// Plays until the server is gone.
    async fn play(mut self, api: Api, cycle: Arc<Cycle>) -> Self {
        if let Some(request) = self.pending.clone() {
            self.retried += 1;
            if self.send(&api, &cycle, request).await.is_err() {
                return self;
            }
        }
        while self.step(&api, &cycle).await.is_ok() {}
        self
    }

    fn request(&mut self, path: String, body: Value, words: Option<String>) -> Request {
        self.sent += 1;
        Request { path, body, key: format!("client-{}-{}", self.number, self.sent), words }
    }

    fn words(&self) -> String {
        format!("words {} of client {}", self.sent + 1, self.number)
    }

    async fn step(&mut self, api: &Api, cycle: &Cycle) -> Result<(), Gone> {
        let Some(game) = self.game.clone() else {
            // Only creating a game may be lost or done twice: without an answer the client does not know the game's id.
            let made = answered(cycle, api.send("POST", "/api/games", Some(b"{}".to_vec()))).await?.ok();
            self.game = Some(Game { id: text(&made["game_id"]).to_owned(), agents: vec![] });
            self.started = false;
            return Ok(());
        };
        if game.agents.len() < 3 {
            let body = json!({"display_name": format!("Agent {}", game.agents.len()), "token": null});
            let request = self.request(game.path("/agents/register"), body, None);
            return self.send(api, cycle, request).await;
        }
        if !self.started {
            let request = self.request(game.path("/start"), json!({}), None);
            return self.send(api, cycle, request).await;
        }
        let state = answered(cycle, api.send("GET", &game.path("/state"), None)).await?.ok();
        let words = self.words();
        let request = match text(&state["status"]) {
            "game_completed" => {
                self.game = None;
                return Ok(());
            }
            "round_resolved" => self.request(game.path("/advance"), json!({"action": "next_phase"}), None),
            "awaiting_operator_decision" => {
                let body = json!({"agent_id": operator(&state), "decision": "save_minority", "reason": words});
                self.request(game.decision(&state), body, Some(words))
            }
            _ => {
                let body = json!({"agent_id": silent(&state)[0], "text": words});
                self.request(game.arguments(&state), body, Some(words))
            }
        };
        self.send(api, cycle, request).await
    }

    async fn send(&mut self, api: &Api, cycle: &Cycle, request: Request) -> Result<(), Gone> {
        self.pending = Some(request.clone());
        cycle.in_flight.fetch_add(1, Ordering::SeqCst);
        let body = request.body.to_string().into_bytes();
        let once = api.once(&request.key);
        let reply = answered(cycle, once.send("POST", &request.path, Some(body))).await?;
        cycle.answered();
        // A start that was carried out but not answered may be refused as such when it is sent again.
        let answer = match reply.status {
            400 if request.path.ends_with("/start") => reply.says(400, "Game already started"),
            _ => reply.ok(),
        };
        self.pending = None;
        let game = self.game.as_mut().expect("requests are about a game");
        if let Some(agent) = answer.get("agent_id").and_then(Value::as_str) {
            game.agents.push(agent.to_owned());
        }
        self.started |= request.path.ends_with("/start");
        if let Some(words) = request.words {
            let id = answer.get("argument_id").and_then(Value::as_str).map(str::to_owned);
            self.acknowledged.push(Acknowledged { game: game.id.clone(), words, id });
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_kill_9_exactly_once() {
    let cycles = std::env::var("MOOT_CRASH_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(CYCLES);
    let mut draw = chance("what_was_acknowledged_survives_kill_9_exactly_once");
    let dir = TempDir::new();
    let mut clients: Vec<Client> = (0..CLIENTS).map(Client::new).collect();
    let (mut counted, mut tried) = (0, 0);
    while counted < cycles {
        tried += 1;
        assert!(tried <= cycles * 2 + 5, "only {counted} of {tried} cycles had a request in flight at the kill");
        let program = Program::serve(dir.path(), &[]);
        let api = program.api.clone();
        let target = ACKNOWLEDGED_MIN + draw.below(150);
        let cycle = Arc::new(Cycle { target, program: Mutex::new(Some(program)), ..Cycle::default() });
        let playing: Vec<_> =
            clients.drain(..).map(|client| tokio::spawn(client.play(api.clone(), cycle.clone()))).collect();
        for client in playing {
            clients.push(client.await.expect("no client was refused or answered wrongly"));
        }
        let answered = cycle.answered.load(Ordering::SeqCst);
        let unanswered = clients.iter().filter(|client| client.pending.is_some()).count();
        if answered >= ACKNOWLEDGED_MIN && unanswered > 0 {
            counted += 1;
        }
    }
    // The last crash's requests are sent again too, and then everything is looked for.
    let mut program = Program::serve(dir.path(), &[]);
    for client in &mut clients {
        if let Some(request) = client.pending.clone() {
            let sent = client.send(&program.api, &Cycle::default(), request).await;
            assert!(sent.is_ok(), "the server stays up");
        }
    }
    let mut heard: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let (mut acknowledged, mut retried) = (0, 0);
    for client in &clients {
        retried += client.retried;
        for one in &client.acknowledged {
            if !heard.contains_key(&one.game) {
                let record = program.api.get(&format!("/api/games/{}/transcript?limit=1000", one.game)).await.ok();
                let said = record.as_array().expect("an array").iter().filter_map(|item| {
                    let words = item["text"].as_str().or_else(|| item["payload"]["reason"].as_str())?;
                    Some((words.to_owned(), text(&item["id"]).to_owned()))
                });
                heard.insert(one.game.clone(), said.collect());
            }
            let found: Vec<_> = heard[&one.game].iter().filter(|(words, _)| *words == one.words).collect();
            assert_eq!(
                found.len(),
                1,
                "{:?} in {} was acknowledged and is there {} times",
                one.words,
                one.game,
                found.len()
            );
            assert!(one.id.as_ref().is_none_or(|id| *id == found[0].1), "{:?} has another id", one.words);
            acknowledged += 1;
        }
    }
    let said: usize = heard.values().map(Vec::len).sum();
    assert_eq!(said, acknowledged, "nothing is there that nobody was told of");
    program.kill();
    let (well, report) = moot(&["verify"], dir.path());
    assert!(well, "{report}");
    println!("{counted} cycles, {acknowledged} acknowledged speeches, {retried} requests sent again; {report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_the_same_directory_is_refused() {
    let dir = TempDir::new();
    let _first = Program::serve(dir.path(), &[]);
    let (well, said) = moot(&["serve", "--listen", "127.0.0.1:0"], dir.path());
    assert!(!well && said.contains("another moot server"), "{said}");
    let (well, said) = moot(&["verify"], dir.path());
    assert!(well, "reading beside it is fine: {said}");
}
