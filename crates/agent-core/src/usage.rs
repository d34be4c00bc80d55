//! Where the tokens of a request are.

use std::sync::Arc;

use context_api::{Entry, HistoryView, MemoryFile, ModelRequest, StageBudget};
use context_budget::{AdviceLimits, ContextUsage, Provenance, Tally};
use jiff::Timestamp;

use crate::parts::Parts;

/// What a usage is counted by: taken along, so that a prepared turn can be counted when somebody asks.
#[derive(Clone)]
pub(crate) struct Measure(Arc<Parts>);

impl Measure {
    pub(crate) fn of(parts: &Arc<Parts>) -> Self {
        Self(Arc::clone(parts))
    }

    /// The tree of a request in the window, its sources taken from the history and from the memory that the context shows;
    /// with what might be done about it.
    pub(crate) fn usage(
        &self,
        request: &ModelRequest,
        history: &[Arc<Entry>],
        memory: &[MemoryFile],
    ) -> ContextUsage {
        let (budget, options) = (&self.0.budget, &self.0.options);
        let provenance = Provenance::of(history, memory);
        let usage = ContextUsage::with_limits(request, &provenance, &*budget.counter, &budget.limits);
        let mut tally = Tally::default();
        tally.update(&request.messages, &*budget.counter);
        let view = HistoryView::of(history, &tally.by_entry());
        let room = context_budget::room(options.window, options.max_tokens, &budget.limits);
        let trigger = budget.compaction.trigger(room);
        let usage = usage.window(options.window).buffer(options.window.saturating_sub(trigger));
        let now = history.last().map_or(Timestamp::UNIX_EPOCH, |entry| entry.timestamp);
        let stages =
            StageBudget::new(room, usage.total, now, &*budget.counter, &options.projection.tool_names);
        let advice = AdviceLimits::default();
        let (usage, superseded) = usage.forecast(&view, &stages, &budget.stages, &budget.compaction, &advice);
        usage.advised(superseded, &advice)
    }
}

impl std::fmt::Debug for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Measure")
    }
}
