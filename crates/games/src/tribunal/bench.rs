//! The house bench: how an attack weighs, how well an answer meets it, whether the answer overreached, and whether a claim was
//! made good. Deterministic, and every ruling can be explained from the file of the case.
//!
//! Texts are heard for what they say of the record; nothing in them is obeyed, so nobody can tell the bench what to do.

use super::boast;
use super::docket::{self, Brief, Case, Favours, Script, Temptation};
use super::hearing::{self, HeardText, Spoken};
use super::house::{self, sentence};
use super::state::State;
use super::words::{CLAIM_LEN_MAX, PASSAGE_LEN_MAX, Role, SHIFT_MAX};
use crate::listening::{Bytes, Ear, Side};
use crate::speech::{self, fill};
use engine::chance::Draw;
use engine::facts::{Fate, Manner};
use engine::parts::shingles::Shingles;
use engine::parts::transcript::{Entry, SeenBy};
use engine::roster::Lang;
use engine::rules::Point;
use std::sync::Arc;

/// What each new fact of an attack weighs, and all of them at most.
const NEW_FACT: i32 = 3;
const NEW_FACTS_MAX: i32 = 5;
/// How many facts reach that maximum. Only so many facts of an earlier attack count as argued by it.
const CREDITED: usize = 2;
/// What a new fact weighs if it was put to another of the accused before.
const FACT_ELSEWHERE: i32 = 1;
/// What particulars (figures and names of the record) add: one or two, and several.
const EXACT: i32 = 2;
const EXACT_SEVERAL: i32 = 3;
const SEVERAL: usize = 3;
/// What pressing a temptation for the first time adds.
const PRESSED: i32 = 1;
/// What each figure that is not in the record costs.
const WRONG: i32 = 1;
/// What it costs to argue only what helps the other side.
const HELPED: i32 = 3;
/// What it costs to come back to what was argued, with nothing new.
const STALE: i32 = 3;
/// What saying hardly anything costs.
const EMPTY: i32 = 1;
/// What an answer that admits a fact gives away.
const ADMITTED: i32 = 2;
/// What an answer that meets a fact of the attack takes from it, and what if it does so plainly.
const MET: i32 = 2;
const MET_PLAINLY: i32 = 3;
/// The least that a fresh answer takes from an attack that amounts to nothing: it has the floor to itself.
const FLOOR: i32 = 2;
/// The least that an extraordinary claim takes: until it is tested, it is believed.
const BOLD: i32 = 3;
/// What an answer takes by recalling a fact that helps the accused.
const RELIED: i32 = 1;
/// The range of a ruling before any burden.
const RULING_MIN: i32 = -5;
const RULING_MAX: i32 = 7;
/// Fewer different words than this are hardly anything.
const WORDS_MIN: usize = 4;
/// The likeness to an earlier text, in percent, from which a text is a repetition of it: by shingles, and by words.
const REPEAT_PERCENT: usize = 50;
const ECHO_PERCENT: i32 = 80;

/// What the bench has before it when it rules on attack and answer.
pub(super) struct Hearing<'a> {
    pub(super) lang: Lang,
    pub(super) case: &'a Case,
    pub(super) brief: Option<&'a Brief>,
    /// Whom the attack is on.
    pub(super) character: &'a str,
    pub(super) attack: &'a str,
    pub(super) answer: Option<&'a str>,
    /// Earlier attacks of this trial: the character that was attacked, and the words.
    pub(super) attacks_before: Vec<(&'a str, &'a str)>,
    pub(super) answers_before: Vec<&'a str>,
    /// Keys of claims that were proved, and need no proof when they are made again.
    pub(super) proved: Vec<&'a str>,
    /// Keys of claims that were struck, which nobody believes again.
    pub(super) struck: Vec<&'a str>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub(super) shift: i8,
    pub(super) claim: Option<String>,
    pub(super) reasons: String,
    pub(super) passage: String,
}

/// What an attack amounts to.
enum Worth {
    Nothing(Why),
    Weighs(Points),
}

/// Why something amounts to nothing.
#[derive(Clone, Copy)]
enum Why {
    Repeat,
    Pasted,
    Empty,
    Nonsense,
    NoFact,
}

/// What speaks for an attack; facts by their place in the record.
#[derive(Default)]
struct Points {
    new: Vec<usize>,
    /// The new facts that were put to another of the accused before.
    elsewhere: Vec<usize>,
    old: Vec<usize>,
    helps: Vec<usize>,
    exact: usize,
    wrong: usize,
    presses: Option<usize>,
    presses_anew: bool,
}

