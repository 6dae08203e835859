//! Buying over HTTP, against the same purchases in a bare loop over the database.

use super::client::{Client, post_as};
use super::tables::{Scratch, block_on, measured, open_house};
use super::{MEASURE_MS, Row};
use crate::http::auth::{KEY_PREFIX, new_secret, secret_hash};
use anyhow::bail;
use engine::id::AccountId;
use engine::time::Timestamp;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::ApiKey;
use store::Store;
use store::bench::shop;
use store::people::accounts::{Scope, add_api_key};
use uuid::Uuid;

const BUYERS: usize = 128;

pub(super) fn purchases() -> anyhow::Result<Row> {
    let scratch = Scratch::new("purchases")?;
    let store = crate::play::records::open(&scratch.0)?;
    let moot = block_on(async {
        store.write(|db| shop::furnish(db, BUYERS)).await?;
        let mut keys = Vec::new();
        for number in 0..BUYERS {
            keys.push(key(&store, shop::buyer(number)).await?);
        }
        let address = open_house(store.clone()).await?;
        let next = AtomicUsize::new(0);
        let rate = measured(BUYERS, |done, stop| {
            let key = keys[next.fetch_add(1, Ordering::Relaxed) % BUYERS].clone();
            async move {
                let mut client = Client::connect(address).await?;
                for text in 0..shop::TEXTS {
                    let hash = shop::hash(text);
                    let body = format!(
                        r#"{{"type":"attack","hash":"{hash}","case_id":"john_law","character_id":"law","price":10}}"#
                    );
                    let (status, answer) = client.send(&post_as("/api/unlock", &key, &body)).await?;
                    if status != 200 {
                        bail!("{status}: {}", String::from_utf8_lossy(answer));
                    }
                    done.fetch_add(1, Ordering::Relaxed);
                    if stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                }
                bail!("everything was bought before the time was over")
            }
        });
        let rate = rate.await?;
        store.stop().await;
        Ok(rate)
    })?;
    let bare = shop::best_loop(&scratch.0, BUYERS, Duration::from_millis(MEASURE_MS))?;
    let against = format!("the same purchases in a loop, {} in a transaction", shop::GROUP);
    Ok(Row::rate("purchases", "purchases/s", moot, bare, against, 0.4))
}

async fn key(store: &Store, account: AccountId) -> anyhow::Result<String> {
    let secret = new_secret(KEY_PREFIX).map_err(|problem| anyhow::anyhow!(problem.detail))?;
    let hash = secret_hash(&secret);
    let key = ApiKey {
        id: Uuid::now_v7(),
        label: String::new(),
        hint: String::new(),
        created_at: Timestamp(0),
        scope: Scope::Play,
        trusted: false,
    };
    store.write(move |db| add_api_key(db, &key, account, &hash)).await?;
    Ok(secret)
}
