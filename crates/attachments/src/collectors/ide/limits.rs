//! Limits of what comes from an editor.

/// Limits of what comes from an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdeLimits {
    /// Characters of a selection that are shown. Default 2,000: a long selection stands in a file that can be read.
    pub selection_chars: usize,
    /// Problems that one request tells, of all files together; those beyond come with the next one. Default 100.
    pub problems: usize,
    /// Characters of a problem's message. Default 4,000.
    pub message_chars: usize,
}

impl Default for IdeLimits {
    fn default() -> Self {
        Self { selection_chars: 2_000, problems: 100, message_chars: 4_000 }
    }
}