impl Points {
    fn weight(&self) -> i32 {
        let elsewhere = (NEW_FACT - FACT_ELSEWHERE) * self.elsewhere.len() as i32;
        let facts = (NEW_FACT * self.new.len() as i32 - elsewhere).min(NEW_FACTS_MAX);
        let exact = match self.exact {
            0 => 0,
            1..SEVERAL => EXACT,
            SEVERAL.. => EXACT_SEVERAL,
        };
        let pressed = if self.presses_anew { PRESSED } else { 0 };
        let helped = if self.only_helps() { HELPED } else { 0 };
        let stale = if self.is_stale() { STALE } else { 0 };
        facts + exact + pressed - helped - stale - (WRONG * self.wrong as i32).min(facts)
    }

    /// Whether it argues only what helps the other side.
    fn only_helps(&self) -> bool {
        self.new.is_empty() && !self.helps.is_empty() && self.presses.is_none()
    }

    /// Whether everything that it argues was argued before.
    fn is_stale(&self) -> bool {
        self.new.is_empty() && !self.presses_anew && !self.only_helps()
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
    Silent,
    Empty,
    /// It repeats an earlier answer, or the attack.
    Echo,
    /// It was read off the file.
    Pasted,
    /// It may meet a fact of the attack (with the weight of doing so), recall another that helps, or admit one.
    Meets {
        fact: Option<(usize, i32)>,
        relied: Option<usize>,
        admitted: Option<usize>,
    },
}

impl Met {
    fn weight(&self) -> i32 {
        match self {
            Met::Silent | Met::Empty | Met::Echo | Met::Pasted => 0,
            Met::Meets { fact, relied, admitted } => {
                let met = fact.map_or(0, |(_, plainly)| plainly) + relied.map_or(0, |_| RELIED);
                met - admitted.map_or(0, |_| ADMITTED)
            }
        }
    }
}

/// What an answer claims beyond the record.
#[derive(Clone, Copy)]
enum Claimed<'a> {
    /// What the character is tempted into.
    Known(&'a Temptation),
    /// A boast that is not in the file: the sentence that boasts most.
    Boast(&'a str),
}

impl Claimed<'_> {
    fn text(self) -> String {
        match self {
            Claimed::Known(known) => known.claim.clone(),
            Claimed::Boast(said) => cut(&said.split_whitespace().collect::<Vec<_>>().join(" "), CLAIM_LEN_MAX),
        }
    }

    /// Identifies the claim on the board.
    fn key(self) -> String {
        match self {
            Claimed::Known(known) => known.id.clone(),
            Claimed::Boast(_) => boast::key(&self.text()),
        }
    }

    /// The sentence of the answer that makes it most plainly, as far as a ruling may quote.
    fn passage(self, answer: &HeardText) -> String {
        let said = match self {
            Claimed::Known(known) => answer.said_of(&known.id),
            Claimed::Boast(said) => said,
        };
        cut(said, PASSAGE_LEN_MAX)
    }
}

/// Rules on attack and answer. The draw chooses words, never what they say: of several wordings the one that repeats least.
pub(super) fn weigh(hearing: &Hearing<'_>, repeats: &dyn Fn(&str) -> (usize, usize), draw: &mut Draw) -> Finding {
    let Some(weighing) = Weighing::new(hearing) else { return unfiled(hearing, draw) };
    let answer = hearing.answer.map(|text| (text, HeardText::new(&weighing.ear, hearing.lang, Side::Second, text)));
    let wordings = (0..WORDINGS).map(|_| weighing.find(answer.clone(), draw));
    wordings.min_by_key(|found| repeats(&found.reasons)).expect("there is at least one wording")
}

/// How many wordings of a ruling are tried.
const WORDINGS: usize = 6;

/// Of these house lines, those that claim nothing and would weigh best as the answer: all that weigh the same.
pub(super) fn best_answers(
    hearing: &Hearing<'_>,
    lines: impl Iterator<Item = &'static String>,
) -> Vec<&'static String> {
    let Some(weighing) = Weighing::new(hearing) else { return vec![] };
    let weighed = lines.map(|line| {
        let answer = HeardText::public(&weighing.ear, hearing.lang, Side::Second, line);
        // The draw only chooses words of the ruling.
        let found = weighing.find(Some((line, answer)), &mut Draw::from_number(0));
        (found.claim.is_some(), found.shift, line)
    });
    let weighed: Vec<(bool, i8, &'static String)> = weighed.filter(|(claims, ..)| !claims).collect();
    let best = weighed.iter().map(|(_, shift, _)| *shift).min();
    weighed.into_iter().filter(|(_, shift, _)| Some(*shift) == best).map(|(_, _, line)| line).collect()
}

/// An attack, heard, and everything that an answer to it is weighed against.
struct Weighing<'a> {
    hearing: &'a Hearing<'a>,
    brief: &'a Brief,
    script: &'a Script,
    ear: Arc<Ear>,
    attack: HeardText,
    /// Earlier attacks, each with the character that was attacked.
    before: Vec<(&'a str, HeardText)>,
}

/// An answer and how it was heard.
type Answer<'a> = (&'a str, HeardText);

