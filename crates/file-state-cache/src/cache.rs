//! The file states of one session.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use context_api::{Decision, EditRefusal, FileStates, Fingerprint, StateChange, StatesView};

use crate::store::Store;
use crate::{StateLimits, merge_changes, normalise_path};

/// The file states of one session, or of one agent in it.
///
/// Bounded as [`StateLimits`] says, in strict order of use: [`StateChange::Put`] counts as use, nothing else does. The state
/// just put in never goes; one whose content is larger than the whole cache keeps fingerprint and hash only. A part of a
/// file that was seen whole, with the same hash, leaves it seen whole.
pub struct FileStateCache(Mutex<Store>);

impl FileStateCache {
    /// An empty one.
    pub fn new(limits: StateLimits) -> Self {
        Self(Mutex::new(Store::new(limits)))
    }

    /// Takes over what another copy saw later than this one ([`merge_changes`]); returns what had to go for it.
    pub fn merge(&self, theirs: &StatesView) -> Vec<Decision> {
        let changes = merge_changes(&self.view(), theirs);
        changes.iter().flat_map(|change| self.apply(change)).collect()
    }

    /// A panic elsewhere leaves the store whole: each of its methods changes it only after everything that can fail.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FileStateCache {
    fn default() -> Self {
        Self::new(StateLimits::default())
    }
}

impl Clone for FileStateCache {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.store().clone()))
    }
}

impl std::fmt::Debug for FileStateCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileStateCache").field("states", &self.view().len()).finish_non_exhaustive()
    }
}

impl FileStates for FileStateCache {
    fn apply(&self, change: &StateChange) -> Vec<Decision> {
        match change {
            StateChange::Put(state) => {
                let path = normalise_path(&state.path);
                return self.store().put(state.clone().path(path));
            }
            StateChange::Remove(path) => self.store().remove(&normalise_path(path)),
            StateChange::Refresh { path, fingerprint } => {
                self.store().refresh(&normalise_path(path), *fingerprint);
            }
            // A kind of change that this version does not know changes nothing it knows of.
            _ => {}
        }
        Vec::new()
    }

    fn view(&self) -> StatesView {
        self.store().view()
    }

    fn may_edit(&self, path: &Path, now: Option<&Fingerprint>) -> Result<(), EditRefusal> {
        let path = normalise_path(path);
        let store = self.store();
        let state = store.get(&path).ok_or(EditRefusal::NeverRead)?;
        if !state.is_whole() {
            return Err(EditRefusal::PartView);
        }
        if now != Some(&state.fingerprint) {
            return Err(EditRefusal::ChangedSince);
        }
        Ok(())
    }

    fn fork(&self) -> Arc<dyn FileStates> {
        Arc::new(self.clone())
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
