//! Where cache breakpoints stand.

use std::sync::Arc;

use context_api::{CacheMark, ContentBlock, Decision, ModelBlock, ModelRequest};

/// What is known of the conversation's stability.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) newest_turn_start: Option<usize>,
    pub(crate) stable_messages: usize,
}

/// A block of a message.
type Spot = (usize, usize);

/// Sees to it that at most `limit` breakpoints stand. Those that the host set come first, then the end of the stable
/// messages, the session's part of the system prompt, the end of the turn before, and the global part.
pub(crate) fn place(request: &mut ModelRequest, places: Places, limit: usize, decisions: &mut Vec<Decision>) {
    let mut left = limit - keep_host_marks(request, limit, decisions);
    let mut system: Vec<usize> =
        (0..request.system.len()).filter(|index| request.system[*index].cache.is_some()).collect();
    let covers_all = system.pop();
    let newest = last_suitable(request, places.stable_messages.min(request.messages.len()));
    place_in_messages(request, newest, "messages, end", &mut left, decisions);
    keep_in_system(request, covers_all, &mut left, decisions);
    let before = places.newest_turn_start.map(|start| start.min(places.stable_messages));
    let before = before.and_then(|start| last_suitable(request, start.min(request.messages.len())));
    place_in_messages(request, before, "messages, before the newest turn", &mut left, decisions);
    keep_in_system(request, system, &mut left, decisions);
}

/// The newest `limit` marks that the host set stay; returns how many.
fn keep_host_marks(request: &mut ModelRequest, limit: usize, decisions: &mut Vec<Decision>) -> usize {
    let set: Vec<Spot> = marked(request).collect();
    let on_tools = request.tools.iter().filter(|tool| tool.cache.is_some()).count().min(limit);
    let kept = set.len().min(limit - on_tools);
    for &spot in &set[..set.len() - kept] {
        set_mark(request, spot, None);
        decisions.push(no_room(&format!("messages[{}].content[{}]", spot.0, spot.1)));
    }
    on_tools + kept
}

fn place_in_messages(
    request: &mut ModelRequest,
    spot: Option<Spot>,
    name: &str,
    left: &mut usize,
    decisions: &mut Vec<Decision>,
) {
    let Some(spot) = spot.filter(|spot| block(request, *spot).cache.is_none()) else { return };
    if *left == 0 {
        decisions.push(no_room(name));
        return;
    }
    *left -= 1;
    set_mark(request, spot, Some(CacheMark::Session));
}

fn keep_in_system(
    request: &mut ModelRequest,
    indices: impl IntoIterator<Item = usize>,
    left: &mut usize,
    decisions: &mut Vec<Decision>,
) {
    for index in indices {
        if *left == 0 {
            request.system[index].cache = None;
            decisions.push(no_room(&format!("system[{index}]")));
        } else {
            *left -= 1;
        }
    }
}

fn no_room(place: &str) -> Decision {
    Decision::left_out(
        format!("cache mark on {place}"),
        "cache_mark_limit",
        "All cache breakpoints of a request are in use.",
    )
}

/// The last block before message `end` that can carry a mark.
fn last_suitable(request: &ModelRequest, end: usize) -> Option<Spot> {
    request.messages[..end].iter().enumerate().rev().find_map(|(index, message)| {
        message.blocks.iter().rposition(|block| suitable(&block.content)).map(|block| (index, block))
    })
}

/// Providers refuse a mark on a block that is empty or thinking; raw blocks are sent as they are.
fn suitable(content: &ContentBlock) -> bool {
    match content {
        ContentBlock::Text(block) => !block.text.trim().is_empty(),
        ContentBlock::Image(_) | ContentBlock::Document(_) | ContentBlock::ToolUse(_) => true,
        ContentBlock::ToolResult(result) => !result.content.is_empty(),
        _ => false,
    }
}

/// The blocks of messages that carry a mark.
fn marked(request: &ModelRequest) -> impl Iterator<Item = Spot> + '_ {
    request.messages.iter().enumerate().flat_map(|(message, content)| {
        let blocks = content.blocks.iter().enumerate().filter(|(_, block)| block.cache.is_some());
        blocks.map(move |(block, _)| (message, block))
    })
}

fn block(request: &ModelRequest, (message, block): Spot) -> &ModelBlock {
    &request.messages[message].blocks[block]
}

/// Only the one message is cloned; the others stay shared with the projected history.
fn set_mark(request: &mut ModelRequest, (message, block): Spot, mark: Option<CacheMark>) {
    Arc::make_mut(&mut request.messages[message]).blocks[block].cache = mark;
}
