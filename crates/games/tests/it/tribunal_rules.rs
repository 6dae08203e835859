//! The rules of the Tribunal: each test is named by the rule it checks.

use engine::facts::Fate;
use engine::game::{Command, Game, Progress};
use engine::id::Seat;
use engine::laws::Played;
use engine::rules::{Actor, Refused, Rules as _, Viewer};
use games::tribunal::{Memory, Phase, State, Tribunal, Verdict};
use serde_json::{Value, json};

pub const BENCH: Actor = Actor::Seat(Seat(0));
pub const PROSECUTOR: Actor = Actor::Seat(Seat(1));
pub const ACCUSED: Actor = Actor::Seat(Seat(2));
/// Words that no case listens for.
const ATTACK: &str = "Good evening to everybody who has come here tonight.";

/// A trial of John Law with its jurors dealt.
pub fn court(number: u64) -> Played<Tribunal> {
    court_with(number, &json!({"case_id": "john_law"}))
}

pub fn court_with(number: u64, options: &Value) -> Played<Tribunal> {
    Played::start(number, options, 3).expect("three sit down and it starts")
}

/// The same with the house in every seat.
pub fn house_court(number: u64, options: &Value) -> Played<Tribunal> {
    Played::start_house(number, options, 3).expect("three sit down and it starts")
}

pub fn state(played: &Played<Tribunal>) -> &State {
    played.game.state().expect("started")
}

/// What the house would send for this actor; the clock recalls nothing.
pub fn mind(played: &Played<Tribunal>, who: Actor) -> Value {
    match who {
        Actor::Seat(seat) => played.game.mind(seat, &played.said()),
        Actor::Clock => recall(),
        Actor::Host => panic!("nobody awaits the host"),
    }
}

pub fn argue(character: &str, text: &str) -> Value {
    json!({"type": "argue", "character_id": character, "text": text})
}

pub fn recall() -> Value {
    json!({"type": "recall"})
}

pub fn answer(text: &str) -> Value {
    json!({"type": "answer", "text": text})
}

pub fn rule(shift: i64) -> Value {
    json!({"type": "rule", "jury_shift": shift, "extraordinary": false, "reasons": "So it is."})
}

pub fn rule_claim(shift: i64, claim: &str) -> Value {
    json!({"type": "rule", "jury_shift": shift, "extraordinary": true, "claim": claim, "reasons": "That is much."})
}

pub fn prove(evidence: Value) -> Value {
    json!({"type": "prove", "text": "Here it stands.", "evidence": evidence})
}

fn defend() -> Value {
    json!({"type": "defend", "text": "I stand on it."})
}

fn rule_burden(verdict: &str) -> Value {
    json!({"type": "rule_burden", "verdict": verdict, "reasons": "Weighed."})
}

pub fn send(played: &mut Played<Tribunal>, actor: Actor, body: &Value) {
    played.send(actor, body).unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence));
}

/// Plays attack, memory and answer, up to the ruling.
pub fn heard(played: &mut Played<Tribunal>) {
    send(played, PROSECUTOR, &argue("law", ATTACK));
    send(played, Actor::Clock, &recall());
    send(played, ACCUSED, &answer("It is not so."));
}

/// Plays an exchange in which the bench rules this.
pub fn exchange(played: &mut Played<Tribunal>, ruling: &Value) {
    heard(played);
    send(played, BENCH, ruling);
}

pub fn refused(played: &mut Played<Tribunal>, actor: Actor, body: &Value) -> Refused {
    played.send(actor, body).expect_err("refused")
}

pub fn code(played: &mut Played<Tribunal>, actor: Actor, body: &Value) -> &'static str {
    refused(played, actor, body).code
}

pub fn view(played: &Played<Tribunal>, viewer: Viewer) -> Value {
    serde_json::to_value(played.game.view(viewer, &played.said())).expect("a view serialises")
}

fn sum(played: &Played<Tribunal>) -> i32 {
    state(played).jurors.iter().map(|lean| i32::from(*lean)).sum()
}

