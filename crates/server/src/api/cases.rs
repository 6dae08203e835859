//! The archive of a case for programs: everything tried and given in it, with prices; the words only of what the caller owns.

use super::games::number;
use super::market::{thousandths, with_figures};
use crate::corpus::dockets::{case, character};
use crate::http::auth::Caller;
use crate::http::extract::{Query, cut, game_id};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use engine::facts::Manner;
use engine::id::AccountId;
use engine::roster::Lang;
use serde::Deserialize;
use serde_json::{Value, json};
use store::corpus::cases::{self, Champion, Done, Kept, Side, Sort, Wanted, Within};
use store::corpus::market::Place;

/// Most rows on one page.
pub const PAGE_MAX: usize = 100;
/// How many if no limit is given.
const PAGE: usize = 50;
/// How many attacks are called the best of a case.
const KILLERS: usize = 3;
/// How many are considered in each of two orders.
const KILLERS_AMONG: usize = 50;

/// Which page of which case's archive.
#[derive(Deserialize, Default, Clone, Debug)]
pub struct ArchiveQuery {
    pub case_id: Option<String>,
    /// Only against or by this character.
    pub character_id: Option<String>,
    pub side: Option<String>,
    /// One of the orders.
    pub sort: Option<String>,
    pub order: Option<String>,
    /// The `next` of an answer.
    pub cursor: Option<String>,
    pub limit: Option<String>,
    /// `true`: without what the caller has used.
    pub exclude_used: Option<String>,
    /// In which trial; in any if not given.
    pub game_id: Option<String>,
}

