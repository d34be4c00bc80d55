//! Counting with a vocabulary.

use context_api::TokenCounter;

use crate::{Limits, media};

/// Counts the tokens of a text exactly as the vocabulary o200k does; what pictures cost is estimated, as by
/// [`EstimateCounter`](crate::EstimateCounter).
///
/// Providers with another vocabulary count otherwise: what they report makes up for it
/// ([`Ratio`](crate::Ratio)). Some ten times slower than the estimate.
///
/// ```
/// use context_api::TokenCounter;
/// let counter = context_budget::O200kCounter::new();
/// assert_eq!(counter.text("The quick brown fox jumps over the lazy dog."), 10);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct O200kCounter {
    limits: Limits,
}

impl O200kCounter {
    /// Reads the vocabulary, once a process: some 60 ms that no turn has to wait for.
    pub fn new() -> Self {
        bpe_openai::o200k_base();
        Self { limits: Limits::default() }
    }

    /// With other limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Default for O200kCounter {
    fn default() -> Self {
        Self::new()
    }
}

impl TokenCounter for O200kCounter {
    fn text(&self, text: &str) -> u64 {
        bpe_openai::o200k_base().count(text) as u64
    }

    fn image(&self, width: u32, height: u32) -> u64 {
        media::picture(width, height, &self.limits)
    }
}
