//! The house minds of the court: counsel argue from the case and answer each other, the judge leads and asks, and jurors start with a
//! leaning of their own, move with what they hear and vote accordingly.
//!
//! A pure function of what the seat may know and a key of its own. Nobody's vote is decided beforehand, and no line claims that a speech
//! said what was not heard in it.

use super::Trial;
use super::docket::{self, Case, Counsel, Court};
use super::hearing::{FactId, side_of};
use super::house::{Library, library};
use super::jury::{self, Effect, Juror, Weighed};
use super::rules::JURORS;
use super::state::{Phase, State};
use super::words::{Role, TEXT_LEN_MAX, Verdict};
use crate::listening::{Heard, Manner, Side, Stance};
use crate::speech::{fill, is_line};
use engine::chance::Draw;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::lines::{Known, LineId};
use engine::parts::transcript::Entry;
use engine::roster::Level;
use engine::rules::{MindKey, Point};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A juror leans if its belief is at least this far from zero, in hundredths of a point.
const LEANS: i32 = 400;
/// The lowest [`Heard::sure`] at which an admission is thrown back at its speaker.
const ADMITTED_SURE: u8 = 45;
/// How often counsel speak without an argument, by level, in a hundred.
const WEAK_PERCENT: [usize; 3] = [55, 44, 10];
/// How often counsel answer what was said rather than bring something new, by level, in a hundred.
const ANSWERS_PERCENT: [usize; 3] = [35, 60, 75];
/// How often counsel remark on a speech of the other side that admitted something or made no argument, in a hundred.
const REMARKS_PERCENT: usize = 60;
/// How often the judge sums up rather than asking, in a hundred.
const SUMS_UP_PERCENT: usize = 40;

/// What the mind in this seat sends now.
pub(super) fn speak(hall: &Hall<'_, Trial>, said: &[Entry], seat: Seat, key: MindKey) -> Value {
    let Some(room) = Room::of(hall, said) else { return json!({}) };
    match (&room.state.phase, room.state.role(seat)) {
        (Phase::JuryVote { .. }, _) => room.vote(seat, key),
        (Phase::Verdict(count), _) => room.say(
            match count.verdict {
                Verdict::Guilty => &room.court.judge.guilty,
                Verdict::NotGuilty => &room.court.judge.not_guilty,
            },
            key,
        ),
        (_, Some(Role::Prosecutor)) => room.argue(Side::First, key),
        (_, Some(Role::Defense)) => room.argue(Side::Second, key),
        (_, Some(Role::Judge)) => room.lead(key),
        (_, Some(Role::Juror) | None) => room.react(seat, key),
    }
}

/// What a mind speaks and votes from.
pub(super) struct Room<'a> {
    pub(super) state: &'a State,
    pub(super) case: &'a Case,
    court: Cow<'static, Court>,
    library: &'static Library,
    level: Option<Level>,
    known: &'a Known,
    said: &'a [Entry],
    /// Counsel's speeches, weighed, each with its place in `said`.
    pub(super) heard: Vec<(usize, Weighed)>,
}

impl<'a> Room<'a> {
    pub(super) fn of(hall: &Hall<'a, Trial>, said: &'a [Entry]) -> Option<Self> {
        let state = hall.state?;
        let case = state.case.as_deref()?;
        let library = library(state.lang);
        let docket = docket::docket();
        let court = docket.spoken_court(state.lang, case);
        let speech = |(place, entry): (usize, &'a Entry)| {
            let side = side_of(state.role(entry.line.seat?)?)?;
            Some((place, (side, entry.line.text.as_deref()?)))
        };
        let (places, speeches): (Vec<usize>, Vec<(Side, &str)>) = said.iter().enumerate().filter_map(speech).unzip();
        let mut weighed = jury::weigh_all(&docket.ear(state.lang, case), state.lang, &speeches);
        for (weighed, (side, text)) in weighed.iter_mut().zip(&speeches) {
            let counsel = court.counsel(*side);
            weighed.sums_up = counsel.opening.iter().chain(&counsel.closing).any(|line| line == text);
        }
        let heard = places.into_iter().zip(weighed).collect();
        Some(Room { state, case, court, library, level: hall.terms.level, known: hall.known, said, heard })
    }

