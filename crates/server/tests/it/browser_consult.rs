//! Consulting the archive in a real browser: the dialog with scripts and without, what is copied out of it, and what is refused.

use crate::browser::Browser;
use crate::browser_shots::{ENGLISH, KOREAN, picture};
use crate::browser_trial::register;
use crate::browser_tribunal::send;
use crate::consult::archive;
use crate::market::FRESH;
use crate::world::World;
use serde_json::json;

const CONSULT: &str = "[data-region=form] button[value=consult]";
const ASK: &str = "[data-region=form] .consult summary";
const SEND: &str = "[data-region=form] form[data-draft] button.primary";

/// A browser signed in, at a trial of John Law against the house; the archive has three lineages of attacks on him in each language.
async fn prosecutor(world: &World, lang: &str, name: &str) -> Browser {
    archive(world).await;
    let browser = Browser::at(world.address, lang, crate::browser::DESKTOP).await;
    browser.goto("/register").await;
    register(&browser, name).await;
    browser.goto("/").await;
    browser.click(".offers li:nth-child(4) option[value=john_law]").await;
    browser.follow(".offers li:nth-child(4) button").await;
    browser
}

/// Opens the question whether to spend IA, if it is not open.
async fn asked(browser: &Browser) {
    if !browser.has(".consult details[open]").await {
        browser.click(ASK).await;
    }
}

#[tokio::test]
async fn the_archive_opens_as_a_dialog_and_one_click_copies_an_attack() {
    let world = World::open().await;
    let browser = prosecutor(&world, "en", "Ada").await;
    assert_eq!(browser.text(ASK).await, "🔍 Consult Archive (15 IA)");
    let in_sight = "return document.querySelector('button[value=consult]').checkVisibility()";
    assert_eq!(browser.js(in_sight).await, false, "one tap spends nothing");
    browser.click(ASK).await;
    assert_eq!(browser.text(CONSULT).await, "Yes, spend 15 IA");
    let enter = "return document.querySelector('[data-draft]').querySelector('button').value";
    assert_eq!(browser.js(enter).await, "", "Enter attacks");
    browser.inspect().await;
    // The archive has nothing against the regent; that is said, and what was typed is kept.
    browser.fill("#text", "Half an argument").await;
    browser.click("label:has([value=orleans])").await;
    browser.click(CONSULT).await;
    browser.until("document.querySelector('#refused')?.innerText.includes('Nothing is paid')").await;
    assert_eq!(browser.value("#text").await, "Half an argument");
    assert!(!browser.has("dialog").await);
    browser.click("label:has([value=law])").await;
    asked(&browser).await;
    send(&browser, CONSULT).await;
    browser.until("document.querySelector('dialog.archive:modal')").await;
    assert_eq!(browser.count(".found li").await, 3);
    assert_eq!(browser.js("return document.activeElement.id").await, "archive-title");
    assert!(browser.text(".archive").await.contains(FRESH), "word for word");
    picture(&browser, &ENGLISH, "tribunal-archive", false).await;
    browser.click(".archive form button").await;
    browser.until("!document.querySelector('dialog[open]')").await;
    assert_eq!(browser.text(".turn").await, "Your turn: attack", "and it can be closed");
    picture(&browser, &ENGLISH, "tribunal-consulted", false).await;
    browser.follow(".consult a").await;
    browser.until("document.querySelector('dialog.archive:modal')").await;
    let words = browser.text("#found-2").await;
    browser.click("[data-archived=found-2]").await;
    browser.until("!document.querySelector('dialog[open]')").await;
    assert_eq!(browser.value("#text").await, words, "copied with one click");
    assert_eq!(browser.js("return document.querySelector('[name=character_id]:checked').value").await, "law");
    assert!(browser.shown().await.contains("Ada consulted the archive"));
    browser.inspect().await;
    send(&browser, SEND).await;
    browser.until("document.querySelector('.record .speech.own')").await;
    assert!(!browser.has("dialog").await);
}

#[tokio::test]
async fn without_scripts_the_archive_is_an_open_section_and_a_link_fills_the_field() {
    let world = World::open().await;
    let browser = prosecutor(&world, "ko", "지우").await;
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    let here = browser.path().await;
    browser.goto(&here).await;
    assert_eq!(browser.text(ASK).await, "🔍 기록 보관소 열람 (15 IA)");
    browser.click(ASK).await;
    browser.follow_plain(CONSULT).await;
    assert_eq!(browser.path().await, here);
    assert!(browser.has("dialog.archive[open]").await);
    let words = browser.text("#found-1").await;
    browser.click(".archive form button").await;
    assert!(!browser.has("dialog[open]").await, "the browser itself closes it");
    browser.goto(&here).await;
    browser.follow_plain("[data-archived=found-1]").await;
    assert!(browser.path().await.starts_with(&format!("{here}?archived=")));
    assert_eq!(browser.value("#text").await, words, "it stands in the field");
    assert!(!browser.has("dialog[open]").await);
    browser.follow_plain(SEND).await;
    assert_eq!(browser.path().await, here);
    assert!(browser.shown().await.contains("지우가 기록 보관소를 열람했습니다"));
}

#[tokio::test]
async fn the_open_archive_fits_a_phone_in_korean() {
    let world = World::open().await;
    let browser = prosecutor(&world, "ko", "지우").await;
    asked(&browser).await;
    send(&browser, CONSULT).await;
    browser.until("document.querySelector('dialog.archive:modal')").await;
    picture(&browser, &KOREAN, "tribunal-archive", false).await;
}

#[tokio::test]
async fn a_guest_is_told_that_the_archive_needs_an_account() {
    let world = World::open().await;
    archive(&world).await;
    let browser = Browser::open(&world).await;
    browser.goto("/").await;
    browser.click(".offers li:nth-child(4) option[value=john_law]").await;
    browser.follow(".offers li:nth-child(4) button").await;
    assert!(!browser.has(CONSULT).await, "what can only be refused is not offered");
    assert!(browser.text(".consult").await.contains("The archive is paid for from an account."));
    browser.inspect().await;
    // On a phone, a prosecutor who looks something up has the screen for it, and the form is one tap away.
    browser.resize((360, 780)).await;
    let high = "return [...document.querySelectorAll('.stage, .case-pane')].map((one) => one.offsetHeight)";
    browser.fill("#text", "Half an argument").await;
    let [stage, _]: [u64; 2] = serde_json::from_value(browser.js(high).await).expect("two heights");
    assert!(stage >= 120, "the court is {stage} px high beside the form");
    browser.click("label[for=tab-case]").await;
    let [_, case]: [u64; 2] = serde_json::from_value(browser.js(high).await).expect("two heights");
    assert!(case >= 200, "the case is {case} px high");
    picture(&browser, &ENGLISH, "tribunal-lookup", false).await;
    browser.resize((360, 780)).await;
    browser.click(".to-form").await;
    assert_eq!(browser.value("#text").await, "Half an argument");
    assert!(browser.see("#text").await.is_displayed().await.expect("it is there"));
    browser.inspect().await;
    browser.follow(".consult a").await;
    assert_eq!(browser.path().await, "/login?next=/case/john_law");
}
