//! The corpus in the database: arguments and defenses with what came of them.
//!
//! Lessons of our own games are written in the transaction of the events they follow from. There is no second way to count, so a crash
//! loses nothing and counts nothing twice. Counters move at once; effectiveness is derived from the events (`derived.rs`).

pub mod archive;
pub(crate) mod arguments;
pub mod authors;
pub mod cases;
pub mod defenses;
pub mod derived;
pub mod digests;
pub mod listings;
pub mod market;
pub mod moderation;
pub(crate) mod origins;
pub mod outside;
pub(crate) mod recredit;
pub(crate) mod sales;

use crate::ledger::{self, meetings};
use crate::{Db, GameNo, StoreError};
use arguments::side_word;
use commons::corpus::effectiveness::Score;
use commons::corpus::hash::ArgHash;
use commons::corpus::lesson::{Defense, Effect, Lesson, Opponents, Text};
use commons::corpus::moderation::Standing;
use commons::corpus::novelty::closest;
use commons::corpus::stats::{JuryShift, Use};
use commons::ledger::reading::Claim;
use engine::facts::{Fate, HouseLine, Side};
use engine::id::{AccountId, GameId, Seq};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use uuid::Uuid;

/// Recomputes what follows from the arguments, from what was said and from what was bought: who may read what, and the figures of authors
/// and archives. Changes nothing if all of it was up to date.
pub fn rebuild(db: &Db) -> Result<(), StoreError> {
    arguments::rebuild(db)
}

/// How many struck defenses go into a prompt.
pub const STRUCK_MAX: usize = 5;
/// How many proved defenses go into a prompt.
pub const PROVED_MAX: usize = 2;
/// A claim that was reported without a name goes by this and the lineage of the words that answered for it.
pub(crate) const UNNAMED: &str = "#";
/// From this likeness on, in percent, a defense varies another.
const VARIES_PERCENT: usize = 50;
/// With how many proved ones it is compared.
const VARIED_MAX: usize = 50;
/// Most rows that are read in search of different defenses: the same words are not repeated that often.
const READ_BACK_MAX: i64 = 200;

/// Whether the corpus learns from a game: not if the game was founded before there was a corpus.
fn taught(db: &Db, game: GameNo) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select ?1 > game from corpus_since")?;
    Ok(query.query_row(params![game.0], |row| row.get(0)).optional()?.unwrap_or(true))
}

/// Writes what one commit teaches.
pub(crate) fn learn(db: &Db, game: GameNo, id: GameId, lessons: &[Lesson], at: Timestamp) -> Result<(), StoreError> {
    if lessons.is_empty() || !taught(db, game)? {
        return Ok(());
    }
    for lesson in lessons {
        match lesson {
            Lesson::Said { seq, text, side, label, case_id, target, author, account, player_id, is_house, opened } => {
                let argument = enter(db, text, *side, label, *author, at)?;
                let speech = Speech { argument, case_id, target, player_id, account: *account, by_house: *is_house };
                speech.keep(db, game, *seq)?;
                // Repeating another author's words in an open game does not end that author's royalties.
                if *opened {
                    arguments::change(db, argument, |db| {
                        let sql = "update arguments set opened = 1
                                   where n = ?1 and opened = 0 and (author is null or author = ?2)";
                        db.prepare_cached(sql)?.execute(params![argument, account.map(|account| account.0)])?;
                        Ok(())
                    })?;
                }
            }
            Lesson::Weighed { speech, effect, opponents } => {
                if let Some(said) = Spoken::find(db, game, *speech)? {
                    let stat = said.stat(db)?;
                    let counted = match opponents {
                        Opponents::Chosen => false,
                        Opponents::House => true,
                        Opponents::Strangers(..) => {
                            meetings::counts(db, game, *opponents, at)?
                                && !meetings::is_counted(db, game, said.lineage)?
                                && said.is_rightful(db, game)?
                        }
                    };
                    let event = Event::own(game, id, *speech, at, counted);
                    event.insert(db, &said, stat, effect)?;
                    if counted {
                        event.count(db, stat, effect)?;
                        if let Some(account) = said.account {
                            let reference = format!("{id}#{}", speech.0);
                            ledger::settle(db, account, said.lineage, effect.ia_change, &reference, at)?;
                        }
                    }
                }
            }
            Lesson::Defended { attack: of, speech, defense, opponents } => {
                let found = (Spoken::find(db, game, *of)?, Spoken::find(db, game, *speech)?);
                if let (Some(attack), Some(said)) = found {
                    let author = said.author.map(|author| author.0.to_string());
                    let counted = match opponents {
                        Opponents::Chosen => false,
                        Opponents::House => true,
                        // As the attack did, which was weighed before.
                        Opponents::Strangers(..) => {
                            meetings::was_counted(db, game, *of)? && said.is_rightful(db, game)?
                        }
                    };
                    let event = Event::own(game, id, *speech, at, counted);
                    event.insert_defense(db, &attack, &said, defense, author.as_deref())?;
                }
            }
            // A look into the archive teaches nothing; the writer charges for it.
            Lesson::Consulted { .. } => {}
        }
    }
    Ok(())
}

