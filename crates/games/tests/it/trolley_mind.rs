//! The house mind of the trolley: its library, its manners, and whether what is said changes the outcome.

use crate::trolley_table::{Table, argument, play_event};
use engine::chance::Draw;
use engine::game::Game;
use engine::id::{Inner, Seat, Seq};
use engine::parts::transcript::{Entry, Line, SeenBy};
use engine::roster::{Lang, NAME_LEN_MAX, TableCommand, Terms};
use engine::rules::{Actor, MindKey, Rules as _};
use games::names::house_names;
use games::trolley::{Decision, Event, Role, State, TEXT_LEN_MAX, Trolley};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const LANGS: [Lang; 2] = [Lang::En, Lang::Ko];
const STEPS: [&str; 3] = ["opening", "answer", "appeal"];
const SLOGAN: &str = "Save us!";

// ---- the library ----

fn library(lang: Lang) -> Value {
    let text = match lang {
        Lang::En => include_str!("../../../../briefs/trolley/house.en.json"),
        Lang::Ko => include_str!("../../../../briefs/trolley/house.ko.json"),
    };
    serde_json::from_str(text).expect("the library is JSON")
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().expect("an object").keys().cloned().collect()
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// Every line with its side, angle and step.
fn lines(library: &Value) -> Vec<(Role, String, &'static str, String)> {
    let mut lines = vec![];
    for (role, side) in [(Role::Majority, "majority"), (Role::Minority, "minority")] {
        for angle in keys(&library[side]) {
            for step in STEPS {
                let of_step = texts(&library[side][&angle][step]);
                lines.extend(of_step.into_iter().map(|line| (role, angle.clone(), step, line)));
            }
        }
    }
    lines
}

fn slots(line: &str) -> BTreeSet<&str> {
    line.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest)).collect()
}

#[test]
fn the_library_has_the_same_angles_in_both_languages_and_enough_lines_for_each() {
    let [english, korean] = LANGS.map(library);
    for part in ["majority", "minority", "points", "reasons", "weak"] {
        assert_eq!(keys(&english[part]), keys(&korean[part]), "{part}");
    }
    for (lang, library) in LANGS.into_iter().zip([&english, &korean]) {
        let (many, few) = (keys(&library["majority"]), keys(&library["minority"]));
        assert!(many.len() >= 8 && few.len() >= 8 && many.is_disjoint(&few), "{lang:?}");
        for angle in many.union(&few) {
            assert!(library["points"][angle].as_str().is_some_and(|point| !point.is_empty()), "{lang:?} {angle}");
            assert!(texts(&library["reasons"][angle]).len() >= 3, "{lang:?} reasons of {angle}");
            let side = if many.contains(angle) { "majority" } else { "minority" };
            for step in STEPS {
                assert!(texts(&library[side][angle][step]).len() >= 5, "{lang:?} {angle} {step}");
            }
        }
        for part in ["nobody", "silence", "against"] {
            assert!(texts(&library["reasons"][part]).len() >= 3, "{lang:?} {part}");
        }
        for part in ["unheard", "nonsense", "granted"] {
            assert!(texts(&library[part]).len() >= 6, "{lang:?} {part}");
        }
        let all: Vec<String> = lines(library).into_iter().map(|(.., line)| line).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{lang:?}: no line stands twice");
        let names: BTreeSet<&str> = house_names(lang).into_iter().collect();
        assert_eq!(names.len(), house_names(lang).len(), "{lang:?}: no name stands twice");
        assert!(names.len() >= 48, "{lang:?}: a table of 50 with two people needs so many");
    }
}

