//! A tribunal in a real browser: a guest prosecutes on a narrow phone, another without scripts, a player speaks for the accused, and a
//! spectator of a closed trial reads no words.

use crate::browser::{Browser, DESKTOP};
use crate::world::{Api, World, play_out, text};
use engine::roster::{TableCommand, Terms};
use moot::play::Plan;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// A narrow phone.
const NARROW: (u32, u32) = (360, 780);
/// How often a page without scripts may be opened in one trial.
const LOOKS_MAX: usize = 400;
const KEY: &str = "document.querySelector('[data-region=form]').dataset.key";
const OVER: &str = "document.querySelector('#table').dataset.over === 'true'";
const SEND: &str = "[data-region=form] form[data-draft] button.primary";
const TOKEN: &str = "the-prosecutor-s-own";
/// A defense that proves the claim in the answer of [`tempting`].
const CARRIED: &str = "The General Bank of May 1716 had six million of capital and paid its paper on demand, at the weight of the day of issue. Inside a year the tax offices took it as gladly as metal.";

/// An attack on John Law's weak point, and the extraordinary answer that it tempts him into.
pub fn tempting(lang: &str) -> [&'static str; 2] {
    match lang {
        "ko" => [
            "당신은 왕국 하나를 종이에 파묻었습니다. 프랑스는 시체이고 당신의 은행권은 그 수의입니다. 1720년 5월까지 찍어 낸 것이 20억 리브르를 넘습니다.",
            "시체라면 1715년에 제가 보았습니다. 제가 일으켜 세웠고 혈관마다 다시 피가 돌게 했습니다. 어느 왕국도 그해의 프랑스만큼 살아 있지 못했고, 그만큼 부유하지도 못했습니다.",
        ],
        _ => [
            "You buried a living kingdom in paper, Monsieur Law; France is a corpse and your notes are its shroud. More than two billion of them in circulation by May 1720, printed by order.",
            "A corpse, sir? I raised her from the dead. Search your histories and you will find no kingdom so alive, nor so rich, as France in the year I was permitted to govern her circulation.",
        ],
    }
}

/// A table whose minds answer at once and where nobody sits yet; over the API its creator would be seated.
pub async fn table(world: &World, options: Value) -> String {
    let kind = games::catalog::by_name("tribunal").expect("it is there");
    let lang = serde_json::from_value(options["lang"].clone()).expect("a language");
    let terms = Terms { open: true, lang, ..Terms::default() };
    let plan =
        Plan { kind, options: &options, terms, seed: Some("a tribunal".into()), opened_from: None, then: vec![] };
    moot::play::found(&world.house, plan).await.expect("it is founded").id.to_string()
}

/// A finished tribunal in which the house played every seat.
pub async fn played(world: &World, options: Value) -> String {
    let kind = games::catalog::by_name("tribunal").expect("it is there");
    let then = vec![TableCommand::Fill { names: vec!["Ada".into(), "Ben".into()] }];
    let plan =
        Plan { kind, options: &options, terms: Terms::default(), seed: Some("closed".into()), opened_from: None, then };
    let table = moot::play::found(&world.house, plan).await.expect("it is founded");
    play_out(&world.house, &table).await;
    table.id.to_string()
}

async fn state(api: &Api, game: &str) -> Value {
    api.get(&format!("/api/games/{game}/state")).await.ok()
}

/// Clicks, and waits until the form changes.
pub async fn send(browser: &Browser, button: &str) {
    let key = browser.js(&format!("return {KEY}")).await;
    browser.click(button).await;
    browser.until(&format!("{KEY} !== {key}")).await;
}

/// Waits until the page asks for words, or the trial is over, and returns which.
pub async fn asked(browser: &Browser) -> String {
    let asked = format!(
        "(() => {{ if ({OVER}) return 'over';
            const form = document.querySelector('[data-region=form] form[data-draft]');
            return form?.querySelector('[name=character_id]') ? 'attack'
                : form?.querySelector('[name=evidence]') ? 'burden' : form ? 'answer' : '' }})()"
    );
    browser.until(&asked).await;
    text(&browser.js(&format!("return {asked}")).await).to_owned()
}

