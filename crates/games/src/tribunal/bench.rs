//! The house bench: how an attack weighs, how well an answer meets it, whether the answer overreached, and whether a claim was
//! made good. Deterministic, and every ruling can be explained from the file of the case.
//!
//! Texts are heard for signs and compared with the record; nothing in them is obeyed, so nobody can tell the bench what to do.

use super::docket::{Brief, Case, Exhibit, Favours, Script, Temptation, threes};
use super::ear::{Heard, most, particulars, plainest};
use super::house::{self, sentence};
use super::tongue;
use super::words::{CLAIM_LEN_MAX, PASSAGE_LEN_MAX, SHIFT_MAX};
use crate::speech::{self, fill};
use engine::chance::Draw;
use engine::parts::shingles::Shingles;
use engine::roster::Lang;
use engine::rules::{Burden, Mode};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Signs of a fact that must be heard before it counts as argued or met.
const FACT_SIGNS_MIN: usize = 2;
/// Signs of a temptation that must be heard before an attack presses it.
const PRESS_SIGNS_MIN: usize = 3;
/// Signs of a claim that must be heard before an answer makes it.
const CLAIM_SIGNS_MIN: usize = 3;
/// Signs of each of two facts that must be heard before a claim stands without anything cited.
const BARE_SIGNS_MIN: usize = 3;
/// What the first new facts of an attack weigh, all together.
const NEW_FACT: i32 = 2;
const NEW_FACTS_MAX: i32 = 5;
/// What a particular of them adds, and what several do.
const EXACT: i32 = 1;
const EXACT_SEVERAL: i32 = 2;
const SEVERAL: usize = 3;
/// What pressing a temptation adds.
const PRESSED: i32 = 1;
/// What saying hardly anything costs.
const EMPTY: i32 = 1;
/// What an answer takes that meets a fact of the attack, and if it does so plainly.
const MET: i32 = 2;
const MET_PLAINLY: i32 = 3;
/// What any fresh answer takes from an attack that amounts to nothing: it has the floor to itself.
const FLOOR: i32 = 2;
/// What an extraordinary claim takes: until it is tested, it is believed.
const BOLD: i32 = 3;
/// What it takes by recalling a fact that helps.
const RELIED: i32 = 1;
/// The range of a ruling before any burden.
const RULING_MIN: i32 = -4;
const RULING_MAX: i32 = 7;
/// Fewer different words than this are hardly anything.
const WORDS_MIN: usize = 4;
/// Likeness to something said before, in a hundred, from which on it is the same again: by shingles, by words.
const REPEAT_PERCENT: usize = 50;
const ECHO_PERCENT: i32 = 80;
/// Rows of three words that stand in the case file, in a hundred, from which on a text is read off it.
const PASTED_PERCENT: usize = 70;
/// Words that stand anywhere in the case file, in a hundred, from which on a text of so many is the file shuffled.
const SHUFFLED_PERCENT: usize = 96;
const SHUFFLED_MIN: usize = 12;
/// Where the case is no longer on the docket: how long an attack must be to weigh anything.
const UNFILED_LEN_MIN: usize = 120;

/// What the bench has before it when it rules on attack and answer.
pub(super) struct Hearing<'a> {
    pub(super) lang: Lang,
    pub(super) case: &'a Case,
    pub(super) brief: Option<&'a Brief>,
    /// Whom the attack is on.
    pub(super) character: &'a str,
    pub(super) attack: &'a str,
    pub(super) answer: Option<&'a str>,
    /// What was said in this trial before.
    pub(super) attacks_before: Vec<&'a str>,
    pub(super) answers_before: Vec<&'a str>,
    /// Keys of claims that stand proved, and burden nobody again.
    pub(super) proved: Vec<&'a str>,
    /// Keys of claims that were struck, which nobody believes again.
    pub(super) struck: Vec<&'a str>,
}

/// What it finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub(super) shift: i8,
    pub(super) claim: Option<String>,
    pub(super) reasons: String,
    pub(super) passage: String,
}

