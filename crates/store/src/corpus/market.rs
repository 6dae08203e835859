//! The market: arguments that their authors have listed, page by page in every order, each order by its own index.

use crate::corpus::cases::{Champion, PREVIEW_FROM_MAX, WRITTEN_IN, read_language, read_preview};
use crate::corpus::sales::Section;
use crate::{Db, StoreError};
use commons::corpus::effectiveness::interval;
use commons::corpus::novelty::{LastLanded, Pill};
use commons::corpus::stats::Counters;
use commons::ledger::price::text_price;
use commons::ledger::terms::Terms;
use engine::id::AccountId;
use engine::roster::Lang;
use engine::time::Timestamp;
use rusqlite::{Row as SqlRow, params};

/// What a page of the market is sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The share of uses that worked, by the lower end of its interval, as of the last nightly job.
    Rank,
    /// The moving average, by which it is priced.
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
    pub const ALL: [Sort; 7] =
        [Sort::Rank, Sort::Effectiveness, Sort::Recency, Sort::Uses, Sort::Ia, Sort::Lands, Sort::Newest];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Rank => "rank",
            Sort::Effectiveness => "effectiveness",
            Sort::Recency => "recency",
            Sort::Uses => "uses",
            Sort::Ia => "ia",
            Sort::Lands => "lands",
            Sort::Newest => "newest",
        }
    }

    pub fn named(word: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.word() == word)
    }

    /// The last part of the names of this order's indexes.
    fn index(self) -> &'static str {
        match self {
            Sort::Newest => "age",
            Sort::Rank | Sort::Effectiveness | Sort::Recency | Sort::Uses | Sort::Ia | Sort::Lands => self.word(),
        }
    }

    fn column(self) -> &'static str {
        match self {
            Sort::Rank => "s.low_e4",
            Sort::Effectiveness => "s.effectiveness_e4",
            Sort::Recency => "s.used_at",
            Sort::Uses => "s.uses",
            Sort::Ia => "s.total_ia_won",
            Sort::Lands => "s.trap_lands",
            Sort::Newest => "s.listed_at",
        }
    }
}

/// A place in an order: the value it is sorted by, and the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub value: i64,
    pub n: i64,
}

/// Which page of the market.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Only arguments against these characters, as pairs of case and character; all arguments if empty.
    pub against: Vec<(String, String)>,
    /// Only those with at least three uses, as of the last nightly job.
    pub featured: bool,
    /// Those that were never used, instead of those that were.
    pub untried: bool,
    /// Only what comes after this place.
    pub after: Option<Place>,
    pub limit: usize,
    /// The account that looks: it is shown the words it owns.
    pub viewer: Option<AccountId>,
}

/// What is known of an argument against one character.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    /// How often it was used.
    pub uses: i64,
    /// In how many uses it did at least half of what one can.
    pub worked: i64,
    /// In ten-thousandths, like every field that ends in `_e4`.
    pub effectiveness_e4: i64,
    /// The ends of the interval around the share of uses that worked.
    pub low_e4: i64,
    pub high_e4: i64,
    /// The change per use.
    pub decay_slope_e4: i64,
    /// The whole change over the recent uses.
    pub recent_change_e4: i64,
    /// How many uses these are: at most five.
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
    /// How many of the house's hearers a use brought over to its speaker's side, on average and in hundredths; none until a use's lift is
    /// known.
    pub lift: Option<i64>,
}

pub(crate) const FIGURES: &str = "s.uses, s.effectiveness_e4, s.worked, s.sold, s.decay_slope_e4, s.recent_change_e4, s.recent_uses, \
    s.last_used_at, s.landed_ago, s.trap_lands, s.trap_triggers, s.avg_jury_shift, s.total_ia_won, \
    cast(round(1.0 * s.lift_sum / nullif(s.lifted, 0)) as integer)";
/// The number of columns in [`FIGURES`].
pub(crate) const FIGURES_LEN: usize = 14;

