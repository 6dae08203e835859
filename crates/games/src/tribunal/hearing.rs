//! What can be heard before the Tribunal: each fact of the record, argued or met, and each claim, pressed or made. To condemn is the
//! first side, to acquit the second.

use super::docket::{Brief, Case, Favours, Script};
use crate::listening::lessons::{Labelled, Syllabus};
use crate::listening::{Side, Stance, Subject};
use engine::roster::Lang;

fn syllabus(case: &Case, scripts: &[Script]) -> Syllabus {
    let side = |favours: Favours| match favours {
        Favours::Condemn | Favours::Neither => Side::First,
        Favours::Acquit => Side::Second,
    };
    let facts = case.record.iter().map(|fact| (fact.id.clone(), Some(side(fact.favours))));
    let claims: Vec<String> =
        scripts.iter().flat_map(|script| &script.temptations).map(|claim| claim.id.clone()).collect();
    let points = facts.chain(claims.iter().map(|claim| (claim.clone(), Some(Side::Second)))).collect();
    Syllabus { points, claims }
}

/// What is learned for a case, with the lines that the house says in it.
pub(super) fn subject(case: &Case, briefs: [Option<&Brief>; 2]) -> Subject {
    let mut house = Vec::new();
    let mut scripts: &[Script] = &[];
    for (lang, brief) in [Lang::En, Lang::Ko].into_iter().zip(briefs) {
        let Some(brief) = brief else { continue };
        scripts = &brief.scripts;
        let mut say = |lines: &[String], id: &str, stance: Stance| {
            house.extend(lines.iter().map(|line| (lang, line.clone(), Labelled { id: id.to_owned(), stance })));
        };
        for attack in &brief.attacks {
            match (&attack.presses, attack.cites.as_slice()) {
                (Some(presses), _) => say(&attack.lines, presses, Stance::Presses),
                (None, [only]) => say(&attack.lines, only, Stance::Asserts),
                (None, _) => {}
            }
        }
        for script in &brief.scripts {
            // The accused leans on what helps it, and meets what does not.
            let stance = |id: &str| match case.record.iter().find(|fact| fact.id == id).map(|fact| fact.favours) {
                Some(Favours::Acquit) => Stance::Asserts,
                Some(Favours::Condemn | Favours::Neither) | None => Stance::Denies,
            };
            for temptation in &script.temptations {
                say(&temptation.claims, &temptation.id, Stance::Asserts);
                for angle in &temptation.angles {
                    if let [only] = angle.evidence.as_slice() {
                        say(std::slice::from_ref(&angle.text), only, stance(only));
                    }
                }
            }
            for answers in &script.answers {
                say(&answers.lines, &answers.to, stance(&answers.to));
            }
        }
    }
    let syllabus = syllabus(case, scripts);
    Subject { kind: "tribunal", folder: format!("tribunal/{}", case.case_id), syllabus, house }
}
