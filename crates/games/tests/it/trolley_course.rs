//! The course of a trolley game: deciding, scoring, handing seats over, what is announced; each test is named by the rule it checks.

use crate::trolley_table::*;
use engine::chance::Draw;
use engine::game::{Command, Progress, Recorded};
use engine::id::{Inner, Seat};
use engine::laws::{self, Played};
use engine::roster::{TableCommand, TableEvent, Terms};
use engine::rules::{Actor, Fault, Rules as _, Shape, Turn, Viewer};
use games::trolley::{Decision, Event, Roles, Trolley};
use serde_json::{Value, json};

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
    assert_eq!(sentence, "The field \"decisive_argument_id\" must be the id of an argument, not 7.");
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
            // The round on show is the present one: what is wrong is the actor or the phase.
            let named = table.refuses(actor, &with(body.clone(), "round_id", first.clone()));
            assert_eq!(named, table.refuses(actor, &body), "no round named is the present one");
            assert!(
                named.starts_with("Not in ") || named.starts_with("Agent not") || named.starts_with("Only operator")
            );
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
    // Round 2, in which one seat has argued. Each body below is also wrong in every way that is checked later.
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
    let not_text = "The field \"text\" must be a string of 1 to 500 characters, not 7.";
    let not_reason = "The field \"reason\" must be a string of up to 500 characters, not 7.";
    let not_id = "The field \"decisive_argument_id\" must be the id of an argument, not 7.";
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