impl Figures {
    pub(crate) fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        let (uses, worked): (i64, i64) = (row.get(0)?, row.get(2)?);
        let (low, high) = interval(worked as u64, uses as u64);
        Ok(Figures {
            uses,
            worked,
            effectiveness_e4: row.get(1)?,
            low_e4: low.0,
            high_e4: high.0,
            decay_slope_e4: row.get(4)?,
            recent_change_e4: row.get(5)?,
            recent_uses: row.get(6)?,
            last_used_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
            landed_ago: row.get(8)?,
            trap_lands: row.get(9)?,
            trap_triggers: row.get(10)?,
            avg_jury_shift: row.get(11)?,
            total_ia_won: row.get(12)?,
            lift: row.get(13)?,
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
}

/// An argument on the market.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// Where it stands in the order of its page.
    pub place: Place,
    pub arg_hash: String,
    /// What it is about.
    pub label: String,
    pub case_id: String,
    pub target_character: String,
    /// Its author's name, if the account still exists.
    pub author: Option<String>,
    /// Since when it is listed.
    pub listed_at: Timestamp,
    pub figures: Figures,
    /// Whether the viewer wrote it.
    pub own: bool,
    /// The holder of its title, if it was taken.
    pub champion: Option<Champion>,
    /// What its words cost.
    pub price: u64,
    /// The first words of them.
    pub preview: Option<String>,
    /// The language of its words, as far as their letters tell.
    pub written_in: Option<Lang>,
    /// The words, if the viewer owns them.
    pub text: Option<String>,
}

pub fn page(db: &Db, wanted: &Wanted) -> Result<Vec<Listed>, StoreError> {
    if wanted.against.is_empty() {
        return walk(db, wanted, None);
    }
    // One short walk along the index for each character, then the first of all that were found.
    let mut found = Vec::new();
    for (case, character) in &wanted.against {
        found.extend(walk(db, wanted, Some((case, character)))?);
    }
    found.sort_by_key(|listed| listed.place);
    if wanted.descending {
        found.reverse();
    }
    found.truncate(wanted.limit);
    Ok(found)
}

/// Walks along one index: first the remaining rows with the same value as the last row of the previous page, then those beyond it. Asked
/// for both at once, SQLite would step through every row with that value, and most rows share one: they were never used.
fn walk(db: &Db, wanted: &Wanted, against: Option<(&String, &String)>) -> Result<Vec<Listed>, StoreError> {
    let edge = if wanted.descending { i64::MAX } else { i64::MIN };
    let after = wanted.after.unwrap_or(Place { value: edge, n: edge });
    let viewer = wanted.viewer.map(|viewer| viewer.0);
    let (case, character) = against.unzip();
    let mut found = Vec::new();
    for part in [Part::Same, Part::Beyond] {
        let left = (wanted.limit - found.len()) as i64;
        if left == 0 || part == Part::Same && wanted.after.is_none() {
            continue;
        }
        let sql = statement(wanted, against.is_some(), part);
        let mut query = db.prepare_cached(&sql)?;
        let section = if wanted.untried { Section::NeverTried } else { Section::Tried };
        let values = params![after.value, after.n, case, character, viewer, left, section.number()];
        let rows = query.query_map(values, |row| Listed::read(row, db.terms()))?;
        for row in rows {
            found.push(row?);
        }
    }
    Ok(found)
}

/// Which part of the walk along an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Those with the same value.
    Same,
    /// Those with a later value.
    Beyond,
}

