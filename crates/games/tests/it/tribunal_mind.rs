//! The house minds of the Tribunal: trials worth reading, an accused that learns, and verdicts that nobody can foresee.

use crate::tribunal_rules::{
    ACCUSED, BENCH, PROSECUTOR, answer, argue, court_with, house_court, mind, recall, send, state, view,
};
use engine::game::Progress;
use engine::id::Seat;
use engine::laws::Played;
use engine::needs::Owned;
use engine::parts::shingles::likeness;
use engine::roster::Lang;
use engine::rules::{Actor, Viewer};
use games::tribunal::{Phase, Tribunal, Verdict, docket, is_house_line};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub const LANGS: [Lang; 2] = [Lang::En, Lang::Ko];

/// Attacks by a prosecutor who has only feelings about the case.
const SLOGANS_EN: [&str; 8] = [
    "Shame on you! Everybody in this room knows exactly what you are.",
    "There is right and there is wrong, and you have always been wrong.",
    "The people demand justice, and justice has your name on it today.",
    "I look at your face and I see guilt, plain as the day.",
    "History will never forgive the likes of you, and neither shall we.",
    "How can you sleep at night? Answer me that, if you dare to.",
    "Enough excuses! A decent person would hang their head and weep.",
    "If you walk free from here, then nobody anywhere is safe again.",
];
const SLOGANS_KO: [&str; 8] = [
    "부끄러운 줄 아십시오! 여기 있는 모두가 당신이 어떤 사람인지 압니다.",
    "옳은 것은 옳고 그른 것은 그릅니다. 당신은 언제나 그른 쪽이었습니다.",
    "사람들은 정의를 바랍니다. 오늘 그 정의에는 당신의 이름이 적혀 있습니다.",
    "당신의 얼굴을 보면 죄가 훤히 보입니다. 더 말할 것이 있습니까?",
    "역사는 당신 같은 사람을 용서하지 않을 것이고 우리도 마찬가지입니다.",
    "그러고도 밤에 잠이 옵니까? 할 수 있으면 어디 한번 답해 보십시오.",
    "변명은 그만하십시오! 양심이 있다면 고개를 숙이고 울어야 합니다.",
    "당신이 여기서 풀려난다면 이제 어디에도 안전한 사람은 없습니다.",
];

pub fn slogans(lang: Lang) -> [&'static str; 8] {
    match lang {
        Lang::En => SLOGANS_EN,
        Lang::Ko => SLOGANS_KO,
    }
}

/// Plays a trial to its end: `attacks` gives the prosecutor's words, or nothing to let the house mind speak.
pub fn play(number: u64, lang: Lang, case: Option<&str>, attacks: impl Fn(usize) -> Option<Value>) -> Played<Tribunal> {
    let mut played = house_court(number, &json!({"lang": lang, "case_id": case}));
    while played.game.progress() != Progress::Over {
        let who = played.game.turns()[0].who;
        let own = (who == PROSECUTOR).then(|| attacks(state(&played).closed.len())).flatten();
        let body = own.unwrap_or_else(|| mind(&played, who));
        send(&mut played, who, &body);
    }
    played
}

fn verdict(played: &Played<Tribunal>) -> Verdict {
    match state(played).phase {
        Phase::End(verdict) => verdict,
        _ => panic!("over"),
    }
}

fn case_files(lang: Lang) -> impl Iterator<Item = (String, Value)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../briefs/tribunal");
    docket::docket().ids(lang).into_iter().map(move |id| {
        let word = if lang == Lang::En { "en" } else { "ko" };
        let text = std::fs::read_to_string(format!("{dir}/{id}.{word}.json")).expect("it ships");
        (id.to_owned(), serde_json::from_str(&text).expect("JSON"))
    })
}

