//! A separate server for each test, a client that speaks JSON to it, and games played through that client.

pub use crate::process::{Program, moot};
use ::games::catalog::CATALOG;
use engine::chance::Draw;
use engine::game::Progress;
use engine::id::AccountId;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Turn};
use engine::time::Timestamp;
use moot::http::auth::{KEY_PREFIX, new_secret, secret_hash};
use moot::http::listen;
use moot::play::House;
use moot::play::live::Table;
use moot::play::records;
use moot::play::{Plan, change, found};
use moot::routes;
use moot::settings::Settings;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use store::Account;
use store::ApiKey;
use store::people::accounts::{Scope, add_api_key};
use store::verify::{Bad, Checked};
use store::{Db, Store};
use tokio::net::TcpListener;

/// Most requests that playing one game may take before a test gives up on it.
const MOVES_MAX: usize = 20_000;
/// What a member of long standing is at least.
const MONTH_MS: i64 = 31 * 24 * 60 * 60 * 1000;

/// A directory that is removed when the test ends.
pub struct TempDir(PathBuf);

impl TempDir {
    /// A new, empty one. A killed process leaves its directories behind, and a later process may get the same id.
    pub fn new() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("moot-it-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return TempDir(path),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("the temporary directory takes no directory: {error}"),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A random source whose seed is printed; `MOOT_TEST_SEED` repeats a run.
pub fn chance(test: &str) -> Draw {
    let given = std::env::var("MOOT_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set after 1970").as_nanos() as u64
    });
    println!("{test}: repeat with MOOT_TEST_SEED={seed}");
    Draw::from_number(seed)
}

/// A server in this process, on a port and in a directory of its own.
pub struct World {
    pub api: Api,
    pub house: House,
    pub dir: TempDir,
    pub address: SocketAddr,
}

impl World {
    /// With default settings, which allow open tables.
    pub async fn open() -> Self {
        Self::with(Settings::default()).await
    }

    pub async fn with(settings: Settings) -> Self {
        let dir = TempDir::new();
        let store = records::open(dir.path()).expect("a new database opens");
        Self::over(dir, store, settings).await
    }

    /// Under other terms of the economy.
    pub async fn under(terms: commons::ledger::terms::Terms) -> Self {
        let dir = TempDir::new();
        let store = records::open_under(dir.path(), terms).expect("a new database opens");
        Self::over(dir, store, Settings::default()).await
    }

    /// Where words are for sale as soon as they have moved somebody in a single trial: most tests play no more.
    pub async fn eager() -> Self {
        World::under(commons::ledger::terms::Terms { sold_after_trials: 1, ..Default::default() }).await
    }

    /// Serves this store, which may lie in another directory than `dir`.
    pub async fn over(dir: TempDir, store: Store, settings: Settings) -> Self {
        let house = House::new(store, settings, moot::minds::drive_on);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (app, host) = (routes::all(house.clone()), house.clone());
        tokio::spawn(async move { listen::serve(&host, listener, app, std::future::pending()).await });
        World { api: Api::at(address), house, dir, address }
    }

    /// A separate, read-only connection to the database file, for any SQL.
    pub fn database(&self) -> rusqlite::Connection {
        let only_read = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let file = self.dir.path().join("moot.db");
        rusqlite::Connection::open_with_flags(file, only_read).expect("the database can be read beside the server")
    }

    /// The database, as the program itself reads it beside a server.
    pub fn db(&self) -> Db {
        db(self.dir.path())
    }

    /// Whether everything that is stored is sound.
    pub fn verify(&self) -> Result<Checked, Bad> {
        verify(self.dir.path())
    }

    /// A hash of everything that is stored, table by table.
    pub fn digest(&self) -> Vec<(String, String)> {
        digest(&self.database())
    }

    /// Lets the server ask the store again about every credential: a test has changed what it says.
    pub fn forget_credentials(&self) {
        let db = self.database();
        let mut query = db.prepare("select id from accounts").expect("sound");
        let ids = query.query_map([], |row| row.get(0)).expect("sound");
        ids.for_each(|id| self.house.credentials.forget(AccountId(id.expect("an id"))));
    }