// ---- the table ----

#[test]
fn case_and_jury_are_drawn_from_the_seed_and_a_case_may_be_named() {
    let mut drawn = std::collections::BTreeMap::new();
    for number in 0..60 {
        let played = court_with(number, &json!({}));
        let case = state(&played).case.clone().expect("dealt");
        *drawn.entry(case.case_id.clone()).or_insert(0) += 1;
        assert!((-1..=1).contains(&sum(&played)));
    }
    assert!(drawn.len() == 4, "{drawn:?}");
    let again = [court(1), court(1)].map(|played| state(&played).jurors);
    assert_eq!(again[0], again[1]);
    assert_ne!(again[0], state(&court(2)).jurors);
}

#[test]
fn wrong_options_are_refused_and_an_unknown_case_is_told_which_there_are() {
    let wrong = |options: Value| engine::rules::Refused::from(Tribunal::setup(&options).expect_err("refused"));
    let unknown = wrong(json!({"case_id": "case_001"}));
    assert_eq!(unknown.code, "UNKNOWN_CASE");
    assert!(unknown.sentence.contains("john_law, john_locke, robert_clive, thomas_midgley"), "{}", unknown.sentence);
    assert_eq!(wrong(json!({"lang": "fr"})).code, "INVALID_BODY");
    for exchanges in [json!(0), json!(9), json!("8")] {
        assert_eq!(wrong(json!({"exchanges": exchanges})).code, "INVALID_BODY", "{exchanges}");
    }
    assert!(wrong(json!({"open": "yes"})).sentence.contains("\"open\""));
    let setup = Tribunal::setup(&json!({})).expect("all has defaults");
    assert_eq!((setup.exchanges, setup.open, setup.case_id), (8, false, None));
}

// ---- the course ----

#[test]
fn an_exchange_goes_from_attack_to_answer_to_ruling_and_only_one_is_awaited() {
    let mut played = court(1);
    let mut seen = Vec::new();
    let steps = [
        (PROSECUTOR, argue("law", ATTACK)),
        (Actor::Clock, recall()),
        (ACCUSED, answer("It is not so.")),
        (BENCH, rule_claim(1, "It never was.")),
        (ACCUSED, defend()),
        (BENCH, rule_burden("failed")),
    ];
    for (who, body) in steps {
        let turns = played.game.turns();
        assert_eq!(turns.iter().map(|turn| turn.who).collect::<Vec<_>>(), [who]);
        seen.push(played.game.status());
        send(&mut played, who, &body);
    }
    assert_eq!(seen, ["attack", "answer", "answer", "ruling", "burden", "burden_ruling"]);
    assert_eq!((played.game.status(), state(&played).exchange()), ("attack", 2));
}

#[test]
fn the_clock_remembers_at_once_for_the_accused_and_nobody_else_may() {
    let mut played = court(1);
    assert_eq!(Tribunal::alarm(state(&played)), None);
    send(&mut played, PROSECUTOR, &argue("law", ATTACK));
    let alarm = Tribunal::alarm(state(&played)).expect("it is due");
    assert_eq!((alarm.after_s, alarm.act), (0, recall()));
    assert_eq!(code(&mut played, ACCUSED, &answer("Too early.")), "NOT_YOUR_TURN");
    for actor in [ACCUSED, PROSECUTOR, BENCH, Actor::Host] {
        assert_eq!(code(&mut played, actor, &recall()), "UNKNOWN_ACTION");
    }
    for (field, value) in [
        ("struck", json!(vec!["x"; 6])),
        ("struck", json!(["x".repeat(601)])),
        ("proved", json!(vec![json!({"id": "d", "text": "x"}); 3])),
        ("proved", json!(["not an object"])),
        ("angles_used", json!(vec!["law_ruin.A1"; 257])),
    ] {
        let mut body = recall();
        body[field] = value;
        assert_eq!(code(&mut played, Actor::Clock, &body), "INVALID_BODY", "{field}");
    }
    let full = json!({
        "type": "recall", "struck": vec!["x"; 5], "proved": vec![json!({"id": "d", "text": "x"}); 2],
        "angles_used": ["law_ruin.A1"],
    });
    send(&mut played, Actor::Clock, &full);
    let memory = state(&played).phase.memory().expect("remembered");
    assert_eq!((memory.struck.len(), memory.proved.len(), memory.angles_used.len()), (5, 2, 1));
    assert_eq!(code(&mut played, Actor::Clock, &recall()), "NOT_YOUR_TURN", "once an exchange");
}

