//! The states in order of use, and their bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Decision, FileState, Fingerprint, StatesView};
use lru::LruCache;

use crate::{StateLimits, wording};

/// Bounded by two limits at once. Everything here runs under the cache's lock.
#[derive(Clone)]
pub(crate) struct Store {
    limits: StateLimits,
    states: LruCache<PathBuf, Arc<FileState>>,
    bytes: usize,
    view: Option<StatesView>,
}

impl Store {
    pub(crate) fn new(limits: StateLimits) -> Self {
        Self { limits, states: LruCache::unbounded(), bytes: 0, view: None }
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Arc<FileState>> {
        self.states.peek(path)
    }

    /// `state` has a normalised path. It is the newest afterwards, and there whatever its size.
    pub(crate) fn put(&mut self, state: FileState) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let state = self.after_earlier(self.bounded(state, &mut decisions));
        self.view = None;
        self.bytes += size(&state);
        if let Some((_, replaced)) = self.states.push(state.path.clone(), Arc::new(state)) {
            self.bytes -= size(&replaced);
        }
        self.shrink(&mut decisions);
        decisions
    }

    pub(crate) fn remove(&mut self, path: &Path) {
        if let Some(gone) = self.states.pop(path) {
            self.view = None;
            self.bytes -= size(&gone);
        }
    }

    pub(crate) fn refresh(&mut self, path: &Path, fingerprint: Fingerprint) {
        if let Some(state) = self.states.peek_mut(path) {
            self.view = None;
            Arc::make_mut(state).fingerprint = fingerprint;
        }
    }

    /// Made once for each state of the cache.
    pub(crate) fn view(&mut self) -> StatesView {
        let states = &self.states;
        self.view
            .get_or_insert_with(|| StatesView::new(states.iter().map(|(_, state)| state.clone())))
            .clone()
    }

    /// Content beyond the whole cache would push out everything else and still not fit.
    fn bounded(&self, mut state: FileState, decisions: &mut Vec<Decision>) -> FileState {
        if size(&state) > self.limits.bytes {
            decisions.push(wording::content_dropped(&state.path, size(&state), self.limits.bytes));
            state.content = None;
        }
        state
    }

    /// Who has seen the whole file and now looks at a part of it still has seen the whole, as long as it is the same file.
    fn after_earlier(&self, state: FileState) -> FileState {
        match self.get(&state.path) {
            Some(earlier) if covers(earlier, &state) => {
                FileState::clone(earlier).fingerprint(state.fingerprint).read_at(state.read_at)
            }
            _ => state,
        }
    }

    fn shrink(&mut self, decisions: &mut Vec<Decision>) {
        while self.states.len() > 1 && self.is_over() {
            let Some((path, gone)) = self.states.pop_lru() else { return };
            self.bytes -= size(&gone);
            decisions.push(wording::evicted(&path, size(&gone)));
        }
    }

    fn is_over(&self) -> bool {
        self.states.len() > self.limits.entries || self.bytes > self.limits.bytes
    }

    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

fn covers(earlier: &FileState, state: &FileState) -> bool {
    earlier.is_whole() && !state.is_whole() && !state.hash.is_empty() && earlier.hash == state.hash
}

fn size(state: &FileState) -> usize {
    state.content.as_ref().map_or(0, |content| content.len())
}
