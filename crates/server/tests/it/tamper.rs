//! `moot verify` finds and names everything that was changed, added or removed behind the server's back.

use crate::world::{
    Game, TempDir, World, chance, create, debate, decide, finished_table, moot, open_game, open_table, operator, play,
    silent, verify,
};
use engine::id::{AccountId, AgentId};
use engine::roster::{Holder, TableCommand, Terms};
use moot::play::{Plan, found};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params};
use serde_json::json;
use std::path::Path;
use store::backup;
use store::verify::{Bad, Checked};

const APPEND_ONLY: [&str; 7] =
    ["games", "events", "transcript_entries", "checkpoints", "commits", "tombstones", "results"];
const FORGOTTEN: &str = "words nobody shall read again";

/// A data directory with finished, running, waiting, unlisted, demo and removed games, and no server.
struct Kept {
    dir: TempDir,
    finished: Game,
}

/// A seat's holder: an account for even numbers, an agent of an account for odd ones.
fn player(number: u128) -> Holder {
    let (account, agent) = (AccountId(uuid::Uuid::from_u128(number)), AgentId(uuid::Uuid::from_u128(number + 100)));
    if number.is_multiple_of(2) { Holder::Account(account) } else { Holder::Agent { account, agent } }
}

async fn kept() -> Kept {
    let world = World::open().await;
    let api = &world.api;
    let finished = open_game(api, 3).await;
    play(api, &finished, |_| {}).await;
    let running = open_game(api, 4).await;
    let waiting = debate(api, &running).await;
    let feed = api.get(&running.path("/feed")).await.ok();
    let argument = feed["items"].as_array().expect("a list").iter().rfind(|item| item["type"] == "argument").cloned();
    let body = json!({
        "agent_id": operator(&waiting), "decision": "save_minority", "reason": "한마디",
        "decisive_argument_id": argument.expect("they argued")["id"],
    });
    api.post(&running.decision(&waiting), &body).await.ok();
    create(api, &json!({"visibility": "unlisted"})).await;
    open_table(api, 3).await;
    create(&world.account("host").await, &json!({"fill": true})).await;
    let kind = ::games::catalog::by_name("trolley").expect("it is there");
    let terms = Terms { demo: true, ..Terms::default() };
    let names = vec!["One".into(), "Two".into(), "Three".into()];
    let then = vec![TableCommand::Fill { names }];
    let plan = Plan { kind, options: &json!({}), terms, seed: None, opened_from: None, then };
    found(&world.house, plan).await.expect("a demo table is founded");
    for _ in 0..2 {
        let removed = open_game(api, 3).await;
        let state = removed.state(api).await;
        let body = json!({"agent_id": silent(&state)[0], "text": FORGOTTEN});
        api.post(&removed.arguments(&state), &body).await.ok();
        let (id, now) = (removed.id.parse().expect("an id"), world.house.now());
        let forgotten = world.house.store.forget(id, "request".into(), now).await;
        assert!(forgotten.expect("the store answers"));
    }
    // Results: rated with a rank for everybody, unrated with a rank for two and nothing for a house mind.
    finished_table(&world.house, "trolley", true, &[1, 2, 3].map(player)).await;
    let six = [player(1), player(2), player(3), player(4), player(5), Holder::House];
    finished_table(&world.house, "trial", false, &six).await;
    let dir = TempDir::new();
    backup(world.dir.path(), &dir.path().join("moot.db")).expect("it can be copied while the server runs");
    world.house.store.stop().await;
    Kept { dir, finished }
}

impl Kept {
    /// A separate copy that can be written.
    fn copy(&self) -> (TempDir, Connection) {
        let dir = TempDir::new();
        std::fs::copy(self.dir.path().join("moot.db"), dir.path().join("moot.db")).expect("a file can be copied");
        let db = Connection::open(dir.path().join("moot.db")).expect("it is a database");
        (dir, db)
    }

