//! The house minds of the court: counsel argue from the case and answer each other, the judge leads, and jurors start with
//! a leaning of their own, move with what they hear and vote accordingly.
//!
//! A pure function of what the seat may know and a key of its own. Nobody's vote is decided beforehand.

use super::Trial;
use super::docket::{self, Bench, Case, Counsel, Court, Point};
use super::jury::{Ear, Made, Side, Weighed};
use super::state::{Phase, State};
use super::words::{Role, TEXT_LEN_MAX, Verdict};
use crate::speech::fill;
use engine::chance::Draw;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::transcript::Entry;
use engine::roster::Lang;
use engine::rules::MindKey;
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::LazyLock;

/// How far a juror may lean before it has heard anything, either way.
const LEAN_MAX: i32 = 12;
/// From where on a leaning is one.
const LEANS: i32 = 4;
/// A juror this close to the middle says that it is torn.
const TORN: i32 = 8;
/// How much more or less a juror makes of one side's manner, in a hundred.
const TASTE_PERCENT: i32 = 15;
/// How often counsel answer what was just said rather than bring something new, in a hundred.
const ANSWERS_PERCENT: usize = 55;
/// How often the judge sums up rather than asks, in a hundred.
const SUMS_UP_PERCENT: usize = 40;
/// How much of a fact a juror quotes, and counsel.
const QUOTED_LEN_MAX: usize = 34;
const FACT_LEN_MAX: usize = 80;

/// The hand-written words of one language, for any case.
#[derive(Deserialize)]
struct Library {
    juror: JurorLines,
    judge: JudgeLines,
    counsel: BothSides,
}

#[derive(Deserialize)]
struct JurorLines {
    leaning_guilty: Vec<String>,
    leaning_not_guilty: Vec<String>,
    neutral: Vec<String>,
    moved: Vec<String>,
    turned: Vec<String>,
    torn: Vec<String>,
    unmoved: Vec<String>,
}

#[derive(Deserialize)]
struct JudgeLines {
    opening: Vec<String>,
    steer: Vec<String>,
    sum_up: Vec<String>,
    guilty: Vec<String>,
    not_guilty: Vec<String>,
}

/// What counsel say about a fact in a case that was not written for house minds.
#[derive(Deserialize)]
struct BothSides {
    prosecution: AnyCase,
    defense: AnyCase,
}

#[derive(Deserialize)]
struct AnyCase {
    opening: Vec<String>,
    evidence: Vec<String>,
    answers: Vec<String>,
    closing: Vec<String>,
}

static ENGLISH: LazyLock<Library> = LazyLock::new(|| read(include_str!("../../../../briefs/trial/house.en.json")));
static KOREAN: LazyLock<Library> = LazyLock::new(|| read(include_str!("../../../../briefs/trial/house.ko.json")));

fn read(text: &str) -> Library {
    serde_json::from_str(text).expect("the library is part of the program and a test reads it")
}

fn library(lang: Lang) -> &'static Library {
    match lang {
        Lang::En => &ENGLISH,
        Lang::Ko => &KOREAN,
    }
}

/// What the mind in this seat sends now.
pub(super) fn speak(hall: &Hall<'_, Trial>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
    let Some((state, case)) = hall.state.and_then(|state| Some((state, state.case.as_deref()?))) else {
        return json!({});
    };
    let court = match docket::docket().court(state.lang, &case.case_id) {
        Some(court) => Cow::Borrowed(court),
        None => Cow::Owned(plain_court(case, library(state.lang))),
    };
    let court = court.as_ref();
    let speeches: Vec<(Side, &str)> = said
        .iter()
        .filter_map(|entry| {
            let side = Side::of(state.role(entry.line.seat?)?)?;
            Some((side, entry.line.text.as_deref()?))
        })
        .collect();
    let ear = Ear::new(state.lang, case, court);
    let room = Room { state, court, library: library(state.lang), said, seat, heard: ear.weigh_all(&speeches) };
    match (&state.phase, state.role(seat)) {
        (Phase::JuryVote { .. }, _) => json!({"type": "vote", "verdict": room.vote(key).word()}),
        (Phase::Verdict(count), _) => room.say(
            match count.verdict {
                Verdict::Guilty => &court.judge.guilty,
                Verdict::NotGuilty => &court.judge.not_guilty,
            },
            key,
        ),
        (_, Some(Role::Prosecutor)) => room.argue(Side::Prosecution, key),
        (_, Some(Role::Defense)) => room.argue(Side::Defense, key),
        (_, Some(Role::Judge)) => room.lead(key),
        (_, Some(Role::Juror) | None) => room.react(key),
    }
}

