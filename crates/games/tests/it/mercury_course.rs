//! Whether what the player says changes what is adopted.

use engine::game::Progress;
use engine::laws::Played;
use engine::rules::Actor;
use games::mercury::{Mercury, Phase, Role};
use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Player {
    Cooperative,
    Silent,
    Stubborn,
}

/// What a cooperative player says on each issue: the option that all could live with, with something for everybody.
const OFFERS: [&str; 4] = [
    "We support 1.1, talks on a legally binding convention. Put new and predictable finance, technology transfer and capacity building into the mandate itself, respect sovereignty and domestic law, bring every large emitter in, and give developing countries differentiated timetables.",
    "We support 2.1, emissions in scope with inventories and targets. Let duties be differentiated and flexible, with national targets, laboratories, training and equipment paid for, technology transfer for coal plants, and longer timetables for those who develop.",
    "We support 3.2, an agreed list of products and processes. Let the list be reviewed and grow over time, with exemptions for essential and health uses, longer phase-out dates, affordable substitutes and help for conversion.",
    "We support 4.1, gold mining in scope with national action plans. Let each country write its own plan under its own law, with finance, clinics, credit, legal title and training for miners, and no ban on livelihoods.",
];
const AGAIN: [&str; 4] = [
    "So again: 1.1, a legally binding convention, with finance and flexibility built in, is what all six of us can carry home.",
    "So again: 2.1, emissions included with inventories and targets, each at its own pace and with help for laboratories.",
    "So again: 3.2, an agreed list, with exemptions and a review, is the middle on which we can all stand.",
    "So again: 4.1, mining included with national action plans, written at home and paid for together.",
];
const STUBBORN: [&str; 4] = [
    "We reject 1.1. We cannot accept a legally binding convention and oppose every obligation.",
    "We reject 2.1. We oppose emissions targets and timetables and cannot accept inventories.",
    "We reject 3.2. We oppose the agreed list and cannot accept any of its items.",
    "We reject 4.1. We oppose national action plans for gold mining and cannot accept them.",
];

/// Plays a whole meeting with such a player and counts the issues that were adopted.
pub fn meeting(number: u64, role: Role, player: Player) -> (usize, Played<Mercury>) {
    let mut played = Played::<Mercury>::start(number, &json!({}), 9).expect("starts");
    let mut said = [0usize; 4];
    let mut talked = 0usize;
    while played.game.progress() != Progress::Over {
        let turn = played.game.turns()[0].clone();
        let Actor::Seat(seat) = turn.who else { panic!("only seats") };
        let state = played.game.state().expect("started");
        let body = match turn.offers[0].action {
            "ROLE_CONFIRMED" => json!({"type": "ROLE_CONFIRMED", "human_role_id": role}),
            "HUMAN_OPENING_STATEMENT" => json!({"type": "ROUND_1_STEP"}),
            action @ ("CONVO_1_SELECTED" | "CONVO_2_SELECTED") => {
                let wanted = if action == "CONVO_1_SELECTED" { [Role::Chn, Role::Usa] } else { [Role::Bra, Role::Tza] };
                let partner = wanted.into_iter().find(|wanted| *wanted != role).expect("one of two");
                talked = 0;
                match player {
                    Player::Cooperative => json!({"type": action, "partner_role_id": partner}),
                    _ if action == "CONVO_2_SELECTED" => json!({"type": "CONVO_2_SKIPPED"}),
                    _ => json!({"type": action, "partner_role_id": partner}),
                }
            }
            "CONVO_MESSAGE" if player == Player::Cooperative => {
                talked += 1;
                json!({"type": "CONVO_MESSAGE", "content": if talked <= 4 { OFFERS[talked - 1] } else { AGAIN[talked % 4] }})
            }
            "CONVO_MESSAGE" => json!({"type": "CONVO_END_EARLY"}),
            "ROUND_3_START_ISSUE" => {
                let place = if player == Player::Silent { "skip" } else { "first" };
                let next = state.next_issue().map(|issue| issue.0.to_string());
                json!({"type": "ROUND_3_START_ISSUE", "issue_id": next, "human_placement": place})
            }
            "HUMAN_DEBATE_MESSAGE" => {
                let Phase::Debate { floor, .. } = &state.phase else { panic!("a debate") };
                let issue = floor.issue.index();
                said[issue] += 1;
                let text = match (player, said[issue]) {
                    (Player::Stubborn, _) => STUBBORN[issue],
                    (_, 1) => OFFERS[issue],
                    _ => AGAIN[issue],
                };
                json!({"type": "HUMAN_DEBATE_MESSAGE", "text": text})
            }
            "HUMAN_VOTE" => {
                let Phase::Voting { option, .. } = &state.phase else { panic!("a vote") };
                let stance = state.stance(role, option.issue).expect("a stance");
                let wish = stance.preferred == *option && stance.accepts(*option);
                match player {
                    Player::Cooperative => json!({"type": "HUMAN_VOTE", "vote": "YES"}),
                    Player::Silent => played.game.mind(seat, &played.said()),
                    // It votes for its preferred option and for nothing else.
                    Player::Stubborn => {
                        json!({"type": "HUMAN_VOTE", "vote": if wish { "YES" } else { "NO" }})
                    }
                }
            }
            "STATEMENT" => played.game.mind(seat, &played.said()),
            action => json!({"type": action}),
        };
        played.send(turn.who, &body).unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence));
    }
    let result: Value = played.game.result().expect("over");
    (result["adopted"].as_u64().expect("a number") as usize, played)
}

#[test]
fn a_cooperative_player_brings_more_issues_through_than_a_silent_one_and_a_stubborn_one_fewer() {
    const SEEDS: u64 = 180;
    let share = |player| {
        let adopted: usize = (0..SEEDS).map(|number| meeting(number, Role::ALL[number as usize % 9], player).0).sum();
        adopted as f64 * 100.0 / (SEEDS as f64 * 4.0)
    };
    let [cooperative, silent, stubborn] = [Player::Cooperative, Player::Silent, Player::Stubborn].map(share);
    println!("adopted: cooperative {cooperative:.1}%, silent {silent:.1}%, stubborn {stubborn:.1}%");
    assert!(cooperative >= silent + 15.0 && stubborn < silent);
    assert!(stubborn > 0.0 && cooperative < 100.0);
}
