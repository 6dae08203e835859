//! One call of a language model for one seat's turn: ask, listen, check, and leave a trace of all of it.

use super::budget::{Budget, SetAside};
use super::choice::{Micros, Model, Tokens};
use super::guard::Guard;
use super::prompt::{Prompt, Refused, prompt};
use super::wire::{self, Code, Failure, Reply, WRITTEN_MAX};
use crate::house::House;
use crate::live::{HEARD_MAX, Shown, Table, Typing};
use crate::problem::Answer;
use crate::store::traces::{self, Begun, Ended};
use engine::id::Seat;
use engine::rules::Call;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// So many bytes of a prompt are at least one token, for an estimate that is rather too high.
const BYTES_PER_TOKEN: usize = 2;
/// How often those who watch are shown what is being written.
const TYPING_EVERY: Duration = Duration::from_millis(150);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// What calls of models share.
pub struct Minds {
    http: reqwest::Client,
    calls: Semaphore,
    pub(super) budget: Budget,
}

impl Minds {
    /// For a house that allows so many calls at once.
    pub fn new(calls_max: usize) -> Self {
        // The only provider of cryptography in the program; set twice by a second house in one process.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            // A key goes where the operator sent it and nowhere else.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("the options are sound");
        Minds { http, calls: Semaphore::new(calls_max), budget: Budget::default() }
    }
}

/// A call that was begun: its trace is written, its money set aside.
pub struct Running {
    house: House,
    table: Arc<Table>,
    model: Model,
    seat: Seat,
    call: Call,
    prompt: Prompt,
    guard: Guard,
    trace: i64,
    started: Instant,
    reply: Reply,
    _money: SetAside,
}

impl Running {
    /// Begins a call for this turn, after what was refused in it before.
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
        let most = house.settings.minds.price(&model.name).of(most_tokens(&prompt));
        let money = match Budget::set_aside(house, table, most) {
            Ok(money) => money,
            Err(failure) => return Ok(Err(failure)),
        };
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
            started_at: house.now(),
        };
        let trace = house.store.write(move |db| traces::begin(db, &begun)).await?;
        Ok(Ok(Running {
            house: house.clone(),
            table: table.clone(),
            model: model.clone(),
            seat,
            call,
            guard: Guard::new(game, &said, seat),
            prompt,
            trace,
            started: Instant::now(),
            reply: Reply::default(),
            _money: money,
        }))
    }

    /// Asks, and gives the act that came of it. May be dropped at any time; what came so far is kept.
    pub async fn ask(&mut self) -> Result<Value, Failure> {
        let settings = &self.house.settings.minds;
        let closed = |_| Failure::new(Code::StreamFail, "The server is stopping.");
        let _place = self.house.minds.calls.acquire().await.map_err(closed)?;
        let missing = || Failure::new(Code::StreamFail, "This provider is not configured any more.");
        let endpoint = settings.endpoint(self.model.provider).ok_or_else(missing)?;
        let request = wire::request(endpoint, &self.model, &self.prompt)?;
        let (table, guard, seat, heard_by) = (&self.table, &self.guard, self.seat, self.call.heard_by);
        let mut shown_at = Instant::now();
        let heard = |reply: &str| {
            if shown_at.elapsed() >= TYPING_EVERY {
                shown_at = Instant::now();
                table.show_typing(guard.overheard(reply).map(|text| Typing { seat, heard_by, text }));
            }
        };
        let http = &self.house.minds.http;
        let streamed = wire::stream(http, self.model.provider, request, settings.silence, &mut self.reply, heard);
        match tokio::time::timeout(settings.timeout, streamed).await {
            Ok(done) => done?,
            Err(_) => return Err(Failure::new(Code::Timeout, "The reply took too long.")),
        }
        self.guard.act(&self.reply.text).map_err(|reason| Failure::new(Code::Rejected, reason))
    }

    /// Ends the call: nothing of it stays on any page, and its trace says what came of it.
    pub async fn end(self, error: Option<(&str, &str)>) -> Answer<Refused> {
        self.table.show_typing(None);
        let tokens = self.tokens(error.is_some());
        let ended = Ended {
            output: self.reply.text.clone(),
            error: error.map(|(code, _)| code.to_owned()),
            reason: error.map(|(_, reason)| reason.to_owned()),
            tokens,
            latency_ms: i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX),
            cost: self.house.settings.minds.price(&self.model.name).of(tokens),
        };
        let Micros(cost) = ended.cost;
        metrics::counter!("moot_mind_calls_total", "provider" => self.model.provider.word()).increment(1);
        metrics::counter!("moot_mind_cost_micros_total").increment(cost.unsigned_abs());
        if error.is_some() {
            metrics::counter!("moot_mind_failures_total").increment(1);
        }
        let (trace, now) = (self.trace, self.house.now());
        // The money stays set aside until the cost is stored.
        self.house.store.write(move |db| traces::end(db, trace, now, &ended)).await?;
        let reason = error.map(|(_, reason)| reason.to_owned()).unwrap_or_default();
        Ok(Refused { output: self.reply.text, reason })
    }

    /// What the provider told, or an estimate where it was cut off before it could.
    fn tokens(&self, failed: bool) -> Tokens {
        let told = self.reply.tokens;
        if !failed || self.reply.is_complete || self.reply.text.is_empty() {
            return told;
        }
        let count = |bytes: usize| u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX);
        let read = if told.read + told.cached > 0 { told.read } else { count(length(&self.prompt)) };
        Tokens { read, cached: told.cached, written: told.written.max(count(self.reply.text.len())) }
    }
}

/// The part of the prompt that is not the same in every call.
fn changing(prompt: &Prompt) -> String {
    let refused = prompt.refused.iter().map(|refused| format!("\n\n{}\n\n{}", refused.output, refused.told()));
    [prompt.recalled.clone(), prompt.turn.clone()].into_iter().chain(refused).collect()
}

fn length(prompt: &Prompt) -> usize {
    prompt.rules.len() + prompt.brief.len() + changing(prompt).len()
}

fn most_tokens(prompt: &Prompt) -> Tokens {
    let read = u32::try_from(length(prompt) / BYTES_PER_TOKEN).unwrap_or(u32::MAX);
    Tokens { read, cached: 0, written: WRITTEN_MAX }
}
