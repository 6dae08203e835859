//! What is known between events, and how an event changes it.

use super::docket::{Case, Character};
use super::words::{Claim, Event, JURORS, Role, Setup, Verdict};
use engine::facts::{Fate, Manner};
use engine::id::Seq;
use engine::rates::Rates;
use engine::roster::Lang;
use engine::rules::Mark;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of a trial. Its own speeches are not in it; what the accused remembers of earlier trials is, for one exchange.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    pub lang: Lang,
    /// The case that was asked for.
    pub case_id: Option<String>,
    /// After how many exchanges the jury is asked.
    pub exchanges: u8,
    /// Whether everybody may read the words.
    pub open: bool,
    /// The case, once the court has opened.
    pub case: Option<Arc<Case>>,
    /// How each juror leans, from -3 (acquit) to +3 (condemn).
    pub jurors: [i8; JURORS],
    pub phase: Phase,
    /// The board: every extraordinary claim, and what became of it.
    pub commitments: Vec<Commitment>,
    /// What the prosecutor has won, in IA.
    pub ia: u32,
    /// The exchanges that are over, except those that went to the archive.
    pub closed: Vec<Closed>,
    /// The exchanges that went to the archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consulted: Vec<Consultation>,
    /// What exchanges bring and cost here.
    #[serde(default, skip_serializing_if = "Rates::are_usual")]
    pub rates: Rates,
}

/// Where the trial stands; each phase carries what only it knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Between the start and the deal.
    Dealing,
    /// The prosecutor is to attack.
    Attack,
    /// The accused remembers what came of such attacks.
    Recall(Exchange),
    /// The accused is to answer.
    Answer(Exchange, Memory),
    /// The bench is to rule on attack and answer.
    Ruling(Exchange, Memory),
    /// The accused is to meet the burden of its claim.
    Burden(Exchange, Memory),
    /// The bench is to rule on how it was met.
    BurdenRuling(Exchange),
    /// All has been said; the jury is about to move.
    Closing(Exchange),
    End(Verdict),
}

/// An exchange so far: who was attacked, and which events said what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    pub character: String,
    /// What the attack is about.
    pub label: String,
    /// The event of the attack.
    pub attack: Seq,
    /// That of the answer, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Seq>,
    /// What the bench found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<Ruling>,
    /// How the burden was met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defense: Option<Defense>,
    /// The event of the bench's ruling on the burden, if it ruled, and what became of the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burden: Option<(Option<Seq>, Fate)>,
    /// The words of attack and answer as traces, until they are ruled on: the bench may quote nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// Whether the attack is the intern's draft as it was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drafted: bool,
}

/// A ruling on attack and answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ruling {
    pub event: Seq,
    /// How many jurors are moved, net.
    pub shift: i8,
    /// Where the answer's extraordinary claim is on the board, if it made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<u8>,
}

/// A defense of a claim.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Defense {
    /// The event with its words, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech: Option<Seq>,
    pub mode: Manner,
    /// The facts it rests on.
    pub evidence: Vec<String>,
    /// The house's own angle that it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<String>,
    /// The earlier defense that it varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inspired_by: Option<String>,
}

/// An exchange that is over, with what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Closed {
    pub heard: Exchange,
    /// How many jurors were to move, net.
    pub shift: i8,
    /// Which did, by number.
    pub moved: Vec<u8>,
    /// What it brought the prosecutor, in IA.
    pub ia_change: i32,
}

/// A look into the archive, which used up an exchange. The words are in the transcript.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Consultation {
    pub exchange: u8,
    /// The character whose attacks were looked up.
    pub character: String,
    pub event: Seq,
    /// What was shown, by hash, so that no look shows it again.
    pub shown: Vec<String>,
}

/// An extraordinary claim on the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Commitment {
    /// In which exchange it was made.
    pub exchange: u8,
    pub character: String,
    /// Identifies the claim if it is made again.
    pub key: String,
    /// What it is about.
    pub label: String,
    /// The event that says what it claims.
    pub ruled: Seq,
    /// What became of it; nothing yet while it is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<Fate>,
}

impl Commitment {
    /// As the board shows it.
    pub fn status(&self) -> &'static str {
        match self.met {
            None => "claimed",
            Some(Fate::Proved) => "proved",
            Some(Fate::Withdrawn) => "withdrawn",
            Some(Fate::Failed) => "struck",
        }
    }
}

/// What the accused remembers of earlier trials, for one exchange. Bounded, and shown to nobody but the mind that plays it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Defenses against such an attack that were struck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<String>,
    /// Defenses against it that were proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<Remembered>,
    /// The house's own angles that have been tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub angles_used: Vec<String>,
}

impl Memory {
    pub(super) fn is_empty(&self) -> bool {
        self.struck.is_empty() && self.proved.is_empty() && self.angles_used.is_empty()
    }
}

/// A defense that was proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Remembered {
    /// The hash of its words.
    pub id: String,
    pub text: String,
}

/// The words of a speech as numbers: enough to tell whether a quotation is one, too little to read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trace(Vec<u16>);

