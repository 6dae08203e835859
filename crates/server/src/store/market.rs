//! The market: arguments that their authors have listed, page by page in every order, each order by an index of its own.

use super::StoreError;
use super::moderation::last_note;
use crate::corpus::Text;
use commons::corpus::effectiveness::FEW_USES;
use commons::corpus::moderation::Reason;
use commons::corpus::novelty::{LastLanded, Pill};
use commons::corpus::stats::Counters;
use engine::id::AccountId;
use engine::rules::Side;
use engine::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use uuid::Uuid;

/// Most listings of one account, those that wait included.
pub const LISTINGS_MAX: i64 = 500;
/// From how many uses on an argument may be featured; the index of featured ones has the same number.
pub const FEATURED_USES_MIN: i64 = 3;

/// By what a page of the market is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// How effective it is.
    Effectiveness,
    /// When it was last used.
    Recency,
    /// How often it was used.
    Uses,
    /// What it has won.
    Ia,
    /// How often it landed.
    Lands,
    /// When it was listed.
    Newest,
}

impl Sort {
    /// All of them.
    pub const ALL: [Sort; 6] = [Sort::Effectiveness, Sort::Recency, Sort::Uses, Sort::Ia, Sort::Lands, Sort::Newest];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Effectiveness => "effectiveness",
            Sort::Recency => "recency",
            Sort::Uses => "uses",
            Sort::Ia => "ia",
            Sort::Lands => "lands",
            Sort::Newest => "newest",
        }
    }

    /// The order of that name.
    pub fn named(word: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.word() == word)
    }

    fn column(self) -> &'static str {
        match self {
            Sort::Effectiveness => "s.effectiveness_e4",
            Sort::Recency => "s.used_at",
            Sort::Uses => "s.uses",
            Sort::Ia => "s.total_ia_won",
            Sort::Lands => "s.trap_lands",
            Sort::Newest => "s.listed_at",
        }
    }
}

/// Where a page ends: the value it is sorted by, and the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The value.
    pub value: i64,
    /// The row.
    pub n: i64,
}

/// Which page of the market.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// In which order.
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Only those against these characters, each with its case; against anybody if there are none.
    pub against: Vec<(String, String)>,
    /// Only those that were used a few times.
    pub featured: bool,
    /// What comes after this place.
    pub after: Option<Place>,
    /// How many at most.
    pub limit: usize,
    /// Who looks: one's own words are shown to oneself.
    pub viewer: Option<AccountId>,
}

/// What is known of an argument against one character.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// How often it was used.
    pub uses: i64,
    /// In ten-thousandths, like what follows.
    pub effectiveness_e4: i64,
    /// The lower end of its interval.
    pub low_e4: i64,
    /// The upper end.
    pub high_e4: i64,
    /// The change per use.
    pub decay_slope_e4: i64,
    /// The whole change over the recent uses.
    pub recent_change_e4: i64,
    /// How many these are.
    pub recent_uses: i64,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// How many uses ago it last landed, that one included.
    pub landed_ago: Option<i64>,
    /// How often it forced a claim that fell.
    pub trap_lands: i64,
    /// How often it forced a claim.
    pub trap_triggers: i64,
    /// Jurors it moved, on average.
    pub avg_jury_shift: f64,
    /// What it has won.
    pub total_ia_won: i64,
}

const FIGURES: &str = "s.uses, s.effectiveness_e4, s.low_e4, s.high_e4, s.decay_slope_e4, s.recent_change_e4, s.recent_uses, \
    s.last_used_at, s.landed_ago, s.trap_lands, s.trap_triggers, s.avg_jury_shift, s.total_ia_won";
/// How many columns these are.
const FIGURES_LEN: usize = 13;

impl Figures {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Figures {
            uses: row.get(0)?,
            effectiveness_e4: row.get(1)?,
            low_e4: row.get(2)?,
            high_e4: row.get(3)?,
            decay_slope_e4: row.get(4)?,
            recent_change_e4: row.get(5)?,
            recent_uses: row.get(6)?,
            last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
            landed_ago: row.get(8)?,
            trap_lands: row.get(9)?,
            trap_triggers: row.get(10)?,
            avg_jury_shift: row.get(11)?,
            total_ia_won: row.get(12)?,
        })
    }

    /// What a buyer is told at a glance.
    pub fn pill(&self) -> Pill {
        let counters = Counters {
            uses: self.uses as u64,
            trap_triggers: self.trap_triggers as u64,
            trap_lands: self.trap_lands as u64,
            ..Counters::default()
        };
        Pill::of(&counters, LastLanded::stored(self.landed_ago.map(|ago| ago as u64)))
    }

    /// Whether there are so few uses that the interval belongs beside the figure.
    pub fn is_of_few_uses(&self) -> bool {
        self.uses < FEW_USES as i64
    }
}