/// What an attack amounts to.
enum Worth {
    /// Nothing, for this reason.
    Nothing(Why),
    /// Something.
    Weighs(Points),
}

/// Why something amounts to nothing.
#[derive(Clone, Copy)]
enum Why {
    Repeat,
    Pasted,
    Empty,
    NoFact,
}

/// What speaks for an attack; facts by their place in the record.
#[derive(Default)]
struct Points {
    new: Vec<usize>,
    old: Vec<usize>,
    helps: Vec<usize>,
    exact: usize,
    presses: Option<usize>,
    presses_anew: bool,
}

impl Points {
    fn weight(&self) -> i32 {
        let facts = (NEW_FACT * self.new.len() as i32).min(NEW_FACTS_MAX);
        let exact = match self.exact {
            0 => 0,
            1..SEVERAL => EXACT,
            SEVERAL.. => EXACT_SEVERAL,
        };
        facts + exact + if self.presses_anew { PRESSED } else { 0 }
    }

    /// What the bench speaks of first.
    fn named(&self) -> Named {
        let pressed = self.presses.filter(|_| self.presses_anew);
        let old = || self.old.first().map(|fact| Named::Old(*fact));
        let helps = || self.helps.first().map(|fact| Named::Helps(*fact));
        let new = self.new.first().map(|fact| Named::New(*fact));
        new.or(pressed.map(Named::Pressed)).or_else(old).or_else(helps).unwrap_or(Named::Nothing)
    }

    /// Every fact that it argues.
    fn argued(&self) -> impl Iterator<Item = usize> {
        self.new.iter().chain(&self.old).chain(&self.helps).copied()
    }
}

/// What a ruling names: a fact by its place in the record, or a temptation by its own.
#[derive(Clone, Copy)]
enum Named {
    New(usize),
    Pressed(usize),
    Old(usize),
    Helps(usize),
    Nothing,
}

impl Named {
    fn fact(self) -> Option<usize> {
        match self {
            Named::New(fact) | Named::Old(fact) | Named::Helps(fact) => Some(fact),
            Named::Pressed(_) | Named::Nothing => None,
        }
    }
}

/// How an answer meets an attack.
enum Met {
    /// There was none.
    Silent,
    /// There was hardly any.
    Empty,
    /// It was given before.
    Echo,
    /// It was read off the file.
    Pasted,
    /// It meets this fact, so plainly, and may recall another that helps.
    Meets { fact: Option<(usize, i32)>, relied: Option<usize> },
}

impl Met {
    fn weight(&self) -> i32 {
        match self {
            Met::Silent | Met::Empty | Met::Echo | Met::Pasted => 0,
            Met::Meets { fact, relied } => fact.map_or(0, |(_, plainly)| plainly) + relied.map_or(0, |_| RELIED),
        }
    }
}

/// What an answer claims beyond the record.
#[derive(Clone, Copy)]
enum Claimed<'a> {
    /// What the character is tempted into.
    Known(&'a Temptation),
    /// A boast that no file foresaw: the sentence that says most.
    Boast(&'a str),
}

impl Claimed<'_> {
    fn text(self) -> String {
        match self {
            Claimed::Known(known) => known.claim.clone(),
            Claimed::Boast(said) => cut(&said.split_whitespace().collect::<Vec<_>>().join(" "), CLAIM_LEN_MAX),
        }
    }

    /// By which it is known on the board.
    fn key(self) -> String {
        match self {
            Claimed::Known(known) => known.id.clone(),
            Claimed::Boast(_) => tongue::key(&self.text()),
        }
    }

    /// The sentence of the answer that makes it most plainly, as far as a ruling may quote.
    fn passage(self, lang: Lang, answer: &str) -> String {
        let said = match self {
            Claimed::Known(known) => plainest(lang, answer, &known.claimed),
            Claimed::Boast(said) => said,
        };
        cut(said, PASSAGE_LEN_MAX)
    }
}

