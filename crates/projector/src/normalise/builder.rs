//! Messages in the making.

use std::sync::Arc;

use context_api::{ContentBlock, Decision, ModelBlock, ModelMessage, Role, ToolResultBlock};
use uuid::Uuid;

use super::calls::{Answer, Calls};
use super::read::{Item, What};
use super::stream::Rules;
use super::view::View;
use crate::wording::{StandardWording, Wording};
use crate::{clean, decide, fence};

/// What is complete, the answer that may still grow, and the group that is still open.
///
/// Either the answer or the group is open, never both: a group starts behind a closed answer, and an answer closes the
/// group before it. A closed one never changes; it can only be followed.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    pub(crate) messages: Vec<Arc<ModelMessage>>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) unanswered: Vec<String>,
    pub(crate) calls: Calls,
    reply: Vec<ModelBlock>,
    reply_turn: u64,
    reply_ended: bool,
    awaiting: Vec<(String, Option<Uuid>)>,
    group: Vec<Item>,
    group_turn: u64,
}

impl Builder {
    /// All messages but the last, and the rest of the state: nothing looks further back.
    pub(crate) fn end(&self) -> (&[Arc<ModelMessage>], Self) {
        let (complete, last) = self.messages.split_at(self.messages.len().saturating_sub(1));
        let end = Self {
            messages: last.to_vec(),
            decisions: self.decisions.clone(),
            unanswered: self.unanswered.clone(),
            calls: self.calls.clone(),
            reply: self.reply.clone(),
            awaiting: self.awaiting.clone(),
            group: self.group.clone(),
            ..*self
        };
        (complete, end)
    }

    /// Takes in blocks of an answer. Neighbouring ones are one message, but a call of an earlier turn was answered before.
    pub(crate) fn reply(&mut self, turn: u64, blocks: Vec<ModelBlock>, view: &View, rules: &Rules<'_>) {
        let calls = self.reply.iter().any(|block| matches!(block.content, ContentBlock::ToolUse(_)));
        if calls && (self.reply_ended || self.reply_turn != turn) {
            self.close(view, rules);
        }
        self.reply_turn = turn;
        let new = blocks.into_iter().filter(|block| is_new_call(&mut self.calls, block, &mut self.decisions));
        self.reply.extend(new);
    }

    /// Takes in what the user's side says.
    pub(crate) fn say(&mut self, turn: u64, items: Vec<Item>, view: &View, rules: &Rules<'_>) {
        if items.is_empty() {
            return;
        }
        if !self.group.is_empty() && self.group_turn != turn {
            self.end_group(view, rules);
        }
        self.close_reply(rules);
        self.group_turn = turn;
        self.group.extend(items);
    }

    /// Notes that something stood here that is out of view: a later answer does not join an open one with calls.
    pub(crate) fn pass(&mut self) {
        self.reply_ended = !self.reply.is_empty();
    }

    /// Closes the group, where one is open.
    pub(crate) fn end_group(&mut self, view: &View, rules: &Rules<'_>) {
        if !self.group.is_empty() {
            self.close_group(view, rules);
        }
    }

    /// Closes everything: all calls are answered.
    pub(crate) fn close(&mut self, view: &View, rules: &Rules<'_>) {
        self.close_reply(rules);
        self.close_group(view, rules);
    }

    /// Thinking at the end of an answer has nothing to belong to.
    fn close_reply(&mut self, rules: &Rules<'_>) {
        self.reply_ended = false;
        let mut reply = std::mem::take(&mut self.reply);
        while let Some(block) = reply.pop_if(|block| is_thinking(block)) {
            self.decisions.push(decide::trailing_thinking(block.source));
        }
        let calls = reply.iter().filter_map(|block| match &block.content {
            ContentBlock::ToolUse(call) => Some((call.id.clone(), block.source)),
            _ => None,
        });
        self.awaiting.extend(calls);
        self.append(Role::Assistant, reply, rules);
    }

