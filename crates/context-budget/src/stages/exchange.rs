//! What belongs together in a history.

use context_api::{ContentBlock, Entry, EntryKind, HistoryView, is_words};
use std::ops::Range;

/// Exchanges: words of a person, and what followed up to the next ones. What stands before the first words is none.
pub(crate) fn exchanges(view: &HistoryView) -> Vec<Range<usize>> {
    let starts: Vec<usize> = (0..view.entries.len()).filter(|&at| starts_exchange(view, at)).collect();
    let ends = starts.iter().skip(1).copied().chain([view.entries.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Attachments of a request stand before its words: the exchange begins with the first entry of their turn.
fn starts_exchange(view: &HistoryView, at: usize) -> bool {
    let turn = view.entries[at].entry.turn;
    let first_of_turn = at == 0 || view.entries[at - 1].entry.turn != turn || answers(view, at - 1);
    let group = view.entries[at..].iter().take_while(|seen| {
        seen.entry.turn == turn
            && !matches!(seen.entry.kind, EntryKind::Assistant(_) | EntryKind::ToolResult(_))
    });
    let mut group = group.map(|seen| &*seen.entry);
    if first_of_turn {
        return group.any(is_words);
    }
    false
}

fn answers(view: &HistoryView, at: usize) -> bool {
    matches!(view.entries[at].entry.kind, EntryKind::Assistant(_) | EntryKind::ToolResult(_))
}

/// Ids of the calls in an answer.
pub(crate) fn call_ids(entry: &Entry) -> impl Iterator<Item = &str> {
    let content = match &entry.kind {
        EntryKind::Assistant(reply) => reply.content.as_slice(),
        _ => &[],
    };
    content.iter().filter_map(|block| match block {
        ContentBlock::ToolUse(call) => Some(call.id.as_str()),
        _ => None,
    })
}

/// Units: an answer with the results that follow it, or anything else by itself. A cut between two units splits no pair
/// of a call and its result that stand together.
pub(crate) fn units(view: &HistoryView) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::new();
    for (at, seen) in view.entries.iter().enumerate() {
        let joins = match &seen.entry.kind {
            EntryKind::ToolResult(_) => true,
            // Neighbouring parts of one answer are one message.
            EntryKind::Assistant(_) => {
                at > 0 && matches!(view.entries[at - 1].entry.kind, EntryKind::Assistant(_))
            }
            _ => false,
        };
        match units.last_mut() {
            Some(unit) if joins => unit.end = at + 1,
            _ => units.push(at..at + 1),
        }
    }
    units
}
