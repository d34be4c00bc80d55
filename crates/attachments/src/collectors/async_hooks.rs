//! Hooks that ran in the background.

use async_trait::async_trait;
use context_api::{CollectError, Collector, HostEvent, Outbox, Stage, TurnView, Work};

use crate::hooks::{HookLimits, Keep, background};

/// Delivers what hooks answered that ran in the background; one that said nothing leaves no trace.
#[derive(Debug, Clone, Default)]
pub struct AsyncHooksCollector {
    limits: HookLimits,
}

impl AsyncHooksCollector {
    /// A collector with limits of its own.
    pub fn new(limits: HookLimits) -> Self {
        Self { limits }
    }
}

#[async_trait]
impl Collector for AsyncHooksCollector {
    fn label(&self) -> &str {
        "async_hook_response"
    }

    fn stage(&self) -> Stage {
        Stage::MainThread
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        for event in turn.events.iter().filter(|event| !turn.ledger.acknowledged(event.id())) {
            let HostEvent::Hook(answer) = event else { continue };
            if !answer.is_async {
                continue;
            }
            let (response, mut decisions) = background(answer, &self.limits);
            let keep = Keep::of(turn, &self.limits);
            let draft = response.map(|response| keep.draft(response.into(), &mut decisions));
            decisions.into_iter().try_for_each(|decision| out.decide(decision))?;
            match draft {
                Some(draft) => out.push(draft.delivers(&answer.id))?,
                None => out.settle(event.clone())?,
            }
        }
        Ok(())
    }
}
