//! The archive of a case: every attack tried in it and every defense given, page by page in every order, each order by its own index.
//! Everyone sees the figures; a row has the words only if the viewer owns them.

use crate::corpus::Spoken;
use crate::corpus::market::{FIGURES, FIGURES_LEN, Figures, Place};
use crate::verify::Bad;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::{TenThousandths, interval};
use commons::ledger::price::text_price;
use commons::ledger::selling::preview;
use commons::ledger::terms::Terms;
use engine::facts::Manner;
use engine::id::{AccountId, GameId};
use engine::roster::Lang;
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, Row as SqlRow, params};

/// Which half of the archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// What was put to the accused.
    Attack,
    /// What they said for themselves.
    Defense,
}

impl Side {
    pub const ALL: [Side; 2] = [Side::Attack, Side::Defense];

    /// As clients read it, and as unlocks and titles are stored.
    pub fn word(self) -> &'static str {
        match self {
            Side::Attack => "attack",
            Side::Defense => "defense",
        }
    }

    pub fn named(word: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.word() == word)
    }
}

/// What a page of the archive is sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The share of uses that worked, by the lower end of its interval, as of the last nightly job.
    Rank,
    /// The moving average, by which it is priced.
    Effectiveness,
    /// When it was last used.
    Recency,
    /// What it has won; defenses win nothing.
    Ia,
    /// The share of the claims an attack forced that fell, or of the times a defense was given that it was proved; among equals, how many
    /// those are.
    Conversion,
    /// Its author's name; arguments without an author sort after all names.
    Author,
}

impl Sort {
    pub const ALL: [Sort; 6] =
        [Sort::Rank, Sort::Effectiveness, Sort::Recency, Sort::Ia, Sort::Conversion, Sort::Author];

    /// As clients read it; the indexes are named after it.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Rank => "rank",
            Sort::Effectiveness => "effectiveness",
            Sort::Recency => "recency",
            Sort::Ia => "ia",
            Sort::Conversion => "conversion",
            Sort::Author => "author",
        }
    }

    pub fn named(word: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.word() == word)
    }

    /// Whether this half can be sorted by it.
    pub fn fits(self, side: Side) -> bool {
        match (side, self) {
            (Side::Defense, Sort::Ia) => false,
            (Side::Attack | Side::Defense, _) => true,
        }
    }

    /// Whether the greatest comes first by default; names begin at A.
    pub fn usually_descends(self) -> bool {
        self != Sort::Author
    }

    fn column(self) -> &'static str {
        match self {
            Sort::Rank => "s.low_e4",
            Sort::Effectiveness => "s.effectiveness_e4",
            Sort::Recency => "s.used_at",
            Sort::Ia => "s.total_ia_won",
            Sort::Conversion => "s.conversion_rank",
            Sort::Author => "s.author_key",
        }
    }
}

/// Which page of a case's archive.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub case_id: String,
    /// Only against or by this character.
    pub character: Option<String>,
    pub side: Side,
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Only what comes after this place. In the order of authors, its value is looked up by its row.
    pub after: Option<Place>,
    pub limit: usize,
    pub viewer: Option<AccountId>,
    /// Without what the viewer has used.
    pub unused: Option<Within>,
    /// Only attacks that forced a claim that fell, moved jurors or won IA, and defenses that were proved.
    pub achieved: bool,
}

/// Where the viewer may have used an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    Game(GameId),
    Ever,
}

/// An attack or a defense in the archive of a case.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Where it stands in the order of its page.
    pub place: Place,
    pub hash: String,
    /// What it is about.
    pub label: String,
    /// Against or by whom.
    pub character: String,
    /// Its author's name, if that is an account that still exists.
    pub author: Option<String>,
    /// Whether its author has put it up on the market.
    pub listed: bool,
    /// The holder of its title, if it was taken.
    pub champion: Option<Champion>,
    /// What its words cost; none if they are not for sale.
    pub price: Option<u64>,
    /// The first words of what is for sale.
    pub preview: Option<String>,
    /// The language of its words, as far as their letters tell.
    pub written_in: Option<Lang>,
    /// The words, if the viewer owns them.
    pub text: Option<String>,
    pub done: Done,
}

/// Who is paid for an argument since its title was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Champion {
    /// An account of this name.
    Account(String),
    /// The house, or a deleted account.
    House,
}

