//! Chat completions as OpenAI, Ollama, vLLM, OpenRouter and many others speak them; streaming. The prompt cache goes by the beginning of
//! the request and needs no marker.

use super::prompt::Prompt;
use super::wire::{Code, Ending, Failure, Reply, Request, WRITTEN_MAX, json as parsed, sensitive};
use crate::settings::minds::Endpoint;
use serde_json::{Value, json};

/// Only OpenAI itself wants the limit under its new name; other servers understand the old one.
const OPENAI_HOST: &str = "https://api.openai.com";

/// The request: rules and brief first, byte for byte the same in every call of a game.
pub fn request(endpoint: &Endpoint, model: &str, prompt: &Prompt) -> Result<Request, Failure> {
    let say = |role: &str, text: &str| json!({"role": role, "content": text});
    let mut messages = vec![
        say("system", &prompt.rules),
        say("user", &format!("{}\n{}{}", prompt.brief, prompt.recalled, prompt.turn)),
    ];
    for refused in &prompt.refused {
        messages.push(say("assistant", &refused.output));
        messages.push(say("user", &refused.told()));
    }
    let mut headers = vec![];
    if let Some(key) = &endpoint.key {
        headers.push(("authorization", sensitive(&format!("Bearer {}", key.reveal()))?));
    }
    let mut body = json!({
        "model": model, "stream": true, "stream_options": {"include_usage": true}, "messages": messages,
    });
    let limit = if endpoint.base_url.starts_with(OPENAI_HOST) { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = WRITTEN_MAX.into();
    Ok(Request { url: format!("{}/chat/completions", endpoint.base_url), headers, body })
}

/// Takes in one event of the stream.
pub fn read(data: &str, reply: &mut Reply) -> Result<(), Failure> {
    if data.trim() == "[DONE]" {
        reply.is_complete = true;
        return Ok(());
    }
    let chunk = parsed(data)?;
    let choice = take(&chunk, reply)?;
    add(&choice["delta"]["content"], reply);
    Ok(())
}

/// Takes in an answer that came in one piece though a stream was asked for.
pub fn read_whole(answer: &Value, reply: &mut Reply) -> Result<(), Failure> {
    let choice = take(answer, reply)?;
    add(&choice["message"]["content"], reply);
    Ok(())
}

/// What an answer and a piece of a stream have in common: the bill, how it ended, and the first choice.
fn take<'a>(told: &'a Value, reply: &mut Reply) -> Result<&'a Value, Failure> {
    if told.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Failure::new(Code::StreamFail, "The provider reported an error in the stream."));
    }
    let choice = &told["choices"][0];
    // At the top, as in the standard; in the choice, or among a provider's own fields.
    [&told["usage"], &choice["usage"], &told["x_groq"]["usage"]].into_iter().for_each(|usage| count(usage, reply));
    let ending = choice["finish_reason"].as_str().map(|reason| match reason {
        "length" => Ending::TooLong,
        "content_filter" => Ending::Declined,
        _ => Ending::Whole,
    });
    reply.ending = ending.or(reply.ending);
    Ok(choice)
}

/// Adds content: a text, or a list of parts with texts.
fn add(content: &Value, reply: &mut Reply) {
    reply.text.push_str(content.as_str().unwrap_or_default());
    reply.text.extend(content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()));
}

/// Takes in a bill. Some servers send one with every piece, each larger than the last; some name its lines as Anthropic does.
fn count(usage: &Value, reply: &mut Reply) {
    let number = |value: &Value| value.as_u64().map(|n| u32::try_from(n).unwrap_or(u32::MAX)).filter(|n| *n > 0);
    let either = |one: &str, other: &str| number(&usage[one]).or_else(|| number(&usage[other]));
    if let Some(prompt) = either("prompt_tokens", "input_tokens") {
        let details = [&usage["prompt_tokens_details"], &usage["input_tokens_details"], usage];
        let cached = details.into_iter().find_map(|details| number(&details["cached_tokens"]));
        let cached = cached.or_else(|| number(&usage["prompt_cache_hit_tokens"])).unwrap_or(0).min(prompt);
        (reply.tokens.read, reply.tokens.cached) = (prompt - cached, cached);
    }
    if let Some(written) = either("completion_tokens", "output_tokens") {
        reply.tokens.written = written;
    }
}
