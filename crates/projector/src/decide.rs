//! What normalising left out or added, for people and programs.

use context_api::{Decision, Verdict};
use context_text::safe_line;
use uuid::Uuid;

fn entry(source: Option<Uuid>) -> String {
    source.map_or_else(|| "history".to_owned(), |uuid| format!("entry {uuid}"))
}

fn left_out(source: Option<Uuid>, reason: &str, detail: impl Into<String>) -> Decision {
    Decision::left_out(entry(source), reason, detail)
}

pub(crate) fn blank_text(source: Option<Uuid>) -> Decision {
    left_out(source, "blank_text", "A text of nothing but white space is left out: providers refuse it.")
}

pub(crate) fn failed_reply(source: Uuid) -> Decision {
    left_out(Some(source), "provider_failed", "The answer broke off because the provider failed.")
}

pub(crate) fn trailing_thinking(source: Option<Uuid>) -> Decision {
    let detail = "Thinking at the end of an answer is left out: no text or call follows it.";
    left_out(source, "trailing_thinking", detail)
}

pub(crate) fn duplicate_call(source: Option<Uuid>, id: &str) -> Decision {
    let detail = format!("The call {} is there already; the first one stays.", safe_line(id));
    left_out(source, "duplicate_tool_use", detail)
}

pub(crate) fn duplicate_result(source: Option<Uuid>, id: &str) -> Decision {
    let detail = format!("The call {} has a result already; the first one stays.", safe_line(id));
    left_out(source, "duplicate_tool_result", detail)
}

pub(crate) fn orphan_result(source: Option<Uuid>, id: &str) -> Decision {
    let detail = format!("The call {} that this result belongs to is not in view.", safe_line(id));
    left_out(source, "orphan_tool_result", detail)
}

pub(crate) fn out_of_place(source: Option<Uuid>, tag: &str) -> Decision {
    left_out(source, "block_out_of_place", format!("A block of type {tag} can not stand in such a message."))
}

pub(crate) fn malformed_pair(source: Option<Uuid>) -> Decision {
    let detail = "A simulated call and its results do not match, or its id was used before.";
    left_out(source, "malformed_tool_pair", detail)
}

pub(crate) fn interrupted(source: Option<Uuid>, id: &str) -> Decision {
    let detail = format!("The call {} has no result; it is answered as interrupted.", safe_line(id));
    Decision::new(entry(source), Verdict::Included, "interrupted_tool_use", detail)
}

pub(crate) fn late_result(source: Option<Uuid>, id: &str) -> Decision {
    let detail = format!("The result of the call {} came late; it is told in a reminder.", safe_line(id));
    Decision::new(entry(source), Verdict::Included, "late_tool_result", detail)
}

pub(crate) fn first_message() -> Decision {
    let detail = "The history starts with an answer; a message of the user was put before it.";
    Decision::new(entry(None), Verdict::Included, "first_message_added", detail)
}

pub(crate) fn edit_without_effect(entry: Uuid, place: usize) -> Decision {
    let detail = format!(
        "The edit of block {place} has no effect: calls, thinking and what is not sent are not replaced."
    );
    left_out(Some(entry), "edit_without_effect", detail)
}
