//! The rulebook of the Tribunal: who may do what, when, and what follows.

use super::bench;
use super::boast;
use super::docket;
use super::drafts;
use super::jury;
use super::refusal::Refusal;
use super::state::{Memory, Phase, State};
use super::words::{
    ATTACK_LEN, Act, Archived, CITED_MAX, CLAIM_LEN_MAX, Claim, Event, FOUND_MAX, Found, Ids, Note, PASSAGE_LEN_MAX,
    REASONS_LEN_MAX, Role, SHIFT_MAX, TEXT_LEN_MAX, Truth, Whole,
};
use crate::speech;
use engine::facts::{Fate, Manner};
use engine::parts::field::Field;
use engine::parts::text;
use engine::rules::{Actor, FieldSpec, Mark, Moment, Offer, Shape, Turn};
use serde::Deserialize as _;
use serde_json::Value;
use std::sync::Arc;

/// How much the accused can remember for one exchange.
const STRUCK_MAX: usize = 5;
const PROVED_MAX: usize = 2;
const ANGLES_MAX: usize = 256;
/// Longest id of something remembered, in bytes.
const ID_LEN_MAX: usize = 128;
/// Longest label of something archived, in bytes.
const LABEL_LEN_MAX: usize = 400;

/// The deal: case and jury, each drawn once.
pub(super) fn open_court(state: &State, moment: &Moment<'_>) -> Event {
    let docket = docket::docket();
    let wanted = state.case_id.as_deref().and_then(|id| docket.case(state.lang, id));
    let case = wanted.unwrap_or_else(|| moment.chance.draw("case", 0).pick(docket.cases(state.lang)));
    Event::CourtOpened { case: Arc::clone(case), jurors: jury::deal(&mut moment.chance.draw("jurors", 0)) }
}

pub(super) fn decide(state: &State, actor: Actor, act: &Act, house: bool) -> Result<Vec<Event>, Refusal> {
    if let Phase::End(_) = state.phase {
        return Err(Refusal::Over);
    }
    let mut decision = Decision { now: state.clone(), events: Vec::new(), house };
    match (actor, act) {
        (Actor::Clock, Act::Recall(body)) => decision.recall(body)?,
        (Actor::Clock, Act::MindFailed) => decision.silence()?,
        (_, Act::Recall(_) | Act::MindFailed) => return Err(Refusal::UnknownAct),
        (Actor::Seat(seat), _) => decision.seated(Role::of(seat).ok_or(Refusal::NotSeated)?, act)?,
        (Actor::Host | Actor::Clock, _) => return Err(Refusal::NotSeated),
    }
    Ok(decision.events)
}

/// A decision being made: events are recorded on a copy as they are decided, so that each follows from those before it. Numbers
/// of events are not known yet, and no event carries one.
struct Decision {
    now: State,
    events: Vec<Event>,
    /// Whether the house holds the seat that acts.
    house: bool,
}

impl Decision {
    fn then(&mut self, event: Event) {
        self.now.evolve(&event, Mark::default());
        self.events.push(event);
    }

    /// In a closed trial, tells spectators that something was said, without the words.
    fn note(&mut self, exchange: u8, note: Note) {
        if !self.now.open {
            self.then(Event::Noted { exchange, note });
        }
    }

