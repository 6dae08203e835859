//! What the corpus learns from a game: facts of the rules, with all that can be worked out about a text before it is stored.

use super::credit::Rows;
use super::hash::{ArgHash, Normal};
use super::moderation::{Reason, Standing, Status, Verdict, check};
use super::similarity::signature;
use engine::erased::AnyGame;
use engine::facts::{Fact, Fate, Manner, Side};
use engine::game::Logged;
use engine::id::{AccountId, Seat, Seq};
use engine::roster::Holder;
use engine::rules::Words;
use std::borrow::Cow;

/// Something to be learnt, ready to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lesson {
    Said {
        seq: Seq,
        text: Text,
        side: Side,
        /// What it is about.
        label: Cow<'static, str>,
        case_id: Cow<'static, str>,
        /// Against or for whom.
        target: Cow<'static, str>,
        /// Who earns its royalties: the account that spoke, unless the words are the house's.
        author: Option<AccountId>,
        /// The account that spoke, even if the words are the house's; none for guests, for house minds and where one stood in.
        account: Option<AccountId>,
        /// The speaker's public id in the game.
        player_id: String,
        /// Whether a mind of the house said it, for itself or for a player whose time ran out.
        is_house: bool,
        /// Whether everybody can read it in the game: then it earns no royalties.
        opened: bool,
    },
    /// What came of it.
    Weighed {
        /// The event that said it.
        speech: Seq,
        effect: Effect,
        opponents: Opponents,
    },
    /// What came of a defense.
    Defended {
        /// The event that said the attack.
        attack: Seq,
        speech: Seq,
        defense: Defense,
        opponents: Opponents,
    },
    /// A player consulted the archive.
    Consulted {
        seq: Seq,
        /// Who pays for it.
        payer: AccountId,
        /// What it costs, in IA.
        price: u32,
        /// What was shown, by hash.
        shown: Vec<String>,
        case_id: String,
    },
}

/// A text with its hash and what was found out about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    pub hash: ArgHash,
    /// As it was written.
    pub text: String,
    /// For finding its kin; empty where only statistics are kept.
    pub signature: Vec<i64>,
    /// For finding older texts that it takes over, and for being found by later ones; none where only statistics are kept.
    pub rows: Option<Rows>,
    /// What moderation says of it; nothing where it can neither be listed nor reach a prompt.
    pub moderated: Option<Verdict>,
}

impl Text {
    /// Hashes and moderates a text that may be listed and reach a prompt; none if it has no words.
    pub fn of(text: &str) -> Option<Text> {
        let normal = Normal::of(text).ok()?;
        let hash = ArgHash::of_normal(&normal);
        Some(Text {
            hash,
            text: text.to_owned(),
            signature: signature(&normal),
            rows: Some(Rows::of(text)),
            moderated: Some(check(text)),
        })
    }

    /// A text of which only statistics are kept.
    pub fn counted(text: &str) -> Option<Text> {
        let hash = ArgHash::of(text).ok()?;
        Some(Text { hash, text: text.to_owned(), signature: vec![], rows: None, moderated: None })
    }

    /// The numbers it is stored under, to be found by.
    pub fn elements(&self) -> Vec<i64> {
        let prints = self.rows.iter().flat_map(Rows::prints);
        let mut elements: Vec<i64> = self.signature.iter().copied().chain(prints).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// Whether moderation has looked at it and found nothing.
    pub fn is_clear(&self) -> bool {
        self.moderated.as_ref().is_some_and(|verdict| verdict.status == Status::Clear)
    }

    /// Makes it wait for the moderation service, unless it waits already or was never moderated.
    pub fn hold(&mut self) {
        if self.is_clear() {
            self.moderated = Some(Verdict { status: Status::Flagged, reasons: vec![Reason::Unchecked] });
        }
    }

    /// Where it stands with moderation: what was not looked at is never listed and reaches no prompt.
    pub fn standing(&self) -> Standing {
        Standing::of(self.moderated.as_ref())
    }
}

/// What came of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    pub jury_shift: i32,
    /// Whether it forced an extraordinary claim.
    pub triggered: bool,
    /// What became of that claim.
    pub verdict: Option<Fate>,
    pub ia_change: i32,
}

/// How a defense was tried and how that went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defense {
    pub mode: Manner,
    pub outcome: Fate,
    /// The claim it stands for, by name; empty if it was reported from outside.
    pub claim: String,
    pub cited: Vec<String>,
    /// The house's angle that it takes.
    pub angle: Option<String>,
    /// The earlier defense that it varies.
    pub inspired_by: Option<String>,
}

