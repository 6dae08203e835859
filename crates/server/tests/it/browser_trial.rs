//! A trial in a real browser: from a seat in the box, from the bar by keyboard, and with names and words that look like code.

use crate::browser::{Browser, DESKTOP};
use crate::browser_escape::{IMAGE, SCRIPT, literal};
use crate::world::{Api, World, text};
use engine::chance::Seed;
use engine::game::{Command, Game};
use engine::id::GameId;
use engine::roster::{TableCommand, Terms};
use engine::rules::{Actor, Rules as _, Viewer};
use engine::time::Timestamp;
use games::trial::Trial;
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use uuid::Uuid;

/// A narrow phone.
const NARROW: (u32, u32) = (360, 780);
/// More acts than two seats can have in a trial.
const ACTS_MAX: usize = 40;
/// How often a page without scripts may be opened in one trial.
const LOOKS_MAX: usize = 300;
const SEEDS_MAX: u32 = 10_000;
const KEY: &str = "document.querySelector('[data-region=form]').dataset.key";
const OVER: &str = "document.querySelector('#table').dataset.over === 'true'";
const HTML: &str = "return document.documentElement.outerHTML + JSON.stringify(localStorage)";

/// A seed that deals these roles to the first seats.
fn seed_for(roles: &[&str]) -> String {
    let dealt = |seed: &String| {
        let setup = Trial::setup(&json!({})).expect("nothing must be chosen");
        let id = GameId(Uuid::from_u128(7));
        let (mut game, _) = Game::<Trial>::found(id, Seed::chosen(seed), setup, Terms::default(), Timestamp(0));
        let names = ["a", "b", "c", "d", "e", "f"].map(Into::into).to_vec();
        game.apply(Actor::Host, &Command::Table(TableCommand::Fill { names }), Timestamp(0)).expect("six may sit");
        let view = game.view(Viewer::Spectator, &[]);
        roles.iter().zip(&view.participants).all(|(role, one)| one.role == Some(role))
    };
    (0..SEEDS_MAX).map(|n| format!("court {n}")).find(dealt).expect("one of so many seeds deals them")
}

/// A table that deals these roles to the first seats, at which house minds answer at once.
pub async fn table(host: &Api, lang: &str, roles: &[&str]) -> String {
    let body = json!({"game_type": "trial", "seed": seed_for(roles), "lang": lang, "pace_ms": 0});
    text(&host.post("/api/games", &body).await.ok()["game_id"]).to_owned()
}

pub async fn sit(api: &Api, game: &str, name: &str) {
    api.post(&format!("/api/games/{game}/agents/register"), &json!({"display_name": name})).await.ok();
}

pub async fn fill(host: &Api, game: &str) {
    host.post(&format!("/api/games/{game}/fill"), &json!({})).await.ok();
}

async fn state(api: &Api, game: &str) -> Value {
    api.get(&format!("/api/games/{game}/state")).await.ok()
}

pub async fn act(api: &Api, game: &str, body: Value) {
    api.post(&format!("/api/games/{game}/action"), &body).await.ok();
}

/// Waits until the page asks for words or a vote, or the trial is over, and returns which.
pub async fn asked(browser: &Browser) -> String {
    let asked = format!(
        "(() => {{ if ({OVER}) return 'over';
            const has = (css) => document.querySelector('[data-region=form] ' + css);
            return has('#text') ? 'speak' : has('[name=verdict]') ? 'vote' : '' }})()"
    );
    browser.until(&asked).await;
    text(&browser.js(&format!("return {asked}")).await).to_owned()
}

async fn until_form_changes(browser: &Browser, key: &Value) {
    browser.until(&format!("{KEY} !== {key}")).await;
}

async fn form_key(browser: &Browser) -> Value {
    browser.js(&format!("return {KEY}")).await
}

pub async fn register(browser: &Browser, name: &str) {
    browser.fill("#username", name).await;
    browser.fill("#email", "juror@example.org").await;
    browser.fill("#password", "a long enough password").await;
    browser.inspect().await;
    browser.follow("main form button.primary").await;
}

