//! The record of a game as people read it: speeches with their speakers, and what was decided. A trolley's transcript is read here too;
//! every other kind has its own `record.rs`.

use crate::locale::Words;
use crate::pages::shared::people::{Person, people};
use engine::erased::AnyGame;
use engine::id::{GameId, Inner, Seq};
use engine::parts::transcript::Entry;
use engine::rules::Point;
use games::trolley::View;
use serde_json::Value;
use std::cmp::Ordering;
use std::str::FromStr;

/// How many bytes of record a page without seats would show; the whole page stays under 100 KB whatever is said.
const WINDOW_BYTES_MAX: usize = 18_000;
/// What a moment weighs besides its words.
const MARKUP_BYTES: usize = 580;
/// What the line on how a speech was heard weighs.
const HEARD_BYTES: usize = 160;
/// What each seat weighs elsewhere on the page: its token and its line in the scores.
const SEAT_BYTES: usize = 300;

/// How many bytes of record fit on the page of a table with this many seats.
pub fn room(seats: usize) -> usize {
    WINDOW_BYTES_MAX.saturating_sub(seats * SEAT_BYTES)
}

/// What was said and decided, oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// Everything worth a line.
    pub moments: Vec<Moment>,
    /// The rounds dealt so far.
    pub rounds: Vec<Round>,
    /// If moments before these exist: the number to ask for with `?before=`.
    pub earlier: Option<u64>,
    /// Whether moments after these exist.
    pub later: bool,
    /// The moment shown, in a replay.
    pub at: Option<u64>,
}

/// One line of the record.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The event it tells of.
    pub seq: u64,
    /// The round, if it belongs to one.
    pub round: Option<u32>,
    pub what: What,
}

impl Moment {
    fn weight(&self) -> usize {
        match &self.what {
            What::Speech(speech) => {
                let manner = speech.manner.as_ref().map_or(0, String::len);
                MARKUP_BYTES + HEARD_BYTES + speech.text.len() + speech.by.name.len() + manner
            }
            What::Held(holding) => MARKUP_BYTES + holding.weight(),
            What::Sealed { .. } => MARKUP_BYTES,
            What::Ruling(ruling) => MARKUP_BYTES + ruling.reason.as_ref().map_or(0, String::len),
            What::Count(_) => MARKUP_BYTES * 2,
            What::Chair { text, .. } => MARKUP_BYTES / 2 + text.len(),
            What::Phase { .. } | What::Part { .. } | What::Outcome(_) | What::Note { .. } => MARKUP_BYTES / 2,
        }
    }
}

/// What a line of the record tells.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A round or a phase began: a heading.
    Phase {
        /// `phase_1`, `opening` and so on.
        phase: String,
        /// Whether a round of the game begins with it.
        first: bool,
    },
    Speech(Speech),
    /// The operator decided, or the host ended the round.
    Ruling(Ruling),
    /// The jury's votes were counted.
    Count(Count),
    /// A large part of a meeting began: a heading that names it.
    Part {
        /// `round_1`, `issue_2` and so on.
        word: String,
        name: String,
    },
    Chair {
        by: Person,
        text: String,
        /// Whether it was said in a private talk of two.
        private: bool,
    },
    /// An issue was adopted or not.
    Outcome(Outcome),
    /// A speech without its words: this viewer may not read them, or there were none.
    Sealed {
        by: Person,
        /// As in [`Speech::manner`].
        manner: Option<String>,
        /// Whether there are words that others may read.
        sealed: bool,
    },
    /// A tribunal's bench ruled, its jury moved, or the trial ended.
    Held(Holding),
    /// Something around the play: its event name and whom it concerns.
    Note {
        name: String,
        /// The display name, or empty.
        who: String,
    },
}

/// A speech with its speaker.
#[derive(Clone, PartialEq, Debug)]
pub struct Speech {
    /// The argument's id, which is also its anchor.
    pub id: String,
    pub seq: u64,
    /// Who spoke, in the role it had then.
    pub by: Person,
    pub round: u32,
    pub phase: String,
    pub text: String,
    /// When, in RFC 3339.
    pub at: String,
    /// Whether it was said in a private talk of two.
    pub private: bool,
    /// In a tribunal: how a claim is proved, withdrawn or defended, or that the intern drafted the speech.
    pub manner: Option<String>,
    /// How the house heard it, in a sentence, once the phase is over.
    pub heard: Option<String>,
    /// Whether its author says that it was misheard.
    pub misheard: bool,
}