#[test]
fn a_line_has_only_slots_that_can_be_filled_where_it_stands_and_room_for_the_longest_names() {
    for lang in LANGS {
        let library = library(lang);
        let point = texts(&json!(library["points"].as_object().expect("an object").values().collect::<Vec<_>>()));
        let longest = point.iter().max_by_key(|point| point.chars().count()).expect("there are points");
        let name = "n".repeat(NAME_LEN_MAX);
        for (_, angle, step, line) in lines(&library) {
            let known: &[&str] = match step {
                "answer" => &["operator", "us", "them", "rival", "point"],
                _ => &["operator", "us", "them"],
            };
            let slots = slots(&line);
            assert_eq!(slots.contains("point"), step == "answer", "an answer says what it answers: {line}");
            assert!(slots.iter().all(|slot| known.contains(slot)), "{lang:?} {angle} {step}: {line}");
            let filled = slots.iter().fold(line.clone(), |line, slot| match *slot {
                "operator" | "rival" => line.replace(&format!("{{{slot}}}"), &name),
                "point" => line.replace("{point}", longest),
                _ => line.replace(&format!("{{{slot}}}"), "50"),
            });
            assert!(filled.chars().count() <= TEXT_LEN_MAX, "{lang:?} {angle} {step} would be cut: {line}");
        }
        for (angle, reasons) in library["reasons"].as_object().expect("an object") {
            for reason in texts(reasons) {
                let known = if ["nobody", "silence"].contains(&angle.as_str()) { &[][..] } else { &["speaker"] };
                assert!(slots(&reason).iter().all(|slot| known.contains(slot)), "{lang:?} {angle}: {reason}");
            }
        }
    }
}

/// An operator that hears a single line of the library gives a reason that belongs to the line's angle.
#[test]
fn every_line_of_the_library_is_understood_by_an_operator_as_the_angle_it_stands_under() {
    let (mut misread, mut all) = (vec![], 0);
    for lang in LANGS {
        let library = library(lang);
        let table = table(1, lang, 6);
        let state = table.game.state().expect("started");
        for (role, angle, step, line) in lines(&library) {
            let seats = if role == Role::Majority { state.roles.majority } else { state.roles.minority };
            let seat = seats.iter().next().expect("both sides have somebody");
            let filled = ["operator", "us", "them", "rival", "point"];
            let text = filled.iter().fold(line.clone(), |text, slot| text.replace(&format!("{{{slot}}}"), "7"));
            let reasons = texts(&library["reasons"][&angle]);
            let understood = (0..20).any(|number| {
                let body = judge(&table, &[speech(state, 900, seat, &text)], number);
                let reason = body["reason"].as_str().unwrap_or("").to_owned();
                reasons.iter().any(|known| known.replace("{speaker}", table.game.roster().name(seat)) == reason)
            });
            all += 1;
            if !understood {
                misread.push(format!("{lang:?} {angle} {step}: {line}"));
            }
        }
    }
    // An ear of a hundred kilobytes mishears a line now and then, even one of the house's own.
    assert!(misread.len() * 20 <= all, "{} of {all} lines are not understood:\n{}", misread.len(), misread.join("\n"));
}

fn speech(state: &State, seq: u64, seat: Seat, text: &str) -> Entry {
    let line = Line {
        seat: Some(seat),
        round: Some(state.round),
        phase: Some("phase_1".into()),
        text: Some(text.to_owned()),
        payload: None,
        seen_by: SeenBy::All,
    };
    Entry { seq: Seq(seq), at: engine::time::Timestamp(0), name: "argument".into(), line }
}

fn key(number: u64) -> MindKey {
    MindKey { persona: Draw::from_number(number), turn: Draw::from_number(number ^ 0xffff) }
}

/// What an operator with this key decides when it has heard only `said`.
fn judge(table: &Table, said: &[Entry], number: u64) -> Value {
    let mut deciding = table.clone();
    deciding.act(Actor::Host, &json!({"type": "advance", "action": "force_decision"})).expect("it is being debated");
    let operator = deciding.game.state().expect("started").roles.operator;
    Trolley::mind(&deciding.game.hall(said), said, operator, key(number))
}

// ---- whole games ----

fn table(number: u64, lang: Lang, seats: usize) -> Table {
    let mut table = Table::laid(number, &json!({}), Terms { lang, ..Terms::default() });
    let names = house_names(lang).into_iter().map(Into::into).cycle().skip(number as usize % 40);
    table.around(TableCommand::Fill { names: names.take(seats).collect() }).expect("there is room");
    table.around(TableCommand::Start).expect("enough");
    table
}

