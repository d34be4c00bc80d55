//! Where the tokens of a request are.

use std::sync::Arc;

use context_api::{Entry, MemoryFile, ModelRequest};
use context_budget::{ContextUsage, EstimateCounter, Provenance};

/// The tree of a request in a window, its sources taken from the history and from the memory that the context shows.
pub(crate) fn usage(
    request: &ModelRequest,
    history: &[Arc<Entry>],
    memory: &[MemoryFile],
    window: u64,
) -> ContextUsage {
    let provenance = Provenance::of(history, memory);
    ContextUsage::of(request, &provenance, &EstimateCounter::default()).window(window)
}