impl Champion {
    /// From two columns: whether the title was taken, and its holder's name.
    pub(crate) fn read(row: &SqlRow<'_>, taken: usize, name: usize) -> rusqlite::Result<Option<Self>> {
        let (taken, name): (bool, Option<String>) = (row.get(taken)?, row.get(name)?);
        Ok(taken.then(|| name.map_or(Champion::House, Champion::Account)))
    }

    /// As clients read it.
    pub fn word(&self) -> &str {
        match self {
            Champion::Account(name) => name,
            Champion::House => "house",
        }
    }
}

/// How an attack or a defense has done.
#[derive(Clone, PartialEq, Debug)]
pub enum Done {
    Attack(Figures),
    /// A defense and its near-duplicates by the same character.
    Defense {
        /// How often it was given.
        uses: i64,
        /// How often it was proved.
        proved: i64,
        /// Its proved rate as a moving average, in ten-thousandths.
        effectiveness_e4: i64,
        /// When it was last given.
        used_at: Timestamp,
        /// How it was given, if it was given in these very words.
        mode: Option<Manner>,
    },
}

impl Done {
    /// Reads the first columns of a row, and returns how many those are.
    pub(crate) fn read(row: &SqlRow<'_>, side: Side) -> rusqlite::Result<(Self, usize)> {
        Ok(match side {
            Side::Attack => (Done::Attack(Figures::read(row)?), FIGURES_LEN),
            Side::Defense => {
                let (uses, proved, effectiveness_e4) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let (used_at, mode) = (Timestamp(row.get(3)?), read_mode(row, 4)?);
                (Done::Defense { uses, proved, effectiveness_e4, used_at, mode }, DEFENSE_FIGURES_LEN)
            }
        })
    }

    /// Which half of the archive it is in.
    pub fn side(&self) -> Side {
        match self {
            Done::Attack(_) => Side::Attack,
            Done::Defense { .. } => Side::Defense,
        }
    }

    /// What the best are found by: the lower end of the interval around the share of uses that worked; among equals what it won, and how
    /// far it moved the jury, in hundredths.
    pub fn worth(&self) -> (i64, i64, i64) {
        match self {
            Done::Attack(figures) => {
                let shift = (figures.avg_jury_shift * 100.0).round() as i64;
                (figures.low_e4, figures.total_ia_won, shift)
            }
            Done::Defense { .. } => (self.interval().0.0, 0, 0),
        }
    }

    /// How often it was used, and in how many of these uses it worked.
    pub fn uses(&self) -> (u64, u64) {
        match self {
            Done::Attack(figures) => (figures.uses as u64, figures.worked as u64),
            Done::Defense { uses, proved, .. } => (*uses as u64, *proved as u64),
        }
    }

    /// The ends of the interval around the share of uses that worked.
    pub fn interval(&self) -> (TenThousandths, TenThousandths) {
        let (uses, worked) = self.uses();
        interval(worked, uses)
    }

    pub fn effectiveness_e4(&self) -> i64 {
        match self {
            Done::Attack(figures) => figures.effectiveness_e4,
            Done::Defense { effectiveness_e4, .. } => *effectiveness_e4,
        }
    }
}

pub fn page(db: &Db, wanted: &Wanted) -> Result<Vec<Kept>, StoreError> {
    let after = wanted.after.map(|place| mark(db, wanted, place)).transpose()?;
    let Some(after) = after.map_or(Some(None), |found| found.map(Some)) else { return Ok(vec![]) };
    let viewer = wanted.viewer.map(|viewer| viewer.0);
    let game = match wanted.unused {
        Some(Within::Game(game)) => Some(game.0),
        Some(Within::Ever) | None => None,
    };
    let mut found = Vec::new();
    // As in the market: first the remaining rows with the same value as the last row of the previous page, then those beyond it.
    for part in [Part::Same, Part::Beyond] {
        let left = (wanted.limit - found.len()) as i64;
        if left == 0 || part == Part::Same && after.is_none() {
            continue;
        }
        let part = if after.is_none() { Part::All } else { part };
        let sql = statement(wanted, part);
        let mut query = db.prepare_cached(&sql)?;
        let (value, n) = after.clone().unzip();
        let values = params![wanted.case_id, wanted.character, viewer, value, n, game, left];
        let rows = query.query_map(values, |row| Kept::read(row, wanted.side, db.terms()))?;
        for row in rows {
            found.push(row?);
        }
    }
    Ok(found)
}

