//! For whoever runs the house: the moderation queue, and what language models were asked and answered.

use super::chrome::Chrome;
use super::market::FlaggedRow;
use super::{Visit, render};
use crate::api::minds::{TracesQuery, moderator};
use crate::api::{Path, Query, game_id};
use crate::live;
use crate::store::traces::{self, Trace};
use askama::Template;
use axum::response::Response;
use engine::erased::AnyGame;
use engine::time::Timestamp;

/// `GET /admin`.
#[derive(Template, Clone, Debug)]
#[template(path = "admin.html")]
pub struct AdminPage {
    /// The frame.
    pub chrome: Chrome,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// Reports, open ones first, oldest first.
    pub reports: Vec<ReportRow>,
    /// Arguments that were flagged, oldest first.
    pub flagged: Vec<FlaggedRow>,
    /// Where the next of them begin.
    pub flagged_next: Option<i64>,
}

/// One report.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportRow {
    /// What resolving it names.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// Who made it: an account's name, or empty for a visitor.
    pub by: String,
    /// Where.
    pub game_id: String,
    /// `name`, `speech` or `table`.
    pub about: &'static str,
    /// The name or the words in question.
    pub quote: String,
    /// Where to see it, as a path.
    pub link: String,
    /// Why, in the reporter's words.
    pub reason: String,
    /// Whether somebody has dealt with it.
    pub resolved: bool,
}

impl AdminPage {
    fn open(&self) -> usize {
        self.reports.iter().filter(|report| !report.resolved).count()
    }
}

/// Calls on one page.
const TRACES: usize = 50;

/// `GET /admin/traces/{id}`.
#[derive(Template)]
#[template(path = "traces.html")]
struct TracesPage {
    chrome: Chrome,
    game_id: String,
    calls: i64,
    cost: String,
    traces: Vec<TraceRow>,
    next: Option<i64>,
}

/// One call.
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

pub(super) async fn traces(visit: Visit, Path(id): Path<String>, Query(query): Query<TracesQuery>) -> Response {
    let page = async {
        moderator(&visit.caller)?;
        let after = query.after()?;
        let table = live::table(&visit.house, game_id(&id)?).await?;
        let no = table.no;
        let read = move |db: &_| Ok((traces::sum(db, no)?, traces::after(db, no, after, TRACES)?));
        let (sum, found) = visit.house.store.read(read).await?;
        let next = found.last().filter(|_| found.len() == TRACES).map(|trace| trace.id);
        let shown = table.shown();
        render(&TracesPage {
            chrome: visit.chrome(visit.words().t("traces-title")),
            game_id: table.id.to_string(),
            calls: sum.calls,
            cost: sum.cost.to_string(),
            traces: found.into_iter().map(|trace| TraceRow::of(trace, shown.game.as_ref())).collect(),
            next,
        })
    };
    visit.show(page.await)
}