#[test]
fn refusals_come_in_order_over_seat_turn_act_fields() {
    let mut played = court(1);
    // Everything is wrong with this body: the seat is refused first, then the turn, then the act, then the field.
    let bad = json!({"type": "answer", "text": 7});
    assert_eq!(code(&mut played, Actor::Host, &bad), "NOT_SEATED");
    assert_eq!(code(&mut played, Actor::Seat(Seat(3)), &bad), "NOT_SEATED");
    assert_eq!(code(&mut played, Actor::Clock, &bad), "NOT_SEATED");
    let turn = refused(&mut played, ACCUSED, &bad);
    assert_eq!(turn.code, "NOT_YOUR_TURN");
    assert!(turn.sentence.contains("prosecutor is awaited"), "{}", turn.sentence);
    let act = refused(&mut played, PROSECUTOR, &bad);
    assert_eq!(act.code, "WRONG_ACTION");
    assert!(act.sentence.contains("you may argue"), "{}", act.sentence);
    assert_eq!(
        code(&mut played, PROSECUTOR, &json!({"type": "argue", "character_id": "law", "text": 7})),
        "INVALID_BODY"
    );
    assert_eq!(code(&mut played, PROSECUTOR, &json!({"type": "shout"})), "UNKNOWN_ACTION");
    exchange(&mut played, &rule_claim(0, "So much."));
    let act = refused(&mut played, ACCUSED, &answer("Again."));
    assert!(act.sentence.contains("prove, withdraw or defend"), "{}", act.sentence);
    let mut over = court_with(1, &json!({"case_id": "john_law", "exchanges": 1}));
    exchange(&mut over, &rule(0));
    assert_eq!(code(&mut over, Actor::Host, &bad), "GAME_OVER");
}

#[test]
fn an_attack_names_a_character_and_has_20_to_600_characters() {
    let mut played = court(1);
    let unknown = refused(&mut played, PROSECUTOR, &argue("voltaire", ATTACK));
    assert_eq!(unknown.code, "UNKNOWN_CHARACTER");
    assert!(unknown.sentence.contains("law, orleans"), "{}", unknown.sentence);
    assert_eq!(code(&mut played, PROSECUTOR, &json!({"type": "argue", "text": ATTACK})), "INVALID_BODY");
    for (len, fits) in [(19, false), (20, true), (600, true), (601, false)] {
        let mut played = court(1);
        let said = played.send(PROSECUTOR, &argue("orleans", &"가".repeat(len)));
        assert_eq!(said.is_ok(), fits, "{len}");
    }
}

#[test]
fn a_trial_is_opened_by_its_prosecutor_before_the_first_argument_or_never() {
    let open = json!({"type": "open_trial"});
    let mut played = court(1);
    assert_eq!(code(&mut played, ACCUSED, &open), "NOT_YOUR_TURN");
    assert_eq!(code(&mut played, BENCH, &open), "NOT_YOUR_TURN");
    send(&mut played, PROSECUTOR, &open);
    assert!(state(&played).open);
    assert_eq!(code(&mut played, PROSECUTOR, &open), "ALREADY_OPEN");
    let mut late = court(1);
    send(&mut late, PROSECUTOR, &argue("law", ATTACK));
    assert_eq!(code(&mut late, PROSECUTOR, &open), "TOO_LATE");
    exchange(&mut court(1), &rule(0));
    let mut later = court(1);
    exchange(&mut later, &rule(0));
    assert_eq!(code(&mut later, PROSECUTOR, &open), "TOO_LATE");
}