/// The value and row that a page begins after; none if the row is gone.
fn mark(db: &Db, wanted: &Wanted, place: Place) -> Result<Option<(rusqlite::types::Value, i64)>, StoreError> {
    if wanted.sort != Sort::Author {
        return Ok(Some((place.value.into(), place.n)));
    }
    let sql = format!("select author_key from {} where n = ?1", table(wanted.side));
    let name: Option<String> = db.prepare_cached(&sql)?.query_row(params![place.n], |row| row.get(0)).optional()?;
    Ok(name.map(|name| (name.into(), place.n)))
}

/// Which part of the walk along an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    All,
    /// Those with the same value.
    Same,
    /// Those with a later value.
    Beyond,
}

fn table(side: Side) -> &'static str {
    match side {
        Side::Attack => "argument_stats",
        Side::Defense => "case_defenses",
    }
}

fn statement(wanted: &Wanted, part: Part) -> String {
    let column = wanted.sort.column();
    let (compared, order) = if wanted.descending { ("<", "desc") } else { (">", "asc") };
    let after = match part {
        Part::All => "1".to_owned(),
        Part::Same => format!("{column} = ?4 and s.n {compared} ?5"),
        Part::Beyond => format!("{column} {compared} ?4"),
    };
    let order = match part {
        Part::Same => format!("s.n {order}"),
        Part::All | Part::Beyond => format!("{column} {order}, s.n {order}"),
    };
    // In the order of authors, the row alone marks the place: a name is no number.
    let value = if wanted.sort == Sort::Author { "0" } else { column };
    let (index, character, said, figures, listed) = match wanted.side {
        Side::Attack => ("archive", "s.target_character", "attack", FIGURES.to_owned(), "s.listed"),
        Side::Defense => {
            let figures = format!("s.uses, s.proved, s.effectiveness_e4, s.used_at, {MODE}");
            ("defenses", "s.character_id", "defense", figures, "a.put_up")
        }
    };
    let hash = hash_column(wanted.side);
    let tried = match (wanted.achieved, wanted.side) {
        (true, Side::Attack) => "s.moved > 0".to_owned(),
        (true, Side::Defense) => "s.proved > 0".to_owned(),
        (false, Side::Attack) => format!("(s.uses > 0 or {TRIED_HERE})"),
        (false, Side::Defense) => "1".to_owned(),
    };
    let unused = match wanted.unused {
        None => "1",
        Some(Within::Ever) => UNUSED_EVER,
        Some(Within::Game(_)) => UNUSED_HERE,
    };
    // A case has a few characters, so a walk along the index of the case that passes over the others is short enough.
    format!(
        "select {figures}, {value}, s.n, {hash}, a.label, {character}, u.username, {listed}, t.lineage is not null, c.username,
             case when {OWNED} then a.text end, s.sold, {WRITTEN_IN}, case when s.sold then substr(a.text, 1, {PREVIEW_FROM_MAX}) end,
             length(a.text)
         from {table} s indexed by {index}_by_{by} cross join arguments a on a.n = s.argument
         left join accounts u on u.id = a.author and u.deleted_at is null
         left join thrones t on t.case_id = s.case_id and t.character_id = {character} and t.asset_type = '{asset}'
             and t.lineage = a.lineage
         left join accounts c on c.id = t.champion and c.deleted_at is null
         where s.case_id = ?1 and (?2 is null or {character} = ?2) and {tried} and a.side = '{said}'
             and a.readable = 1 and {unused} and {after} order by {order} limit ?7",
        table = table(wanted.side),
        by = wanted.sort.word(),
        asset = wanted.side.word(),
    )
}

fn hash_column(side: Side) -> &'static str {
    match side {
        Side::Attack => "s.arg_hash",
        Side::Defense => "s.defense_hash",
    }
}

/// A preview is made of this many characters at most.
pub(crate) const PREVIEW_FROM_MAX: usize = 200;
/// Weighed in a trial of ours, whether it counts or not; a report from elsewhere is not enough.
const TRIED_HERE: &str = "exists (select 1 from spoken k join argument_events e on e.game = k.game and e.seq = k.seq
    where k.argument = s.argument and e.stat = s.n)";
