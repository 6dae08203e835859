//! Bad requests to every operation: a proper refusal, never a 5xx, and nothing changed.
//!
//! `operations.rs` has one entry for each operation of the API document, with a request that is accepted; every test here
//! spoils that request in one way.

use crate::operations::{Holds, OPERATIONS, Operation, Scene, Stage, Who, stage};
use crate::world::{Reply, World, chance, open_game, text};
use engine::chance::Draw;
use moot::minds::demo::remove;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// What is wrong with an answer that should be a proper refusal.
fn improper(reply: &Reply) -> Option<String> {
    let shown = || format!("{} {} {:.300}", reply.status, reply.header("content-type"), reply.text);
    if !(400..500).contains(&reply.status) || reply.header("content-type") != "application/problem+json" {
        return Some(shown());
    }
    let problem: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let told = |name: &str| problem[name].as_str().is_some_and(|text| !text.is_empty());
    let proper = problem["status"] == reply.status && told("detail") && told("error") && told("title");
    (!proper).then(shown)
}

/// Everything that went wrong, so that one run reports all of it.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    fn check(&mut self, operation: &Operation, what: impl std::fmt::Display, reply: &Reply) {
        if let Some(found) = improper(reply) {
            self.0.push(format!("{} {} with {what:.200}: {found}", operation.method, operation.path));
        }
    }

    fn expect(&mut self, status: u16, operation: &Operation, what: impl std::fmt::Display, reply: &Reply) {
        if reply.status != status {
            let found = format!("{} instead of {status}", reply.status);
            self.0
                .push(format!("{} {} with {what:.200}: {found} {:.300}", operation.method, operation.path, reply.text));
        } else {
            self.check(operation, what, reply);
        }
    }

    fn same(&mut self, world: &World, before: &[(String, String)], operation: &Operation) {
        if world.digest() != before {
            self.0.push(format!("{} {} changed something", operation.method, operation.path));
        }
    }

    #[track_caller]
    fn report(self) {
        assert!(self.0.is_empty(), "{} findings:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Runs `spoil` over every operation, checks that nothing changed, and finally that the good request is accepted.
async fn over_all(mut spoil: impl AsyncFnMut(&Operation, &Stage, &mut Findings)) {
    let world = World::open().await;
    let mut findings = Findings::default();
    for (number, operation) in OPERATIONS.iter().enumerate() {
        let stage = stage(&world, operation, &format!("user{number}")).await;
        let before = world.digest();
        let found = findings.0.len();
        spoil(operation, &stage, &mut findings).await;
        findings.same(&world, &before, operation);
        // If something was accepted that should not have been, the good request may well be refused now.
        if findings.0.len() == found {
            good(operation, &stage, &mut findings).await;
        }
        if matches!(operation.scene, Scene::Hosted | Scene::Handed) {
            // A house mind has a seat there by now, and would play it in the middle of another operation.
            let id = stage.game.parse().expect("an id");
            assert!(remove(&world.house, id, "request").await.expect("it can be removed"));
        }
    }
    findings.report();
}

async fn good(operation: &Operation, stage: &Stage, findings: &mut Findings) {
    let mut request = stage.api.request(operation.method.parse().expect("a method"), &stage.path);
    if let Some(body) = stage.body() {
        request = request.body(body.to_string());
    }
    if operation.path.starts_with("/ws/") {
        request = request
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    }
    // Not read to the end: a stream has none.
    let status = request.send().await.expect("the server answers").status().as_u16();
    let expected = if operation.path.starts_with("/ws/") { 101..102 } else { 200..300 };
    if !expected.contains(&status) {
        findings.0.push(format!("{} {}: the table's own example gives {status}", operation.method, operation.path));
    }
}

#[tokio::test]
async fn every_operation_of_the_document_is_in_the_table() {
    let world = World::open().await;
    let document = world.api.get("/api/openapi.json").await.ok();
    assert!(text(&document["openapi"]).starts_with("3.1"));
    let mut documented = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys().filter(|name| *name != "parameters") {
            documented.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let listed: BTreeSet<String> = OPERATIONS.iter().map(|one| format!("{} {}", one.method, one.path)).collect();
    let missing: Vec<_> = documented.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&documented).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not in the table: {missing:?}; not in the document: {gone:?}");
    assert_eq!(listed.len(), OPERATIONS.len(), "each once");
}

#[tokio::test]
async fn every_field_of_a_documented_body_is_in_the_table() {
    let world = World::open().await;
    let document = world.api.get("/api/openapi.json").await.ok();
    for operation in OPERATIONS {
        let described = &document["paths"][operation.path][operation.method.to_lowercase()];
        let schema = &described["requestBody"]["content"]["application/json"]["schema"];
        let schema = match schema["$ref"].as_str() {
            Some(reference) => document.pointer(&reference[1..]).expect("references lead somewhere"),
            None => schema,
        };
        let Some(properties) = schema["properties"].as_object() else { continue };
        let documented: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        let listed: BTreeSet<&str> = operation.fields.iter().map(|field| field.name).collect();
        assert_eq!(listed, documented, "{}", operation.path);
    }
}

#[tokio::test]
async fn another_method_is_405() {
    over_all(async |operation, stage, findings| {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            if OPERATIONS.iter().any(|one| one.path == operation.path && one.method == method) {
                continue;
            }
            let body = stage.body().map(|body| body.to_string().into_bytes());
            let reply = stage.api.call(method, &stage.path, body).await;
            findings.expect(405, operation, method, &reply);
        }
    })
    .await;
}

#[tokio::test]
async fn an_unknown_path_is_404() {
    let world = World::open().await;
    for path in [
        "/api",
        "/api/",
        "/api/game",
        "/api/games/",
        "/api/games/x/y/z",
        "/API/games",
        "//api/games",
        "/api/../etc/passwd",
        "/%00",
    ] {
        for method in ["GET", "POST"] {
            let reply = world.api.call(method, path, None).await;
            assert!(reply.status == 404 && improper(&reply).is_none(), "{method} {path}: {reply:?}");
        }
    }
}

#[tokio::test]
async fn an_unknown_id_is_404() {
    over_all(async |operation, stage, findings| {
        let parts: Vec<&str> = operation.path.split('/').collect();
        let (path, query) = stage.path.split_once('?').unwrap_or((&stage.path, ""));
        let real: Vec<&str> = path.split('/').collect();
        for place in (0..parts.len()).filter(|place| parts[*place].starts_with('{')) {
            let long = "x".repeat(5000);
            let unknown = [
                "01900000-0000-7000-8000-000000000000",
                "nonsense",
                "0",
                "-1",
                "%00",
                "%F0%9F%9A%8B",
                "'%3B--",
                "..%2F..",
                &long,
            ];
            for id in unknown {
                let mut other = real.clone();
                other[place] = id;
                let path = format!("{}?{query}", other.join("/"));
                let body = stage.body().map(|body| body.to_string().into_bytes());
                findings.expect(
                    404,
                    operation,
                    format!("{} {id}", parts[place]),
                    &stage.api.call(operation.method, &path, body).await,
                );
            }
            let mut broken = real.clone();
            broken[place] = "%FF%FE";
            let body = stage.body().map(|body| body.to_string().into_bytes());
            let reply = stage.api.call(operation.method, &format!("{}?{query}", broken.join("/")), body).await;
            findings.check(operation, format!("{} that is no UTF-8", parts[place]), &reply);
        }
    })
    .await;
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_400() {
    over_all(async |operation, stage, findings| {
        let Some(good) = stage.body().map(|body| body.to_string()) else { return };
        let mut broken: Vec<Vec<u8>> = [
            "{",
            "}",
            "[]",
            "null",
            "true",
            "1",
            "\"text\"",
            "[{}]",
            "{\"a\":}",
            "{'a':1}",
            "{}{}",
            "<a/>",
            "a=b",
            "\u{feff}{}",
            "{\"a\":1,}",
            "\0",
        ]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
        broken.push(good.as_bytes()[..good.len() - 1].to_vec());
        broken.push(format!("{good}x").into_bytes());
        broken.push([b"{\"a\":\"", &[0xff, 0xfe][..], b"\"}"].concat());
        broken.push(format!("{{\"a\":{}", "[".repeat(20_000)).into_bytes());
        for body in broken {
            let what = String::from_utf8_lossy(&body).into_owned();
            findings.expect(400, operation, what, &stage.api.call(operation.method, &stage.path, Some(body)).await);
        }
        if operation.fields.iter().any(|field| field.required) {
            findings.expect(400, operation, "no body", &stage.api.call(operation.method, &stage.path, None).await);
        }
    })
    .await;
}

#[tokio::test]
async fn a_field_of_another_type_or_missing_is_refused() {
    over_all(async |operation, stage, findings| {
        let Some(good) = stage.body.clone() else { return };
        for field in operation.fields {
            let wrong = match field.holds {
                Holds::Words | Holds::Word | Holds::Secret => {
                    vec![json!(7), json!(1.5), json!(true), json!([]), json!({}), json!(["x"])]
                }
                Holds::Seed => vec![json!(true), json!([]), json!({}), json!("")],
                Holds::Number => vec![
                    json!("x"),
                    json!("3"),
                    json!(true),
                    json!([]),
                    json!({}),
                    json!(-1),
                    json!(2.5),
                    json!(1e300),
                    json!(u64::MAX),
                ],
                Holds::Signed => {
                    vec![json!("x"), json!("3"), json!(true), json!([]), json!({}), json!(2.5), json!(1e300)]
                }
                Holds::Flag => vec![json!("x"), json!(7), json!([]), json!({})],
                Holds::Map => vec![json!("x"), json!(7), json!(true), json!([]), json!({"0": 7}), json!({"0": null})],
            };
            for value in wrong {
                let mut body = good.clone();
                body.insert(field.name.into(), value.clone());
                let reply = stage.send(operation, Some(&Value::Object(body))).await;
                findings.check(operation, format!("{} = {value}", field.name), &reply);
                let detail = serde_json::from_str::<Value>(&reply.text).unwrap_or_default()["detail"].to_string();
                let named = detail.contains(field.name) || field.holds == Holds::Word;
                if reply.status == 400 && !named {
                    findings.0.push(format!("{} does not name the field {}: {detail}", operation.path, field.name));
                }
            }
            if field.required {
                let mut body = good.clone();
                body.insert(field.name.into(), Value::Null);
                findings.check(
                    operation,
                    format!("{} = null", field.name),
                    &stage.send(operation, Some(&Value::Object(body))).await,
                );
                let mut body = good.clone();
                body.remove(field.name);
                findings.check(
                    operation,
                    format!("no {}", field.name),
                    &stage.send(operation, Some(&Value::Object(body))).await,
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_body_of_70_kilobytes_is_413() {
    over_all(async |operation, stage, findings| {
        let Some(mut body) = stage.body.clone() else { return };
        body.insert("padding".into(), "x".repeat(70_000).into());
        findings.expect(413, operation, "70 KB", &stage.send(operation, Some(&Value::Object(body))).await);
    })
    .await;
}

/// Sends five megabytes as an impolite client does, and reads what comes back meanwhile.
async fn send_5_megabytes(world: &World, operation: &Operation, path: &str, chunked: bool) -> String {
    let stream = tokio::net::TcpStream::connect(world.address).await.expect("the server listens");
    let (mut read, mut write) = stream.into_split();
    let length = if chunked { "transfer-encoding: chunked".into() } else { format!("content-length: {}", 5 << 20) };
    let head = format!(
        "{} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{length}\r\n\r\n",
        operation.method
    );
    let sending = tokio::spawn(async move {
        let mut piece = vec![b' '; 64 << 10];
        if chunked {
            piece = [b"10000\r\n", &piece[..], b"\r\n"].concat();
        }
        // The server may hang up in the middle; what it said before is what counts.
        let mut sent = write.write_all(head.as_bytes()).await;
        for _ in 0..80 {
            sent = match sent {
                Ok(()) => write.write_all(&piece).await,
                Err(_) => break,
            };
        }
        write
    });
    let mut answer = Vec::new();
    let mut piece = vec![0; 4096];
    loop {
        match read.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(count) => answer.extend_from_slice(&piece[..count]),
        }
        if answer.ends_with(b"}") {
            break;
        }
    }
    sending.abort();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_5_megabytes_is_413() {
    let world = World::open().await;
    let mut findings = Findings::default();
    for (number, operation) in
        OPERATIONS.iter().enumerate().filter(|(_, one)| one.body.is_some() && one.who == Who::Nobody)
    {
        let stage = stage(&world, operation, &format!("user{number}")).await;
        let before = world.digest();
        for chunked in [false, true] {
            let answer = send_5_megabytes(&world, operation, &stage.path, chunked).await;
            if !answer.starts_with("HTTP/1.1 413") || !answer.contains("application/problem+json") {
                findings.0.push(format!("{} {} chunked {chunked}: {answer:?}", operation.method, operation.path));
            }
        }
        findings.same(&world, &before, operation);
    }
    findings.report();
}

#[tokio::test]
async fn words_that_are_too_long_or_deceive_the_eye_are_refused() {
    over_all(async |operation, stage, findings| {
        let Some(good) = stage.body.clone() else { return };
        for field in operation.fields {
            let mut bad = vec!["x".repeat(10_000), "가".repeat(10_000)];
            match field.holds {
                Holds::Words | Holds::Word => {
                    let hidden = [
                        "\0",
                        "\u{1}",
                        "\u{1b}[31m",
                        "\u{7f}",
                        "\u{85}",
                        "\u{202e}",
                        "\u{2066}",
                        "\u{200b}",
                        "\u{feff}",
                        "\u{2028}",
                        "\u{e0041}",
                    ];
                    bad.extend(hidden.map(|hidden| format!("ab{hidden}cdefgh")));
                }
                Holds::Secret | Holds::Seed => {}
                Holds::Number | Holds::Signed | Holds::Flag | Holds::Map => continue,
            }
            if field.required {
                bad.extend(["".to_owned(), " \t\n ".to_owned()]);
            }
            for words in bad {
                let mut body = good.clone();
                body.insert(field.name.into(), words.clone().into());
                let reply = stage.send(operation, Some(&Value::Object(body))).await;
                findings.check(
                    operation,
                    format!("{} = {:.20}… ({} characters)", field.name, words.escape_unicode(), words.chars().count()),
                    &reply,
                );
                if reply.text.len() > 4000 {
                    findings.0.push(format!(
                        "{} answers {} with {} bytes",
                        operation.path,
                        field.name,
                        reply.text.len()
                    ));
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_absurd_query_is_refused_or_ignored_and_never_ours() {
    let world = World::open().await;
    let document = world.api.get("/api/openapi.json").await.ok();
    over_all(async |operation, stage, findings| {
        let described = &document["paths"][operation.path][operation.method.to_lowercase()]["parameters"];
        let queries = described.as_array().into_iter().flatten().filter(|one| one["in"] == "query");
        let path = stage.path.split('?').next().unwrap_or_default();
        for query in queries {
            let name = text(&query["name"]);
            let words = ["status", "game_type", "character_id"].contains(&name);
            let absurd = [
                "-1",
                "1e9",
                "99999999999999999999999",
                "x",
                "",
                "%00",
                "NaN",
                "1.5x",
                "0x10",
                "%F0%9F%9A%8B",
                "'%20or%201=1",
                "null",
                "[]",
            ];
            for value in absurd {
                let reply = stage.api.get(&format!("{path}?{name}={value}")).await;
                if words && reply.status == 200 {
                    continue;
                }
                findings.check(operation, format!("?{name}={value}"), &reply);
            }
            for spoiled in [format!("{name}=%FF"), format!("{name}=1&{name}=2"), format!("{name}=%ZZ")] {
                let reply = stage.api.get(&format!("{path}?{spoiled}")).await;
                if words && reply.status == 200 {
                    continue;
                }
                findings.check(operation, format!("?{spoiled}"), &reply);
            }
        }
        // An unknown parameter is ignored.
        if operation.method == "GET"
            && stage.query.is_empty()
            && !operation.path.contains("/stream")
            && !operation.path.starts_with("/ws")
        {
            let reply = stage.api.get(&format!("{path}?unheard=of&x[]=%FF")).await;
            if reply.status >= 500 || reply.status >= 400 && improper(&reply).is_some() {
                findings.0.push(format!("{} with an unknown query: {reply:?}", operation.path));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_credential_or_with_a_bad_one_an_account_is_out_of_reach() {
    over_all(async |operation, stage, findings| {
        if operation.who == Who::Nobody {
            return;
        }
        for bad in [
            "",
            "Bearer",
            "Bearer ",
            "Basic YTpi",
            "Bearer moot_key_0",
            "Bearer moot_session_0",
            "bearer\tmoot_key_",
            "moot_key_1",
        ] {
            let api = stage.nobody.with_header("authorization", bad);
            findings.check(
                operation,
                format!("Authorization: {bad:?}"),
                &api.call(operation.method, &stage.path, stage.body().map(|body| body.to_string().into_bytes())).await,
            );
        }
        let request = stage.nobody.request(operation.method.parse().expect("a method"), &stage.path);
        let opaque = reqwest::header::HeaderValue::from_bytes(b"Bearer \xff\xfe").expect("opaque bytes");
        let status = request.header("authorization", opaque).send().await.expect("it answers").status().as_u16();
        if status != 401 {
            findings.0.push(format!("{} with a credential that is no text: {status}", operation.path));
        }
        let body = stage.body().map(|body| body.to_string().into_bytes());
        let reply = stage.nobody.call(operation.method, &stage.path, body).await;
        findings.expect(401, operation, "no credential", &reply);
    })
    .await;
}

fn random_value(draw: &mut Draw, known: &[String], depth: usize) -> Value {
    match draw.below(if depth > 3 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(draw.odds(1, 2)),
        2 => json!(draw.bits() as i64),
        3 => json!(draw.bits() as f64 / 1e3),
        4 | 5 => json!(draw.pick(known)),
        6 => {
            let length = [0, 1, 5, 499, 500, 501, 3000][draw.below(7)];
            json!((0..length).filter_map(|_| char::from_u32(draw.below(0x11_0000) as u32)).collect::<String>())
        }
        7 => (0..draw.below(4)).map(|_| random_value(draw, known, depth + 1)).collect(),
        _ => Value::Object(
            (0..draw.below(4)).map(|_| (draw.pick(known).clone(), random_value(draw, known, depth + 1))).collect(),
        ),
    }
}

#[tokio::test]
async fn thousands_of_random_bodies_break_nothing() {
    let mut draw = chance("thousands_of_random_bodies_break_nothing");
    let world = World::open().await;
    let api = &world.api;
    let game = open_game(api, 5).await;
    let names = [
        "type",
        "agent_id",
        "text",
        "decision",
        "action",
        "round_id",
        "reason",
        "decisive_argument_id",
        "seats",
        "display_name",
        "token",
    ];
    let words = [
        "argument",
        "decision",
        "advance",
        "next_phase",
        "force_decision",
        "resolve_round",
        "save_majority",
        "save_minority",
        "words",
        "",
    ];
    let mut known: Vec<String> = names.iter().chain(&words).map(|word| (*word).to_owned()).collect();
    known.extend(game.agents.clone());
    let mut landed = 0;
    for number in 0..4000 {
        let state = game.state(api).await;
        if state["status"] == "game_completed" {
            break;
        }
        let round = state["current_round_id"].as_str().unwrap_or("none").to_owned();
        known.push(round.clone());
        let paths: [String; 6] = [
            "/action".into(),
            format!("/rounds/{round}/arguments"),
            format!("/rounds/{round}/decision"),
            "/advance".into(),
            "/fill".into(),
            "/agents/register".into(),
        ];
        let path = game.path(&paths[draw.below(paths.len())]);
        let body = if draw.odds(1, 10) {
            (0..draw.below(40)).map(|_| draw.bits() as u8).collect()
        } else {
            let mut fields = Map::new();
            for _ in 0..draw.below(6) {
                fields.insert(names[draw.below(names.len())].to_owned(), random_value(&mut draw, &known, 0));
            }
            let mut body = Value::Object(fields).to_string().into_bytes();
            if draw.odds(1, 8) {
                let place = draw.below(body.len());
                body[place] = draw.bits() as u8;
            }
            body
        };
        let reply = api.call("POST", &path, Some(body.clone())).await;
        let now = game.state(api).await;
        let what = || format!("{number}: POST {path} {:?}: {reply:?}", String::from_utf8_lossy(&body));
        if reply.status == 200 {
            assert!(now["version"].as_u64() > state["version"].as_u64(), "accepted without effect: {}", what());
            landed += 1;
        } else {
            assert!(improper(&reply).is_none(), "{}", what());
            assert_eq!(now, state, "refused with effect: {}", what());
        }
        known.truncate(names.len() + words.len() + game.agents.len());
    }
    println!("{landed} of them were accepted");
    world.verify().expect("what was stored is sound");
}

#[tokio::test]
async fn a_number_beyond_what_is_counted_is_refused() {
    let world = World::open().await;
    let game = crate::world::open_game(&world.api, 3).await;
    for path in ["/feed", "/transcript", "/events"] {
        for number in ["9223372036854775808", "18446744073709551615"] {
            world.api.get(&game.path(&format!("{path}?since={number}"))).await.no(400);
        }
    }
    let tail = &game.id[24..];
    let page = format!("/report?game_id={}&item_id=arg-18446744073709551615-{tail}", game.id);
    assert!(world.api.get(&page).await.status < 500);
}

#[tokio::test]
async fn a_connection_serves_on_after_a_body_that_nobody_needed() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let world = World::open().await;
    let game = crate::world::open_table(&world.api, 3).await;
    let mut stream = tokio::net::TcpStream::connect(world.address).await.expect("it listens");
    for path in [game.path("/start"), game.path("/start"), "/api/games/join".to_owned(), game.path("/start")] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("still open");
        // The body comes a moment later, as many clients send it.
        tokio::task::yield_now().await;
        stream.write_all(b"{}").await.expect("still open");
        let mut got = Vec::new();
        let whole = |got: &[u8]| {
            let text = String::from_utf8_lossy(got).into_owned();
            let (head, body) = text.split_once("\r\n\r\n")?;
            let length =
                head.to_lowercase().split("content-length: ").nth(1)?.split("\r\n").next()?.parse::<usize>().ok()?;
            (body.len() >= length).then_some(())
        };
        while whole(&got).is_none() {
            let mut piece = [0; 4096];
            let read = stream.read(&mut piece).await.expect("still open");
            assert!(read > 0, "{path}: the server hung up");
            got.extend_from_slice(&piece[..read]);
        }
    }
}