/// An argument on the market.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// Where it stands in the order of its page.
    pub place: Place,
    /// Its name.
    pub arg_hash: String,
    /// What it is about.
    pub label: String,
    /// The case.
    pub case_id: String,
    /// The character.
    pub target_character: String,
    /// Its author's name, if the account is still there.
    pub author: Option<String>,
    /// Since when it is listed.
    pub listed_at: Timestamp,
    /// How it has done.
    pub figures: Figures,
    /// The words, for their author alone.
    pub own_text: Option<String>,
}

/// A page of the market.
pub fn page(db: &Connection, wanted: &Wanted) -> Result<Vec<Listed>, StoreError> {
    let sql = statement(wanted.sort, wanted.descending, !wanted.against.is_empty(), wanted.featured);
    let mut query = db.prepare_cached(&sql)?;
    let edge = if wanted.descending { i64::MAX } else { i64::MIN };
    let after = wanted.after.unwrap_or(Place { value: edge, n: edge });
    let (viewer, limit) = (wanted.viewer.map(|viewer| viewer.0), wanted.limit as i64);
    if wanted.against.is_empty() {
        let rows = query.query_map(params![after.value, after.n, limit, viewer], Listed::read)?;
        return Ok(rows.collect::<Result<_, _>>()?);
    }
    // One short walk along the index for each character, and the first of them all.
    let mut found = Vec::new();
    for (case, character) in &wanted.against {
        let rows = query.query_map(params![after.value, after.n, limit, viewer, case, character], Listed::read)?;
        found.extend(rows.collect::<Result<Vec<_>, _>>()?);
    }
    found.sort_by_key(|listed| listed.place);
    if wanted.descending {
        found.reverse();
    }
    found.truncate(wanted.limit);
    Ok(found)
}

/// The one statement behind a page.
fn statement(sort: Sort, descending: bool, against: bool, featured: bool) -> String {
    let column = sort.column();
    let (compared, order) = if descending { ("<", "desc") } else { (">", "asc") };
    let against = if against { "and s.case_id = ?5 and s.target_character = ?6" } else { "" };
    let featured = if featured { "and s.uses >= 3" } else { "" };
    format!(
        "select {FIGURES}, {column}, s.n, s.arg_hash, a.label, s.case_id, s.target_character, u.username, s.listed_at,
             case when a.author = ?4 then a.text end
         from argument_stats s cross join arguments a on a.n = s.argument
         left join accounts u on u.id = a.author and u.deleted_at is null
         where s.listed = 1 {featured} {against} and ({column}, s.n) {compared} (?1, ?2)
         order by {column} {order}, s.n {order} limit ?3"
    )
}

impl Listed {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        let at = |column: usize| FIGURES_LEN + column;
        Ok(Listed {
            figures: Figures::read(row)?,
            place: Place { value: row.get(at(0))?, n: row.get(at(1))? },
            arg_hash: row.get(at(2))?,
            label: row.get(at(3))?,
            case_id: row.get(at(4))?,
            target_character: row.get(at(5))?,
            author: row.get(at(6))?,
            listed_at: Timestamp(row.get(at(7))?),
            own_text: row.get(at(8))?,
        })
    }
}

/// How an argument stands in the market.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Everybody finds it.
    Listed,
    /// Somebody has to look at it first.
    Waiting,
    /// Somebody has, and said no.
    Rejected,
    /// Its author has not put it up, or has taken it back.
    Unlisted,
}

impl State {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            State::Listed => "listed",
            State::Waiting => "waiting",
            State::Rejected => "rejected",
            State::Unlisted => "unlisted",
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
}

/// Somebody puts an argument up.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Who.
    pub account: AccountId,
    /// What.
    pub text: Text,
    /// In which case.
    pub case_id: String,
    /// Against whom.
    pub character: String,
    /// What its author calls it.
    pub label: Option<String>,
    /// What it is called if nobody has said anything better.
    pub usual_label: String,
    /// When.
    pub at: Timestamp,
}

/// What came of an offer.
#[derive(Clone, PartialEq, Debug)]
pub struct Put {
    /// Listed, or waiting.
    pub state: State,
    /// Whether it was so before.
    pub before: bool,
    /// What it is called.
    pub label: String,
    /// Why it waits.
    pub reasons: Vec<Reason>,
    /// The first of its near-duplicates, if that is another.
    pub variant_of: Option<String>,
}

