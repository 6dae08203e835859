//! Games in memory: each has a turnstile for changes, and a version that it shows to its readers.

use super::{House, needs, records};
use crate::problem::{Answer, Problem};
use axum::extract::ws::Utf8Bytes;
use axum::http::HeaderValue;
use bytes::Bytes;
use engine::chain::Hash;
use engine::erased::AnyGame;
use engine::game::Logged;
use engine::id::{GameId, Inner, Seat, Seq};
use engine::needs::Supply;
use engine::parts::transcript::{Entry, SeenBy};
use engine::roster::Lang;
use engine::rules::{Mark, Viewer};
use engine::time::Timestamp;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as StdMutex, OnceLock};
use std::time::{Duration, Instant};
use store::games::transcript;
use store::{GameNo, GameStored, Row, StoreError};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, watch};

/// How many recent rows a watched game keeps at hand; older ones are read from the store.
const RECENT_MAX: usize = 64;
/// How many entries of the transcript are looked at to render a view or to let a mind speak.
pub const HEARD_MAX: usize = 240;
/// How long a game nobody looks at stays in memory.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// One game in memory.
pub struct Table {
    pub id: GameId,
    /// Its number in the store.
    pub no: GameNo,
    /// The network it was opened from, while it stays in memory; never stored.
    pub opened_from: Option<IpAddr>,
    turnstile: Arc<Mutex<()>>,
    shown: watch::Sender<Arc<Shown>>,
    seen_at: StdMutex<Instant>,
    /// Rings when something changed, for the task that drives its minds and clock.
    pub moved: Notify,
    driven: AtomicBool,
    typing: StdMutex<(u64, Option<Arc<Typing>>)>,
    /// Set once it was let go, while other tasks may still hold it.
    gone: AtomicBool,
}

/// What a mind is writing just now. It is in no log, and gone when the mind stops.
#[derive(Clone, PartialEq, Debug)]
pub struct Typing {
    pub seat: Seat,
    pub heard_by: SeenBy,
    /// The words so far.
    pub text: String,
}

/// A game at one version. Never changes; the next version is another `Shown`.
pub struct Shown {
    pub game: Arc<dyn AnyGame>,
    /// When this process first saw it, on the clock that cannot be set: waits are counted from here.
    pub since: Instant,
    /// Its last rows; none unless it is watched.
    recent: Vec<Arc<Recent>>,
    spectator: OnceLock<Rendered>,
    fragments: [OnceLock<(String, Bytes)>; 2],
}

impl Shown {
    fn new(game: Arc<dyn AnyGame>, since: Instant, recent: Vec<Arc<Recent>>) -> Arc<Self> {
        Arc::new(Shown { game, since, recent, spectator: OnceLock::new(), fragments: Default::default() })
    }

    /// The rows after `seq`, if all of them are at hand.
    pub fn recent_after(&self, seq: Seq) -> Option<&[Arc<Recent>]> {
        let first = self.recent.iter().position(|row| row.mark.seq == seq.next())?;
        Some(&self.recent[first..])
    }

    /// The spectators' page fragment of this version, if it was made for this address of the house.
    pub fn fragment(&self, lang: Lang, base_url: &str) -> Option<Bytes> {
        self.fragments[lang as usize].get().filter(|(made_for, _)| made_for == base_url).map(|(_, html)| html.clone())
    }

    /// Keeps it for the next spectator, with the address in its links: requests may reach the house by different ones.
    pub fn keep_fragment(&self, lang: Lang, base_url: &str, html: Bytes) {
        let _ = self.fragments[lang as usize].set((base_url.to_owned(), html));
    }
}

#[derive(Clone)]
pub struct Rendered {
    pub bytes: Bytes,
    /// A hash of the bytes.
    pub etag: HeaderValue,
}

impl Rendered {
    pub fn of(bytes: Vec<u8>) -> Self {
        let tag = format!("\"{}\"", &Hash::of(&bytes).to_string()[..24]);
        Rendered { bytes: bytes.into(), etag: HeaderValue::try_from(tag).expect("hex digits in quotes") }
    }
}

/// A row of the log with the message that spectators get about it, made once for all of them.
pub struct Recent {
    pub mark: Mark,
    body: Bytes,
    spectator: OnceLock<Option<Utf8Bytes>>,
}

impl Recent {
    fn new(mark: Mark, body: Vec<u8>) -> Arc<Self> {
        Arc::new(Recent { mark, body: body.into(), spectator: OnceLock::new() })
    }

    /// What this viewer is told.
    pub fn message(&self, game: &dyn AnyGame, viewer: Viewer) -> Option<Utf8Bytes> {
        let render = || match game.message(self.mark, &self.body, viewer) {
            Ok(told) => told.map(|told| serde_json::Value::Object(told).to_string().into()),
            Err(corrupt) => {
                Problem::ours(corrupt);
                None
            }
        };
        match viewer {
            Viewer::Spectator => self.spectator.get_or_init(render).clone(),
            Viewer::Seat(_) => render(),
        }
    }
}

