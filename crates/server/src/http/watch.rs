//! Watching a game live: one viewer's messages, resumable without loss or repetition.
//!
//! The table says "the game is at version v"; each watcher then fetches its own messages. A slow reader holds up nobody.
//!
//! Who is looking is asked again at every version and whenever a credential stops being valid: a stream outlives neither its seat nor its
//! key.

use super::auth::Caller;
use crate::play::House;
use crate::play::live::{Recent, Shown, Table};
use crate::problem::{Answer, Problem};
use axum::extract::ws::Utf8Bytes;
use engine::erased::AnyGame;
use engine::id::Seq;
use engine::rules::Viewer;
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// One viewer's way through a game's messages.
pub struct Follower {
    house: House,
    table: Arc<Table>,
    caller: Caller,
    /// Which of the caller's agents looks, if it named one.
    agent_id: Option<String>,
    viewer: Viewer,
    versions: watch::Receiver<Arc<Shown>>,
    last: Seq,
    waiting: VecDeque<(Option<Seq>, Utf8Bytes)>,
    /// The number of the last typing news, if this viewer wants any.
    typing: Option<u64>,
    saw_typing: bool,
}

impl Follower {
    /// Follows a game from its state now, or resumes after an event.
    pub async fn new(
        house: House,
        table: Arc<Table>,
        (caller, agent_id): (Caller, Option<String>),
        since: Option<Seq>,
        typing: bool,
    ) -> Answer<Self> {
        let mut versions = table.watch();
        let shown = versions.borrow_and_update().clone();
        let viewer = caller.viewer_as(shown.game.as_ref(), agent_id.as_deref())?;
        let now = shown.game.mark().seq;
        let mut waiting = VecDeque::new();
        if since.is_none() {
            waiting.push_back((Some(now), initial(&house, &table, &shown, viewer).await?));
        }
        house.drive(&table, &[]);
        // The first look is not a change, but there may be something to catch up with.
        versions.mark_changed();
        let last = since.unwrap_or(now);
        let typing = typing.then_some(0);
        Ok(Follower { house, table, caller, agent_id, viewer, versions, last, waiting, typing, saw_typing: false })
    }

    /// The next message, with its number if it tells of an event; nothing once the server stops or the table was let go, and a refusal
    /// once the caller may not look as it did.
    pub async fn next(&mut self) -> Answer<Option<(Option<Seq>, Utf8Bytes)>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Ok(Some(message));
            }
            // A stopping house sets its flag and then rings at every table, so this one wait is enough; thousands do it for each event. A
            // table that was let go tells nothing more: a client that resumes finds the one that took its place.
            if self.ended() || self.versions.changed().await.is_err() || self.ended() {
                return Ok(None);
            }
            if self.may_change_sight() && self.look_again().await? {
                continue;
            }
            self.gather().await?;
            self.overhear();
        }
    }

    /// Takes in what a mind is writing, if this viewer will hear it. It is in no log, and no resumed stream repeats it.
    fn overhear(&mut self) {
        let Some(known) = self.typing else { return };
        let (number, typing) = self.table.typing();
        if number == known {
            return;
        }
        self.typing = Some(number);
        let typing = typing.filter(|typing| typing.heard_by.includes(self.viewer));
        let shown = self.table.shown();
        let (roster, game) = (shown.game.roster(), shown.game.id());
        let told = match typing.filter(|typing| roster.get(typing.seat).is_some()) {
            Some(typing) => json!({
                "type": "typing", "agent_id": roster.agent_id(game, typing.seat), "display_name": roster.name(typing.seat),
                "text": typing.text,
            }),
            // A viewer who may not watch is not even told that the writing has stopped.
            None if self.saw_typing => json!({"type": "typing", "agent_id": null, "text": ""}),
            None => return,
        };
        self.saw_typing = told["agent_id"].is_string();
        self.waiting.push_back((None, told.to_string().into()));
    }

    fn ended(&self) -> bool {
        self.house.is_stopping() || self.table.is_gone()
    }

    /// Whether this viewer may come to see more or less; most spectators have nothing by which they could.
    fn may_change_sight(&self) -> bool {
        self.caller.has_credential() || self.agent_id.is_some()
    }

    /// Asks again who is looking. If that has changed, the stream begins anew with what the new viewer may see.
    async fn look_again(&mut self) -> Answer<bool> {
        if self.caller.account.is_some() {
            self.caller = self.caller.again(&self.house).await?;
        }
        let shown = {
            let shown = self.versions.borrow();
            let viewer = self.caller.viewer_as(shown.game.as_ref(), self.agent_id.as_deref())?;
            if viewer == self.viewer {
                return Ok(false);
            }
            self.viewer = viewer;
            shown.clone()
        };
        self.last = shown.game.mark().seq;
        self.waiting.push_back((Some(self.last), initial(&self.house, &self.table, &shown, self.viewer).await?));
        Ok(true)
    }

    /// Takes in what has happened since.
    async fn gather(&mut self) -> Answer<()> {
        let missed = {
            // What is at hand is read in place, without a copy of the version.
            let shown = self.versions.borrow_and_update();
            let now = shown.game.mark().seq;
            if self.last >= now {
                return Ok(());
            }
            match shown.recent_after(self.last) {
                Some(rows) => {
                    tell(&mut self.waiting, rows, shown.game.as_ref(), self.viewer);
                    self.last = now;
                    return Ok(());
                }
                None => shown.clone(),
            }
        };
        let rows = self.table.stored_after(&self.house, &missed, self.last).await?;
        tell(&mut self.waiting, &rows, missed.game.as_ref(), self.viewer);
        if let Some(row) = rows.last() {
            self.last = row.mark.seq;
            // There may be more rows than one read returns.
            self.versions.mark_changed();
        }
        Ok(())
    }
}

fn tell(waiting: &mut VecDeque<(Option<Seq>, Utf8Bytes)>, rows: &[Arc<Recent>], game: &dyn AnyGame, viewer: Viewer) {
    waiting
        .extend(rows.iter().filter_map(|row| row.message(game, viewer).map(|message| (Some(row.mark.seq), message))));
}

async fn initial(house: &House, table: &Table, shown: &Shown, viewer: Viewer) -> Answer<Utf8Bytes> {
    let game = &shown.game;
    let view = table.view(house, shown, viewer).await?;
    let state: &RawValue = serde_json::from_slice(&view.bytes).map_err(Problem::ours)?;
    #[derive(serde::Serialize)]
    struct Initial<'a> {
        r#type: &'static str,
        game_id: String,
        game_type: &'static str,
        status: &'static str,
        version: u64,
        state: &'a RawValue,
    }
    let message = Initial {
        r#type: "initial",
        game_id: table.id.to_string(),
        game_type: game.kind(),
        status: game.status(),
        version: game.mark().seq.0,
        state,
    };
    Ok(serde_json::to_string(&message).map_err(Problem::ours)?.into())
}

/// Waits until the game has passed this version, or the time is up.
pub async fn wait_past(house: &House, table: &Table, version: u64, wait: Duration) {
    let mut versions = table.watch();
    let mut stopping = house.stopping.subscribe();
    let passed = versions.wait_for(|shown| shown.game.mark().seq.0 > version);
    tokio::select! {
        _ = passed => {}
        () = tokio::time::sleep(wait) => {}
        _ = stopping.changed() => {}
    }
}
