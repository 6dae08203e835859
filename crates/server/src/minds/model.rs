//! One call to a language model for one seat's turn: ask, listen, check, and leave a trace of all of it.

use super::guard::Guard;
use super::prompt::{Prompt, Refused, prompt};
use super::wire::{self, Code, Failure, Reply, WRITTEN_MAX};
use crate::play::House;
use crate::play::live::{HEARD_MAX, Shown, Table, Typing};
use crate::problem::Answer;
use crate::settings::minds::{Model, accounts};
use engine::chain::Hash;
use engine::erased::AnyGame;
use engine::id::{AccountId, Seat};
use engine::parts::transcript::SeenBy;
use engine::rules::Call;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::games::mind_calls::{self, Begun, Budget, Ended, Over, Payer};
use store::games::mind_calls::{Micros, Tokens};

/// How often watchers are shown what is being written.
const TYPING_EVERY: Duration = Duration::from_millis(150);

/// Stands in the traces for the helper, which has no seat.
const HELPER: Seat = Seat(u16::MAX);

/// A call that was begun: its trace is written, its money set aside.
pub struct Running {
    house: House,
    table: Arc<Table>,
    model: Model,
    pub(super) seat: Seat,
    call: Call,
    prompt: Prompt,
    pub(super) guard: Guard,
    trace: i64,
    started: Instant,
    reply: Reply,
    most: Micros,
    payers: Vec<Payer>,
}

impl Running {
    /// Begins a call for this turn, with what was refused in it before.
    pub async fn begin(
        house: &House,
        table: &Arc<Table>,
        shown: &Shown,
        (seat, call, model): (Seat, Call, &Model),
        attempt: u32,
        refused: &[Refused],
    ) -> Answer<Result<Self, Failure>> {
        let said = table.said(house, shown, HEARD_MAX).await?;
        let mut prompt = prompt(shown, &said, seat, call);
        prompt.refused = refused.to_vec();
        let quoted: Vec<&str> = refused.iter().filter_map(|refused| refused.quoted.as_deref()).collect();
        let guard = Guard::new(shown.game.as_ref(), &said, seat, &quoted);
        Self::start(house, table, shown, (seat, call, model), attempt, (prompt, guard)).await
    }

    /// Begins a call that is nobody's turn and that nobody watches: the helper's.
    pub async fn begin_helper(
        house: &House,
        table: &Arc<Table>,
        shown: &Shown,
        model: &Model,
        prompt: Prompt,
    ) -> Answer<Result<Self, Failure>> {
        let call = Call { role: "helper", heard_by: SeenBy::NOBODY };
        Self::start(house, table, shown, (HELPER, call, model), 1, (prompt, Guard::none())).await
    }

    async fn start(
        house: &House,
        table: &Arc<Table>,
        shown: &Shown,
        (seat, call, model): (Seat, Call, &Model),
        attempt: u32,
        (prompt, guard): (Prompt, Guard),
    ) -> Answer<Result<Self, Failure>> {
        let most = house.settings.minds.price(&model.name).of(most_tokens(&prompt));
        let game = shown.game.as_ref();
        let begun = Begun {
            game: table.no,
            seat,
            seq: game.mark().seq,
            status: game.status().to_owned(),
            attempt,
            mind: format!("{}:{}", model.provider.word(), model.name),
            prompt_version: prompt.version.clone(),
            prompt: format!("{}\n\n{}", prompt.rules, prompt.brief),
            turn: changing(&prompt),
            most,
            started_at: house.now(),
        };
        let budget = budget(house, table, game);
        let limits = budget.clone();
        let begun = house.store.write(move |db| mind_calls::begin(db, &begun, &limits)).await?;
        let trace = match begun {
            Ok(trace) => trace,
            Err(over) => {
                let (whose, limit) = match over {
                    Over::Game => ("game", budget.game),
                    Over::Payer(limit) => ("player", limit),
                    Over::Day => ("day", budget.day),
                };
                return Ok(Err(Failure::new(Code::Budget, format!("The {whose}'s limit of {limit} is reached."))));
            }
        };
        Ok(Ok(Running {
            house: house.clone(),
            table: table.clone(),
            model: model.clone(),
            seat,
            call,
            guard,
            prompt,
            trace,
            started: Instant::now(),
            reply: Reply::default(),
            most,
            payers: budget.payers,
        }))
    }

    /// Asks, and returns the act in the reply. May be dropped at any time; what came so far is kept.
    pub async fn ask(&mut self) -> Result<Value, Failure> {
        let reply = self.listen().await?;
        self.guard.act(&reply).map_err(|reason| Failure::new(Code::Rejected, reason))
    }

