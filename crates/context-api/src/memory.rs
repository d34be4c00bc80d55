//! Memory files: texts that tell a model how to work here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::record::{record, words};
use crate::{Decision, Fingerprint};

words! {
    /// Whose instructions a memory file holds, from the lowest to the highest place in the text.
    #[derive(PartialOrd, Ord)]
    pub enum MemoryKind {
        /// Policy of the organisation.
        Managed,
        /// The user's own, for all projects.
        User,
        /// The project's, checked in.
        Project,
        /// The user's own, for this project.
        Local,
        /// What the agent noted by itself.
        AutoMem,
        /// What a team shares.
        TeamMem,
    }
}

record! {
    /// One memory file as it is shown.
    pub struct MemoryFile {
        /// Absolute path in the spelling that the walk found.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// Whose instructions.
        pub kind: MemoryKind,
        /// The text shown: comments, frontmatter and trailing blank space off, cut where a note says so.
        pub text: Arc<str>,
        /// The file that includes this one.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub parent: Option<PathBuf>,
        /// Patterns of a rule that holds for some paths only; empty for all others.
        pub globs: Vec<String>,
        /// Whether it lies in a directory of rules, or such a file includes it.
        pub is_rule: bool,
        /// Whether `text` differs from the bytes on the disk.
        pub content_differs_from_disk: bool,
        /// The text on the disk, where it differs.
        pub raw: Option<Arc<str>>,
        /// Canonical path: the file's identity.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub canonical: PathBuf,
        /// Facts of the file when it was read.
        pub fingerprint: Fingerprint,
        /// Digest of the text on the disk.
        pub hash: String,
    }

    /// An include outside the project that waits for the user's word.
    #[derive(Eq)]
    pub struct PendingInclude {
        /// What is to be included.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The file that asks for it.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub from: PathBuf,
    }

    /// What came of a load.
    pub struct MemoryLoad {
        /// In the order in which they are shown.
        pub files: Vec<MemoryFile>,
        /// Includes that wait for approval.
        pub pending: Vec<PendingInclude>,
        /// Everything that was left out or cut, and why.
        pub decisions: Vec<Decision>,
    }

    /// Where a session stands, as far as memory is concerned.
    #[derive(Eq)]
    pub struct MemoryScope {
        /// The session's first working directory, absolute, as given (links not resolved).
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub cwd: PathBuf,
        /// Further directories of the session.
        #[serde(with = "crate::path::list")]
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::path::Written>"))]
        pub additional_directories: Vec<PathBuf>,
        /// Whether includes outside the project were approved (`true`) or refused (`false`) by the user.
        pub includes_approved: Option<bool>,
    }
}

/// Answers: which instructions hold for this session, and which for this path?
///
/// Sync; called on threads that may block. One loader is shared by all sessions of an engine and may cache by
/// fingerprint; the result for one tree is the same on every machine and in every locale. A file that can not be read is a
/// decision in the load, never an error.
pub trait MemoryLoader: Send + Sync + 'static {
    /// What holds from the start of a session.
    ///
    /// # Errors
    /// The working directory itself can not be used.
    fn load(&self, scope: &MemoryScope) -> Result<MemoryLoad, MemoryError>;

    /// What holds for `path` beyond [`MemoryLoader::load`], the nearest last, whether shown before or not.
    ///
    /// # Errors
    /// The working directory itself can not be used.
    fn load_for_path(&self, scope: &MemoryScope, path: &Path) -> Result<MemoryLoad, MemoryError>;

    /// The files as one text for the first message; empty when there are none.
    fn render(&self, files: &[MemoryFile]) -> String;

    /// Where the agent's own notes about the project lie, of which those that match are shown when they matter; `None` where
    /// they are not wanted. Whether anything is there is not asked.
    fn notes_dir(&self, _: &MemoryScope) -> Option<PathBuf> {
        None
    }

    /// Forgets what was cached.
    fn forget(&self) {}
}

/// Memory that could not be loaded at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The working directory is no absolute path.
    #[error("the working directory {path} is not absolute", path = .path.display())]
    RelativeCwd {
        /// The path given.
        path: PathBuf,
    },
    /// Something else stands in the way.
    #[error("memory of {path}: {reason}", path = .path.display())]
    Other {
        /// The path at fault.
        path: PathBuf,
        /// One sentence.
        reason: String,
    },
}
