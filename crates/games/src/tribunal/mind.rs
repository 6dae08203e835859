//! The house minds of the Tribunal: a bench that weighs, an accused that is tempted and learns, a prosecutor that argues from the
//! record; and the intern, who drafts for the prosecutor.
//!
//! They are pure functions of what the seat may know and of its own key. What the accused has learned comes with its memory.

use super::Tribunal;
use super::bench::{self, Hearing, Plea};
use super::docket::{self, Angle, Attack, Brief, Case, Exhibit, Favours, Script, Temptation};
use super::hearing::HeardText;
use super::house::{self, sentence};
use super::state::{self, Memory, Phase, State};
use super::words::{ATTACK_LEN, Role, TEXT_LEN_MAX};
use crate::listening::Side;
use crate::speech::{self, fill};
use engine::chance::Draw;
use engine::facts::{Fate, Manner};
use engine::game::Hall;
use engine::id::{Seat, Seq};
use engine::parts::lines::Known;
use engine::parts::shingles::likeness;
use engine::parts::transcript::Entry;
use engine::roster::Level;
use engine::rules::MindKey;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The likeness to a remembered defense, in percent, from which an angle counts as tried.
const TRIED_PERCENT: usize = 50;
/// How many struck defenses make the accused careful.
const BURNT: usize = 1;
/// How often the accused has a weak day, by level, in percent: it admits what was argued, or answers beside the point.
const WEAK_PERCENT: [usize; 3] = [55, 7, 0];
/// How often it then admits it, in percent.
const ADMITS_PERCENT: usize = 20;
/// How often it has prepared the best answer it could give, by level, in percent.
const READY_PERCENT: [usize; 3] = [0, 30, 100];
/// How often a prosecutor sets a trap, and how often it comes back to what it has argued already, by level, in percent.
const TRAPS_PERCENT: [usize; 3] = [0, 24, 75];
const STUBBORN_PERCENT: [usize; 3] = [100, 80, 10];

pub(super) fn speak(hall: &Hall<'_, Tribunal>, said: &[Entry], seat: Seat, mut key: MindKey) -> Value {
    let (Some(state), Some(role)) = (hall.state, Role::of(seat)) else { return json!({}) };
    let Some(case) = state.case.as_deref() else { return json!({}) };
    let brief = docket::docket().brief(state.lang, case);
    let room = Room { state, case, brief, said, known: hall.known, level: hall.terms.level };
    match (role, &state.phase) {
        (Role::Bench, Phase::Ruling(..)) => room.rule(&mut key.turn),
        (Role::Bench, Phase::BurdenRuling(_)) => room.rule_burden(&mut key.turn),
        (Role::Prosecutor, Phase::Attack) => room.attack(key),
        (Role::Accused, Phase::Answer(_, memory)) => room.answer(memory, key),
        (Role::Accused, Phase::Burden(_, memory)) => room.substantiate(memory, &mut key.turn),
        (Role::Bench | Role::Prosecutor | Role::Accused, _) => json!({}),
    }
}

/// A draft of an attack on each character: a line of the case file that has not been said, or else one made from the record. It is free,
/// and the same for the whole exchange. Only the prosecutor has an intern, and only before it speaks.
pub fn intern(hall: &Hall<'_, Tribunal>, said: &[Entry], seat: Seat) -> BTreeMap<String, String> {
    let (Some(state), Some(Role::Prosecutor)) = (hall.state, Role::of(seat)) else { return BTreeMap::new() };
    let (Phase::Attack, Some(case)) = (&state.phase, state.case.as_deref()) else { return BTreeMap::new() };
    let brief = docket::docket().brief(state.lang, case);
    let room = Room { state, case, brief, said, known: hall.known, level: hall.terms.level };
    // By game and exchange, so that an intern neither changes its mind nor hands every player the same page.
    let turn = (hall.id.0.as_u128() % 1009) as usize + usize::from(state.exchange());
    let draft = |(place, id): (usize, &String)| Some((id.clone(), room.draft(id, turn + place)?));
    let ids: Vec<&String> = case.characters.iter().map(|character| &character.id).collect();
    ids.into_iter().enumerate().filter_map(draft).collect()
}

