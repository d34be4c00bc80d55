//! Counting without a vocabulary.

use context_api::TokenCounter;

use crate::{Limits, media};

/// Estimates tokens from what a text is made of, and those of a picture from its size.
///
/// ```
/// use context_api::TokenCounter;
/// let counter = context_budget::EstimateCounter::default();
/// assert_eq!(counter.image(750, 1000), 1000);
/// assert!(counter.text("The quick brown fox") >= 4);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EstimateCounter {
    limits: Limits,
}

impl EstimateCounter {
    /// With other limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl TokenCounter for EstimateCounter {
    fn text(&self, text: &str) -> u64 {
        context_text::estimate_tokens(text)
    }

    fn image(&self, width: u32, height: u32) -> u64 {
        media::picture(width, height, &self.limits)
    }
}
