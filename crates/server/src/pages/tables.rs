//! Forms at a table: play now, start a table, sit down, act, report. Each goes through the same call as the API.

use crate::api::games::{self as tables, NewGame};
use crate::api::record::{self, Misheard};
use crate::api::seats::{self, Errand, RegisterAgent};
use crate::api::system::{self, NewReport};
use crate::http::extract::{Key, Path, Query, game_id, parse};
use crate::pages::games::game_page;
use crate::pages::lobby::Offered;
use crate::pages::people::forms::{NewPage, PlayPage, ReportPage};
use crate::pages::shared::faces::{self, Asked, Look, word};
use crate::pages::shared::frame::Again;
use crate::pages::{Visit, again, render, rendered, see_other, with_cookie};
use crate::play::House;
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::extract::{Form, FromRequest, Request};
use axum::http::StatusCode;
use axum::response::Response;
use engine::erased::Kind;
use engine::game::Progress;
use engine::id::{Inner, Seq};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use store::games::transcript_after;

/// Keeps a player who closes the page from holding up a game for ever.
const TURN_LIMIT_S: u32 = 15 * 60;

/// The fields of a form, as they were sent.
pub struct Fields(pub Vec<(String, String)>);

impl FromRequest<House> for Fields {
    type Rejection = Problem;

    async fn from_request(request: Request, house: &House) -> Result<Self, Problem> {
        let form = Form::<Vec<(String, String)>>::from_request(request, house).await;
        form.map(|Form(fields)| Fields(fields)).map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(),
            _ => Problem::bad("INVALID_BODY", "The form could not be read."),
        })
    }
}

impl Fields {
    /// What was sent under that name, or an empty text.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_str())
    }
}

/// The kind that a form or a link names, else the first one.
fn named(visit: &Visit, name: &str) -> Answer<Kind> {
    let catalog = visit.house.settings.catalog;
    let kind = catalog.by_name(name).or_else(|| catalog.iter().next());
    kind.ok_or_else(|| Problem::ours("a house that offers no kind of game"))
}

fn account_needed(kind: Kind, visit: &Visit) -> Answer<bool> {
    Ok((kind.seating)(&json!({}))?.accounts_only && visit.caller.account.is_none())
}

/// A table of this kind in the visitor's language, with house minds at the kind's pace.
fn new_game(kind: Kind, visit: &Visit) -> NewGame {
    NewGame {
        game_type: Some(kind.meta.name.into()),
        turn_limit_s: Some(TURN_LIMIT_S),
        lang: Some(json!(visit.lang)),
        pace_ms: Some(kind.meta.pace_ms),
        ..NewGame::default()
    }
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    game_type: String,
}

/// A redirect to the form for a new account, which leads on to `next`.
fn to_register(next: &str) -> Response {
    see_other(&format!("/register?why=seat&next={next}"))
}

/// Where a visitor lands who wanted to play and had to register first.
pub(crate) async fn play_form(visit: Visit, Query(query): Query<Wanted>) -> Response {
    let page = async {
        let kind = named(&visit, &query.game_type)?;
        let frame = visit.frame(visit.words().t("act-play-now")).await;
        render(&PlayPage { frame, kind: kind.meta.name, account_needed: account_needed(kind, &visit)? })
    };
    visit.show(page.await)
}

pub(crate) async fn play_now(mut visit: Visit, fields: Fields) -> Response {
    let page = async {
        let kind = named(&visit, fields.get("game_type"))?;
        if account_needed(kind, &visit)? {
            return Ok(to_register(&format!("/play?game_type={}", kind.meta.name)));
        }
        let cookie = visit.as_guest()?;
        let words = visit.words();
        let mut options = (kind.meta.play_now)();
        if let Some(case) = word(&fields, "case_id") {
            options["case_id"] = case;
        }
        let Value::Object(options) = options else { return Err(Problem::ours("options that are no object")) };
        // At a solo table the player takes the first seat, so house minds sit down after it.
        let body = NewGame { fill: Some(!kind.meta.solo), options, ..new_game(kind, &visit) };
        let table = tables::found(&visit.house, &visit.caller, &body).await?;
        let name =
            visit.caller.account.as_ref().map_or_else(|| words.t("guest-name"), |account| account.username.clone());
        let seat = RegisterAgent { display_name: name, token: None };
        seats::sit(&visit.house, &table, &visit.caller, &seat, None).await?;
        if kind.meta.solo {
            let seats = table.shown().game.seating().seats_max;
            seats::run(&visit.house, &table, &visit.caller, &Errand::Fill(Some(seats)), None).await?;
        }
        // Many kinds start by themselves when the last seat is taken.
        if table.shown().game.progress() == Progress::Table {
            seats::run(&visit.house, &table, &visit.caller, &Errand::Start, None).await?;
        }
        Ok(with_cookie(see_other(&format!("/games/{}", table.id)), cookie))
    };
    let page = page.await;
    visit.show(page)
}

