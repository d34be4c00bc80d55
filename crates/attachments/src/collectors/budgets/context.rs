//! How full the context is, and of what.

use context_api::{Closed, CompactionReminder, ContextEfficiency, DeliveryKey, Draft, Outbox, TurnView};

use super::{ContextLimits, used};
use crate::collectors::look::looks;

/// Says once before each compaction that one is near. Where none comes by itself there is nothing to say.
#[derive(Debug, Clone, Default)]
pub struct CompactionReminderCollector(pub ContextLimits);

looks!(CompactionReminderCollector, "compaction_reminder", Everywhere);

impl CompactionReminderCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let last = turn.ledger.occurrences("compaction_reminder");
        if last.count > 0 && last.boundary == turn.ledger.boundaries() {
            return Ok(());
        }
        let Some((used, threshold)) = used::tokens(turn).zip(turn.compacts_at) else { return Ok(()) };
        if used < threshold - threshold * self.0.near_percent.min(100) / 100 {
            return Ok(());
        }
        out.push(Draft::new(CompactionReminder::default().used(used).threshold(threshold)))
    }
}

/// Says so when the context grew much, and mostly by results of tools that the model has answered to.
#[derive(Debug, Clone, Default)]
pub struct ContextEfficiencyCollector(pub ContextLimits);

looks!(ContextEfficiencyCollector, "context_efficiency", Everywhere);

/// Key under which the ledger remembers the tokens in use at the last note, or at the first look behind a boundary.
const BASE: &str = "used";

impl ContextEfficiencyCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let kind = "context_efficiency";
        let Some(used) = used::tokens(turn) else { return Ok(()) };
        let key = DeliveryKey::new(kind, BASE, used.to_string());
        let Some(base) = turn.ledger.in_view(kind, BASE) else { return out.remember(key) };
        let grown = used.saturating_sub(base.hash.parse().unwrap_or(used));
        if grown < self.0.growth {
            return Ok(());
        }
        let messages = turn.ledger.assistant_messages() - base.assistant_messages;
        let old_results = used::bytes_of_old_results(turn, messages) / self.0.bytes_per_token.max(1);
        if old_results.saturating_mul(2) <= grown {
            return Ok(());
        }
        let note = ContextEfficiency::default().used(used).grown(grown).old_results(old_results);
        out.push(Draft::new(note).key(key))
    }
}
