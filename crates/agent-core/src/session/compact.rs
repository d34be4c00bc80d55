//! Summarising a history: by hand, at a threshold, after a refusal, in the background.

mod auto;
mod behind;
mod job;
mod text;

use std::sync::Arc;

use context_api::{
    Decision, EntryKind, Mark, MarkKind, MarkTarget, SummaryRequest, Trigger, UiEvent, ViewEdit,
};
use context_budget::{BudgetImpossible, WorkingSet};
use uuid::Uuid;

use super::Session;
use super::line::Line;
pub use job::{Summary, SummaryJob};

/// What a compaction is asked for.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Compact {
    /// What sets it off.
    pub trigger: Trigger,
    /// The user's own instructions.
    pub instructions: String,
    /// Tokens of the refused request, where the provider named them.
    pub reported: Option<u64>,
}

impl Compact {
    /// Somebody asks for it.
    pub fn manual(instructions: impl Into<String>) -> Self {
        Self { instructions: instructions.into(), ..Self::default() }
    }

    /// The provider refused the last request as too long; `reported` are its tokens, where the provider named them.
    pub fn reactive(reported: Option<u64>) -> Self {
        Self { trigger: Trigger::Reactive, reported, ..Self::default() }
    }
}

/// What a compaction made of a history.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Compacted {
    /// The summary.
    pub summary: String,
    /// What the summarizer was given.
    pub request: SummaryRequest,
    /// Tokens of the request before.
    pub tokens_before: u64,
    /// Tokens of the request after, nearly: what collectors bring back comes with the next request.
    pub tokens_after: u64,
    /// What came back behind the boundary, and what did not.
    pub working_set: WorkingSet,
    /// The same as decisions, and what went wrong on the way.
    pub decisions: Vec<Decision>,
    /// What a person is shown. What else is to be told of it comes with the next request.
    pub ui: Vec<UiEvent>,
}

/// Why a history was not compacted. It is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompactError {
    /// The engine has no summarizer.
    #[error("the engine has no summarizer")]
    NoSummarizer,
    /// There is nothing to summarise.
    #[error("there is nothing to summarise")]
    Nothing,
    /// No summary could reach the target; none was asked for.
    #[error(transparent)]
    Impossible(#[from] BudgetImpossible),
    /// The summarizer failed, or its answer was empty or no shorter than what it replaces.
    #[error("no summary: {0}")]
    Failed(String),
    /// The history was compacted or cleared while the summary was made.
    #[error("the history is no longer the one that was summarised")]
    Stale,
}

impl CompactError {
    /// The reason for decisions.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::NoSummarizer => "no_summarizer",
            Self::Nothing => "nothing_to_summarise",
            Self::Impossible(_) => "budget_impossible",
            Self::Failed(_) => "summary_failed",
            Self::Stale => "summary_stale",
        }
    }
}

/// A pin that would not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the pin would take {tokens} tokens and {left} are left of what may be pinned")]
pub struct PinRefused {
    /// Tokens that it would take.
    pub tokens: u64,
    /// Tokens that are left.
    pub left: u64,
}

impl Session {
    /// Summarises the history now and goes on behind the summary.
    ///
    /// # Errors
    /// There is no summary; nothing changed. Three failures in a row only end what is done by itself, never this.
    pub async fn compact_now(&mut self, ask: Compact) -> Result<Compacted, CompactError> {
        if let Some(reported) = ask.reported {
            self.learn(reported);
        }
        let summary = self.summary_job(&ask)?.run().await;
        self.count_failures(&summary);
        self.swap_in(summary?).await
    }

    /// A summary of the history as it is, to be made elsewhere while the session goes on: see [`Session::swap_in`].
    ///
    /// # Errors
    /// No summary can be made, or none could reach the target.
    pub fn summary_job(&self, ask: &Compact) -> Result<SummaryJob, CompactError> {
        let tools = self.tools.as_deref();
        self.job(&self.context, tools, &[], ask)
    }

