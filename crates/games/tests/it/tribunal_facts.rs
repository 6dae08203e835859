//! What the corpus of arguments learns from each kind: every argument once, and what came of it once.

use crate::tribunal_rules::{
    self as tribunal, ACCUSED, BENCH, PROSECUTOR, court, prove, recall, rule, rule_claim, send,
};
use crate::{trial_rules, tribunal_mind};
use engine::facts::{Fact, Fate, Manner, Side};
use engine::game::Logged;
use engine::id::{Seat, Seq};
use engine::laws;
use engine::roster::Lang;
use engine::rules::Actor;
use games::mercury::Mercury;
use games::trolley::Trolley;
use serde_json::json;
use std::collections::BTreeSet;

const ATTACK: &str = "Good evening to everybody who has come here tonight.";

fn facts(log: &[Logged]) -> Vec<(Seq, Fact)> {
    log.iter().flat_map(|row| row.facts.iter().map(|fact| (row.mark.seq, fact.clone()))).collect()
}

/// The events that said something, and the speeches that were weighed.
fn said_and_weighed(log: &[Logged]) -> (Vec<Seq>, Vec<Seq>) {
    let (mut said, mut weighed) = (vec![], vec![]);
    for (seq, fact) in facts(log) {
        match fact {
            Fact::Said { .. } => said.push(seq),
            Fact::Weighed { speech, .. } => weighed.push(speech),
            Fact::Met { .. } | Fact::Shown { .. } => {}
        }
    }
    (said, weighed)
}

#[test]
fn an_exchange_of_the_tribunal_tells_what_was_said_and_what_came_of_it() {
    let mut played = court(1);
    send(&mut played, PROSECUTOR, &tribunal::argue("law", ATTACK));
    let attack = played.game.mark().seq.0 - 1;
    send(&mut played, Actor::Clock, &json!({"type": "recall", "proved": [{"id": "d7", "text": "It held."}]}));
    send(&mut played, ACCUSED, &tribunal::answer("It is not so."));
    send(&mut played, BENCH, &rule_claim(2, "So much."));
    let mut body = prove(json!(["E1", "E2"]));
    body["inspired_by"] = "d7".into();
    send(&mut played, ACCUSED, &body);
    let defense = played.game.mark().seq.0 - 1;
    send(&mut played, BENCH, &json!({"type": "rule_burden", "verdict": "failed", "reasons": "No."}));
    let told: Vec<Fact> = facts(&played.log).into_iter().map(|(_, fact)| fact).collect();
    let said = |by: u16, side, text: &str| Fact::Said {
        by: Seat(by),
        label: "the case against John Law".into(),
        case_id: "john_law".into(),
        target: "law".into(),
        side,
        text: text.into(),
        public: false,
        offered: false,
    };
    let expected = [
        said(1, Side::Attack, ATTACK),
        said(2, Side::Defense, "Here it stands."),
        Fact::Weighed { speech: Seq(attack), moved: 6, forced: true, fate: Some(Fate::Failed), brought: 16 },
        Fact::Met {
            argument: Seq(attack),
            speech: Seq(defense),
            manner: Manner::Prove,
            fate: Fate::Failed,
            claim: "said: so much".into(),
            cited: vec!["E1".into(), "E2".into()],
            angle: None,
            varies: Some("d7".into()),
        },
    ];
    assert_eq!(told, expected);
}

#[test]
fn without_a_claim_or_without_words_there_is_no_defense_to_learn_from() {
    let mut played = court(1);
    send(&mut played, PROSECUTOR, &tribunal::argue("law", ATTACK));
    send(&mut played, Actor::Clock, &recall());
    send(&mut played, ACCUSED, &tribunal::answer("It is not so."));
    send(&mut played, BENCH, &rule(-2));
    let weighed = |fact: &(Seq, Fact)| matches!(fact.1, Fact::Weighed { moved: -2, forced: false, fate: None, .. });
    assert!(facts(&played.log).iter().any(weighed));
    send(&mut played, PROSECUTOR, &tribunal::argue("law", "Something quite different about the whole affair."));
    send(&mut played, Actor::Clock, &recall());
    send(&mut played, ACCUSED, &tribunal::answer("Nor is that."));
    send(&mut played, BENCH, &rule_claim(0, "So much."));
    send(&mut played, ACCUSED, &json!({"type": "withdraw"}));
    let all = facts(&played.log);
    assert!(!all.iter().any(|(_, fact)| matches!(fact, Fact::Met { .. } | Fact::Said { side: Side::Defense, .. })));
    let last = |fact: &(Seq, Fact)| matches!(fact.1, Fact::Weighed { fate: Some(Fate::Withdrawn), .. });
    assert!(all.iter().any(last));
}

