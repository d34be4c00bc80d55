//! File states of an engine that has no part for them.

use std::path::Path;
use std::sync::Arc;

use context_api::{Decision, EditRefusal, FileStates, Fingerprint, StateChange, StatesView};

/// Remembers nothing: every file counts as never read.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStates;

impl FileStates for NoStates {
    fn apply(&self, _: &StateChange) -> Vec<Decision> {
        Vec::new()
    }

    fn view(&self) -> StatesView {
        StatesView::default()
    }

    fn may_edit(&self, _: &Path, _: Option<&Fingerprint>) -> Result<(), EditRefusal> {
        Err(EditRefusal::NeverRead)
    }

    fn fork(&self) -> Arc<dyn FileStates> {
        Arc::new(Self)
    }
}
