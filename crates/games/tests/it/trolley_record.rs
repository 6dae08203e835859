//! A recorded trolley log that must replay for ever, and a playthrough as each viewer sees it.

use crate::recorded;
use crate::trolley_table::*;
use engine::chain::Hash;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Progress};
use engine::id::{Inner, Seat};
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Rules as _, Shape, Turn, Viewer};
use games::trolley::{Phase, Roles, Trolley};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

// ---- a recorded log ----

#[test]
fn a_log_recorded_by_version_1_replays_for_ever() {
    recorded::record("trolley-v1.jsonl", everything);
    let game = recorded::replays_for_ever::<Trolley>("trolley-v1.jsonl", ("\"min_players\":4", "\"min_players\":3"));
    assert_eq!(game.status(), "game_completed");
}

/// A small game with every event of the play that version 1 can log.
fn everything() -> (Game<Trolley>, Seed, Vec<Logged>) {
    let terms = Terms { open: true, practice: true, turn_limit_s: Some(60), ..Terms::default() };
    let mut table = Table::laid(4, &json!({"min_players": 4, "auto_advance_s": 5}), terms);
    let around = |table: &mut Table, command| drop(table.around(command).expect("around the play"));
    ["Ann", "보라", "Gone"].iter().for_each(|name| drop(table.sit(name).expect("there is room")));
    around(&mut table, TableCommand::Leave { seat: Seat(2) });
    let holder = Holder::Token(Hash::of(b"recorded"));
    around(&mut table, TableCommand::Sit { name: "Cy \"the\" 🚋".into(), holder });
    around(&mut table, TableCommand::Fill { names: vec![Arc::from("Zeno")] });
    around(&mut table, TableCommand::Start);
    table.all_argue();
    let silent = table.on_tracks()[0];
    let Actor::Seat(seat) = silent else { panic!("seats stand on tracks") };
    let text = "한 사람의 목숨도 숫자가 아닙니다.\nOne line more. 🚋";
    let act = Command::StandIn(Trolley::act(&argument(text)).expect("an act"));
    table.commit(silent, &act).expect("it is awaited");
    around(&mut table, TableCommand::Leave { seat });
    around(&mut table, TableCommand::TakeBack { seat });
    table.host("force_decision").expect("it is being debated");
    let decisive = Inner::Argument.name(table.game.id, table.state().arguments[1].0.0);
    let body = with(with(decision("save_minority"), "reason", "이유가 있다"), "decisive_argument_id", decisive);
    table.act(table.operator(), &body).expect("the operator may decide");
    table.act(Actor::Clock, &advance("next_phase")).expect("the alarm of the table");
    let Roles { majority, minority, .. } = table.state().roles;
    let mut seats = majority.iter().chain(minority.iter());
    let late = seats.find(|seat| !table.game.roster().is_house(*seat)).expect("three of four are people");
    around(&mut table, TableCommand::Hand { seat: late, by_host: true });
    table.host("force_decision").expect("it is being debated");
    table.host("resolve_round").expect("the decision is awaited");
    while table.game.progress() == Progress::Playing {
        table.host("next_phase").expect("the round is over");
        table.host("next_phase").expect("the host may skip");
        table.all_argue();
        table.host("next_phase").expect("the host may skip");
        table.act(table.operator(), &decision("save_majority")).expect("the operator may decide");
    }
    (table.game, Seed::chosen("4"), table.log)
}

// ---- a playthrough, as each viewer sees it ----

#[test]
fn a_playthrough_of_three_players_shows_each_viewer_only_its_own_seat_beside_what_is_public() {
    let mut table = Table::laid(3, &json!({}), Terms::default());
    let mut told = String::new();
    for name in ["Ann", "Bo", "Cy"] {
        table.sit(name).expect("there is room");
        tell(&mut told, &table, &format!("{name} sits down"), 1);
    }
    table.around(TableCommand::Start).expect("enough");
    tell(&mut told, &table, "the host starts the game", 2);
    while table.game.progress() == Progress::Playing {
        let (actor, body) = next_move(&table);
        let rows = table.act(actor, &body).expect("it is their turn").len();
        let words: Vec<&str> =
            ["text", "decision", "action"].iter().filter_map(|field| body[*field].as_str()).collect();
        tell(&mut told, &table, &format!("{}: {}", called(&table, actor), words.join(" ")), rows);
    }
    let _ = writeln!(told, "\nresult: {}", table.game.result().expect("it is over"));
    insta::assert_snapshot!("trolley_playthrough", told);
}

