//! The body.

use context_api::{
    ContentBlock, Decision, DocumentBlock, MediaSource, ModelMessage, ModelRequest, RequestTool, Role,
    ToolResultBlock, ToolUseBlock,
};
use context_text::repair_surrogates;

use super::{OpenAiChat, carries};
use crate::ids::IdRule;
use crate::json::{Fields, Out};
use crate::losses::{media_moved, not_carried, thinking_as_effort};
use crate::openai::{document_text, instructions};
use crate::seat::called;
use crate::size::size_hint;
use crate::wording;

/// The body of a request that was checked, and what it could not carry.
pub(super) fn body(request: &ModelRequest, dialect: &OpenAiChat) -> (Vec<u8>, Vec<Decision>) {
    let mut decisions = Vec::new();
    let messages = messages(request, &mut decisions);
    let mut out = Out::with_capacity(size_hint(request));
    out.object(|fields| {
        fields.string("model", &request.model);
        fields.number("max_completion_tokens", request.max_tokens);
        parameters(fields, request, dialect, &mut decisions);
        if !request.tools.is_empty() {
            fields.list("tools", &request.tools, tool);
        }
        fields.list("messages", messages, |out, message| write(out, message, dialect.ids()));
    });
    (out.into_bytes(), decisions)
}

fn parameters(
    fields: &mut Fields<'_>,
    request: &ModelRequest,
    dialect: &OpenAiChat,
    decisions: &mut Vec<Decision>,
) {
    if dialect.stream {
        fields.raw("stream", "true");
        fields.raw("stream_options", r#"{"include_usage":true}"#);
    }
    if let Some(key) = &dialect.cache_key {
        fields.string("prompt_cache_key", key);
    }
    if let Some(budget) = request.thinking {
        let effort = dialect.limits.effort(budget);
        decisions.push(thinking_as_effort(budget, effort));
        fields.string("reasoning_effort", effort);
    }
}

fn tool(out: &mut Out, tool: &RequestTool) {
    out.object(|fields| {
        fields.string("type", "function");
        fields.object("function", |fields| {
            fields.string("name", &tool.name);
            if !tool.description.is_empty() {
                fields.string("description", &tool.description);
            }
            fields.raw("parameters", &repair_surrogates(tool.input_schema.get()));
        });
    });
}

/// One message of the body.
enum Message<'a> {
    System(String),
    User(Vec<Part<'a>>),
    Assistant { said: Vec<&'a str>, calls: Vec<&'a ToolUseBlock> },
    Result(&'a ToolResultBlock),
}

enum Part<'a> {
    Block(&'a ContentBlock),
    Label(String),
}

fn messages<'a>(request: &'a ModelRequest, decisions: &mut Vec<Decision>) -> Vec<Message<'a>> {
    let mut out = Vec::new();
    if !request.system.is_empty() {
        out.push(Message::System(instructions(request)));
    }
    for (index, message) in request.messages.iter().enumerate() {
        match message.role {
            Role::User => user(request, index, message, &mut out, decisions),
            Role::Assistant => assistant(index, message, &mut out, decisions),
        }
    }
    out
}

/// Results are messages of their own; what they can not hold comes first in the message behind them.
fn user<'a>(
    request: &'a ModelRequest,
    index: usize,
    message: &'a ModelMessage,
    out: &mut Vec<Message<'a>>,
    decisions: &mut Vec<Decision>,
) {
    let mut parts = Vec::new();
    for (at, block) in message.blocks.iter().enumerate() {
        match &block.content {
            content if !carries(content) => decisions.push(not_carried(index, at, content)),
            ContentBlock::ToolResult(result) => {
                out.push(Message::Result(result));
                let lost = result.content.iter().filter(|inner| !carries(inner) && !is_raw(inner));
                decisions.extend(lost.map(|inner| not_carried(index, at, inner)));
                let mut media = result.content.iter().filter(|inner| is_media(inner)).peekable();
                if media.peek().is_some() {
                    decisions.push(media_moved(index, at));
                    parts.push(Part::Label(wording::media_of(called(request, index, &result.tool_use_id))));
                }
                parts.extend(media.map(Part::Block));
            }
            content => parts.push(Part::Block(content)),
        }
    }
    if !parts.is_empty() {
        out.push(Message::User(parts));
    }
}

