//! Signing in and out, the account, the language, and resolving a report.

use crate::api::accounts::{self as signing, Login, NewPassword, Register};
use crate::api::minds::moderator;
use crate::http::auth::SESSION_S;
use crate::http::extract::{Path, Query};
use crate::pages::lobby::Listing;
use crate::pages::market::OwnRow;
use crate::pages::people::forms::{AccountPage, GameRow, KeyRow, LoginPage, RegisterPage};
use crate::pages::people::purse::{self, PurseLink};
use crate::pages::shared::faces;
use crate::pages::shared::frame::Again;
use crate::pages::tables::Fields;
use crate::pages::{LANG_COOKIE, Visit, YEAR_S, again, render, rendered, see_other, with_cookie};
use crate::play::live;
use crate::problem::{Answer, Problem};
use axum::http::StatusCode;
use axum::response::Response;
use engine::rules::Actor;
use serde::Deserialize;
use store::corpus::listings;
use store::games;
use store::people::accounts;
use store::people::accounts::Scope;

const GAMES_MAX: usize = 20;
const ARGUMENTS_MAX: usize = 50;

pub(crate) async fn language(visit: Visit, fields: Fields) -> Response {
    let lang = if fields.get("lang") == "ko" { "ko" } else { "en" };
    with_cookie(see_other(fields.get("back")), Some(visit.cookie(LANG_COOKIE, lang, YEAR_S)))
}

#[derive(Deserialize)]
pub(crate) struct Next {
    #[serde(default)]
    next: String,
    #[serde(default)]
    why: String,
}

pub(crate) async fn login_form(visit: Visit, Query(query): Query<Next>) -> Response {
    let frame = visit.frame(visit.words().t("login-title")).await;
    visit.show(render(&LoginPage { frame, next: query.next, why: query.why, again: Again::default() }))
}

pub(crate) async fn login(visit: Visit, fields: Fields) -> Response {
    let body = Login { email: fields.get("email").to_owned(), password: fields.get("password").to_owned() };
    let (next, why) = (fields.get("next").to_owned(), fields.get("why").to_owned());
    let page = match signing::sign_in(&visit.house, visit.caller.address, body).await {
        Ok(secret) => Ok(with_cookie(see_other(&next), Some(visit.session_cookie(&secret, SESSION_S)))),
        Err(problem) => {
            let frame = visit.frame(visit.words().t("login-title")).await;
            rendered(
                problem.status,
                &LoginPage { frame, next, why, again: again(&problem, Some("password"), &fields.0) },
            )
        }
    };
    visit.show(page)
}

pub(crate) async fn register_form(visit: Visit, Query(query): Query<Next>) -> Response {
    let frame = visit.frame(visit.words().t("register-title")).await;
    visit.show(render(&RegisterPage { frame, next: query.next, why: query.why, again: Again::default() }))
}

pub(crate) async fn register(visit: Visit, fields: Fields) -> Response {
    let field = |name: &str| fields.get(name).to_owned();
    let (next, why) = (field("next"), field("why"));
    let signed_up = async {
        let body = Register { email: field("email"), username: field("username"), password: field("password") };
        visit.house.limits.sign_in(visit.caller.address)?;
        let account = signing::create(&visit.house, &body, false).await?;
        signing::open_session(&visit.house, account.id).await
    };
    let page = match signed_up.await {
        Ok(secret) => Ok(with_cookie(see_other(&next), Some(visit.session_cookie(&secret, SESSION_S)))),
        Err(problem) => {
            let about = match problem.detail.as_str() {
                detail if detail.contains("password") => Some("password"),
                detail if detail.contains("email") => Some("email"),
                detail if detail.contains("username") => Some("username"),
                _ => None,
            };
            let frame = visit.frame(visit.words().t("register-title")).await;
            rendered(problem.status, &RegisterPage { frame, next, why, again: again(&problem, about, &fields.0) })
        }
    };
    visit.show(page)
}

pub(crate) async fn logout(visit: Visit) -> Response {
    let page = signing::close_session(&visit.house, &visit.caller).await;
    visit.show(page.map(|()| with_cookie(see_other("/"), Some(visit.session_cookie("", 0)))))
}

/// What an account page shows besides its usual contents.
#[derive(Default)]
struct Said {
    fresh_key: Option<String>,
    done: Option<&'static str>,
    again: Again,
    link: PurseLink,
}

pub(crate) async fn account(visit: Visit, Query(link): Query<PurseLink>) -> Response {
    if visit.caller.account.is_none() {
        return see_other("/login?next=/account");
    }
    let page = account_page(&visit, StatusCode::OK, Said { link, ..Said::default() }).await;
    visit.show(page)
}

