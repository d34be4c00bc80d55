//! The rules of Gemini's `generateContent`, as its public documentation and its error messages state them.
//!
//! Written from those and not from our dialect, so that the two can disagree.

use std::collections::BTreeSet;

use serde_json::Value;

/// Fields of a request body (generateContent reference).
const FIELDS: [&str; 7] = [
    "contents",
    "tools",
    "toolConfig",
    "safetySettings",
    "systemInstruction",
    "generationConfig",
    "cachedContent",
];
const NAME_CHARS: usize = 64;
const TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "application/pdf"];

/// Checks a request body.
///
/// # Errors
/// The first rule that it breaks, and where.
pub fn check(body: &Value) -> Result<(), String> {
    let fields = body.as_object().ok_or("body: no object")?;
    for name in fields.keys() {
        ensure(FIELDS.contains(&name.as_str()), || format!("body: unknown field {name}"))?;
    }
    let most = &body["generationConfig"]["maxOutputTokens"];
    ensure(most.as_u64().is_some_and(|tokens| tokens > 0), || "maxOutputTokens".into())?;
    if !body["systemInstruction"].is_null() {
        let parts = body["systemInstruction"]["parts"].as_array().filter(|parts| !parts.is_empty());
        let texts = parts.ok_or("systemInstruction: no parts")?.iter().all(|part| is_text(&part["text"]));
        ensure(texts, || "systemInstruction: text only".into())?;
    }
    check_tools(&body["tools"])?;
    check_contents(&body["contents"])
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_name(value: &Value) -> bool {
    let name = value.as_str().unwrap_or("");
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
    first && name.len() <= NAME_CHARS && name.chars().all(fits)
}

fn check_tools(tools: &Value) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for tool in tools.as_array().into_iter().flatten() {
        let declared = tool["functionDeclarations"].as_array().filter(|declared| !declared.is_empty());
        for function in declared.ok_or("tools: no declarations")? {
            let name = &function["name"];
            ensure(is_name(name), || format!("tools: name {name}"))?;
            ensure(names.insert(name.to_string()), || format!("tools: second {name}"))?;
            ensure(function["parametersJsonSchema"].is_object(), || format!("tools: schema of {name}"))?;
        }
    }
    Ok(())
}

/// Turns alternate from the user's; a turn of calls is followed by one with as many responses, in order.
fn check_contents(contents: &Value) -> Result<(), String> {
    let contents = contents.as_array().filter(|contents| !contents.is_empty()).ok_or("contents: none")?;
    let mut called: Vec<&Value> = Vec::new();
    for (index, content) in contents.iter().enumerate() {
        let place = format!("contents[{index}]");
        let role = if index % 2 == 0 { "user" } else { "model" };
        ensure(content["role"] == role, || format!("{place}: role is not {role}"))?;
        let parts = content["parts"].as_array().filter(|parts| !parts.is_empty());
        let parts = parts.ok_or_else(|| format!("{place}: no parts"))?;
        for part in parts {
            check_part(&place, role, part)?;
        }
        let responses = parts.iter().map_while(|part| part.get("functionResponse"));
        let answered: Vec<_> = responses.map(|response| &response["name"]).collect();
        let total = parts.iter().filter(|part| part.get("functionResponse").is_some()).count();
        ensure(total == answered.len(), || format!("{place}: a response does not come first"))?;
        ensure(called == answered, || format!("{place}: calls {called:?} and responses {answered:?}"))?;
        called = parts.iter().filter_map(|part| part.get("functionCall")).map(|call| &call["name"]).collect();
    }
    ensure(called.is_empty(), || "contents: the last calls have no responses".into())
}

fn check_part(place: &str, role: &str, part: &Value) -> Result<(), String> {
    let fields = part.as_object().ok_or_else(|| format!("{place}: part"))?;
    let kinds = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];
    let found: Vec<_> = fields.keys().filter(|name| kinds.contains(&name.as_str())).collect();
    ensure(found.len() == 1, || format!("{place}: a part of {found:?}"))?;
    match found[0].as_str() {
        "text" => ensure(is_text(&part["text"]), || format!("{place}: empty text")),
        "inlineData" if role == "user" => {
            let media_type = part["inlineData"]["mimeType"].as_str().unwrap_or("");
            ensure(TYPES.contains(&media_type), || format!("{place}: type {media_type:?}"))?;
            ensure(is_text(&part["inlineData"]["data"]), || format!("{place}: data"))
        }
        "fileData" if role == "user" => {
            let data = &part["fileData"];
            ensure(is_text(&data["mimeType"]) && is_text(&data["fileUri"]), || format!("{place}: fileData"))
        }
        "functionCall" if role == "model" => {
            ensure(part["functionCall"]["args"].is_object(), || format!("{place}: args"))
        }
        "functionResponse" if role == "user" => {
            ensure(part["functionResponse"]["response"].is_object(), || format!("{place}: response"))
        }
        kind => Err(format!("{place}: {kind} of {role}")),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    fn body(contents: Value) -> Value {
        json!({"generationConfig": {"maxOutputTokens": 1}, "contents": contents})
    }

    #[test]
    fn good_bodies_pass_and_each_broken_rule_is_found() {
        let user = |parts: Value| json!({"role": "user", "parts": parts});
        let model = |parts: Value| json!({"role": "model", "parts": parts});
        let said = json!({"text": "x"});
        let call = json!({"functionCall": {"name": "Read", "args": {}}});
        let response = json!({"functionResponse": {"name": "Read", "response": {"output": "x"}}});
        assert_eq!(
            check(&body(json!([user(json!([said])), model(json!([call])), user(json!([response, said]))]))),
            Ok(())
        );
        let bad = [
            (
                json!({"generationConfig": {"maxOutputTokens": 1}, "contents": [user(json!([said]))], "model": "m"}),
                "unknown",
            ),
            (body(json!([])), "none"),
            (body(json!([model(json!([said]))])), "role is not user"),
            (body(json!([user(json!([said])), model(json!([call]))])), "no responses"),
            (body(json!([user(json!([said])), model(json!([call])), user(json!([said]))])), "calls"),
            (
                body(json!([user(json!([said])), model(json!([call])), user(json!([said, response]))])),
                "come first",
            ),
            (body(json!([user(json!([response]))])), "calls"),
            (body(json!([user(json!([{"text": ""}]))])), "empty text"),
            (body(json!([user(json!([{"inlineData": {"mimeType": "image/gif", "data": "AA"}}]))])), "type"),
            (body(json!([user(json!([]))])), "no parts"),
        ];
        for (body, problem) in bad {
            let error = check(&body).expect_err(problem);
            assert!(error.contains(problem), "{error:?} does not say {problem:?}");
        }
    }
}
