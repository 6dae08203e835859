//! What the two wire formats have in common: a request with its headers, a reply that grows as it streams, and the ways it can fail.

use super::prompt::Prompt;
use super::{anthropic, openai};
use crate::settings::minds::{Endpoint, Model, Provider};
use axum::http::HeaderValue;
use futures_util::StreamExt as _;
use serde_json::Value;
use sse_stream::SseStream;
use std::time::Duration;
use store::games::mind_calls::Tokens;

/// Most tokens a model may write: enough for the longest speech in any language, with its JSON.
pub const WRITTEN_MAX: u32 = 1_500;
/// Most bytes of a reply that are read.
const REPLY_BYTES_MAX: usize = 16 * 1024;
/// The longest a provider may ask us to wait.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60);

/// Why a call gave nothing usable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The reply had no words.
    Empty,
    /// The provider could not be reached, cut the stream off, or broke the format.
    StreamFail,
    /// It took too long.
    Timeout,
    /// The reply was refused.
    Rejected,
    /// The provider asks to come back later.
    Overloaded,
    /// It would cost more than the operator allows.
    Budget,
}

impl Code {
    /// The name in logs and traces.
    pub fn word(self) -> &'static str {
        match self {
            Code::Empty => "AI_EMPTY",
            Code::StreamFail => "AI_STREAM_FAIL",
            Code::Timeout => "AI_TIMEOUT",
            Code::Rejected => "AI_REJECTED",
            Code::Overloaded => "AI_OVERLOADED",
            Code::Budget => "AI_BUDGET",
        }
    }
}

/// A call that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub code: Code,
    /// In a sentence, which the model is told if its words were refused. Never a key, never a provider's own words.
    pub reason: String,
    /// Earlier words that the reason is about: the model is shown them as data.
    pub quoted: Option<String>,
    /// How long the provider wants us to wait.
    pub retry_after: Option<Duration>,
}

impl Failure {
    pub fn new(code: Code, reason: impl Into<String>) -> Self {
        Failure { code, reason: reason.into(), quoted: None, retry_after: None }
    }
}

/// A reply as far as it has come.
#[derive(Clone, Default, Debug)]
pub struct Reply {
    pub text: String,
    /// What it took, as far as the provider has told.
    pub tokens: Tokens,
    /// Whether the provider has accepted the request, so that it costs something.
    pub is_begun: bool,
    /// Whether the provider said that this is all.
    pub is_complete: bool,
}

pub struct Request {
    pub url: String,
    /// Besides the content type; a key is marked as sensitive.
    pub headers: Vec<(&'static str, HeaderValue)>,
    pub body: Value,
}

pub fn request(endpoint: &Endpoint, model: &Model, prompt: &Prompt) -> Result<Request, Failure> {
    match model.provider {
        Provider::Anthropic => anthropic::request(endpoint, &model.name, prompt),
        Provider::OpenAi => openai::request(endpoint, &model.name, prompt),
    }
}

/// A key as a header that no log prints.
pub fn sensitive(text: &str) -> Result<HeaderValue, Failure> {
    let wrong = |_| Failure::new(Code::StreamFail, "The provider's key has characters that no header may have.");
    let mut value = HeaderValue::from_str(text).map_err(wrong)?;
    value.set_sensitive(true);
    Ok(value)
}

/// Sends the request and reads the reply as it comes; `heard` is called with all of it after each piece.
pub async fn stream(
    http: &reqwest::Client,
    provider: Provider,
    request: Request,
    silence: Duration,
    reply: &mut Reply,
    mut heard: impl FnMut(&str),
) -> Result<(), Failure> {
    let mut asked = http.post(&request.url).json(&request.body);
    for (name, value) in request.headers {
        asked = asked.header(name, value);
    }
    let silent = |_| Failure::new(Code::Timeout, "The provider was silent for too long.");
    let cut = |error: &reqwest::Error| {
        let code = if error.is_timeout() { Code::Timeout } else { Code::StreamFail };
        Failure::new(
            code,
            if error.is_connect() { "The provider cannot be reached." } else { "The stream was cut off." },
        )
    };
    let response = tokio::time::timeout(silence, asked.send()).await.map_err(silent)?.map_err(|error| cut(&error))?;
    if !response.status().is_success() {
        return Err(refused(&response));
    }
    reply.is_begun = true;
    let mut events = SseStream::from_bytes_stream(response.bytes_stream());
    while !reply.is_complete {
        let event = tokio::time::timeout(silence, events.next()).await.map_err(silent)?;
        let event = match event {
            None => return Err(Failure::new(Code::StreamFail, "The stream ended before the reply did.")),
            Some(Err(_)) => return Err(Failure::new(Code::StreamFail, "The stream was cut off.")),
            Some(Ok(event)) => event,
        };
        let Some(data) = event.data else { continue };
        let before = reply.text.len();
        match provider {
            Provider::Anthropic => anthropic::read(&data, reply)?,
            Provider::OpenAi => openai::read(&data, reply)?,
        }
        if reply.text.len() > REPLY_BYTES_MAX {
            return Err(Failure::new(Code::Rejected, "The reply was far too long."));
        }
        if reply.text.len() > before {
            heard(&reply.text);
        }
    }
    if reply.text.trim().is_empty() {
        return Err(Failure::new(Code::Empty, "The reply was empty."));
    }
    Ok(())
}

/// The data of an event, which must be JSON.
pub fn json(data: &str) -> Result<Value, Failure> {
    serde_json::from_str(data).map_err(|_| Failure::new(Code::StreamFail, "The stream was not the JSON it should be."))
}

/// An answer that is not a success. The provider's own words stay out of the reason: they may quote what was sent.
fn refused(response: &reqwest::Response) -> Failure {
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    // 529 is how Anthropic says that it is overloaded.
    let code = if matches!(status, 429 | 503 | 529) { Code::Overloaded } else { Code::StreamFail };
    let reason = match status {
        401 | 403 => format!("The provider answered {status}: it does not accept the key."),
        404 => "The provider answered 404: it has no such model, or the base URL is wrong.".to_owned(),
        _ => format!("The provider answered {status}."),
    };
    let retry_after = retry_after.map(|seconds| Duration::from_secs(seconds).min(RETRY_AFTER_MAX));
    Failure { retry_after, ..Failure::new(code, reason) }
}
