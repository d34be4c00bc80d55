//! What fields a type has, by the schema that is published of it.

use std::sync::LazyLock;

use context_api::Attachment;
use serde_json::{Value, json};

/// The schema of an entry of the history.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas/entry.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
});

/// The attachment as JSON, with a text in each field that it leaves out and that can hold one.
pub(crate) fn filled(attachment: &Attachment) -> Value {
    let cases = SCHEMA["$defs"]["Attachment"]["oneOf"].as_array().unwrap();
    let name = attachment.type_name();
    let case = cases.iter().find(|case| case["properties"]["type"]["const"] == name);
    let mut value = serde_json::to_value(attachment).unwrap();
    fill(&json!({ "$ref": case.unwrap()["$ref"] }), &mut value);
    value
}

/// Follows references, and takes what is not null.
fn resolved(schema: &Value) -> &Value {
    if let Some(name) = schema["$ref"].as_str() {
        return resolved(SCHEMA.pointer(name.trim_start_matches('#')).unwrap());
    }
    let choices = schema["anyOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    match choices.iter().find(|choice| choice["type"] != "null") {
        Some(choice) => resolved(choice),
        None => schema,
    }
}

fn fill(schema: &Value, value: &mut Value) {
    // `resolved` borrows from the schema of all types but for the reference that it began with.
    let schema = resolved(schema).clone();
    match value {
        Value::Object(fields) => {
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                match fields.get_mut(name) {
                    Some(there) => fill(field, there),
                    None => drop(sample(field).map(|text| fields.insert(name.clone(), text))),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(&schema["items"], item)),
        _ => {}
    }
}

/// A value with a text in it; none where there is no room for one.
fn sample(schema: &Value) -> Option<Value> {
    let schema = resolved(schema);
    let is = |kind: &str| {
        let own = &schema["type"];
        own == kind || own.as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind))
    };
    if is("string") {
        let is_free = schema.get("format").is_none() && schema.get("const").is_none();
        return is_free.then(|| json!("text"));
    }
    if is("array") {
        return sample(&schema["items"]).map(|item| json!([item]));
    }
    if is("object") && schema.get("properties").is_some() {
        let mut value = json!({});
        fill(schema, &mut value);
        return (value != json!({})).then_some(value);
    }
    None
}
