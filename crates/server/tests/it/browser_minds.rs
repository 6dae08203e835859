//! A language model at a table, in a real browser: its words appear while it writes them, and words cut off leave no trace.

use crate::browser::{Browser, DESKTOP};
use crate::standin::{Deed, StandIn};
use crate::world::{World, create, text};
use moot::settings::Settings;
use moot::settings::minds::Provider;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_appear_while_they_are_written_and_vanish_when_they_are_cut_off() {
    let stand_in = StandIn::open().await;
    let minds =
        moot::settings::minds::MindSettings { retry: Duration::from_secs(3), ..stand_in.settings(Provider::Anthropic) };
    let world = World::with(Settings { minds, ..Settings::default() }).await;
    let game = create(&world.api, &json!({"min_players": 3, "auto_advance_s": 60})).await;
    world.api.post(&game.path("/fill"), &json!({"count": 3})).await.ok();
    let browser = Browser::at(world.address, "en", DESKTOP).await;
    browser.goto(&format!("/games/{}", game.id)).await;
    // Records everything shown as being written, with the number of speeches at that time; polling from the test could miss it.
    let watch = "window.seen = [];
        const typing = document.querySelector('#typing');
        new MutationObserver(() => {
            const words = typing.hidden ? '' : typing.lastElementChild.textContent;
            window.seen.push([words, document.querySelectorAll('li.speech').length]);
        }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true})";
    browser.js(watch).await;
    stand_in.next([Deed::SlowCut(Duration::from_millis(250))]);
    stand_in.always(Deed::Slow(Duration::from_millis(120)));
    world.api.post_nothing(&game.path("/start")).await.ok();
    browser.until("document.querySelectorAll('li.speech').length >= 1").await;
    let seen: Vec<(String, usize)> = serde_json::from_value(browser.js("return window.seen").await).expect("pairs");
    let cut = seen.windows(2).position(|pair| pair[0].0.len() > 12 && pair[1].0.is_empty());
    let cut = cut.unwrap_or_else(|| panic!("half of it was seen, and then nothing: {seen:?}"));
    assert_eq!(seen[cut + 1].1, 0, "and nothing is in the record: {seen:?}");
    let half = &seen[cut].0;
    let page = browser.js("return document.body.textContent").await;
    assert!(!text(&page).contains(half), "{half:?} was cut off");
    // The next attempt comes through: first as it is written, then in the record.
    let again = seen[cut + 1..].iter().any(|(words, speeches)| words.len() > 12 && *speeches == 0);
    assert!(again, "{seen:?}");
    browser.inspect().await;
    let said = browser.text("li.speech blockquote").await;
    assert_eq!(said.matches("Point").count(), 1, "{said}");
}