#[tokio::test]
async fn a_juror_on_a_narrow_phone_in_korean_votes_unseen_until_the_count() {
    let world = World::open().await;
    let host = world.account("host").await;
    let game = table(&host, "ko", &["JUROR", "JUROR"]).await;
    sit(&host, &game, "하늘").await;
    let browser = Browser::at(world.address, "ko", NARROW).await;
    let here = format!("/games/{game}");
    browser.goto(&here).await;
    assert!(!browser.has("form[action$='/sit']").await, "without an account nobody sits in court");
    browser.follow("a.button[href^='/register']").await;
    assert!(browser.shown().await.contains("법정의 자리는 계정에 딸려 있어"), "it says why");
    register(&browser, "지우").await;
    assert_eq!(browser.path().await, here, "and leads back");
    browser.click("form[action$='/sit'] button").await;
    browser.until("document.querySelector('.status .tok.you')").await;
    browser.inspect().await;
    fill(&host, &game).await;

    let mut spoken = 0;
    while asked(&browser).await == "speak" {
        spoken += 1;
        let key = form_key(&browser).await;
        match spoken {
            1 => refused_at_201(&browser).await,
            2 => reloaded_while_typing(&browser).await,
            _ => browser.fill("#text", &format!("{spoken}번째로 마음을 정리해 말합니다.")).await,
        }
        browser.inspect().await;
        browser.click("[data-region=form] form[data-draft] button.primary").await;
        until_form_changes(&browser, &key).await;
        act(&host, &game, json!({"type": "speak", "text": format!("저는 {spoken}번째로 듣고 있습니다.")})).await;
    }
    assert_eq!(spoken, 4, "an opening and three rounds");
    vote_and_look(&world, &browser, &host, &game).await;

    browser.until(OVER).await;
    browser.until("document.querySelectorAll('.vote.up').length === 3").await;
    assert_eq!(browser.text(".seat.you .vote.up").await, "무죄");
    let end = state(&world.api, &game).await;
    assert_eq!(end["status"], "end");
    browser.click("label[for=tab-scores]").await;
    for one in end["participants"].as_array().expect("six") {
        let row = format!(
            "[...document.querySelectorAll('.scores tbody tr')].find((row) => row.innerText.includes({})).cells[2].innerText",
            one["name"]
        );
        assert_eq!(browser.js(&format!("return {row}")).await, one["points"].to_string(), "{}", one["name"]);
    }
    let feed = world.api.get(&format!("/api/games/{game}/feed?limit=100")).await.text;
    for words in ["201자를", "반쯤 쓴 말에 이어서"] {
        assert!(feed.contains(words), "{words} was said: {feed}");
    }
    browser.inspect().await;
}

/// Votes, and finds the vote nowhere: not on the juror's own page, not on anybody else's, not after a reload.
async fn vote_and_look(world: &World, browser: &Browser, host: &Api, game: &str) {
    assert_eq!(asked(browser).await, "vote");
    assert_eq!(browser.count(".vote.slot").await, 3, "there is room for three");
    let key = form_key(browser).await;
    browser.inspect().await;
    browser.click(".verdict.not_guilty").await;
    until_form_changes(browser, &key).await;
    assert_eq!(browser.text(".turn").await, "표를 봉인했습니다");
    assert_eq!(browser.count(".seat.you .vote.down").await, 1, "its back can be seen");
    for _ in 0..2 {
        assert_eq!(browser.count(".vote.up").await, 0);
        assert!(!browser.has(".ballot").await, "no word of it stands in the transcript or the table");
        let page = browser.js(HTML).await;
        for word in ["GUILTY", "guilty"] {
            assert!(!text(&page).contains(word), "{word} stands in {page}");
        }
        browser.goto(&browser.path().await).await;
    }
    for path in [format!("/games/{game}/fragment"), format!("/api/games/{game}/state"), "/fragment".to_owned()] {
        let seen = world.api.get(&path).await.text;
        assert!(!seen.contains("GUILTY") && !seen.contains("vote up"), "{path}: {seen}");
    }
    act(host, game, json!({"type": "vote", "verdict": "GUILTY"})).await;
}

