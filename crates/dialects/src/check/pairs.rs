//! Calls of tools and their results.

use std::collections::BTreeSet;

use context_api::{ContentBlock, ModelRequest};

use crate::Fault;
use crate::seat::Seat;

/// Each call has one result in the next message, where results come first; each result has its call in the message before.
/// Looks at `seats`, from some message on to the end.
pub(super) fn check<'a>(
    request: &'a ModelRequest,
    seats: impl Iterator<Item = Seat<'a>>,
    faults: &mut Vec<Fault>,
) {
    let seats: Vec<Seat<'a>> = seats.collect();
    let mut called = called_before(request, &seats);
    let mut answered = BTreeSet::new();
    for seat in &seats {
        match seat.content() {
            ContentBlock::ToolUse(call) => {
                let first = called.insert(call.id.as_str());
                faults.extend(of_call(request, seat, &call.id, first));
            }
            ContentBlock::ToolResult(result) => {
                let first = answered.insert((seat.message, result.tool_use_id.as_str()));
                faults.extend(of_result(request, seat, &result.tool_use_id, first));
            }
            _ => {}
        }
    }
}

/// Ids of calls in `seats` that messages in front of them have too, found at one look.
fn called_before<'a>(request: &'a ModelRequest, seats: &[Seat<'a>]) -> BTreeSet<&'a str> {
    let ids = seats.iter().filter_map(|seat| match seat.content() {
        ContentBlock::ToolUse(call) => Some(call.id.as_str()),
        _ => None,
    });
    let ids: BTreeSet<&str> = ids.collect();
    let end = seats.first().filter(|_| !ids.is_empty()).map_or(0, |seat| seat.message);
    (0..end).flat_map(|message| calls(request, message)).filter(|id| ids.contains(id)).collect()
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
