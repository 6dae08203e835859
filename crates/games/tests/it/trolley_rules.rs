//! The rules of the trolley: sitting down, dealing, arguing and the host; each test is named by the rule it checks.

use crate::trolley_table::*;
use engine::game::Progress;
use engine::id::Seat;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Rules as _};
use games::trolley::{Decision, Event, Refusal, Role, Roles, Step, Trolley};
use serde_json::{Value, json};
use std::collections::BTreeSet;

// ---- sitting down and starting ----

#[test]
fn min_players_is_3_to_50_and_3_when_not_said() {
    let setup = |options: Value| Trolley::setup(&options).map(|setup| setup.min_players);
    assert_eq!(setup(json!({})), Ok(3));
    assert_eq!(setup(json!({"min_players": null})), Ok(3));
    (3..=50).for_each(|n| assert_eq!(setup(json!({"min_players": n})), Ok(n)));
    for n in [0, 1, 2, 51, 1000, u64::MAX] {
        let refusal = setup(json!({"min_players": n})).expect_err("outside 3 to 50");
        assert_eq!(refusal.to_string(), format!("min_players must be 3 to 50, not {n}."));
    }
    for (wrong, called) in [(json!("3"), "a string"), (json!(-3), "-3"), (json!(3.5), "3.5")] {
        let refusal = setup(json!({"min_players": wrong})).expect_err("not a whole number");
        let sentence = format!("The field \"min_players\" must be a whole number from 3 to 50, not {called}.");
        assert_eq!(refusal, Refusal::Body(sentence));
    }
}

#[test]
fn a_table_is_ready_at_min_players_and_takes_more_until_the_start_up_to_50() {
    let mut table = Table::laid(1, &json!({"min_players": 5}), Terms::default());
    for index in 0..50 {
        assert_eq!(table.game.status(), if index < 5 { "waiting_for_agents" } else { "ready_to_start" });
        assert_eq!(table.sit(&name(index)), Ok(vec!["agent_registered"]));
    }
    assert_eq!(table.sit("One more"), Err("The table is full: all 50 seats are taken.".into()));
    assert_eq!(table.around(TableCommand::Start), Ok(vec!["game_started", "round_started"]));
    assert_eq!(table.state().seats, 50);
}

#[test]
fn a_player_who_leaves_before_the_start_is_not_counted() {
    let mut table = Table::seated(1, 3);
    assert_eq!(table.around(TableCommand::Leave { seat: Seat(1) }), Ok(vec!["agent_left"]));
    assert_eq!(table.game.status(), "waiting_for_agents");
    assert!(table.around(TableCommand::Start).is_err());
}

#[test]
fn a_start_before_enough_have_sat_down_and_a_second_start_are_refused() {
    let mut table = Table::seated(1, 2);
    let early = "Not enough players";
    assert_eq!(table.around(TableCommand::Start), Err(early.into()));
    table.sit("Cy").expect("there is room");
    assert_eq!(table.around(TableCommand::Start), Ok(vec!["game_started", "round_started"]));
    assert_eq!(table.game.status(), "round_phase_1");
    assert_eq!(table.around(TableCommand::Start), Err("Game already started".into()));
}

#[test]
fn nobody_sits_down_after_the_start_not_even_after_the_end() {
    for status in ["round_phase_1", "awaiting_operator_decision", "round_resolved", "game_completed"] {
        let mut table = Table::at(status, 3);
        let before = table.game.snapshot();
        assert_eq!(table.sit("Late"), Err("Game already started".into()), "{status}");
        let fill = TableCommand::Fill { names: vec!["Late".into()] };
        assert_eq!(table.around(fill), Err("Game already started".into()), "{status}");
        assert_eq!(table.game.snapshot(), before);
    }
}

#[test]
fn nobody_plays_before_the_start() {
    let mut table = Table::seated(1, 3);
    for body in [argument("Spare us."), decision("save_majority"), advance("next_phase")] {
        for actor in [Actor::Seat(Seat(0)), HOST] {
            assert_eq!(table.refuses(actor, &body), "Game not started yet");
        }
    }
    assert_eq!(table.game.turns(), []);
    assert_eq!(table.around(TableCommand::Hand { seat: Seat(0), by_host: true }), Err("Game not started yet".into()));
}

