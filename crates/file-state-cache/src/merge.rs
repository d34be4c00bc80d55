//! What comes back from a sub-agent.

use std::sync::Arc;

use context_api::{FileState, StateChange, StatesView};

/// The changes that bring `ours` up to what `theirs` saw later, the oldest read first, so that applying them in order
/// leaves the newest read used last. Of two reads of one file the newer wins; of two at the same time, ours. What they
/// forgot or saw vanish is no reason for us to forget it.
pub fn merge_changes(ours: &StatesView, theirs: &StatesView) -> Vec<StateChange> {
    let mut newer: Vec<&Arc<FileState>> = theirs
        .iter()
        .filter(|state| ours.get(&state.path).is_none_or(|known| known.read_at < state.read_at))
        .collect();
    newer.sort_by(|a, b| a.read_at.cmp(&b.read_at).then_with(|| a.path.cmp(&b.path)));
    newer.into_iter().map(|state| StateChange::Put(FileState::clone(state))).collect()
}
