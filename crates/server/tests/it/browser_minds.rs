//! A language model at a table, in a real browser: its words appear while it writes them, and what is cut off leaves no trace.

use crate::browser::{Browser, DESKTOP};
use crate::standin::{Deed, StandIn};
use crate::world::{World, create, text};
use moot::house::Settings;
use moot::minds::choice::Provider;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_appear_while_they_are_written_and_vanish_when_they_are_cut_off() {
    let stand_in = StandIn::open().await;
    let minds =
        moot::minds::choice::MindSettings { retry: Duration::from_secs(3), ..stand_in.settings(Provider::Anthropic) };
    let world = World::with(Settings { minds, ..Settings::default() }).await;
    let game = create(&world.api, &json!({"min_players": 3, "auto_advance_s": 60})).await;
    world.api.post(&game.path("/fill"), &json!({"count": 3})).await.ok();
    let browser = Browser::at(world.address, "en", DESKTOP).await;
    browser.goto(&format!("/games/{}", game.id)).await;
    stand_in.next([Deed::SlowCut(Duration::from_millis(250))]);
    stand_in.always(Deed::Slow(Duration::from_millis(120)));
    world.api.post_nothing(&game.path("/start")).await.ok();
    const WRITING: &str =
        "!document.querySelector('#typing').hidden && document.querySelector('#typing p').textContent";
    browser.until(&format!("({WRITING}).length > 12")).await;
    let half = browser.js(&format!("return {WRITING}")).await;
    let half = text(&half).to_owned();
    browser.until("document.querySelector('#typing').hidden").await;
    let page = browser.js("return document.body.textContent").await;
    assert!(!text(&page).contains(&half), "{half:?} was cut off");
    assert_eq!(browser.count("li.speech").await, 0, "and nothing is in the record");
    // The next attempt comes through: first as it is written, then in the record.
    browser.until(&format!("({WRITING}).length > 12")).await;
    browser.until("document.querySelectorAll('li.speech').length === 1").await;
    browser.inspect().await;
    let said = browser.text("li.speech blockquote").await;
    assert_eq!(said.matches("Point").count(), 1, "{said}");
}
