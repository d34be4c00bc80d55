//! Places of blocks in a request.

use std::cell::OnceCell;
use std::collections::HashMap;

use context_api::{ContentBlock, ModelBlock, ModelRequest, Role, ViewEdit};
use uuid::Uuid;

use crate::{Fault, wording};

/// The blocks of a request.
pub(crate) struct Seats<'a> {
    request: &'a ModelRequest,
    /// Places by message and block, once somebody asked: only a block at fault is asked for its own.
    ordinals: OnceCell<Vec<Vec<usize>>>,
}

/// A block of a request and its place.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    all: &'a Seats<'a>,
    pub(crate) message: usize,
    pub(crate) block: usize,
    pub(crate) role: Role,
    pub(crate) of: &'a ModelBlock,
}

impl<'a> Seats<'a> {
    pub(crate) fn of(request: &'a ModelRequest) -> Self {
        Self { request, ordinals: OnceCell::new() }
    }

    /// All blocks from a message on, in order.
    pub(crate) fn from(&'a self, message: usize) -> impl Iterator<Item = Seat<'a>> {
        self.request.messages.iter().enumerate().skip(message).flat_map(move |(message, its)| {
            let blocks = its.blocks.iter().enumerate();
            blocks.map(move |(block, of)| Seat { all: self, message, block, role: its.role, of })
        })
    }

    /// The place of each block among those of its entry, as edits count them: those inside of a result one by one.
    fn ordinals(&self) -> Vec<Vec<usize>> {
        let mut seen = HashMap::<Uuid, usize>::new();
        let mut of = |block: &ModelBlock| {
            let count = block.source.map(|source| seen.entry(source).or_default());
            count.map_or(0, |count| std::mem::replace(count, *count + places(&block.content)))
        };
        self.request.messages.iter().map(|message| message.blocks.iter().map(&mut of).collect()).collect()
    }
}

/// How many places a block takes.
fn places(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::ToolResult(result) => result.content.len(),
        _ => 1,
    }
}

impl<'a> Seat<'a> {
    pub(crate) fn content(&self) -> &'a ContentBlock {
        &self.of.content
    }

    /// Its place among the blocks of its entry.
    fn ordinal(&self) -> usize {
        self.all.ordinals.get_or_init(|| self.all.ordinals())[self.message][self.block]
    }

    pub(crate) fn place(&self) -> String {
        format!("messages[{}].content[{}]", self.message, self.block)
    }

    /// A fault of the whole block that no edit can mend.
    pub(crate) fn fault(&self, problem: impl Into<String>) -> Fault {
        Fault::new(self.place(), problem).of(self.of.source)
    }

    /// A fault that goes when a text takes the place of the block, or of the tool result that holds it.
    pub(crate) fn mendable(&self, what: &str, reason: &str, problem: String) -> Fault {
        let text = wording::taken_out(what, &problem);
        let reason = reason.to_owned();
        let remedy = match (&self.of.content, self.of.source) {
            (ContentBlock::ToolResult(result), _) => {
                Some(ViewEdit::ReplaceResult { tool_use_id: result.tool_use_id.clone(), text, reason })
            }
            (_, Some(entry)) => Some(ViewEdit::ReplaceBlock { entry, block: self.ordinal(), text, reason }),
            (_, None) => None,
        };
        Fault { remedy, ..self.fault(problem) }
    }

    /// A fault of the block at `at` in the tool result that stands here, which goes when a text takes its place.
    pub(crate) fn mendable_inside(
        &self,
        at: usize,
        inner: &ContentBlock,
        reason: &str,
        problem: String,
    ) -> Fault {
        let Some(entry) = self.of.source else {
            return self.mendable("A tool result", reason, problem);
        };
        let what = match inner {
            ContentBlock::Image(_) => "An image",
            ContentBlock::Document(_) => "A document",
            _ => "A text",
        };
        let text = wording::taken_out(what, &problem);
        let remedy =
            ViewEdit::ReplaceBlock { entry, block: self.ordinal() + at, text, reason: reason.to_owned() };
        Fault { remedy: Some(remedy), ..self.fault(problem) }
    }
}

/// Name of the tool that the result of `id` in `message` is of.
pub(crate) fn called<'a>(request: &'a ModelRequest, message: usize, id: &str) -> &'a str {
    let before = message.checked_sub(1).and_then(|before| request.messages.get(before));
    let calls =
        before.into_iter().flat_map(|message| &message.blocks).filter_map(|block| match &block.content {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        });
    calls.into_iter().find(|call| call.id == id).map_or("tool", |call| &call.name)
}