/// Raw blocks inside a result go as text.
fn is_raw(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Unknown(_))
}

fn is_media(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Image(_) | ContentBlock::Document(_)) && carries(content)
}

fn assistant<'a>(
    index: usize,
    message: &'a ModelMessage,
    out: &mut Vec<Message<'a>>,
    decisions: &mut Vec<Decision>,
) {
    let (mut said, mut calls) = (Vec::new(), Vec::new());
    for (at, block) in message.blocks.iter().enumerate() {
        match &block.content {
            ContentBlock::Text(block) => said.push(block.text.as_ref()),
            ContentBlock::ToolUse(call) => calls.push(call),
            content => decisions.push(not_carried(index, at, content)),
        }
    }
    if !(said.is_empty() && calls.is_empty()) {
        out.push(Message::Assistant { said, calls });
    }
}

fn write(out: &mut Out, message: Message<'_>, ids: IdRule) {
    out.object(|fields| match message {
        Message::System(text) => {
            fields.string("role", "system");
            fields.string("content", &text);
        }
        Message::User(parts) => {
            fields.string("role", "user");
            fields.list("content", parts, part);
        }
        Message::Assistant { said, calls } => {
            fields.string("role", "assistant");
            if !said.is_empty() {
                fields.list("content", said, text);
            }
            if !calls.is_empty() {
                fields.list("tool_calls", calls, |out, call| write_call(out, call, ids));
            }
        }
        Message::Result(result) => {
            fields.string("role", "tool");
            fields.string("tool_call_id", &ids.wire(&result.tool_use_id));
            fields.list("content", texts(result), text);
        }
    });
}

fn write_call(out: &mut Out, call: &ToolUseBlock, ids: IdRule) {
    out.object(|fields| {
        fields.string("id", &ids.wire(&call.id));
        fields.string("type", "function");
        fields.object("function", |fields| {
            fields.string("name", &call.name);
            fields.string("arguments", &repair_surrogates(call.input.get()));
        });
    });
}

/// The texts of a result; never none.
fn texts(result: &ToolResultBlock) -> Vec<&str> {
    let failed = result.is_error.then_some(wording::FAILED);
    let own = result.content.iter().filter_map(|inner| match inner {
        ContentBlock::Text(block) => Some(block.text.as_ref()),
        ContentBlock::Unknown(raw) => Some(raw.get()),
        _ => None,
    });
    let mut texts: Vec<_> = failed.into_iter().chain(own).collect();
    if texts.is_empty() {
        let media = result.content.iter().any(is_media);
        texts.push(if media { wording::MEDIA_BELOW } else { wording::NO_OUTPUT });
    }
    texts
}

fn text(out: &mut Out, text: &str) {
    out.object(|fields| text_fields(fields, text));
}

fn text_fields(fields: &mut Fields<'_>, text: &str) {
    fields.string("type", "text");
    fields.string("text", text);
}

fn part(out: &mut Out, part: Part<'_>) {
    out.object(|fields| match part {
        Part::Label(label) => text_fields(fields, &label),
        Part::Block(ContentBlock::Text(block)) => text_fields(fields, &block.text),
        Part::Block(ContentBlock::Image(block)) => {
            fields.string("type", "image_url");
            fields.object("image_url", |fields| address(fields, "url", &block.source));
        }
        Part::Block(ContentBlock::Document(block)) => document(fields, block),
        Part::Block(_) => {}
    });
}

fn document(fields: &mut Fields<'_>, block: &DocumentBlock) {
    if let Some(said) = document_text(&block.source) {
        return text_fields(fields, &wording::document(block.title.as_deref(), &said));
    }
    fields.string("type", "file");
    fields.object("file", |fields| {
        fields.string("filename", block.title.as_deref().unwrap_or(wording::FILE_NAME));
        address(fields, "file_data", &block.source);
    });
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
