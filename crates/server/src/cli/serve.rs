//! `moot serve`.

use super::{LogFormat, OpenTables, Serve, Switch};
use crate::api::system::install_metrics;
use crate::corpus::nightly;
use crate::corpus::screening;
use crate::corpus::treasury;
use crate::http::listen;
use crate::minds::demo;
use crate::play::House;
use crate::play::influence;
use crate::routes;
use crate::settings::Clock;
use crate::settings::Journal;
use crate::settings::Settings;
use crate::settings::limits::LimitTable;
use crate::settings::minds::MindSettings;
use crate::settings::terms;
use anyhow::Context as _;
use std::path::Path;
use std::time::Duration;
use store::Store;
use store::games::mind_calls;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

/// Games kept playing for visitors: one of each kind.
const DEMO_TABLES: usize = games::catalog::KINDS.len();
/// How long requests in flight may take once the server stops.
const GRACE: Duration = Duration::from_secs(8);

pub(super) fn run(serve: &Serve, data: &Path) -> anyhow::Result<()> {
    let minds = serve.minds.settings()?;
    let limits = table(serve.limits.as_deref(), LimitTable::read)?;
    let terms = table(serve.terms.as_deref(), terms::read)?;
    start_log(serve.log);
    if let Some(directory) = &serve.briefs {
        crate::briefs::add(directory)?;
    }
    install_metrics();
    listen::raise_open_files();
    let _lock = super::lock(data)?;
    let store = crate::play::records::open_under(data, terms)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(listen(serve, minds, limits, store))?;
    runtime.shutdown_timeout(Duration::from_millis(500));
    Ok(())
}

fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second server in one process (a test) keeps the first one's log.
    let _ = match format {
        LogFormat::Json => subscriber.json().try_init(),
        LogFormat::Pretty => subscriber.try_init(),
    };
}

/// The usual table, or that of a file.
fn table<T: Default>(file: Option<&Path>, read: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<T> {
    let Some(file) = file else { return Ok(T::default()) };
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    read(&text).map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))
}

async fn listen(serve: &Serve, minds: MindSettings, limits: LimitTable, store: Store) -> anyhow::Result<()> {
    let listener = TcpListener::bind(serve.listen)
        .await
        .with_context(|| format!("cannot listen on {}; choose another address with --listen", serve.listen))?;
    let address = listener.local_addr()?;
    let settings = Settings {
        catalog: games::catalog::CATALOG,
        listen: address,
        open_tables: match serve.open_tables {
            OpenTables::On => true,
            OpenTables::Off => false,
            OpenTables::Auto => address.ip().is_loopback(),
        },
        demo_tables: if serve.demo == Switch::On { DEMO_TABLES } else { 0 },
        public_url: serve.public_url.clone(),
        trusted_proxy: serve.trusted_proxy,
        limits,
        clock: Clock::default(),
        limit_loopback: serve.limit_loopback,
        journal: match serve.log {
            LogFormat::Json => Journal::Json,
            LogFormat::Pretty => Journal::Pretty,
        },
        minds,
        moderation_url: serve.moderation_url.clone(),
    };
    store.write(|db| mind_calls::cut(db).map(drop)).await?;
    let house = House::new(store, settings, crate::minds::drive_on);
    tokio::spawn(demo::keep(house.clone()));
    tokio::spawn(nightly::keep(house.clone()));
    tokio::spawn(screening::keep(house.clone()));
    tokio::spawn(treasury::keep_paying(house.clone()));
    tokio::spawn(influence::keep(house.clone()));
    eprintln!("Moot is open at http://{address}");
    serve_until(house, listener, stop_signal()).await
}

/// Serves until `stop` comes, then finishes what is in flight.
pub async fn serve_until(
    house: House,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let app = routes::all(house.clone());
    let stopping = house.clone();
    let served = listen::serve(&house, listener, app, async move {
        stop.await;
        stopping.stop();
    });
    let mut stopped = house.stopping.subscribe();
    let overdue = async {
        let _ = stopped.wait_for(|stopping| *stopping).await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = served => {}
        () = overdue => tracing::warn!("some requests were still open and are cut off"),
    }
    house.store.stop().await;
    Ok(())
}

async fn stop_signal() {
    let mut terminate = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => {
            tracing::error!(%error, "cannot listen for SIGTERM");
            return std::future::pending().await;
        }
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}
