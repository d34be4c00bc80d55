//! JSON schemas of those types whose JSON form is written by hand; all others derive theirs.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    AssistantReply, Boundary, ContentBlock, ContextRecord, Destination, Destinations, DocumentBlock, Entry,
    Envelope, HostEvent, ImageBlock, Invalidate, Mark, RawJson, RedactedThinkingBlock, StatesNote, TextBlock,
    ThinkingBlock, ToolResult, ToolResultBlock, ToolUseBlock, UserInput, ViewEdit,
};

/// One kind of an object that a `type` tells apart.
pub(crate) struct Case {
    tag: &'static str,
    about: &'static str,
    payload: Schema,
}

impl Case {
    /// The kind `tag`, whose payload is `T`.
    pub(crate) fn of<T: JsonSchema>(
        tag: &'static str,
        about: &'static str,
        generator: &mut SchemaGenerator,
    ) -> Self {
        Self { tag, about: about.trim(), payload: generator.subschema_for::<T>() }
    }

    /// The payload's fields beside the `type`.
    fn flat(&self) -> Value {
        let mut schema = self.payload.clone();
        schema.insert("type".into(), "object".into());
        schema.insert("description".into(), self.about.into());
        schema.insert("properties".into(), json_schema!({ "type": { "const": self.tag } }).to_value());
        schema.insert("required".into(), vec!["type"].into());
        schema.to_value()
    }

    /// The payload under a key of its own.
    fn nested(&self) -> Value {
        let about = self.about;
        let properties = json_schema!({ "type": { "const": self.tag }, "payload": self.payload });
        json_schema!({ "description": about, "properties": properties }).to_value()
    }
}

/// What is said of a `type` that no case has.
fn unknown(cases: &[Case]) -> Value {
    let known: Vec<&str> = cases.iter().map(|case| case.tag).collect();
    json_schema!({
        "description": "A type that this version does not know: kept as it is.",
        "type": "object",
        "properties": { "type": { "type": "string", "not": { "enum": known } } },
        "required": ["type"],
    })
    .to_value()
}

/// An object whose `type` says which of `cases` it is, with the payload's fields beside it.
pub(crate) fn tagged(about: &str, cases: &[Case]) -> Schema {
    let all: Vec<Value> = cases.iter().map(Case::flat).chain([unknown(cases)]).collect();
    json_schema!({ "description": about, "oneOf": all })
}

impl JsonSchema for RawJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RawJson".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl JsonSchema for Destinations {
    fn schema_name() -> Cow<'static, str> {
        "Destinations".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<Destination>>()
    }
}

/// Blocks, or a bare text where one block of text is meant.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a form in JSON and is never made")]
pub(crate) enum TextOrBlocks {
    /// One block of text.
    Text(String),
    /// Blocks.
    Blocks(Vec<ContentBlock>),
}

impl JsonSchema for ContentBlock {
    fn schema_name() -> Cow<'static, str> {
        "ContentBlock".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let known = [
            Case::of::<TextBlock>("text", "Plain text.", generator),
            Case::of::<ImageBlock>("image", "A picture.", generator),
            Case::of::<DocumentBlock>("document", "A document, such as a PDF.", generator),
            Case::of::<ToolUseBlock>("tool_use", "The model calls a tool.", generator),
            Case::of::<ToolResultBlock>("tool_result", "What a tool answered.", generator),
            Case::of::<ThinkingBlock>("thinking", "The model's own thinking, signed.", generator),
            Case::of::<RedactedThinkingBlock>(
                "redacted_thinking",
                "Thinking that is shown to nobody.",
                generator,
            ),
        ];
        tagged("One block of a message.", &known)
    }
}

fn entry_cases(generator: &mut SchemaGenerator) -> [Case; 11] {
    [
        Case::of::<UserInput>("user", "Words of the user.", generator),
        Case::of::<AssistantReply>("assistant", "The model's answer.", generator),
        Case::of::<ToolResult>("tool_result", "What a tool answered.", generator),
        Case::of::<Envelope>("attachment", "A typed event of a turn.", generator),
        Case::of::<ContextRecord>("context", "The context in front of the history, as computed.", generator),
        Case::of::<Boundary>("boundary", "A compaction: what is before it is out of view.", generator),
        Case::of::<Mark>(
            "mark",
            "A word about earlier entries for the stages that make a history fit.",
            generator,
        ),
        Case::of::<ViewEdit>("view_edit", "A change of how earlier entries are seen.", generator),
        Case::of::<Invalidate>("invalidate", "A named reason for which the prefix may change.", generator),
        Case::of::<StatesNote>(
            "states",
            "What became known of files without a word to the model.",
            generator,
        ),
        Case::of::<HostEvent>("host", "Something that happened in the host.", generator),
    ]
}

impl JsonSchema for Entry {
    fn schema_name() -> Cow<'static, str> {
        "Entry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let cases = entry_cases(generator);
        let kinds: Vec<Value> = cases.iter().map(Case::nested).chain([unknown(&cases)]).collect();
        json_schema!({
            "description": "One entry of a session's history: one line of a transcript.",
            "type": "object",
            "properties": {
                "uuid": generator.subschema_for::<Uuid>(),
                "parent_uuid": generator.subschema_for::<Option<Uuid>>(),
                "timestamp": { "type": "string", "format": "date-time" },
                "turn": generator.subschema_for::<u64>(),
                "type": { "type": "string" },
                "payload": true,
            },
            "required": ["uuid", "timestamp", "type", "payload"],
            "oneOf": kinds,
        })
    }
}
