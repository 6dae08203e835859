//! The public pages of a case through a browser: the hall, the archive, the authors; and the moderators' panel.

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::browser_shots::{ENGLISH, picture};
use crate::browser_trial::register;
use crate::economy_throne::{OutsideGame, PLEA};
use crate::market::{FRESH, law, list};
use crate::operations::moderator;
use crate::world::{World, member};
use engine::id::AccountId;
use store::ledger::grant;

/// The narrowest phone that pages must fit.
const NARROW: (u32, u32) = (360, 780);
/// In IA; with the welcome bonus of 100 it makes a balance of five digits.
const RICHES: u64 = 12_126;

#[tokio::test]
async fn a_visitor_reads_the_archive_follows_a_crown_and_signs_up() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    let (_, ben) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    court.wrote(Some(ben), PLEA).await;
    for prosecutor in ["p-1", "p-2", "p-3", "p-1", "p-2"] {
        court.meet(FRESH, PLEA, "proved", prosecutor, "someone").await;
    }
    court.night().await;
    let public = ["/case/john_law/archive", "/case/john_law/throne", "/case/john_locke/archive", "/authors"];
    let korean = Browser::at(world.address, "ko", PHONE).await;
    for size in [NARROW, PHONE] {
        korean.resize(size).await;
        for path in public {
            korean.goto(path).await;
            korean.inspect().await;
        }
    }
    let browser = Browser::open(world).await;
    for scheme in ["light", "dark"] {
        browser.scheme(scheme).await;
        for size in [NARROW, PHONE, DESKTOP] {
            browser.resize(size).await;
            for path in public {
                browser.goto(path).await;
                browser.inspect().await;
            }
        }
    }
    browser.goto("/case/john_law/archive").await;
    assert_eq!(browser.text(".numbers dd").await, "5");
    assert!(browser.count(".trend rect").await >= 1 && browser.count(".trend circle").await >= 1);
    assert!(browser.text(".trend").await.contains("5 attacks"), "a single day has its figures beside it");
    browser.resize(NARROW).await;
    let smallest = "return Math.min(...[...document.querySelectorAll('.trend text')].map((one) =>
        parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))";
    let smallest = browser.js(smallest).await.as_f64().expect("a number");
    assert!(smallest >= 11.0, "the words of the picture are {smallest} px high");
    browser.resize(DESKTOP).await;
    picture(&browser, &ENGLISH, "public-archive", true).await;
    browser.follow("a.tag").await;
    assert_eq!(browser.path().await, "/case/john_law/throne");
    picture(&browser, &ENGLISH, "throne", true).await;
    assert_eq!(browser.text("#event-1 b").await, "ben took the title of an attack from ann.");
    browser.follow(".hall td a[href='/authors#ben']").await;
    assert!(browser.text("tr:target").await.contains("ben"), "the row that was asked for is marked");
    browser.goto("/case/john_law/archive").await;
    browser.follow("a.button[href^='/register']").await;
    register(&browser, "Ada").await;
    assert_eq!(browser.path().await, "/case/john_law", "and is led to the case");
    // A page that is the same for everybody does not show who is signed in.
    browser.goto("/case/john_law/archive").await;
    assert!(!browser.shown().await.contains("Ada"));

    moderator(world, "Ada").await;
    browser.goto("/admin").await;
    browser.inspect().await;
    browser.fill("#grant-username", "ann").await;
    browser.fill("#grant-amount", "25").await;
    browser.follow("form[action='/admin/grant'] button").await;
    assert_eq!(browser.text(".economy .notice").await, "It is granted.");
    browser.fill("#reverse-transfer", "9999").await;
    browser.follow("form:has(#reverse-transfer) button").await;
    assert!(browser.text("#reverse-transfer-refused").await.contains("There is no transfer 9999."));
    browser.inspect().await;
}

#[tokio::test]
async fn a_rich_moderator_finds_every_page_as_wide_as_a_narrow_phone() {
    let world = World::open().await;
    for lang in ["en", "ko"] {
        let browser = Browser::at(world.address, lang, NARROW).await;
        browser.goto("/register").await;
        let name = format!("Croesus-{lang}");
        browser.fill("#username", &name).await;
        browser.fill("#email", &format!("{lang}@example.org")).await;
        browser.fill("#password", "a long enough password").await;
        browser.follow("main form button.primary").await;
        moderator(&world, &name).await;
        let now = world.house.now();
        let given = world.house.store.write(move |db| {
            let sql = "select id from accounts where username = ?1";
            let id = db.raw().query_row(sql, [&name], |row| row.get(0))?;
            grant(db, AccountId(id), RICHES, false, "for the test", &name, now)
        });
        given.await.expect("it is given");
        for path in ["/admin", "/market", "/account", "/docs"] {
            browser.goto(path).await;
            assert_eq!(browser.text(".purse").await, "12226 IA", "{path}");
            assert!(browser.has(".top [href='/admin']").await, "{path}");
            browser.inspect().await;
        }
    }
}
