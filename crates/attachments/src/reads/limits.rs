//! Limits of looks at files.

use std::time::Duration;

/// How long looks at files are waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LookLimits {
    /// How much of the time that is left a round of looks may take, percent: what comes after it needs some too, and has a
    /// whole share of what is left then. Default 66.
    pub share: u32,
    /// How long a thread that works through many files may stand still at one before another goes on with the rest.
    /// Default 50 ms: longer than a large picture takes.
    pub patience: Duration,
    /// Threads that may stand still so at the same time. Default 4: a quarter of the engine's.
    pub threads: usize,
}

impl Default for LookLimits {
    fn default() -> Self {
        Self { share: 66, patience: Duration::from_millis(50), threads: 4 }
    }
}
