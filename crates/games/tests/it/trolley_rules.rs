//! The rules of the trolley, as sentences: given a table, when somebody asks for something, then this happens.

use engine::chain::Hash;
use engine::chance::{Draw, Seed};
use engine::game::{Command, Corrupt, Game, Logged, Progress, Recorded};
use engine::id::{GameId, Inner, Seat, Seq};
use engine::laws::{self, Played};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, TableCommand, TableEvent, Terms};
use engine::rules::{Actor, Fault, Mark, Refused, Rules as _, Shape, Turn, Viewer};
use engine::time::Timestamp;
use games::trolley::{Act, Decision, Event, Phase, Refusal, Role, Roles, State, Step, Trolley};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

const HOST: Actor = Actor::Host;
/// No game of these tests takes more commands; one that does not end is red, not endless.
const COMMANDS_MAX: usize = 2000;

// ---- the table of the tests ----

/// A game, its rows and its transcript; every command is a line of a test.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Game<Trolley>,
    pub(crate) log: Vec<Logged>,
    pub(crate) said: Vec<Entry>,
    now: Timestamp,
    commands: usize,
}

impl Table {
    /// A game that follows from a number, with nobody at it.
    pub(crate) fn laid(number: u64, options: &Value, terms: Terms) -> Self {
        let setup = Trolley::setup(options).expect("the options are good");
        let now = Timestamp(1_800_000_000_000);
        let (game, first) = Game::found(id(number), Seed::chosen(&number.to_string()), setup, terms, now);
        Table { game, said: laws::entries(std::slice::from_ref(&first)), log: vec![first], now, commands: 0 }
    }

    /// With so many at it, not started.
    fn seated(number: u64, seats: usize) -> Self {
        let mut table = Table::laid(number, &json!({}), Terms::default());
        (0..seats).for_each(|index| drop(table.sit(&name(index)).expect("there is room")));
        table
    }

    /// With so many at it, started.
    fn started(number: u64, seats: usize) -> Self {
        let mut table = Table::seated(number, seats);
        table.around(TableCommand::Start).expect("enough have sat down");
        table
    }

    /// Started, and brought to this status in its first round, or to its end.
    fn at(status: &str, seats: usize) -> Self {
        let mut table = Table::started(1, seats);
        while table.game.status() != status {
            match table.game.status() {
                "awaiting_operator_decision" => drop(table.act(table.operator(), &decision("save_majority"))),
                _ => drop(table.host("next_phase")),
            }
        }
        table
    }

    fn commit(&mut self, actor: Actor, command: &Command<Act>) -> Result<Vec<Logged>, Refused> {
        self.now = Timestamp(self.now.0 + 1000);
        self.commands += 1;
        assert!(self.commands <= COMMANDS_MAX, "not over after {COMMANDS_MAX} commands: {}", self.game.status());
        let rows = self.game.apply(actor, command, self.now)?;
        self.said.extend(laws::entries(&rows));
        self.log.extend(rows.clone());
        Ok(rows)
    }

