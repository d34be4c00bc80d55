//! Where types of attachments appear in what a scenario prints.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use context_api::Attachment;
use serde_json::Value;

/// Types that a host makes itself and hands in: there is no other trigger.
const MADE_BY_HOSTS: [&str; 2] = ["command_permissions", "structured_output"];
/// Characters of a string that a golden output shows; of pictures and long texts the beginning is enough.
const SHOWN: usize = 1_500;

/// The first time that a scenario shows a type of attachment.
pub(crate) struct Appearance {
    /// The type.
    pub(crate) kind: &'static str,
    /// What every destination gets of that request.
    pub(crate) golden: String,
}

/// What stands above the blocks that are new in a request.
const NEW: &str = "new for the model:";

impl Appearance {
    /// Whether something of the request is new for the model.
    pub(crate) fn is_sent(&self) -> bool {
        !self.golden.trim_end().ends_with(NEW)
    }
}

/// Every type in what a scenario printed, but for those that it handed in ready-made.
pub(crate) fn appearances(name: &str, scenario: &str, printed: &str) -> Vec<Appearance> {
    let handed = handed_in(scenario);
    let mut seen: Vec<Appearance> = Vec::new();
    let mut before = Vec::new();
    for line in printed.lines() {
        let Ok(printed) = serde_json::from_str::<Value>(line) else { continue };
        let own = printed["attachments"].as_array().map(Vec::as_slice).unwrap_or_default();
        let kinds: BTreeSet<&str> = own.iter().filter_map(|one| one["type"].as_str()).collect();
        let rows = Attachment::TABLE.iter().map(|row| row.name).filter(|kind| kinds.contains(kind));
        let blocks = blocks(&printed["request"]);
        for kind in rows.filter(|kind| !handed.contains(*kind)) {
            if seen.iter().all(|known| known.kind != kind) {
                let new = new_blocks(&before, &blocks);
                seen.push(Appearance { kind, golden: golden(name, &printed, own, kind, new) });
            }
        }
        if printed.get("turn").is_some() {
            before = blocks;
        }
    }
    seen
}

/// Types that the scenario hands in, whose trigger is therefore not seen in it.
fn handed_in(scenario: &str) -> BTreeSet<String> {
    let steps = scenario.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let types = steps.filter_map(|step| Some(step.get("hand_in")?["type"].as_str()?.to_owned()));
    types.filter(|kind| !MADE_BY_HOSTS.contains(&kind.as_str())).collect()
}

fn golden(name: &str, printed: &Value, own: &[Value], kind: &str, new: &[(String, Value)]) -> String {
    let mut out = format!("scenario: {name}\nrequest: {}\n", printed["turn"]);
    for attachment in own.iter().filter(|one| one["type"] == kind) {
        let _ = writeln!(out, "attachment: {}", cut(attachment));
    }
    for key in ["ui", "signals"] {
        let _ = writeln!(out, "{key}: {}", cut(&printed[key]));
    }
    let _ = writeln!(out, "{NEW}");
    for (role, block) in new {
        let content = block["text"].as_str().map_or_else(|| cut(block).to_string(), cut_text);
        let _ = writeln!(out, "[{role}]\n{content}");
    }
    out
}

/// Roles and blocks of a request to the Messages API, cache marks removed.
fn blocks(request: &Value) -> Vec<(String, Value)> {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |message: &Value| {
        let role = message["role"].as_str().unwrap_or_default().to_owned();
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        blocks.into_iter().map(move |mut block| {
            block.as_object_mut().and_then(|fields| fields.remove("cache_control"));
            (role.clone(), block)
        })
    };
    messages.iter().flat_map(of).collect()
}

fn new_blocks<'a>(before: &[(String, Value)], now: &'a [(String, Value)]) -> &'a [(String, Value)] {
    let same = before.iter().zip(now).take_while(|(before, now)| before == now).count();
    &now[same..]
}

/// The value with its long strings cut.
fn cut(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut_text(text)),
        Value::Array(items) => items.iter().map(cut).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), cut(value))).collect())
        }
        other => other.clone(),
    }
}

fn cut_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
