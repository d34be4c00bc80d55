//! The body.

use context_api::{
    ContentBlock, Decision, DocumentBlock, MediaSource, ModelMessage, ModelRequest, RequestTool, Role,
    ToolResultBlock, ToolUseBlock,
};
use context_text::repair_surrogates;

use super::{OpenAiResponses, carries};
use crate::json::{Fields, Out};
use crate::losses::{not_carried, thinking_as_effort};
use crate::openai::{document_text, instructions};
use crate::size::size_hint;
use crate::{OpenAiLimits, wording};

/// The body of a request that was checked, and what it could not carry.
pub(super) fn body(request: &ModelRequest, dialect: &OpenAiResponses) -> (Vec<u8>, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut out = Out::with_capacity(size_hint(request));
    out.object(|fields| {
        fields.string("model", &request.model);
        fields.number("max_output_tokens", request.max_tokens);
        fields.raw("store", "false");
        if dialect.stream {
            fields.raw("stream", "true");
        }
        if let Some(key) = &dialect.cache_key {
            fields.string("prompt_cache_key", key);
        }
        reasoning(fields, request, &dialect.limits, &mut decisions);
        if !request.tools.is_empty() {
            fields.list("tools", &request.tools, tool);
        }
        if !request.system.is_empty() {
            fields.string("instructions", &instructions(request));
        }
        let items =
            request.messages.iter().enumerate().flat_map(|(at, message)| items(at, message, &mut decisions));
        let items: Vec<_> = items.collect();
        fields.list("input", items, |out, item| write(out, item, dialect));
    });
    (out.into_bytes(), decisions)
}

/// The provider's own thinking comes back encrypted, since nothing is stored there.
fn reasoning(
    fields: &mut Fields<'_>,
    request: &ModelRequest,
    limits: &OpenAiLimits,
    decisions: &mut Vec<Decision>,
) {
    let Some(budget) = request.thinking else { return };
    let effort = limits.effort(budget);
    decisions.push(thinking_as_effort(budget, effort));
    fields.object("reasoning", |fields| fields.string("effort", effort));
    fields.raw("include", r#"["reasoning.encrypted_content"]"#);
}

fn tool(out: &mut Out, tool: &RequestTool) {
    out.object(|fields| {
        fields.string("type", "function");
        fields.string("name", &tool.name);
        if !tool.description.is_empty() {
            fields.string("description", &tool.description);
        }
        fields.raw("parameters", &repair_surrogates(tool.input_schema.get()));
        fields.raw("strict", "false");
    });
}

/// One item of the input.
enum Item<'a> {
    User(Vec<&'a ContentBlock>),
    Assistant(&'a str),
    Call(&'a ToolUseBlock),
    Result(&'a ToolResultBlock),
    Raw(&'a str),
}

/// Each result and call is an item of its own; what else a user says in a message is one.
fn items<'a>(index: usize, message: &'a ModelMessage, decisions: &mut Vec<Decision>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    for (at, block) in message.blocks.iter().enumerate() {
        match (&block.content, items.last_mut()) {
            (content, _) if !carries(content) => decisions.push(not_carried(index, at, content)),
            (ContentBlock::ToolResult(result), _) => items.push(Item::Result(result)),
            (ContentBlock::ToolUse(call), _) => items.push(Item::Call(call)),
            (ContentBlock::Unknown(raw), _) => items.push(Item::Raw(raw.get())),
            (ContentBlock::Text(text), _) if message.role == Role::Assistant => {
                items.push(Item::Assistant(&text.text))
            }
            (content, Some(Item::User(said))) => said.push(content),
            (content, _) => items.push(Item::User(vec![content])),
        }
    }
    items
}

fn write(out: &mut Out, item: Item<'_>, dialect: &OpenAiResponses) {
    match item {
        Item::Raw(json) => out.raw(&repair_surrogates(json)),
        Item::User(said) => out.object(|fields| {
            fields.string("type", "message");
            fields.string("role", "user");
            fields.list("content", said, content);
        }),
        Item::Assistant(text) => out.object(|fields| {
            fields.string("type", "message");
            fields.string("role", "assistant");
            fields.string("content", text);
        }),
        Item::Call(call) => out.object(|fields| {
            fields.string("type", "function_call");
            fields.string("call_id", &dialect.ids().wire(&call.id));
            fields.string("name", &call.name);
            fields.string("arguments", &repair_surrogates(call.input.get()));
        }),
        Item::Result(result) => out.object(|fields| {
            fields.string("type", "function_call_output");
            fields.string("call_id", &dialect.ids().wire(&result.tool_use_id));
            output(fields, result);
        }),
    }
}

/// One text goes as text, anything else as a list.
fn output(fields: &mut Fields<'_>, result: &ToolResultBlock) {
    match (result.content.as_slice(), result.is_error) {
        ([], false) => fields.string("output", wording::NO_OUTPUT),
        ([], true) => fields.string("output", wording::FAILED),
        ([ContentBlock::Text(block)], false) => fields.string("output", &block.text),
        (blocks, is_error) => {
            let failed = ContentBlock::text(wording::FAILED);
            let head = is_error.then_some(&failed);
            fields.list("output", head.into_iter().chain(blocks), content);
        }
    }
}

fn content(out: &mut Out, block: &ContentBlock) {
    out.object(|fields| match block {
        ContentBlock::Image(block) => {
            fields.string("type", "input_image");
            fields.string("detail", "auto");
            address(fields, "image_url", &block.source);
        }
        ContentBlock::Document(block) => document(fields, block),
        ContentBlock::Text(block) => text(fields, &block.text),
        // Inside a tool result.
        ContentBlock::Unknown(raw) => text(fields, raw.get()),
        _ => {}
    });
}

fn text(fields: &mut Fields<'_>, text: &str) {
    fields.string("type", "input_text");
    fields.string("text", text);
}

fn document(fields: &mut Fields<'_>, block: &DocumentBlock) {
    if let Some(said) = document_text(&block.source) {
        return text(fields, &wording::document(block.title.as_deref(), &said));
    }
    fields.string("type", "input_file");
    match &block.source {
        MediaSource::Url { .. } => address(fields, "file_url", &block.source),
        source => {
            fields.string("filename", block.title.as_deref().unwrap_or(wording::FILE_NAME));
            address(fields, "file_data", source);
        }
    }
}

fn address(fields: &mut Fields<'_>, name: &str, source: &MediaSource) {
    match source {
        MediaSource::Base64 { media_type, data } => {
            fields.field(name).strings(&["data:", media_type, ";base64,", data]);
        }
        MediaSource::Url { url } => fields.string(name, url),
        // The check before refused it.
        MediaSource::Blob { .. } => {}
    }
}