    fn close_group(&mut self, view: &View, rules: &Rules<'_>) {
        let (mut results, mut others) = split(std::mem::take(&mut self.group));
        let awaiting = std::mem::take(&mut self.awaiting);
        let answers =
            awaiting.iter().map(|(id, call)| self.answer(id, *call, &mut results, view, rules)).collect();
        self.append(Role::User, answers, rules);
        for (result, source) in results {
            let late = self.late(result, source, rules);
            self.append(Role::User, late, rules);
        }
        others.sort_by_key(|item| item.place);
        for item in others {
            match item.what {
                What::Block(block) => self.append(Role::User, vec![block], rules),
                What::Pair(messages) => self.pair(messages, rules),
                What::Result(..) => {}
            }
        }
    }

    /// The answer of a call: the first result for it, or that it was interrupted.
    fn answer(
        &mut self,
        id: &str,
        call: Option<Uuid>,
        results: &mut Vec<(ToolResultBlock, Option<Uuid>)>,
        view: &View,
        rules: &Rules<'_>,
    ) -> ModelBlock {
        let recorded = view.is_interrupted(id);
        let found = results.iter().position(|(result, _)| result.tool_use_id == id).filter(|_| !recorded);
        if let Some(index) = found {
            self.calls.set(id, Answer::Real);
            let (result, source) = results.remove(index);
            return block_of(sendable(result, source, &mut self.decisions, rules), false, source);
        }
        if !recorded {
            self.decisions.push(decide::interrupted(call, id));
            self.unanswered.push(id.to_owned());
        }
        self.calls.set(id, Answer::Interrupted);
        let tool = self.calls.tool(id);
        let text = own(rules.wording.interrupted(&tool), || StandardWording.interrupted(&tool));
        let content = vec![text];
        block_of(ToolResultBlock { tool_use_id: id.to_owned(), content, is_error: true }, true, call)
    }

    /// A result that answers nothing any more: told in a reminder where its call was answered as interrupted.
    fn late(&mut self, result: ToolResultBlock, source: Option<Uuid>, rules: &Rules<'_>) -> Vec<ModelBlock> {
        let id = result.tool_use_id.as_str();
        match self.calls.answer(id) {
            Some(Answer::Interrupted) => {
                self.calls.set(id, Answer::Late);
                self.decisions.push(decide::late_result(source, id));
                late_blocks(&self.calls.tool(id), &result, source, rules)
            }
            Some(Answer::Real | Answer::Late) => {
                self.decisions.push(decide::duplicate_result(source, id));
                Vec::new()
            }
            Some(Answer::Open) | None => {
                self.decisions.push(decide::orphan_result(source, id));
                Vec::new()
            }
        }
    }

    /// A simulated call with its result, where its ids are new and match.
    fn pair(&mut self, messages: Vec<ModelMessage>, rules: &Rules<'_>) {
        let (calls, results) = (ids(&messages, call_id), ids(&messages, result_id));
        let source = messages.iter().flat_map(|message| &message.blocks).find_map(|block| block.source);
        let ordered = messages.first().is_some_and(|message| message.role == Role::Assistant)
            && messages.last().is_some_and(|message| message.role == Role::User)
            && messages.len() == 2;
        if !ordered || calls != results || !calls.iter().all(|id| self.calls.open(id, "")) {
            self.decisions.push(decide::malformed_pair(source));
            return;
        }
        calls.iter().for_each(|id| self.calls.set(id, Answer::Real));
        for message in messages {
            let blocks = message.blocks.into_iter().map(|block| match block.content {
                ContentBlock::ToolResult(result) => ModelBlock {
                    content: ContentBlock::ToolResult(sendable(result, source, &mut self.decisions, rules)),
                    ..block
                },
                content => ModelBlock { content, ..block },
            });
            let blocks = blocks.collect();
            self.append(message.role, blocks, rules);
        }
    }