    fn seated(&mut self, role: Role, act: &Act) -> Result<(), Refusal> {
        if let (Role::Prosecutor, Act::OpenTrial) = (role, act) {
            return self.open_trial();
        }
        let awaited = self.now.phase.awaited();
        if awaited != Some(role) || matches!(self.now.phase, Phase::Recall(_)) {
            return Err(Refusal::NotYourTurn { awaited: awaited.map_or("nobody", Role::word) });
        }
        match (&self.now.phase, act) {
            (Phase::Attack, Act::Argue { character_id, text }) => self.argue(character_id, text),
            (Phase::Attack, Act::Consult { character_id, found }) => self.consult(character_id, found),
            (Phase::Answer(..), Act::Answer { text }) => self.answer(text),
            (Phase::Ruling(..), Act::Rule { jury_shift, extraordinary, claim, reasons, passage }) => {
                self.rule(jury_shift, extraordinary, claim, reasons, passage)
            }
            (Phase::Burden(..), Act::Substantiate { mode, text, evidence, angle, inspired_by }) => {
                self.substantiate(*mode, text, evidence, (angle, inspired_by))
            }
            (Phase::BurdenRuling(_), Act::RuleBurden { verdict, reasons }) => self.rule_burden(verdict, reasons),
            (Phase::Attack, _) => Err(wrong(act, "argue or consult")),
            (Phase::Answer(..), _) => Err(wrong(act, "answer")),
            (Phase::Ruling(..), _) => Err(wrong(act, "rule")),
            (Phase::Burden(..), _) => Err(wrong(act, "prove, withdraw or defend")),
            (Phase::BurdenRuling(_), _) => Err(wrong(act, "rule_burden")),
            (Phase::Dealing | Phase::Recall(_) | Phase::Closing(_) | Phase::End(_), _) => {
                Err(Refusal::NotYourTurn { awaited: "nobody" })
            }
        }
    }

    fn open_trial(&mut self) -> Result<(), Refusal> {
        if self.now.open {
            return Err(Refusal::AlreadyOpen);
        }
        if !may_open(&self.now) {
            return Err(Refusal::TooLate);
        }
        self.then(Event::TrialOpened);
        Ok(())
    }

    fn argue(&mut self, character_id: &Field<String>, words: &Field<String>) -> Result<(), Refusal> {
        let character = self.named(character_id)?.id.clone();
        let text = words.required("text", "a string of 20 to 600 characters").map_err(Refusal::Body)?;
        let text = text::checked_words("text", text, ATTACK_LEN).map_err(Refusal::Body)?;
        let (exchange, open) = (self.now.exchange(), self.now.open);
        let case = self.now.case.as_deref();
        let label = case.map(|case| bench::label(self.now.lang, self.brief(), case, &character, &text));
        let label = label.unwrap_or_default();
        let drafted = !self.house && drafts::is_house_line(&text);
        self.then(Event::Argued { exchange, character: character.clone(), label: label.clone(), text, open, drafted });
        self.note(exchange, Note::Argued { character_id: character, label });
        Ok(())
    }

    fn named(&self, character_id: &Field<String>) -> Result<&docket::Character, Refusal> {
        let id = character_id.required("character_id", "the id of a character").map_err(Refusal::Body)?;
        let known = || characters(&self.now).join(", ");
        self.now.character(id).ok_or_else(|| Refusal::NoSuchCharacter { known: known() })
    }

    /// A look into the archive uses up the exchange and moves nobody.
    fn consult(&mut self, character_id: &Field<String>, found: &Field<Archived>) -> Result<(), Refusal> {
        let character = self.named(character_id)?;
        let (character, name) = (character.id.clone(), character.name.clone());
        let found = found.optional("found", "a list of archived attacks").map_err(Refusal::Body)?;
        let found = found.map_or(vec![], |Archived(found)| found.clone());
        if found.is_empty() {
            return Err(Refusal::NothingToConsult { character: name });
        }
        if found.len() > FOUND_MAX || !found.iter().all(fits) {
            return Err(Refusal::Body(format!("At most {FOUND_MAX} attacks are shown, each as long as an attack.")));
        }
        let exchange = self.now.exchange();
        let price = self.now.rates.consult_ia;
        self.then(Event::Consulted { exchange, character: character.clone(), price, found });
        // In an open trial too: only the prosecutor reads what the archive showed.
        self.then(Event::Noted { exchange, note: Note::Consulted { character_id: character } });
        self.shifted(exchange, 0, None, false);
        Ok(())
    }

