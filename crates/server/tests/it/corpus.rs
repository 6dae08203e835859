//! The argument corpus: what is said in a tribunal is kept with its outcome, in the same commit, and the accused learns from it.

use crate::world::{self, Api, Game, Program, TempDir, World, moot, text, verify};
use commons::corpus::lesson::Lesson;
use commons::corpus::novelty::too_close;
use engine::id::Seat;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::Actor;
use moot::play::Plan;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

/// The attack on John Law that most tests use.
pub const CORPSE: &str = "You buried a living kingdom in paper, Monsieur Law. France is a corpse and your notes are its shroud: its \
    trade is dead, its creditors are bled white, and you stand at the grave and call it credit.";

/// A trial of one exchange: the prosecutor says this to a character and waits for the end.
pub async fn prosecute(api: &Api, character: &str, words: &str) -> (Game, Value) {
    let made =
        api.post("/api/games", &json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1})).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let player = match made["player_token"].as_str() {
        Some(token) => api.with(token),
        None => api.clone(),
    };
    let act = json!({"type": "argue", "character_id": character, "text": words});
    player.post(&game.path("/action"), &act).await.ok();
    let mut state = game.state(&player).await;
    while state["status"] != "completed" {
        let path = game.path(&format!("/state?wait=5&version={}", state["version"]));
        state = player.get(&path).await.ok();
    }
    (game, state)
}

fn stats(world: &World, words: &str) -> Value {
    let hash = commons::corpus::hash::ArgHash::of(words).expect("it has words").to_string();
    let sql = "select uses, trap_triggers, trap_lands, trap_misses, total_ia_won, effectiveness, decay_slope, effectiveness_e4
               from argument_stats where arg_hash = ?1 and case_id = 'john_law' and target_character = 'law'";
    world
        .database()
        .query_row(sql, [hash], |row| {
            Ok(json!({
                "uses": row.get::<_, i64>(0)?, "triggers": row.get::<_, i64>(1)?, "lands": row.get::<_, i64>(2)?,
                "misses": row.get::<_, i64>(3)?, "ia": row.get::<_, i64>(4)?, "effectiveness": row.get::<_, f64>(5)?,
                "slope": row.get::<_, f64>(6)?, "e4": row.get::<_, i64>(7)?,
            }))
        })
        .expect("it was used")
}

