//! The house mind of the trolley: argues from a library of angles, answers its rivals, and as operator weighs what was said.
//!
//! A pure function of what its seat may know and a key of its own. No decision is made beforehand: the operator has leanings, but the
//! better-argued side can move it.

use super::Trolley;
use super::hearing::{self, Argued, Taste, side_of};
use super::house::{Library, Lines, library};
use super::state::{Phase, State, Step};
use super::words::{Decision, Role, TEXT_LEN_MAX};
use crate::listening::{Heard, Language, Reading, Side};
use crate::speech::{fill, is_line};
use engine::chance::Draw;
use engine::game::Hall;
use engine::id::{Inner, Seat};
use engine::parts::lines::LineId;
use engine::parts::transcript::Entry;
use engine::roster::Level;
use engine::rules::{MindKey, Point};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Among how many of the freshest angles a speaker chooses.
const CHOICE: usize = 3;
/// How often a speaker pleads without an argument, by level, in a hundred.
const WEAK_PERCENT: [usize; 3] = [45, 25, 8];
/// How often it remarks on a rival who made no argument or granted a point, in a hundred.
const REMARKS_PERCENT: usize = 50;
/// How far an operator leans before it has heard anything, by level, and how far its mood may carry it, in tenths of a point.
const LEAN_MAX: [usize; 3] = [38, 28, 20];
const MOOD_MAX: usize = 10;

/// What the mind in this seat sends now.
pub(super) fn speak(hall: &Hall<'_, Trolley>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
    let Some(room) = Room::of(hall, said) else { return json!({}) };
    match room.state.phase {
        Phase::Debate { step, .. } => room.argue(seat, step, key),
        Phase::AwaitingDecision => room.judge(key),
        Phase::Dealing | Phase::Resolved(_) | Phase::Completed(_) => json!({}),
    }
}

/// What a mind speaks and decides from.
pub(super) struct Room<'a> {
    hall: &'a Hall<'a, Trolley>,
    pub(super) state: &'a State,
    library: &'static Library,
    said: &'a [Entry],
    pub(super) speeches: Vec<Speech<'a>>,
}

/// A speech of the present round, as it was heard.
pub(super) struct Speech<'a> {
    pub(super) seat: Seat,
    pub(super) side: Side,
    pub(super) entry: &'a Entry,
    pub(super) reading: Reading,
}

/// What an operator makes of a round.
pub(super) struct Judged {
    pub(super) saved: Side,
    /// The speech that decided, if one did, by its place among the speeches.
    pub(super) decisive: Option<usize>,
    /// Whether it decided against its own speaker.
    pub(super) against: bool,
}

impl<'a> Room<'a> {
    pub(super) fn of(hall: &'a Hall<'a, Trolley>, said: &'a [Entry]) -> Option<Self> {
        let state = hall.state?;
        let of_round = said.iter().filter(|entry| entry.line.round == Some(state.round));
        let spoken: Vec<(Seat, Side, &Entry, &str)> = of_round
            .filter_map(|entry| {
                let seat = entry.line.seat?;
                Some((seat, side_of(state.roles.of(seat)?)?, entry, entry.line.text.as_deref()?))
            })
            .collect();
        let texts: Vec<(Option<Side>, &str)> = spoken.iter().map(|(_, side, _, text)| (Some(*side), *text)).collect();
        let readings = hearing::ear().listen(hall.terms.lang, &texts);
        let library = library(hall.terms.lang);
        let heard = |((seat, side, entry, text), reading): ((Seat, Side, &'a Entry, &str), Reading)| {
            // The house's own pleas and remarks argue nothing.
            let courtesy = library.pointless().any(|line| is_line(line, text));
            Speech { seat, side, entry, reading: if courtesy { reading.of_a_courtesy() } else { reading } }
        };
        let speeches = spoken.into_iter().zip(readings).map(heard).collect();
        Some(Room { hall, state, library, said, speeches })
    }

    fn name(&self, seat: Seat) -> &str {
        self.hall.roster.name(seat)
    }

    fn angles(&self, side: Side) -> &'static BTreeMap<String, Lines> {
        match side {
            Side::First => &self.library.majority,
            Side::Second => &self.library.minority,
        }
    }

