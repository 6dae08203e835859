//! Watching: the same messages on every channel, resumed without loss or repetition, and never a secret among them.

use crate::matchmaking::{id, join_case};
use crate::world::{
    Api, Game, World, argue_all, chance, create, debate, decide, member, open_game, operator, play, silent, sit, text,
};
use engine::chain::{Hash, sealed};
use engine::id::GameId;
use futures_util::StreamExt as _;
use moot::http::auth::token_hash;
use moot::settings::Settings;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{self, ClientRequestBuilder, Message};

/// A message that has not come by then was lost.
const SILENT: Duration = Duration::from_secs(15);

pub type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// One message as it came: its id, if the channel has ids, and its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    id: Option<u64>,
    pub data: String,
}

impl Told {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).expect("every message is JSON")
    }

    fn seq(&self) -> u64 {
        self.json()["seq"].as_u64().expect("every event has its number")
    }
}

/// A stream of server-sent events being read.
pub struct Events {
    response: reqwest::Response,
    unread: String,
    bytes: Vec<u8>,
}

impl Events {
    pub async fn open(api: &Api, game: &Game, query: &str) -> Self {
        let response = api.request(reqwest::Method::GET, &game.path(&format!("/stream{query}"))).send().await;
        let response = response.expect("the server answers");
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events { response, unread: String::new(), bytes: vec![] }
    }

    /// The next message, or nothing when the stream ends.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            while let Some((block, rest)) = self.unread.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.unread = rest;
                let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                // A comment is a heartbeat.
                if let Some(data) = line("data: ") {
                    return Some(Told { id: line("id: ").and_then(|id| id.parse().ok()), data });
                }
            }
            let piece =
                tokio::time::timeout(SILENT, self.response.chunk()).await.expect("the stream fell silent").ok()??;
            self.bytes.extend_from_slice(&piece);
            while let Some(end) = self.bytes.iter().rposition(|byte| *byte == b'\n') {
                let whole: Vec<u8> = self.bytes.drain(..=end).collect();
                self.unread.push_str(std::str::from_utf8(&whole).expect("messages are UTF-8"));
            }
        }
    }

    async fn take(&mut self, count: usize) -> Vec<Told> {
        let mut taken = Vec::new();
        for _ in 0..count {
            taken.push(self.next().await.expect("the stream goes on"));
        }
        taken
    }

    /// Reads until the event of that number.
    pub async fn until(&mut self, seq: u64) -> Vec<Told> {
        let mut taken = Vec::new();
        while taken.last().and_then(|told: &Told| told.id) != Some(seq) {
            taken.push(self.next().await.expect("the stream goes on"));
        }
        taken
    }
}

pub async fn socket(address: SocketAddr, game: &Game, query: &str) -> Result<Socket, tungstenite::Error> {
    Ok(connect_async(format!("ws://{address}/ws/games/{}{query}", game.id)).await?.0)
}

/// A socket with the credential of this client.
async fn socket_of(api: &Api, address: SocketAddr, game: &Game) -> Socket {
    let address = format!("ws://{address}/ws/games/{}", game.id).parse().expect("an address");
    let request = ClientRequestBuilder::new(address).with_header("authorization", api.credential());
    connect_async(request).await.expect("it opens").0
}

pub async fn hear(socket: &mut Socket, count: usize) -> Vec<String> {
    let mut heard = Vec::new();
    while heard.len() < count {
        let next = tokio::time::timeout(SILENT, socket.next()).await.expect("the socket fell silent");
        match next.expect("the socket stays open").expect("and sound") {
            Message::Text(words) => heard.push(words.to_string()),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("only text was expected, not {other:?}"),
        }
    }
    heard
}

fn data(told: &[Told]) -> Vec<String> {
    told.iter().map(|told| told.data.clone()).collect()
}

/// A finished game and all its messages, from one uncut stream.
async fn finished(world: &World, seats: usize) -> (Game, Vec<Told>) {
    let game = open_game(&world.api, seats).await;
    let end = play(&world.api, &game, |_| {}).await;
    let last = end["version"].as_u64().expect("a number");
    let whole = Events::open(&world.api, &game, "?since=0").await.until(last).await;
    (game, whole)
}