// ---- the bench ----

#[test]
fn a_ruling_moves_up_to_twelve_either_way_and_says_why() {
    for (shift, fits) in [
        (json!(-12), true),
        (json!(12), true),
        (json!("7"), true),
        (json!(13), false),
        (json!(-13), false),
        (json!(1.5), false),
        (json!(null), false),
    ] {
        let mut played = court(1);
        heard(&mut played);
        let mut body = rule(0);
        body["jury_shift"] = shift.clone();
        assert_eq!(played.send(BENCH, &body).is_ok(), fits, "{shift}");
    }
    let mut played = court(1);
    heard(&mut played);
    for (field, value) in
        [("reasons", json!("")), ("reasons", json!("x".repeat(301))), ("extraordinary", json!("maybe"))]
    {
        let mut body = rule(0);
        body[field] = value;
        assert_eq!(code(&mut played, BENCH, &body), "INVALID_BODY", "{field}");
    }
    assert_eq!(
        code(&mut played, BENCH, &json!({"type": "rule", "jury_shift": 1, "reasons": "x", "extraordinary": true})),
        "INVALID_BODY"
    );
    send(
        &mut played,
        BENCH,
        &json!({"type": "rule", "jury_shift": "1", "extraordinary": "false", "reasons": "As forms send it."}),
    );
}

#[test]
fn marks_without_a_letter_or_a_digit_are_no_words() {
    let mut played = court(1);
    for text in ["!".repeat(30), "… — … ".repeat(9), "🔥".repeat(20)] {
        assert_eq!(code(&mut played, PROSECUTOR, &argue("law", &text)), "INVALID_BODY", "{text}");
    }
    send(&mut played, PROSECUTOR, &argue("law", &format!("1720{}", "!".repeat(30))));
    send(&mut played, Actor::Clock, &recall());
    assert_eq!(code(&mut played, ACCUSED, &answer("…")), "INVALID_BODY");
    send(&mut played, ACCUSED, &answer("아니오."));
}

#[test]
fn the_bench_quotes_the_attack_or_the_answer_and_invents_nothing() {
    for (passage, fits) in [
        ("everybody who has come", true),
        ("It is not so", true),
        ("", true),
        ("It is so", false),
        ("x".repeat(201).as_str(), false),
    ] {
        let mut played = court(1);
        heard(&mut played);
        let mut body = rule(1);
        body["passage"] = passage.into();
        assert_eq!(played.send(BENCH, &body).is_ok(), fits, "{passage}");
    }
}

// ---- the burden ----

/// A trial in which Law has to meet the burden of a claim and the jury has not moved yet.
fn burdened(number: u64) -> Played<Tribunal> {
    let mut played = court(number);
    exchange(&mut played, &rule_claim(1, "The like was never seen."));
    played
}

#[test]
fn a_claim_is_proved_withdrawn_or_struck_and_the_jury_moves_by_both_rulings() {
    let proves = (ACCUSED, prove(json!(["E1"])));
    let defends = (ACCUSED, defend());
    let ruled = |verdict: &str| (BENCH, rule_burden(verdict));
    let ends = [
        (vec![proves.clone(), ruled("proved")], Fate::Proved, 1 - 6, "proved", 0),
        (vec![proves, ruled("failed")], Fate::Failed, 1 + 4, "struck", 15),
        (vec![(ACCUSED, json!({"type": "withdraw"}))], Fate::Withdrawn, 1 + 2, "withdrawn", 13),
        (vec![defends.clone(), ruled("proved")], Fate::Proved, 1 - 6, "proved", 0),
        (vec![defends, ruled("failed")], Fate::Failed, 1 + 4, "struck", 15),
    ];
    for (steps, met, shift, status, ia) in ends {
        let mut played = burdened(1);
        let before = sum(&played);
        assert_eq!(state(&played).commitments[0].status(), "claimed");
        for (who, body) in steps {
            send(&mut played, who, &body);
        }
        let closed = &state(&played).closed[0];
        assert_eq!((closed.heard.burden.map(|(_, verdict)| verdict), closed.shift), (Some(met), shift), "{status}");
        assert_eq!(sum(&played) - before, i32::from(shift));
        assert_eq!(closed.moved.len(), usize::from(shift.unsigned_abs()));
        assert_eq!((state(&played).commitments[0].status(), state(&played).ia), (status, ia));
    }
}

