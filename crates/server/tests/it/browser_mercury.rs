//! A whole meeting in a real browser: a guest on a narrow phone leads Canada from the choice of its delegation to the review.

use crate::browser::Browser;
use crate::world::{World, text};
use engine::roster::Terms;
use moot::play::Plan;
use serde_json::{Value, json};

/// A narrow phone.
const NARROW: (u32, u32) = (360, 780);
/// More clicks than a meeting has.
pub const CLICKS_MAX: usize = 300;
const KEY: &str = "document.querySelector('[data-region=form]').dataset.key";
/// What the page asks of the player now; an empty string while another delegation is called on.
const ASKED: &str = "(() => {
    if (document.querySelector('#table').dataset.over === 'true') return 'over';
    const form = document.querySelector('[data-region=form]');
    for (const name of ['human_role_id', 'partner_role_id', 'human_placement', 'vote']) {
        if (form.querySelector(`[name=${name}]`)) return name;
    }
    if (form.querySelector('#text')) return form.querySelector('#text').form.elements.type.value;
    return form.querySelector('button#go[name=type]')?.value ?? '';
})()";
const SECRET: &str = "Between us: Canada would pay for your inventories.";

pub async fn asked(browser: &Browser) -> String {
    browser.until(ASKED).await;
    text(&browser.js(&format!("return {ASKED}")).await).to_owned()
}

/// Clicks, and waits until the form changes.
pub async fn send(browser: &Browser, button: &str) {
    let key = browser.js(&format!("return {KEY}")).await;
    browser.click(button).await;
    browser.until(&format!("{KEY} !== {key}")).await;
}

pub async fn say(browser: &Browser, words: &str) {
    browser.fill("#text", words).await;
    send(browser, "form[data-draft] button.primary").await;
}

pub async fn choose(browser: &Browser, name: &str, value: &str) {
    let choice = format!("label:has([name={name}][value={value}])");
    // The driver would scroll it only to the edge, where the button covers it.
    browser.js(&format!("document.querySelector('{choice}').scrollIntoView({{block: 'center'}})")).await;
    browser.click(&choice).await;
    send(browser, "button#go").await;
}

/// A table whose minds answer at once and where nobody sits yet; over the API its creator would be seated.
pub async fn table(world: &World, lang: &str) -> String {
    let kind = games::catalog::by_name("mercury").expect("it is there");
    let terms = Terms { open: true, ..Terms::default() };
    let options = json!({"lang": lang});
    let plan = Plan { kind, options: &options, terms, seed: Some("a meeting".into()), opened_from: None, then: vec![] };
    moot::play::found(&world.house, plan).await.expect("it is founded").id.to_string()
}

#[tokio::test]
async fn play_now_seats_a_guest_as_the_player_of_a_meeting() {
    let world = World::open().await;
    let browser = Browser::at(world.address, "ko", NARROW).await;
    browser.goto("/").await;
    browser.follow(".offers li:nth-child(3) button").await;
    assert_eq!(browser.text(".turn").await, "이끌 대표단을 고르세요");
    assert_eq!(browser.count(".delegations .choice").await, 9);
    let in_sight = "const go = document.querySelector('#go').getBoundingClientRect(); return go.bottom <= innerHeight";
    assert_eq!(browser.js(in_sight).await, true, "nine choices, and the button still in sight");
    browser.inspect().await;
    choose(&browser, "human_role_id", "WCPA").await;
    assert_eq!(browser.count(".seat.you.organisation").await, 1, "a square of its own, and marked");
    assert_eq!(browser.count(".seat").await, 10, "nine and the Chair");
    browser.inspect().await;
    browser.goto("/docs/mercury").await;
    assert_eq!(browser.count(".meeting .vote.up").await, 4);
    browser.inspect().await;
}