#[tokio::test]
async fn the_first_message_is_the_state_and_then_comes_every_event() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 4).await;
    argue_all(api, &game).await;
    let mut events = Events::open(api, &game, "").await;
    let mut socket = socket(world.address, &game, "").await.expect("it opens");
    let first = events.next().await.expect("a first message");
    let initial = first.json();
    let state = game.state(api).await;
    assert_eq!(initial["type"], "initial");
    assert_eq!((&initial["game_id"], &initial["game_type"]), (&json!(game.id), &json!("trolley")));
    assert_eq!((&initial["status"], &initial["version"]), (&state["status"], &state["version"]));
    assert_eq!(initial["state"], state);
    assert_eq!(first.id, state["version"].as_u64(), "so that a browser resumes after it");
    assert_eq!(hear(&mut socket, 1).await, [first.data]);
    let end = play(api, &game, |_| {}).await;
    let told = events.until(end["version"].as_u64().expect("a number")).await;
    let version = state["version"].as_u64().expect("a number");
    for (told, seq) in told.iter().zip(version + 1..) {
        assert_eq!((told.id, told.seq()), (Some(seq), seq), "without gap or repetition");
        assert!(told.json()["at"].is_string() && told.json()["type"].is_string(), "{told:?}");
    }
    assert_eq!(hear(&mut socket, told.len()).await, data(&told), "both channels tell the same");
    assert_eq!(told.last().expect("it ended").json()["type"], "game_completed");
}

#[tokio::test]
async fn a_finished_game_cut_anywhere_and_resumed_is_the_uncut_one() {
    let mut draw = chance("a_finished_game_cut_anywhere_and_resumed_is_the_uncut_one");
    let world = World::open().await;
    let (game, whole) = finished(&world, 6).await;
    assert!(whole.len() > 100, "longer than what is kept at hand: {}", whole.len());
    assert_eq!(whole.iter().map(Told::seq).collect::<Vec<_>>(), (1..=whole.len() as u64).collect::<Vec<_>>());
    for round in 0..200 {
        let cut = match round {
            0 => 0,
            1 => whole.len(),
            _ => draw.below(whole.len() + 1),
        };
        let (head, tail) = (&whole[..cut], &whole[cut..]);
        if round % 4 == 3 {
            let mut first = socket(world.address, &game, "?since=0").await.expect("it opens");
            assert_eq!(hear(&mut first, cut).await, data(head), "cut at {cut}");
            drop(first);
            let mut second = socket(world.address, &game, &format!("?since={cut}")).await.expect("it opens");
            assert_eq!(hear(&mut second, tail.len()).await, data(tail), "cut at {cut}");
            continue;
        }
        assert_eq!(Events::open(&world.api, &game, "?since=0").await.take(cut).await, head, "cut at {cut}");
        let mut rest = match round % 4 {
            0 => Events::open(&world.api, &game, &format!("?since={cut}")).await,
            // What a browser does by itself: the old address, and the last id in a header, which takes precedence.
            _ => {
                let resumed = world.api.with_header("last-event-id", &cut.to_string());
                Events::open(&resumed, &game, if round % 4 == 1 { "" } else { "?since=0" }).await
            }
        };
        assert_eq!(rest.take(tail.len()).await, tail, "cut at {cut}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_being_played_cut_anywhere_and_resumed_is_the_uncut_one() {
    let mut draw = chance("a_game_being_played_cut_anywhere_and_resumed_is_the_uncut_one");
    let world = World::open().await;
    let game = open_game(&world.api, 6).await;
    let mut watchers = Vec::new();
    for watcher in 0..8 {
        let (api, game, address) = (world.api.clone(), game.clone(), world.address);
        let pieces: Vec<usize> = (0..100).map(|_| 1 + draw.below(12)).collect();
        watchers.push(tokio::spawn(async move {
            let mut heard: Vec<String> = Vec::new();
            let over = |heard: &[String]| heard.last().is_some_and(|last| last.contains("\"game_completed\""));
            for piece in pieces.into_iter().cycle() {
                let since = format!("?since={}", heard.len());
                let mut events = None;
                let mut socket_ = None;
                if watcher % 2 == 0 {
                    events = Some(Events::open(&api, &game, &since).await);
                } else {
                    socket_ = Some(socket(address, &game, &since).await.expect("it opens"));
                }
                for _ in 0..piece {
                    match (&mut events, &mut socket_) {
                        (Some(events), _) => heard.push(events.next().await.expect("it goes on").data),
                        (_, Some(socket)) => heard.extend(hear(socket, 1).await),
                        _ => unreachable!("one of them is open"),
                    }
                    if over(&heard) {
                        return heard;
                    }
                }
            }
            unreachable!("a cycle has no end")
        }));
    }
    let end = play(&world.api, &game, |_| {}).await;
    let last = end["version"].as_u64().expect("a number");
    let whole = data(&Events::open(&world.api, &game, "?since=0").await.until(last).await);
    for watcher in watchers {
        assert_eq!(watcher.await.expect("it watched to the end"), whole);
    }
}

#[tokio::test]
async fn resuming_from_nowhere_is_refused() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    let version = game.state(&world.api).await["version"].as_u64().expect("a number");
    for bad in [(version + 1).to_string(), "99999999999".into(), "x".into(), "-1".into(), "1.5".into(), "".into()] {
        let stream = world.api.get(&game.path(&format!("/stream?since={bad}"))).await;
        let problem = stream.no(400);
        assert!(text(&problem["detail"]).contains("since"), "{problem}");
        world
            .api
            .with_header("last-event-id", if bad.is_empty() { "x" } else { &bad })
            .get(&game.path("/stream"))
            .await
            .no(400);
        match socket(world.address, &game, &format!("?since={bad}")).await {
            Err(tungstenite::Error::Http(response)) => assert_eq!(response.status().as_u16(), 400),
            other => panic!("since {bad:?} was taken: {other:?}"),
        }
    }
    let mut stream = Events::open(&world.api, &game, &format!("?since={version}")).await;
    argue_all(&world.api, &game).await;
    assert_eq!(stream.next().await.expect("the next event").id, Some(version + 1));
    match socket(world.address, &Game { id: "nonsense".into(), agents: vec![] }, "").await {
        Err(tungstenite::Error::Http(response)) => assert_eq!(response.status().as_u16(), 404),
        other => panic!("an unknown game was watched: {other:?}"),
    }
}

#[tokio::test]
async fn what_a_spectator_says_is_ignored_and_costs_nothing() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    let mut socket = socket(world.address, &game, "").await.expect("it opens");
    hear(&mut socket, 1).await;
    use futures_util::SinkExt as _;
    for words in ["hello", "{\"type\":\"argument\"}", ""] {
        socket.send(Message::text(words)).await.expect("it may speak");
    }
    let state = game.state(&world.api).await;
    let body = json!({"agent_id": silent(&state)[0], "text": "heard"});
    world.api.post(&game.arguments(&state), &body).await.ok();
    assert!(hear(&mut socket, 1).await[0].contains("heard"));
    // A message of a megabyte ends the spectator's own connection and nobody else's.
    let _ = socket.send(Message::text("x".repeat(1 << 20))).await;
    while let Some(Ok(_)) = socket.next().await {}
    game.state(&world.api).await;
}

