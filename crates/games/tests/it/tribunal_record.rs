//! Recorded Tribunal logs that must replay for ever, and a trial as each viewer sees it.

use crate::recorded;
use crate::tribunal_consult::consult;
use crate::tribunal_rules::{
    ACCUSED, BENCH, PROSECUTOR, answer, argue, court_with, prove, rule, rule_claim, send, view,
};
use engine::chance::Seed;
use engine::game::{Command, Game, Logged};
use engine::id::{AccountId, GameId, Seat};
use engine::laws::Played;
use engine::roster::{Holder, Lang, TableCommand, Terms};
use engine::rules::{Actor, Rules as _, Viewer};
use engine::time::Timestamp;
use games::tribunal::Tribunal;
use serde_json::{Value, json};
use std::fmt::Write as _;

#[test]
fn a_log_recorded_by_version_1_replays_for_ever() {
    recorded::record("tribunal-v1.jsonl", everything);
    let game = recorded::replays_for_ever::<Tribunal>("tribunal-v1.jsonl", ("\"exchanges\":7", "\"exchanges\":8"));
    assert_eq!(game.status(), "completed");
}

#[test]
fn a_log_with_looks_into_the_archive_replays_for_ever() {
    recorded::record("tribunal-v1-archive.jsonl", looks);
    let file = "tribunal-v1-archive.jsonl";
    let game = recorded::replays_for_ever::<Tribunal>(file, ("\"exchanges\":3", "\"exchanges\":8"));
    let state = game.state().expect("started");
    assert_eq!((game.status(), state.consulted.len(), state.closed.len()), ("completed", 2, 1));
}

/// A trial in which the prosecutor consults the archive, argues, and consults it again.
fn looks() -> (Game<Tribunal>, Seed, Vec<Logged>) {
    let mut played = court_with(77, &json!({"case_id": "john_law", "exchanges": 3}));
    send(&mut played, PROSECUTOR, &consult("law", 2));
    send(&mut played, PROSECUTOR, &argue("law", "One sentence of it is quite enough."));
    send(&mut played, Actor::Clock, &json!({"type": "recall"}));
    send(&mut played, ACCUSED, &answer("It is not so."));
    send(&mut played, BENCH, &rule(2));
    send(&mut played, PROSECUTOR, &consult("orleans", 1));
    (played.game, Seed::chosen("77"), played.log)
}

/// A trial with every event of the play that version 1 can log, but for opening the trial and consulting the archive.
fn everything() -> (Game<Tribunal>, Seed, Vec<Logged>) {
    let seed = Seed::chosen("tribunal");
    let id = GameId(uuid(7));
    let setup = Tribunal::setup(&json!({"case_id": "john_law", "lang": "ko", "exchanges": 7})).expect("on the docket");
    let terms = Terms { practice: true, lang: Lang::Ko, turn_limit_s: Some(60), ..Terms::default() };
    let mut now = Timestamp(1_800_000_000_000);
    let (mut game, first) = Game::<Tribunal>::found(id, seed, setup, terms, now);
    let mut log = vec![first];
    let table = [
        TableCommand::Fill { names: vec!["재판부".into()] },
        TableCommand::Sit { name: "아라 \"the\" 🧑‍⚖️".into(), holder: Holder::Account(AccountId(uuid(1))) },
        TableCommand::Fill { names: vec!["Yara".into()] },
    ];
    let mut apply = |actor, command: Command<_>| {
        now = Timestamp(now.0 + 1000);
        log.extend(game.apply(actor, &command, now).expect("it is awaited"));
    };
    table.into_iter().for_each(|command| apply(Actor::Host, Command::Table(command)));
    let act = |body: &Value| Command::Act(Tribunal::act(body).expect("an act"));
    let failed = json!({"type": "MIND_FAILED"});
    let attack = |number: usize| {
        argue(["law", "orleans"][number % 2], &format!("한 문장이면 충분합니다. One is quite enough. ⚖️ {number}"))
    };
    let recall = json!({
        "type": "recall", "struck": ["무너진 말."], "proved": [{"id": "d1", "text": "버틴 말."}], "angles_used": ["law_ruin.A1"],
    });
    let mut quoted = rule(3);
    quoted["passage"] = "One is quite enough".into();
    let mut inspired = prove(json!(["E1"]));
    inspired["inspired_by"] = "d1".into();
    let defend = json!({"type": "defend", "text": "그대로 섭니다."});
    let withdraw = json!({"type": "withdraw", "text": "거두겠습니다."});
    let burden = |verdict: &str| json!({"type": "rule_burden", "verdict": verdict, "reasons": "보았습니다."});
    let courses: [&[(Actor, &Value)]; 7] = [
        &[(BENCH, &quoted)],
        &[(BENCH, &rule_claim(1, "하나.")), (ACCUSED, &inspired), (BENCH, &burden("proved"))],
        &[(BENCH, &rule_claim(1, "둘.")), (ACCUSED, &defend), (BENCH, &burden("failed"))],
        &[(BENCH, &rule_claim(-1, "둘!"))],
        &[(BENCH, &rule_claim(0, "셋.")), (ACCUSED, &withdraw)],
        &[(BENCH, &rule_claim(-12, "넷.")), (Actor::Clock, &failed)],
        &[(Actor::Clock, &failed)],
    ];
    for (number, course) in courses.into_iter().enumerate() {
        apply(PROSECUTOR, act(&attack(number)));
        apply(Actor::Clock, act(&recall));
        match number {
            0 => apply(ACCUSED, Command::StandIn(Tribunal::act(&answer("그렇지 않습니다.")).expect("an act"))),
            6 => apply(Actor::Clock, act(&failed)),
            _ => apply(ACCUSED, act(&answer("그렇지 않습니다."))),
        }
        course.iter().for_each(|(who, body)| apply(*who, act(body)));
    }
    (game, seed, log)
}

