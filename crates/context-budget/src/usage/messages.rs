//! Counting the conversation.

use std::collections::BTreeMap;

use context_api::{ContentBlock, MediaSource, ModelBlock, ModelRequest, Role, TokenCounter};

use crate::provenance::{Origin, Part};
use crate::row::{Share, UsageRow, add};
use crate::{Limits, Provenance, cost, media};

const MESSAGES: &str = "Messages";

pub(super) fn count(
    rows: &mut Vec<UsageRow>,
    request: &ModelRequest,
    provenance: &Provenance,
    counter: &dyn TokenCounter,
    limits: &Limits,
) {
    let names = tool_names(request);
    let mut count = Count { rows, provenance, counter, limits, names };
    for message in &request.messages {
        for block in &message.blocks {
            count.block(message.role, block);
        }
    }
}

/// Names of the tools by the ids of their calls.
fn tool_names(request: &ModelRequest) -> BTreeMap<&str, &str> {
    let blocks = request.messages.iter().flat_map(|message| &message.blocks);
    let calls = blocks.filter_map(|block| match &block.content {
        ContentBlock::ToolUse(call) => Some((call.id.as_str(), call.name.as_str())),
        _ => None,
    });
    calls.collect()
}

struct Count<'a> {
    rows: &'a mut Vec<UsageRow>,
    provenance: &'a Provenance,
    counter: &'a dyn TokenCounter,
    limits: &'a Limits,
    names: BTreeMap<&'a str, &'a str>,
}

impl Count<'_> {
    fn block(&mut self, role: Role, block: &ModelBlock) {
        let origin = block.source.and_then(|source| self.provenance.get(source));
        match origin.filter(|origin| !origin.path.is_empty() && !is_media(&block.content)) {
            Some(origin) => self.of_entry(origin, &block.content),
            None => self.plain(role, &block.content),
        }
    }

    fn plain(&mut self, role: Role, content: &ContentBlock) {
        match content {
            ContentBlock::Text(block) => {
                let row = if role == Role::User { "User text" } else { "Assistant text" };
                self.text(&[MESSAGES, row], &block.text);
            }
            ContentBlock::Thinking(block) => self.text(&[MESSAGES, "Thinking"], &block.thinking),
            ContentBlock::RedactedThinking(block) => self.text(&[MESSAGES, "Thinking"], &block.data),
            ContentBlock::ToolUse(call) => {
                let share = self.call(&call.name, call.input.get());
                add(self.rows, &[MESSAGES, "Tool calls", &call.name], share);
            }
            ContentBlock::ToolResult(result) => {
                let name = self.names.get(result.tool_use_id.as_str()).copied().unwrap_or("unknown");
                self.result(name, &result.content);
            }
            ContentBlock::Image(block) => self.image(&block.source),
            ContentBlock::Document(block) => self.document(&block.source),
            ContentBlock::Unknown(raw) => self.text(&[MESSAGES, "Other"], raw.get()),
            _ => {}
        }
    }

    /// Each part counts for its own row, what stands around them for the entry's.
    fn of_entry(&mut self, origin: &Origin, content: &ContentBlock) {
        let whole = self.whole(content);
        let (mut tokens, mut bytes) = (0, 0);
        for Part { path, source, text } in &origin.parts {
            let share = Share::new(self.counter.text(text), text.len());
            tokens += share.tokens;
            bytes += share.bytes;
            add(self.rows, &labels(path), Share { source: source.as_deref(), ..share });
        }
        let rest = Share {
            tokens: whole.tokens.saturating_sub(tokens),
            bytes: whole.bytes.saturating_sub(bytes),
            source: origin.source.as_deref(),
        };
        if rest.tokens > 0 || origin.parts.is_empty() {
            add(self.rows, &labels(&origin.path), rest);
        }
    }

    fn whole(&self, content: &ContentBlock) -> Share<'static> {
        cost::share(content, self.counter, self.limits)
    }

    fn call(&self, name: &str, input: &str) -> Share<'static> {
        cost::call(name, input, self.counter)
    }

    fn result(&mut self, tool: &str, content: &[ContentBlock]) {
        for inner in content {
            match inner {
                ContentBlock::Image(block) => self.image(&block.source),
                ContentBlock::Document(block) => self.document(&block.source),
                text => {
                    let share = self.whole(text);
                    add(self.rows, &[MESSAGES, "Tool results", tool], share);
                }
            }
        }
    }

    fn text(&mut self, path: &[&str], text: &str) {
        let share = Share::new(self.counter.text(text), text.len());
        add(self.rows, path, share);
    }

    fn image(&mut self, source: &MediaSource) {
        let tokens = media::image(source, self.counter, self.limits);
        add(self.rows, &[MESSAGES, "Images"], Share { tokens, bytes: media::bytes(source), source: None });
    }

    fn document(&mut self, source: &MediaSource) {
        let tokens = media::document(source, self.counter, self.limits);
        add(self.rows, &[MESSAGES, "Documents"], Share { tokens, bytes: media::bytes(source), source: None });
    }
}

fn is_media(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Image(_) | ContentBlock::Document(_))
}

fn labels(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}
