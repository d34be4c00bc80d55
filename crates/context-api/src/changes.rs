//! Files that changed since the model saw them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::record::{record, words};
use crate::{Decision, FileContent, FileState, Fingerprint, ReadOutcome, StateChange, StatesView};

record! {
    /// One file that changed since the model saw it.
    pub struct FileChange {
        /// Path as in the state.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// What can be said of the change.
        pub kind: ChangeKind,
        /// The changed regions with line numbers, for the model; empty where only the counts are given.
        pub snippet: Arc<str>,
        /// Changed regions that are not, or not wholly, in the snippet.
        pub regions_left_out: u64,
        /// Lines added.
        pub added: u64,
        /// Lines removed.
        pub removed: u64,
        /// The new picture, where it is one.
        pub content: Option<FileContent>,
        /// Digest of the new content; empty where it must not be read.
        pub hash: String,
        /// What the model will have seen once the change is delivered. Belongs into the draft, so that it is reported once.
        pub states: Vec<StateChange>,
    }

    /// What a look at all files of a session found.
    pub struct ChangeReport {
        /// In byte order of the paths.
        pub changes: Vec<FileChange>,
        /// Files whose facts are new and whose content is not: nothing to tell the model.
        pub refreshed: Vec<StateChange>,
        /// Files that are gone: nothing to tell the model either, but an edit has to wait for a read.
        #[serde(with = "crate::path::list")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::path::Written>"))]
        pub removed: Vec<PathBuf>,
        /// Files that were left out, cut or could not be looked at, and why.
        pub decisions: Vec<Decision>,
    }
}

words! {
    /// What can be said of a change.
    pub enum ChangeKind {
        /// A text: regions, or counts where there is no room for them.
        Text,
        /// A picture: the new one.
        Image,
        /// A file that the policy does not allow to be read any more: only that it changed.
        Withheld,
        /// A document or a text that was too large to keep: only that it changed.
        Other,
    }
}

/// What a look at one file found.
#[derive(Debug, Clone, PartialEq)]
pub enum FileLook {
    /// Nothing to say.
    Same,
    /// The same bytes with these facts.
    Touched(Fingerprint),
    /// Nothing is there. It counts as removed only where a later look says so again: a program that writes it anew is not
    /// done yet.
    Gone,
    /// It may not be read any more.
    Withheld,
    /// It is different: what a reader shows of it, and what the model will have seen once it is told.
    Changed(Box<ReadOutcome>, Box<FileState>),
    /// It is left out or could not be looked at.
    Decided(Decision),
}

/// Answers: which of the files that the model has seen are different now?
///
/// Sync; called on threads that may block. Looking changes no state: each change says what the state will be once it is
/// delivered. Looks at single files are separate, so that one that hangs costs no other its notice; what they found is put
/// together once a turn.
pub trait FileChanges: Send + Sync + 'static {
    /// Looks at one file that was read whole. One that can not be looked at is a decision, never an error.
    fn look(&self, state: &FileState) -> FileLook;

    /// How long a file has to be [`FileLook::Gone`] to count as removed.
    fn second_look_after(&self) -> Duration;

    /// What the looks of one turn found, within what a turn has room for. The last look at a file counts. Touches no file.
    fn report(&self, looks: Vec<(Arc<FileState>, FileLook)>) -> ChangeReport;

    /// Looks at each whole-read file among `states`, one after the other, and a second time at those that are gone.
    fn check(&self, states: &StatesView) -> ChangeReport {
        let whole = states.iter().filter(|state| state.is_whole());
        let mut looks: Vec<_> = whole.map(|state| (Arc::clone(state), self.look(state))).collect();
        let is_gone = |look: &FileLook| matches!(look, FileLook::Gone);
        if looks.iter().any(|(_, look)| is_gone(look)) {
            std::thread::sleep(self.second_look_after());
            looks
                .iter_mut()
                .filter(|(_, look)| is_gone(look))
                .for_each(|(state, look)| *look = self.look(state));
        }
        self.report(looks)
    }
}

impl<T: FileChanges + ?Sized> FileChanges for Arc<T> {
    fn look(&self, state: &FileState) -> FileLook {
        (**self).look(state)
    }
    fn second_look_after(&self) -> Duration {
        (**self).second_look_after()
    }
    fn report(&self, looks: Vec<(Arc<FileState>, FileLook)>) -> ChangeReport {
        (**self).report(looks)
    }
    fn check(&self, states: &StatesView) -> ChangeReport {
        (**self).check(states)
    }
}
