//! What everybody may see: the public archive of a case, and the authors. Never a word of the corpus.

use crate::corpus::{CORPSE, prosecute};
use crate::economy_throne::{OutsideGame, PLEA};
use crate::market::{FRESH, law, list, sound, used};
use crate::world::{World, member, moot};
use commons::corpus::hash::Normal;
use std::collections::BTreeSet;

/// This many words in a row of a text count as a quotation.
const ROW: usize = 8;
/// A text of at least this many characters is also looked for as a whole.
const WHOLE: usize = 50;

/// What a page quotes of the stored texts, in the form in which texts are compared.
fn quoted(world: &World, page: &str) -> Vec<String> {
    let shown = Normal::of(&scraped(page)).expect("a page has words");
    let words: Vec<&str> = shown.as_str().split(' ').collect();
    let rows: BTreeSet<&[&str]> = words.windows(ROW).collect();
    let db = world.database();
    let sql = "select text from arguments union select full_text from defense_corpus
               union select content from transcript_entries where content is not null";
    let mut query = db.prepare(sql).expect("sound");
    let texts = query.query_map([], |row| row.get::<_, String>(0)).expect("sound");
    let texts: Vec<String> = texts.map(|text| text.expect("a text")).collect();
    assert!(texts.iter().filter(|text| text.chars().count() >= WHOLE).count() >= 4, "there is something to find");
    let mut found = vec![];
    for text in &texts {
        if text.chars().count() >= WHOLE && page.contains(text.as_str()) {
            found.push(text.clone());
        }
        let Ok(normal) = Normal::of(text) else { continue };
        let own: Vec<&str> = normal.as_str().split(' ').collect();
        found.extend(own.windows(ROW).filter(|row| rows.contains(row)).map(|row| row.join(" ")));
    }
    found
}