fn defenses(world: &World) -> Vec<(String, String, String)> {
    let db = world.database();
    let mut query = db.prepare("select full_text, outcome, mode from defense_corpus order by id").expect("sound");
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("sound");
    rows.map(|row| row.expect("a row")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_1_five_plays_of_the_corpse_of_france_show_uses_lands_and_a_falling_effectiveness() {
    let world = World::open().await;
    let mut course = vec![];
    for _ in 0..5 {
        prosecute(&world.api, "law", CORPSE).await;
        moot::corpus::nightly::recompute(&world.house.store).await.expect("it can be done");
        course.push(stats(&world, CORPSE)["e4"].as_i64().expect("a number"));
    }
    let five = stats(&world, CORPSE);
    assert_eq!((&five["uses"], &five["triggers"]), (&json!(5), &json!(5)), "{five}");
    assert!(five["lands"].as_i64() >= Some(1) && five["misses"].as_i64() >= Some(1), "{five}");
    assert_eq!(course[0], 6250, "a first kill");
    let best = *course.iter().max().expect("five");
    assert!(course[4] < best && course[4] < course[0], "it falls: {course:?} {five}");
    // The same words in another case and spacing are the same argument.
    prosecute(&world.api, "law", &CORPSE.to_uppercase().replace(' ', "  ")).await;
    assert_eq!(stats(&world, CORPSE)["uses"], 6);
    let (sound, said) = world::moot(&["verify"], world.dir.path());
    assert!(sound, "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprints_2_and_3_every_defense_is_kept_and_none_is_given_twice() {
    let world = World::open().await;
    let mut spoken = vec![];
    let mut course = vec![];
    for play in 0..50 {
        let (_, state) = prosecute(&world.api, "law", CORPSE).await;
        let exchange = &state["exchanges_log"][0];
        let text = exchange["burden"]["text"].as_str().map(str::to_owned);
        if play < 5 {
            assert!(text.is_some(), "{exchange}");
        }
        spoken.push(text);
        moot::corpus::nightly::recompute(&world.house.store).await.expect("it can be done");
        course.push(stats(&world, CORPSE)["e4"].as_i64().expect("a number"));
    }
    assert!(course[3..14].windows(2).all(|pair| pair[1] <= pair[0]), "it falls with every defense: {course:?}");
    // From then on it is a plain attack that meets the best plain answer, and moves at most one juror of twelve.
    assert!(course[14..].iter().all(|e4| *e4 <= 10_000 / 12), "{course:?}");
    assert!(course[49] < 1000 && course[4] < course[0], "{course:?}");
    let rows = defenses(&world);
    let said: Vec<&String> = spoken.iter().flatten().collect();
    assert_eq!(rows.len(), said.len(), "one row for each defense");
    assert_eq!(said.len(), 14, "fourteen angles, then plain answers");
    assert!(spoken[14..].iter().all(Option::is_none), "nothing triggers any more");
    for (index, text) in said.iter().enumerate() {
        assert_eq!(too_close(text, &said[..index]), None, "{text}");
    }
    let outcomes: Vec<&str> = rows.iter().take(5).map(|(_, outcome, _)| outcome.as_str()).collect();
    assert!(outcomes[..2].iter().all(|outcome| *outcome != "proved"), "at first it bluffs: {outcomes:?}");
    assert!(outcomes[2..].contains(&"proved"), "then it has learnt: {outcomes:?}");
    let fifty = stats(&world, CORPSE);
    assert_eq!((&fifty["uses"], &fifty["triggers"]), (&json!(50), &json!(14)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trials_at_the_same_time_do_not_give_the_same_defense_either() {
    let world = World::open().await;
    for _ in 0..3 {
        let mut trials = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let api = world.api.clone();
            trials.spawn(async move { prosecute(&api, "law", CORPSE).await });
        }
        trials.join_all().await;
    }
    let texts: Vec<String> = defenses(&world).into_iter().map(|(text, ..)| text).collect();
    for (index, text) in texts.iter().enumerate() {
        assert!(!texts[..index].contains(text), "{text}");
    }
    // When several choose the same angle at once, all but the first give up without a word; so each round has at least one defense.
    assert!(texts.len() >= 3, "{}", texts.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_words_of_a_removed_game_go_and_may_be_said_anew() {
    let world = World::open().await;
    let (game, _) = prosecute(&world.api, "law", CORPSE).await;
    let known = |sql: &str| world.database().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("sound");
    let defenses = "select count(*) from defense_corpus where full_text != ''";
    let words = "select count(*) from arguments where text != ''";
    assert_eq!((known(defenses), known(words)), (1, 2));
    let id = game.id.parse().expect("an id");
    assert!(moot::minds::demo::remove(&world.house, id, "request").await.expect("it is removed"));
    assert_eq!((known(defenses), known(words)), (0, 0));
    let (sound, said) = world::moot(&["verify"], world.dir.path());
    assert!(sound, "{said}");
    prosecute(&world.api, "law", CORPSE).await;
    assert!(known(words) >= 1);
    assert_eq!(known("select count(*) from arguments where text != '' and status = 'rejected'"), 0);
    assert_eq!(stats(&world, CORPSE)["uses"], 2, "what came of them stays");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_interns_draft_is_nobodys_work_and_a_chosen_opponent_counts_for_nothing() {
    let world = World::open().await;
    let (member, _) = world::member(&world, "ada").await;
    let made = member.post("/api/games", &json!({"game_type": "tribunal", "case_id": "john_law"})).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let draft = text(&game.state(&member).await["self"]["intern"]["law"]).to_owned();
    prosecute(&member, "law", &draft).await;
    prosecute(&member, "law", CORPSE).await;
    let count = |sql: &str| world.database().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("sound");
    assert_eq!(count("select count(*) from arguments where side = 'attack'"), 2);
    assert_eq!(count("select count(*) from arguments where author is not null"), 1, "only what she wrote");
    let chosen = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1, "mind": "house"});
    let made = member.post("/api/games", &chosen).await.ok();
    let path = format!("/api/games/{}", text(&made["game_id"]));
    let act = json!({"type": "argue", "character_id": "law", "text": CORPSE});
    member.post(&format!("{path}/action"), &act).await.ok();
    let mut state = member.get(&format!("{path}/state")).await.ok();
    while state["status"] != "completed" {
        state = member.get(&format!("{path}/state?wait=5&version={}", state["version"])).await.ok();
    }
    assert_eq!(stats(&world, CORPSE)["uses"], 1, "who chose what plays against it counts for nothing");
    assert_eq!(count("select count(*) from argument_events where counted = 0"), 1, "but it is kept");
    let (sound, said) = world::moot(&["verify"], world.dir.path());
    assert!(sound, "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recomputing_twice_or_from_scratch_gives_the_same_bytes() {
    let world = World::open().await;
    for words in
        [CORPSE, "In May 1720 an edict cut the notes by half in six months, and the holders found out from a poster."]
    {
        for _ in 0..3 {
            prosecute(&world.api, "law", words).await;
        }
    }
    let store = &world.house.store;
    let first = moot::corpus::nightly::recompute(store).await.expect("it can be done");
    assert!(first.changed > 0 && first.events >= 6, "{first:?}");
    // Writing itself is recorded.
    let digest = || world.digest().into_iter().filter(|(table, _)| table != "commits").collect::<Vec<_>>();
    let derived = digest();
    let again = moot::corpus::nightly::recompute(store).await.expect("it can be done");
    assert_eq!((again.changed, digest()), (0, derived.clone()));
    let dropped = store.write(|db| {
        db.raw().execute_batch(
            "update argument_stats set effectiveness_e4 = 1, decay_slope_e4 = 2, recent_change_e4 = 3, recent_uses = 4,
                 low_e4 = 5, high_e4 = 6;
             update defense_stats set effectiveness_e4 = 7;
             update case_defenses set effectiveness_e4 = 8;",
        )?;
        Ok(())
    });
    dropped.await.expect("it is written");
    assert_ne!(digest(), derived);
    // Two recomputations at the same time.
    let (one, two) = tokio::join!(moot::corpus::nightly::recompute(store), moot::corpus::nightly::recompute(store));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(digest(), derived);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_kinds_feed_it_with_statistics_only_and_practice_with_nothing() {
    let world = World::open().await;
    let game = world::open_game(&world.api, 3).await;
    world::debate(&world.api, &game).await;
    world::decide(&world.api, &game, "save_majority").await;
    let count = |sql: &str| world.database().query_row(sql, [], |row| row.get::<_, i64>(0)).expect("sound");
    assert_eq!(
        count("select count(*) from argument_events where case_id = 'trolley'"),
        6,
        "two speakers, three phases"
    );
    assert_eq!(count("select count(*) from arguments where status != 'counted'"), 0, "never listed, never in a prompt");
    let before = count("select count(*) from arguments");
    let practice = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1, "seed": "mine"});
    let made = world.api.post("/api/games", &practice).await.ok();
    let player = world.api.with(text(&made["player_token"]));
    let path = format!("/api/games/{}/action", text(&made["game_id"]));
    player.post(&path, &json!({"type": "argue", "character_id": "law", "text": CORPSE})).await.ok();
    assert_eq!(count("select count(*) from arguments"), before, "practice teaches nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_finds_a_counter_or_an_event_that_is_not_what_the_log_teaches() {
    let world = World::open().await;
    prosecute(&world.api, "law", CORPSE).await;
    let store = world.house.store.clone();
    let sound = || world::moot(&["verify"], world.dir.path());
    assert!(sound().0, "{}", sound().1);
    for (change, back, table) in [
        ("update argument_stats set uses = uses + 1", "update argument_stats set uses = uses - 1", "argument_stats"),
        (
            "update argument_stats set trap_lands = 0, trap_misses = 9",
            "update argument_stats set trap_lands = trap_triggers, trap_misses = 0",
            "argument_stats",
        ),
        ("update spoken set target = 'orleans' where seq in (select min(seq) from spoken)", "", "spoken"),
    ] {
        store.write(move |db| Ok(db.raw().execute_batch(change)?)).await.expect("no trigger guards it");
        let (well, said) = sound();
        assert!(!well && said.contains(table), "{change}: {said}");
        store.write(move |db| Ok(db.raw().execute_batch(back)?)).await.expect("it is put back");
    }
    for sql in [
        "update argument_events set jury_shift = 12",
        "delete from argument_events",
        "update defense_corpus set outcome = 'proved'",
        "update defense_corpus set full_text = ''",
        "delete from defense_corpus",
        "insert or replace into argument_events select * from argument_events limit 1",
    ] {
        let refused = store.write(move |db| Ok(db.raw().execute_batch(sql)?)).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("append-only")), "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_in_any_column_that_a_log_teaches_is_found_and_named() {
    let world = World::open().await;
    prosecute(&world.api, "law", CORPSE).await;
    let dir = TempDir::new();
    store::backup(world.dir.path(), &dir.path().join("moot.db")).expect("it can be copied");
    let db = Connection::open(dir.path().join("moot.db")).expect("it is a database");
    for table in ["argument_events", "defense_corpus"] {
        for guard in ["stay", "stays", "remain", "remains"] {
            db.execute_batch(&format!("drop trigger if exists {table}_{guard}")).expect("sound");
        }
    }
    let bad = || {
        let bad = verify(dir.path()).expect_err("something was changed");
        (bad.table, bad.row, bad.what)
    };
    let taught = [
        ("spoken", "case_id target player_id account"),
        (
            "argument_events",
            "arg_hash case_id target_character player_id jury_shift triggered_extraordinary burden_verdict ia_change \
             created_at trial_id counted",
        ),
        (
            "defense_corpus",
            "defense_hash argument_hash mode outcome cited_evidence angle inspired_by created_at counted",
        ),
    ];
    for (table, columns) in taught {
        let first = format!("select game, seq from {table} order by game, seq limit 1");
        let (game, seq): (i64, i64) = db.query_row(&first, [], |row| Ok((row.get(0)?, row.get(1)?))).expect("a row");
        let of_it = format!("where game = {game} and seq = {seq}");
        for column in columns.split_whitespace() {
            let old: Cell = db
                .query_row(&format!("select {column} from {table} {of_it}"), [], |row| row.get(0))
                .expect("the row is there");
            let new = match &old {
                Cell::Integer(n) => Cell::Integer(n + 1),
                Cell::Text(words) => Cell::Text(format!("{words}x")),
                Cell::Null if column == "account" => Cell::Blob(vec![7; 16]),
                Cell::Null => Cell::Text("x".into()),
                Cell::Real(_) | Cell::Blob(_) => panic!("{table}.{column} was {old:?}"),
            };
            let set = format!("update {table} set {column} = ?1 {of_it}");
            assert_eq!(db.execute(&set, [&new]).expect("nothing guards it"), 1);
            let wrong = (table, Some(seq as u64), "it is not what the log teaches".to_owned());
            assert_eq!(bad(), wrong, "{column}: {old:?} -> {new:?}");
            db.execute(&set, [&old]).expect("it is put back");
        }
        let moved = format!("update {table} set seq = seq + 1000 {of_it}");
        db.execute_batch(&moved).expect("nothing guards it");
        assert_eq!(bad(), (table, Some(seq as u64), "it is missing".to_owned()));
        let back = format!("update {table} set seq = {seq} where game = {game} and seq = {seq} + 1000");
        db.execute_batch(&back).expect("it is put back");
    }
    verify(dir.path()).expect("put back, it is sound");
    let twice = "insert into spoken select game, 0, argument, case_id, target, player_id, account, by_house from spoken limit 1";
    db.execute_batch(twice).expect("nothing guards it");
    assert_eq!(bad(), ("spoken", Some(0), "no event teaches it".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_ruling_and_answer_the_counters_equal_the_log() {
    let cycles = std::env::var("MOOT_CRASH_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let dir = TempDir::new();
    for cycle in 0..cycles {
        let mut program = Program::serve(dir.path(), &[]);
        let api = program.api.clone();
        // Several trials at once, killed while some are being ruled on: when the first of them passes a version that varies by cycle.
        let options = json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 2});
        let mut games = vec![];
        for _ in 0..4 {
            let made = api.post("/api/games", &options).await.ok();
            let player = api.with(text(&made["player_token"]));
            games.push((Game { id: text(&made["game_id"]).to_owned(), agents: vec![] }, player));
        }
        let mut tasks = tokio::task::JoinSet::new();
        for (game, player) in games {
            tasks.spawn(async move {
                let act = json!({"type": "argue", "character_id": "law", "text": CORPSE});
                let _ = player.send("POST", &game.path("/action"), Some(act.to_string().into_bytes())).await;
                let path = game.path(&format!("/state?wait=5&version={}", 6 + cycle % 9));
                let _ = player.send("GET", &path, None).await;
            });
        }
        let _ = tasks.join_next().await;
        program.kill();
        let (sound, said) = moot(&["verify"], dir.path());
        assert!(sound, "cycle {cycle}: {said}");
        tasks.shutdown().await;
    }
    let db = store::Store::open_to_read(dir.path()).expect("it can be read");
    let used: i64 =
        db.raw().query_row("select coalesce(sum(uses), 0) from argument_stats", [], |row| row.get(0)).expect("sound");
    assert!(used > 0, "some were ruled on");
}

#[tokio::test]
async fn a_player_who_says_a_line_of_the_house_has_spoken_it_and_is_not_its_author() {
    let world = World::open().await;
    let (_, ann) = world::member(&world, "ann").await;
    let kind = games::catalog::by_name("tribunal").expect("it is there");
    let sit = TableCommand::Sit { name: "Ann".into(), holder: Holder::Account(ann) };
    let then = vec![sit, TableCommand::Fill { names: vec!["Yara".into()] }];
    let plan = Plan {
        kind,
        options: &json!({"case_id": "john_law"}),
        terms: Terms::default(),
        seed: None,
        opened_from: None,
        then,
    };
    let table = moot::play::found(&world.house, plan).await.expect("it is founded");
    let shown = table.shown();
    let line = shown.game.mind(Seat(1), &[]);
    let own = json!({"type": "argue", "character_id": "law", "text": CORPSE});
    let spoken = |body: &Value, stood_in: bool| {
        let mut game = shown.game.boxed();
        let now = world.house.now();
        let rows = match stood_in {
            true => game.stand_in(Seat(1), body, now),
            false => game.act(Actor::Seat(Seat(1)), body, now),
        };
        let lessons = commons::corpus::lesson::lessons(game.as_ref(), &rows.expect("it is awaited"));
        let said = lessons.into_iter().find_map(|lesson| match lesson {
            Lesson::Said { author, account, .. } => Some((author, account)),
            Lesson::Weighed { .. } | Lesson::Defended { .. } | Lesson::Consulted { .. } => None,
        });
        said.expect("something was said")
    };
    assert_eq!(spoken(&own, false), (Some(ann), Some(ann)));
    assert_eq!(spoken(&line, false), (None, Some(ann)), "the words are the house's, and Ann said them");
    assert_eq!(spoken(&own, true), (None, None), "a house mind stood in");
}
