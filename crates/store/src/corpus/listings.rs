//! Listings: what authors put up on the market, take back, and see of their own work.

use crate::corpus::arguments;
use crate::corpus::cases::{self, Done};
use crate::corpus::market::{FIGURES, Place};
use crate::corpus::moderation::{flag, last_note, read_reasons, release};
use crate::corpus::{self, Spoken, origins, sales};
use crate::ledger::day;
use crate::{Db, StoreError};
use commons::corpus::lesson::Text;
use commons::corpus::moderation::{Reason, Screened};
use commons::ledger::selling::{Listings, TooMany};
use engine::facts::Side;
use engine::id::AccountId;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

/// How an argument stands in the market.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Listed,
    /// It waits for moderation.
    Waiting,
    /// A moderator said no.
    Rejected,
    /// Its author has not put it up, or has taken it back.
    Unlisted,
    /// A defense that stands in the archive of its case, and was not put up.
    Archived,
}

impl State {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            State::Listed => "listed",
            State::Waiting => "waiting",
            State::Rejected => "rejected",
            State::Unlisted => "unlisted",
            State::Archived => "archived",
        }
    }

    fn of(listed: bool, wanted: bool, status: &str) -> State {
        match (listed, status) {
            (true, _) => State::Listed,
            (false, "rejected") => State::Rejected,
            (false, "flagged") if wanted => State::Waiting,
            (false, _) => State::Unlisted,
        }
    }

    /// Of a defense, which stands in the archive and not on the market.
    fn of_defense(put_up: bool, status: &str) -> State {
        match status {
            "rejected" => State::Rejected,
            "flagged" => State::Waiting,
            _ if put_up => State::Listed,
            _ => State::Archived,
        }
    }
}

/// An argument that an author puts up.
#[derive(Clone, Debug)]
pub struct Offer {
    pub account: AccountId,
    pub text: Text,
    pub case_id: String,
    pub character: String,
    /// What its author calls it.
    pub label: Option<String>,
    /// What it is called if neither its author nor a game has labelled it.
    pub usual_label: String,
    /// What a moderation service says of it.
    pub screened: Screened,
    pub at: Timestamp,
}

/// What came of an offer.
#[derive(Clone, PartialEq, Debug)]
pub struct Put {
    pub state: State,
    /// Whether it was listed or waiting before.
    pub before: bool,
    /// What it is called.
    pub label: String,
    pub reasons: Vec<Reason>,
    /// The first of its near-duplicates, if that is another.
    pub variant_of: Option<String>,
    /// Whether it can be bought now: what was tried and moved nobody cannot.
    pub for_sale: bool,
}

/// Why an argument is not put up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotPut {
    /// It is made of another author's words, or of those of a guest or the house.
    SomebodyElses,
    /// It is known as a defense of nobody's.
    Defense,
    /// Its words were removed.
    Removed,
    /// A moderator has said no, and why.
    Rejected(String),
    /// The account has put up as much as it may.
    TooMany(TooMany),
}

/// What is known of some words before they are put up.
struct Known {
    n: i64,
    author: Option<Uuid>,
    side: String,
    status: String,
    empty: bool,
    spoken: bool,
    /// Whether it takes over an older one, or the house says it.
    taken: bool,
    put_up: bool,
}

impl Known {
    fn find(db: &Db, hash: &str) -> Result<Option<Known>, StoreError> {
        let mut query = db.prepare_cached(
            "select n, author, side, status, text = '', exists (select 1 from spoken where argument = arguments.n),
                 origin is not null or of_house, put_up
             from arguments where hash = ?1",
        )?;
        let read = |row: &SqlRow<'_>| {
            Ok(Known {
                n: row.get(0)?,
                author: row.get(1)?,
                side: row.get(2)?,
                status: row.get(3)?,
                empty: row.get(4)?,
                spoken: row.get(5)?,
                taken: row.get(6)?,
                put_up: row.get(7)?,
            })
        };
        Ok(query.query_row(params![hash], read).optional()?)
    }

    /// Why this account may not put it up, if so. What a house mind or a guest has said in a game is not for sale by anyone; what was only
    /// reported from outside belongs to the first account that puts it up.
    fn refusal(&self, db: &Db, account: AccountId) -> Result<Option<NotPut>, StoreError> {
        Ok(match self.author {
            _ if self.empty => Some(NotPut::Removed),
            Some(author) if author != account.0 => Some(NotPut::SomebodyElses),
            None if self.spoken || self.taken => Some(NotPut::SomebodyElses),
            None if self.side != "attack" => Some(NotPut::Defense),
            Some(_) | None if self.status == "rejected" => Some(NotPut::Rejected(last_note(db, self.n)?)),
            Some(_) | None => None,
        })
    }
}

