//! A court for a case that brings no lines of its own: counsel argue from the facts as they stand in the file.

use super::docket::{Bench, Case, Counsel, Court, Point, Question};
use super::house::{CounselLines, Library};
use crate::speech::fill;

/// The most characters of a fact that a juror quotes, and that counsel quote.
const QUOTED_LEN_MAX: usize = 34;
const FACT_LEN_MAX: usize = 80;

pub(super) fn plain_court(case: &Case, library: &Library) -> Court {
    Court {
        prosecution: counsel(&library.counsel.prosecution, &case.evidence_for, &case.evidence_against),
        defense: counsel(&library.counsel.defense, &case.evidence_against, &case.evidence_for),
        judge: Bench {
            opening: library.judge.opening.clone(),
            questions: library.judge.steer.iter().map(|text| Question::to_all(text.clone())).collect(),
            guilty: library.judge.guilty.clone(),
            not_guilty: library.judge.not_guilty.clone(),
        },
    }
}

fn counsel(lines: &CounselLines, own: &[String], other: &[String]) -> Counsel {
    let about = |lines: &[String], fact: &str| -> Vec<String> {
        let fact = shortened(fact, FACT_LEN_MAX);
        lines.iter().map(|line| fill(line, &[("fact", &fact)])).collect()
    };
    let points = |lines: &[String], facts: &[String]| -> Vec<Point> {
        let label = |fact: &str| format!("“{}”", shortened(fact, QUOTED_LEN_MAX));
        facts.iter().map(|fact| Point { label: label(fact), lines: about(lines, fact) }).collect()
    };
    Counsel {
        opening: about(&lines.opening, own.first().map_or("", String::as_str)),
        evidence: points(&lines.evidence, own),
        answers: points(&lines.answers, other),
        closing: about(&lines.closing, own.last().map_or("", String::as_str)),
    }
}

/// A fact without its full stop, cut after a word if it is too long to be said.
fn shortened(fact: &str, len_max: usize) -> String {
    let fact = fact.trim_end_matches(['.', '。']);
    let Some((end, _)) = fact.char_indices().nth(len_max) else { return fact.to_owned() };
    let cut = fact[..end].rfind(' ').unwrap_or(end);
    format!("{}…", fact[..cut].trim_end())
}
