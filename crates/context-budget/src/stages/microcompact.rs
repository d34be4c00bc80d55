//! Old results that can be had again.

use context_api::{
    Decision, HistoryStage, HistoryView, SeenResult, StageBudget, StageOutcome, ToolNames, ViewEdit,
};

use crate::{StageLimits, wording};

/// Clears old results of tools that read, search, list, run, fetch or edit, once they are many; and earlier where the
/// provider's cache has gone cold anyway.
#[derive(Debug, Clone, Default)]
pub struct Microcompact {
    limits: StageLimits,
}

/// Why the edits are there.
pub(crate) const CLEARED: &str = "microcompact";

impl Microcompact {
    /// With these limits.
    pub fn new(limits: StageLimits) -> Self {
        Self { limits }
    }

    fn clears(&self, tool: &str, names: &ToolNames) -> bool {
        let own =
            [&names.read, &names.list, &names.search, &names.find, &names.shell, &names.edit, &names.write];
        own.iter().any(|name| *name == tool) || self.limits.further_tools.iter().any(|name| name == tool)
    }

    /// Results that may be cleared, and tokens of all that count.
    fn candidates<'a>(&self, view: &'a HistoryView, budget: &StageBudget<'_>) -> (Vec<SeenResult<'a>>, u64) {
        let mut results: Vec<_> = view
            .results()
            .filter(|seen| seen.replaced != Some(CLEARED) && self.clears(seen.tool, budget.tools))
            .collect();
        let together = results.iter().map(|seen| seen.tokens).sum();
        results.truncate(results.len().saturating_sub(self.limits.newest_results));
        // What stands behind the newest answer no model has seen yet.
        let answered = view.newest_answer().unwrap_or_default();
        let marker = budget.counter.text(wording::CLEARED);
        results.retain(|seen| seen.place < answered && !seen.pinned && seen.tokens > marker);
        (results, together)
    }

    fn is_cold(&self, view: &HistoryView, budget: &StageBudget<'_>) -> bool {
        view.newest_answer().is_some_and(|at| {
            let idle = budget.now.as_second() - view.entries[at].entry.timestamp.as_second();
            idle > self.limits.cold_seconds
        })
    }

    /// What clearing old results now would free, tokens, whether it is enough to do it or not.
    pub fn forecast(&self, view: &HistoryView, budget: &StageBudget<'_>) -> u64 {
        freed(&self.candidates(view, budget).0, budget)
    }
}

fn freed(results: &[SeenResult<'_>], budget: &StageBudget<'_>) -> u64 {
    let marker = budget.counter.text(wording::CLEARED);
    results.iter().map(|seen| seen.tokens - marker).sum()
}

impl HistoryStage for Microcompact {
    fn name(&self) -> &str {
        "microcompact"
    }

    fn plan(&self, view: &HistoryView, budget: &StageBudget<'_>) -> StageOutcome {
        let (results, together) = self.candidates(view, budget);
        let freed = freed(&results, budget);
        let full = together > self.limits.results_tokens && freed >= self.limits.freed_tokens;
        let cold = freed >= self.limits.cold_tokens.max(1) && self.is_cold(view, budget);
        let mut out = StageOutcome::default();
        if !full && !cold {
            return out;
        }
        for seen in &results {
            out.edits.push(ViewEdit::ReplaceResult {
                tool_use_id: seen.id.to_owned(),
                text: wording::CLEARED.to_owned(),
                reason: CLEARED.to_owned(),
            });
        }
        let (reason, why) = match full {
            true => ("old_results_cleared", "to make room"),
            false => ("old_results_cleared_cold", "since the provider's cache is cold anyway"),
        };
        let detail = format!("{} old tool results were cleared {why}: {freed} tokens.", results.len());
        out.decisions.push(Decision::left_out("history", reason, detail));
        out
    }
}