    /// Does something around the play and returns what happened, in words.
    pub(crate) fn around(&mut self, command: TableCommand) -> Result<Vec<&'static str>, String> {
        let rows = self.commit(HOST, &Command::Table(command)).map_err(|refused| refused.sentence)?;
        Ok(rows.iter().map(|row| row.name).collect())
    }

    pub(crate) fn sit(&mut self, name: &str) -> Result<Vec<&'static str>, String> {
        self.around(TableCommand::Sit { name: name.into(), holder: Holder::Open })
    }

    /// Plays an act and returns what happened.
    pub(crate) fn act(&mut self, actor: Actor, body: &Value) -> Result<Vec<Event>, Refused> {
        let rows = self.commit(actor, &Command::Act(Trolley::act(body)?))?;
        Ok(rows.iter().map(|row| play_event(row).expect("acts make play events only")).collect())
    }

    fn host(&mut self, action: &str) -> Result<Vec<Event>, Refused> {
        self.act(HOST, &advance(action))
    }

    /// The reason why not. A refused command changes nothing: checked here, so for every refusal below.
    fn refuses(&mut self, actor: Actor, body: &Value) -> String {
        let (before, rows) = (self.game.snapshot(), self.log.len());
        let refused = self.act(actor, body).expect_err(&format!("{actor:?} may not {body}"));
        assert_eq!(self.game.snapshot(), before, "refused and yet changed: {body}");
        assert_eq!(self.log.len(), rows, "refused and yet logged: {body}");
        refused.sentence
    }

    fn state(&self) -> &State {
        self.game.state().expect("it has started")
    }

    fn operator(&self) -> Actor {
        Actor::Seat(self.state().roles.operator)
    }

    /// Everyone on a track, the many first.
    pub(crate) fn on_tracks(&self) -> Vec<Actor> {
        let Roles { majority, minority, .. } = self.state().roles;
        majority.iter().chain(minority.iter()).map(Actor::Seat).collect()
    }

    fn all_argue(&mut self) {
        for actor in self.on_tracks() {
            self.act(actor, &argument("Spare us.")).expect("nobody has argued in this phase");
        }
    }

    fn spectator(&self) -> Value {
        seen(self, Viewer::Spectator)
    }

    fn round_id(&self, round: u64) -> String {
        Inner::Round.name(self.game.id, round)
    }
}

fn id(number: u64) -> GameId {
    format!("01900000-0000-7000-8000-{number:012x}").parse().expect("a UUID")
}

fn name(index: usize) -> String {
    const NAMES: [&str; 8] = ["Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gil", "Hal"];
    NAMES.get(index).map_or_else(|| format!("Player {}", index + 1), |name| (*name).to_owned())
}

/// What the row tells, if it is of the play.
pub(crate) fn play_event(row: &Logged) -> Option<Event> {
    match serde_json::from_slice(&row.body).expect("our own row reads back") {
        Recorded::<Trolley>::Play(event) => Some(event),
        Recorded::Created(_) | Recorded::Table(_) => None,
    }
}

fn seen(table: &Table, viewer: Viewer) -> Value {
    serde_json::to_value(table.game.view(viewer, &table.said)).expect("a view serialises")
}

pub(crate) fn argument(text: &str) -> Value {
    json!({"type": "argument", "text": text})
}

fn decision(word: &str) -> Value {
    json!({"type": "decision", "decision": word})
}

fn advance(action: &str) -> Value {
    json!({"type": "advance", "action": action})
}

