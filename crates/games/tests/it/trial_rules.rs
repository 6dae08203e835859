//! The rules of the trial: each test is named by the rule it checks.

use engine::id::Seat;
use engine::laws::Played;
use engine::rules::{Actor, Refused, Rules as _, Viewer};
use games::trial::{Phase, Role, State, Trial};
use serde_json::{Value, json};

/// A trial with its roles dealt.
pub fn opened(number: u64) -> Played<Trial> {
    Played::start(number, &json!({"case_id": "case_002"}), 6).expect("six accounts sit down and it starts")
}

pub fn state(played: &Played<Trial>) -> &State {
    played.game.state().expect("started")
}

pub fn actor(played: &Played<Trial>, role: Role) -> Actor {
    Actor::Seat(state(played).seat_of(role).expect("every role is dealt"))
}

pub fn jurors(played: &Played<Trial>) -> Vec<Actor> {
    let roles = state(played).roles.iter().enumerate();
    roles.filter(|(_, role)| **role == Role::Juror).map(|(index, _)| Actor::Seat(Seat::at(index))).collect()
}

pub fn speak(text: &str) -> Value {
    json!({"type": "speak", "text": text})
}

pub fn vote(verdict: &str) -> Value {
    json!({"type": "vote", "verdict": verdict})
}

/// Every awaited seat sends the first act that it is offered, once.
fn everyone(played: &mut Played<Trial>) {
    for turn in played.game.turns() {
        let offer = &turn.offers[0];
        played.send(turn.who, &offer.example(0)).expect("what is announced is accepted");
    }
}

pub fn at_the_vote(number: u64) -> Played<Trial> {
    let mut played = opened(number);
    for _ in 0..5 {
        everyone(&mut played);
    }
    assert!(matches!(state(&played).phase, Phase::JuryVote { .. }));
    played
}

fn view(played: &Played<Trial>, actor: Option<Actor>) -> Value {
    let viewer = match actor {
        Some(Actor::Seat(seat)) => Viewer::Seat(seat),
        _ => Viewer::Spectator,
    };
    serde_json::to_value(played.game.view(viewer, &played.said())).expect("a view serialises")
}

fn refused(answer: Result<(), Refused>) -> Refused {
    answer.expect_err("refused")
}

#[test]
fn the_six_roles_are_dealt_from_the_seed() {
    let mut deals = std::collections::BTreeSet::new();
    for number in 0..40 {
        let played = opened(number);
        let mut roles = state(&played).roles.clone();
        deals.insert(format!("{roles:?}"));
        roles.sort();
        assert_eq!(roles, Role::SIX);
    }
    assert!(deals.len() > 20, "forty seeds deal {} different ways", deals.len());
}

#[test]
fn a_trial_goes_from_opening_to_end_and_waits_for_exactly_those_who_have_a_part() {
    let mut played = opened(1);
    let mut seen = vec![];
    while !Trial::is_over(state(&played)) {
        let view = view(&played, None);
        seen.push((view["phase"].clone(), view["round"].clone(), view["phase_submissions"]["total"].clone()));
        everyone(&mut played);
    }
    let seen = serde_json::to_value(seen).expect("serialises");
    let expected = json!([
        ["opening", 0, 6],
        ["argument", 1, 6],
        ["argument", 2, 6],
        ["argument", 3, 6],
        ["rebuttal", 0, 2],
        ["jury_vote", 0, 3],
        ["verdict", 0, 1],
    ]);
    assert_eq!(seen, expected);
    assert_eq!(view(&played, None)["phase"], "end");
    assert_eq!(view(&played, None)["gameStatus"], "finished");
}

#[test]
fn an_act_of_a_seat_without_a_part_is_a_pass_and_changes_nothing() {
    let mut played = at_the_vote(2);
    let before = (played.game.snapshot(), played.log.len());
    for role in [Role::Prosecutor, Role::Defense, Role::Judge] {
        let who = actor(&played, role);
        for body in [speak("Let me say one more thing."), vote("GUILTY"), speak(""), vote("maybe")] {
            played.send(who, &body).expect("a pass");
            assert_eq!(view(&played, Some(who))["expected_action"], "pass");
        }
    }
    assert_eq!((played.game.snapshot(), played.log.len()), before);
}