/// The number of an argument, entered if it is new: then it is linked to the first of its near-duplicates.
pub fn enter(
    db: &Db,
    text: &Text,
    side: Side,
    label: &str,
    author: Option<AccountId>,
    at: Timestamp,
) -> Result<i64, StoreError> {
    let hash = text.hash.to_string();
    let mut query = db.prepare_cached("select n, status, text = '' from arguments where hash = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        let counted = row.get_ref(1)?.as_str()? == Standing::Counted.word();
        Ok((row.get(0)?, counted, row.get(2)?))
    };
    let known: Option<(i64, bool, bool)> = query.query_row(params![hash], read).optional()?;
    match known {
        Some((n, _, true)) => arguments::change(db, n, |db| restore(db, n, text, author))?,
        Some((n, true, _)) if text.moderated.is_some() => {
            arguments::change(db, n, |db| look_again(db, n, text, (side, label), author))?;
        }
        Some(_) => {}
        None => return insert(db, text, side, label, author, at),
    }
    Ok(known.map_or(0, |(n, ..)| n))
}

/// Enters a new text, after the lines of the house that it takes over: those were there first, whoever says them.
fn insert(
    db: &Db,
    text: &Text,
    side: Side,
    label: &str,
    author: Option<AccountId>,
    at: Timestamp,
) -> Result<i64, StoreError> {
    let lines = text.rows.as_ref().map_or(vec![], |rows| db.house_lines().in_text(rows));
    for line in lines {
        let known = enter_line(db, line, at)?;
        if known.hash == text.hash {
            return Ok(known.n);
        }
    }
    insert_row(db, text, side, label, author, at)
}

/// A line of the house that stands in the corpus.
struct KnownLine {
    n: i64,
    hash: ArgHash,
}