impl Table {
    fn new(no: GameNo, game: Arc<dyn AnyGame>, opened_from: Option<IpAddr>, now: Timestamp) -> Arc<Self> {
        let id = game.id();
        // A game that was stored has waited already; if the clock was set back meanwhile, its wait begins anew.
        let waited = Duration::from_millis(u64::try_from(now.0 - game.mark().at.0).unwrap_or(0));
        let since = Instant::now().checked_sub(waited).unwrap_or_else(Instant::now);
        let shown = Shown::new(game, since, Vec::new());
        Arc::new(Table {
            id,
            no,
            opened_from,
            turnstile: Arc::default(),
            shown: watch::Sender::new(shown),
            seen_at: StdMutex::new(Instant::now()),
            moved: Notify::new(),
            driven: AtomicBool::new(false),
            typing: StdMutex::default(),
            gone: AtomicBool::new(false),
        })
    }

    /// Whether it was let go, so that another `Table` shows this game from now on.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    pub fn shown(&self) -> Arc<Shown> {
        self.shown.borrow().clone()
    }

    /// Follows what it shows; as long as the receiver is held, the game counts as watched.
    pub fn watch(&self) -> watch::Receiver<Arc<Shown>> {
        self.shown.subscribe()
    }

    pub fn watchers(&self) -> usize {
        self.shown.receiver_count()
    }

    /// Waits for the right to change it.
    pub async fn enter(&self) -> OwnedMutexGuard<()> {
        self.turnstile.clone().lock_owned().await
    }

    /// Shows the next version. Only what is stored may be shown.
    pub fn publish(&self, game: Arc<dyn AnyGame>, rows: &[Logged]) {
        let mut recent = Vec::new();
        if self.shown.receiver_count() > 0 {
            let before = self.shown();
            let new = rows.iter().map(|row| Recent::new(row.mark, row.body.clone()));
            recent = before.recent.iter().cloned().chain(new).collect();
            let surplus = recent.len().saturating_sub(RECENT_MAX);
            recent.drain(..surplus);
        }
        self.shown.send_replace(Shown::new(game, Instant::now(), recent));
        self.moved.notify_one();
    }

    /// Shows those who may watch what a mind is writing, or that it has stopped.
    pub fn show_typing(&self, typing: Option<Typing>) {
        let mut now = self.typing.lock().expect("no holder panics");
        if now.1.as_deref() == typing.as_ref() {
            return;
        }
        *now = (now.0 + 1, typing.map(Arc::new));
        drop(now);
        self.shown.send_modify(|_| ());
    }

    /// What a mind is writing, with a number that grows with each change.
    pub fn typing(&self) -> (u64, Option<Arc<Typing>>) {
        self.typing.lock().expect("no holder panics").clone()
    }

    /// Waits until the game is past this version.
    pub async fn moved_past(&self, version: Seq) {
        let mut versions = self.watch();
        // Cannot fail: the sender lives as long as the table.
        let _ = versions.wait_for(|shown| shown.game.mark().seq > version).await;
    }

    pub fn seen(&self) {
        *self.seen_at.lock().expect("no holder panics") = Instant::now();
    }

    /// When the game was last looked at: now, while it is watched.
    pub fn seen_at(&self) -> Instant {
        if self.watchers() > 0 {
            self.seen();
        }
        *self.seen_at.lock().expect("no holder panics")
    }

    /// Claims the job of driving its minds and clock; false if it is taken.
    pub fn start_driving(&self) -> bool {
        !self.driven.swap(true, Ordering::AcqRel)
    }

    /// Gives that job back.
    pub fn stop_driving(&self) {
        self.driven.store(false, Ordering::Release);
    }

    /// The next rows after `seq` from the store, at most `RECENT_MAX`.
    pub async fn stored_after(&self, house: &House, shown: &Shown, seq: Seq) -> Result<Vec<Arc<Recent>>, StoreError> {
        let no = self.no;
        let rows = house.store.read(move |db| Row::after(db, no, seq, RECENT_MAX)).await?;
        // What is stored but not shown yet is told with the version that shows it.
        let shown = rows.into_iter().take_while(|row| row.mark.seq <= shown.game.mark().seq);
        Ok(shown.map(|row| Recent::new(row.mark, row.body)).collect())
    }

    /// The state as this viewer may see it.
    pub async fn view(&self, house: &House, shown: &Shown, viewer: Viewer) -> Answer<Rendered> {
        if viewer == Viewer::Spectator
            && let Some(rendered) = shown.spectator.get()
        {
            return Ok(rendered.clone());
        }
        let said = if shown.game.meta().view_quotes { self.said(house, shown, HEARD_MAX).await? } else { Vec::new() };
        let game = shown.game.as_ref();
        let supply = self.supply(house, game, viewer).await?;
        let rendered = Rendered::of(game.view(viewer, &said, supply.as_ref()));
        if viewer == Viewer::Spectator {
            let _ = shown.spectator.set(rendered.clone());
        }
        Ok(rendered)
    }

    /// What has to be looked up to show this viewer its view in full.
    pub async fn supply(&self, house: &House, game: &dyn AnyGame, viewer: Viewer) -> Answer<Option<Supply>> {
        match (viewer, game.view_needs(viewer)) {
            (Viewer::Seat(seat), Some(need)) => needs::supply(house, self, game, Some(seat), need).await,
            (Viewer::Spectator, _) | (_, None) => Ok(None),
        }
    }

    /// The last entries up to this version, unfiltered: the caller must check who may hear them.
    pub async fn said(&self, house: &House, shown: &Shown, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let no = self.no;
        let mut said = house.store.read(move |db| transcript(db, no, limit)).await?;
        // What is stored but not shown yet belongs to the next version.
        said.retain(|entry| entry.seq <= shown.game.mark().seq);
        Ok(said)
    }
}

