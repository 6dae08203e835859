//! Pictures of every page a person spends time on, for people to look at.

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::browser_mercury as meeting;
use crate::browser_trial::{act, asked, fill, register, sit as take_seat, table};
use crate::browser_tribunal as tribunal;
use crate::world::{Api, Game, World, silent, sit, text};
use moot::minds::demo;
use moot::settings::Settings;
use serde_json::json;
use std::path::{Path, PathBuf};

const PNG_BYTES_MAX: usize = 400 * 1024;
/// How many pixels of a long page are in its picture.
const HEIGHT_MAX: u64 = 2_000;
const TOKENS: [&str; 4] = ["the-first-other", "the-second-other", "the-third-other", "the-fourth-other"];

/// The names and words in the pictures in one language.
pub struct Cast {
    pub lang: &'static str,
    own: &'static str,
    others: [&'static str; 4],
    speeches: [&'static str; 4],
    reason: &'static str,
    /// In court: the words of the judge, of the browser's seat, of the other juror, and the verdict.
    court: [&'static str; 4],
    /// In a meeting: the opening statement, the message in private, the speech.
    meeting: [&'static str; 3],
}

pub const ENGLISH: Cast = Cast {
    lang: "en",
    own: "Ada Lovelace",
    others: ["Jonas", "Maria-Elena Bergström", "Chidi", "Oksana P."],
    speeches: [
        "There is a half-built treehouse with my tools still in it. Spare us, and watch it get its roof.",
        "Count us. Then count us again, slowly, and say aloud which of these faces you would leave out of the sum. Nobody on the other track is worth less than we are; there are only fewer of them, and that is the one thing you know for certain tonight.",
        "Numbers are a poor reason.",
        "You will lie awake either way. Choose the side that you can explain in one sentence to the people who loved the others.",
    ],
    reason: "The treehouse did it: I wanted to see something finished.",
    court: [
        "The court will hear both sides before it hears itself.",
        "The log speaks against the accused, but nobody has told me who was able to write in it that night.",
        "I am still listening.",
        "The jury has found the accused guilty, by two votes to one.",
    ],
    meeting: [
        "Canada has come with snow in its shoes and one request: let us leave with something that binds us all.",
        "Between the two of us: what would have to stand in the mandate so that you could live with a binding convention?",
        "We support 2.1, with inventories and timetables, at each country's own pace and with laboratories paid for together.",
    ],
};

pub const KOREAN: Cast = Cast {
    lang: "ko",
    own: "김지우",
    others: ["하늘", "박서연", "도윤이네 고양이", "Minjun"],
    speeches: [
        "짓다 만 나무집에 아직 제 연장이 있습니다. 우리를 살려 지붕이 올라가는 모습을 함께 지켜봐 주세요.",
        "우리를 세어 보십시오. 그리고 천천히 한 번 더 세면서, 이 얼굴 가운데 누구를 셈에서 빼겠는지 소리 내어 말해 보십시오. 저쪽 선로의 누구도 우리보다 값싸지 않습니다. 다만 수가 적을 뿐이고, 오늘 밤 확실히 아는 것은 그것 하나뿐입니다.",
        "숫자는 빈약한 이유입니다.",
        "어느 쪽이든 잠을 설치게 될 것입니다. 남은 사람들에게 한 문장으로 설명할 수 있는 쪽을 고르세요.",
    ],
    reason: "나무집 이야기에 마음이 움직였습니다. 무언가 끝나는 것을 보고 싶었습니다.",
    court: [
        "법정은 스스로 말하기 전에 양쪽의 말을 먼저 듣겠습니다.",
        "기록은 피고에게 불리하지만, 그날 밤 누가 그 기록에 손댈 수 있었는지는 아무도 말해 주지 않았습니다.",
        "아직 듣고 있습니다.",
        "배심원은 유죄로 평결하였습니다.",
    ],
    meeting: [
        "캐나다는 신발에 눈을 묻힌 채 한 가지를 부탁하러 왔습니다. 우리 모두를 묶는 무언가를 들고 돌아갑시다.",
        "둘만의 이야기입니다. 위임 사항에 무엇이 담기면 구속력 있는 협약을 받아들이실 수 있겠습니까?",
        "저희는 2.1을 지지합니다. 나라마다 제 속도로 배출 목록과 시한을 두고, 실험실 비용은 함께 부담합시다.",
    ],
};

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in target").join("screenshots");
    std::env::var_os("MOOT_SCREENSHOTS").map_or_else(beside, PathBuf::from)
}

/// Takes pictures of the page, light and dark, in phone and in desktop size.
pub async fn picture(browser: &Browser, cast: &Cast, name: &str, whole: bool) {
    let folder = folder();
    std::fs::create_dir_all(&folder).expect("pictures can be written");
    for (size, device) in [(DESKTOP, "desktop"), (PHONE, "phone")] {
        browser.resize(size).await;
        let height = browser.js("return document.documentElement.scrollHeight").await.as_u64().expect("a number");
        let (width, screen) = size;
        let height = if whole { height.clamp(screen.into(), HEIGHT_MAX) as u32 } else { screen };
        browser.resize((width, height)).await;
        for scheme in ["light", "dark"] {
            if cast.lang == "ko" && (device == "phone") != (scheme == "light") {
                continue; // the colours are the same in every language
            }
            browser.scheme(scheme).await;
            browser.until("document.getAnimations().every((one) => one.playState !== 'running')").await;
            browser
                .until(&format!("matchMedia('(prefers-color-scheme: {scheme})').matches && innerWidth === {width}"))
                .await;
            let png = browser.driver.screenshot_as_png().await.expect("a picture");
            let file = folder.join(format!("{name}-{}-{device}-{scheme}.png", cast.lang));
            assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n", "{name} is a picture");
            let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
            assert_eq!((side(16), side(20)), (width, height), "{name} is as large as the screen");
            assert!(png.len() < PNG_BYTES_MAX, "{} has {} bytes", file.display(), png.len());
            std::fs::write(file, png).expect("pictures can be written");
        }
    }
    browser.scheme("light").await;
    browser.resize(DESKTOP).await;
    browser.inspect().await;
}

/// Every seat but the browser's own says something in this phase.
async fn others_argue(world: &World, game: &Game, cast: &Cast) {
    let state = game.state(&world.api).await;
    for agent in silent(&state) {
        let Some(index) = game.agents.iter().position(|one| *one == agent) else { continue };
        let body = json!({"agent_id": agent, "text": cast.speeches[index]});
        world.api.with(TOKENS[index]).post(&game.arguments(&state), &body).await.ok();
    }
}

async fn settled(browser: &Browser, phase: &str) {
    browser.until(&format!("document.querySelector('[data-region=form]').dataset.key.includes('.{phase}.')")).await;
}

/// Loads the page again, so that it shows every speech without revealing them one by one.
async fn opened_again(browser: &Browser) {
    browser.goto(&browser.path().await).await;
}

/// One game from the empty table to the end, with a picture of every state.
async fn game_in_pictures(world: &World, browser: &Browser, cast: &Cast) {
    browser.goto("/new").await;
    picture(browser, cast, "new", true).await;
    browser.fill("#display_name", cast.own).await;
    browser.click("#turn_limit_s option[value='0']").await;
    browser.follow("main form button.primary").await;
    let id = browser.path().await.trim_start_matches("/games/").to_owned();
    let mut game = Game { id, agents: vec![] };
    for (name, token) in cast.others.iter().zip(TOKENS) {
        sit(&world.api, &mut game, name, Some(token)).await;
    }
    browser.until("document.querySelectorAll('.sitter').length === 5").await;
    picture(browser, cast, "table-waiting", false).await;
    let host = world.api.with(TOKENS[0]);
    host.post_nothing(&game.path("/start")).await.ok();
    let (mut argued, mut decided) = (false, false);
    for round in 1..=5 {
        for phase in ["phase_1", "phase_2", "phase_3"] {
            settled(browser, phase).await;
            others_argue(world, &game, cast).await;
            if !browser.has("#text").await {
                continue;
            }
            browser.until("document.querySelectorAll('.token .spoke').length === 3").await;
            if phase == "phase_2" && !argued {
                argued = true;
                opened_again(browser).await;
                browser.fill("#text", cast.speeches[3]).await;
                picture(browser, cast, "game-argue", false).await;
                browser.click("label[for=tab-scores]").await;
                picture(browser, cast, "game-scores", false).await;
                browser.click("label[for=tab-record]").await;
            }
            browser.fill("#text", cast.speeches[(round + phase.len()) % 4]).await;
            browser.click("[data-region=form] form[data-draft] button.primary").await;
        }
        settled(browser, "awaiting_decision").await;
        if browser.has("[name=decision]").await {
            decided = true;
            opened_again(browser).await;
            picture(browser, cast, "game-decide", false).await;
            browser.click(".choice.minority").await;
            browser.click(".why summary").await;
            browser.fill("#reason", cast.reason).await;
            browser.click("#decisive option:nth-of-type(2)").await;
            picture(browser, cast, "game-decide-why", false).await;
            browser.click("[data-region=form] form[data-draft] button.primary").await;
        } else {
            decide(&world.api, &game, cast).await;
        }
        if round < 5 {
            settled(browser, "resolved").await;
            if round == 1 {
                opened_again(browser).await;
                picture(browser, cast, "game-resolved", false).await;
            }
            host.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
        }
    }
    assert!(argued && decided, "everybody is everything once");
    browser.until("document.querySelector('#table').dataset.over === 'true'").await;
    browser.goto(&format!("/games/{}", game.id)).await;
    picture(browser, cast, "game-completed", false).await;
    browser.click("label[for=tab-rounds]").await;
    picture(browser, cast, "game-rounds", false).await;
    browser.click("label[for=tab-info]").await;
    picture(browser, cast, "game-info", false).await;
    browser.goto(&format!("/games/{}/replay?at=20", game.id)).await;
    browser.see("#play").await;
    picture(browser, cast, "replay", false).await;
}

async fn decide(api: &Api, game: &Game, cast: &Cast) {
    let state = game.state(api).await;
    let agent = text(&state["operator"]["id"]);
    let index = game.agents.iter().position(|one| one == agent).expect("one of the others");
    let few = index % 2 == 0;
    let decision = if few { "save_minority" } else { "save_majority" };
    let body = json!({"agent_id": agent, "decision": decision, "reason": cast.reason});
    api.with(TOKENS[index]).post(&game.decision(&state), &body).await.ok();
}

async fn pages_in_pictures(browser: &Browser, cast: &Cast) {
    browser.goto("/").await;
    browser.until("document.querySelectorAll('[data-region=live] .quote').length >= 3").await;
    picture(browser, cast, "lobby", true).await;
    for (name, path) in [
        ("docs-agents", "/docs/agents"),
        ("docs-trolley", "/docs/trolley"),
        ("docs-trial", "/docs/trial"),
        ("docs-mercury", "/docs/mercury"),
        ("docs-tribunal", "/docs/tribunal"),
        ("docs-economy", "/docs/economy"),
        ("login", "/login"),
        ("error", "/nowhere"),
    ] {
        browser.goto(path).await;
        picture(browser, cast, name, true).await;
    }
    browser.goto("/docs/api").await;
    browser.click(".call summary").await;
    picture(browser, cast, "docs-api", true).await;
}

/// One trial from the waiting court to the end, seen from the jury box.
async fn trial_in_pictures(world: &World, browser: &Browser, cast: &Cast) {
    let (judge, juror) = (world.account("judge").await, world.account("second").await);
    let game = table(&judge, cast.lang, &["JUDGE", "JUROR", "JUROR"]).await;
    take_seat(&judge, &game, cast.others[1]).await;
    browser.goto(&format!("/games/{game}")).await;
    picture(browser, cast, "trial-stranger", false).await;
    browser.follow("a.button[href^='/register']").await;
    picture(browser, cast, "trial-register", true).await;
    register(browser, cast.own).await;
    browser.click("form[action$='/sit'] button").await;
    browser.until("document.querySelector('.status .tok.you')").await;
    take_seat(&juror, &game, cast.others[2]).await;
    browser.until("document.querySelectorAll('.sitter').length === 3").await;
    picture(browser, cast, "trial-waiting", false).await;
    fill(&judge, &game).await;
    for round in 0..4 {
        assert_eq!(asked(browser).await, "speak");
        act(&judge, &game, json!({"type": "speak", "text": cast.court[0]})).await;
        let heard = 3 + 6 * round;
        browser.until(&format!("document.querySelectorAll('.speech:not(.arriving)').length >= {heard}")).await;
        opened_again(browser).await;
        browser.fill("#text", cast.court[1]).await;
        if round < 2 {
            picture(browser, cast, ["trial-opening", "trial-argument"][round], false).await;
        }
        if round == 1 {
            browser.click("label[for=tab-case]").await;
            picture(browser, cast, "trial-case", false).await;
            browser.click("label[for=tab-record]").await;
        }
        let key = "document.querySelector('[data-region=form]').dataset.key";
        let was = browser.js(&format!("return {key}")).await;
        browser.click("[data-region=form] form[data-draft] button.primary").await;
        browser.until(&format!("{key} !== {was}")).await;
        act(&juror, &game, json!({"type": "speak", "text": cast.court[2]})).await;
    }
    assert_eq!(asked(browser).await, "vote");
    act(&juror, &game, json!({"type": "vote", "verdict": "GUILTY"})).await;
    browser.until("document.querySelectorAll('.vote.down').length === 1").await;
    opened_again(browser).await;
    picture(browser, cast, "trial-vote", false).await;
    browser.click(".verdict.guilty").await;
    browser.until("document.querySelectorAll('.vote.up').length === 3").await;
    opened_again(browser).await;
    picture(browser, cast, "trial-verdict", false).await;
    act(&judge, &game, json!({"type": "speak", "text": cast.court[3]})).await;
    browser.until("document.querySelector('#table').dataset.over === 'true'").await;
    opened_again(browser).await;
    picture(browser, cast, "trial-end", false).await;
    browser.goto(&format!("/games/{game}/replay?at=30")).await;
    browser.see("#play").await;
    picture(browser, cast, "trial-replay", false).await;
    browser.goto("/new?game_type=trial").await;
    picture(browser, cast, "trial-new", true).await;
    browser.goto("/").await;
    picture(browser, cast, "trial-lobby", true).await;
}

/// One meeting from the waiting table to the review, led by Canada.
async fn meeting_in_pictures(world: &World, browser: &Browser, cast: &Cast) {
    let game = meeting::table(world, cast.lang).await;
    browser.goto(&format!("/games/{game}")).await;
    browser.fill("#display_name", cast.own).await;
    picture(browser, cast, "meeting-waiting", false).await;
    meeting::send(browser, "form[action$='/sit'] button").await;
    meeting::send(browser, "form[action$='/fill'] button").await;
    let mut did: Vec<String> = vec![];
    for _ in 0..meeting::CLICKS_MAX {
        let wanted = meeting::asked(browser).await;
        let times = did.iter().filter(|one| **one == wanted).count();
        opened_again(browser).await;
        lead_canada(browser, cast, &wanted, times).await;
        if wanted == "over" {
            break;
        }
        did.push(wanted);
    }
    assert_eq!(did.iter().filter(|one| *one == "vote").count(), 4, "{did:?}");
    browser.goto(&format!("/games/{game}/replay?at=60")).await;
    browser.see("#play").await;
    picture(browser, cast, "meeting-replay", false).await;
}

/// One tribunal from the waiting table to the verdict, seen by its prosecutor, and a closed one by a stranger.
async fn tribunal_in_pictures(world: &World, browser: &Browser, cast: &Cast) {
    browser.goto("/new?game_type=tribunal").await;
    picture(browser, cast, "tribunal-new", true).await;
    let options = json!({"lang": cast.lang, "case_id": "john_law"});
    let game = tribunal::table(world, options.clone()).await;
    browser.goto(&format!("/games/{game}")).await;
    browser.fill("#display_name", cast.own).await;
    picture(browser, cast, "tribunal-waiting", false).await;
    tribunal::send(browser, "form[action$='/sit'] button").await;
    tribunal::send(browser, "form[action$='/fill'] button").await;
    let mut attacks = 0;
    while tribunal::asked(browser).await == "attack" {
        attacks += 1;
        opened_again(browser).await;
        let state = match attacks {
            1 => Some("tribunal-first"),
            3 => Some("tribunal-attack"),
            _ => None,
        };
        browser.click([".target:nth-child(2) .intern", ".target:nth-child(1) .intern"][attacks % 2]).await;
        if let Some(name) = state {
            picture(browser, cast, name, false).await;
        }
        if attacks == 3 {
            for (tab, name) in [("rounds", "board"), ("case", "case"), ("scores", "jury"), ("info", "info")] {
                browser.click(&format!("label[for=tab-{tab}]")).await;
                picture(browser, cast, &format!("tribunal-{name}"), false).await;
            }
            browser.click("label[for=tab-record]").await;
        }
        tribunal::send(browser, "[data-region=form] form[data-draft] button.primary").await;
    }
    opened_again(browser).await;
    picture(browser, cast, "tribunal-end", false).await;
    browser.goto(&format!("/games/{game}/replay?at=20")).await;
    browser.see("#play").await;
    picture(browser, cast, "tribunal-replay", false).await;
    let closed = tribunal::played(world, options).await;
    browser.goto(&format!("/games/{closed}")).await;
    browser.click("label[for=tab-record]").await;
    picture(browser, cast, "tribunal-closed", false).await;
}

/// The accused of a tribunal, a player, before the answer and under the burden of a claim.
async fn accused_in_pictures(world: &World, browser: &Browser, cast: &Cast) {
    let (game, prosecutor) = tribunal::against_a_player(world, browser, cast.lang, cast.own).await;
    let [attack, answer] = tribunal::tempting(cast.lang);
    tribunal::attack(&prosecutor, &game, attack).await;
    assert_eq!(tribunal::asked(browser).await, "answer");
    opened_again(browser).await;
    browser.fill("#text", answer).await;
    picture(browser, cast, "tribunal-answer", false).await;
    tribunal::send(browser, "[data-region=form] form[data-draft] button.primary").await;
    assert_eq!(tribunal::asked(browser).await, "burden");
    opened_again(browser).await;
    picture(browser, cast, "tribunal-burden", false).await;
}

/// Takes pictures of some states, and goes on.
async fn lead_canada(browser: &Browser, cast: &Cast, wanted: &str, times: usize) {
    let [opening, private, speech] = cast.meeting;
    match (wanted, times) {
        ("human_role_id", _) => {
            picture(browser, cast, "meeting-role", false).await;
            meeting::choose(browser, "human_role_id", "CAN").await;
        }
        ("HUMAN_OPENING_STATEMENT", _) => {
            browser.fill("#text", opening).await;
            picture(browser, cast, "meeting-opening", false).await;
            meeting::say(browser, opening).await;
        }
        ("partner_role_id", 0) => {
            picture(browser, cast, "meeting-partner", false).await;
            meeting::choose(browser, "partner_role_id", "CHN").await;
        }
        ("partner_role_id", _) => meeting::send(browser, "button[value=CONVO_2_SKIPPED]").await,
        ("CONVO_MESSAGE", 0..=1) => meeting::say(browser, private).await,
        ("CONVO_MESSAGE", _) => {
            browser.fill("#text", speech).await;
            picture(browser, cast, "meeting-room", false).await;
            meeting::send(browser, "button[value=CONVO_END_EARLY]").await;
        }
        ("human_placement", _) => {
            if times == 1 {
                picture(browser, cast, "meeting-issue", false).await;
            }
            meeting::choose(browser, "human_placement", "random").await;
        }
        ("ISSUE_INTRO_CONTINUE", 1) => {
            picture(browser, cast, "meeting-intro", false).await;
            meeting::send(browser, "button#go").await;
        }
        ("HUMAN_DEBATE_MESSAGE", _) => {
            browser.fill("#text", speech).await;
            if times == 2 {
                picture(browser, cast, "meeting-debate", false).await;
                browser.click("label[for=tab-case]").await;
                picture(browser, cast, "meeting-issues", false).await;
                browser.click("label[for=tab-record]").await;
            }
            meeting::say(browser, speech).await;
        }
        ("vote", _) => {
            if times == 1 {
                picture(browser, cast, "meeting-vote", false).await;
                browser.click("label[for=tab-scores]").await;
                picture(browser, cast, "meeting-votes", false).await;
            }
            meeting::send(browser, ".cast.yes").await;
        }
        ("ISSUE_RESOLUTION_CONTINUE", 1) => {
            picture(browser, cast, "meeting-result", false).await;
            meeting::send(browser, "button#go").await;
        }
        ("over", _) => {
            picture(browser, cast, "meeting-review", false).await;
            browser.js("document.querySelector('.trends').scrollIntoView()").await;
            picture(browser, cast, "meeting-trends", false).await;
        }
        _ => meeting::send(browser, "button#go").await,
    }
}

async fn screenshots_of(cast: &Cast) {
    let world = World::with(Settings { demo_tables: 4, ..Settings::default() }).await;
    tokio::spawn(demo::keep(world.house.clone()));
    let browser = Browser::at(world.address, cast.lang, DESKTOP).await;
    game_in_pictures(&world, &browser, cast).await;
    pages_in_pictures(&browser, cast).await;
    tribunal_in_pictures(&world, &browser, cast).await;
    accused_in_pictures(&world, &browser, cast).await;
    meeting_in_pictures(&world, &browser, cast).await;
    trial_in_pictures(&world, &browser, cast).await;
}

#[tokio::test]
async fn screenshots() {
    screenshots_of(&ENGLISH).await;
}

#[tokio::test]
async fn screenshots_in_korean() {
    screenshots_of(&KOREAN).await;
}
