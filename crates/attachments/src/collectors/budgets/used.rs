//! How many tokens are in use, as the provider last counted.

use context_api::{ContentBlock, Entry, EntryKind, TurnView, Usage};

/// Tokens that the newest answer behind the last boundary was made of; `None` where nobody counted them.
pub(super) fn tokens(turn: &TurnView) -> Option<u64> {
    behind_boundary(turn).find_map(|entry| match &entry.kind {
        EntryKind::Assistant(reply) => reply.usage.as_ref().map(whole),
        _ => None,
    })
}

fn whole(usage: &Usage) -> u64 {
    usage.sent().saturating_add(usage.output_tokens)
}

/// Bytes of the results that the model has answered to, within its newest `messages` answers.
pub(super) fn bytes_of_old_results(turn: &TurnView, messages: u64) -> u64 {
    let mut answers = 0;
    let mut bytes = 0;
    for entry in behind_boundary(turn) {
        match &entry.kind {
            EntryKind::Assistant(_) if answers >= messages => break,
            EntryKind::Assistant(_) => answers += 1,
            EntryKind::ToolResult(result) if answers > 0 => bytes += bytes_of(&result.block.content),
            _ => {}
        }
    }
    bytes
}

/// The entries behind the last boundary, newest first.
fn behind_boundary(turn: &TurnView) -> impl Iterator<Item = &Entry> {
    let entries = turn.history.iter().rev().map(|entry| &**entry);
    entries.take_while(|entry| !matches!(entry.kind, EntryKind::Boundary(_)))
}

fn bytes_of(content: &[ContentBlock]) -> u64 {
    let texts = content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.len()),
        _ => None,
    });
    u64::try_from(texts.sum::<usize>()).unwrap_or(u64::MAX)
}