const DEFENSE_FIGURES_LEN: usize = 5;
/// The effectiveness of what was never used, in ten-thousandths.
const UNTRIED_E4: i64 = 5_000;
/// How a defense was given, in a game of ours or in a report that counts.
pub(crate) const MODE: &str = "(select d.mode from defense_corpus d indexed by defense_by_hash where d.defense_hash = s.defense_hash \
    and d.character_id = s.character_id and (d.external = 0 or d.counted = 1) order by d.outcome, d.id limit 1)";
/// Whether the viewer owns the words of `a`.
const OWNED: &str = "exists (select 1 from words_owned w where w.account = ?3 and w.argument = a.n)";
/// Near-duplicates included: rewording an argument is using it.
const UNUSED_EVER: &str = "not exists (select 1 from arguments v join spoken k on k.argument = v.n
    where v.lineage = a.lineage and k.account = ?3)";
const UNUSED_HERE: &str =
    "not exists (select 1 from arguments v join spoken k on k.argument = v.n join games g on g.n = k.game
    where v.lineage = a.lineage and k.account = ?3 and g.id = ?6)";

/// The language of the words of `a`, decided in SQL, so that a text need not be read to find out. Any Hangul makes it Korean.
pub(crate) const WRITTEN_IN: &str =
    "case when a.text glob '*[가-힣]*' then 'ko' when a.text glob '*[a-zA-Z]*' then 'en' end";

