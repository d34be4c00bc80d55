//! Budgets that no summary can meet.

use context_api::{Decision, Verdict};

use crate::CompactionLimits;

/// No summary can bring the request below the target: what can not be summarised is too much by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no summary can bring the request below {target} tokens: system prompt and tools are {fixed}, memory and context {context}, \
     what has to stay {kept}"
)]
#[non_exhaustive]
pub struct BudgetImpossible {
    /// Tokens of the system prompt and the tools.
    pub fixed: u64,
    /// Tokens of memory and the other context in front of the history.
    pub context: u64,
    /// Tokens of the messages that have to stay.
    pub kept: u64,
    /// Tokens that the request has to get below.
    pub target: u64,
}

impl BudgetImpossible {
    /// Whether a summary of at least the least size fits beside what can not be summarised.
    ///
    /// # Errors
    /// It does not.
    pub fn check(
        fixed: u64,
        context: u64,
        kept: u64,
        room: u64,
        limits: &CompactionLimits,
    ) -> Result<(), Self> {
        let target = limits.target(room);
        let least = limits.summary_least.min(limits.summary(room));
        if fixed + context + kept + least > target {
            return Err(Self { fixed, context, kept, target });
        }
        Ok(())
    }

    /// The same as a decision.
    pub fn decision(&self) -> Decision {
        Decision::new("history", Verdict::Failed, "budget_impossible", format!("{self}."))
    }
}
