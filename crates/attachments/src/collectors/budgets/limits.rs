//! When the fill of the context is worth a word.

/// When the fill of the context is worth a word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextLimits {
    /// Part of the window less the output reserve at which the history is compacted, percent. Default 80, as for compaction.
    pub compact_percent: u64,
    /// Tokens kept for the answer. Default 20,000, as for compaction.
    pub output_reserve: u64,
    /// How far below that threshold the model is told, percent of it. Default 10.
    pub near_percent: u64,
    /// Tokens by which the context has to grow between two notes on its efficiency. Default 20,000.
    pub growth: u64,
    /// Bytes of a tool's result that are about one token. Default 4: the exact count is the provider's.
    pub bytes_per_token: u64,
}

impl ContextLimits {
    /// Tokens in use at which a history is compacted in a window of so many.
    pub fn threshold(&self, window: u64) -> u64 {
        window.saturating_sub(self.output_reserve) * self.compact_percent / 100
    }
}

impl Default for ContextLimits {
    fn default() -> Self {
        Self {
            compact_percent: 80,
            output_reserve: 20_000,
            near_percent: 10,
            growth: 20_000,
            bytes_per_token: 4,
        }
    }
}