/// Plays a game: `say` gives a side's words, or nothing to let the house mind speak.
pub fn play(number: u64, lang: Lang, seats: usize, say: impl Fn(&Table, Role) -> Option<String>) -> Table {
    let mut table = table(number, lang, seats);
    let mut draw = Draw::from_number(number);
    loop {
        let turns = table.game.turns();
        let seats: Vec<Seat> =
            turns.iter().filter_map(|turn| if let Actor::Seat(seat) = turn.who { Some(seat) } else { None }).collect();
        if turns.is_empty() {
            return table;
        }
        if seats.is_empty() {
            table.act(Actor::Host, &json!({"type": "advance", "action": "next_phase"})).expect("the round is over");
            continue;
        }
        let seat = *draw.pick(&seats);
        let role = table.game.state().and_then(|state| state.roles.of(seat)).expect("everyone has a role");
        let body = match say(&table, role).filter(|_| role != Role::Operator) {
            Some(text) => argument(&text),
            None => table.game.mind(seat, &table.said),
        };
        let refused = |refused| panic!("game {number}, {lang:?}: {body} was refused: {refused:?}");
        table.act(Actor::Seat(seat), &body).unwrap_or_else(refused);
    }
}

fn house(_: &Table, _: Role) -> Option<String> {
    None
}

pub fn events(table: &Table) -> Vec<(Seq, Event)> {
    table.log.iter().filter_map(|row| Some((row.mark.seq, play_event(row)?))).collect()
}

#[test]
fn in_300_games_of_each_language_house_minds_leave_no_slot_open_and_are_never_refused() {
    for lang in LANGS {
        let (mut spoken, mut again, mut again_by_seat, mut decisions, mut named, mut against) = (0, 0, 0, 0, 0, 0);
        for number in 0..300 {
            let table = play(number, lang, 3 + number as usize % 6, house);
            let mut sides: BTreeMap<Seq, (u32, Role)> = BTreeMap::new();
            let (mut said, mut said_by) = (BTreeSet::new(), BTreeSet::new());
            for (seq, event) in events(&table) {
                match event {
                    Event::Argued { round, seat, role, text, .. } => {
                        is_well_said(&text, number);
                        sides.insert(seq, (round, role));
                        spoken += 1;
                        again += usize::from(!said.insert(text.clone()));
                        again_by_seat += usize::from(!said_by.insert((seat, text)));
                    }
                    Event::RoundResolved { round, decision, reason, decisive, forced, .. } => {
                        is_well_said(&reason.expect("a house operator says why"), number);
                        assert!(!forced);
                        decisions += 1;
                        let saved = if decision == Decision::SaveMajority { Role::Majority } else { Role::Minority };
                        if let Some(argument) = decisive {
                            named += 1;
                            let (of, side) = sides[&argument];
                            assert_eq!(of, round, "game {number}: an argument of this round");
                            // A speech moves an operator against its own side only by granting the other side's case.
                            against += usize::from(side != saved);
                        }
                    }
                    Event::RoundOpened { .. }
                    | Event::PhaseOpened { .. }
                    | Event::DecisionAwaited { .. }
                    | Event::GameCompleted { .. } => {}
                }
            }
        }
        println!("{lang:?}: {spoken} speeches, {again} said before in the game, {again_by_seat} by the same seat");
        println!("{lang:?}: {named} of {decisions} decisions name their argument, {against} against its speaker");
        assert!(against * 20 <= decisions, "{lang:?}: {against} of {decisions} against the speaker");
        assert!(
            again_by_seat * 100 < spoken,
            "{lang:?}: {again_by_seat} of {spoken} were said by the same seat before"
        );
        assert!(again * 100 < spoken, "{lang:?}: {again} of {spoken} were said in the same game before");
        assert!(named * 10 > decisions * 7, "{lang:?}: {named} of {decisions} name the argument that moved them");
    }
}

fn is_well_said(text: &str, number: u64) {
    assert!(!text.contains(['{', '}']), "game {number}: a slot is open: {text}");
    assert!((1..=TEXT_LEN_MAX).contains(&text.chars().count()), "game {number}: too long or empty: {text}");
    let hole = ["  ", " ,", " .", " ?", " !"].iter().any(|hole| text.contains(hole));
    assert!(!hole && text.trim() == text, "game {number}: there is a hole where a slot was: {text}");
}

