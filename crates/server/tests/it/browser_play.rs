//! Watching and playing: games that move by themselves, and whole games played by hand and by keyboard.

use crate::browser::{Browser, PHONE};
use crate::world::World;
use moot::minds::demo;
use moot::settings::Settings;
use serde_json::Value;
use thirtyfour::prelude::*;

/// The most things that one seat is asked to do in a game of three.
const TURNS_MAX: usize = 20;
const KEY: &str = "document.querySelector('[data-region=form]').dataset.key";

/// What the page asks of the player.
#[derive(PartialEq, Debug)]
enum Asked {
    Argue,
    Decide,
    NextRound,
    Nothing,
}

/// Waits until the page asks for something, or the game is over.
async fn asked(browser: &Browser) -> Asked {
    let asked = "(() => {
        const has = (css) => document.querySelector('[data-region=form] ' + css);
        if (document.querySelector('#table').dataset.over === 'true') return 'over';
        return has('#text') ? 'argue' : has('[name=decision]') ? 'decide' : has('button.primary[value=next_phase]') ? 'next' : ''
    })()";
    browser.until(asked).await;
    match browser.js(&format!("return {asked}")).await.as_str() {
        Some("argue") => Asked::Argue,
        Some("decide") => Asked::Decide,
        Some("next") => Asked::NextRound,
        _ => Asked::Nothing,
    }
}

/// The key of the current form; it changes with the turn.
async fn form_key(browser: &Browser) -> String {
    browser.js(&format!("return {KEY}")).await.as_str().expect("a form has a key").to_owned()
}

async fn until_form_changes(browser: &Browser, key: &str) {
    browser.until(&format!("{KEY} !== `{key}`")).await;
}

async fn game_of(browser: &Browser) -> String {
    browser.js("return document.querySelector('#table').dataset.game").await.as_str().expect("a game").to_owned()
}

/// The number of speeches in sight, without those that are still to be revealed.
const SPEECHES: &str = "document.querySelectorAll('.record .speech:not(.arriving)').length";

#[tokio::test]
async fn a_visitor_sees_demo_games_moving() {
    let world = World::with(Settings { demo_tables: 2, ..Settings::default() }).await;
    tokio::spawn(demo::keep(world.house.clone()));
    let browser = Browser::open(&world).await;
    browser.goto("/").await;
    // The cards appear without a reload if the house opened its tables after the page was loaded.
    browser.until("document.querySelectorAll('[data-region=live] .card').length === 2").await;
    // Two kinds, each with its picture.
    assert_eq!(browser.count(".card svg.board .tram").await, 1, "a trolley");
    assert_eq!(browser.count(".card svg").await, 2, "and a court");
    assert_eq!(browser.count(".card .live").await, 2);
    browser.inspect().await;
    browser.js("window.here = true").await;
    let before = browser.text(".cards").await;
    browser.until(&format!("document.querySelector('.cards').innerText !== {}", Value::from(before))).await;
    assert_eq!(browser.js("return window.here").await, true, "the lobby moves without being opened again");

    browser.follow(".card h3 a").await;
    assert!(browser.path().await.starts_with("/games/"));
    browser.js("window.here = true").await;
    assert!(!browser.has("[data-region=form] textarea").await, "a visitor is not asked to speak");
    let had = browser.js(&format!("return {SPEECHES}")).await.as_u64().expect("a number");
    let version = browser.js("return +document.querySelector('#table').dataset.version").await;
    browser.until(&format!("{SPEECHES} >= {}", had + 2)).await;
    browser.until(&format!("+document.querySelector('#table').dataset.version > {version}")).await;
    assert_eq!(browser.js("return window.here").await, true, "the speeches come without the page being opened again");
    let last = browser.js("return [...document.querySelectorAll('.record .speech:not(.arriving)')].at(-1).id").await;
    let game = game_of(&browser).await;
    let feed = world.api.get(&format!("/api/games/{game}/feed")).await;
    assert!(feed.text.contains(last.as_str().expect("a speech has an id")), "what is shown was said: {last}");
    browser.inspect().await;
}

/// Opens a table for three with the form, house minds in the other seats, and starts it.
async fn table_of_three(browser: &Browser, name: &str) {
    browser.follow(".hero a.button").await;
    browser.fill("#display_name", name).await;
    browser.fill("#min_players", "3").await;
    browser.click("#auto_advance_s option[value='0']").await;
    browser.click("[name=fill]").await;
    browser.inspect().await;
    browser.follow("main form button.primary").await;
    browser.see("form[action$='/start'] button").await;
    assert_eq!(browser.count(".record .sitter").await, 3, "two house minds sit beside oneself");
    browser.click("form[action$='/start'] button").await;
    browser.until("document.querySelector('.stepper .now')").await;
}