pub(crate) async fn new_form(visit: Visit, Query(query): Query<Wanted>) -> Response {
    let page = async { new_page(&visit, named(&visit, &query.game_type)?, Again::default(), StatusCode::OK).await };
    visit.show(page.await)
}

async fn new_page(visit: &Visit, kind: Kind, again: Again, status: StatusCode) -> Answer<Response> {
    let w = visit.words();
    let own_name = visit.caller.account.as_ref().map_or(String::new(), |account| account.username.clone());
    let kinds = Offered::with_fields(visit.house.settings.catalog, w, &again)?;
    let frame = visit.frame(w.t("new-title")).await;
    let settings = &visit.house.settings.minds;
    let (minds, preferred) = (settings.choices(), settings.preferred.to_string());
    let kind = kind.meta.name;
    rendered(status, &NewPage { frame, own_name, kind, kinds, minds, preferred, again })
}

fn text(fields: &Fields, field: &str) -> Option<String> {
    Some(fields.get(field).to_owned()).filter(|word| !word.is_empty())
}

pub(crate) async fn new_table(mut visit: Visit, fields: Fields) -> Response {
    let kind = match named(&visit, fields.get("game_type")).and_then(|kind| Ok((kind, account_needed(kind, &visit)?))) {
        Ok((kind, false)) => kind,
        Ok((kind, true)) => return to_register(&format!("/new?game_type={}", kind.meta.name)),
        Err(problem) => return visit.show(Err(problem)),
    };
    let made = async {
        let cookie = visit.as_guest()?;
        let name = fields.get("display_name").trim().to_owned();
        if !name.is_empty() {
            seats::check_name(&name)?;
        } else if visit.caller.account.is_none() {
            // Without an account nobody could run a table they do not sit at.
            return Err(Problem::bad("INVALID_BODY", "The field \"display_name\" is empty; write 1 to 40 characters."));
        }
        let sits = !name.is_empty();
        let (options, fill) = (faces::of(kind.meta.name).asked)(&fields, sits);
        let asked = NewGame {
            turn_limit_s: fields.get("turn_limit_s").parse::<u32>().ok().filter(|seconds| *seconds > 0),
            visibility: text(&fields, "visibility"),
            mind: text(&fields, "mind"),
            options,
            ..new_game(kind, &visit)
        };
        let table = tables::found(&visit.house, &visit.caller, &asked).await?;
        if sits {
            let seat = RegisterAgent { display_name: name, token: None };
            seats::sit(&visit.house, &table, &visit.caller, &seat, None).await?;
        }
        if fill {
            seats::run(&visit.house, &table, &visit.caller, &Errand::Fill(None), None).await?;
        }
        Ok(with_cookie(see_other(&format!("/games/{}", table.id)), cookie))
    };
    let made = made.await;
    let page = match made {
        Ok(page) => Ok(page),
        Err(problem) => {
            let field = (faces::of(kind.meta.name).refused_field)(problem.error);
            new_page(&visit, kind, again(&problem, field, &fields.0), problem.status).await
        }
    };
    visit.show(page)
}

