//! Anthropic's Messages API, streaming, with markers for its prompt cache.

use super::prompt::Prompt;
use super::wire::{Code, Ending, Failure, Reply, Request, WRITTEN_MAX, json as parsed, sensitive};
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
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => count(&event["message"]["usage"], reply),
        "content_block_delta" => reply.text.push_str(event["delta"]["text"].as_str().unwrap_or_default()),
        "message_delta" => {
            // Some servers count only at the end, input included.
            count(&event["usage"], reply);
            reply.ending = ending(&event["delta"]).or(reply.ending);
        }
        "message_stop" => reply.is_complete = true,
        "error" => return Err(failed(&event["error"])),
        // Pings, starts and ends of blocks, and types that may be added.
        _ => {}
    }
    Ok(())
}

/// Takes in an answer that came in one piece though a stream was asked for.
pub fn read_whole(answer: &Value, reply: &mut Reply) -> Result<(), Failure> {
    if !answer["error"].is_null() {
        return Err(failed(&answer["error"]));
    }
    let blocks = answer["content"].as_array().into_iter().flatten();
    reply.text.extend(blocks.filter_map(|block| block["text"].as_str()));
    count(&answer["usage"], reply);
    reply.ending = ending(answer);
    Ok(())
}

fn ending(told: &Value) -> Option<Ending> {
    Some(match told["stop_reason"].as_str()? {
        "refusal" => Ending::Declined,
        "max_tokens" => Ending::TooLong,
        _ => Ending::Whole,
    })
}

fn failed(error: &Value) -> Failure {
    let busy = matches!(error["type"].as_str(), Some("overloaded_error" | "rate_limit_error"));
    let code = if busy { Code::Overloaded } else { Code::StreamFail };
    Failure::new(code, "The provider reported an error in the stream.")
}

/// Counts only grow, so the largest that was told is what it took, wherever it was told.
fn count(usage: &Value, reply: &mut Reply) {
    let number = |name: &str| u32::try_from(usage[name].as_u64().unwrap_or(0)).unwrap_or(u32::MAX);
    // What is written to the cache costs a quarter more than what is read afresh.
    let stored = number("cache_creation_input_tokens");
    let read = number("input_tokens").saturating_add(stored).saturating_add(stored / 4);
    let tokens = &mut reply.tokens;
    tokens.read = tokens.read.max(read);
    tokens.cached = tokens.cached.max(number("cache_read_input_tokens"));
    tokens.written = tokens.written.max(number("output_tokens"));
}
