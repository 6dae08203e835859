//! Seats in a browser: who holds one, what typing survives, and pages without scripts.

use crate::browser::Browser;
use crate::world::{Api, Game, World, create, open_game, silent, sit, text};
use serde_json::{Value, json};
use thirtyfour::prelude::*;

const TOKENS: [&str; 4] = ["the-first-other", "the-second-other", "the-third-other", "the-fourth-other"];

/// A table opened in the browser with the form, with one seat taken there; not started.
async fn opened(browser: &Browser, name: &str, players: usize) -> Game {
    browser.goto("/new").await;
    browser.fill("#display_name", name).await;
    browser.fill("#min_players", &players.to_string()).await;
    browser.click("#turn_limit_s option[value='0']").await;
    browser.click("#auto_advance_s option[value='0']").await;
    browser.follow("main form button.primary").await;
    let path = browser.path().await;
    Game { id: path.strip_prefix("/games/").expect("the table's page").to_owned(), agents: vec![] }
}

/// Moves on until the browser's own seat stands on a track.
async fn until_on_a_track(browser: &Browser, host: &Api, game: &Game) {
    loop {
        browser.until("document.querySelector('[data-region=form]').dataset.key.includes('.phase_1.')").await;
        if browser.has("#text").await {
            return;
        }
        for action in ["force_decision", "resolve_round", "next_phase"] {
            host.post(&game.path("/advance"), &json!({"action": action})).await.ok();
        }
        browser.see("#text").await;
    }
}

#[tokio::test]
async fn typing_survives_what_others_do() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    let mut game = opened(&browser, "Typist", 5).await;
    for (number, token) in TOKENS.iter().enumerate() {
        sit(&world.api, &mut game, &format!("Other {number}"), Some(token)).await;
    }
    let others: Vec<Api> = TOKENS.iter().map(|token| world.api.with(token)).collect();
    others[0].post_nothing(&game.path("/start")).await.ok();
    until_on_a_track(&browser, &others[0], &game).await;
    // A round of long speeches, so that there is something to scroll.
    let long = "Long enough to fill a card of several lines, so that the record is higher than its window. ".repeat(4);
    let argue = async |api: &Api, words: &str| -> bool {
        let state = game.state(api).await;
        let said = api.post(&game.arguments(&state), &json!({"text": words})).await;
        said.status == 200 || said.status == 201
    };
    for _ in 0..2 {
        browser.see("#text").await;
        let key = browser.js("return document.querySelector('[data-region=form]').dataset.key").await;
        for api in &others {
            argue(api, &long).await;
        }
        browser.fill("#text", &long).await;
        browser.click("[data-region=form] button.primary").await;
        browser.until(&format!("document.querySelector('[data-region=form]').dataset.key !== {key}")).await;
    }
    browser
        .until(
            "document.querySelectorAll('.speech:not(.arriving)').length >= 8 && !document.querySelector('.arriving')",
        )
        .await;

    // Half a sentence, the caret in its middle, an earlier speech in sight.
    browser.fill("#text", "A thought begins and is not finished").await;
    browser
        .js("window.here = true; const field = document.querySelector('#text'); field.setSelectionRange(10, 10)")
        .await;
    browser.js("document.querySelector('#record-pane').scrollTop = -300").await;
    let state = "const field = document.activeElement, pane = document.querySelector('#record-pane');
        const top = (el) => Math.round(el.getBoundingClientRect().top);
        const read = top(document.querySelectorAll('.speech')[2]);
        // Heights have fractions that scrolling rounds away: a pixel for each speech is not a jump.
        const still = Math.abs(read - (window.was ??= read)) <= 3;
        return [field.id, field.value, field.selectionStart, field.selectionEnd, window.here, still, top(field)]";
    let before = browser.js(state).await;
    assert_eq!(before[0], "text", "{before}");
    assert_eq!(before[2], 10, "{before}");
    let said = browser.count(".speech").await;
    let mut spoke = 0;
    for (number, api) in others.iter().enumerate() {
        if argue(api, &format!("Somebody else speaks meanwhile, number {number}.")).await {
            spoke += 1;
            browser
                .until(&format!("document.querySelectorAll('.speech:not(.arriving)').length === {}", said + spoke))
                .await;
            assert_eq!(browser.js(state).await, before, "after {spoke} others spoke");
        }
    }
    assert_eq!(spoke, 3, "one of the four holds the lever");
    browser.see("#pill").await;
    assert!(browser.text(".hint").await.contains("One argument"), "the turn is still one's own");
    browser.press("again ").await;
    assert_eq!(browser.value("#text").await, "A thought again begins and is not finished");
    assert_eq!(browser.js("return document.querySelector('#text').selectionStart").await, 16);
    browser.click("#pill").await;
    browser
        .until(
            "Math.abs(document.querySelector('#record-pane').scrollTop) < 2 && document.querySelector('#pill').hidden",
        )
        .await;
    browser.click("[data-region=form] button.primary").await;
    browser.until("[...document.querySelectorAll('.speech.own:not(.arriving) blockquote')].at(-1).innerText === 'A thought again begins and is not finished'").await;
    browser.until("!document.querySelector('#text')?.value").await;
}

