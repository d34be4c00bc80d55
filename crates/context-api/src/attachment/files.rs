//! Payloads about files and resources.

use std::path::PathBuf;
use std::sync::Arc;

use crate::record::record;
use crate::{FileContent, Fingerprint, LineSpan, MediaSource};

record! {
    /// A file that the input names.
    pub struct FileAttachment {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown: relative to the working directory where it lies below it, safe to print.
        pub display_path: String,
        /// Lines asked for.
        pub lines: Option<LineSpan>,
        /// What the model gets to see.
        pub content: FileContent,
        /// Facts of the file when it was read.
        pub fingerprint: Fingerprint,
        /// Digest of the whole content.
        pub hash: String,
    }

    /// A file that the input names and the model has.
    #[derive(Eq)]
    pub struct AlreadyReadFile {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
    }

    /// A file that was read before a compaction and is too large to come back.
    #[derive(Eq)]
    pub struct CompactFileReference {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
    }

    /// A PDF that is named and has to be read by page range.
    #[derive(Eq)]
    pub struct PdfReference {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// Pages, where known.
        pub pages: Option<u64>,
        /// Size in bytes.
        pub size: u64,
        /// Why it can not be read at all (encrypted, broken); empty otherwise.
        pub problem: String,
    }

    /// A directory that the input names.
    #[derive(Eq)]
    pub struct DirectoryAttachment {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// Names in byte order, directories ending in `/`.
        pub entries: Vec<String>,
        /// Entries beyond the limit.
        pub left_out: u64,
    }

    /// A resource of an MCP server that the input names.
    #[derive(Eq)]
    pub struct McpResource {
        /// The server.
        pub server: String,
        /// The resource.
        pub uri: String,
        /// Its name, where it has one.
        pub name: String,
        /// Its text parts, cut where `note` says so.
        pub texts: Vec<Arc<str>>,
        /// Its pictures.
        pub images: Vec<MediaSource>,
        /// What was cut, and binary parts by name.
        pub note: String,
    }

    /// A whole-read file that changed on the disk.
    #[derive(Eq)]
    pub struct EditedTextFile {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// The changed regions with line numbers; empty where only counts are given.
        pub snippet: Arc<str>,
        /// Regions that are not in the snippet.
        pub regions_left_out: u64,
        /// Lines added.
        pub added: u64,
        /// Lines removed.
        pub removed: u64,
        /// Digest of the new content.
        pub hash: String,
        /// Whether the policy forbids to show more than the name.
        pub withheld: bool,
    }

    /// A picture that changed on the disk.
    pub struct EditedImageFile {
        /// Canonical path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// The new picture.
        pub content: FileContent,
        /// Digest of the new content.
        pub hash: String,
    }
}