/// Rules on attack and answer. The draw chooses words, never what they say.
pub(super) fn weigh(hearing: &Hearing<'_>, draw: &mut Draw) -> Finding {
    let Some((brief, script)) = hearing.brief.and_then(|brief| Some((brief, brief.script(hearing.character)?))) else {
        return unfiled(hearing, draw);
    };
    let court = Court { hearing, brief, script };
    let (worth, met) = (court.worth(), court.met());
    let gained = match &worth {
        Worth::Nothing(Why::Empty) => -EMPTY,
        Worth::Nothing(Why::Repeat | Why::Pasted | Why::NoFact) => 0,
        Worth::Weighs(points) => points.weight(),
    };
    let claim = court.claim();
    let struck = claim.is_some_and(|claim| hearing.struck.contains(&claim.key().as_str()));
    let at_least = match (&worth, &met, claim) {
        // What fell once is not believed again.
        (_, _, Some(_)) if struck => 0,
        (_, _, Some(_)) => BOLD,
        (Worth::Nothing(_), Met::Meets { .. }, None) => FLOOR,
        (Worth::Weighs(_), _, None) | (_, Met::Silent | Met::Empty | Met::Echo | Met::Pasted, None) => 0,
    };
    let lost = met.weight().max(at_least);
    let shift = (gained - lost).clamp(RULING_MIN, RULING_MAX) as i8;
    let answer = hearing.answer.unwrap_or_default();
    let passage = claim.map_or_else(|| court.passage(&worth, &met), |claim| claim.passage(hearing.lang, answer));
    let reasons = court.reasons(&worth, &met, claim.map(|claim| (claim, struck)), draw);
    Finding { shift, claim: claim.map(Claimed::text), reasons, passage }
}

struct Court<'a> {
    hearing: &'a Hearing<'a>,
    brief: &'a Brief,
    script: &'a Script,
}

impl<'a> Court<'a> {
    fn worth(&self) -> Worth {
        let Hearing { lang, case, attack, attacks_before, .. } = self.hearing;
        let heard = Heard::new(*lang, attack);
        if is_hardly_anything(&heard) {
            return Worth::Nothing(Why::Empty);
        }
        if attacks_before.iter().any(|before| is_again(attack, before)) {
            return Worth::Nothing(Why::Repeat);
        }
        if is_pasted(heard.all(), &self.brief.rows) {
            return Worth::Nothing(Why::Pasted);
        }
        let argued: Vec<Heard> = attacks_before.iter().map(|before| Heard::new(*lang, before)).collect();
        let mut points = Points { presses: pressed(self.script, &heard), ..Points::default() };
        points.presses_anew = points
            .presses
            .is_some_and(|press| !argued.iter().any(|before| pressed(self.script, before) == Some(press)));
        let mut argued_now = facts(case, self.brief, &heard);
        // Of several, what is said most plainly is spoken of first.
        argued_now.sort_by_key(|(_, signs)| Reverse(*signs));
        for (fact, _) in argued_now {
            match case.record[fact].favours {
                Favours::Acquit => points.helps.push(fact),
                Favours::Condemn | Favours::Neither if argued.iter().any(|before| self.argues(before, fact)) => {
                    points.old.push(fact);
                }
                Favours::Condemn | Favours::Neither => points.new.push(fact),
            }
        }
        let common = common(case);
        let named: BTreeSet<String> =
            points.new.iter().flat_map(|fact| particulars(&case.record[*fact], &common, heard.spoken())).collect();
        points.exact = named.len();
        if points.argued().next().is_none() && points.presses.is_none() {
            return Worth::Nothing(Why::NoFact);
        }
        Worth::Weighs(points)
    }

    fn argues(&self, heard: &Heard, fact: usize) -> bool {
        signs(self.brief, &self.hearing.case.record[fact], heard) >= FACT_SIGNS_MIN
    }

