//! The laws that every kind obeys, checked on the Mercury Game.

use engine::id::Seat;
use engine::laws::{self, Played};
use engine::rules::{Actor, Viewer};
use games::mercury::{Mercury, Phase, Role};
use serde_json::{Value, json};

const PLAYER: Actor = Actor::Seat(Seat(0));
/// An offer on every issue with something for everybody; `SMALL_TALK` has as many messages that are about no issue.
const OFFERS: [&str; 4] = [
    "We support 1.1, a legally binding convention, with new and predictable finance, technology and capacity in the mandate, sovereignty respected, and differentiated timetables.",
    "We support 2.1, emissions in scope: inventories and targets, differentiated and flexible, with laboratories, training and equipment paid for.",
    "We support 3.2, an agreed list of products, reviewed over time, with exemptions for essential medical uses and longer dates for conversion.",
    "We support 4.1, gold mining in scope with national action plans written under each country's own law, with clinics, credit, title and training.",
];
const SMALL_TALK: [&str; 4] = [
    "The weather in Geneva was lovely, and the hotel less so.",
    "Do you know a good place for noodles near the station?",
    "My daughter would have liked the fountain.",
    "They say the trams run late on Sundays.",
];
/// The most commands that may pass before either participant acts in public again.
const COMMANDS_MAX: usize = 200;

#[test]
fn a_thousand_random_meetings_replay_to_the_byte_and_refusals_change_nothing() {
    for number in 0..1_000 {
        let options = json!({"lang": if number % 2 == 0 { "en" } else { "ko" }, "helper": number % 3 == 0});
        laws::replay::<Mercury>(number, &options, 9).unwrap_or_else(|broken| panic!("meeting {number}: {broken}"));
    }
}

#[test]
fn five_hundred_meetings_show_nobody_else_a_word_of_a_private_talk() {
    in_two(500, |number| {
        laws::non_interference::<Mercury>(number, &json!({}), 9)
            .unwrap_or_else(|broken| panic!("meeting {number}: {broken}"));
    });
}

#[test]
fn a_stance_that_moved_in_private_shows_nowhere_before_a_participant_s_own_public_act() {
    let moved = std::sync::atomic::AtomicUsize::new(0);
    in_two(120, |number| {
        if moves_unseen(number) {
            moved.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let moved = moved.into_inner();
    assert!(moved > 100, "only {moved} of 120 talks moved a stance");
}

/// Plays two meetings that differ only in what is said in a private talk, up to a participant's next public act; returns whether their
/// stances came to differ.
fn moves_unseen(number: u64) -> bool {
    let (human, partner) =
        (Role::ALL[number as usize % 9], Role::ALL[(number as usize * 5 + 1 + number as usize / 9) % 9]);
    let partner = if partner == human { Role::ALL[(human.index() + 1) % 9] } else { partner };
    let mut ours = Played::<Mercury>::start(number, &json!({}), 9).expect("starts");
    let mut theirs = ours.clone();
    let (mut seen, mut said) = (ours.log.len(), 0);
    for _ in 0..COMMANDS_MAX {
        let state = ours.game.state().expect("started");
        let (offered, theirs_offered) = (ours.game.turns(), theirs.game.turns());
        assert_eq!(offered, theirs_offered, "meeting {number}");
        let turn = &offered[0];
        let (action, participants) = (turn.offers[0].action, [PLAYER, Actor::Seat(state.seat(partner))]);
        let talking = state.phase == Phase::Talking;
        let public = ["STATEMENT", "HUMAN_DEBATE_MESSAGE", "HUMAN_VOTE"].contains(&action) && !talking;
        if public && participants.contains(&turn.who) {
            let stances = |played: &Played<Mercury>| played.game.state().expect("started").stances.clone();
            return stances(&ours) != stances(&theirs);
        }
        let mind = |played: &Played<Mercury>| match turn.who {
            Actor::Seat(seat) => played.game.mind(seat, &played.said()),
            Actor::Host | Actor::Clock => panic!("only seats"),
        };
        let both = |body: Value| (body.clone(), body);
        let (ours_says, theirs_says) = match action {
            "ROLE_CONFIRMED" => both(json!({"type": action, "human_role_id": human})),
            "CONVO_1_SELECTED" => both(json!({"type": action, "partner_role_id": partner})),
            "CONVO_2_SELECTED" => both(json!({"type": "CONVO_2_SKIPPED"})),
            "CONVO_MESSAGE" if said == OFFERS.len() => both(json!({"type": "CONVO_END_EARLY"})),
            "CONVO_MESSAGE" => {
                let says = |lines: [&str; 4]| json!({"type": action, "content": lines[said]});
                let both = (says(OFFERS), says(SMALL_TALK));
                said += 1;
                both
            }
            // The player stays out of the debate, so that the partner is the first of the two to speak in public after the talk.
            "ROUND_3_START_ISSUE" => both(json!({"type": action, "issue_id": "1", "human_placement": "skip"})),
            _ => (mind(&ours), mind(&theirs)),
        };
        if !talking {
            assert_eq!(ours_says, theirs_says, "meeting {number}: {action} gives it away");
        }
        ours.send(turn.who, &ours_says).expect("it was offered");
        theirs.send(turn.who, &theirs_says).expect("it was offered");
        let others = (0..9).map(Seat).map(Actor::Seat).filter(|actor| !participants.contains(actor));
        let viewers =
            others.filter_map(|actor| if let Actor::Seat(seat) = actor { Some(Viewer::Seat(seat)) } else { None });
        for viewer in viewers.chain([Viewer::Spectator]) {
            let shown = |played: &Played<Mercury>| played.since(seen).channels(viewer);
            let (a, b) = (shown(&ours), shown(&theirs));
            assert!(
                a == b,
                "meeting {number}, {action}: {viewer:?} sees\n{}\nor\n{}",
                String::from_utf8_lossy(&a),
                String::from_utf8_lossy(&b)
            );
        }
        seen = ours.log.len();
    }
    panic!("meeting {number}: nobody spoke in public")
}

/// Runs even and odd numbers in two threads, for laws that take long.
fn in_two(count: u64, law: impl Fn(u64) + Sync) {
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| (1..count).step_by(2).for_each(&law));
        (0..count).step_by(2).for_each(&law);
        odd.join().unwrap_or_else(|broken| std::panic::resume_unwind(broken));
    });
}
