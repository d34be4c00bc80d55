//! The rules of the OpenAI Responses API, as its public documentation and its error messages state them.
//!
//! Written from those and not from our dialect, so that the two can disagree.

use std::collections::BTreeSet;

use serde_json::Value;

/// Fields of a request body (responses reference).
const FIELDS: [&str; 20] = [
    "model",
    "input",
    "instructions",
    "max_output_tokens",
    "metadata",
    "parallel_tool_calls",
    "prompt_cache_key",
    "previous_response_id",
    "reasoning",
    "service_tier",
    "store",
    "stream",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "truncation",
    "include",
    "safety_identifier",
];
const NAME_CHARS: usize = 64;
const ID_CHARS: usize = 64;
const TOOLS: usize = 128;
const TEXT_CHARS: usize = 10_485_760;

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
    ensure(body["max_output_tokens"].as_u64().is_some_and(|tokens| tokens >= 16), || {
        "max_output_tokens".into()
    })?;
    ensure(body["instructions"].is_null() || is_text(&body["instructions"]), || "instructions".into())?;
    if !body["reasoning"].is_null() {
        let effort = body["reasoning"]["effort"].as_str().unwrap_or("");
        ensure(["minimal", "low", "medium", "high"].contains(&effort), || format!("reasoning: {effort:?}"))?;
    }
    check_tools(&body["tools"])?;
    check_input(&body["input"])
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty() && text.chars().count() <= TEXT_CHARS)
}

fn is_name(value: &Value) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    value.as_str().is_some_and(|name| (1..=NAME_CHARS).contains(&name.len()) && name.chars().all(fits))
}

fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|id| (1..=ID_CHARS).contains(&id.chars().count()))
}

fn check_tools(tools: &Value) -> Result<(), String> {
    if tools.is_null() {
        return Ok(());
    }
    let tools = tools.as_array().ok_or("tools: no array")?;
    ensure((1..=TOOLS).contains(&tools.len()), || format!("tools: {}", tools.len()))?;
    let mut names = BTreeSet::new();
    for (index, tool) in tools.iter().enumerate() {
        ensure(tool["type"] == "function", || format!("tools[{index}]: type"))?;
        ensure(is_name(&tool["name"]), || format!("tools[{index}]: name"))?;
        ensure(names.insert(tool["name"].to_string()), || format!("tools[{index}]: second of its name"))?;
        ensure(tool["parameters"].is_object(), || format!("tools[{index}]: parameters"))?;
        ensure(tool["strict"].is_boolean(), || format!("tools[{index}]: strict"))?;
    }
    Ok(())
}

fn check_input(input: &Value) -> Result<(), String> {
    let items = input.as_array().filter(|items| !items.is_empty()).ok_or("input: none")?;
    let (mut called, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for (index, item) in items.iter().enumerate() {
        let place = format!("input[{index}]");
        match item["type"].as_str() {
            Some("message") => check_message(&place, item)?,
            Some("function_call") => {
                ensure(is_id(&item["call_id"]) && is_name(&item["name"]), || format!("{place}: id or name"))?;
                let arguments = item["arguments"].as_str().ok_or_else(|| format!("{place}: arguments"))?;
                let object =
                    serde_json::from_str::<Value>(arguments).is_ok_and(|arguments| arguments.is_object());
                ensure(object, || format!("{place}: arguments are no object"))?;
                ensure(called.insert(item["call_id"].to_string()), || format!("{place}: second call"))?;
            }
            Some("function_call_output") => {
                let id = item["call_id"].to_string();
                ensure(called.contains(&id), || format!("{place}: no tool call found for {id}"))?;
                ensure(answered.insert(id), || format!("{place}: second output"))?;
                check_output(&place, &item["output"])?;
            }
            Some("reasoning") => {
                ensure(item["summary"].is_array() && item["id"].is_string(), || {
                    format!("{place}: summary or id")
                })?;
            }
            kind => return Err(format!("{place}: item {kind:?}")),
        }
    }
    let open: Vec<_> = called.difference(&answered).collect();
    ensure(open.is_empty(), || format!("input: no output found for {open:?}"))
}

fn check_message(place: &str, item: &Value) -> Result<(), String> {
    match (item["role"].as_str(), &item["content"]) {
        (Some("assistant"), content) => ensure(is_text(content), || format!("{place}: the answer's text")),
        (Some("user" | "developer" | "system"), Value::Array(parts)) if !parts.is_empty() => parts
            .iter()
            .enumerate()
            .try_for_each(|(at, part)| check_part(&format!("{place}.content[{at}]"), part)),
        (role, _) => Err(format!("{place}: role {role:?} or its content")),
    }
}

fn check_output(place: &str, output: &Value) -> Result<(), String> {
    match output {
        Value::String(_) => ensure(is_text(output), || format!("{place}: output")),
        Value::Array(parts) if !parts.is_empty() => parts
            .iter()
            .enumerate()
            .try_for_each(|(at, part)| check_part(&format!("{place}.output[{at}]"), part)),
        _ => Err(format!("{place}: output")),
    }
}

fn check_part(place: &str, part: &Value) -> Result<(), String> {
    match part["type"].as_str() {
        Some("input_text") => ensure(is_text(&part["text"]), || format!("{place}: text")),
        Some("input_image") => {
            ensure(part["detail"].is_string(), || format!("{place}: detail"))?;
            ensure(is_address(&part["image_url"], "data:image/"), || format!("{place}: image_url"))
        }
        Some("input_file") if part["file_url"].is_string() => {
            ensure(is_address(&part["file_url"], "https:"), || format!("{place}: file_url"))
        }
        Some("input_file") => {
            ensure(is_text(&part["filename"]), || format!("{place}: filename"))?;
            ensure(is_address(&part["file_data"], "data:application/pdf;base64,"), || {
                format!("{place}: file_data")
            })
        }
        kind => Err(format!("{place}: part {kind:?}")),
    }
}

fn is_address(value: &Value, data: &str) -> bool {
    let address = value.as_str().unwrap_or("");
    ["https://", "http://", data]
        .iter()
        .any(|start| address.starts_with(start) && address.len() > start.len())
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    fn body(input: Value) -> Value {
        json!({"model": "m", "max_output_tokens": 16, "input": input})
    }

    #[test]
    fn good_bodies_pass_and_each_broken_rule_is_found() {
        let said =
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]});
        let call = json!({"type": "function_call", "call_id": "c", "name": "Read", "arguments": "{}"});
        let output = json!({"type": "function_call_output", "call_id": "c", "output": "x"});
        assert_eq!(check(&body(json!([said, call, output]))), Ok(()));
        let bad = [
            (json!({"model": "m", "max_output_tokens": 15, "input": [said]}), "max_output_tokens"),
            (
                json!({"model": "m", "max_output_tokens": 16, "input": [said], "messages": []}),
                "unknown field",
            ),
            (body(json!([])), "none"),
            (body(json!([said, call])), "no output found"),
            (body(json!([said, output])), "no tool call found"),
            (body(json!([said, call, output, output])), "second output"),
            (
                body(
                    json!([{"type": "message", "role": "user", "content": [{"type": "text", "text": "x"}]}]),
                ),
                "part",
            ),
            (body(json!([{"type": "message", "role": "assistant", "content": ""}])), "the answer's text"),
        ];
        for (body, problem) in bad {
            let error = check(&body).expect_err(problem);
            assert!(error.contains(problem), "{error:?} does not say {problem:?}");
        }
    }
}
