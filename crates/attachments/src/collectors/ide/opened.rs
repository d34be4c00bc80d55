//! The file in focus.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, DeliveryKey, Draft, FileSystem, OpenedFileInIde, Outbox, ReadPolicy, Stage,
    Threads, TurnView, Work,
};

use super::guard::Guard;
use super::selection::selected;
use crate::paths::shown;

/// Kind of the ledger's key for the file that was told last.
const KIND: &str = "opened_file_in_ide";

/// Names the file that the editor has in focus, once as long as it stays there, where nothing of it is selected. Memory for
/// it follows by itself, since the bus takes the file for touched.
pub struct OpenedFileCollector {
    guard: Guard,
}

impl OpenedFileCollector {
    /// A collector that names what `policy` allows of `files`.
    pub fn new(files: Arc<dyn FileSystem>, policy: Arc<dyn ReadPolicy>, threads: Arc<dyn Threads>) -> Self {
        Self { guard: Guard::new(files, policy, threads) }
    }
}

#[async_trait]
impl Collector for OpenedFileCollector {
    fn label(&self) -> &str {
        KIND
    }

    fn stage(&self) -> Stage {
        Stage::MainThread
    }

    // The disk is looked at by the guard, on threads of the engine.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let Some(path) = in_focus(turn).filter(|_| selected(turn).is_none()) else { return Ok(()) };
        let name = path.to_string_lossy().into_owned();
        if turn.ledger.in_view(KIND, "").is_some_and(|told| told.hash == name) {
            return Ok(());
        }
        if let Some(refusal) = self.guard.refusal(turn, &path).await {
            return Ok(out.decide(refusal)?);
        }
        let payload = OpenedFileInIde::default()
            .ide(turn.host.ide.name.clone())
            .display_path(shown(&turn.cwd, &path))
            .path(path);
        Ok(out.push(Draft::new(payload).key(DeliveryKey::new(KIND, "", name)))?)
    }
}

/// The file in focus; that of an empty selection where the host names no other.
fn in_focus(turn: &TurnView) -> Option<PathBuf> {
    let ide = &turn.host.ide;
    let path = ide.opened_file.as_ref().or(ide.selection.as_ref().map(|selection| &selection.path))?;
    (!path.as_os_str().is_empty()).then(|| turn.cwd.join(path))
}
