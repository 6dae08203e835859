//! A recorded trial log that must replay for ever, and a trial as each viewer sees it.

use crate::recorded;
use crate::trial_rules::{actor, at_the_vote, jurors, speak, state, vote};
use engine::chance::Seed;
use engine::game::{Command, Game, Logged};
use engine::id::{AccountId, AgentId, GameId, Seat};
use engine::laws::Played;
use engine::roster::{Holder, Lang, TableCommand, Terms};
use engine::rules::{Actor, Rules as _, Viewer};
use engine::time::Timestamp;
use games::trial::{Role, Trial};
use serde_json::{Value, json};
use std::fmt::Write as _;

#[test]
fn a_log_recorded_by_version_1_replays_for_ever() {
    recorded::record("trial-v1.jsonl", everything);
    let game =
        recorded::replays_for_ever::<Trial>("trial-v1.jsonl", ("\"case_id\":\"case_001\"", "\"case_id\":\"case_002\""));
    assert_eq!(game.status(), "end");
}

/// A trial with every event of the play that version 1 can log.
fn everything() -> (Game<Trial>, Seed, Vec<Logged>) {
    let seed = Seed::chosen("trial");
    let id = GameId(uuid(7));
    let setup = Trial::setup(&json!({"case_id": "case_001", "lang": "ko"})).expect("it is on the docket");
    let terms = Terms { rated: true, practice: true, lang: Lang::Ko, turn_limit_s: Some(60), ..Terms::default() };
    let mut now = Timestamp(1_800_000_000_000);
    let (mut game, first) = Game::<Trial>::found(id, seed, setup, terms, now);
    let mut log = vec![first];
    let account = |number| AccountId(uuid(number));
    let sit = |name: &str, holder| Command::Table(TableCommand::Sit { name: name.into(), holder });
    let mut table = vec![
        sit("Gone", Holder::Account(account(1))),
        Command::Table(TableCommand::Leave { seat: Seat(0) }),
        sit("아라", Holder::Account(account(1))),
        sit("Bea \"the\" 🧑‍⚖️", Holder::Agent { account: account(2), agent: AgentId(uuid(9)) }),
    ];
    let names = ["Zeno", "Yara", "Xenia", "Wim"].map(Into::into).to_vec();
    table.push(Command::Table(TableCommand::Fill { names }));
    for command in &table {
        now = Timestamp(now.0 + 1000);
        log.extend(game.apply(Actor::Host, command, now).expect("around the play"));
    }
    let mut verdicts = ["GUILTY", "NOT_GUILTY", "GUILTY"].into_iter();
    while let Some(turn) = game.turns().first().cloned() {
        now = Timestamp(now.0 + 1000);
        let body = match turn.offers[0].action {
            "vote" => vote(verdicts.next().expect("three jurors")),
            _ => speak("한 문장이면 충분합니다. One is enough. ⚖️"),
        };
        let act = Trial::act(&body).expect("an act");
        let stands_in = log.len() == 12;
        let command = if stands_in { Command::StandIn(act) } else { Command::Act(act) };
        log.extend(game.apply(turn.who, &command, now).expect("it is awaited"));
    }
    (game, seed, log)
}

fn uuid(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | number)
}

#[test]
fn a_trial_shows_each_viewer_its_own_turn_and_nobody_a_vote() {
    let mut played = at_the_vote(12);
    let mut told = String::new();
    tell(&mut told, &played, "the jury is asked");
    for (juror, verdict) in jurors(&played).into_iter().zip(["GUILTY", "NOT_GUILTY", "NOT_GUILTY"]) {
        played.send(juror, &vote(verdict)).expect("accepted");
        tell(&mut told, &played, &format!("{juror:?} votes"));
    }
    played.send(actor(&played, Role::Judge), &speak("Not guilty.")).expect("accepted");
    tell(&mut told, &played, "the judge pronounces");
    insta::assert_snapshot!("trial_vote", told);
}

/// Writes down what a spectator sees, and where the view of each seat differs.
fn tell(told: &mut String, played: &Played<Trial>, what: &str) {
    let seen = |viewer| -> Value {
        let mut view = serde_json::to_value(played.game.view(viewer, &played.said())).expect("a view serialises");
        // What was said fills pages; the number of chapters is enough here.
        view["history"] = view["history"].as_array().map_or(0, Vec::len).into();
        view["case"] = view["case"]["case_id"].clone();
        view
    };
    let public = seen(Viewer::Spectator);
    let _ = writeln!(told, "\n> {what}\n  spectator {public}");
    for (index, role) in state(played).roles.iter().enumerate() {
        let own = seen(Viewer::Seat(Seat::at(index)));
        let fields = own.as_object().into_iter().flatten();
        let other = fields.filter(|(field, value)| public[field.as_str()] != **value);
        let other: Vec<String> = other.map(|(field, value)| format!("{field} {value}")).collect();
        let _ = writeln!(told, "  {:<10} {}", role.word(), other.join(", "));
    }
}