#[test]
fn the_wrong_act_of_an_awaited_seat_is_refused_and_the_turn_stays_open() {
    let mut played = at_the_vote(3);
    let juror = jurors(&played)[0];
    let refusal = refused(played.send(juror, &speak("I have something to say.")));
    assert_eq!(refusal.code, "WRONG_ACTION");
    assert_eq!(view(&played, Some(juror))["allowed_actions"], json!(["vote"]));
    played.send(juror, &vote("GUILTY")).expect("still open");

    let mut played = opened(3);
    let refusal = refused(played.send(jurors(&played)[0], &vote("GUILTY")));
    assert!(refusal.sentence.contains("a speak is awaited"), "{}", refusal.sentence);
}

#[test]
fn nobody_acts_twice_in_a_phase_or_in_a_round() {
    let mut played = opened(4);
    let judge = actor(&played, Role::Judge);
    played.send(judge, &speak("The court is open.")).expect("accepted");
    assert_eq!(refused(played.send(judge, &speak("And still open."))).code, "ALREADY_ACTED");
    assert_eq!(refused(played.send(judge, &vote("GUILTY"))).code, "ALREADY_ACTED");
    everyone(&mut played);
    played.send(judge, &speak("First round.")).expect("accepted");
    assert_eq!(refused(played.send(judge, &speak("Again."))).code, "ALREADY_ACTED");

    let mut played = at_the_vote(4);
    let juror = jurors(&played)[1];
    played.send(juror, &vote("GUILTY")).expect("accepted");
    assert_eq!(refused(played.send(juror, &vote("NOT_GUILTY"))).code, "ALREADY_ACTED");
}

#[test]
fn two_hundred_characters_are_accepted_and_two_hundred_and_one_are_counted_in_the_refusal() {
    for letter in ["a", "판", "🧑‍⚖"] {
        let characters = letter.chars().count();
        let full = letter.repeat(200 / characters) + &"x".repeat(200 % characters);
        let mut played = opened(5);
        let judge = actor(&played, Role::Judge);
        let refusal = refused(played.send(judge, &speak(&format!("{full}y"))));
        assert!(refusal.sentence.contains("201 characters; at most 200"), "{}", refusal.sentence);
        played.send(judge, &speak(&format!("  {full}\n"))).expect("200 after trimming");
        let view = view(&played, None);
        assert_eq!(view["history"][0]["speeches"][0]["text"], full);
    }
    let mut played = opened(5);
    let judge = actor(&played, Role::Judge);
    assert!(refused(played.send(judge, &speak(" \n "))).sentence.contains("is empty"));
    assert!(refused(played.send(judge, &json!({"type": "speak"}))).sentence.contains("is missing"));
    assert!(refused(played.send(judge, &json!({"type": "speak", "text": 7}))).sentence.contains("not 7."));
}

#[test]
fn a_verdict_is_one_of_two_words_to_the_letter() {
    let mut played = at_the_vote(6);
    let juror = jurors(&played)[0];
    for wrong in [json!("guilty"), json!("Guilty"), json!("NOT GUILTY"), json!(""), json!(1), Value::Null] {
        let refusal = refused(played.send(juror, &json!({"type": "vote", "verdict": wrong})));
        assert_eq!(refusal.code, "INVALID_VERDICT", "{wrong}");
    }
}

#[test]
fn hosts_and_strangers_have_no_part() {
    let mut played = opened(6);
    assert_eq!(refused(played.send(Actor::Host, &speak("Order."))).code, "NOT_SEATED");
    assert_eq!(refused(played.send(Actor::Seat(Seat(17)), &speak("Hello."))).code, "NOT_SEATED");
    assert_eq!(refused(played.send(Actor::Clock, &json!({"type": "dance"}))).code, "UNKNOWN_ACTION");
}