/// What one mind has before it.
struct Room<'a> {
    state: &'a State,
    court: &'a Court,
    library: &'static Library,
    said: &'a [Entry],
    seat: Seat,
    /// Everything counsel have said, weighed.
    heard: Vec<Weighed>,
}

impl Room<'_> {
    fn was_said(&self, text: &str) -> bool {
        self.said.iter().any(|entry| entry.line.text.as_deref() == Some(text))
    }

    /// One of these lines, one that nobody has said yet if there is one.
    fn fresh(&self, lines: &[String], slots: &[(&str, &str)], draw: &mut Draw) -> String {
        let mut order: Vec<String> = lines.iter().map(|line| fill(line, slots)).collect();
        draw.shuffle(&mut order);
        let fits = |text: &&String| text.chars().count() <= TEXT_LEN_MAX;
        let fresh = order.iter().filter(fits).find(|text| !self.was_said(text));
        let text = fresh.or_else(|| order.iter().find(fits)).or(order.first()).cloned().unwrap_or_default();
        text.chars().take(TEXT_LEN_MAX).collect()
    }

    fn say(&self, lines: &[String], mut key: MindKey) -> Value {
        json!({"type": "speak", "text": self.fresh(lines, &[], &mut key.turn)})
    }

    /// The points this side has made, in order.
    fn made(&self, side: Side) -> Vec<Made> {
        self.heard.iter().filter(|weighed| weighed.side == side).filter_map(|weighed| weighed.made).collect()
    }

    fn argue(&self, side: Side, mut key: MindKey) -> Value {
        let counsel = side.counsel(self.court);
        let lines = match self.state.phase {
            Phase::Opening { .. } => &counsel.opening,
            Phase::Rebuttal { .. } => match self.answer(side) {
                Some(made) if key.turn.odds(ANSWERS_PERCENT, 100) => &made.point(counsel).lines,
                Some(_) | None => &counsel.closing,
            },
            Phase::Dealing | Phase::Argument { .. } | Phase::JuryVote { .. } | Phase::Verdict(_) | Phase::End(_) => {
                match self.choose(side, &mut key.turn) {
                    Some(made) => &made.point(counsel).lines,
                    None => &counsel.closing,
                }
            }
        };
        self.say(lines, key)
    }

    /// A point to make now: an answer to what was said, or something new.
    fn choose(&self, side: Side, draw: &mut Draw) -> Option<Made> {
        let counsel = side.counsel(self.court);
        let used = self.made(side);
        let new = (0..counsel.evidence.len()).map(Made::Evidence).filter(|made| !used.contains(made));
        let mut new: Vec<Made> = new.collect();
        draw.shuffle(&mut new);
        match (self.answer(side), new.first()) {
            (Some(answer), Some(_)) if draw.odds(ANSWERS_PERCENT, 100) => Some(answer),
            (_, Some(new)) => Some(*new),
            (answer, None) => answer.or_else(|| Some(Made::Evidence(draw.below(counsel.evidence.len())))),
        }
    }

    /// An answer to the last point of the other side that has none yet.
    fn answer(&self, side: Side) -> Option<Made> {
        let used = self.made(side);
        let open = self.made(side.other()).into_iter().rev().find_map(|made| match made {
            Made::Evidence(fact) => Some(Made::Answer(fact)).filter(|answer| !used.contains(answer)),
            Made::Answer(_) => None,
        });
        open.filter(|made| !made.point(side.counsel(self.court)).lines.is_empty())
    }

    fn label(&self, side: Side, made: Made) -> &str {
        &made.point(side.counsel(self.court)).label
    }

    /// The judge opens, then sums up or asks.
    fn lead(&self, mut key: MindKey) -> Value {
        if let Phase::Opening { .. } = self.state.phase {
            return self.say(&self.court.judge.opening, key);
        }
        let (guilt, doubt) = (self.made(Side::Prosecution), self.made(Side::Defense));
        if let (Some(guilt), Some(doubt)) = (guilt.last(), doubt.last())
            && key.turn.odds(SUMS_UP_PERCENT, 100)
        {
            let slots =
                [("point", self.label(Side::Prosecution, *guilt)), ("other", self.label(Side::Defense, *doubt))];
            return json!({"type": "speak", "text": self.fresh(&self.library.judge.sum_up, &slots, &mut key.turn)});
        }
        let asked = |line: &String| self.was_said(line);
        let lines = if self.court.judge.questions.iter().all(asked) {
            &self.library.judge.steer
        } else {
            &self.court.judge.questions
        };
        self.say(lines, key)
    }

    /// A juror says where it stands.
    fn react(&self, mut key: MindKey) -> Value {
        let juror = Juror::of(&mut key.persona);
        let lines = &self.library.juror;
        if let Phase::Opening { .. } = self.state.phase {
            let lines = match juror.lean {
                LEANS.. => &lines.leaning_guilty,
                lean if lean <= -LEANS => &lines.leaning_not_guilty,
                _ => &lines.neutral,
            };
            return self.say(lines, key);
        }
        // What counsel said since this juror spoke last.
        let since = self.said.iter().rposition(|entry| entry.line.seat == Some(self.seat) && entry.line.text.is_some());
        let counsel = |entry: &&Entry| {
            let role = entry.line.seat.and_then(|seat| self.state.role(seat));
            entry.line.text.is_some() && role.and_then(Side::of).is_some()
        };
        let known = self.said[..since.unwrap_or(0)].iter().filter(counsel).count().min(self.heard.len());
        let (before, now) = (juror.belief(&self.heard[..known]), juror.belief(&self.heard));
        let strongest = |side: Side, heard: &[Weighed]| {
            let made = heard.iter().filter(|weighed| weighed.side == side && weighed.made.is_some());
            made.max_by_key(|weighed| weighed.gain).and_then(|weighed| weighed.made)
        };
        let new = &self.heard[known..];
        let favoured = if now > 0 { Side::Prosecution } else { Side::Defense };
        let (guilt, doubt) = (strongest(Side::Prosecution, new), strongest(Side::Defense, new));
        let (guilt_label, doubt_label) =
            (guilt.map(|made| self.label(Side::Prosecution, made)), doubt.map(|made| self.label(Side::Defense, made)));
        let own_label = if favoured == Side::Prosecution { guilt_label } else { doubt_label };
        let (lines, slots) = match (own_label, guilt_label, doubt_label) {
            (_, Some(guilt), Some(doubt)) if now.abs() < TORN => {
                (&lines.torn, vec![("point", guilt), ("other", doubt)])
            }
            (Some(point), _, _) if before != 0 && (before > 0) != (now > 0) => (&lines.turned, vec![("point", point)]),
            (Some(point), _, _) => (&lines.moved, vec![("point", point)]),
            (None, _, _) => (&lines.unmoved, vec![]),
        };
        json!({"type": "speak", "text": self.fresh(lines, &slots, &mut key.turn)})
    }

    fn vote(&self, mut key: MindKey) -> Verdict {
        let juror = Juror::of(&mut key.persona);
        // Nobody is sure: who stands exactly in the middle acquits.
        if juror.belief(&self.heard) > 0 { Verdict::Guilty } else { Verdict::NotGuilty }
    }
}