#[tokio::test]
async fn a_guest_leads_canada_from_the_first_choice_to_the_review() {
    let world = World::open().await;
    let game = table(&world, "en").await;
    let browser = Browser::at(world.address, "en", NARROW).await;
    browser.goto(&format!("/games/{game}")).await;
    browser.fill("#display_name", "Ines").await;
    send(&browser, "form[action$='/sit'] button").await;
    browser.inspect().await;
    send(&browser, "form[action$='/fill'] button").await;
    let mut did: Vec<String> = vec![];
    for _ in 0..CLICKS_MAX {
        let wanted = asked(&browser).await;
        if wanted == "over" {
            break;
        }
        let first = !did.contains(&wanted);
        if first {
            browser.inspect().await;
        }
        answer(&world, &browser, &game, &wanted, first).await;
        did.push(wanted);
    }
    let times = |event: &str| did.iter().filter(|one| *one == event).count();
    assert_eq!(times("HUMAN_OPENING_STATEMENT"), 1);
    assert_eq!(times("partner_role_id"), 2, "one talk, and the second was declined");
    assert_eq!((times("CONVO_MESSAGE"), times("human_placement"), times("vote")), (2, 4, 4), "{did:?}");
    assert_eq!(times("HUMAN_DEBATE_MESSAGE"), 8, "spoken once and passed once on each issue");
    review(&world, &browser, &game).await;
}

async fn answer(world: &World, browser: &Browser, game: &str, wanted: &str, first: bool) {
    match wanted {
        "human_role_id" => choose(browser, "human_role_id", "CAN").await,
        "HUMAN_OPENING_STATEMENT" => {
            assert_eq!(browser.count(".seat.you.turn").await, 1, "whose turn it is glows");
            say(browser, "Canada wants one convention for all of mercury.").await;
        }
        "partner_role_id" if first => choose(browser, "partner_role_id", "CHN").await,
        "partner_role_id" => send(browser, "button[value=CONVO_2_SKIPPED]").await,
        "CONVO_MESSAGE" if first => {
            assert_eq!(browser.text(".hint").await, "Message 1 of 5");
            say(browser, SECRET).await;
        }
        "CONVO_MESSAGE" => {
            assert_eq!(browser.text(".hint").await, "Message 2 of 5");
            assert_eq!(browser.count(".room li").await, 2, "only this talk stands in the room");
            unheard(world, game).await;
            send(browser, "button[value=CONVO_END_EARLY]").await;
        }
        "human_placement" => choose(browser, "human_placement", "first").await,
        "HUMAN_DEBATE_MESSAGE" if browser.text(".marks .tag").await == "Debate 1 of 2" => {
            say(browser, "Canada can join whatever is fair and funded.").await;
        }
        "HUMAN_DEBATE_MESSAGE" => send(browser, "button[value=HUMAN_DEBATE_SKIP]").await,
        "vote" => send(browser, ".cast.yes").await,
        _ => send(browser, "button#go").await,
    }
}

/// A spectator finds nothing of the private talk: not on the page, not in the state, not in the record.
async fn unheard(world: &World, game: &str) {
    for path in ["", "/fragment"] {
        let page = world.api.get(&format!("/games/{game}{path}")).await.text;
        assert!(!page.contains(SECRET) && !page.contains("between\" d="), "{page}");
    }
    for path in ["state", "feed", "transcript", "events"] {
        let told = world.api.get(&format!("/api/games/{game}/{path}")).await.text;
        assert!(!told.contains(SECRET), "{path}: {told}");
    }
}

async fn review(world: &World, browser: &Browser, game: &str) {
    let state: Value = world.api.get(&format!("/api/games/{game}/state")).await.ok();
    assert_eq!(state["status"], "REVIEW");
    assert_eq!(browser.count(".votes td .cast").await, 24, "six countries, four issues");
    let adopted = state["votes"].as_array().expect("four").iter().filter(|one| one["adopted"] == true).count();
    assert_eq!(browser.count(".results .adopted").await, adopted);
    assert_eq!(browser.count(".trends figure").await, 4, "how minds moved on each issue");
    assert_eq!(browser.count(".trends .trend.you").await, 4, "and one's own line in each");
    let others = world.api.get(&format!("/games/{game}")).await.text;
    assert!(!others.contains("class=\"trends\""), "stances are the player's to see");
    browser.inspect().await;
    unheard(world, game).await;
    browser.follow("a.button[href$='/replay']").await;
    browser.click(".jump a:nth-of-type(3)").await;
    browser.until("document.querySelector('.stepper .now .round.now')?.innerText === '1'").await;
    assert!(!browser.shown().await.contains(SECRET), "a replay is for everybody");
    let broken = "return [...document.querySelectorAll('.jump a')].filter((one) => one.getClientRects().length > 1
        || one.offsetHeight > 2 * parseFloat(getComputedStyle(one).fontSize) + 12).map((one) => one.innerText)";
    assert_eq!(browser.js(broken).await, json!([]), "the names of the parts stand on one line each");
    browser.inspect().await;
}

/// How often a page without scripts may be opened in one meeting.
const LOOKS_MAX: usize = 600;

