//! Payloads about the editor.

use std::path::PathBuf;

use crate::FileDiagnostics;
use crate::record::record;

record! {
    /// A selection in the IDE.
    #[derive(Eq)]
    pub struct SelectedLinesInIde {
        /// The IDE's name.
        pub ide: String,
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// First line, 1-based.
        pub start_line: u64,
        /// Last line, inclusive.
        pub end_line: u64,
        /// The text, cut to the limit.
        pub text: String,
        /// Characters that were cut.
        pub cut: u64,
    }

    /// A file in focus.
    #[derive(Eq)]
    pub struct OpenedFileInIde {
        /// The IDE's name.
        pub ide: String,
        /// The file.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
    }

    /// Problems that are new since they were last delivered.
    #[derive(Eq)]
    pub struct DiagnosticsAttachment {
        /// By file.
        pub files: Vec<FileDiagnostics>,
        /// Problems beyond the limit.
        pub left_out: u64,
    }
}
