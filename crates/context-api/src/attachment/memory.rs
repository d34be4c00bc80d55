//! Payloads about memory.

use std::path::PathBuf;
use std::sync::Arc;

use crate::MemoryKind;
use crate::record::record;

record! {
    /// A memory file that changed after it was shown.
    #[derive(Eq)]
    pub struct MemoryDelta {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// Whose instructions.
        pub kind: MemoryKind,
        /// Its new text, or the difference; empty when it is gone.
        pub text: Arc<str>,
        /// Whether `text` is a difference.
        pub is_difference: bool,
        /// Whether the file is gone.
        pub removed: bool,
        /// Digest of the new text on the disk.
        pub hash: String,
    }

    /// Memory that holds for a path touched this turn.
    #[derive(Eq)]
    pub struct NestedMemory {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// Whose instructions.
        pub kind: MemoryKind,
        /// The text.
        pub text: Arc<str>,
        /// The touched path that brought it.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub trigger: PathBuf,
        /// Patterns of a conditional rule.
        pub globs: Vec<String>,
        /// The file that includes this one.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub parent: Option<PathBuf>,
        /// Digest of the text on the disk.
        pub hash: String,
        /// Whether the text differs from the disk.
        pub content_differs_from_disk: bool,
    }

    /// Memories that match the input.
    #[derive(Eq)]
    pub struct RelevantMemories {
        /// The memories.
        pub memories: Vec<RelevantMemory>,
    }

    /// One memory that matches the input.
    #[derive(Eq)]
    pub struct RelevantMemory {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// What stands above it, fixed when it was made.
        pub header: String,
        /// The text, cut to the limit with a note.
        pub text: Arc<str>,
        /// Its size in bytes.
        pub bytes: u64,
    }

    /// The session's memory file grew.
    #[derive(Eq)]
    pub struct CurrentSessionMemory {
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// Its text.
        pub text: Arc<str>,
        /// Its length in characters.
        pub chars: u64,
    }
}