/// An entry of the transcript as clients read it.
pub fn item(game: &dyn AnyGame, entry: &Entry) -> Value {
    let line = &entry.line;
    let seat = line.seat.filter(|seat| game.roster().get(*seat).is_some());
    let is_speech = line.text.is_some();
    let id = if is_speech { Inner::Argument } else { Inner::Item };
    json!({
        "id": id.name(game.id(), entry.seq.0), "type": if is_speech { "argument" } else { "event" }, "seq": entry.seq.0,
        "name": entry.name, "round_number": line.round, "phase": line.phase,
        "agent_id": seat.map(|seat| game.roster().agent_id(game.id(), seat)),
        "display_name": seat.map(|seat| game.roster().name(seat).to_owned()),
        "text": line.text, "payload": line.payload, "created_at": entry.at.to_string(),
    })
}

/// The same, with the fields that the seeds name beside our own.
pub fn transcript_item(game: &dyn AnyGame, entry: &Entry) -> Value {
    let mut told = item(game, entry);
    let metadata = entry.line.payload.clone().unwrap_or(Value::Null);
    told["role_id"] = metadata.get("role_id").or_else(|| metadata.get("role")).cloned().unwrap_or(Value::Null);
    told["round"] = entry.line.round.into();
    told["issue_id"] = metadata.get("issue_id").cloned().unwrap_or(Value::Null);
    told["content"] = entry.line.text.clone().into();
    told["metadata"] = metadata;
    told
}

/// Every game in memory.
#[derive(Default)]
pub struct Tables {
    games: StdMutex<HashMap<GameId, Arc<Table>>>,
}

impl Tables {
    fn get(&self, id: GameId) -> Option<Arc<Table>> {
        self.games.lock().expect("no holder panics").get(&id).cloned()
    }

    /// Adds a game, or returns the one that is there already.
    pub fn add(&self, no: GameNo, game: Arc<dyn AnyGame>, opened_from: Option<IpAddr>, now: Timestamp) -> Arc<Table> {
        let table = Table::new(no, game, opened_from, now);
        self.games.lock().expect("no holder panics").entry(table.id).or_insert(table).clone()
    }

    /// Lets go of a game; it will be read again when it is needed.
    pub fn drop(&self, id: GameId) {
        let dropped = self.games.lock().expect("no holder panics").remove(&id);
        if let Some(table) = dropped {
            table.gone.store(true, Ordering::Release);
            table.shown.send_modify(|_| ());
        }
    }

    /// Lets go of games that nobody has looked at for a while and nobody drives.
    pub fn sweep(&self) {
        let idle = |table: &Table| !table.driven.load(Ordering::Acquire) && table.seen_at().elapsed() > IDLE;
        self.games.lock().expect("no holder panics").retain(|_, table| Arc::strong_count(table) > 1 || !idle(table));
    }

    /// Wakes every watcher, though nothing has changed.
    pub fn ring(&self) {
        self.games.lock().expect("no holder panics").values().for_each(|table| table.shown.send_modify(|_| ()));
    }

    pub fn len(&self) -> usize {
        self.games.lock().expect("no holder panics").len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The game of that id, from memory or from the store.
pub async fn table(house: &House, id: GameId) -> Answer<Arc<Table>> {
    if let Some(table) = house.tables.get(id) {
        table.seen();
        return Ok(table);
    }
    let stored = house.store.read(move |db| GameStored::find(db, id)).await?.ok_or_else(Problem::no_game)?;
    let kind =
        house.settings.catalog.by_name(&stored.kind).ok_or_else(|| Problem::ours("a stored game of unknown kind"))?;
    let no = stored.no;
    let game = records::load(kind, id, stored).map_err(Problem::ours)?;
    Ok(house.tables.add(no, Arc::from(game), None, house.now()))
}

/// The same for the house's own rounds, which do not count as a look.
pub async fn table_unseen(house: &House, id: GameId) -> Answer<Arc<Table>> {
    match house.tables.get(id) {
        Some(table) => Ok(table),
        None => table(house, id).await,
    }
}
