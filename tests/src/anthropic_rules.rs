//! The rules of the Anthropic Messages API, as its public documentation states them.
//!
//! Written from the documentation and not from our dialect, so that the two can disagree.

use std::collections::BTreeSet;

use serde_json::Value;

/// Fields of a request body (messages reference).
const FIELDS: [&str; 19] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "metadata",
    "service_tier",
    "container",
    "mcp_servers",
    "context_management",
    "output_config",
    "cache_control",
];
/// Vision: image types.
const IMAGE_TYPES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/// Vision: images of a request.
const IMAGES: usize = 100;
/// Vision: characters of one image as base64.
const IMAGE_CHARS: usize = 5 * 1024 * 1024;
/// Prompt caching: breakpoints of a request.
const BREAKPOINTS: usize = 4;
/// Errors: bytes of a request.
const BODY_BYTES: usize = 32_000_000;

/// Checks a request body.
///
/// # Errors
/// The first rule that it breaks, and where.
pub fn check(body: &Value) -> Result<(), String> {
    let fields = body.as_object().ok_or("body: no object")?;
    for name in fields.keys() {
        ensure(FIELDS.contains(&name.as_str()), || format!("body: unknown field {name}"))?;
    }
    ensure(body["model"].as_str().is_some_and(|model| !model.is_empty()), || "model: missing".into())?;
    let max_tokens = body["max_tokens"].as_u64().filter(|tokens| *tokens >= 1);
    let max_tokens = max_tokens.ok_or("max_tokens: not a number of at least 1")?;
    check_thinking(&body["thinking"], max_tokens)?;
    check_tools(&body["tools"])?;
    check_system(&body["system"])?;
    check_messages(&body["messages"])?;
    let breakpoints = count(body, &|value| value.get("cache_control").is_some());
    ensure(breakpoints <= BREAKPOINTS, || format!("cache_control: {breakpoints} breakpoints"))?;
    let images = count(&body["messages"], &|value| value["type"] == "image");
    ensure(images <= IMAGES, || format!("messages: {images} images"))?;
    let bytes = body.to_string().len();
    ensure(bytes <= BODY_BYTES, || format!("body: {bytes} bytes"))
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

/// How many objects in `value`, at any depth outside of tool inputs and schemas, are `wanted`.
fn count(value: &Value, wanted: &dyn Fn(&Value) -> bool) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| count(item, wanted)).sum(),
        Value::Object(fields) => {
            let inner = fields.iter().filter(|(name, _)| *name != "input" && *name != "input_schema");
            usize::from(wanted(value)) + inner.map(|(_, item)| count(item, wanted)).sum::<usize>()
        }
        _ => 0,
    }
}

fn check_thinking(thinking: &Value, max_tokens: u64) -> Result<(), String> {
    match thinking["type"].as_str() {
        None if thinking.is_null() => Ok(()),
        Some("disabled" | "adaptive") => Ok(()),
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().ok_or("thinking: no budget_tokens")?;
            ensure(budget >= 1024 && budget < max_tokens, || format!("thinking: budget {budget}"))
        }
        _ => Err("thinking: unknown type".into()),
    }
}

fn check_tools(tools: &Value) -> Result<(), String> {
    if tools.is_null() {
        return Ok(());
    }
    let mut names = BTreeSet::new();
    for (index, tool) in tools.as_array().ok_or("tools: no array")?.iter().enumerate() {
        let name = tool["name"].as_str().ok_or_else(|| format!("tools[{index}]: no name"))?;
        ensure(is_word(name) && name.len() <= 128, || format!("tools[{index}]: name {name:?}"))?;
        ensure(names.insert(name), || format!("tools[{index}]: second {name}"))?;
        ensure(tool["input_schema"].is_object(), || format!("tools[{index}]: no input_schema"))?;
        check_mark(&format!("tools[{index}]"), tool)?;
    }
    Ok(())
}

/// Ids and names: `^[a-zA-Z0-9_-]+$`.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn check_system(system: &Value) -> Result<(), String> {
    match system {
        Value::Null => Ok(()),
        Value::String(text) => ensure(!text.is_empty(), || "system: empty".into()),
        Value::Array(blocks) => blocks.iter().enumerate().try_for_each(|(index, block)| {
            let place = format!("system[{index}]");
            ensure(block["type"] == "text", || format!("{place}: no text block"))?;
            check_text(&place, block)?;
            check_mark(&place, block)
        }),
        _ => Err("system: neither text nor blocks".into()),
    }
}

fn check_mark(place: &str, block: &Value) -> Result<(), String> {
    let Some(mark) = block.get("cache_control") else { return Ok(()) };
    ensure(mark["type"] == "ephemeral", || format!("{place}: unknown cache_control"))?;
    let ttl = mark["ttl"].as_str().unwrap_or("5m");
    ensure(ttl == "5m" || ttl == "1h", || format!("{place}: ttl {ttl}"))
}

fn check_text(place: &str, block: &Value) -> Result<(), String> {
    let text = block["text"].as_str().ok_or_else(|| format!("{place}: text is missing"))?;
    ensure(!text.trim().is_empty(), || format!("{place}: text is empty"))
}