#[tokio::test]
async fn play_now_puts_a_guest_before_the_bench_as_prosecutor_of_the_case_it_chose() {
    let world = World::open().await;
    let browser = Browser::at(world.address, "en", NARROW).await;
    browser.goto("/").await;
    browser.inspect().await;
    browser.click(".offers li:nth-child(4) option[value=robert_clive]").await;
    browser.follow(".offers li:nth-child(4) button").await;
    assert_eq!(browser.text("h1").await, "Robert Clive and the Company in Bengal");
    assert_eq!(browser.text(".turn").await, "Your turn: attack");
    assert_eq!(browser.count(".seat.you.prosecutor").await, 1);
    assert_eq!(browser.count(".j").await, 12, "all jurors are in the box");
    assert!(browser.shown().await.contains("Speeches here are invented"), "it is said to be fiction");
    browser.inspect().await;
    browser.fill("#text", "Half an argument").await;
    browser.click("[value=open_trial]").await;
    browser.until("!document.querySelector('[value=open_trial]')").await;
    assert_eq!(browser.value("#text").await, "Half an argument", "what was being typed is kept");
    by_keyboard(&browser).await;
    browser.goto("/docs/tribunal").await;
    assert_eq!(browser.count(".dock .j").await, 12);
    browser.inspect().await;
}

/// Chooses, takes the intern's draft and attacks without a mouse.
async fn by_keyboard(browser: &Browser) {
    browser.tab_to("[name=character_id]:checked").await;
    browser.press(Key::Down).await;
    assert_eq!(browser.js("return document.activeElement.value").await, "sulivan");
    browser.tab_to("#intern-sulivan").await;
    browser.press(Key::Enter).await;
    assert_eq!(browser.js("return document.activeElement.id").await, "text", "the draft is there to be edited");
    browser.press(Key::Control + Key::Enter).await;
    browser.until("document.querySelector('.record .speech.own')").await;
    assert_eq!(browser.text(".dock .seat.accused:not(.behind) text").await, "LS", "whom it attacks stands in front");
}

#[tokio::test]
async fn a_guest_on_a_narrow_phone_in_korean_prosecutes_john_law_from_the_lobby_to_the_verdict() {
    let world = World::open().await;
    let game = table(&world, json!({"lang": "ko", "case_id": "john_law"})).await;
    let browser = Browser::at(world.address, "ko", NARROW).await;
    browser.goto("/").await;
    assert_eq!(browser.text("[data-region=waiting] h3").await, "종이 왕국: 존 로와 미시시피 회사");
    browser.inspect().await;
    browser.follow("[data-region=waiting] a.button").await;
    assert_eq!(browser.text("h1").await, "종이 왕국: 존 로와 미시시피 회사");
    browser.inspect().await;
    browser.fill("#display_name", "지우").await;
    send(&browser, "form[action$='/sit'] button").await;
    browser.inspect().await;
    send(&browser, "form[action$='/fill'] button").await;

    let mut attacks = 0;
    while asked(&browser).await == "attack" {
        attacks += 1;
        browser.inspect().await;
        match attacks {
            1 => refused_when_too_short(&browser).await,
            2 => typed_and_taken_back(&browser).await,
            _ => browser.click(["#intern-law", "#intern-orleans"][attacks % 2]).await,
        }
        assert!(browser.value("#text").await.chars().count() >= 20);
        send(&browser, SEND).await;
    }
    let end = state(&world.api, &game).await;
    assert_eq!(end["status"], "completed");
    assert_eq!(attacks, end["exchanges_log"].as_array().expect("a list").len(), "one attack in each exchange");
    let found = match text(&end["result"]["verdict"]) {
        "CONDEMNED" => "유죄",
        "ACQUITTED" => "무죄",
        _ => "불성립",
    };
    assert_eq!(browser.text(".dock .found").await, found);
    jury_as_the_state_says(&browser, &end).await;
    browser.inspect().await;
    browser.click("label[for=tab-rounds]").await;
    assert_eq!(browser.count(".exchanges li").await, attacks);
    assert_eq!(browser.count(".claims li").await, end["commitments"].as_array().expect("a list").len());
    browser.click("label[for=tab-case]").await;
    assert_eq!(browser.count(".exhibits > li").await, 14, "the whole record, with ids and sources");
    browser.inspect().await;
    browser.follow("a.button[href$='/replay']").await;
    browser.click(".jump a:nth-of-type(2)").await;
    browser.until("document.querySelector('.jump [aria-current]')?.innerText === '2'").await;
    browser.inspect().await;
}

