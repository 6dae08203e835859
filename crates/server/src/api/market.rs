//! The market: listed arguments, listing your own, your arguments, and the moderators' queue.

use super::cases::with_done;
use super::games::number;
use super::minds::moderator;
use crate::corpus::dockets::{case, character};
use crate::corpus::screening;
use crate::http::auth::Caller;
use crate::http::extract::{Json, Language, Path, Query, cut};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use commons::corpus::hash::ArgHash;
use commons::corpus::label::{self, LABEL_LEN_MAX, LabelRefusal};
use commons::corpus::lesson::Text;
use commons::corpus::moderation::Decision;
use commons::corpus::moderation::{Reason, Screened};
use commons::corpus::novelty::Freshness;
use commons::ledger::selling::TooMany;
use engine::facts::Side;
use engine::id::AccountId;
use engine::parts::text;
use engine::roster::Lang;
use games::tribunal::docket::{Case, Character, docket};
use games::tribunal::{is_house_line, makes_a_point};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use store::corpus::cases::Champion;
use store::corpus::listings::{self, NotPut, Offer, Own, Put, State as Stands};
use store::corpus::market::{self, Figures, Listed, Place, Sort, Wanted};
use store::corpus::moderation::{self, Decided, Flagged};
use utoipa::ToSchema;

/// Most arguments on one page.
pub const PAGE_MAX: usize = 100;
/// How many if no limit is given.
const PAGE: usize = 50;
/// Most characters of a text that are read at all; moderation asks for far fewer.
const TEXT_LEN_READ_MAX: usize = 20_000;
/// Longest note of a moderator.
const NOTE_LEN_MAX: usize = 500;

/// Which page of the market.
#[derive(Deserialize, Default, Clone, Debug)]
pub struct MarketQuery {
    pub action: Option<String>,
    /// Only in this case.
    pub case_id: Option<String>,
    /// Only against this character.
    pub character_id: Option<String>,
    /// One of the orders.
    pub sort: Option<String>,
    pub order: Option<String>,
    /// The `next` of an answer.
    pub cursor: Option<String>,
    pub limit: Option<String>,
}

/// What a page of the market shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// What was used where it counts.
    Tried,
    /// Only what was used a few times.
    Featured,
    /// What was put up and never used where it counts.
    Untried,
}

impl Shown {
    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Shown::Tried => "browse",
            Shown::Featured => "featured",
            Shown::Untried => "untried",
        }
    }
}