    /// A new account, signed in.
    pub async fn account(&self, name: &str) -> Api {
        account(&self.api, name).await
    }
}

/// The database in a directory, as the program itself reads it.
pub fn db(directory: &Path) -> Db {
    Store::open_to_read(directory).expect("the database can be read")
}

/// Turns a database back to schema 14, but for the definitions of indexes, which that schema's successor drops unread.
pub fn before_sales(db: &rusqlite::Connection) {
    let added = [
        ("arguments", "origin aired of_house put_up released"),
        ("argument_stats", "trials worked moved sold section"),
        ("defense_stats", "trials"),
        ("case_defenses", "low_e4 sold"),
        ("defense_corpus", "claim"),
        ("spoken", "by_house"),
        ("corpus_unlocks", "terms"),
        ("royalty_payouts", "terms"),
    ];
    let orders = ["effectiveness", "uses", "recency", "ia", "lands", "age"];
    let known: Vec<String> = ["market_by_", "market_at_"]
        .iter()
        .flat_map(|start| orders.map(|order| format!("{start}{order}")))
        .chain(["market_featured".to_owned(), "stats_by_case".to_owned()])
        .collect();
    let new = "market_by_rank market_at_rank archive_by_rank defenses_by_rank defense_by_stand defense_against \
        argument_events_by_hash argument_events_by_stat";
    let mut undo = String::from(
        "drop view checkpoint_ids; drop table opening_variants; drop table ima_excerpts; drop table japan_scripts;
         drop table issue_definitions; drop view unlocks_kept; drop table returned; drop table terms; drop table royalty_shares; drop table listing_days;",
    );
    for index in known.iter().map(String::as_str).chain(new.split_whitespace()) {
        undo.push_str(&format!("drop index {index};"));
    }
    for (table, columns) in added {
        for column in columns.split(' ') {
            undo.push_str(&format!("alter table {table} drop column {column};"));
        }
    }
    for index in known {
        undo.push_str(&format!("create index {index} on argument_stats (n);"));
    }
    undo.push_str("pragma user_version = 14");
    db.execute_batch(&undo).expect("it was there");
}

/// Turns a database back to schema 12. Each of its games must be at an event that has a snapshot.
pub fn before_trust(db: &rusqlite::Connection) {
    before_sales(db);
    let undo =
        "drop table meetings; drop table welcomed; alter table game_state add column body blob not null default x'';
        update game_state set body = (select body from snapshots where snapshots.game = game_state.game);
        drop table snapshots; drop index awards_by_hour; alter table awards drop column hour;
        pragma user_version = 12";
    db.execute_batch(undo).expect("it was there");
}

/// Whether everything that is stored in a directory is sound.
pub fn verify(directory: &Path) -> Result<Checked, Bad> {
    records::verify(&db(directory), CATALOG, None, |_| {})
}

/// A hash of everything in each table; two equal digests mean that nothing was changed in between.
pub fn digest(db: &rusqlite::Connection) -> Vec<(String, String)> {
    tables(db)
        .into_iter()
        .map(|name| {
            let mut hasher = blake3::Hasher::new();
            let mut query = db.prepare(&format!("select * from {name}")).expect("a table can be read");
            let columns = query.column_count();
            let mut rows = query.query([]).expect("a table can be read");
            while let Some(row) = rows.next().expect("a row can be read") {
                for column in 0..columns {
                    let value = row.get_ref(column).expect("the column is there");
                    hasher.update(format!("{value:?};").as_bytes());
                }
            }
            (name, hasher.finalize().to_string())
        })
        .collect()
}

/// The names of all tables.
pub fn tables(db: &rusqlite::Connection) -> Vec<String> {
    let sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name";
    let mut query = db.prepare(sql).expect("every database has a schema");
    let names = query.query_map([], |row| row.get(0)).expect("it can be read");
    names.map(|name| name.expect("a name")).collect()
}

