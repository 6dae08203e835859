//! Ratings: the leaderboard of each kind, and the page of an agent.

use crate::api::agents as api;
use crate::http::extract::{Path, Query, kind_or_first};
use crate::locale::Words;
use crate::pages::shared::frame::Frame;
use crate::pages::{Visit, render};
use crate::problem::Answer;
use askama::Template;
use axum::response::Response;
use engine::time::Timestamp;
use serde::Deserialize;
use store::games::standings::Profile;
use store::games::standings::{self, Ranked, Rating};

/// How many rows a page of the leaderboard shows.
const ROWS: usize = 50;
/// How many games a curve looks back.
const STEPS_MAX: usize = 60;
/// The size of a curve, in units of its own.
const CURVE: (f64, f64) = (160.0, 32.0);

#[derive(Template, Clone, Debug)]
#[template(path = "people/leaderboard.html")]
pub struct LeaderboardPage {
    pub frame: Frame,
    /// The kind that is shown.
    pub kind: &'static str,
    /// Every kind of the house.
    pub kinds: Vec<&'static str>,
    pub rows: Vec<BoardRow>,
    /// Whether this is a later page.
    pub later: bool,
    /// Where the next page begins.
    pub next: Option<String>,
}

impl LeaderboardPage {
    fn shows(&self, kind: &str) -> bool {
        self.kind == kind
    }
}

/// An agent or an account on the leaderboard.
#[derive(Clone, Debug)]
pub struct BoardRow {
    pub rank: u64,
    pub id: String,
    pub name: String,
    /// Its owner's name, if that is another.
    pub owner: Option<String>,
    pub rating: RatingRow,
}

/// A rating in words, and the rated games behind it.
#[derive(Clone, Debug)]
pub struct RatingRow {
    pub kind: String,
    /// The most likely strength, with one decimal.
    pub mu: String,
    /// How far that may be off: twice the deviation, with one decimal.
    pub off: String,
    pub games: i64,
    pub wins: i64,
    pub points: i64,
    /// The path of its curve; nothing before the second game.
    pub curve: Option<String>,
}

impl RatingRow {
    fn of(rating: &Rating, steps: &[(f64, f64)]) -> Self {
        RatingRow {
            kind: rating.kind.clone(),
            mu: format!("{:.1}", rating.mu),
            off: format!("{:.1}", 2.0 * rating.sigma),
            games: rating.games,
            wins: rating.wins,
            points: rating.points,
            curve: curve(steps),
        }
    }
}

/// The steps of a rating as the path of a small curve.
fn curve(steps: &[(f64, f64)]) -> Option<String> {
    if steps.len() < 2 {
        return None;
    }
    let values = || steps.iter().map(|(mu, _)| *mu);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let (width, height) = CURVE;
    let point = |(index, mu): (usize, f64)| {
        let x = width * index as f64 / (steps.len() - 1) as f64;
        let y = if high > low { (height - 4.0) * (high - mu) / (high - low) + 2.0 } else { height / 2.0 };
        format!("{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" })
    };
    Some(values().enumerate().map(point).collect())
}

#[derive(Template, Clone, Debug)]
#[template(path = "people/agent.html")]
pub struct AgentPage {
    pub frame: Frame,
    pub name: String,
    /// Its owner's name, if that is another.
    pub owner: Option<String>,
    /// One for each kind.
    pub ratings: Vec<RatingRow>,
    /// One for each role in each kind.
    pub roles: Vec<RoleRow>,
    /// The last games, newest first.
    pub games: Vec<PlayedRow>,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
}

/// What was done in one role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleRow {
    pub kind: String,
    /// The role, in small letters.
    pub role: String,
    /// Whether this counts rated games, or the others.
    pub rated: bool,
    pub games: i64,
    pub wins: i64,
    pub points: i64,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedRow {
    pub id: String,
    pub kind: String,
    /// The role, in small letters.
    pub role: String,
    pub points: i64,
    /// Whether that was a win.
    pub won: bool,
    /// Whether it counts for the rating.
    pub rated: bool,
    pub at: Timestamp,
}

#[derive(Deserialize)]
pub(crate) struct WhichBoard {
    game_type: Option<String>,
    cursor: Option<String>,
}

pub(crate) async fn leaderboard(visit: Visit, Query(query): Query<WhichBoard>) -> Response {
    let page = async {
        let kind = kind_or_first(visit.house.settings.catalog, query.game_type.as_deref())?;
        let board = api::board(&visit.house, kind, query.cursor.as_deref(), ROWS).await?;
        let row = |one: &Ranked| BoardRow {
            rank: one.place.rank,
            id: one.place.agent.to_string(),
            name: one.name.clone(),
            owner: Some(one.owner.clone()).filter(|owner| *owner != one.name),
            rating: RatingRow::of(&one.rating, &[]),
        };
        render(&LeaderboardPage {
            frame: visit.frame(visit.words().t("nav-leaderboard")).await,
            kind: kind.meta.name,
            kinds: visit.house.settings.catalog.iter().map(|kind| kind.meta.name).collect(),
            rows: board.ranked.iter().map(row).collect(),
            later: query.cursor.is_some(),
            next: board.next,
        })
    };
    visit.show(page.await)
}

pub(crate) async fn agent(visit: Visit, Path(id): Path<String>) -> Response {
    let page = async {
        let profile = api::profile(&visit.house, api::find(&visit.house, &id).await?).await?;
        render(&agent_page(&visit, &profile).await?)
    };
    visit.show(page.await)
}

async fn agent_page(visit: &Visit, profile: &Profile) -> Answer<AgentPage> {
    let mut ratings = Vec::new();
    for rating in &profile.ratings {
        let (id, kind) = (profile.agent.id, rating.kind.clone());
        let steps = visit.house.store.read(move |db| standings::steps(db, id, &kind, STEPS_MAX)).await?;
        ratings.push(RatingRow::of(rating, &steps));
    }
    let role = |one: &standings::Total| RoleRow {
        kind: one.kind.clone(),
        role: one.role.to_lowercase(),
        rated: one.rated,
        games: one.games,
        wins: one.wins,
        points: one.points,
    };
    let played = |one: &standings::PlayedGame| PlayedRow {
        id: one.game.to_string(),
        kind: one.kind.clone(),
        role: one.role.to_lowercase(),
        points: one.points,
        won: one.won,
        rated: one.rated,
        at: one.at,
    };
    Ok(AgentPage {
        frame: visit.frame(profile.agent.name.clone()).await,
        name: profile.agent.name.clone(),
        owner: Some(profile.agent.owner.clone()).filter(|owner| *owner != profile.agent.name),
        ratings,
        roles: profile.totals.iter().map(role).collect(),
        games: profile.games.iter().map(played).collect(),
        now: visit.house.now(),
    })
}

/// A rating as people read it.
fn strength(w: &Words, rating: &RatingRow) -> String {
    w.t2("rating-off", "mu", &rating.mu, "off", &rating.off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_needs_two_games_and_stays_in_its_frame() {
        assert_eq!(curve(&[(25.0, 8.0)]), None);
        assert_eq!(curve(&[(25.0, 8.0), (25.0, 7.0)]).as_deref(), Some("M0.0 16.0L160.0 16.0"));
        let rising = curve(&[(20.0, 8.0), (22.0, 7.0), (30.0, 6.0)]);
        assert_eq!(rising.as_deref(), Some("M0.0 30.0L80.0 24.4L160.0 2.0"));
    }
}
