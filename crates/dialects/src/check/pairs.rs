//! Calls of tools and their results.

use std::collections::BTreeSet;

use context_api::{ContentBlock, ModelRequest};

use crate::Fault;
use crate::seat::{Seat, seats};

/// Each call has one result in the next message, where results come first; each result has its call in the message before.
pub(super) fn check(request: &ModelRequest, from: usize, faults: &mut Vec<Fault>) {
    let mut called = BTreeSet::new();
    let mut answered = BTreeSet::new();
    for seat in seats(request, from) {
        match seat.content() {
            ContentBlock::ToolUse(call) => {
                let first = called.insert(call.id.as_str()) && !is_called(request, from, &call.id);
                faults.extend(of_call(request, &seat, &call.id, first));
            }
            ContentBlock::ToolResult(result) => {
                let first = answered.insert((seat.message, result.tool_use_id.as_str()));
                faults.extend(of_result(request, &seat, &result.tool_use_id, first));
            }
            _ => {}
        }
    }
}

/// Whether a message in front of `end` has a call with this id.
fn is_called(request: &ModelRequest, end: usize, id: &str) -> bool {
    (0..end).any(|message| calls(request, message).any(|call| call == id))
}

fn of_call(request: &ModelRequest, seat: &Seat<'_>, id: &str, first: bool) -> Vec<Fault> {
    let answered = results(request, seat.message + 1).any(|result| result == id);
    let problems = [
        (!first).then(|| format!("another call has the id {id}")),
        (!answered).then(|| format!("the call {id} has no result in the next message")),
    ];
    problems.into_iter().flatten().map(|problem| seat.fault(problem)).collect()
}

fn of_result(request: &ModelRequest, seat: &Seat<'_>, id: &str, first: bool) -> Vec<Fault> {
    let called =
        seat.message.checked_sub(1).is_some_and(|before| calls(request, before).any(|call| call == id));
    let before = &request.messages[seat.message].blocks[..seat.block];
    let leads = before.iter().all(|block| matches!(block.content, ContentBlock::ToolResult(_)));
    let problems = [
        (!called).then(|| format!("the result {id} has no call in the message before")),
        (!first).then(|| format!("the call {id} has a result already")),
        (!leads).then(|| format!("the result {id} stands behind something other than a result")),
    ];
    problems.into_iter().flatten().map(|problem| seat.fault(problem)).collect()
}

fn results(request: &ModelRequest, message: usize) -> impl Iterator<Item = &str> {
    contents(request, message).filter_map(|content| match content {
        ContentBlock::ToolResult(result) => Some(result.tool_use_id.as_str()),
        _ => None,
    })
}

fn calls(request: &ModelRequest, message: usize) -> impl Iterator<Item = &str> {
    contents(request, message).filter_map(|content| match content {
        ContentBlock::ToolUse(call) => Some(call.id.as_str()),
        _ => None,
    })
}

fn contents(request: &ModelRequest, message: usize) -> impl Iterator<Item = &ContentBlock> {
    request.messages.get(message).into_iter().flat_map(|message| &message.blocks).map(|block| &block.content)
}
