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
    /// How long bytes that drafts want put aside (long output of hooks) are waited for at least, from when their writing
    /// begins; longer where the deadline is later. Default 100 ms: many times what a file takes.
    pub aside_wait: Duration,
    /// Every how many turns a turn is traced in full: 20 is 5 %. 1 traces all, 0 none.
    pub trace_every: u64,
}

impl Default for BusLimits {
    fn default() -> Self {
        let (deadline, aside_wait) = (Duration::from_secs(1), Duration::from_millis(100));
        Self { deadline, input_share: 75, aside_wait, trace_every: 20 }
    }
}
