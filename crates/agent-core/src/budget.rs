//! What keeps a history within the window.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use context_api::{
    Entry, HistoryView, ModelMessage, ModelRequest, RequestTool, Summarizer, SystemBlock, TokenCounter,
};
use context_budget::{
    CompactionLimits, EstimateCounter, Limits, Pipeline, Ratio, StageLimits, StandardSummaryPrompt,
    SummaryPrompt, Tally, fixed_tokens,
};
use uuid::Uuid;

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
    tally: Tally,
    fixed: Fixed,
    seen: Seen,
    pub(crate) ratio: Ratio,
    pub(crate) failures: u32,
}

/// The history as it was last seen: the next look goes on from there.
#[derive(Debug, Default)]
struct Seen {
    view: Arc<HistoryView>,
    /// Entries of the history that it is of.
    entries: usize,
    /// Entries that were counted again since.
    recounted: Vec<Uuid>,
}

/// What stood in front of the messages when it was last counted.
#[derive(Debug, Default)]
struct Fixed {
    system: Vec<SystemBlock>,
    tools: Vec<RequestTool>,
    tokens: u64,
}

/// So many entries that were counted again are looked for one by one; for more the view is made anew.
const FEW: usize = 32;

impl Remembered {
    /// Forgets all counts: another counter may count from now on.
    pub(crate) fn forget(&mut self, limits: &Limits) {
        self.tally = Tally::default().limits(limits.clone());
        self.fixed = Fixed::default();
        self.seen = Seen::default();
        self.ratio = Ratio::default();
    }

    /// Counts what is new in `messages`; tokens of all of them.
    pub(crate) fn count<'a>(
        &mut self,
        messages: impl IntoIterator<Item = &'a Arc<ModelMessage>>,
        counter: &dyn TokenCounter,
    ) -> u64 {
        let changed = self.tally.update(messages, counter);
        let room = (FEW + 1).saturating_sub(self.seen.recounted.len());
        self.seen.recounted.extend(changed.into_iter().take(room));
        self.tally.total()
    }

    /// Tokens of everything in a request but its messages, which is mostly what it was.
    pub(crate) fn fixed(&mut self, request: &ModelRequest, counter: &dyn TokenCounter) -> u64 {
        let known = &self.fixed;
        if known.system != request.system || known.tools != request.tools {
            let (system, tools) = (request.system.clone(), request.tools.clone());
            self.fixed = Fixed { tokens: fixed_tokens(request, counter), system, tools };
        }
        self.fixed.tokens
    }

    /// Tokens by entry, as they were counted last.
    pub(crate) fn tokens(&self) -> Arc<HashMap<Uuid, u64>> {
        self.tally.by_entry()
    }

    /// The history as it is seen, with what was counted last.
    pub(crate) fn view(&mut self, history: &[Arc<Entry>]) -> Arc<HistoryView> {
        let tokens = self.tally.by_entry();
        let seen = &mut self.seen;
        let recounted = std::mem::take(&mut seen.recounted);
        let new = history.get(seen.entries..).filter(|_| seen.entries > 0 && recounted.len() <= FEW);
        let goes_on = new.is_some_and(|new| {
            let view = Arc::make_mut(&mut seen.view);
            let extended = view.extend(new, &tokens);
            for entry in recounted.iter().filter(|_| extended) {
                view.recount(*entry, tokens.get(entry).copied().unwrap_or_default());
            }
            extended
        });
        if !goes_on {
            seen.view = Arc::new(HistoryView::of(history, &tokens));
        }
        seen.entries = history.len();
        Arc::clone(&seen.view)
    }
}

impl BudgetMemory {
    /// Nothing is remembered yet.
    pub(crate) fn new(limits: &Limits) -> Self {
        let memory = Self::default();
        memory.lock().forget(limits);
        memory
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