#[test]
fn a_table_that_expired_refuses_everything() {
    let mut table = Table::seated(1, 3);
    assert_eq!(table.around(TableCommand::Expire), Ok(vec!["table_expired"]));
    assert_eq!((table.game.status(), table.game.progress()), ("expired", Progress::Over));
    let before = table.game.snapshot();
    let expired = "This table has expired; create a new game.";
    let seat = Seat(0);
    for command in [
        TableCommand::Sit { name: "Late".into(), holder: Holder::Open },
        TableCommand::Fill { names: vec!["Late".into()] },
        TableCommand::Leave { seat },
        TableCommand::Start,
        TableCommand::Hand { seat, by_host: true },
        TableCommand::TakeBack { seat },
        TableCommand::Expire,
    ] {
        assert_eq!(table.around(command.clone()), Err(expired.into()), "{command:?}");
        assert_eq!(table.game.snapshot(), before);
    }
    for body in [argument("Spare us."), decision("save_majority"), advance("next_phase")] {
        assert_eq!(table.refuses(HOST, &body), expired);
        assert_eq!(table.refuses(Actor::Seat(seat), &body), expired);
    }
    assert_eq!(table.game.turns(), []);
}

// ---- the deal ----

#[test]
fn each_round_has_one_operator_and_everyone_else_on_one_track_the_few_being_fewer_but_for_three_players() {
    for seats in 3..=50_usize {
        let few = ((seats - 2) / 2).max(1);
        let many = seats - 1 - few;
        assert_eq!(many > few, seats > 3, "{seats} players");
        let mut table = Table::started(seats as u64, seats);
        for round in 1..=seats as u32 {
            let Roles { operator, majority, minority } = table.state().roles;
            assert_eq!((majority.len(), minority.len()), (many, few), "{seats} players, round {round}");
            let mut everyone: Vec<Seat> = majority.iter().chain(minority.iter()).chain([operator]).collect();
            everyone.sort();
            assert_eq!(everyone, (0..seats).map(Seat::at).collect::<Vec<_>>(), "{seats} players, round {round}");
            table.host("force_decision").expect("it is being debated");
            table.host("resolve_round").expect("the decision is awaited");
            drop(table.host("next_phase"));
        }
        assert_eq!(table.game.status(), "game_completed", "{seats} players");
    }
}

#[test]
fn the_same_seed_and_moves_give_the_same_bytes_and_another_seed_another_rotation() {
    let play = |number| {
        let mut table = Table::started(number, 6);
        while table.game.progress() == Progress::Playing {
            table.all_argue();
            table.host("force_decision").expect("it is being debated");
            table.act(table.operator(), &decision("save_minority")).expect("the operator may decide");
            drop(table.host("next_phase"));
        }
        table
    };
    let rotation = |table: &Table| -> Vec<Event> {
        let rows = table.log.iter().filter_map(play_event);
        rows.filter(|event| matches!(event, Event::RoundOpened { .. })).collect()
    };
    let (once, again) = (play(7), play(7));
    assert_eq!(once.log, again.log);
    assert_eq!(once.game.snapshot(), again.game.snapshot());
    let rotations: BTreeSet<String> = (0..40).map(|number| format!("{:?}", rotation(&play(number)))).collect();
    assert!(rotations.len() >= 36, "40 seeds deal only {} of 720 rotations", rotations.len());
}

#[test]
fn how_long_they_talked_does_not_change_who_is_dealt_what() {
    let (mut short, mut long) = (Table::started(3, 5), Table::started(3, 5));
    (0..3).for_each(|_| long.all_argue());
    short.host("force_decision").expect("it is being debated");
    for table in [&mut short, &mut long] {
        table.host("resolve_round").expect("the decision is awaited");
        table.host("next_phase").expect("the round is over");
    }
    assert_eq!(short.state().roles, long.state().roles);
}

// ---- arguing ----