    /// The same without the triggers that refuse changes.
    fn unguarded(&self) -> (TempDir, Connection) {
        let (dir, db) = self.copy();
        let triggers: Vec<String> = {
            let mut query = db.prepare("select name from sqlite_master where type = 'trigger'").expect("a schema");
            let names = query.query_map([], |row| row.get(0)).expect("names");
            names.map(|name| name.expect("a name")).collect()
        };
        for trigger in triggers {
            db.execute_batch(&format!("drop trigger {trigger}")).expect("it was there");
        }
        (dir, db)
    }

    fn finished_no(&self, db: &Connection) -> i64 {
        let id: uuid::Uuid = self.finished.id.parse().expect("an id");
        db.query_row("select n from games where id = ?1", params![id], |row| row.get(0)).expect("it is there")
    }
}

/// Verifies the file of this connection.
fn check(db: &Connection) -> Result<Checked, Bad> {
    let file = Path::new(db.path().expect("it is a file"));
    verify(file.parent().expect("it lies in a directory"))
}

/// Ways to change one value a little.
fn changes(cell: &Cell) -> Vec<Cell> {
    match cell {
        Cell::Null => vec![Cell::Integer(0), Cell::Text(String::new()), Cell::Text("x".into())],
        Cell::Integer(n) => vec![
            Cell::Integer(n + 1),
            Cell::Integer(n - 1),
            Cell::Integer(n + 2),
            Cell::Integer(n ^ (1 << 33)),
            Cell::Null,
        ],
        Cell::Real(x) => vec![Cell::Real(x + 1.0)],
        Cell::Text(words) => {
            let mut other: Vec<char> = words.chars().collect();
            if let Some(last) = other.last_mut() {
                *last = if *last == 'x' { 'y' } else { 'x' };
            }
            let mut ways = vec![format!("{words} "), words.to_uppercase(), String::new(), other.into_iter().collect()];
            ways.retain(|way| way != words);
            ways.into_iter().map(Cell::Text).chain([Cell::Null]).collect()
        }
        Cell::Blob(bytes) if bytes.is_empty() => vec![Cell::Blob(vec![0]), Cell::Blob(vec![0; 48])],
        Cell::Blob(bytes) => {
            let mut ways = vec![bytes[..bytes.len() - 1].to_vec(), [&bytes[..], &[0]].concat(), vec![]];
            for place in [0, bytes.len() / 2, bytes.len() - 1] {
                let mut other = bytes.clone();
                other[place] ^= 1;
                ways.push(other);
            }
            ways.into_iter().map(Cell::Blob).collect()
        }
    }
}

