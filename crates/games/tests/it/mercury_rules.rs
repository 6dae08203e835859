//! The rules of the Mercury Game: each test is named by the rule it checks.

use crate::mercury_course::{Player, meeting};
use engine::game::{Command, Game, Progress};
use engine::id::Seat;
use engine::laws::Played;
use engine::roster::Lang;
use engine::rules::{Actor, Rules as _, Viewer};
use games::mercury::content::content;
use games::mercury::{Choice, Issue, Mercury, Phase, Role, State, YES};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const HUMAN: Actor = Actor::Seat(Seat(0));

fn state(played: &Played<Mercury>) -> &State {
    played.game.state().expect("started")
}

fn opened(number: u64, options: Value, role: &str) -> Played<Mercury> {
    let mut played = Played::<Mercury>::start(number, &options, 9).expect("starts");
    played.send(HUMAN, &json!({"type": "ROLE_CONFIRMED", "human_role_id": role})).expect("a role");
    played
}

/// Lets house minds play every seat until the meeting has this status.
fn until(played: &mut Played<Mercury>, status: &str) {
    while played.game.status() != status {
        assert!(played.game.progress() != Progress::Over, "never in {status}");
        step(played);
    }
}

/// Sends what a house mind would for the seat whose turn it is.
pub fn step(played: &mut Played<Mercury>) {
    let who = played.game.turns()[0].who;
    let Actor::Seat(seat) = who else { panic!("only seats") };
    let body = played.game.mind(seat, &played.said());
    played.send(who, &body).unwrap_or_else(|refused| panic!("{who:?} {body}: {}", refused.sentence));
}

/// How stances moved in a row of the log, as the review shows it.
fn movements(body: &[u8]) -> Vec<Value> {
    Game::<Mercury>::event(body).expect("it is a row").map_or(vec![], |event| Mercury::movements(&event))
}

#[test]
fn countries_open_before_organisations_and_the_player_is_never_first_in_its_group() {
    for number in 0..60 {
        let role = Role::ALL[number as usize % 9];
        let played = opened(number, json!({}), role.word());
        let order = &state(&played).order;
        assert_eq!(order[..6].iter().copied().collect::<BTreeSet<_>>(), Role::COUNTRIES.into_iter().collect());
        assert!(order[0] != role && order[6] != role, "{order:?}");
    }
}