fn enter_line(db: &Db, line: &HouseLine, at: Timestamp) -> Result<KnownLine, StoreError> {
    let text = Text::of(&line.text).ok_or_else(|| StoreError::Broken("a line of the house has no words".into()))?;
    let hash = text.hash;
    let mut query = db.prepare_cached("select n, of_house from arguments where hash = ?1")?;
    let known: Option<(i64, bool)> =
        query.query_row(params![hash.to_string()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let n = match known {
        Some((n, true)) => return Ok(KnownLine { n, hash }),
        Some((n, false)) => n,
        None => insert_row(db, &text, line.side, &line.label, None, at)?,
    };
    arguments::change(db, n, |db| {
        let sql = "update arguments set of_house = 1, aired = 1, author = null where n = ?1";
        db.prepare_cached(sql)?.execute(params![n])?;
        Ok(())
    })?;
    Ok(KnownLine { n, hash })
}

fn insert_row(
    db: &Db,
    text: &Text,
    side: Side,
    label: &str,
    author: Option<AccountId>,
    at: Timestamp,
) -> Result<i64, StoreError> {
    let n: i64 = db.prepare_cached("select coalesce(max(n), 0) + 1 from arguments")?.query_row([], |row| row.get(0))?;
    let origins::Found { origin, lineage, author } = origins::find(db, n, text, side, author)?;
    let standing = text.standing().word();
    arguments::change(db, n, |db| {
        db.prepare_cached(
            "insert into arguments (n, hash, text, side, author, label, status, reasons, lineage, created_at, origin)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            n,
            text.hash.to_string(),
            text.text,
            side_word(side),
            author.map(|author| author.0),
            label,
            standing,
            reasons(text),
            lineage.unwrap_or(n),
            at.0,
            origin
        ])?;
        Ok(())
    })?;
    origins::sign(db, n, text)?;
    Ok(n)
}

/// What moderation found, as it is stored.
fn reasons(text: &Text) -> String {
    let reasons = text.moderated.as_ref().map(|verdict| verdict.reasons.as_slice()).unwrap_or_default();
    serde_json::to_string(reasons).expect("reasons are plain values")
}

/// Puts back words that were removed with a game and are now said again. They stay in their lineage, and a moderator's rejection stands.
/// Nothing is put back where only statistics are kept.
fn restore(db: &Db, n: i64, text: &Text, author: Option<AccountId>) -> Result<(), StoreError> {
    let mut query = db.prepare_cached("select decision from decisions where argument = ?1 order by n desc limit 1")?;
    let decided: Option<String> = query.query_row(params![n], |row| row.get(0)).optional()?;
    if text.moderated.is_none() || decided.as_deref() == Some(Standing::Rejected.word()) {
        return Ok(());
    }
    db.prepare_cached(
        "update arguments set text = ?2, status = ?3, reasons = ?4, author = coalesce(author, ?5) where n = ?1",
    )?
    .execute(params![n, text.text, text.standing().word(), reasons(text), author.map(|author| author.0)])?;
    origins::sign(db, n, text)
}

/// Keeps words that were only counted so far: if they are clear, they may be listed and reach prompts from now on. If they had no author,
/// they have this one now.
fn look_again(
    db: &Db,
    n: i64,
    text: &Text,
    (side, label): (Side, &str),
    author: Option<AccountId>,
) -> Result<(), StoreError> {
    let origins::Found { origin, lineage, author } = origins::find(db, n, text, side, author)?;
    db.prepare_cached(
        "update arguments set side = ?2, label = ?3, status = ?4, reasons = ?5, lineage = ?6, author = coalesce(author, ?7),
             origin = ?8
         where n = ?1",
    )?
    .execute(params![
        n,
        side_word(side),
        label,
        text.standing().word(),
        reasons(text),
        lineage.unwrap_or(n),
        author.map(|author| author.0),
        origin
    ])?;
    origins::sign(db, n, text)
}

/// An argument that is said in a game.
pub struct Speech<'a> {
    /// The number of the argument.
    pub argument: i64,
    pub case_id: &'a str,
    /// The character it is against or for.
    pub target: &'a str,
    /// The speaker's public id.
    pub player_id: &'a str,
    /// The account that speaks; none for guests, for house minds and where a house mind stood in.
    pub account: Option<AccountId>,
    /// Whether a mind of the house says it.
    pub by_house: bool,
}

impl Speech<'_> {
    /// Records that an event of a game said it; the speaking account owns the words.
    pub fn keep(&self, db: &Db, game: GameNo, seq: Seq) -> Result<(), StoreError> {
        let Speech { argument, case_id, target, player_id, account, by_house } = self;
        db.prepare_cached(
            "insert into spoken (game, seq, argument, case_id, target, player_id, account, by_house)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            game.0,
            seq.0,
            argument,
            case_id,
            target,
            player_id,
            account.map(|account| account.0),
            by_house
        ])?;
        if *by_house {
            air(db, *argument)?;
        }
        match account {
            Some(account) => arguments::own(db, *account, *argument, Claim::Said),
            None => Ok(()),
        }
    }
}

/// A speech: an argument, where it was said and by whom.
pub struct Spoken {
    pub argument: i64,
    pub hash: String,
    pub lineage: i64,
    pub text: String,
    pub author: Option<AccountId>,
    pub case_id: String,
    pub target: String,
    /// The speaker's public id.
    pub player_id: String,
    /// The account that spoke, in a game of ours.
    pub account: Option<AccountId>,
}