    fn met(&self) -> Met {
        let Hearing { lang, case, attack, answer, answers_before, .. } = self.hearing;
        let Some(answer) = answer else { return Met::Silent };
        // Saying it again is no answer, and neither is saying the attack again.
        if answers_before.iter().chain([attack]).any(|before| is_again(answer, before)) {
            return Met::Echo;
        }
        let heard = Heard::new(*lang, answer);
        if is_pasted(heard.all(), &self.brief.rows) {
            return Met::Pasted;
        }
        if is_hardly_anything(&heard) || heard.spoken().is_empty() {
            return Met::Empty;
        }
        let argued = argued(*lang, case, self.brief, attack);
        let mut fact: Option<(usize, i32)> = None;
        let mut relied: Option<usize> = None;
        for (heard, signs) in facts(case, self.brief, &heard) {
            let plainly = if signs > FACT_SIGNS_MIN { MET_PLAINLY } else { MET };
            if argued.contains(&heard) && fact.is_none_or(|(_, best)| plainly > best) {
                fact = Some((heard, plainly));
            } else if case.record[heard].favours == Favours::Acquit && relied.is_none() {
                relied = Some(heard);
            }
        }
        Met::Meets { fact, relied }
    }

    /// The extraordinary claim that the answer makes: the one of which most is heard, or else a boast that rests on nothing in the record.
    fn claim(&self) -> Option<Claimed<'a>> {
        let Hearing { lang, case, answer, proved, .. } = self.hearing;
        let answer = (*answer)?;
        let heard = Heard::new(*lang, answer);
        let open = self.script.temptations.iter().filter(|known| !proved.contains(&known.id.as_str()));
        let known = most(open.map(|known| (heard.count(&known.claimed), known)), CLAIM_SIGNS_MIN);
        let boast = || {
            let rests = !facts(case, self.brief, &heard).is_empty()
                || case.record.iter().any(|fact| heard.all().contains(&fact.id.to_lowercase()));
            let boast = tongue::boast(*lang, answer, || tongue::matter(*lang, case.texts()));
            boast.map(Claimed::Boast).filter(|boast| !rests && !proved.contains(&boast.key().as_str()))
        };
        known.map(|(_, claim)| Claimed::Known(claim)).or_else(boast)
    }

    /// The sentence that a ruling without a claim rests on: of an attack that weighs something, or else of the answer.
    fn passage(&self, worth: &Worth, met: &Met) -> String {
        let Hearing { lang, case, attack, answer, .. } = self.hearing;
        let signs = |fact: usize| self.brief.signs(&case.record[fact].id);
        let (said, signs) = match (worth, met) {
            (Worth::Weighs(points), _) => match points.named() {
                Named::New(fact) | Named::Old(fact) | Named::Helps(fact) => (*attack, signs(fact)),
                Named::Pressed(place) => (*attack, Some(&self.script.temptations[place].pressed)),
                Named::Nothing => (*attack, None),
            },
            (Worth::Nothing(_), Met::Meets { fact: Some((fact, _)), .. } | Met::Meets { relied: Some(fact), .. }) => {
                (answer.unwrap_or_default(), signs(*fact))
            }
            (Worth::Nothing(_), Met::Silent | Met::Empty | Met::Echo | Met::Pasted | Met::Meets { .. }) => ("", None),
        };
        signs.map_or(String::new(), |signs| cut(plainest(*lang, said, signs), PASSAGE_LEN_MAX))
    }

    /// In a sentence or two; a claim comes with whether it was struck before.
    fn reasons(&self, worth: &Worth, met: &Met, claim: Option<(Claimed<'_>, bool)>, draw: &mut Draw) -> String {
        let Hearing { lang, case, .. } = self.hearing;
        let lines = &house::library(*lang).ruling;
        let label = |fact: usize| case.record[fact].label.as_str();
        let name = name(case, self.hearing.character);
        let say = |lines: &[String], fact: &str, label: &str, draw: &mut Draw| {
            sentence(lines, &[("fact", fact), ("label", label), ("character", name)], draw)
        };
        // What the first sentence names, the second does not name again.
        let (first, named) = match worth {
            Worth::Nothing(Why::Repeat) => (say(&lines.repeat, "", "", draw), Named::Nothing),
            Worth::Nothing(Why::Pasted) => (say(&lines.pasted, "", "", draw), Named::Nothing),
            Worth::Nothing(Why::Empty) => (say(&lines.empty, "", "", draw), Named::Nothing),
            Worth::Nothing(Why::NoFact) => (say(&lines.nothing, "", "", draw), Named::Nothing),
            Worth::Weighs(points) => {
                let named = points.named();
                let text = match named {
                    Named::New(fact) if points.exact > 0 => say(&lines.exact, label(fact), "", draw),
                    Named::New(fact) => say(&lines.new, label(fact), "", draw),
                    Named::Pressed(place) => say(&lines.pressed, "", &self.script.temptations[place].label, draw),
                    Named::Old(fact) => say(&lines.old, label(fact), "", draw),
                    Named::Helps(fact) => say(&lines.helps, label(fact), "", draw),
                    Named::Nothing => say(&lines.repeat, "", "", draw),
                };
                (text, named)
            }
        };
        let second = match (claim, met) {
            // It falls without a hearing, so nobody is asked to carry it.
            (Some((_, true)), _) => say(&lines.struck, "", "", draw),
            (Some((Claimed::Boast(_), false)), _) => say(&lines.claim_it, "", "", draw),
            (Some((Claimed::Known(claim), false)), _) => match named {
                Named::Pressed(place) if self.script.temptations[place].id == claim.id => {
                    say(&lines.claim_it, "", "", draw)
                }
                Named::New(_) | Named::Pressed(_) | Named::Old(_) | Named::Helps(_) | Named::Nothing => {
                    say(&lines.claim, "", &claim.label, draw)
                }
            },
            (None, Met::Silent) => say(&lines.silent, "", "", draw),
            (None, Met::Empty) => say(&lines.empty, "", "", draw),
            (None, Met::Echo) => say(&lines.echo, "", "", draw),
            (None, Met::Pasted) => say(&lines.pasted, "", "", draw),
            (None, Met::Meets { fact: Some((fact, _)), .. }) if named.fact() == Some(*fact) => {
                say(&lines.met_it, "", "", draw)
            }
            (None, Met::Meets { fact: Some((fact, _)), .. }) => say(&lines.met, label(*fact), "", draw),
            (None, Met::Meets { fact: None, relied: Some(fact) }) => say(&lines.relied, label(*fact), "", draw),
            // Where nothing was argued there was nothing to meet.
            (None, Met::Meets { fact: None, relied: None }) if named.fact().is_none() => return first,
            (None, Met::Meets { fact: None, relied: None }) => say(&lines.unmet, "", "", draw),
        };
        format!("{first} {second}")
    }
}

