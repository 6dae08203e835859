//! What can be heard in the Mercury Game: options, argued for, against or accepted on terms, and what one delegation may offer another.

use super::content::content;
use super::words::Issue;
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::{Stance, Subject};
use engine::roster::Lang;

/// What a delegation may offer another or write into the text, by issue.
const OFFERS: [&str; 37] = [
    "1.date",
    "1.everyone",
    "1.money",
    "1.monitor",
    "1.narrow",
    "1.north",
    "1.pace",
    "1.review",
    "1.sovereign",
    "2.differ",
    "2.health",
    "2.labs",
    "2.largefirst",
    "2.newplants",
    "2.owntargets",
    "2.plants",
    "2.publish",
    "2.review",
    "2.sameway",
    "2.technology",
    "3.ash",
    "3.cost",
    "3.criteria",
    "3.exempt",
    "3.grow",
    "3.report",
    "3.time",
    "3.trade",
    "4.check",
    "4.help",
    "4.leads",
    "4.measure",
    "4.noban",
    "4.ownplan",
    "4.power",
    "4.share",
    "4.supply",
];

/// What is learned: options with the lines that delegations say on them, and offers.
pub fn subjects() -> Vec<Subject> {
    let mut house = Vec::new();
    for lang in [Lang::En, Lang::Ko] {
        for sides in content(lang).roles.iter().flat_map(|role| role.debate.values()) {
            for (option, sides) in sides {
                let said = |lines: &[String], stance: Stance| -> Vec<(Lang, String, Labelled)> {
                    let point = || Labelled { id: option.to_string(), stance };
                    lines.iter().map(|line| (lang, line.clone(), point())).collect()
                };
                house.extend(said(&sides.r#for, Stance::Asserts));
                house.extend(said(&sides.against, Stance::Denies));
            }
        }
    }
    let options = Issue::ALL.into_iter().flat_map(Issue::options).map(|option| option.to_string());
    let subject = |folder: &str, points: Vec<String>, house| Subject {
        kind: "mercury",
        folder: format!("mercury/{folder}"),
        syllabus: Syllabus { points: points.into_iter().map(|point| (point, None)).collect(), claims: vec![] },
        house,
    };
    let offers = OFFERS.iter().map(|offer| (*offer).to_owned()).collect();
    vec![subject("options", options.collect(), house), subject("offers", offers, vec![])]
}