#[test]
fn the_same_seed_draws_the_same_openings_and_every_variant_has_its_turn() {
    let variants = |number| {
        let played = opened(number, json!({}), "EU");
        state(&played).openings.iter().map(|opening| opening.variant_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(variants(1), variants(1));
    let all: BTreeSet<String> = (0..60).flat_map(variants).collect();
    assert_eq!(all.len(), 36, "four for each of nine");
}

#[test]
fn nobody_sees_an_opening_before_it_is_spoken_or_another_role_s_stance_ever() {
    let mut played = opened(3, json!({}), "TZA");
    until(&mut played, "ROUND_1_OPENING_STATEMENTS");
    let drawn = state(&played).openings.clone();
    while played.game.status() == "ROUND_1_OPENING_STATEMENTS" {
        let spoken: Vec<Role> = {
            let Phase::Round1Openings { cursor } = state(&played).phase else { panic!("openings") };
            state(&played).order[..usize::from(cursor)].to_vec()
        };
        for viewer in [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(4))] {
            let seen = String::from_utf8_lossy(&played.channels(viewer)).into_owned();
            for opening in &drawn {
                let words: String = opening.text.chars().take(60).collect();
                let words = serde_json::to_string(&words).expect("text");
                let words = words.trim_matches('"');
                // The player reads its own before it chooses to give it.
                let own = matches!(viewer, Viewer::Seat(seat) if state(&played).role(seat) == Some(opening.role));
                let told = own || spoken.contains(&opening.role);
                assert_eq!(seen.contains(words), told, "{viewer:?} {}", opening.variant_id);
            }
        }
        played.send(HUMAN, &json!({"type": "ROUND_1_STEP"})).expect("next");
    }
    let view = |viewer| serde_json::to_value(played.game.view(viewer, &played.said())).expect("a view");
    assert_eq!(view(Viewer::Spectator)["stances"], Value::Null);
    assert!(view(Viewer::Seat(Seat(0)))["stances"]["4"].is_object());
}

#[test]
fn a_talk_has_five_messages_each_then_the_chair_then_one_each() {
    let mut played = opened(4, json!({}), "USA");
    until(&mut played, "ROUND_2_SELECT_CONVO_1");
    played.send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": "BRA"})).expect("a partner");
    let mut said = (0, 0);
    while played.game.status() == "ROUND_2_CONVERSATION_ACTIVE" {
        let interrupted = played.said().iter().any(|entry| entry.name == "talk_interrupted");
        assert_eq!(interrupted, said.0 >= 5 && said.1 >= 5, "{said:?}");
        if played.game.turns()[0].who == HUMAN {
            let text = format!("Message {} about a binding convention.", said.0);
            played.send(HUMAN, &json!({"type": "CONVO_MESSAGE", "content": text})).expect("my turn");
            said.0 += 1;
        } else {
            step(&mut played);
            said.1 += 1;
        }
    }
    assert_eq!(said, (6, 6));
    assert_eq!(played.game.status(), "ROUND_2_SELECT_CONVO_2");
    let again = json!({"type": "CONVO_2_SELECTED", "partner_role_id": "BRA"});
    assert_eq!(played.send(HUMAN, &again).expect_err("not twice").code, "INVALID_PARTNER");
}

#[test]
fn issues_are_taken_in_order_and_a_closed_one_stays_closed() {
    let mut played = opened(5, json!({}), "CAN");
    until(&mut played, "ROUND_3_SETUP");
    let start = |id: &str| json!({"type": "ROUND_3_START_ISSUE", "issue_id": id, "human_placement": "skip"});
    assert!(played.send(HUMAN, &start("2")).expect_err("not yet").sentence.contains("must be 1"));
    played.send(HUMAN, &start("1")).expect("the first");
    until(&mut played, "ROUND_3_SETUP");
    assert!(played.send(HUMAN, &start("1")).expect_err("closed").sentence.contains("must be 2"));
}

#[test]
fn organisations_never_vote_and_six_yes_adopt() {
    for number in 0..40 {
        let (_, played) = meeting(number, Role::ALL[number as usize % 9], Player::Cooperative);
        for resolved in &state(&played).resolved {
            let voters: Vec<Role> = resolved.votes.iter().map(|(role, _)| *role).collect();
            assert_eq!(voters, Role::COUNTRIES);
            let yes = resolved.votes.iter().filter(|(_, vote)| vote.word() == "YES").count();
            assert_eq!(resolved.adopted, yes == 6);
        }
    }
}

#[test]
fn every_event_outside_its_state_is_refused_by_naming_where_it_belongs() {
    let events = [
        "ROLE_CONFIRMED",
        "ROUND_1_READY",
        "ROUND_1_STEP",
        "HUMAN_OPENING_STATEMENT",
        "ROUND_2_READY",
        "CONVO_1_SELECTED",
        "CONVO_2_SELECTED",
        "CONVO_MESSAGE",
        "CONVO_END_EARLY",
        "CONVO_2_SKIPPED",
        "ROUND_2_WRAP_READY",
        "ROUND_3_START_ISSUE",
        "ISSUE_INTRO_CONTINUE",
        "ISSUE_DEBATE_STEP",
        "HUMAN_DEBATE_MESSAGE",
        "HUMAN_DEBATE_SKIP",
        "HUMAN_VOTE",
        "ISSUE_RESOLUTION_CONTINUE",
    ];
    let mut played = opened(6, json!({}), "CHN");
    let mut seen = BTreeSet::new();
    while played.game.progress() != Progress::Over {
        if seen.insert(played.game.status()) {
            let before = played.game.snapshot();
            for event in events {
                let mut game = played.game.clone();
                let act = Mercury::act(&json!({"type": event})).expect("an act");
                if let Err(refused) = game.apply(HUMAN, &Command::Act(act), engine::time::Timestamp(1)) {
                    if refused.code == "WRONG_STATE" {
                        let (named, home) = refused.sentence.split_once(" only allowed from ").expect("the sentence");
                        assert_eq!(named, event);
                        assert!(!home.split([',', ' ']).any(|word| word == played.game.status()), "{event} {home}");
                    }
                    assert_eq!(game.snapshot(), before, "{event}");
                }
            }
        }
        step(&mut played);
    }
    assert!(seen.len() >= 14, "{seen:?}");
}

#[test]
fn every_issue_is_within_reach_and_none_is_settled_at_the_start() {
    let issues = [(Issue(1), "1.1"), (Issue(2), "2.1"), (Issue(3), "3.2"), (Issue(4), "4.1")];
    let stances: std::collections::BTreeMap<String, Value> =
        serde_json::from_str(include_str!("../../../../briefs/mercury/stances.json")).expect("it reads");
    let value = |role: Role, variant: usize, option: Choice| {
        let issue = option.issue.0.to_string();
        stances[&format!("{}-{variant}", role.word())][&issue]["acceptance"][option.to_string()].as_f64()
    };
    for combination in 0..4_usize.pow(6) {
        let variant = |place: usize| 1 + combination / 4_usize.pow(place as u32) % 4;
        for (issue, landing) in issues {
            let landing: Choice = landing.parse().expect("an option");
            let at_start = |option: Choice| -> Vec<Option<f64>> {
                Role::COUNTRIES
                    .into_iter()
                    .enumerate()
                    .map(|(place, role)| value(role, variant(place), option))
                    .collect()
            };
            let yes = f64::from(YES) / 100.0;
            for option in issue.options() {
                assert!(
                    !at_start(option).iter().all(|value| value.is_some_and(|value| value >= yes)),
                    "{option} is settled"
                );
            }
            // A debate moves a country by at most 0.20; two countries may be won over in private before it.
            let far = at_start(landing).iter().filter(|value| value.expect("no red line") < yes - 0.20).count();
            assert!(far <= 2, "{landing}: {far} countries are out of reach");
        }
    }
}

#[test]
fn stances_move_within_their_bounds_and_never_on_a_red_line() {
    for number in 0..60 {
        let (_, played) = meeting(number, Role::ALL[number as usize % 9], Player::Cooperative);
        for moved in played.log.iter().flat_map(|row| movements(&row.body)) {
            for (option, delta) in moved["acceptance"].as_object().expect("an object") {
                assert!(delta.as_f64().expect("a number").abs() <= 0.1001, "{option} {moved}");
            }
            assert!(moved["firmness"].as_f64().expect("a number").abs() <= 0.0501, "{moved}");
            assert!(moved["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
        }
        let eu = state(&played).stance(Role::Eu, Issue(1)).expect("a stance");
        assert_eq!(eu.of("1.2".parse().expect("an option")), None, "a red line is one for ever");
    }
}

#[test]
fn no_brief_is_spoken_in_a_thousand_meetings_and_a_planted_leak_is_caught() {
    for number in 0..1_000 {
        let lang = if number % 2 == 0 { Lang::En } else { Lang::Ko };
        let mut played = Played::<Mercury>::start(number, &json!({"lang": lang}), 9).expect("starts");
        while played.game.progress() != Progress::Over {
            step(&mut played);
        }
        let mut said = BTreeSet::new();
        for entry in played.said() {
            let (Some(seat), Some(text)) = (entry.line.seat, entry.line.text) else { continue };
            let role = state(&played).role(seat).expect("a delegation");
            assert!(!content(lang).leaks(role, &text), "{role:?}: {text}");
            assert!(said.insert(text.clone()), "meeting {number}: said twice: {text}");
        }
    }
    let brief: Value =
        serde_json::from_str(include_str!("../../../../briefs/mercury/roles/CHN.en.json")).expect("it reads");
    let secret = brief["brief"]["key_facts"][0].as_str().expect("a fact");
    assert!(content(Lang::En).leaks(Role::Chn, &format!("I may tell you this. {secret}")));
    assert!(content(Lang::En).leaks(Role::Chn, "My instructions forbid it."));
    // Every secret of every brief is recognised when it is spoken.
    for lang in [Lang::En, Lang::Ko] {
        for role in Role::ALL {
            for secret in content(lang).secrets(role) {
                assert!(content(lang).leaks(role, &format!("Well then. {secret}")), "{role:?}: {secret}");
            }
        }
    }
}

#[test]
fn delegations_are_named_in_a_sentence_as_one_says_it() {
    let with_article = [
        "European Union",
        "United States",
        "Arctic Monitoring and Assessment Programme",
        "World Coal Power Association",
    ];
    let mut named = BTreeSet::new();
    for number in 0..60 {
        let mut played = opened(number, json!({}), Role::ALL[number as usize % 9].word());
        while played.game.progress() != Progress::Over {
            step(&mut played);
        }
        for entry in played.said() {
            let Some(text) = entry.line.text else { continue };
            for name in with_article {
                for (at, _) in text.match_indices(name) {
                    let listed = text[..at].ends_with(", ") || text[..at].ends_with("against: ");
                    let said = text[..at].ends_with("the ") || text[..at].ends_with("The ");
                    assert!(said || (listed && entry.name == "chair"), "{}: {text}", entry.name);
                    assert!(!text[..at].to_lowercase().ends_with("the the "), "{text}");
                    named.insert((entry.name.to_string(), name));
                }
            }
        }
    }
    for (place, name) in ["chair", "debate"].into_iter().flat_map(|place| with_article.map(|name| (place, name))) {
        assert!(named.contains(&(place.to_owned(), name)), "{name} is named in the {place}");
    }
}

#[test]
fn a_mind_that_fails_passes_its_turn_with_the_chair_s_line() {
    let mut played = opened(7, json!({}), "MFF");
    until(&mut played, "ISSUE_DEBATE_ROUND_1");
    let failed = json!({"type": "MIND_FAILED"});
    while state(&played).called.is_none() {
        step(&mut played);
    }
    assert_eq!(played.send(HUMAN, &failed).expect_err("not the player's to say").code, "UNKNOWN_EVENT");
    played.send(Actor::Clock, &failed).expect("the turn is passed");
    let last: Vec<(String, Value)> = played
        .said()
        .iter()
        .rev()
        .take(3)
        .map(|entry| {
            let key = entry.line.payload.as_ref().map_or(Value::Null, |told| told["key"].clone());
            (entry.name.to_string(), key)
        })
        .collect();
    assert_eq!(last[0], ("chair".to_owned(), json!("next_speaker")), "the Chair calls on the next");
    assert_eq!(last[1], ("chair".to_owned(), json!("ai_failed")));
    assert_eq!(last[2].0, "debate_skipped");
    assert!(state(&played).called.is_none());
    assert!(played.send(Actor::Clock, &failed).is_err(), "nobody is called on");
}

#[test]
fn a_partner_whose_mind_fails_loses_a_turn_and_the_talk_goes_on_to_its_limit() {
    let mut played = opened(7, json!({}), "MFF");
    until(&mut played, "ROUND_2_SELECT_CONVO_1");
    played.send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": "CAN"})).expect("a partner");
    let failed = json!({"type": "MIND_FAILED"});
    let mut turns = 0;
    while played.game.status() == "ROUND_2_CONVERSATION_ACTIVE" {
        played.send(HUMAN, &json!({"type": "CONVO_MESSAGE", "content": "What would you need?"})).expect("my turn");
        assert_eq!(state(&played).called.map(|(role, _)| role), Some(Role::Can), "it is called on again");
        played.send(Actor::Clock, &failed).expect("its turn is skipped");
        turns += 1;
        let talk = state(&played).talk().expect("a talk").clone();
        assert_eq!((talk.human_turns, talk.ai_turns, talk.interrupted), (turns, turns, turns >= 5));
    }
    assert_eq!((turns, played.game.status()), (6, "ROUND_2_SELECT_CONVO_2"));
    let names: Vec<String> = played.said().iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(names.iter().filter(|name| *name == "talk_passed").count(), 6);
    let seen = String::from_utf8_lossy(&played.channels(Viewer::Spectator)).into_owned();
    assert!(!seen.contains("talk_passed"), "what happens in a private talk stays there");
}

#[test]
fn the_chair_calls_on_every_speaker_and_every_voter_and_says_all_its_lines() {
    let mut keys = BTreeSet::new();
    for number in 0..12 {
        let mut played = opened(number, json!({}), Role::ALL[number as usize % 9].word());
        while played.game.progress() != Progress::Over {
            step(&mut played);
        }
        let said = played.said();
        let key = |entry: &engine::parts::transcript::Entry| {
            entry.line.payload.as_ref().and_then(|told| told["key"].as_str().map(str::to_owned)).unwrap_or_default()
        };
        keys.extend(said.iter().filter(|entry| entry.name == "chair").map(key));
        for (calls, answers) in [
            ("round1_next", &["opening"][..]),
            ("next_speaker", &["debate", "debate_skipped"]),
            ("vote_call", &["vote", "voted"]),
        ] {
            let called = said.iter().filter(|entry| key(entry) == calls).count();
            let answered = said.iter().filter(|entry| answers.contains(&&*entry.name)).count();
            assert_eq!(called, answered, "meeting {number}: {calls}");
        }
    }
    let script: BTreeMap<String, Vec<String>> =
        serde_json::from_str(include_str!("../../../../briefs/mercury/japan_scripts.en.json")).expect("it reads");
    // A mind of the house does not fail, holds a second talk, keeps its talks short and never passes.
    let unsaid: Vec<&str> = script.keys().filter(|key| !keys.contains(*key)).map(String::as_str).collect();
    assert_eq!(unsaid, ["ai_failed", "convo_interrupt", "convo_skipped", "skipped"]);
}

#[test]
fn what_a_role_can_live_with_moves_it_further_than_what_it_cannot() {
    let stance = |fallbacks: Vec<Choice>| games::mercury::Stance {
        preferred: "3.2".parse().expect("an option"),
        acceptance: vec![Some(50), Some(80), Some(50)],
        firmness: 80,
        fallbacks,
        conditions: vec![],
    };
    let gained = |stance: &games::mercury::Stance| {
        let mut push = games::mercury::Push::default();
        push.add("3.1".parse().expect("an option"), 10);
        let made = stance.moved(Role::Bra, Issue(3), &push, "heard").expect("it moves");
        made.acceptance[0].1
    };
    assert_eq!((gained(&stance(vec![])), gained(&stance(vec!["3.1".parse().expect("an option")]))), (6, 8));
}

#[test]
fn a_helper_is_heard_only_where_it_is_wanted_in_time_and_within_the_bounds() {
    let answer = |message: u32, delta: f64| {
        json!({"type": "HELPER_RESULT", "role_id": "CHN", "message": message, "changed": true,
            "deltas": {"1": {"acceptance": {"1.1": delta, "9.9": 0.1}, "firmness": -0.5}}, "reasons": ["heard an offer"]})
    };
    for (wanted, delta, expected) in [(true, 0.04, 4), (true, 0.9, 10), (true, f64::NAN, 0), (false, 0.04, 0)] {
        let mut played = opened(8, json!({"helper": wanted}), "EU");
        until(&mut played, "ROUND_2_SELECT_CONVO_1");
        played.send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": "CHN"})).expect("a partner");
        // Words that move nobody, so that the whole step is the helper's.
        played.send(HUMAN, &json!({"type": "CONVO_MESSAGE", "content": "A pleasant morning."})).expect("my turn");
        step(&mut played);
        let before = state(&played).stance(Role::Chn, Issue(1)).expect("a stance").clone();
        let messages = state(&played).messages;
        played.send(Actor::Clock, &answer(messages + 1, delta)).expect("ignored: of another message");
        played.send(Actor::Clock, &json!({"type": "HELPER_RESULT", "nonsense": true})).expect("ignored: invalid");
        assert_eq!(state(&played).stance(Role::Chn, Issue(1)), Some(&before));
        let mut right = answer(messages, delta);
        right["deltas"]["1"]["acceptance"].as_object_mut().expect("an object").remove("9.9");
        played.send(Actor::Clock, &right).expect("accepted or ignored");
        let after = state(&played).stance(Role::Chn, Issue(1)).expect("a stance");
        let option: Choice = "1.1".parse().expect("an option");
        let moved =
            i32::from(after.of(option).expect("no red line")) - i32::from(before.of(option).expect("no red line"));
        assert_eq!(moved, expected, "for {delta}");
        assert!(before.firmness - after.firmness <= 5);
    }
}

#[test]
fn a_helper_moves_only_those_whom_the_rules_could_move() {
    let ask = |played: &mut Played<Mercury>, role: Role, issue: Issue| {
        let (stance, messages) = (state(played).stance(role, issue).expect("a stance").clone(), state(played).messages);
        let free = issue.options().find(|option| stance.of(*option).is_some_and(|value| value > 10));
        let option = free.expect("not everything is a red line").to_string();
        let deltas = json!({issue.0.to_string(): {"acceptance": {option: -0.05}}});
        let answer =
            json!({"type": "HELPER_RESULT", "role_id": role, "message": messages, "changed": true, "deltas": deltas});
        played.send(Actor::Clock, &answer).expect("heard or ignored");
        state(played).stance(role, issue) != Some(&stance)
    };
    let mut played = opened(8, json!({"helper": true}), "EU");
    until(&mut played, "ROUND_2_SELECT_CONVO_1");
    played
        .send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": "CHN", "partner_starts": true}))
        .expect("a partner");
    step(&mut played);
    let moved: Vec<Role> = Role::ALL.into_iter().filter(|role| ask(&mut played, *role, Issue(1))).collect();
    assert_eq!(moved, [Role::Chn, Role::Eu], "in private the two who talk");
    played.send(HUMAN, &json!({"type": "CONVO_END_EARLY"})).expect("my turn");
    until(&mut played, "ISSUE_DEBATE_ROUND_2");
    let spoken = |played: &Played<Mercury>| {
        let said = played.said();
        let last = said.iter().rev().find(|entry| entry.name == "debate").and_then(|entry| entry.line.seat);
        last.and_then(|seat| state(played).role(seat)).expect("somebody spoke")
    };
    let last = spoken(&played);
    assert!(!ask(&mut played, last, Issue(2)), "another issue");
    let moved: Vec<Role> = Role::ALL.into_iter().filter(|role| ask(&mut played, *role, Issue(1))).collect();
    assert_eq!(moved, [last], "in the debate whoever spoke last");
    until(&mut played, "ISSUE_VOTE");
    assert!(!Role::ALL.into_iter().any(|role| ask(&mut played, role, Issue(1))), "and nobody while they vote");
}

#[test]
fn other_words_in_a_private_talk_change_no_public_word_and_no_vote() {
    let public = |number: u64, words: &str| {
        let mut played = opened(number, json!({}), "CAN");
        until(&mut played, "ROUND_2_SELECT_CONVO_1");
        played.send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": "CHN"})).expect("a partner");
        played.send(HUMAN, &json!({"type": "CONVO_MESSAGE", "content": words})).expect("my turn");
        step(&mut played);
        played.send(HUMAN, &json!({"type": "CONVO_END_EARLY"})).expect("my turn");
        while played.game.progress() != Progress::Over {
            step(&mut played);
        }
        let heard = engine::game::heard(Viewer::Seat(Seat(4)), &played.said()).into_owned();
        let words: Vec<Option<String>> = heard.into_iter().map(|entry| entry.line.text).collect();
        (words, played.game.result())
    };
    for number in 0..40 {
        // Neither is about an issue, so neither moves a stance.
        let ours = public(number, "The weather in Geneva was lovely, and the hotel less so.");
        let theirs = public(number, "Do you know a good place for noodles near the station?");
        assert_eq!(ours, theirs, "meeting {number}");
    }
}

#[test]
fn moves_that_were_recorded_one_by_one_still_move() {
    let played = opened(9, json!({}), "EU");
    let mut state = state(&played).clone();
    let option: Choice = "1.1".parse().expect("an option");
    let before = state.stance(Role::Bra, Issue(1)).and_then(|stance| stance.of(option)).expect("no red line");
    for old in [
        json!({"type": "stance_moved", "role": "BRA", "issue": 1, "acceptance": [["1.1", -5]], "reason": "heard EU in private"}),
        json!({"type": "weighed", "pushes": [], "met": [["BRA", 1, "finance"]]}),
    ] {
        let old = serde_json::from_value(old).expect("what was stored can be read");
        Mercury::evolve(&mut state, &old, engine::rules::Mark::default());
    }
    assert_eq!(state.stance(Role::Bra, Issue(1)).and_then(|stance| stance.of(option)), Some(before - 5));
    assert_eq!(state.met, [(Role::Bra, Issue(1), "finance".to_owned())]);
}