impl<'a> Weighing<'a> {
    /// Nothing if the case is no longer on the docket, or was never taught.
    fn new(hearing: &'a Hearing<'a>) -> Option<Self> {
        let brief = hearing.brief?;
        let (script, ear) = (brief.script(hearing.character)?, brief.ear(hearing.case));
        if !ear.is_taught() {
            return None;
        }
        let hear = |text: &str| HeardText::new(&ear, hearing.lang, Side::First, text);
        let before = hearing.attacks_before.iter().map(|(character, text)| (*character, hear(text))).collect();
        let attack = hear(hearing.attack);
        Some(Weighing { hearing, brief, script, attack, before, ear })
    }

    fn find(&self, answer: Option<Answer<'a>>, draw: &mut Draw) -> Finding {
        let (worth, met) = (self.worth(), self.met(answer.as_ref()));
        let gained = match &worth {
            Worth::Nothing(Why::Empty | Why::Nonsense) => -EMPTY,
            Worth::Nothing(Why::Repeat | Why::Pasted | Why::NoFact) => 0,
            Worth::Weighs(points) => points.weight(),
        };
        let claim = answer.as_ref().and_then(|answer| self.claim(answer));
        let struck = claim.is_some_and(|claim| self.hearing.struck.contains(&claim.key().as_str()));
        let at_least = match (&met, claim) {
            (_, Some(_)) => BOLD,
            (Met::Meets { admitted: None, .. }, None) if matches!(worth, Worth::Nothing(_)) => FLOOR,
            (Met::Silent | Met::Empty | Met::Echo | Met::Pasted | Met::Meets { .. }, None) => i32::MIN,
        };
        // A claim that was struck is not believed again, and neither is what is said along with it.
        let lost = if struck { met.weight().min(0) } else { met.weight().max(at_least) };
        let shift = (gained - lost).clamp(RULING_MIN, RULING_MAX) as i8;
        let heard = answer.as_ref().map(|(_, heard)| heard);
        let passage = match (claim, heard) {
            (Some(claim), Some(answer)) => claim.passage(answer),
            (Some(_), None) | (None, _) => self.passage(&worth, &met, heard),
        };
        let reasons = self.reasons(&worth, &met, claim.map(|claim| (claim, struck)), draw);
        Finding { shift, claim: claim.map(Claimed::text), reasons, passage }
    }

    fn worth(&self) -> Worth {
        let Hearing { case, attack, attacks_before, character, .. } = self.hearing;
        let (heard, before) = (&self.attack, &self.before);
        // An attack is empty only where a game is replayed without it.
        if attack.is_empty() {
            return Worth::Nothing(Why::NoFact);
        }
        if heard.words < WORDS_MIN {
            return Worth::Nothing(Why::Empty);
        }
        if attacks_before.iter().any(|(_, before)| is_again(attack, before)) {
            return Worth::Nothing(Why::Repeat);
        }
        if heard.is_file {
            return Worth::Nothing(Why::Pasted);
        }
        if !heard.is_speech {
            return Worth::Nothing(Why::Nonsense);
        }
        let mut points = Points { presses: heard.pressed(self.script), ..Points::default() };
        points.presses_anew =
            points.presses.is_some_and(|press| !before.iter().any(|(_, it)| it.pressed(self.script) == Some(press)));
        for spoken in heard.argued(case) {
            let known = |known: &Spoken| known.fact == spoken.fact && known.helps == Side::First && known.is_plain();
            // What an attack touched in passing was not argued by it.
            let argued = |before: &HeardText| before.facts(case).iter().take(CREDITED).any(known);
            let mut put_to = before.iter().filter(|(_, before)| argued(before)).map(|(character, _)| *character);
            match (spoken.helps, put_to.clone().next()) {
                // Nobody is held to a slip that was half heard.
                (Side::Second, _) if !spoken.is_plain() => {}
                (Side::Second, _) => points.helps.push(spoken.fact),
                (Side::First, Some(_)) if put_to.any(|whom| whom == *character) => points.old.push(spoken.fact),
                (Side::First, before) => {
                    points.new.push(spoken.fact);
                    points.elsewhere.extend(before.map(|_| spoken.fact));
                }
            }
        }
        if !points.new.is_empty() {
            points.exact = usize::from(heard.support.figures) + usize::from(heard.support.names > 0);
            points.wrong = usize::from(heard.support.figures_wrong);
        }
        if points.argued().next().is_none() && points.presses.is_none() {
            return Worth::Nothing(Why::NoFact);
        }
        Worth::Weighs(points)
    }