/// Puts an argument up: it is listed if moderation lets it through, and waits if not. A defense that its author has given in a trial stands
/// in the archive; put up, its words may be sold there.
pub fn put(db: &Db, offer: &Offer) -> Result<Result<Put, NotPut>, StoreError> {
    let known = Known::find(db, &offer.text.hash.to_string())?;
    let refusal = match &known {
        Some(known) => known.refusal(db, offer.account)?,
        None if origins::is_own(db, &offer.text, offer.account)? => None,
        None => Some(NotPut::SomebodyElses),
    };
    if let Some(refusal) = refusal.or(too_many(db, offer, known.as_ref())?) {
        return Ok(Err(refusal));
    }
    // The tribunal's labels say what an argument is about; those of other kinds, whose words are only counted, say in which part of a
    // round.
    let labelled = known.as_ref().is_some_and(|known| known.status != "counted");
    let n = corpus::enter(db, &offer.text, Side::Attack, &offer.usual_label, Some(offer.account), offer.at)?;
    arguments::change(db, n, |db| {
        let sql = "update arguments set author = coalesce(author, ?2), put_up = 1 where n = ?1";
        db.prepare_cached(sql)?.execute(params![n, offer.account.0])?;
        Ok(())
    })?;
    match &offer.screened {
        Screened::NotAsked => {}
        Screened::Clear => release(db, n, offer.at)?,
        Screened::Flagged(reasons) => flag(db, n, reasons, offer.at)?,
    }
    let label = offer.label.as_ref().or((!labelled).then_some(&offer.usual_label));
    if let Some(label) = label {
        db.prepare_cached("update arguments set label = ?2 where n = ?1")?.execute(params![n, label])?;
    }
    if let Some(known) = known.filter(|known| known.side != "attack") {
        return put_defense(db, offer, &known).map(Ok);
    }
    let (case, character) = (offer.case_id.clone(), offer.character.clone());
    let stat = Spoken::of_argument(db, n, case, character, String::new())?.stat(db)?;
    let put = standing(db, n, stat, offer)?;
    sales::of_argument(db, n)?;
    let for_sale = db
        .prepare_cached("select sold from argument_stats where n = ?1")?
        .query_row(params![stat], |row| row.get(0))?;
    Ok(Ok(Put { for_sale, ..put }))
}

/// Whether the account has put up as much as it may; counts the listing if not.
fn too_many(db: &Db, offer: &Offer, known: Option<&Known>) -> Result<Option<NotPut>, StoreError> {
    let again = "select 1 from argument_stats where argument = ?1 and case_id = ?2 and target_character = ?3
                 and (listed = 1 or wanted_at is not null)";
    let is_again = match known {
        Some(known) if known.side != "attack" => known.put_up,
        Some(known) => db.prepare_cached(again)?.exists(params![known.n, offer.case_id, offer.character])?,
        None => false,
    };
    if is_again {
        return Ok(None);
    }
    let account = offer.account.0;
    let number = |sql: &str| -> Result<u64, StoreError> {
        let number: Option<i64> =
            db.prepare_cached(sql)?.query_row(params![account, day(offer.at)], |row| row.get(0)).optional()?;
        Ok(number.unwrap_or(0) as u64)
    };
    let listings = Listings {
        today: number("select listings from listing_days where account = ?1 and day = ?2")?,
        all: number(
            "select count(*) from argument_stats s join arguments a on a.n = s.argument
             where a.author = ?1 and (s.listed = 1 or s.wanted_at is not null) and ?2 is not null",
        )?,
        has_moved: number(
            "select exists (select 1 from arguments a join argument_stats s on s.argument = a.n
                 where a.author = ?1 and s.moved > 0 and ?2 is not null)",
        )? > 0,
    };
    Ok(listings.one_more(db.terms()).err().map(NotPut::TooMany))
}