    fn was_said(&self, line: &str) -> bool {
        self.said.iter().filter_map(|entry| entry.line.text.as_deref()).any(|text| is_line(line, text))
    }

    /// One of these lines that has not been said in this trial, whatever stood in its slots; any of them if all have been. Lines
    /// that the players do not know from earlier trials come first.
    fn fresh(&self, lines: &[String], slots: &[(&str, &str)], draw: &mut Draw) -> String {
        let mut order: Vec<&String> = lines.iter().collect();
        draw.shuffle(&mut order);
        order.sort_by_key(|line| self.known.has(LineId::of(line)));
        let fits = |line: &&&String| fill(line, slots).chars().count() <= TEXT_LEN_MAX;
        let fresh = order.iter().filter(fits).find(|line| !self.was_said(line));
        let line = fresh.or_else(|| order.iter().find(fits)).or(order.first());
        line.map(|line| fill(line, slots)).unwrap_or_default().chars().take(TEXT_LEN_MAX).collect()
    }

    fn has_fresh(&self, lines: &[String]) -> bool {
        lines.iter().any(|line| !self.was_said(line))
    }

    fn say(&self, lines: &[String], mut key: MindKey) -> Value {
        json!({"type": "speak", "text": self.fresh(lines, &[], &mut key.turn)})
    }

    fn speech(&self, lines: &[String], slots: &[(&str, &str)], draw: &mut Draw) -> Value {
        json!({"type": "speak", "text": self.fresh(lines, slots, draw)})
    }

    fn counsel(&self, side: Side) -> &Counsel {
        self.court.counsel(side)
    }

    fn label(&self, effect: &Effect) -> Option<&str> {
        let fact = effect.fact?;
        // The side that the fact helps has a label for arguing it, the other side one for answering it.
        let side = if effect.answered { fact.side.other() } else { fact.side };
        let counsel = self.counsel(side);
        let points = if effect.answered { &counsel.answers } else { &counsel.evidence };
        points.get(fact.place).map(|point| point.label.as_str())
    }

    /// Whether anything said about this fact has helped this side.
    fn has_made(&self, side: Side, fact: FactId) -> bool {
        let effects = self.heard.iter().flat_map(|(_, weighed)| &weighed.effects);
        effects.into_iter().any(|effect| effect.fact == Some(fact) && effect.helps == side)
    }
}