/// One character too many is refused beside the field, and nothing typed is lost.
async fn refused_at_201(browser: &Browser) {
    let long: String = "201자를쓰면하나가넘칩니다.".chars().cycle().take(201).collect();
    browser.fill("#text", &long).await;
    assert_eq!(browser.text("#text-count").await, "201 / 200 · 너무 깁니다");
    browser.click("[data-region=form] form[data-draft] button.primary").await;
    assert_eq!(browser.text("#text-refused").await, "1자에서 200자 사이로 써 주세요.");
    assert_eq!(browser.value("#text").await, long, "what was typed is kept");
    browser.press(Key::Control + Key::End).await;
    browser.press(Key::Backspace).await;
    assert_eq!(browser.text("#text-count").await, "200 / 200");
}

async fn reloaded_while_typing(browser: &Browser) {
    browser.fill("#text", "반쯤 쓴 말").await;
    browser.driver.refresh().await.expect("the page can be opened again");
    browser.until("document.querySelector('#text')?.value === '반쯤 쓴 말'").await;
    browser.see("#text").await.send_keys("에 이어서 씁니다.").await.expect("it can be typed into");
}

#[tokio::test]
async fn the_prosecution_by_keyboard_only_from_the_lobby_to_the_replay() {
    let world = World::open().await;
    let host = world.account("host").await;
    let game = table(&host, "en", &["PROSECUTOR"]).await;
    let browser = Browser::at(world.address, "en", DESKTOP).await;
    browser.goto("/").await;
    browser.tab_to(".offers li:nth-child(2) button").await;
    browser.press(Key::Enter).await;
    for (field, typed) in
        [("#username", "Ines"), ("#email", "ines@example.org"), ("#password", "a long enough password")]
    {
        browser.tab_to(field).await;
        browser.press(typed).await;
    }
    browser.press(Key::Enter).await;
    browser.tab_to("form[action='/play'] button").await;
    assert_eq!(browser.path().await, "/play?game_type=trial", "back to where one was going");
    browser.press(Key::Enter).await;
    browser.until("document.querySelector('.seat.you')").await;
    assert_eq!(browser.count(".seat").await, 6, "one click from there, everybody sits");

    browser.goto(&format!("/games/{game}")).await;
    browser.tab_to("form[action$='/sit'] button").await;
    browser.press(Key::Enter).await;
    browser.until("document.querySelector('.status .tok.you')").await;
    fill(&host, &game).await;
    let mut spoken = 0;
    while asked(&browser).await == "speak" {
        spoken += 1;
        assert!(spoken <= 5, "an opening, three rounds and a rebuttal");
        let key = form_key(&browser).await;
        assert_eq!(browser.text(".turn").await, "Your turn to speak: Prosecution");
        browser.tab_to("#text").await;
        browser.press(format!("Point number {spoken}: the log says so.")).await;
        browser.tab_to("[data-region=form] form[data-draft] button.primary").await;
        browser.press(Key::Enter).await;
        until_form_changes(&browser, &key).await;
    }
    assert_eq!(spoken, 5);
    browser.until("document.querySelectorAll('.speech.own:not(.arriving)').length === 5").await;
    assert_eq!(browser.count(".record .mark").await, 7, "seven parts of the trial have a heading");
    browser.inspect().await;
    browser.tab_to("a.button[href$='/replay']").await;
    browser.press(Key::Enter).await;
    votes_in_the_replay(&browser).await;
    browser.goto("/account").await;
    let games = browser.text("section:has(#games-h)").await;
    assert!(games.contains(" wins · finished"), "how it ended: {games}");
}

/// From the last rebuttal on, one step at a time: face down until the third is in, then all three at once.
async fn votes_in_the_replay(browser: &Browser) {
    browser.until("document.querySelector('#replay')").await;
    browser.tab_to(".jump a:nth-last-of-type(2)").await;
    browser.press(Key::Enter).await;
    browser.until("document.querySelectorAll('.vote.slot').length === 3").await;
    browser.js("document.activeElement.blur()").await;
    for down in 1..=3 {
        browser.press(Key::Right).await;
        browser.until(&format!("document.querySelectorAll('.vote.down').length === {down}")).await;
        assert_eq!(browser.count(".vote.up, .ballot").await, 0, "not even {down} sealed votes tell anything");
    }
    browser.press(Key::Right).await;
    browser.until("document.querySelectorAll('.vote.up').length === 3").await;
    assert_eq!(browser.count(".record .ballot").await, 3);
    browser.inspect().await;
}

