//! Limits of what hooks say.

/// Limits of what hooks say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookLimits {
    /// Characters of one text of a hook (added context, output, message, reason) that come whole. Default 10,000: what hooks
    /// are documented to get. Of a longer one a preview stays where the whole can be put aside, else so much of it.
    pub text_chars: usize,
    /// Characters of the preview that stands for a longer one where the whole lies in a blob. Default 2,000.
    pub preview_chars: usize,
}

impl Default for HookLimits {
    fn default() -> Self {
        Self { text_chars: 10_000, preview_chars: 2_000 }
    }
}