/// Why an argument is not put up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotPut {
    /// Somebody else has said it before.
    SomebodyElses,
    /// It is known as a defence.
    Defence,
    /// Its words were removed.
    Removed,
    /// A moderator has said no, and why.
    Rejected(String),
    /// The account has enough of them.
    TooMany,
}

/// What is known of some words before they are put up.
struct Known {
    n: i64,
    author: Option<Uuid>,
    side: String,
    status: String,
    empty: bool,
    spoken: bool,
}

impl Known {
    fn find(db: &Connection, hash: &str) -> Result<Option<Known>, StoreError> {
        let mut query = db.prepare_cached(
            "select n, author, side, status, text = '', exists (select 1 from spoken where argument = arguments.n)
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
            })
        };
        Ok(query.query_row(params![hash], read).optional()?)
    }

    /// Whether this account may put it up. What a house mind or a guest has said in a game is nobody's to sell; what was only
    /// reported from outside is whoever's who puts it up.
    fn refusal(&self, db: &Connection, account: AccountId) -> Result<Option<NotPut>, StoreError> {
        Ok(match self.author {
            _ if self.empty => Some(NotPut::Removed),
            Some(author) if author != account.0 => Some(NotPut::SomebodyElses),
            None if self.spoken => Some(NotPut::SomebodyElses),
            Some(_) | None if self.side != "attack" => Some(NotPut::Defence),
            Some(_) | None if self.status == "rejected" => Some(NotPut::Rejected(last_note(db, self.n)?)),
            Some(_) | None => None,
        })
    }
}

/// Puts an argument up: it is listed if moderation lets it through, and waits if not.
pub fn put(db: &Connection, offer: &Offer) -> Result<Result<Put, NotPut>, StoreError> {
    let known = Known::find(db, &offer.text.hash.to_string())?;
    if let Some(known) = &known
        && let Some(refusal) = known.refusal(db, offer.account)?
    {
        return Ok(Err(refusal));
    }
    let mine = "select count(*) from argument_stats s join arguments a on a.n = s.argument
                where a.author = ?1 and (s.listed = 1 or s.wanted_at is not null)";
    let count: i64 = db.prepare_cached(mine)?.query_row(params![offer.account.0], |row| row.get(0))?;
    if count >= LISTINGS_MAX {
        return Ok(Err(NotPut::TooMany));
    }
    // The tribunal says what an argument is about; other kinds say in which part of a round it was said.
    let labelled = known.is_some_and(|known| known.status != "counted");
    let n = super::corpus::enter(db, &offer.text, Side::Attack, &offer.usual_label, Some(offer.account), offer.at)?;
    db.prepare_cached("update arguments set author = ?2 where n = ?1 and author is null")?
        .execute(params![n, offer.account.0])?;
    let label = offer.label.as_ref().or((!labelled).then_some(&offer.usual_label));
    if let Some(label) = label {
        db.prepare_cached("update arguments set label = ?2 where n = ?1")?.execute(params![n, label])?;
    }
    let (case, character) = (offer.case_id.clone(), offer.character.clone());
    let stat = super::corpus::Spoken::of_argument(db, n, case, character, String::new())?.stat(db)?;
    standing(db, n, stat, offer.at).map(Ok)
}

/// Lists it, or lets it wait, and says how it stands.
fn standing(db: &Connection, n: i64, stat: i64, at: Timestamp) -> Result<Put, StoreError> {
    let mut query = db.prepare_cached(
        "select a.status in ('clear', 'approved'), a.reasons, a.label, s.listed = 1 or s.wanted_at is not null,
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
    db.prepare_cached(sql)?.execute(params![stat, at.0])?;
    let state = if clear { State::Listed } else { State::Waiting };
    let reasons = if clear { vec![] } else { read_reasons(&reasons)? };
    Ok(Put { state, before, label, reasons, variant_of })
}

pub(super) fn read_reasons(text: &str) -> Result<Vec<Reason>, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Broken(format!("arguments.reasons: {error}")))
}

/// The words of an argument, if they are this account's.
pub fn own_words(db: &Connection, account: AccountId, hash: &str) -> Result<Option<String>, StoreError> {
    let mut query = db.prepare_cached("select text from arguments where hash = ?1 and author = ?2 and text != ''")?;
    Ok(query.query_row(params![hash, account.0], |row| row.get(0)).optional()?)
}

