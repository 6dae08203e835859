//! What the two wire formats have in common: a request with its headers, a reply that grows as it streams, and the ways it can fail.

use super::prompt::Prompt;
use super::{anthropic, openai};
use crate::settings::minds::{Endpoint, Model, Provider};
use axum::http::HeaderValue;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use serde_json::Value;
use sse_stream::SseStream;
use std::time::Duration;
use store::games::mind_calls::Tokens;

/// Most tokens a model may write: enough for the longest speech in any language, with its JSON.
pub const WRITTEN_MAX: u32 = 1_500;
/// Most bytes of a reply that are read.
const REPLY_BYTES_MAX: usize = 16 * 1024;
/// Most bytes of an answer that comes in one piece.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// How long to wait for the bill once the model has said its last word: some servers send none, and leave the connection open.
const BILL_WITHIN: Duration = Duration::from_secs(2);
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
    /// The provider will not answer this, however often it is asked.
    Denied,
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
            Code::Denied => "AI_DENIED",
        }
    }

    /// Whether asking again would bring the same: the house mind plays at once.
    pub fn is_final(self) -> bool {
        matches!(self, Code::Budget | Code::Denied)
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
    /// The status it answered with, if it was not a success.
    pub http_status: Option<u16>,
}

impl Failure {
    pub fn new(code: Code, reason: impl Into<String>) -> Self {
        Failure { code, reason: reason.into(), quoted: None, retry_after: None, http_status: None }
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
    /// How the model ended, once it has; the bill may follow.
    pub ending: Option<Ending>,
    /// Whether nothing more will come.
    pub is_complete: bool,
}

/// How a model's words ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Whole,
    TooLong,
    Declined,
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
    if is_stream(&response) {
        follow(provider, SseStream::from_bytes_stream(response.bytes_stream()), silence, reply, &mut heard).await?;
    } else {
        let bytes = whole(response, silence).await?;
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(answer) => {
                match provider {
                    Provider::Anthropic => anthropic::read_whole(&answer, reply)?,
                    Provider::OpenAi => openai::read_whole(&answer, reply)?,
                }
                reply.is_complete = true;
            }
            // A stream under another name.
            Err(_) => {
                let bytes = futures_util::stream::iter([Ok::<_, reqwest::Error>(bytes)]);
                follow(provider, SseStream::from_bytes_stream(bytes), silence, reply, &mut heard).await?;
            }
        }
    }
    match reply.ending {
        Some(Ending::TooLong) => Err(Failure::new(Code::Rejected, "The reply was too long to finish.")),
        Some(Ending::Declined) => Err(Failure::new(Code::Rejected, "The model declined to answer.")),
        _ if reply.text.len() > REPLY_BYTES_MAX => Err(far_too_long()),
        _ if reply.text.trim().is_empty() => Err(Failure::new(Code::Empty, "The reply was empty.")),
        Some(Ending::Whole) | None => Ok(()),
    }
}

fn far_too_long() -> Failure {
    Failure::new(Code::Rejected, "The reply was far too long.")
}

fn is_stream(response: &reqwest::Response) -> bool {
    let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.contains("event-stream")
}

/// Everything that a server sends which does not stream.
async fn whole(mut response: reqwest::Response, silence: Duration) -> Result<Bytes, Failure> {
    let mut bytes = BytesMut::new();
    loop {
        let silent = |_| Failure::new(Code::Timeout, "The provider was silent for too long.");
        let piece = tokio::time::timeout(silence, response.chunk()).await.map_err(silent)?;
        match piece {
            Ok(Some(piece)) if bytes.len() + piece.len() <= ANSWER_BYTES_MAX => bytes.extend_from_slice(&piece),
            Ok(Some(_)) => return Err(far_too_long()),
            Ok(None) => return Ok(bytes.freeze()),
            Err(_) => return Err(Failure::new(Code::StreamFail, "The answer was cut off.")),
        }
    }
}

/// Reads a stream to its end. Once the model has said its last word, nothing that comes or fails to come can spoil it.
async fn follow<E>(
    provider: Provider,
    mut events: impl futures_util::Stream<Item = Result<sse_stream::Sse, E>> + Unpin,
    silence: Duration,
    reply: &mut Reply,
    heard: &mut impl FnMut(&str),
) -> Result<(), Failure> {
    while !reply.is_complete {
        let patience = if reply.ending.is_some() { silence.min(BILL_WITHIN) } else { silence };
        let event = match tokio::time::timeout(patience, events.next()).await {
            Ok(Some(Ok(event))) => event,
            _ if reply.ending.is_some() => {
                reply.is_complete = true;
                break;
            }
            Err(_) => return Err(Failure::new(Code::Timeout, "The provider was silent for too long.")),
            Ok(None) => return Err(Failure::new(Code::StreamFail, "The stream ended before the reply did.")),
            Ok(Some(Err(_))) => return Err(Failure::new(Code::StreamFail, "The stream was cut off.")),
        };
        let Some(data) = event.data else { continue };
        let before = reply.text.len();
        let was_ended = reply.ending.is_some();
        let read = match provider {
            Provider::Anthropic => anthropic::read(&data, reply),
            Provider::OpenAi => openai::read(&data, reply),
        };
        match read {
            Err(_) if was_ended => reply.is_complete = true,
            read => read?,
        }
        if reply.text.len() > REPLY_BYTES_MAX {
            return Err(far_too_long());
        }
        if reply.text.len() > before {
            heard(&reply.text);
        }
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
    let code = match status {
        // 529 is how Anthropic says that it is overloaded.
        429 | 503 | 529 => Code::Overloaded,
        // These may be over soon; any other fault of the request will be there next time as well.
        408 | 409 | 425 => Code::StreamFail,
        400..500 => Code::Denied,
        _ => Code::StreamFail,
    };
    let reason = match status {
        401 | 403 => format!("The provider answered {status}: it does not accept the key."),
        404 => "The provider answered 404: it has no such model, or the base URL is wrong.".to_owned(),
        _ => format!("The provider answered {status}."),
    };
    let retry_after = retry_after.map(|seconds| Duration::from_secs(seconds).min(RETRY_AFTER_MAX));
    Failure { retry_after, http_status: Some(status), ..Failure::new(code, reason) }
}
