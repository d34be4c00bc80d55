//! Files that changed on the disk since the model saw them.

use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    Attachment, ChangeKind, ChangeReport, CollectError, Collector, Decision, Draft, EditedImageFile,
    EditedTextFile, FileChange, FileChanges, FileLook, FileState, Ledger, Outbox, Stage, StateChange,
    Threads, TurnView, Verdict, Work, path_key,
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
        let whole: Vec<Arc<FileState>> =
            turn.files.iter().filter(|state| state.is_whole()).cloned().collect();
        if whole.is_empty() {
            return Ok(());
        }
        let mut looks = self.look(turn, whole, out).await?;
        let gone = looks.extract_if(.., |(_, look)| *look == FileLook::Gone).map(|(state, _)| state);
        let gone: Vec<Arc<FileState>> = gone.collect();
        if !gone.is_empty() {
            // A program that writes a file anew may have removed it a moment ago.
            self.reads.pause(self.changes.second_look_after()).await;
            looks.extend(self.look(turn, gone, out).await?);
        }
        let Some(report) = self.report(turn, looks, out).await? else { return Ok(()) };
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

type Looks = Vec<(Arc<FileState>, FileLook)>;

impl ChangedFilesCollector {
    /// What stands at the paths of the states now. A file that does not answer is a decision and costs no other anything.
    async fn look(
        &self,
        turn: &TurnView,
        states: Vec<Arc<FileState>>,
        out: &Outbox,
    ) -> Result<Looks, CollectError> {
        let changes = Arc::clone(&self.changes);
        let subjects = states.iter().map(|state| (state.path.clone(), Arc::clone(state))).collect();
        let looked =
            self.reads.relay(turn, subjects, move |state: &Arc<FileState>| changes.look(state)).await;
        let mut looks = Vec::with_capacity(states.len());
        for (state, looked) in states.into_iter().zip(looked) {
            match looked.into_result() {
                Ok(look) => looks.push((state, look)),
                Err(why) => out.decide(not_checked(shown(&turn.cwd, &state.path), &why))?,
            }
        }
        Ok(looks)
    }

    async fn report(
        &self,
        turn: &TurnView,
        looks: Looks,
        out: &Outbox,
    ) -> Result<Option<ChangeReport>, CollectError> {
        let changes = Arc::clone(&self.changes);
        // Differences of long files take their time, which is not the host's runtime's.
        if looks.iter().all(|(_, look)| !matches!(look, FileLook::Changed(..))) {
            return Ok(Some(changes.report(looks)));
        }
        let subjects = vec![(turn.cwd.clone(), looks)];
        let looked = self.reads.all(turn, subjects, move |looks| changes.report(looks)).await;
        match looked.into_iter().next().map(Looked::into_result) {
            Some(Ok(report)) => Ok(Some(report)),
            Some(Err(why)) => {
                out.decide(not_checked("changed_files".to_owned(), &why))?;
                Ok(None)
            }
            None => Ok(None),
        }
    }
}

fn is_memory(turn: &TurnView, change: &FileChange) -> bool {
    turn.ledger.in_view(Ledger::MEMORY, &path_key(&change.path)).is_some()
}

fn not_checked(subject: String, why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = "Whether it changed on the disk was not looked up this turn.";
    Decision::new(subject, verdict, why.reason(), detail)
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
