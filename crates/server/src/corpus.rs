//! What the corpus learns from a commit: facts of the rules, with all that can be worked out about a text before the writer sees it.

use crate::kinds::Played;
use commons::corpus::hash::{ArgHash, Normal};
use commons::corpus::moderation::{Reason, Status, Verdict, check};
use commons::corpus::similarity::signature;
use engine::erased::AnyGame;
use engine::game::{Game, Logged};
use engine::id::{AccountId, Seat, Seq};
use engine::roster::{Holder, Terms};
use engine::rules::{Burden, Fact, Mode, Side};
use games::tribunal::{Role, Tribunal, is_house_line};

/// Something to be learnt, ready to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// Somebody said this.
    Said {
        /// By which event.
        seq: Seq,
        /// What.
        text: Text,
        /// On which side.
        side: Side,
        /// What it is about.
        label: String,
        /// In which case.
        case_id: String,
        /// Against or for whom.
        target: String,
        /// Who is paid for it one day: the account that spoke.
        author: Option<AccountId>,
        /// Who spoke it itself, even if the words are the house's: nobody for guests, for house minds and where one stood in.
        account: Option<AccountId>,
        /// Who spoke, as others know it.
        player_id: String,
        /// Whether everybody can read it there: then it brings no royalties.
        opened: bool,
    },
    /// What came of it.
    Weighed {
        /// By which event it was said.
        speech: Seq,
        /// What came of it.
        outcome: Outcome,
        /// Whether that counts.
        counted: bool,
    },
    /// What came of a defence.
    Defended {
        /// By which event the attack was said.
        attack: Seq,
        /// And the defence.
        speech: Seq,
        /// How.
        defence: Defence,
        /// Whether that counts.
        counted: bool,
    },
    /// Somebody looked into the archive.
    Consulted {
        /// By which event.
        seq: Seq,
        /// Who pays for it.
        payer: AccountId,
        /// What it costs, in IA.
        price: u32,
        /// What was shown, by hash.
        shown: Vec<String>,
        /// In which case.
        case_id: String,
    },
}

/// A text with its name and what was found about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// By which it is known.
    pub hash: ArgHash,
    /// As it was written.
    pub text: String,
    /// For finding its kin; empty where only statistics are kept.
    pub signature: Vec<i64>,
    /// What moderation says of it; nothing where it can neither be listed nor reach a prompt.
    pub moderated: Option<Verdict>,
}

impl Text {
    /// Looks at a text that may be listed and reach a prompt; nothing if it has no words.
    pub fn of(text: &str) -> Option<Text> {
        let normal = Normal::of(text).ok()?;
        let hash = ArgHash::of_normal(&normal);
        Some(Text { hash, text: text.to_owned(), signature: signature(&normal), moderated: Some(check(text)) })
    }

    /// A text of which only statistics are kept.
    pub fn counted(text: &str) -> Option<Text> {
        let hash = ArgHash::of(text).ok()?;
        Some(Text { hash, text: text.to_owned(), signature: vec![], moderated: None })
    }

    /// Whether nothing was found in it.
    pub fn is_clear(&self) -> bool {
        self.moderated.as_ref().is_some_and(|verdict| verdict.status == Status::Clear)
    }

    /// Lets it wait until a moderation service has looked at it, unless it waits anyway.
    pub fn hold(&mut self) {
        if self.is_clear() {
            self.moderated = Some(Verdict { status: Status::Flagged, reasons: vec![Reason::Unchecked] });
        }
    }

    /// Where it stands: what was not looked at is never listed and reaches no prompt.
    pub fn status(&self) -> &'static str {
        match self.moderated.as_ref().map(|verdict| verdict.status) {
            None => "counted",
            Some(Status::Clear) => "clear",
            Some(Status::Flagged) => "flagged",
        }
    }
}

/// What came of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Jurors moved.
    pub jury_shift: i32,
    /// Whether it forced an extraordinary claim.
    pub triggered: bool,
    /// What became of that.
    pub verdict: Option<Burden>,
    /// What it brought.
    pub ia_change: i32,
}

/// How a defence was tried and how that went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// How.
    pub mode: Mode,
    /// How it went.
    pub outcome: Burden,
    /// On which evidence.
    pub cited: Vec<String>,
    /// The house's own angle.
    pub angle: Option<String>,
    /// The earlier defence that it varies.
    pub inspired_by: Option<String>,
}

/// Whether what is said in this game is learnt. Practice counts for nothing, and a table that plays itself teaches nobody.
pub fn teaches(game: &dyn AnyGame) -> bool {
    let terms = game.terms();
    !terms.practice && !terms.demo
}

