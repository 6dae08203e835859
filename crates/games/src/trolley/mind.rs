//! The house mind of the trolley: argues from a library of angles, answers whom it heard, and as operator weighs what was said.
//!
//! A pure function of what its seat may know and a key of its own. Nobody's arguments are decided beforehand: the operator
//! has leanings, but the better-argued side can move it.

use super::Trolley;
use super::state::{Phase, State, Step};
use super::words::{Decision, Role, TEXT_LEN_MAX};
use crate::speech::{fill, overlap, words};
use engine::chance::Draw;
use engine::game::Hall;
use engine::id::{Inner, Seat};
use engine::parts::transcript::Entry;
use engine::roster::Lang;
use engine::rules::MindKey;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Among how many of the freshest angles a speaker chooses.
const CHOICE: usize = 3;
/// One sign of an angle counts for every so many words.
const WORDS_PER_SIGN: usize = 5;
/// How often an operator says which argument decided it, in a hundred.
const NAMES_ITS_REASON_PERCENT: usize = 90;

/// The hand-written words of one language.
#[derive(Deserialize)]
struct Library {
    names: Vec<String>,
    majority: BTreeMap<String, Lines>,
    minority: BTreeMap<String, Lines>,
    /// An angle as a noun phrase.
    points: BTreeMap<String, String>,
    /// What an operator says when an argument from this angle moved it.
    reasons: BTreeMap<String, Vec<String>>,
    /// Words that show from which angle somebody argues.
    signs: BTreeMap<String, Vec<String>>,
}

/// The lines of one angle.
#[derive(Deserialize)]
struct Lines {
    opening: Vec<String>,
    answer: Vec<String>,
    appeal: Vec<String>,
}

static ENGLISH: LazyLock<Library> = LazyLock::new(|| read(include_str!("../../../../briefs/trolley/house.en.json")));
static KOREAN: LazyLock<Library> = LazyLock::new(|| read(include_str!("../../../../briefs/trolley/house.ko.json")));

fn read(text: &str) -> Library {
    serde_json::from_str(text).expect("the library is part of the program and a test reads it")
}

fn library(lang: Lang) -> &'static Library {
    match lang {
        Lang::En => &ENGLISH,
        Lang::Ko => &KOREAN,
    }
}

/// Names for house minds.
pub fn house_names(lang: Lang) -> &'static [String] {
    &library(lang).names
}

/// What the mind in this seat sends now.
pub(super) fn speak(hall: &Hall<'_, Trolley>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
    let Some(state) = hall.state else { return json!({}) };
    let room = Room { hall, state, library: library(hall.terms.lang), said, seat };
    match state.phase {
        Phase::Debate { step, .. } => room.argue(step, key),
        Phase::AwaitingDecision => room.judge(key),
        Phase::Dealing | Phase::Resolved(_) | Phase::Completed(_) => json!({}),
    }
}

/// What one mind has before it.
struct Room<'a> {
    hall: &'a Hall<'a, Trolley>,
    state: &'a State,
    library: &'static Library,
    said: &'a [Entry],
    seat: Seat,
}

/// A speech of the present round.
struct Speech<'a> {
    seat: Seat,
    role: Role,
    text: &'a str,
    entry: &'a Entry,
}

