//! What may stand in a message.

use context_api::{ContentBlock, Role, ToolResultBlock};

use super::is_object;
use crate::Fault;
use crate::rules::Rules;
use crate::seat::Seat;

pub(super) fn check<'a>(seats: impl Iterator<Item = Seat<'a>>, rules: &Rules, faults: &mut Vec<Fault>) {
    for seat in seats {
        match (seat.role, seat.content()) {
            (Role::User, ContentBlock::ToolResult(result)) => faults.extend(inside(&seat, result, rules)),
            _ => faults.extend(block(&seat, rules)),
        }
    }
}

fn block(seat: &Seat<'_>, rules: &Rules) -> Option<Fault> {
    match (seat.role, seat.content()) {
        (_, ContentBlock::Text(block)) => {
            let (reason, problem) = text(&block.text, rules)?;
            Some(seat.mendable("A text", reason, problem))
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
        (_, ContentBlock::ToolUse(call)) if !is_object(call.input.get()) => {
            Some(seat.fault(format!("the input of the call of {} is no object", call.name)))
        }
        _ => None,
    }
}

/// A reason in snake case and the end of a sentence.
fn text(text: &str, rules: &Rules) -> Option<(&'static str, String)> {
    if text.trim().is_empty() {
        return Some(("empty_text", "its text is empty".to_owned()));
    }
    // A text of fewer bytes has fewer characters, so most are never counted.
    let too_long = text.len() > rules.text_chars && text.chars().count() > rules.text_chars;
    too_long.then(|| ("text_too_long", format!("it has more than {} characters", rules.text_chars)))
}

/// Faults of the blocks in a result, each mended by itself, so that what is right beside it stays.
fn inside(seat: &Seat<'_>, result: &ToolResultBlock, rules: &Rules) -> Vec<Fault> {
    let fault = |(at, inner): (usize, &ContentBlock)| {
        let mendable = |reason, problem: String| Some(seat.mendable_inside(at, inner, reason, problem));
        match inner {
            ContentBlock::Text(block) if block.text.is_empty() => {
                mendable("empty_text", "a text in it is empty".to_owned())
            }
            ContentBlock::Text(block) if block.text.len() > rules.text_chars => {
                let (reason, problem) = text(&block.text, rules)?;
                mendable(reason, problem)
            }
            ContentBlock::Image(_) | ContentBlock::Document(_)
                if result.is_error && !rules.media.in_failed_results =>
            {
                let problem = "the result of a failed call holds something other than text";
                mendable("media_in_error_result", problem.to_owned())
            }
            ContentBlock::Text(_)
            | ContentBlock::Image(_)
            | ContentBlock::Document(_)
            | ContentBlock::Unknown(_) => None,
            _ => Some(seat.fault("a tool result holds a block that is no text, image or document")),
        }
    };
    result.content.iter().enumerate().filter_map(fault).collect()
}