    /// Asks, and returns the reply.
    pub async fn listen(&mut self) -> Result<String, Failure> {
        let settings = &self.house.settings.minds;
        let closed = |_| Failure::new(Code::StreamFail, "The server is stopping.");
        let _place = self.house.model_calls.acquire().await.map_err(closed)?;
        let missing = || Failure::new(Code::StreamFail, "This provider is not configured any more.");
        let endpoint = settings.endpoint(self.model.provider).ok_or_else(missing)?;
        let request = wire::request(endpoint, &self.model, &self.prompt)?;
        let (table, guard, seat, heard_by) = (&self.table, &self.guard, self.seat, self.call.heard_by);
        let mut shown_at = Instant::now();
        let heard = |reply: &str| {
            if heard_by != SeenBy::NOBODY && shown_at.elapsed() >= TYPING_EVERY {
                shown_at = Instant::now();
                table.show_typing(guard.overheard(reply).map(|text| Typing { seat, heard_by, text }));
            }
        };
        let http = &self.house.outside;
        let streamed = wire::stream(http, self.model.provider, request, settings.silence, &mut self.reply, heard);
        match tokio::time::timeout(settings.timeout, streamed).await {
            Ok(done) => done?,
            Err(_) => return Err(Failure::new(Code::Timeout, "The reply took too long.")),
        }
        Ok(self.reply.text.clone())
    }

    /// Ends the call: nothing of it stays on any page, and its trace says what came of it.
    pub async fn end(self, error: Option<(&str, &str)>) -> Answer<String> {
        if self.call.heard_by != SeenBy::NOBODY {
            self.table.show_typing(None);
        }
        let tokens = self.reply.tokens;
        let ended = Ended {
            output: self.reply.text.clone(),
            error: error.map(|(code, _)| code.to_owned()),
            reason: error.map(|(_, reason)| reason.to_owned()),
            tokens,
            latency_ms: i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX),
            cost: self.cost(),
        };
        let Micros(cost) = ended.cost;
        metrics::counter!("moot_mind_calls_total", "provider" => self.model.provider.word()).increment(1);
        metrics::counter!("moot_mind_cost_micros_total").increment(cost.unsigned_abs());
        if error.is_some() {
            metrics::counter!("moot_mind_failures_total").increment(1);
        }
        let (trace, payers) = (self.trace, self.payers);
        self.house.store.write(move |db| mind_calls::end(db, trace, &ended, &payers)).await?;
        Ok(self.reply.text)
    }

    /// What it cost as far as is known; where the provider did not say, the most that it can have been.
    fn cost(&self) -> Micros {
        let Reply { tokens, is_begun, is_complete, .. } = self.reply;
        if !is_begun {
            // The provider never accepted it.
            return Micros(0);
        }
        if (tokens.read, tokens.cached) == (0, 0) {
            return self.most;
        }
        let written = match (is_complete, tokens.written) {
            (true, 0) => tokens_of(&self.reply.text).min(WRITTEN_MAX),
            (true, written) => written,
            (false, _) => WRITTEN_MAX,
        };
        let price = self.house.settings.minds.price(&self.model.name);
        price.of(Tokens { written, ..tokens }).min(self.most)
    }
}

/// What calls for this game must keep to: the limits of the game, of its accounts, of the network it was opened from, and of the day.
fn budget(house: &House, table: &Table, game: &dyn AnyGame) -> Budget {
    let minds = &house.settings.minds;
    let account = |id: AccountId| Payer { key: Hash::of(id.0.as_bytes()).0, limit: minds.limit_account };
    let network =
        table.opened_from.map(|network| Payer { key: house.network_key(network), limit: minds.limit_address });
    let payers = accounts(game).into_iter().map(account).chain(network).collect();
    Budget { game: minds.limit_game, day: minds.limit_day, payers }
}

/// The part of the prompt that is not the same in every call.
fn changing(prompt: &Prompt) -> String {
    let refused = prompt.refused.iter().map(|refused| format!("\n\n{}\n\n{}", refused.output, refused.told()));
    [prompt.recalled.clone(), prompt.turn.clone()].into_iter().chain(refused).collect()
}

/// The most that a call can take: too many rather than too few.
fn most_tokens(prompt: &Prompt) -> Tokens {
    let texts = [prompt.rules.as_str(), &prompt.brief, &changing(prompt)];
    let tokens = texts.into_iter().map(tokens_of).fold(0_u32, u32::saturating_add);
    // What goes into a cache costs a quarter more.
    Tokens { read: tokens.saturating_add(tokens / 4), cached: 0, written: WRITTEN_MAX }
}

/// At most as many tokens as a text may have: half a token for each ASCII byte and a whole one for any other.
fn tokens_of(text: &str) -> u32 {
    let halves: usize = text.bytes().map(|byte| if byte.is_ascii() { 1 } else { 2 }).sum();
    u32::try_from(halves.div_ceil(2)).unwrap_or(u32::MAX)
}
