//! Language models that fail: every fault has its code, an answer that was cut off is asked for again, and no spending limit is exceeded.

use crate::minds::{PROVIDERS, Stage, later, over};
use crate::standin::{Deed, KEY, MODEL, StandIn};
use crate::world::{Game, Program, TempDir, moot, text};
use engine::roster::Lang;
use moot::settings::minds::Provider;
use serde_json::{Value, json};
use std::time::Duration;
use store::games::mind_calls;
use store::games::mind_calls::Micros;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_failure_has_its_code_and_the_game_goes_on() {
    let no_json = || Deed::Say("I think the many should be saved.".into());
    let table: [(Deed, &str); 9] = [
        (Deed::Cut, "AI_STREAM_FAIL"),
        (Deed::BadStream, "AI_STREAM_FAIL"),
        (Deed::Stall, "AI_TIMEOUT"),
        (Deed::Empty, "AI_EMPTY"),
        (no_json(), "AI_REJECTED"),
        (Deed::Say(json!({"type": "argument", "text": "x".repeat(5000)}).to_string()), "AI_REJECTED"),
        (Deed::Status(429, Some("0")), "AI_OVERLOADED"),
        (Deed::Status(529, None), "AI_OVERLOADED"),
        (Deed::Status(500, None), "AI_STREAM_FAIL"),
    ];
    for provider in PROVIDERS {
        for (deed, code) in &table {
            // Only the stalled stream gets the short limit: on a busy machine any stream may be silent for that long.
            let stalls = matches!(deed, Deed::Stall);
            let stage = Stage::with(provider, |minds| {
                if stalls {
                    minds.silence = Duration::from_millis(300);
                }
            })
            .await;
            stage.stand_in.next([deed.clone()]);
            let game = stage.game("trolley", Lang::En).await;
            over(&game).await;
            let errors = stage.errors();
            assert_eq!(errors[0], ((*code).to_owned(), 1), "{deed:?}");
            assert!(
                errors.len() == 1 || stalls && errors.iter().all(|(other, _)| other == code),
                "{deed:?}: {errors:?}"
            );
            let traces = stage.traces(&game).await;
            let first = traces[0].ended.as_ref().expect("it is over");
            assert_eq!(first.error.as_deref(), Some(*code), "{deed:?}");
            assert_eq!(
                (traces[1].begun.attempt, &traces[1].begun.seq),
                (2, &traces[0].begun.seq),
                "the same turn again"
            );
            if first.output.len() > 30 {
                let said = stage.public(&game).await;
                assert!(!said.contains(&first.output[..30]), "{deed:?}: no part of it is in the record");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_is_asked_again_with_the_reason() {
    for provider in PROVIDERS {
        let stage = Stage::set(provider).await;
        stage
            .stand_in
            .next([Deed::Say("{\"type\": \"argument\", \"text\": \"소수를 구해야 한다고 생각합니다.\"}".into())]);
        let table = stage.game("trolley", Lang::En).await;
        over(&table).await;
        let asked = stage.stand_in.asked();
        let (first, second) = (asked[0].body(), asked[1].body());
        let (before, after) =
            (first["messages"].as_array().expect("a list"), second["messages"].as_array().expect("a list"));
        assert_eq!(after[..before.len()], before[..], "the same inputs");
        assert_eq!(after.len(), before.len() + 2, "and what was wrong with the answer");
        assert!(after[before.len()].to_string().contains("소수를 구해야"));
        assert!(after[before.len() + 1].to_string().contains("It must be in English."));
        assert_eq!(stage.errors(), vec![("AI_REJECTED".to_owned(), 1)]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_failures_are_silence_and_the_game_has_its_own_rule_for_that() {
    // In the trolley a house mind plays the turn, as for anybody whose time ran out.
    let stage = Stage::set(Provider::Anthropic).await;
    stage.stand_in.next([Deed::Cut, Deed::Empty, Deed::Cut]);
    let table = stage.game("trolley", Lang::En).await;
    over(&table).await;
    let codes: Vec<_> = stage.errors();
    let expected = [("AI_STREAM_FAIL", 1), ("AI_EMPTY", 2), ("AI_STREAM_FAIL", 3)];
    assert_eq!(codes, expected.map(|(code, attempt)| (code.to_owned(), attempt)));
    assert!(stage.public(&table).await.contains("turn_expired"));

    // In the Mercury Game the Chair says so, and the turn is skipped.
    let stage = Stage::set(Provider::OpenAi).await;
    stage.stand_in.always(Deed::Empty);
    let table = stage.game("mercury", Lang::En).await;
    over(&table).await;
    let said = stage.world.api.get(&format!("/api/games/{}/events?limit=500", table.id)).await.ok();
    let skipped =
        said["events"].as_array().expect("a list").iter().filter(|row| row["event"]["failed"] == true).count();
    assert!(skipped >= 64, "{skipped} turns were skipped");
    assert!(stage.errors().iter().all(|(code, attempt)| code == "AI_EMPTY" && *attempt <= 3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_asks_for_time_gets_it() {
    let stage = Stage::set(Provider::Anthropic).await;
    // In the first turn and in a later one.
    stage.stand_in.next([Deed::Status(429, Some("1")), Deed::Play, Deed::Play, Deed::Status(529, Some("1"))]);
    let table = stage.game("trolley", Lang::En).await;
    stage.stand_in.asked_times(5).await;
    let asked = stage.stand_in.asked();
    for first in [0, 3] {
        assert!(asked[first + 1].at - asked[first].at >= Duration::from_millis(950), "Retry-After is heeded");
        assert_eq!(asked[first].bytes, asked[first + 1].bytes, "the same inputs, byte for byte");
    }
    over(&table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_mid_stream_the_same_turn_is_asked_for_again() {
    let stand_in = StandIn::open().await;
    let dir = TempDir::new();
    let base = format!("http://{}", stand_in.address);
    let start = || {
        let mind = format!("anthropic:{MODEL}");
        Program::serve_with(
            dir.path(),
            &["--mind", &mind, "--mind-guests"],
            &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &base)],
        )
    };
    stand_in.next([Deed::Stall, Deed::Stall]);
    let mut program = start();
    let game = crate::world::create(&program.api, &json!({"min_players": 3, "auto_advance_s": 0})).await;
    program.api.post(&game.path("/fill"), &json!({"count": 3})).await.ok();
    program.api.post_nothing(&game.path("/start")).await.ok();
    for times in 1..=2 {
        stand_in.asked_times(times).await;
        program.kill();
        program = start();
    }
    let mut last = game.state(&program.api).await;
    while last["status"] != "game_completed" {
        last = later(&program.api, &game, &last).await;
    }
    let asked = stand_in.asked();
    assert_eq!(asked[0].bytes, asked[1].bytes, "the same stored inputs");
    assert_eq!(asked[0].bytes, asked[2].bytes);
    assert!(last["version"].as_u64() > Some(21));
    assert!(!program.journal().contains(KEY));
    let (_, listed) = moot(&["traces", &game.id], dir.path());
    assert_eq!(listed.matches("AI_CUT").count(), 2, "{listed}");
    assert!(listed.contains("2 of them failed"), "{listed}");
    assert_eq!(program.terminate(), Some(0));
    let (sound, said) = moot(&["verify"], dir.path());
    assert!(sound, "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_meeting_killed_in_mid_generation_comes_back_to_the_last_completed_interaction() {
    let stand_in = StandIn::open().await;
    let dir = TempDir::new();
    let base = format!("http://{}/v1", stand_in.address);
    let start = || {
        let mind = format!("openai:{MODEL}");
        Program::serve_with(
            dir.path(),
            &["--mind", &mind, "--mind-guests"],
            &[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &base)],
        )
    };
    let mut program = start();
    let made = program.api.post("/api/games", &json!({"game_type": "mercury"})).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let token = text(&made["player_token"]).to_owned();
    let advance = async |program: &Program, event: &str, payload: Value| {
        let body = json!({"event": event, "payload": payload}).to_string().into_bytes();
        program.api.with(&token).send("POST", &game.path("/advance"), Some(body)).await
    };
    for (event, payload) in [("ROLE_CONFIRMED", json!({"human_role_id": "CAN"})), ("ROUND_1_READY", json!({}))] {
        advance(&program, event, payload).await.expect("answered").ok();
    }
    while game.state(&program.api).await["status"] != "ROUND_2_SETUP" {
        advance(&program, "ROUND_1_STEP", json!({})).await.expect("answered").ok();
    }
    advance(&program, "ROUND_2_READY", json!({})).await.expect("answered").ok();
    advance(&program, "CONVO_1_SELECTED", json!({"partner_role_id": "CHN"})).await.expect("answered").ok();
    stand_in.next([Deed::Stall]);
    let said = json!({"content": "Between us: what would you need?"});
    let (_, ()) = tokio::join!(advance(&program, "CONVO_MESSAGE", said), async {
        stand_in.asked_times(1).await;
        // Half of the answer is on its way, and the server dies.
        Program::kill_by_id(&program);
    });
    program = start();
    let player = program.api.with(&token);
    let transcript = player.get(&game.path("/transcript")).await.ok();
    assert!(!transcript.to_string().contains("Point 1:"), "no partial text");
    // The same turn, from the same stored inputs; then the talk goes on.
    stand_in.asked_times(2).await;
    let asked = stand_in.asked();
    assert_eq!(asked[0].bytes, asked[1].bytes);
    let mut state = game.state(&player).await;
    while state["round2"]["convo1"]["ai_turns_used"] != 1 {
        state = later(&player, &game, &state).await;
    }
    assert_eq!(state["status"], "ROUND_2_CONVERSATION_ACTIVE");
    let transcript = player.get(&game.path("/transcript")).await.ok();
    let said = transcript
        .as_array()
        .expect("a list")
        .iter()
        .filter(|entry| entry["content"].as_str().is_some_and(|said| said.contains("Point ")));
    assert_eq!(said.count(), 1, "said once");
    let spectator = program.api.get(&game.path("/transcript")).await.ok().to_string();
    assert!(!spectator.contains("Point "), "and to nobody else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_too_late_is_thrown_away() {
    let stage = Stage::set(Provider::Anthropic).await;
    let api = &stage.world.api;
    // One person and two minds; the person speaks while the first mind is still writing.
    let mut game = crate::world::create(api, &json!({"min_players": 3, "auto_advance_s": 0})).await;
    crate::world::sit(api, &mut game, "Ada", None).await;
    api.post(&game.path("/fill"), &json!({"count": 2})).await.ok();
    stage.stand_in.next([Deed::Stall]);
    api.post_nothing(&game.path("/start")).await.ok();
    stage.stand_in.asked_times(1).await;
    let state = game.state(api).await;
    let ada = &game.agents[0];
    if crate::world::operator(&state) == *ada {
        // She holds the lever in the first round: then the host's step overtakes the mind.
        api.post(&game.path("/advance"), &json!({"action": "next_phase"})).await.ok();
    } else {
        api.post(&game.arguments(&state), &json!({"agent_id": ada, "text": "I was quicker."})).await.ok();
    }
    stage.stand_in.asked_times(2).await;
    let table =
        moot::play::live::table(&stage.world.house, game.id.parse().expect("an id")).await.expect("it is there");
    let no = table.no;
    let traces =
        stage.world.house.store.read(move |db| mind_calls::after(db, no, 0, 10)).await.expect("they can be read");
    let first = traces[0].ended.as_ref().expect("it was given up");
    assert_eq!(first.error.as_deref(), Some("AI_OVERTAKEN"));
    assert!(traces[1].begun.seq > traces[0].begun.seq, "the next call sees the newer version");
    assert_eq!(stage.errors(), vec![], "being late is no failure");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_limit_is_passed_and_house_minds_play_the_rest() {
    let stage = Stage::with(Provider::Anthropic, |minds| minds.limit_game = Micros(60_000)).await;
    let table = stage.game("trolley", Lang::En).await;
    over(&table).await;
    let asked = stage.stand_in.asked().len();
    assert!((1..21).contains(&asked), "the money lasted for {asked} of 21 turns");
    let errors = stage.errors();
    assert!(errors.iter().all(|(code, _)| code == "AI_BUDGET") && errors.len() == 21 - asked, "{errors:?}");
    let costs = stage.world.api.get(&format!("/api/games/{}/minds", table.id)).await.ok();
    let (cost, limit) = (costs["cost_usd"].as_f64().expect("a number"), costs["limit_usd"].as_f64().expect("a number"));
    assert!(cost > 0.0 && cost <= limit, "{costs}");
    assert_eq!(costs["calls"], asked);

    // A call that reports no usage is booked at the most it can have cost.
    for provider in PROVIDERS {
        let stage = Stage::with(provider, |minds| minds.limit_game = Micros(120_000)).await;
        stage.stand_in.always(Deed::Mute);
        let table = stage.game("trolley", Lang::En).await;
        over(&table).await;
        let asked = stage.stand_in.asked().len();
        assert!((1..8).contains(&asked), "{asked} calls");
    }

    // A day's limit holds for all games together, though their calls overlap.
    let stage = Stage::with(Provider::OpenAi, |minds| minds.limit_day = Micros(300_000)).await;
    stage.stand_in.always(Deed::Slow(Duration::from_millis(2)));
    let mut games = vec![];
    for _ in 0..6 {
        games.push(stage.game("trolley", Lang::En).await);
    }
    let mut spent = Micros(0);
    for table in &games {
        over(table).await;
        // A call that is still to be closed counts as the most it can cost, which is given back to the day.
        stage.traces(table).await;
    }
    for table in &games {
        let sum = stage.world.house.store.read({
            let no = table.no;
            move |db| mind_calls::sum(db, no)
        });
        spent.0 += sum.await.expect("it can be read").cost.0;
    }
    // If the day ends during the test, each day has its own limit.
    let days = crate::market::count(&stage.world, "select count(*) from mind_days");
    assert!(spent.0 > 0 && spent <= Micros(300_000 * days), "{spent} in {days} days");
    assert!(stage.errors().iter().any(|(code, _)| code == "AI_BUDGET"));
}