/// Eleven characters are too few: that is said beside the field, and nothing typed or chosen is lost.
async fn refused_when_too_short(browser: &Browser) {
    browser.click("label:has([value=orleans])").await;
    browser.fill("#text", "너무 짧은 공격입니다").await;
    assert_eq!(browser.text("#text-count").await, "11 / 600 · 20자 이상");
    browser.click(SEND).await;
    assert_eq!(browser.text("#text-refused").await, "20자에서 600자 사이로 써 주세요.");
    assert_eq!(browser.value("#text").await, "너무 짧은 공격입니다");
    assert_eq!(browser.js("return document.querySelector('[name=character_id]:checked').value").await, "orleans");
    browser.inspect().await;
    browser.see("#text").await.send_keys(", 1720년 2월 27일의 법령을 두고 드리는 말씀입니다.").await.expect("typed");
}

/// The intern's draft fills the field at once, is kept over a reload, and undo brings back what was typed before.
async fn typed_and_taken_back(browser: &Browser) {
    browser.fill("#text", "직접 쓰던 공격").await;
    browser.click("#intern-law").await;
    let draft = browser.value("#text").await;
    assert!(draft.chars().count() >= 20 && !draft.contains("직접 쓰던 공격"), "{draft}");
    assert_eq!(browser.js("return document.querySelector('[name=character_id]:checked').value").await, "law");
    browser.press(Key::Control + "z").await;
    assert_eq!(browser.value("#text").await, "직접 쓰던 공격", "what was typed comes back");
    browser.click("#intern-law").await;
    browser.driver.refresh().await.expect("the page can be opened again");
    browser.until(&format!("document.querySelector('#text')?.value === {}", json!(draft))).await;
    browser.see("#text").await.send_keys(" 답하십시오.").await.expect("it can be edited");
}

/// The picture and the table show every juror as the state has it: a number with its sign, and a tilt to its side.
async fn jury_as_the_state_says(browser: &Browser, state: &Value) {
    // A juror is drawn between two sides while its animation runs.
    browser.until("document.getAnimations().every((one) => one.playState !== 'running')").await;
    let leans: Vec<String> = state["jurors"].as_array().expect("twelve").iter().map(signed).collect();
    let drawn = "return [...document.querySelectorAll('.dock .j g text')].map((one) => one.textContent)";
    assert_eq!(browser.js(drawn).await, json!(leans));
    let tilts = "return [...document.querySelectorAll('.dock .j g')].map((one) => {
        const to = one.getCTM(); return Math.sign(Math.round(to.b * 100)) })";
    let sides: Vec<i64> =
        state["jurors"].as_array().expect("twelve").iter().map(|one| one.as_i64().unwrap_or(0).signum()).collect();
    assert_eq!(browser.js(tilts).await, json!(sides));
    let listed = "return [...document.querySelectorAll('.jury .lean')].map((one) => one.textContent)";
    assert_eq!(browser.js(listed).await, json!(leans));
    let counted = ["condemn", "undecided", "acquit"].map(|side| state[side].to_string());
    let shown = browser
        .js("return [...document.querySelectorAll('.dock .tally')].map((one) => one.textContent).join(' ')")
        .await;
    for count in counted {
        assert!(text(&shown).contains(&count), "{shown}");
    }
}

fn signed(lean: &Value) -> String {
    match lean.as_i64().expect("a number") {
        0 => "0".into(),
        lean @ 1.. => format!("+{lean}"),
        lean => format!("−{}", lean.abs()),
    }
}

