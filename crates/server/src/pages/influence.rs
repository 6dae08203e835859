//! What decided a finished game: each speech with a bar for every hearer it moved, and how the game would have ended without it.

use crate::http::extract::{Path, game_id};
use crate::locale::Words;
use crate::locale::lang_of;
use crate::pages::shared::faces;
use crate::pages::shared::frame::Frame;
use crate::pages::shared::record::heard_sentence;
use crate::pages::{Visit, render};
use crate::play::influence::{seen, why_not};
use crate::play::live;
use crate::problem::Answer;
use askama::Template;
use axum::response::Response;
use engine::erased::AnyGame;
use engine::id::Inner;
use engine::influence::{Influence, Level, Without};
use engine::parts::transcript::Entry;
use std::collections::BTreeMap;

/// How many speeches are shown, those that moved most, so that the page stays light.
const SPEECHES_MAX: usize = 60;
/// How much of a speech is quoted, in characters.
const QUOTE_LEN_MAX: usize = 220;
/// How wide the longest bar is, out of a hundred.
const BAR_MAX: i32 = 48;

/// `GET /games/{id}/influence`. Speeches that moved nobody are left out.
#[derive(Template)]
#[template(path = "influence.html")]
struct InfluencePage {
    frame: Frame,
    game_id: String,
    kind: &'static str,
    reason: Option<&'static str>,
    speeches: Vec<SpeechRow>,
    left_out: usize,
}

/// One speech, and what it moved.
struct SpeechRow {
    id: String,
    seq: u64,
    name: String,
    role: Option<&'static str>,
    lang: &'static str,
    quote: String,
    heard: String,
    bars: Vec<Bar>,
    without: Vec<String>,
    turns: bool,
}

/// By how much one hearer was moved.
struct Bar {
    who: String,
    /// Where it begins and how long it is, out of a hundred.
    x: i32,
    width: i32,
    side: &'static str,
}

pub(crate) async fn show(visit: Visit, Path(id): Path<String>) -> Response {
    let page = async { page(&visit, &id).await.and_then(|page| render(&page)) };
    visit.show(page.await)
}

async fn page(visit: &Visit, id: &str) -> Answer<InfluencePage> {
    let table = live::table(&visit.house, game_id(id)?).await?;
    let shown = table.shown();
    let game = shown.game.as_ref();
    let (found, said) = seen(&visit.house, &table, visit.caller.viewer(game), Level::Revote).await?;
    let w = visit.words();
    let mut page = InfluencePage {
        frame: visit.frame(w.t("influence-title")).await,
        game_id: table.id.to_string(),
        kind: game.kind(),
        reason: None,
        speeches: vec![],
        left_out: 0,
    };
    match &found {
        Ok(influence) => (page.speeches, page.left_out) = rows(&w, game, influence, &said),
        Err(unknown) => page.reason = Some(why_not(unknown)?),
    }
    Ok(page)
}

/// The speeches that moved anybody, in their order, and how many were left out.
fn rows(w: &Words, game: &dyn AnyGame, influence: &Influence, said: &[Entry]) -> (Vec<SpeechRow>, usize) {
    let moved = |without: &Without| sums(without).values().map(|sum| sum.abs()).sum::<i32>();
    let most = influence.speeches.iter().flat_map(|without| sums(without).into_values()).map(i32::abs).max();
    let mut moving: Vec<(&Without, &Entry)> = influence
        .speeches
        .iter()
        .filter(|without| moved(without) > 0 || !without.decisions.is_empty())
        .filter_map(|without| Some((without, said.iter().find(|entry| entry.seq == without.speech)?)))
        .collect();
    moving.sort_by_key(|(without, _)| std::cmp::Reverse(moved(without)));
    let left_out = moving.len().saturating_sub(SPEECHES_MAX);
    moving.truncate(SPEECHES_MAX);
    moving.sort_by_key(|(without, _)| without.speech);
    let face = faces::of(game.kind());
    let row = |(without, entry): (&Without, &Entry)| {
        let text = entry.line.text.as_deref().unwrap_or_default();
        let (without_it, turns) = (face.without)(w, game, &influence.outcome, without);
        SpeechRow {
            id: Inner::Argument.name(game.id(), without.speech.0),
            seq: without.speech.0,
            name: game.roster().name(without.by).to_owned(),
            role: game.role(without.by).filter(|_| face.look.tells_roles),
            lang: lang_of(text),
            quote: quoted(text),
            heard: heard_sentence(w, &game.heard(entry).unwrap_or_default()),
            bars: bars(w, game, without, most.unwrap_or(1).max(1)),
            without: without_it,
            turns,
        }
    };
    (moving.into_iter().map(row).collect(), left_out)
}

/// What a speech added to the leanings of each hearer.
fn sums(without: &Without) -> BTreeMap<&str, i32> {
    let mut sums = BTreeMap::new();
    for moved in &without.leans {
        *sums.entry(moved.lean.who.as_str()).or_default() += moved.lean.value - moved.without;
    }
    sums
}

fn bars(w: &Words, game: &dyn AnyGame, without: &Without, most: i32) -> Vec<Bar> {
    let mut sums: Vec<(&str, i32)> = sums(without).into_iter().filter(|(_, sum)| *sum != 0).collect();
    // Hearers without seats are numbered.
    sums.sort_by_key(|(who, _)| who.parse::<u32>().unwrap_or(0));
    let face = faces::of(game.kind());
    let bar = |(who, sum): (&str, i32)| {
        let width = (sum.abs() * BAR_MAX / most).max(1);
        let (x, side) = if sum > 0 { (50, "first") } else { (50 - width, "second") };
        Bar { who: (face.who_leans)(w, game, who), x, width, side }
    };
    sums.into_iter().map(bar).collect()
}

fn quoted(text: &str) -> String {
    if text.chars().count() <= QUOTE_LEN_MAX {
        return text.to_owned();
    }
    let cut: String = text.chars().take(QUOTE_LEN_MAX).collect();
    format!("{}…", cut.rsplit_once(char::is_whitespace).map_or(cut.as_str(), |(whole, _)| whole))
}