/// What the page without scripts asks for, by the fields of its form.
async fn asked_plainly(browser: &Browser) -> &'static str {
    for (css, wanted) in [
        ("#table[data-over=true]", "over"),
        ("[name=human_role_id]", "human_role_id"),
        ("[name=partner_role_id]", "partner_role_id"),
        ("[name=human_placement]", "human_placement"),
        ("[name=vote]", "vote"),
        ("input[value=HUMAN_OPENING_STATEMENT]", "HUMAN_OPENING_STATEMENT"),
        ("input[value=CONVO_MESSAGE]", "CONVO_MESSAGE"),
        ("input[value=HUMAN_DEBATE_MESSAGE]", "HUMAN_DEBATE_MESSAGE"),
        ("button#go[name=type]", "go"),
    ] {
        if browser.has(css).await {
            return wanted;
        }
    }
    "wait"
}

#[tokio::test]
async fn a_meeting_can_be_played_without_scripts() {
    let world = World::open().await;
    let game = table(&world, "en").await;
    let browser = Browser::open(&world).await;
    browser.ask("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
    let here = format!("/games/{game}");
    browser.goto(&here).await;
    browser.fill("#display_name", "Plain").await;
    browser.follow_plain("form[action$='/sit'] button").await;
    browser.follow_plain("form[action$='/fill'] button").await;
    let words = "form[data-draft] button.primary";
    let mut did: Vec<&str> = vec![];
    for _ in 0..LOOKS_MAX {
        assert_eq!(browser.path().await, here, "every form leads back to the table");
        let wanted = asked_plainly(&browser).await;
        let times = did.iter().filter(|one| **one == wanted).count();
        match wanted {
            "over" => break,
            "wait" => {
                browser.goto(&here).await;
                continue;
            }
            "human_role_id" => {
                browser.click("label:has([value=BRA])").await;
                browser.follow_plain("button#go").await;
            }
            "partner_role_id" if times == 0 => {
                browser.click("label:has([value=TZA])").await;
                browser.click("[name=partner_starts]").await;
                browser.follow_plain("button#go").await;
                // The partner is awaited, or has spoken already.
                let awaited = browser.text(".turn").await.contains("Tanzania");
                assert!(awaited || browser.text(".room").await.contains("Tanzania"));
            }
            "partner_role_id" => browser.follow_plain("button[value=CONVO_2_SKIPPED]").await,
            "CONVO_MESSAGE" if times == 2 => {
                assert!(browser.count(".room li").await >= 4, "the talk stands in the room, its partner first");
                unheard(&world, &game).await;
                browser.follow_plain("button[value=CONVO_END_EARLY]").await;
            }
            "CONVO_MESSAGE" => {
                browser.fill("#text", SECRET).await;
                browser.follow_plain(words).await;
            }
            "HUMAN_DEBATE_MESSAGE" if times % 2 == 1 => browser.follow_plain("button[value=HUMAN_DEBATE_SKIP]").await,
            "HUMAN_OPENING_STATEMENT" | "HUMAN_DEBATE_MESSAGE" => {
                browser.fill("#text", &format!("Brazil says it plainly, number {times}.")).await;
                browser.follow_plain(words).await;
            }
            "vote" => browser.follow_plain(".cast.no").await,
            _ => browser.follow_plain("button#go").await,
        }
        did.push(wanted);
    }
    let times = |wanted: &str| did.iter().filter(|one| **one == wanted).count();
    assert_eq!((times("HUMAN_OPENING_STATEMENT"), times("partner_role_id"), times("CONVO_MESSAGE")), (1, 2, 3));
    assert_eq!((times("human_placement"), times("HUMAN_DEBATE_MESSAGE"), times("vote")), (4, 8, 4), "{did:?}");
    assert_eq!(browser.count(".votes td .cast").await, 24, "six countries, four issues");
    assert_eq!(browser.count(".results .adopted").await, 0, "one no, and it fails");
    let feed = world.api.get(&format!("/api/games/{game}/feed?limit=1000")).await.text;
    assert!(feed.contains("Brazil says it plainly, number 6."), "what was typed was said");
    unheard(&world, &game).await;
    browser.follow_plain("a.button[href$='/replay']").await;
    browser.follow_plain(".jump a:nth-of-type(4)").await;
    browser.follow_plain("#next").await;
    assert!(browser.path().await.starts_with(&format!("{here}/replay?at=")));
}
