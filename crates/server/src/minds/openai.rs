//! Chat completions as OpenAI, Ollama, vLLM, OpenRouter and many others speak them; streaming. The prompt cache goes by the beginning of
//! the request and needs no marker.

use super::prompt::Prompt;
use super::wire::{Code, Failure, Reply, Request, WRITTEN_MAX, json as parsed, sensitive};
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
    if chunk.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Failure::new(Code::StreamFail, "The provider reported an error in the stream."));
    }
    let choice = &chunk["choices"][0];
    reply.text.push_str(choice["delta"]["content"].as_str().unwrap_or_default());
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(Failure::new(Code::Rejected, "The reply was too long to finish.")),
        Some("content_filter") => return Err(Failure::new(Code::Rejected, "The model declined to answer.")),
        Some(_) | None => {}
    }
    let usage = &chunk["usage"];
    if usage.is_object() {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as u32;
        reply.tokens.cached = number(&usage["prompt_tokens_details"]["cached_tokens"]);
        reply.tokens.read = number(&usage["prompt_tokens"]).saturating_sub(reply.tokens.cached);
        reply.tokens.written = number(&usage["completion_tokens"]);
    }
    Ok(())
}
