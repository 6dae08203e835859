//! Anthropic's Messages API, streaming, with markers for its prompt cache.

use super::prompt::Prompt;
use super::wire::{Code, Failure, Reply, Request, WRITTEN_MAX, json as parsed, sensitive};
use crate::settings::minds::Endpoint;
use axum::http::HeaderValue;
use serde_json::{Value, json};

const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// The request: rules, brief and what is remembered are marked, so that the next call reads them from the cache.
pub fn request(endpoint: &Endpoint, model: &str, prompt: &Prompt) -> Result<Request, Failure> {
    let marked = |text: &str| json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}});
    let plain = |text: &str| json!([{"type": "text", "text": text}]);
    // An empty block may not be marked.
    let mut first: Vec<Value> = [&prompt.brief, &prompt.recalled]
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| marked(text))
        .collect();
    first.push(json!({"type": "text", "text": prompt.turn}));
    let mut messages = vec![json!({"role": "user", "content": first})];
    for refused in &prompt.refused {
        messages.push(json!({"role": "assistant", "content": plain(&refused.output)}));
        messages.push(json!({"role": "user", "content": plain(&refused.told())}));
    }
    let mut headers = vec![("anthropic-version", VERSION)];
    if let Some(key) = &endpoint.key {
        headers.push(("x-api-key", sensitive(key.reveal())?));
    }
    let body = json!({
        "model": model, "max_tokens": WRITTEN_MAX, "stream": true, "system": [marked(&prompt.rules)], "messages": messages,
    });
    Ok(Request { url: format!("{}/v1/messages", endpoint.base_url), headers, body })
}

/// Takes in one event of the stream.
pub fn read(data: &str, reply: &mut Reply) -> Result<(), Failure> {
    let event = parsed(data)?;
    let number = |value: &Value| value.as_u64().map(|n| n as u32);
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => {
            let usage = &event["message"]["usage"];
            let fresh = number(&usage["input_tokens"]).unwrap_or(0);
            // What is written to the cache costs a quarter more than what is read afresh.
            let stored = number(&usage["cache_creation_input_tokens"]).unwrap_or(0);
            reply.tokens.read = fresh.saturating_add(stored).saturating_add(stored / 4);
            reply.tokens.cached = number(&usage["cache_read_input_tokens"]).unwrap_or(0);
        }
        "content_block_delta" => reply.text.push_str(event["delta"]["text"].as_str().unwrap_or_default()),
        "message_delta" => {
            if let Some(written) = number(&event["usage"]["output_tokens"]) {
                reply.tokens.written = written;
            }
            match event["delta"]["stop_reason"].as_str() {
                Some("refusal") => return Err(Failure::new(Code::Rejected, "The model declined to answer.")),
                Some("max_tokens") => return Err(Failure::new(Code::Rejected, "The reply was too long to finish.")),
                Some(_) | None => {}
            }
        }
        "message_stop" => reply.is_complete = true,
        "error" => {
            let busy = matches!(event["error"]["type"].as_str(), Some("overloaded_error" | "rate_limit_error"));
            let code = if busy { Code::Overloaded } else { Code::StreamFail };
            return Err(Failure::new(code, "The provider reported an error in the stream."));
        }
        // Pings, starts and ends of blocks, and types that may be added.
        _ => {}
    }
    Ok(())
}
