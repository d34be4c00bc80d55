//! When the fill of the context is worth a word.

/// When the fill of the context is worth a word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextLimits {
    /// How far below the tokens at which the history is compacted the model is told, percent of them. Default 10.
    pub near_percent: u64,
    /// Tokens by which the context has to grow between two notes on its efficiency. Default 20,000.
    pub growth: u64,
    /// Bytes of a tool's result that are about one token. Default 4: the exact count is the provider's.
    pub bytes_per_token: u64,
}

impl Default for ContextLimits {
    fn default() -> Self {
        Self { near_percent: 10, growth: 20_000, bytes_per_token: 4 }
    }
}
