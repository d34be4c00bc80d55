//! What looks for memories that match what the user asks.

use std::sync::Arc;

use attachments::{MemoryFinder, MemorySelector, RelevantLimits};
use context_api::MemoryLoader;

use super::EngineBuilder;
use super::host_parts::Reach;

/// Who chooses, and within what.
#[derive(Default)]
pub(super) struct Relevant {
    selector: Option<Arc<dyn MemorySelector>>,
    limits: RelevantLimits,
}

impl Relevant {
    /// The finder, where there is a part that knows of notes.
    pub(super) fn finder(
        &mut self,
        loader: Option<&Arc<dyn MemoryLoader>>,
        reach: &Reach,
    ) -> Option<MemoryFinder> {
        let Reach { files, policy, threads } = reach.clone();
        let finder = MemoryFinder::new(Arc::clone(loader?), files, policy, threads, self.limits.clone());
        Some(finder.selector(self.selector.take()))
    }
}

impl EngineBuilder {
    /// Who chooses among memories, by a model say. Default: the words that they share with what the user asks.
    pub fn memory_selector(mut self, selector: impl MemorySelector) -> Self {
        self.relevant.selector = Some(Arc::new(selector));
        self
    }

    /// Limits of memories that match what the user asks.
    pub fn relevant_limits(mut self, change: impl FnOnce(&mut RelevantLimits)) -> Self {
        change(&mut self.relevant.limits);
        self
    }
}