/// A defense that was put up: it stays in the archive of its case, and may be sold there now.
fn put_defense(db: &Db, offer: &Offer, known: &Known) -> Result<Put, StoreError> {
    if !known.put_up {
        count_listing(db, offer.account, offer.at)?;
    }
    let mut query = db.prepare_cached(
        "select a.status, a.reasons, a.label, exists (select 1 from case_defenses c where c.argument = a.n and c.sold = 1)
         from arguments a where a.n = ?1",
    )?;
    let (status, reasons, label, for_sale): (String, String, String, bool) =
        query.query_row(params![known.n], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let state = State::of_defense(true, &status);
    let reasons = if state == State::Listed { vec![] } else { read_reasons(&reasons)? };
    Ok(Put { state, before: known.put_up, label, reasons, variant_of: None, for_sale })
}

fn count_listing(db: &Db, account: AccountId, at: Timestamp) -> Result<(), StoreError> {
    db.prepare_cached(
        "insert into listing_days (account, day, listings) values (?1, ?2, 1)
         on conflict (account, day) do update set listings = listings + 1",
    )?
    .execute(params![account.0, day(at)])?;
    Ok(())
}

/// Lists it, or lets it wait, and says how it stands.
fn standing(db: &Db, n: i64, stat: i64, offer: &Offer) -> Result<Put, StoreError> {
    let mut query = db.prepare_cached(
        "select a.readable, a.reasons, a.label, s.listed = 1 or s.wanted_at is not null,
             case when a.lineage != a.n then (select hash from arguments where n = a.lineage) end
         from arguments a join argument_stats s on s.n = ?2 where a.n = ?1",
    )?;
    let (clear, reasons, label, before, variant_of): (bool, String, String, bool, Option<String>) = query
        .query_row(params![n, stat], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
    let sql = if clear {
        "update argument_stats set listed = 1, wanted_at = null, listed_at = coalesce(listed_at, ?2) where n = ?1"
    } else {
        "update argument_stats set wanted_at = coalesce(wanted_at, ?2) where n = ?1"
    };
    db.prepare_cached(sql)?.execute(params![stat, offer.at.0])?;
    if !before {
        count_listing(db, offer.account, offer.at)?;
    }
    let state = if clear { State::Listed } else { State::Waiting };
    let reasons = if clear { vec![] } else { read_reasons(&reasons)? };
    Ok(Put { state, before, label, reasons, variant_of, for_sale: false })
}

/// How an argument is known already: on which side, and whether it was used or put up against this character, or given by it.
pub fn known(db: &Db, hash: &str, case_id: &str, character: &str) -> Result<Option<(Side, bool)>, StoreError> {
    let mut query = db.prepare_cached(
        "select a.side = 'attack',
             exists (select 1 from argument_stats s where s.argument = a.n and s.case_id = ?2 and s.target_character = ?3)
                 or exists (select 1 from spoken k where k.argument = a.n and k.case_id = ?2 and k.target = ?3)
         from arguments a where a.hash = ?1 and a.status != 'counted'",
    )?;
    let read = |row: &SqlRow<'_>| Ok((if row.get(0)? { Side::Attack } else { Side::Defense }, row.get(1)?));
    Ok(query.query_row(params![hash, case_id, character], read).optional()?)
}

/// The words of an argument, if they are this account's.
pub fn own_words(db: &Db, account: AccountId, hash: &str) -> Result<Option<String>, StoreError> {
    let mut query = db.prepare_cached("select text from arguments where hash = ?1 and author = ?2 and text != ''")?;
    Ok(query.query_row(params![hash, account.0], |row| row.get(0)).optional()?)
}

/// Takes an argument back, or a defense. False if the account has put up no such thing.
pub fn take_back(db: &Db, account: AccountId, hash: &str, case_id: &str, character: &str) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select n, side, put_up from arguments where hash = ?1 and author = ?2")?;
    let known: Option<(i64, String, bool)> =
        query.query_row(params![hash, account.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((n, side, put_up)) = known else { return Ok(false) };
    let changed = db
        .prepare_cached(
            "update argument_stats set listed = 0, listed_at = null, wanted_at = null
             where argument = ?1 and case_id = ?2 and target_character = ?3 and (listed = 1 or wanted_at is not null)",
        )?
        .execute(params![n, case_id, character])?;
    let is_up = if side == "attack" { is_listed(db, n)? } else { false };
    keep_up(db, n, is_up)?;
    sales::of_argument(db, n)?;
    Ok(changed > 0 || side != "attack" && put_up)
}

/// Takes back everything that a deleted account has put up.
pub(crate) fn withdraw_all(db: &Db, account: AccountId) -> Result<(), StoreError> {
    let mut query = db.prepare("select n from arguments where author = ?1 and put_up = 1")?;
    let all: Vec<i64> = query.query_map(params![account.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    all.into_iter().try_for_each(|n| withdraw(db, n))
}

/// Takes an argument back wherever it was put up.
pub(crate) fn withdraw(db: &Db, n: i64) -> Result<(), StoreError> {
    db.prepare_cached(
        "update argument_stats set listed = 0, listed_at = null, wanted_at = null
         where argument = ?1 and (listed = 1 or wanted_at is not null)",
    )?
    .execute(params![n])?;
    keep_up(db, n, false)?;
    sales::of_argument(db, n)
}

fn is_listed(db: &Db, n: i64) -> Result<bool, StoreError> {
    let listed = "select 1 from argument_stats where argument = ?1 and (listed = 1 or wanted_at is not null)";
    Ok(db.prepare_cached(listed)?.exists(params![n])?)
}

/// Notes whether an argument is put up anywhere.
fn keep_up(db: &Db, n: i64, is_up: bool) -> Result<(), StoreError> {
    arguments::change(db, n, |db| {
        db.prepare_cached("update arguments set put_up = ?2 where n = ?1")?.execute(params![n, is_up])?;
        Ok(())
    })
}

/// An account's own attack on a character, or its own defense of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Own {
    /// Its place in the list: the number of the argument, and that of its row.
    pub place: Place,
    pub hash: String,
    pub text: String,
    /// What it is called.
    pub label: String,
    pub case_id: String,
    pub character: String,
    /// How it stands in the market, or in the archive.
    pub state: State,
    pub reasons: Vec<Reason>,
    /// What a moderator said, if one did.
    pub note: String,
    pub done: Done,
}

/// The place to start from: everything comes before it.
pub const NEWEST: Place = Place { value: i64::MAX, n: i64::MAX };

/// What an account has said and put up before this place, newest first.
pub fn own(db: &Db, account: AccountId, before: Place, limit: usize) -> Result<Vec<Own>, StoreError> {
    let mut found = Vec::new();
    for side in cases::Side::ALL {
        let mut query = db.prepare_cached(&own_statement(side))?;
        let mut rows = query.query(params![account.0, before.value, before.n, limit as i64])?;
        while let Some(row) = rows.next()? {
            found.push(Own::read(row, side)?);
        }
    }
    found.sort_by_key(|own| std::cmp::Reverse(own.place));
    found.truncate(limit);
    Ok(found)
}

/// A defense whose trial has not ruled on it is in no archive yet, but its author is told what moderation says.
fn own_statement(side: cases::Side) -> String {
    let (figures, n, case, character, listed, wanted, rows, said) = match side {
        cases::Side::Attack => (
            FIGURES.to_owned(),
            "s.n",
            "s.case_id",
            "s.target_character",
            "s.listed = 1",
            "s.wanted_at is not null",
            "cross join argument_stats s",
            "attack",
        ),
        cases::Side::Defense => (
            format!(
                "coalesce(s.uses, 0), coalesce(s.proved, 0), coalesce(s.effectiveness_e4, 5000), coalesce(s.used_at, a.created_at), {}",
                cases::MODE
            ),
            "coalesce(s.n, 0)",
            "coalesce(s.case_id, (select case_id from spoken where argument = a.n limit 1), '')",
            "coalesce(s.character_id, (select target from spoken where argument = a.n limit 1), '')",
            "a.put_up",
            "0",
            "left join case_defenses s",
            "defense",
        ),
    };
    format!(
        "select {figures}, a.n, {n}, a.hash, a.text, a.label, {case}, {character}, {listed}, {wanted}, a.status, a.reasons,
             coalesce((select note from decisions d where d.argument = a.n order by d.n desc limit 1), '')
         from arguments a {rows} on s.argument = a.n
         where a.author = ?1 and a.side = '{said}' and a.status != 'counted' and a.text != ''
             and a.n <= ?2 and (a.n, {n}) < (?2, ?3) order by a.n desc, {n} desc limit ?4"
    )
}

impl Own {
    fn read(row: &SqlRow<'_>, side: cases::Side) -> Result<Self, StoreError> {
        let (done, from) = Done::read(row, side)?;
        let at = |column: usize| from + column;
        let (status, reasons): (String, String) = (row.get(at(9))?, row.get(at(10))?);
        Ok(Own {
            done,
            place: Place { value: row.get(at(0))?, n: row.get(at(1))? },
            hash: row.get(at(2))?,
            text: row.get(at(3))?,
            label: row.get(at(4))?,
            case_id: row.get(at(5))?,
            character: row.get(at(6))?,
            state: match side {
                cases::Side::Attack => State::of(row.get(at(7))?, row.get(at(8))?, &status),
                cases::Side::Defense => State::of_defense(row.get(at(7))?, &status),
            },
            reasons: if matches!(status.as_str(), "clear" | "approved") { vec![] } else { read_reasons(&reasons)? },
            note: row.get(at(11))?,
        })
    }
}