#[test]
fn an_answer_to_a_rival_who_made_no_point_has_no_hole_in_it() {
    for lang in LANGS {
        for number in 0..60 {
            let mute = if number % 2 == 0 { Role::Majority } else { Role::Minority };
            let table =
                play(number, lang, 3 + number as usize % 4, |_, role| (role == mute).then(|| SLOGAN.to_owned()));
            for (_, event) in events(&table) {
                if let Event::Argued { text, .. } = event {
                    is_well_said(&text, number);
                }
            }
        }
    }
}

#[test]
fn a_mind_is_a_function_of_what_it_heard_and_its_key_alone() {
    let (mut asked, mut differ) = (0, 0);
    for number in 0..20 {
        let mut table = table(number, LANGS[number as usize % 2], 5);
        for _ in 0..30 {
            let Some(Actor::Seat(seat)) = table.game.turns().first().map(|turn| turn.who) else { break };
            let said = table.said.clone();
            let hall = table.game.hall(&said);
            let body = Trolley::mind(&hall, &said, seat, key(number));
            assert_eq!(Trolley::mind(&hall, &said, seat, key(number)), body, "game {number}");
            let (snapshot, seed) = (table.game.snapshot(), engine::chance::Seed::chosen("another"));
            let copy = Game::<Trolley>::load(table.game.id, seed, &snapshot).expect("a snapshot reads back");
            let elsewhere = Trolley::mind(&copy.hall(&said), &said, seat, key(number));
            assert_eq!(elsewhere, body, "game {number}: neither the seed nor the process is heard");
            asked += 1;
            differ += usize::from(Trolley::mind(&hall, &said, seat, key(number + 1000)) != body);
            table.act(Actor::Seat(seat), &body).expect("a mind plays by the rules");
        }
    }
    assert!(differ * 10 > asked * 8, "another key gives other words, but did so only {differ} of {asked} times");
}

// ---- what is said changes the outcome ----

/// In how many of a thousand rounds `side` was saved.
fn share(games: u64, lang: Lang, side: Role, say: impl Fn(&Table, Role) -> Option<String>) -> usize {
    let played = (0..games).flat_map(|number| decisions(&play(number, lang, seats_of(number), &say)));
    let saved: Vec<bool> =
        played.map(|decision| (decision == Decision::SaveMajority) == (side == Role::Majority)).collect();
    saved.iter().filter(|saved| **saved).count() * 1000 / saved.len()
}

fn seats_of(number: u64) -> usize {
    3 + number as usize % 4
}

fn decisions(table: &Table) -> Vec<Decision> {
    let of_round = |(_, event)| if let Event::RoundResolved { decision, .. } = event { Some(decision) } else { None };
    events(table).into_iter().filter_map(of_round).collect()
}

/// Gives the words of a side that makes no argument.
type Noise = fn(&Table, Role) -> String;

fn slogan(_: &Table, _: Role) -> String {
    SLOGAN.to_owned()
}

/// The last thing the other side said.
fn copy(table: &Table, role: Role) -> String {
    let state = table.game.state().expect("started");
    let round = table.said.iter().rev().filter(|entry| entry.line.round == Some(state.round));
    let mut speeches = round.filter_map(|entry| Some((entry.line.seat?, entry.line.text.clone()?)));
    speeches.find(|(seat, _)| state.roles.of(*seat) != Some(role)).map_or_else(|| SLOGAN.into(), |(_, text)| text)
}