fn uuid(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | number)
}

#[test]
fn a_closed_trial_shows_its_seats_the_words_and_everybody_what_came_of_them() {
    let mut told = String::new();
    let mut played = court_with(12, &json!({"case_id": "john_law", "exchanges": 2}));
    tell(&mut told, &played, "the court opens", 2);
    let steps = [
        (PROSECUTOR, argue("law", "SECRET attack upon the honour of this man.")),
        (Actor::Clock, json!({"type": "recall", "struck": ["SECRET memory"]})),
        (ACCUSED, answer("SECRET answer of his own making.")),
        (BENCH, rule_claim(2, "SECRET claim.")),
        (ACCUSED, json!({"type": "prove", "text": "SECRET proof.", "evidence": ["E1"]})),
        (BENCH, json!({"type": "rule_burden", "verdict": "failed", "reasons": "SECRET reasons."})),
    ];
    for (who, body) in steps {
        let rows = played.log.len();
        send(&mut played, who, &body);
        let rows = played.log.len() - rows;
        tell(&mut told, &played, &format!("{who:?} {}", body["type"].as_str().expect("a type")), rows);
        let public = String::from_utf8(played.channels(Viewer::Spectator)).expect("text");
        assert!(!public.contains("SECRET"), "{public}");
        let own = String::from_utf8(played.channels(Viewer::Seat(Seat(1)))).expect("text");
        assert!(own.contains("SECRET attack") && !own.contains("SECRET memory"));
    }
    insta::assert_snapshot!("tribunal_closed", told);
}

/// Writes down what a spectator sees, and where the view of each seat differs.
fn tell(told: &mut String, played: &Played<Tribunal>, what: &str, rows: usize) {
    let seen = |viewer| {
        let mut view = view(played, viewer);
        // Shortened: the case fills pages, and the intern's drafts change with the case files.
        view["case"] = view["case"]["case_id"].clone();
        if let Some(intern) = view["self"].get_mut("intern") {
            *intern = intern.as_object().map_or(0, serde_json::Map::len).into();
        }
        view
    };
    let public = seen(Viewer::Spectator);
    let _ = writeln!(told, "\n> {what}\n  spectator  {public}");
    for row in &played.log[played.log.len() - rows..] {
        let message = played.game.message(row.mark, &row.body, Viewer::Spectator).expect("our own row");
        let line = row
            .line
            .as_ref()
            .map(|line| (line.seen_by, line.text.as_deref(), line.payload.as_ref().map(Value::to_string)));
        let _ = writeln!(told, "  row        {} {}\n             line {line:?}", row.name, json!(message));
    }
    for (seat, role) in ["bench", "prosecutor", "accused"].into_iter().enumerate() {
        let own = seen(Viewer::Seat(Seat::at(seat)));
        let fields = own.as_object().into_iter().flatten();
        let other = fields.filter(|(field, value)| public[field.as_str()] != **value);
        let other: Vec<String> = other.map(|(field, value)| format!("{field} {value}")).collect();
        let _ = writeln!(told, "  {role:<10} {}", other.join(", "));
    }
}
