//! Limits of use, and how full the context is.

mod context;
mod limits;
mod used;

use context_api::{
    Attachment, BudgetUsd, Closed, DeliveryKey, Draft, Outbox, OutputTokenUsage, TokenUsage, TurnView,
};

use super::look::looks;

pub use context::{CompactionReminderCollector, ContextEfficiencyCollector};
pub use limits::ContextLimits;

/// Tells the tokens of the session against their budget, where the host sets one and the figures are new.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokenUsageCollector;

looks!(TokenUsageCollector, "token_usage", MainThread);

impl TokenUsageCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let Some(budget) = &turn.host.budgets.tokens else { return Ok(()) };
        let left = budget.total.saturating_sub(budget.used);
        let usage = TokenUsage::default().used(budget.used).total(budget.total).remaining(left);
        unless_told(turn, out, usage, format!("{} of {}", budget.used, budget.total))
    }
}

/// Tells the money of the session against its budget, where the host sets one and the figures are new.
#[derive(Debug, Clone, Copy, Default)]
pub struct BudgetUsdCollector;

looks!(BudgetUsdCollector, "budget_usd", MainThread);

impl BudgetUsdCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let Some(budget) = &turn.host.budgets.usd else { return Ok(()) };
        let left = (budget.total - budget.used).max(0.0);
        let usage = BudgetUsd::default().used(budget.used).total(budget.total).remaining(left);
        // In cents, which is what the model is told.
        unless_told(turn, out, usage, format!("{:.2} of {:.2}", budget.used, budget.total))
    }
}

/// Tells the output tokens against their budget, where the host sets one and the figures are new.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputUsageCollector;

looks!(OutputUsageCollector, "output_token_usage", MainThread);

impl OutputUsageCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let Some(budget) = &turn.host.budgets.output_tokens else { return Ok(()) };
        let (in_turn, in_session, allowed) = (budget.turn, budget.session, budget.budget);
        let usage = OutputTokenUsage::default().turn(in_turn).session(in_session).budget(allowed);
        unless_told(turn, out, usage, format!("{in_turn} and {in_session} of {allowed}"))
    }
}

/// Pushes an event unless the newest of its type in view gave the same `figures`.
fn unless_told(
    turn: &TurnView,
    out: &Outbox,
    usage: impl Into<Attachment>,
    figures: String,
) -> Result<(), Closed> {
    let usage = usage.into();
    let kind = usage.type_name();
    if turn.ledger.in_view(kind, "").is_some_and(|told| told.hash == figures) {
        return Ok(());
    }
    out.push(Draft::new(usage).key(DeliveryKey::new(kind, "", figures)))
}