    /// Puts a summary in the place of what it summarises; what came since stays behind it.
    ///
    /// # Errors
    /// What it summarises no longer stands: nothing changed.
    pub async fn swap_in(&mut self, summary: Summary) -> Result<Compacted, CompactError> {
        if !summary.stands(self) {
            return Err(CompactError::Stale);
        }
        let later: Vec<Uuid> = self.history[summary.at..].iter().map(|entry| entry.uuid).collect();
        let mut line = Line::after(self);
        let behind = self.behind(&summary, later, &mut line).await;
        let entries = line.entries;
        let mut decisions = behind.working_set.decisions();
        decisions.extend(self.take_in(&entries));
        (self.stale.user, self.stale.memory_cache) = (true, true);
        let mut seen = self.seen(&entries);
        seen.decisions.splice(0..0, decisions);
        // Whoever gives up while the transcript is written is told with the next request.
        self.untold.extend(seen);
        let saved = self.save(true).await;
        let mut ui = std::mem::take(&mut self.untold.ui);
        let mut decisions = std::mem::take(&mut self.untold.decisions);
        ui.extend(saved.ui);
        decisions.extend(saved.decisions);
        Ok(Compacted {
            summary: summary.text,
            request: summary.request,
            tokens_before: summary.tokens_before,
            tokens_after: behind.tokens_after,
            working_set: behind.working_set,
            decisions,
            ui,
        })
    }

    /// Says that no stage may touch something, nor a compaction take it out of view.
    ///
    /// # Errors
    /// It would not fit what may be pinned.
    pub fn pin(&mut self, target: MarkTarget) -> Result<(), PinRefused> {
        let taken = self.taken_now();
        let before: u64 = taken.view.entries.iter().filter(|seen| seen.pinned).map(|seen| seen.tokens).sum();
        let mark = EntryKind::Mark(Mark::default().targets(vec![target]).mark(MarkKind::Pinned));
        let after = self.pinned_with(&taken, mark.clone());
        let may = self.room() * self.parts.budget.stages.pinned_percent / 100;
        if after > may && after > before {
            return Err(PinRefused { tokens: after - before, left: may.saturating_sub(before) });
        }
        self.append(mark);
        Ok(())
    }

    /// Says that the exchange in which an entry stands may go once it is old.
    pub fn mark_droppable(&mut self, entry: Uuid) {
        let targets = vec![MarkTarget::Entry(entry)];
        self.append(EntryKind::Mark(Mark::default().targets(targets).mark(MarkKind::Droppable)));
    }

    /// Takes back what was said of something.
    pub fn unmark(&mut self, target: MarkTarget) {
        self.append(EntryKind::Mark(Mark::default().targets(vec![target]).mark(MarkKind::Plain)));
    }

    /// Brings entries back into view that were folded or dropped.
    pub fn expand(&mut self, entries: Vec<Uuid>) {
        self.append(EntryKind::ViewEdit(ViewEdit::Unfold { entries }));
    }

    fn pinned_with(&self, taken: &super::stages::Taken, mark: EntryKind) -> u64 {
        let last = context_api::Entry::new(Uuid::nil(), self.parts.clock.now(), self.turn + 1, mark);
        let history: Vec<_> = self.history.iter().cloned().chain([Arc::new(last)]).collect();
        let view = context_api::HistoryView::of(&history, &taken.tokens);
        view.entries.iter().filter(|seen| seen.pinned).map(|seen| seen.tokens).sum()
    }

    /// Takes the provider's count of the last request as the measure for what the counter says.
    pub(super) fn learn(&self, reported: u64) {
        let Some((_, request)) = &self.previous else { return };
        let budget = &self.parts.budget;
        let estimated = context_budget::request_tokens(request, &*budget.counter, &budget.limits);
        self.memory.lock().ratio.learn(estimated, reported, &budget.limits);
    }

    fn count_failures<T>(&self, result: &Result<T, CompactError>) {
        let failures = &mut self.memory.lock().failures;
        match result {
            Ok(_) => *failures = 0,
            Err(CompactError::Failed(_)) => *failures += 1,
            Err(_) => {}
        }
    }
}
