//! A stand-in for providers of language models: speaks both wire formats over HTTP, streams, and misbehaves on demand.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures_util::stream::{self, StreamExt as _};
use moot::settings::minds::{Choice, Endpoint, MindSettings, Model, Provider, Secret};
use serde_json::{Value, json};
use std::collections::{HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A key that must never turn up anywhere.
pub const KEY: &str = "sk-canary-7d1f-never-to-be-seen";
pub const MODEL: &str = "stand-in-1";

/// What the stand-in does with a request.
#[derive(Clone, Debug)]
pub enum Deed {
    /// A sound answer, in pieces.
    Play,
    /// The same, with this pause between two pieces.
    Slow(Duration),
    /// Half an answer, then the connection breaks.
    Cut,
    /// Nearly the whole answer with this pause between two pieces, then the connection breaks.
    SlowCut(Duration),
    /// Half an answer, then nothing more.
    Stall,
    /// An answer without any text.
    Empty,
    /// A stream whose events are not JSON.
    BadStream,
    /// A sound answer that does not report its token usage.
    Mute,
    /// A sound stream with these words.
    Say(String),
    /// A sound answer in the manner of one of the servers that speak these formats.
    As(Server),
    /// This status instead of a stream, with this `Retry-After`.
    Status(u16, Option<&'static str>),
}

/// The ways in which servers differ from what the formats' documents say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Server {
    /// The answer comes in one piece, as JSON.
    InOnePiece,
    /// The stream ends after the last word, without a mark that it is over.
    EndsWithoutMark,
    /// The bill comes with the last word: in the delta, or among the provider's own fields.
    BillsAtTheEnd,
    /// A bill comes with every piece, each larger than the last.
    BillsEachPiece,
    /// The model thinks aloud before it answers.
    ThinksAloud,
    /// A stream that is called JSON.
    MisnamesTheStream,
    /// After the last word nothing comes, no bill either, and the connection stays open.
    StaysOpen,
}

impl Server {
    pub const ALL: [Server; 7] = [
        Server::InOnePiece,
        Server::EndsWithoutMark,
        Server::BillsAtTheEnd,
        Server::BillsEachPiece,
        Server::ThinksAloud,
        Server::MisnamesTheStream,
        Server::StaysOpen,
    ];

    /// What each of its answers takes, in tokens: read, read from the cache, written.
    pub const BILL: [u32; 3] = [1_000, 200, 40];

    fn bill(provider: Provider) -> Value {
        let [read, cached, written] = Server::BILL;
        match provider {
            Provider::Anthropic => {
                json!({"input_tokens": read, "cache_read_input_tokens": cached, "output_tokens": written})
            }
            Provider::OpenAi => json!({
                "prompt_tokens": read + cached, "completion_tokens": written, "prompt_tokens_details": {"cached_tokens": cached},
            }),
        }
    }

    fn answer(self, provider: Provider, whole: &str) -> Response {
        let bill = Server::bill(provider);
        let whole = match self {
            Server::ThinksAloud => format!("<think>Shall I say {{\"type\": \"pass\"}}? No.</think>\n{whole}"),
            _ => whole.to_owned(),
        };
        if self == Server::InOnePiece {
            let answer = match provider {
                Provider::Anthropic => json!({
                    "type": "message", "content": [{"type": "text", "text": whole}], "stop_reason": "end_turn", "usage": bill,
                }),
                Provider::OpenAi => json!({
                    "choices": [{"message": {"role": "assistant", "content": whole}, "finish_reason": "stop"}], "usage": bill,
                }),
            };
            return axum::Json(answer).into_response();
        }
        let (early, late) = match self {
            Server::BillsAtTheEnd | Server::BillsEachPiece => (false, true),
            Server::StaysOpen => (false, false),
            _ => (true, false),
        };
        let mut events = vec![];
        if provider == Provider::Anthropic {
            let usage = if early { bill.clone() } else { json!({"input_tokens": 0, "output_tokens": 0}) };
            events.push(event(provider, &json!({"type": "message_start", "message": {"usage": usage}})));
        }
        let letters: Vec<char> = whole.chars().collect();
        for (number, piece) in letters.chunks(40).enumerate() {
            let text: String = piece.iter().collect();
            let mut told = match provider {
                Provider::Anthropic => {
                    json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
                }
                Provider::OpenAi => json!({"choices": [{"delta": {"content": text}, "finish_reason": null}]}),
            };
            if self == Server::BillsEachPiece && provider == Provider::OpenAi {
                told["usage"] =
                    json!({"prompt_tokens": Server::BILL[0] + Server::BILL[1], "completion_tokens": number});
            }
            events.push(event(provider, &told));
        }
        let mut last = match provider {
            Provider::Anthropic => json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
            Provider::OpenAi => json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
        };
        match (self, provider) {
            (Server::BillsAtTheEnd, Provider::OpenAi) => last["x_groq"] = json!({"usage": bill}),
            (_, Provider::OpenAi) if late || early => last["usage"] = bill,
            (_, Provider::Anthropic) if late => last["usage"] = bill,
            _ => {}
        }
        events.push(event(provider, &last));
        let ends = !matches!(self, Server::EndsWithoutMark | Server::StaysOpen);
        if ends {
            events.push(match provider {
                Provider::Anthropic => event(provider, &json!({"type": "message_stop"})),
                Provider::OpenAi => "data: [DONE]\n\n".to_owned(),
            });
        }
        let events = stream::iter(events).map(Ok::<_, std::io::Error>);
        let body = match self {
            Server::StaysOpen => Body::from_stream(events.chain(stream::pending())),
            _ => Body::from_stream(events),
        };
        let kind = if self == Server::MisnamesTheStream { "application/json" } else { "text/event-stream" };
        ([("content-type", kind)], body).into_response()
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub provider: Provider,
    pub bytes: Bytes,
    pub at: std::time::Instant,
    pub cached: bool,
}

impl Asked {
    /// All its words, in the order in which the model reads them.
    pub fn words(&self) -> String {
        fn gather(value: &Value, all: &mut String) {
            match value {
                Value::String(text) => all.push_str(text),
                Value::Array(several) => several.iter().for_each(|one| gather(one, all)),
                Value::Object(fields) => {
                    ["text", "content"].iter().filter_map(|name| fields.get(*name)).for_each(|one| gather(one, all))
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        let body = self.body();
        let mut all = String::new();
        gather(&body["system"], &mut all);
        gather(&body["messages"], &mut all);
        all
    }

    pub fn body(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("requests are JSON")
    }

    /// The rules, the brief and the part that changes.
    pub fn parts(&self) -> (String, String, String) {
        let body = self.body();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        match self.provider {
            Provider::Anthropic => {
                let first = body["messages"][0]["content"].as_array().expect("a list");
                let (turn, before) = first.split_last().expect("the turn");
                let brief = before.first().map_or(String::new(), |brief| text(&brief["text"]));
                (text(&body["system"][0]["text"]), brief, text(&turn["text"]))
            }
            Provider::OpenAi => {
                let first = text(&body["messages"][1]["content"]);
                let at = first.find("You are <data name=\"name\">").expect("the turn names the seat");
                (text(&body["messages"][0]["content"]), first[..at].to_owned(), first[at..].to_owned())
            }
        }
    }
}

#[derive(Default)]
struct Inside {
    deeds: VecDeque<Deed>,
    always: Option<Deed>,
    asked: Vec<Asked>,
    prefixes: HashSet<String>,
}

#[derive(Clone)]
pub struct StandIn {
    pub address: SocketAddr,
    inside: Arc<Mutex<Inside>>,
    count: watch::Sender<usize>,
}

impl StandIn {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let stand_in = StandIn { address, inside: Arc::default(), count: watch::Sender::new(0) };
        let app = Router::new()
            .route("/v1/messages", post(messages))
            .route("/v1/chat/completions", post(completions))
            .with_state(stand_in.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        stand_in
    }

    /// What it does next, once each; after that it does what `always` says, or plays.
    pub fn next(&self, deeds: impl IntoIterator<Item = Deed>) -> &Self {
        self.inside.lock().expect("no holder panics").deeds.extend(deeds);
        self
    }

    /// What it does from now on.
    pub fn always(&self, deed: Deed) -> &Self {
        self.inside.lock().expect("no holder panics").always = Some(deed);
        self
    }

    /// Forgets everything it was asked so far.
    pub fn forget(&self) {
        self.inside.lock().expect("no holder panics").asked.clear();
    }

    /// Everything it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.inside.lock().expect("no holder panics").asked.clone()
    }

    /// Waits until it was asked this many times.
    pub async fn asked_times(&self, times: usize) {
        let mut count = self.count.subscribe();
        let waited = tokio::time::timeout(Duration::from_secs(30), count.wait_for(|count| *count >= times)).await;
        assert!(waited.is_ok(), "it was asked {} times, not {times}", self.asked().len());
    }

    /// Settings under which the stand-in plays every AI seat.
    pub fn settings(&self, provider: Provider) -> MindSettings {
        let endpoint = |path: &str| {
            Some(Endpoint { base_url: format!("http://{}{path}", self.address), key: Some(Secret::new(KEY.into())) })
        };
        MindSettings {
            preferred: Choice::Model(Model { provider, name: MODEL.into() }),
            anthropic: endpoint(""),
            openai: endpoint("/v1"),
            prices: vec![format!("{MODEL}=3,0.3,15").parse().expect("a price")],
            limit_game: store::games::mind_calls::Micros(1_000_000_000),
            limit_day: store::games::mind_calls::Micros(1_000_000_000),
            limit_account: store::games::mind_calls::Micros(1_000_000_000),
            limit_address: store::games::mind_calls::Micros(1_000_000_000),
            guests: true,
            timeout: Duration::from_secs(20),
            silence: Duration::from_secs(10),
            retry: Duration::from_millis(5),
            ..MindSettings::default()
        }
    }

    fn take(&self, provider: Provider, bytes: Bytes) -> (Deed, Asked, usize) {
        let mut inside = self.inside.lock().expect("no holder panics");
        let mut asked = Asked { provider, bytes, at: std::time::Instant::now(), cached: false };
        let (rules, brief, _) = asked.parts();
        asked.cached = !inside.prefixes.insert(format!("{rules}\u{0}{brief}"));
        inside.asked.push(asked.clone());
        let number = inside.asked.len();
        let always = inside.always.clone().unwrap_or(Deed::Play);
        let deed = inside.deeds.pop_front().unwrap_or(always);
        drop(inside);
        self.count.send_replace(number);
        (deed, asked, number)
    }
}

async fn messages(State(stand_in): State<StandIn>, headers: HeaderMap, bytes: Bytes) -> Response {
    if headers.get("x-api-key").is_none_or(|key| key != KEY) || headers.get("anthropic-version").is_none() {
        return (StatusCode::UNAUTHORIZED, "who are you?").into_response();
    }
    let (deed, asked, number) = stand_in.take(Provider::Anthropic, bytes);
    answer(deed, &asked, number)
}

async fn completions(State(stand_in): State<StandIn>, headers: HeaderMap, bytes: Bytes) -> Response {
    if headers.get("authorization").is_none_or(|key| key != &format!("Bearer {KEY}")) {
        return (StatusCode::UNAUTHORIZED, "who are you?").into_response();
    }
    let (deed, asked, number) = stand_in.take(Provider::OpenAi, bytes);
    answer(deed, &asked, number)
}

fn answer(deed: Deed, asked: &Asked, number: usize) -> Response {
    let whole = match &deed {
        Deed::Say(words) => words.clone(),
        Deed::Empty => String::new(),
        _ => sound_answer(asked, number),
    };
    if let Deed::As(server) = deed {
        return server.answer(asked.provider, &whole);
    }
    let mut events = start(asked);
    let letters: Vec<char> = whole.chars().collect();
    for piece in letters.chunks(9) {
        events.push(piece_event(asked.provider, &piece.iter().collect::<String>()));
    }
    let words_end = events.len();
    if matches!(deed, Deed::Mute) {
        events.retain(|event| !event.contains("usage"));
    }
    let last = end(asked, whole.len());
    events.extend(last.into_iter().filter(|event| !matches!(deed, Deed::Mute) || !event.contains("usage")));
    let quick = |events: Vec<String>| stream::iter(events).map(Ok::<_, std::io::Error>);
    let body = match deed {
        Deed::Status(status, retry_after) => {
            let status = StatusCode::from_u16(status).expect("a status");
            let said =
                json!({"type": "error", "error": {"type": "busy", "message": format!("your key {KEY} is tired")}});
            let mut response = (status, axum::Json(said)).into_response();
            if let Some(after) = retry_after {
                response.headers_mut().insert("retry-after", after.parse().expect("a header"));
            }
            return response;
        }
        Deed::As(_) => unreachable!("it was answered"),
        Deed::Play | Deed::Mute | Deed::Say(_) | Deed::Empty => Body::from_stream(quick(events)),
        Deed::BadStream => Body::from_stream(quick(vec!["data: {\"type\": \n\n".into()])),
        Deed::Slow(pause) => Body::from_stream(paced(events, pause)),
        Deed::SlowCut(pause) => {
            events.truncate(words_end - 2);
            let broken = stream::once(async { Err(std::io::Error::other("cut")) });
            Body::from_stream(paced(events, pause).chain(broken))
        }
        Deed::Cut => {
            events.truncate(words_end.div_ceil(2));
            let broken = stream::once(async { Err(std::io::Error::other("cut")) });
            Body::from_stream(quick(events).chain(broken))
        }
        Deed::Stall => {
            events.truncate(words_end.div_ceil(2));
            Body::from_stream(quick(events).chain(stream::pending()))
        }
    };
    ([("content-type", "text/event-stream")], body).into_response()
}

/// One event after another, at this pace.
fn paced(events: Vec<String>, pause: Duration) -> impl futures_util::Stream<Item = Result<String, std::io::Error>> {
    stream::unfold((events.into_iter(), tokio::time::interval(pause)), |(mut events, mut pace)| async move {
        pace.tick().await;
        Some((Ok(events.next()?), (events, pace)))
    })
}

fn event(provider: Provider, data: &Value) -> String {
    match provider {
        Provider::Anthropic => format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default()),
        Provider::OpenAi => format!("data: {data}\n\n"),
    }
}

fn start(asked: &Asked) -> Vec<String> {
    match asked.provider {
        Provider::Anthropic => {
            let (rules, brief, turn) = asked.parts();
            let prefix = (rules.len() + brief.len()) / 4;
            let (read, stored) = if asked.cached { (prefix, 0) } else { (0, prefix) };
            let usage = json!({
                "input_tokens": turn.len() / 4, "cache_read_input_tokens": read, "cache_creation_input_tokens": stored,
            });
            let start = json!({"type": "message_start", "message": {"usage": usage}});
            let ping = json!({"type": "ping"});
            vec![event(asked.provider, &start), event(asked.provider, &ping)]
        }
        Provider::OpenAi => vec![event(asked.provider, &json!({"choices": [{"delta": {"role": "assistant"}}]}))],
    }
}

fn piece_event(provider: Provider, text: &str) -> String {
    let piece = match provider {
        Provider::Anthropic => {
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
        }
        Provider::OpenAi => json!({"choices": [{"delta": {"content": text}, "finish_reason": null}]}),
    };
    event(provider, &piece)
}

fn end(asked: &Asked, bytes: usize) -> Vec<String> {
    match asked.provider {
        Provider::Anthropic => {
            let usage = json!({"output_tokens": bytes / 4});
            let done = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage});
            vec![event(asked.provider, &done), event(asked.provider, &json!({"type": "message_stop"}))]
        }
        Provider::OpenAi => {
            let cached = if asked.cached { 700 } else { 0 };
            let usage = json!({
                "prompt_tokens": asked.bytes.len() / 4 + 700, "completion_tokens": bytes / 4,
                "prompt_tokens_details": {"cached_tokens": cached},
            });
            vec![
                event(asked.provider, &json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})),
                event(asked.provider, &json!({"choices": [], "usage": usage})),
                "data: [DONE]\n\n".to_owned(),
            ]
        }
    }
}

