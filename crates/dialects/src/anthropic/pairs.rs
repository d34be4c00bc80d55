//! Calls of tools and their results.

use std::collections::BTreeSet;

use context_api::{ContentBlock, ModelRequest, Role};

use crate::Fault;
use crate::seat::Seat;

/// An id may be of any length here.
const ID_CHARS: usize = usize::MAX;

/// Each call has one result in the next message, where results come first; each result has its call in the message before.
pub(super) fn check(request: &ModelRequest, seats: &[Seat<'_>], faults: &mut Vec<Fault>) {
    let mut called = BTreeSet::new();
    let mut answered = BTreeSet::new();
    for seat in seats {
        match seat.content() {
            ContentBlock::ToolUse(call) => {
                if !super::check::is_name(&call.id, ID_CHARS) {
                    faults
                        .push(seat.fault(format!("the id {:?} is not of letters, digits, _ and -", call.id)));
                }
                if !called.insert(&call.id) {
                    faults.push(seat.fault(format!("another call has the id {}", call.id)));
                }
                if !results(request, seat.message + 1).any(|id| *id == call.id) {
                    faults
                        .push(seat.fault(format!("the call {} has no result in the next message", call.id)));
                }
            }
            ContentBlock::ToolResult(result) => {
                let id = &result.tool_use_id;
                if !seat
                    .message
                    .checked_sub(1)
                    .is_some_and(|before| calls(request, before).any(|call| call == id))
                {
                    faults.push(seat.fault(format!("the result {id} has no call in the message before")));
                }
                if !answered.insert(id) {
                    faults.push(seat.fault(format!("the call {id} has a result already")));
                }
                if !comes_first(request, seat) {
                    faults.push(
                        seat.fault(format!("the result {id} stands behind something other than a result")),
                    );
                }
            }
            _ => {}
        }
    }
    last(request, faults);
}

fn comes_first(request: &ModelRequest, seat: &Seat<'_>) -> bool {
    let before = &request.messages[seat.message].blocks[..seat.block];
    before.iter().all(|block| matches!(block.content, ContentBlock::ToolResult(_)))
}

fn results(request: &ModelRequest, message: usize) -> impl Iterator<Item = &String> {
    request.messages.get(message).into_iter().flat_map(|message| &message.blocks).filter_map(|block| {
        match &block.content {
            ContentBlock::ToolResult(result) => Some(&result.tool_use_id),
            _ => None,
        }
    })
}

fn calls(request: &ModelRequest, message: usize) -> impl Iterator<Item = &String> {
    request.messages.get(message).into_iter().flat_map(|message| &message.blocks).filter_map(|block| {
        match &block.content {
            ContentBlock::ToolUse(call) => Some(&call.id),
            _ => None,
        }
    })
}

/// What the model is to go on with must not end in white space.
fn last(request: &ModelRequest, faults: &mut Vec<Fault>) {
    let Some(message) = request.messages.last().filter(|message| message.role == Role::Assistant) else {
        return;
    };
    let text = message.blocks.last().and_then(|block| block.content.as_text());
    if text.is_some_and(|text| text.ends_with(char::is_whitespace)) {
        let place = format!("messages[{}]", request.messages.len() - 1);
        faults.push(Fault::new(place, "the model's last text ends in white space"));
    }
}