/// A new account and a client that carries its session.
pub async fn account(api: &Api, name: &str) -> Api {
    let email = format!("{name}@example.org");
    let password = format!("{name} has a long password");
    let body = json!({"email": email, "username": name, "password": password});
    api.post("/api/auth/register", &body).await.ok();
    let session = api.post("/api/auth/login", &json!({"email": email, "password": password})).await.ok();
    api.with(session["access_token"].as_str().expect("a session has a token"))
}

/// A new account with an API key, put into the store directly: signing up is slow on purpose.
pub async fn member(world: &World, name: &str) -> (Api, AccountId) {
    member_since(world, name, Timestamp(world.house.now().0 - MONTH_MS)).await
}

/// The same, made at this moment.
pub async fn member_since(world: &World, name: &str, created_at: Timestamp) -> (Api, AccountId) {
    let id = AccountId(uuid::Uuid::now_v7());
    let account = Account {
        id,
        email: format!("{name}@example.org"),
        username: name.to_owned(),
        password: String::new(),
        is_admin: false,
        created_at,
    };
    let secret = new_secret(KEY_PREFIX).expect("there is chance");
    let hash = secret_hash(&secret);
    let key = ApiKey {
        id: uuid::Uuid::now_v7(),
        label: "key".into(),
        hint: String::new(),
        created_at: world.house.now(),
        scope: Scope::Play,
        trusted: false,
    };
    let stored = world.house.store.write(move |db| {
        account.insert(db)?;
        add_api_key(db, &key, id, &hash)
    });
    stored.await.expect("it is stored");
    (world.api.with(&secret), id)
}

/// The account of this client, signed in.
pub async fn session(world: &World, api: &Api) -> Api {
    let me = api.get("/api/auth/me").await.ok();
    let id = AccountId(me["id"].as_str().expect("an id").parse().expect("a UUID"));
    let secret = moot::api::accounts::open_session(&world.house, id).await.expect("it opens");
    world.api.with(&secret)
}

/// `count` new accounts with API keys.
pub async fn members(world: &World, count: usize) -> Vec<Api> {
    let mut members = Vec::new();
    for number in 0..count {
        members.push(member(world, &format!("member-{number}")).await.0);
    }
    members
}

/// A client with or without a credential.
#[derive(Clone)]
pub struct Api {
    base: String,
    http: Client,
    headers: HeaderMap,
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Api {
    /// A client without a credential.
    pub fn at(address: SocketAddr) -> Self {
        // `House::new` does this too, but a test may run without a house in this process.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder().build().expect("a client without TLS can always be built");
        Api { base: format!("http://{address}"), http, headers: HeaderMap::new() }
    }

    /// The same client, speaking to another server.
    pub fn at_address(&self, address: SocketAddr) -> Self {
        Api { base: format!("http://{address}"), ..self.clone() }
    }

    /// The server's address, without a slash at the end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The same client with this credential.
    pub fn with(&self, credential: &str) -> Self {
        self.with_header("authorization", &format!("Bearer {credential}"))
    }

    /// The value of the header that carries its credential.
    pub fn credential(&self) -> &str {
        self.headers["authorization"].to_str().expect("ASCII")
    }

    /// The credential itself, to be used at another server.
    pub fn secret(&self) -> &str {
        self.credential().trim_start_matches("Bearer ")
    }

    /// The same client with another header in every request.
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        let name = HeaderName::try_from(name).expect("a header name");
        other.headers.insert(name, HeaderValue::from_str(value).expect("a header value"));
        other
    }

    /// The same client, asking under this idempotency key.
    pub fn once(&self, key: &str) -> Self {
        self.with_header("idempotency-key", key)
    }