    fn brief(&self) -> Option<&'static docket::Brief> {
        docket::docket().brief(self.now.lang, self.now.case.as_deref()?)
    }

    fn recall(&mut self, body: &Value) -> Result<(), Refusal> {
        let Phase::Recall(_) = self.now.phase else {
            return Err(Refusal::NotYourTurn { awaited: self.now.phase.awaited().map_or("nobody", Role::word) });
        };
        let memory = Memory::deserialize(body).map_err(|error| Refusal::Body(format!("Not a memory: {error}.")))?;
        let texts = memory.struck.iter().chain(memory.proved.iter().map(|proved| &proved.text));
        let ids = memory.angles_used.iter().chain(memory.proved.iter().map(|proved| &proved.id));
        let fits = memory.struck.len() <= STRUCK_MAX
            && memory.proved.len() <= PROVED_MAX
            && memory.angles_used.len() <= ANGLES_MAX
            && texts.into_iter().all(|text| text.chars().count() <= TEXT_LEN_MAX)
            && ids.into_iter().all(|id| id.len() <= ID_LEN_MAX);
        if !fits {
            let most = format!("{STRUCK_MAX} struck and {PROVED_MAX} proved defenses and {ANGLES_MAX} angles");
            return Err(Refusal::Body(format!("At most {most} are remembered, each as long as a speech.")));
        }
        self.then(Event::Recalled { memory });
        Ok(())
    }

    fn answer(&mut self, words: &Field<String>) -> Result<(), Refusal> {
        let text = said("text", words)?;
        let (exchange, open) = (self.now.exchange(), self.now.open);
        let character = self.attacked();
        self.then(Event::Answered { exchange, character: character.clone(), text, open });
        self.note(exchange, Note::Answered { character_id: character });
        Ok(())
    }

    fn attacked(&self) -> String {
        self.now.phase.heard().map(|heard| heard.character.clone()).unwrap_or_default()
    }

    fn rule(
        &mut self,
        jury_shift: &Field<Whole>,
        extraordinary: &Field<Truth>,
        claim: &Field<String>,
        reasons: &Field<String>,
        passage: &Field<String>,
    ) -> Result<(), Refusal> {
        let shift = whole_shift(jury_shift)?;
        let extraordinary = extraordinary.optional("extraordinary", "true or false").map_err(Refusal::Body)?;
        let claim = match extraordinary {
            Some(Truth(true)) => {
                let claim = claim.required("claim", "what the answer claims").map_err(Refusal::Body)?;
                let claim = text::checked_line("claim", claim, 1..=CLAIM_LEN_MAX).map_err(Refusal::Body)?;
                Some(self.known(claim))
            }
            Some(Truth(false)) | None => None,
        };
        let reasons = why(reasons)?;
        let passage = passage.optional("passage", "words of the attack or the answer").map_err(Refusal::Body)?;
        let passage = passage.map_or("", |passage| passage.trim());
        let passage = text::checked("passage", passage, 0..=PASSAGE_LEN_MAX).map_err(Refusal::Body)?;
        let traces = self.now.phase.heard().map_or(&[][..], |heard| &heard.traces);
        if !passage.is_empty() && !traces.iter().any(|trace| trace.quotes(&passage)) {
            return Err(Refusal::NoSuchPassage);
        }
        self.ruled(shift, claim, reasons, passage);
        Ok(())
    }

    /// The claim with the key that identifies it if it is made again.
    fn known(&self, text: String) -> Claim {
        let words = speech::words(&text);
        let character = self.attacked();
        let script = self.brief().and_then(|brief| brief.script(&character));
        let known = script
            .and_then(|script| script.temptations.iter().find(|temptation| speech::words(&temptation.claim) == words));
        let label = self.now.phase.heard().map(|heard| heard.label.clone()).unwrap_or_default();
        match known {
            Some(temptation) => Claim { key: temptation.id.clone(), label: temptation.label.clone(), text },
            None => Claim { key: boast::key(&text), label, text },
        }
    }

    fn ruled(&mut self, shift: i8, claim: Option<Claim>, reasons: String, passage: String) {
        let (exchange, open) = (self.now.exchange(), self.now.open);
        let struck_before = claim.as_ref().map(|claim| self.now.has(&claim.key, Fate::Failed));
        self.then(Event::Ruled { exchange, shift, claim, reasons, passage, open });
        self.note(exchange, Note::Ruled { jury_shift: shift, extraordinary: struck_before.is_some() });
        match struck_before {
            None => self.close(),
            // A claim that was struck may not be made again: it falls without a hearing.
            Some(true) => self.burden_ruled(Fate::Failed, String::new()),
            Some(false) => {}
        }
    }

    fn substantiate(
        &mut self,
        mode: Manner,
        words: &Field<String>,
        evidence: &Field<Ids>,
        (angle, inspired_by): (&Field<String>, &Field<String>),
    ) -> Result<(), Refusal> {
        let text = match (mode, words) {
            (Manner::Withdraw, Field::Missing) => String::new(),
            (Manner::Withdraw, Field::Given(empty)) if empty.trim().is_empty() => {
                let accepted =
                    format!("write 1 to {TEXT_LEN_MAX} characters, or leave it out to withdraw without a word");
                return Err(Refusal::Body(format!("The field \"text\" is empty; {accepted}.")));
            }
            (Manner::Prove | Manner::Withdraw | Manner::Defend, _) => said("text", words)?,
        };
        let evidence = match mode {
            Manner::Prove => self.cited(evidence)?,
            Manner::Withdraw | Manner::Defend => vec![],
        };
        let angle = angle.optional("angle", "the id of an angle").map_err(Refusal::Body)?.cloned();
        // The text must begin with the words of the angle: an angle is used up by being said, not by being named.
        if let Some(id) = angle.as_ref().filter(|id| !self.has_angle(id, &text)) {
            return Err(Refusal::NoSuchAngle(id.clone()));
        }
        let inspired_by = inspired_by.optional("inspired_by", "the id of a defense").map_err(Refusal::Body)?.cloned();
        let remembered = self.now.phase.memory().map_or(&[][..], |memory| &memory.proved);
        if let Some(id) = inspired_by.as_ref().filter(|id| !remembered.iter().any(|proved| proved.id == **id)) {
            return Err(Refusal::NoSuchInspiration(id.clone()));
        }
        let (exchange, open, character) = (self.now.exchange(), self.now.open, self.attacked());
        let label = self.now.claim().map(|claim| claim.label.clone()).unwrap_or_default();
        self.then(Event::Substantiated {
            exchange,
            character: character.clone(),
            label: label.clone(),
            mode,
            text,
            evidence: evidence.clone(),
            angle,
            inspired_by,
            open,
        });
        self.note(exchange, Note::Substantiated { character_id: character, label, mode, evidence });
        match mode {
            Manner::Withdraw => self.close(),
            Manner::Prove | Manner::Defend => {}
        }
        Ok(())
    }

    /// The facts that are cited, each once, all of them this character's to cite.
    fn cited(&self, evidence: &Field<Ids>) -> Result<Vec<String>, Refusal> {
        let known = self.now.attacked().map(|character| character.evidence.join(", ")).unwrap_or_default();
        // "Must be a list, not a list" would not help: say what the list must hold.
        let expected = format!("a string with one id or a list of 1 to {CITED_MAX} strings, of {known}");
        let Ids(ids) = match evidence {
            Field::Wrong(found) if found == "a list" => {
                return Err(Refusal::Body(format!("The field \"evidence\" must be {expected}.")));
            }
            Field::Given(_) | Field::Missing | Field::Wrong(_) => {
                evidence.required("evidence", &expected).map_err(Refusal::Body)?
            }
        };
        let mut cited: Vec<String> = Vec::new();
        for id in ids {
            if !cited.contains(id) {
                cited.push(id.clone());
            }
        }
        if !(1..=CITED_MAX).contains(&cited.len()) {
            return Err(Refusal::Body(format!("The field \"evidence\" must name 1 to {CITED_MAX} facts.")));
        }
        let Some(character) = self.now.attacked() else { return Ok(cited) };
        match cited.iter().find(|id| !character.evidence.contains(id)) {
            None => Ok(cited),
            Some(id) => Err(Refusal::NoSuchEvidence {
                id: id.chars().take(ID_LEN_MAX).collect(),
                character: character.name.clone(),
                known: character.evidence.join(", "),
            }),
        }
    }

    fn has_angle(&self, id: &str, text: &str) -> bool {
        let script = self.brief().and_then(|brief| brief.script(&self.attacked()));
        script.and_then(|script| script.angle(id)).is_some_and(|(_, angle)| text.starts_with(&angle.text))
    }

    fn rule_burden(&mut self, verdict: &Field<String>, reasons: &Field<String>) -> Result<(), Refusal> {
        let Field::Given(verdict) = verdict else { return Err(Refusal::BadVerdict) };
        let verdict = RULED.into_iter().find(|known| known.word() == verdict).ok_or(Refusal::BadVerdict)?;
        let reasons = why(reasons)?;
        self.burden_ruled(verdict, reasons);
        Ok(())
    }

    fn burden_ruled(&mut self, verdict: Fate, reasons: String) {
        let (exchange, open) = (self.now.exchange(), self.now.open);
        self.then(Event::BurdenRuled { exchange, verdict, reasons, open });
        self.note(exchange, Note::BurdenRuled { verdict });
        self.close();
    }

    /// Nothing usable came from the seat that is awaited. A silent prosecutor is left to the table and its turn limit.
    fn silence(&mut self) -> Result<(), Refusal> {
        let exchange = self.now.exchange();
        let silent = |role| Event::Silent { exchange, role };
        match &self.now.phase {
            // If nothing can be looked up, the accused answers without a memory.
            Phase::Recall(_) => self.then(Event::Recalled { memory: Memory::default() }),
            Phase::Answer(..) => self.then(silent(Role::Accused)),
            Phase::Ruling(..) => {
                self.then(silent(Role::Bench));
                self.ruled(0, None, String::new(), String::new());
            }
            Phase::Burden(..) => {
                self.then(silent(Role::Accused));
                self.burden_ruled(Fate::Failed, String::new());
            }
            Phase::BurdenRuling(_) => {
                self.then(silent(Role::Bench));
                self.burden_ruled(Fate::Failed, String::new());
            }
            Phase::Dealing | Phase::Attack | Phase::Closing(_) | Phase::End(_) => {
                let awaited = self.now.phase.awaited();
                return Err(Refusal::NotYourTurn { awaited: awaited.map_or("nobody", Role::word) });
            }
        }
        Ok(())
    }

    /// Moves the jury, and asks it for a verdict if it is of one mind or this was the last exchange.
    fn close(&mut self) {
        let Phase::Closing(heard) = &self.now.phase else { return };
        let verdict = heard.burden.map(|(_, verdict)| verdict);
        let shift = jury::total(heard.ruling.as_ref().map_or(0, |ruling| ruling.shift), verdict);
        // The intern's draft, sent unchanged, moves half as many jurors and pays nothing: the intern helps, but does not play.
        let drafted = heard.drafted;
        let shift = if drafted && shift > 0 { shift / 2 } else { shift };
        self.shifted(self.now.exchange(), shift, verdict, drafted);
    }

    fn shifted(&mut self, exchange: u8, shift: i8, verdict: Option<Fate>, drafted: bool) {
        let (leans, moved) = jury::shift(&self.now.jurors, shift);
        let ia_change = jury::ia_change(&self.now.rates, shift, moved.len(), verdict);
        self.then(Event::ExchangeClosed {
            exchange,
            shift,
            leans,
            triggered: verdict.is_some(),
            verdict,
            ia_change: if drafted { ia_change.min(0) } else { ia_change },
            moved,
        });
        if jury::is_of_one_mind(&leans) || exchange >= self.now.exchanges {
            self.then(Event::Ended { verdict: jury::verdict(&leans), leans });
        }
    }
}

