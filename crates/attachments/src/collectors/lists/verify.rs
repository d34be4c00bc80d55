//! A plan that was carried out.

use context_api::{Closed, DeliveryKey, Draft, Outbox, TurnView, VerifyPlanReminder};

use super::ListLimits;
use crate::collectors::look::looks;

/// Kind and key under which the ledger remembers since when a plan is carried out and not checked.
const OPEN: [&str; 2] = ["plan", "carried_out"];

/// Asks for a check of a plan that was carried out a while ago and not checked since.
#[derive(Debug, Clone, Default)]
pub struct VerifyPlanCollector(pub ListLimits);

looks!(VerifyPlanCollector, "verify_plan_reminder", Everywhere);

impl VerifyPlanCollector {
    fn look(&self, turn: &TurnView, out: &Outbox) -> Result<(), Closed> {
        let Some(plan) = &turn.host.work.plan else { return Ok(()) };
        let ledger = &turn.ledger;
        let since = ledger.delivered(OPEN[0], OPEN[1]).map(|since| since.assistant_messages);
        match (plan.done && !plan.verified, since) {
            (false, None) => Ok(()),
            (false, Some(_)) => out.remember(DeliveryKey::retract(OPEN[0], OPEN[1])),
            (true, None) => out.remember(DeliveryKey::new(OPEN[0], OPEN[1], "")),
            (true, Some(since)) => {
                let told = ledger.occurrences("verify_plan_reminder").assistant_messages;
                if ledger.assistant_messages() - since.max(told) < self.0.verify_every {
                    return Ok(());
                }
                let file = turn.host.modes.plan.plan_file.clone();
                out.push(Draft::new(VerifyPlanReminder::default().plan_file(file)))
            }
        }
    }
}