    /// A request that is not sent yet.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base)).headers(self.headers.clone())
    }

    /// Sends any request.
    pub async fn send(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Result<Reply, reqwest::Error> {
        let mut request = self.request(method.parse().expect("a method"), path);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Reply { status, headers, text: response.text().await? })
    }

    /// Sends any request that must be answered.
    pub async fn call(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Reply {
        self.send(method, path, body).await.unwrap_or_else(|error| panic!("{method} {path}: {error:?}"))
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, Some(body.to_string().into_bytes())).await
    }

    pub async fn post_nothing(&self, path: &str) -> Reply {
        self.call("POST", path, None).await
    }

    pub async fn delete(&self, path: &str, body: &Value) -> Reply {
        self.call("DELETE", path, Some(body.to_string().into_bytes())).await
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {:?}", self.text))
    }

    /// The body of an answer that must be a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The body of an answer that must be a problem document with this status.
    #[track_caller]
    pub fn no(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        let kind = self.header("content-type");
        assert_eq!(kind, "application/problem+json", "{} {}", self.status, self.text);
        let problem = self.json();
        assert_eq!(problem["status"], status, "{problem}");
        for field in ["type", "title", "detail", "error"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "no {field} in {problem}");
        }
        problem
    }

    /// The same, with this `detail`.
    #[track_caller]
    pub fn says(&self, status: u16, detail: &str) -> Value {
        let problem = self.no(status);
        assert_eq!(problem["detail"], detail, "{problem}");
        problem
    }

    /// A header, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A game and the ids of its seats in the order they were taken.
#[derive(Clone, Debug)]
pub struct Game {
    pub id: String,
    pub agents: Vec<String>,
}

impl Game {
    pub fn path(&self, rest: &str) -> String {
        format!("/api/games/{}{rest}", self.id)
    }

    /// The path to post an argument to in this state.
    pub fn arguments(&self, state: &Value) -> String {
        self.path(&format!("/rounds/{}/arguments", text(&state["current_round_id"])))
    }

    /// The path to post a decision to in this state.
    pub fn decision(&self, state: &Value) -> String {
        self.path(&format!("/rounds/{}/decision", text(&state["current_round_id"])))
    }

    pub async fn state(&self, api: &Api) -> Value {
        api.get(&self.path("/state")).await.ok()
    }

    /// What an agent may do now.
    pub async fn open_actions(&self, api: &Api, agent: &str) -> Value {
        api.get(&self.path(&format!("/open-actions?agent_id={agent}"))).await.ok()
    }
}

/// A string in JSON.
#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a string was expected, not {value}"))
}

/// A table made with these options.
pub async fn create(api: &Api, options: &Value) -> Game {
    let made = api.post("/api/games", options).await.ok();
    Game { id: text(&made["game_id"]).to_owned(), agents: vec![] }
}

/// Takes a seat and returns its agent id.
pub async fn sit(api: &Api, game: &mut Game, name: &str, token: Option<&str>) -> String {
    let body = json!({"display_name": name, "token": token});
    let seated = api.post(&game.path("/agents/register"), &body).await.ok();
    let agent = text(&seated["agent_id"]).to_owned();
    game.agents.push(agent.clone());
    agent
}

/// An open table with this many seats taken, not started.
pub async fn open_table(api: &Api, seats: usize) -> Game {
    // It waits at the end of a round, so that tests may look at it for as long as they like.
    let mut game = create(api, &json!({"min_players": seats, "auto_advance_s": null})).await;
    for number in 0..seats {
        sit(api, &mut game, &format!("Agent {number}"), None).await;
    }
    game
}

/// The same, started.
pub async fn open_game(api: &Api, seats: usize) -> Game {
    let game = open_table(api, seats).await;
    api.post_nothing(&game.path("/start")).await.ok();
    game
}

/// The agents of a state that stand on a track and have not argued.
pub fn silent(state: &Value) -> Vec<String> {
    let side = |name: &str| state[name].as_array().expect("a list of agents").clone();
    let both = [side("majority_agents"), side("minority_agents")].concat();
    let silent = both.iter().filter(|agent| agent["argued_this_phase"] == false);
    silent.map(|agent| text(&agent["id"]).to_owned()).collect()
}

pub fn operator(state: &Value) -> String {
    text(&state["operator"]["id"]).to_owned()
}

/// Lets every agent that has not argued in this phase argue, and returns the new state.
pub async fn argue_all(api: &Api, game: &Game) -> Value {
    let state = game.state(api).await;
    for agent in silent(&state) {
        let body = json!({"agent_id": agent, "text": format!("{agent} at {}", state["version"])});
        api.post(&game.arguments(&state), &body).await.ok();
    }
    game.state(api).await
}