/// Round 1 is argued out, round 2 is cut short by the host, round 3 is forced.
fn next_move(table: &Table) -> (Actor, Value) {
    let state = table.state();
    match (state.round, state.phase) {
        (1, Phase::Debate { argued, step }) => {
            let speaker =
                table.on_tracks().into_iter().find(|who| matches!(who, Actor::Seat(seat) if !argued.has(*seat)));
            let speaker = speaker.expect("a phase ends with its last argument");
            (speaker, argument(&format!("{} speaks in {}.", called(table, speaker), step.word())))
        }
        (_, Phase::Debate { .. }) => (HOST, advance("force_decision")),
        (1, Phase::AwaitingDecision) => (table.operator(), decision("save_minority")),
        (2, Phase::AwaitingDecision) => (table.operator(), decision("save_majority")),
        (_, Phase::AwaitingDecision) => (HOST, advance("resolve_round")),
        (_, Phase::Resolved(_) | Phase::Dealing | Phase::Completed(_)) => (HOST, advance("next_phase")),
    }
}

fn called(table: &Table, actor: Actor) -> String {
    match actor {
        Actor::Seat(seat) => table.game.roster().name(seat).to_owned(),
        Actor::Host => "host".into(),
        Actor::Clock => "clock".into(),
    }
}

/// Writes down what happened, what a spectator sees, and where the view of each seat differs.
fn tell(told: &mut String, table: &Table, what: &str, rows: usize) {
    let fresh = &table.log[table.log.len() - rows..];
    let names: Vec<String> = fresh.iter().map(|row| format!("{} {}", row.mark.seq, row.name)).collect();
    let awaited: Vec<String> = table.game.turns().iter().map(|turn| awaited(table, turn)).collect();
    let _ = writeln!(told, "\n> {what}\n  events    {}", names.join(", "));
    let _ = writeln!(told, "  status    {}\n  awaited   {}", table.game.status(), or_nobody(&awaited));
    let public = table.spectator();
    let people = |list: &Value| {
        let list = list.as_array().cloned().unwrap_or_default();
        let name = |one: &Value| {
            let argued = if one["argued_this_phase"] == json!(true) { "*" } else { "" };
            format!("{}{argued}", one["display_name"].as_str().unwrap_or("?"))
        };
        or_nobody(&list.iter().map(name).collect::<Vec<_>>())
    };
    let scores: Vec<String> = public["scores"].as_object().into_iter().flatten().map(|(_, n)| n.to_string()).collect();
    let _ = writeln!(
        told,
        "  spectator round {} {}, lever {}, many {}, few {}, decision {}, scores {}",
        public["current_round_number"],
        public["current_phase"].as_str().unwrap_or("-"),
        public["operator"]["display_name"].as_str().unwrap_or("-"),
        people(&public["majority_agents"]),
        people(&public["minority_agents"]),
        public["decision"].as_str().unwrap_or("-"),
        scores.join(" "),
    );
    for (seat, occupied) in table.game.roster().iter() {
        let own = seen(table, Viewer::Seat(seat));
        let fields = own.as_object().into_iter().flatten();
        let other: Vec<String> = fields
            .filter(|(field, value)| public[field.as_str()] != **value)
            .map(|(field, value)| format!("{field} {value}"))
            .collect();
        let _ = writeln!(told, "  {:<9} {}", occupied.name, other.join(", "));
    }
}

fn awaited(table: &Table, turn: &Turn) -> String {
    let offers: Vec<String> = turn
        .offers
        .iter()
        .map(|offer| {
            let fields: Vec<String> =
                offer.fields.iter().map(|field| format!("{}: {}", field.name, shape(&field.shape))).collect();
            format!("{} ({})", offer.action, fields.join(", "))
        })
        .collect();
    format!("{} {}", called(table, turn.who), offers.join(" or "))
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Text { len_min, len_max } => format!("{len_min} to {len_max} characters"),
        Shape::Choice(words) => words.join("|"),
    }
}

fn or_nobody(list: &[String]) -> String {
    if list.is_empty() { "nobody".into() } else { list.join(", ") }
}