#[test]
fn an_argument_is_logged_with_its_round_phase_and_side() {
    let mut table = Table::started(1, 5);
    let Roles { majority, minority, .. } = table.state().roles;
    for (seat, role) in [(majority.iter().next(), Role::Majority), (minority.iter().next(), Role::Minority)] {
        let seat = seat.expect("both sides have somebody");
        let argued =
            Event::Argued { round: 1, step: Step::First, seat, role, text: "We are people too, 운전자님.".into() };
        let body = argument(" \n\tWe are people too, 운전자님. \u{a0}\n");
        assert_eq!(table.act(Actor::Seat(seat), &body), Ok(vec![argued]), "trimmed at both ends");
    }
    let state = table.spectator();
    assert_eq!(state["phase_activity"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_argument_has_at_most_500_characters_in_any_script() {
    for letter in ["a", "가", "🚋", "é", "\u{1112}"] {
        let (most, more) = (letter.repeat(500), letter.repeat(501));
        let mut table = Table::started(1, 4);
        let speaker = table.on_tracks()[0];
        let sentence = "The field \"text\" has 501 characters; at most 500 are allowed.";
        assert_eq!(table.refuses(speaker, &argument(&more)), sentence, "{letter}");
        let events =
            table.act(speaker, &argument(&format!("  {most}\n"))).expect("500 are allowed, spaces not counted");
        assert!(matches!(&events[..], [Event::Argued { text, .. }] if *text == most), "{letter}");
    }
    let mut table = Table::started(1, 4);
    let speaker = table.on_tracks()[0];
    assert_eq!(table.act(speaker, &argument("x")).map(|events| events.len()), Ok(1), "one character is enough");
}

#[test]
fn an_argument_is_text_that_can_be_seen() {
    let empty = "The field \"text\" is empty; write 1 to 500 characters.";
    let hidden = |c: &str| {
        format!("The field \"text\" contains the invisible or direction-changing character {c}; please remove it.")
    };
    let wrong = |c: &str| format!("The field \"text\" must be a string of 1 to 500 characters, not {c}.");
    let missing = "The field \"text\" is missing; it must be a string of 1 to 500 characters.";
    for (text, sentence) in [
        (json!(""), empty.to_owned()),
        (json!(" \n\t\u{3000} "), empty.to_owned()),
        (json!("a\u{202e}b"), hidden("U+202E")),
        (json!("\u{200b}"), hidden("U+200B")),
        (json!("a\u{0}"), hidden("U+0000")),
        (json!("\u{1b}[2J"), hidden("U+001B")),
        (json!("x\u{e0041}"), hidden("U+E0041")),
        (json!("\u{feff}hello"), hidden("U+FEFF")),
        (json!(7), wrong("7")),
        (json!(true), wrong("a boolean")),
        (json!(["a"]), wrong("a list")),
        (json!({"a": 1}), wrong("an object")),
        (Value::Null, missing.to_owned()),
    ] {
        let mut table = Table::started(1, 4);
        let speaker = table.on_tracks()[0];
        assert_eq!(table.refuses(speaker, &json!({"type": "argument", "text": text})), sentence);
    }
    let mut table = Table::started(1, 4);
    assert_eq!(table.refuses(table.on_tracks()[0], &json!({"type": "argument"})), missing);
    let family = argument("👩‍👩‍👧 and\nmy\tdog");
    assert!(table.act(table.on_tracks()[0], &family).is_ok(), "joiners, newlines and tabs are text");
}

#[test]
fn only_the_seats_on_the_tracks_argue() {
    let mut table = Table::started(1, 4);
    for phase in ["round_phase_1", "round_phase_2", "round_phase_3"] {
        assert_eq!(table.game.status(), phase);
        for stranger in [table.operator(), HOST, Actor::Clock, Actor::Seat(Seat(4)), Actor::Seat(Seat(900))] {
            let sentence = table.refuses(stranger, &argument("Spare us."));
            assert_eq!(sentence, "Agent not in this round as majority/minority", "{stranger:?}");
        }
        table.host("next_phase").expect("the host may skip");
    }
}

#[test]
fn nobody_argues_twice_in_a_phase_and_everybody_may_again_in_the_next() {
    let mut table = Table::started(1, 4);
    for _ in 0..3 {
        let speaker = table.on_tracks()[0];
        table.act(speaker, &argument("Spare us.")).expect("the first in this phase");
        assert_eq!(table.refuses(speaker, &argument("And again.")), "Already submitted argument this phase");
        table.host("next_phase").expect("the host may skip");
    }
    assert_eq!(table.refuses(table.on_tracks()[0], &argument("Late.")), "Not in a debate phase");
}

#[test]
fn the_last_argument_of_a_phase_opens_the_next_in_the_same_commit() {
    let mut table = Table::started(1, 5);
    for next in [
        Event::PhaseOpened { round: 1, step: Step::Second },
        Event::PhaseOpened { round: 1, step: Step::Third },
        Event::DecisionAwaited { round: 1 },
    ] {
        let speakers = table.on_tracks();
        for (index, speaker) in speakers.iter().enumerate() {
            let events = table.act(*speaker, &argument("Spare us.")).expect("it is their turn");
            assert!(matches!(events[0], Event::Argued { .. }));
            let last = index + 1 == speakers.len();
            assert_eq!(events[1..], if last { vec![next.clone()] } else { vec![] });
        }
        assert_eq!(table.spectator()["phase_activity"], json!([]), "a new phase begins with nobody having argued");
    }
    assert_eq!(table.game.status(), "awaiting_operator_decision");
}

// ---- the host ----

#[test]
fn every_phase_answers_every_step_of_the_host() {
    let no = |action: &str, instead: &str| Err(format!("Cannot {action} now: {instead}"));
    let debating = "a round is resolved from the decision phase; use force_decision first.";
    let deciding = "the operator is asked to decide; wait, or use resolve_round.";
    let resolved = "the round is over; use next_phase to start the next one.";
    let over = "the game is over.";
    for (status, action, answer) in [
        ("round_phase_1", "next_phase", Ok("round_phase_2")),
        ("round_phase_1", "force_decision", Ok("awaiting_operator_decision")),
        ("round_phase_1", "resolve_round", no("resolve_round", debating)),
        ("round_phase_2", "next_phase", Ok("round_phase_3")),
        ("round_phase_2", "force_decision", Ok("awaiting_operator_decision")),
        ("round_phase_2", "resolve_round", no("resolve_round", debating)),
        ("round_phase_3", "next_phase", Ok("awaiting_operator_decision")),
        ("round_phase_3", "force_decision", Ok("awaiting_operator_decision")),
        ("round_phase_3", "resolve_round", no("resolve_round", debating)),
        ("awaiting_operator_decision", "next_phase", no("next_phase", deciding)),
        ("awaiting_operator_decision", "force_decision", no("force_decision", deciding)),
        ("awaiting_operator_decision", "resolve_round", Ok("round_resolved")),
        ("round_resolved", "next_phase", Ok("round_phase_1")),
        ("round_resolved", "force_decision", no("force_decision", resolved)),
        ("round_resolved", "resolve_round", no("resolve_round", resolved)),
        ("game_completed", "next_phase", no("next_phase", over)),
        ("game_completed", "force_decision", no("force_decision", over)),
        ("game_completed", "resolve_round", no("resolve_round", over)),
    ] {
        let mut table = Table::at(status, 4);
        match answer {
            Ok(then) => {
                assert_eq!(table.host(action).map(|events| events.len()), Ok(1), "{action} in {status}");
                assert_eq!(table.game.status(), then, "{action} in {status}");
            }
            Err(sentence) => assert_eq!(table.refuses(HOST, &advance(action)), sentence, "{action} in {status}"),
        }
    }
}

#[test]
fn the_host_may_skip_after_some_have_argued() {
    let mut table = Table::started(1, 4);
    table.act(table.on_tracks()[0], &argument("Spare us.")).expect("it is their turn");
    assert_eq!(table.host("next_phase"), Ok(vec![Event::PhaseOpened { round: 1, step: Step::Second }]));
    assert_eq!(table.host("force_decision"), Ok(vec![Event::DecisionAwaited { round: 1 }]));
}

#[test]
fn a_round_that_the_host_resolves_is_marked_forced_and_saves_the_majority() {
    let mut table = Table::at("awaiting_operator_decision", 5);
    let Roles { operator, majority, minority } = table.state().roles;
    let resolved = Event::RoundResolved {
        round: 1,
        operator,
        decision: Decision::SaveMajority,
        forced: true,
        reason: None,
        decisive: None,
        survivors: majority,
        lost: minority,
    };
    assert_eq!(table.host("resolve_round"), Ok(vec![resolved]));
    assert_eq!(table.spectator()["round_outcome"]["forced"], json!(true));
    assert_eq!(Table::at("round_resolved", 5).spectator()["round_outcome"]["forced"], json!(false));
}

#[test]
fn only_the_host_and_the_clock_move_the_table_on_and_only_by_three_words() {
    let mut table = Table::started(1, 4);
    for seat in (0..5).map(Seat::at) {
        let sentence = table.refuses(Actor::Seat(seat), &advance("next_phase"));
        assert_eq!(sentence, "Only the host can advance the game");
    }
    for action in [json!("next"), json!("NEXT_PHASE"), json!(""), json!(1), Value::Null] {
        let sentence = table.refuses(HOST, &json!({"type": "advance", "action": action}));
        assert_eq!(sentence, "Action must be next_phase, force_decision or resolve_round");
    }
    assert!(table.act(Actor::Clock, &advance("next_phase")).is_ok());
}

#[test]
fn the_next_round_starts_by_itself_only_at_a_table_that_asked_for_it() {
    for auto in [None, Some(20)] {
        let mut table = Table::laid(1, &json!({"auto_advance_s": auto}), Terms::default());
        (0..3).for_each(|index| drop(table.sit(&name(index)).expect("there is room")));
        table.around(TableCommand::Start).expect("enough");
        while table.game.progress() == Progress::Playing {
            assert_eq!(Trolley::alarm(table.state()), None, "the debate and the decision wait for people");
            table.host("force_decision").expect("it is being debated");
            assert_eq!(Trolley::alarm(table.state()), None, "the debate and the decision wait for people");
            table.host("resolve_round").expect("the decision is awaited");
            let alarm = Trolley::alarm(table.state());
            let expected = auto.filter(|_| table.game.progress() == Progress::Playing);
            assert_eq!(alarm.as_ref().map(|alarm| alarm.after_s), expected);
            let by_itself = alarm.map(|alarm| table.act(Actor::Clock, &alarm.act).expect("announced"));
            if by_itself.is_none() {
                drop(table.host("next_phase"));
            }
        }
    }
}
