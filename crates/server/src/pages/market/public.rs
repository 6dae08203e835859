//! The public archive of a case, for readers who do not play: what was tried, what works, how that changed. It names no player, quotes
//! nothing, and is built once for each digest and language.

use crate::corpus::dockets::case;
use crate::corpus::dockets::characters;
use crate::http::extract::Path;
use crate::http::extract::language;
use crate::locale::Words;
use crate::pages::Visit;
use crate::pages::market::Worked;
use crate::pages::market::labels as tell;
use crate::pages::market::thrones::{character, no_case, percent};
use crate::pages::shared::frame::Frame;
use crate::play::House;
use crate::problem::{Answer, Problem};
use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use engine::chain::Hash;
use engine::roster::Lang;
use engine::time::Timestamp;
use std::cmp::Reverse;
use store::corpus::digests::{self, Best, Digest, Point, Vector};

/// Caches may keep the page for a minute without asking: short, so that nobody sees an empty case for long.
const CACHE: &str = "public, max-age=60";

#[derive(Template)]
#[template(path = "market/public.html")]
struct PublicPage {
    frame: Frame,
    case_id: String,
    case: String,
    date: String,
    digest: Digest,
    vectors: Vec<(String, String, u64, bool)>,
    defenders: Vec<(String, u64, u64)>,
    tables: [(&'static str, Vec<BestRow>); 2],
    chart: Option<Chart>,
}

/// One of the arguments that do best.
struct BestRow {
    label: String,
    name: String,
    percent: i64,
    worked: Worked,
    taken: bool,
}

/// Uses as bars, how well they went as a line, by day or by week.
struct Chart {
    bars: Vec<Bar>,
    lines: Vec<String>,
    dots: Vec<(String, String)>,
    most: u64,
    from: String,
    to: String,
    rows: Vec<(String, u64, Option<i64>)>,
}

/// A bar, with the attributes of a `<rect>`.
struct Bar {
    x: String,
    y: String,
    width: String,
    height: String,
}

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 160.0;
/// A wider bar would look like a block, and not like one of several days.
const BAR_WIDTH_MAX: f64 = 48.0;
/// How many rows the table beside the picture has; the picture shows all.
const TOLD_MAX: usize = 30;

impl Chart {
    fn of(points: &[Point]) -> Option<Chart> {
        let (first, last) = (points.first()?, points.last()?);
        let most = points.iter().map(|point| point.uses).max().unwrap_or(1).max(1);
        let each = WIDTH / points.len() as f64;
        let width = (each * 0.8).min(BAR_WIDTH_MAX);
        let bar = |(number, point): (usize, &Point)| {
            let height = point.uses as f64 / most as f64 * HEIGHT;
            Bar {
                x: format!("{:.1}", (number as f64 + 0.5) * each - width / 2.0),
                y: format!("{:.1}", HEIGHT - height),
                width: format!("{width:.1}"),
                height: format!("{height:.1}"),
            }
        };
        // A point without a use has no figure, so the line breaks there.
        let place = |(number, point): (usize, &Point)| {
            let y = HEIGHT - point.mean_e4? as f64 / 10_000.0 * HEIGHT;
            Some((format!("{:.1}", (number as f64 + 0.5) * each), format!("{y:.1}")))
        };
        let places: Vec<Option<(String, String)>> = points.iter().enumerate().map(place).collect();
        let run = |run: &[Option<(String, String)>]| {
            run.iter().flatten().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
        };
        let told = points.iter().rev().filter(|point| point.uses > 0).take(TOLD_MAX);
        Some(Chart {
            bars: points.iter().enumerate().map(bar).collect(),
            lines: places.split(Option::is_none).filter(|part| part.len() > 1).map(run).collect(),
            dots: places.iter().flatten().cloned().collect(),
            most,
            from: date(digests::moment(first.day)),
            to: date(digests::moment(last.day)),
            rows: told
                .map(|point| (date(digests::moment(point.day)), point.uses, point.mean_e4.map(percent)))
                .collect(),
        })
    }

    /// The uses, the percentage and the height of a single point, which makes no line: its figures are shown beside its bar.
    fn only(&self) -> Option<(u64, Option<i64>, &str)> {
        let [(_, uses, mean)] = self.rows[..] else { return None };
        (self.bars.len() == 1).then(|| (uses, mean, self.dots.first().map_or("0", |(_, y)| y)))
    }
}

/// The day of a moment; the same for every reader, so that one page serves all.
fn date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

pub(crate) async fn archive(visit: Visit, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let lang = language(&headers);
    let page = async {
        let case_id = case(lang, &id).ok_or_else(no_case)?.case_id.clone();
        let (html, tag) = built(&visit.house, &case_id, lang).await?;
        let cached = [
            (header::CACHE_CONTROL, CACHE.to_owned()),
            (header::ETAG, tag.clone()),
            (header::VARY, "accept-language, cookie".to_owned()),
        ];
        if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
            return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
        }
        Ok((cached, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
    };
    visit.show(page.await)
}

/// The page of the newest digest, built if it is not there yet.
async fn built(house: &House, case_id: &str, lang: Lang) -> Answer<(Bytes, String)> {
    let wanted = case_id.to_owned();
    let made_at = house.store.read(move |db| digests::made_at(db, &wanted)).await?;
    if made_at.is_none() {
        count_first(house, case_id).await?;
    }
    let key = (case_id.to_owned(), Words(lang).code());
    let known = |at: Option<Timestamp>| {
        let pages = house.built.pages.lock().expect("nobody panics while it holds the pages");
        pages.get(&key).filter(|(built, ..)| Some(*built) == at).map(|(_, html, tag)| (html.clone(), tag.clone()))
    };
    if let Some(page) = known(made_at) {
        return Ok(page);
    }
    let wanted = case_id.to_owned();
    let read = house.store.read(move |db| digests::read(db, &wanted)).await?;
    let (digest, at) = read.ok_or_else(|| Problem::ours("a digest that was just made is not there"))?;
    let html = Bytes::from(render(case_id, lang, digest, at)?);
    let tag = format!("\"{}\"", &Hash::of(&html).to_string()[..24]);
    let mut pages = house.built.pages.lock().expect("nobody panics while it holds the pages");
    pages.insert(key, (at, html.clone(), tag.clone()));
    Ok((html, tag))
}

/// Counts a case that the nightly count has not reached yet.
async fn count_first(house: &House, case_id: &str) -> Answer<()> {
    let _one_at_a_time = house.built.counting.lock().await;
    let wanted = case_id.to_owned();
    let people = characters(case_id);
    let read = house.store.read(move |db| match digests::made_at(db, &wanted)? {
        Some(_) => Ok(vec![]),
        None => digests::count(db, &[(wanted, people)]),
    });
    let (digests, now) = (read.await?, house.now());
    house.store.write(move |db| digests::keep(db, &digests, now)).await?;
    Ok(())
}

/// The page itself: a function of what was counted, and the same for everybody.
pub fn render(case_id: &str, lang: Lang, digest: Digest, at: Timestamp) -> Answer<String> {
    let case = case(lang, case_id).ok_or_else(no_case)?;
    let name = |id: &str| character(lang, case_id, id);
    let best = |rows: &[Best]| {
        let row = |one: Best| BestRow {
            label: one.label,
            name: name(&one.character_id),
            percent: percent(one.effectiveness_e4),
            worked: Worked::of(one.worked as i64, one.uses as i64),
            taken: one.taken,
        };
        one_language(lang, rows).into_iter().map(row).collect::<Vec<_>>()
    };
    let title = Words(lang).t1("public-of", "case", &case.title);
    let page = PublicPage {
        // No visitor: the page is the same for everybody.
        frame: Frame { shared: true, ..Frame::new(lang, title, format!("/case/{case_id}/archive")) },
        case_id: case_id.to_owned(),
        case: case.title.clone(),
        date: date(at),
        vectors: vectors(lang, &digest.vectors)
            .into_iter()
            .map(|one| (one.label, name(&one.character_id), one.uses, one.taken))
            .collect(),
        defenders: digest.defenders.iter().map(|one| (name(&one.character_id), one.defenses, one.proved)).collect(),
        tables: [("attack", best(&digest.attacks)), ("defense", best(&digest.defenses))],
        chart: Chart::of(&digest.trend),
        digest,
    };
    page.render().map_err(Problem::ours)
}

/// Ways to attack in the reader's language: the English and Korean labels of one thing are one row.
fn vectors(lang: Lang, counted: &[Vector]) -> Vec<Vector> {
    let mut rows: Vec<Vector> = Vec::new();
    for one in counted {
        let label = tell::label(lang, one.label.clone());
        match rows.iter_mut().find(|row| (&row.label, &row.character_id) == (&label, &one.character_id)) {
            Some(row) => {
                row.uses += one.uses;
                row.taken |= one.taken;
            }
            None => rows.push(Vector { label, ..one.clone() }),
        }
    }
    rows.sort_by_key(|row| Reverse(row.uses));
    rows
}

/// The same for what does best: the two labels are weighted by their uses, as the digest weights arguments under one label.
fn one_language(lang: Lang, counted: &[Best]) -> Vec<Best> {
    let mut rows: Vec<Best> = Vec::new();
    for one in counted {
        let label = tell::label(lang, one.label.clone());
        match rows.iter_mut().find(|row| (&row.label, &row.character_id) == (&label, &one.character_id)) {
            Some(row) => {
                let uses = (row.uses + one.uses).max(1) as i64;
                let sum = row.effectiveness_e4 * row.uses as i64 + one.effectiveness_e4 * one.uses as i64;
                row.effectiveness_e4 = (2 * sum + uses) / (2 * uses);
                row.uses += one.uses;
                row.worked += one.worked;
                row.taken |= one.taken;
            }
            None => rows.push(Best { label, ..one.clone() }),
        }
    }
    rows.sort_by_key(|row| Reverse((row.interval().0, row.uses)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_names_of_one_thing_are_one_row_in_the_readers_language() {
        let best = |label: &str, effectiveness_e4, uses| Best {
            label: label.into(),
            character_id: "law".into(),
            effectiveness_e4,
            uses,
            worked: uses,
            taken: false,
        };
        let counted =
            [best("주식의 가격", 9_000, 3), best("my own", 8_000, 2), best("the price of the shares", 5_000, 1)];
        let korean = one_language(Lang::Ko, &counted);
        assert_eq!(korean, [best("주식의 가격", 8_000, 4), best("my own", 8_000, 2)]);
        let english = one_language(Lang::En, &counted);
        assert_eq!(english, [best("the price of the shares", 8_000, 4), best("my own", 8_000, 2)]);
        let vector = |label: &str, uses| Vector { label: label.into(), character_id: "law".into(), uses, taken: false };
        let counted = [vector("my own", 5), vector("주식의 가격", 4), vector("the price of the shares", 3)];
        assert_eq!(vectors(Lang::En, &counted), [vector("the price of the shares", 7), vector("my own", 5)]);
    }

    #[test]
    fn a_chart_breaks_its_line_where_nothing_was_tried() {
        let point = |day, uses, mean_e4| Point { day, uses, mean_e4 };
        let points = [point(0, 2, Some(5_000)), point(1, 4, Some(10_000)), point(2, 0, None), point(3, 1, Some(0))];
        let chart = Chart::of(&points).expect("there are points");
        assert_eq!(chart.lines, ["75.0,80.0 225.0,0.0"]);
        assert_eq!((chart.dots.len(), chart.most), (3, 4));
        let heights: Vec<&str> = chart.bars.iter().map(|bar| bar.height.as_str()).collect();
        assert_eq!(heights, ["80.0", "160.0", "0.0", "40.0"]);
        assert_eq!((chart.from.as_str(), chart.to.as_str()), ("1970-01-01", "1970-01-04"));
        assert!(Chart::of(&[]).is_none());
    }
}
