//! Language models in the Tribunal: a panel on the bench, and an accused that may not say again what was struck.

use crate::corpus::CORPSE;
use crate::standin::{Deed, MODEL, StandIn};
use crate::world::{Game, World, text};
use moot::settings::Settings;
use moot::settings::minds::{Choice, Provider};
use serde_json::{Value, json};

/// A world where tables may choose a model, seat by seat.
async fn stage() -> (World, StandIn) {
    let stand_in = StandIn::open().await;
    let mut minds = stand_in.settings(Provider::Anthropic);
    minds.offered = vec![std::mem::take(&mut minds.preferred)];
    assert_eq!(minds.preferred, Choice::House);
    (World::with(Settings { minds, ..Settings::default() }).await, stand_in)
}

/// A finished trial of one exchange in which a model had this seat.
async fn tried(world: &World, seat: &str) -> (Game, Value) {
    let mind = format!("anthropic:{MODEL}");
    let options =
        json!({"game_type": "tribunal", "case_id": "john_law", "exchanges": 1, "minds": {seat: mind}, "open": true});
    let made = world.api.post("/api/games", &options).await.ok();
    let game = Game { id: text(&made["game_id"]).to_owned(), agents: vec![] };
    let player = world.api.with(text(&made["player_token"]));
    let act = json!({"type": "argue", "character_id": "law", "text": CORPSE});
    player.post(&game.path("/action"), &act).await.ok();
    let mut state = game.state(&player).await;
    while state["status"] != "completed" {
        state = player.get(&game.path(&format!("/state?wait=5&version={}", state["version"]))).await.ok();
    }
    (game, state)
}