/// A case that is no longer on the docket: what is long, new and names particulars of the record weighs a little.
fn unfiled(hearing: &Hearing<'_>, draw: &mut Draw) -> Finding {
    let Hearing { lang, case, attack, attacks_before, .. } = hearing;
    let lines = &house::library(*lang).ruling;
    let say = |lines: &[String], draw: &mut Draw| sentence(lines, &[("fact", &case.title)], draw);
    let common = common(case);
    let spoken = tongue::spoken(*lang, attack);
    let names = case.record.iter().any(|fact| !particulars(fact, &common, &spoken).is_empty());
    let (shift, reasons) = if attacks_before.iter().any(|before| is_again(attack, before)) {
        (0, say(&lines.repeat, draw))
    } else if is_pasted(&speech::words(attack), &case.rows()) {
        (0, say(&lines.pasted, draw))
    } else if names && attack.chars().count() >= UNFILED_LEN_MIN {
        (1, say(&lines.exact, draw))
    } else {
        (0, say(&lines.nothing, draw))
    };
    Finding { shift, claim: None, reasons, passage: String::new() }
}

/// What the bench has before it when it rules on a burden.
pub(super) struct Plea<'a> {
    pub(super) lang: Lang,
    pub(super) case: &'a Case,
    pub(super) brief: Option<&'a Brief>,
    pub(super) character: &'a str,
    /// The key of the claim, and what it is about.
    pub(super) key: &'a str,
    pub(super) label: &'a str,
    pub(super) mode: Mode,
    pub(super) cited: &'a [String],
    pub(super) text: &'a str,
    /// Defences that fell in this trial.
    pub(super) struck_before: Vec<&'a str>,
}