#[tokio::test]
async fn speeches_that_come_together_are_shown_one_by_one_with_their_speaker_lit() {
    let world = World::open().await;
    let host = world.account("host").await;
    let game = table(&host, "en", &["JUDGE"]).await;
    sit(&host, &game, "Ines").await;
    let browser = Browser::open(&world).await;
    let watch = "window.shown = [];
        window.waited = false;
        new MutationObserver(() => {
            window.waited ||= Boolean(document.querySelector('.record .arriving'));
            const now = [...document.querySelectorAll('.record .speech:not(.arriving)')];
            if (now.length <= window.shown.length) return;
            const last = now.at(-1).dataset.by;
            window.shown.push([now.length, Math.round(performance.now()), last === document.querySelector('.seat.lit')?.dataset.agent]);
        }).observe(document.querySelector('#table'), {subtree: true, childList: true, attributes: true, attributeFilter: ['class']})";
    for calm in [false, true] {
        browser.goto(&format!("/games/{game}")).await;
        let value = if calm { "reduce" } else { "no-preference" };
        let features = json!({"features": [{"name": "prefers-reduced-motion", "value": value}]});
        browser.ask("Emulation.setEmulatedMedia", features).await;
        let before = browser.js("return document.querySelectorAll('.speech').length").await.as_u64().expect("a number");
        browser.js(watch).await;
        if calm {
            act(&host, &game, json!({"type": "speak", "text": "A question: who kept the log?"})).await;
        } else {
            fill(&host, &game).await;
            act(&host, &game, json!({"type": "speak", "text": "The court is in session."})).await;
        }
        // The others speak at once, and then the judge is awaited again.
        browser.until(&format!("document.querySelectorAll('.speech:not(.arriving)').length >= {}", before + 6)).await;
        let shown: Vec<(u64, u64, bool)> =
            serde_json::from_value(browser.js("return window.shown").await).expect("what was seen");
        if calm {
            let waited = browser.js("return window.waited").await;
            assert_eq!(waited, false, "without motion they need not wait for each other: {shown:?}");
        } else {
            assert!(shown.len() >= 6 && shown.iter().all(|(_, _, lit)| *lit), "each is lit in its turn: {shown:?}");
            assert!(shown[5].1 - shown[0].1 > 2_000, "one can follow them: {shown:?}");
        }
    }
}

#[tokio::test]
async fn names_and_speeches_in_court_are_text_whatever_they_look_like() {
    let world = World::open().await;
    let (one, other) = (world.account("one").await, world.account("other").await);
    let game = table(&one, "en", &["JUROR", "DEFENSE"]).await;
    sit(&one, &game, SCRIPT).await;
    sit(&other, &game, &IMAGE[..40.min(IMAGE.len())]).await;
    let browser = Browser::open(&world).await;
    browser.goto(&format!("/games/{game}")).await;
    literal(&browser, &[SCRIPT]).await;
    fill(&one, &game).await;
    let mut acts = 0;
    while state(&one, &game).await["status"] != "end" {
        for (api, words) in [(&one, IMAGE), (&other, SCRIPT)] {
            let body = match state(api, &game).await["expected_action"].as_str() {
                Some("speak") => json!({"type": "speak", "text": format!("{words} {acts}")}),
                Some("vote") => json!({"type": "vote", "verdict": "GUILTY"}),
                _ => continue,
            };
            act(api, &game, body).await;
            acts += 1;
            assert!(acts <= ACTS_MAX);
        }
        if acts == 4 {
            // What the page's script inserts is text as well.
            browser.until(&format!("document.body.textContent.includes({})", json!(format!("{SCRIPT} 1")))).await;
            literal(&browser, &[SCRIPT, IMAGE]).await;
        }
    }
    for path in [format!("/games/{game}"), format!("/games/{game}/replay"), "/".to_owned()] {
        browser.goto(&path).await;
        literal(&browser, &[SCRIPT]).await;
    }
    for path in [format!("/games/{game}/fragment"), format!("/games/{game}/replay/fragment")] {
        let page = world.api.get(&path).await.text;
        assert!(page.contains("&#60;script&#62;"), "{path} shows it: {page}");
        assert!(!page.contains(SCRIPT) && !page.contains("<img"), "{path} runs it");
    }
}