/// Whether the corpus learns from this game: not from practice, nor from a table that plays itself.
pub fn teaches(game: &dyn AnyGame) -> bool {
    let terms = game.terms();
    !terms.practice && !terms.demo
}

/// Whether exchanges in this game win or cost IA.
pub fn pays(game: &dyn AnyGame) -> bool {
    teaches(game) && Opponents::in_game(game) != Opponents::Chosen
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
    // What a house mind says for a player whose time ran out is nobody's work.
    let stood_in = before == "turn_expired";
    row.facts.iter().filter_map(|fact| lesson(game, row.mark.seq, fact, stood_in)).collect()
}

fn lesson(game: &dyn AnyGame, seq: Seq, fact: &Fact, stood_in: bool) -> Option<Lesson> {
    let words = game.meta().words;
    Some(match fact {
        Fact::Said { by, label, case_id, target, side, text, public, offered } => Lesson::Said {
            seq,
            text: match words {
                Words::Kept => Text::of(text)?,
                Words::Counted => Text::counted(text)?,
            },
            side: *side,
            label: label.clone(),
            case_id: case_id.clone(),
            target: target.clone(),
            author: speaker(game, *by).filter(|_| !stood_in && !offered),
            account: speaker(game, *by).filter(|_| !stood_in),
            is_house: stood_in || game.roster().get(*by).is_some_and(|seat| seat.house || seat.holder == Holder::House),
            player_id: game.roster().get(*by).map(|_| game.roster().agent_id(game.id(), *by)).unwrap_or_default(),
            // Words that are only counted are not sold from this game, and being public in it does not end what they earn elsewhere.
            opened: *public && words == Words::Kept,
        },
        Fact::Weighed { speech, moved, forced, fate, brought } => Lesson::Weighed {
            speech: *speech,
            effect: Effect { jury_shift: *moved, triggered: *forced, verdict: *fate, ia_change: *brought },
            opponents: Opponents::in_game(game),
        },
        Fact::Met { argument, speech, manner, fate, claim, cited, angle, varies } => Lesson::Defended {
            attack: *argument,
            speech: *speech,
            defense: Defense {
                mode: *manner,
                outcome: *fate,
                claim: claim.clone(),
                cited: cited.clone(),
                angle: angle.clone(),
                inspired_by: varies.clone(),
            },
            opponents: Opponents::in_game(game),
        },
        // No guest gets this far: without an account to pay, nothing is looked up.
        Fact::Shown { by, price, hashes, case_id } => Lesson::Consulted {
            seq,
            payer: speaker(game, *by)?,
            price: *price,
            shown: hashes.clone(),
            case_id: case_id.clone(),
        },
    })
}

/// Who argues with whom: what comes of a speech says something about the speech only if its author could not choose that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponents {
    /// A player chose the opponent, or what plays judge and opponent, and could fix the result. Nothing counts.
    Chosen,
    /// Everything counts: the house plays the opponent, or only statistics are kept.
    House,
    /// Two accounts that matchmaking brought together, the smaller id first. Whether it counts depends on what else is known of them.
    Strangers(AccountId, AccountId),
}

impl Opponents {
    fn in_game(game: &dyn AnyGame) -> Opponents {
        let terms = game.terms();
        if game.meta().words == Words::Counted {
            return Opponents::House;
        }
        let (judges, players): (Vec<_>, Vec<_>) =
            game.roster().iter().partition(|(seat, _)| usize::from(seat.0) < game.seating().house_seats);
        let by_the_house = !judges.is_empty() && judges.iter().all(|(_, seat)| seat.holder == Holder::House);
        if !by_the_house || terms.mind.is_some() || !terms.minds.is_empty() {
            return Opponents::Chosen;
        }
        if players.iter().any(|(_, seat)| seat.holder == Holder::House) {
            return Opponents::House;
        }
        let mut accounts: Vec<_> = players.iter().filter_map(|(_, seat)| seat.holder.account()).collect();
        accounts.sort_unstable();
        match accounts.as_slice() {
            [one, other] if terms.rated && one != other => Opponents::Strangers(*one, *other),
            _ => Opponents::Chosen,
        }
    }
}

/// The account that plays the seat itself; a house mind has none.
fn speaker(game: &dyn AnyGame, seat: Seat) -> Option<AccountId> {
    game.roster().get(seat).filter(|occupied| !occupied.house)?.holder.account()
}