impl Speech {
    /// The first words, at most `len_max` characters.
    pub fn excerpt(&self, len_max: usize) -> String {
        let flat = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if flat.chars().count() <= len_max {
            return flat;
        }
        // Not inside a word, unless it is a very long one.
        let cut: String = flat.chars().take(len_max + 1).collect();
        let cut = match cut.rsplit_once(' ') {
            Some((whole, part)) if part.chars().count() <= 21 => whole.to_owned(),
            _ => cut.chars().take(len_max).collect(),
        };
        format!("{}…", cut.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation()))
    }
}

/// How a round ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// Who held the lever.
    pub by: Person,
    pub decision: String,
    /// Whether the host ended it instead.
    pub forced: bool,
    pub reason: Option<String>,
    /// The argument that decided it.
    pub decisive: Option<String>,
    /// Who made that argument.
    pub decisive_by: Option<String>,
    pub saved: Vec<Person>,
    pub lost: Vec<Person>,
}

/// How a jury voted.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// Each juror, and `guilty` or `not_guilty`.
    pub votes: Vec<(Person, &'static str)>,
    /// What most of them found.
    pub verdict: &'static str,
}

impl Count {
    /// What the jury found, and by how many.
    pub fn sentence(&self, w: &Words) -> String {
        let most = self.votes.iter().filter(|(_, verdict)| *verdict == self.verdict).count();
        w.t2(&format!("count-{}", self.verdict.replace('_', "-")), "most", most, "rest", self.votes.len() - most)
    }
}

/// How an issue ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What was put to the vote.
    pub option: String,
    /// Whether all six said yes.
    pub adopted: bool,
    /// The names of those who said no.
    pub against: Vec<String>,
}

impl Outcome {
    pub fn sentence(&self, w: &Words) -> String {
        if self.adopted {
            return w.t1("outcome-adopted", "option", &self.option);
        }
        let names = w.names(self.against.iter().map(String::as_str), 5);
        w.t2("outcome-failed", "option", &self.option, "names", names)
    }
}

/// What a tribunal's bench or jury found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Holding {
    /// The bench, if it ruled.
    pub by: Option<Person>,
    /// `bench`, `jury` or `end`.
    pub class: &'static str,
    pub sentence: String,
    pub reasons: Option<String>,
    /// The words that the ruling rests on.
    pub passage: Option<String>,
    /// The claim it found: what it is about, and what it says.
    pub claim: Option<(String, Option<String>)>,
    /// The class and the word of a stamp on it.
    pub stamp: Option<(&'static str, String)>,
    /// What else came of it, such as a change in IA.
    pub after: Option<String>,
}

impl Holding {
    fn weight(&self) -> usize {
        let claim = self.claim.as_ref().map(|(label, text)| label.len() + text.as_ref().map_or(0, String::len));
        let words = [&self.reasons, &self.passage, &self.after].into_iter().flatten().map(String::len);
        self.sentence.len() + words.sum::<usize>() + claim.unwrap_or(0)
    }
}

/// A round of the trolley in short.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    pub number: u32,
    /// The event that opened it.
    pub seq: u64,
    pub operator: Person,
    pub majority: Vec<Person>,
    pub minority: Vec<Person>,
    /// How it ended, if it has, and the event that ended it.
    pub ruling: Option<(u64, Ruling)>,
}

impl Record {
    /// Reads the transcript of the trolley game in the view. Entries must be in order and may begin anywhere.
    pub fn read(view: &View, entries: &[Entry]) -> Record {
        let game = GameId::from_str(&view.game_id).ok();
        let present = view.current_round_number;
        let mut reader = Reader { people: people(view), game, present, record: Record::default() };
        entries.iter().for_each(|entry| reader.take(entry));
        reader.record
    }

    /// Keeps the last moments, or the last before `before`, that fit into `bytes_max`; the rounds stay complete.
    pub fn window(mut self, before: Option<u64>, bytes_max: usize) -> Record {
        if let Some(before) = before {
            let all = self.moments.len();
            self.moments.retain(|moment| moment.seq < before);
            self.later = self.moments.len() < all;
        }
        let mut weight = 0;
        let fits = |moment: &&Moment| {
            weight += moment.weight();
            weight <= bytes_max
        };
        let shown = self.moments.iter().rev().take_while(fits).count();
        if shown < self.moments.len() {
            self.moments.drain(..self.moments.len() - shown);
            self.earlier = self.moments.first().map(|moment| moment.seq);
        }
        self
    }