impl Trace {
    pub(super) fn of(text: &str) -> Self {
        Trace(crate::speech::words(text).iter().map(|word| folded(word)).collect())
    }

    /// Whether these words stand in the speech, in this order and without a gap.
    pub(super) fn quotes(&self, passage: &str) -> bool {
        let Trace(quoted) = Trace::of(passage);
        !quoted.is_empty() && self.0.windows(quoted.len()).any(|row| row == quoted)
    }
}

/// FNV-1a, folded to sixteen bits: the same on every machine for ever.
fn folded(word: &str) -> u16 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 16) as u16 ^ hash as u16
}

impl Phase {
    /// The game's status in this phase. It does not tell that the accused is remembering.
    pub fn status(&self) -> &'static str {
        match self {
            Phase::Dealing => "ready_to_start",
            Phase::Attack => "attack",
            Phase::Recall(_) | Phase::Answer(..) => "answer",
            Phase::Ruling(..) => "ruling",
            Phase::Burden(..) => "burden",
            Phase::BurdenRuling(_) => "burden_ruling",
            // As it was a moment ago.
            Phase::Closing(heard) => match heard.burden {
                None => "ruling",
                Some((None, _)) => "burden",
                Some((Some(_), _)) => "burden_ruling",
            },
            Phase::End(_) => "completed",
        }
    }

    pub fn awaited(&self) -> Option<Role> {
        match self {
            Phase::Attack => Some(Role::Prosecutor),
            Phase::Recall(_) | Phase::Answer(..) | Phase::Burden(..) => Some(Role::Accused),
            Phase::Ruling(..) | Phase::BurdenRuling(_) => Some(Role::Bench),
            Phase::Dealing | Phase::Closing(_) | Phase::End(_) => None,
        }
    }

    /// The exchange that is under way, once something was said in it.
    pub fn heard(&self) -> Option<&Exchange> {
        match self {
            Phase::Recall(heard)
            | Phase::Answer(heard, _)
            | Phase::Ruling(heard, _)
            | Phase::Burden(heard, _)
            | Phase::BurdenRuling(heard)
            | Phase::Closing(heard) => Some(heard),
            Phase::Dealing | Phase::Attack | Phase::End(_) => None,
        }
    }

    pub fn memory(&self) -> Option<&Memory> {
        match self {
            Phase::Answer(_, memory) | Phase::Ruling(_, memory) | Phase::Burden(_, memory) => Some(memory),
            Phase::Dealing
            | Phase::Attack
            | Phase::Recall(_)
            | Phase::BurdenRuling(_)
            | Phase::Closing(_)
            | Phase::End(_) => None,
        }
    }
}

impl State {
    pub(super) fn new(setup: &Setup, rates: Rates) -> Self {
        State {
            lang: setup.lang,
            case_id: setup.case_id.clone(),
            exchanges: setup.exchanges,
            open: setup.open,
            case: None,
            jurors: [0; JURORS],
            phase: Phase::Dealing,
            commitments: Vec::new(),
            ia: 0,
            closed: Vec::new(),
            consulted: Vec::new(),
            rates,
        }
    }

    /// The current exchange, from 1; the last one once the trial is over.
    pub fn exchange(&self) -> u8 {
        let over = matches!(self.phase, Phase::End(_));
        self.exchanges_over() + u8::from(!over)
    }

    /// How many exchanges are over.
    pub fn exchanges_over(&self) -> u8 {
        (self.closed.len() + self.consulted.len()) as u8
    }

    /// The look into the archive that used up this exchange.
    pub fn consultation(&self, exchange: u8) -> Option<&Consultation> {
        self.consulted.iter().find(|look| look.exchange == exchange)
    }

    /// The look into the archive after which nothing has been done yet.
    pub fn consulting(&self) -> Option<&Consultation> {
        match self.phase {
            Phase::Attack => self.consultation(self.exchanges_over()),
            Phase::Dealing
            | Phase::Recall(_)
            | Phase::Answer(..)
            | Phase::Ruling(..)
            | Phase::Burden(..)
            | Phase::BurdenRuling(_)
            | Phase::Closing(_)
            | Phase::End(_) => None,
        }
    }

    pub fn character(&self, id: &str) -> Option<&Character> {
        self.case.as_ref()?.characters.iter().find(|character| character.id == id)
    }

    /// The character that is attacked now.
    pub fn attacked(&self) -> Option<&Character> {
        self.character(&self.phase.heard()?.character)
    }

    /// The claim of the exchange that is under way.
    pub fn claim(&self) -> Option<&Commitment> {
        let place = self.phase.heard()?.ruling.as_ref()?.claim?;
        self.commitments.get(usize::from(place))
    }

    /// Whether this claim has been made in this trial with that end.
    pub fn has(&self, key: &str, met: Fate) -> bool {
        self.commitments.iter().any(|made| made.key == key && made.met == Some(met))
    }