/// A page of a case's archive.
pub struct Page {
    pub kept: Vec<Kept>,
    pub side: Side,
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

impl Page {
    pub fn empty() -> Self {
        Page { kept: vec![], side: Side::Attack, sort: Sort::Rank, descending: true, next: None }
    }
}

/// Every attack tried in a case and every defense given, over all plays, with how they have done and what their words cost. Only what
/// you own has its `text`.
#[utoipa::path(get, path = "/api/argument-archive", tag = "economy",
    params(("case_id" = String, Query, description = "Such as `john_law`"),
        ("character_id" = Option<String>, Query, description = "Only against or by this character"),
        ("side" = Option<String>, Query, description = "`attack` or `defense`"),
        ("sort" = Option<String>, Query, description = "`rank` (the lower end of the interval), `effectiveness`, `recency`, `ia` (attacks), `conversion` or `author`"),
        ("order" = Option<String>, Query, description = "`desc` or `asc`; names usually ascend, everything else descends"),
        ("exclude_used" = Option<bool>, Query, description = "`true`: without what you have used, or a near-duplicate of it"),
        ("game_id" = Option<String>, Query, description = "With `exclude_used`: only what you have used in this trial"),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
        ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{case_id, side, sort, order, items: [{hash, label, case_id, character_id, author, listed, champion, price, preview, owned, text, uses, effectiveness, …}], next}`; attacks have the figures of the market, defenses `uses`, `proved`, `low`, `high`, `last_used_at` and `mode` (`prove`, `withdraw` or `defend`); `price` and `preview` are null if the words are not for sale: they were tried in too few trials where it counts and not put up, or moved nobody; `champion` is null while nobody has taken the title, and `house` if the house has"),
        (status = 400), (status = 401, description = "`exclude_used` without an account")))]
pub async fn archive(
    State(house): State<House>,
    caller: Caller,
    Query(query): Query<ArchiveQuery>,
) -> Answer<axum::Json<Value>> {
    let used = query.exclude_used.as_deref();
    if !matches!(used, None | Some("" | "false" | "0")) {
        caller.account()?;
    }
    let page = page(&house, &query, caller.account_id(), PAGE).await?;
    let case_id = query.case_id.as_deref().unwrap_or_default();
    let items: Vec<Value> = page.kept.iter().map(|kept| told(kept, case_id)).collect();
    Ok(axum::Json(json!({
        "case_id": case_id, "side": page.side.word(), "sort": page.sort.word(),
        "order": if page.descending { "desc" } else { "asc" }, "items": items, "next": page.next,
    })))
}

/// The page that a query asks for: the same for the API and the pages.
pub async fn page(house: &House, query: &ArchiveQuery, viewer: Option<AccountId>, usual: usize) -> Answer<Page> {
    let mut wanted = wanted(query, viewer, usual)?;
    let limit = wanted.limit;
    wanted.limit += 1;
    let (side, sort, descending) = (wanted.side, wanted.sort, wanted.descending);
    let mut kept = house.store.read(move |db| cases::page(db, &wanted)).await?;
    let more = kept.len() > limit;
    kept.truncate(limit);
    let next = kept.last().filter(|_| more).map(|last| cursor_after(last.place, side, sort, descending));
    Ok(Page { kept, side, sort, descending, next })
}

/// The best attacks of a case, among those that achieved something.
pub async fn killers(
    house: &House,
    case_id: &str,
    character: Option<String>,
    viewer: Option<AccountId>,
) -> Answer<Vec<Kept>> {
    let query = ArchiveQuery { case_id: Some(case_id.to_owned()), character_id: character, ..ArchiveQuery::default() };
    let wanted = Wanted { achieved: true, ..wanted(&query, viewer, KILLERS_AMONG)? };
    // Before the first nightly run all are equally effective: so those that won most are considered too.
    let richest = Wanted { sort: Sort::Ia, ..wanted.clone() };
    let (mut best, richest) =
        house.store.read(move |db| Ok((cases::page(db, &wanted)?, cases::page(db, &richest)?))).await?;
    best.extend(richest);
    best.sort_by(|one, other| {
        (other.done.worth(), &other.hash, &other.character).cmp(&(one.done.worth(), &one.hash, &one.character))
    });
    best.dedup_by(|one, other| (&one.hash, &one.character) == (&other.hash, &other.character));
    best.truncate(KILLERS);
    Ok(best)
}

fn wanted(query: &ArchiveQuery, viewer: Option<AccountId>, usual: usize) -> Answer<Wanted> {
    let wrong = |detail: String| Problem::bad("INVALID_QUERY", detail);
    let case_id = query.case_id.as_deref().unwrap_or_default();
    let known = case(Lang::En, case_id)
        .ok_or_else(|| wrong(format!("\"case_id\" must be a case of the Tribunal, not {:?}.", cut(case_id))))?;
    let character = query.character_id.as_deref();
    if let Some(id) = character.filter(|id| self::character(Lang::En, case_id, id).is_none()) {
        return Err(wrong(format!("\"character_id\" is wrong: there is no {:?} in this case.", cut(id))));
    }
    let side = query.side.as_deref().map_or(Some(Side::Attack), Side::named);
    let side = side.ok_or_else(|| wrong("\"side\" must be attack or defense.".into()))?;
    let sort = query.sort.as_deref().map_or(Some(Sort::Rank), Sort::named);
    let words: Vec<&str> = Sort::ALL.into_iter().filter(|sort| sort.fits(side)).map(Sort::word).collect();
    let sort = sort.filter(|sort| sort.fits(side));
    let sort = sort.ok_or_else(|| wrong(format!("\"sort\" must be one of: {}.", words.join(", "))))?;
    let descending = match query.order.as_deref() {
        None => sort.usually_descends(),
        Some("desc") => true,
        Some("asc") => false,
        Some(_) => return Err(wrong("\"order\" must be desc or asc.".into())),
    };
    let unused = match query.exclude_used.as_deref() {
        None | Some("" | "false" | "0") => None,
        Some("true" | "1") => Some(match &query.game_id {
            Some(id) => Within::Game(game_id(id)?),
            None => Within::Ever,
        }),
        Some(_) => return Err(wrong("\"exclude_used\" must be true or false.".into())),
    };
    let after = query.cursor.as_deref().map(|cursor| read_cursor(cursor, side, sort, descending));
    let after = after.transpose().map_err(|()| wrong("\"cursor\" must be the \"next\" of an answer.".into()))?;
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(usual);
    Ok(Wanted {
        case_id: known.case_id.clone(),
        character: character.map(str::to_owned),
        side,
        sort,
        descending,
        after,
        limit,
        viewer,
        unused,
        achieved: false,
    })
}

fn cursor_after(place: Place, side: Side, sort: Sort, descending: bool) -> String {
    let order = if descending { "desc" } else { "asc" };
    format!("{}.{}.{order}.{}.{}", side.word(), sort.word(), place.value, place.n)
}

fn read_cursor(text: &str, side: Side, sort: Sort, descending: bool) -> Result<Place, ()> {
    let parts: Vec<&str> = text.split('.').collect();
    let [half, by, order, value, n] = parts[..] else { return Err(()) };
    if half != side.word() || by != sort.word() || (order == "desc") != descending {
        return Err(());
    }
    Ok(Place { value: value.parse().map_err(drop)?, n: n.parse().map_err(drop)? })
}

fn told(kept: &Kept, case_id: &str) -> Value {
    let champion = kept.champion.as_ref().map(Champion::word);
    let told = json!({
        "hash": kept.hash, "label": kept.label, "case_id": case_id, "character_id": kept.character,
        "author": kept.author, "listed": kept.listed, "champion": champion, "price": kept.price,
        "preview": kept.preview, "owned": kept.text.is_some(), "text": kept.text,
    });
    with_done(told, &kept.done)
}

/// Adds how an attack or defense has done to what is told about it.
pub(super) fn with_done(told: Value, done: &Done) -> Value {
    match done {
        Done::Attack(figures) => with_figures(told, figures),
        Done::Defense { uses, proved, effectiveness_e4, used_at, mode } => {
            let mut told = told;
            told["uses"] = json!(uses);
            told["proved"] = json!(proved);
            let (low, high) = done.interval();
            told["effectiveness"] = json!(thousandths(*effectiveness_e4));
            told["low"] = json!(thousandths(low.0));
            told["high"] = json!(thousandths(high.0));
            told["last_used_at"] = json!(used_at.to_string());
            told["mode"] = json!(mode.map(Manner::word));
            told
        }
    }
}
