//! Text from users is text: whatever it looks like, it is shown as it was written and never run.

use crate::browser::Browser;
use crate::world::{Game, World, argue_all, create, debate, decide, operator, play, silent, sit, text};
use moot::api::accounts::{self, Register};
use serde_json::json;

pub const SCRIPT: &str = "<script>window.pwned=1</script>";
pub const IMAGE: &str = "\"><img src=x onerror=window.pwned=1>";
const BREAKOUT: &str = "</textarea></title><b id=pwned>bold</b>";
const LINK: &str = "javascript:window.pwned=1//'\"`${{7*7}}";
const ALL: [&str; 4] = [SCRIPT, IMAGE, BREAKOUT, LINK];
const ADMIN: (&str, &str) = ("root@example.org", "the admin has a long password");

/// Checks that no text has become an element, a script or a link of the page.
pub async fn harmless(browser: &Browser) {
    let here = browser.path().await;
    assert_eq!(browser.js("return String(window.pwned)").await, "undefined", "something ran at {here}");
    let broken = "#pwned, img, iframe, object, embed, base, script:not([src^='/assets/']), [onerror], [onload]";
    assert_eq!(browser.count(broken).await, 0, "an element came out of text at {here}");
    let links = "return [...document.querySelectorAll('[href], [action], [src]')].map((el) =>
        el.getAttribute('href') ?? el.getAttribute('action') ?? el.getAttribute('src'))
        .filter((to) => !/^(\\/(?!\\/)|#|\\?|http:\\/\\/127\\.0\\.0\\.1)/.test(to))";
    assert_eq!(browser.js(links).await, json!([]), "a link leads elsewhere at {here}");
    browser.inspect().await;
}

/// Checks that the page is harmless and that every one of these texts can be read.
pub async fn literal(browser: &Browser, texts: &[&str]) {
    harmless(browser).await;
    let shown = "const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
        return [document.body.textContent, ...fields].join('\\n')";
    let shown = browser.js(shown).await;
    for part in texts {
        assert!(text(&shown).contains(part), "{part} cannot be read at {}: {shown}", browser.path().await);
    }
}

/// Every seat that has not argued says one of the texts; `number` shifts which.
async fn argue_with(world: &World, game: &Game, number: usize) {
    let state = game.state(&world.api).await;
    for (index, agent) in silent(&state).iter().enumerate() {
        let body = json!({"agent_id": agent, "text": ALL[(index + number) % ALL.len()]});
        world.api.post(&game.arguments(&state), &body).await.ok();
    }
}

async fn table_of_texts(world: &World) -> Game {
    let mut game = create(&world.api, &json!({"min_players": 4})).await;
    for name in ALL {
        sit(&world.api, &mut game, name, None).await;
    }
    game
}

#[tokio::test]
async fn text_from_users_is_escaped_in_every_field_that_is_shown() {
    let world = World::open().await;
    let (email, password) = ADMIN;
    let admin = Register { email: email.into(), username: IMAGE.into(), password: password.into() };
    accounts::create(&world.house, &admin, true).await.unwrap_or_else(|problem| panic!("{}", problem.detail));
    let browser = Browser::open(&world).await;

    // A waiting table, one in debate, one that has been decided, one that is over.
    table_of_texts(&world).await;
    let live = table_of_texts(&world).await;
    world.api.post_nothing(&live.path("/start")).await.ok();
    argue_with(&world, &live, 0).await;
    let decided = table_of_texts(&world).await;
    world.api.post_nothing(&decided.path("/start")).await.ok();
    for number in 0..3 {
        argue_with(&world, &decided, number).await;
    }
    let state = debate(&world.api, &decided).await;
    let feed = world.api.get(&decided.path("/feed")).await.text;
    let (_, argument) = feed.split_once("\"arg-").expect("somebody argued");
    let argument = format!("arg-{}", argument.split('"').next().expect("an id"));
    let body = json!({"agent_id": operator(&state), "decision": "save_minority", "reason": IMAGE,
        "decisive_argument_id": argument});
    world.api.post(&decided.decision(&state), &body).await.ok();
    let over = table_of_texts(&world).await;
    world.api.post_nothing(&over.path("/start")).await.ok();
    argue_all(&world.api, &over).await;
    for number in 0..2 {
        argue_with(&world, &over, number).await;
    }
    decide(&world.api, &over, "save_majority").await;
    play(&world.api, &over, |_| {}).await;

    browser.goto("/").await;
    literal(&browser, &ALL).await;
    for path in ["/fragment", &format!("/games/{}/fragment", live.id), &format!("/games/{}/replay/fragment", over.id)] {
        let sent = world.api.get(path).await;
        assert_eq!(sent.header("content-type"), "text/html; charset=utf-8");
        let page = sent.text;
        assert!(page.contains("&#60;script&#62;") || page.contains("&lt;script&gt;"), "{path} shows the text: {page}");
        for raw in [SCRIPT, "<img", "<b id=pwned", "</textarea></title>"] {
            assert!(!page.contains(raw), "{raw} stands in {path}");
        }
    }
    for game in [&live, &decided, &over] {
        browser.goto(&format!("/games/{}", game.id)).await;
        literal(&browser, &ALL).await;
    }
    // What arrives later is inserted by a script, and is text as well.
    browser.goto(&format!("/games/{}", live.id)).await;
    argue_with(&world, &live, 1).await;
    browser.until("document.querySelectorAll('.speech:not(.arriving)').length === 6").await;
    literal(&browser, &ALL).await;
    browser.goto(&format!("/games/{}/replay?at=12", over.id)).await;
    literal(&browser, &ALL).await;
    browser.click("#next").await;
    browser.until("+document.querySelector('#replay').dataset.at > 12").await;
    literal(&browser, &ALL).await;

    refused_forms(&world, &browser).await;
    signed_in(&world, &browser, &live).await;
}

/// What is written back into a form after a refusal, and where forms lead.
async fn refused_forms(world: &World, browser: &Browser) {
    let evil = [LINK, SCRIPT, IMAGE, "//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example"];
    for next in evil {
        let query: String = next.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for page in ["login", "register"] {
            browser.goto(&format!("/{page}?next={query}")).await;
            literal(browser, &[next]).await;
        }
        let form = [("lang", "en"), ("back", next)];
        let body: String = form.map(|(name, value)| format!("{name}={}", value.replace('&', "%26"))).join("&");
        let sent = world.api.request("POST".parse().expect("a method"), "/lang").body(body);
        let sent = sent.header("content-type", "application/x-www-form-urlencoded");
        let sent = sent.send().await.expect("it leads to a page of this house");
        assert_eq!(sent.url().host_str(), Some("127.0.0.1"), "{next} leads to {}", sent.url());
    }
    browser.goto(&format!("/nowhere/{}?x=%3Cscript%3Ewindow.pwned=1%3C/script%3E", "%3Cb%20id=pwned%3E")).await;
    harmless(browser).await;
    assert_eq!(browser.text("h1").await, "The track ends here");
    browser.goto("/games/%3Cscript%3Ewindow.pwned=1%3C%2Fscript%3E").await;
    harmless(browser).await;

    // Names that are too long come back as they were typed.
    browser.goto("/new").await;
    browser.fill("#display_name", &format!("{IMAGE}{SCRIPT}")).await;
    browser.follow("main form button.primary").await;
    literal(browser, &[IMAGE, SCRIPT]).await;
    browser.see("#display_name-refused").await;
    browser.goto("/register").await;
    browser.fill("#username", &format!("{BREAKOUT}{SCRIPT}")).await;
    browser.fill("#email", "a@example.org").await;
    browser.fill("#password", "long enough by far").await;
    browser.follow("main form button").await;
    literal(browser, &[BREAKOUT, SCRIPT]).await;

    // An argument that is too long, sent by the page's script and without it. A visitor who is dealt the lever begins another game.
    loop {
        browser.goto("/").await;
        browser.follow("form[action='/play'] button").await;
        if browser.has("#text").await {
            break;
        }
    }
    let long = format!("{BREAKOUT}{SCRIPT}{}", IMAGE.repeat(14));
    browser.fill("#text", &long).await;
    browser.click("[data-region=form] form[data-draft] button.primary").await;
    browser.see("#text-refused").await;
    literal(browser, &[&long]).await;
    browser.js("document.querySelector('form[data-draft]').submit(); window.here = true").await;
    browser.until("!window.here && document.readyState === 'complete'").await;
    literal(browser, &[&long]).await;
}

/// Pages of an account and of a moderator.
async fn signed_in(world: &World, browser: &Browser, live: &Game) {
    browser.driver.delete_all_cookies().await.expect("cookies can be forgotten");
    browser.goto("/login?next=javascript:window.pwned=1").await;
    browser.fill("#email", ADMIN.0).await;
    browser.fill("#password", ADMIN.1).await;
    browser.follow("main form button").await;
    assert_eq!(browser.path().await, "/", "a form leads to a page of this house");
    assert_eq!(browser.text(".who").await, IMAGE);
    browser.goto("/account").await;
    for label in [SCRIPT, IMAGE] {
        browser.fill("#label", label).await;
        browser.follow("form[action='/account/keys'] button").await;
    }
    literal(browser, &[SCRIPT, IMAGE]).await;
    browser.fill("#label", &format!("{BREAKOUT}{IMAGE}")).await;
    browser.follow("form[action='/account/keys'] button").await;
    literal(browser, &[BREAKOUT]).await;
    browser.see("#label-refused").await;

    for (css, reason) in [(".speech .report", BREAKOUT), ("a.button[href^='/report']", SCRIPT)] {
        browser.goto(&format!("/games/{}", live.id)).await;
        if css.starts_with("a.button") {
            browser.click("label[for=tab-info]").await;
        }
        browser.follow(css).await;
        harmless(browser).await;
        browser.fill("#reason", reason).await;
        browser.follow("main form button").await;
        browser.see(".notice").await;
        harmless(browser).await;
    }
    let agent = &live.agents[1];
    browser.goto(&format!("/report?game_id={}&agent_id={agent}", live.id)).await;
    literal(browser, &[IMAGE]).await;
    browser.fill("#reason", &IMAGE.repeat(60)).await;
    browser.follow("main form button").await;
    literal(browser, &[&IMAGE.repeat(60)]).await;
    // Over the API a report may be about anything that has a name.
    let report = json!({"game_id": live.id, "target": IMAGE, "reason": LINK});
    world.api.post("/api/reports", &report).await.ok();
    browser.goto("/admin").await;
    literal(browser, &[BREAKOUT, SCRIPT, IMAGE, LINK]).await;
    assert_eq!(browser.count(".reports > li").await, 3);
    browser.follow(".reports form button").await;
    harmless(browser).await;
    assert_eq!(browser.count(".reports form").await, 2);
}

#[tokio::test]
async fn every_page_keeps_the_strict_policy_and_its_weight() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    // The heaviest game: fifty seats, every argument as long as it may be.
    let game = crate::world::open_game(&world.api, 50).await;
    let full = "무거운 말".repeat(100);
    for _ in 0..3 {
        let state = game.state(&world.api).await;
        for agent in silent(&state) {
            world.api.post(&game.arguments(&state), &json!({"agent_id": agent, "text": full})).await.ok();
        }
    }
    decide(&world.api, &game, "save_majority").await;
    let (small, table) = (crate::world::open_game(&world.api, 3).await, format!("/games/{}", game.id));
    play(&world.api, &small, |_| {}).await;
    let replay = format!("/games/{}/replay", small.id);
    let report = format!("/report?game_id={}", game.id);
    for path in [
        "/",
        "/new",
        "/login",
        "/register",
        "/docs",
        "/docs/trolley",
        "/docs/trial",
        "/play?game_type=trial",
        "/docs/agents",
        "/docs/api",
        "/admin",
        "/nowhere",
        &table,
        &replay,
        &report,
    ] {
        let sent = world.api.with_header("accept", "text/html").get(path).await;
        let policy = sent.header("content-security-policy");
        for part in [
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(part), "{path}: {part} is not in {policy:?}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(sent.header("x-content-type-options"), "nosniff", "{path}");
        browser.goto(path).await;
        browser.inspect().await;
        let weight: u64 = browser.requests().await.iter().map(|(_, bytes)| bytes).sum();
        println!("{path} weighs {} KB", weight / 1024);
    }
    browser.resize(crate::browser::PHONE).await;
    for path in ["/", "/new", "/login", "/docs/trolley", "/docs/agents", "/docs/api", &table, &replay, &report] {
        browser.goto(path).await;
        browser.inspect().await;
    }
}
