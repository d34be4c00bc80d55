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
    apply(view, entry.uuid, &mut messages, decisions);
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

/// The text that stands in the place of folded entries, where the first of them stood. Among the words of its group, so
/// that it never comes before anything that stood before what it folds.
pub(crate) fn fold(text: &Arc<str>, first: Uuid) -> Vec<Item> {
    let text = clean::text(text);
    if clean::is_blank(&text) {
        return Vec::new();
    }
    let block = ModelBlock::meta(ContentBlock::text(text)).from_entry(first);
    vec![Item { place: Place::Words, what: What::Block(block) }]
}

/// Whether a block can stand in a message of a role at all; a decision where not.
fn belongs(block: &ModelBlock, role: Role, decisions: &mut Vec<Decision>) -> bool {
    let tag = || block.content.tag().unwrap_or("unknown");
    match fate(&block.content, role) {
        Fate::Fits => return true,
        Fate::Blank => decisions.push(decide::blank_text(block.source)),
        Fate::OutOfPlace => decisions.push(decide::out_of_place(block.source, tag())),
    }
    false
}

#[derive(PartialEq)]
enum Fate {
    Fits,
    Blank,
    OutOfPlace,
}

fn fate(block: &ContentBlock, role: Role) -> Fate {
    use ContentBlock as B;
    let fits = match block {
        B::Text(text) if clean::is_blank(&text.text) => return Fate::Blank,
        B::ToolUse(_) | B::Thinking(_) | B::RedactedThinking(_) => role == Role::Assistant,
        B::ToolResult(_) | B::Image(_) | B::Document(_) => role == Role::User,
        _ => true,
    };
    if fits { Fate::Fits } else { Fate::OutOfPlace }
}

/// Puts recorded replacements in their places. Blocks are counted as they are projected: those inside of a result one by
/// one, in the place of the result.
fn apply(view: &View, entry: Uuid, messages: &mut [ModelMessage], decisions: &mut Vec<Decision>) {
    let mut place = 0;
    for message in messages {
        let role = message.role;
        for block in &mut message.blocks {
            block.source.get_or_insert(entry);
            match &mut block.content {
                ContentBlock::ToolResult(result) => {
                    result
                        .content
                        .iter_mut()
                        .for_each(|inner| replace(view, entry, &mut place, role, inner, decisions));
                    if let Some(text) = view.result(&result.tool_use_id) {
                        result.content = vec![ContentBlock::text(neutralise(text).into_owned())];
                    }
                }
                content => replace(view, entry, &mut place, role, content, decisions),
            }
        }
    }
}

/// Whether an edit can replace a block: not a call or thinking, which stand or fall with others, and nothing that is not
/// sent, since an edit brings nothing into view.
fn is_replaceable(block: &ContentBlock, role: Role) -> bool {
    use ContentBlock as B;
    fate(block, role) == Fate::Fits
        && !matches!(block, B::ToolUse(_) | B::Thinking(_) | B::RedactedThinking(_))
}

fn replace(
    view: &View,
    entry: Uuid,
    place: &mut usize,
    role: Role,
    block: &mut ContentBlock,
    decisions: &mut Vec<Decision>,
) {
    if let Some(text) = view.block(entry, *place) {
        if is_replaceable(block, role) {
            *block = ContentBlock::text(neutralise(text).into_owned());
        } else {
            decisions.push(decide::edit_without_effect(entry, *place));
        }
    }
    *place += 1;
}