/// What counsel say: an answer to the judge first, then to the other side, then something new.
impl Room<'_> {
    fn argue(&self, side: Side, mut key: MindKey) -> Value {
        let level = self.level.unwrap_or_else(|| Level::dealt(&mut key.persona)) as usize;
        let (counsel, manners) = (self.counsel(side), self.library.counsel.of(side));
        let draw = &mut key.turn;
        if let Phase::Opening { .. } = self.state.phase {
            return self.speech(&counsel.opening, &[], draw);
        }
        // Counsel who have just spoken without an argument bring one now, so that no trial goes by without any; so do counsel whom the
        // judge has asked, and counsel in the rebuttal.
        let asked = self.asked(side).map(|fact| (fact, fact.side != side));
        let closes = matches!(self.state.phase, Phase::Rebuttal { .. });
        let owes = closes || asked.is_some() || self.last_of(side).is_some_and(|own| own.effects.is_empty());
        // A remark is on the last speech, if that was the other side's.
        let last = self.heard.last().map(|(_, weighed)| weighed).filter(|last| last.by != side);
        if let Some(last) = last.filter(|_| !owes && draw.odds(REMARKS_PERCENT, 100)) {
            // A half-heard admission does not count.
            let surely = last.reading.main().is_some_and(|main| main.sure >= ADMITTED_SURE);
            let admitted = last.strongest().filter(|effect| surely && effect.helps == side);
            let admitted = admitted.and_then(|effect| self.label(effect));
            let remark = match (admitted, last) {
                (Some(point), _) => Some((&manners.admitted, vec![("point", point)])),
                (None, last) if last.is_nonsense() => Some((&manners.nonsense, vec![])),
                (None, last) if last.has_no_argument() => Some((&manners.unheard, vec![])),
                (None, _) => None,
            };
            // Once, and then back to the case.
            if let Some((lines, slots)) = remark.filter(|(lines, _)| lines.iter().all(|line| !self.was_said(line))) {
                return self.speech(lines, &slots, draw);
            }
        }
        if !owes && draw.odds(WEAK_PERCENT[level], 100) && self.has_fresh(&manners.weak) {
            return self.speech(&manners.weak, &[], draw);
        }
        let chosen = asked.or_else(|| self.choose(side, level, draw));
        let lines = chosen.map(|(fact, answers)| {
            let points = if answers { &counsel.answers } else { &counsel.evidence };
            &points[fact.place].lines
        });
        let lines = lines.filter(|lines| self.has_fresh(lines)).unwrap_or(&counsel.closing);
        self.speech(if self.has_fresh(lines) { lines } else { &manners.weak }, &[], draw)
    }

    fn last_of(&self, side: Side) -> Option<&Weighed> {
        self.heard.iter().rev().map(|(_, weighed)| weighed).find(|weighed| weighed.by == side)
    }

    /// The fact that the judge has asked this side about and that it has not spoken of since.
    fn asked(&self, side: Side) -> Option<FactId> {
        let (place, question) = self.said.iter().enumerate().rev().find_map(|(place, entry)| {
            let text = entry.line.text.as_deref()?;
            let question = self.court.judge.questions.iter().find(|question| question.text == text)?;
            Some((place, question))
        })?;
        let fact = FactId::named(question.about.as_deref()?).filter(|_| question.to.asks(side))?;
        let about =
            |weighed: &Weighed| weighed.by == side && weighed.effects.iter().any(|effect| effect.fact == Some(fact));
        let since = self.heard.iter().filter(|(at, _)| *at > place);
        (!since.into_iter().any(|(_, weighed)| about(weighed))).then_some(fact)
    }

    /// A fact to argue, or one to answer (`true`).
    fn choose(&self, side: Side, level: usize, draw: &mut Draw) -> Option<(FactId, bool)> {
        let facts = |of: Side| FactId::all(self.case).filter(move |fact| fact.side == of);
        let mut new: Vec<FactId> = facts(side).filter(|fact| !self.has_made(side, *fact)).collect();
        draw.shuffle(&mut new);
        let open = facts(side.other()).filter(|fact| self.has_made(side.other(), *fact) && !self.has_made(side, *fact));
        // The fact that the other side spoke of last is answered first.
        let said_at = |fact: &FactId| {
            let about = |weighed: &Weighed| {
                weighed.by != side && weighed.effects.iter().any(|effect| effect.fact == Some(*fact))
            };
            self.heard.iter().rposition(|(_, weighed)| about(weighed))
        };
        let answer = open.max_by_key(said_at).map(|fact| (fact, true));
        let new = new.first().map(|fact| (*fact, false));
        match (answer, new) {
            (Some(answer), Some(_)) if draw.odds(ANSWERS_PERCENT[level], 100) => Some(answer),
            (answer, new) => new.or(answer),
        }
    }
}