fn columns(db: &Connection, table: &str) -> Vec<String> {
    let mut query = db.prepare(&format!("select name from pragma_table_info('{table}')")).expect("a table");
    let names = query.query_map([], |row| row.get(0)).expect("columns");
    names.map(|name| name.expect("a name")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_in_any_column_of_any_table_is_found_and_named() {
    let mut draw = chance("a_change_in_any_column_of_any_table_is_found_and_named");
    let kept = kept().await;
    let (_dir, db) = kept.unguarded();
    let whole = check(&db).expect("untouched, it verifies");
    assert_eq!((whole.games, whole.forgotten), (8, 2));
    let mut findings = Vec::new();
    let mut made = 0;
    for table in APPEND_ONLY.into_iter().chain(["game_state", "snapshots"]) {
        let mut rowids: Vec<i64> = {
            let mut query = db.prepare(&format!("select rowid from {table}")).expect("a table");
            let rows = query.query_map([], |row| row.get(0)).expect("rows");
            rows.map(|row| row.expect("a number")).collect()
        };
        assert!(!rowids.is_empty(), "{table} has rows to change");
        draw.shuffle(&mut rowids);
        rowids.truncate(10);
        for column in columns(&db, table) {
            let mut here = 0;
            for rowid in &rowids {
                let old: Cell = db
                    .query_row(&format!("select {column} from {table} where rowid = ?1"), params![rowid], |row| {
                        row.get(0)
                    })
                    .expect("the row is there");
                for new in changes(&old) {
                    let changed =
                        db.execute(&format!("update {table} set {column} = ?1 where rowid = ?2"), params![new, rowid]);
                    // The schema refuses some changes, which is better still.
                    if changed.is_err() {
                        continue;
                    }
                    here += 1;
                    let what = format!("{table}.{column} of row {rowid}: {old:?} -> {new:?}");
                    match check(&db) {
                        Ok(_) => findings.push(format!("not found: {what}")),
                        Err(bad) => {
                            // A changed identity may be reported in another table: rows there miss the old one or do not know the new one.
                            let identity = ["game", "n", "seq", "id", "seed"].contains(&column.as_str());
                            // The row left of a removed game is sealed by its tombstone.
                            let sealed = table == "games" && bad.table == "tombstones";
                            if !identity && !sealed && bad.table != table || bad.table == "database" {
                                findings.push(format!("called {bad}: {what}"));
                            } else if bad.game.is_none() && bad.row.is_none() {
                                findings.push(format!("named no place ({bad}): {what}"));
                            }
                        }
                    }
                    let key = match (&new, column.as_str()) {
                        // These columns are the rowid itself.
                        (Cell::Integer(n), "n") => *n,
                        (Cell::Integer(n), "game") if ["game_state", "snapshots", "tombstones"].contains(&table) => *n,
                        _ => *rowid,
                    };
                    let back =
                        db.execute(&format!("update {table} set {column} = ?1 where rowid = ?2"), params![old, key]);
                    assert_eq!(back.expect("the old value fits"), 1, "{what}");
                }
            }
            assert!(here > 0, "no change to {table}.{column} could be made");
            made += here;
        }
    }
    check(&db).expect("put back, it verifies");
    println!("{made} changes");
    findings.sort();
    assert!(findings.is_empty(), "{} of {made}:\n{}", findings.len(), findings.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_is_found_and_named() {
    let kept = kept().await;
    let cases: [(&str, &str, &[&str]); 11] = [
        (
            "the last event with its snapshot",
            "events",
            &[
                "delete from transcript_entries where game = $g and seq = (select max(seq) from events where game = $g)",
                "delete from checkpoints where game = $g and seq = (select max(seq) from events where game = $g)",
                "delete from events where game = $g and seq = (select max(seq) from events where game = $g)",
                "delete from game_state where game = $g",
                "delete from snapshots where game = $g",
            ],
        ),
        ("an event in the middle", "events", &["delete from events where game = $g and seq = 7"]),
        ("the first event", "events", &["delete from events where game = $g and seq = 1"]),
        (
            "a line of the transcript",
            "transcript_entries",
            &["delete from transcript_entries where game = $g and seq = 9"],
        ),
        (
            "the last checkpoint",
            "checkpoints",
            &["delete from checkpoints where game = $g and seq = (select max(seq) from checkpoints where game = $g)"],
        ),
        ("a snapshot", "snapshots", &["delete from snapshots where game = $g"]),
        ("a state", "game_state", &["delete from game_state where game = $g"]),
        (
            "a whole game",
            "games",
            &[
                "delete from games where n = $g",
                "delete from events where game = $g",
                "delete from transcript_entries where game = $g",
                "delete from checkpoints where game = $g",
                "delete from game_state where game = $g",
                "delete from snapshots where game = $g",
                "delete from answers where game = $g",
            ],
        ),
        ("a transaction", "commits", &["delete from commits where n = 3"]),
        ("a tombstone", "events", &["delete from tombstones"]),
        ("a result", "results", &["delete from results where seat = 1 and rated = 1"]),
    ];
    for (what, table, statements) in cases {
        let (_dir, db) = kept.unguarded();
        let no = kept.finished_no(&db);
        for statement in statements {
            let gone = db.execute(&statement.replace("$g", &no.to_string()), []).expect("it can be removed");
            assert!(gone > 0 || statement.contains("answers") || statement.contains("checkpoints"), "{statement}");
        }
        let bad = check(&db).expect_err(what);
        assert_eq!(bad.table, table, "{what}: {bad}");
        assert!(bad.game.is_some() || bad.row.is_some(), "{what}: {bad}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_missing_or_added_first_answer_is_found() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    let state = game.state(&world.api).await;
    let body = json!({"agent_id": silent(&state)[0], "text": "I say this once."});
    world.api.once("one").post(&game.arguments(&state), &body).await.ok();
    // A request that changes nothing is answered again in the same words too.
    world.api.once("two").post(&game.path("/start"), &json!({})).await;
    let dir = TempDir::new();
    backup(world.dir.path(), &dir.path().join("moot.db")).expect("it can be copied");
    let kept = Kept { dir, finished: game };
    check(&kept.copy().1).expect("untouched, it verifies");
    for spoil in [
        "update answers set answer = cast(answer || ' ' as blob) where key = 'one'",
        "update answers set request = randomblob(32) where key = 'one'",
        "update answers set caller = randomblob(32) where key = 'one'",
        "update answers set key = 'other' where key = 'one'",
        "delete from answers where key = 'one'",
        "insert into answers select game, caller, 'three', request, answer from answers where key = 'one'",
    ] {
        let (_dir, db) = kept.copy();
        assert_eq!(db.execute(spoil, []).expect(spoil), 1, "{spoil}");
        let bad = check(&db).expect_err(spoil);
        assert_eq!((bad.table, bad.game.as_deref()), ("answers", Some(kept.finished.id.as_str())), "{spoil}: {bad}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_whose_write_ahead_log_was_removed_is_refused_with_a_sentence() {
    let world = World::open().await;
    play(&world.api, &open_game(&world.api, 3).await, |_| {}).await;
    // As a crash leaves it: part of it is in the database file, the rest only in the log beside it.
    let beside = Connection::open(world.dir.path().join("moot.db")).expect("it is a database");
    beside.query_row("pragma wal_checkpoint", [], |_| Ok(())).expect("it is copied");
    let older = TempDir::new();
    std::fs::copy(world.dir.path().join("moot.db"), older.path().join("moot.db")).expect("a file can be copied");
    world.account("ann").await;
    std::fs::copy(world.dir.path().join("moot.head"), older.path().join("moot.head")).expect("a file can be copied");
    for command in [&["verify"][..], &["backup", "copy.db"], &["recompute"], &["serve", "--listen", "127.0.0.1:0"]] {
        let (well, said) = moot(command, older.path());
        assert!(!well && said.contains("moot.db-wal") && said.contains("moot.head"), "{command:?}: {said}");
    }
    // An operator who restored a copy on purpose says so by deleting the note.
    std::fs::remove_file(older.path().join("moot.head")).expect("it was there");
    let (well, said) = moot(&["verify"], older.path());
    assert!(well, "{said}");
    // The server itself runs on, and what it left is accepted.
    let (well, said) = moot(&["verify", "--integrity"], world.dir.path());
    assert!(well, "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_does_not_match_its_table_is_found_on_request() {
    let kept = kept().await;
    let (dir, db) = kept.unguarded();
    // The pages of one index are exchanged for those of another.
    db.execute_batch(
        "pragma writable_schema = on;
         update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'transfers_by_payer')
             where name = 'transfers_by_payee';
         pragma writable_schema = reset",
    )
    .expect("the schema can be forced");
    drop(db);
    let (well, said) = moot(&["verify", "--integrity"], dir.path());
    assert!(!well && said.contains("BAD database"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_added_is_found() {
    let kept = kept().await;
    let cases = [
        "insert into transcript_entries select game, 9999, at, name, seat, round, phase, content, metadata, seen_by from transcript_entries where game = $g limit 1",
        "insert into checkpoints select game, 9999, at, status from checkpoints where game = $g limit 1",
        "insert into events select game, 9999, at, body, hash from events where game = $g limit 1",
        "insert into events select 777, seq, at, body, hash from events where game = $g",
        "insert into game_state select 777, seq, at, status, progress from game_state where game = $g",
        "insert into snapshots select 777, seq, body from snapshots where game = $g",
        "insert into games select 777, randomblob(16), kind, rules, seed, created_at, unlisted, demo from games where n = $g",
        "insert into tombstones select n, 1, randomblob(32), 'request', 1 from games where n = $g",
        "insert into commits select max(n) + 1, heads, hash from commits",
        "insert into results select $g, seat, agent, account, kind, role, points, won, rank, rated, at from results limit 1",
        "insert into results select game, 9, agent, account, kind, role, points, won, rank, rated, at from results limit 1",
        "insert into results select 777, seat, agent, account, kind, role, points, won, rank, rated, at from results limit 1",
        "insert into results select (select game from tombstones), seat, agent, account, kind, role, points, won, rank, rated, at from results limit 1",
    ];
    for case in cases {
        let (_dir, db) = kept.unguarded();
        let no = kept.finished_no(&db);
        assert!(db.execute(&case.replace("$g", &no.to_string()), []).expect("it can be added") > 0);
        assert!(check(&db).is_err(), "not found: {case}");
    }
    // A tombstone does not hide that the game is still there.
    let (_dir, db) = kept.unguarded();
    let no = kept.finished_no(&db);
    let real = "insert into tombstones select game, seq, hash, 'request', 1 from events where game = ?1 order by seq desc limit 1";
    db.execute(real, params![no]).expect("it can be added");
    assert!(check(&db).is_err(), "a removed game has no events");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_itself_refuses_to_change_what_was_recorded() {
    let kept = kept().await;
    let (_dir, db) = kept.copy();
    for table in APPEND_ONLY {
        let statements =
            columns(&db, table).into_iter().map(|column| format!("update {table} set {column} = {column}"));
        for statement in statements.chain([
            format!("delete from {table}"),
            format!("delete from {table} where rowid = (select min(rowid) from {table})"),
        ]) {
            let error = db.execute(&statement, []).expect_err(&statement).to_string();
            assert!(error.contains("append-only"), "{statement}: {error}");
        }
    }
    check(&db).expect("and nothing was changed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_itself_refuses_to_replace_what_was_recorded() {
    let kept = kept().await;
    let (_dir, db) = kept.copy();
    let mut replaced = Vec::new();
    for table in APPEND_ONLY {
        // Replacing deletes a row without asking the triggers that guard deletion.
        if db.execute(&format!("insert or replace into {table} select * from {table} limit 1"), []).is_ok() {
            replaced.push(table);
        }
    }
    assert!(replaced.is_empty(), "rows of {replaced:?} can be replaced");
}

/// Only the column `seen_by` keeps a private talk from everybody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_talk_is_not_opened_in_the_database_unnoticed() {
    let world = World::open().await;
    let meeting = finished_table(&world.house, "mercury", false, &[Holder::House; 9]).await;
    let dir = TempDir::new();
    backup(world.dir.path(), &dir.path().join("moot.db")).expect("it can be copied while the server runs");
    let kept = Kept { dir, finished: Game { id: meeting.id.to_string(), agents: vec![] } };
    let (_dir, db) = kept.copy();
    let private: i64 = db
        .query_row("select count(*) from transcript_entries where name = 'talk' and seen_by != '\"all\"'", [], |row| {
            row.get(0)
        })
        .expect("a number");
    assert!(private > 0, "they talked, and not for everybody");
    let open = "update transcript_entries set seen_by = '\"all\"' where name = 'talk'";
    for statement in [open, "delete from transcript_entries where name = 'talk'"] {
        let error = db.execute(statement, []).expect_err(statement).to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
    check(&db).expect("and nothing was changed");
    let (_dir, db) = kept.unguarded();
    assert_eq!(db.execute(open, []).expect("unguarded"), private as usize, "every line of the talks was opened");
    let bad = check(&db).expect_err("it is found");
    assert_eq!((bad.table, bad.game), ("transcript_entries", Some(kept.finished.id.clone())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_verifies_and_forgets() {
    let kept = kept().await;
    let (dir, db) = kept.unguarded();
    let (well, said) = moot(&["verify"], dir.path());
    assert!(well && said.contains("ok: 8 games") && said.contains("2 removed"), "{said}");
    let (well, said) = moot(&["verify", "--game", &kept.finished.id], dir.path());
    assert!(well && said.contains("ok: 1 games"), "{said}");
    let (well, said) = moot(&["replay", &kept.finished.id], dir.path());
    assert!(well && said.contains("speaks in"), "{said}");
    let no = kept.finished_no(&db);
    let first = "select min(seq) from transcript_entries where game = ?1 and content is not null";
    let seq: i64 = db.query_row(first, params![no], |row| row.get(0)).expect("player spoke");
    let louder = "update transcript_entries set content = content || '!' where game = ?1 and seq = ?2";
    db.execute(louder, params![no, seq]).expect("unguarded");
    for arguments in [&["verify"][..], &["verify", "--game", &kept.finished.id]] {
        let (well, said) = moot(arguments, dir.path());
        assert!(
            !well
                && said.contains("BAD transcript_entries")
                && said.contains(&kept.finished.id)
                && said.contains(&format!("row {seq}:")),
            "{said}"
        );
    }
    drop(db);

    let (dir, db) = kept.copy();
    drop(db);
    let (well, said) = moot(&["admin", "forget", &kept.finished.id], dir.path());
    assert!(well, "{said}");
    let (well, said) = moot(&["verify"], dir.path());
    assert!(well && said.contains("ok: 7 games") && said.contains("3 removed"), "{said}");
    let (well, _) = moot(&["replay", &kept.finished.id], dir.path());
    assert!(!well, "there is nothing to replay");
    let (well, _) = moot(&["admin", "forget", "01900000-0000-7000-8000-000000000000"], dir.path());
    assert!(!well, "an unknown game cannot be forgotten");
    let (well, said) = moot(&["admin", "forget", &kept.finished.id], dir.path());
    assert!(!well && !said.contains("UNIQUE"), "nor a game twice: {said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_bad_games_the_first_is_named() {
    let kept = kept().await;
    let (_dir, db) = kept.unguarded();
    let mut query =
        db.prepare("select n, id from games where n not in (select game from tombstones) order by n").expect("games");
    let found = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("games");
    let games: Vec<(i64, uuid::Uuid)> = found.map(|game| game.expect("a game")).collect();
    assert!(games.len() > 5, "there are some to choose from");
    // They are changed one by one, from the last to the first.
    for (n, id) in games.iter().rev() {
        db.execute("update game_state set at = at + 1 where game = ?1", params![n]).expect("nothing guards it");
        for _ in 0..5 {
            let bad = check(&db).expect_err("a snapshot was changed");
            assert_eq!((bad.table, bad.game), ("game_state", Some(id.to_string())));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_meanwhile_does_not_disturb_a_check() {
    let world = World::open().await;
    open_game(&world.api, 3).await;
    let api = world.api.clone();
    let writing = tokio::spawn(async move {
        loop {
            let game = open_game(&api, 3).await;
            play(&api, &game, |_| {}).await;
        }
    });
    let mut events = Vec::new();
    for _ in 0..40 {
        let directory = world.dir.path().to_owned();
        let checked = tokio::task::spawn_blocking(move || verify(&directory)).await.expect("no panic");
        events.push(checked.expect("each moment is sound").events);
    }
    assert!(!writing.is_finished(), "player wrote all the time");
    writing.abort();
    assert!(events.is_sorted() && events[0] < events[39], "{events:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_game_is_gone_for_every_reader() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    debate(&world.api, &game).await;
    decide(&world.api, &game, "save_majority").await;
    let id = game.id.parse().expect("an id");
    moot::minds::demo::remove(&world.house, id, "request").await.expect("it can be removed");
    for path in ["", "/state", "/feed", "/events", "/history", "/stream"] {
        world.api.get(&game.path(path)).await.says(404, "Game not found");
    }
    assert_eq!(world.api.get("/api/games").await.ok(), json!([]));
    world.verify().expect("its tombstone is accepted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_in_a_removed_game_is_in_no_file() {
    let world = World::open().await;
    let game = open_game(&world.api, 3).await;
    let state = game.state(&world.api).await;
    let body = json!({"agent_id": silent(&state)[0], "text": FORGOTTEN});
    world.api.once("a key").post(&game.arguments(&state), &body).await.ok();
    let written = || {
        std::fs::read_dir(world.dir.path()).expect("the data directory").any(|file| {
            let bytes = std::fs::read(file.expect("a file").path()).expect("it can be read");
            bytes.windows(FORGOTTEN.len()).any(|window| window == FORGOTTEN.as_bytes())
        })
    };
    assert!(written(), "the search finds what is there");
    let (id, now) = (game.id.parse().expect("an id"), world.house.now());
    assert!(world.house.store.forget(id, "request".into(), now).await.expect("the store answers"));
    assert!(!written(), "removed words are still in a file");
}
