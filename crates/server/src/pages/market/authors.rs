//! The leaderboard of authors.

use crate::api::authors::{self as api, AuthorsQuery};
use crate::corpus::dockets::case;
use crate::corpus::dockets::every_case;
use crate::http::extract::Query;
use crate::pages::shared::frame::Frame;
use crate::pages::{Visit, render};
use askama::Template;
use axum::response::Response;
use store::corpus::authors::Author;

#[derive(Template)]
#[template(path = "market/authors.html")]
pub struct AuthorsPage {
    pub frame: Frame,
    pub rows: Vec<(usize, Author)>,
    /// Cases that can be read about, by id and headline.
    pub cases: Vec<(String, String)>,
    /// Whether this is a later page.
    pub later: bool,
    /// Where the next one begins.
    pub next: Option<usize>,
}

pub(crate) async fn authors(visit: Visit, Query(query): Query<AuthorsQuery>) -> Response {
    let page = async {
        let page = api::page(&visit.house, &query).await?;
        let headline = |id: String| case(visit.lang, &id).map(|case| (id, case.title.clone()));
        render(&AuthorsPage {
            frame: visit.frame(visit.words().t("authors-title")).await,
            rows: page.authors.into_iter().enumerate().map(|(place, one)| (page.after + place + 1, one)).collect(),
            cases: every_case().into_iter().filter_map(headline).collect(),
            later: page.after > 0,
            next: page.next,
        })
    };
    visit.show(page.await)
}
