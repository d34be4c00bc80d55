//! What the provider would refuse.

use std::collections::BTreeSet;

use context_api::{ContentBlock, ModelRequest, RequestTool, Role};

use super::{AnthropicLimits, media, pairs};
use crate::Fault;
use crate::seat::{Seat, seats};

pub(super) fn faults(request: &ModelRequest, limits: &AnthropicLimits) -> Vec<Fault> {
    let seats = seats(request);
    let mut faults = Vec::new();
    parameters(request, limits, &mut faults);
    tools(&request.tools, limits, &mut faults);
    system(request, &mut faults);
    conversation(request, limits, &mut faults);
    faults.extend(seats.iter().flat_map(block));
    pairs::check(request, &seats, &mut faults);
    media::check(&seats, limits, &mut faults);
    marks(request, &seats, limits, &mut faults);
    faults
}

fn parameters(request: &ModelRequest, limits: &AnthropicLimits, faults: &mut Vec<Fault>) {
    if request.model.is_empty() {
        faults.push(Fault::new("model", "it has no name"));
    }
    if request.max_tokens == 0 {
        faults.push(Fault::new("max_tokens", "it is 0 and has to be at least 1"));
    }
    if let Some(budget) = request.thinking
        && !(limits.thinking_tokens..request.max_tokens).contains(&budget)
    {
        let (least, most) = (limits.thinking_tokens, request.max_tokens);
        faults.push(Fault::new(
            "thinking",
            format!("its budget is {budget} tokens and has to be at least {least} and less than max_tokens, {most}"),
        ));
    }
}

fn tools(tools: &[RequestTool], limits: &AnthropicLimits, faults: &mut Vec<Fault>) {
    let mut names = BTreeSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let mut fault = |problem: String| faults.push(Fault::new(format!("tools[{index}]"), problem));
        if !is_name(&tool.name, limits.tool_name_chars) {
            let most = limits.tool_name_chars;
            fault(format!("its name {:?} is not 1 to {most} letters, digits, _ or -", tool.name));
        }
        if !names.insert(&tool.name) {
            fault(format!("another tool is named {}", tool.name));
        }
        if !tool.input_schema.get().trim_start().starts_with('{') {
            fault(format!("the input schema of {} is no object", tool.name));
        }
    }
}

/// Letters, digits, `_` and `-`, at most `chars` of them.
pub(super) fn is_name(name: &str, chars: usize) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=chars).contains(&name.len()) && name.bytes().all(fits)
}

fn system(request: &ModelRequest, faults: &mut Vec<Fault>) {
    for (index, _) in request.system.iter().enumerate().filter(|(_, block)| block.text.trim().is_empty()) {
        faults.push(Fault::new(format!("system[{index}]"), "its text is empty"));
    }
}

fn conversation(request: &ModelRequest, limits: &AnthropicLimits, faults: &mut Vec<Fault>) {
    let count = request.messages.len();
    if count == 0 || count > limits.messages {
        faults.push(Fault::new("messages", format!("there are {count}, not 1 to {}", limits.messages)));
    }
    let mut expected = Role::User;
    for (index, message) in request.messages.iter().enumerate() {
        let source = message.blocks.first().and_then(|block| block.source);
        let mut fault = |problem| faults.push(Fault::new(format!("messages[{index}]"), problem).of(source));
        if message.blocks.iter().all(|block| unsigned(&block.content)) {
            fault("it has no content");
        }
        if message.role != expected {
            fault(if index == 0 {
                "the first message is not the user's"
            } else {
                "two messages of one role follow each other"
            });
        }
        expected = if message.role == Role::User { Role::Assistant } else { Role::User };
    }
}

/// Thinking that this provider did not sign; it is left out.
pub(super) fn unsigned(content: &ContentBlock) -> bool {
    matches!(content, ContentBlock::Thinking(block) if block.signature.is_empty())
}

fn block(seat: &Seat<'_>) -> Option<Fault> {
    match (seat.role, seat.content()) {
        (_, ContentBlock::Text(block)) if block.text.trim().is_empty() => {
            Some(seat.fault("its text is empty"))
        }
        (Role::User, ContentBlock::ToolUse(_)) => Some(seat.fault("a tool call stands in a user's message")),
        (Role::User, ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_)) => {
            Some(seat.fault("thinking stands in a user's message"))
        }
        (Role::Assistant, ContentBlock::ToolResult(_)) => {
            Some(seat.fault("a tool result stands in the model's message"))
        }
        (Role::Assistant, ContentBlock::Image(_) | ContentBlock::Document(_)) => {
            Some(seat.fault("an image or document stands in the model's message"))
        }
        (_, ContentBlock::ToolResult(result)) => {
            result.content.iter().find_map(|inner| inside_result(seat, inner, result.is_error))
        }
        (_, ContentBlock::ToolUse(call)) if !call.input.get().trim_start().starts_with('{') => {
            Some(seat.fault(format!("the input of the call of {} is no object", call.name)))
        }
        _ => None,
    }
}

fn inside_result(seat: &Seat<'_>, inner: &ContentBlock, is_error: bool) -> Option<Fault> {
    match inner {
        ContentBlock::Text(block) if block.text.is_empty() => {
            Some(seat.mendable("A tool result", "empty_text", "a text in it is empty".to_owned()))
        }
        ContentBlock::Image(_) | ContentBlock::Document(_) if is_error => Some(seat.mendable(
            "A tool result",
            "media_in_error_result",
            "the result of a failed call holds something other than text".to_owned(),
        )),
        ContentBlock::Text(_)
        | ContentBlock::Image(_)
        | ContentBlock::Document(_)
        | ContentBlock::Unknown(_) => None,
        _ => Some(seat.fault("a tool result holds a block that is no text, image or document")),
    }
}

fn marks(request: &ModelRequest, seats: &[Seat<'_>], limits: &AnthropicLimits, faults: &mut Vec<Fault>) {
    let marked = seats.iter().filter(|seat| seat.of.cache.is_some());
    let on_thinking = |seat: &&Seat<'_>| {
        matches!(seat.content(), ContentBlock::Thinking(_) | ContentBlock::RedactedThinking(_))
    };
    faults
        .extend(marked.clone().filter(on_thinking).map(|seat| seat.fault("a cache mark stands on thinking")));
    let count = marked.count()
        + request.system.iter().filter(|block| block.cache.is_some()).count()
        + request.tools.iter().filter(|tool| tool.cache.is_some()).count();
    if count > limits.cache_marks {
        let problem = format!("there are {count} and {} are the limit", limits.cache_marks);
        faults.push(Fault::new("cache marks", problem));
    }
}