impl Spoken {
    fn find(db: &Db, game: GameNo, seq: Seq) -> Result<Option<Spoken>, StoreError> {
        let mut query = db.prepare_cached(
            "select argument, hash, lineage, text, author, case_id, target, player_id, account
             from spoken join arguments on arguments.n = spoken.argument where game = ?1 and seq = ?2",
        )?;
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Spoken {
                argument: row.get(0)?,
                hash: row.get(1)?,
                lineage: row.get(2)?,
                text: row.get(3)?,
                author: row.get::<_, Option<Uuid>>(4)?.map(AccountId),
                case_id: row.get(5)?,
                target: row.get(6)?,
                player_id: row.get(7)?,
                account: row.get::<_, Option<Uuid>>(8)?.map(AccountId),
            })
        };
        Ok(query.query_row(params![game.0, seq.0], read).optional()?)
    }

    /// Whether its speaker wrote the words or paid for them. Where a house mind stood in for a player, they are nobody's.
    fn is_rightful(&self, db: &Db, game: GameNo) -> Result<bool, StoreError> {
        match self.account {
            Some(speaker) => Ok(meetings::source(db, speaker, self.lineage, game)?.counts()),
            None => Ok(false),
        }
    }

    /// A speech outside our games: reported by an outside game, or put up on the market.
    pub fn of_argument(
        db: &Db,
        argument: i64,
        case_id: String,
        target: String,
        player_id: String,
    ) -> Result<Spoken, StoreError> {
        let mut query = db.prepare_cached("select hash, lineage, text, author from arguments where n = ?1")?;
        Ok(query.query_row(params![argument], |row| {
            Ok(Spoken {
                argument,
                hash: row.get(0)?,
                lineage: row.get(1)?,
                text: row.get(2)?,
                author: row.get::<_, Option<Uuid>>(3)?.map(AccountId),
                case_id: case_id.clone(),
                target: target.clone(),
                player_id: player_id.clone(),
                account: None,
            })
        })?)
    }

    /// The row of its statistics, made if there is none.
    pub fn stat(&self, db: &Db) -> Result<i64, StoreError> {
        let find = "select n from argument_stats where arg_hash = ?1 and case_id = ?2 and target_character = ?3";
        let mut query = db.prepare_cached(find)?;
        if let Some(n) = query.query_row(params![self.hash, self.case_id, self.target], |row| row.get(0)).optional()? {
            return Ok(n);
        }
        let author_key = cases::author_key(db, self.argument)?;
        db.prepare_cached(
            "insert into argument_stats (arg_hash, case_id, target_character, argument, author_key)
             values (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![self.hash, self.case_id, self.target, self.argument, author_key])?;
        Ok(db.last_insert_rowid())
    }
}

/// Where and when an argument was used.
pub struct Event {
    pub trial_id: String,
    pub at: Timestamp,
    /// Whether an outside game reported it.
    pub external: bool,
    pub counted: bool,
    /// The event of our own game.
    pub own: Option<(GameNo, Seq)>,
    /// The key that reported it.
    pub key: Option<Uuid>,
}

impl Event {
    fn own(game: GameNo, id: GameId, seq: Seq, at: Timestamp, counted: bool) -> Self {
        Event { trial_id: id.to_string(), at, external: false, counted, own: Some((game, seq)), key: None }
    }