/// The body with more in it.
fn with(mut body: Value, field: &str, value: impl Into<Value>) -> Value {
    body[field] = value.into();
    body
}

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
    for (wrong, called) in [(json!("3"), "a string"), (json!(-3), "a number"), (json!(3.5), "a number")] {
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
fn somebody_who_leaves_before_the_start_is_not_counted() {
    let mut table = Table::seated(1, 3);
    assert_eq!(table.around(TableCommand::Leave { seat: Seat(1) }), Ok(vec!["agent_left"]));
    assert_eq!(table.game.status(), "waiting_for_agents");
    assert!(table.around(TableCommand::Start).is_err());
}

#[test]
fn a_start_before_enough_have_sat_down_and_a_second_start_are_refused() {
    let mut table = Table::seated(1, 2);
    let early = "Not enough players: 2 of at least 3 seats are taken.";
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
        (json!(7), wrong("a number")),
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

// ---- deciding ----

#[test]
fn only_the_operator_decides_and_only_in_the_decision_phase() {
    for status in ["round_phase_1", "round_phase_2", "round_phase_3"] {
        let mut table = Table::at(status, 4);
        assert_eq!(table.refuses(table.operator(), &decision("save_majority")), "Not in decision phase");
    }
    let mut table = Table::at("awaiting_operator_decision", 4);
    for actor in table.on_tracks().into_iter().chain([HOST, Actor::Clock, Actor::Seat(Seat(4))]) {
        assert_eq!(table.refuses(actor, &decision("save_majority")), "Only operator can submit decision", "{actor:?}");
    }
    assert!(table.act(table.operator(), &decision("save_majority")).is_ok());
}

#[test]
fn a_decision_is_one_of_two_words() {
    let mut table = Table::at("awaiting_operator_decision", 4);
    let wrong = [json!("save_all"), json!("SAVE_MAJORITY"), json!(" save_majority "), json!(""), json!(1), Value::Null];
    for word in wrong {
        let sentence = table.refuses(table.operator(), &json!({"type": "decision", "decision": word}));
        assert_eq!(sentence, "Decision must be save_majority or save_minority", "{word}");
    }
    for word in ["save_majority", "save_minority"] {
        let mut table = table.clone();
        assert!(table.act(table.operator(), &decision(word)).is_ok());
        assert_eq!(table.spectator()["decision"], json!(word));
        assert_eq!(table.spectator()["board"]["selected_branch"], json!(word));
    }
}

#[test]
fn survivors_score_one_and_the_lost_and_the_operator_none() {
    for (word, choice) in [("save_majority", Decision::SaveMajority), ("save_minority", Decision::SaveMinority)] {
        let mut table = Table::at("awaiting_operator_decision", 6);
        let Roles { operator, majority, minority } = table.state().roles;
        let (survivors, lost) = match choice {
            Decision::SaveMajority => (majority, minority),
            Decision::SaveMinority => (minority, majority),
        };
        let (forced, reason, decisive) = (false, None, None);
        let resolved =
            Event::RoundResolved { round: 1, operator, decision: choice, forced, reason, decisive, survivors, lost };
        assert_eq!(table.act(table.operator(), &decision(word)), Ok(vec![resolved]));
        let scores: Vec<u32> = (0..6).map(|seat| u32::from(survivors.has(Seat(seat)))).collect();
        assert_eq!(table.state().scores, scores);
    }
}

#[test]
fn coverage_changes_at_the_resolution_and_at_no_other_time() {
    let mut table = Table::started(1, 5);
    let coverage = |table: &Table| table.spectator()["coverage"].clone();
    let blank = coverage(&table);
    assert!(blank.as_array().is_some_and(|rows| rows.iter().all(|row| row["complete"] == json!(false))));
    for _ in 0..3 {
        table.all_argue();
        assert_eq!(coverage(&table), blank, "before the decision nobody has been anything");
    }
    table.act(table.operator(), &decision("save_minority")).expect("the operator may decide");
    let Roles { operator, majority, minority } = table.state().roles;
    let rows = coverage(&table);
    for seat in (0..5).map(Seat::at) {
        let row = &rows[seat.index()];
        assert_eq!(row["has_been_operator"], json!(seat == operator));
        assert_eq!(row["has_been_majority"], json!(majority.has(seat)));
        assert_eq!(row["has_been_minority"], json!(minority.has(seat)));
        assert_eq!(row["complete"], json!(false));
    }
    table.host("next_phase").expect("the round is over");
    assert_eq!(coverage(&table), rows, "a deal covers nobody");
}

#[test]
fn the_game_completes_in_the_same_commit_as_its_last_decision() {
    for by_host in [false, true] {
        let mut table = Table::started(1, 4);
        for round in 1..=4 {
            table.host("force_decision").expect("it is being debated");
            let events = match by_host {
                true => table.host("resolve_round"),
                false => table.act(table.operator(), &decision("save_minority")),
            };
            let events = events.expect("the decision is awaited");
            assert!(matches!(events[0], Event::RoundResolved { .. }));
            let end = if round == 4 { vec![Event::GameCompleted { rounds: 4 }] } else { vec![] };
            assert_eq!(events[1..], end, "round {round}");
            drop(table.host("next_phase"));
        }
        assert_eq!((table.game.status(), table.game.progress()), ("game_completed", Progress::Over));
        assert!(table.state().is_covered());
        assert_eq!(table.game.turns(), []);
        assert!(table.game.result().is_some());
    }
}

#[test]
fn the_animation_version_grows_once_for_each_resolution() {
    let mut draw = Draw::from_number(5);
    let mut played = Played::<Trolley>::start(5, &json!({}), 5).expect("starts");
    laws::play(&mut played, &mut draw, |played| {
        let view = played.game.view(Viewer::Spectator, &[]);
        let resolutions = played.log.iter().filter(|row| row.name == "round_resolved").count();
        if view.board.animation_version as usize == resolutions { Ok(()) } else { Err(format!("{view:?}")) }
    })
    .expect("one for each");
}

#[test]
fn the_operator_may_say_why_and_which_argument_of_this_round_moved_it() {
    let mut table = Table::started(1, 4);
    let speaker = table.on_tracks()[0];
    table.act(speaker, &argument("From the first round.")).expect("it is their turn");
    let argument_id = |table: &Table| Inner::Argument.name(table.game.id, table.game.mark().seq.0);
    let old = argument_id(&table);
    table.host("force_decision").expect("it is being debated");
    table.host("resolve_round").expect("the decision is awaited");
    table.host("next_phase").expect("the round is over");
    table.act(table.on_tracks()[0], &argument("From the second round.")).expect("it is their turn");
    let (new, seq) = (argument_id(&table), table.game.mark().seq);
    table.host("force_decision").expect("it is being debated");
    let body = with(decision("save_minority"), "reason", "  It counted.  ");
    let last = Inner::Argument.name(table.game.id, table.game.mark().seq.0);
    let foreign = Inner::Argument.name(id(2), seq.0);
    for id in [old.as_str(), &last, &foreign, "arg-1", "nonsense", &table.round_id(2)] {
        let sentence = table.refuses(table.operator(), &with(body.clone(), "decisive_argument_id", id));
        assert_eq!(sentence, "decisive_argument_id must name an argument made in this round", "{id}");
    }
    let sentence = table.refuses(table.operator(), &with(body.clone(), "decisive_argument_id", 7));
    assert_eq!(sentence, "The field \"decisive_argument_id\" must be the id of an argument, not a number.");
    let long = with(body.clone(), "reason", "가".repeat(501));
    let sentence = "The field \"reason\" has 501 characters; at most 500 are allowed.";
    assert_eq!(table.refuses(table.operator(), &long), sentence);
    let events = table.act(table.operator(), &with(body, "decisive_argument_id", new)).expect("all is right");
    assert!(
        matches!(&events[0], Event::RoundResolved { reason: Some(why), decisive: Some(argument), .. }
            if why == "It counted." && *argument == seq),
        "{events:?}"
    );
}

#[test]
fn a_client_that_gives_no_reason_an_empty_one_or_null_is_understood() {
    for (reason, decisive) in [(Value::Null, Value::Null), (json!(""), json!("")), (json!("  \n"), Value::Null)] {
        let mut table = Table::at("awaiting_operator_decision", 4);
        let body = with(with(decision("save_majority"), "reason", reason), "decisive_argument_id", decisive);
        let events = table.act(table.operator(), &body).expect("both may be absent");
        assert!(matches!(&events[0], Event::RoundResolved { reason: None, decisive: None, .. }));
    }
}

// ---- which round, and which reason first ----

#[test]
fn a_past_round_is_resolved_and_a_future_or_foreign_one_is_not_found() {
    let mut table = Table::at("round_resolved", 4);
    let (resolved, unknown) = ("Round already resolved", "Round not found");
    let (first, second) = (table.round_id(1), table.round_id(2));
    for body in [argument("Spare us."), decision("save_majority")] {
        for actor in [table.operator(), table.on_tracks()[0]] {
            assert_eq!(table.refuses(actor, &with(body.clone(), "round_id", first.clone())), resolved);
            assert_eq!(table.refuses(actor, &body), resolved, "no round named is the present one");
            assert_eq!(table.refuses(actor, &with(body.clone(), "round_id", second.clone())), unknown);
        }
    }
    table.host("next_phase").expect("the round is over");
    let speaker = table.on_tracks()[0];
    let of_round = |id: Value| with(argument("Spare us."), "round_id", id);
    assert_eq!(table.refuses(speaker, &of_round(json!(first))), resolved);
    let foreign = Inner::Round.name(id(2), 2);
    for unknown_id in [json!(table.round_id(3)), json!(table.round_id(0)), json!(foreign), json!("2"), json!(2)] {
        assert_eq!(table.refuses(speaker, &of_round(unknown_id.clone())), unknown, "{unknown_id}");
    }
    let refused = table.act(speaker, &of_round(json!("x"))).expect_err("no such round");
    assert_eq!((refused.code, refused.fault), ("ROUND_NOT_FOUND", Fault::Unknown));
    assert!(table.act(speaker, &of_round(json!(second))).is_ok());
}

#[test]
fn of_several_things_wrong_the_first_is_named_round_actor_phase_duplicate_body() {
    // In round 2, in which one seat has argued; each body below is wrong in every later way as well.
    let mut debate = Table::at("round_resolved", 4);
    debate.host("next_phase").expect("the round is over");
    let (operator, spoke, fresh) = (debate.operator(), debate.on_tracks()[0], debate.on_tracks()[1]);
    debate.act(spoke, &argument("Spare us.")).expect("it is their turn");
    let mut deciding = debate.clone();
    deciding.host("force_decision").expect("it is being debated");
    let (future, past) = (debate.round_id(9), debate.round_id(1));

    let argue = json!({"type": "argument", "text": 7});
    let pull = json!({"type": "decision", "decision": "both", "reason": 7, "decisive_argument_id": 7});
    let sane = with(pull.clone(), "decision", "save_majority");
    let reasoned = with(sane.clone(), "reason", "Because.");
    let not_text = "The field \"text\" must be a string of 1 to 500 characters, not a number.";
    let not_reason = "The field \"reason\" must be a string of up to 500 characters, not a number.";
    let not_id = "The field \"decisive_argument_id\" must be the id of an argument, not a number.";
    assert_eq!(deciding.refuses(operator, &with(argue.clone(), "round_id", future.clone())), "Round not found");
    assert_eq!(deciding.refuses(operator, &with(argue.clone(), "round_id", past.clone())), "Round already resolved");
    assert_eq!(deciding.refuses(operator, &argue), "Agent not in this round as majority/minority");
    assert_eq!(deciding.refuses(spoke, &argue), "Not in a debate phase");
    assert_eq!(debate.refuses(spoke, &argue), "Already submitted argument this phase");
    assert_eq!(debate.refuses(fresh, &argue), not_text);

    assert_eq!(debate.refuses(spoke, &with(pull.clone(), "round_id", future)), "Round not found");
    assert_eq!(debate.refuses(spoke, &with(pull.clone(), "round_id", past)), "Round already resolved");
    assert_eq!(debate.refuses(spoke, &pull), "Only operator can submit decision");
    assert_eq!(debate.refuses(operator, &pull), "Not in decision phase");
    assert_eq!(deciding.refuses(operator, &pull), "Decision must be save_majority or save_minority");
    assert_eq!(deciding.refuses(operator, &sane), not_reason);
    assert_eq!(deciding.refuses(operator, &reasoned), not_id);
    assert_eq!(debate.refuses(spoke, &advance("fly")), "Only the host can advance the game");
}

#[test]
fn a_body_without_a_known_type_is_refused_before_anything_else() {
    let sentence = "Unknown action type; use \"argument\", \"decision\" or \"advance\".";
    let mut table = Table::at("game_completed", 3);
    for body in [json!({}), json!({"type": "vote"}), json!({"type": 1}), json!([]), json!("argument"), Value::Null] {
        assert_eq!(table.refuses(HOST, &body), sentence, "{body}");
    }
}

// ---- what is announced ----

#[test]
fn what_is_announced_is_what_is_enforced_for_everyone_at_every_step() {
    let bodies = [
        argument("Spare us."),
        decision("save_majority"),
        decision("save_minority"),
        advance("next_phase"),
        advance("force_decision"),
        advance("resolve_round"),
    ];
    for number in 0..24 {
        let seats = 3 + number as usize % 6;
        let mut played = Played::<Trolley>::start(number, &json!({}), seats).expect("starts");
        let mut steps = 0;
        let look = |played: &Played<Trolley>| {
            steps += 1;
            let (turns, before) = (played.game.turns(), played.game.snapshot());
            for actor in (0..=seats).map(|seat| Actor::Seat(Seat::at(seat))).chain([HOST]) {
                for body in &bodies {
                    let mut tried = played.game.clone();
                    let act = Trolley::act(body).map_err(|refusal| refusal.to_string())?;
                    let accepted = tried.apply(actor, &Command::Act(act), played.game.mark().at).is_ok();
                    if accepted != is_announced(&turns, actor, body) || (!accepted && tried.snapshot() != before) {
                        return Err(format!("{} {actor:?} {body}: accepted {accepted}", played.game.status()));
                    }
                }
            }
            Ok(())
        };
        let played = laws::play(&mut played, &mut Draw::from_number(number), look);
        played.unwrap_or_else(|broken| panic!("game {number}, {seats} players: {broken}"));
        assert!(steps > seats, "game {number} was hardly looked at");
    }
}

fn is_announced(turns: &[Turn], actor: Actor, body: &Value) -> bool {
    let offers = turns.iter().filter(|turn| turn.who == actor).flat_map(|turn| &turn.offers);
    let mut same_type = offers.filter(|offer| body["type"] == json!(offer.action));
    same_type.any(|offer| {
        offer.fields.iter().filter(|field| field.required).all(|field| match &field.shape {
            Shape::Text { .. } => true,
            Shape::Choice(words) => words.iter().any(|word| body[field.name] == json!(word)),
        })
    })
}

// ---- seats changing hands ----

#[test]
fn a_silent_seat_is_handed_to_a_house_mind_and_its_owner_takes_it_back() {
    let mut table = Table::started(1, 4);
    let Actor::Seat(seat) = table.on_tracks()[0] else { panic!("seats stand on tracks") };
    let Actor::Seat(operator) = table.operator() else { panic!("a seat holds the lever") };
    let hand = |seat, by_host| TableCommand::Hand { seat, by_host };
    let early = "That seat has been silent for 1 s; it can be handed over after 120 s.";
    assert_eq!(table.around(hand(seat, false)), Err(early.into()), "fellow players wait");
    let idle = "That seat is not awaited, so there is nothing to hand over.";
    assert_eq!(table.around(hand(operator, true)), Err(idle.into()));
    assert_eq!(table.around(hand(Seat(9), true)), Err("No such agent in this game".into()));
    let mine = "You are playing this seat yourself.";
    assert_eq!(table.around(TableCommand::TakeBack { seat }), Err(mine.into()));

    assert_eq!(table.around(hand(seat, true)), Ok(vec!["seat_handed"]), "the host need not wait");
    assert!(table.game.roster().is_house(seat));
    assert_eq!(table.around(hand(seat, true)), Err("A house mind already plays that seat.".into()));
    assert_eq!(table.game.view(Viewer::Seat(seat), &[]).own.map(|own| own.house), Some(true));
    assert_eq!(table.around(TableCommand::TakeBack { seat }), Ok(vec!["seat_taken_back"]));
    assert!(!table.game.roster().is_house(seat));
    assert!(table.act(Actor::Seat(seat), &argument("I am back.")).is_ok());

    table.now = table.game.mark().at.plus_s(119);
    let Actor::Seat(other) = table.on_tracks()[1] else { panic!("seats stand on tracks") };
    assert_eq!(table.around(hand(other, false)), Ok(vec!["seat_handed"]), "after 120 s anyone may");
    assert_eq!(table.around(TableCommand::Leave { seat }), Ok(vec!["seat_handed"]), "who leaves hands over");
    assert_eq!(table.game.roster().len(), 4, "nobody is removed from a game that has started");
}

#[test]
fn nothing_is_handed_over_after_the_end() {
    let mut table = Table::at("game_completed", 3);
    let over = Err("Game already completed".to_owned());
    let seat = Seat(0);
    assert_eq!(table.around(TableCommand::Hand { seat, by_host: true }), over);
    assert_eq!(table.around(TableCommand::TakeBack { seat }), over);
    assert_eq!(table.around(TableCommand::Leave { seat }), over);
}

#[test]
fn a_stand_in_marks_the_turn_as_expired_and_plays_it() {
    let mut table = Table::started(1, 4);
    let stand_in = |body: &Value| Command::StandIn(Trolley::act(body).expect("an act"));
    for _ in 0..table.on_tracks().len() {
        let Some(Actor::Seat(seat)) = table.game.turns().first().map(|turn| turn.who) else { panic!("awaited") };
        let body = table.game.mind(seat, &table.said);
        let rows = table.commit(Actor::Seat(seat), &stand_in(&body)).expect("a mind plays by the rules");
        let marked: Recorded<Trolley> = serde_json::from_slice(&rows[0].body).expect("our own row reads back");
        assert!(matches!(marked, Recorded::Table(TableEvent::TurnExpired { seat: late }) if late == seat));
        assert!(matches!(play_event(&rows[1]), Some(Event::Argued { seat: who, .. }) if who == seat));
        assert!(!table.game.roster().is_house(seat), "only this one turn");
    }
    assert_eq!(table.game.status(), "round_phase_2");
    let before = table.game.snapshot();
    let for_operator = table.commit(table.operator(), &stand_in(&argument("Not mine.")));
    assert_eq!(for_operator.expect_err("not awaited").sentence, "Agent not in this round as majority/minority");
    assert!(table.commit(HOST, &stand_in(&advance("next_phase"))).is_err(), "only seats have turns to lose");
    assert_eq!(table.game.snapshot(), before, "a stand-in that is refused leaves no mark");
}

// ---- the state as clients read it ----

#[test]
fn every_field_of_the_seeds_table_is_there_at_every_stage() {
    let fields = "game_id status current_round_number current_round_id current_phase operator majority_agents \
        minority_agents decision round_outcome scores coverage phase_activity last_event_at board version";
    let mut tables = vec![Table::laid(1, &json!({}), Terms::default()), Table::seated(1, 3)];
    let stages = ["round_phase_1", "round_phase_3", "awaiting_operator_decision", "round_resolved", "game_completed"];
    tables.extend(stages.map(|status| Table::at(status, 4)));
    for table in tables {
        let view = table.spectator();
        fields.split_whitespace().for_each(|field| assert!(view.get(field).is_some(), "{field} in {view}"));
        for field in ["selected_branch", "resolution_state", "animation_version", "survivors", "lost"] {
            assert!(view["board"].get(field).is_some(), "board.{field} in {view}");
        }
        assert_eq!(view["version"], json!(table.game.mark().seq.0));
        assert_eq!(view["self"], Value::Null, "a spectator has no seat");
        let dealt = table.game.state().is_some();
        assert_eq!(view["operator"]["argued_this_phase"] == json!(false), dealt);
        assert_eq!(view["scores"].as_object().map(serde_json::Map::len), Some(table.game.roster().len()));
        let resolved = table.game.state().is_some_and(|state| state.phase.outcome().is_some());
        assert_eq!(view["board"]["resolution_state"], if resolved { json!("resolved") } else { Value::Null });
        assert_eq!(view["decision"].is_string(), resolved);
        assert_eq!(view["round_outcome"].is_object(), resolved);
    }
}

// ---- a recorded log ----

/// The first line of a recorded log.
#[derive(Serialize, Deserialize)]
struct Header {
    game_id: GameId,
    seed: Seed,
}

/// A row of it; the body keeps its exact bytes.
#[derive(Serialize, Deserialize)]
struct Row {
    seq: Seq,
    at: Timestamp,
    hash: Hash,
    body: Box<RawValue>,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct Footer {
    snapshot: Box<RawValue>,
}

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/trolley-v1.jsonl");

#[test]
fn a_log_recorded_by_version_1_replays_for_ever() {
    if std::env::var("MOOT_RECORD").is_ok_and(|wish| wish == "1") {
        std::fs::write(RECORDED, record()).expect("tests/recorded can be written");
    }
    let text = std::fs::read_to_string(RECORDED).expect("the recorded log is committed");
    let lines: Vec<&str> = text.lines().collect();
    let [header, first, rows @ .., footer] = &lines[..] else { panic!("a header, rows and a snapshot") };
    let Header { game_id, seed } = serde_json::from_str(header).expect("a header");
    let row = |line: &str| serde_json::from_str::<Row>(line).expect("a row");
    let opened = row(first);
    let again = |body: &str| Game::<Trolley>::replay_first(game_id, seed, opened.at, body.as_bytes(), opened.hash);
    let (mut game, _) = again(opened.body.get()).expect("the first row founds the game");
    for line in rows {
        let Row { seq, at, hash, body } = row(line);
        let replayed = game.replay(Mark { seq, at }, body.get().as_bytes().to_vec(), hash);
        replayed.unwrap_or_else(|corrupt| panic!("row {seq}: {corrupt}"));
    }
    assert_eq!(game.status(), "game_completed");
    let Footer { snapshot } = serde_json::from_str(footer).expect("a snapshot");
    assert_eq!(String::from_utf8(game.snapshot()).expect("JSON"), snapshot.get());

    let (mut cut, _) = again(opened.body.get()).expect("as before");
    let third = row(rows[1]);
    let gap = cut.replay(Mark { seq: third.seq, at: third.at }, third.body.get().as_bytes().to_vec(), third.hash);
    assert_eq!(gap, Err(Corrupt::Gap { expected: Seq(2), found: Seq(3) }), "a missing row is found");
    let foreign = again(&opened.body.get().replace("\"rules\":1", "\"rules\":2")).map(|_| ());
    assert_eq!(foreign, Err(Corrupt::Version { found: 2, known: 1 }), "never reinterpreted");
    let forged = again(&opened.body.get().replace("\"min_players\":4", "\"min_players\":3")).map(|_| ());
    assert_eq!(forged, Err(Corrupt::Hash), "a changed row is found");
}

/// A small game in which everything happens that version 1 can log.
fn record() -> String {
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
    let raw = |bytes: &[u8]| {
        RawValue::from_string(String::from_utf8(bytes.to_vec()).expect("JSON is text")).expect("JSON is valid")
    };
    let line = |value: Result<String, serde_json::Error>| value.expect("it serialises") + "\n";
    let seed = Seed::chosen("4");
    let mut text = line(serde_json::to_string(&Header { game_id: table.game.id, seed }));
    for row in &table.log {
        let Mark { seq, at } = row.mark;
        text += &line(serde_json::to_string(&Row { seq, at, hash: row.hash, body: raw(&row.body) }));
    }
    text + &line(serde_json::to_string(&Footer { snapshot: raw(&table.game.snapshot()) }))
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

/// What happened, what anybody sees, and what each seat sees otherwise.
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