    /// Keeps only the moments of the round that was going on at that event.
    pub fn round_at(mut self, seq: u64) -> Record {
        let round = self.rounds.iter().rev().find(|round| round.seq <= seq).map_or(0, |round| round.number);
        self.moments.retain(|moment| moment.round.unwrap_or(0) == round);
        self
    }

    /// Keeps the moments around that event, which is shown, that fit into `room` bytes; most of them before it.
    pub fn around(mut self, seq: u64, room: usize) -> Record {
        self.at = Some(seq);
        let at = self.moments.partition_point(|moment| moment.seq <= seq);
        let mut weight = 0;
        let mut fits = |moment: &&Moment, bytes_max: usize| {
            weight += moment.weight();
            weight <= bytes_max
        };
        let from = at - self.moments[..at].iter().rev().take_while(|m| fits(m, room * 2 / 3)).count();
        let to = at + self.moments[at..].iter().take_while(|m| fits(m, room)).count();
        self.moments.truncate(to);
        self.moments.drain(..from);
        self
    }

    /// Fills in how the house heard each speech, if that is told by now, and whether its author says otherwise.
    pub fn hear(&mut self, w: &Words, game: &dyn AnyGame, entries: &[Entry], misheard: &[u64]) {
        for moment in &mut self.moments {
            let What::Speech(speech) = &mut moment.what else { continue };
            let entry =
                entries.binary_search_by_key(&speech.seq, |entry| entry.seq.0).ok().map(|place| &entries[place]);
            speech.heard = entry.and_then(|entry| game.heard(entry)).map(|points| heard_sentence(w, &points));
            speech.misheard = misheard.contains(&speech.seq);
        }
    }

    /// The class of a moment in a replay: the one that is shown, one that is yet to come, or neither.
    pub fn when(&self, seq: &u64) -> &'static str {
        match self.at.map(|at| seq.cmp(&at)) {
            None | Some(Ordering::Less) => "",
            Some(Ordering::Equal) => " lit",
            Some(Ordering::Greater) => " yet",
        }
    }

    pub fn latest(&self) -> Option<&Speech> {
        self.speeches().last()
    }

    /// The names of the game's parts, and the events that opened them. `name` names the part that a moment opens, if any.
    pub fn parts(&self, name: impl Fn(&What, Option<u32>) -> Option<String>) -> Vec<(String, u64)> {
        self.moments.iter().filter_map(|moment| Some((name(&moment.what, moment.round)?, moment.seq))).collect()
    }

    /// The events to step through when it is replayed.
    pub fn stops(&self) -> Vec<u64> {
        self.moments.iter().map(|moment| moment.seq).collect()
    }

    pub fn speeches(&self) -> impl Iterator<Item = &Speech> {
        self.moments.iter().filter_map(|moment| match &moment.what {
            What::Speech(speech) => Some(speech),
            _ => None,
        })
    }
}

struct Reader {
    people: Vec<Person>,
    game: Option<GameId>,
    present: u32,
    record: Record,
}

impl Reader {
    fn take(&mut self, entry: &Entry) {
        let seq = entry.seq.0;
        let empty = Value::Null;
        let payload = entry.line.payload.as_ref().unwrap_or(&empty);
        let what = match entry.name.as_ref() {
            "argument" => self.speech(entry),
            "round_started" => {
                self.open_round(seq, payload);
                Some(What::Phase { phase: "phase_1".to_owned(), first: true })
            }
            "phase_started" | "decision_awaited" => {
                entry.line.phase.as_ref().map(|phase| What::Phase { phase: phase.to_string(), first: false })
            }
            "round_resolved" => self.ruling(seq, payload).map(What::Ruling),
            name @ ("seat_handed" | "seat_taken_back" | "turn_expired" | "rules_changed" | "game_completed"
            | "table_expired") => {
                let who = payload["display_name"].as_str().unwrap_or_default().to_owned();
                Some(What::Note { name: name.to_owned(), who })
            }
            _ => None,
        };
        let round = entry.line.round.or_else(|| self.record.rounds.last().map(|round| round.number));
        self.record.moments.extend(what.map(|what| Moment { seq, round, what }));
    }

