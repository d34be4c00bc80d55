//! A body as expectations look at it.

use serde_json::Value;

/// All strings of a body, in order, as a model reads them.
pub(crate) fn texts(body: &Value) -> String {
    let mut out = String::new();
    // The places of system prompt, conversation and tools in the bodies of all providers, in the order in which a model
    // reads them.
    let places = [
        "system",
        "instructions",
        "systemInstruction",
        "system_instruction",
        "messages",
        "input",
        "contents",
        "tools",
    ];
    for key in places {
        collect(&body[key], &mut out);
    }
    out
}

fn collect(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "type" | "role" | "cache_control"))
            .for_each(|(_, value)| collect(value, out)),
        _ => {}
    }
}

/// What is wrong with `next` as a continuation of `previous`: system, tools and the sequence of blocks, cache marks aside.
pub(crate) fn broken_prefix(previous: &Value, next: &Value) -> Option<String> {
    for key in ["system", "tools"] {
        if without_marks(&previous[key]) != without_marks(&next[key]) {
            return Some(format!("{key} differs"));
        }
    }
    let (before, after) = (blocks(previous), blocks(next));
    if before.len() > after.len() {
        return Some(format!("{} blocks became {}", before.len(), after.len()));
    }
    let differing = before.iter().zip(&after).position(|(before, after)| before != after)?;
    Some(format!("block {differing} differs:\n- {}\n+ {}", before[differing].1, after[differing].1))
}

fn blocks(body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    messages
        .iter()
        .flat_map(|message| {
            let role = message["role"].to_string();
            let blocks = message["content"].as_array().cloned().unwrap_or_default();
            blocks.into_iter().map(move |block| (role.clone(), without_marks(&block).to_string()))
        })
        .collect()
}

fn without_marks(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "cache_control");
            Value::Object(kept.map(|(key, value)| (key.clone(), without_marks(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_marks).collect()),
        other => other.clone(),
    }
}
