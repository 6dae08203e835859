//! The operator's moderation service: asked about words before they are listed or reach a prompt. What it objects to, and what it could
//! not be asked about, waits for a moderator.

use crate::locale::lang_of;
use crate::play::House;
use commons::corpus::lesson::Text;
use commons::corpus::moderation::{Reason, Screened};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use store::StoreError;
use store::corpus::moderation::{self, Unchecked};

/// How long the service may take: an author is waiting for a listing.
const ANSWER_WITHIN: Duration = Duration::from_secs(4);
/// Most bytes of its answer that are read.
const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// Most characters of its reason that are kept.
const SAID_LEN_MAX: usize = 200;
/// How many texts are fetched at once.
const BATCH: usize = 20;
/// After this many failures in a row the rest is left for later.
const FAILURES_MAX: usize = 3;
/// How long until what could not be checked is tried again.
const AGAIN: Duration = Duration::from_secs(60);

/// Asks about words that an author wants to list, and about their label. Nothing may be locked meanwhile.
pub async fn screened(house: &House, words: &Text, label: Option<&str>) -> Screened {
    let Some(url) = house.settings.moderation_url.as_deref() else { return Screened::NotAsked };
    if !words.is_clear() {
        return Screened::NotAsked;
    }
    let about_label = async {
        match label {
            Some(label) => ask(house, url, label).await,
            None => None,
        }
    };
    let (one, other) = tokio::join!(ask(house, url, &words.text), about_label);
    let mut reasons: Vec<Reason> = one.into_iter().chain(other).collect();
    reasons.dedup();
    if reasons.is_empty() { Screened::Clear } else { Screened::Flagged(reasons) }
}

/// Asks about what was said in games and reported from outside, as it comes, until the server stops.
pub async fn keep(house: House) {
    if house.settings.moderation_url.is_none() {
        return;
    }
    let mut stopping = house.stopping.subscribe();
    loop {
        let well = round(&house).await.unwrap_or_else(|error| {
            tracing::error!(%error, "words that wait to be checked could not be read or updated");
            false
        });
        let news = async {
            if !well {
                std::future::pending::<()>().await;
            }
            house.unchecked.notified().await;
        };
        tokio::select! {
            () = news => {}
            () = tokio::time::sleep(AGAIN) => {}
            _ = stopping.changed() => return,
        }
    }
}

/// Asks about everything that waits, the newest first: what can never be checked must not block what can. False if the service does not
/// answer.
pub async fn round(house: &House) -> Result<bool, StoreError> {
    let Some(url) = house.settings.moderation_url.as_deref() else { return Ok(true) };
    let mut before = i64::MAX;
    let mut failures = 0;
    loop {
        let waiting = house.store.read(move |db| moderation::unchecked(db, before, BATCH)).await?;
        let Some(last) = waiting.last() else { return Ok(true) };
        before = last.n;
        for Unchecked { n, text } in waiting {
            if house.is_stopping() {
                return Ok(false);
            }
            let at = house.now();
            match ask(house, url, &text).await {
                Some(Reason::Unchecked) => failures += 1,
                Some(reason) => {
                    failures = 0;
                    house.store.write(move |db| moderation::flag(db, n, &[reason], at)).await?;
                }
                None => {
                    failures = 0;
                    house.store.write(move |db| moderation::release(db, n, at)).await?;
                }
            }
            if failures == FAILURES_MAX {
                return Ok(false);
            }
        }
    }
}

/// What the service objects to in a text; that it could not be asked is a reason too.
async fn ask(house: &House, url: &str, text: &str) -> Option<Reason> {
    match told(house, url, text).await {
        Ok(Told { flagged: false, .. }) => None,
        Ok(Told { flagged: true, reason }) => Some(Reason::Service { said: plain(&reason.unwrap_or_default()) }),
        Err(reason) => {
            tracing::warn!(reason, "the moderation service did not answer");
            Some(Reason::Unchecked)
        }
    }
}

/// What the service answers.
#[derive(Deserialize)]
struct Told {
    flagged: bool,
    #[serde(default)]
    reason: Option<String>,
}

async fn told(house: &House, url: &str, text: &str) -> Result<Told, String> {
    let body = json!({"text": text, "lang": lang_of(text)});
    let late = |_| "The service took too long.".to_owned();
    let answer = tokio::time::timeout(ANSWER_WITHIN, answer(&house.outside, url, &body)).await.map_err(late)??;
    serde_json::from_value(answer).map_err(|_| "The answer is not in the form it should be.".to_owned())
}

/// Sends JSON and reads the JSON that comes back.
async fn answer(outside: &reqwest::Client, url: &str, body: &Value) -> Result<Value, String> {
    let cut = |_| "The service cannot be reached, or was cut off.".to_owned();
    let mut response = outside.post(url).json(body).send().await.map_err(cut)?;
    if !response.status().is_success() {
        return Err(format!("The service answered {}.", response.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(cut)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > ANSWER_BYTES_MAX {
            return Err("The answer was far too long.".to_owned());
        }
    }
    serde_json::from_slice(&bytes).map_err(|_| "The answer is not JSON.".to_owned())
}

/// One line of plain characters: authors and moderators read it.
fn plain(said: &str) -> String {
    let said: String = said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SAID_LEN_MAX).collect();
    said.trim().trim_end_matches('.').to_owned()
}