    /// Adds a row to the log of uses, and returns its number.
    pub fn insert(&self, db: &Db, said: &Spoken, stat: i64, effect: &Effect) -> Result<i64, StoreError> {
        db.prepare_cached(
            "insert or fail into argument_events (arg_hash, trial_id, player_id, case_id, target_character, jury_shift,
                 triggered_extraordinary, burden_verdict, ia_change, created_at, external, counted, stat, game, seq, key)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            said.hash,
            self.trial_id,
            said.player_id,
            said.case_id,
            said.target,
            effect.jury_shift,
            effect.triggered,
            effect.verdict.map(Fate::word),
            effect.ia_change,
            self.at.0,
            self.external,
            self.counted,
            stat,
            self.own.map(|(game, _)| game.0),
            self.own.map(|(_, seq)| seq.0),
            self.key,
        ])?;
        Ok(db.last_insert_rowid())
    }

    /// Adds a defense, counts it, and returns the number of its row. `author` is the id of an account of ours, or the name an outside game
    /// gives.
    pub fn insert_defense(
        &self,
        db: &Db,
        attack: &Spoken,
        said: &Spoken,
        defense: &Defense,
        author: Option<&str>,
    ) -> Result<i64, StoreError> {
        let lineage = join_varied(db, attack, said, defense)?;
        let is_new_trial = !self.has_defended(db, lineage, &said.target)?;
        let claim = match defense.claim.as_str() {
            "" => format!("{UNNAMED}{lineage}"),
            claim => claim.to_owned(),
        };
        db.prepare_cached(
            "insert into defense_corpus (defense_hash, argument_hash, case_id, character_id, mode, full_text, outcome, trial_id,
                 author_id, cited_evidence, created_at, external, counted, angle, inspired_by, attack_lineage, lineage, game, seq,
                 key, claim)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
        )?
        .execute(params![
            said.hash,
            attack.hash,
            said.case_id,
            said.target,
            defense.mode.word(),
            said.text,
            defense.outcome.word(),
            self.trial_id,
            author,
            defense.cited.join(","),
            self.at.0,
            self.external,
            self.counted,
            defense.angle,
            defense.inspired_by,
            attack.lineage,
            lineage,
            self.own.map(|(game, _)| game.0),
            self.own.map(|(_, seq)| seq.0),
            self.key,
            claim,
        ])?;
        let id = db.last_insert_rowid();
        if self.counted {
            db.prepare_cached(
                "insert into defense_stats (lineage, character_id, uses, proved, trials) values (?1, ?2, 1, ?3, ?4)
                 on conflict (lineage, character_id) do update
                     set uses = uses + 1, proved = proved + excluded.proved, trials = trials + excluded.trials",
            )?
            .execute(params![lineage, said.target, defense.outcome == Fate::Proved, is_new_trial])?;
            authors::defended(db, lineage, defense.outcome == Fate::Proved)?;
            cases::recount(db, lineage, &said.target)?;
        }
        if self.counted || !self.external {
            cases::given(db, said, lineage, self.at)?;
            sales::of_defense(db, lineage, &said.target)?;
        }
        Ok(id)
    }

    /// Whether a defense of this lineage has counted for the character in this trial before.
    fn has_defended(&self, db: &Db, lineage: i64, character: &str) -> Result<bool, StoreError> {
        let mut query = db.prepare_cached(
            "select 1 from defense_corpus indexed by defense_by_pair
             where lineage = ?1 and counted = 1 and character_id = ?2 and trial_id = ?3",
        )?;
        Ok(query.exists(params![lineage, character, self.trial_id])?)
    }

    /// Counts one use, whose event was inserted before: plain additions. Columns that do not change are left out of the statement: every order
    /// of the market has an index, and SQLite rewrites the index entries of each column that is set.
    pub fn count(&self, db: &Db, stat: i64, effect: &Effect) -> Result<(), StoreError> {
        let used = Use {
            jury_shift: JuryShift::new(effect.jury_shift.into())
                .map_err(|wrong| StoreError::Broken(wrong.to_string()))?,
            triggered: effect.triggered,
            verdict: effect.verdict,
            ia_change: effect.ia_change,
            at: self.at,
        };
        let (landed, won) = (used.is_landed(), effect.ia_change.max(0));
        let has_worked = Score::of_use(&used).has_worked();
        let add = [
            (landed, "trap_lands = trap_lands + 1,"),
            (won > 0, "total_ia_won = total_ia_won + ?6,"),
            (effect.triggered, "trap_triggers = trap_triggers + ?2,"),
            (has_worked, "worked = worked + 1,"),
            (used.has_moved(), "moved = moved + 1,"),
            (!self.has_used(db, stat)?, "trials = trials + 1,"),
        ];
        let add: String = add.into_iter().filter(|(does, _)| *does).map(|(_, sql)| sql).collect();
        let sql = format!(
            "update argument_stats set {add} uses = uses + 1,
                 trap_misses = trap_misses + ?3, jury_shift_sum = jury_shift_sum + ?4,
                 last_used_at = max(coalesce(last_used_at, 0), ?5), landed_ago = case when ?7 then 1 else landed_ago + 1 end
             where n = ?1"
        );
        let missed = effect.verdict.is_some() && !landed;
        db.prepare_cached(&sql)?.execute(params![
            stat,
            effect.triggered,
            missed,
            effect.jury_shift,
            self.at.0,
            won,
            landed
        ])?;
        sales::of_stat(db, stat)?;
        authors::attacked(db, stat, landed)
    }

    /// Whether another use of it has counted in this trial.
    fn has_used(&self, db: &Db, stat: i64) -> Result<bool, StoreError> {
        let mut query = db.prepare_cached(
            "select count(*) > 1 from (select 1 from argument_events where stat = ?1 and trial_id = ?2 and counted = 1 limit 2)",
        )?;
        Ok(query.query_row(params![stat, self.trial_id], |row| row.get(0))?)
    }
}

