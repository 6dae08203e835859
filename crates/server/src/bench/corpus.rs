//! The corpus at a size that no house has yet: what a mind, a page and the nightly job wait for.

use super::Row;
use super::process::{forget_peak, peak};
use super::tables::{Scratch, block_on};
use crate::corpus::nightly::{self, Night};
use crate::play::house::wall_clock;
use anyhow::Context as _;
use engine::chance::Draw;
use engine::roster::Lang;
use games::tribunal::docket::docket;
use std::time::{Duration, Instant};
use store::Store;
use store::StoreError;
use store::bench::corpus::{Size, count_some, fill};
use store::corpus;
use store::corpus::market::{Listed, Place, Sort, Wanted, page};

/// Uses, and as many defenses, by default.
pub(super) const EVENTS: u32 = 1_000_000;
/// Look-ups behind each 99th percentile.
const LOOKS: usize = 4_000;
/// Events counted in one transaction, and how many transactions.
const COUNTED: (usize, usize) = (512, 40);
const PAGE: usize = 50;

const STRUCK_MS_MAX: f64 = 1.0;
const PAGE_MS_MAX: f64 = 10.0;
const RECOMPUTED_PER_S_MIN: f64 = 250_000.0;
const COUNTED_US_MAX: f64 = 50.0;
const NIGHT_S_MAX: f64 = 60.0;
const NIGHT_MB_MAX: f64 = 200.0;

/// The orders of the market and what their rows are called.
const ORDERS: [(Sort, &str); 6] = [
    (Sort::Effectiveness, "market-effectiveness"),
    (Sort::Recency, "market-recency"),
    (Sort::Uses, "market-uses"),
    (Sort::Ia, "market-ia"),
    (Sort::Lands, "market-lands"),
    (Sort::Newest, "market-newest"),
];

/// Fills a database once and measures everything in it.
pub(super) fn rows(events: usize) -> anyhow::Result<Vec<Row>> {
    let scratch = Scratch::new("corpus")?;
    let people = docket()
        .cases(Lang::En)
        .iter()
        .flat_map(|case| case.characters.iter().map(|character| (case.case_id.clone(), character.id.clone())));
    let size = Size { events, pairs: people.collect() };
    let mut draw = Draw::from_number(7);
    let started = Instant::now();
    fill(&scratch.0, &size, &mut draw)?;
    println!(
        "corpus: {events} uses of {} arguments and {events} defenses, filled in {:.0} s",
        size.arguments(),
        started.elapsed().as_secs_f64()
    );
    let store = crate::play::records::open(&scratch.0)?;
    let mut rows = vec![recompute(&store)?, recompute_again(&store)?];
    rows.extend(night(&store)?);
    rows.push(struck(&store, &size, &mut draw)?);
    for (sort, name) in ORDERS {
        rows.push(market(&store, &size, sort, name, &mut draw)?);
    }
    rows.push(counters(&store, &size, draw)?);
    block_on(async {
        store.stop().await;
        Ok(())
    })?;
    Ok(rows)
}

/// The first time, when every row has to be changed.
fn recompute(store: &Store) -> anyhow::Result<Row> {
    let started = Instant::now();
    let done = block_on(async { Ok(nightly::recompute(store).await?) })?;
    let rate = done.events as f64 / started.elapsed().as_secs_f64();
    anyhow::ensure!(done.changed > 0, "there was something to work out");
    let against = format!("250,000 events/s; {} rows were changed", done.changed);
    Ok(Row::rate("recompute", "events/s", rate, RECOMPUTED_PER_S_MIN, against, 1.0))
}

/// The whole nightly job, the first time there are titles to hand over, packs to make and cases to count: how long it takes, and how much
/// more memory than before.
fn night(store: &Store) -> anyhow::Result<[Row; 2]> {
    let before = forget_peak()?;
    let started = Instant::now();
    let at = wall_clock();
    let done = block_on(async { Ok(nightly::run(store, at).await?) })?;
    let (took, grown) = (started.elapsed().as_secs_f64(), (peak()? - before) / 1e6);
    anyhow::ensure!(done.titles > 0 && done.digests > 0, "there was something to do");
    let Night { titles, packs, digests, .. } = done;
    let against = format!("60 s; {titles} titles, {packs} packs, {digests} digests");
    Ok([
        Row::cost("night", "s", took, NIGHT_S_MAX, against, 1.0),
        Row::cost("night-memory", "MB", grown.max(0.1), NIGHT_MB_MAX, "200 MB more than before it", 1.0),
    ])
}

