//! What everybody may see of a case, through a browser: the hall, the public archive, the authors, and the moderators' panel.

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::browser_trial::register;
use crate::economy_throne::{Court, PLEA};
use crate::market::{FRESH, law, list};
use crate::operations::moderator;
use crate::world::member;

#[tokio::test]
async fn a_visitor_reads_the_archive_follows_a_crown_and_signs_up() {
    let court = Court::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    let (_, ben) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    court.wrote(Some(ben), PLEA).await;
    for prosecutor in ["p-1", "p-2", "p-3", "p-1", "p-2"] {
        court.meet(FRESH, PLEA, "proved", prosecutor, "someone").await;
    }
    court.night().await;
    let browser = Browser::open(world).await;
    for scheme in ["light", "dark"] {
        browser.scheme(scheme).await;
        for size in [PHONE, DESKTOP] {
            browser.resize(size).await;
            for path in ["/case/john_law/archive", "/case/john_law/throne", "/case/john_locke/archive", "/authors"] {
                browser.goto(path).await;
                browser.inspect().await;
            }
        }
    }
    browser.goto("/case/john_law/archive").await;
    assert_eq!(browser.text(".numbers dd").await, "5");
    assert!(browser.count(".trend rect").await >= 1 && browser.count(".trend circle").await >= 1);
    browser.follow("a.tag").await;
    assert_eq!(browser.path().await, "/case/john_law/throne");
    assert_eq!(browser.text("#event-1 b").await, "ben took the title of an attack from ann.");
    browser.follow(".hall td a[href='/authors#ben']").await;
    assert!(browser.text("tr:target").await.contains("ben"), "the row that was asked for is marked");
    browser.goto("/case/john_law/archive").await;
    browser.follow("a.button[href^='/register']").await;
    register(&browser, "Ada").await;
    assert_eq!(browser.path().await, "/new", "and is led to a table");
    // Who is signed in does not show on a page that is the same for everybody.
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
    browser.follow("form[action='/admin/reverse'] button").await;
    assert!(browser.text("#reverse-transfer-refused").await.contains("There is no transfer 9999."));
    browser.inspect().await;
}
