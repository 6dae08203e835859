//! The command line. `moot` alone is `moot serve`.

mod admin;
mod hear;
mod minds;
mod records;
mod serve;
pub mod simulate;

use anyhow::Context as _;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use engine::id::GameId;
use std::fs::{File, TryLockError};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use store::Store;

#[derive(Parser)]
#[command(name = "moot", version, about = "One arena for argument games between people and AI agents")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server (the default)
    Serve(Serve),
    /// Play whole games in process with house minds and check the laws
    Simulate(simulate::Simulate),
    /// Re-run logs and check hashes, snapshots and transcripts
    Verify {
        /// Check only this game
        #[arg(long)]
        game: Option<GameId>,
        /// Also check the pages and indexes of the database file, which takes longer
        #[arg(long)]
        integrity: bool,
    },
    /// Print a game as a readable transcript
    Replay {
        /// Which game
        game: GameId,
        /// Only up to this event
        #[arg(long)]
        to: Option<u64>,
    },
    /// Copy the database into a new file, also while the server runs
    Backup {
        /// The file to write; it must not exist yet
        file: PathBuf,
    },
    /// Do what the server does every night: effectiveness and decay from the events, titles, packs, public figures
    Recompute,
    /// Print every call to a language model in a game: what it was asked, what it answered, what it cost
    Traces {
        /// Which game
        game: GameId,
        /// One JSON object per line, with whole prompts
        #[arg(long)]
        json: bool,
    },
    /// Teach the ear of house minds, judge it, and ask it what it hears
    Hear {
        #[command(subcommand)]
        command: hear::Hear,
    },
    /// Measure Moot against its limits
    Bench(crate::bench::Bench),
    /// Look after accounts, reports and games
    Admin {
        #[command(subcommand)]
        command: admin::Admin,
    },
}

/// Taken before and after a command, with one meaning.
#[derive(Args, Clone)]
struct Data {
    /// The data directory
    #[arg(long = "data", env = "MOOT_DATA", default_value = "./data", global = true)]
    directory: PathBuf,
}

#[derive(Args, Clone)]
struct Serve {
    /// Where to listen
    #[arg(long, env = "MOOT_LISTEN", default_value = "127.0.0.1:8000")]
    listen: SocketAddr,
    /// A directory with content of your own: trial/*.json and tribunal/*.json are cases
    #[arg(long, env = "MOOT_BRIEFS")]
    briefs: Option<PathBuf>,
    /// Whether tables play themselves for visitors
    #[arg(long, env = "MOOT_DEMO", value_enum, default_value = "on")]
    demo: Switch,
    /// Whether tables may be made without a credential; auto means only while listening on loopback
    #[arg(long, env = "MOOT_OPEN_TABLES", value_enum, default_value = "auto")]
    open_tables: OpenTables,
    #[command(flatten)]
    minds: minds::Options,
    /// How transitions and messages are written
    #[arg(long, env = "MOOT_LOG", value_enum, default_value = "json")]
    log: LogFormat,
    /// The address that people use, if there is a proxy in front
    #[arg(long, env = "MOOT_PUBLIC_URL", value_parser = web_address)]
    public_url: Option<String>,
    /// The proxy whose X-Forwarded-For is believed
    #[arg(long, env = "MOOT_TRUSTED_PROXY")]
    trusted_proxy: Option<IpAddr>,
    /// A moderation service that is asked about words before they are listed or reach a prompt
    #[arg(long, env = "MOOT_MODERATION_URL", value_parser = web_address)]
    moderation_url: Option<String>,
    /// A TOML file with limits that differ from the usual ones; docs/operations.md lists them
    #[arg(long, env = "MOOT_LIMITS")]
    limits: Option<PathBuf>,
    /// A TOML file with terms of the economy that differ from the usual ones; docs/economy.md lists them
    #[arg(long, env = "MOOT_TERMS")]
    terms: Option<PathBuf>,
    /// Limit requests from this machine too
    #[arg(long, env = "MOOT_LIMIT_LOOPBACK")]
    limit_loopback: bool,
}

fn web_address(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    if is_web { Ok(text.to_owned()) } else { Err("it must begin with http:// or https://".to_owned()) }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OpenTables {
    Auto,
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Json,
    Pretty,
}

/// Runs what the command line asks for.
pub fn run() -> anyhow::Result<()> {
    let matches = Cli::command().get_matches();
    refuse_misplaced(&matches);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let data = cli.data.directory.as_path();
    match cli.command {
        None => serve::run(&cli.serve, data),
        Some(Command::Serve(serve)) => serve::run(&serve, data),
        Some(Command::Simulate(simulate)) => simulate::run(&simulate),
        Some(Command::Verify { game, integrity }) => records::verify(data, game, integrity),
        Some(Command::Replay { game, to }) => records::replay(data, game, to),
        Some(Command::Backup { file }) => records::backup(data, &file),
        Some(Command::Recompute) => records::recompute(data),
        Some(Command::Traces { game, json }) => minds::traces(data, game, json),
        Some(Command::Hear { command }) => hear::run(&command, data),
        Some(Command::Bench(bench)) => crate::bench::run(&bench),
        Some(Command::Admin { command }) => admin::run(command, data),
    }
}

/// Refuses an option of `serve` that stands before another command, where it would mean nothing.
fn refuse_misplaced(matches: &ArgMatches) {
    let Some((command, _)) = matches.subcommand() else { return };
    let given = |id: &&str| *id != "directory" && matches.value_source(id) == Some(ValueSource::CommandLine);
    let ids: Vec<&str> = matches.ids().map(clap::Id::as_str).filter(|id| *id != "Serve" && *id != "Data").collect();
    if let Some(misplaced) = ids.into_iter().find(given) {
        let option = misplaced.replace('_', "-");
        let said = format!("--{option} is an option of `moot serve`; it means nothing before `{command}`");
        Cli::command().error(clap::error::ErrorKind::ArgumentConflict, said).exit();
    }
}

/// Locks the data directory for one server, until the returned handle is dropped. The lock is on the directory itself: a file in it could be
/// deleted, and the next server would lock another one of that name.
fn lock(directory: &Path) -> anyhow::Result<File> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let handle = File::open(directory).with_context(|| format!("cannot open {}", directory.display()))?;
    match handle.try_lock() {
        Ok(()) => Ok(handle),
        Err(TryLockError::WouldBlock) => anyhow::bail!(
            "another moot server is using {}; stop it first, or choose another directory with --data",
            directory.display()
        ),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", directory.display())),
    }
}

/// Opens the store for a command that writes, which must not run beside a server.
fn open_alone(directory: &Path) -> anyhow::Result<(File, Store)> {
    let lock = lock(directory)?;
    Ok((lock, crate::play::records::open(directory)?))
}
