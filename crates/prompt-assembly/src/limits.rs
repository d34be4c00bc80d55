//! The numbers of this crate.

/// What bounds a request's cache marks and what a report says about a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Cache breakpoints of one request. Default 4, the most that the Anthropic Messages API takes.
    pub cache_marks: usize,
    /// Characters of text that a report quotes on each side of a difference. Default 60: a line of a terminal.
    pub quote_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { cache_marks: 4, quote_chars: 60 }
    }
}
