//! What keeps a history within the window.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use context_api::{Summarizer, TokenCounter};
use context_budget::{
    CompactionLimits, EstimateCounter, Limits, Pipeline, Ratio, StageLimits, StandardSummaryPrompt,
    SummaryPrompt, Tally,
};

/// The parts that count and plan, shared by the sessions of an engine.
#[derive(Clone)]
pub(crate) struct BudgetParts {
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) limits: Limits,
    pub(crate) stages: StageLimits,
    pub(crate) compaction: CompactionLimits,
    pub(crate) pipeline: Pipeline,
    pub(crate) summarizer: Option<Arc<dyn Summarizer>>,
    pub(crate) prompt: Arc<dyn SummaryPrompt>,
}

impl Default for BudgetParts {
    fn default() -> Self {
        Self {
            counter: Arc::new(EstimateCounter::default()),
            limits: Limits::default(),
            stages: StageLimits::default(),
            compaction: CompactionLimits::default(),
            pipeline: Pipeline::default(),
            summarizer: None,
            prompt: Arc::new(StandardSummaryPrompt),
        }
    }
}

/// What a session remembers of its counting. Nothing a request depends on: all of it can be counted anew.
#[derive(Debug, Default)]
pub(crate) struct BudgetMemory(Mutex<Remembered>);

#[derive(Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) tally: Tally,
    pub(crate) ratio: Ratio,
    pub(crate) failures: u32,
}

impl BudgetMemory {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