    fn speech(&self, entry: &Entry) -> Option<What> {
        let mut by = self.people.get(entry.line.seat?.index())?.clone();
        let round = entry.line.round?;
        let dealt = self.record.rounds.iter().rev().find(|dealt| dealt.number == round);
        match dealt.and_then(|dealt| dealt.role(&by.id)) {
            Some(role) => by.role = role,
            // The transcript began after that round's deal, and the roles have moved on since.
            None if round != self.present => by.role = "",
            None => {}
        }
        Some(What::Speech(Speech {
            id: self.argument_id(entry.seq),
            seq: entry.seq.0,
            by,
            round,
            phase: entry.line.phase.as_ref().map(ToString::to_string).unwrap_or_default(),
            text: entry.line.text.clone()?,
            at: entry.at.to_string(),
            private: false,
            manner: None,
            heard: None,
            misheard: false,
        }))
    }

    fn argument_id(&self, seq: Seq) -> String {
        self.game.map_or_else(|| format!("arg-{seq}"), |game| Inner::Argument.name(game, seq.0))
    }

    fn open_round(&mut self, seq: u64, payload: &Value) {
        let number = payload["round_number"].as_u64().unwrap_or(0) as u32;
        let Some(operator) = self.person(&payload["operator_agent_id"], "operator") else { return };
        let majority = self.side(&payload["majority"], "majority");
        let minority = self.side(&payload["minority"], "minority");
        self.record.rounds.push(Round { number, seq, operator, majority, minority, ruling: None });
    }

    fn ruling(&mut self, seq: u64, payload: &Value) -> Option<Ruling> {
        let decision = payload["decision"].as_str()?.to_owned();
        let saves_many = decision == "save_majority";
        let (saved, lost) = if saves_many { ("majority", "minority") } else { ("minority", "majority") };
        let decisive = payload["decisive_argument_id"].as_str().map(ToOwned::to_owned);
        let made_by = |id: &String| self.record.speeches().find(|speech| speech.id == *id).map(|s| s.by.name.clone());
        let ruling = Ruling {
            by: self.person(&payload["operator_agent_id"], "operator")?,
            decision,
            forced: payload["forced"].as_bool().unwrap_or(false),
            reason: payload["reason"].as_str().map(ToOwned::to_owned),
            decisive_by: decisive.as_ref().and_then(made_by),
            decisive,
            saved: self.side(&payload["survivors"], saved),
            lost: self.side(&payload["lost"], lost),
        };
        if let Some(round) = self.record.rounds.last_mut() {
            round.ruling = Some((seq, ruling.clone()));
        }
        Some(ruling)
    }

    fn side(&self, ids: &Value, role: &'static str) -> Vec<Person> {
        ids.as_array().into_iter().flatten().filter_map(|id| self.person(id, role)).collect()
    }

    fn person(&self, id: &Value, role: &'static str) -> Option<Person> {
        let person = self.people.iter().find(|person| Some(person.id.as_str()) == id.as_str())?;
        Some(Person { role, ..person.clone() })
    }
}

impl Round {
    /// The role that agent had in it.
    pub fn role(&self, id: &str) -> Option<&'static str> {
        let mut all = std::iter::once(&self.operator).chain(&self.majority).chain(&self.minority);
        all.find(|person| person.id == id).map(|person| person.role)
    }

    /// Whether it ended with the majority saved.
    pub fn saved_many(&self) -> Option<bool> {
        self.ruling.as_ref().map(|(_, ruling)| ruling.decision == "save_majority")
    }
}

/// The name of a phase in the page's language.
pub fn phase_name(w: &Words, phase: &str) -> String {
    w.t(&format!("phase-{}", phase.replace('_', "-")))
}

pub fn ruling_sentence(w: &Words, ruling: &Ruling) -> String {
    if ruling.forced {
        return w.t("status-forced");
    }
    let key = if ruling.decision == "save_majority" { "status-saved-majority" } else { "status-saved-minority" };
    w.t1(key, "name", &ruling.by.name)
}

pub fn heard_sentence(w: &Words, points: &[Point]) -> String {
    let told = |heard: &Point| {
        let how = match heard.helps {
            Some(side) => w.of("heard-for", side),
            None => w.of("heard-stance", heard.stance),
        };
        w.t2("heard-point", "point", &heard.point, "how", how)
    };
    match points {
        [] => w.t("heard-nothing"),
        points => w.t1("heard-points", "points", points.iter().map(told).collect::<Vec<_>>().join(" · ")),
    }
}

pub fn note_sentence(w: &Words, name: &str, who: &str) -> String {
    w.t1(&format!("note-{}", name.replace('_', "-")), "name", who)
}
