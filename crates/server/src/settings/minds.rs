//! What plays AI seats: house minds, or language models by name; and what the operator allows them to cost.

use engine::erased::AnyGame;
use engine::id::{AccountId, Seat};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use store::games::mind_calls::{Micros, Tokens};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provider {
    Anthropic,
    /// Chat completions, as OpenAI and many others speak them.
    OpenAi,
}

impl Provider {
    /// The name before the colon in `--mind`.
    pub fn word(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAi => "openai",
        }
    }
}

/// What plays a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// The kind's own mind: no key, no network.
    #[default]
    House,
    Model(Model),
}

/// A language model by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub provider: Provider,
    pub name: String,
}

/// Longest name of a model.
const NAME_LEN_MAX: usize = 120;

impl FromStr for Choice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "house" {
            return Ok(Choice::House);
        }
        let provider = |word| match word {
            "anthropic" => Some(Provider::Anthropic),
            "openai" => Some(Provider::OpenAi),
            _ => None,
        };
        let named = text.split_once(':').and_then(|(word, name)| Some((provider(word)?, name)));
        match named {
            Some((provider, name))
                if (1..=NAME_LEN_MAX).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                Ok(Choice::Model(Model { provider, name: name.to_owned() }))
            }
            Some(_) | None => Err(format!("{text:?} is no mind: say house, anthropic:MODEL or openai:MODEL")),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::House => f.write_str("house"),
            Choice::Model(model) => write!(f, "{}:{}", model.provider.word(), model.name),
        }
    }
}

/// A key that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: String) -> Self {
        Secret(text)
    }

    /// The key itself, for the one header it belongs in.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(a key)")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// Without a slash at the end.
    pub base_url: String,
    /// Local servers need none.
    pub key: Option<Secret>,
}

/// What a million tokens cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    pub read: Micros,
    /// Read from the provider's cache.
    pub cached: Micros,
    pub written: Micros,
}

/// What an unlisted model is assumed to cost: too much rather than too little.
const UNLISTED: Price = Price { read: Micros(5_000_000), cached: Micros(500_000), written: Micros(25_000_000) };

impl Price {
    /// What these tokens cost, rounded up.
    pub fn of(self, tokens: Tokens) -> Micros {
        let sum = i128::from(tokens.read) * i128::from(self.read.0)
            + i128::from(tokens.cached) * i128::from(self.cached.0)
            + i128::from(tokens.written) * i128::from(self.written.0);
        Micros(i64::try_from((sum + 999_999) / 1_000_000).unwrap_or(i64::MAX))
    }
}

/// A price list entry, `MODEL=READ,CACHED,WRITTEN` in dollars per million tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    model: String,
    price: Price,
}

impl FromStr for Listed {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no price: say MODEL=READ,CACHED,WRITTEN in dollars for a million tokens");
        let (model, prices) = text.rsplit_once('=').ok_or_else(wrong)?;
        let prices: Vec<Micros> = prices.split(',').map(dollars).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let [read, cached, written] = prices[..] else { return Err(wrong()) };
        Ok(Listed { model: model.to_owned(), price: Price { read, cached, written } })
    }
}

/// Parses dollars with up to six decimals.
pub fn dollars(text: &str) -> Result<Micros, String> {
    let wrong = || format!("{text:?} is no amount in dollars, such as 2.50");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || part.len() > 6 || !digits(whole) || !digits(part) {
        return Err(wrong());
    }
    format!("{whole}{part:0<6}").parse().map(Micros).map_err(|_| wrong())
}

/// How the operator wants AI seats played.
#[derive(Clone, Debug)]
pub struct MindSettings {
    /// What plays a seat if its table does not say.
    pub preferred: Choice,
    /// What else a table may choose.
    pub offered: Vec<Choice>,
    pub anthropic: Option<Endpoint>,
    pub openai: Option<Endpoint>,
    pub prices: Vec<Listed>,
    /// The most that one game may cost.
    pub limit_game: Micros,
    /// The most that one day may cost, in all games together.
    pub limit_day: Micros,
    /// The most that one day may cost for the tables of one account.
    pub limit_account: Micros,
    /// The same for all tables opened from one network address.
    pub limit_address: Micros,
    /// Whether models also play at tables without an account; house minds do otherwise.
    pub guests: bool,
    /// How many judges sit on a bench of models: odd.
    pub judges: usize,
    /// How many calls may be under way at once.
    pub calls_max: usize,
    /// How long a whole call may take.
    pub timeout: Duration,
    /// How long a model may be silent within it.
    pub silence: Duration,
    /// How long to wait before a turn is tried again, if the provider does not say.
    pub retry: Duration,
}

