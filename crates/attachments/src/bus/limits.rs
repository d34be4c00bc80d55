//! Limits of the bus.

use std::time::Duration;

/// Limits of the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BusLimits {
    /// Time for all collectors of a turn together, from the start of collection. Default 1 s.
    pub deadline: Duration,
    /// How much of the deadline the input stage may use, percent, so that a slow mention leaves time for the others. Default
    /// 75.
    pub input_share: u32,
    /// Every how many turns a turn is traced in full: 20 is 5 %. 1 traces all, 0 none.
    pub trace_every: u64,
}

impl Default for BusLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(1), input_share: 75, trace_every: 20 }
    }
}