#[test]
fn in_a_whole_trial_every_attack_is_weighed_exactly_once() {
    for number in 0..40 {
        let played = tribunal_mind::play(number, Lang::En, None, |_| None);
        let (said, weighed) = said_and_weighed(&played.log);
        let attacks: Vec<Seq> = facts(&played.log)
            .into_iter()
            .filter_map(|(seq, fact)| matches!(fact, Fact::Said { side: Side::Attack, .. }).then_some(seq))
            .collect();
        assert_eq!(attacks, weighed);
        assert!(said.len() >= attacks.len());
        let named = facts(&played.log).into_iter().filter_map(|(_, fact)| match fact {
            Fact::Met { angle, speech, .. } => Some((angle.expect("the house names its angle"), speech)),
            Fact::Said { .. } | Fact::Weighed { .. } | Fact::Shown { .. } => None,
        });
        assert!(named.clone().all(|(_, speech)| said.contains(&speech)));
        let angles: Vec<String> = named.map(|(angle, _)| angle).collect();
        assert_eq!(angles.iter().collect::<BTreeSet<_>>().len(), angles.len());
    }
}

#[test]
fn counsels_speeches_in_a_trial_are_weighed_by_how_the_jury_found() {
    let mut played = trial_rules::at_the_vote(7);
    let (said, weighed) = said_and_weighed(&played.log);
    assert_eq!((said.len(), weighed.len()), (10, 0), "five speeches each, and nobody has voted");
    for (juror, verdict) in trial_rules::jurors(&played).into_iter().zip(["GUILTY", "GUILTY", "NOT_GUILTY"]) {
        played.send(juror, &trial_rules::vote(verdict)).expect("accepted");
    }
    let told = facts(&played.log);
    let (said, weighed) = said_and_weighed(&played.log);
    assert_eq!(said, weighed, "each of them once");
    for (seq, fact) in &told {
        let Fact::Said { side, target, case_id, .. } = fact else { continue };
        assert_eq!(
            (&**case_id, &**target),
            ("trial:case_002", if *side == Side::Attack { "PROSECUTOR" } else { "DEFENSE" })
        );
        let expected = if *side == Side::Attack { 1 } else { -1 };
        let weighed = |fact: &(Seq, Fact)| matches!(fact.1, Fact::Weighed { speech, moved, .. } if speech == *seq && moved == expected);
        assert!(told.iter().any(weighed), "{seq}");
    }
    let judge = trial_rules::actor(&played, games::trial::Role::Judge);
    played.send(judge, &trial_rules::speak("Guilty.")).expect("accepted");
    assert_eq!(facts(&played.log).len(), told.len(), "the end tells nothing more");
    assert!(trial_rules::state(&played).speeches.is_empty());
}

#[test]
fn in_the_trolley_the_decisive_argument_counts_and_a_forced_round_tells_nothing() {
    for number in 0..60 {
        let played = laws::replay::<Trolley>(number, &json!({"min_players": 4}), 4).expect("plays");
        for (at, row) in played.log.iter().enumerate().filter(|(_, row)| row.name == "round_resolved") {
            let told: serde_json::Value = serde_json::from_slice(&row.body).expect("JSON");
            let round = &told["play"];
            let opened = played.log[..at].iter().rposition(|row| row.name == "round_started").expect("it began");
            let (said, _) = said_and_weighed(&played.log[opened..at]);
            let weighed: Vec<(Seq, i32)> = row
                .facts
                .iter()
                .map(|fact| match fact {
                    Fact::Weighed { speech, moved, .. } => (*speech, *moved),
                    Fact::Said { .. } | Fact::Met { .. } | Fact::Shown { .. } => {
                        panic!("nothing else is told")
                    }
                })
                .collect();
            let decisive = round["decisive"].as_u64().map(Seq);
            let expected = said.iter().map(|seq| (*seq, i32::from(Some(*seq) == decisive)));
            let expected: Vec<(Seq, i32)> = if round["forced"] == true { vec![] } else { expected.collect() };
            assert_eq!(weighed, expected);
        }
    }
}

#[test]
fn a_meeting_on_mercury_teaches_the_corpus_nothing() {
    let played = laws::replay::<Mercury>(3, &json!({}), 9).expect("plays");
    assert!(played.log.iter().all(|row| row.facts.is_empty()));
}