    /// Puts blocks behind everything: into the last message where it is of the same role, into a new one otherwise.
    fn append(&mut self, role: Role, blocks: Vec<ModelBlock>, rules: &Rules<'_>) {
        if blocks.is_empty() {
            return;
        }
        if self.messages.is_empty() && role == Role::Assistant {
            self.decisions.push(decide::first_message());
            let text = own(rules.wording.first_message(), || StandardWording.first_message());
            self.messages.push(Arc::new(fence::of_blocks(vec![text])));
        }
        match self.messages.last_mut().filter(|last| last.role == role) {
            Some(last) => Arc::make_mut(last).blocks.extend(blocks),
            None => self.messages.push(Arc::new(ModelMessage::new(role, blocks))),
        }
    }
}

/// A text of the engine's own that has to be there: the standard one where a wording has none.
fn own(text: String, standard: impl FnOnce() -> String) -> ContentBlock {
    let text = clean::text(&text.into());
    if clean::is_blank(&text) { ContentBlock::text(standard()) } else { ContentBlock::text(text) }
}

/// Results, and everything else.
fn split(group: Vec<Item>) -> (Vec<(ToolResultBlock, Option<Uuid>)>, Vec<Item>) {
    let (mut results, mut others) = (Vec::new(), Vec::new());
    for item in group {
        match item.what {
            What::Result(result, source) => results.push((result, source)),
            what => others.push(Item { what, ..item }),
        }
    }
    (results, others)
}

fn is_new_call(calls: &mut Calls, block: &ModelBlock, decisions: &mut Vec<Decision>) -> bool {
    let ContentBlock::ToolUse(call) = &block.content else { return true };
    let new = calls.open(&call.id, &call.name);
    if !new {
        decisions.push(decide::duplicate_call(block.source, &call.id));
    }
    new
}

fn is_thinking(block: &ModelBlock) -> bool {
    matches!(block.content, ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
}

fn block_of(result: ToolResultBlock, meta: bool, source: Option<Uuid>) -> ModelBlock {
    ModelBlock { content: ContentBlock::ToolResult(result), meta, source, cache: None }
}

/// A result without blank texts and blocks that no result can hold; with a short text where nothing is left.
fn sendable(
    mut result: ToolResultBlock,
    source: Option<Uuid>,
    decisions: &mut Vec<Decision>,
    rules: &Rules<'_>,
) -> ToolResultBlock {
    use ContentBlock as B;
    result.content.retain(|block| match block {
        B::Text(text) => !clean::is_blank(&text.text),
        B::Image(_) | B::Document(_) | B::Unknown(_) => true,
        other => {
            decisions.push(decide::out_of_place(source, other.tag().unwrap_or("unknown")));
            false
        }
    });
    if result.content.is_empty() {
        result.content.push(own(rules.wording.empty_result(), || StandardWording.empty_result()));
    }
    result
}

/// A late result as a reminder, its pictures behind it.
fn late_blocks(
    tool: &str,
    result: &ToolResultBlock,
    source: Option<Uuid>,
    rules: &Rules<'_>,
) -> Vec<ModelBlock> {
    let texts: Vec<_> = result.content.iter().filter_map(ContentBlock::as_text).collect();
    let text = rules.wording.late_result(tool, &result.tool_use_id, &texts.join("\n"));
    let media = result
        .content
        .iter()
        .filter(|block| matches!(block, ContentBlock::Image(_) | ContentBlock::Document(_)));
    let blocks = [fence::reminder(&text)].into_iter().chain(media.cloned());
    blocks.map(|content| ModelBlock { content, meta: true, source, cache: None }).collect()
}

fn ids<'a>(messages: &'a [ModelMessage], id: impl Fn(&'a ContentBlock) -> Option<&'a str>) -> Vec<String> {
    let blocks = messages.iter().flat_map(|message| &message.blocks);
    blocks.filter_map(|block| id(&block.content)).map(str::to_owned).collect()
}

fn call_id(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::ToolUse(call) => Some(&call.id),
        _ => None,
    }
}

fn result_id(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::ToolResult(result) => Some(&result.tool_use_id),
        _ => None,
    }
}
