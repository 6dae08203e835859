//! What a client may take up: requests, sign-ins, tables, connections, memory.

use crate::world::{Api, World, account, create, member, text};
use moot::settings::limits::LimitTable;
use moot::settings::{Clock, Settings};
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// A server that limits requests from this machine as from any other.
async fn limited(limits: LimitTable) -> World {
    World::with(Settings { limits, limit_loopback: true, ..Settings::default() }).await
}

/// How many of `count` requests get through, each with a credential of its own.
async fn let_through(api: &Api, count: usize, credential: impl Fn(usize) -> Option<String>) -> usize {
    let mut through = 0;
    for number in 0..count {
        let api = credential(number).map_or_else(|| api.clone(), |secret| api.with(&secret));
        let reply = api.get("/api/games").await;
        through += usize::from(reply.status != 429);
        if reply.status == 429 {
            assert!(reply.headers.contains_key("retry-after"), "{}", reply.text);
        }
    }
    through
}

#[tokio::test]
async fn an_invented_credential_lifts_no_limit() {
    let few = LimitTable { requests_per_second: 1, requests_at_once: 20, ..LimitTable::default() };
    for prefix in ["", "moot_key_", "moot_session_", "guest_"] {
        let world = limited(few.clone()).await;
        let invented = |number| Some(format!("{prefix}{number:064}"));
        let through = let_through(&world.api, 40, invented).await;
        assert!((20..30).contains(&through), "{through} of 40 with {prefix:?}");
    }
    let world = limited(few).await;
    let (ann, _) = member(&world, "ann").await;
    let_through(&world.api, 25, |_| None).await;
    world.api.get("/api/games").await.no(429);
    ann.get("/api/games").await.ok();
    let through = let_through(&ann, 40, |_| None).await;
    assert!((19..30).contains(&through), "{through}");
}

#[tokio::test]
async fn only_the_last_hop_says_where_a_request_comes_from() {
    let limits = LimitTable { requests_per_second: 1, requests_at_once: 10, ..LimitTable::default() };
    let trusted_proxy = Some("127.0.0.1".parse().expect("an address"));
    let world = World::with(Settings { limits, trusted_proxy, ..Settings::default() }).await;
    let mut refused = 0;
    for number in 0..30 {
        // The client's own header comes first, in a line of its own or in the proxy's; the port differs from request to request.
        let request = world.api.request(reqwest::Method::GET, "/api/games");
        let request = request.header("x-forwarded-for", format!("198.51.100.{number}"));
        let request = request.header("x-forwarded-for", format!("198.51.100.{number}, 192.0.2.9:{}", 1000 + number));
        refused += usize::from(request.send().await.expect("it answers").status() == 429);
    }
    assert!(refused >= 15, "{refused} of 30");
    let other = world.api.request(reqwest::Method::GET, "/api/games").header("x-forwarded-for", "192.0.2.10");
    assert_eq!(other.send().await.expect("it answers").status(), 200);
}

#[tokio::test]
async fn wrong_passwords_slow_down_the_next_for_the_account_and_from_the_address() {
    let world = limited(LimitTable { account_failures: 3, address_failures: 6, ..LimitTable::default() }).await;
    account(&world.api, "ann").await;
    let sign_in = async |name: &str, password: &str| {
        let body = json!({"email": format!("{name}@example.org"), "password": password});
        world.api.post("/api/auth/login", &body).await
    };
    for _ in 0..3 {
        sign_in("ann", "not hers").await.no(401);
    }
    let refused = sign_in("ann", "ann has a long password").await;
    refused.no(429);
    assert!(refused.headers.contains_key("retry-after"));
    for name in ["bob", "cid", "dan"] {
        sign_in(name, "a guess").await.no(401);
    }
    sign_in("eva", "a guess").await.no(429);
}

