//! Files that changed on the disk since the model saw them.

use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    Attachment, ChangeKind, CollectError, Collector, Decision, Draft, EditedImageFile, EditedTextFile,
    FileChange, FileChanges, Ledger, Outbox, Stage, StateChange, Threads, TurnView, Verdict, Work,
};

use crate::paths::shown;
use crate::reads::{Looked, Reads};

/// Tells what changed in files that the model has seen whole. Memory files are told by [`crate::MemoryDeltaCollector`].
pub struct ChangedFilesCollector {
    changes: Arc<dyn FileChanges>,
    reads: Reads,
}

impl ChangedFilesCollector {
    /// A collector that asks `changes` on `threads`.
    pub fn new(changes: Arc<dyn FileChanges>, threads: Arc<dyn Threads>) -> Self {
        Self { changes, reads: Reads::new(threads) }
    }
}

#[async_trait]
impl Collector for ChangedFilesCollector {
    fn label(&self) -> &str {
        "changed_files"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    // What blocks is done by `Reads`; a session that has read nothing costs no thread.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        if turn.files.is_empty() {
            return Ok(());
        }
        let changes = Arc::clone(&self.changes);
        let subjects = vec![(turn.cwd.clone(), turn.files.clone())];
        let looked = self.reads.all(turn, subjects, move |states| changes.check(&states)).await;
        let report = match looked.into_iter().next().map(Looked::into_result) {
            Some(Ok(report)) => report,
            Some(Err(why)) => return Ok(out.decide(not_checked(&why))?),
            None => return Ok(()),
        };
        for decision in report.decisions {
            out.decide(decision)?;
        }
        for state in report.refreshed.into_iter().chain(report.removed.into_iter().map(StateChange::Remove)) {
            out.learn(state)?;
        }
        for change in report.changes.into_iter().filter(|change| !is_memory(turn, change)) {
            out.push(draft(turn, change))?;
        }
        Ok(())
    }
}

fn is_memory(turn: &TurnView, change: &FileChange) -> bool {
    turn.ledger.in_view(Ledger::MEMORY, &change.path.to_string_lossy()).is_some()
}

fn not_checked(why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = "Whether files changed on the disk was not looked up this turn.";
    Decision::new("changed_files", verdict, why.reason(), detail)
}

fn draft(turn: &TurnView, change: FileChange) -> Draft {
    let display = shown(&turn.cwd, &change.path);
    let attachment: Attachment = match (change.kind, change.content) {
        (ChangeKind::Image, Some(content)) => EditedImageFile::default()
            .path(change.path)
            .display_path(display)
            .content(content)
            .hash(change.hash)
            .into(),
        (kind, _) => EditedTextFile::default()
            .path(change.path)
            .display_path(display)
            .snippet(change.snippet)
            .regions_left_out(change.regions_left_out)
            .added(change.added)
            .removed(change.removed)
            .hash(change.hash)
            .withheld(kind == ChangeKind::Withheld)
            .into(),
    };
    let mut draft = Draft::new(attachment);
    draft.states = change.states;
    draft
}