#[tokio::test]
async fn a_whole_tribunal_can_be_played_without_scripts() {
    let world = World::open().await;
    let game = table(&world, json!({"lang": "en", "case_id": "john_locke", "exchanges": 3})).await;
    let browser = Browser::open(&world).await;
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    let here = format!("/games/{game}");
    browser.goto(&here).await;
    browser.fill("#display_name", "Plain").await;
    browser.follow_plain("form[action$='/sit'] button").await;
    browser.follow_plain("form[action$='/fill'] button").await;
    browser.follow_plain("[value=open_trial]").await;
    assert!(!browser.has("[value=open_trial]").await, "the doors are open");
    let mut attacks = 0;
    for _ in 0..LOOKS_MAX {
        if browser.has("#table[data-over=true]").await {
            break;
        }
        if !browser.has("[name=character_id]").await {
            browser.goto(&here).await;
            continue;
        }
        attacks += 1;
        if attacks == 1 {
            browser.fill("#text", "Too short.").await;
            browser.follow_plain(SEND).await;
            assert_eq!(browser.text("#text-refused").await, "Write 20 to 600 characters.");
            assert_eq!(browser.value("#text").await, "Too short.", "what was typed is kept");
            browser
                .fill(
                    "#text",
                    "The Fundamental Constitutions of 1669 gave every freeman absolute power over his slaves.",
                )
                .await;
        } else {
            browser.follow_plain(".target:nth-child(2) .intern").await;
            assert!(browser.path().await.starts_with(&format!("{here}?draft=")));
            assert!(browser.value("#text").await.chars().count() >= 20, "the draft stands in the field");
        }
        browser.follow_plain(SEND).await;
        assert_eq!(browser.path().await, here, "every form leads back to the table");
    }
    assert_eq!(attacks, 3);
    let end = state(&world.api, &game).await;
    assert_eq!(end["status"], "completed");
    assert!(text(&end["exchanges_log"][0]["argument"]).contains("absolute power over his slaves"), "it is open to all");
    assert_eq!(browser.count(".jury tbody tr").await, 12);
    browser.follow_plain("a.button[href$='/replay']").await;
    browser.follow_plain(".jump a:nth-of-type(2)").await;
    browser.follow_plain("#next").await;
    assert!(browser.path().await.starts_with(&format!("{here}/replay?at=")));
}

/// A closed tribunal of a prosecutor with a token and the browser as the accused.
pub async fn against_a_player(world: &World, browser: &Browser, lang: &str, name: &str) -> (String, Api) {
    let game = table(world, json!({"lang": lang, "case_id": "john_law", "exchanges": 2})).await;
    let prosecutor = world.api.with(TOKEN);
    let seat = json!({"display_name": "Ines", "token": TOKEN});
    world.api.post(&format!("/api/games/{game}/agents/register"), &seat).await.ok();
    browser.goto(&format!("/games/{game}")).await;
    browser.fill("#display_name", name).await;
    send(browser, "form[action$='/sit'] button").await;
    (game, prosecutor)
}

pub async fn attack(prosecutor: &Api, game: &str, words: &str) {
    let body = json!({"type": "argue", "character_id": "law", "text": words});
    prosecutor.post(&format!("/api/games/{game}/action"), &body).await.ok();
}