async fn account_page(visit: &Visit, status: StatusCode, said: Said) -> Answer<Response> {
    let account = visit.caller.account()?;
    let id = account.id;
    let read = move |db: &_| {
        let arguments = listings::own(db, id, listings::NEWEST, ARGUMENTS_MAX)?;
        Ok((accounts::api_keys(db, id)?, games::of_account(db, id, GAMES_MAX)?, arguments))
    };
    let (keys, mine, arguments) = visit.house.store.read(read).await?;
    let mut rows = Vec::new();
    for game in mine {
        let shown = live::table_unseen(&visit.house, game).await?.shown();
        let game = shown.game.as_ref();
        let seat = visit.caller.own_seat(game.id(), game.roster());
        let listing = Listing { id: game.id().to_string(), watchers: 0, demo: false, created_at: game.created_at() };
        let card = (faces::of(game.kind()).card)(&visit.words(), game, &[], listing);
        let row = GameRow {
            id: game.id().to_string(),
            kind: game.kind(),
            progress: game.progress(),
            expired: game.status() == "expired",
            created_at: game.created_at(),
            my_turn: seat.is_some_and(|seat| game.turns().iter().any(|turn| turn.who == Actor::Seat(seat))),
            about: String::new(),
        };
        rows.push(row.told_by(card));
    }
    let key = |key: store::ApiKey| KeyRow {
        id: key.id.to_string(),
        label: key.label,
        hint: key.hint,
        created_at: key.created_at,
        corpus: key.scope == Scope::Corpus,
        trusted: key.trusted,
    };
    let page = AccountPage {
        frame: visit.frame(account.username.clone()).await,
        name: account.username.clone(),
        email: account.email.clone(),
        keys: keys.into_iter().map(key).collect(),
        fresh_key: said.fresh_key,
        games: rows,
        purse: purse::panel(visit, id, said.link).await?,
        arguments: arguments.into_iter().map(|own| OwnRow::of(own, visit.lang)).collect(),
        now: visit.house.now(),
        done: said.done,
        again: said.again,
    };
    rendered(status, &page)
}

/// Shows the account again, with what was done or refused.
async fn account_after(visit: &Visit, fields: &Fields, about: Option<&str>, done: Answer<Said>) -> Response {
    let page = match done {
        Ok(said) => account_page(visit, StatusCode::OK, said).await,
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => Err(problem),
        Err(problem) => {
            let said = Said { again: again(&problem, about, &fields.0), ..Said::default() };
            account_page(visit, problem.status, said).await
        }
    };
    visit.show(page)
}

pub(crate) async fn make_key(visit: Visit, fields: Fields) -> Response {
    let made = async {
        let scope = if fields.get("scope") == Scope::Corpus.word() { Scope::Corpus } else { Scope::Play };
        let account = visit.caller.person()?.id;
        let (_, key) = signing::make_key(&visit.house, account, fields.get("label"), scope).await?;
        Ok(Said { fresh_key: Some(key), ..Said::default() })
    };
    let made = made.await;
    account_after(&visit, &fields, Some("label"), made).await
}

pub(crate) async fn revoke_key(visit: Visit, Path(id): Path<String>, fields: Fields) -> Response {
    let revoked = async {
        signing::revoke(&visit.house, visit.caller.account()?.id, &id).await?;
        Ok(Said { done: Some("key-revoked"), ..Said::default() })
    };
    let revoked = revoked.await;
    account_after(&visit, &fields, None, revoked).await
}

pub(crate) async fn change_password(visit: Visit, fields: Fields) -> Response {
    let changed = async {
        let body = NewPassword {
            old_password: fields.get("current_password").to_owned(),
            new_password: fields.get("new_password").to_owned(),
            revoke_keys: fields.get("revoke_keys") == "yes",
        };
        signing::change_password(&visit.house, &visit.caller, body).await?;
        // Every session has ended, this one too: open the next.
        signing::open_session(&visit.house, visit.caller.account()?.id).await
    };
    match changed.await {
        Ok(secret) => {
            let said = Said { done: Some("password-changed"), ..Said::default() };
            let page = account_page(&visit, StatusCode::OK, said).await;
            with_cookie(visit.show(page), Some(visit.session_cookie(&secret, SESSION_S)))
        }
        Err(problem) => {
            let about = if problem.status == StatusCode::FORBIDDEN { "current_password" } else { "new_password" };
            account_after(&visit, &fields, Some(about), Err(problem)).await
        }
    }
}

pub(crate) async fn delete_account(visit: Visit, fields: Fields) -> Response {
    let deleted = async {
        let account = visit.caller.account()?.clone();
        if fields.get("confirm").trim() != account.username {
            return Err(Problem::bad("NOT_CONFIRMED", "Type your username exactly to confirm."));
        }
        signing::delete(&visit.house, &visit.caller, fields.get("password").to_owned()).await
    };
    match deleted.await {
        Ok(()) => with_cookie(see_other("/"), Some(visit.session_cookie("", 0))),
        Err(problem) => {
            let about = if problem.status == StatusCode::FORBIDDEN { "password" } else { "confirm" };
            account_after(&visit, &fields, Some(about), Err(problem)).await
        }
    }
}

pub(crate) async fn resolve_report(visit: Visit, Path(id): Path<String>) -> Response {
    let page = async {
        moderator(&visit.caller)?;
        let unknown = || Problem::not_found("REPORT_NOT_FOUND", "There is no such open report.");
        let n: i64 = id.parse().map_err(|_| unknown())?;
        let now = visit.house.now();
        if !visit.house.store.write(move |db| accounts::resolve_report(db, n, "resolved", now)).await? {
            return Err(unknown());
        }
        Ok(see_other("/admin"))
    };
    visit.show(page.await)
}
