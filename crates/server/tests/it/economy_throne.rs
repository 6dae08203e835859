//! Titles: when they change hands, who is paid then, and what everybody sees of it.

use crate::corpus::CORPSE;
use crate::market::{FRESH, count, defended, hash, law, list, pay_royalties, reporter, sound, trust, used};
use crate::world::{Api, World, member, text};
use commons::corpus::lesson::{Defense, Effect, Text};
use engine::facts::{Fate, Manner, Side};
use engine::id::{AccountId, Seq};
use engine::time::Timestamp;
use moot::corpus::nightly::{self, Night};
use serde_json::{Value, json};
use store::GameNo;
use store::corpus::{Event, Speech, Spoken, enter};
use store::ledger::thrones;
use store::ledger::{self, TransferNo};

/// A defense of John Law.
pub const PLEA: &str = "The council signed that edict over my protest, and its minutes show who asked for the poster and who paid the printer.";
const OTHER_PLEA: &str = "Notes were redeemed in silver at my own counter until the tenth of October, and the ledgers of the bank say how many.";
/// One that no bench would take.
const FORGOTTEN: &str = "I do not remember any such edict, and nobody could, after so long.";

/// A world with a trusted outside game, whose trials are numbered.
pub struct OutsideGame {
    pub world: World,
    pub reports: Api,
    pub key: String,
    trials: std::cell::Cell<u32>,
}

impl OutsideGame {
    pub async fn open() -> OutsideGame {
        let world = World::eager().await;
        let (owner, _) = member(&world, "bridge").await;
        let (reports, key) = reporter(&world, &owner).await;
        trust(&world, &key, true).await;
        OutsideGame { world, reports, key, trials: std::cell::Cell::new(0) }
    }

    /// An attack on Law meets a defense in a new trial; `prosecutor` and `accused` are the outside game's names for the players.
    pub async fn meet(&self, attack: &str, plea: &str, outcome: &str, prosecutor: &str, accused: &str) {
        let trial = self.trials.replace(self.trials.get() + 1);
        let shift = if outcome == "proved" { -6 } else { 6 };
        let mut event = used(attack, shift, Some(outcome));
        event["trial_id"] = json!(format!("trial-{trial}"));
        event["player_id"] = json!(prosecutor);
        self.reports.post("/api/argument-event", &event).await.ok();
        let mut event = defended(attack, plea, outcome);
        event["trial_id"] = json!(format!("trial-{trial}"));
        event["author_id"] = json!(accused);
        self.reports.post("/api/defense-event", &event).await.ok();
    }

    /// The defense is proved this many times, against these prosecutors in turn.
    pub async fn proved(&self, attack: &str, plea: &str, times: usize, prosecutors: &[&str]) {
        for time in 0..times {
            self.meet(attack, plea, "proved", prosecutors[time % prosecutors.len()], "someone").await;
        }
    }

    /// Enters a defense written by this account, or by nobody of this house.
    pub async fn wrote(&self, author: Option<AccountId>, plea: &'static str) {
        let at = self.world.house.now();
        let words = Text::of(plea).expect("it has words");
        let entered = self
            .world
            .house
            .store
            .write(move |db| enter(db, &words, Side::Defense, "who signed the edict", author, at));
        entered.await.expect("it is written");
    }

    pub async fn night(&self) -> Night {
        nightly::run(&self.world.house.store, self.world.house.now()).await.expect("it can be done")
    }

    pub async fn events(&self) -> Vec<Value> {
        let told = self.world.api.get("/api/throne-events?case_id=john_law").await.ok();
        told["items"].as_array().expect("items").clone()
    }
}

const THREE: [&str; 3] = ["p-1", "p-2", "p-3"];

struct Person {
    api: Api,
    id: AccountId,
}

/// A court in which Ann has listed `FRESH`, which worked once, and Ben has written `PLEA`.
async fn contested() -> (OutsideGame, Person, Person) {
    let court = OutsideGame::open().await;
    let (api, id) = member(&court.world, "ann").await;
    let ann = Person { api, id };
    let (api, id) = member(&court.world, "ben").await;
    let ben = Person { api, id };
    list(&ann.api, &law(FRESH)).await.ok();
    court.wrote(Some(ben.id), PLEA).await;
    court.meet(FRESH, FORGOTTEN, "failed", "p-9", "someone").await;
    (court, ann, ben)
}

