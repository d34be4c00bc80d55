//! One entry, read for a place in a message.

use std::sync::Arc;

use context_api::{
    ContentBlock, Decision, Entry, EntryKind, ModelBlock, ModelMessage, Role, StopReason, ToolResultBlock,
};
use context_text::neutralise;
use uuid::Uuid;

use super::stream::Rules;
use super::view::View;
use crate::{clean, decide};

/// What an entry brings.
pub(crate) enum Read {
    /// Blocks of an answer.
    Reply(Vec<ModelBlock>),
    /// An answer that goes.
    Failed,
    /// What the user's side says.
    Said(Vec<Item>),
}

/// A piece of the user's side.
#[derive(Clone)]
pub(crate) struct Item {
    /// Where it stands in its group.
    pub(crate) place: Place,
    /// What it is.
    pub(crate) what: What,
}

/// Where a piece stands in its group, first to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// What the engine says.
    Meta,
    /// Input that waited.
    Queued,
    /// The user's words.
    Words,
}

/// What a piece of the user's side is.
#[derive(Clone)]
pub(crate) enum What {
    /// A result of a tool.
    Result(ToolResultBlock, Option<Uuid>),
    /// A block.
    Block(ModelBlock),
    /// A simulated call with its result: messages of both roles.
    Pair(Vec<ModelMessage>),
}

/// Reads an entry as the projector and the view show it. What can not be sent goes, with a decision.
pub(crate) fn read(entry: &Entry, view: &View, rules: &Rules<'_>, decisions: &mut Vec<Decision>) -> Read {
    if let EntryKind::Assistant(reply) = &entry.kind
        && reply.stop == Some(StopReason::Error)
    {
        decisions.push(decide::failed_reply(entry.uuid));
        return Read::Failed;
    }
    let mut messages = rules.projector.project(entry, rules.config).model;
    apply(view, entry.uuid, &mut messages);
    if matches!(entry.kind, EntryKind::Assistant(_)) {
        let blocks = messages.into_iter().flat_map(|message| message.blocks);
        return Read::Reply(blocks.filter(|block| belongs(block, Role::Assistant, decisions)).collect());
    }
    Read::Said(said(entry, messages, decisions))
}

fn said(entry: &Entry, mut messages: Vec<ModelMessage>, decisions: &mut Vec<Decision>) -> Vec<Item> {
    if messages.iter().any(|message| message.role == Role::Assistant) {
        for message in &mut messages {
            message.blocks.retain(|block| belongs(block, message.role, decisions));
        }
        return vec![Item { place: Place::Meta, what: What::Pair(messages) }];
    }
    let mut items = Vec::new();
    for block in messages.into_iter().flat_map(|message| message.blocks) {
        if belongs(&block, Role::User, decisions) {
            let place = match (block.meta, &entry.kind) {
                (true, _) => Place::Meta,
                (false, EntryKind::Attachment(_)) => Place::Queued,
                (false, _) => Place::Words,
            };
            items.push(Item { place, what: piece(block) });
        }
    }
    items
}

fn piece(block: ModelBlock) -> What {
    match block.content {
        ContentBlock::ToolResult(result) => What::Result(result, block.source),
        content => What::Block(ModelBlock { content, ..block }),
    }
}

/// The text that stands in the place of folded entries.
pub(crate) fn fold(text: &Arc<str>, source: Uuid) -> Vec<Item> {
    let block = ModelBlock::meta(ContentBlock::text(clean::text(text))).from_entry(source);
    if clean::is_blank(text) {
        Vec::new()
    } else {
        vec![Item { place: Place::Meta, what: What::Block(block) }]
    }
}

/// Whether a block can stand in a message of a role at all.
fn belongs(block: &ModelBlock, role: Role, decisions: &mut Vec<Decision>) -> bool {
    use ContentBlock as B;
    let fits = match (&block.content, role) {
        (B::Text(text), _) if clean::is_blank(&text.text) => {
            decisions.push(decide::blank_text(block.source));
            return false;
        }
        (B::ToolUse(_) | B::Thinking(_) | B::RedactedThinking(_), role) => role == Role::Assistant,
        (B::ToolResult(_) | B::Image(_) | B::Document(_), role) => role == Role::User,
        _ => true,
    };
    if !fits {
        decisions.push(decide::out_of_place(block.source, block.content.tag().unwrap_or("unknown")));
    }
    fits
}

/// Puts recorded replacements in their places. Blocks are counted as they are seen: those inside of a result one by one,
/// in the place of the result.
fn apply(view: &View, entry: Uuid, messages: &mut [ModelMessage]) {
    let mut place = 0;
    for block in messages.iter_mut().flat_map(|message| &mut message.blocks) {
        block.source.get_or_insert(entry);
        match &mut block.content {
            ContentBlock::ToolResult(result) => {
                result.content.iter_mut().for_each(|inner| replace(view, entry, &mut place, inner));
                if let Some(text) = view.result(&result.tool_use_id) {
                    result.content = vec![ContentBlock::text(neutralise(text).into_owned())];
                }
            }
            content => replace(view, entry, &mut place, content),
        }
    }
}

fn replace(view: &View, entry: Uuid, place: &mut usize, block: &mut ContentBlock) {
    if let Some(text) = view.block(entry, *place) {
        *block = ContentBlock::text(neutralise(text).into_owned());
    }
    *place += 1;
}