/// Notes that a mind of the house, or a trusted outside game, said these words.
pub(crate) fn air(db: &Db, argument: i64) -> Result<(), StoreError> {
    let mut query = db.prepare_cached("select 1 from arguments where n = ?1 and aired = 0")?;
    if !query.exists(params![argument])? {
        return Ok(());
    }
    arguments::change(db, argument, |db| {
        db.prepare_cached("update arguments set aired = 1 where n = ?1")?.execute(params![argument])?;
        Ok(())
    })
}

/// The lineage of a defense. When it is first given it joins the lineage of the defense that it varies: the most alike of those that were
/// proved against this attack, and of the one it names, if they are alike at all. After that it stays where it is.
fn join_varied(db: &Db, attack: &Spoken, said: &Spoken, defense: &Defense) -> Result<i64, StoreError> {
    let mut query = db.prepare_cached("select 1 from defense_corpus where defense_hash = ?1")?;
    let is_first_of_its_own = said.lineage == said.argument && !query.exists(params![said.hash])?;
    if !is_first_of_its_own || said.text.is_empty() {
        return Ok(said.lineage);
    }
    let mut known = newest(db, attack.lineage, &said.target, Fate::Proved, VARIED_MAX, Wanted::All)?;
    if let Some(named) = &defense.inspired_by {
        let mut query =
            db.prepare_cached("select text from arguments where hash = ?1 and side = 'defense' and text != ''")?;
        let text: Option<String> = query.query_row(params![named], |row| row.get(0)).optional()?;
        known.extend(text.map(|text| (named.clone(), text)));
    }
    known.retain(|(hash, _)| *hash != said.hash);
    let texts: Vec<&str> = known.iter().map(|(_, text)| text.as_str()).collect();
    let Some(varied) = closest(&said.text, &texts, VARIES_PERCENT) else { return Ok(said.lineage) };
    let mut query = db.prepare_cached("select lineage from arguments where hash = ?1")?;
    let lineage: i64 = query.query_row(params![known[varied].0], |row| row.get(0))?;
    arguments::change(db, said.argument, |db| {
        db.prepare_cached("update arguments set lineage = ?2 where n = ?1")?
            .execute(params![said.argument, lineage])?;
        Ok(())
    })?;
    Ok(lineage)
}

/// What is known of one character's defenses against an attack, for the next player who must meet it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recalled {
    /// Struck ones, newest first.
    pub struck: Vec<String>,
    /// Proved ones, newest first: hash and words.
    pub proved: Vec<(String, String)>,
    /// The house's own angles that were tried.
    pub angles: Vec<String>,
}

/// The defenses against an attack, by its lineage; only what may leave its game reaches a prompt.
pub fn recall(db: &Db, attack_lineage: i64, character: &str) -> Result<Recalled, StoreError> {
    let struck = newest(db, attack_lineage, character, Fate::Failed, STRUCK_MAX, Wanted::Released)?;
    let proved = newest(db, attack_lineage, character, Fate::Proved, PROVED_MAX, Wanted::Released)?;
    let angles = angles(db, attack_lineage, character)?;
    Ok(Recalled { struck: struck.into_iter().map(|(_, text)| text).collect(), proved, angles })
}

/// Which defenses are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    All,
    /// Only those whose words may leave the games they were said in.
    Released,
}

/// The newest different defenses with this outcome: hash and words. Read from the end of the index until there are enough, because a
/// popular attack is met thousands of times.
fn newest(
    db: &Db,
    attack_lineage: i64,
    character: &str,
    outcome: Fate,
    most: usize,
    wanted: Wanted,
) -> Result<Vec<(String, String)>, StoreError> {
    let fit = match wanted {
        Wanted::All => "1",
        Wanted::Released => "a.released = 1",
    };
    let mut query = db.prepare_cached(&format!(
        "select d.defense_hash, d.full_text from defense_corpus d indexed by defense_by_lineage
         cross join arguments a on a.hash = d.defense_hash and {fit}
         where d.attack_lineage = ?1 and d.character_id = ?2 and d.outcome = ?3 and (d.external = 0 or d.counted = 1)
             and d.full_text != ''
         order by d.id desc limit ?4"
    ))?;
    let mut rows = query.query(params![attack_lineage, character, outcome.word(), READ_BACK_MAX])?;
    let mut found: Vec<(String, String)> = Vec::with_capacity(most);
    while let Some(row) = rows.next()?
        && found.len() < most
    {
        let hash: String = row.get(0)?;
        if !found.iter().any(|(known, _)| *known == hash) {
            found.push((hash, row.get(1)?));
        }
    }
    Ok(found)
}