#[test]
fn the_bench_rules_proved_or_failed_and_nobody_else_withdraws() {
    let mut played = burdened(1);
    send(&mut played, ACCUSED, &defend());
    for verdict in [json!("withdrawn"), json!("PROVED"), json!(null), json!(1)] {
        let body = json!({"type": "rule_burden", "verdict": verdict, "reasons": "x"});
        assert_eq!(code(&mut played, BENCH, &body), "INVALID_VERDICT", "{verdict}");
    }
    assert_eq!(code(&mut played, BENCH, &json!({"type": "rule_burden", "verdict": "proved"})), "INVALID_BODY");
}

#[test]
fn a_proof_cites_one_to_four_facts_that_the_character_may_cite() {
    let mut played = burdened(1);
    let own = state(&played).attacked().expect("attacked").evidence.clone();
    let foreign = state(&played).case.as_ref().expect("dealt").record.iter().find(|fact| !own.contains(&fact.id));
    let foreign = foreign.expect("it may not cite everything").id.clone();
    for id in [foreign.as_str(), "E99", "nonsense"] {
        let unknown = refused(&mut played, ACCUSED, &prove(json!([own[0], id])));
        assert_eq!(unknown.code, "UNKNOWN_EVIDENCE");
        assert!(
            unknown.sentence.contains(&own.join(", ")) && unknown.sentence.contains("John Law"),
            "{}",
            unknown.sentence
        );
    }
    for wrong in [json!([]), json!(null), json!(7), json!([7]), json!(own[..5])] {
        assert_eq!(code(&mut played, ACCUSED, &prove(wrong.clone())), "INVALID_BODY", "{wrong}");
    }
    for wrong in [json!([7]), json!(7)] {
        let sentence = refused(&mut played, ACCUSED, &prove(wrong)).sentence;
        let says = ["\"evidence\"", "a list of 1 to 4 strings", own[0].as_str()];
        assert!(says.iter().all(|part| sentence.contains(part)) && !sentence.contains("not a list"), "{sentence}");
    }
    for fits in [json!(own[0]), json!([own[0]]), json!(own[..4]), json!([own[1], own[1], own[1], own[1], own[1]])] {
        let mut played = burdened(1);
        send(&mut played, ACCUSED, &prove(fits));
    }
    assert_eq!(code(&mut played, ACCUSED, &json!({"type": "prove", "evidence": [own[0]]})), "INVALID_BODY", "no words");
    assert_eq!(code(&mut played, ACCUSED, &json!({"type": "defend"})), "INVALID_BODY", "no words");
    let empty = refused(&mut played, ACCUSED, &json!({"type": "withdraw", "text": " "})).sentence;
    assert!(empty.contains("\"text\"") && empty.contains("1 to 600") && empty.contains("leave it out"), "{empty}");
}