fn check_messages(messages: &Value) -> Result<(), String> {
    let messages = messages.as_array().filter(|messages| !messages.is_empty()).ok_or("messages: none")?;
    let mut ids = BTreeSet::new();
    let mut open = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        let role = if index % 2 == 0 { "user" } else { "assistant" };
        ensure(message["role"] == role, || format!("{place}: role is not {role}"))?;
        let blocks = message["content"].as_array().ok_or_else(|| format!("{place}: content is no array"))?;
        ensure(!blocks.is_empty(), || format!("{place}: no content"))?;
        for (at, block) in blocks.iter().enumerate() {
            check_block(&format!("{place}.content[{at}]"), role, block)?;
        }
        check_results(&place, blocks, &open)?;
        open = calls(blocks);
        for id in &open {
            ensure(ids.insert(id.to_string()), || format!("{place}: second call {id}"))?;
        }
    }
    ensure(open.is_empty(), || format!("messages: calls {open:?} have no result"))?;
    check_end(messages)
}

/// Prefilling: what the model goes on with may not end in white space.
fn check_end(messages: &[Value]) -> Result<(), String> {
    let Some(last) = messages.last().filter(|message| message["role"] == "assistant") else { return Ok(()) };
    let block = last["content"].as_array().and_then(|blocks| blocks.last());
    let text = block.and_then(|block| block["text"].as_str()).unwrap_or("");
    ensure(text.trim_end() == text, || "messages: the last text ends in white space".into())
}

fn calls(blocks: &[Value]) -> Vec<&str> {
    blocks
        .iter()
        .filter(|block| block["type"] == "tool_use")
        .filter_map(|block| block["id"].as_str())
        .collect()
}

/// Tool use: results come first, one for each call of the message before, and for no other.
fn check_results(place: &str, blocks: &[Value], open: &[&str]) -> Result<(), String> {
    let results = blocks.iter().take_while(|block| block["type"] == "tool_result");
    let given: Vec<_> = results.filter_map(|block| block["tool_use_id"].as_str()).collect();
    let total = blocks.iter().filter(|block| block["type"] == "tool_result").count();
    ensure(given.len() == total, || format!("{place}: a tool_result does not come first"))?;
    let (wanted, unique) = (open.iter().collect::<BTreeSet<_>>(), given.iter().collect::<BTreeSet<_>>());
    ensure(unique.len() == given.len(), || format!("{place}: two results of one call"))?;
    ensure(wanted == unique, || format!("{place}: calls {wanted:?} and results {unique:?}"))
}

fn check_block(place: &str, role: &str, block: &Value) -> Result<(), String> {
    let kind = block["type"].as_str().ok_or_else(|| format!("{place}: no type"))?;
    let allowed: &[&str] = match role {
        "user" => &["text", "image", "document", "tool_result", "search_result"],
        _ => &[
            "text",
            "tool_use",
            "thinking",
            "redacted_thinking",
            "server_tool_use",
            "web_search_tool_result",
        ],
    };
    ensure(allowed.contains(&kind), || format!("{place}: {kind} in a message of {role}"))?;
    ensure(!kind.ends_with("thinking") || block.get("cache_control").is_none(), || {
        format!("{place}: cache_control on {kind}")
    })?;
    check_mark(place, block)?;
    match kind {
        "text" => check_text(place, block),
        "image" => check_image(place, &block["source"]),
        "document" => check_document(place, &block["source"]),
        "tool_use" => check_call(place, block),
        "tool_result" => check_result(place, block),
        "thinking" => {
            let signed = block["signature"].as_str().is_some_and(|signature| !signature.is_empty());
            ensure(signed && block["thinking"].is_string(), || format!("{place}: unsigned thinking"))
        }
        _ => Ok(()),
    }
}

fn check_call(place: &str, block: &Value) -> Result<(), String> {
    ensure(block["id"].as_str().is_some_and(is_word), || format!("{place}: id"))?;
    ensure(block["name"].as_str().is_some_and(|name| !name.is_empty()), || format!("{place}: name"))?;
    ensure(block["input"].is_object(), || format!("{place}: input is no object"))
}

fn check_result(place: &str, block: &Value) -> Result<(), String> {
    ensure(block["tool_use_id"].as_str().is_some_and(is_word), || format!("{place}: tool_use_id"))?;
    let failed = block["is_error"] == true;
    let inner = match &block["content"] {
        Value::Null => return Ok(()),
        Value::String(_) => return Ok(()),
        Value::Array(inner) => inner,
        _ => return Err(format!("{place}: content")),
    };
    for (at, part) in inner.iter().enumerate() {
        let place = format!("{place}.content[{at}]");
        match part["type"].as_str() {
            Some("text") => {
                let text = part["text"].as_str().unwrap_or("");
                ensure(!text.is_empty(), || format!("{place}: text is empty"))?;
            }
            Some("image") if !failed => check_image(&place, &part["source"])?,
            Some("document") if !failed => check_document(&place, &part["source"])?,
            kind => return Err(format!("{place}: {kind:?} in a result (error: {failed})")),
        }
    }
    Ok(())
}

