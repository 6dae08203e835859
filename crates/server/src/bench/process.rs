//! The process itself: memory of an idle game, and how soon a new server answers.

use super::Row;
use super::record::halfway;
use super::tables::{Scratch, block_on};
use crate::play::House;
use crate::play::live;
use crate::settings::Settings;
use anyhow::{Context as _, bail};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const IDLE_GAMES: usize = 4_000;
const IDLE_BYTES_MAX: f64 = 16.0 * 1024.0;
const START_MS_MAX: f64 = 150.0;
/// Starts measured; the median counts.
const STARTS: usize = 7;

pub(super) fn memory() -> anyhow::Result<Row> {
    let scratch = Scratch::new("memory")?;
    let store = crate::play::records::open(&scratch.0)?;
    let bytes = block_on(async {
        let mut ids = Vec::new();
        for number in 0..IDLE_GAMES {
            let (commit, game) = halfway(number)?;
            ids.push(game.id());
            store.commit(commit).await?;
        }
        let house = House::new(store, Settings::default(), crate::minds::drive_on);
        // One look at one game first, so that what is shared is not counted.
        let look = async |id| {
            let table = live::table(&house, id).await.map_err(|problem| anyhow::anyhow!(problem.detail))?;
            let view = table.view(&house, &table.shown(), engine::rules::Viewer::Spectator).await;
            view.map(drop).map_err(|problem| anyhow::anyhow!(problem.detail))
        };
        let (first, rest) = ids.split_first().context("games")?;
        look(*first).await?;
        let before = resident()?;
        for id in rest {
            look(*id).await?;
        }
        Ok((resident()? - before) / rest.len() as f64)
    })?;
    Ok(Row::cost("memory", "bytes", bytes, IDLE_BYTES_MAX, "16 KiB for one idle live game", 1.0))
}

/// Bytes of this process in memory.
fn resident() -> anyhow::Result<f64> {
    status("VmRSS:")
}

/// The most it had in memory since [`forget_peak`].
pub(super) fn peak() -> anyhow::Result<f64> {
    status("VmHWM:")
}

/// Resets the peak, and returns what is in memory now.
pub(super) fn forget_peak() -> anyhow::Result<f64> {
    std::fs::write("/proc/self/clear_refs", "5")?;
    resident()
}

fn status(field: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)).with_context(|| field.to_owned())?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? * 1024.0)
}

pub(super) fn start() -> anyhow::Result<Row> {
    let mut times = (0..STARTS).map(one_start).collect::<anyhow::Result<Vec<_>>>()?;
    times.sort_by(f64::total_cmp);
    Ok(Row::cost(
        "start",
        "ms",
        times[STARTS / 2],
        START_MS_MAX,
        "150 ms from start to first answer, empty database",
        1.0,
    ))
}

fn one_start(number: usize) -> anyhow::Result<f64> {
    let scratch = Scratch::new(&format!("start-{number}"))?;
    let free = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let started = Instant::now();
    let mut server = Command::new(std::env::current_exe()?)
        .args(["serve", "--listen", &free.to_string(), "--data"])
        .arg(scratch.0.join("data"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let answered = loop {
        if started.elapsed() > Duration::from_secs(20) {
            break Err(anyhow::anyhow!("no answer in 20 s"));
        }
        match ask(free) {
            Ok(()) => break Ok(started.elapsed().as_secs_f64() * 1000.0),
            Err(_) => std::thread::yield_now(),
        }
    };
    server.kill()?;
    server.wait()?;
    answered
}

fn ask(address: std::net::SocketAddr) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if !answer.starts_with("HTTP/1.1 200") {
        bail!("{answer}");
    }
    Ok(())
}
