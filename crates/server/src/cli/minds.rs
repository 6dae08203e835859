//! The options for what plays AI seats, and `moot traces`.

use crate::api::minds::shown;
use crate::play::records;
use crate::settings::minds::{Choice, Endpoint, Listed, MindSettings, Secret, dollars};
use anyhow::Context as _;
use clap::Args;
use engine::id::GameId;
use std::path::Path;
use std::time::Duration;
use store::GameStored;
use store::games::mind_calls;
use store::games::mind_calls::Micros;

const ANTHROPIC: &str = "https://api.anthropic.com";
const OPENAI: &str = "https://api.openai.com/v1";

/// How AI seats are played.
#[derive(Args, Clone)]
pub(super) struct Options {
    /// What plays AI seats: house, anthropic:MODEL or openai:MODEL
    #[arg(long, env = "MOOT_MIND", default_value = "house")]
    mind: Choice,
    /// What else tables may choose for their AI seats
    #[arg(long = "offer-mind", env = "MOOT_OFFER_MINDS", value_name = "MIND", value_delimiter = ',')]
    offered: Vec<Choice>,
    /// What a model costs in dollars per million tokens; an unlisted one is assumed to cost 5,0.5,25
    #[arg(
        long = "mind-price",
        env = "MOOT_MIND_PRICES",
        value_name = "MODEL=READ,CACHED,WRITTEN",
        value_delimiter = ';'
    )]
    prices: Vec<Listed>,
    /// The most that models may cost in one game, in dollars; house minds play the rest
    #[arg(long = "mind-limit-game", env = "MOOT_MIND_LIMIT_GAME", value_parser = dollars, default_value = "2")]
    limit_game: Micros,
    /// The most that models may cost in one day (UTC), in dollars
    #[arg(long = "mind-limit-day", env = "MOOT_MIND_LIMIT_DAY", value_parser = dollars, default_value = "20")]
    limit_day: Micros,
    /// The most that models may cost in one day for one account's tables, in dollars
    #[arg(long = "mind-limit-account", env = "MOOT_MIND_LIMIT_ACCOUNT", value_parser = dollars, default_value = "2")]
    limit_account: Micros,
    /// The most that models may cost in one day for all tables opened from one network address, in dollars
    #[arg(long = "mind-limit-address", env = "MOOT_MIND_LIMIT_ADDRESS", value_parser = dollars, default_value = "4")]
    limit_address: Micros,
    /// Let models play at tables without an account too; otherwise house minds do
    #[arg(long = "mind-guests", env = "MOOT_MIND_GUESTS")]
    guests: bool,
    /// How many judges sit on a tribunal's bench of models: an odd number
    #[arg(long = "mind-judges", env = "MOOT_MIND_JUDGES", default_value = "3", value_parser = odd)]
    judges: usize,
    /// How many calls to models may be under way at once
    #[arg(long = "mind-calls", env = "MOOT_MIND_CALLS", default_value = "8", value_parser = clap::value_parser!(u16).range(1..))]
    calls: u16,
    /// How long one call may take, in seconds
    #[arg(long = "mind-timeout", env = "MOOT_MIND_TIMEOUT", default_value = "90", value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
}

impl Options {
    /// With keys and addresses from the usual environment variables. Fails now if something is missing, not at the first turn.
    pub(super) fn settings(&self) -> anyhow::Result<MindSettings> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let key = |name: &str| variable(name).map(|key| Secret::new(key.trim().to_owned()));
        let base = |name: &str| variable(name).map(|url| url.trim().trim_end_matches('/').to_owned());
        for name in ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"] {
            if let Some(url) = base(name)
                && !(url.starts_with("http://") || url.starts_with("https://"))
            {
                anyhow::bail!("{name} must begin with http:// or https://");
            }
        }
        let anthropic = key("ANTHROPIC_API_KEY").map(|key| Endpoint {
            base_url: base("ANTHROPIC_BASE_URL").unwrap_or(ANTHROPIC.to_owned()),
            key: Some(key),
        });
        // The operator's own server may need no key.
        let openai = match (key("OPENAI_API_KEY"), base("OPENAI_BASE_URL")) {
            (None, None) => None,
            (key, base) => Some(Endpoint { base_url: base.unwrap_or(OPENAI.to_owned()), key }),
        };
        let settings = MindSettings {
            preferred: self.mind.clone(),
            offered: self.offered.clone(),
            anthropic,
            openai,
            prices: self.prices.clone(),
            limit_game: self.limit_game,
            limit_account: self.limit_account,
            limit_address: self.limit_address,
            guests: self.guests,
            limit_day: self.limit_day,
            judges: self.judges,
            calls_max: usize::from(self.calls),
            timeout: Duration::from_secs(u64::from(self.timeout)),
            ..MindSettings::default()
        };
        settings.check().map_err(anyhow::Error::msg)?;
        Ok(settings)
    }
}

fn odd(text: &str) -> Result<usize, String> {
    let judges = text.parse().ok().filter(|judges| (1..=9).contains(judges) && judges % 2 == 1);
    judges.ok_or_else(|| "say 1, 3, 5, 7 or 9".to_owned())
}

/// Prints a game's calls, one line each, or all of them as JSON.
pub(super) fn traces(directory: &Path, id: GameId, as_json: bool) -> anyhow::Result<()> {
    let connection = records::open_to_read(directory)?;
    let no = GameStored::find(&connection, id)?.with_context(|| format!("there is no game {id}"))?.no;
    let mut last = 0;
    loop {
        let page = mind_calls::after(&connection, no, last, 100)?;
        let Some(end) = page.last() else { break };
        last = end.id;
        for trace in &page {
            if as_json {
                println!("{}", shown(trace));
                continue;
            }
            let ended = trace.ended.clone().unwrap_or_default();
            let came = match (&trace.ended, &ended.error) {
                (None, _) => "under way".to_owned(),
                (Some(_), Some(error)) => format!("{error}: {}", ended.reason.as_deref().unwrap_or_default()),
                (Some(_), None) => "ok".to_owned(),
            };
            let begun = &trace.begun;
            println!(
                "{:>5}  {}  seat {}  {}  attempt {}  {}  {} read + {} cached + {} written tokens  {} ms  {}  {came}",
                begun.seq.0,
                begun.started_at,
                begun.seat.0,
                begun.status,
                begun.attempt,
                begun.mind,
                ended.tokens.read,
                ended.tokens.cached,
                ended.tokens.written,
                ended.latency_ms,
                ended.cost,
            );
        }
    }
    if !as_json {
        let sum = mind_calls::sum(&connection, no)?;
        println!("{} calls, {} of them failed, {}", sum.calls, sum.failed, sum.cost);
    }
    Ok(())
}