#[tokio::test]
async fn a_long_poll_answers_when_the_version_passes() {
    let world = World::open().await;
    let game = open_game(&world.api, 4).await;
    let before = game.state(&world.api).await;
    let version = before["version"].as_u64().expect("a number");
    let table = moot::play::live::table(&world.house, game.id.parse().expect("an id")).await.expect("it is there");
    let polls: Vec<_> = (0..5)
        .map(|_| {
            let (api, path) = (world.api.clone(), game.path(&format!("/state?version={version}&wait=30")));
            tokio::spawn(async move { api.get(&path).await.ok() })
        })
        .collect();
    while table.watchers() < polls.len() {
        tokio::task::yield_now().await;
    }
    assert!(polls.iter().all(|poll| !poll.is_finished()), "nothing has happened");
    let body = json!({"agent_id": silent(&before)[0], "text": "now"});
    world.api.post(&game.arguments(&before), &body).await.ok();
    for poll in polls {
        assert_eq!(poll.await.expect("it was answered")["version"], version + 1);
    }
    // Already past: at once. Not past: the full state when the time is up.
    assert_eq!(world.api.get(&game.path("/state?version=1&wait=30")).await.ok()["version"], version + 1);
    assert_eq!(world.api.get(&game.path("/state?version=99999&wait=0.05")).await.ok()["version"], version + 1);
    for bad in ["-1", "31", "x", "NaN", "inf", "1e9"] {
        world.api.get(&game.path(&format!("/state?wait={bad}"))).await.no(400);
    }
}

