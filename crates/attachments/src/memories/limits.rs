//! Limits of relevant memories.

use std::time::Duration;

/// Limits of relevant memories.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RelevantLimits {
    /// Memories of one search; with 0 none are looked for. Default 5.
    pub files: usize,
    /// Lines of one memory. Default 200.
    pub lines: usize,
    /// Bytes of one memory. Default 4,096.
    pub bytes: usize,
    /// Bytes of all of them in a session, until a boundary. Default 61,440 (60 KiB).
    pub session_bytes: u64,
    /// Characters of a text in a script without spaces that are no more than one word. Default 4.
    pub word_chars: usize,
    /// Files and directories that are listed. Default 5,000.
    pub listed: usize,
    /// Directories below that of the notes. Default 3 deep.
    pub depth: usize,
    /// Memories whose heads are read, the newest first. Default 200.
    pub candidates: usize,
    /// Bytes of a head. Default 4,096: a frontmatter and some lines.
    pub head_bytes: u64,
    /// Lines behind the frontmatter that belong to a header. Default 10.
    pub first_lines: usize,
    /// Characters of them. Default 500.
    pub first_chars: usize,
    /// Bytes of a file that is read at all. Default 1,048,576 (1 MiB).
    pub file_bytes: u64,
    /// How long a search may stand at the disk before other searches no longer wait behind it. Default 2 s.
    pub disk_wait: Duration,
    /// How long a selector may take before the words decide. Default 5 s: a small model answers in one or two.
    pub selector_wait: Duration,
    /// How soon a word that is repeated counts no more (k1 of BM25). Default 1.2, the usual one.
    pub saturation: f64,
    /// How much long headers are held back (b of BM25). Default 0.75, the usual one.
    pub length: f64,
    /// How often a word of name or description counts. Default 3.
    pub title: u32,
    /// Distinct words of the first lines that make a memory fit whose name and description share none. Default 2.
    pub least_words: usize,
}

impl Default for RelevantLimits {
    fn default() -> Self {
        Self {
            files: 5,
            lines: 200,
            bytes: 4_096,
            session_bytes: 60 * 1024,
            word_chars: 4,
            listed: 5_000,
            depth: 3,
            candidates: 200,
            head_bytes: 4_096,
            first_lines: 10,
            first_chars: 500,
            file_bytes: 1024 * 1024,
            disk_wait: Duration::from_secs(2),
            selector_wait: Duration::from_secs(5),
            saturation: 1.2,
            length: 0.75,
            title: 3,
            least_words: 2,
        }
    }
}
