//! The date rolled over.

use async_trait::async_trait;
use context_api::{CollectError, Collector, DateChange, Draft, Outbox, Stage, TurnView, Work};

/// Says so when the local date differs from the last one that the model was told.
#[derive(Debug, Clone, Copy, Default)]
pub struct DateChangeCollector;

#[async_trait]
impl Collector for DateChangeCollector {
    fn label(&self) -> &str {
        "date_change"
    }

    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        // Without a baseline the context of this very request will name the date.
        if turn.ledger.last_date().is_some_and(|last| last != turn.today) {
            out.push(Draft::new(DateChange::default().date(turn.today)))?;
        }
        Ok(())
    }
}