#[tokio::test]
async fn a_name_half_typed_survives_others_sitting_down() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    let mut game = create(&world.api, &json!({"min_players": 3})).await;
    browser.goto(&format!("/games/{}", game.id)).await;
    browser.fill("#display_name", "Half a na").await;
    browser.js("document.querySelector('#display_name').setSelectionRange(4, 4)").await;
    for seated in 1..=3 {
        sit(&world.api, &mut game, &format!("Other {seated}"), None).await;
        browser.until(&format!("document.querySelectorAll('.sitter').length === {seated}")).await;
        let state = "const field = document.activeElement; return [field.id, field.value, field.selectionStart]";
        assert_eq!(browser.js(state).await, json!(["display_name", "Half a na", 4]), "after {seated} sat down");
    }
}

#[tokio::test]
async fn the_table_offers_only_what_does_something_and_keeps_the_focus() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    opened(&browser, "Keyboard", 3).await;
    browser.click("form[action$='/fill'] button").await;
    browser.until("document.querySelectorAll('.sitter').length === 3").await;
    browser.see("form[action$='/start'] button").await;
    assert!(!browser.has("form[action$='/fill']").await, "every seat that is needed is filled");
    loop {
        browser.goto("/").await;
        browser.follow("form[action='/play'] button").await;
        if browser.has("#text").await {
            break;
        }
    }
    browser.tab_to("#text").await;
    browser.press("Said by keyboard.").await;
    browser.tab_to("[data-region=form] form[data-draft] button.primary").await;
    browser.press(Key::Enter).await;
    browser.until("!document.querySelector('#text')?.value").await;
    let focus = browser.js("return document.activeElement.closest('#panel') !== null").await;
    assert_eq!(focus, true, "whoever plays by keyboard is not sent back to the top of the page");
}

#[tokio::test]
async fn a_guest_keeps_the_seat_and_nobody_else_gets_it() {
    let world = World::open().await;
    let first = Browser::open(&world).await;
    let second = Browser::open(&world).await;
    let game = opened(&first, "First Guest", 3).await;
    let page = format!("/games/{}", game.id);
    // The link is in the table's own pane; anybody who has it may sit down.
    first.click("label[for=tab-info]").await;
    let link = first.value("#invite").await;
    assert!(link.ends_with(&page), "{link}");
    second.goto(link.strip_prefix(&format!("http://{}", world.address)).expect("an address of this house")).await;
    assert!(!second.has(".tok.you").await, "the second one sits nowhere yet");
    assert!(!second.has("form[action$='/start'], form[action$='/fill']").await, "and does not run the table");
    second.fill("#display_name", "Second Guest").await;
    second.click("form[action$='/sit'] button").await;
    second.until("document.querySelector('.sitter .tok.you')").await;
    assert_eq!(second.count(".sitter").await, 2);
    first.click("label[for=tab-record]").await;
    first.until("document.querySelectorAll('.sitter').length === 2").await;
    second.click("form[action$='/fill'] button").await;
    second.click("form[action$='/start'] button").await;
    first.until("document.querySelector('.stepper .now')").await;
    second.until("document.querySelector('.stepper .now')").await;

    // Both still sit there after they come back; a third sees a game and no form.
    let third = Browser::open(&world).await;
    third.goto(&page).await;
    first.goto(&page).await;
    second.goto(&page).await;
    for (browser, name) in [(&first, "First Guest"), (&second, "Second Guest")] {
        let own = browser.js("return document.querySelector('.board .token.you title').textContent").await;
        assert!(text(&own).starts_with(name), "{own} is not {name}");
    }
    assert!(!third.has(".token.you, .tok.you").await);
    assert!(!third.has("[data-region=form] form").await, "a visitor has no form");
    third.inspect().await;

    // What the page does not offer is also refused when it is sent anyway, by a browser or by any other client.
    let state = game.state(&world.api).await;
    let round = text(&state["current_round_id"]);
    let form = |rest: &str| format!("type=argument&round_id={round}&text=stolen{rest}");
    let agent = text(&state["majority_agents"][0]["id"]).to_owned();
    let stolen = [form(""), form(&format!("&agent_id={agent}")), "type=advance&action=force_decision".to_owned()];
    for body in &stolen {
        let script = format!(
            "return fetch('{page}/act', {{method: 'POST', redirect: 'manual', body: new URLSearchParams('{body}')}}).then((res) => res.status)"
        );
        let status = third.js(&script).await.as_u64().expect("a status");
        assert!([401, 403].contains(&status), "{body} was answered {status}");
        for cookie in ["", "moot_guest=guest_0000000000000000000000", "moot_session=moot_session_00000000"] {
            let sent = world.api.request("POST".parse().expect("a method"), &format!("{page}/act"));
            let sent = sent.header("cookie", cookie).header("content-type", "application/x-www-form-urlencoded");
            let status = sent.body(body.clone()).send().await.expect("an answer").status().as_u16();
            assert!([401, 403].contains(&status), "{body} with {cookie:?} was answered {status}");
        }
    }
    // Sent from another site, not even the owner's own cookie helps.
    let cookie = first.driver.get_named_cookie("moot_guest").await.expect("the guest has one");
    assert_eq!(cookie.http_only, Some(true), "scripts cannot read it");
    let sent = world.api.request("POST".parse().expect("a method"), &format!("{page}/act"));
    let sent =
        sent.header("cookie", format!("moot_guest={}", cookie.value)).header("origin", "http://elsewhere.example");
    let sent = sent.header("content-type", "application/x-www-form-urlencoded").body(form(""));
    assert_eq!(sent.send().await.expect("an answer").status().as_u16(), 403);
    assert!(!world.api.get(&game.path("/feed")).await.text.contains("stolen"));
}