/// How a burden was met, and by which fact.
enum Plead {
    Proved(usize),
    Carried,
    Beside,
    Thin,
    Bare,
    Again,
}

/// Rules on how a burden was met.
pub(super) fn weigh_burden(plea: &Plea<'_>, draw: &mut Draw) -> (Burden, String) {
    let lines = &house::library(plea.lang).burden;
    let found = plead(plea);
    let (verdict, lines, fact) = match found {
        Plead::Proved(fact) => (Burden::Proved, &lines.proved, Some(fact)),
        Plead::Carried => (Burden::Proved, &lines.carried, None),
        Plead::Beside => (Burden::Failed, &lines.beside, None),
        Plead::Thin => (Burden::Failed, &lines.thin, None),
        Plead::Bare => (Burden::Failed, &lines.bare, None),
        Plead::Again => (Burden::Failed, &lines.again, None),
    };
    let fact = fact.map_or("", |fact| plea.case.record[fact].label.as_str());
    let slots = [("fact", fact), ("label", plea.label), ("character", name(plea.case, plea.character))];
    (verdict, sentence(lines, &slots, draw))
}

fn plead(plea: &Plea<'_>) -> Plead {
    if plea.struck_before.iter().any(|before| is_again(plea.text, before)) {
        return Plead::Again;
    }
    let script = plea.brief.and_then(|brief| brief.script(plea.character));
    let temptation = script.and_then(|script| script.temptation(plea.key));
    // A claim that is not in the file may rest on whatever the character may cite.
    let citable = plea.case.characters.iter().find(|character| character.id == plea.character);
    let proof = temptation.map_or(citable.map_or(&[][..], |character| &character.evidence), |known| &known.proof);
    // A list of words says nothing that could carry a claim.
    let heard = Heard::new(plea.lang, plea.text);
    let place = |id: &String| plea.case.record.iter().position(|fact| fact.id == *id);
    let signs = |fact: usize| match plea.brief {
        Some(brief) => signs(brief, &plea.case.record[fact], &heard),
        None => particulars(&plea.case.record[fact], &common(plea.case), heard.spoken()).len() * FACT_SIGNS_MIN,
    };
    let carries: Vec<usize> = proof.iter().filter_map(place).collect();
    match plea.mode {
        Mode::Prove => {
            let cited: Vec<usize> = plea.cited.iter().filter_map(place).filter(|fact| carries.contains(fact)).collect();
            let shown = cited.iter().find(|fact| signs(**fact) >= FACT_SIGNS_MIN);
            // Two that carry it need no more than to be named; but a list of numbers is no argument.
            let named = temptation.is_some() && cited.len() >= 2 && cited.iter().all(|fact| signs(*fact) > 0);
            match (shown, cited.first()) {
                (Some(fact), _) => Plead::Proved(*fact),
                (None, Some(fact)) if named => Plead::Proved(*fact),
                (None, Some(_)) => Plead::Thin,
                (None, None) => Plead::Beside,
            }
        }
        Mode::Defend | Mode::Withdraw => {
            let argued = carries.iter().filter(|fact| signs(**fact) >= BARE_SIGNS_MIN).count();
            if argued >= 2 { Plead::Carried } else { Plead::Bare }
        }
    }
}

/// What an attack is about, in a few neutral words: the temptation it presses, the fact it argues, or whom it is on.
pub(super) fn label(lang: Lang, brief: Option<&Brief>, case: &Case, character: &str, text: &str) -> String {
    let heard = Heard::new(lang, text);
    let script = brief.and_then(|brief| brief.script(character));
    if let Some((script, place)) = script.and_then(|script| Some((script, pressed(script, &heard)?))) {
        return script.temptations[place].label.clone();
    }
    if let Some(fact) = brief.and_then(|brief| best_fact(case, brief, &heard)) {
        return case.record[fact].label.clone();
    }
    fill(&house::library(lang).unlabelled, &[("character", name(case, character))])
}

