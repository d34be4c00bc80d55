//! What keeps histories within the window.

use std::sync::Arc;

use context_api::{HistoryStage, Summarizer, TokenCounter};
use context_budget::{CompactionLimits, Limits, Pipeline, StageLimits, SummaryPrompt};

use super::EngineBuilder;

impl EngineBuilder {
    /// How many tokens a text is. Default: an estimate.
    pub fn counter(mut self, counter: impl TokenCounter) -> Self {
        self.budget.counter = Arc::new(counter);
        self
    }

    /// What makes summaries. Default none: histories are then never summarised.
    pub fn summarizer(mut self, summarizer: impl Summarizer) -> Self {
        self.budget.summarizer = Some(Arc::new(summarizer));
        self
    }

    /// What the summarizer is asked. Default: [`context_budget::StandardSummaryPrompt`].
    pub fn summary_prompt(mut self, prompt: impl SummaryPrompt) -> Self {
        self.budget.prompt = Arc::new(prompt);
        self
    }

    /// Changes what pictures cost and what is kept for the answer.
    pub fn budget_limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.budget.limits);
        self
    }

    /// Changes when the stages act; the standard ones are made anew.
    pub fn stage_limits(mut self, change: impl FnOnce(&mut StageLimits)) -> Self {
        change(&mut self.budget.stages);
        self.budget.pipeline = Pipeline::standard(&self.budget.stages);
        self
    }

    /// Changes when histories are summarised, and what stays or comes back.
    pub fn compaction_limits(mut self, change: impl FnOnce(&mut CompactionLimits)) -> Self {
        change(&mut self.budget.compaction);
        self
    }

    /// Puts other stages in the place of the standard ones.
    pub fn stages(mut self, stages: Vec<Arc<dyn HistoryStage>>) -> Self {
        self.budget.pipeline = Pipeline::new(stages);
        self
    }
}
