//! A selection in the editor.

use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    CollectError, Collector, Decision, DeliveryKey, Draft, FileSystem, IdeSelection, Outbox, ReadPolicy,
    SelectedLinesInIde, Stage, Threads, TurnView, Work,
};
use context_text::{content_hash, cut_chars};

use super::IdeLimits;
use super::guard::Guard;
use crate::paths::shown;

/// Kind of the ledger's key for the selection that was told last.
const KIND: &str = "selected_lines_in_ide";

/// Shows what is selected in the editor, once as long as it stays selected.
pub struct SelectionCollector {
    guard: Guard,
    limits: IdeLimits,
}

impl SelectionCollector {
    /// A collector that shows what `policy` allows of `files`.
    pub fn new(
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
        limits: IdeLimits,
    ) -> Self {
        Self { guard: Guard::new(files, policy, threads), limits }
    }
}

#[async_trait]
impl Collector for SelectionCollector {
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
        let Some(selection) = selected(turn) else { return Ok(()) };
        let path = turn.cwd.join(&selection.path);
        let hash = digest(selection);
        if turn.ledger.in_view(KIND, "").is_some_and(|told| told.hash == hash) {
            return Ok(());
        }
        if let Some(refusal) = self.guard.refusal(turn, &path).await {
            return Ok(out.decide(refusal)?);
        }
        let text = cut_chars(&selection.text, self.limits.selection_chars);
        let cut = selection.text[text.len()..].chars().count() as u64;
        let display = shown(&turn.cwd, &path);
        if cut > 0 {
            out.decide(shortened(&display, selection.text.len() - text.len(), cut))?;
        }
        let payload = SelectedLinesInIde::default()
            .ide(turn.host.ide.name.clone())
            .path(path)
            .display_path(display)
            .start_line(selection.start_line)
            .end_line(selection.end_line)
            .text(text)
            .cut(cut);
        Ok(out.push(Draft::new(payload).key(DeliveryKey::new(KIND, "", hash)))?)
    }
}

/// The selection, where something is selected.
pub(super) fn selected(turn: &TurnView) -> Option<&IdeSelection> {
    turn.host.ide.selection.as_ref().filter(|selection| !selection.text.trim().is_empty())
}

fn digest(selection: &IdeSelection) -> String {
    let IdeSelection { path, start_line, end_line, text, .. } = selection;
    content_hash(format!("{}\0{start_line}\0{end_line}\0{text}", path.to_string_lossy()).as_bytes())
}

fn shortened(display: &str, bytes: usize, cut: u64) -> Decision {
    let detail = format!("The selection is long; its last {cut} characters are not shown.");
    Decision::cut(display, "selection_cut", detail).bytes(bytes as u64)
}
