//! Stages: planners of view edits, in the order in which they run.

mod collapse;
mod duplicates;
pub(crate) mod exchange;
mod microcompact;
mod result_budget;
mod snip;

use std::sync::Arc;

use context_api::{HistoryStage, HistoryView, StageBudget, StageOutcome};

pub use collapse::Collapse;
pub use duplicates::Duplicates;
pub use microcompact::Microcompact;
pub use result_budget::ResultBudget;
pub use snip::Snip;

use crate::StageLimits;

/// The stages in order; each sees what those before it plan.
#[derive(Clone)]
pub struct Pipeline {
    stages: Vec<Arc<dyn HistoryStage>>,
}

impl Pipeline {
    /// The given stages.
    pub fn new(stages: Vec<Arc<dyn HistoryStage>>) -> Self {
        Self { stages }
    }

    /// Result budget, snip, microcompact, duplicates, collapse.
    pub fn standard(limits: &StageLimits) -> Self {
        Self::new(vec![
            Arc::new(ResultBudget::new(limits.clone())),
            Arc::new(Snip),
            Arc::new(Microcompact::new(limits.clone())),
            Arc::new(Duplicates::new(limits.clone())),
            Arc::new(Collapse::new(limits.clone())),
        ])
    }

    /// Names of the stages, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().map(|stage| stage.name())
    }

    /// What all of them plan together. `view` is left as it will be seen; it is only copied where something is planned.
    pub fn plan(&self, view: &mut Arc<HistoryView>, budget: &StageBudget<'_>) -> StageOutcome {
        let mut all = StageOutcome::default();
        let mut budget = budget.clone();
        for stage in &self.stages {
            let planned = stage.plan(view, &budget);
            if !planned.edits.is_empty() {
                let before = view.tokens();
                Arc::make_mut(view).apply_all(&planned.edits, budget.counter);
                // Freed tokens count at once, so that no later stage acts on what is gone.
                budget.used = budget.used.saturating_sub(before.saturating_sub(view.tokens()));
            }
            all.extend(planned);
        }
        all
    }
}

impl Default for Pipeline {
    fn default() -> Self {
        Self::standard(&StageLimits::default())
    }
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