fn ruling(shift: i32, claim: Option<&str>) -> Deed {
    let mut act = json!({"type": "rule", "jury_shift": shift, "extraordinary": claim.is_some(), "reasons": "It rests on the record."});
    if let Some(claim) = claim {
        act["claim"] = claim.into();
    }
    Deed::Say(act.to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_judges_rule_by_median_and_majority_and_their_disagreement_is_shown() {
    let (world, stand_in) = stage().await;
    stand_in.next([ruling(7, None), ruling(1, None), ruling(2, Some("He raised the dead"))]);
    let (_, state) = tried(&world, "0").await;
    let ruled = &state["exchanges_log"][0]["ruling"];
    assert_eq!((&ruled["jury_shift"], &ruled["extraordinary"]), (&json!(2), &json!(false)), "{ruled}");
    let reasons = text(&ruled["reasons"]);
    assert!(reasons.starts_with("It rests on the record. (") && reasons.contains("+7"), "{reasons}");
    assert_eq!(stand_in.asked().len(), 3, "one call for each judge");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_who_fails_is_outvoted_and_words_to_the_bench_change_nothing() {
    let (world, stand_in) = stage().await;
    stand_in.next([ruling(3, None), Deed::Cut, ruling(1, None)]);
    let (_, state) = tried(&world, "0").await;
    assert_eq!(
        state["exchanges_log"][0]["ruling"]["jury_shift"], 1,
        "two of three are a majority; the lower one counts"
    );
    // What both sides said stands in the data, and only there.
    for asked in stand_in.asked() {
        let (rules, brief, turn) = asked.parts();
        assert!(!rules.contains("corpse") && !brief.contains("You buried a living kingdom"));
        assert!(turn.contains("You buried a living kingdom"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sprint_3_what_was_struck_is_shown_to_the_model_and_refused_when_it_comes_again() {
    let (world, stand_in) = stage().await;
    let claim =
        "I raised France from the dead: never was a kingdom so alive, so rich, so resurrected as under my System.";
    let answer = || Deed::Say(json!({"type": "answer", "text": claim}).to_string());
    let stand = |words: &str| Deed::Say(json!({"type": "defend", "text": words}).to_string());
    let first =
        "A kingdom that builds a thousand ships and paves its roads within two years has a pulse, gentlemen, feel it.";
    let second =
        "Ask the weavers of Lyon whether their looms were buried; they will not hear you over the noise of them.";
    stand_in.next([answer(), stand(first)]);
    let (_, state) = tried(&world, "2").await;
    let burden = &state["exchanges_log"][0]["burden"];
    assert_eq!((&burden["verdict"], &burden["text"]), (&json!("failed"), &json!(first)), "{state}");
    // In the next trial it is warned, repeats itself anyway, is told why not, and takes another angle.
    let before = stand_in.asked().len();
    stand_in.next([answer(), stand(&first.to_uppercase()), stand(second)]);
    let (_, state) = tried(&world, "2").await;
    assert_eq!(state["exchanges_log"][0]["burden"]["text"], second, "{state}");
    let asked = stand_in.asked().split_off(before);
    assert_eq!(asked.len(), 3);
    for one in &asked {
        let content = one.body()["messages"][0]["content"].clone();
        let recalled = text(&content[1]["text"]);
        assert!(recalled.starts_with("PREVIOUSLY STRUCK DEFENSES — DO NOT REHASH:\n<data"), "{recalled}");
        assert!(recalled.contains("has a pulse") && content[1]["cache_control"]["type"] == "ephemeral");
    }
    let told = asked[2].body()["messages"][2].to_string();
    assert!(told.contains("This was tried before and struck") && told.contains("has a pulse"), "{told}");
    assert!(told.contains("data name=") && told.contains("refused"), "as data: {told}");
    // A model that insists three times is not heard: the house mind takes an unused angle.
    stand_in.next([answer(), stand(first), stand(second), stand(first)]);
    let (_, state) = tried(&world, "2").await;
    let said = text(&state["exchanges_log"][0]["burden"]["text"]);
    assert!(said != first && said != second && !said.is_empty(), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_proved_is_shown_under_its_own_heading() {
    let (world, stand_in) = stage().await;
    let mind = || {
        Deed::Say(json!({"type": "answer", "text": "I raised France from the dead: never was a kingdom so alive, so rich, so resurrected as under my System."}).to_string())
    };
    // After eight trials against the house, some of its defenses were proved.
    for _ in 0..8 {
        crate::corpus::prosecute(&world.api, "law", CORPSE).await;
    }
    stand_in.next([mind()]);
    tried(&world, "2").await;
    let asked = stand_in.asked();
    let recalled = asked[0].body()["messages"][0]["content"][1]["text"].clone();
    let recalled = text(&recalled);
    assert!(recalled.contains("PREVIOUSLY STRUCK DEFENSES — DO NOT REHASH:"), "{recalled}");
    assert!(recalled.contains("PRIOR SUCCESSFUL DEFENSES — DRAW INSPIRATION BUT VARY THE ANGLE:"), "{recalled}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_defense_that_is_like_a_proved_one_counts_for_it_and_one_that_only_names_it_does_not() {
    let (world, stand_in) = stage().await;
    for _ in 0..5 {
        crate::corpus::prosecute(&world.api, "law", CORPSE).await;
    }
    let row = |sql: &str| world.database().query_row(sql, [], |row| row.get::<_, String>(0)).expect("there is one");
    let newest = row("select defense_hash from defense_corpus where outcome = 'proved' order by id desc limit 1");
    let lineage = |hash: &str| row(&format!("select cast(lineage as text) from arguments where hash = '{hash}'"));
    let answer = json!({"type": "answer", "text": "I raised France from the dead: never was a kingdom so alive, so rich, so resurrected as under my System."});
    let said = row(&format!("select text from arguments where hash = '{newest}'"));
    let defense = "The old king left the treasury empty and his creditors unpaid; whoever saw that vault knows from what I raised her.";
    // It says what it varies, and is checked: other words are of a lineage of their own.
    let varied = json!({"type": "prove", "text": defense, "evidence": ["E1"], "inspired_by": newest});
    stand_in.next([Deed::Say(answer.to_string()), Deed::Say(varied.to_string())]);
    let (_, state) = tried(&world, "2").await;
    assert_eq!(state["exchanges_log"][0]["burden"]["verdict"], "proved", "{state}");
    let offered = stand_in.asked()[1].parts().2;
    assert!(offered.contains("inspired_by") && offered.contains(&newest), "{offered}");
    let counts_for = || row("select cast(lineage as text) from defense_corpus order by id desc limit 1");
    let own = commons::corpus::hash::ArgHash::of(defense).expect("it has words").to_string();
    assert_ne!(lineage(&own), lineage(&newest), "other words");
    assert_eq!(counts_for(), lineage(&own));
    // Nobody needs to name what is half the same. Eight words in a row would be recited: every eighth is left out.
    let mut words = 0;
    let half: String = said
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .filter(|piece| {
            words += usize::from(piece.starts_with(char::is_alphanumeric));
            words % 8 != 0
        })
        .collect();
    assert!(commons::corpus::novelty::closest(&half, &[&said], 50).is_some(), "{half}");
    let alike = json!({"type": "prove", "text": half, "evidence": ["E1"]});
    stand_in.next([Deed::Say(answer.to_string()), Deed::Say(alike.to_string())]);
    tried(&world, "2").await;
    let own = commons::corpus::hash::ArgHash::of(&half).expect("it has words").to_string();
    assert_eq!(row("select defense_hash from defense_corpus order by id desc limit 1"), own);
    assert_eq!((counts_for(), lineage(&own)), (lineage(&newest), lineage(&newest)));
    let (sound, said) = crate::world::moot(&["verify"], world.dir.path());
    assert!(sound, "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_may_rest_its_ruling_on_a_sentence_that_was_said_and_on_no_other() {
    let (world, stand_in) = stage().await;
    let passage = "You buried a living kingdom in paper, Monsieur Law.";
    let quoting = |passage: &str| {
        let act = json!({"type": "rule", "jury_shift": 1, "extraordinary": false, "reasons": "It rests on the record.", "passage": passage});
        Deed::Say(act.to_string())
    };
    stand_in.next([quoting(passage), quoting(passage), quoting(passage)]);
    let (_, state) = tried(&world, "0").await;
    assert_eq!(state["exchanges_log"][0]["ruling"]["passage"], passage, "{state}");
    stand_in.next([quoting("It was never said."), quoting("It was never said."), quoting("It was never said.")]);
    let before = stand_in.asked().len();
    let (_, state) = tried(&world, "0").await;
    let ruling = &state["exchanges_log"][0]["ruling"];
    assert_eq!((&ruling["passage"], &ruling["jury_shift"]), (&Value::Null, &json!(1)), "{state}");
    assert_eq!(stand_in.asked().len() - before, 3, "nobody is asked again for that");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_does_not_recite_what_another_author_wrote_in_its_answer_either() {
    let (world, stand_in) = stage().await;
    let claim =
        "I raised France from the dead: never was a kingdom so alive, so rich, so resurrected as under my System.";
    let paid =
        "A kingdom that builds a thousand ships and paves its roads within two years has a pulse, gentlemen, feel it.";
    let own = "Corpses do not build harbours, sir; I gave her credit, and she stood up and walked to market.";
    let answer = |words: &str| Deed::Say(json!({"type": "answer", "text": words}).to_string());
    stand_in.next([answer(claim), Deed::Say(json!({"type": "defend", "text": paid}).to_string())]);
    tried(&world, "2").await;
    let backwards: String = paid.chars().rev().collect();
    let before = stand_in.asked().len();
    stand_in.next([answer(paid), answer(&backwards), answer(own)]);
    let (game, state) = tried(&world, "2").await;
    assert_eq!(state["exchanges_log"][0]["answer"], own, "{state}");
    let asked = stand_in.asked().split_off(before);
    for (place, one) in [(2, &asked[1]), (4, &asked[2])] {
        let told = one.body()["messages"][place].to_string();
        assert!(told.contains("recites what another author wrote"), "{told}");
    }
    let said = world.api.get(&game.path("/feed?limit=1000")).await.text;
    assert!(said.contains(own) && !said.contains("has a pulse") && !said.contains(&backwards), "{said}");
}