    fn met(&self, answer: Option<&Answer<'_>>) -> Met {
        let Hearing { case, attack, answers_before, .. } = self.hearing;
        let Some((answer, heard)) = answer else { return Met::Silent };
        // Saying it again is no answer, and neither is saying the attack again.
        if answers_before.iter().chain([attack]).any(|before| is_again(answer, before)) {
            return Met::Echo;
        }
        if heard.is_file {
            return Met::Pasted;
        }
        if heard.words < WORDS_MIN || !heard.is_speech {
            return Met::Empty;
        }
        let argued: Vec<usize> = self.attack.facts(case).iter().map(|spoken| spoken.fact).collect();
        let (mut fact, mut relied, mut admitted): (Option<(usize, i32)>, Option<usize>, Option<usize>) =
            (None, None, None);
        for spoken in heard.facts(case) {
            let plainly = if spoken.is_plain() { MET_PLAINLY } else { MET };
            match spoken.helps {
                // Nobody is held to an admission that was half heard, or of what nobody asked about.
                Side::First if spoken.is_plain() && (argued.is_empty() || argued.contains(&spoken.fact)) => {
                    admitted = admitted.or(Some(spoken.fact));
                }
                Side::First => {}
                Side::Second if argued.contains(&spoken.fact) => {
                    fact = fact.filter(|(_, best)| *best >= plainly).or(Some((spoken.fact, plainly)));
                }
                Side::Second if case.record[spoken.fact].favours == Favours::Acquit => {
                    relied = relied.or(Some(spoken.fact));
                }
                Side::Second => {}
            }
        }
        Met::Meets { fact, relied, admitted }
    }