#[tokio::test]
async fn a_player_who_sits_down_is_not_shown_the_table_as_it_was_before() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    let game = create(&world.api, &json!({"min_players": 3})).await;
    browser.goto(&format!("/games/{}", game.id)).await;
    // A slow network: the first look was sent before the seat's cookie came, and is answered after the form.
    let slow = "const real = window.fetch;
        window.looks = 0;
        let sat;
        const form = new Promise((done) => { sat = done; });
        window.fetch = async (to, how) => {
            if (how.method === 'POST') {
                const answer = await real(to, how);
                await window.looking;
                setTimeout(sat, 100);
                return answer;
            }
            const first = window.looks++ === 0;
            if (first) window.began();
            const answer = await real(to, first ? {...how, credentials: 'omit'} : how);
            if (first) await form;
            return answer;
        };
        window.looking = new Promise((done) => { window.began = done; });";
    browser.js(slow).await;
    browser.fill("#display_name", "Slow Guest").await;
    browser.click("form[action$='/sit'] button").await;
    browser.until("window.looks === 2 && document.querySelector('.sitter .tok.you')").await;
}

#[tokio::test]
async fn every_page_without_scripts_shows_its_content() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    let other = open_game(&world.api, 4).await;
    let state = other.state(&world.api).await;
    let [speaker, ..] = &silent(&state)[..] else { panic!("three of four argue") };
    let words = "Plain words for plain pages.";
    world.api.post(&other.arguments(&state), &json!({"agent_id": speaker, "text": words})).await.ok();

    browser.goto("/").await;
    assert_eq!(browser.count(".card svg.board").await, 1);
    assert!(browser.shown().await.contains(words));
    browser.follow_plain(".card h3 a").await;
    assert_eq!(browser.path().await, format!("/games/{}", other.id));
    assert!(browser.shown().await.contains(words));
    assert!(!browser.has("[data-region=board] svg:not([role=img])").await);

    // A whole round with plain forms: each answers with the table as it is now.
    let mut game = opened(&browser, "No Script", 3).await;
    for token in &TOKENS[..2] {
        sit(&world.api, &mut game, token, Some(token)).await;
    }
    let page = format!("/games/{}", game.id);
    browser.goto(&page).await;
    browser.follow_plain("form[action$='/start'] button").await;
    assert_eq!(browser.path().await, page, "the form leads back to the table");
    let host = world.api.with(TOKENS[0]);
    if !browser.has("#text").await {
        for action in ["force_decision", "resolve_round", "next_phase"] {
            host.post(&game.path("/advance"), &json!({"action": action})).await.ok();
        }
        browser.follow_plain("noscript a, a[href='{page}']".replace("{page}", &page).as_str()).await;
    }
    browser.fill("#text", "Said without a script.").await;
    browser.follow_plain("[data-region=form] form[data-draft] button.primary").await;
    assert_eq!(browser.path().await, page);
    assert_eq!(browser.text(".speech.own blockquote").await, "Said without a script.");
    assert!(browser.text(".turn").await.contains("You have spoken"));

    // A refusal keeps what was typed, also without a script.
    let next = json!({"action": "next_phase"});
    host.post(&game.path("/advance"), &next).await.ok();
    browser.goto(&page).await;
    let long = "x".repeat(501);
    browser.fill("#text", &long).await;
    browser.follow_plain("[data-region=form] form[data-draft] button.primary").await;
    let refused = browser.text("#text-refused").await;
    assert!(refused.contains("501 characters"), "{refused}");
    assert_eq!(browser.value("#text").await, long);
    browser.see(".refused").await;

    // A finished game can be read moment by moment.
    let done = crate::world::play(&world.api, &other, |_| {}).await;
    assert_eq!(done["status"], "game_completed");
    browser.goto(&format!("/games/{}/replay?at=10", other.id)).await;
    browser.follow_plain("#next").await;
    let path = browser.path().await;
    assert!(path.contains("/replay?at=") && !path.ends_with("at=10"), "{path}");
    assert!(browser.has(".lit, .mark").await);
    for path in ["/new", "/login", "/register", "/docs", "/docs/trolley", "/docs/agents", "/docs/api", "/nowhere"] {
        browser.goto(path).await;
        let words = browser.text("main").await;
        assert!(words.len() > 60, "{path} shows {words:?}");
        browser.inspect().await;
    }
    assert_eq!(browser.js("return typeof window.here").await, Value::from("undefined"));
}
