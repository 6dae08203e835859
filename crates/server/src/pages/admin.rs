//! Pages for moderators: reports, flagged arguments, the economy, and what language models were asked and answered.

use crate::api::minds::{TracesQuery, moderator};
use crate::api::treasury::{Grant, give};
use crate::corpus::packs::{self, Wish};
use crate::corpus::treasury::{self, Economy};
use crate::http::extract::{Key, Path, Query, game_id};
use crate::pages::market::FlaggedRow;
use crate::pages::shared::frame::{Again, Frame};
use crate::pages::tables::Fields;
use crate::pages::{Visit, again, render, rendered, see_other};
use crate::play::live;
use crate::problem::{Answer, Problem};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use engine::erased::AnyGame;
use engine::roster::Lang;
use engine::time::Timestamp;
use games::tribunal::docket::{Case, docket};
use serde::Deserialize;
use std::sync::Arc;
use store::corpus::moderation;
use store::games::mind_calls::{self, Trace};
use store::ledger::{self, Posted};
use store::people::accounts;
use uuid::Uuid;

#[derive(Template, Clone, Debug)]
#[template(path = "admin/admin.html")]
pub struct AdminPage {
    pub frame: Frame,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// Open reports, oldest first.
    pub reports: Vec<ReportRow>,
    /// Arguments that were flagged, oldest first.
    pub flagged: Vec<FlaggedRow>,
    /// Where the next page of them begins.
    pub flagged_next: Option<i64>,
    /// How much IA has flowed, and how much there is.
    pub economy: Economy,
    /// The newest transfers; reversing one needs its number.
    pub transfers: Vec<Posted>,
    /// Of whom a pack can be made: ids and names, under the headline of their case.
    pub charged: Vec<(String, Vec<(String, String)>)>,
    /// How many defenses a pack has.
    pub pack_size: u64,
    /// The idempotency key of a grant: sent twice, it is given once.
    pub key: String,
    /// What was done just now.
    pub done: Option<&'static str>,
    pub again: Again,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ReportRow {
    /// The id that resolves it.
    pub id: String,
    pub at: Timestamp,
    /// The reporter's name, or empty: the store does not read it.
    pub by: String,
    pub game_id: String,
    /// `name`, `speech` or `table`.
    pub about: &'static str,
    /// What is reported, by its id.
    pub quote: String,
    /// Where to see it, as a path.
    pub link: String,
    /// Why, in the reporter's words.
    pub reason: String,
    /// Whether a moderator has dealt with it; the store reads only open ones.
    pub resolved: bool,
}

impl ReportRow {
    fn of(report: accounts::Report) -> Self {
        let about = match report.target.split('-').next() {
            Some("arg") => "speech",
            Some("agent") => "name",
            _ => "table",
        };
        ReportRow {
            id: report.n.to_string(),
            at: report.created_at,
            by: String::new(),
            game_id: report.game_id.to_string(),
            about,
            quote: report.target.clone(),
            link: format!("/games/{}#{}", report.game_id, report.target),
            reason: report.reason,
            resolved: false,
        }
    }
}

impl AdminPage {
    fn open(&self) -> usize {
        self.reports.iter().filter(|report| !report.resolved).count()
    }
}

/// How many flagged arguments a page shows.
const FLAGGED_MAX: usize = 50;
/// How many transfers the page lists; the API tells an account the numbers of all of its own.
const TRANSFERS: usize = 30;

/// Where the flagged arguments of a page begin, and what was done just now.
#[derive(Deserialize)]
pub(crate) struct AdminQuery {
    flagged: Option<i64>,
    done: Option<String>,
}

pub(crate) async fn admin(visit: Visit, Query(query): Query<AdminQuery>) -> Response {
    let done =
        ["granted", "reversed", "packed", "packed_before"].into_iter().find(|done| query.done.as_deref() == Some(done));
    let page = admin_page(&visit, StatusCode::OK, query.flagged.unwrap_or(0), done, Again::default()).await;
    visit.show(page)
}

async fn admin_page(
    visit: &Visit,
    status: StatusCode,
    after: i64,
    done: Option<&'static str>,
    again: Again,
) -> Answer<Response> {
    moderator(&visit.caller)?;
    let read = move |db: &_| {
        let flagged = moderation::queue(db, after, FLAGGED_MAX)?;
        Ok((accounts::open_reports(db)?, flagged, ledger::newest(db, TRANSFERS)?))
    };
    let (reports, flagged, transfers) = visit.house.store.read(read).await?;
    let flagged_next = flagged.last().filter(|_| flagged.len() == FLAGGED_MAX).map(|last| last.n);
    let page = AdminPage {
        frame: visit.frame(visit.words().t("admin-title")).await,
        now: visit.house.now(),
        reports: reports.into_iter().map(ReportRow::of).collect(),
        flagged: flagged.into_iter().map(|one| FlaggedRow::of(one, visit.lang)).collect(),
        flagged_next,
        economy: treasury::economy(&visit.house.store).await?,
        transfers,
        charged: charged(visit.lang),
        pack_size: visit.house.store.terms().pack_size,
        key: Uuid::now_v7().to_string(),
        done,
        again,
    };
    rendered(status, &page)
}

/// Back to the panel, or the page again with what was refused.
async fn after(visit: &Visit, fields: &Fields, field: &str, done: &'static str, result: Answer<()>) -> Response {
    let page = match result {
        Ok(()) => Ok(see_other(&format!("/admin?done={done}#economy-h"))),
        Err(problem) if moderator(&visit.caller).is_err() => Err(problem),
        Err(problem) => {
            let named = problem.detail.starts_with("The field");
            let refusal = again(&problem, (!named).then_some(field), &fields.0);
            admin_page(visit, problem.status, 0, None, refusal).await
        }
    };
    visit.show(page)
}

fn whole<T: std::str::FromStr>(fields: &Fields, field: &str) -> Answer<T> {
    let wrong = || Problem::bad("INVALID_BODY", format!("The field \"{field}\" must be a whole number."));
    fields.get(field).trim().parse().map_err(|_| wrong())
}

pub(crate) async fn grant(visit: Visit, fields: Fields) -> Response {
    let given = async {
        moderator(&visit.caller)?;
        let body = Grant {
            username: fields.get("username").trim().to_owned(),
            amount: whole(&fields, "amount")?,
            bonus: fields.get("bonus") == "yes",
            note: Some(fields.get("note").to_owned()),
        };
        let key = Some(fields.get("key").to_owned()).filter(|key| !key.is_empty());
        give(&visit.house, &visit.caller, Key(key), body).await.map(drop)
    };
    let given = given.await;
    after(&visit, &fields, "username", "granted", given).await
}

pub(crate) async fn reverse(visit: Visit, fields: Fields) -> Response {
    let reversed = async {
        moderator(&visit.caller)?;
        let transfer = whole(&fields, "transfer")?;
        treasury::reverse(&visit.house.store, transfer, visit.house.now()).await.map(drop)
    };
    let reversed = reversed.await;
    after(&visit, &fields, "transfer", "reversed", reversed).await
}

/// Everybody who is charged, under the headline of the case; ids are `case/character`.
fn charged(lang: Lang) -> Vec<(String, Vec<(String, String)>)> {
    let of = |case: &Arc<Case>| {
        let people = case.characters.iter().map(|one| (format!("{}/{}", case.case_id, one.id), one.name.clone()));
        (case.title.clone(), people.collect())
    };
    docket().cases(lang).iter().map(of).collect()
}

pub(crate) async fn pack(visit: Visit, fields: Fields) -> Response {
    let bound = async {
        moderator(&visit.caller)?;
        let given = |field: &str| Some(fields.get(field).trim().to_owned()).filter(|text| !text.is_empty());
        let (case_id, character_id) = fields.get("of").split_once('/').unwrap_or_default();
        let wish = Wish {
            case_id: case_id.to_owned(),
            character_id: character_id.to_owned(),
            price: given("price").map(|_| whole(&fields, "price")).transpose()?,
            name: given("name"),
            description: given("description"),
        };
        let curator = visit.caller.account()?.id;
        packs::make(&visit.house.store, wish, Some(curator), None, visit.house.now()).await
    };
    match bound.await {
        Ok(made) if made.made_before => after(&visit, &fields, "of", "packed_before", Ok(())).await,
        Ok(_) => after(&visit, &fields, "of", "packed", Ok(())).await,
        Err(problem) => after(&visit, &fields, "of", "packed", Err(problem)).await,
    }
}

/// How many calls to language models a page shows.
const TRACES: usize = 50;

#[derive(Template)]
#[template(path = "admin/traces.html")]
struct TracesPage {
    frame: Frame,
    game_id: String,
    calls: i64,
    cost: String,
    traces: Vec<TraceRow>,
    next: Option<i64>,
}

struct TraceRow {
    version: u64,
    who: String,
    status: String,
    mind: String,
    prompt_version: String,
    tokens: String,
    latency_ms: i64,
    cost: String,
    error: Option<String>,
    reason: String,
    output: String,
    prompt: String,
    turn: String,
}

impl TraceRow {
    fn of(trace: Trace, game: &dyn AnyGame) -> Self {
        let begun = trace.begun;
        let ended = trace.ended.unwrap_or_default();
        let name = game.roster().get(begun.seat).map_or("", |seat| &seat.name);
        TraceRow {
            version: begun.seq.0,
            who: format!("{name} ({})", begun.attempt),
            status: begun.status,
            mind: begun.mind,
            prompt_version: begun.prompt_version,
            tokens: format!("{} + {} → {}", ended.tokens.read, ended.tokens.cached, ended.tokens.written),
            latency_ms: ended.latency_ms,
            cost: ended.cost.to_string(),
            error: ended.error,
            reason: ended.reason.unwrap_or_default(),
            output: ended.output,
            prompt: begun.prompt,
            turn: begun.turn,
        }
    }
}

pub(crate) async fn traces(visit: Visit, Path(id): Path<String>, Query(query): Query<TracesQuery>) -> Response {
    let page = async {
        moderator(&visit.caller)?;
        let after = query.after()?;
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let no = table.no;
        let read = move |db: &_| Ok((mind_calls::sum(db, no)?, mind_calls::after(db, no, after, TRACES)?));
        let (sum, found) = visit.house.store.read(read).await?;
        let next = found.last().filter(|_| found.len() == TRACES).map(|trace| trace.id);
        let shown = table.shown();
        render(&TracesPage {
            frame: visit.frame(visit.words().t("traces-title")).await,
            game_id: table.id.to_string(),
            calls: sum.calls,
            cost: sum.cost.to_string(),
            traces: found.into_iter().map(|trace| TraceRow::of(trace, shown.game.as_ref())).collect(),
            next,
        })
    };
    visit.show(page.await)
}
