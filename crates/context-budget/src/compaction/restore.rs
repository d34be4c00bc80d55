//! What comes back behind a boundary.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Attachment, Entry, EntryKind, FileState, HistoryView, LineSpan, StateChange, StateKind};
use uuid::Uuid;

/// A file that the model had seen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecentFile {
    /// Its path.
    pub path: PathBuf,
    /// The lines that were seen last; `None` is all of it.
    pub lines: Option<LineSpan>,
    /// Whether its text can come back; a picture or document comes back by name.
    pub is_text: bool,
    /// Whether it is still shown by what stays.
    pub stays: bool,
}

/// Files that the history has shown, the newest first, each once. Memory is left out: it comes back in its own way. What
/// was removed since is left out too.
pub fn recent_files(history: &[Arc<Entry>], view: &HistoryView, kept: &[Uuid]) -> Vec<RecentFile> {
    let in_view: HashSet<Uuid> = view.entries.iter().map(|seen| seen.entry.uuid).collect();
    let kept: HashSet<&Uuid> = kept.iter().collect();
    let mut done: BTreeSet<&Path> = memory(history);
    let mut files = Vec::new();
    for entry in history.iter().rev() {
        for change in changes(entry).iter().rev() {
            match change {
                StateChange::Remove(path) => drop(done.insert(path)),
                StateChange::Put(state) if in_view.contains(&entry.uuid) && done.insert(&state.path) => {
                    files.push(recent(state, kept.contains(&entry.uuid)));
                }
                _ => {}
            }
        }
    }
    files
}

fn recent(state: &FileState, stays: bool) -> RecentFile {
    let is_text = state.kind == StateKind::Text;
    RecentFile { path: state.path.clone(), lines: state.lines, is_text, stays }
}

fn changes(entry: &Entry) -> &[StateChange] {
    match &entry.kind {
        EntryKind::ToolResult(result) => &result.states,
        EntryKind::Attachment(envelope) => &envelope.states,
        EntryKind::States(note) => &note.states,
        _ => &[],
    }
}

/// Paths of memory that was shown.
fn memory(history: &[Arc<Entry>]) -> BTreeSet<&Path> {
    let mut paths = BTreeSet::new();
    for entry in history {
        match &entry.kind {
            EntryKind::Context(record) => {
                paths.extend(record.memory.iter().flat_map(|shown| [shown.path.as_path(), &shown.canonical]));
            }
            EntryKind::Attachment(envelope) => match &envelope.attachment {
                Attachment::NestedMemory(_)
                | Attachment::MemoryDelta(_)
                | Attachment::RelevantMemories(_) => {
                    paths.extend(envelope.states.iter().filter_map(|change| match change {
                        StateChange::Put(state) => Some(state.path.as_path()),
                        _ => None,
                    }));
                }
                _ => {}
            },
            _ => {}
        }
    }
    paths
}
