//! Lists and plans that were not looked after for a while.

mod limits;
mod tasks;
mod todos;
mod verify;

use context_api::{AssistantReply, ContentBlock, Entry, EntryKind, Ledger};

pub use limits::ListLimits;
pub use tasks::TaskReminderCollector;
pub use todos::TodoReminderCollector;
pub use verify::VerifyPlanCollector;

/// Whether a reminder of a list is due: the model has not called one of `tools` for long, nor was it reminded.
fn is_due(
    ledger: &Ledger,
    history: &[impl AsRef<Entry>],
    kind: &str,
    tools: &[String],
    limits: &ListLimits,
) -> bool {
    let last = ledger.occurrences(kind);
    let reminded = ledger.assistant_messages() - last.assistant_messages;
    (last.count == 0 || reminded >= limits.every)
        && messages_since_call(history, tools, limits.idle) >= limits.idle
}

/// Assistant messages since the newest that calls one of `tools`; counted from the end, up to `enough`.
fn messages_since_call(history: &[impl AsRef<Entry>], tools: &[String], enough: u64) -> u64 {
    let mut count = 0;
    for entry in history.iter().rev() {
        if count >= enough {
            break;
        }
        if let EntryKind::Assistant(reply) = &entry.as_ref().kind {
            if calls(reply, tools) {
                break;
            }
            count += 1;
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
