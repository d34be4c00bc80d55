//! Lists and plans that were not looked after for a while.

mod limits;
mod tasks;
mod todos;
mod verify;

use std::sync::Arc;

use context_api::{AssistantReply, ContentBlock, Entry, EntryKind, Source, ToolSpec, TurnView};

pub use limits::ListLimits;
pub use tasks::TaskReminderCollector;
pub use todos::TodoReminderCollector;
pub use verify::VerifyPlanCollector;

/// Whether a reminder of a list is due: the model may call one of `tools`, has not called one for long, nor was it reminded.
fn is_due(turn: &TurnView, kind: &str, tools: &[String], limits: &ListLimits) -> bool {
    let last = turn.ledger.occurrences(kind);
    let reminded = turn.ledger.assistant_messages() - last.assistant_messages;
    is_offered(&turn.host.catalog.tools, tools)
        && (last.count == 0 || reminded >= limits.every)
        && messages_since_call(&turn.history, tools, limits.idle) >= limits.idle
}

/// Whether one of `tools` is among what the host offers. A host that does not say what it offers may offer them.
fn is_offered(offered: &Source<ToolSpec>, tools: &[String]) -> bool {
    match offered {
        Source::Ready(all) => all.iter().any(|tool| tools.contains(&tool.name)),
        _ => true,
    }
}

/// Assistant messages since the newest that calls one of `tools`; counted from the end, up to `enough` or to the last
/// boundary: a resumed history may begin there.
fn messages_since_call(history: &[Arc<Entry>], tools: &[String], enough: u64) -> u64 {
    let mut count = 0;
    for entry in history.iter().rev() {
        if count >= enough {
            break;
        }
        match &entry.kind {
            EntryKind::Boundary(_) => break,
            EntryKind::Assistant(reply) if calls(reply, tools) => break,
            EntryKind::Assistant(_) => count += 1,
            _ => {}
        }
    }
    count
}

fn calls(reply: &AssistantReply, tools: &[String]) -> bool {
    reply.content.iter().any(|block| match block {
        ContentBlock::ToolUse(call) => tools.contains(&call.name),
        _ => false,
    })
}
