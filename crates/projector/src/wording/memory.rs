//! Texts about memory.

use context_api::{CurrentSessionMemory, MemoryDelta, MemoryKind, NestedMemory, RelevantMemory, ToolNames};
use context_text::display_path;

use super::line::{flat, lines, path};

fn whose(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Managed => "the organisation's instructions",
        MemoryKind::User => "the user's own instructions for all projects",
        MemoryKind::Project => "instructions of the project, checked in",
        MemoryKind::Local => "the user's own instructions for this project",
        MemoryKind::AutoMem => "notes that were taken in earlier sessions",
        MemoryKind::TeamMem => "what the team shares",
        _ => "instructions",
    }
}

pub(super) fn nested_memory(it: &NestedMemory, _: &ToolNames) -> String {
    if it.text.trim().is_empty() {
        return String::new();
    }
    // The path as the walk found it, so that the model can tell it from others of its name.
    let unnamed = it.path.as_os_str().is_empty();
    let shown = if unnamed { path(&it.display_path, &it.path) } else { display_path(&it.path) };
    format!("Contents of {shown}:\n\n{}", it.text)
}

pub(super) fn memory_delta(it: &MemoryDelta, _: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.path);
    let whose = whose(it.kind);
    if it.removed {
        return format!("{shown} ({whose}) is gone from the disk: what it said holds no longer.");
    }
    let head = if it.is_difference {
        format!("{shown} ({whose}) changed on the disk. The difference, which holds from now on:")
    } else {
        format!(
            "{shown} ({whose}) changed on the disk. Its new contents, which hold instead of the earlier ones:"
        )
    };
    lines(&[head, String::new(), it.text.to_string()])
}

pub(super) fn relevant_memory(it: &RelevantMemory) -> String {
    if it.text.trim().is_empty() {
        return String::new();
    }
    let head = match it.header.is_empty() {
        true => format!("A memory that may matter here, {}:", display_path(&it.path)),
        false => flat(&it.header),
    };
    format!("{head}\n\n{}", it.text)
}

pub(super) fn current_session_memory(it: &CurrentSessionMemory, _: &ToolNames) -> String {
    if it.text.trim().is_empty() {
        return String::new();
    }
    format!("Notes of this session so far, kept in {}:\n\n{}", display_path(&it.path), it.text)
}