/// Takes an argument back. False if the account has put up no such argument.
pub fn take_back(
    db: &Connection,
    account: AccountId,
    hash: &str,
    case_id: &str,
    character: &str,
) -> Result<bool, StoreError> {
    let changed = db
        .prepare_cached(
            "update argument_stats set listed = 0, listed_at = null, wanted_at = null
             where arg_hash = ?2 and case_id = ?3 and target_character = ?4 and (listed = 1 or wanted_at is not null)
             and exists (select 1 from arguments where n = argument and author = ?1)",
        )?
        .execute(params![account.0, hash, case_id, character])?;
    Ok(changed > 0)
}

/// Takes back everything of an account that goes away.
pub(super) fn withdraw_all(db: &Connection, account: AccountId) -> Result<(), StoreError> {
    db.execute(
        "update argument_stats set listed = 0, listed_at = null, wanted_at = null
         where argument in (select n from arguments where author = ?1)",
        params![account.0],
    )?;
    Ok(())
}

/// An argument of one's own, against one character.
#[derive(Clone, PartialEq, Debug)]
pub struct Own {
    /// Its row.
    pub n: i64,
    /// Its name.
    pub arg_hash: String,
    /// Its words.
    pub text: String,
    /// What it is called.
    pub label: String,
    /// The case.
    pub case_id: String,
    /// The character.
    pub target_character: String,
    /// How it stands in the market.
    pub state: State,
    /// What moderation found.
    pub reasons: Vec<Reason>,
    /// What a moderator said, if one did.
    pub note: String,
    /// How it has done.
    pub figures: Figures,
}

/// An account's own arguments before this row, newest first.
pub fn own(db: &Connection, account: AccountId, before: i64, limit: usize) -> Result<Vec<Own>, StoreError> {
    let mut query = db.prepare_cached(&format!(
        "select {FIGURES}, s.n, s.arg_hash, a.text, a.label, s.case_id, s.target_character, s.listed = 1,
             s.wanted_at is not null, a.status, a.reasons,
             coalesce((select note from decisions d where d.argument = a.n order by d.n desc limit 1), '')
         from arguments a cross join argument_stats s on s.argument = a.n
         where a.author = ?1 and a.side = 'attack' and a.status != 'counted' and a.text != '' and s.n < ?2
         order by s.n desc limit ?3"
    ))?;
    let mut rows = query.query(params![account.0, before, limit as i64])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let at = |column: usize| FIGURES_LEN + column;
        let status: String = row.get(at(8))?;
        let reasons: String = row.get(at(9))?;
        found.push(Own {
            figures: Figures::read(row)?,
            n: row.get(at(0))?,
            arg_hash: row.get(at(1))?,
            text: row.get(at(2))?,
            label: row.get(at(3))?,
            case_id: row.get(at(4))?,
            target_character: row.get(at(5))?,
            state: State::of(row.get(at(6))?, row.get(at(7))?, &status),
            reasons: if matches!(status.as_str(), "clear" | "approved") { vec![] } else { read_reasons(&reasons)? },
            note: row.get(at(10))?,
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_the_market_is_read_from_an_index() {
        let db = Connection::open_in_memory().expect("a database in memory");
        super::super::sqlite::migrate(&db).expect("the schema");
        for sort in Sort::ALL {
            for (descending, against, featured) in
                [(true, false, false), (false, false, false), (true, true, false), (false, true, false), (true, false, true)]
            {
                let sql = format!("explain query plan {}", statement(sort, descending, against, featured));
                let mut query = db.prepare(&sql).expect("it is sound");
                let plan: Vec<String> =
                    query.query_map([], |row| row.get(3)).expect("a plan").map(|line| line.expect("a line")).collect();
                let first = &plan[0];
                let what = format!("{sort:?} {descending} {against} {featured}: {plan:#?}");
                assert!(first.starts_with("SEARCH s USING INDEX market_"), "{what}");
                // Where the walk begins is found in the index too, not walked to.
                assert!(first.contains(",n)<(?,?)") || first.contains(",n)>(?,?)"), "{what}");
                assert_eq!(first.contains("case_id=? AND target_character=?"), against, "{what}");
                assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE") || line.starts_with("SCAN")), "{what}");
            }
        }
        let plan: String = db
            .query_row(
                &format!("explain query plan {}", statement(Sort::Effectiveness, true, false, true)),
                [],
                |row| row.get(3),
            )
            .expect("a plan");
        assert!(plan.contains("market_featured"), "{plan}");
    }
}
