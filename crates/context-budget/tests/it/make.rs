//! Histories for tests.

use std::collections::HashMap;
use std::sync::Arc;

use context_api::{
    ContentBlock, Draft, Entry, EntryKind, FileAttachment, FileContent, FileState, FileText, HistoryView,
    Mark, MarkKind, MarkTarget, RawJson, StateChange, TokenCounter, ToolNames, ToolResult, ToolResultBlock,
};
use context_budget::EstimateCounter;
use uuid::Uuid;

/// A history in the making; each entry a second after the one before.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) entries: Vec<Arc<Entry>>,
    turn: u64,
    calls: usize,
}

impl History {
    pub(crate) fn push(&mut self, kind: EntryKind) -> Uuid {
        let uuid = Uuid::from_u128(self.entries.len() as u128 + 1);
        let at = jiff::Timestamp::from_second(self.entries.len() as i64).unwrap();
        self.entries.push(Arc::new(Entry::new(uuid, at, self.turn, kind)));
        uuid
    }

    pub(crate) fn user(&mut self, text: &str) -> Uuid {
        self.turn += 1;
        self.push(EntryKind::user(text))
    }

    pub(crate) fn says(&mut self, text: &str) -> Uuid {
        self.push(EntryKind::assistant(vec![ContentBlock::text(text)]))
    }

    /// One answer with calls, and their results.
    pub(crate) fn calls(&mut self, tool: &str, results: &[&str]) -> Vec<String> {
        let ids: Vec<String> = results
            .iter()
            .map(|_| {
                self.calls += 1;
                format!("call-{}", self.calls)
            })
            .collect();
        let blocks = ids.iter().map(|id| ContentBlock::tool_use(id.clone(), tool, RawJson::empty_object()));
        self.push(EntryKind::assistant(blocks.collect()));
        self.turn += 1;
        for (id, text) in ids.iter().zip(results) {
            self.push(EntryKind::tool_result(block(id, text)));
        }
        ids
    }

    /// A read of a file, with the state that it leaves.
    pub(crate) fn read(&mut self, path: &str, text: &str) -> String {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        self.push(EntryKind::assistant(vec![ContentBlock::tool_use(
            id.clone(),
            "Read",
            RawJson::empty_object(),
        )]));
        self.turn += 1;
        let result = ToolResult::new(block(&id, text)).states(vec![state(path, text)]);
        self.push(EntryKind::ToolResult(result));
        id
    }

    pub(crate) fn mention(&mut self, path: &str, text: &str) -> Uuid {
        let content = FileContent::Text(FileText::default().text(text));
        let file = FileAttachment::default().path(path).display_path(path).content(content).hash(text);
        let uuid = Uuid::from_u128(self.entries.len() as u128 + 1);
        let draft = Draft::new(file).state(state(path, text));
        self.push(EntryKind::Attachment(draft.commit(uuid, jiff::Timestamp::UNIX_EPOCH)))
    }

    pub(crate) fn mark(&mut self, target: MarkTarget, mark: MarkKind) {
        self.push(EntryKind::Mark(Mark::default().targets(vec![target]).mark(mark)));
    }

    pub(crate) fn tokens(&self) -> HashMap<Uuid, u64> {
        self.entries.iter().map(|entry| (entry.uuid, tokens(entry))).collect()
    }

    pub(crate) fn view(&self) -> HistoryView {
        HistoryView::of(&self.entries, &self.tokens())
    }
}

fn block(id: &str, text: &str) -> ToolResultBlock {
    ToolResultBlock { tool_use_id: id.to_owned(), content: vec![ContentBlock::text(text)], is_error: false }
}

fn state(path: &str, text: &str) -> StateChange {
    StateChange::Put(FileState::default().path(path).hash(text).content(Some(Arc::from(text))))
}

fn tokens(entry: &Entry) -> u64 {
    let counter = EstimateCounter::default();
    let of = |blocks: &[ContentBlock]| {
        blocks
            .iter()
            .map(|block| match block {
                ContentBlock::Text(block) => counter.text(&block.text),
                ContentBlock::ToolUse(call) => counter.text(&call.name) + counter.text(call.input.get()),
                _ => 0,
            })
            .sum()
    };
    match &entry.kind {
        EntryKind::User(input) => of(&input.content),
        EntryKind::Assistant(reply) => of(&reply.content),
        EntryKind::ToolResult(result) => of(&result.block.content),
        EntryKind::Attachment(envelope) => match &envelope.attachment {
            context_api::Attachment::File(file) => match &file.content {
                FileContent::Text(text) => counter.text(&text.text) + 40,
                _ => 40,
            },
            _ => 40,
        },
        _ => 0,
    }
}

pub(crate) fn names() -> ToolNames {
    ToolNames::default()
}

/// A text of about so many tokens.
pub(crate) fn words(tokens: usize) -> String {
    "word ".repeat(tokens * 25 / 24)
}
