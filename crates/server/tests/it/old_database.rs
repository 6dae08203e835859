//! A database made by the last version before the current schema: ten finished games of each kind and one under way, accounts, purchases,
//! a pack and a title. It must open, migrate and verify forever.

use crate::world::{TempDir, World, verify};
use moot::play::records;
use moot::settings::Settings;
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;

const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/schema-10.db");

/// The number of rows and a hash of everything that a migration must not change: events, transcripts, commits, transfers, balances and what
/// came of arguments and defenses. Whose words they are is decided anew.
fn recorded(file: &Path) -> (usize, String) {
    let db = Connection::open(file).expect("it is a database");
    let mut hasher = blake3::Hasher::new();
    let mut rows = 0;
    for sql in [
        "select game, seq, at, body, hash from events order by game, seq",
        "select * from transcript_entries order by game, seq",
        "select * from commits order by n",
        "select * from transfers order by n",
        "select * from argument_events order by id",
        "select id, defense_hash, argument_hash, case_id, character_id, mode, full_text, outcome, trial_id, author_id, cited_evidence,
             created_at, external, counted, angle, inspired_by, attack_lineage, game, seq, key from defense_corpus order by id",
        "select account, balance, bonus from balances order by account",
        "select defense_hash, character_id, case_id, used_at from case_defenses order by defense_hash, character_id",
        "select player_id, unlock_type, unlock_target, paid_ia, author_share, transfer from corpus_unlocks order by id",
        "select recipient_id, source_unlock_id, amount_ia, transfer from royalty_payouts order by payout_id",
        "select lineage, champion, paid from royalty_totals order by lineage, champion",
    ] {
        let mut query = db.prepare(sql).expect("the table is there");
        let columns = query.column_count();
        let mut found = query.query([]).expect("it can be read");
        while let Some(row) = found.next().expect("a row") {
            rows += 1;
            for column in 0..columns {
                hasher.update(format!("{:?};", row.get_ref(column).expect("a column")).as_bytes());
            }
        }
    }
    (rows, hasher.finalize().to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_the_schema_before_is_migrated_replays_to_the_byte_and_is_played_on() {
    let dir = TempDir::new();
    let file = dir.path().join("moot.db");
    std::fs::copy(OLD, &file).expect("it is copied");
    let before = recorded(&file);
    let store = records::open(dir.path()).expect("it is migrated");
    let checked = verify(dir.path()).expect("every log replays to its snapshot, and everything that follows adds up");
    assert_eq!((checked.games, checked.forgotten), (44, 0));
    assert_eq!(recorded(&file), before, "nothing that was recorded is changed, nor what followed from it");
    let old_words = "select count(*) from arguments where side not in ('attack', 'defense')";
    let db = Connection::open(&file).expect("it is a database");
    assert_eq!(db.query_row(old_words, [], |row| row.get::<_, i64>(0)), Ok(0));

    let world = World::over(dir, store, Settings::default()).await;
    let games = world.api.get("/api/games?limit=100").await.ok();
    let playing = games.as_array().expect("games").iter().filter(|game| game["status"] != "game_completed");
    let mut looked_at = 0;
    for game in playing {
        let id = game["id"].as_str().expect("an id");
        for path in ["state", "transcript", "events"] {
            world.api.get(&format!("/api/games/{id}/{path}")).await.ok();
        }
        assert!(world.api.get(&format!("/games/{id}")).await.text.contains("<main"), "{id} has a page");
        looked_at += 1;
    }
    assert!(looked_at >= 4, "{looked_at}");
    world.api.post("/api/games", &json!({"game_type": "trolley"})).await.ok();
    world.verify().expect("and it goes on");
}