#[tokio::test]
async fn a_known_state_is_not_sent_again() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 3).await;
    let first = api.get(&game.path("/state")).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".into()] {
        let again = api.with_header("if-none-match", &known).get(&game.path("/state")).await;
        assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", tag.as_str()), "{known}");
    }
    argue_all(api, &game).await;
    let moved = api.with_header("if-none-match", &tag).get(&game.path("/state")).await;
    assert_eq!(moved.status, 200);
    assert_ne!(moved.header("etag"), tag);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spectator_who_stops_reading_never_slows_a_game() {
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 10).await;
    let mut stuck = Vec::new();
    for _ in 0..20 {
        let tcp = tokio::net::TcpSocket::new_v4().expect("a socket");
        tcp.set_recv_buffer_size(1024).expect("a small window");
        let mut tcp = tcp.connect(world.address).await.expect("the server listens");
        let path = format!("/ws/games/{}", game.id);
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        tcp.write_all(head.as_bytes()).await.expect("it is sent");
        stuck.push(tcp);
    }
    let table = moot::play::live::table(&world.house, game.id.parse().expect("an id")).await.expect("it is there");
    while table.watchers() < stuck.len() {
        tokio::task::yield_now().await;
    }
    let mut watching = Events::open(api, &game, "?since=0").await;
    let mut socket = socket(world.address, &game, "?since=0").await.expect("it opens");
    let reading = tokio::spawn(async move {
        let mut told = Vec::new();
        loop {
            told.push(watching.next().await.expect("it goes on"));
            if told.last().is_some_and(|told: &Told| told.data.contains("\"game_completed\"")) {
                return told;
            }
        }
    });
    let long = "🚋".repeat(490);
    let mut state = game.state(api).await;
    while state["status"] != "game_completed" {
        match text(&state["status"]) {
            "round_resolved" => {
                api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
            }
            "awaiting_operator_decision" => {
                decide(api, &game, "save_minority").await;
            }
            _ => {
                for agent in silent(&state) {
                    api.post(&game.arguments(&state), &json!({"agent_id": agent, "text": long})).await.ok();
                }
            }
        }
        state = game.state(api).await;
    }
    let told = reading.await.expect("other watchers go on");
    assert_eq!(told.len() as u64, state["version"].as_u64().expect("a number"));
    assert_eq!(hear(&mut socket, told.len()).await, data(&told));
    let bytes: usize = told.iter().map(|told| told.data.len()).sum();
    assert!(bytes > 500_000, "{bytes} bytes is more than the network holds for those who do not read");
    assert_eq!(stuck.len(), 20);
}

/// Everything that anyone can read of a game over any channel.
async fn all_channels(world: &World, game: &Game, readers: &[Api], until: u64) -> String {
    let mut everything = String::new();
    for api in readers {
        for path in [
            "",
            "/state",
            "/feed?limit=1000",
            "/transcript",
            "/events?limit=1000",
            "/result",
            "/scoreboard",
            "/history",
        ] {
            let reply = api.get(&game.path(path)).await;
            everything.push_str(&reply.text);
            everything.push_str(&format!("{:?}", reply.headers));
        }
        for agent in &game.agents {
            everything.push_str(&api.get(&game.path(&format!("/open-actions?agent_id={agent}"))).await.text);
        }
        everything.push_str(&Events::open(api, game, "").await.take(1).await[0].data);
        everything.push_str(&data(&Events::open(api, game, "?since=0").await.until(until).await).concat());
    }
    let mut socket_ = socket(world.address, game, "?since=0").await.expect("it opens");
    everything.push_str(&hear(&mut socket_, until as usize).await.concat());
    everything.push_str(&world.api.get("/api/games").await.text);
    everything.push_str(&world.api.get("/metrics").await.text);
    everything
}