/// What a mind has before it.
struct Room<'a> {
    state: &'a State,
    case: &'a Case,
    brief: Option<&'static Brief>,
    said: &'a [Entry],
    known: &'a Known,
    level: Option<Level>,
}

/// An attack that could be made.
struct Line {
    attack: &'static Attack,
    text: &'static str,
}

impl<'a> Room<'a> {
    fn text(&self, seq: Seq) -> Option<&'a str> {
        self.said.iter().find(|entry| entry.seq == seq)?.line.text.as_deref()
    }

    fn was_said(&self, line: &str) -> bool {
        self.said.iter().any(|entry| entry.line.text.as_deref() == Some(line))
    }

    /// Earlier attacks of this trial, each after the character that was attacked.
    fn attacks_before(&self) -> Vec<(&'a str, &'a str)> {
        let heard = self.state.closed.iter().map(|closed| &closed.heard);
        heard.filter_map(|heard| Some((heard.character.as_str(), self.text(heard.attack)?))).collect()
    }

    fn script(&self) -> Option<&'static Script> {
        self.brief?.script(&self.state.phase.heard()?.character)
    }

    // ---- the bench ----

    fn rule(&self, draw: &mut Draw) -> Value {
        let Some(heard) = self.state.phase.heard() else { return json!({}) };
        let answer = heard.answer.and_then(|answer| self.text(answer));
        let hearing = self.hearing(heard, answer);
        let found = bench::weigh(&hearing, &|text| self.repeats(text), draw);
        let mut act = json!({
            "type": "rule", "jury_shift": found.shift, "extraordinary": found.claim.is_some(),
            "reasons": found.reasons, "passage": found.passage,
        });
        if let Some(claim) = found.claim {
            act["claim"] = claim.into();
        }
        act
    }

    /// How much of a text was said before: sentences in this trial count most, then lines that the players know from earlier ones.
    fn repeats(&self, text: &str) -> (usize, usize) {
        let said = |sentence: &&str| {
            let mut texts = self.said.iter().filter_map(|entry| entry.line.text.as_deref());
            texts.any(|text| text.contains(sentence.trim()))
        };
        let known = docket::docket().lines_in(text).into_iter().filter(|line| self.known.has(*line));
        (speech::sentences(text).iter().filter(|sentence| said(sentence)).count(), known.count())
    }

    /// What the bench has before it, if this is the answer.
    fn hearing<'b>(&'b self, heard: &'b state::Exchange, answer: Option<&'b str>) -> Hearing<'b> {
        let ended = |end: Fate| self.state.commitments.iter().filter(move |made| made.met == Some(end));
        Hearing {
            lang: self.state.lang,
            case: self.case,
            brief: self.brief,
            character: &heard.character,
            attack: self.text(heard.attack).unwrap_or_default(),
            answer,
            attacks_before: self.attacks_before(),
            answers_before: self.state.closed.iter().filter_map(|closed| self.text(closed.heard.answer?)).collect(),
            proved: ended(Fate::Proved).map(|made| made.key.as_str()).collect(),
            struck: ended(Fate::Failed).map(|made| made.key.as_str()).collect(),
        }
    }

    fn rule_burden(&self, draw: &mut Draw) -> Value {
        let (Some(heard), Some(claim)) = (self.state.phase.heard(), self.state.claim()) else { return json!({}) };
        let Some(defense) = &heard.defense else { return json!({}) };
        let struck = self.state.closed.iter().filter(|closed| matches!(closed.heard.burden, Some((_, Fate::Failed))));
        let plea = Plea {
            lang: self.state.lang,
            case: self.case,
            brief: self.brief,
            character: &heard.character,
            key: &claim.key,
            label: &claim.label,
            mode: defense.mode,
            cited: &defense.evidence,
            text: defense.speech.and_then(|speech| self.text(speech)).unwrap_or_default(),
            struck_before: struck.filter_map(|closed| self.text(closed.heard.defense.as_ref()?.speech?)).collect(),
        };
        let (verdict, reasons) = bench::weigh_burden(&plea, &|text| self.repeats(text), draw);
        json!({"type": "rule_burden", "verdict": verdict.word(), "reasons": reasons})
    }

    // ---- the accused ----

    fn answer(&self, memory: &Memory, mut key: MindKey) -> Value {
        let level = self.level.unwrap_or_else(|| Level::dealt(&mut key.persona)) as usize;
        let draw = &mut key.turn;
        let attack = self.state.phase.heard().and_then(|heard| self.text(heard.attack)).unwrap_or_default();
        let text = self.script().zip(self.hear(Side::First, attack)).and_then(|(script, heard)| {
            if !heard.is_speech {
                return self.fresh(script.nonsense.iter(), draw);
            }
            // An attack that only reads out the file tempts nobody.
            let claim = if heard.is_file { None } else { self.tempted(script, &heard, memory, draw) };
            let has_met_it = !memory.is_empty();
            if claim.is_none() && !has_met_it && draw.odds(WEAK_PERCENT[level], 100) {
                let admits = draw.odds(ADMITS_PERCENT, 100).then(|| self.admission(script, &heard, draw)).flatten();
                let beside = script.plain.iter().filter(|line| self.claims_nothing(script, line));
                return admits.or_else(|| self.fresh(beside, draw));
            }
            let ready = has_met_it || draw.odds(READY_PERCENT[level], 100);
            claim
                .or_else(|| ready.then(|| self.prepared(script, draw)).flatten())
                .or_else(|| self.plain(script, &heard, draw))
        });
        // A case without lines, or one whose lines are spent: the accused stands on its plea.
        let pleads = house::library(self.state.lang).pleads.as_str();
        json!({"type": "answer", "text": text.unwrap_or(pleads)})
    }

    /// A text as the case hears it.
    fn hear(&self, side: Side, text: &str) -> Option<HeardText> {
        let ear = self.brief?.ear(self.case);
        Some(HeardText::new(&ear, self.state.lang, side, text))
    }

    /// Words that make the extraordinary claim, if the attack presses it and an untried angle on it is left.
    fn tempted(
        &self,
        script: &'static Script,
        attack: &HeardText,
        memory: &Memory,
        draw: &mut Draw,
    ) -> Option<&'static str> {
        let temptation = &script.temptations[attack.pressed(script)?];
        let settled = self.state.commitments.iter().any(|made| made.key == temptation.id);
        if settled || self.angles(temptation, memory).is_empty() {
            return None;
        }
        // Preferably in words that the bench will hear as the claim.
        let heard = |line: &&'static String| !self.claims_nothing(script, line);
        self.fresh(temptation.claims.iter().filter(heard), draw).or_else(|| self.fresh(temptation.claims.iter(), draw))
    }

    /// The best prepared answer: of all the lines that were not said yet, one that the bench would weigh most.
    fn prepared(&self, script: &'static Script, draw: &mut Draw) -> Option<&'static str> {
        let heard = self.state.phase.heard()?;
        let lines = script.answers.iter().flat_map(|answers| &answers.lines).chain(&script.plain);
        let best = bench::best_answers(&self.hearing(heard, None), lines.filter(|line| !self.was_said(line)));
        let best = self.known.new_among(best, |line| line);
        (!best.is_empty()).then(|| draw.pick(&best).as_str())
    }

    /// The fact that an attack argues first, by id.
    fn argued_first(&self, attack: &HeardText) -> Option<&'a str> {
        attack.facts(self.case).first().map(|spoken| self.case.record[spoken.fact].id.as_str())
    }

    fn admission(&self, script: &'static Script, attack: &HeardText, draw: &mut Draw) -> Option<&'static str> {
        let fact = self.argued_first(attack)?;
        let to = script.answers.iter().filter(|answers| answers.to == fact);
        self.fresh(to.flat_map(|answers| &answers.admits), draw)
    }

    fn plain(&self, script: &'static Script, attack: &HeardText, draw: &mut Draw) -> Option<&'static str> {
        let fact = self.argued_first(attack);
        let to = script.answers.iter().filter(|answers| Some(answers.to.as_str()) == fact);
        let to: Vec<&'static String> =
            to.flat_map(|answers| &answers.lines).filter(|line| self.claims_nothing(script, line)).collect();
        // Preferably one that the bench will hear as an answer to this fact.
        let heard = to.iter().copied().filter(|line| fact.is_some_and(|fact| self.facts_of_line(line).contains(&fact)));
        let to = self.fresh(heard, draw).or_else(|| self.fresh(to.into_iter(), draw));
        // If no fact was heard, the accused may ask what the charge rests on.
        let puzzled = fact.is_none() && draw.odds(1, 2);
        let to = to.or_else(|| puzzled.then(|| self.fresh(script.puzzled.iter(), draw)).flatten());
        // If those are used up, plain lines and then answers to other facts are left.
        let claims_nothing = |line: &&'static String| self.claims_nothing(script, line);
        to.or_else(|| self.fresh(script.plain.iter().filter(claims_nothing), draw)).or_else(|| {
            let rest = script.answers.iter().flat_map(|answers| &answers.lines);
            self.fresh(rest.filter(claims_nothing), draw)
        })
    }

    /// Whether the bench will not take a line for a claim that nobody meant to make.
    fn claims_nothing(&self, script: &Script, line: &str) -> bool {
        self.brief.is_none_or(|brief| !bench::is_claim(self.state.lang, self.case, brief, script, line))
    }

    /// One of these lines that has not been said in this trial, preferably one that the players do not know from earlier ones.
    fn fresh(&self, lines: impl Iterator<Item = &'static String>, draw: &mut Draw) -> Option<&'static str> {
        let free: Vec<&'static String> = lines.filter(|line| !self.was_said(line)).collect();
        let free = self.known.new_among(free, |line| line);
        (!free.is_empty()).then(|| draw.pick(&free).as_str())
    }

    /// The angles on a claim that have not been tried in this trial or in those it remembers, not even in nearly the same words.
    fn angles(&self, temptation: &'static Temptation, memory: &Memory) -> Vec<&'static Angle> {
        let tried = |angle: &&Angle| {
            memory.angles_used.contains(&temptation.name(angle))
                || self.was_said(&angle.text)
                || memory.struck.iter().any(|text| likeness(&angle.text, text).is_at_least(TRIED_PERCENT))
                || memory.proved.iter().any(|proved| likeness(&angle.text, &proved.text).is_at_least(TRIED_PERCENT))
        };
        temptation.angles.iter().filter(|angle| !tried(angle)).collect()
    }

    fn substantiate(&self, memory: &Memory, draw: &mut Draw) -> Value {
        let claim = self.state.claim().map_or("", |claim| claim.key.as_str());
        let temptation = self.script().and_then(|script| script.temptation(claim));
        let chosen = temptation.and_then(|temptation| {
            let angles = self.angles(temptation, memory);
            let of =
                |wanted: Strength| angles.iter().copied().filter(move |angle| strength(temptation, angle) == wanted);
            let first = order(memory).into_iter().find(|kinds| kinds.iter().any(|kind| of(*kind).next().is_some()))?;
            let free = first.iter().flat_map(|kind| of(*kind)).collect();
            let free: Vec<&Angle> = self.known.new_among(free, |angle| &angle.text);
            Some((temptation, *draw.pick(&free)))
        });
        // A claim that is not in the file, or that no angle is left for, is better withdrawn.
        let Some((temptation, angle)) = chosen else { return json!({"type": Manner::Withdraw.word()}) };
        let stand = self.backed(temptation, angle, memory, draw).unwrap_or_else(|| Stand::bare(angle));
        let holds = stand.evidence.iter().any(|id| temptation.proof.contains(id));
        let mut act = json!({"type": stand.mode.word(), "text": stand.text, "angle": temptation.name(angle)});
        if stand.mode == Manner::Prove {
            act["evidence"] = stand.evidence.into();
        }
        // A defense that varies one that was proved says so.
        if let Some(proved) = memory.proved.first().filter(|_| holds) {
            act["inspired_by"] = proved.id.clone().into();
        }
        act
    }

    /// An accused that remembers a proof does not bluff with the weak angles that are left: it supports them with a fact that carries
    /// the claim.
    fn backed(&self, temptation: &Temptation, angle: &Angle, memory: &Memory, draw: &mut Draw) -> Option<Stand> {
        let bluffs = matches!(strength(temptation, angle), Strength::Weak | Strength::Bare);
        if !bluffs || memory.proved.is_empty() {
            return None;
        }
        let line = |fact: &'a Exhibit, draw: &mut Draw| {
            let read = speech::sentences(&fact.text).first().map_or("", |first| first.trim());
            let slots = [("angle", angle.text.as_str()), ("fact", &fact.label), ("date", &fact.date), ("text", read)];
            sentence(&house::library(self.state.lang).backed, &slots, draw)
        };
        let carries = self.case.record.iter().filter(|fact| temptation.proof.contains(&fact.id));
        let stands = carries.map(|fact| (fact, line(fact, draw)));
        // Only what fits, and what the bench will hear as that fact.
        let stands = stands.filter(|(fact, text)| {
            text.chars().count() <= TEXT_LEN_MAX && self.argues(Side::Second, text).contains(&fact.id.as_str())
        });
        let stands: Vec<(&Exhibit, String)> = stands.collect();
        let (fact, text) = (!stands.is_empty()).then(|| draw.pick(&stands))?;
        Some(Stand { mode: Manner::Prove, evidence: vec![fact.id.clone()], text: text.clone() })
    }

    // ---- the prosecutor ----

    fn attack(&self, mut key: MindKey) -> Value {
        let level = self.level.unwrap_or_else(|| Level::dealt(&mut key.persona)) as usize;
        let (eager, stubborn) = (TRAPS_PERCENT[level], STUBBORN_PERCENT[level]);
        let draw = &mut key.turn;
        let free: Vec<Line> = self.lines(|_| true).into_iter().filter(|line| !self.was_said(line.text)).collect();
        let (traps, plain): (Vec<Line>, Vec<Line>) = free.into_iter().partition(|line| line.attack.presses.is_some());
        let traps: Vec<Line> = traps.into_iter().filter(|line| !self.is_sprung(line)).collect();
        let argued = self.argued();
        let (old, new): (Vec<Line>, Vec<Line>) = plain.into_iter().partition(|line| is_old(line, &argued));
        // Even the most stubborn prosecutor does not say the same thing twice in a row.
        let last = self.attacks_before().last().map_or(vec![], |(_, text)| self.argues(Side::First, text));
        let (just_said, old): (Vec<Line>, Vec<Line>) =
            old.into_iter().partition(|line| line.attack.cites.iter().all(|id| last.contains(&id.as_str())));
        let (sets_a_trap, comes_back) = (draw.odds(eager, 100), draw.odds(stubborn, 100));
        let order = match (sets_a_trap, comes_back) {
            (true, _) => [traps, new, old, just_said],
            (false, false) => [new, old, traps, just_said],
            (false, true) => [old, new, traps, just_said],
        };
        let lines = order.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
        let lines = self.known.new_among(lines, |line| line.text);
        match (!lines.is_empty()).then(|| draw.pick(&lines)) {
            Some(line) => json!({"type": "argue", "character_id": line.attack.character, "text": line.text}),
            None => self.argue_anyhow(draw),
        }
    }

    /// The case's own attacks on those characters, line by line.
    fn lines(&self, on: impl Fn(&str) -> bool) -> Vec<Line> {
        let charged = |id: &str| self.case.characters.iter().any(|character| character.id == id);
        let attacks = self.brief.map_or(&[][..], |brief| &brief.attacks);
        let attacks = attacks.iter().filter(|attack| on(&attack.character) && charged(&attack.character));
        attacks.flat_map(|attack| attack.lines.iter().map(move |text| Line { attack, text })).collect()
    }

    /// Whether the claim that it would press is on the board already.
    fn is_sprung(&self, line: &Line) -> bool {
        self.state.commitments.iter().any(|made| Some(&made.key) == line.attack.presses.as_ref())
    }

    /// Facts that have been argued in this trial, by id, each after the character it was put to.
    fn argued(&self) -> Vec<(&'a str, &'a str)> {
        let of = |(character, text)| self.argues(Side::First, text).into_iter().map(move |fact| (character, fact));
        self.attacks_before().into_iter().flat_map(of).collect()
    }

    /// Facts that a text spoken by this side mentions, by id.
    fn argues(&self, side: Side, text: &str) -> Vec<&'a str> {
        self.hear(side, text).map_or(vec![], |heard| self.ids(&heard))
    }

    /// Facts that a line of the accused speaks of, by id.
    fn facts_of_line(&self, line: &str) -> Vec<&'a str> {
        let Some(brief) = self.brief else { return vec![] };
        self.ids(&HeardText::public(&brief.ear(self.case), self.state.lang, Side::Second, line))
    }

    fn ids(&self, heard: &HeardText) -> Vec<&'a str> {
        heard.facts(self.case).into_iter().map(|spoken| self.case.record[spoken.fact].id.as_str()).collect()
    }

    /// An attack made from the record, in a case with no lines or none left.
    fn argue_anyhow(&self, draw: &mut Draw) -> Value {
        let ids: Vec<&String> = self.case.characters.iter().map(|character| &character.id).collect();
        let Some(id) = (!ids.is_empty()).then(|| *draw.pick(&ids)) else { return json!({}) };
        let text = self.read_off(id, draw.below(self.case.record.len().max(1)));
        json!({"type": "argue", "character_id": id, "text": text})
    }

    // ---- the intern ----

    fn draft(&self, character: &str, turn: usize) -> Option<String> {
        let argued = self.argued();
        let free = self.lines(|id| id == character).into_iter().filter(|line| !self.was_said(line.text));
        let is_spent = |line: &Line| match line.attack.cites.as_slice() {
            [] => self.is_sprung(line),
            _ => is_old(line, &argued),
        };
        let (old, new): (Vec<Line>, Vec<Line>) = free.partition(is_spent);
        // Only when nothing new is left does it come back to what was argued.
        let free = if new.is_empty() { old } else { new };
        if free.is_empty() {
            return Some(self.read_off(character, turn)).filter(|text| !text.is_empty());
        }
        // A step that is coprime to the number of lines would visit all of them; 7 is close enough.
        Some(free[turn * 7 % free.len()].text.to_owned())
    }

    fn read_off(&self, character: &str, turn: usize) -> String {
        let name = self.state.character(character).map_or("", |character| &character.name);
        let against: Vec<_> = self.case.record.iter().filter(|fact| fact.favours != Favours::Acquit).collect();
        let facts = if against.is_empty() { self.case.record.iter().collect() } else { against };
        let lines = &house::library(self.state.lang).intern;
        let Some(fact) = facts.get(turn % facts.len().max(1)) else { return String::new() };
        let slots = [("character", name), ("date", &fact.date), ("label", &fact.label), ("text", &fact.text)];
        let text = fill(&lines[turn % lines.len()], &slots);
        text.chars().take(*ATTACK_LEN.end()).collect()
    }
}