/// The content of the last `<data>` element with this name in a prompt. The last one is the house's; a player may forge earlier ones.
pub fn data(turn: &str, name: &str) -> Value {
    let open = format!("<data name=\"{name}\">");
    let inside = turn.rsplit_once(&open).expect("the prompt has it").1;
    serde_json::from_str(inside.split_once("</data>").expect("it is closed").0.trim()).expect("data is JSON")
}

/// An answer that the turn allows, in words that were not used before.
fn sound_answer(asked: &Asked, number: usize) -> String {
    let (rules, _, turn) = asked.parts();
    let offers = data(&turn, "turn");
    let offer = &offers[0];
    let mut act = json!({"type": offer["type"]});
    for field in offer["fields"].as_array().into_iter().flatten().filter(|field| field["optional"] != true) {
        let name = field["name"].as_str().expect("fields have names");
        act[name] = match (&field["one_of"], &field["text_of_characters"]) {
            (Value::Array(words), _) => words[number % words.len()].clone(),
            _ if field["whole_number"].is_array() => {
                let [least, most] = [0, 1].map(|end| field["whole_number"][end].as_i64().expect("a limit"));
                (least + number as i64 % (most - least + 1)).into()
            }
            (_, Value::Array(limits)) => {
                let most = limits[1].as_u64().expect("a limit") as usize;
                words(number, rules.contains("Korean")).chars().take(most).collect::<String>().into()
            }
            _ => panic!("what is {field}?"),
        };
    }
    act.to_string()
}

/// A sentence that shares little with that of any other number.
fn words(number: usize, korean: bool) -> String {
    const ENGLISH: [&str; 16] = [
        "river", "evidence", "witness", "morning", "ledger", "promise", "harbour", "silence", "machine", "orchard",
        "lantern", "treaty", "shadow", "bridge", "winter", "candle",
    ];
    const KOREAN: [&str; 16] = [
        "강물은",
        "증거는",
        "증인은",
        "아침은",
        "장부는",
        "약속은",
        "항구는",
        "침묵은",
        "기계는",
        "과수원은",
        "등불은",
        "조약은",
        "그림자는",
        "다리는",
        "겨울은",
        "촛불은",
    ];
    let list = if korean { KOREAN } else { ENGLISH };
    let pick = |step: usize| list[(number / 16_usize.pow(step as u32 % 3) + step * number + step) % 16];
    let picked: Vec<&str> = (0..7).map(pick).collect();
    if korean {
        format!("{}번째로 말하건대 {} 남습니다.", number, picked.join(" "))
    } else {
        format!("Point {number}: {} remain.", picked.join(" and "))
    }
}
