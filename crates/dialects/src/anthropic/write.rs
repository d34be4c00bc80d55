//! The body.

use context_api::{
    CacheMark, ContentBlock, Decision, DocumentBlock, ImageBlock, MediaSource, ModelBlock, ModelMessage,
    ModelRequest, RawJson, RequestTool, Role, SystemBlock,
};
use context_text::repair_surrogates;

use super::{IDS, carries};
use crate::json::{Fields, Out};
use crate::kept::Round;
use crate::losses::not_carried;
use crate::media::decode;
use crate::size::size_hint;

/// The body of a request that was checked, and what it could not carry.
pub(super) fn body(request: &ModelRequest, stream: bool, mut kept: Round<'_>) -> (Vec<u8>, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut out = Out::with_capacity(size_hint(request));
    out.object(|fields| {
        fields.string("model", &request.model);
        fields.number("max_tokens", request.max_tokens);
        if stream {
            fields.raw("stream", "true");
        }
        if let Some(budget) = request.thinking {
            fields.object("thinking", |fields| {
                fields.string("type", "enabled");
                fields.number("budget_tokens", budget);
            });
        }
        if !request.tools.is_empty() {
            fields.list("tools", &request.tools, tool);
        }
        if !request.system.is_empty() {
            fields.list("system", &request.system, system);
        }
        fields.list("messages", request.messages.iter().enumerate(), |out, (index, content)| {
            kept.message(out, content, |out| {
                let before = decisions.len();
                message(out, index, content, &mut decisions);
                // What was left out is told in each request, so such a message is written anew each time.
                decisions.len() == before
            });
        });
    });
    (out.into_bytes(), decisions)
}

/// What a body could not carry, without writing it.
pub(super) fn left_out(request: &ModelRequest) -> Vec<Decision> {
    let mut decisions = Vec::new();
    for (index, message) in request.messages.iter().enumerate() {
        for (at, block) in message.blocks.iter().enumerate() {
            sent(index, at, block, &mut decisions);
        }
    }
    decisions
}

fn tool(out: &mut Out, tool: &RequestTool) {
    out.object(|fields| {
        fields.string("name", &tool.name);
        if !tool.description.is_empty() {
            fields.string("description", &tool.description);
        }
        fields.raw("input_schema", &repair_surrogates(tool.input_schema.get()));
        mark(fields, tool.cache);
    });
}

fn system(out: &mut Out, block: &SystemBlock) {
    out.object(|fields| {
        text(fields, &block.text);
        mark(fields, block.cache);
    });
}

fn message(out: &mut Out, index: usize, message: &ModelMessage, decisions: &mut Vec<Decision>) {
    out.object(|fields| {
        fields.string("role", role(message.role));
        let sent = message.blocks.iter().enumerate().filter(|(at, block)| sent(index, *at, block, decisions));
        fields.list("content", sent, |out, (_, block)| content(out, &block.content, block.cache));
    });
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn sent(index: usize, at: usize, block: &ModelBlock, decisions: &mut Vec<Decision>) -> bool {
    if !carries(&block.content) {
        decisions.push(not_carried(index, at, &block.content));
    }
    carries(&block.content)
}

fn content(out: &mut Out, content: &ContentBlock, cache: Option<CacheMark>) {
    if let ContentBlock::Unknown(raw) = content {
        out.raw(&repair_surrogates(raw.get()));
        return;
    }
    out.object(|fields| {
        payload(fields, content);
        mark(fields, cache);
    });
}

fn payload(fields: &mut Fields<'_>, block: &ContentBlock) {
    match block {
        ContentBlock::Text(block) => text(fields, &block.text),
        ContentBlock::Image(block) => image(fields, block),
        ContentBlock::Document(block) => document(fields, block),
        ContentBlock::ToolUse(call) => {
            fields.string("type", "tool_use");
            fields.string("id", &IDS.wire(&call.id));
            fields.string("name", &call.name);
            fields.raw("input", &raw(&call.input));
        }
        ContentBlock::ToolResult(result) => {
            fields.string("type", "tool_result");
            fields.string("tool_use_id", &IDS.wire(&result.tool_use_id));
            if !result.content.is_empty() {
                fields.list("content", &result.content, |out, inner| content(out, inner, None));
            }
            if result.is_error {
                fields.raw("is_error", "true");
            }
        }
        ContentBlock::Thinking(block) => {
            fields.string("type", "thinking");
            fields.string("thinking", &block.thinking);
            fields.string("signature", &block.signature);
        }
        ContentBlock::RedactedThinking(block) => {
            fields.string("type", "redacted_thinking");
            fields.string("data", &block.data);
        }
        _ => {}
    }
}

fn raw(json: &RawJson) -> std::borrow::Cow<'_, str> {
    repair_surrogates(json.get())
}

fn text(fields: &mut Fields<'_>, text: &str) {
    fields.string("type", "text");
    fields.string("text", text);
}

fn image(fields: &mut Fields<'_>, block: &ImageBlock) {
    fields.string("type", "image");
    fields.object("source", |fields| source(fields, &block.source));
}

fn document(fields: &mut Fields<'_>, block: &DocumentBlock) {
    fields.string("type", "document");
    fields.object("source", |fields| match &block.source {
        MediaSource::Base64 { media_type, data } if media_type.starts_with("text/") => plain(fields, data),
        other => source(fields, other),
    });
    if let Some(title) = block.title.as_deref().filter(|title| !title.is_empty()) {
        fields.string("title", title);
    }
}

/// Documents of text go as text.
fn plain(fields: &mut Fields<'_>, data: &str) {
    let bytes = decode(data).unwrap_or_default();
    fields.string("type", "text");
    fields.string("media_type", "text/plain");
    fields.string("data", &String::from_utf8_lossy(&bytes));
}

fn source(fields: &mut Fields<'_>, source: &MediaSource) {
    match source {
        MediaSource::Base64 { media_type, data } => {
            fields.string("type", "base64");
            fields.string("media_type", media_type);
            fields.string("data", data);
        }
        MediaSource::Url { url } => {
            fields.string("type", "url");
            fields.string("url", url);
        }
        // The check before refused it.
        MediaSource::Blob { .. } => {}
    }
}

/// Both scopes are the same mark: what is the same for everybody is found by its bytes.
fn mark(fields: &mut Fields<'_>, cache: Option<CacheMark>) {
    if cache.is_some() {
        fields.object("cache_control", |fields| fields.string("type", "ephemeral"));
    }
}