impl<'a> Room<'a> {
    fn speeches(&self) -> Vec<Speech<'a>> {
        let of_round = self.said.iter().filter(|entry| entry.line.round == Some(self.state.round));
        of_round
            .filter_map(|entry| {
                let seat = entry.line.seat?;
                let text = entry.line.text.as_deref()?;
                Some(Speech { seat, role: self.state.roles.of(seat)?, text, entry })
            })
            .collect()
    }

    fn angles(&self, role: Role) -> &'static BTreeMap<String, Lines> {
        match role {
            Role::Majority => &self.library.majority,
            Role::Minority | Role::Operator => &self.library.minority,
        }
    }

    fn argue(&self, step: Step, mut key: MindKey) -> Value {
        let role = self.state.roles.of(self.seat).unwrap_or(Role::Minority);
        let speeches = self.speeches();
        let angle = self.choose_angle(role, &speeches, &mut key);
        let lines = &self.angles(role)[angle];
        let rival = speeches.iter().rev().find(|speech| speech.role != role);
        let lines = match (step, rival) {
            (Step::First, _) | (_, None) => &lines.opening,
            (Step::Second, Some(_)) => &lines.answer,
            (Step::Third, Some(_)) => &lines.appeal,
        };
        let text = self.fresh_line(lines, role, rival, &mut key.turn);
        json!({"type": "argument", "text": text.chars().take(TEXT_LEN_MAX).collect::<String>()})
    }

    /// An angle that suits the speaker and that its side has not worn out this round.
    fn choose_angle(&self, role: Role, speeches: &[Speech<'_>], key: &mut MindKey) -> &'static str {
        let mut liked: Vec<&'static str> = self.angles(role).keys().map(String::as_str).collect();
        key.persona.shuffle(&mut liked);
        let same_side = speeches.iter().filter(|speech| speech.role == role);
        let heard: Vec<Option<&str>> = same_side.map(|speech| self.angle_of(speech)).collect();
        let worn = |angle: &&'static str| heard.iter().filter(|heard| **heard == Some(*angle)).count();
        // Stable, so that among equally fresh angles the speaker's own taste decides.
        liked.sort_by_key(worn);
        let choice = CHOICE.min(liked.len());
        liked[key.turn.below(choice)]
    }

    /// A line nobody has said in this game so far, if there is one.
    fn fresh_line(&self, lines: &[String], role: Role, rival: Option<&Speech<'_>>, draw: &mut Draw) -> String {
        let (us, them) = match role {
            Role::Majority => (self.state.roles.majority.len(), self.state.roles.minority.len()),
            Role::Minority | Role::Operator => (self.state.roles.minority.len(), self.state.roles.majority.len()),
        };
        let rival_name = rival.map_or("", |speech| self.hall.roster.name(speech.seat));
        let point = rival.and_then(|speech| self.angle_of(speech)).and_then(|angle| self.library.points.get(angle));
        // With one against one, only the first two lines do not speak of being more.
        let usable = if us <= them && role == Role::Majority { lines.len().min(2) } else { lines.len() };
        let mut order: Vec<usize> = (0..usable).collect();
        draw.shuffle(&mut order);
        let operator = self.hall.roster.name(self.state.roles.operator);
        let (us, them) = (us.to_string(), them.to_string());
        let slots = [
            ("operator", operator),
            ("us", &us),
            ("them", &them),
            ("rival", rival_name),
            ("point", point.map_or("", String::as_str)),
        ];
        let filled = |index: usize| fill(&lines[index], &slots);
        // Without a point to name, a line that names one would have a hole in it.
        let fits = |index: &usize| point.is_some() || !lines[*index].contains("{point}");
        let order: Vec<usize> = order.into_iter().filter(fits).collect();
        let fresh = order.iter().map(|index| filled(*index)).find(|text| !self.was_said(text));
        fresh.or_else(|| order.first().map(|index| filled(*index))).unwrap_or_else(|| filled(0))
    }

    fn was_said(&self, text: &str) -> bool {
        self.said.iter().any(|entry| entry.line.text.as_deref() == Some(text))
    }

    /// The angle a speech argues from: the one of its side most of whose signs it shows.
    fn angle_of(&self, speech: &Speech<'_>) -> Option<&'static str> {
        let words = in_a_row(&words(speech.text));
        let shown = |angle: &str| self.library.signs.get(angle).map_or(0, |signs| signs_shown(signs, &words));
        let angles = self.angles(speech.role).keys().map(String::as_str);
        let best = angles.map(|angle| (shown(angle), angle)).max_by_key(|(count, _)| *count)?;
        (best.0 > 0).then_some(best.1)
    }

    fn judge(&self, mut key: MindKey) -> Value {
        let speeches = self.speeches();
        let taste = Taste::of(&mut key.persona, self.library);
        let mut scored: Vec<(i32, &Speech<'_>)> = speeches
            .iter()
            .enumerate()
            .map(|(index, speech)| (self.weigh(speech, &speeches[..index], &taste), speech))
            .collect();
        scored.sort_by_key(|(score, speech)| (-score, speech.entry.seq));
        let side = |role: Role| {
            let all: Vec<i32> =
                scored.iter().filter(|(_, speech)| speech.role == role).map(|(score, _)| *score).collect();
            let best = &all[..all.len().div_ceil(2)];
            if best.is_empty() { 0 } else { best.iter().sum::<i32>() * 10 / best.len() as i32 }
        };
        let whim = key.turn.below(31) as i32 - 15;
        let balance = side(Role::Majority) - side(Role::Minority) + taste.lean + whim;
        let (decision, saved) = if balance >= 0 {
            (Decision::SaveMajority, Role::Majority)
        } else {
            (Decision::SaveMinority, Role::Minority)
        };
        let moved_by =
            scored.iter().find(|(score, speech)| speech.role == saved && *score > 0).map(|(_, speech)| *speech);
        let moved_by = moved_by.filter(|_| key.turn.odds(NAMES_ITS_REASON_PERCENT, 100));
        let angle = moved_by.and_then(|speech| self.angle_of(speech)).unwrap_or("nobody");
        let reason = key.turn.pick(&self.library.reasons[angle]).clone();
        let speaker = moved_by.map_or("", |speech| self.hall.roster.name(speech.seat));
        json!({
            "type": "decision", "decision": decision.word(), "reason": fill(&reason, &[("speaker", speaker)]),
            "decisive_argument_id":
                moved_by.filter(|_| angle != "nobody").map(|speech| Inner::Argument.name(self.hall.id, speech.entry.seq.0)),
        })
    }

    /// What a speech weighs with this operator: substance it has a taste for, that answers and addresses, and is not an echo.
    fn weigh(&self, speech: &Speech<'_>, before: &[Speech<'_>], taste: &Taste) -> i32 {
        let words = words(speech.text);
        let distinct: std::collections::BTreeSet<&str> = words.iter().map(String::as_str).collect();
        if distinct.len() < 4 {
            return 0;
        }
        let row = in_a_row(&words);
        let shown =
            |angle: &str| self.library.signs.get(angle).map_or(0, |signs| signs_shown(signs, &row)).min(3) as i32;
        let angles: Vec<(i32, i32)> =
            self.angles(speech.role).keys().map(|angle| (shown(angle), taste.weight(angle))).collect();
        let signs: i32 = angles.iter().map(|(shown, _)| shown).sum();
        if signs == 0 {
            return 0;
        }
        // Signs count within speech, not as a heap of key words.
        let room = (words.len() / WORDS_PER_SIGN) as i32;
        let substance = angles.iter().map(|(shown, weight)| shown * weight).sum::<i32>() * room.min(signs) / signs;
        let breadth = (distinct.len() as i32 / 6).min(4);
        let answers = before
            .iter()
            .any(|other| other.role != speech.role && speech.text.contains(self.hall.roster.name(other.seat)));
        let addresses = speech.text.contains(self.hall.roster.name(self.seat));
        let echo = before.iter().map(|other| overlap(&words, other.text)).max().unwrap_or(0);
        let worth = substance.min(12) + breadth + 2 * i32::from(answers) + 2 * i32::from(addresses);
        // A copy of what was said before adds nothing; half a copy, half.
        (worth * (100 - echo) / 100).max(0)
    }
}

/// What an operator is inclined to.
struct Taste {
    /// Angles it is moved by, strongest first.
    liked: Vec<&'static str>,
    /// Towards the many (positive) or the few.
    lean: i32,
}

impl Taste {
    fn of(persona: &mut Draw, library: &'static Library) -> Self {
        let mut liked: Vec<&'static str> = library.signs.keys().map(String::as_str).collect();
        persona.shuffle(&mut liked);
        Taste { liked, lean: persona.below(41) as i32 - 20 }
    }

    fn weight(&self, angle: &str) -> i32 {
        let rank = self.liked.iter().position(|liked| *liked == angle).unwrap_or(usize::MAX);
        match rank {
            0..=4 => 4,
            5..=10 => 3,
            _ => 2,
        }
    }
}

fn signs_shown(signs: &[String], words: &str) -> usize {
    signs.iter().filter(|sign| words.match_indices(sign.as_str()).any(|(at, _)| words[..at].ends_with(' '))).count()
}

/// The words in a row, a space before each, so that a sign of several words can be found at the beginning of one.
fn in_a_row(words: &[String]) -> String {
    words.iter().fold(String::new(), |row, word| row + " " + word)
}
