//! What the house's delegations say: their second speech tells how they will vote, and a private reply takes up what was said.

use crate::mercury_rules::step;
use engine::game::Progress;
use engine::id::Seat;
use engine::laws::Played;
use engine::rules::Actor;
use games::mercury::{Mercury, Role, Vote};
use games::speech::is_line;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HUMAN: Actor = Actor::Seat(Seat(0));

/// A delegation's lines as they stand in its file.
fn lines(role: Role, lang: &str) -> Value {
    let path = format!("{}/../../briefs/mercury/roles/{}.{lang}.json", env!("CARGO_MANIFEST_DIR"), role.word());
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file for each role")).expect("JSON")
}

fn texts(lines: &Value) -> Vec<&str> {
    lines.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn finished(number: u64, lang: &str) -> Played<Mercury> {
    let mut played = Played::<Mercury>::start_house(number, &json!({"lang": lang}), 9).expect("starts");
    while played.game.progress() != Progress::Over {
        step(&mut played);
    }
    played
}

#[test]
fn a_country_votes_as_its_second_speech_said() {
    let (mut withheld, mut gave_way, mut held) = (0, 0, 0);
    for (number, lang) in (0..30).flat_map(|number| [(number, "en"), (number, "ko")]) {
        let played = finished(number, lang);
        let state = played.game.state().expect("started");
        let mut last: BTreeMap<(Role, u64), String> = BTreeMap::new();
        for entry in played.said().iter().filter(|entry| entry.name == "debate") {
            let issue = entry.line.payload.as_ref().and_then(|told| told["issue_id"].as_u64()).expect("an issue");
            let role = entry.line.seat.and_then(|seat| state.role(seat)).expect("a delegation");
            last.insert((role, issue), entry.line.text.clone().expect("words"));
        }
        // Not the player's delegation: its own words still move it after it has said them.
        let countries = Role::COUNTRIES.into_iter().filter(|role| Some(*role) != state.human);
        for (role, resolved) in countries.flat_map(|role| state.resolved.iter().map(move |resolved| (role, resolved))) {
            let issue = resolved.issue.0.to_string();
            let (own, text) = (lines(role, lang), &last[&(role, u64::from(resolved.issue.0))]);
            let (_, vote) = resolved.votes.iter().find(|(voter, _)| *voter == role).expect("all six vote");
            let says = |lines: &Value| texts(lines).into_iter().any(|line| is_line(line, text) || text.ends_with(line));
            if says(&own["withheld"][&issue]) {
                withheld += 1;
                assert_eq!(*vote, Vote::No, "{role:?}: {text}");
            } else if says(&own["moved"][&issue]) {
                gave_way += 1;
            } else if says(&own["debate"][&issue][&resolved.option.to_string()]["for"]) {
                held += 1;
                assert_eq!(*vote, Vote::Yes, "{role:?} on {}: {text}", resolved.option);
            }
        }
    }
    assert!(withheld > 10 && gave_way > 50 && held > 200, "all of it happens: {withheld} {gave_way} {held}");
}

#[test]
fn no_delegation_takes_up_a_speech_in_the_same_words_twice() {
    for (number, lang) in (100..120).flat_map(|number| [(number, "en"), (number, "ko")]) {
        let played = finished(number, lang);
        let said = played.said();
        for role in Role::ALL {
            let own = lines(role, lang);
            for line in texts(&own["answers"]) {
                let begins = format!("{line}{{rest}}");
                let times = said.iter().filter_map(|entry| entry.line.text.as_deref());
                let times = times.filter(|text| is_line(&begins, text)).count();
                assert!(times <= 1, "{line}");
            }
        }
    }
}

/// What a partner replies in private to these words.
fn reply(partner: Role, words: &str) -> String {
    let mut played = Played::<Mercury>::start_house(5, &json!({}), 9).expect("starts");
    played.send(HUMAN, &json!({"type": "ROLE_CONFIRMED", "human_role_id": "CAN"})).expect("a role");
    while played.game.status() != "ROUND_2_SELECT_CONVO_1" {
        step(&mut played);
    }
    played.send(HUMAN, &json!({"type": "CONVO_1_SELECTED", "partner_role_id": partner})).expect("a partner");
    played.send(HUMAN, &json!({"type": "CONVO_MESSAGE", "content": words})).expect("a message");
    step(&mut played);
    played.said().iter().rev().find_map(|entry| entry.line.text.clone()).expect("a reply")
}

#[test]
fn a_private_reply_takes_up_the_issue_that_was_named() {
    for (words, issue) in [
        ("If you need our voice, help us with the miners under issue four.", "4"),
        ("Shall we look at the second item on the agenda together?", "2"),
        (
            "Give us instruments and trained people for the inventory, and I can stop raising difficulties about the air.",
            "2",
        ),
        ("What would you need before you could say a kind word about binding talks?", "1"),
    ] {
        for partner in [Role::Mff, Role::Usa, Role::Tza, Role::Bra] {
            let (own, said) = (lines(partner, "en"), reply(partner, words));
            let private = &own["private"];
            let kinds = ["met", "agreed", "unmoved", "offer", "ask", "position"];
            let of_issue = kinds.iter().flat_map(|kind| texts(&private[*kind][issue])).any(|line| said.ends_with(line));
            assert!(of_issue, "{partner:?} on issue {issue}, to {words:?}: {said}");
        }
    }
}

#[test]
fn in_a_debate_only_the_issue_on_the_table_is_heard_and_nobody_answers_a_delegate_who_gave_way() {
    for (number, lang) in (0..4).flat_map(|number| [(number, "en"), (number, "ko")]) {
        let played = finished(number, lang);
        let state = played.game.state().expect("started");
        let (mut speeches, mut heard) = (0, 0);
        for entry in played.said().iter().filter(|entry| entry.name == "debate") {
            let issue = entry.line.payload.as_ref().and_then(|told| told["issue_id"].as_u64()).expect("an issue");
            let points = played.game.heard(entry).expect("the house heard it");
            let own = format!("{issue}.");
            assert!(points.iter().all(|point| point.point.starts_with(&own)), "{:?}: {points:?}", entry.line.text);
            speeches += 1;
            heard += usize::from(!points.is_empty());
        }
        assert!(heard * 10 >= speeches * 9, "{heard} of {speeches}");

        let mut yielded: BTreeMap<(Role, u64), bool> = BTreeMap::new();
        for entry in played.said().iter().filter(|entry| entry.name == "debate") {
            let issue = entry.line.payload.as_ref().and_then(|told| told["issue_id"].as_u64()).expect("an issue");
            let role = entry.line.seat.and_then(|seat| state.role(seat)).expect("a delegation");
            let text = entry.line.text.as_deref().expect("words");
            for ((rival, _), _) in yielded.iter().filter(|((_, of), yielded)| *of == issue && **yielded) {
                let name = lines(*rival, lang)["name"].as_str().expect("a name").to_owned();
                let answers = lines(role, lang);
                let answers = texts(&answers["answers"]);
                let named = |line: &&str| is_line(&format!("{}{{rest}}", line.replace("{speaker}", &name)), text);
                assert!(!answers.iter().any(named), "{role:?} answers {rival:?}, who has given way: {text}");
            }
            let gave_way =
                texts(&lines(role, lang)["moved"][&issue.to_string()]).iter().any(|line| is_line(line, text));
            yielded.insert((role, issue), gave_way);
        }
    }
}