#[test]
fn a_trial_between_house_minds_is_worth_reading() {
    for lang in LANGS {
        for case in docket::docket().ids(lang) {
            for number in 0..20 {
                let played = play(number, lang, Some(case), |_| None);
                let said = played.said();
                let spoken = said.iter().filter(|entry| !entry.name.contains("ruled"));
                let lines: Vec<&String> = spoken.filter_map(|entry| entry.line.text.as_ref()).collect();
                let different: BTreeSet<&&String> = lines.iter().collect();
                assert_eq!(different.len(), lines.len(), "{case} {number}: nobody says what was said: {lines:#?}");
                for text in said.iter().filter_map(|entry| entry.line.text.as_ref()) {
                    assert!(!text.contains(['{', '}']), "{text}");
                    assert!(
                        !["이(가)", "을(를)", "은(는)", "과(와)", "으로(로)"].iter().any(|pair| text.contains(pair)),
                        "{text}"
                    );
                    assert!(!text.contains("  ") && !text.starts_with(char::is_lowercase), "{text}");
                    let korean = text.chars().any(|c| ('가'..='힣').contains(&c));
                    assert_eq!(korean, lang == Lang::Ko, "{text}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_trial_and_another_seed_another() {
    let logs = [7, 7, 8].map(|number| {
        let played = play(number, Lang::En, Some("john_law"), |_| None);
        played.log.iter().map(|row| row.body.clone()).collect::<Vec<_>>()
    });
    assert_eq!(logs[0], logs[1]);
    assert_ne!(logs[0][5..], logs[2][5..]);
}

#[test]
fn between_house_minds_every_verdict_is_possible_and_no_case_is_decided_beforehand() {
    for lang in LANGS {
        let mut all: BTreeMap<Verdict, usize> = BTreeMap::new();
        let cases = docket::docket().ids(lang);
        for case in &cases {
            let mut found: BTreeMap<Verdict, usize> = BTreeMap::new();
            for number in 0..250 {
                *found.entry(verdict(&play(number, lang, Some(case), |_| None))).or_default() += 1;
            }
            println!("{lang:?} {case}: of 250 {found:?}");
            assert!(found.len() == 3 && found.values().all(|count| *count >= 5), "{lang:?} {case}: {found:?}");
            found.into_iter().for_each(|(verdict, count)| *all.entry(verdict).or_default() += count);
        }
        println!("{lang:?}: of {} {all:?}", 250 * cases.len());
        assert!(all.values().all(|count| *count >= 100), "{lang:?}: each at least a tenth of a thousand: {all:?}");
    }
}

#[test]
fn an_argument_from_the_record_beats_a_slogan_by_far() {
    for lang in LANGS {
        let mut shifts = [0_i32; 2];
        let mut exchanges = [0_i32; 2];
        let mut ends = [[0; 3]; 2];
        for number in 0..500 {
            let cases = docket::docket().ids(lang);
            let case = cases[number as usize % cases.len()];
            let lines = by_the_record(lang, case);
            let character = lines[0].0.clone();
            let record = play(number, lang, Some(case), |turn| {
                let (character, text) = &lines[(number as usize / cases.len() + turn) % lines.len()];
                Some(argue(character, text))
            });
            let slogan = play(number, lang, Some(case), |turn| Some(argue(&character, slogans(lang)[turn])));
            for (place, played) in [record, slogan].iter().enumerate() {
                shifts[place] += state(played).closed.iter().map(|closed| i32::from(closed.shift)).sum::<i32>();
                exchanges[place] += state(played).closed.len() as i32;
                ends[place][verdict(played) as usize] += 1;
            }
        }
        let mean = |place: usize| f64::from(shifts[place]) / f64::from(exchanges[place]);
        println!("{lang:?}: record {:.2} jurors an exchange, {:?} condemned, acquitted, hung of 500", mean(0), ends[0]);
        println!("{lang:?}: slogan {:.2} jurors an exchange, {:?}", mean(1), ends[1]);
        assert!(mean(0) - mean(1) >= 2.0);
        assert!(ends[0][0] >= 300, "the record condemns: {:?}", ends[0]);
        assert!(ends[1][0] == 0, "a slogan condemns nobody: {:?}", ends[1]);
    }
}

/// One line on each subject of a case, traps included: the attacks of a prosecutor who knows the record and never repeats a point.
fn by_the_record(lang: Lang, case: &str) -> Vec<(String, String)> {
    let (_, file) = case_files(lang).find(|(id, _)| id == case).expect("there");
    let mut seen = BTreeSet::new();
    let attacks = file["attacks"].as_array().expect("a list").iter();
    let fresh = attacks.filter(|attack| seen.insert(format!("{} {}", attack["presses"], attack["cites"])));
    let line = |attack: &Value| {
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        (text(&attack["character"]), text(&attack["lines"][0]))
    };
    fresh.map(line).collect()
}

// ---- the accused learns ----

/// What the accused does about its burden after the trap for this character, with this memory; null if it was not tempted.
pub fn sprung(number: u64, lang: &str, case: &str, character: &str, memory: &Value) -> Value {
    let played = trapped(number, lang, case, character, 0, memory);
    if played.game.status() == "burden" { mind(&played, ACCUSED) } else { Value::Null }
}

/// A trial just after the bench has ruled on the trap for this character.
fn trapped(number: u64, lang: &str, case: &str, character: &str, line: usize, memory: &Value) -> Played<Tribunal> {
    let tongue = if lang == "en" { Lang::En } else { Lang::Ko };
    let (_, file) = case_files(tongue).find(|(id, _)| id == case).expect("there");
    let attacks = file["attacks"].as_array().expect("a list").iter();
    let trap = attacks.clone().find(|attack| attack["character"] == character && !attack["presses"].is_null());
    let text = trap.expect("every character has one")["lines"][line].as_str().expect("a line").to_owned();
    let mut played = house_court(number, &json!({"lang": lang, "case_id": case}));
    send(&mut played, PROSECUTOR, &argue(character, &text));
    send(&mut played, Actor::Clock, memory);
    for who in [ACCUSED, BENCH] {
        let body = mind(&played, who);
        send(&mut played, who, &body);
    }
    played
}

/// What came of one play of an attack.
struct Play {
    /// The angle of the defense, what became of the claim, and the words; nothing if the trap did not trigger.
    met: Option<(String, String, String)>,
    shift: i8,
}

/// Plays the same attack again and again; the accused remembers what came of each defense as the corpus would.
fn plays(lang: &str, case: &str, character: &str, count: u64) -> Vec<Play> {
    let (mut struck, mut proved, mut used): (Vec<String>, Vec<Value>, Vec<String>) = (vec![], vec![], vec![]);
    let mut told = Vec::new();
    for number in 0..count {
        let last = |list: &[Value], most: usize| list[list.len().saturating_sub(most)..].to_vec();
        let struck_values: Vec<Value> = struck.iter().map(|text| json!(text)).collect();
        let memory = json!({
            "type": "recall", "struck": last(&struck_values, 5), "proved": last(&proved, 2), "angles_used": used,
        });
        let mut played = trapped(number, lang, case, character, 0, &memory);
        if played.game.status() != "burden" {
            assert!(state(&played).commitments.is_empty(), "nothing triggers");
            told.push(Play { met: None, shift: state(&played).closed[0].shift });
            continue;
        }
        let act = mind(&played, ACCUSED);
        let field = |name: &str| act[name].as_str().unwrap_or_default().to_owned();
        let (angle, text) = (field("angle"), field("text"));
        send(&mut played, ACCUSED, &act);
        if played.game.status() == "burden_ruling" {
            let ruled = mind(&played, BENCH);
            send(&mut played, BENCH, &ruled);
        }
        let status = state(&played).commitments[0].status();
        match status {
            "proved" => {
                let inspired = act.get("inspired_by").is_some();
                assert_eq!(inspired, !proved.is_empty(), "what was proved is varied, and owned up to");
                proved.push(json!({"id": format!("d{number}"), "text": text}));
            }
            "struck" => struck.push(text.clone()),
            _ => {}
        }
        used.push(angle.clone());
        told.push(Play { met: Some((angle, status.to_owned(), text)), shift: state(&played).closed[0].shift });
    }
    told
}

/// Two characters of every case.
const ACCUSED_OF: [(&str, &str); 8] = [
    ("john_law", "law"),
    ("john_law", "orleans"),
    ("john_locke", "locke"),
    ("john_locke", "shaftesbury"),
    ("robert_clive", "clive"),
    ("robert_clive", "sulivan"),
    ("thomas_midgley", "midgley"),
    ("thomas_midgley", "kettering"),
];

#[test]
fn the_same_attack_twenty_times_meets_fourteen_defenses_each_better_than_those_before_and_then_none() {
    for lang in ["en", "ko"] {
        for (case, character) in ACCUSED_OF {
            let told = plays(lang, case, character, 20);
            let met: Vec<_> = told.iter().map_while(|play| play.met.as_ref()).collect();
            assert_eq!(met.len(), 14, "{lang} {case}: once for each angle");
            assert!(told[14..].iter().all(|play| play.met.is_none()), "{lang} {case}: and nothing triggers again");
            let angles: BTreeSet<&String> = met.iter().map(|(angle, _, _)| angle).collect();
            assert_eq!(angles.len(), 14, "{lang} {case}: none twice");
            let ends: Vec<&str> = met.iter().map(|(_, status, _)| status.as_str()).collect();
            assert_eq!(ends[0], "struck", "{lang} {case}: who has not been burnt bluffs");
            assert_eq!(ends[1..3], ["withdrawn", "withdrawn"], "{lang} {case}: who has gives up");
            assert_eq!(ends[3..], ["proved"; 11], "{lang} {case}: and then learns what holds");
            for (place, (_, _, text)) in met.iter().enumerate() {
                let alike = met[..place].iter().find(|(_, _, before)| likeness(text, before).is_at_least(50));
                assert!(alike.is_none(), "{lang} {case}: too close to {alike:?}: {text}");
            }
        }
    }
}

/// Effectiveness after each use, as the corpus works it out.
fn course(told: &[Play]) -> Vec<f64> {
    let mut known = 0.5;
    let after = told.iter().map(|play| {
        let landed = play.met.as_ref().is_some_and(|(_, status, _)| status != "proved");
        let points = f64::from(u8::from(landed)) + 0.5 * f64::from(u8::from(play.met.is_some()));
        known = 0.75 * known + 0.25 * (points + f64::from(play.shift) / 12.0).clamp(0.0, 1.0);
        known
    });
    after.collect()
}

#[test]
fn the_effectiveness_of_an_attack_that_is_made_again_and_again_falls() {
    for lang in ["en", "ko"] {
        for (case, character) in ACCUSED_OF {
            let told = plays(lang, case, character, 50);
            let course = course(&told);
            let shown: Vec<String> = course.iter().map(|known| format!("{known:.2}")).collect();
            println!("{lang} {case} {character}: {}", shown.join(" "));
            assert!(course[2..14].windows(2).all(|pair| pair[1] < pair[0]), "{lang} {case} {character}: {shown:?}");
            // An attack that triggers nothing any more is worth the jurors it moves, like any plain argument, and no more.
            let plain = told[14..].iter().map(|play| f64::from(play.shift) / 12.0).fold(0.0, f64::max);
            assert!(course[14..].iter().all(|known| *known <= course[13].max(plain)), "{shown:?} {plain}");
            assert!(course[4..].iter().all(|known| *known < course[0]) && plain < 0.5, "{shown:?} {plain}");
        }
    }
}

#[test]
fn a_defense_too_close_to_a_struck_one_is_not_tried_though_its_angle_was_never_named() {
    let act = sprung(3, "en", "john_law", "law", &recall());
    let memory = json!({"type": "recall", "struck": [act["text"].as_str().expect("words").to_uppercase()]});
    let other = sprung(3, "en", "john_law", "law", &memory);
    assert_ne!(act["angle"], other["angle"]);
}

#[test]
fn what_is_settled_in_a_trial_is_not_claimed_in_it_again() {
    let mut played = trapped(1, "en", "john_law", "law", 0, &recall());
    assert_eq!(played.game.status(), "burden");
    send(&mut played, ACCUSED, &json!({"type": "withdraw"}));
    let (_, file) = case_files(Lang::En).next().expect("john_law");
    let again = file["attacks"][0]["lines"][1].as_str().expect("a second line on the same");
    send(&mut played, PROSECUTOR, &argue("law", again));
    send(&mut played, Actor::Clock, &recall());
    for who in [ACCUSED, BENCH] {
        let body = mind(&played, who);
        send(&mut played, who, &body);
    }
    assert_eq!((state(&played).commitments.len(), played.game.status()), (1, "attack"));
}

// ---- the intern ----

#[test]
fn the_intern_drafts_for_the_prosecutor_alone_and_never_what_was_said() {
    for lang in LANGS {
        let mut played = court_with(4, &json!({"lang": lang, "case_id": "john_law", "open": true}));
        let mut drafts = BTreeSet::new();
        while played.game.progress() != Progress::Over {
            let own = view(&played, Viewer::Seat(Seat(1)))["self"]["intern"].clone();
            for viewer in [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(2))] {
                let other = view(&played, viewer)["self"].get("intern").cloned().unwrap_or(json!({}));
                assert_eq!(other, json!({}), "{viewer:?}");
            }
            let attacking = matches!(state(&played).phase, Phase::Attack);
            assert_eq!(own.as_object().expect("an object").len(), if attacking { 2 } else { 0 });
            if attacking {
                assert_eq!(own, view(&played, Viewer::Seat(Seat(1)))["self"]["intern"], "it does not change its mind");
                let draft = own["law"].as_str().expect("one for each").to_owned();
                assert!(drafts.insert(draft.clone()), "said already: {draft}");
                send(&mut played, PROSECUTOR, &argue("law", &draft));
            } else {
                let who = played.game.turns()[0].who;
                let body = mind(&played, who);
                send(&mut played, who, &body);
            }
        }
        let sources: BTreeSet<String> = (0..12)
            .map(|number| {
                let played = court_with(number, &json!({"lang": lang, "case_id": "john_law"}));
                view(&played, Viewer::Seat(Seat(1)))["self"]["intern"]["law"].to_string()
            })
            .collect();
        assert!(sources.len() > 3, "not every game gets the same page: {}", sources.len());
    }
}

fn owning(attacks: &[&str], defense: Option<(&str, &[&str])>) -> BTreeMap<String, Owned> {
    let words = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<String>>();
    let answers = defense.map(|(label, evidence)| (label.to_owned(), words(evidence))).into_iter().collect();
    BTreeMap::from([("law".to_owned(), Owned { arguments: words(attacks), answers })])
}

fn drafts(played: &Played<Tribunal>, lang: Lang, owned: &BTreeMap<String, Owned>) -> BTreeMap<String, String> {
    let mut view = played.game.view(Viewer::Seat(Seat(1)), &played.said());
    view.draft_from(lang, 0, owned);
    view.own.expect("it sits there").intern
}

#[test]
fn what_the_intern_drafts_gains_something_against_silence_as_long_as_there_is_anything_new() {
    for (lang, number) in LANGS.into_iter().flat_map(|lang| (0..12).map(move |number| (lang, number))) {
        let mut played = court_with(number, &json!({"lang": lang, "case_id": "john_law", "open": true}));
        for exchange in 1..=4 {
            // When all jurors lean one way, the trial ends early.
            if played.game.progress() == Progress::Over {
                break;
            }
            let draft = view(&played, Viewer::Seat(Seat(1)))["self"]["intern"]["law"].as_str().expect("one").to_owned();
            send(&mut played, PROSECUTOR, &argue("law", &draft));
            send(&mut played, Actor::Clock, &recall());
            send(&mut played, Actor::Clock, &json!({"type": "MIND_FAILED"}));
            let ruling = mind(&played, BENCH);
            assert!(ruling["jury_shift"].as_i64() > Some(0), "trial {number}, exchange {exchange}: {draft} {ruling}");
            send(&mut played, BENCH, &ruling);
        }
    }
}

#[test]
fn the_intern_uses_the_best_attack_its_player_owns_until_it_was_made() {
    let best = "You minted silence, Monsieur, and called it credit; who was paid for the silence?";
    let second = "A kingdom is no lottery, and yet you sold tickets to it in every market of France.";
    let owned = owning(&[best, second], None);
    let mut played = court_with(4, &json!({"case_id": "john_law"}));
    let plain = drafts(&played, Lang::En, &BTreeMap::new());
    let drafted = drafts(&played, Lang::En, &owned);
    assert_eq!((drafted["law"].as_str(), &drafted["orleans"]), (best, &plain["orleans"]), "about nobody else");
    send(&mut played, PROSECUTOR, &argue("law", &best.to_uppercase()));
    while !matches!(state(&played).phase, Phase::Attack) {
        assert_eq!(drafts(&played, Lang::En, &owned), BTreeMap::new(), "there is nothing to draft");
        let who = played.game.turns()[0].who;
        let body = mind(&played, who);
        send(&mut played, who, &body);
    }
    assert_eq!(drafts(&played, Lang::En, &owned)["law"], second);
    let long = "x".repeat(601);
    assert_ne!(drafts(&played, Lang::En, &owning(&[&long], None))["law"], long, "what cannot be said is no draft");
}

#[test]
fn the_intern_answers_the_best_defense_its_player_owns_in_advance_and_that_is_nobodys_work() {
    for lang in LANGS {
        for number in 0..6 {
            let played = court_with(number, &json!({"lang": lang, "case_id": "john_law"}));
            let plain = drafts(&played, lang, &BTreeMap::new())["law"].clone();
            let label = if lang == Lang::En { "the revived trade" } else { "되살아난 무역" };
            let cited = drafts(&played, lang, &owning(&[], Some((label, &["E2", "E7"]))))["law"].clone();
            let bare = drafts(&played, lang, &owning(&[], Some((label, &[]))))["law"].clone();
            assert!(cited.starts_with(&plain) && bare.starts_with(&plain), "{cited}");
            assert!(cited.contains(label) && cited.contains("E2, E7"), "{cited}");
            assert!(bare.contains(label) && !bare.contains('{'), "{bare}");
            assert!(is_house_line(&plain) && is_house_line(&cited) && is_house_line(&bare));
            assert!(is_house_line(&format!("Sir. {plain} Indeed so.")), "padding is no work");
            let too_long = "label ".repeat(120);
            assert_eq!(drafts(&played, lang, &owning(&[], Some((&too_long, &[]))))["law"], plain, "only if it fits");
            // Answering in advance costs no juror.
            assert!(shift(number, lang, &cited) >= shift(number, lang, &plain), "{cited}");
        }
    }
}

/// How far the house bench lets this attack move the jury when the answer meets nothing of it.
fn shift(number: u64, lang: Lang, attack: &str) -> i64 {
    let mut played = court_with(number, &json!({"lang": lang, "case_id": "john_law"}));
    send(&mut played, PROSECUTOR, &argue("law", attack));
    send(&mut played, Actor::Clock, &recall());
    send(&mut played, ACCUSED, &answer("I have nothing to say to that."));
    mind(&played, BENCH)["jury_shift"].as_i64().expect("a number")
}

#[test]
fn the_bench_has_the_same_opinion_of_a_person_in_the_accuseds_seat() {
    let (_, file) = case_files(Lang::En).next().expect("john_law");
    let law = &file["characters"][0];
    let mut played = court_with(2, &json!({"case_id": "john_law"}));
    send(&mut played, PROSECUTOR, &argue("law", file["attacks"][0]["lines"][0].as_str().expect("a line")));
    send(&mut played, Actor::Clock, &recall());
    send(&mut played, ACCUSED, &answer(law["temptations"][0]["claims"][0].as_str().expect("a claim")));
    let ruled = mind(&played, BENCH);
    assert_eq!(ruled["claim"], law["temptations"][0]["claim"]);
    send(&mut played, BENCH, &ruled);
    let passage = ruled["passage"].as_str().expect("quoted");
    assert!(!passage.is_empty() && law["temptations"][0]["claims"][0].as_str().expect("a claim").contains(passage));
    let angle = &law["temptations"][0]["angles"][0];
    send(&mut played, ACCUSED, &json!({"type": "prove", "text": angle["text"], "evidence": angle["evidence"]}));
    let ruled = mind(&played, BENCH);
    assert_eq!(ruled["verdict"], "proved");
}