#[tokio::test]
async fn play_now_seats_a_visitor_in_one_click() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    browser.goto("/").await;
    browser.follow("form[action='/play'] button").await;
    assert!(browser.path().await.starts_with("/games/"));
    assert_eq!(browser.count("[data-region=board] .token").await, 5, "everybody is on the board");
    assert_eq!(browser.count("[data-region=board] .token.you").await, 1, "and so is the visitor");
    let state = world.api.get(&format!("/api/games/{}/state", game_of(&browser).await)).await.ok();
    assert!(state["status"].as_str().is_some_and(|status| status.starts_with("round_phase")), "{}", state["status"]);
    // The operator listens first; any other player speaks at once, and is then heard.
    if browser.has("#text").await {
        browser.fill("#text", "I was here from the first click.").await;
        browser.click("[data-region=form] button.primary").await;
    } else {
        assert!(browser.text(".turn").await.contains("You hold the lever"));
    }
    browser.until(&format!("{SPEECHES} >= 2")).await;
    browser.inspect().await;
}

#[tokio::test]
async fn a_person_plays_a_whole_game_by_hand() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    browser.goto("/").await;
    table_of_three(&browser, "Ada Lovelace").await;
    let game = game_of(&browser).await;
    let (mut argued, mut decided) = (0, 0);
    for _ in 0..TURNS_MAX {
        let what = asked(&browser).await;
        if what == Asked::Nothing {
            break;
        }
        let key = form_key(&browser).await;
        let mine = matches!(what, Asked::Argue | Asked::Decide);
        let title = browser.driver.title().await.expect("a page has a title");
        assert_eq!(title == "● Your turn · Moot", mine, "{title} while asked to {what:?}");
        match what {
            Asked::Argue => {
                argued += 1;
                let words = format!("Argument number {argued}: spare us.");
                browser.fill("#text", &words).await;
                assert_eq!(browser.text("#text-count").await, format!("{} / 500", words.chars().count()));
                browser.click("[data-region=form] form[data-draft] button.primary").await;
                until_form_changes(&browser, &key).await;
                let own = "[...document.querySelectorAll('.speech.own:not(.arriving) blockquote')].at(-1)?.innerText";
                browser.until(&format!("{own} === `{words}`")).await;
            }
            Asked::Decide => {
                decided += 1;
                browser.click(".choice.minority").await;
                browser.click(".why summary").await;
                browser.fill("#reason", "The few spoke plainly.").await;
                assert_eq!(browser.count("#decisive option").await, 7, "six arguments and none in particular");
                browser.click("#decisive option:nth-of-type(3)").await;
                browser.click("[data-region=form] form[data-draft] button.primary").await;
                until_form_changes(&browser, &key).await;
                browser.until("document.querySelector('.ruling:not(.arriving) blockquote')").await;
                let ruling = browser.text(".ruling:nth-last-child(1 of .ruling)").await;
                assert!(ruling.contains("The few spoke plainly."), "{ruling}");
                assert!(ruling.contains("Ada Lovelace saved the minority"), "{ruling}");
                assert!(browser.has(".ruling a[href^='#']").await, "the ruling names what decided it");
                assert_eq!(browser.count("[data-region=board] .token.lost").await, 1);
            }
            Asked::NextRound => {
                browser.click("[data-region=form] button.primary").await;
                until_form_changes(&browser, &key).await;
            }
            Asked::Nothing => unreachable!("the loop has ended"),
        }
    }
    assert_eq!((argued, decided), (6, 1), "twice on a track, once at the lever");
    let state = world.api.get(&format!("/api/games/{game}/state")).await.ok();
    assert_eq!(state["status"], "game_completed");
    browser.inspect().await;

    // The standings say what the API says.
    assert_eq!(browser.count(".podium li").await, 3);
    browser.click("label[for=tab-scores]").await;
    let scores = world.api.get(&format!("/api/games/{game}/scoreboard")).await.ok();
    for score in scores["scores"].as_array().expect("a list") {
        let name = score["display_name"].as_str().expect("a name");
        let row = format!(
            "[...document.querySelectorAll('.scores tbody tr')].find((row) => row.innerText.includes(`{name}`)).cells[1].innerText"
        );
        assert_eq!(browser.js(&format!("return {row}")).await, score["score"].to_string(), "{name}");
    }
    browser.click("label[for=tab-rounds]").await;
    assert_eq!(browser.count(".rounds > li").await, 3);
    assert!(browser.text(".rounds").await.contains("The few spoke plainly."));

    browser.follow("a.button[href$='/replay']").await;
    replay(&browser).await;
}

/// The moment the replay shows.
async fn at(browser: &Browser) -> u64 {
    let at = browser.js("return +document.querySelector('#replay').dataset.at").await;
    at.as_u64().expect("a moment is a number")
}