/// The house's own angles that were tried. Each is looked up from the one before it: there are only a few in thousands of rows.
fn angles(db: &Db, attack_lineage: i64, character: &str) -> Result<Vec<String>, StoreError> {
    let mut query = db.prepare_cached(
        "select angle from defense_corpus indexed by defense_by_angle
         where attack_lineage = ?1 and character_id = ?2 and angle > ?3 order by angle limit 1",
    )?;
    let mut found: Vec<String> = Vec::new();
    loop {
        let last = found.last().map_or("", String::as_str);
        let next = query.query_row(params![attack_lineage, character, last], |row| row.get(0)).optional()?;
        match next {
            Some(angle) => found.push(angle),
            None => return Ok(found),
        }
    }
}

/// A defense that was given against an attack.
pub struct Given {
    pub text: String,
    pub struck: bool,
    /// Whether the words may leave the game they were said in, and so reach a prompt.
    pub released: bool,
}

/// Every defense that a character gave against an attack, for the check after a speech.
pub fn given(db: &Db, attack_lineage: i64, character: &str) -> Result<Vec<Given>, StoreError> {
    let mut query = db.prepare_cached(
        "select full_text, max(outcome = 'failed'), max(released)
         from defense_corpus join arguments on arguments.hash = defense_hash
         where attack_lineage = ?1 and character_id = ?2 and (external = 0 or counted = 1) and full_text != ''
         group by defense_hash",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok(Given { text: row.get(0)?, struck: row.get(1)?, released: row.get(2)? });
    Ok(query.query_map(params![attack_lineage, character], read)?.collect::<Result<_, _>>()?)
}

/// Whether these words were said in another trial in which this attack was made.
pub fn was_said(db: &Db, game: GameNo, attack_lineage: i64, text: &str) -> Result<bool, StoreError> {
    let Ok(hash) = ArgHash::of(text) else { return Ok(false) };
    let mut query = db.prepare_cached(
        "select exists (select 1 from arguments a join spoken s on s.argument = a.n join spoken k on k.game = s.game
             join arguments attack on attack.n = k.argument
         where a.hash = ?1 and s.game != ?2 and attack.lineage = ?3)",
    )?;
    Ok(query.query_row(params![hash.to_string(), game.0, attack_lineage], |row| row.get(0))?)
}

/// The lineage of what an event of a game said.
pub fn lineage(db: &Db, game: GameNo, seq: Seq) -> Result<Option<i64>, StoreError> {
    Ok(Spoken::find(db, game, seq)?.map(|said| said.lineage))
}

/// Reads a verdict from its stored word.
pub fn burden(word: &str) -> Option<Fate> {
    [Fate::Proved, Fate::Withdrawn, Fate::Failed].into_iter().find(|burden| burden.word() == word)
}

/// Takes the words of a removed game out of the corpus. What came of them stays: it names no account.
pub(crate) fn forget(db: &Db, game: GameNo) -> Result<(), StoreError> {
    db.execute("update defense_corpus set full_text = '', author_id = null where game = ?1", params![game.0])?;
    // Words that were said elsewhere too, or that their author put up, are not this game's alone.
    let mut query = db.prepare(
        "select distinct argument from spoken s where game = ?1
         and not exists (select 1 from spoken where argument = s.argument and game != ?1)
         and not exists (select 1 from arguments where n = s.argument and put_up = 1)
         and not exists (select 1 from argument_stats where argument = s.argument and (listed = 1 or wanted_at is not null))",
    )?;
    let gone: Vec<i64> = query.query_map(params![game.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for n in gone {
        arguments::change(db, n, |db| {
            let sql = "update arguments set text = '', author = null, status = ?2 where n = ?1";
            db.prepare_cached(sql)?.execute(params![n, Standing::Rejected.word()])?;
            Ok(())
        })?;
    }
    arguments::disown_said(db, game.0)?;
    db.execute("delete from spoken where game = ?1", params![game.0])?;
    Ok(())
}