/// A page without its tags.
fn scraped(page: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in page.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.replace("&#39;", "'").replace("&#34;", "\"").replace("&amp;", "&")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_9_the_archive_of_a_case_is_public_shows_real_figures_and_has_no_verbatim_corpus_content() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    let (_, ben) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    court.wrote(Some(ben), PLEA).await;
    for _ in 0..2 {
        prosecute(&ann, "law", CORPSE).await;
    }
    for prosecutor in ["p-1", "p-2", "p-3", "p-1", "p-2"] {
        court.meet(FRESH, PLEA, "proved", prosecutor, "someone").await;
    }
    assert_eq!(court.night().await.digests, 4, "one for each case");
    assert_eq!(court.night().await.digests, 0, "a second run changes nothing");

    let reply = world.api.get("/case/john_law/archive").await;
    assert_eq!(reply.status, 200);
    let page = &reply.text;
    for said in [
        "<dt>Trials run</dt><dd>7</dd>",
        "<dt>Attacks weighed</dt><dd>7</dd>",
        "<dt>Defends most</dt><dd>John Law</dd><dt>7 defenses</dt>",
        "<td class=\"num\">12% <small class=\"interval\">worked in 0 of 5 uses, so in 0% to 44%</small></td><td class=\"num\">5</td>",
        "<td class=\"num\">88% <small class=\"interval\">worked in 5 of 5 uses, so in 56% to 100%</small></td><td class=\"num\">5</td>",
        "who signed the edict",
        "<svg class=\"trend\"",
        "♛ title taken",
        "Sign up to play",
        "href=\"/register?next=/case/john_law\"",
        "<input type=\"hidden\" name=\"case_id\" value=\"john_law\"><button class=\"primary\">Try this case</button>",
        "<a class=\"who\" href=\"/account\">Account</a>",
        "href=\"/authors\"",
    ] {
        assert!(page.contains(said), "{said}\n{page}");
    }
    assert!(page.len() < 100_000, "{}", page.len());
    assert!(!page.contains("/login"), "it does not say that whoever reads it is signed out");
    let korean = world.api.with_header("accept-language", "ko").get("/case/john_law/archive").await.text;
    assert!(korean.contains("가입하고 참여하기") && korean.contains("열린 재판"), "{korean}");
    for page in [page, &korean] {
        assert_eq!(quoted(world, page), Vec::<String>::new());
        assert!(!page.contains("ann") || !page.contains(">ann<"), "it names nobody");
    }
    // The search does find a text, or a part of one, where there is one.
    assert!(!quoted(world, &format!("{page}<p>{CORPSE}</p>")).is_empty());
    let part: Vec<&str> = FRESH.split(' ').skip(3).take(ROW).collect();
    assert!(!quoted(world, &format!("{page}<p>{}</p>", part.join(" "))).is_empty());
    sound(world);
    // The button leads a guest straight into a trial of this case.
    let guest = crate::economy_archive::form(&world.api, "/play", "game_type=tribunal&case_id=john_law").await;
    assert!(guest.status == 200 && guest.text.contains("John Law"), "{}", guest.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_archive_is_built_once_for_each_digest_and_is_the_same_for_everybody() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    // Before the first nightly run the figures are counted on request.
    let first = world.api.get("/case/john_law/archive").await;
    assert!(first.text.contains("<dt>Trials run</dt><dd>0</dd>"), "{}", first.text);
    assert!(first.text.contains("Nothing has been tried here yet."), "{}", first.text);
    assert_eq!(first.header("cache-control"), "public, max-age=60");
    let tag = first.header("etag").to_owned();
    assert!(tag.len() > 10);
    let again = world.api.with_header("if-none-match", &tag).get("/case/john_law/archive").await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    // A signed-in account and a request with a query get the same bytes.
    let session = world.account("zoe").await;
    for api in [&ann, &session] {
        assert_eq!(api.get("/case/john_law/archive?from=film").await.text, first.text);
    }
    assert_eq!(world.api.get("/case/nowhere/archive").await.status, 404);
    assert_ne!(world.api.with_header("accept-language", "ko").get("/case/john_law/archive").await.header("etag"), tag);

    court.meet(FRESH, PLEA, "failed", "p-1", "someone").await;
    assert_eq!(world.api.get("/case/john_law/archive").await.header("etag"), tag, "until the next night");
    court.night().await;
    let next = world.api.with_header("if-none-match", &tag).get("/case/john_law/archive").await;
    assert_eq!(next.status, 200);
    assert!(next.text.contains("<dt>Trials run</dt><dd>1</dd>"), "{}", next.text);
    // A report under a key that is not trusted shows nowhere.
    crate::market::trust(world, &court.key, false).await;
    court.reports.post("/api/argument-event", &used(CORPSE, 12, Some("failed"))).await.ok();
    assert_eq!(court.night().await.digests, 0);
    assert_eq!(world.api.get("/case/john_law/archive").await.text, next.text);
}

/// The addresses that a page links to.
fn links(page: &str) -> BTreeSet<&str> {
    page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_market_and_the_leaderboard_lead_to_authors_packs_titles_and_archives() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    for lang in ["en", "ko"] {
        let api = world.api.with_header("accept-language", lang);
        let market = api.get("/market").await.text;
        let on_market =
            ["/authors", "/market?action=packs", "/case/john_law", "/case/john_law/throne", "/case/john_law/archive"];
        for link in on_market {
            assert!(links(&market).contains(link), "{lang}: {link}\n{market}");
            assert_eq!(api.get(link).await.status, 200, "{link}");
        }
        let named = if lang == "en" { "Those who write arguments" } else { "주장을 쓴 사람" };
        assert!(api.get("/leaderboard").await.text.contains(&format!("<a href=\"/authors\">{named}")), "{lang}");
        assert!(links(&api.get("/authors").await.text).contains("/case/john_law"), "{lang}");
    }
    // Every page's footer links to the authors, and a name on the market leads to its row there.
    assert!(links(&world.api.get("/docs").await.text).contains("/authors"));
    let (ann, _) = member(world, "ann").await;
    list(&ann, &law(FRESH)).await.ok();
    assert!(links(&world.api.get("/market?action=untried").await.text).contains("/authors#ann"));
    // A pack is one step from the packs of the market and from its case.
    court.meet(FRESH, PLEA, "proved", "p-1", "someone").await;
    let (well, said) = moot(&["admin", "pack", "john_law", "law"], world.dir.path());
    assert!(well, "{said}");
    for page in ["/market?action=packs", "/case/john_law?show=packs"] {
        assert!(links(&world.api.get(page).await.text).contains("/packs/law_defense_pack"), "{page}");
    }
}