#[tokio::test]
async fn no_secret_is_on_any_channel() {
    let world = World::open().await;
    let host = world.account("host").await;
    let mut game = create(&host, &json!({})).await;
    let tokens = ["first-seats-secret", "second-seats-secret"];
    for token in tokens {
        sit(&world.api, &mut game, "Guest", Some(token)).await;
    }
    sit(&host, &mut game, "Host", None).await;
    let seats = [world.api.with(tokens[0]), world.api.with(tokens[1]), host.clone()];
    let readers = [std::slice::from_ref(&world.api), &seats[..]].concat();
    host.post_nothing(&game.path("/start")).await.ok();
    let id: GameId = game.id.parse().expect("an id");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let db = world.database();
    let seed: Vec<u8> = db.query_row("select seed from games", [], |row| row.get(0)).expect("one game");
    let account: Vec<u8> = db.query_row("select id from accounts", [], |row| row.get(0)).expect("one account");
    let account = uuid::Uuid::from_slice(&account).expect("an id").hyphenated().to_string();
    let mut secrets = vec![hex(&seed), account, "host@example.org".to_owned()];
    for token in tokens {
        secrets.push(token.to_owned());
        secrets.push(token_hash(id, token).to_string());
    }
    let hashes = || {
        let mut query = db.prepare("select hash from events").expect("the log");
        let rows = query.query_map([], |row| row.get::<_, Vec<u8>>(0)).expect("its hashes");
        rows.map(|hash| hex(&hash.expect("a hash"))).collect::<Vec<_>>()
    };
    let act = async |state: &Value, agent: &str| {
        let api = &seats[game.agents.iter().position(|one| one == agent).expect("it sits there")];
        match text(&state["current_phase"]) {
            "awaiting_decision" => api.post(&game.decision(state), &json!({"decision": "save_majority"})).await.ok(),
            _ => api.post(&game.arguments(state), &json!({"text": format!("{agent} speaks")})).await.ok(),
        }
    };
    loop {
        let state = game.state(&world.api).await;
        let over = state["status"] == "game_completed";
        let version = state["version"].as_u64().expect("a number");
        let everything = all_channels(&world, &game, &readers, version).await.to_lowercase();
        for secret in &secrets {
            assert!(!everything.contains(&secret.to_lowercase()), "{secret} at version {version}");
        }
        for hash in hashes() {
            assert_eq!(everything.contains(&hash), over, "hashes are shown once it is over, and only then");
        }
        match text(&state["status"]) {
            "game_completed" => break,
            "round_resolved" => drop(host.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok()),
            "awaiting_operator_decision" => drop(act(&state, &operator(&state)).await),
            _ => drop(act(&state, &silent(&state)[0]).await),
        }
    }
}