/// Does something at a table and shows the table again: as it is now, or with the refusal beside its field.
async fn at_table<F>(
    visit: Visit,
    id: &str,
    fields: &[(String, String)],
    work: impl FnOnce(Visit, Arc<live::Table>) -> F,
) -> Response
where
    F: Future<Output = (Visit, Answer<Response>)>,
{
    let table = match game_id(id) {
        Ok(id) => live::table(&visit.house, id).await,
        Err(problem) => Err(problem),
    };
    let table = match table {
        Ok(table) => table,
        Err(problem) => return visit.show(Err(problem)),
    };
    let (visit, done) = work(visit, table.clone()).await;
    match done {
        Ok(response) if visit.wants_fragment => {
            let page = game_page(&visit, &table, Asked::default(), Again::default(), StatusCode::OK).await;
            let mut page = visit.show(page);
            // A guest who has just taken a seat needs its cookie.
            page.headers_mut().extend(
                response
                    .headers()
                    .get_all("set-cookie")
                    .iter()
                    .map(|cookie| (axum::http::header::SET_COOKIE, cookie.clone())),
            );
            page
        }
        Ok(response) => response,
        Err(problem) if problem.status.is_server_error() => visit.show(Err(problem)),
        Err(problem) => {
            let face = faces::of(table.shown().game.kind());
            let shown = again(&problem, (face.refused_field)(problem.error), fields);
            let page = game_page(&visit, &table, Asked::default(), shown, problem.status).await;
            visit.show(page)
        }
    }
}

fn back(table: &live::Table) -> Response {
    see_other(&format!("/games/{}", table.id))
}

/// The fields as the rules read them: a checked box is a boolean, a field that takes several values a list, and empty fields are left
/// out.
fn sent(look: &Look, fields: &Fields) -> Map<String, Value> {
    let mut body = Map::new();
    for (name, value) in fields.0.iter().filter(|(_, value)| !value.is_empty()) {
        let several = look.lists.contains(&name.as_str());
        match body.get_mut(name) {
            Some(Value::Array(values)) if several => values.push(json!(value)),
            _ if several => drop(body.insert(name.clone(), json!([value]))),
            _ if look.boxes.contains(&name.as_str()) => drop(body.insert(name.clone(), json!(value == "true"))),
            _ => drop(body.insert(name.clone(), json!(value))),
        }
    }
    body
}

pub(crate) async fn act(visit: Visit, Path(id): Path<String>, fields: Fields) -> Response {
    at_table(visit, &id, &fields.0, async |visit: Visit, table: Arc<live::Table>| {
        let mut body = sent(&faces::of(table.shown().game.kind()).look, &fields);
        if let Some(agent_id) = shown_seat(&visit, &table) {
            body.insert("agent_id".to_owned(), agent_id.into());
        }
        let nothing = |_: &dyn engine::erased::AnyGame, _: &[engine::game::Logged]| Value::Null;
        let done = tables::send(&visit.house, &table, &visit.caller, Key(None), Value::Object(body), nothing).await;
        (visit, done.map(|_| back(&table)))
    })
    .await
}

pub(crate) async fn sit(visit: Visit, Path(id): Path<String>, fields: Fields) -> Response {
    at_table(visit, &id, &fields.0, async |mut visit: Visit, table: Arc<live::Table>| {
        let done = async {
            let cookie = visit.as_guest()?;
            let seat = RegisterAgent { display_name: fields.get("display_name").to_owned(), token: None };
            seats::sit(&visit.house, &table, &visit.caller, &seat, None).await?;
            Ok(with_cookie(back(&table), cookie))
        };
        let done = done.await;
        (visit, done)
    })
    .await
}

/// The agent whose seat this visitor's page shows: a visitor with several seats acts for that one.
fn shown_seat(visit: &Visit, table: &live::Table) -> Option<String> {
    let shown = table.shown();
    let game = shown.game.as_ref();
    visit.caller.own_seat(game.id(), game.roster()).map(|seat| game.roster().agent_id(game.id(), seat))
}

async fn errand(visit: Visit, id: &str, errand: Errand) -> Response {
    at_table(visit, id, &[], async |visit: Visit, table: Arc<live::Table>| {
        let errand = match errand {
            Errand::Leave(_) => Errand::Leave(shown_seat(&visit, &table)),
            Errand::TakeBack(_) => Errand::TakeBack(shown_seat(&visit, &table)),
            other => other,
        };
        let done = seats::run(&visit.house, &table, &visit.caller, &errand, None).await;
        (visit, done.map(|_| back(&table)))
    })
    .await
}