/// A page of the market.
pub struct Page {
    pub listed: Vec<Listed>,
    pub shown: Shown,
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// Arguments that their authors have listed, with how they have done and what their words cost. The words are shown to accounts that own
/// them.
#[utoipa::path(get, path = "/api/marketplace", tag = "corpus",
    params(("action" = Option<String>, Query, description = "`browse`: what was used where it counts; `featured`: the highest ranked with at least three uses; `untried`: what was put up and never used"),
        ("case_id" = Option<String>, Query, description = "Only in this case"),
        ("character_id" = Option<String>, Query, description = "Only against this character"),
        ("sort" = Option<String>, Query, description = "`rank` (the lower end of the interval, the usual order), `effectiveness`, `recency`, `uses`, `ia`, `lands` or `newest` (the usual order of `untried`)"),
        ("order" = Option<String>, Query, description = "`desc` or `asc`"),
        ("cursor" = Option<String>, Query, description = "The `next` of the page before"),
        ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{action, sort, order, items: [{arg_hash, label, case_id, target_character, author, uses, worked, effectiveness, low, high, decay_slope, recent_change, recent_uses, last_used_at, landed_ago, trap_lands, trap_triggers, avg_jury_shift, total_ia_won, lift, freshness, listed_at, champion, price, preview, owned}], next}`; `worked` of `uses` did at least half of what a use can do, and `low` and `high` are the ends of the interval around that share; `preview` is the first words; what you own has its `text`; `champion` is null while nobody has taken the title, and `house` if the house has"), (status = 400)))]
pub async fn browse(
    State(house): State<House>,
    caller: Caller,
    Query(query): Query<MarketQuery>,
) -> Answer<axum::Json<Value>> {
    let page = page(&house, &query, caller.account_id(), PAGE).await?;
    let items: Vec<Value> = page.listed.iter().map(told).collect();
    Ok(axum::Json(json!({
        "action": page.shown.word(), "sort": page.sort.word(),
        "order": if page.descending { "desc" } else { "asc" }, "items": items, "next": page.next,
    })))
}

/// The page that a query asks for.
pub async fn page(house: &House, query: &MarketQuery, viewer: Option<AccountId>, usual: usize) -> Answer<Page> {
    let wrong = |detail: String| Problem::bad("INVALID_QUERY", detail);
    let shown = match query.action.as_deref() {
        None | Some("browse") => Shown::Tried,
        Some("featured") => Shown::Featured,
        Some("untried") => Shown::Untried,
        Some(other) => {
            let detail = format!("\"action\" must be browse, featured or untried, not {:?}.", cut(other));
            return Err(wrong(detail));
        }
    };
    // Nothing that was never tried ranks before anything else of its kind.
    let usual_sort = if shown == Shown::Untried { Sort::Newest } else { Sort::Rank };
    let words = Sort::ALL.map(Sort::word).join(", ");
    let sort = query.sort.as_deref().map_or(Some(usual_sort), Sort::named);
    let sort = sort.ok_or_else(|| wrong(format!("\"sort\" must be one of: {words}.")))?;
    let descending = match query.order.as_deref() {
        None | Some("desc") => true,
        Some("asc") => false,
        Some(_) => return Err(wrong("\"order\" must be desc or asc.".into())),
    };
    if shown == Shown::Featured && (sort, descending) != (Sort::Rank, true) {
        return Err(wrong("What is featured is sorted by rank, the best first.".into()));
    }
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(usual);
    let after = query.cursor.as_deref().map(|cursor| read_cursor(cursor, sort, descending));
    let after = after.transpose().map_err(|()| wrong("\"cursor\" must be the \"next\" of an answer.".into()))?;
    let against = against(query.case_id.as_deref(), query.character_id.as_deref())?;
    let (featured, untried) = (shown == Shown::Featured, shown == Shown::Untried);
    let wanted = Wanted { sort, descending, against, featured, untried, after, limit: limit + 1, viewer };
    let mut listed = house.store.read(move |db| market::page(db, &wanted)).await?;
    let more = listed.len() > limit;
    listed.truncate(limit);
    let next = listed.last().filter(|_| more).map(|last| cursor_after(last.place, sort, descending));
    Ok(Page { listed, shown, sort, descending, next })
}

fn cursor_after(place: Place, sort: Sort, descending: bool) -> String {
    format!("{}.{}.{}.{}", sort.word(), if descending { "desc" } else { "asc" }, place.value, place.n)
}

fn read_cursor(text: &str, sort: Sort, descending: bool) -> Result<Place, ()> {
    let parts: Vec<&str> = text.split('.').collect();
    let [by, order, value, n] = parts[..] else { return Err(()) };
    if by != sort.word() || (order == "desc") != descending {
        return Err(());
    }
    Ok(Place { value: value.parse().map_err(drop)?, n: n.parse().map_err(drop)? })
}

/// The characters that are asked for, each with its case; none means all of them.
fn against(case_id: Option<&str>, character_id: Option<&str>) -> Answer<Vec<(String, String)>> {
    let unknown = |what: &str, id: &str| {
        Problem::bad("INVALID_QUERY", format!("\"{what}\" is wrong: there is no {:?} in any case.", cut(id)))
    };
    let chosen: Vec<&Arc<Case>> = match case_id {
        None => docket().cases(Lang::En).iter().chain(docket().cases(Lang::Ko)).collect(),
        Some(id) => vec![case(Lang::En, id).ok_or_else(|| unknown("case_id", id))?],
    };
    if case_id.is_none() && character_id.is_none() {
        return Ok(vec![]);
    }
    let fits = |one: &&Character| character_id.is_none_or(|id| one.id == id);
    let pairs = chosen
        .iter()
        .flat_map(|case| case.characters.iter().filter(fits).map(|one| (case.case_id.clone(), one.id.clone())));
    let mut pairs: Vec<(String, String)> = pairs.collect();
    pairs.sort();
    pairs.dedup();
    match character_id {
        Some(id) if pairs.is_empty() => Err(unknown("character_id", id)),
        Some(_) | None => Ok(pairs),
    }
}

/// Ten-thousandths, rounded to a number with three decimals.
pub fn thousandths(e4: i64) -> f64 {
    (e4 as f64 / 10.0).round() / 1000.0
}

fn told(listed: &Listed) -> Value {
    let mut told = json!({
        "arg_hash": listed.arg_hash, "label": listed.label, "case_id": listed.case_id,
        "target_character": listed.target_character, "author": listed.author, "listed_at": listed.listed_at.to_string(),
        "champion": listed.champion.as_ref().map(Champion::word), "price": listed.price, "preview": listed.preview, "owned": listed.text.is_some(),
    });
    if let Some(text) = &listed.text {
        told["text"] = json!(text);
    }
    with_figures(told, &listed.figures)
}

/// Adds how an argument has done to what is told about it.
pub(super) fn with_figures(mut told: Value, figures: &Figures) -> Value {
    let done = json!({
        "uses": figures.uses, "worked": figures.worked, "effectiveness": thousandths(figures.effectiveness_e4), "low": thousandths(figures.low_e4),
        "high": thousandths(figures.high_e4), "decay_slope": thousandths(figures.decay_slope_e4),
        "recent_change": thousandths(figures.recent_change_e4), "recent_uses": figures.recent_uses,
        "last_used_at": figures.last_used_at.map(|at| at.to_string()), "landed_ago": figures.landed_ago,
        "trap_lands": figures.trap_lands, "trap_triggers": figures.trap_triggers,
        "avg_jury_shift": figures.avg_jury_shift, "total_ia_won": figures.total_ia_won, "lift": figures.lift,
        "freshness": freshness(figures.pill().freshness),
    });
    if let (Value::Object(told), Value::Object(done)) = (&mut told, done) {
        told.extend(done);
    }
    told
}

fn freshness(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::NeverUsed => "never_used",
        Freshness::NeverReused => "never_reused",
        Freshness::LastLanded { .. } => "last_landed",
        Freshness::NeverLanded => "never_landed",
    }
}

/// An argument to put up or to take back.
#[derive(Deserialize, ToSchema, Default)]
pub struct Listing {
    /// Its words; needed unless `arg_hash` is given.
    #[serde(default)]
    pub text: Option<String>,
    /// Its hash, if it is yours already.
    #[serde(default)]
    pub arg_hash: Option<String>,
    /// In which case of the Tribunal.
    pub case_id: String,
    /// The id of the character it was made against.
    pub character_id: String,
    /// What it is about, in up to 48 characters that do not quote it.
    #[serde(default)]
    pub label: Option<String>,
}

#[derive(Deserialize)]
pub struct Action {
    action: Option<String>,
}

/// Put an argument of your own up on the market, or take it back.
#[utoipa::path(post, path = "/api/marketplace", tag = "corpus", request_body = Listing,
    params(("action" = String, Query, description = "`list` or `unlist`")),
    responses((status = 201, description = "`{arg_hash, case_id, character_id, label, state, reasons, variant_of}`: it is listed"), (status = 200, description = "The same: it was before, or is taken back"),
        (status = 202, description = "The same: a moderator looks at it first, and `reasons` say why"), (status = 400, description = "`reasons` say why"), (status = 403, description = "Somebody else's"), (status = 404), (status = 409, description = "A moderator has rejected it")))]
pub async fn offer(
    State(house): State<House>,
    caller: Caller,
    Language(lang): Language,
    Query(query): Query<Action>,
    Json(body): Json<Listing>,
) -> Answer<Response> {
    let account = caller.account()?.id;
    let answer = |hash: ArgHash, state: Stands, put: Option<&Put>| {
        let reasons = put.map(|put| sentences(&put.reasons, lang)).unwrap_or_default();
        axum::Json(json!({
            "arg_hash": hash, "case_id": body.case_id, "character_id": body.character_id, "state": state.word(),
            "label": put.map(|put| &put.label), "reasons": reasons, "variant_of": put.and_then(|put| put.variant_of.as_ref()),
        }))
    };
    match query.action.as_deref() {
        Some("list") => {
            let (hash, put) = list(&house, account, &body, lang).await?;
            let status = match (put.state, put.before) {
                (Stands::Waiting, _) => StatusCode::ACCEPTED,
                (_, true) => StatusCode::OK,
                (_, false) => StatusCode::CREATED,
            };
            Ok((status, answer(hash, put.state, Some(&put))).into_response())
        }
        Some("unlist") => {
            let hash = unlist(&house, account, &body).await?;
            Ok(answer(hash, Stands::Unlisted, None).into_response())
        }
        Some(_) | None => Err(Problem::bad("INVALID_QUERY", "\"action\" must be list or unlist.")),
    }
}

/// Puts an argument up: the same for the API and the page.
pub async fn list(house: &House, account: AccountId, body: &Listing, lang: Lang) -> Answer<(ArgHash, Put)> {
    let target = charged(body, lang)?;
    let words = words(house, account, body).await?;
    // Words of a case file are the house's, no matter who sends them.
    if is_house_line(&words.text) {
        return Err(not_put(NotPut::SomebodyElses));
    }
    let verdict = words.moderated.as_ref();
    let unfit: Vec<Reason> = verdict
        .map(|verdict| verdict.reasons.iter().filter(|reason| reason.is_about_length()).cloned().collect())
        .unwrap_or_default();
    if !unfit.is_empty() {
        return Err(unfit_problem("UNFIT_TEXT", None, &unfit, lang));
    }
    let given = body.label.as_deref().map(str::trim).filter(|label| !label.is_empty());
    let label =
        given.map(|label| text::checked_line("label", label, 1..=LABEL_LEN_MAX).map_err(invalid)).transpose()?;
    if let Some(label) = &label {
        label::check(label, &words.text).map_err(|wrong| match &wrong {
            LabelRefusal::Flagged { reasons } => unfit_problem("UNFIT_LABEL", Some(&wrong), reasons, lang),
            LabelRefusal::Length { .. } | LabelRefusal::Quotes { .. } => {
                unfit_problem("UNFIT_LABEL", Some(&wrong), &[], lang)
            }
        })?;
    }
    let hash = words.hash;
    let (case_id, character_id) = (body.case_id.clone(), body.character_id.clone());
    let known = house.store.read(move |db| listings::known(db, &hash.to_string(), &case_id, &character_id)).await?;
    let (side, used_here) = known.unwrap_or((Side::Attack, false));
    let screened = match used_here || makes_a_point(&body.case_id, &body.character_id, side, &words.text) {
        true => screening::screened(house, &words, label.as_deref()).await,
        // Words that may be read already are not taken out of the archive because they do not fit another case.
        false if known.is_some() => return Err(unfit_problem("UNFIT_TEXT", None, &[Reason::Unheard], lang)),
        false => Screened::Flagged(vec![Reason::Unheard]),
    };
    let offer = Offer {
        account,
        text: words,
        case_id: body.case_id.clone(),
        character: body.character_id.clone(),
        label,
        usual_label: usual_label(lang, &target.name),
        screened,
        at: house.now(),
    };
    let put = house.store.write(move |db| listings::put(db, &offer)).await?;
    put.map(|put| (hash, put)).map_err(not_put)
}

fn unfit_problem(code: &'static str, wrong: Option<&LabelRefusal>, reasons: &[Reason], lang: Lang) -> Problem {
    let field = if code == "UNFIT_LABEL" { "label" } else { "text" };
    let why = reasons.iter().map(|reason| reason.sentence(lang));
    let told: Vec<String> = wrong.map(ToString::to_string).into_iter().chain(why).collect();
    let detail = format!("The field \"{field}\" will not do. {}", told.join(" "));
    Problem::bad(code, detail).with("reasons", sentences(reasons, lang))
}

/// Reasons with their codes and sentences.
pub fn sentences(reasons: &[Reason], lang: Lang) -> Vec<Value> {
    reasons.iter().map(|reason| json!({"code": reason.code(), "sentence": reason.sentence(lang)})).collect()
}

fn not_put(refusal: NotPut) -> Problem {
    match refusal {
        NotPut::SomebodyElses => Problem::new(
            StatusCode::FORBIDDEN,
            "NOT_YOUR_ARGUMENT",
            "Most of this was said before by the house or another player; only what is your own can be listed.",
        ),
        NotPut::Defense => {
            Problem::bad("NOT_AN_ATTACK", "This was reported as a defense and has no author, so it cannot be listed.")
        }
        NotPut::Removed => Problem::new(
            StatusCode::CONFLICT,
            "ARGUMENT_REMOVED",
            "These words were removed with the game they were said in, and cannot be listed.",
        ),
        NotPut::Rejected(note) => {
            let why = if note.is_empty() { String::new() } else { format!(": {note}") };
            let detail = format!("A moderator has rejected this argument{why}");
            Problem::new(StatusCode::CONFLICT, "ARGUMENT_REJECTED", format!("{}.", detail.trim_end_matches('.')))
                .with("note", note)
        }
        NotPut::TooMany(many) => Problem::bad(
            "TOO_MANY_LISTINGS",
            match many {
                TooMany::Today(most) => {
                    format!("You have put up {most} arguments today, which is as many as a day allows; go on tomorrow.")
                }
                TooMany::Unproved(most) => format!(
                    "You have {most} arguments on the market and none of yours has moved a juror yet; take one back, or use one in a trial first."
                ),
                TooMany::InAll(most) => format!("You have {most} arguments on the market; take one back first."),
            },
        ),
    }
}

fn invalid(detail: String) -> Problem {
    Problem::bad("INVALID_BODY", detail)
}

fn charged(body: &Listing, lang: Lang) -> Answer<&'static Character> {
    let unknown = |code, field: &str, id: &str, where_: &str| {
        Problem::bad(code, format!("The field \"{field}\" is wrong: there is no {:?} {where_}.", cut(id)))
    };
    case(lang, &body.case_id).ok_or_else(|| unknown("UNKNOWN_CASE", "case_id", &body.case_id, "in the Tribunal"))?;
    character(lang, &body.case_id, &body.character_id)
        .ok_or_else(|| unknown("UNKNOWN_TARGET", "character_id", &body.character_id, "in this case"))
}

/// The label of an argument that its author has not labelled.
pub fn usual_label(lang: Lang, name: &str) -> String {
    let label = match lang {
        Lang::En => format!("an argument against {name}"),
        Lang::Ko => format!("{name}에 대한 논거"),
    };
    label.chars().take(LABEL_LEN_MAX).collect()
}

/// The words in the body, or the account's own words of that hash.
async fn words(house: &House, account: AccountId, body: &Listing) -> Answer<Text> {
    let named = body.arg_hash.as_deref().map(hash).transpose()?;
    let given = match (&body.text, named) {
        (Some(given), _) => text::checked("text", given, 1..=TEXT_LEN_READ_MAX).map_err(invalid)?,
        (None, Some(named)) => {
            let own = house.store.read(move |db| listings::own_words(db, account, &named.to_string())).await?;
            own.ok_or_else(not_found)?
        }
        (None, None) => {
            return Err(invalid("Give the argument's words in \"text\", or its name in \"arg_hash\".".into()));
        }
    };
    let words = Text::of(&given).ok_or_else(|| invalid("The field \"text\" has no words.".into()))?;
    match named {
        Some(named) if named != words.hash => {
            let detail = format!("\"arg_hash\" is not the hash of \"text\"; that would be {}.", words.hash);
            Err(Problem::bad("HASH_MISMATCH", detail))
        }
        Some(_) | None => Ok(words),
    }
}

fn hash(text: &str) -> Answer<ArgHash> {
    text.parse().map_err(|wrong| invalid(format!("The field \"arg_hash\" is wrong. {wrong}")))
}

fn not_found() -> Problem {
    Problem::not_found("ARGUMENT_NOT_FOUND", "You have no such argument.")
}

/// Takes an argument back: the same for the API and the page.
pub async fn unlist(house: &House, account: AccountId, body: &Listing) -> Answer<ArgHash> {
    let named = match (&body.arg_hash, &body.text) {
        (Some(named), _) => hash(named)?,
        (None, Some(text)) => ArgHash::of(text).map_err(|wrong| invalid(wrong.to_string()))?,
        (None, None) => return Err(invalid("Give the argument's name in \"arg_hash\".".into())),
    };
    let (case, character) = (body.case_id.clone(), body.character_id.clone());
    let taken_back =
        house.store.write(move |db| listings::take_back(db, account, &named.to_string(), &case, &character)).await?;
    if taken_back { Ok(named) } else { Err(not_found()) }
}

#[derive(Deserialize)]
pub struct OwnQuery {
    cursor: Option<String>,
    limit: Option<String>,
}

/// What you have said in the Tribunal and put up on the market, attacks and defenses, with the words, newest first: how each has done,
/// how it stands, and what moderation says of it.
#[utoipa::path(get, path = "/api/me/arguments", tag = "corpus",
    params(("cursor" = Option<String>, Query, description = "The `next` of the page before"), ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{items: [{side, arg_hash, text, label, case_id, target_character, state, reasons, note, uses, effectiveness, …}], next}`; `side` is `attack` or `defense`, `state` is `listed`, `waiting`, `rejected` or `unlisted`, or `archived` for a defense that moderation let through"), (status = 400), (status = 401)))]
pub async fn mine(
    State(house): State<House>,
    caller: Caller,
    Language(lang): Language,
    Query(query): Query<OwnQuery>,
) -> Answer<axum::Json<Value>> {
    let account = caller.account()?.id;
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(PAGE);
    let before = query.cursor.as_deref().map(own_place).transpose()?.unwrap_or(listings::NEWEST);
    let own = house.store.read(move |db| listings::own(db, account, before, limit)).await?;
    let next = own.last().filter(|_| own.len() == limit).map(|last| format!("{}.{}", last.place.value, last.place.n));
    let told = |own: &Own| {
        let told = json!({
            "side": own.done.side().word(), "arg_hash": own.hash, "text": own.text, "label": own.label,
            "case_id": own.case_id, "target_character": own.character, "state": own.state.word(),
            "reasons": sentences(&own.reasons, lang), "note": own.note,
        });
        with_done(told, &own.done)
    };
    Ok(axum::Json(json!({"items": own.iter().map(told).collect::<Vec<_>>(), "next": next})))
}

fn own_place(cursor: &str) -> Answer<Place> {
    let (argument, row) = cursor.split_once('.').unwrap_or_default();
    match (argument.parse(), row.parse()) {
        (Ok(value), Ok(n)) => Ok(Place { value, n }),
        _ => Err(Problem::bad("INVALID_QUERY", "\"cursor\" must be the \"next\" of an answer.")),
    }
}

#[derive(Deserialize)]
pub struct QueueQuery {
    after: Option<String>,
    limit: Option<String>,
}

/// Words that were flagged and that nobody has looked at, oldest first: for moderators.
#[utoipa::path(get, path = "/api/admin/moderation", tag = "corpus",
    params(("after" = Option<u64>, Query, description = "The `next` of the page before"), ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{items: [{hash, text, label, side, author, wanted, reasons, created_at}], next}`; `wanted` if its author waits for it to be listed"), (status = 403)))]
pub async fn queue(
    State(house): State<House>,
    caller: Caller,
    Language(lang): Language,
    Query(query): Query<QueueQuery>,
) -> Answer<axum::Json<Value>> {
    moderator(&caller)?;
    let limit = number("limit", query.limit.as_deref(), 1..=PAGE_MAX)?.unwrap_or(PAGE);
    let after = number("after", query.after.as_deref(), 0..=i64::MAX as usize)?.unwrap_or(0) as i64;
    let found = house.store.read(move |db| moderation::queue(db, after, limit)).await?;
    let next = found.last().filter(|_| found.len() == limit).map(|last| last.n);
    let told = |one: &Flagged| {
        json!({
            "hash": one.hash, "text": one.text, "label": one.label, "side": one.side, "author": one.author,
            "wanted": one.wanted, "reasons": sentences(&one.reasons, lang), "created_at": one.created_at.to_string(),
        })
    };
    Ok(axum::Json(json!({"items": found.iter().map(told).collect::<Vec<_>>(), "next": next})))
}

/// A moderator's decision.
#[derive(Deserialize, ToSchema)]
pub struct NewDecision {
    /// `approve` or `reject`.
    pub decision: String,
    /// Why; the author of the words reads it. Up to 500 characters.
    #[serde(default)]
    pub note: Option<String>,
}

/// Decide about flagged words: approved ones may be listed and reach prompts, and those that waited to be listed are listed. For
/// moderators.
#[utoipa::path(post, path = "/api/admin/moderation/{hash}", tag = "corpus", params(("hash" = String, Path)), request_body = NewDecision,
    responses((status = 200, description = "`{hash, status, listings}`"), (status = 400), (status = 403), (status = 404), (status = 409, description = "There is nothing to decide")))]
pub async fn decide(
    State(house): State<House>,
    caller: Caller,
    Path(hash): Path<String>,
    Json(body): Json<NewDecision>,
) -> Answer<axum::Json<Value>> {
    let listings = settle(&house, &caller, &hash, &body).await?;
    let status = Decision::named(&body.decision).map(|decision| decision.standing().word());
    Ok(axum::Json(json!({"hash": hash.to_lowercase(), "status": status, "listings": listings})))
}

/// Decides about flagged words: the same for the API and the page. Returns how many listings appeared or disappeared.
pub async fn settle(house: &House, caller: &Caller, hash: &str, body: &NewDecision) -> Answer<usize> {
    moderator(caller)?;
    let unknown = || Problem::not_found("ARGUMENT_NOT_FOUND", "No words of this name are known here.");
    let hash: ArgHash = hash.parse().map_err(|_| unknown())?;
    let decision = Decision::named(&body.decision)
        .ok_or_else(|| invalid("The field \"decision\" must be approve or reject.".into()))?;
    let note = text::checked("note", body.note.as_deref().unwrap_or(""), 0..=NOTE_LEN_MAX).map_err(invalid)?;
    let (account, now) = (caller.account()?.id, house.now());
    let decided =
        house.store.write(move |db| moderation::decide(db, &hash.to_string(), decision, &note, account, now)).await?;
    match decided {
        Decided::Done(listings) => Ok(listings),
        Decided::Unknown => Err(unknown()),
        Decided::NothingToDecide => Err(Problem::new(
            StatusCode::CONFLICT,
            "NOTHING_TO_DECIDE",
            "Only statistics are kept of these words, so there is nothing to decide.",
        )),
    }
}