/// A language, from a column like [`WRITTEN_IN`].
pub(crate) fn read_language(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Option<Lang>> {
    let code: Option<String> = row.get(column)?;
    Ok(match code.as_deref() {
        Some("ko") => Some(Lang::Ko),
        Some("en") => Some(Lang::En),
        Some(_) | None => None,
    })
}

/// The preview of words, from a column with their beginning, null if they are not for sale, and one with their length.
pub(crate) fn read_preview(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    let (beginning, len): (Option<String>, i64) = (row.get(column)?, row.get(column + 1)?);
    Ok(beginning.map(|beginning| preview(&beginning, len as usize)))
}

/// How a defense was given, from a column that may be null.
pub(crate) fn read_mode(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Option<Manner>> {
    let word: Option<String> = row.get(column)?;
    Ok(word.and_then(|word| Manner::ALL.into_iter().find(|mode| mode.word() == word)))
}

impl Kept {
    fn read(row: &SqlRow<'_>, side: Side, terms: &Terms) -> rusqlite::Result<Self> {
        let (done, from) = Done::read(row, side)?;
        let at = |column: usize| from + column;
        Ok(Kept {
            place: Place { value: row.get(at(0))?, n: row.get(at(1))? },
            hash: row.get(at(2))?,
            label: row.get(at(3))?,
            character: row.get(at(4))?,
            author: row.get(at(5))?,
            listed: row.get(at(6))?,
            champion: Champion::read(row, at(7), at(8))?,
            price: row
                .get::<_, bool>(at(10))?
                .then(|| text_price(terms, done.effectiveness_e4(), done.uses().0 as i64)),
            preview: read_preview(row, at(12))?,
            written_in: read_language(row, at(11))?,
            text: row.get(at(9))?,
            done,
        })
    }
}

/// Moves the counters of a defense, with all its variants, after one more use.
pub(crate) fn recount(db: &Db, lineage: i64, character: &str) -> Result<(), StoreError> {
    let mut query =
        db.prepare_cached("select uses, proved from defense_stats where lineage = ?1 and character_id = ?2")?;
    let (uses, proved): (i64, i64) =
        query.query_row(params![lineage, character], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut update = db.prepare_cached("update case_defenses set uses = ?2, proved = ?3 where n = ?1")?;
    for n in variants(db, lineage, character)? {
        update.execute(params![n, uses, proved])?;
    }
    Ok(())
}

/// The rows of all variants, to be changed one by one: a statement that changes one row by its number needs no journal of its own.
fn variants(db: &Db, lineage: i64, character: &str) -> Result<Vec<i64>, StoreError> {
    let mut query = db.prepare_cached("select n from case_defenses where lineage = ?1 and character_id = ?2")?;
    Ok(query.query_map(params![lineage, character], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The sort key of an argument in the order of authors: `0` and its author's name, or `1` if it has no author.
pub(crate) fn author_key(db: &Db, argument: i64) -> Result<String, StoreError> {
    let mut query = db.prepare_cached(
        "select u.username from arguments a join accounts u on u.id = a.author and u.deleted_at is null where a.n = ?1",
    )?;
    let name: Option<String> = query.query_row(params![argument], |row| row.get(0)).optional()?;
    Ok(name.map_or_else(|| "1".to_owned(), |name| format!("0{}", name.to_ascii_lowercase())))
}

/// Updates the sort keys of an argument whose author changed.
pub(crate) fn sign(db: &Db, argument: i64) -> Result<(), StoreError> {
    let key = author_key(db, argument)?;
    for table in Side::ALL.map(table) {
        let sql = format!("update {table} set author_key = ?2 where argument = ?1");
        db.prepare_cached(&sql)?.execute(params![argument, key])?;
    }
    Ok(())
}

/// Removes the name of a deleted account from the sort keys of all it wrote.
pub(crate) fn unsign(db: &Db, account: AccountId) -> Result<(), StoreError> {
    let mut query = db.prepare("select n from arguments where author = ?1")?;
    let written: Vec<i64> = query.query_map(params![account.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
    written.into_iter().try_for_each(|argument| sign(db, argument))
}

/// Enters a defense in the archive of its case: its words once, with the figures of their lineage.
pub(crate) fn given(db: &Db, said: &Spoken, lineage: i64, at: Timestamp) -> Result<(), StoreError> {
    let mut update = db.prepare_cached(
        "update case_defenses set used_at = max(used_at, ?4)
         where defense_hash = ?1 and case_id = ?2 and character_id = ?3",
    )?;
    if update.execute(params![said.hash, said.case_id, said.target, at.0])? > 0 {
        return Ok(());
    }
    let key = author_key(db, said.argument)?;
    let (uses, proved, effectiveness_e4) = figures(db, lineage, &said.target)?;
    let (low, _) = interval(proved as u64, uses as u64);
    db.prepare_cached(
        "insert into case_defenses (case_id, character_id, defense_hash, argument, lineage, used_at, uses, proved,
             effectiveness_e4, author_key, low_e4)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        said.case_id,
        said.target,
        said.hash,
        said.argument,
        lineage,
        at.0,
        uses,
        proved,
        effectiveness_e4,
        key,
        low.0
    ])?;
    Ok(())
}

/// Gives the rows of an argument that joined a lineage the figures of that lineage.
pub(crate) fn join_lineage(db: &Db, argument: i64, lineage: i64) -> Result<(), StoreError> {
    let mut query = db.prepare_cached("select n, character_id from case_defenses where argument = ?1")?;
    let rows: Vec<(i64, String)> =
        query.query_map(params![argument], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached(
        "update case_defenses set lineage = ?2, uses = ?3, proved = ?4, effectiveness_e4 = ?5, low_e4 = ?6 where n = ?1",
    )?;
    for (n, character) in rows {
        let (uses, proved, effectiveness_e4) = figures(db, lineage, &character)?;
        let (low, _) = interval(proved as u64, uses as u64);
        update.execute(params![n, lineage, uses, proved, effectiveness_e4, low.0])?;
    }
    Ok(())
}

/// Uses, how many of them were proved, and the effectiveness of a lineage of defenses by one character.
fn figures(db: &Db, lineage: i64, character: &str) -> Result<(i64, i64, i64), StoreError> {
    let mut query = db.prepare_cached(
        "select uses, proved, effectiveness_e4 from defense_stats where lineage = ?1 and character_id = ?2",
    )?;
    let read = |row: &SqlRow<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    Ok(query.query_row(params![lineage, character], read).optional()?.unwrap_or((0, 0, UNTRIED_E4)))
}

/// Refills the archives of defenses, and all sort keys of the order of authors.
pub(crate) fn rebuild(db: &Db) -> Result<(), StoreError> {
    db.execute_batch(
        "delete from case_defenses;
         insert into case_defenses (case_id, character_id, defense_hash, argument, lineage, used_at, uses, proved,
             effectiveness_e4, author_key)
         select g.case_id, g.character_id, a.hash, a.n, a.lineage, g.used_at, coalesce(s.uses, 0), coalesce(s.proved, 0),
             coalesce(s.effectiveness_e4, 5000), coalesce('0' || lower(u.username), '1')
         from (select defense_hash, case_id, character_id, max(created_at) as used_at, min(id) as first from defense_corpus
             where external = 0 or counted = 1 group by defense_hash, case_id, character_id) g
         join arguments a on a.hash = g.defense_hash
         left join defense_stats s on s.lineage = a.lineage and s.character_id = g.character_id
         left join accounts u on u.id = a.author and u.deleted_at is null order by g.first;
         update argument_stats set author_key = coalesce((select '0' || lower(u.username) from arguments a
             join accounts u on u.id = a.author and u.deleted_at is null where a.n = argument_stats.argument), '1')",
    )?;
    let mut query = db.prepare("select n, proved, uses from case_defenses where uses > 0")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)))?;
    let used: Vec<(i64, i64, i64)> = rows.collect::<Result<_, _>>()?;
    let mut update = db.prepare_cached("update case_defenses set low_e4 = ?2 where n = ?1")?;
    for (n, proved, uses) in used {
        update.execute(params![n, interval(proved as u64, uses as u64).0.0])?;
    }
    Ok(())
}

/// Checks what is only stored for sorting against what it follows from.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    const NAME: &str = "coalesce('0' || lower(u.username), '1')";
    let astray = format!(
        "select c.n from case_defenses c left join arguments a on a.n = c.argument
         left join defense_stats s on s.lineage = c.lineage and s.character_id = c.character_id
         left join accounts u on u.id = a.author and u.deleted_at is null
         where a.hash is not c.defense_hash or a.lineage is not c.lineage or c.author_key != {NAME}
             or (c.uses, c.proved) != (coalesce(s.uses, 0), coalesce(s.proved, 0))
             or exists (select 1 from defense_corpus d indexed by defense_by_hash where d.defense_hash = c.defense_hash
                 and d.character_id = c.character_id and d.case_id = c.case_id and d.lineage != c.lineage)
             or c.used_at is not (select max(d.created_at) from defense_corpus d indexed by defense_by_hash
                 where d.defense_hash = c.defense_hash and d.character_id = c.character_id and d.case_id = c.case_id
                     and (d.external = 0 or d.counted = 1))"
    );
    let missing = "select d.id from defense_corpus d join arguments a on a.hash = d.defense_hash
         where (d.external = 0 or d.counted = 1) and not exists (select 1 from case_defenses c
             where c.defense_hash = d.defense_hash and c.case_id = d.case_id and c.character_id = d.character_id)";
    let misnamed = format!(
        "select s.n from argument_stats s join arguments a on a.n = s.argument
         left join accounts u on u.id = a.author and u.deleted_at is null where s.author_key != {NAME}"
    );
    for (table, sql, what) in [
        ("case_defenses", astray.as_str(), "it is not what the defenses say"),
        ("case_defenses", missing, "a defense is missing"),
        ("argument_stats", &misnamed, "it is sorted by another name than its author's"),
    ] {
        let found: Option<i64> = db
            .prepare(&format!("{sql} limit 1"))
            .and_then(|mut query| query.query_row([], |row| row.get(0)).optional())
            .map_err(StoreError::from)?;
        if let Some(n) = found {
            return Err(Bad { table, game: None, row: u64::try_from(n).ok(), what: what.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{in_memory, plan};

    #[test]
    fn every_order_of_a_case_is_read_from_an_index() {
        let db = in_memory();
        for side in Side::ALL {
            for sort in Sort::ALL.into_iter().filter(|sort| sort.fits(side)) {
                for (descending, unused) in [(true, None), (false, Some(Within::Ever))] {
                    for part in [Part::All, Part::Same, Part::Beyond] {
                        let wanted = Wanted {
                            case_id: String::new(),
                            character: None,
                            side,
                            sort,
                            descending,
                            after: None,
                            limit: 1,
                            viewer: None,
                            unused,
                            achieved: false,
                        };
                        let plan = plan(&db, &statement(&wanted, part));
                        let what = format!("{side:?} {sort:?} {descending} {part:?}: {plan:#?}");
                        assert!(plan[0].starts_with("SEARCH s USING INDEX "), "{what}");
                        // Where the walk begins is found in the index too, not walked to.
                        let column = sort.column().trim_start_matches("s.");
                        let compared = if descending { "<?" } else { ">?" };
                        let begins = match part {
                            Part::All => "case_id=?".to_owned(),
                            Part::Same => format!("case_id=? AND {column}=? AND n{compared}"),
                            Part::Beyond => format!("case_id=? AND {column}{compared}"),
                        };
                        assert!(plan[0].contains(&begins), "{what}");
                        let walked = |line: &String| line.contains("TEMP B-TREE") || line.starts_with("SCAN");
                        assert!(!plan.iter().any(walked), "{what}");
                    }
                }
            }
        }
    }
}
