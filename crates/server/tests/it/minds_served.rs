//! Models as servers really serve them: bills wherever they stand, answers in one piece, ends without a mark; and what trials share of
//! their prompts.

use crate::minds::{PROVIDERS, Stage, over};
use crate::standin::{Asked, Deed, MODEL, Server, StandIn};
use crate::world::{Game, World, text};
use engine::roster::Lang;
use moot::settings::Settings;
use moot::settings::minds::Provider;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use store::games::mind_calls::{Micros, Tokens};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_the_server_is_like_the_game_ends_and_costs_what_was_billed() {
    let [read, cached, written] = Server::BILL;
    for provider in PROVIDERS {
        for server in Server::ALL {
            let stage = Stage::with(provider, |minds| minds.silence = Duration::from_millis(1_500)).await;
            // An open connection is waited for, so it is tried once.
            match server {
                Server::StaysOpen => stage.stand_in.next([Deed::As(server)]),
                _ => stage.stand_in.always(Deed::As(server)),
            };
            let table = stage.game("trolley", Lang::En).await;
            over(&table).await;
            assert_eq!(stage.failures(), Vec::<Value>::new(), "{provider:?} {server:?}");
            let traces = stage.traces(&table).await;
            let one = match server {
                Server::StaysOpen => &traces[..1],
                _ => &traces[..],
            };
            for trace in one {
                let ended = trace.ended.as_ref().expect("it is over");
                if server == Server::StaysOpen {
                    assert_eq!(ended.cost, trace.begun.most, "without a bill, the most it can have been");
                    continue;
                }
                assert_eq!(ended.tokens, Tokens { read, cached, written }, "{provider:?} {server:?}");
                // Three dollars a million read, thirty cents from the cache, fifteen written.
                assert_eq!(ended.cost, Micros(3_000 + 60 + 600), "{provider:?} {server:?}");
            }
            let said = stage.public(&table).await;
            assert!(said.contains("Point ") && !said.contains("think"), "{provider:?} {server:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_provider_denies_is_not_asked_again_and_the_house_plays_at_once() {
    for provider in PROVIDERS {
        for status in [400, 401, 403, 404] {
            let stage = Stage::set(provider).await;
            stage.stand_in.always(Deed::Status(status, None));
            let table = stage.game("trolley", Lang::En).await;
            over(&table).await;
            let traces = stage.traces(&table).await;
            let turns: std::collections::BTreeSet<u64> = traces.iter().map(|trace| trace.begun.seq.0).collect();
            assert_eq!(turns.len(), traces.len(), "{status}: each turn was asked for once");
            assert!(traces.iter().all(|trace| trace.begun.attempt == 1));
            let failures = stage.failures();
            assert_eq!(failures.len(), traces.len());
            for line in failures {
                assert_eq!(
                    (&line["error_code"], &line["http_status"]),
                    (&json!("AI_DENIED"), &json!(status)),
                    "{line}"
                );
                assert!(text(&line["reason"]).contains(&status.to_string()), "{line}");
            }
            assert!(!stage.public(&table).await.contains("turn_expired"), "the seat's own turn, played by the house");
        }
    }
}

/// Everything a model is asked in a trial of this case, by status and seat.
async fn asked_in(world: &World, stand_in: &StandIn, options: &Value) -> BTreeMap<String, Vec<Asked>> {
    stand_in.forget();
    let made = world.api.post("/api/games", options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let player = world.api.with(text(&made["player_token"]));
    for words in [crate::corpus::CORPSE, crate::market::FRESH] {
        let act = json!({"type": "argue", "character_id": "law", "text": words});
        let asked = player.post(&game.path("/action"), &act).await;
        if asked.status != 200 {
            break;
        }
        let mut state = game.state(&player).await;
        while state["status"] != "completed" && state["status"] != "attack" && state["status"] != "awaiting_attack" {
            let before = state["version"].clone();
            state = player.get(&game.path(&format!("/state?wait=5&version={before}"))).await.ok();
            if state["version"] == before {
                break;
            }
        }
    }
    let mut by_role: BTreeMap<String, Vec<Asked>> = BTreeMap::new();
    for asked in stand_in.asked() {
        let role = if asked.words().contains("You are a judge on the bench") { "bench" } else { "accused" };
        by_role.entry(role.to_owned()).or_default().push(asked);
    }
    by_role
}

/// How many bytes two texts share from their beginning.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_trials_of_one_case_share_four_fifths_of_their_prompts_from_the_beginning() {
    let stand_in = StandIn::open().await;
    let mut minds = stand_in.settings(Provider::Anthropic);
    minds.offered = vec![std::mem::take(&mut minds.preferred)];
    let world = World::with(Settings { minds, ..Settings::default() }).await;
    let mind = format!("anthropic:{MODEL}");
    let options = json!({
        "game_type": "tribunal", "case_id": "john_law", "exchanges": 2, "minds": {"0": mind, "2": mind}, "open": true,
    });
    let first = asked_in(&world, &stand_in, &options).await;
    let second = asked_in(&world, &stand_in, &options).await;
    for (role, asked) in &first {
        let (mut same, mut all) = (0, 0);
        for (one, other) in asked.iter().zip(&second[role]) {
            let (one, other) = (one.words(), other.words());
            same += shared(&one, &other);
            all += one.len().max(other.len());
            println!("{role}: {} of {}", shared(&one, &other), one.len().max(other.len()));
        }
        assert!(same * 5 >= all * 4, "{role}: {same} of {all} bytes");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_meeting_whose_model_fails_names_checkpoints_that_are_there_and_real_roles() {
    let stage = Stage::set(Provider::OpenAi).await;
    stage.stand_in.always(Deed::Empty);
    let table = stage.game("mercury", Lang::En).await;
    over(&table).await;
    let lines = stage.failures();
    assert!(lines.len() >= 192, "three times sixty-four turns: {}", lines.len());
    let db = stage.world.database();
    let known: std::collections::BTreeSet<String> = db
        .prepare("select checkpoint_id from checkpoint_ids")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .expect("checkpoints have ids");
    for line in &lines {
        assert!(known.contains(text(&line["checkpoint_id"])), "{line}");
        assert!(games::mercury::Role::named(text(&line["actor_role_id"])).is_some(), "{line}");
        assert!(line["round"] == 2 || (line["round"] == 3 && line["issue_id"].is_u64()), "{line}");
    }
    assert!(lines.iter().any(|line| line["status"] == "ROUND_2_CONVERSATION_ACTIVE"), "in a private talk too");
    crate::market::sound(&stage.world);
}