#[tokio::test]
async fn a_reader_can_check_the_chain_of_a_finished_game() {
    let world = World::open().await;
    let game = open_game(&world.api, 4).await;
    debate(&world.api, &game).await;
    for event in world.api.get(&game.path("/events?limit=1000")).await.ok()["events"].as_array().expect("a list") {
        for hidden in ["hash", "body_hash", "salt", "body"] {
            assert!(event.get(hidden).is_none(), "{hidden} is for later: {event}");
        }
    }
    play(&world.api, &game, |_| {}).await;
    let id: GameId = game.id.parse().expect("an id");
    let mut head = Hash::of(id.0.as_bytes());
    let mut since = 0;
    let mut opened = 0;
    loop {
        let page = world.api.get(&game.path(&format!("/events?limit=7&since={since}"))).await.ok();
        for event in page["events"].as_array().expect("a list") {
            since = event["seq"].as_u64().expect("a number");
            let at = text(&event["at"]).parse::<jiff::Timestamp>().expect("a time").as_millisecond();
            let body_hash = Hash::parse(text(&event["body_hash"])).expect("a hash");
            let mut row = head.0.to_vec();
            row.extend(since.to_le_bytes());
            row.extend(at.to_le_bytes());
            row.extend(body_hash.0);
            head = Hash::of(&row);
            assert_eq!(event["hash"], head.to_string(), "event {since}");
            if let Some(salt) = event.get("salt").and_then(Value::as_str) {
                let byte = |place: usize| u8::from_str_radix(&salt[place * 2..place * 2 + 2], 16).expect("hex");
                let salt: [u8; 16] = std::array::from_fn(byte);
                assert_eq!(sealed(&salt, text(&event["body"]).as_bytes()), body_hash, "event {since}");
                opened += 1;
            } else {
                assert!(event.get("body").is_none());
            }
        }
        if page["next"].is_null() {
            break;
        }
        assert_eq!(page["next"], since);
    }
    assert!(opened > 20, "{opened} rows are open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_made_up_host_reaches_nobody_else_s_page() {
    let world = World::open().await;
    let game = create(&world.api, &json!({"min_players": 3})).await;
    let path = format!("/games/{}/fragment", game.id);
    for host in ["elsewhere.example", "127.0.0.1.elsewhere.example", "localhost.elsewhere.example:80", "a b"] {
        let refused = world.api.with_header("host", host).get(&path).await;
        assert_eq!(refused.no(421)["error"], "UNKNOWN_HOST", "{host}");
    }
    let theirs = world.api.with_header("host", "192.0.2.7:8000").get(&path).await;
    assert!(theirs.text.contains("192.0.2.7:8000"), "the invite link is made from the address that was asked");
    let ours = world.api.get(&path).await;
    assert!(!ours.text.contains("192.0.2.7"), "one visitor's address must not be shown to another");
}

#[tokio::test]
async fn a_server_goes_by_the_name_its_operator_gave_it() {
    let public_url = Some("https://moot.example:8443/".to_owned());
    let world = World::with(Settings { public_url, ..Settings::default() }).await;
    for host in ["moot.example", "MOOT.example:8443", "localhost", "[::1]:8000", "127.0.0.1"] {
        world.api.with_header("host", host).get("/healthz").await.text.contains("ok").then_some(()).expect(host);
    }
    world.api.with_header("host", "moot.example.org").get("/healthz").await.no(421);
}

/// A trial of John Law before a human opponent, behind closed doors, hosted by `api`.
async fn closed_trial(api: &Api) -> Game {
    let options = json!({"game_type": "tribunal", "case_id": "john_law", "opponent": "player", "open": false});
    let made = api.post("/api/games", &options).await.ok();
    Game { id: text(&made["game_id"]).to_owned(), agents: vec![] }
}

async fn join(api: &Api, game: &Game, name: &str) {
    api.post(&game.path("/agents/register"), &json!({"display_name": name})).await.ok();
}

const ATTACK: &str = "Monsieur Law, you paid each dividend out of the deposit behind it and called the circle a bank.";

/// Attacks, and returns what this stream tells of it and of what came before.
async fn attack(api: &Api, game: &Game, events: &mut Events) -> Vec<String> {
    let act = json!({"type": "argue", "character_id": "law", "text": ATTACK});
    api.post(&game.path("/action"), &act).await.ok();
    let mut told = vec![];
    while !told.last().is_some_and(|told: &Told| told.json()["type"] == "argued") {
        told.push(events.next().await.expect("the stream goes on"));
    }
    data(&told)
}

/// What a socket told until it was closed, and the code with which it was.
async fn until_closed(socket: &mut Socket) -> (Vec<String>, u16) {
    let mut heard = vec![];
    loop {
        let next = tokio::time::timeout(SILENT, socket.next()).await.expect("the socket fell silent");
        match next.expect("it is closed properly").expect("and sound") {
            Message::Text(words) => heard.push(words.to_string()),
            Message::Close(frame) => return (heard, frame.expect("with a reason").code.into()),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_does_not_outlive_the_seat_it_was_opened_for() {
    let world = World::open().await;
    let [ann, ben, carl] = ["ann", "ben", "carl"].map(|name| member(&world, name));
    let [(ann, _), (ben, _), (carl, _)] = [ann.await, ben.await, carl.await];
    let game = closed_trial(&ann).await;
    let mut events = Events::open(&ann, &game, "").await;
    let mut watching = socket_of(&ann, world.address, &game).await;
    events.next().await.expect("the state");
    hear(&mut watching, 1).await;
    ann.post(&game.path("/leave"), &json!({})).await.ok();
    // Her seat is Carl's now.
    join(&carl, &game, "Carl").await;
    join(&ben, &game, "Ben").await;
    let told = attack(&carl, &game, &mut events).await;
    assert!(told[0].contains("\"type\":\"initial\""), "it begins anew, for a spectator: {}", told[0]);
    assert!(!told.iter().any(|message| message.contains(ATTACK)), "closed words were told to a player who has left");
    assert_eq!(hear(&mut watching, told.len()).await, told, "both channels tell the same");
    let [initial, state]: [Value; 2] = [told[0].clone(), game.state(&ann).await.to_string()]
        .map(|message| serde_json::from_str(&message).expect("JSON"));
    assert_eq!(initial["state"]["self"], state["self"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_leaves_a_rated_trial_sees_no_more_than_a_spectator() {
    let world = World::open().await;
    let [(ann, _), (ben, _)] = [member(&world, "ann").await, member(&world, "ben").await];
    let game = Game { id: id(&join_case(&ann, "john_law").await), agents: vec![] };
    join_case(&ben, "john_law").await;
    let mut events = Events::open(&ben, &game, "").await;
    assert!(events.next().await.expect("the state").json()["state"]["self"].is_object());
    ben.post(&game.path("/leave"), &json!({})).await.ok();
    let told = attack(&ann, &game, &mut events).await;
    assert!(told[0].contains("\"type\":\"initial\""), "{}", told[0]);
    assert!(!told.iter().any(|message| message.contains(ATTACK)), "{told:?}");
    assert!(game.state(&ben).await["self"].is_null());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_takes_a_seat_is_told_what_its_seat_may_hear_on_the_stream_that_is_open() {
    let world = World::open().await;
    let [(ann, _), (ben, _)] = [member(&world, "ann").await, member(&world, "ben").await];
    let game = closed_trial(&ann).await;
    let mut events = Events::open(&ben, &game, "").await;
    events.next().await.expect("the state");
    join(&ben, &game, "Ben").await;
    let told = attack(&ann, &game, &mut events).await;
    assert!(told[0].contains("\"type\":\"initial\""), "{}", told[0]);
    assert!(told.iter().any(|message| message.contains(ATTACK)), "the accused hears the attack: {told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_with_the_key_or_session_it_was_opened_with() {
    let world = World::open().await;
    let (ben, _) = member(&world, "ben").await;
    let ann = world.account("ann").await;
    let game = closed_trial(&ann).await;
    join(&ben, &game, "Ben").await;
    let key = ann.post("/api/auth/api-key", &json!({})).await.ok();
    let keyed = world.api.with(text(&key["api_key"]));
    let login = json!({"email": "ann@example.org", "password": "ann has a long password"});
    let session = async || {
        let session = world.api.post("/api/auth/login", &login).await.ok();
        text(&session["access_token"]).to_owned()
    };
    let (by_bearer, by_cookie) = (session().await, session().await);
    let bearer = world.api.with(&by_bearer);
    let cookie = world.api.with_header("cookie", &format!("moot_session={by_cookie}"));
    // Without waiting for the next event: a revoked key, a session that signed out, a changed password.
    let mut by_key = (Events::open(&keyed, &game, "").await, socket_of(&keyed, world.address, &game).await);
    ann.delete(&format!("/api/auth/api-keys/{}", text(&key["id"])), &json!({})).await;
    assert_eq!(ended(&mut by_key).await, 4401);
    let mut by_session = (Events::open(&bearer, &game, "").await, socket_of(&bearer, world.address, &game).await);
    bearer.post("/api/auth/logout", &json!({})).await;
    assert_eq!(ended(&mut by_session).await, 4401);
    let mut of_page = Events::open(&cookie, &game, "").await;
    let mut by_first = (Events::open(&ann, &game, "").await, socket_of(&ann, world.address, &game).await);
    let passwords = json!({"old_password": "ann has a long password", "new_password": "ann has a new password"});
    ann.post("/api/auth/password", &passwords).await;
    assert_eq!(ended(&mut by_first).await, 4401);
    // A browser that is signed out looks on as a spectator.
    let told = data(&of_page.take(2).await);
    assert!(told[0].contains("\"type\":\"initial\"") && told[1].contains("\"type\":\"initial\""), "{told:?}");
    let seen = |message: &str| serde_json::from_str::<Value>(message).expect("JSON")["state"]["self"].is_object();
    assert_eq!((seen(&told[0]), seen(&told[1])), (true, false));
}

/// The close code of a socket after its state, which is all that it and the stream beside it have told.
async fn ended((events, socket): &mut (Events, Socket)) -> u16 {
    assert!(events.next().await.expect("the state").data.contains("\"type\":\"initial\""));
    assert_eq!(events.next().await, None, "the stream ends");
    let (heard, code) = until_closed(socket).await;
    assert_eq!(heard.len(), 1, "{heard:?}");
    code
}
