//! Counting by what a provider reported.

use std::sync::Arc;

use context_api::TokenCounter;

use crate::Limits;

/// How a provider's counts relate to a counter's, in thousandths. Learned from what was sent; 1,000 until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio(u64);

/// Thousandths.
const ONE: u64 = 1_000;

impl Default for Ratio {
    fn default() -> Self {
        Self(ONE)
    }
}

impl Ratio {
    /// Takes in what a provider counted for a request that was estimated, as far as `limits` let it be believed.
    pub fn learn(&mut self, estimated: u64, reported: u64, limits: &Limits) {
        if estimated > 0 && reported > 0 {
            let ratio = reported.saturating_mul(ONE) / estimated;
            self.0 = ratio.min(limits.ratio_most).max(limits.ratio_least).max(1);
        }
    }

    /// An estimate as the provider would count it.
    pub fn scale(self, tokens: u64) -> u64 {
        tokens.saturating_mul(self.0) / ONE
    }

    /// It in thousandths.
    pub fn thousandths(self) -> u64 {
        self.0
    }
}

/// A counter that is scaled by what a provider reported: exact for what was sent, and as good as the ratio for the rest.
///
/// ```
/// use context_api::TokenCounter;
/// use context_budget::{AnchoredCounter, EstimateCounter, Limits, Ratio};
/// use std::sync::Arc;
/// let mut ratio = Ratio::default();
/// ratio.learn(10_000, 11_000, &Limits::default());
/// let plain = EstimateCounter::default();
/// let anchored = AnchoredCounter::new(Arc::new(plain.clone()), ratio);
/// let text = "word ".repeat(1_000);
/// assert_eq!(anchored.text(&text), plain.text(&text) * 11 / 10);
/// ```
#[derive(Clone)]
pub struct AnchoredCounter {
    inner: Arc<dyn TokenCounter>,
    ratio: Ratio,
}

impl AnchoredCounter {
    /// `inner`, scaled.
    pub fn new(inner: Arc<dyn TokenCounter>, ratio: Ratio) -> Self {
        Self { inner, ratio }
    }
}

impl TokenCounter for AnchoredCounter {
    fn text(&self, text: &str) -> u64 {
        let tokens = self.inner.text(text);
        // What is there is never free.
        self.ratio.scale(tokens).max(u64::from(tokens > 0))
    }

    fn image(&self, width: u32, height: u32) -> u64 {
        self.ratio.scale(self.inner.image(width, height))
    }
}

impl std::fmt::Debug for AnchoredCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnchoredCounter").field("ratio", &self.ratio).finish_non_exhaustive()
    }
}