/// Any other night, when few rows or none have changed.
fn recompute_again(store: &Store) -> anyhow::Result<Row> {
    let started = Instant::now();
    let done = block_on(async { Ok(nightly::recompute(store).await?) })?;
    let rate = done.events as f64 / started.elapsed().as_secs_f64();
    anyhow::ensure!(done.changed == 0, "what was worked out stays");
    Ok(Row::rate(
        "recompute-again",
        "events/s",
        rate,
        RECOMPUTED_PER_S_MIN,
        "250,000 events/s; nothing has changed",
        1.0,
    ))
}

/// What goes into the prompt of a mind that must meet an attack; popular attacks are met more often.
fn struck(store: &Store, size: &Size, draw: &mut Draw) -> anyhow::Result<Row> {
    let attacks: Vec<usize> = (0..LOOKS).map(|_| size.popular(draw)).collect();
    let ms = p99(store, attacks.into_iter(), |db, n| {
        corpus::recall(db, n as i64, &size.pair(n).1).map(|known| known.struck.len())
    })?;
    Ok(Row::cost("struck", "ms", ms, STRUCK_MS_MAX, "1 ms for the 99th of a hundred look-ups", 1.0))
}

/// Pages of fifty from anywhere in the order, both ways round: all of the market, one case, one character.
fn market(store: &Store, size: &Size, sort: Sort, name: &'static str, draw: &mut Draw) -> anyhow::Result<Row> {
    let mut wanted = Vec::with_capacity(LOOKS);
    for _ in 0..LOOKS {
        let (case, character) = draw.pick(&size.pairs).clone();
        let against = match draw.below(3) {
            0 => vec![],
            1 => size.pairs.iter().filter(|(other, _)| *other == case).cloned().collect(),
            _ => vec![(case, character)],
        };
        let descending = draw.odds(1, 2);
        let page = Wanted {
            sort,
            descending,
            against,
            featured: false,
            untried: false,
            after: None,
            limit: PAGE,
            viewer: None,
        };
        wanted.push(Wanted { after: (!draw.odds(1, 3)).then(|| anywhere(store, &page, draw)).transpose()?, ..page });
    }
    let ms = p99(store, wanted.into_iter(), |db, wanted| page(db, &wanted).map(|page| page.len()))?;
    Ok(Row::cost(name, "ms", ms, PAGE_MS_MAX, "10 ms for the 99th of a hundred pages", 1.0))
}

/// A place somewhere in the order, at a random value between the least and the greatest.
fn anywhere(store: &Store, page_: &Wanted, draw: &mut Draw) -> anyhow::Result<Place> {
    let ends = |descending: bool| {
        let first = Wanted { descending, limit: 1, ..page_.clone() };
        store.read_now(|db| page(db, &first)).map(|found: Vec<Listed>| found.first().map(|one| one.place))
    };
    let (Some(least), Some(most)) = (ends(false)?, ends(true)?) else { anyhow::bail!("an empty market") };
    let between = (most.value - least.value).max(1) as usize;
    let value = least.value + draw.below(between) as i64;
    let n = draw.below(most.n.max(least.n) as usize) as i64;
    Ok(Place { value, n })
}

fn counters(store: &Store, size: &Size, mut draw: Draw) -> anyhow::Result<Row> {
    let (each, times) = COUNTED;
    let mut took = Duration::ZERO;
    block_on(async {
        for _ in 0..times {
            let (size, mut chance) = (size.clone(), Draw::from_number(draw.bits()));
            took += store.write(move |db| count_some(db, &size, &mut chance, each)).await?;
        }
        Ok(())
    })?;
    let us = took.as_secs_f64() * 1e6 / (each * times) as f64;
    Ok(Row::cost("counters", "µs", us, COUNTED_US_MAX, "50 µs for the counters of one event, inside its commit", 1.0))
}

/// The 99th percentile in milliseconds. Something must be found, or nothing was measured.
fn p99<T>(
    store: &Store,
    asked: impl Iterator<Item = T>,
    look: impl Fn(&store::Db, T) -> Result<usize, StoreError>,
) -> anyhow::Result<f64> {
    let mut found = 0;
    let mut times: Vec<Duration> = Vec::new();
    for one in asked {
        let started = Instant::now();
        found += store.read_now(|db| look(db, one))?;
        times.push(started.elapsed());
    }
    anyhow::ensure!(found > 0, "nothing was found");
    times.sort_unstable();
    let place = times.len() * 99 / 100;
    times.get(place).map(|time| time.as_secs_f64() * 1e3).context("nothing was asked")
}