/// What the bench may rule on a burden; only the accused can withdraw its claim.
const RULED: [Fate; 2] = [Fate::Proved, Fate::Failed];

fn wrong(act: &Act, expected: &'static str) -> Refusal {
    Refusal::WrongAct { found: act.word(), expected }
}

fn said(name: &str, words: &Field<String>) -> Result<String, Refusal> {
    let words = words.required(name, "a string of 1 to 600 characters").map_err(Refusal::Body)?;
    text::checked_words(name, words, 1..=TEXT_LEN_MAX).map_err(Refusal::Body)
}

fn why(reasons: &Field<String>) -> Result<String, Refusal> {
    let reasons = reasons.required("reasons", "a string of 1 to 300 characters").map_err(Refusal::Body)?;
    text::checked("reasons", reasons, 1..=REASONS_LEN_MAX).map_err(Refusal::Body)
}

/// Whether an archived attack is within the limits of length.
fn fits(found: &Found) -> bool {
    let Found { arg_hash, text, label, effectiveness_e4: _, uses: _, worked: _ } = found;
    text.chars().count() <= *ATTACK_LEN.end() && label.len() <= LABEL_LEN_MAX && arg_hash.len() <= ID_LEN_MAX
}

fn whole_shift(jury_shift: &Field<Whole>) -> Result<i8, Refusal> {
    let Whole(shift) = jury_shift.required("jury_shift", "a whole number from -12 to 12").map_err(Refusal::Body)?;
    let bound = i64::from(SHIFT_MAX);
    if !(-bound..=bound).contains(shift) {
        return Err(Refusal::Body(format!("The field \"jury_shift\" must be -{bound} to {bound}, not {shift}.")));
    }
    Ok(*shift as i8)
}

