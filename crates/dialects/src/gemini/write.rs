//! The body.

use context_api::{
    ContentBlock, Decision, DocumentBlock, MediaSource, ModelMessage, ModelRequest, RequestTool, Role,
    ToolResultBlock, ToolUseBlock,
};
use context_text::repair_surrogates;

use super::{carries, media_type};
use crate::json::{Fields, Out};
use crate::losses::{media_moved, not_carried};
use crate::openai::document_text;
use crate::seat::called;
use crate::size::size_hint;
use crate::wording;

/// The body of a request that was checked, and what it could not carry.
pub(super) fn body(request: &ModelRequest, signature: Option<&str>) -> (Vec<u8>, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut out = Out::with_capacity(size_hint(request));
    out.object(|fields| {
        fields.object("generationConfig", |fields| generation(fields, request));
        if !request.tools.is_empty() {
            fields.list("tools", [&request.tools], |out, tools| {
                out.object(|fields| fields.list("functionDeclarations", tools, tool));
            });
        }
        if !request.system.is_empty() {
            fields.object("systemInstruction", |fields| {
                fields.list("parts", &request.system, |out, block| {
                    out.object(|f| f.string("text", &block.text))
                });
            });
        }
        fields.list("contents", request.messages.iter().enumerate(), |out, (index, message)| {
            content(out, request, index, message, signature, &mut decisions);
        });
    });
    (out.into_bytes(), decisions)
}

fn generation(fields: &mut Fields<'_>, request: &ModelRequest) {
    fields.number("maxOutputTokens", request.max_tokens);
    if let Some(budget) = request.thinking {
        fields.object("thinkingConfig", |fields| {
            fields.number("thinkingBudget", budget);
            fields.raw("includeThoughts", "true");
        });
    }
}

fn tool(out: &mut Out, tool: &RequestTool) {
    out.object(|fields| {
        fields.string("name", &tool.name);
        if !tool.description.is_empty() {
            fields.string("description", &tool.description);
        }
        fields.raw("parametersJsonSchema", &repair_surrogates(tool.input_schema.get()));
    });
}

/// One part of a message.
enum Part<'a> {
    Block(&'a ContentBlock),
    Result(&'a ToolResultBlock),
    Label(String),
}

fn content(
    out: &mut Out,
    request: &ModelRequest,
    index: usize,
    message: &ModelMessage,
    signature: Option<&str>,
    decisions: &mut Vec<Decision>,
) {
    let parts = parts(request, index, message, decisions);
    out.object(|fields| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        fields.string("role", role);
        fields.list("parts", parts, |out, part| match part {
            Part::Label(label) => out.object(|fields| fields.string("text", &label)),
            Part::Block(block) => out.object(|fields| payload(fields, block, signature)),
            Part::Result(result) => response(out, called(request, index, &result.tool_use_id), result),
        });
    });
}

/// Results in the order of their calls, what they can not hold, and everything else as it came.
fn parts<'a>(
    request: &ModelRequest,
    index: usize,
    message: &'a ModelMessage,
    decisions: &mut Vec<Decision>,
) -> Vec<Part<'a>> {
    let (mut results, mut rest) = (Vec::new(), Vec::new());
    for (at, block) in message.blocks.iter().enumerate() {
        match &block.content {
            content if !carries(content) => decisions.push(not_carried(index, at, content)),
            ContentBlock::ToolResult(result) => {
                results.push(result);
                let lost = result.content.iter().filter(|inner| !carries(inner) && !is_raw(inner));
                decisions.extend(lost.map(|inner| not_carried(index, at, inner)));
                let mut media = result.content.iter().filter(|inner| is_media(inner)).peekable();
                if media.peek().is_some() {
                    decisions.push(media_moved(index, at));
                    rest.push(Part::Label(wording::media_of(called(request, index, &result.tool_use_id))));
                }
                rest.extend(media.map(Part::Block));
            }
            content => rest.push(Part::Block(content)),
        }
    }
    results.sort_by_key(|result| order(request, index, &result.tool_use_id));
    results.into_iter().map(Part::Result).chain(rest).collect()
}

/// Raw blocks inside a result go as text.
fn is_raw(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Unknown(_))
}

fn is_media(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Image(_) | ContentBlock::Document(_)) && carries(content)
}

/// Place of the call of `id` in the message before.
fn order(request: &ModelRequest, message: usize, id: &str) -> Option<usize> {
    let before = request.messages.get(message.checked_sub(1)?)?;
    before
        .blocks
        .iter()
        .position(|block| matches!(&block.content, ContentBlock::ToolUse(call) if call.id == id))
}

fn payload(fields: &mut Fields<'_>, block: &ContentBlock, signature: Option<&str>) {
    match block {
        ContentBlock::Text(block) => fields.string("text", &block.text),
        ContentBlock::ToolUse(call) => {
            fields.object("functionCall", |fields| write_call(fields, call));
            if let Some(signature) = signature {
                fields.string("thoughtSignature", signature);
            }
        }
        ContentBlock::Image(block) => source(fields, &block.source),
        ContentBlock::Document(block) => document(fields, block),
        _ => {}
    }
}

fn write_call(fields: &mut Fields<'_>, call: &ToolUseBlock) {
    fields.string("name", &call.name);
    fields.raw("args", &repair_surrogates(call.input.get()));
}

fn response(out: &mut Out, name: &str, result: &ToolResultBlock) {
    out.object(|fields| {
        fields.object("functionResponse", |fields| {
            fields.string("name", name);
            let kind = if result.is_error { "error" } else { "output" };
            fields.object("response", |fields| fields.field(kind).strings(&texts(result)));
        });
    });
}

/// The texts of a result, one below the other; never none.
fn texts(result: &ToolResultBlock) -> Vec<&str> {
    let mut texts = Vec::new();
    for inner in &result.content {
        let text = match inner {
            ContentBlock::Text(block) => block.text.as_ref(),
            ContentBlock::Unknown(raw) => raw.get(),
            _ => continue,
        };
        if !texts.is_empty() {
            texts.push("\n");
        }
        texts.push(text);
    }
    if texts.is_empty() {
        let media = result.content.iter().any(is_media);
        texts.push(if media { wording::MEDIA_BELOW } else { wording::NO_OUTPUT });
    }
    texts
}

fn document(fields: &mut Fields<'_>, block: &DocumentBlock) {
    match document_text(&block.source) {
        Some(text) => fields.string("text", &wording::document(block.title.as_deref(), &text)),
        None => source(fields, &block.source),
    }
}

fn source(fields: &mut Fields<'_>, source: &MediaSource) {
    let media_type = media_type(source).unwrap_or_default();
    match source {
        MediaSource::Base64 { data, .. } => fields.object("inlineData", |fields| {
            fields.string("mimeType", media_type);
            fields.string("data", data);
        }),
        MediaSource::Url { url } => fields.object("fileData", |fields| {
            fields.string("mimeType", media_type);
            fields.string("fileUri", url);
        }),
        // The check before refused it.
        MediaSource::Blob { .. } => {}
    }
}