#[test]
fn an_angle_must_be_the_characters_own_and_an_inspiration_remembered() {
    let mut played = court(1);
    send(&mut played, PROSECUTOR, &argue("law", ATTACK));
    send(&mut played, Actor::Clock, &json!({"type": "recall", "proved": [{"id": "d7", "text": "It held."}]}));
    send(&mut played, ACCUSED, &answer("It is not so."));
    send(&mut played, BENCH, &rule_claim(0, "So much."));
    let with = |field: &str, value: &str| {
        let mut body = defend();
        body[field] = value.into();
        body
    };
    let (angle, words) = mind_angle();
    let (temptation, _) = angle.rsplit_once('.').expect("a name");
    for wrong in [format!("{temptation}.A99"), "A1".to_owned(), "orleans_tyrant.A1".to_owned()] {
        assert_eq!(code(&mut played, ACCUSED, &with("angle", &wrong)), "UNKNOWN_ANGLE", "{wrong}");
    }
    assert_eq!(code(&mut played, ACCUSED, &with("inspired_by", "d8")), "UNKNOWN_DEFENSE");
    assert_eq!(code(&mut played, ACCUSED, &with("angle", &angle)), "UNKNOWN_ANGLE", "named beside other words");
    let mut body = with("angle", &angle);
    body["text"] = words.into();
    body["inspired_by"] = "d7".into();
    send(&mut played, ACCUSED, &body);
    let defense = state(&played).phase.heard().and_then(|heard| heard.defense.clone()).expect("defended");
    assert_eq!((defense.angle, defense.inspired_by), (Some(angle), Some("d7".to_owned())));
}

/// One of John Law's angles and its words, as his house mind gives them.
fn mind_angle() -> (String, String) {
    let act = super::tribunal_mind::sprung(0, "en", "john_law", "law", &recall());
    let field = |name: &str| act[name].as_str().expect("named").to_owned();
    (field("angle"), field("text"))
}

#[test]
fn what_was_struck_falls_without_a_hearing_when_it_is_claimed_again() {
    let mut played = burdened(1);
    send(&mut played, ACCUSED, &defend());
    send(&mut played, BENCH, &rule_burden("failed"));
    exchange(&mut played, &rule_claim(2, "the LIKE was never seen!"));
    let closed = &state(&played).closed[1];
    assert_eq!((closed.shift, closed.heard.defense.is_none()), (6, true));
    assert_eq!(closed.heard.burden.map(|(_, verdict)| verdict), Some(Fate::Failed));
    assert_eq!(state(&played).commitments.len(), 2);
    assert!(state(&played).commitments.iter().all(|made| made.status() == "struck"));
    // A different claim is heard, and so is one that was proved before.
    exchange(&mut played, &rule_claim(0, "Something else."));
    assert_eq!(played.game.status(), "burden");
    send(&mut played, ACCUSED, &defend());
    send(&mut played, BENCH, &rule_burden("proved"));
    exchange(&mut played, &rule_claim(0, "Something else."));
    assert_eq!(played.game.status(), "burden");
}

// ---- silence ----

#[test]
fn a_silent_seat_lets_the_trial_go_on_but_the_prosecutor_is_the_tables_business() {
    let failed = json!({"type": "MIND_FAILED"});
    let mut played = court(1);
    assert_eq!(code(&mut played, Actor::Clock, &failed), "NOT_YOUR_TURN");
    send(&mut played, PROSECUTOR, &argue("law", ATTACK));
    send(&mut played, Actor::Clock, &failed);
    assert_eq!(state(&played).phase.memory(), Some(&Memory::default()), "whoever cannot remember has nothing to");
    assert_eq!(code(&mut played, ACCUSED, &failed), "UNKNOWN_ACTION", "only the clock says so");
    send(&mut played, Actor::Clock, &failed);
    assert_eq!(played.game.status(), "ruling");
    send(&mut played, Actor::Clock, &failed);
    let closed = &state(&played).closed[0];
    assert_eq!((closed.shift, closed.heard.answer, closed.heard.burden), (0, None, None));
    exchange(&mut played, &rule_claim(1, "So much."));
    send(&mut played, Actor::Clock, &failed);
    let closed = &state(&played).closed[1];
    assert_eq!((closed.shift, closed.heard.defense.is_none()), (5, true), "a burden that is not met has failed");
    exchange(&mut played, &rule_claim(1, "Something else."));
    send(&mut played, ACCUSED, &defend());
    send(&mut played, Actor::Clock, &failed);
    assert_eq!(state(&played).closed[2].shift, 5, "and so has one that nobody rules on");
}

// ---- the end ----

