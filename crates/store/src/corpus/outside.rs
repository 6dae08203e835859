//! What outside games report: uses of arguments and defenses, each kept once per idempotency key or, without one, once per content. They
//! are kept like our own but count for nothing unless the operator trusts the API key.

use crate::corpus::{self, Event, Spoken, sales};
use crate::games::answers::Once;
use crate::games::answers::{self, Earlier};
use crate::{Db, StoreError};
use commons::corpus::hash::ArgHash;
use commons::corpus::lesson::{Defense, Effect, Text};
use commons::corpus::stats::{CaseId, CharacterId};
use engine::facts::Side;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use uuid::Uuid;

/// Who reports, and where it happened.
#[derive(Clone, Debug)]
pub struct Report {
    pub key: Uuid,
    pub counted: bool,
    /// The trial, as its game calls it.
    pub trial_id: String,
    pub case_id: CaseId,
    pub character: CharacterId,
    /// When we heard of it.
    pub at: Timestamp,
}

/// Reported words: by their hash alone if they are known here, else with the text.
#[derive(Clone, Debug)]
pub struct Words {
    pub hash: ArgHash,
    /// The words, checked against the hash.
    pub text: Option<Text>,
    /// A few neutral words that say what they are about, used if they are new.
    pub label: String,
}

#[derive(Clone, Debug)]
pub enum Reported {
    /// An argument was used.
    Used {
        words: Words,
        /// The speaker, as the outside game calls them.
        player_id: String,
        /// What came of it.
        effect: Effect,
    },
    /// A defense was given.
    Defended {
        attack: ArgHash,
        words: Words,
        /// How it was given, and how that went.
        defense: Defense,
        /// Its author, as the outside game calls them.
        author_id: Option<String>,
    },
}

/// What comes of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It is in the log, under this number.
    Kept(i64),
    /// It was reported before, and this was the answer.
    Before(Vec<u8>),
    /// The idempotency key was used for another request.
    KeyReused,
    /// These words are not known here.
    Unknown(ArgHash),
}

/// Takes in a report and remembers the answer, which the same request gets again.
pub fn take(
    db: &Db,
    report: &Report,
    reported: &Reported,
    once: &Once,
    answer: impl FnOnce(i64) -> Vec<u8>,
) -> Result<Taken, StoreError> {
    match answers::earlier(db, once)? {
        Some(Earlier::Same(answer)) => return Ok(Taken::Before(answer)),
        Some(Earlier::Other) => return Ok(Taken::KeyReused),
        None => {}
    }
    let event = Event {
        trial_id: report.trial_id.clone(),
        at: report.at,
        external: true,
        counted: report.counted,
        own: None,
        key: Some(report.key),
    };
    // Whatever may be refused is looked up before anything is written.
    let id = match reported {
        Reported::Used { words, player_id, effect } => {
            let Some(argument) = known_or_new(db, words, Side::Attack, report.at)? else {
                return Ok(Taken::Unknown(words.hash));
            };
            let said = spoken(db, argument, report, player_id)?;
            let stat = said.stat(db)?;
            let id = event.insert(db, &said, stat, effect)?;
            if report.counted {
                event.count(db, stat, effect)?;
            } else {
                let sql = "update argument_stats set external_uses = external_uses + 1 where n = ?1";
                db.prepare_cached(sql)?.execute(params![stat])?;
            }
            id
        }
        Reported::Defended { attack, words, defense, author_id } => {
            let Some(attacked) = known(db, attack)? else { return Ok(Taken::Unknown(*attack)) };
            let Some(argument) = known_or_new(db, words, Side::Defense, report.at)? else {
                return Ok(Taken::Unknown(words.hash));
            };
            // A report of a defense only names the attack: that does not let its words leave the game they were said in.
            let (attack, said) = (named(db, attacked, report, "")?, spoken(db, argument, report, "")?);
            event.insert_defense(db, &attack, &said, defense, author_id.as_deref())?
        }
    };
    answers::remember(db, once, &answer(id), report.at)?;
    Ok(Taken::Kept(id))
}

fn known(db: &Db, hash: &ArgHash) -> Result<Option<i64>, StoreError> {
    let mut query = db.prepare_cached("select n from arguments where hash = ?1")?;
    Ok(query.query_row(params![hash.to_string()], |row| row.get(0)).optional()?)
}

/// Words from outside belong to none of our accounts.
fn known_or_new(db: &Db, words: &Words, side: Side, at: Timestamp) -> Result<Option<i64>, StoreError> {
    match &words.text {
        Some(text) => corpus::enter(db, text, side, &words.label, None, at).map(Some),
        None => known(db, &words.hash),
    }
}

/// Words that were said where the report comes from. That somebody of ours has said them in a game here is for that author to disclose,
/// whoever reports them.
fn spoken(db: &Db, argument: i64, report: &Report, player: &str) -> Result<Spoken, StoreError> {
    let mut ours = db.prepare_cached(&format!("select 1 from arguments a where a.n = ?1 and {}", sales::OURS))?;
    if report.counted && !ours.exists(params![argument])? {
        corpus::air(db, argument)?;
    }
    named(db, argument, report, player)
}

fn named(db: &Db, argument: i64, report: &Report, player: &str) -> Result<Spoken, StoreError> {
    let (case, character) = (report.case_id.as_str(), report.character.as_str());
    Spoken::of_argument(db, argument, case.to_owned(), character.to_owned(), player.to_owned())
}