fn statement(wanted: &Wanted, against: bool, part: Part) -> String {
    let Wanted { sort, descending, featured, .. } = *wanted;
    let column = sort.column();
    let (compared, order) = if descending { ("<", "desc") } else { (">", "asc") };
    // Named, so that SQLite chooses no other index: some contain everything that was ever said.
    let index = match (against, featured) {
        (true, _) => format!("market_at_{}", sort.index()),
        (false, true) => "market_featured".to_owned(),
        (false, false) => format!("market_by_{}", sort.index()),
    };
    let against = if against { "and s.case_id = ?3 and s.target_character = ?4" } else { "" };
    let featured = if featured { "and s.recent_uses >= 3" } else { "" };
    let (after, order) = match part {
        Part::Same => (format!("{column} = ?1 and s.n {compared} ?2"), format!("s.n {order}")),
        Part::Beyond => (format!("{column} {compared} ?1"), format!("{column} {order}, s.n {order}")),
    };
    format!(
        "select {FIGURES}, {column}, s.n, s.arg_hash, a.label, s.case_id, s.target_character, u.username, s.listed_at,
             coalesce(a.author = ?5, 0), case when exists (select 1 from words_owned w where w.account = ?5 and w.argument = a.n) then a.text end,
             t.lineage is not null, c.username, {WRITTEN_IN}, substr(a.text, 1, {PREVIEW_FROM_MAX}), length(a.text)
         from argument_stats s indexed by {index} cross join arguments a on a.n = s.argument
         left join accounts u on u.id = a.author and u.deleted_at is null
         left join thrones t on t.case_id = s.case_id and t.character_id = s.target_character and t.asset_type = 'attack'
             and t.lineage = a.lineage
         left join accounts c on c.id = t.champion and c.deleted_at is null
         where s.section = ?7 and s.section > 0 {featured} {against} and {after} order by {order} limit ?6"
    )
}

impl Listed {
    fn read(row: &SqlRow<'_>, terms: &Terms) -> rusqlite::Result<Self> {
        let at = |column: usize| FIGURES_LEN + column;
        let figures = Figures::read(row)?;
        Ok(Listed {
            price: text_price(terms, figures.effectiveness_e4, figures.uses),
            preview: read_preview(row, at(13))?,
            figures,
            place: Place { value: row.get(at(0))?, n: row.get(at(1))? },
            arg_hash: row.get(at(2))?,
            label: row.get(at(3))?,
            case_id: row.get(at(4))?,
            target_character: row.get(at(5))?,
            author: row.get(at(6))?,
            listed_at: Timestamp(row.get(at(7))?),
            own: row.get(at(8))?,
            text: row.get(at(9))?,
            champion: Champion::read(row, at(10), at(11))?,
            written_in: read_language(row, at(12))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{in_memory, plan};

    #[test]
    fn every_order_of_the_market_is_read_from_an_index() {
        let db = in_memory();
        let ways = [(true, false), (false, false), (true, true), (false, true)];
        let orders = Sort::ALL.into_iter().flat_map(|sort| ways.map(|(down, against)| (sort, down, against, false)));
        for (sort, descending, against, featured) in orders.chain([(Sort::Rank, true, false, true)]) {
            for part in [Part::Same, Part::Beyond] {
                let wanted = Wanted {
                    sort,
                    descending,
                    against: vec![],
                    featured,
                    untried: false,
                    after: None,
                    limit: 1,
                    viewer: None,
                };
                let plan = plan(&db, &statement(&wanted, against, part));
                let what = format!("{sort:?} {descending} {against} {featured} {part:?}: {plan:#?}");
                let index = if featured { "market_featured" } else { "market_" };
                assert!(plan[0].starts_with(&format!("SEARCH s USING INDEX {index}")), "{what}");
                assert_eq!(plan[0].contains("case_id=? AND target_character=?"), against, "{what}");
                // Where the walk begins is found in the index too, not walked to.
                let column = sort.column().trim_start_matches("s.");
                let compared = if descending { "<?" } else { ">?" };
                let begins = match part {
                    Part::Same => format!("{column}=? AND n{compared}"),
                    Part::Beyond => format!("{column}{compared}"),
                };
                assert!(plan[0].contains(&begins), "{what}");
                let walked = |line: &String| line.contains("TEMP B-TREE") || line.starts_with("SCAN");
                assert!(!plan.iter().any(walked), "{what}");
                // A title is looked up by its whole key: a case may have as many titles as arguments.
                let title = "SEARCH t USING PRIMARY KEY (case_id=? AND character_id=? AND asset_type=? AND lineage=?)";
                assert!(plan.iter().any(|line| line.starts_with(title)), "{what}");
            }
        }
    }
}