/// Lets a new account with plain IA buy an attack on Law, or a defense of his; returns what its champion was paid.
pub async fn buys(world: &World, name: &str, asset: &str, words: &str) -> i64 {
    let (buyer, id) = member(world, name).await;
    let at = world.house.now();
    let key = id.to_string();
    let given = world.house.store.write(move |db| {
        let welcome = ledger::transfers_of(db, id, TransferNo(i64::MAX), 1)?;
        ledger::reverse(db, welcome[0].n, at)?;
        ledger::grant(db, id, 50, false, "", &key, at)
    });
    given.await.expect("it is paid");
    let order = json!({"type": asset, "hash": hash(words), "case_id": "john_law", "character_id": "law"});
    assert_eq!(buyer.post("/api/unlock", &order).await.ok()["text"], words);
    pay_royalties(world).await;
    count(world, "select author_share from corpus_unlocks order by id desc limit 1")
}

/// What an account was paid for attacks, or for defenses.
pub async fn earned(api: &Api, asset: &str) -> i64 {
    let ledger = api.get("/api/me/ledger").await.ok();
    let reason = format!("royalty_{asset}");
    let royalties = ledger["items"].as_array().expect("items").iter().filter(|item| item["reason"] == reason.as_str());
    royalties.map(|item| item["amount"].as_i64().expect("whole IA")).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_8_a_counter_defense_that_consistently_beats_an_attack_takes_its_throne_and_its_future_royalties() {
    let (court, ann, ben) = contested().await;
    let world = &court.world;
    assert_eq!(buys(world, "carl", "attack", FRESH).await, 3, "two fifths of eight");
    assert_eq!((earned(&ann.api, "attack").await, earned(&ben.api, "attack").await), (3, 0));
    assert_eq!(court.night().await.titles, 0);

    court.proved(FRESH, PLEA, 5, &THREE).await;
    assert_eq!(court.night().await.titles, 1);
    let events = court.events().await;
    assert_eq!(events.len(), 1, "{events:#?}");
    let event = &events[0];
    assert_eq!((&event["previous_champion"], &event["new_champion"]), (&json!("ann"), &json!("ben")), "{event}");
    assert_eq!((&event["asset_type"], &event["asset_hash"]), (&json!("attack"), &json!(hash(FRESH))));
    assert_eq!((&event["case_id"], &event["target_character"]), (&json!("john_law"), &json!("law")));
    assert_eq!((&event["challenger_hash"], &event["challenger_uses"]), (&json!(hash(PLEA)), &json!(5)));
    assert_eq!(event["challenger_effectiveness"], json!(0.881));
    // It worked once, and then five times not.
    assert_eq!(event["effectiveness"], json!(0.148));
    let newest = count(world, "select max(id) from defense_corpus");
    assert_eq!(event["trigger_event_id"], newest, "the meeting that completed it");
    let marked = "select count(*) from argument_stats where current_champion_id is not null";
    assert_eq!(count(world, marked), 1);

    // Ben is paid from now on; what Ann was paid stays hers.
    assert_eq!(buys(world, "dora", "attack", FRESH).await, 2, "two fifths of five");
    assert_eq!((earned(&ann.api, "attack").await, earned(&ben.api, "attack").await), (3, 2));
    assert_eq!(count(world, "select count(*) from royalty_payouts"), 2);

    // Running it again makes no second change, neither alone nor twice at once.
    assert_eq!(court.night().await.titles, 0);
    let (first, second) = tokio::join!(court.night(), court.night());
    assert_eq!(first.titles + second.titles, 0);
    assert_eq!(court.events().await, events, "history is kept");

    let titles = world.api.get("/api/thrones?case_id=john_law").await.ok();
    let taken: Vec<&Value> =
        titles["titles"].as_array().expect("titles").iter().filter(|title| title["taken"] == true).collect();
    assert_eq!(taken.len(), 1, "{titles:#}");
    assert_eq!((&taken[0]["champion"], &taken[0]["asset_hash"]), (&json!("ben"), &json!(hash(FRESH))));
    let told =
        world.house.store.read(move |db| Ok((thrones::of_account(db, ann.id)?, thrones::of_account(db, ben.id)?)));
    let (anns, bens) = told.await.expect("it can be read");
    assert_eq!((anns.held.len(), anns.won.len(), anns.lost.len()), (0, 0, 1));
    assert_eq!((bens.held.len(), bens.won.len(), bens.lost.len()), (1, 1, 0));
    sound(world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hall_names_both_and_the_trigger_and_quotes_nothing() {
    let (court, ann, _) = contested().await;
    let world = &court.world;
    let empty = world.api.get("/case/john_law/throne").await;
    assert!(empty.status == 200 && empty.text.contains("No title has changed hands yet."), "{}", empty.text);
    court.proved(FRESH, PLEA, 5, &THREE).await;
    court.night().await;
    let page = world.api.get("/case/john_law/throne").await.text;
    for said in [
        "ben took the title of an attack from ann.",
        "id=\"event-1\"",
        "88% over 5 uses",
        "had fallen to 15%",
        "Completed by exchange 6 of the corpus.",
        "who signed the edict",
        "/authors#ben",
    ] {
        assert!(page.contains(said), "{said}\n{page}");
    }
    assert!(!page.contains(FRESH) && !page.contains(PLEA), "{page}");
    let korean = world.api.with_header("accept-language", "ko").get("/case/john_law/throne").await.text;
    assert!(korean.contains("왕좌의 전당") && korean.contains("ann의 공격 왕좌를 차지했습니다"), "{korean}");
    assert_eq!(world.api.get("/case/nowhere/throne").await.status, 404);
    world.api.get("/api/thrones?case_id=nowhere").await.no(400);
    world.api.get("/api/throne-events?case_id=nowhere").await.no(400);

    let gone = world.house.store.write(move |db| {
        let sql = "update accounts set deleted_at = 1, username = 'deleted-' || hex(id) where id = ?1";
        Ok(db.raw().execute(sql, [ann.id.0])?)
    });
    assert_eq!(gone.await.expect("it is written"), 1);
    let page = world.api.get("/case/john_law/throne").await.text;
    assert!(page.contains("from deleted user."), "{page}");
    let event = &court.events().await[0];
    assert_eq!((&event["previous_champion"], &event["previous_is"]), (&Value::Null, &json!("deleted")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_title_that_was_taken_is_marked_on_the_market() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    let (_, ben_id) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    list(&ann, &law(CORPSE)).await.ok();
    court.wrote(Some(ben_id), PLEA).await;
    for attack in [FRESH, CORPSE] {
        court.meet(attack, FORGOTTEN, "failed", "p-9", "someone").await;
    }
    court.proved(FRESH, PLEA, 5, &THREE).await;
    let champions = async || {
        let told = world.api.get("/api/marketplace?case_id=john_law&sort=newest&order=asc").await.ok();
        let items = told["items"].as_array().expect("a list").iter();
        items.map(|item| item["champion"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(champions().await, [Value::Null, Value::Null]);
    assert!(!world.api.get("/market").await.text.contains('♛'));
    court.night().await;
    assert_eq!(champions().await, [json!("ben"), Value::Null]);
    let page = world.api.get("/market").await.text;
    assert!(page.contains("♛ title held by ben") && page.matches('♛').count() == 1, "{page}");
    let korean = world.api.with_header("accept-language", "ko").get("/market").await.text;
    assert!(korean.contains("♛ 왕좌: ben"), "{korean}");
    let gone = world.house.store.write(move |db| {
        let sql = "update accounts set deleted_at = 1, username = 'deleted-' || hex(id) where id = ?1";
        Ok(db.raw().execute(sql, [ben_id.0])?)
    });
    assert_eq!(gone.await.expect("it is written"), 1);
    assert_eq!(champions().await, [json!("house"), Value::Null]);
}

/// Each of them is one short of what a title takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_uses_two_opponents_or_what_does_not_count_change_nothing() {
    let (court, ann, _) = contested().await;
    let world = &court.world;
    court.proved(FRESH, PLEA, 4, &THREE).await;
    assert_eq!(court.night().await.titles, 0, "four uses");
    trust(world, &court.key, false).await;
    court.proved(FRESH, PLEA, 6, &THREE).await;
    assert_eq!(court.night().await.titles, 0, "what nobody trusts does not count");
    trust(world, &court.key, true).await;
    court.proved(FRESH, PLEA, 1, &THREE).await;
    assert_eq!(court.night().await.titles, 1, "the fifth that counts");

    list(&ann.api, &law(CORPSE)).await.ok();
    court.proved(CORPSE, PLEA, 9, &THREE[..2]).await;
    assert_eq!(court.night().await.titles, 0, "two opponents");
    court.proved(CORPSE, PLEA, 1, &["p-3"]).await;
    assert_eq!(court.night().await.titles, 1, "the third");
    assert_eq!(court.events().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_stands_as_long_as_one_of_its_variants_does_well_or_the_defense_does_not() {
    let (court, ann, _) = contested().await;
    let world = &court.world;
    let variant = format!("{FRESH} Every one of them.");
    list(&ann.api, &law(&variant)).await.ok();
    assert_eq!(count(world, "select count(distinct lineage) from arguments where side = 'attack'"), 1, "they are kin");
    court.reports.post("/api/argument-event", &used(&variant, 12, Some("failed"))).await.ok();
    court.proved(FRESH, PLEA, 6, &THREE).await;
    assert_eq!(court.night().await.titles, 0, "the variant does well");
    for _ in 0..4 {
        court.reports.post("/api/argument-event", &used(&variant, -6, Some("proved"))).await.ok();
    }
    // The defense is used without being proved, until its own figure is too low, and recovers.
    for _ in 0..2 {
        court.meet(FRESH, PLEA, "withdrawn", "p-1", "someone").await;
    }
    court.reports.post("/api/argument-event", &used(FRESH, -12, None)).await.ok();
    for _ in 0..3 {
        court.reports.post("/api/argument-event", &used(FRESH, -12, None)).await.ok();
    }
    assert_eq!(court.night().await.titles, 0, "the defense does not do well enough");
    court.proved(FRESH, PLEA, 3, &THREE).await;
    assert_eq!(court.night().await.titles, 1);
    let marked = "select count(*) from argument_stats where current_champion_id is not null";
    assert_eq!(count(world, marked), 2, "every variant is marked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_defense_falls_to_an_attack_that_beats_it() {
    let (court, ann, _) = contested().await;
    let world = &court.world;
    for accused in ["d-1", "d-2", "d-1", "d-2", "d-1", "d-2"] {
        court.meet(FRESH, PLEA, "failed", "p-1", accused).await;
    }
    assert_eq!(court.night().await.titles, 0, "two who defended with it");
    court.meet(FRESH, PLEA, "failed", "p-1", "d-3").await;
    assert_eq!(court.night().await.titles, 1);
    let event = &court.events().await[0];
    assert_eq!((&event["asset_type"], &event["asset_hash"]), (&json!("defense"), &json!(hash(PLEA))));
    assert_eq!((&event["previous_champion"], &event["new_champion"]), (&json!("ben"), &json!("ann")));
    assert_eq!((&event["challenger_hash"], &event["challenger_uses"]), (&json!(hash(FRESH)), &json!(7)));
    assert_eq!(count(world, "select count(*) from argument_stats where current_champion_id is not null"), 0);
    let page = world.api.get("/case/john_law/throne").await.text;
    assert!(page.contains("ann took the title of a defense from ben."), "{page}");
    // Buyers of the defense pay Ann from now on.
    let lineage = count(world, "select lineage from thrones");
    let paid = store::ledger::unlocks::champion(&world.db(), "john_law", "law", "defense", lineage);
    assert_eq!(paid.expect("it can be read"), Some(ann.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_of_ours_wrote_takes_the_title_for_the_house() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    list(&ann, &law(FRESH)).await.ok();
    court.meet(FRESH, FORGOTTEN, "failed", "p-9", "someone").await;
    court.proved(FRESH, PLEA, 5, &THREE).await;
    assert_eq!(court.night().await.titles, 1);
    let event = &court.events().await[0];
    assert_eq!((&event["new_champion"], &event["new_is"]), (&Value::Null, &json!("house")));
    assert_eq!(buys(world, "dora", "attack", FRESH).await, 0);
    assert_eq!(earned(&ann, "attack").await, 0);
    assert!(
        world.api.get("/case/john_law/throne").await.text.contains("The house took the title of an attack from ann.")
    );
    // The house holds it already, so its next defense takes nothing.
    court.proved(FRESH, OTHER_PLEA, 5, &THREE).await;
    assert_eq!(court.night().await.titles, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_title_changes_only_by_what_came_after_its_last_change() {
    let (court, _, _) = contested().await;
    let world = &court.world;
    let (_, cleo_id) = member(world, "cleo").await;
    court.wrote(Some(cleo_id), OTHER_PLEA).await;
    // Both are good enough; Ben's is the better one.
    court.proved(FRESH, PLEA, 6, &THREE).await;
    court.proved(FRESH, OTHER_PLEA, 5, &THREE).await;
    assert_eq!(court.night().await.titles, 1);
    assert_eq!(court.events().await[0]["new_champion"], "ben");
    assert_eq!(court.night().await.titles, 0, "what was there before is not a second challenge");
    court.proved(FRESH, OTHER_PLEA, 4, &THREE).await;
    assert_eq!(court.night().await.titles, 0, "four that are new");
    court.proved(FRESH, OTHER_PLEA, 1, &THREE).await;
    assert_eq!(court.night().await.titles, 1);
    let events = court.events().await;
    assert_eq!((&events[0]["previous_champion"], &events[0]["new_champion"]), (&json!("ben"), &json!("cleo")));
    assert_eq!(events.len(), 2);
    let cursor = format!("/api/throne-events?limit=1&cursor={}", events[0]["id"]);
    assert_eq!(world.api.get(&cursor).await.ok()["items"][0], events[1], "page by page");
    assert_eq!(court.night().await.titles, 0);
}

/// A proved defense in a trial of this house; a prosecutor of `None` is the house.
async fn own_meeting(
    world: &World,
    game: i64,
    prosecutor: Option<AccountId>,
    attack: &'static str,
    plea: &'static str,
) {
    let at = world.house.now();
    let written = world.house.store.write(move |db| {
        let find = |words: &str| {
            let sql = "select n from arguments where hash = ?1";
            db.raw().query_row(sql, [hash(words)], |row| row.get::<_, i64>(0)).expect("it is known")
        };
        let said = |argument: i64| Spoken::of_argument(db, argument, "john_law".into(), "law".into(), "p".into());
        let (made, given) = (said(find(attack))?, said(find(plea))?);
        for (seq, said, account) in [(2, &made, prosecutor), (3, &given, None)] {
            let (argument, case_id, target) = (said.argument, "john_law", "law");
            let by_house = account.is_none();
            Speech { argument, case_id, target, player_id: "p", account, by_house }.keep(db, GameNo(game), Seq(seq))?;
        }
        let event = |seq: u64| Event {
            trial_id: format!("own-{game}"),
            at: Timestamp(at.0),
            external: false,
            counted: true,
            own: Some((GameNo(game), Seq(seq))),
            key: None,
        };
        let effect = Effect { jury_shift: -6, triggered: true, verdict: Some(Fate::Proved), ia_change: 0 };
        let stat = made.stat(db)?;
        event(2).insert(db, &made, stat, &effect)?;
        event(2).count(db, stat, &effect)?;
        let defense = Defense {
            mode: Manner::Prove,
            outcome: Fate::Proved,
            claim: String::new(),
            cited: vec![],
            angle: None,
            inspired_by: None,
        };
        event(3).insert_defense(db, &made, &given, &defense, None)
    });
    written.await.expect("it is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_house_is_one_opponent_oneself_is_none_and_two_accounts_of_one_person_are_one() {
    let (court, ann, ben) = contested().await;
    let world = &court.world;
    let (_, also_ben) = member(world, "ben+2").await;
    let (_, cleo) = member(world, "cleo").await;
    let (_, also_cleo) = member(world, "cleo+2").await;
    let mut game = 900;
    for prosecutor in [None, None, Some(ben.id), Some(also_ben), Some(cleo), Some(also_cleo), None] {
        own_meeting(world, game, prosecutor, FRESH, PLEA).await;
        game += 1;
    }
    assert_eq!(court.night().await.titles, 0, "the house and Cleo");
    own_meeting(world, game, Some(ann.id), FRESH, PLEA).await;
    assert_eq!(court.night().await.titles, 1, "and Ann");
    assert_eq!(court.events().await[0]["new_champion"], "ben");
    assert_eq!(text(&court.events().await[0]["url"]), "/case/john_law/throne#event-1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_takes_a_title_from_itself_under_another_name() {
    let court = OutsideGame::open().await;
    let world = &court.world;
    let (ann, _) = member(world, "ann").await;
    let (_, also_ann) = member(world, "ann+2").await;
    let (_, ben_id) = member(world, "ben").await;
    list(&ann, &law(FRESH)).await.ok();
    court.wrote(Some(also_ann), PLEA).await;
    court.proved(FRESH, PLEA, 6, &THREE).await;
    assert_eq!(court.night().await.titles, 0);
    court.wrote(Some(ben_id), OTHER_PLEA).await;
    court.proved(FRESH, OTHER_PLEA, 7, &THREE).await;
    assert_eq!(court.night().await.titles, 1, "somebody else does");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_at_once_change_a_title_once() {
    let (court, _, _) = contested().await;
    court.proved(FRESH, PLEA, 5, &THREE).await;
    let store = &court.world.house.store;
    nightly::recompute(store).await.expect("it can be done");
    let due = store.read(store::ledger::challenges::due).await.expect("it can be read");
    assert_eq!(due.len(), 1);
    // Two nodes have found the same change, and both write it.
    let at = court.world.house.now();
    let mut made = vec![];
    for _ in 0..2 {
        let title = due[0].clone();
        let written = store.write(move |db| store::ledger::challenges::hand_over(db, &title, at)).await;
        made.push(written.expect("it is written").is_some());
    }
    assert_eq!(made, [true, false]);
    assert_eq!(court.events().await.len(), 1);
}