    /// Whether this line was said in the game, or given as the reason for a decision.
    fn was_said(&self, line: &str) -> bool {
        let reason = |entry: &'a Entry| entry.line.payload.as_ref()?["reason"].as_str();
        self.said
            .iter()
            .filter_map(|entry| entry.line.text.as_deref().or_else(|| reason(entry)))
            .any(|text| is_line(line, text))
    }

    /// A line that nobody has said in this game, whatever names stood in it; any of them if all have been said. Lines that
    /// the players do not know from earlier games come first.
    fn fresh(&self, lines: &[&String], slots: &[(&str, &str)], draw: &mut Draw) -> Option<String> {
        let mut order = lines.to_vec();
        draw.shuffle(&mut order);
        order.sort_by_key(|line| self.hall.known.has(LineId::of(line)));
        let fresh = order.iter().find(|line| !self.was_said(line)).or(order.first());
        fresh.map(|line| fill(line, slots).chars().take(TEXT_LEN_MAX).collect())
    }
}

/// What players on the tracks say.
impl Room<'_> {
    fn argue(&self, seat: Seat, step: Step, mut key: MindKey) -> Value {
        let role = self.state.roles.of(seat).unwrap_or(Role::Minority);
        let side = side_of(role).unwrap_or(Side::Second);
        let level = self.hall.terms.level.unwrap_or_else(|| Level::dealt(&mut key.persona)) as usize;
        let rival = self.speeches.iter().rev().find(|speech| speech.side != side);
        let text = self.remark(rival, side, step, &mut key.turn).or_else(|| self.plea(side, level, &mut key.turn));
        let text = text.unwrap_or_else(|| self.argument(side, step, rival, &mut key));
        json!({"type": "argument", "text": text})
    }

    /// A remark on a rival who granted a point, spoke nonsense, or has made no argument this round.
    fn remark(&self, rival: Option<&Speech<'_>>, side: Side, step: Step, draw: &mut Draw) -> Option<String> {
        let rival = rival.filter(|_| step != Step::First && draw.odds(REMARKS_PERCENT, 100))?;
        // Once per side in a round, and never about another remark.
        let of_side = self.speeches.iter().filter(|speech| speech.side == side || speech.entry.seq == rival.entry.seq);
        let mut texts = of_side.filter_map(|speech| speech.entry.line.text.as_deref());
        if texts.any(|text| self.library.remarks().any(|line| is_line(line, text))) {
            return None;
        }
        // A rival who has argued in this round is not said to have no argument.
        let argued = |speech: &Speech<'_>| speech.seat == rival.seat && !speech.reading.points.is_empty();
        let has_argued = self.speeches.iter().any(argued);
        let granted = rival.reading.main().filter(|main| hearing::grants(main, rival.side));
        let point = granted.and_then(|main| self.library.points.get(&main.point));
        let lines = match (point, rival.reading.language) {
            (Some(_), _) => &self.library.granted,
            (None, Language::Salad | Language::Nothing) => &self.library.nonsense,
            (None, Language::Speech) if !has_argued => &self.library.unheard,
            (None, Language::Speech) => return None,
        };
        let unsaid: Vec<&String> = lines.iter().filter(|line| !self.was_said(line)).collect();
        let operator = self.name(self.state.roles.operator);
        let slots =
            [("rival", self.name(rival.seat)), ("point", point.map_or("", String::as_str)), ("operator", operator)];
        self.fresh(&unsaid, &slots, draw)
    }

    /// Now and then, depending on the level, a plea without an argument.
    fn plea(&self, side: Side, level: usize, draw: &mut Draw) -> Option<String> {
        let lines = match side {
            Side::First => &self.library.weak.majority,
            Side::Second => &self.library.weak.minority,
        };
        let unsaid: Vec<&String> = lines.iter().filter(|line| !self.was_said(line)).collect();
        let weak = draw.odds(WEAK_PERCENT[level], 100);
        let slots = [("operator", self.name(self.state.roles.operator))];
        weak.then(|| self.fresh(&unsaid, &slots, draw)).flatten()
    }

    fn argument(&self, side: Side, step: Step, rival: Option<&Speech<'_>>, key: &mut MindKey) -> String {
        let (us, them) = match side {
            Side::First => (self.state.roles.majority.len(), self.state.roles.minority.len()),
            Side::Second => (self.state.roles.minority.len(), self.state.roles.majority.len()),
        };
        // With one player on each track, only an angle's first two lines do not claim to be more.
        let few = us <= them && side == Side::First;
        // Only the other side's own points are answered; what it said against ours is not worth quoting.
        let point = rival.and_then(|speech| speech.reading.main());
        let point = point.filter(|main| self.angles(side.other()).contains_key(&main.point));
        let point = point.and_then(|main| self.library.points.get(&main.point)).map(String::as_str);
        let operator = self.name(self.state.roles.operator);
        let (us, them) = (us.to_string(), them.to_string());
        let slots = [
            ("operator", operator),
            ("us", us.as_str()),
            ("them", &them),
            ("rival", rival.map_or("", |speech| self.name(speech.seat))),
            ("point", point.unwrap_or_default()),
        ];
        let usable = |angle: &str| -> Vec<&'static String> {
            let lines = &self.angles(side)[angle];
            // A rival who was not understood is not answered.
            let lines = match (step, rival, point) {
                (Step::Third, Some(_), _) => &lines.appeal,
                (Step::Second, Some(_), Some(_)) => &lines.answer,
                (Step::First | Step::Second | Step::Third, _, _) => &lines.opening,
            };
            lines[..if few { lines.len().min(2) } else { lines.len() }].iter().collect()
        };
        let angles = self.liked_angles(side, key);
        // First an angle with a line that the players have never heard, then one with a line that was not said in this game, then any.
        let lines_where = |is_free: &dyn Fn(&str) -> bool| {
            let of = |angle: &&str| usable(angle).into_iter().filter(|line| is_free(line)).collect::<Vec<_>>();
            angles.iter().map(of).find(|lines| !lines.is_empty())
        };
        let lines = lines_where(&|line| !self.was_said(line) && !self.hall.known.has(LineId::of(line)))
            .or_else(|| lines_where(&|line| !self.was_said(line)))
            .or_else(|| lines_where(&|_| true))
            .unwrap_or_default();
        self.fresh(&lines, &slots, &mut key.turn).unwrap_or_default()
    }

    /// The angles of a side: those that it has used least this round first, then by the speaker's taste, with a random one of the first
    /// `CHOICE` in front.
    fn liked_angles(&self, side: Side, key: &mut MindKey) -> Vec<&'static str> {
        let mut liked: Vec<&'static str> = self.angles(side).keys().map(String::as_str).collect();
        key.persona.shuffle(&mut liked);
        let own = self.speeches.iter().filter(|speech| speech.side == side);
        let heard: Vec<&str> = own.filter_map(|speech| speech.reading.main()).map(|main| main.point.as_str()).collect();
        // Stable, so that among equally fresh angles the speaker's own taste decides.
        liked.sort_by_key(|angle| heard.iter().filter(|heard| *heard == angle).count());
        let choice = CHOICE.min(liked.len());
        liked[..choice].rotate_left(key.turn.below(choice));
        liked
    }
}