/// Sixty meaningless words, different ones each time.
fn wall(table: &Table, _: Role) -> String {
    let mut draw = Draw::from_number(table.game.mark().seq.0);
    let word =
        |draw: &mut Draw| (0..6).map(|_| *draw.pick(&['b', 'g', 'k', 'o', 'q', 'u', 'x', 'z'])).collect::<String>();
    (0..60).map(|_| word(&mut draw)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_side_that_argues_beats_the_side_that_repeats_a_slogan() {
    for lang in LANGS {
        for side in [Role::Majority, Role::Minority] {
            let won = share(300, lang, side, |table, role| (role != side).then(|| slogan(table, role)));
            println!("{lang:?}: {side:?} argues against a slogan and wins {won} of 1000");
            assert!(won >= 650, "{lang:?}: {side:?} argues against a slogan and wins only {won} of 1000");
        }
    }
}

#[test]
fn a_copy_and_a_wall_of_nonsense_gain_nothing_over_a_slogan() {
    let mut gains = vec![];
    for lang in LANGS {
        for side in [Role::Majority, Role::Minority] {
            // Against a side that argues, and against one that itself repeats a slogan.
            let argued = |noise: Noise| share(60, lang, side, |table, role| (role == side).then(|| noise(table, role)));
            let mute = |noise: Noise| {
                let mouth =
                    |table: &Table, role| Some(if role == side { noise(table, role) } else { slogan(table, role) });
                share(150, lang, side, mouth)
            };
            let shouted = [argued(slogan), mute(slogan)];
            for (what, noise) in [("a copy", copy as Noise), ("a wall of nonsense", wall)] {
                let noisy = [argued(noise), mute(noise)];
                println!(
                    "{lang:?} {side:?}: {what} wins {noisy:?} of 1000, a slogan {shouted:?} (against arguments, slogans)"
                );
                if noisy.iter().zip(shouted).any(|(noisy, shouted)| *noisy > shouted + 30) {
                    gains.push(format!("{lang:?} {side:?}: {what} wins {noisy:?}, a slogan {shouted:?}"));
                }
            }
        }
    }
    assert!(gains.is_empty(), "of 1000, against arguments and against slogans:\n{}", gains.join("\n"));
}

/// Both sides say the same line of the house; for the second speaker it counts for nothing.
#[test]
fn a_copy_of_an_argument_weighs_no_more_than_a_slogan() {
    for lang in LANGS {
        let table = table(1, lang, 6);
        let state = table.game.state().expect("started");
        let sides = [state.roles.majority, state.roles.minority].map(|seats| seats.iter().next().expect("somebody"));
        let line = |side: &str, angle: &str| texts(&library(lang)[side][angle]["opening"])[0].replace(['{', '}'], "");
        let orders = [
            (sides[0], sides[1], "save_minority", line("majority", "numbers")),
            (sides[1], sides[0], "save_majority", line("minority", "rights")),
        ];
        for (speaker, copier, word, argument) in orders {
            let saved = |text: &str| {
                let said = [speech(state, 900, speaker, &argument), speech(state, 901, copier, text)];
                (0..100).filter(|number| judge(&table, &said, *number)["decision"] == json!(word)).count()
            };
            let [copied, shouted] = [saved(&argument), saved(SLOGAN)];
            assert!(copied <= shouted, "{lang:?} {word}: {copied} of 100 with a copy, {shouted} with a slogan");
        }
    }
}

#[test]
fn between_house_minds_neither_side_is_favoured_at_a_table_of_any_size() {
    for lang in LANGS {
        // By number of players: how many rounds there were, and how many of them saved the majority.
        let mut by_size: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for number in 0..250 {
            let seats = seats_of(number);
            let saved = decisions(&play(number, lang, seats, house));
            let (rounds, majority) = by_size.entry(seats).or_default();
            *rounds += saved.len();
            *majority += saved.iter().filter(|decision| **decision == Decision::SaveMajority).count();
        }
        let rounds: usize = by_size.values().map(|(rounds, _)| rounds).sum();
        let overall = by_size.values().map(|(_, majority)| majority).sum::<usize>() * 1000 / rounds;
        let shares: BTreeMap<usize, usize> =
            by_size.iter().map(|(seats, (rounds, majority))| (*seats, majority * 1000 / rounds)).collect();
        println!("{lang:?}: the majority is saved in {overall} of 1000 rounds, by players {shares:?}");
        let fair = |share: &usize| (300..=700).contains(share);
        assert!(fair(&overall) && shares.values().all(fair), "{lang:?}: {overall} of 1000, by players {shares:?}");
    }
}

/// The id by which a decision names the argument is the one that the feed shows.
#[test]
fn the_argument_a_mind_names_is_one_that_was_made() {
    let table = table(1, Lang::En, 4);
    let state = table.game.state().expect("started");
    let seat = state.roles.minority.iter().next().expect("somebody");
    let text = "Nobody asked her whether she would pay with her life for theirs. You may not use one person up for the others.";
    let bodies = (0..40).map(|number| judge(&table, &[speech(state, 900, seat, text)], number));
    let id = json!(Inner::Argument.name(table.game.id, 900));
    let named = bodies.filter(|body| body["decisive_argument_id"] == id).count();
    assert!(named >= 20, "a good argument against silence was named in {named} of 40");
}