#[test]
fn it_ends_after_the_last_exchange_or_when_all_twelve_lean_one_way() {
    let mut short = court_with(3, &json!({"case_id": "john_law", "exchanges": 2}));
    exchange(&mut short, &rule(0));
    assert_eq!(short.game.progress(), Progress::Playing);
    exchange(&mut short, &rule(0));
    assert_eq!(state(&short).phase, Phase::End(Verdict::Hung));
    assert_eq!(state(&short).exchange(), 2);
    for (shift, verdict, won) in [(12, Verdict::Condemned, [true, false]), (-12, Verdict::Acquitted, [false, true])] {
        let mut played = court(3);
        let mut exchanges = 0;
        while played.game.progress() == Progress::Playing {
            exchange(&mut played, &rule(shift));
            exchanges += 1;
        }
        assert!(exchanges <= 3, "all lean one way after {exchanges}");
        assert_eq!(state(&played).phase, Phase::End(verdict));
        assert_eq!(played.game.status(), "completed");
        let result = played.game.result().expect("over");
        assert_eq!((&result["verdict"], &result["exchanges"]), (&json!(verdict.word()), &json!(exchanges)));
        let standings = played.game.standings();
        assert_eq!([standings[1].won, standings[2].won], won);
        assert_eq!([standings[1].rank, standings[2].rank], won.map(|won| Some(if won { 1 } else { 2 })));
        assert_eq!(standings[1].points, state(&played).ia);
        assert!(played.game.turns().is_empty());
    }
    let standings = short.game.standings();
    assert_eq!([standings[1].rank, standings[2].rank], [Some(1), Some(1)], "a hung jury is a draw");
}

#[test]
fn a_table_starts_by_itself_when_the_third_seat_is_taken_and_not_before() {
    use engine::roster::{Holder, TableCommand, Terms};
    let setup = Tribunal::setup(&json!({})).expect("defaults");
    let id = engine::id::GameId(uuid::Uuid::from_u128(7));
    let now = engine::time::Timestamp(1_800_000_000_000);
    let (mut game, _) = Game::<Tribunal>::found(id, engine::chance::Seed::chosen("x"), setup, Terms::default(), now);
    let fill = Command::Table(TableCommand::Fill { names: vec!["The bench".into()] });
    game.apply(Actor::Host, &fill, now).expect("the house takes the first seat");
    for name in ["Ann", "Bo"] {
        assert_eq!(game.progress(), Progress::Table);
        let sit = Command::Table(TableCommand::Sit { name: name.into(), holder: Holder::Open });
        game.apply(Actor::Host, &sit, now).expect("there is room");
    }
    assert_eq!((game.progress(), game.status()), (Progress::Playing, "attack"));
}

#[test]
fn an_interns_draft_moves_half_as_many_and_pays_nothing_padded_or_not() {
    let mut played = court(4);
    let draft = view(&played, Viewer::Seat(Seat(1)))["self"]["intern"]["law"].as_str().expect("a draft").to_owned();
    let own =
        "They came with their papers to be counted, and you had crossed the border before the first of them was heard.";
    for (text, moved, paid, drafted) in [
        (draft.clone(), 2, 0, json!(true)),
        (format!("{draft} Look at what came of it."), 2, 0, json!(true)),
        (own.to_owned(), 5, 5, Value::Null),
    ] {
        let before = state(&played).ia;
        send(&mut played, PROSECUTOR, &argue("law", &text));
        send(&mut played, Actor::Clock, &recall());
        send(&mut played, ACCUSED, &answer("It is not so."));
        send(&mut played, BENCH, &rule(5));
        let log = view(&played, Viewer::Seat(Seat(1)))["exchanges_log"].clone();
        let last = log.as_array().and_then(|log| log.last()).expect("an exchange");
        assert_eq!((&last["total_shift"], &last["ia_change"]), (&json!(moved), &json!(paid)), "{text}");
        assert_eq!(state(&played).ia - before, paid, "{text}");
        let said = played.said();
        let attack = said.iter().rev().find(|entry| entry.name == "argued").expect("an attack");
        assert_eq!(attack.line.payload.as_ref().expect("told")["drafted"], drafted);
    }
}
