//! Texts about hooks.

use std::path::Path;

use context_api::{
    AsyncHookResponse, HookAdditionalContext, HookBlockingError, HookCancelled, HookErrorDuringExecution,
    HookNonBlockingError, HookNotice, HookPermissionDecision, HookStoppedContinuation, HookSuccess,
    HookSystemMessage, ToolNames,
};
use context_text::display_path;

use super::line::{count, lines, one, quoted};

fn named(hook: &str, event: &str) -> String {
    match (hook.is_empty(), event.is_empty()) {
        (true, true) => "a hook".to_owned(),
        (true, false) => format!("a hook on {}", one(event)),
        (false, true) => format!("the hook {}", one(hook)),
        (false, false) => format!("the hook {} on {}", one(hook), one(event)),
    }
}

fn said(head: String, text: &str) -> String {
    if text.trim().is_empty() { head } else { format!("{head}\n{}", quoted(text)) }
}

pub(super) fn async_hook_response(it: &AsyncHookResponse, names: &ToolNames) -> String {
    if it.system_message.trim().is_empty() && it.additional_context.trim().is_empty() {
        return String::new();
    }
    let tool = it.tool.as_deref().map(|tool| format!(" (tool {})", one(tool))).unwrap_or_default();
    let head = format!("From {}{tool}, which ran in the background:", named(&it.hook, &it.event));
    let part = |text: &str| if text.trim().is_empty() { String::new() } else { quoted(text) };
    let rest = beginning(it.blob.as_deref(), it.bytes, names);
    lines(&[head, part(&it.system_message), part(&it.additional_context), rest])
}

pub(super) fn hook_success(it: &HookSuccess, names: &ToolNames) -> String {
    if it.content.trim().is_empty() {
        return String::new();
    }
    let head = format!("From {}:", named(&it.hook, &it.event));
    lines(&[said(head, &it.content), beginning(it.blob.as_deref(), it.bytes, names)])
}

/// What is said of a text of which only the beginning is shown.
fn beginning(blob: Option<&Path>, bytes: u64, names: &ToolNames) -> String {
    let size = count(bytes, "byte");
    match blob {
        Some(blob) => format!(
            "This is only the beginning; all of it ({size}) is in {}, read it with the tool {} if you need it.",
            display_path(blob),
            names.read
        ),
        None if bytes > 0 => format!("This is only the beginning; the rest of {size} was left out."),
        None => String::new(),
    }
}

pub(super) fn hook_additional_context(it: &HookAdditionalContext, names: &ToolNames) -> String {
    if it.content.trim().is_empty() {
        return String::new();
    }
    let head = format!("Context from {}:", named(&it.hook, &it.event));
    lines(&[said(head, &it.content), beginning(it.blob.as_deref(), it.bytes, names)])
}

pub(super) fn hook_blocking_error(it: &HookBlockingError, _: &ToolNames) -> String {
    said(format!("What was asked for was blocked by {}.", named(&it.hook, &it.event)), &it.reason)
}

pub(super) fn hook_stopped_continuation(it: &HookStoppedContinuation, _: &ToolNames) -> String {
    said(format!("The work was stopped by {}.", named(&it.hook, &it.event)), &it.reason)
}

fn notice(what: &str, it: &HookNotice) -> String {
    let code = it.exit_code.map(|code| format!(" (exit code {code})")).unwrap_or_default();
    said(format!("{}: {what}{code}.", named(&it.hook, &it.event)), &it.message)
}

pub(super) fn hook_non_blocking_error(it: &HookNonBlockingError, _: &ToolNames) -> String {
    notice("it failed, and the work goes on", it)
}

pub(super) fn hook_error_during_execution(it: &HookErrorDuringExecution, _: &ToolNames) -> String {
    notice("it could not be run", it)
}

pub(super) fn hook_cancelled(it: &HookCancelled, _: &ToolNames) -> String {
    notice("it was cancelled", it)
}

pub(super) fn hook_system_message(it: &HookSystemMessage, _: &ToolNames) -> String {
    notice("it says something to the user", it)
}

pub(super) fn hook_permission_decision(it: &HookPermissionDecision, _: &ToolNames) -> String {
    let hook = named(&it.hook, &it.event);
    said(format!("On the call {}, {hook} says: {}.", one(&it.tool_use_id), one(&it.behavior)), &it.reason)
}
