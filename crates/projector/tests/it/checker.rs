//! The rules of the Messages API that a request has to obey.

use std::collections::BTreeSet;
use std::sync::Arc;

use context_api::{ContentBlock, ModelMessage, Role};

/// Checks a conversation; the first broken rule is the error.
pub(crate) fn check(messages: &[Arc<ModelMessage>]) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let expected = if index % 2 == 0 { Role::User } else { Role::Assistant };
        ensure(message.role == expected, index, "roles do not alternate from the user on")?;
        ensure(!message.blocks.is_empty(), index, "a message without blocks")?;
        for block in &message.blocks {
            ensure(fits(&block.content, message.role), index, "a block of the wrong role")?;
            ensure(has_text(&block.content), index, "a blank text")?;
        }
        match message.role {
            Role::User => answers(message, &mut open, index)?,
            Role::Assistant => open = calls(message, &mut ids, index)?,
        }
    }
    ensure(open.is_empty(), messages.len(), "a call without an answer")
}

fn ensure(holds: bool, index: usize, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("message {index}: {rule}")) }
}

fn fits(block: &ContentBlock, role: Role) -> bool {
    use ContentBlock as B;
    match block {
        B::Text(_) | B::Unknown(_) => true,
        B::Image(_) | B::Document(_) | B::ToolResult(_) => role == Role::User,
        _ => role == Role::Assistant,
    }
}

fn has_text(block: &ContentBlock) -> bool {
    match block {
        ContentBlock::Text(text) => !text.text.trim().is_empty(),
        ContentBlock::ToolResult(result) => !result.content.is_empty() && result.content.iter().all(has_text),
        _ => true,
    }
}

/// Results come first, each answers a call of the message before, once, and none is missing.
fn answers(message: &ModelMessage, open: &mut Vec<String>, index: usize) -> Result<(), String> {
    let is_result = |block: &ContentBlock| matches!(block, ContentBlock::ToolResult(_));
    let results = message.blocks.iter().take_while(|block| is_result(&block.content)).count();
    let later = message.blocks[results..].iter().any(|block| is_result(&block.content));
    ensure(!later, index, "a result behind other blocks")?;
    for block in &message.blocks[..results] {
        if let ContentBlock::ToolResult(result) = &block.content {
            let place = open.iter().position(|id| *id == result.tool_use_id);
            let place = place.ok_or_else(|| format!("message {index}: a result without its call"))?;
            open.remove(place);
        }
    }
    ensure(open.is_empty(), index, "a call without an answer")
}

fn calls(message: &ModelMessage, ids: &mut BTreeSet<String>, index: usize) -> Result<Vec<String>, String> {
    let ends_in_thinking = matches!(
        message.blocks.last().map(|block| &block.content),
        Some(ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
    );
    ensure(!ends_in_thinking, index, "an answer that ends in thinking")?;
    let mut open = Vec::new();
    for block in &message.blocks {
        if let ContentBlock::ToolUse(call) = &block.content {
            ensure(is_id(&call.id), index, "an id of the wrong form")?;
            ensure(ids.insert(call.id.clone()), index, "an id used twice")?;
            open.push(call.id.clone());
        }
    }
    Ok(open)
}

fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 64
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

#[test]
fn the_checker_finds_each_fault() {
    use crate::make::{call, thinking};
    use context_api::ModelBlock;
    let of = |role, blocks: Vec<ContentBlock>| {
        Arc::new(ModelMessage::new(role, blocks.into_iter().map(ModelBlock::plain).collect()))
    };
    let user = |blocks| of(Role::User, blocks);
    let model = |blocks| of(Role::Assistant, blocks);
    let text = || ContentBlock::text("a");
    let result = || ContentBlock::tool_result("t", "r");
    let hi = || user(vec![text()]);
    for (fault, messages) in [
        ("roles", vec![model(vec![text()])]),
        ("roles", vec![hi(), hi()]),
        ("without blocks", vec![user(vec![])]),
        ("wrong role", vec![user(vec![thinking("x")])]),
        ("blank", vec![user(vec![ContentBlock::text("\n")])]),
        ("blank", vec![hi(), model(vec![call("t")]), user(vec![ContentBlock::tool_result("t", "")])]),
        ("behind other", vec![hi(), model(vec![call("t")]), user(vec![text(), result()])]),
        ("without its call", vec![user(vec![result()])]),
        ("without its call", vec![hi(), model(vec![call("t")]), user(vec![result(), result()])]),
        ("without an answer", vec![hi(), model(vec![call("t")])]),
        ("without an answer", vec![hi(), model(vec![call("t")]), hi()]),
        ("ends in thinking", vec![hi(), model(vec![text(), thinking("x")])]),
        ("wrong form", vec![hi(), model(vec![call("t t")])]),
        ("used twice", vec![hi(), model(vec![call("t"), call("t")])]),
    ] {
        let error = check(&messages).unwrap_err();
        assert!(error.contains(fault), "{fault}: {error}");
    }
    assert_eq!(check(&[hi(), model(vec![thinking("x"), call("t")]), user(vec![result(), text()])]), Ok(()));
}