/// What the judge says; it reacts only to what was heard since it last spoke.
impl Room<'_> {
    /// Opens; then calls to order, sums up or asks.
    fn lead(&self, mut key: MindKey) -> Value {
        let draw = &mut key.turn;
        let lines = &self.library.judge;
        if let Phase::Opening { .. } = self.state.phase {
            return self.speech(&self.court.judge.opening, &[], draw);
        }
        let since = self.said.iter().rposition(|entry| {
            let role = entry.line.seat.and_then(|seat| self.state.role(seat));
            role == Some(Role::Judge) && entry.line.text.is_some()
        });
        let new = self.heard.iter().filter(|(place, _)| since.is_none_or(|since| *place > since));
        let rebuke = new.map(|(_, weighed)| weighed).find_map(|weighed| match weighed.reading.manner {
            _ if weighed.sums_up => None,
            _ if weighed.is_nonsense() => Some((weighed.by, &lines.nonsense)),
            Some(Manner::Order) => Some((weighed.by, &lines.order)),
            Some(Manner::Slogan | Manner::OffTopic) => Some((weighed.by, &lines.no_argument)),
            Some(Manner::Filler) | None => None,
        });
        if let Some((side, rebukes)) = rebuke.filter(|(_, rebukes)| self.has_fresh(rebukes)) {
            return self.speech(rebukes, &[("counsel", lines.counsel(side))], draw);
        }
        let latest = |side: Side| {
            let effects = self.heard.iter().rev().filter_map(|(_, weighed)| weighed.strongest());
            effects.into_iter().find(|effect| effect.helps == side).and_then(|effect| self.label(effect))
        };
        if let (Some(point), Some(other)) = (latest(Side::First), latest(Side::Second))
            && self.has_fresh(&lines.sum_up)
            && draw.odds(SUMS_UP_PERCENT, 100)
        {
            return self.speech(&lines.sum_up, &[("point", point), ("other", other)], draw);
        }
        let questions: Vec<String> = self.court.judge.questions.iter().map(|question| question.text.clone()).collect();
        self.speech(if self.has_fresh(&questions) { &questions } else { &lines.steer }, &[], draw)
    }
}

