//! JSON schemas: what a host says, what a transcript keeps, what a scenario is made of.

mod steps;

#[cfg(test)]
mod validator;

use agent_core::context_api::{ContentBlock, Entry, HostSnapshot};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

pub(crate) use steps::scenario_step;

/// The schemas by name (draft 2020-12): `host-snapshot`, `entry` (one line of a transcript), `scenario-step` (one line of a
/// scenario). The keys of each object are in byte order.
///
/// ```
/// let names: Vec<_> = ctx::schemas().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["host-snapshot", "entry", "scenario-step"]);
/// ```
pub fn schemas() -> Vec<(&'static str, Value)> {
    let all =
        [("host-snapshot", host_snapshot()), ("entry", root::<Entry>()), ("scenario-step", scenario_step())];
    all.into_iter().map(|(name, schema)| (name, sorted(schema))).collect()
}

fn root<T: JsonSchema>() -> Value {
    SchemaGenerator::default().into_root_schema_for::<T>().to_value()
}

/// A host's own words are checked strictly: a key that means nothing is a mistake.
fn host_snapshot() -> Value {
    let mut schema = root::<HostSnapshot>();
    close(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.values_mut().for_each(close);
    }
    schema
}

/// Forbids keys that a schema does not name.
fn close(schema: &mut Value) {
    if let Some(schema) = schema.as_object_mut().filter(|schema| schema.contains_key("properties")) {
        schema.insert("additionalProperties".into(), json!(false));
    }
}

/// Whether a build keeps the order of insertion depends on who else is in it; the schemas must not.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> = map.into_iter().collect();
            pairs.sort_by(|one, two| one.0.cmp(&two.0));
            Value::Object(pairs.into_iter().map(|(key, value)| (key, sorted(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// Blocks, or a bare text where one block of text is meant.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum ContentForm {
    /// One block of text.
    Text(String),
    /// Blocks.
    Blocks(Vec<ContentBlock>),
}

/// Which files outside the project may be included.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum PolicyForm {
    /// One word for all.
    Word(PolicyWord),
    /// Those below some directories.
    Roots {
        /// The directories.
        allow_roots: Vec<String>,
    },
}

/// One word for all files outside the project.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum PolicyWord {
    /// None.
    Deny,
    /// Each waits for the user's word.
    Ask,
    /// All.
    AllowAll,
}

/// How much memory may be shown.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum BudgetForm {
    /// `unlimited`.
    Word(BudgetWord),
    /// Characters.
    Chars(u64),
}

/// No limit.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum BudgetWord {
    /// All of it.
    Unlimited,
}

#[cfg(test)]
mod tests;