#[tokio::test]
async fn a_trial_can_be_played_without_scripts() {
    let world = World::open().await;
    let host = world.account("host").await;
    let game = table(&host, "en", &["JUROR"]).await;
    let browser = Browser::open(&world).await;
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    let here = format!("/games/{game}");
    browser.goto(&here).await;
    browser.follow_plain("a.button[href^='/register']").await;
    for (field, typed) in [("#username", "Plain"), ("#email", "p@example.org"), ("#password", "long enough by far")] {
        browser.fill(field, typed).await;
    }
    browser.follow_plain("main form button.primary").await;
    browser.follow_plain("form[action$='/sit'] button").await;
    fill(&host, &game).await;
    let (mut spoken, mut voted) = (0, false);
    for _ in 0..LOOKS_MAX {
        browser.goto(&here).await;
        if browser.has("#text").await {
            spoken += 1;
            browser.fill("#text", &format!("Plain words, number {spoken}.")).await;
            browser.follow_plain("[data-region=form] form[data-draft] button.primary").await;
            assert_eq!(browser.path().await, here, "the form leads back to the court");
        } else if browser.has(".verdict").await {
            voted = true;
            browser.follow_plain(".verdict.guilty").await;
        } else if browser.has("#table[data-over=true]").await {
            break;
        }
    }
    assert_eq!((spoken, voted), (4, true));
    assert_eq!(browser.count(".vote.up").await, 3);
    assert_eq!(browser.text(".seat.you .vote.up").await, "Guilty");
    browser.follow_plain("a.button[href$='/replay']").await;
    browser.follow_plain("#last").await;
    browser.follow_plain("#prev").await;
    assert_eq!(browser.count(".speech").await, 27, "everything that was said");
}

/// Sends a form as a page would; returns the status, the path it leads to, and the page there.
async fn send(api: &Api, path: &str, form: &[(&str, &str)]) -> (u16, String, String) {
    let body: String = form.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&");
    let sent = api.request("POST".parse().expect("a method"), path).body(body);
    let sent = sent.header("content-type", "application/x-www-form-urlencoded").header("accept-language", "en");
    let sent = sent.send().await.expect("it is answered");
    let to = sent.url().as_str().trim_start_matches(api.base()).to_owned();
    (sent.status().as_u16(), to, sent.text().await.expect("a page"))
}

#[tokio::test]
async fn a_table_for_a_trial_is_opened_with_a_case_or_refused_beside_the_field() {
    let world = World::open().await;
    let host = world.account("host").await;
    // This comes first, while no house mind plays and changes the database.
    let before = world.digest();
    for (path, next) in [("/new", "/new?game_type=trial"), ("/play", "/play?game_type=trial")] {
        let (status, to, page) = send(&world.api, path, &[("game_type", "trial"), ("display_name", "Ines")]).await;
        assert_eq!((status, to), (200, format!("/register?why=seat&next={next}")));
        assert!(page.contains("A seat in court belongs to an account"), "it says why: {page}");
    }
    assert_eq!(world.digest(), before, "nothing was founded for a stranger");

    let case = &games::trial::docket::docket().cases(engine::roster::Lang::En)[4];
    let form = [("game_type", "trial"), ("display_name", "Ines"), ("case_id", &case.case_id)];
    let (status, path, page) = send(&host, "/new", &form).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains(&case.title), "the waiting court says what it will try: {page}");
    let game = path.trim_start_matches("/games/").to_owned();
    fill(&host, &game).await;
    assert_eq!(state(&host, &game).await["case"]["case_id"], case.case_id);

    let form = [("game_type", "trial"), ("display_name", "Ines"), ("case_id", "case_nowhere")];
    let (status, _, page) = send(&host, "/new", &form).await;
    assert_eq!(status, 400);
    assert!(page.contains("case_id-refused") && page.contains("There is no such case in this language."), "{page}");
    assert!(page.contains("value=\"trial\" checked"), "what was chosen is kept: {page}");
}
