//! `moot verify`, `moot replay` and `moot backup`, which also work beside a running server, and `moot recompute`, which does not.

use crate::play::house::wall_clock;
use crate::play::records;
use anyhow::{Context as _, bail};
use engine::erased::AnyGame;
use engine::id::{GameId, Seq};
use engine::parts::transcript::Line;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Instant;
use store::GameStored;
use store::Row;
use store::StoreError;

pub(super) fn verify(directory: &Path, game: Option<GameId>, integrity: bool) -> anyhow::Result<()> {
    let connection = match records::open_to_read(directory) {
        Err(damaged @ StoreError::Damaged(_)) => bail!("BAD {damaged}"),
        opened => opened?,
    };
    if integrity {
        store::verify::integrity(&connection).map_err(|bad| anyhow::anyhow!("BAD {bad}"))?;
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {pos} events checked, {per_sec}").expect("a valid template"));
    let started = Instant::now();
    let checked =
        crate::play::records::verify(&connection, games::catalog::CATALOG, game, |events| bar.set_position(events));
    bar.finish_and_clear();
    match checked {
        Ok(checked) => {
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "ok: {} games, {} events, {} removed games ({:.0} events/s)",
                checked.games,
                checked.events,
                checked.forgotten,
                checked.events as f64 / seconds.max(0.001)
            );
            Ok(())
        }
        Err(bad) => bail!("BAD {bad}"),
    }
}

/// Not beside a running server, which does it by itself every day.
pub(super) fn recompute(directory: &Path) -> anyhow::Result<()> {
    let (_lock, store) = super::open_alone(directory)?;
    let started = Instant::now();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let done = crate::corpus::nightly::run(&store, wall_clock()).await;
        store.stop().await;
        done
    })?;
    let found = done.found;
    let rate = found.events as f64 / started.elapsed().as_secs_f64().max(0.001);
    println!("ok: {} events, {} rows, {} changed ({rate:.0} events/s)", found.events, found.rows, found.changed);
    println!("{} titles changed hands, {} packs made, {} digests changed", done.titles, done.packs, done.digests);
    Ok(())
}

pub(super) fn replay(directory: &Path, id: GameId, to: Option<u64>) -> anyhow::Result<()> {
    let connection = records::open_to_read(directory)?;
    let stored = GameStored::find(&connection, id)?.with_context(|| format!("there is no game {id}"))?;
    let kind = games::catalog::by_name(&stored.kind).context("a game of unknown kind")?;
    let mut game: Option<Box<dyn AnyGame>> = None;
    let mut last = Seq(0);
    loop {
        let rows = Row::after(&connection, stored.no, last, 1000)?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.mark.seq;
        for row in rows {
            if to.is_some_and(|to| row.mark.seq.0 > to) {
                return Ok(());
            }
            let logged = match &mut game {
                Some(game) => game.replay(row.mark, row.body, row.hash)?,
                None => {
                    let (first, logged) = (kind.replay_first)(id, stored.seed, row.mark.at, &row.body, row.hash)?;
                    game = Some(first);
                    logged
                }
            };
            if let Some(game) = &game {
                println!(
                    "{:>5}  {}  {}",
                    logged.mark.seq,
                    logged.mark.at,
                    told(game.as_ref(), logged.name, logged.line.as_ref())
                );
            }
        }
    }
}

fn told(game: &dyn AnyGame, name: &str, line: Option<&Line>) -> String {
    let Some(line) = line else { return name.to_owned() };
    let who = line.seat.map(|seat| game.roster().name(seat).to_owned());
    match (&line.text, who) {
        (Some(text), Some(who)) => format!("{who}: {text}"),
        (Some(text), None) => text.clone(),
        (None, _) => {
            let round = line.round.map(|round| format!("round {round}, ")).unwrap_or_default();
            let reason =
                line.payload.as_ref().and_then(|payload| payload.get("reason")).and_then(|reason| reason.as_str());
            let decision =
                line.payload.as_ref().and_then(|payload| payload.get("decision")).and_then(|word| word.as_str());
            let names =
                line.payload.as_ref().and_then(|payload| payload.get("display_name")).and_then(|name| name.as_str());
            let rest: Vec<&str> = [decision, names, reason].into_iter().flatten().collect();
            format!("-- {round}{name} {}", rest.join(": ")).trim_end().to_owned()
        }
    }
}

pub(super) fn backup(directory: &Path, file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        bail!("{} exists already; name a new file", file.display());
    }
    store::backup(directory, file)?;
    println!("copied to {}", file.display());
    Ok(())
}