/// Every way three jurors can vote, with the points of prosecutor, defense, judge and the jurors in the order of their seats.
#[test]
fn points_follow_from_the_votes() {
    let table = [
        ("GGG", "GUILTY", [200, 50, 100, 200, 200, 200]),
        ("GGN", "GUILTY", [200, 50, 100, 200, 200, 50]),
        ("GNG", "GUILTY", [200, 50, 100, 200, 50, 200]),
        ("NGG", "GUILTY", [200, 50, 100, 50, 200, 200]),
        ("GNN", "NOT_GUILTY", [50, 200, 100, 50, 200, 200]),
        ("NGN", "NOT_GUILTY", [50, 200, 100, 200, 50, 200]),
        ("NNG", "NOT_GUILTY", [50, 200, 100, 200, 200, 50]),
        ("NNN", "NOT_GUILTY", [50, 200, 100, 200, 200, 200]),
    ];
    for (votes, verdict, points) in table {
        let mut played = at_the_vote(8);
        let jury = jurors(&played);
        for (juror, letter) in jury.iter().zip(votes.chars()) {
            played.send(*juror, &vote(if letter == 'G' { "GUILTY" } else { "NOT_GUILTY" })).expect("accepted");
        }
        let counted = view(&played, None);
        assert_eq!(counted["phase"], "verdict");
        assert_eq!(counted["result"], Value::Null, "no points before the judge has spoken");
        played.send(actor(&played, Role::Judge), &speak("So the jury found.")).expect("accepted");
        let ended = view(&played, None);
        let scored = |who: Actor| match who {
            Actor::Seat(seat) => ended["participants"][seat.index()]["points"].clone(),
            Actor::Host | Actor::Clock => Value::Null,
        };
        let mut seats = [Role::Prosecutor, Role::Defense, Role::Judge].map(|role| actor(&played, role)).to_vec();
        seats.extend(jury);
        let found: Vec<Value> = seats.into_iter().map(scored).collect();
        assert_eq!(json!(found), json!(points), "{votes}");
        assert_eq!(ended["result"]["verdict"], verdict, "{votes}");
        let winner = if verdict == "GUILTY" { "PROSECUTOR" } else { "DEFENSE" };
        assert_eq!(ended["result"]["winner_team"], winner, "{votes}");
        let judge = view(&played, Some(actor(&played, Role::Judge)));
        assert_eq!(judge["result"], json!({"points": 100, "verdict": verdict, "winner_team": winner}));
    }
}

#[test]
fn a_reason_is_sealed_with_its_vote_and_shown_with_the_count() {
    let mut played = at_the_vote(3);
    let reason = "The sensor log outweighed the rest.";
    let voters = jurors(&played);
    for (place, juror) in voters.iter().enumerate() {
        let body = json!({"type": "vote", "verdict": "GUILTY", "reason": if place == 0 { Some(reason) } else { None }});
        assert!(!played.said().iter().any(|entry| format!("{entry:?}").contains(reason)), "before vote {place}");
        for viewer in voters.iter().copied().map(Some).chain([None]) {
            assert!(!view(&played, viewer).to_string().contains(reason), "{viewer:?} before vote {place}");
        }
        played.send(*juror, &body).expect("it is the vote");
    }
    let shown = view(&played, None);
    let reasons = shown["participants"].as_array().expect("a list").iter().filter(|one| one["reason"] == reason);
    assert_eq!(reasons.count(), 1);
    let long = json!({"type": "vote", "verdict": "GUILTY", "reason": "x".repeat(201)});
    let mut other = at_the_vote(4);
    let juror = jurors(&other)[0];
    assert!(refused(other.send(juror, &long)).sentence.contains("201"));
}