/// How the operator decides, and the reason it gives.
impl Room<'_> {
    /// What each speech is worth to its own side and to the other, and how far that leans to the many (positive) or the few.
    fn weighed(&self, mut key: MindKey) -> (Vec<(Side, i32, i32)>, i32) {
        let level = self.hall.terms.level.unwrap_or_else(|| Level::dealt(&mut key.persona)) as usize;
        let about = |draw: &mut Draw, most: usize| draw.below(2 * most + 1) as i32 - most as i32;
        let lean = about(&mut key.persona, LEAN_MAX[level]);
        let taste = Taste::of(&mut key.persona);
        let mood = about(&mut key.turn, MOOD_MAX);
        let worth = |(place, speech): (usize, &Speech<'_>)| {
            let (own, other) = taste.weigh(speech.side, &speech.reading, self.argued(place));
            (speech.side, own, other)
        };
        let weighed: Vec<(Side, i32, i32)> = self.speeches.iter().enumerate().map(worth).collect();
        // By the mean, so that the many have no more of a say for being many; a speech without a point lowers its side's mean.
        let of = |side: Side| weighed.iter().filter(move |(of, ..)| *of == side);
        let turns = |side: Side| of(side).count().max(1) as i32;
        let mean = |side: Side| {
            let own: i32 = of(side).map(|(_, worth, _)| worth).sum();
            let given: i32 = of(side.other()).map(|(_, _, other)| other).sum();
            own * 10 / turns(side) + given * 10 / turns(side.other())
        };
        let balance = mean(Side::First) - mean(Side::Second) + lean + mood;
        (weighed, balance)
    }

    /// How far the operator leans to the many (positive) or the few, in tenths of a point.
    pub(super) fn balance(&self, key: MindKey) -> i32 {
        self.weighed(key).1
    }

    fn judged(&self, key: MindKey) -> Judged {
        let (weighed, balance) = self.weighed(key);
        let saved = if balance >= 0 { Side::First } else { Side::Second };
        let worth = |(side, own, other): &(Side, i32, i32)| if *side == saved { *own } else { *other };
        let best = weighed.iter().enumerate().max_by_key(|(place, weighed)| (worth(weighed), usize::MAX - place));
        let decisive = best.filter(|(_, weighed)| worth(weighed) > 0).map(|(place, _)| place);
        let against = decisive.is_some_and(|place| self.speeches[place].side != saved);
        Judged { saved, decisive, against }
    }

    /// Whether the point of the speech at this place was made before in the round, and by whom.
    fn argued(&self, place: usize) -> Argued {
        let speech = &self.speeches[place];
        let Some(main) = speech.reading.main() else { return Argued::Anew };
        let same = |before: &&Speech<'_>| {
            let point = before.reading.main();
            point.is_some_and(|point| point.point == main.point && point.helps == main.helps)
        };
        let before = || self.speeches[..place].iter().filter(same);
        if before().any(|before| before.seat == speech.seat) {
            Argued::BySpeaker
        } else if before().next().is_some() {
            Argued::ByOthers
        } else {
            Argued::Anew
        }
    }

    fn judge(&self, mut key: MindKey) -> Value {
        let mut words = Draw::from_number(key.turn.bits());
        let judged = self.judged(key);
        let decision = match judged.saved {
            Side::First => Decision::SaveMajority,
            Side::Second => Decision::SaveMinority,
        };
        let speech = judged.decisive.map(|place| &self.speeches[place]);
        let angle = speech.and_then(|speech| speech.reading.main()).map(|main| main.point.as_str());
        let any = self.speeches.iter().any(|speech| !speech.reading.points.is_empty());
        let about = match angle {
            Some(_) if judged.against => "against",
            Some(angle) => angle,
            None if any => "nobody",
            None => "silence",
        };
        let lines: Vec<&String> = self.library.reasons.get(about).into_iter().flatten().collect();
        let speaker = speech.map_or("", |speech| self.name(speech.seat));
        let reason = self.fresh(&lines, &[("speaker", speaker)], &mut words).unwrap_or_default();
        json!({
            "type": "decision", "decision": decision.word(), "reason": reason,
            "decisive_argument_id": speech.map(|speech| Inner::Argument.name(self.hall.id, speech.entry.seq.0)),
        })
    }
}

/// The angles that a speech on the tracks argues from, taken by itself.
pub(super) fn heard(hall: &Hall<'_, Trolley>, entry: &Entry) -> Option<Vec<Point>> {
    let text = entry.line.text.as_deref().filter(|_| entry.line.seat.is_some())?;
    let library = library(hall.terms.lang);
    if library.pointless().any(|line| is_line(line, text)) {
        return Some(vec![]);
    }
    let point = |heard: &Heard| {
        let helps = heard.helps.map(|side| match side {
            Side::First => Role::Majority.word(),
            Side::Second => Role::Minority.word(),
        });
        Some(Point { point: library.points.get(&heard.point)?.clone(), stance: heard.stance.word(), helps })
    };
    Some(hearing::ear().read(hall.terms.lang, None, text).points.iter().filter_map(point).collect())
}