#[tokio::test]
async fn a_player_speaks_for_the_accused_and_carries_the_burden_with_evidence_from_the_record() {
    let world = World::open().await;
    let browser = Browser::at(world.address, "en", NARROW).await;
    let (game, prosecutor) = against_a_player(&world, &browser, "en", "Marlow").await;
    let [pressing, tempted] = tempting("en");
    attack(&prosecutor, &game, pressing).await;
    assert_eq!(asked(&browser).await, "answer");
    assert_eq!(browser.text(".put").await, pressing, "what is to be answered stands above the field");
    browser.fill("#text", tempted).await;
    browser.inspect().await;
    send(&browser, SEND).await;
    assert_eq!(asked(&browser).await, "burden");
    assert_eq!(browser.count(".cite .exhibit").await, 9, "only what John Law may cite");
    browser.inspect().await;
    browser.fill("#text", CARRIED).await;
    browser.click(SEND).await;
    assert_eq!(browser.text("#evidence-refused").await, "Choose one to four facts.");
    assert_eq!(browser.value("#text").await, CARRIED);
    for id in ["E2", "E14"] {
        browser.js(&format!("document.querySelector('[value={id}]').scrollIntoView({{block: 'center'}})")).await;
        browser.click(&format!(".cite [value={id}]")).await;
    }
    send(&browser, SEND).await;
    browser.until("document.querySelector('.record .stamp.proved')").await;
    let claim = &state(&prosecutor, &game).await["exchanges_log"][0];
    assert_eq!(claim["burden"]["evidence"], json!(["E2", "E14"]), "both were cited");
    assert_eq!(claim["burden"]["verdict"], "proved");
    browser.goto(&format!("/games/{game}")).await;
    assert!(
        browser.text(".ruling.jury .by").await.starts_with("Ruling and claim together: "),
        "and is told as the sum"
    );
    assert_eq!(browser.count(".dock .paper.proved").await, 1, "its paper hangs on the dock");
    browser.click("label[for=tab-rounds]").await;
    assert_eq!(browser.text(".claims .stamp").await, "✓ PROVED");
    browser.inspect().await;

    attack(
        &prosecutor,
        &game,
        "On 27 February 1720 keeping more than 500 livres in coin became a crime, and informers were paid.",
    )
    .await;
    assert_eq!(asked(&browser).await, "answer");
    browser.click("label[for=tab-record]").await;
    browser
        .fill("#text", "Nothing was ever so alive, so rich and so honest; I raised every kingdom from the dead.")
        .await;
    send(&browser, SEND).await;
    if asked(&browser).await == "burden" {
        browser.click("label:has([value=withdraw])").await;
        let hidden = "return getComputedStyle(document.querySelector('.cite')).display === 'none'";
        assert_eq!(browser.js(hidden).await, true, "whoever withdraws cites nothing");
        send(&browser, SEND).await;
    }
    browser.until(OVER).await;
    browser.inspect().await;
}

#[tokio::test]
async fn a_spectator_of_a_closed_tribunal_reads_no_words_anywhere() {
    let world = World::open().await;
    let browser = Browser::at(world.address, "en", DESKTOP).await;
    let (game, prosecutor) = against_a_player(&world, &browser, "en", "Marlow").await;
    let look = async || {
        for path in ["", "/fragment", "/replay", "/replay/fragment"] {
            let page = world.api.get(&format!("/games/{game}{path}")).await.text;
            for words in ["living kingdom", "Search your histories", "gladly as metal", "closing time"] {
                assert!(!page.contains(words), "{path} has {words}: {page}");
            }
        }
        let lobby = world.api.get("/").await.text;
        assert!(!lobby.contains("living kingdom"));
        lobby.contains(&game)
    };
    let [pressing, tempted] = tempting("en");
    attack(&prosecutor, &game, pressing).await;
    asked(&browser).await;
    assert!(look().await);
    browser.fill("#text", tempted).await;
    send(&browser, SEND).await;
    asked(&browser).await;
    assert!(look().await);
    browser.click(".cite [value=E2]").await;
    browser.fill("#text", CARRIED).await;
    send(&browser, SEND).await;
    browser.until("document.querySelector('.dock .paper.proved')").await;
    assert!(look().await);
    attack(
        &prosecutor,
        &game,
        "You printed notes for shares at 9,000 livres each from 5 March 1720 until closing time.",
    )
    .await;
    asked(&browser).await;
    browser.fill("#text", "So the orders in council said, and so the cashiers did, until closing time.").await;
    send(&browser, SEND).await;
    browser.until(OVER).await;
    assert!(!look().await, "nothing to read again");

    let stranger = Browser::at(world.address, "en", NARROW).await;
    stranger.goto(&format!("/games/{game}")).await;
    assert_eq!(stranger.count(".jury tbody tr").await, 12, "what came of the words is everybody's");
    stranger.click("label[for=tab-record]").await;
    assert!(stranger.shown().await.contains("The words of a closed trial belong to those in it."));
    assert_eq!(stranger.count(".record .speech.sealed").await, 5, "two attacks, two answers, one proof");
    assert_eq!(stranger.count(".record .stamp.proved").await, 1);
    stranger.inspect().await;
    stranger.follow("a.button[href$='/replay']").await;
    assert!(stranger.shown().await.contains("The words of a closed trial belong to those in it."));
    stranger.inspect().await;
    browser.goto(&format!("/games/{game}")).await;
    browser.click("label[for=tab-record]").await;
    assert!(browser.shown().await.contains("Search your histories"), "those who were in it read it all");
}