/// Plays a round up to the operator's decision.
pub async fn debate(api: &Api, game: &Game) -> Value {
    loop {
        let state = game.state(api).await;
        if state["status"] == "awaiting_operator_decision" {
            return state;
        }
        argue_all(api, game).await;
    }
}

pub async fn decide(api: &Api, game: &Game, decision: &str) -> Value {
    let state = game.state(api).await;
    let body = json!({"agent_id": operator(&state), "decision": decision});
    api.post(&game.decision(&state), &body).await.ok();
    game.state(api).await
}

/// Plays an open game to its end as agents do: asks what may be done, and does it. Calls `seen` with every state.
pub async fn play(api: &Api, game: &Game, mut seen: impl FnMut(&Value)) -> Value {
    for _ in 0..MOVES_MAX {
        let state = game.state(api).await;
        seen(&state);
        match text(&state["status"]) {
            "game_completed" => return state,
            "round_resolved" => {
                api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
                continue;
            }
            _ => {}
        }
        for agent in &game.agents {
            let open = game.open_actions(api, agent).await;
            if open["can_act"] == false {
                continue;
            }
            match text(&open["allowed_action"]) {
                "argument" => {
                    let said = format!("{agent} speaks in {} at {}", open["current_phase"], open["version"]);
                    api.post(&game.arguments(&state), &json!({"agent_id": agent, "text": said})).await.ok();
                }
                "decision" => {
                    let few = state["version"].as_u64().expect("a number") % 2 == 0;
                    let decision = if few { "save_minority" } else { "save_majority" };
                    let body = json!({"agent_id": agent, "decision": decision, "reason": "as it seemed best"});
                    api.post(&game.decision(&state), &body).await.ok();
                }
                other => panic!("nothing else may be done in this kind: {other}"),
            }
            // The rest of the loop would ask about a state that has moved on.
            break;
        }
    }
    panic!("{} was not over after {MOVES_MAX} moves", game.id)
}

/// A table of this kind, founded without the API with these seats, rated or not, and played to its end with the example bodies that the
/// game itself offers.
pub async fn finished_table(house: &House, kind: &str, rated: bool, seats: &[Holder]) -> Arc<Table> {
    let kind = ::games::catalog::by_name(kind).expect("it is there");
    let sit = |(number, holder): (usize, &Holder)| match holder {
        Holder::House => TableCommand::Fill { names: vec![format!("House {number}").into()] },
        _ => TableCommand::Sit { name: format!("Seat {number}").into(), holder: *holder },
    };
    let terms = Terms { rated, ..Terms::default() };
    let then = seats.iter().enumerate().map(sit).collect();
    let table = found(house, Plan { kind, options: &json!({}), terms, seed: None, opened_from: None, then })
        .await
        .expect("it is founded");
    if table.shown().game.progress() == Progress::Table {
        let start = change(house, &table, None, |game, now| Ok((game.table(TableCommand::Start, now)?, ())));
        start.await.expect("there are enough");
    }
    play_out(house, &table).await;
    table
}

/// Plays a table that has begun to its end.
pub async fn play_out(house: &House, table: &Arc<Table>) {
    let mut versions = table.watch();
    for _ in 0..MOVES_MAX {
        let shown = versions.borrow_and_update().clone();
        if shown.game.progress() == Progress::Over {
            return;
        }
        let roster = shown.game.roster();
        let own = |turn: &Turn| !matches!(turn.who, Actor::Seat(seat) if roster.is_house(seat));
        let Some(turn) = shown.game.turns().into_iter().find(own) else {
            // House minds move by themselves.
            versions.changed().await.expect("the table is there");
            continue;
        };
        // A house mind may have been quicker; then the next pass finds the next turn.
        let body = turn.offers[0].example(0);
        let _ = change(house, table, None, |game, now| Ok((game.act(turn.who, &body, now)?, ()))).await;
    }
    panic!("{} was not over after {MOVES_MAX} moves", table.id)
}
