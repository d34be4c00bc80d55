//! Files that changed since the model saw them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::record::{record, words};
use crate::{Decision, FileContent, StateChange, StatesView};

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

/// Answers: which of the files that the model has seen are different now?
///
/// Sync; called on threads that may block, once a turn. Looking changes no state: each change says what the state will be
/// once it is delivered. Files that were read in part are not looked at.
pub trait FileChanges: Send + Sync + 'static {
    /// Looks at each whole-read file among `states`. A file that can not be looked at is a decision, never an error.
    fn check(&self, states: &StatesView) -> ChangeReport;
}

impl<T: FileChanges + ?Sized> FileChanges for Arc<T> {
    fn check(&self, states: &StatesView) -> ChangeReport {
        (**self).check(states)
    }
}