async fn until_at(browser: &Browser, condition: &str) {
    browser.until(&format!("+document.querySelector('#replay').dataset.at {condition}")).await;
}

/// Every way to move through a finished game.
async fn replay(browser: &Browser) {
    browser.js("window.here = true").await;
    let opened = at(browser).await;
    assert_eq!(browser.value("#at").await, opened.to_string());
    browser.click("#last").await;
    until_at(browser, &format!("> {opened}")).await;
    let last = at(browser).await;
    assert_eq!(browser.js("return +document.querySelector('#at').max").await, last, "the end is one click away");
    assert!(browser.has("#next[aria-disabled]").await && browser.has("#last[aria-disabled]").await);
    browser.see("#at").await.send_keys(Key::Home).await.expect("the slider takes keys");
    until_at(browser, &format!("< {last}")).await;
    browser.until("document.querySelector('#at').value === document.querySelector('#replay').dataset.at").await;
    let first = at(browser).await;
    assert_eq!(first, opened, "it opens at the beginning");
    assert_eq!(browser.value("#at").await, browser.js("return document.querySelector('#at').min").await);
    assert_eq!(browser.text(".head h1").await, "Round 1 of 3 Replay");
    assert!(browser.has("#prev[aria-disabled]").await, "nothing comes before the first moment");
    assert_eq!(browser.count(".speech.lit").await, 0);

    browser.click("#next").await;
    until_at(browser, &format!("> {first}")).await;
    let second = at(browser).await;
    browser.see(".speech.lit").await;
    assert!(browser.path().await.ends_with(&format!("/replay?at={second}")), "every moment has an address");
    browser.click("#prev").await;
    until_at(browser, &format!("=== {first}")).await;

    // Arrows, with the focus on no field.
    browser.js("document.activeElement.blur()").await;
    browser.press(Key::Right).await;
    until_at(browser, &format!("=== {second}")).await;
    browser.press(Key::Left).await;
    until_at(browser, &format!("=== {first}")).await;

    let play = browser.text("#play").await;
    browser.click("#play").await;
    assert_ne!(browser.text("#play").await, play, "it says that it can be stopped");
    until_at(browser, &format!("> {second}")).await;
    browser.click("#play").await;
    browser.until(&format!("document.querySelector('#play').innerText === `{play}`")).await;

    // A link to an argument shows that argument.
    let link = browser
        .see(".speech:nth-last-child(1 of .speech) .anchor")
        .await
        .attr("href")
        .await
        .expect("a link")
        .expect("an address");
    browser.click(".speech:nth-last-child(1 of .speech) .anchor").await;
    browser.until(&format!("(location.pathname + location.search + location.hash) === `{link}`")).await;
    assert_eq!(browser.js("return window.here").await, true, "one page all along");
    browser.goto("/").await;
    browser.goto(&link).await;
    let (_, id) = link.split_once('#').expect("it points at the speech");
    let lit = browser.see(".speech.lit").await;
    assert_eq!(lit.id().await.expect("it was just seen").as_deref(), Some(id));
    let inside = "const b = document.querySelector('.speech.lit').getBoundingClientRect();
        const p = document.querySelector('#record-pane').getBoundingClientRect();
        return b.top >= p.top - 1 && b.top < p.bottom";
    assert_eq!(browser.js(inside).await, true, "the argument is in sight");
    browser.inspect().await;
}