/// Whether what comes of an exchange in this game is paid.
pub fn pays(game: &dyn AnyGame) -> bool {
    teaches(game) && is_refereed(game)
}

/// What these rows teach.
pub fn lessons(game: &dyn AnyGame, rows: &[Logged]) -> Vec<Lesson> {
    if !teaches(game) {
        return vec![];
    }
    let mut lessons = vec![];
    let mut before = "";
    for row in rows {
        lessons.extend(of_row(game, row, before));
        before = row.name;
    }
    lessons
}

/// What one row teaches, coming after a row of this name.
pub fn of_row(game: &dyn AnyGame, row: &Logged, before: &str) -> Vec<Lesson> {
    // What a house mind says for somebody whose time ran out is nobody's work.
    let stood_in = before == "turn_expired";
    row.facts.iter().filter_map(|fact| lesson(game, row.mark.seq, fact, stood_in)).collect()
}

fn lesson(game: &dyn AnyGame, seq: Seq, fact: &Fact, stood_in: bool) -> Option<Lesson> {
    Some(match fact {
        Fact::Said { by, label, case_id, target, side, text } => Lesson::Said {
            seq,
            text: match Played::of(game) {
                Played::Tribunal => Text::of(text)?,
                // Other kinds are never sold and feed no prompt.
                Played::Trolley | Played::Trial | Played::Mercury => Text::counted(text)?,
            },
            side: *side,
            label: label.clone(),
            case_id: case_id.clone(),
            target: target.clone(),
            author: author(game, *by).filter(|_| !stood_in && !is_house_line(text)),
            account: author(game, *by).filter(|_| !stood_in),
            player_id: player(game, *by),
            opened: tribunal(game).is_some_and(|trial| trial.open),
        },
        Fact::Weighed { speech, jury_shift, triggered, verdict, ia_change } => Lesson::Weighed {
            speech: *speech,
            outcome: Outcome {
                jury_shift: *jury_shift,
                triggered: *triggered,
                verdict: *verdict,
                ia_change: *ia_change,
            },
            counted: is_refereed(game),
        },
        Fact::Defended { attack, speech, mode, outcome, cited, angle, inspired_by } => Lesson::Defended {
            attack: *attack,
            speech: *speech,
            defence: Defence {
                mode: *mode,
                outcome: *outcome,
                cited: cited.clone(),
                angle: angle.clone(),
                inspired_by: inspired_by.clone(),
            },
            counted: is_refereed(game),
        },
        // No guest gets this far: without an account to pay, nothing is looked up.
        Fact::Consulted { by, price, shown } => {
            let case = tribunal(game).and_then(|trial| trial.case.as_ref());
            let case_id = case.map(|case| case.case_id.clone()).unwrap_or_default();
            Lesson::Consulted { seq, payer: author(game, *by)?, price: *price, shown: shown.clone(), case_id }
        }
    })
}

/// Whether what comes of a speech says something about it. Whoever chose the opponent, or what plays bench and opponent, can make it come
/// out as it likes; so the bench is the house's, and the opponent the house's too or a stranger from matchmaking.
fn is_refereed(game: &dyn AnyGame) -> bool {
    let terms = game.terms();
    match Played::of(game) {
        Played::Tribunal => {
            let holder = |role: Role| game.roster().get(role.seat()).map(|occupied| occupied.holder);
            let by_the_house = holder(Role::Bench) == Some(Holder::House);
            let chosen = terms.mind.is_some() || !terms.minds.is_empty();
            let opponents = [holder(Role::Prosecutor), holder(Role::Accused)];
            by_the_house && !chosen && (opponents.contains(&Some(Holder::House)) || are_matched(terms, opponents))
        }
        Played::Trolley | Played::Trial | Played::Mercury => true,
    }
}

/// Whether these two were brought together by matchmaking, and are not one owner's.
fn are_matched(terms: &Terms, opponents: [Option<Holder>; 2]) -> bool {
    let [ours, theirs] = opponents.map(|holder| holder.and_then(Holder::account));
    terms.rated && ours.is_some() && theirs.is_some() && ours != theirs
}

fn tribunal(game: &dyn AnyGame) -> Option<&games::tribunal::State> {
    game.as_any().downcast_ref::<Game<Tribunal>>()?.state()
}

/// Whoever plays the seat itself; a house mind has no account.
fn author(game: &dyn AnyGame, seat: Seat) -> Option<AccountId> {
    game.roster().get(seat).filter(|occupied| !occupied.house)?.holder.account()
}

fn player(game: &dyn AnyGame, seat: Seat) -> String {
    game.roster().get(seat).map(|_| game.roster().agent_id(game.id(), seat)).unwrap_or_default()
}