/// What jurors say and how they vote; both follow from the same belief.
impl Room<'_> {
    pub(super) fn juror(&self, persona: &mut Draw) -> Juror {
        Juror::of(persona, self.level, self.case)
    }

    pub(super) fn side_word(&self, side: Side) -> &'static str {
        match side {
            Side::First => &self.library.juror.side_guilty,
            Side::Second => &self.library.juror.side_not_guilty,
        }
    }

    /// A juror says where it stands, and what brought it there.
    fn react(&self, seat: Seat, mut key: MindKey) -> Value {
        let juror = self.juror(&mut key.persona);
        let (lines, draw) = (&self.library.juror, &mut key.turn);
        if let Phase::Opening { .. } = self.state.phase {
            // Counts counsel's openings, so that its later lines agree with what it says here.
            let lines = match juror.belief(self.heard.iter().map(|(_, weighed)| weighed)) {
                LEANS.. => &lines.leaning_guilty,
                lean if lean <= -LEANS => &lines.leaning_not_guilty,
                _ => &lines.neutral,
            };
            return self.speech(lines, &[], draw);
        }
        // What counsel said since this juror spoke last.
        let since = self.said.iter().rposition(|entry| entry.line.seat == Some(seat) && entry.line.text.is_some());
        let known = self.heard.partition_point(|(place, _)| since.is_some_and(|since| *place < since));
        let all = || self.heard.iter().map(|(_, weighed)| weighed);
        let (before, now) = (juror.belief(all().take(known)), juror.belief(all()));
        let new: Vec<&Weighed> = all().skip(known).collect();
        let strongest = |side: Side| {
            let effects = new.iter().flat_map(|weighed| &weighed.effects).filter(|effect| effect.helps == side);
            let strongest = effects.max_by_key(|effect| juror.moved_by(effect).abs());
            strongest.filter(|effect| juror.moved_by(effect) != 0).and_then(|effect| self.label(effect))
        };
        let (guilt, doubt) = (strongest(Side::First), strongest(Side::Second));
        let side = verdict_side(now);
        let word = self.side_word(side);
        let (own, other) = if side == Side::First { (guilt, doubt) } else { (doubt, guilt) };
        let (was_open, is_open) = (before.abs() < LEANS, now.abs() < LEANS);
        let was = verdict_side(before);
        let undoing = if was == Side::First { doubt } else { guilt };
        if let Some(point) = undoing.filter(|_| is_open && !was_open) {
            return self.speech(&lines.undone, &[("point", point), ("side", self.side_word(was))], draw);
        }
        match (own, other) {
            (Some(own), Some(other)) if is_open => {
                let (point, other) = if side == Side::First { (own, other) } else { (other, own) };
                self.speech(&lines.torn, &[("point", point), ("other", other)], draw)
            }
            (Some(point), _) | (_, Some(point)) if is_open => self.speech(&lines.open, &[("point", point)], draw),
            (Some(own), _) if was_open => self.speech(&lines.decided, &[("point", own), ("side", word)], draw),
            (Some(own), _) if was != side => self.speech(&lines.turned, &[("point", own), ("side", word)], draw),
            (Some(own), _) if now.abs() > before.abs() => {
                self.speech(&lines.surer, &[("point", own), ("side", word)], draw)
            }
            (_, Some(other)) if now.abs() < before.abs() => {
                self.speech(&lines.shaken, &[("point", other), ("side", word)], draw)
            }
            (Some(_), _) | (_, Some(_)) => self.speech(&lines.settled, &[("side", word)], draw),
            (None, None) if new.iter().any(|weighed| weighed.is_nonsense()) => self.speech(&lines.nonsense, &[], draw),
            (None, None) if new.iter().all(|weighed| weighed.has_no_argument()) => {
                self.speech(&lines.nothing, &[], draw)
            }
            (None, None) if is_open => self.speech(&lines.middle, &[], draw),
            (None, None) => self.speech(&lines.settled, &[("side", word)], draw),
        }
    }

    /// How sure the juror with this character is of guilt after all that was said, in hundredths.
    pub(super) fn belief(&self, persona: &mut Draw) -> i32 {
        self.juror(persona).belief(self.heard.iter().map(|(_, weighed)| weighed))
    }

    fn vote(&self, seat: Seat, mut key: MindKey) -> Value {
        let juror = self.juror(&mut key.persona);
        let side = verdict_side(juror.belief(self.heard.iter().map(|(_, weighed)| weighed)));
        let verdict = if side == Side::First { Verdict::Guilty } else { Verdict::NotGuilty };
        let effects = self.heard.iter().flat_map(|(_, weighed)| &weighed.effects).filter(|effect| effect.helps == side);
        let heaviest = effects.max_by_key(|effect| juror.moved_by(effect).abs()).and_then(|effect| self.label(effect));
        let (lines, word) = (&self.library.juror, self.side_word(side));
        // Votes are sealed, so no juror knows what another says: each has lines of its own.
        let place = self.state.roles[..seat.index()].iter().filter(|role| **role == Role::Juror).count();
        let share = |lines: &'static [String]| lines.chunks(lines.len().div_ceil(JURORS)).nth(place).unwrap_or(lines);
        let reason = match heaviest {
            Some(point) => self.fresh(share(&lines.reason), &[("point", point), ("side", word)], &mut key.turn),
            None => self.fresh(share(&lines.reason_alone), &[("side", word)], &mut key.turn),
        };
        json!({"type": "vote", "verdict": verdict.word(), "reason": reason})
    }
}

/// The side that a juror of this belief votes for. Exactly in the middle, it acquits.
pub(super) fn verdict_side(belief: i32) -> Side {
    if belief > 0 { Side::First } else { Side::Second }
}

/// The points that a speech of counsel makes, taken by itself.
pub(super) fn heard(hall: &Hall<'_, Trial>, entry: &Entry) -> Option<Vec<Point>> {
    let room = Room::of(hall, std::slice::from_ref(entry))?;
    let (_, weighed) = room.heard.first()?;
    let point = |heard: &Heard| {
        let effect = Effect {
            fact: FactId::named(&heard.point),
            answered: heard.stance == Stance::Denies,
            helps: heard.helps?,
            gain: 0,
        };
        let helps = match effect.helps {
            Side::First => "prosecution",
            Side::Second => "defense",
        };
        Some(Point { point: room.label(&effect)?.to_owned(), stance: heard.stance.word(), helps: Some(helps) })
    };
    Some(weighed.reading.points.iter().filter_map(point).collect())
}
