//! Counting without a vocabulary.

use context_api::TokenCounter;

use crate::Limits;

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
        let (width, height) = (u64::from(width), u64::from(height));
        let longest = width.max(height).max(1);
        let scaled = |side: u64| {
            if longest > self.limits.image_side { side * self.limits.image_side / longest } else { side }
        };
        let pixels = scaled(width).max(1) * scaled(height).max(1);
        pixels.div_ceil(self.limits.pixels_per_token.max(1)).min(self.limits.image_tokens)
    }
}
