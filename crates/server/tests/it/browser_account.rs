//! An account from its first form to its last: register, keys, password, sign out and in, delete.

use crate::browser::Browser;
use crate::world::World;

#[tokio::test]
async fn an_account_lives_and_ends_through_its_pages() {
    let world = World::open().await;
    let browser = Browser::open(&world).await;
    browser.goto("/account").await;
    assert_eq!(browser.path().await, "/login?next=/account", "the page belongs to an account");
    browser.follow("a[href^='/register']").await;
    browser.fill("#username", "Grace").await;
    browser.fill("#email", "grace@example.org").await;
    browser.fill("#password", "a compiler of one's own").await;
    browser.inspect().await;
    browser.follow("main form button").await;
    assert_eq!(browser.path().await, "/account", "one is taken where one wanted to go");
    assert_eq!(browser.text("h1").await, "Grace");
    assert_eq!(browser.text(".who").await, "Grace");

    // A key is shown once, works, and stops working.
    browser.fill("#label", "my agent").await;
    browser.follow("form[action='/account/keys'] button").await;
    let key = browser.value("#fresh-key").await;
    assert!(key.starts_with("moot_key_"), "{key}");
    browser.see("[data-copy]").await;
    browser.inspect().await;
    let agent = world.api.with(&key);
    assert_eq!(agent.get("/api/auth/me").await.ok()["username"], "Grace");
    browser.goto("/account").await;
    assert!(!browser.has("#fresh-key").await, "it is never shown again");
    assert!(!browser.driver.source().await.expect("a page").contains(&key));
    assert!(browser.text(".rows").await.contains("my agent"));
    browser.follow("form[action$='/revoke'] button").await;
    assert_eq!(browser.text(".notice").await, "The key no longer works.");
    assert!(!browser.has("form[action$='/revoke']").await);
    agent.get("/api/auth/me").await.no(401);

    // A wrong password is refused beside its field and never written back.
    browser.fill("#current_password", "not this one at all").await;
    browser.fill("#new_password", "another compiler entirely").await;
    browser.follow("form[action='/account/password'] button").await;
    assert_eq!(browser.text("#current_password-refused").await, "That is not your present password.");
    assert_eq!(browser.value("#current_password").await, "");
    browser.fill("#current_password", "a compiler of one's own").await;
    browser.fill("#new_password", "another compiler entirely").await;
    browser.follow("form[action='/account/password'] button").await;
    assert_eq!(browser.text(".notice").await, "Your password has been changed.");

    browser.goto("/account").await;
    assert_eq!(browser.text("h1").await, "Grace", "one is still signed in");
    browser.follow("form[action='/logout'] button").await;
    assert_eq!(browser.path().await, "/");
    assert_eq!(browser.text(".who").await, "Sign in");
    browser.follow(".who").await;
    browser.fill("#email", "grace@example.org").await;
    browser.fill("#password", "a compiler of one's own").await;
    browser.follow("main form button").await;
    assert_eq!(browser.text("#password-refused").await, "That email and password do not go together.");
    assert_eq!(browser.value("#email").await, "grace@example.org", "what was right is kept");
    browser.inspect().await;
    browser.fill("#password", "another compiler entirely").await;
    browser.follow("main form button").await;
    assert_eq!(browser.path().await, "/");

    // The account's page lists the games it plays.
    browser.follow("form[action='/play'] button").await;
    let game = browser.path().await;
    browser.goto("/account").await;
    assert!(browser.has(&format!("a[href='{game}']")).await);
    browser.inspect().await;

    browser.click("details summary").await;
    browser.fill("#confirm", "grace").await;
    browser.fill("#delete-password", "another compiler entirely").await;
    browser.follow("form[action='/account/delete'] button").await;
    let refused = browser.text("#confirm-refused").await;
    assert!(refused.starts_with("Type your"), "{refused}");
    browser.fill("#confirm", "Grace").await;
    browser.fill("#delete-password", "another compiler entirely").await;
    browser.follow("form[action='/account/delete'] button").await;
    assert_eq!(browser.path().await, "/");
    assert_eq!(browser.text(".who").await, "Sign in");
    browser.goto("/login").await;
    browser.fill("#email", "grace@example.org").await;
    browser.fill("#password", "another compiler entirely").await;
    browser.follow("main form button").await;
    browser.see("#password-refused").await;
    browser.goto(&game).await;
    assert!(browser.has(".board .token").await, "the game stays in the record");
}