impl Default for MindSettings {
    fn default() -> Self {
        MindSettings {
            preferred: Choice::House,
            offered: vec![],
            anthropic: None,
            openai: None,
            prices: vec![],
            limit_game: Micros(1_000_000),
            limit_day: Micros(10_000_000),
            limit_account: Micros(2_000_000),
            limit_address: Micros(4_000_000),
            guests: false,
            judges: 3,
            calls_max: 8,
            timeout: Duration::from_secs(90),
            silence: Duration::from_secs(30),
            retry: Duration::from_secs(5),
        }
    }
}

impl MindSettings {
    /// What plays this seat.
    pub fn of(&self, game: &dyn AnyGame, seat: Seat) -> Choice {
        let terms = game.terms();
        let said = terms.minds.get(&seat).or(terms.mind.as_ref());
        // A choice that is no longer offered is replaced by what the server prefers.
        let chosen = said.and_then(|text| text.parse().ok()).filter(|choice| self.allows(choice));
        self.paid_for(game, chosen.unwrap_or_else(|| self.preferred.clone()))
    }

    /// This choice, or a house mind where there is no account to answer for what a model costs.
    pub fn paid_for(&self, game: &dyn AnyGame, choice: Choice) -> Choice {
        if self.guests || !accounts(game).is_empty() { choice } else { Choice::House }
    }

    /// Whether a table may choose this.
    pub fn allows(&self, choice: &Choice) -> bool {
        *choice == Choice::House || *choice == self.preferred || self.offered.contains(choice)
    }

    /// What a table may choose.
    pub fn choices(&self) -> Vec<String> {
        let mut all = vec![Choice::House.to_string()];
        for choice in [&self.preferred].into_iter().chain(&self.offered).map(Choice::to_string) {
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
        all
    }

    pub fn endpoint(&self, provider: Provider) -> Option<&Endpoint> {
        match provider {
            Provider::Anthropic => self.anthropic.as_ref(),
            Provider::OpenAi => self.openai.as_ref(),
        }
    }

    pub fn price(&self, model: &str) -> Price {
        self.prices.iter().find(|listed| listed.model == model).map_or(UNLISTED, |listed| listed.price)
    }

    /// Says what is missing before the first turn needs it.
    pub fn check(&self) -> Result<(), String> {
        for choice in [&self.preferred].into_iter().chain(&self.offered) {
            let Choice::Model(model) = choice else { continue };
            if self.endpoint(model.provider).is_none() {
                return Err(match model.provider {
                    Provider::Anthropic => {
                        format!("{choice} needs a key: set ANTHROPIC_API_KEY, or choose --mind house")
                    }
                    Provider::OpenAi => format!(
                        "{choice} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own that wants none, or choose --mind house"
                    ),
                });
            }
        }
        Ok(())
    }
}

/// The accounts for which models play at a table: its host, or without one its players.
pub fn accounts(game: &dyn AnyGame) -> Vec<AccountId> {
    if let Some(host) = game.terms().host {
        return vec![host];
    }
    let mut players: Vec<AccountId> = game.roster().iter().filter_map(|(_, seat)| seat.holder.account()).collect();
    players.sort_unstable();
    players.dedup();
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mind_is_named_as_it_is_read() {
        for text in ["house", "anthropic:claude-x", "openai:meta/llama-3:8b"] {
            assert_eq!(text.parse::<Choice>().expect("a mind").to_string(), text);
        }
        for text in ["", "House", "anthropic", "anthropic:", "gemini:x", "openai:a b", "openai:\u{1f600}"] {
            assert!(text.parse::<Choice>().expect_err("no mind").contains("is no mind"), "{text}");
        }
    }

    #[test]
    fn money_is_read_exactly_and_costs_are_rounded_up() {
        assert_eq!(dollars("2.5"), Ok(Micros(2_500_000)));
        assert_eq!(dollars("0.000001"), Ok(Micros(1)));
        assert_eq!(Micros(2_500_001).to_string(), "$2.500001");
        for text in ["", "-1", "1e3", "1.0000001", ".5", "1,5"] {
            assert!(dollars(text).is_err(), "{text}");
        }
        let listed: Listed = "m=3,0.3,15".parse().expect("a price");
        assert_eq!(listed.price.of(Tokens { read: 1_000_000, cached: 0, written: 1 }), Micros(3_000_015));
        assert_eq!(listed.price.of(Tokens { read: 0, cached: 1, written: 0 }), Micros(1));
        assert!("m=3,15".parse::<Listed>().is_err());
    }

    #[test]
    fn a_key_is_never_printed() {
        let endpoint = Endpoint { base_url: "http://x".into(), key: Some(Secret::new("sk-very-secret".into())) };
        assert!(!format!("{endpoint:?}").contains("very-secret"));
    }
}