fn characters(state: &State) -> Vec<String> {
    state.case.iter().flat_map(|case| &case.characters).map(|character| character.id.clone()).collect()
}

/// A trial may be opened to everybody before its first argument.
fn may_open(state: &State) -> bool {
    !state.open && state.closed.is_empty() && matches!(state.phase, Phase::Attack)
}

pub(super) fn turns(state: &State) -> Vec<Turn> {
    let who = match (&state.phase, state.phase.awaited()) {
        (Phase::Recall(_), _) => Actor::Clock,
        (_, Some(role)) => Actor::Seat(role.seat()),
        (_, None) => return vec![],
    };
    vec![Turn { who, offers: offers(state) }]
}

fn offers(state: &State) -> Vec<Offer> {
    let field = |name, shape| FieldSpec { name, shape, required: true };
    let words = |len_min, len_max| Shape::Text { len_min, len_max };
    let one_of = |words: &[&str]| Shape::Choice(words.iter().map(|word| (*word).to_owned()).collect());
    let speech = || field("text", words(1, TEXT_LEN_MAX));
    let reasons = || field("reasons", words(1, REASONS_LEN_MAX));
    match &state.phase {
        Phase::Dealing | Phase::Closing(_) | Phase::End(_) => vec![],
        Phase::Attack => {
            let whom = field("character_id", Shape::Choice(characters(state)));
            let text = field("text", words(*ATTACK_LEN.start(), *ATTACK_LEN.end()));
            let argue = Offer { action: "argue", fields: vec![whom, text] };
            let open = may_open(state).then(|| Offer { action: "open_trial", fields: vec![] });
            [argue].into_iter().chain(open).collect()
        }
        Phase::Recall(_) => vec![Offer { action: "recall", fields: vec![] }],
        Phase::Answer(..) => vec![Offer { action: "answer", fields: vec![speech()] }],
        Phase::Ruling(..) => {
            let bound = i32::from(SHIFT_MAX);
            let shift =
                || field("jury_shift", Shape::Choice((-bound..=bound).map(|shift| shift.to_string()).collect()));
            let found = |word| field("extraordinary", one_of(&[word]));
            let claim = field("claim", words(1, CLAIM_LEN_MAX));
            vec![
                Offer { action: "rule", fields: vec![shift(), found("false"), reasons()] },
                Offer { action: "rule", fields: vec![shift(), found("true"), claim, reasons()] },
            ]
        }
        Phase::Burden(..) => {
            let citable = state.attacked().map(|character| character.evidence.clone()).unwrap_or_default();
            let evidence = field("evidence", Shape::Choice(citable));
            vec![
                Offer { action: "prove", fields: vec![speech(), evidence] },
                Offer { action: "withdraw", fields: vec![FieldSpec { required: false, ..speech() }] },
                Offer { action: "defend", fields: vec![speech()] },
            ]
        }
        Phase::BurdenRuling(_) => {
            let verdict = field("verdict", one_of(&RULED.map(Fate::word)));
            vec![Offer { action: "rule_burden", fields: vec![verdict, reasons()] }]
        }
    }
}