#[tokio::test]
async fn a_phone_keyboard_only_game_in_korean_with_a_refused_input_and_a_reload() {
    let world = World::open().await;
    let browser = Browser::at(world.address, "ko", PHONE).await;
    browser.goto("/").await;
    assert_eq!(browser.js("return document.documentElement.lang").await, "ko");
    browser.inspect().await;
    browser.tab_to(".hero a.button").await;
    browser.press(Key::Enter).await;
    browser.tab_to("#display_name").await;
    browser.press("지우").await;
    browser.tab_to("#min_players").await;
    browser.press(Key::Control + "a").await;
    browser.press("3").await;
    browser.tab_to("#auto_advance_s").await;
    browser.press(Key::Home).await;
    assert_eq!(browser.value("#auto_advance_s").await, "0");
    browser.tab_to("[name=fill]").await;
    browser.press(Key::Space).await;
    browser.inspect().await;
    browser.tab_to("main form button.primary").await;
    browser.press(Key::Enter).await;
    browser.tab_to("form[action$='/start'] button").await;
    browser.press(Key::Enter).await;
    browser.until("document.querySelector('.stepper .now')").await;

    let (mut argued, mut decided) = (0, 0);
    for _ in 0..TURNS_MAX {
        let what = asked(&browser).await;
        if what == Asked::Nothing {
            break;
        }
        let key = form_key(&browser).await;
        let mine = matches!(what, Asked::Argue | Asked::Decide);
        assert_eq!(
            browser.driver.title().await.expect("a title") == "● 내 차례 · Moot",
            mine,
            "while asked to {what:?}"
        );
        let in_sight = "const b = document.querySelector('.turn').getBoundingClientRect();
            return b.top >= 0 && b.bottom <= innerHeight";
        assert_eq!(browser.js(in_sight).await, true, "whose turn it is can be seen without scrolling");
        match what {
            Asked::Argue => {
                argued += 1;
                match argued {
                    1 => refused_at_501(&browser, &key).await,
                    2 => reloaded_while_typing(&browser).await,
                    _ => {
                        browser.tab_to("#text").await;
                        browser.press(format!("{argued}번째 주장입니다. 우리 쪽을 살려 주세요.")).await;
                    }
                }
                browser.tab_to("[data-region=form] form[data-draft] button.primary").await;
                browser.press(Key::Enter).await;
            }
            Asked::Decide => {
                decided += 1;
                browser.tab_to("[name=decision]").await;
                browser.press(Key::Space).await;
                browser.press(Key::Down).await;
                browser.tab_to(".why summary").await;
                browser.press(Key::Enter).await;
                browser.tab_to("#reason").await;
                browser.press("소수의 말이 더 와닿았습니다.").await;
                browser.tab_to("#decisive").await;
                browser.press(Key::Down).await;
                browser.tab_to("[data-region=form] form[data-draft] button.primary").await;
                browser.press(Key::Space).await;
            }
            Asked::NextRound => {
                browser.tab_to("[data-region=form] button.primary").await;
                browser.press(Key::Enter).await;
            }
            Asked::Nothing => unreachable!("the loop has ended"),
        }
        until_form_changes(&browser, &key).await;
    }
    assert_eq!((argued, decided), (6, 1), "twice on a track, once at the lever");
    browser.inspect().await;
    let game = game_of(&browser).await;
    let feed = world.api.get(&format!("/api/games/{game}/feed?limit=100")).await.text;
    for words in ["501자", "반쯤 쓴 말에 이어서", "6번째 주장", "소수의 말이 더 와닿았습니다."]
    {
        assert!(feed.contains(words), "{words} is not in {feed}");
    }
    let history = world.api.get(&format!("/api/games/{game}/history")).await.ok();
    let own = history["rounds"].as_array().expect("rounds").iter().find(|one| one["operator_display_name"] == "지우");
    assert_eq!(own.expect("one was decided by hand")["decision"], "save_minority");
}

/// One character too many is refused beside the field, in Korean, and nothing typed is lost.
async fn refused_at_501(browser: &Browser, key: &str) {
    let long: String = "501자를쓰면하나가넘칩니다.".chars().cycle().take(501).collect();
    assert_eq!(long.trim().chars().count(), 501, "none of them is a space");
    browser.tab_to("#text").await;
    browser.press(long.as_str()).await;
    assert_eq!(browser.text("#text-count").await, "501 / 500 · 너무 깁니다");
    browser.tab_to("[data-region=form] form[data-draft] button.primary").await;
    browser.press(Key::Enter).await;
    browser.see("#text-refused").await;
    assert_eq!(browser.text("#text-refused").await, "✕\n1자에서 500자 사이로 써 주세요.".trim_start_matches("✕\n"));
    assert_eq!(browser.value("#text").await, long, "what was typed is kept");
    assert_eq!(form_key(browser).await, key, "it is still the same turn");
    assert_eq!(browser.js("return document.activeElement.id").await, "text", "and the focus is where it can be mended");
    let beside = "const a = document.querySelector('#text').getBoundingClientRect();
        const b = document.querySelector('#text-refused').getBoundingClientRect();
        return b.top - a.bottom < 24 && b.bottom <= innerHeight";
    assert_eq!(browser.js(beside).await, true, "the refusal stands at the field, in sight");
    browser.press(Key::Control + Key::End).await;
    browser.press(Key::Backspace).await;
    assert_eq!(browser.text("#text-count").await, "500 / 500");
}

/// A reload in the middle of a sentence costs nothing.
async fn reloaded_while_typing(browser: &Browser) {
    browser.tab_to("#text").await;
    browser.press("반쯤 쓴 말").await;
    browser.driver.refresh().await.expect("the page can be opened again");
    browser.until("document.querySelector('#text')?.value === '반쯤 쓴 말'").await;
    browser.tab_to("#text").await;
    browser.press(Key::Control + Key::End).await;
    browser.press("에 이어서 씁니다.").await;
    assert_eq!(browser.value("#text").await, "반쯤 쓴 말에 이어서 씁니다.");
}