/// Whether every fact that an attack cites has been put to that character already.
fn is_old(line: &Line, argued: &[(&str, &str)]) -> bool {
    line.attack.cites.iter().all(|id| argued.contains(&(line.attack.character.as_str(), id.as_str())))
}

/// A defense as it is given.
struct Stand {
    mode: Manner,
    evidence: Vec<String>,
    text: String,
}

impl Stand {
    /// An angle as it stands in the file.
    fn bare(angle: &Angle) -> Self {
        Stand { mode: angle.mode, evidence: angle.evidence.clone(), text: angle.text.clone() }
    }
}

/// What sort of defense an angle is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Strong,
    Weak,
    Bare,
    GivesUp,
}

fn strength(temptation: &Temptation, angle: &Angle) -> Strength {
    match angle.mode {
        Manner::Prove if temptation.is_strong(angle) => Strength::Strong,
        Manner::Prove => Strength::Weak,
        Manner::Defend => Strength::Bare,
        Manner::Withdraw => Strength::GivesUp,
    }
}

/// The order in which sorts of defense are tried. An accused that remembers no struck or proved defense bluffs; any other withdraws
/// first, then proves. A withdrawn claim lands like a struck one, so withdrawing comes before proving: an attack that is repeated meets
/// better and better defenses, and never a worse one at the end.
fn order(memory: &Memory) -> Vec<&'static [Strength]> {
    const BLUFFS: [&[Strength]; 3] = [&[Strength::Weak, Strength::Bare], &[Strength::Strong], &[Strength::GivesUp]];
    const LEARNT: [&[Strength]; 3] = [&[Strength::GivesUp], &[Strength::Strong], &[Strength::Weak, Strength::Bare]];
    if memory.struck.len() < BURNT && memory.proved.is_empty() { BLUFFS.to_vec() } else { LEARNT.to_vec() }
}