fn check_image(place: &str, source: &Value) -> Result<(), String> {
    match source["type"].as_str() {
        Some("base64") => {
            let media = source["media_type"].as_str().unwrap_or("");
            ensure(IMAGE_TYPES.contains(&media), || format!("{place}: media type {media:?}"))?;
            check_base64(place, &source["data"], IMAGE_CHARS)
        }
        Some("url") => check_url(place, source),
        kind => Err(format!("{place}: source {kind:?}")),
    }
}

fn check_document(place: &str, source: &Value) -> Result<(), String> {
    match source["type"].as_str() {
        Some("base64") => {
            ensure(source["media_type"] == "application/pdf", || format!("{place}: no PDF"))?;
            check_base64(place, &source["data"], BODY_BYTES)
        }
        Some("text") => {
            ensure(source["media_type"] == "text/plain", || format!("{place}: no plain text"))?;
            let text = source["data"].as_str().unwrap_or("");
            ensure(!text.trim().is_empty(), || format!("{place}: no data"))
        }
        Some("url") => check_url(place, source),
        kind => Err(format!("{place}: source {kind:?}")),
    }
}

fn check_url(place: &str, source: &Value) -> Result<(), String> {
    let url = source["url"].as_str().unwrap_or("");
    ensure(url.starts_with("https://") || url.starts_with("http://"), || format!("{place}: url {url:?}"))
}

fn check_base64(place: &str, data: &Value, most: usize) -> Result<(), String> {
    let data = data.as_str().unwrap_or("");
    ensure(!data.is_empty() && data.len() <= most, || format!("{place}: {} characters", data.len()))?;
    let body = data.trim_end_matches('=');
    let digits = body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    ensure(digits && data.len().is_multiple_of(4) && data.len() - body.len() <= 2, || {
        format!("{place}: no base64")
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    fn body(messages: Value) -> Value {
        json!({"model": "m", "max_tokens": 4096, "messages": messages})
    }

    fn text(text: &str) -> Value {
        json!([{"type": "text", "text": text}])
    }

    fn call(id: &str) -> Value {
        json!({"type": "tool_use", "id": id, "name": "Read", "input": {}})
    }

    fn result(id: &str) -> Value {
        json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": "ok"}]})
    }

    #[test]
    fn good_bodies_pass() {
        let good = body(json!([
            {"role": "user", "content": text("hi")},
            {"role": "assistant", "content": [call("a"), call("b")]},
            {"role": "user", "content": [result("b"), result("a"), {"type": "text", "text": "and now?"}]},
        ]));
        assert_eq!(check(&good), Ok(()));
    }

    #[test]
    fn each_broken_rule_is_found() {
        let user = |content: Value| json!({"role": "user", "content": content});
        let model = |content: Value| json!({"role": "assistant", "content": content});
        let marked = json!({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}});
        let bad: Vec<(Value, &str)> = vec![
            (json!({"max_tokens": 1, "messages": [user(text("x"))]}), "model"),
            (json!({"model": "m", "max_tokens": 0, "messages": [user(text("x"))]}), "max_tokens"),
            (json!({"model": "m", "max_tokens": 1, "messages": [user(text("x"))], "x": 1}), "unknown field"),
            (body(json!([])), "none"),
            (body(json!([model(text("x"))])), "role is not user"),
            (body(json!([user(text("x")), user(text("x"))])), "role is not assistant"),
            (body(json!([user(json!("x"))])), "no array"),
            (body(json!([user(json!([]))])), "no content"),
            (body(json!([user(text(" \n"))])), "text is empty"),
            (body(json!([user(text("x")), model(text("x "))])), "white space"),
            (body(json!([user(text("x")), model(json!([call("a")]))])), "have no result"),
            (body(json!([user(text("x")), model(json!([call("a")])), user(text("x"))])), "calls"),
            (body(json!([user(json!([result("a")]))])), "results"),
            (
                body(json!([
                    user(text("x")),
                    model(json!([call("a")])),
                    user(json!([result("a"), result("a")]))
                ])),
                "two results",
            ),
            (
                body(json!([user(text("x")), model(json!([call("a")])), user(json!([marked, result("a")]))])),
                "come first",
            ),
            (body(json!([user(text("x")), model(json!([call("a b")])), user(json!([result("a b")]))])), "id"),
            (body(json!([user(json!([marked, marked, marked, marked, marked]))])), "breakpoints"),
            (body(json!([user(json!([{"type": "image", "source": {"type": "blob"}}]))])), "source"),
            (
                body(json!([user(
                    json!([{"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": "AAAA"}}])
                )])),
                "media type",
            ),
            (
                body(json!([user(
                    json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAA"}}])
                )])),
                "base64",
            ),
            (
                body(json!([user(json!([{"type": "thinking", "thinking": "x", "signature": "y"}]))])),
                "thinking in",
            ),
        ];
        for (body, problem) in bad {
            let error = check(&body).expect_err(problem);
            assert!(error.contains(problem), "{error:?} does not say {problem:?}");
        }
    }
}
