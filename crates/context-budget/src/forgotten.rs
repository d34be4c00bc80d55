//! Files that a model no longer sees.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use context_api::{Attachment, DeliveryKey, EntryKind, HistoryView, SeenEntry, StateChange, ViewEdit};
use uuid::Uuid;

/// The files whose content goes out of view with `edits`: what showed each of them last is cleared, put aside, dropped or
/// folded. The model has to read them again before it may edit them, and naming them shows them again.
pub fn forgotten(view: &HistoryView, edits: &[ViewEdit]) -> Vec<StateChange> {
    let (mut results, mut entries): (HashSet<&str>, HashSet<Uuid>) = (HashSet::new(), HashSet::new());
    for edit in edits {
        match edit {
            ViewEdit::ReplaceResult { tool_use_id, .. } => drop(results.insert(tool_use_id)),
            ViewEdit::ReplaceBlock { entry, .. } => drop(entries.insert(*entry)),
            ViewEdit::Drop { entries: gone, .. } | ViewEdit::Fold { entries: gone, .. } => {
                entries.extend(gone)
            }
            _ => {}
        }
    }
    if results.is_empty() && entries.is_empty() {
        return Vec::new();
    }
    let mut last: BTreeMap<&Path, bool> = BTreeMap::new();
    for seen in &view.entries {
        let gone = entries.contains(&seen.entry.uuid)
            || matches!(&seen.entry.kind, EntryKind::ToolResult(it) if results.contains(it.block.tool_use_id.as_str()));
        for path in shown(seen) {
            last.insert(path, gone);
        }
    }
    let gone = last.into_iter().filter(|(_, gone)| *gone);
    gone.map(|(path, _)| StateChange::Remove(path.to_path_buf())).collect()
}

/// What was announced with attachments that `edits` fold, and is to be told anew where it comes up again: resources and
/// memory of touched paths. Memories that were searched for are not: each search would find them again.
pub fn untold(view: &HistoryView, edits: &[ViewEdit]) -> Vec<DeliveryKey> {
    let folded = edits.iter().filter_map(|edit| match edit {
        ViewEdit::Fold { entries, .. } => Some(entries),
        _ => None,
    });
    let folded: HashSet<&Uuid> = folded.flatten().collect();
    let gone = view.entries.iter().filter(|seen| folded.contains(&seen.entry.uuid));
    let keys = gone.filter_map(|seen| match &seen.entry.kind {
        EntryKind::Attachment(envelope) => match envelope.attachment {
            Attachment::McpResource(_) | Attachment::NestedMemory(_) => Some(&envelope.keys),
            _ => None,
        },
        _ => None,
    });
    keys.flatten().map(|key| DeliveryKey::retract(&key.kind, &key.key)).collect()
}

fn shown(seen: &SeenEntry) -> impl Iterator<Item = &Path> {
    let states = match &seen.entry.kind {
        EntryKind::ToolResult(result) => result.states.as_slice(),
        EntryKind::Attachment(envelope) => &envelope.states,
        _ => &[],
    };
    states.iter().filter_map(|change| match change {
        StateChange::Put(state) => Some(state.path.as_path()),
        _ => None,
    })
}
