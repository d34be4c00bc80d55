//! Entries made by hand, with ids that count up.

use std::sync::Arc;

use context_api::{
    AssistantReply, Attachment, ContentBlock, Draft, Entry, EntryKind, ModelBlock, ModelMessage,
    ProjectionConfig, RawJson, Role, StopReason, ToolResultBlock, UserInput, ViewEdit,
};
use jiff::Timestamp;
use projector::{Normalised, StandardProjector, normalise};
use uuid::Uuid;

/// A history in the making.
#[derive(Default)]
pub(crate) struct History {
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) turn: u64,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new(), turn: 1 }
    }

    pub(crate) fn next_id(&self) -> Uuid {
        Uuid::from_u128(self.entries.len() as u128 + 1)
    }

    pub(crate) fn push(&mut self, kind: EntryKind) -> &mut Self {
        let entry = Entry::new(self.next_id(), Timestamp::UNIX_EPOCH, self.turn, kind);
        self.entries.push(Arc::new(entry));
        self
    }

    pub(crate) fn turn(&mut self) -> &mut Self {
        self.turn += 1;
        self
    }

    pub(crate) fn user(&mut self, text: &str) -> &mut Self {
        self.push(EntryKind::user(text))
    }

    pub(crate) fn meta(&mut self, text: &str) -> &mut Self {
        let input = UserInput::default().content(vec![ContentBlock::text(text)]).is_meta(true);
        self.push(EntryKind::User(input))
    }

    pub(crate) fn says(&mut self, text: &str) -> &mut Self {
        self.push(EntryKind::assistant(vec![ContentBlock::text(text)]))
    }

    pub(crate) fn reply(&mut self, content: Vec<ContentBlock>) -> &mut Self {
        self.push(EntryKind::assistant(content))
    }

    pub(crate) fn stopped(&mut self, content: Vec<ContentBlock>, stop: StopReason) -> &mut Self {
        self.push(EntryKind::Assistant(AssistantReply::default().content(content).stop(stop)))
    }

    pub(crate) fn calls(&mut self, ids: &[&str]) -> &mut Self {
        self.reply(ids.iter().map(|id| call(id)).collect())
    }

    pub(crate) fn result(&mut self, id: &str, text: &str) -> &mut Self {
        self.result_of(id, vec![ContentBlock::text(text)])
    }

    pub(crate) fn result_of(&mut self, id: &str, content: Vec<ContentBlock>) -> &mut Self {
        let block = ToolResultBlock { tool_use_id: id.to_owned(), content, is_error: false };
        self.push(EntryKind::tool_result(block))
    }

    pub(crate) fn attach(&mut self, attachment: impl Into<Attachment>) -> &mut Self {
        let envelope = Draft::new(attachment).commit(self.next_id(), Timestamp::UNIX_EPOCH);
        self.push(EntryKind::Attachment(envelope))
    }

    pub(crate) fn edit(&mut self, edit: ViewEdit) -> &mut Self {
        self.push(EntryKind::ViewEdit(edit))
    }

    pub(crate) fn normalised(&self) -> Normalised {
        normalise(&self.entries, &StandardProjector::default(), &ProjectionConfig::default())
    }

    /// One line a block: who, what, and the text or id.
    pub(crate) fn shown(&self) -> String {
        show(&self.normalised().messages)
    }

    /// The reasons of all decisions in order.
    pub(crate) fn reasons(&self) -> Vec<String> {
        self.normalised().decisions.into_iter().map(|decision| decision.reason).collect()
    }
}

pub(crate) fn call(id: &str) -> ContentBlock {
    ContentBlock::tool_use(id, "Bash", RawJson::empty_object())
}

pub(crate) fn thinking(text: &str) -> ContentBlock {
    let block = format!(r#"{{"type":"thinking","thinking":"{text}","signature":"s"}}"#);
    serde_json::from_str(&block).unwrap()
}

pub(crate) fn image() -> ContentBlock {
    ContentBlock::image("image/png", "AAAA")
}

pub(crate) fn show(messages: &[Arc<ModelMessage>]) -> String {
    let mut out = String::new();
    for (index, message) in messages.iter().enumerate() {
        let role = if message.role == Role::User { "user" } else { "assistant" };
        out.push_str(&format!("{index} {role}\n"));
        for block in &message.blocks {
            out.push_str(&format!("  {}\n", show_block(block)));
        }
    }
    out
}

fn show_block(block: &ModelBlock) -> String {
    let meta = if block.meta { "meta " } else { "" };
    let what = match &block.content {
        ContentBlock::Text(text) => format!("text {:?}", text.text),
        ContentBlock::ToolUse(call) => format!("call {} {}", call.id, call.name),
        ContentBlock::ToolResult(result) => {
            let inner: Vec<_> = result
                .content
                .iter()
                .map(|block| {
                    block
                        .as_text()
                        .map_or_else(|| block.tag().unwrap_or("?").to_owned(), |t| format!("{t:?}"))
                })
                .collect();
            let error = if result.is_error { "error " } else { "" };
            format!("{error}result {} [{}]", result.tool_use_id, inner.join(", "))
        }
        other => other.tag().unwrap_or("unknown").to_owned(),
    };
    format!("{meta}{what}")
}

/// Every text that reaches a model, those inside of results too.
pub(crate) fn texts(messages: &[Arc<ModelMessage>]) -> Vec<String> {
    let blocks = messages.iter().flat_map(|message| &message.blocks);
    blocks.flat_map(|block| texts_of(&block.content)).collect()
}

pub(crate) fn texts_of(block: &ContentBlock) -> Vec<String> {
    match block {
        ContentBlock::Text(text) => vec![text.text.to_string()],
        ContentBlock::ToolResult(result) => result.content.iter().flat_map(texts_of).collect(),
        ContentBlock::ToolUse(call) => vec![call.input.get().to_owned()],
        ContentBlock::Document(document) => document.title.iter().cloned().collect(),
        ContentBlock::Unknown(raw) => vec![raw.get().to_owned()],
        _ => Vec::new(),
    }
}
