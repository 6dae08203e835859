//! `moot admin`: accounts, reports, keys, IA, packs, removal. Not beside a running server, because it writes.

use super::open_alone;
use crate::api::accounts::{self as signing, Register};
use crate::corpus::packs::{self, Wish};
use crate::corpus::treasury::{self, Economy, Gift};
use crate::http::auth;
use crate::play::House;
use crate::settings::Settings;
use anyhow::{Context as _, bail};
use clap::Subcommand;
use engine::id::GameId;
use std::path::Path;
use store::Account;
use store::Store;
use store::people::accounts;
use uuid::Uuid;

#[derive(Subcommand)]
pub(super) enum Admin {
    /// Make an account that may moderate; prints its password once
    Create {
        /// How it signs in
        email: String,
        /// How others see it
        username: String,
    },
    /// Give an account a new password; prints it once
    ResetPassword {
        /// The address of the account
        email: String,
        /// Revoke its API keys too; otherwise they go on working
        #[arg(long)]
        revoke_keys: bool,
    },
    /// List reports nobody has resolved
    Reports,
    /// Resolve a report of the queue
    Resolve {
        /// The number of the report
        report: i64,
        /// What was done about it
        #[arg(default_value = "resolved")]
        resolution: String,
    },
    /// List the API keys that may report to the corpus, and which of them are trusted
    CorpusKeys,
    /// Let what this key reports count in statistics, from now on
    TrustKey {
        /// Its id, as its owner or `corpus-keys` shows it
        key: Uuid,
    },
    /// Let what this key reports count for nothing, from now on
    UntrustKey {
        /// The id of the key
        key: Uuid,
    },
    /// Give an account some IA
    Grant {
        /// The name of the account
        username: String,
        /// How much, in IA
        amount: u64,
        /// As a bonus: spent first, and what is paid with it carries no royalty
        #[arg(long)]
        bonus: bool,
        /// What for; it stands in the account's ledger
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Take a transfer back by a new one the other way round
    Reverse {
        /// The number of the transfer
        transfer: i64,
    },
    /// Show how much IA flowed for which reason, and how much there is
    Economy,
    /// Bind the best proved defenses of a character into a pack
    Pack {
        /// The id of the case
        case: String,
        /// The id of the character
        character: String,
        /// What it costs, in IA
        #[arg(long)]
        price: Option<u64>,
        /// What it is called; if left out, it is named in the reader's language
        #[arg(long)]
        name: Option<String>,
        /// What is in it; if left out, likewise
        #[arg(long)]
        description: Option<String>,
    },
    /// Remove what was said in a game, leaving a tombstone that verify accepts
    Forget {
        game: GameId,
        #[arg(long, default_value = "request")]
        reason: String,
    },
}

pub(super) fn run(command: Admin, directory: &Path) -> anyhow::Result<()> {
    let (_lock, store) = open_alone(directory)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let done = act(command, &store).await;
        store.stop().await;
        done
    })
}

async fn act(command: Admin, store: &Store) -> anyhow::Result<()> {
    let house = House::new(store.clone(), Settings::default(), crate::minds::drive_on);
    let now = house.now();
    match command {
        Admin::Create { email, username } => {
            let password = auth::new_secret("").map_err(said)?[..20].to_owned();
            let body = Register { email, username, password: password.clone() };
            signing::create(&house, &body, true).await.map_err(said)?;
            println!("password: {password}");
        }
        Admin::ResetPassword { email, revoke_keys } => {
            let wanted = email.trim().to_lowercase();
            let account = store.read(move |db| Account::by_email(db, &wanted)).await?;
            let account = account.with_context(|| format!("there is no account with the address {email}"))?;
            let password = auth::new_secret("").map_err(said)?[..20].to_owned();
            let hash = auth::hash_password(password.clone()).await.map_err(said)?;
            let reset = move |db: &_| {
                accounts::set_password(db, account.id, &hash)?;
                if revoke_keys { accounts::revoke_api_keys(db, account.id, now) } else { Ok(()) }
            };
            store.write(reset).await?;
            println!("password: {password}");
        }
        Admin::Reports => {
            for report in store.read(accounts::open_reports).await? {
                println!(
                    "{:>5}  {}  game {}  {}  {}",
                    report.n, report.created_at, report.game_id, report.target, report.reason
                );
            }
        }
        Admin::Resolve { report, resolution } => {
            if !store.write(move |db| accounts::resolve_report(db, report, &resolution, now)).await? {
                bail!("there is no open report {report}");
            }
        }
        Admin::CorpusKeys => {
            for key in store.read(accounts::reporters).await? {
                let trusted = if key.trusted { "trusted" } else { "-" };
                println!("{}  {trusted:<8} {}  {}", key.id, key.owner, key.label);
            }
        }
        Admin::TrustKey { key } => trust(store, key, true).await?,
        Admin::UntrustKey { key } => trust(store, key, false).await?,
        Admin::Grant { username, amount, bonus, note } => {
            let gift = Gift { username, amount, bonus, note };
            let given = treasury::grant(store, gift, None, now).await.map_err(said)?;
            println!("{}", String::from_utf8_lossy(&given));
        }
        Admin::Reverse { transfer } => {
            let by = treasury::reverse(store, transfer, now).await.map_err(said)?;
            println!("transfer {transfer} is taken back by transfer {}", by.0);
        }
        Admin::Economy => economy(&treasury::economy(store).await.map_err(said)?),
        Admin::Pack { case, character, price, name, description } => {
            let wish = Wish { case_id: case, character_id: character, price, name, description };
            let made = packs::make(store, wish, None, None, now).await.map_err(said)?;
            let before = if made.made_before { "; it was made before, and nothing was changed" } else { "" };
            println!("{}: {}, {} defenses, {} IA{before}", made.pack_id, made.name, made.defenses, made.price_ia);
        }
        Admin::Forget { game, reason } => {
            if !store.forget(game, reason, now).await? {
                bail!("there is no game {game}");
            }
            println!("removed; a tombstone is left");
        }
    }
    Ok(())
}

async fn trust(store: &Store, key: Uuid, trusted: bool) -> anyhow::Result<()> {
    if !store.write(move |db| accounts::trust_key(db, key, trusted)).await? {
        bail!("there is no key {key} with the scope \"corpus\"");
    }
    println!("what it reports {} from now on", if trusted { "counts" } else { "counts for nothing" });
    Ok(())
}

fn economy(economy: &Economy) {
    println!("{:<18} {:>10} {:>12} {:>12}", "reason", "transfers", "minted", "taken");
    for flow in &economy.flows {
        println!("{:<18} {:>10} {:>12} {:>12}", flow.reason.word(), flow.transfers, flow.minted, flow.taken);
    }
    let transfers: u64 = economy.flows.iter().map(|flow| flow.transfers).sum();
    println!("{:<18} {transfers:>10} {:>12} {:>12}", "all", economy.minted, economy.taken);
    println!("in circulation: {} IA; the house has {}", economy.circulation, economy.house);
}

fn said(problem: crate::problem::Problem) -> anyhow::Error {
    anyhow::anyhow!(problem.detail)
}