    /// The extraordinary claim that the answer makes, unless it stands proved.
    fn claim(&self, (answer, heard): &Answer<'a>) -> Option<Claimed<'a>> {
        let Hearing { lang, case, proved, .. } = self.hearing;
        let claim = claimed(*lang, case, self.brief, self.script, (answer, heard));
        claim.filter(|claim| !proved.contains(&claim.key().as_str()))
    }

    /// The words that a ruling without a claim rests on: of an admission, of an attack that weighs something, or of the answer.
    fn passage(&self, worth: &Worth, met: &Met, answer: Option<&HeardText>) -> String {
        let id = |fact: usize| self.hearing.case.record[fact].id.as_str();
        let of_answer = |fact: usize| answer.map_or("", |answer| answer.said_of(id(fact)));
        let said = match (worth, met) {
            (_, Met::Meets { admitted: Some(fact), .. }) => of_answer(*fact),
            (Worth::Weighs(points), _) => match points.named() {
                Named::New(fact) | Named::Old(fact) | Named::Helps(fact) => self.attack.said_of(id(fact)),
                Named::Pressed(place) => self.attack.said_of(&self.script.temptations[place].id),
                Named::Nothing => "",
            },
            (Worth::Nothing(_), Met::Meets { fact: Some((fact, _)), .. } | Met::Meets { relied: Some(fact), .. }) => {
                of_answer(*fact)
            }
            (Worth::Nothing(_), Met::Silent | Met::Empty | Met::Echo | Met::Pasted | Met::Meets { .. }) => "",
        };
        cut(said, PASSAGE_LEN_MAX)
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
            Worth::Nothing(Why::Nonsense) => (say(&lines.nonsense, "", "", draw), Named::Nothing),
            Worth::Nothing(Why::NoFact) => (say(&lines.nothing, "", "", draw), Named::Nothing),
            Worth::Weighs(points) => {
                let named = points.named();
                let text = match named {
                    Named::New(fact) if points.elsewhere.contains(&fact) => {
                        say(&lines.elsewhere, label(fact), "", draw)
                    }
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
            (None, Met::Meets { admitted: Some(fact), .. }) if named.fact() == Some(*fact) => {
                say(&lines.admits_it, "", "", draw)
            }
            (None, Met::Meets { admitted: Some(fact), .. }) => say(&lines.admits, label(*fact), "", draw),
            (None, Met::Meets { fact: Some((fact, _)), .. }) if named.fact() == Some(*fact) => {
                say(&lines.met_it, "", "", draw)
            }
            (None, Met::Meets { fact: Some((fact, _)), .. }) => say(&lines.met, label(*fact), "", draw),
            (None, Met::Meets { fact: None, relied: Some(fact), .. }) => say(&lines.relied, label(*fact), "", draw),
            (None, Met::Meets { fact: None, relied: None, .. }) => match named {
                Named::New(_) => say(&lines.unmet, "", "", draw),
                // If the attack argued nothing new, there was nothing to meet.
                Named::Pressed(_) | Named::Old(_) | Named::Helps(_) | Named::Nothing => return first,
            },
        };
        format!("{first} {second}")
    }
}

/// The extraordinary claim that an answer makes: one that the character is tempted into, or else a boast that rests on nothing in the
/// record.
fn claimed<'a>(
    lang: Lang,
    case: &Case,
    brief: &Brief,
    script: &'a Script,
    (answer, heard): (&'a str, &HeardText),
) -> Option<Claimed<'a>> {
    if let Some(place) = heard.claimed(script) {
        return Some(Claimed::Known(&script.temptations[place]));
    }
    let cited = speech::words(answer);
    let rests = !heard.is_speech
        || heard.facts(case).iter().any(|spoken| spoken.grounds())
        || case.record.iter().any(|fact| cited.contains(&fact.id.to_lowercase()));
    if rests {
        return None;
    }
    boast::boast(lang, answer, || brief.matter(lang, case)).map(Claimed::Boast)
}

/// Whether a line of the accused would be taken for a claim.
pub(super) fn is_claim(lang: Lang, case: &Case, brief: &Brief, script: &Script, line: &str) -> bool {
    let heard = HeardText::public(&brief.ear(case), lang, Side::Second, line);
    claimed(lang, case, brief, script, (line, &heard)).is_some()
}

/// Rules in a case that the house knows nothing more of: an attack weighs a little if it is new, on topic and not read off the file.
fn unfiled(hearing: &Hearing<'_>, draw: &mut Draw) -> Finding {
    let Hearing { lang, case, attack, attacks_before, .. } = hearing;
    let lines = &house::library(*lang).ruling;
    let say = |lines: &[String], draw: &mut Draw| sentence(lines, &[("fact", &case.title)], draw);
    let ear = ear_of(case, hearing.brief);
    let heard = HeardText::new(&ear, *lang, Side::First, attack);
    let (shift, reasons) = if heard.words < WORDS_MIN {
        (0, say(&lines.empty, draw))
    } else if attacks_before.iter().any(|(_, before)| is_again(attack, before)) {
        (0, say(&lines.repeat, draw))
    } else if heard.is_file {
        (0, say(&lines.pasted, draw))
    } else if !heard.is_speech {
        (0, say(&lines.nonsense, draw))
    } else if ear.is_on_topic(attack) {
        (1, say(&lines.new, draw))
    } else {
        (0, say(&lines.nothing, draw))
    };
    Finding { shift, claim: None, reasons, passage: String::new() }
}

/// The ear of a case, or one that only knows its file.
fn ear_of(case: &Case, brief: Option<&Brief>) -> Arc<Ear> {
    brief.map_or_else(|| Arc::new(hearing::ear(case, &[], Bytes::default())), |brief| brief.ear(case))
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
    pub(super) mode: Manner,
    pub(super) cited: &'a [String],
    pub(super) text: &'a str,
    /// Defenses that fell in this trial.
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

/// Rules on how a burden was met, in the wording that repeats least.
pub(super) fn weigh_burden(
    plea: &Plea<'_>,
    repeats: &dyn Fn(&str) -> (usize, usize),
    draw: &mut Draw,
) -> (Fate, String) {
    let lines = &house::library(plea.lang).burden;
    let found = plead(plea);
    let (verdict, lines, fact) = match found {
        Plead::Proved(fact) => (Fate::Proved, &lines.proved, Some(fact)),
        Plead::Carried => (Fate::Proved, &lines.carried, None),
        Plead::Beside => (Fate::Failed, &lines.beside, None),
        Plead::Thin => (Fate::Failed, &lines.thin, None),
        Plead::Bare => (Fate::Failed, &lines.bare, None),
        Plead::Again => (Fate::Failed, &lines.again, None),
    };
    let fact = fact.map_or("", |fact| plea.case.record[fact].label.as_str());
    let slots = [("fact", fact), ("label", plea.label), ("character", name(plea.case, plea.character))];
    let wordings = (0..WORDINGS).map(|_| sentence(lines, &slots, draw));
    (verdict, wordings.min_by_key(|text| repeats(text)).expect("there is at least one wording"))
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
    let ear = ear_of(plea.case, plea.brief);
    // A list of words says nothing that could carry a claim.
    let heard = HeardText::new(&ear, plea.lang, Side::Second, plea.text);
    let place = |id: &String| plea.case.record.iter().position(|fact| fact.id == *id);
    let spoken = heard.facts(plea.case);
    let argues = |fact: usize| match ear.is_taught() {
        true => spoken.iter().any(|spoken| spoken.fact == fact),
        false => heard.is_speech && (heard.support.figures > 0 || heard.support.names > 0),
    };
    let carries: Vec<usize> = proof.iter().filter_map(place).collect();
    match plea.mode {
        Manner::Prove => {
            let cited: Vec<usize> = plea.cited.iter().filter_map(place).filter(|fact| carries.contains(fact)).collect();
            let shown = cited.iter().find(|fact| argues(**fact));
            match (shown, cited.first()) {
                (Some(fact), _) => Plead::Proved(*fact),
                // A list of numbers is no argument.
                (None, Some(_)) => Plead::Thin,
                (None, None) => Plead::Beside,
            }
        }
        Manner::Defend | Manner::Withdraw => {
            let plainly = |fact: &&usize| spoken.iter().any(|spoken| spoken.fact == **fact && spoken.is_plain());
            let argued = carries.iter().filter(plainly).count();
            if argued >= 2 { Plead::Carried } else { Plead::Bare }
        }
    }
}

/// What an attack is about, in a few neutral words: the temptation it presses, the fact it argues, or whom it is on.
pub(super) fn label(lang: Lang, brief: Option<&Brief>, case: &Case, character: &str, text: &str) -> String {
    let heard = HeardText::new(&ear_of(case, brief), lang, Side::First, text);
    let script = brief.and_then(|brief| brief.script(character));
    if let Some((script, place)) = script.and_then(|script| Some((script, heard.pressed(script)?))) {
        return script.temptations[place].label.clone();
    }
    if let Some(spoken) = heard.facts(case).first() {
        return case.record[spoken.fact].label.clone();
    }
    fill(&house::library(lang).unlabelled, &[("character", name(case, character))])
}

/// The facts that an attack or an answer speaks of, taken by itself.
pub(super) fn heard(state: &State, entry: &Entry) -> Option<Vec<Point>> {
    let text = entry.line.text.as_deref()?;
    let side = match entry.line.seat.and_then(Role::of)? {
        Role::Prosecutor => Side::First,
        Role::Accused => Side::Second,
        Role::Bench => return None,
    };
    let case = state.case.as_deref()?;
    let brief = docket::docket().brief(state.lang, case);
    let hear = if entry.line.seen_by == SeenBy::All { HeardText::public } else { HeardText::new };
    let heard = hear(&ear_of(case, brief), state.lang, side, text);
    let point = |spoken: Spoken| {
        let helps = match spoken.helps {
            Side::First => "prosecutor",
            Side::Second => "accused",
        };
        Point { point: case.record[spoken.fact].label.clone(), stance: spoken.stance.word(), helps: Some(helps) }
    };
    Some(heard.facts(case).into_iter().map(point).collect())
}

/// Whether a text repeats another in nearly the same words.
pub(super) fn is_again(text: &str, before: &str) -> bool {
    let alike = Shingles::of(text).likeness(&Shingles::of(before)).is_at_least(REPEAT_PERCENT);
    alike || speech::overlap(&speech::words(text), before) >= ECHO_PERCENT
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