/// What a juror brings with it.
struct Juror {
    /// Towards guilt (positive) or against it.
    lean: i32,
    /// How it takes the prosecution's and the defence's manner, in a hundred.
    taste: (i32, i32),
}

impl Juror {
    fn of(persona: &mut Draw) -> Self {
        let mut about = |most: i32| persona.below(2 * most as usize + 1) as i32 - most;
        Juror { lean: about(LEAN_MAX), taste: (100 + about(TASTE_PERCENT), 100 + about(TASTE_PERCENT)) }
    }

    /// How sure it is of guilt (positive) or innocence.
    fn belief(&self, heard: &[Weighed]) -> i32 {
        let gained =
            |side: Side| heard.iter().filter(|weighed| weighed.side == side).map(|weighed| weighed.gain).sum::<i32>();
        let (guilt, doubt) = (gained(Side::Prosecution), gained(Side::Defense));
        self.lean + (guilt * self.taste.0 - doubt * self.taste.1) / 100
    }
}

/// A court for a case that has no lines of its own: counsel argue from the facts as they stand in the file.
fn plain_court(case: &Case, library: &Library) -> Court {
    let counsel = |lines: &AnyCase, own: &[String], other: &[String]| {
        let about = |lines: &[String], fact: &str| -> Vec<String> {
            let fact = shortened(fact, FACT_LEN_MAX);
            lines.iter().map(|line| fill(line, &[("fact", &fact)])).collect()
        };
        let first = own.first().map_or("", String::as_str);
        Counsel {
            opening: about(&lines.opening, first),
            evidence: own.iter().map(|fact| plain_point(fact, about(&lines.evidence, fact))).collect(),
            // What the answer says is not in the file, so no juror can be told by the words.
            answers: other
                .iter()
                .map(|fact| Point { words: vec![], ..plain_point(fact, about(&lines.answers, fact)) })
                .collect(),
            closing: about(&lines.closing, own.last().map_or("", String::as_str)),
        }
    };
    Court {
        prosecution: counsel(&library.counsel.prosecution, &case.evidence_for, &case.evidence_against),
        defense: counsel(&library.counsel.defense, &case.evidence_against, &case.evidence_for),
        judge: Bench {
            opening: library.judge.opening.clone(),
            questions: library.judge.steer.clone(),
            guilty: library.judge.guilty.clone(),
            not_guilty: library.judge.not_guilty.clone(),
        },
    }
}

/// A fact without its full stop, cut after a word if it is too long to be said.
fn shortened(fact: &str, len_max: usize) -> String {
    let fact = fact.trim_end_matches(['.', '。']);
    let Some((end, _)) = fact.char_indices().nth(len_max) else { return fact.to_owned() };
    let cut = fact[..end].rfind(' ').unwrap_or(end);
    format!("{}…", fact[..cut].trim_end())
}

/// A fact as a point: known by its longer words, quoted by its beginning.
fn plain_point(fact: &str, lines: Vec<String>) -> Point {
    const STEM_LEN: usize = 6;
    const WORD_LEN_MIN: usize = 5;
    let korean = |word: &str| word.chars().any(|c| ('가'..='힣').contains(&c));
    let stem = |word: String| match korean(&word) {
        true if word.chars().count() >= 2 => Some(word.chars().take(2).collect()),
        false if word.chars().count() >= WORD_LEN_MIN => Some(word.chars().take(STEM_LEN).collect()),
        _ => None,
    };
    let quoted = format!("“{}”", shortened(fact, QUOTED_LEN_MAX));
    Point { label: quoted, words: crate::speech::words(fact).into_iter().filter_map(stem).collect(), lines }
}
