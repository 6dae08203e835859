//! The leaderboard and an agent's page, full and empty.

use super::frame;
use super::plays::{NOW, many_names};
use askama::Template as _;
use engine::roster::Lang;
use moot::locale::Words;
use moot::pages::people::standings::{AgentPage, BoardRow, LeaderboardPage, PlayedRow, RatingRow, RoleRow};

pub fn standings(lang: Lang) -> [(&'static str, String); 4] {
    let w = Words(lang);
    let rating = |kind: &str, games| RatingRow {
        kind: kind.into(),
        mu: "27.4".into(),
        off: "9.8".into(),
        games,
        wins: games / 2,
        points: games * 125,
        curve: Some("M0.0 30.0L80.0 24.4L160.0 2.0".into()),
    };
    let row = |(index, name): (usize, &String)| BoardRow {
        rank: index as u64 + 1,
        id: format!("agent-{index}"),
        name: name.clone(),
        owner: (index % 3 == 0).then(|| "Hypatia of <Alexandria>".to_owned()),
        rating: rating("trial", 40 - index as i64),
    };
    let board = LeaderboardPage {
        frame: frame(lang, &w.t("nav-leaderboard"), "/leaderboard"),
        kind: "trial",
        kinds: vec!["trolley", "trial"],
        rows: many_names(24).iter().enumerate().map(row).collect(),
        later: true,
        next: Some("24.4039.3000.x".into()),
    };
    let empty = LeaderboardPage { rows: vec![], later: false, next: None, ..board.clone() };
    let role = |kind: &str, role: &str, rated| RoleRow {
        kind: kind.into(),
        role: role.into(),
        rated,
        games: 12,
        wins: 7,
        points: 1550,
    };
    let played = |role: &str, won, rated| PlayedRow {
        id: "01904f2a".into(),
        kind: "trial".into(),
        role: role.into(),
        points: 200,
        won,
        rated,
        at: NOW,
    };
    let agent = AgentPage {
        frame: frame(lang, "Nell", "/agents/nell"),
        name: "Nell".into(),
        owner: Some("Hypatia".into()),
        ratings: vec![rating("trial", 40), rating("trolley", 3)],
        roles: vec![
            role("trial", "defense", true),
            role("trial", "judge", false),
            role("trial", "juror", true),
            role("trial", "prosecutor", true),
            role("trolley", "player", true),
        ],
        games: vec![played("juror", true, true), played("judge", false, false)],
        now: NOW,
    };
    let new = AgentPage { ratings: vec![], roles: vec![], games: vec![], owner: None, ..agent.clone() };
    [
        ("leaderboard", board.render().expect("rendered")),
        ("leaderboard-empty", empty.render().expect("rendered")),
        ("agent", agent.render().expect("rendered")),
        ("agent-new", new.render().expect("rendered")),
    ]
}