pub(crate) async fn fill(visit: Visit, Path(id): Path<String>) -> Response {
    errand(visit, &id, Errand::Fill(None)).await
}

pub(crate) async fn start(visit: Visit, Path(id): Path<String>) -> Response {
    errand(visit, &id, Errand::Start).await
}

pub(crate) async fn leave(visit: Visit, Path(id): Path<String>) -> Response {
    errand(visit, &id, Errand::Leave(None)).await
}

pub(crate) async fn hand(visit: Visit, Path(id): Path<String>, fields: Fields) -> Response {
    errand(visit, &id, Errand::Hand(fields.get("agent_id").to_owned())).await
}

pub(crate) async fn take_back(visit: Visit, Path(id): Path<String>) -> Response {
    errand(visit, &id, Errand::TakeBack(None)).await
}

pub(crate) async fn misheard(visit: Visit, Path(id): Path<String>, fields: Fields) -> Response {
    at_table(visit, &id, &fields.0, async |visit: Visit, table: Arc<live::Table>| {
        let said = Misheard { item_id: fields.get("item_id").to_owned(), agent_id: shown_seat(&visit, &table) };
        let done = record::keep_misheard(&visit.house, &table, &visit.caller, &said).await;
        (visit, done.map(|_| see_other(&format!("/games/{}#{}", table.id, said.item_id))))
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct About {
    #[serde(default)]
    game_id: String,
    #[serde(default)]
    agent_id: String,
    #[serde(default)]
    item_id: String,
}

pub(crate) async fn report_form(visit: Visit, Query(about): Query<About>) -> Response {
    let page = async { render(&report_page(&visit, &about, false, Again::default()).await?) };
    visit.show(page.await)
}

async fn report_page(visit: &Visit, about: &About, done: bool, again: Again) -> Answer<ReportPage> {
    let table = live::table(&visit.house, game_id(&about.game_id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let name = game.roster().seat_of(game.id(), &about.agent_id).map(|seat| game.roster().name(seat).to_owned());
    // A visitor who may not hear a speech may not read it here either.
    let viewer = visit.caller.viewer(game);
    let speech = match Inner::Argument.number(game.id(), &about.item_id) {
        None => None,
        Some(seq) => {
            let no = table.no;
            let found =
                visit.house.store.read(move |db| transcript_after(db, no, Seq(seq.saturating_sub(1)), 1)).await?;
            found
                .into_iter()
                .find(|entry| entry.seq.0 == seq && entry.line.seen_by.includes(viewer))
                .and_then(|entry| entry.line.text)
        }
    };
    Ok(ReportPage {
        frame: visit.frame(visit.words().t("report-title")).await,
        game_id: about.game_id.clone(),
        agent_id: about.agent_id.clone(),
        item_id: about.item_id.clone(),
        quote: speech.or(name).unwrap_or_default(),
        done,
        again,
    })
}

pub(crate) async fn report(visit: Visit, fields: Fields) -> Response {
    let about = About {
        game_id: fields.get("game_id").to_owned(),
        agent_id: fields.get("agent_id").to_owned(),
        item_id: fields.get("item_id").to_owned(),
    };
    let target = [about.item_id.as_str(), about.agent_id.as_str(), "table"].into_iter().find(|id| !id.is_empty());
    let page = async {
        let body = json!({"game_id": about.game_id, "target": target, "reason": fields.get("reason")});
        let body: NewReport = parse(body.to_string().as_bytes())?;
        match system::file_report(&visit.house, &visit.caller, &body).await {
            Ok(_) => render(&report_page(&visit, &about, true, Again::default()).await?),
            Err(problem) if problem.status == StatusCode::BAD_REQUEST => {
                let shown = again(&problem, None, &fields.0);
                rendered(problem.status, &report_page(&visit, &about, false, shown).await?)
            }
            Err(problem) => Err(problem),
        }
    };
    visit.show(page.await)
}
