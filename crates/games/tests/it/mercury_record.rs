//! A recorded meeting log that must replay for ever.

use crate::recorded;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Progress};
use engine::id::GameId;
use engine::roster::{Holder, Lang, TableCommand, Terms};
use engine::rules::{Actor, Rules as _};
use engine::time::Timestamp;
use games::mercury::{Mercury, Role};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The events of the play that version 1 records, but for `stance_moved`, which only its first logs have.
const EVENTS: [&str; 27] = [
    "called",
    "chair",
    "debate",
    "debate_opened",
    "debate_skipped",
    "issue_closed",
    "issue_opened",
    "issue_resolved",
    "meeting_called",
    "opening",
    "openings_drawn",
    "positions_finalized",
    "proposal_opened",
    "proposed",
    "review_opened",
    "role_confirmed",
    "round_1_closed",
    "round_1_opened",
    "round_2_closed",
    "round_2_opened",
    "talk",
    "talk_closed",
    "talk_interrupted",
    "talk_opened",
    "talk_skipped",
    "voted",
    "weighed",
];

#[test]
fn a_meeting_recorded_by_version_1_replays_for_ever() {
    recorded::record("mercury-v1.jsonl", everything);
    let game = recorded::replays_for_ever::<Mercury>("mercury-v1.jsonl", ("\"helper\":true", "\"helper\":false"));
    assert_eq!(game.status(), "REVIEW");
}

#[test]
fn everything_that_version_1_records_is_in_that_meeting() {
    let (_, _, log) = everything();
    let names: BTreeSet<&str> = log.iter().map(|row| row.name).collect();
    let missing: Vec<&&str> = EVENTS.iter().filter(|name| !names.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?} never happened");
}

/// A meeting with all of `EVENTS`, in few words.
fn everything() -> (Game<Mercury>, Seed, Vec<Logged>) {
    let seed = Seed::chosen("mercury");
    let id = GameId(uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0011));
    let setup = Mercury::setup(&json!({"lang": "ko", "helper": true})).expect("both may be chosen");
    let terms = Terms { practice: true, lang: Lang::Ko, ..Terms::default() };
    let mut now = Timestamp(1_800_000_000_000);
    let (mut game, first) = Game::<Mercury>::found(id, seed, setup, terms, now);
    let mut log = vec![first];
    let sit = TableCommand::Sit { name: "아라 \"☿\"".into(), holder: Holder::Open };
    let names = ["Zeno", "Yara", "Xenia", "Wim", "Vera", "Ulla", "Tom", "Sol"].map(Into::into).to_vec();
    for command in [sit, TableCommand::Fill { names }] {
        log.extend(game.apply(Actor::Host, &Command::Table(command), now).expect("around the play"));
    }
    let mut spoken = 0;
    while game.progress() != Progress::Over {
        now = Timestamp(now.0 + 1000);
        let turn = game.turns()[0].clone();
        spoken += 1;
        let action = turn.offers[0].action;
        let body = match action {
            "ROLE_CONFIRMED" => json!({"type": action, "human_role_id": Role::Can}),
            "HUMAN_OPENING_STATEMENT" => json!({"type": action, "text": "캐나다입니다. Canada. ☿"}),
            "CONVO_1_SELECTED" => json!({"type": action, "partner_role_id": Role::Chn, "partner_starts": true}),
            "CONVO_2_SELECTED" => json!({"type": "CONVO_2_SKIPPED"}),
            "CONVO_MESSAGE" => {
                json!({"type": action, "content": format!("{spoken}: 1.1에 재원과 기술을 담으면 어떻습니까?")})
            }
            "ROUND_3_START_ISSUE" => {
                let next = game.state().and_then(|state| state.next_issue()).map(|issue| issue.0.to_string());
                json!({"type": action, "issue_id": next, "human_placement": "first"})
            }
            "HUMAN_DEBATE_MESSAGE" if spoken % 2 == 0 => json!({"type": "HUMAN_DEBATE_SKIP"}),
            "HUMAN_DEBATE_MESSAGE" => json!({"type": action, "text": "1.1과 2.1을 지지합니다."}),
            "HUMAN_VOTE" => json!({"type": action, "vote": if spoken % 2 == 0 { "YES" } else { "NO" }}),
            "STATEMENT" if spoken % 11 == 0 && game.status() != "ROUND_2_CONVERSATION_ACTIVE" => {
                log.extend(sent(&mut game, Actor::Clock, &json!({"type": "MIND_FAILED"}), now));
                continue;
            }
            "STATEMENT" => json!({"type": action, "text": format!("{spoken}.")}),
            action => json!({"type": action}),
        };
        log.extend(sent(&mut game, turn.who, &body, now));
        if action == "CONVO_MESSAGE" {
            let message = game.state().map(|state| state.messages);
            let helped = json!({"type": "HELPER_RESULT", "role_id": "CAN", "message": message, "changed": true,
                "deltas": {"1": {"acceptance": {"1.1": 0.02}, "firmness": -0.01}}, "reasons": ["heard"]});
            log.extend(sent(&mut game, Actor::Clock, &helped, now));
        }
    }
    (game, seed, log)
}

fn sent(game: &mut Game<Mercury>, actor: Actor, body: &Value, now: Timestamp) -> Vec<Logged> {
    let act = Mercury::act(body).expect("an act");
    game.apply(actor, &Command::Act(act), now).unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence))
}
