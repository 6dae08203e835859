//! Whether delegations cite the assessment, and only what it says.

use engine::game::Progress;
use engine::laws::Played;
use engine::parts::transcript::Entry;
use engine::roster::Lang;
use engine::rules::Actor;
use games::mercury::content::{Excerpt, content};
use games::mercury::{Mercury, excerpt_guard};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const MEETINGS: u64 = 200;

/// Everything that is said in a meeting of house minds.
fn meeting(number: u64, lang: Lang) -> Vec<Entry> {
    let mut played = Played::<Mercury>::start(number, &json!({"lang": lang}), 9).expect("starts");
    while played.game.progress() != Progress::Over {
        let who = played.game.turns()[0].who;
        let Actor::Seat(seat) = who else { panic!("only seats") };
        let body = played.game.mind(seat, &played.said());
        played.send(who, &body).unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence));
    }
    played.said().into_iter().filter(|entry| entry.line.seat.is_some() && entry.line.text.is_some()).collect()
}

fn lines(lang: Lang) -> Vec<String> {
    let file = match lang {
        Lang::En => include_str!("../../../../briefs/mercury/cites.en.json"),
        Lang::Ko => include_str!("../../../../briefs/mercury/cites.ko.json"),
    };
    let file: Value = serde_json::from_str(file).expect("it reads");
    let leads = file.as_array().expect("a list").iter().map(|lead| lead.as_str().expect("a line"));
    leads.map(|lead| lead.split("{excerpt}").next().expect("what comes before").to_owned()).collect()
}

#[test]
fn delegations_cite_the_assessment_now_and_then_and_always_word_for_word() {
    for lang in [Lang::En, Lang::Ko] {
        let (leads, excerpts) = (lines(lang), &content(lang).excerpts);
        let (mut cited, mut spoken, mut cited_by) = (BTreeSet::new(), 0, BTreeSet::new());
        let mut citations = 0;
        for number in 0..MEETINGS {
            let mut here: Vec<&str> = vec![];
            for entry in meeting(number, lang) {
                let text = entry.line.text.as_deref().expect("filtered");
                spoken += 1;
                assert_eq!(excerpt_guard(content(lang), lang, text), Ok(()), "meeting {number}");
                let Some((_, after)) = leads.iter().find_map(|lead| text.split_once(lead.as_str())) else { continue };
                let (quoted, _) = after.split_once('”').expect("a citation is closed");
                let excerpt = excerpts.iter().find(|excerpt: &&Excerpt| excerpt.text == quoted);
                let excerpt = excerpt.unwrap_or_else(|| panic!("meeting {number}: no excerpt: {text}"));
                citations += 1;
                cited.insert(excerpt.id.as_str());
                cited_by.insert((entry.name.to_string(), entry.line.seat));
                if entry.name == "debate" {
                    assert!(!here.contains(&excerpt.id.as_str()), "meeting {number}: cited twice in the hall");
                    here.push(&excerpt.id);
                }
            }
        }
        println!("{lang:?}: {citations} citations in {spoken} speeches");
        assert!(cited.len() == excerpts.len(), "{lang:?}: every excerpt is of use to somebody: {cited:?}");
        assert!(citations * 100 > spoken && citations * 6 < spoken, "{lang:?}: {citations} in {spoken}");
        let places: BTreeSet<&str> = cited_by.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, BTreeSet::from(["debate", "talk"]), "in the hall and in private");
    }
}

#[test]
fn a_false_citation_is_caught() {
    let first = |lang| content(lang).excerpts[0].text.clone();
    let (english, korean) = (first(Lang::En), first(Lang::Ko));
    let second = english.split_once(". ").expect("it has two sentences").1;
    let planted = [
        (Lang::En, "According to the mercury assessment, coal plants emit 1,930 tonnes a year.".to_owned()),
        (Lang::En, "The assessment says: “Coal is the only source that matters.”".into()),
        (Lang::En, "The assessment is blunt. \"Mercury is harmless in small doses.\"".into()),
        (Lang::En, "“Gold mining is a minor source.” So it stands in the mercury assessment.".into()),
        (Lang::En, "The IMA shows that nobody is at risk.".into()),
        (Lang::En, "UNEP has found no link to coal.".into()),
        (Lang::En, "Nearly half of it is from coal. The mercury assessment settles that.".into()),
        (Lang::En, format!("The mercury assessment says: “{}”", english.replace("two fifths", "four fifths"))),
        (Lang::En, format!("The mercury assessment says: “{english} And coal hardly counts.”")),
        // Quoted without the sentence before it, this one would be about something else.
        (Lang::En, format!("On coal, the mercury assessment says: “{second}”")),
        (Lang::Ko, "수은 평가서에 따르면 석탄 화력은 한 해 1,930톤을 내보냅니다.".into()),
        (Lang::Ko, "평가서는 이렇게 말합니다. “석탄은 무해합니다.”".into()),
        (Lang::Ko, "유엔환경계획은 위험이 없다고 밝혔습니다.".into()),
        (Lang::Ko, format!("수은 평가서의 문장입니다: “{}”", korean.replace("5분의 2", "5분의 4"))),
    ];
    for (lang, text) in &planted {
        let caught = excerpt_guard(content(*lang), *lang, text).expect_err(text);
        assert!(!caught.0.is_empty() && text.contains(caught.0.trim()), "it names what is false: {caught}");
    }
}

#[test]
fn an_excerpt_and_talk_of_assessments_in_general_pass() {
    for lang in [Lang::En, Lang::Ko] {
        for Excerpt { text, source, .. } in &content(lang).excerpts {
            let lead = &lines(lang)[0];
            for said in [
                format!("{lead}{text}” 2.1, then, and within 10 years."),
                format!("{lead}{text}” ({source})"),
                format!("UNEP: {text}"),
                text.clone(),
            ] {
                assert_eq!(excerpt_guard(content(lang), lang, &said), Ok(()));
            }
        }
    }
    for (lang, said) in [
        (Lang::En, "Support for assessment would take 3 years and 40 million."),
        (Lang::En, "The assessment deserves a careful reading before we vote on option 2.1 and issue 3."),
        (Lang::En, "Brazil spoke of “the fare”, and 6 of us vote."),
        (Lang::En, "AMAP, the Arctic Monitoring and Assessment Programme, has 8 members."),
        (Lang::Ko, "평가 지원에 3년이 걸립니다."),
        (Lang::Ko, "표결 전에 평가서를 다시 읽어 봅시다."),
    ] {
        assert_eq!(excerpt_guard(content(lang), lang, said), Ok(()));
    }
}

#[test]
fn both_languages_have_the_same_excerpts_for_the_same_ends() {
    let read = |file: &str| -> Vec<[Value; 3]> {
        let excerpts: Vec<Value> = serde_json::from_str(file).expect("it reads");
        excerpts.into_iter().map(|one| ["id", "issue_ids", "serves"].map(|name| one[name].clone())).collect()
    };
    let english = read(include_str!("../../../../briefs/mercury/ima_excerpts.en.json"));
    let korean = read(include_str!("../../../../briefs/mercury/ima_excerpts.ko.json"));
    assert_eq!(english, korean);
    for [id, issues, serves] in english {
        let of =
            |option: &Value| option.as_str().and_then(|option| option.split_once('.')).map(|(issue, _)| json!(issue));
        let about = issues.as_array().expect("a list");
        assert!(serves.as_array().expect("a list").iter().filter_map(of).all(|issue| about.contains(&issue)), "{id}");
    }
}
