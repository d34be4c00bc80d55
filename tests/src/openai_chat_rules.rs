//! The rules of the OpenAI Chat Completions API, as its public documentation and its error messages state them.
//!
//! Written from those and not from our dialect, so that the two can disagree.

use std::collections::BTreeSet;

use serde_json::Value;

/// Fields of a request body (chat reference).
const FIELDS: [&str; 18] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "max_completion_tokens",
    "reasoning_effort",
    "stream",
    "stream_options",
    "prompt_cache_key",
    "temperature",
    "top_p",
    "stop",
    "n",
    "seed",
    "metadata",
    "store",
    "response_format",
    "parallel_tool_calls",
];
const NAME_CHARS: usize = 64;
const ID_CHARS: usize = 40;
const TOOLS: usize = 128;

/// Checks a request body.
///
/// # Errors
/// The first rule that it breaks, and where.
pub fn check(body: &Value) -> Result<(), String> {
    let fields = body.as_object().ok_or("body: no object")?;
    for name in fields.keys() {
        ensure(FIELDS.contains(&name.as_str()), || format!("body: unknown field {name}"))?;
    }
    ensure(is_text(&body["model"]), || "model: missing".into())?;
    ensure(body["max_completion_tokens"].as_u64().is_some_and(|tokens| tokens > 0), || {
        "max_completion_tokens".into()
    })?;
    if !body["reasoning_effort"].is_null() {
        let effort = body["reasoning_effort"].as_str().unwrap_or("");
        ensure(["minimal", "low", "medium", "high"].contains(&effort), || {
            format!("reasoning_effort: {effort:?}")
        })?;
    }
    check_tools(&body["tools"])?;
    check_messages(&body["messages"])
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_name(value: &Value) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    value.as_str().is_some_and(|name| (1..=NAME_CHARS).contains(&name.len()) && name.chars().all(fits))
}

fn check_tools(tools: &Value) -> Result<(), String> {
    if tools.is_null() {
        return Ok(());
    }
    let tools = tools.as_array().ok_or("tools: no array")?;
    ensure((1..=TOOLS).contains(&tools.len()), || format!("tools: {}", tools.len()))?;
    let mut names = BTreeSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let function = &tool["function"];
        ensure(tool["type"] == "function" && is_name(&function["name"]), || format!("tools[{index}]: name"))?;
        ensure(names.insert(function["name"].to_string()), || format!("tools[{index}]: second of its name"))?;
        ensure(function["parameters"].is_object(), || format!("tools[{index}]: parameters"))?;
    }
    Ok(())
}

/// Calls are answered by the messages directly behind them, each once, before anything else is said.
fn check_messages(messages: &Value) -> Result<(), String> {
    let messages = messages.as_array().filter(|messages| !messages.is_empty()).ok_or("messages: none")?;
    let mut open = BTreeSet::new();
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        let role = message["role"].as_str().unwrap_or("");
        if role == "tool" {
            let id = message["tool_call_id"].to_string();
            ensure(open.remove(&id), || format!("{place}: {id} answers no preceding call"))?;
        } else {
            ensure(open.is_empty(), || format!("{place}: calls {open:?} are not answered"))?;
        }
        match role {
            "system" => ensure(index == 0 && is_text(&message["content"]), || format!("{place}: system"))?,
            "user" => check_content(&place, &message["content"], &["text", "image_url", "file"])?,
            "tool" => check_content(&place, &message["content"], &["text"])?,
            "assistant" => open = check_assistant(&place, message)?,
            other => return Err(format!("{place}: role {other:?}")),
        }
    }
    ensure(open.is_empty(), || format!("messages: calls {open:?} are not answered"))
}

fn check_assistant(place: &str, message: &Value) -> Result<BTreeSet<String>, String> {
    let calls = message["tool_calls"].as_array();
    if !message["content"].is_null() {
        check_content(place, &message["content"], &["text"])?;
    }
    ensure(calls.is_some_and(|calls| !calls.is_empty()) || !message["content"].is_null(), || {
        format!("{place}: neither content nor calls")
    })?;
    let mut ids = BTreeSet::new();
    for call in calls.into_iter().flatten() {
        let function = &call["function"];
        let id = call["id"].as_str().unwrap_or("");
        ensure((1..=ID_CHARS).contains(&id.chars().count()), || format!("{place}: id {id:?}"))?;
        ensure(call["type"] == "function" && is_text(&function["name"]), || format!("{place}: function"))?;
        let arguments = function["arguments"].as_str().unwrap_or("");
        let object = serde_json::from_str::<Value>(arguments).is_ok_and(|arguments| arguments.is_object());
        ensure(object, || format!("{place}: arguments are no object"))?;
        ensure(ids.insert(call["id"].to_string()), || format!("{place}: second {id}"))?;
    }
    Ok(ids)
}

fn check_content(place: &str, content: &Value, kinds: &[&str]) -> Result<(), String> {
    let parts = content.as_array().filter(|parts| !parts.is_empty());
    for part in parts.ok_or_else(|| format!("{place}: content"))? {
        let kind = part["type"].as_str().unwrap_or("");
        ensure(kinds.contains(&kind), || format!("{place}: part {kind:?}"))?;
        match kind {
            "text" => ensure(is_text(&part["text"]), || format!("{place}: empty text"))?,
            "image_url" => {
                let url = part["image_url"]["url"].as_str().unwrap_or("");
                let known = ["https://", "http://", "data:image/"].iter().any(|start| url.starts_with(start));
                ensure(known, || format!("{place}: image_url {url:?}"))?;
            }
            _ => {
                let data = part["file"]["file_data"].as_str().unwrap_or("");
                ensure(data.starts_with("data:application/pdf;base64,"), || format!("{place}: file_data"))?;
                ensure(is_text(&part["file"]["filename"]), || format!("{place}: filename"))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    fn body(messages: Value) -> Value {
        json!({"model": "m", "max_completion_tokens": 1, "messages": messages})
    }

    #[test]
    fn good_bodies_pass_and_each_broken_rule_is_found() {
        let text = json!([{"type": "text", "text": "x"}]);
        let said = json!({"role": "user", "content": text});
        let function = json!({"name": "Read", "arguments": "{}"});
        let called = json!({"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": function}]});
        let answer = json!({"role": "tool", "tool_call_id": "c", "content": text});
        assert_eq!(check(&body(json!([said, called, answer, said]))), Ok(()));
        let picture = json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]);
        let bad = [
            (
                json!({"model": "m", "max_completion_tokens": 1, "messages": [said], "input": 1}),
                "unknown field",
            ),
            (body(json!([])), "none"),
            (body(json!([said, called])), "not answered"),
            (body(json!([said, called, said, answer])), "not answered"),
            (body(json!([said, answer])), "no preceding call"),
            (body(json!([said, called, {"role": "tool", "tool_call_id": "c", "content": picture}])), "part"),
            (body(json!([said, {"role": "assistant"}])), "neither content nor calls"),
            (body(json!([{"role": "user", "content": "x"}])), "content"),
            (body(json!([{"role": "user", "content": [{"type": "text", "text": ""}]}])), "empty text"),
        ];
        for (body, problem) in bad {
            let error = check(&body).expect_err(problem);
            assert!(error.contains(problem), "{error:?} does not say {problem:?}");
        }
    }
}