    pub(super) fn evolve(&mut self, event: &Event, mark: Mark) {
        match event {
            Event::CourtOpened { case, jurors } => {
                self.case = Some(case.clone());
                self.jurors = *jurors;
                self.phase = Phase::Attack;
            }
            Event::TrialOpened => self.open = true,
            Event::Argued { character, label, text, drafted, .. } => {
                self.phase = Phase::Recall(Exchange {
                    character: character.clone(),
                    label: label.clone(),
                    attack: mark.seq,
                    answer: None,
                    ruling: None,
                    defense: None,
                    burden: None,
                    traces: vec![Trace::of(text)],
                    drafted: *drafted,
                });
            }
            Event::Consulted { exchange, character, found, .. } => self.consulted.push(Consultation {
                exchange: *exchange,
                character: character.clone(),
                event: mark.seq,
                shown: found.iter().map(|one| one.arg_hash.clone()).collect(),
            }),
            Event::Silent { role, .. } => self.fell_silent(*role),
            Event::Ruled { shift, claim, .. } => self.ruled(*shift, claim.as_ref(), mark.seq),
            Event::Noted { .. } => {}
            Event::ExchangeClosed { shift, moved, leans, ia_change, .. } => {
                self.jurors = *leans;
                self.ia = self.ia.saturating_add_signed(*ia_change);
                if let Phase::Closing(heard) = std::mem::replace(&mut self.phase, Phase::Attack) {
                    self.closed.push(Closed { heard, shift: *shift, moved: moved.clone(), ia_change: *ia_change });
                }
            }
            Event::Ended { verdict, .. } => self.phase = Phase::End(*verdict),
            Event::Recalled { .. }
            | Event::Answered { .. }
            | Event::Substantiated { .. }
            | Event::BurdenRuled { .. } => self.exchange_goes_on(event, mark.seq),
        }
    }

    /// Takes the exchange one step further, with what it has gathered so far.
    fn exchange_goes_on(&mut self, event: &Event, seq: Seq) {
        let phase = std::mem::replace(&mut self.phase, Phase::Attack);
        self.phase = match (phase, event) {
            (Phase::Recall(heard), Event::Recalled { memory }) => Phase::Answer(heard, memory.clone()),
            (Phase::Answer(mut heard, memory), Event::Answered { text, .. }) => {
                heard.answer = Some(seq);
                heard.traces.push(Trace::of(text));
                Phase::Ruling(heard, memory)
            }
            (Phase::Burden(mut heard, _), Event::Substantiated { mode, text, evidence, angle, inspired_by, .. }) => {
                heard.defense = Some(Defense {
                    speech: (!text.is_empty()).then_some(seq),
                    mode: *mode,
                    evidence: evidence.clone(),
                    angle: angle.clone(),
                    inspired_by: inspired_by.clone(),
                });
                match mode {
                    Manner::Withdraw => {
                        self.meet(&mut heard, None, Fate::Withdrawn);
                        Phase::Closing(heard)
                    }
                    Manner::Prove | Manner::Defend => Phase::BurdenRuling(heard),
                }
            }
            (Phase::Burden(mut heard, _) | Phase::BurdenRuling(mut heard), Event::BurdenRuled { verdict, .. }) => {
                self.meet(&mut heard, Some(seq), *verdict);
                Phase::Closing(heard)
            }
            (phase, _) => phase,
        };
    }

    fn fell_silent(&mut self, role: Role) {
        let phase = std::mem::replace(&mut self.phase, Phase::Attack);
        self.phase = match (phase, role) {
            (Phase::Answer(heard, memory), Role::Accused) => Phase::Ruling(heard, memory),
            (phase, _) => phase,
        };
    }

    fn ruled(&mut self, shift: i8, claim: Option<&Claim>, seq: Seq) {
        let phase = std::mem::replace(&mut self.phase, Phase::Attack);
        let Phase::Ruling(mut heard, memory) = phase else {
            self.phase = phase;
            return;
        };
        let place = claim.map(|_| self.commitments.len() as u8);
        heard.ruling = Some(Ruling { event: seq, shift, claim: place });
        heard.traces.clear();
        self.phase = match claim {
            None => Phase::Closing(heard),
            Some(Claim { key, label, .. }) => {
                self.commitments.push(Commitment {
                    exchange: self.exchange(),
                    character: heard.character.clone(),
                    key: key.clone(),
                    label: label.clone(),
                    ruled: seq,
                    met: None,
                });
                Phase::Burden(heard, memory)
            }
        };
    }

    fn meet(&mut self, heard: &mut Exchange, ruled: Option<Seq>, verdict: Fate) {
        heard.burden = Some((ruled, verdict));
        let place = heard.ruling.as_ref().and_then(|ruling| ruling.claim);
        if let Some(made) = place.and_then(|place| self.commitments.get_mut(usize::from(place))) {
            made.met = Some(verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_knows_a_quotation_and_nothing_else() {
        let trace = Trace::of("I sold paper, sir; and paper was what they wanted.");
        assert!(trace.quotes("and paper was"));
        assert!(trace.quotes("SIR -- and"), "case and marks do not count");
        assert!(!trace.quotes("paper and was"), "the order does");
        assert!(!trace.quotes("I sold gold"));
        assert!(!trace.quotes("…"));
    }
}
