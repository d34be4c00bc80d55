//! The schema of one line of a scenario.

use std::collections::BTreeMap;

use agent_core::context_api::{
    Attachment, HostSnapshot, InvalidateEvent, MailMessage, StopReason, TaskChange, Usage,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{ContentForm, close, host_snapshot};
use crate::replay::memories::{LateSpec, SelectSpec};
use crate::replay::resources::ResourceSpec;
use crate::replay::step::{
    EditSpec, Expect, FaultSpec, HookSpec, Options, Queued, ReadSpec, ToolResultSpec, TouchedSpec,
    TranscriptSpec, TurnSpec,
};
use crate::replay::summaries::{CompactSpec, SummarySpec};

type Texts = BTreeMap<String, String>;

/// Makes a schema within a generator.
type Make = fn(&mut SchemaGenerator) -> Schema;

/// A key of a step, what it does, and its value.
type Key = (&'static str, &'static str, Make);

const STEPS: &[Key] = &[
    ("write", "Writes files: path to text.", of::<Texts>),
    ("write_base64", "Writes files: path to bytes in base64.", of::<Texts>),
    ("delete", "Deletes files or directories.", of::<Vec<String>>),
    ("symlink", "Makes symbolic links: link to target.", of::<Texts>),
    ("rename", "Renames files: old path to new path.", of::<Texts>),
    ("mtime", "Sets times of the last change: path to time.", of::<Texts>),
    ("mode", "Sets permissions: path to octal digits.", of::<Texts>),
    ("owner", "Sets owners: path to user id.", of::<BTreeMap<String, u32>>),
    ("fifo", "Makes pipes.", of::<Vec<String>>),
    ("git", "Runs git with each line of arguments.", of::<Vec<String>>),
    ("run", "Runs a command, where that is allowed.", of::<String>),
    ("cwd", "Sets the working directory.", of::<String>),
    ("settings", "A layer of settings.", |_| true.into()),
    ("env", "Sets environment variables; null unsets.", of::<BTreeMap<String, Value>>),
    ("clock", "Sets the time.", of::<String>),
    ("options", "Options of engine and session.", of::<Options>),
    ("host", "What the host knows from now on, merged in depth; null removes.", of::<HostSnapshot>),
    ("queue", "Input that arrives while the model works.", of::<Queued>),
    ("hook", "What a hook answered, before the turn it belongs to.", of::<HookSpec>),
    ("mail", "Mail of another agent.", of::<MailMessage>),
    ("task", "A task in the background changed.", of::<TaskChange>),
    ("hand_in", "An attachment that the host made itself.", of::<Attachment>),
    ("resource", "What a resource of a server holds from now on.", of::<ResourceSpec>),
    ("turn", "A turn of the user.", of::<TurnForm>),
    ("continue", "A turn after tool results; any value.", |_| true.into()),
    ("assistant", "The model's answer.", of::<ContentForm>),
    ("tool_result", "What a tool answered.", of::<ToolResultSpec>),
    ("touched", "A path that the turn touched.", of::<TouchedSpec>),
    ("read", "Reads with the reference tool.", of::<ReadSpec>),
    ("edit", "Edits with the reference tool.", of::<EditSpec>),
    ("invalidate", "A named reason for which the prefix may change.", of::<InvalidateEvent>),
    ("approve_includes", "The user's word on includes outside the project.", of::<bool>),
    ("invoke_skill", "The model loads a skill by its name, with the reference tool.", of::<String>),
    (
        "fault",
        "A path or collector that fails from now on; without an error, no longer. At `{workspace}/sessions` it is what is appended to sessions.",
        of::<FaultSpec>,
    ),
    ("resume", "Ends the process and goes on with the session in a new one; any value.", |_| true.into()),
    ("fork", "Goes on in a fork of the session; any value.", |_| true.into()),
    ("transcript", "Damages the session's file between two turns.", of::<TranscriptSpec>),
    ("summary", "What the summarizer answers next.", of::<SummarySpec>),
    ("select", "What the selector of memories answers next.", of::<SelectSpec>),
    ("late", "What settles after the last request was built.", of::<LateSpec>),
    ("compact", "Summarises the history now.", of::<CompactSpec>),
    ("expect", "What has to hold of the last turn.", of::<Expect>),
];

/// Keys that may stand beside a step's own: the step, then the key.
const BESIDE: &[(&str, Key)] = &[
    ("git", ("in", "The directory to run in.", of::<Option<String>>)),
    ("assistant", ("usage", "What the provider counted.", of::<Option<Usage>>)),
    ("assistant", ("stop", "Why the model stopped.", of::<Option<StopReason>>)),
];

/// A turn, or only its text.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
enum TurnForm {
    /// The text as typed.
    Text(String),
    /// More than a text.
    Spec(TurnSpec),
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// One object with exactly one step key.
pub(crate) fn scenario_step() -> Value {
    let mut generator = SchemaGenerator::default();
    let steps: Vec<Value> = STEPS.iter().map(|step| one(step, &mut generator)).collect();
    let mut definitions = Value::Object(generator.take_definitions(true));
    loosen_host(&mut definitions);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ScenarioStep",
        "description": "One line of a scenario: an object with exactly one step key.",
        "$defs": definitions,
        "oneOf": steps,
    });
    allow_repeat(&mut schema);
    schema["$defs"]["Repeat"] = json!({
        "description": "In the place of a text: a text, so many times.",
        "type": "object",
        "properties": {
            "repeat": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer", "minimum": 0 }], "minItems": 2, "maxItems": 2 },
        },
        "required": ["repeat"],
        "additionalProperties": false,
    });
    schema
}

fn one((name, about, make): &Key, generator: &mut SchemaGenerator) -> Value {
    let mut properties = serde_json::Map::new();
    properties.insert((*name).to_owned(), make(generator).to_value());
    for (_, (beside, about, make)) in BESIDE.iter().filter(|(step, _)| step == name) {
        let value = make(generator).to_value();
        properties.insert((*beside).to_owned(), json!({ "description": about, "allOf": [value] }));
    }
    json_schema!({
        "description": about,
        "type": "object",
        "properties": properties,
        "required": [name],
        "additionalProperties": false,
    })
    .to_value()
}

/// The host's words in a step: as strict as a snapshot, but parts of it are enough and `null` removes.
fn loosen_host(definitions: &mut Value) {
    let host = host_snapshot();
    let names = host["$defs"].as_object().into_iter().flat_map(|map| map.keys().cloned());
    for name in names.chain(["HostSnapshot".to_owned()]) {
        let Some(schema) = definitions.get_mut(&name) else { continue };
        close(schema);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for value in properties.values_mut() {
                let inner = value.take();
                *value = json!({ "anyOf": [inner, { "type": "null" }] });
            }
        }
    }
}

/// A text may be given as a repetition, wherever it stands.
fn allow_repeat(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(allow_repeat);
            let fixed = ["const", "enum", "not"].iter().any(|key| map.contains_key(*key));
            let text = map.get("type").is_some_and(|kind| {
                kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
            });
            if text && !fixed {
                let kind = map.remove("type").unwrap_or_default();
                map.insert("anyOf".into(), json!([{ "type": kind }, { "$ref": "#/$defs/Repeat" }]));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(allow_repeat),
        _ => {}
    }
}

/// The keys of all steps.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    STEPS.iter().map(|(name, ..)| *name).collect()
}