#[test]
fn the_count_is_shown_to_everybody_at_once_and_the_judge_speaks_after_it() {
    let mut played = at_the_vote(9);
    let jury = jurors(&played);
    for juror in &jury[..2] {
        played.send(*juror, &vote("GUILTY")).expect("accepted");
        let view = view(&played, None);
        assert_eq!(view["phase"], "jury_vote");
        assert!(!view.to_string().contains("GUILTY"), "{view}");
    }
    played.send(jury[2], &vote("NOT_GUILTY")).expect("accepted");
    played.send(actor(&played, Role::Judge), &speak("Guilty, by two to one.")).expect("accepted");
    let view = view(&played, None);
    let chapters: Vec<&Value> =
        view["history"].as_array().expect("a list").iter().map(|chapter| &chapter["phase"]).collect();
    let expected = ["opening", "argument", "argument", "argument", "rebuttal", "jury_vote", "verdict"];
    assert_eq!(json!(chapters), json!(expected));
    assert_eq!(view["history"][5]["verdict"], "GUILTY");
    assert_eq!(view["history"][5]["votes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_state_has_every_field_clients_rely_on() {
    let played = opened(10);
    let who = actor(&played, Role::Prosecutor);
    let view = view(&played, Some(who));
    for field in [
        "gameType",
        "gameStatus",
        "phase",
        "round",
        "maxRounds",
        "case",
        "self",
        "participants",
        "history",
        "allowed_actions",
        "expected_action",
        "action_instruction",
        "phase_submissions",
        "result",
        "version",
    ] {
        assert!(view.get(field).is_some(), "{field}");
    }
    assert_eq!(view["gameType"], "trial");
    assert_eq!(view["maxRounds"], 3);
    assert_eq!(view["self"]["role"], "PROSECUTOR");
    assert_eq!(
        view["self"]["id"],
        view["participants"]
            .as_array()
            .and_then(|all| { all.iter().find(|one| one["role"] == "PROSECUTOR").map(|one| one["id"].clone()) })
            .expect("the prosecutor is a participant")
    );
    assert_eq!(view["allowed_actions"], json!(["speak"]));
    assert_eq!(view["action_instruction"]["type"], "speak");
    assert_eq!(view["case"]["case_id"], "case_002");
    for field in ["title", "description", "evidence_for", "evidence_against"] {
        assert!(view["case"].get(field).is_some(), "{field}");
    }
}

#[test]
fn messages_have_the_fields_that_were_promised_and_no_others() {
    let mut played = at_the_vote(11);
    for (juror, verdict) in jurors(&played).into_iter().zip(["GUILTY", "NOT_GUILTY", "GUILTY"]) {
        played.send(juror, &vote(verdict)).expect("accepted");
    }
    played.send(actor(&played, Role::Judge), &speak("Guilty.")).expect("accepted");
    let mut shapes = std::collections::BTreeMap::new();
    for row in &played.log {
        let told = played.game.message(row.mark, &row.body, Viewer::Spectator).expect("reads").expect("told");
        let fields: Vec<String> = told.keys().cloned().collect();
        shapes.insert(told["type"].as_str().expect("a type").to_owned(), fields.join(" "));
    }
    let fields = |kind: &str| shapes.get(kind).unwrap_or_else(|| panic!("no {kind}")).as_str();
    assert_eq!(fields("speak"), "type agent_id role text phase seq at");
    assert_eq!(fields("vote_submitted"), "type agent_id role seq at");
    assert_eq!(fields("phase_change"), "type from to seq at");
    assert_eq!(fields("round_change"), "type round seq at");
    assert_eq!(fields("votes_counted"), "type votes verdict seq at");
    assert_eq!(fields("game_end"), "type verdict winner_team results seq at");
}

#[test]
fn an_unknown_case_or_language_is_refused_when_the_table_is_made() {
    let refused = |options: Value| Trial::setup(&options).expect_err("refused").to_string();
    assert!(refused(json!({"case_id": "case_999"})).contains("case_001, case_002"));
    assert!(refused(json!({"case_id": 7})).contains("must be the id of a case"));
    assert!(refused(json!({"lang": "fr"})).contains("en or ko"));
}