/// Every fact that a text argues, by its place in the record.
pub(super) fn argued(lang: Lang, case: &Case, brief: &Brief, text: &str) -> Vec<usize> {
    facts(case, brief, &Heard::new(lang, text)).into_iter().map(|(fact, _)| fact).collect()
}

/// The fact that a text argues most plainly.
pub(super) fn best_fact(case: &Case, brief: &Brief, heard: &Heard) -> Option<usize> {
    most(facts(case, brief, heard).into_iter().map(|(fact, signs)| (signs, fact)), FACT_SIGNS_MIN).map(|(_, fact)| fact)
}

/// The temptation that an attack presses, by its place: the one of which most is heard.
pub(super) fn pressed(script: &Script, heard: &Heard) -> Option<usize> {
    let heard = script.temptations.iter().enumerate().map(|(place, known)| (heard.count(&known.pressed), place));
    most(heard, PRESS_SIGNS_MIN).map(|(_, place)| place)
}

fn is_hardly_anything(heard: &Heard) -> bool {
    heard.all().iter().collect::<BTreeSet<_>>().len() < WORDS_MIN
}

/// Whether a text is another one again, in nearly the same words.
pub(super) fn is_again(text: &str, before: &str) -> bool {
    let alike = Shingles::of(text).likeness(&Shingles::of(before)).is_at_least(REPEAT_PERCENT);
    alike || speech::overlap(&speech::words(text), before) >= ECHO_PERCENT
}

/// Every fact that a text argues, by its place in the record, with how many of its signs are heard.
fn facts(case: &Case, brief: &Brief, heard: &Heard) -> Vec<(usize, usize)> {
    let counted = case.record.iter().enumerate().map(|(place, fact)| (place, signs(brief, fact, heard)));
    counted.filter(|(_, signs)| *signs >= FACT_SIGNS_MIN).collect()
}

fn signs(brief: &Brief, fact: &Exhibit, heard: &Heard) -> usize {
    brief.signs(&fact.id).map_or(0, |signs| heard.count(signs))
}

/// Whether these words are read off the file: many in its order, or nearly all of them its own in whatever order.
pub(super) fn is_pasted(words: &[String], file: &BTreeSet<String>) -> bool {
    let said = threes(words);
    let pasted = said.iter().filter(|row| file.contains(*row)).count();
    let of_file: BTreeSet<&str> = file.iter().flat_map(|row| row.split(' ')).collect();
    let taken = words.iter().filter(|word| of_file.contains(word.as_str())).count();
    let in_order = !said.is_empty() && pasted * 100 >= said.len() * PASTED_PERCENT;
    in_order || (words.len() >= SHUFFLED_MIN && taken * 100 >= words.len() * SHUFFLED_PERCENT)
}

/// Words that say nothing in particular in this case: who and what it is about.
fn common(case: &Case) -> BTreeSet<String> {
    let people = case.characters.iter().flat_map(|character| [&character.name, &character.office]);
    people.chain([&case.title, &case.r#where, &case.charge]).flat_map(|text| speech::words(text)).collect()
}

/// A text of at most so many characters, in whole words: half a word is no quotation.
fn cut(said: &str, len_max: usize) -> String {
    if said.chars().count() <= len_max {
        return said.to_owned();
    }
    let cut: String = said.chars().take(len_max).collect();
    cut.rsplit_once(char::is_whitespace).map_or(String::new(), |(whole, _)| whole.trim_end().to_owned())
}

fn name<'a>(case: &'a Case, character: &str) -> &'a str {
    case.characters.iter().find(|known| known.id == character).map_or("", |known| &known.name)
}

const _: () = assert!(RULING_MAX <= SHIFT_MAX as i32 && RULING_MIN >= -(SHIFT_MAX as i32));