#[tokio::test]
async fn strangers_who_guess_do_not_keep_the_owner_from_a_change_and_guessing_there_is_slowed_too() {
    let world = limited(LimitTable { account_failures: 3, ..LimitTable::default() }).await;
    let ann = account(&world.api, "ann").await;
    for _ in 0..3 {
        let guess = json!({"email": "ann@example.org", "password": "not hers"});
        world.api.post("/api/auth/login", &guess).await.no(401);
    }
    let change = |old: &str| json!({"old_password": old, "new_password": "another long one"});
    for _ in 0..3 {
        ann.post("/api/auth/password", &change("a guess")).await.no(403);
    }
    ann.post("/api/auth/password", &change("ann has a long password")).await.no(429);
    ann.delete("/api/auth/me", &json!({"password": "ann has a long password"})).await.no(429);
}

#[tokio::test]
async fn one_client_opens_only_so_many_tables() {
    let limits = LimitTable { tables_at_once: 5, address_tables_at_once: 12, ..LimitTable::default() };
    let world = limited(limits).await;
    let mut members = Vec::new();
    for name in ["ann", "bob", "cid"] {
        members.push(member(&world, name).await.0);
    }
    let open = async |api: &Api| api.post("/api/games", &json!({"min_players": 3})).await.status;
    let mut opened = Vec::new();
    for api in [&world.api, &members[0], &members[1], &members[2]] {
        let mut made = 0;
        for _ in 0..8 {
            made += usize::from(open(api).await == 201);
        }
        opened.push(made);
    }
    // By caller, and then by address.
    assert_eq!(opened[..2], [5, 5]);
    assert!(opened[2] <= 2 && opened[3] == 0, "{opened:?}");
    let joined = members[2].post("/api/games/join", &json!({"game_type": "trial"})).await;
    assert_eq!(joined.no(429)["error"], "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn tables_that_nobody_uses_are_closed_and_later_gone() {
    let clock = Clock::default();
    let world = World::with(Settings { clock: clock.clone(), ..Settings::default() }).await;
    let empty = create(&world.api, &json!({"min_players": 3})).await;
    let (ann, _) = member(&world, "ann").await;
    let joined = ann.post("/api/games/join", &json!({"game_type": "trial"})).await.ok();
    let waiting = format!("/api/games/{}", text(&joined["game_id"]));
    let hours = |hours: i64| hours * 60 * 60 * 1000;
    let round = async || moot::minds::demo::round(&world.house).await.expect("it goes round");
    clock.set_ahead(hours(2));
    round().await;
    assert_eq!(empty.state(&world.api).await["status"], "expired");
    assert_ne!(ann.get(&waiting).await.ok()["status"], "expired");
    clock.set_ahead(hours(25));
    round().await;
    assert_eq!(ann.get(&waiting).await.ok()["status"], "expired");
    clock.set_ahead(hours(50));
    round().await;
    ann.get(&waiting).await.no(404);
    world.verify().expect("sound");
}

#[tokio::test]
async fn a_database_that_is_too_large_takes_no_new_tables_and_plays_on() {
    let limits = LimitTable { database_mb: 1, ..LimitTable::default() };
    let world = World::with(Settings { limits, ..Settings::default() }).await;
    let (ann, _) = member(&world, "ann").await;
    let game = ann.post("/api/games", &json!({"min_players": 3})).await.ok();
    let filler = move |db: &store::Db| {
        db.raw().execute("create table filler as select zeroblob(2000000)", [])?;
        Ok(())
    };
    world.house.store.write(filler).await.expect("it is written");
    moot::minds::demo::round(&world.house).await.expect("it goes round");
    let refused = ann.post("/api/games", &json!({"min_players": 3})).await;
    assert_eq!(refused.no(503)["error"], "UNAVAILABLE");
    let path = format!("/api/games/{}/agents/register", text(&game["game_id"]));
    ann.post(&path, &json!({"display_name": "Ann"})).await.ok();
}

#[tokio::test]
async fn invented_methods_are_counted_as_one() {
    moot::api::system::install_metrics();
    let world = World::open().await;
    for number in 0..50 {
        world.api.call(&format!("INVENTED{number}"), "/api/games", None).await.no(405);
        world.api.call(&format!("INVENTED{number}"), &format!("/nowhere/{number}"), None).await;
    }
    let metrics = world.api.get("/metrics").await.text;
    assert!(!metrics.contains("INVENTED") && !metrics.contains("nowhere"));
    assert!(metrics.contains("method=\"other\""));
}

/// Sends these bytes and waits until the server closes the connection; returns what it answered.
async fn until_closed(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(bytes).await.expect("it is sent");
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    // Only so that a server that never closes does not hang the test.
    let _ = tokio::time::timeout(Duration::from_secs(60), read).await.expect("it is closed");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_client_that_sends_too_slowly_is_closed() {
    let limits = LimitTable { head_s: 1, body_s: 1, ..LimitTable::default() };
    let world = World::with(Settings { limits, ..Settings::default() }).await;
    until_closed(world.address, b"").await;
    until_closed(world.address, b"GET /healthz HTTP/1.1\r\nhost: local").await;
    let head = b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{\"min";
    let answer = until_closed(world.address, head).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("BODY_TOO_SLOW"), "{answer}");
    let head = b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"min";
    assert!(until_closed(world.address, head).await.starts_with("HTTP/1.1 408"));
    // A connection between two requests is idle, too.
    let answer = until_closed(world.address, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let limits = LimitTable { stalled_s: 1, ..LimitTable::default() };
    let world = World::with(Settings { limits, ..Settings::default() }).await;
    let mut stream = TcpStream::connect(world.address).await.expect("it listens");
    let request = b"GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
    // Pipelined until both buffers are full: the server reads nothing more while it cannot write, and then gives up.
    loop {
        match tokio::time::timeout(Duration::from_secs(60), stream.write_all(request)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => panic!("it was kept open"),
        }
    }
}

#[tokio::test]
async fn when_every_connection_is_taken_health_still_answers() {
    let limits = LimitTable { connections: 4, ..LimitTable::default() };
    let world = World::with(Settings { limits, ..Settings::default() }).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(TcpStream::connect(world.address).await.expect("it listens"));
    }
    let ask = async |path: &str| {
        until_closed(world.address, format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).await
    };
    // A place is taken when the server has accepted, a moment after the client has connected.
    while !ask("/api/games").await.starts_with("HTTP/1.1 503") {}
    assert!(ask("/readyz").await.starts_with("HTTP/1.1 200"));
    drop(held);
    while world.api.get("/api/games").await.status != 200 {}
}

/// Connects from another address of this machine.
async fn connect_from(last: u8, address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::from(([127, 0, 0, last], 0))).expect("an address of this machine");
    socket.connect(address).await.expect("it listens")
}

#[tokio::test]
async fn one_address_cannot_take_every_place_and_a_few_cannot_take_the_reserve() {
    let world = limited(LimitTable { connections: 8, ..LimitTable::default() }).await;
    let ask_from = async |last: u8, path: &str| {
        let mut stream = connect_from(last, world.address).await;
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("it is sent");
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut answer)).await;
        read.expect("it is closed").map(|_| String::from_utf8_lossy(&answer[..12]).into_owned()).unwrap_or_default()
    };
    let mut held = Vec::new();
    let flood = async |held: &mut Vec<TcpStream>, last: u8| {
        for _ in 0..40 {
            held.push(connect_from(last, world.address).await);
        }
    };
    flood(&mut held, 2).await;
    assert_eq!(ask_from(3, "/api/games").await, "HTTP/1.1 200");
    for last in 4..8 {
        flood(&mut held, last).await;
    }
    assert_eq!(ask_from(3, "/api/games").await, "HTTP/1.1 503");
    assert_eq!(ask_from(3, "/readyz").await, "HTTP/1.1 200");
}

#[tokio::test]
async fn one_address_holds_only_so_many_connections_and_gets_them_back() {
    let world = limited(LimitTable { address_connections: 3, ..LimitTable::default() }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(world.address).await.expect("it listens");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("it is sent");
        stream.read_u8().await.expect("it answers");
        held.push(stream);
    }
    assert_eq!(until_closed(world.address, b"").await, "");
    drop(held);
    // The server notices that they are closed a moment later.
    while world.api.send("GET", "/healthz", None).await.is_err() {}
}
